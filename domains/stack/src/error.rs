//! The error for a stack that does not exist.

use std::fmt;

/// Why a stack could not be opened; the message says what was asked for, what is wrong with it, and
/// what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackError {
    kind: StackErrorKind,
    message: String,
}

/// The kinds of [`StackError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StackErrorKind {
    /// No numeric domain or no layer has this name.
    Unknown,
    /// The numeric domain is known, but not on this machine.
    Missing,
    /// No domain from outside can have this name.
    Name,
}

impl StackError {
    pub(crate) fn new(kind: StackErrorKind, message: String) -> Self {
        StackError { kind, message }
    }

    /// Why a domain from outside cannot have that name.
    pub(crate) fn name(name: &str, why: &str) -> Self {
        StackError::new(StackErrorKind::Name, format!("no domain from outside can be called '{name}': {why}"))
    }

    /// The kind.
    pub fn kind(&self) -> StackErrorKind {
        self.kind
    }
}

impl fmt::Display for StackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StackError {}

/// The candidate that is nearest to `word` by insertions, deletions, replacements and swaps of
/// neighbours, if it is near.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.into_iter().map(|c| (distance(word, c), c)).min()?;
    (near.0 <= 1 + word.chars().count() / 4).then_some(near.1)
}

/// Damerau-Levenshtein distance, restricted: no part is edited twice.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                let swapped: &Vec<usize> = &before;
                best = best.min(swapped[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_single_edits_and_swaps() {
        let cases =
            [("", "", 0), ("box", "box", 0), ("bxo", "box", 1), ("bo", "box", 1), ("boxx", "box", 1), ("", "ab", 2)];
        for (a, b, d) in cases {
            assert_eq!((distance(a, b), distance(b, a)), (d, d), "{a} {b}");
        }
        assert_eq!(distance("octogan", "octagon"), 2);
    }

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["box", "smash/box", "smash/apron-octagon"];
        assert_eq!(nearest("smash/bx", names), Some("smash/box"));
        assert_eq!(nearest("smash/apron-octogon", names), Some("smash/apron-octagon"));
        assert_eq!(nearest("polyhedra", names), None);
    }
}
