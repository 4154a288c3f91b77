//! The limits of a run, and what happens when one is reached.

use crate::clock;
use std::time::{Duration, Instant};

/// The points in time at which the work must end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    /// The start of the run.
    pub(super) start: Instant,
    /// Work that can be interrupted ends here.
    pub(super) work: Instant,
    /// The end of the whole time limit.
    pub(super) limit: Duration,
}

impl Deadline {
    /// The points in time of a run that began at `start` and has this time limit. A part of the
    /// limit is kept for collecting and printing the results.
    pub(super) fn new(start: Instant, limit: Duration) -> Deadline {
        let work = limit - reserve(limit);
        // A limit that the clock cannot represent counts as no limit.
        let far = start + Duration::from_secs(1 << 32);
        Deadline { start, work: start.checked_add(work).unwrap_or(far), limit }
    }

    /// The end of a share of the time that is left for work.
    pub(super) fn part(&self, share: f64) -> Instant {
        let now = clock::now();
        now + self.work.saturating_duration_since(now).mul_f64(share)
    }
}

/// The part of the time limit that is kept for collecting and printing the results.
fn reserve(limit: Duration) -> Duration {
    (limit / 20).min(Duration::from_millis(500))
}

/// The event that cuts the work off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// A signal with this number.
    Signal(u8),
}
