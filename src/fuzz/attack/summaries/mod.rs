//! Compares what a summary says of a program with its runs.
//!
//! The terms of a summary can be evaluated once its unknowns have values. In a run they have: the
//! inputs that it took, the contents of the objects that it declared. So after each loop and at the
//! end, every cell must hold the value of its term; and at each assertion, what the summary says is
//! known there must hold, and its condition must have the value that it has in the run. These runs
//! are those of the program with calls inlined and pointers resolved, which is compared with the
//! original one first ([`resolved`]).

mod annotated;
mod cells;
mod model;
mod resolved;
mod watch;

use super::Looked;
use super::runs::Run;
use crate::interpreter::{self, Limits, Outcome, Seen};
use crate::program::{ObligationKey, Program, StmtId};
use crate::reduce::normal::Inlined;
use crate::summary::{Region, Summary};
use model::InRun;
use smalti_terms::{EvalError, Int, Term};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use watch::{Log, Plan, Record, Recorded, Watch, What, mark};

const LIMITS: Limits = Limits { steps: 20_000, cells: 1 << 16, depth: 50, ..Limits::NONE };

/// The number of runs that compare the program that the summary is about with the original one.
const RESOLVED: u64 = 8;

/// The limit on the steps of the evaluation of one term.
const EVALUATION: u64 = 200_000;

/// Compares the summary of a program with runs.
///
/// # Errors
/// The description of a bug: a value that a run contradicts.
pub(super) fn check<'s>(program: &Program, seed: u64, runs: impl Iterator<Item = Run<'s>>) -> Result<Looked, String> {
    let mut looked = Looked::default();
    let inlined = Inlined::new(program);
    let Ok((resolved, body)) = inlined.parts() else { return Ok(looked) };
    // The program and its summary must share the statements, which are named by their identity.
    let mut whole = resolved.clone();
    let mut body = body.clone();
    mark(&mut body);
    let entry = whole.entry.0 as usize;
    whole.functions[entry].body = Some(body);
    for n in 0..RESOLVED {
        resolved::agrees(program, &whole, seed.wrapping_add(n), &LIMITS)?;
    }
    annotated::hold(program, &inlined, seed, &LIMITS)?;
    let body = whole.functions[entry].body.as_ref().ok_or("the body is lost")?;
    let Ok(summary) = Summary::new(&whole, body, || false) else { return Ok(looked) };
    let plan = Plan::new(body, &summary);
    for (n, run) in runs.enumerate() {
        let log = RefCell::new(Log::default());
        let seed = seed.wrapping_add(n as u64);
        let mut values = Recorded { values: run.values(), program: &whole, plan: &plan, log: &log, seed };
        let mut watch = Watch { plan: &plan, summary: &summary, log: &log };
        let outcome = interpreter::run(&whole, &mut values, &mut watch, &LIMITS).outcome;
        looked.runs += 1;
        let mut log = log.into_inner();
        let open = log.left_open(&plan);
        if let Outcome::AssertionFailed(_) = outcome {
            log.failed();
            looked.failing = 1;
        }
        if let Outcome::Undefined { .. } | Outcome::Unsupported { .. } | Outcome::LimitReached(_) = outcome {
            log.interrupted(&plan);
        }
        // Values are those of runs without undefined behaviour, and not of the loop that has it.
        let hidden = match outcome {
            Outcome::Finished | Outcome::Stopped | Outcome::AssertionFailed(_) | Outcome::AssumptionFailed => {
                HashSet::new()
            }
            _ => open,
        };
        let records = std::mem::take(&mut log.records);
        let compare = Compare { program: &whole, plan: &plan, summary: &summary, log: &log, seed };
        for record in records {
            let is_hidden = record.loops.iter().any(|(l, (_, which))| hidden.contains(&(*l, *which)));
            if !is_hidden {
                compare.record(&record, &mut looked).map_err(|why| {
                    format!("run {n} with the inputs {:?}, which ends in {outcome:?}: {why}", log.taken)
                })?;
            }
        }
    }
    Ok(looked)
}

/// Compares records of one run with terms.
struct Compare<'a> {
    program: &'a Program,
    plan: &'a Plan,
    summary: &'a Summary,
    log: &'a Log,
    seed: u64,
}

impl Compare<'_> {
    fn record(&self, record: &Record, looked: &mut Looked) -> Result<(), String> {
        let loops = &record.loops;
        match &record.what {
            What::Point(n, seen) => {
                let point = &self.summary.points[*n];
                let place = match point.moment {
                    crate::summary::Moment::After(at) => {
                        format!("after the loop at {}", self.program.sources.describe(at))
                    }
                    crate::summary::Moment::Head(at) => {
                        format!("at the head of the loop at {}", self.program.sources.describe(at))
                    }
                    crate::summary::Moment::End => "at the end".to_owned(),
                };
                self.known(&point.given, loops, &place, looked)?;
                self.cells(&point.values, seen, loops, &place, looked)
            }
            What::Asserted(n, held) => {
                let one = &self.summary.asserted[*n];
                let place = match one.key {
                    ObligationKey::Assertion(id) => {
                        let assertion = &self.program.assertions[id.0 as usize];
                        format!("at `{}`, {}", assertion.condition, self.program.sources.describe(assertion.location))
                    }
                    ObligationKey::Check(site, number) => format!("at check {number} of statement {}", site.0),
                };
                self.known(&one.given, loops, &place, looked)?;
                let (value, model) = self.truth(one.condition, loops);
                looked.states += u64::from(value.is_ok());
                looked.skipped += u64::from(value.is_err());
                match value {
                    Ok(value) if value != *held => Err(format!(
                        "{place}{}: the condition is {held}, its term says {value}: {}{}",
                        numbers(loops),
                        self.summary.context.show(one.condition),
                        note(&model)
                    )),
                    _ => leak(&model, &place),
                }
            }
        }
    }

    fn model<'m>(&'m self, loops: &'m HashMap<StmtId, (i128, u64)>) -> InRun<'m> {
        let Compare { program, plan, summary, log, seed } = *self;
        InRun { program, plan, summary, log, seed, loops, guessed: Cell::new(false), leaked: Cell::new(false) }
    }

    fn truth<'m>(&'m self, t: Term, loops: &'m HashMap<StmtId, (i128, u64)>) -> (Result<bool, EvalError>, InRun<'m>) {
        let model = self.model(loops);
        (self.summary.context.evaluate_truth(t, &model, EVALUATION), model)
    }

    /// What is known at a point must hold.
    fn known(
        &self,
        given: &[Term],
        loops: &HashMap<StmtId, (i128, u64)>,
        place: &str,
        looked: &mut Looked,
    ) -> Result<(), String> {
        for fact in given {
            let (value, model) = self.truth(*fact, loops);
            // Whether a loop ends may depend on iterations that did not run, if the run has ended
            // inside of it.
            let decided = matches!(value, Ok(true)) || matches!(value, Ok(false)) && !model.guessed.get();
            looked.states += u64::from(decided);
            looked.skipped += u64::from(!decided);
            if decided && value == Ok(false) {
                let fact = self.summary.context.show(*fact);
                return Err(format!("{place}{}: this is wrong: {fact}", numbers(loops)));
            }
            leak(&model, place)?;
        }
        Ok(())
    }

    fn cells(
        &self,
        values: &BTreeMap<Region, Term>,
        seen: &[(Region, cells::Cells)],
        loops: &HashMap<StmtId, (i128, u64)>,
        place: &str,
        looked: &mut Looked,
    ) -> Result<(), String> {
        for (region, cells) in seen {
            let Some(term) = values.get(region) else { continue };
            for (at, seen) in cells {
                // Pointers and floats have no terms, and a cell without a value has nothing to
                // compare.
                let Seen::Int(seen) = *seen else { continue };
                let model = self.model(loops);
                let context = &self.summary.context;
                let value = match at[..] {
                    [] => context.evaluate(*term, &model, EVALUATION),
                    _ => {
                        let index: Vec<Int> = at.iter().map(|k| Int::from(*k)).collect();
                        context.evaluate_cell(*term, &index, &model, EVALUATION)
                    }
                };
                leak(&model, place)?;
                match value {
                    Ok(value) if value == Int::from(seen) => looked.states += 1,
                    Ok(value) => {
                        return Err(format!(
                            "{place}{}: {} is {seen}, its term says {value}: {}{}",
                            numbers(loops),
                            cells::describe(self.program, region, at),
                            context.show(*term),
                            note(&model)
                        ));
                    }
                    Err(_) => looked.skipped += 1,
                }
            }
        }
        Ok(())
    }
}

/// The iteration numbers, for a message.
fn numbers(loops: &HashMap<StmtId, (i128, u64)>) -> String {
    let mut numbers: Vec<i128> = loops.values().map(|l| l.0).collect();
    numbers.sort_unstable();
    if numbers.is_empty() { String::new() } else { format!(" (iterations {numbers:?})") }
}

fn note(model: &InRun<'_>) -> &'static str {
    if model.guessed.get() { " (with a value that no run determines)" } else { "" }
}

fn leak(model: &InRun<'_>, place: &str) -> Result<(), String> {
    match model.leaked.get() {
        true => Err(format!("{place}: a term mentions a variable that is no iteration number there")),
        false => Ok(()),
    }
}
