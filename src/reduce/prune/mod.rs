//! Loop pruning: a program whose loops run only their first few iterations, and fails where the program does (Kumar, *Scaling up Property
//! Checking*, PhD thesis, IIT Bombay 2019, chapter 9).
//!
//! **Meaning.** Every run of the program that is free of undefined behaviour and fails at the assertion has a failing run of the pruned
//! program, under total arithmetic (signed operations wrap around, arrays have no ends). So a proof about the pruned program is one about the program; a failing
//! run is a hint.
//!
//! **Representation.** A [`Normal`] is cut down to what the assertion depends on ([`relevant`]), read as definitions, conditions and uses ([`model`], [`build`]: the syntactic
//! constraints), looked at loop by loop ([`flow`]: spans and variable dependence) and as a whole ([`contents`], [`bound`]: the semantic constraints and the bound),
//! with [`patterns`] of dependence that can be replayed; [`output`] writes the pruned program.
//!
//! **Sources, and where we differ.** See [`bound`] for the proof, which is the thesis' (9.6) with gaps closed. Beyond the thesis: bounds `n + c` with one unknown `n` (the theorem
//! is applied for each `n`; all differences of bounds are constants, and with step 1 Γ is one number; where `n` is so small that Γ is not below the loops' ends, `counter < end && counter <= Γ`
//! is the whole loop), inputs in loops (an input is the cell, at distance 0, of an array of its own), `else`, conditions on the counter's remainder and on its
//! comparison with constants, cleared arrays, assertions behind loops.
//!
//! **Limits.** Assumptions inside loops are dropped (more runs: sound); a loop that can be left early, counters as values, and loops in both directions are refused.

mod bound;
mod build;
mod contents;
mod explain;
mod flow;
mod model;
mod output;
mod patterns;
mod range;
mod relevant;
mod terms;
#[cfg(test)]
mod tests;

pub use explain::{Explanation, LoopExplanation, Span};

use super::Refusal;
use super::normal::{Normal, Part};
use crate::program::{AssertionId, Program};

/// A program whose loops are pruned.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The program. It has the assertion, and no other.
    pub program: Program,
    /// An unwinding that follows all its loops to their ends.
    pub unwinding: u32,
    /// Why it stands for the program.
    pub explanation: Explanation,
}

/// The most iterations that a pruned loop may have.
const MOST_ITERATIONS: i128 = 1000;

/// Prunes the loops of a program.
///
/// # Errors
/// The condition that fails, and where.
pub fn prune(normal: &Normal, assertion: AssertionId) -> Result<Pruned, Refusal> {
    let mut program = normal.program.clone();
    let mut parts = vec![Part::Straight(std::mem::take(&mut program.initialisers))];
    parts.extend(normal.parts.iter().cloned());
    let parts = relevant::relevant(&parts, assertion);
    let parts: Vec<Part> = parts.into_iter().filter(|p| !build::runs_never(&program, p)).collect();
    let model = build::build(&program, &parts, assertion)?;
    range::check(&program, &model)?;
    let patterns = patterns::Patterns::find(&model, program.data_model);
    let names = explain::Names { program: &program, model: &model, parts: &parts };
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
    let program = output::pruned(&program, &parts, &model, &bound)?;
    // One test more than there are iterations.
    let unwinding = u32::try_from(iterations + 2).unwrap_or(u32::MAX);
    Ok(Pruned { program, unwinding, explanation })
}
