//! Reports of what the stages are doing.

use crate::program::{Assumption, Obligation};
use crate::verdict::{Decided, Report, Stage};
use std::collections::BTreeMap;

/// Receives reports of what [`check`](super::check) is doing.
pub trait Progress {
    /// A stage begins a piece of work, such as `unwinding 3`.
    fn working(&self, stage: Stage, what: &str);

    /// The report before the first stage begins: every obligation is open.
    fn begins(&self, _report: &Report) {}

    /// Later decisions rest on more assumptions, and were found with this configuration.
    fn granted(&self, _assumptions: &[Assumption], _configuration: &BTreeMap<String, String>) {}

    /// The stage now works on this obligation; `_waiting` others wait.
    fn looking_at(&self, _obligation: &Obligation, _waiting: usize) {}

    /// An obligation has been decided, once and for all.
    fn decided(&self, decided: &Decided);

    /// A stage has left an obligation open and given the reason.
    fn left(&self, _open: &Decided) {}

    /// There is something to say about the run itself.
    fn noted(&self, _sentence: &str) {}
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn working(&self, _stage: Stage, _what: &str) {}
    fn decided(&self, _decided: &Decided) {}
}
