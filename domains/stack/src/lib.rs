//! Domain stacks, put together by name at run time.
//!
//! A name is `layer/.../numeric`: a numeric domain at the bottom, layers for arrays above it,
//! outermost first. A numeric domain alone is a stack too; it keeps nothing of arrays.
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
//! A new domain of smalti is a new folder under `domains/` and one line in `parts.rs`. A domain
//! from outside is added to a [`Registry`], which is a value.

mod erase;
mod erased;
mod erased_numeric;
mod error;
mod parts;
mod registry;

pub use erased::{AnyDomain, AnyState};
pub use erased_numeric::{AnyElement, AnyNumeric};
pub use error::{StackError, StackErrorKind};
pub use registry::{DEFAULT_STACK, Registry, StackInfo, StackPart};
pub use smalti_apron::data_folder;

/// [`Registry::open`] with the domains of smalti.
///
/// # Errors
/// As there.
pub fn open(name: &str) -> Result<AnyDomain, StackError> {
    Registry::default().open(name)
}

/// Wrong steps that can be switched on.
#[cfg(feature = "mutants")]
pub mod mutants {
    pub use smalti_partition::mutants as partition;
    pub use smalti_relation::mutants as relation;
}
