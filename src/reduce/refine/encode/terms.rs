//! Expressions as terms: values are bit-vectors of the widths of their types. What is not modelled
//! is any value.

use super::words::{applied, number, signedness};
use super::{Encoder, FactKind, Read};
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, UnaryOp};
use crate::reduce::refine::{AccessPath, indices, place};
use crate::smt::{BitOp, Sort, Term};

impl<'s> Encoder<'s> {
    /// The number of a cell, row by row, in 64 bits.
    pub(super) fn index(&mut self, l: &'s Lvalue, place: &AccessPath) -> Result<Term, String> {
        let lengths = self.subject.arrays.get(place).map_or(&[][..], Vec::as_slice);
        let mut number: Option<Term> = None;
        for (n, e) in indices(l).into_iter().enumerate() {
            let digit = self.wide(e)?;
            number = Some(match number {
                None => digit,
                Some(rows) => {
                    let length = self.length(lengths.get(n).copied().unwrap_or(Length::Unknown));
                    let length = length.ok_or("the length of a row is unknown")?;
                    rows.bit_op(BitOp::Mul, length).bit_op(BitOp::Add, digit)
                }
            });
        }
        number.ok_or_else(|| "an access has no index".to_owned())
    }

    /// An integer in 64 bits.
    pub(super) fn wide(&mut self, e: &'s Expr) -> Result<Term, String> {
        let kind = e.ty.as_int().ok_or("an index is not an integer")?;
        Ok(self.term(e)?.extended(64, signedness(kind)))
    }

    pub(super) fn length(&mut self, length: Length) -> Option<Term> {
        match length {
            Length::Constant(n) => Some(number(i128::from(n), 64)),
            Length::Variable(v) => {
                let place = AccessPath { variable: v, path: Vec::new() };
                let kind = self.kind_of(&place);
                Some(self.scalar(&place).extended(64, signedness(kind)))
            }
            Length::Unknown => None,
        }
    }

    /// Whether an expression is not 0.
    pub(super) fn truth(&mut self, e: &'s Expr) -> Result<Term, String> {
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.truth(a)?.negated(),
            ExprKind::And(a, b) => Term::and([self.truth(a)?, self.truth(b)?]),
            ExprKind::Or(a, b) => Term::or([self.truth(a)?, self.truth(b)?]),
            ExprKind::Binary(op, a, b) if op.is_comparison() => match a.ty.as_int() {
                Some(kind) => self.operation(*op, kind, a, b)?,
                // Floats and pointers are not modelled: either outcome is possible.
                None => self.constant(Sort::Bool),
            },
            _ => match e.ty.as_int() {
                Some(kind) => self.term(e)?.equals(number(0, self.width(kind))).negated(),
                None => self.constant(Sort::Bool),
            },
        })
    }

    /// An operation whose operands are of this type.
    fn operation(&mut self, op: BinaryOp, kind: IntKind, a: &'s Expr, b: &'s Expr) -> Result<Term, String> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        applied(op, kind, a, b).ok_or_else(|| "pointers are subtracted".to_owned())
    }

    /// The value of an expression of an integer type.
    pub(super) fn term(&mut self, e: &'s Expr) -> Result<Term, String> {
        let kind = e.ty.as_int().ok_or("a value is not an integer")?;
        let width = self.width(kind);
        let as_value = |truth: Term| truth.choose(number(1, width), number(0, width));
        Ok(match &e.kind {
            ExprKind::Int(n) => number(*n, width),
            ExprKind::Load(l) => self.load(l)?,
            ExprKind::Unary(UnaryOp::Negate, a) => self.term(a)?.bit_negate(),
            ExprKind::Unary(UnaryOp::BitNot, a) => self.term(a)?.bit_not(),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => as_value(self.truth(e)?),
            ExprKind::Binary(op, ..) if op.is_comparison() => as_value(self.truth(e)?),
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), a, b) => {
                let (left, amount) = (self.term(a)?, self.wide(b)?.resized(width));
                applied(*op, kind, left, amount).ok_or("a shift has no operands")?
            }
            ExprKind::Binary(BinaryOp::PointerDiff | BinaryOp::PointerAdd, ..) => {
                return Err("pointers are subtracted".to_owned());
            }
            ExprKind::Binary(op, a, b) => self.operation(*op, kind, a, b)?,
            ExprKind::Cast(a) => match a.ty.as_int() {
                Some(_) if kind == IntKind::Bool => as_value(self.truth(a)?),
                Some(from) => {
                    let value = self.term(a)?;
                    if width > self.width(from) {
                        value.extended(width, signedness(from))
                    } else {
                        value.resized(width)
                    }
                }
                // A float, or an address: any value.
                None => self.constant(Sort::Bits(width)),
            },
            ExprKind::Conditional(c, a, b) => self.truth(c)?.choose(self.term(a)?, self.term(b)?),
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => {
                self.constant(Sort::Bits(width))
            }
        })
    }

    fn load(&mut self, l: &'s Lvalue) -> Result<Term, String> {
        let place = place(l).ok_or("a pointer remains")?;
        if indices(l).is_empty() {
            return Ok(self.scalar(&place));
        }
        if let Some(value) = self.reads.get(l) {
            return Ok(value.clone());
        }
        let outer = std::mem::take(&mut self.about);
        let index = self.index(l, &place)?;
        let array = self.array(&place);
        let value = self.constant(Sort::Bits(self.width(self.kind_of(&place))));
        if let Some(first) = self.first.get(&place) {
            let cell = first.clone().select(index.clone());
            self.out.cells.push((place.variable, index.clone(), cell));
        }
        // The abstraction evaluates the index wherever it evaluates the read: the scalars of the
        // index count for both.
        let inside = self.about.clone();
        let term = value.clone().equals(array.select(index.clone()));
        self.fact(FactKind::Read(Read { array: place, index }), term);
        self.about = outer;
        self.about.extend(inside);
        self.reads.insert(l, value.clone());
        Ok(value)
    }
}
