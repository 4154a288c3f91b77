//! Arrays over any numeric domain, in two cheap ways: [`Smash`] keeps one summary dimension for
//! each field of all cells of an array, [`Scalars`] keeps nothing of arrays.

mod scalars;
mod smash;

pub use scalars::{Scalars, ScalarsDomain};
pub use smash::{Smash, SmashDomain};
