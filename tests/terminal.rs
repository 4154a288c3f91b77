//! Tests the program as a user sees it: colours, checks that follow changes, completions, the
//! manual.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

fn smalti(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments);
    for variable in ["COLUMNS", "RUST_LOG", "RUST_BACKTRACE", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    smalti(arguments).output().expect("smalti runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of a program that reads a text; `None` if the program is not installed.
fn read_by(program: &str, arguments: &[&str], text: &str) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        let line = format!("skipped: a test needs {program}, which is not on this machine\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
        return None;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("no panic").expect("everything is read");
    Some(output)
}

/// The long options that a help text names.
fn options(help: &str) -> BTreeSet<String> {
    let words = help.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    words.filter(|w| w.len() > 3 && w.starts_with("--")).map(str::to_owned).collect()
}

/// The verbs that the help lists.
fn verbs() -> Vec<String> {
    let help = stdout(&run(&["--help"]));
    let list =
        help.split("Commands:\n").nth(1).and_then(|l| l.split("\n\n").next()).expect("a list of verbs").to_owned();
    let names = list.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    names.filter_map(|l| l.split_whitespace().next()).filter(|v| *v != "help").map(str::to_owned).collect()
}

#[test]
fn colours_are_written_where_they_are_asked_for() {
    let arguments = ["check", "examples/walk.c", "--stack", "smash/box", "--stages", "domains"];
    let coloured = |extra: &[&str], variables: &[(&str, &str)]| {
        let output = smalti(&[&arguments[..], extra].concat()).envs(variables.iter().copied()).output();
        stdout(&output.expect("smalti runs")).contains('\x1b')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn completions_are_scripts_that_know_the_verbs_and_the_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        let script = stdout(&output);
        for verb in verbs() {
            assert!(script.contains(&verb), "{shell} does not know {verb}");
        }
        assert!(script.contains("widening-delay"), "{shell}");
    }
    let script = stdout(&run(&["completions", "bash"]));
    if let Some(checked) = read_by("bash", &["-n"], &script) {
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
    // The output that a user sees after pressing the tab key.
    let asked = format!(
        "{script}\nCOMP_WORDS=(smalti check --stag); COMP_CWORD=2; _smalti smalti --stag check; echo \"${{COMPREPLY[@]}}\"\n"
    );
    if let Some(answer) = read_by("bash", &["--norc", "-s"], &asked) {
        assert_eq!(stdout(&answer), "--stages\n", "{}", String::from_utf8_lossy(&answer.stderr));
    }
    assert_eq!(run(&["completions", "cmd"]).status.code(), Some(2));
}

#[test]
fn the_manual_names_every_verb_and_every_option() {
    let page = stdout(&run(&["man"]));
    let plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let written = stdout(&run(&["man", "--out-dir", &folder.path().display().to_string()]));
    let mut pages = vec![page.clone()];
    for verb in verbs() {
        let help = stdout(&run(&[&verb, "--help"]));
        let path = folder.path().join(format!("smalti-{verb}.1"));
        assert!(written.contains(&path.display().to_string()), "{written}");
        let own = fs::read_to_string(&path).expect("a page for each verb");
        let shown = own.replace("\\-", "-");
        for option in options(&help) {
            assert!(plain.contains(&option) && shown.contains(&option), "{verb}: {option} is not in the manual");
        }
        assert!(plain.contains(&format!(".SH {}\n", verb.to_uppercase())), "no section about {verb}");
        pages.push(own);
    }
    for page in pages {
        // A reader of manual pages gives no warnings.
        if let Some(read) = read_by("groff", &["-man", "-ww", "-z", "-Tascii"], &page) {
            assert!(read.status.success() && read.stderr.is_empty(), "{}", String::from_utf8_lossy(&read.stderr));
        }
    }
}

/// A check with `--watch`. Its lines come through the channel.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    /// Lines that came before the last one that was waited for. Lines of the two streams may come
    /// in either order.
    passed: RefCell<Vec<String>>,
}

/// Long enough for slow and busy machines.
const LONG: Duration = Duration::from_secs(120);

impl Watching {
    fn new(arguments: &[&str]) -> Watching {
        let mut child =
            smalti(&[&["check", "--watch", "--stack", "smash/box", "--stages", "domains"], arguments].concat())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("smalti runs");
        let (sender, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("a pipe")), Box::new(child.stderr.take().expect("a pipe"))];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        Watching { child, lines, passed: RefCell::default() }
    }

    /// Waits for a line that contains this text.
    fn sees(&self, words: &str) {
        let start = Instant::now();
        let mut before = self.passed.take();
        if let Some(at) = before.iter().position(|line| line.contains(words)) {
            before.remove(at);
            self.passed.replace(before);
            return;
        }
        let mut seen = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(LONG.saturating_sub(start.elapsed())) {
            if line.contains(words) {
                self.passed.replace(seen);
                return;
            }
            seen.push(line);
        }
        panic!("no `{words}` in\n{}", seen.join("\n"));
    }

    /// Waits until no more output comes for a while.
    fn is_quiet(&self) {
        if let Ok(line) = self.lines.recv_timeout(Duration::from_secs(1)) {
            panic!("unexpected: {line}");
        }
    }

    /// Presses Ctrl-C. Returns the signal that ends the check.
    #[cfg(unix)]
    fn interrupt(mut self) -> Option<i32> {
        use std::os::unix::process::ExitStatusExt as _;
        let id = nix::unistd::Pid::from_raw(self.child.id().try_into().expect("a process id"));
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).expect("it lives");
        let start = Instant::now();
        while start.elapsed() < LONG {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.signal();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a file is written");
}

#[cfg(unix)]
#[test]
fn a_check_that_watches_follows_the_source_and_what_it_includes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include \"limit.h\"\nvoid __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(LIMIT == 3); return 0; }\n";
    write(folder.path(), "limit.h", "#define LIMIT 3\n");
    write(folder.path(), "x.c", text);
    let path = folder.path().join("x.c").display().to_string();
    let watching = Watching::new(&[&path]);
    watching.sees("verdict: true");
    watching.sees("watching 2 files");
    // Another file in the folder does not matter.
    write(folder.path(), "notes.txt", "hello\n");
    watching.is_quiet();
    write(folder.path(), "limit.h", "#define LIMIT 40\n");
    watching.sees("verdict: unknown");
    watching.sees("watching 2 files");
    // A program that does not compile is reported, and the check continues.
    write(folder.path(), "x.c", &text.replace("limit.h", "other.h"));
    watching.sees("other.h");
    watching.sees("watching");
    write(folder.path(), "other.h", "#define LIMIT 3\n");
    watching.sees("verdict: true");
    // Many editors replace the old file by a new one.
    write(folder.path(), "new", &text.replace("limit.h", "other.h").replace("== 3", "== 4"));
    fs::rename(folder.path().join("new"), folder.path().join("x.c")).expect("renamed");
    watching.sees("verdict: unknown");
    watching.sees("watching");
    // It ends by the signal, so that a calling script ends, too.
    assert_eq!(watching.interrupt(), Some(2));
}

/// The standard error of a check, as a terminal receives it. The model checker does not answer
/// within the three seconds of the limit.
#[cfg(unix)]
fn errors_on_a_terminal(term: &str, columns: u16) -> String {
    use std::io::Read as _;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <assert.h>\nint f(void);\nint main(void) { assert(f() > f()); return 0; }\n";
    write(folder.path(), "x.c", text);
    let answer = "#!/bin/sh\n[ \"$1\" = --version ] && { echo '6.6.0 (cbmc-6.6.0)'; exit 0; }\nexec sleep 300\n";
    write(folder.path(), "cbmc", answer);
    let checker = folder.path().join("cbmc");
    fs::set_permissions(&checker, fs::Permissions::from_mode(0o755)).expect("it may be run");
    let size = nix::pty::Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = nix::pty::openpty(&size, None).expect("a terminal");
    let mut command = smalti(&["check", "--stages", "domains,unwind", "--stack", "box", "--time-limit", "3"]);
    command.arg(folder.path().join("x.c")).env("CBMC", checker).env("TERM", term);
    command.stdout(Stdio::piped()).stderr(terminal.slave);
    let child = command.spawn().expect("smalti runs");
    // The command holds the other end of the terminal.
    drop(command);
    let mut master = fs::File::from(terminal.master);
    let reader = std::thread::spawn(move || {
        let (mut seen, mut part) = (Vec::new(), [0; 4096]);
        // When the other end is closed, reading fails.
        while let Ok(n) = smalti::fuzz::uninterrupted(|| master.read(&mut part))
            && n > 0
        {
            seen.extend_from_slice(&part[..n]);
        }
        seen
    });
    let output = child.wait_with_output().expect("an end");
    assert!(stdout(&output).contains("verdict: unknown"), "{}", stdout(&output));
    String::from_utf8(reader.join().expect("no panic")).expect("text")
}

#[cfg(unix)]
#[test]
fn the_progress_of_a_long_run_is_one_line_that_disappears() {
    const ERASED: &str = "\r\x1b[2K";
    let seen = errors_on_a_terminal("xterm", 60);
    let drawn: Vec<&str> = seen.split(ERASED).collect();
    assert!(drawn.iter().any(|l| l.contains("unwind: unwinding ") && l.contains(" s left")), "{seen:?}");
    for line in &drawn {
        assert!(!line.contains(['\n', '\r', '\x1b']) && line.chars().count() <= 60, "{line:?} in {seen:?}");
    }
    // The line is empty at the end.
    assert!(seen.ends_with(ERASED), "{seen:?}");
    // A terminal that cannot erase lines gets nothing.
    assert_eq!(errors_on_a_terminal("dumb", 60), "");
}
