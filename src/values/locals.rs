//! The variables that live in calls.

use crate::program::{FunctionId, Part, Program, StmtKind, Storage, Use, VarId, each_part, each_stmt};
use std::collections::BTreeSet;

/// The variables that live in a call of a function.
pub(super) struct Locals {
    pub all: Vec<VarId>,
    /// Scalar parameters that always have the values that were passed, with their numbers.
    pub unchanged: Vec<(usize, VarId)>,
}

impl Locals {
    /// Finds them. Pointers of unknown origin may lead to the exposed variables.
    pub(super) fn of(program: &Program, f: FunctionId, exposed: &BTreeSet<VarId>) -> Locals {
        let function = program.function(f);
        let mut all: BTreeSet<VarId> = function.parameters.iter().copied().collect();
        let mut assigned = BTreeSet::new();
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
            each_part(s, &mut |part| match part {
                Part::Lvalue(l, how) => {
                    all.extend(l.as_base());
                    assigned.extend(l.as_base().filter(|_| how != Use::Read));
                }
                Part::Expr(_) => {}
            });
            if let StmtKind::Declare(v) = s.kind {
                all.insert(v);
            }
        });
        all.retain(|v| program.variable(*v).storage != Storage::Global);
        let is_unchanged =
            |v: VarId| !assigned.contains(&v) && is_private(program, exposed, v) && program.variable(v).ty.is_scalar();
        let unchanged = function.parameters.iter().copied().enumerate().filter(|(_, v)| is_unchanged(*v)).collect();
        Locals { all: all.into_iter().collect(), unchanged }
    }
}

/// Whether no pointer leads to the variable, so that it changes only where it is named.
pub(super) fn is_private(program: &Program, exposed: &BTreeSet<VarId>, v: VarId) -> bool {
    program.variable(v).storage != Storage::Global && !exposed.contains(&v)
}
