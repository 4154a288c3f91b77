//! Random sets of offsets against the operations on their members.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn config() -> ProptestConfig {
    ProptestConfig::with_cases(if cfg!(debug_assertions) { 2_000 } else { 30_000 })
}

/// Few tables, so that two sets often have the same one.
fn tables() -> impl Strategy<Value = Table> {
    let table = (0..3_u32, 1..9_u32, 1..5_u32).prop_map(|(start, size, length)| Table { start, size, length });
    prop_oneof![Just(Table::NONE), Just(Table { start: 2, size: 8, length: 4 }), table]
}

fn numbers(near: std::ops::Range<i128>) -> impl Strategy<Value = Number> {
    (near, 1..5_i128, 0..4_i128)
        .prop_map(|(lo, step, more)| Number::strided(lo, lo + more * step, step as u128).expect("some"))
}

fn offsets() -> impl Strategy<Value = Offsets> {
    let flat = (numbers(-20..40), tables()).prop_map(|(n, table)| Offsets::flat(n, table));
    let split = (tables(), -3..6_i128, 0..4_i128, numbers(0..6)).prop_map(|(table, first, more, places)| {
        let size = i128::from(table.size);
        let starts = Number::strided(
            i128::from(table.start) + first * size,
            i128::from(table.start) + (first + more) * size,
            size.unsigned_abs(),
        );
        match starts {
            Some(starts) if size > 0 && table.has_places(places) => {
                Offsets::of((starts, places), table).expect("small")
            }
            _ => Offsets::flat(places, table),
        }
    });
    prop_oneof![1 => flat, 2 => split]
}

fn members(offsets: Offsets) -> BTreeSet<i128> {
    offsets.each().collect()
}

/// Whether blocks at two places have bytes in common.
fn overlap(a: i128, size: i64, b: i128, length: i64) -> bool {
    a < b + i128::from(length) && b < a + i128::from(size)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_read_of_a_set_is_so(a in offsets(), n in -40..80_i128, size in 1..9_u32) {
        let all = members(a);
        prop_assert_eq!(a.count(), all.len() as u128);
        prop_assert_eq!(a.contains(n), all.contains(&n), "{:?} {}", a, n);
        prop_assert_eq!((Some(a.lo()), Some(a.hi())), (all.first().copied(), all.last().copied()));
        prop_assert_eq!(a.as_constant(), if all.len() == 1 { all.first().copied() } else { None });
        prop_assert!(all.iter().all(|x| a.hull().contains(*x)));
        let touched = all.iter().any(|x| overlap(*x, size.into(), n, 3));
        prop_assert_eq!(a.touch(size, n as i64, 3), touched);
        let apart = all.iter().all(|x| all.iter().all(|y| x == y || !overlap(*x, size.into(), *y, size.into())));
        prop_assert!(!a.are_apart(size) || apart, "{:?} {}", a, size);
    }

    #[test]
    fn joins_hold_both_and_meets_what_is_common(a in offsets(), b in offsets(), thresholds in Just([-10, 0, 7, 30])) {
        let (x, y) = (members(a), members(b));
        let joined = a.join(b);
        prop_assert!(x.union(&y).all(|n| joined.contains(*n)), "{:?} {:?} {:?}", a, b, joined);
        let widened = a.widen(b, &thresholds);
        prop_assert!(x.union(&y).all(|n| widened.contains(*n)), "{:?} {:?} {:?}", a, b, widened);
        match a.meet(b) {
            Some(both) => prop_assert!(x.intersection(&y).all(|n| both.contains(*n)), "{:?} {:?} {:?}", a, b, both),
            None => prop_assert!(x.is_disjoint(&y), "{:?} {:?}", a, b),
        }
        prop_assert!(!a.is_within(b) || x.is_subset(&y), "{:?} {:?}", a, b);
        prop_assert!(a.is_within(a), "{:?}", a);
        match a.equal(b) {
            Some(true) => prop_assert!(x == y && x.len() == 1),
            Some(false) => prop_assert!(x.is_disjoint(&y)),
            None => {}
        }
    }

    #[test]
    fn sums_and_bounds_lose_nothing(a in offsets(), by in numbers(-20..20), lo in -20..40_i128, hi in -20..60_i128) {
        let all = members(a);
        let sums = a.add(by).expect("small");
        prop_assert!(all.iter().all(|x| by.each().all(|y| sums.contains(x + y))), "{:?} {:?} {:?}", a, by, sums);
        let inside: Vec<i128> = all.iter().copied().filter(|x| (lo..=hi).contains(x)).collect();
        match a.clamp(Some(lo), Some(hi)) {
            Some(clamped) => prop_assert!(inside.iter().all(|x| clamped.contains(*x)), "{:?} {:?}", a, clamped),
            None => prop_assert!(inside.is_empty(), "{:?} {} {}", a, lo, hi),
        }
        match a.without(lo) {
            Some(left) => prop_assert!(all.iter().all(|x| *x == lo || left.contains(*x))),
            None => prop_assert!(all.iter().all(|x| *x == lo)),
        }
        let tabled = a.in_table(4, 3);
        prop_assert_eq!(members(tabled), all);
    }

    #[test]
    fn blocks_that_overlap_may(a in offsets(), b in offsets(), size in 1..9_i64, length in 1..9_i64) {
        let overlaps = members(a).iter().any(|x| members(b).iter().any(|y| overlap(*x, size, *y, length)));
        prop_assert!(!overlaps || a.may_overlap(size, b, length), "{:?} {} {:?} {}", a, size, b, length);
    }

    #[test]
    fn chains_of_widenings_end(first in offsets(), more in proptest::collection::vec(offsets(), 40)) {
        let mut all = first;
        let mut moves = 0;
        for next in more.into_iter().cycle().take(400) {
            let wide = all.widen(next, &[-10, 0, 7, 30]);
            moves += u32::from(members_near(wide) != members_near(all));
            all = wide;
        }
        prop_assert!(moves < 60, "{moves} steps");
    }
}

/// The members in a range that holds all that the tests make.
fn members_near(a: Offsets) -> Vec<i128> {
    (-200..400).filter(|n| a.contains(*n)).collect()
}

/// `&table[i].block[j]`: the places of other members are not among them.
#[test]
fn an_index_in_each_element_keeps_to_its_member() {
    let range = |lo, hi, step| Number::strided(lo, hi, step).expect("some");
    let blocks = Offsets::constant(16).in_table(24, 4).add(range(0, 72, 24)).expect("small");
    let places = blocks.add(Number::constant(4)).and_then(|p| p.add(range(0, 3, 1))).expect("small");
    let expected: Vec<i128> = (0..4).flat_map(|i| (0..4).map(move |j| 16 + 24 * i + 4 + j)).collect();
    assert_eq!(places.each().collect::<Vec<_>>(), expected);
    // Two pointers into different elements make the same places.
    let one =
        |i: i128, j: i128| Offsets::constant(16).in_table(24, 4).add(Number::constant(24 * i + 4 + j)).expect("small");
    let joined = [one(3, 3), one(0, 3), one(3, 0)].into_iter().fold(one(0, 0), Offsets::join);
    assert!(joined.is_within(places) && joined.count() == 4, "{joined:?}");
}
