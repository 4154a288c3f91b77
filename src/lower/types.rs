//! Sizes, alignments, members.

use super::context::{Lowered, Lowerer};
use crate::program::{Expr, FloatKind, Length, Location, Packing, StructId, Type};
use lang_c::ast::{Expression, UnaryOperator};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// The size of a type of constant size, in bytes; `None` for incomplete types and functions.
    pub(super) fn size_of(&self, ty: &Type) -> Option<u64> {
        self.is_sized(ty).then(|| self.program.size_of(ty))?
    }

    /// The alignment of a type, in bytes.
    pub(super) fn align_of(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Array(element, _) => self.align_of(element),
            _ => self.is_sized(ty).then(|| self.program.align_of(ty))?,
        }
    }

    /// Whether no part of the type is incomplete.
    fn is_sized(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.is_sized(element),
            Type::Struct(id) => {
                self.structs[id.0 as usize].complete
                    && self.program.structure(*id).members.iter().all(|m| self.is_sized(&m.ty))
            }
            _ => true,
        }
    }

    /// The result of `__alignof__`: on 32-bit machines, wide numbers that are not members prefer
    /// twice the alignment that they need.
    pub(super) fn preferred_align(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Array(element, _) => self.preferred_align(element),
            Type::Int(kind) => Some(u64::from(kind.width(self.model()).div_ceil(8))),
            Type::Float(FloatKind::Double) => Some(8),
            _ => self.align_of(ty),
        }
    }

    /// The offset of a member in bytes.
    pub(super) fn offset_of(&self, id: StructId, member: u32) -> Option<u64> {
        self.is_sized(&Type::Struct(id)).then(|| self.program.offset_of(id, member))?
    }

    /// `sizeof` as an expression: the size of a variable-length array is computed.
    pub(super) fn size_expr(&mut self, ty: &Type, span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        if let Type::Array(element, Length::Variable(v)) = ty {
            let element = self.size_expr(element, span)?;
            let length = Expr::load(crate::program::Lvalue::var(&self.program, *v, at));
            let length = self.convert(length, &self.size_type(), span)?;
            return Ok(self.multiply(length, element, at));
        }
        if let Type::Array(element, Length::Constant(n)) = ty
            && element.has_variable_size()
        {
            let element = self.size_expr(element, span)?;
            let length = Expr::int(i128::from(*n), self.model().size_type(), at);
            return Ok(self.multiply(length, element, at));
        }
        match self.size_of(ty) {
            Some(size) if i128::from(size) <= self.model().size_type().max(self.model()) => {
                Ok(Expr::int(i128::from(size), self.model().size_type(), at))
            }
            Some(_) => self.wrong(span, "this type is too large"),
            None if self.has_strange_layout(ty) => {
                self.unsupported(span, "the size of a `va_list`, or of a type with the attribute `aligned` or `ms_struct`, or with `packed` or `aligned` for some of its members, is not modelled")
            }
            None if self.is_complete(ty) => self.wrong(span, "this type is too large"),
            None => self.wrong(span, "the size of an incomplete type is not known"),
        }
    }

    /// The alignment of a type. gcc's older operator gives the preferred one; that of C11 gives the
    /// guaranteed one.
    pub(super) fn alignment_of_type(&self, ty: &Type, span: Span) -> Lowered<Expr> {
        let standard = self.unit.raw.get(span.start..).is_some_and(|text| text.starts_with(b"_Alignof"));
        self.alignment(if standard { self.align_of(ty) } else { self.preferred_align(ty) }, span)
    }

    /// The alignment of an object, as gcc tells it: a member has that of its type in a struct,
    /// other objects have the preferred one. Casts of pointers would change it.
    pub(super) fn alignment_of_value(&mut self, operand: &Node<Expression>, span: Span) -> Lowered<Expr> {
        let is_object = |e: &Node<Expression>| matches!(e.node, Expression::Identifier(_) | Expression::Member(_));
        let is_plain = match &operand.node {
            Expression::UnaryOperator(u) => {
                u.node.operator.node == UnaryOperator::Indirection && is_object(&u.node.operand)
            }
            _ => is_object(operand),
        };
        if !is_plain || self.unit.aligns_anything() {
            return self.unsupported(span, "the alignment of this expression is not modelled");
        }
        let ty = self.type_of(operand)?.ty;
        let is_member = matches!(operand.node, Expression::Member(_));
        self.alignment(if is_member { self.align_of(&ty) } else { self.preferred_align(&ty) }, span)
    }

    fn alignment(&self, align: Option<u64>, span: Span) -> Lowered<Expr> {
        match align {
            Some(align) => Ok(Expr::int(i128::from(align), self.model().size_type(), self.at(span))),
            None => self.unsupported(span, "the alignment of this type is not modelled"),
        }
    }

    fn multiply(&self, a: Expr, b: Expr, at: Location) -> Expr {
        let mut product = self.arithmetic(crate::program::BinaryOp::Mul, a, b, self.size_type());
        product.location = at;
        product
    }

    fn has_strange_layout(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(to) => self.program.is_argument_list(to),
            Type::Array(element, _) => self.has_strange_layout(element),
            Type::Struct(id) => {
                let structure = self.program.structure(*id);
                structure.packing == Packing::Unknown
                    || structure.members.iter().any(|m| self.has_strange_layout(&m.ty))
            }
            _ => false,
        }
    }

    /// Whether objects of this type can exist.
    pub(super) fn is_complete(&self, ty: &Type) -> bool {
        match ty {
            Type::Void | Type::Function => false,
            Type::Array(_, Length::Unknown) => false,
            Type::Array(element, _) => self.is_complete(element),
            Type::Struct(id) => self.structs[id.0 as usize].complete,
            _ => true,
        }
    }

    /// A type as C spells it, for messages.
    pub(super) fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.c_name().into(),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Pointer(to) => match self.type_name(to) {
                name if name.ends_with('*') => format!("{name}*"),
                name => format!("{name} *"),
            },
            Type::Array(element, Length::Constant(n)) => format!("{}[{n}]", self.type_name(element)),
            Type::Array(element, _) => format!("{}[]", self.type_name(element)),
            Type::Struct(id) => {
                let s = self.program.structure(*id);
                format!("{} {}", if s.is_union { "union" } else { "struct" }, s.name)
            }
            Type::Function => "function".into(),
        }
    }

    /// The path of member numbers to a member, looking into anonymous structs and unions.
    pub(super) fn find_member(&self, id: StructId, name: &str) -> Option<Vec<(StructId, u32)>> {
        let members = &self.program.structure(id).members;
        if let Some(n) = members.iter().position(|m| !m.is_unnamed() && m.name == name) {
            return Some(vec![(id, n as u32)]);
        }
        members.iter().enumerate().find_map(|(n, m)| match &m.ty {
            Type::Struct(inner) if m.is_unnamed() => {
                let mut path = self.find_member(*inner, name)?;
                path.insert(0, (id, n as u32));
                Some(path)
            }
            _ => None,
        })
    }
}
