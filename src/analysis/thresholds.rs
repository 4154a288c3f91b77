//! Thresholds at which widening stops before infinity: numbers of the program that are likely
//! bounds.
//!
//! Any thresholds are sound: they decide how fast bounds are given up, not what holds.

use super::layout::{BlockId, Layout, Segment};
use super::pointers::{Pointers, Target, Targets};
use crate::cfg::{Action, Cfg};
use crate::fixpoint::Wto;
use crate::program::{Base, ExprKind, Length, Lvalue, Part, Program, Type, each_part};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use smalti_core::Thresholds;
use std::collections::{BTreeMap, BTreeSet};

/// The most constants that one loop gives.
const MAX_CONSTANTS: usize = 24;

/// The most targets of a pointer whose lengths are looked up.
const MAX_TARGETS: usize = 8;

/// 0, 1, -1 and the ends of `int` and `unsigned int`.
pub(super) fn of_types() -> Thresholds {
    Thresholds::new(BASIC)
}

const BASIC: [i128; 6] = [-1, 0, 1, i32::MIN as i128, i32::MAX as i128, u32::MAX as i128];

/// For each head of a component: what [`of_types`] gives, the constants that occur in the component
/// and the lengths of the arrays that it uses, by name or through pointers, with their neighbours.
/// Constants elsewhere in the program bound what enters the loop, not what it does.
pub(super) fn of_heads(
    cfg: &Cfg<'_>,
    wto: &Wto,
    layout: &Layout,
    pointers: &Pointers,
) -> BTreeMap<NodeIndex, Thresholds> {
    // By position of the component's head. A component passes its numbers on to the components
    // around it.
    let mut found: BTreeMap<usize, BTreeSet<i128>> = BTreeMap::new();
    for edge in cfg.graph.edge_references() {
        let (Action::Stmt(stmt) | Action::Branch { stmt, .. }) = edge.weight().action else { continue };
        let Some(at) = wto.position(edge.source()) else { continue };
        let inner = if wto.component_end(at).is_some() { Some(at) } else { wto.enclosing_head(at) };
        let Some(inner) = inner else { continue };
        let constants = found.entry(inner).or_default();
        each_part(stmt, &mut |part| match part {
            Part::Expr(e) => {
                if let ExprKind::Int(c) = e.kind {
                    constants.insert(c);
                }
            }
            Part::Lvalue(l, _) => constants.extend(lengths(cfg.program, layout, pointers, l)),
        });
    }
    let mut heads = BTreeMap::new();
    // Inner heads come after outer ones, so the loop goes from the last position to the first.
    while let Some((at, constants)) = found.pop_last() {
        // Small numbers first: they are the likelier bounds.
        let mut chosen: Vec<i128> = constants.iter().copied().collect();
        chosen.sort_by_key(|c| c.unsigned_abs());
        chosen.truncate(MAX_CONSTANTS);
        let near = chosen.iter().flat_map(|c| [c.saturating_sub(1), *c, c.saturating_add(1)]);
        heads.insert(wto.order()[at], Thresholds::new(BASIC.into_iter().chain(near)));
        if let Some(around) = wto.enclosing_head(at) {
            found.entry(around).or_default().extend(chosen);
        }
    }
    heads
}

/// The lengths of the arrays in which an lvalue lies, as far as they are constant: of the array
/// that has the name or that the pointer leads into, and of all dimensions together, whose cells
/// groups and the offsets of pointers count.
fn lengths(program: &Program, layout: &Layout, pointers: &Pointers, l: &Lvalue) -> Vec<i128> {
    let pointers = pointers.anywhere(program, layout);
    let outer = match &l.base {
        Base::Var(v) => Targets::one(BlockId::Variable(*v), vec![Segment::Index(())]),
        Base::Deref(p) => pointers.targets_of(p),
    };
    let all = pointers.places_of(l).targets;
    let some = outer.set.iter().take(MAX_TARGETS).chain(all.set.iter().take(MAX_TARGETS));
    some.filter_map(|t| cells(program, layout, t)).collect()
}

/// The number of cells in all dimensions of a target's path, if there are any and all are constant.
fn cells(program: &Program, layout: &Layout, target: &Target) -> Option<i128> {
    let arrays = (0..target.path.len()).filter(|n| target.path[*n].is_index());
    let length = |n| match layout.type_at(program, target.block, &target.path[..n]) {
        Some(Type::Array(_, Length::Constant(length))) => Some(i128::from(*length)),
        _ => None,
    };
    let lengths: Vec<i128> = arrays.map(length).collect::<Option<_>>()?;
    match lengths.is_empty() {
        true => None,
        false => lengths.iter().try_fold(1, |all: i128, n| all.checked_mul(*n)),
    }
}
