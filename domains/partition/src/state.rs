//! The element, and the steps that every operation is made of.

use crate::dims::{self, Slot};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated};
use crate::relations::Relations;
use smalti_core::{ArrayId, Cell, Constraint, FieldId, LinearExpr, Numeric, SharedMap, Var, work};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The data that all elements of one domain share.
#[derive(Debug)]
pub(crate) struct Shared<N> {
    pub(crate) top: N,
    pub(crate) bottom: N,
    pub(crate) max_groups: usize,
}

/// An element of [`crate::PartitionDomain`].
#[derive(Clone, Debug)]
pub struct Partition<N, R> {
    pub(crate) global: N,
    pub(crate) arrays: SharedMap<ArrayId, Rc<Array<N>>>,
    pub(crate) relations: R,
    pub(crate) shared: Rc<Shared<N>>,
}

/// The groups of one array.
#[derive(Clone, Debug)]
pub(crate) struct Array<N> {
    pub(crate) fields: Rc<[FieldId]>,
    pub(crate) length: Var,
    /// The ordinary dimensions that contents of groups speak of: those that have met an index.
    pub(crate) support: BTreeSet<Var>,
    pub(crate) groups: BTreeMap<Slot, Group<N>>,
}

/// One group.
#[derive(Clone, Debug)]
pub(crate) enum Group<N> {
    /// Exactly one cell: index and fields are dimensions of the global element.
    One,
    /// Any number of cells; what holds of each of them, in a dimension for its index, one for each
    /// of its fields, and ordinary dimensions.
    Many(N),
}

impl<N> Array<N> {
    pub(crate) fn position(&self, field: FieldId) -> Option<usize> {
        self.fields.iter().position(|f| *f == field)
    }

    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.groups.keys().copied().collect()
    }

    pub(crate) fn is_one(&self, slot: Slot) -> bool {
        matches!(self.groups.get(&slot), Some(Group::One))
    }

    pub(crate) fn same_layout(&self, other: &Self) -> bool {
        self.length == other.length && self.fields == other.fields
    }

    /// The dimensions that the global element has of the array: of groups of one index and fields,
    /// of others the size.
    pub(crate) fn dimensions(&self, array: ArrayId) -> Vec<Var> {
        let of_group = |(slot, group): (&Slot, &Group<N>)| match group {
            Group::One => self.own(array, *slot),
            Group::Many(_) => vec![dims::size(array, *slot)],
        };
        self.groups.iter().flat_map(of_group).collect()
    }

    /// Index and fields of a group.
    pub(crate) fn own(&self, array: ArrayId, slot: Slot) -> Vec<Var> {
        dims::own(array, slot, self.fields.len())
    }
}

pub(crate) fn assume<N: Numeric>(n: &mut N, c: Option<Constraint>) {
    if let Some(c) = c {
        n.assume(&c);
    }
}

pub(crate) fn var(v: Var) -> LinearExpr {
    LinearExpr::var(v)
}

pub(crate) fn number(c: i128) -> LinearExpr {
    LinearExpr::constant(c)
}

impl<N: Numeric, R: Relations> Partition<N, R> {
    pub(crate) fn bottom_is_plain(&mut self) {
        if self.global.is_bottom() {
            self.arrays = SharedMap::new();
        }
    }

    pub(crate) fn array(&self, array: ArrayId) -> Option<&Array<N>> {
        self.arrays.get(array).map(|a| &**a)
    }

    pub(crate) fn array_mut(&mut self, array: ArrayId) -> Option<&mut Array<N>> {
        self.arrays.get_mut(array).map(Rc::make_mut)
    }

    /// The facts of the global element about those dimensions.
    pub(crate) fn frame(&self, dims: &BTreeSet<Var>) -> N {
        self.global.project(dims)
    }

    /// The facts about the support of an array and about `more`.
    pub(crate) fn frame_of(&self, array: ArrayId, more: &[Var]) -> N {
        let mut keep = self.array(array).map(|a| a.support.clone()).unwrap_or_default();
        keep.extend(more);
        self.frame(&keep)
    }

    /// The facts about a cell of the group together with those of `frame`. Sound for existing
    /// cells: the global element holds in every state, hence in those in which the group has a
    /// cell.
    pub(crate) fn content(&self, array: ArrayId, slot: Slot, frame: &N) -> N {
        match self.array(array).and_then(|a| a.groups.get(&slot)) {
            Some(Group::Many(content)) => {
                let mut content = content.clone();
                content.meet_with(frame);
                content
            }
            Some(Group::One) => {
                let mut keep: BTreeSet<Var> = frame.vars().into_iter().collect();
                keep.extend(self.array(array).map(|a| a.own(array, slot)).unwrap_or_default());
                self.frame(&keep)
            }
            None => self.shared.bottom.clone(),
        }
    }

    /// The scalars, and dimensions of groups of one of other arrays, that share a constraint with
    /// one of `vars`.
    fn neighbours(&self, vars: &[Var], array: ArrayId) -> BTreeSet<Var> {
        let near = |v: &Var| match v.as_group() {
            Some((id, ..)) => id != array && !dims::is_size(*v),
            None => v.is_scalar(),
        };
        // What a variable that is not tied to them says of them follows from bounds.
        let keep = self.global.tied(vars).into_iter().filter(near).chain(vars.iter().copied()).collect();
        let mut found = BTreeSet::new();
        for c in self.frame(&keep).constraints() {
            if c.expr.terms().len() > 1 && c.expr.vars().any(|v| vars.contains(&v)) {
                found.extend(c.expr.vars());
            }
        }
        found.retain(|v| !vars.contains(v));
        found
    }

    /// Ordinary dimensions are about to have other values: the contents of groups first take over
    /// what is known of them together with others (so that `idx < i` and `i <= n` leave `idx < n`),
    /// then forget them.
    pub(crate) fn lose(&mut self, vars: &[Var]) {
        self.relations.forget(vars);
        self.let_go(vars);
    }

    /// The arrays whose support has one of those dimensions.
    pub(crate) fn supported_by(&self, vars: &[Var]) -> Vec<ArrayId> {
        let speaks = |a: &Array<N>| vars.iter().any(|v| a.support.contains(v));
        self.arrays.iter().filter(|(_, a)| speaks(a)).map(|(id, _)| id).collect()
    }

    /// [`Partition::lose`] for contents alone: what relations say of the dimensions stays true.
    fn let_go(&mut self, vars: &[Var]) {
        for array in self.supported_by(vars) {
            let Some(a) = self.array(array) else { continue };
            let known: Vec<Var> = vars.iter().copied().filter(|v| a.support.contains(v)).collect();
            let mentioned = a.groups.values().any(|g| match g {
                Group::Many(content) => content.vars().iter().any(|v| known.contains(v)),
                Group::One => false,
            });
            if !mentioned {
                if let Some(a) = self.array_mut(array) {
                    a.support.retain(|v| !known.contains(v));
                }
                continue;
            }
            let related = self.neighbours(&known, array);
            let frame = self.frame_of(array, &related.iter().copied().collect::<Vec<_>>());
            let Some(a) = self.array_mut(array) else { continue };
            a.support.extend(related);
            a.support.retain(|v| !vars.contains(v));
            for group in a.groups.values_mut() {
                if let Group::Many(content) = group {
                    content.meet_with(&frame);
                    content.forget(vars);
                }
            }
        }
    }

    /// Forgets ordinary dimensions altogether.
    pub(crate) fn retire(&mut self, vars: &[Var]) {
        self.lose(vars);
        self.global.forget(vars);
    }

    /// Arrays that `keep` does not name are no longer tracked.
    pub(crate) fn retain(&mut self, keep: impl Fn(ArrayId, &Array<N>) -> bool) {
        let gone: Vec<ArrayId> = self.arrays.iter().filter(|(id, a)| !keep(*id, a)).map(|(id, _)| id).collect();
        for id in gone {
            let Some(a) = self.arrays.remove(id) else { continue };
            self.relations.remove(id);
            self.retire(&a.dimensions(id));
        }
    }

    /// Arrays whose length is about to change, against the rules, are given up.
    pub(crate) fn lengths_change(&mut self, vars: &[Var]) {
        if self.arrays.values().any(|a| vars.contains(&a.length)) {
            self.retain(|_, a| !vars.contains(&a.length));
        }
    }

    /// A group of one cell becomes a group of any number, with the same meaning.
    pub(crate) fn demote(&mut self, array: ArrayId, slot: Slot) {
        self.keep_number(array, slot);
        self.demote_dimensions(array, slot);
    }

    /// [`Partition::demote`] for numbers alone: what relations say of the group stays.
    fn demote_dimensions(&mut self, array: ArrayId, slot: Slot) {
        let Some(a) = self.array(array) else { return };
        if !a.is_one(slot) {
            return;
        }
        let own = a.own(array, slot);
        let mut keep = a.support.clone();
        keep.extend(self.neighbours(&own, array));
        keep.retain(|v| !own.contains(v));
        let support = keep.clone();
        keep.extend(&own);
        let content = self.frame(&keep);
        // What holds of the fields of the one cell holds of those of every cell.
        self.let_go(&own);
        self.global.forget(&own);
        let size = dims::size(array, slot);
        self.global.assign(size, &number(1));
        if let Some(a) = self.array_mut(array) {
            a.support.extend(support.into_iter().filter(|v| !own.contains(v)));
            a.groups.insert(slot, Group::Many(content));
        }
    }

    /// A group that has exactly one cell (the caller knows) becomes ordinary dimensions: what holds
    /// of every cell of the group holds of that one.
    pub(crate) fn promote(&mut self, array: ArrayId, slot: Slot) {
        let Some(Group::Many(content)) = self.array(array).and_then(|a| a.groups.get(&slot)) else { return };
        let content = content.clone();
        self.global.forget(&[dims::size(array, slot)]);
        self.global.meet_with(&content);
        if let Some(a) = self.array_mut(array) {
            a.groups.insert(slot, Group::One);
        }
        self.bottom_is_plain();
    }

    /// A group without cells.
    pub(crate) fn create(&mut self, array: ArrayId, slot: Slot) {
        work::count(work::Event::Group);
        self.relations.create(array, slot);
        let bottom = self.shared.bottom.clone();
        self.global.assign(dims::size(array, slot), &number(0));
        if let Some(a) = self.array_mut(array) {
            a.groups.insert(slot, Group::Many(bottom));
        }
    }

    /// The group is certainly empty: that it is not can be left out of the global element's cases.
    pub(crate) fn drop_group(&mut self, array: ArrayId, slot: Slot) {
        let size = dims::size(array, slot);
        assume(&mut self.global, Constraint::eq(&var(size), &number(0)));
        self.global.forget(&[size]);
        self.relations.drop(array, slot);
        if let Some(a) = self.array_mut(array) {
            a.groups.remove(&slot);
        }
        self.no_one_points_nowhere();
        self.bottom_is_plain();
    }

    /// The cells of `from` belong to `into` from now on. Each cell was in one of the two, so what
    /// holds of the cells of both holds of it.
    pub(crate) fn merge(&mut self, array: ArrayId, into: Slot, from: Slot) {
        self.relate_each_other(array, into, from);
        [into, from].into_iter().for_each(|slot| self.keep_number(array, slot));
        self.relations.merge(array, into, from);
        // Relations know `from` by its new name already.
        self.demote_dimensions(array, into);
        self.demote_dimensions(array, from);
        let frame = self.frame_of(array, &[]);
        let fields = self.array(array).map_or(0, |a| a.fields.len());
        let mut content = self.content(array, into, &frame);
        let mut other = self.content(array, from, &frame);
        other.rename(&dims::renaming(array, from, into, fields));
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::MergeKeepsOneSide) {
            other = content.clone();
        }
        content.join_with(&other);
        let (size, more) = (dims::size(array, into), dims::size(array, from));
        match var(size).add(&var(more)) {
            Some(sum) => self.global.assign(size, &sum),
            None => self.global.forget(&[size]),
        }
        self.global.forget(&[more]);
        if let Some(a) = self.array_mut(array) {
            a.groups.remove(&from);
            a.groups.insert(into, Group::Many(content));
        }
    }

    /// Groups get other names, all at once.
    pub(crate) fn rename_groups(&mut self, array: ArrayId, pairs: &[(Slot, Slot)]) {
        let pairs: Vec<(Slot, Slot)> = pairs.iter().copied().filter(|(a, b)| a != b).collect();
        if pairs.is_empty() {
            return;
        }
        self.relations.rename(array, &pairs);
        let Some(a) = self.array(array) else { return };
        let fields = a.fields.len();
        let mut ordinary: Vec<(Var, Var)> = Vec::new();
        for &(from, to) in &pairs {
            match a.groups.get(&from) {
                Some(Group::One) => ordinary.extend(dims::renaming(array, from, to, fields)),
                Some(Group::Many(_)) => ordinary.push((dims::size(array, from), dims::size(array, to))),
                None => {}
            }
        }
        self.global.rename(&ordinary);
        let new = |slot: Slot| pairs.iter().find(|p| p.0 == slot).map_or(slot, |p| p.1);
        let name = |v: Var| ordinary.iter().find(|p| p.0 == v).map_or(v, |p| p.1);
        let renamed: Vec<Var> = ordinary.iter().map(|p| p.0).collect();
        let mut changed = self.supported_by(&renamed);
        if !changed.contains(&array) {
            changed.push(array);
        }
        for id in changed {
            let Some(a) = self.array_mut(id) else { continue };
            a.support = a.support.iter().map(|v| name(*v)).collect();
            let groups = std::mem::take(&mut a.groups);
            for (slot, mut group) in groups {
                let to = if id == array { new(slot) } else { slot };
                if let Group::Many(content) = &mut group {
                    let mut all = if to == slot { Vec::new() } else { dims::renaming(id, slot, to, fields) };
                    all.extend(ordinary.iter().copied().filter(|p| !dims::is_size(p.0)));
                    content.rename(&all);
                }
                a.groups.insert(to, group);
            }
        }
    }

    /// The position of the cell's field, if it is tracked. Keeps the states in which the index is
    /// in range.
    pub(crate) fn locate(&mut self, cell: &Cell) -> Option<usize> {
        let a = self.array(cell.array)?;
        let (field, length) = (a.position(cell.field)?, a.length);
        assume(&mut self.global, Some(Constraint::non_negative(cell.index.clone())));
        assume(&mut self.global, Constraint::lt(&cell.index, &var(length)));
        Some(field)
    }

    /// Debug builds only: asking a numeric domain for its variables is not free.
    pub(crate) fn assert_invariants(&self) {
        if !cfg!(debug_assertions) || self.global.is_bottom() {
            return;
        }
        let ordinary: BTreeSet<Var> = self.arrays.iter().flat_map(|(id, a)| a.dimensions(id)).collect();
        let known = |v: &Var| v.is_scalar() || ordinary.contains(v);
        for v in self.global.vars() {
            assert!(known(&v), "{v:?} {:?} is no dimension of {:?}", v.as_group(), self.arrays);
        }
        for (id, a) in self.arrays.iter() {
            assert!(a.support.iter().all(|v| known(v) && !dims::is_size(*v)), "support {:?}", a.support);
            for (slot, group) in &a.groups {
                let Group::Many(content) = group else { continue };
                let own = a.own(id, *slot);
                for v in content.vars() {
                    assert!(own.contains(&v) || a.support.contains(&v), "{v:?} in group {slot} of {id:?}: {a:?}");
                }
            }
        }
    }
}
