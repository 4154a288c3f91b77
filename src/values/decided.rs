//! What is found out about the checks of a statement.

use crate::program::{Check, Program, Stmt, checks_of};
use std::cell::Cell;

/// The checks of a statement.
pub(super) struct StmtChecks<'p> {
    /// Those that constants do not decide, with their numbers.
    pub(super) checks: Vec<(usize, Check<'p>)>,
    /// By number: whether the check held whenever it was evaluated.
    pub(super) seen: Vec<Cell<Option<bool>>>,
}

impl<'p> StmtChecks<'p> {
    pub(super) fn of(program: &'p Program, stmt: &'p Stmt) -> StmtChecks<'p> {
        let all = checks_of(program, stmt);
        let seen = vec![Cell::new(None); all.len()];
        let is_open = |(_, check): &(usize, Check<'p>)| !check.is_settled(program.data_model);
        StmtChecks { checks: all.into_iter().enumerate().filter(is_open).collect(), seen }
    }
}
