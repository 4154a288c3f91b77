//! Facts about every cell that satisfies some guards.
//!
//! Each cell of a group either fails one of the guards or satisfies the body. What is known of the cells of a group becomes the join of these
//! cases. That join often says nothing (`a[k] >= 0` for `k < n` alone), so the group is first divided: the cells that satisfy the guards are
//! a group of their own, the others stay. How many are in which is not known, only that the sizes add up.

use crate::dims::{self, Slot};
use crate::relations::Relations;
use crate::state::{Group, Partition, assume, number, var};
use smalti_core::{ArrayId, CellClaim, CellsFact, Constraint, Lattice, LinearExpr, Numeric, Var};

impl<N: Numeric, R: Relations> Partition<N, R> {
    pub(crate) fn learn_cells(&mut self, fact: &CellsFact) {
        let array = fact.array;
        let Some(a) = self.array(array) else { return };
        // A field that is not tracked holds anything: nothing can be said of it, and a guard about it is true of any cell.
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
        if let Some(first) = self.array(array).and_then(|a| a.slots().first().copied()) {
            self.limit_groups(array, first);
        }
        self.bottom_is_plain();
        self.assert_invariants();
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
            match claim {
                CellClaim::Holds(c) => assume(&mut n, self.about(fact, slot, c)),
                CellClaim::IsIndexOf(e, _) => {
                    // There is such a cell, so the index is in range.
                    let in_range = Constraint::non_negative(e.clone());
                    assume(&mut n, self.about(fact, slot, &in_range));
                    let length = self.array(fact.array).map(|a| var(a.length));
                    let below = length.and_then(|l| Constraint::lt(e, &l));
                    assume(&mut n, below.and_then(|c| self.about(fact, slot, &c)));
                }
            }
        }
        n
    }

    /// The cells that fail one of the guards: the join over which is the first that fails.
    fn outside(&self, guards: &[Constraint], n: &N) -> N {
        let mut found = self.shared.bottom.clone();
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
        all.join_with(&self.outside(&guards, &self.global));
        self.global = all;
        self.bottom_is_plain();
    }

    fn learn_of_many(&mut self, fact: &CellsFact, slot: Slot) {
        let array = fact.array;
        let Some(guards) = self.guards(fact, slot) else { return };
        let stands_for = |v: &Var| *v == fact.index || fact.fields.iter().any(|(_, w)| w == v);
        let claims = fact.body.iter().map(|c| match c {
            CellClaim::Holds(c) => &c.expr,
            CellClaim::IsIndexOf(e, _) => e,
        });
        let vars: Vec<Var> = fact
            .guards
            .iter()
            .map(|g| &g.expr)
            .chain(claims)
            .flat_map(LinearExpr::vars)
            .filter(|v| !stands_for(v))
            .collect();
        let frame = self.frame_of(array, &vars);
        let content = self.content(array, slot, &frame);
        let mut chosen = content.clone();
        guards.iter().for_each(|g| chosen.assume(g));
        let known = fact.body.iter().all(|claim| match claim {
            CellClaim::Holds(c) => self.about(fact, slot, c).is_none_or(|c| chosen.entails(&c)),
            CellClaim::IsIndexOf(..) => false,
        });
        if known {
            return;
        }
        let outside = self.outside(&guards, &content);
        let inside = self.with_body(fact, slot, chosen);
        if let Some(a) = self.array_mut(array) {
            a.support.extend(vars);
        }
        if inside.is_bottom() && outside.is_bottom() {
            self.drop_group(array, slot);
            return;
        }
        if inside.is_bottom() || outside.is_bottom() {
            let mut rest = inside;
            rest.join_with(&outside);
            self.set_content(array, slot, rest);
            return;
        }
        let Some(a) = self.array(array) else { return };
        let fields = a.fields.len();
        // The same division has the same name in every state.
        let name = fact.guards.iter().fold(number(0), |sum, g| sum.add(&g.expr).unwrap_or(sum));
        let name =
            name.rename(|v| if stands_for(&v) { dims::index(array, slot) } else { v }).unwrap_or_else(|| number(0));
        let new = dims::fresh_slot(&name, |s| a.groups.contains_key(&s));
        let (old_size, new_size) = (dims::size(array, slot), dims::size(array, new));
        // Some of the cells, none or all.
        self.global.forget(&[new_size]);
        assume(&mut self.global, Some(Constraint::non_negative(var(new_size))));
        assume(&mut self.global, Constraint::le(&var(new_size), &var(old_size)));
        match var(old_size).sub(&var(new_size)) {
            Some(left) => self.global.assign(old_size, &left),
            None => self.global.forget(&[old_size]),
        }
        let mut moved = inside;
        moved.rename(&dims::renaming(array, slot, new, fields));
        if let Some(a) = self.array_mut(array) {
            a.groups.insert(new, Group::Many(moved));
        }
        self.set_content(array, slot, outside);
    }

    fn set_content(&mut self, array: ArrayId, slot: Slot, content: N) {
        if let Some(a) = self.array_mut(array) {
            a.groups.insert(slot, Group::Many(content));
        }
    }
}

/// What the negation of a constraint is the disjunction of; `None` stands for everything. Domains keep little of `!=`.
fn halves(c: &Constraint) -> Vec<Option<Constraint>> {
    let zero = number(0);
    match c.relation {
        smalti_core::Relation::Zero => vec![Constraint::lt(&c.expr, &zero), Constraint::gt(&c.expr, &zero)],
        _ => vec![c.negate()],
    }
}
