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
use super::value::{Target, Value};
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
        Ok(facts.at_depth(self.depth).any(|fact| fact.value != Value::Any && self.named[fact.name.lvalue].is_same(l)))
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
        // A bit-field lies in the bytes from there on, and no byte tells which of its bits were
        // written.
        let size = match places.bits {
            Some(bits) => Some(u32::from(bits) / 8 + 2),
            None => self.width(ty),
        };
        let Some(size) = size.filter(|_| !places.wild) else { return false };
        places.known.iter().all(|Target { object, offset: at, .. }| match places.bits {
            Some(_) => (0..size).all(|n| self.is_byte_written(state, *object, *at, n)),
            None => self.are_bytes_written(state, *object, *at, size),
        })
    }

    /// Whether a byte of a bit-field is written, or lies behind the object.
    fn is_byte_written(&self, state: &State, object: ObjectId, at: Offsets, n: u32) -> bool {
        let Some(at) = at.add(Number::constant(n.into())) else { return false };
        let is_behind = self.sized(state, object).is_some_and(|size| at.lo() >= size.hi());
        is_behind || self.are_bytes_written(state, object, at, 1)
    }

    fn are_bytes_written(&self, state: &State, object: ObjectId, at: Offsets, size: u32) -> bool {
        let one = |at: i64| state.memory.read(object, at, size, self.big_endian) != Value::Any;
        if let Some(at) = at.as_constant().and_then(offset) {
            return one(at);
        }
        if offset(at.lo()).is_none() || offset(at.hi()).is_none() {
            return false;
        }
        if let Some(value) = state.memory.read_range(object, at, size)
            && value != Value::Any
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
            Filling::Every(cell) => cell.value != Value::Any,
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
        self.is_within(other) || (*self != Value::Any && *other == Value::written(size))
    }
}
