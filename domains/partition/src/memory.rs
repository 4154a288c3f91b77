//! The transfer functions.

use crate::access::Candidate;
use crate::dims::{self, PROBE, Slot};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated, test_all};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, assume, number, var};
use smalti_core::{
    ArrayId, Cell, CellsFact, Constraint, Facts, FieldId, Interval, Lattice, LinearExpr, Memory, Numeric, Relation,
    Subjects, Var,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// `v` in `range`.
fn within<N: Numeric>(n: &mut N, v: Var, range: Interval) {
    assume(n, range.lo().and_then(|lo| Constraint::ge(&var(v), &number(lo))));
    assume(n, range.hi().and_then(|hi| Constraint::le(&var(v), &number(hi))));
}

impl<N: Numeric, R: Relations> Memory for Partition<N, R> {
    fn assign(&mut self, v: Var, e: &LinearExpr) {
        if self.is_bottom() {
            return;
        }
        if e.as_var() == Some(v) {
            return;
        }
        self.lengths_change(&[v]);
        if matches!(e.coefficient(v), 1 | -1) {
            // The old value follows from the new one: contents lose nothing if they know the rest
            // of the expression.
            self.relations.forget(&[v]);
            let rest: BTreeSet<Var> = e.vars().filter(|w| *w != v).collect();
            for id in self.supported_by(&[v]) {
                let more: Vec<Var> = rest.iter().copied().collect();
                let frame = (!rest.is_empty()).then(|| self.frame_of(id, &more));
                let Some(a) = self.array_mut(id) else { continue };
                a.support.extend(&rest);
                for group in a.groups.values_mut() {
                    if let Group::Many(content) = group {
                        frame.iter().for_each(|frame| content.meet_with(frame));
                        content.assign(v, e);
                    }
                }
            }
        } else {
            let stale: &[Var] = &[v];
            #[cfg(any(test, feature = "mutants"))]
            let stale = if mutated(Mutant::AssignLeavesTheOld) { &[] } else { stale };
            self.lose(stale);
            if let Some(source) = e.as_var() {
                self.relations.copy(v, source);
            }
        }
        self.global.assign(v, e);
        self.assert_invariants();
    }

    fn forget(&mut self, vars: &[Var]) {
        if self.is_bottom() {
            return;
        }
        self.lengths_change(vars);
        self.retire(vars);
        self.assert_invariants();
    }

    fn assume(&mut self, c: &Constraint) {
        // Contents are always met with the global element before they are used.
        self.global.assume(c);
        self.bottom_is_plain();
        self.relate(c);
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        self.global.bounds(e)
    }

    fn entails(&self, c: &Constraint) -> bool {
        self.global.entails(c)
    }

    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var) {
        self.drop_array(array);
        let mut fields = fields.to_vec();
        fields.sort_unstable();
        fields.dedup();
        if self.is_bottom() || fields.len() > dims::MAX_FIELDS {
            return;
        }
        let empty = Array { fields: fields.into(), length, support: BTreeSet::new(), groups: BTreeMap::new() };
        self.arrays.insert(array, Rc::new(empty));
        self.whole(array);
        self.assert_invariants();
    }

    fn drop_array(&mut self, array: ArrayId) {
        self.retain(|a, _| a != array);
        self.assert_invariants();
    }

    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr) {
        if self.is_bottom() {
            return;
        }
        let Some(field) = self.array(array).and_then(|a| a.position(field)) else { return };
        if self.array(array).is_some_and(|a| a.fields.len() == 1) {
            // Nothing tells the cells apart any more.
            self.whole(array);
        }
        let Some(a) = self.array(array) else { return };
        let ones: Vec<Var> =
            a.slots().into_iter().filter(|s| a.is_one(*s)).map(|s| dims::field(array, s, field)).collect();
        self.lose(&ones);
        ones.iter().for_each(|f| self.global.assign(*f, value));
        for slot in self.array(array).map(Array::slots).unwrap_or_default() {
            let dimension = dims::field(array, slot, field);
            self.relations.forget(&[dimension]);
            if let Some(source) = value.as_var() {
                self.relations.copy(dimension, source);
            }
        }
        let vars: Vec<Var> = value.vars().collect();
        let frame = self.frame_of(array, &vars);
        if let Some(a) = self.array_mut(array) {
            a.support.extend(vars);
            for (slot, group) in &mut a.groups {
                if let Group::Many(content) = group {
                    content.meet_with(&frame);
                    content.assign(dims::field(array, *slot, field), value);
                }
            }
        }
        self.bottom_is_plain();
        self.assert_invariants();
    }

    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval) {
        if self.is_bottom() {
            return;
        }
        let Some(field) = self.array(array).and_then(|a| a.position(field)) else { return };
        let Some(a) = self.array(array) else { return };
        let ones: Vec<Var> =
            a.slots().into_iter().filter(|s| a.is_one(*s)).map(|s| dims::field(array, s, field)).collect();
        self.lose(&ones);
        // A new value points anywhere.
        let all = self.array(array).map(Array::slots).unwrap_or_default();
        let fields: Vec<Var> = all.into_iter().map(|s| dims::field(array, s, field)).collect();
        self.relations.forget(&fields);
        // Each cell has the old value or a new one, whatever the others have.
        let either = |n: &mut N, f: Var| {
            let mut changed = n.clone();
            changed.forget(&[f]);
            within(&mut changed, f, range);
            n.join_with(&changed);
        };
        ones.iter().for_each(|f| either(&mut self.global, *f));
        if let Some(a) = self.array_mut(array) {
            for (slot, group) in &mut a.groups {
                if let Group::Many(content) = group
                    && !content.is_bottom()
                {
                    either(content, dims::field(array, *slot, field));
                }
            }
        }
        self.bottom_is_plain();
        self.assert_invariants();
    }

    fn read(&mut self, dst: Var, cell: &Cell) {
        if self.is_bottom() {
            return;
        }
        let field = self.locate(cell);
        if self.array(cell.array).is_some_and(|a| a.length == dst) || field.is_none() {
            self.bottom_is_plain();
            return self.forget(&[dst]);
        }
        let field = field.unwrap_or(0);
        self.lengths_change(&[dst]);
        let found = self.candidates(cell.array, &cell.index);
        // The groups are the same in all cases, and their contents too: one join at once.
        let mut global = self.shared.bottom.clone();
        for candidate in &found {
            let mut case = self.case(cell.array, &cell.index, candidate);
            case.assign(dst, &var(Self::field_in_case(cell.array, candidate, field)));
            self.end_case(cell.array, &mut case);
            global.join_with(&case);
        }
        self.lose(&[dst]);
        self.global = global;
        self.bottom_is_plain();
        let slots: Vec<Slot> = found.iter().map(|c| c.slot).collect();
        let points = self.field_points_into(cell.array, &slots, field);
        self.found_in(cell.array, &cell.index, slots.into_iter());
        self.set_points_into(dst, &points);
        self.assert_invariants();
    }

    fn write(&mut self, cell: &Cell, value: &LinearExpr) {
        if self.is_bottom() {
            return;
        }
        let Some(field) = self.locate(cell) else { return };
        let found = self.candidates(cell.array, &cell.index);
        let Some(slot) = self.carve(cell.array, &cell.index, found) else {
            self.bottom_is_plain();
            return;
        };
        let dimension = dims::field(cell.array, slot, field);
        let stale: &[Var] = &[dimension];
        #[cfg(any(test, feature = "mutants"))]
        let stale = if mutated(Mutant::StoreLeavesTheOld) { &[] } else { stale };
        self.lose(stale);
        self.global.assign(dimension, value);
        if let Some(source) = value.as_var() {
            self.relations.copy(dimension, source);
        }
        self.relate_stored(dimension);
        self.limit_groups(cell.array, slot);
        self.bottom_is_plain();
        self.assert_invariants();
    }

    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr) {
        if self.is_bottom() {
            return;
        }
        let Some(field) = self.locate(cell) else { return };
        let mut found = self.candidates(cell.array, &cell.index);
        let points = self.points_into(value.as_var());
        let mut cases = Vec::new();
        let before = found.len();
        let mut refuted = Vec::new();
        found.retain(|candidate| {
            let before = self.case(cell.array, &cell.index, candidate);
            let mut case = before.clone();
            let tested = Self::field_in_case(cell.array, candidate, field);
            assume(&mut case, Constraint::eq(&var(tested), value));
            let possible = self.can_point_into(cell.array, candidate, field, &points) && !case.is_bottom();
            match possible {
                true => cases.push((before, case, tested)),
                false => refuted.push(candidate.slot),
            }
            possible
        });
        // At once, as long as those groups have their names.
        self.is_not_in(cell.array, &cell.index, &refuted);
        // Worth a group of its own: the test has told in which group the cell is, and no relation
        // of the index remembers it; or it has told more of what the cell holds than the group has.
        let closer = |c: &Candidate<N>| self.points_closer(cell.array, c.slot, field, &points);
        let remembered = Self::RELATED && cell.index.as_var().is_some();
        let pays = match &found[..] {
            [only] => {
                only.cell.is_some()
                    && (before > 1 && !remembered
                        || closer(only)
                        || cases.iter().all(|(before, case, tested)| teaches(before, case, *tested, value)))
            }
            _ => found.iter().any(closer),
        };
        let slots: Vec<Slot> = found.iter().map(|c| c.slot).collect();
        if pays {
            let Some(slot) = self.carve(cell.array, &cell.index, found) else { return };
            let tested = dims::field(cell.array, slot, field);
            assume(&mut self.global, Constraint::eq(&var(tested), value));
            self.equal_points(tested, value);
            self.limit_groups(cell.array, slot);
        } else {
            let mut global = self.shared.bottom.clone();
            for (_, mut case, _) in cases {
                self.end_case(cell.array, &mut case);
                global.join_with(&case);
            }
            self.global = global;
            self.tell_apart(cell.array, &cell.index, &refuted);
            self.bottom_is_plain();
            self.found_in(cell.array, &cell.index, slots.iter().copied());
            match &found[..] {
                [only] if only.cell.is_none() => {
                    self.equal_points(dims::field(cell.array, only.slot, field), value);
                }
                _ if value.as_var().is_some() => {
                    let points = self.field_points_into(cell.array, &slots, field);
                    value.as_var().into_iter().for_each(|v| self.set_points_into(v, &points));
                }
                _ => {}
            }
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::TestIsForAll) {
                test_all(self, cell.array, field, value);
            }
        }
        self.bottom_is_plain();
        self.assert_invariants();
    }

    fn assume_cells(&mut self, fact: &CellsFact) {
        self.learn_cells(fact);
    }

    fn facts(&self) -> Facts {
        self.all_facts()
    }

    fn subjects(&self) -> Subjects {
        // What groups and relations say of scalars becomes known of them when the state is
        // printed.
        let of_arrays = self.arrays.values().flat_map(|a| a.support.iter().copied().chain([a.length]));
        let of_relations = self.relations.all().into_iter().map(|(v, ..)| v);
        let all = self.global.vars().into_iter().chain(of_arrays).chain(of_relations);
        Subjects { arrays: self.arrays.keys().collect(), scalars: all.filter(|v| v.is_scalar()).collect() }
    }

    fn restricted(&self, to: &Subjects) -> Self {
        self.restricted_to(to)
    }
}

/// Whether `case`, in which the cell `tested` is equal to `value`, knows more of the cell than
/// `before`, apart from just that equality: then the cell is worth a group of its own.
fn teaches<N: Numeric>(before: &N, case: &N, tested: Var, value: &LinearExpr) -> bool {
    if value.mentions(tested) {
        return false;
    }
    let tighter = |e: &LinearExpr| match (before.bounds(e), case.bounds(e)) {
        (Some(old), Some(new)) => !old.is_subset(new),
        _ => false,
    };
    if tighter(&var(tested)) {
        return true;
    }
    let probe = |v: Var| v.as_group().is_some_and(|(_, slot, _)| slot == PROBE);
    // What shares nothing with the cell has no constraint that speaks of it.
    let near = case.related(&[tested]).into_iter().filter(|v| !value.mentions(*v)).collect();
    case.project(&near).constraints().iter().any(|c| {
        let others = c.expr.vars().filter(|v| *v != tested && !probe(*v));
        c.relation != Relation::NonZero && c.expr.mentions(tested) && others.count() > 0 && !before.entails(c)
    })
}
