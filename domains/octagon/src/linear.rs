//! Answers questions about linear expressions from an octagon.

use crate::kernel::{INFINITY, sum};
use crate::part::OctagonPart;
use crate::parts::{Literal, Parts, VarPosition};
use smalti_core::{Interval, LinearExpr, Var};
use std::rc::Rc;

/// In longer expressions every variable is treated by itself.
const MOST_TERMS: usize = 12;

/// Two nodes whose sum is known better than they are.
struct Pair {
    i: usize,
    j: usize,
    /// The bound of their sum.
    bound: i128,
    /// What it gains for each one of both.
    gain: i128,
}

/// From an upper bound of the opposite number to an upper bound; `None` if it is empty.
fn interval(opposite: i64, upper: i64) -> Option<Interval> {
    let end = |bound: i64| Some(bound).filter(|b| *b != INFINITY).map(i128::from);
    Interval::new(end(opposite).map(|b| -b), end(upper))
}

impl Parts {
    /// An interval that holds every value of `x`, or of `x - y`. `None` if it is empty.
    pub(crate) fn distance(&self, x: Var, y: Option<Var>) -> Option<Interval> {
        let (low, high) = match y {
            None => {
                let upper = |negated| self.upper(Literal { var: x, negated });
                (upper(true), upper(false))
            }
            Some(y) if y == x => (0, 0),
            Some(y) => {
                let (x, y) = (Literal { var: x, negated: false }, Literal { var: y, negated: true });
                (self.upper_of_sum(x.opposite(), y.opposite()), self.upper_of_sum(x, y))
            }
        };
        interval(low, high)
    }

    /// [`Parts::distance`] of each of `xs`, alone, then from each of `ys`; each variable is looked
    /// up once.
    pub(crate) fn distances(&self, xs: &[Var], ys: &[Var]) -> Vec<Interval> {
        // A closed part has no empty interval.
        let interval = |low: i64, high: i64| interval(low, high).unwrap_or(Interval::TOP);
        let places: Vec<VarPosition<'_>> = ys.iter().map(|y| self.place(*y)).collect();
        let mut found = Vec::with_capacity(xs.len() * (ys.len() + 1));
        for x in xs {
            let Some((part, k)) = self.place(*x) else {
                let own = |y: &Var| if x == y { Interval::constant(0) } else { Interval::TOP };
                found.push(Interval::TOP);
                found.extend(ys.iter().map(own));
                continue;
            };
            let (high, low) = (part.half(2 * k), part.half(2 * k + 1));
            found.push(interval(low, high));
            for (y, place) in ys.iter().zip(&places) {
                found.push(match place {
                    _ if x == y => Interval::constant(0),
                    None => Interval::TOP,
                    // x - y <= ..., and y - x <= ...
                    Some((other, l)) if Rc::ptr_eq(part, other) => {
                        interval(part.entry(2 * k, 2 * l), part.entry(2 * l, 2 * k))
                    }
                    Some((other, l)) => interval(sum(low, other.half(2 * l)), sum(high, other.half(2 * l + 1))),
                });
            }
        }
        found
    }

    /// An interval that holds every value of `e`: its literals are summed in pairs where the
    /// octagon knows more of a pair than of the two, the pair with the greatest gain first. Exact
    /// for octagonal expressions, where the octagon is closed. `None` if it is empty.
    pub(crate) fn range(&self, e: &LinearExpr) -> Option<Interval> {
        // The commonest questions, without the detour: they are entries.
        let bounds = match *e.terms() {
            [(v, 1)] => self.distance(v, None)?,
            [(v, a @ (1 | -1)), (w, b @ (1 | -1))] => {
                let (p, q) = (Literal { var: v, negated: a < 0 }, Literal { var: w, negated: b < 0 });
                interval(self.upper_of_sum(p.opposite(), q.opposite()), self.upper_of_sum(p, q))?
            }
            _ => {
                let factors: Vec<i128> = e.terms().iter().map(|t| t.1).collect();
                let negated: Option<Vec<i128>> = factors.iter().map(|c| c.checked_neg()).collect();
                let known = self.gather(&e.vars().collect::<Vec<_>>());
                let low = negated.and_then(|c| known.sums(&c).greatest(&c)).and_then(i128::checked_neg);
                Interval::new(low, known.sums(&factors).greatest(&factors))?
            }
        };
        Some(bounds.add(Interval::constant(e.constant_part())))
    }
}

/// Sums of the same literals with different factors: what pairs of them gain is looked up once.
pub(crate) struct Sums<'p> {
    part: &'p OctagonPart,
    nodes: Vec<usize>,
    /// Empty if there are more than [`MOST_TERMS`].
    pairs: Vec<Pair>,
    left: Vec<i128>,
}

impl Sums<'_> {
    /// An upper bound of the sum of the variables, each times its factor; `None` if there is none.
    /// Each factor has the sign that it had at first, or is 0.
    pub(crate) fn greatest(&mut self, factors: &[i128]) -> Option<i128> {
        let mut total: i128 = 0;
        if self.pairs.is_empty() {
            for (node, factor) in self.nodes.iter().zip(factors).filter(|(_, factor)| **factor != 0) {
                let bound = Some(self.part.half(*node)).filter(|b| *b != INFINITY)?;
                total = total.checked_add(factor.checked_abs()?.checked_mul(bound.into())?)?;
            }
            return Some(total);
        }
        self.left.clear();
        for c in factors {
            self.left.push(c.checked_abs()?);
        }
        if self.left.iter().all(|c| *c <= 1) {
            // Then each pair is taken once or never, and what it gains does not depend on what is
            // left: one look at each, best first.
            for pair in &self.pairs {
                if self.left[pair.i] == 1 && self.left[pair.j] == 1 {
                    total = total.checked_add(pair.bound)?;
                    (self.left[pair.i], self.left[pair.j]) = (0, 0);
                }
            }
        } else {
            while let Some(pair) = best_of(&self.pairs, &self.left) {
                let factor = self.left[pair.i].min(self.left[pair.j]);
                total = total.checked_add(factor.checked_mul(pair.bound)?)?;
                self.left[pair.i] -= factor;
                self.left[pair.j] -= factor;
            }
        }
        for (node, factor) in self.nodes.iter().zip(&self.left).filter(|(_, factor)| **factor > 0) {
            let bound = Some(self.part.half(*node)).filter(|b| *b != INFINITY)?;
            total = total.checked_add(factor.checked_mul(bound.into())?)?;
        }
        Some(total)
    }
}

impl OctagonPart {
    /// For upper bounds of sums of the variables, with factors of these signs.
    pub(crate) fn sums(&self, factors: &[i128]) -> Sums<'_> {
        let node = |(k, c): (usize, &i128)| 2 * k + usize::from(*c < 0);
        let nodes: Vec<usize> = factors.iter().enumerate().map(node).collect();
        let pairs = if nodes.len() <= MOST_TERMS { self.better_pairs(&nodes) } else { Vec::new() };
        Sums { part: self, left: Vec::with_capacity(nodes.len()), nodes, pairs }
    }

    /// The pairs of these whose sum has a bound that is better than the sum of their bounds, those
    /// that gain most first.
    fn better_pairs(&self, nodes: &[usize]) -> Vec<Pair> {
        // No bound counts as a huge one, so that such nodes find partners first.
        let apart: Vec<i128> = nodes.iter().map(|n| i128::from(self.half(*n))).collect();
        let mut pairs = Vec::new();
        for j in 1..nodes.len() {
            for i in 0..j {
                let bound = self.entry(nodes[i] ^ 1, nodes[j]);
                let gain = apart[i] + apart[j] - i128::from(bound);
                if bound != INFINITY && gain > 0 {
                    pairs.push(Pair { i, j, bound: bound.into(), gain });
                }
            }
        }
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.gain));
        pairs
    }
}

/// The pair that gains most for the remainder of its literals, the first of several.
fn best_of<'a>(pairs: &'a [Pair], left: &[i128]) -> Option<&'a Pair> {
    let mut best: Option<(i128, &Pair)> = None;
    for pair in pairs {
        let gain = pair.gain.saturating_mul(left[pair.i].min(left[pair.j]));
        if gain > 0 && best.is_none_or(|b| gain > b.0) {
            best = Some((gain, pair));
        }
    }
    best.map(|b| b.1)
}
