//! Asks a solver about the conditions.

use super::execute::{Candidate, Conditions, Execution};
use crate::clock;
use crate::program::{AssertionId, Location};
use crate::smt::{self, Answer, Failure, Instantiated, Logic, Script, Solver, Symbol, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

/// Limit on the time of one question.
const QUESTION: Duration = Duration::from_secs(3);
/// Limits for a question about guesses.
pub(super) const GUESS: Duration = Duration::from_millis(1500);
const GUESS_RESOURCES: u64 = 6_000_000;
/// Limit on the time of one question without quantifiers.
const INSTANCES: Duration = Duration::from_millis(1500);
/// Limit on the instances of one quantifier.
const MOST_INSTANCES: usize = 60;
/// Limit on the work of a solver for one question, in its own units.
const RESOURCES: u64 = 8_000_000;
/// Of more guesses than this, a model clears those that are false in it, even if the model may be
/// none because instances were left out. Otherwise, a smaller question may show them.
const MOST_ASKED_AGAIN: usize = 4;

/// What guesses were found to rest on: other guesses.
#[derive(Default, Debug)]
pub struct Rests(BTreeMap<usize, Vec<usize>>);

/// What is known of a guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flag {
    /// It holds.
    Known,
    /// It is taken to hold, and asked about.
    Set,
    /// It is not looked at yet.
    Waiting,
    /// It is not taken to hold.
    Cleared,
}

impl Flag {
    fn is_set(self) -> bool {
        matches!(self, Flag::Known | Flag::Set)
    }
}

/// What a question about several guesses has shown.
enum Shown {
    /// They hold.
    All,
    /// These may be false.
    But(Vec<usize>),
    /// Nothing about any of them.
    Nothing,
}

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
        let set = self.settled.get_or_init(|| self.settled(solver, deadline));
        for (candidate, _) in self.candidates.iter().zip(set).filter(|(_, is_set)| **is_set) {
            let text = candidate.text.as_deref().unwrap_or("(something the source does not name)");
            log::debug!("invariant of loop {}: {text}", candidate.of_loop);
        }
    }

    /// Which guesses hold: as many of the flags in their order as are set.
    ///
    /// Those with few quantifiers come first. What they leave is known when the others are asked
    /// about, and they are asked about again beside the others, if they need them.
    fn settled(&self, solver: &dyn Solver, deadline: Instant) -> Vec<bool> {
        let deepest = self.candidates.iter().map(|c| c.depth).max().unwrap_or(0);
        let mut known = vec![false; self.candidates.len()];
        for depth in 0..=deepest {
            if self.candidates.iter().any(|c| c.depth == depth) {
                let state = |(known, c): (&bool, &Candidate)| match known {
                    true => Flag::Known,
                    false if c.depth <= depth => Flag::Waiting,
                    false => Flag::Cleared,
                };
                let flags = known.iter().zip(&self.candidates).map(state).collect();
                known = self.inductive(flags, solver, deadline);
            }
        }
        known
    }

    /// Which guesses are set when each that cannot be shown from the others is taken away.
    ///
    /// A guess waits until those are cleared that say more. So the solver sees few of many that
    /// are alike.
    fn inductive(&self, mut flags: Vec<Flag>, solver: &dyn Solver, deadline: Instant) -> Vec<bool> {
        // How often something was cleared, and how often it was when each question about a guess
        // was answered: the answer holds until something else is cleared.
        let mut cleared = 0;
        let mut answered: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        loop {
            let mut changed = false;
            let waits = |n: usize, flags: &[Flag]| self.candidates[n].below.iter().any(|m| flags[*m] != Flag::Cleared);
            for n in 0..flags.len() {
                if flags[n] == Flag::Waiting && !waits(n, &flags) {
                    flags[n] = Flag::Set;
                    changed = true;
                }
            }
            // The questions about the guesses of one loop where it begins, and where an iteration
            // ends.
            let mut places: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
            for (n, candidate) in self.candidates.iter().enumerate().filter(|(n, _)| flags[*n] == Flag::Set) {
                for question in 0..candidate.questions.len() {
                    places.entry((candidate.of_loop, question)).or_default().push(n);
                }
            }
            for ((_, question), mut members) in places {
                members.retain(|n| answered.get(&(*n, question)) != Some(&cleared));
                // Groups of guesses that are left to look at.
                let mut groups: Vec<Vec<usize>> = vec![members];
                while let Some(mut group) = groups.pop() {
                    group.retain(|n| flags[*n] == Flag::Set);
                    if group.is_empty() {
                        continue;
                    }
                    let set: Vec<bool> = flags.iter().map(|f| f.is_set()).collect();
                    let open = match (self.shown(&group, question, &set, solver, deadline), &group[..]) {
                        (Shown::All, _) => {
                            answered.extend(group.iter().map(|n| ((*n, question), cleared)));
                            continue;
                        }
                        (Shown::Nothing, [_, _, ..]) => {
                            let (first, second) = group.split_at(group.len() / 2);
                            groups.extend([second.to_vec(), first.to_vec()]);
                            continue;
                        }
                        (Shown::Nothing, _) => group.clone(),
                        (Shown::But(open), _) => open,
                    };
                    for n in &open {
                        let text = self.candidates[*n].text.as_deref().unwrap_or("?");
                        log::trace!("no invariant, question {question} among {}: {text}", group.len());
                    }
                    open.iter().for_each(|n| flags[*n] = Flag::Cleared);
                    (changed, cleared) = (true, cleared + 1);
                    groups.push(group);
                }
            }
            if !changed {
                return flags.iter().map(|f| f.is_set()).collect();
            }
        }
    }

    /// Asks about some guesses at once. A model shows those that are false in it.
    fn shown(&self, group: &[usize], question: usize, set: &[bool], solver: &dyn Solver, deadline: Instant) -> Shown {
        let questions: Vec<&Execution> = group.iter().map(|n| &self.candidates[*n].questions[question]).collect();
        let about = || match group {
            [n] => format!("guess {} about a loop", n + 1),
            _ => format!("guesses about loop {}", self.candidates[group[0]].of_loop),
        };
        let Some(script) = self.together(&questions, set, about()).filter(|_| clock::now() < deadline) else {
            return Shown::Nothing;
        };
        let Instantiated { script, is_cut } = instances(script);
        match smt::ask_briefly(solver, &script, GUESS, deadline) {
            Ok(Answer::Unsatisfiable(_)) => Shown::All,
            // It may be none of the quantified formulas. Then a guess is lost that is true.
            Ok(Answer::Satisfiable(values)) if !is_cut || group.len() > MOST_ASKED_AGAIN => {
                let is_false = |(n, value): (&usize, &Value)| (*value == Value::Bool(false)).then_some(*n);
                let open: Vec<usize> = group.iter().zip(&values).filter_map(is_false).collect();
                if open.is_empty() { Shown::Nothing } else { Shown::But(open) }
            }
            _ => Shown::Nothing,
        }
    }

    /// The question whether all of some conditions hold that are asked in the same state; `None` if
    /// one of them mentions what is not followed. Its values are those of the conditions.
    pub(super) fn together(&self, questions: &[&Execution], set: &[bool], about: String) -> Option<Script> {
        let last = questions.last()?;
        let all = Execution {
            // What is declared and known later is about other values.
            declarations: questions.iter().map(|q| q.declarations).max()?,
            facts: questions.iter().map(|q| q.facts).max()?,
            candidates: questions.iter().map(|q| q.candidates).max()?,
            path: last.path.clone(),
            goal: last.goal.clone(),
        };
        let mut script = self.script(&all, set, about, GUESS_RESOURCES)?;
        let goals: Vec<smt::Term> = questions.iter().map(|question| question.goal.clone()).collect::<Option<_>>()?;
        let goals = smt::with_common_witnesses(goals, &mut script.declarations);
        let mut define = |(n, goal)| script.declarations.define(Symbol::new(&format!("goal.{n}")), goal);
        let goals: Vec<smt::Term> = goals.into_iter().enumerate().map(&mut define).collect();
        let (_, goal) = script.assertions.last_mut()?;
        match &goals[..] {
            [one] => *goal = one.clone().negated(),
            _ => {
                *goal = smt::Term::and(goals.iter().cloned()).negated();
                script.values = goals;
            }
        }
        Some(script)
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
    /// in time. `known` keeps what guesses rest on, for the next assertion.
    pub fn rests_on(
        &self,
        assertion: AssertionId,
        known: &mut Rests,
        solver: &dyn Solver,
        deadline: Instant,
    ) -> Vec<(Location, String)> {
        let Some(set) = self.settled.get() else { return Vec::new() };
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<usize> = Vec::new();
        for execution in self.executions.get(&assertion).into_iter().flatten() {
            open.extend(self.needed(execution, set, solver, deadline));
        }
        while let Some(n) = open.pop() {
            if needed.insert(n) {
                let questions = &self.candidates[n].questions;
                let of_guess = || questions.iter().flat_map(|q| self.needed(q, set, solver, deadline)).collect();
                open.extend(known.0.entry(n).or_insert_with(of_guess).iter());
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
        self.needed_if_proved(execution, set, solver, deadline).unwrap_or_else(all)
    }

    /// The guesses that a proof of a condition needs, of those that are set; `None` if the solver
    /// finds no proof.
    pub(super) fn needed_if_proved(
        &self,
        execution: &Execution,
        set: &[bool],
        solver: &dyn Solver,
        deadline: Instant,
    ) -> Option<Vec<usize>> {
        if clock::now() >= deadline {
            return None;
        }
        let about = "what a condition follows from".to_owned();
        let script = self.script(execution, set, about, GUESS_RESOURCES)?;
        let script = Script { core: true, ..instances(script).script };
        match smt::ask_briefly(solver, &script, GUESS, deadline) {
            Ok(Answer::Unsatisfiable(core)) => {
                let is_needed = |n: &usize| set[*n] && core.contains(&guess(*n));
                Some((0..execution.candidates).filter(is_needed).collect())
            }
            _ => None,
        }
    }

    /// Whether the instances of a question at its indexes have no model. Most questions need no
    /// lemmas, which are many.
    fn follows(&self, script: &Script, solver: &dyn Solver, deadline: Instant) -> bool {
        let without = || Script { lemmas: Vec::new(), ..script.clone() };
        let first = (!script.lemmas.is_empty()).then(without);
        first.iter().chain([script]).any(|script| {
            let Some(instances) = smt::instantiated(script, MOST_INSTANCES) else { return false };
            matches!(smt::ask_briefly(solver, &instances.script, INSTANCES, deadline), Ok(Answer::Unsatisfiable(_)))
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
        let is_unset = |(n, candidate): (usize, &Candidate)| {
            let name = candidate.flag.as_symbol().filter(|_| !set[n] || n >= execution.candidates);
            name.cloned()
        };
        let unset: BTreeSet<Symbol> = self.candidates.iter().enumerate().filter_map(is_unset).collect();
        let script = Script {
            logic: Logic::All,
            declarations: self.symbols.declarations.first(execution.declarations),
            assertions,
            resources: Some(resources),
            about,
            unfoldings: self.unfoldings.clone(),
            lemmas: self.lemmas.clone(),
            ..Script::default()
        };
        Some(script.with_false(&unset))
    }
}

/// The script with instances in the place of quantifiers.
pub(super) fn instances(script: Script) -> Instantiated {
    smt::instantiated(&script, MOST_INSTANCES).unwrap_or(Instantiated { script, is_cut: false })
}

/// The name of the assumption that a guess holds.
fn guess(n: usize) -> Symbol {
    Symbol::new(&format!("guess.{n}"))
}
