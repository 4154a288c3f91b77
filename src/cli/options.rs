//! The options that several verbs share: what is decided, by which stages, and how the fixpoint is
//! computed.

use super::input::Input;
use super::limits::Deadline;
use super::stop::{Stop, wrong};
use crate::analysis::AnalysisConfig;
use crate::clock;
use crate::program::ObligationKind;
use crate::stages::{self, CheckConfig};
use crate::values;
use crate::verdict::Stage;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use smalti_stack::Registry;
use std::path::PathBuf;
use std::sync::Arc;

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

/// How the fixpoint is computed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Analysis")]
pub(super) struct Analysis {
    /// The domain stacks, tried in this order for what is still open; `smalti domains` lists them
    /// and the default. `values` adds the value analysis, which comes after the first.
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

impl Deciding {
    /// The configuration that the options ask for.
    pub(super) fn config(&self, input: &Input, analysis: &Analysis, deadline: Deadline) -> Result<CheckConfig, Stop> {
        self.staging.config(self.checks.kinds(), input, analysis, deadline)
    }
}

impl Staging {
    /// The configuration that the options ask for, for obligations of these kinds.
    pub(super) fn config(
        &self,
        checks: Vec<ObligationKind>,
        input: &Input,
        analysis: &Analysis,
        deadline: Deadline,
    ) -> Result<CheckConfig, Stop> {
        // What was named must work: it is not replaced in silence.
        if let Some(path) = &self.cbmc {
            crate::cbmc::find_until(Some(path), clock::of_others(deadline.work)).map_err(|e| wrong(e.to_string()))?;
        }
        if let Some(path) = &self.solver {
            crate::smt::find_until(Some(path), clock::of_others(deadline.work)).map_err(|e| wrong(e.to_string()))?;
        }
        Ok(CheckConfig {
            explains: false,
            files: input.names(),
            checks,
            only: None,
            stages: self.stages.clone(),
            deadline: deadline.work,
            cbmc: self.cbmc.clone(),
            solver: self.solver.clone(),
            keep_queries: None,
            stacks: analysis.stacks()?,
            values: analysis.values(),
            known: Vec::new(),
            assume_invariants: self.assume_invariants.is_on(),
            analysis: analysis.config(deadline)?,
        })
    }
}

impl Analysis {
    /// The stacks to try, in order: those named, else the default ones. Empty only if the value
    /// analysis is named alone.
    pub(super) fn stacks(&self) -> Result<Vec<String>, Stop> {
        if self.stack.is_empty() {
            return Ok(self.registry.default_stacks().iter().map(ToString::to_string).collect());
        }
        let named = || self.stack.iter().filter(|name| *name != values::NAME);
        // An unknown name is told before any work is done.
        for stack in named() {
            self.registry.open(stack).map_err(|e| wrong(e.to_string()))?;
        }
        Ok(named().cloned().collect())
    }

    /// Whether the value analysis runs: if it is named, or nothing is.
    fn values(&self) -> bool {
        self.stack.is_empty() || self.stack.iter().any(|name| name == values::NAME)
    }

    /// The stacks of which the strongest that finishes is shown: those named, else the default
    /// ones that are fast. Never empty.
    pub(super) fn shown(&self) -> Result<Vec<String>, Stop> {
        let mut stacks = self.stacks()?;
        if self.stack.is_empty() {
            stacks.truncate(self.registry.native_first(&stacks));
        }
        Ok(stacks)
    }

    /// The configuration that the options ask for, with the strongest of the stacks that are fast.
    pub(super) fn config(&self, deadline: Deadline) -> Result<AnalysisConfig, Stop> {
        Ok(AnalysisConfig {
            stack: stages::principal(&self.stacks()?, &self.registry).cloned(),
            registry: self.registry.clone(),
            widening_delay: self.widening_delay,
            peel: self.peel,
            descending: self.descending,
            verify: self.verify,
            deadline: Some(deadline.work),
        })
    }
}
