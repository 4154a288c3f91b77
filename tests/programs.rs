//! The C programs of `tests/programs`. Each contains the answers that it expects.
//!
//! A file starts with lines `// smalti: OPTIONS`, one for each run, with the options of `smalti
//! check`. An expectation is a comment:
//!
//! ```c
//! //@ PROVED      x == 3       why it matters
//! a[i] = 0;                    //@ VIOLATED bounds   why it matters
//! ```
//!
//! On a line of its own it contains a condition, which ends at two spaces. The test replaces the
//! comment by `if (nondet) { assert(condition); abort(); }`, so that expectations do not help each
//! other. If the condition can fail, it is `nondet < 0`: simple runs go on to what is expected
//! after it. After code it is about the obligations of that line, of the given kind (assertion by
//! default). The possible answers:
//!
//! * `PROVED`, `UNREACHABLE`, `VIOLATED`: that verdict.
//! * `RESIDUAL!`: the condition can fail, so proving it would be a soundness bug. Not `proved`, not
//!   `unreachable`. In `near_misses` and in files named `not_…`, it fails in a compiled run.
//! * `RESIDUAL`: it cannot fail, but is `unknown`: a known imprecision.
//! * `TODO`: like `RESIDUAL`, but it should be proved one day.

mod parallel;

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

const PRELUDE: &str =
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void); ";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Proved,
    Unreachable,
    Violated,
    CanFail,
    Residual,
    Todo,
}

struct Expectation {
    line: usize,
    expected: Expected,
    kind: String,
    what: String,
}

/// The runs of the file, its expectations, and the program with the conditions inserted.
fn read(text: &str) -> Result<(Vec<Vec<String>>, Vec<Expectation>, String), String> {
    let (mut runs, mut expectations, mut program) = (Vec::new(), Vec::new(), PRELUDE.to_owned());
    for (line, content) in (1..).zip(text.lines()) {
        if let Some(options) = content.strip_prefix("// smalti:") {
            runs.push(options.split_whitespace().map(str::to_owned).collect());
        }
        let Some((code, comment)) = content.split_once("//@") else {
            let _ = writeln!(program, "{content}");
            continue;
        };
        let (word, rest) = comment.trim().split_once(char::is_whitespace).unwrap_or((comment.trim(), ""));
        let expected = match word {
            "PROVED" => Expected::Proved,
            "UNREACHABLE" => Expected::Unreachable,
            "VIOLATED" => Expected::Violated,
            "RESIDUAL!" => Expected::CanFail,
            "RESIDUAL" => Expected::Residual,
            "TODO" => Expected::Todo,
            _ => return Err(format!("line {line}: {word:?} is no expectation")),
        };
        let what = rest.trim_start().split("  ").next().unwrap_or("").trim().to_owned();
        let own_line = code.trim().is_empty();
        if own_line && what.is_empty() {
            return Err(format!("line {line}: a condition is missing"));
        }
        let kinds = ["bounds", "overflow", "division", "lifetime", "initialised", "calls"];
        let kind = kinds.into_iter().find(|k| !own_line && what == *k).unwrap_or("assertion").to_owned();
        if own_line {
            let rarely = if expected == Expected::CanFail { " < 0" } else { "" };
            let _ = writeln!(program, "if (__VERIFIER_nondet_int(){rarely}) {{ __VERIFIER_assert({what}); abort(); }}");
        } else {
            let _ = writeln!(program, "{code}");
        }
        expectations.push(Expectation { line, expected, kind, what });
    }
    if runs.is_empty() || expectations.is_empty() {
        return Err("a line `// smalti: OPTIONS` and an expectation are needed".into());
    }
    Ok((runs, expectations, program))
}

/// A tool that the run needs and the machine lacks, if there is one.
fn lacks(options: &[String]) -> Option<&'static str> {
    static TOOLS: OnceLock<(bool, bool)> = OnceLock::new();
    let (apron, cbmc) =
        *TOOLS.get_or_init(|| (smalti_stack::open("apron-box").is_ok(), smalti::cbmc::find(None).is_ok()));
    let value = |name: &str| options.iter().skip_while(|o| *o != name).nth(1);
    if !apron && value("--stack").is_some_and(|s| s.contains("apron")) {
        return Some("APRON");
    }
    if !cbmc && value("--stages").is_none_or(|s| s.contains("bounded") || s.contains("unwind")) {
        return Some("CBMC");
    }
    None
}

/// The error in the answer to one expectation, if there is one.
fn judge(expectation: &Expectation, verdict: &str, detail: &str) -> Option<String> {
    let right = match expectation.expected {
        Expected::Proved => verdict == "proved",
        Expected::Unreachable => verdict == "unreachable",
        Expected::Violated => verdict == "violated",
        Expected::CanFail => verdict == "violated" || verdict == "unknown",
        Expected::Residual | Expected::Todo => verdict == "unknown",
    };
    if right {
        return None;
    }
    let better = matches!(expectation.expected, Expected::Residual | Expected::Todo) && verdict == "proved";
    let advice = match expectation.expected {
        _ if better => "good news: make it PROVED",
        Expected::CanFail => "UNSOUND",
        Expected::Violated if verdict == "proved" => "UNSOUND",
        Expected::Proved | Expected::Residual | Expected::Todo if verdict == "violated" => "A FALSE ALARM",
        _ => "",
    };
    let Expectation { line, expected, what, .. } = expectation;
    Some(format!("line {line}: expected {expected:?} of {what:?}, got {verdict} ({detail}) {advice}"))
}

/// Copies the headers of a program next to its copy.
fn copy_headers(file: &Path, folder: &Path) -> Result<(), String> {
    for entry in file.parent().map(std::fs::read_dir).into_iter().flatten().flatten().flatten() {
        let header = entry.path();
        if header.extension().is_some_and(|e| e == "h") {
            std::fs::copy(&header, folder.join(entry.file_name())).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// Runs one program. With `followed`, CBMC also checks the invariants of `--verify`, which takes
/// most of the time.
fn run(file: &Path, name: &str, followed: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let (runs, expectations, program) = read(&text)?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join(name);
    std::fs::write(&path, program).map_err(|e| e.to_string())?;
    copy_headers(file, folder.path())?;
    for (n, options) in runs.into_iter().enumerate() {
        if let Some(tool) = lacks(&options) {
            let line = format!("skipped: {name} needs {tool}, which is not on this machine\n");
            // Writes directly to the stream, because the test harness hides the output of passing
            // tests.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
            let meant = tool == "APRON" && std::env::var_os("SMALTI_WITHOUT_APRON").is_some();
            if std::env::var_os("CI").is_some() && !meant {
                return Err(format!("{tool} is missing, and CI is set"));
            }
            continue;
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        command.args(["check", "--format", "json", "--verify"]).args(&options).arg(&path);
        if options.windows(2).any(|o| o == ["--stages", "domains"]) && !(followed && n == 0) {
            command.env("CBMC", folder.path().join("none"));
        }
        let output = command.output().map_err(|e| e.to_string())?;
        let document: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("no JSON ({e}), {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))?;
        let mut wrong = Vec::new();
        for expectation in &expectations {
            let obligations = document["obligations"].as_array().map(Vec::as_slice).unwrap_or_default();
            let mut here = obligations
                .iter()
                .filter(|o| !o["file"].as_str().is_some_and(|file| file.starts_with("<library>")))
                .filter(|o| o["line"] == expectation.line && o["kind"] == expectation.kind.as_str())
                .peekable();
            if here.peek().is_none() {
                wrong.push(format!("line {}: no such obligation was reported", expectation.line));
            }
            for o in here {
                let text = |v: &serde_json::Value| v.as_str().unwrap_or("?").to_owned();
                let detail = format!("{}: {}", text(&o["evidence"]["stage"]), text(&o["evidence"]["detail"]));
                wrong.extend(judge(expectation, &text(&o["verdict"]), &detail));
            }
        }
        if !wrong.is_empty() {
            return Err(format!("{}\n  {}", options.join(" "), wrong.join("\n  ")));
        }
    }
    Ok(())
}

/// Of this many programs, CBMC follows the invariants of one. `scripts/soak` follows all.
const FOLLOWED: usize = 10;

/// `SMALTI_PROGRAMS=name` runs only the files whose name contains it; with `SMALTI_PROGRAMS_STOP`
/// set, the first failure ends the test. `SMALTI_PROGRAMS_FOLLOWED=n` takes the place of
/// [`FOLLOWED`]; of fewer than 20 files, all are followed.
#[test]
fn every_program_gets_the_answers_it_expects() {
    let files = programs(&std::env::var("SMALTI_PROGRAMS").unwrap_or_default());
    let stops = std::env::var_os("SMALTI_PROGRAMS_STOP").is_some();
    let followed = std::env::var("SMALTI_PROGRAMS_FOLLOWED").map_or(FOLLOWED, |n| n.parse().expect("a number"));
    let followed = if files.len() < 20 { 1 } else { followed };
    let stopped = AtomicBool::new(false);
    let failures = parallel::failures(&files, |n, file| {
        if stopped.load(Ordering::SeqCst) {
            return Ok(());
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        run(file, &name, n.is_multiple_of(followed)).map_err(|why| {
            stopped.store(stops, Ordering::SeqCst);
            format!("{name}: {why}")
        })
    });
    assert!(failures.is_empty(), "{} of {} programs:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// The code that the compiled programs are linked with: inputs from a few interesting values,
/// chosen by the environment's `SEED`.
const RUNTIME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static const int pool[] = { -2147483647 - 1, 2147483647, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 77, 1000, -7, 300, 100 };
static unsigned long seed;
static int input(void) {
    if (!seed) seed = strtoul(getenv("SEED"), 0, 10) * 2654435761u + 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return pool[(seed >> 33) % (sizeof pool / sizeof *pool)];
}
_Bool __VERIFIER_nondet_bool(void) { return input(); }
char __VERIFIER_nondet_char(void) { return input(); }
signed char __VERIFIER_nondet_schar(void) { return input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
short __VERIFIER_nondet_short(void) { return input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return input(); }
int __VERIFIER_nondet_int(void) { return input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
long __VERIFIER_nondet_long(void) { return input(); }
unsigned long __VERIFIER_nondet_ulong(void) { return input(); }
long long __VERIFIER_nondet_longlong(void) { return input(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return input(); }
double __VERIFIER_nondet_double(void) { return input() / 3.0; }
void __VERIFIER_assume(int c) { if (!c) _Exit(0); }
void __VERIFIER_assert(int c) { if (!c) _Exit(0); }
void reach_error(void) { _Exit(0); }
void unknown(int *p) { *p = 99; }
static int other;
void unknown_pointer(int **p) { *p = &other; }
int *any_pointer(void) { return &other; }
struct outside { int number; int *pointer; };
extern int global __attribute__((weak));
int number_of_others = 7, numbers_of_others[4] = { 1, 2, 3, 4 };
struct outside struct_of_others;
static int hidden_target; void keep(int *p), poke(void);
static int *kept = &hidden_target;
void keep(int *p) { kept = p; }
void poke(void) { *kept = 1; }
void keep_number(unsigned long number) { kept = (int *)number; }
void keep_bytes(unsigned char *bytes) { __builtin_memcpy(&kept, bytes, sizeof kept); }
int *pointer_of_others, *pointers_of_others[2];
long address_of_others;
void *__VERIFIER_nondet_pointer(void) { return pointer_of_others; }
__attribute__((constructor)) static void start(void) {
    int *target = &global ? &global : &other;
    pointer_of_others = struct_of_others.pointer = pointers_of_others[1] = target;
    struct_of_others.number = 1;
    address_of_others = (long)target;
}
void holds(int c, int line) { if (!c) { printf("%d\n", line); fflush(stdout); } }
void holds_or_ends(int line, int c) { holds(c, line); if (!c) _Exit(0); }
"#;

/// A run that overflows ends there: what comes after it is not defined.
const UNDEFINED_ENDS: [&str; 2] = ["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"];

/// Calls the C compiler in a folder.
fn compile(folder: &Path, arguments: &[&OsStr]) -> Result<(), String> {
    let built =
        Command::new("cc").current_dir(folder).args(["-w", "-O0"]).args(UNDEFINED_ENDS).args(arguments).output();
    let built = built.map_err(|e| e.to_string())?;
    if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into_owned()) }
}

/// The compiled [`RUNTIME`], made once.
fn runtime() -> Result<&'static Path, String> {
    static OBJECT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = OBJECT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = tempfile::tempdir_in(target).map_err(|e| e.to_string())?;
        std::fs::write(folder.path().join("runtime.c"), RUNTIME).map_err(|e| e.to_string())?;
        compile(folder.path(), &["-c", "runtime.c"].map(OsStr::new))?;
        let object = target.join("runtime_of_programs.o");
        std::fs::rename(folder.path().join("runtime.o"), &object).map_err(|e| e.to_string())?;
        Ok(object)
    });
    made.as_deref().map_err(Clone::clone)
}

/// A compiled program that prints the lines of the conditions that do not hold.
struct Compiled {
    folder: tempfile::TempDir,
}

impl Compiled {
    fn new(file: &Path) -> Result<Compiled, String> {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut program = String::from("void holds(int, int); void holds_or_ends(int, int); ");
        for (line, content) in (1..).zip(text.lines()) {
            match content.split_once("//@") {
                Some((code, comment)) if code.trim().is_empty() => {
                    let condition =
                        comment.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
                    let _ = writeln!(program, "holds(({}), {line});", condition.split("  ").next().unwrap_or(""));
                }
                Some((code, _)) => {
                    let code = code.replace("__VERIFIER_assert(", &format!("holds_or_ends({line}, "));
                    let code = code.replace("reach_error()", &format!("holds_or_ends({line}, 0)"));
                    let _ = writeln!(program, "{code}");
                }
                None => {
                    let _ = writeln!(program, "{content}");
                }
            }
        }
        std::fs::write(folder.path().join("program.c"), program).map_err(|e| e.to_string())?;
        copy_headers(file, folder.path())?;
        let [source, output, name] = ["program.c", "-o", "program"].map(OsStr::new);
        compile(folder.path(), &[source, runtime()?.as_os_str(), output, name])?;
        Ok(Compiled { folder })
    }

    /// The lines of the conditions that do not hold in the runs with these seeds. A run that asks
    /// for too many cells ends early. One shell starts all runs, because starting a process from
    /// here takes longer than most runs. An empty line ends what a run has printed.
    fn lines_that_fail(&self, seeds: std::ops::Range<u32>) -> Result<Vec<usize>, String> {
        let script =
            "ulimit -v 1000000; while [ $first -lt $end ]; do SEED=$first ./program; echo; first=$((first + 1)); done";
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(&self.folder)
            .env("first", seeds.start.to_string())
            .env("end", seeds.end.to_string())
            .output()
            .map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(|l| l.parse::<usize>().ok()).collect())
    }
}

/// The number of runs between two looks at what has failed.
const BATCH: u32 = 24;

/// An expectation is a claim about C: compiled programs are used to check it.
#[test]
fn what_is_expected_to_hold_holds_in_compiled_runs() {
    let mut wrong = Vec::new();
    for file in programs("") {
        let text = std::fs::read_to_string(&file).expect("a readable program");
        if text.contains("ilp32") {
            // Few machines have the headers and libraries of the other data model.
            continue;
        }
        if file.components().any(|c| c.as_os_str() == "modular") {
            // Functions that have only contracts cannot run.
            continue;
        }
        let (_, expectations, _) = read(&text).expect("a good program");
        let failed = Compiled::new(&file).and_then(|compiled| compiled.lines_that_fail(0..BATCH));
        let failed = failed.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for e in expectations {
            let may_fail = matches!(e.expected, Expected::Violated | Expected::CanFail);
            if !may_fail && failed.contains(&e.line) {
                wrong.push(format!("{}:{}: {:?} of {}, which fails", file.display(), e.line, e.expected, e.what));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The largest number of runs to try until one fails.
const RUNS: u32 = 600;

/// Each condition that must not be proved has a compiled run in which it fails. Otherwise the
/// program would not be a near miss.
#[test]
fn every_near_miss_fails_in_a_compiled_run() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in programs("/not_").into_iter().chain(programs("/near_misses/")) {
        let text = std::fs::read_to_string(&file).expect("a readable program");
        if text.contains("/*@") {
            // The compiler does not check annotations.
            continue;
        }
        compared += 1;
        let (_, expectations, _) = read(&text).expect("a good program");
        let mut open: Vec<&Expectation> = expectations.iter().filter(|e| e.expected == Expected::CanFail).collect();
        if open.is_empty() {
            wrong.push(format!("{} has nothing that can fail", file.display()));
        }
        let compiled = Compiled::new(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for first in (0..RUNS).step_by(BATCH as usize) {
            if open.is_empty() {
                break;
            }
            let failed = compiled.lines_that_fail(first..first + BATCH);
            let failed = failed.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            open.retain(|e| !failed.contains(&e.line));
        }
        wrong.extend(open.iter().map(|e| format!("{}:{}: {} fails in no run", file.display(), e.line, e.what)));
    }
    assert!(compared >= 60, "{compared} near misses");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The programs whose path contains this text.
fn programs(wanted: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of programs") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") && path.display().to_string().contains(wanted) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no program was found");
    files
}

#[test]
fn expectations_are_read_as_the_head_of_this_file_says() {
    let text = "// smalti: --stack box\nint f(int x) {\n  //@ PROVED  x == x   always\n  return 1 / x; //@ RESIDUAL! division   x may be 0\n}\n";
    let (runs, expectations, program) = read(text).expect("a good file");
    assert_eq!(runs, [["--stack", "box"]]);
    let lines: Vec<&str> = program.lines().collect();
    assert_eq!(lines.len(), text.lines().count(), "line numbers stay");
    assert!(lines[2].contains("__VERIFIER_assert(x == x);"), "{program}");
    assert_eq!((expectations[0].line, expectations[0].expected), (3, Expected::Proved));
    assert_eq!((expectations[1].expected, expectations[1].kind.as_str()), (Expected::CanFail, "division"));
    for bad in ["", "// smalti: x\n", "// smalti: x\n//@ PROVE x\n", "// smalti: x\n  //@ PROVED\n"] {
        assert!(read(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_verdict_that_is_not_expected_is_named_for_what_it_is() {
    let of = |expected, verdict| {
        judge(&Expectation { line: 1, expected, kind: "assertion".into(), what: "c".into() }, verdict, "")
    };
    for (expected, good) in [
        (Expected::Proved, "proved"),
        (Expected::Violated, "violated"),
        (Expected::CanFail, "violated"),
        (Expected::CanFail, "unknown"),
        (Expected::Residual, "unknown"),
        (Expected::Unreachable, "unreachable"),
    ] {
        assert_eq!(of(expected, good), None);
    }
    assert!(of(Expected::CanFail, "proved").is_some_and(|m| m.contains("UNSOUND")));
    assert!(of(Expected::CanFail, "unreachable").is_some_and(|m| m.contains("UNSOUND")));
    assert!(of(Expected::Proved, "violated").is_some_and(|m| m.contains("FALSE ALARM")));
    assert!(of(Expected::Todo, "proved").is_some_and(|m| m.contains("make it PROVED")));
}
