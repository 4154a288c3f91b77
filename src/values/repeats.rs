//! Calls in a state like that of an earlier call are not executed again.
//!
//! A program that works on inputs calls the same functions with "any value" again and again: what
//! such a call does is known from the last one.
//!
//! **Why it is sound.** The two states agree on all that the earlier call has read and changed, and
//! on the facts about lvalues, so the call does what that one did (the frame rule, as in
//! [`super::contexts`]); its obligations have been decided in that one. It is not so for calls that
//! allocate, since their blocks have names of their own, nor where unknown code runs.

use super::engine::Values;
use super::executions::Execution;
use super::memory::Memory;
use super::objects::Site;
use super::state::State;
use super::stop::Evaluated;
use crate::program::{Block, FunctionId};
use std::rc::Rc;

impl<'p> Values<'p> {
    /// A call that is executed on its own, if no earlier one was like it. The state is that in
    /// which the function is entered. Returns the states in which it returns.
    pub(super) fn call_alone(
        &mut self,
        f: FunctionId,
        way: Site,
        body: &'p Block,
        state: State,
        apart: bool,
    ) -> Evaluated<Vec<State>> {
        if self.rings.of_function(f).is_some() || !self.executions.entry(f).or_default().is_worth_while() {
            return Ok(self.execute_call(f, way, body, state, apart)?.states().collect());
        }
        if let Some(earlier) = self.earlier(f, &state, apart) {
            #[cfg(feature = "fuzz")]
            self.keep_states_of_call(f, way, body, &state, apart)?;
            self.log.add(&earlier.footprint);
            let ends = earlier.returns.clone().states().map(|end| {
                let begins = (&state, Some(&earlier.entry));
                let mut after = self.after_call(f, begins, &earlier.footprint, &end);
                after.memory.facts = end.memory.facts;
                after
            });
            return Ok(ends.collect());
        }
        let (steps, allocations) = (self.steps, self.allocations);
        let around = self.log.begin();
        let returned = self.execute_call(f, way, body, state.clone(), apart);
        let mut footprint = self.log.end(around);
        self.leave_out_inner(f, &state, &mut footprint);
        self.log.add(&footprint);
        let returns = returned?;
        let is_repeatable = self.allocations == allocations && footprint.forgets.is_none();
        let (depth, is_decided, steps) = (self.depth, self.silent == 0, self.steps - steps);
        let execution = Execution { depth, entry: state, footprint, returns: returns.clone(), apart, is_decided };
        self.executions.entry(f).or_default().keep(is_repeatable.then_some(execution), steps);
        Ok(returns.states().collect())
    }

    /// An earlier execution of the function in a state like this one.
    fn earlier(&mut self, f: FunctionId, state: &State, apart: bool) -> Option<Rc<Execution>> {
        let parameters = self.parameters(f, self.depth + 1);
        let (depth, is_silent, big_endian) = (self.depth, self.silent > 0, self.big_endian);
        let executions = self.executions.get_mut(&f)?;
        executions.find(|earlier| {
            let (here, there) = (&state.memory, &earlier.entry.memory);
            let is_same = |a: &Memory, b: &Memory| {
                parameters.iter().all(|p| a.is_object_within(*p, b, big_endian))
                    && a.is_within_on(&earlier.footprint, b, big_endian)
            };
            earlier.depth == depth
                && earlier.apart == apart
                && (earlier.is_decided || is_silent)
                && here.facts == there.facts
                && is_same(here, there)
                && is_same(there, here)
        })
    }
}
