//! How chains of memories end.

use super::objects::ObjectId;
use super::value::Thresholds;
use rustc_hash::FxHashMap;

/// How a chain of steps ends.
#[derive(Clone, Copy)]
pub(super) struct Widening<'a> {
    /// Where it stops; nowhere, at first.
    pub at: Option<&'a Thresholds>,
    pub shape: &'a dyn Fn(ObjectId) -> Shape,
}

/// How often what a state says of each object has grown.
#[derive(Default)]
pub(super) struct Growth {
    of: FxHashMap<ObjectId, u32>,
    /// How often something has grown.
    pub steps: u32,
}

impl Growth {
    /// These objects have grown.
    pub(super) fn add(&mut self, objects: impl IntoIterator<Item = ObjectId>) {
        self.steps += 1;
        objects.into_iter().for_each(|object| *self.of.entry(object).or_default() += 1);
    }

    /// How often the object has grown.
    pub(super) fn of(&self, object: ObjectId) -> u32 {
        self.of.get(&object).copied().unwrap_or(0)
    }
}

/// Which cells of an object should hold the same, so that they do not grow one after the other.
pub(super) enum Shape {
    /// All elements, of that size.
    Array(u32),
    /// Those of one class: their places, sizes and classes.
    Leaves(Vec<(i64, u32, i64)>),
    /// None.
    Unknown,
}
