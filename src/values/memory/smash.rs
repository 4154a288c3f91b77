//! Arrays whose elements all hold the same, as far as is known.

use super::super::footprint::WHOLE;
use super::super::objects::ObjectId;
use super::super::value::Value;
use super::{Cell, Filling, Memory, Object};

/// The fewest cells for which it pays.
const MANY: usize = 64;

impl Memory {
    /// Forgets which cell of a large object holds what (array smashing: Blanchet et al., "Design
    /// and implementation of a special-purpose static program analyzer", 2002).
    ///
    /// **Sound**: if the cells do not all have one size, or do not lie at its multiples, anything
    /// may be in the object; else each element holds what some element may hold.
    pub(in super::super) fn smash(&mut self, object: ObjectId) {
        self.log.read(object, WHOLE);
        if self.all_cells(object).nth(MANY).is_none() {
            return;
        }
        let Some((Object { size, .. }, (_, first))) = self.objects.get(&object).zip(self.all_cells(object).next())
        else {
            return;
        };
        let (size, cell) = (*size, Cell { size: first.size, value: self.any_element(object, first.size) });
        self.begin(object, size, if cell.value == Value::Any { Filling::Any } else { Filling::Every(cell) });
    }

    /// What the elements of an array hold, whichever it is.
    pub(super) fn any_element(&self, object: ObjectId, size: u32) -> Value {
        let Some(whole) = self.objects.get(&object) else { return Value::Any };
        let cells =
            self.all_cells(object).map(|(at, cell)| match cell.size == size && at.rem_euclid(size.into()) == 0 {
                true => cell.value.clone(),
                false => Value::Any,
            });
        let filling = (!self.is_covered(object, whole)).then(|| whole.filling.read(0, size));
        cells.chain(filling).reduce(|all, value| all.join(&value)).unwrap_or(Value::Any)
    }

    pub(super) fn all_cells(&self, object: ObjectId) -> impl Iterator<Item = (i64, &Cell)> {
        let cells = self.cells.range((object, i64::MIN)..(object.next(), i64::MIN));
        cells.map(|((_, at), cell)| (*at, cell))
    }

    /// Whether every byte of the object is in a cell.
    pub(super) fn is_covered(&self, object: ObjectId, whole: &Object) -> bool {
        let bytes: i128 = self.all_cells(object).map(|(_, cell)| i128::from(cell.size)).sum();
        bytes >= whole.size.hi()
    }
}
