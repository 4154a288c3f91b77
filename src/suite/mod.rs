//! Regression suites: what smalti says of the programs of a folder, compared with what it said when somebody looked.

pub mod config;

pub use config::{Config, ConfigError, Keys, ProgramConfig};

/// The choice that a misspelt word most likely means, if one is near.
pub(crate) fn nearest<'c>(word: &str, choices: &[&'c str]) -> Option<&'c str> {
    // Words of any length come from files: comparing is quadratic.
    if word.chars().count() > 40 {
        return None;
    }
    let distance = |c: &&str| strsim::damerau_levenshtein(&word.to_lowercase(), c);
    let best = choices.iter().copied().min_by_key(|c| distance(c))?;
    (distance(&best) <= word.chars().count().max(3) / 3).then_some(best)
}
