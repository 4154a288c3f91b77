//! Names, and the texts that are names.

use std::fmt::{self, Display, Formatter};

/// The name of an integer quantity: a variable, a cell (`a[k].f`), a length (`length(a)`).
///
/// **Representation.** A text in which the bound index of a formula is a piece of its own, so that
/// formulas that differ only in the name of their index are equal. The text is a word of letters,
/// digits and `_.@:\?#$/`, in which brackets and quotes may contain anything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(Vec<Piece>);

/// A piece of a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Piece {
    /// This text.
    Text(String),
    /// The bound index of the formula.
    Index,
}

impl Name {
    /// The name with these pieces. A text that would not be read as one name is put in quotes.
    pub fn new(pieces: impl IntoIterator<Item = Piece>) -> Name {
        let mut joined: Vec<Piece> = Vec::new();
        for piece in pieces {
            match (joined.last_mut(), piece) {
                (_, Piece::Text(text)) if text.is_empty() => {}
                (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
                (_, piece) => joined.push(piece),
            }
        }
        let name = Name(joined);
        let text = name.with_index("k");
        if is_name(&text) { name } else { Name(vec![Piece::Text(quoted(&text))]) }
    }

    /// The bound index.
    pub fn index() -> Name {
        Name(vec![Piece::Index])
    }

    /// The name as text, with `index` for the bound index.
    pub fn with_index(&self, index: &str) -> String {
        let text = |piece: &'_ Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Index => index.to_owned(),
        };
        self.0.iter().map(text).collect()
    }
}

/// The text in quotes, with a `'` for quotes inside of it and spaces for control characters.
fn quoted(text: &str) -> String {
    let inside = text.chars().map(|c| match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    });
    format!("\"{}\"", inside.collect::<String>())
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new([Piece::Text(text.to_owned())])
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name::new([Piece::Text(text)])
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::Index => f.write_str("#"),
        })
    }
}

/// How deep a place of a text is in brackets, and whether it is in quotes.
#[derive(Default)]
pub(super) struct Nesting {
    depth: u32,
    in_quotes: bool,
}

impl Nesting {
    pub(super) fn is_outside(&self) -> bool {
        self.depth == 0 && !self.in_quotes
    }

    pub(super) fn enter(&mut self, c: char) {
        match c {
            '"' => self.in_quotes = !self.in_quotes,
            _ if self.in_quotes => {}
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Whether the whole text is one name.
fn is_name(text: &str) -> bool {
    !text.contains(char::is_control) && name_length(text) == Some(text.len())
}

/// The length of the name at the beginning of a text.
pub(super) fn name_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let begins = first.is_alphabetic() || "_.@:\\?#$/\"[".contains(first);
    if !begins {
        return None;
    }
    let mut nesting = Nesting::default();
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        let continues = c.is_alphanumeric() || "_.@:\\?#$/\"([".contains(c);
        // Two dots are no part of a name: they stand between the ends of a range. A colon and a
        // space stand between cells and their content.
        let separates = text[at..].starts_with("..") || text[at..].starts_with(": ") || text[at..] == *":";
        if nesting.is_outside() && (!continues || separates) {
            end = at;
            break;
        }
        nesting.enter(c);
    }
    let whole = &text[..end];
    let mut closed = Nesting::default();
    whole.chars().for_each(|c| closed.enter(c));
    (closed.is_outside() && !whole.is_empty()).then_some(end)
}
