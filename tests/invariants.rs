//! The formulas that `smalti invariants` prints hold in every run that passes their place: on random programs, and on the programs of
//! `tests/programs`.
//!
//! `SMALTI_FUZZ_COUNT=10000 cargo test --test invariants --release` looks at that many random programs for each stack, starting with
//! seed `SMALTI_FUZZ_SEED`.

use smalti::analysis::AnalysisConfig;
use smalti::fuzz::{self, oracle};
use smalti::lower::{LowerOptions, load_text};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Lowering and analysis recurse over the nesting of the source.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    worker.expect("a thread").join().expect("no false formula");
}

fn config(stack: &str, seconds: u64) -> AnalysisConfig {
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    AnalysisConfig { stack: Some(stack.to_owned()), deadline, ..AnalysisConfig::default() }
}

fn hold_on_random_programs(stack: &'static str) {
    with_stack(move || {
        let (count, first) = (number("SMALTI_FUZZ_COUNT"), number("SMALTI_FUZZ_SEED").unwrap_or(1));
        let start = Instant::now();
        let (mut programs, mut ranges, mut looked) = (0u64, 0, 0);
        for seed in first.. {
            match count {
                Some(count) if programs >= count => break,
                None if start.elapsed() > Duration::from_secs(2) && looked > 0 || programs > 200 => break,
                _ => {}
            }
            let text = fuzz::program(seed, &fuzz::Config { statements: 24, ..fuzz::Config::default() });
            let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
            let program = load_text("random.c", &text, &options).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            let found = oracle::check_invariants(&program, &config(stack, 10), seed, 8)
                .unwrap_or_else(|bug| panic!("seed {seed}, stack {stack}: {bug}\n{text}"));
            ranges += found.ranges;
            looked += found.looked;
            programs += 1;
        }
        println!("{stack}: {programs} programs, {ranges} formulas over ranges, {looked} looks, nothing false");
        assert!(looked > 0, "formulas that no run comes to are not tested by this");
    });
}

#[test]
fn formulas_from_groups_over_octagons_hold_on_random_programs() {
    hold_on_random_programs("partition/octagon");
}

#[test]
fn formulas_from_groups_over_boxes_hold_on_random_programs() {
    hold_on_random_programs("partition/box");
}

#[test]
fn formulas_from_summaries_hold_on_random_programs() {
    hold_on_random_programs("smash/octagon");
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the tests") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn formulas_hold_on_the_programs_of_the_tests() {
    with_stack(|| {
        let mut files = Vec::new();
        c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs"), &mut files);
        files.sort();
        let (mut accepted, mut ranges, mut looked) = (0, 0, 0);
        for (seed, path) in (1..).zip(&files) {
            let text = std::fs::read_to_string(path).expect("a readable program");
            let prelude = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); ";
            let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
            let Ok(program) = load_text("x.c", &format!("{prelude}{text}"), &options) else { continue };
            let found = oracle::check_invariants(&program, &config("partition/octagon", 10), seed, 4)
                .unwrap_or_else(|bug| panic!("{}: {bug}", path.display()));
            accepted += 1;
            ranges += found.ranges;
            looked += found.looked;
        }
        println!("{accepted} of {} programs, {ranges} formulas over ranges, {looked} looks", files.len());
        assert!(accepted * 2 > files.len(), "most programs of the tests are no longer read: {accepted}");
        assert!(ranges >= 40 && looked > 1000, "{ranges} formulas over ranges, {looked} looks");
    });
}
