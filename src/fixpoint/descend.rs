//! Descending passes over a component that is stable.
//!
//! A component in which something was widened is evaluated up to
//! [`super::SolverConfig::descending`] times without widening, right when it is left. So nodes
//! after it only ever receive the better result. There is no narrowing operator: the number of
//! passes bounds the sequence. A pass is kept only if every edge that it touched still leads into
//! the states; else it is undone. Doing this for inner components while outer ones still grow, and
//! starting inner components from bottom again in a pass over an outer one, follows Amato and
//! Scozzari, "Localizing widening and narrowing", SAS 2013: a value that the outer head has given
//! up would otherwise feed itself around the inner loop for ever.

use super::analysis::{Analysis, HeadEvent};
use super::check::edge_holds;
use super::solve::{Exhausted, Solver};
use bitvec::vec::BitVec;
use petgraph::graph::NodeIndex;
use smalti_core::Lattice;
use std::collections::{BTreeSet, HashMap};

/// The deepest nesting of components that are solved again inside one another. Each level
/// multiplies the time, and recurses.
const MOST_RESTARTS: u32 = 6;

/// A state that a descending pass replaced. A pass replaces no state twice.
struct Replaced<S> {
    node: NodeIndex,
    before: S,
    /// Whether the new state is the join of what all sources of the node sent at that time.
    joined: bool,
}

impl<N, E, A: Analysis> Solver<'_, N, E, A> {
    /// Evaluates the stable component without widening, while that gains something.
    pub(super) fn descend(&mut self, head: usize, end: usize) {
        for _ in 0..self.config.descending {
            let mut pass = Vec::new();
            let finished = self.descending_pass(head, end, &mut pass);
            if pass.is_empty() {
                return;
            }
            if finished.is_err() || !self.holds_around(head, end, &pass) {
                for Replaced { node, before, .. } in pass {
                    self.states[node.index()] = before;
                }
                return;
            }
            self.heads.entry(self.wto.order()[head]).or_default().descents += 1;
            // Nodes outside contain what was sent before, which was larger. The solver evaluates
            // them again to find out whether they change. Edges inside were just checked.
            for Replaced { node, .. } in pass {
                self.announce(node);
                if self.wto.order()[head] == node {
                    self.analysis.observe(node, HeadEvent::Descended, &self.states[node.index()]);
                }
            }
            self.work[head..end].fill(false);
        }
    }

    /// Evaluates the head at that position and, in order, all nodes of its component that a change
    /// reaches. Puts the replaced states into `pass`.
    fn descending_pass(
        &mut self,
        head: usize,
        end: usize,
        pass: &mut Vec<Replaced<A::State>>,
    ) -> Result<(), Exhausted> {
        let mut pending: BitVec = BitVec::repeat(false, end - head);
        pending.set(0, true);
        let mut at = head;
        while let Some(n) = pending[at - head..].first_one() {
            at += n;
            pending.set(at - head, false);
            let first = pass.len();
            let inner = self.wto.component_end(at).filter(|_| at != head);
            match inner {
                Some(inner_end) if self.restart(at, inner_end, pass)? => at = inner_end,
                _ => {
                    self.lower(at, pass)?;
                    at += 1;
                }
            }
            for replaced in &pass[first..] {
                for successor in self.graph.neighbors(replaced.node) {
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

    /// Evaluates the node at that position without widening. The state of a head only ever becomes
    /// smaller. The state of another node is exactly what arrives there.
    fn lower(&mut self, at: usize, pass: &mut Vec<Replaced<A::State>>) -> Result<(), Exhausted> {
        let node = self.wto.order()[at];
        let new = self.evaluate(node)?;
        let old = &mut self.states[node.index()];
        if !old.leq(&new) && (self.wto.component_end(at).is_none() || new.leq(old)) {
            pass.push(Replaced { node, before: std::mem::replace(old, new), joined: true });
        }
        Ok(())
    }

    /// Solves the component again from bottom, for what arrives there now. Returns whether the
    /// result was taken. It is not taken if its head would grow. Nothing is solved inside too many
    /// other components that are being solved again.
    fn restart(&mut self, head: usize, end: usize, pass: &mut Vec<Replaced<A::State>>) -> Result<bool, Exhausted> {
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
            pass.extend(old.into_iter().map(|(node, before)| Replaced { node, before, joined: false }));
            return Ok(true);
        }
        self.work[head..end].fill(false);
        for (node, state) in old {
            self.states[node.index()] = state;
        }
        result.map(|()| false)
    }

    /// Whether all edges into changed nodes, and into what follows them inside the component, lead
    /// into the states. For the nodes that follow, *all* edges are checked: the test of one edge
    /// may have succeeded only together with another edge, whose source has changed. A node whose
    /// new state is the join of what its sources send needs no check, unless one of these sources,
    /// perhaps the node itself, was replaced no earlier than the node.
    fn holds_around(&self, head: usize, end: usize, pass: &[Replaced<A::State>]) -> bool {
        let turn: HashMap<NodeIndex, usize> = pass.iter().enumerate().map(|(turn, r)| (r.node, turn)).collect();
        let is_earlier = |n: NodeIndex, than: usize| turn.get(&n).is_none_or(|turn| *turn < than);
        let inside = |n: &NodeIndex| self.wto.position(*n).is_some_and(|p| (head..end).contains(&p));
        let successors = pass.iter().flat_map(|r| self.graph.neighbors(r.node)).filter(inside);
        let targets: BTreeSet<NodeIndex> = pass.iter().map(|r| r.node).chain(successors).collect();
        let holds = |edge| edge_holds(self.graph, self.entry, self.analysis, &self.states, edge);
        targets.into_iter().all(|node| {
            let edges = &self.incoming.edges[self.incoming.range(node)];
            let joined = turn.get(&node).filter(|turn| pass[**turn].joined);
            joined.is_some_and(|turn| edges.iter().all(|(_, source)| is_earlier(*source, *turn)))
                || (node != self.entry || self.analysis.entry().leq(&self.states[node.index()]))
                    && edges.iter().all(|(edge, _)| holds(*edge))
        })
    }
}
