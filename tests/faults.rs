//! Tools that misbehave, and runs that are interrupted: the stage gives no answer, the report is
//! sound, and no process or file is left.

mod parallel;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use smalti::fuzz::or_skip;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A minimum, which every stage asks CBMC about.
const MINIMUM: &str = "extern void __VERIFIER_assert(int);
int main(void) {
    int a[1000], m;
    m = a[0];
    for (int i = 0; i < 1000; i++) if (a[i] < m) m = a[i];
    for (int i = 0; i < 1000; i++) __VERIFIER_assert(m <= a[i]);
    return 0;
}
";

/// A search that the solver is asked about at once.
const SEARCH: &str = "extern void __VERIFIER_assert(int);
int main(void) {
    int a[5] = {0}, i = 0;
    a[2] = 4;
    while (i < 4 && a[i] == 0) i++;
    __VERIFIER_assert(i == 2);
    return 0;
}
";

/// The stages that ask CBMC.
const STAGES: [&str; 6] = ["bounded", "slice", "prune", "shrink", "refine", "unwind"];

/// A folder with a program, with tools that misbehave, and with the temporary folder of the runs.
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        let place = Fixture { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.at("tmp")).unwrap();
        std::fs::write(place.at("program.i"), MINIMUM).unwrap();
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, which needs no preprocessor until it is renamed.
    fn program(&self) -> PathBuf {
        [self.at("program.c"), self.at("program.i")].into_iter().find(|p| p.exists()).unwrap()
    }

    fn needs_a_preprocessor(&self) {
        std::fs::rename(self.at("program.i"), self.at("program.c")).unwrap();
    }

    /// A tool that writes the numbers of its processes into the file `pids` when its script calls
    /// `note`.
    fn tool(&self, name: &str, script: &str) -> PathBuf {
        let pids = self.at("pids");
        let text = format!("#!/bin/sh\nnote() {{ echo $1 >> '{}'; }}\n{script}\n", pids.display());
        std::fs::write(self.at(name), text).unwrap();
        std::fs::set_permissions(self.at(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        self.at(name)
    }

    fn command(&self, stage: &str, seconds: u32) -> Command {
        // The minimum is that of an array which nothing has written: it may hold any values.
        let checks = "assertion,bounds,overflow,division";
        self.verb("check", &["--checks", checks, "--stages", stage, "--time-limit", &seconds.to_string()])
    }

    fn verb(&self, verb: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        command.arg(verb).args(arguments).arg(self.program());
        command.env("TMPDIR", self.at("tmp")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn pids(&self) -> Vec<i32> {
        let text = std::fs::read_to_string(self.at("pids")).unwrap_or_default();
        text.lines().filter_map(|line| line.trim().parse().ok()).collect()
    }

    /// Waits until the tools have started that many processes.
    fn wait_for_processes(&self, number: usize, who: &str) {
        let patience = Instant::now() + Duration::from_secs(90);
        while self.pids().len() < number && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.pids().len() >= number, "{who}: it was not asked");
    }

    /// Waits a short time until no process is left and the temporary folder is empty. Otherwise
    /// returns what is left.
    fn is_clean(&self) -> Result<(), String> {
        let mut left = String::new();
        for _ in 0..150 {
            let running: Vec<i32> = self.pids().into_iter().filter(|pid| is_running(*pid)).collect();
            let files: Vec<_> = std::fs::read_dir(self.at("tmp")).unwrap().map(|e| e.unwrap().path()).collect();
            if running.is_empty() && files.is_empty() {
                return Ok(());
            }
            left = format!("processes {running:?}, files {files:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(left)
    }
}

fn is_running(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

const VERSION: &str = "if [ \"$1\" = --version ]; then echo '6.4.0'; exit 0; fi";
const Z3: &str = "if [ \"$1\" = --version ]; then echo 'Z3 version 4.13.3 - 64 bit'; exit 0; fi";

/// Ignores INT, TERM and HUP and does not end, and neither does its child. It leaves a temporary
/// file, as CBMC does.
const HANGS: &str = "echo x >\"${TMPDIR:-/tmp}/of-a-tool.$$\"\ntrap '' INT TERM HUP\n(trap '' INT TERM HUP; while :; do sleep 1; done) &\nnote $!\nnote $$\nwhile :; do sleep 1; done";

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[test]
fn a_model_checker_that_misbehaves_costs_the_stage_its_answer() {
    let doubles = [
        ("crashes", "kill -s SEGV $$"),
        ("fails", "echo 'no' >&2; exit 6"),
        ("prints nothing", "exit 0"),
        ("prints half a document", "printf '[ {\"program\": \"CBMC 6.4.0\"}, {\"result\": ['"),
        ("prints nonsense", "echo 'VERIFICATION SUCCESSFUL'"),
        ("prints without end", "while :; do printf '%1000000s' x; done"),
        (
            "says success and names no property",
            "echo '[ {\"program\": \"CBMC 6.4.0\"}, {\"cProverStatus\": \"success\"} ]'",
        ),
        ("leaves a child", "(trap '' INT TERM HUP; sleep 300) &\nnote $!\nexit 0"),
    ];
    let cases: Vec<_> = doubles.iter().flat_map(|(what, script)| STAGES.map(|stage| (what, script, stage))).collect();
    let wrong = parallel::failures(&cases, |_, (what, script, stage)| {
        let place = Fixture::new();
        let cbmc = place.tool("cbmc", &format!("{VERSION}\nnote $$\n{script}"));
        let solver = place.tool("z3", Z3);
        let output = place.command(stage, 20).env("CBMC", &cbmc).env("SMALTI_SOLVER", solver).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(status(&output), 3, "{what}, {stage}: {said}");
        assert!(!place.pids().is_empty(), "{what}, {stage}: CBMC was not asked: {said}");
        place.is_clean().map_err(|left| format!("{what}, {stage}: {left}"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_tool_that_is_old_or_hangs_when_asked_its_version_is_not_used() {
    let start = Instant::now();
    for (what, script) in [("old", "echo '5.3 (cbmc-5.3)'; exit 0"), ("hangs", HANGS), ("is another", "echo hello")] {
        for variable in ["CBMC", "SMALTI_SOLVER"] {
            let place = Fixture::new();
            let tool = place.tool("tool", script);
            let output = place.command("refine", 2).env(variable, &tool).output().unwrap();
            assert_eq!(status(&output), 3, "{what}, {variable}: {}", String::from_utf8_lossy(&output.stdout));
            place.is_clean().unwrap_or_else(|left| panic!("{what}, {variable}: {left}"));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[test]
fn a_tool_that_hangs_when_asked_its_version_costs_its_stage_and_not_the_time() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    for variable in ["CBMC", "SMALTI_SOLVER"] {
        let place = Fixture::new();
        let tool = place.tool("tool", HANGS);
        let start = Instant::now();
        let output = place.command("refine", 30).env(variable, &tool).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(status(&output), 3, "{variable}: {said}");
        assert!(said.contains("main.assertion.1"), "{variable}: {said}");
        assert!(said.contains("it does not print its version in time"), "{variable}: {said}");
        assert!(start.elapsed() < Duration::from_secs(15), "{variable}: {:?}", start.elapsed());
        place.is_clean().unwrap_or_else(|left| panic!("{variable}: {left}"));
    }
}

#[test]
fn a_solver_that_rejects_its_script_is_told_as_a_bug_of_smalti() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let place = Fixture::new();
    std::fs::write(place.at("program.i"), SEARCH).unwrap();
    // The solver goes on as if the rest were the script.
    let solver = place
        .tool("z3", &format!("{Z3}\necho '(error \"line 4 column 2: unknown constant c\")'\necho sat\ncat >/dev/null"));
    let output = place.command("refine", 20).env("SMALTI_SOLVER", solver).output().unwrap();
    let [said, logged] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(status(&output), 3, "{said}");
    let words = "rejects the script: `line 4 column 2: unknown constant c`; this is a bug of smalti";
    assert!(said.contains(&format!("the SMT solver {words}")), "{said}");
    assert!(logged.contains("ERROR") && logged.contains(&format!("Z3 4.13 {words}")), "{logged}");
}

/// Starts a run whose CBMC, solver or compiler hangs, and waits until it does.
fn hanging(place: &Fixture, variable: &str, stage: &str, seconds: u32) -> Child {
    let version = match variable {
        "CBMC" => VERSION,
        "SMALTI_SOLVER" => Z3,
        _ => "",
    };
    let tool = place.tool("tool", &format!("{version}\n{HANGS}"));
    if variable == "CC" {
        place.needs_a_preprocessor();
    }
    let mut command = place.command(stage, seconds);
    if variable == "CBMC" {
        command.env("SMALTI_SOLVER", place.tool("z3", Z3));
    }
    let child = command.env(variable, tool).spawn().unwrap();
    place.wait_for_processes(2, &format!("{variable}, {stage}"));
    child
}

#[test]
fn nothing_is_left_of_a_run_that_is_killed_or_interrupted() {
    let runs = STAGES.iter().map(|stage| ("CBMC", *stage)).chain([("CC", "domains")]);
    for (variable, stage) in runs {
        for signal in [Signal::SIGKILL, Signal::SIGINT, Signal::SIGTERM] {
            let place = Fixture::new();
            let mut child = hanging(&place, variable, stage, 100);
            kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
            child.wait().unwrap();
            place.is_clean().unwrap_or_else(|left| panic!("{signal}, {variable}, {stage}: {left}"));
        }
    }
}

#[test]
fn nothing_is_left_of_a_solver_when_the_run_is_killed() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let place = Fixture::new();
    let mut child = hanging(&place, "SMALTI_SOLVER", "refine", 100);
    child.kill().unwrap();
    child.wait().unwrap();
    place.is_clean().unwrap();
}

/// One assertion that the domains prove, and one that is left to CBMC.
const HALF: &str = "extern void __VERIFIER_assert(int); extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x % 7;
    __VERIFIER_assert(y < 7);
    __VERIFIER_assert(y * y * x != 5 || x > 4);
    return 0;
}
";

#[test]
fn what_was_decided_is_printed_when_a_signal_comes() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        for format in ["text", "json", "sarif"] {
            let place = Fixture::new();
            std::fs::write(place.at("program.i"), HALF).unwrap();
            let tool = place.tool("tool", &format!("{VERSION}\n{HANGS}"));
            let arguments = ["--checks", "assertion", "--stages", "domains,unwind", "--time-limit", "100"];
            let mut command = place.verb("check", &arguments);
            let child = command.args(["--format", format]).env("CBMC", tool).spawn().unwrap();
            place.wait_for_processes(2, "CBMC");
            kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(status(&output), code, "{format}: {said}");
            match format {
                "text" => assert!(said.contains("1 proved, 1 unknown") && said.contains("was interrupted"), "{said}"),
                "json" => {
                    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                    let verdicts = [0, 1].map(|n| document["obligations"][n]["verdict"].clone());
                    assert_eq!((verdicts, &document["complete"]), (["proved".into(), "unknown".into()], &false.into()));
                }
                _ => {
                    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                    let invocation = &document["runs"][0]["invocations"][0];
                    assert_eq!(invocation["exitCode"], code, "{said}");
                }
            }
            place.is_clean().unwrap_or_else(|left| panic!("{signal}, {format}: {left}"));
        }
    }
}

/// A signal is sent within this many milliseconds of the start.
const LONGEST: u64 = 400;

/// Errors in the output of a run that a signal ended, if there are any.
fn wrong_with(output: &Output, format: &str, code: i32) -> Option<String> {
    let said = String::from_utf8_lossy(&output.stdout);
    let Some(status) = output.status.code() else {
        // The signal came before the handler was installed.
        return (!output.stdout.is_empty()).then(|| format!("{}, after {said:?}", output.status));
    };
    let document = || serde_json::from_str::<serde_json::Value>(&said).unwrap_or_default();
    let right = match format {
        "text" => {
            said.lines().last().is_some_and(|l| l.starts_with("verdict: unknown")) && said.contains("interrupted")
        }
        "json" => document()["complete"] == false,
        _ => document()["runs"][0]["invocations"][0]["exitCode"] == code,
    };
    (status != code || !right).then(|| format!("exit status {status}: {said}"))
}

/// A run whose CBMC hangs and that gets the signal after a while. Returns an error, if there is
/// one.
fn interrupted(n: u64, signal: Signal, code: i32, delay: Duration) -> Option<String> {
    let format = ["text", "json", "sarif"][(n % 3) as usize];
    let place = Fixture::new();
    std::fs::write(place.at("program.i"), HALF).unwrap();
    let tool = place.tool("tool", &format!("{VERSION}\n{HANGS}"));
    let mut command = place.command("domains,unwind", 100);
    let child = command.args(["--format", format]).env("CBMC", tool).spawn().unwrap();
    std::thread::sleep(delay);
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    let wrong = wrong_with(&output, format, code).or_else(|| place.is_clean().err());
    wrong.map(|wrong| format!("{signal} after {delay:?}, {format}: {wrong}"))
}

#[test]
fn a_signal_at_any_moment_leaves_an_answer_and_nothing_else() {
    signals_leave_an_answer_and_nothing_else(30);
}

#[test]
#[ignore = "soak: a signal at more moments"]
fn soak_a_signal_at_any_moment_leaves_an_answer_and_nothing_else() {
    signals_leave_an_answer_and_nothing_else(300);
}

/// Makes that many runs for each signal.
fn signals_leave_an_answer_and_nothing_else(runs: u64) {
    let signals = [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)];
    let runs: Vec<u64> = (0..runs * signals.len() as u64).collect();
    let wrong = parallel::failures(&runs, |_, &n| {
        let (signal, code) = signals[(n % signals.len() as u64) as usize];
        // The moments look random, but are the same each time.
        let random = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let delay = Duration::from_micros(random % (1000 * LONGEST));
        interrupted(n / 2, signal, code, delay).map_or(Ok(()), Err)
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
}

#[test]
fn the_report_of_what_was_decided_is_written_when_a_signal_comes() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        for (format, to_file) in [("json", false), ("json", true), ("html", false), ("html", true)] {
            let place = Fixture::new();
            std::fs::write(place.at("program.i"), HALF).unwrap();
            let tool = place.tool("tool", &format!("{VERSION}\n{HANGS}"));
            let file = place.at("out");
            let mut command = place.verb("report", &["--stages", "domains,unwind", "--format", format]);
            command.args(["--checks", "assertion", "--time-limit", "100"]).env("CBMC", tool);
            if to_file {
                command.arg("-o").arg(&file);
            }
            let child = command.spawn().unwrap();
            place.wait_for_processes(2, "CBMC");
            kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
            let output = child.wait_with_output().unwrap();
            let said = match to_file {
                true => std::fs::read_to_string(&file).unwrap(),
                false => String::from_utf8_lossy(&output.stdout).into_owned(),
            };
            assert_eq!(status(&output), code, "{format}: {said}");
            assert!(said.contains("the run was interrupted in the middle of the work"), "{said}");
            if format == "json" {
                let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                let verdicts = [0, 1].map(|n| document["obligations"][n]["verdict"].clone());
                assert_eq!((verdicts, &document["complete"]), (["proved".into(), "unknown".into()], &false.into()));
            }
            place.is_clean().unwrap_or_else(|left| panic!("{signal}, {format}: {left}"));
        }
    }
}

/// A program that takes a long time.
fn slow() -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n".to_owned();
    for n in 0..160 {
        text += &format!("    int a{n}[99], n{n} = __VERIFIER_nondet_int();\n");
        text += &format!("    for (int i = 0; i < 99 && i < n{n}; i++) a{n}[i] = i % 7 == 3 ? {n} : i;\n");
    }
    text + "    return 0;\n}\n"
}

const SHOWN: [(&str, &[&str]); 6] = [
    ("states", &[]),
    ("invariants", &[]),
    ("invariants", &["--format", "json"]),
    ("invariants", &["--format", "acsl"]),
    ("report", &["--format", "json"]),
    ("report", &["--format", "html"]),
];

#[test]
fn states_and_invariants_so_far_are_printed_when_a_signal_comes_at_any_moment() {
    for n in 0..24 {
        let (verb, arguments) = SHOWN[n % SHOWN.len()];
        let (signal, code) = [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)][n / 2 % 2];
        let place = Fixture::new();
        std::fs::write(place.at("program.i"), slow()).unwrap();
        let child = place.verb(verb, arguments).args(["--time-limit", "100"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(29 * n as u64));
        let _ = kill(Pid::from_raw(child.id().try_into().unwrap()), signal);
        let output = child.wait_with_output().unwrap();
        let (said, complained) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr).into_owned());
        match output.status.code() {
            // The signal came before the handler was installed.
            None => assert!(said.is_empty(), "{n}: {output:?}"),
            Some(0) => assert!(!said.contains("was interrupted"), "{n}: {said}"),
            Some(status) => {
                assert_eq!(status, code, "{n}: {output:?}");
                assert!((said + &*complained).contains("the run was interrupted"), "{n}: {output:?}");
            }
        }
        place.is_clean().unwrap_or_else(|left| panic!("{n}: {left}"));
    }
}

#[test]
fn states_and_invariants_so_far_are_printed_at_the_time_limit() {
    for (verb, arguments) in SHOWN {
        for limit in ["0.001", "0.1"] {
            let place = Fixture::new();
            std::fs::write(place.at("program.i"), slow()).unwrap();
            let output = place.verb(verb, arguments).args(["--time-limit", limit]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(status(&output), 3, "{verb} {arguments:?}: {output:?}");
            match (verb, arguments) {
                ("states", _) | ("invariants", []) => assert!(said.contains("partial: "), "{said}"),
                ("invariants", [_, "acsl"]) => assert!(!output.stderr.is_empty()),
                (_, [_, "json"]) if !said.is_empty() => {
                    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                    assert_eq!(document["complete"], false, "{document}");
                }
                _ => assert!(!said.is_empty() || !output.stderr.is_empty(), "{output:?}"),
            }
        }
    }
}

#[test]
fn an_explanation_that_a_signal_cuts_off_tells_what_is_known() {
    let place = Fixture::new();
    let cbmc = place.tool("tool", &format!("{VERSION}\n{HANGS}"));
    let arguments = ["main.assertion.1", "--stages", "bounded", "--time-limit", "100"];
    let child = place.verb("explain", &arguments).env("CBMC", cbmc).spawn().unwrap();
    place.wait_for_processes(2, "explain");
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(status(&output), 143, "{output:?}");
    assert!(said.contains("main.assertion.1 is open") && said.contains("the run was interrupted"), "{said}");
    place.is_clean().unwrap_or_else(|left| panic!("{left}"));
}

#[test]
fn a_hanging_tool_does_not_hold_up_the_answer() {
    for stage in STAGES {
        let place = Fixture::new();
        let start = Instant::now();
        let child = hanging(&place, "CBMC", stage, 2);
        let output = child.wait_with_output().unwrap();
        assert_eq!(status(&output), 3, "{stage}");
        // The limit, and twice the tolerance, because the machine is busy with other work as well.
        assert!(start.elapsed() < Duration::from_secs(6), "{stage}: {:?}", start.elapsed());
        place.is_clean().unwrap_or_else(|left| panic!("{stage}: {left}"));
    }
}

#[test]
fn a_temporary_folder_that_cannot_be_written_is_said() {
    let place = Fixture::new();
    let cbmc = place.tool("cbmc", VERSION);
    let nowhere = place.at("nowhere");
    let output = place.command("bounded", 10).env("CBMC", cbmc).env("TMPDIR", &nowhere).output().unwrap();
    assert_eq!(status(&output), 3);
    place.needs_a_preprocessor();
    let output = place.command("domains", 10).env("TMPDIR", &nowhere).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(status(&output) == 2 && said.contains("no temporary folder"), "{said}");
}

#[test]
fn a_missing_preprocessor_is_said() {
    let place = Fixture::new();
    place.needs_a_preprocessor();
    let output = place.command("domains", 10).env_remove("CC").env("PATH", place.at("tmp")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(status(&output) == 2 && said.contains("no C preprocessor was found"), "{said}");
}

#[test]
fn a_full_disk_costs_the_report_and_says_so() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let place = Fixture::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = place.command("domains", 10).stdout(full).output().unwrap();
    assert_eq!(status(&output), 2, "{}", String::from_utf8_lossy(&output.stderr));
}

/// As on a full disk: every write fails, and every new file stays empty.
fn without_space(command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

#[test]
fn a_full_disk_costs_a_stage_its_answer_and_no_file_is_left() {
    let place = Fixture::new();
    let tool = place.tool("cbmc", VERSION);
    for stage in STAGES {
        let mut command = without_space(place.command(stage, 20).env("CBMC", &tool));
        let output = command.output().unwrap();
        assert_eq!(status(&output), 3, "{stage}: {}", String::from_utf8_lossy(&output.stderr));
        place.is_clean().unwrap_or_else(|left| panic!("{stage}: {left}"));
    }
    let output = without_space(&place.command("domains", 20)).output().unwrap();
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    place.needs_a_preprocessor();
    let output = without_space(&place.command("domains", 20)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(status(&output) == 2 && said.contains("no temporary f"), "{said}");
    place.is_clean().unwrap();
}
