//! Constants and string literals.

use super::context::{Lowered, Lowerer};
use super::conversions::unsigned;
use crate::program::{
    Expr, ExprKind, FloatKind, IntKind, Length, Lvalue, Origin, Step, StmtKind, Storage, Type, Variable,
};
use lang_c::ast::TS18661FloatType;
use lang_c::ast::{Constant, Float, FloatFormat, Integer, IntegerBase, IntegerSize, TS18661FloatFormat};
use lang_c::span::{Node, Span};

/// The characters of longer strings are not tracked: each would need a statement.
const MAX_STRING: usize = 65_536;

impl Lowerer<'_> {
    pub(super) fn constant_expr(&mut self, constant: &Node<Constant>) -> Lowered<Expr> {
        let span = constant.span;
        let at = self.at(span);
        match &constant.node {
            Constant::Integer(i) => {
                let (value, kind) = self.integer(i, span)?;
                Ok(Expr::int(value, kind, at))
            }
            Constant::Float(f) => {
                let kind = self.float_kind(f, span)?;
                let prefix = if f.base == lang_c::ast::FloatBase::Hexadecimal { "0x" } else { "" };
                let suffix = match kind {
                    FloatKind::Float => "f",
                    FloatKind::Double => "",
                    FloatKind::LongDouble => "L",
                };
                let text = format!("{prefix}{}{suffix}", f.number);
                Ok(Expr::new(ExprKind::Float(text), Type::Float(kind), at))
            }
            Constant::Character(_) => {
                let raw = self.unit.raw.get(span.start..).unwrap_or_default();
                let Some(literal) = Literal::read(raw, b'\'', IntKind::Char) else {
                    return self.wrong(span, "a character constant that cannot be read");
                };
                let kind = if literal.unit == IntKind::Char { IntKind::Int } else { literal.unit };
                let value = match (literal.units.as_slice(), literal.unit) {
                    ([one], IntKind::Char) => self.plain_char().wrap(*one, self.model()),
                    ([one], _) => *one,
                    ([], _) => return self.wrong(span, "an empty character constant"),
                    // gcc: the bytes of a multi-character constant, most significant first.
                    (many, IntKind::Char) => {
                        let value = many.iter().fold(0i128, |v, b| ((v << 8) | (b & 0xff)) & 0xffff_ffff);
                        IntKind::Int.wrap(value, self.model())
                    }
                    (many, _) => many[many.len() - 1],
                };
                Ok(Expr::int(value, kind, at))
            }
        }
    }

    fn integer(&self, i: &Integer, span: Span) -> Lowered<(i128, IntKind)> {
        let radix = match i.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if i.number.is_empty() { "0" } else { &i.number };
        if i.suffix.imaginary {
            return self.unsupported(span, "complex numbers are not supported");
        }
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            return self.wrong(span, "this constant is too large for every integer type");
        };
        let value = i128::from(value);
        let least = match i.suffix.size {
            IntegerSize::Int => 0,
            IntegerSize::Long => 1,
            IntegerSize::LongLong => 2,
        };
        for kind in [IntKind::Int, IntKind::Long, IntKind::LongLong].into_iter().skip(least) {
            if !i.suffix.unsigned && value <= kind.max(self.model()) {
                return Ok((value, kind));
            }
            let unsigned = unsigned(kind);
            if (i.suffix.unsigned || radix != 10) && value <= unsigned.max(self.model()) {
                return Ok((value, unsigned));
            }
        }
        // gcc: a decimal constant beyond `long long` is unsigned.
        Ok((value, IntKind::ULongLong))
    }

    fn float_kind(&self, f: &Float, span: Span) -> Lowered<FloatKind> {
        if f.suffix.imaginary {
            return self.unsupported(span, "complex numbers are not supported");
        }
        match &f.suffix.format {
            FloatFormat::Float => Ok(FloatKind::Float),
            FloatFormat::Double => Ok(FloatKind::Double),
            FloatFormat::LongDouble => Ok(FloatKind::LongDouble),
            FloatFormat::TS18661Format(t) => self.extended_float(t, span),
        }
    }

    pub(super) fn extended_float(&self, t: &TS18661FloatType, span: Span) -> Lowered<FloatKind> {
        match (&t.format, t.width) {
            (TS18661FloatFormat::BinaryInterchange, 16 | 32) => Ok(FloatKind::Float),
            (TS18661FloatFormat::BinaryInterchange, 64) | (TS18661FloatFormat::BinaryExtended, 32) => {
                Ok(FloatKind::Double)
            }
            (TS18661FloatFormat::BinaryInterchange, 128) | (TS18661FloatFormat::BinaryExtended, 64) => {
                Ok(FloatKind::LongDouble)
            }
            _ => self.unsupported(span, "this floating type is not supported"),
        }
    }

    /// The units of a string literal (without the final 0) and their type.
    pub(super) fn string_units(&self, span: Span) -> Lowered<(Vec<i128>, IntKind)> {
        let raw = &self.unit.raw;
        let mut at = span.start;
        let (mut pieces, mut kind) = (Vec::new(), IntKind::Char);
        loop {
            // Between the pieces there is what the parser treats as white space, and before the
            // first piece there may be parentheses.
            let between = |b: &u8| b.is_ascii_whitespace() || (pieces.is_empty() && *b == b'(');
            while self.unit.clean.as_bytes().get(at).is_some_and(between) {
                at += 1;
            }
            let rest = raw.get(at..).unwrap_or_default();
            let Some(literal) = Literal::read(rest, b'"', kind).filter(|_| at < span.end.max(span.start + 1)) else {
                break;
            };
            if literal.unit != IntKind::Char {
                kind = literal.unit;
            }
            pieces.push(at);
            at += literal.length;
        }
        if pieces.is_empty() {
            return self.wrong(span, "a string literal that cannot be read");
        }
        // A piece without a prefix has the kind of the pieces with one.
        let read = pieces.into_iter().filter_map(|at| Literal::read(&raw[at..], b'"', kind));
        let units = read.flat_map(|literal| literal.units);
        if kind != IntKind::Char {
            return Ok((units.collect(), kind));
        }
        let plain = self.plain_char();
        Ok((units.map(|u| plain.wrap(u, self.model())).collect(), plain))
    }

    /// The array that holds a string literal.
    pub(super) fn string_object(&mut self, span: Span) -> Lowered<Lvalue> {
        let (mut units, kind) = self.string_units(span)?;
        units.push(0);
        self.constant_string(units, kind, span)
    }

    pub(super) fn constant_string(&mut self, units: Vec<i128>, kind: IntKind, span: Span) -> Lowered<Lvalue> {
        let at = self.at(span);
        let key = (units, kind);
        if let Some(v) = self.strings.get(&key) {
            return Ok(Lvalue::var(&self.program, *v, at));
        }
        let ty = Type::Array(Box::new(Type::Int(kind)), Length::Constant(key.0.len() as u64));
        let (name, origin) = (format!("str{}", self.strings.len() + 1), Origin::StringLiteral);
        let storage = Storage::Global;
        let id = self.program.add_variable(Variable { name, origin, ty, storage, constant: false, location: at });
        self.program.globals.push(id);
        let object = Lvalue::var(&self.program, id, at);
        let mut block = vec![self.stmt(StmtKind::Zero(object.clone()), at)];
        let long = key.0.len() > MAX_STRING;
        if long {
            block = vec![self.stmt(StmtKind::Havoc(object.clone()), at)];
        }
        for (n, unit) in key.0.iter().enumerate().filter(|(_, u)| **u != 0 && !long) {
            let index = Expr::int(n as i128, self.model().difference_type(), at);
            let mut cell = object.clone();
            cell.path.push(Step::Index(index));
            cell.ty = Type::Int(kind);
            block.push(self.stmt(StmtKind::Assign(cell, Expr::int(*unit, kind, at)), at));
        }
        self.program.initialisers.extend(block);
        self.strings.insert(key, id);
        Ok(object)
    }
}

/// One piece of a string literal, or a character constant.
struct Literal {
    units: Vec<i128>,
    unit: IntKind,
    /// How many bytes it has in the source.
    length: usize,
}

impl Literal {
    /// Reads the literal that `raw` starts with. One without a prefix has units of the type
    /// `plain`.
    fn read(raw: &[u8], quote: u8, plain: IntKind) -> Option<Literal> {
        let prefix = raw.iter().take_while(|b| **b != quote).count();
        let unit = match raw.get(..prefix)? {
            b"" => plain,
            b"u8" => IntKind::Char,
            b"L" => IntKind::Int,
            b"u" => IntKind::UShort,
            b"U" => IntKind::UInt,
            _ => return None,
        };
        let mask = match unit {
            IntKind::Char => 0xff,
            IntKind::UShort => 0xffff,
            _ => 0xffff_ffff,
        };
        let mut units: Vec<i128> = Vec::new();
        let mut at = prefix + 1;
        loop {
            let byte = *raw.get(at)?;
            at += 1;
            let value: u32 = match byte {
                b if b == quote => break,
                b'\\' => escape(raw, &mut at)?,
                b if b.is_ascii() || unit == IntKind::Char => b.into(),
                _ => {
                    // Wide literals hold characters, not bytes.
                    let rest = &raw[at - 1..(at + 3).min(raw.len())];
                    let text = rest.utf8_chunks().next().map(|c| c.valid()).unwrap_or("");
                    let c = text.chars().next()?;
                    at += c.len_utf8() - 1;
                    c as u32
                }
            };
            let value = i128::from(value) & mask;
            let signed = unit.is_signed() && value > mask / 2;
            units.push(if signed { value - mask - 1 } else { value });
        }
        Some(Literal { units, unit, length: at })
    }
}

/// The value of an escape sequence; `at` is the offset after the backslash and is moved to after
/// the sequence.
fn escape(raw: &[u8], at: &mut usize) -> Option<u32> {
    let c = *raw.get(*at)?;
    *at += 1;
    Some(match c {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        // GNU C.
        b'e' | b'E' => 27,
        b'x' => number(raw, at, 16, usize::MAX),
        b'u' => number(raw, at, 16, 4),
        b'U' => number(raw, at, 16, 8),
        b'0'..=b'7' => {
            *at -= 1;
            number(raw, at, 8, 3)
        }
        c => c.into(),
    })
}

fn number(raw: &[u8], at: &mut usize, radix: u32, most: usize) -> u32 {
    let mut value = 0u32;
    for _ in 0..most {
        let Some(digit) = raw.get(*at).and_then(|b| (*b as char).to_digit(radix)) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        *at += 1;
    }
    value
}
