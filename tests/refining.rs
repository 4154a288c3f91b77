//! Abstraction refinement: the paper's example and random programs. (The families of the paper's
//! section 7 are in `tests/families.rs`.)
//!
//! `SMALTI_FUZZ_SEED`, `SMALTI_FUZZ_COUNT` choose other random programs, and how many.

use smalti::cbmc;
use smalti::fuzz::or_skip;
use smalti::fuzz::reductions::{SampleOutcome, Target, program};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{Obligation, ObligationKind, Program, obligations};
use smalti::smt::{self, Answer, Recorded, Script, Solver, Value};
use smalti::stages::{self, CheckConfig, Refined, Refinement, Silent, Tools};
use smalti::verdict::{Reason, Stage, Verdict};
use std::time::{Duration, Instant};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void); extern void __VERIFIER_assert(int);\n";

fn load(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
}

/// The tools of this machine.
fn tools() -> Option<(cbmc::Cbmc, smt::Process)> {
    Some((or_skip(cbmc::find(None))?, or_skip(smt::find(None))?))
}

fn only(program: &Program) -> Obligation {
    obligations(program, &[ObligationKind::Assertion]).into_iter().next().expect("an assertion")
}

/// Refines without the domains, as the paper does.
fn refine(text: &str) -> Option<Refinement> {
    let (cbmc, solver) = tools()?;
    let program = load(&format!("{PRELUDE}{text}"));
    let deadline = Instant::now() + Duration::from_secs(120);
    Some(stages::refinement(&program, &only(&program), &cbmc, &solver, &[], deadline).unwrap())
}

#[test]
fn table_1_two_rounds_and_the_cell_at_index_1() {
    let found = refine(
        "int main(void) { int i, a[30]; a[1] = 9; i = 0; while (a[i] != 9) { a[i] = 2 * i; i = i + 1; } __VERIFIER_assert(i <= 1); }",
    );
    let Some(Refinement { rounds, last, end, .. }) = found else { return };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
    let learned: Vec<_> = rounds.iter().map(|r| r.learned.clone()).collect();
    assert_eq!(learned, [["a[] at 1"]]);
    assert_eq!(last.cells, (1, Some(30)));
}

#[test]
fn each_solver_understands_what_begins_with_zeros() {
    let Some(cbmc) = or_skip(cbmc::find(None)) else { return };
    let search = |declared: &str, zeroed: &str, cell: &str, limit: u32| {
        format!(
            "{PRELUDE}int main(void) {{ {declared} int i = 0; {zeroed} a[2] {cell} = 4;
               while (i < 20 && a[i] {cell} == 0) i++; __VERIFIER_assert(i == {limit}); }}"
        )
    };
    for solver in smalti::fuzz::solvers() {
        for (declared, zeroed, cell) in [
            ("int a[30] = {0};", "", ""),
            ("static short a[30];", "", ""),
            ("struct pair { char x; long y; } a[30] = {{0}};", "", ".y"),
            ("unsigned char a[30];", "__builtin_memset(a, 0, sizeof a);", ""),
        ] {
            for (limit, holds) in [(2, true), (3, false)] {
                let program = load(&search(declared, zeroed, cell, limit));
                let deadline = Instant::now() + Duration::from_secs(120);
                let found = stages::refinement(&program, &only(&program), &cbmc, &solver, &[], deadline).unwrap();
                let as_expected = match &found.end {
                    Ok(Refined::Holds(_)) => holds,
                    Ok(Refined::Fails(..)) => !holds,
                    _ => false,
                };
                assert!(as_expected, "{} {}: {declared} {limit}: {:?}", solver.kind(), solver.version(), found.end);
            }
        }
    }
}

/// Copies a string that ends at `end` in a buffer of size `n`.
fn string_copy(n: u64, end: u64, found_at_most: u64) -> String {
    format!(
        "int main(void) {{ char a[{n}]; char b[{n}]; int i = 0; a[{end}] = 0;
           while (a[i] != 0) {{ b[i] = a[i]; i++; }} b[i] = 0;
           __VERIFIER_assert(i <= {found_at_most}); }}"
    )
}

#[test]
fn arrays_of_structs_and_rows_are_cells_too() {
    let Some(Refinement { last, end, .. }) = refine(
        "struct pair { int x; int y; }; int main(void) { struct pair p[4]; int m[3][5]; int k = 2;
           p[1].x = 3; p[1].y = 4; m[2][1] = p[1].x; p[k].x = 9; m[1][k] = 8;
           __VERIFIER_assert(m[2][1] == 3); }",
    ) else {
        return;
    };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
    assert_eq!(last.cells, (2, Some(4 + 4 + 15)));
}

#[test]
fn a_jump_into_a_loop_comes_to_its_test() {
    let program = |again: &str| {
        format!(
            "int main(void) {{ int a[3]; int i = 0; int s = 0; a[0] = 1; goto middle;
               do {{ s = s + 10; middle: i++; {again} }} while (i < 2 && a[0] == 1);
               __VERIFIER_assert(s <= 10 && i == 2); }}"
        )
    };
    let Some(Refinement { end, .. }) = refine(&program("")) else { return };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
    let Some(Refinement { end, .. }) = refine(&program("if (i == 1) { i = 2; continue; }")) else { return };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
    let Some(Refinement { end, .. }) = refine(&program("if (i == 1) { i = 5; continue; }")) else { return };
    assert!(matches!(end, Ok(Refined::Fails(..))), "{end:?}");
}

#[test]
fn an_index_that_is_not_evaluated_is_not_taken_for_defined() {
    // If x is 0, there is no division.
    let program = |property: &str| {
        format!(
            "int main(void) {{ int a[6]; int x = __VERIFIER_nondet_int(); int s = 0;
               for (int i = 0; i < 6; i++) a[i] = 1;
               if (x < 0 || x > 5) return 0;
               if (x != 0 && a[5 / x] == 7) s = 1;
               s = x == 0 ? s : a[5 / x] == 7;
               __VERIFIER_assert({property} && a[0] + a[1] + a[2] + a[3] + a[4] + a[5] == 6); }}"
        )
    };
    let Some(Refinement { end, .. }) = refine(&program("x != 0")) else { return };
    assert!(matches!(end, Ok(Refined::Fails(..))), "{end:?}");
    let Some(Refinement { end, .. }) = refine(&program("s == 0")) else { return };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
}

#[test]
fn a_number_that_is_converted_is_the_cell_that_it_becomes() {
    let program = |operator: &str| {
        format!(
            "int main(void) {{ int a[300]; a[1] = 2; a[(unsigned char)257] = 5; __VERIFIER_assert(a[1] {operator} 5); }}"
        )
    };
    let Some(Refinement { end, .. }) = refine(&program("==")) else { return };
    assert!(matches!(end, Ok(Refined::Holds(_))), "{end:?}");
    let Some(Refinement { end, .. }) = refine(&program("!=")) else { return };
    assert!(matches!(end, Ok(Refined::Fails(..))), "{end:?}");
}

#[test]
fn pointers_where_jumps_go_back_or_into_loops_are_not_taken_for_set_nor_heap_blocks_for_one() {
    let null_behind_a_jump_back =
        "int x; int *p; int main(void) { int bad = 0; int n = __VERIFIER_nondet_int(); goto start;
           back: if (p == 0) bad = 1; goto end;
           start: if (n) p = &x; goto back;
           end: __VERIFIER_assert(bad == 0); }";
    let null_behind_a_jump_into_a_loop =
        "int x; int *p; int main(void) { int bad = 0; int i = 0; if (__VERIFIER_nondet_int()) goto in;
           p = &x; for (i = 0; i < 3; i++) { if (p == 0) bad = 1; in: ; }
           __VERIFIER_assert(bad == 0); }";
    let two_blocks = "extern void *malloc(unsigned long); int main(void) { int *p; int *q; int i = 0;
           again: p = malloc(sizeof(int)); *p = i; if (i == 0) { q = p; i = 1; goto again; }
           __VERIFIER_assert(*q == 1); }";
    for text in [null_behind_a_jump_back, null_behind_a_jump_into_a_loop, two_blocks] {
        let Some(Refinement { end, .. }) = refine(text) else { return };
        assert!(!matches!(end, Ok(Refined::Holds(_))), "{end:?}\n{text}");
    }
}

#[test]
fn an_array_of_unknown_length_without_a_numeral_index_is_given_up() {
    let Some(Refinement { end, .. }) = refine(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; int k = __VERIFIER_nondet_int();
           if (k < 0 || k >= n) return 0; a[k] = 7; __VERIFIER_assert(a[k] == 7); }",
    ) else {
        return;
    };
    assert!(
        matches!(&end, Err(why) if matches!(why, Reason::Undecided(words) if words.contains("whose length is unknown"))),
        "{end:?}"
    );
}

fn config(limit: Duration) -> CheckConfig {
    CheckConfig {
        files: vec!["t.c".into()],
        stacks: vec!["octagon".into()],
        ..CheckConfig::new(&[Stage::Refine], Instant::now() + limit)
    }
}

#[test]
fn a_solver_that_is_missing_or_does_not_know_costs_the_stage_its_answer() {
    let Some((cbmc, _)) = tools() else { return };
    let program = load(&format!("{PRELUDE}{}", string_copy(10, 3, 3)));
    let unknown = Recorded::new(vec![Ok(Answer::Unknown("incomplete".to_owned()))]);
    let broken = Recorded::new(vec![Err(smt::Failure::Late)]);
    let solvers: [(Result<&dyn Solver, String>, &str); 3] = [
        (Ok(&unknown), "(incomplete)"),
        (Ok(&broken), "did not answer"),
        (Err("no SMT solver was found".to_owned()), "no SMT solver was found"),
    ];
    for (solver, said) in solvers {
        let tools = Tools { model: Ok(&cbmc), version: None, solver };
        let config = CheckConfig { stacks: Vec::new(), ..config(Duration::from_secs(60)) };
        let report = stages::check_with(&program, &config, &Silent, tools).unwrap();
        let decided = &report.obligations[0];
        assert_eq!(decided.verdict, Verdict::Unknown);
        assert!(decided.detail(&report.sources).contains(said), "{}", decided.detail(&report.sources));
    }
}

/// A solver that gives wrong answers, always in the same way.
struct Liar(fn(&Script) -> Answer);

impl Solver for Liar {
    fn ask(&self, script: &Script, _deadline: Instant) -> Result<Answer, smt::Failure> {
        Ok(self.0(script))
    }
}

/// The names of some assertions, chosen by their index and the number of assertions.
fn names(script: &Script, choose: fn(usize, usize) -> bool) -> Answer {
    let all = script.assertions.len();
    let chosen = script.assertions.iter().enumerate().filter(|(n, _)| choose(*n, all));
    Answer::Unsatisfiable(chosen.map(|(_, (name, _))| name.clone()).collect())
}

#[test]
fn a_solver_that_lies_costs_answers_and_makes_none() {
    let Some((cbmc, _)) = tools() else { return };
    let liars = [
        Liar(|script| Answer::Satisfiable(vec![Value::Bits(0); script.values.len()])),
        Liar(|script| Answer::Satisfiable(vec![Value::Bits(u128::MAX); script.values.len()])),
        Liar(|script| names(script, |_, _| true)),
        Liar(|script| names(script, |n, _| n == 0)),
        Liar(|script| names(script, |n, all| n + 1 == all)),
        // The question whether a path can be followed asks for no core.
        Liar(|script| {
            if script.core {
                names(script, |_, _| true)
            } else {
                Answer::Satisfiable(vec![Value::Bits(3); script.values.len()])
            }
        }),
    ];
    for (safe, limit) in [(true, 3), (false, 2)] {
        let program = load(&format!("{PRELUDE}{}", string_copy(10, 3, limit)));
        for liar in &liars {
            let tools = Tools { model: Ok(&cbmc), version: None, solver: Ok(liar) };
            let config = CheckConfig { stacks: Vec::new(), ..config(Duration::from_secs(20)) };
            let report = stages::check_with(&program, &config, &Silent, tools).unwrap();
            let decided = &report.obligations[0];
            let wrong = if safe { Verdict::Violated } else { Verdict::Proved };
            assert!(
                decided.verdict != wrong && decided.verdict != Verdict::Unreachable,
                "{}",
                decided.detail(&report.sources)
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_solver_that_crashes_hangs_or_talks_nonsense_costs_the_stage_its_answer() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some((cbmc, _)) = tools() else { return };
    let program = load(&format!("{PRELUDE}{}", string_copy(10, 3, 3)));
    let folder = tempfile::tempdir().unwrap();
    let listen = "while read -r line; do case $line in '(check-sat'*) break ;; esac; done";
    let scripts = [
        ("crashes", "kill -SEGV $$", "gave an incomplete answer"),
        ("ends", "exit 0", "gave an incomplete answer"),
        ("hangs", "sleep 1000", "did not answer within its share"),
        ("unknown", "echo unknown; read -r line; echo '(:reason-unknown incomplete)'", "(incomplete)"),
        ("nonsense", "echo hello", "gave an incomplete answer"),
        (
            "other_values",
            "echo sat; read -r line; echo '((somebody #x00))'",
            "answered a question that it was not asked",
        ),
    ];
    for (name, what, said) in scripts {
        let path = folder.path().join(name);
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Z3 version 4.13.3 - 64 bit'; exit 0; fi\n{listen}\n{what}\n"
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        // A script that another thread is writing during a fork cannot be started for a moment.
        let solver = (0..50).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            smt::find(Some(&path)).ok()
        });
        let solver = solver.expect("it says its version");
        let tools = Tools { model: Ok(&cbmc), version: None, solver: Ok(&solver) };
        let config = CheckConfig { stacks: Vec::new(), ..config(Duration::from_secs(8)) };
        let report = stages::check_with(&program, &config, &Silent, tools).unwrap();
        let decided = &report.obligations[0];
        assert_eq!(decided.verdict, Verdict::Unknown, "{name}");
        assert!(decided.detail(&report.sources).contains(said), "{name}: {}", decided.detail(&report.sources));
    }
}

#[test]
fn a_function_is_looked_at_under_what_it_requires() {
    let Some((cbmc, solver)) = tools() else { return };
    let found = |bound: u32| {
        let text = format!(
            "{PRELUDE} int g[100]; /*@ requires g[4] == 3 && 0 <= k && k + 1 <= {bound}; */
             int f(int k) {{ int i; for (i = k; i < 100; i++) if (g[i] == 3) break; __VERIFIER_assert(i <= 4); return i; }}"
        );
        let options = LowerOptions { preprocess: false, entry: "f".into(), alone: true, ..LowerOptions::default() };
        let program = load_text("t.c", &text, &options).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        stages::refinement(&program, &only(&program), &cbmc, &solver, &[], deadline).unwrap().end
    };
    assert!(matches!(found(5), Ok(Refined::Holds(_))));
    assert!(matches!(found(6), Ok(Refined::Fails(..))));
}

/// The attack `facts-of-short-loops:verdicts:refine` tries more such programs in `scripts/soak`.
#[test]
fn what_refining_proves_no_run_fails() {
    let Some((cbmc, solver)) = tools() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (first, count) = (number("SMALTI_FUZZ_SEED").unwrap_or(1), number("SMALTI_FUZZ_COUNT").unwrap_or(12));
    let (mut proved, mut violated) = (0, 0);
    for seed in first..first + count {
        let sample = program(seed / 2, Target::Shrink, (seed % 2 == 1).then_some(seed % 8));
        let loaded = load(&sample.text);
        let found = SampleOutcome::run(&loaded, &sample, seed, 300);
        let tools = Tools { model: Ok(&cbmc), version: None, solver: Ok(&solver) };
        let report = stages::check_with(&loaded, &config(Duration::from_secs(2)), &Silent, tools).unwrap();
        let decided = &report.obligations[0];
        match decided.verdict {
            Verdict::Proved | Verdict::Unreachable => {
                proved += 1;
                assert!(
                    found != SampleOutcome::Fails,
                    "seed {seed}: {}\n{}",
                    decided.detail(&report.sources),
                    sample.text
                );
            }
            // It was replayed, so it is a violation.
            Verdict::Violated => violated += 1,
            Verdict::Unknown => {}
        }
    }
    println!("{proved} proved, {violated} violated of {count}");
    assert!(proved + violated > 0);
}

#[test]
fn what_is_refuted_has_no_reason_for_being_open() {
    let Some((cbmc, solver)) = tools() else { return };
    let program = load(
        "int main(void) { int x = __VERIFIER_nondet_int(), s = 0;
         for (int i = 0; i < 3; i++) { s++; __VERIFIER_assert(x != 7000 || s < 3); } return 0; }",
    );
    let tools = Tools { model: Ok(&cbmc), version: None, solver: Ok(&solver) };
    let report = stages::check_with(&program, &config(Duration::from_secs(30)), &Silent, tools).unwrap();
    let decided = &report.obligations[0];
    assert_eq!((decided.verdict, &decided.evidence.reasons[..]), (Verdict::Violated, &[][..]));
}
