//! Finds a CBMC and asks its version.

use crate::process::{MEMORY, NotFound, ProgramLookup, VERSION_TIME, Version, said_version, version_time};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A CBMC that can be started.
#[derive(Clone, Debug)]
pub struct Cbmc {
    pub(super) program: PathBuf,
    pub(super) version: Version,
    /// Address space that a run may use, in MiB.
    pub(super) memory: u64,
}

const OLDEST: Version = Version { major: 5, minor: 12 };
const LOOKUP: ProgramLookup = ProgramLookup {
    option: "--cbmc",
    variable: "CBMC",
    names: &["cbmc"],
    fetched: ".tools/cbmc/bin/cbmc",
    missing: "CBMC was not found; run `smalti setup`, or install the package `cbmc`, or name one with --cbmc",
};

/// Finds CBMC: `explicit`, else the environment's `CBMC`, else on `PATH`, else in `.tools/cbmc/bin`
/// of a folder above the running program or the current one (where `scripts/setup` puts it), else
/// where `smalti setup` puts it. A program that was named must work; the others are tried in turn.
///
/// # Errors
/// None was found, or it does not run, or it is older than 5.12.
pub fn find(explicit: Option<&Path>) -> Result<Cbmc, NotFound> {
    LOOKUP.find(explicit, |program| probe(program, VERSION_TIME))
}

/// The same, within a small part of the time up to `deadline`.
///
/// # Errors
/// As [`find`].
pub fn find_until(explicit: Option<&Path>, deadline: Instant) -> Result<Cbmc, NotFound> {
    LOOKUP.find(explicit, |program| probe(program, version_time(deadline)))
}

/// Asks for the version: `cbmc --version` prints, for example, `6.4.0 (cbmc-6.4.0)`.
fn probe(program: &Path, time: Duration) -> Result<Cbmc, String> {
    let said = said_version(program, time)?;
    let version = said.split_whitespace().next().and_then(Version::parse);
    let version = version.ok_or("it does not print a version of CBMC")?.at_least(OLDEST)?;
    Ok(Cbmc { program: program.to_owned(), version, memory: MEMORY })
}

impl Cbmc {
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
    pub fn with_memory(mut self, mib: u64) -> Cbmc {
        self.memory = mib;
        self
    }
}
