//! Analyses one program of a suite, in child processes of its own: `smalti check`, then
//! `invariants` and `states` where those are compared.
//!
//! If a child crashes, hangs or needs too much memory, only its own program has no result.

use super::discover::Case;
use super::settings::configuration;
use crate::facts::{Fact, GroupContent, StateFacts};
use crate::process::{End, Guard, Limits, how, run};
use crate::program::Assumption;
use crate::suite::snapshot::{line, verdict};
use crate::suite::{Claim, Entry, PlaceFacts, Places, Snapshot};
use crate::verdict::Verdict;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time limit for a program; the same as that of `check`.
const TIME: Duration = Duration::from_secs(50);
/// The number of steps that each verb gets, unless the configuration sets another.
const STEPS: u64 = 20_000_000;
/// How long a child may go on after its own time limit.
const GRACE: Duration = Duration::from_secs(10);
/// The address space of a child in MiB if there is no memory limit; otherwise it is added to the
/// limit. A child reserves a large stack, which it hardly ever touches.
const ADDRESSES: u64 = 32 << 10;
const RESERVED: u64 = 8 << 10;
/// The largest output of a child that is read, in bytes.
const OUTPUT: u64 = 256 << 20;

/// The result for a program.
pub(super) enum Found {
    /// The result that is compared.
    Snapshot(Box<Snapshot>),
    /// The program is refused: it is wrong, or smalti cannot analyse it.
    Refused(Refusal),
    /// There is no result, for this reason.
    Failed(String),
    /// A limit was reached before there was a result. The text names the limit.
    Late(String),
    /// smalti was asked to end.
    Interrupted,
}

/// Why a program is refused.
pub(super) struct Refusal {
    /// The reason in one line, without the place.
    pub(super) reason: String,
    /// The message of `smalti check`, with the place.
    pub(super) message: String,
}

/// The tools that all children use.
pub(super) struct Tools {
    pub(super) smalti: PathBuf,
    pub(super) cbmc: Option<PathBuf>,
    pub(super) solver: Option<PathBuf>,
    /// The folder of APRON, if a child would not find the same one as this process.
    pub(super) apron: Option<PathBuf>,
}

enum Stop {
    Failed(String),
    Late(String),
    Refused(Refusal),
    Interrupted,
}

/// Analyses the program. The time limit is multiplied by `factor`.
pub(super) fn analyse(case: &Case, tools: &Tools, guard: &Guard, factor: u32) -> Found {
    let mut snapshot =
        Snapshot { subject: case.subject(), configuration: configuration(&case.keys), ..Snapshot::default() };
    match fill(&mut snapshot, case, tools, guard, factor) {
        Ok(()) => Found::Snapshot(Box::new(snapshot)),
        Err(Stop::Refused(why)) => Found::Refused(why),
        Err(Stop::Failed(why)) => Found::Failed(why),
        Err(Stop::Late(why)) => Found::Late(why),
        Err(Stop::Interrupted) => Found::Interrupted,
    }
}

fn fill(snapshot: &mut Snapshot, case: &Case, tools: &Tools, guard: &Guard, factor: u32) -> Result<(), Stop> {
    let child = Child { case, tools, guard, factor };
    let checked: Checked = child.json("check")?;
    if !checked.complete && checked.obligations.is_empty() {
        return Err(Stop::Late(checked.notes.join("; ")));
    }
    for o in checked.obligations {
        let Some(verdict) = verdict(&o.verdict) else {
            return Err(Stop::Failed(format!("`smalti check` gave the verdict `{}`", o.verdict)));
        };
        let open = verdict == Verdict::Unknown;
        snapshot.obligations.push(Claim {
            of: format!("{}.{}", o.function, o.kind),
            condition: line(&o.condition),
            verdict,
            stage: if open { String::new() } else { o.evidence.stage },
            late: open && o.evidence.reasons.iter().any(|r| r.because == BECAUSE_OF_TIME),
        });
    }
    snapshot.files = checked.digests.into_iter().map(|(name, digest)| (line(&name), digest)).collect();
    snapshot.assumptions = checked.assumptions.into_iter().map(|a| line(&a.line())).collect();
    let mut texts = Texts { folder: &case.folder, read: HashMap::new() };
    if case.keys.invariants.unwrap_or(true) {
        snapshot.invariants = Some(match child.json::<Invariants>("invariants") {
            Ok(found) => found.places(&mut texts),
            Err(Stop::Late(_)) => Places { late: true, all: Vec::new() },
            Err(stop) => return Err(stop),
        });
    }
    if case.keys.states.unwrap_or(false) {
        snapshot.states = Some(match child.json::<States>("states") {
            Ok(found) => found.places(&mut texts),
            Err(Stop::Late(_)) => Places { late: true, all: Vec::new() },
            Err(stop) => return Err(stop),
        });
    }
    Ok(())
}

/// The part of the output of `check` that is compared.
#[derive(Deserialize)]
struct Checked {
    digests: BTreeMap<String, String>,
    obligations: Vec<Obligation>,
    assumptions: Vec<Granted>,
    complete: bool,
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct Granted {
    text: String,
    about: BTreeSet<String>,
}

impl Granted {
    /// The line in the form that other reports use, with all names.
    fn line(self) -> String {
        Assumption { about: self.about, ..Assumption::new(self.text) }.line()
    }
}

#[derive(Deserialize)]
struct Obligation {
    kind: String,
    function: String,
    condition: String,
    verdict: String,
    evidence: Evidence,
}

#[derive(Deserialize)]
struct Evidence {
    stage: String,
    #[serde(default)]
    reasons: Vec<Reason>,
}

#[derive(Deserialize)]
struct Reason {
    because: String,
}

/// The value of `because` for reasons of time.
const BECAUSE_OF_TIME: &str = "time";

/// The part of the output of `invariants` that is compared.
#[derive(Deserialize)]
struct Invariants {
    invariants: Vec<Invariant>,
    complete: bool,
}

#[derive(Deserialize)]
struct Invariant {
    file: String,
    line: usize,
    function: String,
    kind: String,
    unreachable: bool,
    formulas: Vec<Fact>,
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    array: String,
    #[serde(flatten)]
    content: GroupContent,
}

impl Invariants {
    fn places(self, texts: &mut Texts) -> Places {
        let place = |i: Invariant| {
            let title = match i.kind.as_str() {
                "loop" => format!("loop of {} at `{}`", i.function, texts.line(&i.file, i.line)),
                _ => format!("exit of {}", i.function),
            };
            let mut facts = if i.unreachable { vec![Entry::Unreachable] } else { Vec::new() };
            facts.extend(i.formulas.into_iter().map(Entry::Fact));
            facts.extend(i.groups.into_iter().map(|g| Entry::Group { array: g.array, group: g.content }));
            PlaceFacts { title, facts }
        };
        Places { late: !self.complete, all: self.invariants.into_iter().map(place).collect() }
    }
}

/// The part of the output of `states` that is compared.
#[derive(Deserialize)]
struct States {
    states: Vec<StatesOfLine>,
    complete: bool,
}

#[derive(Deserialize)]
struct StatesOfLine {
    file: String,
    line: usize,
    copies: Vec<StateFacts>,
    more_copies: usize,
}

impl States {
    /// Each line that has a state, by its text, and its states.
    fn places(self, texts: &mut Texts) -> Places {
        // The name of the file is part of the title only if there are several.
        let several = self.states.iter().any(|s| s.file != self.states[0].file);
        let place = |of: StatesOfLine| {
            let source = texts.line(&of.file, of.line);
            let title = if several { format!("{}: `{source}`", of.file) } else { format!("`{source}`") };
            let mut facts = Vec::new();
            for (n, copy) in of.copies.iter().enumerate() {
                facts.extend((n > 0).then_some(Entry::Or));
                facts.extend(Entry::of_state(copy));
            }
            if of.more_copies > 0 {
                facts.push(Entry::Fact(Fact::Other(format!("or one of {} more", of.more_copies))));
            }
            PlaceFacts { title, facts }
        };
        Places { late: !self.complete, all: self.states.into_iter().map(place).collect() }
    }
}

/// The lines of the program's files.
struct Texts<'c> {
    folder: &'c Path,
    read: HashMap<String, Vec<String>>,
}

impl Texts<'_> {
    fn line(&mut self, file: &str, number: usize) -> String {
        let folder = self.folder;
        let lines = self.read.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read(folder.join(file)).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(line).collect()
        });
        number.checked_sub(1).and_then(|n| lines.get(n)).cloned().unwrap_or_default()
    }
}

/// One request to smalti about a program.
struct Child<'a> {
    case: &'a Case,
    tools: &'a Tools,
    guard: &'a Guard,
    factor: u32,
}

impl Child<'_> {
    fn json<T: for<'d> Deserialize<'d>>(&self, verb: &str) -> Result<T, Stop> {
        let text = self.text(verb)?;
        serde_json::from_str(&text)
            .map_err(|e| Stop::Failed(format!("`smalti {verb}` printed an incomplete document: {e}")))
    }

    /// The JSON document that a verb prints.
    fn text(&self, verb: &str) -> Result<String, Stop> {
        let keys = &self.case.keys;
        let time = keys.time_limit.unwrap_or(TIME).saturating_mul(self.factor);
        let arguments = self.arguments(verb, time);
        let limits = Limits {
            deadline: Instant::now() + time + GRACE,
            memory: keys.memory_limit.map_or(ADDRESSES, |m| m.saturating_add(RESERVED)),
            output: OUTPUT,
        };
        let folder = if self.case.folder.as_os_str().is_empty() { Path::new(".") } else { &self.case.folder };
        let reader = |output: &mut dyn std::io::Read| {
            let mut bytes = Vec::new();
            let read = std::io::Read::read_to_end(output, &mut bytes);
            read.map(|_| String::from_utf8_lossy(&bytes).into_owned())
        };
        let failed = |why: String| Err(Stop::Failed(format!("`smalti {verb}`: {why}")));
        match run(Path::new("env"), &arguments, folder, &limits, self.guard, reader) {
            Err(e) => failed(format!("it cannot be started: {e}")),
            Ok(End::Interrupted) => Err(Stop::Interrupted),
            Ok(End::Late | End::Lingered(_)) => {
                failed(format!("it did not end within {} s after its time limit", GRACE.as_secs()))
            }
            Ok(End::TooMuch) => failed(format!("it printed more than {OUTPUT} bytes")),
            Ok(End::TooLarge) => failed("it used more memory than all programs together may use".to_owned()),
            Ok(End::Exited(Err(e), ..)) => failed(format!("its output cannot be read: {e}")),
            Ok(End::Exited(Ok(text), status, complaint)) => match status.code() {
                Some(0 | 1 | 3) if !text.is_empty() => Ok(text),
                Some(3) => Err(Stop::Late(format!("`smalti {verb}`: {}", first_error(&complaint)))),
                Some(2) => Err(Stop::Refused(Refusal::of(&complaint))),
                Some(101) => failed(format!("a bug of smalti: {}", reasons(&complaint).join("; "))),
                _ => failed(how(status, &complaint)),
            },
        }
    }

    fn arguments(&self, verb: &str, time: Duration) -> Vec<OsString> {
        let Case { keys, files, function, .. } = self.case;
        let mut all: Vec<OsString> = Vec::new();
        // Variables that set logging and colours are not passed to the children, because their
        // output is parsed.
        all.extend(["RUST_LOG", "RUST_BACKTRACE", "CLICOLOR_FORCE"].into_iter().flat_map(|v| ["-u".into(), v.into()]));
        if let Some(apron) = &self.tools.apron {
            let mut setting = OsString::from("APRON_DIR=");
            setting.push(apron);
            all.push(setting);
        }
        all.push(self.tools.smalti.clone().into());
        all.push(verb.into());
        all.push("--format=json".into());
        let mut add = |name: &str, value: Option<OsString>| {
            if let Some(value) = value {
                // Option and value in one word, so that a value may begin with a dash.
                let mut word = OsString::from(format!("{name}="));
                word.push(value);
                all.push(word);
            }
        };
        let comma = |words: Vec<String>| OsString::from(words.join(","));
        let number = |n: Option<u32>| n.map(|n| n.to_string().into());
        if verb == "check" {
            let words = |s: &Vec<_>| comma(s.iter().map(ToString::to_string).collect());
            add("--stages", keys.stages.as_ref().map(words));
            add("--checks", keys.checks.as_ref().map(|c| comma(c.iter().map(ToString::to_string).collect())));
            let switch = |on: bool| if on { "on" } else { "off" }.into();
            add("--assume-invariants", keys.assume_invariants.map(switch));
            add("--cbmc", self.tools.cbmc.clone().map(Into::into));
            add("--solver", self.tools.solver.clone().map(Into::into));
        }
        add("--stack", keys.stack.clone().map(comma));
        add("--widening-delay", number(keys.widening_delay));
        add("--peel", number(keys.peel));
        add("--descending", number(keys.descending));
        add("--data-model", keys.data_model.map(|m| m.to_string().into()));
        add("--target", keys.target.map(|t| t.to_string().into()));
        add("--function", function.as_ref().map(Into::into));
        add("--time-limit", Some(time.as_secs_f64().to_string().into()));
        add("--steps", Some(keys.steps.unwrap_or(STEPS).to_string().into()));
        add("--memory-limit", keys.memory_limit.map(|m| m.to_string().into()));
        for folder in keys.include.iter().flatten() {
            all.push(format!("-I{folder}").into());
        }
        for define in keys.define.iter().flatten() {
            all.push(format!("-D{define}").into());
        }
        if keys.preprocess == Some(false) {
            all.push("--no-preprocess".into());
        }
        if keys.verify == Some(true) {
            all.push("--verify".into());
        }
        all.push("--".into());
        all.extend(files.iter().map(OsString::from));
        all
    }
}

/// The first line of the error message.
fn first_error(complaint: &str) -> String {
    reasons(complaint).into_iter().next().unwrap_or_default()
}

impl Refusal {
    fn of(complaint: &str) -> Refusal {
        // Warnings may come first.
        let from = complaint.lines().take_while(|l| !l.starts_with("error")).map(|l| l.len() + 1).sum::<usize>();
        let message = complaint.get(from..).unwrap_or_default().trim_end().to_owned();
        Refusal { reason: reasons(complaint).join("; "), message }
    }
}

/// The text of a message without its place, which may move.
fn reasons(complaint: &str) -> Vec<String> {
    let title = |l: &str| l.strip_prefix("error").and_then(|l| l.split_once(": ")).map(|(_, title)| line(title));
    let note = |l: &str| l.trim_start().strip_prefix("= note: ").map(line);
    let mut all: Vec<String> = complaint.lines().filter_map(|l| title(l).or_else(|| note(l))).collect();
    if all.is_empty() {
        all.push("it gave no reason".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ArrayContent;

    #[test]
    fn states_have_the_text_of_their_line_as_title() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.c"), "int a[3];\n\nfor (;;) { // | 1\n  x();\n}\n").unwrap();
        let state = |scalars: &[&str], groups: &[&str]| StateFacts {
            scalars: scalars.iter().map(|f| Fact::from(*f)).collect(),
            arrays: vec![ArrayContent {
                name: "a[3]".into(),
                groups: groups.iter().map(|g| GroupContent::from(*g)).collect(),
            }],
            more_scalars: 2,
            ..StateFacts::default()
        };
        let head = state(&["1 <= n <= 3", "i == n"], &["{0..i-1}: value == 7, value <= n", "{i..2}: any"]);
        let unreachable = StateFacts { unreachable: true, ..StateFacts::default() };
        let line = |file: &str, line, copies: Vec<StateFacts>, more_copies| StatesOfLine {
            file: file.to_owned(),
            line,
            copies,
            more_copies,
        };
        let place = |title: &str, facts: &[&str]| PlaceFacts {
            title: title.into(),
            facts: facts.iter().map(|f| Entry::from(*f)).collect(),
        };
        let mut texts = Texts { folder: folder.path(), read: HashMap::new() };
        let mut places = |states: Vec<StatesOfLine>| States { states, complete: true }.places(&mut texts).all;
        let found = places(vec![
            line("x.c", 3, vec![head.clone()], 0),
            line("x.c", 4, vec![state(&["x == 1"], &[]), state(&["x == 2"], &[])], 3),
            line("x.c", 5, vec![unreachable], 0),
        ]);
        let expected = [
            place("`for (;;) { // | 1`", &["1 <= n <= 3", "i == n", "a[3]   {0..i-1}: value == 7, value <= n"]),
            place("`x();`", &["x == 1", "or", "x == 2", "or one of 3 more"]),
            place("`}`", &["unreachable"]),
        ];
        assert_eq!(found, expected);
        let found = places(vec![line("x.c", 4, Vec::new(), 0), line("y.c", 1, Vec::new(), 0)]);
        assert_eq!(found, [place("x.c: `x();`", &[]), place("y.c: ``", &[])]);
    }

    #[test]
    fn a_refusal_is_its_reason_without_the_place() {
        let text = "warning: x\nerror: there is no function `main`\n --> x.c:3:4\n  |\n  = note: functions are: f\n";
        let refusal = Refusal::of(text);
        assert_eq!(refusal.reason, "there is no function `main`; functions are: f");
        assert_eq!(format!("warning: x\n{}\n", refusal.message), text);
        let refusal = Refusal::of("");
        assert_eq!((refusal.reason.as_str(), refusal.message.as_str()), ("it gave no reason", ""));
    }
}
