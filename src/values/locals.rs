//! The variables that live in calls.

use crate::program::{
    FunctionId, Jumps, Length, Part, Presumption, Program, StmtKind, Storage, Type, Use, VarId, each_part, each_stmt,
};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeSet, HashMap};

/// The variables that live in a call of a function.
pub(super) struct Locals {
    pub all: Vec<VarId>,
    /// Scalar parameters that always have the values that were passed, with their numbers.
    pub unchanged: Vec<(usize, VarId)>,
    /// Those that pointers may lead to.
    pub exposed: Vec<VarId>,
    /// Whether the function has only a few statements, and calls nothing.
    pub is_small: bool,
    /// Whether heap blocks end with its calls (`alloca`).
    pub makes_automatic_blocks: bool,
    /// Whether a jump leads into a loop from outside: such a loop is not executed.
    pub jumps_into_loops: bool,
}

/// The most statements of a small function.
const FEW_STATEMENTS: usize = 12;

impl Locals {
    /// Finds them. Pointers of unknown origin may lead to the exposed variables.
    pub(super) fn of(program: &Program, f: FunctionId, exposed: &BTreeSet<VarId>) -> Locals {
        let function = program.function(f);
        let mut all: BTreeSet<VarId> = function.parameters.iter().copied().collect();
        let (mut assigned, mut statements, mut is_plain) = (BTreeSet::new(), 0, true);
        let mut makes_automatic_blocks = false;
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
            makes_automatic_blocks |= matches!(s.kind, StmtKind::Presume(Presumption::Automatic(_)));
            statements += 1;
            is_plain &= !matches!(s.kind, StmtKind::Call { .. } | StmtKind::Loop(_) | StmtKind::Goto(_));
        });
        all.retain(|v| program.variable(*v).storage != Storage::Global);
        let is_unchanged =
            |v: VarId| !assigned.contains(&v) && is_private(program, exposed, v) && program.variable(v).ty.is_scalar();
        let unchanged = function.parameters.iter().copied().enumerate().filter(|(_, v)| is_unchanged(*v)).collect();
        let exposed = all.intersection(exposed).copied().collect();
        let is_small = is_plain && statements <= FEW_STATEMENTS;
        let jumps_into_loops = function.body.as_ref().is_some_and(|body| Jumps::of(body).enter_loops);
        Locals {
            all: all.into_iter().collect(),
            unchanged,
            exposed,
            is_small,
            makes_automatic_blocks,
            jumps_into_loops,
        }
    }
}

/// Whether no pointer leads to the variable, so that it changes only where it is named.
pub(super) fn is_private(program: &Program, exposed: &BTreeSet<VarId>, v: VarId) -> bool {
    program.variable(v).storage != Storage::Global && !exposed.contains(&v)
}

/// The local variables without pointers to which pointers may lead, with the first one of each
/// type.
pub(super) fn alike(program: &Program) -> HashMap<VarId, VarId, FxBuildHasher> {
    let mut first: Vec<VarId> = Vec::new();
    let mut found = HashMap::default();
    for v in program.exposed() {
        let variable = program.variable(v);
        if variable.storage == Storage::Global || !is_plain(&variable.ty) {
            continue;
        }
        match first.iter().find(|first| program.variable(**first).ty == variable.ty) {
            Some(first) => _ = found.insert(v, *first),
            None => {
                first.push(v);
                found.insert(v, v);
            }
        }
    }
    found
}

/// Whether it is a type of numbers, or of arrays of numbers of a length that is known.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Array(element, Length::Constant(_)) => is_plain(element),
        Type::Int(_) | Type::Float(_) => true,
        _ => false,
    }
}
