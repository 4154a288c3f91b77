//! Which checks of operations a summary looks at, and what they need to know of blocks of memory.

use crate::inline::Inlined;
use crate::program::ObligationKey;
use smalti_terms::{Term, Var};
use std::collections::BTreeSet;

/// Which checks are looked at.
#[derive(Clone, Copy)]
pub(super) struct Operations<'p> {
    /// The program, whose entry contains what it calls. It knows which numbers checks have in the
    /// source.
    pub(super) inlined: &'p Inlined,
    /// The checks, or all of them.
    pub(super) wanted: Option<&'p BTreeSet<ObligationKey>>,
}

impl Operations<'_> {
    /// Whether a check is among them.
    pub(super) fn wants(&self, key: ObligationKey) -> bool {
        self.wanted.is_none_or(|wanted| wanted.contains(&key))
    }
}

/// The number of elements of the blocks that a statement allocates.
pub(super) struct Allocated {
    pub(super) site: u32,
    /// The iteration numbers of the loops around.
    pub(super) iterations: Vec<Var>,
    pub(super) count: Term,
}
