//! Conditions on which the program branches: the state keeps the runs in which they hold.

use super::super::layout::BlockId;
use super::super::pointers::Target;
use super::Evaluator;
use super::pointers::strip_casts;
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, Type, UnaryOp};
use smalti_core::{Constraint, Lattice, LinearExpr, Memory};

impl<M: Memory> Evaluator<'_, M> {
    /// The program tests a condition. If runs go on after undefined operations, a condition with
    /// such an operation in it may be true or false.
    pub(in crate::analysis) fn test(&mut self, e: &Expr, holds: bool) {
        if !self.goes_on() {
            return self.condition(e, holds);
        }
        let (before, restricted) = (self.state.clone(), std::mem::take(&mut self.restricted));
        self.condition(e, holds);
        if self.restricted {
            self.state = before;
        }
        self.restricted |= restricted;
    }

    /// Only the runs in which `e` is not 0 (`holds`) or is 0 remain.
    pub(in crate::analysis) fn condition(&mut self, e: &Expr, holds: bool) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.condition(a, !holds),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                // `a && b` fails like `!a || !b` holds.
                if matches!(e.kind, ExprKind::And(..)) == holds {
                    self.condition(a, holds);
                    self.condition(b, holds);
                } else {
                    let before = self.state.clone();
                    self.condition(a, holds);
                    let first = std::mem::replace(&mut self.state, before);
                    self.condition(a, !holds);
                    self.condition(b, holds);
                    self.state.join_with(&first);
                }
            }
            ExprKind::Conditional(c, a, b) => {
                let before = self.state.clone();
                self.condition(c, true);
                self.condition(a, holds);
                let first = std::mem::replace(&mut self.state, before);
                self.condition(c, false);
                self.condition(b, holds);
                self.state.join_with(&first);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b, holds),
            ExprKind::Cast(a) if self.keeps_zero(a, &e.ty) => self.condition(a, holds),
            _ if e.ty.as_int().is_some() => {
                let v = self.int(e);
                let zero = LinearExpr::constant(0);
                let c = if holds { Constraint::ne(&v, &zero) } else { Constraint::eq(&v, &zero) };
                self.learn(c);
            }
            _ if matches!(e.ty, Type::Pointer(_)) => self.null_test(e, !holds),
            _ => self.run(e),
        }
    }

    /// Whether only 0 converts to 0: the new type is at least as wide, or is `_Bool`.
    fn keeps_zero(&self, a: &Expr, to: &Type) -> bool {
        let model = self.model.program.data_model;
        match (&a.ty, to) {
            (_, Type::Int(IntKind::Bool)) => !matches!(a.ty, Type::Float(_)),
            (Type::Int(from), Type::Int(to)) => to.width(model) >= from.width(model),
            _ => false,
        }
    }

    /// Adds to the state a condition on which the program branches, and what it implies for the
    /// cells read in it.
    pub(in crate::analysis) fn learn(&mut self, c: Option<Constraint>) {
        if let Some(c) = c {
            self.state.memory.assume(&c);
        }
        for (cell, t) in std::mem::take(&mut self.reads) {
            if self.state.is_bottom() {
                break;
            }
            self.state.memory.assume_cell(&cell, &LinearExpr::var(t));
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) {
        let boolean = |e: &Expr| {
            matches!(&e.kind, ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..))
                || matches!(&e.kind, ExprKind::Binary(op, ..) if op.is_comparison())
        };
        // `(x < y) != 0`
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            for (a, b) in [(a, b), (b, a)] {
                let inner = a.without_integer_casts();
                if b.as_int() == Some(0) && b.ty.as_int().is_some() && boolean(inner) {
                    self.condition(inner, holds == (op == BinaryOp::NotEqual));
                    return;
                }
            }
        }
        if matches!(a.ty, Type::Pointer(_)) || matches!(b.ty, Type::Pointer(_)) {
            self.pointer_comparison(op, a, b, holds);
            return;
        }
        if a.ty.as_int().is_none() || b.ty.as_int().is_none() {
            self.run(a);
            self.run(b);
            return;
        }
        self.reads.clear();
        let (x, y) = (self.int(a), self.int(b));
        self.learn(relation(op, &x, &y, holds));
    }

    fn pointer_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) {
        let null = |e: &Expr| matches!(strip_casts(e).kind, ExprKind::Int(0));
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if equality && (null(a) || null(b)) {
            let other = if null(b) { a } else { b };
            if null(other) {
                // null == null
                if (op == BinaryOp::Equal) != holds {
                    self.state = self.model.bottom_like(&self.state);
                }
                return;
            }
            self.null_test(other, (op == BinaryOp::Equal) == holds);
            return;
        }
        let (p, q) = (self.pointer(a), self.pointer(b));
        // Two pointers to objects. A null pointer may be compared for equality; this gives no
        // information about offsets. Equal literals may be different objects.
        let literal = |t: &Target| match t.block {
            BlockId::Variable(v) => self.model.program.is_literal(v),
            BlockId::Heap(_) => false,
        };
        if equality && p.targets.set.iter().any(literal) {
            return;
        }
        if p.valid && q.valid && self.one_target(&p, &q, a) {
            self.learn(relation(op, &p.offset, &q.offset, holds));
        }
    }

    /// Keeps the runs in which the pointer is null (`is_null`) or not null.
    fn null_test(&mut self, e: &Expr, is_null: bool) {
        let p = self.pointer(e);
        if is_null {
            if p.valid {
                self.state = self.model.bottom_like(&self.state);
            }
        } else {
            self.mark_valid(e);
        }
    }
}

/// `x op y`, or its negation; `None` if it cannot be expressed.
pub(in crate::analysis) fn relation(op: BinaryOp, x: &LinearExpr, y: &LinearExpr, holds: bool) -> Option<Constraint> {
    let c = match op {
        BinaryOp::Less => Constraint::lt(x, y),
        BinaryOp::LessEqual => Constraint::le(x, y),
        BinaryOp::Greater => Constraint::gt(x, y),
        BinaryOp::GreaterEqual => Constraint::ge(x, y),
        BinaryOp::Equal => Constraint::eq(x, y),
        BinaryOp::NotEqual => Constraint::ne(x, y),
        _ => None,
    }?;
    if holds { Some(c) } else { c.negate() }
}
