//! Conditions and bounds by cases, and what the cases say of several sums over one range.
//!
//! A condition holds if it holds in each case of a choice that it consists of: a case is a literal
//! of the choice's condition that is assumed, or assumed not to hold, and one of the two does.
//!
//! A sum is taken apart by its normal form: the bodies that stand under a condition and those that
//! do not become sums of their own. Each alone may be without useful bounds. Together they have
//! them, case by case: `3*[p] + ite(p, min(0, x - 3), 0)` is from 0 to 3 where `p` is `x >= 0`.
//!
//! Rule, and why it holds: if a body is from `l` to `h` at each index of a range, then its sum is
//! from `l` to `h` times the length of the range, where that is not negative.

use crate::context::Context;
use crate::facts::Facts;
use crate::name::{IntRange, Term};
use crate::node::{FoldOp, Node};
use crate::poly::{Poly, Rat};
use std::collections::BTreeMap;

/// The depth of case distinctions for bounds.
const DEPTH: u32 = 4;
/// The depth of case distinctions for conditions.
const CASES: u32 = 3;
/// The number of ranges whose sums are looked at together.
const RANGES: usize = 3;

/// A linear combination of sums over one range, and bounds of its body at each index.
pub(crate) struct BoundedSum {
    pub(crate) lo: Term,
    pub(crate) hi: Term,
    pub(crate) sum: Term,
    pub(crate) body: IntRange,
}

impl Facts<'_> {
    /// Whether a condition follows from the facts in each case of the choices that it consists of,
    /// those below binders left out. `false` says nothing.
    pub fn proves_by_cases(&self, condition: Term) -> bool {
        self.holds_by_cases(condition, CASES)
    }

    fn holds_by_cases(&self, condition: Term, depth: u32) -> bool {
        let c = self.c;
        if self.proves(condition) {
            return true;
        }
        let choice = c.find_part(condition, |part| c.first_choice(part));
        let Some(literal) = choice.filter(|_| depth > 0 && c.spend(1)) else { return false };
        c.sides(literal).into_iter().all(|given| {
            let facts = self.with(given);
            facts.are_contradictory() || facts.holds_by_cases(facts.simplify(c.cofactor(condition, given)), depth - 1)
        })
    }

    /// Bounds of an integer term that follow from the facts in each case of the choices, maxima and
    /// minima that it consists of.
    pub(crate) fn bounds_by_cases(&self, t: Term) -> IntRange {
        self.cases(t, DEPTH).unwrap_or((None, None))
    }

    /// The bounds; none if the facts contradict each other.
    fn cases(&self, t: Term, depth: u32) -> Option<IntRange> {
        let c = self.c;
        let condition = c.poly_atoms(t).into_iter().find_map(|atom| c.first_choice(atom));
        let Some(condition) = condition.filter(|_| depth > 0) else { return Some(self.bounds(t)) };
        let mut all: Option<IntRange> = None;
        for given in c.sides(condition) {
            let facts = self.with(given);
            if facts.are_contradictory() {
                continue;
            }
            let Some((lo, hi)) = facts.cases(c.cofactor(t, given), depth - 1) else { continue };
            all = Some(match all {
                None => (lo, hi),
                Some((a, b)) => (a.zip(lo).map(|(a, b)| a.min(b)), b.zip(hi).map(|(a, b)| a.max(b))),
            });
        }
        all
    }
}

impl Context {
    /// A literal that decides, or helps to decide, which part of a choice or of an extremum counts.
    pub(crate) fn first_choice(&self, atom: Term) -> Option<Term> {
        match &*self.node(atom) {
            Node::Ite(p, ..) => {
                let mut literal = *p;
                loop {
                    literal = match &*self.node(literal) {
                        Node::And(ps) | Node::Or(ps) => *ps.first()?,
                        Node::Not(q) => *q,
                        _ => return Some(literal),
                    }
                }
            }
            Node::Max(ts) | Node::Min(ts) => Some(self.ge(*ts.first()?, *ts.get(1)?)),
            _ => None,
        }
    }

    /// Cases one of which holds: a literal and its negation; an integer that is not 0 is above or
    /// below it.
    fn sides(&self, literal: Term) -> Vec<Term> {
        match *self.node(literal) {
            Node::Zero(t) => vec![literal, self.gt(t, self.int(0)), self.lt(t, self.int(0))],
            _ => vec![literal, self.not(literal)],
        }
    }

    /// The sums of a polynomial over the same ranges, with bounds of their bodies that follow from
    /// the facts.
    pub(crate) fn bounded_sums(&self, facts: &Facts<'_>, p: &Poly) -> Vec<BoundedSum> {
        let mut groups: BTreeMap<(Term, Term), Vec<(Term, Term, Rat)>> = BTreeMap::new();
        let whole = Rat::from_integer(p.denominator());
        for (m, k) in p.terms() {
            let [(atom, 1)] = m[..] else { continue };
            if let Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } = *self.node(atom) {
                groups.entry((lo, hi)).or_default().push((atom, body, k * &whole));
            }
        }
        let mut found = Vec::new();
        for ((lo, hi), sums) in groups.into_iter().take(RANGES) {
            let combined = |of: &dyn Fn(Term, Term) -> Poly| {
                let parts = sums.iter().map(|(atom, body, k)| (of(*atom, *body), k));
                self.from_poly(parts.fold(Poly::default(), |all, (part, k)| all.add_scaled(&part, k)))
            };
            let body = self.scoped(|_, k| {
                let body = combined(&|_, body| self.poly(self.open(body, k)));
                facts.with(self.within(lo, k, hi)).bounds_by_cases(body)
            });
            found.push(BoundedSum { lo, hi, sum: combined(&|atom, _| Poly::atom(atom)), body });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::Int;

    #[test]
    fn cases_are_bounded_one_by_one() {
        let c = Context::new();
        let x = c.unknown("x");
        let clamped = c.ite(c.lt(x, c.int(0)), c.int(0), c.min(x, c.int(3)));
        let parts = c.add(clamped, c.scale(2, c.indicator(c.gt(x, c.int(5)))));
        let bounds = |t| Facts::new(&c).bounds_by_cases(t);
        assert_eq!(bounds(parts), (Some(Int::from(0)), Some(Int::from(5))));
        // Two is more than the parts where they hold together.
        let apart = c.add(clamped, c.scale(2, c.indicator(c.lt(x, c.int(1)))));
        assert_eq!(bounds(apart), (Some(Int::from(1)), Some(Int::from(3))));
        assert_eq!(bounds(c.max(x, c.int(2))), (Some(Int::from(2)), None));
        assert_eq!(bounds(c.abs(x)), (Some(Int::from(0)), None));
    }

    #[test]
    fn equations_and_residues_are_cases() {
        let c = Context::new();
        let x = c.unknown("x");
        let (zero, seven) = (c.int(0), c.int(7));
        let bounds = |t| Facts::new(&c).bounds_by_cases(t);
        let [below, there, above] = [c.lt(x, zero), c.eq(x, zero), c.gt(x, zero)].map(|p| c.indicator(p));
        let all = c.linear(&[(1, below), (1, there), (1, above)]);
        assert_eq!(bounds(all), (Some(Int::from(1)), Some(Int::from(1))));
        assert_eq!(bounds(c.sub(all, there)), (Some(Int::from(0)), Some(Int::from(1))));
        let rest = c.rem(x, seven);
        let no_rest = c.indicator(c.divides(7, x));
        assert_eq!(bounds(c.add(rest, no_rest)), (Some(Int::from(1)), Some(Int::from(6))));
        assert_eq!(bounds(c.sub(rest, no_rest)), (Some(Int::from(-1)), Some(Int::from(6))));
    }

    #[test]
    fn conditions_hold_case_by_case() {
        let c = Context::new();
        let (n, x) = (c.unknown("N"), c.array("x", 1));
        let all = |lo: i64| c.fold(FoldOp::BitAnd, c.int(lo), n, None, |k| c.read(x, &[k]));
        let at = |i: i64| c.read(x, &[c.int(i)]);
        let long = c.ge(n, c.int(3));
        // What is written at 1 is all that is there, or one of several: the same value.
        let second = c.sub(c.ite(long, c.add(at(1), c.int(1)), c.int(0)), c.int(1));
        let apart = [all(2), c.ite(long, c.int(-1), at(1)), second, at(0)];
        let goal = c.eq(all(0), c.bits(crate::node::BitOp::And, &apart));
        let proves = |least: i64| Facts::new(&c).with(c.ge(n, c.int(least))).proves_by_cases(goal);
        assert!(!Facts::new(&c).with(c.ge(n, c.int(2))).proves(goal), "cases are needed");
        assert!(proves(2));
        assert!(!proves(1), "there may be one element");
    }
}
