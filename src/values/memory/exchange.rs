//! Elements that change places, as when they are sorted.

use super::super::number::Number;
use super::super::objects::ObjectId;
use super::super::offsets::Offsets;
use super::{Filling, Memory, Object, offset};

impl Memory {
    /// Elements of a size may change places, in a block of at most so many bytes. Returns whether
    /// it is known what they hold then; if not, part of them may have changed.
    ///
    /// **Sound**: each cell of an element gets what that cell of some element may hold, if all
    /// elements have the same cells.
    pub(in super::super) fn exchange(
        &mut self,
        object: ObjectId,
        first: i64,
        most_bytes: i128,
        size: i64,
        big_endian: bool,
    ) -> bool {
        let Some(old) = self.objects.get(&object) else { return false };
        let most = most_bytes.min(old.size.hi() - i128::from(first));
        let Some(length) = offset(most).filter(|length| size > 0 && *length >= size) else { return false };
        let Some(cells) = old.cells_of_elements(first, length, size) else { return false };
        let last = Number::range(0, (length / size - 1).into()).and_then(|n| n.mul(Number::constant(size.into())));
        cells.into_iter().all(|(at, cell)| {
            let Some(places) = last.and_then(|last| Offsets::constant(at.into()).add(last)) else { return false };
            let Some(value) = self.read_range(object, places, cell) else { return false };
            self.write_somewhere(object, places, cell, &value, big_endian);
            true
        })
    }
}

impl Object {
    /// The cells of the first element of a block, if those of the others lie in the same way, and
    /// what lies between cells is the same in all elements.
    fn cells_of_elements(&self, first: i64, length: i64, size: i64) -> Option<Vec<(i64, u32)>> {
        let is_even = match &self.filling {
            Filling::Every(cell) => size % i64::from(cell.size) == 0 && first % i64::from(cell.size) == 0,
            _ => true,
        };
        let cells: Vec<(i64, u32)> = self.overlapping(first, size).map(|(at, cell)| (at, cell.size)).collect();
        let is_inside = |(at, cell): &(i64, u32)| *at >= first && at + i64::from(*cell) <= first + size;
        let is_alike = |at: i64, cell: u32| cells.contains(&(first + (at - first).rem_euclid(size), cell));
        let are_alike = self.overlapping(first, length).all(|(at, cell)| is_alike(at, cell.size));
        (is_even && are_alike && cells.iter().all(is_inside)).then_some(cells)
    }
}
