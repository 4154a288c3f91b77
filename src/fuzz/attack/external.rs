//! The programs and libraries that attacks need.

use super::{Attack, Question};
use crate::cbmc::{self, Cbmc};
use crate::program::DataModel;
use crate::smt;
use crate::stages::Tools;
use crate::verdict::Stage;
use smalti_stack::Registry;
use std::sync::{Arc, OnceLock};

/// CBMC and an SMT solver, or why they are missing, and the domains.
pub struct External {
    cbmc: Result<Cbmc, String>,
    solver: Result<smt::Process, String>,
    /// Whether gcc compiles programs for 32-bit machines, once that has been found out.
    narrow: OnceLock<bool>,
    /// The domains that stacks are made of.
    pub(super) registry: Arc<Registry>,
}

impl External {
    /// Finds the tools.
    pub fn find() -> External {
        let cbmc = cbmc::find(None).map_err(|why| why.to_string());
        let solver = smt::find(None).map_err(|why| why.to_string());
        External { cbmc, solver, narrow: OnceLock::new(), registry: Arc::default() }
    }

    /// Only the domains, for questions that need no other program.
    pub fn domains(registry: Registry) -> External {
        let none = || "no program was looked for".to_owned();
        External { cbmc: Err(none()), solver: Err(none()), narrow: OnceLock::new(), registry: Arc::new(registry) }
    }

    /// The model checker.
    ///
    /// # Errors
    /// Why it is missing.
    pub fn model(&self) -> Result<&Cbmc, String> {
        self.cbmc.as_ref().map_err(Clone::clone)
    }

    /// The SMT solver.
    ///
    /// # Errors
    /// Why it is missing.
    pub(super) fn solver(&self) -> Result<&smt::Process, String> {
        self.solver.as_ref().map_err(Clone::clone)
    }

    /// Both.
    pub(super) fn tools(&self) -> Tools<'_> {
        let solver = self.solver.as_ref().map(|s| s as &dyn smt::Solver).map_err(Clone::clone);
        Tools { solver, ..Tools::only(self.model().map(|c| c as &dyn cbmc::ModelChecker)) }
    }

    /// Why an attack cannot be tried here.
    pub fn lacks(&self, attack: &Attack) -> Option<String> {
        match &attack.question {
            Question::States(stack) | Question::Formulas(stack) => {
                self.registry.open(stack).err().map(|e| e.to_string())
            }
            Question::Verdicts(stages) if stages.contains(&Stage::Refine) => {
                self.cbmc.as_ref().err().or(self.solver.as_ref().err()).cloned()
            }
            Question::Agreement(Stage::Domains) => None,
            Question::Inductions | Question::Agreement(Stage::Summary | Stage::Induction) => {
                self.solver.as_ref().err().cloned()
            }
            Question::Verdicts(_) | Question::Shrinkings | Question::Agreement(_) => self.cbmc.as_ref().err().cloned(),
            Question::Compiler if attack.programs.data_model() == DataModel::Ilp32 => {
                let narrow = *self.narrow.get_or_init(|| crate::fuzz::compiles(DataModel::Ilp32));
                (!narrow).then(|| "gcc makes no programs for 32 bits here".to_owned())
            }
            Question::Values(_)
            | Question::CompiledValues(_)
            | Question::Summaries
            | Question::Slices
            | Question::Compiler
            | Question::Reading => None,
        }
    }
}
