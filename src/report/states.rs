//! The source with the abstract state under each line.

use super::{Paint, Style};
use crate::program::{Location, SourceMap};
use std::fmt::Write;

/// Abstract states at places of a program, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct StateView {
    /// The states, in any order.
    pub lines: Vec<LineState>,
}

/// The abstract state at one line.
#[derive(Clone, Debug)]
pub struct LineState {
    /// The line (the column is not looked at).
    pub at: Location,
    /// Which moment it is.
    pub kind: LineKind,
    /// What to write at the right end of the source line: a verdict, how a loop invariant was found. May be empty.
    pub remark: String,
    /// No run comes here.
    pub unreachable: bool,
    /// What holds of the scalars, one formula each.
    pub scalars: Vec<String>,
    /// What holds of the arrays.
    pub arrays: Vec<ArrayLine>,
}

/// The moment that a state belongs to. Where a line has several, loop heads are shown and the others are not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LineKind {
    /// Each time a loop's condition is about to be tested: a loop invariant.
    LoopHead,
    /// After the last statement that starts on the line.
    After,
}

/// What holds of one array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayLine {
    /// Name and length, as `a[n]`.
    pub name: String,
    /// For each group of cells: which (as `{0..i-1}`), and what they hold.
    pub groups: Vec<(String, String)>,
}

/// Where remarks start.
const REMARK_COLUMN: usize = 56;

/// The source files that have states, each line with the state under it; with the last line's end.
pub fn states(sources: &SourceMap, view: &StateView, paint: Paint) -> String {
    let mut files: Vec<_> = view.lines.iter().map(|l| l.at.file).collect();
    files.sort_unstable();
    files.dedup();
    let mut out = String::new();
    for (n, file) in files.iter().enumerate() {
        let source = sources.file(*file);
        if files.len() > 1 {
            let _ = writeln!(out, "{}{}", if n > 0 { "\n" } else { "" }, paint.text(Style::Strong, &source.name));
        }
        let mut here: Vec<&LineState> = view.lines.iter().filter(|l| l.at.file == *file).collect();
        // A stable sort: of several states of one kind the order given stays.
        here.sort_by_key(|l| (l.at.line, l.kind));
        let last = source.text.lines().count().max(here.last().map_or(0, |l| l.at.line as usize));
        let width = last.to_string().len();
        let mut text = source.text.lines();
        let mut next = here.into_iter().peekable();
        for number in 1..=last {
            let mut at_line = Vec::new();
            while let Some(state) = next.next_if(|l| l.at.line as usize <= number) {
                at_line.push(state);
            }
            write_line(&mut out, paint, number, width, text.next().unwrap_or(""), &shown(&at_line));
        }
    }
    out
}

/// Of the states of one line: the loop heads if there are any, else the last one.
fn shown<'v>(states: &[&'v LineState]) -> Vec<&'v LineState> {
    let heads: Vec<_> = states.iter().copied().filter(|s| s.kind == LineKind::LoopHead).collect();
    if heads.is_empty() { states.last().copied().into_iter().collect() } else { heads }
}

fn write_line(out: &mut String, paint: Paint, number: usize, width: usize, text: &str, states: &[&LineState]) {
    let bar = |label: &str| paint.text(Style::Frame, &format!("{label:>width$} |"));
    let text = text.trim_end();
    let remarks: Vec<String> = states.iter().map(|s| remark(s)).filter(|r| !r.is_empty()).collect();
    let mut line = bar(&number.to_string());
    if !text.is_empty() || !remarks.is_empty() {
        let _ = write!(line, " {text}");
    }
    if !remarks.is_empty() {
        let used = text.chars().count();
        let padding = REMARK_COLUMN.saturating_sub(used).max(2);
        let _ = write!(line, "{:padding$}{}", "", paint.text(Style::Strong, &remarks.join("; ")));
    }
    let _ = writeln!(out, "{line}");
    for state in states {
        for line in content(state) {
            let style = if state.unreachable { Style::Open } else { Style::Good };
            let _ = writeln!(out, "{}     {}", bar(""), paint.text(style, &line));
        }
    }
}

fn remark(state: &LineState) -> String {
    match (state.kind, state.remark.is_empty()) {
        (LineKind::LoopHead, true) => "loop invariant".into(),
        (LineKind::LoopHead, false) => format!("loop invariant, {}", state.remark),
        (LineKind::After, _) => state.remark.clone(),
    }
}

/// The lines of one state.
fn content(state: &LineState) -> Vec<String> {
    if state.unreachable {
        return vec!["unreachable".into()];
    }
    let mut lines = Vec::new();
    match state.scalars.is_empty() {
        // A reader must see that this is the state, not that something was forgotten.
        true if state.arrays.is_empty() => lines.push("nothing is known".into()),
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
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FileId, SourceFile};

    fn at(line: u32) -> Location {
        Location { file: FileId(0), line, column: 1 }
    }

    fn state(line: u32, kind: LineKind, scalars: &[&str]) -> LineState {
        LineState {
            at: at(line),
            kind,
            remark: String::new(),
            unreachable: false,
            scalars: scalars.iter().map(|s| (*s).into()).collect(),
            arrays: Vec::new(),
        }
    }

    #[test]
    fn a_loop_line_shows_its_invariant_and_other_lines_their_last_state() {
        let text = "int i = 0;\nwhile (i < n) {\n  a[i] = 0; i++;\n}\n\nf();\n";
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into() }] };
        let mut head = state(2, LineKind::LoopHead, &["0 <= i <= n"]);
        head.remark = "2 iterations".into();
        head.arrays = vec![ArrayLine {
            name: "a[100]".into(),
            groups: vec![("{0..i-1}".into(), "0".into()), ("{i..99}".into(), String::new())],
        }];
        let mut end = state(6, LineKind::After, &[]);
        end.unreachable = true;
        end.remark = "proved (domains)".into();
        let lines = vec![
            state(3, LineKind::After, &["wrong"]),
            state(3, LineKind::After, &["1 <= i <= n", "n <= 100"]),
            end,
            state(2, LineKind::After, &["wrong"]),
            head,
            state(1, LineKind::After, &[]),
        ];
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
        assert_eq!(states(&sources, &StateView { lines }, Paint::PLAIN), expected);
    }

    #[test]
    fn states_beyond_the_end_of_the_text_are_shown() {
        let sources = SourceMap { files: vec![SourceFile { name: "gone.h".into(), text: "".into() }] };
        let view = StateView { lines: vec![state(2, LineKind::After, &["x = 1"])] };
        assert_eq!(states(&sources, &view, Paint::PLAIN), "1 |\n2 |\n  |     x = 1\n");
    }
}
