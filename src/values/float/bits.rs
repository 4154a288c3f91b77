//! Floating values as the integers that their bits are (IEEE 754, section 3.4: from zero on, the
//! greater number has the greater bits).

use super::super::number::Number;
use super::Floats;

/// The bits of an infinity of that width; all greater ones, up to the sign, are of no number.
const fn infinity(width: u32) -> i128 {
    if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 }
}

impl Floats {
    /// The bits as a signed integer of that width, 32 or 64, which is that of all the values.
    pub(in super::super) fn bits(self, width: u32) -> Number {
        let least = -1i128 << (width - 1);
        let any = Number::range(least, -(least + 1)).unwrap_or(Number::constant(0));
        if self.may_be_nan() || !self.has_numbers() {
            return any;
        }
        let magnitude = |x: f64| match width {
            32 => i128::from((x.abs() as f32).to_bits()),
            _ => i128::from(x.abs().to_bits()),
        };
        // A zero may be negative, and an infinite end stands for finite values, too.
        let (lo, hi) = (self.lo(), self.hi());
        let greatest = if width == 32 { f64::from(f32::MAX) } else { f64::MAX };
        let first = match (lo > 0.0, hi < 0.0) {
            (true, _) => magnitude(lo.min(greatest)),
            (_, true) => least + magnitude(hi.max(-greatest)),
            _ => least,
        };
        let last = if hi < 0.0 { least + magnitude(lo) } else { magnitude(hi) };
        Number::range(first, last).unwrap_or(any)
    }

    /// The values, of that width, 32 or 64, whose bits are among these.
    pub(in super::super) fn of_bits(bits: Number, width: u32) -> Floats {
        let least = -1i128 << (width - 1);
        let bits = bits.wrap(width, true);
        let number = |magnitude: i128| match width {
            32 => f64::from(f32::from_bits(magnitude.min(infinity(width)) as u32)),
            _ => f64::from_bits(magnitude.min(infinity(width)) as u64),
        };
        let (lo, hi) = (bits.lo(), bits.hi());
        match (lo >= 0, hi < 0) {
            (true, _) => Floats::range(number(lo), number(hi), hi > infinity(width)),
            (_, true) => Floats::range(-number(hi - least), -number(lo - least), hi - least > infinity(width)),
            _ => Floats::any(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: [f32; 12] =
        [0.0, 1e-45, 1e-40, f32::MIN_POSITIVE, 0.5, 1.0, 1.000_000_1, 1.5, 3e7, f32::MAX, f32::INFINITY, f32::NAN];

    fn samples() -> impl Iterator<Item = f32> {
        SAMPLES.into_iter().flat_map(|x| [x, -x])
    }

    /// Each value between two samples has bits among those of the interval, and back.
    #[test]
    fn values_and_their_bits_are_in_each_other() {
        for (a, b) in samples().flat_map(|a| samples().map(move |b| (a, b))).filter(|(a, b)| a <= b) {
            for x in samples().filter(|x| a <= *x && *x <= b) {
                let narrow = Floats::range(a.into(), b.into(), false).bits(32);
                assert!(narrow.contains((x.to_bits() as i32).into()), "{a} {x} {b} {narrow:?}");
                let wide = Floats::range(a.into(), b.into(), false).bits(64);
                assert!(wide.contains((f64::from(x).to_bits() as i64).into()), "{a} {x} {b} {wide:?}");
            }
        }
        for (a, b) in samples().flat_map(|a| samples().map(move |b| (a.to_bits() as i32, b.to_bits() as i32))) {
            let Some(bits) = Number::range(a.into(), b.into()) else { continue };
            let values = Floats::of_bits(bits, 32);
            for x in samples().filter(|x| (a..=b).contains(&(x.to_bits() as i32))) {
                let is_in = if x.is_nan() { values.may_be_nan() } else { values.contains(x.into()) };
                assert!(is_in, "{a:x} {x} {b:x} {values:?}");
            }
        }
    }

    #[test]
    fn bits_of_an_interval_are_an_interval() {
        let exponent = |lo: f64, hi: f64| Floats::range(lo, hi, false).bits(32).shr(Number::constant(23));
        assert_eq!(exponent(1.0, 1.5), Some(Number::constant(127)));
        assert_eq!(Floats::of_bits(Floats::range(2.0, 3.0, false).bits(64), 64), Floats::range(2.0, 3.0, false));
        assert_eq!(Floats::range(-3.0, -2.0, false).bits(32).hi(), i128::from((-3.0f32).to_bits() as i32));
    }
}
