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

mod bounds;
mod mirror;
mod sums;
#[cfg(test)]
mod tests;
mod totals;

use bounds::Bounds;
use mirror::Mirror;
use smalti_terms::{Context, Symbol, Term, Var};

/// The work for terms that the bounds of one array may cost.
const WORK: u64 = 400_000;

/// What is known of the arrays that became any array.
#[derive(Default)]
pub(super) struct Relaxed {
    arrays: Vec<RelaxedArray>,
}

/// An array that is any array after a loop.
struct RelaxedArray {
    /// Stands for its contents after the loop.
    after: Var,
    /// The unknown that stands for them once all is known of them.
    unknown: Term,
    /// The loop that writes it.
    writer: Writer,
    /// Bounds of its cells.
    bounds: Bounds,
    /// Bounds of the sums of two cells.
    mirrors: Vec<Mirror>,
}

/// How a loop writes an array. What else the loop writes has its closed form in all terms.
pub(super) struct Writer {
    /// The array before an iteration.
    pub(super) before: Var,
    /// Those before an iteration that become any array with it, itself included.
    pub(super) together: Vec<Var>,
    /// The array before the loop.
    pub(super) start: Term,
    pub(super) rank: u32,
    /// The number of the iteration.
    pub(super) n: Var,
    /// The number of the iteration in which the loop ends.
    pub(super) count: Term,
    /// The state after an iteration that another one follows, if one may.
    pub(super) next: Option<Step>,
    /// The state after the loop, in the iteration in which it ends.
    pub(super) leave: Step,
    /// The symbols that were made later than this one are of the loop.
    pub(super) first: Option<Symbol>,
}

/// The array after an iteration.
pub(super) struct Step {
    pub(super) after: Term,
    /// What holds in the iteration.
    pub(super) given: Vec<Term>,
}

impl Writer {
    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.next.iter().chain([&self.leave])
    }

    /// Whether a term has another value in other iterations of the loop, or may have.
    fn is_of_iteration(&self, c: &Context, t: Term, others: &[Var]) -> bool {
        c.mentions(t, self.n)
            || self.together.iter().chain(others).any(|v| c.mentions(t, *v))
            || c.has_symbol(t, |symbol| Some(symbol) > self.first)
    }
}

impl Relaxed {
    /// Notes that a loop writes an array at arbitrary places. `after` stands for its contents after
    /// the loop, and `unknown` for them once all is known. `name` is for the log.
    pub(super) fn add(&mut self, c: &Context, writer: Writer, (after, unknown): (Var, Term), name: &str) {
        let left = c.work_left();
        c.refill(WORK);
        let bounds = Bounds::of(c, &writer, &self.arrays);
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
