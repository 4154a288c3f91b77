//! Adds ACSL annotations to the source: loop invariants before loops, `ensures` clauses before
//! functions (ANSI/ISO C Specification Language, version 1.20, sections 2.3.1 and 2.4.2).
//!
//! Every character of the source is kept. Clauses are added to existing annotations where possible.
//! A clause that cannot be placed, because the text there comes from a macro or is in another file,
//! is returned.

use super::PlaceKind;
use crate::program::{FileId, Location, Program, SourceMap};
use crate::summary;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The clauses that belong to one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The place of the loop, or of the function's name.
    pub at: Location,
    /// The function.
    pub function: String,
    /// The kind of the place.
    pub kind: PlaceKind,
    /// The predicates that hold there.
    pub predicates: Vec<String>,
    /// For loops: what the loop changes, if it is known.
    pub assigns: Option<Vec<String>>,
}

impl Annotation {
    /// The annotations that say what a summary says.
    pub fn of_clauses(program: &Program, clauses: Vec<summary::Clauses>) -> Vec<Annotation> {
        let annotation = |one: summary::Clauses| Annotation {
            at: one.at,
            function: program.function(one.function).name.clone(),
            kind: if one.is_loop { PlaceKind::Loop } else { PlaceKind::Exit },
            predicates: one.predicates,
            assigns: one.assigns,
        };
        clauses.into_iter().map(annotation).collect()
    }

    fn clauses(&self) -> Vec<String> {
        let keyword = match self.kind {
            PlaceKind::Loop => "loop invariant",
            PlaceKind::Exit => "ensures",
        };
        let mut clauses: Vec<String> = self.predicates.iter().map(|p| format!("{keyword} {p};")).collect();
        if let Some(assigns) = self.assigns.as_ref().filter(|_| self.kind == PlaceKind::Loop) {
            let list = if assigns.is_empty() { "\\nothing".to_owned() } else { assigns.join(", ") };
            clauses.push(format!("loop assigns {list};"));
        }
        clauses
    }
}

/// Files with annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotated {
    /// The names and texts of the files that were to be annotated.
    pub files: Vec<(String, String)>,
    /// The annotations that have no place in these files: those at text from a macro, and those in
    /// other files.
    pub left: Vec<Annotation>,
}

impl Annotated {
    /// All texts, one after the other. If there are several, each has its name above it.
    pub fn listing(&self) -> String {
        let mut out = String::new();
        for (name, text) in &self.files {
            if self.files.len() > 1 {
                // A file name may contain anything, even the end of a comment.
                let name: String = name.chars().filter(|c| !c.is_control() && *c != '\\').collect();
                let _ = writeln!(out, "// {name}");
            }
            out.push_str(text);
            if !text.is_empty() && !text.ends_with('\n') {
                out.push('\n');
            }
        }
        out
    }
}

/// The first `files` files with annotations. The whole text is kept: only comments, and clauses in
/// existing annotations, are added.
pub fn acsl(sources: &SourceMap, files: usize, annotations: &[Annotation]) -> Annotated {
    let mut insertions: BTreeMap<FileId, BTreeMap<usize, Clauses>> = BTreeMap::new();
    let mut left = Vec::new();
    let mut starts: BTreeMap<FileId, Vec<(usize, usize)>> = BTreeMap::new();
    for annotation in annotations {
        let clauses = annotation.clauses();
        if clauses.is_empty() {
            continue;
        }
        let file = annotation.at.file;
        let text = &sources.file(file).text;
        let word = sources.word(annotation.at);
        let own = (file.0 as usize) < files;
        let offset = sources.offset(annotation.at).filter(|_| own).and_then(|at| match annotation.kind {
            PlaceKind::Loop => ["for", "while", "do"].contains(&word).then_some(at),
            PlaceKind::Exit if word == annotation.function => {
                let all = starts.entry(file).or_insert_with(|| declarations(text));
                // The type of a function precedes its name. If there is none, the declaration that
                // starts here is another one.
                let typed = |start: usize| text[start..at].contains(|c: char| c == '_' || c.is_ascii_alphabetic());
                all.iter().find(|(start, end)| *start < at && at < *end).map(|d| d.0).filter(|s| typed(*s))
            }
            PlaceKind::Exit => None,
        });
        // To the preprocessor, arguments and text of a macro are single units, and it drops
        // comments in them.
        match offset.filter(|at| !in_directive(text, *at)) {
            Some(at) => {
                let place = insertions.entry(file).or_default().entry(at);
                place.or_insert(Clauses { kind: annotation.kind, texts: Vec::new() }).texts.extend(clauses);
            }
            None => left.push(annotation.clone()),
        }
    }
    let none = BTreeMap::new();
    let annotate = |n: usize| {
        let source = &sources.files[n];
        let insertions = insertions.get(&FileId(n as u32)).unwrap_or(&none);
        (source.name.clone(), annotated(&source.text, insertions))
    };
    Annotated { files: (0..files.min(sources.files.len())).map(annotate).collect(), left }
}

/// The clauses to put before a loop or a function.
struct Clauses {
    kind: PlaceKind,
    texts: Vec<String>,
}

/// Whether a place lies in a preprocessor directive.
fn in_directive(text: &str, at: usize) -> bool {
    let mut start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    while start > 1 && text[..start - 1].ends_with('\\') {
        start = text[..start - 1].rfind('\n').map_or(0, |n| n + 1);
    }
    text[start..at].trim_start().starts_with('#')
}

/// The text with the clauses at their offsets: in existing annotations, otherwise on lines of their
/// own if nothing precedes the place on its line.
fn annotated(text: &str, insertions: &BTreeMap<usize, Clauses>) -> String {
    let comments = comments(text);
    // The texts to insert, by offset. The insertions of different annotations do not overlap.
    let mut pieces: BTreeMap<usize, String> = BTreeMap::new();
    for (at, clauses) in insertions {
        let line = text[..*at].rfind('\n').map_or(0, |n| n + 1);
        let before = &text[line..*at];
        let there = annotations_before(text, &comments, *at, clauses.kind);
        if let Some(merged) = merged(text, &there, clauses) {
            pieces.extend(merged);
        } else if before.trim().is_empty() {
            let piece = match &clauses.texts[..] {
                [only] => format!("{before}/*@ {only} */\n"),
                all => format!("{before}/*@ {}\n{before}  @*/\n", all.join(&format!("\n{before}  @ "))),
            };
            pieces.insert(line, piece);
        } else {
            pieces.insert(*at, format!("/*@ {} */ ", clauses.texts.join(" ")));
        }
    }
    let (mut out, mut done) = (String::new(), 0);
    for (at, piece) in pieces {
        out.push_str(&text[done..at]);
        out.push_str(&piece);
        done = at;
    }
    out.push_str(&text[done..]);
    out
}

/// The annotations of this kind right before a place, in order.
fn annotations_before(text: &str, comments: &[(usize, usize)], at: usize, kind: PlaceKind) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut end = at;
    for (start, stop) in comments.iter().rev().filter(|c| c.1 <= at) {
        if !text[*stop..end].trim().is_empty() {
            break;
        }
        let comment = &text[*start..*stop];
        if comment.get(2..3) == Some("@") {
            let inside = comment[3..].trim_start_matches(|c: char| c.is_whitespace() || c == '@');
            let word = inside.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            let fits = match kind {
                PlaceKind::Loop => word == "loop",
                PlaceKind::Exit => CONTRACT.contains(&word),
            };
            if fits {
                found.push((*start, *stop));
            }
        }
        end = *start;
    }
    found.reverse();
    found
}

/// The keywords that contracts begin with.
const CONTRACT: [&str; 9] =
    ["requires", "ensures", "assigns", "behavior", "terminates", "decreases", "allocates", "frees", "exits"];

/// The clauses as parts of existing annotations, without repeating one. `None` if there are no
/// annotations.
fn merged(text: &str, there: &[(usize, usize)], clauses: &Clauses) -> Option<Option<(usize, String)>> {
    let (first, last) = (there.first()?, there.last()?);
    let plain = |t: &str| -> String { t.chars().filter(|c| !c.is_whitespace() && *c != '@').collect() };
    let said: String = there.iter().map(|(start, end)| plain(&text[*start..*end])).collect();
    let new = |clause: &&String| {
        // One `assigns` clause is enough: both would count.
        let assigns = clause.starts_with("loop assigns") && said.contains("loopassigns");
        !assigns && !said.contains(&plain(clause))
    };
    let new: Vec<&str> = clauses.texts.iter().filter(new).map(String::as_str).collect();
    if new.is_empty() {
        return Some(None);
    }
    // Invariants of a loop come before its variant and before clauses of a behaviour. `ensures` of
    // a function come after `requires` and before behaviours.
    let (comment, at) = match clauses.kind {
        PlaceKind::Loop => (first, first.0 + 3),
        PlaceKind::Exit => (last, end_of_simple_clauses(text, *last)),
    };
    let line = text[..comment.0].rfind('\n').map_or(0, |n| n + 1);
    let indent: String = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    let in_line = text[comment.0..].starts_with("//");
    Some(Some((
        at,
        match clauses.kind {
            _ if in_line => format!(" {}", new.join(" ")),
            PlaceKind::Loop => format!(" {}\n{indent}  @", new.join(&format!("\n{indent}  @ "))),
            PlaceKind::Exit => format!("\n{indent}  @ {}", new.join(&format!("\n{indent}  @ "))),
        },
    )))
}

/// The place for an `ensures` in an annotation of a function: after the clause before its first
/// behaviour, else after its last clause.
fn end_of_simple_clauses(text: &str, (start, end): (usize, usize)) -> usize {
    let comment = &text[start..end];
    let word = |at: usize, w: &str| {
        let letter = |c: char| c == '_' || c.is_ascii_alphanumeric();
        !comment[..at].ends_with(letter) && !comment[at + w.len()..].starts_with(letter)
    };
    let of_behaviours = ["behavior", "complete", "disjoint"];
    let found = of_behaviours.iter().flat_map(|w| comment.match_indices(w).filter(|(at, w)| word(*at, w)).map(|m| m.0));
    let before = found.min().unwrap_or(comment.len());
    match comment[..before].rfind(';') {
        Some(at) => start + at + 1,
        None => start + 3,
    }
}

/// The start and end of each comment. A comment to the end of its line ends before the line feed.
fn comments(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'/' if rest.starts_with(b"//") || rest.starts_with(b"/*") => {
                let length = comment_length(rest);
                found.push((at, at + length));
                at += length;
            }
            b'"' | b'\'' => at = end_of_literal(bytes, at),
            _ => at += 1,
        }
    }
    found
}

/// The length of the comment that a text starts with.
fn comment_length(rest: &[u8]) -> usize {
    match rest.get(1) {
        Some(b'/') => logical_line(rest),
        _ => rest[2..].windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 4),
    }
}

/// The place after a literal that starts at `start`, or the end of its line.
fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The start and end of each declaration and definition at the top level. Comments, strings and
/// preprocessor directives are skipped. A `}` ends a definition if its `{` follows a `)`; other
/// braces belong to types and initialisers.
fn declarations(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut start, mut previous, mut fresh_line) = (0, None, 0u8, true);
    // For each open brace, whether it is the body of a function.
    let mut open: Vec<bool> = Vec::new();
    while at < bytes.len() {
        let rest = &bytes[at..];
        let skipped = match bytes[at] {
            b'\n' => {
                fresh_line = true;
                1
            }
            c if c.is_ascii_whitespace() => 1,
            b'/' if rest.starts_with(b"//") || rest.starts_with(b"/*") => comment_length(rest),
            b'#' if fresh_line => logical_line(rest),
            _ => 0,
        };
        if skipped > 0 {
            at += skipped;
            continue;
        }
        fresh_line = false;
        start.get_or_insert(at);
        let c = bytes[at];
        match c {
            b'"' | b'\'' => at = end_of_literal(bytes, at) - 1,
            b'{' => open.push(previous == b')'),
            b'}' => {
                let body = open.pop().unwrap_or(true);
                if open.is_empty() && body {
                    found.extend(start.take().map(|s| (s, at + 1)));
                }
            }
            b';' if open.is_empty() => found.extend(start.take().map(|s| (s, at + 1))),
            _ => {}
        }
        previous = c;
        at += 1;
    }
    found
}

/// The length of a line and its continuation lines, without the last line feed.
fn logical_line(rest: &[u8]) -> usize {
    let mut n = 0;
    while n < rest.len() && rest[n] != b'\n' {
        n += if rest[n] == b'\\' && rest.get(n + 1) == Some(&b'\n') { 2 } else { 1 };
    }
    n.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::SourceFile;

    fn annotation(line: u32, column: u32, kind: PlaceKind, predicates: &[&str]) -> Annotation {
        Annotation {
            at: Location { file: FileId(0), line, column },
            function: "f".into(),
            kind,
            predicates: predicates.iter().map(|p| (*p).to_owned()).collect(),
            assigns: None,
        }
    }

    fn printed(text: &str, annotations: &[Annotation]) -> (String, usize) {
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] };
        let annotated = acsl(&sources, 1, annotations);
        (annotated.files[0].1.clone(), annotated.left.len())
    }

    #[test]
    fn annotations_stand_before_loops_and_functions() {
        let text = "int g;\nstatic int\nf(int n) {\n  while (n) n--;\n  if (n) n = 1; else for (;;) n++;\n}\n";
        let mut first = annotation(4, 3, PlaceKind::Loop, &["n >= 0", "g == 0"]);
        first.assigns = Some(vec!["n".into()]);
        let all = [
            first,
            annotation(5, 22, PlaceKind::Loop, &["n == 0"]),
            annotation(3, 1, PlaceKind::Exit, &["\\result == 0"]),
        ];
        let expected = "int g;\n/*@ ensures \\result == 0; */\nstatic int\nf(int n) {\n\
                        \x20 /*@ loop invariant n >= 0;\n    @ loop invariant g == 0;\n    @ loop assigns n;\n    @*/\n\
                        \x20 while (n) n--;\n  if (n) n = 1; else /*@ loop invariant n == 0; */ for (;;) n++;\n}\n";
        assert_eq!(printed(text, &all), (expected.to_owned(), 0));
    }

    #[test]
    fn what_a_macro_makes_is_left_alone() {
        let text = "#define LOOP while (1)\n#define F int f(void)\nF { LOOP; }\n";
        let all = [annotation(3, 5, PlaceKind::Loop, &["1 == 1"]), annotation(3, 1, PlaceKind::Exit, &["1 == 1"])];
        assert_eq!(printed(text, &all), (text.to_owned(), 2));
        let beyond = annotation(9, 9, PlaceKind::Loop, &["1 == 1"]);
        assert_eq!(printed(text, &[beyond]), (text.to_owned(), 1));
    }

    #[test]
    fn annotations_that_are_there_are_added_to_and_nothing_is_said_twice() {
        let text = "/*@ requires n > 0;\n  @ behavior b: ensures n > 1;\n  @*/\nint f(int n) {\n\
                    \x20 /*@ loop invariant n >= 0 ;\n    @ loop assigns n;\n    @ loop variant n; */\n  /* why */ while (n) n--;\n\
                    \x20 //@ loop variant n;\n  while (n) n--;\n  //@ assert n == 0;\n  while (n) n--;\n}\n";
        let mut first = annotation(8, 13, PlaceKind::Loop, &["n >= 0", "g == 0"]);
        first.assigns = Some(vec!["n".into(), "g".into()]);
        let all = [
            annotation(4, 5, PlaceKind::Exit, &["\\result == 0"]),
            first,
            annotation(10, 3, PlaceKind::Loop, &["n >= 0"]),
            annotation(12, 3, PlaceKind::Loop, &["n == 0"]),
        ];
        let expected = "/*@ requires n > 0;\n  @ ensures \\result == 0;\n  @ behavior b: ensures n > 1;\n  @*/\nint f(int n) {\n\
                    \x20 /*@ loop invariant g == 0;\n    @ loop invariant n >= 0 ;\n    @ loop assigns n;\n    @ loop variant n; */\n  /* why */ while (n) n--;\n\
                    \x20 //@ loop invariant n >= 0; loop variant n;\n  while (n) n--;\n  //@ assert n == 0;\n  /*@ loop invariant n == 0; */\n  while (n) n--;\n}\n";
        assert_eq!(printed(text, &all), (expected.to_owned(), 0));
        // A clause that exists already changes nothing.
        let again = [annotation(8, 13, PlaceKind::Loop, &["n>=0"])];
        assert_eq!(printed(text, &again), (text.to_owned(), 0));
    }

    #[test]
    fn other_files_and_lines_of_the_preprocessor_are_left_alone() {
        let text = "#define LOOP \\\n  while (1)\nint f(void) { LOOP; }\n";
        assert_eq!(printed(text, &[annotation(2, 3, PlaceKind::Loop, &["1 == 1"])]), (text.to_owned(), 1));
        let files = ["x.c", "x.h"].map(|n| SourceFile {
            name: n.into(),
            text: "int f(void) { while (1); }\n".into(),
            own: true,
        });
        let sources = SourceMap { files: files.into() };
        let mut other = annotation(1, 15, PlaceKind::Loop, &["1 == 1"]);
        other.at.file = FileId(1);
        let annotated = acsl(&sources, 1, &[other.clone()]);
        assert_eq!((annotated.files.len(), annotated.left), (1, vec![other]));
    }

    #[test]
    fn declarations_start_behind_what_comes_before() {
        let text = "struct s { int a; } x = { 1 };\n// } ;\nint a[] = { 1, 2 }; /* ; */ char c = ';';\n\
                    #define A \\\n }\nint f(void) { struct s y = { 0 }; { } return 0; }\nstruct s f(void) { }\n";
        let found: Vec<&str> = declarations(text).iter().map(|(a, b)| &text[*a..*b]).collect();
        let expected = [
            "struct s { int a; } x = { 1 };",
            "int a[] = { 1, 2 };",
            "char c = ';';",
            "int f(void) { struct s y = { 0 }; { } return 0; }",
            "struct s f(void) { }",
        ];
        assert_eq!(found, expected);
        for garbage in ["\"", "'\\", "/*", "}}}", "{{{", "#\\", "\u{e9};", "/", "//\\\n"] {
            let _ = declarations(garbage);
        }
    }

    #[test]
    fn nothing_is_written_where_nothing_is_known() {
        let text = "int f(void) { while (1); }";
        let all = [annotation(1, 15, PlaceKind::Loop, &[]), annotation(1, 5, PlaceKind::Exit, &[])];
        assert_eq!(printed(text, &all), (text.to_owned(), 0));
        let mut nothing = annotation(1, 15, PlaceKind::Loop, &[]);
        nothing.assigns = Some(Vec::new());
        assert!(printed(text, &[nothing]).0.contains("{ /*@ loop assigns \\nothing; */ while"));
    }
}
