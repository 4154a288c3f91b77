//! Expressions that denote objects.

use super::context::{Exit, Lowered, Lowerer, Symbol};
use super::declarators::Lengths;
use super::initialisers::Initial;
use super::signatures::{DeclaredType, Signature};
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, Location, Lvalue, Origin, Step, StmtKind, Storage, Type, Variable,
};
use lang_c::ast::{
    BinaryOperator, CompoundLiteral, Expression, Initializer, MemberExpression, MemberOperator, SpecifierQualifier,
    TypeQualifier, UnaryOperator,
};
use lang_c::span::{Node, Span};
use std::collections::HashSet;
use std::rc::Rc;

impl Lowerer<'_> {
    /// Whether the expression has the form of an lvalue, so that its type does not decay.
    pub(super) fn is_lvalue(&self, expr: &Expression) -> bool {
        match expr {
            Expression::Identifier(i) => {
                matches!(self.lookup(&i.node.name), Some(Symbol::Variable(_) | Symbol::View(..)))
                    || is_function_name(&i.node.name)
            }
            Expression::StringLiteral(_) | Expression::CompoundLiteral(_) => true,
            Expression::Member(m) => {
                m.node.operator.node == MemberOperator::Indirect || self.is_lvalue(&m.node.expression.node)
            }
            Expression::BinaryOperator(b) => b.node.operator.node == BinaryOperator::Index,
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Indirection,
            _ => false,
        }
    }

    /// The object that an expression denotes. Its side effects are emitted.
    pub(super) fn lvalue(&mut self, expr: &Node<Expression>) -> Lowered<Lvalue> {
        let at = self.at(expr.span);
        match &expr.node {
            Expression::Identifier(i) => match self.lookup(&i.node.name) {
                Some(Symbol::Variable(v)) => {
                    let v = *v;
                    self.used_if_weak(v, at);
                    Ok(Lvalue::var(&self.program, v, at))
                }
                Some(Symbol::View(v, kind)) => {
                    let (v, kind) = (*v, *kind);
                    self.used_if_weak(v, at);
                    let object = Lvalue::var(&self.program, v, at);
                    let seen = super::declarations::with_kind(&object.ty, kind);
                    let pointer = self.address(object, expr.span)?.cast(seen.pointer_to());
                    Ok(self.dereference(pointer, at))
                }
                None if is_function_name(&i.node.name) => {
                    let mut units: Vec<i128> = self.function_name().bytes().map(i128::from).collect();
                    units.push(0);
                    self.constant_string(units, self.plain_char(), expr.span)
                }
                None => self.wrong(expr.span, format!("`{}` is not declared", i.node.name)),
                Some(_) => self.wrong(expr.span, format!("`{}` is not a variable", i.node.name)),
            },
            Expression::StringLiteral(_) => self.string_object(expr.span),
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::Member(m) => self.member(m, expr.span),
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                let (left, right) = self.operands(&b.node.lhs, &b.node.rhs)?;
                let (pointer, of, index, span) = match (&left.ty, &right.ty) {
                    (Type::Pointer(_), Type::Int(_)) => (left, &b.node.lhs, right, b.node.rhs.span),
                    (Type::Int(_), Type::Pointer(_)) => (right, &b.node.rhs, left, b.node.lhs.span),
                    _ => return self.wrong(expr.span, "an index needs an array or a pointer, and an integer"),
                };
                let pointer = self.object_pointer(pointer, expr.span)?;
                let sum = self.pointer_add(pointer, index, span)?;
                // `m[1][i]` names a row, `(&m[0][0])[i]` and `(m[0] + 1)[i]` do not.
                let names_array = self.is_lvalue(&of.node);
                Ok(if names_array { self.element_at(sum, at) } else { self.dereference(sum, at) })
            }
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                if let Some(errno) = self.errno(&u.node.operand, at) {
                    return Ok(errno);
                }
                let pointer = self.rvalue(&u.node.operand)?;
                let pointer = self.object_pointer(pointer, expr.span)?;
                Ok(self.dereference(pointer, at))
            }
            // A member of a struct value is accessed: the value needs a place.
            _ => {
                let value = self.rvalue(expr)?;
                if !matches!(value.ty, Type::Struct(_)) {
                    return self.wrong(expr.span, "this is not an object");
                }
                if self.has_array(&value.ty) {
                    let object = self.passing_object(value.ty.clone(), at);
                    self.emit(StmtKind::Assign(object.clone(), value), at);
                    return Ok(object);
                }
                if let ExprKind::Load(lvalue) = value.kind {
                    return Ok(lvalue);
                }
                let temporary = self.temporary(value.ty.clone(), at);
                self.emit(StmtKind::Assign(temporary.clone(), value), at);
                Ok(temporary)
            }
        }
    }

    /// The pointer, if what it points to can be accessed.
    pub(super) fn object_pointer(&self, pointer: Expr, span: Span) -> Lowered<Expr> {
        match pointer.ty.pointee() {
            Some(Type::Function) => self.wrong(span, "a function is not an object"),
            Some(Type::Struct(id)) if !self.structs[id.0 as usize].complete => {
                let name = self.program.structure(*id).name.clone();
                self.wrong(span, format!("the members of `{name}` are not known here"))
            }
            Some(_) => Ok(pointer),
            None => {
                let name = self.type_name(&pointer.ty);
                self.wrong(span, format!("`{name}` is not a pointer"))
            }
        }
    }

    fn member(&mut self, m: &Node<MemberExpression>, span: Span) -> Lowered<Lvalue> {
        let at = self.at(span);
        let mut object = if m.node.operator.node == MemberOperator::Indirect {
            let pointer = self.rvalue(&m.node.expression)?;
            let pointer = self.object_pointer(pointer, m.node.expression.span)?;
            self.dereference(pointer, at)
        } else {
            self.lvalue(&m.node.expression)?
        };
        let name = &m.node.identifier.node.name;
        let Type::Struct(id) = object.ty else {
            let ty = self.type_name(&object.ty);
            return self.wrong(m.node.identifier.span, format!("`{ty}` has no members"));
        };
        let Some(path) = self.find_member(id, name) else {
            let ty = self.type_name(&object.ty);
            return self.wrong(m.node.identifier.span, format!("`{ty}` has no member `{name}`"));
        };
        for (id, n) in path {
            object.ty = self.program.structure(id).members[n as usize].ty.clone();
            object.path.push(Step::Field(id, n));
        }
        object.location = at;
        Ok(object)
    }

    fn compound_literal(&mut self, literal: &Node<CompoundLiteral>) -> Lowered<Lvalue> {
        let mut ty = self.named_type(&literal.node.type_name, Lengths::Constant)?;
        let at = self.at(literal.span);
        let list = Node::new(Initializer::List(literal.node.initializer_list.clone()), literal.span);
        if let Type::Array(element, crate::program::Length::Unknown) = &ty.ty {
            let length = self.initialised_length(element, &list)?;
            ty.ty = Type::Array(element.clone(), crate::program::Length::Constant(length));
        }
        if !self.is_complete(&ty.ty) {
            return self.wrong(literal.span, "a literal of an incomplete type");
        }
        self.temporaries += 1;
        let global = self.function.is_none();
        let again = !global && self.may_be_repeated();
        let (word, origin) = if again { ("kept", Origin::KeptLiteral) } else { ("literal", Origin::Literal) };
        let name = format!("{word}{}", self.temporaries);
        let constant = literal.node.type_name.node.specifiers.iter().any(is_const);
        if constant {
            // C11 6.5.2.5p7: equal ones may share their memory.
            self.assume_that("literals of constant types are distinct objects");
        }
        let object = if global {
            let (ty, constant) = (ty.ty, ty.constant);
            let variable = Variable { name, origin, ty, storage: Storage::Global, constant, location: at };
            let id = self.program.add_variable(variable);
            self.program.globals.push(id);
            if constant {
                self.note_constant(id);
            }
            Lvalue::var(&self.program, id, at)
        } else {
            // C11 6.5.2.5p5: it lives as long as the block, in whatever part of it it is made.
            let (object, declaration) = self.undeclared_variable(name, origin, ty.ty, at);
            self.scope().unnamed.push(declaration);
            self.program.variables.last_mut().expect("it was added just now").constant = ty.constant;
            object
        };
        if global {
            let ((), block) = self.collecting(|l| l.initialise(object.clone(), &list, Initial::Fixed))?;
            self.program.initialisers.extend(block);
        } else {
            self.initialise(object.clone(), &list, if again { Initial::Again } else { Initial::New })?;
        }
        Ok(object)
    }

    /// Whether a value contains an array, which becomes a pointer where it is used.
    fn has_array(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(..) => true,
            Type::Struct(id) => self.program.structure(*id).members.iter().any(|m| self.has_array(&m.ty)),
            _ => false,
        }
    }

    /// The object for a value that contains an array, until the end of the full expression (C11
    /// 6.2.4p8).
    fn passing_object(&mut self, ty: Type, at: Location) -> Lvalue {
        self.temporaries += 1;
        let name = format!("passing{}", self.temporaries);
        let (object, declaration) = self.undeclared_variable(name, Origin::Passing, ty, at);
        // What is declared in the block lives longer.
        object.as_var().into_iter().for_each(|v| _ = self.depths.insert(v, self.scopes.len() + 1));
        match self.passing.last_mut() {
            Some(passing) => passing.push(declaration),
            None => self.scope().unnamed.push(declaration),
        }
        object
    }

    /// Whether a literal here may be made again while it lives: after a jump back, or in the head
    /// of a loop. It is the same object each time (C11 6.5.2.5p16), and its new values may be
    /// computed from the old ones.
    fn may_be_repeated(&self) -> bool {
        let Some(f) = &self.function else { return false };
        f.exits.contains(&Exit::Condition) || f.labels.values().any(|l| l.defined)
    }

    /// The type of an expression that is not evaluated; arrays stay arrays.
    pub(super) fn type_of(&mut self, expr: &Node<Expression>) -> Lowered<DeclaredType> {
        let signature = self.signature_of(expr);
        let is_function = match &expr.node {
            Expression::Identifier(i) => matches!(self.lookup(&i.node.name), Some(Symbol::Function(_))),
            _ => false,
        };
        if is_function {
            return Ok(DeclaredType { ty: Type::Function, signature, constant: false });
        }
        let ty = self.unevaluated(|l| {
            if l.is_lvalue(&expr.node) { l.lvalue(expr).map(|lvalue| lvalue.ty) } else { l.rvalue(expr).map(|v| v.ty) }
        })?;
        Ok(DeclaredType { ty, signature, constant: false })
    }

    /// The signature of a function: the expression is that function, points to it, or is an array
    /// of pointers to it.
    pub(super) fn signature_of(&mut self, expr: &Node<Expression>) -> Option<Rc<Signature>> {
        match &expr.node {
            Expression::Identifier(i) => match self.lookup(&i.node.name)? {
                Symbol::Variable(v) => self.variable_signatures.get(v).cloned(),
                Symbol::Function(f) => Some(self.functions[f.0 as usize].signature.clone()),
                _ => None,
            },
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::Indirection | UnaryOperator::Address => self.signature_of(&u.node.operand),
                _ => None,
            },
            Expression::BinaryOperator(b) => match b.node.operator.node {
                BinaryOperator::Index | BinaryOperator::Plus | BinaryOperator::Assign => self.signature_of(&b.node.lhs),
                _ => None,
            },
            Expression::Member(_) => {
                let lvalue = self.unevaluated(|l| l.lvalue(expr)).ok()?;
                match lvalue.path.last()? {
                    Step::Field(id, n) => self.member_signatures.get(&(*id, *n)).cloned(),
                    Step::Index(_) => None,
                }
            }
            Expression::Call(call) => self.signature_of(&call.node.callee)?.result.signature.clone(),
            Expression::Cast(cast) => {
                self.unevaluated(|l| l.named_type(&cast.node.type_name, Lengths::Prototype)).ok()?.signature
            }
            Expression::Conditional(c) => {
                let first = self.signature_of(self.first_branch(&c.node));
                first.or_else(|| self.signature_of(&c.node.else_expression))
            }
            Expression::Comma(list) => list.last().and_then(|e| self.signature_of(e)),
            _ => None,
        }
    }

    /// Whether the source takes the address of a variable of that name in the current function.
    pub(super) fn is_address_taken(&self, variable: &Variable) -> bool {
        let named = |taken: &HashSet<String>| !variable.is_hidden() && taken.contains(&variable.name);
        self.function.as_ref().is_none_or(|f| named(&f.address_taken))
    }

    /// Whether reading the variable later gives the same value, unless the source itself writes it:
    /// a local whose address is not taken. A struct does not count: addresses of its members are
    /// taken in many ways.
    pub(super) fn is_private(&self, lvalue: &Lvalue) -> bool {
        let Some(id) = lvalue.as_var() else { return false };
        let variable = self.program.variable(id);
        let taken = self.is_address_taken(variable);
        let whole = variable.ty.is_scalar() || variable.origin.is_temporary();
        variable.storage != Storage::Global && !taken && whole
    }

    /// `&object`
    pub(super) fn address(&self, object: Lvalue, span: Span) -> Lowered<Expr> {
        if self.bit_width(&object).is_some() {
            return self.wrong(span, "a bit-field has no address");
        }
        let ty = object.ty.clone().pointer_to();
        match object {
            Lvalue { base: Base::Deref(pointer), path, .. } if path.is_empty() => Ok(*pointer),
            object => {
                let at = object.location;
                Ok(Expr::new(ExprKind::AddressOf(object), ty, at))
            }
        }
    }

    /// `pointer ± index` for any pointee: gcc counts `void` and functions in bytes.
    pub(super) fn offset(&self, pointer: Expr, index: Expr, op: BinaryOp, span: Span) -> Lowered<Expr> {
        let ty = pointer.ty.clone();
        let pointee = ty.pointee().cloned().unwrap_or(Type::Void);
        let mut index = self.convert(index, &self.difference_type(), span)?;
        if op == BinaryOp::Sub {
            let at = index.location;
            index = self.unary(crate::program::UnaryOp::Negate, index, self.difference_type(), at);
        }
        if matches!(pointee, Type::Void | Type::Function) {
            let bytes = self.convert(pointer, &Type::Int(self.plain_char()).pointer_to(), span)?;
            let sum = self.pointer_add(bytes, index, span)?;
            return self.convert(sum, &ty, span);
        }
        let pointer = self.object_pointer(pointer, span)?;
        self.pointer_add(pointer, index, span)
    }
}

/// Whether the name is one by which a function can read its own name.
fn is_function_name(name: &str) -> bool {
    matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}

fn is_const(specifier: &Node<SpecifierQualifier>) -> bool {
    matches!(&specifier.node, SpecifierQualifier::TypeQualifier(q) if q.node == TypeQualifier::Const)
}
