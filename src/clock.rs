//! The clock that measures budgets: it tells the time or counts work.
//!
//! Code that may use only a share of a budget asks [`now`] and compares with a deadline. If work is
//! counted ([`count`]), the clock advances only by what is [`spent`](spend). A run then takes the
//! same decisions on a slow machine as on a fast one. One step is a millionth of a second of this
//! clock, about the time that a machine of today takes for it. The work of another program cannot
//! be counted while it goes on. It is bounded by real time as well, and its cost is computed from
//! its question.
//!
//! The clock belongs to the thread that works; other threads tell the time.

use smalti_core::work;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The real time that another program may take for one question where work is counted. Nearly all
/// answers come in a tenth of it, so hardly any answer depends on the machine.
const QUESTION: Duration = Duration::from_secs(10);

/// The number of blocks of numbers that the domains read or change in one step.
const NUMBERS_PER_STEP: u64 = 500;
/// The most steps that are counted, so that no sum with the time of day overflows.
const MOST: u64 = 1 << 50;

#[derive(Clone, Copy)]
struct Counted {
    start: Instant,
    steps: u64,
    /// The work that the domains had done at the start ([`work::done`]).
    done: u64,
    budget: u64,
    /// The real time at which the run has to end.
    end: Instant,
}

thread_local! {
    static COUNTED: Cell<Option<Counted>> = const { Cell::new(None) };
}

/// Work is counted as long as this lives.
pub struct Counting {
    deadline: Instant,
}

/// Counts work on this thread from now on, up to `steps` steps. The run must still end by `end`.
pub fn count(steps: u64, end: Instant) -> Counting {
    let start = Instant::now();
    COUNTED.set(Some(Counted { start, steps: 0, done: work::done(), budget: steps, end }));
    // A deadline beyond the range of the clock is none.
    let deadline = start.checked_add(Duration::from_micros(steps)).unwrap_or(start + Duration::from_secs(1 << 32));
    Counting { deadline }
}

impl Counting {
    /// The moment, by this clock, at which the steps are used up.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        COUNTED.set(None);
    }
}

/// The current moment by the clock in force.
pub fn now() -> Instant {
    match COUNTED.get() {
        None => Instant::now(),
        Some(counted) => {
            let of_domains = work::done().wrapping_sub(counted.done) / NUMBERS_PER_STEP;
            counted.start + Duration::from_micros((counted.steps + of_domains).min(MOST))
        }
    }
}

/// Notes that `steps` steps were done. They cost nothing if the clock tells the time.
pub fn spend(steps: u64) {
    if let Some(counted) = COUNTED.get() {
        let steps = counted.steps.saturating_add(steps).min(MOST);
        COUNTED.set(Some(Counted { steps, ..counted }));
    }
}

/// The total number of steps allowed, if work is counted.
pub fn counted() -> Option<u64> {
    COUNTED.get().map(|counted| counted.budget)
}

/// The moment in real time until which another program may work if it must end by `deadline`.
pub fn of_others(deadline: Instant) -> Instant {
    match COUNTED.get() {
        None => deadline,
        Some(_) if now() >= deadline => Instant::now(),
        Some(counted) => counted.end.min(Instant::now() + QUESTION),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_work_is_counted_time_stands_still_but_for_work() {
        let counting = count(1000, Instant::now() + Duration::from_secs(60));
        let before = now();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(now(), before);
        spend(999);
        assert!(now() < counting.deadline());
        spend(1);
        assert_eq!(now(), counting.deadline());
        spend(u64::MAX);
        assert!(now() > counting.deadline() && counted() == Some(1000));
        drop(counting);
        assert!(counted().is_none() && now() < before + Duration::from_secs(3600));
    }
}
