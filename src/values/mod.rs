//! Value analysis: what every variable and every byte of memory may hold, by executing the program
//! on abstract states.
//!
//! It knows intervals with strides, intervals of floating values, and sets of objects that pointers
//! lead to, with offsets in bytes. It relates no two variables, but for those that walk along
//! texts. In exchange it follows calls (recursive ones to any depth, and those through pointers),
//! sees memory through any type, and keeps iterations of loops apart while that is cheap. Programs
//! that take few inputs are nearly executed this way. The domains come from what they know about
//! loops that run an unknown number of times; this analysis complements them.
//!
//! Sources: Miné, "Field-sensitive value analysis of embedded C programs with union types and
//! pointer arithmetics", LCTES 2006; Balakrishnan & Reps, "Analyzing memory accesses in x86
//! executables", CC 2004; Kirchner et al., "Frama-C: a software analysis perspective", Formal
//! Aspects of Computing 2015 (section on value analysis).
//!
//! **Meaning.** A state means all memories that agree with it. Obligations are decided where they
//! are passed: one holds if it holds in every state in which it was evaluated. A run ends at the
//! first check that fails, so a proof of an obligation is about runs that pass those before it.

mod arguments;
mod bit_fields;
mod blocks;
mod bytes;
mod calls;
mod cases;
mod checks;
mod conditions;
mod context;
mod contexts;
mod decided;
mod engine;
mod evaluate;
mod execute;
mod executions;
mod facts;
mod float;
mod footprint;
mod general;
mod heap_names;
mod implications;
mod joins;
mod lives;
mod locals;
mod lookups;
mod masks;
#[cfg(feature = "fuzz")]
mod membership;
mod memory;
mod number;
mod objects;
mod offsets;
mod outcomes;
mod outside;
mod recursion;
mod repeats;
mod returns;
mod rings;
mod selectors;
mod state;
mod stop;
mod stores;
mod texts;
mod thresholds;
mod told;
mod unit;
mod value;
mod walks;
mod widening;
mod written;

#[cfg(feature = "fuzz")]
pub use membership::{Membership, Recorded, Way};

use crate::clock;
use crate::program::{
    Callees, FunctionId, Obligation, ObligationKey, ObligationKind, Program, SiteId, Storage, VarId, each_stmt,
};
use engine::{JOINED, Limits, PRECISE, Values, WITHOUT_CASES};
use evaluate::Places;
use memory::{Filling, Memory};
use objects::Origin;
use state::State;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;
use stop::{Evaluated, Stop};

/// The name of the analysis, among those of stacks of domains.
pub const NAME: &str = "values";

/// The result for one obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// It holds wherever a run comes to it.
    Holds,
    /// No run comes to it.
    NotReached,
    /// It was not reached, but perhaps only because of undefined behaviour before it.
    CutOff,
    /// It may fail, as far as the analysis knows.
    Open,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Results {
    /// For each obligation.
    pub found: BTreeMap<ObligationKey, Found>,
    /// The statements with operations that may be undefined, as far as the analysis knows.
    pub suspects: BTreeSet<SiteId>,
    /// How many statements were executed.
    pub steps: u64,
    /// The allocations of the blocks that no run frees.
    pub unfreed: BTreeSet<SiteId>,
    /// Where calls through pointers lead. Calls of which that is not known are not in it.
    pub callees: BTreeMap<SiteId, Callees>,
    /// The checks that may fail, so that what comes after them counts as [`Found::CutOff`] where it
    /// is not reached.
    pub cut_off_by: BTreeSet<ObligationKey>,
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program does what is not modelled.
    NotModelled(&'static str),
    /// The deadline, or the greatest number of steps, was reached.
    OutOfTime,
}

/// The greatest numbers of statements, before limits become coarse and in all, if only assertions
/// are open.
const MOST_FOR_ASSERTIONS: [u64; 2] = [40_000, 60_000];

/// The share of the time after which calls are executed together, if those that are executed one by
/// one have not come to an end.
const SHARE_ONE_BY_ONE: f64 = 0.35;
/// The share of the time in which calls are executed together first, if there are too many to
/// execute them one by one.
const SHARE_TOGETHER: f64 = 0.9;

/// Decides obligations by executing the program on abstract states: first without cases, and if
/// that leaves something open where cases could be made, once more with them. Calls are executed
/// together with others where there are too many for one by one, and first of all if
/// `has_many_calls`. Hands each result to `tell` as soon as it is there.
///
/// # Errors
/// There is no result: the program does what is not modelled, or there is no time left.
pub fn analyse(
    program: &Program,
    obligations: &[Obligation],
    has_many_calls: bool,
    deadline: Option<Instant>,
    tell: &mut dyn FnMut(Results),
) -> Result<(), Failure> {
    let now = clock::now();
    let after = |share| deadline.map(|end| now + end.saturating_duration_since(now).mul_f64(share));
    if has_many_calls {
        let times = [after(SHARE_TOGETHER), deadline];
        return together_first(program, obligations, times, true, tell).map_err(Failure::of);
    }
    let soon = after(SHARE_ONE_BY_ONE);
    let (first, lacks_cases) = match execute(program, obligations, WITHOUT_CASES, soon) {
        Err(Stop::ManyWays) => execute(program, obligations, JOINED, deadline),
        Err(Stop::OutOfTime) => {
            let is_cut_short = soon.is_some_and(|soon| clock::now() >= soon);
            return together_first(program, obligations, [deadline; 2], is_cut_short, tell).map_err(Failure::of);
        }
        first => first,
    }
    .map_err(Failure::of)?;
    if !lacks_cases || !first.is_open() {
        tell(first);
        return Ok(());
    }
    log::debug!("once more with cases, after {} steps", first.steps);
    tell(match execute(program, obligations, PRECISE, deadline) {
        Ok((second, _)) => first.or(second),
        Err(_) => first,
    });
    Ok(())
}

/// Executes calls together until the first deadline, and then, if that leaves something open and
/// more time may help, one by one until the second.
fn together_first(
    program: &Program,
    obligations: &[Obligation],
    [soon, deadline]: [Option<Instant>; 2],
    time_may_help: bool,
    tell: &mut dyn FnMut(Results),
) -> Evaluated<()> {
    let together = execute(program, obligations, JOINED, soon).map(|(results, _)| results);
    let is_done = !time_may_help || together.as_ref().is_ok_and(|results| !results.is_open());
    let together = together.map(&mut *tell);
    if is_done {
        return together;
    }
    let apart = execute(program, obligations, WITHOUT_CASES, deadline).map(|(results, _)| tell(results));
    together.or(apart)
}

/// Executes the program within limits. Also returns whether cases could have been made.
fn execute(
    program: &Program,
    obligations: &[Obligation],
    limits: Limits,
    deadline: Option<Instant>,
) -> Evaluated<(Results, bool)> {
    let mut values = Values::new(program, limits, deadline);
    if obligations.iter().all(|o| matches!(o.key, ObligationKey::Assertion(_))) {
        // Few assertions need it: those about loops up to an unknown number are for other stages.
        values.most_steps = MOST_FOR_ASSERTIONS;
    }
    let end = values.run();
    log::debug!("{:?} after {} steps, {}", end.as_ref().err(), values.steps, values.contexts_in_words());
    end?;
    Ok((values.results(obligations), values.lacks_cases && !limits.is_joined))
}

impl Failure {
    fn of(stop: Stop) -> Failure {
        match stop {
            Stop::GivenUp(what) => Failure::NotModelled(what),
            Stop::Unreached => Failure::NotModelled("an end of all runs outside of statements"),
            Stop::ManyWays | Stop::OutOfTime => Failure::OutOfTime,
        }
    }
}

impl Results {
    /// Whether some obligation is open.
    fn is_open(&self) -> bool {
        self.found.values().any(|found| matches!(found, Found::Open | Found::CutOff))
    }

    /// What one of two executions has found. Both are about all runs.
    fn or(mut self, other: Results) -> Results {
        for (key, found) in other.found {
            let old = self.found.entry(key).or_insert(Found::Open);
            if matches!(old, Found::Open | Found::CutOff) {
                *old = found;
            }
        }
        self.unfreed.extend(other.unfreed);
        for (call, callees) in other.callees {
            // What either has not seen, no run does.
            let old = self.callees.entry(call).or_insert_with(|| callees.clone());
            old.retain(|f| callees.contains(f));
        }
        self.cut_off_by.extend(other.cut_off_by);
        // Either knows of all runs.
        self.suspects.retain(|site| other.suspects.contains(site));
        Results { steps: self.steps + other.steps, ..self }
    }
}

impl<'p> Values<'p> {
    /// Executes the initialisers and the entry function. Returns what is known at its end.
    fn run(&mut self) -> Evaluated<Option<State>> {
        let mut state = State { memory: Memory::new(self.log.clone()), ..State::default() };
        // Those of other files too.
        for (n, variable) in (0..).zip(&self.program.variables) {
            if variable.storage == Storage::Global {
                let object = self.objects.id(Origin::Variable(VarId(n), 0));
                let size = self.size_of(&state, &variable.ty)?;
                state.memory.begin(object, size, Filling::Written);
            }
        }
        self.begin_outside(&mut state);
        let Some(mut state) = self.body(&self.program.initialisers, Some(state))? else { return Ok(None) };
        let entry = self.program.function(self.program.entry);
        let Some(body) = &entry.body else { return Err(Stop::GivenUp("an entry function without a body")) };
        for v in &entry.parameters {
            let object = match self.limits.is_joined {
                true => self.parameter(self.program.entry, *v, 1),
                false => self.objects.id(Origin::Variable(*v, 1)),
            };
            let ty = &self.program.variable(*v).ty;
            self.begin(&mut state, object, ty, Filling::Written)?;
            if let Some(outside) = self.program.outside.get(v) {
                let pointer = self.handed_out(&state, *outside);
                self.store(&mut state, &Places::at(object), ty, pointer);
            }
        }
        if self.limits.is_joined {
            let ends = self.call_in_context(self.program.entry, state)?;
            return Ok(self.joined_all(ends));
        }
        self.depth = 1;
        self.body(body, Some(state))
    }

    fn results(&self, obligations: &[Obligation]) -> Results {
        let called = self.program.called_functions();
        let functions = (0..).map(FunctionId).zip(&self.program.functions);
        let uncalled: BTreeSet<&str> =
            functions.filter(|(f, _)| !called.contains(f)).map(|(_, function)| function.name.as_str()).collect();
        let opaque = self.called_opaquely();
        let sees_all_ends = self.sees_all_ends(&opaque);
        let bodies = opaque.iter().filter_map(|f| self.program.function(*f).body.as_deref());
        let mut suspects = BTreeSet::new();
        bodies.for_each(|body| each_stmt(body, &mut |stmt| _ = suspects.insert(stmt.site)));
        let opaque: BTreeSet<&str> = opaque.into_iter().map(|f| self.program.function(f).name.as_str()).collect();
        let mut found: HashMap<ObligationKey, bool> =
            self.assertions.iter().map(|(id, holds)| (ObligationKey::Assertion(*id), *holds)).collect();
        let mut failing = BTreeSet::new();
        self.program.each_stmt(|stmt| {
            let Some(checks) = self.checks.get(&stmt.id()) else { return };
            suspects.extend(checks.may_fail().then_some(stmt.site));
            failing.extend(checks.ending().map(|n| ObligationKey::Check(stmt.site, n)));
            for (n, seen) in &checks.seen {
                if let Some(holds) = seen.get() {
                    *found.entry(ObligationKey::Check(stmt.site, *n)).or_insert(true) &= holds;
                }
            }
        });
        let result = |o: &Obligation| match found.get(&o.key) {
            _ if opaque.contains(o.function.as_str()) => Found::Open,
            Some(true) if o.kind == ObligationKind::Lifetime && !sees_all_ends => Found::Open,
            Some(true) => Found::Holds,
            Some(false) => Found::Open,
            None if !self.is_called_back && uncalled.contains(o.function.as_str()) => Found::NotReached,
            None if self.restricted => Found::CutOff,
            None => Found::NotReached,
        };
        Results {
            found: obligations.iter().map(|o| (o.key, result(o))).collect(),
            suspects,
            steps: self.steps,
            unfreed: if sees_all_ends { self.unfreed() } else { BTreeSet::new() },
            callees: self.known_callees(),
            cut_off_by: failing,
        }
    }

    /// Where calls through pointers lead, in functions all of whose calls were executed.
    fn known_callees(&self) -> BTreeMap<SiteId, Callees> {
        let opaque = self.called_opaquely();
        let mut found = BTreeMap::new();
        for (f, function) in (0..).map(FunctionId).zip(&self.program.functions) {
            let body = function.body.iter().filter(|_| !opaque.contains(&f));
            body.for_each(|body| {
                each_stmt(body, &mut |s| {
                    if let Some(Some(callees)) = self.callees.get(&s.site) {
                        found.insert(s.site, callees.clone());
                    }
                });
            });
        }
        found
    }

    /// The functions that also run in ways that were not executed.
    fn called_opaquely(&self) -> BTreeSet<FunctionId> {
        let mut open: Vec<FunctionId> = self.opaque.iter().copied().collect();
        if self.is_called_back {
            open.extend(self.program.address_taken_functions());
        }
        let mut found: BTreeSet<FunctionId> = open.iter().copied().collect();
        while let Some(f) = open.pop() {
            let called = self.program.functions_in(f);
            open.extend(called.into_iter().filter(|g| found.insert(*g)));
        }
        found
    }
}
