//! Loop shrinking (Kumar 2019, chapters 6 to 8): a loop over a large array is replaced by a few of its iterations, any.
//!
//! **Theorem** (Kumar 2019, theorem 7.5). Let `L` be a loop and ψ a property of the state behind it, a conjunction of clauses of which some belong
//! to one iteration each. The *residual* of a sequence of iterations runs just those, each with the loop's counters set to what they are in it,
//! and its residual property has just their clauses. If, from every state, whenever the residual of a sequence of k + 1 iterations violates its residual
//! property or the clause of an iteration before the sequence, so does the residual of k of them, then the loop is *k-shrinkable*: a violation
//! by the whole loop is one by the residual of some k iterations from the same state. So if no residual of k iterations fails, and no run with
//! fewer iterations does, the property holds.
//!
//! **Where we differ.** The state in which a sequence begins is arbitrary but for what the domains say of it (see [`known`]). Clauses that
//! belong to no iteration are part of every residual property; the proof of the theorem does not look at them. Early exits and assumptions are
//! part of the state (see [`runs`]). A property of one position may be looked at for one position, any, given from outside.
//!
//! **Limits.** One property loop or none, with at most one quantifier, universal. Nested loops count as arbitrary values for what they write.

mod affine;
mod form;
mod known;
mod lengths;
mod runs;

pub use form::Form;
pub use runs::Written;

use super::Refusal;
use super::normal::Normal;
use crate::program::AssertionId;
use runs::Kind;

/// The ways to look at a program as one loop and a property, the most promising first.
///
/// # Errors
/// Why there is none.
pub fn forms(normal: &Normal, assertion: AssertionId) -> Result<Vec<Form>, Refusal> {
    form::forms(normal, assertion)
}

impl Form {
    /// The program whose assertion holds if the loop is k-shrinkable (figure 7.7).
    ///
    /// # Errors
    /// An iteration does something that cannot be repeated from the same state.
    pub fn shrinkability(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Check)
    }

    /// The program whose assertion holds if no residual of `k` iterations fails, and no run with fewer iterations does (7.5).
    ///
    /// # Errors
    /// As for [`Form::shrinkability`].
    pub fn residual(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Residual)
    }

    /// The program whose assertion fails if some residual of `k` iterations comes to the assertion.
    ///
    /// # Errors
    /// As for [`Form::shrinkability`].
    pub fn reach(&self, assertion: AssertionId, k: usize) -> Result<Written, Refusal> {
        runs::write(self, assertion, k, Kind::Reach)
    }
}
