//! What is known of texts in memories: relations that follow from cells, joins, and the order.

use super::super::number::Number;
use super::super::objects::ObjectId;
use super::super::offsets::Offsets;
use super::super::texts::{Address, Base, FIRST, Index, Says, Text, Texts, Variable};
use super::super::value::{Pointers, Target, Value};
use super::{Memory, offset};
use smallvec::SmallVec;
use std::rc::Rc;

/// No index in a relation that follows from cells is greater.
const GREATEST: i128 = (1 << 31) - 1;

/// Places of an address: offsets in objects.
type Reached = SmallVec<[(ObjectId, i64, i64); 2]>;

impl Memory {
    /// What is true where one of both memories is. If a chain of them has to end, relations that
    /// change go.
    pub(super) fn joined_texts(&self, other: &Memory, widens: bool) -> Texts {
        if self.facts.texts.is_empty() && (widens || other.facts.texts.is_empty()) {
            return Texts::default();
        }
        let mut found = Texts::default();
        for text in self.facts.texts.iter() {
            if other.facts.texts.iter().any(|there| Rc::ptr_eq(there, text)) {
                found.push(text.clone());
                continue;
            }
            let there = other.told(text).or_else(|| {
                let alike = other.facts.texts.iter().find(|there| there.is_alike(text));
                alike.filter(|_| !widens).map(|there| Text::clone(there))
            });
            let both = there.and_then(|there| text.join(&there));
            found.extend(both.filter(|both| !widens || both.ends_chain_of(text)));
        }
        for text in other.facts.texts.iter().filter(|_| !widens) {
            if !found.is_full() && !self.facts.texts.iter().any(|here| here.is_alike(text)) {
                found.extend(self.told(text).and_then(|here| text.join(&here)));
            }
        }
        found
    }

    /// Whether all relations of the other memory are true in this one.
    pub(super) fn implies_texts(&self, other: &Memory) -> bool {
        let is_true = |text: &Rc<Text>| {
            self.facts.texts.iter().any(|here| Rc::ptr_eq(here, text) || (here.is_alike(text) && here.implies(text)))
                || self.told(text).is_some_and(|here| here.implies(text))
        };
        other.facts.texts.iter().all(is_true)
    }

    /// A relation that is true here and about the same as another one, with the same distance from
    /// the address.
    fn told(&self, text: &Text) -> Option<Text> {
        if let Base::Pointer(pointer) = text.address.base
            && self.held(pointer).is_some_and(|held| held == Value::pointer(Pointers::null()))
        {
            // It says nothing of a null pointer.
            return Some(text.clone());
        }
        match text.says {
            Says::Ends { .. } => self.end_of_text(text.address, text.plus),
            Says::Written { object, from } => self.written_up_to(text.address, text.plus, (object, from)),
            Says::Unchanged | Says::Counted => None,
        }
    }

    /// The relation that some byte is zero at an address plus so many bytes, or after that, if it
    /// is known.
    pub(in super::super) fn end_of_text(&self, address: Address, plus: i64) -> Option<Text> {
        let is_end = |text: &&Rc<Text>| matches!(text.says, Says::Ends { .. }) && text.plus >= plus;
        if let Some(text) = self.facts.texts.of(address).find(is_end) {
            return Some(text.nearer(plus));
        }
        if let Some(n) = address.index.and_then(|index| offset(self.bytes(index)?.as_constant()?)) {
            // Where the index is known, a relation to the address without it says the same.
            let alone = Address { index: None, ..address };
            let text = plus.checked_add(n).and_then(|plus| self.end_of_text(alone, plus));
            if let Some(text) = text.and_then(|text| text.moved(address, n)) {
                return Some(text);
            }
        }
        let reached = self.reached(address)?;
        let mut written = Some(i64::MIN);
        for (object, first, last) in &reached {
            let (_, from) = self.end_after(*object, last.checked_add(plus)?)?;
            written = written.zip(from).and_then(|(all, from)| Some(all.max(from.checked_sub(*first)?)));
        }
        let start = |object, first: i64| match self.facts.texts.are_texts(object) {
            true => Some(FIRST),
            false => first.checked_add(plus),
        };
        let places = reached.iter().map(|(object, first, _)| Some((*object, start(*object, *first)?)));
        Text::new(address, plus, Says::Ends { written }, &places.collect::<Option<Vec<_>>>()?)
    }

    /// A byte of an object, from an offset on, that is zero, or before which one is; and the offset
    /// from which on all bytes up to that are written.
    fn end_after(&self, object: ObjectId, at: i64) -> Option<(i64, Option<i64>)> {
        let start = Address { base: Base::Start(object), index: None };
        let known = self.facts.texts.of(start).find_map(|text| match text.says {
            Says::Ends { written } if text.plus >= at => Some((text.plus, written)),
            _ => None,
        });
        if at <= 0 && self.facts.texts.are_texts(object) {
            return Some((0, Some(0)));
        }
        known.or_else(|| {
            let zero = self.first_zero(object, at)?;
            Some((zero, Some(self.written_from(object, zero + 1))))
        })
    }

    /// The relation that the bytes from an offset of an object up to an address plus so many bytes
    /// are written, if it is known.
    fn written_up_to(&self, address: Address, plus: i64, (object, from): (ObjectId, i64)) -> Option<Text> {
        let says = Says::Written { object, from };
        if let Some(text) = self.facts.texts.of(address).find(|text| text.says == says && text.plus >= plus) {
            return Some(text.nearer(plus));
        }
        let reached = self.reached(address)?;
        let [(there, first, last)] = reached[..] else { return None };
        let end = last.checked_add(plus)?;
        let is_inside = || self.object(object).is_some_and(|o| i128::from(end) <= o.size.lo());
        let is_written = || is_inside() && self.written_from(object, end) <= from;
        (there == object && (end <= from || is_written()))
            .then(|| Text::new(address, plus, says, &[(object, first)]))?
    }

    /// An offset up to which a relation says that the bytes of its object are written, at least. It
    /// says nothing if its pointer may be null.
    pub(in super::super) fn end_of_written(&self, text: &Text) -> Option<i64> {
        if let Base::Pointer(pointer) = text.address.base
            && !matches!(self.held(pointer)?, Value::Pointer(p) if p.is_address())
        {
            return None;
        }
        let reached = self.reached(text.address)?;
        let ends = reached.iter().map(|(object, first, _)| match text.says {
            Says::Written { object: there, .. } if there == *object => first.checked_add(text.plus),
            _ => None,
        });
        ends.min()?
    }

    /// The places of an address, as far as variables tell.
    fn reached(&self, address: Address) -> Option<Reached> {
        let index = match address.index {
            None => Number::constant(0),
            Some(index) => self.bytes(index).filter(|n| n.lo() >= 0 && n.hi() <= GREATEST)?,
        };
        let place = |object, at: Offsets| {
            let at = at.add(index)?;
            Some((object, offset(at.lo())?, offset(at.hi())?))
        };
        match address.base {
            Base::Start(object) => Some([place(object, Offsets::constant(0))?].into_iter().collect()),
            Base::Pointer(pointer) => match self.held(pointer)? {
                Value::Pointer(p) if !p.wild && p.functions.is_empty() && !p.targets.is_empty() => {
                    p.targets.iter().map(|target| place(target.object, target.offset)).collect()
                }
                _ => None,
            },
            Base::Every(_) => None,
        }
    }

    /// Bounds variables by the objects in which texts end: an address is not after the end.
    pub(in super::super) fn bound_by_texts(&mut self, big_endian: bool) {
        for text in self.facts.texts.clone().iter() {
            match text.address {
                Address { base: Base::Start(object), index: Some(index) } => {
                    let most = self.room(text, object);
                    self.bound_index(index, most, big_endian);
                }
                Address { base: Base::Pointer(pointer), index: None } => self.bound_pointer(pointer, text, big_endian),
                Address { base: Base::Pointer(pointer), index: Some(index) } => {
                    let most = self.room_after(pointer, text);
                    self.bound_index(index, most, big_endian);
                }
                Address { base: Base::Start(_), index: None } | Address { base: Base::Every(_), .. } => {}
            }
        }
    }

    /// The greatest offset in an object of an address that leads there.
    fn room(&self, text: &Text, object: ObjectId) -> Option<i128> {
        let end = match text.says {
            Says::Ends { .. } => 1,
            Says::Written { .. } | Says::Unchanged | Says::Counted => 0,
        };
        Some(self.object(object)?.size.hi() - i128::from(text.plus) - end)
    }

    /// The greatest distance of an address from a pointer.
    fn room_after(&self, pointer: Variable, text: &Text) -> Option<i128> {
        let Some(Value::Pointer(p)) = self.held(pointer) else { return None };
        if !p.is_address() || !p.functions.is_empty() {
            return None;
        }
        let mosts = p.targets.iter().map(|target| Some(self.room(text, target.object)? - target.offset.lo()));
        mosts.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    fn bound_pointer(&mut self, pointer: Variable, text: &Text, big_endian: bool) {
        let Some(Value::Pointer(p)) = self.held(pointer) else { return };
        let bounded = |target: Target| match self.room(text, target.object) {
            Some(most) => Some(Target { offset: target.offset.clamp(None, Some(most))?, ..target }),
            None => Some(target),
        };
        let bounded = Pointers { targets: p.targets.iter().filter_map(bounded).collect(), ..Pointers::clone(&p) };
        if !p.wild && bounded != *p && !bounded.targets.is_empty() {
            self.narrow(pointer.object, 0, pointer.size, Value::pointer(bounded), big_endian);
        }
    }

    /// What a variable holds, if that is known as one value.
    fn held(&self, v: Variable) -> Option<Value> {
        self.log.read(v.object, 0..v.size.into());
        let object = self.objects.get(&v.object)?;
        match object.cells.get(0) {
            Some(cell) => (cell.size == v.size).then(|| cell.value.clone()),
            None if object.overlapping(0, v.size.into()).next().is_none() => Some(object.filling.read(0, v.size)),
            None => None,
        }
    }

    /// What an index holds.
    fn index(&self, v: Variable) -> Option<Number> {
        match self.held(v)? {
            Value::Number(n) => Some(n.wrap(8 * v.size, v.is_signed)),
            _ => None,
        }
    }

    /// The number of bytes that an index makes.
    fn bytes(&self, index: Index) -> Option<Number> {
        self.index(index.variable)?.mul(Number::constant(index.step.into()))
    }

    /// Bounds an index that makes so many bytes at most.
    fn bound_index(&mut self, index: Index, most: Option<i128>, big_endian: bool) {
        let Index { variable, step } = index;
        if let (Some(n), Some(most)) = (self.index(variable), most)
            && let Some(bounded) = n.clamp(None, Some(most.div_euclid(step.into())))
            && bounded != n
        {
            self.narrow(variable.object, 0, variable.size, Value::Number(bounded), big_endian);
        }
    }
}
