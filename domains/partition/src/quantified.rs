//! Facts about every cell that satisfies some guards.
//!
//! Each cell of a group either fails one of the guards or satisfies the body. The facts about the
//! cells of a group become the join of these cases. That join often says nothing (`a[k] >= 0` for
//! `k < n` alone), so the group is first divided: the cells that satisfy the guards form a group of
//! their own, and the others stay. The sizes of the two groups are unknown; only their sum is
//! known.
//!
//! **Why it is sound.** A concrete cell that satisfies the guards goes to the new group, where
//! guards and body hold of it; any other stays, and the remaining group is the join over which
//! guard fails first. If neither part of a group remains, the group has no cell; that refutes no
//! state.

use crate::dims::{self, Slot};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, assume, number, var};
use smalti_core::{ArrayId, CellClaim, CellsFact, Constraint, Lattice, LinearExpr, Numeric, Var, work};

impl<N: Numeric, R: Relations> Partition<N, R> {
    pub(crate) fn learn_cells(&mut self, fact: &CellsFact) {
        let array = fact.array;
        let Some(a) = self.array(array) else { return };
        // A field that is not tracked holds anything: nothing can be said of it, and a guard about
        // it is true of any cell.
        if fact.fields.iter().any(|(f, _)| a.position(*f).is_none()) || self.is_bottom() {
            return;
        }
        for slot in a.slots() {
            if self.is_bottom() {
                return;
            }
            match self.array(array).and_then(|a| a.groups.get(&slot)) {
                Some(Group::One) => self.learn_of_one(fact, slot),
                Some(Group::Many(_)) => self.learn_of_many(fact, slot),
                None => {}
            }
        }
        self.learn_targets(fact);
        if let Some(first) = self.array(array).and_then(|a| a.slots().first().copied()) {
            self.limit_groups(array, first);
        }
        self.bottom_is_plain();
        self.assert_invariants();
    }

    /// What the cells of a group find by one of their fields: groups in which no cell can be as the
    /// fact says are not pointed into. Only of groups all of whose cells satisfy the guards; the
    /// others have been divided before, where that could be said.
    fn learn_targets(&mut self, fact: &CellsFact) {
        let array = fact.array;
        let targets = fact.body.iter().filter_map(|claim| match claim {
            CellClaim::Finds(e, there) => Some((e.as_var()?, there)),
            CellClaim::Holds(_) => None,
        });
        let targets: Vec<_> = targets.collect();
        if targets.is_empty() || !Self::RELATED {
            return;
        }
        let mentioned = fact.guards.iter().chain(targets.iter().flat_map(|(_, there)| *there));
        let vars: Vec<Var> = mentioned.flat_map(|c| c.expr.vars()).filter(|v| !stands_for_cell(fact, *v)).collect();
        for slot in self.array(array).map(Array::slots).unwrap_or_default() {
            let frame = self.frame_of(array, &vars);
            let Some(guards) = self.guards(fact, slot) else { continue };
            let content = self.content(array, slot, &frame);
            if !guards.iter().all(|g| content.entails(g)) {
                continue;
            }
            for (v, there) in &targets {
                let field = fact.fields.iter().find(|(_, w)| w == v);
                let n = field.and_then(|(f, _)| self.array(array)?.position(*f));
                let Some(dimension) = n.map(|n| dims::field(array, slot, n)) else { continue };
                // In range, or the fact says nothing.
                let Some(mut slots) = self.derive(dimension, array) else { continue };
                slots.retain(|to| {
                    let mut found = self.content(array, *to, &frame);
                    there.iter().for_each(|c| assume(&mut found, self.about(fact, *to, c)));
                    !found.is_bottom()
                });
                match self.array(array).is_some_and(|a| a.is_one(slot)) {
                    true => self.point_into(dimension, array, &slots),
                    false => self.relations.meet(dimension, array, &slots),
                }
            }
            if self.is_bottom() {
                return;
            }
        }
    }

    /// The constraint about the cell of a group.
    fn about(&self, fact: &CellsFact, slot: Slot, c: &Constraint) -> Option<Constraint> {
        let a = self.array(fact.array)?;
        let name = |v: Var| {
            if v == fact.index {
                return dims::index(fact.array, slot);
            }
            let field = fact.fields.iter().find(|(_, w)| *w == v).and_then(|(f, _)| a.position(*f));
            field.map_or(v, |n| dims::field(fact.array, slot, n))
        };
        Some(Constraint { expr: c.expr.rename(name)?, relation: c.relation })
    }

    fn guards(&self, fact: &CellsFact, slot: Slot) -> Option<Vec<Constraint>> {
        fact.guards.iter().map(|c| self.about(fact, slot, c)).collect()
    }

    /// The element with what the body says of a cell; what cannot be said is left out.
    fn with_body(&self, fact: &CellsFact, slot: Slot, mut n: N) -> N {
        for claim in &fact.body {
            if let CellClaim::Holds(c) = claim {
                assume(&mut n, self.about(fact, slot, c));
            }
        }
        n
    }

    /// The cells that fail one of the guards: the join over which is the first that fails.
    fn outside(&self, guards: &[Constraint], n: &N) -> N {
        let mut found = self.shared.bottom.clone();
        #[cfg(any(test, feature = "mutants"))]
        let guards = if mutated(Mutant::OneGuardDecides) { &guards[..guards.len().min(1)] } else { guards };
        let mut before = n.clone();
        for guard in guards {
            let mut case = before.clone();
            // Where the negation cannot be said, nothing is cut off.
            for half in halves(guard) {
                let mut part = case.clone();
                assume(&mut part, half);
                found.join_with(&part);
            }
            case = before;
            case.assume(guard);
            before = case;
        }
        found
    }

    fn learn_of_one(&mut self, fact: &CellsFact, slot: Slot) {
        let Some(guards) = self.guards(fact, slot) else { return };
        let mut inside = self.global.clone();
        guards.iter().for_each(|g| inside.assume(g));
        let mut all = self.with_body(fact, slot, inside);
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::OneAlwaysChosen) {
            self.global = all;
            return self.bottom_is_plain();
        }
        all.join_with(&self.outside(&guards, &self.global));
        self.global = all;
        self.bottom_is_plain();
    }

    fn learn_of_many(&mut self, fact: &CellsFact, slot: Slot) {
        let array = fact.array;
        let Some(guards) = self.guards(fact, slot) else { return };
        let claims = fact.body.iter().filter_map(|claim| match claim {
            CellClaim::Holds(c) => Some(&c.expr),
            CellClaim::Finds(..) => None,
        });
        let mentioned = fact.guards.iter().map(|g| &g.expr).chain(claims).flat_map(LinearExpr::vars);
        let vars: Vec<Var> = mentioned.filter(|v| !stands_for_cell(fact, *v)).collect();
        let frame = self.frame_of(array, &vars);
        let content = self.content(array, slot, &frame);
        let mut chosen = content.clone();
        guards.iter().for_each(|g| chosen.assume(g));
        let known = fact.body.iter().all(|claim| match claim {
            CellClaim::Holds(c) => self.about(fact, slot, c).is_none_or(|c| chosen.entails(&c)),
            CellClaim::Finds(..) => true,
        });
        if known {
            return;
        }
        if let Some(a) = self.array_mut(array) {
            a.support.extend(vars);
            // The length, which the body may speak of too, does not change while there are
            // contents.
            a.support.insert(a.length);
        }
        // Guards on the number of the cell first: the cells that fail one and those that fail
        // another guard have little in common, and their join would say nothing of either.
        let on_index = |c: &Constraint| !fact.fields.iter().any(|(_, v)| c.expr.mentions(*v));
        let near: Vec<Constraint> = fact.guards.iter().filter(|c| on_index(c)).cloned().collect();
        if near.is_empty() || near.len() == fact.guards.len() {
            self.divide(fact, &fact.guards, slot, &content, true);
            return;
        }
        let Some(slot) = self.divide(fact, &near, slot, &content, false) else { return };
        let content = self.content(array, slot, &frame);
        self.divide(fact, &fact.guards, slot, &content, true);
    }

    /// The cells of a group of many that satisfy the guards become a group of their own; `told`
    /// says that the body of the fact holds of them. `content` is what holds of the cells of the
    /// group. The slot where the cells are that satisfy the guards, if there can be any.
    fn divide(&mut self, fact: &CellsFact, guards: &[Constraint], slot: Slot, content: &N, told: bool) -> Option<Slot> {
        let array = fact.array;
        let here: Vec<Constraint> = guards.iter().map(|c| self.about(fact, slot, c)).collect::<Option<_>>()?;
        let outside = self.outside(&here, content);
        let mut inside = content.clone();
        here.iter().for_each(|g| inside.assume(g));
        #[cfg(any(test, feature = "mutants"))]
        let outside =
            if told && mutated(Mutant::BodyForAllCells) { self.with_body(fact, slot, outside) } else { outside };
        if told {
            inside = self.with_body(fact, slot, inside);
        }
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::FactsNeedNoCell) {
            let mut spoken = inside.clone();
            spoken.join_with(&outside);
            let scalars = spoken.vars().into_iter().filter(|v| v.is_scalar()).collect();
            self.global.meet_with(&spoken.project(&scalars));
            self.bottom_is_plain();
            return None;
        }
        if inside.is_bottom() && outside.is_bottom() {
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::RefutedIsBottom) {
                self.global = self.shared.bottom.clone();
                self.bottom_is_plain();
                return None;
            }
            // No cell can be in the group: that leaves the states in which it has none.
            self.drop_group(array, slot);
            return None;
        }
        if inside.is_bottom() {
            self.set_content(array, slot, outside);
            return None;
        }
        if outside.is_bottom() {
            self.set_content(array, slot, inside);
            return Some(slot);
        }
        let a = self.array(array)?;
        let fields = a.fields.len();
        // The same division has the same name in every state.
        let name = guards.iter().fold(number(0), |sum, g| sum.add(&g.expr).unwrap_or(sum));
        let generic = |v| if stands_for_cell(fact, v) { dims::index(array, slot) } else { v };
        let name = name.rename(generic).unwrap_or_else(|| number(0));
        let new = dims::fresh_slot(&name, |s| a.groups.contains_key(&s));
        work::count(work::Event::Group);
        let (old_size, new_size) = (dims::size(array, slot), dims::size(array, new));
        // What pointed into the group points into one of the two now.
        self.relations.split(array, &[slot], new);
        // Some of the cells, none or all.
        self.global.forget(&[new_size]);
        assume(&mut self.global, Some(Constraint::non_negative(var(new_size))));
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::ChosenAreThere) {
            assume(&mut self.global, Constraint::ge(&var(new_size), &number(1)));
        }
        assume(&mut self.global, Constraint::le(&var(new_size), &var(old_size)));
        let left = var(old_size).sub(&var(new_size));
        #[cfg(any(test, feature = "mutants"))]
        let left = if mutated(Mutant::DivisionKeepsTheSize) { Some(var(old_size)) } else { left };
        match left {
            Some(left) => self.global.assign(old_size, &left),
            None => self.global.forget(&[old_size]),
        }
        inside.rename(&dims::renaming(array, slot, new, fields));
        self.set_content(array, new, inside);
        self.set_content(array, slot, outside);
        Some(new)
    }

    fn set_content(&mut self, array: ArrayId, slot: Slot, content: N) {
        if let Some(a) = self.array_mut(array) {
            a.groups.insert(slot, Group::Many(content));
        }
    }
}

/// Whether the variable stands for the number or a field of the cell that the fact speaks of.
fn stands_for_cell(fact: &CellsFact, v: Var) -> bool {
    v == fact.index || fact.fields.iter().any(|(_, w)| *w == v)
}

/// What the negation of a constraint is the disjunction of; `None` stands for everything. Domains
/// keep little of `!=`.
fn halves(c: &Constraint) -> Vec<Option<Constraint>> {
    let zero = number(0);
    match c.relation {
        smalti_core::Relation::Zero => vec![Constraint::lt(&c.expr, &zero), Constraint::gt(&c.expr, &zero)],
        _ => vec![c.negate()],
    }
}
