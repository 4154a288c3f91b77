//! Questions that runs can answer.

use crate::values::Way;
use crate::verdict::Stage;
use std::fmt;

/// A question about smalti's results for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Do all states of runs lie inside the abstract states of this stack, and does every
    /// obligation that it proves hold?
    States(String),
    /// Do all states of runs lie inside what the value analysis knows, and does every obligation
    /// that it proves hold? In the more or the less precise way.
    Values(Way),
    /// Are the results of compiled runs among those that the value analysis knows? In the more or
    /// the less precise way.
    CompiledValues(Way),
    /// Do the formulas that `smalti invariants` prints, with this stack, hold in all runs?
    Formulas(String),
    /// Do obligations that these stages prove never fail, and do the runs fail that they show?
    Verdicts(Vec<Stage>),
    /// Do assertions never fail that loop shrinking proves without help from the domains, whether
    /// or not some run comes to them?
    Shrinkings,
    /// Do assertions never fail that the loop invariants of the source prove, whether or not some
    /// run comes to them?
    Inductions,
    /// Does the stage say nothing of formulas about a known state that the interpreter contradicts?
    Agreement(Stage),
    /// Do variables and cells hold what the summary of the program says, and do conditions?
    Summaries,
    /// Do assertions see the same values in the same order in the runs of their slices?
    Slices,
    /// Does the interpreter agree with gcc's sanitizers, on the program and on the program with its
    /// calls inlined?
    Compiler,
    /// Is the text read without a panic, and does the answer fit the question?
    Reading,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::States(stack) => write!(f, "states:{stack}"),
            Question::Values(way) => write!(f, "{}values", prefix_of(*way)),
            Question::CompiledValues(way) => write!(f, "compiled-{}values", prefix_of(*way)),
            Question::Formulas(stack) => write!(f, "formulas:{stack}"),
            Question::Verdicts(stages) if stages[..] == Stage::ALL => write!(f, "verdicts:all"),
            Question::Verdicts(stages) => {
                let names: Vec<String> = stages.iter().map(ToString::to_string).collect();
                write!(f, "verdicts:{}", names.join("+"))
            }
            Question::Shrinkings => write!(f, "shrinkings"),
            Question::Inductions => write!(f, "inductions"),
            Question::Agreement(stage) => write!(f, "agreement:{stage}"),
            Question::Summaries => write!(f, "summaries"),
            Question::Slices => write!(f, "slices"),
            Question::Compiler => write!(f, "compiler"),
            Question::Reading => write!(f, "reading"),
        }
    }
}

/// What the name of a way of the value analysis begins with.
fn prefix_of(way: Way) -> &'static str {
    match way {
        Way::Precise => "",
        Way::Coarse => "coarse-",
        Way::Contexts => "contexts-",
        Way::Joined => "joined-",
    }
}
