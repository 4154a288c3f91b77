//! Writes what a summary says into the program as annotations, and runs that: none may fail.

use super::resolved::run;
use crate::fuzz::attack::load;
use crate::interpreter::{Limits, Outcome};
use crate::program::Program;
use crate::reduce::normal::Inlined;
use crate::report;
use crate::summary::Summary;

/// The number of runs.
const RUNS: u64 = 8;

/// Runs the program with annotations.
///
/// # Errors
/// The description of a bug: an annotation that is not accepted, or that fails in a run of the
/// program that ends well.
pub(super) fn hold(program: &Program, inlined: &Inlined, seed: u64, limits: &Limits) -> Result<(), String> {
    let Ok(summary) = Summary::with_heads(inlined, || false) else { return Ok(()) };
    let annotations = report::Annotation::of_clauses(program, summary.clauses(program, inlined));
    let text = report::acsl(&program.sources, 1, &annotations).listing();
    let annotated = load(&text, program.data_model).map_err(|e| format!("with annotations it is {e}\n{text}"))?;
    for seed in (0..RUNS).map(|n| seed.wrapping_add(n)) {
        let (plain, _) = run(program, seed, limits);
        if plain.havocs > 0 || !matches!(plain.outcome, Outcome::Finished | Outcome::Stopped) {
            continue;
        }
        if let Outcome::AssertionFailed(id) = run(&annotated, seed, limits).0.outcome {
            let failed = &annotated.assertion(id).condition;
            return Err(format!("`{failed}` fails in a run:\n{text}"));
        }
    }
    Ok(())
}
