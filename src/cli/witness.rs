//! Makes the contents of a witness from the results of a check.

use super::svcomp;
use crate::analysis::{self, AnalysisConfig};
use crate::program::{
    Assumption, DataModel, Location, ObligationKey, ObligationKind, Program, SourceMap, StmtKind, each_expr,
};
use crate::report::{LoopInvariant, Waypoint, WitnessPlace, WitnessTask, correctness_witness, violation_witness};
use crate::verdict::{Decided, Outcome, PathEvent, Report, Verdict};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::PathBuf;

/// The largest number of branches in a witness. More do not help a validator.
const MOST_BRANCHES: usize = 200;

/// The witness for the report, or why there is none. `answer` is the answer of the competition, if
/// it was requested.
pub(super) fn witness(
    program: &Program,
    report: &Report,
    files: &[PathBuf],
    config: &AnalysisConfig,
    asked: Option<(&str, &svcomp::Answer)>,
) -> Result<String, String> {
    let outcome = asked.map_or_else(|| report.outcome(), |(_, answer)| answer.outcome);
    let made = match outcome {
        Outcome::Unknown => return Err("the verdict is unknown".to_owned()),
        Outcome::True => {
            let kinds: Vec<ObligationKind> = report.obligations.iter().map(|d| d.obligation.kind).collect();
            let text = asked.map_or_else(|| specification(&kinds), |(text, _)| text.to_owned());
            let task = task(program, report, files, text)?;
            correctness_witness(&task, &invariants(program, files.len(), config)?)
        }
        Outcome::False => {
            let key = asked.and_then(|(_, answer)| answer.violated);
            let chosen = |d: &&Decided| d.verdict == Verdict::Violated && key.is_none_or(|k| k == d.obligation.key);
            let decided = report.obligations.iter().find(chosen).ok_or("no violation was found")?;
            let target = target(program, decided)?;
            let text = asked.map_or_else(|| violated(program, decided), |(text, _)| text.to_owned());
            let task = task(program, report, files, text)?;
            violation_witness(&task, &waypoints(program, decided, target))
        }
    };
    made.map_err(|e| e.to_string())
}

fn task(program: &Program, report: &Report, files: &[PathBuf], specification: String) -> Result<WitnessTask, String> {
    let mut hashed = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|e| format!("{} cannot be read again: {e}", file.display()))?;
        let mut hash = String::new();
        Sha256::digest(&bytes).iter().for_each(|byte| _ = write!(hash, "{byte:02x}"));
        hashed.push((file.display().to_string(), hash));
    }
    let pairs: Vec<String> = report.configuration.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let assumed: Vec<String> = report.assumptions.iter().map(Assumption::line).collect();
    Ok(WitnessTask {
        uuid: uuid::Uuid::new_v4().to_string(),
        creation_time: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        files: hashed,
        specification,
        data_model: match program.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        },
        configuration: pairs.join("; "),
        description: format!("assumptions: {}", assumed.join("; ")),
    })
}

/// The property that these kinds of obligations express, in the syntax of the competition.
fn specification(kinds: &[ObligationKind]) -> String {
    let line = |kind: &ObligationKind| format!("CHECK( init(main()), LTL(G {}) )", kind.entry().property);
    let kinds = if kinds.is_empty() { &[ObligationKind::Assertion] } else { kinds };
    let lines: Vec<String> = ObligationKind::ALL.iter().filter(|k| kinds.contains(k)).map(line).collect();
    lines.join("\n")
}

/// The property that a failing obligation violates.
fn violated(program: &Program, decided: &Decided) -> String {
    match decided.obligation.key {
        ObligationKey::Assertion(id) => match &program.assertion(id).failure {
            Some(failure) => format!("CHECK( init(main()), LTL(G ! call({}())) )", failure.function),
            None => specification(&[ObligationKind::Assertion]),
        },
        ObligationKey::Check(..) => specification(&[decided.obligation.kind]),
    }
}

/// The invariants at the loops of the first `files` files, if C can express them.
fn invariants(program: &Program, files: usize, config: &AnalysisConfig) -> Result<Vec<LoopInvariant>, String> {
    let found = analysis::invariants(program, config, analysis::AllowedNames::Witness).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    for i in found.places.iter().filter(|i| i.head_of.is_some() && !i.unreachable) {
        let keyword = ["for", "while", "do"].contains(&program.sources.word(i.location));
        let Some(value) = analysis::c_expression(&i.formulas, &i.atoms).filter(|_| keyword) else { continue };
        if (i.location.file.0 as usize) < files {
            let mut place = place(&program.sources, i.location);
            place.function = Some(program.function(i.function).name.clone());
            all.push(LoopInvariant { place, value });
        }
    }
    Ok(all)
}

/// The place of the violation.
fn target(program: &Program, decided: &Decided) -> Result<Location, String> {
    match decided.obligation.key {
        ObligationKey::Assertion(id) => match &program.assertion(id).failure {
            Some(failure) => Ok(failure.location),
            None => {
                Err(format!("{} is an annotation, and witnesses cannot be about annotations", decided.obligation.id))
            }
        },
        ObligationKey::Check(site, _) => {
            let mut found = None;
            program.each_stmt(|s| {
                if s.site == site {
                    // The initialiser of a variable is an expression and not a statement.
                    let declares = program.variables.iter().any(|v| v.location == s.location);
                    let mut start = None;
                    if let (StmtKind::Assign(..), true) = (&s.kind, declares) {
                        // The place of an operation is that of its operator.
                        each_expr(s, &mut |e| {
                            let behind = e.location > s.location && start.is_none_or(|l| e.location < l);
                            start = if behind { Some(e.location) } else { start };
                        });
                    }
                    found = Some(start.unwrap_or(s.location));
                }
            });
            found.ok_or_else(|| "the failing statement was not found in the source".to_owned())
        }
    }
}

fn waypoints(program: &Program, decided: &Decided, target: Location) -> Vec<Waypoint> {
    let sources = &program.sources;
    let mut found = Vec::new();
    let mut branches = 0;
    for step in decided.evidence.counterexample.iter().flat_map(|run| &run.path) {
        match &step.event {
            // Inputs of the library are no results of functions that the format knows.
            PathEvent::Input { of_library: true, .. } => {}
            PathEvent::Input { value, .. } => {
                // A call inside a macro has no place of its own.
                let Some(end) = end_of_call(sources, step.location) else { continue };
                found.push(Waypoint::Returned(place(sources, end), constant(*value)));
            }
            PathEvent::Branch { holds } if sources.word(step.location) == "if" && branches < MOST_BRANCHES => {
                branches += 1;
                found.push(Waypoint::Branching(place(sources, step.location), *holds));
            }
            _ => {}
        }
    }
    found.push(Waypoint::Target(place(sources, target)));
    found
}

/// A number as a C constant that keeps its value in every comparison with an operand of its type.
fn constant(value: i128) -> String {
    let fits = |low: i128, high: i128| low <= value && value <= high;
    if fits(i32::MIN as i128 + 1, i32::MAX.into()) {
        value.to_string()
    } else if fits(i64::MIN as i128 + 1, i64::MAX.into()) {
        format!("{value}LL")
    } else if value < 0 {
        format!("({}LL - 1)", value.saturating_add(1))
    } else {
        format!("{value}ULL")
    }
}

fn place(sources: &SourceMap, at: Location) -> WitnessPlace {
    let line = sources.line(at);
    let before = (at.column as usize).checked_sub(1).and_then(|n| line.get(..n));
    WitnessPlace {
        file_name: sources.file(at.file).name.clone(),
        line: at.line,
        column: before.map(|text| text.chars().count() + 1),
        function: None,
    }
}

/// The closing bracket of the call of an input function that starts at this place.
fn end_of_call(sources: &SourceMap, at: Location) -> Option<Location> {
    let name = sources.word(at);
    let text = &sources.file(at.file).text;
    let start = sources.offset(at)? + name.len();
    let rest = text.get(start..).filter(|_| name.contains("nondet"))?;
    let open = rest.find(|c: char| !c.is_whitespace()).filter(|n| rest[*n..].starts_with('('))?;
    // Input functions have no arguments. A call with arguments is left alone.
    let close = rest[open + 1..].find(|c: char| !c.is_whitespace()).map(|n| open + 1 + n)?;
    let close = match &rest[close..] {
        r if r.starts_with(')') => close,
        r if r.starts_with("void") => rest[close..].find(')').map(|n| close + n)?,
        _ => return None,
    };
    let before = &text[..start + close];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1;
    Some(Location { file: at.file, line: line.try_into().ok()?, column: column.try_into().ok()? })
}
