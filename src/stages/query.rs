//! One query to the model checker, from obligations to what can be believed of the answer.

use super::board::Board;
use super::replay::{self, Replayed};
use super::uncalled::Uncalled;
use crate::cbmc::{
    CAPACITY, EmitOptions, Emitted, Failure, ModelChecker, PropertyAnswer, Purpose, Query, Sizes, Trace, Tuning,
    Undefined, emit,
};
use crate::program::{Length, Obligation, ObligationKey, Program, Type};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The model checker, and what is known about how to ask it.
pub(super) struct Checker<'a> {
    program: &'a Program,
    model: Result<&'a dyn ModelChecker, String>,
    /// Never asked about.
    pub(super) uncalled: Uncalled,
    /// Traces need to show what heap blocks hold before they are written.
    log_heap: bool,
    queries: u64,
    time: Duration,
}

/// What to ask.
pub(super) struct Ask<'a> {
    pub(super) obligations: &'a [Obligation],
    pub(super) unwind: u32,
    pub(super) unwinding_assertions: bool,
    pub(super) sizes: Sizes,
    pub(super) tuning: Tuning,
}

/// What came of a query. Refuted obligations are already on the board.
pub(super) struct Found {
    /// How many obligations were refuted, by runs that the interpreter has confirmed.
    pub(super) refuted: usize,
    /// Those that no run within the unwinding fails.
    pub(super) holds: Vec<ObligationKey>,
    /// Every loop was followed to its end, and every object fits into CBMC's addresses.
    pub(super) complete: bool,
    /// Why success proves nothing all the same; one sentence each.
    pub(super) obstacles: Vec<String>,
}

/// Why nothing came of it.
pub(super) struct Refusal {
    pub(super) reason: String,
    /// Another tuning may do better.
    pub(super) may_be_tuned: bool,
}

/// A question about a program that a reduction has made.
pub(super) struct Reduced<'a> {
    /// The reduced program.
    pub(super) program: &'a Program,
    /// What is asked about; of a [`Purpose::Reach`], whether some run comes there.
    pub(super) obligations: &'a [Obligation],
    pub(super) purpose: Purpose,
    /// What the soundness proof of the reduction says of undefined behaviour.
    pub(super) undefined: Undefined,
    pub(super) unwind: u32,
    pub(super) tuning: Tuning,
}

/// What a reduced program says. Nothing is put on the board: what it means for the original is the reduction's to say.
pub(super) struct Judged {
    /// Those that no run fails (or comes to). Only ever filled where every loop was followed to its end, every object fits into
    /// CBMC's addresses, and the text stands for all runs of the reduced program.
    pub(super) holds: BTreeSet<ObligationKey>,
    /// Those that some run fails (or comes to), with that run. What it shows holds of the reduced program.
    pub(super) fails: BTreeMap<ObligationKey, Trace>,
    /// Whether every loop was followed to its end.
    pub(super) complete: bool,
    /// Why nothing holds.
    pub(super) obstacles: Vec<String>,
    /// The text that was asked about, for whoever reads the traces.
    pub(super) emitted: Emitted,
}

/// Arrays of more cells than this are not written out cell by cell.
const LARGE_ARRAY: u64 = 1000;

impl<'a> Checker<'a> {
    pub(super) fn new(program: &'a Program, model: Result<&'a dyn ModelChecker, String>) -> Checker<'a> {
        Checker { program, model, uncalled: Uncalled::new(program), log_heap: false, queries: 0, time: Duration::ZERO }
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

    fn query(&self, emitted: &Emitted, ask: &Ask<'_>) -> Query {
        Query {
            source: emitted.source.clone(),
            properties: emitted.properties.keys().cloned().collect(),
            data_model: self.program.data_model,
            unwind: ask.unwind,
            unwinding_assertions: ask.unwinding_assertions,
            // Of several, all failures are wanted; and nothing may be missing where something is to be proved.
            stop_at_failure: !ask.unwinding_assertions && emitted.properties.len() == 1,
            tuning: ask.tuning,
        }
    }

    /// Which of the obligations some run comes to. `None` if the question was not answered as a whole.
    pub(super) fn reached(
        &mut self,
        ask: &Ask<'_>,
        defined: bool,
        deadline: Instant,
    ) -> Option<BTreeSet<ObligationKey>> {
        let model = *self.model.as_ref().ok()?;
        let purpose = Purpose::Reach { defined };
        let undefined = Undefined::Ends;
        let options =
            EmitOptions { obligations: ask.obligations, purpose, undefined, sizes: ask.sizes, log_heap: false };
        let emitted = emit(self.program, &options);
        let start = Instant::now();
        let answer = model.run(&self.query(&emitted, ask), deadline);
        self.queries += 1;
        self.time += start.elapsed();
        let answer = answer.inspect_err(|failure| log::info!("{failure}")).ok()?;
        let mut reached = BTreeSet::new();
        for (name, answer) in &answer.properties {
            match (emitted.properties.get(name), answer) {
                (Some(Some(key)), PropertyAnswer::Fails(_)) => {
                    reached.insert(*key);
                }
                (Some(Some(_)), PropertyAnswer::Open(_)) => return None,
                _ => {}
            }
        }
        // Runs that go on behind undefined behaviour may need more unwinding; those that do not need no more than before.
        (defined || answer.complete).then_some(reached)
    }

    /// Asks about a reduced program: all its runs, with unwinding assertions.
    pub(super) fn judge(
        &mut self,
        reduced: &Reduced<'_>,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> Result<Judged, Refusal> {
        let model = match &self.model {
            Ok(model) => *model,
            Err(why) => {
                board.note(why);
                return Err(Refusal { reason: why.clone(), may_be_tuned: false });
            }
        };
        let &Reduced { program, obligations, purpose, undefined, unwind, tuning } = reduced;
        let options = EmitOptions { obligations, purpose, undefined, sizes: Sizes::Any, log_heap: false };
        let emitted = emit(program, &options);
        let query = Query {
            source: emitted.source.clone(),
            properties: emitted.properties.keys().cloned().collect(),
            data_model: program.data_model,
            unwind,
            unwinding_assertions: true,
            stop_at_failure: false,
            tuning,
        };
        if !emitted.properties.values().any(Option::is_some) {
            return Err(Refusal { reason: "it cannot be asked of CBMC".to_owned(), may_be_tuned: false });
        }
        let start = Instant::now();
        let answer = model.run(&query, deadline);
        self.queries += 1;
        self.time += start.elapsed();
        let answer = answer.map_err(|failure| {
            log::info!("{failure}");
            let may_be_tuned = matches!(failure, Failure::Late | Failure::Memory(_));
            Refusal { reason: failure.to_string(), may_be_tuned }
        })?;
        let mut obstacles: Vec<String> = emitted.obstacles.iter().chain(&answer.surprises).cloned().collect();
        if !answer.complete {
            obstacles.push(format!("not every loop of the reduced program ends within {unwind} unwindings"));
        }
        if answer.properties.get(CAPACITY).is_some_and(|a| *a != PropertyAnswer::Holds) {
            obstacles.push("an array may be too large for CBMC".to_owned());
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

    /// Asks about obligations; confirms what is said to fail, and puts it on the board.
    pub(super) fn ask(&mut self, ask: &Ask<'_>, deadline: Instant, board: &mut Board<'_>) -> Result<Found, Refusal> {
        let model = match &self.model {
            Ok(model) => *model,
            Err(why) => {
                board.note(why);
                return Err(Refusal { reason: why.clone(), may_be_tuned: false });
            }
        };
        let called = |o: &&Obligation| !self.uncalled.contains(o.key);
        let obligations: Vec<Obligation> = ask.obligations.iter().filter(called).cloned().collect();
        loop {
            let bounded = matches!(ask.sizes, Sizes::AtMost(_));
            let options = EmitOptions {
                obligations: &obligations,
                purpose: Purpose::Decide,
                undefined: Undefined::Ends,
                sizes: ask.sizes,
                log_heap: self.log_heap && bounded,
            };
            let emitted = emit(self.program, &options);
            let query = self.query(&emitted, ask);
            if !emitted.properties.values().any(Option::is_some) {
                return Err(Refusal { reason: "it cannot be asked of CBMC".to_owned(), may_be_tuned: false });
            }
            let start = Instant::now();
            let answer = model.run(&query, deadline);
            self.queries += 1;
            self.time += start.elapsed();
            let answer = answer.map_err(|failure| {
                log::info!("{failure}");
                let may_be_tuned = matches!(failure, Failure::Late | Failure::Memory(_));
                Refusal { reason: failure.to_string(), may_be_tuned }
            })?;
            let mut found = Found {
                refuted: 0,
                holds: Vec::new(),
                complete: answer.complete
                    && answer.properties.get(CAPACITY).is_none_or(|a| *a == PropertyAnswer::Holds),
                obstacles: emitted.obstacles.iter().cloned().chain(answer.surprises.iter().cloned()).collect(),
            };
            let mut wants_heap = false;
            for (name, answer) in &answer.properties {
                let Some(Some(key)) = emitted.properties.get(name) else { continue };
                match answer {
                    PropertyAnswer::Holds => found.holds.push(*key),
                    PropertyAnswer::Open(word) => board.leave(*key, format!("CBMC answers `{word}`")),
                    PropertyAnswer::Fails(trace) => {
                        wants_heap |= self.confirm(*key, trace, &emitted, ask, &mut found, deadline, board);
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

    /// Replays a failing run. Whether the contents of heap blocks were wanted.
    fn confirm(
        &self,
        key: ObligationKey,
        trace: &Trace,
        emitted: &Emitted,
        ask: &Ask<'_>,
        found: &mut Found,
        deadline: Instant,
        board: &mut Board<'_>,
    ) -> bool {
        if !board.is_open(key) {
            return false;
        }
        match replay::replay(self.program, emitted, trace, deadline, key, |k| board.is_open(k)) {
            Replayed::Fails(failed, counterexample) => {
                let detail = match ask.sizes {
                    Sizes::AtMost(n) => format!("sizes up to {n}, replayed"),
                    Sizes::Any => format!("unwinding {}, replayed", ask.unwind),
                };
                // The run may fail somewhere earlier: that is then what it shows.
                if board.is_open(failed) {
                    board.decide(failed, Verdict::Violated, detail, Some(counterexample));
                    found.refuted += 1;
                }
                if failed != key {
                    board.leave(key, "the failing run that CBMC found fails elsewhere first");
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
    // Cell by cell, one array of 100,000 costs half a minute before the first question; as a function, nothing.
    if program.variables.iter().any(|v| large(&v.ty)) { Tuning::Functions } else { Tuning::Plain }
}
