//! What a cell may hold.

use super::float::{Floats, Precision};
use super::number::Number;
use super::objects::{ObjectId, PartId};
use super::offsets::Offsets;
use super::unit::Unit;
use crate::program::{DataModel, FloatKind, FunctionId, IntKind, Type};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The values that a cell may hold.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// An integer.
    Number(Number),
    /// A floating value.
    Float(Floats),
    /// A pointer.
    Pointer(Rc<Pointers>),
    /// Bit-fields.
    Bits(Rc<Unit>),
    /// Any bits, and so any pointer.
    Any,
}

/// The values of a pointer.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Pointers {
    /// Whether it may be null.
    pub null: bool,
    /// Whether it may be an address of which nothing is known.
    pub wild: bool,
    /// The functions that it may point to.
    pub functions: BTreeSet<FunctionId>,
    /// The objects that it may point into (or to the end of), with the offsets in bytes.
    pub targets: Targets,
}

/// Where a pointer may point to in one object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Target {
    pub object: ObjectId,
    /// The part of the object that the address was taken of. Offsets in different parts are kept
    /// apart; the same address may be in several.
    pub part: PartId,
    pub offset: Offsets,
    /// Whether the object has certainly not ended ([`super::lives`]).
    pub is_alive: bool,
}

/// Offsets in objects, in the order of the names of objects and parts. Most pointers have one
/// target.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Targets(SmallVec<[Target; 1]>);

/// The most parts of one object that are kept apart.
const MOST_PARTS: usize = 8;

impl Targets {
    /// An offset in an object.
    pub(super) fn one(object: ObjectId, offset: Offsets) -> Targets {
        Targets(smallvec![Target { object, part: PartId::WHOLE, offset, is_alive: true }])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The offsets in an object.
    pub(super) fn within(&self, object: ObjectId) -> impl Iterator<Item = Target> {
        let first = self.0.partition_point(|target| target.object < object);
        self.0[first..].iter().copied().take_while(move |target| target.object == object)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Target> {
        self.0.iter().copied()
    }

    /// The only one.
    pub(super) fn only(&self) -> Option<Target> {
        match self.0[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Adds an offset; if the part is there, `both` makes one of the two.
    fn put(&mut self, new: Target, both: impl Fn(Offsets, Offsets) -> Offsets) {
        let Target { object, part, offset, is_alive } = new;
        match self.0.binary_search_by_key(&(object, part), |target| (target.object, target.part)) {
            Ok(n) => {
                self.0[n].offset = both(self.0[n].offset, offset);
                self.0[n].is_alive &= is_alive;
            }
            Err(n) => self.0.insert(n, new),
        }
        if self.within(object).count() > MOST_PARTS {
            let whole = self.within(object).map(|target| target.offset).reduce(Offsets::join).unwrap_or(offset);
            let is_alive = self.within(object).all(|target| target.is_alive);
            self.0.retain(|target| target.object != object);
            self.put(Target { object, part: PartId::WHOLE, offset: whole, is_alive }, both);
        }
    }

    /// Some objects may have ended.
    fn end(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.0.iter_mut().filter(|target| is_ended(target.object)).for_each(|target| target.is_alive = false);
    }

    /// The same objects with other offsets.
    pub(super) fn map(&mut self, f: impl Fn(Offsets) -> Offsets) {
        self.0.iter_mut().for_each(|target| target.offset = f(target.offset));
    }
}

impl Target {
    /// Whether it is among those of another one in the same object.
    fn is_within(self, other: Target) -> bool {
        self.offset.is_within(other.offset) && (self.is_alive || !other.is_alive)
    }

    /// Each of a few offsets on its own.
    pub(super) fn each(self) -> impl Iterator<Item = Target> {
        self.offset.each().map(move |n| match self.offset.meet(Offsets::constant(n)) {
            Some(offset) => Target { offset, ..self },
            None => self,
        })
    }
}

impl FromIterator<Target> for Targets {
    fn from_iter<I: IntoIterator<Item = Target>>(targets: I) -> Targets {
        let mut all = Targets::default();
        targets.into_iter().for_each(|target| all.put(target, Offsets::join));
        all
    }
}

impl Pointers {
    /// A pointer of which nothing is known.
    pub(super) fn any() -> Pointers {
        Pointers { null: true, wild: true, ..Pointers::default() }
    }

    /// The null pointer.
    pub(super) fn null() -> Pointers {
        Pointers { null: true, ..Pointers::default() }
    }

    /// A pointer into an object.
    pub(super) fn to(object: ObjectId, offset: Offsets) -> Pointers {
        Pointers { targets: Targets::one(object, offset), ..Pointers::default() }
    }

    /// The same objects, at these offsets.
    pub(super) fn with_offset(&self, offset: Offsets) -> Pointers {
        let mut targets = self.targets.clone();
        targets.map(|_| offset);
        Pointers { targets, ..Pointers::default() }
    }

    /// Whether there is no such pointer.
    pub(super) fn is_empty(&self) -> bool {
        !self.null && !self.wild && self.functions.is_empty() && self.targets.is_empty()
    }

    /// Whether it certainly leads to functions, as far as it leads to what is known.
    pub(super) fn are_functions(&self) -> bool {
        !self.null && self.targets.is_empty() && !self.functions.is_empty()
    }

    /// Whether it is certainly not null.
    pub(super) fn is_address(&self) -> bool {
        !self.null && !self.wild
    }

    fn merged(&self, other: &Pointers, offsets: impl Fn(Offsets, Offsets) -> Offsets) -> Pointers {
        let mut all = self.clone();
        all.null |= other.null;
        all.wild |= other.wild;
        all.functions.extend(&other.functions);
        other.targets.iter().for_each(|target| all.targets.put(target, &offsets));
        all
    }

    /// What both have in common, or more.
    pub(super) fn meet(&self, other: &Pointers) -> Pointers {
        if self.wild || other.wild {
            // A wild pointer may be any of the other's.
            let (known, wild) = if self.wild { (other, self) } else { (self, other) };
            return Pointers { null: known.null && wild.null, ..known.clone() };
        }
        let both = |a: Target| {
            other.targets.within(a.object).filter_map(move |b| {
                Some(Target { offset: a.offset.meet(b.offset)?, is_alive: a.is_alive || b.is_alive, ..a })
            })
        };
        let targets = self.targets.iter().flat_map(both);
        Pointers {
            null: self.null && other.null,
            wild: false,
            functions: self.functions.intersection(&other.functions).copied().collect(),
            targets: targets.collect(),
        }
    }

    fn is_within(&self, other: &Pointers) -> bool {
        (other.null || !self.null)
            && (other.wild
                || (!self.wild
                    && self.functions.is_subset(&other.functions)
                    && self.targets.iter().all(|a| other.targets.within(a.object).any(|b| a.is_within(b)))))
    }
}

/// Where widening stops.
pub(super) struct Thresholds {
    pub numbers: Vec<i128>,
    pub floats: Vec<f64>,
}

impl Thresholds {
    pub(super) fn new(numbers: impl Iterator<Item = i128>) -> Thresholds {
        let numbers: Vec<i128> = numbers.collect::<BTreeSet<_>>().into_iter().collect();
        Thresholds { floats: numbers.iter().map(|n| *n as f64).collect(), numbers }
    }
}

impl Value {
    /// The number 0, the null pointer.
    pub(super) fn zero() -> Value {
        Value::Number(Number::constant(0))
    }

    pub(super) fn pointer(pointers: Pointers) -> Value {
        Value::Pointer(Rc::new(pointers))
    }

    /// Any truth value, or that one.
    pub(super) fn truth(known: Option<bool>) -> Value {
        Value::Number(match known {
            Some(known) => Number::constant(known.into()),
            None => Number::range(0, 1).unwrap_or(Number::constant(0)),
        })
    }

    /// Any value of a type.
    pub(super) fn any_of(ty: &Type, model: DataModel) -> Value {
        match ty {
            Type::Int(kind) => Value::Number(range_of(*kind, model)),
            Type::Float(_) => Value::Float(Floats::any()),
            Type::Pointer(_) => Value::pointer(Pointers::any()),
            _ => Value::Any,
        }
    }

    /// All values of both.
    pub(super) fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a.join(*b)),
            (Value::Float(a), Value::Float(b)) => Value::Float(a.join(*b)),
            (Value::Pointer(a), Value::Pointer(b)) => {
                if Rc::ptr_eq(a, b) {
                    self.clone()
                } else {
                    Value::pointer(a.merged(b, Offsets::join))
                }
            }
            (Value::Number(n), pointer @ Value::Pointer(_)) | (pointer @ Value::Pointer(_), Value::Number(n))
                if n.as_constant() == Some(0) =>
            {
                pointer.join(&Value::pointer(Pointers::null()))
            }
            (Value::Number(n), Value::Float(f)) | (Value::Float(f), Value::Number(n)) if n.as_constant() == Some(0) => {
                Value::Float(f.join(Floats::constant(0.0)))
            }
            _ => self.merged_bits(other, Number::join),
        }
    }

    /// The objects that have not ended to which the value may lead.
    pub(super) fn alive_targets(&self) -> impl Iterator<Item = ObjectId> {
        let pointers = match self {
            Value::Pointer(p) => Some(p),
            _ => None,
        };
        pointers.into_iter().flat_map(|p| p.targets.iter()).filter(|target| target.is_alive).map(|target| target.object)
    }

    /// The object to which the value certainly leads.
    pub(super) fn only_target(&self) -> Option<ObjectId> {
        let Value::Pointer(p) = self else { return None };
        let mut objects = p.targets.iter().map(|target| target.object);
        let first = objects.next().filter(|_| p.is_address() && p.functions.is_empty() && p.is_alive())?;
        objects.all(|object| object == first).then_some(first)
    }

    /// The value when some objects may have ended; `None` if it is the same.
    pub(super) fn after_end(&self, is_ended: impl Fn(ObjectId) -> bool) -> Option<Value> {
        let Value::Pointer(p) = self else { return None };
        p.targets.iter().any(|target| target.is_alive && is_ended(target.object)).then(|| {
            let mut ended = Pointers::clone(p);
            ended.targets.end(is_ended);
            Value::pointer(ended)
        })
    }

    /// A superset of what both have in common; `None` if there is nothing.
    pub(super) fn meet(&self, other: &Value) -> Option<Value> {
        Some(match (self, other) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a.meet(*b)?),
            (Value::Float(a), Value::Float(b)) => Value::Float(a.meet(*b)?),
            (Value::Pointer(a), Value::Pointer(b)) => {
                let both = if **a == Pointers::any() { (**b).clone() } else { a.meet(b) };
                Value::pointer(Some(both).filter(|both| !both.is_empty())?)
            }
            _ => self.clone(),
        })
    }

    /// [`Value::join`], such that a chain of them ends.
    pub(super) fn widen(&self, newer: &Value, at: &Thresholds) -> Value {
        match (self, newer) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a.widen(*b, &at.numbers)),
            (Value::Float(a), Value::Float(b)) => Value::Float(a.widen(*b, &at.floats)),
            (Value::Pointer(a), Value::Pointer(b)) => {
                Value::pointer(a.merged(b, |old, new| old.widen(new, &at.numbers)))
            }
            (Value::Bits(_), _) | (_, Value::Bits(_)) => self.merged_bits(newer, |a, b| a.widen(b, &at.numbers)),
            _ => self.join(newer),
        }
    }

    /// Whether each of these values is one of the others.
    pub(super) fn is_within(&self, other: &Value) -> bool {
        match (self, other) {
            (_, Value::Any) => true,
            (Value::Number(a), Value::Number(b)) => a.is_within(*b),
            (Value::Float(a), Value::Float(b)) => a.is_within(*b),
            (Value::Pointer(a), Value::Pointer(b)) => Rc::ptr_eq(a, b) || a.is_within(b),
            (Value::Number(n), Value::Pointer(b)) => n.as_constant() == Some(0) && b.null,
            (Value::Number(n), Value::Float(b)) => n.as_constant() == Some(0) && Floats::constant(0.0).is_within(*b),
            _ => self.is_bits_within(other),
        }
    }

    /// The bits as a value of a type of that size in bytes.
    pub(super) fn read_as(&self, ty: &Type, model: DataModel) -> Value {
        match (self, ty) {
            (Value::Number(n), Type::Int(kind)) => Value::Number(as_kind(*n, *kind, model)),
            (Value::Float(f), Type::Float(_)) => Value::Float(*f),
            (Value::Pointer(_), Type::Pointer(_)) => self.clone(),
            (Value::Number(n), Type::Pointer(_)) if n.as_constant() == Some(0) => Value::pointer(Pointers::null()),
            (Value::Number(n), Type::Float(kind)) => match (n.as_constant(), kind) {
                (Some(0), _) => Value::Float(Floats::constant(0.0)),
                (_, FloatKind::Float) => Value::Float(Floats::of_bits(*n, 32)),
                (_, FloatKind::Double) => Value::Float(Floats::of_bits(*n, 64)),
                _ => Value::any_of(ty, model),
            },
            (Value::Float(f), Type::Int(kind)) => match kind.width(model) {
                width @ (32 | 64) => Value::Number(as_kind(f.bits(width), *kind, model)),
                _ => Value::any_of(ty, model),
            },
            (Value::Bits(_), Type::Int(kind)) => match self.unit_bits().and_then(|bits| i128::try_from(bits).ok()) {
                Some(bits) => Value::Number(as_kind(Number::constant(bits), *kind, model)),
                None => Value::any_of(ty, model),
            },
            _ => Value::any_of(ty, model),
        }
    }

    /// Whether a cell that holds this has only these bits.
    pub(super) fn bits(&self, size: u32) -> Option<u128> {
        match self {
            Value::Number(n) => Some(n.as_constant()? as u128),
            Value::Float(f) if size == 4 => f.as_constant().filter(|x| *x != 0.0).map(|x| (x as f32).to_bits().into()),
            Value::Float(f) if size == 8 => f.as_constant().filter(|x| *x != 0.0).map(|x| x.to_bits().into()),
            Value::Bits(_) => self.unit_bits(),
            _ => None,
        }
    }
}

/// All values of a type.
pub(super) fn range_of(kind: IntKind, model: DataModel) -> Number {
    Number::range(kind.min(model), kind.max(model)).unwrap_or(Number::constant(0))
}

/// A number converted to an integer type.
pub(super) fn as_kind(n: Number, kind: IntKind, model: DataModel) -> Number {
    if kind == IntKind::Bool {
        return match n.as_constant() {
            Some(n) => Number::constant((n != 0).into()),
            None if !n.contains(0) => Number::constant(1),
            None => range_of(kind, model),
        };
    }
    n.wrap(kind.width(model), kind.is_signed())
}

pub(super) fn precision(kind: FloatKind) -> Precision {
    match kind {
        FloatKind::Float => Precision::Single,
        FloatKind::Double => Precision::Double,
        FloatKind::LongDouble => Precision::Extended,
    }
}
