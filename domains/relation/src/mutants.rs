//! Wrong steps in the place of right ones, to see that the laws catch them.

use crate::over;
use smalti_box::BoxDomain;
use smalti_core::laws::{self, Config, ExplicitDomain};

/// A wrong step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// U1: after a merge, all cells point where only those of one group did.
    MergeKeepsOneSide,
    /// U3: a store leaves where the old value pointed.
    StoreLeavesTheOld,
    /// The same for scalars.
    AssignLeavesTheOld,
    /// U4: what only the right side knows does not matter to inclusion.
    InclusionIgnoresWhatIsMissing,
    /// Nothing points to a cell that has been split off.
    SplitLeavesTheSets,
}

const MUTANTS: [Mutant; 5] = [
    Mutant::MergeKeepsOneSide,
    Mutant::StoreLeavesTheOld,
    Mutant::AssignLeavesTheOld,
    Mutant::InclusionIgnoresWhatIsMissing,
    Mutant::SplitLeavesTheSets,
];

thread_local! {
    /// Tests run in threads of their own.
    static ACTIVE: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Whether the step is to be done wrong.
pub(crate) fn mutated(mutant: Mutant) -> bool {
    ACTIVE.get() == Some(mutant)
}

fn found() -> Option<String> {
    let config = Config::default();
    None.or_else(|| laws::check_memory(&over(BoxDomain), config).err())
        .or_else(|| laws::check_memory(&over(ExplicitDomain).with_max_groups(2), config).err())
        .or_else(|| laws::check_memory(&over(ExplicitDomain), config).err())
}

#[test]
fn every_mutant_is_caught_by_the_laws() {
    laws::catch(&MUTANTS, |mutant| ACTIVE.set(mutant), found);
}
