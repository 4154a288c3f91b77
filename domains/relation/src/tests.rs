use crate::{Memberships, over};
use smalti_box::BoxDomain;
use smalti_core::laws::{self, ExplicitDomain};
use smalti_core::{
    ArrayId, Cell, CellClaim, CellsFact, Constraint, FieldId, Interval, Lattice, LinearExpr, Memory, MemoryDomain,
    Thresholds, Var,
};
use smalti_octagon::OctagonDomain;

#[test]
fn the_laws_hold_over_boxes() {
    laws::memory(&over(BoxDomain));
}

#[test]
fn the_laws_hold_over_a_relational_domain() {
    laws::memory(&over(ExplicitDomain));
}

/// Merges are many, and slow. `scripts/soak --checks` tries four times as many cases of all laws.
#[test]
fn the_laws_hold_with_two_groups() {
    laws::memory_in_part(&over(ExplicitDomain).with_max_groups(2), 4);
}

#[test]
fn the_laws_hold_with_one_group() {
    laws::memory_in_part(&over(BoxDomain).with_max_groups(1), 4);
}

#[test]
fn the_laws_hold_over_octagons() {
    laws::memory_in_part(&over(OctagonDomain), 2);
}

const A: ArrayId = ArrayId(0);
/// As in Minix: 0 where the slot is free.
const FLAG: FieldId = FieldId(0);
/// The index of another slot.
const PARENT: FieldId = FieldId(1);
const LENGTH: Var = Var(100);

fn scalar(n: u32) -> Var {
    Var::scalar(n)
}

fn var(v: Var) -> LinearExpr {
    LinearExpr::var(v)
}

fn number(c: i128) -> LinearExpr {
    LinearExpr::constant(c)
}

fn field(index: &LinearExpr, field: FieldId) -> Cell {
    Cell { array: A, index: index.clone(), field }
}

type Table = smalti_partition::Partition<<OctagonDomain as smalti_core::NumericDomain>::Element, Memberships>;

/// A table of 24 slots: `init`, at 2, is in use and its own parent; some others are in use, with a
/// parent in use; the rest is free. That is what a loop makes that takes slots as it likes.
fn table() -> Table {
    let [i, p, flag] = [0, 1, 2].map(scalar);
    let mut state = over(OctagonDomain).top();
    state.assign(LENGTH, &number(24));
    state.create_array(A, &[FLAG, PARENT], LENGTH);
    state.fill(A, FLAG, &number(0));
    state.fill(A, PARENT, &number(0));
    state.write(&field(&number(2), FLAG), &number(1));
    state.write(&field(&number(2), PARENT), &number(2));
    for round in 0..6 {
        let mut taken = state.clone();
        taken.forget(&[i, p]);
        // A parent that is in use, a slot that is free.
        for (v, low) in [(p, 1), (i, 0)] {
            taken.assume(&Constraint::non_negative(var(v)));
            taken.assume(&Constraint::lt(&var(v), &var(LENGTH)).unwrap());
            taken.read(flag, &field(&var(v), FLAG));
            taken.assume(&Constraint::ge(&var(flag), &number(low)).unwrap());
            taken.assume(&Constraint::le(&var(flag), &number(63 * low)).unwrap());
            taken.assume_cell(&field(&var(v), FLAG), &var(flag));
        }
        taken.forget(&[flag]);
        taken.assume(&Constraint::ge(&var(flag), &number(1)).unwrap());
        taken.assume(&Constraint::le(&var(flag), &number(63)).unwrap());
        taken.write(&field(&var(i), FLAG), &var(flag));
        taken.write(&field(&var(i), PARENT), &var(p));
        taken.forget(&[i, p, flag]);
        taken.join_with(&state);
        state = if round > 1 { Table::widen(&state, &taken, &Thresholds::new([0, 1, 23, 24, 63])) } else { taken };
    }
    state
}

/// The flag of the slot at `v`.
fn flag_of(state: &Table, v: Var) -> Interval {
    let mut state = state.clone();
    let t = scalar(99);
    state.read(t, &field(&var(v), FLAG));
    state.bounds(&var(t)).unwrap()
}

/// `0 <= v < 24`, and the flag of the slot at `v` is positive.
fn in_use(state: &mut Table, v: Var) {
    let t = scalar(98);
    state.assume(&Constraint::non_negative(var(v)));
    state.assume(&Constraint::lt(&var(v), &var(LENGTH)).unwrap());
    state.read(t, &field(&var(v), FLAG));
    state.assume(&Constraint::ge(&var(t), &number(1)).unwrap());
    state.assume_cell(&field(&var(v), FLAG), &var(t));
    state.forget(&[t]);
}

/// `parent = mproc[child].mp_parent`, where `child` is in use: so is `parent`, and it is in range.
#[test]
fn liu_rival_example_2() {
    let [child, parent] = [10, 11].map(scalar);
    let mut state = table();
    in_use(&mut state, child);
    state.read(parent, &field(&var(child), PARENT));
    assert!(flag_of(&state, parent).lo() >= Some(1), "{:?}", state.facts());
    assert!(state.entails(&Constraint::lt(&var(parent), &number(24)).unwrap()));
    // And so on, as far as one likes.
    state.read(parent, &field(&var(parent), PARENT));
    assert!(flag_of(&state, parent).lo() >= Some(1));
    // Nothing is known of the parent of a slot that may be free.
    let mut any = table();
    any.assume(&Constraint::non_negative(var(child)));
    any.assume(&Constraint::lt(&var(child), &var(LENGTH)).unwrap());
    any.read(parent, &field(&var(child), PARENT));
    any.assume(&Constraint::non_negative(var(parent)));
    any.assume(&Constraint::lt(&var(parent), &var(LENGTH)).unwrap());
    assert!(flag_of(&any, parent).contains(0));
}

/// `if (mproc[i].mp_flags > 0)`: only a slot in use passes the test, and `i` points into that group
/// from then on.
#[test]
fn liu_rival_example_5() {
    let i = scalar(10);
    let mut state = table();
    in_use(&mut state, i);
    assert!(flag_of(&state, i).lo() >= Some(1));
    let facts = state.facts();
    let (_, membership) = facts.memberships.iter().find(|(v, _)| *v == i).expect("i points into groups");
    for place in &membership.groups {
        let group = &facts.arrays[0].groups[*place];
        let (_, flag) = group.fields.iter().find(|f| f.0 == FLAG).unwrap();
        let positive = |c: &Constraint| c.expr.mentions(*flag) && c.holds(|_| 0) == Some(false);
        assert!(group.constraints.iter().any(positive), "{group:?}");
    }
}

/// A write through any index takes a cell out of the group of one that may be it, which then has
/// one cell or none: the cell with that number is in one of the two all the same, and in no other
/// group.
#[test]
fn a_cell_that_was_known_by_its_number_is_in_the_group_that_it_was_in_or_was_taken_out_of_it() {
    let [i, p, t] = [10, 11, 12].map(scalar);
    let mut state = over(OctagonDomain).top();
    state.assign(LENGTH, &number(24));
    state.create_array(A, &[FLAG, PARENT], LENGTH);
    state.fill(A, FLAG, &number(0));
    state.write(&field(&number(2), FLAG), &number(1));
    state.assume(&Constraint::non_negative(var(i)));
    state.assume(&Constraint::lt(&var(i), &var(LENGTH)).unwrap());
    state.write(&field(&var(i), PARENT), &number(5));
    for (at, groups) in [(2, 2), (7, 2)] {
        let mut state = state.clone();
        state.assign(p, &number(at));
        state.read(t, &field(&var(p), FLAG));
        let facts = state.facts();
        assert_eq!(facts.arrays[0].groups.len(), 3, "{facts:?}");
        let (_, membership) = facts.memberships.iter().find(|(v, _)| *v == p).expect("p points into groups");
        assert_eq!(membership.groups.len(), groups, "{at}: {facts:?}");
    }
}

/// U3: what is stored over a link points where the new value does.
#[test]
fn u3_a_store_forgets_where_the_old_value_pointed() {
    let [child, parent] = [10, 11].map(scalar);
    let mut state = table();
    in_use(&mut state, child);
    state.forget(&[parent]);
    state.assume(&Constraint::non_negative(var(parent)));
    state.assume(&Constraint::lt(&var(parent), &var(LENGTH)).unwrap());
    state.write(&field(&var(child), PARENT), &var(parent));
    state.read(parent, &field(&var(child), PARENT));
    assert!(flag_of(&state, parent).contains(0));
}

/// U4: that all parents are in use does not follow from nothing.
#[test]
fn u4_a_predicate_that_the_left_lacks_makes_inclusion_false() {
    let [child, parent] = [10, 11].map(scalar);
    let good = table();
    let mut bad = good.clone();
    in_use(&mut bad, child);
    bad.forget(&[parent]);
    bad.assume(&Constraint::non_negative(var(parent)));
    bad.assume(&Constraint::lt(&var(parent), &var(LENGTH)).unwrap());
    bad.write(&field(&var(child), PARENT), &var(parent));
    bad.forget(&[child, parent]);
    assert!(!bad.leq(&good));
    let mut joined = bad.clone();
    joined.join_with(&good);
    assert!(good.leq(&joined) && bad.leq(&joined) && !joined.leq(&good));
}

/// A quantified fact divides a group: what pointed into it points into either part.
#[test]
fn a_division_of_a_group_keeps_what_pointed_into_it() {
    let [i, t] = [10, 11].map(scalar);
    let mut state = over(OctagonDomain).top();
    state.assign(LENGTH, &number(24));
    state.create_array(A, &[FLAG, PARENT], LENGTH);
    state.assume(&Constraint::non_negative(var(i)));
    state.assume(&Constraint::lt(&var(i), &var(LENGTH)).unwrap());
    // `i` points into the one group that there is.
    state.read(t, &field(&var(i), FLAG));
    let [index, flag] = [20, 21].map(scalar);
    let positive = Constraint::ge(&var(flag), &number(1)).unwrap();
    let body = CellClaim::Holds(Constraint::le(&var(flag), &number(63)).unwrap());
    let guards = vec![positive];
    state.assume_cells(&CellsFact { array: A, index, fields: vec![(FLAG, flag)], guards, body: vec![body] });
    // It may be in use, and it may be free.
    for (low, value) in [(1, 5), (0, 0)] {
        let mut here = state.clone();
        here.assume_cell(&field(&var(i), FLAG), &number(value));
        assert!(!here.is_bottom(), "{low}: {:?}", state.facts());
    }
}
