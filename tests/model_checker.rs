//! Random programs against CBMC on the exact program: nothing proved that fails, nothing refuted that does not.
//!
//! A smoke run of about a second; `SMALTI_FUZZ_COUNT=1000 cargo test --test model_checker --release` looks at that many programs,
//! starting with seed `SMALTI_FUZZ_SEED`; `SMALTI_FUZZ_STATEMENTS` sets about how long they are.

use smalti::fuzz::{self, checked};
use smalti::lower::{LowerOptions, load_text};
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn run() {
    let cbmc = match smalti::cbmc::find(None) {
        Ok(cbmc) => cbmc,
        Err(why) => {
            assert!(std::env::var_os("CI").is_none(), "{why}");
            println!("skipped: {why}");
            return;
        }
    };
    let start = Instant::now();
    let (count, first) = (number("SMALTI_FUZZ_COUNT"), number("SMALTI_FUZZ_SEED").unwrap_or(1));
    let statements = number("SMALTI_FUZZ_STATEMENTS").and_then(|n| n.try_into().ok()).unwrap_or(8);
    let shape = fuzz::Config { statements, ..fuzz::Config::default() };
    let patience = Duration::from_secs(if count.is_some() { 10 } else { 1 });
    let (mut programs, mut proved, mut violated, mut obligations) = (0u64, 0u64, 0u64, 0u64);
    let mut bugs = Vec::new();
    for seed in first.. {
        match count {
            Some(count) if programs >= count => break,
            None if start.elapsed() > Duration::from_secs(1) && proved > 0 => break,
            _ => {}
        }
        let text = fuzz::program(seed, &shape);
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program =
            load_text("random.c", &text, &options).unwrap_or_else(|e| panic!("seed {seed}: not accepted: {e}\n{text}"));
        match checked::check(&program, &cbmc, seed, 24, Instant::now() + patience) {
            Ok(looked) => {
                proved += u64::from(looked.proved);
                violated += u64::from(looked.violated);
                obligations += u64::from(looked.obligations);
            }
            // All of them, so that one night shows all.
            Err(bug) => bugs.push(format!("seed {seed}: {bug}\n{text}")),
        }
        programs += 1;
    }
    println!("{programs} programs: {proved} of {obligations} obligations proved, {violated} refuted");
    assert!(bugs.is_empty(), "{} bugs\n{}", bugs.len(), bugs.join("\n"));
    assert!(proved > 0, "a stage that proves nothing is not tested by this");
}

#[test]
fn what_cbmc_says_of_random_programs_agrees_with_the_interpreter() {
    // Lowering recurses over the nesting of the source.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(run);
    worker.expect("a thread").join().expect("no disagreement");
}
