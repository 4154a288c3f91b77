//! Raw bindings to APRON, the library of numerical abstract domains (Jeannet and Miné: "Apron: a
//! library of numerical abstract domains for static analysis", CAV 2009), versions 0.9.10 to
//! 0.9.15, loaded at run time.
//!
//! Only what smalti calls is declared, by hand, at level 0 (dimensions are numbers). Nothing here
//! is safe to use. Only the crate `smalti-apron` should use it: that crate turns the rules below
//! into types.
//!
//! * A program built with this crate needs no APRON to build or to start. [`Library::load`] finds
//!   it, or says in one sentence how to get it.
//! * `libm`, `libgmp`, `libmpfr` and `libapron` are opened with their symbols global, since APRON's
//!   libraries do not name what they depend on; the domains are opened local, since the same
//!   octagon over doubles and over rationals exports the same symbols twice.
//! * A domain over doubles is sound only while the thread rounds upwards, and its manager's
//!   constructor leaves the thread in that mode. See [`Rounding`].
//! * `destructive` always consumes the first value and never another. Expressions are changed while
//!   they are read. Even `is_leq` and `join` write into their arguments (a cached closure): values
//!   stay in their thread.
#![allow(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks)]

mod error;
mod functions;
mod library;
mod rounding;
mod search;
mod types;

pub use error::{LoadError, LoadErrorKind};
pub use functions::{Functions, OctagonFunctions};
pub use library::Library;
pub use rounding::Rounding;
pub use search::data_folder;
pub use types::*;
