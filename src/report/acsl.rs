//! The source with ACSL annotations: loop invariants before loops, `ensures` clauses before functions (ANSI/ISO C
//! Specification Language, version 1.20, sections 2.3.1 and 2.4.2).
//!
//! Every line of the source is kept. An annotation that cannot be placed, because the text there comes from a macro, is
//! handed back.

use super::PlaceKind;
use crate::program::{FileId, Location, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The clauses that belong to one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// Of the loop; of the function's name.
    pub at: Location,
    /// The function.
    pub function: String,
    /// Which place.
    pub kind: PlaceKind,
    /// What holds there.
    pub formulas: Vec<String>,
    /// For loops: what changes, if that is known.
    pub assigns: Option<Vec<String>>,
}

impl Annotation {
    fn clauses(&self) -> Vec<String> {
        let keyword = match self.kind {
            PlaceKind::Loop => "loop invariant",
            PlaceKind::Exit => "ensures",
        };
        let mut clauses: Vec<String> = self.formulas.iter().map(|f| format!("{keyword} {f};")).collect();
        if let Some(assigns) = self.assigns.as_ref().filter(|_| self.kind == PlaceKind::Loop) {
            let list = if assigns.is_empty() { "\\nothing".to_owned() } else { assigns.join(", ") };
            clauses.push(format!("loop assigns {list};"));
        }
        clauses
    }
}

/// The annotated text of the first `files` files and of those others that have annotations, with the name of each above it where
/// there are several; and the annotations that have no place.
pub fn acsl(sources: &SourceMap, files: usize, annotations: &[Annotation]) -> (String, Vec<Annotation>) {
    let mut insertions: BTreeMap<FileId, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
    let mut left = Vec::new();
    let mut starts: BTreeMap<FileId, Vec<(usize, usize)>> = BTreeMap::new();
    for annotation in annotations {
        let clauses = annotation.clauses();
        if clauses.is_empty() {
            continue;
        }
        let file = annotation.at.file;
        let text = &sources.file(file).text;
        let offset = offset(text, annotation.at).and_then(|at| match annotation.kind {
            PlaceKind::Loop => ["for", "while", "do"].iter().any(|k| word_at(text, at) == *k).then_some(at),
            PlaceKind::Exit if word_at(text, at) == annotation.function => {
                let all = starts.entry(file).or_insert_with(|| declarations(text));
                // A function has a type before its name: where there is none, the start was taken for something else.
                let typed = |start: usize| text[start..at].contains(|c: char| c == '_' || c.is_ascii_alphabetic());
                all.iter().find(|(start, end)| *start < at && at < *end).map(|d| d.0).filter(|s| typed(*s))
            }
            PlaceKind::Exit => None,
        });
        match offset {
            Some(at) => insertions.entry(file).or_default().entry(at).or_default().extend(clauses),
            None => left.push(annotation.clone()),
        }
    }
    let shown: BTreeSet<FileId> =
        (0..files.min(sources.files.len())).map(|n| FileId(n as u32)).chain(insertions.keys().copied()).collect();
    let mut out = String::new();
    for file in &shown {
        let source = sources.file(*file);
        if shown.len() > 1 {
            // The name of a file may have anything in it, also the end of a comment.
            let name: String = source.name.chars().filter(|c| !c.is_control() && *c != '\\').collect();
            let _ = writeln!(out, "// {name}");
        }
        let none = BTreeMap::new();
        annotated(&mut out, &source.text, insertions.get(file).unwrap_or(&none));
    }
    (out, left)
}

/// The text with the clauses at their offsets: in lines of their own where nothing stands before the place on its line.
fn annotated(out: &mut String, text: &str, insertions: &BTreeMap<usize, Vec<String>>) {
    let mut done = 0;
    for (at, clauses) in insertions {
        let line = text[..*at].rfind('\n').map_or(0, |n| n + 1);
        let before = &text[line..*at];
        if before.trim().is_empty() && line >= done {
            out.push_str(&text[done..line]);
            let (first, rest) = clauses.split_first().map_or(("", &[][..]), |(f, r)| (f.as_str(), r));
            if rest.is_empty() {
                let _ = writeln!(out, "{before}/*@ {first} */");
            } else {
                let _ = writeln!(out, "{before}/*@ {first}");
                for clause in rest {
                    let _ = writeln!(out, "{before}  @ {clause}");
                }
                let _ = writeln!(out, "{before}  @*/");
            }
            done = line;
        } else {
            out.push_str(&text[done..*at]);
            let _ = write!(out, "/*@ {} */ ", clauses.join(" "));
            done = *at;
        }
    }
    out.push_str(&text[done..]);
    if !text.is_empty() && !text.ends_with('\n') {
        out.push('\n');
    }
}

fn offset(text: &str, at: Location) -> Option<usize> {
    let line = text.split_inclusive('\n').take((at.line as usize).checked_sub(1)?).map(str::len).sum::<usize>();
    let offset = line + (at.column as usize).checked_sub(1)?;
    (offset < text.len() && text.is_char_boundary(offset)).then_some(offset)
}

/// The word that starts at the offset.
fn word_at(text: &str, at: usize) -> &str {
    let in_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    if text[..at].chars().next_back().is_some_and(in_word) {
        return "";
    }
    let rest = &text[at..];
    &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())]
}

/// Where the declarations and definitions at the top of a file start and end. Made of tokens: comments, strings and lines of the
/// preprocessor are skipped. A `}` ends one if its `{` follows a `)`: others belong to types and initialisers.
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
            b'/' if rest.starts_with(b"//") => logical_line(rest),
            b'/' if rest.starts_with(b"/*") => {
                rest[2..].windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 4)
            }
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
            b'"' | b'\'' => {
                at += 1;
                while at < bytes.len() && bytes[at] != c && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
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

/// The length of a line with those that a backslash at its end adds, without the line feed.
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

    fn annotation(line: u32, column: u32, kind: PlaceKind, formulas: &[&str]) -> Annotation {
        Annotation {
            at: Location { file: FileId(0), line, column },
            function: "f".into(),
            kind,
            formulas: formulas.iter().map(|f| (*f).into()).collect(),
            assigns: None,
        }
    }

    fn printed(text: &str, annotations: &[Annotation]) -> (String, usize) {
        let sources = SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into() }] };
        let (text, left) = acsl(&sources, 1, annotations);
        (text, left.len())
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
        assert_eq!(printed(text, &all), (format!("{text}\n"), 0));
        let mut nothing = annotation(1, 15, PlaceKind::Loop, &[]);
        nothing.assigns = Some(Vec::new());
        assert!(printed(text, &[nothing]).0.contains("{ /*@ loop assigns \\nothing; */ while"));
    }
}
