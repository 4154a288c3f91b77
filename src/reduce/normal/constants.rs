//! Replaces variables by the constants that they hold.
//!
//! The pass walks forward over a body without jumps. What a branch or a loop writes is unknown
//! after it. In a loop, what the loop writes is unknown from the start. Folding computes only
//! values in the range of their type. Everything else stays as it is, undefined behaviour included.

use super::super::effects::Effects;
use crate::program::{
    Block, DataModel, Expr, ExprKind, Fold, IntKind, Loop, Program, Stmt, StmtKind, Type, UnaryOp, VarId, VisitMut,
};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

/// Propagates through the initialisers, then the body, and folds.
pub(super) fn propagate(program: &Program, body: &Block) -> Block {
    let mut addresses = BTreeSet::new();
    addresses.extend(Effects::of(body).addresses);
    addresses.extend(Effects::of(&program.initialisers).addresses);
    let mut known = ConstantPropagation { model: program.data_model, values: HashMap::new(), addresses };
    known.rebuilt(&program.initialisers);
    known.rebuilt(body)
}

struct ConstantPropagation {
    model: DataModel,
    values: HashMap<VarId, (i128, IntKind)>,
    /// Never known.
    addresses: BTreeSet<VarId>,
}

impl ConstantPropagation {
    fn forget(&mut self, effects: &Effects) {
        effects.writes.iter().for_each(|v| {
            self.values.remove(v);
        });
    }

    /// Notes what a statement writes.
    fn update(&mut self, s: &Stmt) {
        self.forget(&Effects::of_stmt(s));
        let (l, value) = match &s.kind {
            StmtKind::Assign(l, e) => (l, e.as_int()),
            StmtKind::Zero(l) => (l, Some(0)),
            _ => return,
        };
        if let (Some(v), Some(value), Type::Int(kind)) = (l.as_var(), value, &l.ty)
            && !self.addresses.contains(&v)
        {
            self.values.insert(v, (value, *kind));
        }
    }
}

impl Fold for ConstantPropagation {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        match &s.kind {
            StmtKind::If(c, then, otherwise) => {
                let kind = match self.fold_expr(c) {
                    c if c.as_int() == Some(0) => StmtKind::Block(self.fold_block(otherwise)?),
                    c if c.as_int().is_some() => StmtKind::Block(self.fold_block(then)?),
                    c => {
                        let (then, otherwise) = self.fold_branches(then, otherwise)?;
                        StmtKind::If(c, then, otherwise)
                    }
                };
                out.push(s.with(kind));
            }
            StmtKind::Loop(_) | StmtKind::Block(_) => self.fold_inside(s, out)?,
            _ => {
                self.fold_inside(s, out)?;
                out.last().into_iter().for_each(|new| self.update(new));
            }
        }
        Ok(())
    }

    fn fold_branches(&mut self, then: &[Stmt], otherwise: &[Stmt]) -> Result<(Block, Block), Infallible> {
        let before = self.values.clone();
        let then = self.fold_block(then)?;
        let after_then = std::mem::replace(&mut self.values, before);
        let otherwise = self.fold_block(otherwise)?;
        self.values.retain(|v, value| after_then.get(v) == Some(value));
        Ok((then, otherwise))
    }

    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        self.forget(&Effects::of(&l.body));
        self.forget(&Effects::of(&l.step));
        let before = self.values.clone();
        let new = self.fold_iteration(l)?;
        self.values = before;
        Ok(new)
    }

    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        Some(self)
    }
}

impl VisitMut for ConstantPropagation {
    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        let value = match &e.kind {
            ExprKind::Load(l) => {
                let value = l.as_var().and_then(|v| self.values.get(&v));
                value.filter(|(_, kind)| e.ty == Type::Int(*kind)).map(|&(n, kind)| Expr::int(n, kind, e.location))
            }
            _ => folded(e, self.model),
        };
        if let Some(value) = value {
            *e = value;
        }
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
    kind.contains(value, model).then(|| Expr::int(value, kind, e.location))
}
