//! Join, widening, inclusion: groups are matched, both states are brought to the same groups, and
//! these are compared group by group.

use crate::dims::{self, Slot};
use crate::matching::{self, Class, Purpose};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated, take_the_partners};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, var};
use crate::{FEWER_GROUPS, MANY_ARRAYS};
use smalti_core::{ArrayId, Interval, Lattice, LinearExpr, Numeric, Thresholds, Var, work};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The groups `members` become the group `slot`, a group of one if `one` (then there is just one
/// member, of one).
pub(crate) struct Target {
    pub(crate) slot: Slot,
    pub(crate) members: Vec<Slot>,
    pub(crate) one: bool,
}

/// The limit is set for each array.
const JOIN: Purpose = Purpose::Join(usize::MAX);

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// Merges groups until there are not too many; `keep`, the cell that was split off last, stays
    /// if it can.
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
    pub(crate) fn align(&mut self, array: ArrayId, targets: &[Target]) {
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
    pub(crate) fn classes(&self, other: &Self, array: ArrayId, purpose: Purpose) -> Vec<Class> {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return Vec::new() };
        if a.groups.keys().eq(b.groups.keys()) && !a.groups.keys().any(|s| self.holds_other(other, array, *s)) {
            return a.groups.keys().map(|s| Class { left: vec![*s], right: vec![*s] }).collect();
        }
        work::count(work::Event::Matching);
        let references = Self::references(&[self, other], array);
        let (left, right) = (self.profiles(array, &references), other.profiles(array, &references));
        let purpose = match purpose {
            Purpose::Join(_) => Purpose::Join(self.most_groups(array).max(other.most_groups(array))),
            Purpose::Widening => Purpose::Widening,
        };
        matching::pair(&left, &right, purpose)
    }

    /// Whether a cell of a table, split off on both sides, holds something else on each: a used
    /// entry here and a free one there. They are no group together, although both were made by the
    /// same split.
    fn holds_other(&self, other: &Self, array: ArrayId, slot: Slot) -> bool {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return false };
        let known = |state: &Self, field: Var| state.global.bounds(&var(field)).unwrap_or(Interval::TOP);
        let apart = |field: Var| known(self, field).meet(known(other, field)).is_none();
        a.fields.len() > 1 && a.is_one(slot) && b.is_one(slot) && a.own(array, slot).into_iter().skip(1).any(apart)
    }

    /// How many groups an array may have: of few cells not many, though some more than cells, as
    /// groups may be empty.
    fn most_groups(&self, array: ArrayId) -> usize {
        let most = match self.arrays.values().nth(MANY_ARRAYS) {
            Some(_) => self.shared.max_groups.min(FEWER_GROUPS),
            None => self.shared.max_groups,
        };
        let length = self.array(array).and_then(|a| self.global.bounds(&var(a.length)));
        let cells = length.and_then(|l| l.hi()).and_then(|hi| usize::try_from(hi.max(1)).ok());
        cells.map_or(most, |cells| cells.saturating_mul(2).min(most))
    }

    /// Brings both sides to the same arrays and groups.
    fn unify(&mut self, other: &mut Self, purpose: Purpose) {
        other.retain_like(self);
        self.retain_like(other);
        let mut done = None;
        while let Some(array) = self.first_apart(other, done) {
            done = Some(array);
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
    pub(crate) fn is_ordinary(&self, v: Var) -> bool {
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

    /// Whether the array is one and the same value in both: then its groups are the same already,
    /// and what their contents say holds on both sides, so in a join too. Arrays that a piece of
    /// the program leaves alone cost it nothing.
    pub(crate) fn shares(&self, other: &Self, array: ArrayId) -> bool {
        matches!((self.arrays.get(array), other.arrays.get(array)), (Some(a), Some(b)) if Rc::ptr_eq(a, b))
    }

    /// The arrays that are not one and the same value in both ([`Partition::shares`]).
    fn apart(&self, other: &Self) -> Vec<ArrayId> {
        self.arrays.differing(&other.arrays, Rc::ptr_eq)
    }

    /// The first of them past `after`: one that was done may have changed others, by renaming what
    /// they speak of.
    pub(crate) fn first_apart(&self, other: &Self, after: Option<ArrayId>) -> Option<ArrayId> {
        self.apart(other).into_iter().find(|id| after.is_none_or(|after| *id > after))
    }

    /// Whether each array of `other` is tracked here too.
    fn tracks_what(&self, other: &Self) -> bool {
        let tracked = |id: ArrayId| matches!((self.array(id), other.array(id)), (Some(a), Some(b)) if a.same_layout(b));
        other.apart(self).into_iter().all(tracked)
    }

    /// Arrays that are not tracked in `other` are no longer tracked.
    fn retain_like(&mut self, other: &Self) {
        if !other.tracks_what(self) {
            self.retain(|id, a| other.array(id).is_some_and(|b| b.same_layout(a)));
        }
    }

    /// Whether both have the same groups, of the same kinds.
    fn has_groups_of(&self, other: &Self) -> bool {
        let same = |a: &Array<N>, b: &Array<N>| {
            a.groups.keys().eq(b.groups.keys()) && a.groups.keys().all(|s| a.is_one(*s) == b.is_one(*s))
        };
        let same_in = |id: &ArrayId| matches!((self.array(*id), other.array(*id)), (Some(a), Some(b)) if same(a, b));
        self.apart(other).iter().all(same_in) && other.apart(self).iter().all(same_in)
    }

    /// Whether `self`, which has the groups of `other`, is below it.
    fn leq_same_groups(&self, other: &Self) -> bool {
        self.global.leq(&other.global)
            && self.relations_leq(other, |_, _| true)
            && other.apart(self).into_iter().all(|id| self.contents_leq(other, id, |_| true))
    }
}

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
        if !self.tracks_what(other) {
            return false;
        }
        // Mostly the groups are the same already, and nothing has to be found out.
        if self.has_groups_of(other) && self.leq_same_groups(other) {
            return true;
        }
        work::count(work::Event::Inclusion);
        let mut left = self.clone();
        left.reduce_what_differs(other);
        left.retain_like(other);
        if left.is_bottom() {
            return true;
        }
        // No matching of groups changes what is known of scalars.
        if !left.global.leq_over(&other.global, &|v| v.is_scalar()) {
            return false;
        }
        let mut done = None;
        while let Some(id) = other.first_apart(&left, done) {
            done = Some(id);
            match left.matched(other, id) {
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
            || !other.is_bottom() && self.tracks_what(other) && self.has_groups_of(other) && self.leq_same_groups(other)
    }

    fn join_with(&mut self, other: &Self) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            self.clone_from(other);
            return;
        }
        work::count(work::Event::Join);
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
        for id in self.apart(&right) {
            let (Some(a), Some(b)) = (self.array(id), right.array(id)) else { continue };
            let mut support: BTreeSet<Var> = a.support.union(&b.support).copied().collect();
            support.retain(|v| self.is_ordinary(*v) && right.is_ordinary(*v));
            let (mine, theirs) = (self.frame(&support), right.frame(&support));
            let mut contents = Vec::new();
            for slot in a.slots().into_iter().filter(|s| !a.is_one(*s)) {
                let mut content = self.content_over(id, slot, &support, &mine);
                let theirs = right.content_over(id, slot, &support, &theirs);
                #[cfg(any(test, feature = "mutants"))]
                let theirs = if mutated(Mutant::JoinKeepsOneSide) { content.clone() } else { theirs };
                content.join_with(&theirs);
                contents.push((slot, Group::Many(content)));
            }
            joined.push((id, support, contents));
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
        // What the previous iterate has is passed on as it is: only a group that was of one and is
        // no longer, or an array that is no longer tracked, changes it, and either happens to each
        // once.
        let step = |old: &N, new: &N| {
            let mut above = new.clone();
            above.join_with(old);
            N::widen(old, &above, thresholds)
        };
        let mut contents = Vec::new();
        for id in result.apart(&right) {
            let Some(a) = result.array(id) else { continue };
            let mut support = a.support.clone();
            support.retain(|v| result.is_ordinary(*v) && right.is_ordinary(*v));
            let frame = right.frame(&support);
            for (slot, group) in &a.groups {
                if let Group::Many(old) = group {
                    let new = right.content_over(id, *slot, &support, &frame);
                    #[cfg(any(test, feature = "mutants"))]
                    let new = if mutated(Mutant::WideningKeepsThePrevious) { old.clone() } else { new };
                    contents.push((id, *slot, step(old, &new)));
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
