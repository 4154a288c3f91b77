//! What a loop adds to a sum of cells.
//!
//! **Why it is right.** Let `g(a)` be the sum as a function of the array. From one iteration to the
//! next it grows by `d(n) = g(after) - g(before)`. Where the facts of the iteration make that a
//! term without the array, `g` after the loop is `g` before it, and `d(0)` to `d(count - 1)`, and
//! what the iteration adds in which the loop ends. So a sum needs no variable that adds up the
//! changes.

use super::arrays::RelaxedArray;
use super::writer::{Step, Writer, solved, with};
use smalti_terms::{Context, Facts, Term};

/// What a sum over one of the arrays is after the loop that writes it, as a term without the array.
pub(super) fn total(c: &Context, arrays: &[RelaxedArray], sum: Term) -> Option<Term> {
    let mut about = arrays.iter().filter(|one| c.mentions(sum, one.after));
    let one = about.next().filter(|_| about.next().is_none())?;
    let writer = &one.writer;
    let of = |array: Term| c.substitute(sum, one.after, array);
    let mut whole = of(writer.start);
    if let Some(next) = &writer.next {
        let added = added(c, arrays, writer, next, &of)?;
        whole = c.add(whole, c.sum(c.int(0), writer.count, |k| c.substitute(added, writer.n, k)));
    }
    let last = added(c, arrays, writer, &writer.leave, &of)?;
    let last = c.substitute(last, writer.n, writer.count);
    Some(c.add(whole, last))
}

/// What an iteration adds, as a term over its number and what was known before the loop.
fn added(
    c: &Context,
    arrays: &[RelaxedArray],
    writer: &Writer,
    step: &Step,
    of: &dyn Fn(Term) -> Term,
) -> Option<Term> {
    let facts = Facts::new(c).with_all(&step.given);
    let mut added = facts.simplify(c.sub(of(step.after), of(c.var(writer.before))));
    // What the iteration is known to find in the cells that it writes.
    let is_cell = |t: Term| c.mentions(t, writer.before);
    for p in step.given.iter().flat_map(|p| parts(c, *p)) {
        if let Some((cell, value)) = solved(c, p, &is_cell).filter(|(_, value)| !is_cell(*value)) {
            added = with(c, added, cell, value);
        }
    }
    log::debug!("an iteration adds {} to {}", c.show(added), c.show(of(c.var(writer.before))));
    let is_free = |v: &smalti_terms::Var| *v == writer.n || arrays.iter().any(|one| one.after == *v);
    c.free(added).iter().all(is_free).then_some(added)
}

/// The parts of a condition, and what holds in all cases of each. Where branches meet, the path to
/// them is in each case.
fn parts(c: &Context, p: Term) -> Vec<Term> {
    let mut parts = c.conjuncts(p);
    for part in parts.clone() {
        let mut cases = c.disjuncts(part).into_iter().map(|case| c.conjuncts(case));
        let first = cases.next().unwrap_or_default();
        parts.extend(cases.fold(first, |all, case| all.into_iter().filter(|p| case.contains(p)).collect()));
    }
    parts
}
