//! Expressions as terms: values are bit-vectors of the widths of their types. What is not modelled
//! is any value.

use super::words::{extended, number, operator, resized, sort};
use super::{Encoder, Read};
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, UnaryOp};
use crate::reduce::refine::{AccessPath, indices, place};

impl Encoder<'_> {
    /// The number of a cell, row by row, in 64 bits.
    pub(super) fn index(&mut self, l: &Lvalue, place: &AccessPath) -> Result<String, String> {
        let lengths = self.subject.arrays.get(place).cloned().unwrap_or_default();
        let mut number: Option<String> = None;
        for (n, e) in indices(l).into_iter().enumerate() {
            let digit = self.wide(e)?;
            number = Some(match number {
                None => digit,
                Some(rows) => {
                    let length = self.length(lengths.get(n).copied().unwrap_or(Length::Unknown));
                    format!("(bvadd (bvmul {rows} {}) {digit})", length.ok_or("the length of a row is unknown")?)
                }
            });
        }
        number.ok_or_else(|| "an access has no index".to_owned())
    }

    /// An integer in 64 bits.
    pub(super) fn wide(&mut self, e: &Expr) -> Result<String, String> {
        let kind = e.ty.as_int().ok_or("an index is not an integer")?;
        let term = self.term(e)?;
        Ok(extended(&term, self.width(kind), 64, kind.is_signed()))
    }

    pub(super) fn length(&mut self, length: Length) -> Option<String> {
        match length {
            Length::Constant(n) => Some(number(i128::from(n), 64)),
            Length::Variable(v) => {
                let place = AccessPath { variable: v, path: Vec::new() };
                let kind = self.kind_of(&place);
                let value = self.scalar(&place);
                Some(extended(&value, self.width(kind), 64, kind.is_signed()))
            }
            Length::Unknown => None,
        }
    }

    /// Whether an expression is not 0.
    pub(super) fn truth(&mut self, e: &Expr) -> Result<String, String> {
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => format!("(not {})", self.truth(a)?),
            ExprKind::And(a, b) => format!("(and {} {})", self.truth(a)?, self.truth(b)?),
            ExprKind::Or(a, b) => format!("(or {} {})", self.truth(a)?, self.truth(b)?),
            ExprKind::Binary(op, a, b) if op.is_comparison() => match a.ty.as_int() {
                Some(kind) => {
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    match op {
                        BinaryOp::Equal => format!("(= {a} {b})"),
                        BinaryOp::NotEqual => format!("(not (= {a} {b}))"),
                        _ => format!("({} {a} {b})", operator(*op, kind.is_signed())),
                    }
                }
                // Floats and pointers are not modelled: either outcome is possible.
                None => self.constant("Bool"),
            },
            _ => match e.ty.as_int() {
                Some(kind) => format!("(not (= {} {}))", self.term(e)?, number(0, self.width(kind))),
                None => self.constant("Bool"),
            },
        })
    }

    /// The value of an expression of an integer type.
    pub(super) fn term(&mut self, e: &Expr) -> Result<String, String> {
        let kind = e.ty.as_int().ok_or("a value is not an integer")?;
        let width = self.width(kind);
        let as_value = |truth: String| format!("(ite {truth} {} {})", number(1, width), number(0, width));
        Ok(match &e.kind {
            ExprKind::Int(n) => number(*n, width),
            ExprKind::Load(l) => self.load(l)?,
            ExprKind::Unary(UnaryOp::Negate, a) => format!("(bvneg {})", self.term(a)?),
            ExprKind::Unary(UnaryOp::BitNot, a) => format!("(bvnot {})", self.term(a)?),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => as_value(self.truth(e)?),
            ExprKind::Binary(op, ..) if op.is_comparison() => as_value(self.truth(e)?),
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), a, b) => {
                let (left, amount) = (self.term(a)?, self.wide(b)?);
                format!("({} {left} {})", operator(*op, kind.is_signed()), resized(&amount, 64, width))
            }
            ExprKind::Binary(BinaryOp::PointerDiff | BinaryOp::PointerAdd, ..) => {
                return Err("pointers are subtracted".to_owned());
            }
            ExprKind::Binary(op, a, b) => {
                format!("({} {} {})", operator(*op, kind.is_signed()), self.term(a)?, self.term(b)?)
            }
            ExprKind::Cast(a) => match a.ty.as_int() {
                Some(_) if kind == IntKind::Bool => as_value(self.truth(a)?),
                Some(from) => {
                    let value = self.term(a)?;
                    let old = self.width(from);
                    if width > old {
                        extended(&value, old, width, from.is_signed())
                    } else {
                        resized(&value, old, width)
                    }
                }
                // A float, or an address: any value.
                None => self.constant(&sort(width)),
            },
            ExprKind::Conditional(c, a, b) => {
                format!("(ite {} {} {})", self.truth(c)?, self.term(a)?, self.term(b)?)
            }
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => self.constant(&sort(width)),
        })
    }

    fn load(&mut self, l: &Lvalue) -> Result<String, String> {
        let place = place(l).ok_or("a pointer remains")?;
        if indices(l).is_empty() {
            return Ok(self.scalar(&place));
        }
        if let Some(value) = self.reads.get(&std::ptr::from_ref(l)) {
            return Ok(value.clone());
        }
        let outer = std::mem::take(&mut self.about);
        let index = self.index(l, &place)?;
        let array = self.array(&place);
        let value = self.constant(&sort(self.width(self.kind_of(&place))));
        if let Some(first) = self.first.get(&place) {
            let cell = format!("(select {first} {index})");
            self.out.cells.push((place.variable, index.clone(), cell));
        }
        // The abstraction evaluates the index wherever it evaluates the read: the scalars of the
        // index count for both.
        let inside = self.about.clone();
        let read = Read { array: place, index: index.clone() };
        self.fact('r', format!("(= {value} (select {array} {index}))"), false, Some(read));
        self.about = outer;
        self.about.extend(inside);
        self.reads.insert(std::ptr::from_ref(l), value.clone());
        Ok(value)
    }
}
