//! Caches answers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

/// Answers by question. When there are as many as it may have, all are forgotten, so that memory
/// stays bounded.
pub(crate) struct Memo<K, V> {
    most: usize,
    answers: RefCell<HashMap<K, V>>,
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    pub(crate) fn new(most: usize) -> Self {
        Memo { most, answers: RefCell::default() }
    }

    pub(crate) fn get(&self, question: &K) -> Option<V> {
        self.answers.borrow().get(question).cloned()
    }

    pub(crate) fn put(&self, question: K, answer: V) {
        let mut answers = self.answers.borrow_mut();
        if answers.len() >= self.most {
            answers.clear();
        }
        answers.insert(question, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_allowed() {
        let memo = Memo::new(2);
        (0..3).for_each(|n| memo.put(n, n + 10));
        assert_eq!([0, 1, 2].map(|n| memo.get(&n)), [None, None, Some(12)]);
    }
}
