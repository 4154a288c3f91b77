use super::*;
use crate::matching::{Class, Profile, Purpose, Term, pair, score};
use crate::state::{Group, number, var};
use apron_sys::Library;
use smalti_apron::{ApronDomain, Kind};
use smalti_box::BoxDomain;
use smalti_core::laws::{self, ExplicitDomain};
use smalti_core::{
    ArrayId, Cell, Constraint, FieldId, Interval, Lattice, LinearExpr, Memory, Numeric, Thresholds, Var,
};

const A: ArrayId = ArrayId(0);
const F: FieldId = FieldId(0);
const LENGTH: Var = Var(100);

fn scalar(n: u32) -> Var {
    Var::scalar(n)
}

fn cell(index: LinearExpr) -> Cell {
    Cell { array: A, index, field: F }
}

/// An array of `length` cells, filled with `value`.
fn array_of<D: NumericDomain>(domain: D, length: i128, value: i128) -> Partition<D::Element, NoRelations> {
    let mut state = PartitionDomain::new(domain).top();
    state.assign(LENGTH, &number(length));
    state.create_array(A, &[F], LENGTH);
    state.fill(A, F, &number(value));
    state
}

fn groups<N: Numeric>(state: &Partition<N, NoRelations>) -> usize {
    state.array(A).map_or(0, |a| a.groups.len())
}

fn value<N: Numeric>(state: &Partition<N, NoRelations>, index: LinearExpr) -> Option<Interval> {
    let mut state = state.clone();
    state.read(scalar(99), &cell(index));
    state.bounds(&var(scalar(99)))
}

fn octagons() -> Option<ApronDomain> {
    Library::for_test().and_then(|_| ApronDomain::new(Kind::Octagon).ok())
}

#[test]
fn the_laws_hold_over_boxes() {
    laws::memory(&PartitionDomain::new(BoxDomain));
}

#[test]
fn the_laws_hold_over_a_relational_domain() {
    laws::memory(&PartitionDomain::new(ExplicitDomain));
}

/// Merges are many, and slow. `scripts/soak --checks` tries four times as many cases of all laws.
#[test]
fn the_laws_hold_with_two_groups() {
    laws::memory_in_part(&PartitionDomain::new(ExplicitDomain).with_max_groups(2), 4);
}

#[test]
fn the_laws_hold_with_one_group() {
    laws::memory_in_part(&PartitionDomain::new(BoxDomain).with_max_groups(1), 4);
}

fn laws_over_apron(kind: Kind, share: u32) {
    if Library::for_test().is_some() {
        laws::memory_in_part(&PartitionDomain::new(ApronDomain::new(kind).unwrap()), share);
    }
}

#[test]
fn the_laws_hold_over_octagons() {
    laws_over_apron(Kind::Octagon, 8);
}

#[test]
fn the_laws_hold_over_polyhedra() {
    laws_over_apron(Kind::Polyhedra, 20);
}

/// Figure 5: an array of seven cells, positive ones and negative ones, wherever they lie: nothing
/// between -99 and 1 is stored.
#[test]
fn liu_rival_example_1() {
    let [r, v] = [scalar(0), scalar(1)];
    let mut positive = array_of(ExplicitDomain, 7, 5);
    // One cell somewhere becomes negative.
    positive.assume(&Constraint::non_negative(var(r)));
    positive.assign(r, &number(3));
    let mut elsewhere = positive.clone();
    elsewhere.assign(r, &number(5));
    positive.join_with(&elsewhere);
    positive.write(&cell(var(r)), &number(-100));
    positive.forget(&[r]);
    assert_eq!(groups(&positive), 2);
    let mut read = positive.clone();
    read.assign(r, &number(4));
    read.read(v, &cell(var(r)));
    assert_eq!(read.bounds(&var(v)), Some(Interval::constant(5)));
    read.read(v, &cell(number(3)));
    assert_eq!(read.bounds(&var(v)), Some(Interval::finite(-100, 5)));
    // Both values are possible, and none between them.
    for (x, possible) in [(-100, true), (5, true), (0, false), (-99, false)] {
        let mut one = positive.clone();
        one.assume_cell(&cell(number(3)), &number(x));
        assert_eq!(!one.is_bottom(), possible, "{x}");
    }
}

/// Figure 6: *split* makes a group of one that inherits what held; *create* an empty group. Neither
/// changes the meaning.
#[test]
fn liu_rival_example_3() {
    let i = scalar(0);
    let mut state = array_of(BoxDomain, 100, 0);
    state.assume(&Constraint::non_negative(var(i)));
    state.assume(&Constraint::le(&var(i), &number(99)).unwrap());
    let mut split = state.clone();
    let found = split.candidates(A, &var(i));
    let slot = split.carve(A, &var(i), found).unwrap();
    assert!(groups(&split) == 2 && split.array(A).unwrap().is_one(slot));
    assert_eq!(value(&split, var(i)), Some(Interval::constant(0)));
    assert_eq!(value(&split, number(7)), Some(Interval::constant(0)));
    let mut created = state.clone();
    created.create(A, 77);
    assert_eq!(groups(&created), 2);
    assert_eq!(created.bounds(&var(i)), state.bounds(&var(i)));
    assert_eq!(value(&created, var(i)), Some(Interval::constant(0)));
    for other in [&split, &created] {
        assert!(other.leq(&state), "{other:?}");
    }
    assert!(state.leq(&created));
}

/// Figure 7: *merge* joins the properties of the groups and adds up their sizes.
#[test]
fn liu_rival_example_4() {
    let mut state = array_of(BoxDomain, 100, 0);
    state.write(&cell(number(10)), &number(1));
    let slots = state.array(A).unwrap().slots();
    state.merge(A, slots[0], slots[1]);
    assert_eq!(groups(&state), 1);
    assert_eq!(value(&state, number(10)), Some(Interval::finite(0, 1)));
    assert_eq!(state.global.bounds(&var(dims::size(A, slots[0]))), Some(Interval::constant(100)));
}

/// Figure 8: the cell at `i` is split off and updated strongly.
#[test]
fn liu_rival_example_6() {
    let i = scalar(0);
    let mut state = array_of(BoxDomain, 100, 0);
    state.assume(&Constraint::non_negative(var(i)));
    state.write(&cell(var(i)), &number(1));
    assert_eq!(groups(&state), 2);
    assert_eq!(value(&state, number(3)), Some(Interval::finite(0, 1)));
    assert_eq!(state.bounds(&var(i)), Some(Interval::finite(0, 99)));
    let Some(domain) = octagons() else { return };
    let mut state = array_of(domain, 100, 0);
    state.write(&cell(var(i)), &number(1));
    assert_eq!(value(&state, var(i)), Some(Interval::constant(1)));
    let mut before = state.clone();
    before.assume(&Constraint::lt(&var(scalar(1)), &var(i)).unwrap());
    assert_eq!(value(&before, var(scalar(1))), Some(Interval::constant(0)));
}

/// Figure 10: the branch that wrote has a group more than the branch that did not: it gets an empty
/// partner.
#[test]
fn liu_rival_example_7() {
    let i = scalar(0);
    let mut state = array_of(BoxDomain, 100, 0);
    state.assume(&Constraint::non_negative(var(i)));
    state.assume(&Constraint::le(&var(i), &number(99)).unwrap());
    let mut written = state.clone();
    written.write(&cell(var(i)), &number(1));
    let mut join = state.clone();
    join.join_with(&written);
    assert!(state.leq(&join) && written.leq(&join) && !join.leq(&state));
    let a = join.array(A).unwrap();
    let sizes: Vec<Interval> = a.slots().iter().filter_map(|s| join.global.bounds(&var(dims::size(A, *s)))).collect();
    assert_eq!(a.groups.len(), 2);
    assert!(sizes.contains(&Interval::finite(0, 1)) && sizes.contains(&Interval::finite(99, 100)), "{sizes:?}");
    assert_eq!(value(&join, number(3)), Some(Interval::finite(0, 1)));
}

fn profile(slot: Slot, size: Interval, index: Interval, field: Interval) -> Profile {
    let terms = vec![(Term::Size, size), (Term::Index(None), index), (Term::Field(0, None), field)];
    Profile { slot, terms, points: Vec::new() }
}

/// Figure 9: two states that are the same up to the names of groups. Names that agree by accident
/// are no reason to join a group of zeros with one of ones; here the names differ, and the match is
/// by properties.
#[test]
fn liu_rival_figure_9() {
    let (all, few) = (Interval::finite(0, 99), Interval::finite(1, 1));
    let left = [
        profile(10, few, all, Interval::constant(1)),
        profile(11, Interval::finite(99, 99), all, Interval::constant(0)),
    ];
    let right = [
        profile(20, Interval::finite(99, 99), all, Interval::constant(0)),
        profile(21, few, all, Interval::constant(1)),
    ];
    assert!(score(&left[0], &right[1]) > score(&left[0], &right[0]));
    assert!(score(&left[1], &right[0]) > score(&left[1], &right[1]));
    let class = |l: Slot, r: Slot| Class { left: vec![l], right: vec![r] };
    for purpose in [Purpose::Join(12), Purpose::Widening] {
        assert_eq!(pair(&left, &right, purpose), [class(10, 21), class(11, 20)], "{purpose:?}");
    }
}

#[test]
fn widening_never_has_more_groups_than_the_previous_iterate() {
    let prev = array_of(BoxDomain, 100, 0);
    let mut next = prev.clone();
    for n in [3, 50, 70] {
        next.write(&cell(number(n)), &number(n));
    }
    let mut next = {
        let mut joined = prev.clone();
        joined.join_with(&next);
        joined
    };
    assert!(groups(&next) > 1);
    let widened = Partition::widen(&prev, &next, &Thresholds::new([0, 100]));
    assert_eq!(groups(&widened), 1);
    assert!(next.leq(&widened));
    next.join_with(&widened);
    assert!(next.leq(&widened), "{next:?}");
}

/// U2: reading one cell says nothing of whether other groups have cells.
#[test]
fn u2_a_read_does_not_fill_the_other_groups() {
    let [i, x] = [scalar(0), scalar(1)];
    let mut state = array_of(BoxDomain, 4, 0);
    let mut written = state.clone();
    written.assign(x, &number(1));
    written.write(&cell(number(2)), &number(9));
    state.assign(x, &number(0));
    state.join_with(&written);
    // The group of the 9 may be empty: it has a cell only where x is 1.
    state.assign(i, &number(0));
    state.read(scalar(5), &cell(var(i)));
    assert_eq!(state.bounds(&var(x)), Some(Interval::finite(0, 1)));
    let mut kept = state.clone();
    kept.assume(&Constraint::eq(&var(x), &number(0)).unwrap());
    assert!(!kept.is_bottom() && !kept.facts().unreachable);
    // And where its cell is read, it has one.
    state.assume_cell(&cell(number(2)), &number(9));
    assert!(!state.is_bottom());
}

/// U5: the content of an empty group constrains nothing else.
#[test]
fn u5_an_empty_group_constrains_no_scalar() {
    let x = scalar(0);
    let mut state = array_of(ExplicitDomain, 2, 0);
    state.assign(x, &number(3));
    let mut more = state.clone();
    more.assign(x, &number(4));
    state.join_with(&more);
    state.create(A, 77);
    state.reduce();
    assert_eq!(state.bounds(&var(x)), Some(Interval::finite(3, 4)));
    // No cells at all: filling and weakening an array without cells loses nothing.
    let mut empty = array_of(ExplicitDomain, 0, 1);
    empty.fill(A, F, &number(2));
    empty.weaken(A, F, Interval::constant(3));
    assert!(!empty.is_bottom() && !empty.facts().unreachable);
}

/// U6: what the content of a group says of scalars holds once the group is known to have a cell,
/// not before.
#[test]
fn u6_scalars_of_a_content_hold_only_if_the_group_has_a_cell() {
    let x = scalar(0);
    let mut without = array_of(ExplicitDomain, 3, 0);
    let mut with = without.clone();
    without.assign(x, &number(0));
    with.assign(x, &number(1));
    with.write(&cell(var(x)), &number(7));
    without.join_with(&with);
    let mut state = without;
    assert!(state.array(A).unwrap().groups.values().any(|g| matches!(g, Group::Many(_))));
    state.reduce();
    assert_eq!(state.bounds(&var(x)), Some(Interval::finite(0, 1)));
    let mut tested = state.clone();
    tested.assume_cell(&cell(number(1)), &number(7));
    assert_eq!(tested.bounds(&var(x)), Some(Interval::constant(1)));
    state.assume(&Constraint::eq(&var(x), &number(0)).unwrap());
    assert_eq!(value(&state, number(1)), Some(Interval::constant(0)));
}

/// U7: a test of one cell that contradicts a group's content says that the cell is not in the
/// group, not that no state is left.
#[test]
fn u7_a_contradiction_with_a_group_empties_the_group_only() {
    let mut state = array_of(BoxDomain, 3, 0);
    let mut written = state.clone();
    written.write(&cell(number(1)), &number(7));
    state.join_with(&written);
    state.assume_cell(&cell(number(1)), &number(0));
    assert!(!state.is_bottom());
    assert_eq!(value(&state, number(1)), Some(Interval::constant(0)));
    assert_eq!(value(&state, number(2)), Some(Interval::constant(0)));
}

#[test]
fn a_group_that_fills_its_range_has_every_cell_of_it() {
    let mut state = array_of(BoxDomain, 100, 0);
    for n in [3, 4] {
        state.write(&cell(number(n)), &number(1));
    }
    let ones: Vec<Slot> = {
        let a = state.array(A).unwrap();
        a.slots().into_iter().filter(|s| a.is_one(*s)).collect()
    };
    state.merge(A, ones[0], ones[1]);
    assert_eq!(value(&state, number(4)), Some(Interval::constant(1)));
    assert_eq!(value(&state, number(5)), Some(Interval::finite(0, 0)));
}

#[test]
fn three_hundred_stores_make_no_more_groups_than_allowed() {
    let mut state = array_of(BoxDomain, 1000, 0);
    for n in 0..300 {
        state.write(&cell(number(n * 7 % 1000)), &number(n % 5));
        assert!(groups(&state) <= MAX_GROUPS);
        assert_eq!(value(&state, number(n * 7 % 1000)), Some(Interval::constant(n % 5)));
    }
}

#[test]
fn a_forgotten_scalar_leaves_what_followed_from_it() {
    let Some(domain) = octagons() else { return };
    let [i, n, k] = [scalar(0), scalar(1), scalar(2)];
    let mut state = PartitionDomain::new(domain).top();
    state.assume(&Constraint::ge(&var(n), &number(5)).unwrap());
    state.assign(LENGTH, &var(n));
    state.create_array(A, &[F], LENGTH);
    state.fill(A, F, &number(0));
    state.assign(i, &var(n).add_constant(-1).unwrap());
    state.write(&cell(var(i)), &number(1));
    state.forget(&[i]);
    state.assume(&Constraint::non_negative(var(k)));
    state.assume(&Constraint::lt(&var(k), &var(n).add_constant(-1).unwrap()).unwrap());
    assert_eq!(value(&state, var(k)), Some(Interval::constant(0)));
    assert_eq!(value(&state, var(n).add_constant(-1).unwrap()), Some(Interval::constant(1)));
}
