//! Calls that are executed together: one execution of a function stands for all calls of it in one
//! kind of context (Sharir & Pnueli, "Two approaches to interprocedural data flow analysis", 1981,
//! the functional approach; the frame rule says which part of a state a context is about).
//!
//! Calls are executed one by one while there are few ways to come to a function. From then on, what
//! the function reads is joined over its calls, by the objects that its arguments lead to, and what
//! it changes is applied to each state in which it is called.
//!
//! **Why it is sound.** The states in which a context is entered contain, as far as the function
//! touches them, every state in which it is used; so its exits contain what every such call does to
//! what it touches. The rest of the state has no influence on it, and is not changed by it.
//! [`super::recursion`] says why that also holds of functions that call themselves.

use super::context::{Context, ContextId, Kind, Leads};
use super::engine::Values;
use super::evaluate::Places;
use super::footprint::{Change, Footprint, Forgotten, Reach};
use super::objects::{EVERY_CALL, ObjectId, Origin, Site};
use super::outcomes::Returns;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::{Thresholds, Value};
use super::widening::{Growth, Shape, Widening};
use crate::program::{FunctionId, Length, Program, Type, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How often the entry, or an exit, of a context is joined before it is widened, and how often
/// widening stops at numbers of the program.
const JOINS: u32 = 1;
const PATIENCE: u32 = 12;

/// The most scalars of an object that are looked at one by one.
const MOST_LEAVES: usize = 1000;

impl<'p> Values<'p> {
    /// Whether the calls of a function on that way are executed together with others.
    ///
    /// # Errors
    /// There are too many ways.
    pub(super) fn is_joined(&mut self, f: FunctionId, way: Site) -> Evaluated<bool> {
        if self.limits.is_joined {
            let is_allocator = self.heap_names.is_allocator(f) && self.rings.of_function(f).is_none();
            return Ok(!self.locals(f).is_small && !is_allocator);
        }
        if self.is_in_recursion(self.rings.of_function(f)) {
            return Ok(true);
        }
        let calls = self.open.iter().filter(|open| **open == f).count();
        if self.depth >= self.limits.depth || calls >= self.limits.recursion {
            return Ok(true);
        }
        let is_recursive = calls > 0 || self.open.iter().any(|g| self.rings.of_function(*g).is_some());
        let most = if is_recursive { self.limits.recursive_ways } else { self.limits.ways };
        let steps = self.steps;
        let ways = self.contexts.ways.entry(f).or_default();
        if most > 0 && (ways.contains(&way) || ways.len() < most) {
            ways.insert(way);
            return Ok(false);
        }
        if most > 0 && !is_recursive && steps > self.limits.steps {
            return Err(Stop::ManyWays);
        }
        Ok(true)
    }

    /// A call that is executed together with others. The state is that in which the function is
    /// entered. Returns the states in which it returns.
    pub(super) fn call_in_context(&mut self, f: FunctionId, state: State) -> Evaluated<Vec<State>> {
        let ring = self.solved_with(f);
        if self.limits.is_hurried && ring.is_some() && !self.is_in_recursion(ring) {
            return self.call_opaquely(f, state);
        }
        let mut context = self.context_of(f, &state)?;
        match ring {
            None => self.execute_once(context, &state)?,
            Some(ring) if self.is_in_recursion(Some(ring)) => match self.call_again(context, &state)? {
                Some(known) => context = known,
                None => return self.call_opaquely(f, state),
            },
            Some(ring) => self.solve(context, ring, &state)?,
        }
        Ok(self.applied(context, &state))
    }

    /// A call of a function in a state of which nothing is known. Returns what may be known after
    /// it.
    fn call_opaquely(&mut self, f: FunctionId, mut state: State) -> Evaluated<Vec<State>> {
        if self.silent == 0 {
            self.opaque.insert(f);
            self.is_called_back = true;
        }
        self.unknown_changes(&mut state, Change::Copies, Reach::Names);
        Ok(vec![state])
    }

    /// The context that a call belongs to; a new one if there is none.
    fn context_of(&mut self, f: FunctionId, state: &State) -> Evaluated<ContextId> {
        let mut exact = Vec::new();
        for v in &self.program.function(f).parameters {
            let ty = &self.program.variable(*v).ty;
            if ty.is_scalar() {
                let object = self.parameter(f, *v, self.depth + 1);
                exact.push(self.read(state, &Places::at(object), ty)?);
            }
        }
        let leads = Kind::Targets(exact.iter().map(|value| self.leads(state, value)).collect());
        let exact = Kind::Exact(exact);
        let [most_exact, most_leads] = self.limits.contexts;
        let ring = self.solved_with(f);
        let most_exact = if ring.is_some() { 0 } else { most_exact };
        let is_silent = self.is_silent_in(ring);
        let all = self.contexts.of.entry((f, is_silent)).or_default();
        let known = &self.contexts.known;
        let find = |kind: &Kind| all.iter().copied().find(|n| known[*n].kind == *kind);
        let count = |is: fn(&Kind) -> bool| all.iter().filter(|n| is(&known[**n].kind)).count();
        let kind = if let Some(n) = find(&exact) {
            return Ok(ContextId(n));
        } else if count(|k| matches!(k, Kind::Exact(_))) < most_exact {
            exact
        } else if let Some(n) = find(&leads) {
            return Ok(ContextId(n));
        } else if count(|k| matches!(k, Kind::Targets(_))) < most_leads {
            leads
        } else if let Some(n) = find(&Kind::Any) {
            return Ok(ContextId(n));
        } else {
            Kind::Any
        };
        all.push(known.len());
        self.contexts.known.push(Context {
            function: f,
            kind,
            entry: None,
            exits: (self.depth, Returns::default()),
            footprint: Footprint::default(),
            heads: FxHashMap::default(),
            executions: 0,
            entry_growth: Growth::default(),
            exit_growth: Growth::default(),
            is_executed: false,
            is_decided: false,
            users: BTreeSet::new(),
        });
        Ok(ContextId(self.contexts.known.len() - 1))
    }

    /// How many contexts there are, for the log.
    pub(super) fn contexts_in_words(&self) -> String {
        let (contexts, functions) = (&self.contexts.known, self.contexts.of.len());
        let executed: u32 = contexts.iter().map(|of| of.executions).sum();
        format!(
            "{} contexts of {functions} functions were executed {executed} times; entries grew {} times, exits {}",
            contexts.len(),
            contexts.iter().map(|of| of.entry_growth.steps).sum::<u32>(),
            contexts.iter().map(|of| of.exit_growth.steps).sum::<u32>(),
        )
    }

    /// Where a value leads to, if it is an address.
    fn leads(&self, state: &State, value: &Value) -> Option<Leads> {
        let Value::Pointer(p) = value else { return None };
        let objects = p.targets.iter().map(|target| target.object);
        let mut leads = Leads {
            null: p.null,
            wild: p.wild,
            functions: p.functions.clone(),
            objects: BTreeSet::new(),
            sizes: BTreeSet::new(),
        };
        match self.limits.is_joined {
            true => leads.sizes.extend(objects.filter_map(|o| self.sized(state, o)).map(|size| (size.lo(), size.hi()))),
            false => leads.objects.extend(objects),
        }
        Some(leads)
    }

    /// A context of the same function, this one if possible, whose exits are known and that was
    /// entered in states like this one.
    pub(super) fn known_for(&mut self, context: ContextId, state: &State) -> Option<ContextId> {
        let f = self.context(context).function;
        let is_silent = self.is_silent_in(self.solved_with(f));
        let others = self.contexts.of.get(&(f, is_silent)).cloned().unwrap_or_default();
        let mut all = std::iter::once(context).chain(others.into_iter().map(ContextId));
        all.find(|context| self.context(*context).is_executed && self.fits(*context, state))
    }

    pub(super) fn context(&mut self, context: ContextId) -> &mut Context {
        &mut self.contexts.known[context.0]
    }

    /// Executes a function that does not call itself, if it has to be.
    fn execute_once(&mut self, context: ContextId, state: &State) -> Evaluated<()> {
        let fits = self.fits(context, state);
        let of = self.context(context);
        if fits && of.is_executed && (of.is_decided || self.silent > 0) {
            return Ok(());
        }
        if !fits {
            self.grow(context, state);
        }
        let (exits, footprint) = self.execute_context(context)?;
        let (depth, is_decided) = (self.depth, self.silent == 0);
        let of = self.context(context);
        of.exits = (depth, exits);
        of.footprint.add(&footprint);
        (of.is_executed, of.is_decided) = (true, is_decided);
        Ok(())
    }

    /// Whether a context was entered in a state that is as the given one, as far as it matters.
    pub(super) fn fits(&mut self, context: ContextId, state: &State) -> bool {
        let Some(entry) = self.entry_at(context, self.depth) else { return false };
        let parameters = self.parameters(self.contexts.known[context.0].function, self.depth + 1);
        let of = &self.contexts.known[context.0];
        state.memory.is_within_on(&of.footprint, &entry.memory, self.big_endian)
            && parameters.into_iter().all(|p| state.memory.is_object_within(p, &entry.memory, self.big_endian))
    }

    /// What a context reads and changes, and the parameters of a call at the current depth.
    pub(super) fn touched_by(&mut self, context: ContextId) -> Footprint {
        let (mut all, f) = (self.context(context).footprint.clone(), self.context(context).function);
        self.parameters(f, self.depth + 1).iter().for_each(|p| all.add_whole(*p));
        all
    }

    /// A context is also entered in that state.
    pub(super) fn grow(&mut self, context: ContextId, state: &State) {
        let old = self.entry_at(context, self.depth);
        let depth = self.depth;
        let all = self.touched_by(context);
        let shape = |object| self.shape_of(object);
        let mut entry = state.clone();
        entry.memory.facts = Default::default();
        let mut grown = Vec::new();
        if let Some(old) = &old {
            let of = &self.contexts.known[context.0];
            let widening = |object| self.widening_after((of.function, &of.entry_growth), object, &shape);
            grown = entry.memory.add_on(&all, &old.memory, self.big_endian, &widening);
            entry.memory.take_missing(&old.memory);
        }
        if self.limits.is_joined {
            self.generalise(context, &mut entry, old.as_ref());
        }
        let of = self.context(context);
        of.entry_growth.add(grown);
        of.entry = Some((depth, entry));
        (of.is_executed, of.is_decided) = (false, false);
    }

    /// How an object grows next in the entry, or in the exits, of a context of a function.
    fn widening_after<'a>(
        &'a self,
        (f, growth): (FunctionId, &Growth),
        object: ObjectId,
        shape: &'a dyn Fn(ObjectId) -> Shape,
    ) -> Option<Widening<'a>> {
        // In other cases, the names of parameters are those of a call at some depth.
        let keeps_names = self.limits.is_joined && self.rings.of_function(f).is_none();
        let steps = if keeps_names { growth.of(object) } else { growth.steps.saturating_sub(1) };
        (steps > 0).then_some(Widening { at: self.thresholds_after(steps), shape })
    }

    /// Where widening stops after some steps: nowhere at first, then at the numbers of the program.
    pub(super) fn thresholds_after(&self, steps: u32) -> Option<&Thresholds> {
        match steps {
            n if n <= JOINS => None,
            n if n <= PATIENCE && self.limits.is_joined => Some(&self.few_thresholds),
            n if n <= PATIENCE => Some(&self.thresholds),
            _ => Some(&self.last_thresholds),
        }
    }

    /// The cells of an object, such that elements of an array are of one class.
    pub(super) fn shape_of(&self, object: ObjectId) -> Shape {
        let Origin::Variable(v, _) = self.objects.origin(object) else { return Shape::Unknown };
        let ty = &self.program.variable(v).ty;
        if let Type::Array(element, _) = ty
            && element.is_scalar()
            && let Some(size) = self.width(element)
        {
            return Shape::Array(size);
        }
        let mut leaves = Vec::new();
        match add_leaves(self.program, ty, (0, 0), &mut leaves) {
            Some(()) => Shape::Leaves(leaves),
            None => Shape::Unknown,
        }
    }

    /// The entry of a context, as if it were called at that depth.
    fn entry_at(&mut self, context: ContextId, depth: u32) -> Option<State> {
        let of = &self.contexts.known[context.0];
        let f = of.function;
        let (old, mut entry) = of.entry.clone()?;
        self.move_variables(f, &mut entry, (old + 1, depth + 1), false);
        Some(entry)
    }

    /// Gives the parameters of a call at one depth, and perhaps its result, the names of those at
    /// another one.
    pub(super) fn move_variables(&mut self, f: FunctionId, state: &mut State, (from, to): (u32, u32), result: bool) {
        if from == to {
            return;
        }
        let (old, new) = (self.parameters(f, from), self.parameters(f, to));
        let mut moved: Vec<(ObjectId, ObjectId)> = old.into_iter().zip(new).filter(|(a, b)| a != b).collect();
        if result {
            moved.push((self.objects.id(Origin::Result(from)), self.objects.id(Origin::Result(to))));
        }
        self.log.clone().without(|| {
            for (old, new) in moved {
                let memory = state.memory.clone();
                state.memory.take_object(new, &memory, old);
                state.memory.end(old);
            }
        });
    }

    /// Executes the function of a context on its entry. Returns what is known where it returns, and
    /// its footprint.
    pub(super) fn execute_context(&mut self, context: ContextId) -> Evaluated<(Returns, Footprint)> {
        let depth = self.depth;
        let f = self.context(context).function;
        let mut entry = self.entry_at(context, depth).unwrap_or_default();
        self.end_suspended(f, &mut entry);
        let of = self.context(context);
        of.executions += 1;
        of.entry = Some((depth, entry.clone()));
        let Some(body) = &self.program.function(f).body else { return Ok(Default::default()) };
        let (around, begun) = (self.log.begin(), self.steps);
        let caller = (self.chain, self.calls_itself, self.user.replace(context), self.outermost);
        self.chain = Site::default();
        self.calls_itself = self.rings.of_function(f).is_some();
        self.depth += 1;
        // What is executed for many calls may be repeated, as in a loop.
        let repeats = u32::from(!self.heap_names.runs_once(f));
        self.looping += repeats;
        self.outermost = self.looping;
        self.open.push(f);
        let returned = self.returns_of(body, Some(entry.clone()), true);
        self.open.pop();
        self.looping -= repeats;
        self.depth = depth;
        (self.chain, self.calls_itself, self.user, self.outermost) = caller;
        let mut footprint = self.log.end(around);
        self.leave_out_inner(f, &entry, &mut footprint);
        log::trace!("{} took {} steps, with the calls in it", self.program.function(f).name, self.steps - begun);
        Ok((returned?, footprint))
    }

    /// Leaves out of the footprint of a call at the current depth what is made in the call, and in
    /// calls by it, and ends with it.
    pub(super) fn leave_out_inner(&mut self, f: FunctionId, entry: &State, footprint: &mut Footprint) {
        let depth = self.depth;
        let objects = &self.objects;
        let is_inner = |object: ObjectId| match objects.origin(object) {
            Origin::Variable(_, EVERY_CALL) | Origin::Heap(..) | Origin::Outside(_) => false,
            Origin::Variable(_, at) | Origin::Result(at) => at > depth && !entry.memory.has(object),
        };
        footprint.objects.retain(|object, _| !is_inner(*object));
        let parameters = self.parameters(f, depth + 1);
        let objects = &self.objects;
        let is_own = |object: &ObjectId| {
            parameters.contains(object) && !matches!(objects.origin(*object), Origin::Variable(_, EVERY_CALL))
        };
        footprint.objects.retain(|object, _| !is_own(object));
    }

    /// Ends the variables of calls that wait for the current one to return: nothing leads to them.
    fn end_suspended(&mut self, f: FunctionId, entry: &mut State) {
        let Some(ring) = self.rings.of_function(f) else { return };
        let own = self.parameters(f, self.depth + 1);
        let (objects, rings, exposed) = (&self.objects, &self.rings, &self.exposed);
        entry.memory.end_all(|object| match objects.origin(object) {
            Origin::Variable(v, depth) if depth != EVERY_CALL => {
                rings.has_variable(ring, v) && !exposed.contains(&v) && !own.contains(&object)
            }
            _ => false,
        });
    }

    /// The states after a call, at the exits of its context. They still have the parameters.
    fn applied(&mut self, context: ContextId, state: &State) -> Vec<State> {
        let depth = self.depth;
        let of = &self.contexts.known[context.0];
        let f = of.function;
        let (footprint, (old, exits)) = (of.footprint.clone(), of.exits.clone());
        // Exits that are found step by step may be those of earlier entries where nothing changes.
        let is_latest = of.is_executed && self.solved_with(f).is_none();
        let mut before = state.clone();
        if let Some(Forgotten { change, reach }) = footprint.forgets {
            // What unknown code writes may lie in objects that the context does not have.
            self.unknown_changes(&mut before, change.max(Change::Stores), reach);
        }
        let entry = if is_latest { self.entry_at(context, depth) } else { None };
        let mut ends = Vec::new();
        for mut end in exits.states() {
            self.move_variables(f, &mut end, (old + 1, depth + 1), true);
            ends.push(self.after_call(f, (&before, entry.as_ref()), &footprint, &end));
        }
        self.log.add(&footprint);
        ends
    }

    /// The state after a call at the current depth that ended in a state that agrees with the given
    /// one on its footprint. The state in which the call is known to begin may be given, too.
    pub(super) fn after_call(
        &mut self,
        f: FunctionId,
        (before, entry): (&State, Option<&State>),
        footprint: &Footprint,
        end: &State,
    ) -> State {
        let mut after = before.clone();
        footprint.ended.iter().for_each(|object| after.memory.end_pointers(*object));
        footprint.ended_unseen.into_iter().for_each(|unseen| self.end_pointers_unseen(&mut after, unseen));
        let entry = entry.map(|entry| &entry.memory);
        after.memory.take_changes(footprint, (entry, &end.memory), &self.objects, self.big_endian);
        let result = self.objects.id(Origin::Result(self.depth + 1));
        for object in self.parameters(f, self.depth + 1).into_iter().chain([result]) {
            after.memory.take_object(object, &end.memory, object);
        }
        after
    }

    /// The exits of a context also contain these, of a call at the current depth. Returns the
    /// objects of which less is known now; `None` if that holds of all.
    pub(super) fn add_exits(&mut self, context: ContextId, new: Returns) -> Option<Vec<ObjectId>> {
        let depth = self.depth;
        let of = &self.contexts.known[context.0];
        let (f, (from, mut all)) = (of.function, of.exits.clone());
        all.each(|state| self.move_variables(f, state, (from + 1, depth + 1), true));
        // Nothing else of an exit is used.
        let mut used = self.contexts.known[context.0].footprint.changes();
        let result = self.objects.id(Origin::Result(depth + 1));
        self.parameters(f, depth + 1).into_iter().chain([result]).for_each(|object| used.add_whole(object));
        let shape = |object| self.shape_of(object);
        let growth = &self.contexts.known[context.0].exit_growth;
        let widening = |object| self.widening_after((f, growth), object, &shape);
        let grown = self.grow_returns(&mut all, new, &used, &widening);
        if self.limits.is_joined {
            self.generalise_exits(context, &mut all, grown.iter().flatten());
        }
        let of = self.context(context);
        of.exits = (depth, all);
        if grown.as_ref().is_none_or(|grown| !grown.is_empty()) {
            of.exit_growth.add(grown.iter().flatten().copied());
        }
        grown
    }

    /// The bytes of an object that a context reads or changes.
    #[cfg(feature = "fuzz")]
    pub(super) fn touched(&self, context: ContextId, object: ObjectId) -> std::ops::Range<i64> {
        self.contexts.known[context.0].footprint.objects.get(&object).map_or(0..0, |touched| touched.bytes.clone())
    }

    /// Whether a context, or the call for which it stands, can see some of these objects. Variables
    /// of calls that wait are in its entry, or out of its reach.
    pub(super) fn can_see(&mut self, context: ContextId, objects: &[ObjectId]) -> bool {
        let of = &self.contexts.known[context.0];
        let Some((depth, entry)) = &of.entry else { return true };
        objects.iter().any(|object| match self.objects.origin(*object) {
            Origin::Variable(_, at) if at != 0 && at <= *depth => entry.memory.has(*object),
            _ => true,
        })
    }

    /// The objects of the parameters of a call at that depth.
    pub(super) fn parameters(&mut self, f: FunctionId, depth: u32) -> Vec<ObjectId> {
        self.program.function(f).parameters.iter().map(|v| self.parameter(f, *v, depth)).collect()
    }

    /// The object of a parameter of a call at that depth that is executed together with others.
    pub(super) fn parameter(&mut self, f: FunctionId, v: VarId, depth: u32) -> ObjectId {
        let origin = self.local(v, depth, self.rings.of_function(f).is_some());
        self.objects.id(origin)
    }
}

/// Adds the scalars in an object of that type from a place on, with the places where they would be
/// if all indexes were zero; `None` if they are too many, or not known.
fn add_leaves(program: &Program, ty: &Type, (at, class): (i64, i64), found: &mut Vec<(i64, u32, i64)>) -> Option<()> {
    let size = |ty| i64::try_from(program.size_of(ty)?).ok();
    match ty {
        Type::Array(element, Length::Constant(length)) => {
            let (step, length) = (size(element)?, i64::try_from(*length).ok()?);
            (0..length).try_for_each(|n| add_leaves(program, element, (at + n * step, class), found))
        }
        Type::Struct(id) if !program.structure(*id).is_union => {
            let layout = program.layout_of(*id)?;
            program.structure(*id).members.iter().enumerate().try_for_each(|(n, member)| {
                let offset = i64::try_from(layout.offsets[n]).ok()?;
                match (member.bits, layout.begins_unit(n)) {
                    (None, _) => add_leaves(program, &member.ty, (at + offset, class + offset), found),
                    (Some(_), None) => Some(()),
                    (Some(_), Some(bits)) => {
                        let unit = i64::try_from(bits.unit).ok()?;
                        // Units of many bytes may overlap. What one holds is read from the whole.
                        found.push((at + unit, bits.size, class + unit));
                        (bits.size <= 8).then_some(())
                    }
                }
            })
        }
        ty if ty.is_scalar() && found.len() < MOST_LEAVES => {
            found.push((at, u32::try_from(size(ty)?).ok()?, class));
            Some(())
        }
        _ => None,
    }
}
