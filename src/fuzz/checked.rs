//! The exact program as CBMC sees it, held against the interpreter: what stage `unwind` says of a program against runs of it.
//!
//! The printer, CBMC and the interpreter each have a reading of C of their own. Here they must agree: what CBMC proves
//! fails in no run, what it says no run comes to is come to by none, and what it refutes fails in the run that it shows.

use super::oracle::{KINDS, Looked, Random};
use crate::analysis::AnalysisConfig;
use crate::cbmc::ModelChecker;
use crate::interpreter::{self, CellOrigin, Environment, Limits, Observer, Outcome, State};
use crate::program::{AssertionId, InputId, Location, ObligationKey, Program, Stmt, StmtKind, Type};
use crate::stages::{self, CheckConfig, Silent};
use crate::verdict::{Counterexample, Decided, Stage, Verdict};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

const LIMITS: Limits = Limits { steps: 1_000_000, cells: 1 << 20, depth: 200, deadline: None };

/// Decides every obligation of a program by stage `unwind`, and holds the answers against `runs` runs.
///
/// # Errors
/// The description of a bug: an answer that a run contradicts.
pub fn check(
    program: &Program,
    model: &dyn ModelChecker,
    seed: u64,
    runs: u32,
    deadline: Instant,
) -> Result<Looked, String> {
    let config = CheckConfig {
        files: Vec::new(),
        checks: KINDS.to_vec(),
        stages: vec![Stage::Unwind],
        deadline,
        cbmc: None,
        solver: None,
        stacks: Vec::new(),
        assume_invariants: true,
        analysis: AnalysisConfig::default(),
    };
    let report =
        stages::check_with(program, &config, &Silent, stages::Tools::only(Ok(model))).map_err(|e| e.to_string())?;
    let say = |d: &Decided, what: &str| {
        let o = &d.obligation;
        format!("{}: {} `{}` {what}", program.sources.describe(o.location), o.kind, o.condition)
    };
    let mut answers: HashMap<ObligationKey, &Decided> = HashMap::new();
    for d in &report.obligations {
        answers.insert(d.obligation.key, d);
        match (d.verdict, &d.evidence.counterexample) {
            (Verdict::Violated, None) => return Err(say(d, "is violated by nothing")),
            (Verdict::Violated, Some(run)) => {
                let outcome = interpreter::run(program, &mut Shown::new(run), &mut (), &LIMITS).outcome;
                if failed_at(&outcome) != Some(d.obligation.key) {
                    return Err(say(d, &format!("is violated by a run that ends in {outcome:?}")));
                }
            }
            // The interpreter and CBMC go different ways on the same values: one of them is wrong.
            (Verdict::Unknown, _) if d.evidence.detail.contains("does not fail when it is replayed") => {
                return Err(say(d, "fails for CBMC and not for the interpreter"));
            }
            _ => {}
        }
    }
    for n in 0..runs {
        let mut reached = Reached::default();
        let outcome = interpreter::run(program, &mut Random::new(seed, n), &mut reached, &LIMITS).outcome;
        if let Some(d) = failed_at(&outcome).and_then(|key| answers.get(&key))
            && matches!(d.verdict, Verdict::Proved | Verdict::Unreachable)
        {
            return Err(say(d, &format!("fails in run {n}, and was {:?}", d.verdict)));
        }
        for id in reached.assertions {
            if let Some(d) = answers.get(&ObligationKey::Assertion(id)).filter(|d| d.verdict == Verdict::Unreachable) {
                return Err(say(d, &format!("is reached in run {n}, and was unreachable")));
            }
        }
    }
    let held = |d: &&Decided| matches!(d.verdict, Verdict::Proved | Verdict::Unreachable);
    Ok(Looked {
        runs,
        proved: report.obligations.iter().filter(held).count() as u32,
        violated: report.obligations.iter().filter(|d| d.verdict == Verdict::Violated).count() as u32,
        obligations: report.obligations.len() as u32,
        unverified: report.notes.iter().any(|n| n == crate::analysis::UNVERIFIED),
    })
}

fn failed_at(outcome: &Outcome) -> Option<ObligationKey> {
    match outcome {
        Outcome::AssertionFailed(id) => Some(ObligationKey::Assertion(*id)),
        Outcome::Undefined { key, .. } => Some(*key),
        _ => None,
    }
}

/// The values of a counterexample, in its order.
struct Shown {
    inputs: VecDeque<(Option<InputId>, i128)>,
}

impl Shown {
    fn new(run: &Counterexample) -> Shown {
        Shown { inputs: run.inputs.iter().map(|i| (i.input, i.value)).collect() }
    }

    fn next(&mut self, id: Option<InputId>) -> i128 {
        match self.inputs.pop_front() {
            Some((of, value)) if of == id => value,
            _ => 0,
        }
    }
}

impl Environment for Shown {
    fn input(&mut self, id: InputId, _ty: &Type, _at: Location) -> i128 {
        self.next(Some(id))
    }

    fn arbitrary(&mut self, _cell: &CellOrigin<'_>, _ty: &Type) -> i128 {
        self.next(None)
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }
}

/// The assertions that a run comes to.
#[derive(Default)]
struct Reached {
    assertions: HashSet<AssertionId>,
}

impl Observer for Reached {
    fn at(&mut self, stmt: &Stmt, _state: &State<'_, '_>) {
        match &stmt.kind {
            StmtKind::Assert(_, id) => _ = self.assertions.insert(*id),
            StmtKind::Claim(claim) => self.assertions.extend(claim.role.assertion()),
            _ => {}
        }
    }
}
