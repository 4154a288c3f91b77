//! Memory: cells at offsets in bytes (Miné, "Field-sensitive value analysis of embedded C programs
//! with union types and pointer arithmetics", LCTES 2006), in maps that share what they have in
//! common.
//!
//! A cell says what certain bytes of an object may hold, read as one value. Cells do not overlap.
//! Bytes without a cell hold what their object holds by their [`Filling`]. A state means all
//! memories that agree with all cells and fillings.

use super::facts::Facts;
use super::footprint::{Change, Log};
use super::number::Number;
use super::objects::ObjectId;
use super::offsets::Offsets;
use super::value::{Pointers, Value};
use imbl::ordmap::GenericOrdMap;
use imbl::shared_ptr::RcK;
use std::ops::Range;

mod frame;
mod merge;
mod smash;

/// The most bytes in a cell.
const MOST_BYTES: u32 = 16;
/// The most places at which a write with an unknown offset makes cells.
const FEW: u128 = 128;
/// The same, if a filling cannot take their place.
const MANY: u128 = 4096;
/// The most bytes outside of those places whose filling becomes cells.
const MOST_KEPT: i64 = 8192;

/// What some bytes hold.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell {
    pub size: u32,
    pub value: Value,
}

/// What an object holds where it has no cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Filling {
    /// Anything; perhaps nothing has written it ([`super::written`]).
    Any,
    /// Anything that something has written.
    Written,
    /// Zero in every byte.
    Zero,
    /// One of these values at each multiple of the size.
    Every(Cell),
}

/// What is known of an object as a whole.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Object {
    /// Its size in bytes.
    pub size: Number,
    pub filling: Filling,
}

/// A map that shares its parts with its copies.
pub(super) type Map<K, V> = GenericOrdMap<K, V, RcK>;

/// What memory may hold.
#[derive(Clone, Default)]
pub(super) struct Memory {
    cells: Map<(ObjectId, i64), Cell>,
    objects: Map<ObjectId, Object>,
    /// What else is known.
    pub facts: Facts,
    log: Log,
}

impl Filling {
    fn read(&self, at: i64, size: u32) -> Value {
        match self {
            Filling::Zero => Value::zero(),
            Filling::Every(cell) if cell.size == size && at.rem_euclid(size.into()) == 0 => cell.value.clone(),
            filling if filling.is_written() => Value::written(size),
            _ => Value::Any,
        }
    }

    fn merged(&self, other: &Filling, values: impl Fn(&Value, &Value) -> Value) -> Filling {
        match (self, other) {
            (Filling::Zero, Filling::Zero) => Filling::Zero,
            (Filling::Zero, Filling::Every(cell)) => {
                Filling::Every(Cell { size: cell.size, value: values(&Value::zero(), &cell.value) })
            }
            (Filling::Every(cell), Filling::Zero) => {
                Filling::Every(Cell { size: cell.size, value: values(&cell.value, &Value::zero()) })
            }
            (Filling::Every(a), Filling::Every(b)) if a.size == b.size => {
                Filling::Every(Cell { size: a.size, value: values(&a.value, &b.value) })
            }
            _ => Filling::anything(self.is_written() && other.is_written()),
        }
    }

    fn is_within(&self, other: &Filling) -> bool {
        match (self, other) {
            (_, Filling::Any) | (Filling::Zero, Filling::Zero) => true,
            (_, Filling::Written) => self.is_written(),
            (Filling::Zero, Filling::Every(cell)) => Value::zero().is_within(&cell.value),
            (Filling::Every(a), Filling::Every(b)) => a.size == b.size && a.value.is_within(&b.value),
            _ => false,
        }
    }
}

impl Memory {
    /// A memory without objects, whose reads and changes are written down there.
    pub(super) fn new(log: Log) -> Memory {
        Memory { log, ..Memory::default() }
    }

    /// What is known of an object; nothing, if it has not begun or has ended.
    pub(super) fn object(&self, object: ObjectId) -> Option<&Object> {
        self.log.looked_at(object);
        self.objects.get(&object)
    }

    /// A new object begins, or a new one takes the place of an old one of the same name.
    pub(super) fn begin(&mut self, object: ObjectId, size: Number, filling: Filling) {
        self.clear(object);
        self.objects.insert(object, Object { size, filling });
    }

    /// One more object of a name that stands for several.
    pub(super) fn begin_another(&mut self, object: ObjectId, size: Number, filling: Filling) {
        let Some(old) = self.objects.get(&object) else { return self.begin(object, size, filling) };
        self.log.changed_whole(object);
        self.facts.ended(object);
        let merged = Object { size: old.size.join(size), filling: old.filling.merged(&filling, Value::join) };
        self.objects.insert(object, merged);
        for ((_, at), cell) in self.cells_of(object) {
            let value = cell.value.join(&filling.read(at, cell.size));
            self.cells.insert((object, at), Cell { value, ..cell });
        }
    }

    /// The object is not used any more.
    pub(super) fn end(&mut self, object: ObjectId) {
        self.clear(object);
        self.objects.remove(&object);
    }

    /// Pointers to the object may lead to one that has ended.
    pub(super) fn end_pointers(&mut self, object: ObjectId) {
        self.log.ended(object);
        self.facts.end_pointers(object);
        let cells = self.cells.iter().filter_map(|(at, cell)| Some((*at, cell.size, cell.value.after_end(object)?)));
        let cells: Vec<((ObjectId, i64), u32, Value)> = cells.collect();
        for (at, size, value) in cells {
            self.cells.insert(at, Cell { size, value });
        }
        let fillings = self.objects.iter().filter_map(|(holder, Object { size, filling })| match filling {
            Filling::Every(cell) => {
                let cell = Cell { size: cell.size, value: cell.value.after_end(object)? };
                Some((*holder, Object { size: *size, filling: Filling::Every(cell) }))
            }
            _ => None,
        });
        for (holder, changed) in fillings.collect::<Vec<_>>() {
            self.objects.insert(holder, changed);
        }
    }

    /// Anything may be in the object, and perhaps nothing has written it.
    pub(super) fn forget(&mut self, object: ObjectId) {
        self.set_whole(object, Filling::Any);
    }

    /// Something may have changed in the object. What was written before is written.
    pub(super) fn scramble(&mut self, object: ObjectId) {
        let is_written = self.is_all_written(object);
        self.set_whole(object, Filling::anything(is_written));
    }

    /// Whether something has written all bytes of the object.
    fn is_all_written(&self, object: ObjectId) -> bool {
        self.objects.get(&object).is_some_and(|o| {
            let is_filled = o.filling.is_written() || self.is_covered(object, o);
            is_filled && self.all_cells(object).all(|(_, cell)| cell.value != Value::Any)
        })
    }

    /// Whether nothing is known of what the object holds.
    fn is_blank(&self, object: ObjectId) -> bool {
        self.objects.get(&object).is_some_and(|o| o.filling.is_anything()) && self.all_cells(object).next().is_none()
    }

    fn set_whole(&mut self, object: ObjectId, filling: Filling) {
        self.clear(object);
        if let Some(old) = self.objects.get(&object) {
            let size = old.size;
            self.objects.insert(object, Object { size, filling });
        }
    }

    fn cells_of(&self, object: ObjectId) -> Vec<((ObjectId, i64), Cell)> {
        let cells = self.cells.range((object, i64::MIN)..(object.next(), i64::MIN));
        cells.map(|(key, cell)| (*key, cell.clone())).collect()
    }

    fn clear(&mut self, object: ObjectId) {
        self.log.changed_whole(object);
        self.facts.ended(object);
        let keys: Vec<(ObjectId, i64)> =
            self.cells.range((object, i64::MIN)..(object.next(), i64::MIN)).map(|(key, _)| *key).collect();
        keys.iter().for_each(|key| {
            self.cells.remove(key);
        });
    }

    /// The cells that have bytes among these.
    fn overlapping(&self, object: ObjectId, at: i64, size: i64) -> impl Iterator<Item = (i64, &Cell)> {
        let first = at.saturating_sub(i64::from(MOST_BYTES) - 1);
        let cells = self.cells.range((object, first)..(object, at.saturating_add(size)));
        cells
            .filter(move |((_, start), cell)| start + i64::from(cell.size) > at)
            .map(|((_, start), cell)| (*start, cell))
    }

    /// What the bytes of an object from an offset on hold, as one value.
    pub(super) fn read(&self, object: ObjectId, at: i64, size: u32, big_endian: bool) -> Value {
        self.log.read(object, at..at.saturating_add(size.into()));
        if let Some(cell) = self.cells.get(&(object, at))
            && cell.size == size
        {
            return cell.value.clone();
        }
        let filling = self.objects.get(&object).map_or(&Filling::Any, |o| &o.filling);
        let mut bytes: [Option<u8>; MOST_BYTES as usize] = match filling {
            Filling::Zero => [Some(0); MOST_BYTES as usize],
            _ => [None; MOST_BYTES as usize],
        };
        if size > MOST_BYTES {
            return Value::Any;
        }
        let (mut some, mut left, mut is_written) = (false, i64::from(size), true);
        for (start, cell) in self.overlapping(object, at, size.into()) {
            some = true;
            is_written &= cell.value != Value::Any;
            left -= (start + i64::from(cell.size)).min(at + i64::from(size)) - start.max(at);
            for n in 0..i64::from(cell.size) {
                let place = start + n - at;
                if (0..i64::from(size)).contains(&place) {
                    bytes[place as usize] = byte(cell, n as u32, big_endian);
                }
            }
        }
        if !some {
            return filling.read(at, size);
        }
        let mut bytes = bytes[..size as usize].iter().copied();
        let all: Option<u128> = match big_endian {
            true => bytes.try_fold(0, |sum, b| Some(sum << 8 | u128::from(b?))),
            false => bytes.rev().try_fold(0, |sum, b| Some(sum << 8 | u128::from(b?))),
        };
        match all.and_then(|bits| i128::try_from(bits).ok()) {
            // A wider number may not fit where numbers have at most 64 bits.
            Some(bits) if size <= 8 || bits == 0 => Value::Number(Number::constant(bits)),
            _ if is_written && (left == 0 || filling.is_written()) => Value::written(size),
            _ => Value::Any,
        }
    }

    /// What a cell may hold whose place is one of many; `None` if the places do not fit the cells.
    pub(super) fn read_range(&self, object: ObjectId, at: Offsets, size: u32) -> Option<Value> {
        let (lo, hi) = (offset(at.lo())?, offset(at.hi())?);
        self.log.read(object, lo..hi.saturating_add(size.into()));
        if !at.are_apart(size) {
            // A place may have bytes of several cells.
            return None;
        }
        let (mut found, mut count): (Option<Value>, u128) = (None, 0);
        for (start, cell) in self.overlapping(object, lo, hi.saturating_sub(lo).saturating_add(size.into())) {
            if cell.size == size && at.contains(start.into()) {
                count += 1;
                found = Some(found.map_or(cell.value.clone(), |value| value.join(&cell.value)));
            } else if at.touch(size, start, cell.size) {
                return None;
            }
        }
        if count == at.count() {
            return found;
        }
        let filling = self.objects.get(&object).map_or(&Filling::Any, |o| &o.filling);
        let is_aligned = at.hull().step().is_multiple_of(size.into()) && lo.rem_euclid(size.into()) == 0;
        let filling = match filling {
            Filling::Every(cell) if cell.size != size || !is_aligned => match filling.is_written() {
                true => Value::written(size),
                false => return None,
            },
            filling => filling.read(0, size),
        };
        Some(found.map_or(filling.clone(), |value| value.join(&filling)))
    }

    /// Removes cells, so that these bytes belong to none. What other bytes held stays.
    fn free(&mut self, object: ObjectId, at: i64, size: i64, big_endian: bool) {
        let found: Vec<(i64, Cell)> =
            self.overlapping(object, at, size).map(|(start, cell)| (start, cell.clone())).collect();
        for (start, cell) in found {
            self.cells.remove(&(object, start));
            for n in 0..i64::from(cell.size) {
                if !(at..at + size).contains(&(start + n)) {
                    let value = byte_value(&cell, n as u32, big_endian);
                    self.cells.insert((object, start + n), Cell { size: 1, value });
                }
            }
        }
    }

    /// The bytes of an object from an offset on hold that value.
    pub(super) fn write(&mut self, object: ObjectId, at: i64, size: u32, value: Value, big_endian: bool) {
        self.facts.written(object, Number::constant(at.into()), size.into());
        self.narrow(object, at, size, value, big_endian);
    }

    /// The bytes of an object from an offset on are known to hold that value: nothing changes.
    pub(super) fn narrow(&mut self, object: ObjectId, at: i64, size: u32, value: Value, big_endian: bool) {
        if size == 0 || size > MOST_BYTES {
            return self.fill(object, at, size.into(), &Filling::Any, big_endian);
        }
        if self.cells.get(&(object, at)).is_none_or(|cell| cell.size != size) {
            self.free(object, at, size.into(), big_endian);
        }
        self.log.changed(object, at..at + i64::from(size));
        self.cells.insert((object, at), Cell { size, value });
    }

    /// One of these places holds that value, the others hold what they held.
    pub(super) fn write_somewhere(
        &mut self,
        object: ObjectId,
        at: Offsets,
        size: u32,
        value: &Value,
        big_endian: bool,
    ) {
        self.log.looked_at(object);
        let Some(old) = self.objects.get(&object).cloned() else { return };
        let (Some(lo), Some(hi)) = (offset(at.lo()), offset(at.hi())) else {
            return if *value == Value::Any { self.forget(object) } else { self.scramble(object) };
        };
        let can_fill = Self::can_fill(at.hull(), size);
        if !old.filling.is_anything() && at.count() <= if can_fill { FEW } else { MANY } {
            for at in at.each().filter_map(offset) {
                let value = self.read(object, at, size, big_endian).join(value);
                self.write(object, at, size, value, big_endian);
            }
            return;
        }
        let filling = match &old.filling {
            // It may be at one of these places, and nowhere else: a filling is for all places.
            filling if can_fill => filling.merged(&Filling::Every(Cell { size, value: value.clone() }), Value::join),
            filling => Filling::anything(filling.is_written() && *value != Value::Any),
        };
        let end = hi.saturating_add(size.into());
        self.log.changed(object, lo..end);
        self.facts.written(object, at, size.into());
        if filling != old.filling {
            self.log.changed_whole(object);
            self.keep_outside(object, lo..end, &old);
        }
        self.objects.insert(object, Object { filling, ..old });
        let (range, are_apart) = (hi.saturating_sub(lo).saturating_add(size.into()), at.are_apart(size));
        let changed = self.overlapping(object, lo, range).filter_map(|(start, cell)| {
            // No other place has bytes of this one.
            let is_place = cell.size == size && are_apart && at.contains(start.into());
            let new = match is_place {
                true => cell.value.join(value),
                false if at.touch(size, start, cell.size) => match cell.value == Value::Any || *value == Value::Any {
                    true => Value::Any,
                    false => Value::written(cell.size),
                },
                false => return None,
            };
            (new != cell.value).then_some((start, Cell { size: cell.size, value: new }))
        });
        for (start, cell) in changed.collect::<Vec<_>>() {
            self.cells.insert((object, start), cell);
        }
    }

    /// Makes cells of what an object that is not large holds by its filling outside of a range.
    fn keep_outside(&mut self, object: ObjectId, range: Range<i64>, old: &Object) {
        let Some(size) = old.size.as_constant().and_then(offset) else { return };
        let outside = size.saturating_sub(range.end.saturating_sub(range.start));
        if old.filling.is_anything() || outside > MOST_KEPT {
            return;
        }
        let mut free = Vec::new();
        for Range { start, end } in [0..range.start.min(size), range.end.max(0)..size] {
            let mut at = start;
            for (cell, Cell { size, .. }) in self.overlapping(object, start, end - start) {
                free.push(at..cell);
                at = cell + i64::from(*size);
            }
            free.push(at..end);
        }
        free.into_iter().for_each(|range| self.fill_cells(object, range, &old.filling));
    }

    /// Whether all places are multiples of the size, and one size apart.
    fn can_fill(at: Number, size: u32) -> bool {
        at.step() == u128::from(size) && at.lo().rem_euclid(size.into()) == 0
    }

    /// All bytes of a part of an object are set in the same way.
    pub(super) fn fill(&mut self, object: ObjectId, at: i64, size: i64, with: &Filling, big_endian: bool) {
        self.log.changed(object, at..at.saturating_add(size));
        let Some(old) = self.objects.get(&object).cloned() else { return };
        self.facts.written(object, Number::constant(at.into()), size);
        if at == 0 && old.size.as_constant() == Some(size.into()) {
            return self.begin(object, old.size, with.clone());
        }
        self.free(object, at, size, big_endian);
        if old.filling == *with {
            return;
        }
        if size as u128 > MANY {
            return if with.is_written() { self.scramble(object) } else { self.forget(object) };
        }
        self.fill_cells(object, at..at + size, with);
    }

    /// Some of these bytes may change; what was written before is written.
    pub(super) fn scramble_bytes(&mut self, object: ObjectId, bytes: Range<i64>) {
        let end = self.objects.get(&object).map_or(0, |o| o.size.hi());
        for at in bytes.take_while(|at| i128::from(*at) < end) {
            let old = self.read(object, at, 1, false);
            let value = if old == Value::Any { old } else { Value::written(1) };
            self.write(object, at, 1, value, false);
        }
    }

    /// Makes cells of what bytes hold by a filling. They belong to no cell.
    fn fill_cells(&mut self, object: ObjectId, range: Range<i64>, with: &Filling) {
        let mut n = range.start;
        while n < range.end {
            let (size, value) = match with {
                Filling::Every(cell)
                    if n.rem_euclid(cell.size.into()) == 0 && n + i64::from(cell.size) <= range.end =>
                {
                    (cell.size, cell.value.clone())
                }
                Filling::Zero if n % 8 == 0 && n + 8 <= range.end => (8, Value::zero()),
                Filling::Zero if n % 4 == 0 && n + 4 <= range.end => (4, Value::zero()),
                Filling::Zero => (1, Value::zero()),
                _ if with.is_written() => (1, Value::written(1)),
                _ => (1, Value::Any),
            };
            self.cells.insert((object, n), Cell { size, value });
            n += i64::from(size);
        }
    }

    /// Copies bytes from one place to another. They do not overlap, or are the same.
    pub(super) fn copy(&mut self, from: (ObjectId, i64), to: (ObjectId, i64), size: i64, big_endian: bool) {
        if from == to {
            return;
        }
        self.log.read(from.0, from.1..from.1.saturating_add(size));
        let filling = self.objects.get(&from.0).map_or(Filling::Any, |o| o.filling.clone());
        let is_moved = matches!(&filling, Filling::Every(cell) if (to.1 - from.1).rem_euclid(cell.size.into()) != 0);
        let filling = if is_moved { Filling::anything(filling.is_written()) } else { filling };
        let cells: Vec<(i64, Cell)> =
            self.overlapping(from.0, from.1, size).map(|(start, cell)| (start, cell.clone())).collect();
        self.fill(to.0, to.1, size, &filling, big_endian);
        for (start, cell) in cells {
            if start >= from.1 && start + i64::from(cell.size) <= from.1 + size {
                self.write(to.0, to.1 + (start - from.1), cell.size, cell.value, big_endian);
                continue;
            }
            for n in 0..i64::from(cell.size) {
                if (from.1..from.1 + size).contains(&(start + n)) {
                    let value = byte_value(&cell, n as u32, big_endian);
                    self.write(to.0, to.1 + (start + n - from.1), 1, value, big_endian);
                }
            }
        }
    }

    /// Something may have changed these objects.
    pub(super) fn forget_all(&mut self, change: Change, is_reached: impl Fn(ObjectId) -> bool) {
        let mut with_cells: Vec<ObjectId> = self.cells.keys().map(|(object, _)| *object).collect();
        with_cells.dedup();
        let is_known = |object: &ObjectId, filling: &Filling| {
            let as_it_was = match change {
                Change::Writes => Filling::Written,
                Change::Stores => Filling::anything(filling.is_written()),
                Change::Copies => Filling::Any,
            };
            *filling != as_it_was || with_cells.binary_search(object).is_ok()
        };
        let known = self.objects.iter().filter(|(object, o)| is_known(object, &o.filling)).map(|(object, _)| *object);
        let found: Vec<ObjectId> = known.filter(|object| is_reached(*object)).collect();
        self.log.forgot(change);
        self.log.clone().without(|| {
            found.into_iter().for_each(|object| match change {
                Change::Writes => self.set_whole(object, Filling::Written),
                Change::Stores => self.scramble(object),
                Change::Copies => self.forget(object),
            });
        });
    }
}

/// An offset at which a cell can be. No object is so large that others matter.
pub(super) fn offset(n: i128) -> Option<i64> {
    i64::try_from(n).ok().filter(|n| n.unsigned_abs() < 1 << 62)
}

/// A byte of a cell.
fn byte_value(cell: &Cell, n: u32, big_endian: bool) -> Value {
    match byte(cell, n, big_endian) {
        Some(byte) => Value::Number(Number::constant(byte.into())),
        None if cell.value == Value::Any => Value::Any,
        None => Value::written(1),
    }
}

/// A byte of a cell, if it is known.
fn byte(cell: &Cell, n: u32, big_endian: bool) -> Option<u8> {
    let place = if big_endian { cell.size - 1 - n } else { n };
    match &cell.value {
        // Null has only zeros, and so has the number 0 of any size.
        Value::Pointer(p) if **p == Pointers::null() => Some(0),
        value => {
            let bits = value.bits(cell.size)?;
            Some(bits.checked_shr(8 * place).unwrap_or(0) as u8)
        }
    }
}
