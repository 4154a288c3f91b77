//! Compiles each kernel for the instruction sets that affect its speed, and calls the version for
//! this machine.
//!
//! The only module with `unsafe`: calling a function that was compiled for more than the least
//! common instructions. The processor is asked once which instructions it has (the standard library
//! keeps the answer).
#![allow(unsafe_code)]

use crate::kernel::{self, Block};
use smalti_core::work;

/// From signatures, and what a call counts for, for each kernel: a version for AVX-512, one for
/// AVX2, and the function that picks.
macro_rules! kernels {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?, $work:expr;)*) => {
        #[cfg(target_arch = "x86_64")]
        mod avx512 {
            use super::{Block, kernel};
            $(
                #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2")]
                pub(super) fn $name($($arg: $type),*) $(-> $result)? {
                    kernel::$name($($arg),*)
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        mod avx2 {
            use super::{Block, kernel};
            $(
                #[target_feature(enable = "avx2")]
                pub(super) fn $name($($arg: $type),*) $(-> $result)? {
                    kernel::$name($($arg),*)
                }
            )*
        }

        $(
            $(#[$doc])*
            pub(crate) fn $name($($arg: $type),*) $(-> $result)? {
                work::did($work);
                #[cfg(target_arch = "x86_64")]
                {
                    if has_avx512() {
                        // SAFETY: the processor has what the function was compiled for.
                        return unsafe { avx512::$name($($arg),*) };
                    }
                    if is_x86_feature_detected!("avx2") {
                        // SAFETY: the processor has what the function was compiled for.
                        return unsafe { avx2::$name($($arg),*) };
                    }
                }
                kernel::$name($($arg),*)
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx2")
}

kernels! {
    /// See [`kernel::close`].
    fn close(m: &mut [Block], n: usize, scratch: &mut [Block]) -> bool, m.len() * n;
    /// See [`kernel::close_through`].
    fn close_through(m: &mut [Block], n: usize, pivots: &[usize], scratch: &mut [Block]) -> bool,
        m.len() * (pivots.len() + 2);
    /// See [`kernel::add`].
    fn add(m: &mut [Block], n: usize, p: usize, q: usize, c: i64, scratch: &mut [Block]) -> bool, 4 * m.len();
    /// See [`kernel::all_at_most`].
    fn all_at_most(a: &[Block], b: &[Block]) -> bool, a.len();
    /// See [`kernel::maximum`].
    fn maximum(a: &mut [Block], b: &[Block]), a.len();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{INFINITY, LIMIT, scratch_blocks, start};

    /// Numbers that look random, the same in each run.
    fn noise(seed: &mut u64) -> i64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match (*seed >> 33) % 4 {
            0 => INFINITY,
            1 => LIMIT - i64::from((*seed >> 40) as u8),
            _ => i64::from((*seed >> 40) as u8) - 20,
        }
    }

    #[test]
    fn every_instruction_set_computes_the_same() {
        let mut seed = 1;
        for n in 1..20 {
            let mut m: Vec<Block> = vec![kernel::NOTHING; start(2 * n)];
            for i in 0..2 * n {
                for j in 0..=(i | 1) {
                    *kernel::entry_mut(&mut m, i, j) = if i == j { 0 } else { noise(&mut seed) };
                }
            }
            let mut scratch = vec![kernel::NOTHING; scratch_blocks(n)];
            let mut plain = m.clone();
            let plainly = kernel::close(&mut plain, n, &mut scratch);
            assert_eq!(close(&mut m, n, &mut scratch), plainly);
            if plainly {
                assert_eq!(m, plain);
            }
        }
    }
}
