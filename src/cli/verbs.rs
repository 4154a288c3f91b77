//! The verbs: what each of them calls, and in which order.

use super::arguments::{Check, Format, Verb};
use super::progress::ProgressLine;
use super::{Deadline, Stop, output, status};
use crate::report::{self, Diagnostic, Paint};
use crate::verdict::{Outcome, Report};

/// Runs a verb and writes its result; the exit status. The result is written only if `claim` says so.
pub(super) fn run(verb: &Verb, deadline: Deadline, claim: &dyn Fn() -> bool) -> Result<u8, Stop> {
    let progress = ProgressLine::new();
    progress.say("starting");
    let _ = (verb, deadline, claim, Paint::PLAIN);
    Err(Stop::Wrong(Box::new(Diagnostic::error("the analyser is not wired yet"))))
}

/// The result of a verb that the time limit cut off before it had any.
pub(super) fn late(verb: &Verb, deadline: Deadline) -> Result<u8, Stop> {
    let sentence =
        format!("the time limit of {} s was reached before there was a result", deadline.limit.as_secs_f64());
    match verb {
        Verb::Check(arguments) => {
            let mut report = empty(arguments);
            report
                .statistics
                .insert("time_ms".into(), deadline.start.elapsed().as_millis().try_into().unwrap_or(u64::MAX));
            report.notes.push(sentence);
            show(arguments, &report)
        }
        _ => {
            super::complain(&Diagnostic::error(sentence));
            Ok(status::UNKNOWN)
        }
    }
}

/// A report without obligations.
fn empty(arguments: &Check) -> Report {
    Report {
        files: arguments.input.files.iter().map(|f| f.display().to_string()).collect(),
        sources: crate::program::SourceMap::default(),
        obligations: Vec::new(),
        complete: false,
        assumptions: Vec::new(),
        configuration: std::collections::BTreeMap::new(),
        statistics: std::collections::BTreeMap::new(),
        notes: Vec::new(),
    }
}

/// Writes a report in the form that was asked for.
fn show(arguments: &Check, report: &Report) -> Result<u8, Stop> {
    let text = match arguments.format {
        Format::Text => report::text(report, Paint { colour: output::colours(&std::io::stdout()) }),
        Format::Json => report::json(report).map_err(|e| Stop::Output(e.into()))?,
    };
    output::to_stdout(&text)?;
    Ok(match report.outcome() {
        Outcome::True => status::TRUE,
        Outcome::False => status::FALSE,
        Outcome::Unknown => status::UNKNOWN,
    })
}
