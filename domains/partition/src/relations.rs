//! The interface for facts of a layer above about membership in groups.

use crate::dims::Slot;
use smalti_core::{ArrayId, Var};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Some groups of one array.
pub type Slots = BTreeSet<Slot>;

/// Predicates such as `v ◁ G`: the value of `v` is the index of a cell in one of the groups `G`
/// (Liu, Rival 2015, section 3.2).
///
/// `v` is a scalar, a number that a cell has, a field of a group of one, or a field of a group of
/// many; then the predicate holds for *every* cell of that group. So the same dimension keeps its
/// predicates when a group of one becomes one of many or the other way round. The partition tells
/// what happens to groups and dimensions; what has to do with numbers is done there.
///
/// A group is *void* from [`Relations::create`] until other cells are merged into it: it has no
/// cells, so that any predicate holds of its fields.
pub trait Relations: Clone + Debug + Default {
    /// The name in a stack, with a slash; empty if nothing is kept.
    const LAYER: &'static str;
    /// The groups of `array` that `v` points into, if anything is known.
    fn get(&self, v: Var, array: ArrayId) -> Option<&Slots>;
    /// Whether `v` is known to point to no cell of some array: then there is no such `v`.
    fn points_nowhere(&self, v: Var) -> bool;
    /// Everything that is known.
    fn all(&self) -> Vec<(Var, ArrayId, Slots)>;
    /// How many predicates there are of the dimensions and arrays that are asked for.
    fn count(&self, asked: impl Fn(Var, ArrayId) -> bool) -> usize;
    /// `v ◁ slots` as well. An empty set says that there is no such `v`.
    fn meet(&mut self, v: Var, array: ArrayId, slots: &Slots);
    /// The dimensions have other values now.
    fn forget(&mut self, vars: &[Var]);
    /// `dst` now has the value of `src`; called after `forget(&[dst])`.
    fn copy(&mut self, dst: Var, src: Var);
    /// Some cells of the groups `from` are now the group `cell`.
    fn split(&mut self, array: ArrayId, from: &[Slot], cell: Slot);
    /// A group without cells has that name now.
    fn create(&mut self, array: ArrayId, slot: Slot);
    /// The cells of `from` now belong to `into`.
    fn merge(&mut self, array: ArrayId, into: Slot, from: Slot);
    /// The group has no cells and is no longer named.
    fn drop(&mut self, array: ArrayId, slot: Slot);
    /// Groups have other names now, all at once.
    fn rename(&mut self, array: ArrayId, pairs: &[(Slot, Slot)]);
    /// All cells of the array are now the group `slot`, and have arbitrary fields.
    fn whole(&mut self, array: ArrayId, slot: Slot);
    /// The array is no longer tracked.
    fn remove(&mut self, array: ArrayId);
    /// Keeps what holds on both sides. The groups are the same.
    fn join_with(&mut self, other: &Self);
    /// What `other` says and `self` does not imply. None means that `self` implies `other`. The
    /// groups are the same.
    fn missing(&self, other: &Self) -> Vec<(Var, ArrayId, Slots)>;
}

/// No relations: nothing is kept, nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRelations;

impl Relations for NoRelations {
    const LAYER: &'static str = "";
    fn get(&self, _v: Var, _array: ArrayId) -> Option<&Slots> {
        None
    }
    fn points_nowhere(&self, _v: Var) -> bool {
        false
    }
    fn all(&self) -> Vec<(Var, ArrayId, Slots)> {
        Vec::new()
    }
    fn count(&self, _asked: impl Fn(Var, ArrayId) -> bool) -> usize {
        0
    }
    fn meet(&mut self, _v: Var, _array: ArrayId, _slots: &Slots) {}
    fn forget(&mut self, _vars: &[Var]) {}
    fn copy(&mut self, _dst: Var, _src: Var) {}
    fn split(&mut self, _array: ArrayId, _from: &[Slot], _cell: Slot) {}
    fn create(&mut self, _array: ArrayId, _slot: Slot) {}
    fn merge(&mut self, _array: ArrayId, _into: Slot, _from: Slot) {}
    fn drop(&mut self, _array: ArrayId, _slot: Slot) {}
    fn rename(&mut self, _array: ArrayId, _pairs: &[(Slot, Slot)]) {}
    fn whole(&mut self, _array: ArrayId, _slot: Slot) {}
    fn remove(&mut self, _array: ArrayId) {}
    fn join_with(&mut self, _other: &Self) {}
    fn missing(&self, _other: &Self) -> Vec<(Var, ArrayId, Slots)> {
        Vec::new()
    }
}
