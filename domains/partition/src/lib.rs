//! Arrays as groups of cells that need not be contiguous, over any numeric domain.
//!
//! **Meaning.** A concrete state is in γ of an element if the cells of each tracked array can be
//! assigned to its groups, each cell to one, so that
//!
//! * a group of one (`Group::One`) has exactly one cell, whose index and fields are *ordinary*
//!   dimensions;
//! * the *global* numeric element holds of scalars, ordinary dimensions and the sizes of the other
//!   groups;
//! * for each cell of a group of many, the group's *content* holds of scalars, ordinary dimensions,
//!   the index and the fields of that cell: "for every cell of the group". So `a[k] == k + 1` and
//!   relations between the fields of one cell can be expressed. What a content says of scalars
//!   holds on condition that the group has a cell.
//!
//! Groups may be empty, which avoids disjunctions, and they need not be contiguous.
//!
//! **Representation.** Contents mention the array's *support* (ordinary dimensions that have met an
//! index of it) and their own dimensions. The facts of the global element hold in contents too;
//! they are met with contents only when these are used. Before an ordinary dimension changes or is
//! forgotten, contents that mention it take over what is known of it together with others. So a
//! scalar costs nothing where it never meets an index, and a bound of a group remains when the
//! scalar that named it is gone. Groups are named by the index at which they were split off: the
//! same split has the same name in every state. Bottom has no arrays.
//!
//! **Sources, and where we differ.** J. Liu, X. Rival: "Abstraction of arrays based on non
//! contiguous partitions", VMCAI 2015: groups, split, create, merge (section 4), local disjunction
//! and materialisation (5), matching, widening, inclusion (6). D. Gopan, F. DiMaio, N. Dor, T.
//! Reps, M. Sagiv: "Numeric domains with summarized dimensions", TACAS 2004, for *expand*.
//! Differences:
//!
//! * Fields of groups of many are in contents, not summary dimensions of the global element. A
//!   possibly empty group then needs no witness, *create* cannot lose a state (its content is
//!   bottom), and nothing flows from a content to scalars unless the group is known to have a cell.
//!   Relations between fields of two groups of many are given up.
//! * A write through an index that may be in several groups splits the cell off whichever group it
//!   is in, and joins the global elements of these cases; the groups are not merged. A group that
//!   loses its only cell is empty and stays apart.
//! * Where a group has as many cells as its indexes have room, any index between its ends is in it.
//! * Matching is by profiles: bounds of index and fields, also relative to scalars that have met an
//!   index or a field. At joins a group without partner is merged into the likest neighbour that
//!   holds the same, so that `{0..i-1}` and `{i}` become one. Widening merges into the groups of
//!   the previous iterate; it is passed on untouched unless a group of one becomes one of many.
//! * Inclusion searches assignments of groups, each checked; a bounded number of them.
//!
//! **Limits.** No relations between the values of two cells of one array, none between fields of
//! two groups of many. A group's index range is convex: after a split, the rest of the group on
//! both sides of the cell is one group. An access to a field that the array was not created with is
//! not followed.

mod access;
mod dims;
mod facts;
mod inclusion;
mod matching;
mod memory;
#[cfg(any(test, feature = "mutants"))]
pub mod mutants;
mod order;
mod profiles;
mod quantified;
mod reduce;
mod related;
mod relations;
mod state;

pub use dims::Slot;
pub use relations::{NoRelations, Relations, Slots};
pub use state::Partition;

use smalti_core::{MemoryDomain, NumericDomain, SharedMap};
use state::Shared;
use std::marker::PhantomData;
use std::rc::Rc;

/// More groups of one array are merged.
pub const MAX_GROUPS: usize = 12;

/// In programs of more arrays than these, each has at most [`FEWER_GROUPS`]: joins cost the groups
/// of all of them, and what so many arrays have in common is rarely told by the cells of one.
pub const MANY_ARRAYS: usize = 4;
/// See [`MANY_ARRAYS`].
pub const FEWER_GROUPS: usize = 8;

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
        Partition { global, arrays: SharedMap::new(), relations: R::default(), shared: Rc::new(shared) }
    }
}

impl<D: NumericDomain, R: Relations> MemoryDomain for PartitionDomain<D, R> {
    type Element = Partition<D::Element, R>;

    fn name(&self) -> String {
        format!("{}partition/{}", R::LAYER, self.numeric.name())
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
