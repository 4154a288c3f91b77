//! A tool for tests, with given answers.

use super::Failure;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Gives its answers one after the other, and stores the questions. When no answers are left, it
/// fails with [`Failure::Late`].
pub struct Recorded<Question, Answer> {
    answers: RefCell<VecDeque<Result<Answer, Failure>>>,
    questions: RefCell<Vec<Question>>,
}

impl<Question: Clone, Answer> Recorded<Question, Answer> {
    /// A tool that gives these answers.
    pub fn new(answers: impl IntoIterator<Item = Result<Answer, Failure>>) -> Recorded<Question, Answer> {
        Recorded { answers: RefCell::new(answers.into_iter().collect()), questions: RefCell::default() }
    }

    /// The questions so far.
    pub fn questions(&self) -> Vec<Question> {
        self.questions.borrow().clone()
    }

    /// The next answer.
    pub(crate) fn answer(&self, question: &Question) -> Result<Answer, Failure> {
        self.questions.borrow_mut().push(question.clone());
        self.answers.borrow_mut().pop_front().unwrap_or(Err(Failure::Late))
    }
}
