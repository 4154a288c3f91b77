//! Short names for the expressions and statements that reductions write.

use crate::program::{
    AssertionId, BinaryOp, Expr, ExprKind, InputId, Location, Lvalue, Origin, Part, Program, SiteId, Stmt, StmtKind,
    Storage, Type, Use, VarId, Variable, VisitMut, each_part_of_expr, each_part_of_lvalue, each_stmt,
};

/// Whether an assertion stands somewhere in a block.
pub(super) fn asserts(block: &[Stmt], assertion: AssertionId) -> bool {
    let mut found = false;
    each_stmt(block, &mut |s| found |= matches!(s.kind, StmtKind::Assert(_, id) if id == assertion));
    found
}

/// Whether some assertion stands in a block.
pub(super) fn asserts_something(block: &[Stmt]) -> bool {
    let mut found = false;
    each_stmt(block, &mut |s| found |= matches!(s.kind, StmtKind::Assert(..)));
    found
}

/// Whether two expressions are equal, apart from their source locations. Never true with pointers
/// that are followed, and addresses.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    let mut through = false;
    each_part_of_expr(a, &mut |part| through |= is_through_pointer(part));
    !through && a.is_same(b)
}

/// The same for lvalues.
pub(super) fn same_lvalue(a: &Lvalue, b: &Lvalue) -> bool {
    let mut through = false;
    each_part_of_lvalue(a, Use::Read, &mut |part| through |= is_through_pointer(part));
    !through && a.is_same(b)
}

fn is_through_pointer(part: Part<'_>) -> bool {
    matches!(part, Part::Lvalue(l, how) if how == Use::Address || l.as_base().is_none())
}

/// The number that an expression is, if it is a constant that its casts do not change.
pub(super) fn constant(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast(a) => constant(a).filter(|n| (0..1 << 31).contains(n)),
        _ => None,
    }
}

/// A new local variable.
pub(super) fn fresh(program: &mut Program, name: impl Into<String>, ty: Type, location: Location) -> VarId {
    made(program, name.into(), Origin::Pass, ty, location)
}

/// A new local variable that is named after another: `x_before` after `x`.
pub(super) fn named_after(program: &mut Program, v: VarId, suffix: &str, ty: Type, location: Location) -> VarId {
    let variable = program.variable(v);
    let (name, origin) = (format!("{}_{suffix}", variable.name), variable.origin.derived());
    made(program, name, origin, ty, location)
}

/// A new local variable of that origin.
pub(super) fn made(program: &mut Program, name: String, origin: Origin, ty: Type, location: Location) -> VarId {
    program.add_variable(Variable { name, origin, ty, storage: Storage::Local, constant: false, location })
}

/// An arbitrary value for a variable.
pub(super) fn draw(program: &mut Program, v: VarId, at: Location) -> Stmt {
    let input = InputId(program.counters.inputs);
    program.counters.inputs += 1;
    Stmt::new(StmtKind::Input(Lvalue::var(program, v, at), input), SiteId(0), at)
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

/// `v = value;`
pub(super) fn set(program: &Program, v: VarId, value: Expr, site: SiteId, at: Location) -> Stmt {
    let value = value.cast(program.variable(v).ty.clone());
    Stmt::new(StmtKind::Assign(Lvalue::var(program, v, at), value), site, at)
}

/// Replaces the value of a variable by an expression.
pub(super) struct Substitution {
    pub(super) of: VarId,
    pub(super) to: Expr,
}

impl VisitMut for Substitution {
    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        if matches!(&e.kind, ExprKind::Load(l) if l.as_var() == Some(self.of)) {
            e.clone_from(&self.to);
        }
    }
}

/// A pointer without the casts around it.
pub(super) fn strip(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) => strip(a),
        _ => e,
    }
}

/// Whether it is a null pointer constant.
pub(super) fn is_null(e: &Expr) -> bool {
    matches!(strip(e).kind, ExprKind::Int(0))
}
