//! Finds a program, and asks its version.

use super::{End, Guard, Limits, MEMORY, run};
use smalti_stack::data_folder;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A version of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// 6 in 6.4.0.
    pub major: u32,
    /// 4 in 6.4.0.
    pub minor: u32,
}

/// Why there is no program to use: one sentence that says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFound {
    message: String,
}

/// How long a program may take to say its version, whatever the time limit.
pub(crate) const VERSION_TIME: Duration = Duration::from_secs(5);
/// A program may take one part in this many of the remaining time to say its version. A program
/// that hangs then costs its stages, not the answer.
const VERSION_SHARE: u32 = 10;

/// The part of the time up to `deadline` that a program may take to say its version.
pub(crate) fn version_time(deadline: Instant) -> Duration {
    (deadline.saturating_duration_since(Instant::now()) / VERSION_SHARE).min(VERSION_TIME)
}

/// The places where a program is searched, in this order. A program that was named must work; the
/// others are tried in turn.
pub(crate) struct ProgramLookup {
    /// The option that names the program.
    pub(crate) option: &'static str,
    /// The environment variable that names the program.
    pub(crate) variable: &'static str,
    /// The names of the program on `PATH`.
    pub(crate) names: &'static [&'static str],
    /// The place where a setup puts the program: `scripts/setup` under a folder above the running
    /// program or the current one, `smalti setup` under smalti's data folder.
    pub(crate) fetched: &'static str,
    /// The message if no program is found.
    pub(crate) missing: &'static str,
}

/// The inputs of a search besides its arguments.
pub(crate) struct Surroundings<'a> {
    /// The variables of the environment.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// Folders that may be in a checkout.
    pub(crate) starts: Vec<PathBuf>,
}

impl ProgramLookup {
    /// Finds the first program that `probe` accepts, in the surroundings of this process.
    pub(crate) fn find<T>(
        &self,
        explicit: Option<&Path>,
        probe: impl Fn(&Path) -> Result<T, String>,
    ) -> Result<T, NotFound> {
        self.find_in(&Surroundings::of_this_process(), explicit, probe)
    }

    /// The first program that `probe` accepts.
    pub(crate) fn find_in<T>(
        &self,
        surroundings: &Surroundings<'_>,
        explicit: Option<&Path>,
        probe: impl Fn(&Path) -> Result<T, String>,
    ) -> Result<T, NotFound> {
        let probe = |path: &Path| if path.is_file() { probe(path) } else { Err("there is no such file".to_owned()) };
        if let Some(named) = explicit {
            return probe(&surroundings.as_given(named))
                .map_err(|why| NotFound { message: format!("{} {}: {why}", self.option, named.display()) });
        }
        if let Some(named) = (surroundings.variable)(self.variable).filter(|v| !v.is_empty()) {
            let path = surroundings.as_given(Path::new(&named));
            return probe(&path)
                .map_err(|why| NotFound { message: format!("{}={}: {why}", self.variable, path.display()) });
        }
        let mut tried = Vec::new();
        let on_path = self.names.iter().filter_map(|name| surroundings.on_path(name));
        for path in on_path.chain(surroundings.fetched(self.fetched)) {
            match probe(&path) {
                Ok(found) => return Ok(found),
                Err(why) => tried.push(format!("{}: {why}", path.display())),
            }
        }
        let mut message = self.missing.to_owned();
        if !tried.is_empty() {
            message = format!("{message} (tried {})", tried.join("; "));
        }
        Err(NotFound { message })
    }
}

/// The program of that name: a bare one is looked up on `PATH` and nowhere else, as a shell would.
pub(crate) fn located(named: &Path) -> Option<PathBuf> {
    if is_bare(named) {
        return Surroundings::of_this_process().on_path(named);
    }
    which::which(std::path::absolute(named).ok()?).ok()
}

/// Whether there is no folder in a name.
fn is_bare(named: &Path) -> bool {
    named.components().count() == 1 && named.parent() == Some(Path::new(""))
}

impl Surroundings<'_> {
    fn of_this_process() -> Surroundings<'static> {
        let starts = [std::env::current_exe(), std::env::current_dir()].into_iter().flatten().collect();
        Surroundings { variable: &|name| std::env::var_os(name), starts }
    }

    /// A bare name is looked up on `PATH`, as a shell would.
    fn as_given(&self, named: &Path) -> PathBuf {
        let found = if is_bare(named) && !named.exists() { self.on_path(named) } else { None };
        // The child runs in another folder.
        let path = found.unwrap_or_else(|| named.to_owned());
        std::path::absolute(&path).unwrap_or(path)
    }

    /// The first program of that name in the folders of `PATH`. Relative folders do not count: they
    /// are another place in each current folder.
    fn on_path(&self, name: impl AsRef<OsStr>) -> Option<PathBuf> {
        which::which_in_global(name, (self.variable)("PATH")).ok()?.find(|program| program.is_absolute())
    }

    /// What the setups of a checkout and of the user have put there.
    fn fetched(&self, place: &str) -> impl Iterator<Item = PathBuf> {
        let file = |folder: &Path| Some(folder.join(place)).filter(|p| p.is_file());
        let in_checkout = self.starts.iter().flat_map(|start| start.ancestors()).find_map(file);
        let of_user = data_folder(self.variable).and_then(|folder| file(&folder));
        in_checkout.into_iter().chain(of_user)
    }
}

/// Returns what `program` prints if asked for its version, within `time`.
pub(crate) fn said_version(program: &Path, time: Duration) -> Result<String, String> {
    let guard = Guard::new();
    let limits = Limits { deadline: Instant::now() + time, memory: MEMORY, output: 1 << 16 };
    let end = run(program, &["--version".into()], Path::new("/"), &limits, &guard, |output| {
        let mut text = Vec::new();
        // Unreadable output is not a version.
        let _ = output.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    match end {
        Ok(End::Exited(said, status, _)) if status.success() => Ok(said),
        Ok(End::Exited(_, status, complaint)) => {
            let complaint = complaint.lines().next().unwrap_or("").to_owned();
            Err(format!("it does not print its version ({status}) {complaint}").trim_end().to_owned())
        }
        Ok(End::Late | End::Interrupted | End::Lingered(_)) => Err("it does not print its version in time".into()),
        Ok(End::TooLarge) => Err("it uses more memory than it may".into()),
        Ok(End::TooMuch) => Err("it prints far more than its version".into()),
        Err(e) => Err(format!("it cannot be started ({e})")),
    }
}

impl Version {
    /// Reads the first two numbers of `6.4.0`.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        let mut numbers = text.split('.').map(|part| part.parse().ok());
        Some(Version { major: numbers.next()??, minor: numbers.next()?? })
    }

    /// The version, unless it is too old.
    pub(crate) fn at_least(self, oldest: Version) -> Result<Version, String> {
        if self < oldest {
            return Err(format!("version {self} is too old, smalti needs {oldest} or later"));
        }
        Ok(self)
    }
}

impl NotFound {
    pub(crate) fn new(message: impl Into<String>) -> NotFound {
        NotFound { message: message.into() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    const LOOKUP: ProgramLookup = ProgramLookup {
        option: "--tool",
        variable: "TOOL",
        names: &["tool", "other"],
        fetched: ".tools/tool/bin/tool",
        missing: "there is no tool",
    };

    /// A folder with programs of these names, none of which is ever run.
    fn with_files(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    /// What is found, relative to `root`, where PATH is `root/a:root/b`, the current folder
    /// `root/deep/down` and the user's data folder `root/data`.
    fn found(
        root: &Path,
        variable: Option<&str>,
        explicit: Option<&str>,
        accepted: impl Fn(&str) -> bool,
    ) -> Result<String, String> {
        let variables = |name: &str| match name {
            "PATH" => Some(OsString::from(format!("{0}/a:relative:{0}/b", root.display()))),
            "TOOL" => variable.map(|v| root.join(v).into_os_string()),
            "XDG_DATA_HOME" => Some(root.join("data").into_os_string()),
            _ => None,
        };
        let surroundings = Surroundings { variable: &variables, starts: vec![root.join("deep/down")] };
        let explicit = explicit.map(|name| root.join(name));
        let probe = |path: &Path| {
            let name = path.strip_prefix(root).map_err(|_| "elsewhere")?.display().to_string();
            if accepted(&name) { Ok(name) } else { Err("it is no good".to_owned()) }
        };
        LOOKUP.find_in(&surroundings, explicit.as_deref(), probe).map_err(|e| e.to_string())
    }

    #[test]
    fn the_option_comes_before_the_variable_before_the_path_before_what_was_fetched() {
        const FETCHED: [&str; 2] = [".tools/tool/bin/tool", "data/smalti/.tools/tool/bin/tool"];
        let all = with_files(&["named", "set", "a/other", "b/tool", "b/other", FETCHED[0], FETCHED[1]]);
        let root = all.path();
        assert_eq!(found(root, Some("set"), Some("named"), |_| true).unwrap(), "named");
        assert_eq!(found(root, Some("set"), None, |_| true).unwrap(), "set");
        assert_eq!(found(root, None, None, |_| true).unwrap(), "b/tool");
        assert_eq!(found(root, None, None, |name| name != "b/tool").unwrap(), "a/other");
        assert_eq!(found(root, None, None, |name| FETCHED.contains(&name)).unwrap(), FETCHED[0]);
        assert_eq!(found(root, None, None, |name| name == FETCHED[1]).unwrap(), FETCHED[1]);
    }

    #[test]
    fn what_the_setup_of_the_user_has_got_is_found_without_a_checkout() {
        let all = with_files(&["data/smalti/.tools/tool/bin/tool"]);
        assert_eq!(found(all.path(), None, None, |_| true).unwrap(), "data/smalti/.tools/tool/bin/tool");
    }

    #[test]
    fn what_was_named_must_work_and_nothing_else_is_tried() {
        let all = with_files(&["named", "set", "b/tool"]);
        let root = all.path();
        let why = found(root, Some("set"), Some("named"), |name| name != "named").unwrap_err();
        assert!(why.starts_with("--tool ") && why.ends_with("named: it is no good"), "{why}");
        let why = found(root, Some("set"), None, |name| name != "set").unwrap_err();
        assert!(why.starts_with("TOOL=") && why.ends_with("set: it is no good"), "{why}");
        let why = found(root, Some("nowhere"), None, |_| true).unwrap_err();
        assert!(why.ends_with("there is no such file"), "{why}");
    }

    #[test]
    fn what_was_tried_in_vain_is_said() {
        let all = with_files(&["b/tool"]);
        let why = found(all.path(), None, None, |_| false).unwrap_err();
        assert!(why.starts_with("there is no tool (tried ") && why.ends_with("b/tool: it is no good)"), "{why}");
        assert_eq!(found(with_files(&[]).path(), None, None, |_| true).unwrap_err(), "there is no tool");
    }

    #[test]
    fn on_the_path_a_file_that_cannot_be_run_is_passed_over() {
        let all = with_files(&["a/tool", "b/tool"]);
        fs::set_permissions(all.path().join("a/tool"), fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(found(all.path(), None, None, |_| true).unwrap(), "b/tool");
    }

    #[test]
    fn an_empty_variable_names_nothing() {
        let all = with_files(&["b/tool"]);
        let path = OsString::from(all.path().join("b"));
        let variables = |name: &str| if name == "PATH" { Some(path.clone()) } else { Some(OsString::new()) };
        let surroundings = Surroundings { variable: &variables, starts: Vec::new() };
        assert!(LOOKUP.find_in(&surroundings, None, |path| Ok(path.to_owned())).unwrap().ends_with("b/tool"));
        // A bare name is looked for on the path.
        assert!(LOOKUP.find_in(&surroundings, Some(Path::new("tool")), |path| Ok(path.to_owned())).is_ok());
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert!(Version::parse("4.12.1") > Version::parse("4.8.12"));
        for text in ["", "4", "four.eight", "4.x"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }
}
