//! The stage `summary`: proves assertions and checks of operations by the exact values that loops
//! compute.
//!
//! The values are those of runs without undefined behaviour. So the proof of an assertion needs a
//! run that reaches it, unless every operation of the program is known to be defined. The proof of
//! a check says that no run meets undefined behaviour there first.

use super::arrivals::Arrivals;
use super::board::Board;
use crate::clock;
use crate::inline::inline;
use crate::program::{Obligation, ObligationKey, Program};
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::smt::Solver;
use crate::summary::{Decision, OpenReason, Prover, Summary};
use crate::verdict::{Late, Reason, Tool};
use smalti_terms::Facts;
use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The time that the stage may use to find out whether all operations of a program are defined.
const DEFINED_TIME: Duration = Duration::from_secs(2);

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    solver: &Result<&dyn Solver, String>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let (open, operations) = board.open_by_kind();
    assertions(program, inlined, solver, arrivals, &open, deadline, board);
    if !operations.is_empty() {
        checks(program, solver, &operations, deadline, board);
    }
}

fn assertions(
    program: &Program,
    inlined: &Inlined,
    solver: &Result<&dyn Solver, String>,
    arrivals: &mut Arrivals<'_>,
    open: &[Obligation],
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
    let relaxed = LazyCell::new(|| {
        let summary = Summary::relaxed(inlined, move || clock::now() >= deadline).ok()?;
        if log::log_enabled!(log::Level::Debug) {
            tell(inlined.parts().ok()?.0, &summary);
        }
        Some(summary)
    });
    board.each(open, deadline, |obligation, until, board| {
        board.working("what the loops compute");
        let summary = summary.as_ref().map_err(|why: &Refusal| {
            log::info!("there is no summary, because {}", why.describe(program));
            Reason::from(why.clone())
        })?;
        let decide = |summary: &Summary| proof(summary.decide(obligation.key, solver.as_deref().ok(), until), solver);
        let proof = decide(summary).or_else(|why| match &*relaxed {
            Some(relaxed) if summary.varies => decide(relaxed).map_err(|_| why),
            _ => Err(why),
        })?;
        confirm(program, arrivals, obligation.key, deadline)?;
        Ok(proof)
    });
}

/// Decides checks of operations: all of them by closed forms alone, before the solver is asked
/// about the first one.
fn checks(
    program: &Program,
    solver: &Result<&dyn Solver, String>,
    open: &[Obligation],
    deadline: Instant,
    board: &mut Board<'_>,
) {
    board.working("what the operations need");
    let wanted: BTreeSet<ObligationKey> = open.iter().map(|o| o.key).collect();
    let summary = Summary::of_operations(&inline(program), Some(&wanted), move || clock::now() >= deadline);
    match summary {
        Ok(summary) => {
            let mut left = Vec::new();
            board.each(open, deadline, |o, until, _| match (summary.decide(o.key, None, until), solver) {
                (Decision::Open(OpenReason::NoSolver), Ok(_)) => {
                    left.push(o.clone());
                    Err(Reason::Time(Late::Share))
                }
                (decision, _) => proof(decision, solver),
            });
            board.each(&left, deadline, |o, until, _| {
                proof(summary.decide(o.key, solver.as_deref().ok(), until), solver)
            });
        }
        Err(why) => {
            log::info!("there is no summary, because {}", why.describe(program));
            let why = Reason::from(why);
            open.iter().for_each(|o| board.leave(o.key, why.clone()));
        }
    }
}

/// What proves an obligation.
///
/// # Errors
/// Why nothing does.
fn proof(decision: Decision, solver: &Result<&dyn Solver, String>) -> Result<String, Reason> {
    match decision {
        Decision::Proved(Prover::NormalForm) => Ok("by closed forms".to_owned()),
        Decision::Proved(Prover::Solver) => Ok("by closed forms and a solver".to_owned()),
        Decision::Open(why) => Err(reason(why, solver)),
    }
}

/// Whether a proof about the runs in which all operations are defined counts.
///
/// # Errors
/// Why it does not.
pub(super) fn confirm(
    program: &Program,
    arrivals: &mut Arrivals<'_>,
    key: ObligationKey,
    deadline: Instant,
) -> Result<(), Reason> {
    // One run may reach all assertions. Where it takes long, it may be known without one.
    if !arrivals.shows_soon(key, deadline) && arrivals.all_defined(|| all_are_defined(program, deadline)) {
        arrivals.defined.insert(key);
    }
    arrivals.confirm(key, deadline)
}

/// Whether the closed forms show that every operation of the program is defined, in all runs.
/// Takes little of the time up to the deadline.
fn all_are_defined(program: &Program, deadline: Instant) -> bool {
    let (inlined, until) = (inline(program), deadline.min(clock::now() + DEFINED_TIME));
    // A function that runs in ways that are not followed may do anything.
    inlined.called_opaquely.is_empty()
        && Summary::of_operations(&inlined, None, move || clock::now() >= until)
            .is_ok_and(|summary| summary.all_hold(until))
}

/// Why the stage leaves an obligation open.
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
        let (at, name) = (program.sources.describe(one.at), summary.name_of(program, one.region.object));
        log::debug!("{at}: `{name}` has no closed form after this loop: {:?}", one.why);
    }
    for one in &summary.asserted {
        let facts = Facts::new(c).with_all(&one.given);
        let known: Vec<String> = one.given.iter().map(|t| c.show(*t)).collect();
        let goal = c.show(facts.simplify(one.condition));
        log::debug!("{:?}: {goal} if {}", one.key, known.join(" and "));
    }
}
