//! Puts constants in the place of variables that hold them.
//!
//! A forward walk over a body without jumps. What a branch or a loop writes is not known behind it; in a loop, what the loop writes is not
//! known at all. Folding computes only what stays in the range of its type: everything else is left as it is, undefined behaviour included.

use super::super::effects::Effects;
use super::super::rewrite::{self, Rewrite};
use crate::program::{Block, DataModel, Expr, ExprKind, IntKind, Program, Stmt, StmtKind, Type, UnaryOp, VarId};
use std::collections::{BTreeSet, HashMap};

/// Propagates through the initialisers, then the body, and folds.
pub(super) fn propagate(program: &Program, body: &Block) -> Block {
    let mut addresses = BTreeSet::new();
    addresses.extend(Effects::of(body).addresses);
    addresses.extend(Effects::of(&program.initialisers).addresses);
    let mut known = Known { model: program.data_model, values: HashMap::new(), addresses };
    known.block(&program.initialisers);
    known.block(body)
}

struct Known {
    model: DataModel,
    values: HashMap<VarId, (i128, IntKind)>,
    /// Never known.
    addresses: BTreeSet<VarId>,
}

impl Known {
    fn block(&mut self, block: &Block) -> Block {
        block.iter().map(|s| self.stmt(s)).collect()
    }

    fn forget(&mut self, effects: &Effects) {
        effects.writes.iter().for_each(|v| {
            self.values.remove(v);
        });
    }

    fn stmt(&mut self, s: &Stmt) -> Stmt {
        let kind = match &s.kind {
            StmtKind::If(c, a, b) => {
                let c = rewrite::expr(c, self);
                match c.as_int() {
                    Some(0) => StmtKind::Block(self.block(b)),
                    Some(_) => StmtKind::Block(self.block(a)),
                    None => {
                        let before = self.values.clone();
                        let a = self.block(a);
                        let behind = std::mem::replace(&mut self.values, before);
                        let b = self.block(b);
                        self.values.retain(|v, value| behind.get(v) == Some(value));
                        StmtKind::If(c, a, b)
                    }
                }
            }
            StmtKind::Loop(l) => {
                self.forget(&Effects::of(&l.body));
                self.forget(&Effects::of(&l.step));
                let mut l = l.clone();
                let before = self.values.clone();
                l.condition = rewrite::expr(&l.condition, self);
                l.body = self.block(&l.body);
                l.step = self.block(&l.step);
                self.values = before;
                StmtKind::Loop(l)
            }
            _ => {
                let new = rewrite::stmt(s, self);
                self.forget(&Effects::of_stmt(s));
                match &new.kind {
                    StmtKind::Assign(l, e) => {
                        if let (Some(v), Some(value), Type::Int(kind)) = (l.as_var(), e.as_int(), &l.ty)
                            && !self.addresses.contains(&v)
                        {
                            self.values.insert(v, (value, *kind));
                        }
                    }
                    StmtKind::Zero(l) => {
                        if let (Some(v), Type::Int(kind)) = (l.as_var(), &l.ty)
                            && !self.addresses.contains(&v)
                        {
                            self.values.insert(v, (0, *kind));
                        }
                    }
                    _ => {}
                }
                return new;
            }
        };
        Stmt { kind, ..*s }
    }
}

impl Rewrite for Known {
    fn expr(&mut self, e: Expr) -> Expr {
        if let ExprKind::Load(l) = &e.kind {
            let value = l.as_var().and_then(|v| self.values.get(&v));
            return match value {
                Some(&(value, kind)) if e.ty == Type::Int(kind) => Expr::int(value, kind, e.location),
                _ => e,
            };
        }
        folded(&e, self.model).unwrap_or(e)
    }
}

/// The expression with its constant operation done, if it is one that stays in range.
pub(crate) fn folded(e: &Expr, model: DataModel) -> Option<Expr> {
    let Type::Int(kind) = e.ty else { return None };
    let value = match &e.kind {
        ExprKind::Cast(a) => {
            matches!(a.ty, Type::Int(_)).then_some(())?;
            kind.wrap(a.as_int()?, model)
        }
        ExprKind::Unary(UnaryOp::Negate, a) => a.as_int()?.checked_neg()?,
        ExprKind::Unary(UnaryOp::Not, a) => i128::from(a.as_int()? == 0),
        ExprKind::Binary(op, a, b) => {
            let operands = a.ty.as_int().filter(|_| b.ty.as_int().is_some())?;
            op.of_constants(a.as_int()?, b.as_int()?, operands, kind, model)?
        }
        ExprKind::And(a, b) => match (a.as_int()?, b.as_int()) {
            (0, _) => 0,
            (_, Some(b)) => i128::from(b != 0),
            _ => return None,
        },
        ExprKind::Or(a, b) => match (a.as_int()?, b.as_int()) {
            (0, Some(b)) => i128::from(b != 0),
            (0, None) => return None,
            _ => 1,
        },
        ExprKind::Conditional(c, a, b) => {
            let part = if c.as_int()? != 0 { a } else { b };
            return (part.ty == e.ty).then(|| (**part).clone());
        }
        _ => return None,
    };
    (kind.min(model)..=kind.max(model)).contains(&value).then(|| Expr::int(value, kind, e.location))
}
