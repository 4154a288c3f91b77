//! Values of expressions as terms.
//!
//! **Meaning.** On a run without undefined behaviour, signed arithmetic is that of mathematics, and
//! everything that wraps around is under `wrap`. Pointers are addresses with offsets (see
//! [`super::memory`]). Floating values have no terms: they are unknowns, a new one wherever they
//! are made.

use super::Executor;
use super::state::State;
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, Type, UnaryOp};
use smalti_terms::{BitOp, Term, WrapType};

impl Executor<'_> {
    /// The type of machine integers of a kind.
    pub(super) fn wrap_type(&self, kind: IntKind) -> WrapType {
        WrapType { signed: kind.is_signed(), bits: kind.width(self.program.data_model) }
    }

    /// The value of an expression. Conditions are 0 or 1.
    pub(super) fn value(&mut self, e: &Expr, state: &State) -> Term {
        match &e.kind {
            ExprKind::Int(n) => self.c.int(*n),
            ExprKind::Load(l) => self.load(l, state),
            ExprKind::AddressOf(l) => self.address_of(l, state),
            ExprKind::Float(_) | ExprKind::FunctionAddress(_) => self.unknown_of(&e.ty, "&"),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => {
                let truth = self.truth(e, state);
                self.c.indicator(truth)
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, &e.ty, state),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e, state),
            ExprKind::Cast(a) => self.cast(a, &e.ty, state),
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.truth(condition, state);
                let (a, b) = (self.value(a, state), self.value(b, state));
                self.c.ite(condition, a, b)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, ty: &Type, state: &State) -> Term {
        let Some(kind) = ty.as_int() else { return self.unknown_of(ty, "-") };
        let x = self.value(a, state);
        let exact = match op {
            UnaryOp::Negate => self.c.neg(x),
            UnaryOp::BitNot => self.c.sub(self.c.int(-1), x),
            UnaryOp::Not => return self.unknown_of(ty, "!"),
        };
        self.of_kind(kind, exact)
    }

    /// The result of arithmetic of a type: exact if it is signed, since everything else is
    /// undefined; else what is left of it.
    fn of_kind(&mut self, kind: IntKind, exact: Term) -> Term {
        if kind.is_signed() { exact } else { self.c.wrap(self.wrap_type(kind), exact) }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr, state: &State) -> Term {
        use BinaryOp as B;
        if matches!(op, B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual) {
            let truth = self.truth(whole, state);
            return self.c.indicator(truth);
        }
        match op {
            B::PointerAdd => return self.moved(a, b, state),
            B::PointerDiff => {
                let distance = self.distance(a, b, state);
                return distance.unwrap_or_else(|| self.unknown_of(&whole.ty, "-"));
            }
            _ => {}
        }
        let Some(kind) = whole.ty.as_int().filter(|_| a.ty.as_int().is_some() && b.ty.as_int().is_some()) else {
            return self.unknown_of(&whole.ty, "+");
        };
        let (x, y) = (self.value(a, state), self.value(b, state));
        let c = &self.c;
        let exact = match op {
            B::Add => c.add(x, y),
            B::Sub => c.sub(x, y),
            B::Mul => c.mul(x, y),
            B::Div => c.truncated_div(x, y),
            B::Rem => c.truncated_rem(x, y),
            B::BitAnd => c.bits(BitOp::And, &[x, y]),
            B::BitOr => c.bits(BitOp::Or, &[x, y]),
            B::BitXor => c.bits(BitOp::Xor, &[x, y]),
            // The number of places is from 0 to less than the width, else the run ends here.
            B::ShiftLeft => c.mul(x, c.power(2, y)),
            B::ShiftRight => c.div(x, c.power(2, y)),
            _ => return self.unknown_of(&whole.ty, "+"),
        };
        self.of_kind(kind, exact)
    }

    fn cast(&mut self, a: &Expr, ty: &Type, state: &State) -> Term {
        // A pointer of another type points to the same place. The null pointer is 0.
        if let (Type::Pointer(_), Type::Pointer(_)) = (ty, &a.ty) {
            return self.value(a, state);
        }
        if let (Type::Pointer(_), Some(0)) = (ty, a.as_int()) {
            return self.c.int(0);
        }
        let Some(to) = ty.as_int() else { return self.unknown_of(ty, "cast") };
        if to == IntKind::Bool {
            let truth = self.truth(a, state);
            return self.c.indicator(truth);
        }
        let Some(from) = a.ty.as_int() else { return self.unknown_of(ty, "cast") };
        let x = self.value(a, state);
        // The value is one of its type, since the run has no undefined behaviour.
        if to.holds(from, self.program.data_model) {
            return x;
        }
        self.c.wrap(self.wrap_type(to), x)
    }

    /// Whether an expression is not 0.
    pub(super) fn truth(&mut self, e: &Expr, state: &State) -> Term {
        use BinaryOp as B;
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.truth(a, state);
                self.c.not(a)
            }
            ExprKind::And(a, b) => {
                let (a, b) = (self.truth(a, state), self.truth(b, state));
                self.c.and(&[a, b])
            }
            ExprKind::Or(a, b) => {
                let (a, b) = (self.truth(a, state), self.truth(b, state));
                self.c.or(&[a, b])
            }
            ExprKind::Binary(op, a, b) if a.ty.as_int().is_some() && b.ty.as_int().is_some() => {
                let compare = match op {
                    B::Less => smalti_terms::Context::lt,
                    B::LessEqual => smalti_terms::Context::le,
                    B::Greater => smalti_terms::Context::gt,
                    B::GreaterEqual => smalti_terms::Context::ge,
                    B::Equal => smalti_terms::Context::eq,
                    B::NotEqual => smalti_terms::Context::ne,
                    _ => return self.is_not_zero(e, state),
                };
                let (x, y) = (self.value(a, state), self.value(b, state));
                compare(&self.c, x, y)
            }
            ExprKind::Binary(
                op @ (B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual),
                a,
                b,
            ) => {
                if let (Type::Pointer(_), Type::Pointer(_)) = (&a.ty, &b.ty) {
                    return self.compared(*op, a, b, state);
                }
                // Floating numbers.
                let unknown = self.unknown_of(&Type::Int(IntKind::Bool), "compare");
                self.c.ne(unknown, self.c.int(0))
            }
            ExprKind::Cast(a)
                if e.ty
                    .as_int()
                    .is_some_and(|to| a.ty.as_int().is_some_and(|from| to.holds(from, self.program.data_model))) =>
            {
                self.truth(a, state)
            }
            _ => self.is_not_zero(e, state),
        }
    }

    fn is_not_zero(&mut self, e: &Expr, state: &State) -> Term {
        if let Type::Pointer(_) = e.ty {
            return self.is_pointer_set(e, state);
        }
        if e.ty.as_int().is_none() {
            let unknown = self.unknown_of(&Type::Int(IntKind::Bool), "truth");
            return self.c.ne(unknown, self.c.int(0));
        }
        let x = self.value(e, state);
        self.c.ne(x, self.c.int(0))
    }
}
