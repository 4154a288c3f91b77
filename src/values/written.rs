//! Whether something has written what is read (C11 6.2.4p6, 6.3.2.1p2).
//!
//! [`Value::Any`] says that bytes may hold anything, and perhaps that nothing has written them. A
//! number, a floating value or a pointer says that something has. So what was written follows the
//! same ways as what was written there: copies, calls, joins.
//!
//! **Why it is sound.** Objects that begin without a value begin with [`Filling::Any`]
//! (`src/lower/unset.rs` finds them). Only a write of a scalar, of zeros, of given bytes, by
//! unknown code, or a condition that was true of the value that is read, turns it into something
//! else. A write that may be somewhere else adds to what was there, and then it is Any still. A
//! read of Any fails the check, and what it gives is a value like any other: after a read that
//! failed, no run is considered (as for all checks).

use super::engine::Values;
use super::evaluate::Places;
use super::footprint::{Change, Reach};
use super::memory::{Filling, offset};
use super::number::Number;
use super::objects::ObjectId;
use super::offsets::Offsets;
use super::state::State;
use super::stop::Evaluated;
use super::value::Value;
use crate::program::{Lvalue, SiteId, Type, VarId};
use std::collections::BTreeSet;

impl<'p> Values<'p> {
    /// What a variable holds when it begins.
    pub(super) fn at_first(&self, v: VarId) -> Filling {
        if self.program.unset.variables.contains(&v) { Filling::Any } else { Filling::Written }
    }

    /// What the block of an allocation holds when it begins.
    pub(super) fn block_at_first(&self, allocation: SiteId) -> Filling {
        Filling::anything(!self.program.unset.blocks.contains(&allocation))
    }

    /// An object gets any value. Where a jump has passed its declaration, that is no write.
    pub(super) fn havoc(&mut self, state: &mut State, l: &'p Lvalue) -> Evaluated<()> {
        let places = self.places(state, l, true)?;
        if let Some(outside) = l.as_var().and_then(|v| self.program.outside.get(&v)) {
            let pointer = self.handed_out(state, *outside);
            self.store(state, &places, &l.ty, pointer);
            return Ok(());
        }
        match l.as_var().is_some_and(|v| self.program.unset.jumped_over.contains(&v)) {
            true => self.fill(state, &places, &l.ty, &Filling::Any),
            false => self.set_any(state, &places, &l.ty),
        }
        Ok(())
    }

    /// Code that is not there runs, and gets these values. It may change all that it can reach.
    ///
    /// **Sound**: what it may change counts as written, by an assumption that is listed. That is
    /// said only of objects that it can certainly reach, by pointers that lead there in all runs.
    pub(super) fn unknown_code<'v>(
        &self,
        state: &mut State,
        reach: Reach,
        values: impl IntoIterator<Item = &'v Value>,
    ) {
        let mut open: Vec<ObjectId> = values.into_iter().filter_map(Value::only_target).collect();
        let mut found = BTreeSet::new();
        while let Some(object) = open.pop() {
            if !self.objects.origin(object).is_several() && found.insert(object) {
                open.extend(state.memory.object(object).iter().flat_map(|o| o.values()).filter_map(Value::only_target));
            }
        }
        self.unknown_changes(state, Change::Stores, reach);
        found.retain(|object| self.is_changed(*object, reach));
        found.into_iter().for_each(|object| state.memory.overwrite(object));
    }

    /// Whether something has certainly written what an lvalue reads.
    pub(super) fn is_written(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<bool> {
        let places = self.places(state, l, true)?;
        if self.holds_written(state, &places, &l.ty) || self.is_written_in_text(state, l)? {
            return Ok(true);
        }
        // It was written, or read, by that name.
        let facts = &state.memory.facts;
        Ok(facts.at_depth(self.depth).any(|fact| fact.value.is_written() && self.named[fact.name.lvalue].is_same(l)))
    }

    /// What places hold, as a value of that type; [`Value::Any`] if perhaps nothing has written it.
    pub(super) fn read_as_it_is(&mut self, state: &State, places: &Places, ty: &Type) -> Evaluated<Value> {
        match self.holds_written(state, places, ty) {
            true => self.read(state, places, ty),
            false => Ok(Value::Any),
        }
    }

    /// Whether something has certainly written what places hold, read as that type.
    pub(super) fn holds_written(&self, state: &State, places: &Places, ty: &Type) -> bool {
        let Some(size) = self.extent(places, ty).filter(|_| !places.wild) else { return false };
        let is_written = |value: &Value| places.bits.map_or(value.is_written(), |field| field.is_written_in(value));
        places.known.iter().all(|target| self.all_in_cells(state, (target.object, target.offset), size, is_written))
    }

    /// Whether that holds of what is in the cells at all those places.
    fn all_in_cells(
        &self,
        state: &State,
        (object, at): (ObjectId, Offsets),
        size: u32,
        holds: impl Fn(&Value) -> bool,
    ) -> bool {
        let one = |at: i64| holds(&state.memory.read(object, at, size, self.big_endian));
        if let Some(at) = at.as_constant().and_then(offset) {
            return one(at);
        }
        if offset(at.lo()).is_none() || offset(at.hi()).is_none() {
            return false;
        }
        if let Some(value) = state.memory.read_range(object, at, size)
            && holds(&value)
        {
            return true;
        }
        at.count() <= self.limits.places && at.each().filter_map(offset).all(one)
    }
}

impl Filling {
    /// Whether something has written each byte.
    pub(super) fn is_written(&self) -> bool {
        match self {
            Filling::Any => false,
            Filling::Zero | Filling::Written => true,
            Filling::Every(cell) => cell.value.is_written(),
        }
    }

    /// Whether it says nothing of values.
    pub(super) fn is_anything(&self) -> bool {
        matches!(self, Filling::Any | Filling::Written)
    }

    /// Anything, but written if both are.
    pub(super) fn anything(is_written: bool) -> Filling {
        if is_written { Filling::Written } else { Filling::Any }
    }
}

impl Value {
    /// Any value that something has written to so many bytes, as far as it can be said.
    pub(super) fn written(size: u32) -> Value {
        let most = (1..=8).contains(&size).then(|| (1i128 << (8 * size)) - 1);
        most.and_then(|most| Number::range(0, most)).map_or(Value::Any, Value::Number)
    }

    /// Whether the other one holds whatever this one holds, as values of so many bytes: each value
    /// is among [those that something has written](Value::written), whatever its type.
    pub(super) fn is_within_cell(&self, other: &Value, size: u32) -> bool {
        self.is_within(other) || (self.is_written() && *other == Value::written(size))
    }
}
