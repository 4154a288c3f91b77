//! The verb `states`, and the map from points of an analysis to lines of a page.

use super::computed::computed;
use super::input::{Input, faithful, load};
use super::limits::Deadline;
use super::options::Analysis;
use super::output::paint;
use super::partial::{Asked, Partial};
use super::progress::ProgressLine;
use super::status;
use super::stop::{Stop, wrong};
use crate::analysis::{Finding, PointView, Purpose, Strongest, Views};
use crate::facts::{Fact, StateFacts};
use crate::inline::inline;
use crate::program::{
    Location, Obligation, ObligationKey, ObligationKind, Program, SourceMap, Stmt, StmtKind, each_stmt, obligations,
};
use crate::report::{self, LineKind, LineState, Placed, StateView, SummaryView};
use crate::summary::{DescribedCase, DescribedValue, Moment};
use crate::verdict::Verdict;
use clap::{Args, ValueEnum};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Arguments of `states`.
#[derive(Args, Debug)]
pub(super) struct States {
    /// How to print them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: StateFormat,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// `--format` of `states`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum StateFormat {
    /// The source with the states under its lines
    Text,
    /// One JSON document
    Json,
}

/// The longest value of a loop that is shown among the states. `smalti summary` shows all.
const MOST_WIDE: usize = 160;
/// The share of the time for the fixpoints.
const SHARE_OF_FIXPOINTS: f64 = 0.7;
/// The share of the time that is left then for what loops compute. The rest is for the views of the
/// states of the fixpoints.
const SHARE_OF_SUMMARY: f64 = 0.3;

/// The source with the states under its lines, and the exit status.
pub(super) fn states(
    arguments: &States,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<(String, u8), Stop> {
    let config = arguments.analysis.config(deadline)?;
    let program = Arc::new(load(&arguments.input, deadline, progress)?);
    faithful(&program)?;
    partial.asks(Asked { program: program.clone(), property: None });
    progress.say("computing the fixpoint");
    let (inlined, stacks) = (inline(&program), arguments.analysis.shown()?);
    let until = Some(deadline.part(SHARE_OF_FIXPOINTS));
    let fixpoints = Strongest::new(&program, &inlined, &stacks, &config, Purpose::Points, until)
        .map_err(|e| wrong(e.to_string()))?;
    let asserted = asserted(&program);
    let found = fixpoints.shown.analysis(&asserted);
    partial.shows(|shown| {
        shown.stack = found.stack;
        shown.findings = found.findings;
    });
    for note in found.notes.into_iter().chain(fixpoints.note()) {
        log::warn!("{note}");
    }
    progress.say("computing what the loops leave");
    let summary = computed(&program, &arguments.input, deadline.part(SHARE_OF_SUMMARY));
    partial.shows(|shown| shown.computed = summary);
    progress.say("looking at the states");
    let views = fixpoints.shown.points(Some(deadline.work), &mut |point| {
        partial.shows(|shown| shown.points.push(Arc::new(point)));
    });
    let complete = views.missing == 0 && fixpoints.shown.is_finished();
    let text = text(arguments, &program, partial, sentences(views), complete)?;
    Ok((text, if complete { status::TRUE } else { status::UNKNOWN }))
}

/// What is known when the work is cut off. `why` is a sentence that gives the cause.
pub(super) fn late(arguments: &States, partial: &Partial, why: String) -> Result<String, Stop> {
    match partial.asked() {
        Some(asked) => text(arguments, &asked.program, partial, vec![why], false),
        None => {
            let view = StateView { missing: vec![why], ..StateView::default() };
            formatted(arguments, &SourceMap::default(), &view, false)
        }
    }
}

fn text(
    arguments: &States,
    program: &Program,
    partial: &Partial,
    missing: Vec<String>,
    complete: bool,
) -> Result<String, Stop> {
    let shown = partial.shown();
    let points = shown.points.iter().map(|point| &**point);
    let view = view(program, &asserted(program), &shown.findings, points);
    let computed = beyond_domains(shown.computed, &shown.points);
    formatted(arguments, &program.sources, &StateView { computed, stack: shown.stack, missing, ..view }, complete)
}

/// Of what loops compute, what the states after them do not say, and what fits into a line.
fn beyond_domains(mut computed: SummaryView, points: &[Arc<PointView>]) -> SummaryView {
    computed.points.retain_mut(|point| {
        let Moment::After(at) = point.moment else { return false };
        let states: Vec<&StateFacts> =
            points.iter().filter(|p| p.location == at && p.loop_iterations.is_none()).map(|p| &p.facts).collect();
        let is_said = |value: &DescribedValue| !states.is_empty() && states.iter().all(|state| says(state, value));
        let width = |value: &DescribedValue| value.cases.iter().map(DescribedCase::width).max().unwrap_or(0);
        point.values.retain(|value| width(value) <= MOST_WIDE && !is_said(value));
        !point.values.is_empty()
    });
    computed
}

/// Whether a state says in its own words what a variable, or every cell of a range, holds. That a
/// cell holds an input, which is called as the cell, says nothing.
fn says(state: &StateFacts, value: &DescribedValue) -> bool {
    let [case] = &value.cases[..] else { return false };
    if case.value.replace('(', "[").replace(')', "]") == value.name {
        return true;
    }
    let is_told = |facts: &[Fact], fact: &str| facts.iter().any(|f| f.to_string() == fact);
    let Some(when) = &case.when else {
        let (name, value) = (&value.name, &case.value);
        return is_told(&state.scalars, &format!("{name} == {value}"))
            || is_told(&state.scalars, &format!("{value} == {name}"));
    };
    let Some((array, index)) = value.name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        return false;
    };
    let Some((low, high)) = when.split_once(&format!(" <= {index} <")) else { return false };
    let high = high.strip_prefix("= ").map_or_else(|| format!("{}-1", high.trim_start()), str::to_owned);
    state.arrays.iter().filter(|a| a.name.split('[').next() == Some(array)).flat_map(|a| &a.groups).any(|group| {
        group.cells.low_text() == low
            && group.cells.high_text() == high
            && is_told(&group.holds, &format!("value == {}", case.value))
    })
}

/// The states in the requested format.
fn formatted(arguments: &States, sources: &SourceMap, view: &StateView, complete: bool) -> Result<String, Stop> {
    match arguments.format {
        StateFormat::Text => Ok(report::states(sources, view, paint())),
        StateFormat::Json => {
            let document = report::states_json(sources, &arguments.input.names(), view, complete);
            document.map_err(|e| Stop::Output(e.into()))
        }
    }
}

/// The assertions that the domains can decide.
fn asserted(program: &Program) -> Vec<Obligation> {
    let mut all = obligations(program, &[ObligationKind::Assertion]);
    all.retain(|o| o.unsupported.is_none());
    all
}

/// The data that is shown: the states at these points, and what is known of the obligations.
fn view<'p>(
    program: &Program,
    obligations: &[Obligation],
    findings: &BTreeMap<ObligationKey, Finding>,
    points: impl Iterator<Item = &'p PointView>,
) -> StateView {
    let mut view = StateView::default();
    let places = Places::new(program);
    for (point, place) in points.filter_map(|point| Some((point, places.of(point)?))) {
        if let Some(iterations) = point.loop_iterations {
            let plural = if iterations == 1 { "" } else { "s" };
            view.remarks.push((point.location, format!("loop invariant, {iterations} iteration{plural}")));
        }
        view.lines.push(LineState { place, facts: point.facts.clone() });
    }
    for o in obligations {
        let verdict = match findings.get(&o.key).map(|f| f.verdict) {
            Some(Verdict::Proved) => "proved",
            Some(Verdict::Unreachable) => "unreachable",
            _ => "open",
        };
        view.remarks.push((o.location, verdict.into()));
    }
    view
}

/// Sentences about views that were left out because time ran out.
pub(super) fn sentences(views: Views) -> Vec<String> {
    let mut all = Vec::new();
    if views.missing > 0 {
        let lines = if views.missing == 1 { "line" } else { "lines" };
        all.push(format!("time ran out: some states are missing on {} {lines}", views.missing));
    }
    if views.undrawn > 0 && views.missing == 0 {
        let states = if views.undrawn == 1 { "state is" } else { "states are" };
        all.push(format!("time ran out: {} {states} not drawn", views.undrawn));
    }
    all
}

/// The places in the source that points belong to.
pub(super) struct Places<'p> {
    program: &'p Program,
    ends: HashMap<Location, End>,
    /// The locations whose statement exists only once in the program.
    once: HashSet<Location>,
}

impl<'p> Places<'p> {
    /// The places of a program.
    pub(super) fn new(program: &'p Program) -> Places<'p> {
        let mut once = HashSet::new();
        if let Some(body) = &program.function(program.entry).body {
            each_stmt(body, &mut |stmt| {
                once.insert(stmt.location);
            });
        }
        Places { program, ends: ends(program), once }
    }

    /// The place of a point, if it belongs to a line.
    pub(super) fn of(&self, point: &PointView) -> Option<Placed> {
        if !is_written(self.program, point.location) {
            return None;
        }
        let column = match (point.loop_iterations, self.ends.get(&point.location)) {
            // The state after a statement of several lines does not belong under its first line.
            (None, Some(End::LaterLine)) => return None,
            (None, Some(End::Column(column))) => *column,
            _ => point.location.column,
        };
        Some(Placed {
            at: Location { column, ..point.location },
            kind: if point.loop_iterations.is_some() { LineKind::LoopHead } else { LineKind::After },
            // Nothing calls the entry function, so calls with this location are pieces of one
            // inlined call.
            copy: if self.once.contains(&point.location) { 0 } else { point.copy },
        })
    }
}

/// Whether the source has a statement at this place. The implicit return at the end of a function
/// has the place of its closing brace.
fn is_written(program: &Program, at: Location) -> bool {
    let before = (at.column as usize).saturating_sub(1);
    program.sources.line(at).as_bytes().get(before) != Some(&b'}')
}

/// The end of a statement that contains statements.
enum End {
    /// On the line where it starts, after everything that starts before this column.
    Column(u32),
    /// On a later line.
    LaterLine,
}

/// The ends of all statements that contain statements.
fn ends(program: &Program) -> HashMap<Location, End> {
    let mut ends = HashMap::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        body.iter().for_each(|stmt| {
            last_column(stmt, &mut ends);
        });
    }
    ends
}

/// The last column at which a part of the statement starts, or `None` if the statement ends on a
/// later line.
fn last_column(stmt: &Stmt, ends: &mut HashMap<Location, End>) -> Option<u32> {
    let inside: Vec<&Stmt> = match &stmt.kind {
        StmtKind::If(_, a, b) => a.iter().chain(b).collect(),
        StmtKind::Loop(l) => l.body.iter().chain(&l.step).collect(),
        StmtKind::Block(b) => b.iter().collect(),
        _ => return Some(stmt.location.column),
    };
    let mut last = Some(stmt.location.column);
    for s in inside {
        let column = last_column(s, ends).filter(|_| s.location.line == stmt.location.line);
        last = last.zip(column).map(|(a, b)| a.max(b) + 1);
    }
    ends.insert(stmt.location, last.map_or(End::LaterLine, End::Column));
    last
}
