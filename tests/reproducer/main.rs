//! `check --reproducer`: the file that it writes is compiled, with and without optimisation, and
//! fails where the report says.

mod cases;
#[path = "../parallel/mod.rs"]
mod parallel;

use cases::{CASES, Case};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use smalti::fuzz::{Config, Random};
use smalti::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{DataModel, InputId, Location, Obligation, ObligationKey, ObligationKind, Type, obligations};
use smalti::reproduce::reproducer;
use smalti::verdict::Counterexample;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const ABORT: i32 = 6;

fn smalti(folder: &Path, options: &[String], file: &Path) -> Result<serde_json::Value, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_smalti"))
        .current_dir(folder)
        .args(["check", "--format", "json", "--reproducer", "reproducer.c"])
        .args(options)
        .arg(file)
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("no JSON ({e}), {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Whether programs for 32 bits run here.
const RUNS_32_BITS: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

/// The library functions that a file needs, for machines without a library for 32 bits.
const LIBRARY_32: &str = r#"
static int call(int n, int a, int b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
int dprintf(int to, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    volatile const char *what = __builtin_va_arg(list, const char *);
    int n = 0;
    while (what[n]) n++;
    call(4, to, (int)what, n);
    return 0;
}
void exit(int status) { call(1, status, 0, 0); for (;;); }
void abort(void) { call(37, call(20, 0, 0, 0), 6, 0); exit(9); }
void *memset(void *p, int c, unsigned n) { for (unsigned i = 0; i < n; i++) ((volatile char *)p)[i] = c; return p; }
int main(void);
__attribute__((force_align_arg_pointer)) void _start(void) { exit(main()); }
"#;

/// The options for 32-bit machines, and their library.
fn for_32_bits(folder: &Path) -> Result<[&'static str; 6], String> {
    std::fs::write(folder.join("library.c"), LIBRARY_32).map_err(|e| e.to_string())?;
    Ok(["-m32", "-fno-pie", "-no-pie", "-nostdlib", "-static", "library.c"])
}

/// Compiles the file and runs it.
fn compiled(folder: &Path, options: &[&str]) -> Result<Output, String> {
    // All warnings of the compiler are errors, except those about unused things.
    let built = Command::new("cc")
        .current_dir(folder)
        .args(options)
        .args(["-w", "-Werror=implicit", "-Werror=incompatible-pointer-types", "-Werror=int-conversion"])
        .args(["reproducer.c", "-o", "reproducer"])
        .output()
        .map_err(|e| e.to_string())?;
    if !built.status.success() {
        return Err(format!("cc {}: {}", options.join(" "), String::from_utf8_lossy(&built.stderr)));
    }
    let limited = ["-c", "ulimit -c 0; ulimit -t 60; exec ./reproducer"];
    Command::new("sh").current_dir(folder).args(limited).output().map_err(|e| e.to_string())
}

fn fails_at(folder: &Path, options: &[&str], wanted: &[String]) -> Result<(), String> {
    let output = compiled(folder, options)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let right = output.status.signal() == Some(ABORT) && wanted.iter().all(|w| said.contains(w.as_str()));
    if right { Ok(()) } else { Err(format!("{}: {} says {said:?}, not {wanted:?}", options.join(" "), output.status)) }
}

/// The obligation that the note names, or why there is none.
fn chosen(document: &serde_json::Value) -> Result<serde_json::Value, String> {
    let notes: Vec<&str> = document["notes"].as_array().into_iter().flatten().filter_map(|n| n.as_str()).collect();
    let violated = document["obligations"].as_array().into_iter().flatten().filter(|o| o["verdict"] == "violated");
    let named = |o: &serde_json::Value| {
        let start = format!("this command repeats the run that violates {}: ", o["id"].as_str().unwrap_or("?"));
        notes.iter().any(|n| n.starts_with(&start))
    };
    violated.into_iter().find(|o| named(o)).cloned().ok_or_else(|| notes.join("; "))
}

/// The text that the compiled file prints about an obligation.
fn place(o: &serde_json::Value) -> Vec<String> {
    let text = |key: &str| o[key].as_str().unwrap_or("?").to_owned();
    vec![format!(":{}:{}: {} violated", o["line"], o["column"], text("kind")), format!("({})", text("id"))]
}

fn try_case(case: &Case) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("case.c");
    std::fs::write(&file, case.text).map_err(|e| e.to_string())?;
    let mut options: Vec<String> = vec!["--stages".into(), "run,bounded".into()];
    options.extend(case.options.iter().map(|o| (*o).to_owned()));
    let document = smalti(folder.path(), &options, Path::new("case.c"))?;
    let violated = chosen(&document)?;
    let mut wanted = place(&violated);
    wanted.push(case.says.to_owned());
    let mut all = Vec::new();
    if case.options.contains(&"ilp32") {
        all.extend(for_32_bits(folder.path())?);
    }
    ["-O0", "-O2"].iter().try_for_each(|level| fails_at(folder.path(), &[&all[..], &[level]].concat(), &wanted))
}

#[test]
fn failing_runs_of_every_kind_fail_again_when_they_are_compiled() {
    let wanted = std::env::var("SMALTI_PROGRAMS").unwrap_or_default();
    let runs = |c: &&Case| RUNS_32_BITS || !c.options.contains(&"ilp32");
    let cases: Vec<&Case> = CASES.iter().filter(|c| c.name.contains(&wanted)).filter(runs).collect();
    let failures = parallel::failures(&cases, |_, case| try_case(case).map_err(|why| format!("{}: {why}", case.name)));
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

/// The programs of `tests/programs` with a violated obligation.
fn programs() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of programs") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                let text = std::fs::read_to_string(&path).expect("a readable program");
                if text.contains("//@ VIOLATED") && (RUNS_32_BITS || !text.contains("ilp32")) {
                    files.push(path);
                }
            }
        }
    }
    files.sort();
    files
}

/// The text with the conditions of the expectations inserted, as `tests/programs.rs` does.
fn with_conditions(text: &str) -> String {
    let mut program = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void abort(void); ",
    );
    for content in text.lines() {
        match content.split_once("//@") {
            Some((code, comment)) if code.trim().is_empty() => {
                let condition = comment.trim().split_once(char::is_whitespace).map_or("1", |(_, rest)| rest.trim());
                let condition = condition.split("  ").next().unwrap_or("1");
                let _ =
                    writeln!(program, "if (__VERIFIER_nondet_int()) {{ __VERIFIER_assert({condition}); abort(); }}");
            }
            found => _ = writeln!(program, "{}", found.map_or(content, |(code, _)| code)),
        }
    }
    program
}

fn try_program(file: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let name = file.file_name().map_or_else(PathBuf::new, PathBuf::from);
    std::fs::write(folder.path().join(&name), with_conditions(&text)).map_err(|e| e.to_string())?;
    for header in file.parent().map(std::fs::read_dir).into_iter().flatten().flatten().flatten() {
        if header.path().extension().is_some_and(|e| e == "h") {
            std::fs::copy(header.path(), folder.path().join(header.file_name())).map_err(|e| e.to_string())?;
        }
    }
    let first = text.lines().find_map(|l| l.strip_prefix("// smalti:")).unwrap_or_default();
    let mut words = first.split_whitespace().map(str::to_owned);
    let mut options: Vec<String> = vec!["--stages".into(), "run,bounded".into(), "--time-limit".into(), "20".into()];
    while let Some(word) = words.next() {
        // Only failing runs are of interest here.
        match word.as_str() {
            "--stages" | "--stack" | "--time-limit" => _ = words.next(),
            _ => options.push(word),
        }
    }
    let document = smalti(folder.path(), &options, &name)?;
    if !document["obligations"].as_array().into_iter().flatten().any(|o| o["verdict"] == "violated") {
        return Ok(false);
    }
    let violated = chosen(&document)?;
    let mut all = vec!["-O1"];
    if options.iter().any(|o| o == "ilp32") {
        all.extend(for_32_bits(folder.path())?);
    }
    fails_at(folder.path(), &all, &place(&violated))?;
    Ok(true)
}

/// Tries every third program; `SMALTI_PROGRAMS=name` tries all whose name contains it.
#[test]
fn violated_programs_fail_again_when_they_are_compiled() {
    let mut files = programs();
    match std::env::var("SMALTI_PROGRAMS") {
        Ok(wanted) => files.retain(|f| f.display().to_string().contains(&wanted)),
        Err(_) => files = files.into_iter().step_by(3).collect(),
    }
    fail_again_when_they_are_compiled(&files);
}

#[test]
#[ignore = "soak: all programs"]
fn soak_violated_programs_fail_again_when_they_are_compiled() {
    fail_again_when_they_are_compiled(&programs());
}

/// Three in four of the programs are violated, and their reproducers fail where the report says.
fn fail_again_when_they_are_compiled(files: &[PathBuf]) {
    let tried = AtomicUsize::new(0);
    let failures = parallel::failures(files, |_, file| {
        let written = try_program(file).map_err(|why| format!("{}: {why}", file.display()))?;
        tried.fetch_add(usize::from(written), Ordering::SeqCst);
        Ok(())
    });
    let tried = tried.into_inner();
    println!("{tried} of {} programs are violated", files.len());
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
    assert!(tried * 4 >= files.len() * 3, "{tried} of {} programs are violated", files.len());
}

/// One assertion that a run with chosen inputs refutes, and one that is left to CBMC.
const HALF: &str = "extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x % 7;
    if (x == 3) __VERIFIER_assert(y != 3);
    __VERIFIER_assert(y * y * x != 5 || x > 4);
    return 0;
}
";

#[test]
fn a_run_that_is_interrupted_or_late_writes_what_failed_by_then() {
    for (limit, signal) in [("100", Some(Signal::SIGINT)), ("100", Some(Signal::SIGTERM)), ("3", None)] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("half.c"), HALF).unwrap();
        let asked = at("asked");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 6.4.0; exit 0; fi\ntouch '{}'\nexec sleep 300\n",
            asked.display()
        );
        std::fs::write(at("cbmc"), script).unwrap();
        std::fs::set_permissions(at("cbmc"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_smalti"))
            .current_dir(folder.path())
            .args(["check", "--checks", "assertion", "--stages", "bounded", "--format", "json", "--time-limit", limit])
            .args(["--reproducer", "reproducer.c", "half.c"])
            .env("CBMC", at("cbmc"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        if let Some(signal) = signal {
            let patience = Instant::now() + Duration::from_secs(60);
            while !asked.exists() && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(10));
            }
            kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let violated = chosen(&document).unwrap_or_else(|notes| panic!("{signal:?}: {notes}"));
        fails_at(folder.path(), &["-O1"], &place(&violated)).unwrap_or_else(|why| panic!("{signal:?}: {why}"));
    }
}

#[test]
fn where_nothing_is_violated_there_is_no_file_and_a_note() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("good.c"),
        "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }",
    )
    .unwrap();
    let document = smalti(folder.path(), &[], Path::new("good.c")).unwrap();
    assert_eq!(chosen(&document).unwrap_err(), "no reproducer was written, because nothing is violated");
    assert!(!folder.path().join("reproducer.c").exists());
}

#[test]
fn the_program_itself_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern void abort(void); int main(void) { abort(); }";
    std::fs::write(folder.path().join("reproducer.c"), text).unwrap();
    assert!(smalti(folder.path(), &[], Path::new("./reproducer.c")).unwrap_err().contains("would overwrite"));
    assert_eq!(std::fs::read_to_string(folder.path().join("reproducer.c")).unwrap(), text);
}

#[test]
fn a_sanitizer_sees_the_operation_itself_where_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let text = "extern int __VERIFIER_nondet_int(void);
int a[10];
int main(void) { int i = __VERIFIER_nondet_int(); if (i > 5) a[i] = 1; return 0; }";
    std::fs::write(folder.path().join("bounds.c"), text).unwrap();
    let options = ["--checks", "bounds", "--stages", "bounded"].map(str::to_owned);
    let violated = chosen(&smalti(folder.path(), &options, Path::new("bounds.c")).unwrap()).unwrap();
    let output =
        compiled(folder.path(), &["-DSMALTI_UNCHECKED", "-fsanitize=undefined", "-fno-sanitize-recover"]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("out of bounds"), "{said}");
    assert!(place(&violated).iter().all(|words| said.contains(words.as_str())), "{said}");
}

/// Random values that are recorded.
struct Values {
    random: Random,
    taken: Vec<i128>,
}

impl Values {
    fn take(&mut self, ty: &Type) -> i128 {
        let value = match ty {
            Type::Int(kind) => kind.wrap(self.random.interesting(), DataModel::Lp64),
            // Only null is worth trying.
            _ => 0,
        };
        self.taken.push(value);
        value
    }
}

impl Environment for Values {
    fn input(&mut self, _input: InputId, ty: &Type, _at: Location) -> i128 {
        self.take(ty)
    }

    fn arbitrary(&mut self, _origin: &CellOrigin<'_>, ty: &Type) -> i128 {
        self.take(ty)
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }
}

/// A failing run of a random program, if a few attempts find one: the failure, and the file.
fn random_failure(seed: u64) -> Option<(Obligation, Result<String, String>)> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let (tables, specifications) = (seed % 4 == 1, seed % 4 == 2);
    let config = Config { tables, specifications, ..Config::default() };
    let program = load_text("random.c", &smalti::fuzz::program(seed, &config), &options).expect("a program");
    let obligations = obligations(&program, &ObligationKind::ALL);
    (0..8).find_map(|n| {
        let mut values = Values { random: Random::new(seed * 8 + n), taken: Vec::new() };
        let run = interpreter::run(&program, &mut values, &mut (), &Limits { steps: 100_000, ..Limits::default() });
        let key = match run.outcome {
            Outcome::AssertionFailed(id) => ObligationKey::Assertion(id),
            Outcome::Undefined { key, .. } => key,
            _ => return None,
        };
        let obligation = obligations.iter().find(|o| o.key == key && run.havocs == 0)?;
        let run = Counterexample {
            texts: Vec::new(),
            inputs: Vec::new(),
            values: Some(values.taken),
            steps: run.steps,
            path: Vec::new(),
            shortened: false,
            statements: Vec::new(),
        };
        Some((obligation.clone(), reproducer(&program, obligation, &run, None)))
    })
}

/// `SMALTI_FUZZ_COUNT` sets the number of programs, `SMALTI_FUZZ_SEED` the first seed.
#[test]
fn failing_runs_of_random_programs_fail_again_when_they_are_compiled() {
    let number = |name: &str, otherwise| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (count, first) = (number("SMALTI_FUZZ_COUNT", 40), number("SMALTI_FUZZ_SEED", 0));
    let seeds: Vec<u64> = (first..first + count).collect();
    let tried = AtomicUsize::new(0);
    let failures = parallel::failures(&seeds, |_, &seed| {
        let Some((obligation, text)) = random_failure(seed) else { return Ok(()) };
        tried.fetch_add(1, Ordering::SeqCst);
        let at = |why: String| format!("seed {seed}: {why}");
        let folder = tempfile::tempdir().map_err(|e| at(e.to_string()))?;
        std::fs::write(folder.path().join("reproducer.c"), text.map_err(at)?).map_err(|e| at(e.to_string()))?;
        let Obligation { location, kind, id, .. } = &obligation;
        let wanted = [format!("random.c:{}:{}: {kind} violated", location.line, location.column), format!("({id})")];
        fails_at(folder.path(), &[if seed % 2 == 0 { "-O0" } else { "-O2" }], &wanted).map_err(at)
    });
    let tried = tried.into_inner();
    println!("{tried} of {count} programs have a failing run");
    assert!(failures.is_empty(), "{} of {tried}:\n{}", failures.len(), failures.join("\n"));
    assert!(tried as u64 * 8 >= count, "{tried} of {count} programs have a failing run");
}
