//! Writes conditions under which an operation is defined, as C that is itself defined. Used where
//! checks are written as code.

use super::Printer;
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, LengthOperand, UnaryOp};

impl Printer<'_> {
    /// The condition under which a shift is defined; `None` if the operation is not a shift.
    pub fn shift_is_defined(&self, operation: &Expr) -> Option<String> {
        let ExprKind::Binary(op, a, amount) = &operation.kind else { return None };
        let kind = operation.ty.as_int()?;
        let (left, n) = (self.operand(a), self.operand(amount));
        // `_Bool` is promoted before it is shifted.
        let width = kind.width(self.program().data_model).max(8);
        let amount_kind = amount.ty.as_int()?;
        let mut text = format!("{n} < {width}");
        if amount_kind.is_signed() {
            text = format!("{n} >= 0 && {text}");
        }
        if *op == BinaryOp::ShiftLeft && kind.is_signed() {
            let (_, greatest) = self.range(kind);
            text = format!("{text} && {left} >= 0 && {left} <= ({greatest} >> {n})");
        }
        Some(text)
    }

    /// The condition under which a signed operation stays in the range of its type; `None` if it is
    /// none that can leave it. `fits` writes that `+`, `-` or `*` of two operands fits into a type
    /// that is at least as wide as `int`: plain C cannot say it.
    pub fn no_overflow(
        &self,
        operation: &Expr,
        fits: impl FnOnce(BinaryOp, &Expr, &Expr, IntKind) -> String,
    ) -> Option<String> {
        let kind = operation.ty.as_int()?;
        let (least, greatest) = self.range(kind);
        match &operation.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Some(format!("{} != {least}", self.operand(a))),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                Some(format!("{} != -1 || {} != {least}", self.operand(b), self.operand(a)))
            }
            ExprKind::Binary(op, a, b) => {
                let symbol = match op {
                    BinaryOp::Add => '+',
                    BinaryOp::Sub => '-',
                    BinaryOp::Mul => '*',
                    _ => return None,
                };
                if kind.width(self.program().data_model) >= 32 {
                    return Some(fits(*op, a, b, kind));
                }
                // C computes this in `int`, where it cannot overflow.
                let exact = format!("(int){} {symbol} (int){}", self.operand(a), self.operand(b));
                Some(format!("{exact} >= {least} && {exact} <= {greatest}"))
            }
            _ => None,
        }
    }

    /// The condition that a length is at least `least`.
    pub fn is_long_enough(&self, length: LengthOperand<'_>, least: i128) -> String {
        let text = match length {
            LengthOperand::Variable(v) => self.variable(v).to_owned(),
            LengthOperand::Count(count) => self.operand(count),
        };
        format!("{text} >= {least}")
    }

    /// The least and the greatest value of a type, as C constants of that type (of `int`, for the
    /// narrower ones).
    pub fn range(&self, kind: IntKind) -> (String, String) {
        let model = self.program().data_model;
        let (min, max) = (kind.min(model), kind.max(model));
        let suffix = match kind {
            IntKind::Long => "l",
            IntKind::LongLong => "ll",
            IntKind::UInt => "u",
            IntKind::ULong => "ul",
            IntKind::ULongLong => "ull",
            _ => "",
        };
        let least = if min < 0 { format!("(-{max}{suffix} - 1)") } else { format!("{min}{suffix}") };
        (least, format!("{max}{suffix}"))
    }
}
