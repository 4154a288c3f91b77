//! Conditions that hold at one index at most: the index is solved for.
//!
//! Rules, and why they hold for all ranges:
//! * `a*k + t = 0` holds at `-t/a` only, if `a` divides `t`.
//! * The number `c(k)` of the indexes from `lo` to `k - 1` with `p` grows by 1 after each index
//!   with `p`. So `p(k)` and `c(k) = n` hold together at the `n`-th index with `p` only, and there
//!   is one exactly if `0 <= n < c(hi)`. That is what a compaction, `if (p) b[j++] = e`, writes to
//!   cell `n`. The number of those without `p` is `k - lo - c(k)`.
//! * `last(p or q)` is the greater of `last(p)` and `last(q)`, since both are `lo - 1` without a
//!   result; `first(p or q)` is the lesser. Of two conditions that exclude each other, the one that
//!   holds says which.

use crate::context::Context;
use crate::name::{Term, Var};
use crate::node::{FoldOp, Node};
use crate::poly::Poly;
use crate::search::without;
use num_traits::{One, Signed};

/// The greatest number of disjuncts that are searched one by one.
const DISJUNCTS: usize = 8;

/// The index with a number among those with a condition.
pub struct ByRank {
    /// The condition, about the variable. It holds at the index.
    pub counted: Term,
    /// Whether there is such an index in the range.
    pub exists: Term,
    /// The index.
    pub at: Term,
}

impl Context {
    /// The only index of `[lo, hi)` at which a conjunction can hold, and when it holds there;
    /// `None` if that is not known.
    pub(crate) fn only_index(&self, var: Var, lo: Term, hi: Term, parts: &[Term]) -> Option<(Term, Term)> {
        parts.iter().enumerate().find_map(|(i, &q)| {
            let mut rest = without(parts, i);
            let (exists, at) = match self.solution(var, q) {
                Some((exists, at)) => (self.and(&[exists, self.within(lo, at, hi)]), at),
                None => {
                    let found = self.solution_by_rank(var, lo, hi, q, &rest)?;
                    // What is counted holds there.
                    let counted = self.conjuncts(found.counted);
                    rest.retain(|part| !counted.contains(part));
                    (found.exists, found.at)
                }
            };
            let rest = self.substitute(self.and(&rest), var, at);
            Some((self.and(&[exists, rest]), at))
        })
    }

    /// Whether one of the conjuncts is an equation for the index.
    pub(crate) fn has_only_index(&self, var: Var, parts: &[Term]) -> bool {
        parts.iter().any(|&q| self.solution(var, q).is_some())
    }

    /// When the condition, an equation `a*var + t = 0`, holds for a value of the variable, and that
    /// value, `-t div a`; `None` for other conditions.
    pub fn solution(&self, var: Var, condition: Term) -> Option<(Term, Term)> {
        let Node::Zero(q) = *self.node(condition) else { return None };
        let (a, t) = self.affine(q, var)?;
        let t = self.from_poly(t);
        let at = self.div(self.neg(t), self.int(a.clone()));
        // With the sign that `t` has on the other side of the equation.
        let t = if a.is_positive() { self.neg(t) } else { t };
        Some((self.divides(a, t), at))
    }

    /// The solution of the condition, an equation `a*rank + t = 0` for the rank of the index among
    /// those with `p`, where `p` is among the conditions `others`. If `a` is 1 or -1, `not p` among
    /// them will do, too.
    pub fn solution_by_rank(&self, var: Var, lo: Term, hi: Term, condition: Term, others: &[Term]) -> Option<ByRank> {
        let Node::Zero(q) = *self.node(condition) else { return None };
        let q = self.poly(q);
        let (count, factor, kept) = q.terms().iter().find_map(|(m, factor)| {
            let [(count, 1)] = m[..] else { return None };
            let kept = self.counted_before(var, lo, count).filter(|_| factor.is_integer())?;
            Some((count, factor.clone(), kept))
        })?;
        // `q = factor*count - rest`.
        let rest = Poly::atom(count).scale(&factor).sub(&q);
        let includes = |p: Term| self.conjuncts(p).iter().all(|part| others.contains(part));
        let (p, n) = if includes(kept) {
            (kept, rest)
        } else if includes(self.not(kept)) && factor.abs().is_one() {
            // There are `k - lo - count` without.
            (self.not(kept), self.poly(self.sub(self.var(var), lo)).scale(&factor).sub(&rest))
        } else {
            return None;
        };
        let (n, factor) = (self.from_poly(n), factor.to_integer());
        if self.mentions(n, var) {
            return None;
        }
        let rank = self.div(n, self.int(factor.clone()));
        let all = self.fold_over(FoldOp::Sum, var, lo, hi, None, self.indicator(p));
        let at = self.nth_over(var, rank, lo, hi, p);
        let exists = self.and(&[self.divides(factor, n), self.within(self.int(0), rank, all)]);
        Some(ByRank { counted: p, exists, at })
    }

    /// The condition that is counted, if the term is the number of the indexes from `lo` to just
    /// before the variable that have it.
    fn counted_before(&self, var: Var, lo: Term, count: Term) -> Option<Term> {
        let Node::Fold { op: FoldOp::Sum, lo: from, hi, body, .. } = *self.node(count) else { return None };
        let Node::Ite(p, yes, no) = *self.node(body) else { return None };
        let is_count = yes == self.int(1) && no == self.int(0);
        if from != lo || hi != self.var(var) || !is_count {
            return None;
        }
        // The index of the count is the variable now; it must not have been there before.
        let is_free = self.scoped(|_, k| !self.mentions(self.open(p, k), var));
        is_free.then(|| self.instantiate(p, self.var(var)))
    }

    /// The last, or first, index at which a disjunction holds of conditions that hold at one index
    /// at most each; `None` if it is no such condition.
    pub(crate) fn one_by_one(&self, var: Var, lo: Term, hi: Term, parts: &[Term], last: bool) -> Option<Term> {
        let cases = self.alternatives(parts)?;
        let none = if last { self.sub(lo, self.int(1)) } else { hi };
        let found: Option<Vec<(Term, Term)>> =
            cases.iter().map(|case| self.only_index(var, lo, hi, &self.conjuncts(*case))).collect();
        let mut result: Option<(Term, Term)> = None;
        for (there, at) in found? {
            result = Some(match result {
                None => (there, self.ite(there, at, none)),
                Some((before, value)) => {
                    let any = self.or(&[before, there]);
                    let one = match self.as_truth(self.and(&[before, there])) {
                        Some(false) => self.ite(there, at, value),
                        _ => {
                            let at = self.ite(there, at, none);
                            if last { self.max(value, at) } else { self.min(value, at) }
                        }
                    };
                    (any, one)
                }
            });
        }
        result.map(|(_, value)| value)
    }

    /// A conjunction as a disjunction, if it has one among its parts, or is one.
    fn alternatives(&self, parts: &[Term]) -> Option<Vec<Term>> {
        let (i, cases) = parts.iter().enumerate().find_map(|(i, &p)| match &*self.node(p) {
            Node::Or(cases) => Some((i, cases.clone())),
            _ => None,
        })?;
        let rest = without(parts, i);
        let mut all = Vec::new();
        for case in cases {
            let whole = self.and(&[rest.clone(), vec![case]].concat());
            match self.alternatives(&self.conjuncts(whole)) {
                Some(inner) => all.extend(inner),
                None if self.as_truth(whole) == Some(false) => {}
                None => all.push(whole),
            }
            if all.len() > DISJUNCTS || !self.spend(10) {
                return None;
            }
        }
        Some(all)
    }
}
