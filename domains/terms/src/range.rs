//! Bounds of integer terms that hold in every model, and what they make of bodies of binders.
//!
//! Rules, and why they hold:
//! * Symbols and variables may have a range ([`Context::symbol_within`]).
//! * Interval arithmetic for sums, quotients, choices and extremes; `x mod c` is from 0 to `c - 1`.
//! * Numbers from `-2^b` to `2^b - 1` are those whose bits from `b` on are all equal to the sign,
//!   and bitwise operations keep that; -1 and 0, the values over empty ranges, are such numbers.
//! * A sum of at most `n` numbers from `l` to `h` is from `min(0, n*l)` to `max(0, n*h)`.
//! * A search in `[lo, hi)` ends at an index of the range or at its value without a result.
//! * The body of a binder matters at the indexes of its range only, so it may be replaced by one
//!   that is equal there. If the range is empty, no value of it matters.

use crate::context::{Context, children};
use crate::name::{Int, IntRange, Term, Var};
use crate::node::{BitOp, FoldOp, Node};
use crate::poly::{Poly, Rat, product, sum};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::HashSet;

impl Context {
    /// Bounds that hold for all values of the unknowns and variables.
    pub fn range_of(&self, t: Term) -> IntRange {
        self.range_within(t, 12)
    }

    fn range_within(&self, t: Term, depth: u32) -> IntRange {
        if depth == 0 || !self.spend(1) {
            return (None, None);
        }
        let of = |t: Term| self.range_within(t, depth - 1);
        match &*self.node(t) {
            Node::Poly(p) => self.range_of_poly(p, depth),
            Node::Wrap(w, _) => (Some(w.least()), Some(w.greatest())),
            Node::Apply(s, _) => self.symbol_range(*s),
            Node::Var(v) => self.variable_range(*v),
            Node::Read(array, _) => match &*self.node(*array) {
                Node::Apply(s, _) => self.symbol_range(*s),
                Node::Var(v) => self.variable_range(*v),
                _ => (None, None),
            },
            Node::Ite(_, a, b) => hull(of(*a), of(*b)),
            Node::Max(ts) => ts.iter().map(|&t| of(t)).reduce(greater).unwrap_or_default(),
            Node::Min(ts) => ts.iter().map(|&t| of(t)).reduce(lesser).unwrap_or_default(),
            Node::Div(a, b) => match self.as_int(*b) {
                Some(c) if c.is_positive() => {
                    let (lo, hi) = of(*a);
                    (lo.map(|l| l.div_floor(&c)), hi.map(|h| h.div_floor(&c)))
                }
                _ => (None, None),
            },
            Node::Power(c, _) if c.is_positive() => (Some(Int::one()), None),
            Node::Bits(op, ts) => {
                let all = ts.iter().map(|&t| of(t)).collect::<Vec<_>>();
                bits_range(*op, &all)
            }
            Node::Fold { op, lo, hi, seed, body } => {
                let inside = self.index_range(of(*lo), of(*hi));
                let body = self.scoped_within(inside, |_, k| of(self.open(*body, k)));
                self.range_of_fold(*op, of(self.sub(*hi, *lo)), seed.map(of), body)
            }
            Node::First(lo, hi, _) | Node::Nth(_, lo, hi, _) => {
                let (lo, hi) = (of(*lo), of(*hi));
                (lesser(lo, hi.clone()).0, hi.1)
            }
            Node::Last(lo, hi, _) => {
                let (lo, hi) = (of(*lo), of(*hi));
                (lo.0.clone().map(|l| l - 1), greater(lo, hi).1.map(|h| h - 1))
            }
            _ => (None, None),
        }
    }

    fn range_of_poly(&self, p: &Poly, depth: u32) -> IntRange {
        let (mut lo, mut hi) = (Some(Rat::zero()), Some(Rat::zero()));
        for (m, c) in p.terms() {
            // Of squares and greater products only the sign could be known.
            let (low, high) = match m[..] {
                [] => (Some(Int::one()), Some(Int::one())),
                [(t, 1)] => self.range_within(t, depth - 1),
                _ => (None, None),
            };
            let (low, high) = if c.is_negative() { (high, low) } else { (low, high) };
            let scaled = |bound: Option<Int>| bound.map(|b| product(&Rat::from_integer(b), c));
            lo = lo.zip(scaled(low)).map(|(a, b)| sum(&a, &b));
            hi = hi.zip(scaled(high)).map(|(a, b)| sum(&a, &b));
        }
        let (lo, hi) = (lo.map(|l| l.ceil().to_integer()), hi.map(|h| h.floor().to_integer()));
        let Some(r) = self.as_remainder(p) else { return (lo, hi) };
        // `x mod c` is from 0 to c - 1.
        let ends = [r.shift.clone(), r.shift + r.factor * (r.modulus - Int::one())];
        let (least, greatest) = (ends.iter().min().cloned(), ends.iter().max().cloned());
        (lo.max(least), if hi.is_none() { greatest } else { hi.min(greatest) })
    }

    /// Bounds of a fold, from those of the number of its elements (as a difference), of the seed
    /// and of the bodies.
    fn range_of_fold(&self, op: FoldOp, length: IntRange, seed: Option<IntRange>, body: IntRange) -> IntRange {
        let bit_op = match op {
            FoldOp::Sum => {
                let most = length.1.map(|n| n.max(Int::zero()));
                let zero = Int::zero();
                let end = |bound: Int| match bound.is_zero() {
                    true => Some(bound),
                    false => most.clone().map(|n| n * bound),
                };
                let lo = body.0.and_then(|l| end(l.min(zero.clone())));
                return (lo, body.1.and_then(|h| end(h.max(zero))));
            }
            FoldOp::Max | FoldOp::Min => {
                let Some(seed) = seed else { return (None, None) };
                // Each element may or may not be the one.
                return match op {
                    FoldOp::Max => (seed.0.clone(), hull(seed, body).1),
                    _ => (hull(seed.clone(), body).0, seed.1),
                };
            }
            FoldOp::BitAnd => BitOp::And,
            FoldOp::BitOr => BitOp::Or,
            FoldOp::BitXor => BitOp::Xor,
            FoldOp::Product | FoldOp::All | FoldOp::Any => return (None, None),
        };
        let some = bits_range(bit_op, &[body.clone(), body]);
        if length.0.is_some_and(|n| n.is_positive()) {
            return some;
        }
        let neutral = Int::from(if bit_op == BitOp::And { -1 } else { 0 });
        hull(some, (Some(neutral.clone()), Some(neutral)))
    }

    /// The range of the indexes of `[lo, hi)`.
    fn index_range(&self, lo: IntRange, hi: IntRange) -> IntRange {
        (lo.0, hi.1.map(|h| h - 1))
    }

    /// Calls `rules` with the variable and the body of a binder over `[lo, hi)`, or with a variable
    /// that has the range of the index, and the body as it is simpler for that.
    pub(crate) fn with_index_in_range(
        &self,
        var: Var,
        lo: Term,
        hi: Term,
        body: Term,
        rules: impl FnOnce(Var, Term) -> Term,
    ) -> Term {
        let known = self.variable_range(var);
        let (low, high) = self.index_range(self.range_of(lo), self.range_of(hi));
        let narrower = (low > known.0) || (high.is_some() && known.1.as_ref().is_none_or(|k| high.as_ref() < Some(k)));
        if !narrower || !self.depends_on_range(var, body) {
            return rules(var, body);
        }
        let range = meet(known, (low, high));
        self.scoped_within(range, |v, k| {
            let result = rules(v, self.substitute(body, var, k));
            debug_assert!(!self.mentions(result, v), "the index is in the result");
            result
        })
    }

    /// Whether something in the body may be simpler if more is known of the range of the variable.
    fn depends_on_range(&self, var: Var, body: Term) -> bool {
        let (mut seen, mut todo) = (HashSet::new(), vec![body]);
        while let Some(t) = todo.pop() {
            if !self.mentions(t, var) || !seen.insert(t) {
                continue;
            }
            if !self.spend(1) {
                return false;
            }
            let node = self.node(t);
            match &*node {
                Node::Wrap(..) | Node::NonNegative(_) | Node::Max(_) | Node::Min(_) => return true,
                _ => todo.extend(children(&node).into_iter().map(|c| c.0)),
            }
        }
        false
    }
}

/// The least range that contains both.
fn hull(a: IntRange, b: IntRange) -> IntRange {
    (a.0.zip(b.0).map(|(a, b)| a.min(b)), a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

/// What is in both ranges.
fn meet(a: IntRange, b: IntRange) -> IntRange {
    (a.0.max(b.0), least_end(a.1, b.1))
}

/// The range of the greater of two numbers.
fn greater(a: IntRange, b: IntRange) -> IntRange {
    (a.0.max(b.0), a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

/// The range of the lesser of two numbers.
fn lesser(a: IntRange, b: IntRange) -> IntRange {
    (a.0.zip(b.0).map(|(a, b)| a.min(b)), least_end(a.1, b.1))
}

/// The lesser of two upper bounds.
fn least_end(a: Option<Int>, b: Option<Int>) -> Option<Int> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Bounds of a bitwise operation on one or more numbers.
fn bits_range(op: BitOp, ranges: &[IntRange]) -> IntRange {
    meet(same_width(ranges), without_sign(op, ranges))
}

/// The numbers of the width that all numbers of the ranges have.
fn same_width(ranges: &[IntRange]) -> IntRange {
    let ends = ranges.iter().map(|r| r.0.clone().zip(r.1.clone())).collect::<Option<Vec<_>>>();
    let Some(ends) = ends else { return (None, None) };
    // `-2^b` needs as many bits as `2^b - 1`.
    let width = |x: &Int| if x.is_negative() { (-x - Int::one()).bits() } else { x.bits() };
    let width = ends.iter().flat_map(|(l, h)| [width(l), width(h)]).max().unwrap_or(0);
    let end = Int::one() << width;
    (Some(-end.clone()), Some(end - 1))
}

/// Bounds where some of the numbers are not negative.
fn without_sign(op: BitOp, ranges: &[IntRange]) -> IntRange {
    let not_negative = |r: &IntRange| r.0.as_ref().is_some_and(|l| !l.is_negative());
    let zero = Some(Int::zero());
    if op == BitOp::And {
        let hi = ranges.iter().filter(|r| not_negative(r)).filter_map(|r| r.1.clone()).min();
        return if ranges.iter().any(not_negative) { (zero, hi) } else { (None, None) };
    }
    if !ranges.iter().all(not_negative) {
        return (None, None);
    }
    let hi = ranges.iter().map(|r| r.1.clone()).collect::<Option<Vec<Int>>>();
    let bits = hi.map(|h| h.iter().map(|x| x.bits()).max().unwrap_or(0));
    (zero, bits.map(|b| (Int::one() << b) - 1))
}
