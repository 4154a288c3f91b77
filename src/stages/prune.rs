//! The stage `prune`: lets loops run only their first iterations, if those decide the assertion
//! (Kumar 2019, chapter 9).

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::query::{Checker, Judged, Question};
use crate::cbmc::{Purpose, Undefined};
use crate::program::{AssertionId, Obligation};
use crate::reduce::normal::Inlined;
use crate::reduce::prune::{Pruned, prune};
use crate::verdict::{NoArrival, Reason};
use std::time::Instant;

pub(super) fn run(
    inlined: &Inlined,
    checker: &mut Checker<'_>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    board.each_assertion(deadline, |obligation, assertion, until, board| {
        let proof = decide(inlined, obligation, assertion, checker, until, board)?;
        arrivals.vouch(obligation.key, Need::NoDoubt, until)?;
        Ok(proof)
    });
}

/// Returns what proves the assertion, or why nothing does.
fn decide(
    inlined: &Inlined,
    obligation: &Obligation,
    assertion: AssertionId,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<String, Reason> {
    if checker.uncalled.contains(obligation.key) {
        return Err(Reason::Uncalled);
    }
    let normal = inlined.normalise(assertion)?;
    let Pruned { program: pruned, unwinding, explanation } = prune(&normal, assertion)?;
    board.working(&format!("Γ = {}", explanation.gamma));
    let obligations = std::slice::from_ref(obligation);
    let question = Question { undefined: Undefined::Wraps, ..Question::of_all_runs(&pruned, obligations, unwinding) };
    let mut ask = |question: &Question<'_>| -> Result<Judged, Reason> {
        checker.judge(question, deadline, board).map_err(|why| why.reason)
    };
    let judged = ask(&question)?;
    if let Some(obstacle) = judged.obstacles.first() {
        return Err(Reason::Obstacle(obstacle.clone()));
    }
    if !judged.holds.contains(&obligation.key) {
        // Some runs of the reduced program correspond to no run of the program.
        let summary = explanation.summary();
        return Err(Reason::Undecided(format!("the pruned program ({summary}) fails, which decides nothing")));
    }
    let reached = ask(&Question { purpose: Purpose::Reach { defined: false }, ..question })?;
    if !reached.fails.contains_key(&obligation.key) {
        return Err(Reason::NoArrival(NoArrival::Reduced));
    }
    Ok(format!("{}, complete at unwinding {unwinding}", explanation.summary()))
}
