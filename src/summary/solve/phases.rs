//! Recurrences that are taken apart: by a condition that does not change, by the number of the
//! iteration, and into two phases by a condition on the value.
//!
//! Source of the phases: Sharma, Dillig, Dillig, Aiken, "Simplifying loop invariant generation
//! using splitter predicates", CAV 2011.

use super::recurrence::{Recurrence, Solver};
use smalti_terms::{Context, Facts, Int, Node, Sort, Term};

/// The conditions of a step that have no smaller conditions as parts and stand under no binder, in
/// the order in which they are met.
fn literals(c: &Context, step: Term) -> Vec<Term> {
    let mut found = Vec::new();
    c.each_part(step, &mut |t, below| {
        let is_literal = match &*c.node(t) {
            Node::NonNegative(_) | Node::Zero(_) | Node::Divides(..) => true,
            Node::Apply(..) | Node::Fold { .. } | Node::Var(_) => c.sort(t) == Sort::Bool,
            _ => false,
        };
        if is_literal && !below {
            found.push(t);
        }
        !below
    });
    found
}

/// A condition that mentions neither the value nor the iteration: both cases are solved.
pub(super) fn by_fixed_condition(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let condition = literals(c, r.step).into_iter().find(|t| r.is_fixed(c, *t))?;
    let with = |given: Term| s.part(Recurrence { step: c.cofactor(r.step, given), ..r });
    Some(c.ite(condition, with(condition)?, with(c.not(condition))?))
}

/// A test of the number of the iteration.
enum Test {
    /// It decides differently from this iteration on. The flag says whether it holds from there on.
    From(Term, bool),
    /// It holds in this iteration only, if the condition holds.
    Only(Term, Term),
}

/// What a condition says about the number of the iteration, if nothing else that changes occurs.
fn test_of(c: &Context, r: Recurrence, condition: Term) -> Option<Test> {
    let zero = c.int(0);
    if let Some((exists, at)) = c.solution(r.iteration, condition) {
        return r.is_fixed(c, at).then(|| Test::Only(at, c.and(&[c.ge(at, zero), exists])));
    }
    let Node::NonNegative(t) = *c.node(condition) else { return None };
    let (factor, rest) = c.affine(t, r.iteration)?;
    let rest = c.from_poly(rest);
    if !r.is_fixed(c, rest) {
        return None;
    }
    // `f*n + rest >= 0` from the least such `n` on, `rest - f*n >= 0` up to the greatest one.
    let is_positive = factor > Int::from(0);
    let from = match is_positive {
        true => c.ceil_div(c.neg(rest), &factor),
        false => c.add(c.div(rest, c.int(-factor)), c.int(1)),
    };
    Some(Test::From(c.max(from, zero), is_positive))
}

/// A test of the number of the iteration: the recurrence before it, and the one after it, which
/// starts from what the one before has left.
pub(super) fn by_iteration(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let found = literals(c, r.step).into_iter().find_map(|t| Some((t, test_of(c, r, t)?)));
    let (condition, test) = found?;
    let (n, one) = (c.var(r.iteration), c.int(1));
    let (holds, fails) = (c.cofactor(r.step, condition), c.cofactor(r.step, c.not(condition)));
    // The recurrence with a step and a start at an iteration, which is its first.
    let from = |iteration: Term, start: Term, step: Term| {
        let later = Recurrence { start, step: r.at(c, step, r.later(c, iteration)), ..r };
        Some(r.at(c, s.shifted_part(later)?, c.sub(n, iteration)))
    };
    match test {
        Test::From(at, holds_after) => {
            let (first, second) = if holds_after { (fails, holds) } else { (holds, fails) };
            let before = s.part(Recurrence { step: first, ..r })?;
            let after = from(at, r.at(c, before, at), second)?;
            Some(c.ite(c.ge(n, at), after, before))
        }
        Test::Only(at, there) => {
            let before = s.part(Recurrence { step: fails, ..r })?;
            let once = r.at(c, Recurrence { step: holds, ..r }.next(c, r.at(c, before, at)), at);
            let after = from(c.add(at, one), once, fails)?;
            Some(c.ite(c.and(&[there, c.gt(n, at)]), after, before))
        }
    }
}

/// A condition on the value that holds up to some iteration and never after, as in `if (x < 100)
/// x++;`: the sequence while it holds gives the iteration in which it fails; the sequence from
/// there on is one in which it never holds. Conditions that hold in all iterations are the case
/// without second phase.
pub(super) fn by_value(s: &Solver<'_>, r: Recurrence) -> Option<Term> {
    let c = s.c;
    let conditions = literals(c, r.step).into_iter().filter(|t| c.mentions(*t, r.value));
    let (n, zero) = (c.var(r.iteration), c.int(0));
    for condition in conditions.take(2).flat_map(|t| [t, c.not(t)]) {
        let Some(before) = s.part(Recurrence { step: c.cofactor(r.step, condition), ..r }) else { continue };
        let fails = c.not(c.substitute(condition, r.value, before));
        if s.facts().proves(c.not(fails)) {
            return Some(before);
        }
        if c.mentions(condition, r.iteration) {
            continue;
        }
        let Some(last) = c.trip_count_over(r.iteration, fails) else { continue };
        // The second phase starts from any value for which the condition fails.
        let value = c.variable("value", Sort::Int);
        let step = r.at(c, c.cofactor(r.step, c.not(condition)), r.later(c, last));
        let Some(after) = s.shifted_part(Recurrence { start: c.var(value), step, ..r }) else { continue };
        let start_fails = c.not(c.substitute(condition, r.value, c.var(value)));
        let facts = Facts::new(c).with(c.ge(n, zero)).with(start_fails);
        if facts.proves(c.not(c.substitute(condition, r.value, after))) {
            let after = r.at(c, c.substitute(after, value, r.at(c, before, last)), c.sub(n, last));
            return Some(c.ite(c.gt(n, last), after, before));
        }
    }
    None
}
