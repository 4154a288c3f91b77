//! What is known of the reads of one statement.

use crate::program::{Location, Lvalue};
use std::collections::HashMap;

/// A value for each of the reads of a statement. Two reads are one if the same lvalue stands at the
/// same place of the source, as the two indexes do that `a[b[i]] += 1` has when it is written out.
/// Nothing changes within a statement, so both read the same value.
pub(super) struct PerRead<'s, T> {
    /// Comparing places is fast, comparing lvalues is not.
    by_location: HashMap<Location, Vec<(&'s Lvalue, T)>>,
}

impl<T> Default for PerRead<'_, T> {
    fn default() -> Self {
        PerRead { by_location: HashMap::new() }
    }
}

impl<'s, T> PerRead<'s, T> {
    /// The value of this read.
    pub(super) fn get(&self, read: &Lvalue) -> Option<&T> {
        self.by_location.get(&read.location)?.iter().find(|(known, _)| *known == read).map(|(_, value)| value)
    }

    /// Stores the value of a read that has none.
    pub(super) fn insert(&mut self, read: &'s Lvalue, value: T) {
        self.by_location.entry(read.location).or_default().push((read, value));
    }

    /// Forgets the reads, when the next statement begins.
    pub(super) fn clear(&mut self) {
        self.by_location.clear();
    }
}
