//! Decides the obligations of a program, stage after stage, within one time limit.
//!
//! Each stage is sound on its own and sees only what no stage before it has decided:
//!
//! 1. [`Stage::Run`] follows the only run of a program that takes no input: it proves and refutes;
//! 2. [`Stage::Domains`] proves by abstract interpretation;
//! 3. [`Stage::Bounded`] looks for runs that fail, with small sizes and few iterations;
//! 4. [`Stage::Slice`] asks about the part of the program that counts for an assertion: it proves,
//!    and refutes;
//! 5. [`Stage::Prune`] asks about the first iterations of all loops, where those decide: it
//!    proves;
//! 6. [`Stage::Shrink`] asks about a few iterations of a loop, any, in the place of all: it
//!    proves, and refutes what one iteration alone refutes;
//! 7. [`Stage::Refine`] asks about the program over a few variables and cells, and learns from
//!    paths which: it proves, and refutes;
//! 8. [`Stage::Unwind`] follows every loop to its end, where that is possible: it proves and
//!    refutes.
//!
//! What is cheap comes first, so stages take turns: the only run, the first domain stack, the
//! smallest sizes, loops made smaller, the other stacks, larger sizes, slices.
//!
//! Whatever run a model checker claims to fail is run again by the interpreter on the original
//! program; only what that run shows is believed.

mod arrivals;
mod board;
mod bounded;
mod closed;
mod complete;
mod domains;
mod invariants;
mod observed;

#[cfg(test)]
mod addresses_tests;
mod prune;
mod query;
mod refine;
mod relied;
mod replay;
mod shrink;
mod slice;
mod statements;
mod taken;
#[cfg(test)]
mod tests;
mod trail;
mod trial;
mod turns;
mod uncalled;
mod unwind;

use crate::analysis::{self, AnalysisConfig};
use crate::cbmc::{self, Cbmc, ModelChecker};
use crate::clock;
use crate::program::{
    Assumption, Obligation, ObligationKey, ObligationKind, Program, Representation, obligations,
    obligations_and_settled,
};
use crate::reduce;
use crate::smt::{self, Solver};
use crate::verdict::{Decided, Reason, Report, Stage};
pub use arrivals::Arrivals;
pub use invariants::{CheckedInvariants, CheckedLoop, Induction, check_invariants};
pub use refine::{Refined, Refinement, Round, refinement};
pub use relied::rested_on;
pub use shrink::{Shrinking, shrinkings, written_holds};

use board::Board;
use smalti_stack::Registry;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use turns::Work;

/// What [`check`] is to do. Everything in it can change a verdict.
#[derive(Clone, Debug)]
pub struct CheckConfig {
    /// The files, as the user wrote them; the report repeats them.
    pub files: Vec<String>,
    /// Which kinds of obligations are decided.
    pub checks: Vec<ObligationKind>,
    /// Only this one is looked at, with all the time for itself.
    pub only: Option<ObligationKey>,
    /// Which stages run. They always run in the order of [`Stage`].
    pub stages: Vec<Stage>,
    /// When the work must be done.
    pub deadline: Instant,
    /// The CBMC to use; `None` looks for one.
    pub cbmc: Option<PathBuf>,
    /// The SMT solver to use; `None` looks for one.
    pub solver: Option<PathBuf>,
    /// The domain stacks, in the order in which they are tried for what is still open.
    pub stacks: Vec<String>,
    /// What stacks are known to say of the obligations already, computed with the same `analysis`:
    /// they do not run again.
    pub known: Vec<analysis::Analysis>,
    /// Whether what the domains know of the states in which iterations begin is taken for granted
    /// where a loop is shrunk.
    pub assume_invariants: bool,
    /// The iterator, and the domains that the stacks are made of. Its stack and its deadline are
    /// set from the above.
    pub analysis: AnalysisConfig,
}

impl CheckConfig {
    /// Assertions by these stages, with the default stack and whatever tools there are.
    pub fn new(stages: &[Stage], deadline: Instant) -> CheckConfig {
        CheckConfig {
            files: Vec::new(),
            checks: vec![ObligationKind::Assertion],
            only: None,
            stages: stages.to_vec(),
            deadline,
            cbmc: None,
            solver: None,
            stacks: vec![smalti_stack::DEFAULT_STACK.to_owned()],
            known: Vec::new(),
            assume_invariants: true,
            analysis: AnalysisConfig::default(),
        }
    }
}

/// Hears what [`check`] is doing.
pub trait Progress {
    /// A stage begins a piece of work, such as `unwinding 3`.
    fn working(&self, stage: Stage, what: &str);

    /// What is known before the first stage begins: every obligation is open.
    fn begins(&self, _report: &Report) {}

    /// What is decided from now on rests on more assumptions, and was found so.
    fn granted(&self, _assumptions: &[Assumption], _configuration: &BTreeMap<String, String>) {}

    /// An obligation is what the stage is working on now; so many others wait for it.
    fn looking_at(&self, _obligation: &Obligation, _waiting: usize) {}

    /// An obligation has been decided, once and for all.
    fn decided(&self, decided: &Decided);

    /// A stage has left an obligation open, and said why.
    fn left(&self, _open: &Decided) {}

    /// There is something to say about the run itself.
    fn noted(&self, _sentence: &str) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn working(&self, _stage: Stage, _what: &str) {}
    fn decided(&self, _decided: &Decided) {}
}

/// What a solver may use for a question where work is counted, in its own units: some seconds.
const SOLVER_RESOURCES: u64 = 50_000_000;
/// Less time than this is not worth a query.
const LEAST: Duration = Duration::from_millis(50);

/// Decides the obligations of `program`.
///
/// # Errors
/// The domains cannot be had as configured (an unknown stack, a library that is not there).
/// Everything else that goes wrong costs verdicts, and is said in the report.
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
    let tools = Tools {
        model: cbmc.as_ref().map(|cbmc| cbmc as &dyn ModelChecker).map_err(Clone::clone),
        version: cbmc.as_ref().ok().map(describe),
        solver: solver.as_ref().map(|solver| solver as &dyn Solver).map_err(Clone::clone),
    };
    check_with(program, config, progress, tools)
}

/// The programs that stages ask, or why they are not there.
pub struct Tools<'t> {
    /// The model checker.
    pub model: Result<&'t dyn ModelChecker, String>,
    /// Its version, for the report.
    pub version: Option<String>,
    /// The SMT solver.
    pub solver: Result<&'t dyn Solver, String>,
}

impl<'t> Tools<'t> {
    /// A model checker alone, or why there is none.
    pub fn only(model: Result<&'t dyn ModelChecker, String>) -> Tools<'t> {
        Tools { model, version: None, solver: Err("no solver was given".to_owned()) }
    }
}

fn needs_checker(config: &CheckConfig) -> bool {
    config.stages.iter().any(|s| s.entry().asks_checker) || config.analysis.verify
}

/// A reduction that does not apply is a reason like others.
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
    // Whoever proves, proves under these.
    assumptions.extend(analysis::standing_assumptions(program));
    if !config.checks.contains(&ObligationKind::Assertion)
        && !obligations(program, &[ObligationKind::Assertion]).is_empty()
    {
        let text = "the assertions and annotations of the program hold: they are not among what is checked";
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
    let mut work = Work::new(program, config, model, &solver);
    work.turns(&mut board)?;
    let Work { checker, mut stacks, .. } = work;
    assumptions.extend(std::mem::take(&mut stacks.assumptions));
    configuration.extend(stacks.configuration());
    let cut = clock::now() >= config.deadline && !board.open().is_empty();
    if cut {
        board.note(match clock::counted() {
            None => "the time limit was reached; a larger --time-limit may decide more",
            Some(_) => "the steps were used up; more --steps may decide more",
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

/// Of the stacks, the one whose states are shown and handed on: the strongest that is fast.
pub fn principal<'s>(stacks: &'s [String], registry: &Registry) -> Option<&'s String> {
    stacks.get(registry.native_first(stacks).checked_sub(1)?)
}

/// The domains that are asked about programs without arrays: of these stacks what is numeric.
pub fn numeric_stacks(stacks: &[String], analysis: &AnalysisConfig) -> Vec<AnalysisConfig> {
    let mut names: Vec<&str> = stacks.iter().filter_map(|s| s.rsplit('/').next()).collect();
    names.dedup();
    names.into_iter().map(|stack| AnalysisConfig { stack: Some(stack.to_owned()), ..analysis.clone() }).collect()
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
