//! Decides assertions and checks of operations by deduction: from what loop invariants claim,
//! however often loops run and however large arrays are.
//!
//! The program is executed once on symbols, without loops: a loop stands for one arbitrary
//! iteration (Flanagan, Saxe, "Avoiding exponential explosion: generating compact verification
//! conditions", POPL 2001; Leino, "Efficient weakest preconditions", IPL 2005). At its head, what
//! the loop writes has arbitrary values for which its invariants hold. An invariant is a claim that
//! the program asserts both before the loop and at the end of each iteration. So every run that
//! arrives at the head has passed it, whether or not it is proved: a run in which it is false has
//! ended there. Other invariants are guessed ([`proposals`], [`candidates`]); those that are
//! inductive are known, too.
//!
//! **Meaning.** Take a run without undefined behaviour that evaluates an assertion. Choose for each
//! loop the last iteration that the run has begun. The symbols then have values for which the path
//! to the assertion is true, and which the variables have in the run. So if no values make the path
//! true and the condition false, the condition holds in all runs.
//!
//! **Limits.** Calls are inlined and pointers resolved ([`crate::reduce::normal::Inlined`],
//! `offsets`). Writes through other pointers, unions, bit-fields, calls of unknown code and jumps
//! backward are refused. Values of other pointers, floating values and bitwise operations are
//! arbitrary.

mod candidates;
mod claims;
mod decide;
mod execute;
mod heads;
mod nearest;
mod offsets;
mod operations;
mod proposals;
mod state;
#[cfg(test)]
mod tests;
mod values;
mod wording;

pub use decide::{Decision, Rests, Undecided};
pub use execute::Conditions;
pub use nearest::Nearest;
pub use operations::{Claimed, with_claims};
pub use proposals::Runs;
