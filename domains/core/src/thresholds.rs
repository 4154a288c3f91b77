//! Numbers at which widening stops on its way to infinity.

/// A sorted set of bounds that widening tries before it gives a bound up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thresholds(Vec<i128>);

impl Thresholds {
    /// The set of `values`, in any order, with any repetition.
    pub fn new(values: impl IntoIterator<Item = i128>) -> Self {
        let mut values: Vec<i128> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        Thresholds(values)
    }

    /// The values, ascending.
    pub fn values(&self) -> &[i128] {
        &self.0
    }

    /// The least threshold `>= bound`: what an unstable upper bound is widened to; `None` is plus infinity.
    pub fn at_least(&self, bound: i128) -> Option<i128> {
        self.0.get(self.0.partition_point(|t| *t < bound)).copied()
    }

    /// The greatest threshold `<= bound`: what an unstable lower bound is widened to; `None` is minus infinity.
    pub fn at_most(&self, bound: i128) -> Option<i128> {
        self.0[..self.0.partition_point(|t| *t <= bound)].last().copied()
    }
}
