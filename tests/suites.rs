//! `smalti test`: our own examples match their snapshots, and a suite notices the changes that it
//! should: losses, gains, errors.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use smalti::fuzz::or_skip;
use smalti::suite::Snapshot;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn smalti(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder).arg("test").args(arguments);
    for variable in ["COLUMNS", "RUST_LOG", "RUST_BACKTRACE", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// Exit status, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    told(&smalti(folder, arguments).output().expect("smalti runs"))
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("it is not killed"), text(&output.stdout), text(&output.stderr))
}

/// The domains alone, which are fast and need no other program.
const DOMAINS: &str =
    "root = true\nstages = [\"domains\"]\nstack = [\"partition/octagon\"]\nchecks = [\"assertion\"]\n";

const INIT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void) {
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = 7;
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < 100)
        __VERIFIER_assert(a[k] == 7);
    __VERIFIER_assert(k != 12345);
    return 0;
}
";

fn suite(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("smalti.toml", DOMAINS)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        fs::write(path, text).expect("a file is written");
    }
    folder
}

/// A suite of one program, whose snapshot is stored.
fn stored() -> tempfile::TempDir {
    let folder = suite(&[("init.c", INIT)]);
    let (status, out, err) = run(folder.path(), &[".", "--accept"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    folder
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "there is no {from:?} in:\n{text}");
    fs::write(path, text.replace(from, to)).expect("a file is written");
}

/// Whether the tools exist that `smalti test examples` needs to reproduce the stored answers.
fn has_tools() -> bool {
    or_skip(smalti::cbmc::find(None)).is_some() && or_skip(smalti::smt::find(None)).is_some()
}

#[test]
fn our_examples_are_as_stored() {
    if !has_tools() {
        return;
    }
    let output = smalti(Path::new(ROOT), &["examples"]).env("CI", "true").output().expect("smalti runs");
    let (status, out, err) = told(&output);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.lines().filter(|l| l.starts_with("ok ")).count() >= 12, "{out}");
}

/// A copy of our examples, with their snapshots.
fn our_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let examples = Path::new(ROOT).join("examples");
    for entry in walkdir::WalkDir::new(&examples) {
        let entry = entry.expect("our examples can be read");
        let copy = folder.path().join(entry.path().strip_prefix(&examples).expect("inside"));
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(copy).expect("a folder is made"),
            false => _ = fs::copy(entry.path(), copy).expect("a copy"),
        }
    }
    folder
}

#[test]
fn a_bug_that_is_put_into_an_example_is_told_as_the_manual_shows() {
    if !has_tools() {
        return;
    }
    let page = fs::read_to_string(Path::new(ROOT).join("docs/suites.md")).expect("the page about suites");
    let shown = page.split("```diff\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of changes");
    let folder = our_examples();
    edit(folder.path(), "find.c", "return -1;", "return 0;");
    let (status, out, _) = run(folder.path(), &[".", "--only", "find.c"]);
    assert_eq!((status, out.as_str()), (1, shown));
}

/// A loss in our own examples is reported by name. Here the snapshot claims more than is true.
#[test]
fn a_deliberate_change_of_our_snapshots_names_the_lost_fact() {
    let folder = our_examples();
    let stored = "forall j. 0 <= j < i ==> a[j] == 7";
    edit(folder.path(), "init.c.smalti", stored, "forall j. 0 <= j < i ==> a[j] == 7 && b[j] == 8");
    let (status, out, _) = run(folder.path(), &[".", "--only", "init.c"]);
    assert_eq!(status, 1, "{out}");
    let loss = "loss: loop of main at `for (int i = 0; i < 100; i++) {`: `forall k. 0 <= k < i ==> b[k] == 8` is lost";
    assert!(out.contains(loss), "{out}");
    assert!(out.contains(&format!("    -         {stored} && b[j] == 8\n    +         {stored}\n")), "{out}");
    assert!(out.starts_with("changed  init.c  1 loss\n"), "{out}");
}

#[test]
fn a_new_program_fails_until_it_is_stored() {
    let folder = suite(&[("init.c", INIT), ("sub/none.c", "int main(void) { return 0; }\n")]);
    let (status, out, err) = run(folder.path(), &["."]);
    let expected = "\
new  init.c      2 obligations: 1 proved, 1 unknown
new  sub/none.c  0 obligations

total: 2 programs: 2 new
not as stored: `smalti test --accept` stores the new results
";
    assert_eq!((status, out.as_str(), err.as_str()), (1, expected, ""));
    let (status, out, _) = run(folder.path(), &[".", "--accept", "--only", "init"]);
    assert_eq!((status, out.starts_with("stored  init.c  ")), (0, true), "{out}");
    assert!(!folder.path().join("sub/none.c.smalti").exists());
    let (status, out, _) = run(folder.path(), &[".", "--accept"]);
    assert_eq!((status, out.starts_with("ok      init.c\nstored  sub/none.c  ")), (0, true), "{out}");
    let (status, out, _) = run(folder.path(), &["."]);
    assert_eq!((status, out.as_str()), (0, "ok  init.c\nok  sub/none.c\n\ntotal: 2 programs: 2 as stored\n"));
    let text = fs::read_to_string(folder.path().join("init.c.smalti")).expect("a snapshot");
    assert_eq!(Snapshot::parse(&text).expect("a snapshot").text(), text);
    let expected = "\
smalti snapshot 2: init.c

program
    456e7740ea9d17f736669297f39ecf15d00212275dc385d206fc925726437029  init.c

configuration
    checks assertion
    stack partition/octagon
    stages domains

obligations
    proved by domains       main.assertion: a[k] == 7
    unknown                 main.assertion: k != 12345

assumptions
    a run is considered up to its first undefined behaviour (overflow, access out of bounds, division by zero, bad shift, bad array size)

invariants
    loop of main at `for (int i = 0; i < 100; i++)`
        0 <= i <= 100
        forall j. 0 <= j < i ==> a[j] == 7
    exit of main
        forall j. 0 <= j < 100 ==> a[j] == 7
";
    assert_eq!(text, expected);
}

#[test]
fn the_weightiest_change_is_told_first_and_loudly() {
    let folder = stored();
    let path = folder.path();
    fs::write(path.join("a_first.c"), INIT).expect("a file is written");
    run(path, &[".", "--accept"]);
    edit(path, "a_first.c.smalti", "unknown                 main", "proved by domains       main");
    edit(path, "init.c.smalti", "proved by domains       main", "violated by unwind      main");
    edit(path, "init.c.smalti", "0 <= i <= 100", "0 <= i <= 200");
    edit(path, "init.c.smalti", "assumptions\n", "assumptions\n    malloc succeeds\n");
    let (status, out, _) = run(path, &["."]);
    assert_eq!(status, 1, "{out}");
    let place = |words: &str| out.find(words).unwrap_or_else(|| panic!("{words} is not in:\n{out}"));
    let soundness = place(
        "SOUNDNESS: main.assertion: `a[k] == 7` was violated by unwind, and is proved by domains: the program is the same",
    );
    let loss = place("loss: main.assertion: `k != 12345` was proved by domains, and is unknown");
    let gain = place("gain: loop of main at `for (int i = 0; i < 100; i++)`: `i <= 100` is known; it was `i <= 200`");
    place("gain: answers no longer rest on this assumption: malloc succeeds");
    assert!(soundness < gain && gain < loss, "{out}");
    assert!(out.starts_with("changed  a_first.c  1 loss\nchanged  init.c     1 SOUNDNESS, 2 gains\n"), "{out}");
    assert!(out.contains("(1 SOUNDNESS, 1 loss, 2 gains)"), "{out}");
}

#[test]
fn a_program_that_only_moves_keeps_its_snapshot() {
    let folder = stored();
    fs::write(folder.path().join("init.c"), format!("/* a comment\n   of lines */\n\n{}", INIT.replace("    ", "\t")))
        .expect("a file");
    let (status, out, _) = run(folder.path(), &["."]);
    assert_eq!((status, out.starts_with("ok  init.c\n")), (0, true), "{out}");
    assert!(out.contains("note: `init.c` was changed, but the results were not"), "{out}");
    // A new assertion before the others does not change their answers.
    edit(folder.path(), "init.c", "int main(void) {", "int main(void) {\n__VERIFIER_assert(1);\n");
    let (status, out, _) = run(folder.path(), &["."]);
    assert_eq!(status, 1, "{out}");
    let new = "program: main.assertion: `1` is new, and proved";
    assert!(out.starts_with("changed  init.c  2 changes of the program\n") && out.contains(new), "{out}");
}

#[test]
fn the_output_does_not_depend_on_how_many_are_analysed_at_a_time() {
    let names: Vec<String> = (0..6).map(|n| format!("p{n}.c")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), INIT)).collect();
    let folder = suite(&files);
    edit(folder.path(), "p3.c", "12345", "12346");
    let one = run(folder.path(), &[".", "--jobs", "1"]);
    assert_eq!(run(folder.path(), &[".", "--jobs", "5"]), one);
    assert_eq!(one.0, 1);
}

#[test]
fn nothing_is_stored_where_nobody_looks() {
    let folder = suite(&[("init.c", INIT)]);
    let output = smalti(folder.path(), &[".", "--accept"]).env("CI", "true").output().expect("smalti runs");
    let (status, _, err) = told(&output);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("--accept is refused in CI"), "{err}");
    assert!(!folder.path().join("init.c.smalti").exists());
}

#[test]
fn wrong_input_is_status_2_and_says_what_is_wrong() {
    let folder = stored();
    fs::write(folder.path().join("init.c.smalti"), "smalti snapshot 2: init.c\n<<<<<<< ours\n").expect("a file");
    let (status, out, _) = run(folder.path(), &["."]);
    assert_eq!(status, 2, "{out}");
    assert!(out.starts_with("broken  init.c") && out.contains("init.c.smalti:2:1"), "{out}");
    assert_eq!(run(folder.path(), &[".", "--accept"]).0, 0);
    assert_eq!(run(folder.path(), &["."]).0, 0);
    for (arguments, words) in [
        (&["gone"][..], "`gone` cannot be read"),
        (&[".", "--only", "nothing"], "no program has `nothing` in its name"),
    ] {
        let (status, _, err) = run(folder.path(), arguments);
        assert_eq!(status, 2, "{err}");
        assert!(err.contains(words), "{err}");
    }
    fs::write(folder.path().join("smalti.toml"), "root = true\nstage = [\"domains\"]\n").expect("a file");
    let (status, _, err) = run(folder.path(), &["."]);
    assert_eq!(status, 2);
    assert!(err.contains("smalti.toml:2:1") && err.contains("did you mean `stages`?"), "{err}");
    fs::write(folder.path().join("smalti.toml"), "stack = [\"smash/bxo\"]\n").expect("a file");
    assert_eq!(run(folder.path(), &["."]).0, 2);
}

#[test]
fn a_snapshot_whose_program_is_gone_is_told_and_removed_when_accepted() {
    let folder = stored();
    fs::write(folder.path().join("other.c"), INIT).expect("a file");
    run(folder.path(), &[".", "--accept"]);
    fs::remove_file(folder.path().join("init.c")).expect("a file");
    let (status, out, _) = run(folder.path(), &["."]);
    assert_eq!((status, out.starts_with("stale  init.c.smalti  its program is gone\n")), (1, true), "{out}");
    let (status, out, _) = run(folder.path(), &[".", "--accept"]);
    assert_eq!((status, out.starts_with("removed  init.c.smalti  its program is gone\n")), (0, true), "{out}");
    assert!(!folder.path().join("init.c.smalti").exists());
}

#[test]
fn a_program_that_is_refused_is_an_error_and_is_never_stored() {
    let folder = suite(&[
        ("bad.c", "int main(void) { return 0 }\n"),
        ("header.c", "#include \"none.h\"\nint main(void) { return 0; }\n"),
        (
            "thread.c",
            "#include <pthread.h>\nvoid *f(void *n);\nint main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }\n",
        ),
        ("no_main.c", "int f(void) { return 0; }\n"),
        ("sub/init.c", INIT),
    ]);
    let path = folder.path();
    for arguments in [&["."][..], &[".", "--accept"], &["."]] {
        let (status, out, _) = run(path, arguments);
        assert_eq!(status, 2, "{out}");
        for (name, place) in
            [("bad.c", "bad.c:1:27"), ("header.c", "header.c:1:10"), ("thread.c", "thread.c:3"), ("no_main.c", "main")]
        {
            assert!(out.lines().any(|l| l.starts_with("refused") && l.contains(name)), "{name}: {out}");
            assert!(out.contains(place), "{place}: {out}");
            assert!(!path.join(format!("{name}.smalti")).exists());
        }
        assert!(out.contains("4 refused"), "{out}");
    }
    assert!(path.join("sub/init.c.smalti").exists());
    // The stored results of a program stay when it no longer parses.
    let before = fs::read(path.join("sub/init.c.smalti")).expect("a snapshot");
    edit(path, "sub/init.c", "return 0;", "return 0");
    let (status, out, _) = run(path, &["sub", "--accept"]);
    assert_eq!((status, out.starts_with("refused  sub/init.c  unexpected")), (2, true), "{out}");
    assert!(!out.contains("--accept"), "{out}");
    assert_eq!(fs::read(path.join("sub/init.c.smalti")).expect("a snapshot"), before);
    // An older version stored this.
    fs::write(path.join("bad.c.smalti"), "smalti snapshot 2: bad.c\n\nrefused\n    expected `;`\n").expect("a file");
    assert_eq!(run(path, &["bad.c"]).0, 2);
    fs::write(path.join("bad.c"), INIT).expect("a file");
    let (status, out, _) = run(path, &["bad.c"]);
    assert_eq!(status, 1);
    assert!(out.contains("gain: the program was refused, and is analysed now"), "{out}");
}

/// A program with a header in its own folder, one in another folder, and one of the system.
fn with_headers() -> tempfile::TempDir {
    let main = "#include <limits.h>\n#include \"limit.h\"\n#include \"far.h\"\nextern void __VERIFIER_assert(int);\n\
                int main(void) { __VERIFIER_assert(LIMIT < FAR); return 0; }\n";
    let folder = suite(&[
        ("programs/x.c", main),
        ("programs/limit.h", "#define LIMIT 3\n"),
        ("include/far.h", "#define FAR 10\n"),
        ("programs/smalti.toml", "include = [\"../include\"]\n"),
    ]);
    let (status, out, err) = run(folder.path(), &[".", "--accept"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    folder
}

#[test]
fn an_edited_program_is_told_apart_from_another_answer() {
    let folder = with_headers();
    let path = folder.path();
    let text = fs::read_to_string(path.join("programs/x.c.smalti")).expect("a snapshot");
    let names: Vec<&str> =
        Snapshot::parse(&text).expect("a snapshot").files.keys().map(|n| n.clone().leak() as &str).collect();
    assert_eq!(names, ["../include/far.h", "limit.h", "x.c"]);
    // The same text, but another answer.
    edit(path, "programs/x.c.smalti", "proved by domains  ", "violated by unwind ");
    let (status, out, _) = run(path, &["."]);
    assert_eq!((status, out.starts_with("changed  programs/x.c  1 SOUNDNESS\n")), (1, true), "{out}");
    assert!(out.contains("the program is the same, so one of the two answers is wrong"), "{out}");
    // Line ends are not part of the text.
    for name in ["programs/x.c", "programs/limit.h"] {
        edit(path, name, "\n", "\r\n");
    }
    assert!(run(path, &["."]).1.starts_with("changed  programs/x.c  1 SOUNDNESS\n"));
    // Another header, but the same answer.
    edit(path, "programs/limit.h", "3", "4");
    let (status, out, _) = run(path, &["."]);
    assert_eq!((status, out.starts_with("changed  programs/x.c  2 changes of the program\n")), (1, true), "{out}");
    assert!(out.contains("program: `limit.h` was changed; the") && !out.contains("SOUNDNESS"), "{out}");
    edit(path, "include/far.h", "10", "2");
    let (status, out, _) = run(path, &[".", "--accept"]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(run(path, &["."]).1, "ok  programs/x.c\n\ntotal: 1 program: 1 as stored\n");
}

#[test]
fn a_snapshot_without_a_digest_is_read_and_says_how_to_get_one() {
    let folder = stored();
    let path = folder.path();
    let text = fs::read_to_string(path.join("init.c.smalti")).expect("a snapshot");
    let (before, after) = (text.find("program\n").expect("digests"), text.find("configuration\n").expect("a section"));
    fs::write(path.join("init.c.smalti"), format!("{}{}", &text[..before], &text[after..])).expect("a file");
    let (status, out, _) = run(path, &["."]);
    assert_eq!((status, out.starts_with("ok  init.c\n")), (0, true), "{out}");
    assert!(out.contains("note: the snapshot has no digest of") && out.contains("--accept stores a digest"), "{out}");
    edit(path, "init.c.smalti", "proved by domains       main", "violated by unwind      main");
    let (status, out, _) = run(path, &["."]);
    assert_eq!((status, out.starts_with("changed  init.c  1 SOUNDNESS, 1 note\n")), (1, true), "{out}");
    assert_eq!(run(path, &[".", "--accept"]).0, 0);
    assert_eq!(fs::read_to_string(path.join("init.c.smalti")).expect("a snapshot"), text);
}

#[test]
fn a_snapshot_of_the_first_format_is_about_assertions_and_is_compared_as_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let text = "void __VERIFIER_assert(int);\nint main(void) { int a[4]; a[1] = 3; int i = a[1];\n__VERIFIER_assert(a[i / 3] == 3); return 0; }\n";
    fs::write(path.join("a.c"), text).expect("a file");
    fs::write(path.join("smalti.toml"), "root = true\nstages = [\"domains\"]\ninvariants = false\n").expect("a file");
    let stored = "smalti snapshot 1: a.c\n\nconfiguration\n    stages domains\n\nobligations\n    \
        proved by domains       main.assertion: a[i / 3] == 3\n\nassumptions\n    \
        a run is considered up to its first undefined behaviour (overflow, access out of bounds, division by zero, \
        bad shift, bad array size)\n";
    fs::write(path.join("a.c.smalti"), stored).expect("a file");
    let (status, out, err) = run(path, &["."]);
    assert_eq!((status, out.starts_with("ok  a.c\n")), (0, true), "{out}{err}");
    assert_eq!(run(path, &[".", "--accept"]).0, 0);
    let now = fs::read_to_string(path.join("a.c.smalti")).expect("a snapshot");
    assert!(now.starts_with("smalti snapshot 2: a.c\n"), "{now}");
    assert!(
        now.contains("    checks assertion bounds overflow division lifetime initialised calls\n")
            && now.contains("main.bounds"),
        "{now}"
    );
    assert_eq!(run(path, &["."]).0, 0);
}

/// An executable file.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it may be run");
    path
}

#[test]
fn a_program_whose_analysis_dies_is_one_line_and_the_others_are_as_they_were() {
    let folder = stored();
    fs::write(folder.path().join("dies.c"), INIT).expect("a file");
    let text = "case \"$*\" in *dies.c*) kill -9 $PPID; exit 1;; esac\nexec cc \"$@\"";
    let compiler = script(folder.path(), "compiler", text);
    for arguments in [&["."][..], &[".", "--accept"]] {
        let (status, out, _) =
            told(&smalti(folder.path(), arguments).env("CC", &compiler).output().expect("smalti runs"));
        assert_eq!(status, 1, "{out}");
        let expected = "\
failed  dies.c  `smalti check`: ended by signal 9
ok      init.c

total: 2 programs: 1 as stored, 1 failed
";
        assert_eq!(out, expected);
        assert!(!folder.path().join("dies.c.smalti").exists());
    }
}

fn is_gone(pid: i32) -> bool {
    let patience = Instant::now() + Duration::from_secs(10);
    while Instant::now() < patience {
        // A zombie that has not been reaped yet counts as gone.
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if kill(Pid::from_raw(pid), None).is_err() || state.contains(") Z ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn nothing_is_left_of_a_run_that_is_interrupted_or_killed() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL] {
        let folder = suite(&[("a.c", INIT), ("b.c", INIT)]);
        let pids = folder.path().join("pids");
        let text = format!("trap '' INT TERM HUP\necho $$ $PPID >> {}\nsleep 300", pids.display());
        let compiler = script(folder.path(), "compiler", &text);
        let mut child = smalti(folder.path(), &[".", "--jobs", "2"]).env("CC", compiler).spawn().expect("smalti runs");
        let noted = || fs::read_to_string(&pids).unwrap_or_default();
        let patience = Instant::now() + Duration::from_secs(60);
        while noted().lines().count() < 2 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(20));
        }
        kill(Pid::from_raw(child.id().try_into().expect("a number")), signal).expect("it runs");
        assert!(!child.wait().expect("it ends").success());
        let noted = noted();
        assert_eq!(noted.lines().count(), 2, "{noted}");
        for pid in noted.split_whitespace() {
            assert!(is_gone(pid.parse().expect("a number")), "{signal}: {pid} is left");
        }
        assert!(!folder.path().join("a.c.smalti").exists());
    }
}

/// A model checker that never answers.
fn hanging_checker(folder: &Path) -> PathBuf {
    let asked = folder.join("asked");
    let text = "[ \"$1\" = --version ] && { echo '6.6.0 (cbmc-6.6.0)'; exit 0; }";
    script(folder, "cbmc", &format!("{text}\necho $$ >> {}\nexec sleep 300", asked.display()))
}

#[test]
fn an_answer_that_time_took_is_called_so_and_is_still_a_loss() {
    let folder = suite(&[("init.c", INIT)]);
    let path = folder.path();
    let config = "root = true\nstages = [\"domains\", \"unwind\"]\nstack = [\"smash/box\"]\ntime-limit = 1\ninvariants = false\n";
    fs::write(path.join("smalti.toml"), config).expect("a file");
    let checker = hanging_checker(path);
    let with = |arguments: &[&str]| told(&smalti(path, arguments).env("CBMC", &checker).output().expect("smalti runs"));
    let (status, out, _) = with(&[".", "--accept"]);
    assert_eq!(status, 0, "{out}");
    let text = fs::read_to_string(path.join("init.c.smalti")).expect("a snapshot");
    assert!(text.contains("    unknown (time)          main.assertion: a[k] == 7\n"), "{text}");
    assert_eq!(with(&["."]).0, 0);
    // Stored without the mark, the change is reported but does not fail. A stored proof is a
    // promise.
    edit(
        path,
        "init.c.smalti",
        "unknown (time)          main.assertion: k",
        "unknown                 main.assertion: k",
    );
    let (status, out, _) = with(&["."]);
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("note: main.assertion: `k != 12345` is unknown as before, but now reaches its time limit"),
        "{out}"
    );
    edit(
        path,
        "init.c.smalti",
        "unknown (time)          main.assertion: a",
        "proved by unwind        main.assertion: a",
    );
    let asked = || fs::read_to_string(path.join("asked")).unwrap_or_default().lines().count();
    let before = asked();
    let start = Instant::now();
    let (status, out, _) = with(&["."]);
    assert_eq!(status, 1, "{out}");
    // There was a second attempt with twice the time before the loss was reported.
    assert!(asked() >= before + 2 && start.elapsed() >= Duration::from_secs(2), "{before} {}", asked());
    assert!(
        out.contains("loss: main.assertion: `a[k] == 7` was proved by unwind, and is unknown, because it reached"),
        "{out}"
    );
}

/// The format that readers of JUnit XML agree on: correct counts, cases with names, failures with
/// types and messages.
#[test]
fn the_junit_report_is_read_by_an_xml_reader_and_has_the_usual_shape() {
    let folder = stored();
    let path = folder.path();
    fs::create_dir(path.join("sub")).expect("a folder");
    fs::write(path.join("sub/refused.c"), "int main(void) { return 0 }\n").expect("a file");
    for name in ["changed.c", "sub/new.c", "sub/dies.c", "sub/broken.c"] {
        fs::write(path.join(name), INIT.replace("12345", "1 && \"<&>]]>\"[0] > 0")).expect("a file");
    }
    run(path, &[".", "--accept", "--only", "changed"]);
    edit(path, "changed.c.smalti", "proved by domains", "violated by unwind");
    fs::write(path.join("sub/broken.c.smalti"), "").expect("a file");
    fs::write(path.join("sub/gone.c.smalti"), "smalti snapshot 2: gone.c\n").expect("a file");
    let text = "case \"$*\" in *dies.c*) kill -9 $PPID; exit 1;; esac\nexec cc \"$@\"";
    let compiler = script(path, "compiler", text);
    let output = smalti(path, &[".", "--junit", "out.xml"]).env("CC", &compiler).output().expect("smalti runs");
    let (status, out, _) = told(&output);
    assert_eq!(status, 2, "{out}");
    let xml = fs::read_to_string(path.join("out.xml")).expect("a report");
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("name")), ("testsuites", Some("smalti test")));
    let number = |n: roxmltree::Node<'_, '_>, a: &str| n.attribute(a).map(|v| v.parse::<f64>().expect("a number"));
    let children = |n: roxmltree::Node<'_, '_>, tag: &str| n.children().filter(|c| c.has_tag_name(tag)).count();
    let mut seen = Vec::new();
    let mut sums = (0.0, 0.0, 0.0);
    for suite in root.children().filter(roxmltree::Node::is_element) {
        assert_eq!(suite.tag_name().name(), "testsuite");
        let cases: Vec<_> = suite.children().filter(roxmltree::Node::is_element).collect();
        let (mut failures, mut errors) = (0, 0);
        for case in &cases {
            assert_eq!(case.tag_name().name(), "testcase");
            assert!(number(*case, "time").is_some_and(|t| t >= 0.0));
            assert_eq!(case.attribute("classname"), suite.attribute("name"));
            failures += children(*case, "failure");
            errors += children(*case, "error");
            let what = case.children().find(roxmltree::Node::is_element);
            if let Some(what) = what {
                assert!(what.attribute("message").is_some_and(|m| !m.is_empty()), "{xml}");
            }
            let what = what.map_or("passed".to_owned(), |w| {
                format!("{} {}", w.tag_name().name(), w.attribute("type").unwrap_or_default())
            });
            let folder = suite.attribute("name").expect("a name");
            seen.push(format!("{folder}/{}: {what}", case.attribute("name").expect("a name")));
        }
        let counted = (number(suite, "tests"), number(suite, "failures"), number(suite, "errors"));
        let found = (cases.len() as f64, failures as f64, errors as f64);
        assert_eq!(counted, (Some(found.0), Some(found.1), Some(found.2)), "{xml}");
        sums = (sums.0 + found.0, sums.1 + found.1, sums.2 + found.2);
    }
    let counted = (number(root, "tests"), number(root, "failures"), number(root, "errors"));
    assert_eq!(counted, (Some(sums.0), Some(sums.1), Some(sums.2)));
    assert_eq!(
        seen,
        [
            "./changed.c: failure SOUNDNESS",
            "./init.c: passed",
            "sub/broken.c: error broken",
            "sub/dies.c: error failed",
            "sub/gone.c.smalti: failure stale",
            "sub/new.c: failure new",
            "sub/refused.c: error refused",
        ]
    );
    assert!(xml.contains("one of the two answers is wrong"), "{xml}");
}
