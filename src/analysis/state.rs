//! The abstract state at a program point.

use super::layout::LeafId;
use smalti_core::{Lattice, Memory, Thresholds};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the domains know, and which pointers are known to be usable.
///
/// `γ`: the concrete states in which the memory lies in `γ(memory)` and every pointer of `valid`
/// points to an object (is not null and not indeterminate).
#[derive(Clone, Debug)]
pub(super) struct State<M> {
    pub memory: M,
    /// Pointers that live in a scalar of the domain. Meaningless when `memory` is bottom.
    pub valid: Rc<BTreeSet<LeafId>>,
}

impl<M: Memory> State<M> {
    pub(super) fn new(memory: M) -> Self {
        State { memory, valid: Rc::default() }
    }

    pub(super) fn set_valid(&mut self, leaf: LeafId, valid: bool) {
        if self.valid.contains(&leaf) != valid {
            let set = Rc::make_mut(&mut self.valid);
            if valid {
                set.insert(leaf);
            } else {
                set.remove(&leaf);
            }
        }
    }

    fn common(a: &Rc<BTreeSet<LeafId>>, b: &Rc<BTreeSet<LeafId>>) -> Rc<BTreeSet<LeafId>> {
        if Rc::ptr_eq(a, b) || a == b { a.clone() } else { Rc::new(a.intersection(b).copied().collect()) }
    }
}

impl<M: Memory> Lattice for State<M> {
    fn is_bottom(&self) -> bool {
        self.memory.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.is_bottom()
            || (Rc::ptr_eq(&self.valid, &other.valid) || other.valid.is_subset(&self.valid))
                && self.memory.leq(&other.memory)
    }

    fn leq_at_once(&self, other: &Self) -> bool {
        self.is_bottom()
            || (Rc::ptr_eq(&self.valid, &other.valid) || other.valid.is_subset(&self.valid))
                && self.memory.leq_at_once(&other.memory)
    }

    fn join_with(&mut self, other: &Self) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            *self = other.clone();
            return;
        }
        self.memory.join_with(&other.memory);
        self.valid = Self::common(&self.valid, &other.valid);
    }

    /// `valid` only shrinks, so it ends chains without help.
    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        if prev.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return prev.clone();
        }
        State {
            memory: M::widen(&prev.memory, &next.memory, thresholds),
            valid: Self::common(&prev.valid, &next.valid),
        }
    }
}
