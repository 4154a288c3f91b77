//! The board: the verdicts decided so far.

use super::config::LEAST;
use super::progress::Progress;
use crate::clock;
use crate::program::{AssertionId, Assumption, Obligation, ObligationKey, ObligationKind, Program, SiteId, each_stmt};
use crate::verdict::{
    Answer, Decided, Evidence, FoundInvariant, Late, LeftOpen, NearestInvariant, Reason, Stage, Verdict,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

/// What the model checker is asked about in questions of their own: all that is not about
/// pointees ([`ObligationKind::is_about_pointees`]), and each kind of those that are. So none of
/// them costs an answer to another.
pub(super) const QUESTIONS: [Option<ObligationKind>; 4] =
    [None, Some(ObligationKind::Lifetime), Some(ObligationKind::Initialised), Some(ObligationKind::Calls)];
/// The most places that a note lists.
const MOST_PLACES: usize = 8;

/// The obligations with their verdicts so far, and the notes about the run.
pub(super) struct Board<'a> {
    entries: Vec<Entry>,
    /// The entries by what they are about.
    places: HashMap<ObligationKey, Vec<usize>>,
    progress: &'a dyn Progress,
    stage: Stage,
    began: Instant,
    /// The time of the last decision.
    pub(super) last: Instant,
    pub(super) statistics: BTreeMap<String, u64>,
    pub(super) notes: Vec<String>,
    /// Reasons why a failing run may not be a run of the program.
    doubts: Vec<String>,
}

struct Entry {
    obligation: Obligation,
    /// Not `Unknown`: decided, and never changed again.
    verdict: Verdict,
    evidence: Evidence,
    /// Why the obligation is open, by stage.
    reasons: BTreeMap<Stage, Reason>,
}

impl<'a> Board<'a> {
    pub(super) fn new(obligations: Vec<Obligation>, progress: &'a dyn Progress) -> Board<'a> {
        let mut places: HashMap<ObligationKey, Vec<usize>> = HashMap::new();
        (0..).zip(&obligations).for_each(|(n, o)| places.entry(o.key).or_default().push(n));
        Board {
            places,
            entries: obligations.into_iter().map(Entry::new).collect(),
            progress,
            stage: Stage::Domains,
            began: clock::now(),
            last: clock::now(),
            statistics: BTreeMap::new(),
            notes: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// The same board with reasons why a failing run may not be a run of the program. Then nothing
    /// is reported as violated.
    pub(super) fn doubting(self, doubts: &[String]) -> Board<'a> {
        Board { doubts: doubts.to_vec(), ..self }
    }

    /// Attributes all later decisions to this stage.
    pub(super) fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.began = clock::now();
        self.progress.working(stage, "");
    }

    /// Reports what the current stage is doing.
    pub(super) fn working(&self, what: &str) {
        self.progress.working(self.stage, what);
    }

    /// Reports the assumptions of later decisions, in addition to those known at the start.
    pub(super) fn granted(&self, assumptions: &[Assumption], configuration: &BTreeMap<String, String>) {
        self.progress.granted(assumptions, configuration);
    }

    /// The obligations that are still open, but for those about pointees.
    pub(super) fn open(&self) -> Vec<Obligation> {
        self.all_open().into_iter().filter(|o| !o.kind.is_about_pointees()).collect()
    }

    /// Those of that kind.
    pub(super) fn open_about(&self, kind: ObligationKind) -> Vec<Obligation> {
        self.all_open().into_iter().filter(|o| o.kind == kind).collect()
    }

    /// Those that the model checker is asked about in one of the [`QUESTIONS`].
    pub(super) fn open_to(&self, question: Option<ObligationKind>) -> Vec<Obligation> {
        question.map_or_else(|| self.open(), |kind| self.open_about(kind))
    }

    /// Those that hold wherever runs pass them.
    pub(super) fn known(&self) -> BTreeSet<ObligationKey> {
        let holds = |n: &usize| matches!(self.entries[*n].verdict, Verdict::Proved | Verdict::Unreachable);
        self.places.iter().filter(|(_, entries)| entries.iter().all(holds)).map(|(key, _)| *key).collect()
    }

    /// All obligations that are still open. Those about pointees are for runs, the value analysis
    /// and the model checker: the programs of the other stages say neither where heap blocks end,
    /// nor what has been written, nor what is called.
    pub(super) fn all_open(&self) -> Vec<Obligation> {
        self.entries.iter().filter(|e| e.is_open()).map(|e| e.obligation.clone()).collect()
    }

    /// Whether it is open of some read whether something has written what it reads.
    pub(super) fn asks_about_reads(&self) -> bool {
        self.entries.iter().any(|e| e.is_open() && e.obligation.kind == ObligationKind::Initialised)
    }

    /// Whether all open obligations are operations of the program, with no assertion among them.
    pub(super) fn only_checks_are_open(&self) -> bool {
        let is_check = |e: &Entry| matches!(e.obligation.key, ObligationKey::Check(..));
        self.entries.iter().filter(|e| e.is_open()).all(is_check)
    }

    /// Whether an obligation is on this board and still open.
    pub(super) fn is_open(&self, key: ObligationKey) -> bool {
        self.about(key).any(Entry::is_open)
    }

    /// Records the answer of the current stage, unless the obligation is decided. If a stage gives
    /// several reasons for leaving it open, the last one is kept.
    pub(super) fn answer(&mut self, key: ObligationKey, answer: Answer) {
        let answer = match (answer, self.doubts.first()) {
            (Answer::Violated(..), Some(doubt)) => Answer::Open(Reason::Doubtful(doubt.clone())),
            (answer, _) => answer,
        };
        let (verdict, detail, counterexample) = match answer {
            Answer::Proved(detail) => (Verdict::Proved, detail, None),
            Answer::Unreachable(detail) => (Verdict::Unreachable, detail, None),
            Answer::Violated(detail, run) => (Verdict::Violated, detail, Some(run)),
            Answer::Open(reason) => return self.leave(key, reason),
        };
        let time_ms = self.elapsed_ms();
        let stage = self.stage;
        if let Some(entry) = self.entry(key) {
            entry.verdict = verdict;
            entry.evidence = Evidence { detail, time_ms, counterexample, ..Evidence::of(stage) };
            let decided = entry.decided();
            self.last = clock::now();
            self.progress.decided(&decided);
        }
    }

    /// Records why the current stage leaves an obligation open.
    pub(super) fn leave(&mut self, key: ObligationKey, reason: Reason) {
        let time_ms = self.elapsed_ms();
        let stage = self.stage;
        if let Some(entry) = self.entry(key) {
            entry.reasons.insert(stage, reason);
            entry.evidence.stage = stage;
            entry.evidence.time_ms = time_ms;
            let left = entry.decided();
            self.progress.left(&left);
        }
    }

    /// Records the loop invariants that the proof of an obligation rests on.
    pub(super) fn rests_on(&mut self, key: ObligationKey, invariants: Vec<FoundInvariant>) {
        if let Some(n) = self.places.get(&key).and_then(|places| places.first()) {
            self.entries[*n].evidence.invariants = invariants;
        }
    }

    /// Records what came nearest to a proof of an obligation.
    pub(super) fn lacks(&mut self, key: ObligationKey, nearest: NearestInvariant) {
        if let Some(entry) = self.entry(key) {
            entry.evidence.nearest = Some(nearest);
        }
    }

    /// The entries about an obligation.
    fn about(&self, key: ObligationKey) -> impl Iterator<Item = &Entry> {
        self.places.get(&key).into_iter().flatten().map(|n| &self.entries[*n])
    }

    /// The open entry of an obligation.
    fn entry(&mut self, key: ObligationKey) -> Option<&mut Entry> {
        let n = self.places.get(&key)?.iter().find(|n| self.entries[**n].is_open())?;
        Some(&mut self.entries[*n])
    }

    /// Calls [`Board::leave`] for those obligations for which the current stage has given no
    /// reason.
    pub(super) fn leave_unless_told(&mut self, obligations: &[Obligation], reason: &Reason) {
        for obligation in obligations {
            let told = |e: &Entry| e.reasons.contains_key(&self.stage);
            if !self.about(obligation.key).any(told) {
                self.leave(obligation.key, reason.clone());
            }
        }
    }

    /// [`Board::each`] for the assertions. The stage says nothing of other obligations.
    pub(super) fn each_assertion(
        &mut self,
        deadline: Instant,
        mut decide: impl FnMut(&Obligation, AssertionId, Instant, &mut Self) -> Result<String, Reason>,
    ) {
        let (assertions, checks) = self.open_by_kind();
        checks.iter().for_each(|check| self.leave(check.key, Reason::OnlyAssertions));
        self.each(&assertions, deadline, |obligation, until, board| match obligation.key {
            ObligationKey::Assertion(id) => decide(obligation, id, until, board),
            ObligationKey::Check(..) => Err(Reason::OnlyAssertions),
        });
    }

    /// The open assertions, and the open operations.
    pub(super) fn open_by_kind(&self) -> (Vec<Obligation>, Vec<Obligation>) {
        self.open().into_iter().partition(|o| matches!(o.key, ObligationKey::Assertion(_)))
    }

    /// Treats each obligation separately: `decide` returns what proves it, or why nothing does.
    /// Each gets an even share of the remaining time. Time that one does not use goes to the
    /// others.
    pub(super) fn each(
        &mut self,
        open: &[Obligation],
        deadline: Instant,
        mut decide: impl FnMut(&Obligation, Instant, &mut Self) -> Result<String, Reason>,
    ) {
        for (n, obligation) in open.iter().enumerate() {
            let left = deadline.saturating_duration_since(clock::now());
            if left < LEAST {
                self.leave_unless_told(&open[n..], &Reason::Time(Late::Share));
                return;
            }
            self.progress.looking_at(obligation, open.len() - n - 1);
            let share = left / u32::try_from(open.len() - n).unwrap_or(u32::MAX);
            match decide(obligation, clock::now() + share.max(LEAST), self) {
                Ok(detail) => self.answer(obligation.key, Answer::Proved(detail)),
                Err(reason) => self.leave(obligation.key, reason),
            }
        }
    }

    /// Removes a reason that the current stage has given for obligations of one of the
    /// [`QUESTIONS`].
    pub(super) fn take_back(&mut self, reason: &Reason, question: Option<ObligationKind>) {
        let stage = self.stage;
        for entry in &mut self.entries {
            let kind = entry.obligation.kind;
            let of_question = kind.is_about_pointees().then_some(kind) == question;
            if of_question && entry.reasons.get(&stage).is_some_and(|r| r == reason) {
                entry.reasons.remove(&stage);
            }
        }
    }

    /// Adds a sentence for the user about the run itself.
    pub(super) fn note(&mut self, sentence: &str) {
        if !self.notes.iter().any(|n| n == sentence) {
            self.notes.push(sentence.to_owned());
            self.progress.noted(sentence);
        }
    }

    /// Tells of heap blocks that are not freed, by their allocations. What the library's own code
    /// allocates is no concern of the program.
    pub(super) fn note_unfreed(&mut self, program: &Program, sites: &BTreeSet<SiteId>, how: &str) {
        let mut places = BTreeSet::new();
        // What smalti adds to the program allocates the arguments of an entry, for example.
        for function in program.functions.iter().filter(|f| !f.origin.is_hidden()) {
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
                if sites.contains(&s.site) && program.sources.file(s.location.file).own {
                    places.insert(s.location);
                }
            });
        }
        if !places.is_empty() {
            let some: Vec<String> = places.iter().take(MOST_PLACES).map(|at| program.sources.describe(*at)).collect();
            let more = if places.len() > MOST_PLACES { ", and at other places" } else { "" };
            self.note(&format!("heap blocks that {how}: those made at {}{more}", some.join(", ")));
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from((clock::now() - self.began).as_millis()).unwrap_or(u64::MAX)
    }

    /// The obligations with their verdicts so far.
    pub(super) fn so_far(&self) -> Vec<Decided> {
        self.entries.iter().map(Entry::decided).collect()
    }
}

impl Entry {
    fn new(obligation: Obligation) -> Entry {
        Entry {
            obligation,
            verdict: Verdict::Unknown,
            evidence: Evidence::of(Stage::Domains),
            reasons: BTreeMap::new(),
        }
    }

    /// Whether a stage may decide the obligation.
    fn is_open(&self) -> bool {
        self.verdict == Verdict::Unknown && self.obligation.unsupported.is_none()
    }

    /// The entry of the obligation in a report.
    fn decided(&self) -> Decided {
        let mut evidence = self.evidence.clone();
        evidence.reasons =
            self.reasons.iter().map(|(stage, reason)| LeftOpen { stage: *stage, reason: reason.clone() }).collect();
        Decided { obligation: self.obligation.clone(), verdict: self.verdict, evidence }
    }
}
