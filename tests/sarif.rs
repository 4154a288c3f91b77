//! SARIF documents are valid under the schema of the standard, and contain what a code host needs.

mod tools;
mod valid;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use valid::valid;

/// Runs `smalti check --format sarif` in a folder. Returns the document, which must be valid, and
/// the exit status.
fn sarif(folder: &Path, arguments: &[&str]) -> (Value, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder).args(["check", "--format", "sarif"]).args(arguments).timeout(Duration::from_secs(120));
    tools::name_tools(&mut command);
    let output = command.output().expect("smalti runs");
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    // The pattern for languages in the schema has an extra bracket, so it is not a regular
    // expression.
    let schema = include_str!("schemas/sarif-2.1.0.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    valid(&schema, &document).unwrap_or_else(|wrong| panic!("{arguments:?}: {wrong}"));
    (document, output.status.code().expect("an exit status"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with one file.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    folder
}

fn skip_without_cbmc() -> bool {
    smalti::fuzz::or_skip(smalti::cbmc::find(None)).is_none()
}

const FAILING: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int twice(int x) {
    if (x > 1000) return 0;
    return x + x;
}
int main(void) {
    /* \u{e4}\u{f6} */ int x = __VERIFIER_nondet_int();
    int y = twice(x);
    for (int i = 0; i < 2; i++) {
        y++;
    }
    __VERIFIER_assert(y != 16);
    __VERIFIER_assert(x == x);
    return 0;
}
";

fn results(document: &Value) -> &Vec<Value> {
    document["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn kind_and_level_follow_the_verdict() {
    if skip_without_cbmc() {
        return;
    }
    let (document, status) = sarif(folder(FAILING).path(), &["x.c", "--checks", "assertion"]);
    assert_eq!(status, 1);
    let found: Vec<_> = results(&document).iter().map(|r| (r["kind"].as_str(), r["level"].as_str())).collect();
    assert_eq!(found, [(Some("fail"), Some("error")), (Some("pass"), Some("none"))]);
    assert_eq!(document["runs"][0]["invocations"][0]["exitCode"], 1);
    let (document, status) = sarif(folder(FAILING).path(), &["x.c", "--stages", "domains", "--stack", "smash/box"]);
    assert_eq!((status, &results(&document)[0]["kind"]), (3, &"open".into()));
    assert_eq!(results(&document)[0]["level"], "none");
}

#[test]
fn a_failing_run_is_a_code_flow_whose_steps_stand_in_the_source() {
    if skip_without_cbmc() {
        return;
    }
    let (document, _) = sarif(folder(FAILING).path(), &["x.c"]);
    let steps = results(&document)[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps").clone();
    let text = |step: &Value| {
        let region = &step["location"]["physicalLocation"]["region"];
        let line = region["startLine"].as_u64().expect("a line") as usize;
        let column = region["startColumn"].as_u64().expect("a column") as usize;
        let rest: String = FAILING.lines().nth(line - 1).expect("a line").chars().skip(column - 1).collect();
        (rest, step["location"]["message"]["text"].as_str().expect("a message").to_owned())
    };
    let told: Vec<(String, String)> = steps.iter().map(text).collect();
    let expected = [
        ("__VERIFIER_nondet_int();", "the input `x` is 7"),
        ("twice(x);", "`twice` is called"),
        ("if (x > 1000) return 0;", "the condition does not hold"),
        ("for (int i = 0; i < 2; i++) {", "the loop goes on"),
        ("for (int i = 0; i < 2; i++) {", "the loop goes on"),
        ("for (int i = 0; i < 2; i++) {", "the loop ends"),
        ("__VERIFIER_assert(y != 16);", "assertion fails: `y != 16`"),
    ];
    let expected: Vec<(String, String)> = expected.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
    assert_eq!(told, expected);
}

#[test]
fn the_way_of_a_failing_run_is_in_the_json_document_too() {
    if skip_without_cbmc() {
        return;
    }
    let folder = folder(FAILING);
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder.path()).args(["check", "--format", "json", "x.c"]).timeout(Duration::from_secs(120));
    tools::name_tools(&mut command);
    let document: Value = serde_json::from_slice(&command.output().expect("smalti runs").stdout).expect("JSON");
    let run = &document["obligations"][0]["evidence"]["counterexample"];
    assert_eq!(run["path"][0], serde_json::json!({ "place": "x.c:8:24", "event": "input", "target": "x", "value": 7 }));
    assert_eq!(run["path"][2], serde_json::json!({ "place": "x.c:4:5", "event": "branch", "holds": false }));
    assert_eq!(run["shortened"], false);
}

#[test]
fn fingerprints_stay_when_lines_move_and_tell_obligations_apart() {
    let text = "int a[4];\nint main(void) {\n  int i = 1;\n  a[i] = 1; a[i] = 2;\n  a[i + 1] = 3;\n  return 0;\n}\n";
    let prints = |text: &str| -> Vec<String> {
        let (document, _) = sarif(folder(text).path(), &["x.c", "--checks", "bounds,overflow", "--stages", "domains"]);
        let print = |r: &Value| r["partialFingerprints"]["smaltiObligation/v1"].as_str().expect("one").to_owned();
        results(&document).iter().map(print).collect()
    };
    let before = prints(text);
    assert_eq!(before.len(), 4);
    let distinct: std::collections::BTreeSet<&String> = before.iter().collect();
    assert_eq!(distinct.len(), 4, "{before:?}");
    let moved = text.replace("int main", "\n\n// moved\nint main").replace("  int i", "\tint   i");
    assert_eq!(prints(&moved), before);
    assert_ne!(prints(&text.replace("i + 1", "i + 2")), before);
}

#[test]
fn paths_are_those_of_the_repository() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inner = folder.path().join("src/with space");
    std::fs::create_dir_all(&inner).expect("folders");
    std::fs::create_dir(folder.path().join(".git")).expect("a folder");
    let text = "void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(1); return 0; }\n";
    std::fs::write(inner.join("x.c"), text).expect("a file is written");
    let absolute = inner.join("x.c").display().to_string();
    for name in ["x.c", "./x.c", "../with space/x.c", &absolute] {
        let (document, _) = sarif(&inner, &[name, "--stages", "domains"]);
        let location = &results(&document)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(location["uri"], "src/with%20space/x.c", "{name}");
        assert_eq!(location["uriBaseId"], "%SRCROOT%");
        assert_eq!(&document["runs"][0]["artifacts"][0]["location"], location);
    }
    // A file elsewhere has no path relative to this folder.
    let other = self::folder(text);
    let elsewhere = other.path().join("x.c").display().to_string();
    std::fs::create_dir(other.path().join("sub")).expect("a folder");
    std::fs::create_dir(other.path().join("sub/.git")).expect("a folder");
    for (from, name) in [(inner, elsewhere.as_str()), (other.path().join("sub"), "../x.c")] {
        let (document, _) = sarif(&from, &[name, "--stages", "domains"]);
        let location = &results(&document)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!((&location["uri"], &location["uriBaseId"]), (&format!("file://{elsewhere}").into(), &Value::Null));
    }
}

#[test]
fn rules_are_described_and_assumptions_are_notifications() {
    let (document, _) = sarif(root(), &["examples/init.c", "--stages", "domains"]);
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().filter_map(|r| r["id"].as_str()).collect();
    assert_eq!(
        ids,
        [
            "smalti/assertion",
            "smalti/bounds",
            "smalti/overflow",
            "smalti/division",
            "smalti/lifetime",
            "smalti/initialised",
            "smalti/calls"
        ]
    );
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[key]["text"].as_str().is_some_and(|t| t.ends_with('.')), "{rule}");
        }
    }
    for result in results(&document) {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(result["ruleId"], rules[index]["id"]);
    }
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications");
    assert!(notes.iter().any(|n| n["descriptor"]["id"] == "assumption"), "{notes:?}");
    assert_eq!(run["properties"]["verdict"], "true");
}

/// Every kind of report about the test programs, including reports without obligations and reports
/// that were cut off.
#[test]
fn every_report_is_valid() {
    let mut seen = 0;
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/programs")).expect("programs").filter_map(Result::ok).collect();
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files.iter().filter(|f| f.path().extension().is_some_and(|e| e == "c")).step_by(6) {
        let path = file.path().display().to_string();
        sarif(root(), &[&path, "--stages", "domains", "--checks", "assertion,bounds,overflow,division"]);
        seen += 1;
    }
    assert!(seen > 5, "the programs of the tests are gone");
    let (document, status) = sarif(root(), &["examples/init.c", "--time-limit", "0.000001"]);
    assert_eq!((status, &document["runs"][0]["invocations"][0]["executionSuccessful"]), (3, &false.into()));
    let (document, _) = sarif(folder("int main(void) { return 0; }\n").path(), &["x.c"]);
    assert_eq!(results(&document).len(), 0);
}
