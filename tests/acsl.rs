//! Annotated copies contain the whole source and compilers accept them. smalti reads its own
//! annotations back and proves them.

mod tools;

use assert_cmd::Command;
use serde_json::Value;
use smalti::fuzz::c_files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn smalti(folder: &Path, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder).args(arguments).timeout(Duration::from_secs(120));
    tools::name_tools(&mut command);
    let output = command.output().expect("smalti runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// The code of a C text, without comments and white space.
fn code(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let skip = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |n| n + 4),
            '"' | '\'' => {
                let mut escaped = false;
                let end = rest[1..].find(|d| {
                    let ends = d == c && !escaped;
                    escaped = d == '\\' && !escaped;
                    ends
                });
                let n = end.map_or(rest.len(), |n| n + 2);
                out.push_str(&rest[..n]);
                n
            }
            c => {
                if !c.is_whitespace() {
                    out.push(c);
                }
                c.len_utf8()
            }
        };
        rest = &rest[skip..];
    }
    out
}

/// Whether one text is obtained from another by removing characters.
fn is_within(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|c| rest.by_ref().any(|d| d == c))
}

/// The verdicts of a file by obligation.
fn verdicts(folder: &Path, name: &str) -> BTreeMap<String, String> {
    let options = ["check", name, "--format", "json", "--stages", "domains", "--stack", "partition/octagon", "-I", "."];
    let (out, err, _) = smalti(folder, &options);
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{name}: {e}: {err}"));
    let pair = |o: &Value| {
        let text = |key: &str| o[key].as_str().expect("a text").to_owned();
        (text("id"), text("verdict"))
    };
    let all = document["obligations"].as_array().expect("a list").iter().map(pair);
    // `assigns` clauses are printed for other tools; no obligation checks them.
    all.filter(|(id, _)| !id.contains(".assigns.")).collect()
}

/// Makes the annotated copy of a text and checks it. Counts the annotations that were read back,
/// and those that were proved.
fn look_at(name: &str, text: &str) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    std::fs::write(at("x.c"), text).expect("a file is written");
    // Programs that include files of their own folder.
    std::fs::write(at("x.h"), "static int of_header(int n) { while (n > 0) n--; return n; }\n")
        .expect("a file is written");
    let options = ["invariants", "x.c", "--format", "acsl", "--stack", "partition/octagon", "-o", "copy.c"];
    let (out, err, status) = smalti(folder.path(), &options);
    if status == Some(2) {
        // Other tests cover the programs that smalti refuses.
        assert!(err.contains("error"), "{name}: {err}");
        return (0, 0);
    }
    assert_eq!((out.as_str(), status), ("", Some(0)), "{name}: {err}");
    let copy = std::fs::read_to_string(at("copy.c")).expect("the copy");
    assert!(is_within(text, &copy), "{name}: something of the text is gone\n{copy}");
    assert_eq!(code(text), code(&copy), "{name}: the code has changed");
    let compiles = |file: &str| {
        let mut gcc = std::process::Command::new("gcc");
        gcc.current_dir(folder.path())
            .args(["-w", "-fsyntax-only", "-I.", file])
            .output()
            .expect("gcc")
            .status
            .success()
    };
    assert!(compiles("copy.c") || !compiles("x.c"), "{name}: the copy does not compile\n{copy}");
    let (before, mut after) = (verdicts(folder.path(), "x.c"), verdicts(folder.path(), "copy.c"));
    for (id, verdict) in &before {
        // The invariants of the source have other numbers in the copy, which has more of them.
        let unnumbered = |id: &str| id.replace(|c: char| c.is_ascii_digit(), "");
        let is_same = |other: &str| match id.contains(".invariant.") {
            true => unnumbered(other) == unnumbered(id),
            false => other == id,
        };
        let found = after.iter().find(|(other, now)| is_same(other) && *now == verdict);
        let found = found.map(|(other, _)| other.clone());
        after.remove(&found.unwrap_or_else(|| panic!("{name}: {id} was {verdict}\n{copy}")));
    }
    let proved = after.values().filter(|v| ["proved", "unreachable"].contains(&v.as_str())).count();
    for (id, verdict) in &after {
        if !["proved", "unreachable"].contains(&verdict.as_str()) {
            println!("{name}: {id} is {verdict}\n{copy}");
        }
    }
    (after.len(), proved)
}

#[test]
fn copies_of_programs_compile_and_their_annotations_are_proved() {
    let sample = c_files(&root().join("tests/programs")).into_iter().step_by(4);
    let examples =
        ["init", "table", "walk", "sum", "find", "buggy"].map(|n| root().join("examples").join(n).with_extension("c"));
    let (mut read, mut proved) = (0, 0);
    for path in examples.into_iter().chain(sample) {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let found = look_at(&path.display().to_string(), &text);
        read += found.0;
        proved += found.1;
    }
    println!("{read} obligations of printed annotations were read back, {proved} of them proved");
    assert!(read > 100 && proved * 100 >= read * 95, "{proved} of {read}");
}

#[test]
fn loops_are_annotated_wherever_they_stand() {
    let text = "\
#define FOREVER while (1)\n\
#define UNTIL(c) while (!(c))\n\
#include \"x.h\"\n\
extern int __VERIFIER_nondet_int(void);\n\
int a[8]; int g;\n\
/*@ requires \\true;\n  @*/\n\
static int f(int n) { int s = 0; for (int i = 0; i < 8; i++) if (n) for (int j = 0; j < 3; j++) s = j; else while (s > 9) s--; return s; }\n\
int main(void) { int k = 0; /* \"//*/ const char *t = \"/*@ while\"; while (k < 4) k++; for (;;) { if (k > 5) break; k++; }\n\
  /*@ loop invariant 0 <= g <= 8;\n    @ loop assigns g, a[0 .. 7];\n    @*/\n\
  for (g = 0; g < 8; g++) { a[g] = 3; } //@ assert g == 8;\n\
  //@ loop invariant k >= 6;\n\
  while (k < 20) k++;\n\
  do k--; while (k > 3);\n\
  switch (k) { case 3: while (k < 9) k++; break; default: while (k > 0) k--; }\n\
  FOREVER { k++; if (k > 30) break; }\n\
  UNTIL (k > 40) k++;\n\
again: while (k > 50) k--;\n\
  if (k < 0) goto again;\n\
  return f(k) + of_header(3); }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    std::fs::write(folder.path().join("x.h"), "static int of_header(int n) { while (n > 0) n--; return n; }\n")
        .expect("a file");
    let (out, err, status) = smalti(folder.path(), &["invariants", "x.c", "--format", "acsl"]);
    assert_eq!(status, Some(0), "{err}");
    // Clauses without a place are reported: two loops in macros, the header's loop and its
    // function.
    for place in ["x.c:18", "x.c:19", "x.h:1"] {
        assert!(
            err.lines().any(|l| l.contains(place) && l.contains("comes from a macro or another file")),
            "{place}: {err}"
        );
    }
    for annotation in [
        "int s = 0; /*@ loop invariant",
        "if (n) /*@ loop invariant",
        "\"/*@ while\"; /*@ loop invariant g == 0; loop invariant 0 <= k <= 4;",
        "/*@ requires \\true;\n  @ ensures g == 8;",
        "case 3: /*@ loop invariant",
        "again: /*@ loop invariant",
        "//@ loop invariant g == 8; loop invariant 6 <= k <= 20;",
    ] {
        assert!(out.contains(annotation), "{annotation}:\n{out}");
    }
    // One annotation for each loop, with nothing said twice.
    assert_eq!(out.matches("0 <= g <= 8").count(), 1, "{out}");
    assert_eq!(out.matches("loop assigns g").count(), 1, "{out}");
    let (read, proved) = look_at("loops", text);
    assert!(read > 20 && proved == read, "{proved} of {read}\n{out}");
}

/// Each program has one loop, at which `x` is not the variable that smalti knows by that name.
const OTHER_MEANINGS: [&str; 7] = [
    "int x = 5;\nint main(void) { enum { x = 3 }; int i = 0; while (i < 3) i++; return x; }\n",
    "int x = 5;\nint main(void) { typedef int x; int i = 0; while (i < 3) i++; return sizeof(x); }\n",
    "int x = 1;\nint main(void) { int x = 2; int i = 0; { extern int x; while (i < 3) i++; } return x; }\n",
    "int main(void) { int x = 7; { static int x = 9; int i = 0; while (i < 3) { i++; x++; } } return x; }\n",
    "static int f(void) { static int x = 9; return x++; }\nint main(void) { f(); int i = 0; while (i < 3) i++; return f(); }\n",
    "static int f(void) { extern int x; return x; }\nint main(void) { int i = 0; while (i < 3) i++; return f(); }\nint x = 4;\n",
    "int x = 4;\n#  define x 10\nint main(void) { int i = 0; while (i < 3) i++; return x; }\n",
];

#[test]
fn a_name_that_means_something_else_at_a_loop_is_not_used_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for text in OTHER_MEANINGS {
        std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
        let (out, err, status) = smalti(folder.path(), &["invariants", "x.c"]);
        assert_eq!(status, Some(0), "{err}");
        let lines: Vec<&str> = out.lines().skip_while(|l| !l.contains("loop in main")).collect();
        let formulas = &lines[1..lines.iter().position(|l| l.is_empty()).unwrap_or(lines.len())];
        assert_eq!(formulas, ["    0 <= i <= 3"], "{text}");
    }
    // A variable of the header exists once for each file.
    std::fs::write(folder.path().join("own.h"), "static int x;\n").expect("a file is written");
    let first = "#include \"own.h\"\nint other(void);\nint main(void) { x = 1; int i = 0; while (i < 3) i++; return other() + x; }\n";
    let second = "#include \"own.h\"\nint other(void) { x = 2; return x; }\n";
    std::fs::write(folder.path().join("1.c"), first).expect("a file is written");
    std::fs::write(folder.path().join("2.c"), second).expect("a file is written");
    let (out, err, status) = smalti(folder.path(), &["invariants", "1.c", "2.c"]);
    assert!(status == Some(0) && out.contains("0 <= i <= 3") && !out.contains("x =="), "{out}{err}");
}

#[test]
fn a_loop_that_a_macro_makes_is_not_taken_for_another_one_on_its_line() {
    let text = "#define SPIN(c) while (c) c--\n#define N 10\nint main(void) { int x, y;\n\
                x = N; y = N; SPIN(x); while (y > 2) y--;\n  while (x < N) x++; return x + y; }\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    let (out, err, status) = smalti(folder.path(), &["invariants", "x.c", "--format", "acsl"]);
    assert!(status == Some(0) && err.matches("were not written").count() == 2, "{err}");
    assert!(out.contains("x = N; y = N; SPIN(x); while (y > 2) y--;"), "{out}");
    assert!(out.contains("/*@ loop invariant y == 2;"), "{out}");
}

/// Frama-C is used where it is installed. Nothing here fetches it or depends on it.
#[test]
fn frama_c_reads_the_annotations_and_refutes_none() {
    let mut ask = Command::new("frama-c");
    if !ask.arg("-version").timeout(Duration::from_secs(60)).output().is_ok_and(|o| o.status.success()) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: Frama-C is not on this machine\n");
        return;
    }
    let text = "\
int a[8]; int g;\n\
/*@ requires \\true;\n  @*/\n\
static int f(int n) { int s = 0; for (int i = 0; i < 8; i++) if (n) for (int j = 0; j < 3; j++) s = j; else while (s > 9) s--; return s; }\n\
int main(void) { int k = 0; while (k < 4) k++; for (;;) { if (k > 5) break; k++; }\n\
  /*@ loop invariant 0 <= g <= 8;\n    @ loop assigns g, a[0 .. 7];\n    @*/\n\
  for (g = 0; g < 8; g++) { a[g] = 3; } //@ assert g == 8;\n\
  //@ loop invariant k >= 6;\n\
  while (k < 20) k++;\n\
  do k--; while (k > 3);\n\
  switch (k) { case 3: while (k < 9) k++; break; default: while (k > 0) k--; }\n\
again: while (k > 50) k--;\n\
  if (k < 0) goto again;\n\
  return f(k); }\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    let (_, err, status) = smalti(folder.path(), &["invariants", "x.c", "--format", "acsl", "-o", "copy.c"]);
    assert_eq!((err.as_str(), status), ("", Some(0)));
    let mut look = Command::new("frama-c");
    // Frama-C uses this variable before the system's setting.
    look.current_dir(folder.path()).env("PWD", folder.path());
    look.args(["-eva", "-eva-precision", "2", "copy.c"]).timeout(Duration::from_secs(120));
    let output = look.output().expect("Frama-C runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !said.contains("rror:"), "{said}");
    let summary = said.lines().find(|l| l.trim_start().starts_with("Assertions")).expect("a summary");
    assert!(summary.contains(" 0 invalid"), "{said}");
}

#[test]
fn a_copy_is_made_of_one_file_and_its_place_must_exist() {
    let two = ["invariants", "examples/init.c", "examples/sum.c", "--format", "acsl", "-o", "/tmp/none.c"];
    let (_, err, status) = smalti(root(), &two);
    assert!(status == Some(2) && err.contains("writes an annotated copy of one file"), "{err}");
    let (_, err, status) =
        smalti(root(), &["invariants", "examples/init.c", "--format", "acsl", "-o", "no/such/folder/x.c"]);
    assert!(status == Some(2) && err.contains("cannot be written"), "{err}");
    // The other formats can be written to a file as well.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("i.json").display().to_string();
    let (out, _, _) = smalti(root(), &["invariants", "examples/init.c", "--format", "json", "-o", &path]);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("the file")).expect("JSON");
    assert_eq!((out.as_str(), &document["tool"]), ("", &"smalti".into()));
}
