//! Wrong steps, which tests and random attacks use instead of right ones to check that they are
//! caught. None of this is in the library that is built for use: every place that asks exists only
//! for tests and with the feature `mutants`.
//!
//! U1 to U7 are unsound shortcuts of analyses by groups; some concern relations between cells and
//! groups that this domain holds in contents, and then the mutant does the same to contents.

mod steps;
#[cfg(test)]
mod tests;

pub(crate) use steps::{fill_the_others, take_the_partners, test_all};

/// A wrong step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// U1: after a merge, all cells have what only those of one group had.
    MergeKeepsOneSide,
    /// U2: to read one cell, all other groups get cells too.
    ReadFillsTheOthers,
    /// U3: a store leaves what contents said of the cell's old value.
    StoreLeavesTheOld,
    /// U3 for scalars.
    AssignLeavesTheOld,
    /// U4: what only the right side says of its groups does not matter to inclusion.
    InclusionIgnoresContents,
    /// U5: the group without cells that is created as a partner takes over what the other side's
    /// content says of scalars.
    CreateTakesThePartners,
    /// U6: what the content of a group says of scalars holds even if it may have no cell.
    PossiblyEmptySpeaks,
    /// U7: a group that cannot have a cell leaves no state, instead of being empty.
    ImpossibleIsBottom,
    /// U7 as a cell is split off.
    ExcludedIsBottom,
    /// A group of at most one cell is taken for one of exactly one.
    AtMostOneIsOne,
    /// The group from which a cell is split off keeps its size.
    SplitKeepsTheSize,
    /// The group from which a cell is split off has lost all cells before it as well.
    SplitKeepsTheUpperHalf,
    /// A cell is in the first of the groups in which it can be.
    OnlyTheFirstGroup,
    /// A group has every cell between its ends.
    RangesAreFull,
    /// A join keeps the content of one side.
    JoinKeepsOneSide,
    /// A widening keeps the content of the previous iterate.
    WideningKeepsThePrevious,
    /// A test of one cell of a group is a test of all.
    TestIsForAll,
    /// What a fact says of some cells holds of the others of their group too.
    BodyForAllCells,
    /// The same for a group of one.
    OneAlwaysChosen,
    /// A cell that satisfies the first guard satisfies them all.
    OneGuardDecides,
    /// U7: what a fact about cells says of scalars holds even if there is no such cell.
    FactsNeedNoCell,
    /// U7: a group of which a fact leaves no cell leaves no state.
    RefutedIsBottom,
    /// Some cell satisfies the guards of a fact.
    ChosenAreThere,
    /// The group that a fact divides keeps its size.
    DivisionKeepsTheSize,
}

/// The numbered ones.
pub const SHORTCUTS: [(&str, Mutant); 11] = [
    ("U1", Mutant::MergeKeepsOneSide),
    ("U2", Mutant::ReadFillsTheOthers),
    ("U3", Mutant::StoreLeavesTheOld),
    ("U3", Mutant::AssignLeavesTheOld),
    ("U4", Mutant::InclusionIgnoresContents),
    ("U5", Mutant::CreateTakesThePartners),
    ("U6", Mutant::PossiblyEmptySpeaks),
    ("U7", Mutant::ImpossibleIsBottom),
    ("U7", Mutant::ExcludedIsBottom),
    ("U7", Mutant::FactsNeedNoCell),
    ("U7", Mutant::RefutedIsBottom),
];

thread_local! {
    /// What a thread switches on is wrong in that thread alone: tests and attacks run in threads of
    /// their own.
    static ACTIVE: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Whether the step is to be done wrong.
pub(crate) fn mutated(mutant: Mutant) -> bool {
    ACTIVE.get() == Some(mutant)
}

/// From now on this thread does that step wrong, or none.
pub fn switch(mutant: Option<Mutant>) {
    ACTIVE.set(mutant);
}
