//! Conditions of defined behaviour, as C that a compiler evaluates exactly.

use crate::program::print::Printer;
use crate::program::{BinaryOp, Check, CheckCondition, Expr, ExprKind, Length, LengthOperand, UnaryOp};

/// The condition under which a check fails, if C can express it. Its parts are defined if the
/// earlier checks hold. C cannot test whether a pointer points into an object.
pub(super) fn failure(printer: &Printer<'_>, check: &Check<'_>) -> Option<String> {
    let needed = needed(printer, &check.condition)?;
    Some(match printer.guards(check) {
        Some(guards) => format!("{guards} && !({needed})"),
        None => format!("!({needed})"),
    })
}

/// Whether C can express the condition.
pub(super) fn can_be_said(condition: &CheckCondition<'_>) -> bool {
    !matches!(
        condition,
        CheckCondition::Dereference { .. }
            | CheckCondition::PointerArithmetic { .. }
            | CheckCondition::Room { .. }
            | CheckCondition::Apart { .. }
            | CheckCondition::Index { length: Length::Unknown, .. }
    )
}

fn needed(printer: &Printer<'_>, condition: &CheckCondition<'_>) -> Option<String> {
    match *condition {
        CheckCondition::Index { index, length } => {
            let i = printer.operand(index);
            match length {
                Length::Constant(n) if n <= 1 << 31 => Some(format!("{i} >= 0 && {i} < {n}")),
                Length::Constant(n) => Some(format!("{i} >= 0 && (unsigned long long){i} < {n}ull")),
                Length::Variable(v) => {
                    let n = printer.variable(v);
                    Some(format!("{i} >= 0 && (unsigned long long){i} < (unsigned long long){n}"))
                }
                Length::Unknown => None,
            }
        }
        CheckCondition::NoOverflow { operation } => no_overflow(printer, operation),
        CheckCondition::NonZero { divisor } => Some(format!("{} != 0", printer.operand(divisor))),
        CheckCondition::Shift { operation } => printer.shift_is_defined(operation),
        CheckCondition::ArrayLength { length, least } => {
            let text = match length {
                LengthOperand::Variable(v) => printer.variable(v).to_owned(),
                LengthOperand::Count(count) => printer.operand(count),
            };
            Some(format!("{text} >= {least}"))
        }
        CheckCondition::Dereference { .. }
        | CheckCondition::PointerArithmetic { .. }
        | CheckCondition::Room { .. }
        | CheckCondition::Apart { .. } => None,
    }
}

fn no_overflow(printer: &Printer<'_>, operation: &Expr) -> Option<String> {
    let kind = operation.ty.as_int()?;
    let (least, greatest) = printer.range(kind);
    match &operation.kind {
        ExprKind::Unary(UnaryOp::Negate, a) => Some(format!("{} != {least}", printer.operand(a))),
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
            Some(format!("({} != -1 || {} != {least})", printer.operand(b), printer.operand(a)))
        }
        ExprKind::Binary(op, a, b) => {
            let (name, symbol) = match op {
                BinaryOp::Add => ("add", '+'),
                BinaryOp::Sub => ("sub", '-'),
                BinaryOp::Mul => ("mul", '*'),
                _ => return None,
            };
            if kind.width(printer.program().data_model) < 32 {
                // C computes this in `int`, where it cannot overflow.
                let exact = format!("(int){} {symbol} (int){}", printer.operand(a), printer.operand(b));
                return Some(format!("{exact} >= {least} && {exact} <= {greatest}"));
            }
            let (left, right) = (printer.expr(a), printer.expr(b));
            Some(format!("!__builtin_{name}_overflow({left}, {right}, &({}){{0}})", kind.c_name()))
        }
        _ => None,
    }
}
