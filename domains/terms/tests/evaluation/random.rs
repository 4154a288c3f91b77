//! Random terms, in a form of their own that nobody simplifies, with an evaluator of its own.
//!
//! [`RawInt`], [`RawBool`] and [`RawArray`] are what a user of the crate asks for. Their evaluator
//! follows the words of the crate's documentation and shares no code with it. A test builds the
//! term in a context, where it is simplified, and compares.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use smalti_terms::{BitOp, Context, FoldOp, Model, Sort, Symbol, Term, Tie, WrapType};

/// Numbers that look random, the same in each run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub(crate) fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as u64) as i64
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

#[derive(Clone, Debug)]
pub(crate) enum RawInt {
    Const(i64),
    Unknown(usize),
    /// A variable of a binder, counted from the outermost one.
    Index(usize),
    Add(Box<RawInt>, Box<RawInt>),
    Sub(Box<RawInt>, Box<RawInt>),
    Mul(Box<RawInt>, Box<RawInt>),
    Div(Box<RawInt>, Box<RawInt>),
    Rem(Box<RawInt>, Box<RawInt>),
    TruncatedDiv(Box<RawInt>, Box<RawInt>),
    TruncatedRem(Box<RawInt>, Box<RawInt>),
    Power(i64, Box<RawInt>),
    Ite(Box<RawBool>, Box<RawInt>, Box<RawInt>),
    Max(Vec<RawInt>),
    Min(Vec<RawInt>),
    Read(RawArray, Vec<RawInt>),
    Function(Box<RawInt>),
    Fold(FoldOp, Range, Option<Box<RawInt>>, Box<RawInt>),
    First(Range, Box<RawBool>),
    Last(Range, Box<RawBool>),
    Nth(Box<RawInt>, Range, Box<RawBool>),
    /// Of the greatest (or least) body: seed, index of the seed.
    Arg(bool, Tie, Box<RawInt>, Box<RawInt>, Range, Box<RawInt>),
    Wrap(WrapType, Box<RawInt>),
    Bits(BitOp, Box<RawInt>, Box<RawInt>),
}

#[derive(Clone, Debug)]
pub(crate) struct Range(pub(crate) Box<RawInt>, pub(crate) Box<RawInt>);

#[derive(Clone, Debug)]
pub(crate) enum RawBool {
    Less(Box<RawInt>, Box<RawInt>),
    LessEqual(Box<RawInt>, Box<RawInt>),
    Equal(Box<RawInt>, Box<RawInt>),
    Divides(i64, Box<RawInt>),
    Unknown,
    Not(Box<RawBool>),
    And(Box<RawBool>, Box<RawBool>),
    Or(Box<RawBool>, Box<RawBool>),
    Iff(Box<RawBool>, Box<RawBool>),
    Ite(Box<RawBool>, Box<RawBool>, Box<RawBool>),
    All(Range, Box<RawBool>),
    Any(Range, Box<RawBool>),
}

#[derive(Clone, Debug)]
pub(crate) enum RawArray {
    Unknown(usize),
    Matrix,
    Store(Box<RawArray>, Vec<RawInt>, Box<RawInt>),
    /// The condition and the value are under a binder.
    Overwrite(Box<RawArray>, Box<RawBool>, Box<RawInt>),
    Ite(Box<RawBool>, Box<RawArray>, Box<RawArray>),
    Swap(Box<RawArray>, Box<RawInt>, Box<RawInt>),
    /// What a loop leaves that does, if a condition holds, one write in each iteration. Condition,
    /// index and value are under a binder.
    Loop(Box<RawArray>, Range, Box<RawBool>, Box<RawInt>, Box<RawInt>),
}

/// What the unknowns are.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) unknowns: [i64; 4],
    pub(crate) truth: bool,
    pub(crate) salt: u64,
}

impl World {
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let mut one = || if dice.below(3) == 0 { dice.between(-9, 9) } else { dice.between(-2, 5) };
        let unknowns = [one(), one(), one(), one()];
        World { unknowns, truth: dice.below(2) == 0, salt: dice.below(1000) }
    }

    fn hash(&self, parts: &[&BigInt]) -> BigInt {
        let mut h = self.salt.wrapping_add(77);
        for p in parts {
            let low = (*p & BigInt::from(u32::MAX)).to_u64().expect("32 bits");
            h = (h ^ low).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            h ^= h >> 29;
        }
        // Small values, often equal.
        BigInt::from((h >> 40) % 9) - 3
    }
}

/// The symbols of a context.
pub(crate) struct Names {
    pub(crate) unknowns: [Symbol; 4],
    pub(crate) truth: Symbol,
    pub(crate) arrays: [Symbol; 3],
    pub(crate) function: Symbol,
}

impl Names {
    pub(crate) fn new(c: &Context) -> Self {
        // Some have the range that all their values are in.
        let within = |name: &str, sort: Sort, lo: i64, hi: i64| {
            c.symbol_within(name, sort, (Some(BigInt::from(lo)), Some(BigInt::from(hi))))
        };
        let [n, m, x] = ["N", "M", "x"].map(|n| c.symbol(n, Sort::Int));
        let array = c.symbol("a", Sort::Array(1));
        Names {
            unknowns: [n, m, x, within("y", Sort::Int, -9, 9)],
            truth: c.symbol("p", Sort::Bool),
            arrays: [array, within("b", Sort::Array(1), -3, 5), c.symbol("m", Sort::Array(2))],
            function: within("f", Sort::Int, -3, 5),
        }
    }
}

/// A world, seen through the symbols of a context.
pub(crate) struct Seen<'a>(pub(crate) &'a World, pub(crate) &'a Names);

impl Model for Seen<'_> {
    fn int(&self, symbol: Symbol, arguments: &[BigInt]) -> Option<BigInt> {
        if symbol == self.1.function {
            return Some(self.0.hash(&[&BigInt::from(100), &arguments[0]]));
        }
        let at = self.1.unknowns.iter().position(|&s| s == symbol)?;
        Some(BigInt::from(self.0.unknowns[at]))
    }

    fn truth(&self, symbol: Symbol, _: &[BigInt]) -> Option<bool> {
        (symbol == self.1.truth).then_some(self.0.truth)
    }

    fn cell(&self, array: Symbol, _: &[BigInt], index: &[BigInt]) -> Option<BigInt> {
        let at = self.1.arrays.iter().position(|&s| s == array)?;
        let mut all = vec![BigInt::from(at)];
        all.extend(index.iter().cloned());
        Some(self.0.hash(&all.iter().collect::<Vec<_>>()))
    }
}

/// The evaluator of raw terms; `None` if it takes too long or a number is too large.
pub(crate) struct Oracle<'a> {
    pub(crate) world: &'a World,
    pub(crate) steps: u32,
    pub(crate) bound: Vec<BigInt>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        Oracle { world, steps: 20_000, bound: Vec::new() }
    }

    fn each<T>(&mut self, range: &Range, start: T, mut f: impl FnMut(&mut Self, &BigInt, T) -> Option<T>) -> Option<T> {
        let (lo, hi) = (self.int(&range.0)?, self.int(&range.1)?);
        let (mut k, mut value) = (lo, start);
        while k < hi {
            self.steps = self.steps.checked_sub(1)?;
            self.bound.push(k.clone());
            value = f(self, &k, value)?;
            self.bound.pop();
            k += 1;
        }
        Some(value)
    }

    fn matching(&mut self, range: &Range, p: &RawBool) -> Option<Vec<BigInt>> {
        self.each(range, Vec::new(), |me, k, mut found| {
            if me.truth(p)? {
                found.push(k.clone());
            }
            Some(found)
        })
    }

    pub(crate) fn int(&mut self, t: &RawInt) -> Option<BigInt> {
        self.steps = self.steps.checked_sub(1)?;
        let value = self.int_of(t)?;
        (value.bits() < 2000).then_some(value)
    }

    fn int_of(&mut self, t: &RawInt) -> Option<BigInt> {
        Some(match t {
            RawInt::Const(c) => BigInt::from(*c),
            RawInt::Unknown(i) => BigInt::from(self.world.unknowns[*i]),
            RawInt::Index(i) => self.bound[*i].clone(),
            RawInt::Add(a, b) => self.int(a)? + self.int(b)?,
            RawInt::Sub(a, b) => self.int(a)? - self.int(b)?,
            RawInt::Mul(a, b) => self.int(a)? * self.int(b)?,
            RawInt::Div(a, b) => floor(&self.int(a)?, &self.int(b)?),
            RawInt::Rem(a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                &a - &b * floor(&a, &b)
            }
            RawInt::TruncatedDiv(a, b) => truncated(&self.int(a)?, &self.int(b)?),
            RawInt::TruncatedRem(a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                &a - &b * truncated(&a, &b)
            }
            RawInt::Power(c, e) => {
                let e = self.int(e)?.max(BigInt::zero());
                BigInt::from(*c).pow(e.to_u32().filter(|&e| e < 500)?)
            }
            RawInt::Ite(p, a, b) => {
                let chosen = if self.truth(p)? { a } else { b };
                self.int(chosen)?
            }
            RawInt::Max(ts) => {
                let all: Option<Vec<BigInt>> = ts.iter().map(|t| self.int(t)).collect();
                all?.into_iter().max()?
            }
            RawInt::Min(ts) => {
                let all: Option<Vec<BigInt>> = ts.iter().map(|t| self.int(t)).collect();
                all?.into_iter().min()?
            }
            RawInt::Read(a, index) => {
                let index: Option<Vec<BigInt>> = index.iter().map(|t| self.int(t)).collect();
                self.cell(a, &index?)?
            }
            RawInt::Function(x) => {
                let x = self.int(x)?;
                self.world.hash(&[&BigInt::from(100), &x])
            }
            RawInt::Fold(op, range, seed, body) => self.fold(*op, range, seed.as_deref(), body)?,
            RawInt::First(..) | RawInt::Last(..) | RawInt::Nth(..) | RawInt::Arg(..) => self.search(t)?,
            RawInt::Wrap(w, t) => {
                let modulus = BigInt::from(2).pow(w.bits);
                let mut value = self.int(t)?.mod_floor(&modulus);
                if w.signed && value >= &modulus / 2 {
                    value -= modulus;
                }
                value
            }
            RawInt::Bits(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match op {
                    BitOp::And => a & b,
                    BitOp::Or => a | b,
                    BitOp::Xor => a ^ b,
                }
            }
        })
    }

    fn search(&mut self, t: &RawInt) -> Option<BigInt> {
        Some(match t {
            RawInt::First(range, p) => {
                let hi = self.int(&range.1)?;
                self.matching(range, p)?.into_iter().next().unwrap_or(hi)
            }
            RawInt::Last(range, p) => {
                let lo = self.int(&range.0)?;
                self.matching(range, p)?.into_iter().next_back().unwrap_or(lo - 1)
            }
            RawInt::Nth(n, range, p) => {
                let (n, hi) = (self.int(n)?, self.int(&range.1)?);
                let found = self.matching(range, p)?;
                n.to_usize().and_then(|n| found.get(n).cloned()).unwrap_or(hi)
            }
            RawInt::Arg(greatest, tie, seed, seed_index, range, body) => {
                let start = (self.int(seed)?, self.int(seed_index)?);
                let (greatest, tie) = (*greatest, *tie);
                let kept = self.each(range, start, |me, k, (best, at)| {
                    let value = me.int(body)?;
                    let better = if greatest { value > best } else { value < best };
                    let take = better || (tie == Tie::Last && value == best);
                    Some(if take { (value, k.clone()) } else { (best, at) })
                });
                kept?.1
            }
            _ => unreachable!("no search"),
        })
    }

    fn fold(&mut self, op: FoldOp, range: &Range, seed: Option<&RawInt>, body: &RawInt) -> Option<BigInt> {
        let start = match (op, seed) {
            (_, Some(s)) => self.int(s)?,
            (FoldOp::Product, _) => BigInt::from(1),
            (FoldOp::BitAnd, _) => BigInt::from(-1),
            _ => BigInt::zero(),
        };
        self.each(range, start, |me, _, value| {
            let next = me.int(body)?;
            let value = match op {
                FoldOp::Sum => value + next,
                FoldOp::Product => value * next,
                FoldOp::BitAnd => value & next,
                FoldOp::BitOr => value | next,
                FoldOp::BitXor => value ^ next,
                FoldOp::Max => value.max(next),
                FoldOp::Min => value.min(next),
                FoldOp::All | FoldOp::Any => unreachable!("no integers"),
            };
            (value.bits() < 2000).then_some(value)
        })
    }

    pub(crate) fn truth(&mut self, p: &RawBool) -> Option<bool> {
        self.steps = self.steps.checked_sub(1)?;
        Some(match p {
            RawBool::Less(a, b) => self.int(a)? < self.int(b)?,
            RawBool::LessEqual(a, b) => self.int(a)? <= self.int(b)?,
            RawBool::Equal(a, b) => self.int(a)? == self.int(b)?,
            RawBool::Divides(c, t) => {
                let value = self.int(t)?;
                if *c == 0 { value.is_zero() } else { (value % BigInt::from(*c)).is_zero() }
            }
            RawBool::Unknown => self.world.truth,
            RawBool::Not(p) => !self.truth(p)?,
            RawBool::And(p, q) => self.truth(p)? & self.truth(q)?,
            RawBool::Or(p, q) => self.truth(p)? | self.truth(q)?,
            RawBool::Iff(p, q) => self.truth(p)? == self.truth(q)?,
            RawBool::Ite(p, q, r) => {
                let (q, r) = (self.truth(q)?, self.truth(r)?);
                if self.truth(p)? { q } else { r }
            }
            RawBool::All(range, p) => self.each(range, true, |me, _, all| Some(me.truth(p)? & all))?,
            RawBool::Any(range, p) => self.each(range, false, |me, _, any| Some(me.truth(p)? | any))?,
        })
    }

    pub(crate) fn cell(&mut self, a: &RawArray, index: &[BigInt]) -> Option<BigInt> {
        Some(match a {
            RawArray::Unknown(i) => self.world.hash(&[&BigInt::from(*i), &index[0]]),
            RawArray::Matrix => self.world.hash(&[&BigInt::from(2), &index[0], &index[1]]),
            RawArray::Store(a, at, value) => {
                let at: Option<Vec<BigInt>> = at.iter().map(|t| self.int(t)).collect();
                if at? == index { self.int(value)? } else { self.cell(a, index)? }
            }
            RawArray::Overwrite(a, p, value) => {
                self.bound.extend(index.iter().cloned());
                let written = self.truth(p)?;
                let value = self.int(value)?;
                self.bound.truncate(self.bound.len() - index.len());
                if written { value } else { self.cell(a, index)? }
            }
            RawArray::Ite(p, a, b) => {
                let chosen = if self.truth(p)? { a } else { b };
                self.cell(chosen, index)?
            }
            RawArray::Loop(a, range, p, at, value) => {
                let written = self.each(range, None, |me, _, written| {
                    let here = me.truth(p)? & (me.int(at)? == index[0]);
                    let value = me.int(value)?;
                    Some(if here { Some(value) } else { written })
                })?;
                match written {
                    Some(value) => value,
                    None => self.cell(a, index)?,
                }
            }
            RawArray::Swap(a, i, j) => {
                let (i, j) = (self.int(i)?, self.int(j)?);
                let at = if index[0] == i {
                    j
                } else if index[0] == j {
                    i
                } else {
                    index[0].clone()
                };
                self.cell(a, &[at])?
            }
        })
    }
}

fn floor(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() {
        return BigInt::zero();
    }
    let (q, r) = (a / b, a % b);
    if !r.is_zero() && (r.is_negative() != b.is_negative()) { q - 1 } else { q }
}

fn truncated(a: &BigInt, b: &BigInt) -> BigInt {
    if b.is_zero() { BigInt::zero() } else { a / b }
}

/// Builds raw terms in a context.
pub(crate) struct Builder<'a> {
    pub(crate) c: &'a Context,
    pub(crate) names: &'a Names,
    pub(crate) bound: std::cell::RefCell<Vec<Term>>,
}

impl Builder<'_> {
    fn under<T>(&self, ks: &[Term], f: impl FnOnce() -> T) -> T {
        self.bound.borrow_mut().extend(ks);
        let result = f();
        let mut bound = self.bound.borrow_mut();
        let left = bound.len() - ks.len();
        bound.truncate(left);
        result
    }

    pub(crate) fn int(&self, t: &RawInt) -> Term {
        let c = self.c;
        let all = |ts: &[RawInt]| ts.iter().map(|t| self.int(t)).collect::<Vec<_>>();
        match t {
            RawInt::Const(k) => c.int(*k),
            RawInt::Unknown(i) => c.apply(self.names.unknowns[*i], &[]),
            RawInt::Index(i) => self.bound.borrow()[*i],
            RawInt::Add(a, b) => c.add(self.int(a), self.int(b)),
            RawInt::Sub(a, b) => c.sub(self.int(a), self.int(b)),
            RawInt::Mul(a, b) => c.mul(self.int(a), self.int(b)),
            RawInt::Div(a, b) => c.div(self.int(a), self.int(b)),
            RawInt::Rem(a, b) => c.rem(self.int(a), self.int(b)),
            RawInt::TruncatedDiv(a, b) => c.truncated_div(self.int(a), self.int(b)),
            RawInt::TruncatedRem(a, b) => c.truncated_rem(self.int(a), self.int(b)),
            RawInt::Power(k, e) => c.power(*k, self.int(e)),
            RawInt::Ite(p, a, b) => c.ite(self.truth(p), self.int(a), self.int(b)),
            RawInt::Max(ts) => c.max_of(&all(ts)),
            RawInt::Min(ts) => c.min_of(&all(ts)),
            RawInt::Read(a, index) => c.read(self.array(a), &all(index)),
            RawInt::Function(x) => c.apply(self.names.function, &[self.int(x)]),
            RawInt::Fold(op, range, seed, body) => {
                let seed = seed.as_ref().map(|s| self.int(s));
                let (lo, hi) = self.range(range);
                c.fold(*op, lo, hi, seed, |k| self.under(&[k], || self.int(body)))
            }
            RawInt::First(range, p) => {
                let (lo, hi) = self.range(range);
                c.first(lo, hi, |k| self.under(&[k], || self.truth(p)))
            }
            RawInt::Last(range, p) => {
                let (lo, hi) = self.range(range);
                c.last(lo, hi, |k| self.under(&[k], || self.truth(p)))
            }
            RawInt::Nth(n, range, p) => {
                let (n, (lo, hi)) = (self.int(n), self.range(range));
                c.nth(n, lo, hi, |k| self.under(&[k], || self.truth(p)))
            }
            RawInt::Arg(greatest, tie, seed, at, range, body) => {
                let (seed, at, (lo, hi)) = (self.int(seed), self.int(at), self.range(range));
                let body = |k: Term| self.under(&[k], || self.int(body));
                if *greatest {
                    c.arg_max(seed, at, lo, hi, *tie, body)
                } else {
                    c.arg_min(seed, at, lo, hi, *tie, body)
                }
            }
            RawInt::Wrap(w, t) => c.wrap(*w, self.int(t)),
            RawInt::Bits(op, a, b) => c.bits(*op, &[self.int(a), self.int(b)]),
        }
    }

    fn range(&self, range: &Range) -> (Term, Term) {
        (self.int(&range.0), self.int(&range.1))
    }

    pub(crate) fn truth(&self, p: &RawBool) -> Term {
        let c = self.c;
        match p {
            RawBool::Less(a, b) => c.lt(self.int(a), self.int(b)),
            RawBool::LessEqual(a, b) => c.le(self.int(a), self.int(b)),
            RawBool::Equal(a, b) => c.eq(self.int(a), self.int(b)),
            RawBool::Divides(k, t) => c.divides(*k, self.int(t)),
            RawBool::Unknown => c.apply(self.names.truth, &[]),
            RawBool::Not(p) => c.not(self.truth(p)),
            RawBool::And(p, q) => c.and(&[self.truth(p), self.truth(q)]),
            RawBool::Or(p, q) => c.or(&[self.truth(p), self.truth(q)]),
            RawBool::Iff(p, q) => c.iff(self.truth(p), self.truth(q)),
            RawBool::Ite(p, q, r) => c.ite(self.truth(p), self.truth(q), self.truth(r)),
            RawBool::All(range, p) => {
                let (lo, hi) = self.range(range);
                c.all(lo, hi, |k| self.under(&[k], || self.truth(p)))
            }
            RawBool::Any(range, p) => {
                let (lo, hi) = self.range(range);
                c.any(lo, hi, |k| self.under(&[k], || self.truth(p)))
            }
        }
    }

    pub(crate) fn array(&self, a: &RawArray) -> Term {
        let c = self.c;
        match a {
            RawArray::Unknown(i) => c.apply(self.names.arrays[*i], &[]),
            RawArray::Matrix => c.apply(self.names.arrays[2], &[]),
            RawArray::Store(a, at, value) => {
                let at: Vec<Term> = at.iter().map(|t| self.int(t)).collect();
                c.store(self.array(a), &at, self.int(value))
            }
            RawArray::Overwrite(a, p, value) => c.overwrite(
                self.array(a),
                |ks| self.under(ks, || self.truth(p)),
                |ks| self.under(ks, || self.int(value)),
            ),
            RawArray::Ite(p, a, b) => c.ite(self.truth(p), self.array(a), self.array(b)),
            RawArray::Loop(a, range, p, at, value) => {
                let (a, (lo, hi)) = (self.array(a), self.range(range));
                let v = c.variable("n", Sort::Int);
                let (p, at, value) = self.under(&[c.var(v)], || (self.truth(p), self.int(at), self.int(value)));
                c.after_writes(a, v, lo, hi, p, &[at], value)
            }
            RawArray::Swap(a, i, j) => {
                let (a, i, j) = (self.array(a), self.int(i), self.int(j));
                let (at_i, at_j) = (c.read(a, &[i]), c.read(a, &[j]));
                // The second store wins; with i = j both store the same.
                c.store(c.store(a, &[i], at_j), &[j], at_i)
            }
        }
    }
}
