//! The programs and libraries that attacks need.

use super::Question;
use crate::cbmc::{self, Cbmc};
use crate::smt;
use crate::stages::Tools;
use crate::verdict::Stage;

/// CBMC and an SMT solver, or why they are not there.
pub struct External {
    cbmc: Result<Cbmc, String>,
    solver: Result<smt::Process, String>,
}

impl External {
    /// Looks for them.
    pub fn find() -> External {
        External {
            cbmc: cbmc::find(None).map_err(|why| why.to_string()),
            solver: smt::find(None).map_err(|why| why.to_string()),
        }
    }

    /// The model checker.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn model(&self) -> Result<&Cbmc, String> {
        self.cbmc.as_ref().map_err(Clone::clone)
    }

    /// Both.
    pub(super) fn tools(&self) -> Tools<'_> {
        let solver = self.solver.as_ref().map(|s| s as &dyn smt::Solver).map_err(Clone::clone);
        Tools { solver, ..Tools::only(self.model().map(|c| c as &dyn cbmc::ModelChecker)) }
    }

    /// Why a question cannot be asked here.
    pub fn lacks(&self, question: &Question) -> Option<String> {
        match question {
            Question::States(stack) | Question::Formulas(stack) => {
                smalti_stack::open(stack).err().map(|e| e.to_string())
            }
            Question::Verdicts(stages) if stages.contains(&Stage::Refine) => {
                self.cbmc.as_ref().err().or(self.solver.as_ref().err()).cloned()
            }
            Question::Verdicts(_) | Question::Shrinkings => self.cbmc.as_ref().err().cloned(),
            Question::Slices | Question::Compiler | Question::Reading => None,
        }
    }
}
