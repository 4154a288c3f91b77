//! Ranges that end at the result of a search, as the loops leave that a search ends.
//!
//! Rules, and why they hold for all ranges. `F` is `first k in [l, H) with q(k), else H`:
//! * In `[lo, min(R, F))` with `lo >= l` the body may assume `not q(k)`: these `k` are in `[l, F)`.
//! * `[lo, min(R, F + 1))` is `[lo, min(R, F))`, and `F` if `lo <= F < R`. If `R` is at most `H`,
//!   then `F < R` implies `F < H`, so something was found: `q(F)`.
//! * `F <= H`: it is an index below `H`, or `H`. So `min(H, F)` is `F`.

use crate::context::Context;
use crate::fold::OpenFold;
use crate::name::{Term, Var};
use crate::node::Node;
use num_traits::{One, Signed};

/// A range `[lo, min(rest, F + 1))`.
struct EndsAfterFirst {
    /// `F`.
    first: Term,
    /// The end of the range without `F`.
    before: Term,
    /// `lo <= F < rest`.
    there: Term,
    /// What holds at `F` if it is in the range.
    found: Term,
}

impl Context {
    /// The search `F` with the difference of the term and `F`.
    fn as_search_plus(&self, t: Term) -> Option<(Term, crate::poly::Rat)> {
        let p = self.poly(t);
        let is_search = |atom: &Term| matches!(&*self.node(*atom), Node::First(..));
        let search = p.atoms().into_iter().find(is_search)?;
        Some((search, p.sub(&self.poly(search)).as_constant()?))
    }

    fn least_of(&self, t: Term) -> Vec<Term> {
        match &*self.node(t) {
            Node::Min(parts) => parts.clone(),
            _ => vec![t],
        }
    }

    /// What holds at all indexes of a range because it ends at the result of a search.
    fn before_first(&self, var: Var, lo: Term, hi: Term) -> Option<Term> {
        self.least_of(hi).into_iter().find_map(|end| {
            let (first, more) = self.as_search_plus(end)?;
            let Node::First(from, _, q) = *self.node(first) else { return None };
            let starts_later = self.as_int(self.sub(lo, from)).is_some_and(|d| !d.is_negative());
            (starts_later && !more.is_positive()).then(|| self.not(self.open(q, self.var(var))))
        })
    }

    /// The body of a fold or search over a range that ends at the result of a search.
    pub(crate) fn body_before_first(&self, var: Var, lo: Term, hi: Term, body: Term) -> Term {
        self.before_first(var, lo, hi).map_or(body, |given| self.cofactor(body, given))
    }

    fn ends_after_first(&self, lo: Term, hi: Term) -> Option<EndsAfterFirst> {
        let ends = self.least_of(hi);
        let found = ends.iter().enumerate().find_map(|(i, end)| {
            let (first, more) = self.as_search_plus(*end)?;
            more.is_one().then_some((i, first))
        });
        let (i, first) = found?;
        let Node::First(_, end, q) = *self.node(first) else { return None };
        let rest: Vec<Term> = ends.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, end)| *end).collect();
        let below: Vec<Term> = rest.iter().map(|end| self.lt(first, *end)).collect();
        let there = self.and(&[self.le(lo, first), self.and(&below)]);
        let found = if rest.contains(&end) { self.instantiate(q, first) } else { self.truth(true) };
        let mut before: Vec<Term> = rest.into_iter().filter(|other| *other != end).collect();
        before.push(first);
        Some(EndsAfterFirst { first, before: self.min_of(&before), there, found })
    }

    /// A fold over a range that ends after the result of a search: that index is taken out.
    pub(crate) fn fold_after_first(&self, f: OpenFold) -> Option<Term> {
        let range = self.ends_after_first(f.lo, f.hi)?;
        let before = self.fold_over(f.op, f.var, f.lo, range.before, f.seed, f.body);
        let last = self.cofactor(self.substitute(f.body, f.var, range.first), range.found);
        Some(match f.op.is_boolean() {
            true => self.combine(f.op, before, self.and(&[range.there, last])),
            false => self.ite(range.there, self.combine(f.op, before, last), before),
        })
    }

    /// The only index of a range that ends after the result of a search at which the condition can
    /// hold, that result, and when it holds there. `None` if it may hold before.
    pub(crate) fn only_at_first(&self, var: Var, lo: Term, hi: Term, p: Term) -> Option<(Term, Term)> {
        let range = self.ends_after_first(lo, hi)?;
        let before = self.body_before_first(var, lo, range.before, p);
        if self.as_truth(before) != Some(false) {
            return None;
        }
        let last = self.cofactor(self.substitute(p, var, range.first), range.found);
        Some((self.and(&[range.there, last]), range.first))
    }
}
