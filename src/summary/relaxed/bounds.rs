//! Bounds of the cells of an array that a loop writes at arbitrary places.
//!
//! **Why they hold.** Before each iteration and after the loop, a cell holds what it held before
//! the loop or what the last iteration that wrote it has left there. What an iteration may leave is
//! a list of cases (`cells`). The condition of a case says something of the cell alone, once the
//! unknowns of the iteration are eliminated ([`Consequence`]): in `t[p] = p > q ? 1 : t[p]` cell
//! `k` becomes 1 where `k = p` and `p > q`, so nothing is known of `k`; in `if (p > 3) t[p] = 1` it
//! does only where `k > 3`.

use super::arrays::{Bounds, Range, RelaxedArray, indexes};
use super::writer::{Consequence, Writer};
use crate::summary::cells::{Array, Cell};
use smalti_terms::{Context, Term, Var};

/// Bounds of the cells before each iteration of a loop and after it. `known` are arrays that
/// became any array earlier.
pub(super) fn found(c: &Context, writer: &Writer, known: &[RelaxedArray]) -> Bounds {
    let indexes = indexes(c, writer.rank);
    let at: Vec<Term> = indexes.iter().map(|k| c.var(*k)).collect();
    let start = c.read(writer.start, &at);
    let mut range = Range::of(c, known, start);
    for step in writer.steps() {
        let array = Array { before: writer.before, start: writer.start, rank: writer.rank };
        let Some(cell) = Cell::new(c, array, step.after, writer.n) else {
            return Bounds { indexes, range: None };
        };
        let of_cell = [cell.value, cell.others];
        let by: Vec<(Var, Term)> = cell.indexes.iter().copied().zip(at.iter().copied()).collect();
        for case in cell.writes(c) {
            if let Some(left) = Consequence::of(c, writer, step, case, &of_cell) {
                range.may_be(left.over(c, &by));
            }
        }
    }
    Bounds { indexes, range: Some(range) }
}
