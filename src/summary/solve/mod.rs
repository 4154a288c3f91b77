//! Closed forms of recurrences: from the value after an iteration, as a term over the value before
//! it, to the value after any number of iterations.
//!
//! **Meaning.** A sequence `y(0) = start`, `y(n + 1) = step(y(n), n)`. [`solve_given`] gives a term
//! for `y(n)` that is right for every `n >= 0` for which the facts hold in all iterations before
//! `n`.
//!
//! **Representation.** A list of rules. Some take a recurrence apart and solve the parts by the
//! whole list; how often is limited.
//!
//! **Sources.** Kovács, "Reasoning algebraically about P-solvable loops", TACAS 2008, for sums and
//! powers; Farzan, Kincaid, "Compositional recurrence analysis", FMCAD 2015, for the order in which
//! the variables of a loop are solved; Daca, Henzinger, Kupriyanov, "Array folds logic", CAV 2016,
//! for folds; Sharma, Dillig, Dillig, Aiken, "Simplifying loop invariant generation using splitter
//! predicates", CAV 2011, for phases.

mod choices;
mod extremes;
mod periodic;
mod phases;
mod recurrence;
mod sums;
#[cfg(test)]
mod tests;

pub(super) use recurrence::Recurrence;

use recurrence::{Rule, Solver};
use smalti_terms::{Context, Term};
use std::cell::Cell;

/// The rules, in the order in which they are tried: those with the simplest result first.
const RULES: &[(&str, Rule)] = &[
    ("overwritten", choices::overwritten),
    ("added", sums::added),
    ("wrapped", sums::wrapped),
    ("extreme", extremes::extreme),
    ("at the extreme", extremes::at_extreme),
    ("last assigned", choices::last_assigned),
    ("kept index", extremes::kept_index),
    ("flag", choices::flag),
    ("periodic", periodic::periodic),
    ("cyclic", periodic::cyclic),
    ("geometric", sums::geometric),
    ("powers", sums::powers),
    ("product", sums::product),
    ("bits", sums::bits),
    ("drifting extreme", extremes::drifting),
    ("first change", choices::first_change),
    ("fixed condition", phases::by_fixed_condition),
    ("iteration number", phases::by_iteration),
    ("phases of the value", phases::by_value),
];

/// How deep a recurrence is taken apart.
const DEPTH: u32 = 4;
/// How many parts are solved in all.
const PARTS: u32 = 40;

/// The value before iteration number `iteration`, if `given` holds in all iterations before that;
/// `None` if no rule applies.
pub(super) fn solve_given(c: &Context, r: Recurrence, given: Term) -> Option<Term> {
    let given = c.and(&[given, c.ge(c.var(r.iteration), c.int(0))]);
    Solver { c, given, rules: RULES, depth: DEPTH, parts: &Cell::new(PARTS) }.solve(r)
}
