//! Random terms: what the crate makes of them has the value of what was asked for.
//!
//! `random` has terms in a form of their own, with an evaluator of their own; `generate` makes
//! them. The variable `SMALTI_TERMS` sets how many each test makes.

mod generate;
mod normal_forms;
mod queries;
mod random;
mod rules;

/// How many terms a test makes.
fn number_of_terms(ordinary: u64) -> u64 {
    std::env::var("SMALTI_TERMS").ok().and_then(|n| n.parse().ok()).unwrap_or(ordinary)
}
