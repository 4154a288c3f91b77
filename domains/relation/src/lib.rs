//! Which groups of cells an index points into: relation predicates over [array
//! partitions](smalti_partition).
//!
//! **Meaning.** A concrete state is in γ if its cells can be assigned to groups as the partition
//! says and, with the *same* assignment, each predicate holds:
//!
//! * `v ◁ G`, for a scalar, a number or a dimension of a group of one: the value of `v` is the
//!   index of a cell of array `a` that is in one of the groups `G`;
//! * `f_i ◁ G`, for a group of many: the field `f` of every cell of group `i` is the index of a
//!   cell of array `a` that is in one of the groups `G`.
//!
//! `a` may be the array of group `i` or another one: a table of records that point at each other,
//! in no order, stays well formed.
//!
//! **Representation.** A map from dimension and array to a set of groups: at most one set for each,
//! because two sets intersect. The dimension of a field is the same whether its group has one cell
//! or many, so that a group that changes from one to the other keeps what it has. Groups that were
//! created without cells are remembered as *void*: every predicate holds of them, so they remove
//! nothing from a union or from a join. An empty set says that there is no such value: for an
//! ordinary dimension the state is bottom, for a field of a group the group has no cells; the
//! partition sees to both.
//!
//! **Sources, and where we differ.** J. Liu, X. Rival: "Abstraction of arrays based on non
//! contiguous partitions", VMCAI 2015: definition 2, the operators in sections 4 and 5.
//! Differences:
//!
//! * At joins the sets of a predicate are united (a disjunction of groups) instead of the
//!   predicates intersected; where one side lacks a predicate, it is derived from numbers first.
//!   Inclusion derives likewise, and where nothing can be derived it is false.
//! * A store forgets what the field pointed into before anything is learned of its new value.
//! * A fact about one cell says nothing of whether other groups have cells.
//! * What is stored by its value, as a constant index, is related at once only in tables (more than
//!   one field); elsewhere, an index points somewhere from its first use on.
//!
//! Transfer functions are those of the partition ([`Relations`] says when it calls what), also the
//! steps from numbers to relations and back, which need both.
//!
//! **Limits.** Conjunctions of single predicates: nothing like "the parent of `a[i]` is in the
//! group of `a[j]`". An index plus a constant points nowhere. What a scalar points into is lost in
//! arithmetic.

#[cfg(any(test, feature = "mutants"))]
pub mod mutants;
#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "mutants"))]
use mutants::{Mutant, mutated};
use smalti_core::{ArrayId, Var};
use smalti_partition::{PartitionDomain, Relations, Slot, Slots};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The stack `relation/partition` over a numeric domain.
pub fn over<D>(numeric: D) -> PartitionDomain<D, Memberships> {
    PartitionDomain::new(numeric).with_relations()
}

/// A conjunction of predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memberships {
    known: Rc<BTreeMap<(Var, ArrayId), Slots>>,
    void: BTreeSet<(ArrayId, Slot)>,
}

/// The group whose field it is.
fn group(v: Var) -> Option<(ArrayId, Slot)> {
    v.as_group().map(|(array, slot, _)| (array, slot))
}

/// The same field of another group of that array.
fn of_group(v: Var, slot: Slot) -> Var {
    v.as_group().map_or(v, |(array, _, role)| Var::group(array, slot, role))
}

impl Memberships {
    fn is_void(&self, v: Var) -> bool {
        group(v).is_some_and(|g| self.void.contains(&g))
    }

    /// The predicates of the fields of a group.
    fn of_fields(&self, array: ArrayId, slot: Slot) -> Vec<((Var, ArrayId), Slots)> {
        let own = self.known.iter().filter(|((v, _), _)| group(*v) == Some((array, slot)));
        own.map(|(key, slots)| (*key, slots.clone())).collect()
    }

    fn retain(&mut self, keep: impl Fn(Var, ArrayId) -> bool) {
        if self.known.keys().any(|(v, target)| !keep(*v, *target)) {
            Rc::make_mut(&mut self.known).retain(|(v, target), _| keep(*v, *target));
        }
    }

    /// Other names for the groups that predicates on `array` speak of.
    fn map_targets(&mut self, array: ArrayId, name: impl Fn(Slot) -> Slot) {
        let other = |slots: &Slots| slots.iter().any(|s| name(*s) != *s);
        if !self.known.iter().any(|((_, target), slots)| *target == array && other(slots)) {
            return;
        }
        for ((_, target), slots) in Rc::make_mut(&mut self.known) {
            if *target == array {
                *slots = slots.iter().map(|s| name(*s)).collect();
            }
        }
    }
}

impl Relations for Memberships {
    const LAYER: &'static str = "relation/";

    fn get(&self, v: Var, array: ArrayId) -> Option<&Slots> {
        self.known.get(&(v, array))
    }

    fn points_nowhere(&self, v: Var) -> bool {
        self.known.range((v, ArrayId(0))..=(v, ArrayId(u32::MAX))).any(|(_, slots)| slots.is_empty())
    }

    fn all(&self) -> Vec<(Var, ArrayId, Slots)> {
        self.known.iter().map(|((v, target), slots)| (*v, *target, slots.clone())).collect()
    }

    fn count(&self, asked: impl Fn(Var, ArrayId) -> bool) -> usize {
        self.known.keys().filter(|(v, target)| asked(*v, *target)).count()
    }

    fn meet(&mut self, v: Var, array: ArrayId, slots: &Slots) {
        let met = match self.get(v, array) {
            // Both hold of the same assignment of cells to groups, and groups are disjoint.
            Some(known) if known.is_subset(slots) => return,
            Some(known) => known.intersection(slots).copied().collect(),
            None => slots.clone(),
        };
        Rc::make_mut(&mut self.known).insert((v, array), met);
    }

    fn forget(&mut self, vars: &[Var]) {
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::StoreLeavesTheOld) {
            return self.retain(|v, _| !v.is_scalar() || !vars.contains(&v));
        }
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::AssignLeavesTheOld) {
            return self.retain(|v, _| v.is_scalar() || !vars.contains(&v));
        }
        self.retain(|v, _| !vars.contains(&v));
    }

    fn copy(&mut self, dst: Var, src: Var) {
        let of_source: Vec<(ArrayId, Slots)> = self
            .known
            .range((src, ArrayId(0))..=(src, ArrayId(u32::MAX)))
            .map(|((_, target), slots)| (*target, slots.clone()))
            .collect();
        for (target, slots) in of_source {
            Rc::make_mut(&mut self.known).insert((dst, target), slots);
        }
    }

    /// The cell's fields point where those of the group that it was in do, whichever that is. What
    /// pointed into that group may point to the cell.
    fn split(&mut self, array: ArrayId, from: &[Slot], cell: Slot) {
        let mut of_cell: Option<BTreeMap<(Var, ArrayId), Slots>> = None;
        for slot in from.iter().filter(|slot| !self.void.contains(&(array, **slot))) {
            let own: BTreeMap<_, _> = self
                .of_fields(array, *slot)
                .into_iter()
                .map(|((v, t), slots)| ((of_group(v, cell), t), slots))
                .collect();
            of_cell = Some(match of_cell {
                None => own,
                Some(known) => both(&known, &own),
            });
        }
        let of_cell = of_cell.unwrap_or_default();
        let gains = |target: ArrayId, slots: &Slots| target == array && from.iter().any(|s| slots.contains(s));
        if of_cell.is_empty() && !self.known.iter().any(|((_, target), slots)| gains(*target, slots)) {
            return;
        }
        let known = Rc::make_mut(&mut self.known);
        known.extend(of_cell);
        #[cfg(any(test, feature = "mutants"))]
        if mutated(Mutant::SplitLeavesTheSets) {
            return;
        }
        for ((_, target), slots) in known {
            if gains(*target, slots) {
                slots.insert(cell);
            }
        }
    }

    fn create(&mut self, array: ArrayId, slot: Slot) {
        self.void.insert((array, slot));
    }

    /// A cell of the union was in one of the two: what both say holds of it, united.
    fn merge(&mut self, array: ArrayId, into: Slot, from: Slot) {
        let void = |slot| self.void.contains(&(array, slot));
        let renamed =
            |slot| self.of_fields(array, slot).into_iter().map(|((v, t), slots)| ((of_group(v, into), t), slots));
        let (mine, theirs): (BTreeMap<_, _>, BTreeMap<_, _>) = (renamed(into).collect(), renamed(from).collect());
        let (no_cells, no_more_cells) = (void(into), void(from));
        let merged = match (no_cells, no_more_cells) {
            (true, _) => theirs,
            (false, true) => mine,
            (false, false) => both(&mine, &theirs),
        };
        #[cfg(any(test, feature = "mutants"))]
        let merged = if mutated(Mutant::MergeKeepsOneSide) {
            let mut all = self.of_fields(array, into).into_iter().collect::<BTreeMap<_, _>>();
            all.extend(renamed(from));
            all
        } else {
            merged
        };
        self.retain(|v, _| group(v) != Some((array, into)) && group(v) != Some((array, from)));
        if !merged.is_empty() {
            Rc::make_mut(&mut self.known).extend(merged);
        }
        self.map_targets(array, |slot| if slot == from { into } else { slot });
        self.void.remove(&(array, from));
        if !no_more_cells {
            self.void.remove(&(array, into));
        }
    }

    /// There is nothing in it to point to.
    fn drop(&mut self, array: ArrayId, slot: Slot) {
        self.retain(|v, _| group(v) != Some((array, slot)));
        if self.known.iter().any(|((_, target), slots)| *target == array && slots.contains(&slot)) {
            for ((_, target), slots) in Rc::make_mut(&mut self.known) {
                if *target == array {
                    slots.remove(&slot);
                }
            }
        }
        self.void.remove(&(array, slot));
    }

    fn rename(&mut self, array: ArrayId, pairs: &[(Slot, Slot)]) {
        let name = |slot: Slot| pairs.iter().find(|p| p.0 == slot).map_or(slot, |p| p.1);
        let of_array = |v: Var| group(v).filter(|g| g.0 == array).map(|g| g.1);
        if self.known.keys().any(|(v, _)| of_array(*v).is_some()) {
            let renamed = |v: Var| of_array(v).map_or(v, |slot| of_group(v, name(slot)));
            let all = self.known.iter().map(|((v, target), slots)| ((renamed(*v), *target), slots.clone()));
            self.known = Rc::new(all.collect());
        }
        self.map_targets(array, name);
        self.void = self.void.iter().map(|(a, slot)| (*a, if *a == array { name(*slot) } else { *slot })).collect();
    }

    fn whole(&mut self, array: ArrayId, slot: Slot) {
        self.retain(|v, _| group(v).is_none_or(|g| g.0 != array));
        self.void.retain(|g| g.0 != array);
        self.map_targets(array, |_| slot);
    }

    fn remove(&mut self, array: ArrayId) {
        self.retain(|v, target| target != array && group(v).is_none_or(|g| g.0 != array));
        self.void.retain(|g| g.0 != array);
    }

    fn join_with(&mut self, other: &Self) {
        if self != other {
            let mut joined = both(&self.known, &other.known);
            let void = |void: &Self, of: &Self| {
                let of = of.known.iter().filter(|((v, _), _)| void.is_void(*v));
                of.map(|(key, slots)| (*key, slots.clone())).collect::<Vec<_>>()
            };
            joined.extend(void(self, other));
            joined.extend(void(other, self));
            self.known = Rc::new(joined);
            self.void.retain(|g| other.void.contains(g));
        }
    }

    fn missing(&self, other: &Self) -> Vec<(Var, ArrayId, Slots)> {
        if Rc::ptr_eq(&self.known, &other.known) {
            return Vec::new();
        }
        let implied = |(key, slots): &(&(Var, ArrayId), &Slots)| {
            let own = self.known.get(key);
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::InclusionIgnoresWhatIsMissing) && own.is_none() {
                return true;
            }
            self.is_void(key.0) || own.is_some_and(|own| own.is_subset(slots))
        };
        let missing = other.known.iter().filter(|entry| !implied(entry));
        missing.map(|((v, target), slots)| (*v, *target, slots.clone())).collect()
    }
}

/// The predicates that both have, each with the groups of either.
fn both(
    one: &BTreeMap<(Var, ArrayId), Slots>,
    two: &BTreeMap<(Var, ArrayId), Slots>,
) -> BTreeMap<(Var, ArrayId), Slots> {
    let in_both = one.iter().filter_map(|(key, slots)| Some((*key, slots.union(two.get(key)?).copied().collect())));
    in_both.collect()
}
