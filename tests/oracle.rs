//! Random programs against the analyser: no state outside the abstract state, nothing proved that fails.
//!
//! A smoke run of about a second for each stack; `SMALTI_FUZZ_COUNT=10000 cargo test --test oracle --release` looks at that many
//! programs for each stack, starting with seed `SMALTI_FUZZ_SEED`; `SMALTI_FUZZ_STATEMENTS` sets about how long they are.

use smalti::analysis::AnalysisConfig;
use smalti::fuzz::{self, oracle};
use smalti::lower::{LowerOptions, load_text};
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn hold(stack: &str) {
    hold_for(stack, fuzz::Config::default());
}

/// Programs over a table whose fields are indexes of it.
fn hold_tables(stack: &str) {
    hold_for(stack, fuzz::Config { tables: true, ..fuzz::Config::default() });
}

/// Programs with annotations about the cells of arrays.
fn hold_specifications(stack: &str) {
    hold_for(stack, fuzz::Config { specifications: true, ..fuzz::Config::default() });
}

fn hold_for(stack: &str, shape: fuzz::Config) {
    let _ = env_logger::builder().is_test(true).try_init();
    if let Err(why) = smalti_stack::open(stack) {
        assert!(std::env::var_os("CI").is_none() || std::env::var_os("SMALTI_WITHOUT_APRON").is_some(), "{why}");
        println!("skipped: {why}");
        return;
    }
    let stack = stack.to_owned();
    // Lowering and analysis recurse over the nesting of the source.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || run(&stack, shape));
    worker.expect("a thread").join().expect("no soundness bug");
}

fn run(stack: &str, mut shape: fuzz::Config) {
    let start = Instant::now();
    let (count, first) = (number("SMALTI_FUZZ_COUNT"), number("SMALTI_FUZZ_SEED").unwrap_or(1));
    if let Some(statements) = number("SMALTI_FUZZ_STATEMENTS").and_then(|n| n.try_into().ok()) {
        shape.statements = statements;
    }
    let (mut programs, mut proved, mut obligations, mut runs, mut unverified) = (0u64, 0u64, 0u64, 0u64, 0u64);
    // Finding out which groups are which is a bounded search, and a polyhedron that outgrows its limit says less from then on: then
    // an inclusion may not be seen.
    let exact = !stack.contains("partition") && !stack.contains("polyhedra");
    for seed in first.. {
        match count {
            Some(count) if programs >= count => break,
            None if start.elapsed() > Duration::from_secs(1) && programs > 0 => break,
            _ => {}
        }
        let text = fuzz::program(seed, &shape);
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program =
            load_text("random.c", &text, &options).unwrap_or_else(|e| panic!("seed {seed}: not accepted: {e}\n{text}"));
        // Relational domains may need minutes for one large program; what is given up in time is sound too.
        let deadline = Some(Instant::now() + Duration::from_secs(if count.is_some() { 20 } else { 2 }));
        let config =
            AnalysisConfig { stack: Some(stack.to_owned()), verify: true, deadline, ..AnalysisConfig::default() };
        match oracle::check(&program, &config, seed, 12) {
            Ok(looked) => {
                assert!(
                    !looked.unverified || !exact,
                    "seed {seed}, stack {stack}: the result failed its check\n{text}"
                );
                unverified += u64::from(looked.unverified);
                proved += u64::from(looked.proved);
                obligations += u64::from(looked.obligations);
                runs += u64::from(looked.runs);
            }
            Err(bug) => panic!("seed {seed}, stack {stack}: {bug}\n{text}"),
        }
        programs += 1;
    }
    println!(
        "{stack}: {programs} programs, {runs} runs, {proved} of {obligations} obligations proved, {unverified} results given up, \
         nothing false"
    );
    // Each question to a polyhedron can be the one that outgrows the limit, after which even what was known is not known any more.
    assert!(
        stack.contains("polyhedra") || unverified <= 1 + programs / 50,
        "the check of the fixpoint fails too often"
    );
    assert!(proved > 0, "an analysis that proves nothing is not tested by this");
}

#[test]
fn random_programs_stay_inside_smash_over_boxes() {
    hold("smash/box");
}

#[test]
fn random_programs_stay_inside_boxes_without_arrays() {
    hold("box");
}

#[test]
fn random_programs_stay_inside_smash_over_octagons() {
    hold("smash/octagon");
}

#[test]
fn random_programs_stay_inside_smash_over_apron_octagons() {
    hold("smash/apron-octagon");
}

#[test]
fn random_programs_stay_inside_smash_over_apron_polyhedra() {
    hold("smash/apron-polyhedra");
}

#[test]
fn random_programs_stay_inside_groups_over_boxes() {
    hold("partition/box");
}

#[test]
fn random_programs_stay_inside_groups_over_apron_octagons() {
    hold("partition/apron-octagon");
}

#[test]
fn random_programs_stay_inside_groups_over_apron_polyhedra() {
    hold("partition/apron-polyhedra");
}

#[test]
fn random_programs_stay_inside_groups_over_octagons() {
    hold("partition/octagon");
}

#[test]
fn random_tables_stay_inside_smash_over_octagons() {
    hold_tables("smash/octagon");
}

#[test]
fn random_tables_stay_inside_groups_over_boxes() {
    hold_tables("partition/box");
}

#[test]
fn random_tables_stay_inside_groups_over_octagons() {
    hold_tables("partition/octagon");
}

#[test]
fn relations_in_tables_hold_over_octagons() {
    hold_tables("relation/partition/octagon");
}

#[test]
fn relations_in_tables_hold_over_boxes() {
    hold_tables("relation/partition/box");
}

#[test]
fn relations_hold_over_octagons() {
    hold("relation/partition/octagon");
}

#[test]
fn random_tables_stay_inside_groups_over_apron_polyhedra() {
    hold_tables("partition/apron-polyhedra");
}

#[test]
fn random_specifications_stay_inside_smash_over_octagons() {
    hold_specifications("smash/octagon");
}

#[test]
fn random_specifications_stay_inside_groups_over_boxes() {
    hold_specifications("partition/box");
}

#[test]
fn random_specifications_stay_inside_groups_over_octagons() {
    hold_specifications("partition/octagon");
}

#[test]
fn random_specifications_stay_inside_relations_over_octagons() {
    hold_specifications("relation/partition/octagon");
}
