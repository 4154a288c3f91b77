//! Runs other programs as child processes: finds a program, runs it or exchanges messages with it,
//! and leaves none of its processes or files behind.
//!
//! [`crate::cbmc`] and [`crate::smt`] know which program it is and what its answers mean.

mod failure;
mod find;
mod interrupt;
mod janitor;
pub(crate) mod memory;
pub(crate) mod numbered;
mod recorded;
mod retry;
mod run;
#[cfg(test)]
pub(crate) mod testing;

pub use failure::Failure;
pub use find::{NotFound, Version};
pub(crate) use find::{ProgramLookup, VERSION_TIME, located, said_version, version_time};
pub(crate) use interrupt::{Guard, signal};
pub(crate) use janitor::Scratch;
pub(crate) use recorded::Recorded;
#[cfg(feature = "fuzz")]
pub use retry::uninterrupted;
pub(crate) use run::{End, Input, Limits, converse, how, out_of_memory, run};

/// The default address space of a run in MiB. Formulas that need more are not solved in time.
pub(crate) const MEMORY: u64 = 6144;
