//! Inequalities `p >= 0` over monomials, each monomial a variable of its own, in integers.
//!
//! One monomial after the other is eliminated (Fourier and Motzkin; Schrijver, "Theory of linear
//! and integer programming", 12.2). Each combination is divided by the common factor of its
//! coefficients and its constant rounded down, which loses no integer point. Equations are used
//! first, as in Pugh, "The Omega test", CACM 35, 1992, 2.2. What is left after
//! the last elimination is a number: if it is negative, there is no solution.
//!
//! Every row is a consequence of the system, so stopping early loses answers and gives no wrong
//! one.

use crate::context::Context;
use crate::name::{Int, IntRange, Term};
use crate::poly::{Monomial, Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The greatest number of inequalities while monomials are eliminated.
const INEQUALITIES: usize = 160;
/// The greatest number of monomials that are eliminated.
const ELIMINATIONS: usize = 24;

/// Whether the system has no solution, as far as elimination shows. Inequalities that have no
/// monomial in common with `goal`, directly or through others, are left out.
pub(crate) fn contradictory(c: &Context, system: &[Poly], goal: &[Poly]) -> bool {
    let rows = relevant(system, goal).iter().map(tightened).collect();
    eliminated(c, rows, None).iter().any(is_false)
}

/// Bounds of an atom.
pub(crate) fn bounds(c: &Context, system: &[Poly], atom: Term) -> IntRange {
    let goal = [Poly::atom(atom)];
    let rows = relevant(system, &goal).iter().map(tightened).collect();
    let (mut low, mut high): IntRange = (None, None);
    for row in eliminated(c, rows, Some(&vec![(atom, 1)])) {
        let (a, b) = (row.coefficient(&vec![(atom, 1)]), row.constant_part());
        if a.is_positive() {
            low = low.max(Some((-b / a).ceil().to_integer()));
        } else if a.is_negative() {
            let most = (b / -a).floor().to_integer();
            high = Some(high.map_or(most.clone(), |h| h.min(most)));
        }
    }
    (low, high)
}

fn is_false(row: &Poly) -> bool {
    row.as_constant().is_some_and(|k| k.is_negative())
}

/// The consequences about `keep` alone, or about nothing; none if the limits are reached. A row
/// that is false comes alone.
fn eliminated(c: &Context, mut rows: Vec<Poly>, keep: Option<&Monomial>) -> Vec<Poly> {
    for _ in 0..ELIMINATIONS {
        rows.sort_by_key(|r| r.terms().len());
        drop_weaker(&mut rows);
        if let Some(row) = rows.iter().find(|r| is_false(r)) {
            return vec![row.clone()];
        }
        rows.retain(|r| r.as_constant().is_none());
        if let Some((next, equation)) = equation(&rows, keep) {
            if !c.spend(rows.len() as u64 * 2) {
                return Vec::new();
            }
            rows = without(rows, &next, &equation);
            continue;
        }
        let Some(next) = cheapest(&rows, keep) else { return rows };
        let (mut above, mut below, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let k = row.coefficient(&next);
            if k.is_zero() {
                rest.push(row);
            } else if k.is_positive() {
                below.push((row, k));
            } else {
                above.push((row, -k));
            }
        }
        let new = above.len() * below.len();
        if rest.len() + new > INEQUALITIES || !c.spend(new as u64 * 4 + 4) {
            return Vec::new();
        }
        for (p, a) in &below {
            for (q, b) in &above {
                rest.push(tightened(&p.scale(b).add_scaled(q, a)));
            }
        }
        rows = rest;
    }
    Vec::new()
}

/// Products of two rows whose variables are multiplied with each other somewhere in the system: of
/// what is not negative the product is not negative.
pub(crate) fn products(system: &[Poly]) -> Vec<Poly> {
    let wanted: BTreeSet<(Term, Term)> = system
        .iter()
        .flat_map(Poly::terms)
        .filter_map(|(m, _)| match m[..] {
            [(x, 2)] => Some((x, x)),
            [(x, 1), (y, 1)] => Some((x, y)),
            _ => None,
        })
        .collect();
    let with = |t: Term| {
        let short = system.iter().filter(move |r| r.terms().len() <= 3 && r.degree() == 1);
        short.filter(move |r| r.degree_in(t) == 1).take(4)
    };
    let mut found = Vec::new();
    for (x, y) in wanted.into_iter().take(4) {
        found.extend(with(x).flat_map(|p| with(y).map(move |q| p.mul(q))));
    }
    // Of integers, `x^2 >= x` and `x^2 >= -x`.
    let squares: BTreeSet<Term> = system
        .iter()
        .chain(&found)
        .flat_map(Poly::terms)
        .filter_map(|(m, _)| match m[..] {
            [(x, 2)] => Some(x),
            _ => None,
        })
        .collect();
    for x in squares.into_iter().take(6) {
        let square = Poly::monomial(vec![(x, 2)], Rat::one());
        found.push(square.sub(&Poly::atom(x)));
        found.push(square.add(&Poly::atom(x)));
    }
    found
}

/// The rows that are connected with the goal; all, if there is no goal.
fn relevant(system: &[Poly], goal: &[Poly]) -> Vec<Poly> {
    if goal.is_empty() {
        return system.to_vec();
    }
    let monomials =
        |p: &Poly| -> Vec<Monomial> { p.terms().iter().filter(|t| !t.0.is_empty()).map(|t| t.0.clone()).collect() };
    let mut reached: BTreeSet<Monomial> = goal.iter().flat_map(monomials).collect();
    let mut left: Vec<&Poly> = system.iter().collect();
    let mut taken = Vec::new();
    loop {
        let (now, later): (Vec<&Poly>, Vec<&Poly>) = left.into_iter().partition(|p| {
            let all = monomials(p);
            all.is_empty() || all.iter().any(|m| reached.contains(m))
        });
        if now.is_empty() {
            return taken;
        }
        reached.extend(now.iter().flat_map(|p| monomials(p)));
        taken.extend(now.into_iter().cloned());
        left = later;
    }
}

/// An inequality with the same integer solutions, whose coefficients have no common factor.
fn tightened(p: &Poly) -> Poly {
    let p = p.scale(&Rat::from_integer(p.denominator()));
    let g: Int = p.content();
    if g.is_zero() || g.is_one() {
        return p;
    }
    p.map_coefficients(|k| Rat::from_integer(k.numer().div_floor(&g)))
}

/// Of rows that differ in the constant only, keeps the strongest.
fn drop_weaker(rows: &mut Vec<Poly>) {
    let mut kept: Vec<(Poly, Rat)> = Vec::new();
    for row in rows.drain(..) {
        let (linear, constant) = (row.without_constant(), row.constant_part());
        match kept.iter_mut().find(|k| k.0 == linear) {
            Some(k) => k.1 = k.1.clone().min(constant),
            None => kept.push((linear, constant)),
        }
    }
    rows.extend(kept.into_iter().map(|(p, k)| p.add(&Poly::constant(k))));
}

/// A row whose negation is a row, too, and a monomial with the coefficient 1 or -1 in it: the row
/// is an equation that has an integer solution for the monomial, whatever the others are. To use it
/// first loses nothing, and lets other rows be rounded.
fn equation(rows: &[Poly], keep: Option<&Monomial>) -> Option<(Monomial, Poly)> {
    let all: HashSet<&Poly> = rows.iter().collect();
    rows.iter().find_map(|row| {
        let (next, _) = row.terms().iter().find(|(m, k)| !m.is_empty() && k.abs().is_one() && Some(m) != keep)?;
        all.contains(&row.scale(&-Rat::one())).then(|| (next.clone(), row.clone()))
    })
}

/// The rows with the solution of the equation in the place of the monomial.
fn without(rows: Vec<Poly>, next: &Monomial, equation: &Poly) -> Vec<Poly> {
    let k = equation.coefficient(next);
    let rows = rows.into_iter().map(|row| {
        let factor = -row.coefficient(next) / &k;
        if factor.is_zero() { row } else { tightened(&row.add_scaled(equation, &factor)) }
    });
    rows.collect()
}

/// The monomial whose elimination makes the fewest inequalities.
fn cheapest(rows: &[Poly], keep: Option<&Monomial>) -> Option<Monomial> {
    let mut counts: BTreeMap<&Monomial, (usize, usize)> = Default::default();
    for (m, k) in rows.iter().flat_map(Poly::terms).filter(|t| !t.0.is_empty() && Some(&t.0) != keep) {
        let entry = counts.entry(m).or_default();
        if k.is_positive() { entry.0 += 1 } else { entry.1 += 1 }
    }
    counts.into_iter().min_by_key(|(_, (up, down))| up * down).map(|(m, _)| m.clone())
}
