//! smalti: a static analyser for C programs with arrays.
//!
//! Data runs one way: `lower` makes a [`program::Program`] from C; `cfg` builds a graph from it; `fixpoint` solves the
//! graph over an abstract domain with the transfer functions of `analysis`; `stages` decide what is left with the help
//! of `cbmc` and confirm counterexamples with `interpreter`; `report` shows the result.

pub mod program;
pub mod verdict;
