//! The stage `shrink`: a few iterations of a loop in the place of all of them, where that is sound.

use super::Silent;
use super::board::Board;
use super::query::{Checker, Reduced, Refusal};
use super::trial;
use crate::cbmc::{ModelChecker, Purpose, Tuning, Undefined};
use crate::program::{AssertionId, Obligation, ObligationKey, Program};
use crate::reduce::accelerate;
use crate::reduce::normal::{Normal, nest, normalise};
use crate::reduce::shrink::{self, Form, Written};
use crate::verdict::Verdict;
use std::time::{Duration, Instant};

/// The largest number of iterations that is tried in the place of all (Kumar 2019, 8.1: most loops need 1 or 2).
const MOST: usize = 5;
/// Less time than this is not worth a query.
const LEAST: Duration = Duration::from_millis(50);

pub(super) fn run(program: &Program, checker: &mut Checker<'_>, deadline: Instant, board: &mut Board<'_>) {
    let open = board.open();
    for (n, obligation) in open.iter().enumerate() {
        let ObligationKey::Assertion(assertion) = obligation.key else {
            board.leave(obligation.key, "only assertions are looked at");
            continue;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left < LEAST {
            board.leave_unless_told(&open, "its share of the time limit was over");
            return;
        }
        let share = Instant::now() + left / u32::try_from(open.len() - n).unwrap_or(1);
        match decide(program, obligation, assertion, checker, share, board) {
            Ok(detail) => board.decide(obligation.key, Verdict::Proved, detail, None),
            Err(reason) => board.leave(obligation.key, reason),
        }
    }
}

/// What runs may take that look for one that comes to an assertion.
const TRIAL_TIME: Duration = Duration::from_millis(300);

/// Decides what needs no iteration at all: assertions that the closed forms of the program's values prove.
pub(super) fn without_iterations(program: &Program, deadline: Instant, board: &mut Board<'_>) {
    for obligation in board.open() {
        let ObligationKey::Assertion(assertion) = obligation.key else { continue };
        if deadline.saturating_duration_since(Instant::now()) < LEAST {
            return;
        }
        board.working("closed forms");
        match nest(program, assertion).and_then(|nest| accelerate::prove(&nest)) {
            Ok(()) if trial::comes_to(program, assertion, deadline, TRIAL_TIME) => {
                board.decide(obligation.key, Verdict::Proved, "k=0, by closed forms", None);
            }
            Ok(()) => board.leave(obligation.key, "closed forms prove it, but no run was found that comes to it"),
            Err(why) => log::info!("{}: {}", obligation.id, why.describe(program)),
        }
    }
}

/// What proves an assertion, or why nothing does.
fn decide(
    program: &Program,
    obligation: &Obligation,
    assertion: AssertionId,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<String, String> {
    let proofs = search(program, obligation, assertion, checker, deadline, board)?;
    if !proofs.iter().any(|p| p.reached) {
        return Err("no run comes to the assertion that is free of undefined behaviour".to_owned());
    }
    Ok(format!("k={}", proofs.iter().map(|p| p.k).max().unwrap_or(0)))
}

/// Why an assertion holds at one of the places where it stands.
pub struct Shrinking {
    /// The loop and the property.
    pub form: Form,
    /// How many iterations stand for all.
    pub k: usize,
    /// Whether some run of the reduced program comes to the assertion.
    pub reached: bool,
}

/// A proof for each place where the assertion stands.
fn search(
    program: &Program,
    obligation: &Obligation,
    assertion: AssertionId,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Vec<Shrinking>, String> {
    let normal = normalise(program, assertion).map_err(|why| why.describe(program))?;
    let instances = normal.instances(assertion);
    if instances.is_empty() {
        return Err("no statement that is left comes to the assertion".to_owned());
    }
    let prove = |i| prove(program, i, obligation, assertion, checker, deadline, board);
    instances.iter().map(prove).collect()
}

/// Shrinks the loops of a program for one of its assertions.
///
/// # Errors
/// Why that proves nothing.
pub fn shrinkings(
    program: &Program,
    obligation: &Obligation,
    model: &dyn ModelChecker,
    deadline: Instant,
) -> Result<Vec<Shrinking>, String> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err("loops are shrunk for assertions only".to_owned());
    };
    let mut board = Board::new(vec![obligation.clone()], &Silent);
    let mut checker = Checker::new(program, Ok(model));
    search(program, obligation, assertion, &mut checker, deadline, &mut board)
}

/// Whether the assertion of a program that shrinking has written holds.
///
/// # Errors
/// Why the model checker does not say.
pub fn written_holds(
    written: &Written,
    obligation: &Obligation,
    model: &dyn ModelChecker,
    deadline: Instant,
) -> Result<bool, String> {
    let mut board = Board::new(vec![obligation.clone()], &Silent);
    let mut checker = Checker::new(&written.program, Ok(model));
    holds(written, obligation, &mut checker, deadline, &mut board).map_err(|why| why.reason)
}

fn prove(
    program: &Program,
    normal: &Normal,
    obligation: &Obligation,
    assertion: AssertionId,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Shrinking, String> {
    let forms = shrink::forms(normal, assertion).map_err(|why| why.describe(program))?;
    let mut reason = None;
    for form in &forms {
        match shrunk(program, form, obligation, assertion, checker, deadline, board) {
            Ok(proof) => return Ok(proof),
            Err(why) => {
                reason.get_or_insert(why);
            }
        }
        if deadline.saturating_duration_since(Instant::now()) < LEAST {
            break;
        }
    }
    Err(reason.unwrap_or_else(|| "its share of the time limit was over".to_owned()))
}

fn shrunk(
    program: &Program,
    form: &Form,
    obligation: &Obligation,
    assertion: AssertionId,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Shrinking, String> {
    let mut reason = format!("no k up to {MOST} makes the loop shrinkable and its residuals hold");
    for k in 1..=MOST {
        board.working(&format!("{k} iterations, the property {}", form.property));
        let mut ask = |written: Result<Written, crate::reduce::Refusal>, board: &mut Board<'_>| {
            let written = written.map_err(|why| why.describe(program))?;
            holds(&written, obligation, checker, deadline, board).map_err(|why| why.reason)
        };
        // The residuals first: where one fails, that the loop is shrinkable says nothing.
        if !ask(form.residual(assertion, k), board)? {
            reason = format!("the residual of some {k} iterations violates the property");
            continue;
        }
        if ask(form.shrinkability(assertion, k), board)? {
            let reached = !ask(form.reach(assertion, k), board)?;
            return Ok(Shrinking { form: form.clone(), k, reached });
        }
        reason = format!("the loop is not known to be shrinkable to {k} iterations");
    }
    Err(reason)
}

/// Whether the assertion of a program without loops holds.
fn holds(
    written: &Written,
    obligation: &Obligation,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<bool, Refusal> {
    let reduced = Reduced {
        program: &written.program,
        obligations: std::slice::from_ref(obligation),
        purpose: Purpose::Decide,
        undefined: Undefined::Sets(written.dead),
        unwind: 2,
        tuning: Tuning::Plain,
    };
    let judged = checker.judge(&reduced, deadline, board)?;
    if judged.fails.contains_key(&obligation.key) {
        return Ok(false);
    }
    if judged.holds.contains(&obligation.key) {
        return Ok(true);
    }
    let reason = judged.obstacles.into_iter().next().unwrap_or_else(|| "CBMC did not answer".to_owned());
    Err(Refusal { reason, may_be_tuned: false })
}
