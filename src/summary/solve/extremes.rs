//! Running maxima and minima, with the index at which they are.

use super::choices::change;
use super::recurrence::{Recurrence, Solver};
use smalti_terms::{Context, FoldOp, Int, Node, Poly, Rat, Term};

/// The parts of a maximum or minimum, and which of the two it is.
fn parts_of(c: &Context, t: Term) -> Option<(FoldOp, Vec<Term>)> {
    match &*c.node(t) {
        Node::Max(parts) => Some((FoldOp::Max, parts.clone())),
        Node::Min(parts) => Some((FoldOp::Min, parts.clone())),
        _ => None,
    }
}

fn extreme_of(c: &Context, op: FoldOp, parts: &[Term]) -> Term {
    if op == FoldOp::Max { c.max_of(parts) } else { c.min_of(parts) }
}

/// `y' = max(y, e(n))` or `y' = min(y, e(n))`, possibly under a condition.
pub(super) fn extreme(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let y = c.var(r.value);
    let (condition, step) = match *c.node(r.step) {
        Node::Ite(p, a, b) if b == y && !c.mentions(p, r.value) => (Some(p), a),
        Node::Ite(p, a, b) if a == y && !c.mentions(p, r.value) => (Some(c.not(p)), b),
        _ => (None, r.step),
    };
    let (op, parts) = parts_of(c, step)?;
    let others: Vec<Term> = parts.iter().copied().filter(|part| *part != y).collect();
    if others.len() + 1 != parts.len() || others.iter().any(|part| c.mentions(*part, r.value)) {
        return None;
    }
    let element = extreme_of(c, op, &others);
    // Where the condition fails, the start stands for no element: it is one already.
    let element = condition.map_or(element, |p| c.ite(p, element, r.start));
    Some(c.fold(op, c.int(0), c.var(r.iteration), Some(r.start), |k| r.at(c, element, k)))
}

/// `y' = max(y + d(n), e(n))`, likewise the minimum, also with something added to both: with `D(n)`
/// the sum of `d(k)` for `k < n`, the value `y(n) - D(n)` is a running maximum of `e(k) - D(k +
/// 1)`.
pub(super) fn drifting(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let y = c.var(r.value);
    // The step is `rest + max(parts)`.
    let poly = c.poly(r.step);
    let one = Rat::from_integer(1.into());
    let mut with_value = poly.atoms().into_iter().filter(|atom| c.mentions(*atom, r.value));
    let (atom, None) = (with_value.next()?, with_value.next()) else { return None };
    if poly.coefficient(&vec![(atom, 1)]) != one {
        return None;
    }
    let rest = c.sub(r.step, atom);
    let (op, parts) = parts_of(c, atom)?;
    let (own, others): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(|part| c.mentions(*part, r.value));
    let [own] = own[..] else { return None };
    let drift = c.add(c.sub(own, y), rest);
    if c.mentions(drift, r.value) || c.mentions(rest, r.value) {
        return None;
    }
    let element = c.add(extreme_of(c, op, &others), rest);
    let (zero, n) = (c.int(0), c.var(r.iteration));
    let sum = |to: Term| c.sum(zero, to, |k| r.at(c, drift, k));
    let level = |k: Term| c.sub(r.at(c, element, k), sum(c.add(k, c.int(1))));
    Some(c.add(sum(n), c.fold(op, zero, n, Some(r.start), level)))
}

/// A comparison of the element of this iteration with the extreme element before it.
struct Exceeds {
    /// Whether equal elements do not count.
    strict: bool,
    /// The element of iteration `n`.
    element: Term,
    /// The extreme of the first start and the elements before iteration `n`.
    extreme: Term,
    /// The start.
    seed: Term,
}

impl Exceeds {
    /// The value that the last iteration before `n` has assigned in which the element has exceeded
    /// the extreme of those before.
    ///
    /// *Strictly*: in such an iteration `k` the extreme becomes `element(k)`. If it is the last
    /// one, the extreme stays so, and no earlier element equals it: `k` is the first index of the
    /// extreme. If there is none, the extreme is the seed; if there is one, it is not.
    /// *Otherwise*: `k` is the last index of the extreme, and there is none if no element equals
    /// it.
    fn assigned(&self, c: &Context, r: Recurrence, value: Term) -> Term {
        let (zero, n) = (c.int(0), c.var(r.iteration));
        let is_extreme = |k: Term| c.eq(r.at(c, self.element, k), self.extreme);
        if self.strict {
            let first = c.first(zero, n, is_extreme);
            return c.ite(c.eq(self.extreme, self.seed), r.start, r.at(c, value, first));
        }
        let last = c.last(zero, n, is_extreme);
        c.ite(c.ge(last, zero), r.at(c, value, last), r.start)
    }
}

/// `y' = (e(n) > m(n)) ? v(n) : y` where `m` is a running maximum of `e`, as in `if (a[i] > m) { m
/// = a[i]; at = i; }`; also with `>=`, and for minima.
pub(super) fn at_extreme(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let (condition, value) = change(c, r, r.step)?;
    let Node::NonNegative(q) = *c.node(condition) else { return None };
    let found = c.poly(q).atoms().into_iter().filter(|atom| c.mentions(*atom, r.iteration));
    found.into_iter().find_map(|extreme| running(s, r, q, extreme)).map(|exceeds| exceeds.assigned(c, r, value))
}

/// The comparison `q >= 0` of an element with its running extreme: a fold that in each iteration
/// has one index more, at which its body is the element.
fn running(s: &Solver<'_>, r: Recurrence, q: Term, extreme: Term) -> Option<Exceeds> {
    let c = s.c;
    let Node::Fold { op: op @ (FoldOp::Max | FoldOp::Min), lo, hi, seed: Some(seed), body } = *c.node(extreme) else {
        return None;
    };
    let parts = [lo, seed, body, c.sub(hi, c.var(r.iteration))];
    let facts = s.facts();
    // From iteration 0 on, the range is not before its start.
    let grows = parts.iter().all(|part| !c.mentions(*part, r.iteration)) && facts.proves(c.le(lo, hi));
    if !grows {
        return None;
    }
    let sign = if op == FoldOp::Max { 1 } else { -1 };
    let added = c.instantiate(body, hi);
    [true, false].into_iter().find_map(|strict| {
        // `element - extreme - strict >= 0` for a maximum, the negated for a minimum.
        let difference = c.add(q, c.int(i64::from(strict)));
        let element = c.add(extreme, c.scale(sign, difference));
        let is_running = element == added || facts.proves(c.eq(element, added));
        let seed = r.at(c, extreme, c.int(0));
        is_running.then_some(Exceeds { strict, element: added, extreme, seed })
    })
}

/// `y' = (h(v(n)) > h(y)) ? v(n) : y`, as in `if (a[i] > a[at]) at = i;`: `h(y)` is a running
/// maximum. Also with `>=`, and for minima.
pub(super) fn kept_index(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let y = c.var(r.value);
    let (p, value) = match *c.node(r.step) {
        Node::Ite(p, a, b) if b == y => (p, a),
        Node::Ite(p, a, b) if a == y => (c.not(p), b),
        _ => return None,
    };
    let Node::NonNegative(q) = *c.node(p) else { return None };
    if c.mentions(value, r.value) {
        return None;
    }
    // `q = rest - of_value`, where only the latter mentions the value.
    let (poly, mut of_value) = (c.poly(q), Poly::default());
    for (monomial, coefficient) in poly.terms() {
        if monomial.iter().any(|(atom, _)| c.mentions(*atom, r.value)) {
            of_value = of_value.add(&Poly::monomial(monomial.clone(), -coefficient.clone()));
        }
    }
    let is_negative =
        of_value.terms().first().is_some_and(|(_, coefficient)| *coefficient < Rat::from_integer(0.into()));
    let (op, sign) = if is_negative { (FoldOp::Min, -1) } else { (FoldOp::Max, 1) };
    if !of_value.terms().iter().all(|(_, coefficient)| coefficient.is_integer()) {
        return None;
    }
    let height = c.scale(sign, c.from_poly(of_value));
    if c.mentions(height, r.iteration) {
        return None;
    }
    let element = s.facts().simplify(c.substitute(height, r.value, value));
    // `q` with the new value in place of the old one: the distance at which it is taken.
    let distance = s.facts().simplify(c.substitute(q, r.value, value));
    let strict = match c.as_int(distance)? {
        d if d == Int::from(0) => false,
        d if d == Int::from(-1) => true,
        _ => return None,
    };
    let (zero, n) = (c.int(0), c.var(r.iteration));
    let seed = c.substitute(height, r.value, r.start);
    let extreme = c.fold(op, zero, n, Some(seed), |k| r.at(c, element, k));
    Some(Exceeds { strict, element, extreme, seed }.assigned(c, r, value))
}
