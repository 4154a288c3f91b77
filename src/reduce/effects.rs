//! What statements read and write.

use crate::program::{Base, Expr, Lvalue, Part, Stmt, StmtKind, Use, VarId, each_part, each_part_of_expr, each_stmt};
use std::collections::BTreeSet;

/// What a block may write and read, by variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// The variables that it writes, in whole or in part. A declaration writes its variable.
    pub(super) writes: BTreeSet<VarId>,
    /// The variables that it reads, in whole or in part.
    pub(super) reads: BTreeSet<VarId>,
    /// The variables whose address it takes.
    pub(super) addresses: BTreeSet<VarId>,
    /// Whether it writes through a pointer, calls, or lets unknown code write.
    pub(super) writes_unknown: bool,
    /// Whether it reads through a pointer.
    pub(super) reads_unknown: bool,
}

impl Effects {
    /// The effects of a block and of everything inside it.
    pub(super) fn of(block: &[Stmt]) -> Effects {
        let mut effects = Effects::default();
        each_stmt(block, &mut |s| effects.add(s));
        effects
    }

    /// The effects of the statement itself, without the statements inside it.
    pub(super) fn of_stmt(stmt: &Stmt) -> Effects {
        let mut effects = Effects::default();
        effects.add(stmt);
        effects
    }

    /// The effects of evaluating an expression.
    pub(super) fn of_expr(e: &Expr) -> Effects {
        let mut effects = Effects::default();
        each_part_of_expr(e, &mut |part| {
            let Part::Lvalue(l, how) = part else { return };
            effects.lvalue(l, how);
        });
        effects
    }

    fn add(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(v) => {
                self.writes.insert(*v);
            }
            StmtKind::Call { .. } | StmtKind::HavocReachable(_) | StmtKind::Claim(_) => self.writes_unknown = true,
            _ => {}
        }
        each_part(stmt, &mut |part| {
            let Part::Lvalue(l, how) = part else { return };
            self.lvalue(l, how);
        });
    }

    fn lvalue(&mut self, l: &Lvalue, how: Use) {
        match (&l.base, how) {
            (Base::Var(v), Use::Write) => {
                self.writes.insert(*v);
            }
            (Base::Var(v), Use::Read) => {
                self.reads.insert(*v);
            }
            (Base::Var(v), Use::Address) => {
                self.addresses.insert(*v);
            }
            (Base::Deref(_), Use::Write) => self.writes_unknown = true,
            (Base::Deref(_), Use::Read) => self.reads_unknown = true,
            (Base::Deref(_), Use::Address) => {}
        }
    }
}
