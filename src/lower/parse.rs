//! Parses one file's text to its syntax tree, with lang-c.

use super::clean::{Attribute, clean};
use super::error::{InputError, InputErrorKind, SourceSpan};
use super::lines::{LineIndex, token};
use crate::program::{FileId, Location, Packing, SourceMap};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use lang_c::span::Span;
use std::collections::HashSet;

/// A parsed file.
#[derive(Debug)]
pub(super) struct Unit {
    /// The syntax tree; its spans are offsets into `raw`.
    pub(super) tree: TranslationUnit,
    /// The text that was parsed, as long as `raw`.
    pub(super) clean: String,
    /// The preprocessor's output.
    pub(super) raw: Vec<u8>,
    /// Where it comes from.
    pub(super) lines: LineIndex,
    /// The attributes that mean something, by offset.
    pub(super) attributes: Vec<(usize, Attribute)>,
    /// Offsets of pragmas that change the layout of types, and the layout from there on.
    pub(super) layouts: Vec<(usize, Packing)>,
    /// The texts of annotations, by offset.
    pub(super) annotations: Vec<std::ops::Range<usize>>,
    /// The words outside of system headers.
    pub(super) own_words: HashSet<String>,
    /// Whether it is of the model of the C library.
    pub(super) is_library: bool,
}

impl Unit {
    /// Where a node starts.
    pub(super) fn at(&self, span: Span) -> Location {
        self.lines.location(&self.raw, span.start)
    }

    /// The text of a node, white space folded.
    pub(super) fn text(&self, span: Span) -> String {
        let end = span.end.min(self.raw.len());
        let mut bytes = self.raw.get(span.start..end).unwrap_or_default().to_vec();
        // Comments are blank in the text that was parsed.
        for (b, clean) in bytes.iter_mut().zip(self.clean.as_bytes().get(span.start..end).unwrap_or_default()) {
            if *clean == b' ' && *b != b'\n' {
                *b = b' ';
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text: String = text.lines().filter(|l| !l.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ");
        fold(&text)
    }

    /// The attributes inside a node, directly before it, or, if it does not end with a semicolon,
    /// directly after it.
    pub(super) fn attributes(&self, span: Span) -> impl Iterator<Item = Attribute> + '_ {
        self.attributes_with_places(span).map(|(_, attribute)| attribute)
    }

    fn attributes_with_places(&self, span: Span) -> impl Iterator<Item = (usize, Attribute)> + '_ {
        let text = self.clean.as_bytes();
        let (before, behind) = text.split_at(span.end.min(text.len()));
        let before_start = before.get(..span.start).unwrap_or_default();
        let start = before_start.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |n| n + 1);
        let first = self.attributes.partition_point(|(at, _)| *at < start);
        let blank = behind.iter().take_while(|b| !before.ends_with(b";") && b.is_ascii_whitespace()).count();
        let end = span.end + blank;
        self.attributes[first..].iter().take_while(move |(at, _)| *at < end).copied()
    }

    /// Whether the operator at the start of this node, which the parser reads as `sizeof`, asks for
    /// an alignment.
    pub(super) fn is_alignment(&self, span: Span) -> bool {
        let text = self.raw.get(span.start..).unwrap_or_default();
        text.starts_with(b"_Alignof") || text.starts_with(b"__alignof")
    }

    /// Whether the middle operand of `?:` at this node is left out, as GNU C allows. Cleaning has
    /// written a `0` there, where the source has a blank.
    pub(super) fn is_left_out(&self, operand: Span) -> bool {
        let first = |text: &[u8]| text.get(operand.start).copied();
        first(self.clean.as_bytes()) == Some(b'0') && first(&self.raw) != Some(b'0')
    }

    /// Whether anything in the file asks for another layout or alignment than that of types.
    pub(super) fn aligns_anything(&self) -> bool {
        let of_layout = |a: &(usize, Attribute)| matches!(a.1, Attribute::Packed | Attribute::Layout);
        !self.layouts.is_empty()
            || self.attributes.iter().any(of_layout)
            || self.own_words.iter().any(|word| matches!(word.as_str(), "_Alignas" | "alignas"))
    }

    /// How the source asks for the type to be laid out that is defined in this node.
    pub(super) fn packing(&self, span: Span) -> Packing {
        let before = |offset: usize| self.layouts.partition_point(|(at, _)| *at < offset);
        let (first, last) = (before(span.start), before(span.end));
        let by_pragma = match first.checked_sub(1) {
            Some(n) => self.layouts[n].1,
            None => Packing::Natural,
        };
        if first != last || by_pragma == Packing::Unknown {
            return Packing::Unknown;
        }
        let attributes: Vec<(usize, Attribute)> = self.attributes_with_places(span).collect();
        let of_layout = |a: &&(usize, Attribute)| matches!(a.1, Attribute::Packed | Attribute::Layout);
        let mut of_layout = attributes.iter().filter(of_layout);
        match (of_layout.next(), of_layout.next()) {
            (None, _) => by_pragma,
            // Between `struct` and the members, or after them, it is the whole type that is packed.
            (Some((at, Attribute::Packed)), None) if *at >= span.end || !self.is_after_a_brace(span.start, *at) => {
                Packing::AtMost(1)
            }
            _ => Packing::Unknown,
        }
    }

    fn is_after_a_brace(&self, start: usize, at: usize) -> bool {
        self.clean.as_bytes().get(start..at).is_none_or(|text| text.contains(&b'{'))
    }

    /// The place of a node, as an error shows it.
    pub(super) fn place(&self, span: Span, sources: &SourceMap) -> SourceSpan {
        let at = self.at(span);
        let length = token(self.raw.get(span.start..).unwrap_or_default()).len();
        place(sources, at, length)
    }
}

/// White space folded to single blanks.
pub(super) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A place as an error shows it. Overlong lines are cut.
pub(super) fn place(sources: &SourceMap, at: Location, length: usize) -> SourceSpan {
    let source_line = sources.line(at).chars().take(1000).collect();
    let length = length.clamp(1, 200) as u32;
    SourceSpan { file: sources.file(at.file).name.clone(), line: at.line, column: at.column, length, source_line }
}

/// How often a declaration may leave out `int`: the file is parsed again for each.
const MOST_LEFT_OUT: usize = 100;

/// Parses the preprocessed text of the given command-line file.
///
/// C89 lets a declaration leave out the type `int` (`static n;`, `main() { … }`), the parser does
/// not. Where it stops at such a declaration, the word is added to the text. (Columns after it are
/// searched in the original line, as after a macro.) In the same way, a blank is added to `?:` to
/// make room for its middle operand.
pub(super) fn unit(mut raw: Vec<u8>, file: u32, sources: &mut SourceMap) -> Result<Unit, InputError> {
    let (mut added, mut earlier): (usize, Option<(usize, InputError)>) = (0, None);
    loop {
        let lines = LineIndex::new(&raw, FileId(file), sources);
        let cleaned = clean(&raw).map_err(|refused| {
            let at = lines.location(&raw, refused.offset);
            InputError::new(refused.kind, refused.message).at(place(sources, at, 1))
        })?;
        if !cleaned.tight.is_empty() {
            for at in cleaned.tight.iter().rev() {
                raw.insert(*at, b' ');
            }
            continue;
        }
        let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
        let failed = match parse_preprocessed(&config, cleaned.text) {
            Ok(parsed) => {
                let own_words = lines.own_words(&parsed.source);
                return Ok(Unit {
                    tree: parsed.unit,
                    clean: parsed.source,
                    raw,
                    lines,
                    attributes: cleaned.attributes,
                    layouts: cleaned.layouts,
                    annotations: cleaned.annotations,
                    own_words,
                    is_library: false,
                });
            }
            Err(failed) => failed,
        };
        let text = failed.source.as_bytes();
        let (at, error) = (failed.offset, syntax_error(&failed, &cleaned.suspects, &raw, &lines, sources));
        // With `int` before it, the name of an unknown type still begins no declaration.
        if let Some((before, error)) = earlier.take()
            && text.get(before..at).is_none_or(|between| !between.iter().any(|b| b";{}".contains(b)))
        {
            return Err(error);
        }
        if added == MOST_LEFT_OUT || !leaves_out_int(text, at) {
            return Err(error);
        }
        raw.splice(at..at, *b"int ");
        added += 1;
        earlier = Some((at, error));
    }
}

/// Whether the name at an offset is declared there without a type: after a storage class or a
/// qualifier, or as a function that is defined, the first word after a declaration.
fn leaves_out_int(text: &[u8], at: usize) -> bool {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let (Some(before), Some(name)) = (text.get(..at), text.get(at..)) else { return false };
    let length = name.iter().take_while(|b| is_word(**b)).count();
    if length == 0 || name[0].is_ascii_digit() {
        return false;
    }
    let before = before.trim_ascii_end();
    let word = before.iter().rev().take_while(|b| is_word(**b)).count();
    match &before[before.len() - word..] {
        b"static" | b"extern" | b"register" | b"auto" | b"inline" | b"const" | b"volatile" => true,
        b"" if before.is_empty() || before.ends_with(b";") || before.ends_with(b"}") => {
            let after = name[length..].trim_ascii_start();
            let close = after.iter().position(|b| *b == b')');
            let next = close.and_then(|n| after[n + 1..].trim_ascii_start().first());
            after.starts_with(b"(") && next.is_some_and(|b| *b == b'{' || is_word(*b))
        }
        _ => false,
    }
}

fn syntax_error(
    error: &SyntaxError,
    suspects: &[(usize, &'static str)],
    raw: &[u8],
    lines: &LineIndex,
    sources: &SourceMap,
) -> InputError {
    let offset = error.offset.min(raw.len());
    let stands = token(&raw[offset..]);
    // The parser stops at, or shortly after, what it does not know.
    let near = |at: usize| at <= offset && offset - at < 40 && !raw[at..offset].contains(&b';');
    if let Some((at, what)) = suspects.iter().rev().find(|(at, _)| near(*at)) {
        let place = place(sources, lines.location(raw, *at), token(&raw[*at..]).len());
        return InputError::new(InputErrorKind::Unsupported, *what).at(place);
    }
    let message = if raw[offset..].trim_ascii().is_empty() {
        "unexpected end of the file".to_owned()
    } else {
        format!("unexpected `{}`", String::from_utf8_lossy(stands))
    };
    let mut expected: Vec<String> = error.expected.iter().map(|e| readable(e)).collect();
    expected.sort_unstable();
    expected.dedup();
    InputError::new(InputErrorKind::Syntax, message).expecting(expected).at(place(
        sources,
        lines.location(raw, offset),
        stands.len(),
    ))
}

/// A readable name of an expected token: the parser names some tokens by character classes.
fn readable(expected: &str) -> String {
    match expected {
        e if e.starts_with("[_a-zA-Z") || e.starts_with("<identifier") => "an identifier".into(),
        e if e.starts_with("[0-9") || e.starts_with("[1-9") || e == "[.0-9]" || e == "0" => "a number".into(),
        e if e.starts_with("[ \\t") || e.starts_with("[\\n") => "white space".into(),
        e if e.starts_with('[') || e.starts_with('<') => format!("a {}", e.trim_matches(['<', '>'])),
        e => format!("`{e}`"),
    }
}
