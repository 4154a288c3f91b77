//! Non-empty integer intervals.

use std::fmt;

/// A non-empty set of integers `lo..=hi`; `None` is the infinity of its side.
///
/// Invariant: `lo <= hi` when both are finite. The empty interval does not exist: operations that
/// can be empty return an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    lo: Option<i128>,
    hi: Option<i128>,
}

#[expect(
    clippy::should_implement_trait,
    reason = "named like the fallible operations of `LinearExpr`, which cannot be operators"
)]
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

    /// `{ x * y }`, or the least interval around it.
    #[must_use]
    pub fn mul(self, other: Interval) -> Interval {
        let ends = |i: Interval| [i.lo.map_or(End::MinusInfinity, End::At), i.hi.map_or(End::PlusInfinity, End::At)];
        let ([a, b], [c, d]) = (ends(self), ends(other));
        let corners = [a.times(c), a.times(d), b.times(c), b.times(d)];
        let at = |e: Option<End>| match e {
            Some(End::At(x)) => Some(x),
            _ => None,
        };
        Interval { lo: at(corners.into_iter().min()), hi: at(corners.into_iter().max()) }
    }
}

/// One end of an interval, for products.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    MinusInfinity,
    At(i128),
    PlusInfinity,
}

impl End {
    /// The product; 0 times infinity is 0, since an infinite end stands for arbitrarily large
    /// numbers. A product beyond the number range becomes infinite, which moves it outwards if it
    /// is the extreme one and changes nothing if not.
    fn times(self, other: End) -> End {
        let (s, t) = (self.signum(), other.signum());
        match (self, other) {
            _ if s * t == 0 => End::At(0),
            (End::At(a), End::At(b)) if a.checked_mul(b).is_some() => End::At(a * b),
            _ if s * t > 0 => End::PlusInfinity,
            _ => End::MinusInfinity,
        }
    }

    fn signum(self) -> i128 {
        match self {
            End::MinusInfinity => -1,
            End::At(x) => x.signum(),
            End::PlusInfinity => 1,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn small_intervals() -> Vec<Interval> {
        let bounds = || std::iter::once(None).chain((-3..=3).map(Some));
        bounds().flat_map(|lo| bounds().filter_map(move |hi| Interval::new(lo, hi))).collect()
    }

    /// The elements within `-9..=9`: enough to see every end of a small interval.
    fn elements(i: Interval) -> Vec<i128> {
        (-9..=9).filter(|x| i.contains(*x)).collect()
    }

    fn is_finite(i: Interval) -> bool {
        i.lo().is_some() && i.hi().is_some()
    }

    #[test]
    fn empty_intervals_do_not_exist() {
        assert_eq!(Interval::new(Some(1), Some(0)), None);
        assert_eq!(Interval::new(Some(1), Some(1)), Some(Interval::constant(1)));
        assert_eq!(Interval::finite(0, 3).meet(Interval::finite(4, 5)), None);
    }

    #[test]
    fn order_join_and_meet_agree_with_the_sets() {
        for a in small_intervals() {
            for b in small_intervals() {
                let (xs, ys) = (elements(a), elements(b));
                assert_eq!(a.is_subset(b), xs.iter().all(|x| ys.contains(x)), "{a} <= {b}");
                let join = a.join(b);
                assert!(a.is_subset(join) && b.is_subset(join));
                let ends = |i: Interval| [i.lo(), i.hi()];
                assert!(ends(join).iter().flatten().all(|e| a.contains(*e) || b.contains(*e)), "{a} join {b}");
                let common: Vec<i128> = xs.into_iter().filter(|x| ys.contains(x)).collect();
                assert_eq!(a.meet(b).map(elements).unwrap_or_default(), common, "{a} meet {b}");
            }
        }
    }

    #[test]
    fn arithmetic_holds_every_result_and_finite_ends_are_reached() {
        let operations: [(&str, fn(Interval, Interval) -> Interval, fn(i128, i128) -> i128); 3] = [
            ("+", Interval::add, |x, y| x + y),
            ("-", Interval::sub, |x, y| x - y),
            ("*", Interval::mul, |x, y| x * y),
        ];
        for a in small_intervals() {
            for b in small_intervals() {
                for (name, abstractly, concretely) in operations {
                    let result = abstractly(a, b);
                    let values: Vec<i128> = elements(a)
                        .iter()
                        .flat_map(|x| elements(b).into_iter().map(|y| concretely(*x, y)).collect::<Vec<_>>())
                        .collect();
                    assert!(values.iter().all(|v| result.contains(*v)), "{a} {name} {b} = {result}");
                    let ends = [result.lo(), result.hi()];
                    assert!(ends.iter().flatten().all(|e| values.contains(e)), "{a} {name} {b} = {result}");
                    if is_finite(a) && is_finite(b) {
                        assert!(is_finite(result), "{a} {name} {b} = {result}");
                    }
                }
            }
        }
    }

    #[test]
    fn scaling_an_interval_that_crosses_zero_keeps_its_finite_end() {
        let i = Interval::new(Some(-1), None).unwrap();
        assert_eq!(i.scale(1), i);
        assert_eq!(i.scale(2), Interval::new(Some(-2), None).unwrap());
        assert_eq!(i.scale(-1), Interval::new(None, Some(1)).unwrap());
        assert_eq!(i.scale(0), Interval::constant(0));
        assert_eq!(Interval::TOP.scale(0), Interval::constant(0));
    }

    #[test]
    fn bounds_that_leave_the_number_range_are_given_up() {
        let max = Interval::constant(i128::MAX);
        assert_eq!(max.add(Interval::constant(1)), Interval::TOP);
        assert_eq!(Interval::constant(i128::MIN).neg(), Interval::TOP);
        assert_eq!(Interval::finite(1, i128::MAX).scale(2), Interval::new(Some(2), None).unwrap());
        assert_eq!(Interval::finite(-i128::MAX, 1).scale(2), Interval::new(None, Some(2)).unwrap());
        assert_eq!(max.mul(max), Interval::TOP);
    }

    #[test]
    fn display_shows_infinite_sides_open() {
        assert_eq!(Interval::finite(-1, 2).to_string(), "[-1, 2]");
        assert_eq!(Interval::TOP.to_string(), "(-oo, +oo)");
        assert_eq!(Interval::new(Some(0), None).unwrap().to_string(), "[0, +oo)");
    }
}
