//! Where the growth of intervals stops first ("widening with thresholds": Blanchet et al., "A
//! static analyzer for large safety-critical software", PLDI 2003).

use super::engine::Values;
use super::value::Thresholds;
use crate::program::{BinaryOp, DataModel, ExprKind, IntKind, Program, Stmt, each_expr, each_stmt};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many numbers are taken: those with which the program compares most often, and one of each
/// magnitude. Few steps of a chain stop at numbers, so the numbers must not be too close.
const MOST: usize = 60;
/// How many binary digits more the numbers of the next magnitude have.
const NEAR: u32 = 1;
/// The same two where each step takes long.
const FEW: usize = 6;
const FAR: u32 = 4;

/// How often numbers are compared with, or bound a remainder.
#[derive(Default)]
struct Uses(BTreeMap<i128, usize>);

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for block in program.functions.iter().filter_map(|f| f.body.as_ref()) {
            each_stmt(block, &mut |s| uses.add(s));
        }
        uses
    }

    fn add(&mut self, stmt: &Stmt) {
        each_expr(stmt, &mut |e| {
            if let ExprKind::Binary(op, a, b) = &e.kind
                && (op.is_comparison() || *op == BinaryOp::Rem)
            {
                let numbers = [a, b].into_iter().filter_map(|e| e.without_integer_casts().as_int());
                numbers.for_each(|n| *self.0.entry(n).or_default() += 1);
            }
        });
    }

    /// The numbers that are taken: so many, and one of each magnitude.
    fn taken(self, few: usize, digits: u32) -> BTreeSet<i128> {
        let mut most: BTreeMap<(bool, u32), (usize, Reverse<u128>, i128)> = BTreeMap::new();
        for (n, count) in &self.0 {
            let size = n.unsigned_abs();
            let magnitude = most.entry((*n < 0, size.checked_ilog2().map_or(0, |log| log / digits + 1))).or_default();
            *magnitude = (*magnitude).max((*count, Reverse(size), *n));
        }
        let mut often: Vec<(i128, usize)> = self.0.into_iter().collect();
        often.sort_by_key(|(_, count)| Reverse(*count));
        let often = often.into_iter().take(few).map(|(n, _)| n);
        most.into_values().map(|(_, _, n)| n).chain(often).collect()
    }
}

impl Thresholds {
    /// The numbers with which a program compares, and the ends of the ranges of types.
    pub(super) fn of(program: &Program) -> Thresholds {
        Thresholds::close_to(Uses::of(program).taken(MOST, NEAR), of_types(program.data_model))
    }

    /// Only a few of them, far from each other.
    pub(super) fn few(program: &Program) -> Thresholds {
        Thresholds::new(Uses::of(program).taken(FEW, FAR).into_iter().chain(of_types(program.data_model)))
    }

    /// The ends of the ranges of types.
    pub(super) fn of_types(model: DataModel) -> Thresholds {
        Thresholds::new(of_types(model))
    }

    fn close_to(numbers: BTreeSet<i128>, others: impl Iterator<Item = i128>) -> Thresholds {
        Thresholds::new(numbers.into_iter().flat_map(|n| [n - 1, n, n + 1]).chain(others))
    }
}

impl<'p> Values<'p> {
    /// Where the growth of intervals in a loop stops first: also at all numbers of the loop.
    pub(super) fn thresholds_in(&mut self, stmt: &'p Stmt) -> Rc<Thresholds> {
        let all = &self.thresholds;
        let of_loop = || {
            let mut uses = Uses::default();
            uses.add(stmt);
            stmt.blocks().for_each(|block| each_stmt(block, &mut |s| uses.add(s)));
            Rc::new(Thresholds::close_to(uses.taken(MOST, NEAR), all.numbers.iter().copied()))
        };
        self.thresholds_of.entry(stmt.id()).or_insert_with(of_loop).clone()
    }
}

/// The ends of the ranges of types.
fn of_types(model: DataModel) -> impl Iterator<Item = i128> {
    use IntKind::{Int, LongLong, SChar, Short, UChar, UInt, ULongLong, UShort};
    let kinds = [SChar, UChar, Short, UShort, Int, UInt, LongLong, ULongLong];
    kinds.into_iter().flat_map(move |kind| [kind.min(model), kind.max(model)])
}
