//! Turns an assertion about one arbitrary cell into a loop that asserts it of every cell.
//!
//! `k = input; assume(low <= k && k < high); assert(P(k));` becomes
//! `for (k = low; k < high; k++) assert(P(k));`. Every run of the program that fails has a run of
//! the result that fails no later. That run reaches the same value of `k`, having failed before or
//! changed nothing, since each iteration writes only variables of its own. Other assumptions become
//! conditions, since they need not hold of other values. (Under total arithmetic no earlier
//! iteration ends the run.)

use super::super::effects::Effects;
use super::super::normal::{Counted, NormalPart, writes_first};
use super::terms::{assumes, constant};
use crate::program::{BinaryOp, Block, Expr, ExprKind, LoopId, Lvalue, Program, Stmt, StmtKind, Type, VarId};

/// Ends the parts with a loop, if the last part is about one arbitrary value.
pub(super) fn as_loop(program: &Program, parts: &[NormalPart]) -> Option<Vec<NormalPart>> {
    let (NormalPart::Straight(last), before) = parts.split_last()? else { return None };
    (0..last.len()).rev().find_map(|n| {
        let StmtKind::Input(l, _) = &last[n].kind else { return None };
        let k = l.as_var()?;
        let looped = looped(program, k, &last[n], &last[n + 1..])?;
        let elsewhere = |b: &Block| {
            let effects = Effects::of(b);
            effects.writes.contains(&k) && !only_declares(b, k) || effects.reads.contains(&k)
        };
        let mut head: Block = last[..n].to_vec();
        let earlier = before.iter().any(|p| match p {
            NormalPart::Straight(b) => elsewhere(b),
            NormalPart::Loop(l) => elsewhere(&l.body) || l.counter == k || reads(&l.bound, k) || reads(&l.first, k),
        });
        if earlier || elsewhere(&head) {
            return None;
        }
        head.retain(|s| !matches!(s.kind, StmtKind::Declare(v) if v == k));
        let undeclared = |p: &NormalPart| match p {
            NormalPart::Straight(b) => NormalPart::Straight(
                b.iter().filter(|s| !matches!(s.kind, StmtKind::Declare(v) if v == k)).cloned().collect(),
            ),
            part => part.clone(),
        };
        let mut out: Vec<NormalPart> = before.iter().map(undeclared).collect();
        if !head.is_empty() {
            out.push(NormalPart::Straight(head));
        }
        out.push(NormalPart::Loop(looped));
        Some(out)
    })
}

fn only_declares(block: &Block, v: VarId) -> bool {
    block.iter().all(|s| {
        matches!(s.kind, StmtKind::Declare(w) if w == v) || !Effects::of(std::slice::from_ref(s)).writes.contains(&v)
    })
}

fn reads(e: &Expr, v: VarId) -> bool {
    Effects::of_expr(e).reads.contains(&v)
}

fn looped(program: &Program, k: VarId, input: &Stmt, rest: &[Stmt]) -> Option<Counted> {
    let ty = &program.variable(k).ty;
    let kind = ty.as_int()?;
    let mut conditions = Vec::new();
    let mut body = rest.to_vec();
    // The assumptions at the beginning, and the conditions around the last statement.
    while let Some(Stmt { kind: StmtKind::Assume(e), .. }) = body.first() {
        conjuncts(e, &mut conditions);
        body.remove(0);
    }
    if let [Stmt { kind: StmtKind::If(c, then, otherwise), .. }] = &body[..]
        && otherwise.is_empty()
    {
        conjuncts(c, &mut conditions);
        body = then.clone();
    }
    // An assumption about this value need not hold of others.
    if assumes(&body) {
        return None;
    }
    let effects = Effects::of(&body);
    if !effects.writes.iter().all(|v| writes_first(&body, *v)) || effects.writes.contains(&k) {
        return None;
    }
    let data = program.data_model;
    let (mut low, mut high) = ((!kind.is_signed()).then(|| Expr::int(0, kind, input.location)), None);
    let mut others = Vec::new();
    for c in conditions {
        let bound = bound(&c, k, ty).filter(|(_, e)| !reads(e, k) && is_untouched(e, &effects));
        match bound {
            Some((BinaryOp::GreaterEqual, e)) if constant(&e, data).is_some() => {
                low = Some(e);
                // Any one of several lower bounds suffices if the others stay conditions.
                others.push(c);
            }
            Some((BinaryOp::Greater, e)) if constant(&e, data).is_some_and(|n| n < kind.max(data)) => {
                low = Some(Expr::int(constant(&e, data)? + 1, kind, e.location));
                others.push(c);
            }
            Some((BinaryOp::Less, e)) if high.is_none() => high = Some(e),
            Some((BinaryOp::LessEqual, e))
                if high.is_none() && constant(&e, data).is_some_and(|n| n < kind.max(data)) =>
            {
                high = Some(Expr::int(constant(&e, data)? + 1, kind, e.location));
            }
            _ => others.push(c),
        }
    }
    let (first, bound) = (low?, high?);
    // A condition that the loop's first value implies is not repeated.
    others.retain(|c| {
        let said = self::bound(c, k, ty).and_then(|(op, e)| {
            let n = constant(&e, data)?;
            Some(match op {
                BinaryOp::GreaterEqual => n,
                BinaryOp::Greater => n + 1,
                _ => return None,
            })
        });
        said.is_none_or(|n| constant(&first, data).is_none_or(|low| n > low))
    });
    for c in others.into_iter().rev() {
        body = vec![Stmt::new(StmtKind::If(c, body, Vec::new()), input.site, input.location)];
    }
    Some(Counted {
        id: LoopId(program.counters.loops),
        location: input.location,
        counter: k,
        first,
        relation: BinaryOp::Less,
        bound,
        step: 1,
        body,
        exit: None,
    })
}

fn is_untouched(e: &Expr, effects: &Effects) -> bool {
    let own = Effects::of_expr(e);
    own.reads.is_disjoint(&effects.writes) && !own.reads_unknown
}

fn conjuncts(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ => out.push(e.clone()),
    }
}

/// A condition as `k op bound`.
fn bound(e: &Expr, k: VarId, ty: &Type) -> Option<(BinaryOp, Expr)> {
    let ExprKind::Binary(op, a, b) = &e.kind else { return None };
    let is_k = |e: &Expr| matches!(&e.kind, ExprKind::Load(Lvalue { .. })) && e.ty == *ty && load_of(e) == Some(k);
    if is_k(a) && b.ty == *ty {
        return Some((*op, (**b).clone()));
    }
    (is_k(b) && a.ty == *ty).then(|| Some((op.exchanged()?, (**a).clone())))?
}

fn load_of(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Load(l) => l.as_var(),
        _ => None,
    }
}
