//! The stage `run`: a program that takes nothing from outside has one run, which says everything.
//!
//! The interpreter follows the run. Where its text alone determines it ([`Run::determined`]: no
//! input, no indeterminate value, no unknown code, no dependence on addresses), every run of the
//! program is this one. If it ends without undefined behaviour and without a failed assertion,
//! every check that it came to held each time, and what it did not come to is unreachable: both
//! hold of all runs, because there is no other. A run that fails refutes what it fails at.
//!
//! Where it fails because signed arithmetic overflows, it is followed once more as most compilers
//! have it, with results that wrap around. What holds each time in that longer run, and what it
//! does not come to, is decided too: no run fails there first, for the only one has ended before,
//! and nobody who has wrapping arithmetic is misled. From any other failure nothing else is
//! concluded.
//!
//! The same is concluded where the source itself ends the run by an assumption
//! (`__VERIFIER_assume(0)`). What the run came to before held, what the condition needs included;
//! of what comes after, no run counts. An assumption that the report lists, such as that memory is
//! never used up, ends a run too: nothing is concluded then, for a proof would rest on there being
//! no run at all.
//!
//! It is tried with a small number of steps first, then with more: a program with inputs shows
//! them soon, and costs little.

use super::board::Board;
use super::replay::judge;
use super::trial::{self, Choice, Chosen};
use crate::interpreter::{self, Limit, Limits, Observer, Outcome, Run, State};
use crate::program::{ASSUMING, AssertionId, Location, ObligationKey, ObligationKind, Program, SiteId, Stmt, StmtKind};
use crate::verdict::{Answer, Reason};
use std::collections::BTreeSet;
use std::time::Instant;

/// The steps of the first attempt, and how much longer each next one is.
const FIRST_STEPS: u64 = 1_000_000;
const GROWTH: u64 = 16;
/// The values that no one asks for.
const ONLY: Choice = Choice::Always(0);
/// Limits on the run beside steps and time.
const LIMITS: Limits =
    Limits { steps: u64::MAX, cells: 1 << 26, depth: 10_000, deadline: None, alone: true, wraps: false };

/// What is known of the runs of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Runs {
    /// There may be several, or the only one was not followed to its end.
    Several,
    /// There is one. It fails, and no other stage can find a failure.
    OneFails,
    /// There is one, and nothing else can be found out about it.
    Known,
}

/// Follows the only run of the program. Of one with several it says nothing.
pub(super) fn run(program: &Program, deadline: Instant, board: &mut Board<'_>) -> Runs {
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
    // (`Limits::alone` ends such a run before its next statement. What its last one takes from
    // outside, as `return a[x];` may, is seen here alone.)
    if !run.determined {
        return Runs::Several;
    }
    match run.outcome {
        Outcome::Finished | Outcome::Stopped => conclude(&visited, "the only run does not come here", board),
        Outcome::AssumptionFailed if run.last.is_some_and(|(site, at)| is_of_the_source(program, site, at)) => {
            conclude(&visited, "the only run ends at an assumption before it comes here", board)
        }
        Outcome::AssertionFailed(_) | Outcome::Undefined { .. } => failed(program, &run, deadline, board),
        _ => {
            if let Err(why) = judge(&run, |key| board.is_open(key)) {
                board.leave_unless_told(&board.open(), &Reason::Unconfirmed { only: true, why });
            }
            Runs::Several
        }
    }
}

/// Everything is decided by what the only run has come to.
fn conclude(visited: &Visited, elsewhere: &str, board: &mut Board<'_>) -> Runs {
    for o in board.open() {
        let answer = match visited.contains(o.key) {
            true => Answer::Proved("holds in the only run".to_owned()),
            false => Answer::Unreachable(elsewhere.to_owned()),
        };
        board.answer(o.key, answer);
    }
    Runs::Known
}

/// What follows from the only run, which fails.
fn failed(program: &Program, run: &Run, deadline: Instant, board: &mut Board<'_>) -> Runs {
    // Followed once more, by who notes its way.
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
    board.leave_unless_told(&board.open(), &reason);
    Runs::OneFails
}

/// Follows the only run beyond its first overflow, which stands at that place; whether it came to
/// an end. What wraps around somewhere stays open.
fn beyond(program: &Program, overflow: Location, deadline: Instant, board: &mut Board<'_>) -> bool {
    let limits = Limits { deadline: Some(deadline), wraps: true, ..LIMITS };
    let mut visited = Visited::new(program);
    let run = interpreter::run(program, &mut Chosen::new(program, ONLY, &[]), &mut visited, &limits);
    let ended = matches!(run.outcome, Outcome::Finished | Outcome::Stopped);
    // An operation that is not known by its place is not told from the others.
    if !ended || !run.determined || !run.wrapped.contains(&overflow) {
        return false;
    }
    for o in board.open() {
        board.answer(
            o.key,
            match visited.contains(o.key) {
                true if o.kind == ObligationKind::Overflow && run.wrapped.contains(&o.location) => {
                    Answer::Open(Reason::Undefined)
                }
                true => Answer::Proved("holds in the only run, also where it goes on after its overflow".to_owned()),
                false => Answer::Unreachable("the only run does not come here, though it overflows".to_owned()),
            },
        );
    }
    true
}

/// Whether an assumption is one of the source, which calls a function for it, by its name: not one
/// of ours, nor an annotation's. (One that a macro makes is not recognised.)
fn is_of_the_source(program: &Program, site: SiteId, at: Location) -> bool {
    let mut assumes = false;
    program.each_stmt(|s| assumes |= s.site == site && matches!(s.kind, StmtKind::Assume(_)));
    assumes && ASSUMING.contains(&program.sources.word(at))
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
