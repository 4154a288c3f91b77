//! The conditions for a step to be defined: a run counts up to its first undefined behaviour.

use super::words::{applied, number, signedness};
use super::{Encoder, FactKind};
use crate::program::{
    BinaryOp, CheckCondition, Expr, ExprKind, Length, LengthOperand, Step, Stmt, StmtKind, UnaryOp, checks_of,
};
use crate::reduce::refine::place;
use crate::smt::{BitOp, Order, Signedness, Term};

/// `number <= term`, both of 64 bits and signed.
fn at_least(term: Term, least: i128) -> Term {
    term.bit_order(Order::GreaterEqual, Signedness::Signed, number(least, 64))
}

impl<'s> Encoder<'s> {
    /// Adds the conditions for a step to be defined.
    pub(super) fn defined(&mut self, s: &'s Stmt) -> Result<(), String> {
        for check in checks_of(&self.subject.program, s) {
            let Some(condition) = self.condition(check.condition)? else { continue };
            let mut all = condition;
            for guard in check.guards.iter().rev() {
                let truth = self.truth(guard.condition)?;
                let truth = if guard.holds { truth } else { truth.negated() };
                all = truth.implies(all);
            }
            // The statement with this condition is the one that writes this target.
            if let StmtKind::Assign(l, _) = &s.kind
                && let Some(target) = place(l).filter(|p| !p.path.iter().any(Step::is_index))
            {
                self.about.insert(target);
            }
            self.fact(FactKind::Definedness, all);
        }
        Ok(())
    }

    /// What must hold. `None` where it always does, or where it cannot be expressed.
    fn condition(&mut self, condition: CheckCondition<'s>) -> Result<Option<Term>, String> {
        Ok(match condition {
            CheckCondition::Index { index, length } => {
                let index = self.wide(index)?;
                let low = at_least(index.clone(), 0);
                Some(match self.length(length) {
                    Some(length) => Term::and([low, index.bit_order(Order::Less, Signedness::Signed, length)]),
                    None => low,
                })
            }
            CheckCondition::NoOverflow { operation } => self.in_range(operation)?,
            CheckCondition::NonZero { divisor } => match divisor.ty.as_int() {
                Some(kind) => Some(self.term(divisor)?.equals(number(0, self.width(kind))).negated()),
                None => None,
            },
            CheckCondition::Shift { operation } => Some(self.shift_is_defined(operation)?),
            CheckCondition::ArrayLength { length: LengthOperand::Variable(v), least } => {
                self.length(Length::Variable(v)).map(|length| at_least(length, least))
            }
            CheckCondition::Room { .. }
            | CheckCondition::Apart { .. }
            | CheckCondition::ArrayLength { .. }
            | CheckCondition::Dereference { .. }
            | CheckCondition::Alive { .. }
            | CheckCondition::Written { .. }
            | CheckCondition::Freeable { .. }
            | CheckCondition::Callable { .. }
            | CheckCondition::PointerArithmetic { .. } => return Err("a pointer remains".to_owned()),
        })
    }

    /// Whether a signed operation stays in range. `None` where it always does.
    fn in_range(&mut self, e: &'s Expr) -> Result<Option<Term>, String> {
        let Some(kind) = e.ty.as_int() else { return Ok(None) };
        let width = self.width(kind);
        let least = number(kind.min(self.model), width);
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Some(self.term(a)?.equals(least).negated()),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let more = if *op == BinaryOp::Mul { width * 2 } else { width + 1 };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (a, b) = (a.extended(more, Signedness::Signed), b.extended(more, Signedness::Signed));
                applied(*op, kind, a, b).map(|result| {
                    let kept = result.clone().low_bits(width);
                    result.equals(kept.extended(more, Signedness::Signed))
                })
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Some(Term::and([a.equals(least), b.equals(number(-1, width))]).negated())
            }
            _ => None,
        })
    }

    fn shift_is_defined(&mut self, e: &'s Expr) -> Result<Term, String> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return Err("a shift has no operands".to_owned()) };
        let Some(kind) = a.ty.as_int() else { return Err("a shift is not an integer".to_owned()) };
        let (width, wide) = (self.width(kind), self.wide(b)?);
        // A large unsigned amount is negative in 64 bits, or more than the width.
        let most = number(i128::from(width), 64);
        let amount_fits =
            Term::and([at_least(wide.clone(), 0), wide.clone().bit_order(Order::Less, Signedness::Signed, most)]);
        if *op != BinaryOp::ShiftLeft || !kind.is_signed() {
            return Ok(amount_fits);
        }
        let left = self.term(a)?;
        let amount = wide.resized(width);
        let result = left.clone().bit_op(BitOp::ShiftLeft, amount.clone());
        let is_natural = |term: &Term| term.clone().bit_order(Order::GreaterEqual, signedness(kind), number(0, width));
        // Nothing is lost, and the sign stays.
        let back = result.clone().bit_op(BitOp::ShiftRightSigned, amount);
        Ok(Term::and([amount_fits, is_natural(&left), back.equals(left), is_natural(&result)]))
    }
}
