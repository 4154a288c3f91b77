//! What `smalti summary` says of the programs in `tests/summaries`, and which of their assertions
//! the stage `summary` proves alone.

mod parallel;
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
    let names = programs("");
    assert!(names.len() >= 20, "{names:?}");
    for name in names {
        let text = format!("{}\n{}", smalti("summary", &name, &[]), verdicts(&name));
        is_as_stored("../snapshots/summaries", &name, text);
    }
}

/// The names of the programs in a folder below the folder of the programs.
fn programs(below: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder().join(below))
        .expect("the folder of the programs")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".c"))
        .collect();
    names.sort();
    names
}

fn is_as_stored(snapshots: &str, name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(snapshots);
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name.trim_end_matches(".c"), text));
}

/// The programs, each with the function that is analysed.
fn functions() -> Vec<(String, &'static str)> {
    let of = |name: String| {
        let function = match name.trim_end_matches(".c") {
            "called_twice" => "main",
            "first_negative" => "first_negative",
            "members_of_a_struct" => "deposit",
            "reversed_in_place" => "reverse",
            "steps_of_two" => "halves",
            "sums_of_arguments" => "sum",
            other => panic!("{other}: which function?"),
        };
        (format!("functions/{name}"), function)
    };
    programs("functions").into_iter().map(of).collect()
}

#[test]
fn summaries_of_functions_are_as_stored() {
    for (name, function) in functions() {
        let file = name.trim_start_matches("functions/").to_owned();
        let text = smalti("summary", &name, &["--function", function]);
        is_as_stored("../snapshots/summaries/functions", &file, text);
    }
}

#[test]
fn annotations_are_as_stored() {
    for (name, function) in functions() {
        let file = name.trim_start_matches("functions/").to_owned();
        let text = smalti("summary", &name, &["--function", function, "--format", "acsl"]);
        is_as_stored("../snapshots/summaries/annotated", &file, text);
    }
    for name in programs("") {
        let text = smalti("summary", &name, &["--format", "acsl"]);
        is_as_stored("../snapshots/summaries/annotated", &name, text);
    }
}

#[test]
fn no_annotation_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = functions().into_iter().chain(programs("").into_iter().map(|name| (name, "main")));
    let all: Vec<(String, &str)> = all.collect();
    let proved = std::sync::atomic::AtomicUsize::new(0);
    let failures = parallel::failures(&all, |_, (name, function)| {
        let file = folder.path().join(name.replace('/', "_"));
        let options = ["--function", function];
        let annotated = smalti("summary", name, &[&options[..], &["--format", "acsl"]].concat());
        std::fs::write(&file, annotated).map_err(|e| e.to_string())?;
        let limits = ["--time-limit", "10", "--checks", "assertion", "--stages", "domains,bounded", "--format", "json"];
        let text = smalti("check", &file.to_string_lossy(), &[&options[..], &limits].concat());
        let document: serde_json::Value = serde_json::from_str(&text).expect("a document");
        let of = |verdict: &str| {
            let all = document["obligations"].as_array().expect("a list").iter();
            all.filter(|o| o["verdict"] == verdict).map(|o| o["id"].to_string()).collect::<Vec<_>>()
        };
        proved.fetch_add(of("proved").len(), std::sync::atomic::Ordering::SeqCst);
        let violated = of("violated");
        if violated.is_empty() { Ok(()) } else { Err(format!("{name}: {}", violated.join(", "))) }
    });
    assert!(failures.is_empty(), "{failures:?}");
    let proved = proved.into_inner();
    assert!(proved > 100, "{proved} annotations are proved");
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
