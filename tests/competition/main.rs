//! Tests the output for the Competition on Software Verification: answers to property files, and
//! witnesses. Invariants of witnesses are compiled into the program and must hold when it runs.
//! Violations must happen when the program is compiled and gets the witness's inputs.

#[path = "../parallel/mod.rs"]
mod parallel;
mod random;
mod source;
#[path = "../tools/mod.rs"]
mod tools;
#[path = "../valid/mod.rs"]
mod valid;

use assert_cmd::Command;
use sha2::{Digest, Sha256};
use source::{Position, offset, with_branches, with_invariants};
use std::fmt::Write;
use std::path::Path;
use std::process::Output;
use std::time::Duration;
use valid::valid;
use yaml_serde::Value;

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const DEREF: &str = "CHECK( init(main()), LTL(G valid-deref) )\n";
const FREE: &str = "CHECK( init(main()), LTL(G valid-free) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";

/// The text that the tasks of the competition begin with.
const HEAD: &str = "\
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
void reach_error() { __assert_fail(\"0\", \"x.c\", 3, \"reach_error\"); }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } }
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
";

struct Task {
    folder: tempfile::TempDir,
    text: String,
}

impl Task {
    fn new(text: &str, property: &str) -> Task {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = format!("{HEAD}{text}");
        std::fs::write(folder.path().join("x.c"), &text).expect("a file is written");
        std::fs::write(folder.path().join("x.prp"), property).expect("a file is written");
        Task { folder, text }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        command.current_dir(self.folder.path()).args(["check", "--svcomp", "x.prp", "x.c"]).args(arguments);
        tools::name_tools(&mut command);
        command.timeout(Duration::from_secs(120)).output().expect("smalti runs")
    }

    /// The last line and the exit status.
    fn answer(&self, arguments: &[&str]) -> (String, i32, String) {
        let output = self.run(arguments);
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = out.lines().last().unwrap_or_default().to_owned();
        (last, output.status.code().unwrap_or(-1), format!("{out}{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// The witness, which is valid, and the answer.
    fn witness(&self, arguments: &[&str]) -> (Value, String) {
        let arguments: Vec<&str> = ["--witness", "w.yml"].iter().chain(arguments).copied().collect();
        let (answer, _, all) = self.answer(&arguments);
        let text = std::fs::read_to_string(self.folder.path().join("w.yml"))
            .unwrap_or_else(|e| panic!("no witness: {e}\n{}\n{all}", self.text));
        let value: Value = yaml_serde::from_str(&text).expect("YAML");
        self.is_valid(&value);
        (value, answer)
    }

    fn is_valid(&self, witness: &Value) {
        let document = serde_json::to_value(witness).expect("what YAML and JSON share");
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../schemas/witness-2.0.json")).expect("the schema is JSON");
        valid(&schema, &document).unwrap_or_else(|wrong| panic!("{wrong}\n{document:#}"));
        let task = &document[0]["metadata"]["task"];
        let mut hash = String::new();
        Sha256::digest(self.text.as_bytes()).iter().for_each(|b| _ = write!(hash, "{b:02x}"));
        assert_eq!(task["input_files"], serde_json::json!(["x.c"]));
        assert_eq!(task["input_file_hashes"], serde_json::json!({ "x.c": hash }));
    }

    /// Compiles a text with a harness, if there is gcc. Returns the path of the program.
    fn compiled(&self, text: &str, harness: &str) -> std::path::PathBuf {
        let at = |name: &str| self.folder.path().join(name);
        std::fs::write(at("copy.c"), text).expect("a file is written");
        std::fs::write(at("harness.c"), harness).expect("a file is written");
        let mut gcc = std::process::Command::new("gcc");
        gcc.current_dir(self.folder.path()).args(["-w", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all"]);
        let output = gcc.args(["copy.c", "harness.c", "-o", "copy"]).output().expect("gcc, which smalti needs too");
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        at("copy")
    }
}

fn skip_without_cbmc() -> bool {
    smalti::fuzz::or_skip(smalti::cbmc::find(None)).is_none()
}

fn place(location: &Value) -> Position {
    let number = |key: &str| location[key].as_u64().unwrap_or_else(|| panic!("{key} of {location:?}")) as usize;
    assert_eq!(location["file_name"], "x.c");
    Position { line: number("line"), column: number("column") }
}

#[test]
fn answers_are_the_last_line() {
    if skip_without_cbmc() {
        return;
    }
    let n = "int n = __VERIFIER_nondet_int();";
    let cases: &[(&str, &str, &str, i32)] = &[
        ("if (n > 3) __VERIFIER_assert(n != 7);", REACH, "false(unreach-call)", 1),
        ("if (n > 3) __VERIFIER_assert(n >= 4);", REACH, "true", 0),
        ("if (n == 12) reach_error();", REACH, "false(unreach-call)", 1),
        // The failure is an assertion of the library and not a call of reach_error.
        ("if (n == 12) __assert_fail(\"n\", \"x.c\", 1, \"main\");", REACH, "unknown", 3),
        ("//@ assert n != 12;\n", REACH, "unknown", 3),
        ("void (*f)() = other; if (n == 12) f(); __VERIFIER_assert(n == n);", REACH, "unknown", 3),
        ("int *p = malloc(40); p[3] = n; __VERIFIER_assert(p[3] == n);", REACH, "true", 0),
        ("__VERIFIER_assert(count(n) >= 0);", REACH, "unknown", 3),
        ("if (n < 100) n = n + 1;", OVERFLOW, "true", 0),
        ("n = n + 1;", OVERFLOW, "false(no-overflow)", 1),
        ("n = -n;", OVERFLOW, "false(no-overflow)", 1),
        ("unsigned u = n; u = u + 1; u = u * u;", OVERFLOW, "true", 0),
        // Undefined, but not because a result does not fit its type; or not about a result.
        ("unsigned u = 1; if (n == 40) u = u << n;", OVERFLOW, "unknown", 3),
        ("double d = n; n = (int)(d * d);", OVERFLOW, "unknown", 3),
        ("int a[4]; if (n >= 0 && n < 4) a[n] = 1;", MEMORY, "true", 0),
        ("int a[4]; if (n >= 0 && n <= 4) a[n] = 1;", MEMORY, "unknown", 3),
        ("int *p = malloc(40); p[3] = n;", MEMORY, "unknown", 3),
        ("int *p = malloc(40); p[3] = n; free(p);", DEREF, "true", 0),
        ("int *p = malloc(40); p[3] = n; free(p); p[2] = n;", DEREF, "false(valid-deref)", 1),
        ("int *p = malloc(40); p[3] = n; free(p); p[2] = n;", FREE, "unknown", 3),
        ("int *p = malloc(40); free(p); if (n == 3) free(p);", FREE, "false(valid-free)", 1),
        ("int *p = malloc(40); free(p); if (n == 3) free(p);", MEMORY, "false(valid-free)", 1),
        ("n = 1;", "CHECK( init(main()), LTL(F end) )", "unknown", 3),
        ("n = 1;", "CHECK( init(main()), LTL(G ! call(other())) )", "unknown", 3),
        ("abort();", "CHECK( init(main()), LTL(G ! call(abort())) )", "unknown", 3),
        ("other();", "CHECK( init(main()), LTL(G ! call(other())) )", "unknown", 3),
    ];
    let before = "void *malloc(unsigned long);\nvoid other() { int x = 1; }\n\
                  int count(int n) { if (n <= 0) return 0; return count(n - 1); }\n";
    let wrong = parallel::failures(cases, |_, (statements, property, answer, status)| {
        let task = Task::new(&format!("{before}int main() {{ {n} {statements} return 0; }}\n"), property);
        let (last, code, all) = task.answer(&["--time-limit", "20"]);
        if (last.as_str(), code) == (*answer, *status) {
            Ok(())
        } else {
            Err(format!("{statements} {property}\n{all}"))
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_call_of_reach_error_is_one_whatever_its_body() {
    for (start, answer, status) in [(0, "true", 0), (2, "false(unreach-call)", 1)] {
        let text = format!(
            "int x = {start}; void reach_error() {{ x++; }}\nint main() {{ if (x > 1) reach_error(); return 0; }}\n"
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("x.c"), &text).expect("a file is written");
        std::fs::write(folder.path().join("x.prp"), REACH).expect("a file is written");
        let (last, code, all) = Task { folder, text }.answer(&[]);
        assert_eq!((last.as_str(), code), (answer, status), "{all}");
    }
}

#[test]
fn bad_property_files_and_options_are_input_errors() {
    for property in ["", "G ! overflow", "CHECK( init(start()), LTL(G ! overflow) )"] {
        let (_, code, all) = Task::new("int main() { return 0; }\n", property).answer(&[]);
        assert_eq!(code, 2, "{property}: {all}");
        assert!(all.contains("error: x.prp: "), "{all}");
    }
    let task = Task::new("int main() { return 0; }\n", REACH);
    for option in [["--format", "json"], ["--checks", "bounds"]] {
        assert_eq!(task.run(&option).status.code(), Some(2), "{option:?}");
    }
    let (last, code, _) = task.answer(&["--time-limit", "0.000001"]);
    assert_eq!((last.as_str(), code), ("unknown", 3));
}

/// Programs with loops that have invariants: wrapping, wide and narrow types, structs, arrays,
/// calls.
const LOOPS: &[(&str, &str)] = &[
    (
        "int main() { int n = __VERIFIER_nondet_int(); assume_abort_if_not(1 <= n && n <= 50);\n  int a[50];\n  for (int i = 0; i < n; i++) a[i] = 7;\n  __VERIFIER_assert(a[n - 1] == 7); return 0; }\n",
        "i < 51 or i <= n",
    ),
    (
        "int main() { unsigned int u = __VERIFIER_nondet_uint(), v = 0;\n  while (v < u && v < 9) { v++; }\n  __VERIFIER_assert(v <= 9); return 0; }\n",
        "v",
    ),
    (
        "int main() { int x = __VERIFIER_nondet_int(), y = 0; assume_abort_if_not(x > 2147483600);\n  while (y < 40) { y = y + 1; }\n  __VERIFIER_assert(x - y > 0); return 0; }\n",
        "x",
    ),
    (
        "int main() { long l = __VERIFIER_nondet_long(); unsigned long m = __VERIFIER_nondet_ulong(); char c = 0; int r = 0;\n  if (m < 5) return 0;\n  while (l > 100 && c < 20) { c++; r++; }\n  __VERIFIER_assert(c <= 20 && m >= 5); return 0; }\n",
        "m",
    ),
    (
        "struct s { unsigned char f; short g; int k[3]; } t;\nint main() { t.f = 200; t.k[1] = -5;\n  for (; t.f < 250;) { t.f++; t.g--; }\n  __VERIFIER_assert(t.f == 250); return 0; }\n",
        "t.f",
    ),
    (
        "int sum(int n) { int s = 0, i = 0;\n  while (i < n)\n  { if (s > 1000) break; s += 2; i++; }\n  return s; }\nint main() { int r = sum(10) + sum(20); __VERIFIER_assert(r >= 0); return 0; }\n",
        "i",
    ),
    (
        "int a[3] = { 4, 5, 6 };\nint main() { int i = 0; while (1) { if (i >= 7) break; i++; a[1] = 5; }\n  __VERIFIER_assert(a[0] == 4); return 0; }\n",
        "a[0]",
    ),
    (
        "int main() { int i = 0, j = 30; for (i = 0; i < 30; i++) { for (int k = i; k < 30; ++k) { j = k; } }\n  do { j--; } while (j > 0);\n  __VERIFIER_assert(i == 30); return 0; }\n",
        "k",
    ),
    (
        "int main() { int i = 0, n = 0; do { if (i == 3) { i += 2; continue; } n = i; i++; } while (i < 9);\n  do { n = 0; do { n += 2; if (n == 8) break; } while (n++ < 20); } while (--i);\n  __VERIFIER_assert(i == 0); return 0; }\n",
        "i <= 9",
    ),
];

const INPUTS: &str = "
#include <stdlib.h>
#include <stdio.h>
static unsigned long state;
static unsigned long next(void) {
    if (!state) state = 88172645463325252ul + 7919ul * strtoul(getenv(\"SEED\"), 0, 10);
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    /* small numbers, numbers near the ends, any */
    switch (state % 4) { case 0: return (state >> 8) % 60; case 1: return -((state >> 8) % 60); case 2: return 2147483647ul - (state >> 8) % 60; }
    return state;
}
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
void smalti_holds(int value) { if (!value) { printf(\"an invariant is false\\n\"); exit(77); } }
";

#[test]
fn invariants_of_correctness_witnesses_hold_when_the_program_runs() {
    let (mut count, mut with_test_at_the_end) = (0, 0);
    for (text, about) in LOOPS {
        let task = Task::new(text, REACH);
        let (witness, answer) = task.witness(&["--time-limit", "20"]);
        assert_eq!(answer, "true", "{text}");
        assert_eq!(witness[0]["entry_type"], "invariant_set");
        assert_eq!(witness[0]["metadata"]["task"]["specification"], REACH.trim());
        let content = witness[0]["content"].as_sequence().expect("invariants");
        let mut invariants = Vec::new();
        for entry in content {
            let invariant = &entry["invariant"];
            let value = invariant["value"].as_str().expect("an expression").to_owned();
            assert!(!value.contains("\\forall"), "{value}");
            invariants.push((place(&invariant["location"]), value));
        }
        count += invariants.len();
        with_test_at_the_end +=
            invariants.iter().filter(|i| task.text[offset(&task.text, i.0)..].starts_with("do")).count();
        let all: String = invariants.iter().map(|i| i.1.as_str()).collect();
        assert!(about.split(" or ").any(|a| all.contains(a.split(' ').next().unwrap_or(a))), "{text}\n{all}");
        // The harness tries every kind of number before its last seeds.
        let program = task.compiled(&with_invariants(&task.text, &invariants), INPUTS);
        for seed in 1..=40 {
            let output = std::process::Command::new(&program).env("SEED", seed.to_string()).output().expect("it runs");
            let out = String::from_utf8_lossy(&output.stdout).into_owned();
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            // An excluded input ends the run by `abort`.
            let aborted = output.status.code().is_none() && err.is_empty();
            assert!(aborted || output.status.success(), "seed {seed}: {out}{err}\n{invariants:#?}\n{}", task.text);
        }
    }
    assert!(count >= LOOPS.len() && with_test_at_the_end >= 4, "{count} invariants, {with_test_at_the_end} of `do`");
}

#[test]
fn a_false_invariant_would_be_noticed() {
    let task = Task::new(LOOPS[0].0, REACH);
    let line = task.text.lines().position(|l| l.contains("for (int i")).expect("the loop") + 1;
    let wrong = [(Position { line, column: 3 }, "i <= 3 || n < 20".to_owned())];
    let program = task.compiled(&with_invariants(&task.text, &wrong), INPUTS);
    let noticed = (1..=40).any(|seed| {
        let run = std::process::Command::new(&program).env("SEED", seed.to_string()).output().expect("it runs");
        run.status.code() == Some(77)
    });
    assert!(noticed);
}

/// Programs that fail, and the property.
const FAILING: &[(&str, &str)] = &[
    (
        "int main() {\n  int x = __VERIFIER_nondet_int();\n  if (x > 10) { x = x - 3; } else { if (x < -5) x = 0; }\n  __VERIFIER_assert(x != 12);\n  return 0;\n}\n",
        REACH,
    ),
    (
        "int main() {\n  int s = 0;\n  for (int i = 0; i < 3; i++) { int v = __VERIFIER_nondet_int ( ); if (v == i + 1) s++; }\n  if (s == 3) { reach_error(); }\n  return 0;\n}\n",
        REACH,
    ),
    (
        "int get() { return __VERIFIER_nondet_char(); }\nint main() {\n  unsigned long m = __VERIFIER_nondet_ulong(); long l = __VERIFIER_nondet_long();\n  int c = get();\n  if (m > 18446744073709551610ul && l < -9223372036854775800l && c == 'x') __VERIFIER_assert(0);\n  return 0;\n}\n",
        REACH,
    ),
    (
        "int main() {\n  int x = __VERIFIER_nondet_int();\n  if (x >= 0 && __VERIFIER_nondet_int() == x) { int y = x * x; }\n  return 0;\n}\n",
        OVERFLOW,
    ),
];

/// Input functions that return the values of the witness, one after the other.
fn replaying(values: &[String]) -> String {
    let mut text = "#include <stdlib.h>\n#include <stdio.h>\nstatic int at;\n".to_owned();
    for (name, ty) in [
        ("int", "int"),
        ("uint", "unsigned int"),
        ("long", "long"),
        ("ulong", "unsigned long"),
        ("char", "char"),
        ("uchar", "unsigned char"),
    ] {
        _ = writeln!(text, "{ty} __VERIFIER_nondet_{name}(void) {{ switch (at++) {{");
        for (n, value) in values.iter().enumerate() {
            _ = writeln!(text, "case {n}: if ((({ty}){value}) != {value}) exit(78); return ({ty}){value};");
        }
        _ = writeln!(text, "}} exit(79); }}");
    }
    text += "int smalti_took(int line, int column, int value) { printf(\"%d:%d:%d\\n\", line, column, value); fflush(stdout); return value; }\n";
    text += "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { exit(42); }\n";
    text
}

#[test]
fn violations_of_witnesses_happen_when_the_program_gets_their_inputs() {
    if skip_without_cbmc() {
        return;
    }
    for (text, property) in FAILING {
        let task = Task::new(text, property);
        let (witness, answer) = task.witness(&["--time-limit", "30"]);
        assert!(answer.starts_with("false("), "{answer}: {text}");
        assert_eq!(witness[0]["entry_type"], "violation_sequence");
        let lines: Vec<&str> = task.text.lines().collect();
        let at = |p: Position| &lines[p.line - 1][p.column - 1..];
        let (mut values, mut branches, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for entry in witness[0]["content"].as_sequence().expect("segments") {
            let waypoint = &entry["segment"][0]["waypoint"];
            assert_eq!(waypoint["action"], "follow");
            let place = place(&waypoint["location"]);
            match waypoint["type"].as_str() {
                Some("function_return") => {
                    assert!(at(place).starts_with(')'), "{}", at(place));
                    let value = waypoint["constraint"]["value"].as_str().expect("a value");
                    values.push(value.strip_prefix("\\result == ").expect("a result").to_owned());
                }
                Some("branching") => {
                    assert!(at(place).starts_with("if"), "{}", at(place));
                    branches.push((place, waypoint["constraint"]["value"].as_str() == Some("true")));
                }
                Some("target") => targets.push(place),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(targets.len(), 1);
        let expected = if *property == REACH { "reach_error();" } else { "x * x;" };
        assert!(at(targets[0]).starts_with(expected), "{}", at(targets[0]));
        assert!(!values.is_empty() && (!branches.is_empty() || *property == OVERFLOW));
        let mut places: Vec<Position> = branches.iter().map(|b| b.0).collect();
        places.sort();
        places.dedup();
        let program = task.compiled(&with_branches(&task.text, &places), &replaying(&values));
        let output = std::process::Command::new(&program).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        if *property == REACH {
            assert_eq!(output.status.code(), Some(42), "{values:?} {err}\n{}", task.text);
        } else {
            assert!(err.contains("signed integer overflow"), "{err}");
        }
        // The compiled program takes the branches that the witness lists.
        let taken = String::from_utf8_lossy(&output.stdout).into_owned();
        let said: String =
            branches.iter().map(|(p, b)| format!("{}:{}:{}\n", p.line, p.column, u8::from(*b))).collect();
        assert_eq!(taken, said, "{}", task.text);
    }
}

#[test]
fn no_witness_is_written_where_nothing_is_known() {
    let text = "int main() { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(n * n != 49); return 0; }\n";
    let task = Task::new(text, REACH);
    let (last, _, all) = task.answer(&["--stages", "domains", "--witness", "w.yml"]);
    assert_eq!(last, "unknown");
    assert!(all.contains("no witness was written: the verdict is unknown"), "{all}");
    assert!(!Path::exists(&task.folder.path().join("w.yml")));
    let fine = Task::new("int main() { return 0; }\n", REACH);
    let output = fine.run(&["--witness", "no/such/folder/w.yml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}
