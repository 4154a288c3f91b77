//! Writes a failing run as one C file that compiles, runs the same way and fails at the same place.
//!
//! The shared printer prints the program as C, with every statement, every name and every
//! conversion. The values that the run took from outside are written into it: inputs as a table,
//! initial values of uninitialised objects as assignments where their storage begins. The
//! obligation that fails becomes an explicit test, so that no sanitizer is needed to see it fail. C
//! cannot test whether a pointer leads to an object. In that case the file counts how often the
//! statement runs, and reports this.
//!
//! **Source of the run.** The interpreter repeats it from the values that the counterexample keeps,
//! and it must fail at the same obligation. The run ends at the first operation that is not
//! defined: up to that operation, C leaves a compiler no choice.
//!
//! **Limits.** The file lacks everything that the printer leaves out: attributes, `const`, how
//! struct members are packed. Floating values do not occur in a run that the interpreter can
//! follow. If the run compares the end of an object with another object, it finds them different. A
//! compiled program may find them equal, and then reports that it has left the path of the run.

mod claims;
mod conditions;
mod dialect;
mod record;
mod runtime;
mod text;

use crate::program::{DataModel, Obligation, Program, print};
use crate::verdict::Counterexample;
use std::time::Instant;

/// The failing run as C.
///
/// # Errors
/// Says why it cannot be written, as the end of a sentence about the run: the run cannot be
/// repeated before `deadline`, or it has something that the file cannot hold.
pub fn reproducer(
    program: &Program,
    obligation: &Obligation,
    counterexample: &Counterexample,
    deadline: Option<Instant>,
) -> Result<String, String> {
    let program = &*program.without_uncalled();
    let recording = record::repeat(program, obligation.key, counterexample, deadline)?;
    let mut dialect = dialect::Reproducer::new(program, obligation, &recording)?;
    let body = print::to_c(program, &mut dialect);
    Ok(text::head(program, obligation, &recording, dialect.counts()) + &body)
}

/// The command that compiles a file of that name and runs it.
pub fn command(model: DataModel, file: &str) -> String {
    let word = match model {
        DataModel::Lp64 => "cc",
        DataModel::Ilp32 => "cc -m32",
    };
    format!("{word} {file} && ./a.out")
}
