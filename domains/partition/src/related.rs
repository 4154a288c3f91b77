//! Derives relations from numbers and numbers from relations (Liu, Rival 2015, section 4:
//! *reduce*). A derived fact is stored only where it says more than the numbers do.

use crate::access::Candidate;
use crate::dims::{self, PROBE, Slot};
use crate::relations::{Relations, Slots};
use crate::state::{Array, Group, Partition, assume, number, var};
use smalti_core::{ArrayId, Constraint, LinearExpr, Numeric, Relation, Var};
use std::collections::BTreeSet;

/// The number of cells of a table that are known by their numbers.
const NUMBERS: usize = 8;

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// Whether relations are kept at all.
    pub(crate) const RELATED: bool = !R::LAYER.is_empty();

    fn contradiction(&mut self) {
        self.global = self.shared.bottom.clone();
        self.bottom_is_plain();
    }

    /// `v ◁ slots` as well, for an ordinary dimension: if there is no such group, there is no such
    /// state.
    pub(crate) fn point_into(&mut self, v: Var, array: ArrayId, slots: &Slots) {
        self.relations.meet(v, array, slots);
        if self.relations.get(v, array).is_some_and(BTreeSet::is_empty) {
            self.contradiction();
        }
    }

    /// The cell at `e`, which is in range, is in one of the groups. So is what has the same value:
    /// it may be asked for when `e` is forgotten.
    pub(crate) fn found_in(&mut self, array: ArrayId, e: &LinearExpr, slots: impl Iterator<Item = Slot>) {
        if Self::RELATED
            && let Some(v) = e.as_var()
        {
            let slots = slots.collect();
            for w in self.equal_scalars(v) {
                self.point_into(w, array, &slots);
            }
            self.point_into(v, array, &slots);
        }
    }

    /// The only cell of a group is about to become one of many: if its number is known, that is
    /// where that cell is from then on. What is stored as an index by its value still points into
    /// the group, which its index alone does not tell.
    ///
    /// Sound: the group has a cell, with just that number. Only in tables, and of a few numbers.
    pub(crate) fn keep_number(&mut self, array: ArrayId, slot: Slot) {
        if !Self::RELATED || !self.array(array).is_some_and(|a| a.is_one(slot) && a.fields.len() > 1) {
            return;
        }
        let number = self.global.bounds(&var(dims::index(array, slot))).and_then(|range| range.as_constant());
        let Some(fixed) = number.and_then(dims::fixed) else { return };
        if self.known_numbers(array) < NUMBERS {
            self.point_into(fixed, array, &[slot].into());
        }
    }

    fn known_numbers(&self, array: ArrayId) -> usize {
        self.relations.count(|v, target| target == array && dims::as_fixed(v).is_some())
    }

    /// The known groups of the cell at `e`, if `e` is a variable or a number.
    pub(crate) fn related_groups(&self, array: ArrayId, e: &LinearExpr) -> Option<Slots> {
        let own = e.as_var().and_then(|v| self.relations.get(v, array));
        let range = if self.known_numbers(array) > 0 { self.global.bounds(e) } else { None };
        let fixed = range.and_then(|range| range.as_constant()).and_then(dims::fixed);
        match (own, fixed.and_then(|v| self.relations.get(v, array))) {
            (Some(own), Some(fixed)) => Some(own & fixed),
            (one, other) => one.or(other).cloned(),
        }
    }

    /// Other scalars that certainly have the value of `v`.
    fn equal_scalars(&self, v: Var) -> Vec<Var> {
        let others = self.global.related(&[v]).into_iter().filter(|w| *w != v && w.is_scalar());
        let same = |w: &Var| {
            let range = var(*w).sub(&var(v)).and_then(|d| self.global.bounds(&d));
            range.is_some_and(|r| r.as_constant() == Some(0))
        };
        others.filter(same).collect()
    }

    /// The groups that a field of a cell in one of the groups points into: the union of what the
    /// groups say.
    pub(crate) fn field_points_into(&self, array: ArrayId, slots: &[Slot], field: usize) -> Vec<(ArrayId, Slots)> {
        let targets = self.arrays.keys().filter(|_| Self::RELATED);
        let known = |target: ArrayId| {
            slots.iter().try_fold(Slots::new(), |mut all, slot| {
                all.extend(self.relations.get(dims::field(array, *slot, field), target)?);
                Some(all)
            })
        };
        targets.filter_map(|target| known(target).map(|all| (target, all))).collect()
    }

    /// The groups that `v` points into.
    pub(crate) fn points_into(&self, v: Option<Var>) -> Vec<(ArrayId, Slots)> {
        let targets = self.arrays.keys().filter(|_| Self::RELATED);
        targets.filter_map(|target| Some((target, self.relations.get(v?, target)?.clone()))).collect()
    }

    /// `dst`, an ordinary dimension, has a value that points into these groups. A cell that there
    /// is has an index in range, which the numbers may not know.
    pub(crate) fn set_points_into(&mut self, dst: Var, targets: &[(ArrayId, Slots)]) {
        for (target, slots) in targets {
            self.point_into(dst, *target, slots);
            let Some(length) = self.array(*target).map(|a| a.length) else { continue };
            assume(&mut self.global, Some(Constraint::non_negative(var(dst))));
            assume(&mut self.global, Constraint::lt(&var(dst), &var(length)));
        }
        self.bottom_is_plain();
    }

    /// Whether the candidate's field can have a value that points into these groups: a cell is in
    /// just one group.
    pub(crate) fn can_point_into(
        &self,
        array: ArrayId,
        candidate: &Candidate<N>,
        field: usize,
        value: &[(ArrayId, Slots)],
    ) -> bool {
        let tested = dims::field(array, candidate.slot, field);
        value
            .iter()
            .all(|(target, slots)| self.relations.get(tested, *target).is_none_or(|own| !own.is_disjoint(slots)))
    }

    /// Whether to be equal to a value that points into these groups says more of a field than its
    /// group does.
    pub(crate) fn points_closer(&self, array: ArrayId, slot: Slot, field: usize, value: &[(ArrayId, Slots)]) -> bool {
        let tested = dims::field(array, slot, field);
        value.iter().any(|(target, slots)| self.relations.get(tested, *target).is_some_and(|own| !own.is_subset(slots)))
    }

    /// Two ordinary dimensions are equal, `value` if it is one.
    pub(crate) fn equal_points(&mut self, v: Var, value: &LinearExpr) {
        let Some(w) = value.as_var() else { return };
        for (v, w) in [(v, w), (w, v)] {
            for (target, slots) in self.points_into(Some(v)) {
                self.point_into(w, target, &slots);
            }
        }
    }

    /// Whether the group has exactly one cell.
    fn is_single(&self, array: ArrayId, slot: Slot) -> bool {
        self.array(array).is_some_and(|a| a.is_one(slot))
    }

    /// What a constraint between scalars, which holds from now on, says of where they point. Equal
    /// values point to the same cell. Of different ones, if one is the index of the only cell of a
    /// group, the other points into another group.
    pub(crate) fn relate(&mut self, c: &Constraint) {
        if !Self::RELATED || self.global.is_bottom() {
            return;
        }
        for (v, k) in c.expr.terms() {
            let rest = c.expr.substitute(*v, &number(0)).and_then(|rest| rest.scale(-k));
            let (Some(rest), 1 | -1) = (rest, k) else { continue };
            match c.relation {
                Relation::Zero => {
                    for (target, slots) in self.points_into(rest.as_var()) {
                        self.point_into(*v, target, &slots);
                    }
                }
                Relation::NonZero => {
                    self.points_beside(*v, &rest);
                    for (target, mut slots) in self.points_into(Some(*v)) {
                        let other = rest.as_var().and_then(|w| self.relations.get(w, target)).cloned();
                        slots.retain(|slot| {
                            let only = other.as_ref().is_some_and(|o| o.len() == 1 && o.contains(slot));
                            let index = Constraint::eq(&var(dims::index(target, *slot)), &rest);
                            let taken = || only || index.is_some_and(|c| self.global.entails(&c));
                            !(self.is_single(target, *slot) && taken())
                        });
                        self.point_into(*v, target, &slots);
                    }
                }
                Relation::NonNegative => {}
            }
        }
    }

    /// `v`, which differs from `other`, points somewhere in each table where that is the index of
    /// the only cell of a group: not to that cell, as is told next, if numbers do not remember it.
    fn points_beside(&mut self, v: Var, other: &LinearExpr) {
        let apart = var(v).sub(other).and_then(|distance| self.global.bounds(&distance));
        if !v.is_scalar() || apart.is_some_and(|range| !range.contains(0)) {
            return;
        }
        let is_there = |id: ArrayId, a: &Array<N>| {
            let mut ones = a.groups.keys().filter(|slot| a.is_one(**slot));
            let same = |slot: &Slot| Constraint::eq(&var(dims::index(id, *slot)), other);
            ones.any(|slot| same(slot).is_some_and(|c| self.global.entails(&c)))
        };
        let tables = self
            .arrays
            .iter()
            .filter(|(id, a)| a.fields.len() > 1 && self.relations.get(v, *id).is_none() && is_there(*id, a));
        for target in tables.map(|(id, _)| id).collect::<Vec<_>>() {
            if let Some(slots) = self.derive(v, target) {
                self.point_into(v, target, &slots);
            }
        }
    }

    /// The cell at the index of the group of one `cell` has been split off: what is known to point
    /// to it, or not to, is told.
    pub(crate) fn relate_to_cell(&mut self, array: ArrayId, cell: Slot) {
        let index = var(dims::index(array, cell));
        for (v, target, mut slots) in self.relations.all() {
            if target != array || !slots.contains(&cell) || slots.len() == 1 || self.global.is_bottom() {
                continue;
            }
            let Some(distance) = dims::value(v).sub(&index) else { continue };
            let content = v.as_group().and_then(|(id, slot, _)| self.array(id)?.groups.get(&slot));
            let range = match content {
                Some(Group::Many(content)) => content.bounds(&distance),
                _ => self.global.bounds(&distance),
            };
            let Some(range) = range else { continue };
            if range.as_constant() == Some(0) {
                slots = [cell].into();
            } else if !range.contains(0) {
                slots.remove(&cell);
            } else {
                continue;
            }
            self.relations.meet(v, array, &slots);
        }
        self.no_one_points_nowhere();
    }

    /// A group has gone. What could only point into it, and has a value, is in no state.
    pub(crate) fn no_one_points_nowhere(&mut self) {
        let many = |v: Var| v.as_group().is_some_and(|(array, slot, _)| !self.is_single(array, slot));
        if self.relations.all().iter().any(|(v, _, slots)| slots.is_empty() && !many(*v)) {
            self.contradiction();
        }
    }

    /// Where the fields of a group's cells point, for profiles.
    pub(crate) fn points(&self, array: ArrayId, slot: Slot) -> Vec<(usize, ArrayId, Slots)> {
        let fields = self.array(array).map_or(0, |a| if Self::RELATED { a.fields.len() } else { 0 });
        let of_field = |n| {
            let points = self.points_into(Some(dims::field(array, slot, n)));
            points.into_iter().map(move |(target, slots)| (n, target, slots))
        };
        (0..fields).flat_map(of_field).collect()
    }

    /// Whether a field of the group's cells can point to no cell at all: then it has no cells.
    pub(crate) fn points_nowhere(&self, array: ArrayId, slot: Slot) -> bool {
        let fields = self.array(array).map_or(0, |a| if Self::RELATED { a.fields.len() } else { 0 });
        (0..fields).any(|n| self.relations.points_nowhere(dims::field(array, slot, n)))
    }

    /// The groups of `target` that the value of `v` can be the index of, by numbers and by what is
    /// known already; `None` unless it is certainly the index of a cell.
    pub(crate) fn derive(&self, v: Var, target: ArrayId) -> Option<Slots> {
        let length = self.array(target)?.length;
        if dims::as_fixed(v).is_some() {
            // What was there once is there always: lengths do not change.
            let e = dims::value(v);
            let there = Constraint::lt(&e, &var(length)).is_some_and(|c| self.global.entails(&c));
            return there.then(|| self.candidates(target, &e).into_iter().map(|c| c.slot).collect());
        }
        let in_range = |n: &N| {
            n.entails(&Constraint::non_negative(var(v)))
                && Constraint::lt(&var(v), &var(length)).is_some_and(|c| n.entails(&c))
        };
        let of_many = v.as_group().filter(|(array, slot, _)| !self.is_single(*array, *slot));
        let Some((array, slot, _)) = of_many else {
            return in_range(&self.global)
                .then(|| self.candidates(target, &var(v)).into_iter().map(|c| c.slot).collect());
        };
        // Each cell of the group, with the cell that its field points to: a second copy, if that is
        // of the same group.
        let a = self.array(target)?;
        let ones = a.slots().into_iter().filter(|s| a.is_one(*s)).map(|s| dims::index(target, s));
        let more: Vec<Var> = ones.chain(a.support.iter().copied()).chain([length]).collect();
        let frame = self.frame_of(array, &more);
        let content = self.content(array, slot, &frame);
        if !in_range(&content) {
            return None;
        }
        let known = self.relations.get(v, target);
        let possible = |(to, group): &(&Slot, &Group<N>)| match group {
            _ if known.is_some_and(|known| !known.contains(*to)) => false,
            Group::One => {
                let distance = var(v).sub(&var(dims::index(target, **to)));
                distance.and_then(|d| content.bounds(&d)).is_none_or(|range| range.contains(0))
            }
            Group::Many(other) => {
                let mut other = other.clone();
                other.rename(&dims::renaming(target, **to, PROBE, a.fields.len()));
                other.meet_with(&content);
                assume(&mut other, Constraint::eq(&var(dims::index(target, PROBE)), &var(v)));
                !other.is_bottom()
            }
        };
        Some(a.groups.iter().filter(possible).map(|(to, _)| *to).collect())
    }

    /// A value was stored in a field of a group of one. If nothing is known of where it points, but
    /// by its value it points into some groups of a table and not into others, that is kept: the
    /// value is lost when groups are merged.
    pub(crate) fn relate_stored(&mut self, dimension: Var) {
        if !Self::RELATED || self.global.is_bottom() {
            return;
        }
        let tables: Vec<ArrayId> = self.arrays.iter().filter(|(_, a)| a.fields.len() > 1).map(|(id, _)| id).collect();
        for target in tables {
            if self.relations.get(dimension, target).is_none()
                && let Some(slots) = self.derive(dimension, target)
                && self.array(target).is_some_and(|a| slots.len() < a.groups.len())
            {
                self.point_into(dimension, target, &slots);
            }
        }
    }

    /// Adds what `other`, which has the same groups, knows and this does not, where it follows from
    /// numbers: a relation that one side lacks is lost.
    pub(crate) fn relate_like(&mut self, other: &Self) {
        for (v, target, _) in self.relations.missing(&other.relations) {
            if self.relations.get(v, target).is_none()
                && let Some(slots) = self.derive(v, target)
            {
                self.relations.meet(v, target, &slots);
            }
        }
    }

    /// Two groups are about to be merged: what one of them knows of a field is derived for the
    /// other.
    pub(crate) fn relate_each_other(&mut self, array: ArrayId, one: Slot, two: Slot) {
        let Some(fields) = self.array(array).map(|a| a.fields.len()).filter(|_| Self::RELATED) else { return };
        for (from, to) in [(one, two), (two, one)] {
            for n in 0..fields {
                let (from, to) = (dims::field(array, from, n), dims::field(array, to, n));
                for (target, _) in self.points_into(Some(from)) {
                    if self.relations.get(to, target).is_none()
                        && let Some(slots) = self.derive(to, target)
                    {
                        self.relations.meet(to, target, &slots);
                    }
                }
            }
        }
    }

    /// Whether what `other`, which has the same groups, says and `asked` selects, holds here.
    pub(crate) fn relations_leq(&self, other: &Self, asked: impl Fn(Var, ArrayId) -> bool) -> bool {
        let missing = self.relations.missing(&other.relations);
        missing
            .into_iter()
            .filter(|(v, target, _)| asked(*v, *target))
            .all(|(v, target, slots)| self.derive(v, target).is_some_and(|own| own.is_subset(&slots)))
    }
}
