//! `first`, `last` and `nth`: what searches and compactions compute; `argmax` and trip counts.
//!
//! Rules, and why they hold for all ranges (`first` is `hi`, `last` is `lo - 1`, `nth` is `hi`
//! where there is no such index):
//! * `first(p or k >= t)` is `first(p)` in the range that ends at `min(hi, max(lo, t))`: at that
//!   index the second condition holds, or the range ends.
//! * `first(p and k >= t)` is `first(p)` in the range that starts at `max(lo, t)`; `last` likewise
//!   with upper bounds, `nth` with lower ones.
//! * `first(p and k < t)` is `first(p)` in the range that ends at `min(hi, t)` if that is below
//!   this end, else `hi`.
//! * `first(p and q)` is `first(p)` where `q` holds that does not depend on the index, and there is
//!   none elsewhere. `last` and `nth` likewise.
//! * What holds at one index at most, and disjunctions of that: `solution`.
//! * The least index of the greatest element is the first at which the body is the maximum, if the
//!   maximum is above the seed.

use crate::context::Context;
use crate::name::{Term, Var};
use crate::node::{FoldOp, Node};
use num_traits::{One, Signed, Zero};

/// Which of several indexes with the extreme value is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tie {
    /// The least: what `if (a[i] > m)` keeps.
    First,
    /// The greatest: what `if (a[i] >= m)` keeps.
    Last,
}

impl Context {
    /// The least `k` with `lo <= k < hi` and `p(k)`; `hi` if there is none.
    pub fn first(&self, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.scoped(|v, k| self.first_over(v, lo, hi, p(k)))
    }

    /// The greatest `k` with `lo <= k < hi` and `p(k)`; `lo - 1` if there is none.
    pub fn last(&self, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.scoped(|v, k| self.last_over(v, lo, hi, p(k)))
    }

    /// The `k` with `lo <= k < hi` and `p(k)` that has `n` such before it; `hi` if there is none.
    pub fn nth(&self, n: Term, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.scoped(|v, k| self.nth_over(v, n, lo, hi, p(k)))
    }

    /// [`Context::first`] with an open body.
    pub fn first_over(&self, var: Var, lo: Term, hi: Term, p: Term) -> Term {
        self.with_index_in_range(var, lo, hi, p, |var, p| self.first_rules(var, lo, hi, p))
    }

    fn first_rules(&self, var: Var, lo: Term, hi: Term, p: Term) -> Term {
        let p = self.body_before_first(var, lo, hi, p);
        if let Some((there, at)) = self.only_at_first(var, lo, hi, p) {
            return self.ite(there, at, hi);
        }
        if let Some((fixed, rest)) = self.fixed_part(var, p).filter(|_| self.mentions(p, var)) {
            return self.ite(fixed, self.first_over(var, lo, hi, rest), hi);
        }
        if let Some(t) = self.search_ends(var, lo, hi, p, (self.min(lo, hi), hi)) {
            return t;
        }
        if let Node::Or(ps) = &*self.node(p) {
            for (i, &q) in ps.iter().enumerate() {
                let Some((a, t)) = self.test_of(q, var).filter(|x| x.0.is_positive()) else { continue };
                let start = self.narrowed(lo, hi, &a, &t).0;
                let rest = self.or(&without(ps, i));
                return self.first_over(var, lo, self.min(hi, start), rest);
            }
        }
        let parts = self.conjuncts(p);
        for (i, &q) in parts.iter().enumerate() {
            let Some((a, t)) = self.test_of(q, var) else { continue };
            let (new_lo, new_hi) = self.narrowed(lo, hi, &a, &t);
            let found = self.first_over(var, new_lo, new_hi, self.and(&without(&parts, i)));
            return if a.is_positive() { found } else { self.ite(self.lt(found, new_hi), found, hi) };
        }
        if let Some((there, at)) = self.only_index(var, lo, hi, &parts) {
            return self.ite(there, at, hi);
        }
        if let Some(found) = self.one_by_one(var, lo, hi, &parts, false) {
            return found;
        }
        self.intern(Node::First(lo, hi, self.close(p, &[var])))
    }

    /// [`Context::last`] with an open body.
    pub fn last_over(&self, var: Var, lo: Term, hi: Term, p: Term) -> Term {
        self.with_index_in_range(var, lo, hi, p, |var, p| self.last_rules(var, lo, hi, p))
    }

    fn last_rules(&self, var: Var, lo: Term, hi: Term, p: Term) -> Term {
        let one = self.int(1);
        let none = self.sub(lo, one);
        let p = self.body_before_first(var, lo, hi, p);
        if let Some((there, at)) = self.only_at_first(var, lo, hi, p) {
            return self.ite(there, at, none);
        }
        if let Some((fixed, rest)) = self.fixed_part(var, p).filter(|_| self.mentions(p, var)) {
            return self.ite(fixed, self.last_over(var, lo, hi, rest), none);
        }
        let end = self.max(none, self.sub(hi, one));
        if let Some(t) = self.search_ends(var, lo, hi, p, (end, none)) {
            return t;
        }
        let parts = self.conjuncts(p);
        for (i, &q) in parts.iter().enumerate() {
            let Some((a, t)) = self.test_of(q, var) else { continue };
            let (new_lo, new_hi) = self.narrowed(lo, hi, &a, &t);
            let found = self.last_over(var, new_lo, new_hi, self.and(&without(&parts, i)));
            return if a.is_positive() { self.ite(self.ge(found, new_lo), found, none) } else { found };
        }
        if let Some((there, at)) = self.only_index(var, lo, hi, &parts) {
            return self.ite(there, at, none);
        }
        if let Some(found) = self.one_by_one(var, lo, hi, &parts, true) {
            return found;
        }
        self.intern(Node::Last(lo, hi, self.close(p, &[var])))
    }

    /// [`Context::nth`] with an open body.
    pub fn nth_over(&self, var: Var, n: Term, lo: Term, hi: Term, p: Term) -> Term {
        self.with_index_in_range(var, lo, hi, p, |var, p| self.nth_rules(var, n, lo, hi, p))
    }

    fn nth_rules(&self, var: Var, n: Term, lo: Term, hi: Term, p: Term) -> Term {
        match (self.as_int(n), self.as_truth(p)) {
            (Some(n), _) if n.is_negative() => return hi,
            (Some(n), _) if n.is_zero() => return self.first_over(var, lo, hi, p),
            (_, Some(false)) => return hi,
            (_, Some(true)) => {
                let at = self.add(lo, n);
                return self.ite(self.and(&[self.ge(n, self.int(0)), self.lt(at, hi)]), at, hi);
            }
            _ => {}
        }
        if let Some((fixed, rest)) = self.fixed_part(var, p).filter(|_| self.mentions(p, var)) {
            return self.ite(fixed, self.nth_over(var, n, lo, hi, rest), hi);
        }
        let parts = self.conjuncts(p);
        if let Some((there, at)) = self.only_index(var, lo, hi, &parts) {
            return self.ite(self.and(&[there, self.is_zero(n)]), at, hi);
        }
        for (i, &q) in parts.iter().enumerate() {
            if let Some((a, t)) = self.test_of(q, var).filter(|x| x.0.is_positive()) {
                let start = self.narrowed(lo, hi, &a, &t).0;
                return self.nth_over(var, n, start, hi, self.and(&without(&parts, i)));
            }
        }
        self.intern(Node::Nth(n, lo, hi, self.close(p, &[var])))
    }

    /// The value where the condition does not depend on the index, or the range has no element, or
    /// one: `ends` are the values where all hold, and where none does.
    fn search_ends(&self, var: Var, lo: Term, hi: Term, p: Term, ends: (Term, Term)) -> Option<Term> {
        let length = self.as_int(self.sub(hi, lo));
        if length.as_ref().is_some_and(|n| !n.is_positive()) || self.as_truth(p) == Some(false) {
            return Some(ends.1);
        }
        if length.is_some_and(|n| n.is_one()) {
            return Some(self.ite(self.substitute(p, var, lo), lo, ends.1));
        }
        if !self.mentions(p, var) {
            return Some(self.ite(p, ends.0, ends.1));
        }
        None
    }

    /// `a*var + t >= 0`.
    fn test_of(&self, p: Term, var: Var) -> Option<(crate::name::Int, crate::poly::Poly)> {
        match &*self.node(p) {
            Node::NonNegative(q) => self.affine(*q, var),
            _ => None,
        }
    }

    /// The conjuncts that do not depend on the variable, and the others; none if there is no
    /// first kind.
    fn fixed_part(&self, var: Var, p: Term) -> Option<(Term, Term)> {
        let (inside, outside): (Vec<Term>, Vec<Term>) = self.conjuncts(p).iter().partition(|&&q| self.mentions(q, var));
        (!outside.is_empty()).then(|| (self.and(&outside), self.and(&inside)))
    }

    /// The number of the first iteration, from 0, in which `exit` holds: the trip count of a loop.
    /// `None` if no bound is known, that is, unless `exit` or one of its disjuncts is `a*n + t >=
    /// 0` with `a > 0`. The body may not mention the result.
    pub fn trip_count(&self, exit: impl FnOnce(Term) -> Term) -> Option<Term> {
        self.scoped(|v, n| self.trip_count_over(v, exit(n)))
    }

    /// [`Context::trip_count`] with an open body.
    pub fn trip_count_over(&self, var: Var, exit: Term) -> Option<Term> {
        let parts = self.disjuncts(exit);
        parts.iter().enumerate().find_map(|(i, &q)| {
            let (a, t) = self.test_of(q, var).filter(|x| x.0.is_positive())?;
            let zero = self.int(0);
            let end = self.narrowed(zero, zero, &a, &t).0;
            Some(self.first_over(var, zero, end, self.or(&without(&parts, i))))
        })
    }

    /// The index that a loop for the greatest element keeps: the first or last `k` with
    /// `lo <= k < hi` at which `body` is greatest, `seed_index` if no body is above (for
    /// [`Tie::Last`]: at least) the seed.
    pub fn arg_max(
        &self,
        seed: Term,
        seed_index: Term,
        lo: Term,
        hi: Term,
        tie: Tie,
        body: impl Fn(Term) -> Term,
    ) -> Term {
        self.arg_extreme(FoldOp::Max, (seed, seed_index), (lo, hi), tie, body)
    }

    /// The same for the least element.
    pub fn arg_min(
        &self,
        seed: Term,
        seed_index: Term,
        lo: Term,
        hi: Term,
        tie: Tie,
        body: impl Fn(Term) -> Term,
    ) -> Term {
        self.arg_extreme(FoldOp::Min, (seed, seed_index), (lo, hi), tie, body)
    }

    fn arg_extreme(
        &self,
        op: FoldOp,
        (seed, seed_index): (Term, Term),
        (lo, hi): (Term, Term),
        tie: Tie,
        body: impl Fn(Term) -> Term,
    ) -> Term {
        let extreme = self.fold(op, lo, hi, Some(seed), &body);
        let is_extreme = |k: Term| self.eq(body(k), extreme);
        match tie {
            Tie::First => {
                // The seed is kept where it is not exceeded.
                let at = self.first(lo, hi, is_extreme);
                self.ite(self.eq(extreme, seed), seed_index, at)
            }
            Tie::Last => {
                let at = self.last(lo, hi, is_extreme);
                self.ite(self.ge(at, lo), at, seed_index)
            }
        }
    }
}

pub(crate) fn without(ps: &[Term], i: usize) -> Vec<Term> {
    ps.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &p)| p).collect()
}
