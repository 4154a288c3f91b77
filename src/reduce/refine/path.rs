//! The path of a run of an abstraction, in terms of the program.

use super::abstraction::Event;
use crate::program::{Block, Stmt, StmtKind};

/// Calls `f` on every statement of a block that has a number of its own.
pub(super) fn number<'s>(block: &'s Block, f: &mut impl FnMut(&'s Stmt, usize)) {
    let mut n = 0;
    crate::program::each_stmt(block, &mut |s| {
        f(s, n);
        n += 1;
    });
}

/// One step of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed<'s> {
    pub(super) stmt: &'s Stmt,
    /// The branch that its condition took.
    pub(super) taken: Option<bool>,
}

/// The steps that a run of the abstraction passes, statement by statement.
#[derive(Clone, Debug)]
pub struct Path<'s> {
    pub(super) steps: Vec<Passed<'s>>,
}

impl<'s> Path<'s> {
    /// Builds the path of a run of an abstraction that passes these events; `body` is what was
    /// abstracted.
    pub fn new(body: &'s Block, events: &[Event]) -> Path<'s> {
        let mut all = Vec::new();
        number(body, &mut |s, _| all.push(s));
        let step = |event: &Event| {
            let (n, taken) = match *event {
                Event::At(n) => (n, None),
                Event::Tested(n, taken) => (n, Some(taken)),
            };
            let stmt = *all.get(n)?;
            // If a statement has a test, the test is the step.
            let tested = matches!(stmt.kind, StmtKind::If(..) | StmtKind::Loop(_));
            (tested == taken.is_some()).then_some(Passed { stmt, taken })
        };
        Path { steps: events.iter().filter_map(step).collect() }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}
