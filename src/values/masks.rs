//! Numbers of which some bits are known.

use super::number::Number;

impl Number {
    /// A superset of the members `x` with `x & mask == bits`; `None` if there are none.
    ///
    /// The ends of an interval of natural numbers move inwards to the next numbers with these bits
    /// (compare Warren, "Hacker's Delight", section 4-3).
    pub(super) fn with_bits(self, mask: i128, bits: i128) -> Option<Number> {
        let mut found = self;
        if mask > 0 && mask & (mask + 1) == 0 {
            // The low bits say what is left by a division by a power of two.
            found = found.congruent_to(bits, mask.unsigned_abs() + 1)?;
        }
        if bits & !mask != 0 {
            return None;
        }
        if found.lo() < 0 {
            return Some(found);
        }
        found.clamp(Some(next_with(found.lo(), mask, bits)?), Some(last_with(found.hi(), mask, bits)?))
    }
}

/// The greatest number up to `most`, which is not negative, with these bits; `None` if there is
/// none.
fn last_with(most: i128, mask: i128, bits: i128) -> Option<i128> {
    let mut found = None;
    for n in (0..i128::BITS - 1).rev() {
        let bit = 1i128 << n;
        let allows = |set: bool| mask & bit == 0 || (bits & bit != 0) == set;
        // All numbers that agree above that bit, and have none there, are less.
        if most & bit != 0 && allows(false) {
            found = Some((most & !(bit | (bit - 1))) | ((!mask | bits) & (bit - 1)));
        }
        if !allows(most & bit != 0) {
            return found;
        }
    }
    Some(most)
}

/// The least number from `least` on, which is not negative, with these bits; `None` if there is
/// none.
fn next_with(least: i128, mask: i128, bits: i128) -> Option<i128> {
    let mut found = None;
    for n in (0..i128::BITS - 1).rev() {
        let bit = 1i128 << n;
        let allows = |set: bool| mask & bit == 0 || (bits & bit != 0) == set;
        // All numbers that agree above that bit, and have one there, are greater.
        if least & bit == 0 && allows(true) {
            found = Some((least & !(bit - 1)) | bit | (mask & bits & (bit - 1)));
        }
        if !allows(least & bit != 0) {
            return found;
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::super::number::Number;

    /// All intervals in a small range, all masks and bits: the ends that are found are the right
    /// ones.
    #[test]
    fn the_ends_have_the_bits() {
        for mask in (-16..16i128).flat_map(|m| [m, m - 100]) {
            for bits in 0..16 {
                for (lo, hi) in (0..20i128).flat_map(|lo| (lo..20).map(move |hi| (lo, hi))) {
                    let with: Vec<i128> = (lo..=hi).filter(|x| x & mask == bits).collect();
                    let found = Number::range(lo, hi).and_then(|all| all.with_bits(mask, bits));
                    let ends = found.map(|n| (n.lo(), n.hi()));
                    assert_eq!(ends, with.first().copied().zip(with.last().copied()), "{lo}..{hi} & {mask} == {bits}");
                }
            }
        }
    }

    #[test]
    fn negative_numbers_stay() {
        let all = Number::range(-8, 7).expect("an interval");
        for mask in -16..16 {
            for bits in -16..16 {
                let found = all.with_bits(mask, bits);
                let is_in = |x: i128| found.is_some_and(|n| n.contains(x));
                assert!((-8..8).all(|x| x & mask != bits || is_in(x)), "{mask} {bits}");
            }
        }
    }
}
