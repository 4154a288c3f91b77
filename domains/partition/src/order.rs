//! Join, widening, inclusion: groups are matched, both states brought to the same groups, then compared group by group.

use crate::dims::{self, Slot};
use crate::matching::{self, Class, Purpose};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated, take_the_partners};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, var};
use smalti_core::{ArrayId, Interval, Lattice, LinearExpr, Numeric, Thresholds, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The groups `members` become the group `slot`, a group of one if `one` (then there is just one member, of one).
struct Target {
    slot: Slot,
    members: Vec<Slot>,
    one: bool,
}

/// The limit is set for each array.
const JOIN: Purpose = Purpose::Join(usize::MAX);

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// Merges groups until there are not too many; `keep`, the cell that was split off last, stays if it can.
    pub(crate) fn limit_groups(&mut self, array: ArrayId, keep: Slot) {
        let most = self.most_groups(array);
        while self.array(array).is_some_and(|a| a.groups.len() > most) && !self.global.is_bottom() {
            let references = Self::references(&[self], array);
            let profiles = self.profiles(array, &references);
            let kept = if profiles.len() > 2 { [keep].into() } else { BTreeSet::new() };
            match matching::closest(&profiles, &kept) {
                Some((into, from)) => self.merge(array, into, from),
                None => break,
            }
        }
    }

    /// The array is left with just the groups of `targets`; every group is a member of one.
    fn align(&mut self, array: ArrayId, targets: &[Target]) {
        let mut renamed = Vec::new();
        for target in targets {
            let Some((first, more)) = target.members.split_first() else { continue };
            more.iter().for_each(|m| self.merge(array, *first, *m));
            if !target.one {
                self.demote(array, *first);
            }
            renamed.push((*first, target.slot));
        }
        self.rename_groups(array, &renamed);
        for target in targets.iter().filter(|t| t.members.is_empty()) {
            self.create(array, target.slot);
        }
    }

    /// The classes of groups of an array on both sides.
    fn classes(&self, other: &Self, array: ArrayId, purpose: Purpose) -> Vec<Class> {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return Vec::new() };
        if a.groups.keys().eq(b.groups.keys()) && !a.groups.keys().any(|s| self.holds_other(other, array, *s)) {
            return a.groups.keys().map(|s| Class { left: vec![*s], right: vec![*s] }).collect();
        }
        let references = Self::references(&[self, other], array);
        let (left, right) = (self.profiles(array, &references), other.profiles(array, &references));
        let purpose = match purpose {
            Purpose::Join(_) => Purpose::Join(self.most_groups(array).max(other.most_groups(array))),
            Purpose::Widening => Purpose::Widening,
        };
        matching::pair(&left, &right, purpose)
    }

    /// Whether a cell of a table, split off on both sides, holds something else on each: a used entry here and a free one there. They are no group
    /// together, although both were made by the same split.
    fn holds_other(&self, other: &Self, array: ArrayId, slot: Slot) -> bool {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return false };
        let known = |state: &Self, field: Var| state.global.bounds(&var(field)).unwrap_or(Interval::TOP);
        let apart = |field: Var| known(self, field).meet(known(other, field)).is_none();
        a.fields.len() > 1 && a.is_one(slot) && b.is_one(slot) && a.own(array, slot).into_iter().skip(1).any(apart)
    }

    /// How many groups an array may have: of few cells not many, though some more than cells, as groups may be empty.
    fn most_groups(&self, array: ArrayId) -> usize {
        let length = self.array(array).and_then(|a| self.global.bounds(&var(a.length)));
        let cells = length.and_then(|l| l.hi()).and_then(|hi| usize::try_from(hi.max(1)).ok());
        cells.map_or(self.shared.max_groups, |cells| cells.saturating_mul(2).min(self.shared.max_groups))
    }

    /// Brings both sides to the same arrays and groups.
    fn unify(&mut self, other: &mut Self, purpose: Purpose) {
        other.retain(|id, a| self.array(id).is_some_and(|mine| mine.same_layout(a)));
        self.retain(|id, _| other.arrays.contains_key(&id));
        for array in self.arrays.keys().copied().collect::<Vec<_>>() {
            if self.shares(other, array) {
                continue;
            }
            let classes = self.classes(other, array, purpose);
            let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { continue };
            let mut used: BTreeSet<Slot> = classes.iter().filter_map(|c| c.left.first().copied()).collect();
            let (mut mine, mut theirs) = (Vec::new(), Vec::new());
            for class in classes {
                let slot = class.left.first().copied().unwrap_or_else(|| {
                    let wanted = class.right.first().copied().unwrap_or(0);
                    let free = |s: Slot| !used.contains(&s) && !a.groups.contains_key(&s);
                    if free(wanted) {
                        wanted
                    } else {
                        dims::fresh_slot(&LinearExpr::constant(wanted.into()), |s| !free(s))
                    }
                });
                used.insert(slot);
                let one = match (&class.left[..], &class.right[..]) {
                    ([l], [r]) => a.is_one(*l) && b.is_one(*r),
                    _ => false,
                };
                mine.push(Target { slot, members: class.left, one });
                theirs.push(Target { slot, members: class.right, one });
            }
            self.align(array, &mine);
            other.align(array, &theirs);
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::CreateTakesThePartners) {
                for (mine, theirs) in mine.iter().zip(&theirs) {
                    match (mine.members.is_empty(), theirs.members.is_empty()) {
                        (true, false) => take_the_partners(self, other, array, mine.slot),
                        (false, true) => take_the_partners(other, self, array, mine.slot),
                        _ => {}
                    }
                }
            }
            other.sizes_add_up(array);
            if purpose != Purpose::Widening {
                self.sizes_add_up(array);
            }
        }
    }

    /// Whether `v` is a scalar or a dimension of a group of one.
    fn is_ordinary(&self, v: Var) -> bool {
        match v.as_group() {
            None => v.is_scalar(),
            Some((array, slot, _)) => !dims::is_size(v) && self.array(array).is_some_and(|a| a.is_one(slot)),
        }
    }

    /// The group's content over no more than `support` and its own dimensions.
    fn content_over(&self, array: ArrayId, slot: Slot, support: &BTreeSet<Var>, frame: &N) -> N {
        let mut keep = support.clone();
        keep.extend(self.array(array).map(|a| a.own(array, slot)).unwrap_or_default());
        self.content(array, slot, frame).project(&keep)
    }

    /// Whether the array is one and the same value in both: then its groups are the same already, and what their contents say holds on
    /// both sides, so in a join too. Arrays that a piece of the program leaves alone cost it nothing.
    pub(crate) fn shares(&self, other: &Self, array: ArrayId) -> bool {
        matches!((self.arrays.get(&array), other.arrays.get(&array)), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    /// Whether both have the same groups, of the same kinds.
    fn has_groups_of(&self, other: &Self) -> bool {
        let same = |a: &Array<N>, b: &Array<N>| {
            a.groups.keys().eq(b.groups.keys()) && a.groups.keys().all(|s| a.is_one(*s) == b.is_one(*s))
        };
        self.arrays.keys().eq(other.arrays.keys()) && self.arrays.iter().all(|(id, a)| same(a, &other.arrays[id]))
    }

    /// Whether `self`, which has the groups of `other`, is below it.
    fn leq_same_groups(&self, other: &Self) -> bool {
        self.global.leq(&other.global)
            && self.relations_leq(other, |_, _| true)
            && other.arrays.keys().all(|id| self.contents_leq(other, *id, |_| true))
    }

    /// Whether the content of the group `slot` fits that of the group `to` of `other`; `true` where that cannot be told yet.
    fn may_become(&self, other: &Self, array: ArrayId, slot: Slot, to: Slot) -> bool {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return false };
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::InclusionIgnoresContents) {
            return true;
        }
        let Some(Group::Many(content)) = b.groups.get(&to) else { return a.is_one(slot) };
        let foreign = |v: Var| v.as_group().is_some_and(|(id, s, _)| id != array || s != to);
        let vars = content.vars();
        if vars.iter().any(|v| foreign(*v)) {
            return true;
        }
        let scalars: Vec<Var> = vars.into_iter().filter(|v| v.is_scalar()).collect();
        let own = a.own(array, slot);
        let mut keep: BTreeSet<Var> = a.support.iter().chain(&scalars).copied().collect();
        keep.retain(|v| !own.contains(v));
        let frame = self.frame(&keep);
        let mut mine = match a.is_one(slot) {
            true => {
                keep.extend(&own);
                self.frame(&keep)
            }
            false => self.content(array, slot, &frame),
        };
        let others: Vec<Var> = mine.vars().into_iter().filter(|v| !v.is_scalar() && !own.contains(v)).collect();
        mine.forget(&others);
        mine.rename(&dims::renaming(array, slot, to, a.fields.len()));
        mine.leq(content)
    }

    /// Tries assignments of the groups of `self` to those of `other`, group by group, until one shows `self <= other`.
    fn search(
        &self,
        other: &Self,
        array: ArrayId,
        all: &[Choice],
        chosen: &mut Vec<Slot>,
        search: &mut Search,
    ) -> Option<Self> {
        let Some(choice) = all.get(chosen.len()) else {
            search.assignments = search.assignments.saturating_sub(1);
            if !search.refuted.insert((search.across, chosen.clone())) {
                return None;
            }
            let aligned = self.assigned(other, array, all, chosen)?;
            let holds = aligned.is_bottom() || aligned.leq_in(other, array, search.across);
            return holds.then_some(aligned);
        };
        for to in &choice.options {
            search.steps = search.steps.saturating_sub(1);
            if search.assignments == 0 || search.steps == 0 {
                return None;
            }
            let room = search.room.get(to).copied().flatten();
            let left = match (room, choice.most) {
                (None, _) => None,
                (Some(room), Some(most)) if most <= room => Some(room - most),
                _ => continue,
            };
            search.room.insert(*to, left);
            chosen.push(*to);
            let found = self.search(other, array, all, chosen, search);
            if found.is_some() {
                return found;
            }
            chosen.pop();
            search.room.insert(*to, room);
        }
        None
    }

    /// Whether `self`, whose array has the groups of `other`, is below it as far as scalars and that array go; `across`: and what fields of
    /// other arrays point into.
    fn leq_in(&self, other: &Self, array: ArrayId, across: bool) -> bool {
        // Of the global element, what is near the array: the rest does not depend on how its groups are matched, and is looked at when all
        // arrays are.
        let Some(b) = other.array(array) else { return true };
        let dimensions: Vec<Var> = b
            .groups
            .iter()
            .flat_map(|(slot, group)| match group {
                Group::One => b.own(array, *slot),
                Group::Many(_) => vec![dims::size(array, *slot)],
            })
            .collect();
        let of_others = |v: &Var| v.as_group().is_some_and(|(id, ..)| id != array);
        let near = other.global.related(&dimensions).into_iter().filter(|v| !of_others(v)).collect();
        let global = self.global.leq(&other.global.project(&near));
        // Groups of other arrays may have other names yet; mostly they do not.
        let named = |id: ArrayId, slot: Slot| self.array(id).is_some_and(|a| a.groups.contains_key(&slot));
        let asked = |v: Var, target: ArrayId| {
            let near = |(id, slot, _)| id == array || across && named(id, slot);
            target == array && v.as_group().is_none_or(near)
        };
        // What contents say of groups of other arrays, which may have other names yet, is for the end.
        global && self.contents_leq(other, array, |v| !of_others(&v)) && self.relations_leq(other, asked)
    }

    /// Whether each group's content is below what that of the same group of `other` says of the dimensions that are asked for.
    fn contents_leq(&self, other: &Self, array: ArrayId, asked: impl Fn(Var) -> bool) -> bool {
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

    /// `self` with its groups merged as chosen; `None` if a group of one of `other` gets no member.
    fn assigned(&self, other: &Self, array: ArrayId, all: &[Choice], chosen: &[Slot]) -> Option<Self> {
        let mut aligned = self.clone();
        let b = other.array(array)?;
        let mut members: BTreeMap<Slot, Vec<Slot>> = b.groups.keys().map(|s| (*s, Vec::new())).collect();
        for (choice, to) in all.iter().zip(chosen) {
            members.get_mut(to)?.push(choice.slot);
        }
        let mut targets = Vec::new();
        for (slot, mut members) in members {
            let one = b.is_one(slot);
            if one && members.len() != 1 {
                return None;
            }
            // The group that has the name already is the one that is added to.
            members.sort_by_key(|m| (*m != slot, *m));
            targets.push(Target { slot, members, one });
        }
        aligned.align(array, &targets);
        aligned.sizes_add_up(array);
        Some(aligned)
    }

    /// The one assignment that widening `other` by `self` would choose: where `other` was made that way, no search is needed to find it again.
    fn chosen_as_in_widening(&self, other: &Self, array: ArrayId, all: &[Choice]) -> Option<Vec<Slot>> {
        let classes = other.classes(self, array, Purpose::Widening);
        let class_of =
            |slot: Slot| classes.iter().find(|c| c.right.contains(&slot)).and_then(|c| c.left.first().copied());
        all.iter().map(|choice| class_of(choice.slot)).collect()
    }

    /// `self` with the groups of the array matched to those of `other`, so that it is below it as far as that array goes.
    fn matched(&self, other: &Self, array: ArrayId) -> Option<Self> {
        let (a, b) = (self.array(array)?, other.array(array)?);
        let most = |state: &Self, slot: Slot, one: bool| match one {
            true => Some(1),
            false => state.global.bounds(&var(dims::size(array, slot))).and_then(|b| b.hi()),
        };
        let mut all: Vec<Choice> = Vec::new();
        for slot in a.groups.keys() {
            let fits = |to: &Slot| self.may_become(other, array, *slot, *to);
            let mut options: Vec<Slot> = b.groups.keys().copied().filter(fits).collect();
            if options.is_empty() {
                return None;
            }
            options.sort_by_key(|to| (to != slot, b.is_one(*to) != a.is_one(*slot), *to));
            all.push(Choice { slot: *slot, options, most: most(self, *slot, a.is_one(*slot)) });
        }
        // Groups with little choice first.
        all.sort_by_key(|c| (c.options.len(), c.slot));
        let mut refuted = BTreeSet::new();
        if let Some(chosen) = self.chosen_as_in_widening(other, array, &all) {
            let aligned = self.assigned(other, array, &all, &chosen);
            if let Some(aligned) = aligned.filter(|a| a.is_bottom() || a.leq_in(other, array, true)) {
                return Some(aligned);
            }
            refuted.insert((true, chosen));
        }
        let room: BTreeMap<_, _> = b.groups.keys().map(|slot| (*slot, most(other, *slot, b.is_one(*slot)))).collect();
        // First as if the sizes of groups were independent, which leaves few assignments; then as they are.
        let elsewhere =
            |(v, target, _): (Var, ArrayId, _)| target == array && v.as_group().is_some_and(|g| g.0 != array);
        let tries = match Self::RELATED && other.relations.all().into_iter().any(elsewhere) {
            true => vec![(room.clone(), true), (room, false), (BTreeMap::new(), true), (BTreeMap::new(), false)],
            false => vec![(room, false), (BTreeMap::new(), false)],
        };
        tries.into_iter().find_map(|(room, across)| {
            let before = std::mem::take(&mut refuted);
            let mut search = Search { assignments: ASSIGNMENTS, steps: STEPS, room, across, refuted: before };
            let found = self.search(other, array, &all, &mut Vec::new(), &mut search);
            refuted = search.refuted;
            found
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

/// How a search goes on.
struct Search {
    /// So many assignments are tried to the end.
    assignments: u32,
    /// So many choices are tried.
    steps: u32,
    /// How many cells more each group of the right may get, where that is limited.
    room: BTreeMap<Slot, Option<i128>>,
    /// Whether what fields of other arrays point into counts.
    across: bool,
    /// The assignments that were tried, each with what counted.
    refuted: BTreeSet<(bool, Vec<Slot>)>,
}

const ASSIGNMENTS: u32 = 12;
const STEPS: u32 = 4000;

impl<N: Numeric, R: Relations> Lattice for Partition<N, R> {
    fn is_bottom(&self) -> bool {
        self.global.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        if self.is_bottom() {
            return true;
        }
        if other.is_bottom() {
            return false;
        }
        let tracked = |id: &ArrayId, b: &Array<N>| self.array(*id).is_some_and(|a| a.same_layout(b));
        if !other.arrays.iter().all(|(id, b)| tracked(id, b)) {
            return false;
        }
        // Mostly the groups are the same already, and nothing has to be found out.
        if self.has_groups_of(other) && self.leq_same_groups(other) {
            return true;
        }
        let mut left = self.clone();
        left.reduce_what_differs(other);
        left.retain(|id, _| other.arrays.contains_key(&id));
        if left.is_bottom() {
            return true;
        }
        // No matching of groups changes what is known of scalars.
        let scalars = other.global.vars().into_iter().filter(|v| v.is_scalar()).collect();
        if !left.global.leq(&other.global.project(&scalars)) {
            return false;
        }
        for id in other.arrays.keys() {
            if left.shares(other, *id) {
                continue;
            }
            match left.matched(other, *id) {
                Some(matched) if matched.is_bottom() => return true,
                Some(matched) => left = matched,
                None => return false,
            }
        }
        left.leq_same_groups(other)
    }

    /// The groups as they are, not matched.
    fn leq_at_once(&self, other: &Self) -> bool {
        self.is_bottom()
            || !other.is_bottom()
                && other.arrays.iter().all(|(id, b)| self.array(*id).is_some_and(|a| a.same_layout(b)))
                && self.has_groups_of(other)
                && self.leq_same_groups(other)
    }

    fn join_with(&mut self, other: &Self) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            self.clone_from(other);
            return;
        }
        let mut right = other.clone();
        self.reduce_what_differs(other);
        right.reduce_what_differs(self);
        if right.is_bottom() {
            return;
        }
        if self.is_bottom() {
            *self = right;
            return;
        }
        self.unify(&mut right, JOIN);
        if self.is_bottom() || right.is_bottom() {
            if self.is_bottom() {
                *self = right;
            }
            return;
        }
        self.relate_like(&right);
        right.relate_like(self);
        let mut joined = Vec::new();
        for (id, a) in self.arrays.iter().filter(|(id, _)| !self.shares(&right, **id)) {
            let Some(b) = right.array(*id) else { continue };
            let mut support: BTreeSet<Var> = a.support.union(&b.support).copied().collect();
            support.retain(|v| self.is_ordinary(*v) && right.is_ordinary(*v));
            let (mine, theirs) = (self.frame(&support), right.frame(&support));
            let mut contents = Vec::new();
            for slot in a.slots().into_iter().filter(|s| !a.is_one(*s)) {
                let mut content = self.content_over(*id, slot, &support, &mine);
                let theirs = right.content_over(*id, slot, &support, &theirs);
                #[cfg(any(test, feature = "mutants"))]
                let theirs = if mutated(Mutant::JoinKeepsOneSide) { content.clone() } else { theirs };
                content.join_with(&theirs);
                contents.push((slot, Group::Many(content)));
            }
            joined.push((*id, support, contents));
        }
        for (id, support, contents) in joined {
            if let Some(a) = self.array_mut(id) {
                a.support = support;
                a.groups.extend(contents);
            }
        }
        self.global.join_with(&right.global);
        self.relations.join_with(&right.relations);
        self.assert_invariants();
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        if prev.is_bottom() {
            return next.clone();
        }
        let (mut result, mut right) = (prev.clone(), next.clone());
        right.reduce_what_differs(&result);
        if right.is_bottom() {
            return result;
        }
        result.unify(&mut right, Purpose::Widening);
        if right.is_bottom() {
            return result;
        }
        right.relate_like(&result);
        // What the previous iterate has is passed on as it is: only a group that was of one and is no longer, or an array that
        // is no longer tracked, changes it, and either happens to each once.
        let step = |old: &N, new: &N| {
            let mut above = new.clone();
            above.join_with(old);
            N::widen(old, &above, thresholds)
        };
        let mut contents = Vec::new();
        for (id, a) in result.arrays.iter().filter(|(id, _)| !result.shares(&right, **id)) {
            let mut support = a.support.clone();
            support.retain(|v| result.is_ordinary(*v) && right.is_ordinary(*v));
            let frame = right.frame(&support);
            for (slot, group) in &a.groups {
                if let Group::Many(old) = group {
                    let new = right.content_over(*id, *slot, &support, &frame);
                    #[cfg(any(test, feature = "mutants"))]
                    let new = if mutated(Mutant::WideningKeepsThePrevious) { old.clone() } else { new };
                    contents.push((*id, *slot, step(old, &new)));
                }
            }
        }
        for (id, slot, content) in contents {
            if let Some(a) = result.array_mut(id) {
                a.groups.insert(slot, Group::Many(content));
            }
        }
        result.global = step(&result.global, &right.global);
        result.relations.join_with(&right.relations);
        result.assert_invariants();
        result
    }
}
