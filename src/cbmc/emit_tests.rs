//! The text that CBMC gets, and CBMC's answers to it.

use super::emit::{Emitted, emit};
use super::options::{EmitOptions, Purpose, Sizes, Undefined};
use super::testing::{AT, Build, LONG, ask, int, op, reads_an_array, uses_a_block};
use super::*;
use crate::program::*;
use std::collections::BTreeSet;

fn emitted(program: &Program, kinds: &[ObligationKind], sizes: Sizes) -> Emitted {
    let asked = obligations(program, kinds);
    let (purpose, undefined) = (Purpose::Decide, Undefined::Ends);
    emit(
        program,
        &EmitOptions { obligations: &asked, known: &BTreeSet::new(), purpose, undefined, sizes, log_heap: true },
    )
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../../snapshots/cbmc", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

fn fails(answer: &Answer, name: &str) -> bool {
    matches!(answer.properties[name], PropertyAnswer::Fails(_))
}

#[test]
fn the_exact_program_assumes_each_check_just_before_its_operation() {
    let program = reads_an_array();
    let text = emitted(&program, &[ObligationKind::Assertion], Sizes::AtMost(3));
    snapshot("reads_an_array", &text.source);
    if let Some(answer) = ask(&text, 5) {
        assert!(fails(&answer, "main.assertion.1"));
    }
}

#[test]
fn obligations_of_all_kinds_can_be_asked_about() {
    use ObligationKind::{Assertion, Bounds, Division, Overflow};
    let program = reads_an_array();
    let text = emitted(&program, &[Assertion, Bounds, Overflow, Division], Sizes::AtMost(3));
    snapshot("reads_an_array_all_checks", &text.source);
    let Some(answer) = ask(&text, 5) else { return };
    assert!(answer.complete && answer.surprises.is_empty());
    // Only the length can be wrong: if it is right, the rest follows.
    let failing: Vec<&String> = text.properties.keys().filter(|name| fails(&answer, name)).collect();
    assert_eq!(failing, ["main.assertion.1", "main.bounds.1"]);
}

#[test]
fn all_sizes_are_all_that_fit_into_addresses() {
    let text = emitted(&reads_an_array(), &[ObligationKind::Assertion], Sizes::Any);
    assert!(text.properties.contains_key(CAPACITY) && text.obstacles.is_empty());
    let Some(answer) = ask(&text, 3) else { return };
    assert_eq!(answer.properties[CAPACITY], PropertyAnswer::Holds);
    assert!(!answer.complete);
}

#[test]
fn heap_blocks_hold_arbitrary_values_or_zeros() {
    let text = emitted(&uses_a_block(false, false), &[ObligationKind::Assertion], Sizes::AtMost(2));
    snapshot("uses_a_block", &text.source);
    let Some(answer) = ask(&text, 3) else { return };
    let PropertyAnswer::Fails(trace) = &answer.properties["main.assertion.1"] else { panic!("{answer:?}") };
    assert!(trace.steps.iter().any(|s| s.target == CELL && s.value == TraceValue::Bits(9)), "{trace:?}");
    assert!(!fails(&answer, "main.assertion.2"));
    let text = emitted(&uses_a_block(true, false), &[ObligationKind::Assertion], Sizes::AtMost(2));
    assert!(!fails(&ask(&text, 3).unwrap(), "main.assertion.1"));
}

#[test]
fn an_access_beyond_a_block_ends_the_run_and_fails_where_it_is_asked_about() {
    use ObligationKind::{Assertion, Bounds};
    let text = emitted(&uses_a_block(false, true), &[Assertion], Sizes::AtMost(2));
    let Some(answer) = ask(&text, 3) else { return };
    assert!(!fails(&answer, "main.assertion.1"));
    let text = emitted(&uses_a_block(false, true), &[Bounds], Sizes::AtMost(2));
    let answer = ask(&text, 3).unwrap();
    assert!(text.properties.keys().any(|name| fails(&answer, name)));
}

#[test]
fn a_declaration_in_a_loop_makes_a_new_arbitrary_object_each_time() {
    // for (i = 0; i < 2; i++) { int x; int a[2]; assert(i == 0 || x == 0); assert(i == 0 || a[1] ==
    // 0); x = 0; a[1] = 0; }
    let mut b = Build::new();
    let (i, x) = (b.local("i", Type::INT), b.local("x", Type::INT));
    let a = b.local("a", Type::Array(Box::new(Type::INT), Length::Constant(2)));
    let mut inner: Block = [x, a].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    let (scalar, cell) = (b.var(x), b.element(a, int(1)));
    for target in [&scalar, &cell] {
        let first = op(BinaryOp::Equal, b.load(i), int(0));
        let zero = op(BinaryOp::Equal, Expr::load(target.clone()), int(0));
        let condition = Expr::new(ExprKind::Or(Box::new(first), Box::new(zero)), Type::INT, AT);
        inner.push(b.assert(condition));
    }
    inner.push(b.stmt(StmtKind::Assign(scalar, int(0))));
    inner.push(b.stmt(StmtKind::Assign(cell, int(0))));
    let mut body = vec![b.stmt(StmtKind::Declare(i)), b.stmt(StmtKind::Assign(b.var(i), int(0)))];
    body.push(b.count_up(i, int(2), inner));
    let text = emitted(&b.finish(body), &[ObligationKind::Assertion], Sizes::Any);
    snapshot("declares_in_a_loop", &text.source);
    let Some(answer) = ask(&text, 4) else { return };
    assert!(fails(&answer, "main.assertion.1") && fails(&answer, "main.assertion.2"));
    let PropertyAnswer::Fails(trace) = &answer.properties["main.assertion.1"] else { panic!("{answer:?}") };
    let declared = trace.steps.iter().filter(|s| s.target == DECLARE && s.value == TraceValue::Bits(1)).count();
    assert_eq!(declared, 2);
}

#[test]
fn what_follows_an_assertion_is_about_runs_that_pass_it() {
    let mut b = Build::new();
    let n = b.local("n", Type::INT);
    let mut body = vec![b.stmt(StmtKind::Declare(n)), b.input(b.var(n))];
    for _ in 0..2 {
        let condition = op(BinaryOp::Equal, b.load(n), int(3));
        body.push(b.assert(condition));
    }
    let text = emitted(&b.finish(body), &[ObligationKind::Assertion], Sizes::Any);
    let Some(answer) = ask(&text, 2) else { return };
    assert!(fails(&answer, "main.assertion.1") && !fails(&answer, "main.assertion.2"));
}

#[test]
fn overflow_shift_and_division_end_a_run() {
    // Each condition can only hold after undefined behaviour.
    let mut b = Build::new();
    let (x, y) = (b.local("x", Type::INT), b.local("y", Type::INT));
    let mut body: Block = [x, y].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    body.push(b.input(b.var(x)));
    body.push(b.input(b.var(y)));
    for v in [x, y] {
        let positive = op(BinaryOp::Greater, b.load(v), int(0));
        body.push(b.stmt(StmtKind::Assume(positive)));
    }
    // Products of two large numbers take CBMC minutes.
    let small = op(BinaryOp::LessEqual, b.load(x), int(3));
    body.push(b.stmt(StmtKind::Assume(small)));
    for (sum, least) in [
        (op(BinaryOp::Add, b.load(x), b.load(y)), 2),
        (op(BinaryOp::Mul, b.load(x), b.load(y)), 1),
        (op(BinaryOp::ShiftLeft, b.load(x), b.load(y)), 2),
        (op(BinaryOp::Div, b.load(x), op(BinaryOp::Sub, b.load(y), int(1))), 0),
    ] {
        body.push(b.assert(op(BinaryOp::GreaterEqual, sum, int(least))));
    }
    let program = b.finish(body);
    let text = emitted(&program, &[ObligationKind::Assertion], Sizes::Any);
    snapshot("arithmetic", &text.source);
    let Some(answer) = ask(&text, 2) else { return };
    assert!(text.properties.keys().all(|name| !fails(&answer, name)), "{answer:?}");
    let text = emitted(&program, &[ObligationKind::Overflow, ObligationKind::Division], Sizes::Any);
    let answer = ask(&text, 2).unwrap();
    let failing = text.properties.keys().filter(|name| fails(&answer, name)).count();
    // `y - 1` cannot overflow, and the quotient of positive numbers neither.
    assert_eq!((failing, text.properties.len()), (4, 6), "{answer:?}");
}

#[test]
fn an_object_that_was_freed_or_left_may_have_ended_where_it_is_used() {
    let mut b = Build::new();
    let pointer = Type::INT.pointer_to();
    let (p, q, x) = (b.local("p", pointer.clone()), b.local("q", pointer.clone()), b.local("x", Type::INT));
    b.program.endings = Endings { blocks: true, unseen: false, variables: [x].into() };
    let target = |b: &Build, v| Lvalue { base: Base::Deref(Box::new(b.load(v))), ..b.var(x) };
    let write = |b: &mut Build, v| b.stmt(StmtKind::Assign(target(b, v), int(1)));
    let mut body: Block = [p, q].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    let (block, count) = (b.var(p), int(1).cast(LONG));
    body.push(b.stmt(StmtKind::Allocate { target: block, element: Type::INT, count, zeroed: false }));
    body.push(b.stmt(StmtKind::Assign(b.var(q), b.load(p))));
    body.push(write(&mut b, q));
    body.push(b.stmt(StmtKind::Presume(Presumption::Freed(b.load(p)))));
    body.push(write(&mut b, q));
    let address = Expr::new(ExprKind::AddressOf(b.var(x)), pointer, AT);
    let mut inner = vec![b.stmt(StmtKind::Declare(x)), b.stmt(StmtKind::Assign(b.var(p), address))];
    inner.push(write(&mut b, p));
    body.push(b.stmt(StmtKind::Block(inner)));
    body.push(write(&mut b, p));
    let program = b.finish(body);
    assert_eq!(unseen_end(&program), None);
    let text = emitted(&program, &[ObligationKind::Lifetime], Sizes::Any);
    assert_eq!(text.properties.keys().filter(|name| name.contains("lifetime")).count(), 5);
    let Some(answer) = ask(&text, 2) else { return };
    let failing: Vec<&String> = text.properties.keys().filter(|name| fails(&answer, name)).collect();
    assert_eq!(failing, ["main.lifetime.3", "main.lifetime.5"]);
}

#[test]
fn what_nothing_has_written_stays_so_in_copies_until_it_is_written() {
    // int x[2], y[2]; x[0] = 1; y[0] = x[0]; y[1] = x[1], copied as it is; y[0]; y[1]; y[1] = 2;
    // y[1]; x[1];
    let mut b = Build::new();
    let pair = Type::Array(Box::new(Type::INT), Length::Constant(2));
    let (x, y, z) = (b.local("x", pair.clone()), b.local("y", pair), b.local("z", Type::INT));
    b.program.unset.variables = [x, y].into();
    b.program.unset.read = [x, y].into();
    let mut body: Block = [x, y, z].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    let cell = |b: &Build, v, n| b.element(v, int(n));
    body.push(b.stmt(StmtKind::Assign(cell(&b, x, 0), int(1))));
    for n in [0, 1] {
        let copy = b.stmt(StmtKind::Assign(cell(&b, y, n), Expr::load(cell(&b, x, n))));
        b.program.unset.copies.insert(copy.site);
        body.push(copy);
    }
    let read = |b: &mut Build, v, n| b.stmt(StmtKind::Assign(b.var(z), Expr::load(cell(b, v, n))));
    for n in [0, 1] {
        body.push(read(&mut b, y, n));
    }
    body.push(b.stmt(StmtKind::Assign(cell(&b, y, 1), int(2))));
    body.push(read(&mut b, y, 1));
    body.push(read(&mut b, x, 1));
    let program = b.finish(body);
    let text = emitted(&program, &[ObligationKind::Initialised], Sizes::Any);
    assert!(text.obstacles.is_empty());
    let Some(answer) = ask(&text, 2) else { return };
    let failing: Vec<&String> = text.properties.keys().filter(|name| fails(&answer, name)).collect();
    assert_eq!(failing, ["main.initialised.2", "main.initialised.4"]);
}
