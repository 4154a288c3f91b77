//! Answers the question of an attack about a program.

use super::runs::runs;
use super::states::{check, check_formulas, check_values};
use super::{Attack, External, Looked, Programs, Question, compiled, damage, load, slices, summaries};
use crate::analysis::AnalysisConfig;
use crate::fuzz::annotations;
use crate::fuzz::reductions::Sample;
use crate::fuzz::{Agreement, Case, Random, compare};
use crate::inline::inline;
use crate::program::Program;
use std::time::Instant;

impl Attack {
    /// Reads a text and judges it; a text that is not accepted is a bug if none should be refused.
    ///
    /// # Errors
    /// The description of a bug.
    pub(super) fn judge_text(
        &self,
        sample: &Sample,
        seed: u64,
        external: &External,
        until: Instant,
    ) -> Result<Looked, String> {
        if let Programs::Answers(by) = self.programs {
            damage::read(by, &sample.text)?;
            return Ok(Looked { runs: 1, ..Looked::default() });
        }
        if self.programs == Programs::Annotations {
            annotations::read(&sample.text)?.iter().for_each(annotations::used);
            return Ok(Looked { runs: 1, ..Looked::default() });
        }
        match load(&sample.text, self.programs.data_model()) {
            Ok(program) => self.judge(&program, sample, seed, external, until),
            Err(_) if self.programs == Programs::Damaged => Ok(Looked::default()),
            Err(why) => Err(why),
        }
    }

    /// Compares smalti's answers about a program with its runs. The sample says which inputs are
    /// likely to make it fail.
    ///
    /// # Errors
    /// The description of a bug.
    pub fn judge(
        &self,
        program: &Program,
        sample: &Sample,
        seed: u64,
        external: &External,
        until: Instant,
    ) -> Result<Looked, String> {
        Judge { attack: self, program, sample, seed, external, until }.judge()
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
            Question::Values(way) => check_values(program, *way, runs(sample, seed, 24)),
            Question::CompiledValues(way) => compiled::check(&sample.text, program, *way, seed),
            Question::Formulas(stack) => check_formulas(program, &config(stack), runs(sample, seed, 8)),
            Question::Verdicts(stages) => {
                // Programs with several assertions get no runs but these.
                let has_several =
                    matches!(attack.programs, Programs::Computations | Programs::Scatter | Programs::Accesses);
                let count = if has_several { 300 } else { 40 };
                self.of_stages(stages, runs(sample, seed, count))
            }
            Question::Shrinkings => self.of_shrinking(runs(sample, seed, 40)),
            Question::Inductions => self.of_induction(runs(sample, seed, 200)),
            Question::Agreement(stage) => self.of_agreement(*stage),
            Question::Summaries => summaries::check(program, seed, runs(sample, seed, 24)),
            Question::Slices => slices::check(program, seed),
            Question::Compiler => by_gcc(program, seed),
            Question::Reading => Ok(Looked { runs: 1, ..Looked::default() }),
        }
    }
}

/// Compares the interpreter with gcc.
fn by_gcc(program: &Program, seed: u64) -> Result<Looked, String> {
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
