//! Finds obligations by the ids that users give.

use super::stop::Stop;
use crate::program::{Obligation, ObligationKind, Program, obligations};
use crate::report::Diagnostic;

/// The largest number of ids to list when an id does not exist.
const MOST_LISTED: usize = 12;

/// The obligation with this id.
pub(super) fn obligation(program: &Program, id: &str) -> Result<Obligation, Stop> {
    let all = obligations(program, &ObligationKind::ALL);
    if let Some(found) = all.iter().find(|o| o.id == id) {
        return Ok(found.clone());
    }
    // The ids that were most likely meant: of the same function or kind, otherwise the assertions.
    let parts: Vec<&str> = id.split('.').collect();
    let alike = |o: &&Obligation| {
        parts.iter().any(|p| !p.is_empty() && p.parse::<u32>().is_err() && o.id.split('.').any(|q| q == *p))
    };
    let mut listed: Vec<&str> = all.iter().filter(alike).map(|o| o.id.as_str()).collect();
    if listed.is_empty() {
        listed = all.iter().filter(|o| o.kind == ObligationKind::Assertion).map(|o| o.id.as_str()).collect();
    }
    let more = listed.len().saturating_sub(MOST_LISTED);
    listed.truncate(MOST_LISTED);
    let mut diagnostic = Diagnostic::error(format!("there is no obligation `{id}`"));
    diagnostic.notes.push(match (&listed[..], more) {
        ([], _) => "the program has none of its kind".to_owned(),
        (some, 0) => format!("there are {}", some.join(", ")),
        (some, more) => format!("there are {} and {more} more; `smalti check` lists them", some.join(", ")),
    });
    Err(Stop::Wrong(Box::new(diagnostic)))
}
