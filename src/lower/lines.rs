//! Maps offsets of preprocessed text back to files, lines and columns.

use crate::program::{FileId, Location, SourceFile, SourceMap};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Where each line of a preprocessed text comes from: one entry per line, sorted by offset, so that
/// a look-up is one binary search.
#[derive(Debug, Default)]
pub(super) struct LineIndex {
    lines: Vec<Line>,
    /// The starts of the lines of the files, to correct columns.
    originals: HashMap<FileId, Original>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    offset: usize,
    /// The end, without the line feed.
    end: usize,
    file: FileId,
    line: u32,
    columns: Columns,
    /// Whether the line marker says that it comes from a system header.
    system: bool,
}

/// How the columns of a preprocessed line become those of the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Columns {
    /// They are the same.
    Same,
    /// Tokens are searched in the original line.
    Mended,
    /// The line is too long for that.
    Unknown,
}

/// Beyond this length (in bytes) columns of changed lines are not corrected: the search for tokens
/// would take quadratic time.
const MAX_MENDED_LINE: usize = 2000;

#[derive(Debug, Default)]
struct Original {
    text: std::sync::Arc<str>,
    starts: Vec<usize>,
}

impl LineIndex {
    /// Reads the line markers of `text`, which comes from the given file unless a marker says
    /// otherwise. Files that markers name are added to `sources` (with their text, if it can be
    /// read).
    pub(super) fn new(text: &[u8], first: FileId, sources: &mut SourceMap) -> LineIndex {
        let mut index = LineIndex::default();
        let mut names: HashMap<String, FileId> = HashMap::new();
        for (n, file) in sources.files.iter().enumerate().rev() {
            names.insert(file.name.clone(), FileId(n as u32));
        }
        let (mut file, mut line, mut offset, mut system) = (first, 1u32, 0, false);
        for bytes in text.split_inclusive(|b| *b == b'\n') {
            let end = offset + bytes.strip_suffix(b"\n").unwrap_or(bytes).len();
            index.lines.push(Line { offset, end, file, line, columns: Columns::Same, system });
            offset += bytes.len();
            let Some((number, name, flagged)) = marker(bytes) else {
                line = line.saturating_add(1);
                continue;
            };
            line = number;
            if let Some(name) = name {
                system = flagged;
                file = *names.entry(name).or_insert_with_key(|name| {
                    let read = std::fs::read(name).unwrap_or_default();
                    let text = String::from_utf8_lossy(&read).into_owned().into();
                    sources.files.push(SourceFile { name: name.clone(), text, own: false });
                    FileId((sources.files.len() - 1) as u32)
                });
            }
        }
        for (n, file) in sources.files.iter().enumerate() {
            let mut starts = vec![0];
            starts.extend(file.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(n, _)| n + 1));
            index.originals.insert(FileId(n as u32), Original { text: file.text.clone(), starts });
        }
        let mut lines = std::mem::take(&mut index.lines);
        for l in &mut lines {
            let line = &text[l.offset..l.end];
            l.columns = match index.original_line(l.file, l.line) {
                Some(original) if original.as_bytes() == line => Columns::Same,
                Some(original) if original.len().max(line.len()) > MAX_MENDED_LINE => Columns::Unknown,
                Some(_) => Columns::Mended,
                None => Columns::Same,
            };
        }
        index.lines = lines;
        index
    }

    /// The place that an offset of `text` comes from. Macros move what comes after them in a line.
    /// The column is then searched in the original line, and is 0 if the token is not found there.
    pub(super) fn location(&self, text: &[u8], offset: usize) -> Location {
        let n = self.lines.partition_point(|l| l.offset <= offset);
        let Some(line) = n.checked_sub(1).and_then(|n| self.lines.get(n)) else {
            return Location { file: FileId(0), line: 1, column: 1 };
        };
        let column = self.column(text, line, offset);
        Location { file: line.file, line: line.line, column: column.try_into().unwrap_or(0) }
    }

    fn column(&self, text: &[u8], line: &Line, offset: usize) -> usize {
        let offset = offset.min(line.end);
        let column = offset - line.offset;
        // Lines are searched here only if they are short: this function is called for every
        // expression.
        match line.columns {
            Columns::Same => return column + 1,
            Columns::Unknown => return 0,
            Columns::Mended => {}
        }
        let original = self.original_line(line.file, line.line).unwrap_or("").as_bytes();
        // Only smalti's own definition of `assert` has this name.
        let token = match token(&text[offset..line.end]) {
            token if token == super::preprocess::ASSERT.as_bytes() => b"assert",
            token => token,
        };
        if token.is_empty() {
            return column + 1;
        }
        if original.starts_with(&text[line.offset..offset]) {
            return column + 1;
        }
        // The token's number among equal tokens is likely the same in the original line.
        let before = occurrences(&text[line.offset..offset], token).count();
        let all: Vec<usize> = occurrences(original, token).collect();
        if is_marked(token) {
            // Other parts rely on these places, so nothing is guessed if a macro may have made the
            // token.
            let same = occurrences(&text[line.offset..line.end], token).count() == all.len();
            return all.get(before).filter(|_| same).map_or(0, |at| at + 1);
        }
        if standing_at(original, column, token) {
            return column + 1;
        }
        all.get(before).or_else(|| all.iter().min_by_key(|at| at.abs_diff(column))).map_or(0, |at| at + 1)
    }

    /// Whether an offset lies in a system header.
    pub(super) fn is_system(&self, offset: usize) -> bool {
        let n = self.lines.partition_point(|l| l.offset <= offset);
        n.checked_sub(1).and_then(|n| self.lines.get(n)).is_some_and(|l| l.system)
    }

    /// The words of `text` that do not stand in system headers.
    pub(super) fn own_words(&self, text: &str) -> HashSet<String> {
        let own = self.lines.iter().filter(|l| !l.system).filter_map(|l| text.get(l.offset..l.end));
        let words = own.flat_map(|l| l.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        words.filter(|w| !w.is_empty() && !w.starts_with(|c: char| c.is_ascii_digit())).map(String::from).collect()
    }

    /// The text of the given line, if the file could be read.
    pub(super) fn original_line(&self, file: FileId, line: u32) -> Option<&str> {
        self.original_from(file, line).map(|rest| rest.lines().next().unwrap_or(""))
    }

    /// The file's text from the start of the given line on.
    pub(super) fn original_from(&self, file: FileId, line: u32) -> Option<&str> {
        let original = self.originals.get(&file).filter(|o| !o.text.is_empty())?;
        let start = *original.starts.get((line as usize).checked_sub(1)?)?;
        original.text.get(start..)
    }
}

/// The files that line markers name, without system headers.
pub(super) fn files(text: &[u8]) -> BTreeSet<String> {
    let named = text.split(|b| *b == b'\n').filter_map(marker).filter(|m| !m.2);
    named.filter_map(|m| m.1).collect()
}

/// `# 12 "file" flags` or `#line 12 "file"`: the line, the file, whether it is a system header.
fn marker(line: &[u8]) -> Option<(u32, Option<String>, bool)> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let mut name = Vec::new();
    let Some(quoted) = rest[digits..].trim_ascii_start().strip_prefix(b"\"") else {
        return Some((number, None, false));
    };
    let mut bytes = quoted.iter();
    loop {
        match bytes.next()? {
            b'"' => break,
            b'\\' => name.push(*bytes.next()?),
            b => name.push(*b),
        }
    }
    let system = bytes.as_slice().trim_ascii().split(|b| *b == b' ').any(|flag| flag == b"3");
    Some((number, Some(String::from_utf8_lossy(&name).into_owned()), system))
}

/// The token (a word, or one byte) at the start of the text.
pub(super) fn token(text: &[u8]) -> &[u8] {
    let word = text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    &text[..word.max(1).min(text.len())]
}

/// Whether annotations and witnesses name the places of such tokens: loops, branches, inputs.
fn is_marked(token: &[u8]) -> bool {
    [&b"for"[..], b"while", b"do", b"if"].contains(&token) || token.windows(6).any(|w| w == b"nondet")
}

fn standing_at(line: &[u8], at: usize, token: &[u8]) -> bool {
    let word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let is_word = word(token.first());
    line.get(at..).is_some_and(|rest| rest.starts_with(token))
        && !(is_word && (word(line.get(at + token.len())) || (at > 0 && word(line.get(at - 1)))))
}

fn occurrences<'a>(line: &'a [u8], token: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    (0..line.len()).filter(move |at| standing_at(line, *at, token))
}
