//! Translates machine integers into mathematical ones. Only this file knows how C's arithmetic
//! differs from that of the integers.

use crate::program::{BinaryOp, DataModel, IntKind};
use smalti_core::Interval;

/// The values of a type.
pub(super) fn range(kind: IntKind, model: DataModel) -> Interval {
    Interval::finite(kind.min(model), kind.max(model))
}

/// The number to add to get into `range`, if all values in `bounds` lie in one copy of it (its size
/// is the modulus).
///
/// Reduction modulo the size is then this shift for each value.
pub(super) fn wrap_shift(bounds: Interval, range: Interval) -> Option<i128> {
    let (lo, hi) = (bounds.lo()?, bounds.hi()?);
    let (least, size) = (range.lo()?, range.hi()?.checked_sub(range.lo()?)?.checked_add(1)?);
    let copy = |x: i128| x.checked_sub(least).map(|d| d.div_euclid(size));
    let (a, b) = (copy(lo)?, copy(hi)?);
    if a == b { a.checked_mul(size)?.checked_neg() } else { None }
}

/// An interval that contains every `x / y` (towards zero) with `y != 0`.
pub(super) fn quotient(x: Interval, y: Interval) -> Interval {
    // |x / y| <= |x|, and <= |x| / min |y|; the extremes are at ends of x and at the ends of y or
    // next to 0.
    let (Some(a), Some(b)) = (x.lo(), x.hi()) else {
        let sign = Interval::new(Some(0), None);
        let non_negative = x.lo().is_some_and(|l| l >= 0) && y.lo().is_some_and(|l| l >= 0);
        return if non_negative { sign.unwrap_or(Interval::TOP) } else { Interval::TOP };
    };
    let mut candidates = Vec::new();
    for divisor in [y.lo(), y.hi(), Some(1), Some(-1)].into_iter().flatten() {
        if divisor != 0 && y.contains(divisor) {
            candidates.extend([a.checked_div(divisor), b.checked_div(divisor)]);
        }
    }
    if y.lo().is_none() || y.hi().is_none() {
        candidates.push(Some(0));
    }
    // With a fixed divisor, the quotient of an x between its ends lies between their quotients. 0
    // is between the ends when x changes sign.
    let known: Option<Vec<i128>> = candidates.into_iter().collect();
    match known.as_deref() {
        Some([first, rest @ ..]) => {
            let (lo, hi) = rest.iter().fold((*first, *first), |(l, h), c| (l.min(*c), h.max(*c)));
            Interval::finite(lo, hi)
        }
        _ => Interval::TOP,
    }
}

/// An interval that contains every `x % y` (sign of `x`) with `y != 0`.
pub(super) fn remainder(x: Interval, y: Interval) -> Interval {
    let magnitude = |i: Interval| i.lo().zip(i.hi()).and_then(|(l, h)| Some(l.checked_abs()?.max(h.checked_abs()?)));
    // |r| <= |y| - 1 and |r| <= |x|.
    let by_y = magnitude(y).map(|m| (m - 1).max(0));
    let negative = x.lo().is_none_or(|l| l < 0);
    let positive = x.hi().is_none_or(|h| h > 0);
    let cap = |own: Option<i128>| match (own, by_y) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let hi = if positive { cap(x.hi()) } else { Some(0) };
    let lo = if negative { cap(x.lo().and_then(i128::checked_neg)).and_then(i128::checked_neg) } else { Some(0) };
    Interval::new(lo, hi).unwrap_or(Interval::TOP)
}

/// An interval that contains every `x << s`, as an integer, if the bounds are known and small
/// enough to be computed.
pub(super) fn shift_left(x: Interval, s: Interval) -> Option<Interval> {
    let (low, high) = (s.lo()?.max(0), s.hi()?);
    if !(0..=64).contains(&high) || low > high {
        return None;
    }
    Some(x.mul(Interval::finite(1 << low, 1 << high)))
}

/// An interval that contains every result of a bitwise operation or shift with the given operands
/// and result type.
pub(super) fn bitwise(op: BinaryOp, x: Interval, y: Interval, range: Interval) -> Interval {
    let non_negative = |i: Interval| i.lo().is_some_and(|l| l >= 0);
    let zero_to = |hi: Option<i128>| Interval::new(Some(0), hi).and_then(|i| i.meet(range)).unwrap_or(range);
    match op {
        BinaryOp::BitAnd => match (non_negative(x), non_negative(y)) {
            (true, true) => zero_to(x.hi().zip(y.hi()).map(|(a, b)| a.min(b)).or(x.hi()).or(y.hi())),
            (true, false) => zero_to(x.hi()),
            (false, true) => zero_to(y.hi()),
            (false, false) => range,
        },
        BinaryOp::BitOr | BinaryOp::BitXor if non_negative(x) && non_negative(y) => {
            // No bit above the highest of either operand.
            let top = x.hi().zip(y.hi()).map(|(a, b)| a.max(b)).and_then(|m| u128::try_from(m).ok());
            let below = zero_to(top.and_then(|m| i128::try_from((m + 1).next_power_of_two() - 1).ok()));
            // Bits of either operand are bits of their disjunction.
            let least = if op == BinaryOp::BitOr { x.lo().max(y.lo()) } else { None };
            Interval::new(least, None).and_then(|above| below.meet(above)).unwrap_or(below)
        }
        BinaryOp::ShiftRight => {
            // Arithmetic shift (what gcc does for negative values): towards minus infinity, no
            // further from 0.
            let (Some(lo), Some(hi)) = (x.lo(), x.hi()) else { return range };
            let least = y.lo().unwrap_or(0).clamp(0, 64);
            let most = y.hi().unwrap_or(64).clamp(least, 64);
            let ends = [lo >> least, lo >> most, hi >> least, hi >> most];
            let (a, b) = ends.iter().fold((ends[0], ends[0]), |(a, b), e| (a.min(*e), b.max(*e)));
            Interval::finite(a, b).meet(range).unwrap_or(range)
        }
        BinaryOp::ShiftLeft => shift_left(x, y).filter(|s| s.is_subset(range)).unwrap_or(range),
        _ => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals() -> Vec<Interval> {
        let ends = [-9i128, -4, -1, 0, 1, 3, 7, 8];
        let mut all = Vec::new();
        for (n, a) in ends.iter().enumerate() {
            all.extend(ends[n..].iter().map(|b| Interval::finite(*a, *b)));
        }
        all
    }

    /// Every concrete result of small operands lies in the abstract one.
    #[test]
    fn operations_on_intervals_hold_every_concrete_result() {
        let byte = Interval::finite(-128, 127);
        for x in intervals() {
            for y in intervals() {
                let points = |i: Interval| i.lo().unwrap_or(0)..=i.hi().unwrap_or(0);
                for a in points(x) {
                    for b in points(y) {
                        if b != 0 {
                            assert!(quotient(x, y).contains(a / b), "{a} / {b} in {x} / {y}");
                            assert!(remainder(x, y).contains(a % b), "{a} % {b} in {x} % {y}");
                        }
                        assert!(bitwise(BinaryOp::BitAnd, x, y, byte).contains(a & b), "{a} & {b}");
                        assert!(bitwise(BinaryOp::BitOr, x, y, byte).contains(a | b), "{a} | {b}");
                        assert!(bitwise(BinaryOp::BitXor, x, y, byte).contains(a ^ b), "{a} ^ {b}");
                        if (0..7).contains(&b) {
                            assert!(bitwise(BinaryOp::ShiftRight, x, y, byte).contains(a >> b), "{a} >> {b} {x} {y}");
                            if byte.contains(a << b) {
                                assert!(bitwise(BinaryOp::ShiftLeft, x, y, byte).contains(a << b), "{a} << {b}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn half_open_operands_keep_their_results() {
        let up = |lo| Interval::new(Some(lo), None).unwrap();
        let down = |hi| Interval::new(None, Some(hi)).unwrap();
        for (x, y, a, b) in
            [(up(0), up(1), 100, 3), (up(-5), up(1), -5, 2), (down(-1), up(1), -100, 7), (up(3), down(-2), 9, -2)]
        {
            assert!(quotient(x, y).contains(a / b), "{a} / {b}");
            assert!(remainder(x, y).contains(a % b), "{a} % {b}");
        }
    }

    #[test]
    fn wrapping_shifts_only_what_lies_in_one_copy() {
        let byte = Interval::finite(0, 255);
        assert_eq!(wrap_shift(Interval::finite(256, 300), byte), Some(-256));
        assert_eq!(wrap_shift(Interval::finite(-3, -1), byte), Some(256));
        assert_eq!(wrap_shift(Interval::finite(-1, 0), byte), None);
    }
}
