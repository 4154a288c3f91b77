//! `ite`, `max` and `min`.
//!
//! Rules, and why they hold: what both branches have in common stands outside
//! (`ite(p, x + a, x + b) = x + ite(p, a, b)`, likewise common factors); a branch may assume its
//! condition ([`Context::cofactor`]); of a condition and its negation one, the same each time,
//! stands in the term. `ite(a >= b, a, b) = max(a, b)`. `max` and `min` distribute over `+`, and
//! over multiplication by a positive constant.

use crate::context::Context;
use crate::name::{Int, Term};
use crate::node::{Node, Sort};
use crate::poly::{Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::HashMap;

impl Context {
    /// `a` if `p`, else `b`: of integers, of booleans or of arrays.
    pub fn ite(&self, p: Term, a: Term, b: Term) -> Term {
        if let Some(known) = self.as_truth(p) {
            return if known { a } else { b };
        }
        if a == b {
            return a;
        }
        match self.sort(a) {
            Sort::Bool => {
                let (a, b) = (self.cofactor(a, p), self.cofactor(b, self.not(p)));
                return self.or(&[self.and(&[p, a]), self.and(&[self.not(p), b])]);
            }
            Sort::Array(rank) => {
                return self.scoped_all(rank, |vars, ks| {
                    self.lambda_over(vars, self.ite(p, self.read(a, ks), self.read(b, ks)))
                });
            }
            Sort::Int => {}
        }
        if !self.is_positive_literal(p) {
            let negated = self.not(p);
            if self.as_truth(negated).is_some() || self.is_positive_literal(negated) {
                return self.ite(negated, b, a);
            }
        }
        // What they have in common goes first: each branch may look different under its condition.
        let outer = Shared::of(self, &[a, b], true);
        let (a, b) = (self.cofactor(outer.rest[0], p), self.cofactor(outer.rest[1], self.not(p)));
        let parts = Shared::of(self, &[a, b], true);
        let inner = self.choice(p, parts.rest[0], parts.rest[1]);
        outer.with(self, parts.with(self, inner))
    }

    /// 1 if `p`, else 0.
    pub fn indicator(&self, p: Term) -> Term {
        self.ite(p, self.int(1), self.int(0))
    }

    /// Whether a condition, rather than its negation, stands in terms. Of two literals that are
    /// each other's negation exactly one does.
    pub(crate) fn is_positive_literal(&self, p: Term) -> bool {
        match &*self.node(p) {
            Node::Not(_) | Node::Or(_) => false,
            // The negation is about the next residue.
            Node::Divides(c, t) if *c == Int::from(2) => self.poly(*t).constant_part().is_zero(),
            // The negation has the opposite coefficients, and the constant part -1 less this one:
            // `x >= c` rather than `x < c`, and `x > y` rather than `x <= y`.
            Node::NonNegative(t) => {
                let p = self.poly(*t);
                let signs = p.without_constant();
                let positive = signs.terms().iter().filter(|t| t.1.is_positive()).count();
                let more = (2 * positive).cmp(&signs.terms().len());
                more.then_with(|| if p.constant_part().is_negative() { Ordering::Greater } else { Ordering::Less })
                    .is_gt()
            }
            _ => true,
        }
    }

    /// `ite(p, a, b)` of branches that have nothing in common.
    fn choice(&self, p: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        if let Some(t) = self.as_extremum(p, a, b) {
            return t;
        }
        if self.is_instance(p, a, b) {
            return b;
        }
        if let Node::Ite(q, c, d) = *self.node(b) {
            if c == a {
                return self.ite(self.or(&[p, q]), a, d);
            }
            if d == a {
                return self.ite(self.or(&[p, self.not(q)]), a, c);
            }
        }
        if let Node::Ite(q, c, d) = *self.node(a) {
            if d == b {
                return self.ite(self.and(&[p, q]), c, b);
            }
            if c == b {
                return self.ite(self.and(&[p, self.not(q)]), d, b);
            }
        }
        self.intern(Node::Ite(p, a, b))
    }

    /// Whether `b` is `a` where the condition holds, because the condition says what a variable is.
    /// So an array whose cell is set to its own value is the same array.
    fn is_instance(&self, p: Term, a: Term, b: Term) -> bool {
        let parts = match &*self.node(p) {
            Node::And(ps) => ps.clone(),
            Node::Zero(_) => vec![p],
            _ => return false,
        };
        let mut b = b;
        for part in parts {
            let Node::Zero(t) = *self.node(part) else { return false };
            let solved = self.free(t).iter().find_map(|&v| {
                let (k, rest) = self.affine(t, v).filter(|(k, _)| k.abs().is_one())?;
                Some((v, self.from_poly(rest.scale(&Rat::from_integer(-k)))))
            });
            let Some((v, value)) = solved.filter(|s| self.mentions(b, s.0)) else { return false };
            if self.size(b) > 200 || !self.spend(20) {
                return false;
            }
            b = self.substitute(b, v, value);
        }
        a == b
    }

    /// `max(a, b)` or `min(a, b)`, if the condition compares the branches.
    fn as_extremum(&self, p: Term, a: Term, b: Term) -> Option<Term> {
        let difference = self.poly(a).sub(&self.poly(b));
        match &*self.node(p) {
            Node::NonNegative(t) => {
                // `t = f*(a - b) + d` with d = 0 or d = -1, where `t + 1` or `t` is a multiple.
                let (f, d) = crate::logic::multiple(&difference, &self.poly(*t))?;
                let strict = d == -Rat::one();
                if !(d.is_zero() || strict) || !f.recip().is_integer() {
                    return None;
                }
                Some(if f.is_positive() { self.max(a, b) } else { self.min(a, b) })
            }
            Node::Zero(t) => {
                let (_, d) = crate::logic::multiple(&difference, &self.poly(*t))?;
                d.is_zero().then_some(b)
            }
            _ => None,
        }
    }

    /// A term that equals `t` wherever the condition `given` holds, with what the condition decides
    /// decided.
    pub fn cofactor(&self, t: Term, given: Term) -> Term {
        let mut memo = HashMap::from([(given, self.truth(true)), (self.not(given), self.truth(false))]);
        let given = self.conjuncts(given);
        self.cofactor_in(t, &given, &mut memo)
    }

    fn cofactor_in(&self, t: Term, given: &[Term], memo: &mut HashMap<Term, Term>) -> Term {
        if let Some(&known) = memo.get(&t) {
            return known;
        }
        if !self.spend(1) {
            return t;
        }
        let node = self.node(t);
        let result = match &*node {
            Node::Poly(p) => self.cofactor_poly(t, p, given, memo),
            Node::Ite(p, a, b) => {
                let q = self.cofactor_in(*p, given, memo);
                let mut go = |t: Term| self.cofactor_in(t, given, memo);
                match self.as_truth(q) {
                    Some(true) => go(*a),
                    Some(false) => go(*b),
                    None => {
                        let (x, y) = (go(*a), go(*b));
                        if (q, x, y) == (*p, *a, *b) { t } else { self.ite(q, x, y) }
                    }
                }
            }
            Node::And(ps) => {
                let ps: Vec<Term> = ps.iter().map(|&p| self.cofactor_in(p, given, memo)).collect();
                self.and(&ps)
            }
            Node::Or(ps) => {
                let ps: Vec<Term> = ps.iter().map(|&p| self.cofactor_in(p, given, memo)).collect();
                self.or(&ps)
            }
            _ => match given.iter().find_map(|&g| self.implied(g, t)).filter(|_| self.sort(t) == Sort::Bool) {
                Some(known) => self.truth(known),
                None => self.cofactor_of_children(t, &node, given, memo),
            },
        };
        memo.insert(t, result);
        result
    }

    fn cofactor_poly(&self, t: Term, p: &Poly, given: &[Term], memo: &mut HashMap<Term, Term>) -> Term {
        let atoms = p.atoms();
        let new: Vec<Term> = atoms.iter().map(|&a| self.cofactor_in(a, given, memo)).collect();
        if new == atoms {
            return t;
        }
        let by: HashMap<Term, Poly> = atoms.into_iter().zip(new.into_iter().map(|t| self.poly(t))).collect();
        let mut sum = Poly::default();
        for (m, c) in p.terms() {
            let product = m.iter().fold(Poly::constant(c.clone()), |product, (atom, e)| {
                (0..*e).fold(product, |product, _| self.times(&product, &by[atom]))
            });
            sum = sum.add(&product);
        }
        self.from_poly(sum)
    }

    /// The term with cofactors of the children that stand under no binder.
    fn cofactor_of_children(&self, t: Term, node: &Node, given: &[Term], memo: &mut HashMap<Term, Term>) -> Term {
        let mut changed = false;
        let mut go = |t: Term| {
            let new = self.cofactor_in(t, given, memo);
            changed |= new != t;
            new
        };
        let mut all = |ts: &[Term]| ts.iter().map(|&t| go(t)).collect::<Vec<_>>();
        let new: Box<dyn FnOnce(&Context) -> Term> = match node {
            Node::Apply(s, ts) => {
                let (s, ts) = (*s, all(ts));
                Box::new(move |c| c.apply(s, &ts))
            }
            Node::Max(ts) | Node::Min(ts) => {
                let greatest = matches!(node, Node::Max(_));
                let ts = self.uncovered_where(given, all(ts), greatest);
                changed = true;
                Box::new(move |c| c.extremum_of(&ts, greatest))
            }
            Node::Bits(op, ts) => {
                let (op, ts) = (*op, all(ts));
                Box::new(move |c| c.bits(op, &ts))
            }
            Node::Read(a, index) => {
                let (a, index) = (*a, all(index));
                Box::new(move |c| c.read(a, &index))
            }
            Node::Power(base, e) => {
                let (base, e) = (base.clone(), go(*e));
                Box::new(move |c| c.power(base, e))
            }
            Node::Wrap(w, x) => {
                let (w, x) = (*w, go(*x));
                Box::new(move |c| c.wrap(w, x))
            }
            Node::Div(a, b) => {
                let (a, b) = (go(*a), go(*b));
                Box::new(move |c| c.div(a, b))
            }
            Node::NonNegative(x) => {
                let x = go(*x);
                Box::new(move |c| c.non_negative(x))
            }
            Node::Zero(x) => {
                let x = go(*x);
                Box::new(move |c| c.is_zero(x))
            }
            Node::Divides(m, x) => {
                let (m, x) = (m.clone(), go(*x));
                Box::new(move |c| c.divides(m, x))
            }
            Node::Not(p) => {
                let p = go(*p);
                Box::new(move |c| c.not(p))
            }
            _ => return t,
        };
        if changed { new(self) } else { t }
    }

    /// The parts of an extremum that no other part covers where one of the conditions holds.
    fn uncovered_where(&self, given: &[Term], mut ts: Vec<Term>, greatest: bool) -> Vec<Term> {
        let covers = |a: Term, b: Term| {
            let order = if greatest { self.ge(a, b) } else { self.le(a, b) };
            given.iter().any(|&g| self.implied(g, order) == Some(true))
        };
        let mut i = 0;
        while ts.len() > 1 && ts.len() <= 4 && i < ts.len() && self.spend(10) {
            let mine = ts[i];
            if ts.iter().any(|&other| other != mine && covers(other, mine)) {
                ts.remove(i);
            } else {
                i += 1;
            }
        }
        ts
    }

    /// The greater of two integers.
    pub fn max(&self, a: Term, b: Term) -> Term {
        self.max_of(&[a, b])
    }

    /// The lesser of two integers.
    pub fn min(&self, a: Term, b: Term) -> Term {
        self.min_of(&[a, b])
    }

    /// The greatest of one or more integers.
    pub fn max_of(&self, ts: &[Term]) -> Term {
        self.extremum_of(ts, true)
    }

    /// The least of one or more integers.
    pub fn min_of(&self, ts: &[Term]) -> Term {
        self.extremum_of(ts, false)
    }

    fn extremum_of(&self, ts: &[Term], greatest: bool) -> Term {
        let mut parts: Vec<Term> = Vec::new();
        for &t in ts {
            match &*self.node(t) {
                Node::Max(inner) if greatest => parts.extend(inner),
                Node::Min(inner) if !greatest => parts.extend(inner),
                _ => parts.push(t),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        self.drop_covered(&mut parts, greatest);
        if let [t] = parts[..] {
            return t;
        }
        let shared = Shared::of(self, &parts, false);
        let mut rest = shared.rest.clone();
        rest.sort_unstable();
        rest.dedup();
        let inner = match rest[..] {
            [t] => t,
            _ => self.intern(if greatest { Node::Max(rest) } else { Node::Min(rest) }),
        };
        shared.with(self, inner)
    }

    /// Removes the parts that another part covers: `a` beside `a + 1` under `max`, and `min(a, b)`
    /// beside `a`.
    fn drop_covered(&self, parts: &mut Vec<Term>, greatest: bool) {
        let covers = |a: Term, b: Term| {
            let difference = self.poly(a).sub(&self.poly(b)).as_constant();
            if difference.is_some_and(|d| d.is_zero() || d.is_positive() == greatest) {
                return true;
            }
            match &*self.node(b) {
                Node::Min(inner) => greatest && inner.contains(&a),
                Node::Max(inner) => !greatest && inner.contains(&a),
                _ => false,
            }
        };
        let mut i = 0;
        while i < parts.len() {
            let mine = parts[i];
            if parts.iter().any(|&other| other != mine && covers(other, mine)) {
                parts.remove(i);
            } else {
                i += 1;
            }
        }
    }
}

/// Terms as `common + factor * rest`, with what they have in common taken out.
struct Shared {
    common: Poly,
    factor: Rat,
    rest: Vec<Term>,
}

impl Shared {
    fn of(c: &Context, ts: &[Term], choice: bool) -> Shared {
        let polys: Vec<Poly> = ts.iter().map(|&t| c.poly(t)).collect();
        let mut common = Poly::default();
        for (m, k) in polys[0].terms() {
            if !m.is_empty() && polys.iter().all(|p| p.coefficient(m) == *k) {
                common = common.add(&Poly::monomial(m.clone(), k.clone()));
            }
        }
        let polys_left: Vec<Poly> = polys.iter().map(|p| p.sub(&common)).collect();
        common = common.add(&Poly::constant(constant_in_common(&polys_left, choice)));
        if !common.is_integer_valued() {
            // What is left would not be an integer either.
            common = Poly::default();
        }
        let rest: Vec<Poly> = polys.iter().map(|p| p.sub(&common)).collect();
        let factor = common_factor(&rest);
        let rest = rest.iter().map(|p| c.from_poly(p.scale(&factor.recip()))).collect();
        Shared { common, factor, rest }
    }

    fn with(&self, c: &Context, inner: Term) -> Term {
        c.from_poly(self.common.add_scaled(&c.poly(inner), &self.factor))
    }
}

/// The constant that is taken out of the branches of a choice, or of the parts of an extremum. It
/// grows by `d` where all of them grow by `d`, so there is one form.
fn constant_in_common(ps: &[Poly], choice: bool) -> Rat {
    let is_constant = |p: &Poly| p.without_constant().terms().is_empty();
    let constants = ps.iter().filter(|p| is_constant(p)).map(Poly::constant_part);
    let all = ps.iter().map(Poly::constant_part);
    match ps {
        // Two numbers: the lesser becomes 0. Otherwise the second branch has no constant part.
        [a, b] if choice && !(is_constant(a) && is_constant(b)) => b.constant_part(),
        // The least number becomes 0, or else the least constant part.
        _ => constants.min().or(all.min()).unwrap_or_else(Rat::zero),
    }
}

/// The greatest positive integer that divides all coefficients; 1 where they are not integers.
fn common_factor(ps: &[Poly]) -> Rat {
    let coefficients = || ps.iter().flat_map(|p| p.terms());
    if coefficients().any(|t| !t.1.is_integer()) {
        return Rat::one();
    }
    let g = coefficients().fold(Int::zero(), |g, t| g.gcd(t.1.numer()));
    if g.is_zero() { Rat::one() } else { Rat::from_integer(g) }
}
