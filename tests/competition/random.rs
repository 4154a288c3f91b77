//! Invariants of witnesses of random programs: the C expressions at a loop are true whenever a run
//! reaches it.

use crate::source::{Position, with_invariants_as};
use smalti::analysis::{self, AllowedNames, AnalysisConfig, c_expression};
use smalti::fuzz::{Config, Random, program};
use smalti::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Outcome};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{InputId, Location, Program, Type};
use std::time::{Duration, Instant};

/// Values that depend on what the interpreter asks for, and for inputs on their order.
struct Values {
    seed: u64,
    inputs: Random,
}

impl Environment for Values {
    fn input(&mut self, _input: InputId, _ty: &Type, _at: Location) -> i128 {
        self.inputs.interesting()
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, _ty: &Type) -> i128 {
        let (kind, number, execution) = match origin.object {
            ObjectOrigin::Variable { variable, execution } => (1, variable.0, execution),
            ObjectOrigin::Heap { site, execution } => (2, site.0, execution),
            // Its cells have all been written.
            ObjectOrigin::Outside => (3, 0, 0),
        };
        let mix = u64::from(number) * 31 + execution * 7 + origin.leaf * 3 + kind;
        Random::new(self.seed ^ mix.wrapping_mul(0x9e37_79b9_7f4a_7c15)).interesting()
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }
}

/// How a run ends, without numbers that differ between a program and its copy.
fn end(program: &Program, seed: u64) -> (&'static str, String) {
    let mut values = Values { seed, inputs: Random::new(seed) };
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let outcome = interpreter::run(program, &mut values, &mut (), &limits).outcome;
    match outcome {
        Outcome::Finished | Outcome::Stopped => ("ends", String::new()),
        Outcome::AssertionFailed(id) => ("fails", program.assertion(id).condition.clone()),
        Outcome::AssumptionFailed | Outcome::Excluded { .. } => ("is not considered", String::new()),
        Outcome::Undefined { kind, location, .. } => ("is undefined", format!("{kind} in line {}", location.line)),
        Outcome::LimitReached(_) => ("is long", String::new()),
        Outcome::Unsupported { .. } => ("is not understood", String::new()),
    }
}

#[test]
fn expressions_hold_in_runs_of_random_programs() {
    let work = || {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let until = Instant::now() + Duration::from_secs(15);
        let (mut programs, mut expressions, mut runs) = (0, 0, 0);
        for seed in 0..400 {
            if Instant::now() > until {
                break;
            }
            let text = program(seed, &Config::default());
            let Ok(original) = load_text("x.c", &text, &options) else { continue };
            let config = AnalysisConfig {
                stack: Some(if seed % 4 == 0 { "smash/octagon" } else { "smash/box" }.into()),
                deadline: Some(Instant::now() + Duration::from_secs(4)),
                ..AnalysisConfig::default()
            };
            let Ok(found) = analysis::invariants(&original, &config, AllowedNames::Witness) else { continue };
            let invariants: Vec<(Position, String)> = found
                .places
                .iter()
                .filter(|i| !i.unreachable && ["for", "while", "do"].contains(&original.sources.word(i.location)))
                .filter_map(|i| {
                    let place = Position { line: i.location.line as usize, column: i.location.column as usize };
                    Some((place, c_expression(&i.formulas, &i.atoms)?))
                })
                .collect();
            if invariants.is_empty() {
                continue;
            }
            let copy = with_invariants_as(&text, &invariants, "__VERIFIER_assert");
            let looked = load_text("x.c", &copy, &options).unwrap_or_else(|e| panic!("{e}\n{copy}"));
            programs += 1;
            expressions += invariants.len();
            for run in 0..8 {
                let (before, after) = (end(&original, run), end(&looked, run));
                runs += 1;
                // A copy executes more statements, so it may reach a limit earlier.
                if after.0 != "is long" && before.0 != "is long" {
                    assert_eq!(before, after, "seed {seed}, run {run}\n{copy}");
                }
            }
        }
        println!("{programs} programs, {expressions} expressions, {runs} runs");
        assert!(programs >= 3 && expressions >= 5, "{programs} programs, {expressions} expressions");
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    thread.join().expect("no expression is false");
}
