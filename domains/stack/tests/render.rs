//! Tests the printed facts of stacks.

use apron_sys::Library;
use smalti_core::{
    ArrayId, Cell, Constraint, FieldId, Lattice, LinearExpr, Memory, MemoryDomain, Thresholds, Var, chains_given,
};

/// The invariant of `for (i = 0; i < n; i++) a[i] = i;` with `1 <= n <= 100`, the array of `n`
/// cells zero at first.
fn loop_invariant(stack: &str) -> String {
    let [i, n, length] = [0, 1, 2].map(Var::scalar);
    let (a, field) = (ArrayId(0), FieldId(0));
    let (var, number) = (LinearExpr::var, LinearExpr::constant);
    let mut head = smalti_stack::open(stack).unwrap().top();
    head.assume(&Constraint::ge(&var(n), &number(1)).unwrap());
    head.assume(&Constraint::le(&var(n), &number(100)).unwrap());
    head.assign(length, &var(n));
    head.create_array(a, &[field], length);
    head.fill(a, field, &number(0));
    head.assign(i, &number(0));
    loop {
        let mut next = head.clone();
        next.assume(&Constraint::lt(&var(i), &var(n)).unwrap());
        next.write(&Cell { array: a, index: var(i), field }, &var(i));
        next.assign(i, &var(i).add_constant(1).unwrap());
        next.join_with(&head);
        if next.leq(&head) {
            break;
        }
        head = Lattice::widen(&head, &next, &Thresholds::new([0, 1, 100]));
    }
    let facts = head.facts();
    let name = |v: &Var| match *v {
        v if v == i => "i",
        v if v == n => "n",
        v if v == length => "length(a)",
        _ => "a[k]",
    };
    let text = |given: &[Constraint], constraints: &[Constraint]| {
        let chains = chains_given(given, constraints).expect("no contradiction");
        chains.iter().map(|chain| chain.map(name).to_string()).collect::<Vec<_>>().join("; ")
    };
    format!("{} | {}", text(&[], &facts.scalars), text(&facts.scalars, &facts.arrays[0].groups[0].constraints))
}

#[test]
fn intervals_of_a_loop_are_chains() {
    assert_eq!(loop_invariant("smash/box"), "0 <= i <= 100; 1 <= n <= 100; 1 <= length(a) <= 100 | 0 <= a[k] <= 100");
}

#[test]
fn octagons_of_a_loop_are_chains() {
    if Library::for_test().is_some() {
        assert_eq!(
            loop_invariant("smash/apron-octagon"),
            "n == length(a); 0 <= i <= n; 1 <= n <= 100 | 0 <= a[k] <= i; a[k] < n"
        );
    }
}
