//! The JSON document of `check`.

use crate::program::{Assumption, ObligationKind};
use crate::verdict::{Counterexample, Decided, LeftOpen, Outcome, Report, Stage, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The version of the document format. It changes when a reader of the previous format would
/// misread the new one.
const FORMAT: u32 = 2;

#[derive(Serialize)]
struct Document<'r> {
    tool: &'static str,
    /// Of this document.
    format: u32,
    version: &'static str,
    files: &'r [String],
    digests: BTreeMap<&'r str, String>,
    verdict: Outcome,
    complete: bool,
    obligations: Vec<Entry<'r>>,
    settled: u64,
    assumptions: Vec<Granted<'r>>,
    configuration: &'r BTreeMap<String, String>,
    statistics: &'r BTreeMap<String, u64>,
    notes: &'r [String],
}

#[derive(Serialize)]
struct Entry<'r> {
    id: &'r str,
    kind: ObligationKind,
    file: &'r str,
    line: u32,
    column: u32,
    function: &'r str,
    condition: &'r str,
    verdict: Verdict,
    evidence: Evidence<'r>,
}

/// An assumption that answers rest on.
#[derive(Serialize)]
struct Granted<'r> {
    text: &'r str,
    about: &'r BTreeSet<String>,
    obligations: Vec<&'r str>,
}

#[derive(Serialize)]
struct Evidence<'r> {
    stage: Stage,
    detail: String,
    time_ms: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Reason>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<Invariant<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: &'r Option<Counterexample>,
}

/// A loop invariant that was found.
#[derive(Serialize)]
struct Invariant<'r> {
    place: String,
    formula: &'r str,
}

#[derive(Serialize)]
struct Reason {
    stage: Stage,
    because: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    text: String,
}

/// The report as one JSON document, with a line feed at the end.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    let own = report.sources.files.iter().filter(|f| f.own);
    let document = Document {
        tool: "smalti",
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION"),
        files: &report.files,
        digests: own.map(|f| (f.name.as_str(), f.digest())).collect(),
        verdict: report.outcome(),
        complete: report.complete,
        obligations: report.obligations.iter().map(|d| entry(report, d)).collect(),
        settled: report.settled,
        assumptions: report.assumptions.iter().map(|a| granted(report, a)).collect(),
        configuration: &report.configuration,
        statistics: &report.statistics,
        notes: &report.notes,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}

fn entry<'r>(report: &'r Report, decided: &'r Decided) -> Entry<'r> {
    let o = &decided.obligation;
    Entry {
        id: &o.id,
        kind: o.kind,
        file: &report.sources.file(o.location.file).name,
        line: o.location.line,
        column: o.location.column,
        function: &o.function,
        condition: &o.condition,
        verdict: decided.verdict,
        evidence: Evidence {
            stage: decided.evidence.stage,
            detail: decided.detail(&report.sources),
            time_ms: decided.evidence.time_ms,
            reasons: decided.evidence.reasons.iter().map(|left| reason(report, left)).collect(),
            invariants: decided
                .evidence
                .invariants
                .iter()
                .map(|found| Invariant { place: report.sources.describe(found.location), formula: &found.text })
                .collect(),
            counterexample: &decided.evidence.counterexample,
        },
    }
}

fn granted<'r>(report: &'r Report, assumption: &'r Assumption) -> Granted<'r> {
    Granted {
        text: &assumption.text,
        about: &assumption.about,
        obligations: report.resting_on(assumption).map(|d| d.obligation.id.as_str()).collect(),
    }
}

fn reason(report: &Report, left: &LeftOpen) -> Reason {
    Reason {
        stage: left.stage,
        because: left.reason.word(),
        place: left.reason.place().map(|at| report.sources.describe(at)),
        text: left.reason.in_words(&report.sources),
    }
}
