//! Cases by the value of a pointer or an index.
//!
//! In `p = &table[n]; if (p->used < 8) p->used++;` nothing can be said of `p->used` after the test
//! while `p` may be one of many places. So what follows is executed for each place on its own, up
//! to the end of the block ("trace partitioning" by the value of a variable: Mauborgne & Rival,
//! ESOP 2005). That is done only where a later condition looks through the same variable.
//!
//! A place like `p->name[i]` is one of many that are not evenly spaced if both `p` and `i` are not
//! known. There, the statement alone is executed for each value of `p`.
//!
//! **Sound**: the cases together are the state.

use super::engine::Values;
use super::evaluate::Places;
use super::execute::Exits;
use super::number::Number;
use super::selectors::Selector;
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
        for (n, stmt) in stmts.iter().enumerate() {
            let selectors = self.selectors.get(&stmt.id()).cloned();
            let (Some(before), Some(selectors)) = (&state, selectors) else {
                state = self.statement(stmt, state, exits)?;
                continue;
            };
            let [of_block, of_statement] = self.cases;
            if let Some(cases) = self.cases(&selectors.tested, before, self.limits.cases / of_block) {
                self.cases[0] *= cases.len() as u128;
                let end = self.each_case(cases, &stmts[n..], exits);
                self.cases[0] = of_block;
                return end;
            }
            let Some(cases) = self.cases(&selectors.spread, before, self.limits.spread / of_statement) else {
                state = self.statement(stmt, state, exits)?;
                continue;
            };
            self.cases[1] *= cases.len() as u128;
            let end = self.each_case(cases, std::slice::from_ref(stmt), exits);
            self.cases[1] = of_statement;
            state = end?;
        }
        Ok(state)
    }

    /// Executes statements in each of some states.
    fn each_case(&mut self, cases: Vec<State>, stmts: &'p [Stmt], exits: &mut Exits) -> Evaluated<Option<State>> {
        let mut end = None;
        for case in cases {
            let after = self.sequence(stmts, Some(case), exits)?;
            end = self.joined(end, after);
        }
        Ok(end)
    }

    /// The states for the values of the first variable that has a few.
    fn cases(&mut self, selectors: &[Selector], state: &State, most: u128) -> Option<Vec<State>> {
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
                few.then(|| each(n).map(Value::Number).collect())?
            }
            _ => return None,
        };
        let with = |value| {
            let mut state = state.clone();
            state.memory.write(object, 0, size, value, self.big_endian);
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
        let places =
            p.targets.iter().flat_map(|target| each(target.offset).map(move |offset| Target { offset, ..target }));
        Some(places.map(|target| Value::pointer(one(target))).collect())
    }
}

/// Each of a few numbers.
fn each(n: Number) -> impl Iterator<Item = Number> {
    (0..n.count()).map(move |k| Number::constant(n.lo() + (k * n.step()) as i128))
}
