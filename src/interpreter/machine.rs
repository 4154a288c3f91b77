//! The state of a run, and the execution of statements.

mod blocks;
mod calls;
mod objects;
pub(super) mod texts;

use super::code::{Code, Codes, NOWHERE, Op};
use super::evaluate::{Mode, StorageRef};
use super::layout::Layouts;
use super::memory::{Initially, Memory, ObjectRef};
use super::value::{Cell, Value};
use super::{Environment, Limit, Limits, Observer, Outcome, Run, State};
use crate::clock;
use crate::program::{DataModel, Expr, InputId, Location, Program, SiteId, SnapshotId, Stmt, StmtKind, Type, VarId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Why the execution of a statement did not go on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trap {
    /// A check of the statement fails; [`super::checks`] finds out which.
    Undefined,
    Unsupported(&'static str, Location),
    Limit(Limit),
    /// The run ends here, for a reason that is not a trap.
    Stopped,
    AssumptionFailed,
    /// An assumption does not hold.
    Excluded(&'static str, Location),
    AssertionFailed(crate::program::AssertionId),
}

/// The history of random numbers in the run.
#[derive(Default)]
pub(super) struct Random {
    /// Whether some were drawn.
    pub(super) drawn: bool,
    /// Whether they were seeded after some were drawn.
    pub(super) seeded_again: bool,
}

/// The clock is read after 2 to this many statements; they then count as [`STEPS_PER_ROUND`] steps.
const ROUND: u32 = 12;
const STEPS_PER_ROUND: u64 = 400;

/// A call that has not returned.
pub(super) struct Frame {
    pub(super) function: usize,
    pub(super) pc: usize,
    /// The block that it is in, among those at whose end objects end.
    block: u32,
    /// Its first place.
    pub(super) base: usize,
    /// The place that receives the result.
    target: Option<StorageRef>,
    /// Where the call stands.
    location: Location,
    /// The heap blocks whose lifetime ends with it.
    automatic: Vec<ObjectRef>,
    /// The snapshots that it has taken, by their numbers in memory.
    snapshots: Vec<(SnapshotId, usize)>,
}

impl Frame {
    /// Records that control enters another block, that of the next operation. Returns the variables
    /// of the blocks that it leaves.
    fn comes_to(&mut self, block: u32, code: &Code<'_>) -> Vec<VarId> {
        let mut ended = Vec::new();
        while !code.blocks[self.block as usize].contains(self.pc) {
            let left = &code.blocks[self.block as usize];
            ended.extend(&left.objects);
            self.block = left.around;
        }
        self.block = block;
        ended
    }

    /// The number of a snapshot in memory.
    pub(super) fn snapshot(&self, id: SnapshotId) -> Option<usize> {
        self.snapshots.iter().find(|taken| taken.0 == id).map(|taken| taken.1)
    }

    /// Records that the lifetime of the heap block ends with the call.
    pub(super) fn automatic(&mut self, block: ObjectRef) {
        self.automatic.push(block);
    }

    /// Whether the lifetime of the heap block ends with the call.
    pub(super) fn ends_with_it(&self, block: ObjectRef) -> bool {
        self.automatic.contains(&block)
    }
}

/// The value of an argument or a result: one cell, or all cells of a struct.
pub(super) enum Passed {
    Scalar(Value),
    Struct(Vec<Cell>),
}

pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) model: DataModel,
    pub(super) codes: Codes<'p>,
    pub(super) layouts: Layouts,
    pub(super) memory: Memory,
    pub(super) globals: Vec<Cell>,
    /// The places of all open calls.
    pub(super) places: Vec<Cell>,
    pub(super) frames: Vec<Frame>,
    /// The functions of formulas that are being applied.
    pub(super) applied: super::formulas::Applied<'p>,
    /// The types of variables, where their lengths are constant.
    types: Vec<Option<Rc<Type>>>,
    /// How often each `Declare` was executed.
    executions: Vec<u64>,
    blocks: HashMap<SiteId, u64>,
    /// The blocks that have been freed.
    pub(super) freed: HashSet<ObjectRef>,
    /// Objects whose declarations were passed again in the block that they live in.
    pub(super) replaced: HashSet<ObjectRef>,
    pub(super) random: Random,
    pub(super) steps: u64,
    pub(super) havocs: u64,
    /// See [`Run::determined`].
    pub(super) determined: std::cell::Cell<bool>,
    /// See [`Run::read_unset`].
    pub(super) read_unset: bool,
    /// Whether the run has asked for a variable of the environment.
    has_asked: bool,
    /// See [`Run::wrapped`].
    wrapped: RefCell<BTreeSet<Location>>,
    pub(super) limits: Limits,
}

pub(super) fn run<E: Environment, O: Observer>(
    program: &Program,
    environment: &mut E,
    observer: &mut O,
    limits: &Limits,
) -> Run {
    let codes = Codes::new(program);
    let globals = vec![Cell::Fresh(0); codes.globals.len()];
    let mut machine = Machine {
        program,
        model: program.data_model,
        codes,
        layouts: Layouts::new(program),
        memory: Memory::default(),
        globals,
        places: Vec::new(),
        frames: Vec::new(),
        applied: super::formulas::Applied::default(),
        types: vec![None; program.variables.len()],
        executions: vec![0; program.variables.len()],
        blocks: HashMap::new(),
        freed: HashSet::new(),
        replaced: HashSet::new(),
        random: Random::default(),
        steps: 0,
        havocs: 0,
        determined: std::cell::Cell::new(true),
        read_unset: false,
        has_asked: false,
        wrapped: RefCell::default(),
        limits: *limits,
    };
    let mut last = None;
    let location = program.function(program.entry).location;
    let initialisers = program.functions.len();
    let mut outcome = Outcome::Finished;
    for function in [initialisers, program.entry.0 as usize] {
        if function != initialisers && program.function(program.entry).body.is_none() {
            outcome = Outcome::Unsupported { reason: "the entry function has no body", location };
            break;
        }
        let entered = machine.enter(function, Vec::new(), None, location);
        let given = entered.and_then(|()| match function == initialisers {
            true => Ok(()),
            false => machine.give_arguments(environment, location),
        });
        let ended = given.map_err(|t| (t, None)).and_then(|()| machine.go(environment, observer));
        if let Err((trap, stmt)) = ended {
            outcome = machine.outcome(environment, trap, stmt, location);
            last = stmt.map(|s| (s.site, s.location));
            break;
        }
    }
    let ended = matches!(outcome, Outcome::Finished | Outcome::Stopped);
    Run {
        left: if ended { machine.blocks_left() } else { BTreeSet::new() },
        outcome,
        steps: machine.steps,
        havocs: machine.havocs,
        determined: machine.determined.get(),
        read_unset: machine.read_unset,
        last,
        wrapped: machine.wrapped.into_inner(),
    }
}

impl<'p> Machine<'p> {
    fn outcome<E: Environment>(
        &mut self,
        environment: &mut E,
        trap: Trap,
        stmt: Option<&'p Stmt>,
        entry: Location,
    ) -> Outcome {
        match (trap, stmt) {
            (Trap::Undefined, Some(stmt)) => self.failed_check(environment, stmt),
            (Trap::Undefined, None) => {
                Outcome::Unsupported { reason: "undefined behaviour outside of statements", location: entry }
            }
            (Trap::Unsupported(reason, location), _) => Outcome::Unsupported { reason, location },
            (Trap::Limit(limit), _) => Outcome::LimitReached(limit),
            (Trap::Stopped, _) => Outcome::Stopped,
            (Trap::AssumptionFailed, _) => Outcome::AssumptionFailed,
            (Trap::Excluded(assumption, location), _) => {
                let ended = stmt.and_then(|stmt| self.failed_use(environment, stmt));
                ended.unwrap_or(Outcome::Excluded { assumption, location })
            }
            (Trap::AssertionFailed(id), _) => Outcome::AssertionFailed(id),
        }
    }

    /// The allocations of the heap blocks that have not ended.
    fn blocks_left(&self) -> BTreeSet<SiteId> {
        let left = self.memory.living().filter(|(at, _)| !self.freed.contains(at));
        let sites = left.filter_map(|(_, object)| match object.origin {
            super::ObjectOrigin::Heap { site, .. } => Some(site),
            super::ObjectOrigin::Variable { .. } | super::ObjectOrigin::Outside => None,
        });
        sites.collect()
    }

    /// Where the program takes an input. An input of the C library is taken where the program calls
    /// the library.
    pub(super) fn taken_at(&self, input: InputId, at: Location) -> Location {
        let is_own = |place: &Location| self.program.sources.file(place.file).own;
        if !self.program.library_inputs.contains_key(&input) || is_own(&at) {
            return at;
        }
        self.frames.iter().rev().map(|frame| frame.location).find(is_own).unwrap_or(at)
    }

    /// Handles the overflow of a signed operation: the run ends there, unless it is to wrap around.
    pub(super) fn overflowed(&self, at: Location) -> Result<(), Trap> {
        if !self.limits.wraps {
            return Err(Trap::Undefined);
        }
        self.wrapped.borrow_mut().insert(at);
        Ok(())
    }

    /// Counts work, and checks the limits.
    pub(super) fn tick(&mut self, work: u64) -> Result<(), Trap> {
        if self.limits.alone && !self.determined.get() {
            return Err(Trap::Limit(Limit::Outside));
        }
        let before = self.steps;
        self.steps = self.steps.saturating_add(work);
        if self.steps > self.limits.steps {
            return Err(Trap::Limit(Limit::Steps));
        }
        // The clock is not read at every statement.
        let rounds = (self.steps >> ROUND) - (before >> ROUND);
        if rounds > 0 {
            clock::spend(rounds.saturating_mul(STEPS_PER_ROUND));
            if self.limits.deadline.is_some_and(|deadline| clock::now() >= deadline) {
                return Err(Trap::Limit(Limit::Time));
            }
        }
        if self.memory.cells > self.limits.cells || self.places.len() as u64 > self.limits.cells {
            return Err(Trap::Limit(Limit::Memory));
        }
        Ok(())
    }

    /// Runs until the outermost call returns.
    fn go<E: Environment, O: Observer>(
        &mut self,
        env: &mut E,
        observer: &mut O,
    ) -> Result<(), (Trap, Option<&'p Stmt>)> {
        while let Some(frame) = self.frames.last_mut() {
            let code = &self.codes.functions[frame.function];
            let op = code.ops[frame.pc];
            if code.inside[frame.pc] != frame.block {
                let ended = frame.comes_to(code.inside[frame.pc], code);
                ended.into_iter().for_each(|v| self.end(v));
                continue;
            }
            frame.pc += 1;
            match op {
                Op::Simple(stmt) => {
                    observer.at(stmt, &State { machine: self });
                    self.tick(1).and_then(|()| self.execute(env, stmt)).map_err(|t| (t, Some(stmt)))?;
                    observer.done(stmt);
                }
                Op::Pass(stmt) => observer.at(stmt, &State { machine: self }),
                Op::Branch(stmt, condition, otherwise) => {
                    observer.at(stmt, &State { machine: self });
                    observer.tested(stmt, self.test(env, stmt, condition, false, otherwise)?);
                }
                Op::TestDown(stmt, condition, end) => {
                    observer.test(stmt, &State { machine: self });
                    observer.tested(stmt, self.test(env, stmt, condition, false, end)?);
                }
                Op::TestUp(stmt, condition, head) => {
                    observer.test(stmt, &State { machine: self });
                    observer.tested(stmt, self.test(env, stmt, condition, true, head)?);
                }
                Op::Jump(to) => frame.pc = to,
                Op::Leave(stmt, to) => {
                    observer.at(stmt, &State { machine: self });
                    self.tick(1).map_err(|t| (t, Some(stmt)))?;
                    if to == NOWHERE {
                        return Err((
                            Trap::Unsupported("a jump to a label that does not exist", stmt.location),
                            Some(stmt),
                        ));
                    }
                    self.jump(to);
                }
                Op::End => self.leave(env, None).map_err(|t| (t, None))?,
            }
        }
        Ok(())
    }

    fn jump(&mut self, to: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = to;
        }
    }

    /// Goes to `to` if the condition's truth value is `when`. Returns the truth value.
    fn test<E: Environment>(
        &mut self,
        env: &mut E,
        stmt: &'p Stmt,
        condition: &'p Expr,
        when: bool,
        to: usize,
    ) -> Result<bool, (Trap, Option<&'p Stmt>)> {
        let truth = self.tick(1).and_then(|()| self.truth(env, condition)).map_err(|t| (t, Some(stmt)))?;
        if truth == when {
            self.jump(to);
        }
        Ok(truth)
    }

    fn execute<E: Environment>(&mut self, env: &mut E, stmt: &'p Stmt) -> Result<(), Trap> {
        match &stmt.kind {
            StmtKind::Assign(lvalue, e) => self.assign(env, stmt, lvalue, e),
            StmtKind::Input(lvalue, input) => {
                let place = self.place(env, lvalue, Mode::Write)?;
                self.determined.set(false);
                let given = env.input(*input, &lvalue.ty, self.taken_at(*input, stmt.location));
                let value = self.given(given, &lvalue.ty, stmt.location)?;
                self.store(place, &lvalue.ty, value)
            }
            StmtKind::Declare(v) => self.declare(*v, stmt.location),
            StmtKind::Zero(lvalue) => {
                let place = self.place(env, lvalue, Mode::Write)?;
                let leaves = self.leaves(&lvalue.ty, stmt.location)?;
                self.fill(place, leaves, Initially::Zero, stmt.location)
            }
            StmtKind::Havoc(lvalue) => {
                self.determined.set(false);
                let place = self.place(env, lvalue, Mode::Write)?;
                if let Some(value) = self.given_from_outside(env, lvalue) {
                    return self.store(place, &lvalue.ty, value);
                }
                let leaves = self.leaves(&lvalue.ty, stmt.location)?;
                self.fill(place, leaves, Initially::Havocked, stmt.location)
            }
            StmtKind::HavocReachable(reached) => self.unknown_changes(env, reached),
            StmtKind::Allocate { target, element, count, zeroed } => {
                self.allocate(env, stmt, target, element, count, *zeroed)
            }
            StmtKind::Call { target, callee, arguments } => self.call(env, stmt, target.as_ref(), callee, arguments),
            StmtKind::Return(None) => self.leave(env, None),
            StmtKind::Return(Some(e)) => {
                let result = self.passed(env, e)?;
                self.leave(env, Some(result))
            }
            StmtKind::Assume(c) => {
                if self.truth(env, c)? {
                    Ok(())
                } else {
                    Err(Trap::AssumptionFailed)
                }
            }
            StmtKind::Assert(c, id) => {
                if self.truth(env, c)? {
                    Ok(())
                } else {
                    Err(Trap::AssertionFailed(*id))
                }
            }
            StmtKind::Snapshot(id) => {
                self.take_snapshot(*id);
                Ok(())
            }
            StmtKind::Claim(claim) => self.claim(env, claim, stmt.location),
            StmtKind::Blocks(blocks) => self.blocks(env, blocks, stmt.location),
            StmtKind::Presume(presumption) => self.presume(env, presumption, stmt.location),
            StmtKind::Stop => Err(Trap::Stopped),
            StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Skip => Ok(()),
        }
    }
}
