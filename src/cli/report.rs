//! The verb `report`: a whole report, as a page or as data that a page can be made of later.

use super::arguments::{Analysis as AnalysisArguments, Deciding, Input};
use super::progress::ProgressLine;
use super::verbs::{self, wrong};
use super::{Deadline, Stop, output, states};
use crate::analysis::{self, Analysis, AnalysisConfig, Picture, PointView, Step};
use crate::clock;
use crate::fixpoint::HeadEvent;
use crate::program::{Program, obligations};
use crate::report::{Array, Document, Group, Link, PlacedState, State, page};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Arguments of `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
A file that ends in .json is a report that was stored with --format json: nothing is analysed again.
The exit status is 0 if the report was written, whatever it says.")]
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

/// The share of the time for the states that the page shows; the rest is for verdicts.
const SHARE_OF_STATES: f64 = 0.4;

/// The report in the form that was asked for; empty if it went to a file.
pub(super) fn report(arguments: &Report, deadline: Deadline, progress: &ProgressLine) -> Result<String, Stop> {
    let document = match &arguments.input.files[..] {
        [file] if file.extension().is_some_and(|e| e == "json") => stored(file)?,
        _ => computed(arguments, deadline, progress)?,
    };
    let text = match arguments.format {
        ReportFormat::Html => page(&document).map_err(|e| Stop::Output(std::io::Error::other(e)))?,
        ReportFormat::Json => document.to_json().map_err(|e| Stop::Output(e.into()))?,
    };
    let Some(path) = &arguments.output else { return Ok(text) };
    output::to_file(path, &text).map_err(|e| wrong(format!("{}: {e}", path.display())))?;
    Ok(String::new())
}

fn stored(file: &Path) -> Result<Document, Stop> {
    let bytes = std::fs::read(file).map_err(|e| wrong(format!("{}: {e}", file.display())))?;
    Document::from_json(&String::from_utf8_lossy(&bytes)).map_err(|e| wrong(format!("{}: {e}", file.display())))
}

fn computed(arguments: &Report, deadline: Deadline, progress: &ProgressLine) -> Result<Document, Stop> {
    let config = arguments.deciding.config(&arguments.input, &arguments.analysis, deadline)?;
    let program = verbs::load(&arguments.input, deadline, progress)?;
    verbs::faithful(&program)?;
    progress.say("computing the fixpoint");
    let left = deadline.work.saturating_duration_since(clock::now());
    let until = clock::now() + left.mul_f64(SHARE_OF_STATES);
    let all = obligations(&program, &config.checks);
    let for_display = AnalysisConfig { deadline: Some(until), ..config.analysis.clone() };
    let shown = analysis::analyse_with_pictures(&program, &all, &for_display).map_err(|e| wrong(e.to_string()))?;
    let placed = placed(&program, &shown);
    let mut report = crate::stages::check(&program, &config, progress).map_err(|e| wrong(e.to_string()))?;
    let time = deadline.start.elapsed().as_millis();
    report.statistics.insert("time_ms".into(), time.try_into().unwrap_or(u64::MAX));
    for note in shown.notes {
        let note = format!("the states shown: {note}");
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
    report.configuration.insert("states".to_owned(), shown.stack);
    Ok(Document::new(&report, &placed))
}

fn placed(program: &Program, analysis: &Analysis) -> Vec<PlacedState> {
    let all = states::placed(program, analysis).into_iter();
    all.map(|(place, point)| PlacedState {
        place,
        state: state(point),
        iterations: point.loop_iterations,
        iterates: point.iterates.iter().map(|i| (in_words(i.step), state(&i.view))).collect(),
    })
    .collect()
}

fn in_words(step: Step) -> String {
    match step {
        Step::Peeled(n) => format!("iteration {n}, looked at apart"),
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
    let arrays = view.arrays.iter().enumerate().map(|(n, array)| {
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
                holds: drawn.map_or_else(|| vec![group.content.clone()], |d| d.holds.clone()),
                links: drawn.map(|d| d.links.iter().map(link).collect()).unwrap_or_default(),
            }
        });
        Array { name: array.name.clone(), length: drawn.and_then(|d| small(d.length)), groups: groups.collect() }
    });
    State {
        unreachable: view.unreachable,
        scalars: view.scalars.clone(),
        arrays: arrays.collect(),
        pointers: picture.pointers.iter().map(link).collect(),
        example: picture.example.iter().filter_map(|(v, n)| Some((v.clone(), small(Some(*n))?))).collect(),
    }
}

fn link(pointer: &analysis::Pointer) -> Link {
    Link { name: pointer.name.clone(), array: pointer.array, groups: pointer.groups.clone(), at: small(pointer.at) }
}

/// A number that a page can draw with; larger ones are no places on a screen.
fn small(n: Option<i128>) -> Option<i64> {
    n.and_then(|n| i64::try_from(n).ok()).filter(|n| n.unsigned_abs() < 1 << 53)
}
