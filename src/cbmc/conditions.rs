//! Writes the conditions of defined behaviour as C that CBMC evaluates exactly.

use super::{lifetimes, written};
use crate::program::print::Printer;
use crate::program::{
    BinaryOp, Blocks, Called, Check, CheckCondition, Expr, ExprKind, FunctionId, IntKind, Length, LengthOperand, Type,
};

/// A check as one C condition, including its guards. Every part is defined if the earlier checks
/// hold. `None` if no condition can be written: for an array of unknown length, and for pointer
/// arithmetic, which the access through the pointer checks instead.
pub(super) fn condition(printer: &Printer<'_>, check: &Check<'_>) -> Option<String> {
    let needed = needed(printer, &check.condition)?;
    Some(match printer.guards(check) {
        Some(guards) => format!("!({guards}) || ({needed})"),
        None => needed,
    })
}

fn needed(printer: &Printer<'_>, condition: &CheckCondition<'_>) -> Option<String> {
    match *condition {
        CheckCondition::Index { index, length: length_of } => {
            let i = printer.operand(index);
            let length = match length_of {
                Length::Constant(n) => format!("{n}ull"),
                Length::Variable(v) => printer.variable(v).to_owned(),
                Length::Unknown => return None,
            };
            let is_signed = |ty: &Type| ty.as_int().is_some_and(IntKind::is_signed);
            if let Length::Variable(v) = length_of
                && is_signed(&index.ty)
                && is_signed(&printer.program().variable(v).ty)
            {
                // Signed, like the comparisons of programs. The unsigned form is equivalent, but a
                // solver may take long to find that out.
                return Some(format!("{i} >= 0 && {i} < {length}"));
            }
            // Neither is negative when they are compared.
            Some(format!("{i} >= 0 && (unsigned long long){i} < (unsigned long long){length}"))
        }
        CheckCondition::Dereference { pointer } => {
            let size = match pointer.ty.pointee()? {
                Type::Void | Type::Function => "1".to_owned(),
                ty => format!("sizeof({})", printer.type_name(ty)),
            };
            let p = printer.operand(pointer);
            // The second half follows from the first, but CBMC 5 does not use the first one of an
            // assumption.
            Some(format!(
                "__CPROVER_r_ok({p}, {size}) && __CPROVER_POINTER_OFFSET({p}) + {size} <= __CPROVER_OBJECT_SIZE({p})"
            ))
        }
        CheckCondition::Alive { .. } | CheckCondition::Freeable { .. } => lifetimes::needed(printer, condition),
        CheckCondition::Written { lvalue } => Some(written::needed(printer, lvalue)),
        CheckCondition::Callable { called } => Some(is_callable(printer, called)),
        CheckCondition::PointerArithmetic { .. } => None,
        CheckCondition::NoOverflow { operation } => no_overflow(printer, operation),
        CheckCondition::NonZero { divisor } => Some(format!("{} != 0", printer.operand(divisor))),
        CheckCondition::Shift { operation } => printer.shift_is_defined(operation),
        CheckCondition::Room { pointer, blocks } => {
            let (p, bytes) = (printer.operand(pointer), bytes(printer, blocks));
            Some(format!(
                "{bytes} <= 0 || (__CPROVER_r_ok({p}, {bytes}) && \
                 (long long)__CPROVER_POINTER_OFFSET({p}) + {bytes} <= (long long)__CPROVER_OBJECT_SIZE({p}))"
            ))
        }
        CheckCondition::Apart { to, from, blocks } => {
            let (p, q, bytes) = (printer.operand(to), printer.operand(from), bytes(printer, blocks));
            let before = |p: &str, q: &str| {
                format!(
                    "(long long)__CPROVER_POINTER_OFFSET({p}) + {bytes} <= (long long)__CPROVER_POINTER_OFFSET({q})"
                )
            };
            let (first, second) = (before(&p, &q), before(&q, &p));
            Some(format!("{bytes} <= 0 || !__CPROVER_same_object({p}, {q}) || {first} || {second}"))
        }
        CheckCondition::ArrayLength { length, least } => Some(printer.is_long_enough(length, least)),
    }
}

/// That the pointer points to one of the functions that may be called so.
fn is_callable(printer: &Printer<'_>, called: &Called) -> String {
    let is = |f: &FunctionId| {
        let here = Expr::new(ExprKind::FunctionAddress(*f), called.pointer.ty.clone(), called.pointer.location);
        printer.operand(&Expr::binary(BinaryOp::Equal, called.pointer.clone(), here, Type::INT))
    };
    let any: Vec<String> = called.functions.iter().map(is).collect();
    if any.is_empty() { "0".to_owned() } else { any.join(" || ") }
}

/// The size of each block in bytes, as a signed number.
fn bytes(printer: &Printer<'_>, blocks: &Blocks) -> String {
    format!("((long long){} * {}ll)", printer.operand(&blocks.count), blocks.unit)
}

/// Whether a check holds in every program. Such checks are left out, because they are many and each
/// costs CBMC a little.
pub(super) fn always_holds(printer: &Printer<'_>, check: &Check<'_>) -> bool {
    let model = printer.program().data_model;
    let within = |index: &Expr, length: i128| constant(index).is_some_and(|n| (0..length).contains(&n));
    match check.condition {
        CheckCondition::Index { index, length: Length::Constant(n) } => within(index, i128::from(n)),
        CheckCondition::NonZero { divisor } => constant(divisor).is_some_and(|n| n != 0),
        CheckCondition::NoOverflow { operation } => match &operation.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => constant(b).is_some_and(|n| n != -1),
            _ => false,
        },
        CheckCondition::Shift { operation } => match (&operation.kind, operation.ty.as_int()) {
            (ExprKind::Binary(op, _, b), Some(kind)) => {
                (*op == BinaryOp::ShiftRight || !kind.is_signed()) && within(b, i128::from(kind.width(model)))
            }
            _ => false,
        },
        CheckCondition::ArrayLength { length: LengthOperand::Count(count), least } => {
            constant(count).is_some_and(|n| n >= least)
        }
        _ => false,
    }
}

/// The value of a constant, possibly with conversions that keep it.
fn constant(expr: &Expr) -> Option<i128> {
    match (&expr.kind, &expr.ty) {
        (ExprKind::Int(n), _) => Some(*n),
        // 31 bits fit into every type of at least 32 bits.
        (ExprKind::Cast(a), Type::Int(kind)) if !narrow(*kind) => constant(a).filter(|n| (0..1 << 31).contains(n)),
        _ => None,
    }
}

fn narrow(kind: IntKind) -> bool {
    use IntKind::{Bool, Char, SChar, Short, UChar, UShort};
    matches!(kind, Bool | Char | SChar | UChar | Short | UShort)
}

fn no_overflow(printer: &Printer<'_>, operation: &Expr) -> Option<String> {
    printer.no_overflow(operation, |op, a, b, _| {
        let name = match op {
            BinaryOp::Add => "plus",
            BinaryOp::Sub => "minus",
            _ => "mult",
        };
        format!("!__CPROVER_overflow_{name}({}, {})", printer.operand(a), printer.operand(b))
    })
}
