//! S-expressions as SMT-LIB 2.6 has them (section 3.1 of its standard), read one at a time from
//! what a solver prints.
//!
//! This module has its own reader for two reasons. Readers of Lisp data take `#x0f` for the number
//! 15, so the width is lost, and they take numbers beyond 64 bits for floating ones. Generated
//! parsers recurse on the nesting, whose depth the author of the text controls.

use std::io::{self, BufRead};

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexpr {
    /// A symbol, keyword, numeral or literal, as written; a quoted symbol that need not be is
    /// without its bars.
    Atom(String),
    /// A string literal: what it stands for.
    Text(String),
    /// A list.
    List(Vec<Sexpr>),
}

/// The deepest nesting of lists that is accepted. Lists are dropped recursively, and no answer
/// comes near this depth.
const DEEPEST: usize = 500;

#[derive(PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    Atom(String),
    Text(String),
}

/// Reads S-expressions.
pub(super) struct Reader<R> {
    input: R,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Reader<R> {
        Reader { input }
    }

    /// The next S-expression; none at the end of the input. Reads no further than its end, except
    /// for the byte that ends an atom.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(super) fn next(&mut self) -> Result<Option<Sexpr>, String> {
        let mut open: Vec<Vec<Sexpr>> = Vec::new();
        loop {
            let done = match self.token()? {
                None if open.is_empty() => return Ok(None),
                None => return Err("it breaks off in a list".into()),
                Some(Token::Open) if open.len() == DEEPEST => return Err("its lists are too deep".into()),
                Some(Token::Open) => {
                    open.push(Vec::new());
                    continue;
                }
                Some(Token::Close) => match open.pop() {
                    Some(list) => Sexpr::List(list),
                    None => return Err("it closes a list that it has not opened".into()),
                },
                Some(Token::Atom(text)) => Sexpr::Atom(text),
                Some(Token::Text(text)) => Sexpr::Text(text),
            };
            match open.last_mut() {
                Some(list) => list.push(done),
                None => return Ok(Some(done)),
            }
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, String> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(format!("it cannot be read ({e})")),
            }
        }
    }

    fn token(&mut self) -> Result<Option<Token>, String> {
        loop {
            let Some(byte) = self.peek()? else { return Ok(None) };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.input.consume(1),
                b';' => {
                    self.until(|b| b == b'\n')?;
                }
                b'(' => {
                    self.input.consume(1);
                    return Ok(Some(Token::Open));
                }
                b')' => {
                    self.input.consume(1);
                    return Ok(Some(Token::Close));
                }
                b'"' => return Ok(Some(Token::Text(self.text()?))),
                b'|' => {
                    self.input.consume(1);
                    let symbol = self.until(|b| b == b'|')?;
                    self.expect_end(b'|')?;
                    let symbol = if is_simple_symbol(&symbol) { symbol } else { format!("|{symbol}|") };
                    return Ok(Some(Token::Atom(symbol)));
                }
                _ => {
                    return self
                        .until(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b'|' | b';'))
                        .map(|text| Some(Token::Atom(text)));
                }
            }
        }
    }

    /// The content of a string literal: a quotation mark in it is doubled.
    fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            self.input.consume(1);
            text.push_str(&self.until(|b| b == b'"')?);
            self.expect_end(b'"')?;
            if self.peek()? != Some(b'"') {
                return Ok(text);
            }
            text.push('"');
        }
    }

    fn expect_end(&mut self, byte: u8) -> Result<(), String> {
        if self.peek()? != Some(byte) {
            return Err("it breaks off in a literal".into());
        }
        self.input.consume(1);
        Ok(())
    }

    /// Everything before the first byte that is `end`, or before the end of the input.
    fn until(&mut self, end: impl Fn(u8) -> bool) -> Result<String, String> {
        let mut text = Vec::new();
        while let Some(byte) = self.peek()? {
            if end(byte) {
                break;
            }
            text.push(byte);
            self.input.consume(1);
        }
        String::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())
    }
}

/// Whether a symbol needs no bars around it, and is no reserved word.
pub(super) fn is_simple_symbol(text: &str) -> bool {
    const RESERVED: [&str; 14] = [
        "_", "!", "as", "let", "exists", "forall", "match", "par", "true", "false", "BINARY", "DECIMAL", "NUMERAL",
        "STRING",
    ];
    let symbol = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(symbol)
        && !RESERVED.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Sexpr>, String> {
        let mut reader = Reader::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(next) = reader.next()? {
            all.push(next);
        }
        Ok(all)
    }

    fn atom(text: &str) -> Sexpr {
        Sexpr::Atom(text.into())
    }

    #[test]
    fn atoms_strings_and_lists_are_told_apart() {
        let expected = vec![
            atom("sat"),
            Sexpr::List(vec![
                Sexpr::List(vec![atom("x"), atom("#x0f")]),
                Sexpr::List(vec![atom("p"), Sexpr::List(vec![atom("_"), atom("bv5"), atom("32")])]),
            ]),
            Sexpr::List(vec![]),
            Sexpr::List(vec![atom("error"), Sexpr::Text("say \"no\" (twice)".into())]),
        ];
        let text = "sat\n((x #x0f)\n (p(_ bv5 32)));comment (\n() (error \"say \"\"no\"\" (twice)\")";
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn bars_that_are_not_needed_make_no_other_symbol() {
        assert_eq!(read("|x| |5| |a b| |true|").unwrap(), [atom("x"), atom("|5|"), atom("|a b|"), atom("|true|")]);
    }

    #[test]
    fn symbols_that_need_bars_and_reserved_words_are_not_simple() {
        for good in ["a", "x1", "less?", "<=", "_a"] {
            assert!(is_simple_symbol(good), "{good}");
        }
        for bad in ["", "a b", "|a|", "1a", "a)", ":a", "true", "let", "#x1", "é", "a;", "_"] {
            assert!(!is_simple_symbol(bad), "{bad}");
        }
    }

    #[test]
    fn what_breaks_off_is_an_error() {
        for text in ["(", "(a (b)", ")", "\"a", "|a", "(error \"a", "a)", "\u{7f}("] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(Reader::new(&b"(\xff)"[..]).next().is_err());
        assert_eq!(read(" ; nothing").unwrap(), []);
    }

    #[test]
    fn every_prefix_of_a_list_is_an_error() {
        let text = "((x #x0f) (|a b| \"c\"))";
        for end in 1..text.len() {
            assert!(read(&text[..end]).is_err(), "the first {end} bytes");
        }
    }

    #[test]
    fn nesting_without_end_is_refused_and_not_followed() {
        let text = "(".repeat(10_000_000);
        assert!(read(&text).unwrap_err().contains("too deep"));
    }

    #[test]
    fn an_answer_is_read_before_the_next_byte_comes() {
        struct Slow(&'static [u8]);
        impl io::Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "it waits for more");
                buffer[0] = self.0[0];
                self.0 = &self.0[1..];
                Ok(1)
            }
        }
        assert_eq!(Reader::new(io::BufReader::new(Slow(b"sat\n"))).next(), Ok(Some(atom("sat"))));
        assert_eq!(Reader::new(io::BufReader::new(Slow(b"()"))).next(), Ok(Some(Sexpr::List(vec![]))));
    }
}
