//! The stage `domains`: abstract interpretation.

use super::CheckConfig;
use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::invariants::check_invariants;
use super::query::Checker;
use crate::analysis::{self, Analysis, AnalysisConfig, Names};
use crate::clock;
use crate::program::{Assumption, Obligation, ObligationKey, Program};
use crate::verdict::{Answer, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Of the time that is left, what a stack may use that is not the last.
const SHARE: f64 = 0.7;
/// Of the time that is left, what the last of several stacks may use where no assertion is open.
const SHARE_FOR_CHECKS: f64 = 0.4;
/// Of more scalars than this, a single operation of a library's polyhedra may take longer than all
/// the time there is, and cannot be interrupted.
const MOST_SCALARS: usize = 300;

/// The stacks that are tried one after the other, and what they say beside verdicts.
pub(super) struct Run<'a> {
    program: &'a Program,
    config: &'a CheckConfig,
    ran: Vec<String>,
    /// The most scalars that a stack has told apart.
    scalars: usize,
    pub(super) assumptions: Vec<Assumption>,
    /// No run has contradicted what the domains say of loops. (It is only asked with `--verify`.)
    pub(super) trusted: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(program: &'a Program, config: &'a CheckConfig) -> Self {
        Run { program, config, ran: Vec::new(), scalars: 0, assumptions: Vec::new(), trusted: true }
    }

    /// Analyses the program with the native stacks that come first, as long as something is open.
    /// Each is given a share of the time that is left, the last one all of it.
    pub(super) fn first(
        &mut self,
        checker: &Checker<'_>,
        arrivals: &mut Arrivals<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(), analysis::Error> {
        let native = self.config.analysis.registry.native_first(&self.config.stacks);
        self.each(&self.config.stacks[..native], checker, arrivals, deadline, board)?;
        board.leave_unless_told(&board.open(), &Reason::Unproved);
        Ok(())
    }

    /// Analyses it with the others, in the same way.
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
                "{stacks} was not tried: it takes too long where there are more than {MOST_SCALARS} scalars, and here \
                 are {scalars}; `--stack` with its name alone tries it"
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
                // A dearer stack is for what assertions say of arrays. Of operations it decides
                // few.
                1 if n > 0 && board.only_checks_are_open() => now + left.mul_f64(SHARE_FOR_CHECKS),
                1 => deadline,
                // What the cheapest stack says counts for all that comes after it.
                _ => now + left.mul_f64(SHARE),
            };
            self.analyse(stack, checker, arrivals, until, board)?;
        }
        Ok(())
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
        // Whoever hears of a proof has heard before what it rests on.
        self.assumptions.extend(found.assumptions);
        self.ran.push(found.stack.clone());
        self.scalars = self.scalars.max(found.scalars);
        board.granted(&self.assumptions, &self.configuration());
        if analysis.verify && !self.passes(&analysis, checker, deadline, board)? {
            self.trusted = false;
            let words = "what the domains say of a loop is wrong, so they prove nothing";
            board.leave_unless_told(&board.open(), &Reason::Undecided(words.to_owned()));
            return Ok(());
        }
        let defined = found.findings.iter().filter(|(_, finding)| !finding.suspect).map(|(key, _)| *key);
        arrivals.defined.extend(defined);
        for (key, finding) in found.findings {
            // Where an operation may be undefined, or an assumption broken, the domains do not know
            // whether any run gets past it. Of checks they are believed.
            if finding.verdict == Verdict::Proved
                && matches!(key, ObligationKey::Assertion(_))
                && (finding.suspect || arrivals.may_break)
                && let Err(why) = arrivals.vouch(key, Need::NoContrary, deadline)
            {
                board.leave(key, why);
                continue;
            }
            board.answer(
                key,
                match finding.verdict {
                    Verdict::Proved => Answer::Proved(found.stack.clone()),
                    Verdict::Unreachable => Answer::Unreachable(found.stack.clone()),
                    // An invariant that says "always fails" is no run that does.
                    Verdict::Unknown | Verdict::Violated => Answer::Open(finding.open.unwrap_or(Reason::Unproved)),
                },
            );
        }
        for (name, number) in found.statistics {
            *board.statistics.entry(name).or_default() += number;
        }
        found.notes.iter().for_each(|sentence| board.note(sentence));
        let (decided, time) = (before - board.open().len(), (clock::now() - begin).as_millis());
        let cut = if found.complete { "" } else { ", cut off" };
        log::info!("{} decided {decided} of {before} obligations in {time} ms{cut}", found.stack);
        Ok(())
    }

    /// What the stack is known to say of all these obligations.
    fn known(&self, stack: &str, open: &[Obligation]) -> Option<&Analysis> {
        let of_all = |known: &&Analysis| open.iter().all(|o| known.findings.contains_key(&o.key));
        self.config.known.iter().filter(|known| known.stack == stack).find(of_all)
    }

    /// Whether no run contradicts what the domains say of loops, as far as small sizes show; what
    /// was found out is noted.
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
        let checked = check_invariants(self.program, &analysis, Names::Reader, checker.model(), deadline)?;
        checked.sentences(self.program).iter().for_each(|sentence| board.note(sentence));
        Ok(checked.wrong().next().is_none())
    }

    /// How the analyses were configured; nothing if there was none.
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
