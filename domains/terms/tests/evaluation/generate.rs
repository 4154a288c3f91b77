//! Makes random raw terms.

use crate::random::{Dice, Range, RawArray, RawBool, RawInt};
use smalti_terms::{BitOp, FoldOp, Tie, WrapType};

/// Makes terms of a size, under so many binders.
pub(crate) struct Generator<'a> {
    pub(crate) dice: &'a mut Dice,
    pub(crate) bound: usize,
    /// The number of binders that may be inside of each other.
    pub(crate) nesting: u32,
}

const FOLDS: &[FoldOp] = &[
    FoldOp::Sum,
    FoldOp::Sum,
    FoldOp::Sum,
    FoldOp::Sum,
    FoldOp::Max,
    FoldOp::Min,
    FoldOp::Product,
    FoldOp::BitAnd,
    FoldOp::BitOr,
    FoldOp::BitXor,
];

impl Generator<'_> {
    fn leaf(&mut self) -> RawInt {
        let choice = self.dice.below(5);
        if choice < 2 && self.bound > 0 {
            // Often the innermost.
            let out = if self.dice.below(3) == 0 { self.dice.below(self.bound as u64) as usize } else { 0 };
            return RawInt::Index(self.bound - 1 - out);
        }
        if choice < 4 { RawInt::Unknown(self.dice.below(4) as usize) } else { RawInt::Const(self.dice.between(-3, 4)) }
    }

    fn boxed(&mut self, depth: u32) -> Box<RawInt> {
        Box::new(self.int(depth))
    }

    /// A bound or an index: a sum of two leaves, with small factors.
    fn simple(&mut self) -> Box<RawInt> {
        let a = self.leaf();
        Box::new(match self.dice.below(4) {
            0 => a,
            1 => RawInt::Add(Box::new(a), Box::new(RawInt::Const(self.dice.between(-2, 2)))),
            2 => RawInt::Sub(Box::new(self.leaf()), Box::new(a)),
            _ => RawInt::Add(
                Box::new(RawInt::Mul(Box::new(RawInt::Const(self.dice.between(-3, 3))), Box::new(a))),
                Box::new(self.leaf()),
            ),
        })
    }

    fn range(&mut self) -> Range {
        let lo =
            if self.dice.below(2) == 0 { Box::new(RawInt::Const(self.dice.between(-1, 2))) } else { self.simple() };
        let hi = self.simple();
        // A counter after a loop, or a bound that another one cuts.
        let near = |t: &RawInt, by: i64| RawInt::Add(Box::new(t.clone()), Box::new(RawInt::Const(by)));
        let by = self.dice.between(-1, 2);
        match self.dice.below(8) {
            0 => {
                let end = RawInt::Max(vec![near(&lo, by), *hi]);
                Range(lo, Box::new(end))
            }
            1 => {
                let start = RawInt::Min(vec![near(&hi, -by), *lo]);
                Range(Box::new(start), hi)
            }
            _ => Range(lo, hi),
        }
    }

    /// Folds of one body over ranges with common ends, and cells of it.
    pub(crate) fn pieces(&mut self) -> (RawInt, Vec<RawBool>) {
        let ends: Vec<RawInt> = (0..3).map(|_| *self.simple()).collect();
        let op = self.dice.one_of(&[
            FoldOp::Sum,
            FoldOp::Sum,
            FoldOp::Max,
            FoldOp::Min,
            FoldOp::BitAnd,
            FoldOp::BitOr,
            FoldOp::BitXor,
        ]);
        let bits = match op {
            FoldOp::BitAnd => Some(BitOp::And),
            FoldOp::BitOr => Some(BitOp::Or),
            FoldOp::BitXor => Some(BitOp::Xor),
            _ => None,
        };
        let cell = |at: RawInt| RawInt::Read(RawArray::Unknown(0), vec![at]);
        let mut value = self.leaf();
        for _ in 0..self.dice.between(2, 4) {
            let (lo, hi) = (self.dice.below(3) as usize, self.dice.below(3) as usize);
            let range = Range(Box::new(ends[lo].clone()), Box::new(ends[hi].clone()));
            let body = Box::new(cell(RawInt::Index(self.bound)));
            let one = self.dice.below(3) == 0;
            let at = RawInt::Add(Box::new(ends[lo].clone()), Box::new(RawInt::Const(self.dice.between(-1, 1))));
            if let Some(bit) = bits {
                let part = if one { cell(at) } else { RawInt::Fold(op, range, None, body) };
                value = RawInt::Bits(bit, Box::new(value), Box::new(part));
                continue;
            }
            value = match op {
                FoldOp::Sum => {
                    let part = if one { cell(at) } else { RawInt::Fold(op, range, None, body) };
                    let (value, part) = (Box::new(value), Box::new(part));
                    if self.dice.below(2) == 0 { RawInt::Add(value, part) } else { RawInt::Sub(value, part) }
                }
                _ if !one => RawInt::Fold(op, range, Some(Box::new(value)), body),
                FoldOp::Max => RawInt::Max(vec![value, cell(at)]),
                _ => RawInt::Min(vec![value, cell(at)]),
            };
        }
        let order = |i: usize, j: usize| RawBool::LessEqual(Box::new(ends[i].clone()), Box::new(ends[j].clone()));
        let facts = match self.dice.below(4) {
            0 => vec![],
            1 => vec![order(0, 1)],
            2 => vec![order(0, 1), order(1, 2)],
            _ => vec![order(0, 1), order(0, 2)],
        };
        (value, facts)
    }

    /// A fold over the ranks of a compaction, all or perhaps not all of them.
    pub(crate) fn over_ranks(&mut self) -> RawInt {
        let ends = (self.simple(), self.simple());
        let range = || Range(ends.0.clone(), ends.1.clone());
        let (array, limit) = (RawArray::Unknown(self.dice.below(2) as usize), self.leaf());
        let kept = |index: usize| {
            let cell = RawInt::Read(array.clone(), vec![RawInt::Index(index)]);
            Box::new(RawBool::Less(Box::new(limit.clone()), Box::new(cell)))
        };
        let (one, zero) = (Box::new(RawInt::Const(1)), Box::new(RawInt::Const(0)));
        let number = RawInt::Fold(FoldOp::Sum, range(), None, Box::new(RawInt::Ite(kept(0), one, zero)));
        let by = if self.dice.below(4) == 0 { self.dice.between(-1, 1) } else { 0 };
        let end = RawInt::Add(Box::new(number), Box::new(RawInt::Const(by)));
        let nth = RawInt::Nth(Box::new(RawInt::Index(0)), range(), kept(1));
        let value = match self.dice.below(4) {
            0 => nth,
            1 => RawInt::Mul(Box::new(RawInt::Index(0)), Box::new(nth)),
            2 => RawInt::Read(array.clone(), vec![nth]),
            _ => RawInt::Read(RawArray::Unknown(0), vec![RawInt::Add(Box::new(nth), Box::new(RawInt::Index(0)))]),
        };
        let op = self.dice.one_of(&[FoldOp::Sum, FoldOp::Max, FoldOp::Min, FoldOp::BitAnd, FoldOp::BitXor]);
        let seed = matches!(op, FoldOp::Max | FoldOp::Min).then(|| Box::new(self.leaf()));
        let start = RawInt::Const(i64::from(self.dice.below(8) == 0));
        RawInt::Fold(op, Range(Box::new(start), Box::new(end)), seed, Box::new(value))
    }

    fn under<T>(&mut self, binders: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        self.bound += binders;
        self.nesting -= 1;
        let result = f(self);
        self.nesting += 1;
        self.bound -= binders;
        result
    }

    pub(crate) fn int(&mut self, depth: u32) -> RawInt {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.dice.below(if self.nesting > 0 { 32 } else { 20 }) {
            0..=2 => RawInt::Add(self.boxed(d), self.boxed(d)),
            3 | 4 => RawInt::Sub(self.boxed(d), self.boxed(d)),
            5 | 6 => RawInt::Mul(self.boxed(d), self.boxed(d.min(1))),
            7 => {
                let divisor =
                    if self.dice.below(4) == 0 { self.leaf() } else { RawInt::Const(self.dice.between(-4, 4)) };
                let (a, b) = (self.boxed(d), Box::new(divisor));
                match self.dice.below(6) {
                    0 | 1 => RawInt::Div(a, b),
                    2 | 3 => RawInt::Rem(a, b),
                    4 => RawInt::TruncatedDiv(a, b),
                    _ => RawInt::TruncatedRem(a, b),
                }
            }
            8 => RawInt::Power(self.dice.between(-2, 3), self.simple()),
            9..=11 => RawInt::Ite(Box::new(self.truth(d)), self.boxed(d), self.boxed(d)),
            12 => {
                let ts = (0..self.dice.between(2, 3)).map(|_| self.int(d)).collect();
                if self.dice.below(2) == 0 { RawInt::Max(ts) } else { RawInt::Min(ts) }
            }
            13..=16 => self.read(d),
            17 => RawInt::Function(self.simple()),
            18 => RawInt::Wrap(self.wrap_type(), self.boxed(d)),
            19 => RawInt::Bits(self.dice.one_of(&[BitOp::And, BitOp::Or, BitOp::Xor]), self.boxed(d), self.boxed(d)),
            20..=27 => {
                let op = self.dice.one_of(FOLDS);
                let seed = op.needs_seed().then(|| self.boxed(d));
                RawInt::Fold(op, self.range(), seed, self.under(1, |g| g.boxed(d)))
            }
            28..=30 => self.search(d),
            _ => {
                let (tie, greatest) = (self.dice.one_of(&[Tie::First, Tie::Last]), self.dice.below(2) == 0);
                let (seed, at) = (self.boxed(d), self.simple());
                RawInt::Arg(greatest, tie, seed, at, self.range(), self.under(1, |g| g.boxed(d)))
            }
        }
    }

    /// A fold of any operation.
    pub(crate) fn fold(&mut self, depth: u32) -> RawInt {
        let op = self.dice.one_of(FOLDS);
        let seed = op.needs_seed().then(|| self.boxed(1));
        RawInt::Fold(op, self.range(), seed, self.under(1, |g| g.guarded(depth)))
    }

    /// A comparison of folds and searches, or a quantified condition.
    pub(crate) fn quantified(&mut self, depth: u32) -> RawBool {
        let part = |g: &mut Self| match g.dice.below(4) {
            0 => Box::new(g.fold(depth)),
            1 => {
                let array = g.array(1);
                Box::new(RawInt::Read(array, vec![g.search(depth)]))
            }
            2 => Box::new(g.search(depth)),
            _ => g.boxed(depth),
        };
        match self.dice.below(4) {
            0 => RawBool::All(self.range(), Box::new(self.under(1, |g| g.truth(depth)))),
            1 => RawBool::Any(self.range(), Box::new(self.under(1, |g| g.truth(depth)))),
            2 => RawBool::Equal(part(self), part(self)),
            _ => RawBool::Less(part(self), part(self)),
        }
    }

    fn search(&mut self, depth: u32) -> RawInt {
        let p = |g: &mut Self| Box::new(g.under(1, |g| g.truth(depth)));
        match self.dice.below(3) {
            0 => RawInt::First(self.range(), p(self)),
            1 => RawInt::Last(self.range(), p(self)),
            _ => RawInt::Nth(self.simple(), self.range(), p(self)),
        }
    }

    /// A fact about all cells of a range, one about the range, and a comparison of a cell.
    pub(crate) fn universal(&mut self) -> (Vec<RawBool>, RawBool) {
        let cell = |at: RawInt| Box::new(RawInt::Read(RawArray::Unknown(0), vec![at]));
        let bound = self.leaf();
        let range = self.range();
        let (index, start) = (*self.simple(), range.0.clone());
        let near = RawInt::Add(Box::new(bound.clone()), Box::new(RawInt::Const(self.dice.between(-1, 1))));
        let below = self.dice.below(2) == 0;
        let order = |a: Box<RawInt>, b: Box<RawInt>| {
            if below { RawBool::LessEqual(a, b) } else { RawBool::LessEqual(b, a) }
        };
        let all = RawBool::All(range.clone(), Box::new(order(cell(RawInt::Index(self.bound)), Box::new(bound))));
        let mut facts = vec![all];
        if self.dice.below(4) > 0 {
            facts.push(RawBool::LessEqual(range.0, Box::new(index.clone())));
        }
        if self.dice.below(4) > 0 {
            let relation = if self.dice.below(4) > 0 { RawBool::Less } else { RawBool::LessEqual };
            facts.push(relation(Box::new(index.clone()), range.1));
        }
        if self.dice.below(3) > 0 {
            return (facts, order(cell(index), Box::new(near)));
        }
        // The sum from the start of the range, and that many times the bound.
        let length = RawInt::Sub(Box::new(index.clone()), start.clone());
        let body = cell(RawInt::Index(self.bound));
        let sum = RawInt::Fold(FoldOp::Sum, Range(start, Box::new(index)), None, body);
        (facts, order(Box::new(sum), Box::new(RawInt::Mul(Box::new(length), Box::new(near)))))
    }

    /// A body that tests the index here and there.
    fn guarded(&mut self, depth: u32) -> Box<RawInt> {
        let choice = self.dice.below(4);
        if depth == 0 || choice == 0 {
            return self.boxed(depth.max(1));
        }
        let d = depth - 1;
        Box::new(match choice {
            1 => RawInt::Mul(self.guarded(d), self.boxed(1)),
            2 if self.nesting > 0 => self.fold(d),
            _ => RawInt::Ite(Box::new(self.truth(1)), self.guarded(d), self.guarded(d)),
        })
    }

    fn wrap_type(&mut self) -> WrapType {
        WrapType { signed: self.dice.below(2) == 0, bits: self.dice.one_of(&[1, 2, 3, 4, 8]) }
    }

    fn read(&mut self, depth: u32) -> RawInt {
        if self.dice.below(5) == 0 {
            let index = vec![*self.simple(), *self.simple()];
            let array = if self.dice.below(2) == 0 || depth == 0 {
                RawArray::Matrix
            } else {
                let at = vec![*self.simple(), *self.simple()];
                RawArray::Store(Box::new(RawArray::Matrix), at, self.boxed(depth - 1))
            };
            return RawInt::Read(array, index);
        }
        RawInt::Read(self.array(depth.min(2)), vec![*self.simple()])
    }

    fn array(&mut self, depth: u32) -> RawArray {
        if depth == 0 {
            return RawArray::Unknown(self.dice.below(2) as usize);
        }
        let d = depth - 1;
        match self.dice.below(8) {
            6 if self.nesting > 0 => {
                let (base, range) = (Box::new(self.array(d)), self.range());
                self.under(1, |g| {
                    let depth = g.dice.below(2) as u32;
                    let condition = Box::new(g.truth(depth));
                    let index = if g.dice.below(3) == 0 { g.boxed(1) } else { g.simple() };
                    RawArray::Loop(base, range, condition, index, g.boxed(d))
                })
            }
            0..=2 => RawArray::Unknown(self.dice.below(2) as usize),
            3 => RawArray::Store(Box::new(self.array(d)), vec![*self.simple()], self.boxed(d)),
            4 if self.nesting > 0 => {
                let base = Box::new(self.array(d));
                self.under(1, |g| RawArray::Overwrite(base, Box::new(g.truth(1)), g.boxed(d)))
            }
            5 => RawArray::Ite(Box::new(self.truth(d)), Box::new(self.array(d)), Box::new(self.array(d))),
            _ => RawArray::Swap(Box::new(self.array(d)), self.simple(), self.simple()),
        }
    }

    pub(crate) fn truth(&mut self, depth: u32) -> RawBool {
        let d = depth.saturating_sub(1);
        let p = |g: &mut Self| Box::new(g.truth(d));
        match self.dice.below(if depth == 0 {
            9
        } else if self.nesting > 0 {
            18
        } else {
            15
        }) {
            0..=2 => RawBool::Less(self.simple(), self.simple()),
            3 | 4 => RawBool::LessEqual(self.simple(), self.simple()),
            5 | 6 => RawBool::Equal(self.simple(), self.simple()),
            7 => RawBool::Divides(self.dice.between(0, 4), self.simple()),
            8 => RawBool::Unknown,
            9 => RawBool::Less(self.boxed(d), self.boxed(d)),
            10 => RawBool::Equal(self.boxed(d), self.boxed(d)),
            11 => RawBool::Not(p(self)),
            12 => RawBool::And(p(self), p(self)),
            13 => RawBool::Or(p(self), p(self)),
            14 => {
                if self.dice.below(2) == 0 {
                    RawBool::Iff(p(self), p(self))
                } else {
                    RawBool::Ite(p(self), p(self), p(self))
                }
            }
            15 | 16 => RawBool::All(self.range(), Box::new(self.under(1, |g| g.truth(d)))),
            _ => RawBool::Any(self.range(), Box::new(self.under(1, |g| g.truth(d)))),
        }
    }
}
