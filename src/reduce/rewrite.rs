//! Rebuilds statements with other expressions in them.

use crate::program::{Base, Block, Expr, ExprKind, Loop, Lvalue, Step, Stmt, StmtKind, VarId};

/// What is put in the place of expressions and lvalues. Parts are rewritten before what they are parts of.
pub(super) trait Rewrite {
    /// In the place of an expression.
    fn expr(&mut self, e: Expr) -> Expr {
        e
    }

    /// In the place of a variable that is declared.
    fn declared(&mut self, v: VarId) -> VarId {
        v
    }

    /// In the place of an lvalue, read or written.
    fn lvalue(&mut self, l: Lvalue) -> Lvalue {
        l
    }
}

/// Rewrites an expression.
pub(super) fn expr(e: &Expr, with: &mut dyn Rewrite) -> Expr {
    let kind = match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => e.kind.clone(),
        ExprKind::Load(l) => ExprKind::Load(lvalue(l, with)),
        ExprKind::AddressOf(l) => ExprKind::AddressOf(lvalue(l, with)),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a, with)),
        ExprKind::Cast(a) => ExprKind::Cast(boxed(a, with)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a, with), boxed(b, with)),
        ExprKind::And(a, b) => ExprKind::And(boxed(a, with), boxed(b, with)),
        ExprKind::Or(a, b) => ExprKind::Or(boxed(a, with), boxed(b, with)),
        ExprKind::Conditional(c, a, b) => ExprKind::Conditional(boxed(c, with), boxed(a, with), boxed(b, with)),
    };
    with.expr(Expr { kind, ty: e.ty.clone(), location: e.location })
}

fn boxed(e: &Expr, with: &mut dyn Rewrite) -> Box<Expr> {
    Box::new(expr(e, with))
}

/// Rewrites an lvalue.
pub(super) fn lvalue(l: &Lvalue, with: &mut dyn Rewrite) -> Lvalue {
    let base = match &l.base {
        Base::Var(v) => Base::Var(*v),
        Base::Deref(p) => Base::Deref(boxed(p, with)),
    };
    let step = |s: &Step| match s {
        Step::Field(id, n) => Step::Field(*id, *n),
        Step::Index(e) => Step::Index(expr(e, with)),
    };
    let path = l.path.iter().map(step).collect();
    with.lvalue(Lvalue { base, path, ty: l.ty.clone(), location: l.location })
}

/// Rewrites the expressions of one statement, and of the statements inside it.
pub(super) fn stmt(s: &Stmt, with: &mut dyn Rewrite) -> Stmt {
    let kind = match &s.kind {
        StmtKind::Assign(l, e) => {
            let e = expr(e, with);
            StmtKind::Assign(lvalue(l, with), e)
        }
        StmtKind::Input(l, i) => StmtKind::Input(lvalue(l, with), *i),
        StmtKind::Zero(l) => StmtKind::Zero(lvalue(l, with)),
        StmtKind::Havoc(l) => StmtKind::Havoc(lvalue(l, with)),
        StmtKind::HavocReachable(es) => StmtKind::HavocReachable(es.iter().map(|e| expr(e, with)).collect()),
        StmtKind::Allocate { target, element, count, zeroed } => StmtKind::Allocate {
            target: lvalue(target, with),
            element: element.clone(),
            count: expr(count, with),
            zeroed: *zeroed,
        },
        StmtKind::Call { target, callee, arguments } => StmtKind::Call {
            target: target.as_ref().map(|t| lvalue(t, with)),
            callee: callee.clone(),
            arguments: arguments.iter().map(|e| expr(e, with)).collect(),
        },
        StmtKind::If(c, a, b) => {
            let c = expr(c, with);
            StmtKind::If(c, block(a, with), block(b, with))
        }
        StmtKind::Loop(l) => StmtKind::Loop(Box::new(Loop {
            id: l.id,
            kind: l.kind,
            condition: expr(&l.condition, with),
            body: block(&l.body, with),
            step: block(&l.step, with),
        })),
        StmtKind::Block(b) => StmtKind::Block(block(b, with)),
        StmtKind::Return(Some(e)) => StmtKind::Return(Some(expr(e, with))),
        StmtKind::Assume(e) => StmtKind::Assume(expr(e, with)),
        StmtKind::Assert(e, a) => StmtKind::Assert(expr(e, with), *a),
        StmtKind::Declare(v) => StmtKind::Declare(with.declared(*v)),
        kind @ (StmtKind::Claim(_)
        | StmtKind::Return(None)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Stop
        | StmtKind::Skip) => kind.clone(),
        StmtKind::Blocks(_) | StmtKind::Presume(_) => StmtKind::Skip,
    };
    Stmt { kind, ..*s }
}

/// Rewrites the expressions of a block.
pub(super) fn block(b: &Block, with: &mut dyn Rewrite) -> Block {
    b.iter().map(|s| stmt(s, with)).collect()
}
