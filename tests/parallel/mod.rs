//! Work on many items at once, for tests whose items take long.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for each item and its number, on as many threads as there are cores, and at least
/// two, because most work waits for other programs. Returns the errors, sorted.
pub(crate) fn failures<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.max(2) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::SeqCst);
                    let Some(item) = items.get(n) else { return };
                    if let Err(why) = work(n, item) {
                        failures.lock().expect("no thread panics").push(why);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    failures
}
