//! Folds by other operations than the sum: a range is split where the body tests the index.
//!
//! Rules, and why they hold for all ranges:
//! * A test `a*k + t >= 0` in the body: the elements where it holds are one range, the others are
//!   another; in each the test is decided. A test `a*k + t = 0` holds at one element at most.
//! * `max(seed, c + f(k))` is `c + max(seed - c, f(k))`, and `max(s, -f(k))` is `-min(-s, f(k))`.
//! * The greatest of `a*k + t` with `a > 0` is that of the last element, if there is one.
//! * Seeds of seeds: `fold(max, R, fold(max, S, s))` is the greatest over a bag of ranges and
//!   single elements, which is kept in one order.
//! * `any k. p(k)`, where `p` holds at one index at most, is `p` there (`solution`).
//! * `any k. p(k) and q` is `q and any k. p(k)`, and `any k. p(k) or q(k)` is `(any k. p(k)) or
//!   (any k. q(k))`; `all k. p(k)` is `not any k. not p(k)`.

use crate::context::{Context, children};
use crate::fold::OpenFold;
use crate::name::{Int, Term};
use crate::node::{FoldOp, Node};
use crate::poly::Poly;
use num_traits::{One, Signed};
use std::collections::HashSet;

impl Context {
    pub(crate) fn other_rules(&self, f: OpenFold) -> Term {
        if !self.mentions(f.body, f.var)
            && let Some(t) = self.fixed_body(f)
        {
            return t;
        }
        let solved = f.op == FoldOp::Any && self.has_only_index(f.var, &self.conjuncts(f.body));
        if !solved && let Some(t) = self.split_at_test(f) {
            return t;
        }
        match f.op {
            FoldOp::Any => self.any_rules(f),
            FoldOp::Max | FoldOp::Min => self.extreme(f),
            FoldOp::Product => self.product(f),
            _ => self.finished(f),
        }
    }

    /// A fold whose body does not depend on the index.
    fn fixed_body(&self, f: OpenFold) -> Option<Term> {
        let some = self.lt(f.lo, f.hi);
        let neutral = self.neutral(f.op, f.seed);
        match f.op {
            FoldOp::Product => {
                let base = self.as_int(f.body)?;
                Some(self.power(base, self.sub(f.hi, f.lo)))
            }
            FoldOp::BitXor => {
                let odd = self.not(self.divides(2, self.sub(f.hi, f.lo)));
                Some(self.ite(self.and(&[some, odd]), f.body, neutral))
            }
            FoldOp::Sum => None,
            _ => Some(self.ite(some, self.combine(f.op, neutral, f.body), neutral)),
        }
    }

    /// Splits the range at a test of the index in the body.
    fn split_at_test(&self, f: OpenFold) -> Option<Term> {
        let (test, a, t) = self.index_test(f)?;
        let with = |given: Term, body: Term| self.cofactor(body, given);
        let no = self.not(test);
        if let Node::NonNegative(_) = &*self.node(test) {
            let (lo, hi) = self.narrowed(f.lo, f.hi, &a, &t);
            let first = self.fold_over(f.op, f.var, lo, hi, f.seed, with(test, f.body));
            let (a, t) = (-a, Poly::int(-1).sub(&t));
            let (lo, hi) = self.narrowed(f.lo, f.hi, &a, &t);
            let seed = f.seed.map(|_| first);
            let second = self.fold_over(f.op, f.var, lo, hi, seed, with(no, f.body));
            return Some(if seed.is_some() { second } else { self.combine(f.op, first, second) });
        }
        let t = self.from_poly(t);
        let at = self.scale(-a, t);
        let there = self.within(f.lo, at, f.hi);
        let (before, after) = (self.min(f.hi, at), self.max(f.lo, self.add(at, self.int(1))));
        let body = with(no, f.body);
        let value = self.substitute(with(test, f.body), f.var, at);
        let neutral = self.neutral(f.op, f.seed);
        // First the one element, then the ranges: a seed stays small.
        let start = self.ite(there, self.combine(f.op, neutral, value), neutral);
        let seed = f.seed.map(|_| start);
        let left = self.fold_over(f.op, f.var, f.lo, before, seed, body);
        let seed = f.seed.map(|_| left);
        let right = self.fold_over(f.op, f.var, after, f.hi, seed, body);
        if seed.is_some() {
            return Some(right);
        }
        Some(self.combine(f.op, start, self.combine(f.op, left, right)))
    }

    /// A test of the index in the body, not inside of a binder: `a*k + t >= 0` or `= 0`.
    pub(crate) fn index_test(&self, f: OpenFold) -> Option<(Term, Int, Poly)> {
        let mut seen = HashSet::new();
        let mut todo = vec![f.body];
        let mut equal = None;
        while let Some(x) = todo.pop() {
            if !self.mentions(x, f.var) || !seen.insert(x) || !self.spend(1) {
                continue;
            }
            match &*self.node(x) {
                Node::NonNegative(p) => {
                    if let Some((a, t)) = self.affine(*p, f.var) {
                        return Some((x, a, t));
                    }
                }
                Node::Zero(p) => {
                    if let Some((a, t)) = self.affine(*p, f.var).filter(|(a, _)| a.abs().is_one()) {
                        equal = equal.or(Some((x, a, t)));
                    }
                }
                _ => {}
            }
            todo.extend(children(&self.node(x)).into_iter().filter(|c| c.1 == 0).map(|c| c.0));
        }
        equal
    }

    fn any_rules(&self, f: OpenFold) -> Term {
        if let Some((there, _)) = self.only_index(f.var, f.lo, f.hi, &self.conjuncts(f.body)) {
            return there;
        }
        match &*self.node(f.body) {
            Node::Or(ps) => {
                let each = |&p: &Term| self.fold_over(f.op, f.var, f.lo, f.hi, None, p);
                self.or(&ps.iter().map(each).collect::<Vec<_>>())
            }
            Node::And(ps) if ps.iter().any(|&p| !self.mentions(p, f.var)) => {
                let (inside, mut parts): (Vec<Term>, Vec<Term>) = ps.iter().partition(|&&p| self.mentions(p, f.var));
                parts.push(self.fold_over(f.op, f.var, f.lo, f.hi, None, self.and(&inside)));
                self.and(&parts)
            }
            _ => self.finished(f),
        }
    }

    fn extreme(&self, f: OpenFold) -> Term {
        let Some(seed) = f.seed else { return self.finished(f) };
        let p = self.poly(f.body);
        let fixed = p.terms().iter().filter(|(m, _)| m.iter().all(|x| !self.mentions(x.0, f.var)));
        let fixed = fixed.fold(Poly::default(), |sum, (m, c)| sum.add(&Poly::monomial(m.clone(), c.clone())));
        if !fixed.terms().is_empty() && fixed.is_integer_valued() {
            let body = self.from_poly(p.sub(&fixed));
            let outside = self.from_poly(fixed);
            let seed = Some(self.sub(seed, outside));
            return self.add(outside, self.fold_over(f.op, f.var, f.lo, f.hi, seed, body));
        }
        let greatest = f.op == FoldOp::Max;
        if p.is_non_positive() {
            let op = if greatest { FoldOp::Min } else { FoldOp::Max };
            let (seed, body) = (self.neg(seed), self.neg(f.body));
            return self.neg(self.fold_over(op, f.var, f.lo, f.hi, Some(seed), body));
        }
        if let Some((a, _)) = self.affine(f.body, f.var) {
            let at = if a.is_positive() == greatest { self.sub(f.hi, self.int(1)) } else { f.lo };
            let value = self.substitute(f.body, f.var, at);
            return self.ite(self.lt(f.lo, f.hi), self.combine(f.op, seed, value), seed);
        }
        if let Node::Max(parts) | Node::Min(parts) = &*self.node(f.body) {
            // The greatest of the greater ones: one after the other.
            if matches!(&*self.node(f.body), Node::Max(_)) == greatest {
                return parts
                    .iter()
                    .fold(seed, |seed, &part| self.fold_over(f.op, f.var, f.lo, f.hi, Some(seed), part));
            }
        }
        self.in_order(f, seed)
    }

    /// Puts the fold among those that its seed is made of.
    fn in_order(&self, f: OpenFold, seed: Term) -> Term {
        let mine = self.finished(OpenFold { seed: Some(seed), ..f });
        let mut folds: Vec<(Term, Term, Term)> = Vec::new();
        let mut innermost = mine;
        let mut single: Vec<Term> = Vec::new();
        loop {
            let node = self.node(innermost);
            match &*node {
                Node::Fold { op, lo, hi, seed: Some(seed), body } if *op == f.op => {
                    folds.push((*body, *lo, *hi));
                    innermost = *seed;
                }
                // Elements beside a fold belong into its seed.
                Node::Max(parts) | Node::Min(parts) if matches!(&*node, Node::Max(_)) == (f.op == FoldOp::Max) => {
                    let fold = parts.iter().find(|&&t| self.is_fold(t, f.op));
                    let Some(&fold) = fold else { break };
                    single.extend(parts.iter().copied().filter(|&t| t != fold));
                    innermost = fold;
                }
                _ => break,
            }
        }
        single.push(innermost);
        folds.sort_unstable();
        folds.dedup();
        let seed = if f.op == FoldOp::Max { self.max_of(&single) } else { self.min_of(&single) };
        folds
            .into_iter()
            .fold(seed, |seed, (body, lo, hi)| self.intern(Node::Fold { op: f.op, lo, hi, seed: Some(seed), body }))
    }

    pub(crate) fn is_fold(&self, t: Term, op: FoldOp) -> bool {
        matches!(&*self.node(t), Node::Fold { op: o, .. } if *o == op)
    }

    fn product(&self, f: OpenFold) -> Term {
        let p = self.poly(f.body);
        let [(m, c)] = p.terms() else { return self.finished(f) };
        if m.len() == 1 && m[0].1 == 1 && c.is_one() || !c.is_integer() {
            return self.finished(f);
        }
        let mut product = self.power(c.to_integer(), self.sub(f.hi, f.lo));
        for &(factor, e) in m {
            let one = self.fold_over(FoldOp::Product, f.var, f.lo, f.hi, None, factor);
            product = self.mul(product, self.power_of(one, e));
        }
        product
    }
}
