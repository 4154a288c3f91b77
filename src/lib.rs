//! smalti: a static analyser for C programs with arrays.
//!
//! Data runs one way: [`lower`] makes a [`program::Program`] from C; [`cfg`] builds a graph from
//! it; [`fixpoint`] solves the graph over an abstract domain with the transfer functions of
//! [`analysis`], which says what it knows as [`facts`]; [`stages`] decide the remaining obligations
//! with the help of [`cbmc`] and confirm counterexamples with the [`interpreter`]; [`report`] shows
//! the result.
//!
//! [`Builder`] adds abstract domains that are written elsewhere.

pub mod analysis;
mod annotate;
mod builder;
pub mod cbmc;
pub mod cfg;
pub mod cli;
pub mod clock;
pub mod deduce;
pub mod facts;
pub mod fixpoint;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod inline;
pub mod interpreter;
pub mod lower;
mod process;
pub mod program;
pub mod reduce;
pub mod report;
pub mod reproduce;
mod rows;
pub mod smt;
pub mod stages;
pub mod suite;
pub mod summary;
pub mod values;
pub mod verdict;

pub use builder::Builder;
pub use smalti_stack::{AnyNumeric, Registry, StackError};
