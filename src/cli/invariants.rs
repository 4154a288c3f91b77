//! From the invariants of an analysis to the forms in which they are printed.

use super::progress::ProgressLine;
use super::verbs::wrong;
use super::{Deadline, Stop};
use crate::analysis::{AnalysisConfig, Invariant, Invariants, Names, Spelling};
use crate::cbmc::{self, ModelChecker};
use crate::program::{Program, SourceMap};
use crate::report::{Annotation, ArrayLine, InvariantLines, InvariantView, PlaceKind};
use crate::stages::{CheckedInvariants, check_invariants};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the invariants of loops by runs and by CBMC. If one is wrong, nothing of what was found is left.
pub(super) fn verify(
    program: &Program,
    found: &mut Invariants,
    config: &AnalysisConfig,
    names: Names,
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

/// What to show.
pub(super) fn view(
    program: &Program,
    found: &Invariants,
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
        formulas: i.formulas.iter().flat_map(|f| f.texts(&i.atoms, Spelling::Plain, &index)).collect(),
        groups: i
            .groups
            .iter()
            .map(|a| ArrayLine {
                name: a.name.clone(),
                groups: a.groups.iter().map(|g| (g.cells.clone(), g.content.clone())).collect(),
            })
            .collect(),
    };
    InvariantView {
        files,
        places: found.places.iter().map(lines).collect(),
        assumptions: found.assumptions.iter().map(|a| a.text.clone()).collect(),
        configuration,
        notes: found.notes.clone(),
        complete: found.complete,
    }
}

/// What to write into the source.
pub(super) fn annotations(program: &Program, found: &Invariants) -> Vec<Annotation> {
    let index = index_name(program);
    let annotation = |i: &Invariant| Annotation {
        at: i.location,
        function: program.function(i.function).name.clone(),
        kind: kind(i),
        formulas: i.formulas.iter().flat_map(|f| f.texts(&i.atoms, Spelling::Acsl, &index)).collect(),
        assigns: i.assigns.clone(),
    };
    found.places.iter().filter(|i| !i.unreachable).map(annotation).collect()
}

fn kind(i: &Invariant) -> PlaceKind {
    if i.head_of.is_some() { PlaceKind::Loop } else { PlaceKind::Exit }
}

/// A name for the number of a cell that the program does not use.
fn index_name(program: &Program) -> String {
    let used = words(&program.sources);
    let named = |name: &String| used.contains(name.as_str()) || program.variables.iter().any(|v| v.name == *name);
    let letters = ["k", "j", "l", "m", "p", "q"].map(str::to_owned);
    let numbered = (0..).map(|n| format!("k{n}"));
    letters.into_iter().chain(numbered).find(|name| !named(name)).unwrap_or_default()
}

/// The short words of all files: variables, macros and types that a name must differ from.
fn words(sources: &SourceMap) -> BTreeSet<&str> {
    let split = |c: char| c != '_' && !c.is_ascii_alphanumeric();
    sources.files.iter().flat_map(|f| f.text.split(split)).filter(|w| !w.is_empty() && w.len() <= 8).collect()
}
