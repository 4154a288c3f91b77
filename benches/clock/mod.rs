//! The clock of benchmarks that analyse in process.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The processor time of this thread. It is more precise than the user time of the process, and
/// never less.
pub(crate) fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}
