//! Compares the program that summaries are about, with calls inlined and pointers resolved, with
//! the original one: with the same inputs they must end in the same way, with the same values.

use crate::fuzz::Random;
use crate::interpreter::{self, CellOrigin, Environment, Limits, Observer, Outcome, Run, Seen, State};
use crate::program::{InputId, Location, Program, Stmt, StmtKind, Type, VarId};
use std::collections::BTreeMap;

/// Inputs that depend only on how many there were before. All other values are equal, because
/// objects of the two programs do not correspond.
struct Inputs(Random);

impl Environment for Inputs {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        self.0.below(12) as i128 - 3
    }

    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        1
    }

    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        1
    }
}

/// The integers that the variables of the entry function hold when it returns.
#[derive(Default)]
pub(super) struct AtReturn(BTreeMap<VarId, i128>);

impl Observer for AtReturn {
    fn at(&mut self, stmt: &Stmt, state: &State<'_, '_>) {
        if !matches!(stmt.kind, StmtKind::Return(_)) || state.depth() != 1 {
            return;
        }
        for v in (0..).map(VarId).take(state.program().variables.len()) {
            if let Some(Seen::Int(value)) = state.scalar(v) {
                self.0.insert(v, value);
            }
        }
    }
}

pub(super) fn run(program: &Program, seed: u64, limits: &Limits) -> (Run, AtReturn) {
    let mut seen = AtReturn::default();
    let run = interpreter::run(program, &mut Inputs(Random::new(seed)), &mut seen, limits);
    (run, seen)
}

/// Runs both programs with the inputs that the seed gives.
///
/// # Errors
/// The description of a bug: another end, or another value at the end.
pub(super) fn agrees(original: &Program, resolved: &Program, seed: u64, limits: &Limits) -> Result<(), String> {
    let ((one, values), (other, others)) = (run(original, seed, limits), run(resolved, seed, limits));
    let is_comparable = |run: &Run| {
        run.havocs == 0 && matches!(run.outcome, Outcome::Finished | Outcome::Stopped | Outcome::AssertionFailed(_))
    };
    if !is_comparable(&one) || matches!(other.outcome, Outcome::LimitReached(_)) {
        return Ok(());
    }
    if one.outcome != other.outcome {
        return Err(format!("the program ends in {:?}, the resolved one in {:?}", one.outcome, other.outcome));
    }
    for (v, value) in values.0 {
        let found = others.0.get(&v).copied().unwrap_or(value);
        if found != value {
            let name = original.variable(v).shown();
            return Err(format!("at the end {name} is {value}, in the resolved program {found}"));
        }
    }
    Ok(())
}
