//! The stage `domains`: abstract interpretation.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::config::CheckConfig;
use super::invariants::check_invariants;
use super::query::Checker;
use crate::analysis::{self, AllowedNames, Analysis, AnalysisConfig};
use crate::clock;
use crate::inline;
use crate::program::{Assumption, Callees, Obligation, ObligationKey, ObligationKind, Program, SiteId};
use crate::values;
use crate::verdict::{Answer, Reason, Stage, Verdict};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The share of the remaining time that a stack may use if it is not the last.
const SHARE: f64 = 0.7;
/// The share of the remaining time that the last of several stacks may use if no assertion is open.
const SHARE_FOR_CHECKS: f64 = 0.4;
/// The share of the time that the first stack may use if the value analysis follows.
const SHARE_BEFORE_VALUES: f64 = 0.15;
/// The share of all remaining time that the value analysis may use. It ends by itself after some
/// millions of statements.
const SHARE_OF_VALUES: f64 = 0.5;
/// The same for programs with too many calls to be replaced by bodies. The value analysis comes
/// first there: the stacks, and most other stages, see a part of the program only.
const SHARE_OF_VALUES_IF_LARGE: f64 = 0.8;
/// The most scalars for a library's polyhedra. With more, a single operation may take longer than
/// the whole time limit, and it cannot be interrupted.
const MOST_SCALARS: usize = 300;

/// The stacks that are tried one after the other, and their results other than verdicts.
pub(super) struct Run<'a> {
    /// The program, with calls of functions in the place of calls through pointers as soon as it is
    /// known where they lead.
    pub(super) program: &'a Program,
    /// Where that program is kept.
    resolved: &'a OnceCell<Program>,
    config: &'a CheckConfig,
    ran: Vec<String>,
    /// Whether the program has too many calls to be replaced by bodies.
    is_large: bool,
    /// The largest number of scalars that a stack has distinguished.
    scalars: usize,
    pub(super) assumptions: Vec<Assumption>,
    /// Whether no run has contradicted what the domains say of loops. (This is only checked with
    /// `--verify`.)
    pub(super) trusted: bool,
    /// Whether the last analysis ended early.
    is_cut_off: bool,
    /// What the value analysis did not reach, perhaps only because runs end before it.
    unreached: Vec<Unreached>,
}

/// Obligations to which no run comes, unless one of some checks fails.
struct Unreached {
    unless: BTreeSet<ObligationKey>,
    obligations: Vec<ObligationKey>,
}

impl<'a> Run<'a> {
    pub(super) fn new(program: &'a Program, resolved: &'a OnceCell<Program>, config: &'a CheckConfig) -> Self {
        Run {
            program,
            resolved,
            config,
            ran: Vec::new(),
            is_large: inline::is_too_large(program),
            scalars: 0,
            assumptions: Vec::new(),
            trusted: true,
            is_cut_off: false,
            unreached: Vec::new(),
        }
    }

    /// Analyses the program with the native stacks, which come first, as long as something is open.
    /// Each gets a share of the remaining time, the last one all of it.
    pub(super) fn first(
        &mut self,
        checker: &Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(), analysis::Error> {
        let native = self.config.analysis.registry.native_first(&self.config.stacks);
        let mut stacks = &self.config.stacks[..native];
        if self.config.values && self.is_large {
            self.values(arrivals, deadline, board);
        } else if self.config.values {
            let now = clock::now();
            let soon = now + deadline.saturating_duration_since(now).mul_f64(SHARE_BEFORE_VALUES);
            let (cheapest, rest) = stacks.split_at(native.min(1));
            self.each(cheapest, checker, arrivals, soon, board)?;
            self.values(arrivals, deadline, board);
            // What took too long is tried again, where it is still needed, and so is what could not
            // follow calls through pointers.
            if !self.is_cut_off && self.resolved.get().is_none() {
                stacks = rest;
            }
        }
        self.each(stacks, checker, arrivals, deadline, board)?;
        self.tell_unreached(board);
        board.leave_unless_told(&board.all_open(), &Reason::Unproved);
        Ok(())
    }

    /// Gives the answers of the value analysis about what it did not reach.
    ///
    /// **Sound**: each run up to its first undefined operation is one that the value analysis has
    /// followed, up to the first of its checks that fails. If other domains show that these checks
    /// hold wherever runs come to them, it has followed all runs to the end.
    fn tell_unreached(&self, board: &mut Board<'_>) {
        let known = board.known();
        for Unreached { unless, obligations } in &self.unreached {
            if unless.is_subset(&known) {
                obligations.iter().for_each(|key| board.answer(*key, Answer::Unreachable(values::NAME.to_owned())));
            }
        }
    }

    /// Analyses the program with the other stacks, in the same way.
    pub(super) fn others(
        &mut self,
        checker: &Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(), analysis::Error> {
        let native = self.config.analysis.registry.native_first(&self.config.stacks);
        if self.scalars > MOST_SCALARS {
            let (scalars, stacks) = (self.scalars, self.config.stacks[native..].join(" and "));
            board.note(&format!(
                "{stacks} was not tried, because it takes too long with more than {MOST_SCALARS} scalars and this \
                 program has {scalars}; to try it, name it alone with `--stack`"
            ));
            return Ok(());
        }
        self.each(&self.config.stacks[native..], checker, arrivals, deadline, board)
    }

    fn each(
        &mut self,
        stacks: &[String],
        checker: &Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(), analysis::Error> {
        for (n, stack) in stacks.iter().enumerate() {
            let now = clock::now();
            if board.open().is_empty() || now >= deadline {
                break;
            }
            let left = deadline.saturating_duration_since(now);
            let until = match stacks.len() - n {
                // A more expensive stack is for assertions about arrays. It decides few operations.
                1 if n > 0 && board.only_checks_are_open() => now + left.mul_f64(SHARE_FOR_CHECKS),
                1 => deadline,
                // All later stages use the results of the cheapest stack.
                _ => now + left.mul_f64(SHARE),
            };
            self.analyse(stack, checker, arrivals, until, board)?;
        }
        Ok(())
    }

    /// Decides what the value analysis proves, if it is to run.
    fn values(&mut self, arrivals: &mut Arrivals<'_>, deadline: Instant, board: &mut Board<'_>) {
        let (open, now) = (board.all_open(), clock::now());
        let notes_blocks = self.config.checks.contains(&ObligationKind::Lifetime);
        if !self.config.values || open.is_empty() || now >= deadline {
            return;
        }
        board.working("value analysis");
        // Nothing follows if there are no other stacks and stages.
        let is_last = self.config.stacks.is_empty() && self.config.stages.iter().eq([&Stage::Domains]);
        let share = match (is_last, self.is_large) {
            (true, _) => 1.0,
            (false, true) => SHARE_OF_VALUES_IF_LARGE,
            (false, false) => SHARE_OF_VALUES,
        };
        let until = now + self.config.deadline.saturating_duration_since(now).mul_f64(share);
        let (mut steps, mut unfreed, mut callees) = (0, BTreeSet::new(), BTreeMap::new());
        let (program, is_large) = (self.program, self.is_large);
        let end = values::analyse(program, &open, is_large, Some(until), &mut |results| {
            steps += results.steps;
            unfreed.extend(&results.unfreed);
            self.tell_values(&results, arrivals, deadline, board);
            callees.extend(results.callees);
            let cut_off = results.found.into_iter().filter(|(_, found)| *found == values::Found::CutOff);
            let obligations = cut_off.map(|(key, _)| key).collect();
            self.unreached.push(Unreached { unless: results.cut_off_by, obligations });
        });
        if let Err(failure) = end {
            log::info!("the value analysis has no result: {failure:?}");
            return;
        }
        if notes_blocks {
            board.note_unfreed(program, &unfreed, "no run frees");
        }
        let (left, time) = (board.all_open().len(), (clock::now() - now).as_millis());
        let (decided, before) = (open.len() - left, open.len());
        log::info!("{} decided {decided} of {before} obligations in {time} ms, {steps} steps", values::NAME);
        if left > 0 && !is_large {
            self.resolve(&callees);
        }
    }

    /// Replaces calls through pointers for all that follows, unless that makes the program too
    /// large.
    fn resolve(&mut self, callees: &BTreeMap<SiteId, Callees>) {
        let resolved = inline::resolve(self.program, callees).filter(|resolved| !inline::is_too_large(resolved));
        if let Some(resolved) = resolved {
            self.program = self.resolved.get_or_init(|| resolved);
        }
    }

    /// Gives the answers of the value analysis.
    fn tell_values(
        &mut self,
        results: &values::Results,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) {
        let told = results.found.iter().filter_map(|(key, found)| match found {
            values::Found::Holds => Some((*key, Answer::Proved(values::NAME.to_owned()))),
            values::Found::NotReached => Some((*key, Answer::Unreachable(values::NAME.to_owned()))),
            values::Found::CutOff | values::Found::Open => None,
        });
        let told: Vec<(ObligationKey, Answer)> = told.collect();
        if !told.is_empty() && self.ran.last().is_none_or(|last| last != values::NAME) {
            self.ran.push(values::NAME.to_owned());
        }
        self.assumptions.extend(analysis::standing_assumptions(self.program));
        board.granted(&self.assumptions, &self.configuration());
        let suspect = arrivals.after(&results.suspects, told.iter().map(|(key, _)| *key));
        for (key, answer) in told {
            if !suspect.contains(&key) {
                arrivals.defined.insert(key);
            }
            tell(key, answer, suspect.contains(&key), arrivals, deadline, board);
        }
    }

    /// Decides what the invariants of one stack prove.
    fn analyse(
        &mut self,
        stack: &str,
        checker: &Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(), analysis::Error> {
        let analysis =
            AnalysisConfig { stack: Some(stack.to_owned()), deadline: Some(deadline), ..self.config.analysis.clone() };
        board.working(&format!("abstract interpretation with {}", analysis.stack.as_deref().unwrap_or_default()));
        let open = board.open();
        let (begin, before) = (clock::now(), open.len());
        let mut found = match self.known(stack, &open) {
            Some(known) => known.clone(),
            None => analysis::analyse(self.program, &open, &analysis)?,
        };
        let open: BTreeSet<ObligationKey> = open.iter().map(|o| o.key).collect();
        found.findings.retain(|key, _| open.contains(key));
        // The assumptions of a proof are told before the proof itself.
        self.assumptions.extend(found.assumptions);
        self.ran.push(found.stack.clone());
        self.scalars = self.scalars.max(found.scalars);
        board.granted(&self.assumptions, &self.configuration());
        if analysis.verify && !self.passes(&analysis, checker, deadline, board)? {
            self.trusted = false;
            let words = "a loop invariant of the domains is wrong, so the domains prove nothing";
            board.leave_unless_told(&board.open(), &Reason::Undecided(words.to_owned()));
            return Ok(());
        }
        let defined = found.findings.iter().filter(|(_, finding)| !finding.suspect).map(|(key, _)| *key);
        arrivals.defined.extend(defined);
        arrivals.accesses_hold |= found.accesses_hold;
        for (key, finding) in found.findings {
            let answer = match finding.verdict {
                Verdict::Proved => Answer::Proved(found.stack.clone()),
                Verdict::Unreachable => Answer::Unreachable(found.stack.clone()),
                // An invariant that says "always fails" is not a failing run.
                Verdict::Unknown | Verdict::Violated => Answer::Open(finding.open.unwrap_or(Reason::Unproved)),
            };
            tell(key, answer, finding.suspect, arrivals, deadline, board);
        }
        for (name, number) in found.statistics {
            *board.statistics.entry(name).or_default() += number;
        }
        found.notes.iter().for_each(|sentence| board.note(sentence));
        let (decided, time) = (before - board.open().len(), (clock::now() - begin).as_millis());
        let cut = if found.complete { "" } else { ", cut off" };
        log::info!("{} decided {decided} of {before} obligations in {time} ms{cut}", found.stack);
        self.is_cut_off = !found.complete;
        Ok(())
    }

    /// The analysis by this stack that is already known, if it covers all these obligations and is
    /// one of the same program.
    fn known(&self, stack: &str, open: &[Obligation]) -> Option<&Analysis> {
        let of_all = |known: &&Analysis| open.iter().all(|o| known.findings.contains_key(&o.key));
        if self.resolved.get().is_some() {
            return None;
        }
        self.config.known.iter().filter(|known| known.stack == stack).find(of_all)
    }

    /// Whether no run contradicts what the domains say of loops, as far as small sizes show. Notes
    /// the result.
    fn passes(
        &self,
        analysis: &AnalysisConfig,
        checker: &Checker<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<bool, analysis::Error> {
        board.working("checking the invariants of loops");
        let now = clock::now();
        let half = Some(now + deadline.saturating_duration_since(now) / 2);
        let analysis = AnalysisConfig { deadline: half, ..analysis.clone() };
        let checked = check_invariants(self.program, &analysis, AllowedNames::Reader, checker.model(), deadline)?;
        checked.sentences(self.program).iter().for_each(|sentence| board.note(sentence));
        Ok(checked.wrong().next().is_none())
    }

    /// The configuration of the analyses; empty if there was none.
    pub(super) fn configuration(&self) -> BTreeMap<String, String> {
        if self.ran.is_empty() {
            return BTreeMap::new();
        }
        let analysis = &self.config.analysis;
        let settings = [
            ("stack", self.ran.join(" ")),
            ("widening_delay", analysis.widening_delay.to_string()),
            ("descending", analysis.descending.to_string()),
            ("peel", analysis.peel.to_string()),
        ];
        settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Gives an answer. If an operation on the way may be undefined (`suspect`) or an assumption
/// broken, it is not known whether any run gets past it, and the proof of an assertion needs a run
/// that gets there. Answers about checks count nevertheless.
fn tell(
    key: ObligationKey,
    answer: Answer,
    suspect: bool,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    if matches!((key, &answer), (ObligationKey::Assertion(_), Answer::Proved(_)))
        && (suspect || arrivals.may_break)
        && let Err(why) = arrivals.vouch(key, if suspect { Need::NoContrary } else { Need::NoEndBefore }, deadline)
    {
        board.leave(key, why);
        return;
    }
    board.answer(key, answer);
}
