//! Random programs against loop pruning: nothing that it proves has a failing run.
//!
//! A smoke run of a few seconds; `SMALTI_FUZZ_COUNT=5000 cargo test --test pruning --release -- --nocapture` looks at that many programs, starting with seed
//! `SMALTI_FUZZ_SEED`. A program that is proved is run by the interpreter on many arrays, and given to CBMC as it is.

use smalti::analysis::AnalysisConfig;
use smalti::cbmc::{self, EmitOptions, ModelChecker, PropertyAnswer, Purpose, Query, Sizes, Tuning, Undefined, emit};
use smalti::fuzz::pruning::{Size, failing_run, program};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{DataModel, ObligationKind, Program, obligations};
use smalti::reduce::normal::normalise;
use smalti::reduce::prune::prune;
use smalti::stages::{CheckConfig, Silent, check};
use smalti::verdict::{Stage, Verdict};
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn load(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
}

/// Whether CBMC is there; where it must be, it is.
fn has_cbmc() -> bool {
    let there = cbmc::find(None).is_ok();
    if !there {
        println!("skipped: CBMC is not on this machine");
        assert!(std::env::var_os("CI").is_none(), "CBMC is missing, and CI is set");
    }
    there
}

fn decided(program: &Program) -> (Verdict, String) {
    let config = CheckConfig {
        files: vec!["t.c".into()],
        checks: vec![ObligationKind::Assertion],
        stages: vec![Stage::Prune],
        deadline: Instant::now() + Duration::from_secs(20),
        cbmc: None,
        solver: None,
        assume_invariants: true,
        stacks: vec![smalti_stack::default_stack().to_owned()],
        analysis: AnalysisConfig::default(),
    };
    let report = check(program, &config, &Silent).expect("a report");
    let decided = &report.obligations[0];
    (decided.verdict, decided.evidence.detail.clone())
}

/// Whether CBMC finds a failing run of the program itself, in so many iterations.
fn really_fails(program: &Program, unwind: u32) -> bool {
    let all = obligations(program, &[ObligationKind::Assertion]);
    let options = EmitOptions {
        obligations: &all,
        purpose: Purpose::Decide,
        undefined: Undefined::Ends,
        sizes: Sizes::AtMost(40),
        log_heap: false,
    };
    let emitted = emit(program, &options);
    let query = Query {
        source: emitted.source.clone(),
        properties: emitted.properties.keys().cloned().collect(),
        data_model: DataModel::default(),
        unwind,
        unwinding_assertions: false,
        stop_at_failure: false,
        tuning: Tuning::Plain,
    };
    let cbmc = cbmc::find(None).expect("CBMC");
    match cbmc.run(&query, Instant::now() + Duration::from_secs(10)) {
        Ok(answer) => answer.properties.values().any(|a| matches!(a, PropertyAnswer::Fails(_))),
        // Too hard: the interpreter has looked.
        Err(_) => false,
    }
}

#[test]
fn what_pruning_proves_has_no_failing_run() {
    if !has_cbmc() {
        return;
    }
    let start = Instant::now();
    let (count, first) = (number("SMALTI_FUZZ_COUNT"), number("SMALTI_FUZZ_SEED").unwrap_or(1));
    let (mut seen, mut shortened, mut proved, mut unsafe_ones, mut refused) = (0u64, 0u64, 0u64, 0u64, 0u64);
    for seed in first.. {
        match count {
            Some(count) if seen >= count => break,
            None if start.elapsed() > Duration::from_secs(5) && seen > 0 => break,
            _ => {}
        }
        seen += 1;
        let size = match seed % 4 {
            0 => Size::Input,
            1 => Size::Constant(14),
            2 => Size::Constant(22),
            _ => Size::Constant(34),
        };
        let text = program(seed, size);
        let loaded = load(&text);
        let key = smalti::program::AssertionId(0);
        match normalise(&loaded, key).and_then(|normal| prune(&normal, key)) {
            Err(_) => {
                refused += 1;
                continue;
            }
            Ok(pruned) => shortened += u64::from(!pruned.explanation.complete),
        }
        let fails = failing_run(&loaded, seed, 120);
        let (verdict, detail) = decided(&loaded);
        if verdict == Verdict::Proved {
            proved += 1;
            assert!(fails.is_none(), "seed {seed}: proved ({detail}), and run {fails:?} fails:\n{text}");
            assert!(
                !really_fails(&loaded, 36),
                "seed {seed}: proved ({detail}), and CBMC finds a failing run:\n{text}"
            );
        } else if fails.is_some() {
            unsafe_ones += 1;
        }
    }
    println!(
        "{seen} programs, {refused} refused, {shortened} shortened, {proved} proved, {unsafe_ones} with a failing run in {:?}",
        start.elapsed()
    );
    assert!(proved > 0 && unsafe_ones > 0 && shortened > 0, "the generator makes nothing that can be decided");
}

/// `n` is an input from `least` to 1000.
fn with_input(least: u32, body: &str) -> Program {
    load(&format!(
        "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void __VERIFIER_assert(int);
         int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume({least} <= n && n <= 1000);
         int a[n + 2], x = 1, y = 1, i; {body} return 0; }}"
    ))
}

#[test]
fn what_fails_only_for_the_smallest_sizes_is_not_proved() {
    if !has_cbmc() {
        return;
    }
    let no_iteration = "for (i = 0; i < n; i++) x = 0; __VERIFIER_assert(x == 0);";
    let one_iteration =
        "for (i = 0; i < n; i++) x = 0; for (i = 1; i < n; i++) y = 0; __VERIFIER_assert(x == 1 || y == 0);";
    let reads_the_second = "for (i = 0; i < n; i++) a[i] = 7; __VERIFIER_assert(n < 1 || a[1] == 7);";
    for (least, body) in [(0, no_iteration), (1, one_iteration), (1, reads_the_second)] {
        assert_eq!(decided(&with_input(least, body)).0, Verdict::Unknown, "{body}");
        let (verdict, why) = decided(&with_input(least + 1, body));
        assert_eq!(verdict, Verdict::Proved, "{body}: {why}");
    }
}

#[test]
fn what_fails_only_in_a_long_run_is_not_proved() {
    if !has_cbmc() {
        return;
    }
    let program = |body: &str| {
        load(&format!(
            "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
             int main(void) {{ unsigned char c[1000]; unsigned s = 0, t = 0; int a[1000], b[1000], m = -5, x, i; {body} return 0; }}"
        ))
    };
    // More than ten cells can add up to.
    let sum = "for (i = 0; i < 1000; i++) s = s + c[i]; __VERIFIER_assert(s <= 255 * 30);";
    assert_eq!(decided(&program(sum)).0, Verdict::Unknown);
    // In steps of at most 1, further than a short run comes.
    let steps = "for (i = 0; i < 999; i++) b[i] = a[i + 1] - a[i];
                 for (i = 0; i < 999; i++) if (m < b[i]) m = b[i];
                 for (i = 0; i < 1000; i++) x = a[i];
                 __VERIFIER_assert(!(m <= 1 && a[0] == 0 && x >= 500 && x < 2000));";
    assert_eq!(decided(&program(steps)).0, Verdict::Unknown);
    // Sums that wrap around are the same all the same.
    let equal = "for (i = 0; i < 1000; i++) s = s + a[i]; for (i = 999; i < 1000; i++) x = 1;
                 for (i = 0; i < 1000; i++) t = t + a[i]; __VERIFIER_assert(s == t);";
    let equal = equal.replace("for (i = 999; i < 1000; i++) x = 1;", "");
    assert_eq!(decided(&program(&equal)).0, Verdict::Proved);
}
