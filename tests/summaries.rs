//! What `smalti summary` says of the programs in `tests/summaries`, and which of their assertions
//! the stage `summary` proves alone.

mod tools;

use assert_cmd::Command;
use smalti::fuzz::or_skip;
use std::path::{Path, PathBuf};

/// The output of `smalti VERB NAME OPTIONS` in the folder of the programs.
fn smalti(verb: &str, name: &str, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    tools::name_tools(&mut command);
    command.current_dir(folder()).arg(verb).arg(name).args(options).env_remove("RUST_LOG");
    let output = command.output().expect("smalti runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{verb} {name}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/summaries")
}

/// The verdicts of the stage alone: a line for each assertion.
fn verdicts(name: &str) -> String {
    let document = smalti("check", name, &["--stages", "summary", "--checks", "assertion", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
    let obligations = document["obligations"].as_array().expect("a list");
    let line = |o: &serde_json::Value| {
        let text = |key: &str| o[key].as_str().unwrap_or_default().to_owned();
        format!("{}: {}\n", text("verdict"), text("condition"))
    };
    obligations.iter().map(line).collect()
}

#[test]
fn summaries_are_as_stored() {
    // Some verdicts need it.
    if or_skip(smalti::smt::find(None)).is_none() {
        return;
    }
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder of the programs")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".c"))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{names:?}");
    for name in names {
        let text = format!("{}\n{}", smalti("summary", &name, &[]), verdicts(&name));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots/summaries");
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!(name.trim_end_matches(".c"), text));
    }
}

#[test]
fn the_document_says_the_same_as_the_text() {
    let document: serde_json::Value =
        serde_json::from_str(&smalti("summary", "checksum_of_structs.c", &["--format", "json"])).expect("a document");
    let points = document["points"].as_array().expect("a list");
    let last = points.last().expect("a point");
    assert_eq!((&last["after"], &document["function"]), (&"function".into(), &"main".into()));
    let values = last["values"].as_array().expect("a list");
    let total = values.iter().find(|v| v["name"] == "total").expect("the variable");
    assert_eq!(total["cases"][0]["value"], "12000");
}

#[test]
fn a_jump_into_a_loop_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = "int main(void) {\n    int i = 0;\n    if (i == 0) goto inside;\n    while (i < 9) {\ninside:\n        i++;\n    }\n    return i;\n}\n";
    std::fs::write(folder.path().join("x.c"), program).expect("a file is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    let output = command.current_dir(folder.path()).args(["summary", "x.c"]).output().expect("smalti runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.starts_with("there is no summary, because ") && said.contains("x.c:"), "{said}");
}
