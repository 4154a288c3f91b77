//! Descending passes over a component that is stable.
//!
//! A component in which something was widened is evaluated up to [`super::SolverConfig::descending`] times without widening, right when
//! it is left, so that what lies behind it only ever sees the better result. There is no narrowing operator: the number of
//! passes bounds the sequence. A pass is kept only if every edge that it touched still leads into the states; else it is
//! undone. Doing this for inner components while outer ones still grow, and starting inner components from bottom again in a
//! pass over an outer one, follows Amato and Scozzari, "Localizing widening and narrowing", SAS 2013: a value that the
//! outer head has given up would otherwise feed itself around the inner loop for ever.

use super::Analysis;
use super::check::edge_holds;
use super::solve::{Exhausted, HeadEvent, Solver};
use bitvec::vec::BitVec;
use petgraph::graph::NodeIndex;
use smalti_core::Lattice;
use std::collections::{BTreeSet, HashMap};

/// Components are solved again at most this deep inside one another: each level multiplies the time, and recurses.
const MOST_RESTARTS: u32 = 6;

/// What one descending pass did, in the order in which it did it.
struct Pass<S> {
    /// The states that were replaced.
    before: Vec<(NodeIndex, S)>,
    /// How many things happened so far.
    clock: usize,
    /// When the state of a node was replaced last.
    replaced: HashMap<NodeIndex, usize>,
    /// When the state of a node was last made the join of what all edges brought to it.
    covered: HashMap<NodeIndex, usize>,
}

// Not derived, which would ask it of the states.
impl<S> Default for Pass<S> {
    fn default() -> Self {
        Pass { before: Vec::new(), clock: 0, replaced: HashMap::new(), covered: HashMap::new() }
    }
}

impl<S> Pass<S> {
    /// The node got a new state, for this one.
    fn replace(&mut self, node: NodeIndex, before: S) {
        self.before.push((node, before));
        self.clock += 1;
        self.replaced.insert(node, self.clock);
    }

    /// The node's state is the join of what its sources send in the states that they have now.
    fn cover(&mut self, node: NodeIndex) {
        self.clock += 1;
        self.covered.insert(node, self.clock);
    }

    /// Whether the node's state is known to hold what these sources send: it is the join of that,
    /// and none of them has changed since. If one has, nothing is known of the others either: that
    /// they hold may be seen only in the join with it.
    fn is_covered(&self, node: NodeIndex, mut sources: impl Iterator<Item = NodeIndex>) -> bool {
        let covered = self.covered.get(&node);
        covered.is_some_and(|then| sources.all(|source| self.replaced.get(&source).is_none_or(|now| now < then)))
    }
}

impl<N, E, A: Analysis> Solver<'_, N, E, A> {
    /// Evaluates the stable component without widening, while that gains something.
    pub(super) fn descend(&mut self, head: usize, end: usize) {
        for _ in 0..self.config.descending {
            let mut pass = Pass::default();
            let finished = self.descending_pass(head, end, &mut pass);
            if pass.before.is_empty() {
                return;
            }
            if finished.is_err() || !self.holds_around(head, end, &pass) {
                for (node, state) in pass.before {
                    self.states[node.index()] = state;
                }
                return;
            }
            self.heads.entry(self.wto.order()[head]).or_default().descents += 1;
            // Those outside hold what was sent before, which was more; whether they can tell is for them to find out. Inside, that
            // was just looked at.
            for (node, _) in pass.before {
                self.announce(node);
                if self.wto.order()[head] == node {
                    self.analysis.observe(node, HeadEvent::Descended, &self.states[node.index()]);
                }
            }
            self.work[head..end].fill(false);
        }
    }

    /// Evaluates the head at that position and, in order, all in its component that hears of a
    /// change. Leaves in `pass` what it replaced.
    fn descending_pass(&mut self, head: usize, end: usize, pass: &mut Pass<A::State>) -> Result<(), Exhausted> {
        let mut pending: BitVec = BitVec::repeat(false, end - head);
        pending.set(0, true);
        let mut at = head;
        while let Some(n) = pending[at - head..].first_one() {
            at += n;
            pending.set(at - head, false);
            let first = pass.before.len();
            let inner = self.wto.component_end(at).filter(|_| at != head);
            match inner {
                Some(inner_end) if self.restart(at, inner_end, pass)? => at = inner_end,
                _ => {
                    self.lower(at, pass)?;
                    at += 1;
                }
            }
            for (node, _) in &pass.before[first..] {
                for successor in self.graph.neighbors(*node) {
                    if let Some(p) = self.wto.position(successor).filter(|p| (at..end).contains(p)) {
                        pending.set(p - head, true);
                    }
                }
            }
            if at == end {
                break;
            }
        }
        Ok(())
    }

    /// Evaluates the node at that position without widening. A head only ever comes down; a node in between is nothing but what arrives.
    fn lower(&mut self, at: usize, pass: &mut Pass<A::State>) -> Result<(), Exhausted> {
        let node = self.wto.order()[at];
        let new = self.evaluate(node)?;
        let old = &mut self.states[node.index()];
        if !old.leq(&new) && (self.wto.component_end(at).is_none() || new.leq(old)) {
            // In this order, so that an edge from the node to itself is looked at.
            pass.cover(node);
            pass.replace(node, std::mem::replace(old, new));
        }
        Ok(())
    }

    /// Solves the component again from bottom, for what arrives there now. Answers whether the result was taken: not if its head
    /// would grow, nor inside too many other components that are being solved again.
    fn restart(&mut self, head: usize, end: usize, pass: &mut Pass<A::State>) -> Result<bool, Exhausted> {
        if self.restarts == MOST_RESTARTS {
            return Ok(false);
        }
        let order = &self.wto.order()[head..end];
        let bottom = self.analysis.bottom();
        let old: Vec<(NodeIndex, A::State)> =
            order.iter().map(|n| (*n, std::mem::replace(&mut self.states[n.index()], bottom.clone()))).collect();
        for (at, node) in (head..end).zip(order) {
            let sources = &self.incoming.edges[self.incoming.range(*node)];
            let from_outside = |n: NodeIndex| self.wto.position(n).is_some_and(|p| !(head..end).contains(&p));
            if *node == self.entry || sources.iter().any(|(_, source)| from_outside(*source)) {
                self.work.set(at, true);
            }
        }
        let range = std::mem::replace(&mut self.range, head..end);
        let open = self.open.len();
        self.restarts += 1;
        let result = self.stabilise();
        self.restarts -= 1;
        self.open.truncate(open);
        self.range = range;
        let (node, was) = &old[0];
        if result.is_ok() && self.states[node.index()].leq(was) {
            old.into_iter().for_each(|(node, state)| pass.replace(node, state));
            return Ok(true);
        }
        self.work[head..end].fill(false);
        for (node, state) in old {
            self.states[node.index()] = state;
        }
        result.map(|()| false)
    }

    /// Whether all edges into changed nodes, and into what follows them inside the component, lead into the states. Of what follows
    /// *all* edges are looked at: that one holds may have been seen together with another one alone, whose source has changed.
    /// Nodes of which the pass has left nothing to ask are not looked at.
    fn holds_around(&self, head: usize, end: usize, pass: &Pass<A::State>) -> bool {
        let inside = |n: &NodeIndex| self.wto.position(*n).is_some_and(|p| (head..end).contains(&p));
        let successors = pass.before.iter().flat_map(|(node, _)| self.graph.neighbors(*node)).filter(inside);
        let targets: BTreeSet<NodeIndex> = pass.before.iter().map(|(node, _)| *node).chain(successors).collect();
        let holds = |edge| edge_holds(self.graph, self.entry, self.analysis, &self.states, edge);
        targets.into_iter().all(|node| {
            let edges = &self.incoming.edges[self.incoming.range(node)];
            pass.is_covered(node, edges.iter().map(|e| e.1))
                || (node != self.entry || self.analysis.entry().leq(&self.states[node.index()]))
                    && edges.iter().all(|e| holds(e.0))
        })
    }
}
