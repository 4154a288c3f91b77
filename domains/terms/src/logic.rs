//! Booleans: comparisons as `p >= 0`, `p = 0` and `c` divides `p`, with integer coefficients.
//!
//! Rules, and why they hold (all over the integers):
//! * `g*q + s >= 0` is `q + s div g >= 0`; `g*q + s = 0` is false unless `g` divides `s`. (Pugh,
//!   "The Omega test", CACM 35, 1992, 2.1.)
//! * `not p >= 0` is `-p - 1 >= 0`; 2 does not divide `p` where it divides `p + 1`.
//! * `x div c + r >= 0` is `x + c*r >= 0`, and `r - x div c >= 0` is `c*r + c - 1 - x >= 0`: by the
//!   definition of the floor.
//! * `f*(x mod c) + d = 0` says that `c` divides `x + d/f`, if `-d/f` is an integer from 0 to `c -
//!   1`; else it is false. An `ite` whose sides say the same is not looked at.
//! * Of two literals over multiples of one polynomial, one may imply or exclude the other
//!   ([`Context::implied`]).

use crate::context::Context;
use crate::name::{Int, Term};
use crate::node::{Node, Sort};
use crate::poly::{Poly, Rat};
use crate::wrap::Remainder;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

impl Context {
    /// `t >= 0`.
    pub fn non_negative(&self, t: Term) -> Term {
        let p = self.poly(t);
        let p = p.scale(&Rat::from_integer(p.denominator()));
        if let Some(c) = p.as_constant() {
            return self.truth(!c.is_negative());
        }
        let g = p.content();
        let p = p.map_coefficients(|c| Rat::from_integer(c.numer().div_floor(&g)));
        let t = self.from_poly(p.clone());
        if let Some(known) = self.sign_by_range(t) {
            return self.truth(known);
        }
        if let Some(known) = self.without_choice(&p, |q| self.non_negative(q), |q| self.sign_by_range(q)) {
            return known;
        }
        if let Some(q) = self.without_quotient(&p) {
            return self.non_negative(self.from_poly(q));
        }
        if let Some(parts) = self.extremum(&p) {
            return parts;
        }
        self.intern(Node::NonNegative(t))
    }

    /// `t = 0`.
    pub fn is_zero(&self, t: Term) -> Term {
        let p = self.poly(t);
        let p = p.scale(&Rat::from_integer(p.denominator()));
        if let Some(c) = p.as_constant() {
            return self.truth(c.is_zero());
        }
        let g = p.content();
        if !p.constant_part().numer().is_multiple_of(&g) {
            return self.truth(false);
        }
        let first = p.terms().iter().find(|t| !t.0.is_empty()).expect("it is not constant");
        let factor = if first.1.is_negative() { -g } else { g };
        let p = p.scale(&Rat::new(Int::one(), factor));
        if let Some(known) = self.without_choice(&p, |q| self.is_zero(q), |q| self.zero_by_range(q)) {
            return known;
        }
        if let Some(known) = self.zero_on_both_sides(&p) {
            return known;
        }
        if let Some(Remainder { factor, x, modulus, shift }) = self.as_remainder(&p) {
            let (rest, leftover) = (-shift).div_mod_floor(&factor);
            if !leftover.is_zero() || rest.is_negative() || rest >= modulus {
                return self.truth(false);
            }
            return self.divides(modulus, self.sub(x, self.int(rest)));
        }
        let t = self.from_poly(p);
        match self.zero_by_range(t) {
            Some(known) => self.truth(known),
            None => self.intern(Node::Zero(t)),
        }
    }

    /// The constant `c` divides `t`; nothing but 0 is divided by 0.
    pub fn divides(&self, c: impl Into<Int>, t: Term) -> Term {
        let c = c.into().abs();
        if c.is_zero() {
            return self.is_zero(t);
        }
        let p = self.poly(t);
        let c = c * p.denominator();
        let p = p.scale(&Rat::from_integer(p.denominator()));
        let p = p.map_coefficients(|k| Rat::from_integer(k.numer().mod_floor(&c)));
        let g = p.content().gcd(&c);
        if !p.constant_part().numer().is_multiple_of(&g) {
            return self.truth(false);
        }
        let c = c / &g;
        let p = p.scale(&Rat::new(Int::one(), g));
        if c.is_one() {
            return self.truth(true);
        }
        if let Some(k) = p.as_constant() {
            return self.truth(k.is_zero());
        }
        let by_value = |q: Term| self.as_int(q).map(|q| q.is_multiple_of(&c));
        if let Some(known) = self.without_choice(&p, |q| self.divides(c.clone(), q), by_value) {
            return known;
        }
        self.intern(Node::Divides(c, self.from_poly(p)))
    }

    /// The value of a test of `p`, if `p` has an `ite` with a side on which `decided` knows it.
    fn without_choice(
        &self,
        p: &Poly,
        test: impl Fn(Term) -> Term,
        decided: impl Fn(Term) -> Option<bool>,
    ) -> Option<Term> {
        for (m, c) in p.terms() {
            let [(atom, 1)] = m[..] else { continue };
            let Node::Ite(condition, a, b) = *self.node(atom) else { continue };
            let rest = p.add_scaled(&Poly::atom(atom), &-c.clone());
            if rest.degree_in(atom) > 0 || !self.spend(10) {
                continue;
            }
            let side = |x: Term| self.from_poly(rest.add_scaled(&self.poly(x), c));
            let (yes, no) = (side(a), side(b));
            let (known_yes, known_no) = (decided(yes), decided(no));
            if known_yes.is_some() || known_no.is_some() {
                let value = |known: Option<bool>, t: Term| known.map_or_else(|| test(t), |b| self.truth(b));
                let (yes, no) = (value(known_yes, yes), value(known_no, no));
                return Some(self.or(&[self.and(&[condition, yes]), self.and(&[self.not(condition), no])]));
            }
        }
        None
    }

    /// `p = 0`, if `p` has an `ite` and is a remainder on both sides of it, and the two are 0 at
    /// the same time. So C's `x % c == 0`, in which the sign of `x` is tested, says that `c`
    /// divides `x`.
    fn zero_on_both_sides(&self, p: &Poly) -> Option<Term> {
        let choices: Vec<Term> = p.atoms().into_iter().filter(|&a| matches!(&*self.node(a), Node::Ite(..))).collect();
        let [atom] = choices[..] else { return None };
        let Node::Ite(_, a, b) = *self.node(atom) else { return None };
        let factor = p.coefficient(&vec![(atom, 1)]);
        let rest = p.add_scaled(&Poly::atom(atom), &-factor.clone());
        if rest.degree_in(atom) > 0 {
            return None;
        }
        let side = |x: Term| {
            let p = rest.add_scaled(&self.poly(x), &factor);
            self.as_remainder(&p).map(|_| self.is_zero(self.from_poly(p)))
        };
        let (yes, no) = (side(a)?, side(b)?);
        (yes == no).then_some(yes)
    }

    /// Whether the bounds of a term decide that it is at least 0.
    fn sign_by_range(&self, t: Term) -> Option<bool> {
        match self.range_of(t) {
            (Some(lo), _) if !lo.is_negative() => Some(true),
            (_, Some(hi)) if hi.is_negative() => Some(false),
            _ => None,
        }
    }

    /// Whether a term is 0, if it is a number or its bounds exclude it.
    fn zero_by_range(&self, t: Term) -> Option<bool> {
        match (self.as_int(t), self.range_of(t)) {
            (Some(value), _) => Some(value.is_zero()),
            (_, (Some(lo), _)) if lo.is_positive() => Some(false),
            (_, (_, Some(hi))) if hi.is_negative() => Some(false),
            _ => None,
        }
    }

    /// `p >= 0` without its only quotient, if that has the coefficient 1 or -1.
    fn without_quotient(&self, p: &Poly) -> Option<Poly> {
        let quotients: Vec<Term> = p.atoms().into_iter().filter(|&a| matches!(&*self.node(a), Node::Div(..))).collect();
        let [atom] = quotients[..] else { return None };
        let Node::Div(x, c) = *self.node(atom) else { return None };
        let c = self.as_int(c).filter(Signed::is_positive)?;
        let factor = p.coefficient(&vec![(atom, 1)]);
        let rest = p.add_scaled(&Poly::atom(atom), &-factor.clone());
        if rest.degree_in(atom) > 0 || !factor.abs().is_one() {
            return None;
        }
        let scaled = rest.scale(&Rat::from_integer(c.clone())).add_scaled(&self.poly(x), &factor);
        Some(if factor.is_positive() { scaled } else { scaled.add(&Poly::int(c - 1)) })
    }

    /// `p >= 0` by parts, if `p` has one `max` or `min`, alone in its monomial.
    fn extremum(&self, p: &Poly) -> Option<Term> {
        let found: Vec<Term> = p.atoms().into_iter().filter(|&a| self.is_extremum(a)).collect();
        let [atom] = found[..] else { return None };
        let factor = p.coefficient(&vec![(atom, 1)]);
        let rest = p.add_scaled(&Poly::atom(atom), &-factor.clone());
        if factor.is_zero() || rest.degree_in(atom) > 0 || !self.spend(10) {
            return None;
        }
        let (parts, greatest) = match &*self.node(atom) {
            Node::Max(parts) => (parts.clone(), true),
            Node::Min(parts) => (parts.clone(), false),
            _ => return None,
        };
        let side = |x: &Term| self.non_negative(self.from_poly(rest.add_scaled(&self.poly(*x), &factor)));
        let sides: Vec<Term> = parts.iter().map(side).collect();
        Some(if greatest == factor.is_positive() { self.or(&sides) } else { self.and(&sides) })
    }

    fn is_extremum(&self, t: Term) -> bool {
        matches!(&*self.node(t), Node::Max(_) | Node::Min(_))
    }

    /// `a >= b`.
    pub fn ge(&self, a: Term, b: Term) -> Term {
        self.non_negative(self.sub(a, b))
    }

    /// `a > b`.
    pub fn gt(&self, a: Term, b: Term) -> Term {
        self.non_negative(self.linear(&[(1, a), (-1, b), (-1, self.int(1))]))
    }

    /// `a <= b`.
    pub fn le(&self, a: Term, b: Term) -> Term {
        self.ge(b, a)
    }

    /// `a < b`.
    pub fn lt(&self, a: Term, b: Term) -> Term {
        self.gt(b, a)
    }

    /// `a = b`, of integers or of booleans.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        if self.sort(a) == Sort::Bool {
            return self.iff(a, b);
        }
        self.is_zero(self.sub(a, b))
    }

    /// `a != b`.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    /// `lo <= t < hi`.
    pub fn within(&self, lo: Term, t: Term, hi: Term) -> Term {
        self.and(&[self.le(lo, t), self.lt(t, hi)])
    }

    /// Not `p`.
    pub fn not(&self, p: Term) -> Term {
        match &*self.node(p) {
            Node::Truth(b) => self.truth(!b),
            Node::Not(q) => *q,
            Node::NonNegative(t) => self.intern(Node::NonNegative(self.from_poly(Poly::int(-1).sub(&self.poly(*t))))),
            // Of two residues the other one.
            Node::Divides(c, t) if *c == Int::from(2) => self.divides(2, self.add(*t, self.int(1))),
            Node::And(ps) => self.not_all(p, ps, true),
            Node::Or(ps) => self.not_all(p, ps, false),
            _ => self.intern(Node::Not(p)),
        }
    }

    /// The negation of a junction `p` of `ps`. It is kept: junctions share parts, and each is
    /// negated many times. What mentions variables of open binders is not kept, since their ranges
    /// are others the next time.
    fn not_all(&self, p: Term, ps: &[Term], all: bool) -> Term {
        if let Some(&known) = self.negations.borrow().get(&p) {
            return known;
        }
        if !self.spend(ps.len() as u64) {
            return self.intern(Node::Not(p));
        }
        let negated: Vec<Term> = ps.iter().map(|&q| self.not(q)).collect();
        let negation = self.junction(&negated, !all);
        if !self.has_scoped_range(&self.node(p)) {
            self.negations.borrow_mut().insert(p, negation);
        }
        negation
    }

    /// The conditions of which all hold if `p` does.
    pub fn conjuncts(&self, p: Term) -> Vec<Term> {
        match &*self.node(p) {
            Node::And(ps) => ps.clone(),
            _ => vec![p],
        }
    }

    /// The conditions of which one holds if `p` does.
    pub fn disjuncts(&self, p: Term) -> Vec<Term> {
        match &*self.node(p) {
            Node::Or(ps) => ps.clone(),
            _ => vec![p],
        }
    }

    /// All of `ps`.
    pub fn and(&self, ps: &[Term]) -> Term {
        self.junction(ps, true)
    }

    /// One of `ps`.
    pub fn or(&self, ps: &[Term]) -> Term {
        self.junction(ps, false)
    }

    /// `p` implies `q`.
    pub fn implies(&self, p: Term, q: Term) -> Term {
        self.or(&[self.not(p), q])
    }

    /// `p` exactly if `q`.
    pub fn iff(&self, p: Term, q: Term) -> Term {
        if p == q {
            return self.truth(true);
        }
        self.or(&[self.and(&[p, q]), self.and(&[self.not(p), self.not(q)])])
    }

    /// The conjunction, or the disjunction: the conjunction of the negations, negated.
    fn junction(&self, ps: &[Term], all: bool) -> Term {
        let mut parts: Vec<Term> = Vec::new();
        for &p in ps {
            match &*self.node(p) {
                Node::And(qs) if all => parts.extend(qs),
                Node::Or(qs) if !all => parts.extend(qs),
                _ => parts.push(p),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        if parts.iter().any(|&p| self.as_truth(p) == Some(!all)) {
            return self.truth(!all);
        }
        parts.retain(|&p| self.as_truth(p).is_none());
        let is_small = parts.len() <= 12 && self.spend(parts.len() as u64);
        if is_small && self.shorten(&mut parts, all) {
            return self.junction(&parts, all);
        }
        if is_small && let Some(known) = self.absorb(&mut parts, all) {
            return known;
        }
        match parts[..] {
            [] => self.truth(all),
            [p] => p,
            _ => self.intern(if all { Node::And(parts) } else { Node::Or(parts) }),
        }
    }

    /// Removes the parts that follow from others; says so when they exclude each other.
    fn absorb(&self, parts: &mut Vec<Term>, all: bool) -> Option<Term> {
        let mut i = 0;
        let mut signed: Vec<Term> = parts.iter().map(|&p| if all { p } else { self.not(p) }).collect();
        'parts: while i < parts.len() {
            for j in 0..parts.len() {
                if i == j {
                    continue;
                }
                match self.implied(signed[j], signed[i]) {
                    Some(true) => {
                        parts.remove(i);
                        signed.remove(i);
                        continue 'parts;
                    }
                    Some(false) => return Some(self.truth(!all)),
                    None => {}
                }
            }
            i += 1;
        }
        None
    }

    /// `p and (not p or q)` is `p and q`, `p or (not p and q)` is `p or q`: in a part that is a
    /// junction of the other kind, what the negation of another part implies is left out. Says
    /// whether something was.
    fn shorten(&self, parts: &mut [Term], all: bool) -> bool {
        let mut changed = false;
        for i in 0..parts.len() {
            let inner = match &*self.node(parts[i]) {
                Node::Or(qs) if all && qs.len() <= 6 => qs.clone(),
                Node::And(qs) if !all && qs.len() <= 6 => qs.clone(),
                _ => continue,
            };
            let excluded = |q: Term| {
                parts.iter().enumerate().filter(|&(j, _)| j != i).any(|(_, &p)| {
                    let (p, q) = if all { (p, q) } else { (self.not(p), self.not(q)) };
                    self.implied(p, q) == Some(false)
                })
            };
            let kept: Vec<Term> = inner.iter().copied().filter(|&q| !excluded(q)).collect();
            if kept.len() < inner.len() {
                parts[i] = self.junction(&kept, !all);
                changed = true;
            }
        }
        changed
    }

    /// Whether the literal `asked` holds, or cannot hold, where the literal `given` does, as far as
    /// that follows from both being about multiples of one polynomial: `asked` is about
    /// `q = a*p + d`, `given` about `p`.
    pub(crate) fn implied(&self, given: Term, asked: Term) -> Option<bool> {
        if given == asked {
            return Some(true);
        }
        let (given, asked) = (self.node(given), self.node(asked));
        match &*asked {
            Node::Not(q) => {
                return self.implied_by(&given, &self.node(*q)).map(|b| !b);
            }
            Node::And(_) | Node::Or(_) => return None,
            _ => {}
        }
        self.implied_by(&given, &asked)
    }

    fn implied_by(&self, given: &Node, asked: &Node) -> Option<bool> {
        if given == asked {
            return Some(true);
        }
        if let Node::Not(g) = given {
            let g = self.node(*g);
            if *g == *asked {
                return Some(false);
            }
            return None;
        }
        let (Node::NonNegative(p) | Node::Zero(p) | Node::Divides(_, p)) = given else { return None };
        let (Node::NonNegative(q) | Node::Zero(q) | Node::Divides(_, q)) = asked else { return None };
        let (a, d) = multiple(&self.poly(*p), &self.poly(*q))?;
        match (given, asked) {
            (Node::Zero(_), Node::NonNegative(_)) => Some(!d.is_negative()),
            (Node::Zero(_), Node::Zero(_)) => Some(d.is_zero()),
            (Node::Zero(_), Node::Divides(c, _)) => Some(d.is_integer() && d.numer().is_multiple_of(c)),
            (Node::NonNegative(_), Node::NonNegative(_)) if a.is_positive() && !d.is_negative() => Some(true),
            (Node::NonNegative(_), Node::NonNegative(_)) if a.is_negative() && d.is_negative() => Some(false),
            (Node::NonNegative(_), Node::Zero(_)) if a.is_positive() == d.is_positive() && !d.is_zero() => Some(false),
            (Node::Divides(b, _), Node::Divides(c, _)) if a.is_integer() && d.is_integer() && b.is_multiple_of(c) => {
                Some(d.numer().is_multiple_of(c))
            }
            _ => None,
        }
    }
}

/// `(a, d)` with `q = a*p + d` and `a` not 0, if there are such numbers.
pub(crate) fn multiple(p: &Poly, q: &Poly) -> Option<(Rat, Rat)> {
    let (m, c) = p.terms().iter().find(|t| !t.0.is_empty())?;
    let a = q.coefficient(m) / c;
    if a.is_zero() || p.terms().len().abs_diff(q.terms().len()) > 1 {
        return None;
    }
    let d = q.add_scaled(p, &-a.clone()).as_constant()?;
    Some((a, d))
}
