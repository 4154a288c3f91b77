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
//! **Limits.** Calls must be inlined. What is behind a pointer that was not resolved is unknown,
//! and a write there makes everything unknown that has an address. Jumps backward are not followed.

mod execute;
mod loops;
mod names;
mod naming;
mod point;
mod solve;
mod state;
#[cfg(test)]
mod tests;
mod value;

pub use point::{Moment, Point, Unsolved, WhyUnsolved};
pub use state::{Region, RegionStep};

use crate::program::{
    AssertionId, Block, LabelId, Location, Part, Program, StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use names::Names;
use smalti_terms::{Context, Facts, Term, Var};
use state::{State, regions};
use std::collections::{BTreeSet, HashMap};

/// One execution of an assertion, any.
#[derive(Clone, Debug)]
pub struct Asserted {
    /// Which assertion.
    pub assertion: AssertionId,
    /// What is known when a run is there: the path, and the ranges of the iteration numbers.
    pub given: Vec<Term>,
    /// The condition.
    pub condition: Term,
}

/// What a program computes.
pub struct Summary {
    /// The terms.
    pub context: Context,
    /// The executions of assertions.
    pub asserted: Vec<Asserted>,
    /// What variables and arrays hold after each loop and at the end, in the order of execution.
    pub points: Vec<Point>,
    /// What has no closed form.
    pub unsolved: Vec<Unsolved>,
    /// The assertions that are quantified: nothing is known of their executions.
    quantified: BTreeSet<AssertionId>,
}

impl Summary {
    /// The summary of a program whose calls are inlined and whose pointers are resolved. `body` is
    /// what runs.
    ///
    /// # Errors
    /// The place of a jump that is not followed.
    pub fn new(program: &Program, body: &Block) -> Result<Summary, Location> {
        let mut executor = Executor::new(program, body);
        let start =
            State { reached: executor.c.truth(true), given: executor.c.truth(true), values: Default::default() };
        let mut flow = Flow::default();
        let after = executor.block(&program.initialisers, Some(start), &mut flow)?;
        let after = executor.block(body, after, &mut flow)?;
        executor.at_end(after);
        let Executor { c, asserted, points, unsolved, quantified, .. } = executor;
        Ok(Summary { context: c, asserted, points, unsolved, quantified })
    }

    /// Whether the assertion holds in every run, as far as the normal form shows it. `false` says
    /// nothing.
    pub fn holds(&self, assertion: AssertionId) -> bool {
        let c = &self.context;
        if self.quantified.contains(&assertion) {
            return false;
        }
        self.asserted.iter().filter(|a| a.assertion == assertion).all(|a| {
            let facts = Facts::new(c).with_all(&a.given);
            facts.proves(facts.simplify(a.condition))
        })
    }
}

/// Runs that have left the straight way.
#[derive(Default)]
struct Flow {
    /// On the way to a label.
    jumps: Vec<(LabelId, State)>,
    /// On the way to the end of the innermost loop.
    breaks: Vec<State>,
    /// On the way to the step of the innermost loop.
    continues: Vec<State>,
}

/// Executes statements on symbols.
struct Executor<'p> {
    program: &'p Program,
    c: Context,
    /// The iteration numbers of the loops around, from the outside in.
    iterations: Vec<Var>,
    /// The values of regions at the start of the program, as far as they were needed.
    initial: HashMap<Region, Term>,
    /// The regions of variables; `None` if a variable has members that share cells.
    regions: HashMap<VarId, Option<Vec<(Region, &'p Type)>>>,
    /// The variables that code behind pointers may write.
    exposed: Vec<VarId>,
    asserted: Vec<Asserted>,
    quantified: BTreeSet<AssertionId>,
    points: Vec<Point>,
    unsolved: Vec<Unsolved>,
    /// The states in which runs return from the function that runs.
    returned: Returned,
    /// The names of unknowns.
    names: Names,
}

/// How runs return.
#[derive(Default)]
struct Returned {
    states: Vec<State>,
    /// Whether some return stands in a loop. Their states are not kept.
    in_loop: bool,
}

impl<'p> Executor<'p> {
    fn new(program: &'p Program, body: &Block) -> Executor<'p> {
        // The body does not stand in the program, whose entry has none.
        let mut exposed = program.exposed();
        let mut quantified = BTreeSet::new();
        each_stmt(body, &mut |s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, Use::Address) = part {
                    exposed.extend(l.as_base());
                }
            });
            if let StmtKind::Claim(claim) = &s.kind {
                quantified.extend(claim.role.assertion());
            }
        });
        Executor {
            program,
            c: Context::new(),
            iterations: Vec::new(),
            initial: HashMap::new(),
            regions: HashMap::new(),
            exposed: exposed.into_iter().collect(),
            asserted: Vec::new(),
            quantified,
            points: Vec::new(),
            unsolved: Vec::new(),
            returned: Returned::default(),
            names: Names::default(),
        }
    }

    /// Notes the state at the end of the function that runs, if it is known for all returns.
    fn at_end(&mut self, after: Option<State>) {
        let mut after = after;
        for state in std::mem::take(&mut self.returned.states) {
            after = self.join(after, Some(state));
        }
        let Some(state) = after.filter(|_| !self.returned.in_loop) else { return };
        let given = vec![state.reached, state.given];
        self.points.push(Point { moment: Moment::End, within: Vec::new(), given, values: state.values });
    }

    /// The regions of a variable, with their types.
    fn regions_of(&mut self, variable: VarId) -> Option<Vec<(Region, &'p Type)>> {
        let program = self.program;
        self.regions.entry(variable).or_insert_with(|| regions(program, variable)).clone()
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
        let value = self.unknown_region(region, &ty);
        self.iterations = around;
        self.initial.insert(region.clone(), value);
        value
    }

    fn type_of(&mut self, region: &Region) -> Type {
        let regions = self.regions_of(region.variable).unwrap_or_default();
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
        (self.c.as_truth(reached) != Some(false)).then(|| State { reached, ..state.clone() })
    }

    /// The state of the runs that go on because a condition holds; `None` if there are none.
    fn assumed(&self, state: &State, condition: Term) -> Option<State> {
        let given = self.c.and(&[state.given, condition]);
        (self.c.as_truth(given) != Some(false)).then(|| State { given, ..state.clone() })
    }
}
