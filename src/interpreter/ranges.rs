//! Formulas about where pointers lead, evaluated exactly.

use super::Environment;
use super::formulas::{Bindings, Evaluated};
use super::machine::{Machine, Trap};
use super::memory::ObjectRef;
use super::value::{Pointer, Value};
use crate::program::{Expr, Memory, Range, Type};

/// Where a range lies.
struct Spot<'p> {
    /// The object, and the cell with which the range begins; `None` if the pointer is null.
    start: Option<(ObjectRef, i128)>,
    /// How many elements it has.
    count: i128,
    /// How many cells an element has.
    size: i128,
    ty: &'p Type,
}

impl Spot<'_> {
    fn is_empty(&self) -> bool {
        self.count <= 0
    }

    /// The cell after the last.
    fn end(&self, first: i128) -> Option<i128> {
        first.checked_add(self.count.checked_mul(self.size)?)
    }
}

impl<'p> Machine<'p> {
    /// The value of a pointer in a formula; `None` if it is read where nothing is. Such a read ends
    /// no run: the formula has no value then.
    pub(super) fn pointer_value<E: Environment>(&mut self, env: &mut E, pointer: &'p Expr) -> Evaluated<Value> {
        match self.eval(env, pointer) {
            Ok(value) => Ok(Some(value)),
            Err(Trap::Undefined | Trap::Excluded(..)) => Ok(None),
            Err(trap) => Err(trap),
        }
    }

    pub(super) fn memory<E: Environment>(
        &mut self,
        env: &mut E,
        memory: &'p Memory,
        bound: &mut Bindings,
    ) -> Evaluated<bool> {
        let mut spots = Vec::new();
        for range in memory.ranges() {
            let Some(spot) = self.spot(env, range, bound)? else { return Ok(None) };
            spots.push(spot);
        }
        match (memory, &spots[..]) {
            (Memory::Valid(range), [spot]) => self.is_valid(range, spot),
            (Memory::Separated(..), [a, b]) => Ok(match (a.start, b.start) {
                _ if a.is_empty() || b.is_empty() => Some(true),
                (Some((x, i)), Some((y, j))) if x == y => {
                    a.end(i).zip(b.end(j)).map(|(end, other)| end <= j || other <= i)
                }
                (Some(_), Some(_)) => Some(true),
                _ => None,
            }),
            (Memory::Within(..), [a, b]) => Ok(match (a.start, b.start) {
                _ if a.is_empty() => Some(true),
                (Some((x, i)), Some((y, j))) if x == y && a.size == b.size => {
                    a.end(i).zip(b.end(j)).map(|(end, other)| j <= i && end <= other && (i - j) % a.size == 0)
                }
                (Some((x, _)), Some((y, _))) if x != y => Some(false),
                _ => None,
            }),
            (Memory::Equal(..), [a, b]) => Ok(match (a.start, b.start) {
                (Some((x, i)), Some((y, j))) if x == y => Some(i == j),
                (None, None) => Some(true),
                // The address after an object may be that of another.
                (Some((x, i)), Some((y, j))) => (self.has_cell(x, i) && self.has_cell(y, j)).then_some(false),
                (Some((x, i)), None) | (None, Some((x, i))) => self.has_cell(x, i).then_some(false),
            }),
            _ => Ok(None),
        }
    }

    fn has_cell(&self, object: ObjectRef, leaf: i128) -> bool {
        self.memory.get(object).is_some_and(|o| (0..i128::from(o.leaves)).contains(&leaf))
    }

    fn spot<E: Environment>(&mut self, env: &mut E, range: &'p Range, bound: &mut Bindings) -> Evaluated<Spot<'p>> {
        let value = self.pointer_value(env, &range.pointer)?;
        let (first, count) = (self.term(env, &range.first, bound)?, self.term(env, &range.count, bound)?);
        let (Some(value), Some((first, count))) = (value, first.zip(count)) else { return Ok(None) };
        let ty = range.pointer.ty.pointee().unwrap_or(&Type::Void);
        let size = i128::from(self.leaves(ty, range.pointer.location)?);
        let start = match value {
            Value::Pointer(Pointer { object, leaf }) => {
                let first = first.checked_mul(size).and_then(|by| by.checked_add(i128::from(leaf)));
                let Some(first) = first else { return Ok(None) };
                Some((object, first))
            }
            Value::Null if first == 0 => None,
            _ => return Ok(None),
        };
        Ok(Some(Spot { start, count, size, ty }))
    }

    /// Whether all elements exist. Those between the first and the last do if these two do.
    fn is_valid(&mut self, range: &'p Range, spot: &Spot<'p>) -> Evaluated<bool> {
        if spot.is_empty() {
            return Ok(Some(true));
        }
        let Some((object, first)) = spot.start else { return Ok(Some(false)) };
        let Some(last) = spot.end(first).map(|end| end - spot.size) else { return Ok(None) };
        let at = range.pointer.location;
        for leaf in [first, last] {
            let Ok(leaf) = i64::try_from(leaf) else { return Ok(Some(false)) };
            match self.target(Value::Pointer(Pointer { object, leaf }), spot.ty, at) {
                // What must not be written may still be read.
                Ok((object, leaf)) if self.check_constant(object, leaf, spot.ty, at).is_err() => return Ok(None),
                Ok(_) => {}
                Err(Trap::Undefined) => return Ok(Some(false)),
                Err(Trap::Excluded(..)) => return Ok(None),
                Err(trap) => return Err(trap),
            }
        }
        Ok(Some(true))
    }
}
