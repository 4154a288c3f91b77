//! The source with the abstract state under each line.

use super::paint::visible;
use super::{Paint, Style};
use crate::program::{FileId, Location, SourceMap};
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
    /// No run reaches this place.
    pub unreachable: bool,
    /// The formulas about scalars.
    pub scalars: Vec<String>,
    /// What is known of the arrays.
    pub arrays: Vec<ArrayLine>,
    /// The number of further known arrays, which the line does not mention.
    pub more_arrays: usize,
    /// The number of further known scalars.
    pub more_scalars: usize,
}

/// The moment of a state. If a line has loop heads, only they are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LineKind {
    /// Each time a loop's condition is about to be tested: a loop invariant.
    LoopHead,
    /// After the last statement that starts on the line.
    After,
}

/// What is known of one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayLine {
    /// Name and length, as `a[n]`.
    pub name: String,
    /// For each group of cells: its indexes (as `{0..i-1}`), and what the cells hold.
    pub groups: Vec<(String, String)>,
}

/// The column at which remarks start.
const REMARK_COLUMN: usize = 56;
/// The largest number of copies of a function that are shown.
const MOST_COPIES: usize = 4;

/// The source files that have states, each line with its state below it. Then the stack that the
/// states come from, and why states are missing, if any are. The text ends in a line feed.
pub fn states(sources: &SourceMap, view: &StateView, paint: Paint) -> String {
    let places = view.lines.iter().map(|l| l.place.at).chain(view.remarks.iter().map(|r| r.0));
    let mut last_line: BTreeMap<FileId, u32> = BTreeMap::new();
    for at in places {
        let line = last_line.entry(at.file).or_default();
        *line = at.line.max(*line);
    }
    let mut here: BTreeMap<(FileId, u32), Vec<&LineState>> = BTreeMap::new();
    view.lines.iter().for_each(|l| here.entry((l.place.at.file, l.place.at.line)).or_default().push(l));
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

/// The beginning of the line that names the stack.
pub(crate) const STACK: &str = "stack: ";
/// The beginning of a line that says why states are missing.
pub(crate) const PARTIAL: &str = "partial: ";

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
        let states = pick(states, |s| &s.place, |a, b| content(a) == content(b));
        for (n, state) in states.iter().enumerate().take(MOST_COPIES) {
            if n > 0 {
                let _ = writeln!(out, "{}     or", self.bar(""));
            }
            let style = if state.unreachable { Style::Open } else { Style::Good };
            for line in content(state) {
                let _ = writeln!(out, "{}     {}", self.bar(""), self.paint.text(style, &line));
            }
        }
        if states.len() > MOST_COPIES {
            let _ = writeln!(out, "{}     or one of {} more", self.bar(""), states.len() - MOST_COPIES);
        }
    }
}

/// The lines of one state.
fn content(state: &LineState) -> Vec<String> {
    if state.unreachable {
        return vec!["unreachable".into()];
    }
    let more = more(state.more_arrays, state.more_scalars);
    let mut lines = Vec::new();
    match state.scalars.is_empty() {
        // An empty state must be shown as such, so that a reader sees that nothing was left out.
        true if state.arrays.is_empty() && more.is_none() => lines.push("nothing is known".into()),
        true => {}
        false => lines.push(state.scalars.join("; ")),
    }
    let width = state.arrays.iter().map(|a| a.name.chars().count()).max().unwrap_or(0);
    for array in &state.arrays {
        let groups: Vec<String> = array
            .groups
            .iter()
            .map(|(index, content)| {
                let content = if content.is_empty() { "any" } else { content };
                if index.is_empty() { content.to_owned() } else { format!("{index}: {content}") }
            })
            .collect();
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
    use crate::program::{FileId, SourceFile};

    fn at(line: u32) -> Location {
        Location { file: FileId(0), line, column: 1 }
    }

    fn state(line: u32, kind: LineKind, scalars: &[&str]) -> LineState {
        let scalars = scalars.iter().map(|s| (*s).into()).collect();
        let place = Placed { at: at(line), kind, copy: 0 };
        LineState { place, unreachable: false, scalars, arrays: Vec::new(), more_arrays: 0, more_scalars: 0 }
    }

    #[test]
    fn a_loop_line_shows_its_invariant_and_other_lines_their_last_state() {
        let text = "int i = 0;\nwhile (i < n) {\n  a[i] = 0; i++;\n}\n\nf();\n";
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] };
        let mut head = state(2, LineKind::LoopHead, &["0 <= i <= n"]);
        head.arrays = vec![ArrayLine {
            name: "a[100]".into(),
            groups: vec![("{0..i-1}".into(), "0".into()), ("{i..99}".into(), String::new())],
        }];
        let mut end = state(6, LineKind::After, &[]);
        end.unreachable = true;
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
  |     a[100]   {0..i-1}: 0     {i..99}: any
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
        (large.more_arrays, large.more_scalars) = (1, 70);
        let mut known = state(2, LineKind::After, &["x = 1"]);
        known.more_arrays = 13;
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
