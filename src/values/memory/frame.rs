//! What is done with the part of a memory that a call touches, by its footprint.
//!
//! Bytes outside of a footprint have no influence on the call and are not changed by it (the "frame
//! rule"). Where two memories hold different things as a whole (size, filling), all bytes of the
//! object count as touched.

use super::super::footprint::{Footprint, Touched, WHOLE};
use super::super::objects::{ObjectId, Objects};
use super::super::value::Value;
use super::super::widening::{Shape, Widening};
use super::{Cell, Filling, MOST_BYTES, Memory, Object};
use std::collections::BTreeMap;
use std::ops::Range;

impl Memory {
    /// Whether what a call touches in these memories is among what it touches in the others. An
    /// object that these do not have is no obstacle: no pointer leads to it.
    pub(in super::super) fn is_within_on(&self, footprint: &Footprint, other: &Memory, big_endian: bool) -> bool {
        self.log
            .without(|| footprint.objects.iter().all(|(o, touched)| self.is_within_at(*o, touched, other, big_endian)))
    }

    /// The objects of which that does not hold.
    pub(in super::super) fn outside_on(
        &self,
        footprint: &Footprint,
        other: &Memory,
        big_endian: bool,
    ) -> Vec<ObjectId> {
        self.log.without(|| {
            let outside = footprint.objects.iter().filter(|(o, t)| !self.is_within_at(**o, t, other, big_endian));
            outside.map(|(object, _)| *object).collect()
        })
    }

    fn is_within_at(&self, object: ObjectId, touched: &Touched, other: &Memory, big_endian: bool) -> bool {
        match (self.objects.get(&object), other.objects.get(&object)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => {
                a.size.is_within(b.size)
                    && (a.filling.is_within(&b.filling) || self.is_covered(object, a))
                    && self.is_range_within(other, object, bytes_of(a, b, touched), big_endian)
            }
        }
    }

    fn is_range_within(&self, other: &Memory, object: ObjectId, range: Range<i64>, big_endian: bool) -> bool {
        let (here, there) = (self.cells_in(object, &range), other.cells_in(object, &range));
        here.clone().eq(there.clone())
            || here.chain(there).all(|(at, cell)| {
                let old = self.read(object, at, cell.size, big_endian);
                old.is_within(&other.read(object, at, cell.size, big_endian))
            })
    }

    /// The same for one object as a whole.
    pub(in super::super) fn is_object_within(&self, object: ObjectId, other: &Memory, big_endian: bool) -> bool {
        let mut whole = Footprint::default();
        whole.add_whole(object);
        self.is_within_on(&whole, other, big_endian)
    }

    /// The cells with bytes in a range.
    fn cells_in(&self, object: ObjectId, range: &Range<i64>) -> impl Iterator<Item = (i64, &Cell)> + Clone {
        let (start, end) = (range.start, range.end.max(range.start));
        let first = start.saturating_sub(i64::from(MOST_BYTES) - 1).min(end);
        let cells = self.cells.range((object, first)..(object, end));
        cells
            .filter(move |((_, at), cell)| at.saturating_add(cell.size.into()) > start)
            .map(|((_, at), cell)| (*at, cell))
    }

    /// Adds what a call touches in other memories. What it does not touch stays.
    ///
    /// If there are thresholds, a chain of such steps ends, and soon: the elements of an array then
    /// hold the same.
    pub(in super::super) fn add_on(
        &mut self,
        footprint: &Footprint,
        older: &Memory,
        big_endian: bool,
        widening: Option<Widening<'_>>,
    ) {
        let log = self.log.clone();
        log.without(|| {
            for (object, touched) in &footprint.objects {
                let Some(old) = older.objects.get(object) else { continue };
                let Some(new) = self.objects.get(object).cloned() else {
                    self.take_object(*object, older, *object);
                    continue;
                };
                let range = bytes_of(&new, old, touched);
                let is_same = range != WHOLE && self.cells_in(*object, &range).eq(older.cells_in(*object, &range));
                match widening {
                    _ if is_same => {}
                    Some(widening) => self.widen_object(*object, older, range, big_endian, widening),
                    None => {
                        let here = self.cells_in(*object, &range).map(|(at, cell)| (at, cell.size));
                        let there = older.cells_in(*object, &range).map(|(at, cell)| (at, cell.size));
                        let leaves: Vec<(i64, u32, i64)> = here.chain(there).map(|(at, size)| (at, size, at)).collect();
                        self.join_leaves(*object, older, &leaves, big_endian, Value::join);
                        let filling = old.filling.merged(&new.filling, Value::join);
                        self.objects.insert(*object, Object { size: old.size.join(new.size), filling });
                    }
                }
            }
        });
    }

    fn widen_object(
        &mut self,
        object: ObjectId,
        older: &Memory,
        range: Range<i64>,
        big_endian: bool,
        widening: Widening<'_>,
    ) {
        let (Some(old), Some(new)) = (older.objects.get(&object), self.objects.get(&object).cloned()) else { return };
        let both = |old: &Value, new: &Value| match widening.at {
            Some(at) => old.widen(&old.join(new), at),
            None => old.join(new),
        };
        let size = old.size.join(new.size);
        let leaves = match (widening.shape)(object) {
            Shape::Array(element) => {
                let value = both(&older.any_element(object, element), &self.any_element(object, element));
                let cell = Cell { size: element, value };
                let filling = if cell.value == Value::Any { Filling::Any } else { Filling::Every(cell) };
                return self.begin(object, size, filling);
            }
            Shape::Leaves(leaves) => leaves,
            Shape::Unknown => Vec::new(),
        };
        let here = self.cells_in(object, &range).map(|(at, cell)| (at, cell.size, at));
        let there = older.cells_in(object, &range).map(|(at, cell)| (at, cell.size, at));
        let others: Vec<(i64, u32, i64)> = here.chain(there).collect();
        self.join_leaves(object, older, &others, big_endian, both);
        self.join_leaves(object, older, &leaves, big_endian, both);
        let filling = old.filling.merged(&new.filling, both);
        self.objects.insert(object, Object { size, filling });
    }

    /// Cells get what both memories hold there, in any cell of their class.
    fn join_leaves(
        &mut self,
        object: ObjectId,
        older: &Memory,
        leaves: &[(i64, u32, i64)],
        big_endian: bool,
        both: impl Fn(&Value, &Value) -> Value,
    ) {
        let before = self.clone();
        let mut classes: BTreeMap<(i64, u32), (Value, Value)> = BTreeMap::new();
        for (at, size, class) in leaves {
            let old = older.read(object, *at, *size, big_endian);
            let new = before.read(object, *at, *size, big_endian);
            classes
                .entry((*class, *size))
                .and_modify(|all| *all = (all.0.join(&old), all.1.join(&new)))
                .or_insert((old, new));
        }
        for (at, size, class) in leaves {
            if let Some((old, new)) = classes.get(&(*class, *size)) {
                self.narrow(object, *at, *size, both(old, new), big_endian);
            }
        }
    }

    /// The state of objects after a call: where it changes something, what is known of it in the
    /// state in which the call ends; everywhere else what was known before.
    /// Variables that are not there are those of other calls.
    pub(in super::super) fn take_changes(
        &mut self,
        footprint: &Footprint,
        end: &Memory,
        names: &Objects,
        big_endian: bool,
    ) {
        let log = self.log.clone();
        log.without(|| {
            for (object, touched) in footprint.objects.iter().filter(|(_, touched)| touched.is_changed()) {
                match (self.objects.get(object).cloned(), end.objects.get(object)) {
                    (None, None) => {}
                    (None, Some(_)) if names.origin(*object).is_kept() => self.take_object(*object, end, *object),
                    (None, Some(_)) => {}
                    (Some(_), None) => self.end(*object),
                    (Some(old), Some(new)) => {
                        self.take_range(*object, touched.changed.clone(), (&old, new), end, big_endian);
                    }
                }
            }
        });
        log.add(footprint);
    }

    fn take_range(
        &mut self,
        object: ObjectId,
        range: Range<i64>,
        (old, new): (&Object, &Object),
        end: &Memory,
        big_endian: bool,
    ) {
        if old != new || range == WHOLE {
            self.take_object(object, end, object);
            return;
        }
        self.facts.ended(object);
        let there: Vec<(i64, Cell)> = end.cells_in(object, &range).map(|(at, cell)| (at, cell.clone())).collect();
        self.free(object, range.start, range.end - range.start, big_endian);
        for (at, Cell { size, value }) in there {
            if at >= range.start && at + i64::from(size) <= range.end {
                self.cells.insert((object, at), Cell { size, value });
                continue;
            }
            // The rest of its bytes may hold something else here.
            for at in at.max(range.start)..range.end.min(at + i64::from(size)) {
                self.cells.insert((object, at), Cell { size: 1, value: Value::Any });
            }
        }
    }

    /// An object is, and holds, what another one is and holds in another memory.
    pub(in super::super) fn take_object(&mut self, object: ObjectId, from: &Memory, other: ObjectId) {
        let Some(taken) = from.objects.get(&other) else { return self.end(object) };
        self.begin(object, taken.size, taken.filling.clone());
        for ((_, at), cell) in from.cells_of(other) {
            self.cells.insert((object, at), cell);
        }
    }

    /// Whether there is such an object.
    pub(in super::super) fn has(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }

    /// Ends the objects for which that holds.
    pub(in super::super) fn end_all(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        let ended: Vec<ObjectId> = self.objects.keys().copied().filter(|object| is_ended(*object)).collect();
        let log = self.log.clone();
        log.without(|| ended.into_iter().for_each(|object| self.end(object)));
    }
}

/// The touched bytes of an object that two memories have.
fn bytes_of(a: &Object, b: &Object, touched: &Touched) -> Range<i64> {
    if a.size == b.size && a.filling == b.filling { touched.bytes.clone() } else { WHOLE }
}
