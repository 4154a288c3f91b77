//! The laws see every wrong step.

use super::{Mutant, switch};
use crate::over;
use smalti_box::BoxDomain;
use smalti_core::laws::{self, Config, ExplicitDomain};

const MUTANTS: [Mutant; 5] = [
    Mutant::MergeKeepsOneSide,
    Mutant::StoreLeavesTheOld,
    Mutant::AssignLeavesTheOld,
    Mutant::InclusionIgnoresWhatIsMissing,
    Mutant::SplitLeavesTheSets,
];

fn found(config: Config) -> Option<String> {
    None.or_else(|| laws::check_memory(&over(BoxDomain), config).err())
        .or_else(|| laws::check_memory(&over(ExplicitDomain).with_max_groups(2), config).err())
        .or_else(|| laws::check_memory(&over(ExplicitDomain), config).err())
}

#[test]
fn every_mutant_is_caught_by_the_laws() {
    laws::catch(&MUTANTS, switch, found);
}
