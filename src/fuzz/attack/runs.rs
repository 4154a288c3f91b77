//! The sources of the values of runs.

use super::super::reductions::{Inputs, Sample};
use crate::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Outcome};
use crate::program::{AssertionId, InputId, Location, ObligationKey, Program, Type};
use crate::verdict::Counterexample;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One run of a program, which can be repeated.
#[derive(Clone, Copy)]
pub(super) struct Run<'s> {
    sample: &'s Sample,
    seed: u64,
    number: u32,
}

/// The runs of a sample.
pub(super) fn runs(sample: &Sample, seed: u64, count: u32) -> impl Iterator<Item = Run<'_>> + Clone {
    (0..count).map(move |number| Run { sample, seed, number })
}

impl<'s> Run<'s> {
    /// Its values, from the first one on.
    pub(super) fn values(&self) -> Values<'s> {
        // If the sample has values that are likely to make it fail, every second run uses them.
        let source = match self.sample.values.is_empty() || self.number.is_multiple_of(2) {
            true => Source::Any(AnyValues::new(self.seed, self.number)),
            false => Source::Likely(Inputs::random(self.sample, self.seed, self.number)),
        };
        Values { source, failed: RefCell::default() }
    }

    /// The obligations at which this run of a program has failed, with these values and this
    /// result. If it has read what nothing had written, it is made once more, to end there.
    pub(super) fn failures(
        &self,
        program: &Program,
        values: Values<'_>,
        ran: &interpreter::Run,
        limits: &Limits,
    ) -> Vec<ObligationKey> {
        let mut failed = values.failed(&ran.outcome);
        if ran.read_unset {
            let limits = Limits { unset_ends: true, ..*limits };
            failed.extend(failed_at(&interpreter::run(program, &mut self.values(), &mut (), &limits).outcome));
        }
        failed
    }
}

/// The values of a run that goes on after a failing `check`.
pub(super) struct Values<'s> {
    source: Source<'s>,
    /// The checks that failed.
    failed: RefCell<Vec<AssertionId>>,
}

enum Source<'s> {
    Any(AnyValues),
    Likely(Inputs<'s>),
}

impl Values<'_> {
    /// The obligations at which a run with these values and this end failed.
    pub(super) fn failed(self, outcome: &Outcome) -> Vec<ObligationKey> {
        let checks = self.failed.into_inner().into_iter().map(ObligationKey::Assertion);
        checks.chain(failed_at(outcome)).collect()
    }
}

/// The obligation at which a run with this end fails.
pub(super) fn failed_at(outcome: &Outcome) -> Option<ObligationKey> {
    match outcome {
        Outcome::AssertionFailed(id) => Some(ObligationKey::Assertion(*id)),
        Outcome::Undefined { key, .. } => Some(*key),
        _ => None,
    }
}

impl Environment for Values<'_> {
    fn input(&mut self, id: InputId, ty: &Type, at: Location) -> i128 {
        match &mut self.source {
            Source::Any(values) => values.input(id, ty, at),
            Source::Likely(values) => values.input(id, ty, at),
        }
    }

    fn arbitrary(&mut self, cell: &CellOrigin<'_>, ty: &Type) -> i128 {
        match &mut self.source {
            Source::Any(values) => values.arbitrary(cell, ty),
            Source::Likely(values) => values.arbitrary(cell, ty),
        }
    }

    fn havoc(&mut self, ty: &Type, at: Location) -> i128 {
        match &mut self.source {
            Source::Any(values) => values.havoc(ty, at),
            Source::Likely(values) => values.havoc(ty, at),
        }
    }

    fn goes_on(&self, check: AssertionId, value: Option<bool>) -> bool {
        if value == Some(false) {
            self.failed.borrow_mut().push(check);
        }
        true
    }
}

/// Values that depend only on the run's number and on what the interpreter asks for, so that two
/// runs with the same number agree.
pub(super) struct AnyValues {
    seed: u64,
    run: u32,
    asked: HashMap<InputId, u64>,
    havocs: u64,
}

impl AnyValues {
    fn new(seed: u64, run: u32) -> Self {
        AnyValues { seed, run, asked: HashMap::new(), havocs: 0 }
    }

    fn value(&self, what: impl Hash) -> i128 {
        let mut hasher = DefaultHasher::new();
        (self.seed, self.run, what).hash(&mut hasher);
        let bits = hasher.finish();
        // Small numbers reach more of a program than large ones. The limits of types matter, too.
        let small = i128::from(bits >> 8) % 12 - 3;
        match (self.run % 4, bits % 8) {
            (0, _) | (_, 0..=4) => small.max(if self.run.is_multiple_of(2) { 0 } else { -3 }),
            (_, 5) => [i32::MAX.into(), i32::MIN.into(), 255, 256, -128, u32::MAX.into(), i64::MAX.into(), 65535]
                [(bits >> 8) as usize % 8],
            _ => i128::from(bits >> 8),
        }
    }
}

impl Environment for AnyValues {
    fn input(&mut self, id: InputId, _ty: &Type, _at: Location) -> i128 {
        let count = self.asked.entry(id).or_default();
        *count += 1;
        let count = *count;
        self.value((0u8, id, count))
    }

    fn arbitrary(&mut self, cell: &CellOrigin<'_>, _ty: &Type) -> i128 {
        // Copies of a variable made by inlining have other numbers, so the value may depend on the
        // place only.
        let execution = match cell.object {
            ObjectOrigin::Variable { .. } | ObjectOrigin::Outside => 0,
            ObjectOrigin::Heap { execution, .. } => execution,
        };
        self.value((1u8, cell.location, execution, cell.leaf))
    }

    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        self.havocs += 1;
        self.value((2u8, self.havocs))
    }
}

/// The values of a counterexample, in order. The run goes on if a `check` fails other than the one
/// that it is for.
pub(super) struct Shown {
    about: ObligationKey,
    inputs: VecDeque<(Option<InputId>, i128)>,
}

impl Shown {
    pub(super) fn new(run: &Counterexample, about: ObligationKey) -> Shown {
        Shown { about, inputs: run.inputs.iter().map(|i| (i.input, i.value)).collect() }
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

    fn goes_on(&self, check: AssertionId, _: Option<bool>) -> bool {
        ObligationKey::Assertion(check) != self.about
    }
}
