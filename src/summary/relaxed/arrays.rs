//! Arrays that became any array, with the bounds of their cells.
//!
//! **Why a bound of a term holds.** A sum is at most the sum of what its parts are at most, over
//! the same range. A part under a factor has the bound of the factor's sign.

use super::writer::{Consequence, Writer};
use num_traits::Signed;
use smalti_terms::{Context, Facts, FoldOp, Node, Poly, Rat, Sort, Term, Var};
use std::collections::BTreeMap;

/// An array that is any array after a loop.
pub(super) struct RelaxedArray {
    /// Stands for its contents after the loop.
    pub(super) after: Var,
    /// The unknown that stands for them once all is known of them.
    pub(super) unknown: Term,
    /// The loop that writes it.
    pub(super) writer: Writer,
    /// Bounds of its cells.
    pub(super) bounds: Bounds,
    /// Bounds of the sums of two cells.
    pub(super) mirrors: Vec<Mirror>,
}

/// Which bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// At most the value.
    Lower,
    /// At least the value.
    Upper,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::Lower, Side::Upper];

    fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// That `bound` is one of `t`.
    pub(super) fn fact(self, c: &Context, bound: Term, t: Term) -> Term {
        match self {
            Side::Lower => c.le(bound, t),
            Side::Upper => c.le(t, bound),
        }
    }
}

/// Bounds of a value for each cell of an array.
pub(super) struct Bounds {
    /// The indexes of a cell.
    pub(super) indexes: Vec<Var>,
    /// Bounds over the indexes; `None` if nothing is known.
    pub(super) range: Option<Range>,
}

impl Bounds {
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

/// Bounds of the sums of each cell and its image.
pub(super) struct Mirror {
    pub(super) image: Image,
    pub(super) bounds: Bounds,
}

/// A map of indexes to indexes that is its own inverse.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Image {
    /// Whether the two indexes are exchanged.
    pub(super) swapped: bool,
    /// By index, after that: the sum of the index and its image, or nothing where they are the
    /// same.
    pub(super) about: Vec<Option<Term>>,
}

impl Image {
    /// The map from the first cell to the second one, if it has this form.
    pub(super) fn between(c: &Context, a: &[Term], b: &[Term], is_fixed: &dyn Fn(Term) -> bool) -> Option<Image> {
        let plain = a.iter().zip(b).map(|(a, b)| reflection(c, *a, *b, is_fixed)).collect::<Option<Vec<_>>>();
        if let Some(about) = plain {
            return about.iter().any(Option::is_some).then_some(Image { swapped: false, about });
        }
        let crossed = a.iter().rev().zip(b).map(|(a, b)| reflection(c, *a, *b, is_fixed));
        let about = crossed.collect::<Option<Vec<_>>>()?;
        let is_inverse = matches!(about[..], [first, second] if first == second);
        is_inverse.then_some(Image { swapped: true, about })
    }

    pub(super) fn of(&self, c: &Context, index: &[Term]) -> Vec<Term> {
        let mut index = index.to_vec();
        if self.swapped {
            index.reverse();
        }
        let turned = index.iter().zip(&self.about).map(|(t, about)| about.map_or(*t, |about| c.sub(about, *t)));
        turned.collect()
    }
}

/// The sum of two terms, if that is fixed, or nothing where they are the same.
fn reflection(c: &Context, a: Term, b: Term, is_fixed: &dyn Fn(Term) -> bool) -> Option<Option<Term>> {
    if a == b {
        return Some(None);
    }
    let sum = c.add(a, b);
    is_fixed(sum).then_some(Some(sum))
}

impl Mirror {
    /// The image and the bounds as text.
    pub(super) fn shown(&self, c: &Context) -> String {
        let at: Vec<Term> = self.bounds.indexes.iter().map(|k| c.var(*k)).collect();
        let image: Vec<String> = self.image.of(c, &at).iter().map(|t| c.show(*t)).collect();
        format!("a cell and that at {} sum up to {}", image.join(", "), self.bounds.shown(c))
    }
}

/// Whether a term is about one of the arrays.
pub(super) fn is_about(c: &Context, arrays: &[RelaxedArray], t: Term) -> bool {
    arrays.iter().any(|one| c.mentions(t, one.after))
}

/// A bound of a term that mentions none of the arrays, where `facts` hold.
pub(super) fn bound(c: &Context, arrays: &[RelaxedArray], t: Term, side: Side, facts: &Facts) -> Option<Term> {
    if !is_about(c, arrays, t) {
        return Some(t);
    }
    match &*c.node(t) {
        Node::Poly(p) => {
            let mut sum = Poly::default();
            for (monomial, factor) in p.terms() {
                let part = match &monomial[..] {
                    [(atom, 1)] if factor.is_integer() => {
                        let side = if factor.is_negative() { side.opposite() } else { side };
                        c.poly(bound(c, arrays, *atom, side, facts)?)
                    }
                    _ if monomial.iter().any(|(atom, _)| is_about(c, arrays, *atom)) => return None,
                    _ => Poly::monomial(monomial.clone(), Rat::from_integer(1.into())),
                };
                sum = sum.add_scaled(&part, factor);
            }
            Some(c.from_poly(sum))
        }
        Node::Read(array, index) => {
            let one = arrays.iter().find(|one| *array == c.var(one.after))?;
            if index.iter().any(|t| is_about(c, arrays, *t)) {
                return None;
            }
            bound(c, arrays, one.bounds.at(facts, side, index)?, side, facts)
        }
        Node::Fold { op: FoldOp::Sum, lo, hi, body, .. } => {
            let index = c.variable("k", Sort::Int);
            let (body, inside) = opened(c, index, (*lo, *hi), *body, facts);
            let body = bound(c, arrays, body, side, &inside)?;
            let is_fixed = !is_about(c, arrays, *lo) && !is_about(c, arrays, *hi);
            is_fixed.then(|| facts.simplify(c.fold_over(FoldOp::Sum, index, *lo, *hi, None, inside.simplify(body))))
        }
        Node::Ite(p, a, b) if !is_about(c, arrays, *p) => {
            let part = |given: Term, t: Term| bound(c, arrays, t, side, &facts.with(given));
            Some(c.ite(*p, part(*p, *a)?, part(c.not(*p), *b)?))
        }
        _ => None,
    }
}

/// The body of a fold at an index, and what is known there.
pub(super) fn opened<'a>(
    c: &Context,
    index: Var,
    (lo, hi): (Term, Term),
    body: Term,
    facts: &Facts<'a>,
) -> (Term, Facts<'a>) {
    let at = c.var(index);
    (c.open(body, at), facts.with(c.within(lo, at, hi)))
}
