//! Conditions that hold at one index at most: the index is solved for.
//!
//! Rules, and why they hold for all ranges:
//! * `a*k + t = 0` holds at `-t/a` only, if `a` divides `t`.
//! * The number `c(k)` of the indexes from `lo` to `k - 1` with `p` grows by 1 after each index
//!   with `p`. So `p(k)` and `c(k) = n` hold together at the `n`-th index with `p` only, and there
//!   is one exactly if `0 <= n < c(hi)`. That is what a compaction, `if (p) b[j++] = e`, writes to
//!   cell `n`. A term is `t + a*c(k)` if it is `t` at `lo`, and after each index either as much or
//!   `a` more; `p` is that it is more. So `c(k)` may have the form of a sum of other numbers.
//! * `last(p or q)` is the greater of `last(p)` and `last(q)`, since both are `lo - 1` without a
//!   result; `first(p or q)` is the lesser. Of two conditions that exclude each other, the one that
//!   holds says which.

use crate::context::Context;
use crate::name::{Int, Term, Var};
use crate::node::{FoldOp, Node};
use crate::poly::{Poly, Rat};
use crate::search::without;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The greatest number of disjuncts that are searched one by one.
const DISJUNCTS: usize = 8;
/// The number of choices whose conditions say together whether an index counts.
const CHOICES: u32 = 4;

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

    /// The solution of the condition, an equation for the rank of the index among those with a
    /// condition that follows from `others`.
    pub fn solution_by_rank(&self, var: Var, lo: Term, hi: Term, condition: Term, others: &[Term]) -> Option<ByRank> {
        let Node::Zero(q) = *self.node(condition) else { return None };
        let (first, step) = self.running_sum(var, lo, q)?;
        let factor = self.poly(step).terms().iter().fold(Int::from(0), |all, (_, a)| all.gcd(a.numer()));
        if factor.is_zero() {
            return None;
        }
        let one = self.from_poly(self.poly(step).scale(&Rat::new(Int::from(1), factor.clone())));
        // `factor*count = rest`.
        let (counted, rest) = match self.indicated(one, CHOICES) {
            Some(counted) => (counted, self.neg(first)),
            None => (self.indicated(self.neg(one), CHOICES)?, first),
        };
        if self.as_truth(self.cofactor(counted, self.and(others))) != Some(true) {
            return None;
        }
        let rank = self.div(rest, self.int(factor.clone()));
        let all = self.fold_over(FoldOp::Sum, var, lo, hi, None, self.indicator(counted));
        let at = self.nth_over(var, rank, lo, hi, counted);
        let exists = self.and(&[self.divides(factor, rest), self.within(self.int(0), rank, all)]);
        Some(ByRank { counted, exists, at })
    }

    /// What a term that is linear in the variable and in sums over the indexes from `lo` to just
    /// before it is at `lo`, and by how much more it is after each index, as a term about that
    /// index; `None` if it is no such term, or has no sums.
    fn running_sum(&self, var: Var, lo: Term, t: Term) -> Option<(Term, Term)> {
        let (mut first, mut step, mut has_sum) = (Poly::default(), Poly::default(), false);
        for (m, a) in self.poly(t).terms() {
            if m.iter().all(|(atom, _)| !self.mentions(*atom, var)) {
                first = first.add(&Poly::monomial(m.clone(), a.clone()));
                continue;
            }
            let [(atom, 1)] = m[..] else { return None };
            let grows = if atom == self.var(var) {
                first = first.add_scaled(&self.poly(lo), a);
                self.int(1)
            } else {
                has_sum = true;
                self.summed_before(var, lo, atom)?
            };
            step = step.add_scaled(&self.poly(grows), a);
        }
        (has_sum && step.terms().iter().all(|(_, a)| a.is_integer()))
            .then(|| (self.from_poly(first), self.from_poly(step)))
    }

    /// The condition under which a term is 1, if it is 1 or 0 in each case of its choices.
    fn indicated(&self, t: Term, choices: u32) -> Option<Term> {
        if let Some(value) = self.as_int(t) {
            return (value.is_zero() || value.is_one()).then(|| self.truth(value.is_one()));
        }
        let atoms = self.poly_atoms(t);
        let between_numbers = |choice: Term| match *self.node(choice) {
            Node::Ite(p, a, b) if self.as_int(a).is_some() && self.as_int(b).is_some() => Some(p),
            _ => None,
        };
        // One choice alone is taken with its whole condition.
        let whole = if let [only] = atoms[..] { between_numbers(only) } else { None };
        let p = whole.or_else(|| atoms.iter().find_map(|atom| self.first_choice(*atom)))?;
        let choices = choices.checked_sub(1)?;
        let under = |side: Term| Some(self.and(&[side, self.indicated(self.cofactor(t, side), choices)?]));
        Some(self.or(&[under(p)?, under(self.not(p))?]))
    }

    /// What is summed at the index that the variable is, if the term is a sum over the indexes from
    /// `lo` to just before it.
    fn summed_before(&self, var: Var, lo: Term, t: Term) -> Option<Term> {
        let Node::Fold { op: FoldOp::Sum, lo: from, hi, body, .. } = *self.node(t) else { return None };
        // The index of the sum is the variable now; it must not have been there before.
        let is_free = || self.scoped(|_, k| !self.mentions(self.open(body, k), var));
        (from == lo && hi == self.var(var) && is_free()).then(|| self.instantiate(body, self.var(var)))
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
