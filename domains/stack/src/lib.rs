//! Domain stacks, put together by name at run time.
//!
//! A name is `layer/.../numeric`: a numeric domain at the bottom, layers for arrays above it, outermost first. A numeric
//! domain alone is a stack too, one that keeps nothing of arrays.
//!
//! ```
//! use smalti_core::{LinearExpr, Memory, MemoryDomain, Var};
//!
//! let domain = smalti_stack::open("smash/box")?;
//! let mut state = domain.top();
//! state.assign(Var::scalar(0), &LinearExpr::constant(7));
//! assert_eq!(state.bounds(&LinearExpr::var(Var::scalar(0))).unwrap().as_constant(), Some(7));
//!
//! let error = smalti_stack::open("smash/bxo").unwrap_err();
//! assert!(error.to_string().contains("did you mean smash/box?"));
//! # Ok::<(), smalti_stack::StackError>(())
//! ```
//!
//! A new domain is a new folder under `domains/` and one line in `registry.rs`.

mod erased;
mod error;
mod registry;

pub use erased::{AnyDomain, AnyState};
pub use error::{StackError, StackErrorKind};
pub use registry::{
    Part, StackInfo, available, default_stack, default_stacks, is_native, native_first, open, stack_names,
};

/// Wrong steps that can be switched on.
#[cfg(feature = "mutants")]
pub mod mutants {
    pub use smalti_partition::mutants as partition;
    pub use smalti_relation::mutants as relation;
}
