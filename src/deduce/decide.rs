//! Asks a solver about the conditions.

use super::execute::{Conditions, Execution};
use crate::clock;
use crate::program::AssertionId;
use crate::smt::{self, Answer, Failure, Logic, Script, Solver, Symbol};
use std::fmt;
use std::time::{Duration, Instant};

/// Limit on the time of one question.
const QUESTION: Duration = Duration::from_secs(3);
/// Limits for a question about a guess.
const GUESS: Duration = Duration::from_millis(600);
const GUESS_RESOURCES: u64 = 1_500_000;
/// Limit on the time of one question without quantifiers.
const INSTANCES: Duration = Duration::from_millis(1500);
/// Limit on the instances of one quantifier.
const MOST_INSTANCES: usize = 60;
/// Limit on the work of a solver for one question, in its own units.
const RESOURCES: u64 = 8_000_000;

/// Whether an assertion holds in all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It holds wherever a run without undefined behaviour evaluates it.
    Proved,
    /// Nothing is known, and why.
    Open(Undecided),
}

/// Why an assertion is open. Shown, it is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// Its function is also called in a way that is not followed: by recursion, by a pointer.
    Unfollowed,
    /// No statement that runs contains it.
    NotExecuted,
    /// It mentions values that are not followed.
    NotFollowed,
    /// What is known at the heads of loops does not imply it.
    Unshown,
    /// The solver does not know: its reason.
    Unknown(String),
    /// The solver gave no answer.
    Failed(Failure),
    /// The time was over.
    Late,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Unfollowed => {
                f.write_str("its function is also called in a way that is not followed (recursion, a pointer)")
            }
            Undecided::NotExecuted => f.write_str("no statement that runs contains it"),
            Undecided::NotFollowed => f.write_str("it mentions values that are not followed"),
            Undecided::Unshown => f.write_str("it does not follow from the loop invariants in the source"),
            Undecided::Unknown(why) => {
                write!(f, "the solver does not know whether it follows from the loop invariants in the source ({why})")
            }
            Undecided::Failed(why) => write!(f, "the solver {why}"),
            Undecided::Late => f.write_str("there was no time left for a proof by loop invariants"),
        }
    }
}

impl Conditions {
    /// Which guesses hold: as many of the flags in their order as are set.
    fn settled(&self, solver: &dyn Solver, deadline: Instant) -> Vec<bool> {
        let mut set = vec![true; self.candidates.len()];
        loop {
            let mut changed = false;
            for (n, candidate) in self.candidates.iter().enumerate() {
                if !set[n] {
                    continue;
                }
                let holds = candidate.questions.iter().all(|q| {
                    let Some(script) = self.script(q, &set, format!("guess {} about a loop", n + 1), GUESS_RESOURCES)
                    else {
                        return false;
                    };
                    clock::now() < deadline
                        && matches!(smt::ask_briefly(solver, &script, GUESS, deadline), Ok(Answer::Unsatisfiable(_)))
                });
                if !holds {
                    set[n] = false;
                    changed = true;
                }
            }
            if !changed {
                return set;
            }
        }
    }

    /// Decides an assertion. The deadline is one of [`clock`].
    pub fn decide(&self, assertion: AssertionId, solver: &dyn Solver, deadline: Instant) -> Decision {
        if self.unfollowed.contains(&assertion) {
            return Decision::Open(Undecided::Unfollowed);
        }
        let Some(executions) = self.executions.get(&assertion) else {
            return Decision::Open(Undecided::NotExecuted);
        };
        let set = self.settled.get_or_init(|| self.settled(solver, deadline));
        let about = |n: usize| format!("assertion {}, execution {} by loop invariants", assertion.0, n + 1);
        let scripts: Option<Vec<Script>> =
            executions.iter().enumerate().map(|(n, e)| self.script(e, set, about(n), RESOURCES)).collect();
        let Some(scripts) = scripts else { return Decision::Open(Undecided::NotFollowed) };
        for script in scripts {
            if clock::now() >= deadline {
                return Decision::Open(Undecided::Late);
            }
            if self.follows(&script, solver, deadline) {
                continue;
            }
            match smt::ask_briefly(solver, &script, QUESTION, deadline) {
                Ok(Answer::Unsatisfiable(_)) => {}
                Ok(Answer::Satisfiable(_)) => return Decision::Open(Undecided::Unshown),
                Ok(Answer::Unknown(why)) => return Decision::Open(Undecided::Unknown(why)),
                Err(Failure::Late) if clock::now() >= deadline => return Decision::Open(Undecided::Late),
                Err(why) => return Decision::Open(Undecided::Failed(why)),
            }
        }
        Decision::Proved
    }

    /// Whether the instances of a question at its indexes have no model. Most questions need no
    /// lemmas, which are many.
    fn follows(&self, script: &Script, solver: &dyn Solver, deadline: Instant) -> bool {
        let without = || Script { lemmas: Vec::new(), ..script.clone() };
        let first = (!script.lemmas.is_empty()).then(without);
        first.iter().chain([script]).any(|script| {
            let Some(instances) = smt::instantiated(script, MOST_INSTANCES) else { return false };
            matches!(smt::ask_briefly(solver, &instances, INSTANCES, deadline), Ok(Answer::Unsatisfiable(_)))
        })
    }

    /// The script that has a model if the condition may be false in some run; `None` if the
    /// condition mentions what is not followed. `set` says which guesses hold.
    fn script(&self, execution: &Execution, set: &[bool], about: String, resources: u64) -> Option<Script> {
        let goal = execution.goal.clone()?;
        let mut assertions = Vec::new();
        for (n, fact) in self.symbols.facts.iter().take(execution.facts).enumerate() {
            assertions.push((Symbol::new(&format!("fact.{n}")), fact.clone()));
        }
        for (n, candidate) in self.candidates.iter().enumerate().take(execution.candidates) {
            if set[n] {
                assertions.push((Symbol::new(&format!("guess.{n}")), candidate.flag.clone()));
            }
        }
        assertions.push((Symbol::new("path"), execution.path.clone()));
        assertions.push((Symbol::new("goal"), goal.negated()));
        Some(Script {
            logic: Logic::All,
            declarations: self.symbols.declarations.first(execution.declarations),
            assertions,
            resources: Some(resources),
            about,
            unfoldings: self.unfoldings.clone(),
            lemmas: self.lemmas.clone(),
            ..Script::default()
        })
    }
}
