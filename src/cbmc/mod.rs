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
mod lifetimes;
mod obstacles;
mod options;
mod query;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod written;

pub use crate::process::{Failure, NotFound, Version};
pub use answer::{Answer, PropertyAnswer, Trace, TraceStep, TraceValue};
pub use emit::{ADDRESSES, ALLOCATE, CAPACITY, CELL, DECLARE, Emitted, HAVOC, INPUT, emit};
pub use find::{Cbmc, find, find_until};
pub use lifetimes::unseen_end;
pub use options::{EmitOptions, Purpose, Sizes, Undefined};
pub use query::{Query, Tuning};

use crate::process;
#[cfg(feature = "fuzz")]
use crate::program::DataModel;
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
