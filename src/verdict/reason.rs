//! Reasons why obligations stay open, as data. Code that uses a reason looks at its variant, never
//! at its words. `words` makes the sentences that people read.

use crate::process::Failure;
use crate::program::Location;

/// Why a stage left an obligation open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Time ran out: with more time, or on another machine, the answer may differ.
    Time(Late),
    /// The memory that the run may use was used up in the middle of this; empty where the stage
    /// had just begun.
    Memory(String),
    /// A signal ended the work in the middle of this; empty where it had just begun.
    Interrupted(String),
    /// A program that the stage asks is missing or cannot be used: which one, and why.
    Missing(String),
    /// A program that the stage asks gave no usable answer.
    Failed {
        /// Which.
        tool: Tool,
        /// What it did instead, as the end of a sentence that begins with its name.
        how: String,
    },
    /// The stage does not apply to the program.
    Refused {
        /// What it met, as the end of a sentence after "because".
        what: String,
        /// Where.
        place: Option<Location>,
    },
    /// The stage decides assertions only, and the obligation is not an assertion.
    OnlyAssertions,
    /// The stage does not decide obligations of this kind: lifetimes, what was written, or what is
    /// called.
    NotItsKind,
    /// Nothing calls the function that contains the obligation.
    Uncalled,
    /// The program has several runs, and the stage only follows a single run.
    SeveralRuns,
    /// A failing run was found, but it fails somewhere else first.
    FailsElsewhere,
    /// A run was reported to fail, but it proves nothing.
    Unconfirmed {
        /// It is the only run of the program.
        only: bool,
        /// Why it proves nothing.
        why: Unconfirmed,
    },
    /// A run fails, but the program has a gap, so it may not be a real run: which gap.
    Doubtful(String),
    /// The obligation holds in all runs that reach it, but no such run was found.
    NoArrival(NoArrival),
    /// Only runs that have met undefined behaviour before reach the obligation.
    Undefined,
    /// The function is also called in a way that the domains do not follow.
    Unfollowed,
    /// The domains do not prove the obligation.
    Unproved,
    /// No run fails with sizes up to this.
    Searched {
        /// The largest size that was searched.
        size: u32,
        /// Why no larger one was tried.
        then: Option<Box<Reason>>,
    },
    /// Loops do not end within this many iterations.
    Unwound {
        /// The largest number of iterations that was tried.
        iterations: u32,
        /// Why no larger one was tried.
        then: Option<Box<Reason>>,
    },
    /// A reason that is about this.
    Of(String, Box<Reason>),
    /// The earlier stages had decided nothing for a long time, so this stage was not begun.
    GivenBack,
    /// Success would prove nothing, because of this.
    Obstacle(String),
    /// The stage finished, but its result decides nothing; in its own words.
    Undecided(String),
}

/// Which time ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Late {
    /// No time was left when the stage began.
    Unbegun,
    /// The share of the stage, or of the obligation, was over.
    Share,
    /// A program that was asked did not answer in time.
    Asking(Tool),
    /// Whether a run reaches the obligation was not found out in time.
    Arriving,
    /// The limit of the whole run cut it off in the middle of this; empty where it had just begun.
    CutOff(String),
}

/// A program that stages ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The model checker.
    Cbmc,
    /// The SMT solver.
    Solver,
}

/// Why a run that was reported to fail proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// It has undefined behaviour of that kind first.
    Undefined(String, Location),
    /// It breaks this assumption first.
    Breaks(String, Location),
    /// It reaches something that the interpreter does not support.
    Unsupported(String, Location),
    /// It ends at an assumption of the source that does not hold, at this place.
    Ends(Option<Location>),
    /// It needs too many of these: steps, memory, calls.
    TooMuch(&'static str),
    /// It needs too much time.
    Late,
    /// It needs input from outside.
    Outside,
    /// It does not fail.
    Passes,
    /// It depends on values that code outside of the program has left.
    Unknown,
}

/// Why a proof may be vacuous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoArrival {
    /// Runs end before they reach the obligation: what they do first, and where.
    Ends(String, Location),
    /// Operations on the way may be undefined.
    Doubt,
    /// The proof is of an abstraction, which has more runs.
    Abstraction,
    /// No run of the reduced program reaches the obligation.
    Reduced,
}

impl Reason {
    /// Makes the reason for a program that gave no answer.
    pub fn of_failure(tool: Tool, failure: &Failure) -> Reason {
        match failure {
            Failure::Late => Reason::Time(Late::Asking(tool)),
            _ => Reason::Failed { tool, how: failure.to_string() },
        }
    }

    /// Makes the same reason, about something.
    pub fn of(self, what: &str) -> Reason {
        Reason::Of(what.to_owned(), Box::new(self))
    }

    /// Whether time ran out, or more time might have given another answer.
    pub fn is_of_time(&self) -> bool {
        match self {
            Reason::Time(_) | Reason::Unconfirmed { why: Unconfirmed::Late, .. } => true,
            Reason::Searched { then, .. } | Reason::Unwound { then, .. } => {
                then.as_ref().is_some_and(|then| then.is_of_time())
            }
            Reason::Of(_, reason) => reason.is_of_time(),
            _ => false,
        }
    }

    /// All results of [`Reason::word`]. `docs/check.schema.json` lists them.
    pub const WORDS: [&'static str; 10] = [
        "time",
        "memory",
        "interrupted",
        "missing",
        "failed",
        "refused",
        "not_asked",
        "unconfirmed",
        "undefined",
        "undecided",
    ];

    /// The kind of the reason, as one word for programs that read reports.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Time(_) | Reason::Unconfirmed { why: Unconfirmed::Late, .. } => "time",
            Reason::Memory(_) => "memory",
            Reason::Interrupted(_) => "interrupted",
            Reason::Missing(_) => "missing",
            Reason::Failed { .. } => "failed",
            Reason::Refused { .. } => "refused",
            Reason::OnlyAssertions | Reason::NotItsKind | Reason::Uncalled | Reason::SeveralRuns => "not_asked",
            Reason::FailsElsewhere | Reason::Unconfirmed { .. } | Reason::Doubtful(_) => "unconfirmed",
            Reason::NoArrival(_) | Reason::Undefined => "undefined",
            Reason::Searched { then, .. } | Reason::Unwound { then, .. } => {
                then.as_ref().map_or("undecided", |then| then.word())
            }
            Reason::Of(_, reason) => reason.word(),
            Reason::GivenBack | Reason::Unfollowed | Reason::Unproved | Reason::Obstacle(_) | Reason::Undecided(_) => {
                "undecided"
            }
        }
    }

    /// The place in the source that the reason is about.
    pub fn place(&self) -> Option<Location> {
        match self {
            Reason::Refused { place, .. } => *place,
            Reason::NoArrival(NoArrival::Ends(_, at))
            | Reason::Unconfirmed {
                why: Unconfirmed::Undefined(_, at) | Unconfirmed::Breaks(_, at) | Unconfirmed::Unsupported(_, at),
                ..
            } => Some(*at),
            Reason::Unconfirmed { why: Unconfirmed::Ends(at), .. } => *at,
            Reason::Searched { then, .. } | Reason::Unwound { then, .. } => then.as_ref()?.place(),
            Reason::Of(_, reason) => reason.place(),
            _ => None,
        }
    }
}

/// A failure to get an answer, in words.
impl From<String> for Reason {
    fn from(words: String) -> Reason {
        Reason::Undecided(words)
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Tool::Cbmc => "CBMC",
            Tool::Solver => "the SMT solver",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FileId;
    use std::collections::BTreeSet;

    /// The next kind of reason, in some order. Each kind occurs once, with a variant that has a
    /// word of its own if there is one.
    fn after(reason: &Reason) -> Option<Reason> {
        let at = Location { file: FileId(0), line: 1, column: 1 };
        let then = Some(Box::new(Reason::Memory(String::new())));
        Some(match reason {
            Reason::Time(_) => Reason::Memory(String::new()),
            Reason::Memory(_) => Reason::Interrupted(String::new()),
            Reason::Interrupted(_) => Reason::Missing(String::new()),
            Reason::Missing(_) => Reason::Failed { tool: Tool::Cbmc, how: String::new() },
            Reason::Failed { .. } => Reason::Refused { what: String::new(), place: None },
            Reason::Refused { .. } => Reason::OnlyAssertions,
            Reason::OnlyAssertions => Reason::NotItsKind,
            Reason::NotItsKind => Reason::Uncalled,
            Reason::Uncalled => Reason::SeveralRuns,
            Reason::SeveralRuns => Reason::FailsElsewhere,
            Reason::FailsElsewhere => Reason::Unconfirmed { only: false, why: Unconfirmed::Late },
            Reason::Unconfirmed { why: Unconfirmed::Late, .. } => {
                Reason::Unconfirmed { only: false, why: Unconfirmed::Undefined(String::new(), at) }
            }
            Reason::Unconfirmed { .. } => Reason::Doubtful(String::new()),
            Reason::Doubtful(_) => Reason::NoArrival(NoArrival::Doubt),
            Reason::NoArrival(_) => Reason::Undefined,
            Reason::Undefined => Reason::Unfollowed,
            Reason::Unfollowed => Reason::Unproved,
            Reason::Unproved => Reason::Searched { size: 1, then: None },
            Reason::Searched { .. } => Reason::Unwound { iterations: 1, then },
            Reason::Unwound { .. } => Reason::Of(String::new(), Box::new(Reason::Time(Late::Share))),
            Reason::Of(..) => Reason::GivenBack,
            Reason::GivenBack => Reason::Obstacle(String::new()),
            Reason::Obstacle(_) => Reason::Undecided(String::new()),
            Reason::Undecided(_) => return None,
        })
    }

    #[test]
    fn every_word_is_listed_and_every_listed_one_is_said() {
        let all = std::iter::successors(Some(Reason::Time(Late::Unbegun)), after);
        let said: BTreeSet<&str> = all.map(|reason| reason.word()).collect();
        assert_eq!(said, Reason::WORDS.into_iter().collect());
    }
}
