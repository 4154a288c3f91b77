//! `sprintf` and its relatives, which print into memory.

use super::blocks::uncast;
use super::builtins::Use;
use super::context::{Lowered, Lowerer};
use crate::program::{Assumption, BinaryOp, Callee, Contents, Expr, IntKind, Location, StmtKind, Type, WrittenBytes};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};

/// A function that prints into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Print {
    /// Whether its second argument is the number of bytes that it may write.
    is_bounded: bool,
    /// Whether it gets the values as a list of variable arguments.
    takes_list: bool,
}

/// The function of that name.
pub(super) fn print_of(name: &str) -> Option<Print> {
    let print = |is_bounded, takes_list| Some(Print { is_bounded, takes_list });
    match name {
        "sprintf" => print(false, false),
        "snprintf" => print(true, false),
        "vsprintf" => print(false, true),
        "vsnprintf" => print(true, true),
        _ => None,
    }
}

/// How much is printed, without the 0 at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Printed {
    least: u64,
    /// `None`: there is no limit.
    most: Option<u64>,
    /// The arguments that are printed as whole texts, counted behind the format. They are not in
    /// the other numbers.
    texts: Vec<usize>,
    /// Whether parts of texts are read, or what no format tells.
    reads_more: bool,
}

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// A character, as it is.
    Plain,
    Conversion(Conversion),
}

/// A conversion specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    /// Whether there is the flag `#`.
    is_alternative: bool,
    width: u64,
    precision: Option<u64>,
    /// The length modifier.
    size: Size,
    letter: u8,
}

/// The length modifier of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Size {
    Char,
    Short,
    None,
    Long,
    LongLong,
}

/// The parts of a format. `None` if one of them is not followed: it takes its width from an
/// argument, names arguments by numbers, prints wide characters, or is not one of C.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let (mut found, mut rest) = (Vec::new(), format);
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            found.push(Piece::Plain);
            continue;
        }
        let skip = |text: &mut &[u8], these: &[u8]| {
            let n = text.iter().take_while(|b| these.contains(b)).count();
            let (skipped, behind) = text.split_at(n);
            *text = behind;
            skipped.to_vec()
        };
        let number = |digits: Vec<u8>| match digits.is_empty() {
            true => Some(0),
            false => String::from_utf8(digits).ok()?.parse::<u32>().ok().map(u64::from),
        };
        let flags = skip(&mut rest, b"-+ #0");
        let width = number(skip(&mut rest, b"0123456789"))?;
        let precision = match rest {
            [b'.', behind @ ..] => {
                rest = behind;
                Some(number(skip(&mut rest, b"0123456789"))?)
            }
            _ => None,
        };
        let size = match skip(&mut rest, b"hlLjzt").as_slice() {
            b"hh" => Size::Char,
            b"h" => Size::Short,
            b"" => Size::None,
            b"l" | b"z" | b"t" => Size::Long,
            b"ll" | b"j" => Size::LongLong,
            _ => return None,
        };
        let [letter, behind @ ..] = rest else { return None };
        rest = behind;
        found.push(match letter {
            b'%' => Piece::Plain,
            letter => {
                let is_alternative = flags.contains(&b'#');
                Piece::Conversion(Conversion { is_alternative, width, precision, size, letter: *letter })
            }
        });
    }
    Some(found)
}

impl Conversion {
    /// The least and the greatest number of characters (C11 7.21.6.1) for an argument. `None` if it
    /// has another type than the conversion prints, or if C does not say.
    fn length(self, argument: &Expr, lowerer: &Lowerer<'_>) -> Option<(u64, u64)> {
        let (model, value, argument) = (lowerer.model(), argument.as_int(), &argument.ty);
        let bits = match argument {
            Type::Int(kind) => kind.width(model).max(IntKind::Int.width(model)),
            _ => 0,
        };
        let wanted = match self.size {
            Size::Char | Size::Short | Size::None => IntKind::Int.width(model),
            Size::Long => IntKind::Long.width(model),
            Size::LongLong => IntKind::LongLong.width(model),
        };
        let (digits_10, digits_16, digits_8) = match self.size {
            Size::Char => (3, 2, 3),
            Size::Short => (5, 4, 6),
            _ if wanted <= 16 => (5, 4, 6),
            _ if wanted <= 32 => (10, 8, 11),
            _ => (20, 16, 22),
        };
        let least_digits = self.precision.unwrap_or(1);
        let of_digits = |most: u64| (least_digits, most.max(least_digits));
        let (least, most) = match self.letter {
            b'd' | b'i' | b'u'
                if bits == wanted
                    && self.size == Size::None
                    && self.precision != Some(0)
                    && let Some(value @ 0..) = value =>
            {
                let digits = (value.to_string().len() as u64).max(least_digits);
                (digits, digits)
            }
            b'd' | b'i' if bits == wanted => {
                let (least, most) = of_digits(digits_10);
                (least, most + 1)
            }
            b'u' if bits == wanted => of_digits(digits_10),
            b'x' | b'X' if bits == wanted => {
                let (least, most) = of_digits(digits_16);
                (least, most + 2 * u64::from(self.is_alternative))
            }
            b'o' if bits == wanted => {
                let (least, most) = of_digits(digits_8);
                (least, most + u64::from(self.is_alternative))
            }
            b'c' if bits == IntKind::Int.width(model) && self.size == Size::None => (1, 1),
            // A sign, a digit, a point, digits, and an exponent of four digits. Infinities and
            // NaNs may have other names.
            b'e' | b'E' if matches!(argument, Type::Float(_)) => (1, self.precision.unwrap_or(6).max(30) + 9),
            b'g' | b'G' if matches!(argument, Type::Float(_)) => (1, self.precision.unwrap_or(6).max(30) + 13),
            _ => return None,
        };
        Some((least.max(self.width), most.max(self.width)))
    }

    /// Whether an argument is printed up to its 0.
    fn prints_text(self, argument: &Type, lowerer: &Lowerer<'_>) -> bool {
        let is_text = matches!(argument.pointee(), Some(Type::Int(kind)) if kind.width(lowerer.model()) == 8);
        self.letter == b's' && self.size == Size::None && is_text
    }
}

impl Printed {
    fn add(&mut self, least: u64, most: Option<u64>) {
        self.least = self.least.saturating_add(least);
        self.most = self.most.zip(most).and_then(|(a, b)| a.checked_add(b));
    }
}

impl Lowerer<'_> {
    /// How much a format makes of the arguments behind it.
    fn printed(&self, format: &Node<Expression>, arguments: &[Expr]) -> Printed {
        let nothing = Printed { most: Some(0), ..Printed::default() };
        let unknown = Printed { reads_more: true, ..Printed::default() };
        let Some(pieces) = self.format_text(format).and_then(|text| pieces(&text)) else { return unknown };
        let (mut printed, mut n) = (nothing, 0);
        for piece in pieces {
            let Piece::Conversion(c) = piece else {
                printed.add(1, Some(1));
                continue;
            };
            let Some(argument) = arguments.get(n) else { return unknown };
            if !c.prints_text(&argument.ty, self) {
                let Some((least, most)) = c.length(argument, self) else { return unknown };
                printed.add(least, Some(most));
            } else if let Some(most) = c.precision {
                printed.add(c.width, Some(most.max(c.width)));
                printed.reads_more = true;
            } else if c.width > 0 {
                printed.add(c.width, None);
                printed.reads_more = true;
            } else {
                printed.texts.push(n);
            }
            n += 1;
        }
        printed
    }

    /// A call of a function that prints into memory: the bytes change, the last of them becomes 0.
    /// `None` if it lacks arguments.
    ///
    /// **Sound**: how long the text is, is a sum of what each part of the format may print; the
    /// texts in it are measured by the model of `strlen`. What is printed of other values is not
    /// followed.
    pub(super) fn print_into_memory(
        &mut self,
        print: Print,
        name: &str,
        list: &[Node<Expression>],
        usage: Use<'_>,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let first = 1 + usize::from(print.is_bounded);
        let Some(format) = list.get(first) else { return Ok(None) };
        let at = self.at(span);
        self.unsequenced_arguments(list)?;
        let mut values = Vec::new();
        for e in list {
            let value = self.rvalue(e)?;
            self.handed(value.clone());
            values.push(self.settle_now(value));
        }
        let printed = match print.takes_list {
            true => Printed { reads_more: true, ..Printed::default() },
            false => self.printed(format, &values[first + 1..]),
        };
        if printed.reads_more {
            self.trust_pointers(name, list)?;
        }
        if !printed.texts.is_empty() {
            self.assume_that(Assumption::about("a copy of a string does not overlap with it", name));
        }
        let length = self.printed_length(&printed, &values[first + 1..], span)?;
        let to = uncast(values[0].clone());
        let to = self.convert(to, &Type::Int(IntKind::Char).pointer_to(), span)?;
        if !print.is_bounded {
            self.write_text(to, length.clone(), span)?;
            return self.length_as_result(length, usage, at).map(Some);
        }
        let size = self.size_type();
        let room = self.convert(values[1].clone(), &size, span)?;
        let ((), block) = self.collecting(|l| {
            let last = l.cut_to(length.clone(), room.clone(), at);
            l.write_text(to, last, span)
        })?;
        match room.as_int() {
            Some(0) => {}
            Some(_) => self.out.extend(block),
            None => {
                let is_some = self.truth(room, span)?;
                self.emit(StmtKind::If(is_some, block, Vec::new()), at);
            }
        }
        self.length_as_result(length, usage, at).map(Some)
    }

    /// The number of characters that are printed, as a settled number of bytes.
    fn printed_length(&mut self, printed: &Printed, values: &[Expr], span: Span) -> Lowered<Expr> {
        let (at, kind) = (self.at(span), self.model().size_type());
        let size = Type::Int(kind);
        let mut sum = Expr::int(i128::from(printed.least), kind, at);
        if printed.most != Some(printed.least) {
            let value = self.any_number(kind, at);
            let from = self.arithmetic(BinaryOp::LessEqual, sum, value.clone(), Type::INT);
            self.emit(StmtKind::Assume(from), at);
            // No object is larger than half of what can be addressed.
            let most = printed.most.map_or(self.model().difference_type().max(self.model()), i128::from);
            let most = Expr::int(most, kind, at);
            let to = self.arithmetic(BinaryOp::LessEqual, value.clone(), most, Type::INT);
            self.emit(StmtKind::Assume(to), at);
            sum = value;
        }
        let strlen = self.model_of("strlen");
        for n in &printed.texts {
            let (text, length) = (values[*n].clone(), self.temporary(size.clone(), at));
            match strlen {
                Some(f) => {
                    let callee = Callee::Function(f);
                    self.emit(StmtKind::Call { target: Some(length.clone()), callee, arguments: vec![text] }, at);
                }
                None => self.emit(StmtKind::Havoc(length.clone()), at),
            }
            sum = self.arithmetic(BinaryOp::Add, sum, Expr::load(length), size.clone());
        }
        Ok(self.settle_now(sum))
    }

    /// The length of what is written where there is room for so many bytes, and for at least one.
    fn cut_to(&mut self, length: Expr, room: Expr, at: Location) -> Expr {
        let size = self.size_type();
        let last = self.temporary(size.clone(), at);
        self.emit(StmtKind::Assign(last.clone(), length), at);
        let is_cut = self.arithmetic(BinaryOp::GreaterEqual, Expr::load(last.clone()), room.clone(), Type::INT);
        let one = Expr::int(1, self.model().size_type(), at);
        let most = self.arithmetic(BinaryOp::Sub, room, one, size);
        let cut = self.stmt(StmtKind::Assign(last.clone(), most), at);
        self.emit(StmtKind::If(is_cut, vec![cut], Vec::new()), at);
        Expr::load(last)
    }

    /// Writes a text of that length. Cases may be made by its variable.
    fn write_text(&mut self, to: Expr, length: Expr, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let length = self.convert(length, &self.difference_type(), span)?;
        let length = self.settle(length);
        let end = self.pointer_add(to.clone(), length.clone(), span)?;
        let end = self.dereference(end, at);
        self.emit(StmtKind::Assign(end, Expr::int(0, IntKind::Char, at)), at);
        self.write_bytes(WrittenBytes { to, contents: Contents::Written, count: length }, at);
        Ok(())
    }

    /// What a function returns that has printed so many characters: their number, or a negative one
    /// if that is no `int`.
    fn length_as_result(&mut self, length: Expr, usage: Use<'_>, at: Location) -> Lowered<Expr> {
        if usage.dropped {
            return Ok(super::expressions::void(at));
        }
        let model = self.model();
        let most = Expr::int(IntKind::Int.max(model), model.size_type(), at);
        let is_more = self.arithmetic(BinaryOp::Greater, length.clone(), most, Type::INT);
        let result = self.temporary(Type::INT, at);
        self.emit(StmtKind::Assign(result.clone(), length.cast(Type::INT)), at);
        let fails = self.stmt(StmtKind::Assign(result.clone(), Expr::int(-1, IntKind::Int, at)), at);
        self.emit(StmtKind::If(is_more, vec![fails], Vec::new()), at);
        Ok(Expr::load(result))
    }
}

#[cfg(test)]
mod tests {
    use super::{Conversion, Piece, Size, pieces};

    #[test]
    fn a_format_has_characters_and_conversions() {
        let conversion =
            Conversion { is_alternative: true, width: 8, precision: Some(3), size: Size::Long, letter: b'x' };
        assert_eq!(pieces(b"a%%%#08.3lx"), Some(vec![Piece::Plain, Piece::Plain, Piece::Conversion(conversion)]));
        let plain = Conversion { is_alternative: false, width: 0, precision: Some(0), size: Size::None, letter: b's' };
        assert_eq!(pieces(b"%.s"), Some(vec![Piece::Conversion(plain)]));
        for wrong in ["%*d", "%1$d", "%.*s", "%", "%Lf", "%'d", "%hhhd", "%.-1d"] {
            let is_letter = |piece: &Piece| matches!(piece, Piece::Conversion(c) if c.letter.is_ascii_alphabetic());
            assert!(pieces(wrong.as_bytes()).is_none_or(|all| !all.iter().all(is_letter)), "{wrong}");
        }
    }
}
