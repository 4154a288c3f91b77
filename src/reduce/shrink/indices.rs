//! Writes indices that contain a counter so that a model checker sees which places differ.

use super::super::normal::Counted;
use super::super::terms;
use super::form::WIDE;
use crate::program::{BinaryOp, Expr, ExprKind, Lvalue, Program, Step, Use, VisitMut};

/// Whether the counter's type holds the values that the loop counts to, so that no conversion
/// changes them.
pub(super) fn fits(program: &Program, l: &Counted) -> bool {
    let model = program.data_model;
    let Some(kind) = program.variable(l.counter).ty.as_int().filter(|k| k.is_signed()) else { return false };
    let holds = |e: &Expr| match (e.as_int(), e.ty.as_int()) {
        (Some(n), _) => kind.contains(n, model),
        (None, Some(from)) => kind.holds(from, model),
        (None, None) => false,
    };
    holds(&l.first) && holds(&l.bound)
}

/// Computes indices that contain a counter in 64 bits. If the program's arithmetic has no overflow,
/// the value is the same. A model checker then sees at once that places at different positions
/// differ.
pub(super) struct Indices<'a> {
    pub(super) program: &'a Program,
    /// The counter where the program reads it: a conversion.
    pub(super) counter: &'a Expr,
    /// What is converted.
    pub(super) wide: &'a Expr,
}

impl Indices<'_> {
    fn widened(&self, e: &Expr) -> Option<Expr> {
        if terms::same(e, self.counter) {
            return Some(self.wide.clone());
        }
        let model = self.program.data_model;
        let kind = e.ty.as_int().filter(|k| k.is_signed())?;
        match &e.kind {
            ExprKind::Cast(a) => {
                let from = a.ty.as_int().filter(|k| k.is_signed())?;
                (from.width(model) <= kind.width(model)).then(|| self.widened(a)).flatten()
            }
            // With narrow operands, the sum or difference fits.
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if kind.width(model) <= 32 => {
                let (a, b) = match (self.widened(a), self.widened(b)) {
                    (None, None) => return None,
                    (x, y) => {
                        (x.unwrap_or_else(|| (**a).clone().cast(WIDE)), y.unwrap_or_else(|| (**b).clone().cast(WIDE)))
                    }
                };
                Some(Expr::new(ExprKind::Binary(*op, Box::new(a), Box::new(b)), WIDE, e.location))
            }
            _ => None,
        }
    }
}

impl VisitMut for Indices<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        for step in &mut l.path {
            if let Step::Index(e) = step
                && let Some(wide) = self.widened(e)
            {
                *e = wide;
            }
        }
    }
}
