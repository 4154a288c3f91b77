//! What the unit holds in which bit-fields lie ([`crate::program::BitField`]): what each bit-field
//! in it holds, and which other bits are known, or written.
//!
//! **Why it is sound.** A write of a bit-field changes its bits and no others. (C11 6.2.6.1p1 only
//! leaves open the bits that no member has; [`super::bytes`] forgets them where a struct gets a
//! value as a whole.) So the other bit-fields hold what they held. Where two ways meet, each
//! bit-field holds what it holds on one of them.

use super::number::Number;
use crate::program::{self, Type};
use smallvec::SmallVec;

/// The most bytes of a unit of which something is known.
const MOST_BYTES: u32 = 16;

/// Where a bit-field lies, and what its type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BitField {
    /// The size of its unit in bytes.
    pub size: u32,
    /// Its lowest bit in the number that the unit holds.
    pub lowest: u32,
    /// Its number of bits, at least 1.
    pub width: u32,
    pub is_signed: bool,
}

/// What a unit of bit-fields holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Unit {
    /// Its size in bytes.
    pub size: u32,
    /// The bits that something has written.
    written: u128,
    /// The bits whose value is known, though no bit-field in `fields` has them.
    known: u128,
    /// Their values; 0 for all other bits.
    bits: u128,
    /// What bit-fields hold. They do not overlap, and all their bits are written.
    fields: SmallVec<[(BitField, Number); 4]>,
}

impl BitField {
    /// A bit-field of that type as it lies in memory; `None` if its unit is too large.
    pub(super) fn new(at: program::BitField, ty: &Type, big_endian: bool) -> Option<BitField> {
        let program::BitField { size, first, width, .. } = at;
        // The first bit is the highest one where the first byte is.
        let lowest = if big_endian { (8 * size).checked_sub(first + width)? } else { first };
        let is_signed = matches!(ty, Type::Int(kind) if kind.is_signed());
        (size <= MOST_BYTES).then_some(BitField { size, lowest, width, is_signed })
    }

    /// Its bits in the number that its unit holds.
    pub(super) fn mask(self) -> u128 {
        ones(self.width) << self.lowest
    }

    /// All that it can hold.
    fn any(self) -> Number {
        let least = if self.is_signed { -(1 << (self.width - 1)) } else { 0 };
        let all = Number::range(least, least + (1 << self.width) - 1);
        all.expect("a bit-field has at most 64 bits, and some values")
    }

    /// What it holds after it was set to a number.
    pub(super) fn holds(self, n: Number) -> Number {
        n.wrap(self.width, self.is_signed)
    }
}

impl Unit {
    /// Nothing is known of a unit of that size, but perhaps that something has written it.
    pub(super) fn any(size: u32, is_written: bool) -> Unit {
        let written = if is_written { ones(8 * size) } else { 0 };
        Unit { size, written, known: 0, bits: 0, fields: SmallVec::new() }
    }

    /// All bits are known.
    pub(super) fn of_bits(size: u32, bits: u128) -> Unit {
        let all = ones(8 * size);
        Unit { known: all, bits: bits & all, ..Unit::any(size, true) }
    }

    /// What a bit-field holds.
    pub(super) fn read(&self, field: BitField) -> Number {
        if let Some((same, n)) = self.fields.iter().find(|(f, _)| f.mask() & field.mask() != 0) {
            let is_it = same.mask() == field.mask() && self.size == field.size;
            return if is_it { field.holds(*n) } else { field.any() };
        }
        match self.size == field.size && self.known & field.mask() == field.mask() {
            true => field.holds(Number::constant(((self.bits & field.mask()) >> field.lowest) as i128)),
            false => field.any(),
        }
    }

    /// The bit-field holds a number from now on; without one, any, or what perhaps nothing has
    /// written.
    pub(super) fn write(&mut self, field: BitField, n: Option<Number>, is_written: bool) {
        self.fields.retain(|(other, _)| other.mask() & field.mask() == 0);
        self.known &= !field.mask();
        self.bits &= !field.mask();
        match is_written {
            true => self.written |= field.mask(),
            false => self.written &= !field.mask(),
        }
        self.fields.extend(n.map(|n| (field, field.holds(n))).filter(|(_, n)| *n != field.any()));
        self.fields.sort_unstable_by_key(|(field, _)| field.lowest);
    }

    /// Anything may be in all bits but these.
    pub(super) fn keep(&mut self, mask: u128) {
        self.known &= mask;
        self.bits &= mask;
        self.fields.retain(|(field, _)| field.mask() & !mask == 0);
    }

    /// Whether something has written these bits.
    pub(super) fn has(&self, mask: u128) -> bool {
        self.written & mask == mask
    }

    /// Whether something has written all bits.
    pub(super) fn is_written(&self) -> bool {
        self.has(ones(8 * self.size))
    }

    /// Whether nothing is known of it, but perhaps that something has written all bits, or none.
    pub(super) fn says_nothing(&self) -> bool {
        self.written == 0 || (self.known == 0 && self.fields.is_empty() && self.is_written())
    }

    /// All its bits, if they are known.
    pub(super) fn constant(&self) -> Option<u128> {
        let (known, bits) = self.known_bits();
        (known == ones(8 * self.size)).then_some(bits)
    }

    /// The bits that are known, those of bit-fields with one value too, and their values.
    fn known_bits(&self) -> (u128, u128) {
        let constants = self.fields.iter().filter_map(|(field, n)| Some((field, n.as_constant()?)));
        constants.fold((self.known, self.bits), |(known, bits), (field, n)| {
            (known | field.mask(), bits | ((n as u128) << field.lowest & field.mask()))
        })
    }

    /// What both may hold; `merged` gives that for numbers. A chain of such steps ends if one of
    /// them does for numbers: bits that are known get fewer with each bit-field that is added.
    pub(super) fn merged(&self, other: &Unit, merged: impl Fn(Number, Number) -> Number) -> Unit {
        let mut fields: SmallVec<[(BitField, Number); 4]> = SmallVec::new();
        let mut taken = 0;
        for (field, _) in self.fields.iter().chain(&other.fields) {
            let mask = field.mask();
            if taken & mask == 0 && self.has(mask) && other.has(mask) {
                taken |= mask;
                fields.push((*field, field.holds(merged(self.read(*field), other.read(*field)))));
            }
        }
        fields.retain(|(field, n)| *n != field.any());
        fields.sort_unstable_by_key(|(field, _)| field.lowest);
        let ((known, bits), (others, other_bits)) = (self.known_bits(), other.known_bits());
        let in_fields = fields.iter().fold(0, |bits, (field, _)| bits | field.mask());
        let known = known & others & !(bits ^ other_bits) & !in_fields;
        Unit { size: self.size, written: self.written & other.written, known, bits: bits & known, fields }
    }

    /// Whether it holds nothing that the other one does not hold.
    pub(super) fn is_within(&self, other: &Unit) -> bool {
        let ((known, bits), (others, other_bits)) = (self.known_bits(), (other.known, other.bits));
        self.size == other.size
            && other.written & !self.written == 0
            && others & !known == 0
            && (bits ^ other_bits) & others == 0
            && other.fields.iter().all(|(field, n)| self.read(*field).is_within(*n))
    }
}

/// The number with so many ones as its lowest bits.
fn ones(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: BitField = BitField { size: 1, lowest: 0, width: 3, is_signed: false };
    const HIGH: BitField = BitField { size: 1, lowest: 3, width: 5, is_signed: true };
    /// It overlaps with both.
    const MIDDLE: BitField = BitField { size: 1, lowest: 2, width: 4, is_signed: false };

    fn range(lo: i128, hi: i128) -> Number {
        Number::range(lo, hi).expect("some numbers")
    }

    #[test]
    fn a_write_of_a_bit_field_changes_it_alone() {
        let mut unit = Unit::of_bits(1, 0b1111_1010);
        assert_eq!((unit.read(LOW), unit.read(HIGH)), (Number::constant(2), Number::constant(-1)));
        unit.write(LOW, Some(Number::constant(5)), true);
        assert_eq!((unit.read(LOW), unit.read(HIGH)), (Number::constant(5), Number::constant(-1)));
        assert_eq!(unit.constant(), Some(0b1111_1101));
        unit.write(HIGH, Some(range(3, 4)), true);
        assert_eq!((unit.read(LOW), unit.read(HIGH), unit.constant()), (Number::constant(5), range(3, 4), None));
        unit.write(MIDDLE, Some(Number::constant(0)), true);
        assert_eq!((unit.read(LOW), unit.read(HIGH)), (LOW.any(), HIGH.any()));
        assert_eq!(unit.read(MIDDLE), Number::constant(0));
    }

    #[test]
    fn a_bit_field_that_is_written_alone_leaves_the_others_unwritten() {
        let mut unit = Unit::any(1, false);
        unit.write(HIGH, None, true);
        assert!(unit.has(HIGH.mask()) && !unit.has(LOW.mask()) && !unit.is_written());
        unit.write(LOW, Some(Number::constant(1)), true);
        assert!(unit.is_written());
        unit.write(LOW, None, false);
        assert!(!unit.has(LOW.mask()) && unit.has(HIGH.mask()));
    }

    #[test]
    fn where_two_ways_meet_each_bit_field_holds_what_it_holds_on_one() {
        let (zeros, mut other) = (Unit::of_bits(1, 0), Unit::of_bits(1, 0));
        other.write(LOW, Some(Number::constant(4)), true);
        let both = zeros.merged(&other, Number::join);
        assert_eq!(both.read(LOW), Number::constant(0).join(Number::constant(4)));
        assert_eq!(both.read(HIGH), Number::constant(0));
        assert!(zeros.is_within(&both) && other.is_within(&both) && !both.is_within(&other));
        let unset = both.merged(&Unit::any(1, false), Number::join);
        assert!(unset.says_nothing() && other.is_within(&unset));
    }

    /// Each chain of random steps ends.
    #[test]
    fn chains_of_widenings_end() {
        let mut random = 12345u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) % most
        };
        let wide = BitField { size: 4, lowest: 4, width: 20, is_signed: false };
        let others = [wide, BitField { lowest: 0, width: 4, ..wide }, BitField { lowest: 2, width: 9, ..wide }];
        for _ in 0..300 {
            let (mut all, mut changes) = (Unit::of_bits(4, next(1 << 32).into()), 0);
            for _ in 0..500 {
                let mut new = all.clone();
                new.write(others[next(3) as usize], Some(Number::constant(next(1 << 20).into())), next(40) > 0);
                let merged = all.merged(&new, |a, b| a.widen(a.join(b), &[15, 255]));
                assert!(all.is_within(&merged) && new.is_within(&merged), "{all:?} {new:?} {merged:?}");
                changes += usize::from(merged != all);
                all = merged;
            }
            assert!(changes <= 60, "{changes} changes");
        }
    }
}
