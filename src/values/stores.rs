//! Stores: what statements write, and what is known of cells by it.

use super::conditions::deciding;
use super::engine::Values;
use super::evaluate::Places;
use super::footprint::{Change, Reach};
use super::implications::Place;
use super::memory::Filling;
use super::number::Number;
use super::objects::{ObjectId, Origin};
use super::state::State;
use super::stop::{Evaluated, if_reached};
use super::value::{Target, Value};
use crate::program::{BinaryOp, Expr, ExprKind, Lvalue, Storage, Type};
use smallvec::{SmallVec, smallvec};

/// States that together are one, and the value of an expression in each.
type Cases = SmallVec<[(State, Value); 2]>;

impl<'p> Values<'p> {
    /// Assigns a value, in each case of the condition that decides it, if other values may be known
    /// by it later.
    pub(super) fn assign_in_cases(&mut self, mut state: State, l: &'p Lvalue, e: &'p Expr) -> Evaluated<Option<State>> {
        if !l.ty.is_scalar() {
            let places = self.places(&state, l, true)?;
            self.copy(&mut state, &places, e)?;
            return Ok(Some(state));
        }
        let cases = match self.by_divisor(&state, e)? {
            Some(cases) => cases,
            None if deciding(e).is_some() && self.can_be_guard(&state, l)? => self.values_in_cases(state, e, true)?,
            None => {
                let value = self.value(&state, e)?;
                self.assign(&mut state, l, e, &value)?;
                return Ok(Some(state));
            }
        };
        let mut end = None;
        for (mut state, value) in cases {
            if if_reached(self.assign(&mut state, l, e, &value))?.is_some() {
                end = self.joined(end, Some(state));
            }
        }
        Ok(end)
    }

    /// The values of a quotient: one where the divisor is 1, and one where it is more. So in `n = x
    /// / y; if (x % y != 0) n++;` the increment does not overflow. `None` if nothing could tell
    /// later which it was.
    fn by_divisor(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<Cases>> {
        let ExprKind::Binary(BinaryOp::Div, _, divisor) = &e.kind else { return Ok(None) };
        let (ExprKind::Load(l), Type::Int(_)) = (&divisor.kind, &e.ty) else { return Ok(None) };
        let known = self.number(state, divisor)?;
        let Some(more) = known.without(1).filter(|_| known.lo() == 1) else { return Ok(None) };
        if !self.can_be_guard(state, l)? {
            return Ok(None);
        }
        let mut found = Cases::new();
        for divisor_is in [Number::constant(1), more] {
            let refined = self.refine(state, divisor, &Value::Number(divisor_is));
            let case = refined.and_then(|state| Ok((self.value(&state, e)?, state)));
            found.extend(if_reached(case)?.map(|(value, state)| (state, value)));
        }
        Ok(Some(found))
    }

    /// The values of a scalar expression: if they are to be kept apart, one where the condition
    /// that decides it holds, and one where that does not hold.
    pub(super) fn values_in_cases(&mut self, state: State, e: &'p Expr, apart: bool) -> Evaluated<Cases> {
        let Some(condition) = deciding(e).filter(|_| apart) else {
            let value = self.value(&state, e)?;
            return Ok(smallvec![(state, value)]);
        };
        let (yes, no) = self.split(&state, condition)?;
        let mut found = SmallVec::new();
        for (state, holds) in [(yes, true), (no, false)] {
            let Some(state) = state else { continue };
            let value = if_reached(self.decided_value(&state, e, holds))?;
            found.extend(value.map(|value| (state, value)));
        }
        Ok(found)
    }

    /// The value of an expression where it is known whether the condition holds that decides it.
    fn decided_value(&mut self, state: &State, e: &'p Expr, holds: bool) -> Evaluated<Value> {
        match &e.kind {
            ExprKind::Conditional(_, a, b) => self.value(state, if holds { a } else { b }),
            ExprKind::Cast(inner) if matches!((&e.ty, &inner.ty), (Type::Int(_), Type::Int(_))) => {
                let value = self.decided_value(state, inner, holds)?;
                Ok(self.converted(&value, &e.ty))
            }
            ExprKind::Cast(_) => self.value(state, e),
            _ => Ok(Value::truth(Some(holds))),
        }
    }

    /// Whether other values may be known later by that of an lvalue.
    fn can_be_guard(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<bool> {
        let places = self.places(state, l, true)?;
        let (cell, guards) = (self.cell(&places, &l.ty), self.kept_guards());
        Ok(cell.zip(guards).is_some_and(|(cell, guards)| guards.has(self.objects.origin(cell.object), cell)))
    }

    fn assign(&mut self, state: &mut State, l: &'p Lvalue, e: &'p Expr, value: &Value) -> Evaluated<()> {
        let places = self.places(state, l, true)?;
        let (walks, written) = (self.walks_to(state, l, e)?, self.before_write(state, l, &places)?);
        let before = match (self.certain(&places), self.extent(&places, &l.ty)) {
            (None, Some(size)) => self.read_before(state, l, &places, size)?,
            _ => None,
        };
        let value = self.converted(value, &l.ty);
        let copied = if e.ty == l.ty { self.copied_cell(state, e, &places)? } else { None };
        self.store(state, &places, &l.ty, value.clone());
        state.memory.facts.texts.extend(walks);
        if let Some((from, to)) = copied {
            state.memory.facts.implications.copied(from, to);
        }
        if let Some(written) = written {
            self.was_written(state, &places, &value, written);
        }
        if let Some(before) = before {
            self.note_written(state, l, value, before);
        }
        Ok(())
    }

    /// The cell whose value an expression copies, and the one that gets it, if both are known.
    fn copied_cell(&mut self, state: &State, e: &'p Expr, to: &Places) -> Evaluated<Option<(Place, Place)>> {
        let implications = &state.memory.facts.implications;
        let ExprKind::Load(l) = &e.kind else { return Ok(None) };
        let may_be_guard = match l.as_var() {
            Some(v) => implications.may_be_about(self.variable(v)),
            None => !implications.is_empty(),
        };
        if !may_be_guard {
            return Ok(None);
        }
        let from = self.places(state, l, true)?;
        Ok(self.cell(&from, &l.ty).zip(self.cell(to, &l.ty)))
    }

    /// The cell of a scalar of that type, if there is only one.
    pub(super) fn cell(&self, places: &Places, ty: &Type) -> Option<Place> {
        let (object, at) = self.certain(places).filter(|_| places.bits.is_none())?;
        Some(Place { object, at, size: self.width(ty)? })
    }

    /// Stores a scalar.
    pub(super) fn store(&mut self, state: &mut State, places: &Places, ty: &Type, value: Value) {
        let value = self.converted(&value, ty);
        self.store_as_it_is(state, places, ty, value);
    }

    /// Stores a scalar that has that type, or [`Value::Any`], which perhaps nothing has written.
    pub(super) fn store_as_it_is(&mut self, state: &mut State, places: &Places, ty: &Type, value: Value) {
        let size = self.extent(places, ty).unwrap_or(u32::MAX);
        self.store_cell(state, places, size, &value);
    }

    /// Stores what a cell of that size holds, or a bit-field in it.
    pub(super) fn store_cell(&mut self, state: &mut State, places: &Places, size: u32, value: &Value) {
        self.begin_if_missing(state, places);
        if places.wild {
            let change = if value.is_written() { Change::Stores } else { Change::Copies };
            return self.unknown_changes(state, change, Reach::Addresses);
        }
        // What a cell holds afterwards: of a unit of bit-fields, only one changes.
        let after = |state: &State, target: &Target| match places.bits {
            Some(field) => field.written_in(&self.cells_at(state, target.object, target.offset, size), value),
            None => value.clone(),
        };
        match (self.certain(places), &places.known[..]) {
            (Some((object, at)), [target]) => {
                let value = after(state, target);
                state.memory.write(object, at, size, value, self.big_endian);
            }
            _ => {
                for target in &places.known {
                    let value = after(state, target);
                    if self.limits.is_hurried {
                        state.memory.smash(target.object);
                    }
                    state.memory.write_somewhere(target.object, target.offset, size, &value, self.big_endian);
                }
            }
        }
    }

    /// Whether it is a variable that lasts for the whole run.
    pub(super) fn lasts(&self, object: ObjectId) -> bool {
        let Origin::Variable(v, _) = self.objects.origin(object) else { return false };
        self.program.variable(v).storage == Storage::Global
    }

    /// Begins a variable whose declaration was jumped over.
    pub(super) fn begin_if_missing(&mut self, state: &mut State, places: &Places) {
        for &Target { object, .. } in &places.known {
            if let (None, Origin::Variable(v, _)) = (state.memory.object(object), self.objects.origin(object)) {
                let size = self.size_of(state, &self.program.variable(v).ty);
                state.memory.begin(object, size.unwrap_or(Number::constant(0)), Filling::Any);
            }
        }
    }

    /// An object of that type gets any value.
    pub(super) fn set_any(&mut self, state: &mut State, places: &Places, ty: &'p Type) {
        match ty.is_scalar() {
            true => self.store(state, places, ty, Value::any_of(ty, self.model)),
            false => self.fill(state, places, ty, &Filling::Written),
        }
    }

    /// Stores a struct.
    pub(super) fn copy(&mut self, state: &mut State, to: &Places, e: &'p Expr) -> Evaluated<()> {
        let from = match &e.kind {
            ExprKind::Load(l) => Some(self.places(state, l, true)?),
            _ => None,
        };
        self.copy_object(state, from.as_ref(), to, &e.ty)
    }
}
