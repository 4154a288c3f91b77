//! Simpler terms where facts are known.
//!
//! The result equals the term wherever the facts hold. Conditions that are decided go, parts of
//! `max` and `min` that are covered go, a `wrap` of what is in range goes, quotients of what is
//! below the divisor are 0; a branch may use its condition, and the body of a fold may use that its
//! index is in the range. A fold over a few elements is written without a fold. What an equation
//! defines is replaced. Then adjacent ranges are joined (`join`, `bag`), and folds over ranks
//! become folds over positions (`rank`).

use crate::context::Context;
use crate::facts::Facts;
use crate::name::{Term, Var};
use crate::node::Node;
use crate::poly::Poly;
use num_traits::ToPrimitive;
use std::collections::HashMap;

/// The depth of branches and bodies whose conditions become facts.
const NESTED: u32 = 4;

impl Facts<'_> {
    /// A term that has the same value wherever the facts hold.
    pub fn simplify(&self, t: Term) -> Term {
        let mut facts = self.clone();
        facts.simplifying = true;
        Simplifier { facts: &facts, c: self.c, memo: HashMap::new(), nested: NESTED }.term(t)
    }
}

/// The greatest length of a range that is written element by element.
const SHORT_RANGE: i64 = 3;

/// The size of a condition that others are simplified by.
const SHORT: u64 = 8;

struct Simplifier<'a> {
    facts: &'a Facts<'a>,
    c: &'a Context,
    memo: HashMap<Term, Term>,
    nested: u32,
}

impl Simplifier<'_> {
    fn term(&mut self, t: Term) -> Term {
        if let Some(&known) = self.memo.get(&t) {
            return known;
        }
        if !self.c.spend(5) {
            return t;
        }
        let result = self.rewritten(t);
        self.memo.insert(t, result);
        result
    }

    fn all(&mut self, ts: &[Term]) -> Vec<Term> {
        ts.iter().map(|&t| self.term(t)).collect()
    }

    /// The term where one more fact holds.
    fn under(&self, fact: Term, t: Term) -> Term {
        if self.nested == 0 {
            return t;
        }
        let facts = self.facts.with(fact);
        Simplifier { facts: &facts, c: self.c, memo: HashMap::new(), nested: self.nested - 1 }.term(t)
    }

    fn rewritten(&mut self, t: Term) -> Term {
        let c = self.c;
        let node = c.node(t);
        match &*node {
            Node::Poly(p) => {
                let p = self.poly(p);
                self.facts.joined_sums(p)
            }
            Node::Var(_) | Node::Apply(..) if self.facts.definition(t).is_some() => {
                let by = self.facts.definition(t).expect("it was just found");
                self.term(by)
            }
            Node::Var(_) | Node::Bound(_) | Node::Truth(_) => t,
            Node::Apply(s, ts) if c.sort(t) != crate::node::Sort::Bool => c.apply(*s, &self.all(ts)),
            Node::Power(base, e) => c.power(base.clone(), self.term(*e)),
            Node::Div(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                let below = self.facts.proves(c.within(c.int(0), a, b));
                if below { c.int(0) } else { c.div(a, b) }
            }
            Node::Ite(p, a, b) => self.ite(*p, *a, *b),
            Node::Max(ts) => {
                let ts = self.all(ts);
                self.facts.joined_bag(c.max_of(&self.uncovered(ts, true)))
            }
            Node::Min(ts) => {
                let ts = self.all(ts);
                self.facts.joined_bag(c.min_of(&self.uncovered(ts, false)))
            }
            Node::Read(a, index) => {
                let index = self.all(index);
                let array = self.term(*a);
                c.read(array, &index)
            }
            Node::Fold { op, lo, hi, seed, body } => {
                let (lo, hi, seed) = (self.term(*lo), self.term(*hi), seed.map(|s| self.term(s)));
                if self.facts.proves(c.le(hi, lo)) {
                    return c.neutral(*op, seed);
                }
                if let Some(length) = self.short_length(lo, hi) {
                    let element = |k| self.term(c.open(*body, c.add(lo, c.int(k))));
                    return (0..length).map(element).fold(c.neutral(*op, seed), |all, t| c.combine(*op, all, t));
                }
                let fold = c.scoped(|v, k| {
                    let body = self.under(c.within(lo, k, hi), c.open(*body, k));
                    c.fold_over(*op, v, lo, hi, seed, body)
                });
                self.facts.joined_bag(self.facts.over_positions(fold))
            }
            Node::First(lo, hi, p) => self.search(*lo, *hi, *p, |v, lo, hi, p| c.first_over(v, lo, hi, p)),
            Node::Last(lo, hi, p) => self.search(*lo, *hi, *p, |v, lo, hi, p| c.last_over(v, lo, hi, p)),
            Node::Nth(n, lo, hi, p) => {
                let n = self.term(*n);
                self.search(*lo, *hi, *p, |v, lo, hi, p| c.nth_over(v, n, lo, hi, p))
            }
            Node::Wrap(w, t) => {
                let t = self.term(*t);
                let (lo, hi) = (c.int(w.least()), c.int(w.greatest()));
                if self.facts.proves(c.and(&[c.le(lo, t), c.le(t, hi)])) { t } else { c.wrap(*w, t) }
            }
            Node::Bits(op, ts) => {
                let ts = self.all(ts);
                self.facts.joined_bag(c.bits(*op, &ts))
            }
            Node::And(..)
            | Node::Or(..)
            | Node::NonNegative(..)
            | Node::Zero(..)
            | Node::Divides(..)
            | Node::Not(..) => {
                let p = self.condition(&node);
                self.decided(self.facts.joined_bag(p))
            }
            Node::Apply(..) => self.decided(t),
            Node::Lambda(rank, body) => c.scoped_all(*rank, |vars, ks| {
                let body = self.under(c.truth(true), c.open_all(*body, ks));
                c.lambda_over(vars, body)
            }),
        }
    }

    /// A condition with simpler parts.
    fn condition(&mut self, node: &Node) -> Term {
        let c = self.c;
        match node {
            Node::And(ps) => self.conjunction(ps),
            Node::Or(ps) => c.or(&self.all(ps)),
            Node::NonNegative(t) => c.non_negative(self.term(*t)),
            Node::Zero(t) => c.is_zero(self.term(*t)),
            Node::Divides(m, t) => c.divides(m.clone(), self.term(*t)),
            Node::Not(p) => c.not(self.term(*p)),
            other => c.intern(other.clone()),
        }
    }

    /// The parts of a conjunction, those that are long where the short ones hold.
    fn conjunction(&mut self, ps: &[Term]) -> Term {
        let c = self.c;
        let (short, long): (Vec<Term>, Vec<Term>) = ps.iter().partition(|&&p| c.size(p) <= SHORT);
        let short = c.and(&self.all(&short));
        let long: Vec<Term> = match c.as_truth(short) {
            Some(false) => return short,
            Some(true) => self.all(&long),
            None => long.iter().map(|&p| self.under(short, p)).collect(),
        };
        c.and(&[long, vec![short]].concat())
    }

    fn decided(&self, p: Term) -> Term {
        match self.c.node(p).as_ref() {
            Node::Truth(_) => p,
            _ => self.facts.decide_as_is(p).map_or(p, |b| self.c.truth(b)),
        }
    }

    fn ite(&mut self, p: Term, a: Term, b: Term) -> Term {
        let p = self.term(p);
        match self.c.as_truth(p) {
            Some(true) => self.term(a),
            Some(false) => self.term(b),
            None => self.c.ite(p, self.under(p, a), self.under(self.c.not(p), b)),
        }
    }

    /// Without the parts that another part covers.
    fn uncovered(&self, mut ts: Vec<Term>, greatest: bool) -> Vec<Term> {
        let mut i = 0;
        while i < ts.len() && ts.len() > 1 {
            let mine = ts[i];
            let covered = ts.iter().enumerate().any(|(j, &other)| {
                let goal = if greatest { self.c.ge(other, mine) } else { self.c.le(other, mine) };
                j != i && self.facts.proves(goal)
            });
            if covered {
                ts.remove(i);
            } else {
                i += 1;
            }
        }
        ts
    }

    /// The length of a range that is known, and short enough to write its elements one by one.
    fn short_length(&self, lo: Term, hi: Term) -> Option<i64> {
        let length = self.c.sub(hi, lo);
        let known = self.c.as_int(length).or_else(|| match self.facts.bounds(length) {
            (Some(least), Some(greatest)) if least == greatest => Some(least),
            _ => None,
        });
        known?.to_i64().filter(|n| (0..=SHORT_RANGE).contains(n))
    }

    fn search(&mut self, lo: Term, hi: Term, p: Term, make: impl Fn(Var, Term, Term, Term) -> Term) -> Term {
        let (lo, hi) = (self.term(lo), self.term(hi));
        let found = self.c.scoped(|v, k| {
            let p = self.under(self.c.within(lo, k, hi), self.c.open(p, k));
            make(v, lo, hi, p)
        });
        match &*self.c.node(found) {
            Node::First(..) | Node::Last(..) | Node::Nth(..) => found,
            // It was solved: the facts say more about the solution.
            _ => self.under(self.c.truth(true), found),
        }
    }

    fn poly(&mut self, p: &Poly) -> Poly {
        let mut sum = Poly::default();
        for (m, f) in p.terms() {
            let product = m.iter().fold(Poly::constant(f.clone()), |product, &(atom, e)| {
                let by = self.c.poly(self.term(atom));
                (0..e).fold(product, |product, _| self.c.times(&product, &by))
            });
            sum = sum.add(&product);
        }
        sum
    }
}
