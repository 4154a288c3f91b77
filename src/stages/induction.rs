//! The stage `induction`: proves assertions and checks of operations by loop invariants, those in
//! the source and others that it finds.
//!
//! The proof is about runs without undefined behaviour that have passed every assertion before. So
//! that of an assertion needs a run that arrives, unless every operation of the program is known to
//! be defined. That of a check says that no run meets undefined behaviour there first.

use super::arrivals::Arrivals;
use super::board::Board;
use super::trial::failing_checks;
use crate::clock;
use crate::deduce::{Conditions, Decision, Nearest, Rests, Undecided, with_claims};
use crate::inline::inline;
use crate::program::{AssertionId, Obligation, ObligationKey, Program, StmtKind, each_stmt};
use crate::reduce::normal::Inlined;
use crate::smt::Solver;
use crate::verdict::{FoundInvariant, Late, NearestInvariant, Reason, Tool};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The share of the time that the search for invariants may take.
const SHARE_OF_INVARIANTS: f64 = 0.7;

/// The most statements, with calls inlined, of a program without annotations that the stage looks
/// at.
const MOST_STATEMENTS: usize = 1000;

/// The time that it may take to find out which invariants one proof rests on.
const INVARIANTS_TIME: Duration = Duration::from_millis(500);

/// The time that it may take to find out what came nearest to one proof.
const NEAREST_TIME: Duration = Duration::from_secs(2);

/// Whether the source of a program says what holds at some places.
pub(super) fn is_annotated(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| found |= matches!(s.kind, StmtKind::Claim(_)));
    found
}

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    solver: &Result<&dyn Solver, String>,
    explains: bool,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let (assertions, operations) = board.open_by_kind();
    let is_small = || {
        let mut count = 0;
        inlined.parts().is_ok_and(|(_, body)| {
            each_stmt(body, &mut |_| count += 1);
            count <= MOST_STATEMENTS
        })
    };
    let is_asked = is_annotated(program) || !operations.is_empty() && is_small();
    if !is_asked || assertions.is_empty() && operations.is_empty() {
        // The other stages can do all that could be done here.
        return;
    }
    board.working("what the loop invariants imply");
    let wanted: BTreeSet<ObligationKey> = operations.iter().map(|o| o.key).collect();
    let claimed = (!wanted.is_empty()).then(|| with_claims(&inline(program), &wanted));
    let resolved = claimed.as_ref().map(|claimed| Inlined::new(&claimed.program));
    let conditions = Conditions::of(resolved.as_ref().unwrap_or(inlined), &mut failing_checks);
    if let (Ok(conditions), Ok(solver)) = (&conditions, solver) {
        // All obligations rest on these invariants, so not only the first one pays for them.
        let now = clock::now();
        conditions.settle(*solver, now + deadline.saturating_duration_since(now).mul_f64(SHARE_OF_INVARIANTS));
    }
    let decide = |assertion: AssertionId, until: Instant| {
        let conditions = conditions.as_ref().map_err(|why| Reason::from(why.clone()))?;
        let solver = solver.as_ref().map_err(|missing| Reason::Missing(missing.clone()))?;
        match conditions.decide(assertion, *solver, until) {
            Decision::Proved => Ok("by loop invariants and a solver".to_owned()),
            Decision::Open(Undecided::Failed(failure)) => Err(Reason::of_failure(Tool::Solver, &failure)),
            Decision::Open(Undecided::Late) => Err(Reason::Time(Late::Share)),
            Decision::Open(why) => Err(Reason::Undecided(why.to_string())),
        }
    };
    let (mut proved, mut unshown): (Vec<_>, Vec<_>) = Default::default();
    let all: Vec<Obligation> = assertions.into_iter().chain(operations).collect();
    board.each(&all, deadline, |obligation, until, _| {
        let claim = match obligation.key {
            ObligationKey::Assertion(id) => Some(id),
            key @ ObligationKey::Check(..) => claimed.as_ref().and_then(|c| c.checks.get(&key)).copied(),
        };
        let no_formula = || Reason::Undecided("no formula says what it needs".to_owned());
        let claim = claim.ok_or_else(no_formula)?;
        let detail = decide(claim, until).inspect_err(|_| unshown.push((obligation.key, claim)))?;
        if matches!(obligation.key, ObligationKey::Assertion(_)) {
            super::summary::confirm(program, arrivals, obligation.key, deadline)?;
        }
        proved.push((obligation.key, claim));
        Ok(detail)
    });
    let (Ok(conditions), Ok(solver)) = (&conditions, solver) else { return };
    if explains {
        for (key, claim) in unshown {
            let nearest = conditions.nearest(claim, *solver, deadline.min(clock::now() + NEAREST_TIME));
            if let Some(Nearest { formula, at, at_the_start, values }) = nearest {
                let invariant = FoundInvariant { location: at, text: formula };
                board.lacks(key, NearestInvariant { invariant, at_the_start, values });
            }
        }
    }
    if proved.is_empty() {
        return;
    }
    board.working("which loop invariants the proofs rest on");
    let mut rests = Rests::default();
    for (key, claim) in proved {
        let found = conditions.rests_on(claim, &mut rests, *solver, deadline.min(clock::now() + INVARIANTS_TIME));
        let found = found.into_iter().map(|(location, text)| FoundInvariant { location, text });
        board.rests_on(key, found.collect());
    }
}
