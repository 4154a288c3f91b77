//! Arrays whose elements all hold the same, as far as is known.

use super::super::footprint::WHOLE;
use super::super::objects::ObjectId;
use super::{Cell, Filling, Memory};

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
        let Some(old) = self.objects.get(&object).filter(|o| o.cells.iter().nth(MANY).is_some()) else { return };
        let Some((_, Cell { size, .. })) = old.cells.iter().next() else { return };
        let filling = match old.any_element(*size) {
            value if !value.is_written() => Filling::Any,
            value => Filling::Every(Cell { size: *size, value }),
        };
        self.begin(object, old.size, filling);
    }
}
