//! Puts one query to the model checker: from the obligations to the conclusions that its answer
//! allows.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::progress::Silent;
use super::replay::{self, Replayed};
use super::uncalled::Uncalled;
use crate::cbmc::{
    ADDRESSES, Answer, CAPACITY, EmitOptions, Emitted, Failure, ModelChecker, PropertyAnswer, Purpose, Query, Sizes,
    Trace, Tuning, Undefined, emit,
};
use crate::clock;
use crate::program::{Length, Obligation, ObligationKey, Program, Type};
use crate::verdict::{Answer as Said, Late, Reason, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The model checker, and what is known about how to ask it.
pub(super) struct Checker<'a> {
    program: &'a Program,
    model: Result<&'a dyn ModelChecker, String>,
    /// Obligations in functions that nothing calls; they are never asked about.
    pub(super) uncalled: Uncalled,
    /// Whether traces need to show what heap blocks hold before they are written.
    log_heap: bool,
    queries: u64,
    time: Duration,
}

/// A question: about the program, or about one that a reduction has made of it.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) program: &'a Program,
    /// The obligations asked about; for a [`Purpose::Reach`] the question is whether some run
    /// reaches them.
    pub(super) obligations: &'a [Obligation],
    pub(super) purpose: Purpose,
    /// The treatment of undefined behaviour that the soundness proof of the reduction needs.
    pub(super) undefined: Undefined,
    pub(super) sizes: Sizes,
    pub(super) unwind: u32,
    pub(super) unwinding_assertions: bool,
    pub(super) tuning: Tuning,
}

impl<'a> Question<'a> {
    /// Asks whether any run fails. All runs are followed, and loops must be shown to end within
    /// `unwind` iterations.
    pub(super) fn of_all_runs(program: &'a Program, obligations: &'a [Obligation], unwind: u32) -> Self {
        Question {
            program,
            obligations,
            purpose: Purpose::Decide,
            undefined: Undefined::Ends,
            sizes: Sizes::Any,
            unwind,
            unwinding_assertions: true,
            tuning: Tuning::Plain,
        }
    }
}

/// The result of a query. Refuted obligations are already on the board.
pub(super) struct Found {
    /// How many obligations were refuted, by runs that the interpreter has confirmed.
    pub(super) refuted: usize,
    /// The obligations that no run within the unwinding fails.
    pub(super) holds: BTreeSet<ObligationKey>,
    /// Every loop was followed to its end, and every object fits into CBMC's addresses.
    pub(super) complete: bool,
    /// Reasons why success still proves nothing, one sentence each.
    pub(super) obstacles: Vec<String>,
}

/// Why a query gave no result.
pub(super) struct Refusal {
    pub(super) reason: Reason,
    /// Whether another tuning may do better.
    pub(super) may_be_tuned: bool,
}

impl Refusal {
    /// A refusal after which no other query is worth trying.
    pub(super) fn final_one(reason: Reason) -> Refusal {
        Refusal { reason, may_be_tuned: false }
    }
}

/// The cost of a question to CBMC in steps, estimated from the size of the question.
fn cost(query: &Query) -> u64 {
    (query.source.len() as u64).saturating_mul(u64::from(query.unwind)).saturating_mul(STEPS_PER_BYTE)
}

/// See [`cost`].
const STEPS_PER_BYTE: u64 = 10;

/// The reason if CBMC's answer for an obligation is neither success nor failure.
fn answered(word: &str) -> Reason {
    Reason::Failed { tool: Tool::Cbmc, how: format!("answers `{word}`") }
}

/// The reason if CBMC has followed all runs and given no answer for the obligation.
pub(super) fn no_answer() -> Reason {
    Reason::Failed { tool: Tool::Cbmc, how: "did not answer".to_owned() }
}

/// The answers for a reduced program. Nothing is put on the board: the reduction knows what they
/// mean for the original program.
pub(super) struct Judged {
    /// The obligations that no run fails (or reaches). Empty unless every loop was followed to its
    /// end, every object fits into CBMC's addresses, and the text covers all runs of the reduced
    /// program.
    pub(super) holds: BTreeSet<ObligationKey>,
    /// The obligations that some run fails (or reaches), with that run. The run belongs to the
    /// reduced program.
    pub(super) fails: BTreeMap<ObligationKey, Trace>,
    /// Whether every loop was followed to its end.
    pub(super) complete: bool,
    /// Why nothing holds.
    pub(super) obstacles: Vec<String>,
    /// The text that was asked about; it is needed to read the traces.
    pub(super) emitted: Emitted,
}

/// The time in which runs of the interpreter may show that obligations are reached.
const FOR_RUNS: Duration = Duration::from_secs(1);

/// The number of cells above which an array is not written out cell by cell.
const LARGE_ARRAY: u64 = 1000;

impl<'a> Checker<'a> {
    pub(super) fn new(program: &'a Program, model: Result<&'a dyn ModelChecker, String>) -> Checker<'a> {
        Checker { program, model, uncalled: Uncalled::new(program), log_heap: false, queries: 0, time: Duration::ZERO }
    }

    /// The model checker, for questions about other programs.
    pub(super) fn model(&self) -> Result<&'a dyn ModelChecker, String> {
        self.model.clone()
    }

    /// The tuning to begin with.
    pub(super) fn tuning(&self) -> Tuning {
        tuning_for(self.program)
    }

    /// Adds what the queries cost.
    pub(super) fn count(&self, statistics: &mut BTreeMap<String, u64>) {
        if self.queries > 0 {
            statistics.insert("cbmc_queries".into(), self.queries);
            statistics.insert("cbmc_ms".into(), u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX));
        }
    }

    /// Puts a question to the model checker.
    fn put(
        &mut self,
        question: &Question<'_>,
        log_heap: bool,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<(Emitted, Answer), Refusal> {
        let model = match &self.model {
            Ok(model) => *model,
            Err(why) => {
                board.note(why);
                return Err(Refusal::final_one(Reason::Missing(why.clone())));
            }
        };
        let &Question { program, obligations, purpose, undefined, sizes, unwind, unwinding_assertions, tuning } =
            question;
        let known = &board.known();
        let emitted = emit(program, &EmitOptions { obligations, known, purpose, undefined, sizes, log_heap });
        if !emitted.properties.values().any(Option::is_some) {
            let what = "CBMC cannot be asked about it".to_owned();
            return Err(Refusal::final_one(Reason::Refused { what, place: None }));
        }
        let query = Query {
            source: emitted.source.clone(),
            properties: emitted.properties.keys().cloned().collect(),
            data_model: program.data_model,
            big_endian: program.representation.big_endian,
            unwind,
            unwinding_assertions,
            // With several properties, all failures are wanted. For a proof, no answer may be
            // missing.
            stop_at_failure: !unwinding_assertions && emitted.properties.len() == 1,
            tuning,
        };
        let start = Instant::now();
        let answer = model.run(&query, clock::of_others(deadline));
        clock::spend(cost(&query));
        self.queries += 1;
        self.time += start.elapsed();
        match answer {
            Ok(answer) => Ok((emitted, answer)),
            Err(failure) => {
                log::info!("CBMC {failure}");
                let may_be_tuned = matches!(failure, Failure::Late | Failure::Memory(_));
                Err(Refusal { reason: Reason::of_failure(Tool::Cbmc, &failure), may_be_tuned })
            }
        }
    }

    /// Asks about all runs of a program.
    pub(super) fn judge(
        &mut self,
        question: &Question<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<Judged, Refusal> {
        let (emitted, answer) = self.put(question, false, deadline, board)?;
        let mut obstacles: Vec<String> = emitted.obstacles.iter().chain(&answer.surprises).cloned().collect();
        if !answer.complete {
            obstacles.push(format!("not every loop ends within {} unwindings", question.unwind));
        }
        if !holds(&answer, CAPACITY) {
            obstacles.push("an array may be too large for CBMC".to_owned());
        }
        if !holds(&answer, ADDRESSES) {
            obstacles.push("addresses of different objects may be compared".to_owned());
        }
        let complete = answer.complete;
        let (mut holds, mut fails) = (BTreeSet::new(), BTreeMap::new());
        for (name, answer) in answer.properties {
            let Some(Some(key)) = emitted.properties.get(&name) else { continue };
            match answer {
                PropertyAnswer::Holds if obstacles.is_empty() => {
                    holds.insert(*key);
                }
                PropertyAnswer::Holds => {}
                PropertyAnswer::Open(word) => obstacles.push(format!("CBMC answers `{word}`")),
                PropertyAnswer::Fails(trace) => {
                    fails.insert(*key, trace);
                }
            }
        }
        Ok(Judged { holds, fails, complete, obstacles, emitted })
    }

    /// Returns what some run fails (or reaches), as far as the unwinding shows. Puts nothing on a
    /// board and replays no run.
    pub(super) fn failing(
        &mut self,
        question: &Question<'_>,
        deadline: Instant,
    ) -> Result<BTreeSet<ObligationKey>, Refusal> {
        let (emitted, answer) = self.put(question, false, deadline, &mut Board::new(Vec::new(), &Silent))?;
        if let Some(why) = emitted.obstacles.first() {
            return Err(Refusal::final_one(Reason::Obstacle(why.clone())));
        }
        let mut fails = BTreeSet::new();
        for (name, answer) in answer.properties {
            match answer {
                PropertyAnswer::Holds => {}
                PropertyAnswer::Fails(_) => fails.extend(emitted.properties.get(&name).copied().flatten()),
                PropertyAnswer::Open(word) => {
                    return Err(Refusal::final_one(answered(&word)));
                }
            }
        }
        Ok(fails)
    }

    /// Decides obligations that hold in all runs of a program that represents the original one,
    /// under [`Undefined::Ends`]. If runs reach an obligation, it is proved. If no run does, the
    /// cause matters. An obligation that no run would reach even beyond undefined behaviour is
    /// unreachable. If only undefined behaviour keeps runs away, the program fails earlier, and the
    /// obligation stays open. If the question is about a part of the program, `arrivals` tells
    /// whether runs of the whole program reach the obligation. A question about the whole program
    /// covers the operations before a check, so its answer counts.
    pub(super) fn settle(
        &mut self,
        question: &Question<'_>,
        held: &BTreeSet<ObligationKey>,
        detail: &str,
        (arrivals, need): (&mut Arrivals<'_>, Need),
        deadline: Instant,
        board: &mut Board<'_>,
    ) {
        let unconfirmed = Reason::Time(Late::Arriving);
        // What is said of the past of objects covers only a part of the runs that go on after the
        // end of an object, or a read of what nothing has written, so that runs must show that the
        // obligation is reached.
        let of_past =
            |key: ObligationKey| question.obligations.iter().any(|o| o.key == key && o.kind.is_about_the_past());
        // Runs of the program are the quickest way to show it.
        let mut left = held.clone();
        let until = deadline.min(clock::now() + FOR_RUNS);
        left.retain(|key| {
            let came = arrivals.comes_soon(*key, until);
            if came {
                board.answer(*key, Said::Proved(detail.to_owned()));
            }
            !came
        });
        let mut vouch = |key: ObligationKey, asked: Need| match key {
            ObligationKey::Check(..) if need == Need::NoContrary && !of_past(key) => Ok(()),
            _ => arrivals.vouch(key, asked, deadline),
        };
        for defined in [true, false] {
            let obligations: Vec<Obligation> =
                question.obligations.iter().filter(|o| left.contains(&o.key)).cloned().collect();
            if obligations.is_empty() {
                return;
            }
            let reach = Question { obligations: &obligations, purpose: Purpose::Reach { defined }, ..*question };
            let Ok(judged) = self.judge(&reach, deadline, board) else {
                left.iter().for_each(|key| board.leave(*key, unconfirmed.clone()));
                return;
            };
            if defined {
                for key in judged.fails.keys() {
                    match vouch(*key, need) {
                        Ok(()) => board.answer(*key, Said::Proved(detail.to_owned())),
                        Err(why) => board.leave(*key, why),
                    }
                    left.remove(key);
                }
                continue;
            }
            for key in &left {
                if judged.holds.contains(key) {
                    // CBMC evaluates an undefined condition to one of many possible values.
                    match vouch(*key, Need::NoContrary) {
                        Ok(()) => board.answer(*key, Said::Unreachable(detail.to_owned())),
                        Err(why) => board.leave(*key, why),
                    }
                } else if judged.fails.contains_key(key) {
                    board.leave(*key, Reason::Undefined);
                } else {
                    board.leave(*key, unconfirmed.clone());
                }
            }
        }
    }

    /// Asks about obligations of the program itself. Confirms reported failures and puts them on
    /// the board.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<Found, Refusal> {
        let called = |o: &&Obligation| !self.uncalled.contains(o.key);
        let obligations: Vec<Obligation> = question.obligations.iter().filter(called).cloned().collect();
        let question = Question { obligations: &obligations, ..*question };
        loop {
            let bounded = matches!(question.sizes, Sizes::AtMost(_));
            let (emitted, answer) = self.put(&question, self.log_heap && bounded, deadline, board)?;
            let mut found = Found {
                refuted: 0,
                holds: BTreeSet::new(),
                complete: answer.complete && fits(&answer),
                obstacles: emitted.obstacles.iter().chain(&answer.surprises).cloned().collect(),
            };
            let mut wants_heap = false;
            for (name, answer) in &answer.properties {
                let Some(Some(key)) = emitted.properties.get(name) else { continue };
                match answer {
                    PropertyAnswer::Holds => {
                        found.holds.insert(*key);
                    }
                    PropertyAnswer::Open(word) => board.leave(*key, answered(word)),
                    PropertyAnswer::Fails(trace) => {
                        wants_heap |= self.confirm(*key, trace, &emitted, &question, &mut found, deadline, board);
                    }
                }
            }
            if wants_heap && found.refuted == 0 && bounded && !self.log_heap {
                self.log_heap = true;
                continue;
            }
            return Ok(found);
        }
    }

    /// Replays a failing run. Returns whether it needed the contents of heap blocks.
    fn confirm(
        &self,
        key: ObligationKey,
        trace: &Trace,
        emitted: &Emitted,
        question: &Question<'_>,
        found: &mut Found,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> bool {
        if !board.is_open(key) {
            return false;
        }
        match replay::replay(self.program, emitted, trace, deadline, key, |k| board.is_open(k)) {
            Replayed::Fails(failed, counterexample) => {
                let detail = match question.sizes {
                    Sizes::AtMost(n) => format!("sizes up to {n}, replayed"),
                    Sizes::Any => format!("unwinding {}, replayed", question.unwind),
                };
                // The run may fail somewhere earlier: it then refutes that obligation.
                if board.is_open(failed) {
                    board.answer(failed, Said::Violated(detail, counterexample));
                    found.refuted += 1;
                }
                if failed != key {
                    board.leave(key, Reason::FailsElsewhere);
                }
                false
            }
            Replayed::Not { reason, wants_heap } => {
                board.leave(key, reason);
                wants_heap
            }
        }
    }
}

/// The tuning to try where the plain one fails.
pub(super) const RESCUE: Tuning = Tuning::Functions;

/// Whether CBMC's addresses suffice for the program: every object fits, and nothing depends on the
/// addresses of objects.
fn fits(answer: &Answer) -> bool {
    holds(answer, CAPACITY) && holds(answer, ADDRESSES)
}

fn holds(answer: &Answer, property: &str) -> bool {
    answer.properties.get(property).is_none_or(|a| *a == PropertyAnswer::Holds)
}

/// The tuning to begin with, for a program.
pub(super) fn tuning_for(program: &Program) -> Tuning {
    let large = |ty: &Type| {
        let mut cells = 1u64;
        let mut ty = ty;
        while let Type::Array(element, length) = ty {
            if let Length::Constant(n) = length {
                cells = cells.saturating_mul(*n);
            }
            ty = element;
        }
        cells > LARGE_ARRAY
    };
    // An array of 100,000 cells that is written out cell by cell costs half a minute before the
    // first question. As a function it costs nothing.
    if program.variables.iter().any(|v| large(&v.ty)) { Tuning::Functions } else { Tuning::Plain }
}
