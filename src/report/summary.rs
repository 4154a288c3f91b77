//! What loops compute: as a list for people, and as one JSON document.

use super::{Paint, Style};
use crate::program::{Location, SourceMap};
use crate::summary::{DescribedPoint, DescribedUnsolved, DescribedValue, Moment};
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

/// One point in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Paragraph<'v> {
    /// The place of the loop or function.
    pub(super) at: Option<Location>,
    /// When the values hold, without the place.
    pub(super) heading: String,
    /// The values, each with the words that say when a variable or cell has it.
    pub(super) values: Vec<(String, String)>,
    /// What has no closed form.
    pub(super) unsolved: &'v [DescribedUnsolved],
}

impl<'v> Paragraph<'v> {
    /// A point in words.
    pub(super) fn new(view: &SummaryView, point: &'v DescribedPoint) -> Paragraph<'v> {
        Paragraph {
            at: point.moment.of_loop().or(view.function_at),
            heading: heading(view, point),
            values: point.values.iter().flat_map(lines).collect(),
            unsolved: &point.unsolved,
        }
    }

    /// A line for each value, and whether it is one or the reason why there is none.
    pub(super) fn lines(&self, sources: &SourceMap) -> Vec<(bool, String)> {
        let widths = self.values.iter().map(|(value, _)| value.chars().count());
        let width = widths.filter(|w| *w <= MOST_ALIGNED).max().unwrap_or(0);
        let known =
            self.values.iter().map(|(value, when)| (true, format!("{value:width$}   {when}").trim_end().to_owned()));
        let unknown = self.unsolved.iter().map(|one| (false, unsolved(sources, one)));
        known.chain(unknown).collect()
    }
}

/// Values of this width are aligned. Wider ones would push the conditions of others far to the
/// right.
const MOST_ALIGNED: usize = 60;

/// The list for people.
pub fn summary(sources: &SourceMap, view: &SummaryView, paint: Paint) -> String {
    let mut out = String::new();
    for (n, point) in view.points.iter().enumerate() {
        let paragraph = Paragraph::new(view, point);
        let place = paragraph.at.map(|at| format!("{}: ", sources.describe(at))).unwrap_or_default();
        let heading = paint.text(Style::Strong, &format!("{place}{}", paragraph.heading));
        let _ = writeln!(out, "{}{heading}", if n > 0 { "\n" } else { "" });
        let lines = paragraph.lines(sources);
        for (is_known, line) in &lines {
            let style = if *is_known { Style::Good } else { Style::Open };
            let _ = writeln!(out, "    {}", paint.text(style, line));
        }
        if lines.is_empty() {
            out.push_str("    nothing has changed\n");
        }
    }
    for note in &view.notes {
        let _ = writeln!(out, "{}", paint.text(Style::Open, note));
    }
    out
}

/// When the values of a point hold.
fn heading(view: &SummaryView, point: &DescribedPoint) -> String {
    match point.moment {
        Moment::Head(_) => "whenever the loop's condition is about to be tested".to_owned(),
        Moment::After(_) => {
            let within = match &point.within[..] {
                [] => String::new(),
                [n] => format!(", in iteration {n} of the loop around it (from 0)"),
                all => format!(", in iterations {} of the loops around it (from 0)", all.join(", ")),
            };
            format!("after the loop{within}")
        }
        Moment::End => {
            let when = point.when.as_ref().map(|when| format!(", for {when}")).unwrap_or_default();
            format!("at the end of {}{when}", view.function)
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

/// Says that something has no closed form, and why.
pub(super) fn unsolved(sources: &SourceMap, one: &DescribedUnsolved) -> String {
    format!("{} has no closed form: {} ({})", one.name, one.why, sources.describe(one.at))
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

/// A point as data.
#[derive(Serialize)]
pub(super) struct PointEntry<'v> {
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

/// The points as data.
pub(super) fn point_entries<'v>(sources: &'v SourceMap, view: &'v SummaryView) -> Vec<PointEntry<'v>> {
    let place = |at: Location| PlaceEntry { file: &sources.file(at.file).name, line: at.line, column: at.column };
    let entry = |point: &'v DescribedPoint| {
        let of_loop = point.moment.of_loop();
        let unsolved = point.unsolved.iter().map(|u| UnsolvedEntry { name: &u.name, at: place(u.at), why: &u.why });
        PointEntry {
            at: of_loop.or(view.function_at).map(place),
            after: if of_loop.is_some() { "loop" } else { "function" },
            when: point.when.as_deref(),
            iterations: &point.within,
            values: point.values.iter().map(ValueEntry::new).collect(),
            unsolved: unsolved.collect(),
        }
    };
    view.points.iter().map(entry).collect()
}

/// One JSON document, with a line feed at the end.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn summary_json(sources: &SourceMap, view: &SummaryView) -> Result<String, serde_json::Error> {
    let document = Document {
        tool: "smalti",
        version: env!("CARGO_PKG_VERSION"),
        files: &view.files,
        function: &view.function,
        points: point_entries(sources, view),
        assumptions: &view.assumptions,
        notes: &view.notes,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}
