//! Invariants at loops and at ends of functions: as a list for people, and as one JSON document.

use super::{PARTIAL, Paint, STACK, Style};
use crate::facts::{ArrayContent, Cells, Fact, GroupContent};
use crate::program::{Location, SourceMap};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Invariants, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct InvariantView {
    /// The files of the command line.
    pub files: Vec<String>,
    /// The places, in the order of output.
    pub places: Vec<InvariantLines>,
    /// The assumptions.
    pub assumptions: Vec<String>,
    /// The settings that influenced the result.
    pub configuration: BTreeMap<String, String>,
    /// Sentences about the run.
    pub notes: Vec<String>,
    /// Whether there was enough time for all places.
    pub complete: bool,
}

/// The invariants at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantLines {
    /// The place of the loop. For the end of a function, the place of its name.
    pub at: Location,
    /// The function that it belongs to.
    pub function: String,
    /// The kind of the place.
    pub kind: PlaceKind,
    /// No run reaches this place.
    pub unreachable: bool,
    /// The formulas, each on its own.
    pub formulas: Vec<Fact>,
    /// The answer of a model checker about the formulas of a loop, if it was asked.
    pub checked: Option<String>,
    /// Groups of cells that no formula names.
    pub groups: Vec<ArrayContent>,
}

/// The kinds of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceKind {
    /// Each time a loop's condition is about to be tested.
    Loop,
    /// When a function returns.
    Exit,
}

/// The list for people.
pub fn invariants(sources: &SourceMap, view: &InvariantView, paint: Paint) -> String {
    let mut out = String::new();
    for (n, place) in view.places.iter().enumerate() {
        let what = match place.kind {
            PlaceKind::Loop => "loop in",
            PlaceKind::Exit => "exit of",
        };
        let head = format!("{}: {what} {}", sources.describe(place.at), place.function);
        let _ = writeln!(out, "{}{}", if n > 0 { "\n" } else { "" }, paint.text(Style::Strong, &head));
        let mut lines: Vec<String> = place.formulas.iter().map(Fact::to_string).collect();
        if place.unreachable {
            lines.push("unreachable".into());
        }
        for array in &place.groups {
            lines.extend(array.groups.iter().map(|group| format!("{}   {group}", array.name)));
        }
        if lines.is_empty() {
            lines.push("nothing is known".into());
        }
        let style = if place.unreachable { Style::Open } else { Style::Good };
        for line in lines {
            let _ = writeln!(out, "    {}", paint.text(style, &line));
        }
        if let Some(checked) = &place.checked {
            let _ = writeln!(out, "    ({checked})");
        }
    }
    if view.places.is_empty() && view.complete {
        out.push_str("there is no loop, and no function whose calls are all known\n");
    }
    if let Some(stack) = view.configuration.get("stack").filter(|stack| !stack.is_empty()) {
        let _ = writeln!(out, "\n{STACK}{stack}");
    }
    if !view.complete {
        for why in &view.notes {
            let _ = writeln!(out, "{}", paint.text(Style::Open, &format!("{PARTIAL}{why}")));
        }
    }
    out
}

#[derive(Serialize)]
struct Document<'v> {
    tool: &'static str,
    version: &'static str,
    files: &'v [String],
    complete: bool,
    invariants: Vec<Entry<'v>>,
    assumptions: &'v [String],
    configuration: &'v BTreeMap<String, String>,
    notes: &'v [String],
}

#[derive(Serialize)]
struct Entry<'v> {
    file: &'v str,
    line: u32,
    column: u32,
    function: &'v str,
    kind: PlaceKind,
    unreachable: bool,
    formulas: &'v [Fact],
    /// Only with `--verify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<&'v str>,
    groups: Vec<Group<'v>>,
}

#[derive(Serialize)]
struct Group<'v> {
    array: &'v str,
    cells: &'v Cells,
    /// All that holds, as one text.
    content: String,
    /// The same, fact by fact.
    holds: &'v [Fact],
}

/// One JSON document, with a line feed at the end.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn invariants_json(sources: &SourceMap, view: &InvariantView) -> Result<String, serde_json::Error> {
    let document = Document {
        tool: "smalti",
        version: env!("CARGO_PKG_VERSION"),
        files: &view.files,
        complete: view.complete,
        invariants: view.places.iter().map(|p| Entry::new(sources, p)).collect(),
        assumptions: &view.assumptions,
        configuration: &view.configuration,
        notes: &view.notes,
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}

impl<'v> Entry<'v> {
    fn new(sources: &'v SourceMap, place: &'v InvariantLines) -> Entry<'v> {
        let of_array = |a: &'v ArrayContent| {
            let group =
                |g: &'v GroupContent| Group { array: &a.name, cells: &g.cells, content: g.content(), holds: &g.holds };
            a.groups.iter().map(group)
        };
        Entry {
            file: &sources.file(place.at.file).name,
            line: place.at.line,
            column: place.at.column,
            function: &place.function,
            kind: place.kind,
            unreachable: place.unreachable,
            formulas: &place.formulas,
            checked: place.checked.as_deref(),
            groups: place.groups.iter().flat_map(of_array).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FileId, SourceFile};

    #[test]
    fn formulas_come_first_and_groups_that_none_names_after_them() {
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: "".into(), own: true }] };
        let place = |kind, formulas: &[&str]| InvariantLines {
            at: Location { file: FileId(0), line: 3, column: 5 },
            function: "f".into(),
            kind,
            unreachable: false,
            formulas: formulas.iter().map(|f| Fact::from(*f)).collect(),
            checked: None,
            groups: Vec::new(),
        };
        let mut first = place(PlaceKind::Loop, &["0 <= i", "forall k. 0 <= k < i ==> a[k] == 0"]);
        first.checked = Some("inductive".into());
        first.groups = vec![ArrayContent { name: "b[9]".into(), groups: vec![GroupContent::from("{..}: value >= 0")] }];
        let mut last = place(PlaceKind::Exit, &[]);
        last.unreachable = true;
        let places = vec![first, place(PlaceKind::Loop, &[]), last];
        let view = InvariantView { places, complete: true, ..InvariantView::default() };
        let expected = "\
x.c:3:5: loop in f
    0 <= i
    forall k. 0 <= k < i ==> a[k] == 0
    b[9]   {..}: value >= 0
    (inductive)

x.c:3:5: loop in f
    nothing is known

x.c:3:5: exit of f
    unreachable
";
        assert_eq!(invariants(&sources, &view, Paint::PLAIN), expected);
        let document: serde_json::Value =
            serde_json::from_str(&invariants_json(&sources, &view).expect("a document")).expect("JSON");
        assert_eq!(document["invariants"][0]["groups"][0]["cells"], "{..}");
        assert_eq!(
            (&document["invariants"][2]["kind"], &document["invariants"][2]["line"]),
            (&"exit".into(), &3.into())
        );
    }
}
