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
use super::footprint::Footprint;
use super::memory::Filling;
use super::objects::{ObjectId, Origin};
use super::outcomes::{Outcome, Returns};
use super::state::State;
use super::stop::{Evaluated, if_reached};
use super::value::Value;
use super::widening::Widening;
use crate::program::Expr;

impl<'p> Values<'p> {
    /// Adds the states in which a call returns without a value.
    pub(super) fn add_return(&self, returns: &mut Returns, state: State) {
        self.add_outcome(returns, Outcome::Any, state);
    }

    /// Adds the states in which a call returns the value of an expression.
    pub(super) fn add_result(&mut self, returns: &mut Returns, state: State, e: &'p Expr) -> Evaluated<()> {
        let cases = match e.ty.is_scalar() {
            true => {
                let cases = self.values_in_cases(state, e, self.apart)?;
                cases.into_iter().map(|(state, value)| (state, Some(value))).collect()
            }
            false => vec![(state, None)],
        };
        for (state, value) in cases {
            if_reached(self.add_value(returns, state, e, value))?;
        }
        Ok(())
    }

    /// The same, where the value is that, if it is a scalar.
    fn add_value(
        &mut self,
        returns: &mut Returns,
        mut state: State,
        e: &'p Expr,
        value: Option<Value>,
    ) -> Evaluated<()> {
        let object = self.objects.id(Origin::Result(self.depth));
        let size = self.size_of(&state, &e.ty)?;
        let walks = self.walks_on(&state, (object, &e.ty), e)?;
        state.memory.begin(object, size, Filling::Any);
        let outcome = value.as_ref().map_or(Outcome::Any, Outcome::of);
        match value {
            Some(value) => self.store(&mut state, &Places::at(object), &e.ty, value),
            None => self.copy(&mut state, &Places::at(object), e)?,
        }
        state.memory.facts.texts.extend(walks);
        self.add_outcome(returns, if self.apart { outcome } else { Outcome::Any }, state);
        Ok(())
    }

    /// Adds those of one part of a function to those of another.
    pub(super) fn add_returns(&self, returns: &mut Returns, more: Returns) {
        more.0.into_iter().for_each(|(outcome, state)| self.add_outcome(returns, outcome, state));
    }

    /// Adds other states, as far as a footprint goes. Returns the objects of which less is known
    /// now; `None` if that holds of all.
    pub(super) fn grow_returns<'a>(
        &self,
        all: &mut Returns,
        new: Returns,
        used: &Footprint,
        widening: &dyn Fn(ObjectId) -> Option<Widening<'a>>,
    ) -> Option<Vec<ObjectId>> {
        let mut grown = Some(Vec::new());
        for (outcome, mut state) in new.0 {
            let Some((_, old)) = all.0.iter_mut().find(|(other, _)| *other == outcome) else {
                all.0.push((outcome, state));
                grown = None;
                continue;
            };
            let more = state.memory.outside_on(used, &old.memory, self.big_endian);
            if more.is_empty() {
                continue;
            }
            state.memory.add_on(used, &old.memory, self.big_endian, widening);
            *old = state;
            grown = grown.map(|all| [all, more].concat());
        }
        grown
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
