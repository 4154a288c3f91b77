//! Decides obligations from the solved graph.

use super::evaluate::Evaluator;
use super::layout::Segment;
use super::{Finding, Solved, Transfer};
use crate::inline::Inlined;
use crate::program::{
    BinaryOp, Check, CheckCondition, ExprKind, Formula, Length, LengthOperand, Obligation, ObligationKey, Stmt,
    StmtKind, Type, UnaryOp, checks_of,
};
use crate::verdict::Verdict;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use smalti_core::{Constraint, Lattice, LinearExpr, Memory};
use smalti_stack::AnyState;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What one copy of an obligation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Instance {
    Holds,
    NotReached,
    /// Every run that comes this way has met undefined behaviour before.
    CutOff,
    Open,
}

/// One finding for each obligation.
pub(super) fn decide(
    transfer: &Transfer<'_>,
    solved: &Solved<'_>,
    inlined: &Inlined,
    obligations: &[Obligation],
) -> BTreeMap<ObligationKey, Finding> {
    let behind = behind_cut_offs(transfer, solved);
    let wanted: BTreeSet<ObligationKey> = obligations.iter().map(|o| o.key).collect();
    let implicit = wanted.iter().any(|k| matches!(k, ObligationKey::Check(..)));
    let mut instances: BTreeMap<ObligationKey, Vec<Instance>> = BTreeMap::new();
    for (node, stmt) in solved.cfg.evaluations() {
        let state = solved.solution.state(node);
        let dead = || if behind.contains(&node) { Instance::CutOff } else { Instance::NotReached };
        if let StmtKind::Assert(condition, id) = &stmt.kind {
            let key = ObligationKey::Assertion(*id);
            if wanted.contains(&key) {
                let answer = if state.is_bottom() { dead() } else { assertion(transfer, state, condition) };
                instances.entry(key).or_default().push(answer);
            }
        }
        if let StmtKind::Claim(claim) = &stmt.kind
            && let Some(key) = claim.role.assertion().map(ObligationKey::Assertion)
            && wanted.contains(&key)
        {
            let answer = if state.is_bottom() { dead() } else { claimed(transfer, state, &claim.formula) };
            instances.entry(key).or_default().push(answer);
        }
        if !implicit {
            continue;
        }
        let checks = checks_of(solved.cfg.program, stmt);
        let offset = inlined.check_offset(stmt);
        for (n, check) in checks.iter().enumerate() {
            let key = ObligationKey::Check(stmt.site, offset + n as u32);
            if wanted.contains(&key) {
                let answer = if state.is_bottom() { dead() } else { implicit_check(transfer, state, stmt, check) };
                instances.entry(key).or_default().push(answer);
            }
        }
    }
    let opaque: HashSet<&str> =
        inlined.called_opaquely.iter().map(|f| inlined.program.function(*f).name.as_str()).collect();
    obligations
        .iter()
        .map(|o| {
            let found = instances.get(&o.key).map_or(&[][..], |v| v);
            (o.key, combine(found, opaque.contains(o.function.as_str())))
        })
        .collect()
}

fn combine(found: &[Instance], called_opaquely: bool) -> Finding {
    let finding = |verdict, detail: &str| Finding { verdict, detail: detail.to_owned() };
    let some = |i| found.contains(&i);
    if called_opaquely {
        // Its function also runs in ways that the graph does not show.
        finding(
            Verdict::Unknown,
            "its function is also called in a way that is not followed (recursion, function pointer)",
        )
    } else if some(Instance::Open) {
        finding(Verdict::Unknown, "the domains cannot prove it")
    } else if some(Instance::CutOff) {
        finding(
            Verdict::Unknown,
            "every run that comes here has met undefined behaviour before, which is assumed not to happen",
        )
    } else if some(Instance::Holds) {
        finding(Verdict::Proved, "")
    } else {
        finding(Verdict::Unreachable, "")
    }
}

/// The nodes behind edges that undefined behaviour cuts off in every run: where nothing arrives because of what is
/// assumed, not because of what the program does.
pub(super) fn behind_cut_offs(transfer: &Transfer<'_>, solved: &Solved<'_>) -> HashSet<NodeIndex> {
    let graph = &solved.cfg.graph;
    let mut open: Vec<NodeIndex> = Vec::new();
    for e in graph.edge_references() {
        let state = solved.solution.state(e.source());
        if !state.is_bottom() {
            let (after, broken) = transfer.edge(e.id(), state);
            if broken && after.is_bottom() {
                open.push(e.target());
            }
        }
    }
    let mut behind: HashSet<NodeIndex> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        for next in graph.neighbors(node) {
            if behind.insert(next) {
                open.push(next);
            }
        }
    }
    behind
}

pub(super) fn assertion(
    transfer: &Transfer<'_>,
    state: &super::State<AnyState>,
    condition: &crate::program::Expr,
) -> Instance {
    let mut fails = Evaluator::new(transfer.model, state.clone());
    fails.condition(condition, false);
    if !fails.state.is_bottom() {
        return Instance::Open;
    }
    if fails.broken {
        // The condition itself may be what is undefined.
        let mut holds = Evaluator::new(transfer.model, state.clone());
        holds.condition(condition, true);
        if holds.state.is_bottom() {
            return Instance::CutOff;
        }
    }
    Instance::Holds
}

/// A formula holds if no state is left in which it does not: its terms have every value where they have none.
pub(super) fn claimed(transfer: &Transfer<'_>, state: &super::State<AnyState>, formula: &Formula) -> Instance {
    let mut fails = Evaluator::new(transfer.model, state.clone());
    fails.claim(formula, false);
    if fails.state.is_bottom() && !fails.broken { Instance::Holds } else { Instance::Open }
}

pub(super) fn implicit_check(
    transfer: &Transfer<'_>,
    state: &super::State<AnyState>,
    stmt: &Stmt,
    check: &Check<'_>,
) -> Instance {
    let _ = stmt;
    let mut evaluator = Evaluator::new(transfer.model, state.clone());
    for guard in &check.guards {
        evaluator.condition(guard.condition, guard.holds);
    }
    if holds(&mut evaluator, &check.condition) || evaluator.state.is_bottom() {
        Instance::Holds
    } else {
        Instance::Open
    }
}

/// Whether the condition holds in every run of the state. Evaluating the operands assumes that they are defined: their own
/// checks come before this one.
fn holds(x: &mut Evaluator<'_, AnyState>, condition: &CheckCondition<'_>) -> bool {
    let entails = |x: &Evaluator<'_, AnyState>, c: Option<Constraint>| {
        x.state.is_bottom() || c.is_some_and(|c| x.state.memory.entails(&c))
    };
    match condition {
        CheckCondition::Index { index, length } => {
            let i = x.int(index);
            let length = match length {
                Length::Constant(n) => Some(LinearExpr::constant((*n).into())),
                Length::Variable(v) => x.model.layout.scalar(*v).map(LinearExpr::var),
                Length::Unknown => None,
            };
            let below = length.and_then(|l| Constraint::lt(&i, &l));
            entails(x, Some(Constraint::non_negative(i))) && entails(x, below)
        }
        CheckCondition::Dereference { pointer } => {
            let p = x.pointer(pointer);
            let pointee = pointer.ty.pointee().unwrap_or(&Type::Void);
            if !p.valid || p.targets.anywhere {
                return x.state.is_bottom();
            }
            p.targets.set.iter().all(|t| {
                // A member of an array's elements is not an element itself.
                let is_member = t.is_in_elements() && t.path.last() != Some(&Segment::Index);
                x.fits(t, pointee) && !is_member && (x.state.is_bottom() || x.is_inside(t, &p.offset))
            })
        }
        CheckCondition::PointerArithmetic { .. } => false,
        CheckCondition::NoOverflow { operation } => {
            let Type::Int(kind) = operation.ty else { return false };
            let range = super::integers::range(kind, x.model.program.data_model);
            let exact = match &operation.kind {
                ExprKind::Unary(UnaryOp::Negate, a) => x.int(a).scale(-1),
                ExprKind::Binary(op, a, b) => {
                    let (a, b) = (x.int(a), x.int(b));
                    match op {
                        BinaryOp::Add => a.add(&b),
                        BinaryOp::Sub => a.sub(&b),
                        BinaryOp::Mul => Some(x.product(&a, &b)),
                        BinaryOp::Div | BinaryOp::Rem => {
                            // Only the least value divided by -1 overflows.
                            let least = LinearExpr::constant(range.lo().unwrap_or(0));
                            return entails(x, Constraint::gt(&a, &least))
                                || entails(x, Constraint::ne(&b, &LinearExpr::constant(-1)));
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            x.state.is_bottom() || exact.is_some_and(|e| x.bounds(&e).is_subset(range))
        }
        CheckCondition::NonZero { divisor } => {
            let d = x.int(divisor);
            !x.bounds(&d).contains(0) || entails(x, Constraint::ne(&d, &LinearExpr::constant(0)))
        }
        CheckCondition::Shift { operation } => shift_holds(x, operation),
        CheckCondition::ArrayLength { length, least } => {
            let length = match length {
                LengthOperand::Variable(v) => x.model.layout.scalar(*v).map(LinearExpr::var),
                LengthOperand::Count(e) => Some(x.int(e)),
            };
            entails(x, length.and_then(|l| Constraint::ge(&l, &LinearExpr::constant(*least))))
        }
    }
}

fn shift_holds(x: &mut Evaluator<'_, AnyState>, operation: &crate::program::Expr) -> bool {
    let (ExprKind::Binary(op, a, b), Type::Int(kind)) = (&operation.kind, &operation.ty) else { return false };
    let (a, b) = (x.int(a), x.int(b));
    let model = x.model.program.data_model;
    let (value, amount) = (x.bounds(&a), x.bounds(&b));
    let width = i128::from(kind.width(model));
    if x.state.is_bottom() {
        return true;
    }
    if amount.lo().is_none_or(|l| l < 0) || amount.hi().is_none_or(|h| h >= width) {
        return false;
    }
    if *op == BinaryOp::ShiftRight || !kind.is_signed() {
        return true;
    }
    let range = super::integers::range(*kind, model);
    value.lo().is_some_and(|l| l >= 0)
        && super::integers::shift_left(value, amount).is_some_and(|shifted| shifted.is_subset(range))
}
