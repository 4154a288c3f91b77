//! `smalti report`: one self-contained HTML file, or the data that it shows. The pages are opened
//! in a real browser.

mod browser;

use browser::Browser;
use serde_json::Value;
use smalti::fuzz::or_skip;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn smalti(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smalti"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("smalti runs")
}

/// The file that a successful run wrote.
fn written(arguments: &[&str], file: &Path) -> String {
    let name = file.to_str().expect("a UTF-8 path");
    let output = smalti(&[&["report", "-o", name], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty(), "the report went to the file");
    std::fs::read_to_string(file).expect("a report in UTF-8")
}

/// The value with each reference replaced by the shared part, as in the script of the page.
fn expanded(value: &Value, table: &[Value]) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('~') {
            Some(rest) if rest.starts_with('~') => rest.into(),
            Some(rest) => table[usize::from_str_radix(rest, 36).expect("a number")].clone(),
            None => value.clone(),
        },
        Value::Array(all) => all.iter().map(|v| expanded(v, table)).collect(),
        Value::Object(all) => all.iter().map(|(k, v)| (k.clone(), expanded(v, table))).collect(),
        other => other.clone(),
    }
}

/// The data of a page.
fn data(page: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let from = page.find(start).expect("data") + start.len();
    let to = from + page[from..].find("</script>").expect("an end");
    let mut data: Value = serde_json::from_str(&page[from..to]).expect("JSON");
    let shared = data["shared"].take();
    let mut table = Vec::new();
    for entry in shared.as_array().expect("a list") {
        let entry = expanded(entry, &table);
        table.push(entry);
    }
    expanded(&data, &table)
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
    assert_eq!((&data(&later)["states"], &data(&later)["lines"]), (&document["states"], &document["lines"]));
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
    // The steps at the loop begin with the peeled iteration and end before the invariant.
    let steps: Vec<&str> = head["copies"][0]["iterates"]
        .as_array()
        .expect("iterates")
        .iter()
        .map(|i| i["step"].as_str().expect("a step"))
        .collect();
    assert_eq!(steps[0], "iteration 1, analysed separately");
    assert!(steps.contains(&"the loop is entered") && steps.contains(&"an iteration is widened"), "{steps:?}");
}

/// A program whose text tries to break out of every place where a page could put it.
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

fn started(width: u32, height: u32) -> Option<Browser> {
    Some(Browser::start(&or_skip(browser::find())?, width, height))
}

/// Opens the page. It must report no errors and request no other file.
fn opened(browser: &mut Browser, file: &Path, fragment: &str) {
    browser.open(file, fragment);
    browser.wait("document.querySelector('#panel h2') !== null");
}

fn nothing_went_wrong(browser: &mut Browser) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let requests = browser.requests();
    assert!(requests.len() == 1 && requests[0].starts_with("file://"), "{requests:?}");
}

/// The line number of the selected row.
const CHOSEN: &str = "Number(document.querySelector('.row.chosen').dataset.line)";

#[test]
fn a_line_that_is_clicked_shows_its_state_with_arrays_drawn() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("init.html");
    written(&["examples/init.c", "--stages", "domains"], &file);
    opened(&mut browser, &file, "");
    // The first screen: the verdict, and an array that is divided.
    assert_eq!(browser.text("document.querySelector('h1').textContent"), "Everything is proved.");
    assert_eq!(browser.number(CHOSEN), 10.0);
    let drawn =
        "[...document.querySelectorAll('.picture .piece')].map(p => p.querySelector('title').textContent).join(' | ')";
    assert_eq!(browser.text(drawn), "A {0..i-1} 7 | B {i..99} any");
    let fits = "(() => { const r = document.querySelector('.picture').getBoundingClientRect(); \
                return r.width > 300 && r.top > 0 && r.bottom < innerHeight; })()";
    assert_eq!(browser.evaluate(fits), true, "the picture is on the first screen");
    // A click on another line.
    browser.click("#f0l13 code");
    assert_eq!(browser.number(CHOSEN), 13.0);
    assert_eq!(browser.text(drawn), "A {0..99} 7");
    assert!(browser.text("document.querySelector('#panel h2').textContent").starts_with("Line 13"));
    // Bars have the colours of their groups. An unknown part has no bar.
    let fill = |line: u32, n: u32| {
        format!(
            "(() => {{ location.hash = 'f0l{line}'; return new Promise(done => setTimeout(() => \
             done(getComputedStyle(document.querySelectorAll('.picture .tilerect')[{n}]).fill), 100)); }})()"
        )
    };
    let (seven, all_seven, any) = (browser.text(&fill(10, 0)), browser.text(&fill(13, 0)), browser.text(&fill(9, 0)));
    assert_eq!(seven, all_seven, "the same content has the same colour at another line");
    assert_ne!(seven, any);
    // Small pictures in the margin, for every visible line with a state.
    browser.wait("document.querySelectorAll('.strip svg').length >= 9");
    nothing_went_wrong(&mut browser);
}

#[test]
fn what_loops_compute_is_a_section_and_stands_beside_the_states_of_their_lines() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("init.html");
    let page = written(&["examples/init.c", "--stages", "domains"], &file);
    assert!(page.contains("What the loops compute"));
    opened(&mut browser, &file, "#f0l10");
    let rows =
        "[...document.querySelectorAll('#computed .point:first-of-type td')].map(c => c.textContent).join(' | ')";
    assert_eq!(browser.text(rows), "a[k] = 7 | for 0 <= k <= 99 | i = 100 | ");
    assert_eq!(browser.text("document.querySelector('#panel .point h3').textContent"), "Line 10, after the loop");
    browser.click("#f0l13 code");
    assert_eq!(browser.number("document.querySelectorAll('#panel .point').length"), 0.0);
    nothing_went_wrong(&mut browser);
}

#[test]
fn a_stored_report_from_before_loops_were_summarised_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (stored, page) = (folder.path().join("stored.json"), folder.path().join("page.html"));
    let json = written(&["examples/init.c", "--stages", "domains", "--format", "json"], &stored);
    let mut document: Value = serde_json::from_str(&json).expect("JSON");
    assert!(document["computed"]["points"].as_array().is_some_and(|points| !points.is_empty()), "{document}");
    document.as_object_mut().expect("an object").remove("computed");
    std::fs::write(&stored, document.to_string()).expect("a written file");
    assert!(!written(&[stored.to_str().expect("UTF-8")], &page).contains("What the loops compute"));
}

#[test]
fn the_slider_goes_through_the_iterations_of_a_loop() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("init.html");
    written(&["examples/init.c", "--stages", "domains"], &file);
    opened(&mut browser, &file, "#at-f0l10");
    let said = "document.querySelector('.slider output').textContent";
    let drawn = "document.querySelectorAll('.picture .piece').length + ' ' + \
                 [...document.querySelectorAll('.cells')].map(c => c.firstChild.textContent).join(' ')";
    assert!(browser.text(said).ends_with("the loop invariant"));
    assert_eq!(browser.text(drawn), "2 {0..i-1} {i..99}");
    browser.evaluate("document.querySelector('#iterate').focus()");
    browser.press("Home");
    assert!(
        browser.text(said).starts_with("1 of ") && browser.text(said).ends_with("iteration 1, analysed separately")
    );
    assert_eq!(browser.text(drawn), "1 {0..99}");
    browser.press("ArrowRight");
    assert!(browser.text(said).ends_with("the loop is entered"));
    assert_eq!(browser.text(drawn), "2 {0} {1..99}");
    browser.press("End");
    assert!(browser.text(said).ends_with("the loop invariant"));
    nothing_went_wrong(&mut browser);
}

#[test]
fn the_run_that_fails_is_followed_statement_by_statement() {
    let Some(mut browser) = started(1280, 800) else { return };
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (stored, file) = (folder.path().join("buggy.json"), folder.path().join("buggy.html"));
    let text = written(&["examples/buggy.c", "--format", "json"], &stored);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let run = &document["obligations"][1]["run"];
    let path = run["path"].as_array().expect("a path");
    assert_eq!(path.last().expect("statements")["line"], 18, "it ends where it fails");
    // The values that statements write are those that the run reads later, and at the end all cells
    // of the array are negative.
    let mut values = std::collections::BTreeMap::new();
    for change in path.iter().flat_map(|s| s["changes"].as_array().into_iter().flatten()) {
        let value: i64 = change[1].as_str().expect("digits").parse().expect("a number");
        values.insert(change[0].as_str().expect("a name"), value);
    }
    let read: Vec<i64> = run["inputs"]
        .as_array()
        .expect("inputs")
        .iter()
        .map(|i| i["value"].as_str().expect("digits").parse().expect("a number"))
        .collect();
    assert_eq!(read, [values["a[0]"], values["a[1]"], values["a[2]"]]);
    assert!(read.iter().all(|v| *v < 0) && values["largest"] == 0, "{values:?}");
    // The page starts at the end of the run, and steps lead backwards.
    written(&[stored.to_str().expect("UTF-8")], &file);
    opened(&mut browser, &file, "");
    assert_eq!(browser.number(CHOSEN), 18.0);
    let said = "document.querySelector('.walk output').textContent";
    let stepped = "Number(document.querySelector('.row.stepped').dataset.line)";
    let shown = "[...document.querySelectorAll('.walk .formula')].map(f => f.textContent).join('; ')";
    let n = path.len();
    assert_eq!(browser.text(said), format!("{n} of {n}: fails at line 18 in main"));
    assert!(browser.text(shown).contains(&format!("a[0] = {}", read[0])));
    browser.click(".steps button");
    assert_eq!(browser.number(stepped), 17.0);
    browser.evaluate("document.querySelector('#walk').focus()");
    browser.press("Home");
    assert_eq!(browser.number(stepped), 7.0);
    assert_eq!(browser.text(shown), "");
    nothing_went_wrong(&mut browser);
}

#[test]
fn variables_of_one_name_are_told_apart_in_the_run_that_fails() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("x.c");
    let text = "\
void __VERIFIER_assert(int c);
static int twice(int i) { return 2 * i; }
int main(void) {
    int i = 1;
    int sum = 0;
    { int i = 3; sum = twice(i + 4); }
    __VERIFIER_assert(i + sum == 0);
    return 0;
}
";
    std::fs::write(&source, text).expect("a written file");
    let text = written(&[source.to_str().expect("UTF-8"), "--format", "json"], &folder.path().join("x.json"));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let path = document["obligations"][0]["run"]["path"].as_array().expect("a path");
    let mut values = std::collections::BTreeMap::new();
    for change in path.iter().flat_map(|s| s["changes"].as_array().into_iter().flatten()) {
        values.insert(change[0].as_str().expect("a name"), change[1].as_str().expect("digits"));
    }
    let expected = [("i@main", "1"), ("i@main:2", "3"), ("i@twice", "7"), ("sum", "14")];
    assert_eq!(values.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn scattered_groups_are_speckles_with_arrows_to_what_their_fields_point_to() {
    let Some(mut browser) = started(1280, 900) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("minix.html");
    let arguments =
        ["--function", "do_fork", "examples/minix/forkexit.c", "--checks", "assertion,bounds", "--stages", "domains"];
    written(&arguments, &file);
    let line = std::fs::read_to_string("examples/minix/forkexit.c").expect("a source");
    let line = line.lines().position(|l| l.contains("if (child == NR_PROCS)")).expect("a line") + 1;
    opened(&mut browser, &file, &format!("#at-f0l{line}"));
    assert_eq!(browser.number(CHOSEN), line as f64);
    let count = |what: &str| format!("document.querySelectorAll('.picture {what}').length");
    assert!(browser.number(&count(".speckle")) >= 10.0, "used and free slots lie mixed");
    assert!(browser.number(&count(".arrow")) >= 1.0, "the parent is the index of a slot");
    // Each cell is drawn once.
    let width = browser.number("document.querySelector('.picture .bed').getBBox().width");
    let covered = "[...document.querySelectorAll('.picture .piece')].map(p => p.querySelector('rect').width.baseVal.value).reduce((a, b) => a + b)";
    let covered = browser.number(covered);
    assert!(covered > width * 0.8 && covered <= width, "{covered} of {width}");
    // A selected group is highlighted.
    browser.evaluate("document.querySelector('.group').focus()");
    assert!(browser.number(&count(".piece.dimmed")) >= 1.0);
    assert!(browser.number(&count(".piece:not(.dimmed)")) >= 1.0);
    nothing_went_wrong(&mut browser);
}

#[test]
fn keys_go_from_line_to_line() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("init.html");
    written(&["examples/init.c", "--stages", "domains"], &file);
    opened(&mut browser, &file, "#at-f0l8");
    browser.evaluate("document.querySelector('.row.chosen .number').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assert_eq!(browser.number(CHOSEN), 10.0);
    browser.press("ArrowUp");
    assert_eq!(browser.number(CHOSEN), 9.0);
    browser.press("End");
    assert_eq!(browser.number(CHOSEN), 16.0);
    assert_eq!(browser.number("Number(document.activeElement.textContent)"), 16.0, "the focus goes along");
    nothing_went_wrong(&mut browser);
}

#[test]
fn the_page_fits_a_phone_in_the_dark_and_paper() {
    let Some(mut browser) = started(360, 640) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("buggy.html");
    written(&["examples/buggy.c", "--stages", "domains"], &file);
    browser.media("screen", "dark");
    opened(&mut browser, &file, "");
    assert!(browser.number("document.documentElement.scrollWidth") <= 360.0, "nothing sticks out sideways");
    let bright = "(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number); return r + g + b; })()";
    assert!(browser.number(bright) < 150.0, "the ground is dark");
    let sheet = "(() => { const r = document.querySelector('#panel').getBoundingClientRect(); return r.bottom - innerHeight; })()";
    assert!(browser.number(sheet).abs() < 2.0, "the state is a sheet at the foot");
    browser.click(".handle");
    assert_eq!(browser.evaluate("document.querySelector('.stage').offsetParent === null"), true, "it is folded");
    browser.click(".handle");
    browser.media("screen", "light");
    assert!(browser.number(bright) > 600.0);
    browser.media("print", "light");
    assert_eq!(browser.text("getComputedStyle(document.querySelector('#panel')).position"), "static");
    assert!(browser.print().starts_with(b"%PDF-"));
    nothing_went_wrong(&mut browser);
}

#[test]
fn a_hostile_source_runs_nothing_in_the_browser() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = hostile(folder.path());
    let file = folder.path().join("out.html");
    written(&[source.to_str().expect("UTF-8"), "--stages", "domains"], &file);
    opened(&mut browser, &file, "#at-f0l6");
    let line = browser.text("document.querySelector('#f0l1 code').textContent");
    assert!(line.contains("</script><script>alert(1)</script>"), "{line}");
    assert_eq!(browser.number("document.images.length"), 0.0);
    browser.click("#f0l6 code");
    nothing_went_wrong(&mut browser);
}

/// A stored report with many lines, whose numbers are out of range.
fn large(lines: u32) -> serde_json::Value {
    use serde_json::json;
    let group = |from: u32, to: u32, holds: &str| json!({ "cells": format!("{{{from}..{to}}}"), "from": from.to_string(), "to": to.to_string(), "low": from, "high": to, "holds": [holds] });
    let state = |n: u32| {
        let groups = [group(0, n % 90, "value == 1"), group(n % 90 + 1, 99, "value == 2")];
        json!({ "scalars": [format!("n == {n}")], "arrays": [{ "name": "a[100]", "length": 100, "groups": groups }] })
    };
    let text: String = (1..=lines).map(|n| format!("    a[{n}] = {n};\n")).collect();
    let line = |n: u32| json!({ "file": 0, "line": n, "is_loop": false, "copies": [{ "state": n - 1 }] });
    json!({
        "format": "smalti-report", "format_version": 1, "version": "0", "files": ["large.c"], "verdict": "unknown", "complete": true,
        "sources": [{ "name": "large.c", "text": text }], "obligations": [],
        "lines": (1..=lines).map(line).chain([
            json!({ "file": 7, "line": 1, "is_loop": true, "copies": [{ "state": 999_999, "iterations": 3 }] }),
        ]).collect::<Vec<_>>(),
        "states": (1..=lines).map(state).collect::<Vec<_>>(),
        "computed": { "points": [{ "file": 7, "line": 1, "moment": "after", "values": [] }], "notes": [] },
        "assumptions": [], "configuration": {}, "statistics": {}, "notes": [],
    })
}

#[test]
fn a_file_of_thousands_of_lines_stays_usable() {
    let Some(mut browser) = started(1280, 800) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (stored, file) = (folder.path().join("large.json"), folder.path().join("large.html"));
    std::fs::write(&stored, large(8000).to_string()).expect("a written file");
    written(&[stored.to_str().expect("UTF-8")], &file);
    let start = std::time::Instant::now();
    opened(&mut browser, &file, "#at-f0l7999");
    assert_eq!(browser.number(CHOSEN), 7999.0);
    assert_eq!(browser.text("document.querySelector('.formula').textContent"), "n == 7999");
    browser.press("Tab");
    browser.click("#f0l7990 code");
    assert_eq!(browser.text("document.querySelector('.formula').textContent"), "n == 7990");
    // Lines that are not visible are not drawn.
    assert!(browser.number("document.querySelectorAll('.strip svg').length") < 400.0);
    assert!(start.elapsed() < std::time::Duration::from_secs(40), "{:?}", start.elapsed());
    nothing_went_wrong(&mut browser);
}
