//! The known facts as plain data, and the facts about some arrays and scalars alone.

use crate::dims::{self, Slot};
use crate::relations::{Relations, Slots};
use crate::state::{Array, Group, Partition, var};
use smalti_core::{
    ArrayFacts, ArrayId, Constraint, Facts, FieldId, GroupFacts, Lattice, Membership, Numeric, Subjects, Var,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl<N: Numeric, R: Relations> Partition<N, R> {
    pub(crate) fn all_facts(&self) -> Facts {
        let mut state = self.clone();
        if !state.is_bottom() {
            state.reduce();
        }
        if state.is_bottom() {
            return Facts { unreachable: true, ..Facts::default() };
        }
        let scalars: BTreeSet<Var> = state.global.vars().into_iter().filter(|v| v.is_scalar()).collect();
        let (mut arrays, places): (Vec<ArrayFacts>, BTreeMap<ArrayId, Vec<Slot>>) = state
            .arrays
            .keys()
            .map(|id| {
                let (facts, slots) = state.array_facts(id, &scalars);
                (facts, (id, slots))
            })
            .unzip();
        let membership = |target: ArrayId, slots: &Slots| {
            let place = |slot: &Slot| places.get(&target)?.iter().position(|s| s == slot);
            let mut groups: Vec<usize> = slots.iter().filter_map(place).collect();
            groups.sort_unstable();
            Membership { array: target, groups }
        };
        let mut memberships = Vec::new();
        for (v, target, slots) in state.relations.all() {
            if dims::as_fixed(v).is_some() {
                continue;
            }
            let membership = membership(target, &state.only_place(v, target).map_or(slots, |slot| [slot].into()));
            let Some((array, slot, _)) = v.as_group() else {
                memberships.push((v, membership));
                continue;
            };
            let place = places.get(&array).and_then(|slots| slots.iter().position(|s| *s == slot));
            let group = arrays.iter_mut().find(|a| a.array == array).zip(place).map(|(a, n)| &mut a.groups[n]);
            let Some(group) = group else { continue };
            if let Some((field, _)) = group.fields.iter().find(|f| f.1 == v) {
                group.memberships.push((*field, membership));
            }
        }
        Facts { unreachable: false, scalars: state.frame(&scalars).constraints(), arrays, memberships }
    }

    /// The element without the other arrays, and of scalars only with those asked for and those by
    /// which the cells of the arrays are distinguished. Every step forgets, so every state stays.
    pub(crate) fn restricted_to(&self, to: &Subjects) -> Self {
        if self.is_bottom() {
            return self.clone();
        }
        let kept = || self.arrays.iter().filter(|(id, _)| to.arrays.contains(id));
        let own: Vec<Var> = kept().flat_map(|(id, a)| a.dimensions(id)).collect();
        let mut keep = to.with_companions(&self.global, &own);
        keep.extend(&own);
        for (_, a) in kept() {
            keep.insert(a.length);
            keep.extend(a.support.iter().filter(|v| v.is_scalar()));
        }
        let array = |(id, a): (ArrayId, &Rc<Array<N>>)| (id, Rc::new(a.restricted_to(id, &keep)));
        let mut relations = self.relations.clone();
        let (mut scalars, mut arrays) = (Vec::new(), BTreeSet::new());
        for (v, target, _) in relations.all() {
            let of_group = v.as_group().map(|(id, ..)| id);
            arrays.extend([Some(target), of_group].into_iter().flatten().filter(|id| !to.arrays.contains(id)));
            if v.is_scalar() && !keep.contains(&v) {
                scalars.push(v);
            }
        }
        relations.forget(&scalars);
        arrays.into_iter().for_each(|id| relations.remove(id));
        let arrays = kept().map(array).collect();
        let restricted = Partition { global: self.frame(&keep), arrays, relations, shared: self.shared.clone() };
        restricted.assert_invariants();
        restricted
    }

    /// The group of one, if any, whose cell has the index `v`: groups are disjoint, so `v` points
    /// into no other (section 4 of the paper: `parent == 2` and the index of a group is 2). To be
    /// seen; what uses an index finds it out by numbers.
    fn only_place(&self, v: Var, array: ArrayId) -> Option<Slot> {
        let a = self.array(array).filter(|_| v.is_scalar())?;
        let mut ones = a.groups.keys().copied().filter(|slot| a.is_one(*slot));
        let same = |slot: &Slot| Constraint::eq(&var(v), &var(dims::index(array, *slot)));
        ones.find(|slot| same(slot).is_some_and(|c| self.global.entails(&c)))
    }

    /// The scalars that share a constraint with something of the array; of the others nothing
    /// follows for it.
    fn near(&self, array: ArrayId, a: &Array<N>, scalars: &BTreeSet<Var>) -> BTreeSet<Var> {
        let mut of: Vec<Var> = a.support.iter().copied().collect();
        of.extend(a.dimensions(array));
        let related = self.global.related(&of).into_iter().chain(of.iter().copied());
        related.filter(|v| scalars.contains(v)).collect()
    }

    /// The facts about one array, and the names of the groups in that order.
    fn array_facts(&self, array: ArrayId, scalars: &BTreeSet<Var>) -> (ArrayFacts, Vec<Slot>) {
        let Some(a) = self.array(array) else { return (ArrayFacts { array, groups: Vec::new() }, Vec::new()) };
        let near = self.near(array, a, scalars);
        let frame = self.frame(&near);
        let mut groups: Vec<((i128, i128), Slot, GroupFacts)> = Vec::new();
        for slot in a.groups.keys() {
            let own = a.own(array, *slot);
            let mut content = self.content(array, *slot, &frame);
            let others: Vec<Var> = content.vars().into_iter().filter(|v| !v.is_scalar() && !own.contains(v)).collect();
            content.forget(&others);
            // Of scalars alone the content speaks on condition that the group has a cell: that is
            // not for printing.
            let speaks = |c: &Constraint| c.expr.vars().any(|v| own.contains(&v));
            let mut constraints: Vec<Constraint> = content.constraints().into_iter().filter(speaks).collect();
            let size = (!a.is_one(*slot)).then(|| dims::size(array, *slot));
            if let Some(size) = size {
                let keep: BTreeSet<Var> = near.iter().copied().chain([size]).collect();
                let of_size = self.frame(&keep).constraints().into_iter().filter(|c| c.expr.mentions(size));
                constraints.extend(of_size);
            }
            let index = dims::index(array, *slot);
            let fields: Vec<(FieldId, Var)> =
                a.fields.iter().enumerate().map(|(n, f)| (*f, dims::field(array, *slot, n))).collect();
            let range = content.bounds(&var(index));
            let order = range.map_or((0, 0), |r| (r.lo().unwrap_or(i128::MIN), r.hi().unwrap_or(i128::MAX)));
            let facts = GroupFacts { index: Some(index), size, fields, constraints, memberships: Vec::new() };
            groups.push((order, *slot, facts));
        }
        groups.sort_by_key(|(order, slot, _)| (*order, *slot));
        let (slots, groups) = groups.into_iter().map(|(_, slot, facts)| (slot, facts)).unzip();
        (ArrayFacts { array, groups }, slots)
    }
}

impl<N: Numeric> Array<N> {
    /// The groups, with contents that speak of no other ordinary dimensions than these.
    fn restricted_to(&self, array: ArrayId, keep: &BTreeSet<Var>) -> Self {
        let group = |(slot, group): (&Slot, &Group<N>)| {
            let group = match group {
                Group::One => Group::One,
                Group::Many(content) => {
                    let dims: BTreeSet<Var> = keep.iter().copied().chain(self.own(array, *slot)).collect();
                    Group::Many(content.project(&dims))
                }
            };
            (*slot, group)
        };
        Array {
            fields: self.fields.clone(),
            length: self.length,
            support: self.support.intersection(keep).copied().collect(),
            groups: self.groups.iter().map(group).collect(),
        }
    }
}
