//! The analysis while it goes on: its limits, and what it has found so far.

use super::context::{ContextId, Contexts};
use super::decided::StmtChecks;
use super::executions::Executions;
use super::footprint::Log;
use super::heap_names::HeapNames;
use super::implications::Guards;
use super::locals::{self, Locals};
use super::objects::{ObjectId, Objects, Site};
use super::rings::{Recursion, Rings};
use super::selectors::{self, Found};
#[cfg(feature = "fuzz")]
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::{Pointers, Thresholds};
use crate::clock;
use crate::program::{
    AssertionId, Callees, DataModel, FunctionId, Layout, Lvalue, Program, SiteId, StmtId, StructId, VarId,
};
use bitvec::vec::BitVec;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

/// How much is kept apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most iterations of a loop, from one arrival at it, with states of their own.
    pub(super) rounds: u64,
    /// The same, of iterations after which it is not known whether another one follows.
    pub(super) undecided: u64,
    /// How many steps of widening stop at the numbers of the program.
    pub(super) patience: u32,
    /// The most blocks of one allocation with names of their own.
    pub(super) blocks: u32,
    /// The most places of a read that are looked at one by one.
    pub(super) places: u128,
    /// The most ways to come to a function on which its calls are executed one by one.
    pub(super) ways: usize,
    /// The same while some function that is called may call itself.
    pub(super) recursive_ways: usize,
    /// The most calls in each other that are executed one by one.
    pub(super) depth: u32,
    /// The same, of one function.
    pub(super) recursion: usize,
    /// The most contexts of a function that differ by the values of arguments, and by the objects
    /// that arguments lead to.
    pub(super) contexts: [usize; 2],
    /// Whether no call is executed on its own, but for those of small functions.
    pub(super) is_joined: bool,
    /// Whether there is no time to look for what functions do that call themselves.
    pub(super) is_hurried: bool,
    /// After how many statements there may be too many ways to come to functions.
    pub(super) steps: u64,
    /// The most cases at a time.
    pub(super) cases: u128,
    /// The same of cases by the lengths of texts.
    pub(super) texts: u128,
}

/// The limits at first.
pub(super) const PRECISE: Limits = Limits {
    rounds: 200_000,
    undecided: 40,
    patience: 15,
    blocks: 256,
    places: 512,
    ways: 256,
    recursive_ways: 2000,
    depth: 200,
    recursion: 200,
    contexts: [8, 24],
    is_joined: false,
    is_hurried: false,
    steps: MANY_STEPS,
    cases: 32,
    texts: 64,
};
/// The same without cases, which cost many times as much where programs have tables of structs.
pub(super) const WITHOUT_CASES: Limits = Limits { cases: 1, ..PRECISE };
/// The limits when no call is executed on its own: the time is that of the functions, whatever the
/// number of ways to come to them.
pub(super) const JOINED: Limits = Limits {
    rounds: 100,
    undecided: 3,
    patience: 6,
    blocks: 1,
    is_joined: true,
    contexts: [0, 8],
    texts: 1,
    ..WITHOUT_CASES
};
/// The limits when much time has gone: from then on, loops end soon.
pub(super) const COARSE: Limits = Limits {
    rounds: 12,
    undecided: 3,
    patience: 4,
    blocks: 8,
    places: 64,
    ways: 256,
    recursive_ways: 2000,
    depth: 60,
    recursion: 1,
    contexts: [0, 3],
    is_joined: false,
    is_hurried: true,
    steps: u64::MAX,
    cases: 1,
    texts: 1,
};
/// The share of the time for [`PRECISE`].
const SHARE: f64 = 0.75;
/// The most statements for [`PRECISE`], and in all.
const MOST_STEPS: [u64; 2] = [12_000_000, 24_000_000];
/// After so many statements, too many ways to come to functions are a reason to begin again.
const MANY_STEPS: u64 = 1_500_000;

/// The cost of executing a statement, in steps of the clock.
const COST: u64 = 4;
/// How often the clock is read.
const ROUND: u64 = 16;

/// The analysis while it goes on.
pub(super) struct Values<'p> {
    pub(super) program: &'p Program,
    pub(super) model: DataModel,
    pub(super) big_endian: bool,
    pub(super) limits: Limits,
    /// When the limits become [`COARSE`], and when there is no time left.
    deadlines: Option<[Instant; 2]>,
    /// The same for the number of statements.
    pub(super) most_steps: [u64; 2],
    pub(super) objects: Objects,
    /// The variables that pointers of unknown origin may lead to.
    pub(super) exposed: BTreeSet<VarId>,
    /// The variables that a change of which it is not known where may reach, for each [`Reach`].
    pub(super) reached: [BitVec; 2],
    /// The parameter that says how many texts there are in the array that `main` gets.
    pub(super) count_of_texts: Option<VarId>,
    /// Whether functions of the library get functions of the program.
    pub(super) hands_functions: bool,
    pub(super) thresholds: Rc<Thresholds>,
    /// Those at which it stops first where each step takes long.
    pub(super) few_thresholds: Thresholds,
    /// Those that are left after some steps.
    pub(super) last_thresholds: Thresholds,
    /// Those at which the growth in a loop stops first.
    pub(super) thresholds_of: HashMap<StmtId, Rc<Thresholds>, FxBuildHasher>,
    pub(super) checks: HashMap<StmtId, Rc<StmtChecks<'p>>, FxBuildHasher>,
    pub(super) locals: HashMap<FunctionId, Rc<Locals>>,
    pub(super) heap_names: HeapNames,
    /// The variables by whose values cases may be made before a statement.
    pub(super) selectors: Found,
    /// How many cases are kept apart.
    pub(super) cases: u128,
    /// The same by the lengths of texts.
    pub(super) texts: u128,
    /// Whether cases would have been made if there were no limit.
    pub(super) lacks_cases: bool,
    /// Whether the states in which the current call returns are kept apart by its result.
    pub(super) apart: bool,
    /// The cells from whose values may follow what others hold.
    pub(super) guards: Guards,
    /// The lvalues that facts are about.
    pub(super) named: Vec<&'p Lvalue>,
    /// The sizes and offsets of structs, in bytes, if they are known.
    pub(super) structs: Vec<Option<Layout>>,
    /// How many calls the current one is in.
    pub(super) depth: u32,
    /// Whether the current function may call itself, and is executed for all its calls at once.
    pub(super) calls_itself: bool,
    /// The functions whose calls have not returned.
    pub(super) open: Vec<FunctionId>,
    /// Local variables without pointers to which pointers may lead, with the first one of the same
    /// type: if no call is executed on its own, one name stands for all.
    pub(super) alike: HashMap<VarId, VarId, FxBuildHasher>,
    /// The current chain of calls.
    pub(super) chain: Site,
    /// Calls that are executed together.
    pub(super) contexts: Contexts,
    /// The last executions of functions.
    pub(super) executions: FxHashMap<FunctionId, Executions>,
    /// Loops that have once had more iterations than can be kept apart.
    pub(super) endless: FxHashSet<StmtId>,
    /// How many blocks were allocated.
    pub(super) allocations: u64,
    /// Which functions call each other.
    pub(super) rings: Rings,
    /// The solutions for functions that call each other that are being looked for.
    pub(super) recursions: Vec<Recursion>,
    /// The context that is being executed.
    pub(super) user: Option<ContextId>,
    /// Where all states write down what is read and changed.
    pub(super) log: Log,
    /// In how many loops all iterations are executed at once: an allocation may be one of many.
    pub(super) looping: u32,
    /// The same where the body of the context was entered that is executed.
    pub(super) outermost: u32,
    /// In how many searches for the state at a head: nothing is decided.
    pub(super) silent: u32,
    pub(super) steps: u64,
    /// Whether each assertion held whenever it was evaluated.
    pub(super) assertions: BTreeMap<AssertionId, bool>,
    /// Where calls through pointers were found to lead; `None` if they may lead to code that is not
    /// there.
    pub(super) callees: BTreeMap<SiteId, Option<Callees>>,
    /// Whether some runs are not executed any further, because a check fails.
    pub(super) restricted: bool,
    /// Whether unknown code runs, which may call functions by their addresses.
    pub(super) is_called_back: bool,
    /// The heap blocks that end with a call, with the greatest depth of such a call.
    pub(super) automatic: BTreeMap<ObjectId, u32>,
    /// Whether some heap block may have been freed of which it is not known which one.
    pub(super) frees_unseen: bool,
    /// Whether objects may end of which nothing is known, nor when.
    pub(super) ends_unseen: bool,
    /// The heap blocks that were made, with their allocations.
    pub(super) blocks: BTreeMap<ObjectId, SiteId>,
    /// Those that may have been freed.
    pub(super) freed: BTreeSet<ObjectId>,
    /// Functions that were called, but not executed.
    pub(super) opaque: BTreeSet<FunctionId>,
    /// The same in contexts.
    #[cfg(feature = "fuzz")]
    pub(super) in_contexts: HashMap<StmtId, BTreeMap<(ContextId, u32), State>>,
    /// What is known before each statement, if that is to be kept.
    #[cfg(feature = "fuzz")]
    pub(super) recorded: Option<HashMap<StmtId, State>>,
}

impl<'p> Values<'p> {
    pub(super) fn new(program: &'p Program, limits: Limits, deadline: Option<Instant>) -> Values<'p> {
        let exposed = program.exposed();
        Values {
            program,
            model: program.data_model,
            big_endian: program.representation.big_endian,
            limits,
            deadlines: deadline.map(|end| {
                let now = clock::now();
                [now + end.saturating_duration_since(now).mul_f64(SHARE), end]
            }),
            most_steps: MOST_STEPS,
            objects: Objects::default(),
            reached: [&program.addressed(), &exposed].map(|all| changeable(program, all)),
            exposed,
            count_of_texts: program.count_of_texts(),
            hands_functions: program.hands_functions(),
            thresholds: Rc::new(Thresholds::of(program)),
            few_thresholds: Thresholds::few(program),
            last_thresholds: Thresholds::of_types(program.data_model),
            thresholds_of: HashMap::default(),
            checks: HashMap::default(),
            locals: HashMap::new(),
            heap_names: HeapNames::of(program),
            selectors: selectors::find(program),
            cases: 1,
            texts: 1,
            lacks_cases: false,
            apart: false,
            guards: Guards::of(program),
            named: Vec::new(),
            structs: (0..program.structs.len()).map(|n| program.layout_of(StructId(n as u32))).collect(),
            depth: 0,
            alike: locals::alike(program),
            calls_itself: false,
            open: Vec::new(),
            chain: Site::default(),
            contexts: Contexts::default(),
            executions: FxHashMap::default(),
            endless: FxHashSet::default(),
            allocations: 0,
            rings: Rings::of(program),
            recursions: Vec::new(),
            user: None,
            log: Log::default(),
            looping: 0,
            outermost: 0,
            silent: 0,
            steps: 0,
            assertions: BTreeMap::new(),
            callees: BTreeMap::new(),
            restricted: false,
            is_called_back: false,
            automatic: BTreeMap::new(),
            frees_unseen: false,
            ends_unseen: false,
            blocks: BTreeMap::new(),
            freed: BTreeSet::new(),
            opaque: BTreeSet::new(),
            #[cfg(feature = "fuzz")]
            in_contexts: HashMap::new(),
            #[cfg(feature = "fuzz")]
            recorded: None,
        }
    }

    /// Counts work, and changes the limits when much was done.
    pub(super) fn tick(&mut self) -> Evaluated<()> {
        self.steps += 1;
        clock::spend(COST);
        let [soon, late] = self.most_steps.map(|most| self.steps > most);
        let (mut is_soon, mut is_late) = (soon, late);
        if let Some([soon, end]) = self.deadlines
            && self.steps.is_multiple_of(ROUND)
        {
            let now = clock::now();
            (is_soon, is_late) = (is_soon || now >= soon, is_late || now >= end);
        }
        if is_soon {
            self.limits = Limits { is_joined: self.limits.is_joined, is_hurried: !self.limits.is_joined, ..COARSE };
        }
        if is_late { Err(Stop::OutOfTime) } else { Ok(()) }
    }

    /// Notes that some check may fail, and whether the runs in which it does are left out of what
    /// follows. What a search for the state at a head passes is passed once more from the state
    /// that was found.
    pub(super) fn may_fail(&mut self, are_left_out: bool) {
        if self.silent == 0 {
            self.restricted |= are_left_out;
        }
    }

    /// Notes whether an assertion holds in a state in which runs come to it.
    pub(super) fn record(&mut self, assertion: AssertionId, holds: bool) {
        if self.silent == 0 {
            *self.assertions.entry(assertion).or_insert(true) &= holds;
        }
    }

    /// Notes where a call through a pointer leads in a state in which runs come to it.
    pub(super) fn calls_through(&mut self, call: SiteId, to: &Pointers) {
        if self.silent == 0 {
            match self.callees.entry(call).or_insert_with(|| Some(Callees::default())) {
                Some(known) if !to.wild => {
                    known.extend(to.functions.iter());
                }
                known => *known = None,
            }
        }
    }
}

/// Those of some variables that a change may reach: a constant keeps its value (C11 6.7.3p6).
fn changeable(program: &Program, all: &BTreeSet<VarId>) -> BitVec {
    let ids = (0..).map(VarId).take(program.variables.len());
    ids.map(|v| all.contains(&v) && !program.is_literal(v) && !program.variable(v).constant).collect()
}
