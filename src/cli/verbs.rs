//! The verbs: what each of them calls, and in which order.

use super::arguments::{Arguments, Verb};
use super::limits::{Cut, Deadline};
use super::partial::Partial;
use super::progress::ProgressLine;
use super::stop::Stop;
use super::{
    cfg, check, domains, explain, invariants, output, reduce, report, setup, shell, states, status, suite, summary,
};
use crate::clock;
use crate::report::Diagnostic;
use clap::CommandFactory;

/// Runs a verb and writes its result; the exit status. The result is written only if `claim` says
/// so.
pub(super) fn run(
    arguments: &Arguments,
    deadline: Deadline,
    partial: &Partial,
    claim: &dyn Fn() -> bool,
) -> Result<u8, Stop> {
    let progress = ProgressLine::new(deadline);
    partial.shown_by(&progress);
    let counting = arguments.verb.input().and_then(|i| i.steps).map(|steps| clock::count(steps, deadline.work));
    let deadline = match &counting {
        Some(counting) => Deadline { work: counting.deadline(), ..deadline },
        None => deadline,
    };
    let mut files = Vec::new();
    let (text, status) = match &arguments.verb {
        Verb::Check(arguments) => {
            let result = check::check(arguments, deadline, &progress, partial)?;
            files = result.files;
            (result.text, result.status)
        }
        Verb::Report(arguments) => report::report(arguments, deadline, &progress, partial)?,
        Verb::Explain(arguments) => explain::explain(arguments, deadline, &progress, partial)?,
        Verb::States(arguments) => states::states(arguments, deadline, &progress, partial)?,
        Verb::Invariants(arguments) => {
            let (text, status) = invariants::invariants(arguments, deadline, &progress, partial)?;
            match &arguments.output {
                None => (text, status),
                Some(path) => {
                    files.push((path.as_path(), text));
                    (String::new(), status)
                }
            }
        }
        Verb::Summary(arguments) => summary::summary(arguments, deadline, &progress)?,
        Verb::Reduce(arguments) => reduce::reduce(arguments, deadline, &progress)?,
        Verb::Cfg(arguments) => (cfg::cfg(arguments, deadline, &progress)?, status::TRUE),
        Verb::Refine(arguments) => reduce::refine(arguments, deadline, &progress)?,
        Verb::Slice(arguments) => (reduce::slice(arguments, deadline, &progress)?, status::TRUE),
        Verb::Test(test) => {
            // It has a bar of its own.
            drop(progress);
            let (text, status) = suite::test(test, &arguments.registry)?;
            if claim() {
                output::to_stdout(&text)?;
            }
            return Ok(status);
        }
        Verb::Setup(arguments) => {
            // The script writes to the terminal itself.
            drop(progress);
            match setup::setup(arguments)? {}
        }
        Verb::Domains => (domains::domains(&arguments.registry), status::TRUE),
        Verb::Completions(arguments) => (shell::completions(arguments, Arguments::command()), status::TRUE),
        Verb::Man(arguments) => (shell::man(arguments, Arguments::command())?, status::TRUE),
    };
    drop(progress);
    if claim() {
        output::write(files, &text)?;
    }
    Ok(status)
}

/// Writes the result of a verb that was cut off: what was known by then. The exit status.
pub(super) fn late(verb: &Verb, deadline: Deadline, partial: &Partial, cut: Cut) -> Result<u8, Stop> {
    partial.clear_line();
    let happened = match cut {
        Cut::Time => format!("the time limit of {} s was reached", deadline.limit.as_secs_f64()),
        Cut::Memory => "the memory limit was reached".to_owned(),
        Cut::Signal(_) => "the run was interrupted".to_owned(),
    };
    let sentence = format!("{happened} before there was a result");
    let cut_off = match verb {
        Verb::Report(arguments) => Some(report::late(arguments, deadline, partial, cut, &happened)?),
        Verb::Explain(_) => explain::late(partial, cut, &happened).map(|text| (None, text)),
        Verb::States(arguments) => {
            Some((None, states::late(arguments, partial, format!("{happened} in the middle of the work"))?))
        }
        Verb::Invariants(arguments) => {
            let text = invariants::late(arguments, partial, format!("{happened} in the middle of the work"))?;
            text.map(|text| (arguments.output.as_ref(), text))
        }
        _ => None,
    };
    if let Some((file, text)) = cut_off {
        match file {
            None => output::to_stdout(&text)?,
            Some(path) => output::write(vec![(path.as_path(), text)], "")?,
        }
        return Ok(status::UNKNOWN);
    }
    let Verb::Check(arguments) = verb else {
        output::complain(&Diagnostic::error(sentence));
        return Ok(status::UNKNOWN);
    };
    check::late(arguments, deadline, partial, cut, &happened)
}
