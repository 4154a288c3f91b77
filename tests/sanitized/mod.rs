//! Folders of C programs, compiled so that the first undefined operation ends the run, and what
//! smalti says of them.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The options for gcc.
const FLAGS: [&str; 5] = ["-std=c11", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The C files of a folder of the project, in the order of their names.
pub(crate) fn c_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

/// Compiles a program: options, and its files. Returns the binary, in the given folder.
#[track_caller]
pub(crate) fn compile(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> PathBuf {
    let binary = folder.join("program");
    let compiled = Command::new("gcc").args(FLAGS).arg("-o").arg(&binary).args(arguments).output().expect("gcc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    binary
}

/// The report of `smalti check` with these arguments.
#[track_caller]
pub(crate) fn check(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Value {
    report("check", arguments)
}

/// The report of a verb with these arguments.
#[track_caller]
pub(crate) fn report(verb: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    let Output { stdout, stderr, .. } =
        command.args([verb, "--format", "json"]).args(arguments).output().expect("smalti runs");
    serde_json::from_slice(&stdout).unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(&stderr)))
}
