//! Counts the work of the domains on this thread.
//!
//! The count of numbers that the domains read is for budgets, which must not depend on the speed of
//! the machine. The counts of events are for benchmarks, which use them to explain the time taken.

use std::cell::Cell;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static EVENTS: [Cell<u64>; EVENT_KINDS] = const { [const { Cell::new(0) }; EVENT_KINDS] };
}

/// Notes that this many more numbers were read or changed on this thread.
pub fn did(numbers: usize) {
    DONE.set(DONE.get().wrapping_add(numbers as u64));
}

/// All that were on this thread, modulo 2⁶⁴.
pub fn done() -> u64 {
    DONE.get()
}

/// The events that are counted one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A matrix was closed, wholly, through some variables or after one new bound.
    Closure,
    /// Two states with arrays were joined.
    Join,
    /// Two states with arrays were compared, and a comparison of them as they are did not suffice.
    Inclusion,
    /// The groups of an array on two sides were matched by what they hold.
    Matching,
    /// A group was made.
    Group,
}

/// How many kinds of events there are.
pub const EVENT_KINDS: usize = 5;

/// One more of them.
pub fn count(event: Event) {
    EVENTS.with(|events| {
        let cell = &events[event as usize];
        cell.set(cell.get().wrapping_add(1));
    });
}

/// Notes that a matrix of this many dimensions was closed.
pub fn closed(dimensions: usize) {
    count(Event::Closure);
    PEAK.set(PEAK.get().max(dimensions));
}

/// The dimensions of the greatest matrix since this was asked last on this thread.
pub fn take_peak() -> usize {
    PEAK.replace(0)
}

/// How many there were on this thread, by [`Event`].
pub fn events() -> [u64; EVENT_KINDS] {
    EVENTS.with(|events| std::array::from_fn(|n| events[n].get()))
}
