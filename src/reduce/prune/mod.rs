//! Loop pruning: makes a program whose loops run only their first few iterations, and which fails
//! if the original program does (Kumar, *Scaling up Property Checking*, PhD thesis, IIT Bombay
//! 2019, chapter 9).
//!
//! **Meaning.** Take a run of the program that is free of undefined behaviour and fails at the
//! assertion. The pruned program then has a failing run under total arithmetic (signed operations
//! wrap around, arrays have no ends). So a proof about the pruned program is one about the program.
//! A failing run is only a hint.
//!
//! **Representation.** A [`Normal`] is reduced to what the assertion depends on ([`relevant`]). It
//! is read as definitions, conditions and uses ([`model`], [`build`]: the syntactic constraints).
//! It is analysed loop by loop ([`flow`]: spans and variable dependence) and as a whole
//! ([`contents`], [`bound`]: the semantic constraints and the bound). [`patterns`] finds dependence
//! that can be replayed. [`output`] writes the pruned program.
//!
//! **Sources, and where we differ.** See [`bound`] for the proof, which is the thesis' (9.6) with
//! gaps closed. These points go beyond the thesis:
//!
//! * Bounds `n + c` with one unknown `n`. The theorem is applied for each `n`: all differences of
//!   bounds are constants, and up to Θ Γ is one number. If `n` is so small that Γ is not below the
//!   loops' ends, `counter < end && counter <= Γ` is the whole loop.
//! * Inputs in loops: an input is the cell, at distance 0, of an array of its own.
//! * `else`, cleared arrays, and assertions after loops.
//! * Conditions on the counter's remainder and on its comparison with constants.
//! * Bounds with steps other than 1: a multiple of Θ is taken off `n`.
//! * Assumptions inside loops. They are kept if they read cells at one distance, else dropped (more
//!   runs: sound).
//! * Counters as values: they are cells of an array whose contents are arbitrary ([`counters`]).
//! * An assertion about one arbitrary cell, which becomes a loop ([`witness`]).
//!
//! **Limits.** A loop that can be left early is refused, and so are loops in both directions.

mod bound;
mod build;
mod contents;
mod counters;
mod explain;
mod flow;
mod model;
mod operands;
mod output;
mod patterns;
mod range;
mod relevant;
mod terms;
#[cfg(test)]
mod tests;
mod witness;

pub use explain::{Explanation, LoopExplanation, Span};

use super::Refusal;
use super::normal::{Normal, NormalPart};
use crate::program::{AssertionId, Program};
use counters::Keep;

/// A program whose loops are pruned.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The program. It has the assertion, and no other.
    pub program: Program,
    /// An unwinding bound that lets all its loops run to their ends.
    pub unwinding: u32,
    /// Why the pruned program stands for the original one.
    pub explanation: Explanation,
}

/// The most iterations that a pruned loop may have.
const MOST_ITERATIONS: i128 = 1000;

/// Prunes the loops of a program.
///
/// # Errors
/// The condition that fails, and its location.
pub fn prune(normal: &Normal, assertion: AssertionId) -> Result<Pruned, Refusal> {
    let mut program = normal.program.clone();
    let mut parts = vec![NormalPart::Straight(std::mem::take(&mut program.initialisers))];
    parts.extend(normal.parts.iter().cloned());
    // First only what is irrelevant is left out, then also the assumptions that the proof does not
    // cover.
    let is_assumed = parts.iter().any(|p| matches!(p, NormalPart::Loop(l) if terms::assumes(&l.body)));
    let mut refusal = None;
    for assumed in [true, false].into_iter().filter(|assumed| !assumed || is_assumed) {
        let mut parts = relevant::relevant(&parts, assertion, assumed);
        parts.retain(|p| !build::runs_never(&program, p));
        if let Some(looped) = witness::as_loop(&program, &parts) {
            parts = looped;
        }
        for keep in [Keep::Conditions, Keep::Nothing] {
            if keep == Keep::Nothing && !counters::has_conditions(&parts) {
                continue;
            }
            let mut program = program.clone();
            let parts = counters::as_cells(&mut program, &parts, keep).unwrap_or_else(|| parts.clone());
            match pruned(&program, &parts, assertion) {
                Ok(pruned) => return Ok(pruned),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
    }
    Err(refusal.unwrap_or_else(|| Refusal::of_all("the program has no loop")))
}

fn pruned(program: &Program, parts: &[NormalPart], assertion: AssertionId) -> Result<Pruned, Refusal> {
    let model = build::build(program, parts, assertion)?;
    range::check(program, &model)?;
    let patterns = patterns::Patterns::find(&model, program.data_model);
    let names = explain::ModelNames { program, model: &model, parts };
    let bound = bound::bound(&model, &patterns, &|operand| names.operand(operand))?;
    let iterations = output::iterations(&model, &bound);
    if iterations > MOST_ITERATIONS {
        let at = model.loops().next().map(|l| l.location);
        let reason = if bound.complete {
            format!(
                "the bound Γ = {} is not below the loops' ends, and {iterations} iterations are too many",
                bound.gamma
            )
        } else {
            format!("the bound Γ = {} leaves {iterations} iterations, which are too many", bound.gamma)
        };
        return Err(Refusal { reason, location: at });
    }
    let explanation = explain::explain(&names, &patterns, &bound);
    let program = output::pruned(program, parts, &model, &bound)?;
    // One test more than there are iterations.
    let unwinding = u32::try_from(iterations + 2).unwrap_or(u32::MAX);
    Ok(Pruned { program, unwinding, explanation })
}
