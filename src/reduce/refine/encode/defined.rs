//! The conditions for a step to be defined: a run counts up to its first undefined behaviour.

use super::Encoder;
use super::words::{extended, number, operator, resized};
use crate::program::{
    BinaryOp, CheckCondition, Expr, ExprKind, Length, LengthOperand, Step, Stmt, StmtKind, UnaryOp, checks_of,
};
use crate::reduce::refine::place;
use std::fmt::Write as _;

impl Encoder<'_> {
    /// Adds the conditions for a step to be defined.
    pub(super) fn defined(&mut self, s: &Stmt) -> Result<(), String> {
        for check in checks_of(&self.subject.program, s) {
            let condition = match check.condition {
                CheckCondition::Index { index, length } => {
                    let index = self.wide(index)?;
                    let low = format!("(bvsge {index} {})", number(0, 64));
                    match self.length(length) {
                        Some(length) => format!("(and {low} (bvslt {index} {length}))"),
                        None => low,
                    }
                }
                CheckCondition::NoOverflow { operation } => match self.in_range(operation)? {
                    Some(condition) => condition,
                    None => continue,
                },
                CheckCondition::NonZero { divisor } => {
                    let Some(kind) = divisor.ty.as_int() else { continue };
                    format!("(not (= {} {}))", self.term(divisor)?, number(0, self.width(kind)))
                }
                CheckCondition::Shift { operation } => self.shift_is_defined(operation)?,
                CheckCondition::ArrayLength { length: LengthOperand::Variable(v), least } => {
                    let Some(length) = self.length(Length::Variable(v)) else { continue };
                    format!("(bvsge {length} {})", number(least, 64))
                }
                CheckCondition::Room { .. }
                | CheckCondition::Apart { .. }
                | CheckCondition::ArrayLength { .. }
                | CheckCondition::Dereference { .. }
                | CheckCondition::PointerArithmetic { .. } => return Err("a pointer remains".to_owned()),
            };
            let mut all = condition;
            for guard in check.guards.iter().rev() {
                let truth = self.truth(guard.condition)?;
                let truth = if guard.holds { truth } else { format!("(not {truth})") };
                all = format!("(=> {truth} {all})");
            }
            // The statement with this condition is the one that writes this target.
            if let StmtKind::Assign(l, _) = &s.kind
                && let Some(target) = place(l).filter(|p| !p.path.iter().any(Step::is_index))
            {
                self.about.insert(target);
            }
            self.fact('d', all, true, None);
        }
        Ok(())
    }

    /// Whether a signed operation stays in range. `None` where it always does.
    fn in_range(&mut self, e: &Expr) -> Result<Option<String>, String> {
        let Some(kind) = e.ty.as_int() else { return Ok(None) };
        let width = self.width(kind);
        let least = number(kind.min(self.model), width);
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Some(format!("(not (= {} {least}))", self.term(a)?)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let more = if *op == BinaryOp::Mul { width * 2 } else { width + 1 };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (a, b) = (extended(&a, width, more, true), extended(&b, width, more, true));
                let result = format!("({} {a} {b})", operator(*op, true));
                let kept = format!("((_ extract {} 0) {result})", width - 1);
                Some(format!("(= {result} {})", extended(&kept, width, more, true)))
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Some(format!("(not (and (= {a} {least}) (= {b} {})))", number(-1, width)))
            }
            _ => None,
        })
    }

    fn shift_is_defined(&mut self, e: &Expr) -> Result<String, String> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return Err("a shift has no operands".to_owned()) };
        let (Some(kind), Some(by)) = (a.ty.as_int(), b.ty.as_int()) else {
            return Err("a shift is not an integer".to_owned());
        };
        let (width, wide) = (self.width(kind), self.wide(b)?);
        // A large unsigned amount is negative in 64 bits, or more than the width.
        let mut all =
            format!("(and (bvsge {wide} {}) (bvslt {wide} {}))", number(0, 64), number(i128::from(width), 64));
        let _ = by;
        if *op == BinaryOp::ShiftLeft && kind.is_signed() {
            let left = self.term(a)?;
            let amount = resized(&wide, 64, width);
            let result = format!("(bvshl {left} {amount})");
            let zero = number(0, width);
            // Nothing is lost, and the sign stays.
            let _ = write!(all, " (bvsge {left} {zero}) (= (bvashr {result} {amount}) {left}) (bvsge {result} {zero})");
            all = format!("(and {all})");
        }
        Ok(all)
    }
}
