//! Quotients by constants, and sums with them: `l + (r - l) / 2` lies between `l` and `r`.
//!
//! A quotient `q = x / c` with `x >= 0` and a constant `c >= 1` is a temporary with `c * q <= x <=
//! c * q + c - 1`. Few domains keep such a fact if `x` has two variables. But for `e = s + q` and a
//! variable `v`, the difference `e - v` is bounded by a sum without `q`: `c * (e - v)` is at most
//! `c * (s - v) + x`, and at least that minus `c - 1`. What the state says of this sum gives bounds
//! of a difference, which octagons keep.

use super::Evaluator;
use smalti_core::{Constraint, LinearExpr, Memory, Var};
use std::collections::BTreeSet;

/// That a temporary is the quotient of a sum, which is not negative, by a constant.
pub(super) struct Quotient {
    value: Var,
    of: LinearExpr,
    by: i128,
}

impl<M: Memory> Evaluator<'_, M> {
    /// Learns that `value` is `x / by`, where `x >= 0` and `by >= 1`.
    pub(super) fn learn_quotient(&mut self, value: &LinearExpr, x: &LinearExpr, by: i128) {
        let Some(scaled) = value.scale(by) else { return };
        let facts = [Constraint::le(&scaled, x), scaled.add_constant(by - 1).and_then(|e| Constraint::le(x, &e))];
        for fact in facts.into_iter().flatten() {
            self.state.memory.assume(&fact);
        }
        let Some(v) = value.as_var() else { return };
        let quotient = Quotient { value: v, of: x.clone(), by };
        self.compare_with_variables(value, value, &quotient);
        self.quotients.push(quotient);
    }

    /// A sum, or a temporary that is equal to it, if a quotient and other variables are in it: of
    /// the temporary more is known.
    pub(super) fn with_quotient(&mut self, e: LinearExpr) -> LinearExpr {
        let is_in = |q: &Quotient| e.terms().len() > 1 && e.coefficient(q.value).abs() == 1;
        let Some(n) = self.quotients.iter().position(is_in) else { return e };
        let quotient = self.quotients.swap_remove(n);
        let sum = self.any(self.bounds(&e));
        if let Some(equal) = Constraint::eq(&sum, &e) {
            self.state.memory.assume(&equal);
        }
        self.compare_with_variables(&sum, &e, &quotient);
        self.quotients.push(quotient);
        sum
    }

    /// Learns bounds of `sum - v`, for each variable `v` in question, where `sum` is equal to `e`,
    /// in which the quotient occurs once.
    fn compare_with_variables(&mut self, sum: &LinearExpr, e: &LinearExpr, quotient: &Quotient) {
        let Quotient { value, of, by } = quotient;
        let sign = e.coefficient(*value);
        let vars: BTreeSet<Var> = of.vars().chain(e.vars()).filter(|v| v != value).collect();
        for v in vars {
            let v = LinearExpr::var(v);
            // by * (e - v) without the quotient, and with what it is a quotient of.
            let rest = LinearExpr::var(*value).scale(sign).and_then(|q| e.sub(&q)).and_then(|rest| rest.sub(&v));
            let whole = rest.and_then(|rest| rest.scale(*by)).zip(of.scale(sign)).and_then(|(a, b)| a.add(&b));
            let Some(whole) = whole else { continue };
            let bounds = self.bounds(&whole);
            // A quotient takes away up to `by - 1`, or adds that if it is subtracted.
            let (below, above) = if sign > 0 { (by - 1, 0) } else { (0, by - 1) };
            let low = bounds.lo().and_then(|l| l.checked_sub(below)?.checked_neg()).map(|l| -l.div_euclid(*by));
            let high = bounds.hi().and_then(|h| h.checked_add(above)).map(|h| h.div_euclid(*by));
            let at_least = low.and_then(|low| v.add_constant(low)).and_then(|low| Constraint::ge(sum, &low));
            let at_most = high.and_then(|high| v.add_constant(high)).and_then(|high| Constraint::le(sum, &high));
            for fact in [at_least, at_most].into_iter().flatten() {
                self.state.memory.assume(&fact);
            }
        }
    }
}
