//! Programs as C programmers write them, each right and, with `BROKEN`, wrong in one place. There
//! is a folder for each topic: what has been initialised, lifetimes, calls of the library,
//! recursion, and calls through tables of functions.
//!
//! A comment `// fails: KIND, …` marks a line where a run of the broken program may fail first.
//! smalti must prove no broken program, and the runs that it finds must fail at marked lines. How
//! many of the right programs are proved, and how many of the broken ones are refuted, is counted
//! by topic.
//!
//! Compiled runs show that the right programs do not fail and that the broken ones do. They do not
//! see reads of what has not been initialised. `scripts/soak --checks` compiles all programs; by
//! default, the tests compile some.

#[path = "../parallel/mod.rs"]
mod parallel;
#[path = "../sanitized/mod.rs"]
mod sanitized;

use serde_json::Value;
use smalti::fuzz::or_skip;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The topics: of the right programs, how many were proved when last measured on a busy machine,
/// and of the broken ones, how many were refuted.
const TOPICS: [(&str, usize, usize); 5] =
    [("initialised", 8, 12), ("lifetime", 6, 12), ("library", 6, 10), ("recursion", 8, 7), ("tables", 9, 11)];

/// As many answers may be missing on a machine that is busy.
const LATE: usize = 2;

/// The inputs of a compiled run. Most numbers are small, so that bounds on inputs are met.
const INPUTS: &str = "\
#include <stdlib.h>
static int seed(void) { return atoi(getenv(\"SEED\")); }
static unsigned long long state;
static unsigned long long next(void) {
    if (!state) state = 0x9e3779b97f4a7c15 * (seed() + 1);
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33;
}
int __VERIFIER_nondet_int(void) {
    if (seed() % 8 == 7 && next() % 4 == 0) return next() % 4 ? (int)next() : -(int)next();
    int range = seed() % 5 == 4 ? 2 : next() % 4 == 0 ? 120 : next() % 3 == 0 ? 16 : 9;
    return (int)(next() % range) - (next() % 8 ? 0 : 3);
}
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)__VERIFIER_nondet_int(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next() % (next() % 2 ? 256 : 3); }
char __VERIFIER_nondet_char(void) {
    static const char *const sets[] = {\"1,\", \"([\", \"[,\\\"5\", \"1/*0\", \"+(2)\", \"Dnex\", \"\\\"a\"};
    const char *all = sets[seed() % 7];
    unsigned length = 0;
    while (all[length]) length++;
    return all[next() % (length + 1)];
}
";

/// Arguments of compiled runs.
const ARGUMENTS: [&[&str]; 8] = [
    &[],
    &["12", "0"],
    &["12", "5"],
    &["on=1", "-v", "no"],
    &["help", "a=b"],
    &["none", "count"],
    &["///////////////////"],
    &["tesserae and other small tiles"],
];

/// Texts on the standard input of compiled runs.
const TEXTS: [&str; 6] = ["", "a b 12\n\ncc\n", "Zebra\n\0\n", "a:b:c:d:e:f:g:h\n", "640x480\n", "99999x99999\n"];

/// Values of the variable `SLOTS` in the environment of compiled runs.
const SLOTS: [&str; 4] = ["3", "40", "0", "-2"];

/// How many runs the two versions get; the broken one only until it fails.
const SEEDS: [usize; 2] = [60, 3000];

/// The options of the two versions: right and broken.
const VERSIONS: [&[&str]; 2] = [&[], &["-DBROKEN"]];

struct Twins {
    topic: &'static str,
    /// The topic and the name of the file.
    name: String,
    path: PathBuf,
    /// The lines where the broken program may fail, and the kinds of their faults.
    faults: BTreeMap<u64, Vec<String>>,
}

/// The answer to the two versions.
struct Answer {
    topic: &'static str,
    proved: bool,
    refuted: bool,
}

/// The programs, by topic, in the order of their names.
fn twins() -> Vec<Twins> {
    let of_topic = |(topic, ..): (&'static str, usize, usize)| {
        sanitized::c_files(&format!("tests/twins/{topic}")).into_iter().map(move |path| Twins::read(topic, path))
    };
    TOPICS.into_iter().flat_map(of_topic).collect()
}

/// The words of a list.
fn words(text: &str) -> Vec<String> {
    text.split(',').map(|word| word.trim().to_owned()).collect()
}

/// The elements of an array.
fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Twins {
    fn read(topic: &'static str, path: PathBuf) -> Twins {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let name = format!("{topic}/{}", path.file_stem().expect("a name").to_string_lossy());
        let marked = |line: &str| line.split_once("// fails: ").map(|(_, kinds)| words(kinds));
        let faults: BTreeMap<_, _> = (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, marked(line)?))).collect();
        assert!(!faults.is_empty(), "{name}: no line is marked");
        Twins { topic, name, path, faults }
    }

    fn marks(&self, line: u64, kind: &str) -> bool {
        self.faults.get(&line).is_some_and(|kinds| kinds.iter().any(|k| k == kind))
    }

    /// What smalti says of one version.
    fn checked(&self, options: &[&str]) -> Value {
        let all = ["--time-limit", "6"];
        let arguments = all.iter().chain(options).map(OsStr::new);
        sanitized::check(arguments.chain([self.path.as_os_str()]))
    }

    /// The line of this program where an obligation stands; for one in a function of the library,
    /// where the failing run called that function.
    fn line_of(obligation: &Value) -> Option<u64> {
        let in_library = |place: &str| place.starts_with("<library>");
        if !in_library(obligation["file"].as_str()?) {
            return obligation["line"].as_u64();
        }
        let path = array(&obligation["evidence"]["counterexample"]["path"]);
        let place = path.filter_map(|event| event["place"].as_str()).filter(|place| !in_library(place)).last()?;
        place.rsplit(':').nth(1)?.parse().ok()
    }

    /// # Errors
    /// A wrong answer.
    fn check(&self) -> Result<Answer, String> {
        let [right, broken] = VERSIONS.map(|options| self.checked(options));
        let is_violated = |o: &&Value| o["verdict"] == "violated";
        let name = &self.name;
        if let Some(o) = array(&right["obligations"]).find(is_violated) {
            return Err(format!("{name}: {} is violated, but the program is right", o["id"]));
        }
        self.check_open(&broken)?;
        let mut refuted = false;
        for o in array(&broken["obligations"]).filter(is_violated) {
            let line = Twins::line_of(o).filter(|line| self.faults.contains_key(line));
            let Some(line) = line else { return Err(format!("{name}: {} fails at a line without a mark", o["id"])) };
            refuted |= self.marks(line, o["kind"].as_str().unwrap_or_default());
        }
        Ok(Answer { topic: self.topic, proved: right["verdict"] == "true", refuted })
    }

    /// # Errors
    /// The broken program, or the fault in it, is proved.
    fn check_open(&self, broken: &Value) -> Result<(), String> {
        let is_proved = |o: &Value| matches!(o["verdict"].as_str(), Some("proved" | "unreachable"));
        let is_marked = |o: &&Value| self.marks(o["line"].as_u64().unwrap_or(0), o["kind"].as_str().unwrap_or(""));
        let in_program = |o: &&Value| o["file"].as_str().is_some_and(|file| !file.starts_with("<library>"));
        let marked: Vec<&Value> = array(&broken["obligations"]).filter(in_program).filter(is_marked).collect();
        match broken["verdict"] == "true" || !marked.is_empty() && marked.into_iter().all(is_proved) {
            true => Err(format!("UNSOUND: the fault in {} is proved", self.name)),
            false => Ok(()),
        }
    }

    /// What the first failing run of one version prints.
    fn failing_run(&self, options: &[&str], seeds: usize) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = folder.path().join("inputs.c");
        std::fs::write(&inputs, INPUTS).expect("the text can be written");
        let files = [self.path.as_os_str(), inputs.as_os_str()];
        let binary = sanitized::compile(folder.path(), options.iter().map(OsStr::new).chain(files));
        (1..=seeds).find_map(|seed| run(&binary, seed))
    }

    /// # Errors
    /// Compiled runs do not fail as they should.
    fn run(&self) -> Result<(), String> {
        let ([right, broken], [few, many]) = (VERSIONS, SEEDS);
        if let Some(errors) = self.failing_run(right, few) {
            return Err(format!("{} fails, but it is right: {errors}", self.name));
        }
        let is_seen = self.faults.values().flatten().any(|kind| kind != "initialised");
        match is_seen && self.failing_run(broken, many).is_none() {
            true => Err(format!("{} is broken, but does not fail", self.name)),
            false => Ok(()),
        }
    }
}

/// Runs a binary. Returns what it prints if it fails.
fn run(binary: &Path, seed: usize) -> Option<String> {
    let mut command = Command::new(binary);
    command.args(ARGUMENTS[seed % ARGUMENTS.len()]).env("SEED", seed.to_string());
    command.env("SLOTS", SLOTS[seed / 3 % SLOTS.len()]).env("ASAN_OPTIONS", "detect_stack_use_after_return=1");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    // A program that does not read may have ended before.
    let _ = input.write_all(TEXTS[seed % TEXTS.len()].as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_failure = ["runtime error", "Sanitizer", "Assertion"].iter().any(|word| errors.contains(word));
    is_failure.then_some(errors)
}

#[test]
fn no_broken_program_is_proved_and_runs_fail_at_the_marked_lines() {
    let twins = twins();
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for answer in parallel::results(twins.len(), |n| twins[n].check()) {
        match answer {
            Ok(answer) => answers.push(answer),
            Err(error) => wrong.push(error),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |topic: &str, is: fn(&Answer) -> bool| answers.iter().filter(|a| a.topic == topic && is(a)).count();
    let (mut missing_proofs, mut missing_runs) = (0, 0);
    for (topic, earlier_proved, earlier_refuted) in TOPICS {
        let (proved, refuted) = (count(topic, |a| a.proved), count(topic, |a| a.refuted));
        println!("{topic}: {proved} proved, {refuted} refuted");
        missing_proofs += earlier_proved.saturating_sub(proved);
        missing_runs += earlier_refuted.saturating_sub(refuted);
    }
    // Some answers need these tools.
    if or_skip(smalti::cbmc::find(None)).is_some() && or_skip(smalti::smt::find(None)).is_some() {
        assert!(missing_proofs <= LATE, "{missing_proofs} right programs fewer are proved than before");
        assert!(missing_runs <= LATE, "{missing_runs} broken programs fewer are refuted than before");
    }
}

#[test]
fn some_compiled_runs_fail_where_the_program_is_broken() {
    compiled_runs_fail_where_programs_are_broken(&twins().into_iter().skip(5).step_by(20).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes minutes"]
fn soak_compiled_runs_fail_where_the_program_is_broken() {
    compiled_runs_fail_where_programs_are_broken(&twins());
}

#[track_caller]
fn compiled_runs_fail_where_programs_are_broken(twins: &[Twins]) {
    let failures = parallel::failures(twins, |_, twins| twins.run());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn there_are_twelve_programs_for_each_topic() {
    let twins = twins();
    for (topic, ..) in TOPICS {
        assert_eq!(twins.iter().filter(|t| t.topic == topic).count(), 12, "{topic}");
    }
}
