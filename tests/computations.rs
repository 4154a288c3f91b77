//! What loops compute, on random programs: each value of a summary is compared with runs, and no
//! run may fail at an assertion that the stage `summary` has proved.
//!
//! `SMALTI_FUZZ_COUNT` is the number of programs of each kind, `SMALTI_FUZZ_FIRST` the number of
//! the first. All that is wrong is printed, not only what is found first.

use smalti::fuzz::attack::{Attack, Effort, External, Looked, Programs, Question, trial};
use smalti::fuzz::or_skip;
use smalti::verdict::Stage;
use std::time::{Duration, Instant};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Tries so many programs; all must agree with their runs.
fn agree(programs: Programs, question: &Question, count: u64) -> Looked {
    let external = External::find();
    let attack = Attack { programs, question: question.clone() };
    if let Some(why) = external.lacks(&attack) {
        or_skip(Err::<(), _>(why));
        return Looked::default();
    }
    let first = number("SMALTI_FUZZ_FIRST", 1);
    let end = first + number("SMALTI_FUZZ_COUNT", count);
    let (mut next, mut looked, mut bugs) = (first, Looked::default(), Vec::new());
    while next < end {
        let until = Instant::now() + Duration::from_secs(1 << 20);
        let effort = Effort { first: next, programs: end - next, until, patience: Duration::from_secs(10) };
        let done = trial(&attack, &effort, &external, &|| false);
        next += done.programs;
        looked += done.looked;
        if let Some(found) = done.found {
            println!("{attack}, program {}: {}\n{}", found.origin.seed, found.bug, found.text);
            bugs.push(found.origin.seed);
        }
    }
    println!("{attack}: {} programs, {looked:?}", end - first);
    assert!(bugs.is_empty(), "{attack}: {} programs are wrong: {bugs:?}", bugs.len());
    looked
}

/// Programs are deeply nested in rare cases.
fn with_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        if let Err(panic) = worker.expect("a thread").join() {
            std::panic::resume_unwind(panic);
        }
    });
}

#[test]
fn terms_have_the_values_of_runs() {
    with_stack(|| {
        let looked = agree(Programs::Computations, &Question::Summaries, 60);
        assert!(looked.states > 2 * looked.skipped, "most values have terms that runs can tell: {looked:?}");
    });
}

#[test]
fn what_closed_forms_prove_fails_in_no_run() {
    with_stack(|| {
        agree(Programs::Computations, &Question::Verdicts(vec![Stage::Summary]), 20);
    });
}

#[test]
#[ignore = "takes minutes: scripts/soak --checks"]
fn soak_terms_have_the_values_of_runs() {
    with_stack(|| {
        let looked = agree(Programs::Computations, &Question::Summaries, 20_000);
        assert!(looked.states > 1_000_000, "{looked:?}");
    });
}

#[test]
#[ignore = "takes minutes: scripts/soak --checks"]
fn soak_what_closed_forms_prove_fails_in_no_run() {
    with_stack(|| {
        agree(Programs::Computations, &Question::Verdicts(vec![Stage::Summary]), 20_000);
    });
}
