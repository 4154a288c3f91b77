//! Arrays that are written at arbitrary places: what is known of their cells and sums where the
//! exact contents are of no use.
//!
//! **Why.** `while (more()) { p = any(); t[p] = p > 3 ? 1 : t[p]; }` has an exact closed form: the
//! last iteration that wrote the cell says what it holds. A sum over such cells cannot be compared
//! with anything. Bounds can: a cell is at most 1, and at most 0 up to cell 3.
//!
//! **Meaning.** In a summary that is relaxed, such an array is any array after the loop
//! ([`RelaxedArray`]), of which three kinds of facts are known:
//! * bounds of each cell, as terms over its indexes ([`bounds`]);
//! * bounds of the sum of each cell and its mirror image, where the loop writes cells in pairs
//!   ([`mirror`]);
//! * what the loop adds to a sum of cells, iteration by iteration ([`totals`]).
//!
//! They become facts about the sums that an assertion mentions ([`sums`]). Nothing else changes,
//! so a proof from a relaxed summary is a proof.

mod arrays;
mod bounds;
mod mirror;
mod sums;
#[cfg(test)]
mod tests;
mod totals;
pub(super) mod writer;

use arrays::RelaxedArray;
use smalti_terms::{Context, Term, Var};
use writer::Writer;

/// The work for terms that the bounds of one array may cost.
const WORK: u64 = 400_000;

/// What is known of the arrays that became any array.
#[derive(Default)]
pub(super) struct Relaxed {
    arrays: Vec<RelaxedArray>,
}

impl Relaxed {
    /// Notes that a loop writes an array at arbitrary places. `after` stands for its contents after
    /// the loop, and `unknown` for them once all is known. `name` is for the log.
    pub(super) fn add(&mut self, c: &Context, writer: Writer, (after, unknown): (Var, Term), name: &str) {
        let left = c.work_left();
        c.refill(WORK);
        let bounds = bounds::found(c, &writer, &self.arrays);
        let mirrors = mirror::found(c, &writer, &self.arrays);
        c.refill(left);
        if log::log_enabled!(log::Level::Debug) {
            log::debug!("a cell of {name} is {}", bounds.shown(c));
            mirrors.iter().for_each(|mirror| log::debug!("{}", mirror.shown(c)));
        }
        self.arrays.push(RelaxedArray { after, unknown, writer, bounds, mirrors });
    }

    /// Adds to what is given for a condition what is known of the sums that both mention.
    pub(super) fn explain(&self, c: &Context, given: &mut Vec<Term>, condition: &mut Term) {
        let terms: Vec<Term> = given.iter().copied().chain([*condition]).collect();
        let facts = sums::facts(c, &self.arrays, &terms, given);
        facts.iter().for_each(|fact| log::debug!("known: {}", c.show(*fact)));
        given.extend(facts);
        let by: Vec<(Var, Term)> = self.arrays.iter().map(|one| (one.after, one.unknown)).collect();
        given.iter_mut().chain([condition]).for_each(|t| *t = c.substitute_all(*t, &by));
    }
}
