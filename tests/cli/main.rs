//! The command line program, tested from outside: help, exit status, messages, and malformed input.

#[path = "../parallel/mod.rs"]
mod parallel;
mod setup;

use assert_cmd::Command;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

fn smalti(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).timeout(Duration::from_secs(120));
    for variable in ["COLUMNS", "RUST_LOG", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn run(arguments: &[&str]) -> Output {
    smalti(arguments).output().expect("smalti runs")
}

/// A folder with one file; the file's path.
fn file(name: &str, content: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file is written");
    (folder, path)
}

/// Checks a C text with some options. In the output, the name of its folder is removed.
fn check(text: impl AsRef<[u8]>, options: &[&str]) -> (i32, String, String) {
    let (folder, path) = file("x.c", text);
    let mut command = smalti(&["check"]);
    let output = command.args(options).arg(&path).output().expect("smalti runs");
    let place = format!("{}/", folder.path().display());
    let clean = |s: String| s.replace(&place, "");
    let code = output.status.code().unwrap_or_else(|| panic!("killed: {output:?}"));
    (code, clean(stdout(&output)), clean(stderr(&output)))
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cli");
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(r"in \d+ ms", "in [time] ms");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

const DOMAINS: [&str; 4] = ["--stack", "smash/box", "--stages", "domains"];

#[test]
fn help_says_what_there_is() {
    let general = stdout(&run(&["--help"]));
    let list = general.split("Commands:\n").nth(1).and_then(|l| l.split("\n\n").next()).expect("a list of verbs");
    let verbs = list.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let verbs: Vec<&str> = verbs.filter_map(|l| l.split_whitespace().next()).filter(|v| *v != "help").collect();
    assert!(verbs.contains(&"check") && verbs.contains(&"man"), "{verbs:?}");
    for verb in std::iter::once("").chain(verbs) {
        let arguments: Vec<&str> = [verb, "--help"].into_iter().filter(|a| !a.is_empty()).collect();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0));
        let name = if verb.is_empty() { "help".to_owned() } else { format!("help_{verb}") };
        snapshot(&name, &stdout(&output));
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(stdout(&run(&["--version"])), format!("smalti {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn bad_usage_is_status_2_and_says_what_is_wrong() {
    let mut all = String::new();
    for arguments in [
        &[][..],
        &["chekc", "x.c"],
        &["check"],
        &["check", "examples/init.c", "--no-such-option"],
        &["check", "examples/init.c", "--stack", "smash/bxo"],
        &["check", "examples/init.c", "--stages", "domains,magic"],
        &["check", "examples/init.c", "--checks", "everything"],
        &["check", "examples/init.c", "--data-model", "ilp64"],
        &["check", "examples/init.c", "--time-limit", "0"],
        &["check", "examples/init.c", "--format", "xml"],
        &["check", "examples/init.c", "--cbmc", "no/such/cbmc"],
        &["check", "examples/init.c", "--keep-queries", "examples/init.c/queries"],
        &["check", "no/such/file.c"],
        &["check", "examples"],
        &["cfg", "examples/init.c"],
        &["slice", "examples/buggy.c", "--assert", "main.assertion.9"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        let _ = writeln!(all, "$ smalti {}\n{}", arguments.join(" "), stderr(&output));
    }
    let root = format!("{}/", env!("CARGO_MANIFEST_DIR"));
    snapshot("bad_usage", &all.replace(&root, ""));
}

#[test]
fn exit_statuses_are_those_of_the_outcome() {
    let with = |condition: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\nint main(void) {{ int x = __VERIFIER_nondet_int(); {condition} return 0; }}\n"
        )
    };
    for (condition, code, verdict) in [
        ("__VERIFIER_assert(x == x);", 0, "true"),
        ("", 3, "unknown"),
        ("if (x > 0) __VERIFIER_assert(x != 7);", 3, "unknown"),
    ] {
        let (got, out, err) = check(with(condition), &DOMAINS);
        assert_eq!((got, err.as_str()), (code, ""), "{condition}: {out}");
        assert!(out.contains(&format!("\nverdict: {verdict} (")), "{out}");
    }
    if smalti::cbmc::find(None).is_err() {
        skip("CBMC");
        return;
    }
    let (got, out, _) = check(with("if (x > 0) __VERIFIER_assert(x != 7);"), &["--stack", "smash/box"]);
    assert_eq!(got, 1, "{out}");
    assert!(out.contains("x = 7") && out.contains("\nverdict: false ("), "{out}");
}

#[test]
fn json_is_one_document_and_nothing_else() {
    let text = "void __VERIFIER_assert(int);\nint main(void) {\n  __VERIFIER_assert(1);\n}\n";
    let (folder, path) = file("x.c", text);
    let output = smalti(&["check", "--format", "json"]).args(DOMAINS).arg(&path).output().expect("smalti runs");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["tool"], "smalti");
    assert_eq!(document["verdict"], "true");
    assert_eq!(document["files"], serde_json::json!([path.display().to_string()]));
    let obligation = &document["obligations"][0];
    assert_eq!(obligation["id"], "main.assertion.1");
    assert_eq!((&obligation["kind"], &obligation["line"]), (&"assertion".into(), &3.into()));
    assert_eq!((&obligation["function"], &obligation["verdict"]), (&"main".into(), &"proved".into()));
    assert_eq!(obligation["evidence"]["stage"], "domains");
    assert!(obligation["evidence"]["time_ms"].is_u64() && document["statistics"]["time_ms"].is_u64());
    assert!(document["assumptions"].is_array());
    drop(folder);
}

#[test]
fn input_errors_show_the_line_and_a_caret() {
    let mut all = String::new();
    for text in [
        "int main(void) {\n  int x = 1\n  return x;\n}\n",
        "int main(void) {\n  return y;\n}\n",
        "#include \"no_such_file.h\"\nint main(void) { return 0; }\n",
        "int main(void) {\n  if (1) {\n  return 0;\n}\n",
        "int f(void) { return 1; }\n",
    ] {
        let (code, out, err) = check(text, &DOMAINS);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        let _ = writeln!(all, "{text}---\n{err}");
    }
    snapshot("input_errors", &all);
}

/// Every kind of garbage gets a message or an answer: no panic, no stack overflow, and nothing
/// exceeds the time limit.
#[test]
fn garbage_is_answered_in_time() {
    let huge_line = format!("int main(void) {{ int x = 0; {} return x; }}\n", "x = x + 1; ".repeat(900_000));
    let deep = format!("int main(void) {{ int x = {}1{}; return x; }}\n", "(1 + ".repeat(5_000), ")".repeat(5_000));
    let blocks = format!("int main(void) {{ {} {} return 0; }}\n", "{".repeat(5_000), "}".repeat(5_000));
    let negations = format!("int main(void) {{ return {}1; }}\n", "- ".repeat(5_000));
    let sum = format!("int main(void) {{ unsigned x = {}1; return x; }}\n", "1u + ".repeat(20_000));
    let branches =
        format!("int g; int main(void) {{ {} return 0; }}\n", "if (g) g = 1; else ".repeat(3_000) + "g = 2;");
    let many = format!("int main(void) {{ int x = 0; {} return 0; }}\n", "x += 2;\n".repeat(20_000));
    let binary: Vec<u8> = (0..40_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("white space", b" \n\t\n".to_vec()),
        ("binary", binary),
        ("zeros", vec![0; 4096]),
        ("not UTF-8", b"int main(void) { char *s = \"\xff\xfe\"; return 0; } // \xc3\x28\n".to_vec()),
        ("missing include", b"#include <no/such/header.h>\nint main(void) { return 0; }\n".to_vec()),
        ("include of itself", b"#include __FILE__\nint main(void) { return 0; }\n".to_vec()),
        ("a line of 10 MB", huge_line.into_bytes()),
        ("a line of 10 MB of nothing", vec![b' '; 10_000_000]),
        ("an identifier of 1 MB", format!("int {}; int main(void) {{ return 0; }}\n", "x".repeat(1_000_000)).into_bytes()),
        ("unbalanced braces", b"int main(void) { { { { return 0; }\n".to_vec()),
        ("unbalanced parentheses", format!("int main(void) {{ return {}1; }}\n", "(".repeat(5_000)).into_bytes()),
        ("K&R function", b"int f(a, b) int a; char b; { return a + b; }\nint main() { return f(1, 2); }\n".to_vec()),
        ("implicit int", b"main() { return 0; }\n".to_vec()),
        ("recursion", b"int f(int n) { return n ? f(n - 1) + 1 : 0; }\nvoid __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(f(100000) >= 0); return 0; }\n".to_vec()),
        ("mutual recursion", b"int g(int);\nint f(int n) { return g(n) + g(n); }\nint g(int n) { return f(n) + f(n); }\nint main(void) { return f(1); }\n".to_vec()),
        ("calls that explode", calls_that_explode().into_bytes()),
        ("huge arrays", b"int a[1000000000]; char b[9223372036854775807];\nint main(void) { a[999999999] = 1; b[5] = 2; return a[0]; }\n".to_vec()),
        ("array larger than memory", b"int a[0xffffffffffffffff];\nint main(void) { return 0; }\n".to_vec()),
        ("negative array", b"int a[-1];\nint main(void) { return 0; }\n".to_vec()),
        ("array of 8 dimensions", b"int a[99][99][99][99][99][99][99][99];\nint main(void) { return a[1][2][3][4][5][6][7][8]; }\n".to_vec()),
        ("5,000-deep expression", deep.into_bytes()),
        ("5,000-deep blocks", blocks.into_bytes()),
        ("5,000 negations", negations.into_bytes()),
        ("sum of 20,000", sum.into_bytes()),
        ("3,000 else-ifs", branches.into_bytes()),
        ("20,000 statements", many.into_bytes()),
        ("struct that holds itself", b"struct s { struct s inner; };\nint main(void) { struct s x; return 0; }\n".to_vec()),
        ("typedef of itself", b"typedef t t;\nint main(void) { t x; return 0; }\n".to_vec()),
        ("goto nowhere", b"int main(void) { goto nowhere; return 0; }\n".to_vec()),
        ("endless loop", b"int main(void) { for (;;) ; return 0; }\n".to_vec()),
        ("main with 3 parameters", b"int main(int c, char **v, char **e) { return c + (v[0] != 0) + (e[0] != 0); }\n".to_vec()),
        ("numbers out of range", b"int main(void) { return 99999999999999999999999999999999 + 1e99999; }\n".to_vec()),
        ("division by constant 0", b"int main(void) { int a[1 / 0]; return 1 % 0; }\n".to_vec()),
        ("shift by too much", b"int main(void) { return 1 << 200 | 1 >> -1; }\n".to_vec()),
        ("assembler", b"int main(void) { __asm__ volatile (\"nop\"); return 0; }\n".to_vec()),
    ];
    let (limit, slack) = (Duration::from_secs(10), Duration::from_secs(5));
    let wrong = parallel::failures(&cases, |_, (name, text)| {
        let start = Instant::now();
        let (code, out, err) = check(text, &["--time-limit", "10"]);
        let time = start.elapsed();
        if ![0, 1, 2, 3].contains(&code) || time > limit + slack || (code == 2) != out.is_empty() {
            let shown = |s: &str| s.chars().take(600).collect::<String>();
            return Err(format!("{name}: status {code} after {time:?}\n{}\n{}", shown(&out), shown(&err)));
        }
        if code == 2 && !err.starts_with("error: ") {
            return Err(format!("{name}: no message, but {err:?}"));
        }
        Ok(())
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 2^24 calls after inlining.
fn calls_that_explode() -> String {
    let mut text = "int g; void f0(void) { g++; }\n".to_owned();
    for n in 1..25 {
        let _ = writeln!(text, "void f{n}(void) {{ f{0}(); f{0}(); }}", n - 1);
    }
    text + "int main(void) { f24(); return g; }\n"
}

#[test]
fn a_preprocessed_file_is_taken_as_it_is() {
    let text = "# 7 \"other.c\"\nint main(void) { return y; }\n";
    let (_folder, path) = file("x.i", text);
    let output = smalti(&["check"]).args(DOMAINS).arg(&path).output().expect("smalti runs");
    assert!(stderr(&output).contains("other.c:7:25"), "{}", stderr(&output));
}

#[test]
fn macros_and_folders_reach_the_preprocessor() {
    let (folder, path) = file(
        "x.c",
        "#include \"h.h\"\nvoid __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(N == 3 && FLAG); return 0; }\n",
    );
    std::fs::create_dir(folder.path().join("include")).expect("a folder");
    std::fs::write(folder.path().join("include/h.h"), "#define N 3\n").expect("a header");
    let include = folder.path().join("include");
    let output =
        smalti(&["check", "-D", "FLAG=1", "-I"]).arg(&include).args(DOMAINS).arg(&path).output().expect("smalti runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn several_files_are_one_program() {
    let (folder, first) = file(
        "a.c",
        "int twice(int);\nvoid __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(twice(4) == 8); return 0; }\n",
    );
    let second = folder.path().join("b.c");
    std::fs::write(&second, "int twice(int x) { return x + x; }\n").expect("a file");
    let output = smalti(&["check"]).args(DOMAINS).args([&first, &second]).output().expect("smalti runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn verbose_speaks_on_standard_error_only() {
    let quiet = run(&["check", "examples/walk.c", "--stack", "smash/box", "--stages", "domains"]);
    let loud = run(&["check", "examples/walk.c", "--stack", "smash/box", "--stages", "domains", "--verbose"]);
    assert_eq!(stderr(&quiet), "");
    assert!(stderr(&loud).contains("reading"), "{}", stderr(&loud));
    let clean = |o: &Output| stdout(o).lines().filter(|l| !l.starts_with("total:")).collect::<Vec<_>>().join("\n");
    assert_eq!(clean(&quiet), clean(&loud));
}

#[test]
fn nothing_is_coloured_when_nobody_watches() {
    for arguments in [&["check", "examples/buggy.c"][..], &["states", "examples/walk.c"], &["domains"]] {
        assert!(!stdout(&run(arguments)).contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for arguments in
        [&["states", "examples/table.c", "--stack", "smash/box"][..], &["cfg", "--dot", "examples/table.c"]]
    {
        let (first, second) = (run(arguments), run(arguments));
        assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
        assert_eq!(stdout(&first), stdout(&second));
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let script =
        format!("'{}' states examples/table.c | head -n 1; echo \"${{PIPESTATUS[0]}}\"", env!("CARGO_BIN_EXE_smalti"));
    let output =
        Command::new("bash").current_dir(env!("CARGO_MANIFEST_DIR")).args(["-c", &script]).output().expect("bash runs");
    assert_eq!(stderr(&output), "");
    assert!(stdout(&output).ends_with("\n0\n"), "{}", stdout(&output));
}

#[test]
fn states_of_a_loop_are_shown_between_the_lines() {
    let output = run(&["states", "examples/init.c", "--stack", "smash/box"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    snapshot("states_init", &stdout(&output));
}

#[test]
fn invariants_are_formulas_about_all_cells_in_a_range() {
    let mut all = String::new();
    for file in ["examples/init.c", "examples/table.c", "examples/walk.c"] {
        let output = run(&["invariants", file]);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        let _ = writeln!(all, "{}", stdout(&output));
    }
    snapshot("invariants", &all);
}

#[test]
fn annotations_are_added_to_the_source_and_change_nothing_else() {
    let mut all = String::new();
    for file in ["examples/init.c", "examples/table.c", "examples/walk.c", "examples/sum.c", "examples/find.c"] {
        let output = run(&["invariants", file, "--format", "acsl"]);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        let printed = stdout(&output);
        let mut without = String::new();
        let mut rest = printed.as_str();
        while let Some((before, after)) = rest.split_once("/*@") {
            // Each annotation of these files is on lines of its own.
            without += before.trim_end_matches(' ');
            rest = after.split_once("*/\n").expect("an annotation has an end").1;
        }
        without += rest;
        let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a source");
        assert_eq!(without, source);
        let _ = writeln!(all, "{printed}");
    }
    snapshot("invariants_acsl", &all);
}

#[test]
fn annotations_use_the_names_of_their_place() {
    let text = "static int count;\nint b[4];\n\
        static void clear(int *p, int n) {\n  static int calls = 0;\n  calls++;\n\
        \x20 for (int i = 0; i < n; i++) { int inner = i; p[i] = inner; count++; }\n}\n\
        int late;\n\
        int main(void) {\n  int loop = 1, b[9];\n  clear(b, 9);\n  { int gone = 1; }\n  int m[3][4];\n  late = 5;\n\
        \x20 for (int r = 0; r < 3; r++) for (int c = 0; c < 4; c++) m[r][c] = 1;\n  while (loop < 3) loop++;\n  return 0;\n}\n";
    let (_folder, path) = file("x.c", text);
    let options = ["invariants", "--format", "acsl"];
    let output = smalti(&options).arg(&path).output().expect("smalti runs");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    snapshot("invariants_names", &stdout(&output));
}

#[test]
fn invariants_as_json_are_one_document() {
    let output = run(&["invariants", "examples/init.c", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["tool"], "smalti");
    assert_eq!(document["files"], serde_json::json!(["examples/init.c"]));
    let first = &document["invariants"][0];
    assert_eq!((&first["kind"], &first["line"], &first["function"]), (&"loop".into(), &10.into(), &"main".into()));
    assert_eq!((&first["file"], &first["column"]), (&"examples/init.c".into(), &5.into()));
    let formulas: Vec<&str> = first["formulas"].as_array().expect("a list").iter().filter_map(|f| f.as_str()).collect();
    assert!(formulas.contains(&"forall j. 0 <= j < i ==> a[j] == 7"), "{formulas:?}");
    assert_eq!(document["configuration"]["stack"], "relation/partition/octagon");
    assert!(document["assumptions"].is_array() && document["notes"].is_array());
}

#[test]
fn nothing_is_said_of_functions_that_unknown_calls_may_enter() {
    let text = "int g;\nvoid down(int n) { while (g > n) g--; if (n > 0) down(n - 1); }\nint main(void) { g = 9; down(3); return 0; }\n";
    let (_folder, path) = file("x.c", text);
    let output = smalti(&["invariants"]).arg(&path).output().expect("smalti runs");
    assert!(stderr(&output).contains("there are no invariants for `down`"), "{}", stderr(&output));
    assert!(
        !stdout(&output).contains("loop in down") && stdout(&output).contains("exit of main"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_graph_is_drawn_for_graphviz() {
    let output = run(&["cfg", "--dot", "examples/walk.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("digraph"), "{}", stdout(&output));
}

#[test]
fn the_examples_are_answered() {
    if smalti::cbmc::find(None).is_err() {
        skip("CBMC");
        return;
    }
    let mut seen = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).expect("examples") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|e| e != "c") {
            continue;
        }
        let output = smalti(&["check"]).arg(&path).output().expect("smalti runs");
        let fails = path.ends_with("buggy.c") || path.ends_with("prefix.c");
        let wanted = if fails { &[1][..] } else { &[0, 3] };
        let code = output.status.code().unwrap_or(-1);
        assert!(wanted.contains(&code), "{}: {}{}", path.display(), stdout(&output), stderr(&output));
        seen += 1;
    }
    assert!(seen >= 4, "the examples are gone");
}

/// Reports visibly that a test cannot run. Fails on machines where everything must be installed.
fn skip(tool: &str) {
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("skipped: a test needs {tool}, which is not on this machine\n").as_bytes(),
    );
    assert!(std::env::var_os("CI").is_none(), "{tool} is missing, and CI is set");
}

#[test]
fn a_global_pointer_does_not_make_other_globals_what_unknown_code_left() {
    let text = "void __VERIFIER_assert(int);\nint *p; int n;\nint f(void) { __VERIFIER_assert(n != 2); return 0; }\n";
    let (code, out, _) = check(text, &["--function", "f", "--no-preprocess", "--stages", "bounded"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("n = 2"), "{out}");
}

#[test]
fn a_reduction_that_no_run_comes_to_is_no_proof() {
    let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int); void abort(void);
        int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x <= y) abort(); if (y <= x) abort();
        int s = 0; for (int i = 0; i < 100; i++) s += 2; __VERIFIER_assert(s == 200); }";
    let (_folder, path) = file("x.c", text);
    let output = smalti(&["reduce", "--no-preprocess", "--by", "shrink"]).arg(&path).output().expect("smalti runs");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout(&output).contains("no run that reaches the assertion was found"), "{output:?}");
}

#[test]
fn the_command_that_says_more_is_one_that_works() {
    let text = "#ifdef LONG\n/*@ requires n >= 0; */\nlong f(long n) { long a[5 + SIZE]; for (int i = 0; i < 5; i++) a[i] = n; return a[n]; }\n#endif\n";
    let (folder, path) = file("it's a program.c", text);
    let options = ["--function", "f", "-DLONG", "-D", "SIZE=1 + 1", "--checks", "bounds", "--stages", "domains"];
    let options = options.into_iter().chain(["--peel", "2", "--data-model=ilp32", "--time-limit", "20"]);
    let output = smalti(&["check"]).arg(&path).args(options).output().expect("smalti runs");
    let shown = stdout(&output);
    let hint = shown.lines().find_map(|l| l.split_once("= help: `smalti ")?.1.rsplit_once('`')).expect("a hint").0;
    // The words that a shell makes of it.
    let printed = Command::new("sh").args(["-c", &format!("printf '%s\\n' {hint}")]).output().expect("a shell");
    let words = String::from_utf8_lossy(&printed.stdout).into_owned();
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(words[..3], ["explain", "f.bounds.2", path.to_str().unwrap()], "{hint}");
    let output = smalti(&words).current_dir(folder.path()).output().expect("smalti runs");
    assert_eq!(output.status.code(), Some(3), "{hint}: {output:?}");
    assert!(stdout(&output).contains("f.bounds.2"), "{output:?}");
}

#[test]
fn a_global_pointer_of_a_function_alone_may_lead_to_any_global() {
    let text = "void __VERIFIER_assert(int);\nint *p; int n; static int m; static struct { int *q; int z; } s;
        int f(void) { static int k; n = 1; m = 2; k = 3; s.z = 4; *p = 5; *s.q = 6;
        __VERIFIER_assert(n == 1); __VERIFIER_assert(m == 2); __VERIFIER_assert(k == 3); __VERIFIER_assert(s.z == 4); return 0; }\n";
    let options = ["--function", "f", "--no-preprocess", "--time-limit", "20", "--checks", "assertion"];
    let (_, out, _) = check(text, &options);
    assert!(out.contains("total: 4 obligations, 4 unknown"), "{out}");
}

#[test]
fn a_name_that_is_nearly_known_is_told_with_its_place() {
    let text = "int helper(int);\nint main(void) { int x = 3;\n  asert(x == 4);\n  //@ asert x == 2;\n  \
        hepler(x);\n  quite_unknown(x);\n  return 0; }\n";
    let (status, out, _) = check(text, &["--stages", "domains"]);
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("`asert` is not declared; did you mean `assert`? (x.c:3:3)"), "{out}");
    assert!(out.contains("begins with `asert` is ignored; did you mean `assert`? (x.c:4:7)"), "{out}");
    assert!(out.contains("`hepler` is not declared; did you mean `helper`? (x.c:5:3)"), "{out}");
    assert!(!out.contains("did you mean `quite"), "{out}");
}

#[test]
fn what_constants_settle_is_counted_and_what_they_break_is_an_obligation() {
    let text = "int main(void) { int a[4]; for (int i = 0; i <= 4; i++) a[i] = i; return a[4] / 0; }\n";
    let (status, out, _) = check(text, &["--stages", "run"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("0 <= 4 && 4 < 4") && out.contains("0 != 0"), "{out}");
    let (status, out, _) =
        check("int main(void) { static int a[4]; a[3] = 8; return a[3] / 2; }\n", &["--stages", "domains"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("total: 0 obligations in ") && out.contains("; 4 more by constants alone\n"), "{out}");
    let table: String = (0..256).map(|n| format!("{n},")).collect();
    let (_, out, _) = check(
        format!("static const int t[256] = {{{table}}};\nint f(int n) {{ return t[n]; }}\n"),
        &["--function", "f", "--stages", "domains"],
    );
    assert!(out.contains("total: 1 obligation, 1 unknown"), "{out}");
}

/// The kinds that the domains decide.
const BY_DOMAINS: &str = "assertion,bounds,overflow,division";

/// The firmware and its twin in `examples/firmware`.
#[test]
fn the_fast_domains_prove_nearly_all_of_a_controller_and_a_run_refutes_its_twin() {
    let of = |name: &str, options: &[&str]| {
        let file = format!("{}/examples/firmware/{name}", env!("CARGO_MANIFEST_DIR"));
        let output = smalti(&["check", &file, "--format", "json"]).args(options).output().expect("smalti runs");
        let document: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let all = document["obligations"].as_array().expect("a list").clone();
        let verdict =
            |o: &serde_json::Value| (o["id"].as_str().map(str::to_owned), o["verdict"].as_str().map(str::to_owned));
        all.iter().map(verdict).collect::<Vec<_>>()
    };
    let all = of("heater.c", &["--stages", "domains", "--stack", "smash/octagon", "--checks", BY_DOMAINS]);
    let proved = all.iter().filter(|(_, verdict)| verdict.as_deref() == Some("proved")).count();
    assert!(all.len() >= 60 && proved * 10 >= all.len() * 9, "{proved} of {}", all.len());
    assert!(all.iter().all(|(_, verdict)| verdict.as_deref() != Some("violated")), "{all:?}");
    let all = of("heater_broken.c", &["--stages", "bounded", "--time-limit", "20"]);
    let refuted: Vec<_> = all.iter().filter(|(_, verdict)| verdict.as_deref() == Some("violated")).collect();
    assert_eq!(refuted, [&(Some("filter_mean.overflow.1".to_owned()), Some("violated".to_owned()))]);
}
