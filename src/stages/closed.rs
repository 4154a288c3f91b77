//! The stage `run`: a program that takes nothing from outside has one run, which says everything.
//!
//! The interpreter follows the run. Where its text alone determines it ([`Run::determined`]: no
//! input, no indeterminate value, no unknown code, no dependence on addresses), every run of the
//! program is this one. If it ends without undefined behaviour and without a failed assertion,
//! every check that it came to held each time, and what it did not come to is unreachable: both
//! hold of all runs, because there is no other. A run that fails refutes what it fails at, and
//! nothing else is concluded from it.
//!
//! It is tried with a small number of steps first, then with more: a program with inputs shows
//! them soon, and costs little.

use super::board::Board;
use super::trial::{self, Choice, Chosen};
use crate::interpreter::{self, Limit, Limits, Observer, Outcome, State};
use crate::program::{AssertionId, ObligationKey, Program, SiteId, Stmt, StmtKind};
use crate::verdict::{Answer, Reason};
use std::collections::BTreeSet;
use std::time::Instant;

/// The steps of the first attempt, and how much longer each next one is.
const FIRST_STEPS: u64 = 1_000_000;
const GROWTH: u64 = 16;
/// The values that no one asks for.
const ONLY: Choice = Choice::Always(0);
/// Limits on the run beside steps and time.
const LIMITS: Limits = Limits { steps: u64::MAX, cells: 1 << 26, depth: 10_000, deadline: None, alone: true };

/// Follows the only run of the program; whether it has only one.
pub(super) fn run(program: &Program, deadline: Instant, board: &mut Board<'_>) -> bool {
    board.working("the only run of the program");
    let mut steps = FIRST_STEPS;
    let (run, visited) = loop {
        let limits = Limits { steps, deadline: Some(deadline), ..LIMITS };
        let mut visited = Visited::new(program);
        let run = interpreter::run(program, &mut Chosen::new(program, ONLY, &[]), &mut visited, &limits);
        if run.outcome != Outcome::LimitReached(Limit::Steps) {
            break (run, visited);
        }
        steps = steps.saturating_mul(GROWTH);
    };
    // A program with several runs is for the other stages, and there is nothing to say about it.
    if !run.determined {
        return false;
    }
    match run.outcome {
        Outcome::Finished | Outcome::Stopped => {
            for o in board.open() {
                match visited.contains(o.key) {
                    true => board.answer(o.key, Answer::Proved("holds in the only run".to_owned())),
                    false => board.answer(o.key, Answer::Unreachable("the only run does not come here".to_owned())),
                }
            }
        }
        _ => {
            // Followed once more, by who notes its way.
            let limits = Limits { steps: run.steps, ..LIMITS };
            let reason = match trial::refute(program, ONLY, &[], &limits, "the only run fails", board).refuted {
                Ok(()) => Reason::FailsElsewhere,
                Err(why) => Reason::Unconfirmed { only: true, why },
            };
            board.leave_unless_told(&board.open(), &reason);
        }
    }
    true
}

/// The statements that a run has come to, and the assertions that they make.
struct Visited {
    /// By site.
    statements: Vec<bool>,
    assertions: BTreeSet<AssertionId>,
}

impl Visited {
    fn new(program: &Program) -> Visited {
        let mut most = 0;
        program.each_stmt(|s| most = most.max(s.site.0 as usize));
        Visited { statements: vec![false; most + 1], assertions: BTreeSet::new() }
    }

    fn contains(&self, key: ObligationKey) -> bool {
        match key {
            ObligationKey::Assertion(id) => self.assertions.contains(&id),
            ObligationKey::Check(SiteId(site), _) => self.statements.get(site as usize).copied().unwrap_or(false),
        }
    }
}

impl Observer for Visited {
    fn at(&mut self, stmt: &Stmt, _state: &State<'_, '_>) {
        let visited = &mut self.statements[stmt.site.0 as usize];
        if !*visited {
            *visited = true;
            match &stmt.kind {
                StmtKind::Assert(_, id) => _ = self.assertions.insert(*id),
                StmtKind::Claim(claim) => self.assertions.extend(claim.role.assertion()),
                _ => {}
            }
        }
    }
}
