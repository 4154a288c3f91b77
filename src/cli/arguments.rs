//! The command line: the verbs. Each has its own options in its own file.

use super::cfg::Cfg;
use super::check::Check;
use super::explain::Explain;
use super::input::Input;
use super::invariants::Invariants;
use super::options::Analysis;
use super::output::Colour;
use super::reduce::{Reduce, Refine, Slice};
use super::report::Report;
use super::setup::Setup;
use super::shell::{Completions, Man};
use super::states::States;
use super::suite::Test;
use super::summary::Summary;
use clap::{Parser, Subcommand};
use smalti_stack::Registry;
use std::sync::Arc;

/// A static analyser for C programs with arrays.
#[derive(Parser, Debug)]
#[command(name = "smalti", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) verb: Verb,
    /// Say on standard error what is being done; twice for more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// When to write colours; `auto`: on a terminal, unless $NO_COLOR or $CLICOLOR_FORCE says
    /// otherwise.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_enum)]
    pub(super) color: Colour,
    /// The domains that stacks are made of.
    #[arg(skip)]
    pub(super) registry: Arc<Registry>,
}

const AFTER_HELP: &str = "\
Exit status:
  0    everything is proved (verdict true)
  1    something fails (verdict false)
  3    something is open (verdict unknown)
  2    the command line or the input is wrong
  101  a bug of smalti";

/// What to do.
#[derive(Subcommand, Debug)]
pub(super) enum Verb {
    /// Decide every assertion of a program: proved, violated (with a run that fails), or unknown.
    Check(Check),
    /// Write one file that shows everything: verdicts, the states at every line with arrays drawn,
    /// how loops were solved.
    Report(Report),
    /// Say in sentences why one obligation is proved, fails or is open, and what is missing for a
    /// proof.
    Explain(Explain),
    /// Print the source with the abstract state under each line.
    States(States),
    /// Print what holds at every loop and at the end of every function, as formulas.
    Invariants(Invariants),
    /// Print what every loop computes: the exact values that it leaves in variables and arrays.
    Summary(Summary),
    /// Print, as C, the smaller program that a reduction makes for an assertion, and why a proof of
    /// it is a proof of the program; or print which condition fails.
    Reduce(Reduce),
    /// Print the control-flow graph.
    Cfg(Cfg),
    /// Find the variables and cells that an assertion needs, round by round.
    Refine(Refine),
    /// Print, as C, the part of the program that matters for one obligation, or for all.
    Slice(Slice),
    /// Compare the results for every program in some folders with the snapshots beside them.
    Test(Test),
    /// List the abstract domains, and why some are unavailable.
    Domains,
    /// Get the tools that smalti uses and that are missing: CBMC, Z3, APRON. They go into smalti's
    /// data folder.
    Setup(Setup),
    /// Print a script that completes this command line in a shell.
    Completions(Completions),
    /// Print the manual page, or write a page for each verb.
    Man(Man),
}

impl Verb {
    /// The options of the fixpoint, if the verb has any.
    pub(super) fn analysis_mut(&mut self) -> Option<&mut Analysis> {
        match self {
            Verb::Check(Check { analysis, .. })
            | Verb::Report(Report { analysis, .. })
            | Verb::Explain(Explain { analysis, .. })
            | Verb::States(States { analysis, .. })
            | Verb::Invariants(Invariants { analysis, .. })
            | Verb::Refine(Refine { analysis, .. }) => Some(analysis),
            Verb::Summary(_)
            | Verb::Reduce(_)
            | Verb::Cfg(_)
            | Verb::Slice(_)
            | Verb::Domains
            | Verb::Setup(_)
            | Verb::Completions(_)
            | Verb::Man(_)
            | Verb::Test(_) => None,
        }
    }

    /// The input options, if the verb has any.
    pub(super) fn input(&self) -> Option<&Input> {
        match self {
            Verb::Check(Check { input, .. })
            | Verb::Report(Report { input, .. })
            | Verb::Explain(Explain { input, .. })
            | Verb::States(States { input, .. })
            | Verb::Invariants(Invariants { input, .. })
            | Verb::Summary(Summary { input, .. })
            | Verb::Reduce(Reduce { input, .. })
            | Verb::Cfg(Cfg { input, .. })
            | Verb::Refine(Refine { input, .. })
            | Verb::Slice(Slice { input, .. }) => Some(input),
            Verb::Domains | Verb::Setup(_) | Verb::Completions(_) | Verb::Man(_) | Verb::Test(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
