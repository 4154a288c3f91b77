//! Sets of mathematical integers: an interval with a stride ("strided intervals" of Balakrishnan
//! and Reps, CC 2004).
//!
//! Each operation returns a superset of what it can give on the members. Where a result is an
//! `Option` and nothing else is said, `None` stands for any number.

/// The greatest magnitude of a stored bound. A C type has at most 64 bits, so a value that one
/// operation makes of two C values is smaller, but for some shifts.
const LIMIT: i128 = 1 << 100;

/// The members are `lo`, `lo + step`, and so on up to `hi`, which is one of them. The step is 0
/// if and only if there is just one member, so that equal sets are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Number {
    lo: i128,
    hi: i128,
    step: u128,
}

/// Making and reading.
impl Number {
    /// Just `n`.
    ///
    /// # Panics
    ///
    /// If the magnitude of `n` is above 2^100.
    pub(super) fn constant(n: i128) -> Number {
        assert!((-LIMIT..=LIMIT).contains(&n), "the number {n} is out of bounds");
        Number { lo: n, hi: n, step: 0 }
    }

    /// All numbers from `lo` to `hi`; `None` if there are none.
    ///
    /// # Panics
    ///
    /// If there are some, and the magnitude of a bound is above 2^100.
    pub(super) fn range(lo: i128, hi: i128) -> Option<Number> {
        Number::strided(lo, hi, 1)
    }

    /// The numbers `lo`, `lo + step` and so on, not above `hi`; `None` if there are none. A step of
    /// 0 counts as 1.
    ///
    /// # Panics
    ///
    /// If there are some, and the magnitude of a bound is above 2^100.
    pub(super) fn strided(lo: i128, hi: i128, step: u128) -> Option<Number> {
        if lo > hi {
            return None;
        }
        assert!(lo >= -LIMIT && hi <= LIMIT, "the range {lo} to {hi} is out of bounds");
        let extent = (hi - lo).unsigned_abs();
        // Divisions of wide numbers are slow.
        let extent = if step <= 1 { extent } else { extent - extent % step };
        Some(Number { lo, hi: lo + extent as i128, step: if extent == 0 { 0 } else { step.max(1) } })
    }

    /// As [`Number::strided`], but `None`, which is any number, if a bound is above the limit.
    fn within_limit(lo: i128, hi: i128, step: u128) -> Option<Number> {
        if lo < -LIMIT || hi > LIMIT { None } else { Number::strided(lo, hi, step) }
    }

    /// As [`Number::within_limit`] for the numbers from `lo` to `hi` that are congruent to
    /// `residue` modulo `step`, which is not 0.
    fn congruent(lo: i128, hi: i128, residue: i128, step: u128) -> Option<Number> {
        if lo < -LIMIT || hi > LIMIT {
            return None;
        }
        Number::strided(round_up(lo, residue, step), round_down(hi, residue, step), step)
    }

    /// The least member.
    pub(super) fn lo(self) -> i128 {
        self.lo
    }

    /// The greatest member.
    pub(super) fn hi(self) -> i128 {
        self.hi
    }

    /// The distance of two adjacent members, or 0 if there is just one.
    pub(super) fn step(self) -> u128 {
        self.step
    }

    /// The only member, if there is just one.
    pub(super) fn as_constant(self) -> Option<i128> {
        (self.step == 0).then_some(self.lo)
    }

    /// Is `n` a member?
    pub(super) fn contains(self, n: i128) -> bool {
        if n < self.lo || n > self.hi {
            return false;
        }
        let distance = (n - self.lo).unsigned_abs();
        match (u64::try_from(distance), u64::try_from(self.step)) {
            // Divisions of wide numbers are slow.
            (Ok(distance), Ok(step)) => step <= 1 || distance.is_multiple_of(step),
            _ => distance.is_multiple_of(self.step),
        }
    }

    /// How many members there are.
    pub(super) fn count(self) -> u128 {
        (self.hi - self.lo).unsigned_abs() / self.step.max(1) + 1
    }

    /// Each of a few members.
    pub(super) fn each(self) -> impl Iterator<Item = i128> {
        (0..self.count()).map(move |k| self.lo + (k * self.step) as i128)
    }
}

/// The lattice.
impl Number {
    /// The least strided interval that holds both.
    pub(super) fn join(self, other: Number) -> Number {
        let step = gcd(gcd(self.step, other.step), self.lo.abs_diff(other.lo));
        Number { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), step }
    }

    /// A superset of the members of both; `None` if there are none. Exact if one step divides the
    /// other, or both are below 2^60.
    pub(super) fn meet(self, other: Number) -> Option<Number> {
        if self.step == 0 {
            return other.contains(self.lo).then_some(self);
        }
        if other.step == 0 {
            return self.contains(other.lo).then_some(other);
        }
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        let (coarse, fine) = if self.step >= other.step { (self, other) } else { (other, self) };
        let (residue, step) = coarse.common_residue(fine)?;
        if lo > hi {
            return None;
        }
        Number::strided(round_up(lo, residue, step), round_down(hi, residue, step), step)
    }

    /// The congruence, as residue and modulus, of the numbers that meet those of both (the Chinese
    /// remainder theorem), or that of `self` alone where the steps are large; `None` if no number
    /// does.
    fn common_residue(self, other: Number) -> Option<(i128, u128)> {
        let common = gcd(self.step, other.step);
        let distance = other.lo - self.lo;
        if !distance.unsigned_abs().is_multiple_of(common) {
            return None;
        }
        let modulus = other.step / common;
        if modulus == 1 || self.step.max(other.step) >= 1 << 60 {
            return Some((self.lo, self.step));
        }
        // self.lo + self.step * turns is congruent to other.lo modulo other.step.
        let modulus = modulus as i128;
        let inverse = inverse((self.step / common) as i128, modulus);
        let turns = (distance / common as i128).rem_euclid(modulus) * inverse % modulus;
        Some((self.lo + self.step as i128 * turns, self.step * modulus as u128))
    }

    /// Is each member one of `other`?
    pub(super) fn is_within(self, other: Number) -> bool {
        let step_fits = self.step == 0 || other.step != 0 && self.step.is_multiple_of(other.step);
        step_fits && other.contains(self.lo) && other.contains(self.hi)
    }

    /// The members that are at least `lo` and at most `hi`; `None` if there are none.
    pub(super) fn clamp(self, lo: Option<i128>, hi: Option<i128>) -> Option<Number> {
        let (lo, hi) = (lo.unwrap_or(self.lo).max(self.lo), hi.unwrap_or(self.hi).min(self.hi));
        if lo > hi {
            return None;
        }
        if (lo, hi) == (self.lo, self.hi) {
            return Some(self);
        }
        let step = self.step.max(1);
        Number::strided(round_up(lo, self.lo, step), hi, step)
    }

    /// A superset of the members that are congruent to `residue` modulo `modulus`, which is not 0;
    /// `None` if there are none.
    pub(super) fn congruent_to(self, residue: i128, modulus: u128) -> Option<Number> {
        let all = Number::strided(round_up(self.lo, residue, modulus), self.hi, modulus)?;
        self.meet(all)
    }

    /// The members without `n` if it is the least or the greatest one, else all; `None` if there
    /// are no others.
    pub(super) fn without(self, n: i128) -> Option<Number> {
        if n == self.lo {
            Number::strided(self.lo + self.step.max(1) as i128, self.hi, self.step)
        } else if n == self.hi {
            Number::strided(self.lo, self.hi - 1, self.step)
        } else {
            Some(self)
        }
    }

    /// A superset of both, such that a chain of them gets stable: a bound that moves goes on to the
    /// next of `thresholds`, which are in ascending order, or to the limit.
    pub(super) fn widen(self, newer: Number, thresholds: &[i128]) -> Number {
        let Number { mut lo, mut hi, step } = self.join(newer);
        // The limits may be no members; as bounds move inwards to members, nothing is lost.
        if newer.lo < self.lo {
            let threshold = thresholds.iter().rev().copied().find(|t| *t <= newer.lo);
            lo = round_up(threshold.unwrap_or(-LIMIT).max(-LIMIT), lo, step);
        }
        if newer.hi > self.hi {
            let threshold = thresholds.iter().copied().find(|t| *t >= newer.hi);
            hi = round_down(threshold.unwrap_or(LIMIT).min(LIMIT), hi, step);
        }
        Number { lo, hi, step }
    }
}

/// Arithmetic.
impl Number {
    /// The sums.
    pub(super) fn add(self, other: Number) -> Option<Number> {
        Number::within_limit(self.lo + other.lo, self.hi + other.hi, gcd(self.step, other.step))
    }

    /// The differences.
    pub(super) fn sub(self, other: Number) -> Option<Number> {
        self.add(other.negate()?)
    }

    /// The products.
    pub(super) fn mul(self, other: Number) -> Option<Number> {
        if let (0, 0) = (self.step, other.step) {
            let product = self.lo.checked_mul(other.lo)?;
            return Number::within_limit(product, product, 0);
        }
        let (mut lo, mut hi) = (i128::MAX, i128::MIN);
        for a in [self.lo, self.hi] {
            for b in [other.lo, other.hi] {
                let product = a.checked_mul(b)?;
                (lo, hi) = (lo.min(product), hi.max(product));
            }
        }
        // (a + i s) (b + j t) = a b + i s b + j t a + i j s t.
        let left = self.step.checked_mul(other.lo.unsigned_abs())?;
        let right = other.step.checked_mul(self.lo.unsigned_abs())?;
        let both = self.step.checked_mul(other.step)?;
        Number::within_limit(lo, hi, gcd(gcd(left, right), both))
    }

    /// The negated members.
    pub(super) fn negate(self) -> Option<Number> {
        Some(Number { lo: -self.hi, hi: -self.lo, step: self.step })
    }

    /// The complements of all bits: `-n - 1` for each `n`.
    pub(super) fn not(self) -> Option<Number> {
        self.negate()?.add(Number::constant(-1))
    }

    /// The quotients as in C, rounded toward 0, of the divisors that are not 0. If there is no such
    /// divisor, any number.
    pub(super) fn div(self, other: Number) -> Option<Number> {
        let divisors = [other.clamp(None, Some(-1)), other.clamp(Some(1), None)];
        divisors.into_iter().flatten().map(|divisor| self.div_by(divisor)).reduce(Number::join)
    }

    /// The quotients by divisors of one sign.
    fn div_by(self, divisor: Number) -> Number {
        // The quotient is monotone in each operand, the other one kept, so it is least and greatest
        // for bounds of them.
        let (mut lo, mut hi) = (i128::MAX, i128::MIN);
        for a in [self.lo, self.hi] {
            for b in [divisor.lo, divisor.hi] {
                (lo, hi) = (lo.min(a / b), hi.max(a / b));
            }
        }
        let one_sign = self.lo >= 0 || self.hi <= 0;
        let step = match divisor.as_constant().map(i128::unsigned_abs) {
            Some(d) if self.step.is_multiple_of(d) && (one_sign || self.lo.unsigned_abs().is_multiple_of(d)) => {
                self.step / d
            }
            _ => 1,
        };
        Number { lo, hi, step: if lo == hi { 0 } else { step } }
    }

    /// The remainders as in C, with the sign of the dividend, for the divisors that are not 0. If
    /// there is no such divisor, any number.
    pub(super) fn rem(self, other: Number) -> Option<Number> {
        let divisors = [other.clamp(None, Some(-1)), other.clamp(Some(1), None)];
        let least = divisors.into_iter().flatten().map(|d| d.lo.unsigned_abs().min(d.hi.unsigned_abs())).min()?;
        let greatest = other.lo.unsigned_abs().max(other.hi.unsigned_abs());
        if self.lo.unsigned_abs().max(self.hi.unsigned_abs()) < least {
            return Some(self);
        }
        if least == greatest {
            let quotient = self.lo / least as i128;
            if self.hi / least as i128 == quotient {
                return self.sub(Number::constant(quotient * least as i128));
            }
        }
        let lo = self.lo.min(0).max(1 - greatest as i128);
        let hi = self.hi.max(0).min(greatest as i128 - 1);
        // A multiple of a divisor is taken away, and each divisor is a multiple of this.
        let divisor = gcd(other.lo.unsigned_abs(), other.step);
        Number::congruent(lo, hi, self.lo, gcd(self.step, divisor))
    }

    /// The members times 2^amount, for amounts from 0 to 127. If there is no such amount, any
    /// number.
    pub(super) fn shl(self, amount: Number) -> Option<Number> {
        let amount = amount.clamp(Some(0), Some(127))?;
        if self.as_constant() == Some(0) {
            return Some(self);
        }
        if amount.hi > 100 {
            return None;
        }
        self.mul(Number::strided(1 << amount.lo, 1 << amount.hi, 1 << amount.lo)?)
    }

    /// The members divided by 2^amount and rounded down, for amounts from 0 to 127. If there is no
    /// such amount, any number.
    pub(super) fn shr(self, amount: Number) -> Option<Number> {
        let amount = amount.clamp(Some(0), Some(127))?;
        let lo = (self.lo >> amount.lo).min(self.lo >> amount.hi);
        let hi = (self.hi >> amount.lo).max(self.hi >> amount.hi);
        let even = amount.step == 0 && self.step.is_multiple_of(1 << amount.lo);
        Number::strided(lo, hi, if even { self.step >> amount.lo } else { 1 })
    }
}

/// Operations on bits: the numbers are two's complement of unbounded width.
impl Number {
    /// The conjunctions.
    pub(super) fn and(self, other: Number) -> Option<Number> {
        if let Some(masked) = self.masked(other).or_else(|| other.masked(self)) {
            return Some(masked);
        }
        let mut hi = self.hi.max(other.hi);
        // A mask takes bits away: those of a non-negative number, or those that a negative mask
        // has not.
        if self.lo >= 0 || other.hi < 0 {
            hi = hi.min(self.hi);
        }
        if other.lo >= 0 || self.hi < 0 {
            hi = hi.min(other.hi);
        }
        let mut lo = if self.lo >= 0 || other.lo >= 0 { 0 } else { -1 << self.bits().max(other.bits()) };
        if self.hi < 0 || other.hi < 0 {
            lo = lo.max(self.lo + other.lo + 1);
        }
        let (left, right) = (self.known_low_bits(), other.known_low_bits());
        let known = left & right | left & !self.lo | right & !other.lo;
        Number::with_low_bits(lo, hi, self.lo & other.lo, known.trailing_ones())
    }

    /// The conjunctions with a constant whose ones are adjacent bits, or all bits from one on.
    fn masked(self, mask: Number) -> Option<Number> {
        let mask = mask.as_constant()?;
        if mask == 0 {
            return Some(Number::constant(0));
        }
        let zeros = mask.trailing_zeros();
        let ones = (mask >> zeros).trailing_ones();
        if mask >> zeros == -1 {
            return Some(self.cleared(zeros));
        }
        let width = zeros + ones;
        (width <= 100 && mask >> width == 0).then(|| self.wrap(width, false).cleared(zeros))
    }

    /// The members with the low bits, at most 100 of them, made 0.
    fn cleared(self, bits: u32) -> Number {
        let unit: i128 = 1 << bits;
        let (lo, hi) = (self.lo & -unit, self.hi & -unit);
        let step = if self.step.is_multiple_of(unit as u128) { self.step } else { unit as u128 };
        Number { lo, hi, step: if lo == hi { 0 } else { step } }
    }

    /// The disjunctions.
    pub(super) fn or(self, other: Number) -> Option<Number> {
        self.not()?.and(other.not()?)?.not()
    }

    /// The exclusive disjunctions.
    pub(super) fn xor(self, other: Number) -> Option<Number> {
        if self.hi < 0 {
            return self.not()?.xor(other)?.not();
        }
        if other.hi < 0 {
            return self.xor(other.not()?)?.not();
        }
        if self.as_constant() == Some(0) {
            return Some(other);
        }
        if other.as_constant() == Some(0) {
            return Some(self);
        }
        let power: i128 = 1 << self.bits().max(other.bits());
        let (mut lo, mut hi) = (if self.lo >= 0 && other.lo >= 0 { 0 } else { -power }, power - 1);
        // Each bit of a non-negative operand is added or taken away.
        if other.lo >= 0 {
            (lo, hi) = (lo.max(self.lo - other.hi), hi.min(self.hi + other.hi));
        }
        if self.lo >= 0 {
            (lo, hi) = (lo.max(other.lo - self.hi), hi.min(other.hi + self.hi));
        }
        let known = self.known_low_bits() & other.known_low_bits();
        Number::with_low_bits(lo, hi, self.lo ^ other.lo, known.trailing_ones())
    }

    /// The least k such that all members are from -2^k to 2^k - 1.
    fn bits(self) -> u32 {
        let bits = |n: i128| 128 - if n < 0 { !n } else { n }.leading_zeros();
        bits(self.lo).max(bits(self.hi))
    }

    /// The low bits that are the same in all members, as a mask.
    fn known_low_bits(self) -> i128 {
        if self.step == 0 { -1 } else { (1 << self.step.trailing_zeros()) - 1 }
    }

    /// The numbers from `lo` to `hi` that agree with `example` in the lowest `known` bits.
    fn with_low_bits(lo: i128, hi: i128, example: i128, known: u32) -> Option<Number> {
        if known == 128 {
            return Number::within_limit(example, example, 0);
        }
        Number::congruent(lo, hi, example, 1 << known.min(100))
    }

    /// The numbers in the range of an integer type that are congruent to members modulo 2^width.
    ///
    /// # Panics
    ///
    /// If the width is 0 or above 100.
    pub(super) fn wrap(self, width: u32, signed: bool) -> Number {
        assert!((1..=100).contains(&width), "no type has {width} bits");
        let period: i128 = 1 << width;
        let least = if signed { -(period >> 1) } else { 0 };
        if self.lo >= least && self.hi < least + period {
            return self;
        }
        let turns = (self.lo - least).div_euclid(period);
        if turns == (self.hi - least).div_euclid(period) {
            let shift = turns * period;
            return Number { lo: self.lo - shift, hi: self.hi - shift, step: self.step };
        }
        let (greatest, step) = (least + period - 1, gcd(self.step, period.unsigned_abs()));
        let (lo, hi) = (round_up(least, self.lo, step), round_down(greatest, self.lo, step));
        Number { lo, hi, step: if lo == hi { 0 } else { step } }
    }
}

/// Comparisons: decided if they are the same for all pairs of members.
impl Number {
    /// Is `self` less than `other`?
    pub(super) fn less(self, other: Number) -> Option<bool> {
        if self.hi < other.lo {
            Some(true)
        } else if self.lo >= other.hi {
            Some(false)
        } else {
            None
        }
    }

    /// Is `self` at most `other`?
    pub(super) fn less_equal(self, other: Number) -> Option<bool> {
        other.less(self).map(|less| !less)
    }

    /// Is `self` equal to `other`?
    pub(super) fn equal(self, other: Number) -> Option<bool> {
        if self.meet(other).is_none() {
            return Some(false);
        }
        (self.step == 0 && other.step == 0).then_some(true)
    }
}

/// The greatest common divisor; that of 0 and `n` is `n`.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The inverse of `n` modulo `modulus`, to which it is coprime.
fn inverse(n: i128, modulus: i128) -> i128 {
    let (mut rest, mut next) = (modulus, n.rem_euclid(modulus));
    let (mut factor, mut next_factor) = (0, 1);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (factor, next_factor) = (next_factor, factor - quotient * next_factor);
    }
    factor.rem_euclid(modulus)
}

/// The least number not below `bound` that is congruent to `residue` modulo `step`.
fn round_up(bound: i128, residue: i128, step: u128) -> i128 {
    if step == 1 { bound } else { bound + (residue - bound).rem_euclid(step as i128) }
}

/// The greatest number not above `bound` that is congruent to `residue` modulo `step`.
fn round_down(bound: i128, residue: i128, step: u128) -> i128 {
    if step == 1 { bound } else { bound - (bound - residue).rem_euclid(step as i128) }
}

#[cfg(test)]
mod tests;
