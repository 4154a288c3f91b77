//! The source with the abstract state under each line.

use super::paint::visible;
use super::summary::{Paragraph, PointEntry, point_entries};
use super::{Paint, Style, SummaryView};
use crate::facts::{self, StateFacts};
use crate::program::{FileId, Location, SourceMap};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Abstract states at places of a program, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct StateView {
    /// The states. All loop heads of a line are shown; of its other states, those with the last
    /// column. Of states with the same place and copy, the last one is shown.
    pub lines: Vec<LineState>,
    /// Remarks for the right end of a source line: a verdict, or how a loop invariant was found.
    pub remarks: Vec<(Location, String)>,
    /// What loops compute. It is shown below the states of their first lines.
    pub computed: SummaryView,
    /// The stack whose states these are; empty if there is none.
    pub stack: String,
    /// Why some states are missing.
    pub missing: Vec<String>,
}

/// The place and moment of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The place. Of several moments on a line, those with the greatest column come last.
    pub at: Location,
    /// The kind of moment.
    pub kind: LineKind,
    /// The copy of the statement, if a function is called from several places. Copies with the same
    /// state are shown once.
    pub copy: usize,
}

/// The abstract state at one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineState {
    /// The place of the state.
    pub place: Placed,
    /// What is known there.
    pub facts: StateFacts,
}

/// The moment of a state. If a line has loop heads, only they are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// Each time a loop's condition is about to be tested: a loop invariant.
    #[serde(rename = "loop")]
    LoopHead,
    /// After the last statement that starts on the line.
    After,
}

/// The column at which remarks start.
const REMARK_COLUMN: usize = 56;
/// The largest number of copies of a function that are shown.
const MOST_COPIES: usize = 4;

/// The source files that have states, each line with its state below it. Then the stack that the
/// states come from, and why states are missing, if any are. The text ends in a line feed.
pub fn states(sources: &SourceMap, view: &StateView, paint: Paint) -> String {
    let mut computed: BTreeMap<(FileId, u32), Vec<Paragraph>> = BTreeMap::new();
    for paragraph in view.computed.points.iter().map(|point| Paragraph::new(&view.computed, point)) {
        if let Some(at) = paragraph.at {
            computed.entry((at.file, at.line)).or_default().push(paragraph);
        }
    }
    let places = view.lines.iter().map(|l| l.place.at).chain(view.remarks.iter().map(|r| r.0));
    let mut last_line: BTreeMap<FileId, u32> = BTreeMap::new();
    for at in places {
        let line = last_line.entry(at.file).or_default();
        *line = at.line.max(*line);
    }
    let here = by_line(view);
    let mut remarks: BTreeMap<(FileId, u32), Vec<&str>> = BTreeMap::new();
    for (at, remark) in &view.remarks {
        let all = remarks.entry((at.file, at.line)).or_default();
        if !all.contains(&remark.as_str()) {
            all.push(remark);
        }
    }
    let mut out = String::new();
    for (n, (file, line)) in last_line.iter().enumerate() {
        let source = sources.file(*file);
        if last_line.len() > 1 {
            let _ =
                writeln!(out, "{}{}", if n > 0 { "\n" } else { "" }, paint.text(Style::Strong, &visible(&source.name)));
        }
        let last = (*line).max(source.text.lines().count().try_into().unwrap_or(u32::MAX));
        let page = Page { width: last.to_string().len(), paint };
        let mut text = source.text.lines();
        for number in 1..=last {
            let remarks = remarks.get(&(*file, number)).map(|r| r.join("; ")).unwrap_or_default();
            page.source(&mut out, number, &visible(text.next().unwrap_or("").trim_end()), &visible(&remarks));
            if let Some(states) = here.get(&(*file, number)) {
                page.states(&mut out, states);
            }
            for paragraph in computed.get(&(*file, number)).into_iter().flatten() {
                page.computed(&mut out, sources, paragraph);
            }
        }
    }
    if !view.stack.is_empty() {
        let _ = writeln!(out, "{STACK}{}", view.stack);
    }
    for why in &view.missing {
        let _ = writeln!(out, "{}", paint.text(Style::Open, &format!("{PARTIAL}{why}")));
    }
    out
}

/// The document that `smalti states --format json` prints.
#[derive(Serialize)]
struct Document<'v> {
    tool: &'static str,
    version: &'static str,
    files: &'v [String],
    /// Whether no state is missing for lack of time.
    complete: bool,
    /// The stack that computed the states.
    stack: &'v str,
    states: Vec<Line<'v>>,
    /// What loops compute.
    computed: Vec<PointEntry<'v>>,
    remarks: Vec<Remark<'v>>,
    notes: &'v [String],
}

/// The states at one line.
#[derive(Serialize)]
struct Line<'v> {
    file: &'v str,
    line: u32,
    kind: LineKind,
    /// One state for each copy of the function, as far as they differ.
    copies: Vec<&'v StateFacts>,
    /// The number of further copies.
    more_copies: usize,
}

/// A remark about a line.
#[derive(Serialize)]
struct Remark<'v> {
    file: &'v str,
    line: u32,
    text: &'v str,
}

/// The states as one JSON document, with a line feed at the end. Of each line it has the states
/// that the text for people shows. `files` are those of the command line.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn states_json(
    sources: &SourceMap,
    files: &[String],
    view: &StateView,
    complete: bool,
) -> Result<String, serde_json::Error> {
    let name = |file: FileId| sources.file(file).name.as_str();
    let states = by_line(view).into_iter().filter_map(|((file, line), states)| {
        let shown = pick(&states, |s| &s.place, |a, b| a.facts == b.facts);
        let kind = shown.first()?.place.kind;
        let copies = shown.iter().take(MOST_COPIES).map(|s| &s.facts).collect();
        Some(Line { file: name(file), line, kind, copies, more_copies: shown.len().saturating_sub(MOST_COPIES) })
    });
    let document = Document {
        tool: "smalti",
        version: env!("CARGO_PKG_VERSION"),
        files,
        complete,
        stack: &view.stack,
        states: states.collect(),
        computed: point_entries(sources, &view.computed),
        remarks: view.remarks.iter().map(|(at, text)| Remark { file: name(at.file), line: at.line, text }).collect(),
        notes: &view.missing,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// The states of each line.
fn by_line(view: &StateView) -> BTreeMap<(FileId, u32), Vec<&LineState>> {
    let mut lines: BTreeMap<(FileId, u32), Vec<&LineState>> = BTreeMap::new();
    view.lines.iter().for_each(|l| lines.entry((l.place.at.file, l.place.at.line)).or_default().push(l));
    lines
}

/// The beginning of the line that names the stack.
pub(super) const STACK: &str = "stack: ";
/// The beginning of a line that says why states are missing.
pub(super) const PARTIAL: &str = "partial: ";

/// Chooses among the states of one line: the loop heads if there are any, otherwise those with the
/// last column. Equal states are kept once.
pub(super) fn pick<'v, S>(
    states: &[&'v S],
    place: impl Fn(&S) -> &Placed,
    same: impl Fn(&S, &S) -> bool,
) -> Vec<&'v S> {
    let heads: Vec<_> = states.iter().copied().filter(|s| place(s).kind == LineKind::LoopHead).collect();
    let last = states.iter().map(|s| place(s).at.column).max();
    let chosen: Vec<&S> = match heads.is_empty() {
        true => states.iter().copied().filter(|s| Some(place(s).at.column) == last).collect(),
        false => heads,
    };
    // Several statements may start at one place (a declaration and its initialisation): the last
    // one counts.
    let last_of_copy: BTreeMap<(u32, usize), &S> =
        chosen.iter().map(|s| ((place(s).at.column, place(s).copy), *s)).collect();
    let mut shown: Vec<&S> = Vec::new();
    for state in last_of_copy.into_values() {
        if !shown.iter().any(|s| same(s, state)) {
            shown.push(state);
        }
    }
    shown
}

/// The layout of lines.
struct Page {
    /// The width of line numbers.
    width: usize,
    paint: Paint,
}

impl Page {
    fn bar(&self, label: &str) -> String {
        self.paint.text(Style::Frame, &format!("{label:>width$} |", width = self.width))
    }

    fn source(&self, out: &mut String, number: u32, text: &str, remarks: &str) {
        let mut line = self.bar(&number.to_string());
        if !text.is_empty() || !remarks.is_empty() {
            let _ = write!(line, " {text}");
        }
        if !remarks.is_empty() {
            let padding = REMARK_COLUMN.saturating_sub(text.chars().count()).max(2);
            let _ = write!(line, "{:padding$}{}", "", self.paint.text(Style::Strong, remarks));
        }
        let _ = writeln!(out, "{line}");
    }

    fn states(&self, out: &mut String, states: &[&LineState]) {
        let states = pick(states, |s| &s.place, |a, b| a.facts == b.facts);
        for (n, state) in states.iter().enumerate().take(MOST_COPIES) {
            if n > 0 {
                let _ = writeln!(out, "{}     or", self.bar(""));
            }
            let style = if state.facts.unreachable { Style::Open } else { Style::Good };
            for line in content(&state.facts) {
                let _ = writeln!(out, "{}     {}", self.bar(""), self.paint.text(style, &line));
            }
        }
        if states.len() > MOST_COPIES {
            let _ = writeln!(out, "{}     or one of {} more", self.bar(""), states.len() - MOST_COPIES);
        }
    }

    fn computed(&self, out: &mut String, sources: &SourceMap, paragraph: &Paragraph) {
        let heading = self.paint.text(Style::Strong, &paragraph.heading);
        let _ = writeln!(out, "{}     {heading}:", self.bar(""));
        for (is_known, line) in paragraph.lines(sources) {
            let style = if is_known { Style::Good } else { Style::Open };
            let _ = writeln!(out, "{}         {}", self.bar(""), self.paint.text(style, &line));
        }
    }
}

/// The lines of one state.
fn content(state: &StateFacts) -> Vec<String> {
    if state.unreachable {
        return vec!["unreachable".into()];
    }
    let more = more(state.more_arrays, state.more_scalars);
    let mut lines = Vec::new();
    match state.scalars.is_empty() {
        // An empty state must be shown as such, so that a reader sees that nothing was left out.
        true if state.arrays.is_empty() && more.is_none() => lines.push("nothing is known".into()),
        true => {}
        false => lines.push(facts::texts(&state.scalars, "; ")),
    }
    let width = state.arrays.iter().map(|a| a.name.chars().count()).max().unwrap_or(0);
    for array in &state.arrays {
        let groups: Vec<String> = array.groups.iter().map(ToString::to_string).collect();
        lines.push(format!("{:width$}   {}", array.name, groups.join("     ")));
    }
    lines.extend(more);
    lines
}

/// Says how much of a state is not shown.
fn more(arrays: usize, scalars: usize) -> Option<String> {
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 more {what}")),
        _ => Some(format!("{n} more {what}s")),
    };
    let all: Vec<String> = [count(arrays, "array"), count(scalars, "scalar")].into_iter().flatten().collect();
    (!all.is_empty()).then(|| format!("({})", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{ArrayContent, Fact, GroupContent};
    use crate::program::{FileId, SourceFile};

    fn at(line: u32) -> Location {
        Location { file: FileId(0), line, column: 1 }
    }

    fn state(line: u32, kind: LineKind, scalars: &[&str]) -> LineState {
        let scalars = scalars.iter().map(|s| Fact::from(*s)).collect();
        LineState {
            place: Placed { at: at(line), kind, copy: 0 },
            facts: StateFacts { scalars, ..StateFacts::default() },
        }
    }

    #[test]
    fn a_loop_line_shows_its_invariant_and_other_lines_their_last_state() {
        let text = "int i = 0;\nwhile (i < n) {\n  a[i] = 0; i++;\n}\n\nf();\n";
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] };
        let mut head = state(2, LineKind::LoopHead, &["0 <= i <= n"]);
        head.facts.arrays = vec![ArrayContent {
            name: "a[100]".into(),
            groups: ["{0..i-1}: value == 0", "{i..99}: any"].map(GroupContent::from).into(),
        }];
        let mut end = state(6, LineKind::After, &[]);
        end.facts.unreachable = true;
        let mut last = state(3, LineKind::After, &["1 <= i <= n", "n <= 100"]);
        last.place.at.column = 13;
        let lines = vec![
            last,
            state(3, LineKind::After, &["wrong"]),
            end,
            state(2, LineKind::After, &["wrong"]),
            head,
            state(1, LineKind::After, &[]),
        ];
        let remarks = vec![(at(6), "proved (domains)".into()), (at(2), "loop invariant, 2 iterations".into())];
        let expected = "\
1 | int i = 0;
  |     nothing is known
2 | while (i < n) {                                         loop invariant, 2 iterations
  |     0 <= i <= n
  |     a[100]   {0..i-1}: value == 0     {i..99}: any
3 |   a[i] = 0; i++;
  |     1 <= i <= n; n <= 100
4 | }
5 |
6 | f();                                                    proved (domains)
  |     unreachable
";
        assert_eq!(states(&sources, &StateView { lines, remarks, ..StateView::default() }, Paint::PLAIN), expected);
    }

    #[test]
    fn states_beyond_the_end_of_the_text_are_shown() {
        let sources = SourceMap { files: vec![SourceFile { name: "gone.h".into(), text: "".into(), own: true }] };
        let view = StateView {
            lines: vec![state(2, LineKind::After, &["x = 1"])],
            remarks: Vec::new(),
            ..StateView::default()
        };
        assert_eq!(states(&sources, &view, Paint::PLAIN), "1 |\n2 |\n  |     x = 1\n");
    }

    #[test]
    fn what_cannot_be_seen_in_the_source_is_made_visible() {
        let text = "int x; // \u{202e}\u{1b}[2J".to_owned();
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] };
        let view = StateView {
            lines: vec![state(1, LineKind::After, &["x = 1"])],
            remarks: Vec::new(),
            ..StateView::default()
        };
        let expected = "1 | int x; // \u{27e8}U+202E\u{27e9}\u{241b}[2J\n  |     x = 1\n";
        assert_eq!(states(&sources, &view, Paint::PLAIN), expected);
    }

    #[test]
    fn how_much_is_not_shown_is_said() {
        let sources =
            SourceMap { files: vec![SourceFile { name: "x.c".into(), text: "f();\ng();\n".into(), own: true }] };
        let mut large = state(1, LineKind::After, &[]);
        (large.facts.more_arrays, large.facts.more_scalars) = (1, 70);
        let mut known = state(2, LineKind::After, &["x = 1"]);
        known.facts.more_arrays = 13;
        let view = StateView { lines: vec![large, known], remarks: Vec::new(), ..StateView::default() };
        let expected = "\
1 | f();
  |     (1 more array, 70 more scalars)
2 | g();
  |     x = 1
  |     (13 more arrays)
";
        assert_eq!(states(&sources, &view, Paint::PLAIN), expected);
    }

    #[test]
    fn copies_with_different_states_are_alternatives() {
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: "f();\n".into(), own: true }] };
        let copies = ["x = 1", "x = 2", "x = 1", "x = 3", "x = 4", "x = 5"];
        let earlier = ["wrong"; 6];
        let all = earlier.iter().enumerate().chain(copies.iter().enumerate());
        let lines = all.map(|(copy, s)| {
            let state = state(1, LineKind::After, &[s]);
            LineState { place: Placed { copy, ..state.place }, ..state }
        });
        let view = StateView { lines: lines.collect(), remarks: Vec::new(), ..StateView::default() };
        let expected = "\
1 | f();
  |     x = 1
  |     or
  |     x = 2
  |     or
  |     x = 3
  |     or
  |     x = 4
  |     or one of 1 more
";
        assert_eq!(states(&sources, &view, Paint::PLAIN), expected);
    }
}
