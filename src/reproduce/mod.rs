//! Writes a failing run as one C file that compiles, runs the same way and fails at the same place.
//!
//! The shared printer prints the program as C, with every statement, name and conversion. The
//! values that the run took from outside are written into it: inputs as a table, and initial values
//! of uninitialised objects as assignments where their storage begins. The failing obligation
//! becomes an explicit test, so no sanitizer is needed to see the failure. C cannot test whether a
//! pointer points to an object. In that case the file counts the executions of the statement, and
//! reports the failure at the right one.
//!
//! **Source of the run.** The interpreter repeats the run from the values that the counterexample
//! stores. It must fail at the same obligation. The run ends at the first undefined operation; up
//! to there, C leaves the compiler no choice.
//!
//! **Limits.** The file lacks everything that the printer leaves out: attributes, `const`, the
//! packing of struct members. A run that the interpreter can follow contains no floating values. If
//! the run compares the end of an object with another object, it finds them different. A compiled
//! program may find them equal; then it reports that it has left the path of the run.

mod claims;
mod conditions;
mod dialect;
mod record;
mod runtime;
mod text;

pub use text::command;

use crate::program::{Obligation, Program, print};
use crate::verdict::Counterexample;
use std::time::Instant;

/// The failing run as C.
///
/// # Errors
/// Says why the run cannot be written, as the end of a sentence about it: it cannot be repeated
/// before `deadline`, or the file cannot hold something of it.
pub fn reproducer(
    program: &Program,
    obligation: &Obligation,
    counterexample: &Counterexample,
    deadline: Option<Instant>,
) -> Result<String, String> {
    let program = &*program.without_uncalled();
    let recording = record::repeat(program, obligation, counterexample, deadline)?;
    let mut dialect = dialect::Reproducer::new(program, obligation, &recording)?;
    let body = print::to_c(program, &mut dialect);
    Ok(text::head(program, obligation, &recording, dialect.counts()) + &body)
}
