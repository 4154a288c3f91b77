//! Random sets against the operations of the machine on their members.

use super::Precision::{Double, Extended, Single};
use super::*;
use proptest::prelude::*;

/// Few where the code is slow, so that all tests of a crate stay quick.
fn config() -> ProptestConfig {
    ProptestConfig::with_cases(if cfg!(debug_assertions) { 1_000 } else { 30_000 })
}

/// Numbers at which something changes.
const SPECIAL: [f64; 17] = [
    0.0,
    1.0,
    3.0,
    0.1,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    1e-290,
    1e200,
    1e-160,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    1.401298464324817e-45,
    1e-23,
    4503599627370497.0,
    16777217.0,
    f64::INFINITY,
];

/// Any numbers: special and simple ones, and random bits.
fn reals() -> impl Strategy<Value = f64> {
    prop_oneof![
        (prop::sample::select(&SPECIAL[..]), any::<bool>()).prop_map(|(x, minus)| if minus { -x } else { x }),
        (-40..40_i32, -4..4_i64).prop_map(|(n, k)| f64::from(n) * power_of_two(k)),
        any::<i16>().prop_map(|n| f64::from(n) / 100.0),
        any::<u32>().prop_map(|bits| f64::from(f32::from_bits(bits))),
        any::<u64>().prop_map(f64::from_bits),
    ]
    .prop_map(|x| if x.is_nan() { 1.0 } else { x })
}

/// Sets with ends in the precision.
fn sets(precision: Precision) -> impl Strategy<Value = Floats> {
    let narrow = move |x: f64| if precision == Single { f64::from(x as f32) } else { x };
    let ends = prop_oneof![
        2 => (reals(), reals()),
        1 => reals().prop_map(|x| (x, x)),
        1 => (reals(), 0..9_u32).prop_map(|(x, n)| (x, (0..n).fold(x, |x, _| x.next_up()))),
    ];
    (ends, prop::bool::weighted(0.1), prop::bool::weighted(0.02)).prop_map(move |((a, b), nan, only_nan)| {
        let (a, b) = (narrow(a), narrow(b));
        if only_nan { Floats::NAN } else { Floats::range(a.min(b), a.max(b), nan) }
    })
}

/// The ends of a set, and more of its members in the precision.
fn members(set: Floats, precision: Precision) -> Vec<f64> {
    let mut some: Vec<f64> = SPECIAL.iter().flat_map(|x| [*x, -x]).collect();
    some.extend([set.lo, set.hi, set.lo.next_up(), set.hi.next_down(), set.lo / 2.0 + set.hi / 2.0, f64::NAN]);
    some.extend([(set.lo as f32).next_up(), (set.hi as f32).next_down()].map(f64::from));
    some.retain(|x| set.contains(*x) && (precision != Single || x.is_nan() || f64::from(*x as f32) == *x));
    some
}

/// Is it stored as it should be?
fn is_well_formed(set: Floats) -> bool {
    let plain = |x: f64| !x.is_nan() && (x != 0.0 || x.is_sign_positive());
    plain(set.lo) && plain(set.hi) && (set.lo <= set.hi || set == Floats::NAN)
}

/// A result of two numbers as a float and the sign of what the real one is above it, where that is
/// known.
type Real = fn(f64, f64) -> (f64, f64);

/// Has the result all roundings of the real results?
fn holds(
    (a, b): (Floats, Floats),
    precision: Precision,
    result: Floats,
    single: fn(f32, f32) -> f32,
    real: Real,
) -> Result<(), TestCaseError> {
    prop_assert!(is_well_formed(result), "{a:?} {b:?} {result:?}");
    for x in members(a, precision) {
        for y in members(b, precision) {
            let (value, more) = real(x, y);
            let mut concrete = vec![value];
            if precision == Single {
                concrete.extend([single(x as f32, y as f32), value as f32].map(f64::from));
            }
            let error = if value.is_finite() && value.abs() >= TINY { more } else { 0.0 };
            let (below, above) = (
                if error < 0.0 { value.next_down() } else { value },
                if error > 0.0 { value.next_up() } else { value },
            );
            concrete.extend([below, above]);
            if precision == Single {
                concrete.extend([single_below(below), single_above(above)]);
            }
            for z in concrete {
                prop_assert!(result.contains(z), "{a:?} {b:?} {result:?}: {x:e} {y:e} {z:e}");
            }
        }
    }
    Ok(())
}

/// A test of a binary operation.
macro_rules! binary {
    ($($name:ident: $operation:expr, $single:expr, $real:expr;)*) => {
        proptest! {
            #![proptest_config(config())]
            $(#[test]
            fn $name(a in sets(Single), b in sets(Single), c in sets(Double), d in sets(Double)) {
                holds((a, b), Single, $operation(a, b, Single), $single, $real)?;
                holds((c, d), Double, $operation(c, d, Double), $single, $real)?;
                holds((c, d), Extended, $operation(c, d, Extended), $single, $real)?;
                // Operands of more precision than the type.
                holds((c, d), Double, $operation(c, d, Single), $single, $real)?;
            })*
        }
    };
}

binary! {
    adds: Floats::add, |x, y| x + y, |x, y| {
        let sum = x + y;
        let back = sum - x;
        (sum, (x - (sum - back)) + (y - back))
    };
    subtracts: Floats::sub, |x, y| x - y, |x, y| {
        let difference = x - y;
        let back = difference - x;
        (difference, (x - (difference - back)) - (y + back))
    };
    multiplies: Floats::mul, |x, y| x * y, |x, y| (x * y, x.mul_add(y, -(x * y)));
    divides: Floats::div, |x, y| x / y, |x, y| {
        let rest = (x / y).mul_add(-y, x);
        (x / y, if x.abs() < TINY { 0.0 } else { rest * y.signum() })
    };
    negates: |a: Floats, _, _| a.negate(), |x, _| -x, |x, _| (-x, 0.0);
    joins_left: |a: Floats, b, _| a.join(b), |x, _| x, |x, _| (x, 0.0);
    joins_right: |a: Floats, b, _| a.join(b), |_, y| y, |_, y| (y, 0.0);
    converts: |a: Floats, _, precision| a.convert(precision), |x, _| x, |x, _| (x, 0.0);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn converts_to_less(a in sets(Double)) {
        let single = a.convert(Single);
        prop_assert!(is_well_formed(single) && a.is_within(single), "{a:?} {single:?}");
        prop_assert_eq!(single.convert(Single), single);
        for x in members(a, Double) {
            prop_assert!(single.contains(f64::from(x as f32)), "{a:?} {single:?} {x:e}");
        }
    }

    #[test]
    fn converts_integers(
        n in prop_oneof![any::<i128>(), any::<i64>().prop_map(i128::from), -9..9_i128,
            (0..127_u32, -3..4_i128).prop_map(|(k, more)| (1 << k) - 1 + more)],
        extent in prop_oneof![Just(0_i128), 0..100_i128, (0..127_u32).prop_map(|k| 1 << k)],
    ) {
        let last = n.saturating_add(extent);
        for precision in [Single, Double, Extended] {
            let set = Floats::of_integers(n, last, precision);
            prop_assert!(is_well_formed(set) && !set.nan, "{set:?}");
            for m in [n, last, n + extent.min(last.saturating_sub(n)) / 2] {
                prop_assert!(set.contains(m as f64), "{set:?} {m}");
                prop_assert!(precision != Single || set.contains(f64::from(m as f32)), "{set:?} {m}");
            }
            if last < 1 << 100 && n > -(1 << 100) && let Some((lo, hi)) = set.truncated() {
                prop_assert!(lo <= n && last <= hi, "{set:?} {n} {last}");
                let bits = 128 - n.unsigned_abs().max(last.unsigned_abs()).leading_zeros();
                let exact = bits <= if precision == Single { 24 } else { 53 };
                prop_assert!(!exact || (lo, hi) == (n, last), "{set:?} {n} {last}");
            }
        }
    }

    #[test]
    fn truncates(a in sets(Double)) {
        let integers = a.truncated();
        let finite = |x: f64| x.abs() < power_of_two(100);
        prop_assert_eq!(integers.is_some(), !a.nan && finite(a.lo) && finite(a.hi));
        for x in members(a, Double) {
            prop_assert!(integers.is_none_or(|(lo, hi)| lo <= x as i128 && x as i128 <= hi), "{a:?} {x:e}");
        }
    }

    #[test]
    fn compares(a in sets(Double), b in sets(Double)) {
        for x in members(a, Double) {
            for y in members(b, Double) {
                for (may, is) in [(a.less(b), x < y), (a.less_equal(b), x <= y), (a.equal(b), x == y)] {
                    prop_assert!(if is { may.0 } else { may.1 }, "{a:?} {b:?} {x:e} {y:e}");
                }
            }
        }
    }

    #[test]
    fn refines(a in sets(Double), bound in reals(), strict: bool) {
        let (below, above) = (a.below(bound, strict), a.above(bound, strict));
        for part in [below, above].into_iter().flatten() {
            prop_assert!(is_well_formed(part) && part.is_within(a) && !part.nan, "{a:?} {part:?}");
        }
        for x in members(a, Double) {
            let (less, more) = if strict { (x < bound, x > bound) } else { (x <= bound, x >= bound) };
            prop_assert!(!less || below.is_some_and(|set| set.contains(x)), "{a:?} {bound:e} {below:?} {x:e}");
            prop_assert!(!more || above.is_some_and(|set| set.contains(x)), "{a:?} {bound:e} {above:?} {x:e}");
        }
    }

    #[test]
    fn orders_sets(a in sets(Double), b in sets(Double)) {
        let met = a.meet(b);
        prop_assert!(met.is_none_or(|m| is_well_formed(m) && m.is_within(a) && m.is_within(b)), "{a:?} {b:?} {met:?}");
        for x in members(a, Double) {
            prop_assert_eq!(b.contains(x), met.is_some_and(|m| m.contains(x)), "{:?} {:?} {:?}", a, b, met);
            prop_assert!(!a.is_within(b) || b.contains(x), "{a:?} {b:?} {x:e}");
        }
        prop_assert!(a.is_within(a.join(b)) && b.is_within(a.join(b)), "{a:?} {b:?}");
        prop_assert_eq!(a.meet(a.join(b)), Some(a));
    }

    #[test]
    fn widens(
        chain in prop::collection::vec(sets(Double), 1..20),
        mut thresholds in prop::collection::vec(reals(), 0..4),
    ) {
        thresholds.sort_by(f64::total_cmp);
        let (mut set, mut changes) = (chain[0], 0);
        for newer in chain {
            let wider = set.widen(newer, &thresholds);
            prop_assert!(is_well_formed(wider), "{wider:?}");
            prop_assert!(set.is_within(wider) && newer.is_within(wider), "{set:?} {newer:?} {wider:?}");
            changes += usize::from(wider != set);
            set = wider;
        }
        // Numbers and NaN come once, and each end passes the thresholds.
        prop_assert!(changes <= 2 + 2 * (thresholds.len() + 1), "{changes}");
    }

    #[test]
    fn reads_decimals(
        digits in "[0-9]{1,25}",
        point in 0..25_usize,
        exponent in prop_oneof![-360..330_i32, -9..9_i32],
    ) {
        let mut text = digits;
        text.insert(point.min(text.len()), '.');
        text.push_str(&format!("e{exponent}"));
        let value: f64 = text.parse().unwrap();
        let single: f32 = text.parse().unwrap();
        for suffix in ["", "f", "L"] {
            for precision in [Single, Double, Extended] {
                let set = Floats::literal(&format!("{text}{suffix}"), precision);
                prop_assert!(is_well_formed(set) && set.contains(value) && !set.nan, "{text} {set:?}");
                if precision == Single {
                    prop_assert!(set.contains(f64::from(single)), "{text} {set:?}");
                    prop_assert!(set.lo == set.hi || set.lo <= single.next_down().max(0.0).into(), "{text} {set:?}");
                } else if set.lo != set.hi {
                    prop_assert!(set.hi == value.next_up() && set.lo == value.next_down().max(0.0), "{text} {set:?}");
                }
            }
        }
    }

    #[test]
    fn reads_exact_values(x in reals(), more in "[1-9]{1,9}") {
        let x = x.abs().min(f64::MAX);
        let decimal = format!("{x:.1074}");
        prop_assert_eq!(Floats::literal(&decimal, Double), Floats::constant(x));
        let single = Floats::literal(&decimal, Single);
        prop_assert!(Floats::constant(x).convert(Single).is_within(single), "{x:e} {single:?}");
        let near = Floats::literal(&(decimal + &more), Extended);
        prop_assert_eq!(near, Floats::range(x.next_down().max(0.0), x.next_up(), false));
        // As printf's %a writes it.
        let (bits, exponent) = (x.to_bits() & ((1 << 52) - 1), (x.to_bits() >> 52) as i64 - 1023);
        let hexadecimal = if exponent == -1023 { format!("0x0.{bits:013x}") } else { format!("0x1.{bits:013X}") };
        let exponent = exponent.max(-1022);
        prop_assert_eq!(Floats::literal(&format!("{hexadecimal}p{exponent}"), Double), Floats::constant(x));
        let single = Floats::literal(&format!("{hexadecimal}P{exponent}F"), Single);
        prop_assert_eq!(single, Floats::constant(x).convert(Single));
        let near = Floats::literal(&format!("{hexadecimal}{more}p{exponent}l"), Double);
        prop_assert!(near.lo <= x && near.hi >= x.next_up() && near.hi <= x.next_up().next_up(), "{x:e} {near:?}");
    }
}

#[test]
fn is_precise() {
    let set = |lo, hi| Floats::range(lo, hi, false);
    for precision in [Single, Double, Extended] {
        let some = set(0.5, 1.5);
        assert_eq!(some.add(set(0.25, 4.0), precision), set(0.75, 5.5));
        assert_eq!(some.sub(set(0.25, 4.0), precision), set(-3.5, 1.25));
        assert_eq!(some.mul(set(-2.0, 4.0), precision), set(-3.0, 6.0));
        assert_eq!(some.div(set(0.25, 4.0), precision), set(0.125, 6.0));
        assert_eq!(some.div(set(0.0, 4.0), precision), Floats::any());
        assert_eq!(set(0.0, 0.0).mul(set(-7.0, 1e300), precision), set(0.0, 0.0));
        assert_eq!(set(0.0, 1e-30).mul(set(0.0, 1e-300), precision).lo(), 0.0);
        assert_eq!(set(1.0, f64::INFINITY).div(set(1.0, 2.0), precision), set(0.5, f64::INFINITY));
        assert!(some.add(Floats::any(), precision).may_be_nan());
        assert_eq!(Floats::of_integers(-3, 1 << 24, precision), set(-3.0, 16777216.0));
        assert_eq!(Floats::literal("0.375", precision).as_constant(), Some(0.375));
        assert_eq!(Floats::literal("1e2f", precision).as_constant(), Some(100.0));
        assert_eq!(Floats::literal("0x.8p+1L", precision).as_constant(), Some(1.0));
        assert_eq!(Floats::literal("0.00e-7", precision).as_constant(), Some(0.0));
        for wrong in
            ["", "1", "0x1", "0x1.8", "0xp1", "1e", "1e+", ".", "f", "inf", "nan", "-1.0", "1.0q", "0x1.gp1", "1.0e5.0"]
        {
            assert_eq!(Floats::literal(wrong, precision), Floats::any(), "{wrong}");
        }
    }
    // The error of these is too small for a float.
    let (odd, tiny) = (1.0 + f64::EPSILON, power_of_two(-500));
    let product = set(odd * tiny, odd * tiny).mul(set(odd * tiny, odd * tiny), Double);
    assert!(product.lo < product.hi);
    let quotient = set(tiny * tiny, tiny * tiny).div(set(odd, odd), Double);
    assert!(quotient.lo < quotient.hi);
    let tenth = f64::from(0.1_f32);
    assert_eq!(Floats::literal("0.1", Double), set(0.1_f64.next_down(), 0.1_f64.next_up()));
    assert!(Floats::literal("0.1f", Single).contains(tenth) && Floats::literal("0.1f", Single).contains(0.1));
    assert_eq!(Floats::literal("1e39f", Single), set(f64::from(f32::MAX), f64::INFINITY));
    assert_eq!(Floats::literal("1e400", Double), set(f64::MAX, f64::INFINITY));
    assert_eq!(Floats::literal("0x1p99999", Double), set(f64::MAX, f64::INFINITY));
    assert_eq!(Floats::literal("1e-400", Double), set(0.0, 5e-324));
    assert_eq!(Floats::literal("0x1.0000000000000000001p0", Double), set(1_f64.next_down(), 1_f64.next_up()));
    assert_eq!(set(3e38, 3e38).add(set(3e38, 3e38), Single), set(f64::from(f32::MAX), f64::INFINITY));
    assert_eq!(set(-0.0, 1.0).negate(), set(-1.0, 0.0));
    assert_eq!(set(1.0, 2.0).below(1.0, true), None);
    assert_eq!(set(1.0, 2.0).less(set(2.0, 3.0)), (true, true));
    assert_eq!(set(1.0, 2.0).less_equal(set(2.0, 3.0)), (true, false));
    assert_eq!(Floats::constant(f64::NAN).equal(Floats::any()), (false, true));
    assert_eq!(Floats::constant(0.0).equal(Floats::constant(-0.0)), (true, false));
    assert_eq!(set(1.0, 2.0).widen(set(0.0, 2.0), &[-5.0, 9.0]), set(-5.0, 2.0));
}
