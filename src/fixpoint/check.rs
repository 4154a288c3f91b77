//! The independent check of a solution.

use super::analysis::Analysis;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use smalti_core::Lattice;

/// Checks that `states` (by node index) is a post-fixpoint: the state at `entry` contains the
/// entry's state, and for each edge, the transfer function applied to its source's state gives a
/// state that lies in its target's state. The check does not depend on how the states were found,
/// not even on the order.
///
/// # Errors
/// `Err(Some(edge))` names the first edge that leads out of the states, `Err(None)` says that the
/// state at `entry` does not contain the entry's state.
pub fn check_post_fixpoint<N, E, A: Analysis>(
    graph: &DiGraph<N, E>,
    entry: NodeIndex,
    analysis: &A,
    states: &[A::State],
) -> Result<(), Option<EdgeIndex>> {
    if !analysis.entry().leq(&states[entry.index()]) {
        return Err(None);
    }
    match graph.edge_indices().find(|e| !edge_holds(graph, entry, analysis, states, *e)) {
        Some(edge) => Err(Some(edge)),
        None => Ok(()),
    }
}

/// Whether the state after the edge lies in its target's state.
pub(super) fn edge_holds<N, E, A: Analysis>(
    graph: &DiGraph<N, E>,
    entry: NodeIndex,
    analysis: &A,
    states: &[A::State],
    edge: EdgeIndex,
) -> bool {
    let Some((source, target)) = graph.edge_endpoints(edge) else { return false };
    if states[source.index()].is_bottom() {
        return true;
    }
    let out = analysis.transfer(edge, &states[source.index()]);
    if out.leq(&states[target.index()]) {
        return true;
    }
    // An inclusion test may answer `false` for a part and `true` for the whole; the whole is as
    // good a proof. The order of the joins can matter for such a test: it is the order in which the
    // edges were added.
    let mut all = if target == entry { analysis.entry() } else { analysis.bottom() };
    let mut incoming: Vec<(EdgeIndex, NodeIndex)> =
        graph.edges_directed(target, petgraph::Direction::Incoming).map(|e| (e.id(), e.source())).collect();
    incoming.sort_unstable();
    for (other, source) in incoming {
        let from = &states[source.index()];
        if !from.is_bottom() {
            all.join_with(&analysis.transfer(other, from));
        }
    }
    all.leq(&states[target.index()])
}
