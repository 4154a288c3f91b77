//! Reverses loops that count down, if a program has loops in both directions.
//!
//! **Meaning.** A loop whose iterations do not depend on each other has the same final state in any
//! order. Iterations are independent under two conditions. Every scalar that they write is their
//! own. Every array that they write is touched at one index, which no two iterations share. A run
//! that reaches the state after the loop has run all iterations. Whatever their order, it met no
//! undefined behaviour and no failing assumption in them. So loops with assertions keep their
//! order.

use super::super::effects::Effects;
use super::super::terms::same;
use super::form::{Counted, NormalPart};
use super::versions::writes_first;
use crate::program::{
    Base, BinaryOp, DataModel, Expr, ExprKind, IntKind, Program, Step, Stmt, StmtKind, VarId, each_part, each_stmt,
};

/// The parts, with loops that count up instead of down, if the program has both.
pub(super) fn align(program: &Program, mut parts: Vec<NormalPart>) -> Vec<NormalPart> {
    let steps = |up: bool| parts.iter().any(|p| matches!(p, NormalPart::Loop(l) if (l.step > 0) == up));
    if !(steps(true) && steps(false)) {
        return parts;
    }
    for n in 0..parts.len() {
        if let NormalPart::Loop(l) = &parts[n]
            && let Some(up) = upwards(program, l, &parts[..n], &parts[n + 1..])
        {
            parts[n] = NormalPart::Loop(up);
        }
    }
    parts
}

/// The loop with its iterations in the opposite order.
fn upwards(program: &Program, l: &Counted, before: &[NormalPart], rest: &[NormalPart]) -> Option<Counted> {
    let ty = &program.variable(l.counter).ty;
    let kind = ty.as_int().filter(|k| k.is_signed())?;
    if l.step != -1 || l.exit.is_some() || l.first.ty != *ty || l.bound.ty != *ty {
        return None;
    }
    let first = match l.relation {
        BinaryOp::GreaterEqual => l.bound.clone(),
        _ => next(&l.bound, kind, program.data_model)?,
    };
    let last = computed(&l.first, before).unwrap_or(&l.first);
    let bound = next(last, kind, program.data_model)?;
    is_independent(program, l, rest).then(|| Counted { first, relation: BinaryOp::Less, bound, step: 1, ..l.clone() })
}

/// The expression that the code just before the loop computes a variable from, if it has the same
/// value at the loop.
fn computed<'p>(e: &Expr, before: &'p [NormalPart]) -> Option<&'p Expr> {
    let ExprKind::Load(l) = &e.kind else { return None };
    let v = l.as_var()?;
    let Some(NormalPart::Straight(block)) = before.last() else { return None };
    let n = block.iter().rposition(|s| writes(s, v))?;
    let StmtKind::Assign(l, value) = &block[n].kind else { return None };
    let changed = |w: &VarId| block[n..].iter().any(|s| writes(s, *w));
    let reads = Effects::of_expr(value);
    (l.as_var() == Some(v) && !reads.reads_unknown && !reads.reads.iter().any(changed)).then_some(value)
}

fn writes(s: &Stmt, v: VarId) -> bool {
    let effects = Effects::of(std::slice::from_ref(s));
    effects.writes.contains(&v) || effects.writes_unknown
}

/// The value that is one larger, unless it may be out of range.
fn next(e: &Expr, kind: IntKind, data: DataModel) -> Option<Expr> {
    match &e.kind {
        ExprKind::Int(n) if *n < kind.max(data) => Some(Expr::int(n + 1, kind, e.location)),
        // What lies between two values in range is in range.
        ExprKind::Binary(BinaryOp::Sub, a, b) if a.ty == e.ty => match b.as_int()? {
            1 => Some((**a).clone()),
            c if c > 1 => {
                let less = Expr::int(c - 1, kind, e.location);
                Some(Expr::binary(BinaryOp::Sub, (**a).clone(), less, e.ty.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_independent(program: &Program, l: &Counted, rest: &[NormalPart]) -> bool {
    let effects = Effects::of(&l.body);
    if effects.writes_unknown || effects.reads_unknown || !effects.addresses.is_empty() {
        return false;
    }
    let mut asserts = false;
    each_stmt(&l.body, &mut |s| asserts |= matches!(s.kind, StmtKind::Assert(..) | StmtKind::Claim(_)));
    !asserts
        && effects.writes.iter().all(|&v| {
            if program.variable(v).ty.is_scalar() {
                writes_first(&l.body, v) && !rest.iter().any(|p| reads(p, v))
            } else {
                has_one_index(l, v, &effects, program.data_model)
            }
        })
}

fn reads(part: &NormalPart, v: VarId) -> bool {
    match part {
        NormalPart::Straight(b) => Effects::of(b).reads.contains(&v),
        NormalPart::Loop(l) => {
            let mut found = Effects::of(&l.body).reads.contains(&v);
            for e in [&l.first, &l.bound] {
                found |= Effects::of_expr(e).reads.contains(&v);
            }
            found
        }
    }
}

/// Whether the body touches the array at one index only, which differs in each iteration.
fn has_one_index(l: &Counted, v: VarId, effects: &Effects, data: DataModel) -> bool {
    let mut first: Option<Vec<Expr>> = None;
    let mut fine = true;
    each_stmt(&l.body, &mut |s| {
        fine &= !matches!(s.kind, StmtKind::Declare(w) if w == v);
        each_part(s, &mut |part| {
            let crate::program::Part::Lvalue(lvalue, _) = part else { return };
            if !matches!(lvalue.base, Base::Var(w) if w == v) {
                return;
            }
            let indices = lvalue.path.iter().filter_map(|s| match s {
                Step::Index(e) => Some(e.clone()),
                Step::Field(..) => None,
            });
            let indices: Vec<Expr> = indices.collect();
            fine &= lvalue.ty.is_scalar();
            match &first {
                None => first = Some(indices),
                Some(known) => {
                    fine &= known.len() == indices.len() && known.iter().zip(&indices).all(|(a, b)| same(a, b));
                }
            }
        });
    });
    let indices = first.unwrap_or_default();
    // None of the indices depends on what the loop computes.
    let stays = |e: &Expr| Effects::of_expr(e).reads.is_disjoint(&effects.writes);
    fine && indices.iter().all(stays) && indices.iter().any(|e| tells_apart(e, l.counter, data))
}

/// Whether an expression has another value for each value of the counter. Sums with constants do,
/// even if they wrap around. So do conversions to types that are as wide.
fn tells_apart(e: &Expr, counter: VarId, data: DataModel) -> bool {
    match &e.kind {
        ExprKind::Load(l) => l.as_var() == Some(counter),
        ExprKind::Cast(a) => match (a.ty.as_int(), e.ty.as_int()) {
            (Some(from), Some(to)) => {
                to != IntKind::Bool && from.width(data) <= to.width(data) && tells_apart(a, counter, data)
            }
            _ => false,
        },
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            tells_apart(a, counter, data) && b.as_int().is_some()
                || a.as_int().is_some() && tells_apart(b, counter, data)
        }
        ExprKind::Binary(BinaryOp::Sub, a, b) => tells_apart(a, counter, data) && b.as_int().is_some(),
        _ => false,
    }
}
