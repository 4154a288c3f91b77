//! The verb `cfg`: the control-flow graph.

use super::input::{Input, load};
use super::limits::Deadline;
use super::progress::ProgressLine;
use super::stop::Stop;
use crate::cfg::{Cfg as Graph, CfgConfig};
use crate::inline::inline;
use clap::Args;

/// Arguments of `cfg`.
#[derive(Args, Debug)]
pub(super) struct Cfg {
    /// Print the language of Graphviz, the only format.
    #[arg(long, required = true)]
    pub(super) dot: bool,
    #[command(flatten)]
    pub(super) input: Input,
}

/// The graph, in the language of Graphviz.
pub(super) fn cfg(arguments: &Cfg, deadline: Deadline, progress: &ProgressLine) -> Result<String, Stop> {
    let program = inline(&load(&arguments.input, deadline, progress)?).program;
    Ok(Graph::build(&program, &CfgConfig::default()).dot())
}
