//! A model checker for tests, with given answers.

use super::{Answer, Failure, ModelChecker, Query};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Instant;

/// Gives its answers one after the other, and stores the queries. When no answers are left, it
/// fails with [`Failure::Late`].
#[derive(Default)]
pub struct Recorded {
    answers: RefCell<VecDeque<Result<Answer, Failure>>>,
    queries: RefCell<Vec<Query>>,
}

impl Recorded {
    /// A model checker that gives these answers.
    pub fn new(answers: impl IntoIterator<Item = Result<Answer, Failure>>) -> Recorded {
        Recorded { answers: RefCell::new(answers.into_iter().collect()), queries: RefCell::default() }
    }

    /// The queries so far.
    pub fn queries(&self) -> Vec<Query> {
        self.queries.borrow().clone()
    }
}

impl ModelChecker for Recorded {
    fn run(&self, query: &Query, _deadline: Instant) -> Result<Answer, Failure> {
        self.queries.borrow_mut().push(query.clone());
        self.answers.borrow_mut().pop_front().unwrap_or(Err(Failure::Late))
    }
}
