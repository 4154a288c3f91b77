//! Tests the message on a machine without APRON. This is a test binary of its own, since a process
//! loads the library once.

use apron_sys::{Library, LoadErrorKind};
use std::process::Command;

const CHILD: &str = "SMALTI_TEST_WITHOUT_APRON";

/// Runs the child test below in an environment of its own and returns what it printed.
fn child(folder: &std::path::Path, variables: &[(&str, &str)]) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    // A copy, because the search also looks above the running program, which lies in the checkout.
    let copy = folder.join("program");
    std::fs::copy(program, &copy).unwrap();
    let mut command = Command::new(copy);
    command.args(["--exact", "says_what_is_missing", "--nocapture"]).current_dir(folder).env(CHILD, "1");
    command.env_remove("CI").env_remove("SMALTI_WITHOUT_APRON").env("APRON_DIR", folder).env("XDG_DATA_HOME", folder);
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
    )
}

#[test]
fn says_what_is_missing() {
    if std::env::var_os(CHILD).is_some() {
        match Library::load() {
            Ok(_) => println!("found"),
            Err(error) => {
                assert_eq!(error.kind(), LoadErrorKind::NotFound);
                println!("error: {error}");
            }
        }
        assert_eq!(Library::for_test().is_some(), Library::load().is_ok());
        return;
    }
    let folder = std::env::temp_dir().join(format!("smalti-apron-absent-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (passed, printed) = child(&folder, &[]);
    // A machine may have APRON among the system's libraries; then there is nothing to miss.
    if !printed.contains("found") {
        assert!(passed, "{printed}");
        assert!(printed.contains("error: APRON was not found: looked for "), "{printed}");
        assert!(printed.contains("`smalti setup`") && printed.contains("skipped: "), "{printed}");
        let (passed, _) = child(&folder, &[("CI", "true")]);
        assert!(!passed, "a test that needs APRON must fail in CI without it");
        let (passed, printed) = child(&folder, &[("CI", "true"), ("SMALTI_WITHOUT_APRON", "1")]);
        assert!(passed, "{printed}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
