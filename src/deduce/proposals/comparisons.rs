//! Proposals from comparisons in the loop.

use super::finder::{Finder, Found};
use super::parts::{Cell, comparisons};
use crate::program::{BinaryOp, BoundId, Expr, ForAll, Formula, Lvalue, Stmt, StmtKind, Term, TermOp, each_stmt};

impl Finder<'_> {
    /// What the conditions in the loop compare.
    pub(super) fn compared_in_loop(&self) -> Vec<(BinaryOp, Expr, Expr)> {
        let mut compared: Vec<(BinaryOp, Expr, Expr)> = Vec::new();
        let mut look = |e: &Expr| comparisons(e, &mut |op, a, b| compared.push((op, a.clone(), b.clone())));
        let mut of = |s: &Stmt| match &s.kind {
            StmtKind::If(c, ..) => look(c),
            StmtKind::Loop(l) => look(&l.condition),
            _ => {}
        };
        of(self.s);
        for block in self.s.blocks() {
            each_stmt(block, &mut of);
        }
        compared
    }

    /// Proposals from comparisons with a cell whose index is a variable plus a number.
    pub(super) fn of_comparisons(&self, found: &mut Found<'_>) {
        for (op, a, b) in self.compared_in_loop() {
            for (op, cell, other) in [(Some(op), &a, &b), (op.exchanged(), &b, &a)] {
                let Some(op) = op else { continue };
                let Some(Cell { array, index: v, offset }) = self.cell(cell) else { continue };
                let bound = BoundId(0);
                let at_bound = |n: i128, array: &Lvalue| {
                    let index = match n {
                        0 => Term::Bound(bound),
                        n => Term::Binary(TermOp::Add, Box::new(Term::Bound(bound)), Box::new(Term::Int(n))),
                    };
                    self.element(array, index)
                };
                let left = at_bound(0, &array);
                let mut rights = match self.cell(other) {
                    Some(Cell { array, index: w, offset: n }) => {
                        let mut rights = Vec::new();
                        if w == v {
                            // Both move, or the one on the left alone takes another's place.
                            rights.push(at_bound(n - offset, &array));
                            rights.push(self.element(&array, self.sum(w, n)));
                            rights.push(self.element(&array, self.sum(v, offset)));
                        } else {
                            rights.push(self.element(&array, self.sum(w, n)));
                        }
                        rights
                    }
                    None => self.number(other).into_iter().collect(),
                };
                rights.retain(|t| !self.is_inside(t));
                for low in &self.ends {
                    for high in &self.ends {
                        if low.is_same(high) || !self.moves(low, high) {
                            continue;
                        }
                        for (op, right) in with_negations(op, &rights) {
                            let body = Formula::Compare(op, left.clone(), right.clone());
                            found.add(Formula::ForAll(Box::new(ForAll {
                                bound,
                                name: "k".to_owned(),
                                low: low.clone(),
                                high: high.clone(),
                                body,
                            })));
                        }
                    }
                }
            }
        }
    }
}

/// An operator and its negation, each with each of the terms. Where numbers are compared for being
/// equal, they may be in order, too.
fn with_negations(op: BinaryOp, terms: &[Term]) -> impl Iterator<Item = (BinaryOp, &Term)> {
    let ops = match op {
        BinaryOp::Equal | BinaryOp::NotEqual => {
            vec![BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::LessEqual, BinaryOp::GreaterEqual]
        }
        op => [Some(op), op.negated()].into_iter().flatten().collect(),
    };
    terms.iter().flat_map(move |t| ops.clone().into_iter().map(move |op| (op, t)))
}
