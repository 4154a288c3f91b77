//! Expressions and lvalues.

mod pointers;

use super::bytes::byte_of;
use super::layout::TOO_LARGE;
use super::machine::{Machine, Trap};
use super::memory::{Initially, ObjectRef, Past};
use super::value::{Cell, Value, wrap, wrap_bits};
use super::{CellOrigin, Environment, ObjectOrigin};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Length, Location, Lvalue, Step, Type, UnaryOp, VarId};

/// The purpose for which an lvalue is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Read,
    Write,
    /// `&`: nothing is accessed, but what lies before the last step must exist.
    Address,
}

/// What an lvalue denotes.
#[derive(Clone, Copy, Debug)]
pub(super) enum StorageRef {
    Register { v: VarId },
    Cell { object: ObjectRef, leaf: u64, bits: Option<u8> },
}

const CHAR: Type = Type::Int(IntKind::Char);

impl<'p> Machine<'p> {
    pub(super) fn slot(&mut self, v: VarId, at: Location) -> Result<&mut Cell, Trap> {
        let missing = Trap::Unsupported("a variable of another function", at);
        let Some(home) = self.codes.homes[v.0 as usize] else { return Err(missing) };
        if home.global {
            return Ok(&mut self.globals[home.place as usize]);
        }
        match self.frames.last() {
            Some(f) if f.function == home.function as usize => Ok(&mut self.places[f.base + home.place as usize]),
            _ => Err(missing),
        }
    }

    /// What a variable's place holds in the innermost call.
    pub(super) fn peek(&self, v: VarId) -> Option<Cell> {
        let home = self.codes.homes[v.0 as usize]?;
        if home.global {
            return Some(self.globals[home.place as usize]);
        }
        let frame = self.frames.last().filter(|f| f.function == home.function as usize)?;
        Some(self.places[frame.base + home.place as usize])
    }

    /// The value of a length variable. It has been written before its first use.
    pub(super) fn signed_length(&self, v: VarId, at: Location) -> Result<i128, Trap> {
        let cell = match self.peek(v) {
            Some(Cell::Pointer(p)) => self.memory.read(p.object, 0),
            Some(cell) => cell,
            None => Cell::Unset,
        };
        match (cell, &self.program.variable(v).ty) {
            (Cell::Int(n), &Type::Int(kind)) => Ok(wrap(kind, i128::from(n), self.model)),
            _ => Err(Trap::Unsupported("the length of an array has no value", at)),
        }
    }

    pub(super) fn length(&self, v: VarId, at: Location) -> Result<u64, Trap> {
        Ok(u64::try_from(self.signed_length(v, at)?.max(0)).unwrap_or(TOO_LARGE))
    }

    /// The number of leaves of a type in the innermost call.
    pub(super) fn leaves(&self, ty: &Type, at: Location) -> Result<u64, Trap> {
        match ty {
            Type::Array(element, length) => {
                let n = match length {
                    Length::Constant(n) => *n,
                    Length::Variable(v) => self.length(*v, at)?,
                    Length::Unknown => 0,
                };
                Ok(n.saturating_mul(self.leaves(element, at)?).min(TOO_LARGE))
            }
            _ => Ok(self.layouts.fixed(ty)),
        }
    }

    /// The variable as a whole.
    pub(super) fn whole(&mut self, v: VarId, at: Location) -> Result<StorageRef, Trap> {
        match self.codes.homes[v.0 as usize] {
            Some(home) if home.register => Ok(StorageRef::Register { v }),
            _ => Ok(StorageRef::Cell { object: self.object(v, at)?, leaf: 0, bits: None }),
        }
    }

    /// The leaf that a pointer to `ty` points to, if such an object lies there.
    pub(super) fn target(&self, pointer: Value, ty: &Type, at: Location) -> Result<(ObjectRef, u64), Trap> {
        let pointer = match pointer {
            Value::Pointer(p) => p,
            Value::Null => return Err(Trap::Undefined),
            _ => return Err(Trap::Unsupported("an access through a pointer of unknown value", at)),
        };
        let object = self.living(pointer.object, at)?;
        let Ok(leaf) = u64::try_from(pointer.leaf) else { return Err(Trap::Undefined) };
        if leaf >= object.leaves {
            return Err(Trap::Undefined);
        }
        let ty = if *ty == Type::Void { &CHAR } else { ty };
        let size = self.leaves(ty, at)?;
        if self.layouts.has(self.program, &object.ty, leaf, ty, size) {
            return Ok((pointer.object, leaf));
        }
        if leaf + size > object.leaves && self.layouts.has(self.program, &object.ty, leaf, ty, 0) {
            return Err(Trap::Undefined);
        }
        // More bytes than are left in the object are no part of it, whatever their type. (Of a
        // struct, perhaps only some bytes are accessed.)
        let start = byte_of(self.program, &self.layouts, &object.ty, leaf, object.leaves).filter(|_| ty.is_scalar());
        let end = start.zip(self.program.size_of(ty)).and_then(|(start, size)| start.checked_add(size));
        if end.zip(self.extent(object)).is_some_and(|(end, size)| end > size) {
            return Err(Trap::Undefined);
        }
        Err(Trap::Unsupported("an access to an object through another type", at))
    }

    pub(super) fn place<E: Environment>(
        &mut self,
        env: &mut E,
        lvalue: &'p Lvalue,
        mode: Mode,
    ) -> Result<StorageRef, Trap> {
        let program = self.program;
        let at = lvalue.location;
        let (object, mut leaf, mut ty) = match &lvalue.base {
            Base::Var(v) => match self.codes.homes[v.0 as usize] {
                Some(home) if home.register && lvalue.path.is_empty() => return Ok(StorageRef::Register { v: *v }),
                Some(home) if home.register => return Err(Trap::Unsupported("a part of a scalar", at)),
                _ => (self.object(*v, at)?, 0u64, &program.variable(*v).ty),
            },
            Base::Deref(pointer) => {
                let value = self.eval(env, pointer)?;
                let ty = pointer.ty.pointee().unwrap_or(&Type::Void);
                let (object, leaf) = self.target(value, ty, at)?;
                (object, leaf, ty)
            }
        };
        let mut bits = None;
        for (n, step) in lvalue.path.iter().enumerate() {
            match (step, ty) {
                (Step::Index(index), Type::Array(element, length)) => {
                    let i = self.integer(env, index)?;
                    if mode != Mode::Address || n + 1 < lvalue.path.len() {
                        self.check_index(i, *length, at)?;
                    }
                    let stride = i128::from(self.leaves(element, at)?);
                    let to = i128::from(leaf) + i * stride;
                    // `&a[i]` far outside: no C program has such a pointer.
                    leaf = u64::try_from(to).map_err(|_| Trap::Unsupported("an address outside of its object", at))?;
                    ty = element;
                }
                (Step::Field(id, field), _) => {
                    let structure = program.structure(*id);
                    let Some(member) = structure.members.get(*field as usize) else {
                        return Err(Trap::Unsupported("a member that does not exist", at));
                    };
                    if structure.is_union {
                        self.choose(object, leaf, *field, mode, at)?;
                    }
                    leaf += self.layouts.structs[id.0 as usize].offsets[*field as usize];
                    bits = member.bits;
                    ty = &member.ty;
                }
                (Step::Index(_), _) => {
                    return Err(Trap::Unsupported("an index into something that is not an array", at));
                }
            }
        }
        if mode == Mode::Write && matches!(lvalue.base, Base::Deref(_)) {
            self.check_constant(object, leaf, ty, at)?;
        }
        Ok(StorageRef::Cell { object, leaf, bits })
    }

    pub(super) fn check_index(&self, i: i128, length: Length, at: Location) -> Result<(), Trap> {
        let length = match length {
            Length::Constant(n) => i128::from(n),
            Length::Variable(v) => self.signed_length(v, at)?,
            Length::Unknown => return Err(Trap::Unsupported("an array of unknown length", at)),
        };
        if i < 0 || i >= length { Err(Trap::Undefined) } else { Ok(()) }
    }

    /// Prepares the use of a member of a union. Only the member written last has a known value.
    fn choose(&mut self, object: ObjectRef, leaf: u64, field: u32, mode: Mode, at: Location) -> Result<(), Trap> {
        let mine = Cell::Int(i64::from(field) + 1);
        let now = match self.memory.read(object, leaf) {
            Cell::Unset => match self.memory.get(object).map(|o| o.initially) {
                Some(Initially::Zero) => Cell::Int(0),
                Some(Initially::Havocked) => Cell::Havocked,
                _ => Cell::Unset,
            },
            cell => cell,
        };
        match mode {
            Mode::Address => return Err(Trap::Unsupported("the address of a member of a union", at)),
            Mode::Write => {}
            // All zeros are zeros in every member; the member for what unknown code wrote can be
            // chosen once.
            Mode::Read if now == mine || now == Cell::Int(0) => return Ok(()),
            Mode::Read if matches!(now, Cell::Havocked) => {}
            Mode::Read => return Err(Trap::Unsupported("a member of a union that was not written last", at)),
        }
        self.memory.write(object, leaf, mine);
        Ok(())
    }

    /// A value from outside, as a value of the type.
    pub(super) fn given(&self, given: i128, ty: &Type, at: Location) -> Result<Value, Trap> {
        match ty {
            Type::Int(kind) => Ok(Value::Int(wrap(*kind, given, self.model))),
            Type::Float(_) => Ok(Value::Opaque),
            Type::Pointer(_) => Ok(self.address_of_number(given)),
            _ => Err(Trap::Unsupported("an input that is not a scalar", at)),
        }
    }

    pub(super) fn load<E: Environment>(
        &mut self,
        env: &mut E,
        place: StorageRef,
        ty: &Type,
        at: Location,
    ) -> Result<Value, Trap> {
        let (cell, bits) = match place {
            StorageRef::Register { v } => (*self.slot(v, at)?, None),
            StorageRef::Cell { object, leaf, bits } => (self.memory.read(object, leaf), bits),
        };
        let initially = match place {
            StorageRef::Cell { object, .. } if cell == Cell::Unset => Some(self.living(object, at)?.initially),
            _ => None,
        };
        let (mut value, is_new) = self.held(env, cell, (place, initially), ty, at)?;
        // A copy of a struct may have given the cell any value.
        if let (Value::Int(n), Some(bits), Type::Int(kind)) = (value, bits, ty) {
            value = Value::Int(wrap_bits(*kind, bits, n));
        }
        match place {
            _ if !is_new => {}
            StorageRef::Register { v } => *self.slot(v, at)? = value.to_cell(),
            StorageRef::Cell { object, leaf, .. } => self.memory.settle(object, leaf, value.to_cell()),
        }
        Ok(value)
    }

    /// Whether nothing has written to a place since its object began, in an object that begins
    /// without a value.
    pub(super) fn is_unset(&self, place: StorageRef) -> bool {
        if self.program.unset.is_nothing() {
            return false;
        }
        match place {
            StorageRef::Register { v } => {
                matches!(self.peek(v), Some(Cell::Fresh(_))) && self.program.unset.variables.contains(&v)
            }
            StorageRef::Cell { object, leaf, .. } => {
                self.memory.read(object, leaf) == Cell::Unset && self.begins_unset(object)
            }
        }
    }

    /// Whether an object begins without a value.
    fn begins_unset(&self, object: ObjectRef) -> bool {
        let unset = &self.program.unset;
        self.memory.get(object).is_some_and(|o| match o.origin {
            _ if o.initially != Initially::Arbitrary => false,
            ObjectOrigin::Variable { variable, .. } => unset.variables.contains(&variable),
            ObjectOrigin::Heap { site, .. } => unset.blocks.contains(&site),
            ObjectOrigin::Outside => false,
        })
    }

    /// The value that a cell held when a snapshot was taken.
    pub(super) fn load_past<E: Environment>(
        &mut self,
        env: &mut E,
        snapshot: usize,
        place: StorageRef,
        ty: &Type,
        at: Location,
    ) -> Result<Option<Value>, Trap> {
        let StorageRef::Cell { object, leaf, bits } = place else {
            return Err(Trap::Unsupported("an earlier value of a register", at));
        };
        let (cell, initially) = match self.memory.past(snapshot, object, leaf) {
            Past::Missing => return Ok(None),
            Past::Same => return self.load(env, place, ty, at).map(Some),
            Past::Other(cell, initially) => (cell, initially),
        };
        let (mut value, is_new) = self.held(env, cell, (place, Some(initially)), ty, at)?;
        if is_new {
            if let (Value::Int(n), Some(bits), Type::Int(kind)) = (value, bits, ty) {
                value = Value::Int(wrap_bits(*kind, bits, n));
            }
            self.memory.settle_past(snapshot, object, leaf, value.to_cell());
        }
        Ok(Some(value))
    }

    /// The value that a cell holds, and whether it has just got it. For a cell of an object without
    /// a value: what its object holds initially.
    fn held<E: Environment>(
        &mut self,
        env: &mut E,
        cell: Cell,
        (place, initially): (StorageRef, Option<Initially>),
        ty: &Type,
        at: Location,
    ) -> Result<(Value, bool), Trap> {
        let given = match (cell, ty) {
            (Cell::Int(n), &Type::Int(kind)) => return Ok((Value::Int(wrap(kind, i128::from(n), self.model)), false)),
            (Cell::Int(0), Type::Pointer(_)) | (Cell::Null, _) => return Ok((Value::Null, false)),
            (_, Type::Float(_)) => return Ok((Value::Opaque, false)),
            (Cell::Pointer(p), Type::Pointer(_)) => return Ok((Value::Pointer(p), false)),
            (Cell::Wild(n), Type::Pointer(_)) => return Ok((Value::Wild(n), false)),
            (Cell::Function(f), Type::Pointer(_)) => return Ok((Value::Function(f), false)),
            (Cell::Havocked, _) => self.ask_havoc(env, ty, at),
            (Cell::Fresh(execution), _) => {
                let StorageRef::Register { v } = place else {
                    return Err(Trap::Unsupported("a cell without a value", at));
                };
                let object = ObjectOrigin::Variable { variable: v, execution };
                self.determined.set(false);
                env.arbitrary(&CellOrigin { object, object_type: ty, leaf: 0, location: at }, ty)
            }
            (Cell::Unset, _) => {
                let StorageRef::Cell { object, leaf, .. } = place else {
                    return Err(Trap::Unsupported("a register without a value", at));
                };
                match initially {
                    Some(Initially::Zero) => 0,
                    Some(Initially::Havocked) => self.ask_havoc(env, ty, at),
                    Some(Initially::Arbitrary) | None => {
                        let found = self.living(object, at)?;
                        let origin = CellOrigin { object: found.origin, object_type: &found.ty, leaf, location: at };
                        self.determined.set(false);
                        env.arbitrary(&origin, ty)
                    }
                }
            }
            _ => return Err(Trap::Unsupported("a value read through another type", at)),
        };
        Ok((self.given(given, ty, at)?, true))
    }

    /// A number as a pointer: only the bits of an address count. (gcc extends their sign when it
    /// converts them to a wider number.)
    fn address_of_number(&self, n: i128) -> Value {
        match wrap(self.model.difference_type(), n, self.model) {
            0 => Value::Null,
            n => Value::Wild(n as i64),
        }
    }

    fn ask_havoc<E: Environment>(&mut self, env: &mut E, ty: &Type, at: Location) -> i128 {
        self.havocs += 1;
        self.determined.set(false);
        env.havoc(ty, at)
    }

    pub(super) fn store(&mut self, place: StorageRef, ty: &Type, value: Value) -> Result<(), Trap> {
        match place {
            StorageRef::Register { v } => {
                let at = self.program.variable(v).location;
                *self.slot(v, at)? = value.to_cell();
            }
            StorageRef::Cell { object, leaf, bits } => {
                let value = match (value, bits, ty) {
                    (Value::Int(n), Some(bits), Type::Int(kind)) => Value::Int(wrap_bits(*kind, bits, n)),
                    _ => value,
                };
                self.memory.write(object, leaf, value.to_cell());
            }
        }
        Ok(())
    }

    /// The cells of a struct value. Arbitrary cells get their values now: a copy has the same
    /// values.
    pub(super) fn cells<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<Vec<Cell>, Trap> {
        let at = e.location;
        match &e.kind {
            ExprKind::Load(lvalue) => {
                let StorageRef::Cell { object, leaf, .. } = self.place(env, lvalue, Mode::Read)? else {
                    return Err(Trap::Unsupported("a struct in a register", at));
                };
                if self.layouts.has_union(self.program, &lvalue.ty) {
                    return Err(Trap::Unsupported("a copy of a union", at));
                }
                let ty = self.resolved(&lvalue.ty, at)?;
                let size = self.layouts.fixed(&ty);
                self.tick(size)?;
                let mut types = Vec::new();
                self.layouts.each_leaf(self.program, &ty, &mut |t: &Type| {
                    types.push(t.clone());
                    Ok::<(), Trap>(())
                })?;
                let mut cells = Vec::with_capacity(types.len());
                for (n, ty) in types.iter().enumerate() {
                    let place = StorageRef::Cell { object, leaf: leaf + n as u64, bits: None };
                    if self.is_unset(place) {
                        // What is read from the copy is not determined, even if it is floating.
                        self.determined.set(false);
                        self.read_unset = true;
                        if self.limits.unset_ends {
                            cells.push(Cell::Unset);
                            continue;
                        }
                    }
                    cells.push(self.load(env, place, ty, at)?.to_cell());
                }
                Ok(cells)
            }
            ExprKind::Conditional(c, a, b) => {
                let chosen = if self.truth(env, c)? { a } else { b };
                self.cells(env, chosen)
            }
            ExprKind::Cast(a) => self.cells(env, a),
            _ => Err(Trap::Unsupported("a struct value of an unknown form", at)),
        }
    }

    pub(super) fn store_cells(&mut self, place: StorageRef, cells: &[Cell], at: Location) -> Result<(), Trap> {
        let StorageRef::Cell { object, leaf, .. } = place else {
            return Err(Trap::Unsupported("a struct in a register", at));
        };
        for (n, cell) in cells.iter().enumerate() {
            let cell = match cell {
                // Any value: this object does not tell that nothing has written it.
                Cell::Unset if !self.begins_unset(object) => Cell::Havocked,
                cell => *cell,
            };
            self.memory.write(object, leaf + n as u64, cell);
        }
        Ok(())
    }

    pub(super) fn truth<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<bool, Trap> {
        match self.eval(env, e)? {
            Value::Int(n) => Ok(n != 0),
            Value::Null => Ok(false),
            Value::Pointer(_) | Value::Function(_) => Ok(true),
            Value::Wild(n) => Ok(n != 0),
            Value::Opaque => Err(Trap::Unsupported("a floating value decides what happens", e.location)),
        }
    }

    pub(super) fn integer<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<i128, Trap> {
        match self.eval(env, e)? {
            Value::Int(n) => Ok(n),
            _ => Err(Trap::Unsupported("a number was expected", e.location)),
        }
    }

    pub(super) fn eval<E: Environment>(&mut self, env: &mut E, e: &'p Expr) -> Result<Value, Trap> {
        match &e.kind {
            ExprKind::Int(n) => match &e.ty {
                Type::Pointer(_) => Ok(self.address_of_number(*n)),
                Type::Float(_) => Ok(Value::Opaque),
                _ => Ok(Value::Int(*n)),
            },
            ExprKind::Float(_) => Ok(Value::Opaque),
            ExprKind::FunctionAddress(f) => Ok(Value::Function(*f)),
            ExprKind::Load(lvalue) => {
                let place = self.place(env, lvalue, Mode::Read)?;
                if self.is_unset(place) {
                    self.read_unset = true;
                    if self.limits.unset_ends {
                        return Err(Trap::Undefined);
                    }
                }
                self.load(env, place, &lvalue.ty, e.location)
            }
            ExprKind::AddressOf(lvalue) => self.address(env, lvalue),
            ExprKind::Unary(op, a) => self.unary(env, e, *op, a),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(env, a)?, self.eval(env, b)?);
                match (x, y) {
                    (Value::Int(x), Value::Int(y)) => self.arithmetic(e, *op, x, y),
                    _ => self.pointers(e, *op, a, x, y),
                }
            }
            ExprKind::Cast(a) => {
                let value = self.eval(env, a)?;
                self.convert(value, &e.ty, e.location)
            }
            ExprKind::And(a, b) => Ok(bool_value(self.truth(env, a)? && self.truth(env, b)?)),
            ExprKind::Or(a, b) => Ok(bool_value(self.truth(env, a)? || self.truth(env, b)?)),
            ExprKind::Conditional(c, a, b) => {
                if self.truth(env, c)? {
                    self.eval(env, a)
                } else {
                    self.eval(env, b)
                }
            }
        }
    }

    fn unary<E: Environment>(&mut self, env: &mut E, e: &'p Expr, op: UnaryOp, a: &'p Expr) -> Result<Value, Trap> {
        if op == UnaryOp::Not {
            return Ok(bool_value(!self.truth(env, a)?));
        }
        match (self.eval(env, a)?, &e.ty) {
            (Value::Int(n), &Type::Int(kind)) => {
                let result = if op == UnaryOp::Negate { -n } else { !n };
                let wrapped = wrap(kind, result, self.model);
                if op == UnaryOp::Negate && kind.is_signed() && wrapped != result {
                    self.overflowed(e.location)?;
                }
                Ok(Value::Int(wrapped))
            }
            (Value::Opaque, _) => Ok(Value::Opaque),
            _ => Err(Trap::Unsupported("an operation on a pointer", e.location)),
        }
    }

    fn arithmetic(&self, e: &Expr, op: BinaryOp, x: i128, y: i128) -> Result<Value, Trap> {
        let &Type::Int(kind) = &e.ty else {
            return Err(Trap::Unsupported("an operation of an unknown type", e.location));
        };
        let result = match op {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            // The low 64 bits are right even where 128 do not suffice; that happens to unsigned
            // operands only.
            BinaryOp::Mul => x.wrapping_mul(y),
            BinaryOp::Div | BinaryOp::Rem => {
                if y == 0 || (kind.is_signed() && y == -1 && x == kind.min(self.model)) {
                    return Err(Trap::Undefined);
                }
                match (i64::try_from(x), i64::try_from(y)) {
                    (Ok(x), Ok(y)) if op == BinaryOp::Div => i128::from(x.wrapping_div(y)),
                    (Ok(x), Ok(y)) => i128::from(x.wrapping_rem(y)),
                    _ if op == BinaryOp::Div => x / y,
                    _ => x % y,
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let amount = match u32::try_from(y) {
                    Ok(amount) if amount < kind.width(self.model) => amount,
                    _ => return Err(Trap::Undefined),
                };
                if op == BinaryOp::ShiftRight {
                    x >> amount
                } else {
                    if kind.is_signed() && x < 0 {
                        self.overflowed(e.location)?;
                    }
                    // The operand has at most 64 bits, so that the low 64 bits of the result are
                    // right.
                    x.wrapping_shl(amount)
                }
            }
            BinaryOp::BitAnd => x & y,
            BinaryOp::BitOr => x | y,
            BinaryOp::BitXor => x ^ y,
            BinaryOp::Less => i128::from(x < y),
            BinaryOp::LessEqual => i128::from(x <= y),
            BinaryOp::Greater => i128::from(x > y),
            BinaryOp::GreaterEqual => i128::from(x >= y),
            BinaryOp::Equal => i128::from(x == y),
            BinaryOp::NotEqual => i128::from(x != y),
            BinaryOp::PointerAdd | BinaryOp::PointerDiff => {
                return Err(Trap::Unsupported("pointer arithmetic on numbers", e.location));
            }
        };
        let wrapped = wrap(kind, result, self.model);
        if kind.is_signed() && wrapped != result {
            self.overflowed(e.location)?;
        }
        Ok(Value::Int(wrapped))
    }

    fn convert(&self, value: Value, ty: &Type, at: Location) -> Result<Value, Trap> {
        match (value, ty) {
            (_, Type::Void) => Ok(value),
            (Value::Int(n), &Type::Int(kind)) => Ok(Value::Int(wrap(kind, n, self.model))),
            (Value::Int(_) | Value::Opaque, Type::Float(_)) => Ok(Value::Opaque),
            (Value::Int(n), Type::Pointer(_)) => Ok(self.address_of_number(n)),
            (Value::Pointer(_) | Value::Null | Value::Wild(_) | Value::Function(_), Type::Pointer(_)) => Ok(value),
            (Value::Pointer(_) | Value::Function(_), Type::Int(IntKind::Bool)) => Ok(Value::Int(1)),
            (Value::Null, Type::Int(_)) => Ok(Value::Int(0)),
            (Value::Wild(n), &Type::Int(kind)) => Ok(Value::Int(wrap(kind, i128::from(n), self.model))),
            (Value::Opaque, _) => Err(Trap::Unsupported("the value of a floating expression", at)),
            _ => Err(Trap::Unsupported("an address as a number", at)),
        }
    }
}

fn bool_value(truth: bool) -> Value {
    Value::Int(i128::from(truth))
}
