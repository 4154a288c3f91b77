//! Unsound shortcuts that random programs must expose.
//!
//! U1 to U8 are wrong steps that analyses with groups of cells and reductions of loops are known to
//! have taken. Each has a switch in the code that it concerns (feature `mutants`). With one
//! switched on, random programs from a fixed list are tried, a few in turn for each attack that
//! exercises this code. The search ends when a run of a program contradicts smalti's answer for it.
//! The same program must show no bug when the switch is off.

use super::attack::{Attack, Effort, External, Programs, Question, all, trial};
use crate::reduce::mutants as reductions;
use crate::verdict::Stage;
use smalti_stack::mutants::{partition, relation};
use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Every attack tries the programs with the numbers from 1 to this.
pub const PROGRAMS: u64 = 3000;

/// The number of programs of one attack that are tried before those of the next.
const TURN: u64 = 5;

/// A wrong step that has a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcut {
    /// `U1` to `U8`.
    pub number: &'static str,
    place: AnyMutant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnyMutant {
    Partition(partition::Mutant),
    Relation(relation::Mutant),
    Reductions(reductions::Mutant),
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            AnyMutant::Partition(step) => write!(f, "{} partition {step:?}", self.number),
            AnyMutant::Relation(step) => write!(f, "{} relation {step:?}", self.number),
            AnyMutant::Reductions(step) => write!(f, "{} reductions {step:?}", self.number),
        }
    }
}

/// All of them, by their numbers.
pub fn shortcuts() -> Vec<Shortcut> {
    let mut found: Vec<Shortcut> = Vec::new();
    found.extend(partition::SHORTCUTS.map(|(number, step)| Shortcut { number, place: AnyMutant::Partition(step) }));
    found.extend(relation::SHORTCUTS.map(|(number, step)| Shortcut { number, place: AnyMutant::Relation(step) }));
    found.extend(reductions::SHORTCUTS.map(|(number, step)| Shortcut { number, place: AnyMutant::Reductions(step) }));
    found.sort_by_key(|s| s.number);
    found
}

impl Shortcut {
    /// Makes this thread take the shortcut from now on.
    fn take(self) {
        Shortcut::take_none();
        match self.place {
            AnyMutant::Partition(step) => partition::switch(Some(step)),
            AnyMutant::Relation(step) => relation::switch(Some(step)),
            AnyMutant::Reductions(step) => reductions::switch(Some(step)),
        }
    }

    /// Makes this thread take no shortcut from now on.
    fn take_none() {
        partition::switch(None);
        relation::switch(None);
        reductions::switch(None);
    }

    /// Whether an attack exercises the code that contains the shortcut.
    fn concerns(self, Attack { programs, question }: &Attack) -> bool {
        use partition::Mutant::{FactsNeedNoCell, RefutedIsBottom};
        match (self.place, question) {
            // Libraries that may be missing are not needed.
            (_, Question::States(stack)) if stack.contains("apron") => false,
            // Only specifications have facts about cells.
            (AnyMutant::Partition(FactsNeedNoCell | RefutedIsBottom), Question::States(stack)) => {
                stack.contains("partition/") && *programs == Programs::Specifications
            }
            (AnyMutant::Partition(_), Question::States(stack)) => stack.contains("partition/"),
            (AnyMutant::Relation(_), Question::States(stack)) => stack.contains("relation/"),
            (AnyMutant::Reductions(reductions::Mutant::AssumptionsStay), Question::Verdicts(stages)) => {
                stages[..] == [Stage::Prune]
            }
            (AnyMutant::Reductions(_), Question::Verdicts(stages)) => stages[..] == [Stage::Shrink],
            (AnyMutant::Reductions(step), Question::Shrinkings) => step != reductions::Mutant::AssumptionsStay,
            _ => false,
        }
    }
}

/// How a shortcut was exposed.
#[derive(Clone, Debug)]
pub struct Caught {
    /// The attack.
    pub attack: String,
    /// The number of the program.
    pub program: u64,
    /// The answer that was contradicted.
    pub bug: String,
    /// Its text.
    pub text: String,
}

/// Searches for a program that exposes a shortcut, until the deadline.
///
/// # Errors
/// The bug that the exposing program also shows when no shortcut is taken.
pub fn hunt(shortcut: Shortcut, external: &External, until: Instant) -> Result<Option<Caught>, String> {
    let effort = |first, programs| Effort { first, programs, until, patience: Duration::from_secs(10) };
    let attacks: Vec<Attack> =
        all().into_iter().filter(|a| shortcut.concerns(a) && external.lacks(a).is_none()).collect();
    for turn in 0..PROGRAMS / TURN {
        for attack in &attacks {
            let mut next = 1 + turn * TURN;
            while next <= (turn + 1) * TURN {
                if Instant::now() >= until {
                    return Ok(None);
                }
                shortcut.take();
                let found = trial(attack, &effort(next, (turn + 1) * TURN + 1 - next), external, &|| false).found;
                Shortcut::take_none();
                let Some(found) = found else { break };
                next = found.origin.seed + 1;
                // A crash is not an answer that a run contradicts.
                if found.bug.starts_with("panics") {
                    continue;
                }
                if let Some(bug) = trial(attack, &effort(found.origin.seed, 1), external, &|| false).found {
                    return Err(format!("{attack}, program {}, without the shortcut: {}", found.origin.seed, bug.bug));
                }
                return Ok(Some(Caught {
                    attack: attack.to_string(),
                    program: found.origin.seed,
                    bug: found.bug,
                    text: found.text,
                }));
            }
        }
    }
    Ok(None)
}

/// Hunts all shortcuts whose description contains `only`, and prints a line for each. Returns
/// whether all were exposed.
///
/// # Errors
/// A line cannot be written, or there is no such shortcut.
pub fn hunt_all(
    only: &str,
    jobs: usize,
    time: Duration,
    print: bool,
    out: &mut (dyn Write + Send),
) -> std::io::Result<bool> {
    let external = External::find();
    let (begun, mut waiting) = (Instant::now(), shortcuts());
    waiting.retain(|s| s.to_string().contains(only));
    waiting.reverse();
    let total = waiting.len();
    if total == 0 {
        return Err(std::io::Error::other("there is no such shortcut"));
    }
    let until = begun + time;
    let (waiting, state) = (Mutex::new(waiting), Mutex::new((out, 0, None)));
    let work = || {
        loop {
            let Some(shortcut) = locked(&waiting).pop() else { return };
            let since = Instant::now();
            let caught = hunt(shortcut, &external, until);
            let seconds = since.elapsed().as_secs_f64();
            let mut state = locked(&state);
            let (out, count, failed) = &mut *state;
            let line = match caught {
                Ok(Some(Caught { attack, program, bug, text })) => {
                    *count += 1;
                    let bug = bug.lines().next().unwrap_or_default();
                    let text = if print { format!("\n{text}") } else { String::new() };
                    format!("caught in {seconds:.1} s by {attack}, program {program}: {bug}{text}")
                }
                Ok(None) => format!("SURVIVED for {seconds:.1} s"),
                Err(why) => format!("WRONG: {why}"),
            };
            if let Err(error) = writeln!(out, "{:42} {line}", shortcut.to_string()) {
                *failed = Some(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            // Lowering and analysis recurse over the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            if let Err(error) = worker {
                locked(&state).2 = Some(error);
            }
        }
    });
    let (out, count, failed) = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = failed {
        return Err(error);
    }
    writeln!(out, "{count} of {total} shortcuts caught by random programs in {:.0} s", begun.elapsed().as_secs_f64())?;
    Ok(count == total)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
