//! Blocks of bytes, and what a write does to them.

use super::objects::ObjectId;
use super::offsets::Offsets;
use super::value::{Pointers, Value};
use smallvec::SmallVec;

/// The bytes of a block that is at one of some places in an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bytes {
    pub object: ObjectId,
    pub at: Offsets,
    pub size: i64,
}

/// Blocks of bytes.
pub(super) type Blocks = SmallVec<[Bytes; 4]>;

/// The most blocks on which one thing that is known may rest.
pub(super) const MOST_BLOCKS: usize = 128;

/// What a write does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// All bytes are zero afterwards.
    Zeros,
    /// Something has written the bytes afterwards.
    Writes,
    /// Perhaps not.
    Copies,
}

impl Bytes {
    pub(super) fn overlaps(self, other: Bytes) -> bool {
        self.object == other.object && self.at.may_overlap(self.size, other.at, other.size)
    }

    pub(super) fn is_within(self, other: Bytes) -> bool {
        self.object == other.object && self.size <= other.size && self.at.is_within(other.at)
    }
}

impl Effect {
    pub(super) fn of(value: &Value) -> Effect {
        match value {
            value if !value.is_written() => Effect::Copies,
            Value::Number(n) if n.as_constant() == Some(0) => Effect::Zeros,
            Value::Pointer(p) if **p == Pointers::null() => Effect::Zeros,
            _ => Effect::Writes,
        }
    }
}
