//! How much the domains have done, counted in the numbers that they keep: for budgets that must
//! not depend on how fast a machine is.

use std::cell::Cell;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// So many more numbers were looked at or changed, on this thread.
pub fn did(numbers: usize) {
    DONE.set(DONE.get().wrapping_add(numbers as u64));
}

/// All that were on this thread, modulo 2⁶⁴.
pub fn done() -> u64 {
    DONE.get()
}
