//! What an octagon says of linear expressions.

use crate::kernel::INFINITY;
use crate::part::Part;
use crate::parts::{Literal, Parts};
use smalti_core::{Interval, LinearExpr};

/// Of longer expressions every variable is looked at by itself.
const MOST_TERMS: usize = 12;

/// A positive multiple of a node.
#[derive(Clone, Copy)]
struct Multiple {
    node: usize,
    factor: i128,
}

/// Two nodes whose sum is known better than they are.
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
        // The commonest questions, without the detour: they are entries.
        let end = |bound: i64| Some(bound).filter(|b| *b != INFINITY).map(i128::from);
        let bounds = match *e.terms() {
            [(var, 1)] => {
                let upper = |negated| end(self.upper(Literal { var, negated }));
                Interval::new(upper(true).map(|b| -b), upper(false))?
            }
            [(v, a @ (1 | -1)), (w, b @ (1 | -1))] => {
                let (p, q) = (Literal { var: v, negated: a < 0 }, Literal { var: w, negated: b < 0 });
                let low = end(self.upper_of_sum(p.opposite(), q.opposite()));
                Interval::new(low.map(|b| -b), end(self.upper_of_sum(p, q)))?
            }
            _ => {
                let factors: Vec<i128> = e.terms().iter().map(|t| t.1).collect();
                let negated: Option<Vec<i128>> = factors.iter().map(|c| c.checked_neg()).collect();
                let known = self.gather(&e.vars().collect::<Vec<_>>());
                let low = negated.and_then(|negated| known.greatest(&negated)).and_then(i128::checked_neg);
                Interval::new(low, known.greatest(&factors))?
            }
        };
        Some(bounds.add(Interval::constant(e.constant_part())))
    }
}

impl Part {
    /// An upper bound of the sum of the variables, each times its factor; `None` if there is none.
    pub(crate) fn greatest(&self, factors: &[i128]) -> Option<i128> {
        let mut rest: Vec<Multiple> = Vec::with_capacity(factors.len());
        for (k, &c) in factors.iter().enumerate().filter(|(_, c)| **c != 0) {
            rest.push(Multiple { node: 2 * k + usize::from(c < 0), factor: c.checked_abs()? });
        }
        let mut total: i128 = 0;
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
            let bound = Some(self.half(m.node)).filter(|b| *b != INFINITY)?;
            total = total.checked_add(m.factor.checked_mul(bound.into())?)?;
        }
        Some(total)
    }

    /// The pairs of these whose sum has a bound that is better than the sum of their bounds.
    fn better_pairs(&self, all: &[Multiple]) -> Vec<Pair> {
        // No bound counts as a huge one, so that such nodes find partners first.
        let apart: Vec<i128> = all.iter().map(|m| i128::from(self.half(m.node))).collect();
        let mut pairs = Vec::new();
        for j in 1..all.len() {
            for i in 0..j {
                let bound = self.entry(all[i].node ^ 1, all[j].node);
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
