//! Facts about sums over arrays that became any array.
//!
//! **Why they hold.** A sum is at most the sum of what its parts are at most, over the same range.
//! A part under a factor has the bound of the factor's sign.

use super::{RelaxedArray, totals};
use num_traits::Signed;
use smalti_terms::{Context, Facts, FoldOp, Node, Poly, Rat, Sort, Term, Var};

/// The number of sums of one assertion that facts are looked for.
const MOST: usize = 8;
/// The work for terms that one of the facts may cost.
const WORK: u64 = 200_000;

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
    fn fact(self, c: &Context, bound: Term, t: Term) -> Term {
        match self {
            Side::Lower => c.le(bound, t),
            Side::Upper => c.le(t, bound),
        }
    }
}

/// What is known of the sums over arrays of `arrays` that occur in `terms`, where `given` holds.
pub(super) fn facts(c: &Context, arrays: &[RelaxedArray], terms: &[Term], given: &[Term]) -> Vec<Term> {
    let known = Facts::new(c).with_all(given);
    let mut found = Vec::new();
    for sum in sums(c, arrays, terms).into_iter().take(MOST) {
        for side in Side::BOTH {
            c.refill(WORK);
            found.extend(bound(c, arrays, sum, side, &known).map(|bound| side.fact(c, bound, sum)));
            found.extend(mirrored(c, arrays, sum, side, &known));
        }
        c.refill(WORK);
        found.extend(totals::total(c, arrays, sum).map(|total| c.eq(sum, total)));
    }
    found
}

/// Whether a term is about one of the arrays.
fn is_about(c: &Context, arrays: &[RelaxedArray], t: Term) -> bool {
    arrays.iter().any(|one| c.mentions(t, one.after))
}

/// The sums over arrays of `arrays` in some terms, those below other binders left out.
fn sums(c: &Context, arrays: &[RelaxedArray], terms: &[Term]) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for t in terms {
        c.each_part(*t, &mut |part, below| {
            if below || !is_about(c, arrays, part) {
                return false;
            }
            let is_sum = matches!(*c.node(part), Node::Fold { op: FoldOp::Sum, .. });
            if is_sum && !found.contains(&part) {
                found.push(part);
            }
            !is_sum
        });
    }
    found
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
fn opened<'a>(c: &Context, index: Var, (lo, hi): (Term, Term), body: Term, facts: &Facts<'a>) -> (Term, Facts<'a>) {
    let at = c.var(index);
    (c.open(body, at), facts.with(c.within(lo, at, hi)))
}

/// That a sum of the cells of a range is at most half of the sum of what each cell and its image
/// sum up to at most, or at least.
fn mirrored(c: &Context, arrays: &[RelaxedArray], sum: Term, side: Side, facts: &Facts) -> Option<Term> {
    let (mut ranges, mut inside, mut body) = (Vec::new(), facts.clone(), sum);
    while let Node::Fold { op: FoldOp::Sum, lo, hi, body: inner, .. } = *c.node(body) {
        let index = c.variable("k", Sort::Int);
        (body, inside) = opened(c, index, (lo, hi), inner, &inside);
        ranges.push((index, lo, hi));
    }
    let Node::Read(array, index) = &*c.node(body) else { return None };
    let one = arrays.iter().find(|one| *array == c.var(one.after))?;
    // By index of the array: its range. Each is a variable of one sum, and no range depends on one.
    let ranges_of: Vec<(Var, Term, Term)> =
        index.iter().filter_map(|t| ranges.iter().copied().find(|(k, ..)| c.var(*k) == *t)).collect();
    let mut variables: Vec<Var> = ranges_of.iter().map(|(k, ..)| *k).collect();
    variables.sort_unstable();
    variables.dedup();
    let is_box = variables.len() == ranges.len()
        && index.len() == ranges.len()
        && ranges.iter().all(|(_, lo, hi)| {
            !ranges.iter().any(|(k, ..)| c.mentions(*lo, *k) || c.mentions(*hi, *k))
                && !is_about(c, arrays, *lo)
                && !is_about(c, arrays, *hi)
        });
    if !is_box {
        return None;
    }
    one.mirrors.iter().find_map(|mirror| {
        let keeps = mirror.image.about.iter().zip(&ranges_of).all(|(about, (_, lo, hi))| {
            about.is_none_or(|about| facts.proves(c.eq(about, c.sub(c.add(*lo, *hi), c.int(1)))))
        });
        let is_square = || match &ranges_of[..] {
            [(_, lo, hi), (_, other_lo, other_hi)] => {
                facts.proves(c.and(&[c.eq(*lo, *other_lo), c.eq(*hi, *other_hi)]))
            }
            _ => false,
        };
        if !keeps || (mirror.image.swapped && !is_square()) {
            return None;
        }
        let both = bound(c, arrays, mirror.bounds.at(&inside, side, index)?, side, &inside)?;
        let whole =
            ranges.iter().rev().fold(both, |body, (k, lo, hi)| c.fold_over(FoldOp::Sum, *k, *lo, *hi, None, body));
        Some(side.fact(c, facts.simplify(whole), c.scale(2, sum)))
    })
}
