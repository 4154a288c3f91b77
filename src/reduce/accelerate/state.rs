//! What is known of memory at a program point, as closed forms.

use super::poly::Poly;
use crate::program::VarId;
use std::collections::HashMap;

/// Closed forms of scalars and arrays. `None`: unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) scalars: HashMap<VarId, Option<Poly>>,
    pub(super) arrays: HashMap<VarId, Option<Contents>>,
}

/// What an array of integers holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contents {
    /// Later layers cover earlier ones.
    pub(super) layers: Vec<Layer>,
    pub(super) base: Base,
}

/// The cells from `low` (inclusive) to `high` (exclusive).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) low: Poly,
    pub(super) high: Poly,
    /// The value in the cell, in terms of the unknown that stands for the index.
    pub(super) value: Option<Poly>,
}

/// The contents below all layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Arbitrary values: the contents of that number.
    Arbitrary(u32),
    Zero,
}

impl State {
    /// Keeps what both states agree on.
    pub(super) fn join(&mut self, other: &State) {
        let known = |v: &VarId, other: &HashMap<VarId, Option<Poly>>| other.get(v).cloned();
        for (v, value) in &mut self.scalars {
            if known(v, &other.scalars).as_ref() != Some(value) {
                *value = None;
            }
        }
        for v in other.scalars.keys() {
            self.scalars.entry(*v).or_insert(None);
        }
        for (v, contents) in &mut self.arrays {
            if other.arrays.get(v) != Some(contents) {
                *contents = None;
            }
        }
        for v in other.arrays.keys() {
            self.arrays.entry(*v).or_insert(None);
        }
    }
}
