//! Questions to a model checker.

use crate::program::DataModel;
use std::collections::BTreeSet;

/// A question to a model checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The program: preprocessed C with at least one `__CPROVER_assert(condition, "name")` for each
    /// property.
    pub source: String,
    /// The names of the properties. The answer covers them all, and no others.
    pub properties: BTreeSet<String>,
    /// Sizes of the integer types and pointers.
    pub data_model: DataModel,
    /// Whether the first byte of a number is its most significant one.
    pub big_endian: bool,
    /// How often a loop's back edge is followed, plus 1.
    pub unwind: u32,
    /// Whether leaving a loop early because of `unwind` is reported ([`super::Answer::complete`]).
    /// A proof needs it.
    pub unwinding_assertions: bool,
    /// Whether the search ends at the first property that fails. Then the others are
    /// [`super::PropertyAnswer::Open`]. Showing that all others hold may take far longer than
    /// finding the one that fails.
    pub stop_at_failure: bool,
    /// How the solver is to treat arrays.
    pub tuning: Tuning,
}

/// Settings of CBMC that change its speed, not its answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tuning {
    /// CBMC's default.
    #[default]
    Plain,
    /// Arrays as uninterpreted functions: much faster for large arrays, much slower for others.
    Functions,
    /// Leaves out everything that the properties do not depend on, also in traces.
    Sliced,
}
