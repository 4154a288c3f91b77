//! Expressions that may be evaluated where the source does not evaluate them.

use crate::program::{BinaryOp, DataModel, Expr, ExprKind, IntKind, Type, UnaryOp};

/// Returns an expression that is defined in every state, and has the value of the given one
/// wherever that one is defined. Returns `None` if there is no simple one.
///
/// A sum, difference or product of signed integers of at most 32 bits is computed in 64 bits and
/// converted back; this is never undefined. An expression that may divide, shift, read memory by an
/// index or overflow 64 bits has no such form.
pub(super) fn total(e: &Expr, model: DataModel) -> Option<Expr> {
    let kind = e.ty.as_int()?;
    let part = |a: &Expr| total(a, model).map(Box::new);
    let kind_of = match &e.kind {
        ExprKind::Int(_) => e.kind.clone(),
        ExprKind::Load(l) => l.as_var().map(|_| e.kind.clone())?,
        ExprKind::Cast(a) => ExprKind::Cast(part(a)?),
        ExprKind::Unary(op @ (UnaryOp::Not | UnaryOp::BitNot), a) => ExprKind::Unary(*op, part(a)?),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
            let (a, b) = (part(a)?, part(b)?);
            if !kind.is_signed() {
                ExprKind::Binary(*op, a, b)
            } else if kind.width(model) <= 32 {
                let wide = Type::Int(IntKind::LongLong);
                let sum = Expr::binary(*op, a.cast(wide.clone()), b.cast(wide.clone()), wide);
                return Some(sum.cast(e.ty.clone()));
            } else {
                return None;
            }
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() => ExprKind::Binary(*op, part(a)?, part(b)?),
        ExprKind::And(a, b) => ExprKind::And(part(a)?, part(b)?),
        ExprKind::Or(a, b) => ExprKind::Or(part(a)?, part(b)?),
        ExprKind::Conditional(c, a, b) => ExprKind::Conditional(part(c)?, part(a)?, part(b)?),
        _ => return None,
    };
    Some(Expr::new(kind_of, e.ty.clone(), e.location))
}
