//! Other programs as child processes: find one, run it or talk with it, and leave nothing of it
//! behind.
//!
//! What the program is and what its answers mean is known to [`crate::cbmc`] and [`crate::smt`].

mod failure;
mod find;
mod interrupt;
mod janitor;
pub(crate) mod memory;
mod retry;
mod run;
#[cfg(test)]
pub(crate) mod testing;

pub use failure::Failure;
pub use find::{NotFound, Version};
pub(crate) use find::{Search, VERSION_TIME, located, said_version, version_time};
pub(crate) use interrupt::{Guard, signal};
pub(crate) use janitor::Scratch;
#[cfg(feature = "fuzz")]
pub use retry::uninterrupted;
pub(crate) use run::{End, Input, Limits, converse, how, out_of_memory, run};

/// Address space of a run in MiB, unless told otherwise. Formulas beyond this do not get solved in
/// time.
pub(crate) const MEMORY: u64 = 6144;
