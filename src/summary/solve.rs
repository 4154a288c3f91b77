//! Closed forms of recurrences: from the value after an iteration, as a term over the value before
//! it, to the value after any number of iterations.
//!
//! **Meaning.** A sequence `y(0) = start`, `y(n + 1) = step(y(n), n)`. [`solve`] gives a term for
//! `y(n)` that is right for every `n >= 0`.
//!
//! **Sources.** Kovács, "Reasoning algebraically about P-solvable loops", TACAS 2008, for sums and
//! powers; Farzan, Kincaid, "Compositional recurrence analysis", FMCAD 2015, for the order in which
//! the variables of a loop are solved; Daca, Henzinger, Kupriyanov, "Array folds logic", CAV 2016,
//! for folds.

use smalti_terms::{BitOp, Context, FoldOp, Int, Node, Term, Var};

/// A recurrence.
#[derive(Clone, Copy)]
pub(super) struct Recurrence {
    /// Stands for the value before an iteration.
    pub(super) value: Var,
    /// Stands for the number of the iteration, from 0.
    pub(super) iteration: Var,
    /// The value before the first iteration. It mentions neither of the two.
    pub(super) start: Term,
    /// The value after the iteration.
    pub(super) step: Term,
}

/// The value before iteration number `iteration`; `None` if no rule applies.
pub(super) fn solve(c: &Context, r: Recurrence) -> Option<Term> {
    if !c.mentions(r.step, r.value) {
        return Some(overwritten(c, r));
    }
    added(c, r)
        .or_else(|| wrapped(c, r))
        .or_else(|| extreme(c, r))
        .or_else(|| last_assigned(c, r))
        .or_else(|| flag(c, r))
        .or_else(|| linear(c, r))
        .or_else(|| bits(c, r))
}

/// `y' = e(n)`: what the iteration before has assigned.
fn overwritten(c: &Context, r: Recurrence) -> Term {
    let n = c.var(r.iteration);
    if r.step == r.start {
        return r.start;
    }
    let before = c.substitute(r.step, r.iteration, c.sub(n, c.int(1)));
    c.ite(c.ge(n, c.int(1)), before, r.start)
}

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

/// The term with an index in place of the number of the iteration.
fn at(c: &Context, r: Recurrence, t: Term, index: Term) -> Term {
    c.substitute(t, r.iteration, index)
}

/// `y' = y + e(n)`: the sum.
fn added(c: &Context, r: Recurrence) -> Option<Term> {
    let e = increment(c, r, r.step)?;
    let sum = c.sum(c.int(0), c.var(r.iteration), |k| at(c, r, e, k));
    Some(c.add(r.start, sum))
}

/// `y' = wrap(t(y))`: the sequence without `wrap`, wrapped at the end. This is right where `t` is a
/// polynomial with integer coefficients, since `wrap` is a homomorphism of rings, and where the
/// start is a value of the type.
fn wrapped(c: &Context, r: Recurrence) -> Option<Term> {
    let Node::Wrap(to, inner) = *c.node(r.step) else { return None };
    let is_start_of_type = c.wrap(to, r.start) == r.start;
    if !is_start_of_type {
        return None;
    }
    let exact = added(c, Recurrence { step: inner, ..r }).or_else(|| linear(c, Recurrence { step: inner, ..r }))?;
    Some(c.wrap(to, exact))
}

/// `y' = max(y, e(n))` or `y' = min(y, e(n))`, possibly under a condition.
fn extreme(c: &Context, r: Recurrence) -> Option<Term> {
    let y = c.var(r.value);
    let (condition, step) = match *c.node(r.step) {
        Node::Ite(p, a, b) if b == y && !c.mentions(p, r.value) => (Some(p), a),
        Node::Ite(p, a, b) if a == y && !c.mentions(p, r.value) => (Some(c.not(p)), b),
        _ => (None, r.step),
    };
    let node = c.node(step);
    let (is_max, parts) = match &*node {
        Node::Max(parts) => (true, parts),
        Node::Min(parts) => (false, parts),
        _ => return None,
    };
    let others: Vec<Term> = parts.iter().copied().filter(|part| *part != y).collect();
    if others.len() + 1 != parts.len() || others.iter().any(|part| c.mentions(*part, r.value)) {
        return None;
    }
    let element = if is_max { c.max_of(&others) } else { c.min_of(&others) };
    // Where the condition fails, the start stands for no element: it is one already.
    let element = condition.map_or(element, |p| c.ite(p, element, r.start));
    let (lo, n) = (c.int(0), c.var(r.iteration));
    let body = |k| at(c, r, element, k);
    Some(if is_max { c.maximum(r.start, lo, n, body) } else { c.minimum(r.start, lo, n, body) })
}

/// The condition under which the step changes the value, and the value then. `None` if these
/// mention the value.
fn change(c: &Context, r: Recurrence, step: Term) -> Option<(Term, Term)> {
    if step == c.var(r.value) {
        return Some((c.truth(false), r.start));
    }
    if !c.mentions(step, r.value) {
        return Some((c.truth(true), step));
    }
    let Node::Ite(p, a, b) = *c.node(step) else { return None };
    if c.mentions(p, r.value) {
        return None;
    }
    let ((if_a, a), (if_b, b)) = (change(c, r, a)?, change(c, r, b)?);
    let condition = match if_a == if_b {
        true => if_a,
        false => c.or(&[c.and(&[p, if_a]), c.and(&[c.not(p), if_b])]),
    };
    // Where only one of the two changes the value, the condition `p` is implied.
    let value = match (c.as_truth(if_a), c.as_truth(if_b)) {
        (Some(false), _) => b,
        (_, Some(false)) => a,
        _ => c.ite(p, a, b),
    };
    Some((condition, value))
}

/// `y' = p(n) ? e(n) : y`: what the last such iteration has assigned.
fn last_assigned(c: &Context, r: Recurrence) -> Option<Term> {
    let (condition, value) = change(c, r, r.step)?;
    let (zero, n) = (c.int(0), c.var(r.iteration));
    if !c.mentions(value, r.iteration) {
        let any = c.any(zero, n, |k| at(c, r, condition, k));
        return Some(c.ite(any, value, r.start));
    }
    let last = c.last(zero, n, |k| at(c, r, condition, k));
    Some(c.ite(c.ge(last, zero), at(c, r, value, last), r.start))
}

/// `y' = y || p(n)` and `y' = y && p(n)` of a value that is 0 or 1.
fn flag(c: &Context, r: Recurrence) -> Option<Term> {
    let with = |value: i64| c.substitute(r.step, r.value, c.int(value));
    let (of_false, of_true) = (with(0), with(1));
    let is_bit = |t: Term| {
        let (lo, hi) = c.range_of(t);
        lo.is_some_and(|lo| lo >= Int::from(0)) && hi.is_some_and(|hi| hi <= Int::from(1))
    };
    if ![r.start, of_false, of_true].into_iter().all(is_bit) {
        return None;
    }
    let (zero, one, n) = (c.int(0), c.int(1), c.var(r.iteration));
    if of_true == one {
        let any = c.any(zero, n, |k| c.eq(at(c, r, of_false, k), one));
        return Some(c.indicator(c.or(&[c.eq(r.start, one), any])));
    }
    if of_false == zero {
        let all = c.all(zero, n, |k| c.eq(at(c, r, of_true, k), one));
        return Some(c.indicator(c.and(&[c.eq(r.start, one), all])));
    }
    None
}

/// `y' = a*y + e(n)` for a constant `a`: powers of `a`.
fn linear(c: &Context, r: Recurrence) -> Option<Term> {
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
    if c.mentions(e, r.value) {
        return None;
    }
    let (zero, one, n) = (c.int(0), c.int(1), c.var(r.iteration));
    let first = c.mul(c.power(factor.clone(), n), r.start);
    let rest = c.sum(zero, n, |k| {
        let exponent = c.sub(c.sub(n, one), k);
        c.mul(c.power(factor.clone(), exponent), at(c, r, e, k))
    });
    Some(c.add(first, rest))
}

/// `y' = y op e(n)` for a bitwise operation.
fn bits(c: &Context, r: Recurrence) -> Option<Term> {
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
    let all = c.fold(fold, c.int(0), c.var(r.iteration), None, |k| at(c, r, element, k));
    Some(c.bits(*op, &[r.start, all]))
}
