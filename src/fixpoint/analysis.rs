//! What is iterated: transfer functions on the edges of a graph.

use petgraph::graph::{EdgeIndex, NodeIndex};
use smalti_core::Lattice;

/// The transfer functions of one graph over one lattice.
pub trait Analysis {
    /// The abstract states.
    type State: Lattice;

    /// What holds at the entry node before anything runs.
    fn entry(&self) -> Self::State;

    /// The state that contains no concrete state.
    fn bottom(&self) -> Self::State;

    /// The state that contains every concrete state, at every node. The solver uses it when it must
    /// stop early. A bound in it that is not justified is unsound.
    fn top(&self) -> Self::State;

    /// What holds at the target of the edge when `state` held at its source. Never called with a
    /// state whose `is_bottom` is true: the result is then bottom. The same arguments give the same
    /// result.
    fn transfer(&self, edge: EdgeIndex, state: &Self::State) -> Self::State;

    /// Called for each step at the head of a component, with the resulting state. Does not change
    /// the solution.
    fn observe(&self, _head: NodeIndex, _event: HeadEvent, _state: &Self::State) {}

    /// For a bug report: why the result of the edge for `from` does not lie in `to`.
    fn explain(&self, _edge: EdgeIndex, _from: &Self::State, _to: &Self::State) -> String {
        String::new()
    }
}

/// A step at the head of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadEvent {
    /// The component is entered: by the first state that arrives, or again by a larger one.
    Entered,
    /// A change was joined.
    Joined,
    /// A change was widened.
    Widened,
    /// Nothing changed: the state is stable.
    Stable,
    /// A pass without widening made it smaller.
    Descended,
}
