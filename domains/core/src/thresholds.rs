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

    /// The least threshold `>= bound`: what an unstable upper bound is widened to; `None` is plus
    /// infinity.
    pub fn at_least(&self, bound: i128) -> Option<i128> {
        self.0.get(self.0.partition_point(|t| *t < bound)).copied()
    }

    /// The greatest threshold `<= bound`: what an unstable lower bound is widened to; `None` is
    /// minus infinity.
    pub fn at_most(&self, bound: i128) -> Option<i128> {
        self.0[..self.0.partition_point(|t| *t <= bound)].last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_and_unique() {
        assert_eq!(Thresholds::new([3, -1, 3, 0]).values(), [-1, 0, 3]);
    }

    #[test]
    fn widening_stops_at_the_nearest_threshold_outwards() {
        let t = Thresholds::new([-1, 0, 3]);
        assert_eq!([-5, -1, 1, 3, 4].map(|b| t.at_least(b)), [Some(-1), Some(-1), Some(3), Some(3), None]);
        assert_eq!([-5, -1, 1, 3, 4].map(|b| t.at_most(b)), [None, Some(-1), Some(0), Some(3), Some(3)]);
    }

    #[test]
    fn without_thresholds_every_unstable_bound_becomes_infinite() {
        let t = Thresholds::default();
        assert_eq!((t.at_least(0), t.at_most(0)), (None, None));
        let t = Thresholds::new([i128::MIN, i128::MAX]);
        assert_eq!((t.at_least(i128::MAX), t.at_most(i128::MIN)), (Some(i128::MAX), Some(i128::MIN)));
    }
}
