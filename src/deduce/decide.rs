//! Asks a solver about the conditions.

use super::execute::{Conditions, Execution};
use crate::clock;
use crate::program::{AssertionId, Location};
use crate::smt::{self, Answer, Failure, Logic, Script, Solver, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
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
            Undecided::Unshown => {
                f.write_str("it does not follow from the loop invariants in the source, nor from those that were found")
            }
            Undecided::Unknown(why) => {
                write!(
                    f,
                    "the solver does not know whether it follows from the loop invariants in the source, and those that were found ({why})"
                )
            }
            Undecided::Failed(why) => write!(f, "the solver {why}"),
            Undecided::Late => f.write_str("there was no time left for a proof by loop invariants"),
        }
    }
}

impl Conditions {
    /// Finds out which invariants of those that were guessed hold. The deadline is one of
    /// [`clock`].
    pub fn settle(&self, solver: &dyn Solver, deadline: Instant) {
        self.settled.get_or_init(|| self.settled(solver, deadline));
    }

    /// Which guesses hold: as many of the flags in their order as are set.
    fn settled(&self, solver: &dyn Solver, deadline: Instant) -> Vec<bool> {
        let mut set = vec![true; self.candidates.len()];
        let shown = |execution: &Execution, set: &[bool], about: String| {
            clock::now() < deadline
                && self.script(execution, set, about, GUESS_RESOURCES).is_some_and(|script| {
                    let script = smt::instantiated(&script, MOST_INSTANCES).unwrap_or(script);
                    matches!(smt::ask_briefly(solver, &script, GUESS, deadline), Ok(Answer::Unsatisfiable(_)))
                })
        };
        // The questions about the guesses of one loop where it begins, and where an iteration ends.
        let mut places: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (n, candidate) in self.candidates.iter().enumerate() {
            for question in 0..candidate.questions.len() {
                places.entry((candidate.of_loop, question)).or_default().push(n);
            }
        }
        loop {
            let mut changed = false;
            for ((of_loop, question), members) in &places {
                let open: Vec<usize> = members.iter().copied().filter(|n| set[*n]).collect();
                let questions: Vec<&Execution> =
                    open.iter().map(|n| &self.candidates[*n].questions[*question]).collect();
                if questions.is_empty()
                    || together(&questions)
                        .is_some_and(|all| shown(&all, &set, format!("guesses about loop {of_loop}")))
                {
                    continue;
                }
                for (n, question) in open.iter().zip(questions) {
                    if !shown(question, &set, format!("guess {} about a loop", n + 1)) {
                        set[*n] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return set;
            }
        }
    }

    /// Decides an assertion. The deadline is one of [`clock`], also for [`Conditions::settle`], if
    /// that was not called before.
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

    /// The invariants that were found and that the proof of an assertion rests on: each with the
    /// place of its loop. Those that no question needs are left out, as far as the solver says so
    /// in time.
    pub fn rests_on(&self, assertion: AssertionId, solver: &dyn Solver, deadline: Instant) -> Vec<(Location, String)> {
        let Some(set) = self.settled.get() else { return Vec::new() };
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<&Execution> = self.executions.get(&assertion).into_iter().flatten().collect();
        while let Some(execution) = open.pop() {
            for n in self.needed(execution, set, solver, deadline) {
                if needed.insert(n) {
                    open.extend(&self.candidates[n].questions);
                }
            }
        }
        let mut found: Vec<(Location, String)> =
            needed.iter().filter_map(|n| Some((self.candidates[*n].at, self.candidates[*n].text.clone()?))).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The guesses from which a condition follows that is known to follow from all of them.
    fn needed(&self, execution: &Execution, set: &[bool], solver: &dyn Solver, deadline: Instant) -> Vec<usize> {
        let all = || (0..execution.candidates).filter(|n| set[*n]).collect();
        if clock::now() >= deadline {
            return all();
        }
        let about = "what a condition follows from".to_owned();
        let Some(script) = self.script(execution, set, about, GUESS_RESOURCES) else { return all() };
        let script = smt::instantiated(&script, MOST_INSTANCES).unwrap_or(script);
        let script = Script { core: true, ..script };
        match smt::ask_briefly(solver, &script, GUESS, deadline) {
            Ok(Answer::Unsatisfiable(core)) => {
                let is_needed = |n: &usize| set[*n] && core.contains(&guess(*n));
                (0..execution.candidates).filter(is_needed).collect()
            }
            _ => all(),
        }
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
                assertions.push((guess(n), candidate.flag.clone()));
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

/// The name of the assumption that a guess holds.
fn guess(n: usize) -> Symbol {
    Symbol::new(&format!("guess.{n}"))
}

/// The question whether all of some conditions hold that are asked in the same state; `None` if it
/// is only one, or if one of them mentions what is not followed.
fn together(questions: &[&Execution]) -> Option<Execution> {
    let goals: Option<Vec<Term>> = questions.iter().map(|q| q.goal.clone()).collect();
    let goal = match &goals?[..] {
        // The question itself will be asked.
        [] | [_] => return None,
        goals => Term::and(goals.iter().cloned()),
    };
    let last = questions.last()?;
    Some(Execution {
        // What is declared and known later is about other values.
        declarations: questions.iter().map(|q| q.declarations).max()?,
        facts: questions.iter().map(|q| q.facts).max()?,
        candidates: questions.iter().map(|q| q.candidates).max()?,
        path: last.path.clone(),
        goal: Some(goal),
    })
}
