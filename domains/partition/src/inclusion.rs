//! Decides inclusion: searches for an assignment of the left groups to the right groups, and checks
//! each assignment.
//!
//! The numbers of an assignment are checked first, alone: the facts about scalars, sizes and groups
//! of one once the groups are merged. They are a small part of the global element, so this check
//! costs little, and it refutes nearly all wrong assignments.

use crate::dims::{self, Slot};
use crate::matching::Purpose;
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated};
use crate::order::Target;
use crate::reduce::add_up;
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, number, var};
use smalti_core::{ArrayId, Numeric, Var};
use std::collections::{BTreeMap, BTreeSet};

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// The groups of `other` that the group `slot` may become: those whose content its own content
    /// fits, and those of which that cannot be told yet.
    fn may_become(&self, other: &Self, array: ArrayId, slot: Slot) -> Vec<Slot> {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return Vec::new() };
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::InclusionIgnoresContents) {
            return b.slots();
        }
        let scalars = b.groups.values().filter_map(|group| match group {
            Group::Many(content) => Some(content.vars().into_iter().filter(|v| v.is_scalar())),
            Group::One => None,
        });
        let own = a.own(array, slot);
        let mut keep: BTreeSet<Var> = a.support.iter().copied().chain(scalars.flatten()).collect();
        keep.retain(|v| !own.contains(v));
        let mut mine = match a.is_one(slot) {
            true => {
                keep.extend(&own);
                self.frame(&keep)
            }
            false => self.content(array, slot, &self.frame(&keep)),
        };
        let others: Vec<Var> = mine.vars().into_iter().filter(|v| !v.is_scalar() && !own.contains(v)).collect();
        mine.forget(&others);
        let fits = |to: &Slot| {
            let Some(Group::Many(content)) = b.groups.get(to) else {
                return a.is_one(slot) && self.cell_leq(slot, other, *to, array);
            };
            let foreign = |v: &Var| v.as_group().is_some_and(|(id, s, _)| id != array || s != *to);
            content.vars().iter().any(foreign) || {
                let mut mine = mine.clone();
                mine.rename(&dims::renaming(array, slot, *to, a.fields.len()));
                mine.leq(content)
            }
        };
        b.slots().into_iter().filter(fits).collect()
    }

    /// Whether the bounds of the cell of a group of one are within those that `other` has of the
    /// cell of the group `to`.
    fn cell_leq(&self, slot: Slot, other: &Self, to: Slot, array: ArrayId) -> bool {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return false };
        let (own, wanted) = (a.own(array, slot), b.own(array, to));
        let told = |(v, w): (Var, Var)| self.global.distance(v, None).is_subset(other.global.distance(w, None));
        own.into_iter().zip(wanted).all(told)
    }

    /// Whether `self`, whose array has the groups of `other`, is below it as far as that array
    /// goes, numbers apart; `across`: and what fields of other arrays point into.
    fn leq_in(&self, other: &Self, array: ArrayId, across: bool) -> bool {
        // Groups of other arrays may have other names yet; mostly they do not.
        let named = |id: ArrayId, slot: Slot| self.array(id).is_some_and(|a| a.groups.contains_key(&slot));
        let asked = |v: Var, target: ArrayId| {
            let near = |(id, slot, _)| id == array || across && named(id, slot);
            target == array && v.as_group().is_none_or(near)
        };
        // What contents say of groups of other arrays, which may have other names yet, is for the
        // end.
        let of_others = |v: Var| v.as_group().is_some_and(|(id, ..)| id != array);
        self.contents_leq(other, array, |v| !of_others(v)) && self.relations_leq(other, asked)
    }

    /// Whether each group's content is below what that of the same group of `other` says of the
    /// dimensions that are asked for.
    pub(crate) fn contents_leq(&self, other: &Self, array: ArrayId, asked: impl Fn(Var) -> bool) -> bool {
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::InclusionIgnoresContents) {
            return true;
        }
        let Some(b) = other.array(array) else { return true };
        if self.shares(other, array) {
            return true;
        }
        b.groups.iter().all(|(slot, group)| {
            let Group::Many(content) = group else { return true };
            let (mut content, gone): (_, Vec<Var>) =
                (content.clone(), content.vars().into_iter().filter(|v| !asked(*v)).collect());
            if !gone.is_empty() {
                content.forget(&gone);
            }
            let vars: Vec<Var> = content.vars().into_iter().filter(|v| self.is_ordinary(*v)).collect();
            self.content(array, *slot, &self.frame_of(array, &vars)).leq(&content)
        })
    }

    /// `self` with the groups of the array matched to those of `other`, so that it is below it as
    /// far as that array goes.
    pub(crate) fn matched(&self, other: &Self, array: ArrayId) -> Option<Self> {
        let (a, b) = (self.array(array)?, other.array(array)?);
        let most = |state: &Self, slot: Slot, one: bool| match one {
            true => Some(1),
            false => state.global.bounds(&var(dims::size(array, slot))).and_then(|b| b.hi()),
        };
        let numbers = Numbers::new(&self.global, a, &other.global, array, b);
        let mut search = AssignmentSearch {
            left: self,
            right: other,
            array,
            groups: b,
            choices: Vec::new(),
            numbers,
            tried: BTreeMap::new(),
            misfits: Vec::new(),
        };
        // Where the right was made by widening, no search is needed to find out how.
        if let Some(found) = search.as_in_widening() {
            return Some(found);
        }
        for slot in a.groups.keys() {
            let mut options = self.may_become(other, array, *slot);
            if options.is_empty() {
                return None;
            }
            options.sort_by_key(|to| (to != slot, b.is_one(*to) != a.is_one(*slot), *to));
            search.choices.push(Choice { slot: *slot, options, most: most(self, *slot, a.is_one(*slot)) });
        }
        // Groups with little choice first.
        search.choices.sort_by_key(|c| (c.options.len(), c.slot));
        let room: BTreeMap<_, _> = b.groups.keys().map(|slot| (*slot, most(other, *slot, b.is_one(*slot)))).collect();
        // First as if the sizes of groups were independent, which leaves few assignments; then as
        // they are.
        let elsewhere =
            |(v, target, _): (Var, ArrayId, _)| target == array && v.as_group().is_some_and(|g| g.0 != array);
        let tries = match Self::RELATED && other.relations.all().into_iter().any(elsewhere) {
            true => vec![(room.clone(), true), (room, false), (BTreeMap::new(), true), (BTreeMap::new(), false)],
            false => vec![(room, false), (BTreeMap::new(), false)],
        };
        tries.into_iter().find_map(|(room, across)| {
            let mut pass = Pass { assignments: ASSIGNMENTS, steps: STEPS, room, across };
            search.assign(&mut Vec::new(), &mut pass)
        })
    }
}

/// One group of the left, and the groups of the right that it may become, the likeliest first.
struct Choice {
    slot: Slot,
    options: Vec<Slot>,
    /// The most cells that it may have, if that is known.
    most: Option<i128>,
}

/// How one pass of a search goes on.
struct Pass {
    /// The number of assignments that are tried to the end.
    assignments: u32,
    /// The number of choices that are tried.
    steps: u32,
    /// How many cells more each group of the right may get, where that is limited.
    room: BTreeMap<Slot, Option<i128>>,
    /// Whether what fields of other arrays point into counts.
    across: bool,
}

const ASSIGNMENTS: u32 = 12;
const STEPS: u32 = 4000;

/// Groups of the left, ascending, each with the group of the right that it becomes.
type Assignment = Vec<(Slot, Slot)>;

/// Why an assignment does not show the inclusion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refuted {
    /// Whatever else counts.
    Always,
    /// If what fields of other arrays point into counts; and so far also if not.
    Across,
}

/// The search for an assignment of the groups of an array of `left` to those of `right`.
struct AssignmentSearch<'a, N, R> {
    left: &'a Partition<N, R>,
    right: &'a Partition<N, R>,
    array: ArrayId,
    /// Those of the right.
    groups: &'a Array<N>,
    choices: Vec<Choice>,
    numbers: Numbers<'a, N>,
    /// The assignments that were tried, by group of the left.
    tried: BTreeMap<Assignment, Refuted>,
    /// Groups of the right with members for which the numbers say of that group alone what the
    /// right does not: whatever becomes of the other groups.
    misfits: Vec<(Slot, Vec<Slot>)>,
}

impl<N: Numeric, R: Relations> AssignmentSearch<'_, N, R> {
    /// Tries assignments, group by group, until one shows `left <= right`.
    fn assign(&mut self, chosen: &mut Vec<Slot>, pass: &mut Pass) -> Option<Partition<N, R>> {
        let Some(choice) = self.choices.get(chosen.len()) else {
            pass.assignments = pass.assignments.saturating_sub(1);
            let mut chosen: Assignment =
                self.choices.iter().zip(chosen).map(|(choice, to)| (choice.slot, *to)).collect();
            chosen.sort_unstable();
            return self.check(chosen, pass.across);
        };
        let most = choice.most;
        for to in choice.options.clone() {
            pass.steps = pass.steps.saturating_sub(1);
            if pass.assignments == 0 || pass.steps == 0 {
                return None;
            }
            let room = pass.room.get(&to).copied().flatten();
            let left = match (room, most) {
                (None, _) => None,
                (Some(room), Some(most)) if most <= room => Some(room - most),
                _ => continue,
            };
            pass.room.insert(to, left);
            chosen.push(to);
            let found = self.assign(chosen, pass);
            if found.is_some() {
                return found;
            }
            chosen.pop();
            pass.room.insert(to, room);
        }
        None
    }

    /// The left with its groups merged as chosen, if it is below the right then as far as scalars
    /// and that array go; `across`: and what fields of other arrays point into.
    fn check(&mut self, chosen: Assignment, across: bool) -> Option<Partition<N, R>> {
        match self.tried.get(&chosen) {
            Some(Refuted::Always) => return None,
            Some(Refuted::Across) if across => return None,
            _ => {}
        }
        let (found, refuted) = match self.targets(&chosen).filter(|targets| self.fit(targets)) {
            Some(targets) => {
                let mut aligned = self.left.clone();
                aligned.align(self.array, &targets);
                aligned.sizes_add_up(self.array);
                let holds = aligned.global.is_bottom() || aligned.leq_in(self.right, self.array, across);
                (holds.then_some(aligned), if across { Refuted::Across } else { Refuted::Always })
            }
            None => (None, Refuted::Always),
        };
        if found.is_none() {
            self.tried.insert(chosen, refuted);
        }
        found
    }

    /// Whether the numbers are those of the right once the groups are merged like that.
    fn fit(&mut self, targets: &[Target]) -> bool {
        let misfit = |t: &Target| self.misfits.iter().any(|(slot, members)| *slot == t.slot && *members == t.members);
        if targets.iter().any(misfit) {
            return false;
        }
        let merged = self.numbers.merged(targets);
        if merged.leq(&self.numbers.wanted) {
            return true;
        }
        let alone = |t: &&Target| !self.numbers.fit_alone(&merged, t);
        self.misfits.extend(targets.iter().filter(alone).map(|t| (t.slot, t.members.clone())));
        false
    }

    /// How groups of the left are merged if that is chosen; `None` if a group of one of the right
    /// does not get just one member.
    fn targets(&self, chosen: &[(Slot, Slot)]) -> Option<Vec<Target>> {
        let mut members: BTreeMap<Slot, Vec<Slot>> = self.groups.groups.keys().map(|s| (*s, Vec::new())).collect();
        for (slot, to) in chosen {
            members.get_mut(to)?.push(*slot);
        }
        let target = |(slot, mut members): (Slot, Vec<Slot>)| {
            let one = self.groups.is_one(slot);
            // The group that has the name already is the one that is added to.
            members.sort_by_key(|m| (*m != slot, *m));
            (!one || members.len() == 1).then_some(Target { slot, members, one })
        };
        members.into_iter().map(target).collect()
    }

    /// The one assignment that widening the right by the left would choose, tried.
    fn as_in_widening(&mut self) -> Option<Partition<N, R>> {
        let classes = self.right.classes(self.left, self.array, Purpose::Widening);
        let class_of =
            |slot: &Slot| classes.iter().find(|c| c.right.contains(slot)).and_then(|c| c.left.first().copied());
        let slots = self.left.array(self.array).map(Array::slots).unwrap_or_default();
        let chosen: Option<Assignment> = slots.into_iter().map(|slot| Some((slot, class_of(&slot)?))).collect();
        self.check(chosen?, true)
    }
}

/// The numeric facts about an array: the known ones and the required ones.
struct Numbers<'a, N> {
    array: ArrayId,
    groups: &'a Array<N>,
    /// The facts of the left about the groups of the array, and about the scalars that the right
    /// relates to its own dimensions of the array.
    known: N,
    /// The facts of the right about them. Its facts about other arrays do not depend on how these
    /// groups are matched, and are checked when all arrays are; its facts about other scalars hold
    /// already.
    wanted: N,
}

impl<'a, N: Numeric> Numbers<'a, N> {
    fn new(left: &N, groups: &'a Array<N>, right: &N, array: ArrayId, others: &Array<N>) -> Self {
        let theirs = others.dimensions(array);
        let scalars: Vec<Var> = right.tied(&theirs).into_iter().filter(|v| v.as_group().is_none()).collect();
        let with = |dims: Vec<Var>| -> BTreeSet<Var> { dims.into_iter().chain(scalars.iter().copied()).collect() };
        let mut own = with(groups.dimensions(array));
        own.insert(groups.length);
        Numbers { array, groups, known: left.project(&own), wanted: right.project(&with(theirs)) }
    }

    /// The numbers once the groups are merged like that: the steps of [`Partition::align`], as far
    /// as they change the global element. Projection commutes with them, as they speak of nothing
    /// that was left out.
    fn merged(&self, targets: &[Target]) -> N {
        let mut n = self.known.clone();
        let mut renamed = Vec::new();
        let (mut sizes, mut ones) = (Vec::new(), 0);
        for target in targets {
            let Some((first, more)) = target.members.split_first() else {
                continue;
            };
            if target.one {
                ones += 1;
                renamed.extend(dims::renaming(self.array, *first, target.slot, self.groups.fields.len()));
                continue;
            }
            self.demote(&mut n, *first);
            let size = dims::size(self.array, *first);
            for slot in more {
                self.demote(&mut n, *slot);
                let added = dims::size(self.array, *slot);
                match var(size).add(&var(added)) {
                    Some(sum) => n.assign(size, &sum),
                    None => n.forget(&[size]),
                }
                n.forget(&[added]);
            }
            renamed.push((size, dims::size(self.array, target.slot)));
        }
        renamed.retain(|(from, to)| from != to);
        n.rename(&renamed);
        for target in targets {
            if target.members.is_empty() {
                n.assign(dims::size(self.array, target.slot), &number(0));
            }
            if !target.one {
                sizes.push(dims::size(self.array, target.slot));
            }
        }
        add_up(&mut n, &sizes, ones, self.groups.length);
        n
    }

    /// Whether the right says no more of that group, alone and with scalars.
    fn fit_alone(&self, merged: &N, target: &Target) -> bool {
        merged.leq_over(&self.wanted, &|v| v.as_group().is_none_or(|(_, slot, _)| slot == target.slot))
    }

    fn demote(&self, n: &mut N, slot: Slot) {
        if self.groups.is_one(slot) {
            n.forget(&self.groups.own(self.array, slot));
            n.assign(dims::size(self.array, slot), &number(1));
        }
    }
}
