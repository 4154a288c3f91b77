//! What a program computes: the exact values of its variables and arrays, as terms.
//!
//! **Meaning.** The program is executed once on symbols. A loop is executed for one iteration, any;
//! what it writes becomes a recurrence in the number of the iteration, which [`solve`] brings into
//! closed form. What has none becomes an unknown of its own, and everything that does not depend on
//! it stays exact. Values are those of runs without undefined behaviour: signed arithmetic is that
//! of mathematics, unsigned arithmetic and conversions are under `wrap`.
//!
//! **Unknowns.** Each execution of an input, of a declaration and of whatever else may have any
//! value has its own unknown. It is a function of the iteration numbers of the loops around it, so
//! two iterations have different ones. An unknown of an integer type has the range of the type: its
//! value is one of the type, so conversions to it change nothing.
//!
//! **Limits.** Calls must be inlined. Where it is not known to which object a pointer points (see
//! `memory`), what it points to is unknown, and a write there makes everything unknown to which a
//! pointer may lead (see `reach`). Jumps backward are not followed.

mod accesses;
mod acsl;
#[cfg(test)]
mod array_random;
#[cfg(test)]
mod array_tests;
mod arrays;
mod carried;
mod cells;
mod checked;
mod critical;
mod decide;
mod describe;
mod execute;
mod exits;
mod loops;
mod memory;
mod models;
mod names;
mod naming;
mod operations;
mod point;
mod pointers;
mod reach;
mod reads;
mod relaxed;
mod relaxing;
mod script;
mod solve;
mod state;
#[cfg(test)]
mod tests;
mod unknown;
mod value;

pub use acsl::Clauses;
pub use decide::{Decision, OpenReason, Prover};
pub use describe::{DescribedCase, DescribedPoint, DescribedUnsolved, DescribedValue};
pub use memory::AllocationSite;
pub use point::{Moment, Point, Unsolved, WhyUnsolved};
pub use script::Inexpressible;
pub use state::{Object, Region, RegionStep};
pub use unknown::Origin;

use crate::inline;
use crate::program::condition_of;
use crate::program::{
    self, AssertionId, Block, LabelId, Location, LoopId, ObligationKey, Program, StmtId, StmtKind, Type, VarId,
    each_stmt,
};
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use checked::{Allocated, Operations};
use memory::Memory;
use names::Names;
use reach::Reachable;
use relaxed::Relaxed;
use smalti_terms::{Context, Node, Symbol, Term, Var};
use state::{Branch, State};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One execution of an assertion or of an operation, any.
#[derive(Clone, Debug)]
pub struct Asserted {
    /// Which assertion, or which check.
    pub key: ObligationKey,
    /// The statement, a copy of the one in the source.
    pub statement: StmtId,
    /// What is known when a run is there: the path, and the ranges of the iteration numbers.
    pub given: Vec<Term>,
    /// The condition.
    pub condition: Term,
}

/// What a program computes.
pub struct Summary {
    /// The terms.
    pub context: Context,
    /// The executions of assertions, or those of operations.
    pub asserted: Vec<Asserted>,
    /// What variables and arrays hold after each loop and at the end, in the order of execution.
    pub points: Vec<Point>,
    /// What has no closed form.
    pub unsolved: Vec<Unsolved>,
    /// What unknowns stand for, where that is known.
    pub origins: BTreeMap<Symbol, Origin>,
    /// The loops that variables of the terms are iteration numbers of.
    pub iterations: BTreeMap<Var, StmtId>,
    /// The statements that allocate memory. Their numbers are those of [`Object::Blocks`].
    pub sites: Vec<AllocationSite>,
    /// The unknowns that stand for what regions hold when the function under analysis begins.
    starts: BTreeMap<Symbol, Region>,
    /// The symbols of addresses.
    addresses: BTreeSet<Symbol>,
    /// The variables of inner blocks, which end before the function does.
    inner: BTreeSet<VarId>,
    /// The assertions that are quantified: nothing is known of their executions.
    quantified: BTreeSet<AssertionId>,
    /// The operations with executions for which there is no term of what they need.
    without_term: BTreeSet<ObligationKey>,
    /// The assertions and operations that have executions which were not followed.
    unfollowed: BTreeSet<ObligationKey>,
    /// Whether the contents of some array depend on what is unknown in the iterations of a loop.
    pub varies: bool,
}

/// The most statements of a program whose operations are looked at.
const MOST_STATEMENTS: usize = 20_000;

impl Summary {
    /// The summary of a program. Once `interrupt` says so, values become unknowns.
    ///
    /// # Errors
    /// The statements that run are not known, or jumps lead backward or into loops.
    pub fn of(inlined: &Inlined, interrupt: impl Fn() -> bool + 'static) -> Result<Summary, Refusal> {
        Summary::made(inlined, interrupt, |_| {})
    }

    /// [`Summary::of`], with the points at heads of loops.
    ///
    /// # Errors
    /// As [`Summary::of`].
    pub fn with_heads(inlined: &Inlined, interrupt: impl Fn() -> bool + 'static) -> Result<Summary, Refusal> {
        Summary::made(inlined, interrupt, |executor| executor.with_heads = true)
    }

    /// [`Summary::of`] where arrays that a loop writes at arbitrary places are any arrays after it,
    /// of which bounds and sums are known (see [`relaxed`]).
    ///
    /// # Errors
    /// As [`Summary::of`].
    pub fn relaxed(inlined: &Inlined, interrupt: impl Fn() -> bool + 'static) -> Result<Summary, Refusal> {
        Summary::made(inlined, interrupt, |executor| executor.relaxed = Some(Relaxed::default()))
    }

    fn made<'p>(
        inlined: &'p Inlined,
        interrupt: impl Fn() -> bool + 'static,
        set: impl FnOnce(&mut Executor<'p>),
    ) -> Result<Summary, Refusal> {
        let (program, body) = inlined.parts()?;
        let mut executor = Executor::new(program, body);
        set(&mut executor);
        executor
            .executed(body, interrupt)
            .map(|summary| Summary {
                unfollowed: inlined.unfollowed().iter().copied().map(ObligationKey::Assertion).collect(),
                ..summary
            })
            .map_err(refusal)
    }

    /// The executions of operations: those of the checks that are wanted, or of all. Pointers are
    /// those of the program, none is resolved. Once `interrupt` says so, values become unknowns.
    ///
    /// # Errors
    /// As [`Summary::of`], or the program is too large.
    pub fn of_operations(
        inlined: &inline::Inlined,
        wanted: Option<&BTreeSet<ObligationKey>>,
        interrupt: impl Fn() -> bool + 'static,
    ) -> Result<Summary, Refusal> {
        let program = &inlined.program;
        let Some(body) = &program.function(program.entry).body else {
            return Err(Refusal::of_all("the entry function has no body"));
        };
        let mut count = 0;
        each_stmt(body, &mut |_| count += 1);
        if count > MOST_STATEMENTS {
            return Err(Refusal::of_all(format!("the program has more than {MOST_STATEMENTS} statements")));
        }
        let mut executor = Executor::new(program, body);
        executor.operations = Some(Operations { inlined, wanted });
        let summary = executor.executed(body, interrupt).map_err(refusal)?;
        let mut sites = BTreeSet::new();
        for body in inlined.called_opaquely.iter().filter_map(|f| program.function(*f).body.as_ref()) {
            each_stmt(body, &mut |s| _ = sites.insert(s.site));
        }
        let keys = summary.asserted.iter().map(|one| one.key);
        let is_unfollowed = |key: &ObligationKey| matches!(key, ObligationKey::Check(site, _) if sites.contains(site));
        Ok(Summary { unfollowed: keys.filter(is_unfollowed).collect(), ..summary })
    }

    /// [`Summary::of`] for a program whose calls are inlined and whose pointers are resolved.
    /// `body` is what runs.
    ///
    /// # Errors
    /// The place of a jump that is not followed.
    pub fn new(program: &Program, body: &Block, interrupt: impl Fn() -> bool + 'static) -> Result<Summary, Location> {
        Executor::new(program, body).executed(body, interrupt)
    }
}

fn refusal(at: Location) -> Refusal {
    Refusal::at(at, "a jump leads backward or into a loop, and such jumps are not followed")
}

/// The variables that inner blocks declare.
fn inner_variables(body: &Block) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for block in body.iter().flat_map(|s| s.blocks()) {
        each_stmt(block, &mut |s| {
            if let StmtKind::Declare(v) = s.kind {
                found.insert(v);
            }
        });
    }
    found
}

/// Runs that have left the straight way.
#[derive(Default)]
struct Flow {
    /// On the way to a label.
    jumps: Vec<Jump>,
    /// On the way to the end of the innermost loop.
    breaks: Vec<State>,
    /// On the way to the step of the innermost loop.
    continues: Vec<State>,
}

/// Runs on the way from a `goto` to its label.
struct Jump {
    to: LabelId,
    from: Location,
    state: State,
}

/// What the generated entry hands to the function under analysis, and gets from it.
#[derive(Default)]
struct OfStart {
    /// The arguments.
    arguments: BTreeSet<VarId>,
    /// What receives the result.
    result: Option<VarId>,
    /// Whether there are several copies of the function, for arguments that overlap. There is no
    /// state at its end then.
    several: bool,
    /// What returns lead to: the last label of the copy of the function.
    end: Option<LabelId>,
    /// The conditions under which runs come there, one for each return.
    ways: Vec<Term>,
    /// The unknowns that stand for what regions hold when the function begins.
    values: BTreeMap<Symbol, Region>,
}

impl OfStart {
    fn of(program: &Program, body: &Block) -> OfStart {
        let mut found = OfStart::default();
        if program.function(program.entry).origin != program::Origin::Start {
            return found;
        }
        for stmt in body {
            match &stmt.kind {
                StmtKind::Declare(v) => _ = found.arguments.insert(*v),
                StmtKind::If(..) => found.several = true,
                // The copy of the function.
                StmtKind::Block(inside) => {
                    for s in inside {
                        match s.kind {
                            StmtKind::Declare(v) if program.variable(v).origin.is_result() => found.result = Some(v),
                            StmtKind::Label(label, _) => found.end = Some(label),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Executes statements on symbols.
struct Executor<'p> {
    program: &'p Program,
    c: Context,
    /// The iteration numbers of the loops around, from the outside in.
    iterations: Vec<Var>,
    /// The values of regions at the start of the program, as far as they were needed.
    initial: HashMap<Region, Term>,
    /// The regions of objects; `None` if an object has members that share cells.
    regions: HashMap<Object, Option<Vec<(Region, &'p Type)>>>,
    /// What is known of addresses.
    memory: Memory<'p>,
    /// By loop, regions that it was found to write.
    written: HashMap<LoopId, BTreeSet<Region>>,
    /// The variables that writes without a name may change.
    reachable: Reachable,
    asserted: Vec<Asserted>,
    quantified: BTreeSet<AssertionId>,
    points: Vec<Point>,
    unsolved: Vec<Unsolved>,
    origins: BTreeMap<Symbol, Origin>,
    /// The loops that variables are iteration numbers of.
    numbers: BTreeMap<Var, StmtId>,
    /// The states in which runs return from the function that runs.
    returned: Returned,
    /// The names of unknowns.
    names: Names,
    of_start: OfStart,
    /// Whether the states at heads of loops are kept.
    with_heads: bool,
    /// What is known of arrays that became any array, in a summary that is relaxed.
    relaxed: Option<Relaxed>,
    /// Whether some array might become one.
    varies: bool,
    /// The checks that are looked at, instead of assertions.
    operations: Option<Operations<'p>>,
    /// The checks of executions for which there is no condition as a term.
    without_term: Vec<ObligationKey>,
    /// The sizes of blocks of memory, if checks are looked at.
    allocated: Vec<Allocated>,
    /// The variables that the blocks around declare.
    living: Vec<VarId>,
}

/// How runs return.
#[derive(Default)]
struct Returned {
    /// The states, and the results.
    states: Vec<(State, Option<Term>)>,
    /// Whether some return stands in a loop. Their states are not kept.
    in_loop: bool,
}

impl<'p> Executor<'p> {
    fn new(program: &'p Program, body: &'p Block) -> Executor<'p> {
        let mut quantified = BTreeSet::new();
        each_stmt(body, &mut |s| {
            if let StmtKind::Claim(claim) = &s.kind
                && condition_of(program, &claim.formula, s.location).is_none()
            {
                quantified.extend(claim.role.assertion());
            }
        });
        Executor {
            program,
            c: Context::new(),
            iterations: Vec::new(),
            initial: HashMap::new(),
            regions: HashMap::new(),
            memory: Memory::of(program, [&program.initialisers, body]),
            written: HashMap::new(),
            reachable: Reachable::of(program, body),
            asserted: Vec::new(),
            quantified,
            points: Vec::new(),
            unsolved: Vec::new(),
            origins: BTreeMap::new(),
            numbers: BTreeMap::new(),
            returned: Returned::default(),
            names: Names::default(),
            of_start: OfStart::of(program, body),
            with_heads: false,
            relaxed: None,
            varies: false,
            operations: None,
            without_term: Vec::new(),
            allocated: Vec::new(),
            living: Vec::new(),
        }
    }

    /// Executes the initialisers and what runs after them.
    fn executed(mut self, body: &Block, interrupt: impl Fn() -> bool + 'static) -> Result<Summary, Location> {
        self.c.interrupt_when(interrupt);
        let start = State::start(&self.c);
        let mut flow = Flow::default();
        let after = self.block(&self.program.initialisers, Some(start), &mut flow)?;
        after.iter().for_each(|state| self.note_starts(state));
        let after = self.block(body, after, &mut flow)?;
        // Labels after a jump have taken it. What is left leads backward, and what it leads to
        // would be executed once more.
        if let Some(backward) = flow.jumps.first() {
            return Err(backward.from);
        }
        self.at_end(after);
        self.note_arguments();
        if let Some(relaxed) = &self.relaxed {
            let c = &self.c;
            self.asserted.iter_mut().for_each(|one| relaxed.explain(c, &mut one.given, &mut one.condition));
        }
        let Executor { c, asserted, points, unsolved, origins, numbers, quantified, memory, of_start, .. } = self;
        Ok(Summary {
            context: c,
            asserted,
            points,
            unsolved,
            origins,
            iterations: numbers,
            sites: memory.sites,
            starts: of_start.values,
            addresses: memory.places.into_keys().collect(),
            inner: inner_variables(body),
            quantified,
            without_term: self.without_term.into_iter().collect(),
            unfollowed: BTreeSet::new(),
            varies: self.varies,
        })
    }

    /// Notes the state at the end of the function that runs, if it is known for all returns.
    fn at_end(&mut self, end: Option<State>) {
        let returned = std::mem::take(&mut self.returned.states);
        let (mut after, mut result, mut ways) = (None::<State>, None, Vec::new());
        for (state, value) in returned.into_iter().chain(end.map(|state| (state, None))) {
            ways.push(self.c.and(&[state.reached, state.given]));
            result = match (&after, result, value) {
                (None, _, value) => value,
                (Some(other), Some(earlier), Some(value)) => Some(self.c.ite(other.reached, earlier, value)),
                _ => None,
            };
            after = self.join(after, Some(state));
        }
        let Some(state) = after.filter(|_| !self.returned.in_loop && !self.of_start.several) else { return };
        let given = vec![state.reached, state.given];
        let start = state.values.keys().map(|region| (region.clone(), self.initially(region))).collect();
        let (within, values) = (Vec::new(), state.values);
        let result = result.or_else(|| self.of_start.result.and_then(|v| values.get(&Region::of(v)).copied()));
        if ways.len() == 1 && !self.of_start.ways.is_empty() {
            ways = std::mem::take(&mut self.of_start.ways);
        }
        let moment = Moment::End;
        let others = BTreeMap::new();
        self.points.push(Point { moment, statement: None, within, given, ways, values, others, before: start, result });
    }

    /// Notes the unknowns that globals hold at the start.
    fn note_starts(&mut self, state: &State) {
        for (region, value) in &state.values {
            if let Node::Apply(symbol, arguments) = &*self.c.node(*value)
                && arguments.is_empty()
            {
                self.of_start.values.entry(*symbol).or_insert_with(|| region.clone());
            }
        }
    }

    /// Notes the unknowns that arguments hold, and what they point to.
    fn note_arguments(&mut self) {
        let OfStart { arguments, values, .. } = &mut self.of_start;
        for (symbol, origin) in &self.origins {
            if let Origin::Declared(_, region) = origin
                && let Some(v) = region.variable()
                && (arguments.contains(&v)
                    || matches!(self.program.variable(v).origin, program::Origin::Block(p) if arguments.contains(&p)))
            {
                values.entry(*symbol).or_insert_with(|| region.clone());
            }
        }
    }

    /// Records what a new unknown stands for.
    fn note(&mut self, unknown: Term, origin: Origin) {
        if let Some(symbol) = unknown::symbol_of(&self.c, unknown) {
            self.origins.insert(symbol, origin);
        }
    }

    fn arguments(&self) -> Vec<Term> {
        self.iterations.iter().map(|n| self.c.var(*n)).collect()
    }

    /// What a region holds.
    fn held(&mut self, region: &Region, state: &State) -> Term {
        match state.values.get(region) {
            Some(value) => *value,
            None => self.initially(region),
        }
    }

    /// What a region holds at the start of the program. It is the same in all iterations.
    fn initially(&mut self, region: &Region) -> Term {
        if let Some(known) = self.initial.get(region) {
            return *known;
        }
        let ty = self.type_of(region);
        let around = std::mem::take(&mut self.iterations);
        let value = match region.object {
            Object::Variable(_) => self.unknown_region(region, &ty),
            // Blocks do not exist yet; these are the contents of each when it is allocated.
            Object::Blocks(site) if self.memory.sites[site as usize].zeroed => {
                self.c.lambda_of(region.rank(), |_| self.c.int(0))
            }
            Object::Blocks(_) => self.uninitialised(region, &ty),
        };
        self.iterations = around;
        self.note(value, Origin::Start(region.clone()));
        self.initial.insert(region.clone(), value);
        value
    }

    fn type_of(&mut self, region: &Region) -> Type {
        let regions = self.regions_of(region.object).unwrap_or_default();
        regions.into_iter().find(|(r, _)| r == region).map_or(Type::Void, |(_, ty)| ty.clone())
    }

    /// Two states of which at most one is reached.
    fn join(&mut self, a: Option<State>, b: Option<State>) -> Option<State> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let mut known: HashMap<Region, Term> = HashMap::new();
                for region in a.values.keys().chain(b.values.keys()) {
                    if !(a.values.contains_key(region) && b.values.contains_key(region)) {
                        known.insert(region.clone(), self.initially(region));
                    }
                }
                Some(a.joined(b, &self.c, &mut |region| known[region]))
            }
            (a, b) => a.or(b),
        }
    }

    /// The state on the branch on which a condition holds; `None` if no run is there.
    fn branched(&self, state: &State, condition: Term) -> Option<State> {
        let reached = self.c.and(&[state.reached, condition]);
        let branch = Some(Branch { reached: state.reached, given: state.given, condition });
        (self.c.as_truth(reached) != Some(false)).then(|| State { reached, branch, ..state.clone() })
    }

    /// The state of the runs that go on because a condition holds; `None` if there are none.
    fn assumed(&self, state: &State, condition: Term) -> Option<State> {
        let given = self.c.and(&[state.given, condition]);
        (self.c.as_truth(given) != Some(false)).then(|| State { given, ..state.clone() })
    }
}
