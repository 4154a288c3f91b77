//! The meaning of a summary's unknowns in one run.

use super::cells::{never_written, of_type, small, type_of};
use super::watch::{Log, Plan};
use crate::interpreter::Seen;
use crate::program::{IntKind, Program, StmtId, Type};
use crate::summary::{Origin, Region, Summary};
use num_traits::ToPrimitive;
use smalti_terms::{Int, Model, Symbol, Var};
use std::cell::Cell;
use std::collections::HashMap;

/// The values of unknowns in a run, at one moment.
///
/// An unknown of an iteration that did not run, or of a cell that does not exist, has some value of
/// its type: no value of a term may depend on it. Unknowns that runs do not tell have no value.
pub(super) struct InRun<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) summary: &'a Summary,
    pub(super) log: &'a Log,
    pub(super) seed: u64,
    /// The iteration numbers of the loops around, and which executions of the loops it were.
    pub(super) loops: &'a HashMap<StmtId, (i128, u64)>,
    /// Whether some unknown was asked for that the run does not determine.
    pub(super) guessed: Cell<bool>,
    /// Whether a variable was asked for that is no iteration number: none should be left.
    pub(super) leaked: Cell<bool>,
}

impl InRun<'_> {
    /// A value for something that the run does not determine.
    fn guess(&self, symbol: Symbol, arguments: &[Int], index: &[Int], ty: &Type) -> i128 {
        self.guessed.set(true);
        of_type(self.program, ty, small(self.seed ^ 1, (symbol, arguments, index)))
    }

    fn region(
        &self,
        symbol: Symbol,
        region: &Region,
        held: Option<impl FnOnce(&[i128]) -> Option<i128>>,
        arguments: &[Int],
        index: &[Int],
    ) -> Option<Int> {
        let guess = || self.guess(symbol, arguments, index, type_of(self.program, region));
        let (Some(held), Some(indexes)) = (held, numbers(index)) else { return Some(Int::from(guess())) };
        held(&indexes).map(Int::from)
    }

    fn value(&self, symbol: Symbol, arguments: &[Int], index: &[Int]) -> Option<Int> {
        let origin = self.summary.origins.get(&symbol)?;
        let key = |of: &StmtId| Some((*of, numbers(arguments)?));
        match origin {
            Origin::Input(of) => {
                let known = key(of).and_then(|key| self.log.inputs.get(&key));
                let int = Type::Int(IntKind::Int);
                let ty = self.plan.inputs.get(of).unwrap_or(&int);
                Some(Int::from(known.copied().unwrap_or_else(|| self.guess(symbol, arguments, index, ty))))
            }
            Origin::Iterations(of) => {
                let known = key(of).and_then(|key| self.log.ends.get(&key)).copied();
                let guess = || self.guess(symbol, arguments, index, &Type::Int(IntKind::Int)).abs();
                Some(Int::from(known.unwrap_or_else(guess)))
            }
            Origin::Start(region) => {
                let held = |at: &[i128]| Some(never_written(self.seed, self.program, region, 0, at));
                self.region(symbol, region, Some(held), arguments, index)
            }
            Origin::Declared(of, region) => {
                let execution = key(of).and_then(|key| self.log.executions.get(&key));
                let held =
                    execution.map(|n| move |at: &[i128]| Some(never_written(self.seed, self.program, region, *n, at)));
                self.region(symbol, region, held, arguments, index)
            }
            Origin::Before(of, region) => {
                let cells = key(of).and_then(|key| self.log.before.get(&key)?.get(region));
                let held = cells.filter(|cells| numbers(index).is_some_and(|at| cells.contains_key(&at)));
                let held = held.map(|cells| {
                    |at: &[i128]| match cells.get(at) {
                        Some(Seen::Int(value)) => Some(*value),
                        // Not written yet, so nothing that is compared depends on it but itself.
                        _ => None,
                    }
                });
                self.region(symbol, region, held, arguments, index)
            }
        }
    }
}

fn numbers(values: &[Int]) -> Option<Vec<i128>> {
    values.iter().map(ToPrimitive::to_i128).collect()
}

impl Model for InRun<'_> {
    fn int(&self, symbol: Symbol, arguments: &[Int]) -> Option<Int> {
        self.value(symbol, arguments, &[])
    }

    fn cell(&self, array: Symbol, arguments: &[Int], index: &[Int]) -> Option<Int> {
        self.value(array, arguments, index)
    }

    fn variable(&self, var: Var) -> Option<Int> {
        let of = self.summary.iterations.get(&var);
        let number = of.and_then(|of| self.loops.get(of));
        if number.is_none() {
            self.leaked.set(true);
        }
        number.map(|n| Int::from(n.0))
    }

    fn variable_cell(&self, _: Var, _: &[Int]) -> Option<Int> {
        self.leaked.set(true);
        None
    }
}
