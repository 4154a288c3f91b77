//! The control-flow graph of one function body.
//!
//! [`Cfg::build`] takes the program's entry function, in which calls were inlined before
//! ([`crate::inline`]); calls that remain (recursion, function pointers, external functions) stay
//! statements on edges. Nodes are places between statements; edges carry actions ([`Action`]). Each
//! statement has a node before it and a node after it that no other path leads to. So the state
//! right after a statement is distinct from the state at which paths join.
//!
//! **Loops.** `while (c) body step` has its head where `c` is tested; `do body step while (c)`
//! where the body begins, and tests at a node of its own. The first iterations of some loops are
//! built as copies ahead of the loop (*peeling*, [`CfgConfig`]).
//!
//! **Where runs end.** Returns and the end of the body lead to [`Cfg::exit`],
//! [`Stop`](crate::program::StmtKind::Stop) to [`Cfg::stopped`]. A failing assertion has no edge:
//! it is decided from the state before the assertion, and the edge of the assertion goes on where
//! it holds. Unreachable code (after a `return`) keeps its nodes, which no edge reaches.
//!
//! **Constants.** A branch whose condition is an integer constant has only the edge that it takes,
//! so `do … while (0)` is no loop.

mod build;
mod dot;
mod later;
mod peel;
#[cfg(test)]
mod tests;

pub use later::Later;
pub use peel::{CfgConfig, touches_cells};

use crate::program::{Expr, FunctionId, Loop, LoopId, Program, SiteId, Stmt};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::BTreeMap;

/// A node: a place in the function.
#[derive(Clone, Copy, Debug)]
pub struct Point<'p> {
    /// Its kind of place.
    pub place: PointKind<'p>,
    /// The innermost peeled copy that it lies in: which loop, and which iteration, from 0.
    pub peeled: Option<(LoopId, u32)>,
}

/// The kinds of places that nodes are.
#[derive(Clone, Copy, Debug)]
pub enum PointKind<'p> {
    /// Where execution starts, before the initialisers.
    Entry,
    /// After that statement has run to its end. For an `If` or a loop: where its exits join.
    After(&'p Stmt),
    /// The head of that loop: every iteration passes here. What holds here is the loop invariant.
    LoopHead(&'p Stmt),
    /// Where an iteration in a peeled copy of that loop starts; it corresponds to `LoopHead` of the
    /// loop itself.
    PeelHead(&'p Stmt),
    /// Where that `DoWhile` loop tests.
    LoopTest(&'p Stmt),
    /// Where the step of that loop begins, and `continue` goes.
    LoopStep(&'p Stmt),
    /// The start of a branch of that `If` or of the body of that loop: the condition holds, or does
    /// not.
    Branch(&'p Stmt, bool),
    /// The function returns.
    Exit,
    /// The program ends.
    Stopped,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'p> {
    /// What happens on it.
    pub action: Action<'p>,
}

/// What happens on an edge.
#[derive(Clone, Copy, Debug)]
pub enum Action<'p> {
    /// Nothing.
    Skip,
    /// That statement runs. None of `If Loop Block Label Goto Break Continue Skip`. After an
    /// `Assert` its condition holds; after a `Stop` nothing holds, although the edge leads to
    /// [`Cfg::stopped`].
    Stmt(&'p Stmt),
    /// The condition of that `If` or loop is tested and is not 0 (`holds`) or is 0.
    Branch {
        /// The `If` or loop.
        stmt: &'p Stmt,
        /// Its condition.
        condition: &'p Expr,
        /// Which way it went.
        holds: bool,
    },
}

/// One copy of a statement in the graph.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'p> {
    /// The statement. Copies made by inlining are different statements of the same site.
    pub stmt: &'p Stmt,
    /// Where it starts.
    pub before: NodeIndex,
    /// Where it has run to its end. For a jump, no edge leads there.
    pub after: NodeIndex,
}

/// One copy of a loop in the graph.
#[derive(Clone, Debug)]
pub struct LoopNodes<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The loop in it.
    pub details: &'p Loop,
    /// Before the first test, or the first body of a `DoWhile`.
    pub before: NodeIndex,
    /// Where the peeled iterations start, in order.
    pub peeled: Vec<NodeIndex>,
    /// The head.
    pub head: NodeIndex,
    /// The node after the loop.
    pub after: NodeIndex,
}

/// The control-flow graph of one function.
#[derive(Clone, Debug)]
pub struct Cfg<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: FunctionId,
    /// The graph.
    pub graph: DiGraph<Point<'p>, Edge<'p>>,
    /// Where execution starts.
    pub entry: NodeIndex,
    /// Where the function returns.
    pub exit: NodeIndex,
    /// Where the program ends before the function returns.
    pub stopped: NodeIndex,
    /// The copies of each statement, in the order of the text; initialisers first.
    pub occurrences: BTreeMap<SiteId, Vec<Occurrence<'p>>>,
    /// The copies of each loop.
    pub loops: BTreeMap<LoopId, Vec<LoopNodes<'p>>>,
}

impl<'p> Cfg<'p> {
    /// Where expressions are evaluated: each copy of a statement with the node at which it runs;
    /// for an `If` or a loop, each node at which its condition is tested (a loop has one in every
    /// peeled copy). Branches on constants are left out.
    pub fn evaluations(&self) -> impl Iterator<Item = (NodeIndex, &'p Stmt)> {
        self.graph.edge_references().filter_map(|e| match e.weight().action {
            Action::Stmt(stmt) | Action::Branch { stmt, holds: true, .. } => Some((e.source(), stmt)),
            Action::Branch { .. } | Action::Skip => None,
        })
    }
}
