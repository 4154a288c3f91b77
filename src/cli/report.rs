//! The verb `report`: a whole report, as an HTML page or as data from which the page can be made
//! later.

use super::computed::computed as computed_by_loops;
use super::input::{Input, faithful, load};
use super::limits::{Cut, Deadline};
use super::options::{Analysis as AnalysisArguments, Deciding};
use super::partial::{Asked, Partial, Recorder};
use super::progress::ProgressLine;
use super::stop::{Stop, wrong};
use super::{output, states, status};
use crate::analysis::{self, Picture, PointView, Purpose, Step, Strongest};
use crate::clock;
use crate::fixpoint::HeadEvent;
use crate::inline::inline;
use crate::program::obligations;
use crate::report::{Array, Document, Group, Link, Placed, PlacedState, State, page};
use crate::stages::{self, CheckConfig};
use crate::verdict;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Arguments of `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
A FILE that ends in .json must be a report stored with --format json; it is not analysed again.
The exit status is 0 if the report was written, whatever it says, and 3 if a limit left states out.")]
pub(super) struct Report {
    /// What to write.
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    pub(super) format: ReportFormat,
    /// Where to write it [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) deciding: Deciding,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: AnalysisArguments,
}

/// `--format` of `report`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum ReportFormat {
    /// One HTML file that needs nothing else
    Html,
    /// One JSON document with all that the HTML file shows
    Json,
}

/// The share of the time for what the loops compute.
const SHARE_OF_SUMMARY: f64 = 0.1;
/// The share of the time for the fixpoints that are shown. They also give verdicts.
const SHARE_OF_FIXPOINTS: f64 = 0.35;
/// The views of states may take this many times the time of the fixpoints, but at least and at most
/// these shares of the time that is left. The rest is for verdicts.
const VIEWS_FOR_FIXPOINTS: u32 = 3;
const LEAST_FOR_VIEWS: f64 = 0.05;
const MOST_FOR_VIEWS: f64 = 0.4;

/// The report in the requested format (empty if it was written to a file), and the exit status.
pub(super) fn report(
    arguments: &Report,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<(String, u8), Stop> {
    let (document, status) = match stored_file(arguments) {
        Some(file) => (stored(file)?, status::TRUE),
        None => computed(arguments, deadline, progress, partial)?,
    };
    let text = text(&document, arguments.format)?;
    let Some(path) = &arguments.output else { return Ok((text, status)) };
    output::to_file(path, &text).map_err(|e| wrong(format!("{}: {e}", path.display())))?;
    Ok((String::new(), status))
}

/// What is known when the work is cut off, and the file that it is written to. `happened` is the
/// event that cut it off.
pub(super) fn late<'a>(
    arguments: &'a Report,
    deadline: Deadline,
    partial: &Partial,
    cut: Cut,
    happened: &str,
) -> Result<(Option<&'a PathBuf>, String), Stop> {
    let mut report = partial.take(cut).unwrap_or_else(|| verdict::Report {
        files: arguments.input.names(),
        sources: Default::default(),
        obligations: Vec::new(),
        settled: 0,
        complete: false,
        assumptions: Vec::new(),
        configuration: BTreeMap::new(),
        statistics: BTreeMap::new(),
        notes: Vec::new(),
    });
    let shown = partial.shown();
    let mut placed = Vec::new();
    if let Some(asked) = partial.asked() {
        let places = states::Places::new(&asked.program);
        let of = |point: &Arc<PointView>| Some(placed_state(places.of(point)?, point));
        placed.extend(shown.points.iter().filter_map(of));
    }
    report.notes.extend(shown.notes);
    report.notes.push(format!("{happened} in the middle of the work: states are missing, and verdicts may be"));
    report.complete = false;
    finish(&mut report, deadline, shown.stack);
    Ok((arguments.output.as_ref(), text(&Document::new(&report, &placed, &shown.computed), arguments.format)?))
}

fn text(document: &Document, format: ReportFormat) -> Result<String, Stop> {
    match format {
        ReportFormat::Html => page(document).map_err(|e| Stop::Output(std::io::Error::other(e))),
        ReportFormat::Json => document.to_json().map_err(|e| Stop::Output(e.into())),
    }
}

/// The stored report that is to be shown again.
fn stored_file(arguments: &Report) -> Option<&PathBuf> {
    match &arguments.input.files[..] {
        [file] if file.extension().is_some_and(|e| e == "json") => Some(file),
        _ => None,
    }
}

/// Adds to the report what only the verb knows.
fn finish(report: &mut verdict::Report, deadline: Deadline, stack: String) {
    let time = deadline.start.elapsed().as_millis();
    report.statistics.insert("time_ms".into(), time.try_into().unwrap_or(u64::MAX));
    if !stack.is_empty() {
        report.configuration.insert("states".to_owned(), stack);
    }
}

fn stored(file: &Path) -> Result<Document, Stop> {
    let bytes = std::fs::read(file).map_err(|e| wrong(format!("{}: {e}", file.display())))?;
    Document::from_json(&String::from_utf8_lossy(&bytes)).map_err(|e| wrong(format!("{}: {e}", file.display())))
}

fn computed(
    arguments: &Report,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<(Document, u8), Stop> {
    let config = arguments.deciding.config(&arguments.input, &arguments.analysis, deadline)?;
    let program = Arc::new(load(&arguments.input, deadline, progress)?);
    faithful(&program)?;
    partial.asks(Asked { program: program.clone(), property: None });
    let recorder = Recorder { line: progress, partial };
    // No stages: this gives what is known at the start.
    let nothing = CheckConfig { stages: Vec::new(), ..config.clone() };
    stages::check(&program, &nothing, &recorder).map_err(|e| wrong(e.to_string()))?;
    progress.say("computing what the loops leave");
    let summary = computed_by_loops(&program, &arguments.input, deadline.part(SHARE_OF_SUMMARY));
    partial.shows(|shown| shown.computed = summary);
    progress.say("computing the fixpoint");
    let (inlined, stacks) = (inline(&program), arguments.analysis.shown()?);
    let (begin, until) = (clock::now(), Some(deadline.part(SHARE_OF_FIXPOINTS)));
    let fixpoints = Strongest::new(&program, &inlined, &stacks, &config.analysis, Purpose::Pictures, until)
        .map_err(|e| wrong(e.to_string()))?;
    let notes = fixpoints.shown.notes().into_iter().map(|note| format!("the states shown: {note}"));
    let notes: Vec<String> = notes.chain(fixpoints.note()).collect();
    partial.shows(|shown| {
        shown.stack = fixpoints.shown.stack().to_owned();
        shown.notes.clone_from(&notes);
    });
    let known = fixpoints.analyses(&obligations(&program, &config.checks));
    let config = CheckConfig { known, deadline: verdicts_until(deadline, clock::now() - begin), ..config };
    let mut report = stages::check(&program, &config, &recorder).map_err(|e| wrong(e.to_string()))?;
    progress.say("looking at the states");
    let views = fixpoints.shown.points(Some(deadline.work), &mut |point| {
        partial.shows(|shown| shown.points.push(Arc::new(point)));
    });
    for note in notes.into_iter().chain(states::sentences(views)) {
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
    report.complete &= views.missing == 0;
    let shown = partial.shown();
    finish(&mut report, deadline, shown.stack);
    let places = states::Places::new(&program);
    let placed: Vec<PlacedState> =
        shown.points.iter().filter_map(|point| Some(placed_state(places.of(point)?, point))).collect();
    let status = if views.missing > 0 || !fixpoints.shown.is_finished() { status::UNKNOWN } else { status::TRUE };
    Ok((Document::new(&report, &placed, &shown.computed), status))
}

/// The deadline for verdicts, given the time that the fixpoints took.
fn verdicts_until(deadline: Deadline, fixpoints: Duration) -> Instant {
    let left = deadline.work.saturating_duration_since(clock::now());
    let views = fixpoints.saturating_mul(VIEWS_FOR_FIXPOINTS);
    deadline.work - views.clamp(left.mul_f64(LEAST_FOR_VIEWS), left.mul_f64(MOST_FOR_VIEWS))
}

fn placed_state(place: Placed, point: &PointView) -> PlacedState {
    PlacedState {
        place,
        state: state(point),
        iterations: point.loop_iterations,
        iterates: point.iterates.iter().map(|i| (in_words(i.step), state(&i.view))).collect(),
    }
}

fn in_words(step: Step) -> String {
    match step {
        Step::Peeled(n) => format!("iteration {n}, analysed separately"),
        Step::Head(HeadEvent::Entered) => "the loop is entered".to_owned(),
        Step::Head(HeadEvent::Joined) => "an iteration is joined".to_owned(),
        Step::Head(HeadEvent::Widened) => "an iteration is widened".to_owned(),
        Step::Head(HeadEvent::Stable) => "nothing changes any more".to_owned(),
        Step::Head(HeadEvent::Descended) => "a pass without widening".to_owned(),
        Step::LeftOut(1) => "one step is left out".to_owned(),
        Step::LeftOut(n) => format!("{n} steps are left out"),
    }
}

fn state(view: &PointView) -> State {
    let none = Picture { example: Vec::new(), arrays: Vec::new(), pointers: Vec::new() };
    let picture = view.picture.as_ref().unwrap_or(&none);
    let facts = &view.facts;
    let arrays = facts.arrays.iter().enumerate().map(|(n, array)| {
        let drawn = picture.arrays.get(n);
        let groups = array.groups.iter().enumerate().map(|(g, group)| {
            let drawn = drawn.and_then(|d| d.groups.get(g));
            let extent = drawn.and_then(|d| d.extent.as_ref());
            let expression = |text: Option<&String>| text.cloned().unwrap_or_default();
            Group {
                cells: group.cells.clone(),
                from: expression(extent.map(|e| &e.from)),
                to: expression(extent.map(|e| &e.to)),
                low: extent.and_then(|e| small(e.low)),
                high: extent.and_then(|e| small(e.high)),
                size: expression(extent.map(|e| &e.size)),
                least: extent.and_then(|e| small(e.least)),
                most: extent.and_then(|e| small(e.most)),
                holds: drawn.map_or_else(|| group.holds.clone(), |d| d.holds.clone()),
                links: drawn.map(|d| d.links.iter().map(link).collect()).unwrap_or_default(),
            }
        });
        Array { name: array.name.clone(), length: drawn.and_then(|d| small(d.length)), groups: groups.collect() }
    });
    State {
        unreachable: facts.unreachable,
        scalars: facts.scalars.clone(),
        arrays: arrays.collect(),
        more_arrays: facts.more_arrays,
        more_scalars: facts.more_scalars,
        pointers: picture.pointers.iter().map(link).collect(),
        example: picture.example.iter().filter_map(|(v, n)| Some((v.clone(), small(Some(*n))?))).collect(),
    }
}

fn link(pointer: &analysis::Pointer) -> Link {
    Link { name: pointer.name.clone(), array: pointer.array, groups: pointer.groups.clone(), at: small(pointer.at) }
}

/// A number that the page can draw with. Larger ones are not coordinates on a screen.
fn small(n: Option<i128>) -> Option<i64> {
    n.and_then(|n| i64::try_from(n).ok()).filter(|n| n.unsigned_abs() < 1 << 53)
}
