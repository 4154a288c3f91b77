//! Ways to attack the analyser. An attack is a kind of random program and a question about smalti's
//! answers that runs can decide.
//!
//! [`all`] lists them. The tests try each for a moment ([`trial`]). `scripts/soak` tries them for
//! hours, and reduces the programs that show bugs ([`minimise`](super::minimise)).

mod agreement;
mod compiled;
mod damage;
mod external;
mod judge;
mod question;
mod runs;
mod slices;
mod states;
mod summaries;
mod trial;
mod verdicts;

pub(in crate::fuzz) use damage::damaged;
pub use damage::{Said, read};
pub use external::External;
pub use question::Question;
pub use trial::{Effort, Found, Trial, trial};

use super::reductions::{Sample, SampleOutcome, Target};
use super::{Config, Random, accesses, computations, pruning, reductions, scatter, small_loops};
use crate::lower::{LowerOptions, load_text};
use crate::program::{DataModel, Program};
use crate::values::Way;
use crate::verdict::Stage;
use std::fmt;

/// A kind of random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Programs {
    /// Everything that the front end accepts.
    General,
    /// The same, for a machine with 32 bits.
    Narrow,
    /// The same, but so short that CBMC answers soon.
    Short,
    /// The same, without jumps.
    Structured,
    /// The same in one function, with jumps, and longer.
    OneFunction,
    /// Over a table whose fields are indexes of the table.
    Tables,
    /// With annotations about the cells of arrays.
    Specifications,
    /// With one state, and formulas about it.
    Formulas,
    /// With loops whose invariants may hold or not.
    Invariants,
    /// Loops in the fragment of loop pruning, or just outside of it.
    Loops,
    /// Built from facts about arrays. Every second one is spoilt.
    Facts(Target),
    /// A few loops over arrays of up to five cells.
    Cascades,
    /// Such loops, and a search.
    Searches,
    /// Nests over small matrices.
    Nests,
    /// Loops whose values have closed forms, and similar ones.
    Computations,
    /// Loops that write cells at arbitrary places, and sums of all cells.
    Scatter,
    /// Accesses by index and through pointers behind conditions, of which some do not suffice.
    Accesses,
    /// Whose memory is seen in many ways.
    Views,
    /// Whose objects end, perhaps before they are used.
    Lifetimes,
    /// Whose objects are perhaps read before they are written.
    Reads,
    /// With annotations of the whole grammar. Many are refused.
    Annotations,
    /// Programs with a few damaged places. Most are not valid any more.
    Damaged,
    /// Damaged answers of a tool instead of programs.
    Answers(Said),
}

impl Programs {
    /// The program with this number, always the same.
    pub fn sample(self, seed: u64) -> Sample {
        let text = |text| Sample { text, ..Sample::default() };
        let general = |config: Config| text(super::program(seed, &config));
        match self {
            Programs::General | Programs::Narrow => general(Config::default()),
            Programs::Short => general(Config { statements: 8, ..Config::default() }),
            Programs::Structured => general(Config { jumps: false, ..Config::default() }),
            Programs::OneFunction => general(Config { functions: false, statements: 40, ..Config::default() }),
            Programs::Tables => general(Config { tables: true, ..Config::default() }),
            Programs::Specifications => general(Config { specifications: true, ..Config::default() }),
            Programs::Formulas => text(super::formulas::program(seed, 12)),
            Programs::Invariants => text(super::specs::with_invariants(seed)),
            Programs::Loops => {
                let size = match seed % 4 {
                    0 => pruning::Size::Input,
                    1 => pruning::Size::Constant(14),
                    2 => pruning::Size::Constant(22),
                    _ => pruning::Size::Constant(34),
                };
                let values = (-4..=4).chain([9, 100, -4000, 4000]).collect();
                Sample { text: pruning::program(seed, size), sized: size == pruning::Size::Input, most: 24, values }
            }
            Programs::Facts(target) => facts(seed, target),
            Programs::Cascades => text(small_loops::cascade(seed)),
            Programs::Searches => text(small_loops::search(seed)),
            Programs::Nests => text(small_loops::nest(seed)),
            Programs::Computations => computations::sample(seed),
            Programs::Scatter => scatter::sample(seed),
            Programs::Accesses => accesses::sample(seed),
            Programs::Views => text(super::views::program(seed)),
            Programs::Lifetimes => text(super::lifetimes::program(seed)),
            Programs::Reads => text(super::reads::program(seed)),
            Programs::Annotations => text(super::annotations::program(Random::new(seed))),
            Programs::Damaged => {
                let kinds = [Programs::Short, Programs::Tables, Programs::Specifications, Programs::Cascades];
                let whole = kinds[(seed % 4) as usize].sample(seed).text;
                text(damage::damaged(&whole, &mut Random::new(!seed)))
            }
            Programs::Answers(by) => text(damage::said(by, seed)),
        }
    }

    /// The machine that they are for.
    pub fn data_model(self) -> DataModel {
        if self == Programs::Narrow { DataModel::Ilp32 } else { DataModel::Lp64 }
    }

    /// Whether CBMC follows all runs of such a program in seconds.
    fn are_small(self) -> bool {
        matches!(self, Programs::Short | Programs::Cascades | Programs::Searches | Programs::Nests)
    }
}

/// Every second program is spoilt, in one of a few ways, so that a run may fail.
fn facts(seed: u64, target: Target) -> Sample {
    if seed.is_multiple_of(2) {
        return reductions::program(seed / 2, target, None);
    }
    let spoilt = |way| reductions::program(seed / 2, target, Some(way));
    let fails = |sample: &Sample| {
        load(&sample.text, DataModel::Lp64)
            .is_ok_and(|program| SampleOutcome::run(&program, sample, seed, 40) == SampleOutcome::Fails)
    };
    (0..8).map(spoilt).find(fails).unwrap_or_else(|| spoilt(8))
}

/// Reads the text of a random program for such a machine.
///
/// # Errors
/// It is not accepted: the message.
pub fn load(text: &str, data_model: DataModel) -> Result<Program, String> {
    let options = LowerOptions { preprocess: false, data_model, ..LowerOptions::default() };
    load_text("random.c", text, &options).map_err(|e| format!("not accepted: {}", e.message()))
}

/// One way to attack the analyser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// The programs.
    pub programs: Programs,
    /// The question about them.
    pub question: Question,
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let programs = match self.programs {
            Programs::General => "general",
            Programs::Narrow => "general-32-bit",
            Programs::Short => "short",
            Programs::Structured => "structured",
            Programs::OneFunction => "one-function",
            Programs::Tables => "tables",
            Programs::Specifications => "specifications",
            Programs::Formulas => "known-states",
            Programs::Invariants => "invariants",
            Programs::Loops => "loops",
            Programs::Facts(Target::Prune) => "facts-of-long-loops",
            Programs::Facts(Target::Shrink) => "facts-of-short-loops",
            Programs::Facts(Target::Accelerate) => "facts-of-accelerated-loops",
            Programs::Cascades => "cascades",
            Programs::Searches => "searches",
            Programs::Nests => "nests",
            Programs::Computations => "computations",
            Programs::Scatter => "scatter",
            Programs::Accesses => "accesses",
            Programs::Views => "views",
            Programs::Lifetimes => "lifetimes",
            Programs::Reads => "reads",
            Programs::Annotations => "annotations",
            Programs::Damaged => "damaged",
            Programs::Answers(Said::ByCbmc) => "answers-of-cbmc",
            Programs::Answers(Said::BySolver) => "answers-of-a-solver",
        };
        write!(f, "{programs}:{}", self.question)
    }
}

/// The amount of work that the judgements rest on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looked {
    /// Runs to their end.
    pub runs: u64,
    /// States of runs that were compared with abstract states, formulas, or states of a slice's
    /// runs; values that were compared with terms.
    pub states: u64,
    /// Values whose terms mention something that runs do not tell.
    pub skipped: u64,
    /// All obligations.
    pub obligations: u64,
    /// Obligations that were proved.
    pub proved: u64,
    /// Obligations that were refuted.
    pub violated: u64,
    /// Programs for which a run fails.
    pub failing: u64,
    /// Formulas about all cells in a range.
    pub ranges: u64,
    /// Results that failed their own check and were dropped. This is sound, but it is a bug
    /// unless an inclusion test is known to be incomplete.
    pub unverified: u64,
}

impl std::ops::AddAssign for Looked {
    fn add_assign(&mut self, other: Looked) {
        self.runs += other.runs;
        self.states += other.states;
        self.skipped += other.skipped;
        self.obligations += other.obligations;
        self.proved += other.proved;
        self.violated += other.violated;
        self.failing += other.failing;
        self.ranges += other.ranges;
        self.unverified += other.unverified;
    }
}

/// All attacks.
pub fn all() -> Vec<Attack> {
    use Programs::{Cascades, Computations, Facts, General, Loops, Nests, Searches, Short, Specifications, Tables};
    let mut attacks = Vec::new();
    let mut add = |programs, question| attacks.push(Attack { programs, question });
    let states = |stack: &str| Question::States(stack.to_owned());
    of_stacks(&mut add);
    of_values(&mut add);
    let formulas = |stack: &str| Question::Formulas(stack.to_owned());
    for stack in ["smash/octagon", "partition/box", "partition/octagon"] {
        add(General, formulas(stack));
    }
    add(Facts(Target::Shrink), formulas("partition/octagon"));
    let stage = |stage| Question::Verdicts(vec![stage]);
    for one in [Stage::Bounded, Stage::Slice, Stage::Refine, Stage::Unwind] {
        add(Short, stage(one));
    }
    add(Loops, stage(Stage::Prune));
    add(Facts(Target::Prune), stage(Stage::Prune));
    for one in [Stage::Shrink, Stage::Refine] {
        add(Facts(Target::Shrink), stage(one));
    }
    for one in [Stage::Summary, Stage::Shrink] {
        add(Facts(Target::Accelerate), stage(one));
    }
    add(Cascades, stage(Stage::Prune));
    for programs in [Cascades, Searches, Nests] {
        add(programs, stage(Stage::Shrink));
        add(programs, Question::Shrinkings);
    }
    for programs in [Short, Tables, Specifications, Facts(Target::Prune), Facts(Target::Shrink), Nests] {
        add(programs, Question::Verdicts(Stage::ALL.to_vec()));
    }
    for programs in [Computations, General, Facts(Target::Accelerate), Cascades, Searches, Nests] {
        add(programs, Question::Summaries);
    }
    for programs in [Computations, Programs::Scatter, Short, Tables, Searches, Nests] {
        add(programs, stage(Stage::Summary));
    }
    for stages in [vec![Stage::Summary], vec![Stage::Induction], vec![Stage::Domains, Stage::Summary, Stage::Induction]]
    {
        add(Programs::Accesses, Question::Verdicts(stages));
    }
    for programs in [Programs::Invariants, General, Specifications, Tables, Nests, Cascades] {
        add(programs, Question::Inductions);
    }
    for one in [Stage::Domains, Stage::Summary, Stage::Induction, Stage::Unwind] {
        add(Programs::Formulas, Question::Agreement(one));
    }
    add(Programs::Invariants, stage(Stage::Induction));
    add(Programs::Invariants, states("relation/partition/octagon"));
    for programs in [General, Programs::Structured, Programs::OneFunction] {
        add(programs, Question::Slices);
    }
    for programs in [General, Programs::Narrow] {
        add(programs, Question::Compiler);
    }
    add(Programs::Narrow, states("relation/partition/octagon"));
    add(Programs::Narrow, stage(Stage::Bounded));
    for programs in [Programs::Lifetimes, Programs::Reads] {
        add(programs, stage(Stage::Unwind));
    }
    add(Programs::Damaged, states("relation/partition/octagon"));
    add(Programs::Annotations, Question::Reading);
    for by in [Said::ByCbmc, Said::BySolver] {
        add(Programs::Answers(by), Question::Reading);
    }
    attacks
}

/// Adds those on the states of stacks.
fn of_stacks(add: &mut impl FnMut(Programs, Question)) {
    use Programs::{Cascades, Facts, General, Loops, Nests, Specifications, Tables};
    let states = |stack: &str| Question::States(stack.to_owned());
    for stack in [
        "box",
        "smash/box",
        "smash/octagon",
        "smash/apron-octagon",
        "smash/apron-polyhedra",
        "partition/box",
        "partition/octagon",
        "partition/apron-octagon",
        "partition/apron-polyhedra",
        "relation/partition/octagon",
    ] {
        add(General, states(stack));
    }
    for stack in [
        "smash/octagon",
        "partition/box",
        "partition/octagon",
        "partition/apron-polyhedra",
        "relation/partition/box",
        "relation/partition/octagon",
    ] {
        add(Tables, states(stack));
    }
    for stack in ["smash/octagon", "partition/box", "partition/octagon", "relation/partition/octagon"] {
        add(Specifications, states(stack));
    }
    for programs in [Loops, Facts(Target::Shrink), Cascades, Nests] {
        add(programs, states("relation/partition/octagon"));
    }
}

/// Adds those on the value analysis.
fn of_values(add: &mut impl FnMut(Programs, Question)) {
    use Programs::{
        Accesses, Computations, General, Lifetimes, Narrow, Nests, Reads, Scatter, Specifications, Tables, Views,
    };
    for way in Way::ALL {
        for programs in
            [General, Lifetimes, Reads, Narrow, Tables, Computations, Nests, Accesses, Scatter, Specifications]
        {
            add(programs, Question::Values(way));
        }
        add(Views, Question::CompiledValues(way));
    }
}
