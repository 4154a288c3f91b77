//! Random programs, and the soundness oracle built on them.
//!
//! [`program`] makes the text of a small C program from a number: always the same text for the same
//! number and configuration. Its loops are bounded, and everything is initialised before it is
//! read, so its behaviour depends only on its inputs. Operations with undefined behaviour are rare,
//! but they occur.

mod accesses;
mod annotations;
mod compare;
mod computations;
mod formulas;
mod general;
mod lifetimes;
mod random;
mod reads;
mod scatter;
mod small_loops;
mod specs;
mod tables;
mod views;

pub use crate::process::uninterrupted;
pub use compare::{Agreement, Case, Comparison, GccEnd, compare, compiles};
pub use general::{Config, program};
pub use random::Random;

pub mod attack;
pub mod inputs;
pub mod minimise;
pub mod pruning;
pub mod reductions;
#[cfg(feature = "mutants")]
pub mod shortcuts;
pub mod soak;

/// A tool of this machine. If it is missing and the variable `CI` is not set: `None` and a message
/// on standard error.
///
/// # Panics
/// The tool is missing, and `CI` is set.
pub fn or_skip<T, E: std::fmt::Display>(found: Result<T, E>) -> Option<T> {
    found
        .map_err(|why| {
            // Not with a macro, because the test harness hides what macros print in a test that
            // passes.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("skipped: {why}\n").as_bytes());
            assert!(std::env::var_os("CI").is_none(), "{why}");
        })
        .ok()
}

/// The SMT solvers to test with: the one that is found, and each other version that `scripts/setup
/// --solvers` fetched.
///
/// # Panics
/// They are missing, and `CI` is set.
pub fn solvers() -> Vec<crate::smt::Process> {
    use crate::smt::{Process, find};
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.tools/solvers"));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut programs: Vec<_> =
        entries.flat_map(|e| ["z3", "cvc5"].map(|name| e.path().join("bin").join(name))).collect();
    programs.retain(|p| p.is_file());
    programs.sort();
    if programs.is_empty() {
        or_skip(Err::<(), _>("a test asks several SMT solvers; scripts/setup --solvers fetches them"));
    }
    let mut all: Vec<Process> = Vec::new();
    for wanted in std::iter::once(None).chain(programs.iter().map(|p| Some(p.as_path()))) {
        let known = |s: &Process| all.iter().any(|a| (a.kind(), a.version()) == (s.kind(), s.version()));
        if let Some(solver) = or_skip(find(wanted)).filter(|s| !known(s)) {
            all.push(solver);
        }
    }
    all
}

/// The C files below a folder, in the order of their names.
///
/// # Panics
/// A folder cannot be read.
pub fn c_files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the tests") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(c_files(&path));
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
    found.sort();
    found
}
