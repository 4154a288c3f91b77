//! Memory: cells at offsets in bytes (Miné, "Field-sensitive value analysis of embedded C programs
//! with union types and pointer arithmetics", LCTES 2006), by objects that memories share.
//!
//! A cell says what certain bytes of an object may hold, read as one value. Cells do not overlap.
//! Bytes without a cell hold what their object holds by their [`Filling`]. A state means all
//! memories that agree with all cells and fillings. An object that a memory does not have may hold
//! anything there.

use super::blocks::Effect;
use super::facts::Facts;
use super::footprint::{Change, Forgotten, Log, Unseen, WHOLE};
use super::number::Number;
use super::objects::ObjectId;
use super::offsets::Offsets;
use super::value::Value;
use cells::MOST_BYTES;
use object::byte_value;
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

mod cells;
mod ends;
mod exchange;
mod frame;
mod implications;
mod merge;
mod object;
mod smash;
mod texts;

pub(super) use cells::{Cell, Map, offset};
pub(super) use object::{Filling, Object};

/// The most places at which a write with an unknown offset makes cells.
const FEW: u128 = 128;
/// The same, if a filling cannot take their place.
const MANY: u128 = 4096;

/// What memory may hold.
#[derive(Clone, Default)]
pub(super) struct Memory {
    objects: Map<ObjectId, Shared>,
    /// What else is known.
    pub facts: Facts,
    log: Log,
}

/// An object that several memories may have.
#[derive(Clone, Debug)]
struct Shared(Rc<Led>);

/// An object, and where pointers in it lead.
#[derive(Debug)]
struct Led {
    object: Object,
    /// The objects that have not ended to which pointers in it lead, if somebody has asked.
    leads: OnceCell<Box<[ObjectId]>>,
}

impl Clone for Led {
    fn clone(&self) -> Led {
        Led::new(self.object.clone())
    }
}

impl Led {
    fn new(object: Object) -> Led {
        Led { object, leads: OnceCell::new() }
    }
}

impl Deref for Shared {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.0.object
    }
}

/// Those that are not one may hold the same nevertheless: to compare all they hold is for those who
/// need it.
impl PartialEq for Shared {
    fn eq(&self, other: &Shared) -> bool {
        self.is_same(other)
    }
}

impl Shared {
    fn new(object: Object) -> Shared {
        Shared(Rc::new(Led::new(object)))
    }

    /// Changes the object, for this memory alone.
    fn change<T>(&mut self, how: impl FnOnce(&mut Object) -> T) -> T {
        let led = Rc::make_mut(&mut self.0);
        led.leads.take();
        how(&mut led.object)
    }

    /// What is known when pointers to some objects may lead to one that has ended; `None` if that
    /// is the same. To ask again costs little, because most objects are as they were.
    fn after_end(&self, is_ended: impl Fn(ObjectId) -> bool) -> Option<Object> {
        let leads = self.0.leads.get_or_init(|| self.alive_targets());
        leads.iter().any(|object| is_ended(*object)).then(|| self.0.object.after_end(is_ended)).flatten()
    }

    /// Whether both are one, so that they need not be compared.
    fn is_same(&self, other: &Shared) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Memory {
    /// A memory without objects, whose reads and changes are written down there.
    pub(super) fn new(log: Log) -> Memory {
        Memory { log, ..Memory::default() }
    }

    /// What is known of an object; nothing, if it has not begun or has ended.
    pub(super) fn object(&self, object: ObjectId) -> Option<&Object> {
        self.log.looked_at(object);
        self.objects.get(&object).map(|shared| &**shared)
    }

    /// Changes what is known of an object, if it is there.
    fn change<T>(&mut self, object: ObjectId, how: impl FnOnce(&mut Object) -> T) -> Option<T> {
        self.objects.get_mut(&object).map(|shared| shared.change(how))
    }

    /// A new object begins, or a new one takes the place of an old one of the same name.
    pub(super) fn begin(&mut self, object: ObjectId, size: Number, filling: Filling) {
        self.place(object, Shared::new(Object::new(size, filling)));
    }

    fn place(&mut self, object: ObjectId, shared: Shared) {
        self.touched_whole(object);
        self.objects.insert(object, shared);
    }

    fn touched_whole(&mut self, object: ObjectId) {
        self.log.changed_whole(object);
        self.facts.ended(object);
    }

    /// One more object of a name that stands for several.
    pub(super) fn begin_another(&mut self, object: ObjectId, size: Number, filling: Filling) {
        self.touched_whole(object);
        let Some(old) = self.objects.get(&object) else { return self.begin(object, size, filling) };
        let mut merged = Object::new(old.size.join(size), old.filling.merged(&filling, Value::join));
        for (at, cell) in old.cells.iter() {
            let value = cell.value.join(&filling.read(at, cell.size));
            merged.cells.insert(at, Cell { value, size: cell.size });
        }
        self.objects.insert(object, Shared::new(merged));
    }

    /// The object is not used any more.
    pub(super) fn end(&mut self, object: ObjectId) {
        self.touched_whole(object);
        self.objects.remove(&object);
    }

    /// Pointers to the object may lead to one that has ended.
    pub(super) fn end_pointers(&mut self, object: ObjectId) {
        self.log.ended(object);
        self.end_pointers_to(|other| other == object);
    }

    /// Pointers to objects of which it is not known which may lead to one that has ended.
    pub(super) fn end_pointers_unseen(&mut self, unseen: Unseen, is_ended: impl Fn(ObjectId) -> bool) {
        self.log.ended_unseen(unseen);
        self.end_pointers_to(is_ended);
    }

    fn end_pointers_to(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.facts.end_pointers(&is_ended);
        let changed = self.objects.iter().filter_map(|(holder, o)| Some((*holder, o.after_end(&is_ended)?)));
        for (holder, changed) in changed.collect::<Vec<_>>() {
            self.objects.insert(holder, Shared::new(changed));
        }
    }

    /// Anything may be in the object, and perhaps nothing has written it.
    pub(super) fn forget(&mut self, object: ObjectId) {
        self.set_whole(object, Filling::Any);
    }

    /// Something may have changed in the object. What was written before is written.
    pub(super) fn scramble(&mut self, object: ObjectId) {
        let is_written = self.objects.get(&object).is_some_and(|o| o.is_all_written());
        self.set_whole(object, Filling::anything(is_written));
    }

    /// Something has written all of the object.
    pub(super) fn overwrite(&mut self, object: ObjectId) {
        self.set_whole(object, Filling::Written);
    }

    fn set_whole(&mut self, object: ObjectId, filling: Filling) {
        self.touched_whole(object);
        self.change(object, |o| *o = Object::new(o.size, filling));
    }

    /// What the bytes of an object from an offset on hold, as one value.
    pub(super) fn read(&self, object: ObjectId, at: i64, size: u32, big_endian: bool) -> Value {
        self.log.read(object, at..at.saturating_add(size.into()));
        self.objects.get(&object).map_or(Value::Any, |o| o.read(at, size, big_endian))
    }

    /// What the elements of an array hold, whichever it is.
    pub(super) fn any_element(&self, object: ObjectId, size: u32) -> Value {
        self.log.read(object, WHOLE);
        self.objects.get(&object).map_or(Value::Any, |object| object.any_element(size))
    }

    /// What a cell may hold whose place is one of many; `None` if the places do not fit the cells.
    pub(super) fn read_range(&self, object: ObjectId, at: Offsets, size: u32) -> Option<Value> {
        let (lo, hi) = (offset(at.lo())?, offset(at.hi())?);
        self.log.read(object, lo..hi.saturating_add(size.into()));
        self.objects.get(&object).map_or(Some(Value::Any), |o| o.read_range(at, (lo, hi), size))
    }

    /// The bytes of an object from an offset on hold that value.
    pub(super) fn write(&mut self, object: ObjectId, at: i64, size: u32, value: Value, big_endian: bool) {
        self.facts.written(object, Number::constant(at.into()), size.into(), Effect::of(&value));
        self.narrow(object, at, size, value, big_endian);
    }

    /// The bytes of an object from an offset on are known to hold that value: nothing changes.
    pub(super) fn narrow(&mut self, object: ObjectId, at: i64, size: u32, value: Value, big_endian: bool) {
        if size == 0 || size > MOST_BYTES {
            return self.fill(object, at, size.into(), &Filling::Any, big_endian);
        }
        self.log.changed(object, at..at + i64::from(size));
        let has_it = |o: &Shared| o.cells.get(at).is_some_and(|cell| cell.size == size && cell.value == value);
        if !self.objects.get(&object).is_some_and(has_it) {
            self.change(object, |o| o.set(at, size, value, big_endian));
        }
    }

    /// One of these places holds that value, the others hold what they held.
    pub(super) fn write_somewhere(
        &mut self,
        object: ObjectId,
        at: Offsets,
        size: u32,
        value: &Value,
        big_endian: bool,
    ) {
        self.log.looked_at(object);
        self.facts.written(object, at, size.into(), Effect::of(value));
        let Some(old) = self.objects.get(&object) else { return };
        let (Some(lo), Some(hi)) = (offset(at.lo()), offset(at.hi())) else {
            return if value.is_written() { self.scramble(object) } else { self.forget(object) };
        };
        let can_fill = Self::can_fill(at.hull(), size);
        if !old.filling.is_anything() && at.count() <= if can_fill { FEW } else { MANY } {
            for at in at.each().filter_map(offset) {
                let value = self.read(object, at, size, big_endian).join(value);
                self.narrow(object, at, size, value, big_endian);
            }
            return;
        }
        let filling = match &old.filling {
            // It may be at one of these places, and nowhere else: a filling is for all places.
            filling if can_fill => filling.merged(&Filling::Every(Cell { size, value: value.clone() }), Value::join),
            filling => Filling::anything(filling.is_written() && value.is_written()),
        };
        let end = hi.saturating_add(size.into());
        self.log.changed(object, lo..end);
        if filling != old.filling {
            self.log.changed_whole(object);
        }
        self.change(object, |o| {
            if filling != o.filling {
                o.keep_outside(lo..end);
                o.filling = filling;
            }
            o.add_to_cells(at, (lo, hi), size, value);
        });
    }

    /// Whether all places are multiples of the size, and one size apart.
    fn can_fill(at: Number, size: u32) -> bool {
        at.step() == u128::from(size) && at.lo().rem_euclid(size.into()) == 0
    }

    /// All bytes of a part of an object are set in the same way.
    pub(super) fn fill(&mut self, object: ObjectId, at: i64, size: i64, with: &Filling, big_endian: bool) {
        self.log.changed(object, at..at.saturating_add(size));
        let Some(old) = self.objects.get(&object) else { return };
        let (is_whole, is_filled) = (old.size.as_constant() == Some(size.into()), old.filling == *with);
        let effect = match with {
            Filling::Zero => Effect::Zeros,
            with if with.is_written() => Effect::Writes,
            _ => Effect::Copies,
        };
        self.facts.written(object, Number::constant(at.into()), size, effect);
        if at == 0 && is_whole {
            return self.begin(object, Number::constant(size.into()), with.clone());
        }
        if !is_filled && size as u128 > MANY {
            return if with.is_written() { self.scramble(object) } else { self.forget(object) };
        }
        self.change(object, |o| {
            o.free(at, size, big_endian);
            if !is_filled {
                o.fill_cells(at..at + size, with);
            }
        });
    }

    /// Copies bytes from one place to another, as they were before.
    pub(super) fn copy(&mut self, from: (ObjectId, i64), to: (ObjectId, i64), size: i64, big_endian: bool) {
        if from == to {
            return;
        }
        self.log.read(from.0, from.1..from.1.saturating_add(size));
        let source = self.objects.get(&from.0).cloned();
        let filling = source.as_ref().map_or(Filling::Any, |o| o.filling.clone());
        let is_moved = matches!(&filling, Filling::Every(cell) if (to.1 - from.1).rem_euclid(cell.size.into()) != 0);
        let filling = if is_moved { Filling::anything(filling.is_written()) } else { filling };
        self.fill(to.0, to.1, size, &filling, big_endian);
        for (start, cell) in source.iter().flat_map(|o| o.overlapping(from.1, size)) {
            if start >= from.1 && start + i64::from(cell.size) <= from.1 + size {
                self.write(to.0, to.1 + (start - from.1), cell.size, cell.value.clone(), big_endian);
                continue;
            }
            for n in 0..i64::from(cell.size) {
                if (from.1..from.1 + size).contains(&(start + n)) {
                    let value = byte_value(cell, n as u32, big_endian);
                    self.write(to.0, to.1 + (start + n - from.1), 1, value, big_endian);
                }
            }
        }
    }

    /// Something may have changed these objects.
    pub(super) fn forget_all(&mut self, forgotten: Forgotten, is_reached: impl Fn(ObjectId) -> bool) {
        let change = forgotten.change;
        let is_known = |o: &Object| {
            let as_it_was = match change {
                Change::Stores => Filling::anything(o.filling.is_written()),
                Change::Copies => Filling::Any,
            };
            o.filling != as_it_was || !o.cells.is_empty()
        };
        // Of an object that may hold anything, a fact may tell.
        self.facts.all_ended(&is_reached);
        let known = self.objects.iter().filter(|(_, o)| is_known(o)).map(|(object, _)| *object);
        let found: Vec<ObjectId> = known.filter(|object| is_reached(*object)).collect();
        self.log.forgot(forgotten);
        self.log.clone().without(|| {
            found.into_iter().for_each(|object| match change {
                Change::Stores => self.scramble(object),
                Change::Copies => self.forget(object),
            });
        });
    }
}
