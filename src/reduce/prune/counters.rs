//! Replaces counters that are read as values.
//!
//! The iteration of the pruned program that stands for another has another counter. So a read of a
//! counter's value becomes a read of an array at that place. Nothing writes the array, and all
//! loops share it. The resulting program has more runs, among them those in which each cell of the
//! array holds the number of its place. What holds for any contents of the array (`a[i] = i` and
//! then `a[i] == i`) is proved. Conditions on the counter's remainder, or on its side of a
//! constant, stay as they are if the bound takes account of them.

use super::super::normal::{Counted, NormalPart};
use super::super::terms::fresh;
use super::terms::{constant, displaced, mentions};
use crate::program::{
    Base, BinaryOp, DataModel, Expr, ExprKind, IntKind, Length, Lvalue, Program, SiteId, Step, Stmt, StmtKind, Type,
    Use, VarId, VisitMut, rewritten,
};

/// Which uses of counters stay in expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Remainders, and comparisons with constants.
    Conditions,
    Nothing,
}

/// Replaces counters that are read as values by an array. Returns `None` if no counter is read so.
pub(super) fn as_cells(program: &mut Program, parts: &[NormalPart], keep: Keep) -> Option<Vec<NormalPart>> {
    let loops: Vec<&Counted> =
        parts.iter().filter_map(|p| if let NormalPart::Loop(l) = p { Some(l) } else { None }).collect();
    let data = program.data_model;
    // No counter is negative if it counts up from 0 or more, or down to it. Then the array holds no
    // negative number either.
    let least = |l: &Counted| constant(if l.step > 0 { &l.first } else { &l.bound }, data);
    let natural = loops.iter().all(|l| least(l).is_some_and(|n| n >= 0));
    let masks = loops.iter().map(|l| program.variable(l.counter).ty.as_int().map(|kind| kind.max(data)));
    let mut masks: Vec<Option<i128>> = masks.map(|mask| mask.filter(|_| natural)).collect();
    masks.reverse();
    let at = program.function(program.entry).location;
    let ty = Type::Array(Box::new(Type::Int(IntKind::ULongLong)), Length::Unknown);
    let numbers = fresh(program, "number", ty, at);
    let mut cells = Cells { data, numbers, mask: None, keep, counter: VarId(0), found: false };
    let mut out: Vec<NormalPart> = Vec::with_capacity(parts.len() + 1);
    out.push(NormalPart::Straight(vec![Stmt::new(StmtKind::Declare(numbers), SiteId(0), at)]));
    for part in parts {
        out.push(match part {
            NormalPart::Straight(b) => NormalPart::Straight(b.clone()),
            NormalPart::Loop(l) => {
                cells.counter = l.counter;
                cells.mask = masks.pop().flatten();
                NormalPart::Loop(Counted { body: rewritten(&l.body, &mut cells), ..l.clone() })
            }
        });
    }
    cells.found.then_some(out)
}

struct Cells {
    data: DataModel,
    numbers: VarId,
    /// The largest number of the counter's type, where counters are not negative.
    mask: Option<i128>,
    keep: Keep,
    counter: VarId,
    found: bool,
}

impl VisitMut for Cells {
    fn parts(&mut self, s: &mut Stmt) {
        match &mut s.kind {
            StmtKind::Assign(_, e) | StmtKind::Assume(e) | StmtKind::Assert(e, _) | StmtKind::If(e, ..) => self.expr(e),
            _ => {}
        }
    }

    /// An expression whose value matters.
    fn expr(&mut self, e: &mut Expr) {
        if self.keep == Keep::Conditions && self.is_condition(e) {
            return;
        }
        if matches!(&e.kind, ExprKind::Load(l) if l.as_var() == Some(self.counter)) {
            *e = self.number(e);
        } else {
            self.walk_expr(e);
        }
    }

    /// Indices stay as they are.
    fn lvalue(&mut self, _: &mut Lvalue, _: Use) {}
}

impl Cells {
    fn is_condition(&self, e: &Expr) -> bool {
        let ExprKind::Binary(op, a, b) = &e.kind else { return false };
        let counts = |e: &Expr| {
            let base = displaced(e, self.data).base;
            matches!(&base.kind, ExprKind::Load(l) if l.as_var() == Some(self.counter))
        };
        let is_constant = |e: &Expr| constant(e, self.data).is_some();
        (*op == BinaryOp::Rem || op.is_comparison()) && counts(a) && is_constant(b)
            || op.is_comparison() && is_constant(a) && counts(b)
    }

    /// The cell of the array at the counter `e`.
    fn number(&mut self, e: &Expr) -> Expr {
        self.found = true;
        let (at, ty) = (e.location, Type::Int(IntKind::ULongLong));
        let cell =
            Lvalue { base: Base::Var(self.numbers), path: vec![Step::Index(e.clone())], ty: ty.clone(), location: at };
        let mut number = Expr::load(cell);
        if let Some(mask) = self.mask {
            number = Expr::binary(BinaryOp::BitAnd, number, Expr::int(mask, IntKind::ULongLong, at), ty);
        }
        number.cast(e.ty.clone())
    }
}

/// Whether some loop has a condition on its counter alone, or one that looks like it.
pub(super) fn has_conditions(parts: &[NormalPart]) -> bool {
    parts.iter().any(|p| match p {
        NormalPart::Straight(_) => false,
        NormalPart::Loop(l) => {
            let mut found = false;
            crate::program::each_stmt(&l.body, &mut |s| {
                crate::program::each_expr(s, &mut |e| {
                    let looks =
                        matches!(&e.kind, ExprKind::Binary(op, ..) if *op == BinaryOp::Rem || op.is_comparison());
                    found |= looks && mentions(e, l.counter);
                });
            });
            found
        }
    })
}
