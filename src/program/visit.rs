//! Walks over the parts of statements.

use super::{Base, Callee, Expr, ExprKind, Lvalue, Root, Step, Stmt, StmtKind};

/// What a walk over the expressions of a statement comes by.
#[derive(Clone, Copy)]
pub enum Part<'p> {
    /// An expression.
    Expr(&'p Expr),
    /// An lvalue, and whether it is written (the target of the statement), read, or has its address taken.
    Lvalue(&'p Lvalue, Use),
}

/// What is done with an lvalue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its value is read.
    Read,
    /// Its value changes.
    Write,
    /// Its address is taken.
    Address,
}

/// Calls `f` on every expression of the statement itself (not of statements inside it), outer before inner.
pub fn each_expr<'p>(stmt: &'p Stmt, f: &mut impl FnMut(&'p Expr)) {
    each_part(stmt, &mut |part| {
        if let Part::Expr(e) = part {
            f(e);
        }
    });
}

/// Calls `f` on every expression and lvalue of the statement itself, outer before inner.
pub fn each_part<'p>(stmt: &'p Stmt, f: &mut impl FnMut(Part<'p>)) {
    match &stmt.kind {
        StmtKind::Assign(l, e) => {
            lvalue(l, Use::Write, f);
            expr(e, f);
        }
        StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => lvalue(l, Use::Write, f),
        StmtKind::HavocReachable(es) => es.iter().for_each(|e| expr(e, f)),
        StmtKind::Blocks(blocks) => blocks.operands().for_each(|e| expr(e, f)),
        StmtKind::Allocate { target, count, .. } => {
            lvalue(target, Use::Write, f);
            expr(count, f);
        }
        StmtKind::Call { target, callee, arguments } => {
            target.iter().for_each(|t| lvalue(t, Use::Write, f));
            if let Callee::Pointer(e) = callee {
                expr(e, f);
            }
            arguments.iter().for_each(|e| expr(e, f));
        }
        StmtKind::If(e, ..) | StmtKind::Assume(e) | StmtKind::Assert(e, _) | StmtKind::Return(Some(e)) => expr(e, f),
        StmtKind::Loop(l) => expr(&l.condition, f),
        StmtKind::Presume(presumption) => presumption.operands().into_iter().for_each(|e| expr(e, f)),
        StmtKind::Claim(claim) => claim.formula.each_place(&mut |place| match &place.root {
            Root::Variable(l) => lvalue(l, Use::Read, f),
            Root::Pointer { pointer, .. } => expr(pointer, f),
        }),
        StmtKind::Declare(_)
        | StmtKind::Return(None)
        | StmtKind::Block(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Stop
        | StmtKind::Skip => {}
    }
}

fn lvalue<'p>(l: &'p Lvalue, how: Use, f: &mut impl FnMut(Part<'p>)) {
    f(Part::Lvalue(l, how));
    if let Base::Deref(p) = &l.base {
        expr(p, f);
    }
    for step in &l.path {
        if let Step::Index(e) = step {
            expr(e, f);
        }
    }
}

/// Calls `f` on every part of an expression, the expression itself first.
fn expr<'p>(e: &'p Expr, f: &mut impl FnMut(Part<'p>)) {
    f(Part::Expr(e));
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
        ExprKind::Load(l) => lvalue(l, Use::Read, f),
        ExprKind::AddressOf(l) => lvalue(l, Use::Address, f),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => expr(a, f),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            expr(a, f);
            expr(b, f);
        }
        ExprKind::Conditional(c, a, b) => {
            expr(c, f);
            expr(a, f);
            expr(b, f);
        }
    }
}

/// Calls `f` on every expression and lvalue inside an expression, the expression itself first.
pub fn each_part_of_expr<'p>(e: &'p Expr, f: &mut impl FnMut(Part<'p>)) {
    expr(e, f);
}

/// Calls `f` on an lvalue and on every expression and lvalue inside it.
pub fn each_part_of_lvalue<'p>(l: &'p Lvalue, how: Use, f: &mut impl FnMut(Part<'p>)) {
    lvalue(l, how, f);
}
