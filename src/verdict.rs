//! What is found out about a program: verdicts with evidence, gathered in one [`Report`].

mod reason;
mod stage;
mod words;

pub use reason::{Late, NoArrival, Reason, Tool, Unconfirmed};
pub use stage::{Stage, StageEntry};

use crate::program::{Assumption, InputId, Location, Obligation, SourceMap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer for one obligation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No run fails here first.
    Proved,
    /// No run comes here.
    Unreachable,
    /// A run fails here; the evidence holds its inputs, and the interpreter has run them on the
    /// original program.
    Violated,
    /// Neither was found out; the evidence says why.
    Unknown,
}

/// The answer for the program as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Something was to be proved, and all of it is proved or unreachable.
    True,
    /// Some obligation is violated.
    False,
    /// Anything else.
    Unknown,
}

/// What a stage says of one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// [`Verdict::Proved`], by what: numbers and names.
    Proved(String),
    /// [`Verdict::Unreachable`], by what.
    Unreachable(String),
    /// [`Verdict::Violated`]: how the run was found, and the run.
    Violated(String, Counterexample),
    /// [`Verdict::Unknown`], as far as this stage goes.
    Open(Reason),
}

/// What makes a verdict believable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The stage that decided; for `unknown`, the last one that tried.
    pub stage: Stage,
    /// Numbers and names: the stack, the unwinding. Empty for `unknown`.
    pub detail: String,
    /// How long the stage worked on it (shared work counted whole), in milliseconds.
    pub time_ms: u64,
    /// Why stages left it open, in their order; also of what a later stage has decided.
    pub reasons: Vec<LeftOpen>,
    /// The failing run, for `violated`.
    pub counterexample: Option<Counterexample>,
}

/// A stage's last word about an obligation that it has left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOpen {
    /// The stage.
    pub stage: Stage,
    /// Why it did.
    pub reason: Reason,
}

/// A failing run that the interpreter has replayed on the original program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// What the run read, in order.
    pub inputs: Vec<InputValue>,
    /// The values of all that it read, in order; `None` where they are too many to be kept.
    #[serde(skip)]
    pub values: Option<Vec<i128>>,
    /// How many statements it executed up to the failure.
    pub steps: u64,
    /// Where it went, from its beginning on: not all of it where the run is long.
    pub path: Vec<PathStep>,
    /// Whether `path` leaves something out.
    pub shortened: bool,
    /// The statements, with what they changed; of a long run its beginning and its end.
    #[serde(skip)]
    pub statements: Vec<RunStep>,
}

/// One thing that a failing run did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathStep {
    /// Where.
    #[serde(skip)]
    pub location: Location,
    /// Where, as `file:line:column`.
    pub place: String,
    /// What.
    #[serde(flatten)]
    pub event: PathEvent,
}

/// What a failing run did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "event")]
pub enum PathEvent {
    /// It took an input.
    Input {
        /// What received it, as C.
        target: String,
        /// The value.
        value: i128,
    },
    /// It called a function that has a body.
    Call {
        /// Which.
        function: String,
    },
    /// It came to an `if` whose condition held, or did not.
    Branch {
        /// Whether it held.
        holds: bool,
    },
    /// It came to the condition of a loop.
    Loop {
        /// Whether it held.
        holds: bool,
    },
}

/// One statement of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The statement.
    pub at: Location,
    /// The function that runs; empty for initialisers.
    pub function: String,
    /// What it changed: cells of variables, as C, and their new values.
    pub changes: Vec<(String, String)>,
    /// How many statements after it are left out.
    pub left_out: u64,
}

/// One value that a run took from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputValue {
    /// The place that took it; `None` for the initial value of an uninitialised object.
    #[serde(skip)]
    pub input: Option<InputId>,
    /// Where, as `file:line:column`.
    pub place: String,
    /// What received it, as C.
    pub target: String,
    /// The value.
    pub value: i128,
}

/// An obligation with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The obligation.
    pub obligation: Obligation,
    /// The answer.
    pub verdict: Verdict,
    /// Why.
    pub evidence: Evidence,
}

/// Everything that one run of the analyser found out. Every output format is a view of this.
#[derive(Clone, Debug)]
pub struct Report {
    /// The files given, as the user wrote them.
    pub files: Vec<String>,
    /// The sources that locations point into.
    pub sources: SourceMap,
    /// All selected obligations, in the order of [`crate::program::obligations`].
    pub obligations: Vec<Decided>,
    /// How many more operations of these kinds have defined behaviour by their constants alone.
    pub settled: u64,
    /// Whether the work was done. It was not where a limit or a signal cut it off: then what is
    /// open might have been decided, and where that happened early, `obligations` may be empty.
    pub complete: bool,
    /// What the answers rest on, one for each sentence; empty where nothing is answered. (While
    /// the work goes on: all that is taken for granted.)
    pub assumptions: Vec<Assumption>,
    /// What could change a verdict: stack, stages, data model, limits. Names are sorted.
    pub configuration: BTreeMap<String, String>,
    /// Numbers of interest (`time_ms` and others). Names are sorted.
    pub statistics: BTreeMap<String, u64>,
    /// Sentences for the user about the run itself (CBMC missing, time limit reached). Not
    /// verdicts.
    pub notes: Vec<String>,
}

impl Report {
    /// The answer for the program as a whole.
    pub fn outcome(&self) -> Outcome {
        let some = |v: Verdict| self.obligations.iter().any(|d| d.verdict == v);
        if some(Verdict::Violated) {
            Outcome::False
        } else if !self.holds() || (self.obligations.is_empty() && self.settled == 0) {
            Outcome::Unknown
        } else {
            Outcome::True
        }
    }

    /// Whether nothing is violated or open. That is also so where there is nothing to prove, which
    /// says nothing of the program: then the outcome is unknown.
    pub fn holds(&self) -> bool {
        let good = |d: &Decided| matches!(d.verdict, Verdict::Proved | Verdict::Unreachable);
        self.complete && self.obligations.iter().all(good)
    }
}

impl Report {
    /// The obligations whose answers rest on an assumption, at most: all that are answered, unless
    /// it is one of proofs alone. Which of them would be other answers without it, nobody looks.
    pub fn resting_on<'r>(&'r self, assumption: &Assumption) -> impl Iterator<Item = &'r Decided> {
        let of_proofs = assumption.of_proofs;
        self.obligations.iter().filter(move |d| match d.verdict {
            Verdict::Unknown => false,
            Verdict::Violated => !of_proofs,
            Verdict::Proved | Verdict::Unreachable => true,
        })
    }
}

impl Decided {
    /// Whether it is open because time ran out for some stage: with more of it, or on another
    /// machine, it may be decided.
    pub fn is_late(&self) -> bool {
        self.verdict == Verdict::Unknown && self.evidence.reasons.iter().any(|left| left.reason.is_of_time())
    }
}
