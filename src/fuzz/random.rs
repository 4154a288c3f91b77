//! Random numbers that never change between versions: programs are identified by their seed.

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// What comes before, from the end on.
    chosen: Vec<u8>,
}

impl Random {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed, chosen: Vec::new() }
    }

    /// These bytes, then always the same numbers: a fuzzer that changes a byte changes one choice.
    pub fn following(bytes: &[u8]) -> Random {
        Random { state: 0, chosen: bytes.iter().rev().copied().collect() }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(byte) = self.chosen.pop() {
            return byte.into();
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 if `n` is 0).
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// Returns `true` with a probability of 1 in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items; there is at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the words; there is at least one.
    pub fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    /// A number that often exposes bugs: small, near a power of two, or any other.
    pub fn interesting(&mut self) -> i128 {
        let sign = if self.one_in(2) { -1 } else { 1 };
        match self.below(10) {
            0..=5 => sign * self.below(12) as i128,
            6 => sign * self.below(300) as i128,
            7 | 8 => {
                let power = 1i128 << *self.pick(&[7u32, 8, 15, 16, 31, 32, 63, 64]);
                sign * power + self.below(3) as i128 - 1
            }
            _ => i128::from(self.bits() as i64),
        }
    }
}
