//! A failing run as one C file that compiles, runs the same way and fails at the same place.
//!
//! The program is printed as C by the one printer, so that every statement, every name and every
//! conversion is there; what the run took from outside is written into it: inputs as a table, what
//! uninitialised objects held as assignments where their storage begins. The obligation that fails
//! becomes an explicit test, so that no sanitizer is needed to see it fail. Whether a pointer
//! leads to an object is nothing that C can be asked: there the file counts how often the
//! statement runs, and says so.
//!
//! **Source of the run.** The interpreter repeats it from the values that the counterexample
//! keeps, and it must fail at the same obligation. It ends at the first operation that is not
//! defined: up to there C leaves a compiler no choice.
//!
//! **Limits.** What the printer leaves out is not in the file: attributes, `const`, how struct
//! members are packed. Floating values have no part in a run that the interpreter can follow.
//! Where the run compares the end of an object with another object, it finds them different; a
//! compiled program may not, and then says that it has left the way of the run.

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
