//! What is asked about a program, and what the text may leave out.

use crate::program::{Obligation, ObligationKey, VarId};
use std::collections::BTreeSet;

/// The question about a program.
#[derive(Clone, Debug)]
pub struct EmitOptions<'a> {
    /// The obligations to decide.
    pub obligations: &'a [Obligation],
    /// Those that are known to hold. Where they are about the past of objects, the text leaves them
    /// out: no run fails there.
    pub known: &'a BTreeSet<ObligationKey>,
    /// What is asked about them.
    pub purpose: Purpose,
    /// The effect of an operation whose check fails.
    pub undefined: Undefined,
    /// The array lengths to consider.
    pub sizes: Sizes,
    /// Whether traces show the arbitrary contents of heap blocks (of scalars). Needs
    /// [`Sizes::AtMost`].
    pub log_heap: bool,
}

/// What is asked about the obligations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Whether they hold: their conditions are the properties.
    Decide,
    /// Whether runs reach them: a property fails if a run does.
    Reach {
        /// Whether runs end at undefined behaviour, as they do when obligations are decided. If
        /// not, they go on with the values that CBMC computes.
        defined: bool,
    },
}

/// What happens to a run at an operation whose check fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// It ends there, as the program's runs do: the text is exact.
    Ends,
    /// The run goes on, and this variable (an integer) becomes 1. This is for reduced programs that
    /// define the meaning of such a run themselves and have no pointers. CBMC's addresses need not
    /// be large enough then.
    Sets(VarId),
    /// The run goes on without a note: signed operations wrap around. This is for reductions whose
    /// proof is about total operations.
    Wraps,
}

/// The array lengths that a query considers, if the program does not fix them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// Only lengths up to this; nothing can be proved then.
    AtMost(u64),
    /// All lengths that fit into CBMC's addresses. The property [`super::CAPACITY`] says that no
    /// array is longer.
    Any,
}
