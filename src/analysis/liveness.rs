//! Finds the variables that are mentioned again. The others can be forgotten, which keeps states
//! small after inlining.
//!
//! Only temporaries of the lowering and the variables of inlined functions are dropped; users
//! expect to see the others. A variable whose address is taken is never dropped: it may be used
//! through a pointer.

use super::Model;
use super::layout::{BlockId, Home};
use crate::cfg::{Action, Cfg};
use crate::clock;
use crate::inline::Inlined;
use crate::program::{Base, Expr, ExprKind, Lvalue, Part, StmtKind, VarId, each_part};
use bitvec::vec::BitVec;
use petgraph::Direction;
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use smalti_core::{ArrayId, Var};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// What is not mentioned after an edge, though it was before the edge or on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Dead {
    pub scalars: Vec<Var>,
    pub arrays: Vec<ArrayId>,
}

/// How many nodes are marked in one step of the clock.
const MARKS_PER_STEP: u64 = 50;

/// For each edge, what dies on it; the variables of `kept` are needed at their nodes. Forgetting a
/// variable is always sound; this function only decides when it loses nothing of interest. At the
/// deadline it ends: the variables that are left never die.
pub(super) fn dead(
    cfg: &Cfg<'_>,
    model: &Model<'_>,
    inlined: &Inlined,
    kept: &[(NodeIndex, VarId)],
    deadline: Option<Instant>,
) -> Vec<Dead> {
    let mut result = vec![Dead::default(); cfg.graph.edge_count()];
    let candidates = Candidates::new(cfg, model, inlined);
    if candidates.all.is_empty() {
        return result;
    }
    let uses = Uses::new(cfg, &candidates, kept);
    // Candidates are handled one after the other, so that the cost is the sum of the live ranges:
    // most variables live in one copy of a function.
    let mut live = Marks::new(cfg.graph.node_count());
    for (n, v) in candidates.all.iter().enumerate() {
        if deadline.is_some_and(|end| clock::now() >= end) {
            break;
        }
        uses.live(cfg, n, &mut live);
        clock::spend(live.marked.len() as u64 / MARKS_PER_STEP);
        let dying = uses.dying(cfg, n, &live);
        if dying.is_empty() {
            continue;
        }
        let block = BlockId::Variable(*v);
        let arrays: Vec<ArrayId> = model.layout.arrays_of(block).collect();
        let homes = model.layout.leaves_below(block, &[]).filter_map(|leaf| match model.layout.leaf(leaf).home {
            Home::Scalar(v) => Some(v),
            _ => None,
        });
        let scalars: Vec<Var> = homes.chain(arrays.iter().map(|a| model.layout.array(*a).length)).collect();
        for e in dying {
            result[e.index()].scalars.extend(&scalars);
            result[e.index()].arrays.extend(&arrays);
        }
    }
    result
}

/// The variables that may be dropped, with their numbers.
struct Candidates {
    all: Vec<VarId>,
    numbers: HashMap<VarId, usize>,
}

impl Candidates {
    fn new(cfg: &Cfg<'_>, model: &Model<'_>, inlined: &Inlined) -> Candidates {
        // Every use of such a pointer needs the lengths of the rows that it may point to.
        let mut measures: HashSet<VarId> = HashSet::new();
        for block in &model.pointers.exposed {
            if let Some(info) = model.layout.blocks.get(block) {
                measures.extend(info.root.lengths());
            }
        }
        let mut candidates = Candidates { all: Vec::new(), numbers: HashMap::new() };
        for block in model.layout.blocks.keys() {
            if let BlockId::Variable(v) = block
                && (inlined.copied_variables.contains(v) || cfg.program.variable(*v).is_hidden())
                && !model.pointers.exposed.contains(block)
                && !measures.contains(v)
            {
                candidates.numbers.insert(*v, candidates.all.len());
                candidates.all.push(*v);
            }
        }
        candidates
    }
}

/// Where candidates are needed.
struct Uses {
    /// By candidate: the edges that mention it.
    mentions: Vec<Vec<EdgeIndex>>,
    /// By edge: the candidate that it declares.
    declares: Vec<Option<usize>>,
    /// By candidate: the nodes at which it is needed anyway.
    kept_at: Vec<Vec<NodeIndex>>,
}

impl Uses {
    fn new(cfg: &Cfg<'_>, candidates: &Candidates, kept: &[(NodeIndex, VarId)]) -> Uses {
        let numbers = &candidates.numbers;
        let count = candidates.all.len();
        let mut mentions: Vec<Vec<EdgeIndex>> = vec![Vec::new(); count];
        let mut declares: Vec<Option<usize>> = vec![None; cfg.graph.edge_count()];
        for e in cfg.graph.edge_indices() {
            let stmt = match cfg.graph[e].action {
                Action::Stmt(stmt) | Action::Branch { stmt, .. } => stmt,
                Action::Skip => continue,
            };
            let mut note = |v: VarId| {
                let mut found = |v: &VarId| {
                    if let Some(n) = numbers.get(v)
                        && mentions[*n].last() != Some(&e)
                    {
                        mentions[*n].push(e);
                    }
                };
                found(&v);
                cfg.program.variable(v).ty.lengths().for_each(|v| found(&v));
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
        }
        let mut kept_at: Vec<Vec<NodeIndex>> = vec![Vec::new(); count];
        for (node, v) in kept {
            if let Some(n) = numbers.get(v) {
                kept_at[*n].push(*node);
            }
        }
        Uses { mentions, declares, kept_at }
    }

    /// Marks where a candidate is live: it is mentioned on some path from there, and not declared
    /// again before.
    fn live(&self, cfg: &Cfg<'_>, n: usize, live: &mut Marks) {
        live.clear();
        self.kept_at[n].iter().for_each(|node| live.mark(*node));
        for e in &self.mentions[n] {
            if self.declares[e.index()] != Some(n)
                && let Some((source, _)) = cfg.graph.edge_endpoints(*e)
            {
                live.mark(source);
            }
        }
        let mut looked = 0;
        while let Some(node) = live.marked.get(looked).copied() {
            looked += 1;
            for e in cfg.graph.edges_directed(node, Direction::Incoming) {
                if self.declares[e.id().index()] != Some(n) {
                    live.mark(e.source());
                }
            }
        }
    }

    /// The edges on which a candidate dies.
    fn dying(&self, cfg: &Cfg<'_>, n: usize, live: &Marks) -> Vec<EdgeIndex> {
        let outgoing = live.marked.iter().flat_map(|node| cfg.graph.edges(*node).map(|e| e.id()));
        let mut dying: Vec<EdgeIndex> = outgoing.chain(self.mentions[n].iter().copied()).collect();
        dying.retain(|e| cfg.graph.edge_endpoints(*e).is_some_and(|(_, target)| !live.is_marked(target)));
        dying.sort_unstable();
        dying.dedup();
        dying
    }
}

/// A set of nodes that is emptied in the time it took to fill.
struct Marks {
    set: BitVec,
    marked: Vec<NodeIndex>,
}

impl Marks {
    fn new(nodes: usize) -> Marks {
        Marks { set: BitVec::repeat(false, nodes), marked: Vec::new() }
    }

    fn mark(&mut self, node: NodeIndex) {
        if !self.set.replace(node.index(), true) {
            self.marked.push(node);
        }
    }

    fn is_marked(&self, node: NodeIndex) -> bool {
        self.set[node.index()]
    }

    fn clear(&mut self) {
        for node in self.marked.drain(..) {
            self.set.set(node.index(), false);
        }
    }
}
