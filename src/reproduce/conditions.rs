//! Conditions of defined behaviour, as C that a compiler evaluates exactly.

use crate::program::print::Printer;
use crate::program::{BinaryOp, Check, CheckCondition, Expr, Length};

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
            | CheckCondition::Alive { .. }
            | CheckCondition::Callable { .. }
            | CheckCondition::Written { .. }
            | CheckCondition::Freeable { .. }
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
        CheckCondition::ArrayLength { length, least } => Some(printer.is_long_enough(length, least)),
        CheckCondition::Dereference { .. }
        | CheckCondition::PointerArithmetic { .. }
        | CheckCondition::Room { .. }
        | CheckCondition::Apart { .. }
        | CheckCondition::Alive { .. }
        | CheckCondition::Callable { .. }
        | CheckCondition::Written { .. }
        | CheckCondition::Freeable { .. } => None,
    }
}

fn no_overflow(printer: &Printer<'_>, operation: &Expr) -> Option<String> {
    printer.no_overflow(operation, |op, a, b, kind| {
        let name = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            _ => "mul",
        };
        let (left, right) = (printer.expr(a), printer.expr(b));
        format!("!__builtin_{name}_overflow({left}, {right}, &({}){{0}})", kind.c_name())
    })
}
