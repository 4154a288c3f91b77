//! The stage `summary`: proves assertions by the exact values that loops compute.
//!
//! The values are those of runs without undefined behaviour, so a proof needs a run that reaches
//! the assertion, unless every operation before it is known to be defined. It says nothing of the
//! checks of operations, which such values presume.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use crate::clock;
use crate::program::Program;
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::smt::Solver;
use crate::summary::{Decision, OpenReason, Prover, Summary};
use crate::verdict::{Late, Reason, Tool};
use smalti_terms::Facts;
use std::cell::LazyCell;
use std::time::Instant;

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    solver: &Result<&dyn Solver, String>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let summary = LazyCell::new(|| {
        let summary = Summary::of(inlined, move || clock::now() >= deadline)?;
        if log::log_enabled!(log::Level::Debug) {
            tell(inlined.parts()?.0, &summary);
        }
        Ok(summary)
    });
    board.each_assertion(deadline, |obligation, assertion, until, board| {
        board.working("what the loops compute");
        let summary = summary.as_ref().map_err(|why: &Refusal| {
            log::info!("there is no summary, because {}", why.describe(program));
            Reason::from(why.clone())
        })?;
        let proof = match summary.decide(assertion, solver.as_deref().ok(), until) {
            Decision::Proved(Prover::NormalForm) => "by closed forms",
            Decision::Proved(Prover::Solver) => "by closed forms and a solver",
            Decision::Open(why) => return Err(reason(why, solver)),
        };
        // One run may reach all assertions.
        arrivals.vouch(obligation.key, Need::NoDoubt, deadline)?;
        match arrivals.stray_access(obligation.key, deadline) {
            None => Ok(proof.to_owned()),
            Some(at) => Err(Reason::Undecided(format!(
                "it holds in all runs without undefined behaviour, but a run accesses memory out of bounds ({})",
                program.sources.describe(at)
            ))),
        }
    });
}

/// Why the stage leaves an assertion open.
fn reason(why: OpenReason, solver: &Result<&dyn Solver, String>) -> Reason {
    match (why, solver) {
        (OpenReason::NoSolver, Err(missing)) => Reason::Missing(missing.clone()),
        (OpenReason::Failed(failure), _) => Reason::of_failure(Tool::Solver, &failure),
        (OpenReason::Late, _) => Reason::Time(Late::Share),
        (why, _) => Reason::Undecided(why.to_string()),
    }
}

/// Writes what is not solved, and the assertions in terms, to the log.
fn tell(program: &Program, summary: &Summary) {
    let c = &summary.context;
    for one in &summary.unsolved {
        let (at, name) = (program.sources.describe(one.at), &program.variable(one.region.variable).name);
        log::debug!("{at}: `{name}` has no closed form after this loop: {:?}", one.why);
    }
    for one in &summary.asserted {
        let facts = Facts::new(c).with_all(&one.given);
        let known: Vec<String> = one.given.iter().map(|t| c.show(*t)).collect();
        let goal = c.show(facts.simplify(one.condition));
        log::debug!("assertion {:?}: {goal} if {}", one.assertion, known.join(" and "));
    }
}
