//! The output of `check --format json` is valid under the schema in `docs`.

mod tools;
mod valid;

use assert_cmd::Command;
use serde_json::Value;
use smalti::verdict::Reason;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use valid::valid;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../docs/check.schema.json")).expect("the schema is JSON")
}

/// Runs `smalti check --format json` in a folder. Returns the document, which must be valid.
fn check(folder: &Path, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder).args(["check", "--format", "json"]).args(arguments).timeout(Duration::from_secs(120));
    tools::name_tools(&mut command);
    let output = command.output().expect("smalti runs");
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    valid(&schema(), &document).unwrap_or_else(|wrong| panic!("{arguments:?}: {wrong}\n{document:#}"));
    document
}

/// The document of one program.
fn checked(text: &str, arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let head = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n";
    std::fs::write(folder.path().join("x.c"), format!("{head}{text}")).expect("a file is written");
    check(folder.path(), &[&["x.c"], arguments].concat())
}

const DOMAINS: [&str; 4] = ["--stages", "domains", "--stack", "smash/box"];

const LOOP: &str = "int main(void) { int n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < n; i++) s += i % 3; __VERIFIER_assert(s != 1000); return 0; }";

fn verdicts(document: &Value) -> Vec<&str> {
    document["obligations"].as_array().expect("a list").iter().filter_map(|o| o["verdict"].as_str()).collect()
}

fn words(document: &Value) -> BTreeSet<&str> {
    let all = document["obligations"].as_array().expect("a list").iter();
    all.filter_map(|o| o["evidence"]["reasons"].as_array()).flatten().filter_map(|r| r["because"].as_str()).collect()
}

#[test]
fn documents_of_every_kind_are_valid() {
    let none = checked("int main(void) { return 0; }", &DOMAINS);
    assert_eq!(
        (verdicts(&none).len(), &none["assumptions"], &none["verdict"]),
        (0, &Value::Array(vec![]), &"unknown".into())
    );
    let proved = checked(
        "void idle(void) { __VERIFIER_assert(0); } int main(void) { int x = __VERIFIER_nondet_int() % 7; __VERIFIER_assert(x < 7); return 0; }",
        &DOMAINS,
    );
    assert_eq!(verdicts(&proved), ["unreachable", "proved"]);
    let open = checked(LOOP, &[&DOMAINS[..], &["--checks", "assertion"]].concat());
    assert_eq!((verdicts(&open), words(&open)), (vec!["unknown"], BTreeSet::from(["undecided"])));
    assert_eq!(open["assumptions"], Value::Array(vec![]), "no answer rests on an assumption");
    let late = checked(LOOP, &["--time-limit", "0.001"]);
    assert_eq!(late["complete"], false);
}

#[test]
fn what_cbmc_is_asked_for_is_valid() {
    if smalti::fuzz::or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let text = "int twice(int x) { return x + x; }
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 99 || x < 0) return 0;
        for (int i = 0; i < 2; i++) x = twice(x); __VERIFIER_assert(x != 16); return 0; }";
    let document = checked(text, &["--checks", "assertion"]);
    assert_eq!(verdicts(&document), ["violated"]);
    assert_eq!(document["assumptions"][0]["obligations"], serde_json::json!(["main.assertion.1"]));
    let path = document["obligations"][0]["evidence"]["counterexample"]["path"].as_array().expect("a path");
    let events: BTreeSet<&str> = path.iter().filter_map(|step| step["event"].as_str()).collect();
    assert_eq!(events, BTreeSet::from(["input", "call", "branch", "loop"]));
    let bounded = checked(LOOP, &["--stages", "bounded,unwind", "--checks", "assertion", "--time-limit", "4"]);
    assert_eq!(verdicts(&bounded), ["unknown"]);
    let recursive = "int f(int n) { return n > 0 ? f(n - 1) : n; }
        int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 7); return 0; }";
    let refused = checked(recursive, &["--stages", "prune", "--checks", "assertion"]);
    assert_eq!(words(&refused), BTreeSet::from(["refused"]));
    assert!(refused["obligations"][0]["evidence"]["reasons"][0]["place"].is_string());
}

#[test]
fn a_proof_names_the_loop_invariants_that_were_found() {
    if smalti::fuzz::or_skip(smalti::smt::find(None)).is_none() {
        return;
    }
    let text = "/*@ requires 0 <= n && \\valid(a + (0 .. n - 1)) && \\valid_read(b + (0 .. n - 1));\n\
                requires \\separated(a + (0 .. n - 1), b + (0 .. n - 1)); assigns a[0 .. n - 1];\n\
                ensures \\forall integer k; 0 <= k < n ==> a[k] == b[k]; */\n\
                void take(int *a, const int *b, int n) {\n\
                for (int i = 0; i < n; i++) a[i] = b[i]; }\n";
    let document = checked(text, &["--function", "take", "--stages", "induction"]);
    let obligations = document["obligations"].as_array().expect("a list");
    let evidence = &obligations.iter().find(|o| o["id"] == "take.ensures.1").expect("an obligation")["evidence"];
    let found: Vec<&str> =
        evidence["invariants"].as_array().expect("a list").iter().filter_map(|i| i["formula"].as_str()).collect();
    assert!(found.contains(&"\\forall integer k; 0 <= k < i ==> a[k] == b[k]"), "{found:?}");
    assert_eq!(evidence["invariants"][0]["place"], "x.c:6:1");
}

#[test]
fn an_assumption_names_what_it_is_about_and_the_answers_that_may_rest_on_it() {
    let text = "int get(int), put(int), idle(int);
        int unused(void) { return idle(1); }
        int main(void) { int x = get(1) % 7; put(2); __VERIFIER_assert(x < 7); __VERIFIER_assert(x > 0); return 0; }";
    let document = checked(text, &DOMAINS);
    assert_eq!(verdicts(&document), ["proved", "unknown"]);
    let all = document["assumptions"].as_array().expect("a list");
    let external =
        all.iter().find(|a| a["text"].as_str().is_some_and(|t| t.starts_with("a function that has no body")));
    let external = external.unwrap_or_else(|| panic!("{all:#?}"));
    assert_eq!(external["about"], serde_json::json!(["get", "put"]), "nothing comes to the call of `idle`");
    assert_eq!(external["obligations"], serde_json::json!(["main.assertion.1"]));
}

#[test]
fn what_is_no_such_document_is_not_valid() {
    let document =
        checked("int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x == x); return 0; }", &DOMAINS);
    for (pointer, value) in [
        ("/format", serde_json::json!(1)),
        ("/verdict", serde_json::json!("maybe")),
        ("/obligations/0/verdict", serde_json::json!("violated")),
        ("/obligations/0/line", serde_json::json!("3")),
        ("/assumptions", serde_json::json!(["malloc succeeds"])),
        ("/statistics", serde_json::json!({})),
        ("/obligations/0/evidence", serde_json::json!({ "stage": "domains", "detail": "", "time_ms": 1, "more": 1 })),
        (
            "/obligations/0/evidence/reasons",
            serde_json::json!([{ "stage": "domains", "because": "boredom", "text": "" }]),
        ),
    ] {
        let mut wrong = document.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        wrong.pointer_mut(parent).expect("it is there")[key] = value;
        assert!(valid(&schema(), &wrong).is_err(), "{pointer}");
    }
}

#[test]
fn the_schema_lists_the_words_of_all_reasons() {
    let schema = schema();
    let listed = schema["$defs"]["reason"]["properties"]["because"].clone();
    let listed_words: BTreeSet<&str> =
        listed["enum"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(listed_words, Reason::WORDS.into_iter().collect());
    for word in Reason::WORDS {
        let described = listed["description"].as_str().is_some_and(|text| text.contains(&format!("`{word}`: ")));
        assert!(described, "{word}");
    }
}

/// A few of the test programs.
#[test]
fn every_document_is_valid() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/programs")).expect("programs").filter_map(Result::ok).collect();
    files.sort_by_key(std::fs::DirEntry::path);
    let mut seen = 0;
    for file in files.iter().filter(|f| f.path().extension().is_some_and(|e| e == "c")).step_by(12) {
        let path = file.path().display().to_string();
        check(
            root(),
            &[&path, "--stages", "run,domains", "--checks", "assertion,bounds,overflow,division", "--time-limit", "5"],
        );
        seen += 1;
    }
    assert!(seen > 3, "{seen}");
}
