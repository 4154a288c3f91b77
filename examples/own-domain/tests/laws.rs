//! The domain, held against its laws and against runs of random programs.

use own_domain::SignsDomain;
use smalti::Builder;
use smalti::fuzz::attack::{Attack, Effort, External, Programs, Question, trial};
use smalti_core::laws::{self, Config};
use std::time::{Duration, Instant};

#[test]
fn the_laws_of_numeric_domains_hold() {
    // 1 and 3 are in one class, so not all points are told apart.
    let config = Config { points: false, ..Config::default() };
    laws::check_numeric(&SignsDomain, config).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn the_laws_hold_with_arrays_on_top() {
    let registry = Builder::new().numeric("signs", SignsDomain).registry().unwrap();
    let config = Config { cases: 200, ..Config::default() };
    for stack in ["smash/signs", "partition/signs"] {
        let domain = registry.open(stack).unwrap();
        laws::check_memory(&domain, config).unwrap_or_else(|broken| panic!("{stack}: {broken}"));
    }
}

#[test]
fn states_of_runs_lie_in_abstract_states() {
    let external = External::domains(Builder::new().numeric("signs", SignsDomain).registry().unwrap());
    for (programs, stack) in [(Programs::General, "smash/signs"), (Programs::Tables, "relation/partition/signs")] {
        let attack = Attack { programs, question: Question::States(stack.to_owned()) };
        let (until, patience) = (Instant::now() + Duration::from_secs(3), Duration::from_secs(10));
        let effort = Effort { first: 0, programs: 1000, until, patience };
        let trial = trial(&attack, &effort, &external, &|| false);
        assert_eq!(trial.found, None, "{stack}");
        assert!(trial.says_something, "{stack}");
    }
}
