//! One object: its size, its cells, and what its other bytes hold.

use super::super::number::Number;
use super::super::objects::ObjectId;
use super::super::offsets::Offsets;
use super::super::value::{Pointers, Value};
use super::cells::{Cell, Cells, MOST_BYTES, offset};
use std::ops::Range;

/// The most bytes outside of the places of a write whose filling becomes cells.
const MOST_KEPT: i64 = 8192;

/// What an object holds where it has no cells.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) enum Filling {
    /// Anything; perhaps nothing has written it ([`super::super::written`]).
    Any,
    /// Anything that something has written.
    Written,
    /// Zero in every byte.
    Zero,
    /// One of these values at each multiple of the size.
    Every(Cell),
}

/// What is known of an object.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Object {
    /// Its size in bytes.
    pub size: Number,
    pub filling: Filling,
    pub(super) cells: Cells,
}

impl Filling {
    pub(super) fn read(&self, at: i64, size: u32) -> Value {
        match self {
            Filling::Zero => Value::zero(),
            Filling::Every(cell) if cell.size == size && at.rem_euclid(size.into()) == 0 => cell.value.clone(),
            filling if filling.is_written() => Value::written(size),
            _ => Value::Any,
        }
    }

    pub(super) fn merged(&self, other: &Filling, values: impl Fn(&Value, &Value) -> Value) -> Filling {
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

    pub(super) fn is_within(&self, other: &Filling) -> bool {
        match (self, other) {
            (_, Filling::Any) | (Filling::Zero, Filling::Zero) => true,
            (_, Filling::Written) => self.is_written(),
            (Filling::Written, Filling::Every(cell)) => Value::written(cell.size).is_within(&cell.value),
            (Filling::Zero, Filling::Every(cell)) => Value::zero().is_within(&cell.value),
            (Filling::Every(a), Filling::Every(b)) => a.size == b.size && a.value.is_within_cell(&b.value, a.size),
            _ => false,
        }
    }
}

impl Object {
    pub(super) fn new(size: Number, filling: Filling) -> Object {
        Object { size, filling, cells: Cells::default() }
    }

    /// What the bytes from an offset on hold, as one value.
    pub(super) fn read(&self, at: i64, size: u32, big_endian: bool) -> Value {
        if let Some(cell) = self.cells.get(at)
            && cell.size == size
        {
            return cell.value.clone();
        }
        if size > MOST_BYTES {
            return Value::Any;
        }
        let mut bytes: [Option<u8>; MOST_BYTES as usize] = match self.filling {
            Filling::Zero => [Some(0); MOST_BYTES as usize],
            _ => [None; MOST_BYTES as usize],
        };
        let (mut some, mut left, mut is_written) = (false, i64::from(size), true);
        for (start, cell) in self.overlapping(at, size.into()) {
            some = true;
            is_written &= cell.value.is_written();
            left -= (start + i64::from(cell.size)).min(at + i64::from(size)) - start.max(at);
            for n in 0..i64::from(cell.size) {
                let place = start + n - at;
                if (0..i64::from(size)).contains(&place) {
                    bytes[place as usize] = byte(cell, n as u32, big_endian);
                }
            }
        }
        if !some {
            return self.filling.read(at, size);
        }
        let mut bytes = bytes[..size as usize].iter().copied();
        let all: Option<u128> = match big_endian {
            true => bytes.try_fold(0, |sum, b| Some(sum << 8 | u128::from(b?))),
            false => bytes.rev().try_fold(0, |sum, b| Some(sum << 8 | u128::from(b?))),
        };
        match all.and_then(|bits| i128::try_from(bits).ok()) {
            // A wider number may not fit where numbers have at most 64 bits.
            Some(bits) if size <= 8 || bits == 0 => Value::Number(Number::constant(bits)),
            _ if is_written && (left == 0 || self.filling.is_written()) => Value::written(size),
            _ => Value::Any,
        }
    }

    /// What a cell may hold whose place is one of many; `None` if the places do not fit the cells.
    pub(super) fn read_range(&self, at: Offsets, (lo, hi): (i64, i64), size: u32) -> Option<Value> {
        if !at.are_apart(size) {
            // A place may have bytes of several cells.
            return None;
        }
        let (mut found, mut count): (Option<Value>, u128) = (None, 0);
        for (start, cell) in self.overlapping(lo, hi.saturating_sub(lo).saturating_add(size.into())) {
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
        let is_aligned = at.hull().step().is_multiple_of(size.into()) && lo.rem_euclid(size.into()) == 0;
        let filling = match &self.filling {
            Filling::Every(cell) if cell.size != size || !is_aligned => match self.filling.is_written() {
                true => Value::written(size),
                false => return None,
            },
            filling => filling.read(0, size),
        };
        Some(found.map_or(filling.clone(), |value| value.join(&filling)))
    }

    /// The cells that have bytes among these.
    pub(super) fn overlapping(&self, at: i64, size: i64) -> impl Iterator<Item = (i64, &Cell)> + Clone {
        self.cells.overlapping(at..at.saturating_add(size))
    }

    /// Those bytes hold that value.
    pub(super) fn set(&mut self, at: i64, size: u32, value: Value, big_endian: bool) {
        if self.cells.get(at).is_none_or(|cell| cell.size != size) {
            self.free(at, size.into(), big_endian);
        }
        self.cells.insert(at, Cell { size, value });
    }

    /// Removes cells, so that these bytes belong to none. What other bytes held stays.
    pub(super) fn free(&mut self, at: i64, size: i64, big_endian: bool) {
        let found: Vec<(i64, Cell)> = self.overlapping(at, size).map(|(start, cell)| (start, cell.clone())).collect();
        for (start, cell) in found {
            self.cells.remove(start);
            for n in 0..i64::from(cell.size) {
                if !(at..at + size).contains(&(start + n)) {
                    let value = byte_value(&cell, n as u32, big_endian);
                    self.cells.insert(start + n, Cell { size: 1, value });
                }
            }
        }
    }

    /// One of these places may hold that value; others hold what they held, by cells or filling.
    pub(super) fn add_to_cells(&mut self, at: Offsets, (lo, hi): (i64, i64), size: u32, value: &Value) {
        let (range, are_apart) = (hi.saturating_sub(lo).saturating_add(size.into()), at.are_apart(size));
        let changed = self.overlapping(lo, range).filter_map(|(start, cell)| {
            // No other place has bytes of this one.
            let is_place = cell.size == size && are_apart && at.contains(start.into());
            let new = match is_place {
                true => cell.value.join(value),
                false if at.touch(size, start, cell.size) => match cell.value.is_written() && value.is_written() {
                    true => Value::written(cell.size),
                    false => Value::Any,
                },
                false => return None,
            };
            (new != cell.value).then_some((start, Cell { size: cell.size, value: new }))
        });
        for (start, cell) in changed.collect::<Vec<_>>() {
            self.cells.insert(start, cell);
        }
    }

    /// Makes cells of what an object that is not large holds by its filling outside of a range.
    pub(super) fn keep_outside(&mut self, range: Range<i64>) {
        let Some(size) = self.size.as_constant().and_then(offset) else { return };
        let outside = size.saturating_sub(range.end.saturating_sub(range.start));
        if self.filling.is_anything() || outside > MOST_KEPT {
            return;
        }
        let mut free = Vec::new();
        for Range { start, end } in [0..range.start.min(size), range.end.max(0)..size] {
            let mut at = start;
            for (cell, Cell { size, .. }) in self.overlapping(start, end - start) {
                free.push(at..cell);
                at = cell + i64::from(*size);
            }
            free.push(at..end);
        }
        let filling = self.filling.clone();
        free.into_iter().for_each(|range| self.fill_cells(range, &filling));
    }

    /// Makes cells of what bytes hold by a filling. They belong to no cell.
    pub(super) fn fill_cells(&mut self, range: Range<i64>, with: &Filling) {
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
            self.cells.insert(n, Cell { size, value });
            n += i64::from(size);
        }
    }

    /// Whether something has written all bytes.
    pub(super) fn is_all_written(&self) -> bool {
        let is_filled = self.filling.is_written() || self.is_covered();
        is_filled && self.cells.iter().all(|(_, cell)| cell.value.is_written())
    }

    /// Whether nothing is known of what it holds.
    pub(super) fn is_blank(&self) -> bool {
        self.filling.is_anything() && self.cells.is_empty()
    }

    /// Whether every byte is in a cell.
    pub(super) fn is_covered(&self) -> bool {
        let bytes: i128 = self.cells.iter().map(|(_, cell)| i128::from(cell.size)).sum();
        bytes >= self.size.hi()
    }

    /// What the elements of an array hold, whichever it is.
    pub(super) fn any_element(&self, size: u32) -> Value {
        let cells = self.cells.iter().map(|(at, cell)| match cell.size == size && at.rem_euclid(size.into()) == 0 {
            true => cell.value.clone(),
            false => Value::Any,
        });
        let filling = (!self.is_covered()).then(|| self.filling.read(0, size));
        cells.chain(filling).reduce(|all, value| all.join(&value)).unwrap_or(Value::Any)
    }

    /// What its cells hold.
    pub(in super::super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.cells.iter().map(|(_, cell)| &cell.value)
    }

    /// The objects that have not ended to which pointers in it lead.
    pub(super) fn alive_targets(&self) -> Box<[ObjectId]> {
        let filling = match &self.filling {
            Filling::Every(cell) => Some(&cell.value),
            _ => None,
        };
        let values = self.values().chain(filling);
        let mut found: Vec<ObjectId> = values.flat_map(Value::alive_targets).collect();
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    /// What is known when pointers to some objects may lead to one that has ended; `None` if that
    /// is the same.
    pub(super) fn after_end(&self, is_ended: impl Fn(ObjectId) -> bool) -> Option<Object> {
        let after = |cell: &Cell| Some(Cell { size: cell.size, value: cell.value.after_end(&is_ended)? });
        let changed: Vec<(i64, Cell)> = self.cells.iter().filter_map(|(at, cell)| Some((at, after(cell)?))).collect();
        let filling = match &self.filling {
            Filling::Every(cell) => after(cell).map(Filling::Every),
            _ => None,
        };
        if changed.is_empty() && filling.is_none() {
            return None;
        }
        let mut new = self.clone();
        changed.into_iter().for_each(|(at, cell)| new.cells.insert(at, cell));
        new.filling = filling.unwrap_or(new.filling);
        Some(new)
    }
}

/// A byte of a cell.
pub(super) fn byte_value(cell: &Cell, n: u32, big_endian: bool) -> Value {
    match byte(cell, n, big_endian) {
        Some(byte) => Value::Number(Number::constant(byte.into())),
        None if cell.value.is_byte_written(place(cell, n, big_endian)) => Value::written(1),
        None => Value::Any,
    }
}

/// Which byte of the value of a cell lies there, from the lowest one.
fn place(cell: &Cell, n: u32, big_endian: bool) -> u32 {
    if big_endian { cell.size - 1 - n } else { n }
}

/// A byte of a cell, if it is known.
fn byte(cell: &Cell, n: u32, big_endian: bool) -> Option<u8> {
    match &cell.value {
        // Null has only zeros, and so has the number 0 of any size.
        Value::Pointer(p) if **p == Pointers::null() => Some(0),
        value => {
            let bits = value.bits(cell.size)?;
            Some(bits.checked_shr(8 * place(cell, n, big_endian)).unwrap_or(0) as u8)
        }
    }
}
