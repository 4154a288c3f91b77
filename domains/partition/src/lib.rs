//! Arrays as groups of cells that need not be contiguous.
mod access;
mod dims;
mod facts;
mod matching;
mod memory;
mod order;
mod reduce;
mod relations;
mod state;

pub use relations::{NoRelations, Relations};
pub use state::Partition;

use smalti_core::{MemoryDomain, NumericDomain};
use state::Shared;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;

/// The name of a group among those of its array.
pub type Slot = u16;

/// More groups of one array are merged.
pub const MAX_GROUPS: usize = 12;

/// Makes [`Partition`] elements.
#[derive(Clone, Debug)]
pub struct PartitionDomain<D, R = NoRelations> {
    numeric: D,
    max_groups: usize,
    relations: PhantomData<R>,
}

impl<D> PartitionDomain<D> {
    /// Groups whose dimensions are those of `numeric`.
    pub fn new(numeric: D) -> Self {
        PartitionDomain { numeric, max_groups: MAX_GROUPS, relations: PhantomData }
    }
}

impl<D, R> PartitionDomain<D, R> {
    /// With another limit to the number of groups of an array, at least 1.
    #[must_use]
    pub fn with_max_groups(self, max_groups: usize) -> Self {
        PartitionDomain { max_groups: max_groups.max(1), ..self }
    }

    /// With relations of another kind.
    pub fn with_relations<S: Relations>(self) -> PartitionDomain<D, S> {
        PartitionDomain { numeric: self.numeric, max_groups: self.max_groups, relations: PhantomData }
    }
}

impl<D: NumericDomain, R: Relations> PartitionDomain<D, R> {
    fn element(&self, global: D::Element) -> Partition<D::Element, R> {
        let shared = Shared { top: self.numeric.top(), bottom: self.numeric.bottom(), max_groups: self.max_groups };
        Partition { global, arrays: BTreeMap::new(), relations: R::default(), shared: Rc::new(shared) }
    }
}

impl<D: NumericDomain, R: Relations> MemoryDomain for PartitionDomain<D, R> {
    type Element = Partition<D::Element, R>;

    fn name(&self) -> String {
        format!("partition/{}", self.numeric.name())
    }

    fn top(&self) -> Self::Element {
        self.element(self.numeric.top())
    }

    fn bottom(&self) -> Self::Element {
        self.element(self.numeric.bottom())
    }
}

#[cfg(test)]
mod tests;
