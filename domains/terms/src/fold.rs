//! Folds over ranges of integers: the rules that all operations share.
//!
//! `fold(op, lo <= k < hi, t(k))` is neutral (or its seed) where `hi <= lo`. No rule presumes that
//! a range has an element. Rules, and why they hold for every associative and commutative `op`:
//! * The range `[lo, max(lo, x))` has the elements of `[lo, x)`, and `[min(x, hi), hi)` those of
//!   `[x, hi)`.
//! * A range is the disjoint union of its elements with `p(k)` and those without. Where `p(k)` is
//!   `k >= t` or `k < t` both are ranges; where it is `k = t` one has at most one element. In each
//!   part the body may assume what the part says. That is how bounds of an `ite` or of a lambda's
//!   stretch split a fold.
//! * A body may assume that its index is in the range, also what `range` says of it.
//! * The substitution `k = j - t` or `k = t - j` maps ranges to ranges; of all that make the index
//!   of some read `k`, the one with the least body is chosen, so a fold and its shifted or reversed
//!   copy are the same node.
//! * Two nested folds of one operation may be exchanged if the inner range is the same each time.
//!
//! The rules for single operations are in `sum` and `others`.

use crate::context::Context;
use crate::name::{Int, Symbol, Term, Var};
use crate::node::{FoldOp, Node};
use crate::poly::{Poly, Rat};
use num_traits::{One, Signed, Zero};

/// The depth of folds made by rules for folds.
const NESTING: u32 = 10;

/// A fold whose body is open: its variable is free in `body` and nowhere else.
#[derive(Clone, Copy)]
pub(crate) struct OpenFold {
    pub(crate) op: FoldOp,
    pub(crate) var: Var,
    pub(crate) lo: Term,
    pub(crate) hi: Term,
    pub(crate) seed: Option<Term>,
    pub(crate) body: Term,
}

impl Context {
    /// The sum of `body(k)` for `lo <= k < hi`.
    pub fn sum(&self, lo: Term, hi: Term, body: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::Sum, lo, hi, None, body)
    }

    /// The number of `k` with `lo <= k < hi` at which `p(k)` holds.
    pub fn count(&self, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::Sum, lo, hi, None, |k| self.indicator(p(k)))
    }

    /// Whether `p(k)` for all `k` with `lo <= k < hi`.
    pub fn all(&self, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::All, lo, hi, None, p)
    }

    /// Whether `p(k)` for some `k` with `lo <= k < hi`.
    pub fn any(&self, lo: Term, hi: Term, p: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::Any, lo, hi, None, p)
    }

    /// The greatest of `seed` and `body(k)` for `lo <= k < hi`.
    pub fn maximum(&self, seed: Term, lo: Term, hi: Term, body: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::Max, lo, hi, Some(seed), body)
    }

    /// The least of `seed` and `body(k)` for `lo <= k < hi`.
    pub fn minimum(&self, seed: Term, lo: Term, hi: Term, body: impl FnOnce(Term) -> Term) -> Term {
        self.fold(FoldOp::Min, lo, hi, Some(seed), body)
    }

    /// `op` over `body(k)` for `lo <= k < hi`. The closure's argument must not leave it.
    pub fn fold(&self, op: FoldOp, lo: Term, hi: Term, seed: Option<Term>, body: impl FnOnce(Term) -> Term) -> Term {
        self.scoped(|v, k| self.fold_over(op, v, lo, hi, seed, body(k)))
    }

    /// `op` over `body` for `lo <= var < hi`; bounds and seed must not mention the variable. There
    /// must be a seed exactly for [`FoldOp::Max`] and [`FoldOp::Min`].
    pub fn fold_over(&self, op: FoldOp, var: Var, lo: Term, hi: Term, seed: Option<Term>, body: Term) -> Term {
        debug_assert_eq!(seed.is_some(), op.needs_seed());
        debug_assert!(!self.mentions(lo, var) && !self.mentions(hi, var), "a bound mentions the index");
        if op == FoldOp::All {
            // There is one form: `all p` is `not any not p`.
            return self.not(self.fold_over(FoldOp::Any, var, lo, hi, None, self.not(body)));
        }
        let node = std::rc::Rc::new(Node::Fold { op, lo, hi, seed, body: self.close(body, &[var]) });
        if let Some(&known) = self.folds.borrow().get(&node) {
            return known;
        }
        if self.nesting.get() >= NESTING || !self.spend(10) {
            return self.intern((*node).clone());
        }
        self.nesting.set(self.nesting.get() + 1);
        let result = self.fold_rules(OpenFold { op, var, lo, hi, seed, body });
        self.nesting.set(self.nesting.get() - 1);
        debug_assert!(!self.mentions(result, var), "the index is in the result");
        if self.nesting.get() == 0 && !self.has_scoped_range(&node) {
            self.folds.borrow_mut().insert(node, result);
        }
        result
    }

    fn fold_rules(&self, f: OpenFold) -> Term {
        let (lo, hi) = self.tight_range(f.lo, f.hi);
        let f = OpenFold { lo, hi, ..f };
        let length = self.sub(hi, lo);
        if self.range_of(length).1.is_some_and(|n| !n.is_positive()) {
            return self.neutral(f.op, f.seed);
        }
        if self.as_int(length).is_some_and(|n| n.is_one()) {
            let only = self.substitute(f.body, f.var, lo);
            return self.combine(f.op, self.neutral(f.op, f.seed), only);
        }
        if let Some(t) = self.fixed_condition(f).or_else(|| self.fold_after_first(f)) {
            return t;
        }
        // The body may assume that its index is in the range.
        let inside = self.within(lo, self.var(f.var), hi);
        let body = self.body_before_first(f.var, lo, hi, self.cofactor(f.body, inside));
        self.with_index_in_range(f.var, lo, hi, body, |var, body| {
            let f = OpenFold { var, body, ..f };
            match f.op {
                FoldOp::Sum => self.sum_rules(f),
                _ => self.other_rules(f),
            }
        })
    }

    /// The value over an empty range.
    pub(crate) fn neutral(&self, op: FoldOp, seed: Option<Term>) -> Term {
        match (op, seed) {
            (_, Some(seed)) => seed,
            (FoldOp::All, _) => self.truth(true),
            (FoldOp::Any, _) => self.truth(false),
            (FoldOp::Product, _) => self.int(1),
            (FoldOp::BitAnd, _) => self.int(-1),
            _ => self.int(0),
        }
    }

    /// `op` of two values.
    pub(crate) fn combine(&self, op: FoldOp, a: Term, b: Term) -> Term {
        use crate::node::BitOp;
        match op {
            FoldOp::Sum => self.add(a, b),
            FoldOp::Product => self.mul(a, b),
            FoldOp::BitAnd => self.bits(BitOp::And, &[a, b]),
            FoldOp::BitOr => self.bits(BitOp::Or, &[a, b]),
            FoldOp::BitXor => self.bits(BitOp::Xor, &[a, b]),
            FoldOp::Max => self.max(a, b),
            FoldOp::Min => self.min(a, b),
            FoldOp::All => self.and(&[a, b]),
            FoldOp::Any => self.or(&[a, b]),
        }
    }

    /// A range with the same elements, without the parts of a `max` above and of a `min` below that
    /// only matter where it is empty.
    pub(crate) fn tight_range(&self, lo: Term, hi: Term) -> (Term, Term) {
        let upper = self.without_empty_parts(lo, hi, true);
        let lower = self.without_empty_parts(lo, upper, false);
        (lower, upper)
    }

    fn without_empty_parts(&self, lo: Term, hi: Term, upper: bool) -> Term {
        let (bound, other) = if upper { (hi, lo) } else { (lo, hi) };
        let p = self.poly(bound);
        let sign = if upper { Rat::one() } else { -Rat::one() };
        for (m, c) in p.terms() {
            let [(atom, 1)] = m[..] else { continue };
            let node = self.node(atom);
            let parts = match &*node {
                Node::Max(parts) if upper == c.is_positive() => parts,
                Node::Min(parts) if upper != c.is_positive() => parts,
                _ => continue,
            };
            let rest = p.add_scaled(&Poly::atom(atom), &-c.clone());
            let with = |part: Term| rest.add_scaled(&self.poly(part), c);
            let length = |part: Term| with(part).sub(&self.poly(other)).scale(&sign);
            let empty = |part: Term| length(part).as_constant().is_some_and(|n| !n.is_positive());
            let left: Vec<Term> = parts.iter().copied().filter(|&t| !empty(t)).collect();
            if left.len() == parts.len() {
                continue;
            }
            if left.is_empty() {
                return other;
            }
            let sides: Vec<Term> = left.iter().map(|&t| self.from_poly(with(t))).collect();
            return if upper { self.max_of(&sides) } else { self.min_of(&sides) };
        }
        bound
    }

    /// Takes a condition that does not depend on the index out of the fold.
    fn fixed_condition(&self, f: OpenFold) -> Option<Term> {
        let atoms = self.poly_atoms(f.body);
        let condition = atoms.iter().find_map(|&a| match *self.node(a) {
            Node::Ite(p, ..) if self.mentions(a, f.var) && !self.mentions(p, f.var) => Some(p),
            _ => None,
        })?;
        let side = |given: Term| {
            let seed = f.seed.map(|s| self.cofactor(s, given));
            self.fold_over(f.op, f.var, f.lo, f.hi, seed, self.cofactor(f.body, given))
        };
        let (yes, no) = (side(condition), side(self.not(condition)));
        Some(self.ite(condition, yes, no))
    }

    /// The atoms of an integer term; none of another.
    pub(crate) fn poly_atoms(&self, t: Term) -> Vec<Term> {
        match self.sort(t) {
            crate::node::Sort::Int => self.poly(t).atoms(),
            _ => Vec::new(),
        }
    }

    /// `(a, t)` with `p = a*var + t`, integer coefficients, and `a` a number that is not 0.
    pub fn affine(&self, p: Term, var: Var) -> Option<(Int, Poly)> {
        let p = self.poly(p);
        let k = self.var(var);
        if p.degree_in(k) != 1 || !p.denominator().is_one() {
            return None;
        }
        let powers = p.by_powers_of(k);
        let a = powers[1].as_constant()?.to_integer();
        let free = powers[0].atoms().iter().all(|&t| !self.mentions(t, var));
        (free && !a.is_zero()).then(|| (a, powers[0].clone()))
    }

    /// The range of the elements of `[lo, hi)` with `a*k + t >= 0`.
    pub(crate) fn narrowed(&self, lo: Term, hi: Term, a: &Int, t: &Poly) -> (Term, Term) {
        let t = self.from_poly(t.clone());
        if a.is_positive() {
            (self.max(lo, self.ceil_div(self.neg(t), a)), hi)
        } else {
            let end = self.add(self.div(t, self.int(-a)), self.int(1));
            (lo, self.min(hi, end))
        }
    }

    /// The fold as a node, with the index that makes the cells it reads come first.
    pub(crate) fn finished(&self, f: OpenFold) -> Term {
        let (lo, hi) = self.tight_range(f.lo, f.hi);
        let f = OpenFold { lo, hi, ..f };
        let Some((sign, offset)) = self.best_index(f) else { return self.exchanged(f) };
        let (lo, hi) = if sign > 0 {
            (self.add(f.lo, offset), self.add(f.hi, offset))
        } else {
            let end = self.add(offset, self.int(1));
            (self.sub(end, f.hi), self.sub(end, f.lo))
        };
        // The new index is `sign*k + offset`. It is another variable, since its range is another.
        self.scoped(|v, k| {
            let old = self.scale(sign, self.sub(k, offset));
            self.fold_over(f.op, v, lo, hi, f.seed, self.substitute(f.body, f.var, old))
        })
    }

    /// The index, as `(sign, offset)` for `sign*k + offset`, that makes the reads of the body come
    /// first; none if that is the index as it is.
    fn best_index(&self, f: OpenFold) -> Option<(i32, Term)> {
        let (heads, candidates) = self.heads(f);
        if candidates.is_empty() || heads.len() > 12 {
            return None;
        }
        let zero = self.int(0);
        self.scoped(|v, k| {
            let key = |&(sign, offset): &(i32, Term)| {
                let old = self.scale(sign, self.sub(k, offset));
                let moved = |&t: &Term| self.close(self.substitute(t, f.var, old), &[v]);
                let mut all: Vec<Term> = heads.iter().map(moved).collect();
                all.sort_unstable();
                // Of equals, the index as it is.
                (all, (sign, offset) != (1, zero), sign, offset)
            };
            candidates.into_iter().min_by_key(key).filter(|&c| c != (1, zero))
        })
    }

    /// What the body reads and applies at indexes that depend on the variable, and of that, for
    /// the array or symbol that comes first, the affine indexes with coefficient 1 or -1.
    fn heads(&self, f: OpenFold) -> (Vec<Term>, Vec<(i32, Term)>) {
        let mut heads = Vec::new();
        let mut found: Vec<(Head, i32, Term)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut todo = vec![f.body];
        while let Some(t) = todo.pop() {
            if !self.mentions(t, f.var) || !seen.insert(t) || !self.spend(1) {
                continue;
            }
            let node = self.node(t);
            todo.extend(crate::context::children(&node).into_iter().map(|c| c.0));
            let (head, index) = match &*node {
                Node::Read(a, index) if !self.mentions(*a, f.var) => (Head::Array(*a), index),
                Node::Apply(s, index) => (Head::Symbol(*s), index),
                _ => continue,
            };
            if self.loose(t) == 0 {
                heads.push(t);
            }
            for &i in index.iter().filter(|&&i| self.loose(i) == 0 && self.rank(i).is_none()) {
                let known = self.affine(i, f.var).filter(|(a, _)| a.abs().is_one());
                let Some((a, offset)) = known else { continue };
                found.push((head, if a.is_positive() { 1 } else { -1 }, self.from_poly(offset)));
            }
        }
        found.sort_unstable();
        found.dedup();
        let first = found.first().map(|c| c.0);
        let chosen = found.into_iter().filter(|c| Some(c.0) == first).take(6).map(|c| (c.1, c.2)).collect();
        (heads, chosen)
    }

    /// The fold as a node; of two nested folds of one operation whose ranges do not depend on each
    /// other, the order that comes first.
    fn exchanged(&self, f: OpenFold) -> Term {
        let closed =
            |f: OpenFold| Node::Fold { op: f.op, lo: f.lo, hi: f.hi, seed: f.seed, body: self.close(f.body, &[f.var]) };
        let mine = closed(f);
        let Node::Fold { lo, hi, body: innermost, .. } = *self.node(f.body) else { return self.intern(mine) };
        if self.exchanging.get() || self.nested(&mine).is_none() {
            return self.intern(mine);
        }
        self.exchanging.set(true);
        let other = self.scoped(|w, j| {
            let inner = self.fold_over(f.op, f.var, f.lo, f.hi, None, self.open(innermost, j));
            self.fold_over(f.op, w, lo, hi, None, inner)
        });
        self.exchanging.set(false);
        let key = |n: &Node| match n {
            Node::Fold { lo, hi, body, .. } => (*lo, *hi, *body),
            _ => unreachable!("it is a fold"),
        };
        let other_node = self.node(other);
        if self.nested(&other_node).is_none() || key(&other_node) < key(&mine) { other } else { self.intern(mine) }
    }

    /// The range of the fold right inside a fold of the same operation.
    fn nested(&self, node: &Node) -> Option<(Term, Term)> {
        let Node::Fold { op, seed: None, body, .. } = node else { return None };
        match *self.node(*body) {
            Node::Fold { op: inner, lo, hi, seed: None, .. }
                if inner == *op && self.loose(lo) == 0 && self.loose(hi) == 0 =>
            {
                Some((lo, hi))
            }
            _ => None,
        }
    }
}

/// What an index belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Head {
    Array(Term),
    Symbol(Symbol),
}
