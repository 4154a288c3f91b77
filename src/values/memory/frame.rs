//! What is done with the part of a memory that a call touches, by its footprint.
//!
//! Bytes outside of a footprint have no influence on the call and are not changed by it (the "frame
//! rule"). Where two memories hold different things as a whole (size, filling), all bytes of the
//! object count as touched.

use super::super::footprint::{Footprint, Touched, WHOLE};
use super::super::objects::{ObjectId, Objects};
use super::super::value::Value;
use super::super::widening::{Shape, Widening};
use super::{Cell, Filling, Memory, Object, Shared};
use imbl::ordmap::DiffItem;
use std::collections::BTreeMap;
use std::ops::Range;

/// The most bytes that a call changes which become cells where its filling is another one.
const MOST_FILLED: i64 = 256;

impl Memory {
    /// Whether what a call touches in these memories is among what it touches in the others. An
    /// object that these do not have is no obstacle: no pointer leads to it.
    pub(in super::super) fn is_within_on(&self, footprint: &Footprint, other: &Memory, big_endian: bool) -> bool {
        footprint.objects.iter().all(|(o, touched)| self.is_within_at(*o, touched, other, big_endian))
    }

    /// The objects of which that does not hold.
    pub(in super::super) fn outside_on(
        &self,
        footprint: &Footprint,
        other: &Memory,
        big_endian: bool,
    ) -> Vec<ObjectId> {
        let outside = footprint.objects.iter().filter(|(o, t)| !self.is_within_at(**o, t, other, big_endian));
        outside.map(|(object, _)| *object).collect()
    }

    fn is_within_at(&self, object: ObjectId, touched: &Touched, other: &Memory, big_endian: bool) -> bool {
        match (self.objects.get(&object), other.objects.get(&object)) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a.is_same(b) || a.is_within_in(b, touched, big_endian),
        }
    }

    /// The same for one object as a whole.
    pub(in super::super) fn is_object_within(&self, object: ObjectId, other: &Memory, big_endian: bool) -> bool {
        self.is_within_at(object, &Touched::whole(), other, big_endian)
    }

    /// Adds what a call touches in other memories. What it does not touch stays.
    ///
    /// If there are thresholds, a chain of such steps ends, and soon: the elements of an array then
    /// hold the same.
    /// Returns the objects that hold more than in the other memories.
    pub(in super::super) fn add_on<'a>(
        &mut self,
        footprint: &Footprint,
        older: &Memory,
        big_endian: bool,
        widening: &dyn Fn(ObjectId) -> Option<Widening<'a>>,
    ) -> Vec<ObjectId> {
        let mut grown = Vec::new();
        for (object, touched) in &footprint.objects {
            if self.add_object(*object, touched, older, big_endian, widening(*object)) {
                grown.push(*object);
            }
        }
        grown
    }

    /// The same for one object. Returns whether it holds more.
    pub(in super::super) fn add_object(
        &mut self,
        object: ObjectId,
        touched: &Touched,
        older: &Memory,
        big_endian: bool,
        widening: Option<Widening<'_>>,
    ) -> bool {
        let Some(old) = older.objects.get(&object) else { return true };
        let Some(new) = self.objects.get(&object).cloned() else {
            self.objects.insert(object, old.clone());
            return false;
        };
        if new.is_same(old) || new.is_like(old, touched) {
            return false;
        }
        self.facts.ended(object);
        let merged = match widening {
            Some(widening) => new.widened(old, touched, big_endian, widening, object),
            None => new.joined(old, touched, big_endian),
        };
        self.put(object, merged, [old, &new]);
        !self.objects.get(&object).is_some_and(|shared| shared.is_same(old))
    }

    /// Objects that these memories do not have are what they are in other ones: no pointer leads to
    /// them here.
    pub(in super::super) fn take_missing(&mut self, older: &Memory) {
        let missing = self.objects.diff(&older.objects).filter_map(|item| match item {
            DiffItem::Add(object, shared) => Some((*object, shared.clone())),
            _ => None,
        });
        for (object, shared) in missing.collect::<Vec<_>>() {
            self.objects.insert(object, shared);
        }
    }

    /// The state of objects after a call: where it changes something, what is known of it in the
    /// state in which the call ends; everywhere else what was known before.
    /// Variables that are not there are those of other calls.
    ///
    /// If a call is known to begin in some memory, objects that are the same there and here are
    /// taken as they are.
    pub(in super::super) fn take_changes(
        &mut self,
        footprint: &Footprint,
        (entry, end): (Option<&Memory>, &Memory),
        names: &Objects,
        big_endian: bool,
    ) {
        for (object, touched) in footprint.objects.iter().filter(|(_, touched)| touched.is_changed()) {
            self.facts.ended(*object);
            match (self.objects.get(object), end.objects.get(object)) {
                (None, Some(new)) if names.origin(*object).is_kept() => {
                    self.objects.insert(*object, new.clone());
                }
                // Where the end does not have it, no call began with it. (No call ends what the
                // caller has.)
                (None, _) | (Some(_), None) => {}
                (Some(old), Some(new)) if old.is_same(new) => {}
                (Some(old), Some(new)) => {
                    let entered = entry.and_then(|entry| entry.objects.get(object));
                    let is_as_entered = entered.is_some_and(|entered| entered.is_same(old));
                    let taken = match is_as_entered || old.is_replaced(&touched.changed) {
                        true => new.clone(),
                        false => Shared::new(old.with_changes(new, &touched.changed, big_endian)),
                    };
                    self.objects.insert(*object, taken);
                }
            }
        }
    }

    /// An object is, and holds, what another one is and holds in another memory.
    pub(in super::super) fn take_object(&mut self, object: ObjectId, from: &Memory, other: ObjectId) {
        match from.objects.get(&other) {
            Some(taken) => self.place(object, taken.clone()),
            None => self.end(object),
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

impl Object {
    /// The touched bytes of an object of which two memories know that.
    fn bytes_with(&self, other: &Object, touched: &Touched) -> Range<i64> {
        if self.size == other.size && self.filling == other.filling { touched.bytes.clone() } else { WHOLE }
    }

    /// The pieces with touched bytes where cells differ.
    fn differing_in<'o>(&'o self, other: &'o Object, range: &Range<i64>) -> impl Iterator<Item = (i64, u32)> + 'o {
        let Range { start, end } = range.clone();
        let all = self.cells.differing(&other.cells).into_iter();
        all.filter(move |(at, size)| *at < end && at.saturating_add((*size).into()) > start)
    }

    /// Whether the touched bytes hold only what they hold in the other one.
    fn is_within_in(&self, other: &Object, touched: &Touched, big_endian: bool) -> bool {
        let range = self.bytes_with(other, touched);
        self.size.is_within(other.size)
            && (self.filling.is_within(&other.filling) || self.is_covered())
            && self.differing_in(other, &range).all(|(at, size)| {
                self.read(at, size, big_endian).is_within_cell(&other.read(at, size, big_endian), size)
            })
    }

    /// Whether the touched bytes hold the same.
    fn is_like(&self, other: &Object, touched: &Touched) -> bool {
        self.size == other.size
            && self.filling == other.filling
            && self.differing_in(other, &touched.bytes).next().is_none()
    }

    /// The touched bytes also hold what the older object holds.
    fn joined(&self, older: &Object, touched: &Touched, big_endian: bool) -> Object {
        let pieces = self.differing_in(older, &self.bytes_with(older, touched));
        let leaves: Vec<(i64, u32, i64)> = pieces.map(|(at, size)| (at, size, at)).collect();
        let mut both = self.with_leaves(older, &leaves, big_endian, Value::join);
        both.filling = older.filling.merged(&self.filling, Value::join);
        both.size = older.size.join(self.size);
        both
    }

    /// The same, such that a chain of such steps ends, and soon.
    fn widened(
        &self,
        older: &Object,
        touched: &Touched,
        big_endian: bool,
        widening: Widening<'_>,
        name: ObjectId,
    ) -> Object {
        let both = |old: &Value, new: &Value| match widening.at {
            Some(at) => old.widen(&old.join(new), at),
            None => old.join(new),
        };
        let size = older.size.join(self.size);
        let leaves = match (widening.shape)(name) {
            Shape::Array(element) => {
                return Object::new(
                    size,
                    match both(&older.any_element(element), &self.any_element(element)) {
                        value if !value.is_written() => Filling::Any,
                        value => Filling::Every(Cell { size: element, value }),
                    },
                );
            }
            Shape::Leaves(leaves) => leaves,
            Shape::Unknown => Vec::new(),
        };
        let range = self.bytes_with(older, touched);
        let cells = self.cells.overlapping(range.clone()).chain(older.cells.overlapping(range));
        let others: Vec<(i64, u32, i64)> = cells.map(|(at, cell)| (at, cell.size, at)).collect();
        let mut merged = self.with_leaves(older, &others, big_endian, both);
        merged = merged.with_leaves(older, &leaves, big_endian, both);
        Object { size, filling: older.filling.merged(&self.filling, both), ..merged }
    }

    /// Cells get what both objects hold there, in any cell of their class.
    fn with_leaves(
        &self,
        older: &Object,
        leaves: &[(i64, u32, i64)],
        big_endian: bool,
        both: impl Fn(&Value, &Value) -> Value,
    ) -> Object {
        let mut classes: BTreeMap<(i64, u32), (Value, Value)> = BTreeMap::new();
        for (at, size, class) in leaves {
            let old = older.read(*at, *size, big_endian);
            let new = self.read(*at, *size, big_endian);
            classes
                .entry((*class, *size))
                .and_modify(|all| *all = (all.0.join(&old), all.1.join(&new)))
                .or_insert((old, new));
        }
        let mut merged = self.clone();
        for (at, size, class) in leaves {
            if let Some((old, new)) = classes.get(&(*class, *size)) {
                merged.set(*at, *size, both(old, new), big_endian);
            }
        }
        merged
    }

    /// Whether nothing is left of an object where something else is known of these bytes.
    fn is_replaced(&self, changed: &Range<i64>) -> bool {
        changed.start <= 0 && i128::from(changed.end) >= self.size.hi()
    }

    /// These bytes hold what they hold in the other one. Of its other bytes nothing is taken:
    /// there, it may hold what it held in another call. (A change of its size or filling is one of
    /// all bytes.)
    fn with_changes(&self, new: &Object, changed: &Range<i64>, big_endian: bool) -> Object {
        let mut merged = self.clone();
        merged.free(changed.start, changed.end - changed.start, big_endian);
        if self.filling != new.filling {
            let inside = changed.start.max(0)..self.size.hi().min(changed.end.into()) as i64;
            match inside.end - inside.start <= MOST_FILLED {
                true => merged.fill_cells(inside, &new.filling),
                false => merged.filling = self.filling.merged(&new.filling, Value::join),
            }
        }
        for (at, cell) in new.cells.overlapping(changed.clone()) {
            if at >= changed.start && at + i64::from(cell.size) <= changed.end {
                merged.set(at, cell.size, cell.value.clone(), big_endian);
                continue;
            }
            // The rest of its bytes may hold something else here.
            for at in at.max(changed.start)..changed.end.min(at + i64::from(cell.size)) {
                merged.set(at, 1, Value::Any, big_endian);
            }
        }
        merged
    }
}
