//! The laws of abstract domains, executable. Every domain crate calls [`numeric`] or [`memory`]
//! from its tests.
//!
//! **Method.** Some concrete states come first; the abstract element is built around them by random
//! operations, each of which is also applied to the states. So the states are known to be
//! contained, and the laws check that no operation has lost one. A state is contained if assuming
//! it, one variable (and one cell) after the other, does not give bottom: for a numeric domain this
//! decides membership (one law says so, [`Config::points`]), for a memory domain it can only miss a
//! loss.
//!
//! **What the laws see.** Unsoundness: a lost state, an order that answers `true` wrongly, a bound
//! or an entailment that a concrete state contradicts, a widening chain without end, a panic on
//! large numbers. They do not see imprecision; a domain's own tests and the snapshots check that.
//!
//! **Reproducing.** Cases are drawn from a fixed seed, so that a run is a function of the code.
//! `SMALTI_LAWS_SEED` and `SMALTI_LAWS_CASES` in the environment change seed and number; a failure
//! prints the smallest case that was found.

mod cases;
mod explicit;
mod memory;
mod numeric;

pub use cases::Config;
pub use explicit::{Explicit, ExplicitDomain};

use crate::{MemoryDomain, NumericDomain};
use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Panics with a smallest counterexample if `domain` breaks a law of numeric domains.
pub fn numeric<D: NumericDomain>(domain: &D) {
    if let Err(message) = check_numeric(domain, Config::default()) {
        panic!("{message}");
    }
}

/// Panics with a smallest counterexample if `domain` breaks a law of memory domains.
pub fn memory<D: MemoryDomain>(domain: &D) {
    if let Err(message) = check_memory(domain, Config::default()) {
        panic!("{message}");
    }
}

/// [`memory`] with one case in `share`, for domains that take long for each.
pub fn memory_in_part<D: MemoryDomain>(domain: &D, share: u32) {
    let config = Config::default();
    if let Err(message) = check_memory(domain, Config { cases: config.cases.div_ceil(share), ..config }) {
        panic!("{message}");
    }
}

/// The laws of numeric domains; the error is a readable smallest counterexample.
pub fn check_numeric<D: NumericDomain>(domain: &D, config: Config) -> Result<(), String> {
    numeric::check(domain, config)
}

/// The laws of memory domains; the error is a readable smallest counterexample.
pub fn check_memory<D: MemoryDomain>(domain: &D, config: Config) -> Result<(), String> {
    memory::check(domain, config)
}

/// Panics unless `found`, which reports the first law that is broken, finds something with each of
/// `mutants`. It is asked with a tenth of all cases first, which most wrong steps do not survive,
/// and then with all. `activate` replaces the right step by a wrong one, or nothing, in the thread
/// that calls it: there are as many threads as the machine runs at once. That the laws hold without
/// mutants is for other tests, which take their time.
pub fn catch<M: Copy + fmt::Debug + Sync>(
    mutants: &[M],
    activate: impl Fn(Option<M>) + Sync,
    found: impl Fn(Config) -> Option<String> + Sync,
) {
    let all = Config { smallest: false, ..Config::default() };
    let rounds = [Config { cases: all.cases.div_ceil(10), ..all }, all];
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            activate(Some(mutant));
            let caught = rounds.into_iter().find_map(&found);
            activate(None);
            // A law that names itself has failed; anything else would be an accident.
            if !caught.as_ref().is_some_and(|why| why.contains("the law")) {
                wrong.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{mutant:?}: {caught:?}"));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "wrong steps, and what the laws see of them:\n{}", wrong.join("\n"));
}
