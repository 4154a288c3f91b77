//! What is known when a call returns, by its result.
//!
//! A function that checks its argument tells by its result what it has found: null, a negative
//! number. The caller looks at that. So states in which results are negative, zero, positive (or an
//! address) are kept apart until the caller has looked ("trace partitioning" by the value that a
//! function returns: Mauborgne & Rival, ESOP 2005).
//!
//! **Sound**: the states together are those in which the call returns.

use super::engine::Values;
use super::evaluate::Places;
use super::memory::Filling;
use super::objects::Origin;
use super::state::State;
use super::stop::Evaluated;
use super::value::{Pointers, Value};
use crate::program::{Expr, ExprKind};
use smallvec::SmallVec;

/// What is said of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
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
#[derive(Default)]
pub(super) struct Returns(SmallVec<[(Outcome, State); 1]>);

impl Returns {
    /// The states.
    pub(super) fn states(self) -> impl Iterator<Item = State> {
        self.0.into_iter().map(|(_, state)| state)
    }
}

impl<'p> Values<'p> {
    /// Adds the states in which a call returns without a value.
    pub(super) fn add_return(&self, returns: &mut Returns, state: State) {
        self.add_outcome(returns, Outcome::Any, state);
    }

    /// Adds the states in which a call returns the value of an expression.
    pub(super) fn add_result(&mut self, returns: &mut Returns, state: State, e: &'p Expr) -> Evaluated<()> {
        let cases = match condition(e) {
            Some(c) if self.apart => {
                let (yes, no) = self.split(&state, c)?;
                [yes, no]
            }
            _ => [Some(state), None],
        };
        for mut state in cases.into_iter().flatten() {
            let object = self.objects.id(Origin::Result(self.depth));
            let size = self.size_of(&state, &e.ty)?;
            let value = if e.ty.is_scalar() { Some(self.value(&state, e)?) } else { None };
            state.memory.begin(object, size, Filling::Any);
            let outcome = value.as_ref().map_or(Outcome::Any, Outcome::of);
            match value {
                Some(value) => self.store(&mut state, &Places::at(object), &e.ty, value),
                None => self.copy(&mut state, &Places::at(object), e)?,
            }
            self.add_outcome(returns, if self.apart { outcome } else { Outcome::Any }, state);
        }
        Ok(())
    }

    /// Adds those of one part of a function to those of another.
    pub(super) fn add_returns(&self, returns: &mut Returns, more: Returns) {
        more.0.into_iter().for_each(|(outcome, state)| self.add_outcome(returns, outcome, state));
    }

    fn add_outcome(&self, returns: &mut Returns, outcome: Outcome, state: State) {
        match returns.0.iter_mut().find(|(other, _)| *other == outcome) {
            Some((_, all)) => {
                let old = std::mem::take(all);
                *all = self.joined(Some(old), Some(state)).unwrap_or_default();
            }
            None => returns.0.push((outcome, state)),
        }
    }
}

impl Outcome {
    fn of(value: &Value) -> Outcome {
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

/// The condition `c` of `c ? a : b`.
fn condition(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Conditional(c, ..) => Some(c),
        ExprKind::Cast(e) => condition(e),
        _ => None,
    }
}
