//! What proposals are made of: sums, comparisons, names.

use crate::program::{BinaryOp, Expr, ExprKind, Term, TermOp, Type, VarId, Visit};
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

/// `t + n`
pub(super) fn plus(t: Term, n: i128) -> Term {
    match (t, n) {
        (t, 0) => t,
        (Term::Int(m), n) => Term::Int(m + n),
        (Term::Binary(TermOp::Add, a, b), n) if b.as_int().is_some() => plus(*a, b.as_int().unwrap_or(0) + n),
        (Term::Binary(TermOp::Sub, a, b), n) if b.as_int().is_some() => plus(*a, n - b.as_int().unwrap_or(0)),
        (t, n) => Term::Binary(TermOp::Add, Box::new(t), Box::new(Term::Int(n))),
    }
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
