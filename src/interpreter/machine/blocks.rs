//! Blocks of bytes that change.

use super::super::Environment;
use super::super::memory::{Initially, ObjectRef};
use super::super::value::{Cell, Value};
use super::{Machine, Trap};
use crate::program::{Contents, Expr, IntKind, Type, WrittenBytes};

/// The most cells that are written one by one.
const MOST_CELLS: u64 = 1 << 16;

impl<'p> Machine<'p> {
    /// Writes bytes that are whole cells of an object whose cells are all of one type. Cells of
    /// which nothing is known become arbitrary. Returns whether the bytes are such cells; if not,
    /// nothing has changed.
    pub(super) fn write_bytes<E: Environment>(&mut self, env: &mut E, bytes: &'p WrittenBytes) -> Result<bool, Trap> {
        let count = self.integer(env, &bytes.count)?.max(0);
        let Value::Pointer(to) = self.eval(env, &bytes.to)? else { return Ok(false) };
        let (Some((ty, size, leaves)), Ok(first)) = (self.cells_of(to.object), u64::try_from(to.leaf)) else {
            return Ok(false);
        };
        if count % size != 0 {
            return Ok(false);
        }
        // Bytes behind the end of the object are not written.
        let most = leaves.saturating_sub(first);
        let count = u64::try_from(count / size).map_or(most, |count| count.min(most));
        if count > MOST_CELLS {
            return Ok(false);
        }
        self.tick(count)?;
        let cells = match &bytes.contents {
            Contents::From(from) => self.copied(env, from, &ty, count)?,
            Contents::Byte(byte) => {
                let byte = self.integer(env, byte)?;
                self.repeated(byte, &ty, size).map(|cell| vec![cell; count as usize])
            }
            Contents::Unknown | Contents::Written | Contents::Exchanged(_) => None,
        };
        if cells.is_none() {
            self.determined.set(false);
        }
        let cells = cells.unwrap_or_else(|| vec![Cell::Havocked; count as usize]);
        (first..).zip(cells).for_each(|(leaf, cell)| self.memory.write(to.object, leaf, cell));
        Ok(true)
    }

    /// What so many cells hold from an address on, if they are cells of that type that something
    /// has written.
    fn copied<E: Environment>(
        &mut self,
        env: &mut E,
        from: &'p Expr,
        ty: &Type,
        count: u64,
    ) -> Result<Option<Vec<Cell>>, Trap> {
        let Value::Pointer(from) = self.eval(env, from)? else { return Ok(None) };
        let (Some((other, _, leaves)), Ok(first)) = (self.cells_of(from.object), u64::try_from(from.leaf)) else {
            return Ok(None);
        };
        if other != *ty || first.checked_add(count).is_none_or(|end| end > leaves) {
            return Ok(None);
        }
        let initially = self.memory.get(from.object).map(|o| o.initially);
        let held = |leaf| match (self.memory.read(from.object, leaf), initially) {
            (Cell::Unset, Some(Initially::Zero)) => Some(Cell::Int(0)),
            (Cell::Unset | Cell::Havocked, _) => None,
            (cell, _) => Some(cell),
        };
        Ok((first..first + count).map(held).collect())
    }

    /// The type of the cells of an object, their size and their number, if they are all alike.
    fn cells_of(&self, object: ObjectRef) -> Option<(Type, i128, u64)> {
        let found = self.memory.get(object)?;
        let mut ty = &*found.ty;
        while let Type::Array(element, _) = ty {
            ty = element;
        }
        let size = self.program.scalar_size(ty).filter(|size| *size > 0)?;
        Some((ty.clone(), size.into(), found.leaves))
    }

    /// A cell whose bytes all have this value, if that is known.
    fn repeated(&self, byte: i128, ty: &Type, size: i128) -> Option<Cell> {
        match (byte, ty) {
            (_, Type::Int(IntKind::Bool) | Type::Float(_)) => None,
            (0, _) => Some(Cell::Int(0)),
            (_, Type::Int(kind)) if size == 1 => Some(Value::Int(kind.wrap(byte, self.model)).to_cell()),
            _ => None,
        }
    }
}
