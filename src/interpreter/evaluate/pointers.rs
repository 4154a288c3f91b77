//! Operations on pointers: addresses, sums, differences and comparisons.

use super::super::bytes::{byte_of, leaf_at};
use super::super::machine::{Machine, Trap};
use super::super::memory::Object;
use super::super::value::{Pointer, Value};
use super::super::{Environment, Limit, ObjectOrigin};
use super::{CHAR, Mode, StorageRef, bool_value};
use crate::program::{Base, BinaryOp, Expr, Length, Location, Lvalue, Type};

impl<'p> Machine<'p> {
    pub(super) fn address<E: Environment>(&mut self, env: &mut E, lvalue: &'p Lvalue) -> Result<Value, Trap> {
        if let (Base::Deref(pointer), true) = (&lvalue.base, lvalue.path.is_empty()) {
            return self.eval(env, pointer);
        }
        match self.place(env, lvalue, Mode::Address)? {
            StorageRef::Cell { object, leaf, .. } => match i64::try_from(leaf) {
                Ok(leaf) => Ok(Value::Pointer(Pointer { object, leaf })),
                Err(_) => Err(Trap::Limit(Limit::Memory)),
            },
            StorageRef::Register { .. } => Err(Trap::Unsupported("the address of a register", lvalue.location)),
        }
    }

    pub(super) fn pointers(&self, e: &Expr, op: BinaryOp, left: &Expr, x: Value, y: Value) -> Result<Value, Trap> {
        let unknown = |what| Err(Trap::Unsupported(what, e.location));
        if x == Value::Opaque || y == Value::Opaque {
            return if op.is_comparison() { unknown("a comparison of floating values") } else { Ok(Value::Opaque) };
        }
        match (op, x, y) {
            (BinaryOp::PointerAdd, x, Value::Int(n)) => self.moved(x, n, left, e.location),
            (BinaryOp::PointerDiff, Value::Null, Value::Null) => Ok(Value::Int(0)),
            (BinaryOp::PointerDiff, Value::Pointer(a), Value::Pointer(b)) if a.object == b.object => {
                let ty = left.ty.pointee().unwrap_or(&Type::Void);
                self.element(a, b, ty, e.location)?;
                let size = self.leaves(ty, e.location)?.max(1);
                Ok(Value::Int((i128::from(a.leaf) - i128::from(b.leaf)) / i128::from(size)))
            }
            (BinaryOp::Equal | BinaryOp::NotEqual, x, y) => {
                if let (Value::Pointer(a), Value::Pointer(b)) = (x, y) {
                    self.comparable(a.object, e.location)?;
                    self.comparable(b.object, e.location)?;
                }
                let equal = match (x, y) {
                    (Value::Wild(a), Value::Wild(b)) => a == b,
                    (Value::Wild(a), Value::Null) | (Value::Null, Value::Wild(a)) => a == 0,
                    (Value::Wild(_), _) | (_, Value::Wild(_)) => {
                        return unknown("a comparison with a pointer of unknown value");
                    }
                    (Value::Int(_), _) | (_, Value::Int(_)) => {
                        return unknown("a comparison of a pointer with a number");
                    }
                    (Value::Pointer(a), Value::Pointer(b)) if a.object != b.object => {
                        // An object may begin where another one ends (C11 6.5.9p6), and objects
                        // that smalti makes, such as literals, may overlap (6.4.5p7).
                        if !self.is_within(a) || !self.is_within(b) {
                            self.determined.set(false);
                        }
                        false
                    }
                    (x, y) => x == y,
                };
                Ok(bool_value(equal == (op == BinaryOp::Equal)))
            }
            (op, Value::Pointer(a), Value::Pointer(b)) if op.is_comparison() && a.object == b.object => {
                Ok(bool_value(match op {
                    BinaryOp::Less => a.leaf < b.leaf,
                    BinaryOp::LessEqual => a.leaf <= b.leaf,
                    BinaryOp::Greater => a.leaf > b.leaf,
                    _ => a.leaf >= b.leaf,
                }))
            }
            (op, ..) if op.is_comparison() => unknown("an order of pointers to different objects"),
            _ => unknown("pointer arithmetic on unrelated pointers"),
        }
    }

    /// Whether the pointer points into an object of the source that is alive, and not to its end.
    fn is_within(&self, p: Pointer) -> bool {
        self.memory.get(p.object).is_some_and(|object| {
            let made = match object.origin {
                ObjectOrigin::Variable { variable, .. } => self.program.variable(variable).is_hidden(),
                ObjectOrigin::Heap { .. } | ObjectOrigin::Outside => false,
            };
            !made && u64::try_from(p.leaf).is_ok_and(|leaf| leaf < object.leaves)
        })
    }

    /// The pointer plus `n` elements.
    fn moved(&self, pointer: Value, n: i128, left: &Expr, at: Location) -> Result<Value, Trap> {
        if n == 0 {
            return Ok(pointer);
        }
        let from = match pointer {
            Value::Pointer(p) => p,
            Value::Null => return Err(Trap::Undefined),
            _ => return Err(Trap::Unsupported("arithmetic on a pointer of unknown value", at)),
        };
        let object = self.living(from.object, at)?;
        let ty = left.ty.pointee().unwrap_or(&Type::Void);
        let size = i128::from(self.leaves(ty, at)?);
        let leaf = i128::from(from.leaf) + n * size;
        let inside = (0..=i128::from(object.leaves)).contains(&leaf);
        // Limited to the extent of the object.
        let to = Pointer { object: from.object, leaf: leaf.clamp(0, i128::from(object.leaves)) as i64 };
        match self.element(from, to, ty, at) {
            Ok(()) if inside => Ok(Value::Pointer(to)),
            Ok(()) => Err(Trap::Undefined),
            Err(trap) => self.moved_by_bytes(from, n, ty).unwrap_or(Err(trap)),
        }
    }

    /// [`Machine::moved`] in an object of other elements, by bytes; `None` if no leaf begins there.
    fn moved_by_bytes(&self, from: Pointer, n: i128, ty: &Type) -> Option<Result<Value, Trap>> {
        let object = self.memory.get(from.object)?;
        let size = i128::from(self.program.size_of(if *ty == Type::Void { &CHAR } else { ty })?);
        let leaf = u64::try_from(from.leaf).ok()?;
        let start = byte_of(self.program, &self.layouts, &object.ty, leaf, object.leaves)?;
        let to = i128::from(start) + n * size;
        let leaf = match (u64::try_from(to), self.extent(object)) {
            (Err(_), _) => return Some(Err(Trap::Undefined)),
            (Ok(byte), Some(size)) if byte > size => return Some(Err(Trap::Undefined)),
            (Ok(byte), Some(size)) if byte == size => object.leaves,
            (Ok(byte), _) => leaf_at(self.program, &self.layouts, &object.ty, byte)?,
        };
        Some(Ok(Value::Pointer(Pointer { object: from.object, leaf: i64::try_from(leaf).ok()? })))
    }

    /// The size of an object in bytes. A heap block may have more than its elements take, unless
    /// they are bytes; an object whose last member is a flexible array may, too.
    pub(super) fn extent(&self, object: &Object) -> Option<u64> {
        let size = self.program.size_of(&object.ty)?;
        let is_exact = match object.origin {
            ObjectOrigin::Variable { .. } => !self.is_flexible(&object.ty),
            ObjectOrigin::Heap { .. } | ObjectOrigin::Outside => object.leaves == size,
        };
        is_exact.then_some(size)
    }

    /// Whether an object of that type ends in an array whose length its type does not say.
    fn is_flexible(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(_, length) => *length == Length::Unknown,
            Type::Struct(id) => self.program.structure(*id).members.iter().any(|member| self.is_flexible(&member.ty)),
            _ => false,
        }
    }

    /// Checks that elements of that type lie between the two pointers into one object. Otherwise
    /// its leaves do not give their distance.
    pub(super) fn element(&self, a: Pointer, b: Pointer, ty: &Type, at: Location) -> Result<(), Trap> {
        let ty = if *ty == Type::Void { &CHAR } else { ty };
        let object = self.living(a.object, at)?;
        let size = self.leaves(ty, at)?;
        let end = object.leaves.saturating_sub(size);
        let lower = u64::try_from(a.leaf.min(b.leaf)).unwrap_or(0).min(end);
        let upper = u64::try_from(a.leaf.max(b.leaf)).unwrap_or(0).min(object.leaves);
        let is_element = |leaf| self.layouts.has(self.program, &object.ty, leaf, ty, 0);
        let others = || (lower..upper).step_by(usize::try_from(size.max(1)).unwrap_or(usize::MAX)).skip(1);
        // A pointer after the last element may have arrived at something else, but it must not be
        // used to access that.
        let last = if upper < object.leaves && is_element(upper) { upper } else { upper.saturating_sub(1) };
        let in_line = || self.layouts.adjoin(self.program, &object.ty, lower, last.max(lower), ty);
        // An array contains only elements; in a struct there may be something else in between.
        let is_line = || is_array_of(&object.ty, ty) || (others().all(is_element) && in_line());
        if object.leaves == 0 || (is_element(lower) && is_line()) {
            Ok(())
        } else {
            Err(Trap::Unsupported("pointer arithmetic on an object through another type", at))
        }
    }
}

/// Whether an object of the first type holds elements of the second one and nothing else.
fn is_array_of(mut object: &Type, element: &Type) -> bool {
    while object != element {
        let Type::Array(inner, _) = object else { return false };
        object = inner;
    }
    true
}
