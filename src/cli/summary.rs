//! The verb `summary`: what loops compute.

use super::input::{Input, faithful, load};
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
    let computed = Computed::of(&inlined, move || clock::now() >= until)
        .and_then(|computed| Ok(computed.describe(inlined.parts()?.0)));
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

fn text(program: &Program, view: &SummaryView, format: SummaryFormat) -> Result<String, Stop> {
    match format {
        SummaryFormat::Json => report::summary_json(&program.sources, view).map_err(|e| Stop::Output(e.into())),
        SummaryFormat::Text => Ok(report::summary(&program.sources, view, paint())),
    }
}
