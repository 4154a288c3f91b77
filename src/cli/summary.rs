//! The verb `summary`: what loops compute.

use super::computed::{computed, refusal};
use super::input::{Input, faithful, load_with};
use super::invariants::annotated;
use super::limits::Deadline;
use super::output::paint;
use super::progress::ProgressLine;
use super::status;
use super::stop::Stop;
use crate::program::Program;
use crate::reduce::normal::Inlined;
use crate::report::{self, SummaryView};
use crate::summary::Summary as Computed;
use crate::{clock, lower};
use clap::{Args, ValueEnum};

/// Arguments of `summary`.
#[derive(Args, Debug)]
pub(super) struct Summary {
    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: SummaryFormat,
    #[command(flatten)]
    pub(super) input: Input,
}

/// `--format` of `summary`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum SummaryFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// The source with ACSL annotations, for Frama-C
    Acsl,
}

/// What the loops compute in the requested format, and the exit status.
pub(super) fn summary(arguments: &Summary, deadline: Deadline, progress: &ProgressLine) -> Result<(String, u8), Stop> {
    let program = load_with(&arguments.input, true, deadline, progress)?;
    for assumption in program.assumptions.iter().filter(|a| a.text.ends_with(lower::IS_SEPARATE)) {
        log::warn!("{}", assumption.short_line());
    }
    faithful(&program)?;
    progress.say("computing what the loops leave");
    if arguments.format == SummaryFormat::Acsl {
        return Ok(with_annotations(&program, arguments, deadline));
    }
    let view = computed(&program, &arguments.input, deadline.work);
    let status = if view.notes.is_empty() { status::TRUE } else { status::UNKNOWN };
    Ok((text(&program, &view, arguments.format)?, status))
}

/// The source with annotations, and the exit status.
fn with_annotations(program: &Program, arguments: &Summary, deadline: Deadline) -> (String, u8) {
    let inlined = Inlined::new(program);
    let late = move || clock::now() >= deadline.work;
    let (clauses, status) = match Computed::with_heads(&inlined, late) {
        Ok(computed) => (computed.clauses(program, &inlined), status::TRUE),
        Err(why) => {
            log::warn!("{}", refusal(program, &why));
            (Vec::new(), status::UNKNOWN)
        }
    };
    let annotations = report::Annotation::of_clauses(program, clauses);
    (annotated(program, arguments.input.files.len(), &annotations, false), status)
}

fn text(program: &Program, view: &SummaryView, format: SummaryFormat) -> Result<String, Stop> {
    match format {
        SummaryFormat::Json => report::summary_json(&program.sources, view).map_err(|e| Stop::Output(e.into())),
        SummaryFormat::Text | SummaryFormat::Acsl => Ok(report::summary(&program.sources, view, paint())),
    }
}
