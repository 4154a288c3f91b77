//! An SMT solver as an external process: finds it, asks it, reads its answer, ends it.
//!
//! Nothing here depends on how a script was made. A [`Script`] is a list of declarations and named
//! assertions in the logic QF_AUFBV of SMT-LIB 2.6; an [`Answer`] is a model's values, an
//! unsatisfiable core, or the solver's reason for having neither. Any error (no such program, a
//! crash, half an answer, a name that was never asked) is a [`Failure`], never an answer.

mod answer;
mod command;
mod find;
mod script;
mod sexpr;
#[cfg(test)]
mod tests;

pub use crate::process::{Failure, NotFound, Version};
pub use find::{Kind, Process, find, find_until};
pub use script::Script;

use crate::process;
use std::collections::BTreeSet;
use std::time::Instant;

/// Something that decides scripts: a solver, or a double in tests.
pub trait Solver {
    /// Decides the script, at the latest shortly after `deadline`.
    ///
    /// # Errors
    /// The cause that prevented a whole, well-formed answer to exactly what was asked.
    fn ask(&self, script: &Script, deadline: Instant) -> Result<Answer, Failure>;
}

/// A solver for tests: gives its answers one after the other.
pub type Recorded = process::Recorded<Script, Answer>;

impl Solver for Recorded {
    fn ask(&self, script: &Script, _deadline: Instant) -> Result<Answer, Failure> {
        self.answer(script)
    }
}

/// The answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model: the values of the terms of [`Script::values`], in their order. A Boolean
    /// is 1 or 0.
    Satisfiable(Vec<u128>),
    /// There is no model: the names of assertions that contradict each other, whether or not the
    /// others hold. If no core is wanted, all names. Never empty.
    Unsatisfiable(BTreeSet<String>),
    /// The solver does not know: its reason.
    Unknown(String),
}

/// The answer that a conversation yields, for attacks on the reader.
#[cfg(feature = "fuzz")]
pub(crate) fn read_for(mut said: &[u8], script: &Script) -> Result<Answer, Failure> {
    struct Nobody;
    impl answer::Listener for Nobody {
        fn say(&mut self, _: String) {}
    }
    answer::converse(&mut said, Nobody, script, String::new())
}
