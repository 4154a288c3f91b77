//! Non-empty integer intervals.

use std::fmt;

/// A non-empty set of integers `lo..=hi`; `None` is the infinity of its side.
///
/// Invariant: `lo <= hi` when both are finite. The empty interval does not exist: operations that can be empty return
/// an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    lo: Option<i128>,
    hi: Option<i128>,
}

impl Interval {
    /// All integers.
    pub const TOP: Interval = Interval { lo: None, hi: None };

    /// `lo..=hi`, or `None` if that is empty.
    pub fn new(lo: Option<i128>, hi: Option<i128>) -> Option<Interval> {
        match (lo, hi) {
            (Some(l), Some(h)) if l > h => None,
            _ => Some(Interval { lo, hi }),
        }
    }

    /// `lo..=hi`; the caller guarantees `lo <= hi`.
    pub fn finite(lo: i128, hi: i128) -> Interval {
        assert!(lo <= hi, "empty interval {lo}..={hi}");
        Interval { lo: Some(lo), hi: Some(hi) }
    }

    /// The set of one integer.
    pub fn constant(c: i128) -> Interval {
        Interval { lo: Some(c), hi: Some(c) }
    }

    /// The least element; `None` if there is none.
    pub fn lo(self) -> Option<i128> {
        self.lo
    }

    /// The greatest element; `None` if there is none.
    pub fn hi(self) -> Option<i128> {
        self.hi
    }

    /// The only element, if there is just one.
    pub fn as_constant(self) -> Option<i128> {
        if self.lo == self.hi { self.lo } else { None }
    }

    /// Whether `x` is an element.
    pub fn contains(self, x: i128) -> bool {
        self.lo.is_none_or(|l| l <= x) && self.hi.is_none_or(|h| x <= h)
    }

    /// Whether every element is one of `other`.
    pub fn is_subset(self, other: Interval) -> bool {
        let low = other.lo.is_none_or(|o| self.lo.is_some_and(|s| o <= s));
        let high = other.hi.is_none_or(|o| self.hi.is_some_and(|s| s <= o));
        low && high
    }

    /// The least interval that holds both.
    #[must_use]
    pub fn join(self, other: Interval) -> Interval {
        let lo = self.lo.zip(other.lo).map(|(a, b)| a.min(b));
        let hi = self.hi.zip(other.hi).map(|(a, b)| a.max(b));
        Interval { lo, hi }
    }

    /// The common elements.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let pick = |a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> i128| match (a, b) {
            (Some(a), Some(b)) => Some(f(a, b)),
            (a, b) => a.or(b),
        };
        Interval::new(pick(self.lo, other.lo, i128::max), pick(self.hi, other.hi, i128::min))
    }

    /// `{ x + y }`; a bound that leaves the number range is given up (sound: the set only grows).
    #[must_use]
    pub fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }

    /// `{ -x }`.
    #[must_use]
    pub fn neg(self) -> Interval {
        let flip = |b: Option<i128>| b.and_then(i128::checked_neg);
        Interval { lo: flip(self.hi), hi: flip(self.lo) }
    }

    /// `{ x - y }`.
    #[must_use]
    pub fn sub(self, other: Interval) -> Interval {
        self.add(other.neg())
    }

    /// `{ c * x }`.
    #[must_use]
    pub fn scale(self, c: i128) -> Interval {
        self.mul(Interval::constant(c))
    }

    /// `{ x * y }`.
    #[must_use]
    pub fn mul(self, other: Interval) -> Interval {
        // Zero times an unbounded side is zero, so infinities are handled by the signs of the finite ends.
        let zero = Interval::constant(0);
        if self == zero || other == zero {
            return zero;
        }
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) else {
            let sign = |i: Interval| (i.lo.is_some_and(|l| l >= 0), i.hi.is_some_and(|h| h <= 0));
            let ((p, n), (q, m)) = (sign(self), sign(other));
            return match () {
                () if p && q => {
                    Interval { lo: self.lo.zip(other.lo).and_then(|(a, b)| a.checked_mul(b)), hi: None }
                }
                () if n && m => {
                    Interval { lo: self.hi.zip(other.hi).and_then(|(a, b)| a.checked_mul(b)), hi: None }
                }
                () if p && m => {
                    Interval { lo: None, hi: self.lo.zip(other.hi).and_then(|(a, b)| a.checked_mul(b)) }
                }
                () if n && q => {
                    Interval { lo: None, hi: self.hi.zip(other.lo).and_then(|(a, b)| a.checked_mul(b)) }
                }
                () => Interval::TOP,
            };
        };
        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        if products.iter().any(Option::is_none) {
            return Interval::TOP;
        }
        let products = products.map(Option::unwrap_or_default);
        Interval { lo: products.iter().min().copied(), hi: products.iter().max().copied() }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lo, self.hi) {
            (Some(l), Some(h)) => write!(f, "[{l}, {h}]"),
            (Some(l), None) => write!(f, "[{l}, +oo)"),
            (None, Some(h)) => write!(f, "(-oo, {h}]"),
            (None, None) => write!(f, "(-oo, +oo)"),
        }
    }
}
