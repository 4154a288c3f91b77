//! What is to be told of one program: how what is found compares with what is stored.

use super::analyse::{Found, Refusal};
use super::discover::Case;
use crate::report::Diagnostic;
use crate::suite::{Change, Snapshot, Weight, compare};
use std::path::PathBuf;
use std::time::Duration;

/// What is to be told of one program, or of a snapshot without one.
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) snapshot: PathBuf,
    pub(super) answer: Answer,
    pub(super) time: Duration,
    /// It is stored now.
    pub(super) accepted: bool,
}

/// How what is found compares with what is stored.
pub(super) enum Answer {
    /// Nothing that is compared has changed; the changes are notes.
    Same { notes: Vec<Change>, found: Box<Snapshot> },
    /// Something has changed.
    Changed { changes: Vec<Change>, stored: Box<Snapshot>, found: Box<Snapshot> },
    /// Nothing is stored.
    New(Box<Snapshot>),
    /// The program is refused.
    Refused(Refusal),
    /// There is no result: why.
    Failed(String),
    /// What is stored cannot be read.
    Unreadable(Box<(Diagnostic, Snapshot)>),
    /// There is no program.
    Stale,
}

/// What is stored of a program.
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
            diagnostic.notes.push("--accept replaces it with what is found".to_owned());
            Err(Box::new(diagnostic))
        }
    }
}

/// Whether something that is stored is lost only because time ran out.
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

    /// Whether it makes the run fail.
    pub(super) fn fails(&self) -> bool {
        !self.accepted && !matches!(self.answer, Answer::Same { .. })
    }

    /// Whether it is the input that makes the run fail: a program or a snapshot that cannot be
    /// read.
    pub(super) fn is_wrong_input(&self) -> bool {
        self.fails() && matches!(self.answer, Answer::Unreadable(_) | Answer::Refused(_))
    }

    /// Whether it makes the run fail, and would not if it were accepted.
    pub(super) fn may_be_accepted(&self) -> bool {
        self.fails() && !matches!(self.answer, Answer::Failed(_) | Answer::Refused(_))
    }

    /// Stores what is found, if something is; removes what has no program.
    pub(super) fn accept(&mut self) -> std::io::Result<()> {
        match &self.answer {
            Answer::Failed(_) | Answer::Refused(_) => return Ok(()),
            // Other words for the same are stored, for whoever reads them.
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
