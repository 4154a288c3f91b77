//! Conversions, and operations on values that are already lowered. Constants are folded if the
//! operation is certainly defined.

use super::context::{Lowered, Lowerer};
use crate::program::{Base, BinaryOp, Expr, ExprKind, FloatKind, IntKind, Location, Lvalue, Step, Type, UnaryOp};
use lang_c::span::Span;

impl Lowerer<'_> {
    /// The value converted to a type, as by assignment or a cast.
    pub(super) fn convert(&self, value: Expr, to: &Type, span: Span) -> Lowered<Expr> {
        if value.ty == *to {
            return Ok(value);
        }
        let at = value.location;
        match (&value.ty, to) {
            (_, Type::Void) => Ok(Expr { ty: Type::Void, ..value }),
            (Type::Void, _) => self.wrong(span, "this has no value"),
            (_, Type::Int(IntKind::Bool)) if !matches!(value.ty, Type::Struct(_) | Type::Int(_)) => {
                let truth = self.truth(value, span)?;
                Ok(truth.cast(to.clone()))
            }
            (Type::Int(from), Type::Int(kind)) => {
                if let Some(n) = value.as_int() {
                    return Ok(Expr::int(kind.wrap(n, self.model()), *kind, at));
                }
                // Widening before another conversion changes nothing.
                if let ExprKind::Cast(inner) = &value.kind
                    && let Type::Int(first) = inner.ty
                    && self.contains(*from, first)
                {
                    return self.convert((**inner).clone(), to, span);
                }
                Ok(value.cast(to.clone()))
            }
            (Type::Int(_), Type::Pointer(_)) if value.as_int() == Some(0) => {
                Ok(Expr::new(ExprKind::Int(0), to.clone(), at))
            }
            (Type::Pointer(_), Type::Pointer(_)) if value.as_int() == Some(0) => {
                Ok(Expr::new(ExprKind::Int(0), to.clone(), at))
            }
            (Type::Pointer(_), Type::Pointer(_)) => {
                if let ExprKind::Cast(inner) = &value.kind
                    && matches!(inner.ty, Type::Pointer(_))
                {
                    return self.convert((**inner).clone(), to, span);
                }
                Ok(value.cast(to.clone()))
            }
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_))
            | (Type::Int(_), Type::Pointer(_))
            | (Type::Pointer(_), Type::Int(_)) => Ok(value.cast(to.clone())),
            (from, to) => {
                let (from, to) = (self.type_name(from), self.type_name(to));
                self.wrong(span, format!("`{from}` does not convert to `{to}`"))
            }
        }
    }

    /// Whether every value of `small` is one of `large`.
    fn contains(&self, large: IntKind, small: IntKind) -> bool {
        let m = self.model();
        large.min(m) <= small.min(m) && small.max(m) <= large.max(m)
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(&self, kind: IntKind) -> IntKind {
        if kind < IntKind::Int { IntKind::Int } else { kind }
    }

    /// The value after the integer promotions.
    pub(super) fn promote(&self, value: Expr, span: Span) -> Lowered<Expr> {
        match value.ty {
            Type::Int(kind) => self.convert(value, &Type::Int(self.promoted(kind)), span),
            _ => Ok(value),
        }
    }

    /// The value after the default argument promotions.
    pub(super) fn promote_argument(&self, value: Expr, span: Span) -> Lowered<Expr> {
        match value.ty {
            Type::Float(FloatKind::Float) => self.convert(value, &Type::Float(FloatKind::Double), span),
            _ => self.promote(value, span),
        }
    }

    /// The common type of the usual arithmetic conversions; `None` if one is not arithmetic.
    pub(super) fn common_type(&self, a: &Type, b: &Type) -> Option<Type> {
        match (a, b) {
            (Type::Float(a), Type::Float(b)) => Some(Type::Float(*a.max(b))),
            (Type::Float(f), Type::Int(_)) | (Type::Int(_), Type::Float(f)) => Some(Type::Float(*f)),
            (Type::Int(a), Type::Int(b)) => {
                let (a, b) = (self.promoted(*a), self.promoted(*b));
                // The kinds are ordered by rank, signed before unsigned.
                let (low, high) = if a <= b { (a, b) } else { (b, a) };
                if low.is_signed() == high.is_signed() || !high.is_signed() {
                    return Some(Type::Int(high));
                }
                // `high` is signed, `low` is unsigned and of lesser rank.
                Some(Type::Int(if self.contains(high, low) { high } else { unsigned(high) }))
            }
            _ => None,
        }
    }

    /// Whether the value is not 0, as an `int`-typed or integer condition.
    pub(super) fn truth(&self, value: Expr, span: Span) -> Lowered<Expr> {
        let at = value.location;
        match value.ty.clone() {
            Type::Int(_) => Ok(value),
            Type::Pointer(_) => {
                if matches!(value.kind, ExprKind::FunctionAddress(_)) {
                    return Ok(Expr::int(1, IntKind::Int, at));
                }
                let null = Expr::new(ExprKind::Int(0), value.ty.clone(), at);
                Ok(Expr::binary(BinaryOp::NotEqual, value, null, Type::INT))
            }
            Type::Float(_) => {
                let zero = Expr::new(ExprKind::Float("0.0".into()), value.ty.clone(), at);
                Ok(Expr::binary(BinaryOp::NotEqual, value, zero, Type::INT))
            }
            ty => {
                let name = self.type_name(&ty);
                self.wrong(span, format!("a condition has to be a number or a pointer, not `{name}`"))
            }
        }
    }

    /// `a op b` on two integers or floats that have the same type (shifts aside), folded if both
    /// are constants and the operation is defined.
    pub(super) fn arithmetic(&self, op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
        if let (Some(x), Some(y), Some(operands), Some(kind)) = (a.as_int(), b.as_int(), a.ty.as_int(), ty.as_int())
            && let Some(value) = op.of_constants(x, y, operands, kind, self.model())
        {
            return Expr::int(value, kind, a.location);
        }
        Expr::binary(op, a, b, ty)
    }

    /// `-a`, `~a` or `!a`, folded if it can be.
    pub(super) fn unary(&self, op: UnaryOp, a: Expr, ty: Type, at: Location) -> Expr {
        let kind = ty.as_int();
        if let (Some(x), Some(kind)) = (a.as_int().filter(|_| matches!(a.ty, Type::Int(_))), kind) {
            let exact = match op {
                UnaryOp::Negate => -x,
                UnaryOp::BitNot => !x,
                UnaryOp::Not => i128::from(x == 0),
            };
            let wrapped = kind.wrap(exact, self.model());
            if wrapped == exact || !kind.is_signed() {
                return Expr::int(wrapped, kind, at);
            }
        }
        Expr::new(ExprKind::Unary(op, Box::new(a)), ty, at)
    }

    /// `pointer + index`
    pub(super) fn pointer_add(&self, pointer: Expr, index: Expr, span: Span) -> Lowered<Expr> {
        let index = self.convert(index, &self.difference_type(), span)?;
        if index.as_int() == Some(0) {
            return Ok(pointer);
        }
        let ty = pointer.ty.clone();
        Ok(Expr::binary(BinaryOp::PointerAdd, pointer, index, ty))
    }

    /// `*pointer`; `*&x` is `x`. A sum moves in the whole object, from a row or a member to the
    /// next.
    pub(super) fn dereference(&self, pointer: Expr, at: Location) -> Lvalue {
        pointed_to(pointer, at, |first| matches!(first.base, Base::Var(_)) && first.path.len() == 1)
    }

    /// `array[index]`, of the sum of the address of the array's first element and the index: a part
    /// of that row or member.
    pub(super) fn element_at(&self, sum: Expr, at: Location) -> Lvalue {
        pointed_to(sum, at, |_| true)
    }

    /// The value of an object: arrays become pointers to their first element, bit-fields are
    /// promoted.
    pub(super) fn load(&self, lvalue: Lvalue, span: Span) -> Lowered<Expr> {
        let at = lvalue.location;
        match lvalue.ty.clone() {
            Type::Array(element, _) => {
                let zero = Expr::int(0, self.model().difference_type(), at);
                let pointer = element.clone().pointer_to();
                let mut first = lvalue;
                first.path.push(Step::Index(zero));
                first.ty = *element;
                Ok(Expr::new(ExprKind::AddressOf(first), pointer, at))
            }
            Type::Void => self.wrong(span, "this has no value: its type is `void`"),
            Type::Struct(id) if !self.structs[id.0 as usize].complete => {
                self.wrong(span, format!("`{}` is incomplete", self.type_name(&lvalue.ty)))
            }
            _ => {
                let value = Expr::load(lvalue.clone());
                self.promote_bits(&lvalue, value, span)
            }
        }
    }

    /// The value of an lvalue that may be a bit-field: one narrower than an int becomes an int.
    pub(super) fn promote_bits(&self, lvalue: &Lvalue, value: Expr, span: Span) -> Lowered<Expr> {
        match (self.bit_width(lvalue), value.ty.as_int()) {
            (Some(width), Some(kind)) => {
                let fits = u32::from(width) < 32 + u32::from(kind.is_signed());
                let to = if fits { IntKind::Int } else { self.promoted(kind) };
                self.convert(value, &Type::Int(to), span)
            }
            _ => Ok(value),
        }
    }

    /// The width of the bit-field that an lvalue denotes.
    pub(super) fn bit_width(&self, lvalue: &Lvalue) -> Option<u8> {
        match lvalue.path.last() {
            Some(Step::Field(id, n)) => self.program.structure(*id).members.get(*n as usize)?.bits,
            _ => None,
        }
    }

    /// A value of the member's type cut to the width of a bit-field, as storing into it does.
    pub(super) fn cut_to_bits(&self, value: Expr, width: u8) -> Expr {
        let Some(kind) = value.ty.as_int() else { return value };
        if u32::from(width) >= kind.width(self.model()) || kind == IntKind::Bool {
            return value;
        }
        let modulus = 1i128 << width;
        let ty = value.ty.clone();
        let at = value.location;
        let int = |n: i128| Expr::int(n, kind, at);
        if kind.is_signed() {
            // Sign extension by `((v & mask) ^ sign) - sign`: nothing overflows.
            if let Some(v) = value.as_int() {
                let low = v.rem_euclid(modulus);
                return int(if low >= modulus / 2 { low - modulus } else { low });
            }
            let sign = modulus / 2;
            let low = self.arithmetic(BinaryOp::BitAnd, value, int(modulus - 1), ty.clone());
            let flipped = self.arithmetic(BinaryOp::BitXor, low, int(sign), ty.clone());
            self.arithmetic(BinaryOp::Sub, flipped, int(sign), ty)
        } else {
            self.arithmetic(BinaryOp::BitAnd, value, int(modulus - 1), ty)
        }
    }
}

/// The unsigned type of that rank.
pub(super) fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar => IntKind::UChar,
        IntKind::Short => IntKind::UShort,
        IntKind::Int => IntKind::UInt,
        IntKind::Long => IntKind::ULong,
        IntKind::LongLong => IntKind::ULongLong,
        other => other,
    }
}

/// The object at a pointer. If `is_index` holds for the first element of an array, the number added
/// to its address is an index into that array.
fn pointed_to(pointer: Expr, at: Location, is_index: impl Fn(&Lvalue) -> bool) -> Lvalue {
    let ty = pointer.ty.pointee().cloned().unwrap_or(Type::Void);
    let kind = match pointer.kind {
        ExprKind::AddressOf(lvalue) if lvalue.ty == ty => return Lvalue { location: at, ..lvalue },
        ExprKind::Binary(BinaryOp::PointerAdd, base, index) => match *base {
            Expr { kind: ExprKind::AddressOf(mut first), .. }
                if first.ty == ty && is_element_zero(&first) && is_index(&first) =>
            {
                first.path.pop();
                first.path.push(Step::Index(*index));
                return Lvalue { location: at, ..first };
            }
            base => ExprKind::Binary(BinaryOp::PointerAdd, Box::new(base), index),
        },
        kind => kind,
    };
    let pointer = Expr { kind, ty: pointer.ty, location: pointer.location };
    Lvalue { base: Base::Deref(Box::new(pointer)), path: Vec::new(), ty, location: at }
}

fn is_element_zero(lvalue: &Lvalue) -> bool {
    matches!(lvalue.path.last(), Some(Step::Index(index)) if index.as_int() == Some(0))
}
