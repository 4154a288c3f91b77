//! Messages about a place in the source, in the manner of rustc.

use super::Paint;
use crate::program::{Location, SourceMap};
use annotate_snippets::{AnnotationKind, Group, Origin, Renderer, Snippet};

/// The severity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Something is wrong.
    Error,
    /// Something is not known.
    Warning,
    /// Something is good to know.
    Note,
}

/// A message, if possible with the line of source that it is about.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub level: Level,
    /// The problem, in one line.
    pub title: String,
    /// Where.
    pub place: Option<Excerpt>,
    /// What to write next to the caret; may be empty.
    pub label: String,
    /// Further lines: why.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

/// A place and the text of its line.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The file, as the user wrote it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1; 0 if it is not known.
    pub column: u32,
    /// The text of the line; empty if it is not known.
    pub text: String,
    /// The number of bytes that the carets underline.
    pub length: usize,
}

/// The longest line that is shown, in bytes.
const LONGEST_LINE: usize = 400;

impl Excerpt {
    /// The place of a location. The carets underline `condition` if the line contains it at or
    /// after the location, otherwise the word at the location.
    pub fn new(sources: &SourceMap, at: Location, condition: &str) -> Excerpt {
        let text = sources.line(at);
        let mut place = Excerpt {
            file: sources.file(at.file).name.clone(),
            line: at.line,
            column: at.column,
            text: text.to_owned(),
            length: 1,
        };
        // If the column is not known, the condition may still be found. Otherwise the whole line is
        // meant.
        let known = at.column > 0;
        if !known {
            let indent = text.len() - text.trim_start().len();
            place.column = if text.trim().is_empty() { 0 } else { indent as u32 + 1 };
            place.length = text.trim().len();
        }
        let Some(rest) = (place.column as usize).checked_sub(1).and_then(|c| text.get(c..)) else {
            return place;
        };
        match rest.find(condition) {
            Some(offset) if !condition.is_empty() => {
                place.column += offset as u32;
                place.length = condition.len();
            }
            _ if !known => {}
            _ => {
                let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                place.length = word.max(1);
            }
        }
        place
    }

    /// The bytes of the line that the carets underline; `None` if the line cannot be shown.
    fn span(&self) -> Option<std::ops::Range<usize>> {
        let start = (self.column as usize).checked_sub(1)?;
        if self.text.len() > LONGEST_LINE || !self.text.is_char_boundary(start) {
            return None;
        }
        let mut end = (start + self.length.max(1)).min(self.text.len().max(start + 1));
        while end < self.text.len() && !self.text.is_char_boundary(end) {
            end += 1;
        }
        Some(start..end)
    }
}

impl Diagnostic {
    /// A message without a place.
    pub fn error(title: impl Into<String>) -> Diagnostic {
        let (title, label, notes) = (title.into(), String::new(), Vec::new());
        Diagnostic { level: Level::Error, title, place: None, label, notes, help: None }
    }

    /// The text of several lines, with a line feed at the end.
    pub fn render(&self, paint: Paint) -> String {
        use annotate_snippets::Level as Shown;
        // The renderer handles tabs and control characters in snippets, but not in titles.
        let title = annotate_snippets::normalize_untrusted_str(&self.title);
        let level = match self.level {
            Level::Error => Shown::ERROR,
            Level::Warning => Shown::WARNING,
            Level::Note => Shown::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(title));
        if let Some(place) = &self.place {
            match place.span() {
                Some(span) => {
                    let mut annotation = AnnotationKind::Primary.span(span);
                    if !self.label.is_empty() {
                        annotation = annotation.label(self.label.as_str());
                    }
                    let snippet = Snippet::source(place.text.as_str()).path(place.file.as_str());
                    group = group.element(snippet.line_start(place.line as usize).annotation(annotation));
                }
                None => {
                    let mut origin = Origin::path(place.file.as_str());
                    if place.line > 0 {
                        origin = origin.line(place.line as usize);
                    }
                    if place.line > 0 && place.column > 0 {
                        origin = origin.char_column(place.column as usize);
                    }
                    group = group.element(origin);
                }
            }
        }
        for note in &self.notes {
            group = group.element(Shown::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Shown::HELP.message(help.as_str()));
        }
        let renderer = if paint.colour { Renderer::styled() } else { Renderer::plain() };
        let mut text = renderer.render(&[group]);
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FileId, SourceFile};

    fn sources(text: &str) -> SourceMap {
        SourceMap { files: vec![SourceFile { name: "x.c".into(), text: text.into(), own: true }] }
    }

    fn shown(text: &str, line: u32, column: u32, condition: &str) -> String {
        let at = Location { file: FileId(0), line, column };
        let place = Some(Excerpt::new(&sources(text), at, condition));
        let notes = vec!["first".into()];
        Diagnostic { place, notes, ..Diagnostic::error("it is wrong") }.render(Paint::PLAIN)
    }

    #[test]
    fn carets_stand_under_the_condition() {
        let expected = "\
error: it is wrong
 --> x.c:2:10
  |
2 |   assert(x > 0);
  |          ^^^^^
  |
  = note: first
";
        assert_eq!(shown("int x;\n  assert(x > 0);\n", 2, 3, "x > 0"), expected);
    }

    #[test]
    fn without_a_column_the_condition_is_looked_for() {
        assert!(shown("  assert(x > 0);\n", 1, 0, "x > 0").contains("\n  |          ^^^^^\n"));
        assert!(shown("  CHECK(x);\n", 1, 0, "x > 0").contains("\n  |   ^^^^^^^^^\n"));
    }

    #[test]
    fn places_that_the_text_does_not_have_are_no_panic() {
        for (text, line, column) in [
            ("", 1, 1),
            ("", 7, 9),
            ("ab", 1, 3),
            ("ab", 1, 80),
            ("äö", 1, 2),
            ("äö", 1, 1),
            ("x", 1, 0),
            ("x", 0, 0),
            ("\u{7}\t", 1, 2),
        ] {
            assert!(shown(text, line, column, "").starts_with("error: it is wrong\n"), "{text:?}:{line}:{column}");
        }
    }

    #[test]
    fn a_line_of_ten_megabytes_is_not_shown() {
        let long = "x".repeat(10_000_000);
        let text = shown(&long, 1, 5_000_000, "");
        assert!(text.contains("x.c:1:5000000") && text.len() < 200, "{}", &text[..200.min(text.len())]);
    }
}
