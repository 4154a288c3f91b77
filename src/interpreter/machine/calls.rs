//! Calls and returns.

use super::super::evaluate::{Mode, StorageRef};
use super::super::memory::Initially;
use super::super::value::{Cell, Value};
use super::super::{Environment, Limit};
use super::{Frame, Machine, Passed, Trap};
use crate::program::{Callee, Expr, FunctionId, Location, Lvalue, RESULTS_ARE_RETURNED, SnapshotId, Stmt, Type};

impl<'p> Machine<'p> {
    pub(super) fn passed<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<Passed, Trap> {
        Ok(match e.ty {
            Type::Struct(_) => Passed::Struct(self.cells(env, e)?),
            _ => Passed::Scalar(self.eval(env, e)?),
        })
    }

    pub(super) fn call<E: Environment>(
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
                self.callee(pointer, at)?
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

    pub(super) fn enter(
        &mut self,
        function: usize,
        arguments: Vec<Passed>,
        target: Option<StorageRef>,
        location: Location,
    ) -> Result<(), Trap> {
        if self.frames.len() as u64 > u64::from(self.limits.depth) {
            return Err(Trap::Limit(Limit::Depth));
        }
        let base = self.places.len();
        self.places.resize(base + self.codes.functions[function].places as usize, Cell::Fresh(0));
        self.frames.push(Frame {
            function,
            pc: 0,
            block: 0,
            base,
            target,
            location,
            automatic: Vec::new(),
            snapshots: Vec::new(),
        });
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

    /// Takes a snapshot of memory, in place of an earlier one of that name.
    pub(super) fn take_snapshot(&mut self, id: SnapshotId) {
        let Some(frame) = self.frames.last_mut() else { return };
        if let Some(n) = frame.snapshots.iter().position(|taken| taken.0 == id) {
            let (_, number) = frame.snapshots.remove(n);
            self.memory.forget_snapshot(number);
            frame.snapshots.iter_mut().filter(|taken| taken.1 > number).for_each(|taken| taken.1 -= 1);
        }
        frame.snapshots.push((id, self.memory.take_snapshot()));
    }

    /// Returns from the innermost call.
    pub(super) fn leave<E: Environment>(&mut self, _env: &mut E, result: Option<Passed>) -> Result<(), Trap> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        for (n, &v) in self.codes.functions[frame.function].variables.iter().enumerate() {
            if let Cell::Pointer(p) = self.places[frame.base + n]
                && self.codes.homes[v.0 as usize].is_some_and(|h| !h.register)
            {
                self.memory.destroy(p.object);
            }
        }
        if let Some((_, first)) = frame.snapshots.iter().min_by_key(|taken| taken.1) {
            self.memory.forget_snapshots(*first);
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
