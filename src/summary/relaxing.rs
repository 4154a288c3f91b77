//! Finds the arrays that a loop writes at arbitrary places, and makes them any arrays after it.
//! What is known of them then is the business of [`super::relaxed`].

use super::Executor;
use super::carried::Carried;
use super::relaxed::writer::{Step, Writer};
use super::state::{Region, State};
use smalti_terms::{Node, Sort, Symbol, Term, Var};

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
            let range = one.ty.as_int().map(|kind| self.range_of_kind(kind)).unwrap_or_default();
            let after = self.c.variable_within("after", Sort::Array(rank), range);
            let unknown = self.unknown_region(&one.region, one.ty);
            found.push((one.region.clone(), self.c.var(after)));
            let name = self.name_of_object(one.region.object);
            let Executor { c, relaxed: known, .. } = self;
            if let Some(known) = known {
                known.add(c, writer, (after, unknown), &name);
            }
        }
        found
    }
}
