//! Checks that runs stay inside of the abstract states, for the soundness tests.

use super::Found;
use super::context::ContextId;
use super::engine::{COARSE, JOINED, Limits, PRECISE, Values};
use super::footprint::WHOLE;
use super::implications::{Implication, Place};
use super::number::Number;
use super::objects::{ObjectId, Origin, Site};
use super::state::State;
use super::stop::Evaluated;
use super::texts::{Base, Says, Text};
use super::unit::BitField;
use super::value::{Target, Value, range_of};
use crate::interpreter::{self, ObjectOrigin, ObjectRef, Observer, Seen};
use crate::program::{
    Block, FunctionId, IntKind, Obligation, ObligationKey, Program, Stmt, StmtKind, Storage, Type, VarId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most leaves of an object that are compared.
const LEAVES: u64 = 40;

/// The ways in which a program can be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Calls are executed one by one.
    Precise,
    /// Little time is left.
    Coarse,
    /// Calls of functions are executed together, function by function.
    Contexts,
    /// The same, all functions together.
    Joined,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 4] = [Way::Precise, Way::Coarse, Way::Contexts, Way::Joined];
}

/// What the analysis knows at every statement.
pub struct Recorded<'p> {
    program: &'p Program,
    values: Values<'p>,
    /// The decided obligations.
    pub found: BTreeMap<ObligationKey, Found>,
    /// What is known when the program ends.
    end: Option<State>,
    /// The functions that also run in states of which nothing is known.
    opaque: BTreeSet<FunctionId>,
}

impl<'p> Recorded<'p> {
    /// Analyses a program, in one of the ways. `None` if it does what is not modelled.
    pub fn new(program: &'p Program, obligations: &[Obligation], way: Way) -> Option<Recorded<'p>> {
        let limits = match way {
            Way::Precise => PRECISE,
            Way::Coarse => COARSE,
            Way::Contexts => Limits { ways: 0, recursive_ways: 0, ..PRECISE },
            Way::Joined => JOINED,
        };
        let mut values = Values::new(program, limits, None);
        values.recorded = Some(HashMap::new());
        values.most_steps = [100_000, 200_000];
        let end = values.run().ok()?;
        let (found, opaque) = (values.results(obligations).found, values.called_opaquely());
        Some(Recorded { program, values, found, end, opaque })
    }

    /// Whether an element of a global array of `long long` may have that value at the end; `None`
    /// if no run ends.
    pub fn may_end_with(&mut self, array: &str, index: usize, value: i128) -> Option<bool> {
        let number = self.at_the_end(array, index)?;
        Some(number.is_none_or(|n| n.contains(value)))
    }

    /// Whether anything is known of that element at the end.
    pub fn is_known(&mut self, array: &str, index: usize) -> bool {
        let any = range_of(IntKind::LongLong, self.program.data_model);
        self.at_the_end(array, index).flatten().is_some_and(|n| n != any)
    }

    fn at_the_end(&mut self, array: &str, index: usize) -> Option<Option<Number>> {
        let end = self.end.as_ref()?;
        let global = self.program.globals.iter().find(|v| self.program.variable(**v).name == array);
        let Some(global) = global else { return Some(None) };
        let object = self.values.objects.id(Origin::Variable(*global, 0));
        let value = end.memory.read(object, 8 * index as i64, 8, self.values.big_endian);
        Some(match value.read_as(&Type::Int(IntKind::LongLong), self.program.data_model) {
            Value::Number(n) => Some(n),
            _ => None,
        })
    }

    /// Watches a run.
    pub fn watch(&mut self, states: u64) -> Membership<'_, 'p> {
        Membership { recorded: self, left: states, violation: None }
    }
}

/// Compares the states of a run.
pub struct Membership<'r, 'p> {
    recorded: &'r mut Recorded<'p>,
    /// How many more states are compared.
    pub left: u64,
    /// What lies outside.
    pub violation: Option<String>,
}

impl Observer for Membership<'_, '_> {
    fn at(&mut self, stmt: &Stmt, state: &interpreter::State<'_, '_>) {
        let is_opaque = state.function().is_some_and(|f| self.recorded.opaque.contains(&f));
        if self.left == 0 || self.violation.is_some() || is_opaque || matches!(stmt.kind, StmtKind::Label(..)) {
            return;
        }
        self.left -= 1;
        let recorded = self.recorded.values.recorded.take().unwrap_or_default();
        let in_contexts = self.recorded.values.in_contexts.remove(&stmt.id()).unwrap_or_default();
        let depth = state.depth() as u32 - u32::from(state.function().is_none());
        let mut violation = Some(format!("{:?} is not reached", stmt.location));
        if let Some(known) = recorded.get(&stmt.id()) {
            violation = self.outside(stmt, known, (depth, None), state);
        }
        for ((context, depth), known) in &in_contexts {
            if violation.is_some() {
                violation = self.outside(stmt, known, (*depth, Some(*context)), state);
            }
        }
        self.violation = violation;
        self.recorded.values.recorded = Some(recorded);
        self.recorded.values.in_contexts.insert(stmt.id(), in_contexts);
    }
}

impl Membership<'_, '_> {
    /// What lies outside of what is known, in a call at that depth; in a context, of what it
    /// touches.
    fn outside(
        &mut self,
        stmt: &Stmt,
        known: &State,
        (depth, context): (u32, Option<ContextId>),
        state: &interpreter::State<'_, '_>,
    ) -> Option<String> {
        let texts = known.memory.facts.texts.iter();
        let mut wrong = texts.filter(|text| self.is_true(text, depth, state) == Some(false));
        let wrong = wrong.next().map(|text| format!("{:?}: {text:?} is false", stmt.location));
        if let Some(differs) = wrong.or_else(|| self.outside_cells(stmt, known, (depth, context), state)) {
            return Some(differs);
        }
        let implications = known.memory.facts.implications.clone();
        implications.iter().find_map(|implication| {
            let Implication { guard, case, values } = &**implication;
            let big_endian = self.recorded.values.big_endian;
            let with = |cells: &[(Place, Value)]| {
                let mut known = known.clone();
                for (place, value) in cells {
                    known.memory.narrow(place.object, place.at, place.size, value.clone(), big_endian);
                }
                known
            };
            let held = known.memory.read(guard.object, guard.at, guard.size, big_endian);
            let cases = [case.part_of(&held, guard.size), case.left_by(&held, guard.size)];
            let [has_case, has_another] = cases.map(|value| {
                let known = with(&[(*guard, value?)]);
                Some(self.outside_cells(stmt, &known, (depth, context), state).is_none())
            });
            // Where runs do not tell what the guard holds, it may seem to have all cases.
            if has_case != Some(true) || has_another != Some(false) {
                return None;
            }
            let differs = self.outside_cells(stmt, &with(values), (depth, context), state)?;
            Some(format!("{differs}, by {implication:?}"))
        })
    }

    /// The same for the cells alone.
    fn outside_cells(
        &mut self,
        stmt: &Stmt,
        known: &State,
        (depth, context): (u32, Option<ContextId>),
        state: &interpreter::State<'_, '_>,
    ) -> Option<String> {
        let program = self.recorded.program;
        for n in 0..program.variables.len() {
            let v = VarId(n as u32);
            let values = &mut self.recorded.values;
            let origin = match program.variable(v).storage {
                Storage::Global => Origin::Variable(v, 0),
                _ if context.is_none() => Origin::Variable(v, depth),
                _ => values.local(v, depth, values.rings.is_variable(v)),
            };
            let object = values.objects.id(origin);
            let compared = match context {
                Some(context) if origin == Origin::Variable(v, 0) => values.touched(context, object),
                _ => WHOLE,
            };
            if compared.is_empty() {
                continue;
            }
            let ty = &program.variable(v).ty;
            if let Some(seen) = state.scalar(v) {
                if let Some(why) = self.differs(known, state, (object, 0), (ty, None), seen) {
                    return Some(format!("{:?}: {} is {why}", stmt.location, program.variable(v).name));
                }
                continue;
            }
            let Some(place) = state.object(v) else { continue };
            let Some((shape, leaves)) = state.shape(place) else { continue };
            for leaf in 0..leaves.min(LEAVES) {
                let Some((at, ty, bits)) = self.leaf(state, shape, leaf) else { continue };
                let size = bits.map(|bits| bits.size.into()).or(program.size_of(ty));
                let size = size.and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
                if !compared.contains(&at) || !compared.contains(&(at + size - 1)) {
                    continue;
                }
                let Some(seen) = state.cell(place, leaf, ty) else { continue };
                if let Some(why) = self.differs(known, state, (object, at), (ty, bits), seen) {
                    return Some(format!("{:?}: {}+{at} is {why}", stmt.location, program.variable(v).name));
                }
            }
        }
        None
    }

    /// Whether a relation is true, if that can be said.
    fn is_true(&self, text: &Text, depth: u32, state: &interpreter::State<'_, '_>) -> Option<bool> {
        let program = self.recorded.program;
        let variable = |object: ObjectId| match self.recorded.values.objects.origin(object) {
            Origin::Variable(v, at) if program.variable(v).storage == Storage::Global || at == depth => Some(v),
            _ => None,
        };
        let seen = |object: ObjectId| {
            let v = variable(object)?;
            state.scalar(v).or_else(|| state.cell(state.object(v)?, 0, &program.variable(v).ty))
        };
        let (object, start) = match text.address.base {
            Base::Start(object) => (state.object(variable(object)?)?, 0),
            Base::Pointer(pointer) => match seen(pointer.object)? {
                Seen::Pointer(object, leaf) => (object, leaf),
                _ => return None,
            },
            // Objects that are not the program's have no name there.
            Base::Every(_) => return None,
        };
        let index = match text.address.index.map(|index| (seen(index.variable.object), index.step)) {
            None => 0,
            Some((Some(Seen::Int(n)), step)) => i64::try_from(n).ok()? * step,
            Some(_) => return None,
        };
        let (shape, leaves) = state.shape(object)?;
        let start = match offset(state, shape, start as u64) {
            Some((at, _)) => at,
            // After the last part.
            None => i64::try_from(program.size_of(shape)?).ok()?,
        };
        let leaf = |n: u64| {
            let (at, ty) = offset(state, shape, n)?;
            Some((at, at + program.size_of(ty)? as i64, state.cell(object, n, ty)?))
        };
        let leaves = (0..leaves).map(leaf).collect::<Option<Vec<(i64, i64, Seen)>>>()?;
        let are_written = |from: i64, to: i64| {
            leaves.iter().all(|(first, end, seen)| *first < from || *end > to || *seen != Seen::Unset)
        };
        let at = |plus: i64| start + index + plus;
        Some(match text.says {
            Says::Ends { written } => {
                if leaves.iter().any(|(first, end, _)| end - first != 1) {
                    return None;
                }
                let may_end = |(first, _, seen): &&(i64, i64, Seen)| {
                    *first >= at(text.plus) && matches!(seen, Seen::Int(0) | Seen::Any)
                };
                let end = leaves.iter().find(may_end).map(|(_, end, _)| *end);
                end.is_some_and(|end| written.is_none_or(|n| are_written(at(n), end)))
            }
            Says::Written { from, .. } => are_written(from, at(text.plus)),
            Says::Unchanged | Says::Counted => return None,
        })
    }

    /// What a cell holds and what is known of it, if that differs.
    fn differs(
        &mut self,
        known: &State,
        state: &interpreter::State<'_, '_>,
        (object, at): (ObjectId, i64),
        (ty, field): (&Type, Option<BitField>),
        seen: Seen,
    ) -> Option<String> {
        let program = self.recorded.program;
        let size = field.map(|field| field.size).or(program.size_of(ty).and_then(|size| size.try_into().ok()))?;
        let big_endian = self.recorded.values.big_endian;
        let bytes = known.memory.read(object, at, size, big_endian);
        let (value, is_written) = match field {
            Some(field) => (Value::Number(field.read_in(&bytes)), field.is_written_in(&bytes)),
            None => (bytes.read_as(ty, program.data_model), bytes.is_written()),
        };
        let is_in = match (&value, seen) {
            (_, Seen::Unset) => !is_written,
            (Value::Any, _) | (_, Seen::Any) => true,
            // Of a bit-field, a run may keep more bits of what was in an object at first.
            (Value::Number(n), Seen::Int(x)) => match field {
                Some(field) => field.holds(Number::constant(x)).is_within(*n),
                None => n.contains(x),
            },
            (Value::Pointer(p), Seen::Null) => p.null,
            (Value::Pointer(p), Seen::Function(f)) => p.wild || p.functions.contains(&f),
            (Value::Pointer(p), Seen::Pointer(to, leaf)) => {
                p.wild || p.targets.iter().any(|target| self.is_target(state, (to, leaf), target))
            }
            _ => false,
        };
        (!is_in).then(|| format!("{seen:?} and not in {value:?}"))
    }

    /// Where a scalar of an object lies, and its type. Of a bit-field, where its unit lies.
    fn leaf<'t>(
        &self,
        state: &'t interpreter::State<'_, '_>,
        shape: &'t Type,
        leaf: u64,
    ) -> Option<(i64, &'t Type, Option<BitField>)> {
        let (at, ty, bits) = state.place_with_bits(shape, leaf)?;
        let field = match bits {
            Some(bits) => Some(BitField::new(bits, ty, self.recorded.values.big_endian)?),
            None => None,
        };
        let at = at + bits.map_or(0, |bits| bits.unit);
        Some((i64::try_from(at).ok()?, ty, field)).filter(|(_, ty, _)| ty.is_scalar())
    }

    fn is_target(
        &self,
        state: &interpreter::State<'_, '_>,
        (to, leaf): (ObjectRef, i64),
        Target { object, offset: at, is_alive, .. }: Target,
    ) -> bool {
        let Recorded { values, program, .. } = &*self.recorded;
        let is_watched = is_alive && !values.ends_unseen && self.recorded.opaque.is_empty();
        let names_it = match (state.origin(to), values.objects.origin(object)) {
            // It no longer lives.
            (None, Origin::Variable(v, _)) => return !is_watched || !program.endings.variables.contains(&v),
            (None, _) => return !is_watched,
            (Some(ObjectOrigin::Heap { .. }), _) if is_watched && state.is_freed(to) => return false,
            (Some(ObjectOrigin::Variable { variable, .. }), Origin::Variable(v, _)) => {
                variable == v || self.recorded.values.alike.get(&variable) == Some(&v)
            }
            (Some(ObjectOrigin::Heap { .. }), Origin::Heap(..)) => true,
            (Some(ObjectOrigin::Outside), Origin::Outside(_)) => true,
            _ => false,
        };
        let Some((shape, leaves)) = state.shape(to) else { return true };
        let offset = match u64::try_from(leaf) {
            Ok(leaf) if leaf < leaves => offset(state, shape, leaf).map(|(at, _)| at),
            Ok(leaf) if leaf == leaves => {
                self.recorded.program.size_of(shape).and_then(|size| i64::try_from(size).ok())
            }
            // An address that no access is through: `&a[10]`.
            _ => None,
        };
        names_it && offset.is_none_or(|offset| at.contains(offset.into()))
    }
}

/// The offset in bytes of a leaf of an object, and its type.
fn offset<'t>(state: &'t interpreter::State<'_, '_>, shape: &'t Type, leaf: u64) -> Option<(i64, &'t Type)> {
    let (at, ty) = state.place_of(shape, leaf)?;
    Some((i64::try_from(at).ok()?, ty)).filter(|(_, ty)| ty.is_scalar())
}

impl<'p> Values<'p> {
    /// Keeps what is known in a call whose end is known, by executing it nevertheless.
    pub(super) fn keep_states_of_call(
        &mut self,
        f: FunctionId,
        way: Site,
        body: &'p Block,
        state: &State,
        apart: bool,
    ) -> Evaluated<()> {
        if self.recorded.is_some() {
            let around = self.log.begin();
            let executed = self.execute_call(f, way, body, state.clone(), apart);
            self.log.end(around);
            executed?;
        }
        Ok(())
    }

    /// Keeps what is known before a statement.
    pub(super) fn keep(&mut self, stmt: &'p Stmt, state: &State) {
        if self.silent > 0 {
            return;
        }
        if let Some(context) = self.user {
            self.keep_in(context, stmt, state);
            return;
        }
        let Some(mut recorded) = self.recorded.take() else { return };
        let old: Option<State> = recorded.remove(&stmt.id());
        if let Some(all) = self.joined(old, Some(state.clone())) {
            recorded.insert(stmt.id(), all);
        }
        self.recorded = Some(recorded);
    }
}

impl<'p> Values<'p> {
    /// Keeps what is known before a statement in the executions of a context at a depth. An
    /// execution covers the calls for which it was made, and later calls in states that its entry
    /// contains: together they cover all.
    fn keep_in(&mut self, context: ContextId, stmt: &'p Stmt, state: &State) {
        if self.recorded.is_none() {
            return;
        }
        let at = (context, self.depth);
        let old = self.in_contexts.entry(stmt.id()).or_default().remove(&at);
        if let Some(state) = self.joined(old, Some(state.clone())) {
            self.in_contexts.entry(stmt.id()).or_default().insert(at, state);
        }
    }
}
