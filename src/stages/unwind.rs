//! The stage `unwind`: the exact program with every loop followed to its end, where a bound is found that suffices.

use super::board::Board;
use super::query::{Ask, Checker, Found};
use super::trial::{self, LONG, PLAIN};
use crate::cbmc::{Sizes, Tuning};
use crate::program::{Obligation, ObligationKey, Program};
use crate::verdict::Verdict;
use std::time::{Duration, Instant};

/// Bounds that competition practice has settled on.
pub(super) const BOUNDS: [u32; 12] = [2, 6, 12, 17, 21, 40, 100, 200, 400, 1025, 2049, 10_001];
/// What concrete runs may use to find out which of them are pointless.
const TRIAL_TIME: Duration = Duration::from_millis(700);
/// Less time than this is not worth a query.
const LEAST: Duration = Duration::from_millis(50);

pub(super) fn run(program: &Program, checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
    for o in board.open().iter().filter(|o| checker.uncalled.contains(o.key)) {
        board.decide(o.key, Verdict::Unreachable, "nothing calls its function", None);
    }
    board.working("a few runs");
    let choices = [&LONG[..], &PLAIN[..]].concat();
    let tests = trial::run(program, &choices, deadline, TRIAL_TIME, board);
    // A run exists that needs that much: no smaller bound can be complete.
    let mut bounds = BOUNDS.into_iter().filter(|&b| u64::from(b) >= tests).peekable();
    if bounds.peek().is_none() {
        let reason = format!("there are runs in which a loop runs {} times or more, too many to follow", tests - 1);
        board.leave_unless_told(&board.open(), &reason);
        return;
    }
    let mut tuning = checker.tuning();
    let mut reached = 0;
    while let Some(&bound) = bounds.peek() {
        let open = board.open();
        if open.is_empty() {
            return;
        }
        if deadline.saturating_duration_since(Instant::now()) < LEAST {
            break;
        }
        board.working(&format!("unwinding {bound}"));
        let ask = Ask { obligations: &open, unwind: bound, unwinding_assertions: true, sizes: Sizes::Any, tuning };
        match checker.ask(&ask, deadline, board) {
            Ok(Found { refuted, holds, complete, obstacles }) => {
                if complete && obstacles.is_empty() {
                    confirm_reached(checker, &open, &holds, &ask, deadline, board);
                }
                reached = bound;
                if refuted > 0 {
                    continue;
                }
                if let Some(obstacle) = obstacles.first() {
                    // No bound would suffice for a proof, and failing runs are what the stage before this one looks for.
                    board.leave_unless_told(&open, &format!("nothing can be proved this way, because {obstacle}"));
                    return;
                }
                if complete {
                    // A larger bound would say the same.
                    board.leave_unless_told(&board.open(), "CBMC was asked about all runs and gave no answer");
                    return;
                }
                bounds.next();
            }
            Err(why) => {
                if tuning == Tuning::Plain && why.may_be_tuned && Instant::now() < deadline {
                    tuning = Tuning::Functions;
                    continue;
                }
                let reason = if reached > 0 {
                    format!("not every loop ends within {reached} unwindings; beyond, {}", why.reason)
                } else {
                    why.reason
                };
                board.leave_unless_told(&open, &reason);
                return;
            }
        }
    }
    let reason = if reached > 0 {
        format!("not every loop ends within {reached} unwindings")
    } else {
        "its share of the time limit was too short for a first query".to_owned()
    };
    board.leave_unless_told(&board.open(), &reason);
}

/// Decides obligations that hold in every run. Where runs come to them, they are proved. Where none does, it matters why:
/// if none would even beyond undefined behaviour, they are unreachable; if only undefined behaviour keeps runs away,
/// the program is broken before it comes there, and nothing is said.
fn confirm_reached(
    checker: &mut Checker<'_>,
    open: &[Obligation],
    holds: &[ObligationKey],
    ask: &Ask<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let bound = ask.unwind;
    let only = |keys: &dyn Fn(&ObligationKey) -> bool| -> Vec<Obligation> {
        open.iter().filter(|o| holds.contains(&o.key) && keys(&o.key)).cloned().collect()
    };
    let unconfirmed = "it holds in every run, but that a run comes here was not found out in time";
    let held = only(&|_| true);
    if held.is_empty() {
        return;
    }
    let Some(reached) = checker.reached(&Ask { obligations: &held, ..*ask }, true, deadline) else {
        held.iter().for_each(|o| board.leave(o.key, unconfirmed));
        return;
    };
    for key in &reached {
        board.decide(*key, Verdict::Proved, format!("complete at unwinding {bound}"), None);
    }
    let rest = only(&|key| !reached.contains(key));
    if rest.is_empty() {
        return;
    }
    let beyond = checker.reached(&Ask { obligations: &rest, ..*ask }, false, deadline);
    for o in &rest {
        match &beyond {
            Some(beyond) if !beyond.contains(&o.key) => {
                board.decide(o.key, Verdict::Unreachable, format!("complete at unwinding {bound}"), None);
            }
            Some(_) => board.leave(o.key, "only runs that have met undefined behaviour before come here"),
            None => board.leave(o.key, unconfirmed),
        }
    }
}
