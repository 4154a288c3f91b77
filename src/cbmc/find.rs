//! Finds a CBMC and asks its version.

use super::interrupt::Guard;
use super::process::{self, End, Limits};
use std::ffi::OsString;
use std::fmt;
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

/// A version of CBMC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// 6 in 6.4.0.
    pub major: u32,
    /// 4 in 6.4.0.
    pub minor: u32,
}

/// Why there is no CBMC to use: one sentence that says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFound {
    message: String,
}

const OLDEST: Version = Version { major: 5, minor: 12 };
/// How long a program may take to say its version.
const VERSION_TIME: Duration = Duration::from_secs(10);
/// Address space of a run in MiB, unless [`Cbmc::with_memory`] says otherwise. Formulas beyond this do not get solved in time.
const MEMORY: u64 = 6144;

/// Finds CBMC: `explicit`, else the environment's `CBMC`, else on `PATH`, else in `.tools/cbmc/bin` of a folder above the
/// running program or the current one (where `scripts/setup` puts it). One that was named must work; the others are tried in turn.
///
/// # Errors
/// None was found, or it does not run, or it is older than 5.12.
pub fn find(explicit: Option<&Path>) -> Result<Cbmc, NotFound> {
    if let Some(named) = explicit {
        return probe(&as_given(named))
            .map_err(|why| NotFound { message: format!("--cbmc {}: {why}", named.display()) });
    }
    if let Some(named) = std::env::var_os("CBMC").filter(|v| !v.is_empty()) {
        let path = as_given(Path::new(&named));
        return probe(&path).map_err(|why| NotFound { message: format!("CBMC={}: {why}", path.display()) });
    }
    let mut tried = Vec::new();
    for path in on_path("cbmc").into_iter().chain(in_tools()) {
        match probe(&path) {
            Ok(found) => return Ok(found),
            Err(why) => tried.push(format!("{}: {why}", path.display())),
        }
    }
    let mut message =
        "CBMC was not found; run scripts/setup, or install the package `cbmc`, or name one with --cbmc".to_owned();
    if !tried.is_empty() {
        message = format!("{message} (tried {})", tried.join("; "));
    }
    Err(NotFound { message })
}

/// A bare name is looked up on `PATH`, as a shell would.
fn as_given(named: &Path) -> PathBuf {
    let bare = named.components().count() == 1 && named.parent() == Some(Path::new(""));
    let found = if bare && !named.exists() { on_path(named).into_iter().next() } else { None };
    // The child runs in another folder.
    let path = found.unwrap_or_else(|| named.to_owned());
    std::path::absolute(&path).unwrap_or(path)
}

fn on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    candidates.map(|folder| folder.join(name.as_ref())).find(|p| p.is_file())
}

fn in_tools() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok();
    let current = std::env::current_dir().ok();
    let above = |p: Option<PathBuf>| p.into_iter().flat_map(|p| p.ancestors().map(Path::to_owned).collect::<Vec<_>>());
    let mut folders = above(executable).chain(above(current));
    folders.find_map(|folder| Some(folder.join(".tools/cbmc/bin/cbmc")).filter(|p| p.is_file()))
}

/// Asks the version.
fn probe(program: &Path) -> Result<Cbmc, String> {
    if !program.is_file() {
        return Err("there is no such file".into());
    }
    let guard = Guard::new();
    let limits = Limits { deadline: Instant::now() + VERSION_TIME, memory: MEMORY, output: 1 << 16 };
    let arguments = [OsString::from("--version")];
    let end = process::run(program, &arguments, Path::new("/"), &limits, &guard, |output| {
        let mut text = Vec::new();
        // What cannot be read is no version.
        let _ = output.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let said = match end {
        Ok(End::Exited(said, status, _)) if status.success() => said,
        Ok(End::Exited(_, status, complaint)) => {
            let complaint = complaint.lines().next().unwrap_or("").to_owned();
            return Err(format!("it does not say its version ({status}) {complaint}").trim_end().to_owned());
        }
        Ok(End::Late | End::Interrupted) => return Err("it does not say its version in time".into()),
        Ok(End::TooMuch) => return Err("what it says is not the version of CBMC".into()),
        Err(e) => return Err(format!("it cannot be started ({e})")),
    };
    let version = Version::parse(&said).ok_or("what it says is not the version of CBMC")?;
    if version < OLDEST {
        return Err(format!("version {version} is too old, smalti needs {OLDEST} or later"));
    }
    Ok(Cbmc { program: program.to_owned(), version, memory: MEMORY })
}

impl Version {
    /// Reads what `cbmc --version` prints, such as `6.4.0 (cbmc-6.4.0)`.
    fn parse(text: &str) -> Option<Version> {
        let first = text.split_whitespace().next()?;
        let mut numbers = first.split('.').map(|part| part.parse().ok());
        Some(Version { major: numbers.next()??, minor: numbers.next()?? })
    }
}

impl Cbmc {
    /// Its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Where it is.
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

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotFound {}
