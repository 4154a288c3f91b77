//! Short names for the expressions and statements that reductions write.

use crate::program::{
    BinaryOp, Expr, Location, Lvalue, Program, SiteId, Stmt, StmtKind, Storage, Type, VarId, Variable,
};

/// A new local variable.
pub(super) fn fresh(program: &mut Program, name: impl Into<String>, ty: Type, location: Location) -> VarId {
    program.add_variable(Variable { name: name.into(), ty, storage: Storage::Local, location })
}

/// `v`
pub(super) fn load(program: &Program, v: VarId, at: Location) -> Expr {
    Expr::load(Lvalue::var(program, v, at))
}

/// A constant of type `int`.
pub(super) fn int(value: i128, at: Location) -> Expr {
    Expr::int(value, crate::program::IntKind::Int, at)
}

/// `a op b`, for a comparison.
pub(super) fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, Type::INT)
}

/// `a && b`
pub(super) fn and(a: Expr, b: Expr) -> Expr {
    let at = a.location;
    Expr::new(crate::program::ExprKind::And(Box::new(a), Box::new(b)), Type::INT, at)
}

/// `a || b`
pub(super) fn or(a: Expr, b: Expr) -> Expr {
    let at = a.location;
    Expr::new(crate::program::ExprKind::Or(Box::new(a), Box::new(b)), Type::INT, at)
}

/// `c ? a : b`
pub(super) fn conditional(c: Expr, a: Expr, b: Expr) -> Expr {
    let (at, ty) = (c.location, a.ty.clone());
    Expr::new(crate::program::ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty, at)
}

/// Whether one of these variables is not 0. `None` without variables.
pub(super) fn any(program: &Program, flags: impl IntoIterator<Item = VarId>, at: Location) -> Option<Expr> {
    flags.into_iter().map(|f| load(program, f, at)).reduce(or)
}

/// A statement that belongs to a place of the source.
pub(super) fn stmt(kind: StmtKind, site: SiteId, location: Location) -> Stmt {
    Stmt { kind, site, location }
}

/// `v = value;`
pub(super) fn set(program: &Program, v: VarId, value: Expr, site: SiteId, at: Location) -> Stmt {
    let value = value.cast(program.variable(v).ty.clone());
    stmt(StmtKind::Assign(Lvalue::var(program, v, at), value), site, at)
}
