//! Compares the front end, the printer and the interpreter together with gcc: random programs are
//! lowered, printed as C, compiled with gcc's sanitizers, and run on the same inputs as in the
//! interpreter.
//!
//! `SMALTI_FUZZ_COUNT` sets the number of programs, `SMALTI_FUZZ_SEED` the first seed.

use smalti::fuzz::{Agreement, Case, Config, Random, compare, program};
use smalti::inline::inline;
use smalti::lower::{LowerOptions, load_text};
use smalti::program::Program;
use std::collections::BTreeMap;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Some lists of inputs for a program.
fn inputs(seed: u64) -> Vec<Vec<i128>> {
    let mut random = Random::new(seed ^ 0x5EED);
    (0..4).map(|_| (0..200).map(|_| random.interesting()).collect()).collect()
}

/// The number of programs in one file for the compiler.
const BATCH: u64 = 12;

#[test]
fn the_interpreter_does_what_gcc_does() {
    let count = number("SMALTI_FUZZ_COUNT", 4);
    let first = number("SMALTI_FUZZ_SEED", 0);
    let config = Config::default();
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let folder = tempfile::tempdir().unwrap();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut seed = first;
    while seed < first + count {
        let end = (seed + BATCH).min(first + count);
        let mut programs: Vec<(u64, Program)> = Vec::new();
        for seed in seed..end {
            match load_text(&format!("{seed}.c"), &program(seed, &config), &options) {
                Ok(p) => {
                    let inlined = inline(&p).program;
                    programs.push((seed, p));
                    programs.push((seed, inlined));
                }
                Err(e) => failures.push(format!("seed {seed}: not accepted: {e}")),
            }
        }
        let mut cases = Vec::new();
        for (n, (seed, _)) in programs.iter().enumerate() {
            // The same inputs for the program and for the one with its calls inlined.
            cases.extend(inputs(*seed).into_iter().map(|inputs| Case { program: n, inputs }));
        }
        let all: Vec<&Program> = programs.iter().map(|(_, p)| p).collect();
        match compare(&all, &cases, folder.path()) {
            Err(e) => failures.push(format!("seeds {seed}..{end}: {e}")),
            Ok(comparisons) => {
                for c in comparisons {
                    let kind = match &c.agreement {
                        Agreement::Same => format!("same: {}", format!("{:?}", c.gcc).split('(').next().unwrap_or("")),
                        Agreement::Open(reason) => format!("open: {reason}"),
                        Agreement::Unseen => "undefined, unseen by gcc".to_owned(),
                        Agreement::Different => {
                            let seed = programs[c.case.program].0;
                            let inlined = if c.case.program % 2 == 1 { " inlined" } else { "" };
                            failures.push(format!(
                                "seed {seed}{inlined}, inputs {:?}…: interpreter {:?}, gcc {:?}",
                                &c.case.inputs[..8],
                                c.interpreter,
                                c.gcc
                            ));
                            "different".to_owned()
                        }
                    };
                    *reasons.entry(kind).or_default() += 1;
                }
            }
        }
        seed = end;
    }
    println!("{reasons:#?}");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
#[ignore = "prints the program of SMALTI_FUZZ_SEED, as generated and as printed"]
fn show() {
    let text = program(number("SMALTI_FUZZ_SEED", 0), &Config::default());
    println!("{text}");
    for list in inputs(number("SMALTI_FUZZ_SEED", 0)) {
        println!("inputs {}", list.iter().map(i128::to_string).collect::<Vec<_>>().join(" "));
    }
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    println!("{}", smalti::program::print::gcc_harness(&load_text("seed.c", &text, &options).unwrap()));
}
