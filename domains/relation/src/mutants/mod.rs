//! Wrong steps instead of right ones, to check that the laws and random attacks catch them. None of
//! this is in the library that is built for use.

#[cfg(test)]
mod tests;

/// A wrong step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// U1: after a merge, all cells point where only those of one group did.
    MergeKeepsOneSide,
    /// U3: a store leaves where the old value pointed.
    StoreLeavesTheOld,
    /// U3 for scalars.
    AssignLeavesTheOld,
    /// U4: what only the right side knows does not matter to inclusion.
    InclusionIgnoresWhatIsMissing,
    /// Nothing points to a cell that has been split off.
    SplitLeavesTheSets,
}

/// The numbered ones.
pub const SHORTCUTS: [(&str, Mutant); 4] = [
    ("U1", Mutant::MergeKeepsOneSide),
    ("U3", Mutant::StoreLeavesTheOld),
    ("U3", Mutant::AssignLeavesTheOld),
    ("U4", Mutant::InclusionIgnoresWhatIsMissing),
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
