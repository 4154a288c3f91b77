//! Runs a program on concrete inputs.
//!
//! A run does what the documentation of [`crate::program`] says a `Program` means, one statement
//! after the other, and ends at the first operation whose check fails. It replays counterexamples,
//! and it is the oracle against which the abstract domains are tested.
//!
//! Where the interpreter does not know what C does (values of floats, bytes of larger objects,
//! addresses as numbers) it gives up with [`Outcome::Unsupported`] rather than guess.
//!
//! **Memory.** A variable or heap block is one object with its leaves (scalar cells) numbered in
//! the order of its type; a pointer is an object and the number of a leaf. Cells are made when they
//! are first touched, so an array of 2³¹ cells costs only the cells that are used. A local that is
//! declared again gets a new object, and the old one no longer exists: in C its lifetime ended with
//! its block.

mod bytes;
mod checks;
mod choices;
mod code;
mod evaluate;
mod formulas;
mod layout;
mod machine;
mod memory;
mod presume;
mod ranges;
mod state;
#[cfg(test)]
mod tests;
mod value;

pub use layout::path_of_leaf;
pub use machine::texts::standard_stream;
pub use memory::ObjectRef;
pub use state::{Seen, State};

use crate::program::{
    AssertionId, InputId, Location, ObligationKey, ObligationKind, Program, SiteId, Stmt, Type, VarId, print,
};
use std::collections::BTreeSet;
use std::time::Instant;

/// What a run needs from outside. Values are converted to the type of the cell that receives them,
/// as C converts; for a pointer, 0 is null and anything else an address that nothing lies at; for a
/// float the number is ignored.
pub trait Environment {
    /// The value of an input statement.
    fn input(&mut self, input: InputId, ty: &Type, at: Location) -> i128;

    /// The arbitrary value of a cell that is read before it is written. Called once for each cell.
    fn arbitrary(&mut self, origin: &CellOrigin<'_>, ty: &Type) -> i128;

    /// The value that a cell holds after a `Havoc` or a call of unknown code. Called once for each
    /// cell and havoc, when the cell is read.
    fn havoc(&mut self, ty: &Type, at: Location) -> i128;

    /// Whether there are texts for the arguments of `main` and the variables of its environment.
    fn gives_texts(&self) -> bool {
        false
    }

    /// Such a text, named for readers. A variable of the environment may be missing.
    fn text(&mut self, _name: &str, _may_be_missing: bool, _at: Location) -> Option<Vec<u8>> {
        None
    }

    /// Told at each place where a function of the library looks for something in texts: what it
    /// finds there, if the run did not know it without.
    fn found(&mut self, _value: Option<i128>, _at: Location) {}

    /// Whether cells that unknown code has written, and nobody has read, may get other values than
    /// [`Environment::havoc`] gives them, so that assumptions hold.
    fn chooses(&self) -> bool {
        false
    }

    /// Whether it matters if this `check` holds. If not, the run goes on without it.
    fn is_watched(&self, _check: AssertionId) -> bool {
        true
    }

    /// Whether the run goes on if this `check` fails (`false`) or has no value, instead of ending
    /// there.
    fn goes_on(&self, _check: AssertionId, _value: Option<bool>) -> bool {
        false
    }
}

/// Watches a run.
pub trait Observer {
    /// Before a statement is executed; for a loop when it is reached, before its first test.
    fn at(&mut self, _stmt: &Stmt, _state: &State<'_, '_>) {}

    /// Before each evaluation of a loop's condition.
    fn test(&mut self, _loop_stmt: &Stmt, _state: &State<'_, '_>) {}

    /// After the condition of an `if` or a loop has been evaluated.
    fn tested(&mut self, _stmt: &Stmt, _holds: bool) {}

    /// After a statement that is neither an `if`, a loop nor a jump has been executed: all of its
    /// operations were defined.
    fn done(&mut self, _stmt: &Stmt) {}
}

/// Watches nothing, at no cost.
impl Observer for () {}

/// Identifies a cell that is read before it is written.
#[derive(Clone, Copy, Debug)]
pub struct CellOrigin<'a> {
    /// The object.
    pub object: ObjectOrigin,
    /// Its type, with constants in place of variable lengths.
    pub object_type: &'a Type,
    /// The number of the cell among the object's scalar cells, in the order of the type.
    pub leaf: u64,
    /// The statement or expression that reads it.
    pub location: Location,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectOrigin {
    /// A variable.
    Variable {
        /// Which.
        variable: VarId,
        /// Which execution of its `Declare` in the run (parameters: which call), from 1; 0 for a
        /// variable that was never declared, and for globals.
        execution: u64,
    },
    /// A heap block.
    Heap {
        /// The `Allocate` statement.
        site: SiteId,
        /// Which execution of it in the run, from 1.
        execution: u64,
    },
    /// A text from outside of the program, or the array of those that `main` gets. All their cells
    /// have been written.
    Outside,
}

/// When a run is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of statements (and of cells that whole-object operations touch).
    pub steps: u64,
    /// The number of cells that may be in memory at a time.
    pub cells: u64,
    /// The depth of calls.
    pub depth: u32,
    /// The time at which the run is given up.
    pub deadline: Option<Instant>,
    /// Whether to give up a run that the program alone does not determine ([`Run::determined`]).
    pub alone: bool,
    /// Whether signed arithmetic that overflows wraps around, instead of ending the run: most
    /// compilers do this, but C does not promise it.
    pub wraps: bool,
    /// Whether a run ends where it reads what nothing has written, instead of going on with any
    /// value.
    pub unset_ends: bool,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits {
        steps: u64::MAX,
        cells: u64::MAX,
        depth: u32::MAX,
        deadline: None,
        alone: false,
        wraps: false,
        unset_ends: false,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, cells: 1 << 25, depth: 10_000, ..Limits::NONE }
    }
}

/// Which limit ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`Limits::steps`]
    Steps,
    /// [`Limits::cells`], or an object larger than any machine's memory.
    Memory,
    /// [`Limits::depth`]
    Depth,
    /// [`Limits::deadline`]
    Time,
    /// [`Limits::alone`]
    Outside,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned.
    Finished,
    /// A `Stop`.
    Stopped,
    /// An assertion failed.
    AssertionFailed(AssertionId),
    /// An assumption did not hold: this run is not considered.
    AssumptionFailed,
    /// The run breaks a listed assumption: it is not considered.
    Excluded {
        /// What it breaks.
        assumption: &'static str,
        /// Where.
        location: Location,
    },
    /// Undefined behaviour.
    Undefined {
        /// The check that failed.
        key: ObligationKey,
        /// Its kind.
        kind: ObligationKind,
        /// Where the operation stands.
        location: Location,
    },
    /// A limit was reached.
    LimitReached(Limit),
    /// The interpreter does not know what happens here.
    Unsupported {
        /// What is not known.
        reason: &'static str,
        /// Where.
        location: Location,
    },
}

/// What is known about a run that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many statements were executed.
    pub steps: u64,
    /// How often the environment had to give values for the effect of unknown code. If it is 0, the
    /// inputs and the arbitrary values determine the run.
    pub havocs: u64,
    /// Whether the text of the program alone determined the run: it took no input, read nothing
    /// indeterminate, called no unknown code, and compared no pointers where the answer depends on
    /// where objects lie. Then it is the only run.
    pub determined: bool,
    /// Whether it read, or copied, what nothing had written.
    pub read_unset: bool,
    /// If it ended as it should: the allocations of the blocks that it has not freed.
    pub left: BTreeSet<SiteId>,
    /// The statement at which it ended, unless it finished: its site and place.
    pub last: Option<(SiteId, Location)>,
    /// With [`Limits::wraps`], the operations that have overflowed.
    pub wrapped: BTreeSet<Location>,
}

/// Runs the program from its initialisers to the end of its entry function.
pub fn run<E: Environment, O: Observer>(
    program: &Program,
    environment: &mut E,
    observer: &mut O,
    limits: &Limits,
) -> Run {
    machine::run(program, environment, observer, limits)
}

impl CellOrigin<'_> {
    /// The cell as C writes it: `a[3].next`; for a heap block, `*block[3].next`.
    pub fn describe(&self, program: &Program) -> String {
        let object = match self.object {
            ObjectOrigin::Variable { variable, .. } => program.variable(variable).shown().into_owned(),
            ObjectOrigin::Heap { .. } => "*block".to_owned(),
            ObjectOrigin::Outside => "*text".to_owned(),
        };
        let path = path_of_leaf(program, self.object_type, self.leaf);
        object + &print::steps(program, self.object_type, &path, u64::to_string)
    }
}
