//! Questions that runs can answer.

use super::runs::runs;
use super::states::{check, check_formulas};
use super::{Attack, External, Looked};
use crate::analysis::AnalysisConfig;
use crate::fuzz::reductions::Sample;
use crate::fuzz::{Agreement, Case, Random, compare};
use crate::inline::inline;
use crate::program::Program;
use crate::verdict::Stage;
use std::fmt;
use std::time::Instant;

/// A question about smalti's results for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Do all states of runs lie inside the abstract states of this stack, and does every
    /// obligation that it proves hold?
    States(String),
    /// Do the formulas that `smalti invariants` prints, with this stack, hold in all runs?
    Formulas(String),
    /// Do obligations that these stages prove never fail, and do the runs fail that they show?
    Verdicts(Vec<Stage>),
    /// Do assertions that loop shrinking proves never fail? The closed forms that the stage tries
    /// first are left out.
    Shrinkings,
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
            Question::Formulas(stack) => write!(f, "formulas:{stack}"),
            Question::Verdicts(stages) if stages[..] == Stage::ALL => write!(f, "verdicts:all"),
            Question::Verdicts(stages) => {
                let names: Vec<String> = stages.iter().map(ToString::to_string).collect();
                write!(f, "verdicts:{}", names.join("+"))
            }
            Question::Shrinkings => write!(f, "shrinkings"),
            Question::Slices => write!(f, "slices"),
            Question::Compiler => write!(f, "compiler"),
            Question::Reading => write!(f, "reading"),
        }
    }
}

/// A question together with its program.
pub(super) struct Judge<'a> {
    pub(super) attack: &'a Attack,
    pub(super) program: &'a Program,
    pub(super) sample: &'a Sample,
    pub(super) seed: u64,
    pub(super) external: &'a External,
    pub(super) until: Instant,
}

impl Judge<'_> {
    pub(super) fn judge(&self) -> Result<Looked, String> {
        let Judge { attack, program, sample, seed, until, .. } = *self;
        let config = |stack: &String| AnalysisConfig {
            stack: Some(stack.clone()),
            registry: self.external.registry.clone(),
            deadline: Some(until),
            ..AnalysisConfig::default()
        };
        match &attack.question {
            Question::States(stack) => {
                let config = AnalysisConfig { verify: true, ..config(stack) };
                let looked = check(program, &config, runs(sample, seed, 12))?;
                // The search that matches groups is bounded, and a polyhedron that exceeds its
                // limit says less from then on. So an inclusion may not be found.
                let exact = !stack.contains("partition") && !stack.contains("polyhedra");
                match looked.unverified > 0 && exact {
                    true => Err("the result failed its own check".to_owned()),
                    false => Ok(looked),
                }
            }
            Question::Formulas(stack) => check_formulas(program, &config(stack), runs(sample, seed, 8)),
            Question::Verdicts(stages) => self.of_stages(stages, runs(sample, seed, 40)),
            Question::Shrinkings => self.of_shrinking(runs(sample, seed, 40)),
            Question::Slices => super::slices::check(program, seed),
            Question::Compiler => compiled(program, seed),
            Question::Reading => Ok(Looked { runs: 1, ..Looked::default() }),
        }
    }
}

/// Compares the interpreter with gcc.
fn compiled(program: &Program, seed: u64) -> Result<Looked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let inlined = inline(program).program;
    let mut random = Random::new(seed ^ 0x5EED);
    let lists: Vec<Vec<i128>> = (0..4).map(|_| (0..200).map(|_| random.interesting()).collect()).collect();
    // The same inputs for the program and for the one with its calls inlined.
    let cases: Vec<Case> =
        (0..2).flat_map(|program| lists.iter().map(move |inputs| Case { program, inputs: inputs.clone() })).collect();
    let compared = compare(&[program, &inlined], &cases, folder.path())?;
    match compared.iter().find(|c| c.agreement == Agreement::Different) {
        Some(c) => Err(format!(
            "inputs {:?}…{}: the interpreter ends in {:?}, gcc in {:?}",
            &c.case.inputs[..8],
            if c.case.program == 1 { ", calls inlined" } else { "" },
            c.interpreter,
            c.gcc
        )),
        None => {
            let same = compared.iter().filter(|c| c.agreement == Agreement::Same).count() as u64;
            Ok(Looked { runs: same, ..Looked::default() })
        }
    }
}
