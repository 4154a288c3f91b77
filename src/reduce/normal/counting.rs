//! Finds what makes a loop count: a comparison with a bound, and one statement that adds a
//! constant.

use super::super::effects::Effects;
use crate::program::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, Type, UnaryOp, VarId, each_stmt};
use std::collections::BTreeSet;

/// Splits a condition into the conditions whose conjunction it is.
pub(super) fn conjuncts_of(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::And(a, b) => {
            conjuncts_of(a, out);
            conjuncts_of(b, out);
        }
        ExprKind::Unary(UnaryOp::Not, a) => match &a.kind {
            ExprKind::Unary(UnaryOp::Not, b) if b.ty == Type::INT => conjuncts_of(b, out),
            ExprKind::Or(b, c) => {
                conjuncts_of(&(**b).clone().negated(), out);
                conjuncts_of(&(**c).clone().negated(), out);
            }
            ExprKind::Binary(op, b, c) if b.ty.as_int().is_some() && op.negated().is_some() => {
                let op = op.negated().unwrap_or(*op);
                out.push(Expr {
                    kind: ExprKind::Binary(op, b.clone(), c.clone()),
                    ty: Type::INT,
                    location: e.location,
                });
            }
            _ => out.push(e.clone()),
        },
        // `x != 0`, for an `x` that is 0 or 1.
        ExprKind::Binary(BinaryOp::NotEqual, a, b) if b.as_int() == Some(0) && is_truth(a) => conjuncts_of(a, out),
        ExprKind::Cast(a) if is_truth(a) && matches!(e.ty, Type::Int(_)) => conjuncts_of(a, out),
        _ => out.push(e.clone()),
    }
}

fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => op.is_comparison(),
        _ => false,
    }
}

/// The readings of a condition as `variable relation bound`.
pub(super) fn comparisons(e: &Expr) -> Vec<(VarId, BinaryOp, Expr)> {
    let ExprKind::Binary(op, a, b) = &e.kind else { return Vec::new() };
    let Some(exchanged) = op.exchanged().filter(|_| !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)) else {
        return Vec::new();
    };
    let variable = |e: &Expr| match &e.kind {
        ExprKind::Load(l) if matches!(e.ty, Type::Int(_)) => l.as_var(),
        _ => None,
    };
    let left = variable(a).map(|v| (v, *op, (**b).clone()));
    let right = variable(b).map(|v| (v, exchanged, (**a).clone()));
    left.into_iter().chain(right).collect()
}

/// The constant that a statement adds to a variable.
pub(super) fn is_addition(s: &Stmt, v: VarId) -> Option<i128> {
    let StmtKind::Assign(l, e) = &s.kind else { return None };
    if l.as_var() != Some(v) {
        return None;
    }
    let is_v = |e: &Expr| matches!(&e.kind, ExprKind::Load(l) if l.as_var() == Some(v));
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) if is_v(a) => b.as_int(),
        ExprKind::Binary(BinaryOp::Add, a, b) if is_v(b) => a.as_int(),
        ExprKind::Binary(BinaryOp::Sub, a, b) if is_v(a) => b.as_int().and_then(i128::checked_neg),
        _ => None,
    }
}

/// Finds the one statement that writes a variable, if it adds a constant on every path. Returns its
/// place in the body, or none if it is in the step.
pub(super) fn only_addition(body: &[Stmt], step: &[Stmt], v: VarId) -> Option<(Option<usize>, i128)> {
    let mut writes = 0;
    let mut count = |s: &Stmt| {
        let Effects { writes: written, .. } = Effects::of_stmt(s);
        writes += usize::from(written.contains(&v));
    };
    each_stmt(body, &mut count);
    each_stmt(step, &mut count);
    if writes != 1 {
        return None;
    }
    if let Some((place, amount)) = body.iter().enumerate().find_map(|(n, s)| Some((n, is_addition(s, v)?))) {
        return Some((Some(place), amount));
    }
    step.iter().find_map(|s| is_addition(s, v)).map(|amount| (None, amount))
}

/// Whether some path through the first statements continues at a place among the others, or with
/// the next iteration.
pub(super) fn jumps_past(first: &[Stmt], others: &[Stmt]) -> bool {
    let mut labels = BTreeSet::new();
    each_stmt(others, &mut |s| {
        if let StmtKind::Label(id, _) = &s.kind {
            labels.insert(*id);
        }
    });
    let mut found = false;
    let mut open: Vec<(&[Stmt], bool)> = vec![(first, false)];
    while let Some((block, inner)) = open.pop() {
        for s in block {
            match &s.kind {
                StmtKind::Continue => found |= !inner,
                StmtKind::Goto(id) => found |= labels.contains(id),
                StmtKind::If(_, a, b) => open.extend([(&a[..], inner), (&b[..], inner)]),
                StmtKind::Block(b) => open.push((&b[..], inner)),
                StmtKind::Loop(l) => open.extend([(&l.body[..], true), (&l.step[..], true)]),
                _ => {}
            }
        }
    }
    found
}
