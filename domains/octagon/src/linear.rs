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

/// Two literals whose sum is known better than they are.
struct Pair {
    i: usize,
    j: usize,
    /// The bound of their sum.
    bound: i128,
    /// What it gains for each one of both.
    gain: i128,
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
            let pairs = self.better_pairs(&rest);
            while let Some(pair) = best_of(&pairs, &rest) {
                let factor = rest[pair.i].factor.min(rest[pair.j].factor);
                total = total.checked_add(factor.checked_mul(pair.bound)?)?;
                rest[pair.i].factor -= factor;
                rest[pair.j].factor -= factor;
            }
            rest.retain(|m| m.factor > 0);
        }
        for m in rest {
            let bound = Some(self.upper(m.literal)).filter(|b| *b != INFINITY)?;
            total = total.checked_add(m.factor.checked_mul(bound.into())?)?;
        }
        Some(total)
    }

    /// The pairs of these whose sum has a bound that is better than the sum of their bounds.
    fn better_pairs(&self, all: &[Multiple]) -> Vec<Pair> {
        // No bound counts as a huge one, so that such literals find partners first.
        let apart: Vec<i128> = all.iter().map(|m| i128::from(self.upper(m.literal))).collect();
        let mut pairs = Vec::new();
        for j in 1..all.len() {
            for i in 0..j {
                let bound = self.upper_of_sum(all[i].literal, all[j].literal);
                let gain = apart[i] + apart[j] - i128::from(bound);
                if bound != INFINITY && gain > 0 {
                    pairs.push(Pair { i, j, bound: bound.into(), gain });
                }
            }
        }
        pairs
    }
}

/// The pair that gains most for what is left of its literals, the first of several.
fn best_of<'a>(pairs: &'a [Pair], all: &[Multiple]) -> Option<&'a Pair> {
    let mut best: Option<(i128, &Pair)> = None;
    for pair in pairs {
        let gain = pair.gain.saturating_mul(all[pair.i].factor.min(all[pair.j].factor));
        if gain > 0 && best.is_none_or(|b| gain > b.0) {
            best = Some((gain, pair));
        }
    }
    best.map(|b| b.1)
}
