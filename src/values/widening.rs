//! How chains of memories end.

use super::objects::ObjectId;
use super::value::Thresholds;

/// How a chain of steps ends.
#[derive(Clone, Copy)]
pub(super) struct Widening<'a> {
    /// Where it stops; nowhere, at first.
    pub at: Option<&'a Thresholds>,
    pub shape: &'a dyn Fn(ObjectId) -> Shape,
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
