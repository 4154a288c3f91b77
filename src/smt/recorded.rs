//! A solver for tests, with given answers.

use super::{Answer, Failure, Script, Solver};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Instant;

/// Gives its answers one after the other, and stores the scripts. When no answers are left, it
/// fails with [`Failure::Late`].
#[derive(Default)]
pub struct Recorded {
    answers: RefCell<VecDeque<Result<Answer, Failure>>>,
    scripts: RefCell<Vec<Script>>,
}

impl Recorded {
    /// A solver that gives these answers.
    pub fn new(answers: impl IntoIterator<Item = Result<Answer, Failure>>) -> Recorded {
        Recorded { answers: RefCell::new(answers.into_iter().collect()), scripts: RefCell::default() }
    }

    /// The scripts so far.
    pub fn scripts(&self) -> Vec<Script> {
        self.scripts.borrow().clone()
    }
}

impl Solver for Recorded {
    fn ask(&self, script: &Script, _deadline: Instant) -> Result<Answer, Failure> {
        self.scripts.borrow_mut().push(script.clone());
        self.answers.borrow_mut().pop_front().unwrap_or(Err(Failure::Late))
    }
}
