//! What proposals are made of: comparisons and names.

use crate::program::{BinaryOp, Expr, ExprKind, Type, VarId, Visit};
use std::collections::HashSet;

/// The greatest number of variables of a loop at which stretches end.
pub(super) const MOST_ENDS: usize = 4;

/// The variables that a formula or an expression names.
#[derive(Default)]
pub(super) struct Names {
    pub(super) found: HashSet<VarId>,
}

impl<'p> Visit<'p> for Names {
    fn variable(&mut self, v: &'p VarId) {
        self.found.insert(*v);
    }

    fn ty(&mut self, _: &'p Type) {}
}

/// The comparisons of integers in a condition.
pub(super) fn comparisons(e: &Expr, f: &mut impl FnMut(BinaryOp, &Expr, &Expr)) {
    match &e.kind {
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            comparisons(a, f);
            comparisons(b, f);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => comparisons(a, f),
        ExprKind::Binary(op, a, b) if op.is_comparison() && matches!(a.ty, Type::Int(_)) => f(*op, a, b),
        _ => {}
    }
}
