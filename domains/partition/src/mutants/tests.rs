//! The laws see every wrong step.

use super::{Mutant, switch};
use crate::PartitionDomain;
use smalti_box::BoxDomain;
use smalti_core::laws::{self, Config, ExplicitDomain};
use smalti_core::{ArrayId, Cell, FieldId, LinearExpr, Memory, MemoryDomain, Var};

const MUTANTS: [Mutant; 24] = [
    Mutant::MergeKeepsOneSide,
    Mutant::ReadFillsTheOthers,
    Mutant::StoreLeavesTheOld,
    Mutant::AssignLeavesTheOld,
    Mutant::InclusionIgnoresContents,
    Mutant::CreateTakesThePartners,
    Mutant::PossiblyEmptySpeaks,
    Mutant::ImpossibleIsBottom,
    Mutant::ExcludedIsBottom,
    Mutant::AtMostOneIsOne,
    Mutant::SplitKeepsTheSize,
    Mutant::SplitKeepsTheUpperHalf,
    Mutant::OnlyTheFirstGroup,
    Mutant::RangesAreFull,
    Mutant::JoinKeepsOneSide,
    Mutant::WideningKeepsThePrevious,
    Mutant::TestIsForAll,
    Mutant::BodyForAllCells,
    Mutant::OneAlwaysChosen,
    Mutant::OneGuardDecides,
    Mutant::FactsNeedNoCell,
    Mutant::RefutedIsBottom,
    Mutant::ChosenAreThere,
    Mutant::DivisionKeepsTheSize,
];

/// `b[*] = a[0]; a[0] = 4;`, where `a[0]` was 3: a case that the laws' random programs hardly
/// reach. The content of `b` may say "equal to `a[0]`" no longer.
fn a_copy_outlives_its_original() -> Option<String> {
    let (a, b, field, [x, one, two]) = (ArrayId(0), ArrayId(1), FieldId(0), [0, 1, 2].map(Var::scalar));
    let number = LinearExpr::constant;
    let first = |array| Cell { array, index: number(0), field };
    let mut state = PartitionDomain::<ExplicitDomain>::new(ExplicitDomain).top();
    for (array, length, size) in [(a, one, 1), (b, two, 2)] {
        state.assign(length, &number(size));
        state.create_array(array, &[field], length);
    }
    state.assume_cell(&first(a), &number(3));
    state.read(x, &first(a));
    state.fill(b, field, &LinearExpr::var(x));
    state.forget(&[x]);
    state.write(&first(a), &number(4));
    state.read(x, &first(b));
    let bounds = state.bounds(&LinearExpr::var(x));
    let kept = bounds.is_some_and(|b| b.contains(3));
    (!kept).then(|| format!("the law of copies is broken: 3 is not in {bounds:?}"))
}

/// What is wrong with the domain under the laws, if anything: over boxes, over sets of points,
/// where nothing is lost by approximation, and with few groups, where merges are many. The slowest
/// comes last.
fn found(config: Config) -> Option<String> {
    let explicit = || PartitionDomain::<ExplicitDomain>::new(ExplicitDomain);
    a_copy_outlives_its_original()
        .or_else(|| laws::check_memory(&PartitionDomain::<BoxDomain>::new(BoxDomain), config).err())
        .or_else(|| laws::check_memory(&explicit(), config).err())
        .or_else(|| laws::check_memory(&explicit().with_max_groups(2), config).err())
}

#[test]
fn every_mutant_is_caught_by_the_laws() {
    laws::catch(&MUTANTS, switch, found);
}

#[test]
fn what_a_copy_says_holds_when_its_original_has_changed() {
    assert_eq!(a_copy_outlives_its_original(), None);
}
