//! Functions that call themselves, perhaps through others.
//!
//! **Why it is sound.** For each context of these functions there are states in which it is entered
//! and states in which it returns. A call gets the exits of its context that are known so far. A
//! context is executed again when its entry has grown, and when the exits of a context that it uses
//! have. In the end nothing is left to execute. So, by induction on the number of calls in each
//! other: a call in a state of the entries makes only calls in states of the entries, and returns
//! in a state of the exits ("chaotic iteration": Cousot & Cousot, "Static determination of dynamic
//! properties of recursive procedures", 1977). Widening lets it end. Variables of the calls that
//! wait are out of reach, unless pointers lead to them: these have one name for all calls.
//!
//! If no call is executed on its own, the entries and exits of all functions are found in this way.
//! Functions that do not call themselves are then executed once more each, callers before those
//! that they call, to decide their obligations in the states in which they are really called.

use super::context::ContextId;
use super::engine::Values;
use super::facts::Facts;
use super::footprint::Footprint;
use super::outcomes::Returns;
use super::rings::{Recursion, Ring};
use super::state::State;
use super::stop::Evaluated;
use crate::program::FunctionId;

impl<'p> Values<'p> {
    /// The functions whose entries and exits are found together with those of this one.
    pub(super) fn solved_with(&self, f: FunctionId) -> Option<Ring> {
        if self.limits.is_joined { Some(Ring::ALL) } else { self.rings.of_function(f) }
    }

    fn recursion(&mut self, ring: Ring) -> Option<&mut Recursion> {
        self.recursions.iter_mut().find(|r| r.ring == ring)
    }

    /// Whether entries and exits of the functions in that ring are being looked for.
    pub(super) fn is_in_recursion(&self, ring: Option<Ring>) -> bool {
        ring.is_some_and(|ring| self.recursions.iter().any(|r| r.ring == ring))
    }

    /// Whether nothing is decided by a call of a function of that ring, now or later.
    pub(super) fn is_silent_in(&self, ring: Option<Ring>) -> bool {
        let of_ring = self.recursions.iter().find(|r| Some(r.ring) == ring);
        of_ring.map_or(self.silent > 0, |r| r.is_silent)
    }

    /// Finds the entries and exits of the functions of a ring, for a call from outside of it.
    pub(super) fn solve(&mut self, context: ContextId, ring: Ring, state: &State) -> Evaluated<()> {
        let is_silent = self.silent > 0;
        let fits = self.fits(context, state);
        let of = self.context(context);
        if fits && of.is_executed && (of.is_decided || is_silent) {
            return Ok(());
        }
        self.recursions.push(Recursion::new(ring, is_silent));
        let user = self.user.take();
        self.silent += 1;
        self.call_again(context, state)?;
        while let Some(next) = self.next_open(ring) {
            self.execute_again(next)?;
            if self.is_solved(ring) {
                // What was found out to be touched may differ in the state of this call.
                self.call_again(context, state)?;
            }
        }
        self.silent -= 1;
        if let Some(r) = self.recursion(ring) {
            r.is_last = true;
        }
        if !is_silent {
            self.call_again(context, state)?;
            self.decide_from_callers_on(ring)?;
        }
        self.user = user;
        self.recursions.pop();
        Ok(())
    }

    fn next_open(&mut self, ring: Ring) -> Option<ContextId> {
        let Recursion { open, at: (at, is_downwards), .. } = self.recursion(ring)?;
        let first = (*at, ContextId::FIRST);
        let deeper = open.range(first..).next().copied();
        let higher = open.range(..(at.saturating_add(1), ContextId::FIRST)).next_back().copied();
        let next = if *is_downwards { deeper.or(higher) } else { higher.or(deeper) }?;
        *is_downwards = if *is_downwards { deeper.is_some() } else { higher.is_none() };
        *at = next.0;
        open.remove(&next);
        Some(next.1)
    }

    fn is_solved(&mut self, ring: Ring) -> bool {
        self.recursion(ring).is_none_or(|r| r.open.is_empty())
    }

    /// A call of a function of a ring whose entries and exits are being looked for. Returns the
    /// context whose exits count for it.
    pub(super) fn call_again(&mut self, context: ContextId, state: &State) -> Evaluated<Option<ContextId>> {
        let f = self.context(context).function;
        let Some(ring) = self.solved_with(f) else { return Ok(None) };
        if self.recursion(ring).is_some_and(|r| r.is_last) {
            return self.decide(context, state);
        }
        if !self.fits(context, state) {
            let is_first = self.context(context).executions == 0;
            self.grow(context, state);
            match is_first {
                true => self.execute_again(context)?,
                false => self.open_again(context),
            }
        }
        if let Some(user) = self.user {
            self.context(context).users.insert(user);
        }
        Ok(Some(context))
    }

    /// Decides the obligations in a function whose entries and exits are known. What is known here
    /// may differ from what was known when they were looked for, and so may the kind of context:
    /// the call counts for one that was entered in states like this.
    fn decide(&mut self, context: ContextId, state: &State) -> Evaluated<Option<ContextId>> {
        let Some(context) = self.known_for(context, state) else { return Ok(None) };
        let of = self.context(context);
        let (f, is_decided) = (of.function, of.is_decided);
        if self.silent > 0 || is_decided {
            return Ok(Some(context));
        }
        if self.limits.is_joined && self.rings.of_function(f).is_none() {
            self.enter_last(context, state);
        } else {
            self.context(context).is_decided = true;
            self.execute_at_its_depth(context)?;
        }
        Ok(Some(context))
    }

    /// A context is entered in that state while obligations are decided.
    fn enter_last(&mut self, context: ContextId, state: &State) {
        let (f, depth) = (self.context(context).function, self.depth);
        let key = (self.rings.rank(f), context);
        let Some(ring) = self.solved_with(f) else { return };
        let old = self.recursion(ring).and_then(|r| r.last.remove(&key));
        let mut entry = state.clone();
        entry.memory.facts = Facts::default();
        if let Some((from, mut old)) = old {
            self.move_variables(f, &mut old, (from + 1, depth + 1), false);
            let touched = self.touched_by(context);
            entry.memory.add_on(&touched, &old.memory, self.big_endian, &|_| None);
            entry.memory.take_missing(&old.memory);
        }
        if let Some(r) = self.recursion(ring) {
            r.last.insert(key, (depth, entry));
        }
    }

    /// Decides the obligations in the contexts that are entered while obligations are decided,
    /// callers before those that they call: so each is executed once, in the states in which it is
    /// entered now. They are among those of its entry, which widening may have made large ("a
    /// descending sequence": Cousot & Cousot, POPL 1977).
    fn decide_from_callers_on(&mut self, ring: Ring) -> Evaluated<()> {
        while let Some(((_, context), entry)) = self.recursion(ring).and_then(|r| r.last.pop_first()) {
            let of = self.context(context);
            of.is_decided = true;
            let known = of.entry.replace(entry);
            let footprint = self.execute_at_its_depth(context)?.1;
            // The exits know nothing of what is touched only now.
            if self.context(context).footprint.clone().add(&footprint).is_none_or(|more| !more.is_empty()) {
                // The entry may lack something that was not known to matter.
                self.context(context).entry = known;
                self.execute_at_its_depth(context)?;
            }
        }
        Ok(())
    }

    /// Executes a context whose entry, or something that it uses, has changed.
    fn execute_again(&mut self, context: ContextId) -> Evaluated<()> {
        self.context(context).is_executed = true;
        let caller = self.go_to(context);
        let (exits, footprint) = self.execute_context(context)?;
        let wider = self.context(context).footprint.add(&footprint);
        let grown = self.add_exits(context, exits);
        self.depth = caller;
        let grown = wider.zip(grown).map(|(wider, grown)| [wider, grown].concat());
        for user in self.context(context).users.clone() {
            if grown.as_ref().is_none_or(|grown| self.can_see(user, grown)) {
                self.open_again(user);
            }
        }
        Ok(())
    }

    /// Goes to the depth at which a context is entered. Returns the current one.
    fn go_to(&mut self, context: ContextId) -> u32 {
        let depth = self.context(context).depth().unwrap_or(self.depth);
        std::mem::replace(&mut self.depth, depth)
    }

    /// Executes a context at the depth at which it is entered.
    fn execute_at_its_depth(&mut self, context: ContextId) -> Evaluated<(Returns, Footprint)> {
        let caller = self.go_to(context);
        let executed = self.execute_context(context);
        self.depth = caller;
        executed
    }

    fn open_again(&mut self, context: ContextId) {
        let of = self.context(context);
        (of.is_executed, of.is_decided) = (false, false);
        let (f, depth) = (of.function, of.depth().unwrap_or(0));
        let Some(ring) = self.solved_with(f) else { return };
        if let Some(r) = self.recursion(ring) {
            r.open.insert((depth, context));
        }
    }
}
