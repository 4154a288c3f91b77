//! The last executions of functions: what calls of them do.

use super::footprint::Footprint;
use super::outcomes::Returns;
use super::state::State;
use std::collections::VecDeque;
use std::rc::Rc;

/// After how many calls of a function their executions are kept.
const FIRST: u32 = 3;
/// How many are kept.
const KEPT: usize = 4;
/// The fewest statements of an execution that is kept.
const CHEAP: u64 = 30;
/// After how many executions that were kept in vain none is kept any more.
const PATIENCE: u32 = 40;

/// The last executions of a function.
#[derive(Default)]
pub(super) struct Executions {
    calls: u32,
    /// How many were executed since one was of use.
    in_vain: u32,
    last: VecDeque<Rc<Execution>>,
}

/// An execution of a call.
pub(super) struct Execution {
    pub depth: u32,
    pub entry: State,
    pub footprint: Footprint,
    pub returns: Returns,
    /// Whether what it returns is kept apart by its result.
    pub apart: bool,
    /// Whether the obligations in the function were decided.
    pub is_decided: bool,
}

impl Executions {
    /// Counts a call. Returns whether it is worth while to keep its execution.
    pub(super) fn is_worth_while(&mut self) -> bool {
        self.calls = self.calls.saturating_add(1);
        self.calls > FIRST && self.in_vain < PATIENCE
    }

    /// Keeps an execution, if it can be repeated, and if that saves enough statements.
    pub(super) fn keep(&mut self, execution: Option<Execution>, statements: u64) {
        self.in_vain += 1;
        if let Some(execution) = execution.filter(|_| statements >= CHEAP) {
            self.last.truncate(KEPT - 1);
            self.last.push_front(Rc::new(execution));
        }
    }

    /// One for which that holds.
    pub(super) fn find(&mut self, is_right: impl Fn(&Execution) -> bool) -> Option<Rc<Execution>> {
        let found = self.last.iter().find(|execution| is_right(execution)).cloned()?;
        self.in_vain = 0;
        Some(found)
    }
}
