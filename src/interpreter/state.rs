//! The view of a run for an observer.

use super::ObjectRef;
use super::evaluate::StorageRef;
use super::machine::Machine;
use super::memory::Initially;
use super::value::{Cell, wrap};
use crate::program::{BitField, FunctionId, InputId, Location, Program, Type, VarId};

/// The state of a run between two statements.
pub struct State<'m, 'p> {
    pub(super) machine: &'m Machine<'p>,
}

/// The value of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// An integer, in the range of the cell's type.
    Int(i128),
    /// A pointer to the leaf of that number of an object (or one past its last leaf).
    Pointer(ObjectRef, i64),
    /// The null pointer.
    Null,
    /// The address of a function.
    Function(FunctionId),
    /// Any value: floating, or an address without an object.
    Any,
    /// Any value, because nothing has written to it since it began.
    Unset,
}

impl State<'_, '_> {
    /// The program that runs.
    pub fn program(&self) -> &Program {
        self.machine.program
    }

    /// The function of the innermost call; `None` in the initialisers.
    pub fn function(&self) -> Option<FunctionId> {
        let function = self.machine.frames.last()?.function;
        (function < self.machine.program.functions.len()).then_some(FunctionId(function as u32))
    }

    /// Where the program takes the input of a statement: in its own files, if it takes it there.
    pub fn taken_at(&self, input: InputId, at: Location) -> Location {
        self.machine.taken_at(input, at)
    }

    /// How many calls are open, the entry function's included.
    pub fn depth(&self) -> usize {
        self.machine.frames.len()
    }

    /// How many statements have been executed.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// The value of a scalar variable of the innermost call, or a global. `None` if it is neither,
    /// or no scalar.
    pub fn scalar(&self, v: VarId) -> Option<Seen> {
        let home = self.machine.codes.homes[v.0 as usize]?;
        let ty = &self.machine.program.variable(v).ty;
        if !ty.is_scalar() {
            return None;
        }
        let cell = self.machine.peek(v)?;
        if home.register {
            return Some(match self.machine.is_unset(StorageRef::Register { v }) {
                true => Seen::Unset,
                false => self.seen(cell, ty),
            });
        }
        match cell {
            Cell::Pointer(p) => self.cell(p.object, 0, ty),
            _ => Some(Seen::Any),
        }
    }

    /// The object of a variable of the innermost call, or of a global. `None` if it is neither, if
    /// it has not begun to live, or if it is a scalar whose address is never taken (see
    /// [`State::scalar`]).
    pub fn object(&self, v: VarId) -> Option<ObjectRef> {
        let home = self.machine.codes.homes[v.0 as usize]?;
        match self.machine.peek(v)? {
            Cell::Pointer(p) if !home.register => Some(p.object),
            _ => None,
        }
    }

    /// Where an object comes from; `None` if it no longer lives.
    pub fn origin(&self, object: ObjectRef) -> Option<super::ObjectOrigin> {
        self.machine.memory.get(object).map(|o| o.origin)
    }

    /// Whether it is a heap block that was freed.
    pub fn is_freed(&self, object: ObjectRef) -> bool {
        self.machine.freed.contains(&object)
    }

    /// The type of an object (constants in place of variable lengths) and the number of its leaves;
    /// `None` if it no longer lives.
    pub fn shape(&self, object: ObjectRef) -> Option<(&Type, u64)> {
        self.machine.memory.get(object).map(|o| (&*o.ty, o.leaves))
    }

    /// The number of leaves of a type without variable lengths.
    pub fn leaves(&self, ty: &Type) -> u64 {
        self.machine.layouts.fixed(ty)
    }

    /// The number of the first leaf of a member, counted from the first leaf of its struct.
    pub fn member_leaf(&self, id: crate::program::StructId, field: u32) -> Option<u64> {
        self.machine.layouts.structs.get(id.0 as usize)?.offsets.get(field as usize).copied()
    }

    /// The offset in bytes of a leaf of an object of that type, and the leaf's type. `None` for a
    /// part of a union, and a bit-field.
    pub fn place_of<'t>(&'t self, ty: &'t Type, leaf: u64) -> Option<(u64, &'t Type)> {
        super::bytes::place_of(self.machine.program, &self.machine.layouts, ty, leaf)
    }

    /// The same, also for bit-fields: with the offset of the struct that has them as members, and
    /// where they lie in it.
    pub fn place_with_bits<'t>(&'t self, ty: &'t Type, leaf: u64) -> Option<(u64, &'t Type, Option<BitField>)> {
        super::bytes::place_with_bits(self.machine.program, &self.machine.layouts, ty, leaf)
    }

    /// The value of a leaf of an object, read as the scalar type `ty`. `None` if there is no such
    /// leaf.
    pub fn cell(&self, object: ObjectRef, leaf: u64, ty: &Type) -> Option<Seen> {
        let found = self.machine.memory.get(object).filter(|o| leaf < o.leaves)?;
        Some(match self.machine.memory.read(object, leaf) {
            Cell::Unset if self.machine.is_unset(StorageRef::Cell { object, leaf, bits: None }) => Seen::Unset,
            Cell::Unset if found.initially == Initially::Zero => self.seen(Cell::Int(0), ty),
            cell => self.seen(cell, ty),
        })
    }

    fn seen(&self, cell: Cell, ty: &Type) -> Seen {
        match (cell, ty) {
            (Cell::Int(n), &Type::Int(kind)) => Seen::Int(wrap(kind, i128::from(n), self.machine.model)),
            (Cell::Int(0) | Cell::Null, Type::Pointer(_)) => Seen::Null,
            (Cell::Pointer(p), Type::Pointer(_)) => Seen::Pointer(p.object, p.leaf),
            (Cell::Function(f), Type::Pointer(_)) => Seen::Function(f),
            _ => Seen::Any,
        }
    }
}
