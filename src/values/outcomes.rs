//! The results of calls that are kept apart.

use super::state::State;
use super::value::{Pointers, Value};
use smallvec::SmallVec;

/// What is said of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Negative,
    Zero,
    /// Or an address.
    Positive,
    /// Nothing.
    Any,
}

/// How many outcomes there are.
pub(super) const MOST_OUTCOMES: u128 = 4;

/// The states in which a call returns, one for each outcome.
#[derive(Clone, Default)]
pub(super) struct Returns(pub SmallVec<[(Outcome, State); 1]>);

impl Returns {
    /// The states.
    pub(super) fn states(self) -> impl Iterator<Item = State> {
        self.0.into_iter().map(|(_, state)| state)
    }

    /// Does something with each state.
    pub(super) fn each(&mut self, what: impl FnMut(&mut State)) {
        self.0.iter_mut().map(|(_, state)| state).for_each(what);
    }
}

impl Outcome {
    pub(super) fn of(value: &Value) -> Outcome {
        match value {
            Value::Number(n) if n.hi() < 0 => Outcome::Negative,
            Value::Number(n) if n.lo() > 0 => Outcome::Positive,
            Value::Number(n) if n.as_constant() == Some(0) => Outcome::Zero,
            Value::Pointer(p) if **p == Pointers::null() => Outcome::Zero,
            Value::Pointer(p) if p.is_address() => Outcome::Positive,
            _ => Outcome::Any,
        }
    }
}
