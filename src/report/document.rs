//! A whole report as plain data. The HTML page is a view of it, and `smalti report --format json`
//! stores it.
//!
//! **Meaning.** One run of the analyser: the sources, each obligation with its verdict and
//! evidence, the states at the lines of the sources, the steps of the fixpoint at each loop,
//! assumptions, configuration, statistics. This module computes only the order of the states at a
//! line, and which of them are shown.
//!
//! **Representation.** States are in one pool and referred to by number, since many lines have the
//! same state. Files, arrays and groups are referred to by number, too. A stored document may come
//! from elsewhere, so a number in it may be out of range.

use super::SummaryView;
use super::states::{Placed, pick};
use super::summary::{self, Paragraph};
use crate::facts::{Cells, Fact};
use crate::program::{Assumption, Location, ObligationKind};
use crate::summary::DescribedPoint;
use crate::verdict::{Decided, Outcome, Report, Stage, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// The format that a stored document names.
pub(super) const FORMAT: &str = "smalti-report";
/// The version of the document format. Documents of other versions are not read.
pub(super) const FORMAT_VERSION: u32 = 1;
/// The number of copies of a function that are shown at a line.
const MOST_COPIES: usize = 8;

/// A whole report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// `smalti-report`
    pub format: String,
    /// 1; others are not read.
    pub format_version: u32,
    /// The version of smalti that made it.
    pub version: String,
    /// The files that were given.
    pub files: Vec<String>,
    /// The answer for the program as a whole.
    pub verdict: Outcome,
    /// Whether all obligations are listed.
    pub complete: bool,
    /// The sources with lines to show.
    pub sources: Vec<Source>,
    /// The obligations.
    pub obligations: Vec<Entry>,
    /// The states at lines, in the order of the lines.
    pub lines: Vec<Line>,
    /// The states that lines and loops refer to.
    pub states: Vec<State>,
    /// What the loops compute.
    #[serde(default)]
    pub computed: Computed,
    /// The assumptions.
    pub assumptions: Vec<String>,
    /// Settings that could change a verdict.
    pub configuration: BTreeMap<String, String>,
    /// Statistics.
    pub statistics: BTreeMap<String, u64>,
    /// Sentences about the run.
    pub notes: Vec<String>,
}

/// One source file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One obligation with its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// Its kind.
    pub kind: ObligationKind,
    /// The source, by number.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function whose text contains it.
    pub function: String,
    /// The condition, as C.
    pub condition: String,
    /// The answer.
    pub verdict: Verdict,
    /// The stage that decided, or the last that tried.
    pub stage: Stage,
    /// Numbers and names that support the answer; for an open obligation, the reason.
    pub detail: String,
    /// How long the stage worked on it.
    pub time_ms: u64,
    /// Why stages left it open: each stage and its reason.
    #[serde(default)]
    pub reasons: Vec<(Stage, String)>,
    /// The loop invariants that were found and prove it, each with its place.
    #[serde(default)]
    pub invariants: Vec<(String, String)>,
    /// The failing run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// A failing run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// How many statements it executes.
    pub steps: u64,
    /// What it reads, in order.
    pub inputs: Vec<Input>,
    /// The statements, in order. Of a long run only the beginning and the end.
    #[serde(default)]
    pub path: Vec<RunLine>,
}

/// A statement of a failing run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunLine {
    /// The source, by number.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The function that runs.
    pub function: String,
    /// The objects that the statement changed, and their new values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(String, String)>,
    /// How many statements after it are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

/// Whether serde omits a number that is nearly always 0.
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Like [`is_zero`].
fn is_none(n: &usize) -> bool {
    *n == 0
}

/// A value that a run reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Where, as `file:line:column`.
    pub place: String,
    /// What receives it, as C.
    pub target: String,
    /// The value, as digits.
    pub value: String,
}

/// The states known at a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The source, by number.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// Whether the line has a loop head. Then its states hold each time the condition is about to
    /// be tested, otherwise after the line.
    pub is_loop: bool,
    /// One for each copy of the function that the line is in.
    pub copies: Vec<Copied>,
    /// The number of further copies.
    #[serde(default)]
    pub more: usize,
}

/// What is known at a line in one copy of its function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Copied {
    /// The state, by number.
    pub state: usize,
    /// For a loop: the number of iterations of the fixpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// For a loop: the steps of the fixpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterates: Vec<Iterate>,
}

/// A state that the fixpoint went through.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Iterate {
    /// The step that gave the state, in words.
    pub step: String,
    /// The state, by number.
    pub state: usize,
}

/// The state at one point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// No run reaches this point.
    #[serde(default)]
    pub unreachable: bool,
    /// Formulas about scalars.
    #[serde(default)]
    pub scalars: Vec<Fact>,
    /// The arrays.
    #[serde(default)]
    pub arrays: Vec<Array>,
    /// The number of further known arrays, which the line does not mention.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more_arrays: usize,
    /// The number of further known scalars.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more_scalars: usize,
    /// Scalars that are indexes into known groups.
    #[serde(default)]
    pub pointers: Vec<Link>,
    /// An example: values of scalars for which the arrays are drawn.
    #[serde(default)]
    pub example: Vec<(String, i64)>,
}

/// One array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Array {
    /// Name and length, as `a[n]`.
    pub name: String,
    /// Its length in the example.
    #[serde(default)]
    pub length: Option<i64>,
    /// Its groups of cells.
    pub groups: Vec<Group>,
}

/// One group of cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// Which cells.
    pub cells: Cells,
    /// The least index, as an expression.
    #[serde(default)]
    pub from: String,
    /// The greatest index, as an expression.
    #[serde(default)]
    pub to: String,
    /// The least index in the example.
    #[serde(default)]
    pub low: Option<i64>,
    /// The greatest index in the example.
    #[serde(default)]
    pub high: Option<i64>,
    /// The number of cells, as an expression; empty if there is none.
    #[serde(default)]
    pub size: String,
    /// The least number of cells in the example.
    #[serde(default)]
    pub least: Option<i64>,
    /// The greatest number of cells in the example.
    #[serde(default)]
    pub most: Option<i64>,
    /// The formulas that hold for each cell.
    pub holds: Vec<Fact>,
    /// Fields that are indexes into known groups.
    #[serde(default)]
    pub links: Vec<Link>,
}

/// A value that is the index of a cell in one of some groups.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    /// The name of the value.
    pub name: String,
    /// The array, by its number in the state.
    pub array: usize,
    /// The groups, by their numbers in the array.
    pub groups: Vec<usize>,
    /// The value in the example.
    #[serde(default)]
    pub at: Option<i64>,
}

/// What the loops compute, in words.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Computed {
    /// After each loop and at the end, in the order of execution.
    pub points: Vec<ComputedPoint>,
    /// Why nothing is known: sentences.
    pub notes: Vec<String>,
}

/// What variables and arrays hold after a loop or at the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComputedPoint {
    /// The source, by number.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// When the values hold.
    pub moment: String,
    /// The values.
    pub values: Vec<ComputedValue>,
    /// What has no closed form, and why: sentences.
    #[serde(default)]
    pub unsolved: Vec<String>,
}

/// The value of a variable or a cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComputedValue {
    /// The equation, as `a[k] = 2*k`.
    pub equation: String,
    /// When it holds, as `for 0 <= k < n`; empty if always.
    pub when: String,
}

/// A state and its place.
#[derive(Clone, Debug)]
pub struct PlacedState {
    /// The place, and the moment at that place.
    pub place: Placed,
    /// The state.
    pub state: State,
    /// For a loop: the number of iterations of the fixpoint.
    pub iterations: Option<u32>,
    /// For a loop: the steps of the fixpoint in words, in order.
    pub iterates: Vec<(String, State)>,
}

impl Document {
    /// The document of a report, with these states and with what loops compute.
    pub fn new(report: &Report, placed: &[PlacedState], computed: &SummaryView) -> Document {
        let mut files = Files::default();
        let mut pool = Pool::default();
        let mut by_line: BTreeMap<(u32, u32), Vec<&PlacedState>> = BTreeMap::new();
        for state in placed {
            let at = state.place.at;
            by_line.entry((at.file.0, at.line)).or_default().push(state);
        }
        // Files given on the command line are shown first, whether or not they have states.
        (0..u32::try_from(report.files.len().min(report.sources.files.len())).unwrap_or(0)).for_each(|n| {
            files.number(n);
        });
        let lines = by_line.iter().map(|((file, line), states)| {
            let chosen = pick(states, |s| &s.place, |a, b| a.state == b.state);
            let copy = |s: &&PlacedState| Copied {
                state: pool.number(&s.state),
                iterations: s.iterations,
                iterates: s
                    .iterates
                    .iter()
                    .map(|(step, state)| Iterate { step: step.clone(), state: pool.number(state) })
                    .collect(),
            };
            Line {
                file: files.number(*file),
                line: *line,
                is_loop: chosen.first().is_some_and(|s| s.place.kind == super::LineKind::LoopHead),
                more: chosen.len().saturating_sub(MOST_COPIES),
                copies: chosen.iter().take(MOST_COPIES).map(copy).collect(),
            }
        });
        let mut lines: Vec<Line> = lines.collect();
        let obligations = report.obligations.iter().map(|d| entry(report, &mut files, d)).collect();
        lines.sort_by_key(|l| (l.file, l.line));
        let points = computed.points.iter().filter_map(|point| computed_point(report, &mut files, computed, point));
        let computed = Computed { points: points.collect(), notes: computed.notes.clone() };
        let source = |n: &u32| {
            let file = report.sources.files.get(*n as usize);
            file.map_or(Source { name: String::new(), text: String::new() }, |f| Source {
                name: f.name.clone(),
                text: f.text.to_string(),
            })
        };
        Document {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: report.files.clone(),
            verdict: report.outcome(),
            complete: report.complete,
            sources: files.order.iter().map(source).collect(),
            obligations,
            lines,
            states: pool.states,
            computed,
            assumptions: report.assumptions.iter().map(Assumption::line).collect(),
            configuration: report.configuration.clone(),
            statistics: report.statistics.clone(),
            notes: report.notes.clone(),
        }
    }

    /// The document as JSON, with a line feed at the end.
    ///
    /// # Errors
    /// None in practice; an error of the serialiser is passed on.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(self)?;
        text.push('\n');
        Ok(text)
    }

    /// Reads a stored document.
    ///
    /// # Errors
    /// A sentence that says why the text is not a document.
    pub fn from_json(text: &str) -> Result<Document, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            format_version: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(|e| format!("this is not a stored report: {e}"))?;
        if head.format != FORMAT {
            return Err(format!("this is not a stored report: its format is `{}`, not `{FORMAT}`", head.format));
        }
        if head.format_version != FORMAT_VERSION {
            let version = head.format_version;
            return Err(format!("the report has version {version} of the format; this smalti reads {FORMAT_VERSION}"));
        }
        serde_json::from_str(text).map_err(|e| format!("the stored report is damaged: {e}"))
    }
}

/// What is known at a point; `None` if that is nothing.
fn computed_point(
    report: &Report,
    files: &mut Files,
    computed: &SummaryView,
    point: &DescribedPoint,
) -> Option<ComputedPoint> {
    let Paragraph { at, heading, values, unsolved } = Paragraph::new(computed, point);
    let at = at.filter(|_| !(values.is_empty() && unsolved.is_empty()))?;
    Some(ComputedPoint {
        file: files.number(at.file.0),
        line: at.line,
        moment: heading,
        values: values.into_iter().map(|(equation, when)| ComputedValue { equation, when }).collect(),
        unsolved: unsolved.iter().map(|one| summary::unsolved(&report.sources, one)).collect(),
    })
}

/// An obligation of the report, which refers to files by number.
fn entry(report: &Report, files: &mut Files, d: &Decided) -> Entry {
    let Location { file, line, column } = d.obligation.location;
    Entry {
        id: d.obligation.id.clone(),
        kind: d.obligation.kind,
        file: files.number(file.0),
        line,
        column,
        function: d.obligation.function.clone(),
        condition: d.obligation.condition.clone(),
        verdict: d.verdict,
        stage: d.evidence.stage,
        detail: d.detail(&report.sources),
        time_ms: d.evidence.time_ms,
        reasons: d.evidence.reasons.iter().map(|r| (r.stage, r.reason.in_words(&report.sources))).collect(),
        invariants: d
            .evidence
            .invariants
            .iter()
            .map(|i| (report.sources.describe(i.location), i.text.clone()))
            .collect(),
        run: d.evidence.counterexample.as_ref().map(|c| Run {
            steps: c.steps,
            inputs: c
                .inputs
                .iter()
                .map(|i| Input { place: i.place.clone(), target: i.target.clone(), value: i.value.to_string() })
                .collect(),
            path: c
                .statements
                .iter()
                .map(|s| RunLine {
                    file: files.number(s.at.file.0),
                    line: s.at.line,
                    function: s.function.clone(),
                    changes: s.changes.clone(),
                    left_out: s.left_out,
                })
                .collect(),
        }),
    }
}

/// The mentioned files, in the order of their first mention.
#[derive(Default)]
struct Files {
    numbers: HashMap<u32, usize>,
    order: Vec<u32>,
}

impl Files {
    fn number(&mut self, file: u32) -> usize {
        *self.numbers.entry(file).or_insert_with(|| {
            self.order.push(file);
            self.order.len() - 1
        })
    }
}

/// A pool in which each state occurs once.
#[derive(Default)]
struct Pool {
    numbers: HashMap<State, usize>,
    states: Vec<State>,
}

impl Pool {
    fn number(&mut self, state: &State) -> usize {
        *self.numbers.entry(state.clone()).or_insert_with(|| {
            self.states.push(state.clone());
            self.states.len() - 1
        })
    }
}
