//! `scanf` and its relatives: they write through their arguments what they read.

use super::blocks::uncast;
use super::builtins::Use;
use super::context::{Lowered, Lowerer};
use crate::program::{Contents, Expr, IntKind, StmtKind, Type};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};

/// What a conversion of a format stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// One value.
    Value,
    /// As many characters.
    Characters(u64),
    /// A text of at most so many characters, without the 0 at its end.
    Text(Option<u64>),
}

/// What the conversions of a format store, one after the other (C11 7.21.6.2). `None` if one of
/// them is not followed: it stores wide characters or allocates, or is not one of C.
fn stored(format: &[u8]) -> Option<Vec<Stored>> {
    let (mut found, mut rest) = (Vec::new(), format.iter().copied().peekable());
    while rest.by_ref().any(|b| b == b'%') {
        let is_dropped = rest.next_if_eq(&b'*').is_some();
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            digits.push(digit.into());
        }
        let width = match digits.as_str() {
            "" => None,
            digits => Some(u64::from(digits.parse::<u32>().ok()?)),
        };
        let mut is_sized = false;
        while rest.next_if(|b| b"hlLjzt".contains(b)).is_some() {
            is_sized = true;
        }
        let stored = match rest.next()? {
            b'%' => continue,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'p'
            | b'n' => Stored::Value,
            _ if is_sized => return None,
            b'c' => Stored::Characters(width.unwrap_or(1)),
            b's' => Stored::Text(width),
            b'[' => {
                rest.next_if_eq(&b'^');
                rest.next_if_eq(&b']');
                rest.find(|b| *b == b']')?;
                Stored::Text(width)
            }
            _ => return None,
        };
        if !is_dropped {
            found.push(stored);
        }
    }
    Some(found)
}

impl Lowerer<'_> {
    /// A call of a function that reads through the arguments from that number on; its format is
    /// the one before.
    pub(super) fn scan(
        &mut self,
        name: &str,
        list: &[Node<Expression>],
        from: usize,
        usage: Use<'_>,
        span: Span,
    ) -> Lowered<Expr> {
        self.note_traffic(name, list, span)?;
        let known = from.checked_sub(1).and_then(|n| list.get(n)).and_then(|format| self.stored_by(format));
        for (n, e) in list.iter().enumerate() {
            if n < from {
                self.hand_on(name, n, list)?;
                continue;
            }
            let pointer = self.rvalue(e)?;
            self.handed(pointer.clone());
            let pointer = self.settle_now(uncast(pointer));
            match known.as_ref().and_then(|stored| stored.get(n - from)) {
                Some(stored) => self.store_input(*stored, pointer, span)?,
                None => self.emit(StmtKind::HavocReachable(vec![pointer].into()), self.at(span)),
            }
        }
        self.trust_pointers(name, list)?;
        self.any_value(name, usage, span)
    }

    fn stored_by(&self, format: &Node<Expression>) -> Option<Vec<Stored>> {
        stored(&self.format_text(format)?)
    }

    /// Writes input to where a pointer leads. Texts without a limit are assumed to fit.
    fn store_input(&mut self, stored: Stored, to: Expr, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let count = match stored {
            Stored::Value if matches!(to.ty.pointee(), Some(Type::Int(_) | Type::Float(_) | Type::Pointer(_))) => {
                let place = self.dereference(to, at);
                self.library_writes(place, at);
                return Ok(());
            }
            Stored::Value | Stored::Text(None) => return self.write_inside(to, span),
            Stored::Characters(count) => count,
            Stored::Text(Some(most)) => most + 1,
        };
        let count = Expr::int(count.into(), IntKind::ULong, at);
        self.write_block(to, count, Contents::Written, span)
    }
}

#[cfg(test)]
mod tests {
    use super::{Stored, stored};

    #[test]
    fn each_conversion_stores_something() {
        let of = |format: &str| stored(format.as_bytes());
        assert_eq!(of("%d %*s%5c%%"), Some(vec![Stored::Value, Stored::Characters(5)]));
        assert_eq!(
            of("a%s%12s%[^]%*d]%hhd"),
            Some(vec![Stored::Text(None), Stored::Text(Some(12)), Stored::Text(None), Stored::Value])
        );
        for wrong in ["%ls", "%", "%m", "%ms", "%[a", "%99999999999s", "%k"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
