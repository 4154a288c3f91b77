//! The stage `prune`: programs whose loops run only their first iterations, where that decides the assertion (Kumar 2019, chapter 9).

use super::board::Board;
use super::query::{Checker, Judged, Reduced};
use crate::cbmc::{Purpose, Tuning, Undefined};
use crate::program::{Obligation, ObligationKey, Program};
use crate::reduce::normal::normalise;
use crate::reduce::prune::{Pruned, prune};
use crate::verdict::Verdict;
use std::time::{Duration, Instant};

/// Less time than this is not worth a query.
const LEAST: Duration = Duration::from_millis(50);

pub(super) fn run(program: &Program, checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
    let open = board.open();
    for (n, obligation) in open.iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left < LEAST {
            board.leave_unless_told(&open[n..], "its share of the time limit was too short for a query");
            return;
        }
        // What one of them does not use is there for the others.
        let share = left / u32::try_from(open.len() - n).unwrap_or(u32::MAX);
        let until = Instant::now() + share.max(LEAST);
        match decide(program, obligation, checker, until, board) {
            Ok(detail) => board.decide(obligation.key, Verdict::Proved, detail, None),
            Err(reason) => board.leave(obligation.key, reason),
        }
    }
}

/// Why the obligation holds, or why that was not found out.
fn decide(
    program: &Program,
    obligation: &Obligation,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<String, String> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err("loops are pruned for assertions only".to_owned());
    };
    if checker.uncalled.contains(obligation.key) {
        return Err("nothing calls its function".to_owned());
    }
    let refused = |why: crate::reduce::Refusal| format!("it does not apply, because {}", why.describe(program));
    let normal = normalise(program, assertion).map_err(refused)?;
    let Pruned { program: pruned, unwinding, explanation } = prune(&normal, assertion).map_err(refused)?;
    board.working(&format!("Γ = {}", explanation.gamma));
    let mut ask = |purpose| -> Result<Judged, String> {
        let reduced = Reduced {
            program: &pruned,
            obligations: std::slice::from_ref(obligation),
            purpose,
            undefined: Undefined::Wraps,
            unwind: unwinding,
            tuning: Tuning::Plain,
        };
        checker.judge(&reduced, deadline, board).map_err(|why| why.reason)
    };
    let judged = ask(Purpose::Decide)?;
    if let Some(obstacle) = judged.obstacles.first() {
        return Err(format!("of the pruned program nothing is known, because {obstacle}"));
    }
    if !judged.holds.contains(&obligation.key) {
        // It has runs that stand for none of the program.
        return Err(format!("the pruned program ({}) fails, which shows nothing", explanation.summary()));
    }
    let reached = ask(Purpose::Reach { defined: false })?;
    if !reached.fails.contains_key(&obligation.key) {
        return Err("no run of the pruned program comes to it".to_owned());
    }
    Ok(format!("{}, complete at unwinding {unwinding}", explanation.summary()))
}
