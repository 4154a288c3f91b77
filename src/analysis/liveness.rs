//! Which variables are mentioned again: what is not can be forgotten, which keeps states small after inlining.
//!
//! Only temporaries of the lowering and the variables of inlined functions are dropped; a reader expects to see the
//! others. A variable whose address is taken is never dropped: it may be used through a pointer.

use super::Model;
use super::layout::{BlockId, Home, LeafId};
use crate::cfg::{Action, Cfg};
use crate::inline::Inlined;
use crate::program::{Base, Expr, ExprKind, Length, Lvalue, Part, StmtKind, Type, VarId, each_part};
use bitvec::vec::BitVec;
use petgraph::Direction;
use petgraph::visit::EdgeRef;
use smalti_core::{ArrayId, Var};
use std::collections::{HashMap, VecDeque};

/// What is not mentioned behind an edge, though it was before or on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Dead {
    pub scalars: Vec<Var>,
    pub arrays: Vec<ArrayId>,
}

/// For each edge, what dies on it. Forgetting a variable is always sound; this decides only when it costs nothing.
pub(super) fn dead(cfg: &Cfg<'_>, model: &Model<'_>, inlined: &Inlined) -> Vec<Dead> {
    let program = cfg.program;
    let mut numbers: HashMap<VarId, usize> = HashMap::new();
    let mut candidates: Vec<VarId> = Vec::new();
    for block in model.layout.blocks.keys() {
        if let BlockId::Variable(v) = block
            && (inlined.copied_variables.contains(v) || program.variable(*v).name.starts_with('$'))
            && !model.pointers.shared.contains(block)
        {
            numbers.insert(*v, candidates.len());
            candidates.push(*v);
        }
    }
    let mut result = vec![Dead::default(); cfg.graph.edge_count()];
    if candidates.is_empty() {
        return result;
    }
    // What each edge mentions, and what it declares.
    let mut mentions: Vec<Vec<usize>> = vec![Vec::new(); cfg.graph.edge_count()];
    let mut declares: Vec<Option<usize>> = vec![None; cfg.graph.edge_count()];
    for e in cfg.graph.edge_indices() {
        let stmt = match cfg.graph[e].action {
            Action::Stmt(stmt) | Action::Branch { stmt, .. } => stmt,
            Action::Skip => continue,
        };
        let found = &mut mentions[e.index()];
        let mut note = |v: VarId| {
            found.extend(numbers.get(&v));
            let mut ty = &program.variable(v).ty;
            while let Type::Array(element, length) = ty {
                if let Length::Variable(v) = length {
                    found.extend(numbers.get(v));
                }
                ty = element;
            }
        };
        each_part(stmt, &mut |part| match part {
            Part::Lvalue(Lvalue { base: Base::Var(v), .. }, _) => note(*v),
            Part::Expr(Expr { kind: ExprKind::Load(Lvalue { base: Base::Var(v), .. }), .. }) => note(*v),
            _ => {}
        });
        if let StmtKind::Declare(v) = stmt.kind {
            note(v);
            declares[e.index()] = numbers.get(&v).copied();
        }
        found.sort_unstable();
        found.dedup();
    }
    // Backward: mentioned on the way, and not declared anew before.
    let nodes = cfg.graph.node_count();
    let mut live: Vec<BitVec> = vec![BitVec::repeat(false, candidates.len()); nodes];
    let mut work: VecDeque<_> = cfg.graph.node_indices().rev().collect();
    let mut waiting: BitVec = BitVec::repeat(true, nodes);
    while let Some(node) = work.pop_front() {
        waiting.set(node.index(), false);
        let mut now: BitVec = BitVec::repeat(false, candidates.len());
        for e in cfg.graph.edges_directed(node, Direction::Outgoing) {
            let mut through = live[e.target().index()].clone();
            if let Some(n) = declares[e.id().index()] {
                through.set(n, false);
            }
            for n in &mentions[e.id().index()] {
                if declares[e.id().index()] != Some(*n) {
                    through.set(*n, true);
                }
            }
            now |= through;
        }
        if now != live[node.index()] {
            live[node.index()] = now;
            for p in cfg.graph.neighbors_directed(node, Direction::Incoming) {
                if !waiting[p.index()] {
                    waiting.set(p.index(), true);
                    work.push_back(p);
                }
            }
        }
    }
    for e in cfg.graph.edge_references() {
        let behind = &live[e.target().index()];
        let mut dying = live[e.source().index()].clone();
        for n in &mentions[e.id().index()] {
            dying.set(*n, true);
        }
        dying &= !behind.clone();
        let dead = &mut result[e.id().index()];
        for n in dying.iter_ones() {
            let block = BlockId::Variable(candidates[n]);
            let leaves: Vec<LeafId> = model.layout.leaves_below(block, &[]).collect();
            for leaf in leaves {
                if let Home::Scalar(v) = model.layout.leaf(leaf).home {
                    dead.scalars.push(v);
                }
            }
            for array in model.layout.arrays_of(block) {
                dead.arrays.push(array);
                dead.scalars.push(model.layout.array(array).length);
            }
        }
    }
    result
}
