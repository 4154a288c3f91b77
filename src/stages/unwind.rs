//! The stage `unwind`: asks about the exact program, with a bound that follows every loop to its
//! end, if such a bound is found.

use super::arrivals::{Arrivals, Need};
use super::board::{Board, QUESTIONS};
use super::config::LEAST;
use super::query::{Checker, Found, Question};
use super::trial::{self, LONG, Most, PLAIN};
use crate::cbmc::{self, Tuning};
use crate::clock;
use crate::program::{Location, ObligationKind, Program, Stmt, StmtKind, each_stmt};
use crate::verdict::{Answer, Late, Reason};
use std::time::{Duration, Instant};

/// Bounds that competition practice has settled on.
pub(super) const BOUNDS: [u32; 12] = [2, 6, 12, 17, 21, 40, 100, 200, 400, 1025, 2049, 10_001];
/// The time for concrete runs that find out which bounds are too small.
const TRIAL_TIME: Duration = Duration::from_millis(700);

pub(super) fn run(
    program: &Program,
    checker: &mut Checker<'_>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let asked = |board: &Board<'_>| QUESTIONS.map(|question| board.open_to(question)).concat();
    for o in asked(board).iter().filter(|o| checker.uncalled.contains(o.key)) {
        board.answer(o.key, Answer::Unreachable("nothing calls its function".to_owned()));
    }
    let unseen_end = cbmc::unseen_end(program);
    if let Some(why) = &unseen_end {
        board.leave_unless_told(&board.open_about(ObligationKind::Lifetime), &Reason::Obstacle(why.clone()));
    }
    if let Some(place) = endless(program) {
        let what = "a loop that never ends cannot be followed to its end".to_owned();
        let reason = Reason::Refused { what, place: Some(place) };
        board.leave_unless_told(&asked(board), &reason);
        return;
    }
    board.working("a few runs");
    let choices = [&LONG[..], &PLAIN[..]].concat();
    let Most { tests, statements } = trial::run(program, &choices, deadline, TRIAL_TIME, board);
    log::info!("runs test loops up to {tests} times, and execute up to {statements} statements");
    // Some run needs that many iterations: no smaller bound can be complete.
    let bounds: Vec<u32> = BOUNDS.into_iter().filter(|&b| u64::from(b) >= tests).collect();
    if bounds.is_empty() {
        let what = format!("there are runs in which a loop runs {} times or more, too many to follow", tests - 1);
        let reason = Reason::Refused { what, place: None };
        board.leave_unless_told(&asked(board), &reason);
        return;
    }
    for question in QUESTIONS {
        if question != Some(ObligationKind::Lifetime) || unseen_end.is_none() {
            follow(program, &bounds, question, checker, arrivals, deadline, board);
        }
    }
}

/// Asks about the open obligations of one of the [`QUESTIONS`], with one bound after the other.
fn follow(
    program: &Program,
    bounds: &[u32],
    about: Option<ObligationKind>,
    checker: &mut Checker<'_>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let mut bounds = bounds.iter().copied().peekable();
    let mut tuning = checker.tuning();
    let mut reached = 0;
    while let Some(&bound) = bounds.peek() {
        let open = board.open_to(about);
        if open.is_empty() {
            return;
        }
        if deadline.saturating_duration_since(clock::now()) < LEAST {
            break;
        }
        board.working(&format!("unwinding {bound}"));
        let question = Question { tuning, ..Question::of_all_runs(program, &open, bound) };
        match checker.ask(&question, deadline, board) {
            Ok(Found { refuted, holds, complete, obstacles }) => {
                if complete && obstacles.is_empty() {
                    let detail = format!("complete at unwinding {bound}");
                    checker.settle(&question, &holds, &detail, (arrivals, Need::NoContrary), deadline, board);
                }
                reached = bound;
                if refuted > 0 {
                    continue;
                }
                if let Some(obstacle) = obstacles.first() {
                    // No bound can prove it, and the previous stage looks for failing runs.
                    board.leave_unless_told(&open, &Reason::Obstacle(obstacle.clone()));
                    return;
                }
                if complete {
                    // A larger bound would have the same result.
                    let reason = Reason::Undecided("CBMC was asked about all runs and gave no answer".to_owned());
                    board.leave_unless_told(&board.open_to(about), &reason);
                    return;
                }
                bounds.next();
            }
            Err(why) => {
                if tuning == Tuning::Plain && why.may_be_tuned && clock::now() < deadline {
                    tuning = Tuning::Functions;
                    continue;
                }
                let reason = match reached {
                    0 => why.reason,
                    iterations => Reason::Unwound { iterations, then: Some(Box::new(why.reason)) },
                };
                board.leave_unless_told(&open, &reason);
                return;
            }
        }
    }
    let then = bounds.peek().map(|_| Box::new(Reason::Time(Late::Share)));
    board.leave_unless_told(&board.open_to(about), &out_of_time(reached, then));
}

/// Why an obligation is open after this number of unwindings did not suffice and no larger one was
/// tried.
fn out_of_time(iterations: u32, then: Option<Box<Reason>>) -> Reason {
    match iterations {
        0 => Reason::Time(Late::Share),
        _ => Reason::Unwound { iterations, then },
    }
}

/// Finds a loop that every run reaches and that only a failure ends. It is in the outermost block
/// of the entry, its condition is a constant, and no statement leaves it. The program has no
/// assumptions and no calls that end the run.
fn endless(program: &Program) -> Option<Location> {
    fn first(block: &[Stmt]) -> Option<&Stmt> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Loop(l) if l.condition.as_int().is_some_and(|n| n != 0) => return Some(stmt),
                StmtKind::Block(inner) => {
                    if let Some(found) = first(inner) {
                        return Some(found);
                    }
                }
                // A jump may skip what comes after this statement.
                StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Stop => return None,
                _ => {}
            }
        }
        None
    }
    let found = first(program.function(program.entry).body.as_ref()?)?;
    let mut leaves = false;
    each_stmt(std::slice::from_ref(found), &mut |s| {
        leaves |= matches!(s.kind, StmtKind::Break | StmtKind::Goto(_) | StmtKind::Return(_));
    });
    program.each_stmt(|s| leaves |= matches!(s.kind, StmtKind::Stop | StmtKind::Assume(_)));
    (!leaves).then_some(found.location)
}
