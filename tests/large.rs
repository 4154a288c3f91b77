//! Programs with many arrays: the arrays that a line mentions are shown, pages stay small, and the
//! report gives the same answers as `check`.

mod parallel;

use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A program with the given number of arrays, each written in a loop and read under an obligation.
fn program(arrays: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assert(int);\n".to_owned();
    for n in 0..arrays {
        let _ = writeln!(text, "int a{n}[64];");
    }
    text.push_str("int main(void)\n{\n");
    for n in 0..arrays {
        let _ = write!(
            text,
            "    int n{n} = __VERIFIER_nondet_int();
    if (n{n} < 0 || n{n} > 64)
        n{n} = 64;
    for (int i = 0; i < n{n}; i++)
    {{
        if (i % 2 == 0)
            a{n}[i] = {n};
        else
            a{n}[i] = {n} + 1;
    }}
    int k{n} = __VERIFIER_nondet_int();
    if (k{n} >= 0 && k{n} < n{n})
    {{
        int v{n} = a{n}[k{n}];
        __VERIFIER_assert(v{n} <= {n} + 1);
        __VERIFIER_assert(v{n} >= {n} + {});
    }}

",
            // One obligation fails, in some runs.
            usize::from(n == 1)
        );
    }
    text + "    return 0;\n}\n"
}

/// The program in a folder of its own.
struct Case {
    folder: tempfile::TempDir,
    text: String,
}

impl Case {
    fn new(arrays: usize) -> Case {
        let (folder, text) = (tempfile::tempdir().expect("a folder"), program(arrays));
        std::fs::write(folder.path().join("large.i"), &text).expect("a file is written");
        Case { folder, text }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn smalti(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        command.args(arguments).args(["--no-preprocess", "--time-limit", "1000", "large.i"]);
        command.current_dir(self.folder.path()).env_remove("RUST_LOG").output().expect("smalti runs")
    }

    /// The number of the first line with these words, from 1.
    fn line(&self, words: &str) -> usize {
        self.text.lines().position(|l| l.contains(words)).expect("such a line") + 1
    }
}

fn text(output: &Output, status: i32) -> String {
    assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The parts of an obligation that `check` and `report` share.
fn verdicts(document: &Value, detail: impl Fn(&Value) -> Value) -> Vec<(String, String, Value)> {
    let all = document["obligations"].as_array().expect("obligations");
    let word = |o: &Value, name: &str| o[name].as_str().expect("a word").to_owned();
    all.iter().map(|o| (word(o, "id"), word(o, "verdict"), detail(o))).collect()
}

#[test]
fn a_line_of_a_large_program_shows_the_arrays_that_it_reads_and_writes() {
    let case = Case::new(14);
    let text = text(&case.smalti(&["states"]), 0);
    let lines: Vec<&str> = text.lines().collect();
    let under = |words: &str| {
        let number = format!("{:>3} |", case.line(words));
        let from = lines.iter().position(|l| l.starts_with(&number)).expect("all lines are printed") + 1;
        lines[from..].iter().take_while(|l| l.starts_with("    |")).map(|l| l[5..].trim()).collect::<Vec<_>>()
    };
    for (words, own, scalar) in [("a7[i] = 7;", "a7[64]", "i"), ("int v9 = a9[k9]", "a9[64]", "k9")] {
        let state = under(words);
        let arrays: Vec<&&str> = state.iter().filter(|l| l.starts_with('a')).collect();
        assert!(matches!(arrays[..], [only] if only.starts_with(own)), "{words}: {state:?}");
        assert!(state[0].contains(scalar), "{words}: {state:?}");
        let more = state.last().expect("a line");
        assert!(more.starts_with("(13 more arrays, ") && more.ends_with(" more scalars)"), "{words}: {state:?}");
    }
    // At the head of a loop, the arrays that its body mentions are shown.
    let head = under("for (int i = 0; i < n3; i++)");
    assert!(head.iter().any(|l| l.starts_with("a3[64]") && l.contains("{0..")), "{head:?}");
    assert!(under("int k3 = ").iter().all(|l| !l.starts_with("nothing")), "{text}");
    assert_eq!(lines.last(), Some(&"stack: relation/partition/octagon"));
}

#[test]
fn few_arrays_are_shown_at_every_line() {
    let case = Case::new(3);
    let text = text(&case.smalti(&["states"]), 0);
    let after: Vec<&str> = text.lines().skip_while(|l| !l.contains("return 0;")).collect();
    for n in 0..3 {
        assert!(after.iter().any(|l| l.contains(&format!("a{n}[64]"))), "{after:?}");
    }
    assert!(!text.contains(" more "), "{text}");
}

/// The stored report for this many arrays. Also checks the size of its page, and that its verdicts
/// are those of `check`.
fn report(arrays: usize, options: &[&str]) -> Value {
    let case = Case::new(arrays);
    let options = [options, &["--stages", "run,domains"]].concat();
    let checked = text(&case.smalti(&[&["check", "--format", "json"], &options[..]].concat()), 3);
    let stored = text(&case.smalti(&[&["report", "--format", "json"], &options[..]].concat()), 0);
    let (checked, report): (Value, Value) =
        (serde_json::from_str(&checked).expect("JSON"), serde_json::from_str(&stored).expect("JSON"));
    assert_eq!(verdicts(&report, |o| o["detail"].clone()), verdicts(&checked, |o| o["evidence"]["detail"].clone()));
    assert_eq!(report["complete"], true);
    std::fs::write(case.path("stored.json"), &stored).expect("a file is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    let output = command.args(["report", "stored.json"]).current_dir(case.folder.path()).output();
    let page = text(&output.expect("smalti runs"), 0);
    let (size, bound) = (page.len(), 60 * 1024 + 3 * 1024 * case.text.lines().count());
    assert!(size <= bound, "{size} bytes, and {bound} would do");
    // Every loop has the steps of its fixpoint.
    let lines = report["lines"].as_array().expect("lines");
    let heads: Vec<&Value> = lines.iter().filter(|l| l["is_loop"] == true).collect();
    assert_eq!(heads.len(), arrays);
    assert!(heads.iter().all(|l| l["copies"][0]["iterates"].as_array().is_some_and(|i| i.len() > 2)));
    report
}

#[test]
fn the_report_of_many_arrays_is_small_and_says_what_check_says() {
    let report = report(20, &[]);
    assert_eq!(report["configuration"]["states"], "relation/partition/octagon");
    assert_eq!(verdicts(&report, |_| Value::Null).iter().filter(|o| o.1 == "unknown").count(), 1);
}

#[test]
fn the_report_of_a_hundred_and_fifty_arrays_is_small() {
    // In a debug build, the stronger stacks check their own invariants at every step.
    let report = report(150, &["--stack", "smash/octagon"]);
    assert_eq!(report["configuration"]["states"], "smash/octagon");
}

#[test]
fn the_pages_of_the_examples_are_small() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = std::fs::read_dir(folder).expect("examples").map(|e| e.expect("an entry").path());
    let programs: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    assert!(programs.len() > 5);
    let wrong = parallel::failures(&programs, |_, path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        let page = text(&command.args(["report", "--stages", "domains"]).arg(path).output().expect("smalti runs"), 0);
        let lines = std::fs::read_to_string(path).expect("a program").lines().count();
        let (size, bound) = (page.len(), 60 * 1024 + 3 * 1024 * lines);
        if size <= bound { Ok(()) } else { Err(format!("{}: {size} bytes, and {bound} would do", path.display())) }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program in layers: each function writes through its arguments, and calls three of the next
/// layer. If calls were copied, the last layer would be there `3^layers` times.
fn layered(layers: usize) -> String {
    let mut text = "static int small[8], large[40], total;\n".to_owned();
    for layer in (0..layers).rev() {
        for n in 0..3 {
            let _ = write!(
                text,
                "static int f{layer}_{n}(int *a, int n, int k)
{{
    int own[6], sum = 0;
    for (int i = 0; i < 6; i++)
        own[i] = k & 7;
    for (int i = 0; i < n; i++)
        a[i] = {n} + (k & 3);
    a[n - 1] = own[2];
    small[own[1]] = {layer};
    total = (total + 1) & 1023;
"
            );
            if layer + 1 < layers {
                let next = layer + 1;
                let _ = write!(
                    text,
                    "    sum += f{next}_0(a, n, k) & 7;
    sum += f{next}_1(small, 8, sum) & 7;
    sum += f{next}_2({}, total) & 7;
",
                    if n == 0 { "own, 6" } else { "large, 40" }
                );
            }
            text.push_str("    return sum + own[k & 3];\n}\n");
        }
    }
    text + "int main(void)\n{\n    return f0_0(small, 8, 1) + f0_1(large, 40, 2);\n}\n"
}

#[test]
fn the_number_of_ways_to_a_function_does_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("layered.c");
    std::fs::write(&path, layered(16)).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_smalti"))
        .args(["check", "--stages", "domains", "--stack", "values", "--checks", "bounds", "--format", "json"])
        .arg(&path)
        .output()
        .expect("smalti runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let obligations = document["obligations"].as_array().expect("obligations");
    let open: Vec<&Value> = obligations.iter().filter(|o| o["verdict"] == "unknown").collect();
    assert!(obligations.len() > 200 && open.is_empty(), "{} of {}: {open:#?}", open.len(), obligations.len());
}
