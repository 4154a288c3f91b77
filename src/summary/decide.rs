//! Decides assertions: by the normal form and facts, then by an SMT solver.
//!
//! **Meaning.** An assertion is proved if in each of its executions the condition follows from what
//! is given there. Everything else is open: a model that the solver finds is none of the program,
//! because folds and searches are constants for it.
//!
//! **Trust.** Nothing is proved before the claim was evaluated at small models
//! ([`super::models`]). If the solver contradicts the claim's negation, it is asked once more
//! without that: facts that contradict each other prove nothing (a sum that must overflow has no
//! value to prove things with). A solver that is missing, crashes, hangs or answers something else
//! costs the answer only.
//!
//! **Limits.** Each question is limited by the solver's own counter, so that answers repeat, and by
//! time. Products are constants in the first question and products in the second one.

use super::models::{Tried, tried};
use super::script::{Encoded, Inexpressible, Products, encode};
use super::{Asserted, Summary};
use crate::clock;
use crate::program::{AssertionId, ObligationKey};
use crate::smt::{self, Answer, Failure, Script, Solver};
use smalti_terms::{Context, Facts, QueryLimits, Term};
use std::fmt;
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// Limit on the time of one question.
const QUESTION: Duration = Duration::from_secs(2);
/// Limit on the work of a solver for one question, in its own units. Z3 takes about a second for
/// it, and some thousand units for most questions.
const RESOURCES: u64 = 4_000_000;
/// The work for terms that the decision of one execution may cost, twice. Where work is counted, a
/// unit of it is a step.
const WORK: u64 = 400_000;
/// The steps that the evaluation of one model costs where work is counted.
const STEPS_PER_MODEL: u64 = 100;
/// The greatest number of parts of a condition that are shown one by one.
const PARTS: usize = 24;
/// The greatest length of a condition in the comment of a kept query, in characters.
const SHOWN: usize = 200;

/// Whether the condition of an assertion or operation holds in all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It holds; what showed it.
    Proved(Prover),
    /// Nothing is known, and why.
    Open(OpenReason),
}

/// What showed that an assertion holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Prover {
    /// The normal form of terms, and linear arithmetic.
    NormalForm,
    /// An SMT solver, for some part of the assertion.
    Solver,
}

/// Why an assertion or operation is open. Shown, it is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OpenReason {
    /// Its condition is false in some small model in which all that is given holds.
    Fails,
    /// What is given contradicts itself.
    Contradiction,
    /// It could not be found out whether what is given contradicts itself.
    PerhapsContradiction,
    /// It is quantified, so its executions are not followed.
    Quantified,
    /// There is no term of what the operation needs: a pointer to objects that are not known.
    NoTerm,
    /// Its function is also called in a way that is not followed: by recursion, by a pointer.
    Unfollowed,
    /// No statement that runs contains it.
    NotExecuted,
    /// The normal form does not show it, and no solver may be asked.
    NoSolver,
    /// The question cannot be put to a solver.
    Inexpressible(Inexpressible),
    /// The solver has a model for the negation.
    Unshown,
    /// The solver does not know: its reason.
    Unknown(String),
    /// The solver gave no answer.
    Failed(Failure),
    /// The time was over.
    Late,
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenReason::Fails => f.write_str("the condition fails for some values of what is unknown"),
            OpenReason::Contradiction => {
                f.write_str("what is known where the condition is tested contradicts itself, and that proves nothing")
            }
            OpenReason::PerhapsContradiction => {
                f.write_str("what is known where the condition is tested may contradict itself")
            }
            OpenReason::Quantified => f.write_str("the assertion cannot be expressed as a C condition"),
            OpenReason::NoTerm => f.write_str("it is not known which objects its pointers point to"),
            OpenReason::Unfollowed => {
                f.write_str("its function is also called in a way that is not followed (recursion, a pointer)")
            }
            OpenReason::NotExecuted => f.write_str("no statement that runs contains it"),
            OpenReason::NoSolver => {
                f.write_str("the exact values alone do not show the condition, and there is no SMT solver")
            }
            OpenReason::Inexpressible(why) => write!(f, "the solver cannot be asked: {why}"),
            OpenReason::Unshown => {
                f.write_str("the condition does not follow from what the solver knows of the exact values")
            }
            OpenReason::Unknown(why) => write!(f, "the solver does not know whether the condition holds ({why})"),
            OpenReason::Failed(why) => write!(f, "the solver {why}"),
            OpenReason::Late => f.write_str("there was no time left for the exact values"),
        }
    }
}

impl Summary {
    /// Whether the assertion holds in every run, as far as the normal form shows it. `false` says
    /// nothing.
    pub fn holds(&self, assertion: AssertionId) -> bool {
        let key = ObligationKey::Assertion(assertion);
        self.is_followed(key).is_ok()
            && self.claim(key).executions.iter().all(|one| Simplified::new(&self.context, one).is_shown())
    }

    /// Decides an assertion or an operation, with the help of a solver if there is one. The
    /// deadline is one of [`clock`].
    pub fn decide(&self, key: ObligationKey, solver: Option<&dyn Solver>, deadline: Instant) -> Decision {
        match self.is_followed(key) {
            Ok(()) => self.claim(key).decide(solver, deadline),
            Err(why) => Decision::Open(why),
        }
    }

    /// Whether the normal form shows that all operations are defined, in a summary of all of them.
    pub fn all_hold(&self, deadline: Instant) -> bool {
        let whole = Claim { c: &self.context, key: None, executions: self.asserted.iter().collect() };
        self.without_term.is_empty()
            && self.unfollowed.is_empty()
            && matches!(whole.decide(None, deadline), Decision::Proved(_))
    }

    /// Whether all executions are known, and there may be some.
    fn is_followed(&self, key: ObligationKey) -> Result<(), OpenReason> {
        if matches!(key, ObligationKey::Assertion(assertion) if self.quantified.contains(&assertion)) {
            return Err(OpenReason::Quantified);
        }
        if self.unfollowed.contains(&key) {
            return Err(OpenReason::Unfollowed);
        }
        if self.without_term.contains(&key) {
            return Err(OpenReason::NoTerm);
        }
        match self.asserted.iter().any(|one| one.key == key) {
            true => Ok(()),
            false => Err(OpenReason::NotExecuted),
        }
    }

    fn claim(&self, key: ObligationKey) -> Claim<'_> {
        let executions = self.asserted.iter().filter(|one| one.key == key).collect();
        Claim { c: &self.context, key: Some(key), executions }
    }
}

/// That the condition holds in each of some executions of an assertion or operation, or of all
/// operations.
struct Claim<'a> {
    c: &'a Context,
    key: Option<ObligationKey>,
    executions: Vec<&'a Asserted>,
}

impl Claim<'_> {
    fn decide(&self, solver: Option<&dyn Solver>, deadline: Instant) -> Decision {
        let mut prover = Prover::NormalForm;
        let mut left: Vec<(Simplified<'_>, Tried)> = Vec::new();
        for one in &self.executions {
            match self.by_normal_form(one, deadline) {
                Ok(None) => {}
                Ok(Some(open)) => left.push(open),
                Err(why) => return Decision::Open(why),
            }
        }
        for (n, (one, tried)) in left.iter().enumerate() {
            let Some(solver) = solver else { return Decision::Open(OpenReason::NoSolver) };
            prover = Prover::Solver;
            let what = match self.key {
                Some(ObligationKey::Assertion(assertion)) => format!("assertion {}", assertion.0),
                Some(ObligationKey::Check(site, number)) => format!("check {number} of statement {}", site.0),
                None => "some operation".to_owned(),
            };
            let about = format!("{what}, execution {} that the normal form leaves open", n + 1);
            let asking = Asking { c: self.c, solver, deadline, about, is_consistent: tried.is_consistent };
            self.c.refill(WORK);
            let shown = asking.shows(one);
            clock::spend(WORK.saturating_sub(self.c.work_left()));
            if let Err(why) = shown {
                return Decision::Open(why);
            }
        }
        Decision::Proved(prover)
    }

    /// What the small models say of an execution, if the normal form does not show the condition.
    fn by_normal_form<'s>(
        &'s self,
        one: &'s Asserted,
        deadline: Instant,
    ) -> Result<Option<(Simplified<'s>, Tried)>, OpenReason> {
        let c = self.c;
        if clock::now() >= deadline {
            return Err(OpenReason::Late);
        }
        c.refill(WORK);
        let simplified = Simplified::new(c, one);
        let is_shown = simplified.is_shown();
        clock::spend(WORK.saturating_sub(c.work_left()));
        let go_on = || {
            clock::spend(STEPS_PER_MODEL);
            clock::now() < deadline
        };
        let tried = tried(c, &one.given, one.condition, go_on);
        if tried.fails {
            if is_shown {
                log::error!("the normal form shows {}, which fails in some model", c.show(one.condition));
            }
            return Err(OpenReason::Fails);
        }
        if is_shown && !tried.is_consistent && simplified.known.are_contradictory() {
            return Err(OpenReason::Contradiction);
        }
        Ok((!is_shown).then_some((simplified, tried)))
    }
}

/// An execution of an assertion, with its condition as it is simpler by what is given.
struct Simplified<'a> {
    execution: &'a Asserted,
    known: Facts<'a>,
    condition: Term,
}

impl<'a> Simplified<'a> {
    fn new(c: &'a Context, execution: &'a Asserted) -> Simplified<'a> {
        let known = Facts::new(c).with_all(&execution.given);
        let condition = known.simplify(execution.condition);
        Simplified { execution, known, condition }
    }

    /// Whether the normal form shows the condition.
    fn is_shown(&self) -> bool {
        self.known.proves_by_cases(self.condition)
    }
}

/// One execution of an assertion that a solver is asked about.
struct Asking<'a> {
    c: &'a Context,
    solver: &'a dyn Solver,
    deadline: Instant,
    about: String,
    /// Whether what is given holds in some small model.
    is_consistent: bool,
}

impl Asking<'_> {
    /// Shows the condition where it is simpler by what is known, or else as it stands: cases that
    /// were taken apart may hide a sum that the solver knows something of.
    fn shows(&self, one: &Simplified<'_>) -> Result<(), OpenReason> {
        let as_it_stands = one.execution.condition;
        match self.shows_parts(one, one.condition) {
            Err(OpenReason::Unshown | OpenReason::Unknown(_)) if one.condition != as_it_stands => {
                self.shows_parts(one, as_it_stands)
            }
            shown => shown,
        }
    }

    /// Shows a condition part by part.
    fn shows_parts(&self, one: &Simplified<'_>, condition: Term) -> Result<(), OpenReason> {
        let left: Vec<Term> = self.parts(condition).into_iter().filter(|part| !one.known.proves(*part)).collect();
        if left.is_empty() && !self.is_consistent && one.known.are_contradictory() {
            return Err(OpenReason::Contradiction);
        }
        left.into_iter().try_for_each(|part| self.shows_part(&one.execution.given, part))
    }

    /// The parts of a condition all of which must hold.
    fn parts(&self, condition: Term) -> Vec<Term> {
        let parts = self.c.conjuncts(condition);
        if parts.len() <= PARTS { parts } else { vec![condition] }
    }

    fn shows_part(&self, given: &[Term], goal: Term) -> Result<(), OpenReason> {
        let query = self.c.query(given, goal, QueryLimits::default());
        let mut shown: String = self.c.show(goal).chars().take(SHOWN).collect();
        shown = format!("{}: {shown}", self.about);
        let encoded = |products| encode(self.c, &query, products).map_err(OpenReason::Inexpressible);
        let mut question = encoded(Products::Abstract)?;
        let mut answer = self.ask(&mut question.script, &shown);
        if !matches!(answer, Ok(Answer::Unsatisfiable(_)) | Err(OpenReason::Late)) && question.has_products {
            question = encoded(Products::Exact)?;
            answer = self.ask(&mut question.script, &format!("{shown} (with products)"));
        }
        match answer? {
            Answer::Unsatisfiable(_) => self.is_no_contradiction(&question, &shown),
            Answer::Satisfiable(_) => Err(OpenReason::Unshown),
            Answer::Unknown(why) => Err(OpenReason::Unknown(why)),
        }
    }

    /// Whether the facts and the axioms can hold together. If the solver does not know, a small
    /// model is enough.
    fn is_no_contradiction(&self, question: &Encoded, shown: &str) -> Result<(), OpenReason> {
        let mut script = question.without_goal();
        match self.ask(&mut script, &format!("whether the facts can hold; {shown}")) {
            Ok(Answer::Satisfiable(_)) => Ok(()),
            Ok(Answer::Unsatisfiable(_)) => Err(OpenReason::Contradiction),
            Ok(Answer::Unknown(_)) | Err(_) if self.is_consistent => Ok(()),
            Ok(Answer::Unknown(_)) => Err(OpenReason::PerhapsContradiction),
            Err(why) => Err(why),
        }
    }

    fn ask(&self, script: &mut Script, about: &str) -> Result<Answer, OpenReason> {
        if clock::now() >= self.deadline {
            return Err(OpenReason::Late);
        }
        script.about = about.to_owned();
        script.resources = Some(RESOURCES);
        let answer = smt::ask_briefly(self.solver, script, QUESTION, self.deadline);
        answer.map_err(|why| match why {
            Failure::Late if clock::now() >= self.deadline => OpenReason::Late,
            why => OpenReason::Failed(why),
        })
    }
}
