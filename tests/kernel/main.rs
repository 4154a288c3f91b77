//! A small kernel of an operating system, written for this test: processes, run queues, messages,
//! timers, memory, pipes, files, interrupts and a terminal. Its inputs are events: system calls
//! with any arguments, ticks, interrupts, keys. It checks what it is given, as kernels do.
//!
//! All its accesses and divisions are right, and the domains prove them. `mutants.txt` lists twenty
//! faults. With each of them, some input leads to an access out of bounds, to a null pointer or to
//! a division by zero. Compiled runs show that. No mutant may be proved.
//!
//! Compiled runs take their inputs from `runtime.c`, which `KERNEL_SEED` starts. By default, the
//! tests look at some mutants; `scripts/soak --checks` looks at all.

#[path = "../parallel/mod.rs"]
mod parallel;
#[path = "../sanitized/mod.rs"]
mod sanitized;

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file that only compiled runs need.
const RUNTIME: &str = "runtime.c";
/// A time limit, in seconds, that a busy machine keeps too.
const PATIENT: &str = "120";
/// Each mutant fails with one of these seeds.
const SEEDS: u32 = 200;

/// A fault: in a file, one text takes the place of another one.
struct Mutant {
    file: String,
    what: String,
    old: String,
    new: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel")
}

/// The names and texts of the files of the kernel, without the runtime.
fn sources() -> Vec<(String, String)> {
    let files = sanitized::c_files("tests/kernel").into_iter().chain([folder().join("kernel.h")]);
    let mut found: Vec<(String, String)> = files
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("the file can be read"))
        })
        .filter(|(name, _)| name != RUNTIME)
        .collect();
    found.sort();
    found
}

/// The entries of `mutants.txt`.
fn mutants() -> Vec<Mutant> {
    let text = std::fs::read_to_string(folder().join("mutants.txt")).expect("the list");
    let entries = text.split("\n== ").skip(1);
    let lines = |entry: &str, sign: char| {
        let found: Vec<&str> = entry.lines().skip(1).filter_map(|line| line.strip_prefix(sign)).collect();
        found.join("\n")
    };
    entries
        .map(|entry| {
            let head = entry.lines().next().unwrap_or_default();
            let (file, what) = head.split_once(" | ").expect("a bar");
            Mutant { file: file.into(), what: what.into(), old: lines(entry, '-'), new: lines(entry, '+') }
        })
        .collect()
}

impl Mutant {
    /// The kernel with the fault.
    fn sources(&self) -> Vec<(String, String)> {
        let mut sources = sources();
        let (_, text) = sources.iter_mut().find(|(name, _)| *name == self.file).expect("the file of the mutant");
        assert_eq!(text.matches(&self.old).count(), 1, "{}: the old text is one place", self.what);
        *text = text.replace(&self.old, &self.new);
        sources
    }

    /// # Errors
    /// All runs pass, or the kernel is proved.
    fn look(&self) -> Result<(), String> {
        let runs = Runs::of(&self.sources());
        if (1..=SEEDS).all(|seed| runs.passes(seed)) {
            return Err(format!("{}: {}: all runs pass", self.file, self.what));
        }
        let verdict = &checked(&self.sources(), "10")["verdict"];
        if verdict == "true" {
            return Err(format!("{}: {}: proved", self.file, self.what));
        }
        Ok(())
    }
}

/// A compiled kernel.
struct Runs {
    _folder: tempfile::TempDir,
    binary: PathBuf,
}

impl Runs {
    fn of(sources: &[(String, String)]) -> Runs {
        let folder = tempfile::tempdir().expect("a folder");
        let files = written(folder.path(), sources).into_iter().chain([self::folder().join(RUNTIME)]);
        let binary = sanitized::compile(folder.path(), files.chain(["-DRUN".into()]));
        Runs { _folder: folder, binary }
    }

    /// Whether a run ends without a word of the sanitizers.
    fn passes(&self, seed: u32) -> bool {
        let output = Command::new(&self.binary).env("KERNEL_SEED", seed.to_string()).output();
        output.expect("the kernel runs").status.success()
    }
}

/// Writes files into a folder. Returns the paths of the C files.
fn written(folder: &Path, sources: &[(String, String)]) -> Vec<PathBuf> {
    for (name, text) in sources {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
    let names = sources.iter().map(|(name, _)| name).filter(|name| name.ends_with(".c"));
    names.map(|name| folder.join(name)).collect()
}

/// What the domains say of a kernel.
fn checked(sources: &[(String, String)], seconds: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let files = written(folder.path(), sources);
    let options = ["--checks", "bounds,division", "--stages", "domains", "--time-limit", seconds];
    sanitized::check(options.map(OsStr::new).into_iter().chain(files.iter().map(|file| file.as_os_str())))
}

#[track_caller]
fn look_at(mutants: &[Mutant]) {
    assert!(!mutants.is_empty());
    let failures = parallel::failures(mutants, |_, mutant| mutant.look());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_kernel_is_proved() {
    let checked = checked(&sources(), PATIENT);
    let obligations = checked["obligations"].as_array().expect("obligations");
    assert!(obligations.iter().any(|o| o["kind"] == "bounds" && o["verdict"] == "proved"));
    assert!(obligations.iter().any(|o| o["kind"] == "division" && o["verdict"] == "proved"));
    let open: Vec<&Value> =
        obligations.iter().filter(|o| o["verdict"] != "proved" && o["verdict"] != "unreachable").collect();
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn compiled_runs_of_the_kernel_pass() {
    let runs = Runs::of(&sources());
    for seed in 1..=10 {
        assert!(runs.passes(seed), "seed {seed}");
    }
}

#[test]
fn some_mutants_fail_and_are_not_proved() {
    look_at(&mutants().into_iter().step_by(10).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes minutes"]
fn soak_no_mutant_of_the_kernel_is_proved() {
    look_at(&mutants());
}

#[test]
fn the_kernel_is_large_and_has_twenty_mutants() {
    let sources = sources();
    let lines: usize = sources.iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines >= 1500, "{lines} lines");
    // A function begins with a brace of its own line.
    let functions = sources.iter().flat_map(|(_, text)| text.lines()).filter(|line| *line == "{").count();
    assert!(functions >= 40, "{functions} functions");
    let mutants = mutants();
    assert_eq!(mutants.len(), 20);
    for class in ["index", "bound", "missing reset", "wrong pointer"] {
        let found = mutants.iter().filter(|m| m.what.split(':').next() == Some(class)).count();
        assert!((4..=6).contains(&found), "{class}: {found}");
    }
}
