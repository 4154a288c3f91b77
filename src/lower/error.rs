//! Errors in an input, with enough detail for a person to fix them.

use std::fmt;

/// Why no program could be made from the input. Says what, where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: InputErrorKind,
    message: String,
    place: Option<SourceSpan>,
    expected: Vec<String>,
    notes: Vec<String>,
}

/// The kinds of input errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// A file does not exist or cannot be read.
    NotFound,
    /// The C preprocessor is missing, rejected the file, took too long or wrote too much.
    Preprocess,
    /// The text is not C.
    Syntax,
    /// The text is C in form, but breaks a rule of the language (an undeclared name, a type error,
    /// conflicting definitions).
    Semantic,
    /// C that smalti does not understand and cannot over-approximate.
    Unsupported,
    /// Nested too deeply, or too large.
    TooDeep,
    /// There is no function with the name of the entry.
    NoEntry,
}

/// A place in a source file, with the text that stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// The file, as the user or an `#include` named it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1; 0 if it is not known.
    pub column: u32,
    /// How many bytes the token at the column has; at least 1.
    pub length: u32,
    /// The line's text; empty if it could not be read.
    pub source_line: String,
}

impl InputError {
    pub(super) fn new(kind: InputErrorKind, message: impl Into<String>) -> InputError {
        InputError(Box::new(Inner {
            kind,
            message: message.into(),
            place: None,
            expected: Vec::new(),
            notes: Vec::new(),
        }))
    }

    pub(super) fn at(mut self, place: SourceSpan) -> InputError {
        self.0.place = Some(place);
        self
    }

    pub(super) fn expecting(mut self, expected: Vec<String>) -> InputError {
        self.0.expected = expected;
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> InputError {
        self.0.notes.push(note.into());
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> InputErrorKind {
        self.0.kind
    }

    /// What is wrong, in one sentence without its place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where it is wrong.
    pub fn place(&self) -> Option<&SourceSpan> {
        self.0.place.as_ref()
    }

    /// What could have stood there instead; empty unless it is a syntax error.
    pub fn expected(&self) -> &[String] {
        &self.0.expected
    }

    /// Sentences that may help.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(p) = self.place() {
            write!(f, "{}:{}:{}: ", p.file, p.line, p.column)?;
        }
        f.write_str(self.message())?;
        if !self.expected().is_empty() {
            write!(f, "; expected {}", self.expected().join(", "))?;
        }
        self.notes().iter().try_for_each(|n| write!(f, "\n  note: {n}"))
    }
}

impl std::error::Error for InputError {}
