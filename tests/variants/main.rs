//! Precision does not depend on how a program is written: of what is proved of a program, nearly
//! all is proved of its variants, too.

mod partition;
mod summary;
mod syntax;
mod templates;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `f` on as many threads as there are processors, with a stack that deep nesting does not
/// exhaust.
fn on_threads<T: Send>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let work = || {
                loop {
                    let n = next.fetch_add(1, Ordering::SeqCst);
                    if n >= count {
                        break;
                    }
                    let result = f(n);
                    results.lock().expect("no thread panics").push((n, result));
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).expect("a thread");
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|r| r.1).collect()
}
