//! Splits conditions into cases, so that nothing in them depends on a conditional.

use crate::program::{Expr, ExprKind};
use crate::reduce::terms;

/// A condition is split if its comparisons are with at most this many values.
const MOST_CASES: usize = 16;

/// How many alternatives an expression has once its conditionals are split.
fn case_count(e: &Expr) -> usize {
    match &e.kind {
        ExprKind::Conditional(_, a, b) => case_count(a).saturating_add(case_count(b)),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => case_count(a),
        ExprKind::Binary(_, a, b) => case_count(a).saturating_mul(case_count(b)),
        _ => 1,
    }
}

/// Returns a condition in which nothing depends on a conditional: `(i == 3 ? x : y) > 0` as
/// `i == 3 && x > 0 || i != 3 && y > 0`. Domains split cases of conditions, not of values.
pub(super) fn by_cases(e: Expr) -> Expr {
    if case_count(&e) <= MOST_CASES { split(&e) } else { e }
}

fn split(e: &Expr) -> Expr {
    let Some((condition, a, b)) = cases(e) else { return e.clone() };
    let negated = condition.clone().negated();
    terms::or(terms::and(condition, split(&a)), terms::and(negated, split(&b)))
}

/// The first conditional's condition, the expression if it holds, and the expression if it does
/// not.
fn cases(e: &Expr) -> Option<(Expr, Expr, Expr)> {
    let with = |kind: ExprKind| Expr { kind, ty: e.ty.clone(), location: e.location };
    match &e.kind {
        ExprKind::Conditional(c, a, b) => Some(((**c).clone(), (**a).clone(), (**b).clone())),
        ExprKind::Unary(op, a) => {
            let (c, a, b) = cases(a)?;
            let one = |x| with(ExprKind::Unary(*op, Box::new(x)));
            Some((c, one(a), one(b)))
        }
        ExprKind::Cast(a) => {
            let (c, a, b) = cases(a)?;
            let one = |x| with(ExprKind::Cast(Box::new(x)));
            Some((c, one(a), one(b)))
        }
        ExprKind::Binary(op, x, y) => {
            if let Some((c, a, b)) = cases(x) {
                let one = |x| with(ExprKind::Binary(*op, Box::new(x), y.clone()));
                return Some((c, one(a), one(b)));
            }
            let (c, a, b) = cases(y)?;
            let one = |y| with(ExprKind::Binary(*op, x.clone(), Box::new(y)));
            Some((c, one(a), one(b)))
        }
        _ => None,
    }
}
