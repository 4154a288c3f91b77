//! The facts that a memory domain knows, as plain data for printing.

use crate::{ArrayId, Constraint, FieldId, Var};

/// The content of one abstract state, in constraints that a reader can be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// No concrete state: the program point is unreachable.
    pub unreachable: bool,
    /// Constraints over scalars.
    pub scalars: Vec<Constraint>,
    /// One entry for each live array, ascending.
    pub arrays: Vec<ArrayFacts>,
    /// Scalars whose value is the index of a cell of which it is known in which groups it is.
    pub memberships: Vec<(Var, Membership)>,
}

/// A value is the index of a cell, which is in one of some groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The array of the cell.
    pub array: ArrayId,
    /// The groups, by their places in [`ArrayFacts::groups`] of that array; ascending.
    pub groups: Vec<usize>,
}

/// The known facts about one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayFacts {
    /// The array.
    pub array: ArrayId,
    /// Its groups of cells: disjoint, and together all cells.
    pub groups: Vec<GroupFacts>,
}

/// The known facts about one group of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupFacts {
    /// The dimension that stands for the index of any one cell of the group, where the domain has
    /// one.
    pub index: Option<Var>,
    /// The dimension that is the number of cells in the group, where the domain has one.
    pub size: Option<Var>,
    /// The dimension that stands for each field of any one cell of the group.
    pub fields: Vec<(FieldId, Var)>,
    /// The facts that hold for every cell of the group: constraints over the above and over
    /// scalars.
    pub constraints: Vec<Constraint>,
    /// Fields whose value, in every cell of the group, is the index of a cell in known groups.
    pub memberships: Vec<(FieldId, Membership)>,
}
