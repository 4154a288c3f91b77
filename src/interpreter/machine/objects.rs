//! The lives of objects: declarations, allocations, and operations on all their cells.

use super::super::evaluate::{Mode, StorageRef};
use super::super::layout::TOO_LARGE;
use super::super::memory::{Initially, ObjectRef};
use super::super::value::{Cell, Pointer, Value};
use super::super::{Environment, Limit, ObjectOrigin};
use super::{Machine, Trap};
use crate::program::{Expr, IntKind, Length, Location, Lvalue, Reached, Stmt, Type, VarId};
use std::collections::HashSet;
use std::rc::Rc;

/// The most objects that are remembered because their declarations were passed again.
const MAX_REPLACED: usize = 1 << 16;

impl<'p> Machine<'p> {
    pub(super) fn declare(&mut self, v: VarId, at: Location) -> Result<(), Trap> {
        self.executions[v.0 as usize] += 1;
        let Some(home) = self.codes.homes[v.0 as usize] else { return Ok(()) };
        if home.register {
            let fresh = Cell::Fresh(self.executions[v.0 as usize]);
            *self.slot(v, at)? = fresh;
            return Ok(());
        }
        if let Cell::Pointer(old) = *self.slot(v, at)? {
            // C makes no new object there. (A run that does so very often may get the wrong
            // reason.)
            if home.addressed && self.replaced.len() < MAX_REPLACED {
                self.replaced.insert(old.object);
            }
            self.memory.destroy(old.object);
            *self.slot(v, at)? = Cell::Fresh(0);
        }
        self.check_lengths(&self.program.variable(v).ty, at)?;
        self.create(v, Initially::Arbitrary, at).map(|_| ())
    }

    /// An assignment. One that copies whatever is there copies that nothing has written it, if such
    /// a read would end the run.
    pub(super) fn assign<E: Environment>(
        &mut self,
        env: &mut E,
        stmt: &'p Stmt,
        to: &'p Lvalue,
        e: &'p Expr,
    ) -> Result<(), Trap> {
        let copied = self.program.unset.copied(stmt).filter(|_| self.limits.unset_ends);
        let lacks_value = match copied {
            Some(from) => {
                let from = self.place(env, from, Mode::Read)?;
                self.is_unset(from)
            }
            None => false,
        };
        if lacks_value || matches!(to.ty, Type::Struct(_) | Type::Array(..)) {
            let cells = if lacks_value { vec![Cell::Unset] } else { self.cells(env, e)? };
            return match self.place(env, to, Mode::Write)? {
                // Its value is dropped.
                StorageRef::Register { .. } if lacks_value => Ok(()),
                place => self.store_cells(place, &cells, stmt.location),
            };
        }
        let value = self.eval(env, e)?;
        let place = self.place(env, to, Mode::Write)?;
        self.store(place, &to.ty, value)
    }

    /// Ends the life of a variable's object, if it has one.
    pub(super) fn end(&mut self, v: VarId) {
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

    /// The object of a variable that is not a register; a variable whose declaration was jumped
    /// over gets one now.
    pub(in crate::interpreter) fn object(&mut self, v: VarId, at: Location) -> Result<ObjectRef, Trap> {
        match *self.slot(v, at)? {
            Cell::Pointer(p) => Ok(p.object),
            _ => {
                let object = self.create(v, Initially::Arbitrary, at)?;
                self.memory.predate(object);
                Ok(object)
            }
        }
    }

    /// The type with constants in place of variable lengths.
    pub(in crate::interpreter) fn resolved(&self, ty: &Type, at: Location) -> Result<Type, Trap> {
        Ok(match ty {
            Type::Array(element, length) => {
                let length = match length {
                    Length::Variable(v) => Length::Constant(self.length(*v, at)?),
                    Length::Constant(_) | Length::Unknown => *length,
                };
                Type::Array(Box::new(self.resolved(element, at)?), length)
            }
            // The target of a pointer is checked where the pointer is used.
            Type::Void => Type::Int(IntKind::Char),
            _ => ty.clone(),
        })
    }

    pub(super) fn allocate<E: Environment>(
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

    /// Sets all cells of a part of an object to zero or havocked.
    pub(super) fn fill(&mut self, place: StorageRef, leaves: u64, with: Initially, at: Location) -> Result<(), Trap> {
        let cell = if with == Initially::Zero { Cell::Int(0) } else { Cell::Havocked };
        match place {
            StorageRef::Register { v, .. } => *self.slot(v, at)? = cell,
            StorageRef::Cell { object, leaf, .. } => {
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

    /// Makes arbitrary what may change.
    pub(super) fn unknown_changes<E: Environment>(&mut self, env: &mut E, reached: &'p Reached) -> Result<(), Trap> {
        let mut roots = Vec::new();
        for p in &reached.pointers {
            roots.push(self.eval(env, p)?);
        }
        match &reached.bytes {
            Some(bytes) if self.write_bytes(env, bytes)? => Ok(()),
            Some(_) => self.havoc_objects(&roots),
            None => self.havoc_reachable(roots),
        }
    }

    /// Makes arbitrary the objects in which bytes change. Nothing else does.
    fn havoc_objects(&mut self, pointers: &[Value]) -> Result<(), Trap> {
        self.determined.set(false);
        for pointer in pointers {
            match pointer {
                Value::Pointer(p) if self.memory.get(p.object).is_some() => {
                    self.memory.reset(p.object, Initially::Havocked);
                }
                Value::Pointer(_) | Value::Null => {}
                // It may be the address of anything.
                _ => self.havoc_reachable(Vec::new())?,
            }
        }
        Ok(())
    }

    /// Makes arbitrary everything that unknown code can reach from these pointers and the globals.
    pub(super) fn havoc_reachable(&mut self, roots: Vec<Value>) -> Result<(), Trap> {
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
}
