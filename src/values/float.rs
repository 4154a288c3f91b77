//! Sets of floating values: an interval, and perhaps NaN.
//!
//! C may evaluate with more precision than the type has, and each rounding may go either way. So
//! an end that is not exact in the precision of an operation moves outward: as rounding is
//! monotone, and keeps what is representable, no rounding to that precision or a greater one gets
//! past the new end. For the same reason the values between the ends are all real numbers, not
//! just those of the type, and an infinite end stands for finite values too that are beyond the
//! range of `f64`, as those of `long double` may be.

mod bits;

/// Below this magnitude the error of a product or a quotient may be too small for an `f64`.
const TINY: f64 = 1e-290;

/// The numbers from `lo` to `hi`, and NaN if `nan`. Zero stands for both zeros. If there are no
/// numbers, `lo` is infinity, `hi` minus infinity, and there is NaN. No end is NaN or minus zero,
/// so that equal sets are equal values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Floats {
    lo: f64,
    hi: f64,
    nan: bool,
}

/// The precisions of the C types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precision {
    /// `float`: that of an `f32`.
    Single,
    /// `double`: that of an `f64`.
    Double,
    /// `long double`: at least that of an `f64`.
    Extended,
}

/// Making and reading.
impl Floats {
    /// Only NaN.
    const NAN: Floats = Floats { lo: f64::INFINITY, hi: f64::NEG_INFINITY, nan: true };

    /// All values.
    pub(super) fn any() -> Floats {
        Floats { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: true }
    }

    /// Just `x`, which may be NaN.
    pub(super) fn constant(x: f64) -> Floats {
        if x.is_nan() { Floats::NAN } else { Floats::range(x, x, false) }
    }

    /// The numbers from `lo` to `hi`, and NaN if `nan`. All values if that is an empty set or an
    /// end is NaN.
    pub(super) fn range(lo: f64, hi: f64, nan: bool) -> Floats {
        if lo <= hi {
            // Minus zero plus zero is zero.
            Floats { lo: lo + 0.0, hi: hi + 0.0, nan }
        } else if lo > hi && nan {
            Floats::NAN
        } else {
            Floats::any()
        }
    }

    /// The least number; infinity if there is only NaN.
    pub(super) fn lo(self) -> f64 {
        self.lo
    }

    /// The greatest number; minus infinity if there is only NaN.
    pub(super) fn hi(self) -> f64 {
        self.hi
    }

    /// Is NaN a member?
    pub(super) fn may_be_nan(self) -> bool {
        self.nan
    }

    /// Are there numbers, or is NaN the only member?
    pub(super) fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// The only member, if there is just one, and it is finite. The sign of a zero is unknown.
    pub(super) fn as_constant(self) -> Option<f64> {
        (self.lo == self.hi && self.lo.is_finite() && !self.nan).then_some(self.lo)
    }

    /// Is `x` a member?
    pub(super) fn contains(self, x: f64) -> bool {
        if x.is_nan() { self.nan } else { self.lo <= x && x <= self.hi }
    }

    /// The values that the C literal `text` may have: just one if it is exact in the precision,
    /// else the nearest one and its neighbours. The suffix is read over. Any value if this is no
    /// literal of a C type.
    pub(super) fn literal(text: &str, precision: Precision) -> Floats {
        let text = text.strip_suffix(['f', 'F', 'l', 'L']).unwrap_or(text);
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let literal = Hexadecimal::parse(digits);
            return literal.map_or(Floats::any(), |literal| literal.value().in_precision(precision).set());
        }
        let (Some(decimal), Ok(value)) = (Decimal::parse(text), text.parse::<f64>()) else {
            return Floats::any();
        };
        let exact = value.is_finite() && Decimal::of(value) == decimal;
        let around = Rounded { value, exact }.in_precision(precision);
        let Ok(single) = text.parse::<f32>() else { return Floats::any() };
        if precision == Precision::Single && around.lo != around.hi {
            // A compiler need not take the nearest value, but none is farther than its neighbours.
            let (lo, hi) = (single.next_down().max(0.0), single.next_up());
            return Floats::range(f64::from(lo).min(around.lo), f64::from(hi).max(around.hi), false);
        }
        around.set()
    }

    /// What the integers from `lo` to `hi` are converted to. Any value if there are none.
    pub(super) fn of_integers(lo: i128, hi: i128, precision: Precision) -> Floats {
        if lo > hi {
            return Floats::any();
        }
        let ends = |n: i128| {
            let value = n as f64;
            // At 2^127 the conversion back would saturate.
            let exact = value.abs() < power_of_two(127) && value as i128 == n;
            Rounded { value, exact }.in_precision(precision)
        };
        Floats::range(ends(lo).lo, ends(hi).hi, false)
    }

    /// The integers that a conversion to an integer type gives, which rounds toward zero: the least
    /// and the greatest. `None` if there may be others, as NaN or an end is no integer below 2^100.
    pub(super) fn truncated(self) -> Option<(i128, i128)> {
        let integer = |x: f64| (x.abs() < power_of_two(100)).then(|| x.trunc() as i128);
        if self.nan { None } else { Some((integer(self.lo)?, integer(self.hi)?)) }
    }
}

/// The lattice.
impl Floats {
    /// The least interval that holds both.
    pub(super) fn join(self, other: Floats) -> Floats {
        Floats { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), nan: self.nan || other.nan }
    }

    /// The members of both; `None` if there are none.
    pub(super) fn meet(self, other: Floats) -> Option<Floats> {
        let (lo, hi, nan) = (self.lo.max(other.lo), self.hi.min(other.hi), self.nan && other.nan);
        (nan || lo <= hi).then(|| Floats::range(lo, hi, nan))
    }

    /// Is each member one of `other`?
    pub(super) fn is_within(self, other: Floats) -> bool {
        (!self.nan || other.nan) && (!self.has_numbers() || other.lo <= self.lo && self.hi <= other.hi)
    }

    /// A superset of both, such that a chain of them gets stable: an end that moves goes on to the
    /// next of `thresholds`, which are in ascending order, or to infinity.
    pub(super) fn widen(self, newer: Floats, thresholds: &[f64]) -> Floats {
        let mut wider = self.join(newer);
        if !self.has_numbers() {
            return wider;
        }
        if newer.lo < self.lo {
            let threshold = thresholds.iter().rev().copied().find(|t| *t <= newer.lo);
            wider.lo = threshold.unwrap_or(f64::NEG_INFINITY) + 0.0;
        }
        if newer.hi > self.hi {
            let threshold = thresholds.iter().copied().find(|t| *t >= newer.hi);
            wider.hi = threshold.unwrap_or(f64::INFINITY) + 0.0;
        }
        wider
    }
}

/// Arithmetic.
impl Floats {
    /// The sums.
    pub(super) fn add(self, other: Floats, precision: Precision) -> Floats {
        if !self.has_numbers() || !other.has_numbers() {
            return Floats::NAN;
        }
        let infinite = f64::INFINITY;
        let opposite = self.hi == infinite && other.lo == -infinite || self.lo == -infinite && other.hi == infinite;
        let least = Rounded::sum(self.lo, other.lo).in_precision(precision).lo;
        let greatest = Rounded::sum(self.hi, other.hi).in_precision(precision).hi;
        let nan = self.nan || other.nan || opposite;
        // The sum of an infinity and the opposite one is NaN, which bounds nothing.
        let lo = if least.is_nan() { -infinite } else { least };
        let hi = if greatest.is_nan() { infinite } else { greatest };
        Floats::range(lo, hi, nan)
    }

    /// The differences.
    pub(super) fn sub(self, other: Floats, precision: Precision) -> Floats {
        self.add(other.negate(), precision)
    }

    /// The products.
    pub(super) fn mul(self, other: Floats, precision: Precision) -> Floats {
        if !self.has_numbers() || !other.has_numbers() {
            return Floats::NAN;
        }
        let infinite = |set: Floats| set.lo.is_infinite() || set.hi.is_infinite();
        let undefined = self.contains(0.0) && infinite(other) || other.contains(0.0) && infinite(self);
        self.hull(other, Rounded::product, precision, self.nan || other.nan || undefined)
    }

    /// The quotients; any value if 0 is a divisor.
    pub(super) fn div(self, other: Floats, precision: Precision) -> Floats {
        if !self.has_numbers() || !other.has_numbers() {
            return Floats::NAN;
        }
        if other.contains(0.0) {
            return Floats::any();
        }
        let infinite = |set: Floats| set.lo.is_infinite() || set.hi.is_infinite();
        let undefined = infinite(self) && infinite(other);
        self.hull(other, Rounded::quotient, precision, self.nan || other.nan || undefined)
    }

    /// The least interval that holds what an operation, which is monotone in each operand, gives
    /// for the ends.
    fn hull(self, other: Floats, operation: fn(f64, f64) -> Rounded, precision: Precision, nan: bool) -> Floats {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for a in [self.lo, self.hi] {
            for b in [other.lo, other.hi] {
                // Where it would be NaN, which is told apart, it is 0: what a finite number gives
                // in the place of the infinite dividend or factor.
                let corner = operation(a, b).in_precision(precision);
                (lo, hi) = (lo.min(corner.lo), hi.max(corner.hi));
            }
        }
        Floats::range(lo, hi, nan)
    }

    /// The negated values.
    pub(super) fn negate(self) -> Floats {
        Floats { lo: 0.0 - self.hi, hi: 0.0 - self.lo, nan: self.nan }
    }

    /// What a conversion to a type of the precision gives.
    pub(super) fn convert(self, precision: Precision) -> Floats {
        match precision {
            Precision::Single if self.has_numbers() => {
                Floats::range(single_below(self.lo), single_above(self.hi), self.nan)
            }
            _ => self,
        }
    }
}

/// Comparisons: may they be true, and may they be false? With NaN they are false.
impl Floats {
    /// Is `self` less than `other`?
    pub(super) fn less(self, other: Floats) -> (bool, bool) {
        let numbers = self.has_numbers() && other.has_numbers();
        (numbers && self.lo < other.hi, self.nan || other.nan || numbers && self.hi >= other.lo)
    }

    /// Is `self` at most `other`?
    pub(super) fn less_equal(self, other: Floats) -> (bool, bool) {
        let numbers = self.has_numbers() && other.has_numbers();
        (numbers && self.lo <= other.hi, self.nan || other.nan || numbers && self.hi > other.lo)
    }

    /// Is `self` equal to `other`?
    pub(super) fn equal(self, other: Floats) -> (bool, bool) {
        let numbers = self.has_numbers() && other.has_numbers();
        let overlap = numbers && self.lo <= other.hi && other.lo <= self.hi;
        // Infinite ends may stand for finite values, which differ.
        let same = self.as_constant().is_some() && self.as_constant() == other.as_constant();
        (overlap, !same)
    }

    /// The numbers below `bound`, or equal to it if not `strict`; `None` if there are none. Even if
    /// strict, the bound is kept as an end, as there may be values of more precision next to it.
    pub(super) fn below(self, bound: f64, strict: bool) -> Option<Floats> {
        let some = self.has_numbers() && (self.lo < bound || !strict && self.lo == bound);
        some.then(|| Floats::range(self.lo, self.hi.min(bound), false))
    }

    /// The numbers above `bound`, or equal to it if not `strict`; `None` if there are none. The
    /// bound is kept as in [`Floats::below`].
    pub(super) fn above(self, bound: f64, strict: bool) -> Option<Floats> {
        Some(self.negate().below(-bound, strict)?.negate())
    }
}

/// The nearest `f64` to a real number, and whether it is that number. If it is not, but infinite,
/// the real number is finite. The sign of a zero is that of the real number. A real number between
/// the same two floats may stand for the nearest one.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    value: f64,
    exact: bool,
}

/// Bounds of what a real number may be rounded to.
#[derive(Clone, Copy, Debug)]
struct Around {
    lo: f64,
    hi: f64,
}

impl Rounded {
    /// The sum, with Knuth's error-free transformation.
    fn sum(a: f64, b: f64) -> Rounded {
        let value = a + b;
        let second = value - a;
        // NaN if an intermediate result overflows.
        let error = (a - (value - second)) + (b - second);
        Rounded { value, exact: a.is_infinite() || b.is_infinite() || error == 0.0 }
    }

    /// The product; 0 if a factor is 0, even if the other one is infinite.
    fn product(a: f64, b: f64) -> Rounded {
        if a == 0.0 || b == 0.0 {
            return Rounded { value: 0.0, exact: true };
        }
        let value = a * b;
        let exact = value.abs() >= TINY && a.mul_add(b, -value) == 0.0;
        Rounded { value, exact: a.is_infinite() || b.is_infinite() || exact }
    }

    /// The quotient; 0 if both are infinite. The divisor is not 0.
    fn quotient(a: f64, b: f64) -> Rounded {
        if a.is_infinite() && b.is_infinite() {
            return Rounded { value: 0.0, exact: true };
        }
        let value = a / b;
        let exact = a.abs() >= TINY && value.abs() >= TINY && value.mul_add(-b, a) == 0.0;
        Rounded { value, exact: a == 0.0 || a.is_infinite() || b.is_infinite() || exact }
    }

    /// Bounds of what it is rounded to in the precision or in a greater one.
    fn in_precision(self, precision: Precision) -> Around {
        let Rounded { value, exact } = self;
        let (mut lo, mut hi) = if exact { (value, value) } else { (value.next_down(), value.next_up()) };
        if precision == Precision::Single {
            (lo, hi) = (single_below(lo), single_above(hi));
        }
        // Rounding keeps the sign.
        if !exact && value == 0.0 {
            (lo, hi) = if value.is_sign_negative() { (lo, 0.0) } else { (0.0, hi) };
        }
        Around { lo, hi }
    }
}

impl Around {
    /// As a set.
    fn set(self) -> Floats {
        Floats::range(self.lo, self.hi, false)
    }
}

/// The greatest `f32` that is not above `x`.
fn single_below(x: f64) -> f64 {
    let single = x as f32;
    f64::from(if f64::from(single) > x { single.next_down() } else { single })
}

/// The least `f32` that is not below `x`.
fn single_above(x: f64) -> f64 {
    let single = x as f32;
    f64::from(if f64::from(single) < x { single.next_up() } else { single })
}

/// A decimal number without a sign: the digits times 10^exponent. Neither the first nor the last
/// digit is 0, and zero has no digits and the exponent 0, so that equal numbers are equal values.
#[derive(PartialEq, Eq)]
struct Decimal {
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// A number as in C, without a suffix.
    fn parse(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            // Without a point it is an integer, and perhaps an octal one.
            None => (text.contains('.').then_some(text)?, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let significant = digits.trim_end_matches('0');
        let exponent = exponent.checked_add(i64::try_from(digits.len() - significant.len()).ok()?)?;
        let digits = significant.trim_start_matches('0').to_owned();
        let exponent = if digits.is_empty() { 0 } else { exponent };
        Some(Decimal { digits, exponent })
    }

    /// The exact value of a float that is finite and not negative.
    fn of(x: f64) -> Decimal {
        // No float has more decimal places.
        Decimal::parse(&format!("{x:.1074}")).expect("a float is written with digits and a point")
    }
}

/// The exponent of a literal: a decimal number that may have a sign. None if it is too large for
/// its type.
fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sound = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    sound.then(|| text.parse().ok()).flatten()
}

/// A hexadecimal number without a sign: the mantissa times 2^exponent, and something less than
/// 2^exponent if `more`.
struct Hexadecimal {
    mantissa: u64,
    exponent: i64,
    more: bool,
}

impl Hexadecimal {
    /// A number as in C, without prefix and suffix.
    fn parse(text: &str) -> Option<Hexadecimal> {
        let (mantissa, exponent) = text.split_once(['p', 'P'])?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction_bits = i64::try_from(fraction.len()).ok()?.checked_mul(4)?;
        let exponent = parse_exponent(exponent)?.checked_sub(fraction_bits)?;
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut number = Hexadecimal { mantissa: 0, exponent, more: false };
        for digit in whole.chars().chain(fraction.chars()) {
            number.push(u64::from(digit.to_digit(16)?))?;
        }
        Some(number)
    }

    /// Adds a digit at the end; one for which there is no room is only remembered.
    fn push(&mut self, digit: u64) -> Option<()> {
        if self.mantissa < 1 << 60 {
            self.mantissa = self.mantissa << 4 | digit;
        } else {
            self.exponent = self.exponent.checked_add(4)?;
            self.more |= digit != 0;
        }
        Some(())
    }

    /// The number as an `f64`.
    fn value(&self) -> Rounded {
        if self.mantissa == 0 {
            return Rounded { value: 0.0, exact: true };
        }
        let surplus = (64 - self.mantissa.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
        let kept = self.mantissa >> surplus;
        let more = self.more || kept << surplus != self.mantissa;
        // Beyond these exponents, all numbers are 0 or infinite as this one. Only the last factor
        // can overflow or round, and it does not if the product can be divided again.
        let exponent = self.exponent.saturating_add(i64::from(surplus)).clamp(-1200, 1200);
        let half = exponent / 2;
        let (first, second) = (power_of_two(half), power_of_two(exponent - half));
        let scaled = kept as f64 * first;
        let value = scaled * second;
        Rounded { value, exact: !more && value.is_finite() && value / second == scaled }
    }
}

/// 2^exponent, for an exponent that a normal `f64` can have.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << (f64::MANTISSA_DIGITS - 1))
}

#[cfg(test)]
mod tests;
