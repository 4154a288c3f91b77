//! The verb `invariants`, and the forms in which invariants are printed.

use super::input::{Input, faithful, load};
use super::limits::Deadline;
use super::options::Analysis;
use super::output::paint;
use super::partial::{Asked, Partial};
use super::progress::ProgressLine;
use super::status;
use super::stop::{Stop, wrong};
use crate::analysis::{self, AllowedNames, AnalysisConfig, Invariant, Purpose, Strongest};
use crate::cbmc::{self, ModelChecker};
use crate::inline::inline;
use crate::program::{Assumption, Program, SourceMap};
use crate::report::{self, Annotation, InvariantLines, InvariantView, PlaceKind};
use crate::stages::{CheckedInvariants, check_invariants};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `invariants`.
#[derive(Args, Debug)]
pub(super) struct Invariants {
    /// How to print them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: InvariantFormat,
    /// Write to this file instead of standard output; with `--format acsl`, an annotated copy of
    /// the source.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// `--format` of `invariants`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum InvariantFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// The source with ACSL annotations, for Frama-C
    Acsl,
}

/// The share of the time for the fixpoints. The rest is for the formulas.
const SHARE_OF_FIXPOINTS: f64 = 0.6;

/// The invariants in the requested format, and the exit status.
pub(super) fn invariants(
    arguments: &Invariants,
    deadline: Deadline,
    progress: &ProgressLine,
    partial: &Partial,
) -> Result<(String, u8), Stop> {
    if arguments.output.is_some() && arguments.format == InvariantFormat::Acsl && arguments.input.files.len() > 1 {
        return Err(wrong("--output writes an annotated copy of one file: name one file, or omit --output".to_owned()));
    }
    let config = arguments.analysis.config(deadline)?;
    let program = Arc::new(load(&arguments.input, deadline, progress)?);
    faithful(&program)?;
    partial.asks(Asked { program: program.clone(), property: None });
    progress.say("computing the fixpoint");
    let (inlined, stacks) = (inline(&program), arguments.analysis.shown()?);
    let until = Some(deadline.part(SHARE_OF_FIXPOINTS));
    let fixpoints = Strongest::new(&program, &inlined, &stacks, &config, Purpose::Invariants, until)
        .map_err(|e| wrong(e.to_string()))?;
    partial.shows(|shown| {
        shown.stack = fixpoints.shown.stack().to_owned();
        shown.notes.extend(fixpoints.note());
    });
    progress.say("finding the invariants");
    let names = match arguments.format {
        InvariantFormat::Acsl => AllowedNames::Annotation,
        InvariantFormat::Text | InvariantFormat::Json => AllowedNames::Reader,
    };
    let mut found = fixpoints.shown.invariants(names, Some(deadline.work), &mut |place| {
        partial.shows(|shown| shown.invariants.push(place.clone()));
    });
    found.notes.extend(fixpoints.note());
    let config = AnalysisConfig { stack: Some(found.stack.clone()), ..config };
    let checked = match config.verify {
        true => verify(&program, &mut found, &config, names, deadline, progress)?,
        false => CheckedInvariants::default(),
    };
    let status = if found.complete { status::TRUE } else { status::UNKNOWN };
    Ok((text(&program, &found, &checked, arguments)?, status))
}

/// What is known when the work is cut off, if the requested format can express it. `why` is a
/// sentence that gives the cause.
pub(super) fn late(arguments: &Invariants, partial: &Partial, why: String) -> Result<Option<String>, Stop> {
    let shown = partial.shown();
    let mut notes = shown.notes;
    notes.push(why);
    let Some(asked) = partial.asked() else {
        let view = InvariantView { files: arguments.input.names(), notes, ..InvariantView::default() };
        let is_list = arguments.format != InvariantFormat::Acsl;
        return is_list.then(|| list(&SourceMap::default(), &view, arguments.format)).transpose();
    };
    let places = shown.invariants;
    let found = analysis::Invariants { stack: shown.stack, places, assumptions: Vec::new(), notes, complete: false };
    text(&asked.program, &found, &CheckedInvariants::default(), arguments).map(Some)
}

/// The invariants in the requested format.
fn text(
    program: &Program,
    found: &analysis::Invariants,
    checked: &CheckedInvariants,
    arguments: &Invariants,
) -> Result<String, Stop> {
    for note in &found.notes {
        log::warn!("{note}");
    }
    if arguments.format == InvariantFormat::Acsl {
        let annotations = annotations(program, found);
        return Ok(annotated(program, arguments.input.files.len(), &annotations, arguments.output.is_some()));
    }
    let settings = [
        ("stack", found.stack.clone()),
        ("widening_delay", arguments.analysis.widening_delay.to_string()),
        ("descending", arguments.analysis.descending.to_string()),
        ("peel", arguments.analysis.peel.to_string()),
    ];
    let configuration = settings.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
    let view = view(program, found, checked, arguments.input.names(), configuration);
    list(&program.sources, &view, arguments.format)
}

/// The first `files` files with annotations, and warnings about those that have no place there. For
/// one file that is to be written, `as_file`, it is the file itself.
pub(super) fn annotated(program: &Program, files: usize, annotations: &[Annotation], as_file: bool) -> String {
    let annotated = report::acsl(&program.sources, files, annotations);
    for a in &annotated.left {
        let at = program.sources.describe(a.at);
        log::warn!(
            "{at}: the text comes from a macro or another file, so these annotations of `{}` were not written: {}",
            a.function,
            a.predicates.join("; ")
        );
    }
    match &annotated.files[..] {
        [(_, text)] if as_file => text.clone(),
        _ => annotated.listing(),
    }
}

/// The invariants for people or as a document.
fn list(sources: &SourceMap, view: &InvariantView, format: InvariantFormat) -> Result<String, Stop> {
    match format {
        InvariantFormat::Json => report::invariants_json(sources, view).map_err(|e| Stop::Output(e.into())),
        _ => Ok(report::invariants(sources, view, paint())),
    }
}

/// Checks the loop invariants with runs and with CBMC. If one is wrong, all results are dropped.
fn verify(
    program: &Program,
    found: &mut analysis::Invariants,
    config: &AnalysisConfig,
    names: AllowedNames,
    deadline: Deadline,
    progress: &ProgressLine,
) -> Result<CheckedInvariants, Stop> {
    progress.say("checking the invariants");
    let cbmc = cbmc::find(None).map_err(|why| why.to_string());
    let model = cbmc.as_ref().map(|cbmc| cbmc as &dyn ModelChecker).map_err(Clone::clone);
    let checked = check_invariants(program, config, names, model, deadline.work).map_err(|e| wrong(e.to_string()))?;
    if checked.wrong().next().is_some() {
        found.notes.extend(checked.sentences(program));
        found.places.clear();
        return Ok(CheckedInvariants::default());
    }
    found.notes.extend(checked.of_runs(&program.sources));
    Ok(checked)
}

/// The data that is shown.
fn view(
    program: &Program,
    found: &analysis::Invariants,
    checked: &CheckedInvariants,
    files: Vec<String>,
    configuration: BTreeMap<String, String>,
) -> InvariantView {
    let index = index_name(program);
    let lines = |i: &Invariant| InvariantLines {
        at: i.location,
        function: program.function(i.function).name.clone(),
        kind: kind(i),
        unreachable: i.unreachable,
        checked: i.head_of.and_then(|_| checked.of(&program.sources, i.location)),
        formulas: i.formulas.iter().flat_map(|f| f.facts(&i.atoms, &index)).collect(),
        groups: i.groups.clone(),
    };
    InvariantView {
        files,
        places: found.places.iter().map(lines).collect(),
        assumptions: Assumption::grouped(found.assumptions.clone()).iter().map(Assumption::line).collect(),
        configuration,
        notes: found.notes.clone(),
        complete: found.complete,
    }
}

/// The annotations to write into the source.
fn annotations(program: &Program, found: &analysis::Invariants) -> Vec<Annotation> {
    let index = index_name(program);
    let annotation = |i: &Invariant| Annotation {
        at: i.location,
        function: program.function(i.function).name.clone(),
        kind: kind(i),
        predicates: i.formulas.iter().flat_map(|f| f.facts(&i.atoms, &index)).map(|fact| fact.acsl()).collect(),
        assigns: i.assigns.clone(),
    };
    found.places.iter().filter(|i| !i.unreachable).map(annotation).collect()
}

fn kind(i: &Invariant) -> PlaceKind {
    if i.head_of.is_some() { PlaceKind::Loop } else { PlaceKind::Exit }
}

/// A name for cell indexes that the program does not use.
fn index_name(program: &Program) -> String {
    let used = program.sources.words();
    let named = |name: &String| used.contains(name.as_str()) || program.variables.iter().any(|v| v.name == *name);
    let letters = ["k", "j", "l", "m", "p", "q"].map(str::to_owned);
    let numbered = (0..).map(|n| format!("k{n}"));
    letters.into_iter().chain(numbered).find(|name| !named(name)).unwrap_or_default()
}
