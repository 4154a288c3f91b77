//! The variables that writes without a name may change: those through pointers that are not
//! resolved, and those of unknown code.

use crate::program::{
    Base, Block, Expr, ExprKind, Length, Lvalue, Part, Program, Stmt, StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use std::collections::BTreeSet;

/// The variables that writes without a name may change.
#[derive(Clone, Debug)]
pub(super) struct Reachable {
    /// The variables that a pointer of the program may lead to.
    pub(super) by_pointers: BTreeSet<VarId>,
    /// The variables that unknown code may write.
    pub(super) by_unknown_code: BTreeSet<VarId>,
}

impl Reachable {
    /// What a program reaches in that way, of which `body` runs after the initialisers.
    ///
    /// Unknown code may write the globals, whose names it may know, and all variables whose address
    /// is taken. A pointer that only the program itself made leads to a variable whose address it
    /// takes, or to no variable. So globals are among its targets only if some pointer comes from
    /// elsewhere, or is made from something that is no pointer.
    pub(super) fn of(program: &Program, body: &Block) -> Reachable {
        let mut by_pointers = BTreeSet::new();
        let mut look = |s: &Stmt| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Address) = part {
                    by_pointers.insert(*v);
                }
            });
        };
        each_stmt(&program.initialisers, &mut look);
        each_stmt(body, &mut look);
        // The body does not stand in the program, whose entry has none.
        let mut by_unknown_code = program.exposed();
        by_unknown_code.extend(&by_pointers);
        if has_other_pointers(program, body) {
            by_pointers.clone_from(&by_unknown_code);
        }
        Reachable { by_pointers, by_unknown_code }
    }
}

/// Whether some pointer may come from elsewhere than the program's own operations on pointers.
fn has_other_pointers(program: &Program, body: &Block) -> bool {
    let of_elsewhere = |v: &VarId| !matches!(program.variable(*v).ty, Type::Int(_) | Type::Float(_));
    let has_own_size = |v: &VarId| !matches!(program.variable(*v).ty, Type::Array(_, Length::Unknown));
    // Members of unions share bytes: a number may be read as a pointer.
    let mixes = |s: &crate::program::StructType| s.is_union && s.members.iter().any(|m| program.holds_pointers(&m.ty));
    let mut found = program.function(program.entry).parameters.iter().any(of_elsewhere)
        || !program.globals.iter().all(has_own_size)
        || program.structs.iter().any(mixes);
    let mut look = |s: &Stmt| {
        found |= match &s.kind {
            StmtKind::Call { .. } | StmtKind::HavocReachable(_) => true,
            StmtKind::Havoc(l) | StmtKind::Input(l, _) => program.holds_pointers(&l.ty),
            _ => false,
        };
        each_part(s, &mut |part| {
            if let Part::Expr(e) = part {
                found |= makes_pointer(program, e);
            }
        });
    };
    each_stmt(&program.initialisers, &mut look);
    each_stmt(body, &mut look);
    found
}

/// Whether a conversion makes a pointer from a number, or lets something be read as a pointer that
/// was written as something else.
fn makes_pointer(program: &Program, e: &Expr) -> bool {
    let (ExprKind::Cast(a), Type::Pointer(to)) = (&e.kind, &e.ty) else { return false };
    match &a.ty {
        Type::Pointer(from) => from != to && program.holds_pointers(to),
        _ => a.as_int() != Some(0),
    }
}
