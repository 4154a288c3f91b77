//! Joins of states.

use super::engine::Values;
use super::implications::Guards;
use super::state::State;
use super::value::Thresholds;

/// After so many statements, no implications are kept: an analysis that keeps many takes a quarter
/// longer.
const MOST_STEPS: u64 = 500_000;

impl Values<'_> {
    /// The cells from whose values may follow what others hold, if that is to be kept.
    pub(super) fn kept_guards(&self) -> Option<&Guards> {
        (self.steps < MOST_STEPS).then_some(&self.guards)
    }

    /// All memories of both.
    pub(super) fn joined(&self, a: Option<State>, b: Option<State>) -> Option<State> {
        match (a, b) {
            (Some(mut a), Some(b)) => {
                a.memory.join(&b.memory, (&self.objects, self.kept_guards()), self.big_endian);
                a.made = a.made.union_with(b.made, u32::max);
                Some(a)
            }
            (a, b) => a.or(b),
        }
    }

    /// All memories of some states.
    pub(super) fn joined_all(&self, states: impl IntoIterator<Item = State>) -> Option<State> {
        states.into_iter().fold(None, |all, state| self.joined(all, Some(state)))
    }

    /// [`Values::joined`], such that a chain of them ends.
    pub(super) fn widened(&self, mut old: State, new: State, at: &Thresholds) -> State {
        old.memory.widen(&new.memory, (&self.objects, self.kept_guards()), self.big_endian, at);
        old.made = old.made.union_with(new.made, u32::max);
        old
    }

    /// Whether all memories of one are among those of the other.
    pub(super) fn is_within(&self, a: &State, b: &State) -> bool {
        a.memory.is_within(&b.memory, &self.objects, self.big_endian)
            && a.made.iter().all(|(key, n)| b.made.get(key).is_some_and(|m| n <= m))
    }
}
