//! Cases by the value of a pointer or an index.
//!
//! In `p = &table[n]; if (p->used < 8) p->used++;` the write is to one of many places, all of
//! which may also keep what they held. So what follows is executed for each place on its own, up to
//! the end of the block ("trace partitioning" by the value of a variable: Mauborgne & Rival, ESOP
//! 2005). That is done only where a later condition looks through the same variable as a later
//! write, and where two pointers to one place are compared.
//!
//! After a call, what differs by its result is kept apart up to the last condition on the result:
//! see [`super::returns`].
//!
//! **Sound**: the cases together are the state.

use super::engine::{PRECISE, Values};
use super::evaluate::Places;
use super::execute::Exits;
use super::number::Number;
use super::outcomes::MOST_OUTCOMES;
use super::selectors::{Selector, Selectors};
use super::state::State;
use super::stop::Evaluated;
use super::value::{Pointers, Target, Value};
use crate::program::Stmt;

impl<'p> Values<'p> {
    /// Executes statements one after the other, in cases where that is of use.
    pub(super) fn sequence(
        &mut self,
        stmts: &'p [Stmt],
        mut state: Option<State>,
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        let mut n = 0;
        while let Some(stmt) = stmts.get(n) {
            n += 1;
            let selectors = self.selectors.get(&stmt.id()).cloned();
            let (Some(before), Some(selectors)) = (&state, selectors) else {
                state = self.statement(stmt, state, exits)?;
                continue;
            };
            if let Some(cases) = self.cases(&selectors.texts, before, self.limits.texts / self.texts) {
                return self.each_case(cases, |values| &mut values.texts, &stmts[n - 1..], exits);
            }
            self.lacks_cases |= self.limits.cases == 1 && self.would_split(&selectors, before);
            if let Some(cases) = self.cases(&selectors.tested, before, self.limits.cases / self.cases) {
                return self.each_case(cases, |values| &mut values.cases, &stmts[n - 1..], exits);
            }
            if selectors.deciding == 0 || self.cases * MOST_OUTCOMES > self.limits.cases {
                state = self.statement(stmt, state, exits)?;
                continue;
            }
            let ends = self.call_apart(stmt, before.clone())?;
            if ends.len() > 1 {
                // These statements may be a part of those up to an earlier decision.
                let last = stmts.len().min(n + selectors.deciding);
                state = self.each_case(ends, |values| &mut values.cases, &stmts[n..last], exits)?;
                n = last;
            } else {
                state = ends.into_iter().next();
            }
        }
        Ok(state)
    }

    /// Whether cases are made here if that is not forbidden.
    fn would_split(&mut self, selectors: &Selectors, before: &State) -> bool {
        !self.lacks_cases && (selectors.deciding > 0 || self.cases(&selectors.tested, before, PRECISE.cases).is_some())
    }

    /// Executes statements in each of some states, which count as so many cases more.
    fn each_case(
        &mut self,
        cases: Vec<State>,
        counter: fn(&mut Self) -> &mut u128,
        stmts: &'p [Stmt],
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        let (before, mut end) = (*counter(self), None);
        *counter(self) *= cases.len() as u128;
        for case in cases {
            let after = self.sequence(stmts, Some(case), exits)?;
            end = self.joined(end, after);
        }
        *counter(self) = before;
        Ok(end)
    }

    /// The states for the values of the first variable that has a few.
    fn cases(&mut self, selectors: &[Selector], state: &State, most: u128) -> Option<Vec<State>> {
        if most < 2 {
            return None;
        }
        selectors.iter().find_map(|selector| self.cases_of(*selector, state, most))
    }

    fn cases_of(&mut self, selector: Selector, state: &State, most: u128) -> Option<Vec<State>> {
        let (object, ty) = (self.variable(selector.variable()), &self.program.variable(selector.variable()).ty);
        self.sized(state, object)?;
        let size = self.width(ty)?;
        let values = match (selector, self.read(state, &Places::at(object), ty).ok()?) {
            (Selector::Pointer(_, size), Value::Pointer(p)) => self.places_apart(state, &p, size, most)?,
            (Selector::Index(_, length), Value::Number(n)) => {
                let is_inside = n.lo() >= 0 && n.hi() < length.into();
                let few = is_inside && (2..=most).contains(&n.count());
                few.then(|| n.each().map(|n| Value::Number(Number::constant(n))).collect())?
            }
            _ => return None,
        };
        let with = |value| {
            let mut state = state.clone();
            state.memory.narrow(object, 0, size, value, self.big_endian);
            state
        };
        Some(values.into_iter().map(with).collect())
    }

    /// A pointer for each of a few places; `None` also if some place may be outside.
    fn places_apart(&self, state: &State, p: &Pointers, size: u64, most: u128) -> Option<Vec<Value>> {
        let is_inside = |target: Target| {
            let whole = self.sized(state, target.object);
            !self.objects.origin(target.object).is_several()
                && target.offset.lo() >= 0
                && whole.is_some_and(|whole| target.offset.hi() + i128::from(size) <= whole.lo())
        };
        let count = p.targets.iter().fold(0u128, |sum, target| sum.saturating_add(target.offset.count()));
        if !p.is_address()
            || !p.functions.is_empty()
            || !(2..=most).contains(&count)
            || !p.targets.iter().all(is_inside)
        {
            return None;
        }
        let one = |target| Pointers { targets: std::iter::once(target).collect(), ..Pointers::default() };
        let places = p.targets.iter().flat_map(|target| target.each());
        Some(places.map(|target| Value::pointer(one(target))).collect())
    }
}
