//! Makes programs smaller before a model checker sees them. Every reduction maps a `Program` to a
//! `Program`, which the printer turns back into C. It states the reason why an answer about the
//! small program is also an answer about the large one.

mod claims;
pub mod dependence;
mod effects;
pub mod induction;
#[cfg(any(test, feature = "mutants"))]
pub mod mutants;
pub mod normal;
pub mod prune;
pub mod refine;
pub mod shrink;
pub mod slice;
mod terms;

use crate::program::{Location, Program};

/// Why a reduction does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The condition that fails, as the end of a sentence that begins with "it does not apply,
    /// because".
    pub reason: String,
    /// Where in the source.
    pub location: Option<Location>,
}

impl Refusal {
    /// A condition that fails at a place.
    pub fn at(location: Location, reason: impl Into<String>) -> Refusal {
        Refusal { reason: reason.into(), location: Some(location) }
    }

    /// A condition that fails for the program as a whole.
    pub fn of_all(reason: impl Into<String>) -> Refusal {
        Refusal { reason: reason.into(), location: None }
    }

    /// The reason with its place, for people.
    pub fn describe(&self, program: &Program) -> String {
        match self.location {
            Some(at) => format!("{} ({})", self.reason, program.sources.describe(at)),
            None => self.reason.clone(),
        }
    }
}
