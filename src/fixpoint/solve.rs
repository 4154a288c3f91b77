//! The worklist solver.
//!
//! **Strategy.** Bourdoncle's *recursive* one (see [`super::Wto`]): a component is iterated until
//! its head is stable, inner components first each time, before any node after it is evaluated.
//! Here a worklist in the weak topological order drives the iteration, so that nodes whose
//! predecessors did not change are not evaluated again. A node in no component is evaluated once.
//!
//! **Widening** happens at heads of components only. Each time a component is entered, the head
//! takes the incoming value (joined with what an earlier visit left there). The next
//! [`SolverConfig::widening_delay`] changes are joined, and every later change is widened. A join
//! never follows a widening; that would break termination for octagons (Miné, "The octagon abstract
//! domain", HOSC 19, 2006: an octagon that is closed between widenings may grow for ever). An inner
//! component that is entered again starts to count again. This terminates because the outer heads'
//! own chains end.
//!
//! **Descending.** When a component is left in which something was widened, passes without widening
//! follow (`descend.rs`).
//!
//! **Budget.** When it runs out, every node that an unfinished node reaches becomes top. The
//! remaining nodes form a post-fixpoint: each of its nodes was evaluated after the last change of
//! its predecessors.

use super::Wto;
use super::analysis::{Analysis, HeadEvent};
use super::check::check_post_fixpoint;
use crate::clock;
use bitvec::vec::BitVec;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use smalti_core::{Lattice, Thresholds};
use std::collections::BTreeMap;
use std::time::Instant;

/// How to iterate.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// How many changes of a head are joined, after the value that enters its component, before
    /// changes are widened.
    pub widening_delay: u32,
    /// The thresholds at which widening stops before infinity.
    pub thresholds: Thresholds,
    /// Thresholds of single heads, instead of `thresholds`.
    pub head_thresholds: BTreeMap<NodeIndex, Thresholds>,
    /// How many widenings of a head, each time its component is entered, stop at its thresholds.
    /// Bounds climb from one to the next, each at its own pace, so that a long list could cost many
    /// rounds; the widenings after these stop at `last_thresholds` alone.
    pub threshold_widenings: u32,
    /// The thresholds of the widenings after the first `threshold_widenings`.
    pub last_thresholds: Thresholds,
    /// The most passes without widening each time that a component has become stable.
    pub descending: u32,
    /// Whether to check the result with [`check_post_fixpoint`]. Builds with debug assertions
    /// always do.
    pub verify: bool,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// How many transfer functions may be applied before giving up.
    pub max_steps: Option<u64>,
}

impl Default for SolverConfig {
    fn default() -> Self {
        SolverConfig {
            widening_delay: 1,
            thresholds: Thresholds::default(),
            head_thresholds: BTreeMap::new(),
            threshold_widenings: 10,
            last_thresholds: Thresholds::default(),
            descending: 2,
            verify: false,
            deadline: None,
            max_steps: None,
        }
    }
}

/// What happened at the head of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeadStatistics {
    /// How often it was evaluated while states grew: the iterations of its loop, including the last
    /// one, which found it stable. For a loop inside another, the total over all its visits.
    pub iterations: u32,
    /// How often a change was joined, entering values not counted.
    pub joins: u32,
    /// How often a change was widened.
    pub widenings: u32,
    /// How many descending passes over its component were kept.
    pub descents: u32,
}

/// Why a solution is coarser than requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The deadline passed.
    Deadline,
    /// The number of transfer functions was used up.
    Steps,
    /// The independent check failed again and again: the analysis breaks its contract, or its
    /// inclusion test is too weak. Every reachable node is top.
    Unverified,
}

/// What holds at each node.
#[derive(Clone, Debug)]
pub struct Solution<S> {
    /// By node index; bottom at nodes that no state reaches. Always sound: every run that starts in
    /// the entry state stays inside.
    pub states: Vec<S>,
    /// What happened at each head that was evaluated.
    pub heads: BTreeMap<NodeIndex, HeadStatistics>,
    /// `None` if the iteration ended by itself; else the reason why some states are top.
    pub exhausted: Option<Exhausted>,
    /// What the independent check found; `None` if it was not requested or there was no time for
    /// it.
    pub verified: Option<bool>,
    /// How many transfer functions were applied, without those of the independent check.
    pub steps: u64,
}

impl<S> Solution<S> {
    /// The state at a node.
    pub fn state(&self, node: NodeIndex) -> &S {
        &self.states[node.index()]
    }

    /// Whether the iteration ended by itself.
    pub fn complete(&self) -> bool {
        self.exhausted.is_none()
    }
}

/// The most nodes that fail the independent check and are put back into the worklist.
const MOST_REPAIRS: u32 = 8;

/// The least post-fixpoint that the strategy finds, from `entry` (the entry node of `wto`).
pub fn solve<N, E, A: Analysis>(
    graph: &DiGraph<N, E>,
    entry: NodeIndex,
    wto: &Wto,
    analysis: &A,
    config: &SolverConfig,
) -> Solution<A::State> {
    let mut solver = Solver {
        graph,
        entry,
        wto,
        analysis,
        config,
        incoming: Incoming::of(graph),
        states: vec![analysis.bottom(); graph.node_count()],
        work: BitVec::repeat(false, wto.order().len()),
        range: 0..wto.order().len(),
        restarts: 0,
        open: Vec::new(),
        heads: BTreeMap::new(),
        steps: 0,
    };
    if let Some(start) = wto.position(entry) {
        solver.work.set(start, true);
    }
    let mut exhausted = solver.stabilise().err();
    if exhausted.is_some() {
        solver.give_up();
    }
    let mut verified = None;
    if config.verify || cfg!(any(debug_assertions, test)) {
        let mut repairs = 0;
        while exhausted != Some(Exhausted::Deadline) {
            let held = check_post_fixpoint(graph, entry, analysis, &solver.states);
            verified = Some(held.is_ok());
            let Err(edge) = held else { break };
            let ends = edge.and_then(|e| graph.edge_endpoints(e));
            let target = wto.position(ends.map_or(entry, |(_, to)| to));
            if let Some(target) = target.filter(|_| repairs < MOST_REPAIRS && exhausted.is_none()) {
                // An inclusion test may fail to recognise an inclusion. Then the node grows until
                // it does.
                repairs += 1;
                solver.work.set(target, true);
                exhausted = solver.stabilise().err();
                if exhausted.is_some() {
                    solver.give_up();
                }
                continue;
            }
            let why = edge
                .zip(ends)
                .map(|(e, (from, to))| analysis.explain(e, &solver.states[from.index()], &solver.states[to.index()]));
            log::error!("the result is no post-fixpoint at edge {edge:?}: {}", why.unwrap_or_default());
            exhausted = Some(Exhausted::Unverified);
            for node in wto.order() {
                solver.states[node.index()] = analysis.top();
            }
            break;
        }
    }
    let Solver { states, heads, steps, .. } = solver;
    Solution { states, heads, exhausted, verified, steps }
}

/// The edges into every node, in the order in which they were added: at a loop's head, the edge
/// that enters the loop comes first.
pub(super) struct Incoming {
    first: Vec<usize>,
    pub(super) edges: Vec<(EdgeIndex, NodeIndex)>,
}

impl Incoming {
    fn of<N, E>(graph: &DiGraph<N, E>) -> Incoming {
        let mut first = Vec::with_capacity(graph.node_count() + 1);
        let mut edges = Vec::with_capacity(graph.edge_count());
        first.push(0);
        for node in graph.node_indices() {
            let start = edges.len();
            edges.extend(graph.edges_directed(node, petgraph::Direction::Incoming).map(|e| (e.id(), e.source())));
            edges[start..].sort_unstable();
            first.push(edges.len());
        }
        Incoming { first, edges }
    }

    pub(super) fn range(&self, node: NodeIndex) -> std::ops::Range<usize> {
        self.first[node.index()]..self.first[node.index() + 1]
    }
}

/// A component that is being iterated.
pub(super) struct Open {
    /// The head's position.
    head: usize,
    /// One past the component's last position.
    end: usize,
    /// Whether the head was evaluated since.
    entered: bool,
    /// Changes joined since it was entered.
    joins: u32,
    /// Changes widened since it was entered.
    widenings: u32,
}

pub(super) struct Solver<'a, N, E, A: Analysis> {
    pub(super) graph: &'a DiGraph<N, E>,
    pub(super) entry: NodeIndex,
    pub(super) wto: &'a Wto,
    pub(super) analysis: &'a A,
    pub(super) config: &'a SolverConfig,
    pub(super) incoming: Incoming,
    pub(super) states: Vec<A::State>,
    /// The worklist, by position. The state of a node that is not in it contains all that its
    /// predecessors send.
    pub(super) work: BitVec,
    /// The positions that are being processed: all, or those of one component.
    pub(super) range: std::ops::Range<usize>,
    /// How many components are being solved again, one inside the other.
    pub(super) restarts: u32,
    /// The components around the current position, outermost first.
    pub(super) open: Vec<Open>,
    pub(super) heads: BTreeMap<NodeIndex, HeadStatistics>,
    pub(super) steps: u64,
}

impl<N, E, A: Analysis> Solver<'_, N, E, A> {
    /// Iterates until the worklist has no position in `range`.
    pub(super) fn stabilise(&mut self) -> Result<(), Exhausted> {
        let outside = self.open.len();
        let mut at = self.range.start;
        loop {
            let end = if self.open.len() > outside { self.open[self.open.len() - 1].end } else { self.range.end };
            if let Some(n) = self.work[at..end].first_one() {
                at += n;
                self.visit(at)?;
                continue;
            }
            if self.open.len() == outside {
                return Ok(());
            }
            // Edges back lead to heads of components around their source, so the remaining work
            // inside starts at the head.
            let head = self.open[self.open.len() - 1].head;
            if let Some(n) = self.work[head..end].first_one() {
                at = head + n;
                continue;
            }
            at = end;
            if self.open.pop().is_some_and(|component| component.widenings > 0) {
                self.descend(head, end);
            }
        }
    }

    /// Evaluates the node at that position, which is in the worklist.
    fn visit(&mut self, at: usize) -> Result<(), Exhausted> {
        self.open_around(at);
        let node = self.wto.order()[at];
        let new = self.evaluate(node)?;
        self.work.set(at, false);
        let changed = match self.wto.component_end(at) {
            Some(_) => self.grow_head(node, new),
            None => {
                let old = &self.states[node.index()];
                // Every cycle leads through a head, and iteration ends there. At other nodes, a
                // change that is not a real one only costs a few more steps.
                let changed = if old.is_bottom() { !new.is_bottom() } else { !new.leq_at_once(old) };
                if changed {
                    self.states[node.index()] = new;
                }
                changed
            }
        };
        if changed {
            self.announce(node);
        }
        Ok(())
    }

    /// Opens the components that contain the position. Their heads may not have been visited: an
    /// irreducible component is entered elsewhere, and nothing need arrive at its head.
    fn open_around(&mut self, at: usize) {
        let opened = self.open.len();
        let (floor, outer) = (self.range.start, self.open.last().map(|c| c.head));
        let mut inner = if self.wto.component_end(at).is_some() { Some(at) } else { self.wto.enclosing_head(at) };
        let is_new = |head: &usize| *head >= floor && outer != Some(*head);
        while let Some(head) = inner.filter(is_new) {
            let end = self.wto.component_end(head).unwrap_or(head + 1);
            self.open.push(Open { head, end, entered: false, joins: 0, widenings: 0 });
            inner = self.wto.enclosing_head(head);
        }
        self.open[opened..].reverse();
    }

    /// Lets the head of the innermost open component grow by `new`. Returns whether it changed.
    fn grow_head(&mut self, node: NodeIndex, new: A::State) -> bool {
        let statistics = self.heads.entry(node).or_default();
        statistics.iterations += 1;
        let Some(component) = self.open.last_mut() else { return false };
        let entering = !std::mem::replace(&mut component.entered, true);
        let old = &mut self.states[node.index()];
        if old.is_bottom() {
            let changed = !new.is_bottom();
            *old = new;
            if changed {
                self.analysis.observe(node, HeadEvent::Entered, old);
            }
            return changed;
        }
        if new.leq(old) {
            self.analysis.observe(node, HeadEvent::Stable, old);
            return false;
        }
        let event;
        if entering {
            event = HeadEvent::Entered;
            old.join_with(&new);
        } else if component.joins < self.config.widening_delay {
            event = HeadEvent::Joined;
            component.joins += 1;
            statistics.joins += 1;
            old.join_with(&new);
        } else {
            event = HeadEvent::Widened;
            component.widenings += 1;
            statistics.widenings += 1;
            let thresholds = match self.config.head_thresholds.get(&node) {
                _ if component.widenings > self.config.threshold_widenings => &self.config.last_thresholds,
                Some(own) => own,
                None => &self.config.thresholds,
            };
            let mut next = old.clone();
            next.join_with(&new);
            *old = A::State::widen(old, &next, thresholds);
        }
        self.analysis.observe(node, event, old);
        true
    }

    /// The join of the states that arrive at the node.
    pub(super) fn evaluate(&mut self, node: NodeIndex) -> Result<A::State, Exhausted> {
        let mut all = (node == self.entry).then(|| self.analysis.entry());
        for n in self.incoming.range(node) {
            let (edge, source) = self.incoming.edges[n];
            let state = &self.states[source.index()];
            if state.is_bottom() {
                continue;
            }
            if self.config.max_steps.is_some_and(|most| self.steps >= most) {
                return Err(Exhausted::Steps);
            }
            if self.config.deadline.is_some_and(|deadline| clock::now() >= deadline) {
                return Err(Exhausted::Deadline);
            }
            self.steps += 1;
            let out = self.analysis.transfer(edge, state);
            match &mut all {
                _ if out.is_bottom() => {}
                Some(all) => all.join_with(&out),
                None => all = Some(out),
            }
        }
        Ok(all.unwrap_or_else(|| self.analysis.bottom()))
    }

    /// Puts the successors of the node into the worklist.
    pub(super) fn announce(&mut self, node: NodeIndex) {
        for successor in self.graph.neighbors(node) {
            if let Some(at) = self.wto.position(successor).filter(|p| self.range.contains(p)) {
                self.work.set(at, true);
            }
        }
    }

    /// Sets to top the nodes that are not known to be stable: those in the worklist and all nodes
    /// that they reach.
    fn give_up(&mut self) {
        let order = self.wto.order();
        let mut stack: Vec<NodeIndex> = self.work.iter_ones().map(|at| order[at]).collect();
        let mut seen: BitVec = BitVec::repeat(false, self.graph.node_count());
        while let Some(node) = stack.pop() {
            if !seen.replace(node.index(), true) {
                self.states[node.index()] = self.analysis.top();
                stack.extend(self.graph.neighbors(node));
            }
        }
    }
}
