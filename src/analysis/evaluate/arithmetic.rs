//! Arithmetic of integers: results that fit, wrap or are undefined, and facts about results that
//! are not linear.

use super::super::integers;
use super::Evaluator;
use crate::program::{BinaryOp, Expr, IntKind};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Memory};

impl<M: Memory> Evaluator<'_, M> {
    /// The value `e` of an operation whose result has type `kind`: unsigned results wrap, signed
    /// ones are undefined behaviour outside the range.
    pub(super) fn result(&mut self, e: Option<LinearExpr>, kind: IntKind) -> LinearExpr {
        let range = self.range_of(kind);
        let Some(e) = e else { return self.any(range) };
        if self.bounds(&e).is_subset(range) {
            return e;
        }
        if kind.is_signed() {
            let above = self.require(range.lo().and_then(|b| Constraint::ge(&e, &LinearExpr::constant(b))));
            let below = self.require(range.hi().and_then(|b| Constraint::le(&e, &LinearExpr::constant(b))));
            return if above && below { e } else { self.any(range) };
        }
        self.wrapped(e, range)
    }

    /// The value of `range`, whose size is a power of two, that is congruent to `e`.
    pub(in crate::analysis) fn wrapped(&mut self, e: LinearExpr, range: Interval) -> LinearExpr {
        let bounds = self.bounds(&e);
        if bounds.is_subset(range) {
            return e;
        }
        match integers::wrap_shift(bounds, range).and_then(|shift| e.add_constant(shift)) {
            Some(shifted) => shifted,
            None => self.any(range),
        }
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, kind: IntKind) -> LinearExpr {
        let (x, y) = (self.int(a), self.int(b));
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let sum = if op == BinaryOp::Add { x.add(&y) } else { x.sub(&y) };
                let sum = sum.map(|sum| self.with_quotient(sum));
                self.result(sum, kind)
            }
            BinaryOp::Mul => {
                let product = self.product(&x, &y);
                self.result(Some(product), kind)
            }
            BinaryOp::Div => self.quotient(&x, &y, kind),
            BinaryOp::Rem => self.remainder(&x, &y, kind),
            _ => {
                let (p, q) = (self.bounds(&x), self.bounds(&y));
                if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
                    let width = i128::from(kind.width(self.model.program.data_model));
                    self.require(Some(Constraint::non_negative(y.clone())));
                    self.require(Constraint::lt(&y, &LinearExpr::constant(width)));
                    if op == BinaryOp::ShiftLeft {
                        let left = integers::shift_left(p, q);
                        if let (Some(c), Some(left)) = (q.as_constant().filter(|c| (0..64).contains(c)), left) {
                            if kind.is_signed() {
                                self.require(Some(Constraint::non_negative(x.clone())));
                                return self.result(x.scale(1 << c), kind);
                            }
                            let exact = x.scale(1 << c).filter(|_| left.is_subset(self.range_of(kind)));
                            if let Some(exact) = exact {
                                return exact;
                            }
                        }
                        if kind.is_signed() {
                            self.require(Some(Constraint::non_negative(x.clone())));
                            let fits = left.is_some_and(|left| left.is_subset(self.range_of(kind)));
                            self.restricted |= !fits && !self.state.is_bottom();
                        }
                    }
                }
                let range = integers::bitwise(op, p, q, self.range_of(kind));
                let t = self.any(range);
                if op == BinaryOp::ShiftRight
                    && p.lo().is_some_and(|l| l >= 0)
                    && let Some(c) = q.as_constant().filter(|c| (0..64).contains(c))
                {
                    self.learn_quotient(&t, &x, 1 << c);
                }
                if op == BinaryOp::BitAnd {
                    // With a non-negative operand the result is between 0 and it.
                    for side in [(&x, p), (&y, q)] {
                        if side.1.lo().is_some_and(|l| l >= 0)
                            && let Some(c) = Constraint::le(&t, side.0)
                        {
                            self.state.memory.assume(&c);
                        }
                    }
                }
                t
            }
        }
    }

    pub(in crate::analysis) fn product(&mut self, x: &LinearExpr, y: &LinearExpr) -> LinearExpr {
        let (p, q) = (self.bounds(x), self.bounds(y));
        // If both values are known, the expression of the variable stays and the number becomes the
        // factor: `24 * i` is still true when `i` is no longer 1.
        let linear = match (p.as_constant(), q.as_constant()) {
            (Some(c), None) => y.scale(c),
            (Some(c), Some(_)) if x.as_constant().is_some() => y.scale(c),
            (_, Some(c)) => x.scale(c),
            (None, None) => None,
        };
        match linear {
            Some(e) => e,
            None => {
                let mut range = p.mul(q);
                if x == y {
                    range = range.meet(Interval::new(Some(0), None).unwrap_or(Interval::TOP)).unwrap_or(range);
                }
                let t = self.any(range);
                // x * y >= x where x >= 0 and y >= 1, and the other way round.
                for (a, b, i, j) in [(x, y, p, q), (y, x, q, p)] {
                    let _ = b;
                    if i.lo().is_some_and(|l| l >= 0)
                        && j.lo().is_some_and(|l| l >= 1)
                        && let Some(c) = Constraint::ge(&t, a)
                    {
                        self.state.memory.assume(&c);
                    }
                }
                t
            }
        }
    }

    /// C's division: towards zero. Dividing by 0, and the least value by -1, is undefined
    /// behaviour.
    fn quotient(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) -> LinearExpr {
        self.require(Constraint::ne(y, &LinearExpr::constant(0)));
        self.require_quotient(x, y, kind);
        let (p, q) = (self.bounds(x), self.bounds(y));
        if q.as_constant() == Some(1) {
            return x.clone();
        }
        let range = integers::quotient(p, q).meet(self.range_of(kind)).unwrap_or(self.range_of(kind));
        let t = self.any(range);
        let non_negative = p.lo().is_some_and(|l| l >= 0);
        if let Some(c) = q.as_constant().filter(|c| *c > 0)
            && non_negative
        {
            self.learn_quotient(&t, x, c);
        }
        if non_negative
            && q.lo().is_some_and(|l| l >= 1)
            && let Some(c) = Constraint::le(&t, x)
        {
            self.state.memory.assume(&c);
        }
        t
    }

    /// Requires a defined division: the least value of a signed type divided by -1 has no quotient
    /// and no remainder.
    fn require_quotient(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) {
        let (p, q) = (self.bounds(x), self.bounds(y));
        let least = self.range_of(kind).lo().unwrap_or(0);
        if !kind.is_signed() || !q.contains(-1) || !p.contains(least) || self.state.is_bottom() {
            return;
        }
        if q.as_constant() == Some(-1) {
            self.require(Constraint::gt(x, &LinearExpr::constant(least)));
        } else if p.as_constant() == Some(least) {
            self.require(Constraint::ne(y, &LinearExpr::constant(-1)));
        } else {
            self.restricted = true;
        }
    }

    /// C's remainder: `|r| < |y|`, with the sign of `x`.
    fn remainder(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) -> LinearExpr {
        self.require(Constraint::ne(y, &LinearExpr::constant(0)));
        self.require_quotient(x, y, kind);
        let (p, q) = (self.bounds(x), self.bounds(y));
        let non_negative = p.lo().is_some_and(|l| l >= 0);
        // Nothing to reduce: 0 <= x < y.
        if non_negative && Constraint::lt(x, y).is_some_and(|c| self.state.memory.entails(&c)) {
            return x.clone();
        }
        let range = integers::remainder(p, q).meet(self.range_of(kind)).unwrap_or(self.range_of(kind));
        let t = self.any(range);
        if non_negative && let Some(c) = Constraint::le(&t, x) {
            self.state.memory.assume(&c);
        }
        if q.lo().is_some_and(|l| l >= 1)
            && let Some(c) = Constraint::lt(&t, y)
        {
            self.state.memory.assume(&c);
        }
        t
    }
}
