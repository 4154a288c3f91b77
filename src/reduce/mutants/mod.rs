//! Wrong steps of loop pruning and loop shrinking. Tests and random attacks put them in the place
//! of right ones, to see that they are caught. Each makes the stage prove an assertion that some
//! run fails. None of this is in the library that is built for use: every place that asks for a
//! mutant exists only for tests and with the feature `mutants`.

#[cfg(test)]
mod tests;

/// A wrong step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Constraint 1 of pruning: a variable may depend on what earlier iterations made of it.
    CyclesAreFine,
    /// Constraint 2: conditions may read cells at several distances.
    SeveralDistances,
    /// Constraint 2: conditions may read what earlier iterations left.
    CarriedConditions,
    /// Spans end where the loop began.
    SpansStayInside,
    /// The cells of a sum may be narrower than the sum.
    NarrowSums,
    /// The cells of a sum may be read by others too.
    SummedCellsAreRead,
    /// What is added may have no cell in it.
    SumsCount,
    /// A value that is compared makes any other value a minimum.
    MinimumOfAnother,
    /// Θ is 1.
    ThetaIsOne,
    /// K^c leaves out what counters are compared with.
    NothingIsKept,
    /// An iteration touches cells at distance 0 only.
    WindowsAreZero,
    /// C is 1.
    OneAssignment,
    /// The bound leaves out the distances between the loops' ends.
    LoopsEndTogether,
    /// Any two bounds are at a constant distance.
    BoundsAreAlike,
    /// U8 in pruning: the assumptions in loops' iterations stay, and cut off the pruned run that
    /// stands for the failing one.
    AssumptionsStay,
    /// U8 in shrinking: the same for residual runs.
    AssumptionsAreAssumed,
    /// Past-preservation is not asked for.
    PastIsForgotten,
    /// Runs with fewer than k iterations are ignored.
    ShortRunsAreForgotten,
    /// Sequences of iterations begin in the state that the loop begins in.
    StatesAreFirst,
    /// Loops are coalesced whatever values they hand on.
    GapsAreIgnored,
    /// Acceleration: what an iteration reads of a scalar is what it adds to it.
    StepsComeFirst,
    /// Acceleration: what a branch does to a scalar, every iteration does.
    ConditionsAreIgnored,
    /// Acceleration: `!!x` is `x`.
    NotTwiceIsNothing,
    /// Acceleration: a sequence that repeats has repeated from the start.
    ChainsAreCycles,
    /// Acceleration: the sums of which remainders are taken do not wrap around.
    SumsStayInside,
    /// Acceleration: remainders of values that are negative at first stay negative.
    RemaindersKeepTheirSign,
    /// Acceleration: products overflow before they do.
    ProductsStaySmall,
    /// Acceleration: powers of even numbers repeat, as those of odd ones do.
    PowersComeRound,
    /// Of the indices of several dimensions only the last one counts.
    RowsRunTogether,
    /// A branch that writes a variable on some of its paths writes it on all.
    SomeWaysWrite,
}

/// The mutants with numbers.
pub const SHORTCUTS: [(&str, Mutant); 2] = [("U8", Mutant::AssumptionsStay), ("U8", Mutant::AssumptionsAreAssumed)];

thread_local! {
    /// A mutant is active only in the thread that switches it on: tests and attacks run in threads
    /// of their own.
    static ACTIVE: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Whether the step is to be done wrong.
pub(super) fn mutated(mutant: Mutant) -> bool {
    ACTIVE.get() == Some(mutant)
}

/// From now on this thread does that step wrong; with `None`, no step.
pub fn switch(mutant: Option<Mutant>) {
    ACTIVE.set(mutant);
}
