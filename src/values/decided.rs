//! What is found out about the checks of a statement.

use crate::program::{Check, CheckCondition, Program, Stmt, numbered_checks_of};
use std::cell::Cell;

/// The checks of a statement.
pub(super) struct StmtChecks<'p> {
    /// Those that constants do not decide, with their places among `seen`.
    pub(super) checks: Vec<(usize, Check<'p>)>,
    /// By number: whether the check held whenever it was evaluated.
    pub(super) seen: Vec<(u32, Cell<Option<bool>>)>,
}

impl<'p> StmtChecks<'p> {
    pub(super) fn of(program: &'p Program, stmt: &'p Stmt) -> StmtChecks<'p> {
        let all: Vec<(u32, Check<'p>)> = numbered_checks_of(program, stmt);
        let seen = all.iter().map(|(number, _)| (*number, Cell::new(None))).collect();
        let is_open = |(_, check): &(usize, Check<'p>)| !check.is_settled(program.data_model);
        StmtChecks { checks: all.into_iter().map(|(_, check)| check).enumerate().filter(is_open).collect(), seen }
    }

    /// Whether an operation of the statement may be undefined.
    pub(super) fn may_fail(&self) -> bool {
        let now = self.checks.iter().filter(|(_, check)| !check.kind.is_about_the_past());
        now.map(|(n, _)| &self.seen[*n].1).any(|seen| seen.get() == Some(false))
    }

    /// The numbers of those that may fail and whose failing runs are left out of what follows.
    /// (Sums of pointers are computed without a limit, and go on.)
    pub(super) fn ending(&self) -> impl Iterator<Item = u32> {
        let goes_on = |check: &Check<'p>| {
            check.kind.is_about_the_past() || matches!(check.condition, CheckCondition::PointerArithmetic { .. })
        };
        let ends = self.checks.iter().filter(move |(_, check)| !goes_on(check));
        ends.map(|(n, _)| &self.seen[*n]).filter(|(_, seen)| seen.get() == Some(false)).map(|(number, _)| *number)
    }
}
