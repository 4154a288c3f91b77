//! Programs built by hand.

use super::{CellOrigin, Environment, Limits, Observer, Outcome, Run, Seen, State, run};
use crate::program::testing::{AT, build, n, op, while_loop};
use crate::program::*;

/// Answers inputs from a list, then with 0; arbitrary cells hold 1000 plus their number.
struct Given(Vec<i128>);

impl Environment for Given {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        if self.0.is_empty() { 0 } else { self.0.remove(0) }
    }
    fn arbitrary(&mut self, origin: &CellOrigin<'_>, _: &Type) -> i128 {
        1000 + i128::from(origin.leaf)
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        77
    }
}

fn go(program: &Program, inputs: &[i128]) -> Run {
    run(program, &mut Given(inputs.to_vec()), &mut (), &Limits::default())
}

/// `for (i = 0; i < bound; i = i + 1) a[i] = i; assert(a[3] == 3)` with `int a[10]`.
fn fill(bound: i128) -> Program {
    let mut b = build();
    let i = b.int("i");
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Constant(10)), Storage::Local);
    let body = vec![b.set(b.cell(a, b.x(i)), b.x(i))];
    let step = vec![b.set(b.l(i), op(BinaryOp::Add, b.x(i), n(1)))];
    let test = op(BinaryOp::Less, b.x(i), n(bound));
    let all = vec![
        b.stmt(StmtKind::Declare(a)),
        b.set(b.l(i), n(0)),
        while_loop(&mut b, test, body, step),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, Expr::load(b.cell(a, n(3))), n(3)), AssertionId(0))),
    ];
    b.main(all)
}

#[test]
fn a_loop_fills_an_array() {
    assert_eq!(go(&fill(10), &[]).outcome, Outcome::Finished);
}

#[test]
fn a_cell_that_was_not_written_is_arbitrary() {
    // a[3] is then 1003.
    assert_eq!(go(&fill(3), &[]).outcome, Outcome::AssertionFailed(AssertionId(0)));
}

#[test]
fn an_index_out_of_bounds_is_undefined() {
    let outcome = go(&fill(11), &[]).outcome;
    assert!(matches!(
        outcome,
        Outcome::Undefined { kind: ObligationKind::Bounds, key: ObligationKey::Check(_, 0), .. }
    ));
}

#[test]
fn signed_overflow_is_undefined_and_unsigned_wraps() {
    let mut b = build();
    let (x, u) = (b.int("x"), b.var("u", Type::Int(IntKind::UInt), Storage::Local));
    let one = Expr::int(1, IntKind::UInt, AT);
    let sum = Expr::binary(BinaryOp::Add, b.x(u), one, Type::Int(IntKind::UInt));
    let all = vec![
        b.set(b.l(u), Expr::int(u32::MAX.into(), IntKind::UInt, AT)),
        b.set(b.l(u), sum),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, b.x(u).cast(Type::INT), n(0)), AssertionId(0))),
        b.stmt(StmtKind::Input(b.l(x), InputId(0))),
        b.set(b.l(x), op(BinaryOp::Add, b.x(x), n(1))),
    ];
    let program = b.main(all);
    assert_eq!(go(&program, &[5]).outcome, Outcome::Finished);
    let overflowed = go(&program, &[i32::MAX.into()]);
    assert!(matches!(overflowed.outcome, Outcome::Undefined { kind: ObligationKind::Overflow, .. }));
    // The input is converted as C converts.
    assert_eq!(go(&program, &[1 << 32]).outcome, Outcome::Finished);
}

#[test]
fn pointers_walk_over_arrays_and_stop_at_their_ends() {
    let mut b = build();
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Constant(4)), Storage::Local);
    let p = b.var("p", Type::INT.pointer_to(), Storage::Local);
    let k = b.var("k", Type::Int(IntKind::Long), Storage::Local);
    let address = Expr::new(ExprKind::AddressOf(b.cell(a, n(0))), Type::INT.pointer_to(), AT);
    let sum = Expr::binary(BinaryOp::PointerAdd, b.x(p), b.x(k), Type::INT.pointer_to());
    let deref = Lvalue { base: Base::Deref(Box::new(b.x(p))), path: vec![], ty: Type::INT, location: AT };
    let all = vec![
        b.stmt(StmtKind::Declare(a)),
        b.stmt(StmtKind::Input(b.l(k), InputId(0))),
        b.set(b.l(p), address),
        b.set(b.l(p), sum),
        b.set(deref, n(9)),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, Expr::load(b.cell(a, n(2))), n(9)), AssertionId(0))),
    ];
    let program = b.main(all);
    assert_eq!(go(&program, &[2]).outcome, Outcome::Finished);
    assert_eq!(go(&program, &[1]).outcome, Outcome::AssertionFailed(AssertionId(0)));
    // One past the end may be pointed at, not written to.
    let past = go(&program, &[4]);
    assert!(matches!(past.outcome, Outcome::Undefined { kind: ObligationKind::Bounds, .. }));
    assert_eq!(past.steps, 5);
    assert_eq!(go(&program, &[5]).steps, 4);
    assert_eq!(go(&program, &[-1]).steps, 4);
}

#[test]
fn jumps_leave_and_enter_nested_loops() {
    let mut b = build();
    let (i, s) = (b.int("i"), b.int("s"));
    let (inside, out) = (LabelId(0), LabelId(1));
    let body = vec![
        b.stmt(StmtKind::Label(inside, "inside".into())),
        b.set(b.l(s), op(BinaryOp::Add, b.x(s), n(1))),
        {
            let go_out = vec![b.stmt(StmtKind::Goto(out))];
            b.stmt(StmtKind::If(op(BinaryOp::Greater, b.x(s), n(5)), go_out, vec![]))
        },
        b.stmt(StmtKind::Continue),
        b.set(b.l(s), n(100)),
    ];
    let step = vec![b.set(b.l(i), op(BinaryOp::Add, b.x(i), n(1)))];
    let test = op(BinaryOp::Less, b.x(i), n(100));
    let all = vec![
        b.set(b.l(i), n(7)),
        b.set(b.l(s), n(0)),
        b.stmt(StmtKind::Goto(inside)),
        while_loop(&mut b, test, body, step),
        b.stmt(StmtKind::Stop),
        b.stmt(StmtKind::Label(out, "out".into())),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, b.x(i), n(12)), AssertionId(0))),
    ];
    assert_eq!(go(&b.main(all), &[]).outcome, Outcome::Finished);
}

#[test]
fn calls_pass_values_and_recursion_has_its_own_variables() {
    let mut b = build();
    let x = b.var("x", Type::INT, Storage::Parameter);
    let (r, result) = (b.int("r"), b.int("result"));
    let f = FunctionId(0);
    let less = op(BinaryOp::Sub, b.x(x), n(1));
    let call = b.stmt(StmtKind::Call { target: Some(b.l(r)), callee: Callee::Function(f), arguments: vec![less] });
    let base = vec![b.stmt(StmtKind::Return(Some(n(0))))];
    let body = vec![
        b.stmt(StmtKind::If(op(BinaryOp::Equal, b.x(x), n(0)), base, vec![])),
        call,
        b.stmt(StmtKind::Return(Some(op(BinaryOp::Add, b.x(r), b.x(x))))),
    ];
    b.function("sum", vec![x], Type::INT, body);
    let all = vec![
        b.stmt(StmtKind::Call { target: Some(b.l(result)), callee: Callee::Function(f), arguments: vec![n(10)] }),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, b.x(result), n(55)), AssertionId(0))),
    ];
    let program = b.main(all);
    assert_eq!(go(&program, &[]).outcome, Outcome::Finished);
    let shallow = Limits { depth: 5, ..Limits::default() };
    let run = run(&program, &mut Given(vec![]), &mut (), &shallow);
    assert_eq!(run.outcome, Outcome::LimitReached(super::Limit::Depth));
}

#[test]
fn huge_arrays_cost_what_is_touched() {
    let mut b = build();
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Constant(1 << 33)), Storage::Local);
    let far = Expr::int((1 << 33) - 1, IntKind::Long, AT);
    let all = vec![
        b.stmt(StmtKind::Declare(a)),
        b.set(b.cell(a, far.clone()), n(1)),
        b.stmt(StmtKind::Zero(b.l(a))),
        b.stmt(StmtKind::Assert(op(BinaryOp::Equal, Expr::load(b.cell(a, far)), n(0)), AssertionId(0))),
    ];
    assert_eq!(go(&b.main(all), &[]).outcome, Outcome::Finished);
}

#[test]
fn an_observer_sees_values_before_each_statement() {
    struct Watch(VarId, Vec<Option<Seen>>);
    impl Observer for Watch {
        fn test(&mut self, _: &Stmt, state: &State<'_, '_>) {
            self.1.push(state.scalar(self.0));
        }
    }
    let program = fill(2);
    let mut watch = Watch(VarId(0), vec![]);
    run(&program, &mut Given(vec![]), &mut watch, &Limits::default());
    assert_eq!(watch.1, [0, 1, 2].map(|i| Some(Seen::Int(i))));
}

#[test]
fn endless_loops_end_at_a_limit() {
    let mut b = build();
    let all = vec![while_loop(&mut b, n(1), vec![], vec![])];
    let program = b.main(all);
    let few = Limits { steps: 1000, ..Limits::default() };
    assert_eq!(run(&program, &mut Given(vec![]), &mut (), &few).outcome, Outcome::LimitReached(super::Limit::Steps));
    let deadline = Some(std::time::Instant::now());
    let timed = Limits { deadline, ..Limits::default() };
    assert_eq!(run(&program, &mut Given(vec![]), &mut (), &timed).outcome, Outcome::LimitReached(super::Limit::Time));
}

#[test]
#[ignore = "a measurement, for a release build"]
fn speed() {
    let mut b = build();
    let (i, s) = (b.int("i"), b.int("s"));
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Constant(1000)), Storage::Local);
    let cell = b.cell(a, op(BinaryOp::Rem, b.x(i), n(1000)));
    let body = vec![b.set(cell, b.x(i)), b.set(b.l(s), op(BinaryOp::BitXor, b.x(s), b.x(i)))];
    let step = vec![b.set(b.l(i), op(BinaryOp::Add, b.x(i), n(1)))];
    let test = op(BinaryOp::Less, b.x(i), n(5_000_000));
    let all = vec![
        b.stmt(StmtKind::Declare(a)),
        b.set(b.l(i), n(0)),
        b.set(b.l(s), n(0)),
        while_loop(&mut b, test, body, step),
    ];
    let program = b.main(all);
    let start = std::time::Instant::now();
    let run = go(&program, &[]);
    let seconds = start.elapsed().as_secs_f64();
    println!("{:?}: {:.1} million steps per second", run.outcome, run.steps as f64 / seconds / 1e6);
}

/// Printed and compiled by gcc, the programs above do the same.
#[cfg(feature = "fuzz")]
#[test]
fn gcc_agrees_about_programs_built_by_hand() {
    use crate::fuzz::{Agreement, Case, compare};
    let programs = [fill(10), fill(11), fill(4)];
    let all: Vec<&Program> = programs.iter().collect();
    let cases: Vec<Case> = (0..3).map(|program| Case { program, inputs: vec![] }).collect();
    let folder = tempfile::tempdir().unwrap();
    for c in compare(&all, &cases, folder.path()).unwrap() {
        assert_eq!(c.agreement, Agreement::Same, "{c:?}");
    }
}

#[test]
fn a_cell_has_no_value_before_its_object_exists() {
    let same = "/*@ predicate same{K, L}(int *r) = \\at(r[0], K) == \\at(r[0], L); */\n";
    let options = crate::lower::LowerOptions { preprocess: false, ..Default::default() };
    for (claim, holds) in
        [("same{Pre, L}(q)", None), ("same{Pre, L}(b)", Some(true)), ("same{L, Here}(q)", Some(false))]
    {
        let text = format!(
            "{same}int b[2];\nint main(void) {{\n  int a[1] = {{ 0 }};\n  int *q = a;\n  L:\n  a[0] = 2;\n  /*@ assert {claim}; */\n  return 0;\n}}\n"
        );
        let program = crate::lower::load_text("x.c", &text, &options).expect("the program is read");
        let outcome = go(&program, &[]).outcome;
        let said = match outcome {
            Outcome::Finished => Some(true),
            Outcome::AssertionFailed(_) => Some(false),
            _ => None,
        };
        assert_eq!(said, holds, "{claim}: {outcome:?}");
    }
}
