//! Macros in annotations, which the preprocessor does not expand.
//!
//! A macro that stands for one term or formula is found where its name is resolved. The text of any
//! other (a macro with parameters, a clause, a type, operators without parentheses around them) is
//! put in the place of its use before the annotation is parsed, as the preprocessor does it (C17,
//! 6.10.3). [`Origins`] says where each character comes from.

use super::predicates::is_closed;
use super::read::is_clause_word;
use super::syntax;
use crate::lower::context::Lowerer;
use std::collections::HashMap;

/// The longest text that is made.
const MAX_TEXT: usize = 100_000;
/// The deepest nesting of macros.
const MAX_NESTED: usize = 40;

/// What a macro stands for.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    /// The names of its parameters, if it has a list of them.
    parameters: Option<Vec<String>>,
    pub(super) text: String,
    /// Whether its text can be put in the place of its use: it has no operators of the
    /// preprocessor, and no variable number of arguments.
    is_plain: bool,
}

impl Macro {
    /// Reads what follows the name in `#define`.
    pub(super) fn of(body: &str) -> Macro {
        let body: String = body.chars().map(|c| if c.is_ascii() { c } else { '\x7f' }).collect();
        let listed = body.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (parameters, text) = match listed {
            None => (None, body.trim().to_owned()),
            Some((names, text)) => {
                let names = names.split(',').map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect();
                (Some(names), text.trim().to_owned())
            }
        };
        let is_variadic = parameters.iter().flatten().any(|p: &String| p.contains("..."));
        let is_plain = !is_variadic && !text.contains('#');
        Macro { parameters, text, is_plain }
    }

    /// Whether its name alone stands for its text.
    pub(super) fn is_alone(&self) -> bool {
        self.parameters.is_none()
    }
}

/// Where the characters of a text with expanded macros come from.
pub(super) struct Origins {
    base: usize,
    /// Where a part of the text begins, where it begins in the annotation, and where the macro ends
    /// there that stands for it.
    parts: Vec<(usize, usize, Option<usize>)>,
}

impl Origins {
    /// Where what begins at an offset of the text begins in the preprocessed text.
    pub(super) fn start(&self, at: usize) -> usize {
        let n = self.parts.partition_point(|p| p.0 <= at).saturating_sub(1);
        self.parts.get(n).map_or(self.base, |(first, begin, end)| match end {
            Some(_) => self.base + begin,
            None => self.base + begin + at.saturating_sub(*first),
        })
    }

    /// Where what ends there ends.
    fn end(&self, at: usize) -> usize {
        let n = self.parts.partition_point(|p| p.0 < at).saturating_sub(1);
        self.parts.get(n).map_or(self.base, |(first, begin, end)| match end {
            Some(end) => self.base + end,
            None => self.base + begin + at.saturating_sub(*first),
        })
    }

    pub(super) fn range(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.start(start);
        (first, if end > start { self.end(end) } else { first })
    }
}

impl Lowerer<'_> {
    /// The text of an annotation at `base`, with the macros expanded that must be before it is
    /// parsed.
    pub(super) fn macros_expanded(&self, text: String, base: usize) -> (String, Origins) {
        let mut expansion = Expansion { macros: &self.annotations.macros, base, room: MAX_TEXT, found: HashMap::new() };
        match expansion.annotation(&text) {
            Some((expanded, parts)) => (expanded, Origins { base, parts }),
            None => (text, Origins { base, parts: vec![(0, 0, None)] }),
        }
    }
}

/// One annotation whose macros are expanded.
struct Expansion<'m> {
    macros: &'m HashMap<String, Vec<(usize, Option<Macro>)>>,
    /// Macros count if they are defined before this.
    base: usize,
    /// How much more text may be made.
    room: usize,
    /// Which macros are expanded before the annotation is parsed.
    found: HashMap<String, bool>,
}

/// The text, and its parts.
type Expanded = (String, Vec<(usize, usize, Option<usize>)>);

impl<'m> Expansion<'m> {
    /// `None` if there is nothing to expand, or too much.
    fn annotation(&mut self, text: &str) -> Option<Expanded> {
        let (mut out, mut parts, mut at, mut any) = (String::new(), vec![(0, 0, None)], 0, false);
        while at < text.len() {
            let token = token(&text[at..]);
            let after = at + token.len();
            let hidden = text[..at].ends_with('\\') || is_clause_word(token);
            let used = if hidden { None } else { self.used(token, &text[after..]) };
            if let Some((made, length)) = used.and_then(|found| self.replaced(token, found, &text[after..], &[])) {
                let end = after + length;
                parts.push((out.len(), at, Some(end)));
                out.push_str(&made);
                parts.push((out.len(), end, None));
                (at, any) = (end, true);
            } else {
                out.push_str(token);
                at = after;
            }
            if self.room == 0 {
                return None;
            }
        }
        any.then_some((out, parts))
    }

    fn defined(&self, name: &str) -> Option<&'m Macro> {
        self.macros.get(name)?.iter().rev().find(|d| d.0 < self.base)?.1.as_ref()
    }

    /// The macro that a token names, if it is to be expanded here.
    fn used(&mut self, name: &str, rest: &str) -> Option<&'m Macro> {
        let found = self.defined(name)?;
        let is_used = found.is_alone() || rest.trim_start().starts_with('(');
        (is_used && self.is_textual(name, 0)).then_some(found)
    }

    /// Whether the text of a macro must be expanded before the annotation is parsed.
    fn is_textual(&mut self, name: &str, depth: usize) -> bool {
        if let Some(known) = self.found.get(name) {
            return *known;
        }
        let Some(found) = self.defined(name).filter(|m| m.is_plain && depth < MAX_NESTED) else { return false };
        // A macro that uses itself stays as it is.
        self.found.insert(name.to_owned(), false);
        let is_term = || syntax::formula(&found.text, 0).is_some_and(|node| is_closed(&node.kind, &found.text));
        let mut textual = !found.is_alone() || !is_term();
        let mut rest = found.text.as_str();
        while !textual && !rest.is_empty() {
            let token = token(rest);
            textual = self.is_textual(token, depth + 1);
            rest = &rest[token.len()..];
        }
        self.found.insert(name.to_owned(), textual);
        textual
    }

    /// What stands for the use of a macro, and the length of its arguments.
    fn replaced(&mut self, name: &str, found: &Macro, rest: &str, outer: &[&str]) -> Option<(String, usize)> {
        if outer.contains(&name) || outer.len() > MAX_NESTED {
            return None;
        }
        let (mut given, mut length) = (HashMap::new(), 0);
        if let Some(parameters) = &found.parameters {
            let (arguments, used) = arguments(rest)?;
            let is_empty = parameters.is_empty() && matches!(&arguments[..], [only] if only.trim().is_empty());
            if !is_empty && arguments.len() != parameters.len() {
                return None;
            }
            for (parameter, argument) in parameters.iter().zip(arguments) {
                given.insert(parameter.as_str(), self.scanned(argument, outer));
            }
            length = used;
        }
        let mut text = String::new();
        let mut left = found.text.as_str();
        while !left.is_empty() {
            let token = token(left);
            match given.get(token) {
                Some(argument) => text.extend([" ", argument, " "]),
                None => text.push_str(token),
            }
            left = &left[token.len()..];
            self.room = self.room.saturating_sub(text.len().min(64));
            if self.room == 0 || text.len() > MAX_TEXT {
                self.room = 0;
                return None;
            }
        }
        let inner = [outer, &[name]].concat();
        Some((format!(" {} ", self.scanned(&text, &inner)), length))
    }

    /// A text with its macros expanded.
    fn scanned(&mut self, text: &str, outer: &[&str]) -> String {
        let (mut out, mut at) = (String::new(), 0);
        while at < text.len() {
            let token = token(&text[at..]);
            let after = at + token.len();
            let used = self.used(token, &text[after..]);
            match used.and_then(|found| self.replaced(token, found, &text[after..], outer)) {
                Some((made, length)) if self.room > 0 => {
                    out.push_str(&made);
                    at = after + length;
                }
                _ => {
                    out.push_str(token);
                    at = after;
                }
            }
            self.room = self.room.saturating_sub(1);
            if out.len() > MAX_TEXT {
                self.room = 0;
            }
            if self.room == 0 {
                return out;
            }
        }
        out
    }
}

/// The token at the start of a text: a word, a string, a character, a comment, or one character.
fn token(text: &str) -> &str {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some(first) = text.chars().next() else { return text };
    if is_word(first) {
        return &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())];
    }
    if text.starts_with("//") {
        return &text[..text.find('\n').unwrap_or(text.len())];
    }
    if matches!(first, '"' | '\'') {
        let mut escaped = true;
        for (at, c) in text.char_indices() {
            if c == first && !escaped {
                return &text[..=at];
            }
            escaped = c == '\\' && !escaped;
        }
    }
    &text[..first.len_utf8()]
}

/// The arguments in parentheses at the start of a text, and its length up to their end.
fn arguments(text: &str) -> Option<(Vec<&str>, usize)> {
    let open = text.find('(').filter(|n| text[..*n].trim().is_empty())?;
    let (mut found, mut depth, mut begin, mut at) = (Vec::new(), 0usize, open + 1, open + 1);
    while at < text.len() {
        let token = token(&text[at..]);
        match token {
            "(" => depth += 1,
            ")" if depth == 0 => {
                found.push(&text[begin..at]);
                return Some((found, at + 1));
            }
            ")" => depth -= 1,
            "," if depth == 0 => {
                found.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
        at += token.len();
    }
    None
}
