//! `scripts/benchexec/smalti.py` lets BenchExec run smalti. The Competition on Software
//! Verification runs its tools with BenchExec.

mod tools;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::time::Duration;

const VERSION: &str = "benchexec==3.35";

/// Python with BenchExec, in Cargo's folder for tests. It is fetched once.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(VERSION.replace("==", "-"));
    let python = folder.join("bin/python");
    let works = |python: &Path| {
        let mut command = Command::new(python);
        command.args(["-c", "import benchexec, yaml"]).timeout(Duration::from_secs(60));
        command.output().is_ok_and(|o| o.status.success())
    };
    if works(&python) {
        return Some(python);
    }
    let _ = std::fs::remove_dir_all(&folder);
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&folder).timeout(Duration::from_secs(60));
    let made = make.output().is_ok_and(|o| o.status.success());
    if made {
        let mut get = Command::new(&python);
        get.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", VERSION]);
        let _ = get.timeout(Duration::from_secs(120)).output();
    }
    if works(&python) {
        return Some(python);
    }
    smalti::fuzz::or_skip(Err("BenchExec cannot be fetched by Python's package client on this machine"))
}

fn run(python: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(python);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).env("PYTHONPATH", env!("CARGO_MANIFEST_DIR"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    tools::name_tools(&mut command);
    let output = command.timeout(Duration::from_secs(120)).output().expect("Python runs");
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn benchexec_finds_smalti_runs_it_and_reads_its_answers() {
    let Some(python) = python() else { return };
    let smalti = Path::new(env!("CARGO_BIN_EXE_smalti"));
    let folder = smalti.parent().expect("a folder").display().to_string();
    let tool =
        ["-m", "benchexec.test_tool_info", "scripts.benchexec.smalti", "--no-container", "--tool-directory", &folder];
    let (fine, text) = run(&python, &tool);
    assert!(fine, "{text}");
    assert!(text.contains(&format!("Version: “{}”", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(!text.contains("Traceback") && !text.contains("does not support"), "{text}");
    // The answers of real runs, and the witnesses, which a different library reads than the one
    // that wrote them.
    let (fine, text) = run(&python, &["tests/competition/answers.py", &smalti.display().to_string()]);
    assert!(fine && text.ends_with("all answers are read\n"), "{text}");
}
