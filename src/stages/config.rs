//! What the stages are told to do.

use crate::analysis::{self, AnalysisConfig};
use crate::program::{ObligationKey, ObligationKind};
use crate::verdict::Stage;
use smalti_stack::Registry;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The least time that is worth a query.
pub(super) const LEAST: Duration = Duration::from_millis(50);

/// The configuration of [`check`](super::check). Everything in it can change a verdict, unless it
/// says otherwise.
#[derive(Clone, Debug)]
pub struct CheckConfig {
    /// The files, as the user wrote them; the report repeats them.
    pub files: Vec<String>,
    /// The kinds of obligations that are decided.
    pub checks: Vec<ObligationKind>,
    /// The only obligation to decide, with all the time for itself.
    pub only: Option<ObligationKey>,
    /// Whether to find out what came nearest to a proof of what stays open. It changes no verdict.
    pub explains: bool,
    /// The stages that run, always in the order of [`Stage`].
    pub stages: Vec<Stage>,
    /// When the work must be done.
    pub deadline: Instant,
    /// The CBMC to use; `None` looks for one.
    pub cbmc: Option<PathBuf>,
    /// The SMT solver to use; `None` looks for one.
    pub solver: Option<PathBuf>,
    /// A folder for all questions to the solver, which exists and can be written
    /// ([`Kept`](crate::smt::Kept)). It changes no verdict.
    pub keep_queries: Option<PathBuf>,
    /// The domain stacks, in the order in which they are tried for what is still open.
    pub stacks: Vec<String>,
    /// Whether the value analysis ([`crate::values`]) runs after the first stack.
    pub values: bool,
    /// Results of stacks for the obligations that are already known, computed with the same
    /// `analysis`. These stacks do not run again.
    pub known: Vec<analysis::Analysis>,
    /// Whether loop shrinking uses what the domains know of the states in which iterations begin.
    pub assume_invariants: bool,
    /// The options of the iterator, and the registry of domains. Its stack and its deadline are set
    /// from the fields above.
    pub analysis: AnalysisConfig,
}

impl CheckConfig {
    /// Configures these stages for assertions, with the default stack and the tools that are
    /// installed.
    pub fn new(stages: &[Stage], deadline: Instant) -> CheckConfig {
        CheckConfig {
            files: Vec::new(),
            checks: vec![ObligationKind::Assertion],
            only: None,
            explains: false,
            stages: stages.to_vec(),
            deadline,
            cbmc: None,
            solver: None,
            keep_queries: None,
            stacks: vec![smalti_stack::DEFAULT_STACK.to_owned()],
            values: false,
            known: Vec::new(),
            assume_invariants: true,
            analysis: AnalysisConfig::default(),
        }
    }
}

/// The stack whose states are shown and handed on: the strongest fast one.
pub fn principal<'s>(stacks: &'s [String], registry: &Registry) -> Option<&'s String> {
    stacks.get(registry.native_first(stacks).checked_sub(1)?)
}

/// The domains for programs without arrays: the numeric parts of these stacks.
pub fn numeric_stacks(stacks: &[String], analysis: &AnalysisConfig) -> Vec<AnalysisConfig> {
    let mut names: Vec<&str> = stacks.iter().filter_map(|s| s.rsplit('/').next()).collect();
    names.dedup();
    names.into_iter().map(|stack| AnalysisConfig { stack: Some(stack.to_owned()), ..analysis.clone() }).collect()
}
