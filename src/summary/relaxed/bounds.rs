//! Bounds of the cells of an array that a loop writes at arbitrary places.
//!
//! **Why they hold.** Before each iteration and after the loop, a cell holds what it held before
//! the loop or what the last iteration that wrote it has left there. What an iteration may leave is
//! a list of cases (`cells`). The condition of a case says something of the cell alone, once the
//! unknowns of the iteration are eliminated ([`Consequence`]): in `t[p] = p > q ? 1 : t[p]` cell `k`
//! becomes 1 where `k = p` and `p > q`, so nothing is known of `k`; in `if (p > 3) t[p] = 1` it does
//! only where `k > 3`.

use super::sums::{Side, bound};
use super::{RelaxedArray, Step, Writer};
use crate::summary::cells::{Array, Case, Cell};
use smalti_terms::{Context, Facts, Node, Poly, Term, Var};
use std::collections::BTreeMap;

/// Bounds of a value for each cell of an array.
pub(super) struct Bounds {
    /// The indexes of a cell.
    pub(super) indexes: Vec<Var>,
    /// Bounds over the indexes; `None` if nothing is known.
    pub(super) range: Option<Range>,
}

impl Bounds {
    /// Bounds of the cells before each iteration of a loop and after it. `known` are arrays that
    /// became any array earlier.
    pub(super) fn of(c: &Context, writer: &Writer, known: &[RelaxedArray]) -> Bounds {
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

    /// The bounds as text.
    pub(super) fn shown(&self, c: &Context) -> String {
        let at: Vec<Term> = self.indexes.iter().map(|k| c.var(*k)).collect();
        let [lower, upper] = Side::BOTH.map(|side| self.at(&Facts::new(c), side, &at));
        let show = |t: Option<Term>| t.map_or_else(|| "?".to_owned(), |t| c.show(t));
        format!("at least {}, at most {}", show(lower), show(upper))
    }

    /// The bound at an index, where the facts hold.
    pub(super) fn at(&self, facts: &Facts, side: Side, index: &[Term]) -> Option<Term> {
        let c = facts.context();
        let by: Vec<(Var, Term)> = self.indexes.iter().copied().zip(index.iter().copied()).collect();
        let here = |t: Term| facts.simplify(c.substitute_all(t, &by));
        let range = self.range.as_ref()?;
        let mut widest = here(range.start[side as usize]?);
        for (value, given) in &range.more {
            let wider = match side {
                Side::Lower => c.min(widest, here(value[side as usize]?)),
                Side::Upper => c.max(widest, here(value[side as usize]?)),
            };
            if wider != widest {
                widest = c.ite(here(c.or(given)), wider, widest);
            }
        }
        Some(widest)
    }
}

/// Variables for the indexes of a cell.
pub(super) fn indexes(c: &Context, rank: u32) -> Vec<Var> {
    (0..rank).map(|k| c.variable(format!("k{k}"), smalti_terms::Sort::Int)).collect()
}

/// The least and the greatest of some values, each of which is possible under a condition.
pub(super) struct Range {
    start: [Option<Term>; 2],
    /// By bounds of a value: the conditions under which it is possible.
    more: BTreeMap<[Option<Term>; 2], Vec<Term>>,
}

impl Range {
    /// The range of one value.
    pub(super) fn of(c: &Context, known: &[RelaxedArray], value: Term) -> Range {
        let start = Side::BOTH.map(|side| bound(c, known, value, side, &Facts::new(c)));
        Range { start, more: BTreeMap::new() }
    }

    /// Widens the range by what may be there in one case.
    pub(super) fn may_be(&mut self, left: Consequence) {
        self.more.entry(left.value).or_default().push(left.given);
    }
}

/// What a case of an iteration says without the unknowns of the iteration.
pub(super) struct Consequence {
    /// Holds where the case applies.
    pub(super) given: Term,
    /// Bounds of the value that the iteration leaves.
    pub(super) value: [Option<Term>; 2],
}

impl Consequence {
    /// `None` if no iteration can be in the case. `of_cell` are variables of the array before the
    /// iteration.
    ///
    /// An equation among the conditions replaces an unknown of the iteration by what equals it.
    /// Conditions in which some unknown is left are dropped, so what is left follows from the case.
    pub(super) fn of(c: &Context, writer: &Writer, step: &Step, case: &Case, of_cell: &[Var]) -> Option<Consequence> {
        let facts = Facts::new(c).with_all(&step.given).with_all(&case.given);
        if facts.are_contradictory() {
            return None;
        }
        let is_unknown = |t: Term| writer.is_of_iteration(c, t, of_cell);
        let (mut left, mut value) = (case.given.clone(), case.value);
        while let Some((n, atom, by)) =
            left.iter().enumerate().find_map(|(n, p)| solved(c, *p, &is_unknown).map(|(atom, by)| (n, atom, by)))
        {
            left.remove(n);
            left.iter_mut().for_each(|p| *p = with(c, *p, atom, by));
            value = with(c, value, atom, by);
        }
        left.retain(|p| !is_unknown(*p));
        let given = c.and(&left);
        let value = match is_unknown(value) {
            false => [Some(value), Some(value)],
            true => {
                let (least, greatest) = facts.bounds(case.value);
                [least, greatest].map(|bound| bound.map(|bound| c.int(bound)))
            }
        };
        (c.as_truth(given) != Some(false)).then_some(Consequence { given, value })
    }

    /// The same with other terms for some variables.
    pub(super) fn over(&self, c: &Context, by: &[(Var, Term)]) -> Consequence {
        let with = |t: Term| c.substitute_all(t, by);
        Consequence { given: with(self.given), value: self.value.map(|value| value.map(with)) }
    }
}

/// An equation solved for an atom that is of `which`, and what the atom equals.
pub(super) fn solved(c: &Context, p: Term, which: &dyn Fn(Term) -> bool) -> Option<(Term, Term)> {
    let Node::Zero(t) = *c.node(p) else { return None };
    let whole = c.poly(t);
    whole.atoms().into_iter().filter(|atom| which(*atom)).find_map(|atom| {
        let parts = whole.by_powers_of(atom);
        let [rest, factor] = &parts[..] else { return None };
        let factor = factor.as_constant()?;
        // The atom times 1 or -1, so what is left is an integer.
        let is_unit = factor.is_integer() && (factor.numer().magnitude() == &1u32.into());
        is_unit.then(|| (atom, c.from_poly(rest.scale(&-factor))))
    })
}

/// A term with what equals an atom in its place, where it stands in the sums that the term compares
/// or is.
pub(super) fn with(c: &Context, t: Term, atom: Term, by: Term) -> Term {
    let again = |t: Term| with(c, t, atom, by);
    match &*c.node(t) {
        Node::NonNegative(t) => c.non_negative(again(*t)),
        Node::Zero(t) => c.is_zero(again(*t)),
        Node::Divides(by, t) => c.divides(by.clone(), again(*t)),
        Node::Not(p) => c.not(again(*p)),
        Node::And(ps) => c.and(&ps.iter().map(|p| again(*p)).collect::<Vec<_>>()),
        Node::Or(ps) => c.or(&ps.iter().map(|p| again(*p)).collect::<Vec<_>>()),
        _ if t == atom => by,
        Node::Poly(p) => {
            let by = c.poly(by);
            let parts = p.by_powers_of(atom);
            c.from_poly(parts.iter().rev().fold(Poly::default(), |sum, part| sum.mul(&by).add(part)))
        }
        _ => t,
    }
}
