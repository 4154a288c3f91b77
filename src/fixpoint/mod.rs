//! The fixpoint iterator: computes, from a graph and transfer functions on its edges, a state per
//! node that no run leaves.
//!
//! It knows graphs and lattices, but no C. [`Wto::new`] orders the nodes, [`solve`] iterates in
//! that order, and [`check_post_fixpoint`] checks the result without depending on how it was found.

mod analysis;
mod check;
mod descend;
mod solve;
#[cfg(test)]
mod tests;
mod wto;

pub use analysis::{Analysis, HeadEvent};
pub use check::check_post_fixpoint;
pub use solve::{Exhausted, HeadStatistics, Solution, SolverConfig, solve};
pub use wto::Wto;
