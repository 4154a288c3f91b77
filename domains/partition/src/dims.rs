//! The dimensions of a group: its size, the index of a cell of it, the fields of that same cell.

use smalti_core::{ArrayId, LinearExpr, Var};

/// The name of a group among those of its array.
pub type Slot = u16;

/// The group that exists for the length of one operation: a copy of one cell.
pub(crate) const PROBE: Slot = Var::SLOTS - 1;
/// Slots from here on are never given to groups.
const RESERVED: Slot = Var::SLOTS - 8;

const SIZE: u16 = 0;
const INDEX: u16 = 1;
const FIELDS: u16 = 2;
/// An array with more fields is not tracked.
pub(crate) const MAX_FIELDS: usize = (u16::MAX - FIELDS) as usize;

/// The number of cells. Only groups that may have other than one cell have this dimension.
pub(crate) fn size(array: ArrayId, slot: Slot) -> Var {
    Var::group(array, slot, SIZE)
}

/// The index of a cell.
pub(crate) fn index(array: ArrayId, slot: Slot) -> Var {
    Var::group(array, slot, INDEX)
}

/// The `n`th field of that cell; `n` is below [`MAX_FIELDS`].
pub(crate) fn field(array: ArrayId, slot: Slot, n: usize) -> Var {
    Var::group(array, slot, FIELDS + u16::try_from(n).unwrap_or(0))
}

/// Index and fields.
pub(crate) fn own(array: ArrayId, slot: Slot, fields: usize) -> Vec<Var> {
    std::iter::once(index(array, slot)).chain((0..fields).map(|n| field(array, slot, n))).collect()
}

/// The renaming of index and fields of one group to those of another.
pub(crate) fn renaming(array: ArrayId, from: Slot, to: Slot, fields: usize) -> Vec<(Var, Var)> {
    own(array, from, fields).into_iter().zip(own(array, to, fields)).collect()
}

/// The number `n` as the subject of a predicate: the cell with that number is in one of some
/// groups. No element has the dimension.
pub(crate) fn fixed(n: i128) -> Option<Var> {
    u32::try_from(n).ok().map(Var::fresh)
}

/// The number, if it is one.
pub(crate) fn as_fixed(v: Var) -> Option<i128> {
    let n = i128::from(v.0 & u64::from(u32::MAX));
    (fixed(n) == Some(v)).then_some(n)
}

/// The expression with the value of `v`.
pub(crate) fn value(v: Var) -> LinearExpr {
    as_fixed(v).map_or_else(|| LinearExpr::var(v), LinearExpr::constant)
}

pub(crate) fn is_size(v: Var) -> bool {
    v.as_group().is_some_and(|(_, _, role)| role == SIZE)
}

/// A slot that `taken` does not have, by the index at which a cell is split off: the same split
/// makes the same name in every state, so that groups of one origin find each other, and no state
/// has to remember what was used elsewhere.
pub(crate) fn fresh_slot(e: &LinearExpr, taken: impl Fn(Slot) -> bool) -> Slot {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |word: u64| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for (v, c) in e.terms() {
        mix(v.0);
        mix(*c as u64);
    }
    mix(e.constant_part() as u64);
    let start = ((hash ^ hash >> 32) % u64::from(RESERVED)) as Slot;
    (0..RESERVED).map(|n| (start + n) % RESERVED).find(|s| !taken(*s)).unwrap_or(PROBE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_of_groups_are_distinct_and_no_scalars() {
        let mut all = Vec::new();
        for array in [ArrayId(0), ArrayId(1), ArrayId(u32::MAX)] {
            for slot in [0, 1, RESERVED, PROBE] {
                all.push(size(array, slot));
                all.extend(own(array, slot, 3));
                assert_eq!(index(array, slot).as_group(), Some((array, slot, INDEX)));
            }
        }
        all.push(Var::summary(ArrayId(0), smalti_core::FieldId(0)));
        for n in [0, 7, i128::from(u32::MAX)] {
            assert_eq!(fixed(n).and_then(as_fixed), Some(n));
            all.extend(fixed(n));
        }
        assert!(fixed(-1).is_none() && all.iter().filter(|v| as_fixed(**v).is_some()).count() == 3);
        assert!(Var::fresh(u32::MAX).as_group().is_none() && Var::scalar(3).as_group().is_none());
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|v| !v.is_scalar()));
    }

    #[test]
    fn a_taken_slot_is_not_given_again() {
        let e = LinearExpr::constant(3);
        let first = fresh_slot(&e, |_| false);
        assert_eq!(fresh_slot(&e, |_| false), first);
        assert_ne!(fresh_slot(&e, |s| s == first), first);
        assert!(first < RESERVED);
    }
}
