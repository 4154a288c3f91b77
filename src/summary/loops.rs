//! Loops: from one iteration on symbols to the state after the loop.
//!
//! **Meaning.** The iterations have numbers from 0. What the loop writes is a sequence in that
//! number, solved as if the loop had no end; the loop ends in the first iteration in which an exit
//! is taken. A sequence may be right only up to there.

use super::arrays;
use super::carried::{Carried, Mark};
use super::exits::TripCount;
use super::reads::{Growing, Iterations, without_cross_reads};
use super::solve::{Recurrence, solve_given};
use super::state::{Object, Region, State};
use super::unknown::{Origin, symbol_of};
use super::{Executor, Flow, Jump, Moment, Point, Unsolved, WhyUnsolved};
use crate::program::{LabelId, Location, Loop, Stmt, StmtId, StmtKind, each_stmt};
use smalti_terms::{Facts, Node, Sort, Symbol, Term, Var};
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Executor<'p> {
    /// Executes a loop.
    ///
    /// # Errors
    /// The place of a jump into the loop.
    pub(super) fn run_loop(
        &mut self,
        l: &Loop,
        stmt: &Stmt,
        outer: State,
        flow: &mut Flow,
    ) -> Result<Option<State>, Location> {
        let at = stmt.location;
        let n = self.c.variable(self.iteration_name(), Sort::Int);
        self.numbers.insert(n, stmt.id());
        let first = self.mark();
        let newest = self.c.newest_symbol();
        let (carried, iteration) = self.any_iteration(l, stmt, &outer, n)?;
        if flow.jumps.iter().any(|jump| has_label(l, jump.to)) {
            return Err(at);
        }
        let exits: Vec<Term> =
            iteration.leave.iter().chain(iteration.jumps.iter().map(|jump| &jump.state)).map(|s| s.reached).collect();
        let taken = self.c.or(&exits);
        let Solved { forms: solved, relaxed } =
            self.solved(&carried, iteration.next.as_ref(), n, taken, &outer, stmt, newest);
        let by: Vec<(Var, Term)> = carried.iter().map(|c| c.before).zip(solved.iter().copied()).collect();
        let exit = self.c.substitute_all(taken, &by);
        let TripCount { count, ends } = self.count(exit, n, &outer, stmt.id());
        // Every iteration that another one has followed went on.
        let went_on = iteration.next.as_ref().filter(|_| may_end_runs(l)).map_or(self.c.truth(true), |next| {
            let goes_on = self.c.substitute_all(self.c.and(&[next.reached, next.given]), &by);
            self.c.cofactor(goes_on, self.c.not(exit))
        });
        let before_end = self.c.all(self.c.int(0), count, |k| self.c.substitute(went_on, n, k));
        // Where the loop does not end, its iterations have no greatest number.
        let until = self.c.or(&[self.c.not(ends), self.c.le(self.c.var(n), count)]);
        let iterations = [self.c.ge(self.c.var(n), self.c.int(0)), until, outer.reached, outer.given];
        self.finish_iteration(&first, &by, &iterations);
        if self.with_heads {
            let head = self.at_head(stmt, &carried, &solved, &outer, n, &iterations);
            self.points.push(head);
        }
        let known = self.c.and(&[self.c.ge(count, self.c.int(0)), ends, before_end]);
        let only = exits.len() == 1;
        let finished = |state: State, executor: &mut Executor<'p>| {
            let at_end = |t: Term| {
                let t = executor.c.substitute_all(t, &by);
                executor.c.substitute(t, n, count)
            };
            // If there is only one way out, the loop ends by it.
            let reached = if only { executor.c.truth(true) } else { at_end(state.reached) };
            let given = executor.c.and(&[outer.given, known, at_end(state.given)]);
            let values = state.values.iter().map(|(region, t)| (region.clone(), at_end(*t))).collect();
            State { reached: executor.c.and(&[outer.reached, reached]), given, branch: None, values }
        };
        for jump in iteration.jumps {
            flow.jumps.push(Jump { state: finished(jump.state, self), ..jump });
        }
        let mut after = iteration.leave.clone().map(|state| finished(state, self));
        if let Some((left, after)) = iteration.leave.as_ref().zip(after.as_mut()).filter(|_| !relaxed.is_empty()) {
            let steps = (iteration.next.as_ref(), left);
            let any = self.relax((&carried, &relaxed), steps, &by, taken, (n, count), &outer, newest);
            after.values.extend(any);
        }
        if let Some(state) = &after {
            let held = carried.iter().map(|one| (one.region.clone(), state.values[&one.region]));
            let (within, values) = (self.iterations.clone(), held.collect());
            let given = vec![state.reached, state.given];
            let before = carried.iter().map(|one| (one.region.clone(), one.held_before(&self.c))).collect();
            self.points.push(Point {
                moment: Moment::After(at),
                statement: Some(stmt.id()),
                within,
                given,
                ways: Vec::new(),
                values,
                others: BTreeMap::new(),
                before,
                result: None,
            });
        }
        Ok(after)
    }

    /// What is known at the head of a loop in iteration `n`. The closed forms hold up to the
    /// iteration in which the loop ends, that one included, and `iterations` says that there is no
    /// later one.
    fn at_head(
        &self,
        stmt: &Stmt,
        carried: &[Carried<'p>],
        solved: &[Term],
        outer: &State,
        n: Var,
        iterations: &[Term],
    ) -> Point {
        let written = carried.iter().zip(solved);
        let values: BTreeMap<Region, Term> =
            written.map(|(one, closed)| (one.region.clone(), one.held(&self.c, *closed))).collect();
        let others = outer.values.iter().filter(|(region, _)| !values.contains_key(*region));
        Point {
            moment: Moment::Head(stmt.location),
            statement: Some(stmt.id()),
            within: self.iterations.iter().copied().chain([n]).collect(),
            given: iterations.to_vec(),
            ways: Vec::new(),
            others: others.map(|(region, value)| (region.clone(), *value)).collect(),
            values,
            before: carried.iter().map(|one| (one.region.clone(), one.held_before(&self.c))).collect(),
            result: None,
        }
    }

    /// A name for the number of an iteration that no variable has, nor that of a loop around.
    fn iteration_name(&self) -> String {
        let letters = ["n", "m", "r", "q"].map(str::to_owned).into_iter();
        let is_taken = |name: &String| {
            self.program.variables.iter().any(|v| v.name == *name)
                || self.iterations.iter().any(|n| self.c.variable_name(*n) == *name)
        };
        letters.chain((1..).map(|k| format!("n{k}"))).find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// The closed forms of what the loop writes, before iteration `n`. `newest` is the newest
    /// symbol from before the loop.
    fn solved(
        &mut self,
        carried: &[Carried<'p>],
        next: Option<&State>,
        n: Var,
        exit: Term,
        outer: &State,
        stmt: &Stmt,
        newest: Option<Symbol>,
    ) -> Solved {
        let mut relaxed = Vec::new();
        let Some(next) = next else {
            return Solved { forms: carried.iter().map(|one| one.start).collect(), relaxed };
        };
        let mut steps: Vec<Option<Term>> = carried.iter().map(|one| Some(one.in_state(&self.c, next))).collect();
        let mut found: Vec<Option<Term>> = vec![None; carried.len()];
        let others = |steps: &[Option<Term>], k: usize, executor: &Executor<'p>| {
            let step = steps[k].unwrap_or(carried[k].start);
            (0..carried.len())
                .filter(|j| *j != k && steps[*j].is_some())
                .filter(|j| executor.c.mentions(step, carried[*j].before))
                .count()
        };
        while steps.iter().any(Option::is_some) {
            let open = (0..carried.len()).filter(|k| steps[*k].is_some());
            let Some(k) = open.min_by_key(|k| others(&steps, *k, self)) else { break };
            let is_alone = others(&steps, k, self) == 0;
            let it = self.iterations(carried, &steps, &found, next, exit, outer, n);
            if !is_alone
                && without_cross_reads(&it, &carried.iter().map(Carried::array).collect::<Vec<_>>(), &mut steps)
            {
                continue;
            }
            let step = steps[k].take().unwrap_or(carried[k].start);
            let one = &carried[k];
            // The closed forms are needed only up to the exit, so the steps may use what holds
            // until then.
            let step = self.c.cofactor(step, it.given());
            let closed = if is_alone { closed(&it, one, step) } else { None };
            let is_varied = self.is_varied(closed, one, newest);
            let is_relaxed = is_varied && self.relaxed.is_some();
            let closed = closed.filter(|_| !is_relaxed);
            let touched = match closed {
                None if one.region.rank() > 0 && !is_relaxed => arrays::touched(&it, one.array(), step),
                _ => None,
            };
            self.varies |= is_varied;
            let closed = match closed {
                Some(closed) => {
                    let closed = self.around(outer, n).simplify(closed);
                    self.in_range(carried, one, closed, exit, n)
                }
                None => {
                    let why = self.why_unsolved(carried, &steps, k, step);
                    let unknown = self.unknown_in_iteration(one, n, stmt.id());
                    let symbol = symbol_of(&self.c, unknown);
                    self.unsolved.push(Unsolved { at: stmt.location, region: one.region.clone(), why, symbol });
                    touched.map_or(unknown, |touched| self.unknown_where(touched, unknown, one))
                }
            };
            for step in steps.iter_mut().flatten() {
                *step = self.c.substitute(*step, one.before, closed);
            }
            found[k] = Some(closed);
            relaxed.extend(is_relaxed.then_some(k));
        }
        let forms = found.into_iter().zip(carried).map(|(term, one)| term.unwrap_or(one.start)).collect();
        Solved { forms, relaxed }
    }

    /// What is known in an iteration of the loop: what is known before it, and that the number of
    /// the iteration is not negative.
    fn around(&self, outer: &State, n: Var) -> Facts<'_> {
        Facts::new(&self.c).with(outer.reached).with(outer.given).with(self.c.ge(self.c.var(n), self.c.int(0)))
    }

    /// What is known of the iterations, where closed forms of some of what the loop writes were
    /// found.
    fn iterations(
        &self,
        carried: &[Carried<'p>],
        steps: &[Option<Term>],
        found: &[Option<Term>],
        next: &State,
        exit: Term,
        outer: &State,
        n: Var,
    ) -> Iterations<'_> {
        let c = &self.c;
        let pairs = || carried.iter().zip(found);
        let by: Vec<(Var, Term)> = pairs().filter_map(|(one, found)| Some((one.before, (*found)?))).collect();
        let open = pairs().filter(|(_, found)| found.is_none()).map(|(one, _)| one.before).collect();
        let executed =
            [c.not(exit), next.reached, next.given, outer.reached, outer.given].map(|p| c.substitute_all(p, &by));
        let mut around = self.around(outer, n);
        self.iterations.iter().for_each(|m| around.assume(c.ge(c.var(*m), c.int(0))));
        let mut it = Iterations::new(around, c, n, &executed, open);
        let numbers = carried.iter().zip(steps).filter(|(one, _)| one.region.rank() == 0);
        it.growing = numbers.filter_map(|(one, step)| Growing::new(c, one.before, one.start, (*step)?)).collect();
        it
    }

    /// Why region `k`, whose value after an iteration is `step`, has no closed form.
    fn why_unsolved(&self, carried: &[Carried<'p>], steps: &[Option<Term>], k: usize, step: Term) -> WhyUnsolved {
        let others = (0..carried.len()).filter(|j| *j != k && steps[*j].is_some());
        let depends = others.filter(|j| self.c.mentions(step, carried[*j].before));
        let objects: BTreeSet<Object> = depends.map(|j| carried[j].region.object).collect();
        match objects.is_empty() {
            true => WhyUnsolved::NoRule,
            false => WhyUnsolved::Circle(objects.into_iter().collect()),
        }
    }

    /// The unknown cells of an array where `touched` is not 0, and the old ones elsewhere.
    fn unknown_where(&self, touched: Term, unknown: Term, one: &Carried<'p>) -> Term {
        let c = &self.c;
        c.lambda_of(one.region.rank(), |at| {
            let is_touched = c.ne(c.read(touched, at), c.int(0));
            c.ite(is_touched, c.read(unknown, at), c.read(one.start, at))
        })
    }

    /// An unknown for a region that has no closed form: a function of the iteration.
    fn unknown_in_iteration(&mut self, one: &Carried<'p>, n: Var, of: StmtId) -> Term {
        self.iterations.push(n);
        let unknown = self.unknown_region(&one.region, one.ty);
        self.iterations.pop();
        self.note(unknown, Origin::Before(of, one.region.clone()));
        unknown
    }

    /// The closed form without an outermost `wrap`, if that does nothing until the loop ends. What
    /// is inside must grow by a constant, and be in range in iteration 0 and in the iteration in
    /// which one of the exits is taken at the latest, if there is no `wrap`. Until then there is
    /// none.
    fn in_range(&self, carried: &[Carried<'p>], one: &Carried<'p>, closed: Term, exit: Term, n: Var) -> Term {
        let c = &self.c;
        let Node::Wrap(to, exact) = *c.node(closed) else { return closed };
        let next = c.substitute(exact, n, c.add(c.var(n), c.int(1)));
        if c.as_int(c.sub(next, exact)).is_none() {
            return closed;
        }
        let exits = c.disjuncts(exit);
        let is_kept = |index: Term| {
            let end = c.substitute(exact, n, index);
            c.wrap(to, end) == end
        };
        let last = exits.iter().filter_map(|part| {
            let part = c.substitute(*part, one.before, exact);
            // What else the loop writes may have another value in each iteration.
            let is_closed = carried.iter().all(|other| !c.mentions(part, other.before));
            is_closed.then(|| c.trip_count_over(n, part)).flatten()
        });
        let stays = is_kept(c.int(0)) && last.into_iter().any(is_kept);
        if stays { exact } else { closed }
    }

    /// Puts the closed forms into the assertions and points of the loop, and what is known of any
    /// iteration that runs.
    fn finish_iteration(&mut self, first: &Mark, by: &[(Var, Term)], iterations: &[Term]) {
        let c = &self.c;
        for one in &mut self.asserted[first.asserted..] {
            one.condition = c.substitute_all(one.condition, by);
            one.given.iter_mut().for_each(|t| *t = c.substitute_all(*t, by));
            one.given.extend(iterations);
        }
        for one in &mut self.allocated[first.allocated..] {
            one.count = c.substitute_all(one.count, by);
        }
        for point in &mut self.points[first.points..] {
            let Point { values, others, before, .. } = point;
            let held = values.values_mut().chain(others.values_mut()).chain(before.values_mut());
            held.for_each(|t| *t = c.substitute_all(*t, by));
            point.given.iter_mut().for_each(|t| *t = c.substitute_all(*t, by));
            point.given.extend(iterations);
        }
    }
}

/// What the iterations of a loop leave.
struct Solved {
    /// By what the loop carries: its value before iteration `n`.
    forms: Vec<Term>,
    /// The numbers of the arrays that are any arrays after the loop.
    relaxed: Vec<usize>,
}

/// The closed form of one region; `None` if no rule gives one.
fn closed(it: &Iterations, one: &Carried, step: Term) -> Option<Term> {
    match one.region.rank() {
        0 => solve_given(it.c, Recurrence { value: one.before, iteration: it.n, start: one.start, step }, it.given()),
        _ => arrays::closed(it, one.array(), step),
    }
}

/// Whether runs may end in the loop, other than by an assertion that fails.
fn may_end_runs(l: &Loop) -> bool {
    let mut found = false;
    let mut look = |s: &Stmt| found |= matches!(&s.kind, StmtKind::Assume(_) | StmtKind::Claim(_) | StmtKind::Stop);
    each_stmt(&l.body, &mut look);
    each_stmt(&l.step, &mut look);
    found
}

fn has_label(l: &Loop, label: LabelId) -> bool {
    let mut found = false;
    let mut look = |s: &Stmt| found |= matches!(&s.kind, StmtKind::Label(id, _) if *id == label);
    each_stmt(&l.body, &mut look);
    each_stmt(&l.step, &mut look);
    found
}
