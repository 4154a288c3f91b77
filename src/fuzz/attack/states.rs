//! Checks runs of a program against the abstract states of a stack, its proofs, and the printed
//! formulas.

use super::Looked;
use super::runs::Run;
use crate::analysis::{self, AllowedNames, AnalysisConfig, Checked, HeldInvariants};
use crate::inline::inline;
use crate::interpreter::{self, Limits};
use crate::program::{ObligationKey, ObligationKind, Program, obligations};
use crate::values::{self, Found};
use crate::verdict::Verdict;
use std::time::Instant;

const LIMITS: Limits = Limits { steps: 200_000, cells: 1 << 20, depth: 200, ..Limits::NONE };

/// The number of states of one run that are checked: a check costs more than the step to the next
/// state.
const STATES: usize = 4_000;

/// Compares runs of a program with the abstract states and the proofs of a stack.
///
/// # Errors
/// The description of a soundness bug: a state outside the abstract state, or a failing run
/// although the obligation is proved.
pub(super) fn check<'s>(
    program: &Program,
    config: &AnalysisConfig,
    runs: impl Iterator<Item = Run<'s>>,
) -> Result<Looked, String> {
    let all = obligations(program, &ObligationKind::ALL);
    let analysis = analysis::analyse(program, &all, config).map_err(|e| e.to_string())?;
    let holds = |key: &ObligationKey| {
        analysis.findings.get(key).is_some_and(|f| matches!(f.verdict, Verdict::Proved | Verdict::Unreachable))
    };
    let mut looked = Looked {
        obligations: all.len() as u64,
        unverified: u64::from(analysis.notes.iter().any(|n| n == analysis::UNVERIFIED)),
        proved: all.iter().filter(|o| holds(&o.key)).count() as u64,
        ..Looked::default()
    };
    let inlined = inline(program);
    let checked = Checked::new(&inlined, config).map_err(|e| e.to_string())?;
    let mut fails = false;
    // One run is always checked. For more there may not be enough time.
    for (n, run) in runs.enumerate().take_while(|(n, _)| *n == 0 || !is_over(config)) {
        let mut membership = checked.watch(STATES);
        interpreter::run(&inlined.program, &mut run.values(), &mut membership, &LIMITS);
        if let Some(violation) = membership.violation {
            return Err(format!("run {n}: {violation}"));
        }
        looked.states += (STATES - membership.left) as u64;
        looked.runs += 1;
        // The same run on the program itself, which has the decided obligations.
        let mut values = run.values();
        let outcome = interpreter::run(program, &mut values, &mut (), &LIMITS).outcome;
        for key in values.failed(&outcome) {
            fails = true;
            if let Some(o) = all.iter().find(|o| o.key == key && holds(&key)) {
                let at = program.sources.describe(o.location);
                return Err(format!("run {n}: {at}: {} `{}` fails, and was proved", o.kind, o.condition));
            }
        }
    }
    looked.failing = u64::from(fails);
    Ok(looked)
}

/// Compares runs of a program with the states and the proofs of the value analysis.
///
/// # Errors
/// The description of a soundness bug: a state outside the abstract state, or a failing run
/// although the obligation is proved.
pub(super) fn check_values<'s>(
    program: &Program,
    way: values::Way,
    runs: impl Iterator<Item = Run<'s>>,
) -> Result<Looked, String> {
    let all = obligations(program, &ObligationKind::ALL);
    let mut looked = Looked { obligations: all.len() as u64, ..Looked::default() };
    let Some(mut recorded) = values::Recorded::new(program, &all, way) else { return Ok(looked) };
    let found = recorded.found.clone();
    let holds = |key: &ObligationKey| matches!(found.get(key), Some(Found::Holds | Found::NotReached));
    looked.proved = all.iter().filter(|o| holds(&o.key)).count() as u64;
    for (n, run) in runs.enumerate() {
        let mut membership = recorded.watch(STATES as u64);
        let mut values = run.values();
        let ran = interpreter::run(program, &mut values, &mut membership, &LIMITS);
        looked.states += STATES as u64 - membership.left;
        looked.runs += 1;
        if let Some(violation) = membership.violation {
            return Err(format!("run {n}: {violation}"));
        }
        for key in run.failures(program, values, &ran, &LIMITS) {
            looked.failing = 1;
            if let Some(o) = all.iter().find(|o| o.key == key && holds(&key)) {
                let at = program.sources.describe(o.location);
                return Err(format!("run {n}: {at}: {} `{}` fails, and was proved", o.kind, o.condition));
            }
        }
    }
    Ok(looked)
}

/// Whether the time for this program is over.
fn is_over(config: &AnalysisConfig) -> bool {
    config.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Compares runs of a program with the formulas that `smalti invariants` prints.
///
/// # Errors
/// A formula that does not hold in a run, or the stack that is not available.
pub(super) fn check_formulas<'s>(
    program: &Program,
    config: &AnalysisConfig,
    runs: impl Iterator<Item = Run<'s>> + Clone,
) -> Result<Looked, String> {
    let inlined = inline(program);
    let mut looked = Looked::default();
    for names in [AllowedNames::Reader, AllowedNames::Annotation] {
        let held = HeldInvariants::new(program, &inlined, config, names).map_err(|e| e.to_string())?;
        looked.ranges += held.ranges() as u64;
        for (n, run) in runs.clone().enumerate().take_while(|(n, _)| *n == 0 || !is_over(config)) {
            let mut watch = held.watch(STATES / 2);
            interpreter::run(&inlined.program, &mut run.values(), &mut watch, &LIMITS);
            looked.states += watch.looked;
            looked.runs += 1;
            if let Some(violation) = watch.violation {
                return Err(format!("run {n}: {violation}"));
            }
        }
    }
    Ok(looked)
}
