//! The state of a run, and the execution of statements.

use super::code::{Code, Codes, NOWHERE, Op};
use super::evaluate::{Mode, Place};
use super::layout::{Layouts, TOO_LARGE};
use super::memory::{Initially, Memory, ObjectRef};
use super::value::{Cell, Pointer, Value};
use super::{Environment, Limit, Limits, ObjectOrigin, Observer, Outcome, Run, State};
use crate::clock;
use crate::program::{
    Callee, DataModel, Expr, FunctionId, IntKind, Length, Location, Lvalue, Program, RESULTS_ARE_RETURNED, SiteId,
    Stmt, StmtKind, Type, VarId,
};
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
    /// The run ends here, for a reason that is no trap.
    Stopped,
    AssumptionFailed,
    /// What is taken for granted does not hold.
    Excluded(&'static str, Location),
    AssertionFailed(crate::program::AssertionId),
}

/// What has been done with random numbers.
#[derive(Default)]
pub(super) struct Random {
    /// Some were drawn.
    pub(super) drawn: bool,
    /// They were seeded after some were drawn.
    pub(super) seeded_again: bool,
}

/// The most objects that are kept in mind because their declarations were passed again.
const MAX_REPLACED: usize = 1 << 16;

/// After 2 to this many statements the clock is asked; then they count for so many steps.
const ROUND: u32 = 12;
const STEPS_PER_ROUND: u64 = 400;

/// A call that has not returned.
pub(super) struct Frame {
    pub(super) function: usize,
    pub(super) pc: usize,
    /// The block that it is in, of those with which objects end.
    block: u32,
    /// Its first place.
    pub(super) base: usize,
    /// What receives the result: where, and its type (of the caller's text).
    target: Option<Place>,
    /// Where the call stands.
    location: Location,
    /// The heap blocks that end with it.
    automatic: Vec<ObjectRef>,
}

impl Frame {
    /// Control comes to another block, where the next operation lies. The variables of the blocks
    /// that it leaves.
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

    /// The heap block ends with the call.
    pub(super) fn automatic(&mut self, block: ObjectRef) {
        self.automatic.push(block);
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
    /// See [`Run::wrapped`].
    wrapped: RefCell<BTreeSet<Location>>,
    limits: Limits,
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
        types: vec![None; program.variables.len()],
        executions: vec![0; program.variables.len()],
        blocks: HashMap::new(),
        freed: HashSet::new(),
        replaced: HashSet::new(),
        random: Random::default(),
        steps: 0,
        havocs: 0,
        determined: std::cell::Cell::new(true),
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
        let ended = entered.map_err(|t| (t, None)).and_then(|()| machine.go(environment, observer));
        if let Err((trap, stmt)) = ended {
            outcome = machine.outcome(environment, trap, stmt, location);
            last = stmt.map(|s| (s.site, s.location));
            break;
        }
    }
    Run {
        outcome,
        steps: machine.steps,
        havocs: machine.havocs,
        determined: machine.determined.get(),
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
            (Trap::Excluded(assumption, location), _) => Outcome::Excluded { assumption, location },
            (Trap::AssertionFailed(id), _) => Outcome::AssertionFailed(id),
        }
    }

    /// A signed operation has overflowed: the run ends there, unless it is to wrap around.
    pub(super) fn overflowed(&self, at: Location) -> Result<(), Trap> {
        if !self.limits.wraps {
            return Err(Trap::Undefined);
        }
        self.wrapped.borrow_mut().insert(at);
        Ok(())
    }

    /// Counts work, and looks at the limits.
    pub(super) fn tick(&mut self, work: u64) -> Result<(), Trap> {
        if self.limits.alone && !self.determined.get() {
            return Err(Trap::Limit(Limit::Outside));
        }
        let before = self.steps;
        self.steps = self.steps.saturating_add(work);
        if self.steps > self.limits.steps {
            return Err(Trap::Limit(Limit::Steps));
        }
        // The clock is not asked at every statement.
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
                        return Err((Trap::Unsupported("a jump to nowhere", stmt.location), Some(stmt)));
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

    /// Goes to `to` if the condition's truth is `when`; the truth.
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
            StmtKind::Assign(lvalue, e) => {
                if let Type::Struct(_) | Type::Array(..) = lvalue.ty {
                    let cells = self.cells(env, e)?;
                    let place = self.place(env, lvalue, Mode::Write)?;
                    return self.store_cells(place, &cells, stmt.location);
                }
                let value = self.eval(env, e)?;
                let place = self.place(env, lvalue, Mode::Write)?;
                self.store(place, &lvalue.ty, value)
            }
            StmtKind::Input(lvalue, input) => {
                let place = self.place(env, lvalue, Mode::Write)?;
                self.determined.set(false);
                let given = env.input(*input, &lvalue.ty, stmt.location);
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
                let leaves = self.leaves(&lvalue.ty, stmt.location)?;
                self.fill(place, leaves, Initially::Havocked, stmt.location)
            }
            StmtKind::HavocReachable(pointers) => {
                let mut roots = Vec::new();
                for p in pointers {
                    roots.push(self.eval(env, p)?);
                }
                self.havoc_reachable(roots)
            }
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

    fn declare(&mut self, v: VarId, at: Location) -> Result<(), Trap> {
        self.executions[v.0 as usize] += 1;
        let Some(home) = self.codes.homes[v.0 as usize] else { return Ok(()) };
        if home.register {
            let fresh = Cell::Fresh(self.executions[v.0 as usize]);
            *self.slot(v, at)? = fresh;
            return Ok(());
        }
        if let Cell::Pointer(old) = *self.slot(v, at)? {
            // C makes no new object there. (A run that does so very often may be told the wrong reason.)
            if home.addressed && self.replaced.len() < MAX_REPLACED {
                self.replaced.insert(old.object);
            }
            self.memory.destroy(old.object);
            *self.slot(v, at)? = Cell::Fresh(0);
        }
        self.check_lengths(&self.program.variable(v).ty, at)?;
        self.create(v, Initially::Arbitrary, at).map(|_| ())
    }

    /// Ends the life of a variable's object, if it has one.
    fn end(&mut self, v: VarId) {
        let Some((home, frame)) = self.codes.homes[v.0 as usize].zip(self.frames.last()) else { return };
        let place = frame.base + home.place as usize;
        if let Cell::Pointer(p) = self.places[place]
            && !home.register
        {
            self.memory.destroy(p.object);
            self.places[place] = Cell::Fresh(0);
        }
    }

    fn check_lengths(&self, ty: &Type, at: Location) -> Result<(), Trap> {
        if let Type::Array(element, length) = ty {
            if let Length::Variable(v) = length
                && self.signed_length(*v, at)? < 1
            {
                return Err(Trap::Undefined);
            }
            self.check_lengths(element, at)?;
        }
        Ok(())
    }

    /// Makes the object of a variable.
    fn create(&mut self, v: VarId, initially: Initially, at: Location) -> Result<ObjectRef, Trap> {
        let program = self.program;
        let ty = match &self.types[v.0 as usize] {
            Some(ty) => ty.clone(),
            None => {
                let declared = &program.variable(v).ty;
                let ty = Rc::new(self.resolved(declared, at)?);
                if *ty == *declared {
                    self.types[v.0 as usize] = Some(ty.clone());
                }
                ty
            }
        };
        let leaves = self.layouts.fixed(&ty);
        if leaves >= TOO_LARGE {
            return Err(Trap::Limit(Limit::Memory));
        }
        let origin = ObjectOrigin::Variable { variable: v, execution: self.executions[v.0 as usize] };
        let object = self.memory.create(origin, ty, leaves, initially);
        *self.slot(v, at)? = Cell::Pointer(Pointer { object, leaf: 0 });
        Ok(object)
    }

    /// The object of a variable that is no register; a variable whose declaration was jumped over gets one now.
    pub(super) fn object(&mut self, v: VarId, at: Location) -> Result<ObjectRef, Trap> {
        match *self.slot(v, at)? {
            Cell::Pointer(p) => Ok(p.object),
            _ => self.create(v, Initially::Arbitrary, at),
        }
    }

    /// The type with constants in place of variable lengths.
    pub(super) fn resolved(&self, ty: &Type, at: Location) -> Result<Type, Trap> {
        Ok(match ty {
            Type::Array(element, length) => {
                let length = match length {
                    Length::Variable(v) => Length::Constant(self.length(*v, at)?),
                    Length::Constant(_) | Length::Unknown => *length,
                };
                Type::Array(Box::new(self.resolved(element, at)?), length)
            }
            // What a pointer points to is looked at where it is used.
            Type::Void => Type::Int(IntKind::Char),
            _ => ty.clone(),
        })
    }

    fn allocate<E: Environment>(
        &mut self,
        env: &mut E,
        stmt: &'p Stmt,
        target: &'p Lvalue,
        element: &Type,
        count: &'p Expr,
        zeroed: bool,
    ) -> Result<(), Trap> {
        let count = self.integer(env, count)?;
        let Ok(count) = u64::try_from(count) else { return Err(Trap::Undefined) };
        let place = self.place(env, target, Mode::Write)?;
        let ty = Type::Array(Box::new(self.resolved(element, stmt.location)?), Length::Constant(count));
        let leaves = self.layouts.fixed(&ty);
        if leaves >= TOO_LARGE {
            return Err(Trap::Limit(Limit::Memory));
        }
        let execution = self.blocks.entry(stmt.site).or_default();
        *execution += 1;
        let origin = ObjectOrigin::Heap { site: stmt.site, execution: *execution };
        let initially = if zeroed { Initially::Zero } else { Initially::Arbitrary };
        let object = self.memory.create(origin, Rc::new(ty), leaves, initially);
        self.store(place, &target.ty, Value::Pointer(Pointer { object, leaf: 0 }))
    }

    /// All cells of a part of an object become zero or havocked.
    fn fill(&mut self, place: Place, leaves: u64, with: Initially, at: Location) -> Result<(), Trap> {
        let cell = if with == Initially::Zero { Cell::Int(0) } else { Cell::Havocked };
        match place {
            Place::Register { v, .. } => *self.slot(v, at)? = cell,
            Place::Cell { object, leaf, .. } => {
                if leaf == 0 && self.memory.get(object).is_some_and(|o| o.leaves == leaves) {
                    self.memory.reset(object, with);
                    return Ok(());
                }
                self.tick(leaves)?;
                for n in leaf..leaf + leaves {
                    self.memory.write(object, n, cell);
                }
            }
        }
        Ok(())
    }

    /// What unknown code can reach from these pointers and the globals becomes arbitrary.
    fn havoc_reachable(&mut self, roots: Vec<Value>) -> Result<(), Trap> {
        self.determined.set(false);
        let mut seen = HashSet::new();
        let mut open: Vec<ObjectRef> = Vec::new();
        let reached = |cell: Cell| if let Cell::Pointer(p) = cell { Some(p.object) } else { None };
        open.extend(roots.into_iter().filter_map(|v| reached(v.to_cell())));
        for n in 0..self.globals.len() {
            open.extend(reached(self.globals[n]));
            let register = self.codes.homes[self.codes.globals[n].0 as usize].is_some_and(|h| h.register);
            if register {
                self.globals[n] = Cell::Havocked;
            } else if self.globals[n] == Cell::Fresh(0) {
                let v = self.codes.globals[n];
                self.create(v, Initially::Havocked, self.program.variable(v).location)?;
            }
        }
        while let Some(object) = open.pop() {
            if seen.insert(object) {
                let written = self.memory.written(object);
                self.tick(1 + written.len() as u64)?;
                open.extend(written.into_iter().filter_map(reached));
                self.memory.reset(object, Initially::Havocked);
            }
        }
        Ok(())
    }

    fn passed<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<Passed, Trap> {
        Ok(match e.ty {
            Type::Struct(_) => Passed::Struct(self.cells(env, e)?),
            _ => Passed::Scalar(self.eval(env, e)?),
        })
    }

    fn call<E: Environment>(
        &mut self,
        env: &mut E,
        stmt: &'p Stmt,
        target: Option<&'p Lvalue>,
        callee: &'p Callee,
        arguments: &'p [Expr],
    ) -> Result<(), Trap> {
        let at = stmt.location;
        let called = match callee {
            Callee::Function(f) => *f,
            Callee::Pointer(e) => {
                let pointer = self.eval(env, e)?;
                self.callee(pointer, arguments, target, at)?
            }
        };
        let mut passed = Vec::with_capacity(arguments.len());
        for e in arguments {
            passed.push(self.passed(env, e)?);
        }
        let place = match target {
            Some(t) => Some(self.place(env, t, Mode::Write)?),
            None => None,
        };
        if self.program.function(called).body.is_some() {
            return self.enter(called.0 as usize, passed, place, at);
        }
        self.unknown_call(called, passed)?;
        match (place, target) {
            (Some(place), Some(target)) => {
                let leaves = self.leaves(&target.ty, at)?;
                self.fill(place, leaves, Initially::Havocked, at)
            }
            _ => Ok(()),
        }
    }

    fn unknown_call(&mut self, _function: FunctionId, arguments: Vec<Passed>) -> Result<(), Trap> {
        self.havocs += 1;
        let mut roots = Vec::new();
        for argument in arguments {
            match argument {
                Passed::Scalar(value) => roots.push(value),
                Passed::Struct(cells) => roots.extend(cells.into_iter().filter_map(|c| match c {
                    Cell::Pointer(p) => Some(Value::Pointer(p)),
                    _ => None,
                })),
            }
        }
        self.havoc_reachable(roots)
    }

    fn enter(
        &mut self,
        function: usize,
        arguments: Vec<Passed>,
        target: Option<Place>,
        location: Location,
    ) -> Result<(), Trap> {
        if self.frames.len() as u64 > u64::from(self.limits.depth) {
            return Err(Trap::Limit(Limit::Depth));
        }
        let base = self.places.len();
        self.places.resize(base + self.codes.functions[function].places as usize, Cell::Fresh(0));
        self.frames.push(Frame { function, pc: 0, block: 0, base, target, location, automatic: Vec::new() });
        let program = self.program;
        let Some(called) = program.functions.get(function) else { return Ok(()) };
        let mut arguments = arguments.into_iter();
        for &p in &called.parameters {
            self.declare(p, location)?;
            match arguments.next() {
                Some(Passed::Scalar(value)) => {
                    let place = self.whole(p, location)?;
                    self.store(place, &program.variable(p).ty, value)?;
                }
                Some(Passed::Struct(cells)) => {
                    let place = self.whole(p, location)?;
                    self.store_cells(place, &cells, location)?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Returns from the innermost call.
    fn leave<E: Environment>(&mut self, _env: &mut E, result: Option<Passed>) -> Result<(), Trap> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        for (n, &v) in self.codes.functions[frame.function].variables.iter().enumerate() {
            if let Cell::Pointer(p) = self.places[frame.base + n]
                && self.codes.homes[v.0 as usize].is_some_and(|h| !h.register)
            {
                self.memory.destroy(p.object);
            }
        }
        frame.automatic.iter().for_each(|block| self.memory.destroy(*block));
        self.places.truncate(frame.base);
        let Some(place) = frame.target else { return Ok(()) };
        match result {
            Some(Passed::Scalar(value)) => {
                let ty = &self.program.functions[frame.function].result;
                self.store(place, ty, value)
            }
            Some(Passed::Struct(cells)) => self.store_cells(place, &cells, frame.location),
            None => Err(Trap::Excluded(RESULTS_ARE_RETURNED, frame.location)),
        }
    }
}
