//! The verb `summary`: what loops compute.

use super::input::{Input, faithful, load};
use super::invariants::annotated;
use super::limits::Deadline;
use super::output::paint;
use super::progress::ProgressLine;
use super::status;
use super::stop::Stop;
use crate::clock;
use crate::program::Program;
use crate::reduce::normal::Inlined;
use crate::report::{self, SummaryView};
use crate::summary::Summary as Computed;
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
    let program = load(&arguments.input, deadline, progress)?;
    faithful(&program)?;
    progress.say("computing what the loops leave");
    let function = program.function(program.analysed());
    let mut view = SummaryView {
        files: arguments.input.names(),
        function: function.shown().into_owned(),
        function_at: Some(function.location),
        assumptions: program.assumptions.iter().map(|a| a.text.clone()).collect(),
        ..SummaryView::default()
    };
    let inlined = Inlined::new(&program);
    let until = deadline.work;
    let late = move || clock::now() >= until;
    if arguments.format == SummaryFormat::Acsl {
        return Ok(with_annotations(&program, &inlined, arguments, late));
    }
    let computed = Computed::of(&inlined, late).and_then(|computed| Ok(computed.describe(inlined.parts()?.0)));
    let status = match computed {
        Ok(points) => {
            view.points = points;
            status::TRUE
        }
        Err(why) => {
            view.notes.push(format!("there is no summary, because {}", why.describe(&program)));
            status::UNKNOWN
        }
    };
    Ok((text(&program, &view, arguments.format)?, status))
}

/// The source with annotations, and the exit status.
fn with_annotations(
    program: &Program,
    inlined: &Inlined,
    arguments: &Summary,
    late: impl Fn() -> bool + 'static,
) -> (String, u8) {
    let (clauses, status) = match Computed::with_heads(inlined, late) {
        Ok(computed) => (computed.clauses(program, inlined), status::TRUE),
        Err(why) => {
            log::warn!("there is no summary, because {}", why.describe(program));
            (Vec::new(), status::UNKNOWN)
        }
    };
    let annotations = report::summary_annotations(program, clauses);
    (annotated(program, arguments.input.files.len(), &annotations, false), status)
}

fn text(program: &Program, view: &SummaryView, format: SummaryFormat) -> Result<String, Stop> {
    match format {
        SummaryFormat::Json => report::summary_json(&program.sources, view).map_err(|e| Stop::Output(e.into())),
        SummaryFormat::Text | SummaryFormat::Acsl => Ok(report::summary(&program.sources, view, paint())),
    }
}
