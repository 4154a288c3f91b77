//! Reads facts from their text. Each reader returns `None` if the text is not of its form.

use super::name::{Nesting, name_length};
use super::{ANY, Cells, Chain, Comparison, Fact, GroupContent, GroupName, Name, Piece, Sum};

impl From<&str> for Fact {
    fn from(text: &str) -> Fact {
        let fact = fact(text).filter(|fact| fact.to_string() == text);
        fact.unwrap_or_else(|| Fact::Other(text.to_owned()))
    }
}

impl From<String> for Fact {
    fn from(text: String) -> Fact {
        Fact::from(text.as_str())
    }
}

impl From<&str> for Cells {
    fn from(text: &str) -> Cells {
        let mut reader = Reader { rest: text, index: None };
        let cells = match text {
            "all cells" => Some(Cells::All),
            _ => reader.cells().map(|(cells, _)| cells),
        };
        let cells = cells.filter(|cells| cells.to_string() == text);
        cells.unwrap_or_else(|| Cells::Other(text.to_owned()))
    }
}

impl From<String> for Cells {
    fn from(text: String) -> Cells {
        Cells::from(text.as_str())
    }
}

impl From<&str> for GroupContent {
    /// Reads `{0..i-1}: value == 0, index <= n`.
    fn from(text: &str) -> GroupContent {
        let (cells, content) = split(text, ": ").unwrap_or((text, ANY));
        let mut holds = Vec::new();
        if content != ANY {
            let mut rest = content;
            while let Some((one, after)) = split(rest, ", ") {
                holds.push(Fact::from(one));
                rest = after;
            }
            holds.push(Fact::from(rest));
        }
        GroupContent { cells: Cells::from(cells), holds }
    }
}

/// Splits a text at the first `separator` outside of brackets and quotes.
fn split<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let mut nesting = Nesting::default();
    for (at, c) in text.char_indices() {
        if nesting.is_outside() && text[at..].starts_with(separator) {
            return Some((&text[..at], &text[at + separator.len()..]));
        }
        nesting.enter(c);
    }
    None
}

fn fact<'t>(text: &'t str) -> Option<Fact> {
    if text == "false" {
        return Some(Fact::False);
    }
    let whole = |way: fn(&mut Reader<'t>) -> Option<Fact>| {
        let mut reader = Reader { rest: text, index: None };
        way(&mut reader).filter(|_| reader.rest.is_empty())
    };
    whole(Reader::for_all).or_else(|| whole(Reader::member)).or_else(|| whole(Reader::single))
}

/// What is left of a text, and the name of the bound index.
struct Reader<'t> {
    rest: &'t str,
    index: Option<&'t str>,
}

impl<'t> Reader<'t> {
    fn take(&mut self, expected: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    fn single(&mut self) -> Option<Fact> {
        self.chain().map(Fact::Chain)
    }

    fn for_all(&mut self) -> Option<Fact> {
        self.take("forall ")?;
        let (index, rest) = self.rest.split_once(". ")?;
        (self.rest, self.index) = (rest, Some(index));
        let low = self.sum()?;
        self.take(" <= ")?;
        self.take(index)?;
        self.take(" < ")?;
        let high = self.sum()?;
        self.take(" ==> ")?;
        let mut body = vec![self.chain()?];
        while self.take(" && ").is_some() {
            body.push(self.chain()?);
        }
        Some(Fact::ForAll { index: index.to_owned(), low, high, body })
    }

    fn member(&mut self) -> Option<Fact> {
        let name = self.name()?;
        self.take(" is in ")?;
        let mut groups = vec![self.group_name()?];
        while self.take(" or ").is_some() {
            groups.push(self.group_name()?);
        }
        Some(Fact::Member { name, groups })
    }

    fn group_name(&mut self) -> Option<GroupName> {
        let array = self.name()?;
        let (cells, telling) = self.cells()?;
        Some(GroupName { array, cells, telling })
    }

    /// Cells in braces, and what only they hold.
    fn cells(&mut self) -> Option<(Cells, Option<Chain>)> {
        self.take("{")?;
        let mut cells = if self.take("all cells").is_some() {
            Cells::All
        } else {
            let low = self.end("max(", "..")?;
            if self.take("..").is_some() {
                Cells::Range { low, high: self.end("min(", "}")?, size: None }
            } else {
                let [one]: [Sum; 1] = low.try_into().ok()?;
                Cells::One(one)
            }
        };
        let telling = if self.take(": ").is_some() { Some(self.chain()?) } else { None };
        self.take("}")?;
        if let Cells::Range { size, .. } = &mut cells
            && self.take(" (size ").is_some()
        {
            *size = Some(self.sum()?);
            self.take(")")?;
        }
        Some((cells, telling))
    }

    /// The sums at one end of a range: none if `after` or `: ` follows, else one, or the arguments
    /// of `function`.
    fn end(&mut self, function: &str, after: &str) -> Option<Vec<Sum>> {
        if self.rest.starts_with(after) || self.rest.starts_with(": ") {
            return Some(Vec::new());
        }
        if self.take(function).is_none() {
            return Some(vec![self.sum()?]);
        }
        let mut sums = vec![self.sum()?];
        while self.take(", ").is_some() {
            sums.push(self.sum()?);
        }
        self.take(")")?;
        Some(sums)
    }

    fn chain(&mut self) -> Option<Chain> {
        let first = self.sum()?;
        let mut rest = Vec::new();
        while let Some(comparison) = self.comparison() {
            rest.push((comparison, self.sum()?));
        }
        (!rest.is_empty()).then_some(Chain { first, rest })
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let (operator, rest) = self.rest.strip_prefix(' ')?.split_once(' ')?;
        let found = Comparison::ALL.into_iter().find(|c| c.operator() == operator)?;
        self.rest = rest;
        Some(found)
    }

    /// A sum, with or without spaces around its operators.
    fn sum(&mut self) -> Option<Sum> {
        let mut sum = Sum::constant(0);
        let mut negative = self.take("-").is_some();
        loop {
            let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number: Option<u128> = match digits {
                0 => None,
                _ => Some(self.rest[..digits].parse().ok()?),
            };
            self.rest = &self.rest[digits..];
            if let Some(constant) = number.filter(|_| !self.rest.starts_with('*')) {
                // The constant is the last part of a sum.
                sum.constant = signed(negative, constant)?;
                return Some(sum);
            }
            if number.is_some() {
                self.take("*")?;
            }
            sum.terms.push((self.name()?, signed(negative, number.unwrap_or(1))?));
            negative = match self.operator() {
                Some(negative) => negative,
                None => return Some(sum),
            };
        }
    }

    /// A plus (`false`) or a minus (`true`) between two parts of a sum.
    fn operator(&mut self) -> Option<bool> {
        let signs = [(" + ", false), (" - ", true), ("+", false), ("-", true)];
        signs.into_iter().find_map(|(text, negative)| self.take(text).map(|()| negative))
    }

    fn name(&mut self) -> Option<Name> {
        let length = name_length(self.rest)?;
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        let Some(index) = self.index else { return Some(Name::from(text)) };
        let mut pieces = Vec::new();
        let mut left = text;
        while !left.is_empty() {
            let is_word = |c: char| c == '_' || c.is_alphanumeric();
            let end = left.find(|c| is_word(c) != left.starts_with(is_word)).unwrap_or(left.len());
            let (piece, after) = left.split_at(end);
            pieces.push(if piece == index { Piece::Index } else { Piece::Text(piece.to_owned()) });
            left = after;
        }
        Some(Name::new(pieces))
    }
}

fn signed(negative: bool, number: u128) -> Option<i128> {
    match negative {
        true if number == i128::MIN.unsigned_abs() => Some(i128::MIN),
        true => i128::try_from(number).ok().map(|n| -n),
        false => i128::try_from(number).ok(),
    }
}
