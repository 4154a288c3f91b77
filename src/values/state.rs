//! What is known at a point of a run.

use super::memory::{Map, Memory};
use super::objects::Site;

/// An abstract state: it means all memories that agree with it.
#[derive(Clone, Default)]
pub(super) struct State {
    pub memory: Memory,
    /// How many blocks an allocation has made at most.
    pub made: Map<Site, u32>,
}
