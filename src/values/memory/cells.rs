//! The cells of one object, by their offsets.

use super::super::value::Value;
use either::Either;
use imbl::ordmap::{DiffItem, GenericOrdMap};
use imbl::shared_ptr::RcK;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::Range;

/// The most bytes in a cell.
pub(super) const MOST_BYTES: u32 = 16;
/// The most cells that lie side by side. More are in a map that shares its parts with its copies.
const FEW: usize = 16;

/// What some bytes hold.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Cell {
    pub size: u32,
    pub value: Value,
}

/// A map that shares its parts with its copies.
pub(in super::super) type Map<K, V> = GenericOrdMap<K, V, RcK>;

/// Cells by their offsets. They do not overlap.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// In the order of their offsets.
    Few(SmallVec<[(i64, Cell); 1]>),
    Many(Map<i64, Cell>),
}

impl Default for Cells {
    fn default() -> Cells {
        Cells::Few(SmallVec::new())
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        match (self, other) {
            (Cells::Few(a), Cells::Few(b)) => a == b,
            (Cells::Many(a), Cells::Many(b)) => a == b,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl Cells {
    /// The cell that begins at an offset.
    pub(super) fn get(&self, at: i64) -> Option<&Cell> {
        match self {
            Cells::Few(all) => all.binary_search_by_key(&at, |(at, _)| *at).ok().map(|n| &all[n].1),
            Cells::Many(all) => all.get(&at),
        }
    }

    /// The cell at an offset is that one.
    pub(super) fn insert(&mut self, at: i64, cell: Cell) {
        match self {
            Cells::Few(all) => match all.binary_search_by_key(&at, |(at, _)| *at) {
                Ok(n) => all[n].1 = cell,
                Err(n) if all.len() < FEW => all.insert(n, (at, cell)),
                Err(_) => {
                    let mut many: Map<i64, Cell> = std::mem::take(all).into_iter().collect();
                    many.insert(at, cell);
                    *self = Cells::Many(many);
                }
            },
            Cells::Many(all) => {
                all.insert(at, cell);
            }
        }
    }

    pub(super) fn remove(&mut self, at: i64) {
        match self {
            Cells::Few(all) => {
                if let Ok(n) = all.binary_search_by_key(&at, |(at, _)| *at) {
                    all.remove(n);
                }
            }
            Cells::Many(all) => {
                all.remove(&at);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Cells::Few(all) => all.is_empty(),
            Cells::Many(all) => all.is_empty(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (i64, &Cell)> + Clone {
        self.starting_in(i64::MIN..i64::MAX)
    }

    /// The cells that begin in a range of offsets.
    fn starting_in(&self, range: Range<i64>) -> impl Iterator<Item = (i64, &Cell)> + Clone {
        match self {
            Cells::Few(all) => {
                let first = all.partition_point(|(at, _)| *at < range.start);
                let end = all.partition_point(|(at, _)| *at < range.end);
                Either::Left(all[first..end].iter().map(|(at, cell)| (*at, cell)))
            }
            Cells::Many(all) => Either::Right(all.range(range).map(|(at, cell)| (*at, cell))),
        }
    }

    /// The cells that have bytes in a range.
    pub(super) fn overlapping(&self, range: Range<i64>) -> impl Iterator<Item = (i64, &Cell)> + Clone {
        let (start, end) = (range.start, range.end.max(range.start));
        let first = start.saturating_sub(i64::from(MOST_BYTES) - 1).min(end);
        self.starting_in(first..end).filter(move |(at, cell)| at.saturating_add(cell.size.into()) > start)
    }

    /// The pieces where cells differ, as offsets and sizes: every byte of a cell that only one side
    /// has is in one of them.
    pub(super) fn differing(&self, other: &Cells) -> Vec<(i64, u32)> {
        let mut found = Vec::new();
        if let (Cells::Many(here), Cells::Many(there)) = (self, other) {
            for item in here.diff(there) {
                match item {
                    DiffItem::Add(at, cell) | DiffItem::Remove(at, cell) => found.push((*at, cell.size)),
                    DiffItem::Update { old: (at, old), new: (_, new) } => add_sizes(&mut found, *at, old, new),
                }
            }
            return found;
        }
        let (mut here, mut there) = (self.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (here.peek(), there.peek()) {
                (None, None) => return found,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            match order {
                Ordering::Less => found.extend(here.next().map(|(at, cell)| (at, cell.size))),
                Ordering::Greater => found.extend(there.next().map(|(at, cell)| (at, cell.size))),
                Ordering::Equal => {
                    if let (Some((at, old)), Some((_, new))) = (here.next(), there.next())
                        && old != new
                    {
                        add_sizes(&mut found, at, old, new);
                    }
                }
            }
        }
    }
}

/// An offset at which a cell can be. No object is so large that others matter.
pub(in super::super) fn offset(n: i128) -> Option<i64> {
    i64::try_from(n).ok().filter(|n| n.unsigned_abs() < 1 << 62)
}

fn add_sizes(found: &mut Vec<(i64, u32)>, at: i64, old: &Cell, new: &Cell) {
    found.push((at, old.size));
    if new.size != old.size {
        found.push((at, new.size));
    }
}
