//! Random sets against the operations on their members.

use super::*;
use proptest::prelude::*;

/// Few where the code is slow, so that all tests of a crate stay quick.
fn config() -> ProptestConfig {
    ProptestConfig::with_cases(if cfg!(debug_assertions) { 1_000 } else { 30_000 })
}

/// Small sets, sets around powers of two such as the bounds of the types, and wide ones.
fn numbers() -> impl Strategy<Value = Number> {
    let near = prop_oneof![
        5 => -20..20_i128,
        2 => (0..66_u32, -3..4_i128, any::<bool>())
            .prop_map(|(k, off, minus)| (if minus { -1 } else { 1 } * (1_i128 << k)) + off),
        1 => (66..100_u32, any::<bool>()).prop_map(|(k, minus)| if minus { -1 } else { 1 } * (1_i128 << k)),
    ];
    let step = prop_oneof![4 => 1..13_u128, 1 => (0..64_u32).prop_map(|k| 1 << k), 1 => 1..1_u128 << 61];
    let small =
        (near.clone(), step.clone(), 0..6_i128).prop_map(|(lo, step, more)| (lo, lo + more * step as i128, step));
    let wide = (near.clone(), near, step).prop_map(|(a, b, step)| (a.min(b), a.max(b), step));
    prop_oneof![3 => small, 1 => wide]
        .prop_map(|(lo, hi, step)| Number::within_limit(lo, hi, step).unwrap_or(Number::constant(7)))
}

/// All members, or those near the ends, near 0 and in the middle.
fn members(n: Number) -> Vec<i128> {
    let count = n.count() as i128;
    let zero = -n.lo() / n.step().max(1) as i128;
    let places = (0..5).chain(count - 5..count).chain(zero - 3..zero + 4).chain([count / 2, count / 3, count / 5]);
    let mut members: Vec<i128> =
        places.filter(|i| (0..count).contains(i)).map(|i| n.lo() + i * n.step() as i128).collect();
    members.sort_unstable();
    members.dedup();
    members
}

/// Is it stored as it should be?
fn is_well_formed(n: Number) -> bool {
    let extent = n.hi - n.lo;
    let whole = if n.step == 0 { extent == 0 } else { extent > 0 && extent % n.step as i128 == 0 };
    whole && n.lo >= -LIMIT && n.hi <= LIMIT
}

/// Has the result all that `concrete` makes of pairs of members?
fn holds(
    (a, b): (Number, Number),
    result: Option<Number>,
    concrete: impl Fn(i128, i128) -> Option<i128>,
) -> Result<(), TestCaseError> {
    let Some(result) = result else {
        let fits = |z: i128| (-LIMIT..=LIMIT).contains(&z);
        let all_fit = members(a).into_iter().all(|x| members(b).into_iter().all(|y| concrete(x, y).is_some_and(fits)));
        let small = |n: Number| n.bits() <= 40;
        prop_assert!(!(small(a) && small(b) && all_fit), "{a:?} {b:?}: given up");
        return Ok(());
    };
    prop_assert!(is_well_formed(result), "{a:?} {b:?} {result:?}");
    for x in members(a) {
        for y in members(b) {
            if let Some(z) = concrete(x, y) {
                prop_assert!(result.contains(z), "{a:?} {b:?} {result:?}: {x} {y} {z}");
            }
        }
    }
    Ok(())
}

/// A test of a binary operation.
macro_rules! binary {
    ($($name:ident: $operation:expr, $concrete:expr;)*) => {
        proptest! {
            #![proptest_config(config())]
            $(#[test]
            fn $name(a in numbers(), b in numbers()) {
                holds((a, b), $operation(a, b), $concrete)?;
            })*
        }
    };
}

/// A number that may be outside the limits, but is no overflow of the tests' own arithmetic.
fn shifted_left(x: i128, y: i128) -> Option<i128> {
    (0..=127).contains(&y).then_some(())?;
    if x == 0 { Some(0) } else { x.checked_mul(1_i128.checked_shl(y as u32).filter(|p| *p > 0)?) }
}

binary! {
    adds: Number::add, |x, y| Some(x + y);
    subtracts: Number::sub, |x, y| Some(x - y);
    multiplies: Number::mul, |x: i128, y| x.checked_mul(y);
    divides: Number::div, |x: i128, y| x.checked_div(y);
    takes_remainders: Number::rem, |x: i128, y| x.checked_rem(y);
    shifts_left: Number::shl, shifted_left;
    shifts_right: Number::shr, |x, y| (0..=127).contains(&y).then(|| x >> y);
    conjoins_bits: Number::and, |x, y| Some(x & y);
    disjoins_bits: Number::or, |x, y| Some(x | y);
    disjoins_bits_exclusively: Number::xor, |x, y| Some(x ^ y);
    negates: |a: Number, _| a.negate(), |x: i128, _| Some(-x);
    complements: |a: Number, _| a.not(), |x: i128, _| Some(!x);
    joins_left: |a: Number, b| Some(a.join(b)), |x, _| Some(x);
    joins_right: |a: Number, b| Some(a.join(b)), |_, y| Some(y);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn masks(a in numbers(), low in 0..70_u32, ones in 0..30_u32, up in any::<bool>()) {
        let mask = if up { -1 << low } else { ((1_i128 << ones) - 1) << low };
        holds((a, Number::constant(mask)), a.and(Number::constant(mask)), |x, y| Some(x & y))?;
        holds((a, Number::constant(mask)), Number::constant(mask).or(a), |x, y| Some(x | y))?;
    }

    #[test]
    fn shifts_by_few(a in numbers(), first in 0..70_i128, more in 0..5_i128) {
        let amount = Number::range(first, first + more).unwrap();
        holds((a, amount), a.shl(amount), shifted_left)?;
        holds((a, amount), a.shr(amount), |x, y| Some(x >> y))?;
    }

    #[test]
    fn wraps(a in numbers(), width in prop_oneof![Just(8_u32), Just(32), Just(64), 1..100_u32], signed: bool) {
        let least = if signed { -(1 << (width - 1)) } else { 0 };
        let result = a.wrap(width, signed);
        holds((a, a), Some(result), |x, _| Some((x - least).rem_euclid(1 << width) + least))?;
        prop_assert!(least <= result.lo && result.hi < least + (1 << width), "{a:?} {result:?}");
        prop_assert_eq!(result.wrap(width, signed), result);
    }

    #[test]
    fn meets(a in numbers(), b in numbers()) {
        let both: Vec<i128> = members(a).into_iter().filter(|n| b.contains(*n)).collect();
        let met = a.meet(b);
        prop_assert!(both.is_empty() || met.is_some(), "{a:?} {b:?}");
        if let Some(met) = met {
            prop_assert!(is_well_formed(met) && both.iter().all(|n| met.contains(*n)), "{a:?} {b:?} {met:?}");
            prop_assert!(met.is_within(a) || met.is_within(b), "{a:?} {b:?} {met:?}");
            if a.step.max(b.step) < 1 << 60 {
                prop_assert!(met.is_within(a) && met.is_within(b), "{a:?} {b:?} {met:?}");
            }
        }
    }

    #[test]
    fn orders_sets(a in numbers(), b in numbers()) {
        let within = members(a).into_iter().all(|n| b.contains(n));
        prop_assert!(!a.is_within(b) || within, "{a:?} {b:?}");
        prop_assert!(!within || a.count() > 12 || a.is_within(b), "{a:?} {b:?}");
        prop_assert!(a.is_within(a.join(b)) && b.is_within(a.join(b)), "{a:?} {b:?}");
        prop_assert_eq!(a.meet(a.join(b)), Some(a));
    }

    #[test]
    fn clamps(a in numbers(), lo: Option<i8>, hi: Option<i8>, far in any::<bool>()) {
        let (lo, hi) = (lo.map(i128::from), hi.map(i128::from));
        let lo = if far { lo.map(|lo| if lo < 0 { i128::MIN - lo } else { a.lo + lo }) } else { lo };
        let clamped = a.clamp(lo, hi);
        let stays = |n: i128| lo.is_none_or(|lo| lo <= n) && hi.is_none_or(|hi| n <= hi);
        for n in members(a) {
            prop_assert_eq!(clamped.is_some_and(|c| c.contains(n)), stays(n), "{:?} {:?}", a, clamped);
        }
        prop_assert!(clamped.is_none_or(|c| is_well_formed(c) && c.is_within(a)), "{a:?} {clamped:?}");
    }

    #[test]
    fn leaves_out(a in numbers(), which in 0..3_usize) {
        let n = [a.lo, a.hi, a.lo + a.step as i128][which];
        let rest = a.without(n);
        prop_assert!(rest.is_none_or(is_well_formed), "{a:?} {n} {rest:?}");
        for m in members(a) {
            let gone = m == n && (n == a.lo || n == a.hi);
            prop_assert_eq!(rest.is_some_and(|r| r.contains(m)), !gone, "{:?} {} {:?}", a, n, rest);
        }
    }

    #[test]
    fn widens(chain in prop::collection::vec(numbers(), 1..60), mut thresholds: Vec<i64>) {
        thresholds.truncate(3);
        thresholds.sort_unstable();
        let mut thresholds: Vec<i128> = thresholds.into_iter().map(i128::from).collect();
        thresholds.extend([1 << 70, i128::MAX]);
        let (mut set, mut changes) = (chain[0], 0);
        for newer in chain {
            let wider = set.widen(newer, &thresholds);
            prop_assert!(is_well_formed(wider), "{wider:?}");
            prop_assert!(set.is_within(wider) && newer.is_within(wider), "{set:?} {newer:?} {wider:?}");
            prop_assert!(set.step == 0 || set.step.is_multiple_of(wider.step), "{set:?} {newer:?} {wider:?}");
            changes += usize::from(wider != set);
            set = wider;
        }
        // The step is halved at least at each change of it, and each bound passes the thresholds.
        prop_assert!(changes <= 102 + 2 * (thresholds.len() + 1), "{changes}");
    }

    #[test]
    fn compares(a in numbers(), b in numbers()) {
        for x in members(a) {
            for y in members(b) {
                prop_assert!(a.less(b).is_none_or(|less| less == (x < y)), "{a:?} {b:?}");
                prop_assert!(a.less_equal(b).is_none_or(|less| less == (x <= y)), "{a:?} {b:?}");
                prop_assert!(a.equal(b).is_none_or(|equal| equal == (x == y)), "{a:?} {b:?}");
            }
        }
    }
}

/// A strided interval of the tests below.
fn set(lo: i128, hi: i128, step: u128) -> Number {
    Number::strided(lo, hi, step).unwrap()
}

#[test]
fn is_precise() {
    let some = Number::constant;
    assert_eq!((set(0, 11, 4).hi(), set(0, 11, 4).count(), set(3, 5, 7)), (8, 3, some(3)));
    assert_eq!(set(0, 40, 4).meet(set(2, 38, 6)), Some(set(8, 32, 12)));
    assert_eq!(set(0, 40, 4).meet(set(5, 9, 1)), Some(some(8)));
    assert_eq!(set(0, 40, 4).meet(set(1, 41, 2)), None);
    assert_eq!(set(0, 40, 4).mul(set(-1, 1, 2)), Some(set(-40, 40, 4)));
    assert_eq!(set(0, 40, 8).div(some(4)), Some(set(0, 10, 2)));
    assert_eq!(set(-7, 9, 1).div(set(0, 2, 1)), Some(set(-7, 9, 1)));
    assert_eq!(set(-7, 9, 1).div(some(0)), None);
    assert_eq!(set(-7, 90, 1).rem(set(-10, 5, 1)), Some(set(-7, 9, 1)));
    assert_eq!(set(1, 91, 6).rem(some(4)), Some(set(1, 3, 2)));
    assert_eq!(set(0, 300, 4).and(some(0xff)), Some(set(0, 252, 4)));
    assert_eq!(set(-5, 300, 1).and(some(-8)), Some(set(-8, 296, 8)));
    assert_eq!(set(0, 0xffff_ffff, 1).and(some(0xffff_fff8)), Some(set(0, 0xffff_fff8, 8)));
    assert_eq!(set(0, 100, 1).or(some(3)), Some(set(3, 103, 4)));
    assert_eq!(set(0, 9, 1).or(set(4, 5, 1)), Some(set(4, 14, 1)));
    assert_eq!(set(0, 9, 1).xor(set(0, 6, 1)), Some(set(0, 15, 1)));
    assert_eq!(set(-9, 9, 3).xor(some(-1)), Some(set(-10, 8, 3)));
    assert_eq!(set(0, 9, 1).shl(set(1, 3, 1)), Some(set(0, 72, 2)));
    assert_eq!(set(-9, 9, 1).shr(some(1)), Some(set(-5, 4, 1)));
    assert_eq!(set(250, 270, 4).wrap(8, false), set(2, 254, 4));
    assert_eq!(set(256, 270, 7).wrap(8, false), set(0, 14, 7));
    assert_eq!(set(0, 4, 4).widen(set(0, 8, 4), &[-1, 5, 10]), set(0, 8, 4));
    assert_eq!(set(0, 4, 4).widen(set(-2, 12, 2), &[-3, 5, 10]), set(-2, LIMIT, 2));
    assert_eq!(some(LIMIT).add(some(1)), None);
    assert_eq!((set(0, 8, 4).equal(set(1, 9, 4)), set(0, 8, 4).less(set(8, 9, 1))), (Some(false), None));
}
