//! What loops compute: as a list for people, and as one JSON document.

use super::{Annotation, Paint, PlaceKind, Style};
use crate::program::{Location, Program, SourceMap};
use crate::summary::{Clauses, DescribedPoint, DescribedUnsolved, DescribedValue, Moment};
use serde::Serialize;
use std::fmt::Write;

/// A summary, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct SummaryView {
    /// The files of the command line.
    pub files: Vec<String>,
    /// The function that runs.
    pub function: String,
    /// Where its name stands.
    pub function_at: Option<Location>,
    /// The points, in the order of execution.
    pub points: Vec<DescribedPoint>,
    /// The assumptions.
    pub assumptions: Vec<String>,
    /// Why there is no summary: sentences.
    pub notes: Vec<String>,
}

/// The annotations that say what a summary says.
pub fn summary_annotations(program: &Program, clauses: Vec<Clauses>) -> Vec<Annotation> {
    let annotation = |one: Clauses| Annotation {
        at: one.at,
        function: program.function(one.function).name.clone(),
        kind: if one.is_loop { PlaceKind::Loop } else { PlaceKind::Exit },
        predicates: one.predicates,
        assigns: one.assigns,
    };
    clauses.into_iter().map(annotation).collect()
}

/// The list for people.
pub fn summary(sources: &SourceMap, view: &SummaryView, paint: Paint) -> String {
    let mut out = String::new();
    for (n, point) in view.points.iter().enumerate() {
        let head = head(sources, view, point);
        let _ = writeln!(out, "{}{}", if n > 0 { "\n" } else { "" }, paint.text(Style::Strong, &head));
        let lines: Vec<(String, String)> = point.values.iter().flat_map(lines).collect();
        let width = lines.iter().map(|(value, _)| value.chars().count()).filter(|w| *w <= 60).max().unwrap_or(0);
        for (value, when) in &lines {
            let line = format!("{value:width$}   {when}");
            let _ = writeln!(out, "    {}", paint.text(Style::Good, line.trim_end()));
        }
        for one in &point.unsolved {
            let line = format!("{} has no closed form: {}", one.name, reason(sources, one));
            let _ = writeln!(out, "    {}", paint.text(Style::Open, &line));
        }
        if lines.is_empty() && point.unsolved.is_empty() {
            out.push_str("    nothing has changed\n");
        }
    }
    for note in &view.notes {
        let _ = writeln!(out, "{}", paint.text(Style::Open, note));
    }
    out
}

/// When the values of a point hold.
fn head(sources: &SourceMap, view: &SummaryView, point: &DescribedPoint) -> String {
    let place = |at: Location| sources.describe(at);
    match point.moment {
        Moment::Head(at) => format!("{}: whenever the loop's condition is about to be tested", place(at)),
        Moment::After(at) => match &point.within[..] {
            [] => format!("{}: after the loop", place(at)),
            [n] => format!("{}: after the loop, in iteration {n} of the loop around it (from 0)", place(at)),
            all => format!(
                "{}: after the loop, in iterations {} of the loops around it (from 0)",
                place(at),
                all.join(", ")
            ),
        },
        Moment::End => {
            let place = view.function_at.map(|at| format!("{}: ", place(at))).unwrap_or_default();
            let when = point.when.as_ref().map(|when| format!(", for {when}")).unwrap_or_default();
            format!("{place}at the end of {}{when}", view.function)
        }
    }
}

/// The values of a variable or array, each with the words that say when.
fn lines(value: &DescribedValue) -> impl Iterator<Item = (String, String)> + '_ {
    let is_array = value.name.contains('[');
    value.cases.iter().map(move |case| {
        let when = match &case.when {
            Some(when) => format!("for {when}"),
            None if is_array => "for every index".to_owned(),
            None => String::new(),
        };
        (format!("{} = {}", value.name, case.value), when)
    })
}

fn reason(sources: &SourceMap, one: &DescribedUnsolved) -> String {
    format!("{} ({})", one.why, sources.describe(one.at))
}

#[derive(Serialize)]
struct Document<'v> {
    tool: &'static str,
    version: &'static str,
    files: &'v [String],
    function: &'v str,
    points: Vec<PointEntry<'v>>,
    assumptions: &'v [String],
    notes: &'v [String],
}

#[derive(Serialize)]
struct PointEntry<'v> {
    #[serde(flatten)]
    at: Option<PlaceEntry<'v>>,
    /// `loop` or `function`.
    after: &'static str,
    /// The condition of one of several ways to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'v str>,
    /// The names of the iteration numbers of the loops around.
    iterations: &'v [String],
    values: Vec<ValueEntry<'v>>,
    unsolved: Vec<UnsolvedEntry<'v>>,
}

#[derive(Serialize)]
struct PlaceEntry<'v> {
    file: &'v str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct ValueEntry<'v> {
    name: &'v str,
    cases: Vec<CaseEntry<'v>>,
}

impl<'v> ValueEntry<'v> {
    fn new(value: &'v DescribedValue) -> ValueEntry<'v> {
        let cases = value.cases.iter().map(|c| CaseEntry { value: &c.value, when: c.when.as_deref() });
        ValueEntry { name: &value.name, cases: cases.collect() }
    }
}

#[derive(Serialize)]
struct CaseEntry<'v> {
    value: &'v str,
    /// Absent: always.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'v str>,
}

#[derive(Serialize)]
struct UnsolvedEntry<'v> {
    name: &'v str,
    #[serde(flatten)]
    at: PlaceEntry<'v>,
    why: &'v str,
}

/// One JSON document, with a line feed at the end.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn summary_json(sources: &SourceMap, view: &SummaryView) -> Result<String, serde_json::Error> {
    let place = |at: Location| PlaceEntry { file: &sources.file(at.file).name, line: at.line, column: at.column };
    let points = view.points.iter().map(|point| {
        let (at, after) = match point.moment {
            Moment::After(at) | Moment::Head(at) => (Some(at), "loop"),
            Moment::End => (view.function_at, "function"),
        };
        let unsolved = point.unsolved.iter().map(|u| UnsolvedEntry { name: &u.name, at: place(u.at), why: &u.why });
        PointEntry {
            at: at.map(place),
            after,
            when: point.when.as_deref(),
            iterations: &point.within,
            values: point.values.iter().map(ValueEntry::new).collect(),
            unsolved: unsolved.collect(),
        }
    });
    let document = Document {
        tool: "smalti",
        version: env!("CARGO_PKG_VERSION"),
        files: &view.files,
        function: &view.function,
        points: points.collect(),
        assumptions: &view.assumptions,
        notes: &view.notes,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}
