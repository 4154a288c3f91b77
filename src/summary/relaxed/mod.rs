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

use super::carried::Carried;
use super::state::{Region, State};
use super::{Asserted, Executor};
use bounds::Bounds;
use mirror::Mirror;
use smalti_terms::{Context, Node, Sort, Symbol, Term, Var};

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
struct Writer {
    /// The array before an iteration.
    before: Var,
    /// Those before an iteration that become any array with it, itself included.
    together: Vec<Var>,
    /// The array before the loop.
    start: Term,
    rank: u32,
    /// The number of the iteration.
    n: Var,
    /// The number of the iteration in which the loop ends.
    count: Term,
    /// The state after an iteration that another one follows, if one may.
    next: Option<Step>,
    /// The state after the loop, in the iteration in which it ends.
    leave: Step,
    /// The symbols that were made later than this one are of the loop.
    first: Option<Symbol>,
}

/// The array after an iteration.
struct Step {
    after: Term,
    /// What holds in the iteration.
    given: Vec<Term>,
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

impl<'p> Executor<'p> {
    /// Whether it depends on what is unknown in the iterations which cells of an array a loop
    /// writes, so that the array becomes any array in a summary that is relaxed. `closed` is the
    /// closed form, if there is one: it looks for iterations then in which something held of what
    /// was unknown there. `newest` is the newest symbol from before the loop. Loops in loops are
    /// left as they are.
    pub(super) fn is_varied(&self, closed: Option<Term>, one: &Carried, newest: Option<Symbol>) -> bool {
        let is_array = one.region.rank() > 0 && self.iterations.is_empty();
        let c = &self.c;
        let is_of_loop = |t: Term| c.has_symbol(t, |symbol| Some(symbol) > newest);
        let searches = |closed: Term| {
            let mut found = false;
            c.each_part(closed, &mut |part, below| {
                let is_condition = matches!(*c.node(part), Node::Zero(_) | Node::NonNegative(_) | Node::Divides(..));
                found |= below && is_condition && is_of_loop(part);
                !found
            });
            found
        };
        is_array && closed.is_none_or(searches)
    }

    /// Makes the arrays with the numbers `which` of what the loop carries any arrays after the
    /// loop. `by` has the closed forms, `exit` says when the loop ends.
    pub(super) fn relax(
        &mut self,
        (carried, which): (&[Carried<'p>], &[usize]),
        iteration: (Option<&State>, &State),
        by: &[(Var, Term)],
        exit: Term,
        (n, count): (Var, Term),
        outer: &State,
        first: Option<Symbol>,
    ) -> Vec<(Region, Term)> {
        let relaxed: Vec<Var> = which.iter().map(|k| carried[*k].before).collect();
        let by: Vec<(Var, Term)> = by.iter().copied().filter(|(v, _)| !relaxed.contains(v)).collect();
        let (next, leave) = iteration;
        let mut found = Vec::new();
        for one in which.iter().map(|k| &carried[*k]) {
            let c = &self.c;
            let step = |state: &State, more: Term| {
                let closed = |t: Term| c.substitute_all(t, &by);
                let given = [state.reached, state.given, more, outer.reached, outer.given].map(closed);
                let inside = c.ge(c.var(n), c.int(0));
                let given = given.into_iter().chain([inside]).collect();
                Step { after: closed(one.in_state(c, state)), given }
            };
            let rank = one.region.rank();
            let writer = Writer {
                before: one.before,
                together: relaxed.clone(),
                start: one.start,
                rank,
                n,
                count,
                next: next.map(|state| step(state, c.not(exit))),
                leave: step(leave, c.truth(true)),
                first,
            };
            let left = c.work_left();
            c.refill(WORK);
            let bounds = Bounds::of(c, &writer, self.relaxed_arrays());
            let mirrors = mirror::found(c, &writer, self.relaxed_arrays());
            c.refill(left);
            let range = one.ty.as_int().map(|kind| self.range_of_kind(kind)).unwrap_or_default();
            let after = self.c.variable_within("after", Sort::Array(rank), range);
            let unknown = self.unknown_region(&one.region, one.ty);
            found.push((one.region.clone(), self.c.var(after)));
            if log::log_enabled!(log::Level::Debug) {
                let name = self.name_of_object(one.region.object);
                log::debug!("a cell of {name} is {}", bounds.shown(&self.c));
                mirrors.iter().for_each(|mirror| log::debug!("{}", mirror.shown(&self.c)));
            }
            if let Some(all) = &mut self.relaxed {
                all.arrays.push(RelaxedArray { after, unknown, writer, bounds, mirrors });
            }
        }
        found
    }

    /// The arrays that became any array.
    fn relaxed_arrays(&self) -> &[RelaxedArray] {
        self.relaxed.as_ref().map_or(&[], |relaxed| &relaxed.arrays)
    }
}

impl Relaxed {
    /// Adds to an execution of an assertion what is known of the sums that it mentions.
    pub(super) fn explain(&self, c: &Context, one: &mut Asserted) {
        let terms: Vec<Term> = one.given.iter().copied().chain([one.condition]).collect();
        let facts = sums::facts(c, &self.arrays, &terms, &one.given);
        facts.iter().for_each(|fact| log::debug!("{:?}: {}", one.key, c.show(*fact)));
        one.given.extend(facts);
        let by: Vec<(Var, Term)> = self.arrays.iter().map(|one| (one.after, one.unknown)).collect();
        one.given.iter_mut().chain([&mut one.condition]).for_each(|t| *t = c.substitute_all(*t, &by));
    }
}
