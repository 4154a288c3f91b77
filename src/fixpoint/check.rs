//! The independent check of a solution.

use super::Analysis;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use smalti_core::Lattice;

/// Whether `states` (by node index) is a post-fixpoint: it holds the entry's state at `entry`, and
/// what an edge makes of its source's state lies in its target's state. Knows nothing of how the
/// states were found, not even the order.
///
/// # Errors
/// `Err(Some(edge))` names the first edge that leads out of the states, `Err(None)` says that the
/// entry's state is not held.
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

/// Whether what the edge makes of its source's state lies in its target's state.
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
    // good a proof. In which order the parts are joined can matter to such a test: edges in the
    // order in which they were added.
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
