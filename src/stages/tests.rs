//! Which answers of a model checker are accepted, and which are not.

use super::*;
use crate::cbmc::testing::{Build, checker, int, op, reads_an_array};
use crate::cbmc::{Answer, CAPACITY, Failure, PropertyAnswer, Recorded, Trace, TraceStep, TraceValue};
use crate::program::{BinaryOp, Program, StmtKind, Type};
use crate::verdict::{Decided, Outcome, Verdict};

fn config(stages: &[Stage]) -> CheckConfig {
    let until = Instant::now() + Duration::from_secs(30);
    CheckConfig { files: vec!["t.c".into()], ..CheckConfig::new(stages, until) }
}

fn run(program: &Program, stage: Stage, answers: Vec<Result<Answer, Failure>>) -> (Report, usize) {
    let recorded = Recorded::new(answers);
    let report = check_with(program, &config(&[stage]), &Silent, Tools::only(Ok(&recorded))).unwrap();
    (report, recorded.questions().len())
}

fn only(report: &Report) -> &Decided {
    assert_eq!(report.obligations.len(), 1);
    &report.obligations[0]
}

const NAME: &str = "main.assertion.1";

fn holds(complete: bool) -> Answer {
    let property = |name: &str| (name.to_owned(), PropertyAnswer::Holds);
    Answer { properties: [property(NAME), property(CAPACITY)].into(), complete, surprises: Vec::new() }
}

/// A run of [`reads_an_array`] with these inputs.
fn fails(inputs: &[(u32, u128)]) -> Answer {
    let step =
        |&(id, bits): &(u32, u128)| TraceStep { target: format!("smalti_input_{id}"), value: TraceValue::Bits(bits) };
    let trace = Trace { steps: inputs.iter().map(step).collect() };
    Answer { properties: [(NAME.to_owned(), PropertyAnswer::Fails(trace))].into(), ..Answer::default() }
}

/// `int n = input; int a[n]; assert(a[0] <= 2147483647);`
fn holds_for_all_sizes() -> Program {
    let mut b = Build::new();
    let n = b.local("n", crate::program::Type::Int(crate::program::IntKind::Long));
    let a = b.local("a", Type::Array(Box::new(Type::INT), crate::program::Length::Variable(n)));
    let mut body = vec![b.stmt(StmtKind::Declare(n)), b.input(b.var(n)), b.stmt(StmtKind::Declare(a))];
    let cell = crate::program::Expr::load(b.element(a, int(0)));
    body.push(b.assert(op(BinaryOp::LessEqual, cell, int(2_147_483_647))));
    b.finish(body)
}

/// `for (i = 0; i < times; i++) s += 2; assert(s == 2 * times);`
fn counts_to(times: i128) -> Program {
    let mut b = Build::new();
    let (i, s) = (b.local("i", Type::INT), b.local("s", Type::INT));
    let mut body: Vec<_> = [i, s].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    for v in [i, s] {
        body.push(b.stmt(StmtKind::Assign(b.var(v), int(0))));
    }
    let more = op(BinaryOp::Add, b.load(s), int(2));
    let inner = vec![b.stmt(StmtKind::Assign(b.var(s), more))];
    body.push(b.count_up(i, int(times), inner));
    body.push(b.assert(op(BinaryOp::Equal, b.load(s), int(2 * times))));
    b.finish(body)
}

/// `if (input() / 7 % 9973 == 4321) assert(1 <= n);`, where `n` is that input.
fn hardly_ever_reached() -> Program {
    let mut b = Build::new();
    let n = b.local("n", Type::INT);
    let mut body = vec![b.stmt(StmtKind::Declare(n)), b.input(b.var(n))];
    let seldom = op(BinaryOp::Rem, op(BinaryOp::Div, b.load(n), int(7)), int(9973));
    let claim = b.assert(op(BinaryOp::LessEqual, int(1), b.load(n)));
    body.push(b.stmt(StmtKind::If(op(BinaryOp::Equal, seldom, int(4321)), vec![claim], Vec::new())));
    b.finish(body)
}

#[test]
fn a_run_that_fails_when_replayed_is_a_violation_with_its_inputs() {
    let (report, _) = run(&reads_an_array(), Stage::Bounded, vec![Ok(fails(&[(0, 2), (1, 5), (1, 7)]))]);
    let decided = only(&report);
    assert_eq!((decided.verdict, decided.evidence.stage), (Verdict::Violated, Stage::Bounded));
    let inputs = &decided.evidence.counterexample.as_ref().unwrap().inputs;
    let seen: Vec<_> = inputs.iter().map(|i| (i.target.as_str(), i.value)).collect();
    assert_eq!(seen, [("n", 2), ("a[i]", 5), ("a[i]", 7)]);
    assert_eq!(report.outcome(), Outcome::False);
}

#[test]
fn a_run_that_does_not_fail_when_replayed_is_none() {
    let (report, _) = run(&holds_for_all_sizes(), Stage::Bounded, vec![Ok(fails(&[(0, 2), (1, 5), (1, 6)]))]);
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Unknown);
    assert!(
        decided.detail(&report.sources).contains("does not fail when it is replayed"),
        "{}",
        decided.detail(&report.sources)
    );
    assert!(decided.evidence.counterexample.is_none());
}

#[test]
fn a_run_with_undefined_behaviour_first_is_none() {
    // An array of length -1.
    let (report, _) = run(&holds_for_all_sizes(), Stage::Bounded, vec![Ok(fails(&[(0, u128::from(u64::MAX))]))]);
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Unknown);
    assert!(
        decided.detail(&report.sources).contains("undefined behaviour first (bounds, t.c:"),
        "{}",
        decided.detail(&report.sources)
    );
}

#[test]
fn success_without_unwinding_assertions_proves_nothing() {
    let answers = (0..20).map(|_| Ok(holds(true))).collect();
    let (report, queries) = run(&holds_for_all_sizes(), Stage::Bounded, answers);
    assert_eq!(only(&report).verdict, Verdict::Unknown);
    assert!(queries > 3);
}

#[test]
fn only_a_complete_success_is_a_proof() {
    let (report, queries) = run(&counts_to(10), Stage::Unwind, vec![Ok(holds(false)), Ok(holds(true))]);
    assert_eq!((only(&report).verdict, queries), (Verdict::Proved, 2));
    let (report, _) = run(&counts_to(10), Stage::Unwind, vec![Ok(holds(false))]);
    assert_eq!(only(&report).verdict, Verdict::Unknown);
}

#[test]
fn a_proof_by_closed_forms_waits_for_the_long_run_that_comes_to_it() {
    let (report, queries) = run(&counts_to(1_000_000), Stage::Summary, Vec::new());
    let decided = only(&report);
    assert_eq!((decided.verdict, &*decided.detail(&report.sources), queries), (Verdict::Proved, "by closed forms", 0));
}

#[test]
fn what_no_run_comes_to_is_proved_only_if_undefined_behaviour_has_no_part_in_it() {
    let verdict = |reached: [Answer; 2]| {
        let answers = std::iter::once(holds(true)).chain(reached).map(Ok).collect();
        only(&run(&hardly_ever_reached(), Stage::Unwind, answers).0).verdict
    };
    assert_eq!(verdict([holds(true), holds(true)]), Verdict::Unreachable);
    assert_eq!(verdict([holds(true), fails(&[])]), Verdict::Unknown);
    assert_eq!(verdict([holds(true), holds(false)]), Verdict::Unknown);
    assert_eq!(verdict([fails(&[]), holds(true)]), Verdict::Proved);
    let (report, _) = run(&hardly_ever_reached(), Stage::Unwind, vec![Ok(holds(true))]);
    assert_eq!(only(&report).verdict, Verdict::Unknown, "that a run comes there was not found out");
}

#[test]
fn a_run_of_the_interpreter_shows_that_a_proof_is_not_vacuous() {
    let (report, queries) = run(&counts_to(10), Stage::Unwind, vec![Ok(holds(true))]);
    assert_eq!((only(&report).verdict, queries), (Verdict::Proved, 1));
}

#[test]
fn a_surprise_or_an_object_too_large_spoils_a_proof() {
    let surprise = Answer { surprises: vec!["no body for callee f".into()], ..holds(true) };
    let (report, _) = run(&counts_to(10), Stage::Unwind, vec![Ok(surprise)]);
    assert_eq!(only(&report).verdict, Verdict::Unknown);
    assert!(only(&report).detail(&report.sources).contains("no body for callee f"));
    let mut large = holds(true);
    large.properties.insert(CAPACITY.to_owned(), PropertyAnswer::Fails(Trace::default()));
    let (report, _) = run(&counts_to(10), Stage::Unwind, vec![Ok(large)]);
    assert_eq!(only(&report).verdict, Verdict::Unknown);
}

#[test]
fn a_failure_of_the_model_checker_costs_that_stage_only_and_is_said() {
    let broken = || Err(Failure::Broken("ended by signal 11".into()));
    let recorded = Recorded::new(vec![broken(), Ok(holds(true)), Ok(fails(&[]))]);
    let stages = config(&[Stage::Bounded, Stage::Unwind]);
    let report = check_with(&counts_to(10), &stages, &Silent, Tools::only(Ok(&recorded))).unwrap();
    assert_eq!(only(&report).verdict, Verdict::Proved);
    let (report, _) = run(&holds_for_all_sizes(), Stage::Bounded, vec![broken()]);
    assert!(only(&report).detail(&report.sources).contains("signal 11"));
}

#[test]
fn without_a_model_checker_obligations_stay_unknown_and_one_note_says_why() {
    let stages = config(&[Stage::Bounded, Stage::Unwind]);
    let report =
        check_with(&holds_for_all_sizes(), &stages, &Silent, Tools::only(Err("CBMC was not found".into()))).unwrap();
    assert_eq!(report.notes, ["CBMC was not found"]);
    assert_eq!(only(&report).detail(&report.sources), "bounded, unwind: CBMC was not found");
}

#[test]
fn a_time_limit_that_is_over_decides_nothing() {
    let config = CheckConfig { deadline: Instant::now(), ..config(&Stage::ALL) };
    let recorded = Recorded::new(vec![]);
    let report = check_with(&holds_for_all_sizes(), &config, &Silent, Tools::only(Ok(&recorded))).unwrap();
    assert_eq!((only(&report).verdict, recorded.questions().len()), (Verdict::Unknown, 0));
}

/// Suites must not depend on the speed of the machine, so answers that do must say so.
#[test]
fn what_ends_by_its_time_limit_says_so_and_nothing_else_does() {
    let late = CheckConfig { deadline: Instant::now(), ..config(&Stage::ALL) };
    let recorded = Recorded::new(vec![]);
    let report = check_with(&holds_for_all_sizes(), &late, &Silent, Tools::only(Ok(&recorded))).unwrap();
    assert!(only(&report).is_late(), "{}", only(&report).detail(&report.sources));
    for stage in [Stage::Bounded, Stage::Unwind] {
        for (failure, of_time) in [(Failure::Late, true), (Failure::Broken("ended by signal 11".into()), false)] {
            let (report, _) = run(&holds_for_all_sizes(), stage, vec![Err(failure); 20]);
            let detail = only(&report).detail(&report.sources);
            assert_eq!((only(&report).verdict, only(&report).is_late()), (Verdict::Unknown, of_time), "{detail}");
        }
    }
}

#[test]
fn assertions_that_are_not_checked_are_granted_and_listed() {
    let listed = |checks: &[ObligationKind]| {
        let config = CheckConfig { checks: checks.to_vec(), ..config(&[Stage::Domains]) };
        let report = check_with(&reads_an_array(), &config, &Silent, Tools::only(Err("not needed".into()))).unwrap();
        report.assumptions.iter().any(|a| a.text.contains("they are not checked"))
    };
    assert!(listed(&[ObligationKind::Bounds]));
    assert!(!listed(&[ObligationKind::Bounds, ObligationKind::Assertion]));
}

#[test]
fn nothing_is_violated_where_a_contract_may_exclude_the_run() {
    let mut program = reads_an_array();
    program.gaps.callees.push("`f` has no body".to_owned());
    let (report, _) = run(&program, Stage::Bounded, vec![Ok(fails(&[(0, 2), (1, 5), (1, 7)]))]);
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Unknown);
    assert!(
        decided.detail(&report.sources).contains("the program may not have this run: `f` has no body"),
        "{}",
        decided.detail(&report.sources)
    );
}

#[test]
fn no_stage_decides_what_nothing_can_judge() {
    let failing = || vec![Ok(fails(&[(0, 2), (1, 5), (1, 7)]))];
    let mut claim = reads_an_array();
    claim.assertions[0].unsupported = Some("it is not understood".to_owned());
    let mut entry = reads_an_array();
    entry.gaps.assumptions.push(("main".to_owned(), "it is not understood".to_owned()));
    let mut objects = reads_an_array();
    objects.gaps.objects.push("it is not understood".to_owned());
    for program in [claim, entry, objects] {
        for (stage, answers) in [(Stage::Bounded, failing()), (Stage::Unwind, vec![Ok(holds(true))])] {
            let (report, _) = run(&program, stage, answers);
            let decided = only(&report);
            assert_eq!(decided.verdict, Verdict::Unknown);
            assert_eq!(decided.detail(&report.sources), "it is not understood");
            assert_eq!(report.outcome(), Outcome::Unknown);
        }
    }
}

/// Decides with the real CBMC, if there is one.
fn really(program: &Program, stages: &[Stage]) -> Option<Report> {
    checker()?;
    Some(check(program, &config(stages), &Silent).unwrap())
}

#[test]
fn the_real_one_finds_a_small_failing_run() {
    let Some(report) = really(&reads_an_array(), &[Stage::Bounded]) else { return };
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Violated, "{}", decided.detail(&report.sources));
}

/// `int x; int a[3]; assume(x > 3); assert(a[1] != x);`
fn reads_what_was_not_written() -> Program {
    let mut b = Build::new();
    let x = b.local("x", Type::INT);
    let a = b.local("a", Type::Array(Box::new(Type::INT), crate::program::Length::Constant(3)));
    let mut body: Vec<_> = [x, a].into_iter().map(|v| b.stmt(StmtKind::Declare(v))).collect();
    let large = op(BinaryOp::Greater, b.load(x), int(3));
    body.push(b.stmt(StmtKind::Assume(large)));
    let cell = crate::program::Expr::load(b.element(a, int(1)));
    let condition = op(BinaryOp::NotEqual, cell, b.load(x));
    body.push(b.assert(condition));
    b.finish(body)
}

#[test]
fn arbitrary_values_of_a_failing_run_are_replayed() {
    let Some(report) = really(&reads_what_was_not_written(), &[Stage::Bounded]) else { return };
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Violated, "{}", decided.detail(&report.sources));
    let inputs = &decided.evidence.counterexample.as_ref().unwrap().inputs;
    let targets: Vec<_> = inputs.iter().map(|i| i.target.as_str()).collect();
    assert_eq!(targets, ["x", "a[1]"]);
    assert!(inputs[0].value > 3 && inputs[0].value == inputs[1].value);
}

#[test]
fn arbitrary_cells_of_heap_blocks_are_replayed() {
    let Some(report) = really(&crate::cbmc::testing::uses_a_block(false, false), &[Stage::Bounded]) else { return };
    let verdicts: Vec<_> = report.obligations.iter().map(|d| d.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated, Verdict::Unknown]);
}

#[test]
fn a_constant_loop_is_followed_to_its_end() {
    let Some(report) = really(&counts_to(10), &[Stage::Unwind]) else { return };
    let decided = only(&report);
    assert_eq!(decided.verdict, Verdict::Proved, "{}", decided.detail(&report.sources));
    assert_eq!(decided.detail(&report.sources), "complete at unwinding 12");
}

#[test]
fn bounds_that_some_run_exceeds_are_not_tried() {
    let recorded = Recorded::new(vec![Ok(holds(true)), Ok(fails(&[]))]);
    let report = check_with(&counts_to(150), &config(&[Stage::Unwind]), &Silent, Tools::only(Ok(&recorded))).unwrap();
    assert_eq!(only(&report).detail(&report.sources), "complete at unwinding 200");
    let (report, queries) = run(&counts_to(20_000), Stage::Unwind, vec![Ok(holds(true))]);
    assert_eq!((only(&report).verdict, queries), (Verdict::Unknown, 0));
    assert!(
        only(&report).detail(&report.sources).contains("20000 times or more"),
        "{}",
        only(&report).detail(&report.sources)
    );
}

#[test]
fn a_run_with_chosen_inputs_can_fail_without_any_model_checker() {
    let stages = config(&[Stage::Bounded]);
    let report =
        check_with(&reads_what_was_not_written(), &stages, &Silent, Tools::only(Err("CBMC was not found".into())))
            .unwrap();
    let decided = only(&report);
    assert_eq!(
        (decided.verdict, decided.detail(&report.sources).as_str()),
        (Verdict::Violated, "a run with chosen inputs")
    );
    assert!(!decided.evidence.counterexample.as_ref().unwrap().inputs.is_empty());
}

/// `int a[100000], m; for (i = 0; i < 100000; i++) if (m > a[i]) m = a[i]; assert(m <= a[0]);` as
/// C.
fn minimum() -> Program {
    let text = "void __VERIFIER_assert(int c); int main(void) { int a[100000], i, m = a[0];
        for (i = 0; i < 100000; i++) if (m > a[i]) m = a[i];
        __VERIFIER_assert(m <= a[0]); return 0; }";
    let options = crate::lower::LowerOptions { preprocess: false, ..crate::lower::LowerOptions::default() };
    crate::lower::load_text("t.c", text, &options).unwrap()
}

#[test]
fn a_pruned_program_proves_if_it_holds_and_is_reached_and_shows_nothing_if_it_fails() {
    let (report, queries) = run(&minimum(), Stage::Prune, vec![Ok(holds(true)), Ok(fails(&[]))]);
    let decided = only(&report);
    assert_eq!((decided.verdict, decided.evidence.stage, queries), (Verdict::Proved, Stage::Prune, 2));
    assert!(decided.detail(&report.sources).starts_with("Γ="), "{}", decided.detail(&report.sources));
    let unknown = |answers: Vec<Answer>, why: &str| {
        let (report, _) = run(&minimum(), Stage::Prune, answers.into_iter().map(Ok).collect());
        let decided = only(&report);
        assert_eq!(decided.verdict, Verdict::Unknown);
        assert!(decided.detail(&report.sources).contains(why), "{}", decided.detail(&report.sources));
    };
    unknown(vec![Answer { complete: true, ..fails(&[]) }], "which decides nothing");
    unknown(vec![holds(false), fails(&[])], "not every loop");
    unknown(vec![holds(true), holds(true)], "no run of the smaller program reaches it");
}

#[test]
fn that_unknown_code_writes_is_assumed_where_reads_rest_on_it() {
    let listed = |text: &str| {
        let options = crate::lower::LowerOptions { preprocess: false, ..crate::lower::LowerOptions::default() };
        let program = crate::lower::load_text("t.c", text, &options).unwrap();
        let tools = Tools::only(Err("none".to_owned()));
        let config =
            CheckConfig { checks: vec![ObligationKind::Initialised], values: true, ..config(&[Stage::Domains]) };
        let report = check_with(&program, &config, &Silent, tools).unwrap();
        assert_eq!(report.obligations.len(), 1);
        assert!(report.obligations.iter().all(|d| d.verdict == Verdict::Proved), "{text}");
        report.assumptions.iter().any(|a| a.text == crate::program::CHANGED_IS_WRITTEN)
    };
    assert!(listed("void unknown(int *); int main(void) { int x; unknown(&x); return x; }"));
    assert!(!listed("static void set(int *p) { *p = 1; } int main(void) { int x; set(&x); return x; }"));
}
