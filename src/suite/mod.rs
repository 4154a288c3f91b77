//! Regression suites: compare the results for the programs of a folder with stored results that
//! someone has checked.
//!
//! This module defines the files and their meaning: [`Config`] is `smalti.toml`, [`Snapshot`] is
//! the stored result of a program, and [`compare`] lists the changes and how severe they are. The
//! command `smalti test` searches for programs and runs them.

mod compare;
pub mod config;
mod meaning;
pub mod snapshot;

pub use compare::{Change, Weight, compare};
pub(crate) use config::pattern_of;
pub use config::{Config, ConfigError, Keys, ProgramConfig};
pub use snapshot::{Claim, Entry, PlaceFacts, Places, Snapshot};

/// The choice that a misspelt word most likely means, if one is similar enough.
pub(crate) fn nearest<'c>(word: &str, choices: &[&'c str]) -> Option<&'c str> {
    // Words come from files and may be long, and the comparison takes quadratic time.
    if word.chars().count() > 40 {
        return None;
    }
    let distance = |c: &&str| strsim::damerau_levenshtein(&word.to_lowercase(), c);
    let best = choices.iter().copied().min_by_key(|c| distance(c))?;
    (distance(&best) <= word.chars().count().max(3) / 3).then_some(best)
}
