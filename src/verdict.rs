//! The results for a program: verdicts with evidence, gathered in one [`Report`].

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
    /// No run reaches this place.
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
    /// There are obligations, and all are proved or unreachable.
    True,
    /// Some obligation is violated.
    False,
    /// Anything else.
    Unknown,
}

/// The answer of a stage for one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// [`Verdict::Proved`], with the means: numbers and names.
    Proved(String),
    /// [`Verdict::Unreachable`], with the means.
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
    /// Why stages left the obligation open, in their order; kept even if a later stage decided it.
    pub reasons: Vec<LeftOpen>,
    /// The loop invariants that were found and prove it, for `proved`.
    pub invariants: Vec<FoundInvariant>,
    /// What came nearest to a proof, for `unknown`.
    pub nearest: Option<NearestInvariant>,
    /// The failing run, for `violated`.
    pub counterexample: Option<Counterexample>,
}

impl Evidence {
    /// What a stage says without numbers, reasons or runs.
    pub fn of(stage: Stage) -> Evidence {
        Evidence {
            stage,
            detail: String::new(),
            time_ms: 0,
            reasons: Vec::new(),
            invariants: Vec::new(),
            nearest: None,
            counterexample: None,
        }
    }
}

/// A loop invariant that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundInvariant {
    /// The loop.
    pub location: Location,
    /// What holds whenever a run is at the head of the loop, as in ACSL.
    pub text: String,
}

/// A formula from which an obligation would follow if it were a loop invariant, but nothing shows
/// that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestInvariant {
    /// The formula, at the head of a loop.
    pub invariant: FoundInvariant,
    /// Whether it may be false when the loop begins; otherwise, after an iteration.
    pub at_the_start: bool,
    /// The values of variables there: at the start, or when the iteration begins. Empty if nothing
    /// is known of them.
    pub values: Vec<(String, i128)>,
}

/// A stage's last reason for leaving an obligation open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOpen {
    /// The stage.
    pub stage: Stage,
    /// Why the stage left the obligation open.
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
    /// The texts that it read, in order: arguments of `main` and variables of the environment,
    /// which may be missing.
    #[serde(skip)]
    pub texts: Vec<Option<Vec<u8>>>,
    /// How many statements it executed up to the failure.
    pub steps: u64,
    /// The path of the run from its beginning; only a part of it if the run is long.
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
        /// Whether a function of the C library took it, and not the program itself.
        #[serde(skip)]
        of_library: bool,
    },
    /// It called a function that has a body.
    Call {
        /// Which.
        function: String,
    },
    /// It reached an `if` whose condition held, or did not.
    Branch {
        /// Whether it held.
        holds: bool,
    },
    /// It reached the condition of a loop.
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
    /// The number of further operations of these kinds whose constants alone show that they are
    /// defined.
    pub settled: u64,
    /// Whether the work was finished. It is not if a limit or a signal cut it off. Open obligations
    /// might then have been decided, and `obligations` may be empty if the cut came early.
    pub complete: bool,
    /// The assumptions that the answers rest on, one for each sentence; empty where nothing is
    /// answered. (While the work goes on: all that is taken for granted.)
    pub assumptions: Vec<Assumption>,
    /// Settings that could change a verdict: stack, stages, data model, limits. Names are sorted.
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

    /// Whether nothing is violated or open. This also holds if there is nothing to prove. That says
    /// nothing about the program, so the outcome is then unknown.
    pub fn holds(&self) -> bool {
        let good = |d: &Decided| matches!(d.verdict, Verdict::Proved | Verdict::Unreachable);
        self.complete && self.obligations.iter().all(good)
    }
}

impl Report {
    /// The obligations whose answers may rest on an assumption. These are all answered obligations,
    /// or only the proved ones if the assumption concerns proofs alone. It is not checked which
    /// answers would change without the assumption.
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
    /// Whether the obligation is open because time ran out for some stage. With more time, or on
    /// another machine, it may be decided.
    pub fn is_late(&self) -> bool {
        self.verdict == Verdict::Unknown && self.evidence.reasons.iter().any(|left| left.reason.is_of_time())
    }
}
