//! Reads from the formats of `printf` and `scanf` what they say about the arguments after them.

use super::context::Lowerer;
use lang_c::ast::Expression;
use lang_c::span::Node;

/// One conversion specification: whether its length modifier is `l` (or `ll`), and its last
/// letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    long: bool,
    /// Whether it has a precision, which limits how much of a text is printed.
    precise: bool,
    letter: u8,
}

/// The conversion specifications of a format. A set `%[…]` counts up to its bracket; a `%` inside
/// it may add a specification that does not exist. It hides none, because the closing bracket of
/// the set ends it.
fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied();
    while rest.by_ref().any(|b| b == b'%') {
        let (mut long, mut wide, mut precise) = (false, false, false);
        for b in rest.by_ref() {
            match b {
                b'.' => precise = true,
                b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' | b'*' | b'$' => {}
                b'h' | b'L' | b'q' | b'j' | b'z' | b'Z' | b't' | b'm' => {}
                // Lengths in bits: `%w32d`, `%wf32d`.
                b'w' => wide = true,
                b'f' if std::mem::take(&mut wide) => {}
                b'l' => long = true,
                letter => {
                    found.push(Conversion { long, precise, letter });
                    break;
                }
            }
        }
    }
    found
}

/// The place of the format among the arguments.
fn position(name: &str) -> Option<usize> {
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "printf" | "vprintf" | "scanf" => Some(0),
        "fprintf" | "vfprintf" | "sprintf" | "vsprintf" | "fscanf" | "sscanf" => Some(1),
        "snprintf" | "vsnprintf" => Some(2),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Whether a call of a function that prints can write to what the values point to that it
    /// prints: `%n` does. Formats that are not known are assumed to have none.
    pub(super) fn writes_what_it_prints(&mut self, name: &str, arguments: &[Node<Expression>]) -> bool {
        let Some(at) = position(name) else { return false };
        // Without an argument after the format there is nothing that C allows it to write to.
        let takes_list = name.strip_prefix("__builtin_").unwrap_or(name).starts_with('v');
        if arguments.len() <= at + 1 && !takes_list {
            return false;
        }
        if self.format_holds(arguments.get(at), |_| true) {
            return !self.format_holds(arguments.get(at), |c| c.letter != b'n');
        }
        self.assume_that("no format that is not a literal of the call has `%n`");
        false
    }

    /// Whether a function reads what its argument of that number points to up to the 0 that ends
    /// it.
    pub(super) fn is_read_as_text(&self, name: &str, n: usize, arguments: &[Node<Expression>]) -> bool {
        match name.strip_prefix("__builtin_").unwrap_or(name) {
            "strlen" | "strcmp" | "strcasecmp" | "atoi" | "atol" | "atoll" | "atof" | "puts" | "perror" => true,
            "fputs" => n == 0,
            "sscanf" => n < 2,
            _ => match position(name) {
                Some(at) if n == at => true,
                // The only other conversions that take pointers are `%p` and `%n`, and these do not
                // read text.
                Some(at) if n > at => {
                    self.format_holds(arguments.get(at), |c| !c.precise && !c.long && !matches!(c.letter, b'p' | b'S'))
                }
                _ => false,
            },
        }
    }

    /// The characters of a format up to its 0, if it is a literal of bytes.
    pub(super) fn format_text(&self, format: &Node<Expression>) -> Option<Vec<u8>> {
        let Expression::StringLiteral(_) = &format.node else { return None };
        let (units, kind) = self.string_units(format.span).ok()?;
        let bytes = units.iter().map(|u| (u & 0xff) as u8).take_while(|b| *b != 0);
        (kind.width(self.model()) == 8).then(|| bytes.collect())
    }

    /// Whether the format is known, and `like` holds for all its conversions.
    fn format_holds(&self, format: Option<&Node<Expression>>, like: fn(Conversion) -> bool) -> bool {
        let Some(format) = format else { return false };
        match &format.node {
            Expression::StringLiteral(_) => self.string_units(format.span).is_ok_and(|(units, _)| {
                let bytes: Vec<u8> = units.iter().map(|u| (u & 0xff) as u8).collect();
                conversions(&bytes).into_iter().all(like)
            }),
            Expression::Cast(cast) => self.format_holds(Some(&cast.node.expression), like),
            Expression::Conditional(c) => [self.first_branch(&c.node), &c.node.else_expression]
                .into_iter()
                .all(|e| self.format_holds(Some(e), like)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::conversions;

    fn letters(format: &str) -> String {
        conversions(format.as_bytes()).iter().flat_map(|c| [if c.long { 'l' } else { ' ' }, c.letter as char]).collect()
    }

    #[test]
    fn a_conversion_ends_with_its_letter() {
        assert_eq!(letters("a%d%%n %5.*ld|%-3hhn%lln"), " d %ld nln");
        assert_eq!(letters("%1$n%'d%zu"), " n d u");
        assert_eq!(letters("%[%]%ls%*[^\n]%ms"), " [ ]ls [ s");
        assert_eq!(letters("%w32n%wf16d%f"), " n d f");
        assert_eq!(letters("100%"), "");
    }
}
