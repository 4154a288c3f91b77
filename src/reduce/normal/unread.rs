//! Pointers that nothing reads.

use super::super::terms::{is_null, strip};
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Fold, Lvalue, Part, Stmt, StmtKind, UnaryOp, Use, VarId, each_part,
    each_stmt,
};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

/// Drops the values of pointers that nothing reads, or only a comparison with null: an address that
/// nobody can use makes no other name for its object. The comparison has an arbitrary result.
pub(super) fn without_unread(pointers: &HashSet<VarId>, body: Block) -> Block {
    let mut body = body;
    loop {
        let mut reads: HashMap<VarId, i64> = HashMap::new();
        each_stmt(&body, &mut |s| {
            each_part(s, &mut |part| match part {
                Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Read | Use::Address) => {
                    *reads.entry(*v).or_default() += 1;
                }
                Part::Expr(e) => {
                    if let Some(v) = tested(e) {
                        *reads.entry(v).or_default() -= 1;
                    }
                }
                _ => {}
            });
        });
        let is_unread = |v: &&VarId| reads.get(*v).is_none_or(|n| *n == 0);
        let mut unread = Unread { pointers: pointers.iter().filter(is_unread).copied().collect(), found: false };
        body = unread.rebuilt(&body);
        // What was dropped may have been all that read another pointer.
        if !unread.found {
            return body;
        }
    }
}

/// The pointer that a condition compares with null.
fn tested(e: &Expr) -> Option<VarId> {
    let pointer = match &e.kind {
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if is_null(b) => a,
        ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) if is_null(a) => b,
        ExprKind::Unary(UnaryOp::Not, a) => a,
        _ => return None,
    };
    match &strip(pointer).kind {
        ExprKind::Load(l) => l.as_var(),
        _ => None,
    }
}

/// Pointers that nothing reads.
struct Unread {
    pointers: HashSet<VarId>,
    found: bool,
}

impl Fold for Unread {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::Assign(l, _) if l.as_var().is_some_and(|v| self.pointers.contains(&v)) => {
                self.found = true;
                out.push(s.with(StmtKind::Havoc(l.clone())));
                Ok(())
            }
            _ => self.fold_inside(s, out),
        }
    }
}
