//! What is known of the unknowns, and what follows from it.
//!
//! Facts are kept as inequalities `p >= 0` over monomials, each monomial a variable of its own.
//! A goal follows if the facts and its negation contradict each other (`elimination`).
//!
//! Beside the facts that were given, those that hold of every quotient, maximum, count and so on
//! are used, products of two facts, that sums are monotone in their bodies, and what is known at
//! the indexes of the cells that occur (`instances`). **Sound, not
//! complete, bounded**: an answer `None` says nothing, and the number of eliminations, of
//! inequalities and of cases is limited.

use crate::context::Context;
use crate::elimination::{bounds, contradictory, products};
use crate::name::{Int, IntRange, Term};
use crate::node::{FoldOp, Node};
use crate::poly::{Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed};
use std::collections::{BTreeMap, BTreeSet};

/// The depth of case distinctions.
const CASES: usize = 2;

/// A set of facts about the unknowns and variables of a context.
///
/// ```
/// use smalti_terms::{Context, Facts};
/// let c = Context::new();
/// let (n, i) = (c.unknown("N"), c.unknown("i"));
/// let facts = Facts::new(&c).with(c.within(c.int(0), i, n));
/// assert_eq!(facts.decide(c.gt(n, c.int(0))), Some(true));
/// assert_eq!(facts.decide(c.gt(i, c.int(0))), None);
/// assert_eq!(c.show(facts.simplify(c.max(c.int(0), n))), "N");
/// ```
#[derive(Clone)]
pub struct Facts<'a> {
    pub(crate) c: &'a Context,
    pub(crate) inequalities: Vec<Poly>,
    /// Facts that are no inequalities: literals and disjunctions.
    pub(crate) others: Vec<Term>,
    /// Atoms with terms that equal them, by equations among the facts. Invariant: a term contains
    /// neither its own atom nor one that was defined before, so replacing ends.
    definitions: Vec<(Term, Term)>,
    /// Whether these are the facts of a simplification, which asks many questions: none of them is
    /// tried at all index terms.
    pub(crate) simplifying: bool,
}

impl<'a> Facts<'a> {
    /// No facts.
    pub fn new(c: &'a Context) -> Self {
        Facts { c, inequalities: Vec::new(), others: Vec::new(), definitions: Vec::new(), simplifying: false }
    }

    /// The context whose terms the facts are about.
    pub fn context(&self) -> &'a Context {
        self.c
    }

    /// These facts and `fact`, a boolean term.
    #[must_use]
    pub fn with(&self, fact: Term) -> Self {
        let mut more = self.clone();
        more.assume(fact);
        more
    }

    /// These facts and `more`: first those that say what is simple, then the others, each as it is
    /// where the ones before hold.
    #[must_use]
    pub fn with_all(&self, more: &[Term]) -> Self {
        let mut parts: Vec<Term> = more.iter().flat_map(|&fact| self.c.conjuncts(fact)).collect();
        parts.sort_by_key(|&p| (self.c.size(p), p));
        parts.dedup();
        let mut facts = self.clone();
        for part in parts {
            facts.assume(facts.simplify(part));
        }
        facts
    }

    /// Adds a fact.
    pub fn assume(&mut self, fact: Term) {
        match &*self.c.node(fact) {
            Node::Truth(true) => {}
            Node::Truth(false) => self.inequalities.push(Poly::int(-1)),
            Node::And(ps) => ps.iter().for_each(|&p| self.assume(p)),
            Node::NonNegative(t) => self.inequalities.push(self.c.poly(*t)),
            Node::Zero(t) => {
                let p = self.c.poly(*t);
                self.inequalities.push(p.scale(&-Rat::one()));
                self.inequalities.push(p);
                self.others.push(fact);
                self.define(*t);
            }
            Node::Or(ps) => {
                // What all parts say holds anyway.
                let first = self.c.conjuncts(ps[0]);
                let common = first.into_iter().filter(|q| ps.iter().all(|&p| self.c.conjuncts(p).contains(q)));
                common.collect::<Vec<_>>().into_iter().for_each(|q| self.assume(q));
                self.others.push(fact);
            }
            _ => self.others.push(fact),
        }
    }

    /// Solves the equation `t = 0` for one of its unknowns or variables.
    fn define(&mut self, t: Term) {
        let c = self.c;
        let t = self.simplify(t);
        if self.definitions.iter().any(|d| c.contains(t, d.0)) {
            return;
        }
        let p = c.poly(t);
        let is_name = |t: Term| match &*c.node(t) {
            Node::Var(_) => true,
            Node::Apply(_, arguments) => arguments.is_empty(),
            _ => false,
        };
        for (m, k) in p.terms().iter().rev() {
            let [(atom, 1)] = m[..] else { continue };
            let rest = p.add_scaled(&Poly::atom(atom), &-k.clone());
            if k.abs().is_one() && is_name(atom) && rest.atoms().iter().all(|&a| !c.contains(a, atom)) {
                self.definitions.push((atom, c.from_poly(rest.scale(&-k.clone()))));
                return;
            }
        }
    }

    /// What an atom equals.
    pub(crate) fn definition(&self, atom: Term) -> Option<Term> {
        self.definitions.iter().find(|d| d.0 == atom).map(|d| d.1)
    }

    /// Whether the facts contradict each other, as far as that is seen.
    pub fn are_contradictory(&self) -> bool {
        self.refuted(&[], &[])
    }

    /// Whether the boolean term holds, or does not hold, wherever the facts do. Where the facts
    /// contradict each other, the answer may be either.
    pub fn decide(&self, goal: Term) -> Option<bool> {
        let plain = self.decide_as_is(goal);
        if plain.is_some() || self.definitions.is_empty() {
            return plain;
        }
        self.decide_as_is(self.simplify(goal))
    }

    /// [`Facts::decide`] without putting equals in the place of equals.
    pub(crate) fn decide_as_is(&self, goal: Term) -> Option<bool> {
        if let Some(known) = self.c.as_truth(goal) {
            return Some(known);
        }
        if self.proves(goal) {
            return Some(true);
        }
        self.proves(self.c.not(goal)).then_some(false)
    }

    /// Whether the boolean term holds wherever the facts do, as far as that is found out.
    pub fn proves(&self, goal: Term) -> bool {
        if !self.c.spend(20) {
            return false;
        }
        if self.others.iter().any(|&f| self.c.implied(f, goal) == Some(true)) {
            return true;
        }
        match &*self.c.node(goal) {
            Node::Truth(b) => *b,
            Node::And(ps) => ps.iter().all(|&p| self.proves(p)),
            Node::Or(ps) => {
                // Each part, where the others do not hold.
                ps.len() <= 6
                    && ps.iter().enumerate().any(|(i, &p)| {
                        let mut facts = self.clone();
                        let others = ps.iter().enumerate().filter(|&(j, _)| j != i);
                        others.for_each(|(_, &q)| facts.assume(self.c.not(q)));
                        facts.proves(p)
                    })
            }
            Node::NonNegative(t) => self.proves_non_negative(&self.c.poly(*t)),
            Node::Zero(t) => {
                let p = self.c.poly(*t);
                self.proves_non_negative(&p) && self.proves_non_negative(&p.scale(&-Rat::one()))
            }
            Node::Divides(m, t) => self.residue(m, *t) == Some(true),
            Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => self.proves_some(*lo, *hi, *body),
            Node::Not(q) => match &*self.c.node(*q) {
                Node::Zero(t) => {
                    let below = self.c.poly(*t).add(&Poly::int(-1));
                    let above = self.c.poly(*t).scale(&-Rat::one()).add(&Poly::int(-1));
                    let equal = [self.c.poly(*t), self.c.poly(*t).scale(&-Rat::one())];
                    self.proves_non_negative(&below) || self.proves_non_negative(&above) || self.refuted(&equal, &[])
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether `m` divides `t`, if the bounds of `t` say so: it has one value, or is between two
    /// multiples.
    fn residue(&self, m: &Int, t: Term) -> Option<bool> {
        if self.simplifying {
            return None;
        }
        let (Some(least), Some(greatest)) = self.bounds(t) else { return None };
        let multiple = greatest.div_floor(m) * m;
        match (multiple < least, least == greatest) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        }
    }

    /// Bounds of an integer term that follow from the facts, each `None` if none was found.
    ///
    /// ```
    /// use smalti_terms::{Context, Facts, Int};
    /// let c = Context::new();
    /// let (n, i) = (c.unknown("N"), c.unknown("i"));
    /// let facts = Facts::new(&c).with(c.within(c.int(0), i, n)).with(c.le(n, c.int(10)));
    /// assert_eq!(facts.bounds(c.add(n, i)), (Some(Int::from(1)), Some(Int::from(19))));
    /// ```
    pub fn bounds(&self, t: Term) -> IntRange {
        let c = self.c;
        let p = c.poly(t);
        c.scoped(|_, name| {
            let whole = Rat::from_integer(p.denominator());
            let difference = Poly::atom(name).sub(&p).scale(&whole);
            let mut system = vec![difference.scale(&-Rat::one()), difference];
            system.extend(self.inequalities.iter().cloned());
            if c.spend(50) {
                self.add_properties(&mut system);
                self.add_instances(&mut system);
                system.extend(products(&system));
            }
            bounds(c, &system, name)
        })
    }

    /// Whether `p >= 0` follows.
    pub(crate) fn proves_non_negative(&self, p: &Poly) -> bool {
        let scaled = p.scale(&Rat::from_integer(p.denominator()));
        let monotone = self.monotone_sums(&scaled);
        if !monotone.is_empty() {
            let mut facts = self.clone();
            facts.inequalities.extend(monotone);
            return facts.refuted(&[Poly::int(-1).sub(&scaled)], &[]);
        }
        self.refuted(&[Poly::int(-1).sub(&scaled)], &[])
    }

    /// What follows for sums over one range that stand in `p` from what holds of their bodies: if
    /// `c*f(k) + d*g(k) >= 0` at all `k` of the range, then `c*sum f + d*sum g >= 0`; and if it is
    /// from `l` to `h`, then the sums are from `l` to `h` times the length. And facts about
    /// all indexes are summed up.
    fn monotone_sums(&self, p: &Poly) -> Vec<Poly> {
        let c = self.c;
        let mut groups: BTreeMap<(Term, Term), Vec<(Term, Term, Rat)>> = BTreeMap::new();
        for (m, k) in p.terms() {
            let [(atom, 1)] = m[..] else { continue };
            if let Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } = *c.node(atom) {
                groups.entry((lo, hi)).or_default().push((atom, body, k.clone()));
            }
        }
        let mut found = Vec::new();
        for ((lo, hi), sums) in groups.into_iter().take(3) {
            let combine = |of: &dyn Fn(Term, Term) -> Poly| {
                sums.iter().fold(Poly::default(), |all, (atom, body, k)| all.add_scaled(&of(*atom, *body), k))
            };
            let whole = combine(&|atom, _| Poly::atom(atom));
            found.extend(self.sums_of_facts(lo, hi));
            if self.is_range(lo, hi) {
                let (low, high) = c.scoped(|_, k| c.range_of(c.from_poly(combine(&|_, body| c.poly(c.open(body, k))))));
                let length = c.poly(hi).sub(&c.poly(lo));
                let times = |bound: Int| length.scale(&Rat::from_integer(bound));
                found.extend(low.map(|l| whole.sub(&times(l))));
                found.extend(high.map(|h| times(h).sub(&whole)));
            }
            for sign in [Rat::one(), -Rat::one()] {
                let holds = c.scoped(|_, k| {
                    let body = combine(&|_, body| c.poly(c.open(body, k))).scale(&sign);
                    let inside = self.with(c.within(lo, k, hi));
                    c.spend(100) && inside.refuted(&[Poly::int(-1).sub(&body)], &[])
                });
                if holds {
                    found.push(whole.scale(&sign));
                }
            }
        }
        found
    }

    /// Whether the facts and the inequalities `more` contradict each other; of the terms `split`
    /// the cases were distinguished before.
    fn refuted(&self, more: &[Poly], split: &[Term]) -> bool {
        if !self.c.spend(50) {
            return false;
        }
        let mut system: Vec<Poly> = more.to_vec();
        system.extend(self.inequalities.iter().cloned());
        self.add_properties(&mut system);
        if contradictory(self.c, &system, more) {
            return true;
        }
        let before = system.len();
        self.add_instances(&mut system);
        let products = products(&system);
        system.extend(products);
        if system.len() > before && contradictory(self.c, &system, more) {
            return true;
        }
        // A simplification asks many questions.
        let cases = if self.simplifying { 1 } else { CASES };
        split.len() < cases
            && self.by_cases(&system, split).is_some_and(|(on, cases)| {
                let split: Vec<Term> = split.iter().copied().chain([on]).collect();
                cases.into_iter().all(|case| {
                    let mut all = more.to_vec();
                    all.extend(case);
                    self.refuted(&all, &split)
                })
            })
    }

    /// Adds what holds of the atoms of the system.
    fn add_properties(&self, system: &mut Vec<Poly>) {
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        for _ in 0..3 {
            let atoms: BTreeSet<Term> = system.iter().flat_map(Poly::atoms).collect();
            let new: Vec<Term> = atoms.difference(&seen).copied().collect();
            if new.is_empty() || seen.len() > 40 {
                return;
            }
            for atom in new {
                seen.insert(atom);
                self.add_properties_of(atom, system);
            }
        }
    }

    pub(crate) fn add_properties_of(&self, atom: Term, system: &mut Vec<Poly>) {
        let c = self.c;
        let me = Poly::atom(atom);
        let (lo, hi) = c.range_of(atom);
        system.extend(lo.map(|l| me.sub(&Poly::int(l))));
        system.extend(hi.map(|h| Poly::int(h).sub(&me)));
        match &*c.node(atom) {
            Node::Div(x, d) => {
                if let Some(d) = c.as_int(*d).filter(Signed::is_positive) {
                    let rest = c.poly(*x).add_scaled(&me, &Rat::from_integer(-d.clone()));
                    // Where the divisor is known to divide, or not to, the rest is 0, or it is not.
                    let divides = c.divides(d.clone(), *x);
                    if self.others.contains(&divides) {
                        system.push(rest.scale(&-Rat::one()));
                    } else if self.others.contains(&c.not(divides)) {
                        system.push(rest.sub(&Poly::int(1)));
                    }
                    system.push(Poly::int(d - 1).sub(&rest));
                    system.push(rest);
                }
            }
            Node::Max(parts) => system.extend(parts.iter().map(|&p| me.sub(&c.poly(p)))),
            Node::Min(parts) => system.extend(parts.iter().map(|&p| c.poly(p).sub(&me))),
            Node::Fold { op: FoldOp::Max, seed: Some(s), .. } => system.push(me.sub(&c.poly(*s))),
            Node::Fold { op: FoldOp::Min, seed: Some(s), .. } => system.push(c.poly(*s).sub(&me)),
            Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } => {
                let (low, high) = c.scoped(|_, k| c.range_of(c.open(*body, k)));
                if self.is_range(*lo, *hi) {
                    if let Some((remainders, d)) = c.sum_of_remainders(*lo, *hi, *body) {
                        let most = c.sub(c.scale(d - 1, c.sub(*hi, *lo)), remainders);
                        system.extend([c.poly(remainders), c.poly(most)]);
                    }
                    let length = c.poly(*hi).sub(&c.poly(*lo));
                    system.extend(low.map(|l| me.add_scaled(&length, &Rat::from_integer(-l))));
                    system.extend(high.map(|h| length.scale(&Rat::from_integer(h)).sub(&me)));
                }
            }
            Node::First(lo, hi, _) | Node::Nth(_, lo, hi, _) if self.is_range(*lo, *hi) => {
                system.push(me.sub(&c.poly(*lo)));
                system.push(c.poly(*hi).sub(&me));
            }
            Node::Last(lo, hi, _) if self.is_range(*lo, *hi) => {
                system.push(me.sub(&c.poly(*lo)).add(&Poly::int(1)));
                system.push(c.poly(*hi).sub(&me).sub(&Poly::int(1)));
            }
            _ => {}
        }
    }

    /// The facts about all indexes of a range: the range, and what does not hold at any index.
    pub(crate) fn universal(&self) -> impl Iterator<Item = (Term, Term, Term)> + '_ {
        self.others.iter().filter_map(|&f| match *self.c.node(f) {
            Node::Not(p) => match *self.c.node(p) {
                Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => Some((lo, hi, body)),
                _ => None,
            },
            _ => None,
        })
    }

    /// For facts `q(k) >= 0` about a range that contains `[lo, hi)`: the sum of `q` over that is
    /// not negative.
    fn sums_of_facts(&self, lo: Term, hi: Term) -> Vec<Poly> {
        let c = self.c;
        let mut found = Vec::new();
        for (from, to, body) in self.universal().take(4) {
            let inside = (from == lo || self.is_range(from, lo)) && (to == hi || self.is_range(hi, to));
            if let Some(sum) = c.sum_of_bound(lo, hi, body).filter(|_| inside) {
                let sum = if self.is_range(lo, hi) { c.cofactor(sum, c.le(lo, hi)) } else { sum };
                found.push(c.poly(sum));
            }
        }
        found
    }

    /// Whether `lo <= hi` follows from the inequalities alone.
    fn is_range(&self, lo: Term, hi: Term) -> bool {
        let goal = vec![self.c.poly(lo).sub(&self.c.poly(hi)).sub(&Poly::int(1))];
        let mut system = goal.clone();
        system.extend(self.inequalities.iter().cloned());
        contradictory(self.c, &system, &goal)
    }

    /// Cases one of which holds, and of what they are the cases: of a maximum, of an `ite`, of a
    /// disjunction among the facts.
    fn by_cases(&self, system: &[Poly], split: &[Term]) -> Option<(Term, Vec<Vec<Poly>>)> {
        let c = self.c;
        let atoms: BTreeSet<Term> = system.iter().flat_map(Poly::atoms).collect();
        for atom in atoms.into_iter().filter(|a| !split.contains(a)) {
            let me = Poly::atom(atom);
            match &*c.node(atom) {
                Node::Max(parts) if parts.len() <= 3 => {
                    return Some((atom, parts.iter().map(|&p| vec![c.poly(p).sub(&me)]).collect()));
                }
                Node::Min(parts) if parts.len() <= 3 => {
                    return Some((atom, parts.iter().map(|&p| vec![me.sub(&c.poly(p))]).collect()));
                }
                Node::Ite(p, a, b) => {
                    let side = |given: Term, value: Term| {
                        let value = c.poly(value);
                        let mut cases = cases_of(c, given)?;
                        cases.iter_mut().for_each(|case| case.extend([me.sub(&value), value.sub(&me)]));
                        Some(cases)
                    };
                    let sides = (side(*p, *a), side(c.not(*p), *b));
                    if let (Some(yes), Some(no)) = sides {
                        return Some((atom, [yes, no].concat()));
                    }
                }
                _ => {}
            }
        }
        self.others.iter().filter(|f| !split.contains(f)).find_map(|&f| match &*c.node(f) {
            Node::Or(ps) if ps.len() <= 4 => {
                let cases: Option<Vec<Vec<Poly>>> = ps.iter().map(|&p| linear_facts(c, p)).collect();
                cases.map(|cases| (f, cases))
            }
            _ => None,
        })
    }
}

/// Cases one of which holds where the fact does, as inequalities. What is not 0 is above or below.
fn cases_of(c: &Context, fact: Term) -> Option<Vec<Vec<Poly>>> {
    if let Node::Not(q) = *c.node(fact)
        && let Node::Zero(t) = *c.node(q)
    {
        let t = c.poly(t);
        return Some(vec![vec![t.add(&Poly::int(-1))], vec![t.scale(&-Rat::one()).add(&Poly::int(-1))]]);
    }
    Some(vec![linear_facts(c, fact)?])
}

/// A conjunction of inequalities and equations as inequalities; of other literals nothing is used.
pub(crate) fn linear_facts(c: &Context, fact: Term) -> Option<Vec<Poly>> {
    match &*c.node(fact) {
        Node::And(ps) => {
            let all: Option<Vec<Vec<Poly>>> = ps.iter().map(|&p| linear_facts(c, p)).collect();
            Some(all?.concat())
        }
        Node::NonNegative(t) => Some(vec![c.poly(*t)]),
        Node::Zero(t) => Some(vec![c.poly(*t), c.poly(*t).scale(&-Rat::one())]),
        Node::Truth(false) => Some(vec![Poly::int(-1)]),
        _ => Some(Vec::new()),
    }
}
