//! Sums, powers, products and bitwise folds.

use super::recurrence::{Recurrence, Solver};
use smalti_terms::{BitOp, Context, FoldOp, Int, Node, Poly, Rat, Term, WrapType};

/// `step - value`, where the value does not occur; cases are looked at one by one.
fn increment(c: &Context, r: Recurrence, step: Term) -> Option<Term> {
    let difference = c.sub(step, c.var(r.value));
    if !c.mentions(difference, r.value) {
        return Some(difference);
    }
    match *c.node(step) {
        Node::Ite(p, a, b) if !c.mentions(p, r.value) => Some(c.ite(p, increment(c, r, a)?, increment(c, r, b)?)),
        _ => None,
    }
}

/// `y' = y + e(n)`: the sum.
pub(super) fn added(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let e = increment(c, r, r.step)?;
    let sum = c.sum(c.int(0), c.var(r.iteration), |k| r.at(c, e, k));
    Some(c.add(r.start, sum))
}

/// `y' = wrap(t(y))`, also in some cases and under conditions on `n`: the sequence without `wrap`,
/// wrapped at the end. This is right where `t` is a polynomial with integer coefficients, since
/// `wrap` is a homomorphism of rings, and where the start is a value of the type. A case that is
/// not under `wrap` leaves `y` as it is.
pub(super) fn wrapped(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let mut to = None;
    let step = without_wrap(c, r, r.step, &mut to)?;
    let to = to?;
    let is_start_of_type = c.wrap(to, r.start) == r.start;
    if !is_start_of_type {
        return None;
    }
    let inner = Recurrence { step, ..r };
    let exact = [added, geometric, powers].into_iter().find_map(|rule| rule(s, inner))?;
    Some(c.wrap(to, exact))
}

/// The step without the `wrap` of each case. All are of one type.
fn without_wrap(c: &Context, r: Recurrence, step: Term, to: &mut Option<WrapType>) -> Option<Term> {
    match *c.node(step) {
        Node::Wrap(of, inner) if to.is_none_or(|to| to == of) => {
            *to = Some(of);
            Some(inner)
        }
        Node::Ite(p, a, b) if !c.mentions(p, r.value) => {
            let (a, b) = (without_wrap(c, r, a, to)?, without_wrap(c, r, b, to)?);
            Some(c.ite(p, a, b))
        }
        _ => (step == c.var(r.value)).then_some(step),
    }
}

/// The constant `a` and the term `e` of `y' = a*y + e(n)`, where `a` is neither 0 nor 1.
fn linear(c: &Context, r: Recurrence) -> Option<(Int, Term)> {
    let y = c.var(r.value);
    let poly = c.poly(r.step);
    if poly.degree_in(y) != 1 {
        return None;
    }
    let factor = poly.by_powers_of(y).get(1)?.as_constant()?;
    if !factor.is_integer() {
        return None;
    }
    let factor = factor.to_integer();
    let e = c.sub(r.step, c.scale(factor.clone(), y));
    (!c.mentions(e, r.value)).then_some((factor, e))
}

/// `y' = a*y + e(n)` for a constant `a` other than 1 and a polynomial `e` in `n`: there is a
/// polynomial `p` with `p(n + 1) = a*p(n) + e(n)`, of the same degree, and `y(n) - p(n)` is
/// multiplied by `a` in each iteration. So `y(n) = a^n * (start - p(0)) + p(n)`. (Graham, Knuth,
/// Patashnik, "Concrete mathematics", 7.3.)
pub(super) fn geometric(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let (factor, e) = linear(c, r)?;
    let p = particular(c, &Rat::from_integer(factor.clone()), e, c.var(r.iteration))?;
    let first = p.first().cloned().unwrap_or_default();
    let n = Poly::atom(c.var(r.iteration));
    let at_n = p.iter().rev().fold(Poly::default(), |sum, part| sum.mul(&n).add(part));
    let start = c.poly(r.start).sub(&first);
    let power = c.poly(c.power(factor, c.var(r.iteration)));
    if start.terms().len() * power.terms().len() > 200 {
        return None;
    }
    Some(c.from_poly(power.mul(&start).add(&at_n)))
}

/// The coefficients, by powers of `n`, of the polynomial `p` with `p(n + 1) = a*p(n) + e(n)`, from
/// the highest down: that of `n^i` on both sides gives `p_i + (sum over j > i of choose(j, i)*p_j)
/// = a*p_i + e_i`.
fn particular(c: &Context, a: &Rat, e: Term, n: Term) -> Option<Vec<Poly>> {
    let e = c.poly(e);
    let Node::Var(var) = *c.node(n) else { return None };
    let others = e.atoms().into_iter().filter(|atom| *atom != n);
    let one = Rat::from_integer(1.into());
    if e.degree_in(n) > 6 || others.into_iter().any(|atom| c.mentions(atom, var)) || *a == one {
        return None;
    }
    let by_powers = e.by_powers_of(n);
    let mut p: Vec<Poly> = vec![Poly::default(); by_powers.len()];
    for i in (0..p.len()).rev() {
        let mut choose = one.clone();
        let mut rest = by_powers[i].scale(&Rat::from_integer((-1).into()));
        for (j, part) in p.iter().enumerate().skip(i + 1) {
            // choose(j, i) from choose(j - 1, i).
            choose *= Rat::new(Int::from(j), Int::from(j - i));
            rest = rest.add(&part.scale(&choose));
        }
        // p_i*(a - 1) = rest
        p[i] = rest.scale(&(a - &one).recip());
    }
    Some(p)
}

/// `y' = a*y + e(n)` for a constant `a`: the sum of what each iteration has added, times a power of
/// `a`.
pub(super) fn powers(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let (factor, e) = linear(c, r)?;
    let (zero, one, n) = (c.int(0), c.int(1), c.var(r.iteration));
    let first = c.mul(c.power(factor.clone(), n), r.start);
    let rest = c.sum(zero, n, |k| {
        let exponent = c.sub(c.sub(n, one), k);
        c.mul(c.power(factor.clone(), exponent), r.at(c, e, k))
    });
    Some(c.add(first, rest))
}

/// `y' = y * e(n)`: the product.
pub(super) fn product(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let y = c.var(r.value);
    let parts = c.poly(r.step).by_powers_of(y);
    let [rest, factor] = &parts[..] else { return None };
    // It is an integer: the step from 1.
    let factor = c.from_poly(factor.clone());
    if !rest.terms().is_empty() || c.mentions(factor, r.value) {
        return None;
    }
    let all = c.fold(FoldOp::Product, c.int(0), c.var(r.iteration), None, |k| r.at(c, factor, k));
    Some(c.mul(r.start, all))
}

/// `y' = y op e(n)` for a bitwise operation.
pub(super) fn bits(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let y = c.var(r.value);
    let node = c.node(r.step);
    let Node::Bits(op, parts) = &*node else { return None };
    let others: Vec<Term> = parts.iter().copied().filter(|part| *part != y).collect();
    if others.len() + 1 != parts.len() || others.iter().any(|part| c.mentions(*part, r.value)) {
        return None;
    }
    let fold = match op {
        BitOp::And => FoldOp::BitAnd,
        BitOp::Or => FoldOp::BitOr,
        BitOp::Xor => FoldOp::BitXor,
    };
    let element = c.bits(*op, &others);
    let all = c.fold(fold, c.int(0), c.var(r.iteration), None, |k| r.at(c, element, k));
    Some(c.bits(*op, &[r.start, all]))
}
