//! Names of dimensions, arrays and fields. All are plain numbers: the code that makes them keeps
//! the table of their meanings.

/// One dimension of a numeric domain: an integer variable.
///
/// The two halves of the number space separate the makers of variables: [`Var::scalar`] is for the
/// engine (program variables, array lengths, temporaries), [`Var::summary`] and [`Var::fresh`] for
/// the domains that add dimensions of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u64);

const DOMAIN_SPACE: u64 = 1 << 63;
const FRESH_SPACE: u64 = DOMAIN_SPACE | 1 << 62;
const GROUP_SPACE: u64 = DOMAIN_SPACE | 1 << 61;

impl Var {
    /// The engine's variable number `n`.
    pub fn scalar(n: u32) -> Var {
        Var(u64::from(n))
    }

    /// The dimension that stands for field `field` of all cells of `array` (a *summary* dimension).
    pub fn summary(array: ArrayId, field: FieldId) -> Var {
        Var(DOMAIN_SPACE | u64::from(array.0) << 20 | u64::from(field.0))
    }

    /// A dimension that a domain makes up; the domain sees to it that `n` is new.
    pub fn fresh(n: u32) -> Var {
        Var(FRESH_SPACE | u64::from(n))
    }

    /// The dimension with the role `role` of the group of cells `slot` of `array`; `slot` is below
    /// [`Var::SLOTS`], what the roles mean is for the domain to say.
    ///
    /// The first eight roles of neighbouring groups have neighbouring numbers: a
    /// [`SharedMap`](crate::SharedMap) keeps them in one chunk.
    pub fn group(array: ArrayId, slot: u16, role: u16) -> Var {
        debug_assert!(slot < Var::SLOTS);
        let (high, low) = (u64::from(role >> 3), u64::from(role & 7));
        Var(GROUP_SPACE | u64::from(array.0) << 29 | high << 16 | u64::from(slot) << 3 | low)
    }

    /// How many groups of one array [`Var::group`] tells apart.
    pub const SLOTS: u16 = 1 << 13;

    /// The array, slot and role of a dimension made by [`Var::group`].
    pub fn as_group(self) -> Option<(ArrayId, u16, u16)> {
        let bits = self.0 ^ GROUP_SPACE;
        let slot = (bits >> 3) as u16 & (Var::SLOTS - 1);
        let role = ((bits >> 16) as u16 & (Var::SLOTS - 1)) << 3 | bits as u16 & 7;
        (bits >> 61 == 0).then_some((ArrayId((bits >> 29) as u32), slot, role))
    }

    /// Whether the engine made this variable (it is not a dimension of a domain's own).
    pub fn is_scalar(self) -> bool {
        self.0 & DOMAIN_SPACE == 0
    }
}

/// One array (a block of equal cells) of the analysed program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayId(pub u32);

/// One field of the cells of an array; an array of scalars has the single field 0. Below 2^20.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldId(pub u32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared_map::Key;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_dimension_of_a_group_knows_what_it_is_of(array: u32, slot in 0..Var::SLOTS, role: u16) {
            let v = Var::group(ArrayId(array), slot, role);
            prop_assert_eq!(v.as_group(), Some((ArrayId(array), slot, role)));
        }
    }

    #[test]
    fn dimensions_of_neighbouring_groups_are_in_one_chunk() {
        let chunk = |slot, role| Var::group(ArrayId(7), slot, role).place().0;
        assert!((0..4).all(|slot| (0..8).all(|role| chunk(slot, role) == chunk(0, 0))));
    }
}
