//! Proposals from assignments in the loop.

use super::finder::{Finder, Found};
use super::parts::{Bounds, Cell};
use super::sums::sum;
use crate::deduce::candidates::{direction, moved};
use crate::program::{
    BinaryOp, Block, ClaimRole, Expr, ExprKind, Formula, Root, StmtKind, Term, TermOp, VarId, each_stmt,
};
use std::collections::HashMap;

/// The bounds that assumptions of a body give to the elements of arrays.
pub(super) fn bounds(body: &Block) -> Bounds {
    let mut found = Bounds::new();
    each_stmt(body, &mut |s| {
        if let StmtKind::Claim(claim) = &s.kind
            && claim.role == ClaimRole::Assume
        {
            bounds_in(&claim.formula, &mut found);
        }
    });
    found
}

fn bounds_in(f: &Formula, found: &mut Bounds) {
    let array = |t: &Term| match t {
        Term::Read(place) => match &place.root {
            Root::Variable(l) if !place.steps.is_empty() => l.as_var(),
            _ => None,
        },
        _ => None,
    };
    match f {
        Formula::And(a, b) => {
            bounds_in(a, found);
            bounds_in(b, found);
        }
        Formula::ForAll(q) => bounds_in(&q.body, found),
        Formula::Implies(_, then) => bounds_in(then, found),
        Formula::Compare(op, a, b) => {
            for (op, a, b) in [(Some(*op), a, b), (op.exchanged(), b, a)] {
                let (Some(op), Some(array), Some(n)) = (op, array(a), sum(b).and_then(|sum| sum.as_constant())) else {
                    continue;
                };
                let (low, high) = found.entry(array).or_default();
                match op {
                    BinaryOp::LessEqual => *high = Some(n),
                    BinaryOp::Less => *high = n.checked_sub(1),
                    BinaryOp::GreaterEqual => *low = Some(n),
                    BinaryOp::Greater => *low = n.checked_add(1),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

impl Finder<'_> {
    /// Proposals from assignments of cells, and from sums of cells.
    pub(super) fn of_assignments(&self, bounds: &Bounds, found: &mut Found<'_>) {
        let (mut equal, mut sums) = (Vec::new(), Vec::new());
        let mut directions: HashMap<VarId, Option<bool>> = HashMap::new();
        for block in self.s.blocks() {
            each_stmt(block, &mut |s| {
                let StmtKind::Assign(to, e) = &s.kind else { return };
                if let Some(v) = to.as_var() {
                    let way = direction(v, e);
                    directions.entry(v).and_modify(|known| *known = known.filter(|_| *known == way)).or_insert(way);
                }
                match (to.as_var(), self.outer(self.cell_at(to))) {
                    (Some(v), _) if self.moved.contains(&v) => {
                        equal.extend(self.outer(self.cell(e)).map(|cell| (v, cell)));
                        sums.extend(self.summed(v, e, bounds));
                    }
                    (_, Some(cell)) => {
                        let value = moved(e).filter(|(v, n)| *n == 0 && self.moved.contains(v));
                        equal.extend(value.map(|(v, _)| (v, cell)));
                    }
                    _ => {}
                }
            });
        }
        let direction = |v: &VarId| directions.get(v).copied().flatten();
        for (v, cell) in equal {
            let way = direction(&cell.index);
            self.of_equal(v, &cell, way, found);
        }
        for (v, low, high) in sums {
            for counter in self.moved.iter().filter(|counter| **counter != v) {
                if let Some(up) = direction(counter) {
                    self.of_sum(v, (low, high), (*counter, up), found);
                }
            }
        }
    }

    /// That a variable is the cell that the loop left or comes to.
    fn of_equal(&self, v: VarId, cell: &Cell, way: Option<bool>, found: &mut Found<'_>) {
        let at = |n: i128| {
            let element = self.element(&cell.array, self.sum(cell.index, n));
            Formula::Compare(BinaryOp::Equal, self.variable(v), element)
        };
        found.add(at(cell.offset));
        let Some(up) = way else { return };
        let index = self.variable(cell.index);
        for end in self.ends.iter().filter(|end| !self.moves(end, end)) {
            // After the first iteration.
            let (after, last) = match up {
                true => (Formula::at_most(end.clone().plus(1), index.clone()), cell.offset - 1),
                false => (Formula::at_most(index.clone().plus(1), end.clone()), cell.offset + 1),
            };
            found.add(Formula::Implies(Box::new(after), Box::new(at(last))));
        }
    }

    /// That a sum is between multiples of what is added in each iteration.
    fn of_sum(&self, v: VarId, (low, high): (i128, i128), counter: (VarId, bool), found: &mut Found<'_>) {
        let (counter, up) = (self.variable(counter.0), counter.1);
        for end in self.ends.iter().filter(|end| !self.moves(end, end)) {
            let iterations = match up {
                true => Term::binary(TermOp::Sub, counter.clone(), end.clone()),
                false => Term::binary(TermOp::Sub, end.clone(), counter.clone()),
            };
            let iterations = self.in_one_form(iterations);
            let times = |n: i128| Term::binary(TermOp::Mul, Term::Int(n), iterations.clone());
            for low in [low, low.min(0)] {
                found.add(Formula::at_most(times(low), self.variable(v)));
            }
            for high in [high, high.max(0)] {
                found.add(Formula::at_most(self.variable(v), times(high)));
            }
        }
    }

    /// The cell, if its index lives outside the loop.
    fn outer(&self, cell: Option<Cell>) -> Option<Cell> {
        cell.filter(|cell| !self.declared.contains(&cell.index))
    }

    /// What an assignment adds to the variable: between which numbers that is.
    fn summed(&self, v: VarId, e: &Expr, bounds: &Bounds) -> Option<(VarId, i128, i128)> {
        let ExprKind::Binary(op, a, b) = &e.without_integer_casts().kind else { return None };
        if moved(a).is_none_or(|sum| sum != (v, 0)) {
            return None;
        }
        let (low, high) = bounds.get(&self.outer(self.cell(b))?.array.as_var()?)?;
        let (low, high) = ((*low)?, (*high)?);
        match op {
            BinaryOp::Add => Some((v, low, high)),
            BinaryOp::Sub => Some((v, high.checked_neg()?, low.checked_neg()?)),
            _ => None,
        }
    }
}
