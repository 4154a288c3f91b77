//! An SMT solver as an external process: finds it, asks it, reads its answer, ends it.
//!
//! Nothing here depends on how a script was made. A [`Script`] is a list of declarations and named
//! assertions in a logic of SMT-LIB 2.6, all of them typed ([`Term`], [`Sort`]); an [`Answer`] is a
//! model's values, an unsatisfiable core, or the solver's reason for having neither. Any error (no
//! such program, a crash, half an answer, a name that was never asked) is a [`Failure`], never an
//! answer.

mod answer;
mod command;
mod find;
mod instances;
mod kept;
mod print;
mod script;
mod sexpr;
mod term;
#[cfg(test)]
mod tests;
mod witnesses;

pub use crate::process::{Failure, NotFound, Version};
pub use find::{Kind, Process, find, find_until};
pub use instances::{Instantiated, instantiated};
pub use kept::Kept;
pub use script::{Declarations, Logic, Schema, Script, Unfolding};
pub use term::{BitOp, Function, IntOp, Order, Signedness, Sort, Symbol, Term};
pub use witnesses::with_common_witnesses;

use crate::{clock, process};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The steps that each byte of a brief question costs where work is counted.
const STEPS_PER_BYTE: u64 = 2;

/// Something that decides scripts: a solver, or a double in tests.
pub trait Solver {
    /// Decides the script, at the latest shortly after `deadline`.
    ///
    /// # Errors
    /// The cause that prevented a whole, well-formed answer to exactly what was asked.
    fn ask(&self, script: &Script, deadline: Instant) -> Result<Answer, Failure>;
}

/// Asks a question that may take `most` time, and no longer than up to `deadline`, a time of
/// [`clock`]. Where work is counted, the solver's own counter limits the question, and its text
/// costs steps.
///
/// # Errors
/// As [`Solver::ask`].
pub fn ask_briefly(solver: &dyn Solver, script: &Script, most: Duration, deadline: Instant) -> Result<Answer, Failure> {
    let until = clock::of_others(deadline);
    if clock::counted().is_none() {
        return solver.ask(script, until.min(Instant::now() + most));
    }
    let answer = solver.ask(script, until);
    clock::spend((script.to_string().len() as u64).saturating_mul(STEPS_PER_BYTE));
    answer
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
    /// There is a model: the values of the terms of [`Script::values`], in their order.
    Satisfiable(Vec<Value>),
    /// There is no model: the names of assertions that contradict each other, whether or not the
    /// others hold. If no core is wanted, all names. Never empty.
    Unsatisfiable(BTreeSet<Symbol>),
    /// The solver does not know: its reason.
    Unknown(String),
}

/// The value of a term in a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit-vector, read as a natural number.
    Bits(u128),
    /// An integer.
    Int(i128),
}

impl Value {
    /// The number that a bit-vector is.
    pub fn bits(self) -> Option<u128> {
        match self {
            Value::Bits(bits) => Some(bits),
            Value::Bool(_) | Value::Int(_) => None,
        }
    }
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
