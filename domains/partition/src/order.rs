//! Join, widening, inclusion: groups are matched, both states brought to the same groups, then compared group by group.

use crate::dims::{self, Slot};
use crate::matching::{self, Class, Profile, Purpose, Term};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, project, var};
use smalti_core::{ArrayId, Interval, Lattice, LinearExpr, Numeric, Thresholds, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The groups `members` become the group `slot`, a group of one if `one` (then there is just one member, of one).
struct Target {
    slot: Slot,
    members: Vec<Slot>,
    one: bool,
}

/// Scalars that profiles are relative to, at most.
const REFERENCES: usize = 8;

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// The profiles of the groups of an array.
    fn profiles(&self, array: ArrayId, references: &[Var]) -> Vec<Profile> {
        let Some(a) = self.array(array) else { return Vec::new() };
        let frame = self.frame_of(array, references);
        let profile = |slot: Slot| {
            let content = self.content(array, slot, &frame);
            let known = |e: Option<LinearExpr>| e.and_then(|e| content.bounds(&e)).unwrap_or(Interval::TOP);
            let index = var(dims::index(array, slot));
            let size = match a.is_one(slot) {
                true => Interval::constant(1),
                false => self.global.bounds(&var(dims::size(array, slot))).unwrap_or(Interval::TOP),
            };
            let mut terms = vec![(Term::Size, size), (Term::Index(None), known(Some(index.clone())))];
            terms.extend(references.iter().map(|r| (Term::Index(Some(*r)), known(index.sub(&var(*r))))));
            for n in 0..a.fields.len() {
                let field = var(dims::field(array, slot, n));
                terms.push((Term::Field(n, None), known(Some(field.clone()))));
                terms.push((Term::FieldIndex(n), known(field.sub(&index))));
                terms.extend(references.iter().map(|r| (Term::Field(n, Some(*r)), known(field.sub(&var(*r))))));
            }
            Profile { slot, terms }
        };
        a.groups.keys().map(|slot| profile(*slot)).collect()
    }

    /// The scalars that profiles of the array are relative to.
    fn references(&self, array: ArrayId) -> BTreeSet<Var> {
        let support = self.array(array).map(|a| a.support.clone()).unwrap_or_default();
        support.into_iter().filter(|v| v.is_scalar()).take(REFERENCES).collect()
    }

    /// Merges groups until there are not too many.
    pub(crate) fn limit_groups(&mut self, array: ArrayId) {
        while self.array(array).is_some_and(|a| a.groups.len() > self.shared.max_groups) && !self.global.is_bottom() {
            let references: Vec<Var> = self.references(array).into_iter().collect();
            let profiles = self.profiles(array, &references);
            match matching::closest(&profiles, &BTreeSet::new()) {
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
        if a.groups.keys().eq(b.groups.keys()) {
            return a.groups.keys().map(|s| Class { left: vec![*s], right: vec![*s] }).collect();
        }
        let mut references = self.references(array);
        references.extend(other.references(array));
        let references: Vec<Var> = references.into_iter().take(REFERENCES).collect();
        let (left, right) = (self.profiles(array, &references), other.profiles(array, &references));
        matching::pair(&left, &right, purpose)
    }

    /// Brings both sides to the same arrays and groups.
    fn unify(&mut self, other: &mut Self, purpose: Purpose) {
        other.retain(|id, a| self.array(id).is_some_and(|mine| mine.same_layout(a)));
        self.retain(|id, _| other.arrays.contains_key(&id));
        for array in self.arrays.keys().copied().collect::<Vec<_>>() {
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
        project(&self.content(array, slot, frame), &keep)
    }

    /// Whether `self`, which has the groups of `other`, is below it.
    fn leq_same_groups(&self, other: &Self) -> bool {
        if !self.global.leq(&other.global) || !self.relations.leq(&other.relations) {
            return false;
        }
        for (id, b) in &other.arrays {
            for (slot, group) in &b.groups {
                let Group::Many(content) = group else { continue };
                let vars: Vec<Var> = content.vars().into_iter().filter(|v| self.is_ordinary(*v)).collect();
                let mine = self.content(*id, *slot, &self.frame_of(*id, &vars));
                if !mine.leq(content) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the content of the group `slot` fits that of the group `to` of `other`; `true` where that cannot be told yet.
    fn may_become(&self, other: &Self, array: ArrayId, slot: Slot, to: Slot) -> bool {
        let (Some(a), Some(b)) = (self.array(array), other.array(array)) else { return false };
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
    fn search(&self, other: &Self, arrays: &[(ArrayId, Choices)], chosen: &mut Vec<Slot>, budget: &mut u32) -> bool {
        let all = arrays.iter().flat_map(|(id, choices)| choices.iter().map(move |c| (*id, c)));
        let Some((id, (_, options))) = all.clone().nth(chosen.len()) else {
            *budget = budget.saturating_sub(1);
            return self.assigned(other, arrays, chosen).is_some_and(|s| s.is_bottom() || s.leq_same_groups(other));
        };
        for to in options {
            let taken = other.array(id).is_some_and(|b| b.is_one(*to))
                && all.clone().zip(chosen.iter()).any(|((i, _), t)| i == id && t == to);
            if taken {
                continue;
            }
            chosen.push(*to);
            if self.search(other, arrays, chosen, budget) {
                return true;
            }
            chosen.pop();
            if *budget == 0 {
                return false;
            }
        }
        false
    }

    /// `self` with its groups merged as chosen; `None` if a group of one of `other` gets no member.
    fn assigned(&self, other: &Self, arrays: &[(ArrayId, Choices)], chosen: &[Slot]) -> Option<Self> {
        let mut aligned = self.clone();
        let mut chosen = chosen.iter();
        for (id, choices) in arrays {
            let b = other.array(*id)?;
            let mut members: BTreeMap<Slot, Vec<Slot>> = b.groups.keys().map(|s| (*s, Vec::new())).collect();
            for (slot, _) in choices {
                members.get_mut(chosen.next()?)?.push(*slot);
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
            aligned.align(*id, &targets);
        }
        Some(aligned)
    }
}

/// For each group of the left: the groups of the right that it may become, the likeliest first.
type Choices = Vec<(Slot, Vec<Slot>)>;

/// So many assignments of groups are tried before inclusion is given up.
const ASSIGNMENTS: u32 = 40;

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
        let mut left = self.clone();
        left.reduce();
        left.retain(|id, _| other.arrays.contains_key(&id));
        if left.is_bottom() {
            return true;
        }
        let mut arrays: Vec<(ArrayId, Choices)> = Vec::new();
        for (id, b) in &other.arrays {
            let Some(a) = left.array(*id) else { return false };
            let mut choices: Choices = Vec::new();
            for slot in a.groups.keys() {
                let fits = |to: &Slot| left.may_become(other, *id, *slot, *to);
                let mut options: Vec<Slot> = b.groups.keys().copied().filter(fits).collect();
                if options.is_empty() {
                    return false;
                }
                options.sort_by_key(|to| (to != slot, b.is_one(*to) != a.is_one(*slot), *to));
                choices.push((*slot, options));
            }
            // Groups with little choice first.
            choices.sort_by_key(|(slot, options)| (options.len(), *slot));
            arrays.push((*id, choices));
        }
        left.search(other, &arrays, &mut Vec::new(), &mut { ASSIGNMENTS })
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
        self.reduce();
        right.reduce();
        if right.is_bottom() {
            return;
        }
        if self.is_bottom() {
            *self = right;
            return;
        }
        self.unify(&mut right, Purpose::Join(self.shared.max_groups));
        let mut joined = Vec::new();
        for (id, a) in &self.arrays {
            let Some(b) = right.array(*id) else { continue };
            let mut support: BTreeSet<Var> = a.support.union(&b.support).copied().collect();
            support.retain(|v| self.is_ordinary(*v) && right.is_ordinary(*v));
            let (mine, theirs) = (self.frame(&support), right.frame(&support));
            let mut contents = Vec::new();
            for slot in a.slots().into_iter().filter(|s| !a.is_one(*s)) {
                let mut content = self.content_over(*id, slot, &support, &mine);
                content.join_with(&right.content_over(*id, slot, &support, &theirs));
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
        right.reduce();
        if right.is_bottom() {
            return result;
        }
        result.unify(&mut right, Purpose::Widening);
        // What the previous iterate has is passed on as it is: only a group that was of one and is no longer, or an array that
        // is no longer tracked, changes it, and either happens to each once.
        let step = |old: &N, new: &N| {
            let mut above = new.clone();
            above.join_with(old);
            N::widen(old, &above, thresholds)
        };
        let mut contents = Vec::new();
        for (id, a) in &result.arrays {
            let mut support = a.support.clone();
            support.retain(|v| result.is_ordinary(*v) && right.is_ordinary(*v));
            let frame = right.frame(&support);
            for (slot, group) in &a.groups {
                if let Group::Many(old) = group {
                    let new = right.content_over(*id, *slot, &support, &frame);
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
