//! Zeros in objects, and what is written before them.

use super::super::objects::ObjectId;
use super::{Cell, Filling, Memory, Object};

/// The most bytes that are looked through.
const MOST: i64 = 1024;

impl Memory {
    /// The first byte of an object, from an offset on, that is certainly zero.
    pub(in super::super) fn first_zero(&self, object: ObjectId, at: i64) -> Option<i64> {
        let at = at.max(0);
        self.log.read(object, at..at.saturating_add(MOST));
        self.objects.get(&object)?.first_zero(at)
    }

    /// The least offset in an object such that all bytes from there up to another one are written.
    pub(in super::super) fn written_from(&self, object: ObjectId, end: i64) -> i64 {
        self.log.read(object, end.saturating_sub(MOST)..end);
        self.objects.get(&object).map_or(end, |o| o.written_from(end))
    }
}

impl Object {
    fn first_zero(&self, at: i64) -> Option<i64> {
        let is_zero = |cell: &Cell| cell.value.bits(cell.size) == Some(0);
        let is_filled = self.filling == Filling::Zero;
        let mut next = at;
        for (start, cell) in self.overlapping(at, MOST) {
            if is_filled && start > next {
                break;
            }
            if is_zero(cell) {
                return Some(start.max(at)).filter(|zero| i128::from(*zero) < self.size.lo());
            }
            next = start + i64::from(cell.size);
        }
        Some(next).filter(|zero| is_filled && i128::from(*zero) < self.size.lo())
    }

    fn written_from(&self, end: i64) -> i64 {
        let first = end.saturating_sub(MOST).max(0);
        let cells: Vec<(i64, &Cell)> = self.overlapping(first, end - first).collect();
        let mut from = end;
        for (start, cell) in cells.into_iter().rev() {
            let is_gap = start + i64::from(cell.size) < from;
            if !cell.value.is_written() || (is_gap && !self.filling.is_written()) {
                return if is_gap && self.filling.is_written() { start + i64::from(cell.size) } else { from };
            }
            from = start;
        }
        let is_reached = from <= first || self.filling.is_written();
        if is_reached { from.min(first) } else { from }
    }
}
