//! The results that a check has so far, for the answer when a limit cuts it off.
//!
//! The work may be inside a long operation that does not look at the clock, such as the conversion
//! of a polyhedron. The answer does not wait for it. Verdicts that were decided before stay valid,
//! because no stage ever withdraws a verdict.

use super::limits::Cut;
use super::progress::{Line, ProgressLine};
use super::property::Property;
use crate::analysis::{Finding, Invariant, PointView};
use crate::program::{Assumption, Obligation, ObligationKey, Program};
use crate::report::SummaryView;
use crate::stages::{Progress, rested_on};
use crate::verdict::{Decided, Late, LeftOpen, Reason, Report, Stage, Verdict};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// State that the working thread and the waiting thread share.
#[derive(Debug, Default)]
pub(super) struct Partial {
    known: Mutex<PartialReport>,
    line: OnceLock<Line>,
    asked: OnceLock<Asked>,
    shown: Mutex<Shown>,
}

/// What is known so far of states and invariants.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// The stack that computed them; empty before there is one.
    pub(super) stack: String,
    /// The findings of the stack about obligations.
    pub(super) findings: BTreeMap<ObligationKey, Finding>,
    /// The points that were visited.
    pub(super) points: Vec<Arc<PointView>>,
    /// What loops compute.
    pub(super) computed: SummaryView,
    /// The invariants, with their places.
    pub(super) invariants: Vec<Invariant>,
    /// Sentences about the run.
    pub(super) notes: Vec<String>,
}

/// The subject of a check.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) program: Arc<Program>,
    /// The property of the competition, if one was requested.
    pub(super) property: Option<Property>,
}

#[derive(Debug, Default)]
struct PartialReport {
    report: Option<Report>,
    /// The index of each obligation in the report.
    places: HashMap<ObligationKey, usize>,
    /// The current work: the stage and what it does.
    doing: Option<(Stage, String)>,
}

impl Partial {
    fn known(&self) -> MutexGuard<'_, PartialReport> {
        // No update of the data panics half-way, so the data is complete even if the lock is
        // poisoned.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the progress line, which is removed before the answer is printed.
    pub(super) fn shown_by(&self, line: &ProgressLine) {
        let _ = self.line.set(line.line());
    }

    /// Sets the subject of the answer.
    pub(super) fn asks(&self, asked: Asked) {
        let _ = self.asked.set(asked);
    }

    /// The subject of the answer, if it is known yet.
    pub(super) fn asked(&self) -> Option<&Asked> {
        self.asked.get()
    }

    /// Changes what is known of states and invariants.
    pub(super) fn shows(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.shown.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What is known of states and invariants.
    pub(super) fn shown(&self) -> Shown {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Removes the progress line.
    pub(super) fn clear_line(&self) {
        if let Some(line) = self.line.get() {
            line.clear();
        }
    }

    /// The report of what is known, if the obligations are known. The reason of an open obligation
    /// names the work that was cut off.
    pub(super) fn take(&self, cut: Cut) -> Option<Report> {
        let mut known = self.known();
        let doing = known.doing.take();
        let mut report = known.report.take()?;
        if let Some((stage, what)) = doing {
            let reason = match cut {
                Cut::Signal(_) => Reason::Interrupted(what),
                Cut::Time => Reason::Time(Late::CutOff(what)),
                Cut::Memory => Reason::Memory(what),
            };
            for d in report.obligations.iter_mut().filter(|d| d.verdict == Verdict::Unknown) {
                if d.obligation.unsupported.is_some() {
                    continue;
                }
                d.evidence.reasons.push(LeftOpen { stage, reason: reason.clone() });
                d.evidence.stage = stage;
            }
        }
        if let Some(asked) = self.asked() {
            let granted = std::mem::take(&mut report.assumptions);
            report.assumptions = rested_on(&asked.program, granted, &report.obligations, report.settled);
        }
        Some(report)
    }
}

/// Follows a check: shows its progress and stores its results.
pub(super) struct Recorder<'a> {
    pub(super) line: &'a ProgressLine,
    pub(super) partial: &'a Partial,
}

impl Recorder<'_> {
    fn replace(&self, decided: &Decided) {
        let mut known = self.partial.known();
        let place = known.places.get(&decided.obligation.key).copied();
        let entry = place.and_then(|n| known.report.as_mut()?.obligations.get_mut(n));
        if let Some(entry) = entry {
            *entry = decided.clone();
        }
    }
}

impl Progress for Recorder<'_> {
    fn working(&self, stage: Stage, what: &str) {
        self.partial.known().doing = Some((stage, what.to_owned()));
        self.line.working(stage, what);
    }

    fn begins(&self, report: &Report) {
        let mut known = self.partial.known();
        known.places = report.obligations.iter().enumerate().map(|(n, d)| (d.obligation.key, n)).collect();
        known.report = Some(report.clone());
        drop(known);
        self.line.begins(report);
    }

    fn granted(&self, assumptions: &[Assumption], configuration: &BTreeMap<String, String>) {
        if let Some(report) = &mut self.partial.known().report {
            report.assumptions.extend_from_slice(assumptions);
            report.configuration.extend(configuration.iter().map(|(k, v)| (k.clone(), v.clone())));
        }
    }

    fn looking_at(&self, obligation: &Obligation, waiting: usize) {
        self.line.looking_at(obligation, waiting);
    }

    fn decided(&self, decided: &Decided) {
        self.replace(decided);
        self.line.decided(decided);
    }

    fn left(&self, open: &Decided) {
        self.replace(open);
    }

    fn noted(&self, sentence: &str) {
        if let Some(report) = &mut self.partial.known().report {
            report.notes.push(sentence.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::Deadline;
    use super::*;
    use crate::cbmc::{Answer, Failure, ModelChecker, Query};
    use crate::lower::{LowerOptions, load_text};
    use crate::stages::{CheckConfig, Tools, check_with};
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};
    use std::time::{Duration, Instant};

    /// A mock that reports when it is asked and never answers.
    struct Deaf(Sender<()>);

    impl ModelChecker for Deaf {
        fn run(&self, _query: &Query, _deadline: Instant) -> Result<Answer, Failure> {
            let _ = self.0.send(());
            loop {
                std::thread::park();
            }
        }
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn what_is_proved_before_a_stage_hangs_stays_proved() {
        let text = "extern int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);\n\
            int main(void) { int x = __VERIFIER_nondet_int(); int y = x % 7;\n\
            __VERIFIER_assert(y < 7); __VERIFIER_assert(y * y * x != 5); return 0; }\n";
        let partial = Arc::new(Partial::default());
        let (sender, asked) = channel();
        let worker = partial.clone();
        std::thread::spawn(move || {
            let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
            let program = load_text("x.c", text, &options).expect("C");
            let start = Instant::now();
            let line = ProgressLine::new(Deadline { start, work: start + LONG, limit: LONG });
            let config = CheckConfig::new(&[Stage::Domains, Stage::Unwind], start + LONG);
            let recorder = Recorder { line: &line, partial: &worker };
            let deaf = Deaf(sender);
            let _ = check_with(&program, &config, &recorder, Tools::only(Ok(&deaf)));
        });
        asked.recv_timeout(LONG).expect("the model checker is asked");
        let report = partial.take(Cut::Time).expect("the obligations are known");
        let verdicts: Vec<_> = report.obligations.iter().map(|d| (d.verdict, d.evidence.stage)).collect();
        assert_eq!(verdicts, [(Verdict::Proved, Stage::Domains), (Verdict::Unknown, Stage::Unwind)]);
        assert!(report.complete && !report.assumptions.is_empty(), "{report:?}");
        assert_eq!(report.configuration.get("stack").map(String::as_str), Some(smalti_stack::DEFAULT_STACK));
        let open = &report.obligations[1].evidence;
        let reasons: Vec<_> = open.reasons.iter().map(|left| (left.stage, left.reason.clone())).collect();
        let asking = Reason::Time(Late::CutOff("unwinding 2".to_owned()));
        assert_eq!(reasons, [(Stage::Domains, Reason::Unproved), (Stage::Unwind, asking)]);
    }
}
