//! Keeps a fixpoint, so that one computation serves findings, views of points and invariants. Also
//! chooses the stack whose fixpoint is shown: the strongest that finishes.

use super::invariants::{self, Invariant, Invariants};
use super::record::Record;
use super::view::{self, PointView, Views};
use super::{AllowedNames, Analysis, AnalysisConfig, Error, Finding, Solved, decide, summary};
use crate::clock;
use crate::fixpoint::Exhausted;
use crate::inline::Inlined;
use crate::program::{Obligation, ObligationKey, Program};
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::time::Instant;

/// What a fixpoint is kept for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Views of points.
    Points,
    /// Views of points with pictures, and the iterates at the heads of loops.
    Pictures,
    /// Invariants, also at the ends of functions.
    Invariants,
}

/// A fixpoint that is kept.
pub struct Kept<'a> {
    source: &'a Program,
    inlined: &'a Inlined,
    config: AnalysisConfig,
    solved: Solved<'a>,
}

impl<'a> Kept<'a> {
    /// Computes the fixpoint; `inlined` is made from `source`.
    ///
    /// # Errors
    /// The stack is not available.
    pub fn new(
        source: &'a Program,
        inlined: &'a Inlined,
        config: &AnalysisConfig,
        purpose: Purpose,
    ) -> Result<Kept<'a>, Error> {
        let record = (purpose == Purpose::Pictures).then(Record::default);
        let ends = (purpose == Purpose::Invariants).then_some(source);
        let solved = Solved::keeping(inlined, config, ends, record)?;
        Ok(Kept { source, inlined, config: config.clone(), solved })
    }

    /// The name of its stack.
    pub fn stack(&self) -> &str {
        &self.solved.stack
    }

    /// Whether the computation finished without giving up.
    pub fn is_finished(&self) -> bool {
        self.solved.solution.complete()
    }

    /// Why the computation gave up, if it did: a phrase about what the domains did.
    fn reason(&self) -> Option<&'static str> {
        Some(match self.solved.solution.exhausted? {
            Exhausted::Deadline => LATE,
            Exhausted::Steps => "ran out of steps",
            Exhausted::Unverified => "failed their own check",
        })
    }

    /// The findings for these obligations.
    pub fn analysis(&self, obligations: &[Obligation]) -> Analysis {
        let mut statistics = BTreeMap::new();
        statistics.insert("transfers".to_owned(), self.solved.solution.steps);
        statistics.insert("points".to_owned(), self.solved.cfg.graph.node_count() as u64);
        let findings = decide::findings(&self.solved, self.inlined, obligations, &self.config);
        let is_open = |(key, finding): (&ObligationKey, &Finding)| {
            matches!(key, ObligationKey::Assertion(_)) && finding.verdict == Verdict::Unknown
        };
        let accesses_hold = findings.iter().any(is_open) && decide::accesses_hold(&self.solved, self.inlined);
        let (assumptions, notes) = summary(&self.solved, self.inlined);
        let complete = !self.solved.is_cut_off();
        let scalars = self.solved.model.layout.meanings.len();
        Analysis {
            stack: self.solved.stack.clone(),
            findings,
            accesses_hold,
            assumptions,
            statistics,
            scalars,
            notes,
            complete,
        }
    }

    /// Sentences about how it was computed.
    pub fn notes(&self) -> Vec<String> {
        summary(&self.solved, self.inlined).1
    }

    /// Passes what holds at each point to `each`, one after the other, until the time `until` if
    /// given. Pictures are made only for [`Purpose::Pictures`], and not in the last part of the
    /// time.
    pub fn points(&self, until: Option<Instant>, each: &mut dyn FnMut(PointView)) -> Views {
        view::points(&self.solved, self.source, self.inlined, self.solved.record.is_some(), until, each)
    }

    /// What holds at loops and at the ends of functions, computed until the time `until` if given.
    /// Each place is also passed to `each` as soon as it is known. The fixpoint must have been kept
    /// for that.
    pub fn invariants(
        &self,
        names: AllowedNames,
        until: Option<Instant>,
        each: &mut dyn FnMut(&Invariant),
    ) -> Invariants {
        let config = AnalysisConfig { deadline: until, ..self.config.clone() };
        invariants::of(&self.solved, self.source, self.inlined, &config, names, each)
    }
}

/// The phrase for domains that have no time left.
const LATE: &str = "ran out of time";

/// The fixpoints of several stacks.
pub struct Strongest<'a> {
    /// The fixpoint to show: the last that finished; if none did, the first.
    pub shown: Kept<'a>,
    /// The fixpoints that finished before it, from the first on.
    pub weaker: Vec<Kept<'a>>,
    /// The stacks that did not finish or were not begun, each with what it did. The stack that is
    /// shown can be one of them.
    pub unfinished: Vec<(String, &'static str)>,
}

impl<'a> Strongest<'a> {
    /// Computes the fixpoints of the stacks, which are ordered from the weakest to the strongest,
    /// until the time `until` if given.
    ///
    /// # Errors
    /// A stack is not available.
    pub fn new(
        source: &'a Program,
        inlined: &'a Inlined,
        stacks: &[String],
        config: &AnalysisConfig,
        purpose: Purpose,
        until: Option<Instant>,
    ) -> Result<Strongest<'a>, Error> {
        let default = [smalti_stack::DEFAULT_STACK.to_owned()];
        let stacks = if stacks.is_empty() { &default } else { stacks };
        let mut climb = Climb::default();
        for (n, stack) in stacks.iter().enumerate() {
            let Some(deadline) = climb.deadline(until, clock::now(), n + 1 == stacks.len()) else {
                climb.unfinished.push((stack.clone(), LATE));
                continue;
            };
            let config = AnalysisConfig { stack: Some(stack.clone()), deadline, ..config.clone() };
            let kept = Kept::new(source, inlined, &config, purpose)?;
            let reason = kept.reason();
            climb.add(stack, kept, reason);
        }
        let unfinished = climb.unfinished;
        match (climb.finished.pop(), climb.given_up) {
            (Some(shown), _) | (None, Some(shown)) => Ok(Strongest { shown, weaker: climb.finished, unfinished }),
            (None, None) => unreachable!("the first stack is always begun"),
        }
    }

    /// The findings of the finished fixpoints for these obligations. Each fixpoint is asked only
    /// about what those before it leave open.
    pub fn analyses(&self, obligations: &[Obligation]) -> Vec<Analysis> {
        let mut open: Vec<Obligation> = obligations.to_vec();
        let mut found = Vec::new();
        for kept in self.weaker.iter().chain(Some(&self.shown).filter(|kept| kept.is_finished())) {
            let analysis = kept.analysis(&open);
            let is_open = |key: &ObligationKey| analysis.findings.get(key).is_none_or(Finding::is_open);
            open.retain(|o| is_open(&o.key));
            found.push(analysis);
        }
        found
    }

    /// A sentence about the stacks that did not finish, if there are any.
    pub fn note(&self) -> Option<String> {
        let shown = self.shown.stack();
        let others = self.unfinished.iter().filter(|(stack, _)| stack != shown);
        let others: Vec<String> = others.map(|(stack, reason)| format!("the domains {reason} with {stack}")).collect();
        (!others.is_empty()).then(|| format!("{}: the states shown are those of {shown}", others.join("; ")))
    }
}

/// The progress from stack to stack.
struct Climb<K> {
    finished: Vec<K>,
    /// The first that did not finish.
    given_up: Option<K>,
    unfinished: Vec<(String, &'static str)>,
}

impl<K> Default for Climb<K> {
    fn default() -> Self {
        Climb { finished: Vec::new(), given_up: None, unfinished: Vec::new() }
    }
}

impl<K> Climb<K> {
    /// When the next stack is given up, if ever. It gets half of the remaining time, or all of it
    /// if it is the last stack. `None` if it is not begun, for lack of time; the first stack is
    /// always begun.
    fn deadline(&self, until: Option<Instant>, now: Instant, is_last: bool) -> Option<Option<Instant>> {
        let Some(until) = until else { return Some(None) };
        let begun = !self.finished.is_empty() || self.given_up.is_some();
        if begun && now >= until {
            return None;
        }
        let half = now + until.saturating_duration_since(now) / 2;
        Some(Some(if is_last { until } else { half }))
    }

    fn add(&mut self, stack: &str, kept: K, reason: Option<&'static str>) {
        match reason {
            None => self.finished.push(kept),
            Some(reason) => {
                self.unfinished.push((stack.to_owned(), reason));
                self.given_up.get_or_insert(kept);
            }
        }
    }
}

impl Finding {
    /// Whether another stack may find out more: the finding is not decided, or it depends on a run
    /// that arrives there.
    fn is_open(&self) -> bool {
        self.verdict == Verdict::Unknown || self.suspect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::inline;
    use crate::lower::{LowerOptions, load_text};
    use crate::program::{ObligationKind, obligations};
    use std::time::Duration;

    const TEXT: &str = "void __VERIFIER_assert(int);\n\
        int main(void) { int a[9], i = 0; while (i < 9) { a[i] = 3; i++; } __VERIFIER_assert(a[4] == 3); return 0; }\n";

    fn stacks(names: [&str; 2]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    fn program() -> Program {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        load_text("x.c", TEXT, &options).expect("C")
    }

    #[test]
    fn the_strongest_that_finishes_is_shown_and_the_weaker_ones_serve_verdicts() {
        let program = program();
        let inlined = inline(&program);
        let stacks = stacks(["smash/octagon", "relation/partition/octagon"]);
        let config = AnalysisConfig::default();
        let found = Strongest::new(&program, &inlined, &stacks, &config, Purpose::Points, None).expect("native");
        assert_eq!((found.shown.stack(), found.note()), ("relation/partition/octagon", None));
        let analyses = found.analyses(&obligations(&program, &[ObligationKind::Assertion]));
        let verdicts = analyses.iter().flat_map(|a| a.findings.values().map(|f| (&*a.stack, f.verdict)));
        let expected = [("smash/octagon", Verdict::Unknown), ("relation/partition/octagon", Verdict::Proved)];
        assert_eq!(verdicts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn without_any_time_the_first_stack_is_shown_as_given_up() {
        let program = program();
        let inlined = inline(&program);
        let stacks = stacks(["smash/octagon", "relation/partition/octagon"]);
        let (config, now) = (AnalysisConfig::default(), Some(Instant::now()));
        let found = Strongest::new(&program, &inlined, &stacks, &config, Purpose::Points, now).expect("native");
        assert!(!found.shown.is_finished() && found.analyses(&[]).is_empty());
        let note = found.note().expect("a sentence");
        assert_eq!(
            note,
            "the domains ran out of time with relation/partition/octagon: the states shown are those of smash/octagon"
        );
        let mut points = 0;
        let views = found.shown.points(now, &mut |_| points += 1);
        assert_eq!(
            (points, views.missing),
            (0, 1),
            "nothing is looked at on the only line with statements, and that is said"
        );
    }

    #[test]
    fn a_stack_that_is_cut_off_does_not_replace_one_that_finished() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let until = Some(now + 8 * second);
        let mut climb = Climb::default();
        assert_eq!(climb.deadline(until, now, false), Some(Some(now + 4 * second)));
        climb.add("weak", 1, None);
        assert_eq!(climb.deadline(until, now + 2 * second, false), Some(Some(now + 5 * second)));
        climb.add("strong", 2, Some(LATE));
        assert_eq!(climb.deadline(until, now + 5 * second, true), Some(until));
        climb.add("stronger", 3, Some("ran out of steps"));
        assert_eq!(climb.deadline(until, now + 8 * second, true), None);
        assert_eq!((climb.finished, climb.given_up), (vec![1], Some(2)));
        let unfinished = [("strong".to_owned(), LATE), ("stronger".to_owned(), "ran out of steps")];
        assert_eq!(climb.unfinished, unfinished);
    }
}
