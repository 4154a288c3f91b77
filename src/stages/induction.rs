//! The stage `induction`: proves assertions by loop invariants, those in the source and others that
//! it finds.
//!
//! The proof is about runs without undefined behaviour that have passed every assertion before. So
//! it needs a run that arrives, unless every operation of the program is known to be defined.

use super::arrivals::Arrivals;
use super::board::Board;
use super::trial::failing_checks;
use crate::clock;
use crate::deduce::{Conditions, Decision, Undecided};
use crate::program::{AssertionId, ObligationKey, Program, StmtKind};
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::smt::Solver;
use crate::verdict::{FoundInvariant, Late, Reason, Tool};
use std::cell::LazyCell;
use std::time::{Duration, Instant};

/// The share of the time that the search for invariants may take.
const SHARE_OF_INVARIANTS: f64 = 0.5;

/// The time that it may take to find out which invariants one proof rests on.
const INVARIANTS_TIME: Duration = Duration::from_millis(500);

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    solver: &Result<&dyn Solver, String>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let mut has_claims = false;
    program.each_stmt(|s| has_claims |= matches!(s.kind, StmtKind::Claim(_)));
    if !has_claims {
        // The other stages can do all that could be done here.
        return;
    }
    let conditions = LazyCell::new(|| {
        let conditions = Conditions::of(inlined, &mut failing_checks)?;
        if let Ok(solver) = solver {
            // All assertions rest on these invariants, so not only the first one pays for them.
            let now = clock::now();
            conditions.settle(*solver, now + deadline.saturating_duration_since(now).mul_f64(SHARE_OF_INVARIANTS));
        }
        Ok(conditions)
    });
    if !board.open_by_kind().0.is_empty() {
        LazyCell::force(&conditions);
    }
    let mut proved: Vec<(ObligationKey, AssertionId)> = Vec::new();
    board.each_assertion(deadline, |obligation, assertion, until, board| {
        board.working("what the loop invariants imply");
        let conditions = conditions.as_ref().map_err(|why: &Refusal| Reason::from(why.clone()))?;
        let solver = solver.as_ref().map_err(|missing| Reason::Missing(missing.clone()))?;
        match conditions.decide(assertion, *solver, until) {
            Decision::Proved => {}
            Decision::Open(Undecided::Failed(failure)) => return Err(Reason::of_failure(Tool::Solver, &failure)),
            Decision::Open(Undecided::Late) => return Err(Reason::Time(Late::Share)),
            Decision::Open(why) => return Err(Reason::Undecided(why.to_string())),
        }
        super::summary::confirm(program, arrivals, obligation.key, deadline)?;
        proved.push((obligation.key, assertion));
        Ok("by loop invariants and a solver".to_owned())
    });
    if proved.is_empty() {
        return;
    }
    let (Ok(conditions), Ok(solver)) = (&*conditions, solver) else { return };
    board.working("which loop invariants the proofs rest on");
    for (key, assertion) in proved {
        let found = conditions.rests_on(assertion, *solver, deadline.min(clock::now() + INVARIANTS_TIME));
        let found = found.into_iter().map(|(location, text)| FoundInvariant { location, text });
        board.rests_on(key, found.collect());
    }
}
