//! Which of two proposals says more: that about more elements.

use crate::program::{BoundId, ForAll, Formula, Term};

/// What makes a proposal stronger than another one: that the ranges of the other are part of its
/// own, or empty. `None` if they do not say the same of the elements.
pub(super) fn contains(strong: &Formula, weak: &Formula) -> Option<Formula> {
    let (p, q) = match (strong, weak) {
        (Formula::ForAll(p), Formula::ForAll(q)) => (p, q),
        (Formula::Implies(a, strong), Formula::Implies(b, weak)) if a == b => return contains(strong, weak),
        (Formula::Compare(..), Formula::Implies(_, weak)) if *strong == **weak => return Some(Formula::Constant(true)),
        (_, Formula::Implies(_, weak)) => return contains(strong, weak),
        _ => return None,
    };
    if p.bound != q.bound {
        return None;
    }
    let at_most = |a: &Term, b: &Term| Formula::at_most(a.clone(), b.clone());
    let within = |low, high| Formula::and(low, at_most(&q.high, high));
    let (inside, empty) = match (&p.body, &q.body) {
        (Formula::ForAll(inner), Formula::ForAll(other)) => {
            if inner.bound != other.bound || inner.body != other.body {
                return None;
            }
            let low = lower(inner, other, q)?;
            let inner_inside = Formula::and(low, at_most(&other.high, &inner.high));
            let empty = match follows(&other.low, q.bound) {
                // Empty for the first, so for all.
                true => at_most(&other.high, &q.low.clone().plus(1)),
                false => at_most(&other.high, &other.low),
            };
            (Formula::and(inner_inside, within(at_most(&p.low, &q.low), &p.high)), empty)
        }
        (a, b) if a == b => (within(at_most(&p.low, &q.low), &p.high), Formula::Constant(false)),
        _ => return None,
    };
    let empty = Formula::or(empty, at_most(&q.high, &q.low));
    Some(Formula::or(empty, inside))
}

/// That the inner range of the stronger proposal begins where that of the other does, or before,
/// for every element of the other's outer range.
fn lower(strong: &ForAll, weak: &ForAll, outer: &ForAll) -> Option<Formula> {
    match (follows(&strong.low, outer.bound), follows(&weak.low, outer.bound)) {
        (true, true) => Some(Formula::Constant(true)),
        // The last element of the outer range is the one before its end.
        (true, false) => Some(Formula::at_most(outer.high.clone(), weak.low.clone())),
        (false, true) => Some(Formula::at_most(strong.low.clone(), outer.low.clone().plus(1))),
        (false, false) => Some(Formula::at_most(strong.low.clone(), weak.low.clone())),
    }
}

/// Whether a term is the quantified variable plus 1.
fn follows(t: &Term, bound: BoundId) -> bool {
    matches!(t, Term::Binary(_, a, b) if matches!(**a, Term::Bound(id) if id == bound) && b.as_int() == Some(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BinaryOp, TermOp};
    use std::collections::BTreeSet;

    const K: BoundId = BoundId(0);
    const L: BoundId = BoundId(1);

    fn range(bound: BoundId, low: Term, high: i128, body: Formula) -> Formula {
        Formula::ForAll(Box::new(ForAll { bound, name: "k".to_owned(), low, high: Term::Int(high), body }))
    }

    /// The truth of a formula without variables.
    fn holds(f: &Formula) -> bool {
        match f {
            Formula::Constant(c) => *c,
            Formula::And(a, b) => holds(a) && holds(b),
            Formula::Or(a, b) => holds(a) || holds(b),
            Formula::Compare(BinaryOp::LessEqual, a, b) => a.as_int() <= b.as_int(),
            f => panic!("{f:?}"),
        }
    }

    /// The pairs of elements that a proposal is about; its inner range begins at a number or, for
    /// `None`, behind the outer element.
    fn pairs(outer: (i128, i128), inner: (Option<i128>, i128)) -> BTreeSet<(i128, i128)> {
        let second = |k: i128| inner.0.unwrap_or(k + 1)..inner.1;
        (outer.0..outer.1).flat_map(|k| second(k).map(move |l| (k, l))).collect()
    }

    #[test]
    fn a_proposal_about_pairs_contains_those_about_some_of_them() {
        let behind = || Term::Binary(TermOp::Add, Box::new(Term::Bound(K)), Box::new(Term::Int(1)));
        let ends = || (0..4).flat_map(|low| (0..4).map(move |high| (low, high)));
        let mut all = Vec::new();
        for outer in ends() {
            for low in [None, Some(0), Some(1), Some(2), Some(3)] {
                all.extend((0..4).map(|high| (outer, (low, high))));
            }
        }
        let formula = |outer: (i128, i128), inner: (Option<i128>, i128)| {
            let body = range(L, inner.0.map_or_else(behind, Term::Int), inner.1, Formula::Constant(true));
            range(K, Term::Int(outer.0), outer.1, body)
        };
        let mut found = 0;
        for (outer, inner) in &all {
            for (other, others) in &all {
                let contained = contains(&formula(*outer, *inner), &formula(*other, *others)).expect("one body");
                if holds(&contained) {
                    found += 1;
                    let (strong, weak) = (pairs(*outer, *inner), pairs(*other, *others));
                    assert!(weak.is_subset(&strong), "{outer:?} {inner:?} contains {other:?} {others:?}");
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
