//! Closed forms of arrays: what each cell holds before iteration `n`.
//!
//! **Meaning.** A cell is looked at alone, any. What an iteration does to it is a list of cases
//! (`cells`). Reads of cells that no earlier iteration has written are their old contents
//! (`reads`). What is left is one of these:
//! * the cell changes in a few known iterations (`critical`): their values in the order of time;
//! * one of these iterations, `n`, reads the cell that iteration `n - d` has written: a recurrence
//!   along the iterations, solved like that of a scalar;
//! * the value after an iteration depends on no other cell: the cell is a scalar of its own.
//!
//! The closed form is right for the iterations that are executed, as `reads` says.

use super::cells::{Array, Cell};
use super::critical::{Critical, Order, critical, may_apply, order};
use super::reads::{Iterations, reads_of};
use super::solve::{Recurrence, solve_given};
use num_traits::ToPrimitive;
use smalti_terms::{Facts, Int, Node, Sort, Term, Var};

/// The depth of case distinctions between cells.
const SPLITS: u32 = 6;

/// The array before iteration `n`, where `step` is the array after it; `None` if no rule gives a
/// closed form.
pub(super) fn closed(it: &Iterations, array: Array, step: Term) -> Option<Term> {
    let c = it.c;
    let mut cell = Cell::new(c, array, step, it.n)?;
    let facts = it.facts();
    let after = it.with_old(cell.after, &facts, cell.others, array.start, &cell);
    let after = facts.simplify(after);
    if after != cell.after {
        cell.cases = cell.cases_of(c, after)?;
        cell.after = after;
    }
    let closed = closed_cell(it, Part { whole: &cell, cell: &cell, fixed: &[] }, SPLITS)?;
    Some(c.lambda_over(&cell.indexes, closed))
}

/// The cells that some iteration before iteration `n` may change, as an array of 1 there and 0
/// elsewhere; `None` if there are too many cases. All others hold what they held before the loop.
pub(super) fn touched(it: &Iterations, array: Array, step: Term) -> Option<Term> {
    let c = it.c;
    let cell = Cell::new(c, array, step, it.n)?;
    let cases: Vec<Term> = cell.writes(c).map(|case| may_apply(it, &cell, case)).collect();
    Some(c.lambda_over(&cell.indexes, c.indicator(c.or(&cases))))
}

/// The cells of which some literals hold in all iterations.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// Any cell of the array.
    whole: &'a Cell,
    /// A cell of which the literals hold, with the cases that are left.
    cell: &'a Cell,
    /// The literals.
    fixed: &'a [Term],
}

/// The cell before iteration `n`; `splits` is the depth of case distinctions that is left.
fn closed_cell(it: &Iterations, part: Part, splits: u32) -> Option<Term> {
    let (c, cell) = (it.c, part.cell);
    let found = critical(it, cell, &cell.cases).and_then(|all| in_order(it, all));
    if let Some(sequence) = found
        && let Some(closed) = applied(it, part, &sequence)
    {
        return Some(closed);
    }
    if let Some(literal) = fixed_literal(it, cell).filter(|_| splits > 0) {
        let side = |p: Term| {
            let after = c.cofactor(cell.after, p);
            if after == cell.after {
                return None;
            }
            let cases = cell.cases_of(c, after)?;
            let indexes = cell.indexes.clone();
            let fixed: Vec<Term> = part.fixed.iter().copied().chain([p]).collect();
            let cell = Cell { after, cases, indexes, ..*cell };
            closed_cell(it, Part { cell: &cell, fixed: &fixed, ..part }, splits - 1)
        };
        return Some(c.ite(literal, side(literal)?, side(c.not(literal))?));
    }
    if c.mentions(cell.after, cell.others) {
        return None;
    }
    let start = cell.start(c);
    let recurrence = Recurrence { value: cell.value, iteration: cell.n, start, step: cell.after };
    solve_given(c, recurrence, it.given())
}

/// A literal about the cell that is the same in all iterations, of a case that changes the cell.
fn fixed_literal(it: &Iterations, cell: &Cell) -> Option<Term> {
    let c = it.c;
    let changes = |p: &Term| [cell.n, cell.value, cell.others].iter().chain(&it.carried).any(|v| c.mentions(*p, *v));
    let is_about = |p: &Term| cell.indexes.iter().any(|k| c.mentions(*p, *k));
    let all = cell.writes(c).flat_map(|case| &case.given);
    all.copied().find(|p| is_about(p) && !changes(p))
}

/// One critical iteration, or two whose order depends on the cell.
enum Turn {
    One(Critical),
    Either(Critical, Critical),
}

/// The critical iterations of a cell in the order of time, if that is known.
fn in_order(it: &Iterations, all: Vec<Critical>) -> Option<Vec<Turn>> {
    if let [a, b] = &all[..]
        && order(it, a, b) == Order::Unknown
    {
        return Some(vec![Turn::Either(a.clone(), b.clone())]);
    }
    let mut sorted: Vec<Critical> = Vec::new();
    for one in all {
        let at = sorted.iter().take_while(|other| matches!(order(it, other, &one), Order::Before | Order::Exclusive));
        let at = at.count();
        // All that follow must be later, or of other cells.
        let is_right = |other: &Critical| matches!(order(it, &one, other), Order::Before | Order::Exclusive);
        if !sorted[at..].iter().all(is_right) {
            return None;
        }
        sorted.insert(at, one);
    }
    Some(sorted.into_iter().map(Turn::One).collect())
}

/// The cell after its critical iterations, one after the other.
fn applied(it: &Iterations, part: Part, turns: &[Turn]) -> Option<Term> {
    let (c, cell) = (it.c, part.cell);
    let mut held = cell.start(c);
    for turn in turns {
        held = match turn {
            Turn::One(one) => c.ite(one.exists, after_one(it, part, one, held)?, held),
            Turn::Either(a, b) => {
                // `a` then `b`, or `b` then `a`, or one iteration that is both.
                let before = c.lt(a.number, b.number);
                let first = c.ite(a.exists, after_one(it, part, a, held)?, held);
                let forward = c.ite(b.exists, after_one(it, part, b, first)?, first);
                let is_second = c.and(&[b.exists, c.lt(b.number, a.number)]);
                let first = c.ite(is_second, after_one(it, part, b, held)?, held);
                let only_b = c.and(&[b.exists, c.not(a.exists)]);
                let first = c.ite(only_b, after_one(it, part, b, held)?, first);
                let backward = c.ite(a.exists, after_one(it, part, a, first)?, first);
                c.ite(before, forward, backward)
            }
        };
    }
    Some(held)
}

/// The cell after its critical iteration `one`, if it has that, where it held `held` before.
fn after_one(it: &Iterations, part: Part, one: &Critical, held: Term) -> Option<Term> {
    let (c, cell) = (it.c, part.cell);
    let after = c.cofactor(cell.after, c.and(&one.literals));
    if !c.mentions(after, cell.others) {
        return Some(c.substitute_all(after, &[(cell.value, held), (cell.n, one.number)]));
    }
    along(it, part, one, after)
}

/// The cell after its critical iteration, where that reads the cell which iteration `n - d` has
/// written last: a recurrence.
///
/// Let `w(n)` be the cell whose critical iteration is `n`, and `y(n)` what it holds after that. All
/// reads are of `w(n - d)`. No iteration from 0 to `n - 1` but `n - d` writes that cell, so it
/// holds `y(n - d)`, or its old contents if `n < d`; and none of them writes `w(n)`, so that has
/// its old contents before. What is fixed holds of `w(n)` in every iteration, so also of
/// `w(n - d)` where that is written; where it may be written is asked of any cell of the array.
/// With `n = d*q + r`, `y` is a recurrence in `q` that begins with what `w(r - d)` holds before the
/// loop.
fn along(it: &Iterations, part: Part, one: &Critical, after: Term) -> Option<Term> {
    let (c, cell) = (it.c, part.cell);
    let [literal] = one.literals[..] else { return None };
    let Node::Zero(equation) = *c.node(literal) else { return None };
    let n = c.var(cell.n);
    // The index at which the cell is, over `n` and the other indexes.
    let (at, index) = (0..).zip(&cell.indexes).find_map(|(at, k): (usize, _)| {
        let (a, t) = c.affine(equation, *k)?;
        let t = c.from_poly(t);
        let solution = if a == Int::from(1) { c.neg(t) } else { t };
        (a == Int::from(1) || a == Int::from(-1)).then_some((at, solution))
    })?;
    let written = |m: Term| {
        let mut indexes = cell.at(c);
        indexes[at] = c.substitute(index, cell.n, m);
        indexes
    };
    let here = |t: Term| c.substitute(t, cell.indexes[at], index);
    let after = here(after);
    let mut reads = reads_of(c, after, cell.others)?;
    reads.dedup();
    let read = reads.first()?.clone();
    let by: Vec<(Var, Term)> = cell.indexes.iter().copied().zip(read.iter().copied()).collect();
    let d = c.as_int(c.sub(n, c.substitute_all(one.number, &by)))?;
    let distance = d.to_i64().filter(|d| *d >= 1)?;
    let earlier = written(c.sub(n, c.int(d.clone())));
    if reads.iter().any(|index| *index != earlier) {
        return None;
    }
    let facts = it.facts();
    if !part.fixed.iter().all(|p| facts.proves(here(*p))) {
        return None;
    }
    let (zero, last) = (c.int(0), c.sub(n, c.int(d)));
    let is_only = it.misses(&facts, (zero, last), part.whole, &earlier)
        && it.misses(&facts, (c.add(last, c.int(1)), n), part.whole, &earlier);
    let is_first = !c.mentions(after, cell.value) || it.misses(&facts, (zero, n), part.whole, &written(n));
    if !(is_only && is_first) {
        return None;
    }
    let after = c.substitute(after, cell.value, c.read(cell.array.start, &written(n)));
    let turn = Recurred { it, cell, after, written: &written, distance };
    let solved = turn.solved()?;
    Some(c.substitute(solved, cell.n, one.number))
}

/// A recurrence along the iterations: `after` is what iteration `n` leaves in cell `written(n)`,
/// with the other cells for what `written(n - distance)` holds.
struct Recurred<'a, 'b> {
    it: &'a Iterations<'b>,
    cell: &'a Cell,
    after: Term,
    written: &'a dyn Fn(Term) -> Vec<Term>,
    distance: i64,
}

impl Recurred<'_, '_> {
    /// What the cell holds after iteration `n`, over `n`.
    fn solved(&self) -> Option<Term> {
        let c = self.it.c;
        let n = c.var(self.cell.n);
        let (round, value) = (c.variable("q", Sort::Int), c.variable("earlier", Sort::Int));
        let rest = c.variable("r", Sort::Int);
        let d = c.int(self.distance);
        // With steps of 1 there is one sequence.
        let (r, first) = match self.distance {
            1 => (c.int(0), c.int(0)),
            _ => (c.var(rest), c.sub(n, c.mul(d, c.div(n, d)))),
        };
        let whole = c.lambda_of(self.cell.array.rank, |_| c.var(value));
        let step = c.substitute(self.after, self.cell.others, whole);
        let number = c.add(c.mul(d, c.var(round)), r);
        let inside = c.within(c.int(0), r, d);
        let facts = self.it.facts_in(&self.it.around.with(c.ge(c.var(round), c.int(0))).with(inside), number);
        let step = facts.simplify(c.substitute(step, self.cell.n, number));
        let start = c.read(self.cell.array.start, &(self.written)(c.sub(r, d)));
        let start = self.it.around.with(inside).simplify(start);
        let r = Recurrence { value, iteration: round, start, step };
        let closed = solve_given(c, r, c.truth(true)).or_else(|| self.peeled(r, &facts))?;
        let rounds = c.add(c.div(n, d), c.int(1));
        Some(c.substitute_all(closed, &[(round, rounds), (rest, first)]))
    }
    /// The solution without its first round, for all rounds but 0: the first may be another case,
    /// as in `if (i == 0) a[i] = 1; else a[i] = a[i - 1] + 2`.
    fn peeled(&self, r: Recurrence, facts: &Facts) -> Option<Term> {
        let c = self.it.c;
        let (round, zero, one) = (c.var(r.iteration), c.int(0), c.int(1));
        let start = c.substitute_all(r.step, &[(r.value, r.start), (r.iteration, zero)]);
        let step = facts.with(c.ge(round, one)).simplify(r.step);
        let step = c.substitute(step, r.iteration, c.add(round, one));
        let closed = solve_given(c, Recurrence { start, step, ..r }, c.truth(true))?;
        Some(c.substitute(closed, r.iteration, c.sub(round, one)))
    }
}
