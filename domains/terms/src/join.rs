//! Adjacent ranges of one body, joined where facts say that they are adjacent.
//!
//! Where `lo <= hi`, the sum over `[lo, hi)` is `G(hi) - G(lo)`, where `G(x)` is the sum from any
//! fixed index to `x`. So a combination of sums of one body, and of single cells of it
//! (`t(x) = G(x + 1) - G(x)`), is a combination of `G` at the ends, with coefficients whose sum is
//! 0; written with the least end as the fixed index it is unique. That joins `[lo, mid)` and `[mid,
//! hi)` where `lo <= mid <= hi` is known, takes common parts out of a difference, and puts a cell
//! that stands alone back into its range. Ranges for which no order is known stay as they are.
//!
//! Ranges and single cells of `max` and `min` are a bag, joined one by one.

use crate::context::{Context, children};
use crate::facts::Facts;
use crate::name::Term;
use crate::node::{FoldOp, Node};
use crate::poly::{Monomial, Poly, Rat};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// The greatest number of ends of ranges of one body.
const ENDS: usize = 24;

impl Facts<'_> {
    /// The polynomial with its sums joined.
    pub(crate) fn joined_sums(&self, p: Poly) -> Term {
        let mut p = p;
        let mut bodies: Vec<Term> = p.atoms().iter().filter_map(|&a| self.sum_of(a).map(|s| s.2)).collect();
        bodies.sort_unstable();
        bodies.dedup();
        for body in bodies {
            p = self.joined_body(&p, body);
        }
        self.c.from_poly(p)
    }

    fn sum_of(&self, t: Term) -> Option<(Term, Term, Term)> {
        match *self.c.node(t) {
            Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } => Some((lo, hi, body)),
            _ => None,
        }
    }

    /// The polynomial with the sums of one body joined. Only sums that stand alone in their
    /// monomial take part.
    fn joined_body(&self, p: &Poly, body: Term) -> Poly {
        let c = self.c;
        let mut ends: BTreeMap<Term, Rat> = BTreeMap::new();
        let mut rest = Poly::default();
        let mut ranges = 0;
        let mut cells = 0;
        for (m, k) in p.terms() {
            let mut add = |lo: Term, hi: Term| {
                *ends.entry(hi).or_insert_with(Rat::zero) += k;
                *ends.entry(lo).or_insert_with(Rat::zero) -= k;
            };
            let range = match m[..] {
                [(atom, 1)] => self.sum_of(atom).filter(|s| s.2 == body),
                _ => None,
            };
            if let Some((lo, hi, _)) = range.filter(|&(lo, hi, _)| self.proves(c.le(lo, hi))) {
                add(lo, hi);
                ranges += 1;
            } else if let Some(at) = self.cell_of(m, body) {
                add(at, c.add(at, c.int(1)));
                cells += 1;
            } else {
                rest = rest.add(&Poly::monomial(m.clone(), k.clone()));
            }
        }
        ends.retain(|_, k| !k.is_zero());
        if ranges == 0 || ranges + cells < 2 || ends.len() > ENDS {
            return if ends.is_empty() && ranges > 0 { rest } else { p.clone() };
        }
        self.between_ends(&ends, body).map_or_else(|| p.clone(), |sums| rest.add(&sums))
    }

    /// The combination of `G` at the ends as sums from the least end.
    fn between_ends(&self, ends: &BTreeMap<Term, Rat>, body: Term) -> Option<Poly> {
        let c = self.c;
        let all: Vec<Term> = ends.keys().copied().collect();
        let Some(&least) = all.iter().find(|&&e| all.iter().all(|&o| o == e || self.proves(c.le(e, o)))) else {
            return all.is_empty().then(Poly::default);
        };
        let mut sum = Poly::default();
        for (&end, k) in ends {
            if end != least {
                let one = c.scoped(|v, x| c.fold_over(FoldOp::Sum, v, least, end, None, c.open(body, x)));
                sum = sum.add_scaled(&c.poly(one), k);
            }
        }
        Some(sum)
    }

    /// The index at which the body is the monomial.
    fn cell_of(&self, m: &Monomial, body: Term) -> Option<Term> {
        let c = self.c;
        if m.is_empty() {
            return None;
        }
        let product = c.from_poly(Poly::monomial(m.clone(), Rat::one()));
        c.cell_index(product, body)
    }

    /// A fold by `max` or `min`, or one beside other elements, with its ranges and single elements
    /// joined.
    pub(crate) fn joined_extremes(&self, t: Term) -> Term {
        let c = self.c;
        let mut op = match &*c.node(t) {
            Node::Max(_) => Some(FoldOp::Max),
            Node::Min(_) => Some(FoldOp::Min),
            _ => None,
        };
        let (mut ranges, mut single) = (Vec::new(), Vec::new());
        let mut todo = vec![t];
        while let Some(x) = todo.pop() {
            match &*c.node(x) {
                Node::Fold { op: o @ (FoldOp::Max | FoldOp::Min), lo, hi, seed: Some(seed), body }
                    if op.is_none_or(|op| op == *o) =>
                {
                    op = Some(*o);
                    ranges.push((*body, *lo, *hi));
                    todo.push(*seed);
                }
                Node::Max(ts) if op == Some(FoldOp::Max) => todo.extend(ts),
                Node::Min(ts) if op == Some(FoldOp::Min) => todo.extend(ts),
                _ => single.push(x),
            }
        }
        let Some(op) = op.filter(|_| !ranges.is_empty() && ranges.len() <= ENDS) else { return t };
        while let Some(joined) = self.join_step(&ranges, &single) {
            (ranges, single) = joined;
        }
        if single.is_empty() {
            // No seed is left: one element has to stay outside.
            return t;
        }
        ranges.sort_unstable();
        let seed = if op == FoldOp::Max { c.max_of(&single) } else { c.min_of(&single) };
        ranges
            .into_iter()
            .fold(seed, |seed, (body, lo, hi)| c.scoped(|v, k| c.fold_over(op, v, lo, hi, Some(seed), c.open(body, k))))
    }

    /// Joins two ranges, or a range and an element next to it or inside of it.
    fn join_step(&self, ranges: &[Extent], single: &[Term]) -> Option<(Vec<Extent>, Vec<Term>)> {
        let c = self.c;
        let one = c.int(1);
        for (i, &(body, lo, hi)) in ranges.iter().enumerate() {
            let mut others = ranges.to_vec();
            others.remove(i);
            for (j, &(other, lo2, hi2)) in others.iter().enumerate() {
                let meets = other == body && self.proves(c.and(&[c.le(lo, lo2), c.le(lo2, hi), c.le(hi, hi2)]));
                if meets {
                    let mut all = others.clone();
                    all[j] = (body, lo, hi2);
                    return Some((all, single.to_vec()));
                }
            }
            // One element has to stay as the seed.
            for (j, &x) in single.iter().enumerate().filter(|_| single.len() > 1) {
                let Some(at) = c.cell_index(x, body) else { continue };
                let joined = if self.proves(c.within(lo, at, hi)) {
                    (body, lo, hi)
                } else if self.proves(c.and(&[c.eq(at, hi), c.le(lo, hi)])) {
                    (body, lo, c.add(hi, one))
                } else if self.proves(c.and(&[c.eq(c.add(at, one), lo), c.le(lo, hi)])) {
                    (body, at, hi)
                } else {
                    continue;
                };
                let mut all = others.clone();
                all.push(joined);
                let mut left = single.to_vec();
                left.remove(j);
                return Some((all, left));
            }
        }
        None
    }
}

/// Body, first index, index after the last one.
type Extent = (Term, Term, Term);

impl Context {
    /// The index `x` with `body(x) = t`, found by comparing a cell that the body reads at its index
    /// with the cells that `t` reads.
    pub(crate) fn cell_index(&self, t: Term, body: Term) -> Option<Term> {
        self.scoped(|v, k| {
            let open = self.open(body, k);
            let pattern = self
                .reads(open)
                .into_iter()
                .find_map(|(array, index)| (index == [k] && !self.mentions(array, v)).then_some(array))?;
            let candidates = self.reads(t).into_iter().filter(|r| r.0 == pattern && r.1.len() == 1);
            candidates.map(|r| r.1[0]).find(|&x| self.substitute(open, v, x) == t)
        })
    }

    /// The reads in a term that are not under a binder.
    fn reads(&self, t: Term) -> Vec<(Term, Vec<Term>)> {
        let (mut found, mut todo) = (Vec::new(), vec![t]);
        while let Some(x) = todo.pop() {
            if found.len() > 16 || !self.spend(1) {
                break;
            }
            let node = self.node(x);
            if let Node::Read(a, index) = &*node {
                found.push((*a, index.clone()));
            }
            todo.extend(children(&node).into_iter().filter(|c| c.1 == 0).map(|c| c.0));
        }
        found
    }
}
