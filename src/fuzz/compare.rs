//! Compares the interpreter with gcc: programs are printed, compiled with gcc's sanitizers, and run
//! on the same inputs.

use crate::interpreter::{CellOrigin, Environment, Limit, Limits, Outcome, run};
use crate::program::print::{Harness, gcc_harness_of_many};
use crate::program::{
    AssertionId, CheckCondition, DataModel, InputId, Location, ObligationKey, ObligationKind, Program, Type, has_check,
};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// One run of one program.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the program.
    pub program: usize,
    /// Its inputs. A run that needs more ends.
    pub inputs: Vec<i128>,
}

/// How gcc's program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GccEnd {
    /// `main` returned, or `Stop`.
    Finished,
    /// An assertion failed.
    AssertionFailed(AssertionId),
    /// An assumption did not hold.
    AssumptionFailed,
    /// The list of inputs is too short, or unknown code decides: there is nothing to compare.
    Open,
    /// A sanitizer reports this.
    Undefined(String),
    /// It was killed, or ended in another way.
    Other(i32),
}

/// Whether the two agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// They agree.
    Same,
    /// One of them cannot decide, for this reason.
    Open(&'static str),
    /// The interpreter found undefined behaviour of a kind that gcc does not detect (an access that
    /// stays inside some other object).
    Unseen,
    /// They disagree.
    Different,
}

/// The two ends of one run.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The run.
    pub case: Case,
    /// How it ended in the interpreter.
    pub interpreter: Outcome,
    /// How it ended in gcc.
    pub gcc: GccEnd,
    /// The result of the comparison.
    pub agreement: Agreement,
}

/// Inputs from a list. At its end the run ends, as at an assumption that does not hold.
struct Listed<'a> {
    left: std::slice::Iter<'a, i128>,
    exhausted: bool,
    unknown: bool,
}

impl Environment for Listed<'_> {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        self.left.next().copied().unwrap_or_else(|| {
            self.exhausted = true;
            0
        })
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        self.unknown = true;
        0
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        self.unknown = true;
        0
    }
}

/// Runs each case in the interpreter and in gcc, with one call of the compiler, so all programs are
/// for the same machine. `folder` receives the text and the binary.
///
/// # Errors
/// gcc cannot be run, or rejects the text: its messages.
pub fn compare(programs: &[&Program], cases: &[Case], folder: &Path) -> Result<Vec<Comparison>, String> {
    // Both sides get numbers that fit into 64 bits.
    let inputs: Vec<Vec<i128>> =
        cases.iter().map(|c| c.inputs.iter().map(|&n| i128::from(n as i64)).collect()).collect();
    let mut ends = run_gcc(programs, cases, &inputs, folder, false)?;
    let mut found = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let mut environment = Listed { left: inputs[number].iter(), exhausted: false, unknown: false };
        let limits = Limits { steps: 2_000_000, ..Limits::default() };
        let outcome = run(programs[case.program], &mut environment, &mut (), &limits).outcome;
        found.push((outcome, environment.exhausted, environment.unknown));
    }
    // An operation that gcc evaluates at compile time is not checked. A text in which gcc cannot do
    // that shows the failure.
    let again: Vec<usize> = (0..cases.len())
        .filter(|&n| matches!(found[n].0, Outcome::Undefined { .. }) && !matches!(ends[n], GccEnd::Undefined(_)))
        .collect();
    if !again.is_empty() {
        let some_cases: Vec<Case> = again.iter().map(|&n| cases[n].clone()).collect();
        let some_inputs: Vec<Vec<i128>> = again.iter().map(|&n| inputs[n].clone()).collect();
        let new = run_gcc(programs, &some_cases, &some_inputs, folder, true)?;
        again.into_iter().zip(new).for_each(|(n, end)| ends[n] = end);
    }
    Ok(cases
        .iter()
        .zip(ends)
        .zip(found)
        .map(|((case, gcc), (interpreter, exhausted, unknown))| {
            let agreement = match (exhausted, unknown) {
                (true, _) => Agreement::Open("the inputs do not suffice"),
                (_, true) => Agreement::Open("a value is read that was not written"),
                _ => judge(programs[case.program], &interpreter, &gcc),
            };
            Comparison { case: case.clone(), interpreter, gcc, agreement }
        })
        .collect())
}

fn judge(program: &Program, interpreter: &Outcome, gcc: &GccEnd) -> Agreement {
    let same = |yes| if yes { Agreement::Same } else { Agreement::Different };
    match (interpreter, gcc) {
        (Outcome::Unsupported { reason, .. }, _) => Agreement::Open(reason),
        (Outcome::LimitReached(Limit::Steps | Limit::Memory | Limit::Depth | Limit::Time | Limit::Outside), _) => {
            Agreement::Open("a limit")
        }
        (_, GccEnd::Open) => Agreement::Open("gcc's program wants to know more"),
        (Outcome::Finished | Outcome::Stopped, end) => same(*end == GccEnd::Finished),
        (Outcome::AssertionFailed(id), end) => same(*end == GccEnd::AssertionFailed(*id)),
        (Outcome::Excluded { .. }, _) => Agreement::Open("an assumption does not hold"),
        (Outcome::AssumptionFailed, end) => same(*end == GccEnd::AssumptionFailed),
        (Outcome::Undefined { .. }, GccEnd::Undefined(_)) => Agreement::Same,
        (Outcome::Undefined { key, kind, .. }, _) => {
            if *kind == ObligationKind::Bounds && by_pointer(program, *key) {
                Agreement::Unseen
            } else {
                Agreement::Different
            }
        }
    }
}

/// Whether the check is about a pointer: gcc only detects accesses outside of all objects.
fn by_pointer(program: &Program, key: ObligationKey) -> bool {
    let ObligationKey::Check(site, number) = key else { return false };
    has_check(program, site, number, |condition| {
        matches!(condition, CheckCondition::Dereference { .. } | CheckCondition::PointerArithmetic { .. })
    })
}

/// The options for gcc: no operation is removed, and the first undefined one ends the run.
const FLAGS: [&str; 6] =
    ["-std=gnu11", "-O0", "-w", "-fno-builtin", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];

/// Compiles a text with gcc for such a machine.
fn gcc(model: DataModel, binary: &Path, source: &Path) -> Command {
    let mut command = Command::new("gcc");
    command.args(FLAGS).args((model == DataModel::Ilp32).then_some("-m32"));
    command.arg("-o").args([binary, source]);
    command
}

/// Whether gcc compiles programs for such a machine that run here.
pub fn compiles(model: DataModel) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let (source, binary) = (folder.path().join("empty.c"), folder.path().join("empty"));
    let succeeds = |command: &mut Command| command.output().is_ok_and(|o| o.status.success());
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n").is_ok()
        && succeeds(&mut gcc(model, &binary, &source))
        && succeeds(&mut Command::new(&binary))
}

fn run_gcc(
    programs: &[&Program],
    cases: &[Case],
    inputs: &[Vec<i128>],
    folder: &Path,
    through_memory: bool,
) -> Result<Vec<GccEnd>, String> {
    let (source, binary) = (folder.join("programs.c"), folder.join("programs"));
    std::fs::write(&source, gcc_harness_of_many(programs, 10, through_memory)).map_err(|e| e.to_string())?;
    let model = programs.first().map_or_else(DataModel::default, |p| p.data_model);
    let compiled = gcc(model, &binary, &source).output().map_err(|e| format!("gcc cannot be run: {e}"))?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut child = Command::new(&binary)
        .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let lines: String = cases
        .iter()
        .zip(inputs)
        .map(|(c, inputs)| {
            let inputs: String = inputs.iter().map(|n| format!(" {n}")).collect();
            format!("{}{inputs}\n", c.program)
        })
        .collect();
    // The child reads while it writes, so a thread sends the list.
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(lines.as_bytes());
        }
    });
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let _ = writer.join();
    let said = String::from_utf8_lossy(&output.stdout);
    let ends = read_ends(&said);
    if ends.len() != cases.len() {
        return Err(format!("{} runs, {} answers:\n{said}", cases.len(), ends.len()));
    }
    Ok(ends)
}

fn read_ends(said: &str) -> Vec<GccEnd> {
    let mut ends = Vec::new();
    for line in said.lines() {
        if let Some(message) = line.strip_prefix("| ") {
            if let Some(GccEnd::Undefined(text)) = ends.last_mut()
                && (message.contains("runtime error") || message.contains("ERROR: AddressSanitizer"))
                && text.is_empty()
            {
                message.clone_into(text);
            }
            continue;
        }
        let mut numbers = line.split(' ').map(|n| n.parse::<i32>());
        let (Some(Ok(code)), Some(Ok(assertion))) = (numbers.next(), numbers.next()) else { continue };
        ends.push(match code {
            Harness::FINISHED => GccEnd::Finished,
            Harness::FAILED => GccEnd::AssertionFailed(AssertionId(u32::try_from(assertion).unwrap_or(u32::MAX))),
            Harness::ASSUMPTION => GccEnd::AssumptionFailed,
            Harness::NO_INPUT | Harness::ARBITRARY => GccEnd::Open,
            1 => GccEnd::Undefined(String::new()),
            other => GccEnd::Other(other),
        });
    }
    ends
}
