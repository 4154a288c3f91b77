//! Checks loop invariants by other means than those that found them (`--verify`).
//!
//! It answers two questions, both for small sizes only:
//!
//! * *Are they true?* The interpreter and CBMC run the program with the invariants as assertions at
//!   the heads of the loops. A run that fails one of them (confirmed by the interpreter) shows a
//!   bug of smalti. All results of the same domains are then dropped.
//! * *Are they inductive?* CBMC does not know how the invariants were found. It tries to show that
//!   they lead from any state in which they hold to the state after one iteration
//!   ([`induction::step`]). If it cannot, they may still be true, since the printed formulas say
//!   less than the abstract state. The answer is reported for each loop.

use super::board::Board;
use super::config::LEAST;
use super::progress::Silent;
use super::query::{Checker, Question, RESCUE};
use super::trial::{self, ODD, PLAIN};
use crate::analysis::{self, AllowedNames, AnalysisConfig, LoopClaims};
use crate::cbmc::{ModelChecker, Purpose, Sizes};
use crate::clock;
use crate::inline::inline;
use crate::program::{FunctionId, Location, Obligation, ObligationKey, Program, SourceMap};
use crate::reduce::induction::{self, About, Asked};
use crate::verdict::{Late, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Sizes of arrays whose length the program leaves open, and numbers of iterations of loops.
const RUNS: [u32; 2] = [1, 3];
/// The same for formulas about the cells in a range. The larger size is for loops in which no state
/// of the smaller size passes through an iteration.
const RANGES: [u32; 2] = [4, 26];
/// The time that runs by the interpreter may use.
const PLAIN_TIME: Duration = Duration::from_millis(500);

/// The results about the invariants of a program's loops.
#[derive(Clone, Debug, Default)]
pub struct CheckedInvariants {
    /// Each loop about which something is known.
    pub loops: Vec<CheckedLoop>,
    /// Why CBMC gave no answer, or only part of one.
    pub left_out: Option<Reason>,
    /// The largest size up to which CBMC has followed runs; 0 if it has followed none.
    pub followed: u32,
}

/// The result for one loop.
#[derive(Clone, Debug)]
pub struct CheckedLoop {
    /// The loop's place.
    pub location: Location,
    /// The function that it belongs to.
    pub function: FunctionId,
    /// A formula that some run fails: a bug of smalti.
    pub wrong: Option<String>,
    /// Whether the formulas are inductive.
    pub induction: Induction,
}

/// Whether the formulas of a loop can be shown by induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Induction {
    /// They can be shown, for ranges of up to this many cells.
    Holds(u32),
    /// These formulas cannot be shown.
    Not {
        /// Those that do not follow from what is known before the loop.
        not_established: Vec<String>,
        /// Those that an iteration may not preserve, as far as the formulas tell.
        not_preserved: Vec<String>,
    },
    /// This could not be found out, for this reason.
    Open(Reason),
}

impl Induction {
    fn in_words(&self, sources: &SourceMap) -> String {
        let list = |formulas: &[String]| formulas.iter().map(|f| format!("`{f}`")).collect::<Vec<_>>().join(", ");
        match self {
            Induction::Holds(size) => format!("inductive on small sizes (CBMC, up to {size} cells)"),
            Induction::Not { not_established, not_preserved } => {
                let mut why = Vec::new();
                if !not_established.is_empty() {
                    why.push(format!("{} does not follow from what is known before the loop", list(not_established)));
                }
                if !not_preserved.is_empty() {
                    why.push(format!("{} is not preserved", list(not_preserved)));
                }
                format!("not inductive by itself: {} (CBMC)", why.join("; "))
            }
            Induction::Open(why) => format!("not known to be inductive: {}", why.in_words(sources)),
        }
    }
}

impl CheckedInvariants {
    /// The formulas that some run fails.
    pub fn wrong(&self) -> impl Iterator<Item = &CheckedLoop> {
        self.loops.iter().filter(|l| l.wrong.is_some())
    }

    /// A sentence about the loop at a place.
    pub fn of(&self, sources: &SourceMap, at: Location) -> Option<String> {
        self.loops.iter().find(|l| l.location == at).map(|l| l.induction.in_words(sources))
    }

    /// A sentence about the runs that were followed; `None` if one fails.
    pub fn of_runs(&self, sources: &SourceMap) -> Option<String> {
        if let Some(why) = &self.left_out {
            return Some(format!(
                "loop invariants were checked with runs, but not with CBMC: {}",
                why.in_words(sources)
            ));
        }
        let holds = self.followed > 0 && self.wrong().next().is_none();
        holds.then(|| format!("no run with sizes up to {} violates a loop invariant (CBMC)", self.followed))
    }

    /// The results for a reader, a sentence for each loop.
    pub fn sentences(&self, program: &Program) -> Vec<String> {
        let mut out = Vec::new();
        for l in &self.loops {
            let at = program.sources.describe(l.location);
            if let Some(formula) = &l.wrong {
                out.push(format!(
                    "{at}: the invariant `{formula}` does not hold in a run: this is a bug of smalti, and the results of the domains are dropped"
                ));
                continue;
            }
            out.push(format!("{at}: loop invariant: {}", l.induction.in_words(&program.sources)));
        }
        out.extend(self.of_runs(&program.sources));
        out
    }
}

/// Checks the invariants that a stack with this name computes.
///
/// # Errors
/// The stack is not available.
pub fn check_invariants(
    program: &Program,
    config: &AnalysisConfig,
    names: AllowedNames,
    model: Result<&dyn ModelChecker, String>,
    deadline: Instant,
) -> Result<CheckedInvariants, analysis::Error> {
    let inlined = inline(program);
    let claims = analysis::loop_claims(program, &inlined, config, names)?;
    Ok(check_claims(&inlined.program, &claims, model, deadline))
}

/// Checks claims about the loops of a program whose calls are inlined.
pub(super) fn check_claims(
    program: &Program,
    claims: &LoopClaims,
    model: Result<&dyn ModelChecker, String>,
    deadline: Instant,
) -> CheckedInvariants {
    let mut found = CheckedInvariants::default();
    if claims.at.is_empty() {
        return found;
    }
    let wrong = runs(&induction::asserted(program, &claims.at), model.clone(), deadline, &mut found);
    let inductions = match induction::step(program, &claims.at) {
        Ok(asked) => inductions(&asked, claims, model, deadline),
        Err(why) => vec![Induction::Open(why.into()); claims.loops.len()],
    };
    let text = |l: usize, f: usize| claims.loops.get(l).and_then(|l| l.texts.get(f)).cloned().unwrap_or_default();
    for ((n, l), induction) in claims.loops.iter().enumerate().zip(inductions) {
        let wrong = wrong.iter().find(|about| about.number == n).map(|about| text(n, about.formula));
        found.loops.push(CheckedLoop { location: l.location, function: l.function, wrong, induction });
    }
    found
}

/// The claims that some run fails.
fn runs(
    asked: &Asked,
    model: Result<&dyn ModelChecker, String>,
    deadline: Instant,
    found: &mut CheckedInvariants,
) -> Vec<About> {
    let mut board = Board::new(asked.obligations.clone(), &Silent);
    let half = clock::now() + deadline.saturating_duration_since(clock::now()) / 2;
    trial::run(&asked.program, &[&PLAIN[..], &ODD[..]].concat(), half, PLAIN_TIME, &mut board);
    found.left_out = model.as_ref().err().cloned().map(Reason::Missing);
    let mut checker = Checker::new(&asked.program, model);
    let mut tuning = checker.tuning();
    for size in RUNS {
        let mut again = true;
        while again && found.left_out.is_none() {
            let open = board.open();
            if open.is_empty() || half.saturating_duration_since(clock::now()) < LEAST {
                break;
            }
            let question = Question {
                unwinding_assertions: false,
                sizes: Sizes::AtMost(size.into()),
                tuning,
                ..Question::of_all_runs(&asked.program, &open, size + 2)
            };
            again = false;
            match checker.ask(&question, half, &mut board) {
                Ok(answer) => {
                    found.followed = size;
                    again = answer.refuted > 0;
                }
                Err(why) if why.may_be_tuned && tuning != RESCUE => {
                    tuning = RESCUE;
                    again = true;
                }
                // The sizes that were followed earlier count.
                Err(why) if found.followed == 0 => found.left_out = Some(why.reason),
                Err(_) => break,
            }
        }
    }
    let decided = board.so_far();
    let refuted = decided.iter().filter(|d| d.verdict == Verdict::Violated);
    refuted.filter_map(|d| asked.about.get(&d.obligation.key)).copied().collect()
}

/// Finds out for each loop whether its claims are inductive.
fn inductions(
    asked: &Asked,
    claims: &LoopClaims,
    model: Result<&dyn ModelChecker, String>,
    deadline: Instant,
) -> Vec<Induction> {
    let mut found: BTreeMap<usize, Induction> = BTreeMap::new();
    let mut open: BTreeSet<usize> = asked.about.values().map(|about| about.number).collect();
    let mut checker = Checker::new(&asked.program, model);
    let mut reason = Reason::Undecided("no state of a small size passes through an iteration".to_owned());
    for size in RANGES {
        let of_open: Vec<Obligation> =
            asked.obligations.iter().filter(|o| open.contains(&asked.about[&o.key].number)).cloned().collect();
        if of_open.is_empty() {
            break;
        }
        if deadline.saturating_duration_since(clock::now()) < LEAST {
            reason = Reason::Time(Late::Share);
            break;
        }
        let decide = Question {
            unwinding_assertions: false,
            sizes: Sizes::AtMost(size.into()),
            tuning: checker.tuning(),
            ..Question::of_all_runs(&asked.program, &of_open, size + 2)
        };
        // If no state satisfies a claim, its proof is vacuous.
        let reach = Question { purpose: Purpose::Reach { defined: true }, ..decide };
        let answers =
            checker.failing(&decide, deadline).and_then(|fails| Ok((fails, checker.failing(&reach, deadline)?)));
        let (fails, reached) = match answers {
            Ok(answers) => answers,
            Err(why) => {
                reason = why.reason;
                break;
            }
        };
        let texts = |keys: &BTreeSet<ObligationKey>, number: usize, preserved: bool| -> Vec<String> {
            let of = |k: &ObligationKey| asked.about.get(k).filter(|a| a.number == number && a.preserved == preserved);
            let text = |a: &About| claims.loops.get(number).and_then(|l| l.texts.get(a.formula)).cloned();
            keys.iter().filter_map(of).filter_map(text).collect()
        };
        for number in open.clone() {
            let not_established = texts(&fails, number, false);
            let not_preserved = texts(&fails, number, true);
            if !not_established.is_empty() || !not_preserved.is_empty() {
                found.insert(number, Induction::Not { not_established, not_preserved });
            } else if !texts(&reached, number, true).is_empty() {
                found.insert(number, Induction::Holds(size));
            } else {
                continue;
            }
            open.remove(&number);
        }
    }
    let nothing = |n: usize| match claims.loops[n].texts.is_empty() {
        true => Induction::Open(Reason::Undecided("the domains know nothing about it".to_owned())),
        false => Induction::Open(reason.clone()),
    };
    (0..claims.loops.len()).map(|n| found.remove(&n).unwrap_or_else(|| nothing(n))).collect()
}

#[cfg(test)]
mod tests;
