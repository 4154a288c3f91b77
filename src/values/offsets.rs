//! Offsets of pointers in objects.
//!
//! A pointer into a table of structs moves in two ways: from one struct to another, and inside of a
//! struct. The places of `tab[i].block[j]` for unknown `i` and `j` are sums of a multiple of the
//! size of a struct and a few bytes. One interval with one stride would cover the other members
//! too. So an offset is a sum of two numbers, where the table is known.

use super::number::{Number, gcd};

/// A set of offsets, in bytes: the sums of a member of each number.
///
/// `inner` is 0 unless several elements of the table and several places in them are meant. Then
/// the members of `outer` are starts of elements, and those of `inner` less than the size of an
/// element, so that there is one way to make each sum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Offsets {
    outer: Number,
    inner: Number,
    table: Table,
}

/// Where the elements of an array begin: at `start + n * size` for each `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Table {
    start: u32,
    /// 0: no array is known.
    size: u32,
    /// How many elements there are. Pointers may leave the array, but most do not.
    length: u32,
}

/// No pointer is so far away from the start of an object.
const FAR: i128 = 1 << 64;
/// Of so many bytes, one at least makes a block dense.
const DENSE: u128 = 4;

impl Table {
    const NONE: Table = Table { start: 0, size: 0, length: 0 };

    /// The starts of elements, and the places in them, whose sums are these numbers; `None` if
    /// there are none.
    fn split(self, n: Number) -> Option<(Number, Number)> {
        if self.size == 0 || n.lo() < -FAR || n.hi() > FAR {
            return None;
        }
        let (first, last) = (self.place(n.lo()), self.place(n.hi()));
        if n.step().is_multiple_of(self.size.into()) {
            let place = Number::constant(first);
            return Some((n.sub(place)?, place));
        }
        let start = Number::constant(n.lo() - first);
        if n.lo() - first == n.hi() - last { Some((start, n.sub(start)?)) } else { None }
    }

    /// The place in its element that an offset is at.
    fn place(self, at: i128) -> i128 {
        let distance = at - i128::from(self.start);
        match i64::try_from(distance) {
            // Divisions of wide numbers are slow.
            Ok(distance) => distance.rem_euclid(self.size.into()).into(),
            Err(_) => distance.rem_euclid(self.size.into()),
        }
    }

    /// Where bounds of starts of elements that move should stop first: at the first, the last, and
    /// the end of the array.
    fn bounded(self, wide: Number, all: Number) -> Number {
        let (start, size, length) = (i128::from(self.start), i128::from(self.size), i128::from(self.length));
        let most = [start + size * (length - 1), start + size * length].into_iter().find(|end| all.hi() <= *end);
        wide.clamp((all.lo() >= start).then_some(start), most).unwrap_or(wide)
    }

    /// Whether these are places in one element.
    fn has_places(self, n: Number) -> bool {
        n.lo() >= 0 && n.hi() < self.size.into()
    }
}

impl From<Number> for Offsets {
    fn from(n: Number) -> Offsets {
        Offsets::flat(n, Table::NONE)
    }
}

/// Making and reading.
impl Offsets {
    pub(super) fn constant(n: i128) -> Offsets {
        Number::constant(n).into()
    }

    fn flat(n: Number, table: Table) -> Offsets {
        Offsets { outer: n, inner: Number::constant(0), table }
    }

    /// The sums of starts of elements and places in one.
    fn of((outer, inner): (Number, Number), table: Table) -> Option<Offsets> {
        if outer.as_constant().is_some() || inner.as_constant().is_some() {
            return Some(Offsets::flat(outer.add(inner)?, table));
        }
        Some(Offsets { outer, inner, table })
    }

    /// The same offsets, at which an array of so many elements of that size begins, if there is one
    /// offset and no array is known yet.
    pub(super) fn in_table(self, size: i128, length: u64) -> Offsets {
        let start = self.as_constant().and_then(|at| u32::try_from(at).ok());
        match (start, u32::try_from(size), u32::try_from(length)) {
            (Some(start), Ok(size), Ok(length)) if self.table == Table::NONE => {
                Offsets { table: Table { start, size, length }, ..self }
            }
            _ => self,
        }
    }

    /// The two numbers, by the elements of a table.
    fn split(self, table: Table) -> Option<(Number, Number)> {
        if self.is_flat() {
            return table.split(self.outer);
        }
        (self.table == table).then_some((self.outer, self.inner))
    }

    fn is_flat(self) -> bool {
        self.inner.as_constant().is_some()
    }

    /// The table of both, if there is one.
    fn common_table(self, other: Offsets) -> Option<Table> {
        match (self.table, other.table) {
            (Table::NONE, table) | (table, Table::NONE) => Some(table),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// All of them, and perhaps more, as one strided interval.
    pub(super) fn hull(self) -> Number {
        // A place is less than 2^32, so that the bounds of the sums are those of numbers.
        self.outer.add(self.inner).unwrap_or(self.outer)
    }

    /// A bound below all.
    pub(super) fn lo(self) -> i128 {
        self.outer.lo() + self.inner.lo()
    }

    /// A bound above all.
    pub(super) fn hi(self) -> i128 {
        self.outer.hi() + self.inner.hi()
    }

    pub(super) fn as_constant(self) -> Option<i128> {
        if self.is_flat() { self.outer.as_constant() } else { None }
    }

    /// How many there are.
    pub(super) fn count(self) -> u128 {
        self.outer.count().saturating_mul(self.inner.count())
    }

    /// Each of a few.
    pub(super) fn each(self) -> impl Iterator<Item = i128> {
        self.outer.each().flat_map(move |x| self.inner.each().map(move |y| x + y))
    }

    pub(super) fn contains(self, n: i128) -> bool {
        if self.is_flat() {
            return self.outer.contains(n);
        }
        let place = self.table.place(n);
        self.inner.contains(place) && self.outer.contains(n - place)
    }

    /// Whether a block of `size` bytes at one of them has bytes among `length` bytes from `start`.
    pub(super) fn touch(self, size: u32, start: i64, length: u32) -> bool {
        let start = i128::from(start);
        (start + 1 - i128::from(size)..start + i128::from(length)).any(|n| self.contains(n))
    }

    /// Whether blocks of that size at them are a good part of the bytes between the first and the
    /// last.
    pub(super) fn is_dense(self, size: u32) -> bool {
        let extent = (self.hi() - self.lo()).unsigned_abs();
        extent <= self.count().saturating_mul(u128::from(size) * DENSE)
    }

    /// Whether a block of `size` bytes at one of them, and one of `length` bytes at one of the
    /// others, may have bytes in common.
    pub(super) fn may_overlap(self, size: i64, other: Offsets, length: i64) -> bool {
        let (size, length) = (i128::from(size), i128::from(length));
        if self.hi() + size <= other.lo() || other.hi() + length <= self.lo() {
            return false;
        }
        let (a, b) = (self.hull(), other.hull());
        let step = gcd(a.step(), b.step());
        if step > 0 {
            // How far after this block the other one begins, up to multiples of the step.
            let distance = (b.lo() - a.lo()).rem_euclid(step as i128);
            if distance >= size && distance + length <= step as i128 {
                return false;
            }
        }
        if let Some(table) = self.common_table(other)
            && let (Some((_, x)), Some((_, y))) = (self.split(table), other.split(table))
        {
            let end = i128::from(table.size);
            let (after, before) = (x.hi() + size, y.hi() + length);
            return after > end || before > end || (after > y.lo() && before > x.lo());
        }
        true
    }

    /// Whether blocks of that size at any two of them do not overlap.
    pub(super) fn are_apart(self, size: u32) -> bool {
        let size = u128::from(size);
        if self.is_flat() {
            return self.outer.step() == 0 || self.outer.step() >= size;
        }
        let extent = (self.inner.hi() - self.inner.lo()).unsigned_abs();
        self.inner.step() >= size && extent + size <= self.table.size.into()
    }
}

/// The lattice.
impl Offsets {
    pub(super) fn join(self, other: Offsets) -> Offsets {
        self.merged(other, |a, b| a.join(b), |a, b| a.join(b))
    }

    /// [`Offsets::join`], such that a chain of them ends.
    pub(super) fn widen(self, newer: Offsets, thresholds: &[i128]) -> Offsets {
        let table = self.common_table(newer).unwrap_or(Table::NONE);
        let places = |old: Number, new: Number| {
            let wide = old.widen(new, thresholds);
            wide.clamp(Some(0), Some(i128::from(table.size) - 1)).unwrap_or(wide)
        };
        self.merged(newer, |a, b| table.bounded(a.widen(b, thresholds), a.join(b)), places)
    }

    fn merged(
        self,
        other: Offsets,
        starts: impl Fn(Number, Number) -> Number,
        places: impl Fn(Number, Number) -> Number,
    ) -> Offsets {
        if self == other {
            return self;
        }
        let table = self.common_table(other);
        if let Some(table) = table
            && let (Some((a, x)), Some((b, y))) = (self.split(table), other.split(table))
            && let Some(both) = Offsets::of((starts(a, b), places(x, y)), table)
        {
            return both;
        }
        Offsets::flat(starts(self.hull(), other.hull()), table.unwrap_or(Table::NONE))
    }

    /// A superset of what both have in common; `None` if there is nothing.
    pub(super) fn meet(self, other: Offsets) -> Option<Offsets> {
        if let Some(n) = self.as_constant().or(other.as_constant()) {
            let table = self.common_table(other).unwrap_or(self.table);
            return (self.contains(n) && other.contains(n)).then(|| Offsets::flat(Number::constant(n), table));
        }
        if let Some(table) = self.common_table(other)
            && let (Some((a, x)), Some((b, y))) = (self.split(table), other.split(table))
        {
            // There is one way to make each sum, so that both numbers are the same in both.
            return Offsets::of((a.meet(b)?, x.meet(y)?), table);
        }
        let hull = Offsets::flat(self.hull().meet(other.hull())?, self.table);
        [hull, self, other].into_iter().min_by_key(|offsets| offsets.count())
    }

    /// Whether each is one of the others. (`false` if that is not known.)
    pub(super) fn is_within(self, other: Offsets) -> bool {
        if let Some(n) = self.as_constant() {
            return other.contains(n);
        }
        if other.is_flat() && self.hull().is_within(other.outer) {
            return true;
        }
        match (self.split(other.table), other.split(other.table)) {
            (Some((a, x)), Some((b, y))) => a.is_within(b) && x.is_within(y),
            _ => false,
        }
    }

    /// Those that are at least `lo` and at most `hi`, and perhaps others; `None` if there are none.
    pub(super) fn clamp(self, lo: Option<i128>, hi: Option<i128>) -> Option<Offsets> {
        if self.is_flat() {
            return Some(Offsets { outer: self.outer.clamp(lo, hi)?, ..self });
        }
        // The other number takes them up to there at most.
        let outer = self.outer.clamp(lo.map(|lo| lo - self.inner.hi()), hi.map(|hi| hi - self.inner.lo()))?;
        match outer.as_constant() {
            Some(_) => Offsets::flat(outer.add(self.inner)?, self.table).clamp(lo, hi),
            None => Some(Offsets { outer, ..self }),
        }
    }

    /// Whether those of both are the same; `None`: perhaps.
    pub(super) fn equal(self, other: Offsets) -> Option<bool> {
        if self.meet(other).is_none() {
            return Some(false);
        }
        (self.as_constant().is_some() && other.as_constant().is_some()).then_some(true)
    }

    /// Those other than `n`, and perhaps `n`; `None` if there are none.
    pub(super) fn without(self, n: i128) -> Option<Offsets> {
        match self.is_flat() {
            true => Some(Offsets { outer: self.outer.without(n)?, ..self }),
            false => Some(self),
        }
    }
}

/// Arithmetic.
impl Offsets {
    /// The sums; `None` is any number.
    pub(super) fn add(self, by: Number) -> Option<Offsets> {
        if self.is_flat() && (self.outer.as_constant().is_some() && by.as_constant().is_some()) {
            // Most often.
            return Some(Offsets { outer: self.outer.add(by)?, ..self });
        }
        if let Some((starts, places)) = self.split(self.table) {
            let more = places.add(by)?;
            if self.table.has_places(more) {
                return Offsets::of((starts, more), self.table);
            }
            let moves = Table { start: 0, ..self.table }.split(by);
            if let Some((elements, by)) = moves
                && let Some(more) = places.add(by).filter(|more| self.table.has_places(*more))
            {
                return Offsets::of((starts.add(elements)?, more), self.table);
            }
        }
        Some(Offsets::flat(self.hull().add(by)?, self.table))
    }
}

#[cfg(test)]
mod tests;
