//! The abstract state at a program point.

use super::layout::LeafId;
use super::pointers::{PointsTo, Targets};
use smalti_core::{Lattice, Memory, Thresholds};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the domains know, which pointers are known to be usable, and what they point to.
///
/// `γ`: the concrete states in which the memory lies in `γ(memory)`, every pointer of `valid`
/// points to an object (is not null and not indeterminate), and every pointer of `points_to` points
/// to one of its targets or to no object. Of the others, [`Pointers`](super::pointers::Pointers)
/// says what they may point to anywhere in the program.
#[derive(Clone, Debug)]
pub(super) struct State<M> {
    pub memory: M,
    /// Pointers that live in a scalar of the domain. Meaningless when `memory` is bottom.
    pub valid: Rc<BTreeSet<LeafId>>,
    /// Pointers that live in a scalar of the domain, and were assigned on all paths to here.
    pub points_to: Rc<PointsTo>,
}

impl<M: Memory> State<M> {
    pub(super) fn new(memory: M) -> Self {
        State { memory, valid: Rc::default(), points_to: Rc::default() }
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

    /// Whether the pointer is usable, and its targets; `None`: those that it has anywhere in the
    /// program.
    pub(super) fn set_pointer(&mut self, leaf: LeafId, valid: bool, targets: Option<Targets>) {
        self.set_valid(leaf, valid);
        if self.points_to.get(&leaf) != targets.as_ref() {
            let known = Rc::make_mut(&mut self.points_to);
            match targets {
                Some(targets) => known.insert(leaf, targets),
                None => known.remove(&leaf),
            };
        }
    }

    /// What pointers point to in one of two states.
    fn either(a: &Rc<PointsTo>, b: &Rc<PointsTo>) -> Rc<PointsTo> {
        if Rc::ptr_eq(a, b) || a == b {
            return a.clone();
        }
        let both = a.iter().filter_map(|(leaf, targets)| {
            let mut all = targets.clone();
            all.add(b.get(leaf)?);
            Some((*leaf, all))
        });
        Rc::new(both.collect())
    }

    /// Whether the pointers of `self` point to what they may point to in `other`.
    fn points_within(&self, other: &Self) -> bool {
        let within =
            |(leaf, targets): (&LeafId, &Targets)| self.points_to.get(leaf).is_some_and(|own| own.is_within(targets));
        Rc::ptr_eq(&self.points_to, &other.points_to) || other.points_to.iter().all(within)
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
                && self.points_within(other)
                && self.memory.leq(&other.memory)
    }

    fn leq_at_once(&self, other: &Self) -> bool {
        self.is_bottom()
            || (Rc::ptr_eq(&self.valid, &other.valid) || other.valid.is_subset(&self.valid))
                && self.points_within(other)
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
        self.points_to = Self::either(&self.points_to, &other.points_to);
    }

    /// `valid` only shrinks, and so does `points_to`, whose targets are parts of objects that the
    /// program names: both end chains without help.
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
            points_to: Self::either(&prev.points_to, &next.points_to),
        }
    }
}
