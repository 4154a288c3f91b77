//! Ties a domain stack to a control-flow graph.
//!
//! [`analyse`] inlines calls, builds the graph, lays the objects of the program out in the domains'
//! variables and arrays (`layout`), finds what pointers may point to (`pointers`), solves the graph
//! with the transfer functions of `transfer` and `evaluate`, and decides obligations (`decide`) in
//! a pass of its own. `integers` is the one place that translates machine integers into
//! mathematical ones.

#[cfg(feature = "fuzz")]
mod assignment;
mod cut_points;
mod decide;
mod evaluate;
mod explain;
mod formulas;
mod groups;
mod heads;
mod integers;
mod invariants;
mod kept;
mod layout;
mod liveness;
#[cfg(feature = "fuzz")]
mod membership;
mod pointers;
mod record;
mod scopes;
mod state;
mod thresholds;
mod transfer;
mod view;

pub use explain::{CellView, Explanation, GroupView as GroupWhy, PartView, explain};
pub use heads::facts_at_loop;
pub use invariants::{
    AllowedNames, Atom, Atoms, Cells, Formula, Invariant, Invariants, LoopClaims, LoopInvariant, PathStep, Range,
    c_expression, invariants, loop_claims,
};
#[cfg(feature = "fuzz")]
pub use invariants::{Held, HeldInvariants};
pub use kept::{Kept, Purpose, Strongest};
#[cfg(feature = "fuzz")]
pub use membership::{Checked, Membership};
pub use view::{ArrayPicture, Extent, GroupPicture, IterateView, LeftOut, Picture, PointView, Pointer, Step, Views};

use crate::cfg::{Action, Cfg, CfgConfig};
use crate::clock;
use crate::fixpoint::{self, Exhausted, Solution, SolverConfig, Wto};
use crate::inline::{Inlined, inline};
use crate::program::{
    ALLOCATION_HAS_A_SIZE, ALLOCATION_SUCCEEDS, Assumption, FunctionId, Obligation, ObligationKey, Program, StmtKind,
};
use crate::verdict::{Reason, Verdict};
use evaluate::Evaluator;
use layout::Layout;
use pointers::Pointers;
use scopes::Scopes;
use smalti_core::{Memory, MemoryDomain};
use smalti_stack::{AnyDomain, AnyState, Registry, StackError};
use state::State;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// How to analyse. Everything in it can change a verdict.
#[derive(Clone, Debug)]
pub struct AnalysisConfig {
    /// The domain stack; `None` is the default one.
    pub stack: Option<String>,
    /// The domains that stacks are made of.
    pub registry: Arc<Registry>,
    /// How many joins are made at a loop head before widening starts.
    pub widening_delay: u32,
    /// How many descending passes follow the ascending ones.
    pub descending: u32,
    /// How many first iterations of a loop over arrays are analysed separately.
    pub peel: u32,
    /// Whether to check the result once more, independently.
    pub verify: bool,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for AnalysisConfig {
    fn default() -> Self {
        AnalysisConfig {
            stack: None,
            registry: Arc::default(),
            widening_delay: 1,
            descending: 2,
            peel: 1,
            verify: false,
            deadline: None,
        }
    }
}

/// The result of the domains for one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `Proved`, `Unreachable` or `Unknown`.
    pub verdict: Verdict,
    /// For `Unknown`: why.
    pub open: Option<Reason>,
    /// Whether no run fails there. Also true for an `Unknown` obligation that no run reaches
    /// because of undefined behaviour before it.
    pub fails_nowhere: bool,
    /// Whether an operation before it, or one in its own condition, may be undefined, as far as the
    /// domains know. Perhaps no run gets past that operation.
    pub suspect: bool,
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The name of the stack that ran.
    pub stack: String,
    /// One finding for each requested obligation.
    pub findings: BTreeMap<ObligationKey, Finding>,
    /// Whether every access to memory that a run makes before its first undefined operation is
    /// known to lie in an object. It is looked at only if an assertion is left open.
    pub accesses_hold: bool,
    /// The assumptions made.
    pub assumptions: Vec<Assumption>,
    /// Statistics, by name.
    pub statistics: BTreeMap<String, u64>,
    /// How many scalars the domains tracked.
    pub scalars: usize,
    /// Sentences about the run: a budget that ran out, a check that failed.
    pub notes: Vec<String>,
    /// Whether no budget has run out. If one has, a larger one may prove more.
    pub complete: bool,
}

/// Why the analysis could not start.
pub type Error = StackError;

/// What happens to a run at an undefined operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undefined {
    /// It ends there.
    Ends,
    /// It goes on in some way. A point that is unreached even then is unreached because of what the
    /// program does. A point that is reached only in this mode is reached by no run that counts.
    GoesOn,
}

/// Everything about the program that does not change while the graph is solved.
pub(crate) struct Model<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FunctionId,
    undefined: Undefined,
    layout: Layout,
    pointers: Pointers,
    scopes: Scopes,
    /// The cost of a transfer function in steps ([`clock::spend`]).
    steps: u64,
    /// The number of the first temporary.
    first_temporary: u32,
    bottom: AnyState,
}

impl Model<'_> {
    /// No state. (It is made from a given state, so that it is of the same domain.)
    fn bottom_like<M: Memory>(&self, state: &State<M>) -> State<M> {
        let mut state = state.clone();
        state.memory.assume(&smalti_core::Constraint::never());
        state
    }
}

/// The cost in steps of a transfer function with the project's own domains, in addition to what
/// these count themselves. Domains of a library count no steps.
const STEPS_OF_NATIVE: u64 = 20;
const STEPS_OF_LIBRARY: u64 = 1000;

/// The transfer functions in the form that the fixpoint iterator needs.
struct Transfer<'a> {
    model: &'a Model<'a>,
    cfg: &'a Cfg<'a>,
    entry: State<AnyState>,
    top: State<AnyState>,
    /// By edge: what is not mentioned any more after it.
    dead: Vec<liveness::Dead>,
    /// Where iterates are recorded, if requested.
    record: Option<&'a record::Record>,
}

impl Transfer<'_> {
    /// The state after an edge, and whether an operation on the edge may be undefined, as far as
    /// the state knows.
    fn edge(&self, edge: petgraph::graph::EdgeIndex, state: &State<AnyState>) -> (State<AnyState>, bool) {
        clock::spend(self.model.steps);
        let mut evaluator = Evaluator::new(self.model, state.clone());
        match self.cfg.graph[edge].action {
            Action::Skip => {}
            Action::Stmt(stmt) => evaluator.statement(stmt, edge),
            Action::Branch { condition, holds, .. } => evaluator.test(condition, holds),
        }
        let (mut state, restricted) = evaluator.finish();
        let dead = &self.dead[edge.index()];
        // Arrays come first: forgetting the length of an array loses the array.
        for array in &dead.arrays {
            state.memory.drop_array(*array);
        }
        if !dead.scalars.is_empty() {
            state.memory.forget(&dead.scalars);
        }
        (state, restricted)
    }
}

impl fixpoint::Analysis for Transfer<'_> {
    type State = State<AnyState>;

    fn entry(&self) -> Self::State {
        self.entry.clone()
    }

    fn bottom(&self) -> Self::State {
        State::new(self.model.bottom.clone())
    }

    fn top(&self) -> Self::State {
        self.top.clone()
    }

    fn transfer(&self, edge: petgraph::graph::EdgeIndex, state: &Self::State) -> Self::State {
        self.edge(edge, state).0
    }

    fn observe(&self, head: petgraph::graph::NodeIndex, event: fixpoint::HeadEvent, state: &Self::State) {
        if let Some(record) = self.record {
            record.hear(head, event, state);
        }
    }

    fn explain(&self, edge: petgraph::graph::EdgeIndex, from: &Self::State, to: &Self::State) -> String {
        let (out, _) = self.edge(edge, from);
        let expected = to.memory.facts();
        let missing: Vec<_> = expected.scalars.iter().filter(|c| !out.memory.entails(c)).collect();
        format!(
            "{:?}; missing {missing:?}; arrays {:?} against {:?}; pointers {:?} against {:?}",
            self.cfg.graph[edge].action,
            out.memory.facts().arrays,
            expected.arrays,
            out.valid,
            to.valid
        )
    }
}

/// Analyses `program` and decides `obligations`.
///
/// # Errors
/// The stack is not available: its name is unknown, or APRON is needed and missing.
pub fn analyse(program: &Program, obligations: &[Obligation], config: &AnalysisConfig) -> Result<Analysis, Error> {
    let inlined = inline(program);
    Ok(Kept::new(program, &inlined, config, Purpose::Points)?.analysis(obligations))
}

/// The note of an analysis whose result failed the check of `verify`.
pub const UNVERIFIED: &str = "the result of the domains failed its check and was dropped";

/// The assumptions made, and sentences about how the solution was found.
fn summary(solved: &Solved<'_>, inlined: &Inlined) -> (Vec<Assumption>, Vec<String>) {
    let mut notes = Vec::new();
    match solved.solution.exhausted {
        Some(Exhausted::Deadline) => {
            notes.push("the domains ran out of time: the states at some points are unknown".to_owned())
        }
        Some(Exhausted::Steps) => {
            notes.push("the domains ran out of steps: the states at some points are unknown".to_owned())
        }
        Some(Exhausted::Unverified) => {
            notes.push(UNVERIFIED.to_owned());
        }
        None => {}
    }
    let mut assumptions: Vec<Assumption> = inlined.left.iter().cloned().collect();
    assumptions.extend(standing_assumptions(&inlined.program));
    (assumptions, notes)
}

/// The assumptions that smalti always makes if they are relevant for the program.
pub(crate) fn standing_assumptions(program: &Program) -> Vec<Assumption> {
    let text = if program.malloc_may_fail { ALLOCATION_HAS_A_SIZE } else { ALLOCATION_SUCCEEDS };
    let allocates = program.where_needed(text, |s| matches!(s.kind, StmtKind::Allocate { .. }));
    let mut found = vec![Assumption::new(
        "a run is considered up to its first undefined behaviour (overflow, access out of bounds, division by zero, bad shift, bad array size)",
    )];
    found.extend(allocates);
    found
}

/// A solved graph.
pub(crate) struct Solved<'a> {
    cfg: Cfg<'a>,
    model: Model<'a>,
    entry: State<AnyState>,
    top: State<AnyState>,
    dead: Vec<liveness::Dead>,
    solution: Solution<State<AnyState>>,
    stack: String,
    record: Option<record::Record>,
}

impl<'a> Solved<'a> {
    fn new(inlined: &'a Inlined, config: &AnalysisConfig) -> Result<Solved<'a>, Error> {
        Solved::keeping(inlined, config, None, None)
    }

    /// Solves with runs that go on after undefined operations.
    fn going_on(inlined: &'a Inlined, config: &AnalysisConfig) -> Result<Solved<'a>, Error> {
        Solved::build(inlined, config, Undefined::GoesOn, None, None)
    }

    /// Solves with the parameters and results of the functions of that source kept to their ends,
    /// though nothing mentions them there. Iterates at heads are put into `record`.
    fn keeping(
        inlined: &'a Inlined,
        config: &AnalysisConfig,
        source: Option<&Program>,
        record: Option<record::Record>,
    ) -> Result<Solved<'a>, Error> {
        Solved::build(inlined, config, Undefined::Ends, source, record)
    }

    fn build(
        inlined: &'a Inlined,
        config: &AnalysisConfig,
        undefined: Undefined,
        source: Option<&Program>,
        record: Option<record::Record>,
    ) -> Result<Solved<'a>, Error> {
        let stack = config.stack.clone().unwrap_or_else(|| smalti_stack::DEFAULT_STACK.to_owned());
        let domain: AnyDomain = config.registry.open(&stack)?;
        let program = &inlined.program;
        let cfg = Cfg::build(program, &CfgConfig { peel: config.peel, ..CfgConfig::default() });
        let wto = Wto::new(&cfg.graph, cfg.entry);
        let repeated = |e: petgraph::graph::EdgeIndex| {
            cfg.graph.edge_endpoints(e).is_none_or(|(from, _)| {
                wto.position(from).is_some_and(|p| wto.is_head(from) || wto.enclosing_head(p).is_some())
            })
        };
        let layout = Layout::new(&cfg, repeated);
        let pointers = Pointers::new(&cfg, &layout);
        let head_thresholds = thresholds::of_heads(&cfg, &wto, &layout, &pointers);
        let first_temporary = layout.meanings.len().try_into().expect("fewer than 2^32 scalars");
        let scopes = Scopes::new(program, cfg.function);
        let bottom = domain.bottom();
        let function = cfg.function;
        let steps = if config.registry.is_native(&stack) { STEPS_OF_NATIVE } else { STEPS_OF_LIBRARY };
        let model = Model { program, function, undefined, steps, layout, pointers, scopes, first_temporary, bottom };
        let entry = transfer::entry_state(&model, domain.top());
        let top = State::new(domain.top());
        let kept = source.map(|source| cut_points::needed_at_ends(&cfg, source, inlined)).unwrap_or_default();
        let dead = liveness::dead(&cfg, &model, inlined, &kept, config.deadline);
        let solver = SolverConfig {
            widening_delay: config.widening_delay,
            descending: config.descending,
            verify: config.verify,
            deadline: config.deadline,
            thresholds: thresholds::of_types(),
            head_thresholds,
            last_thresholds: thresholds::of_types(),
            ..SolverConfig::default()
        };
        let transfer = Transfer {
            model: &model,
            cfg: &cfg,
            entry: entry.clone(),
            top: top.clone(),
            dead: dead.clone(),
            record: record.as_ref(),
        };
        let solution = fixpoint::solve(&cfg.graph, cfg.entry, &wto, &transfer, &solver);
        Ok(Solved { cfg, model, entry, top, dead, solution, stack, record })
    }

    /// Whether the solution is coarser than it could be because a budget ran out.
    fn is_cut_off(&self) -> bool {
        matches!(self.solution.exhausted, Some(Exhausted::Deadline | Exhausted::Steps))
    }

    fn with<R>(&self, f: impl FnOnce(&Transfer<'_>) -> R) -> R {
        f(&Transfer {
            model: &self.model,
            cfg: &self.cfg,
            entry: self.entry.clone(),
            top: self.top.clone(),
            dead: self.dead.clone(),
            record: None,
        })
    }
}
