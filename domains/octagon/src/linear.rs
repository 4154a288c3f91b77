//! What an octagon says of linear expressions.

use crate::kernel::INFINITY;
use crate::parts::{Literal, Parts};
use smalti_core::{Interval, LinearExpr};

/// Of longer expressions every variable is looked at by itself.
const MOST_TERMS: usize = 12;

/// A positive multiple of a literal.
#[derive(Clone, Copy)]
struct Multiple {
    literal: Literal,
    factor: i128,
}

impl Parts {
    /// An interval that holds every value of `e`: its literals are summed in pairs where the octagon knows more of a pair than of the
    /// two, the pair with the greatest gain first. Exact for octagonal expressions, where the octagon is closed. `None` if it is empty.
    pub(crate) fn range(&self, e: &LinearExpr) -> Option<Interval> {
        if let [(var, 1)] = *e.terms() {
            // The commonest question, without the detour.
            let end = |negated| Some(self.upper(Literal { var, negated })).filter(|b| *b != INFINITY).map(i128::from);
            let bounds = Interval::new(end(true).map(|b| -b), end(false))?;
            return Some(bounds.add(Interval::constant(e.constant_part())));
        }
        let high = self.greatest(e);
        let low = e.scale(-1).and_then(|e| self.greatest(&e)).and_then(i128::checked_neg);
        Interval::new(low, high)
    }

    /// An upper bound of `e`; `None` if there is none.
    pub(crate) fn greatest(&self, e: &LinearExpr) -> Option<i128> {
        let mut rest: Vec<Multiple> = Vec::with_capacity(e.terms().len());
        for &(var, c) in e.terms() {
            rest.push(Multiple { literal: Literal { var, negated: c < 0 }, factor: c.checked_abs()? });
        }
        let mut total = e.constant_part();
        if rest.len() <= MOST_TERMS {
            while let Some((i, j, bound)) = self.best_pair(&rest) {
                let factor = rest[i].factor.min(rest[j].factor);
                total = total.checked_add(factor.checked_mul(bound)?)?;
                rest[i].factor -= factor;
                rest[j].factor -= factor;
                rest.retain(|m| m.factor > 0);
            }
        }
        for m in rest {
            let bound = Some(self.upper(m.literal)).filter(|b| *b != INFINITY)?;
            total = total.checked_add(m.factor.checked_mul(bound.into())?)?;
        }
        Some(total)
    }

    /// The two of these whose sum has a bound that is better than the sum of their bounds, by the greatest amount.
    fn best_pair(&self, all: &[Multiple]) -> Option<(usize, usize, i128)> {
        let mut best: Option<(i128, (usize, usize, i128))> = None;
        for j in 1..all.len() {
            for i in 0..j {
                let bound = self.upper_of_sum(all[i].literal, all[j].literal);
                if bound == INFINITY {
                    continue;
                }
                let apart = |m: &Multiple| i128::from(self.upper(m.literal));
                // No bound counts as a huge one, so that such literals find partners first.
                let gain = apart(&all[i]) + apart(&all[j]) - i128::from(bound);
                let gain = gain.saturating_mul(all[i].factor.min(all[j].factor));
                if gain > 0 && best.is_none_or(|b| gain > b.0) {
                    best = Some((gain, (i, j, bound.into())));
                }
            }
        }
        best.map(|b| b.1)
    }
}
