//! `smalti report`: one HTML file that needs nothing else, or the data that it is a view of.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn smalti(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smalti"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("smalti runs")
}

/// What a successful run wrote to a file.
fn written(arguments: &[&str], file: &Path) -> String {
    let name = file.to_str().expect("a UTF-8 path");
    let output = smalti(&[&["report", "-o", name], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty(), "the report went to the file");
    std::fs::read_to_string(file).expect("a report in UTF-8")
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let from = page.find(start).expect("data") + start.len();
    let to = from + page[from..].find("</script>").expect("an end");
    serde_json::from_str(&page[from..to]).expect("JSON")
}

#[test]
fn a_stored_report_gives_the_same_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let (direct, stored, later) =
        (folder.path().join("direct.html"), folder.path().join("stored.json"), folder.path().join("later.html"));
    let json = written(&["examples/init.c", "--stages", "domains", "--format", "json"], &stored);
    let later = written(&[stored.to_str().expect("UTF-8")], &later);
    let direct = written(&["examples/init.c", "--stages", "domains"], &direct);
    assert_eq!(data(&later)["states"], data(&direct)["states"]);
    assert_eq!(data(&later)["lines"], data(&direct)["lines"]);
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(document["format"], "smalti-report");
    assert_eq!(document["verdict"], "true");
    assert_eq!(document["sources"][0]["name"], "examples/init.c");
    assert!(document["sources"][0]["text"].as_str().is_some_and(|t| t.contains("a[i] = 7;")));
    assert_eq!(document["obligations"][0]["verdict"], "proved");
    assert_eq!(document["obligations"][0]["stage"], "domains");
    assert!(document["assumptions"].as_array().is_some_and(|a| !a.is_empty()));
}

#[test]
fn the_groups_at_a_loop_have_places_for_an_example_that_the_state_allows() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = written(&["examples/init.c", "--stages", "domains", "--format", "json"], &folder.path().join("r.json"));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let lines = document["lines"].as_array().expect("lines");
    let head = lines.iter().find(|l| l["line"] == 10).expect("the loop has a line");
    assert_eq!(head["is_loop"], true);
    let state = &document["states"][head["copies"][0]["state"].as_u64().expect("a number") as usize];
    let example = state["example"].as_array().expect("an example");
    let i = example.iter().find(|e| e[0] == "i").expect("i has a value")[1].as_i64().expect("a number");
    assert!((0..=100).contains(&i), "{example:?}");
    let array = &state["arrays"][0];
    assert_eq!(array["length"], 100);
    let group = |n: usize| &array["groups"][n];
    assert_eq!((&group(0)["from"], &group(0)["to"]), (&"0".into(), &"i-1".into()));
    assert_eq!((group(0)["low"].as_i64(), group(0)["high"].as_i64()), (Some(0), Some(i - 1)));
    assert_eq!((group(1)["low"].as_i64(), group(1)["high"].as_i64()), (Some(i), Some(99)));
    assert_eq!(group(0)["holds"][0], "value == 7");
    // The story of the loop begins with the iteration that was looked at apart and ends before the invariant.
    let steps: Vec<&str> = head["copies"][0]["iterates"]
        .as_array()
        .expect("iterates")
        .iter()
        .map(|i| i["step"].as_str().expect("a step"))
        .collect();
    assert_eq!(steps[0], "iteration 1, looked at apart");
    assert!(steps.contains(&"the loop is entered") && steps.contains(&"an iteration is widened"), "{steps:?}");
}

/// A program whose text tries to leave every place that a page could put it into.
const HOSTILE: &[u8] =
    b"// </script><script>alert(1)</script> <!-- <script> \"' onload=\"alert(1)\" {{ 7 * 7 }} {% raw %}\n\
    extern int __VERIFIER_nondet_int(void);\n\
    /* \xff\xfe not UTF-8, \x01\x1b control, \xe2\x80\xae turned \xe2\x80\xa8 */\n\
    void __VERIFIER_assert(int c);\n\
    #include <assert.h>\n\
    int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = 1 < 2;\n\
    assert(a[0] == 1 && \"</script><img src=x onerror=alert(1)>\" != 0); return 0; }\n";

fn hostile(folder: &Path) -> PathBuf {
    let file = folder.join("<img src=x onerror=alert(1)>&amp;.c");
    std::fs::write(&file, HOSTILE).expect("a written file");
    file
}

#[test]
fn a_hostile_source_does_not_leave_its_place_in_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = hostile(folder.path());
    let page = written(&[file.to_str().expect("UTF-8"), "--stages", "domains"], &folder.path().join("out.html"));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script, nothing else");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!-- <script>"));
    assert!(!page.contains('\u{202e}') && page.contains("⟨U+202E⟩"));
    assert!(page.contains("{{ 7 * 7 }}"), "what looks like a template is text");
    assert!(!page.chars().any(|c| c.is_control() && c != '\n'));
    data(&page);
}

#[test]
fn what_is_no_stored_report_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("r.json");
    let cases = [
        ("", "this is not a stored report"),
        ("{\"tool\": \"smalti\"}", "this is not a stored report"),
        ("{\"format\": \"other\", \"format_version\": 1}", "its format is `other`"),
        ("{\"format\": \"smalti-report\", \"format_version\": 99}", "version 99"),
        ("{\"format\": \"smalti-report\", \"format_version\": 1}", "is damaged"),
    ];
    for (text, reason) in cases {
        std::fs::write(&file, text).expect("a written file");
        let output = smalti(&["report", file.to_str().expect("UTF-8")]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{text}: {said}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_status_2() {
    let output = smalti(&["report", "examples/init.c", "--stages", "domains", "-o", "no/such/folder/x.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/folder/x.html"));
}
