//! Decides the obligations of a program, stage by stage, within one time limit.
//!
//! Each stage is sound on its own and sees only what earlier stages have left open:
//!
//! 1. [`Stage::Run`] follows the only run of a program that takes no input: it proves and refutes;
//! 2. [`Stage::Domains`] proves by abstract interpretation;
//! 3. [`Stage::Summary`] computes the exact values that loops leave: it proves;
//! 4. [`Stage::Induction`] takes one arbitrary iteration of each loop, in a state of which only the
//!    loop invariants are known, those in the source and others that it finds: it proves;
//! 5. [`Stage::Bounded`] looks for runs that fail, with small sizes and few iterations;
//! 6. [`Stage::Slice`] asks about the part of the program that matters for an assertion: it proves
//!    and refutes;
//! 7. [`Stage::Prune`] asks about the first iterations of all loops, if those decide the assertion:
//!    it proves;
//! 8. [`Stage::Shrink`] asks about a few arbitrary iterations of a loop instead of all: it proves,
//!    and it refutes what one iteration alone refutes;
//! 9. [`Stage::Refine`] asks about the program over a few variables and cells, and learns from
//!    paths which ones are needed: it proves and refutes;
//! 10. [`Stage::Unwind`] follows every loop to its end, if it can: it proves and refutes.
//!
//! Cheap work comes first, so stages take turns in this order: the only run, the first domain
//! stack, the values of loops, their invariants, the smallest sizes, the loop reductions, the other
//! stacks, larger sizes, slices.
//!
//! If a model checker claims that a run fails, the interpreter repeats the run on the original
//! program. Only what that run shows counts.

mod arrivals;
mod board;
mod bounded;
mod closed;
mod complete;
mod config;
mod domains;
mod induction;
mod invariants;
mod observed;

#[cfg(test)]
mod addresses_tests;
mod progress;
mod prune;
mod query;
mod refine;
mod relied;
mod replay;
mod shrink;
mod slice;
mod statements;
mod summary;
mod taken;
#[cfg(test)]
mod tests;
mod trail;
mod trial;
mod turns;
mod uncalled;
mod unwind;

use crate::analysis;
use crate::cbmc::{self, Cbmc, ModelChecker};
use crate::clock;
use crate::program::{
    Assumption, CHANGED_IS_WRITTEN, Callee, Contents, ENDED_IS_NOT_COMPARED, FREED_IS_NOT_USED, OBJECTS_LAST,
    ObligationKind, Program, Representation, StmtKind, obligations, obligations_and_settled,
};
use crate::reduce;
use crate::smt::{self, Kept, Solver};
use crate::verdict::{Reason, Report, Stage};
pub use arrivals::Arrivals;
pub use config::{CheckConfig, numeric_stacks, principal};
pub use invariants::{CheckedInvariants, CheckedLoop, Induction, check_invariants};
pub use progress::{Progress, Silent};
pub use refine::{Refined, Refinement, Round, refinement};
pub use relied::rested_on;
pub use shrink::{Shrinking, shrinkings, written_holds};
#[cfg(feature = "fuzz")]
pub(crate) use trial::failing_checks;

use board::Board;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use turns::Work;

/// The limit for one question to a solver when work is counted, in the solver's own units. It takes
/// some seconds.
const SOLVER_RESOURCES: u64 = 50_000_000;
/// Decides the obligations of `program`.
///
/// # Errors
/// The domains are not available as configured (an unknown stack, a missing library). Any other
/// failure only costs verdicts, and the report mentions it.
pub fn check(program: &Program, config: &CheckConfig, progress: &dyn Progress) -> Result<Report, analysis::Error> {
    let cbmc = match needs_checker(config) {
        true => {
            cbmc::find_until(config.cbmc.as_deref(), clock::of_others(config.deadline)).map_err(|why| why.to_string())
        }
        false => Err("no stage needs CBMC".to_owned()),
    };
    let resources = clock::counted().map(|_| SOLVER_RESOURCES);
    let solver = match config.stages.iter().any(|s| s.entry().asks_solver) {
        true => smt::find_until(config.solver.as_deref(), clock::of_others(config.deadline))
            .map(|solver| solver.bounded(resources))
            .map_err(|why| why.to_string()),
        false => Err("no stage needs a solver".to_owned()),
    };
    let kept = solver.as_ref().ok().zip(config.keep_queries.as_deref()).map(|(s, folder)| Kept::new(s, folder));
    let tools = Tools {
        model: cbmc.as_ref().map(|cbmc| cbmc as &dyn ModelChecker).map_err(Clone::clone),
        version: cbmc.as_ref().ok().map(describe),
        solver: match &kept {
            Some(kept) => Ok(kept as &dyn Solver),
            None => solver.as_ref().map(|solver| solver as &dyn Solver).map_err(Clone::clone),
        },
    };
    check_with(program, config, progress, tools)
}

/// The programs that stages ask, or the reasons why they are missing.
pub struct Tools<'t> {
    /// The model checker.
    pub model: Result<&'t dyn ModelChecker, String>,
    /// Its version, for the report.
    pub version: Option<String>,
    /// The SMT solver.
    pub solver: Result<&'t dyn Solver, String>,
}

impl<'t> Tools<'t> {
    /// Provides a model checker alone, or the reason why there is none.
    pub fn only(model: Result<&'t dyn ModelChecker, String>) -> Tools<'t> {
        Tools { model, version: None, solver: Err("no solver was given".to_owned()) }
    }
}

fn needs_checker(config: &CheckConfig) -> bool {
    config.stages.iter().any(|s| s.entry().asks_checker) || config.analysis.verify
}

/// A reduction that does not apply gives an ordinary reason.
impl From<reduce::Refusal> for Reason {
    fn from(why: reduce::Refusal) -> Reason {
        Reason::Refused { what: why.reason, place: why.location }
    }
}

fn describe(cbmc: &Cbmc) -> String {
    format!("version {}", cbmc.version())
}

/// [`check`] with given tools.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    program: &Program,
    config: &CheckConfig,
    progress: &dyn Progress,
    tools: Tools<'_>,
) -> Result<Report, analysis::Error> {
    let Tools { model, version, solver } = tools;
    let start = Instant::now();
    let (mut all, settled) = obligations_and_settled(program, &config.checks);
    all.retain(|o| config.only.is_none_or(|key| o.key == key));
    let settled = if config.only.is_none() { settled } else { 0 };
    let mut board = Board::new(all, progress).doubting(&program.gaps.callees);
    let mut assumptions = program.assumptions.clone();
    if config.checks.contains(&ObligationKind::Lifetime) && !program.endings.are_none() {
        assumptions.retain(|a| ![FREED_IS_NOT_USED, OBJECTS_LAST].contains(&a.text.as_str()));
        assumptions.push(Assumption::new(ENDED_IS_NOT_COMPARED));
    }
    if config.checks.contains(&ObligationKind::Initialised) && unknown_code_writes(program) {
        assumptions.push(Assumption::new(CHANGED_IS_WRITTEN));
    }
    // Every proof rests on these.
    assumptions.extend(analysis::standing_assumptions(program));
    if !config.checks.contains(&ObligationKind::Assertion)
        && !obligations(program, &[ObligationKind::Assertion]).is_empty()
    {
        let text = "the assertions and annotations of the program hold; they are not checked";
        assumptions.push(Assumption::new(text));
    }
    program.notes.iter().for_each(|note| board.note(note));
    let mut configuration = configuration(program, config, version);
    progress.begins(&Report {
        files: config.files.clone(),
        sources: program.sources.clone(),
        obligations: board.so_far(),
        settled,
        complete: true,
        assumptions: assumptions.clone(),
        configuration: configuration.clone(),
        statistics: BTreeMap::new(),
        notes: board.notes.clone(),
    });
    let resolved = OnceCell::new();
    let mut work = Work::new(program, &resolved, config, model, &solver);
    work.turns(&mut board)?;
    let Work { checker, mut stacks, .. } = work;
    assumptions.extend(std::mem::take(&mut stacks.assumptions));
    configuration.extend(stacks.configuration());
    let cut = clock::now() >= config.deadline && !board.all_open().is_empty();
    if cut {
        board.note(match clock::counted() {
            None => "the time limit was reached; a larger --time-limit may decide more",
            Some(_) => "the step limit was reached; a larger --steps may decide more",
        });
    }
    let decided = board.so_far();
    checker.count(&mut board.statistics);
    let millis = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
    board.statistics.insert("time_ms".into(), millis(start.elapsed()));
    Ok(Report {
        files: config.files.clone(),
        sources: program.sources.clone(),
        settled,
        complete: !cut,
        assumptions: rested_on(program, assumptions, &decided, settled),
        configuration,
        statistics: std::mem::take(&mut board.statistics),
        notes: std::mem::take(&mut board.notes),
        obligations: decided,
    })
}

/// Whether unknown code may be the only one that writes to an object.
fn unknown_code_writes(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        found |= match &s.kind {
            StmtKind::HavocReachable(reached) => {
                reached.bytes.as_ref().is_none_or(|bytes| matches!(bytes.contents, Contents::Written))
            }
            StmtKind::Call { callee: Callee::Function(f), .. } => program.function(*f).body.is_none(),
            _ => false,
        };
    });
    let unset = &program.unset;
    found && unset.reached || unset.is_written_by_library && !unset.variables.is_empty()
}

fn configuration(program: &Program, config: &CheckConfig, cbmc: Option<String>) -> BTreeMap<String, String> {
    let list = |words: Vec<String>| words.join(" ");
    let mut map = BTreeMap::new();
    let stages = Stage::ALL.iter().filter(|s| config.stages.contains(s));
    map.insert("stages".to_owned(), list(stages.map(ToString::to_string).collect()));
    map.insert("checks".to_owned(), list(config.checks.iter().map(ToString::to_string).collect()));
    map.insert("data_model".to_owned(), program.data_model.to_string());
    if program.representation != Representation::default() {
        map.insert("target".to_owned(), program.target().to_string());
    }
    if !config.assume_invariants {
        map.insert("assume_invariants".to_owned(), "off".to_owned());
    }
    if program.alone {
        map.insert("function".to_owned(), "alone".to_owned());
    }
    if let Some(steps) = clock::counted() {
        map.insert("steps".to_owned(), steps.to_string());
    }
    if let Some(version) = cbmc {
        map.insert("cbmc".to_owned(), version);
    }
    map
}
