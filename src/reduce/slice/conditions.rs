//! The conditions of statements, and their parts.

use crate::program::{Expr, ExprKind, Stmt, StmtKind};

/// The condition of a predicate or an assumption.
pub(super) fn condition_of(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::If(c, ..) | StmtKind::Assume(c) => Some(c),
        StmtKind::Loop(l) => Some(&l.condition),
        _ => None,
    }
}

/// The conditions that are joined by the operator at the top, `&&` or `||`, in their order of
/// evaluation.
pub(super) fn chain(e: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut open = vec![e];
    while let Some(part) = open.pop() {
        match (&part.kind, &e.kind) {
            (ExprKind::And(a, b), ExprKind::And(..)) | (ExprKind::Or(a, b), ExprKind::Or(..)) => {
                open.push(b);
                open.push(a);
            }
            _ => found.push(part),
        }
    }
    found
}
