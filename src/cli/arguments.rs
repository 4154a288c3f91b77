//! The command line.

use super::explain::Explain;
use super::report::Report;
use super::setup::Setup;
use super::shell::{Completions, Man};
use super::suite::Test;
use crate::program::{DataModel, ObligationKind, Target};
use crate::reduce::slice::Kind;
use crate::verdict::Stage;
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use smalti_stack::Registry;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

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

/// `--color`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    Auto,
    Always,
    Never,
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

/// The kinds of obligations to decide.
#[derive(Args, Debug)]
pub(super) struct Checks {
    /// The kinds of obligations to decide [default: all].
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', default_values_t = ObligationKind::ALL, hide_default_value = true)]
    checks: Vec<ObligationKind>,
}

impl Checks {
    /// The kinds.
    pub(super) fn kinds(&self) -> Vec<ObligationKind> {
        self.checks.clone()
    }
}

/// How obligations are decided.
#[derive(Args, Debug)]
pub(super) struct Deciding {
    #[command(flatten)]
    pub(super) checks: Checks,
    #[command(flatten)]
    pub(super) staging: Staging,
}

/// The stages that run, and the tools that they use.
#[derive(Args, Debug)]
pub(super) struct Staging {
    /// The stages to run, in the order below, whatever order they are named in [default: all].
    #[arg(long, value_name = "STAGE,...", value_delimiter = ',', default_values_t = Stage::ALL, hide_default_value = true)]
    pub(super) stages: Vec<Stage>,
    /// The CBMC program to use [default: $CBMC, then the PATH, then what `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) cbmc: Option<PathBuf>,
    /// The SMT solver (Z3 or cvc5) to use [default: $SMALTI_SOLVER, then the PATH, then what
    /// `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) solver: Option<PathBuf>,
    /// Whether the stage `shrink` relies on what the domains know of the states in which iterations
    /// begin.
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub(super) assume_invariants: Switch,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) deciding: Deciding,
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Check again whenever a source or an included file changes, until Ctrl-C.
    #[arg(long)]
    pub(super) watch: bool,
    /// Write a witness of the verdict, in the format of the Competition on Software Verification;
    /// none if the verdict is unknown.
    #[arg(long, value_name = "FILE")]
    pub(super) witness: Option<PathBuf>,
    /// Write a C file that compiles, repeats the first failing run of the report and fails at the
    /// same place; none if nothing is violated.
    #[arg(long, value_name = "FILE")]
    pub(super) reproducer: Option<PathBuf>,
    /// Decide the property of this file, and end with the competition's answer: true, false(...) or
    /// unknown.
    #[arg(long, value_name = "PROPERTYFILE", conflicts_with_all = ["format", "checks", "function"])]
    pub(super) svcomp: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
    /// The options and files that `explain` needs to explain the same result, quoted for a shell.
    #[arg(skip)]
    pub(super) for_explain: String,
}

/// On or off.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(super) enum Switch {
    On,
    Off,
}

impl Switch {
    /// Whether it is on.
    pub(super) fn is_on(self) -> bool {
        matches!(self, Switch::On)
    }
}

/// Arguments of `states`.
#[derive(Args, Debug)]
pub(super) struct States {
    /// How to print them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: StateFormat,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// Arguments of `invariants`.
#[derive(Args, Debug)]
pub(super) struct Invariants {
    /// How to print them.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: InvariantFormat,
    /// Write to this file instead of standard output; with `--format acsl`, an annotated copy of
    /// the source.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// Arguments of `reduce`.
#[derive(Args, Debug)]
pub(super) struct Reduce {
    /// The reduction.
    #[arg(long, value_name = "REDUCTION")]
    pub(super) by: ReductionArgument,
    /// The assertion, by its id as `check --format json` prints it [default: all, one after the
    /// other].
    #[arg(long, value_name = "ID")]
    pub(super) assert: Option<String>,
    /// The CBMC program to use [default: $CBMC, then the PATH, then what `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) cbmc: Option<PathBuf>,
    /// Whether shrinking relies on what the domains know of the states in which iterations begin.
    #[arg(long, value_name = "SWITCH", default_value = "on")]
    pub(super) assume_invariants: Switch,
    #[command(flatten)]
    pub(super) input: Input,
}

/// Arguments of `cfg`.
#[derive(Args, Debug)]
pub(super) struct Cfg {
    /// Print the language of Graphviz, the only format.
    #[arg(long, required = true)]
    pub(super) dot: bool,
    #[command(flatten)]
    pub(super) input: Input,
}

/// Arguments of `refine`.
#[derive(Args, Debug)]
pub(super) struct Refine {
    /// The assertion, by its id as `check --format json` prints it [default: all, one after the
    /// other].
    #[arg(long, value_name = "ID")]
    pub(super) assert: Option<String>,
    /// Print the last abstraction, as C.
    #[arg(long)]
    pub(super) show_abstraction: bool,
    /// The CBMC program to use [default: $CBMC, then the PATH, then what `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) cbmc: Option<PathBuf>,
    /// The SMT solver (Z3 or cvc5) to use [default: $SMALTI_SOLVER, then the PATH, then what
    /// `smalti setup` fetched].
    #[arg(long, value_name = "PATH")]
    pub(super) solver: Option<PathBuf>,
    #[command(flatten)]
    pub(super) input: Input,
    #[command(flatten)]
    pub(super) analysis: Analysis,
}

/// Arguments of `slice`.
#[derive(Args, Debug)]
pub(super) struct Slice {
    /// The obligation, as `check` names it [default: all of those kinds, in one slice].
    #[arg(long, value_name = "ID", alias = "assert")]
    pub(super) obligation: Option<String>,
    #[command(flatten)]
    pub(super) checks: Checks,
    /// What is kept.
    #[arg(long, value_name = "KIND", default_value = "value")]
    pub(super) kind: SliceKind,
    #[command(flatten)]
    pub(super) input: Input,
}

/// What is analysed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(super) struct Input {
    /// The C files; several files are one program.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Analyse this function alone: under its `requires`, with any arguments and any values of
    /// globals.
    #[arg(long, value_name = "NAME")]
    pub(super) function: Option<String>,
    /// The sizes of integer types and pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub(super) data_model: DataModelArgument,
    /// The machine: a data model, then keys such as char=unsigned, endian=big [default: the data
    /// model, char=signed,endian=little].
    #[arg(long, value_name = "TARGET", conflicts_with = "data_model")]
    pub(super) target: Option<Target>,
    /// Do not preprocess the files; files named *.i never are.
    #[arg(long)]
    pub(super) no_preprocess: bool,
    /// A folder to look for included files in.
    #[arg(short = 'I', value_name = "DIR")]
    pub(super) include: Vec<PathBuf>,
    /// A macro to define.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(super) define: Vec<String>,
    /// Limit on the time of the whole run.
    #[arg(long, value_name = "SECONDS", default_value = "50", value_parser = seconds)]
    pub(super) time_limit: Duration,
    /// Limit on counted work, with which answers are the same on every machine; a step is about a
    /// millionth of a second. The time limit holds as well [default: none; `test` 20000000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) steps: Option<u64>,
    /// Limit on the memory of smalti, CBMC and the solver together [default: none for smalti, 6144
    /// for each of the others].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    pub(super) memory_limit: Option<u64>,
}

/// How the fixpoint is computed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Analysis")]
pub(super) struct Analysis {
    /// The domain stacks, tried in this order for what is still open; `smalti domains` lists them
    /// and the default.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(super) stack: Vec<String>,
    /// How often states are joined at a loop head before they are widened.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) widening_delay: u32,
    /// How many first iterations of a loop that touches arrays are analysed separately.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=8))]
    pub(super) peel: u32,
    /// How many descending passes follow the ascending ones.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) descending: u32,
    /// Check the fixpoint by an independent pass, and the invariants of loops by runs and by CBMC
    /// on small sizes; give up a result that does not hold.
    #[arg(long)]
    pub(super) verify: bool,
    /// The domains that stacks are made of.
    #[arg(skip)]
    pub(super) registry: Arc<Registry>,
}

/// `--data-model`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum DataModelArgument {
    /// int, long and pointers have 32 bits
    Ilp32,
    /// int has 32 bits, long and pointers have 64
    Lp64,
}

/// `--by` of `reduce`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum ReductionArgument {
    /// Loops run only their first iterations
    Prune,
    /// Loops run only a few arbitrary iterations, or none if closed forms prove the assertion; CBMC
    /// decides how many stand for all
    Shrink,
}

/// `--format`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// One SARIF 2.1.0 document, for code hosts
    Sarif,
}

/// `--format` of `states`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum StateFormat {
    /// The source with the states under its lines
    Text,
    /// One JSON document
    Json,
}

/// `--format` of `invariants`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum InvariantFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// The source with ACSL annotations, for Frama-C
    Acsl,
}

/// `--kind`
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(super) enum SliceKind {
    /// What decides the values, and whether the obligation is reached
    Backward,
    /// What decides the values; other conditions become choices
    Value,
    /// What the values are computed from; all conditions become choices
    Thin,
}

impl From<SliceKind> for Kind {
    fn from(argument: SliceKind) -> Kind {
        match argument {
            SliceKind::Backward => Kind::Backward,
            SliceKind::Value => Kind::Value,
            SliceKind::Thin => Kind::Thin,
        }
    }
}

impl From<DataModelArgument> for DataModel {
    fn from(argument: DataModelArgument) -> DataModel {
        match argument {
            DataModelArgument::Ilp32 => DataModel::Ilp32,
            DataModelArgument::Lp64 => DataModel::Lp64,
        }
    }
}

/// Makes the rows of a table the values of an option.
macro_rules! values {
    ($($Kind:ident),*) => {
        $(impl ValueEnum for $Kind {
            fn value_variants<'a>() -> &'a [$Kind] {
                &$Kind::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.word()).help(self.entry().help))
            }
        })*
    };
}

values!(ObligationKind, Stage);

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
            Verb::Reduce(_)
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
            | Verb::Reduce(Reduce { input, .. })
            | Verb::Cfg(Cfg { input, .. })
            | Verb::Refine(Refine { input, .. })
            | Verb::Slice(Slice { input, .. }) => Some(input),
            Verb::Domains | Verb::Setup(_) | Verb::Completions(_) | Verb::Man(_) | Verb::Test(_) => None,
        }
    }
}

/// A positive number of seconds, at most a year.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 31_536_000.0 => Ok(Duration::from_secs_f64(s)),
        _ => Err("a number of seconds above 0 is expected, such as 50 or 0.5".into()),
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

    #[test]
    fn a_time_limit_is_a_positive_number() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "nan", "inf", "1e99", "x", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
