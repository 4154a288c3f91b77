//! Reductions: facts that follow from others are made explicit. γ does not change.

use crate::dims::{self, Slot};
#[cfg(any(test, feature = "mutants"))]
use crate::mutants::{Mutant, mutated};
use crate::relations::Relations;
use crate::state::{Array, Group, Partition, assume, number, var};
use smalti_core::{ArrayId, Constraint, LinearExpr, Numeric, Var};
use std::rc::Rc;

impl<N: Numeric, R: Relations> Partition<N, R> {
    /// [`Partition::reduce_array`] for each array.
    pub(crate) fn reduce(&mut self) {
        for array in self.arrays.keys().collect::<Vec<_>>() {
            if self.global.is_bottom() {
                break;
            }
            self.reduce_array(array);
        }
    }

    /// [`Partition::reduce_array`] for each array that is not the very same value in `other`.
    pub(crate) fn reduce_what_differs(&mut self, other: &Self) {
        let mut done = None;
        while let Some(array) = self.first_apart(other, done).filter(|_| !self.global.is_bottom()) {
            done = Some(array);
            self.reduce_array(array);
        }
    }

    /// Groups that are certainly empty go; what the contents of groups that certainly have a cell
    /// say of scalars is told to the global element; a group with certainly one cell becomes
    /// ordinary; the sizes add up to the length.
    fn reduce_array(&mut self, array: ArrayId) {
        self.sizes_add_up(array);
        let Some(slots) = self.array(array).map(Array::slots) else { return };
        let frame = self.frame_of(array, &[]);
        let mut changed = false;
        for slot in slots {
            if self.global.is_bottom() || self.array(array).is_none_or(|a| a.is_one(slot)) {
                continue;
            }
            let size = var(dims::size(array, slot));
            let range = self.global.bounds(&size);
            let content = self.content(array, slot, &frame);
            if content.is_bottom()
                || self.points_nowhere(array, slot)
                || range.and_then(|r| r.hi()).is_some_and(|hi| hi < 1)
            {
                #[cfg(any(test, feature = "mutants"))]
                if mutated(Mutant::ImpossibleIsBottom) {
                    self.global = self.shared.bottom.clone();
                    return self.bottom_is_plain();
                }
                // "Assuming it non-empty is bottom": that leaves the states in which it is empty.
                self.drop_group(array, slot);
                changed = true;
                continue;
            }
            let inhabited = range.and_then(|r| r.lo()).is_some_and(|lo| lo >= 1);
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::AtMostOneIsOne) && range.and_then(|r| r.hi()) == Some(1) {
                self.promote(array, slot);
                continue;
            }
            #[cfg(any(test, feature = "mutants"))]
            let inhabited = inhabited || mutated(Mutant::PossiblyEmptySpeaks);
            // Only here: a possibly empty group's content says nothing of scalars (U6).
            if inhabited {
                let support = self.array(array).map(|a| a.support.clone()).unwrap_or_default();
                let told = content.project(&support);
                if !self.global.leq(&told) {
                    self.global.meet_with(&told);
                    changed = true;
                }
                if range.and_then(|r| r.as_constant()) == Some(1) {
                    self.promote(array, slot);
                    changed = true;
                }
                self.bottom_is_plain();
            }
        }
        if changed {
            self.sizes_add_up(array);
        }
    }

    /// Each cell is in just one group.
    pub(crate) fn sizes_add_up(&mut self, array: ArrayId) {
        let Some(a) = self.array(array) else { return };
        let sizes: Vec<Var> =
            a.groups.iter().filter(|(_, g)| matches!(g, Group::Many(_))).map(|(s, _)| dims::size(array, *s)).collect();
        let (ones, length) = (a.groups.len() - sizes.len(), a.length);
        add_up(&mut self.global, &sizes, ones, length);
        self.bottom_is_plain();
    }

    /// Replaces the groups of an array by one that has all cells, with arbitrary content.
    pub(crate) fn whole(&mut self, array: ArrayId) {
        let Some(a) = self.array(array) else { return };
        self.retire(&a.dimensions(array));
        let Some(a) = self.array(array) else { return };
        let (slot, length): (Slot, Var) = (0, a.length);
        self.relations.whole(array, slot);
        let mut content = self.shared.top.clone();
        let index = var(dims::index(array, slot));
        assume(&mut content, Some(Constraint::non_negative(index.clone())));
        assume(&mut content, Constraint::lt(&index, &var(length)));
        // There are that many cells, so it is a number of cells.
        assume(&mut self.global, Some(Constraint::non_negative(var(length))));
        self.global.assign(dims::size(array, slot), &var(length));
        if let Some(a) = self.arrays.get_mut(array).map(Rc::make_mut) {
            a.support = [length].into();
            a.groups = [(slot, Group::Many(content))].into();
        }
        self.bottom_is_plain();
        if let Some(one) = Constraint::eq(&var(length), &number(1))
            && self.global.entails(&one)
        {
            self.promote(array, slot);
        }
    }
}

/// Groups of these sizes, and `ones` of one cell, have as many cells as the array is long.
pub(crate) fn add_up<N: Numeric>(global: &mut N, sizes: &[Var], ones: usize, length: Var) {
    let terms = sizes.iter().map(|v| (*v, 1)).chain([(length, -1)]);
    let sum = i128::try_from(ones).ok().and_then(|ones| LinearExpr::new(terms, ones));
    let c = sum.and_then(|sum| Constraint::eq(&sum, &number(0)));
    if c.as_ref().is_none_or(|c| global.entails(c)) {
        return;
    }
    // What is left for each group by the others: an octagon cannot hold the sum, but it knows the
    // difference of two.
    assume(global, c);
}
