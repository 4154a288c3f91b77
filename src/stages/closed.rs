//! The stage `run`: a program that takes no input has only one run, and that run decides every
//! obligation.
//!
//! The interpreter follows the run. If the text of the program alone determines the run
//! ([`Run::determined`]: no input, no indeterminate value, no unknown code, no dependence on
//! addresses), the program has no other run. If the run ends without undefined behaviour and
//! without a failed assertion, every check that it reached held each time, and a check that it did
//! not reach is unreachable. This is true of all runs, because there is no other. A run that fails
//! refutes the obligation at which it fails.
//!
//! If the run fails because signed arithmetic overflows, the interpreter follows it once more with
//! results that wrap around, as most compilers compute them. An obligation that holds each time in
//! this longer run, or that the run does not reach, is decided, too. No run fails there first,
//! since the only run has ended earlier, and the answer is also right for wrapping arithmetic. Any
//! other failure decides nothing else.
//!
//! The same holds if the source itself ends the run by an assumption (`__VERIFIER_assume(0)`).
//! Every obligation that the run reached before held, including those within the condition; no run
//! reaches what comes after. An assumption that the report lists, such as that memory never runs
//! out, can end a run, too. Then nothing is concluded: a proof would rest on there being no run at
//! all.
//!
//! The stage tries a small number of steps first, then more. A program with inputs takes one soon,
//! so the stage costs little for it.

use super::board::Board;
use super::replay::judge;
use super::trial::{self, Choice, Chosen};
use crate::interpreter::{self, Limit, Limits, Observer, Outcome, Run, State};
use crate::program::{
    ASSUMING, AssertionId, Location, Obligation, ObligationKey, ObligationKind, Program, SiteId, Stmt, StmtKind,
};
use crate::verdict::{Answer, Reason};
use std::collections::BTreeSet;
use std::time::Instant;

/// The number of steps of the first attempt, and the factor by which each next one is longer.
const FIRST_STEPS: u64 = 1_000_000;
const GROWTH: u64 = 16;
/// The inputs for the run. If it is the only one, it asks for none.
const ONLY: Choice = Choice::Always(0);
/// Limits on the run beside steps and time.
const LIMITS: Limits = Limits { steps: u64::MAX, cells: 1 << 26, depth: 10_000, alone: true, ..Limits::NONE };

/// The number of runs of a program, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Runs {
    /// There may be several, or the only one was not followed to its end.
    Several,
    /// There is one run. It fails, and no other stage can find a failure.
    OneFails,
    /// There is one run, and it has decided all that it can decide.
    Known,
}

/// Follows the only run of the program. Says nothing about a program with several runs.
/// `notes_blocks`: blocks that it does not free are noted.
pub(super) fn run(program: &Program, notes_blocks: bool, deadline: Instant, board: &mut Board<'_>) -> Runs {
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
    if run.read_unset && board.asks_about_reads() {
        let limits = Limits { steps: run.steps, unset_ends: true, ..LIMITS };
        trial::refute(program, ONLY, &[], &limits, "the only run fails", board);
    }
    // A program with several runs is left to the other stages. (`Limits::alone` ends such a run
    // before its next statement. If its last statement takes a value from outside, as `return
    // a[x];` may, only this test notices it.)
    if !run.determined {
        return Runs::Several;
    }
    if notes_blocks {
        board.note_unfreed(program, &run.left, "are not freed when the only run ends");
    }
    match run.outcome {
        Outcome::Finished | Outcome::Stopped => {
            conclude(&run, &visited, "the only run does not reach this point", board)
        }
        Outcome::AssumptionFailed if run.last.is_some_and(|(site, at)| is_of_the_source(program, site, at)) => {
            conclude(&run, &visited, "the only run ends at an assumption before it reaches this point", board)
        }
        Outcome::AssertionFailed(_) | Outcome::Undefined { .. } => failed(program, &run, deadline, board),
        _ => {
            if let Err(why) = judge(&run, |key| board.is_open(key)) {
                board.leave_unless_told(&board.all_open(), &Reason::Unconfirmed { only: true, why });
            }
            Runs::Several
        }
    }
}

/// The open obligations that the only run decides: not those about reads, if it has read what
/// nothing had written.
fn decidable(run: &Run, board: &Board<'_>) -> Vec<Obligation> {
    let mut open = board.all_open();
    open.retain(|o| !run.read_unset || o.kind != ObligationKind::Initialised);
    open
}

/// Decides every obligation by whether the only run has reached it.
fn conclude(run: &Run, visited: &Visited, elsewhere: &str, board: &mut Board<'_>) -> Runs {
    for o in decidable(run, board) {
        let answer = match visited.contains(o.key) {
            true => Answer::Proved("holds in the only run".to_owned()),
            false => Answer::Unreachable(elsewhere.to_owned()),
        };
        board.answer(o.key, answer);
    }
    Runs::Known
}

/// Decides what follows from the only run, which fails.
fn failed(program: &Program, run: &Run, deadline: Instant, board: &mut Board<'_>) -> Runs {
    // The run is followed once more, and this time its path is recorded.
    let limits = Limits { steps: run.steps, ..LIMITS };
    let refuted = trial::refute(program, ONLY, &[], &limits, "the only run fails", board).refuted;
    if let Outcome::Undefined { kind: ObligationKind::Overflow, location, .. } = run.outcome
        && beyond(program, location, deadline, board)
    {
        return Runs::Known;
    }
    let reason = match refuted {
        Ok(()) => Reason::FailsElsewhere,
        Err(why) => Reason::Unconfirmed { only: true, why },
    };
    board.leave_unless_told(&board.all_open(), &reason);
    Runs::OneFails
}

/// Follows the only run beyond its first overflow, which is at this place. Returns whether the run
/// ended. An operation that wraps around somewhere stays open.
fn beyond(program: &Program, overflow: Location, deadline: Instant, board: &mut Board<'_>) -> bool {
    let limits = Limits { deadline: Some(deadline), wraps: true, ..LIMITS };
    let mut visited = Visited::new(program);
    let run = interpreter::run(program, &mut Chosen::new(program, ONLY, &[]), &mut visited, &limits);
    let ended = matches!(run.outcome, Outcome::Finished | Outcome::Stopped);
    // An operation whose place is unknown cannot be distinguished from the others.
    if !ended || !run.determined || !run.wrapped.contains(&overflow) {
        return false;
    }
    for o in decidable(&run, board) {
        board.answer(
            o.key,
            match visited.contains(o.key) {
                true if o.kind == ObligationKind::Overflow && run.wrapped.contains(&o.location) => {
                    Answer::Open(Reason::Undefined)
                }
                true => {
                    Answer::Proved("holds in the only run, even if that run continues after its overflow".to_owned())
                }
                false => Answer::Unreachable(
                    "the only run does not reach this point, even if it continues after its overflow".to_owned(),
                ),
            },
        );
    }
    true
}

/// Whether an assumption is written in the source as a call of a function with such a name.
/// Assumptions that smalti adds or that come from annotations are not. (A call inside a macro is
/// not recognised.)
fn is_of_the_source(program: &Program, site: SiteId, at: Location) -> bool {
    let mut assumes = false;
    program.each_stmt(|s| assumes |= s.site == site && matches!(s.kind, StmtKind::Assume(_)));
    assumes && ASSUMING.contains(&program.sources.word(at))
}

/// The statements that a run has reached, and the assertions that they make.
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
