//! Reads and writes of objects, and what writes without a name leave.

use super::Executor;
use super::memory::Denoted;
use super::state::{CellOf, Object, Region, State, choice, collect};
use crate::program::{Expr, ExprKind, Lvalue, Type, VarId};
use smalti_terms::Term;
use std::collections::BTreeSet;

impl Executor<'_> {
    /// The value of a scalar object. What is not known is a new unknown.
    pub(super) fn load(&mut self, l: &Lvalue, state: &State) -> Term {
        let mut cases = Vec::new();
        for (given, denoted) in self.denoted(l, state) {
            let value = match denoted {
                Denoted::Cell(cell) => self.read(&cell, state),
                Denoted::Part(_) | Denoted::Unknown => self.unknown_of(&l.ty, "*"),
            };
            cases.push((given, value));
        }
        match self.chosen(cases) {
            Some(value) => value,
            None => self.unknown_of(&l.ty, "*"),
        }
    }

    fn read(&mut self, cell: &CellOf, state: &State) -> Term {
        let whole = self.held(&cell.region, state);
        if cell.indexes.is_empty() { whole } else { self.c.read(whole, &cell.indexes) }
    }

    /// Executes an assignment.
    pub(super) fn assign(&mut self, to: &Lvalue, from: &Expr, state: &mut State) {
        if let (Type::Struct(_), ExprKind::Load(source)) = (&to.ty, &from.kind) {
            return self.copy(to, source, state);
        }
        if to.ty.is_scalar() {
            let value = self.value(from, state);
            return self.store(to, value, state);
        }
        self.fill(to, false, state);
    }

    /// Writes a scalar object.
    pub(super) fn store(&mut self, to: &Lvalue, value: Term, state: &mut State) {
        self.each_target(to, state, &mut |executor, cell, state| {
            let after = match cell.indexes[..] {
                [] => value,
                _ => {
                    let whole = executor.held(&cell.region, state);
                    executor.c.store(whole, &cell.indexes, value)
                }
            };
            state.values.insert(cell.region.clone(), after);
            true
        });
    }

    /// Writes each cell that an lvalue may denote, in the case in which it denotes it. `write`
    /// returns whether it knows how to. Other objects that may be written become unknown.
    fn each_target(
        &mut self,
        to: &Lvalue,
        state: &mut State,
        write: &mut dyn FnMut(&mut Self, &CellOf, &mut State) -> bool,
    ) {
        let targets = self.denoted(to, state);
        if targets.iter().any(|(_, denoted)| matches!(denoted, Denoted::Unknown)) {
            // Any object to which a pointer may lead.
            let variables = self.reachable.by_pointers.clone();
            return self.forget(&variables, state);
        }
        // If there is one case, it is this one in all runs without undefined behaviour.
        let is_only = targets.len() == 1;
        for (given, denoted) in targets {
            match denoted {
                Denoted::Cell(cell) => {
                    let mut after = state.clone();
                    if !write(self, &cell, &mut after) {
                        self.forget_object(cell.region.object, state);
                    } else if is_only {
                        *state = after;
                    } else {
                        self.write_if(given, state, after);
                    }
                }
                Denoted::Part(object) => self.forget_object(object, state),
                Denoted::Unknown => {}
            }
        }
    }

    /// Takes over the values that differ where a condition holds.
    fn write_if(&mut self, given: Term, state: &mut State, after: State) {
        for (region, value) in after.values {
            let before = self.held(&region, state);
            let value = choice(&self.c, given, value, before, region.rank());
            state.values.insert(region, value);
        }
    }

    /// Copies a struct, member by member.
    fn copy(&mut self, to: &Lvalue, from: &Lvalue, state: &mut State) {
        let sources = self.denoted(from, state);
        let [(_, Denoted::Cell(source))] = &sources[..] else { return self.fill(to, false, state) };
        let (program, before) = (self.program, state.clone());
        self.each_target(to, state, &mut |executor, target, state| {
            let mut parts = Vec::new();
            let is_known = collect(program, target.region.clone(), &to.ty, &mut parts).is_some();
            let is_plain = parts.iter().all(|(part, _)| part.rank() == target.region.rank());
            if !(is_known && is_plain) {
                return false;
            }
            for (part, _) in parts {
                let rest = &part.path[target.region.path.len()..];
                let path = source.region.path.iter().chain(rest).copied().collect();
                let region = Region { object: source.region.object, path };
                let value = executor.read(&CellOf { region, indexes: source.indexes.clone() }, &before);
                let after = match target.indexes[..] {
                    [] => value,
                    _ => {
                        let held = executor.held(&part, state);
                        executor.c.store(held, &target.indexes, value)
                    }
                };
                state.values.insert(part, after);
            }
            true
        });
    }

    /// Makes all cells of an object 0, or unknown.
    pub(super) fn fill(&mut self, to: &Lvalue, zero: bool, state: &mut State) {
        let program = self.program;
        self.each_target(to, state, &mut |executor, cell, state| {
            let mut parts = Vec::new();
            if collect(program, cell.region.clone(), &to.ty, &mut parts).is_none() {
                return false;
            }
            for (part, ty) in parts {
                let inner = part.rank() - cell.region.rank();
                let value = match (zero, inner) {
                    (false, 0) => executor.unknown_cell(&part, ty),
                    (false, _) => {
                        let array = executor.unknown_region(&part, ty);
                        state.values.insert(part, array);
                        continue;
                    }
                    (true, _) => executor.c.int(0),
                };
                let indexes = &cell.indexes;
                let after = match part.rank() {
                    0 => value,
                    rank => {
                        let held = executor.held(&part, state);
                        let c = &executor.c;
                        c.lambda_of(rank, |at| {
                            let same: Vec<Term> = indexes.iter().zip(at).map(|(i, k)| c.eq(*i, *k)).collect();
                            c.ite(c.and(&same), value, c.read(held, at))
                        })
                    }
                };
                state.values.insert(part, after);
            }
            true
        });
    }

    /// Makes everything unknown that unknown code may write.
    pub(super) fn forget_exposed(&mut self, state: &mut State) {
        let variables = self.reachable.by_unknown_code.clone();
        self.forget(&variables, state);
    }

    /// Makes variables and all blocks unknown.
    fn forget(&mut self, variables: &BTreeSet<VarId>, state: &mut State) {
        let blocks = self.memory.blocks();
        for object in variables.iter().map(|v| Object::Variable(*v)).chain(blocks) {
            self.forget_object(object, state);
        }
    }

    fn forget_object(&mut self, object: Object, state: &mut State) {
        for (region, ty) in self.regions_of(object).unwrap_or_default() {
            let value = self.unknown_region(&region, ty);
            state.values.insert(region, value);
        }
    }
}
