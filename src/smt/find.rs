//! Finds a solver and asks for its name and version.

use crate::process::{MEMORY, NotFound, ProgramLookup, VERSION_TIME, Version, said_version, version_time};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The solvers that can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
}

/// A solver that can be started.
#[derive(Clone, Debug)]
pub struct Process {
    pub(super) kind: Kind,
    pub(super) program: PathBuf,
    pub(super) version: Version,
    /// The address space that a run may use, in MiB.
    pub(super) memory: u64,
    /// The resources that a question may use, in units of the solver.
    pub(super) resources: Option<u64>,
}

impl Process {
    /// The same solver with a limit on the units of work for each question. Each version of a
    /// solver counts its own units. Within the limit, the answer does not depend on the machine.
    #[must_use]
    pub fn bounded(self, resources: Option<u64>) -> Process {
        Process { resources, ..self }
    }
}

const LOOKUP: ProgramLookup = ProgramLookup {
    option: "--solver",
    variable: "SMALTI_SOLVER",
    names: &["z3", "cvc5"],
    fetched: ".tools/z3/bin/z3",
    missing: "no SMT solver was found; run `smalti setup`, or install the package `z3` or `cvc5`, or name one with --solver",
};
/// The variable that hides every solver, to test smalti without one.
const HIDDEN: &str = "SMALTI_WITHOUT_SOLVER";

/// Finds a solver: `wanted`, else the environment's `SMALTI_SOLVER`, else `z3` or `cvc5` on `PATH`,
/// else the Z3 that `scripts/setup` put into `.tools/z3/bin` of a folder above the running program
/// or the current one, else the Z3 that `smalti setup` got. A solver that was named must work; the
/// others are tried in turn. The solver itself says which one it is; the file name does not matter.
///
/// # Errors
/// None was found, or it does not run, or it is older than Z3 4.8 or cvc5 1.0, or
/// `SMALTI_WITHOUT_SOLVER=1` hides it.
pub fn find(wanted: Option<&Path>) -> Result<Process, NotFound> {
    refuse_hidden()?;
    found(wanted)
}

/// The same, within a small part of the time up to `deadline`.
///
/// # Errors
/// As [`find`].
pub fn find_until(wanted: Option<&Path>, deadline: Instant) -> Result<Process, NotFound> {
    refuse_hidden()?;
    LOOKUP.find(wanted, |program| probe(program, version_time(deadline)))
}

/// The same as [`find`], but ignores that solvers may be hidden.
pub(super) fn found(wanted: Option<&Path>) -> Result<Process, NotFound> {
    LOOKUP.find(wanted, |program| probe(program, VERSION_TIME))
}

fn refuse_hidden() -> Result<(), NotFound> {
    match is_hidden() {
        true => Err(NotFound::new(format!("SMT solvers are hidden: {HIDDEN} is set; unset it to use one"))),
        false => Ok(()),
    }
}

/// Whether the environment hides every solver.
pub(super) fn is_hidden() -> bool {
    std::env::var_os(HIDDEN).is_some_and(|v| v == "1")
}

fn probe(program: &Path, time: Duration) -> Result<Process, String> {
    let said = said_version(program, time)?;
    let (kind, version) = parse(&said).ok_or("it does not print a version of Z3 or cvc5")?;
    let version = version.at_least(kind.oldest())?;
    Ok(Process { kind, program: program.to_owned(), version, memory: MEMORY, resources: None })
}

/// Reads `Z3 version 4.13.3 - 64 bit` and `This is cvc5 version 1.0.3 [git …]`.
fn parse(said: &str) -> Option<(Kind, Version)> {
    let first = said.lines().next()?;
    let (kind, rest) = match (first.strip_prefix("Z3 version "), first.strip_prefix("This is cvc5 version ")) {
        (Some(rest), _) => (Kind::Z3, rest),
        (_, Some(rest)) => (Kind::Cvc5, rest),
        _ => return None,
    };
    // The version of an unreleased build looks like `1.2.1-dev.…`.
    let number = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    Some((kind, Version::parse(number)?))
}

impl Kind {
    fn oldest(self) -> Version {
        match self {
            Kind::Z3 => Version { major: 4, minor: 8 },
            Kind::Cvc5 => Version { major: 1, minor: 0 },
        }
    }
}

impl Process {
    /// Which solver it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The path of the program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The same with another limit of memory, in MiB.
    #[must_use]
    pub fn with_memory(mut self, mib: u64) -> Process {
        self.memory = mib;
        self
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Z3 => "Z3",
            Kind::Cvc5 => "cvc5",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_say_which_they_are() {
        let version = |major, minor| Version { major, minor };
        assert_eq!(parse("Z3 version 4.13.3 - 64 bit\n"), Some((Kind::Z3, version(4, 13))));
        assert_eq!(parse("This is cvc5 version 1.0.3\ncompiled with GCC"), Some((Kind::Cvc5, version(1, 0))));
        assert_eq!(parse("This is cvc5 version 1.2.1-dev.15.f3 [git f3]"), Some((Kind::Cvc5, version(1, 2))));
        for text in ["", "z3", "Z3 version", "Z3 version four", "This is CVC4 version 1.8", "6.4.0 (cbmc-6.4.0)"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
