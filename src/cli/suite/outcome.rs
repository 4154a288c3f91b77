//! The outcome for one program: how its results compare with the stored ones.

use super::analyse::{Found, Refusal};
use super::discover::Case;
use crate::report::Diagnostic;
use crate::suite::{Change, Snapshot, Weight, compare};
use std::path::PathBuf;
use std::time::Duration;

/// The outcome for one program, or for a snapshot without a program.
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) snapshot: PathBuf,
    pub(super) answer: Answer,
    pub(super) time: Duration,
    /// The results have been stored.
    pub(super) accepted: bool,
}

/// How the results compare with the stored ones.
pub(super) enum Answer {
    /// Nothing that is compared has changed; the changes are notes.
    Same { notes: Vec<Change>, found: Box<Snapshot> },
    /// Something has changed.
    Changed { changes: Vec<Change>, stored: Box<Snapshot>, found: Box<Snapshot> },
    /// No results are stored yet.
    New(Box<Snapshot>),
    /// The program is refused.
    Refused(Refusal),
    /// There is no result, for this reason.
    Failed(String),
    /// The snapshot cannot be read.
    Unreadable(Box<(Diagnostic, Snapshot)>),
    /// The snapshot has no program.
    Stale,
}

/// The stored results of a program.
fn stored(case: &Case) -> Result<Option<Snapshot>, Box<Diagnostic>> {
    let shown = case.snapshot.strip_prefix(".").unwrap_or(&case.snapshot).display().to_string();
    let bytes = match std::fs::read(&case.snapshot) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Box::new(Diagnostic::error(format!("`{shown}` cannot be read: {e}")))),
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match Snapshot::parse(&text) {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(e) => {
            let mut diagnostic = e.diagnostic(&shown, &text);
            diagnostic.notes.push("--accept replaces it with the new results".to_owned());
            Err(Box::new(diagnostic))
        }
    }
}

/// Whether a stored answer is lost only because time ran out.
pub(super) fn lost_by_time(case: &Case, found: &Found) -> bool {
    let Ok(Some(stored)) = stored(case) else { return false };
    match found {
        Found::Snapshot(found) => {
            let late = |s: &Snapshot| {
                let places = [&s.invariants, &s.states];
                s.obligations.iter().any(|o| o.late) || places.into_iter().flatten().any(|p| p.late)
            };
            let lost = |c: &Change| matches!(c.weight, Weight::Loss | Weight::Program);
            late(found) && compare(&stored, found).iter().any(lost)
        }
        Found::Late(_) => true,
        Found::Failed(_) | Found::Refused(_) | Found::Interrupted => false,
    }
}

impl Outcome {
    pub(super) fn of(case: Case, found: Found, time: Duration) -> Outcome {
        let answer = match (found, stored(&case)) {
            (Found::Interrupted, _) => Answer::Failed("it was interrupted".to_owned()),
            (Found::Failed(why) | Found::Late(why), _) => Answer::Failed(why),
            (Found::Refused(why), _) => Answer::Refused(why),
            (Found::Snapshot(found), Ok(None)) => Answer::New(found),
            (Found::Snapshot(found), Err(why)) => Answer::Unreadable(Box::new((*why, *found))),
            (Found::Snapshot(found), Ok(Some(stored))) => {
                let changes = compare(&stored, &found);
                match changes.iter().any(|c| c.weight.fails()) {
                    true => Answer::Changed { changes, stored: Box::new(stored), found },
                    false => Answer::Same { notes: changes, found },
                }
            }
        };
        Outcome { name: case.name, snapshot: case.snapshot, answer, time, accepted: false }
    }

    pub(super) fn stale(path: PathBuf) -> Outcome {
        let name = path.strip_prefix(".").unwrap_or(&path).display().to_string();
        Outcome { name, snapshot: path, answer: Answer::Stale, time: Duration::ZERO, accepted: false }
    }

    /// Whether the outcome makes the run fail.
    pub(super) fn fails(&self) -> bool {
        !self.accepted && !matches!(self.answer, Answer::Same { .. })
    }

    /// Whether the run fails because of its input: a program or a snapshot that cannot be read.
    pub(super) fn is_wrong_input(&self) -> bool {
        self.fails() && matches!(self.answer, Answer::Unreadable(_) | Answer::Refused(_))
    }

    /// Whether the outcome makes the run fail, but would not if it were accepted.
    pub(super) fn may_be_accepted(&self) -> bool {
        self.fails() && !matches!(self.answer, Answer::Failed(_) | Answer::Refused(_))
    }

    /// Stores the results, if there are any. Removes a snapshot that has no program.
    pub(super) fn accept(&mut self) -> std::io::Result<()> {
        match &self.answer {
            Answer::Failed(_) | Answer::Refused(_) => return Ok(()),
            // The same facts in other words are stored for human readers.
            Answer::Same { notes, .. } if notes.is_empty() => return Ok(()),
            Answer::Same { found, .. } | Answer::Changed { found, .. } | Answer::New(found) => {
                std::fs::write(&self.snapshot, found.text())?;
            }
            Answer::Unreadable(both) => std::fs::write(&self.snapshot, both.1.text())?,
            Answer::Stale => std::fs::remove_file(&self.snapshot)?,
        }
        self.accepted = true;
        Ok(())
    }
}
