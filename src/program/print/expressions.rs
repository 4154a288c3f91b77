//! Expressions and lvalues as C text, with as few parentheses as C allows.

use super::{Placement, Printer};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Lvalue, Origin, Program, Step, Type, UnaryOp, VarId};

/// Writes expressions: exactly, or for readers.
pub(super) struct Writer<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// Unique names and exact types; `None` writes for readers.
    pub(super) exact: Option<&'a Printer<'a>>,
}

const CONDITIONAL: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const UNARY: u8 = 13;
const POSTFIX: u8 = 14;
const PRIMARY: u8 = 15;

fn binary_level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::BitOr => 5,
        BinaryOp::BitXor => 6,
        BinaryOp::BitAnd => 7,
        BinaryOp::Equal | BinaryOp::NotEqual => 8,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 9,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 10,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::PointerAdd | BinaryOp::PointerDiff => 11,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 12,
    }
}

impl Writer<'_> {
    pub(super) fn expr(&self, e: &Expr) -> String {
        self.at(e, CONDITIONAL)
    }

    pub(super) fn operand(&self, e: &Expr) -> String {
        self.at(e, UNARY)
    }

    /// The text, in parentheses if its operator binds less tightly than `level`.
    pub(super) fn at(&self, e: &Expr, level: u8) -> String {
        let (text, own) = self.write(e);
        if own < level { format!("({text})") } else { text }
    }

    pub(super) fn lvalue(&self, lvalue: &Lvalue) -> String {
        self.object(lvalue, false).0
    }

    /// The expression that is shown: for readers, without conversions that change no value, and
    /// what the source reads where a signal may have arrived.
    fn seen<'e>(&self, mut e: &'e Expr) -> &'e Expr {
        while self.exact.is_none() {
            e = match &e.kind {
                ExprKind::Cast(inner)
                    if self.keeps_value(&inner.ty, &e.ty) || inner.as_int().is_some_and(|n| self.fits(n, &e.ty)) =>
                {
                    inner
                }
                ExprKind::Conditional(c, _, read) if self.is_choice(c) => read,
                _ => break,
            };
        }
        e
    }

    fn is_choice(&self, e: &Expr) -> bool {
        let ExprKind::Load(l) = &e.kind else { return false };
        l.as_var().is_some_and(|v| self.program.variable(v).origin == Origin::Choice)
    }

    fn fits(&self, n: i128, ty: &Type) -> bool {
        ty.as_int().is_some_and(|k| k.contains(n, self.program.data_model))
    }

    fn keeps_value(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (Type::Int(from), Type::Int(to)) => to.holds(*from, self.program.data_model),
            (Type::Pointer(_), Type::Pointer(_)) => self.exact.is_none(),
            _ => false,
        }
    }

    fn write(&self, e: &Expr) -> (String, u8) {
        let e = self.seen(e);
        let written = self.write_seen(e);
        match (&e.kind, &e.ty) {
            (ExprKind::Int(_) | ExprKind::Unary(..) | ExprKind::Binary(..), Type::Int(kind))
                if self.exact.is_some_and(|p| p.opaque) =>
            {
                (format!("(*(volatile {}[]){{{}}})", kind.c_name(), written.0), PRIMARY)
            }
            _ => written,
        }
    }

    fn write_seen(&self, e: &Expr) -> (String, u8) {
        match &e.kind {
            ExprKind::Int(n) => self.constant(*n, &e.ty),
            ExprKind::Float(text) => (text.clone(), PRIMARY),
            ExprKind::Load(lvalue) => self.object(lvalue, true),
            ExprKind::AddressOf(lvalue) => self.address_of(lvalue),
            ExprKind::FunctionAddress(f) => match self.exact {
                Some(p) => (format!("({}){}", self.type_name(&e.ty), p.function(*f)), UNARY),
                None => (self.program.function(*f).shown().into_owned(), PRIMARY),
            },
            ExprKind::Unary(op, a) => {
                let sign = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                };
                let operand = self.at(a, UNARY);
                // `--x` is another operator.
                let text = if sign == "-" && operand.starts_with('-') {
                    format!("-({operand})")
                } else {
                    format!("{sign}{operand}")
                };
                self.narrowed(e, (text, UNARY))
            }
            ExprKind::Binary(op, a, b) => {
                let level = binary_level(*op);
                let text = format!("{} {} {}", self.at(a, level), op.c_name(), self.at(b, level + 1));
                self.narrowed(e, (text, level))
            }
            ExprKind::Cast(a) => (format!("({}){}", self.type_name(&e.ty), self.at(a, UNARY)), UNARY),
            ExprKind::And(a, b) => (format!("{} && {}", self.at(a, AND), self.at(b, AND + 1)), AND),
            ExprKind::Or(a, b) => (format!("{} || {}", self.at(a, OR), self.at(b, OR + 1)), OR),
            ExprKind::Conditional(c, a, b) => {
                let text = format!("{} ? {} : {}", self.at(c, OR), self.expr(a), self.at(b, CONDITIONAL));
                self.narrowed(e, (text, CONDITIONAL))
            }
        }
    }

    /// Converts the result of an operation of a narrower type back: C computes in `int` at least.
    fn narrowed(&self, e: &Expr, (text, level): (String, u8)) -> (String, u8) {
        match e.ty {
            Type::Int(kind) if self.exact.is_some() && kind.width(self.program.data_model) < 32 => {
                (format!("({})({text})", kind.c_name()), UNARY)
            }
            _ => (text, level),
        }
    }

    fn constant(&self, n: i128, ty: &Type) -> (String, u8) {
        let &Type::Int(kind) = ty else {
            return if self.exact.is_some() {
                (format!("({}){n}", self.type_name(ty)), UNARY)
            } else if n == 0 {
                ("NULL".to_owned(), PRIMARY)
            } else {
                (n.to_string(), PRIMARY)
            };
        };
        if self.exact.is_none() {
            return (n.to_string(), if n < 0 { UNARY } else { PRIMARY });
        }
        let suffix = match kind {
            IntKind::UInt => "u",
            IntKind::Long => "l",
            IntKind::ULong => "ul",
            IntKind::LongLong => "ll",
            IntKind::ULongLong => "ull",
            _ => "",
        };
        if kind.width(self.program.data_model) < 32 {
            // No literal has such a type.
            return (format!("({}){n}", kind.c_name()), UNARY);
        }
        if n < 0 && n == kind.min(self.program.data_model) {
            // The positive number would not fit.
            (format!("({}{suffix} - 1)", n + 1), PRIMARY)
        } else {
            (format!("{n}{suffix}"), if n < 0 { UNARY } else { PRIMARY })
        }
    }

    fn type_name(&self, ty: &Type) -> String {
        match self.exact {
            Some(printer) => printer.type_name(ty),
            None => reader_type(self.program, ty),
        }
    }

    /// The name of a variable, as text that denotes its object (with `value`, at least its value).
    fn variable(&self, v: VarId, value: bool) -> (String, u8) {
        let Some(printer) = self.exact else {
            return (self.program.variable(v).name.clone(), PRIMARY);
        };
        let name = printer.variable(v);
        if printer.placement(v) != Placement::Erased {
            return (name.to_owned(), PRIMARY);
        }
        let ty = &self.program.variable(v).ty;
        if matches!(ty, Type::Array(..)) {
            (format!("(*({}){name})", printer.declarator(ty, "(*)")), PRIMARY)
        } else if value {
            (format!("(({}){name})", printer.type_name(ty)), PRIMARY)
        } else {
            (name.to_owned(), PRIMARY)
        }
    }

    /// What a pointer points to.
    fn target(&self, pointer: &Expr) -> (String, u8) {
        let pointer = self.seen(pointer);
        match &pointer.kind {
            ExprKind::Binary(BinaryOp::PointerAdd, p, i) => {
                let from = match &p.kind {
                    // The array's name alone would make it an index into that row or member.
                    ExprKind::AddressOf(first) if first.path.len() > 1 => format!("(&{})", self.object(first, false).0),
                    _ => self.at(p, POSTFIX),
                };
                (format!("{from}[{}]", self.index(i)), POSTFIX)
            }
            ExprKind::AddressOf(lvalue) => self.object(lvalue, false),
            _ => (format!("*{}", self.at(pointer, UNARY)), UNARY),
        }
    }

    /// An object; with `value`, its value.
    fn object(&self, lvalue: &Lvalue, value: bool) -> (String, u8) {
        let mut steps = lvalue.path.iter();
        let (mut text, mut level) = match &lvalue.base {
            Base::Var(v) => self.variable(*v, value || !lvalue.path.is_empty()),
            Base::Deref(pointer) => {
                let (text, level) = self.target(pointer);
                match (lvalue.path.first(), text.strip_prefix('*')) {
                    (Some(Step::Field(id, field)), Some(_)) if level == UNARY => {
                        steps.next();
                        let pointer = self.at(pointer, POSTFIX);
                        (format!("{pointer}->{}", self.member(*id, *field)), POSTFIX)
                    }
                    _ => (text, level),
                }
            }
        };
        for step in steps {
            if level < POSTFIX {
                text = format!("({text})");
            }
            level = POSTFIX;
            match step {
                Step::Field(id, field) => {
                    text.push('.');
                    text.push_str(&self.member(*id, *field));
                }
                Step::Index(i) => {
                    text.push('[');
                    text.push_str(&self.index(i));
                    text.push(']');
                }
            }
        }
        (text, level)
    }

    /// The name of a member.
    pub(super) fn member(&self, id: crate::program::StructId, field: u32) -> String {
        self.program.structure(id).members.get(field as usize).map_or(String::new(), |m| super::names::legal(&m.name))
    }

    /// Writes an index. Its conversion to the pointer-difference type is left out if that changes
    /// nothing in C.
    fn index(&self, mut i: &Expr) -> String {
        while let ExprKind::Cast(inner) = &i.kind
            && self.keeps_value(&inner.ty, &i.ty)
        {
            i = inner;
        }
        match (i.as_int(), &i.ty) {
            (Some(n), Type::Int(_)) if (0..1 << 31).contains(&n) => n.to_string(),
            _ => self.expr(i),
        }
    }

    fn address_of(&self, lvalue: &Lvalue) -> (String, u8) {
        match (&lvalue.base, lvalue.path.last()) {
            (_, Some(Step::Index(i))) if i.as_int() == Some(0) => {
                // An array decays by itself.
                let mut array = lvalue.clone();
                array.path.pop();
                self.object(&array, false)
            }
            (Base::Deref(pointer), None) if !matches!(self.seen(pointer).kind, ExprKind::Binary(..)) => {
                self.write(pointer)
            }
            (Base::Var(v), None)
                if self.exact.is_some_and(|p| p.placement(*v) == Placement::Erased)
                    && !matches!(lvalue.ty, Type::Array(..)) =>
            {
                let name = self.variable(*v, false).0;
                (format!("({})&{name}", self.type_name(&lvalue.ty.clone().pointer_to())), UNARY)
            }
            _ => {
                let (text, level) = self.object(lvalue, false);
                (if level < UNARY { format!("&({text})") } else { format!("&{text}") }, UNARY)
            }
        }
    }

    /// The address of an object, as an operand.
    pub(super) fn address(&self, lvalue: &Lvalue) -> String {
        let (text, level) = self.address_of(lvalue);
        if level < UNARY { format!("({text})") } else { text }
    }
}

/// A type name with source names.
fn reader_type(program: &Program, ty: &Type) -> String {
    match ty {
        Type::Void => "void".to_owned(),
        Type::Int(kind) => kind.c_name().to_owned(),
        Type::Float(kind) => super::types::float_name(*kind).to_owned(),
        Type::Pointer(to) => match **to {
            Type::Pointer(_) => format!("{}*", reader_type(program, to)),
            _ => format!("{} *", reader_type(program, to)),
        },
        Type::Array(element, _) => format!("{}[]", reader_type(program, element)),
        Type::Struct(id) => {
            let s = program.structure(*id);
            format!("{} {}", if s.is_union { "union" } else { "struct" }, s.name)
        }
        Type::Function => "void ()".to_owned(),
    }
}
