//! What a loop carries from one iteration to the next, found by executing one iteration.
//!
//! Which objects a write through a pointer changes is known only when the iteration is executed.
//! So it is executed with the regions that are known to be written, and again with those that were
//! changed besides, until there are none. In the same way a pointer that does not leave the object
//! that it points to before the loop is taken to stay there, until an iteration shows otherwise. If
//! that object is a row of a matrix, or an array that is a member, it is also taken to stay between
//! the start of the row and its end, until an iteration cannot be shown to leave it there. (A `do`
//! loop begins its iterations with a pointer to an element.) This is an induction over the
//! iterations that run.

use super::cells::Array;
use super::state::{Object, Region, RegionStep, State};
use super::{Executor, Flow, Jump};
use crate::program::{
    Base, Location, Loop, LoopKind, Lvalue, Part, Stmt, StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use smalti_terms::{Context, Int, Sort, Term, Var};
use std::collections::BTreeSet;

/// After so many attempts, everything that a write without a name can reach is taken to be written,
/// and no pointer to stay in its object.
const MOST_ATTEMPTS: usize = 5;

/// A region that the loop writes.
pub(super) struct Carried<'p> {
    pub(super) region: Region,
    pub(super) ty: &'p Type,
    /// What it holds before the iteration; for a pointer with an origin, its offset from there.
    pub(super) before: Var,
    /// What it holds before the loop, or that offset.
    pub(super) start: Term,
    /// For a pointer that stays in the object that it points to: the part that does not change.
    origin: Option<Term>,
    /// For a pointer that stays in a row: the greatest offset that it may have before an iteration.
    last: Option<u64>,
}

impl Carried<'_> {
    /// The region as an array.
    pub(super) fn array(&self) -> Array {
        Array { before: self.before, start: self.start, rank: self.region.rank() }
    }

    /// What the region holds before the loop.
    pub(super) fn held_before(&self, c: &Context) -> Term {
        self.held(c, self.start)
    }

    /// What the region holds, of a value or an offset from the origin.
    pub(super) fn held(&self, c: &Context, value: Term) -> Term {
        self.origin.map_or(value, |origin| c.add(origin, value))
    }

    /// What the region holds in a state, or its offset.
    pub(super) fn in_state(&self, c: &Context, state: &State) -> Term {
        let value = state.values[&self.region];
        self.origin.map_or(value, |origin| c.sub(value, origin))
    }
}

/// One iteration, any.
pub(super) struct Iteration {
    /// The state before the next iteration, if there may be one.
    pub(super) next: Option<State>,
    /// The state after the loop.
    pub(super) leave: Option<State>,
    /// States on the way to labels outside of the loop.
    pub(super) jumps: Vec<Jump>,
}

impl Iteration {
    fn states(&self) -> impl Iterator<Item = &State> {
        self.next.iter().chain(&self.leave).chain(self.jumps.iter().map(|jump| &jump.state))
    }
}

/// How much was known before a loop.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) asserted: usize,
    pub(super) points: usize,
    pub(super) allocated: usize,
    unsolved: usize,
    without_term: usize,
}

/// What a loop writes, as far as it is known.
struct Written {
    regions: BTreeSet<Region>,
    /// Pointers that may leave the object that they point to.
    leaving: BTreeSet<Region>,
    /// Pointers that may leave the row that they point to, as far as is known.
    straying: BTreeSet<Region>,
}

impl<'p> Executor<'p> {
    /// How much is known now.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            asserted: self.asserted.len(),
            points: self.points.len(),
            allocated: self.allocated.len(),
            unsolved: self.unsolved.len(),
            without_term: self.without_term.len(),
        }
    }

    /// Executes iteration `n` of a loop, and finds what the loop carries.
    ///
    /// # Errors
    /// The place of a jump into the loop.
    pub(super) fn any_iteration(
        &mut self,
        l: &Loop,
        stmt: &Stmt,
        outer: &State,
        n: Var,
    ) -> Result<(Vec<Carried<'p>>, Iteration), Location> {
        let (regions, declared) = self.written_by_name(l);
        let mut written = Written { regions, leaving: BTreeSet::new(), straying: BTreeSet::new() };
        let known = self.written.get(&l.id).into_iter().flatten();
        written.regions.extend(known.filter(|region| !is_of(region, &declared)).cloned());
        let (mark, names) = (self.mark(), self.names.clone());
        for attempt in 0.. {
            let carried = self.carried(&written, outer, l.kind);
            self.iterations.push(n);
            let head = self.head(outer, &carried, &declared);
            let iteration = self.iteration(l, stmt, head.clone())?;
            self.iterations.pop();
            let mut changed: BTreeSet<Region> = BTreeSet::new();
            for state in iteration.states() {
                changed.extend(self.changes(&head, state));
            }
            changed.retain(|region| !is_of(region, &declared) && !written.regions.contains(region));
            let next = iteration.next.as_ref();
            let those = |moves: &dyn Fn(&Carried<'p>, &State) -> bool| -> Vec<Region> {
                let found = carried.iter().filter(|one| next.is_some_and(|next| moves(one, next)));
                found.map(|one| one.region.clone()).collect()
            };
            let leaving = those(&|one, next| self.leaves(one, next));
            let straying = those(&|one, next| self.strays(one, next));
            if changed.is_empty() && leaving.is_empty() && straying.is_empty() {
                self.written.insert(l.id, written.regions);
                return Ok((carried, iteration));
            }
            self.asserted.truncate(mark.asserted);
            self.points.truncate(mark.points);
            self.allocated.truncate(mark.allocated);
            self.without_term.truncate(mark.without_term);
            self.unsolved.truncate(mark.unsolved);
            self.names = names.clone();
            written.regions.extend(changed);
            written.leaving.extend(leaving);
            written.straying.extend(straying);
            if attempt == MOST_ATTEMPTS {
                let variables = self.reachable.by_unknown_code.clone();
                let blocks = self.memory.blocks();
                for object in variables.into_iter().map(Object::Variable).chain(blocks) {
                    let regions = self.regions_of(object).unwrap_or_default().into_iter().map(|(region, _)| region);
                    written.regions.extend(regions.filter(|region| !is_of(region, &declared)));
                }
                written.leaving.clone_from(&written.regions);
            }
        }
        unreachable!("the regions that are written become more with each attempt")
    }

    /// The regions that a loop writes by the names of variables, or by those that unknown code may
    /// use, and the variables that it declares.
    fn written_by_name(&mut self, l: &Loop) -> (BTreeSet<Region>, BTreeSet<VarId>) {
        let mut written = BTreeSet::new();
        let mut declared: BTreeSet<VarId> = BTreeSet::new();
        let mut lvalues: Vec<Lvalue> = Vec::new();
        let mut look = |s: &Stmt| {
            if let StmtKind::Declare(v) = &s.kind {
                declared.insert(*v);
            }
            each_part(s, &mut |part| {
                if let Part::Lvalue(lvalue, Use::Write) = part {
                    lvalues.push(lvalue.clone());
                }
            });
        };
        each_stmt(&l.body, &mut look);
        each_stmt(&l.step, &mut look);
        for lvalue in &lvalues {
            let Base::Var(variable) = lvalue.base else { continue };
            let path: Vec<RegionStep> = lvalue.path.iter().map(RegionStep::of).collect();
            let regions = self.regions_of(Object::Variable(variable)).unwrap_or_default();
            written
                .extend(regions.into_iter().map(|(region, _)| region).filter(|region| region.path.starts_with(&path)));
        }
        written.retain(|region| !is_of(region, &declared));
        (written, declared)
    }

    fn carried(&mut self, written: &Written, outer: &State, kind: LoopKind) -> Vec<Carried<'p>> {
        let mut carried = Vec::new();
        for region in &written.regions {
            let regions = self.regions_of(region.object).unwrap_or_default();
            let Some((_, ty)) = regions.into_iter().find(|(r, _)| r == region) else { continue };
            let sort = if region.rank() == 0 { Sort::Int } else { Sort::Array(region.rank()) };
            // In an iteration that runs it is a value of its type.
            let range = ty.as_int().map(|kind| self.range_of_kind(kind)).unwrap_or_default();
            let start = self.held(region, outer);
            let may_stay = region.rank() == 0 && matches!(ty, Type::Pointer(_)) && !written.leaving.contains(region);
            let split = if may_stay { self.memory.split(&self.c, start) } else { None };
            let (origin, start) = split.map_or((None, start), |(origin, offset)| (Some(origin), offset));
            let row = origin.filter(|_| !written.straying.contains(region)).and_then(|origin| self.row_at(origin));
            let last = row.and_then(|length| length.checked_sub(u64::from(kind == LoopKind::DoWhile)));
            let last = last.filter(|last| self.is_up_to(start, *last, outer));
            let range = last.map_or(range, |last| (Some(Int::from(0)), Some(Int::from(last))));
            let before = self.c.variable_within(self.name_of_object(region.object), sort, range);
            carried.push(Carried { region: region.clone(), ty, before, start, origin, last });
        }
        carried
    }

    /// The state before iteration `n`.
    fn head(&mut self, outer: &State, carried: &[Carried<'p>], declared: &BTreeSet<VarId>) -> State {
        let mut values = outer.values.clone();
        for one in carried {
            let before = self.c.var(one.before);
            values.insert(one.region.clone(), one.origin.map_or(before, |origin| self.c.add(origin, before)));
        }
        for variable in declared {
            for (region, ty) in self.regions_of(Object::Variable(*variable)).unwrap_or_default() {
                let value = self.uninitialised(&region, ty);
                values.insert(region, value);
            }
        }
        State { values, ..State::start(&self.c) }
    }

    /// Executes one iteration.
    fn iteration(&mut self, l: &Loop, stmt: &Stmt, head: State) -> Result<Iteration, Location> {
        let mut inner = Flow::default();
        let (enter, mut leave) = match l.kind {
            LoopKind::DoWhile => (Some(head), None),
            _ => self.tested(l, stmt, Some(head)),
        };
        let mut next = self.block(&l.body, enter, &mut inner)?;
        for state in std::mem::take(&mut inner.continues) {
            next = self.join(next, Some(state));
        }
        next = self.block(&l.step, next, &mut inner)?;
        if l.kind == LoopKind::DoWhile {
            (next, leave) = self.tested(l, stmt, next);
        }
        for state in std::mem::take(&mut inner.breaks) {
            leave = self.join(leave, Some(state));
        }
        Ok(Iteration { next, leave, jumps: inner.jumps })
    }

    /// The states in which the condition holds, and in which it does not.
    fn tested(&mut self, l: &Loop, stmt: &Stmt, state: Option<State>) -> (Option<State>, Option<State>) {
        let Some(state) = state else { return (None, None) };
        self.note_checks(stmt, &state);
        let condition = self.truth(&l.condition, &state);
        let otherwise = self.c.not(condition);
        (self.branched(&state, condition), self.branched(&state, otherwise))
    }

    /// The regions whose values differ in a later state.
    fn changes(&mut self, before: &State, after: &State) -> Vec<Region> {
        let mut found = Vec::new();
        for (region, value) in &after.values {
            if self.held(region, before) != *value {
                found.push(region.clone());
            }
        }
        found
    }

    /// Whether a pointer is not known to point where it did before.
    fn leaves(&self, one: &Carried<'p>, next: &State) -> bool {
        one.origin.is_some_and(|origin| self.memory.offset_from(&self.c, next.values[&one.region], origin).is_none())
    }

    /// Whether a pointer that was in a row before the iteration is not known to be there after it.
    fn strays(&self, one: &Carried<'p>, next: &State) -> bool {
        let Some((origin, last)) = one.origin.zip(one.last) else { return false };
        let offset = self.memory.offset_from(&self.c, next.values[&one.region], origin);
        offset.is_none_or(|offset| !self.is_up_to(offset, last, next))
    }

    /// Whether a number is at least 0 and at most `last` in all runs that are in a state.
    fn is_up_to(&self, number: Term, last: u64, state: &State) -> bool {
        last.checked_add(1).is_some_and(|end| self.is_below(number, end, state))
    }
}

fn is_of(region: &Region, variables: &BTreeSet<VarId>) -> bool {
    matches!(region.object, Object::Variable(v) if variables.contains(&v))
}
