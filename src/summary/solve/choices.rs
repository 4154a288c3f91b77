//! Values that some iterations assign: always, under a condition, or once.

use super::recurrence::{Recurrence, Solver};
use smalti_terms::{Context, Facts, Int, Node, Sort, Term};

/// `y' = e(n)`: what the iteration before has assigned.
pub(super) fn overwritten(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let n = c.var(r.iteration);
    if r.step == r.start || r.step == c.var(r.value) {
        return Some(r.start);
    }
    if c.mentions(r.step, r.value) {
        return None;
    }
    let before = r.at(c, r.step, c.sub(n, c.int(1)));
    Some(c.ite(c.ge(n, c.int(1)), before, r.start))
}

/// The condition under which the step changes the value, and the value then. `None` if these
/// mention the value.
pub(super) fn change(c: &Context, r: Recurrence, step: Term) -> Option<(Term, Term)> {
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
pub(super) fn last_assigned(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let (condition, value) = change(c, r, r.step)?;
    let (zero, n) = (c.int(0), c.var(r.iteration));
    if !c.mentions(value, r.iteration) {
        let any = c.any(zero, n, |k| r.at(c, condition, k));
        return Some(c.ite(any, value, r.start));
    }
    let last = c.last(zero, n, |k| r.at(c, condition, k));
    Some(c.ite(c.ge(last, zero), r.at(c, value, last), r.start))
}

/// `y' = y || p(n)` and `y' = y && p(n)` of a value that is 0 or 1. A start that may be something
/// else is one iteration of its own.
pub(super) fn flag(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let (zero, one, n) = (c.int(0), c.int(1), c.var(r.iteration));
    let (of_false, of_true) = (r.next(c, zero), r.next(c, one));
    let is_bit = |t: Term| {
        let (lo, hi) = c.range_of(t);
        lo.is_some_and(|lo| lo >= Int::from(0)) && hi.is_some_and(|hi| hi <= Int::from(1))
    };
    if !is_bit(of_false) || !is_bit(of_true) {
        return None;
    }
    if !is_bit(r.start) {
        let first = r.at(c, r.next(c, r.start), zero);
        if !is_bit(first) {
            return None;
        }
        let rest = Recurrence { start: first, step: r.at(c, r.step, r.later(c, one)), ..r };
        let rest = flag(s, rest)?;
        return Some(c.ite(c.ge(n, one), r.at(c, rest, c.sub(n, one)), r.start));
    }
    if of_true == one {
        let any = c.any(zero, n, |k| c.eq(r.at(c, of_false, k), one));
        return Some(c.indicator(c.or(&[c.eq(r.start, one), any])));
    }
    if of_false == zero {
        let all = c.all(zero, n, |k| c.eq(r.at(c, of_true, k), one));
        return Some(c.indicator(c.and(&[c.eq(r.start, one), all])));
    }
    None
}

/// Where two values differ; cases are looked at one by one.
fn differ(c: &Context, a: Term, b: Term) -> Term {
    match *c.node(a) {
        Node::Ite(p, x, y) => c.or(&[c.and(&[p, differ(c, x, b)]), c.and(&[c.not(p), differ(c, y, b)])]),
        _ => c.ne(a, b),
    }
}

/// A value that changes once: `y' = (y == s && p(n)) ? e(n) : y`, and whatever else stays as it is
/// after its first change. Until the first iteration in which the step from the start gives
/// something else, the value is the start. If the step from the value that this iteration leaves
/// gives that value again, in all later iterations, it stays.
pub(super) fn first_change(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let of_start = r.next(c, r.start);
    let changes = differ(c, of_start, r.start);
    if c.as_truth(changes) == Some(false) {
        return Some(r.start);
    }
    let (zero, n) = (c.int(0), c.var(r.iteration));
    let at = c.variable("first", Sort::Int);
    let there = |t: Term| r.at(c, t, c.var(at));
    let value = there(c.cofactor(of_start, changes));
    // Facts of both iterations, the one of the change and a later one.
    let order = c.and(&[c.gt(n, c.var(at)), c.ge(c.var(at), zero)]);
    let later = s.facts().with(there(s.given)).with(order).with(there(changes));
    if !stays(c, &later, value, r.next(c, value)) {
        return None;
    }
    if !c.mentions(value, at) {
        let any = c.any(zero, n, |k| r.at(c, changes, k));
        return Some(c.ite(any, value, r.start));
    }
    let first = c.first(zero, n, |k| r.at(c, changes, k));
    Some(c.ite(c.lt(first, n), c.substitute(value, at, first), r.start))
}

/// Whether two values are equal where the facts hold.
fn stays(c: &Context, facts: &Facts<'_>, value: Term, next: Term) -> bool {
    next == value || facts.simplify(next) == facts.simplify(value) || facts.proves(c.eq(value, next))
}
