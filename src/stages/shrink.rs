//! The stage `shrink`: replaces all iterations of a loop by a few, if that is sound.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use super::complete::completed;
use super::config::LEAST;
use super::progress::Silent;
use super::query::{Checker, Judged, Question, Refusal, no_answer};
use super::replay::{self, Replayed};
use crate::analysis::{self, AnalysisConfig};
use crate::cbmc::{ModelChecker, Tuning, Undefined};
use crate::clock;
use crate::program::{AssertionId, Obligation, ObligationKey, Program, Type};
use crate::reduce;
use crate::reduce::normal::Inlined;
use crate::reduce::shrink::{self, Form, Goal, Subgoal, Written};
use crate::verdict::{Answer, Late, NoArrival, Reason};
use std::time::{Duration, Instant};

/// The largest number of iterations that is tried instead of all (Kumar 2019, 8.1: most loops need
/// 1 or 2).
const MOST: usize = 5;
/// The share of a form's time that the domains may use, and the most that they may use.
const DOMAINS_SHARE: f64 = 0.2;
const DOMAINS_TIME: Duration = Duration::from_secs(2);

pub(super) fn run<'p>(
    program: &'p Program,
    inlined: &Inlined,
    checker: &mut Checker<'p>,
    domains: Option<&AnalysisConfig>,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    board.each_assertion(deadline, |obligation, assertion, until, board| {
        let proofs =
            ProofSearch { program, inlined, obligation, assertion, checker, domains, deadline: until, board }.run()?;
        if !proofs.iter().any(|p| p.reached) {
            return Err(Reason::NoArrival(NoArrival::Reduced));
        }
        // A run that arrives after a few iterations may not arrive after all of them.
        arrivals.vouch(obligation.key, Need::NoDoubt, until)?;
        Ok(format!("k={}", proofs.iter().map(|p| p.k).max().unwrap_or(0)))
    });
}

/// Why one copy of an assertion holds.
pub struct Shrinking {
    /// The loop and the property.
    pub form: Form,
    /// The number of iterations that stand for all.
    pub k: usize,
    /// Whether some run of the reduced program reaches the assertion.
    pub reached: bool,
}

/// Shrinks the loops of a program for one of its assertions. With `domains`, it uses what they know
/// of the states in which iterations begin.
///
/// # Errors
/// Why the shrinking proves nothing.
pub fn shrinkings(
    program: &Program,
    obligation: &Obligation,
    model: &dyn ModelChecker,
    domains: Option<&AnalysisConfig>,
    deadline: Instant,
) -> Result<Vec<Shrinking>, Reason> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err(Reason::OnlyAssertions);
    };
    let board = &mut Board::new(vec![obligation.clone()], &Silent);
    let checker = &mut Checker::new(program, Ok(model));
    let inlined = &Inlined::new(program);
    ProofSearch { program, inlined, obligation, assertion, checker, domains, deadline, board }.run()
}

/// Finds out whether the assertion of a program that shrinking has written holds.
///
/// # Errors
/// Why the model checker gives no answer.
pub fn written_holds(
    written: &Written,
    obligation: &Obligation,
    model: &dyn ModelChecker,
    deadline: Instant,
) -> Result<bool, Reason> {
    let mut board = Board::new(vec![obligation.clone()], &Silent);
    let mut checker = Checker::new(&written.program, Ok(model));
    holds(written, obligation, &mut checker, deadline, &mut board).map_err(|why| why.reason)
}

/// The search for a proof of one assertion.
struct ProofSearch<'s, 'p, 'b> {
    program: &'p Program,
    inlined: &'s Inlined,
    obligation: &'s Obligation,
    assertion: AssertionId,
    checker: &'s mut Checker<'p>,
    /// How to ask the domains what holds where iterations begin; `None` if they are not asked.
    domains: Option<&'s AnalysisConfig>,
    deadline: Instant,
    board: &'s mut Board<'b>,
}

impl ProofSearch<'_, '_, '_> {
    /// Finds a proof for each copy of the assertion.
    fn run(&mut self) -> Result<Vec<Shrinking>, Reason> {
        let goals = shrink::goals(self.inlined, self.assertion)?;
        if goals.is_empty() {
            return Err(Reason::Undecided("no remaining statement reaches the assertion".to_owned()));
        }
        let mut proofs = Vec::new();
        for goal in &goals {
            proofs.append(&mut self.goal(goal)?);
        }
        Ok(proofs)
    }

    /// Finds a proof for one copy.
    fn goal(&mut self, goal: &Goal) -> Result<Vec<Shrinking>, Reason> {
        let mut reason = None;
        for plan in &goal.plans {
            match plan.iter().map(|part| self.part(part)).collect() {
                Ok(proofs) => return Ok(proofs),
                Err(why) => {
                    reason.get_or_insert(why);
                }
            }
            if !self.board.is_open(self.obligation.key) {
                break;
            }
        }
        Err(reason.unwrap_or_else(|| Reason::Undecided("there is nothing to shrink".to_owned())))
    }

    /// Finds a proof of a part, in one of its forms.
    fn part(&mut self, part: &Subgoal) -> Result<Shrinking, Reason> {
        let mut reason = None;
        for form in &part.forms {
            match self.form(&self.with_known(form)) {
                Ok(proof) => return Ok(proof),
                Err(why) => {
                    reason.get_or_insert(why);
                }
            }
            if !self.board.is_open(self.obligation.key) {
                break;
            }
            if self.deadline.saturating_duration_since(clock::now()) < LEAST {
                break;
            }
        }
        Err(reason.unwrap_or(Reason::Time(Late::Share)))
    }

    /// Adds to the form what the domains know of the states in which iterations begin.
    fn with_known(&self, form: &Form) -> Form {
        let Some(config) = self.domains else { return form.clone() };
        let now = clock::now();
        let time = self.deadline.saturating_duration_since(now).mul_f64(DOMAINS_SHARE).min(DOMAINS_TIME);
        let config = AnalysisConfig { deadline: Some(now + time), ..config.clone() };
        let (program, head) = form.skipping();
        match analysis::facts_at_loop(&program, head, &config) {
            Ok(Some(facts)) => form.clone().knowing(facts),
            // If nothing is known, nothing is added.
            Ok(None) | Err(_) => form.clone(),
        }
    }

    /// Finds a proof by one form of the loop.
    fn form(&mut self, form: &Form) -> Result<Shrinking, Reason> {
        let mut reason = format!("no k up to {MOST} makes the loop shrinkable and its residuals hold");
        for k in 1..=MOST {
            self.board.working(&format!("{k} iterations, the property {}", form.property));
            // The residuals come first: if one fails, it does not matter that the loop is
            // shrinkable.
            if !self.holds(form.residual(self.assertion, k))? {
                if k == 1 && form.is_independent() && self.really_fails(form) {
                    let words =
                        "the residual of some iteration violates the property, and so does a run of the program";
                    return Err(Reason::Undecided(words.to_owned()));
                }
                reason = format!("the residual of some {k} iterations violates the property");
                continue;
            }
            if self.holds(form.shrinkability(self.assertion, k))? {
                let reached = !self.holds(form.reach(self.assertion, k))?;
                return Ok(Shrinking { form: form.clone(), k, reached });
            }
            reason = format!("the loop is not known to be shrinkable to {k} iterations");
        }
        let place = form.loops.first().map(|l| format!(" ({})", self.program.sources.describe(l.1)));
        Err(Reason::Undecided(format!("{reason}; the property: {}{}", form.property, place.unwrap_or_default())))
    }

    /// If no iteration depends on another, checks whether a failing run of one iteration can be
    /// completed to a failing run of the program. If so, puts that run on the board.
    fn really_fails(&mut self, form: &Form) -> bool {
        let Ok(witness) = form.witness(self.assertion) else { return false };
        let judged = judge(&witness, self.obligation, self.checker, self.deadline, self.board);
        let Ok(judged) = judged else { return false };
        let Some(trace) = judged.fails.get(&self.obligation.key) else { return false };
        let low = form.low.as_int().unwrap_or(0);
        let ways = completed(self.program, &witness.taken, low, &self.inlined.filled(), &judged.emitted, trace);
        for observed in ways {
            let board = &mut *self.board;
            let about = self.obligation.key;
            let replayed =
                replay::replay_observed(self.program, observed, self.deadline, about, |key| board.is_open(key));
            if let Replayed::Fails(failed, counterexample) = replayed {
                let detail = "one iteration fails alone, replayed";
                board.answer(failed, Answer::Violated(detail.to_owned(), counterexample));
                if failed == about {
                    return true;
                }
            }
        }
        false
    }

    fn holds(&mut self, written: Result<Written, reduce::Refusal>) -> Result<bool, Reason> {
        let written = written?;
        holds(&written, self.obligation, self.checker, self.deadline, self.board).map_err(|why| why.reason)
    }
}

/// Whether the assertion of a program without loops holds.
fn holds(
    written: &Written,
    obligation: &Obligation,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<bool, Refusal> {
    answer(&judge(written, obligation, checker, deadline, board)?, obligation)
}

/// Asks CBMC about the assertion of a program without loops.
fn judge(
    written: &Written,
    obligation: &Obligation,
    checker: &mut Checker<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Judged, Refusal> {
    let mut late = None;
    let is_nested = |ty: &Type| matches!(ty, Type::Array(element, _) if matches!(**element, Type::Array(..)));
    let rows = written.program.variables.iter().any(|v| is_nested(&v.ty));
    for (tuning, share) in if rows { TUNINGS_FOR_ROWS } else { TUNINGS } {
        let question = Question {
            undefined: Undefined::Sets(written.dead),
            tuning,
            ..Question::of_all_runs(&written.program, std::slice::from_ref(obligation), 2)
        };
        let left = deadline.saturating_duration_since(clock::now());
        let until = deadline.min(clock::now() + left.mul_f64(share).max(LEAST_OF_A_WAY));
        match checker.judge(&question, until, board) {
            Ok(judged) => return Ok(judged),
            Err(why) if why.may_be_tuned => late = Some(why),
            Err(why) => return Err(why),
        }
    }
    Err(late.unwrap_or_else(|| Refusal::final_one(Reason::Time(Late::Share))))
}

/// The tunings of CBMC, each with the share of the remaining time that it may take. Most queries
/// take a tenth of a second. Occasionally CBMC's solver takes far too long, but solves the same
/// query at once with another tuning.
///
/// A serious attempt with a tuning needs at least [`LEAST_OF_A_WAY`].
const TUNINGS: [(Tuning, f64); 4] =
    [(Tuning::Sliced, 0.2), (Tuning::Plain, 0.2), (Tuning::Functions, 0.4), (Tuning::Sliced, 1.0)];

/// The same for programs with arrays of arrays.
const TUNINGS_FOR_ROWS: [(Tuning, f64); 4] =
    [(Tuning::Functions, 0.4), (Tuning::Sliced, 0.3), (Tuning::Plain, 0.5), (Tuning::Functions, 1.0)];

/// See [`TUNINGS`].
const LEAST_OF_A_WAY: Duration = Duration::from_millis(500);

fn answer(judged: &Judged, obligation: &Obligation) -> Result<bool, Refusal> {
    if judged.fails.contains_key(&obligation.key) {
        return Ok(false);
    }
    if judged.holds.contains(&obligation.key) {
        return Ok(true);
    }
    let obstacle = judged.obstacles.first().cloned();
    Err(Refusal::final_one(obstacle.map_or_else(no_answer, Reason::Obstacle)))
}
