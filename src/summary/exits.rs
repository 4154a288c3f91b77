//! The iteration in which a loop ends.
//!
//! **Meaning.** The exit is a condition on the number of the iteration; the loop ends in the first
//! iteration in which it holds. Conditions that hold from some iteration on, as `i >= n` and as a
//! flag that is set once, bound the search; the first of several is the least of their firsts.

use super::Executor;
use super::state::State;
use super::unknown::Origin;
use crate::program::StmtId;
use smalti_terms::{Context, Facts, FoldOp, Int, Node, Sort, Term, Var};

/// When a loop ends.
pub(super) struct TripCount {
    /// The number of the iteration in which it ends, if it ends.
    pub(super) count: Term,
    /// What holds in every run in which it ends.
    pub(super) ends: Term,
}

impl Executor<'_> {
    /// The number of the first iteration in which `exit` holds, a condition on `n`.
    pub(super) fn count(&mut self, exit: Term, n: Var, outer: &State, of: StmtId) -> TripCount {
        let around = Facts::new(&self.c).with(outer.reached).with(outer.given);
        if let Some(found) = first_exit(&self.c, &around, exit, n) {
            return TripCount { count: around.simplify(found.count), ends: found.ends };
        }
        let count = self.c.apply(self.c.symbol("iterations", Sort::Int), &self.arguments());
        self.note(count, Origin::Iterations(of));
        let c = &self.c;
        let none_before = c.all(c.int(0), count, |k| c.not(c.substitute(exit, n, k)));
        TripCount { count, ends: c.and(&[c.substitute(exit, n, count), none_before]) }
    }
}

/// The first iteration in which `exit` holds; `None` if no term is known.
fn first_exit(c: &Context, around: &Facts<'_>, exit: Term, n: Var) -> Option<TripCount> {
    let parts = c.disjuncts(exit);
    // A bound on the search: the exit holds there, whatever the other parts say.
    let bound = parts.iter().enumerate().find_map(|(i, part)| Some((i, end_of(c, around, *part, n)?)));
    let Some((i, end)) = bound else { return only_exit(c, exit, n) };
    let (zero, number) = (c.int(0), c.var(n));
    let before_end = around.with(c.within(zero, number, end));
    let mut least = vec![end];
    let mut others = Vec::new();
    for part in parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| before_end.simplify(*part)) {
        for piece in c.disjuncts(part) {
            match after_first(c, piece, n, end) {
                Some(found) => least.push(found),
                None => others.push(piece),
            }
        }
    }
    // The first of the others, which is the end if none of them holds before it.
    if !others.is_empty() {
        least.push(c.first_over(n, zero, end, c.or(&others)));
    }
    Some(TripCount { count: c.min_of(&least), ends: c.truth(true) })
}

/// The first iteration in which one part of the exit holds, if that is a term: `a*n + t >= 0` with
/// `a > 0`, or `n = t` for `t` that is known not to be negative.
fn end_of(c: &Context, around: &Facts<'_>, part: Term, n: Var) -> Option<Term> {
    if let Node::NonNegative(_) = *c.node(part) {
        return c.trip_count_over(n, part);
    }
    let (exists, at) = c.solution(n, part)?;
    (c.as_truth(exists) == Some(true) && around.proves(c.ge(at, c.int(0)))).then_some(at)
}

/// The only iteration in which `a*n + t = 0` can hold. Runs in which there is none do not leave the
/// loop.
fn only_exit(c: &Context, exit: Term, n: Var) -> Option<TripCount> {
    let (_, count) = c.solution(n, exit)?;
    Some(TripCount { count, ends: c.and(&[c.ge(count, c.int(0)), c.substitute(exit, n, count)]) })
}

/// The first iteration before `end` in which something has happened in an earlier one, as a search
/// with a flag sees it, or `end`. `any k in [0, n + d). p(k)` holds from the iteration on that is
/// `1 - d` after the first `k` with `p(k)`; `first k in [0, n + d) with p(k) < n + d` says the
/// same. For `end` it is enough to look at `k < end + d`; if there is none, `first` is `end + d`,
/// and the iteration is cut to `end`.
fn after_first(c: &Context, part: Term, n: Var, end: Term) -> Option<Term> {
    let zero = c.int(0);
    let (lo, hi, body) = match *c.node(part) {
        Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => (lo, hi, body),
        Node::NonNegative(t) => {
            let is_search = |atom: &Term| matches!(*c.node(*atom), Node::First(..));
            let search = c.poly(t).atoms().into_iter().find(is_search)?;
            let Node::First(lo, hi, body) = *c.node(search) else { return None };
            // `first < hi`
            let says_so = c.sub(c.sub(hi, c.int(1)), search) == t;
            says_so.then_some((lo, hi, body))?
        }
        _ => return None,
    };
    let d = c.as_int(c.sub(hi, c.var(n))).filter(|d| *d >= Int::from(0))?;
    if lo != zero || c.mentions(body, n) {
        return None;
    }
    let first = c.first(zero, c.add(end, c.int(d.clone())), |k| c.instantiate(body, k));
    let after = c.add(first, c.int(Int::from(1) - d));
    Some(c.min(end, c.max(zero, after)))
}
