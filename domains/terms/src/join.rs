//! Adjacent ranges of one body, joined where facts say that they are adjacent.
//!
//! Where `lo <= hi`, the sum over `[lo, hi)` is `G(hi) - G(lo)`, where `G(x)` is the sum from any
//! fixed index to `x`. So a combination of sums of one body, and of single cells of it
//! (`t(x) = G(x + 1) - G(x)`), is a combination of `G` at the ends, with coefficients whose sum is
//! 0; written with the least end as the fixed index it is unique. That joins `[lo, mid)` and `[mid,
//! hi)` where `lo <= mid <= hi` is known, takes common parts out of a difference, and puts a cell
//! that stands alone back into its range. Ranges for which no order is known stay as they are.
//!
//! Other operations are joined in `bag`.

use crate::context::{Context, children};
use crate::facts::Facts;
use crate::fold::Head;
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
}

impl Context {
    /// The index `x` with `body(x) = t`, found by comparing a cell that the body reads at its
    /// index, or an unknown that it applies to it, with those in `t`.
    pub(crate) fn cell_index(&self, t: Term, body: Term) -> Option<Term> {
        self.scoped(|v, k| {
            let open = self.open(body, k);
            let (pattern, at) = self.heads_with_indexes(open).into_iter().find_map(|(head, index)| {
                let at = index.iter().position(|&i| i == k)?;
                let is_fixed = match head {
                    Head::Array(array) => !self.mentions(array, v),
                    Head::Symbol(_) => true,
                };
                is_fixed.then_some((head, at))
            })?;
            let candidates = self.heads_with_indexes(t).into_iter().filter(|r| r.0 == pattern);
            candidates.map(|r| r.1[at]).find(|&x| self.substitute(open, v, x) == t)
        })
    }

    /// The arrays that are read and the symbols that are applied in a term, not under a binder,
    /// with the indexes.
    pub(crate) fn heads_with_indexes(&self, t: Term) -> Vec<(Head, Vec<Term>)> {
        let (mut found, mut todo) = (Vec::new(), vec![t]);
        while let Some(x) = todo.pop() {
            if found.len() > 16 || !self.spend(1) {
                break;
            }
            let node = self.node(x);
            match &*node {
                Node::Read(a, index) => found.push((Head::Array(*a), index.clone())),
                Node::Apply(s, index) if !index.is_empty() => found.push((Head::Symbol(*s), index.clone())),
                _ => {}
            }
            todo.extend(children(&node).into_iter().filter(|c| c.1 == 0).map(|c| c.0));
        }
        found
    }
}
