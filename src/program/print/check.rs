//! The conditions of checks, for readers.

use super::expressions::Writer;
use crate::program::{
    BinaryOp, Blocks, Check, CheckCondition, Expr, ExprKind, IntKind, Length, LengthOperand, Program, Type,
};

const COMPARED: u8 = 10;
const ADDED: u8 = 12;

pub(super) fn describe(program: &Program, check: &Check<'_>) -> String {
    let writer = Writer { program, exact: None };
    match &check.condition {
        CheckCondition::Index { index, length } => {
            let index = writer.at(index, COMPARED);
            match length {
                Length::Constant(n) => format!("0 <= {index} && {index} < {n}"),
                Length::Variable(v) => format!("0 <= {index} && {index} < {}", name(program, *v)),
                Length::Unknown => format!("0 <= {index}"),
            }
        }
        CheckCondition::Dereference { pointer } => format!("{} is valid", dereferenced(&writer, pointer)),
        CheckCondition::Alive { pointer } => {
            format!("{} points to a live object", writer.at(pointer.before_moves(), COMPARED))
        }
        CheckCondition::Written { lvalue } => format!("{} is initialised", writer.lvalue(lvalue)),
        CheckCondition::Freeable { pointer } => {
            format!("{} is null or a live heap block", writer.at(pointer, COMPARED))
        }
        CheckCondition::Callable { called } => {
            format!("{} points to a function of its type", called.text)
        }
        CheckCondition::PointerArithmetic { sum } => format!("{} stays inside its object", writer.expr(sum)),
        CheckCondition::NoOverflow { operation } => no_overflow(program, &writer, operation),
        CheckCondition::NonZero { divisor } => format!("{} != 0", writer.at(divisor, COMPARED)),
        CheckCondition::Shift { operation } => shift(program, &writer, operation),
        CheckCondition::Room { pointer, blocks } => {
            format!("{} lie in the object of {}", bytes(&writer, blocks), writer.expr(pointer))
        }
        CheckCondition::Apart { to, from, blocks } => {
            let (to, from) = (writer.expr(to), writer.expr(from));
            format!("{} from {to} on and from {from} on do not overlap", bytes(&writer, blocks))
        }
        CheckCondition::ArrayLength { length, least } => {
            let text = match length {
                LengthOperand::Variable(v) => name(program, *v),
                LengthOperand::Count(count) => writer.at(count, COMPARED),
            };
            format!("{text} >= {least}")
        }
    }
}

/// How many bytes each block has.
fn bytes(writer: &Writer<'_>, blocks: &Blocks) -> String {
    match (blocks.count.as_int(), blocks.unit) {
        (Some(n), unit) => format!("{} bytes", n.saturating_mul(unit.into())),
        (None, 1) => format!("{} bytes", writer.at(&blocks.count, 13)),
        (None, unit) => format!("{} * {unit} bytes", writer.at(&blocks.count, 13)),
    }
}

fn name(program: &Program, v: crate::program::VarId) -> String {
    program.variable(v).name.clone()
}

fn dereferenced(writer: &Writer<'_>, pointer: &Expr) -> String {
    match &pointer.kind {
        ExprKind::Binary(BinaryOp::PointerAdd, p, i) => {
            let p = writer.at(p, 14);
            format!("{p}[{}]", writer.expr(i))
        }
        _ => format!("*{}", writer.operand(pointer)),
    }
}

/// The least and the greatest value of a type, by the names that `<limits.h>` gives them.
fn limits(kind: IntKind) -> (&'static str, &'static str) {
    match kind {
        IntKind::Bool => ("0", "1"),
        IntKind::Char => ("CHAR_MIN", "CHAR_MAX"),
        IntKind::SChar => ("SCHAR_MIN", "SCHAR_MAX"),
        IntKind::UChar => ("0", "UCHAR_MAX"),
        IntKind::Short => ("SHRT_MIN", "SHRT_MAX"),
        IntKind::UShort => ("0", "USHRT_MAX"),
        IntKind::Int => ("INT_MIN", "INT_MAX"),
        IntKind::UInt => ("0", "UINT_MAX"),
        IntKind::Long => ("LONG_MIN", "LONG_MAX"),
        IntKind::ULong => ("0", "ULONG_MAX"),
        IntKind::LongLong => ("LLONG_MIN", "LLONG_MAX"),
        IntKind::ULongLong => ("0", "ULLONG_MAX"),
    }
}

fn no_overflow(program: &Program, writer: &Writer<'_>, operation: &Expr) -> String {
    let text = writer.at(operation, COMPARED);
    let Type::Int(kind) = operation.ty else { return text };
    let (min, max) = limits(kind);
    match &operation.kind {
        ExprKind::Unary(..) => format!("{text} <= {max}"),
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => match b.as_int() {
            Some(-1) => format!("{} != {min}", writer.at(a, COMPARED)),
            Some(_) => format!("{text} <= {max}"),
            None => format!("!({} == {min} && {} == -1)", writer.at(a, COMPARED), writer.at(b, COMPARED)),
        },
        // One side cannot be passed where a constant moves the value the other way.
        ExprKind::Binary(BinaryOp::Add, _, b) => match constant(program, b) {
            Some(n) if n >= 0 => format!("{text} <= {max}"),
            Some(_) => format!("{min} <= {text}"),
            None => format!("{min} <= {text} && {text} <= {max}"),
        },
        ExprKind::Binary(BinaryOp::Sub, _, b) => match constant(program, b) {
            Some(n) if n >= 0 => format!("{min} <= {text}"),
            Some(_) => format!("{text} <= {max}"),
            None => format!("{min} <= {text} && {text} <= {max}"),
        },
        _ => format!("{min} <= {text} && {text} <= {max}"),
    }
}

fn constant(program: &Program, e: &Expr) -> Option<i128> {
    match (&e.kind, &e.ty) {
        (ExprKind::Cast(a), Type::Int(kind)) => a.as_int().map(|n| kind.wrap(n, program.data_model)),
        _ => e.as_int(),
    }
}

fn shift(program: &Program, writer: &Writer<'_>, operation: &Expr) -> String {
    let ExprKind::Binary(op, left, amount) = &operation.kind else { return writer.expr(operation) };
    let width = operation.ty.as_int().map_or(0, |k| k.width(program.data_model));
    let mut parts = Vec::new();
    if constant(program, amount).is_none_or(|n| n < 0 || n >= i128::from(width)) {
        let amount = writer.at(amount, COMPARED);
        parts.push(format!("0 <= {amount} && {amount} < {width}"));
    }
    if let (BinaryOp::ShiftLeft, Type::Int(kind)) = (op, &operation.ty)
        && kind.is_signed()
    {
        parts.push(format!("0 <= {}", writer.at(left, COMPARED)));
        parts.push(format!("{} <= {}", writer.at(operation, ADDED.min(COMPARED)), limits(*kind).1));
    }
    if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
}
