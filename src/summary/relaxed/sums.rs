//! Facts about sums over arrays that became any array.

use super::arrays::{RelaxedArray, Side, bound, is_about, opened};
use super::totals;
use smalti_terms::{Context, Facts, FoldOp, Node, Sort, Term, Var};

/// The number of sums of one assertion that facts are looked for.
const MOST: usize = 8;
/// The work for terms that one of the facts may cost.
const WORK: u64 = 200_000;

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
