//! The order structure of an abstract domain.

use crate::Thresholds;

/// The order structure of one abstract domain. `γ(a)` is the set of concrete states that `a` stands
/// for; every method is specified against it, and the laws are executable (feature `laws`).
pub trait Lattice: Clone {
    /// `true` implies `γ(self) = ∅`. Exact for a domain's own bottom; may answer `false` elsewhere.
    fn is_bottom(&self) -> bool;

    /// `true` implies `γ(self) ⊆ γ(other)`. The iterator's only stopping test: an unearned `true`
    /// is unsound.
    fn leq(&self, other: &Self) -> bool;

    /// As [`Lattice::leq`], `false` where the answer would have to be searched for. For where a
    /// wrong `false` costs no more than going on.
    fn leq_at_once(&self, other: &Self) -> bool {
        self.leq(other)
    }

    /// `γ(self) ∪ γ(other) ⊆ γ(self')`.
    fn join_with(&mut self, other: &Self);

    /// An upper bound of the previous iterate and `next` such that chains end. The iterator
    /// guarantees `prev.leq(next)` in the sense that `next` is a join of `prev` with something.
    /// Afterwards `next.leq(&result)` answers `true`.
    #[must_use]
    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self;
}
