//! The types and traits that all abstract domains of the workspace share: the order ([`Lattice`]),
//! variables, linear expressions and constraints, intervals, thresholds, and the two interfaces
//! that domains implement: [`Numeric`] (conjunctions of linear facts over integer variables) and
//! [`Memory`] (scalars and arrays: what the fixpoint engine sees).
//!
//! Nothing here knows C, control-flow graphs or IO. All numbers are mathematical integers: no
//! domain mentions a bit width; a caller that translates a programming language's machine integers
//! does so before it calls a domain.

mod chain;
mod facts;
mod interval;
mod lattice;
#[cfg(feature = "laws")]
pub mod laws;
mod linear;
mod memory;
mod numeric;
mod render;
mod shared_map;
pub mod simplify;
mod thresholds;
mod var;
pub mod work;

pub use chain::{Chain, Comparison, Sum};
pub use facts::{ArrayFacts, Facts, GroupFacts, Membership};
pub use interval::Interval;
pub use lattice::Lattice;
pub use linear::{Constraint, LinearExpr, Relation};
pub use memory::{Cell, CellClaim, CellsFact, Memory, MemoryDomain, Subjects};
pub use numeric::{Numeric, NumericDomain};
pub use render::{chains, chains_given, reduced};
pub use shared_map::{Key, SharedMap, VarMap};
pub use thresholds::Thresholds;
pub use var::{ArrayId, FieldId, Var};
