//! Checks what the library requires of the memory that is passed to it. Listed assumptions are
//! checked as far as a run can decide them: a run that breaks one is not considered.

use super::evaluate::StorageRef;
use super::machine::{Machine, Trap};
use super::memory::{Object, ObjectRef};
use super::value::{Pointer, Value};
use super::{Environment, ObjectOrigin};
use crate::program::{
    Blocks, CONSTANTS_STAY, Called, DECLARED_AGAIN, Expr, FREED_IS_NOT_USED, FunctionId, IntKind, LITERALS_STAY,
    Location, OBJECTS_LAST, Presumption, Type,
};

impl<'p> Machine<'p> {
    pub(super) fn presume<E: Environment>(
        &mut self,
        env: &mut E,
        presumption: &'p Presumption,
        at: Location,
    ) -> Result<(), Trap> {
        let broken = Trap::Excluded(presumption.assumption(), at);
        let pointer = match presumption {
            Presumption::Freed(e) | Presumption::Automatic(e) | Presumption::Text(e) => {
                // Whatever prevents its evaluation, it is then unknown whether it holds.
                self.eval(env, e).map_err(|_| broken)?
            }
            Presumption::Called(called) => return self.callable(env, called, at),
            Presumption::Readable(blocks) => {
                return self.room(env, &blocks.to, blocks, at).map_err(|_| broken);
            }
            Presumption::Finds(finding) => return self.find_in_texts(env, finding, at),
            Presumption::Never(_) | Presumption::ComesBack | Presumption::Arrives { .. } => return Err(broken),
            Presumption::Seeded | Presumption::Drawn => Value::Null,
        };
        match (presumption, pointer) {
            (Presumption::Seeded, _) => {
                self.random.seeded_again |= self.random.drawn;
                Ok(())
            }
            (Presumption::Drawn, _) if self.random.seeded_again => Err(broken),
            (Presumption::Drawn, _) => {
                self.random.drawn = true;
                Ok(())
            }
            (Presumption::Freed(_), Value::Null | Value::Int(0)) => Ok(()),
            (Presumption::Freed(_), Value::Pointer(p)) => {
                if !self.can_be_freed(p) {
                    return Err(broken);
                }
                self.freed.insert(p.object);
                Ok(())
            }
            (Presumption::Automatic(_), Value::Pointer(p)) => {
                self.frames.iter_mut().last().into_iter().for_each(|f| f.automatic(p.object));
                Ok(())
            }
            (Presumption::Text(_), Value::Pointer(p)) if self.is_text(env, p, at)? => Ok(()),
            _ => Err(broken),
        }
    }

    /// Checks that the blocks passed to a function of the library lie in their objects and do not
    /// overlap.
    pub(super) fn blocks<E: Environment>(&mut self, env: &mut E, blocks: &'p Blocks, at: Location) -> Result<(), Trap> {
        for pointer in blocks.untyped() {
            if let Value::Pointer(p) = self.eval(env, pointer)? {
                self.living(p.object, at)?;
            }
            self.room(env, pointer, blocks, at)?;
        }
        match blocks.overlapping() {
            Some((to, from)) => self.apart(env, to, from, blocks, at),
            None => Ok(()),
        }
    }

    /// Checks that a block of that many bytes lies in the object that the pointer points into.
    pub(super) fn room<E: Environment>(
        &mut self,
        env: &mut E,
        pointer: &'p Expr,
        blocks: &'p Blocks,
        at: Location,
    ) -> Result<(), Trap> {
        let bytes = self.bytes(env, blocks)?;
        if bytes <= 0 {
            return Ok(());
        }
        match self.eval(env, pointer)? {
            Value::Null => Err(Trap::Undefined),
            Value::Pointer(p) => {
                let object = self.living(p.object, at)?;
                let left = i128::from(object.leaves) - i128::from(p.leaf);
                if left * self.leaf_size(&object.ty, at)? < bytes { Err(Trap::Undefined) } else { Ok(()) }
            }
            _ => Err(Trap::Unsupported("memory at an address of unknown value", at)),
        }
    }

    /// Checks that two blocks of that many bytes have no byte in common.
    pub(super) fn apart<E: Environment>(
        &mut self,
        env: &mut E,
        to: &'p Expr,
        from: &'p Expr,
        blocks: &'p Blocks,
        at: Location,
    ) -> Result<(), Trap> {
        let bytes = self.bytes(env, blocks)?;
        let ends = to;
        let (to, from) = (self.eval(env, to)?, self.eval(env, from)?);
        match (to, from) {
            _ if bytes <= 0 => Ok(()),
            // Two different objects, or no object at all, which the access detects.
            (Value::Pointer(p), Value::Pointer(q)) if p.object != q.object => Ok(()),
            (Value::Pointer(p), Value::Pointer(q)) if p.leaf == q.leaf => Err(Trap::Undefined),
            (Value::Pointer(p), Value::Pointer(q)) => {
                let distance = (i128::from(p.leaf) - i128::from(q.leaf)).abs();
                let apart = match self.leaves_of_unit(ends, blocks, at)? {
                    // Units are elements: leaves have no bytes in common.
                    Some(leaves) => distance >= bytes / i128::from(blocks.unit.max(1)) * leaves,
                    None => distance * self.leaf_size(&self.living(p.object, at)?.ty, at)? >= bytes,
                };
                if apart { Ok(()) } else { Err(Trap::Undefined) }
            }
            (Value::Null, _) | (_, Value::Null) => Ok(()),
            _ => Err(Trap::Unsupported("memory at an address of unknown value", at)),
        }
    }

    /// The leaves of a unit, if units are the elements that the pointer points to.
    fn leaves_of_unit(&self, pointer: &Expr, blocks: &Blocks, at: Location) -> Result<Option<i128>, Trap> {
        let element = pointer.ty.pointee().unwrap_or(&Type::Void);
        let counts = match self.program.scalar_size(element) {
            Some(size) => size == blocks.unit,
            // Parts of structs and rows are counted in bytes.
            None => blocks.unit > 1 && !matches!(element, Type::Void | Type::Function),
        };
        if counts { self.leaves(element, at).map(|n| Some(n.into())) } else { Ok(None) }
    }

    fn bytes<E: Environment>(&mut self, env: &mut E, blocks: &'p Blocks) -> Result<i128, Trap> {
        Ok(self.integer(env, &blocks.count)?.saturating_mul(blocks.unit.into()))
    }

    /// The size of each leaf of an object whose leaves are all of one type.
    fn leaf_size(&self, mut ty: &Type, at: Location) -> Result<i128, Trap> {
        while let Type::Array(element, _) = ty {
            ty = element;
        }
        let size = self.program.scalar_size(ty).map(i128::from);
        size.ok_or(Trap::Unsupported("bytes of an object with members", at))
    }

    /// Whether it is the start of a live heap block that does not end by itself.
    pub(super) fn can_be_freed(&self, p: Pointer) -> bool {
        let is_block = self.memory.get(p.object).is_some_and(|o| matches!(o.origin, ObjectOrigin::Heap { .. }));
        let is_automatic = || self.frames.iter().any(|frame| frame.ends_with_it(p.object));
        p.leaf == 0 && is_block && !self.freed.contains(&p.object) && !is_automatic()
    }

    /// Whether some character from there on is 0, within the object.
    fn is_text<E: Environment>(&mut self, env: &mut E, from: Pointer, at: Location) -> Result<bool, Trap> {
        let ty = Type::Int(IntKind::Char);
        let Some(leaves) = self.memory.get(from.object).map(|o| o.leaves) else { return Ok(false) };
        let Ok(first) = u64::try_from(from.leaf) else { return Ok(false) };
        for leaf in first..leaves {
            self.tick(1)?;
            let place = StorageRef::Cell { object: from.object, leaf, bits: None };
            match self.load(env, place, &ty, at) {
                Ok(Value::Int(0)) => return Ok(true),
                Ok(_) => {}
                // These cells are not characters.
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    /// The object of a pointer that is being used.
    pub(super) fn living(&self, object: ObjectRef, at: Location) -> Result<&Object, Trap> {
        let Some(found) = self.memory.get(object) else {
            let assumption = if self.replaced.contains(&object) { DECLARED_AGAIN } else { OBJECTS_LAST };
            return Err(Trap::Excluded(assumption, at));
        };
        match found.origin {
            ObjectOrigin::Heap { .. } if self.freed.contains(&object) => Err(Trap::Excluded(FREED_IS_NOT_USED, at)),
            _ => Ok(found),
        }
    }

    /// Checks that a pointer may be compared with another one. After its object's lifetime, an
    /// address is indeterminate (C11 6.2.4p2), and a later object may lie there.
    pub(super) fn comparable(&self, object: ObjectRef, at: Location) -> Result<(), Trap> {
        self.living(object, at).map(|_| ())
    }

    /// Checks that no string literal and no `const` object or member is written through a pointer,
    /// except by the initialisers, which create them. The written value has the type `ty`.
    pub(super) fn check_constant(&self, object: ObjectRef, leaf: u64, ty: &Type, at: Location) -> Result<(), Trap> {
        let Some(found) = self.memory.get(object) else { return Ok(()) };
        let ObjectOrigin::Variable { variable, .. } = found.origin else { return Ok(()) };
        if self.frames.last().is_none_or(|f| f.function >= self.program.functions.len()) {
            return Ok(());
        }
        if self.program.is_literal(variable) {
            return Err(Trap::Excluded(LITERALS_STAY, at));
        }
        let constant = self.program.variable(variable).constant
            || self.program.has_constant_members(ty)
            || self.layouts.is_constant(self.program, &found.ty, leaf);
        if constant { Err(Trap::Excluded(CONSTANTS_STAY, at)) } else { Ok(()) }
    }

    /// Checks that what is called through a pointer is a function of that type.
    pub(super) fn callable<E: Environment>(
        &mut self,
        env: &mut E,
        called: &'p Called,
        at: Location,
    ) -> Result<(), Trap> {
        match self.eval(env, &called.pointer)? {
            Value::Function(f) if called.functions.contains(&f) => Ok(()),
            // Compilers may allow more types than C does.
            Value::Function(_) => Err(Trap::Unsupported("a call of a function of another type", at)),
            Value::Null | Value::Pointer(_) => Err(Trap::Undefined),
            _ => Err(Trap::Unsupported(NO_FUNCTION, at)),
        }
    }

    /// The function that is called through a pointer.
    pub(super) fn callee(&self, pointer: Value, at: Location) -> Result<FunctionId, Trap> {
        match pointer {
            Value::Function(id) => Ok(id),
            _ => Err(Trap::Unsupported(NO_FUNCTION, at)),
        }
    }
}

const NO_FUNCTION: &str = "a call through a pointer that is not a function's address";
