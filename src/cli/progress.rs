//! The progress line on standard error, if that is a terminal.

use super::limits::Deadline;
use crate::program::Obligation;
use crate::stages::Progress;
use crate::verdict::{Decided, Report, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Work that ends before this shows no line.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(150);

/// The progress line. It is removed when dropped.
pub(super) struct ProgressLine {
    bar: ProgressBar,
    deadline: Deadline,
    doing: RefCell<Doing>,
}

/// A handle to the line, for another thread.
#[derive(Debug)]
pub(super) struct Line(ProgressBar);

impl Line {
    /// Removes the line.
    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// The work that the line shows.
#[derive(Default)]
struct Doing {
    stage: Option<Stage>,
    what: String,
    /// The current obligation, and the number of open ones.
    about: Option<(String, usize)>,
}

impl Doing {
    fn text(&self) -> String {
        let stage = self.stage.map(|s| format!("{s}: ")).unwrap_or_default();
        let about = match &self.about {
            None => String::new(),
            Some((id, 0)) => format!("{id}, "),
            Some((id, waiting)) => format!("{id} (then {waiting} more), "),
        };
        format!("{stage}{about}{}", self.what)
    }
}

impl ProgressLine {
    /// A line that appears only on a terminal, and only if the work takes long enough.
    pub(super) fn new(deadline: Deadline) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {wide_msg} {elapsed}{left}", deadline));
        if std::io::stderr().is_terminal() {
            bar.enable_steady_tick(TICK);
            let bar = bar.clone();
            // If the thread cannot be started, there is no line.
            let _ = std::thread::Builder::new().name("patience".into()).spawn(move || {
                std::thread::sleep(PATIENCE.saturating_sub(bar.elapsed()));
                if !bar.is_finished() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
            });
        }
        ProgressLine { bar, deadline, doing: RefCell::default() }
    }

    /// A handle to the line, for another thread.
    pub(super) fn line(&self) -> Line {
        Line(self.bar.clone())
    }

    /// Shows what is being done now.
    pub(super) fn say(&self, what: &str) {
        log::info!("{what}");
        self.bar.set_message(what.to_owned());
    }
}

/// Without a time limit, the line does not show the time that is left.
fn style(template: &str, deadline: Deadline) -> ProgressStyle {
    let plain = ProgressStyle::default_spinner();
    let left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let left = deadline.work.saturating_duration_since(Instant::now());
        // A limit of a year or more counts as no limit.
        if left < Duration::from_secs(31_536_000) {
            let _ = write!(out, ", {} s left", left.as_secs());
        }
    };
    ProgressStyle::with_template(template).map_or(plain, |style| style.with_key("left", left))
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for ProgressLine {
    fn working(&self, stage: Stage, what: &str) {
        let mut doing = self.doing.borrow_mut();
        if doing.stage != Some(stage) {
            *doing = Doing { stage: Some(stage), ..Doing::default() };
        }
        what.clone_into(&mut doing.what);
        self.say(&doing.text());
    }

    fn begins(&self, report: &Report) {
        let all = report.obligations.len();
        if all > 1 {
            self.bar.set_length(all as u64);
            let template = "{spinner} {wide_msg} {pos} of {len} decided, {elapsed}{left}";
            self.bar.set_style(style(template, self.deadline));
        }
    }

    fn looking_at(&self, obligation: &Obligation, waiting: usize) {
        let mut doing = self.doing.borrow_mut();
        doing.about = Some((obligation.id.clone(), waiting));
        doing.what.clear();
        self.bar.set_message(doing.text());
    }

    fn decided(&self, decided: &Decided) {
        self.bar.inc(1);
        log::info!("{}: {:?}", decided.obligation.id, decided.verdict);
    }
}
