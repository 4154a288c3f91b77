//! The line on standard error that says what is being done, where that is a terminal.

use crate::program::Obligation;
use crate::stages::Progress;
use crate::verdict::{Stage, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The progress line; it disappears when dropped.
pub(super) struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// A line that shows itself only on a terminal, and only if the work takes long enough to read it.
    pub(super) fn new() -> ProgressLine {
        let shown = std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        if shown {
            bar.enable_steady_tick(Duration::from_millis(150));
        }
        ProgressLine { bar }
    }

    /// Says what is being done now.
    pub(super) fn say(&self, what: &str) {
        log::info!("{what}");
        self.bar.set_message(what.to_owned());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for ProgressLine {
    fn working(&self, stage: Stage, what: &str) {
        self.say(&format!("{stage}: {what}"));
    }

    fn decided(&self, obligation: &Obligation, verdict: Verdict) {
        log::info!("{}: {verdict:?}", obligation.id);
    }
}
