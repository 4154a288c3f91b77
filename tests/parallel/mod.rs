//! Work on many items at once, for tests whose items take long.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for each number below `count`, on as many threads as there are cores, and at least
/// two, because most work waits for other programs. Their stacks are so large that deep nesting
/// does not exhaust them. Returns the results in the order of the numbers.
pub(crate) fn results<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.max(2) {
            let all = || {
                loop {
                    let n = next.fetch_add(1, Ordering::SeqCst);
                    if n >= count {
                        return;
                    }
                    let result = work(n);
                    results.lock().expect("no thread panics").push((n, result));
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, all).expect("a thread");
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|r| r.1).collect()
}

/// Calls `work` for each item and its number, as [`results`] does. Returns the errors, sorted.
pub(crate) fn failures<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Result<(), String> + Sync) -> Vec<String> {
    let mut failures: Vec<String> =
        results(items.len(), |n| work(n, &items[n])).into_iter().filter_map(Result::err).collect();
    failures.sort();
    failures
}
