//! Checks the answers of stages for a program against its runs.
//!
//! The printer, CBMC, the reductions and the interpreter implement C independently. Here they must
//! agree. A proved obligation fails in no run. No run reaches an unreachable obligation. A refuted
//! obligation fails in the run that is shown.

use super::judge::Judge;
use super::runs::{Run, Shown, failed_at};
use super::{Looked, Programs};
use crate::deduce::{Conditions, Decision};
use crate::fuzz::reductions::SampleOutcome;
use crate::interpreter::{self, Limits, Observer, State};
use crate::program::{AssertionId, Obligation, ObligationKey, ObligationKind, Stmt, StmtKind, obligations};
use crate::reduce::normal::Inlined;
use crate::stages::{self, CheckConfig, Silent};
use crate::verdict::{Decided, Evidence, LeftOpen, Reason, Report, Stage, Unconfirmed, Verdict};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits { steps: 1_000_000, cells: 1 << 20, depth: 200, ..Limits::NONE };

impl Judge<'_> {
    /// Decides the obligations by these stages, and compares the answers with runs.
    ///
    /// # Errors
    /// The description of a bug: an answer that a run contradicts.
    pub(super) fn of_stages<'s>(&self, asked: &[Stage], runs: impl Iterator<Item = Run<'s>>) -> Result<Looked, String> {
        // The reductions decide assertions only.
        let decides_all = |stage: &Stage| matches!(stage, Stage::Unwind | Stage::Domains | Stage::Summary);
        let kinds: &[ObligationKind] = match asked.iter().any(decides_all) {
            // Other questions would leave little time.
            true if self.attack.programs == Programs::Reads => &[ObligationKind::Initialised],
            true => &ObligationKind::ALL[..],
            false => &[ObligationKind::Assertion],
        };
        let report = self.decide(asked, kinds, self.until)?;
        self.hold(&report.obligations, runs, asked == [Stage::Unwind])
    }

    /// Shrinks the loops for each assertion, without help from the domains, and compares the proofs
    /// with runs.
    ///
    /// # Errors
    /// The description of a bug: a proof that a run contradicts.
    pub(super) fn of_shrinking<'s>(&self, runs: impl Iterator<Item = Run<'s>>) -> Result<Looked, String> {
        let model = self.external.model()?;
        let decide =
            |o: &Obligation| stages::shrinkings(self.program, o, model, None, self.until).map(|_| String::new());
        self.hold(&self.assertions(Stage::Shrink, decide), runs, false)
    }

    /// Decides each assertion by the loop invariants of the program, and compares the proofs with
    /// runs.
    ///
    /// # Errors
    /// The description of a bug: a proof that a run contradicts.
    pub(super) fn of_induction<'s>(&self, runs: impl Iterator<Item = Run<'s>>) -> Result<Looked, String> {
        let solver = self.external.solver()?;
        let conditions = Conditions::of(&Inlined::new(self.program), &mut crate::stages::failing_checks);
        let decide = |o: &Obligation| {
            let ObligationKey::Assertion(assertion) = o.key else { return Err(Reason::OnlyAssertions) };
            let conditions = conditions.as_ref().map_err(|why| Reason::from(why.clone()))?;
            match conditions.decide(assertion, solver, self.until) {
                Decision::Proved => Ok(String::new()),
                Decision::Open(why) => Err(Reason::Undecided(why.to_string())),
            }
        };
        self.hold(&self.assertions(Stage::Induction, decide), runs, false)
    }

    /// The verdicts of one stage alone on all assertions.
    fn assertions(&self, stage: Stage, prove: impl Fn(&Obligation) -> Result<String, Reason>) -> Vec<Decided> {
        let decide = |obligation: Obligation| {
            let (verdict, detail, reasons) = match prove(&obligation) {
                Ok(detail) => (Verdict::Proved, detail, Vec::new()),
                Err(reason) => (Verdict::Unknown, String::new(), vec![LeftOpen { stage, reason }]),
            };
            let evidence = Evidence { detail, reasons, ..Evidence::of(stage) };
            Decided { obligation, verdict, evidence }
        };
        obligations(self.program, &[ObligationKind::Assertion]).into_iter().map(decide).collect()
    }

    pub(super) fn decide(&self, stages: &[Stage], checks: &[ObligationKind], until: Instant) -> Result<Report, String> {
        let config = CheckConfig { checks: checks.to_vec(), ..CheckConfig::new(stages, until) };
        stages::check_with(self.program, &config, &Silent, self.external.tools()).map_err(|e| e.to_string())
    }

    fn say(&self, d: &Decided, what: &str) -> String {
        let o = &d.obligation;
        let at = self.program.sources.describe(o.location);
        format!("{at}: {} `{}` {what} ({} {})", o.kind, o.condition, d.evidence.stage, d.detail(&self.program.sources))
    }

    fn hold<'s>(
        &self,
        decided: &[Decided],
        runs: impl Iterator<Item = Run<'s>>,
        exact: bool,
    ) -> Result<Looked, String> {
        let mut looked = Looked { obligations: decided.len() as u64, ..Looked::default() };
        let mut answers: HashMap<ObligationKey, &Decided> = HashMap::new();
        for d in decided {
            answers.insert(d.obligation.key, d);
            match (d.verdict, &d.evidence.counterexample) {
                (Verdict::Proved | Verdict::Unreachable, _) => looked.proved += 1,
                (Verdict::Violated, None) => return Err(self.say(d, "is violated by nothing")),
                (Verdict::Violated, Some(run)) => {
                    let limits = Limits { unset_ends: d.obligation.kind == ObligationKind::Initialised, ..LIMITS };
                    let mut shown = Shown::new(run, d.obligation.key);
                    let outcome = interpreter::run(self.program, &mut shown, &mut (), &limits).outcome;
                    if failed_at(&outcome) != Some(d.obligation.key) {
                        return Err(self.say(d, &format!("is violated by a run that ends in {outcome:?}")));
                    }
                    looked.violated += 1;
                }
                // The interpreter and CBMC take different paths with the same values: one of them
                // is wrong.
                (Verdict::Unknown, _) if exact && d.evidence.reasons.iter().any(|left| passes(&left.reason)) => {
                    return Err(self.say(d, "fails for CBMC and not for the interpreter"));
                }
                (Verdict::Unknown, _) if d.detail(&self.program.sources).contains("this is a bug of smalti") => {
                    return Err(self.say(d, "is open by a bug"));
                }
                (Verdict::Unknown, _) => {}
            }
        }
        let mut fails = looked.violated > 0;
        for (n, run) in runs.enumerate() {
            let mut reached = Reached::default();
            let mut values = run.values();
            let ran = interpreter::run(self.program, &mut values, &mut reached, &LIMITS);
            looked.runs += 1;
            for key in run.failures(self.program, values, &ran, &LIMITS) {
                fails = true;
                if let Some(d) = answers.get(&key).filter(|d| holds(d)) {
                    return Err(self.say(d, &format!("fails in run {n}, and was {:?}", d.verdict)));
                }
            }
            for id in reached.assertions {
                if let Some(d) =
                    answers.get(&ObligationKey::Assertion(id)).filter(|d| d.verdict == Verdict::Unreachable)
                {
                    return Err(self.say(d, &format!("is reached in run {n}, and was unreachable")));
                }
            }
        }
        if !self.sample.values.is_empty() && !fails && decided.len() == 1 {
            fails = SampleOutcome::run(self.program, self.sample, self.seed, 1000) == SampleOutcome::Fails;
            if let Some(d) = decided.iter().find(|d| holds(d)).filter(|_| fails) {
                return Err(self.say(d, "fails in a run with small inputs, and was proved"));
            }
        }
        // CBMC takes seconds for a program that is not small.
        let asks = !exact
            && looked.proved > 0
            && self.attack.programs != Programs::Computations
            && (self.attack.programs.are_small() || self.seed % 10 < 2);
        if asks && self.external.model().is_ok() {
            let stage = if self.attack.programs.are_small() { Stage::Unwind } else { Stage::Bounded };
            let until = Instant::now() + Duration::from_secs(6);
            let kinds: HashSet<ObligationKind> = decided.iter().map(|d| d.obligation.kind).collect();
            for judged in self.decide(&[stage], &kinds.into_iter().collect::<Vec<_>>(), until)?.obligations {
                fails |= judged.verdict == Verdict::Violated;
                if let Some(d) =
                    answers.get(&judged.obligation.key).filter(|d| holds(d) && judged.verdict == Verdict::Violated)
                {
                    return Err(self.say(d, &format!("fails in a run that CBMC finds, and was {:?}", d.verdict)));
                }
            }
        }
        looked.failing = u64::from(fails);
        Ok(looked)
    }
}

fn holds(d: &Decided) -> bool {
    matches!(d.verdict, Verdict::Proved | Verdict::Unreachable)
}

/// The assertions that a run reaches.
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

/// Whether the reason is a reported failure that the replay does not show.
pub(super) fn passes(reason: &Reason) -> bool {
    match reason {
        Reason::Unconfirmed { why, .. } => *why == Unconfirmed::Passes,
        Reason::Of(_, reason) => passes(reason),
        _ => false,
    }
}
