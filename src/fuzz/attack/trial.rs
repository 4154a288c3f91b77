//! Tries an attack on many programs.

use super::{Attack, External, Looked, all, compiled, load};
use crate::fuzz::minimise::minimise;
use crate::fuzz::reductions::Sample;
use crate::program::Program;
use crate::program::print::{Plain, to_c};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The effort of a trial.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The first program's number.
    pub first: u64,
    /// The most programs to try.
    pub programs: u64,
    /// No new program after this time, but at least until something is proved or compared.
    pub until: Instant,
    /// The time for one program.
    pub patience: Duration,
}

/// The result of a trial.
#[derive(Debug, Default)]
pub struct Trial {
    /// How many programs were tried.
    pub programs: u64,
    /// The amount of work.
    pub looked: Looked,
    /// Whether anything was proved, refuted or compared. Otherwise nothing was tested.
    pub says_something: bool,
    /// The bug at which the trial ended.
    pub found: Option<Found>,
}

/// A bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// How to reproduce it.
    pub origin: Origin,
    /// What is wrong.
    pub bug: String,
    /// The program.
    pub text: String,
}

/// How a bug was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The name of the attack.
    pub attack: String,
    /// The number of the program, which decides the values of runs.
    pub seed: u64,
    /// Whether the first input is the number of iterations.
    pub sized: bool,
    /// The largest number of iterations.
    pub most: i64,
    /// Values that are likely to make runs fail.
    pub values: Vec<i64>,
}

const MARK: &str = "// attack: ";

impl Found {
    fn new(attack: &Attack, seed: u64, sample: &Sample, bug: String) -> Found {
        let origin = Origin {
            attack: attack.to_string(),
            seed,
            sized: sample.sized,
            most: sample.most.try_into().unwrap_or(i64::MAX),
            values: sample.values.iter().filter_map(|v| (*v).try_into().ok()).collect(),
        };
        Found { origin, bug, text: sample.text.clone() }
    }

    /// The file that a test reads ([`Found::read`]).
    pub fn file(&self) -> String {
        let origin = serde_json::to_string(&self.origin).unwrap_or_default();
        let bug: String = self.bug.lines().map(|line| format!("// {line}\n")).collect();
        format!("{MARK}{origin}\n{bug}{}", self.text)
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// It is not one.
    pub fn read(file: &str) -> Result<Found, String> {
        let first =
            file.lines().next().and_then(|line| line.strip_prefix(MARK)).ok_or("no attack in the first line")?;
        let origin = serde_json::from_str(first).map_err(|e| e.to_string())?;
        Ok(Found { origin, bug: String::new(), text: file.to_owned() })
    }

    /// Tries it again. Returns the bug if it still occurs.
    ///
    /// # Errors
    /// There is no such attack.
    pub fn again(&self, external: &External, patience: Duration) -> Result<Option<String>, String> {
        let attack = all().into_iter().find(|a| a.to_string() == self.origin.attack);
        let attack = attack.ok_or_else(|| format!("there is no attack `{}`", self.origin.attack))?;
        Ok(judge(&attack, &self.sample(), self.origin.seed, external, patience).err())
    }

    fn sample(&self) -> Sample {
        let Origin { sized, most, values, .. } = &self.origin;
        let values = values.iter().map(|&v| v.into()).collect();
        Sample { text: self.text.clone(), sized: *sized, most: (*most).into(), values }
    }

    /// The same bug, or another one of the same attack, in the smallest program that is found until
    /// then, or until the search is stopped.
    pub fn smaller(
        self,
        external: &External,
        patience: Duration,
        until: Instant,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Found {
        let attack = all().into_iter().find(|a| a.to_string() == self.origin.attack);
        let Some(attack) = attack else { return self };
        let model = attack.programs.data_model();
        let Ok(program) = load(&self.text, model) else { return self };
        let mut best = self.clone();
        let sample = self.sample();
        minimise(&program, until, |candidate| {
            if stopped() {
                return false;
            }
            // The text that is written must show the bug and be accepted.
            let smaller = Sample { text: written(candidate), ..sample.clone() };
            if load(&smaller.text, model).is_err() {
                return false;
            }
            let Err(bug) = judge(&attack, &smaller, self.origin.seed, external, patience) else { return false };
            // A program without what the harness needs shows nothing.
            if bug.starts_with(compiled::NOT_COMPILED) && !self.bug.starts_with(compiled::NOT_COMPILED) {
                return false;
            }
            best = Found { bug, text: smaller.text, ..self.clone() };
            true
        });
        best
    }
}

/// A program as text that can be read again without a preprocessor.
fn written(program: &Program) -> String {
    to_c(program, &mut Plain).replace("#include <assert.h>", "void assert(int);")
}

/// [`Attack::judge_text`]; a panic is a bug too.
fn judge(
    attack: &Attack,
    sample: &Sample,
    seed: u64,
    external: &External,
    patience: Duration,
) -> Result<Looked, String> {
    let judged = || attack.judge_text(sample, seed, external, Instant::now() + patience);
    catch_unwind(AssertUnwindSafe(judged)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panics: {}", said.unwrap_or_default()))
    })
}

/// Tries an attack until the first bug, or until it is stopped.
pub fn trial(attack: &Attack, effort: &Effort, external: &External, stopped: &(dyn Fn() -> bool + Sync)) -> Trial {
    let mut trial = Trial::default();
    for seed in (effort.first..).take(effort.programs.try_into().unwrap_or(usize::MAX)) {
        let Trial { programs, looked, says_something, .. } = &mut trial;
        if stopped() || *programs > 0 && Instant::now() >= effort.until && *says_something {
            break;
        }
        *programs += 1;
        let sample = attack.programs.sample(seed);
        match judge(attack, &sample, seed, external, effort.patience) {
            Ok(more) => {
                *looked += more;
                *says_something = is_told(attack, looked);
            }
            Err(bug) => {
                trial.found = Some(Found::new(attack, seed, &sample, bug));
                break;
            }
        }
    }
    trial
}

fn is_told(attack: &Attack, looked: &Looked) -> bool {
    match attack.question {
        super::Question::States(_) | super::Question::Values(_) => looked.proved > 0 && looked.states > 0,
        super::Question::Formulas(_) | super::Question::Summaries | super::Question::Slices => looked.states > 0,
        super::Question::Agreement(_) => looked.proved > 0 && looked.failing > 0,
        // A search for failing runs proves nothing.
        super::Question::Verdicts(_) => looked.proved + looked.violated > 0,
        super::Question::CompiledValues(_) => looked.proved > 0,
        super::Question::Shrinkings | super::Question::Inductions => looked.proved > 0,
        super::Question::Compiler | super::Question::Reading => looked.runs > 0,
    }
}
