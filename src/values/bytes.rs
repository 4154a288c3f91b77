//! Objects that are copied as a whole, and bytes of objects of any types: `s = t`, `memcpy`,
//! `memset`.

use super::engine::Values;
use super::evaluate::Places;
use super::footprint::{Change, Reach};
use super::memory::{Cell, Filling, offset};
use super::number::Number;
use super::objects::{ObjectId, Origin};
use super::state::State;
use super::stop::Evaluated;
use super::unit::BitField;
use super::value::{Target, Value};
use crate::program::{Contents, Expr, IntKind, Length, Type, WrittenBytes};

/// The most bytes that are copied one by one.
const LARGEST_COPY: i64 = 1 << 16;
/// The most parts of an object that is copied to one of several places.
const MOST_PARTS: usize = 256;

/// A part of an object, which is copied as a scalar.
struct Part<'p> {
    offset: u64,
    cell: PartCell<'p>,
}

/// What is copied of a part.
#[derive(Clone, Copy)]
enum PartCell<'p> {
    Scalar(&'p Type),
    /// A unit of bit-fields, of so many bytes.
    Unit(u32),
}

/// What no member of an object has.
#[derive(Default)]
struct Padding {
    /// The offsets of bytes.
    bytes: Vec<u64>,
    /// Units of bit-fields: the offset and size in bytes, and the bits that members have.
    units: Vec<(u64, u32, u128)>,
}

/// Bytes that no member names, or that several members share.
const BYTE: &Type = &Type::Int(IntKind::UChar);

impl<'p> Values<'p> {
    /// Copies an object of that type. Its contents are not known without a place from which.
    ///
    /// **Sound**: where places are not known exactly, each scalar in the object, and each other
    /// byte of it, is read at all places and added to all places. All parts are read before one is
    /// written.
    pub(super) fn copy_object(
        &mut self,
        state: &mut State,
        from: Option<&Places>,
        to: &Places,
        ty: &'p Type,
    ) -> Evaluated<()> {
        let Some(from) = from else {
            self.fill(state, to, ty, &Filling::Any);
            return Ok(());
        };
        if to.wild {
            self.unknown_changes(state, Change::Copies, Reach::Addresses);
            return Ok(());
        }
        self.begin_if_missing(state, to);
        let size = self.size_of(state, ty)?.as_constant().and_then(offset).filter(|size| *size <= LARGEST_COPY);
        if let (Some(from), Some(place), Some(size)) = (from.one(), self.certain(to), size) {
            state.memory.copy(from, place, size, self.big_endian);
            self.forget_padding(state, to, ty);
            return Ok(());
        }
        let mut parts = Vec::new();
        if !self.parts(ty, 0, &mut parts) {
            to.known.iter().for_each(|target| state.memory.forget(target.object));
            return Ok(());
        }
        let mut values = Vec::new();
        for part in &parts {
            let from = from.moved(part.offset);
            values.push(match part.cell {
                PartCell::Scalar(ty) => self.read_as_it_is(state, &from, ty)?,
                PartCell::Unit(size) => self.read_unit(state, &from, size),
            });
        }
        for (part, value) in parts.iter().zip(values) {
            let to = to.moved(part.offset);
            match part.cell {
                PartCell::Scalar(ty) => self.store_as_it_is(state, &to, ty, value),
                PartCell::Unit(size) => self.store_cell(state, &to, size, &value),
            }
        }
        self.forget_padding(state, to, ty);
        Ok(())
    }

    /// Anything may be between the members of an object that got a value as a whole (C11,
    /// 6.2.6.1p6), and between its bit-fields.
    pub(super) fn forget_padding(&mut self, state: &mut State, places: &Places, ty: &'p Type) {
        let mut found = Padding::default();
        if !self.padding(ty, 0, &mut found) {
            return places.known.iter().for_each(|target| state.memory.scramble(target.object));
        }
        for (offset, size, named) in found.units {
            let place = places.moved(offset);
            let unit = self.read_unit(state, &place, size).with_only(named, size);
            self.store_cell(state, &place, size, &unit);
        }
        for offset in found.bytes {
            let place = places.moved(offset);
            let value = if self.holds_written(state, &place, BYTE) { Value::written(1) } else { Value::Any };
            self.store_as_it_is(state, &place, BYTE, value);
        }
    }

    /// Adds what no member of an object has. `false`: there is too much.
    fn padding(&self, ty: &'p Type, at: u64, found: &mut Padding) -> bool {
        match ty {
            Type::Array(element, Length::Constant(length)) => {
                let Some(size) = self.program.size_of(element) else { return true };
                let before = found.count();
                let is_known = *length == 0 || self.padding(element, at, found);
                // What the first element does not have, none has.
                is_known
                    && (found.count() == before || (1..*length).all(|n| self.padding(element, at + n * size, found)))
            }
            Type::Struct(id) if !self.program.structure(*id).is_union => {
                let Some(layout) = self.structs[id.0 as usize].as_ref() else { return true };
                let mut end = 0;
                for (n, member) in self.program.structure(*id).members.iter().enumerate() {
                    let (offset, size) = match (member.bits, layout.bit_fields[n]) {
                        (None, _) => (layout.offsets[n], self.program.size_of(&member.ty).unwrap_or(0)),
                        (Some(_), None) => continue,
                        (Some(_), Some(bits)) => {
                            let field = BitField::new(bits, &member.ty, self.big_endian);
                            let is_named = !member.is_unnamed();
                            if !field.is_some_and(|field| found.add_bit_field(at + bits.unit, field, is_named)) {
                                return false;
                            }
                            (bits.unit, bits.size.into())
                        }
                    };
                    let is_bit_field = member.bits.is_some();
                    if !found.add_bytes(at + end..at + offset)
                        || (!is_bit_field && !self.padding(&member.ty, at + offset, found))
                    {
                        return false;
                    }
                    end = end.max(offset + size);
                }
                found.add_bytes(at + end..at + layout.size)
            }
            _ => true,
        }
    }

    /// Sets all bytes of an object of that type.
    pub(super) fn fill(&mut self, state: &mut State, places: &Places, ty: &'p Type, with: &Filling) {
        let size = self.size_of(state, ty).ok().and_then(Number::as_constant).and_then(|size| i64::try_from(size).ok());
        if places.wild {
            let change = if with.is_written() { Change::Stores } else { Change::Copies };
            return self.unknown_changes(state, change, Reach::Addresses);
        }
        self.begin_if_missing(state, places);
        match (self.certain(places), size) {
            (Some((object, at)), Some(size)) => state.memory.fill(object, at, size, with, self.big_endian),
            (Some((object, 0)), None) if self.is_whole(object, ty) => {
                if let Some(size) = self.sized(state, object) {
                    state.memory.begin(object, size, with.clone());
                }
            }
            _ => self.fill_parts(state, places, ty, with),
        }
    }

    /// Sets all bytes of an object that lies at one of several places.
    fn fill_parts(&mut self, state: &mut State, places: &Places, ty: &'p Type, with: &Filling) {
        let mut parts = Vec::new();
        if matches!(with, Filling::Every(_)) || !self.parts(ty, 0, &mut parts) {
            return places.known.iter().for_each(|target| state.memory.forget(target.object));
        }
        for part in parts {
            let place = places.moved(part.offset);
            match (part.cell, with) {
                (PartCell::Scalar(ty), Filling::Zero) => self.store(state, &place, ty, Value::zero()),
                (PartCell::Scalar(ty), _) => self.store(state, &place, ty, Value::any_of(ty, self.model)),
                (PartCell::Unit(size), Filling::Zero) => self.store_cell(state, &place, size, &Value::zero()),
                (PartCell::Unit(size), _) => self.store_cell(state, &place, size, &Value::written(size)),
            }
        }
    }

    /// Whether the object is a variable of that type.
    fn is_whole(&self, object: ObjectId, ty: &Type) -> bool {
        matches!(self.objects.origin(object), Origin::Variable(v, _) if self.program.variable(v).ty == *ty)
    }

    /// Adds the scalars of an object that lies at an offset, and the bytes between them. `false`:
    /// there are too many, or they are not known.
    fn parts(&self, ty: &'p Type, at: u64, found: &mut Vec<Part<'p>>) -> bool {
        match ty {
            Type::Array(element, Length::Constant(length)) => {
                let Some(size) = self.program.size_of(element) else { return false };
                // However many elements there are, they have no bytes.
                size == 0 || (0..*length).all(|n| self.parts(element, at + n * size, found))
            }
            Type::Struct(id) => {
                let (structure, layout) = (self.program.structure(*id), self.structs[id.0 as usize].as_ref());
                let Some(layout) = layout else { return false };
                if structure.is_union {
                    return self.unnamed_bytes(at..at + layout.size, found);
                }
                let mut end = 0;
                for (n, (member, offset)) in structure.members.iter().zip(&layout.offsets).enumerate() {
                    if member.bits.is_some() {
                        let Some(bits) = layout.begins_unit(n) else { continue };
                        if bits.unit < end || !self.unnamed_bytes(at + end..at + bits.unit, found) {
                            return false;
                        }
                        found.push(Part { offset: at + bits.unit, cell: PartCell::Unit(bits.size) });
                        end = bits.unit + u64::from(bits.size);
                        continue;
                    }
                    if !self.unnamed_bytes(at + end..at + offset, found) {
                        return false;
                    }
                    let Some(size) = self.program.size_of(&member.ty) else { continue };
                    if !self.parts(&member.ty, at + offset, found) {
                        return false;
                    }
                    end = offset + size;
                }
                self.unnamed_bytes(at + end..at + layout.size, found)
            }
            ty if ty.is_scalar() && found.len() < MOST_PARTS => {
                found.push(Part { offset: at, cell: PartCell::Scalar(ty) });
                true
            }
            _ => false,
        }
    }

    fn unnamed_bytes(&self, mut range: std::ops::Range<u64>, found: &mut Vec<Part<'p>>) -> bool {
        range.all(|offset| {
            found.push(Part { offset, cell: PartCell::Scalar(BYTE) });
            found.len() <= MOST_PARTS
        })
    }

    /// Changes bytes. The block lies in its object: the run has no further state otherwise.
    pub(super) fn write_bytes(&mut self, state: &mut State, bytes: &'p WrittenBytes) -> Evaluated<()> {
        let count = self.number(state, &bytes.count)?;
        let (to, exact) = (self.pointed_to(state, &bytes.to)?, count.as_constant().and_then(offset));
        if count.hi() <= 0 {
            return Ok(());
        }
        if to.wild {
            self.unknown_changes(state, Change::Copies, Reach::Addresses);
            return Ok(());
        }
        if let Contents::Exchanged(size) = &bytes.contents {
            let size = self.number(state, size)?.as_constant().and_then(offset);
            for target in &to.known {
                let at = target.offset.as_constant().and_then(offset);
                let is_known = at.zip(size).is_some_and(|(at, size)| {
                    state.memory.exchange(target.object, at, count.hi(), size, self.big_endian)
                });
                if !is_known {
                    self.forget_bytes(state, *target, count);
                }
            }
            return Ok(());
        }
        let (source, filling) = match &bytes.contents {
            Contents::From(from) => (self.pointed_to(state, from)?.one(), Filling::Any),
            Contents::Byte(byte) => match self.number(state, byte)? {
                byte if byte.as_constant() == Some(0) => (None, Filling::Zero),
                byte => (None, Filling::Every(Cell { size: 1, value: Value::Number(byte) })),
            },
            Contents::Unknown => (None, Filling::Any),
            Contents::Written | Contents::Exchanged(_) => (None, Filling::Written),
        };
        self.begin_if_missing(state, &to);
        let certain = self.certain(&to);
        let Some((to, size)) = certain.zip(exact.filter(|size| *size <= LARGEST_COPY)) else {
            for target in &to.known {
                self.forget_bytes(state, *target, count);
                if certain.is_some() && matches!(bytes.contents, Contents::Written) {
                    self.hold_written_bytes(state, *target, count);
                }
            }
            return Ok(());
        };
        match source {
            Some(from) => state.memory.copy(from, to, size, self.big_endian),
            None => state.memory.fill(to.0, to.1, size, &filling, self.big_endian),
        }
        Ok(())
    }

    /// Anything may be in the bytes of blocks of that size that begin there.
    fn forget_bytes(&self, state: &mut State, target: Target, count: Number) {
        let (first, end) = (target.offset.lo(), target.offset.hi().saturating_add(count.hi()));
        self.fill_between(state, target.object, (first, end), &Filling::Any);
    }

    /// Something has written to the bytes of a block of at least that size that begins there.
    fn hold_written_bytes(&self, state: &mut State, target: Target, count: Number) {
        let (first, end) = (target.offset.hi(), target.offset.lo().saturating_add(count.lo()));
        self.fill_between(state, target.object, (first, end), &Filling::Written);
    }

    /// The bytes of an object from an offset to another get that, as far as they exist.
    fn fill_between(&self, state: &mut State, object: ObjectId, (first, end): (i128, i128), filling: &Filling) {
        let size = state.memory.object(object).map_or(0, |o| o.size.hi());
        let (first, end) = (first.max(0), end.min(size));
        match (offset(first), offset(end - first)) {
            (Some(first), Some(length)) if length > 0 => {
                state.memory.fill(object, first, length, filling, self.big_endian);
            }
            (Some(_), Some(_)) => {}
            _ => state.memory.forget(object),
        }
    }

    /// The places that a pointer may lead to.
    fn pointed_to(&mut self, state: &State, pointer: &'p Expr) -> Evaluated<Places> {
        let pointers = self.pointers(state, pointer)?;
        Ok(Places { known: pointers.targets.iter().collect(), wild: pointers.wild, bits: None })
    }
}

impl Padding {
    fn count(&self) -> usize {
        self.bytes.len() + self.units.len()
    }

    /// Adds offsets, unless there get too many.
    fn add_bytes(&mut self, range: std::ops::Range<u64>) -> bool {
        let is_short = range.end.saturating_sub(range.start) <= MOST_PARTS as u64;
        if is_short {
            self.bytes.extend(range);
        }
        is_short && self.count() <= MOST_PARTS
    }

    /// Adds the unit of a bit-field, or the bits of one that has a name to it.
    fn add_bit_field(&mut self, unit: u64, field: BitField, is_named: bool) -> bool {
        let mask = if is_named { field.mask() } else { 0 };
        match self.units.last_mut().filter(|(last, size, _)| unit < last + u64::from(*size)) {
            Some((last, size, named)) if (*last, *size) == (unit, field.size) => *named |= mask,
            // Units of many bytes may overlap.
            Some(_) => return false,
            None => self.units.push((unit, field.size, mask)),
        }
        self.count() <= MOST_PARTS
    }
}
