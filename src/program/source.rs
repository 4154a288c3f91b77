//! Source files and places in them.

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Index of a file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct FileId(pub u32);

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1; 0 where it is not known.
    pub column: u32,
}

/// One source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name as the user or an `#include` wrote it.
    pub name: String,
    /// Its text; empty where it could not be read (a header that exists in line markers only).
    pub text: Arc<str>,
    /// Whether it belongs to the program: a given file, or one that such a file includes, but no
    /// system header and no file that a preprocessed text only names.
    pub own: bool,
}

impl SourceFile {
    /// The SHA-256 of the text, in hexadecimal digits. Line ends of other systems are hashed as
    /// line feeds.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for line in self.text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => hash.update(format!("{}\n", line.trim_end_matches('\r'))),
                None => hash.update(line),
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The files that locations point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The files; the first ones are those of the command line.
    pub files: Vec<SourceFile>,
}

impl SourceMap {
    /// The file of that number.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text of a line, without its end; empty if there is none.
    pub fn line(&self, at: Location) -> &str {
        self.file(at.file).text.lines().nth((at.line as usize).saturating_sub(1)).unwrap_or("")
    }

    /// The number of bytes before a place in its file's text, if the place lies in it.
    pub fn offset(&self, at: Location) -> Option<usize> {
        let text = &self.file(at.file).text;
        let line = text.split_inclusive('\n').take((at.line as usize).checked_sub(1)?).map(str::len).sum::<usize>();
        let offset = line + (at.column as usize).checked_sub(1)?;
        (offset < text.len() && text.is_char_boundary(offset)).then_some(offset)
    }

    /// The word that starts at a place; empty if none starts there.
    pub fn word(&self, at: Location) -> &str {
        let text = &self.file(at.file).text;
        let Some(start) = self.offset(at) else { return "" };
        let in_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        if text[..start].chars().next_back().is_some_and(in_word) {
            return "";
        }
        let rest = &text[start..];
        &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())]
    }

    /// All words of the files that are short: what the name of an index must differ from.
    pub fn words(&self) -> BTreeSet<&str> {
        let split = |c: char| c != '_' && !c.is_ascii_alphanumeric();
        self.files.iter().flat_map(|f| f.text.split(split)).filter(|w| !w.is_empty() && w.len() <= 8).collect()
    }

    /// `file:line:column`, as compilers write it; without the column if that is not known.
    pub fn describe(&self, at: Location) -> String {
        let name = &self.file(at.file).name;
        if at.column == 0 { format!("{name}:{}", at.line) } else { format!("{name}:{}:{}", at.line, at.column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_text_whatever_its_lines_end_with() {
        let digest = |text: &str| SourceFile { name: "x.c".into(), text: text.into(), own: true }.digest();
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digest("a\r\n\r\nb\r\r\n"), digest("a\n\nb\n"));
        for other in ["a\n\nb", "a\nb\n", "a\n\nc\n", "a\r\rb\n", ""] {
            assert_ne!(digest(other), digest("a\n\nb\n"), "{other:?}");
        }
    }
}
