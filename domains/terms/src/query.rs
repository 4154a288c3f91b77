//! Questions for a solver that knows no quantifiers and no folds.
//!
//! A query is the facts, the negated goal, and axioms: instances, at the index terms that occur, of
//! what folds and searches mean. For the solver every fold and every search is a constant, every
//! read and every symbol with arguments is an application of a function. Each axiom holds in every
//! model of the facts, up to the choice of the witnesses, so if facts, negated goal and axioms
//! contradict each other, the goal follows from the facts.
//!
//! Axioms, by kind (all with the condition that the index is in the range):
//! * Unknowns and cells are in the ranges of their symbols.
//! * A sum `P(x)` from `lo` to `x`, at the ends and at the index terms: `P(x) = 0` for `x <= lo`,
//!   `P(t + 1) = P(t) + body(t)`, and if bodies are from `l` to `h`, `P(y) - P(x)` is from `l` to
//!   `h` times `y - x`. Counts are such sums.
//! * If bodies are not negative and their sum is positive, one of them is: that at a witness. If
//!   bodies are at most `h` and their sum is less than `h` times the length, one of them is less.
//! * If the bodies of several sums over one range are together from `l` to `h`, where the facts
//!   hold, so are the sums together, times the length. (This axiom needs the facts.)
//! * `max` is at least its seed and each body, and it is one of them: that at a witness. `min` and
//!   `any` likewise.
//! * Where `q(k) >= 0` for all `k` of a range, the sum of `q` is not negative.
//! * `first`: nothing before it, it itself where one exists; `last` likewise.
//! * `t = nth(n)` if `p(t)` and the rank `count([lo, t), p)` of `t` is `n`; `nth(n)` is in the
//!   range exactly if `0 <= n < count`, and then `p(nth(n))`, its rank is `n`, `lo + n <= nth(n) <=
//!   hi - count + n`, and `nth` increases. Ranks of index terms are index terms too: they are where
//!   a compaction put things.
//!
//! (Bradley, Manna, Sipma, "What's decidable about arrays?", VMCAI 2006, for the instantiation at
//! index terms; Daca, Henzinger, Kupriyanov, "Array folds logic", CAV 2016, for counts.)

use crate::cases::BoundedSum;
use crate::context::{Context, children};
use crate::facts::Facts;
use crate::name::{Int, IntRange, Symbol, Term};
use crate::node::{FoldOp, Node, Sort};
use num_traits::{One, Zero};
use std::collections::{HashMap, HashSet};

/// The number of terms of the goal in which sums are looked for that belong together.
const COMBINED: usize = 60;

/// How many instances a query may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryLimits {
    /// The rounds in which axioms are instantiated at terms of earlier axioms.
    pub rounds: u32,
    /// The greatest number of index terms.
    pub index_terms: usize,
    /// The greatest number of axioms.
    pub axioms: usize,
}

impl Default for QueryLimits {
    fn default() -> Self {
        QueryLimits { rounds: 3, index_terms: 14, axioms: 400 }
    }
}

/// A question without quantifiers. All parts are boolean terms.
#[derive(Clone, Debug)]
pub struct Query {
    /// What is known.
    pub facts: Vec<Term>,
    /// The goal, negated.
    pub negated_goal: Term,
    /// Instances of what folds and searches mean.
    pub axioms: Vec<Term>,
    /// The folds, searches, wraps, powers and bitwise operations that occur, each a constant for
    /// the solver, in the order in which they were found.
    pub constants: Vec<Term>,
    /// New unknowns, of which the axioms say no more than that they can be chosen so.
    pub witnesses: Vec<Symbol>,
}

impl Context {
    /// The question whether `goal` follows from `facts`.
    pub fn query(&self, facts: &[Term], goal: Term, limits: QueryLimits) -> Query {
        let negated_goal = self.not(goal);
        let mut maker = Maker {
            c: self,
            limits,
            index: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
            ranged: Vec::new(),
            seen: HashSet::new(),
            witnesses: Vec::new(),
            known: Facts::new(self),
            bounds: HashMap::new(),
        };
        facts.iter().for_each(|&fact| maker.known.assume(fact));
        facts.iter().for_each(|&f| maker.collect(f));
        maker.collect(negated_goal);
        maker.describe_combinations(negated_goal);
        let mut pairs: HashSet<(Term, Term)> = HashSet::new();
        let mut described = 0;
        for _ in 0..limits.rounds {
            let (constants, index) = (maker.constants.clone(), maker.index.clone());
            for &constant in &constants[described..] {
                maker.describe(constant);
            }
            described = constants.len();
            for &constant in &constants {
                for &t in &index {
                    if pairs.insert((constant, t)) {
                        maker.instantiate(constant, t);
                    }
                }
            }
            maker.relate(&constants);
        }
        maker.state_ranges();
        let Maker { axioms, constants, witnesses, .. } = maker;
        Query { facts: facts.to_vec(), negated_goal, axioms, constants, witnesses }
    }
}

struct Maker<'a> {
    c: &'a Context,
    limits: QueryLimits,
    index: Vec<Term>,
    constants: Vec<Term>,
    axioms: Vec<Term>,
    /// Unknowns and cells whose ranges no axiom states yet.
    ranged: Vec<Term>,
    /// The terms whose parts were collected, and the axioms.
    seen: HashSet<Term>,
    witnesses: Vec<Symbol>,
    /// The facts.
    known: Facts<'a>,
    /// Bounds of bodies from a start on.
    bounds: HashMap<(Term, Term), IntRange>,
}

impl Maker<'_> {
    /// Finds the index terms and the constants of a term.
    fn collect(&mut self, t: Term) {
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if !self.seen.insert(t) || !self.c.spend(1) {
                continue;
            }
            let node = self.c.node(t);
            match &*node {
                Node::Read(_, index) => {
                    self.ranged.push(t);
                    index.iter().for_each(|&i| self.add_index(i));
                }
                // An unknown of each iteration is a cell as well: what a loop has read into one.
                Node::Apply(_, arguments) if self.c.sort(t) == Sort::Int => {
                    self.ranged.push(t);
                    arguments.iter().for_each(|&i| self.add_index(i));
                }
                Node::Var(_) if self.c.sort(t) == Sort::Int => self.ranged.push(t),
                Node::First(..) | Node::Last(..) | Node::Nth(..) => {
                    self.constants.push(t);
                    self.add_index(t);
                }
                Node::Fold { .. } | Node::Wrap(..) | Node::Power(..) | Node::Bits(..) => self.constants.push(t),
                _ => {}
            }
            todo.extend(children(&node).into_iter().filter(|c| c.1 == 0).map(|c| c.0));
        }
    }

    fn add_index(&mut self, t: Term) {
        if self.index.len() < self.limits.index_terms && !self.index.contains(&t) {
            self.index.push(t);
        }
    }

    fn axiom(&mut self, t: Term) {
        if self.c.as_truth(t) == Some(true) || self.axioms.len() >= self.limits.axioms || self.axioms.contains(&t) {
            return;
        }
        self.axioms.push(t);
        self.collect(t);
    }

    /// `conditions` imply `then`.
    fn rule(&mut self, conditions: &[Term], then: Term) {
        let given = self.c.and(conditions);
        self.axiom(self.c.implies(given, then));
    }

    fn witness(&mut self) -> Term {
        let symbol = self.c.symbol(format!("w{}", self.witnesses.len()), Sort::Int);
        self.witnesses.push(symbol);
        let term = self.c.apply(symbol, &[]);
        self.add_index(term);
        term
    }

    /// `t >= 0` as it stands: the solver does not know what makes it true for all values.
    fn literal(&self, t: Term) -> Term {
        let known = self.c.non_negative(t);
        let plain = self.c.as_truth(known) == Some(true) && self.c.as_int(t).is_none();
        if plain { self.c.intern(Node::NonNegative(t)) } else { known }
    }

    /// The axioms of a constant that do not need an index term.
    fn describe(&mut self, t: Term) {
        let c = self.c;
        self.state_range(t);
        match *c.node(t) {
            Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } => {
                self.describe_sum(lo, &[hi], body);
                // Sums up to index terms come from others.
                if self.is_split(lo, hi) {
                    self.describe_parts(t, lo, hi, body);
                }
            }
            Node::Fold { op: op @ (FoldOp::Max | FoldOp::Min), lo, hi, seed: Some(seed), body } => {
                self.axiom(if op == FoldOp::Max { c.ge(t, seed) } else { c.le(t, seed) });
                let w = self.witness();
                let there = c.and(&[c.within(lo, w, hi), c.eq(t, c.instantiate(body, w))]);
                self.axiom(c.or(&[c.eq(t, seed), there]));
            }
            Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => {
                let w = self.witness();
                self.rule(&[t], c.and(&[c.within(lo, w, hi), c.instantiate(body, w)]));
                // If `q(k) >= 0` for all, then the sum is not negative.
                if let Some(sum) = c.sum_of_bound(lo, hi, body) {
                    self.axiom(c.or(&[t, c.ge(sum, c.int(0))]));
                }
            }
            Node::First(lo, hi, p) => {
                self.rule(&[c.le(hi, lo)], c.eq(t, hi));
                self.rule(&[c.lt(lo, hi)], c.and(&[c.le(lo, t), c.le(t, hi)]));
                self.rule(&[c.lt(lo, hi), c.lt(t, hi)], c.instantiate(p, t));
            }
            Node::Last(lo, hi, p) => {
                let none = c.sub(lo, c.int(1));
                self.rule(&[c.le(hi, lo)], c.eq(t, none));
                self.rule(&[c.lt(lo, hi)], c.and(&[c.le(none, t), c.lt(t, hi)]));
                self.rule(&[c.lt(lo, hi), c.le(lo, t)], c.instantiate(p, t));
            }
            Node::Nth(n, lo, hi, p) => self.describe_nth(t, n, lo, hi, p),
            Node::Wrap(w, inner) => {
                self.axiom(c.divides(w.modulus(), c.sub(t, inner)));
            }
            _ => {}
        }
    }

    /// That an integer is in its range.
    fn state_range(&mut self, t: Term) {
        let c = self.c;
        if c.sort(t) == Sort::Int {
            let (low, high) = c.range_of(t);
            let ends = [low.map(|l| c.sub(t, c.int(l))), high.map(|h| c.sub(c.int(h), t))];
            ends.into_iter().flatten().for_each(|end| self.axiom(self.literal(end)));
        }
    }

    /// That unknowns and cells are in their ranges. Last, since other axioms mention more of them.
    fn state_ranges(&mut self) {
        while let Some(t) = self.ranged.pop() {
            self.state_range(t);
        }
    }

    fn count(&self, lo: Term, hi: Term, p: Term) -> Term {
        self.c.count(lo, hi, |k| self.c.open(p, k))
    }

    fn describe_nth(&mut self, t: Term, n: Term, lo: Term, hi: Term, p: Term) {
        let c = self.c;
        let (all, rank) = (self.count(lo, hi, p), self.count(lo, t, p));
        let valid = c.and(&[c.ge(n, c.int(0)), c.lt(n, all)]);
        self.rule(&[c.not(valid)], c.eq(t, hi));
        let after = c.linear(&[(1, hi), (-1, all), (1, n)]);
        let what = [c.within(lo, t, hi), c.instantiate(p, t), c.eq(rank, n), c.le(c.add(lo, n), t), c.le(t, after)];
        for fact in what {
            self.rule(&[valid], fact);
        }
    }

    /// What holds of the sums from `lo` to some ends.
    fn describe_sum(&mut self, lo: Term, ends: &[Term], body: Term) {
        let c = self.c;
        let sum = |end: Term| c.fold(FoldOp::Sum, lo, end, None, |k| c.open(body, k));
        let (low, high) = self.bounds_from(lo, body);
        for (i, &x) in ends.iter().enumerate() {
            self.rule(&[c.le(x, lo)], c.eq(sum(x), c.int(0)));
            // From the start, and from every other end.
            let starts = ends.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &y)| y);
            for y in starts.chain([lo]) {
                let (length, part) = (c.sub(x, y), c.sub(sum(x), sum(y)));
                let order = [c.le(lo, y), c.le(y, x)];
                if let Some(l) = &low {
                    self.rule(&order, self.literal(c.sub(part, c.scale(l.clone(), length))));
                }
                if let Some(h) = &high {
                    self.rule(&order, self.literal(c.sub(c.scale(h.clone(), length), part)));
                }
            }
            self.describe_quotients(lo, x, body);
        }
    }

    /// Bounds of a body at all indexes from a start on, where the facts hold.
    fn bounds_from(&mut self, lo: Term, body: Term) -> IntRange {
        if let Some(known) = self.bounds.get(&(lo, body)) {
            return known.clone();
        }
        let c = self.c;
        let (plain, by_cases) = c.scoped(|_, k| {
            let open = c.open(body, k);
            (c.range_of(open), self.known.with(c.le(lo, k)).bounds_by_cases(open))
        });
        let tighter = |a: Option<Int>, b: Option<Int>, low: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if low { a.max(b) } else { a.min(b) }),
            (a, b) => a.or(b),
        };
        let bounds = (tighter(plain.0, by_cases.0, true), tighter(plain.1, by_cases.1, false));
        self.bounds.insert((lo, body), bounds.clone());
        bounds
    }

    /// A sum that is not as low, or not as high, as it could be has a body that is not.
    fn describe_parts(&mut self, t: Term, lo: Term, hi: Term, body: Term) {
        let c = self.c;
        let (low, high) = self.bounds_from(lo, body);
        if low.is_some_and(|l| l.is_zero()) {
            let w = self.witness();
            let there = c.and(&[c.within(lo, w, hi), c.ge(c.instantiate(body, w), c.int(1))]);
            self.rule(&[c.ge(t, c.int(1))], there);
        }
        if let Some(h) = high.filter(|h| h.is_one()) {
            let w = self.witness();
            let there = c.and(&[c.within(lo, w, hi), c.lt(c.instantiate(body, w), c.int(h.clone()))]);
            self.rule(&[c.le(lo, hi), c.lt(t, c.scale(h, c.sub(hi, lo)))], there);
        }
    }

    /// What holds of the sums of each polynomial in a term together.
    fn describe_combinations(&mut self, t: Term) {
        let c = self.c;
        let (mut seen, mut todo) = (HashSet::new(), vec![t]);
        while let Some(t) = todo.pop() {
            if !seen.insert(t) || seen.len() > COMBINED || !c.spend(1) {
                continue;
            }
            let node = c.node(t);
            todo.extend(children(&node).into_iter().filter(|c| c.1 == 0).map(|c| c.0));
            let Node::Poly(p) = &*node else { continue };
            for BoundedSum { lo, hi, sum, body: (low, high) } in c.bounded_sums(&self.known, p) {
                let (length, order) = (c.sub(hi, lo), c.le(lo, hi));
                if let Some(l) = low {
                    self.rule(&[order], self.literal(c.sub(sum, c.scale(l, length))));
                }
                if let Some(h) = high {
                    self.rule(&[order], self.literal(c.sub(c.scale(h, length), sum)));
                }
            }
        }
    }

    /// A sum of quotients: of `x mod d = x - d*(x div d)` bounds are known.
    fn describe_quotients(&mut self, lo: Term, hi: Term, body: Term) {
        let c = self.c;
        if let Some((remainders, d)) = c.sum_of_remainders(lo, hi, body) {
            let most = c.scale(d - 1, c.sub(hi, lo));
            let order = c.le(lo, hi);
            self.rule(&[order], self.literal(remainders));
            self.rule(&[order], self.literal(c.sub(most, remainders)));
        }
    }

    /// The axioms of a constant at an index term.
    fn instantiate(&mut self, t: Term, at: Term) {
        let c = self.c;
        match *c.node(t) {
            Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } => {
                let next = c.add(at, c.int(1));
                let sum = |end: Term| c.fold(FoldOp::Sum, lo, end, None, |k| c.open(body, k));
                // Sums that came from here are not split again.
                if self.is_split(lo, hi) {
                    self.rule(&[c.le(lo, at)], c.eq(sum(next), c.add(sum(at), c.instantiate(body, at))));
                    self.describe_sum(lo, &[at, next, hi], body);
                }
            }
            Node::Fold { op: op @ (FoldOp::Max | FoldOp::Min), lo, hi, body, .. } => {
                let value = c.instantiate(body, at);
                let bound = if op == FoldOp::Max { c.ge(t, value) } else { c.le(t, value) };
                self.rule(&[c.within(lo, at, hi)], bound);
            }
            Node::Fold { op: FoldOp::Any, lo, hi, body, .. } => {
                self.rule(&[c.within(lo, at, hi), c.instantiate(body, at)], t);
                self.add_ranks(body, at);
            }
            Node::First(lo, hi, p) => {
                let before = c.and(&[c.le(lo, at), c.lt(at, t), c.lt(at, hi)]);
                self.rule(&[before], c.not(c.instantiate(p, at)));
            }
            Node::Last(lo, hi, p) => {
                let after = c.and(&[c.le(lo, at), c.lt(t, at), c.lt(at, hi)]);
                self.rule(&[after], c.not(c.instantiate(p, at)));
            }
            Node::Nth(n, lo, hi, p) => {
                let rank = c.eq(self.count(lo, at, p), n);
                self.rule(&[c.within(lo, at, hi), c.instantiate(p, at), rank], c.eq(t, at));
            }
            _ => {}
        }
    }

    /// Whether a sum is one that was asked about: its end is not an index term.
    fn is_split(&self, lo: Term, hi: Term) -> bool {
        let c = self.c;
        !self.index.iter().any(|&i| hi == i || hi == c.add(i, c.int(1))) && hi != lo
    }

    /// The rank of an index term for each `nth` that the body applies to the bound variable.
    fn add_ranks(&mut self, body: Term, at: Term) {
        let (mut todo, mut seen) = (vec![body], HashSet::new());
        while let Some(t) = todo.pop() {
            if !seen.insert(t) || !self.c.spend(1) {
                continue;
            }
            let node = self.c.node(t);
            if let Node::Nth(_, lo, hi, p) = *node
                && self.c.loose(lo) == 0
                && self.c.loose(hi) == 0
                && self.c.loose(p) <= 1
            {
                let rank = self.count(lo, at, p);
                if self.c.as_int(rank).is_none_or(|r| !r.is_zero()) {
                    self.add_index(rank);
                }
            }
            todo.extend(children(&node).into_iter().map(|c| c.0));
        }
    }

    /// What holds of two constants of one kind: `nth` increases.
    fn relate(&mut self, constants: &[Term]) {
        let c = self.c;
        let parts = |t: Term| match *c.node(t) {
            Node::Nth(n, lo, hi, p) => Some((n, lo, hi, p)),
            _ => None,
        };
        for (&s, &t) in constants.iter().flat_map(|s| constants.iter().map(move |t| (s, t))) {
            let (Some((m, lo, hi, p)), Some((n, lo2, hi2, p2))) = (parts(s), parts(t)) else { continue };
            if s != t && (lo, hi, p) == (lo2, hi2, p2) {
                let all = self.count(lo, hi, p);
                self.rule(&[c.le(c.int(0), m), c.lt(m, n), c.lt(n, all)], c.lt(s, t));
            }
        }
    }
}
