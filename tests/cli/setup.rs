//! `smalti setup` for a user without a checkout.

use super::{smalti, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A folder for the data of a user, and a `PATH` with `bash` and what scripts need, but no package
/// client, no compiler and no tool of smalti.
fn user() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let bin = home.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for name in
        ["bash", "env", "sed", "cat", "cut", "uname", "dirname", "mkdir", "find", "rm", "mv", "mktemp", "timeout"]
    {
        let search = std::env::var_os("PATH").expect("a PATH");
        let program = std::env::split_paths(&search).map(|folder| folder.join(name)).find(|file| file.is_file());
        std::os::unix::fs::symlink(program.expect(name), bin.join(name)).expect("a link");
    }
    (home, bin)
}

/// `smalti setup` of that user, run in the folder of the data.
fn setup(home: &Path, bin: &Path, options: &[&str]) -> Output {
    let mut command = smalti(&["setup"]);
    command.args(options).current_dir(home).env("PATH", bin).env("XDG_DATA_HOME", home.join("data"));
    for variable in ["CBMC", "CC", "SMALTI_SOLVER", "APRON_DIR", "XDG_CACHE_HOME"] {
        command.env_remove(variable);
    }
    command.output().expect("smalti runs")
}

#[test]
fn setup_works_in_the_data_folder_and_says_what_it_cannot_get() {
    let (home, bin) = user();
    let output = setup(home.path(), &bin, &[]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("setup: no CBMC") && told.contains("no SMT solver"), "{told}");
    assert!(!told.contains("cargo"), "an installed smalti is not built: {told}");
    assert_eq!(setup(home.path(), &bin, &["--strict"]).status.code(), Some(1));
    let script = home.path().join("data/smalti/scripts/setup");
    assert_eq!(
        std::fs::read(script).expect("the script"),
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/setup")).expect("the script")
    );
}

#[test]
fn setup_needs_a_folder_that_can_be_written() {
    let (home, bin) = user();
    std::fs::write(home.path().join("data"), "").expect("a file");
    let output = setup(home.path(), &bin, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("data/smalti` cannot be written"), "{}", stderr(&output));
    let mut homeless = smalti(&["setup"]);
    let output = homeless.env_remove("HOME").env_remove("XDG_DATA_HOME").output().expect("smalti runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("set HOME, or XDG_DATA_HOME"), "{}", stderr(&output));
}

#[test]
fn a_cbmc_that_setup_has_fetched_is_found() {
    use std::os::unix::fs::PermissionsExt as _;
    let (home, bin) = user();
    let fetched = home.path().join("data/smalti/.tools/cbmc/bin");
    std::fs::create_dir_all(&fetched).expect("a folder");
    let cbmc = fetched.join("cbmc");
    std::fs::write(&cbmc, "#!/bin/sh\necho '6.4.0 (fake)'\n").expect("a file");
    std::fs::set_permissions(&cbmc, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let told = stdout(&setup(home.path(), &bin, &["--print"]));
    let line = told.lines().find(|line| line.starts_with("cbmc ")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains("6.4.0") && line.ends_with(&cbmc.display().to_string()), "{told}");
}
