//! The values of expressions, and the places that lvalues denote.
//!
//! **Why it is sound.** The value of an expression in a state covers its value in each memory of
//! the state, for runs in which the checks of all its operations hold: a run ends at a check that
//! fails. So an index lies inside of its array, a signed result in the range of its type, and a
//! pointer that is followed points into an object. If a check fails in all runs, none goes on, and
//! anything would be right. Then the execution goes on nevertheless, so that later code is looked
//! at too: results wrap around, what is read is arbitrary, and what is written is lost.

use super::engine::Values;
use super::float::Floats;
use super::memory::offset;
use super::number::Number;
use super::objects::{EVERY_CALL, ONLY_CALL, ObjectId, Origin, PartId};
use super::offsets::Offsets;
use super::state::State;
use super::stop::{Evaluated, Stop, if_reached};
use super::unit::BitField;
use super::value::{Pointers, Target, Value, as_kind, precision, range_of};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, Step, Storage, Type, UnaryOp, VarId};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The places that an lvalue may denote.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Offsets in objects.
    pub known: SmallVec<[Target; 1]>,
    /// Whether it may lie anywhere.
    pub wild: bool,
    /// The bit-field that it is in the unit at these places.
    pub bits: Option<BitField>,
}

impl Places {
    /// The start of an object.
    pub(super) fn at(object: ObjectId) -> Places {
        let start = Target { object, part: PartId::WHOLE, offset: Offsets::constant(0), is_alive: true };
        Places { known: smallvec![start], wild: false, bits: None }
    }

    /// The places so many bytes further on.
    pub(super) fn moved(&self, by: u64) -> Places {
        let mut places = Places { bits: None, ..self.clone() };
        for target in &mut places.known {
            match target.offset.add(Number::constant(by.into())) {
                Some(moved) => target.offset = moved,
                None => places.wild = true,
            }
        }
        places
    }

    /// The one place that it certainly is.
    pub(super) fn one(&self) -> Option<(ObjectId, i64)> {
        match &self.known[..] {
            [target] if !self.wild => Some((target.object, offset(target.offset.as_constant()?)?)),
            _ => None,
        }
    }
}

/// So many places are read one by one.
const FEW: u128 = 8;
/// No object is larger.
const LARGEST: i128 = 1 << 62;

impl<'p> Values<'p> {
    /// The size in bytes of a type in the innermost call.
    pub(super) fn size_of(&mut self, state: &State, ty: &Type) -> Evaluated<Number> {
        let unknown = Number::range(0, LARGEST).unwrap_or(Number::constant(0));
        let size = match ty {
            Type::Array(element, length) => {
                let element = self.size_of(state, element)?;
                let length = self.length(state, *length)?;
                length.and_then(|length| element.mul(length)).and_then(|size| size.clamp(Some(0), Some(LARGEST)))
            }
            Type::Struct(id) => self.structs[id.0 as usize].as_ref().map(|s| Number::constant(s.size.into())),
            ty => self.program.size_of(ty).map(|size| Number::constant(size.into())),
        };
        Ok(size.unwrap_or(unknown))
    }

    /// The number of elements of an array, if it is known.
    pub(super) fn length(&mut self, state: &State, length: Length) -> Evaluated<Option<Number>> {
        Ok(match length {
            Length::Constant(n) => Some(Number::constant(n.into())),
            Length::Variable(v) => self.signed_length(state, v)?.and_then(|n| n.clamp(Some(0), None)),
            Length::Unknown => None,
        })
    }

    /// An index, in the array; `None` if it is outside in all runs.
    pub(super) fn inside(&mut self, state: &State, index: Number, length: Length) -> Evaluated<Option<Number>> {
        let end = self.length(state, length)?.map(Number::hi);
        Ok(index.clamp(Some(0), end.map(|end| end - 1)))
    }

    /// What a length variable holds.
    pub(super) fn signed_length(&mut self, state: &State, v: VarId) -> Evaluated<Option<Number>> {
        let object = self.variable(v);
        let places = Places::at(object);
        Ok(match self.read(state, &places, &self.program.variable(v).ty)? {
            Value::Number(n) => Some(n),
            _ => None,
        })
    }

    /// The object of a variable in the innermost call.
    pub(super) fn variable(&mut self, v: VarId) -> ObjectId {
        let origin = match self.program.variable(v).storage {
            Storage::Global => Origin::Variable(v, 0),
            _ => self.local(v, self.depth, self.calls_itself),
        };
        self.objects.id(origin)
    }

    /// A variable of a call at that depth, of a function that may call itself or not.
    pub(super) fn local(&self, v: VarId, depth: u32, calls_itself: bool) -> Origin {
        match self.alike.get(&v) {
            _ if self.limits.is_joined && !calls_itself => Origin::Variable(v, ONLY_CALL),
            Some(first) if self.limits.is_joined => Origin::Variable(*first, EVERY_CALL),
            _ if calls_itself && self.exposed.contains(&v) => Origin::Variable(v, EVERY_CALL),
            _ => Origin::Variable(v, depth),
        }
    }

    /// The places that an lvalue denotes. Under `&` (not `accessed`), nothing is accessed there.
    pub(super) fn places(&mut self, state: &State, l: &'p Lvalue, accessed: bool) -> Evaluated<Places> {
        let any = Offsets::from(range_of(IntKind::LongLong, self.model));
        let (mut places, mut ty) = match &l.base {
            Base::Var(v) => {
                let object = self.variable(*v);
                (Places::at(object), &self.program.variable(*v).ty)
            }
            Base::Deref(p) => {
                let pointers = self.pointers(state, p)?;
                let ty = p.ty.pointee().unwrap_or(&Type::Void);
                let used = accessed || !l.path.is_empty();
                let size = self.size_of(state, ty)?.lo();
                let mut known = SmallVec::new();
                for target in pointers.targets.iter() {
                    // An object that is not there may have been jumped over.
                    let offset = match self.sized(state, target.object) {
                        Some(whole) if used => target.offset.clamp(Some(0), Some(whole.hi() - size)),
                        _ => Some(target.offset),
                    };
                    known.extend(offset.map(|offset| Target { offset, ..target }));
                }
                (Places { known, wild: pointers.wild, bits: None }, ty)
            }
        };
        for (n, step) in l.path.iter().enumerate() {
            let by = match (step, ty) {
                (Step::Field(id, field), _) => {
                    let member = &self.program.structure(*id).members[*field as usize];
                    ty = &member.ty;
                    let layout = self.structs[id.0 as usize].as_ref();
                    let layout = layout.ok_or(Stop::GivenUp("a member of a struct whose layout is not known"))?;
                    let at = match layout.bit_fields[*field as usize] {
                        Some(bits) => {
                            places.bits = BitField::new(bits, ty, self.big_endian);
                            places.wild |= places.bits.is_none();
                            bits.unit
                        }
                        None => layout.offsets[*field as usize],
                    };
                    if !accessed {
                        for target in &mut places.known {
                            target.part = self.objects.member(target.part, *id, *field);
                        }
                    }
                    Number::constant(at.into())
                }
                (Step::Index(index), Type::Array(element, length)) => {
                    let size = self.size_of(state, element)?;
                    let mut index = self.number(state, index)?;
                    if let (Length::Constant(length), Some(bytes)) = (length, size.as_constant())
                        && (!accessed || index.as_constant().is_none())
                    {
                        places.known.iter_mut().for_each(|t| t.offset = t.offset.in_table(bytes, *length));
                    }
                    if accessed || n + 1 < l.path.len() {
                        match self.inside(state, index, *length)? {
                            Some(inside) => index = inside,
                            None => places.known.clear(),
                        }
                    }
                    ty = element;
                    index.mul(size).unwrap_or(range_of(IntKind::LongLong, self.model))
                }
                (Step::Index(_), _) => return Err(Stop::GivenUp("an index into something that is not an array")),
            };
            for target in &mut places.known {
                target.offset = target.offset.add(by).unwrap_or(any);
            }
        }
        Ok(places)
    }

    /// The one place that it certainly is, in an object that is the only one of its name.
    pub(super) fn certain(&self, places: &Places) -> Option<(ObjectId, i64)> {
        places.one().filter(|(object, _)| !self.objects.origin(*object).is_several())
    }

    /// The size of an object that is there.
    pub(super) fn sized(&self, state: &State, object: ObjectId) -> Option<Number> {
        state.memory.object(object).map(|o| o.size)
    }

    /// What the places hold, as a value of that type.
    pub(super) fn read(&mut self, state: &State, places: &Places, ty: &Type) -> Evaluated<Value> {
        let any = || Value::any_of(ty, self.model);
        let Some(size) = self.extent(places, ty) else { return Ok(any()) };
        if let Some(field) = places.bits {
            return Ok(Value::Number(field.read_in(&self.read_unit(state, places, size))));
        }
        if places.wild {
            return Ok(any());
        }
        if let [Target { object, offset: at, .. }] = places.known[..] {
            return Ok(self.read_at(state, object, at, size, ty));
        }
        let any = any();
        let mut found: Option<Value> = None;
        for target in &places.known {
            let value = self.read_at(state, target.object, target.offset, size, ty);
            let joined = match found {
                None => value,
                Some(found) => found.join(&value),
            };
            if joined == any || joined == Value::Any {
                return Ok(any);
            }
            found = Some(joined);
        }
        Ok(found.unwrap_or(any))
    }

    /// What a unit of bit-fields at one of these places holds.
    pub(super) fn read_unit(&self, state: &State, from: &Places, size: u32) -> Value {
        let units = from.known.iter().map(|target| self.cells_at(state, target.object, target.offset, size));
        let unit = if from.wild { None } else { units.reduce(|all, unit| all.join(&unit)) };
        unit.unwrap_or(Value::Any)
    }

    /// The size of a scalar in bytes.
    pub(super) fn width(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Int(_) => self.program.scalar_size(ty).and_then(|size| u32::try_from(size).ok()),
            _ => self.program.size_of(ty).and_then(|size| u32::try_from(size).ok()),
        }
    }

    /// How many bytes there are at places of a scalar of that type: those of the unit of a
    /// bit-field, too.
    pub(super) fn extent(&self, places: &Places, ty: &Type) -> Option<u32> {
        places.bits.map_or_else(|| self.width(ty), |field| Some(field.size))
    }

    fn read_at(&self, state: &State, object: ObjectId, at: Offsets, size: u32, ty: &Type) -> Value {
        let value = self.read_in(state, object, at, size, ty);
        self.read_outside(state, (object, at), value)
    }

    fn read_in(&self, state: &State, object: ObjectId, at: Offsets, size: u32, ty: &Type) -> Value {
        self.cells_in(state, (object, at), size, &Value::any_of(ty, self.model), |cell| cell.read_as(ty, self.model))
    }

    /// What the cell of that size holds that lies at one of some places.
    pub(super) fn cells_at(&self, state: &State, object: ObjectId, at: Offsets, size: u32) -> Value {
        self.cells_in(state, (object, at), size, &Value::Any, |cell| cell)
    }

    /// The same, read in some way; `any` covers whatever is read.
    fn cells_in(
        &self,
        state: &State,
        (object, at): (ObjectId, Offsets),
        size: u32,
        any: &Value,
        read: impl Fn(Value) -> Value,
    ) -> Value {
        let one = |at: i64| read(state.memory.read(object, at, size, self.big_endian));
        if let Some(at) = at.as_constant().and_then(offset) {
            return one(at);
        }
        let any = any.clone();
        let (Some(lo), Some(_)) = (offset(at.lo()), offset(at.hi())) else { return any };
        if at.count() > self.limits.places || (at.count() > FEW && at.is_dense(size)) {
            match state.memory.read_range(object, at, size) {
                Some(value) => return read(value),
                None if at.count() > self.limits.places => return any,
                None => {}
            }
        }
        let mut found = one(lo);
        for at in at.each().filter_map(offset).skip(1) {
            if found == any || found == Value::Any {
                return any;
            }
            found = found.join(&one(at));
        }
        found
    }

    /// The value of an expression of scalar type.
    pub(super) fn value(&mut self, state: &State, e: &'p Expr) -> Evaluated<Value> {
        let model = self.model;
        Ok(match &e.kind {
            ExprKind::Int(n) => match &e.ty {
                Type::Pointer(_) if *n == 0 => Value::pointer(Pointers::null()),
                Type::Int(_) => Value::Number(Number::constant(*n)),
                ty => Value::any_of(ty, model),
            },
            ExprKind::Float(text) => match &e.ty {
                Type::Float(kind) => Value::Float(Floats::literal(text, precision(*kind))),
                ty => Value::any_of(ty, model),
            },
            ExprKind::FunctionAddress(f) => Value::pointer(Pointers { functions: [*f].into(), ..Pointers::default() }),
            ExprKind::Load(l) => {
                // Most often.
                if let (Some(v), Some(size)) = (l.as_var(), self.width(&l.ty)) {
                    let object = self.variable(v);
                    return Ok(self.read_at(state, object, Offsets::constant(0), size, &l.ty));
                }
                let places = self.places(state, l, true)?;
                let value = self.read(state, &places, &l.ty)?;
                let value = self.read_argument(state, l, value)?;
                self.told(state, l, value)?
            }
            ExprKind::AddressOf(l) => {
                if let (Base::Deref(p), true) = (&l.base, l.path.is_empty()) {
                    return self.value(state, p);
                }
                let places = self.places(state, l, false)?;
                Value::pointer(Pointers {
                    wild: places.wild || places.known.is_empty(),
                    targets: places.known.into_iter().collect(),
                    ..Pointers::default()
                })
            }
            ExprKind::Unary(UnaryOp::Not, a) => Value::truth(self.truth(state, a)?.map(|t| !t)),
            ExprKind::Unary(op, a) => match (self.value(state, a)?, &e.ty) {
                (Value::Number(n), Type::Int(kind)) => {
                    let exact = if *op == UnaryOp::Negate { n.negate() } else { n.not() };
                    Value::Number(self.result(exact, *kind)?)
                }
                (Value::Float(f), Type::Float(_)) if *op == UnaryOp::Negate => Value::Float(f.negate()),
                (_, ty) => Value::any_of(ty, model),
            },
            ExprKind::Binary(op, a, b) => self.binary(state, e, *op, a, b)?,
            ExprKind::Cast(a) => {
                let value = self.value(state, a)?;
                self.converted(&value, &e.ty)
            }
            ExprKind::And(..) | ExprKind::Or(..) => Value::truth(self.truth(state, e)?),
            ExprKind::Conditional(c, a, b) => {
                let (yes, no) = self.split(state, c)?;
                let mut found = None;
                for (state, e) in [(yes, a), (no, b)] {
                    let Some(state) = state else { continue };
                    if let Some(value) = if_reached(self.value(&state, e))? {
                        found = Some(found.map_or(value.clone(), |f: Value| f.join(&value)));
                    }
                }
                let value = found.ok_or(Stop::Unreached)?;
                if value == Value::Any { Value::any_of(&e.ty, model) } else { value }
            }
        })
    }

    /// The value of an expression of integer type.
    pub(super) fn number(&mut self, state: &State, e: &'p Expr) -> Evaluated<Number> {
        match (self.value(state, e)?, &e.ty) {
            (Value::Number(n), _) => Ok(n),
            (_, Type::Int(kind)) => Ok(range_of(*kind, self.model)),
            _ => Err(Stop::GivenUp("a number was expected")),
        }
    }

    /// The value of an expression of pointer type.
    pub(super) fn pointers(&mut self, state: &State, e: &'p Expr) -> Evaluated<Rc<Pointers>> {
        Ok(match self.value(state, e)? {
            Value::Pointer(p) => p,
            Value::Number(n) if n.as_constant() == Some(0) => Rc::new(Pointers::null()),
            _ => Rc::new(Pointers::any()),
        })
    }

    pub(super) fn float(&mut self, state: &State, e: &'p Expr) -> Evaluated<Floats> {
        Ok(match self.value(state, e)? {
            Value::Float(f) => f,
            Value::Number(n) if n.as_constant() == Some(0) => Floats::constant(0.0),
            _ => Floats::any(),
        })
    }

    /// The result of an integer operation: of a signed one in the range of its type, since a run
    /// that leaves it ends. If all runs do, it wraps around.
    pub(super) fn result(&self, exact: Option<Number>, kind: IntKind) -> Evaluated<Number> {
        let range = range_of(kind, self.model);
        let Some(exact) = exact else { return Ok(range) };
        if kind.is_signed() {
            return Ok(exact
                .clamp(Some(range.lo()), Some(range.hi()))
                .unwrap_or_else(|| as_kind(exact, kind, self.model)));
        }
        Ok(as_kind(exact, kind, self.model))
    }

    /// The exact result of an operation on integers; `None` if it may be any number.
    pub(super) fn exact(op: BinaryOp, x: Number, y: Number) -> Option<Number> {
        match op {
            BinaryOp::Add => x.add(y),
            BinaryOp::Sub => x.sub(y),
            BinaryOp::Mul => x.mul(y),
            BinaryOp::Div => x.div(y),
            BinaryOp::Rem => x.rem(y),
            BinaryOp::ShiftLeft => x.shl(y),
            BinaryOp::ShiftRight => x.shr(y),
            BinaryOp::BitAnd => x.and(y),
            BinaryOp::BitOr => x.or(y),
            BinaryOp::BitXor => x.xor(y),
            _ => None,
        }
    }

    fn binary(&mut self, state: &State, e: &'p Expr, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> Evaluated<Value> {
        if op.is_comparison() {
            return Ok(Value::truth(self.compare(state, op, a, b)?));
        }
        match (op, &a.ty, &e.ty) {
            (BinaryOp::PointerAdd, _, _) => {
                let (p, n) = (self.pointers(state, a)?, self.number(state, b)?);
                let ty = e.ty.pointee().unwrap_or(&Type::Void);
                let step = self.size_of(state, ty)?;
                Ok(Value::Pointer(self.moved(p, n.mul(step))))
            }
            (BinaryOp::PointerDiff, _, Type::Int(kind)) => {
                let (p, q) = (self.pointers(state, a)?, self.pointers(state, b)?);
                let ty = a.ty.pointee().unwrap_or(&Type::Void);
                let step = self.size_of(state, ty)?;
                Ok(Value::Number(self.distance(&p, &q, step, *kind)?))
            }
            (_, Type::Int(operand), Type::Int(kind)) => {
                let (x, mut y) = (self.number(state, a)?, self.number(state, b)?);
                if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
                    let most = i128::from(operand.width(self.model)) - 1;
                    let Some(inside) = y.clamp(Some(0), Some(most)) else {
                        return Ok(Value::any_of(&e.ty, self.model));
                    };
                    y = inside;
                }
                let exact = Self::exact(op, x, y);
                Ok(Value::Number(self.result(exact, *kind)?))
            }
            (_, _, Type::Float(kind)) => {
                let (x, y, precision) = (self.float(state, a)?, self.float(state, b)?, precision(*kind));
                Ok(Value::Float(match op {
                    BinaryOp::Add => x.add(y, precision),
                    BinaryOp::Sub => x.sub(y, precision),
                    BinaryOp::Mul => x.mul(y, precision),
                    BinaryOp::Div => x.div(y, precision),
                    _ => Floats::any(),
                }))
            }
            (_, _, ty) => {
                self.value(state, a)?;
                self.value(state, b)?;
                Ok(Value::any_of(ty, self.model))
            }
        }
    }

    /// A pointer plus a number of bytes; `None` is any number.
    fn moved(&self, mut pointers: Rc<Pointers>, by: Option<Number>) -> Rc<Pointers> {
        if by.is_some_and(|n| n.as_constant() == Some(0)) {
            return pointers;
        }
        let any = range_of(IntKind::LongLong, self.model);
        let by = by.unwrap_or(any);
        let p = Rc::make_mut(&mut pointers);
        p.targets.map(|at| at.add(by).unwrap_or(any.into()));
        p.wild |= p.null || !p.functions.is_empty();
        p.null &= by.contains(0);
        p.functions.clear();
        pointers
    }

    /// The number of elements between pointers; any number if they may lead to different objects.
    fn distance(&self, p: &Pointers, q: &Pointers, step: Number, kind: IntKind) -> Evaluated<Number> {
        let bytes = match (self.one(p), self.one(q)) {
            (Some((object, at)), Some((other, from))) if object == other => at.hull().sub(from.hull()),
            _ => None,
        };
        self.result(bytes.and_then(|bytes| bytes.div(step)), kind)
    }

    /// The object of a pointer that points into one, for certain, and the offset.
    pub(super) fn one(&self, p: &Pointers) -> Option<(ObjectId, Offsets)> {
        let only = p.targets.only().filter(|target| {
            p.is_address() && p.functions.is_empty() && !self.objects.origin(target.object).is_several()
        })?;
        Some((only.object, only.offset))
    }

    /// A value converted to a type.
    pub(super) fn converted(&self, value: &Value, ty: &Type) -> Value {
        match (value, ty) {
            (Value::Number(n), Type::Int(kind)) => Value::Number(as_kind(*n, *kind, self.model)),
            (Value::Number(n), Type::Float(kind)) => {
                Value::Float(Floats::of_integers(n.lo(), n.hi(), precision(*kind)))
            }
            (Value::Number(n), Type::Pointer(_)) => match n.as_constant() {
                Some(0) => Value::pointer(Pointers::null()),
                _ => Value::pointer(Pointers::any()),
            },
            (Value::Float(f), Type::Float(kind)) => Value::Float(f.convert(precision(*kind))),
            (Value::Float(f), Type::Int(IntKind::Bool)) => match f.equal(Floats::constant(0.0)) {
                (true, false) => Value::truth(Some(false)),
                (false, true) => Value::truth(Some(true)),
                _ => Value::truth(None),
            },
            (Value::Float(f), Type::Int(kind)) => {
                let range = range_of(*kind, self.model);
                let number = f.truncated().and_then(|(lo, hi)| Number::range(lo, hi));
                Value::Number(number.filter(|n| n.is_within(range)).unwrap_or(range))
            }
            (Value::Pointer(_), Type::Pointer(_)) | (_, Type::Void) => value.clone(),
            (Value::Pointer(p), Type::Int(IntKind::Bool)) => {
                let some = p.wild || !p.functions.is_empty() || !p.targets.is_empty();
                Value::truth(match (p.null || p.wild, some) {
                    (true, false) => Some(false),
                    (false, true) => Some(true),
                    _ => None,
                })
            }
            (Value::Pointer(p), Type::Int(_)) if **p == Pointers::null() => Value::zero(),
            (_, ty) => Value::any_of(ty, self.model),
        }
    }
}
