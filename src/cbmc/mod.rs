//! The model checker CBMC as an external process: finds it, asks it, reads its answer, ends it.
//!
//! Nothing here depends on how a query was made. A [`Query`] is a C text whose assertions are
//! named. An [`Answer`] says for each name whether some run fails there. Any error (no such
//! program, a crash, half a document, a missing property) is a [`Failure`], never an answer.

mod answer;
mod command;
mod conditions;
mod emit;
#[cfg(test)]
mod emit_tests;
mod find;
mod formulas;
mod obstacles;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use crate::process::{Failure, NotFound, Version};
pub use answer::{Answer, PropertyAnswer, Trace, TraceStep, TraceValue};
pub use emit::{
    ADDRESSES, ALLOCATE, CAPACITY, CELL, DECLARE, EmitOptions, Emitted, HAVOC, INPUT, Purpose, Sizes, Undefined, emit,
};
pub use find::{Cbmc, find, find_until};

use crate::process;
use crate::program::DataModel;
use std::collections::BTreeSet;
use std::time::Instant;

/// Something that decides queries: CBMC itself, or a double in tests.
pub trait ModelChecker {
    /// Decides the query, at the latest shortly after `deadline`.
    ///
    /// # Errors
    /// The cause that prevented a whole, well-formed answer about exactly the properties that were
    /// asked.
    fn run(&self, query: &Query, deadline: Instant) -> Result<Answer, Failure>;
}

/// A model checker for tests: gives its answers one after the other.
pub type Recorded = process::Recorded<Query, Answer>;

impl ModelChecker for Recorded {
    fn run(&self, query: &Query, _deadline: Instant) -> Result<Answer, Failure> {
        self.answer(query)
    }
}

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
    /// Whether leaving a loop early because of `unwind` is reported ([`Answer::complete`]). A proof
    /// needs it.
    pub unwinding_assertions: bool,
    /// Whether the search ends at the first property that fails. Then the others are
    /// [`PropertyAnswer::Open`]. Showing that all others hold may take far longer than finding the
    /// one that fails.
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

/// Reads a document as an answer about these properties, for attacks on the reader.
#[cfg(feature = "fuzz")]
pub(crate) fn read_for(mut document: &[u8], properties: &[&str]) -> Option<Answer> {
    let query = Query {
        source: String::new(),
        properties: properties.iter().map(ToString::to_string).collect(),
        data_model: DataModel::default(),
        big_endian: false,
        unwind: 1,
        unwinding_assertions: true,
        stop_at_failure: false,
        tuning: Tuning::Plain,
    };
    answer::read(&mut document).ok()?.answer(&query).ok()
}
