//! What is known of memory at a point: closed forms.

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
    /// Later ones lie over earlier ones.
    pub(super) layers: Vec<Layer>,
    pub(super) base: Base,
}

/// The cells from `low` up to `high`, which is not one of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    pub(super) low: Poly,
    pub(super) high: Poly,
    /// What the cell of the index (a certain unknown) holds.
    pub(super) value: Option<Poly>,
}

/// What lies below all layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Arbitrary values: the contents of that number.
    Arbitrary(u32),
    Zero,
}

impl State {
    /// What both states agree on.
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
