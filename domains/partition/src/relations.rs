//! What a layer above may know of membership in groups.

use crate::Slot;
use smalti_core::{ArrayId, LinearExpr, Var};
use std::fmt::Debug;

/// Predicates such as `v ◁ G` (the value of `v` is the index of a cell in one of the groups `G`; Liu, Rival 2015, section
/// 3.2). The partition tells them what happens to groups and dimensions, and asks which groups an index can be in. Each method is
/// called in the state that holds before the change.
pub trait Relations: Clone + Debug + Default {
    /// One cell of the groups `from`, that at `index`, is now the group `cell`.
    fn split(&mut self, array: ArrayId, from: &[Slot], cell: Slot, index: &LinearExpr);
    /// Any number of the cells of `from` are now the group `new`; the others stay.
    fn divide(&mut self, array: ArrayId, from: Slot, new: Slot);
    /// The cells of `from` now belong to `into`.
    fn merge(&mut self, array: ArrayId, into: Slot, from: Slot);
    /// The group has no cells and is no longer named.
    fn drop(&mut self, array: ArrayId, slot: Slot);
    /// Groups have other names now, all at once.
    fn rename(&mut self, array: ArrayId, pairs: &[(Slot, Slot)]);
    /// The dimensions have other values now.
    fn forget(&mut self, vars: &[Var]);
    /// `dst` now has the value of `src`; called after `forget(&[dst])`.
    fn copy(&mut self, dst: Var, src: Var);
    /// A superset of the groups of `array` that the cell at `index` can be in; `None` if nothing is known.
    fn candidates(&self, array: ArrayId, index: &LinearExpr) -> Option<Vec<Slot>>;
    /// What holds on both sides. The groups are the same.
    fn join_with(&mut self, other: &Self);
    /// `true` implies that `self` implies `other`.
    fn leq(&self, other: &Self) -> bool;
}

/// No relations: nothing is kept, nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRelations;

impl Relations for NoRelations {
    fn split(&mut self, _array: ArrayId, _from: &[Slot], _cell: Slot, _index: &LinearExpr) {}
    fn divide(&mut self, _array: ArrayId, _from: Slot, _new: Slot) {}
    fn merge(&mut self, _array: ArrayId, _into: Slot, _from: Slot) {}
    fn drop(&mut self, _array: ArrayId, _slot: Slot) {}
    fn rename(&mut self, _array: ArrayId, _pairs: &[(Slot, Slot)]) {}
    fn forget(&mut self, _vars: &[Var]) {}
    fn copy(&mut self, _dst: Var, _src: Var) {}
    fn candidates(&self, _array: ArrayId, _index: &LinearExpr) -> Option<Vec<Slot>> {
        None
    }
    fn join_with(&mut self, _other: &Self) {}
    fn leq(&self, _other: &Self) -> bool {
        true
    }
}
