//! Decides obligations from the solved graph.

use super::evaluate::Evaluator;
use super::layout::Segment;
use super::pointers::Target;
use super::{AnalysisConfig, Finding, Solved, Transfer};
use crate::inline::Inlined;
use crate::program::{
    BinaryOp, Blocks, Check, CheckCondition, Expr, ExprKind, Formula, Length, LengthOperand, Obligation, ObligationKey,
    ObligationKind, Stmt, StmtKind, Type, UnaryOp, checks_of,
};
use crate::verdict::{Reason, Verdict};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use smalti_core::{Constraint, Lattice, LinearExpr, Memory};
use smalti_stack::AnyState;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The result for one copy of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Instance {
    Holds,
    NotReached,
    /// Every run that arrives here has met undefined behaviour before.
    CutOff,
    Open,
}

/// One finding for each obligation.
pub(super) fn findings(
    solved: &Solved<'_>,
    inlined: &Inlined,
    obligations: &[Obligation],
    config: &AnalysisConfig,
) -> BTreeMap<ObligationKey, Finding> {
    // Computed only if something is not reached after an operation that may be undefined.
    let beyond = LazyCell::new(|| {
        let beyond = Solved::going_on(inlined, config).ok()?;
        let nodes = beyond.cfg.graph.node_indices();
        Some(nodes.filter(|n| !beyond.solution.state(*n).is_bottom()).collect())
    });
    // Both graphs are built from one program in the same way: their nodes are the same.
    let reached = |node| beyond.as_ref().is_none_or(|nodes: &HashSet<_>| nodes.contains(&node));
    solved.with(|transfer| decide(transfer, solved, inlined, obligations, &reached))
}

/// One finding for each obligation. `reached` tells whether a node is reached by runs that go on
/// after undefined operations.
fn decide(
    transfer: &Transfer<'_>,
    solved: &Solved<'_>,
    inlined: &Inlined,
    obligations: &[Obligation],
    reached: &dyn Fn(NodeIndex) -> bool,
) -> BTreeMap<ObligationKey, Finding> {
    let after = after_restrictions(transfer, solved);
    let wanted: BTreeSet<ObligationKey> = obligations.iter().map(|o| o.key).collect();
    let implicit = wanted.iter().any(|k| matches!(k, ObligationKey::Check(..)));
    let mut found: BTreeMap<ObligationKey, Found> = BTreeMap::new();
    for (node, stmt) in solved.cfg.evaluations() {
        let state = solved.solution.state(node);
        let suspect = after.contains(&node);
        let dead = || match suspect && reached(node) {
            true => (Instance::CutOff, true),
            false => (Instance::NotReached, false),
        };
        let mut add = |key: ObligationKey, (instance, suspect): (Instance, bool)| {
            let found = found.entry(key).or_default();
            found.instances.push(instance);
            found.suspect |= suspect;
        };
        let answer = |live: &dyn Fn() -> (Instance, bool)| {
            if state.is_bottom() {
                return dead();
            }
            let (instance, own) = live();
            (instance, own || suspect)
        };
        if let StmtKind::Assert(condition, id) = &stmt.kind {
            let key = ObligationKey::Assertion(*id);
            if wanted.contains(&key) {
                add(key, answer(&|| assertion(transfer, state, condition)));
            }
        }
        if let StmtKind::Claim(claim) = &stmt.kind
            && let Some(key) = claim.role.assertion().map(ObligationKey::Assertion)
            && wanted.contains(&key)
        {
            add(key, answer(&|| (claimed(transfer, state, &claim.formula), false)));
        }
        if !implicit {
            continue;
        }
        let checks = checks_of(solved.cfg.program, stmt);
        let offset = inlined.check_offset(stmt);
        for (n, check) in checks.iter().enumerate() {
            let key = ObligationKey::Check(stmt.site, offset + n as u32);
            if wanted.contains(&key) {
                add(key, answer(&|| (implicit_check(transfer, state, stmt, check), false)));
            }
        }
    }
    let opaque: HashSet<&str> =
        inlined.called_opaquely.iter().map(|f| inlined.program.function(*f).name.as_str()).collect();
    obligations
        .iter()
        .map(|o| {
            if o.kind.is_about_pointees() {
                // The graph does not say where heap blocks end, what has been written, nor what is
                // called.
                let open = Some(Reason::NotItsKind);
                return (o.key, Finding { verdict: Verdict::Unknown, open, fails_nowhere: false, suspect: true });
            }
            let found = found.remove(&o.key).unwrap_or_default();
            (o.key, found.combine(opaque.contains(o.function.as_str())))
        })
        .collect()
}

/// The results for all copies of an obligation.
#[derive(Default)]
struct Found {
    instances: Vec<Instance>,
    suspect: bool,
}

impl Found {
    fn combine(self, called_opaquely: bool) -> Finding {
        let some = |i| self.instances.contains(&i);
        let (verdict, open) = if called_opaquely {
            // Its function also runs in ways that the graph does not show.
            (Verdict::Unknown, Some(Reason::Unfollowed))
        } else if some(Instance::Open) {
            (Verdict::Unknown, Some(Reason::Unproved))
        } else if some(Instance::CutOff) {
            (Verdict::Unknown, Some(Reason::Undefined))
        } else if some(Instance::Holds) {
            (Verdict::Proved, None)
        } else {
            (Verdict::Unreachable, None)
        };
        let fails_nowhere = !called_opaquely && !some(Instance::Open);
        let suspect = self.suspect || called_opaquely;
        Finding { verdict, open, fails_nowhere, suspect }
    }
}

/// [`super::Analysis::accesses_hold`]
pub(super) fn accesses_hold(solved: &Solved<'_>, inlined: &Inlined) -> bool {
    // A function that runs in ways that the graph does not show may access anything.
    inlined.called_opaquely.is_empty()
        && solved.with(|transfer| {
            solved.cfg.evaluations().all(|(node, stmt)| {
                let state = solved.solution.state(node);
                let holds = |check: &Check<'_>| implicit_check(transfer, state, stmt, check) == Instance::Holds;
                let mut accesses = checks_of(solved.cfg.program, stmt);
                accesses.retain(|check| check.kind == ObligationKind::Bounds);
                accesses.is_empty() || state.is_bottom() || accesses.iter().all(holds)
            })
        })
}

/// The nodes after edges on which an operation may be undefined, as far as the states know. A node
/// that is not reached there may be unreached only because the analysis assumes that the operation
/// is defined, not because of what the program does.
pub(super) fn after_restrictions(transfer: &Transfer<'_>, solved: &Solved<'_>) -> HashSet<NodeIndex> {
    let graph = &solved.cfg.graph;
    let mut open: Vec<NodeIndex> = Vec::new();
    for e in graph.edge_references() {
        let state = solved.solution.state(e.source());
        if !state.is_bottom() && transfer.edge(e.id(), state).1 {
            open.push(e.target());
        }
    }
    let mut after: HashSet<NodeIndex> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        for next in graph.neighbors(node) {
            if after.insert(next) {
                open.push(next);
            }
        }
    }
    after
}

/// What is known of an assertion, and whether its condition may be undefined.
pub(super) fn assertion(
    transfer: &Transfer<'_>,
    state: &super::State<AnyState>,
    condition: &crate::program::Expr,
) -> (Instance, bool) {
    let mut fails = Evaluator::new(transfer.model, state.clone());
    fails.condition(condition, false);
    if !fails.state.is_bottom() {
        return (Instance::Open, fails.restricted);
    }
    if fails.restricted {
        // The condition itself may be what is undefined.
        let mut holds = Evaluator::new(transfer.model, state.clone());
        holds.condition(condition, true);
        if holds.state.is_bottom() {
            return (Instance::CutOff, true);
        }
    }
    (Instance::Holds, fails.restricted)
}

/// A formula holds if no state remains in which it is false. A term without a value may have any
/// value.
pub(super) fn claimed(transfer: &Transfer<'_>, state: &super::State<AnyState>, formula: &Formula) -> Instance {
    let mut fails = Evaluator::new(transfer.model, state.clone());
    fails.claim(formula, false);
    if fails.state.is_bottom() && !fails.restricted { Instance::Holds } else { Instance::Open }
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

/// Whether the condition holds in every run of the state. Evaluating the operands assumes that they
/// are defined: their own checks come before this one.
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
                let is_member = t.is_in_elements() && t.path.last() != Some(&Segment::Index(()));
                x.fits(t, pointee) && !is_member && (x.state.is_bottom() || x.is_inside(t, &p.offset))
            })
        }
        CheckCondition::PointerArithmetic { .. }
        | CheckCondition::Alive { .. }
        | CheckCondition::Callable { .. }
        | CheckCondition::Freeable { .. }
        | CheckCondition::Written { .. } => false,
        CheckCondition::Room { pointer, blocks } => has_room(x, pointer, blocks),
        CheckCondition::Apart { to, from, blocks } => are_apart(x, to, from, blocks),
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

/// The number of bytes of each block, and whether there is one.
fn bytes(x: &mut Evaluator<'_, AnyState>, blocks: &Blocks) -> Option<LinearExpr> {
    let count = x.int(&blocks.count);
    count.scale(blocks.unit.into())
}

/// The size of the elements of the innermost array at a target, if they are scalars.
fn element_size(x: &Evaluator<'_, AnyState>, t: &Target) -> Option<i128> {
    let program = x.model.program;
    program.scalar_size(x.model.layout.type_at(program, t.block, &t.path)?).map(i128::from)
}

/// Whether the block lies in the object, wherever the pointer may point. Offsets count elements of
/// the target. For a pointer to `void` this is so if it was made from a pointer to such elements
/// and has not moved since.
fn has_room(x: &mut Evaluator<'_, AnyState>, pointer: &Expr, blocks: &Blocks) -> bool {
    let (p, bytes) = (x.pointer(pointer), bytes(x, blocks));
    let entails = |c: Option<Constraint>| c.is_some_and(|c| x.state.memory.entails(&c));
    let Some(bytes) = bytes else { return false };
    if entails(Constraint::le(&bytes, &LinearExpr::constant(0))) {
        return true;
    }
    p.valid
        && !p.targets.anywhere
        && p.targets.set.iter().all(|t| {
            let size = element_size(x, t);
            let cells = if t.path.contains(&Segment::Index(())) {
                x.cells(t.block, &t.path)
            } else {
                Some(LinearExpr::constant(1))
            };
            let left = cells.and_then(|cells| cells.sub(&p.offset)).zip(size).and_then(|(left, size)| left.scale(size));
            !t.is_in_elements()
                && entails(Some(Constraint::non_negative(p.offset.clone())))
                && entails(left.and_then(|left| Constraint::le(&bytes, &left)))
        })
}

/// Whether two blocks of that many bytes certainly have none in common.
fn are_apart(x: &mut Evaluator<'_, AnyState>, to: &Expr, from: &Expr, blocks: &Blocks) -> bool {
    let (p, q, bytes) = (x.pointer(to), x.pointer(from), bytes(x, blocks));
    if x.state.is_bottom() {
        return true;
    }
    if p.targets.anywhere || q.targets.anywhere {
        return false;
    }
    let Some(bytes) = bytes else { return false };
    let entails = |c: Option<Constraint>| c.is_some_and(|c| x.state.memory.entails(&c));
    if entails(Constraint::le(&bytes, &LinearExpr::constant(0))) {
        return true;
    }
    // The blocks of one allocation that runs more than once share a name.
    let block = |t: &Target| (!x.model.layout.untracked.contains(&t.block)).then_some(t.block);
    let far = |low: &LinearExpr, high: &LinearExpr, size: i128| {
        let distance = high.sub(low).and_then(|d| d.scale(size));
        entails(distance.and_then(|d| Constraint::le(&bytes, &d)))
    };
    p.targets.set.iter().all(|s| {
        q.targets.set.iter().all(|t| {
            if let (Some(a), Some(b)) = (block(s), block(t))
                && a != b
            {
                return true;
            }
            let size = element_size(x, s).filter(|_| s == t && block(s).is_some() && !s.is_in_elements());
            size.is_some_and(|size| far(&p.offset, &q.offset, size) || far(&q.offset, &p.offset, size))
        })
    })
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
