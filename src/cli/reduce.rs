//! The verbs `slice`, `reduce` and `refine`: they print what a reduction makes of a program.

use super::input::{Input, faithful, load};
use super::limits::Deadline;
use super::options::{Analysis, Checks, Switch};
use super::progress::ProgressLine;
use super::stop::{Stop, wrong};
use super::{named, status};
use crate::analysis::AnalysisConfig;
use crate::cbmc;
use crate::program::{
    AssertionId, Location, LoopId, Obligation, ObligationKey, ObligationKind, Program, obligations, print,
};
use crate::reduce::Refusal;
use crate::reduce::dependence::Dependence;
use crate::reduce::normal::Inlined;
use crate::reduce::prune::prune;
use crate::reduce::slice::{self, Kind};
use crate::smt;
use crate::stages::{self, Arrivals, Refined, Round, Shrinking};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Arguments of `reduce`.
#[derive(Args, Debug)]
pub(super) struct Reduce {
    /// The reduction.
    #[arg(long, value_name = "REDUCTION")]
    pub(super) by: ReductionArgument,
    /// The assertion, by its id as `check --format json` prints it [default: all, one after the
    /// other].
    #[arg(long, value_name = "ID")]
    pub(super) assert: Option<String>,
    /// The CBMC program to use [default: $CBMC, then the PATH, then what `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) cbmc: Option<PathBuf>,
    /// Whether shrinking relies on what the domains know of the states in which iterations begin.
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub(super) assume_invariants: Switch,
    #[command(flatten)]
    pub(super) input: Input,
}

/// `--by` of `reduce`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum ReductionArgument {
    /// Loops run only their first iterations
    Prune,
    /// Loops run only a few arbitrary iterations; CBMC decides how many stand for all
    Shrink,
}

/// Arguments of `refine`.
#[derive(Args, Debug)]
pub(super) struct Refine {
    /// The assertion, by its id as `check --format json` prints it [default: all, one after the
    /// other].
    #[arg(long, value_name = "ID")]
    pub(super) assert: Option<String>,
    /// Print the last abstraction, as C.
    #[arg(long)]
    pub(super) show_abstraction: bool,
    /// The CBMC program to use [default: $CBMC, then the PATH, then what `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) cbmc: Option<PathBuf>,
    /// The SMT solver (Z3 or cvc5) to use [default: $SMALTI_SOLVER, then the PATH, then what
    /// `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) solver: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// Arguments of `slice`.
#[derive(Args, Debug)]
pub(super) struct Slice {
    /// The obligation, as `check` names it [default: all of those kinds, in one slice].
    #[arg(long, value_name = "ID", alias = "assert")]
    pub(super) obligation: Option<String>,
    #[command(flatten)]
    pub(super) checks: Checks,
    /// What is kept.
    #[arg(long, value_name = "KIND", default_value = "value")]
    pub(super) kind: SliceKind,
    #[command(flatten)]
    pub(super) input: Input,
}

/// `--kind`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum SliceKind {
    /// What decides the values, and whether the obligation is reached
    Backward,
    /// What decides the values; other conditions become choices
    Value,
    /// What the values are computed from; all conditions become choices
    Thin,
}

impl From<SliceKind> for Kind {
    fn from(argument: SliceKind) -> Kind {
        match argument {
            SliceKind::Backward => Kind::Backward,
            SliceKind::Value => Kind::Value,
            SliceKind::Thin => Kind::Thin,
        }
    }
}

/// The largest number of inputs of a failing run to list.
const MOST_INPUTS: usize = 20;

/// The assertions of a program, or the requested one.
fn assertions(program: &Program, id: Option<&str>) -> Result<Vec<(Obligation, AssertionId)>, Stop> {
    let with_id = |o: Obligation| match o.key {
        ObligationKey::Assertion(assertion) if o.unsupported.is_none() => Some((o, assertion)),
        _ => None,
    };
    if let Some(id) = id {
        let named = named::obligation(program, id)?;
        let kind = named.kind;
        return match with_id(named) {
            Some(one) => Ok(vec![one]),
            None if kind == ObligationKind::Assertion => Err(unsupported(id)),
            None => Err(wrong(format!(
                "`{id}` is not an assertion, and loops are reduced for assertions only; `smalti slice` accepts every obligation"
            ))),
        };
    }
    let all: Vec<_> = obligations(program, &[ObligationKind::Assertion]).into_iter().filter_map(with_id).collect();
    match all.is_empty() {
        true => Err(wrong("the program has no assertion".to_owned())),
        false => Ok(all),
    }
}

fn unsupported(id: &str) -> Stop {
    wrong(format!("`{id}` needs something that is not supported; `smalti check` says what"))
}

/// The text of a slice.
pub(super) fn slice(arguments: &Slice, deadline: Deadline, progress: &ProgressLine) -> Result<String, Stop> {
    let program = load(&arguments.input, deadline, progress)?;
    faithful(&program)?;
    progress.say("slicing");
    let kind: Kind = arguments.kind.into();
    let refused = |r: Refusal| wrong(format!("there is no slice, because {}", r.describe(&program)));
    let graph = Dependence::new(&program).map_err(refused)?;
    let chosen = criteria(&program, &graph, arguments)?;
    let slice = slice::Slice::new(&graph, &chosen, kind, &BTreeSet::new()).map_err(refused)?;
    let size = format!("{} of {} statements", slice.statements, slice.of);
    let about = chosen.iter().map(|o| o.id.as_str()).collect::<Vec<_>>().join(", ");
    let text = print::to_c(&slice.program, &mut print::Plain);
    Ok(format!("/* {} slice for {about}: {size} */\n{text}", kind.name()))
}

/// The criteria of a slice: the requested obligation, or all obligations in functions that are
/// called.
fn criteria(program: &Program, graph: &Dependence<'_>, arguments: &Slice) -> Result<Vec<Obligation>, Stop> {
    if let Some(id) = &arguments.obligation {
        let named = named::obligation(program, id)?;
        return if named.unsupported.is_some() { Err(unsupported(id)) } else { Ok(vec![named]) };
    }
    let mut all = obligations(program, &arguments.checks.kinds());
    all.retain(|o| o.unsupported.is_none() && !graph.criteria(o.key).is_empty());
    if all.is_empty() {
        return Err(wrong("no function that the program calls has an obligation of these kinds".to_owned()));
    }
    Ok(all)
}

/// A reduced program, and why results about it hold for the program.
struct Reduced {
    program: Program,
    why: Vec<String>,
    /// The result is vacuous: no run is known that reaches the assertion.
    is_vacuous: bool,
}

/// The text, and the exit status. It is 3 if the reduction does not apply to every requested
/// assertion.
pub(super) fn reduce(arguments: &Reduce, deadline: Deadline, progress: &ProgressLine) -> Result<(String, u8), Stop> {
    let program = load(&arguments.input, deadline, progress)?;
    faithful(&program)?;
    let chosen = assertions(&program, arguments.assert.as_deref())?;
    let (mut text, mut status) = (String::new(), status::TRUE);
    let inlined = Inlined::new(&program);
    for (n, (obligation, assertion)) in chosen.iter().enumerate() {
        progress.say(&obligation.id);
        if n > 0 {
            text.push('\n');
        }
        let place = program.sources.describe(obligation.location);
        text += &format!("// {place}: {} ({})\n", obligation.condition, obligation.id);
        match reduced(&program, &inlined, obligation, *assertion, arguments, deadline) {
            Ok(all) => {
                if all.iter().all(|reduced| reduced.is_vacuous) {
                    status = status::UNKNOWN;
                    text += "// this is not a proof, because no run that reaches the assertion was found\n";
                }
                for reduced in all {
                    reduced.why.iter().for_each(|line| text += &format!("// {line}\n"));
                    text += &print::to_c(&reduced.program, &mut print::Plain);
                }
            }
            Err(why) => {
                status = status::UNKNOWN;
                text += &format!("// does not apply, because {why}\n");
            }
        }
    }
    Ok((text, status))
}

/// The reduced programs: one for each copy of the assertion, or one for all.
fn reduced(
    program: &Program,
    inlined: &Inlined,
    obligation: &Obligation,
    assertion: AssertionId,
    arguments: &Reduce,
    deadline: Deadline,
) -> Result<Vec<Reduced>, String> {
    match arguments.by {
        ReductionArgument::Prune => {
            let pruned = inlined.normalise(assertion).and_then(|normal| prune(&normal, assertion));
            let pruned = pruned.map_err(|why| why.describe(program))?;
            let mut why = vec![
                "pruned: if the program can fail, this one can fail too, provided that signed arithmetic wraps around"
                    .to_owned(),
            ];
            why.extend(pruned.explanation.lines(&pruned.program));
            Ok(vec![Reduced { program: pruned.program, why, is_vacuous: false }])
        }
        ReductionArgument::Shrink => shrunk(program, obligation, assertion, arguments, deadline),
    }
}

/// The program whose loops have a few iterations each, and what CBMC says about it.
fn shrunk(
    program: &Program,
    obligation: &Obligation,
    assertion: AssertionId,
    arguments: &Reduce,
    deadline: Deadline,
) -> Result<Vec<Reduced>, String> {
    let cbmc = cbmc::find(arguments.cbmc.as_deref()).map_err(|e| e.to_string())?;
    let analysis = AnalysisConfig::default();
    let domains = arguments.assume_invariants.is_on().then_some(&analysis);
    let mut all = Vec::new();
    let proofs = stages::shrinkings(program, obligation, &cbmc, domains, deadline.work)
        .map_err(|why| why.in_words(&program.sources))?;
    for Shrinking { form, k, reached } in proofs {
        let place = |at| program.sources.describe(at);
        let list = |loops: &[(LoopId, Location)]| loops.iter().map(|l| place(l.1)).collect::<Vec<_>>().join(", ");
        let mut why = vec![format!("shrunk to k = {k}: every sequence of {} iterations is {k}-shrinkable", k + 1)];
        why.push(format!("the loop: {}; the property: {}", list(&form.loops), form.property));
        if !form.dropped.is_empty() {
            why.push(format!("earlier loops, replaced by arbitrary values: {}", list(&form.dropped)));
        }
        if !form.known.is_empty() {
            let known: Vec<String> = form.known.iter().map(|e| print::expr(&form.program, e)).collect();
            why.push(format!("assumed at the start of each iteration: {}", known.join("; ")));
        }
        why.push("no run of these iterations fails, so none of the program does".to_owned());
        let residual = form.residual(assertion, k).map_err(|why| why.describe(program))?;
        all.push(Reduced { program: residual.program, why, is_vacuous: !reached });
    }
    Ok(all)
}

/// The result of refining an abstraction, round by round. The exit status is that of the verdicts.
pub(super) fn refine(arguments: &Refine, deadline: Deadline, progress: &ProgressLine) -> Result<(String, u8), Stop> {
    let cbmc = cbmc::find(arguments.cbmc.as_deref()).map_err(|e| wrong(e.to_string()))?;
    let solver = smt::find(arguments.solver.as_deref()).map_err(|e| wrong(e.to_string()))?;
    let analysis = arguments.analysis.config(deadline)?;
    let stacks = stages::numeric_stacks(&arguments.analysis.stacks()?, &analysis);
    let program = load(&arguments.input, deadline, progress)?;
    faithful(&program)?;
    let (mut text, mut worst) = (String::new(), status::TRUE);
    let mut arrivals = Arrivals::new(&program);
    for (n, (obligation, _)) in assertions(&program, arguments.assert.as_deref())?.iter().enumerate() {
        progress.say(&obligation.id);
        let blank = if n > 0 { "\n" } else { "" };
        let place = program.sources.describe(obligation.location);
        text += &format!("{blank}// {place}: {} ({})\n", obligation.condition, obligation.id);
        let found = stages::refinement(&program, obligation, &cbmc, &solver, &stacks, deadline.work);
        let found = found.map_err(wrong)?;
        for (n, round) in found.rounds.iter().enumerate() {
            let learned = round.learned.join("; ");
            let why = match round.path {
                Some(steps) => format!("the program cannot follow a path of {steps} steps"),
                None => "no short path fails".to_owned(),
            };
            text += &format!("// round {}: {}; {why}; added: {learned}\n", n + 1, kept(round));
        }
        text += &format!("// round {}: {}", found.rounds.len() + 1, kept(&found.last));
        let (said, status) = match &found.end {
            Ok(Refined::Holds(how)) if arrivals.comes_to(obligation.key, deadline.work) => {
                (format!("no run fails ({how})"), status::TRUE)
            }
            Ok(Refined::Holds(how)) => {
                (format!("no run fails ({how}), but no run that reaches the assertion was found"), status::UNKNOWN)
            }
            Ok(Refined::Fails(_, counterexample)) => {
                let inputs = counterexample.inputs.iter().map(|i| format!("{} = {}", i.target, i.value));
                let inputs: Vec<String> = inputs.take(MOST_INPUTS).collect();
                (format!("a run fails, replayed: {}", inputs.join(", ")), status::FALSE)
            }
            Err(why) => (format!("given up: {}", why.in_words(&program.sources)), status::UNKNOWN),
        };
        text += &format!("; {said}\n");
        // A failure outweighs an open assertion, and that outweighs a proved one.
        worst = match (worst, status) {
            (status::FALSE, _) | (_, status::FALSE) => status::FALSE,
            (status::UNKNOWN, _) | (_, status::UNKNOWN) => status::UNKNOWN,
            _ => status::TRUE,
        };
        if let Some(abstraction) = found.abstraction.filter(|_| arguments.show_abstraction) {
            text += &print::to_c(&abstraction, &mut print::Plain);
        }
    }
    Ok((text, worst))
}

/// What a round keeps, counted as in the paper (table 4): the kept cells and all cells.
fn kept(round: &Round) -> String {
    let (cells, all) = round.cells;
    let all = all.map_or("?".to_owned(), |n| n.to_string());
    format!("{cells}/{all} cells, {}/{} variables", round.scalars.0, round.scalars.1)
}
