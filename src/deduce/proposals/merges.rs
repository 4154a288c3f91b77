//! Proposals about elements that come from other places, the smallest or the greatest first.
//!
//! Where a loop merges sorted sequences, what it has written is at most what it comes to: `i < n
//! ==> \forall integer l; 0 <= l < k ==> c[l] <= a[i]`.

use super::finder::{Finder, Found};
use super::parts::Cell;
use super::sums::sum;
use crate::deduce::candidates::moved;
use crate::program::{BinaryOp, BoundId, ForAll, Formula, StmtKind, Term, VarId, each_stmt};

/// A moved variable, and what it is compared with, which does not move.
struct Limit {
    of: VarId,
    op: BinaryOp,
    term: Term,
}

impl Finder<'_> {
    /// Between which limits variables are that conditions in the loop compare; and that the
    /// elements of a stretch that the loop writes are at most, or at least, the cells that it
    /// compares.
    pub(super) fn of_merges(&self, found: &mut Found<'_>) {
        let limits = self.limits();
        for Limit { of, term, .. } in &limits {
            for op in [BinaryOp::LessEqual, BinaryOp::GreaterEqual] {
                found.add(Formula::Compare(op, self.variable(*of), term.clone()));
            }
        }
        let written = self.written_cells();
        for (op, a, b) in self.compared_in_loop() {
            let (Some(a), Some(b)) = (self.cell(&a), self.cell(&b)) else { continue };
            let is_order = !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
            if !is_order || (a.array.as_var(), a.index) == (b.array.as_var(), b.index) {
                continue;
            }
            for write in &written {
                for cell in [&a, &b] {
                    let next = self.element(&cell.array, self.sum(cell.index, cell.offset));
                    if !self.is_inside(&next) {
                        self.of_next(write, &next, limits.iter().filter(|limit| limit.of == cell.index), found);
                    }
                }
            }
        }
    }

    /// That the elements behind a write are at most, or at least, a cell, while a limit is not
    /// reached.
    fn of_next<'l>(&self, write: &Cell, next: &Term, limits: impl Iterator<Item = &'l Limit>, found: &mut Found<'_>) {
        let conditions: Vec<Formula> = limits
            .flat_map(|Limit { of, op, term }| {
                let ops = [Some(*op), op.negated()].into_iter().flatten();
                ops.map(|op| Formula::Compare(op, self.variable(*of), term.clone()))
            })
            .collect();
        let bound = BoundId(0);
        let is_behind = |end: &Term| sum(end).is_some_and(|sum| sum.terms.contains_key(&write.index));
        for low in &self.ends {
            for high in self.ends.iter().filter(|high| is_behind(low) != is_behind(high)) {
                for op in [BinaryOp::LessEqual, BinaryOp::GreaterEqual] {
                    let body = Formula::Compare(op, self.element(&write.array, Term::Bound(bound)), next.clone());
                    let (low, high) = (low.clone(), high.clone());
                    let all = Formula::ForAll(Box::new(ForAll { bound, name: "k".to_owned(), low, high, body }));
                    found.extend(
                        conditions.iter().map(|c| Formula::Implies(Box::new(c.clone()), Box::new(all.clone()))),
                    );
                    found.add(all);
                }
            }
        }
    }

    /// The comparisons of moved variables with what does not move.
    fn limits(&self) -> Vec<Limit> {
        let mut limits: Vec<Limit> = Vec::new();
        for (op, a, b) in self.compared_in_loop() {
            for (op, a, b) in [(Some(op), &a, &b), (op.exchanged(), &b, &a)] {
                let (Some(op), Some((of, 0)), Some(term)) = (op, moved(a), self.number(b)) else { continue };
                let is_new = |limit: &Limit| limit.of != of || limit.op != op || !limit.term.is_same(&term);
                if self.moved.contains(&of)
                    && !self.moves(&term, &term)
                    && !self.is_inside(&term)
                    && limits.iter().all(is_new)
                {
                    limits.push(Limit { of, op, term });
                }
            }
        }
        limits
    }

    /// The cells that the loop writes, one for each array and variable in the index.
    fn written_cells(&self) -> Vec<Cell> {
        let mut written: Vec<Cell> = Vec::new();
        for block in self.s.blocks() {
            each_stmt(block, &mut |s| {
                if let StmtKind::Assign(to, _) = &s.kind
                    && let Some(cell) = self.cell_at(to)
                    && written.iter().all(|w| (w.array.as_var(), w.index) != (cell.array.as_var(), cell.index))
                {
                    written.push(cell);
                }
            });
        }
        written
    }
}
