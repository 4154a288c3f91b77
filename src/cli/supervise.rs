//! Does the work on a thread with a large stack, and answers in its place when it is cut off or
//! dies.

use super::limits::{Cut, Deadline};
use super::stop::Stop;
use super::{crash, output, status};
use crate::process::{Guard, memory, signal};
use crate::report::Diagnostic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, mpsc};

/// The stack sizes to try for the working thread, in bytes. Nesting in the input is recursion here.
/// Reserved memory that is never touched costs nothing, but systems that limit the address space
/// refuse the larger sizes.
const STACKS: [usize; 4] = [4 << 30, 1 << 30, 256 << 20, 64 << 20];

/// The supervised work. It may write its result only if the function that it is given says so.
type Work = dyn Fn(&dyn Fn() -> bool) -> Result<u8, Stop> + Send + Sync;

/// Does the work on a thread with a large stack. Answers in its place if the thread dies, and calls
/// `late` if the work is cut off. Signals cut it off only if there is a guard.
pub(super) fn supervise(
    deadline: Deadline,
    work: Arc<Work>,
    late: &dyn Fn(Cut) -> Result<u8, Stop>,
    guard: Option<&Guard>,
) -> u8 {
    let claimed = Arc::new(AtomicBool::new(false));
    for size in STACKS {
        // Each attempt has its own channel: when a thread dies silently, the only sender is dropped
        // and this thread notices.
        let (sender, receiver) = channel();
        let thread = {
            let (work, claimed) = (work.clone(), claimed.clone());
            let guarded = guard.is_some();
            move || {
                // Work that a signal ended early must not write its result.
                let may_write = || !(guarded && signal().is_some()) && claim(&claimed);
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&may_write)));
                // The receiver is gone only when the process is about to end.
                let _ = sender.send(result);
            }
        };
        if std::thread::Builder::new().name("smalti".into()).stack_size(size).spawn(thread).is_ok() {
            return wait(deadline, &claimed, &receiver, late, guard);
        }
        log::info!("the system refused a stack of {size} bytes");
    }
    output::complain(&Diagnostic::error("no thread could be started: the system refuses even a stack of 64 MiB"));
    status::USAGE
}

/// Decides who writes the result: the work, or the thread that waits for it and runs out of time.
/// The first caller wins.
fn claim(claimed: &AtomicBool) -> bool {
    !claimed.swap(true, Ordering::SeqCst)
}

type Outcome = std::thread::Result<Result<u8, Stop>>;

fn wait(
    deadline: Deadline,
    claimed: &AtomicBool,
    receiver: &mpsc::Receiver<Outcome>,
    late: &dyn Fn(Cut) -> Result<u8, Stop>,
    guard: Option<&Guard>,
) -> u8 {
    let answered = loop {
        let left = deadline.limit.saturating_sub(deadline.start.elapsed());
        let answered = receiver.recv_timeout(left.min(memory::EVERY));
        let cut = match (guard.and_then(Guard::signal), &answered) {
            // The work may have noticed the signal and have ended early.
            (Some(number), _) => Cut::Signal(number),
            (None, Err(RecvTimeoutError::Timeout)) if left <= memory::EVERY => Cut::Time,
            (None, Err(RecvTimeoutError::Timeout)) if memory::is_exceeded() => Cut::Memory,
            (None, Err(RecvTimeoutError::Timeout)) => continue,
            (None, _) => break answered,
        };
        if !claim(claimed) {
            break answered;
        }
        let status = late(cut).unwrap_or_else(stopped);
        return match cut {
            Cut::Signal(number) => status::of_signal(number),
            Cut::Time | Cut::Memory => status,
        };
    };
    let result = match answered {
        // The result is being written. That is not interrupted.
        Err(RecvTimeoutError::Timeout) => receiver.recv().ok(),
        Err(RecvTimeoutError::Disconnected) => None,
        Ok(result) => Some(result),
    };
    match result {
        Some(Ok(Ok(status))) => status,
        Some(Ok(Err(stop))) => stopped(stop),
        Some(Err(_)) | None => {
            output::complain(&crash::message());
            status::BUG
        }
    }
}

/// Reports why the command has no result; the exit status.
pub(super) fn stopped(stop: Stop) -> u8 {
    match stop {
        Stop::Wrong(diagnostic) => {
            output::complain(&diagnostic);
            status::USAGE
        }
        Stop::Output(error) => {
            output::complain(&Diagnostic::error(format!("the result could not be written: {error}")));
            status::USAGE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn supervised(limit: Duration, work: impl Fn(&dyn Fn() -> bool) -> Result<u8, Stop> + Send + Sync + 'static) -> u8 {
        let start = Instant::now();
        supervise(Deadline { start, work: start + limit, limit }, Arc::new(work), &|_| Ok(status::UNKNOWN), None)
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn a_panic_is_status_101() {
        assert_eq!(supervised(LONG, |_| panic!("for a test")), status::BUG);
    }

    #[test]
    fn work_that_is_late_is_answered_for() {
        let start = Instant::now();
        let status = supervised(Duration::from_millis(20), |_| {
            std::thread::sleep(LONG);
            Ok(status::TRUE)
        });
        assert_eq!(status, status::UNKNOWN);
        assert!(start.elapsed() < LONG / 2);
    }

    #[test]
    fn a_result_that_is_being_written_is_waited_for() {
        let status = supervised(Duration::from_millis(20), |claim| {
            assert!(claim());
            std::thread::sleep(Duration::from_millis(200));
            Ok(status::FALSE)
        });
        assert_eq!(status, status::FALSE);
    }

    #[test]
    fn the_stack_holds_deep_recursion() {
        fn deep(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { deep(n - 1) + frame[0] - frame[63] + 1 }
        }
        assert_eq!(supervised(LONG, |_| Ok(u8::from(deep(50_000) == 50_000))), 1);
    }
}
