//! What is missing for a proof: the guess that came nearest, and an iteration that breaks it.

use super::decide::{GUESS, instances};
use super::execute::{Candidate, Conditions, Execution};
use super::heads::AtHead;
use crate::clock;
use crate::program::{AssertionId, Location};
use crate::smt::{self, Answer, Solver, Value};
use std::time::Instant;

/// The most variables whose values are shown.
const MOST_VALUES: usize = 6;

/// A formula from which an assertion would follow if it were an invariant, but the solver does not
/// show that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// The formula, as in ACSL.
    pub formula: String,
    /// Where the loop stands at whose head it would hold.
    pub at: Location,
    /// Whether it may be false when the loop begins; otherwise, after an iteration.
    pub at_the_start: bool,
    /// The values of variables there: at the start, or when the iteration begins. Empty if the
    /// solver says nothing about them.
    pub values: Vec<(String, i128)>,
}

impl Conditions {
    /// The guess that came nearest to a proof of an assertion that is open: with the guesses that
    /// were given up the assertion follows, and this is one of those that it needs, and which does
    /// not follow even from all others that it needs. `None` if the assertion does not follow, or
    /// it takes too long to see that. The deadline is one of [`clock`].
    pub fn nearest(&self, assertion: AssertionId, solver: &dyn Solver, deadline: Instant) -> Option<Nearest> {
        let set = self.settled.get()?;
        let executions = self.executions.get(&assertion)?;
        // Guesses about numbers alone may say that the loop does not end.
        let missing = [1, 0].into_iter().find_map(|depth| {
            let taken: Vec<bool> = set.iter().zip(&self.candidates).map(|(set, c)| *set || c.depth >= depth).collect();
            executions.iter().find_map(|e| {
                let needed = self.needed_if_proved(e, &taken, solver, deadline)?;
                let missing: Vec<usize> = needed.into_iter().filter(|n| !set[*n]).collect();
                (!missing.is_empty()).then_some(missing)
            })
        })?;
        let mut assumed = set.clone();
        missing.iter().for_each(|n| assumed[*n] = true);
        missing.iter().find_map(|n| {
            let candidate = &self.candidates[*n];
            candidate.questions.iter().enumerate().find_map(|(question, execution)| {
                let values = self.counterexample(candidate, question, execution, &assumed, solver, deadline)?;
                Some(Nearest {
                    formula: candidate.text.clone()?,
                    at: candidate.at,
                    at_the_start: question == 0,
                    values,
                })
            })
        })
    }

    /// Values with which a condition of a guess is false, if it does not follow; empty if the
    /// solver does not say.
    fn counterexample(
        &self,
        candidate: &Candidate,
        question: usize,
        execution: &Execution,
        set: &[bool],
        solver: &dyn Solver,
        deadline: Instant,
    ) -> Option<Vec<(String, i128)>> {
        if clock::now() >= deadline {
            return None;
        }
        let head = self.heads.get(&candidate.of_loop)?;
        let shown = || head.iter().take(MOST_VALUES);
        let mut script = self.together(&[execution], set, "what breaks a guess about a loop".to_owned())?;
        script.values = shown().map(|v| if question == 0 { v.entry.clone() } else { v.head.clone() }).collect();
        match smt::ask_briefly(solver, &instances(script).script, GUESS, deadline) {
            Ok(Answer::Unsatisfiable(_)) => None,
            Ok(Answer::Satisfiable(values)) => {
                let number = |(variable, value): (&AtHead, &Value)| match value {
                    Value::Int(n) => Some((variable.name.clone(), *n)),
                    _ => None,
                };
                Some(shown().zip(&values).filter_map(number).collect())
            }
            _ => Some(Vec::new()),
        }
    }
}
