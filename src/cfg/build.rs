//! Builds the graph. Recursion follows the nesting of statements only, never the length of a block.

use super::peel::{CfgConfig, Jumps, Peeling};
use super::{Action, Cfg, Edge, LoopNodes, Occurrence, Point, PointKind};
use crate::program::{Expr, FunctionId, LabelId, Loop, LoopId, LoopKind, Program, Stmt, StmtKind};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, HashMap};

impl<'p> Cfg<'p> {
    /// The graph of the program: its initialisers, then the body of its entry function.
    ///
    /// # Panics
    /// If a `goto` has no label, or a `break` or `continue` no loop, in the function: whatever
    /// built such a `Program` has a bug. An entry function without a body returns at once.
    pub fn build(program: &'p Program, config: &CfgConfig) -> Cfg<'p> {
        build(program, program.entry, &program.initialisers, config)
    }

    /// The graph of one function on its own, without the initialisers.
    ///
    /// # Panics
    /// Like [`Cfg::build`].
    pub fn of_function(program: &'p Program, function: FunctionId, config: &CfgConfig) -> Cfg<'p> {
        build(program, function, &[], config)
    }
}

fn build<'p>(program: &'p Program, function: FunctionId, initialisers: &'p [Stmt], config: &CfgConfig) -> Cfg<'p> {
    let body = program.function(function).body.as_deref().unwrap_or(&[]);
    let mut graph = DiGraph::new();
    let outside = |place| Point { place, peeled: None };
    let entry = graph.add_node(outside(PointKind::Entry));
    let exit = graph.add_node(outside(PointKind::Exit));
    let stopped = graph.add_node(outside(PointKind::Stopped));
    let cfg =
        Cfg { program, function, graph, entry, exit, stopped, occurrences: BTreeMap::new(), loops: BTreeMap::new() };
    let mut builder = Builder {
        cfg,
        peeling: Peeling::new(config, body),
        peeled: None,
        labels: HashMap::new(),
        missing: 0,
        loops: Vec::new(),
    };
    let at = builder.block(initialisers, entry);
    let at = builder.block(body, at);
    builder.skip(at, exit);
    assert_eq!(builder.missing, 0, "every goto has its label in the function");
    builder.cfg
}

/// Where `break` and `continue` go.
struct Around {
    after: NodeIndex,
    step: NodeIndex,
}

struct Label {
    node: NodeIndex,
    placed: bool,
}

struct Builder<'p> {
    cfg: Cfg<'p>,
    peeling: Peeling,
    /// The innermost peeled copy that is being built.
    peeled: Option<(LoopId, u32)>,
    /// The labels met so far; the labels inside a loop are forgotten before each copy of it.
    labels: HashMap<LabelId, Label>,
    /// How many of `labels` are not placed.
    missing: usize,
    loops: Vec<Around>,
}

impl<'p> Builder<'p> {
    fn node(&mut self, place: PointKind<'p>) -> NodeIndex {
        self.cfg.graph.add_node(Point { place, peeled: self.peeled })
    }

    fn edge(&mut self, from: NodeIndex, to: NodeIndex, action: Action<'p>) {
        self.cfg.graph.add_edge(from, to, Edge { action });
    }

    fn skip(&mut self, from: NodeIndex, to: NodeIndex) {
        self.edge(from, to, Action::Skip);
    }

    /// An edge for one outcome of a condition, unless a constant excludes it.
    fn branch(&mut self, from: NodeIndex, to: NodeIndex, stmt: &'p Stmt, condition: &'p Expr, holds: bool) {
        if condition.as_int().is_none_or(|value| (value != 0) == holds) {
            self.edge(from, to, Action::Branch { stmt, condition, holds });
        }
    }

    /// Builds the statements one after the other, from the node `at`; returns the node after them.
    fn block(&mut self, block: &'p [Stmt], mut at: NodeIndex) -> NodeIndex {
        for stmt in block {
            // A node between two statements is after the first and before the second. The entry and
            // the starts of branches keep their own [`PointKind`].
            let before = at;
            at = self.stmt(stmt, before);
            self.cfg.occurrences.entry(stmt.site).or_default().push(Occurrence { stmt, before, after: at });
        }
        at
    }

    fn stmt(&mut self, stmt: &'p Stmt, before: NodeIndex) -> NodeIndex {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block, before),
            StmtKind::If(condition, then, otherwise) => {
                let mut ends = [before; 2];
                for (end, (block, holds)) in ends.iter_mut().zip([(then, true), (otherwise, false)]) {
                    let start = self.node(PointKind::Branch(stmt, holds));
                    self.branch(before, start, stmt, condition, holds);
                    *end = self.block(block, start);
                }
                let after = self.node(PointKind::After(stmt));
                ends.into_iter().for_each(|end| self.skip(end, after));
                after
            }
            StmtKind::Loop(details) => self.whole_loop(stmt, details, before),
            StmtKind::Label(label, _) => {
                let node = self.label(*label, true);
                self.cfg.graph[node].place = PointKind::After(stmt);
                self.skip(before, node);
                node
            }
            StmtKind::Goto(label) => {
                let node = self.label(*label, false);
                self.jump(stmt, before, node, Action::Skip)
            }
            StmtKind::Break | StmtKind::Continue => {
                let around = self.loops.last().expect("break and continue stand in a loop");
                let to = if matches!(stmt.kind, StmtKind::Break) { around.after } else { around.step };
                self.jump(stmt, before, to, Action::Skip)
            }
            StmtKind::Return(_) => self.jump(stmt, before, self.cfg.exit, Action::Stmt(stmt)),
            StmtKind::Stop => self.jump(stmt, before, self.cfg.stopped, Action::Stmt(stmt)),
            StmtKind::Declare(_)
            | StmtKind::Assign(..)
            | StmtKind::Input(..)
            | StmtKind::Zero(_)
            | StmtKind::Havoc(_)
            | StmtKind::HavocReachable(_)
            | StmtKind::Blocks(_)
            | StmtKind::Allocate { .. }
            | StmtKind::Call { .. }
            | StmtKind::Assume(_)
            | StmtKind::Assert(..)
            | StmtKind::Claim(_) => {
                let after = self.node(PointKind::After(stmt));
                self.edge(before, after, Action::Stmt(stmt));
                after
            }
            StmtKind::Snapshot(_) | StmtKind::Presume(_) | StmtKind::Skip => {
                let after = self.node(PointKind::After(stmt));
                self.skip(before, after);
                after
            }
        }
    }

    /// Adds the edge of a jump, and returns the node after the jump, where nothing arrives.
    fn jump(&mut self, stmt: &'p Stmt, from: NodeIndex, to: NodeIndex, action: Action<'p>) -> NodeIndex {
        self.edge(from, to, action);
        self.node(PointKind::After(stmt))
    }

    /// The node of a label that is being placed or is the target of a jump.
    fn label(&mut self, id: LabelId, place: bool) -> NodeIndex {
        if let Some(label) = self.labels.get_mut(&id) {
            if place && !std::mem::replace(&mut label.placed, true) {
                self.missing -= 1;
            }
            return label.node;
        }
        // Its place is known when the label's statement is met.
        let node = self.node(PointKind::Exit);
        self.labels.insert(id, Label { node, placed: place });
        self.missing += usize::from(!place);
        node
    }

    fn whole_loop(&mut self, stmt: &'p Stmt, details: &'p Loop, before: NodeIndex) -> NodeIndex {
        let after = self.node(PointKind::After(stmt));
        let outer = self.peeled;
        let copies = self.peeling.enter(self.cfg.program, details);
        let inside = if copies == 0 { Jumps::default() } else { Jumps::inside(details) };
        let mut peeled = Vec::new();
        for copy in 0..copies {
            self.peeled = Some((details.id, copy));
            peeled.push(self.node(PointKind::PeelHead(stmt)));
        }
        self.peeled = outer;
        let head = self.node(PointKind::LoopHead(stmt));
        self.skip(before, peeled.first().copied().unwrap_or(head));
        for copy in 0..copies {
            self.peeled = Some((details.id, copy));
            let next = peeled.get(copy as usize + 1).copied().unwrap_or(head);
            self.iteration(stmt, details, peeled[copy as usize], next, after);
            // The next copy has its own labels; no jump from outside has them as its target.
            for label in inside.labels() {
                self.labels.remove(&label);
            }
        }
        self.peeled = outer;
        self.iteration(stmt, details, head, head, after);
        self.peeling.leave(copies);
        let nodes = LoopNodes { stmt, details, before, peeled, head, after };
        self.cfg.loops.entry(details.id).or_default().push(nodes);
        after
    }

    /// Builds one iteration that starts at `head`; the following iteration starts at `next`.
    fn iteration(&mut self, stmt: &'p Stmt, details: &'p Loop, head: NodeIndex, next: NodeIndex, after: NodeIndex) {
        let step = self.node(PointKind::LoopStep(stmt));
        let condition = &details.condition;
        let start = if details.kind == LoopKind::DoWhile {
            head
        } else {
            let start = self.node(PointKind::Branch(stmt, true));
            self.branch(head, start, stmt, condition, true);
            self.branch(head, after, stmt, condition, false);
            start
        };
        self.loops.push(Around { after, step });
        let end = self.block(&details.body, start);
        self.loops.pop();
        self.skip(end, step);
        let end = self.block(&details.step, step);
        if details.kind == LoopKind::DoWhile {
            let test = self.node(PointKind::LoopTest(stmt));
            self.skip(end, test);
            self.branch(test, next, stmt, condition, true);
            self.branch(test, after, stmt, condition, false);
        } else {
            self.skip(end, next);
        }
    }
}
