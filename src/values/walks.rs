//! Finds out how pointers and indexes walk along texts, and uses it: see [`super::texts`].

use super::blocks::{Bytes, Effect};
use super::engine::Values;
use super::evaluate::Places;
use super::memory::offset;
use super::objects::{ObjectId, Origin};
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::texts::{Address, Base, FIRST, Index, Says, Text, Variable};
use super::value::{Target, Value, range_of};
use crate::program::{self, BinaryOp, Expr, ExprKind, Lvalue, Step, Type, UnaryOp, VarId};
use smallvec::{SmallVec, smallvec};

/// The greatest distance of a place from an address that is looked at.
const MOST_DISTANCE: i64 = 1 << 40;

/// The greatest step of an index.
const MOST_STEP: i64 = 64;

/// A value that relations may be about.
#[derive(Clone, Copy, Debug)]
enum Walker {
    /// A pointer: an address, plus so many bytes.
    Pointer(Address, i64),
    /// A number: what a variable holds, plus that.
    Index(Variable, i64),
}

/// What is known of texts before a value is written, that is still true afterwards.
pub(super) struct Before {
    place: Place,
    stays: Vec<Text>,
    /// From where on the bytes before it are written, in an object.
    written: Option<(ObjectId, i64)>,
}

/// Where a value lies.
#[derive(Clone, Copy)]
struct Place {
    address: Address,
    /// The distance of its first byte from the address.
    at: i64,
    /// How many bytes it has.
    size: i64,
}

impl<'p> Values<'p> {
    /// A variable that relations may be about.
    fn walker(&mut self, v: VarId) -> Option<Variable> {
        let object = self.variable(v);
        self.walker_in(object, &self.program.variable(v).ty)
    }

    /// The same, given its object and its type.
    fn walker_in(&self, object: ObjectId, ty: &Type) -> Option<Variable> {
        let (size, is_signed) = match ty {
            Type::Pointer(_) => (self.width(ty)?, false),
            Type::Int(kind) => (self.width(ty).filter(|size| *size >= 4)?, kind.is_signed()),
            _ => return None,
        };
        (!self.objects.origin(object).is_several()).then_some(Variable { object, size, is_signed })
    }

    /// The same for an lvalue: a variable, or what a pointer to one leads to.
    fn walker_at(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<Option<Variable>> {
        if let Some(v) = l.as_var() {
            return Ok(self.walker(v));
        }
        // It is asked for every value that is written: other pointers would take too long.
        let program::Base::Deref(pointer) = &l.base else { return Ok(None) };
        if !l.path.is_empty() || pointer.converted_var().is_none() || !matches!(l.ty, Type::Pointer(_) | Type::Int(_)) {
            return Ok(None);
        }
        let places = self.places(state, l, true)?;
        let Some((object, 0)) = self.certain(&places) else { return Ok(None) };
        let is_variable = match self.objects.origin(object) {
            Origin::Variable(v, _) => self.program.variable(v).ty == l.ty,
            _ => false,
        };
        Ok(if is_variable { self.walker_in(object, &l.ty) } else { None })
    }

    /// What the value of an expression is, if relations may be about it.
    fn walks(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<Walker>> {
        Ok(match e.ty {
            Type::Pointer(_) => self.address(state, e)?.map(|(address, plus)| Walker::Pointer(address, plus)),
            Type::Int(_) => self.index(state, e)?.map(|(v, plus)| Walker::Index(v, plus)),
            _ => None,
        })
    }

    /// The variable whose value, plus that number, is the value of an integer expression, in all
    /// runs of the state.
    pub(super) fn index(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<(Variable, i64)>> {
        let Type::Int(kind) = e.ty else { return Ok(None) };
        match &e.kind {
            ExprKind::Load(l) => Ok(self.walker_at(state, l)?.map(|v| (v, 0))),
            ExprKind::Cast(a) if matches!(a.ty, Type::Int(_)) => {
                let keeps = self.number(state, a)?.is_within(range_of(kind, self.model));
                if keeps { self.index(state, a) } else { Ok(None) }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (Some(n), x, y) = (b.as_int(), self.number(state, a)?, self.number(state, b)?) else {
                    return Ok(None);
                };
                let exact = if *op == BinaryOp::Add { x.add(y) } else { x.sub(y) };
                let is_exact = exact.is_some_and(|exact| exact.is_within(range_of(kind, self.model)));
                let n = offset(n).and_then(|n| if *op == BinaryOp::Add { Some(n) } else { n.checked_neg() });
                let index = self.index(state, a)?.filter(|_| is_exact);
                Ok(index.zip(n).and_then(|((v, plus), n)| Some((v, sum(plus, n)?))))
            }
            _ => Ok(None),
        }
    }

    /// The address that is, plus so many bytes, the value of an expression.
    fn address(&mut self, state: &State, e: &'p Expr) -> Evaluated<Option<(Address, i64)>> {
        match &e.kind {
            ExprKind::Load(l) if matches!(e.ty, Type::Pointer(_)) => {
                let pointer = self.walker_at(state, l)?;
                Ok(pointer.map(|v| (Address { base: Base::Pointer(v), index: None }, 0)))
            }
            ExprKind::Cast(a) if matches!((&e.ty, &a.ty), (Type::Pointer(_), Type::Pointer(_))) => {
                self.address(state, a)
            }
            ExprKind::AddressOf(l) => self.address_of(state, l),
            ExprKind::Binary(BinaryOp::PointerAdd, p, n) => {
                let size = p.ty.pointee().and_then(|ty| self.program.size_of(ty)).unwrap_or(1);
                let Some(address) = self.address(state, p)? else { return Ok(None) };
                self.further(state, address, n, size)
            }
            _ => Ok(None),
        }
    }

    /// The address of an lvalue.
    fn address_of(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<Option<(Address, i64)>> {
        let (start, mut ty) = match &l.base {
            program::Base::Var(v) => {
                let object = self.variable(*v);
                let is_one = !self.objects.origin(object).is_several();
                let start = is_one.then_some((Address { base: Base::Start(object), index: None }, 0));
                (start, &self.program.variable(*v).ty)
            }
            program::Base::Deref(p) => (self.address(state, p)?, p.ty.pointee().unwrap_or(&Type::Void)),
        };
        let Some(mut address) = start else { return Ok(None) };
        for step in &l.path {
            match (step, ty) {
                (Step::Field(id, field), _) => {
                    let member = &self.program.structure(*id).members[*field as usize];
                    let offsets = self.structs[id.0 as usize].as_ref().map(|s| s.offsets[*field as usize]);
                    let Some(by) = offsets.and_then(|by| i64::try_from(by).ok()).filter(|_| member.bits.is_none())
                    else {
                        return Ok(None);
                    };
                    let Some(plus) = sum(address.1, by) else { return Ok(None) };
                    (address.1, ty) = (plus, &member.ty);
                }
                (Step::Index(n), Type::Array(element, _)) => {
                    let Some(size) = self.program.size_of(element) else { return Ok(None) };
                    let Some(next) = self.further(state, address, n, size)? else { return Ok(None) };
                    (address, ty) = (next, element);
                }
                (Step::Index(_), _) => return Ok(None),
            }
        }
        Ok(Some(address))
    }

    /// The address so many elements of a size further on.
    fn further(
        &mut self,
        state: &State,
        (address, plus): (Address, i64),
        n: &'p Expr,
        size: u64,
    ) -> Evaluated<Option<(Address, i64)>> {
        if let Some(n) = self.number(state, n)?.as_constant().filter(|_| n.as_int().is_some()) {
            let by = n.checked_mul(size.into()).and_then(offset);
            return Ok(by.and_then(|by| Some((address, sum(plus, by)?))));
        }
        let step = i64::try_from(size).ok().filter(|step| (1..=MOST_STEP).contains(step) && address.index.is_none());
        let Some(step) = step else { return Ok(None) };
        let index = self.index(state, n)?;
        Ok(index.and_then(|(variable, by)| {
            let address = Address { index: Some(Index { variable, step }), ..address };
            Some((address, sum(plus, by.checked_mul(step)?)?))
        }))
    }

    /// The first offset in each object. In objects that are not the program's, it is not known
    /// where offsets begin.
    fn starts(&self, places: &Places) -> Option<Vec<(ObjectId, i64)>> {
        if places.wild || places.bits.is_some() || places.known.is_empty() {
            return None;
        }
        let start = |target: &Target| match self.objects.origin(target.object) {
            Origin::Outside(_) => Some((target.object, FIRST)),
            _ => Some((target.object, offset(target.offset.lo())?)),
        };
        places.known.iter().map(start).collect()
    }

    /// Where a value lies that is not alone in a variable.
    fn place(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<Option<Place>> {
        let Some(size) = self.width(&l.ty).filter(|_| l.ty.is_scalar() && l.as_var().is_none()) else {
            return Ok(None);
        };
        let address = self.address_of(state, l)?;
        Ok(address.map(|(address, at)| Place { address, at, size: size.into() }))
    }

    /// Notes that the byte of an lvalue is not zero: if a text ends there or later, it ends after
    /// it. If there is no room for that, no run comes here.
    pub(super) fn is_passed(&mut self, state: &mut State, l: &'p Lvalue) -> Evaluated<()> {
        let Some(Place { address, at, size: 1 }) = self.place(state, l)? else { return Ok(()) };
        let Some(text) = state.memory.end_of_text(address, at) else { return Ok(()) };
        let Says::Ends { written } = text.says else { return Ok(()) };
        let places = self.places(state, l, true)?;
        let certain = self.certain(&places);
        if let Some((object, place)) = certain
            && self.sized(state, object).is_some_and(|size| i128::from(place) + 1 >= size.hi())
        {
            // The last byte is the end of the text.
            return Err(Stop::Unreached);
        }
        if let Some((object, place)) = certain.filter(|_| !address.is_fixed()) {
            let fixed = Address { base: Base::Start(object), index: None };
            let written = written.and_then(|n| place.checked_add(n.checked_sub(at)?));
            let after = Text::new(fixed, place + 1, Says::Ends { written }, &[(object, place + 1)]);
            state.memory.facts.texts.extend(after);
        }
        state.memory.facts.texts.extend(text.after());
        state.memory.bound_by_texts(self.big_endian);
        Ok(())
    }

    /// What is known before a value is written, and after it, if something is of interest then.
    pub(super) fn before_write(&mut self, state: &State, l: &'p Lvalue, to: &Places) -> Evaluated<Option<Before>> {
        if self.width(&l.ty) != Some(1) && !self.has_unwritten(state, to) {
            return Ok(None);
        }
        let Some(place) = self.place(state, l)? else { return Ok(None) };
        let Place { address, at, size } = place;
        let block = |target: &Target| Bytes { object: target.object, at: target.offset, size };
        let bytes: Vec<Bytes> = to.known.iter().map(block).collect();
        if to.wild || !address.is_apart(&bytes) {
            return Ok(None);
        }
        let texts = &state.memory.facts.texts;
        // The text ends after these bytes.
        let is_later = |text: &Text| matches!(text.says, Says::Ends { .. }) && text.plus >= at.saturating_add(size);
        let mut stays: Vec<Text> =
            texts.of(address).filter(|text| is_later(text)).map(|text| Text::clone(text)).collect();
        let is_written = |text: &Text| matches!(text.says, Says::Ends { written: Some(n) } if n <= at + 1);
        if let Some(object) = only_object(to).filter(|object| size == 1 && !self.objects.origin(*object).is_several())
            && stays.iter().any(is_written)
        {
            // Where this byte was the end of a text, the next end is the end now.
            let others = texts.iter().filter(|text| {
                matches!(text.says, Says::Ends { .. }) && text.is_in(object) && text.address.is_apart(&bytes)
            });
            stays.extend(others.map(|text| Text::clone(text)));
        }
        let written = texts.of(address).find_map(|text| match text.says {
            Says::Written { object, from } if text.plus == at => Some((object, from)),
            _ => None,
        });
        Ok(Some(Before { place, stays, written }))
    }

    /// Whether a place lies in an object of which it is not known that all bytes are written.
    fn has_unwritten(&self, state: &State, places: &Places) -> bool {
        let mut objects = places.known.iter().filter_map(|target| state.memory.object(target.object));
        objects.any(|object| !object.filling.is_written())
    }

    /// Notes what is known after a value was written.
    pub(super) fn was_written(&mut self, state: &mut State, to: &Places, value: &Value, before: Before) {
        let Before { place: Place { address, at, size }, stays, written } = before;
        let Some(places) = self.starts(to).filter(|_| value.is_written()) else { return };
        state.memory.facts.texts.extend(stays);
        let certain = self.certain(to);
        let written = written.or_else(|| {
            let (object, place) = certain.filter(|_| !address.is_fixed())?;
            Some((object, state.memory.written_from(object, place)))
        });
        if let (Some((object, from)), [(there, place)]) = (written, &places[..])
            && object == *there
        {
            let says = Says::Written { object, from };
            state.memory.facts.texts.extend(Text::new(address, at + size, says, &[(object, *place)]));
        }
        if Effect::of(value) != Effect::Zeros || size > 1 {
            return;
        }
        let ends = Says::Ends { written: Some(at) };
        if !address.is_fixed() {
            state.memory.facts.texts.extend(Text::new(address, at, ends, &places));
        }
        let Some(object) = only_object(to).filter(|object| !self.objects.origin(*object).is_several()) else { return };
        let first = places.iter().map(|(_, place)| *place).min().unwrap_or(0);
        let from = match (written, certain) {
            (Some((there, from)), _) if there == object => Some(from),
            (_, Some((_, place))) => Some(state.memory.written_from(object, place)),
            _ => None,
        };
        let fixed = Address { base: Base::Start(object), index: None };
        state.memory.facts.texts.extend(Text::new(fixed, first, Says::Ends { written: from }, &[(object, first)]));
    }

    /// The relations to what an expression is, as those of an object of a type that gets its value.
    pub(super) fn walks_on(
        &mut self,
        state: &State,
        (object, ty): (ObjectId, &Type),
        e: &'p Expr,
    ) -> Evaluated<Vec<Text>> {
        let is_kept = *ty == e.ty || matches!((ty, &e.ty), (Type::Pointer(_), Type::Pointer(_)));
        if state.memory.facts.texts.is_empty() || !is_kept {
            return Ok(Vec::new());
        }
        let (Some(to), walker) = (self.walker_in(object, ty), self.walks(state, e)?) else { return Ok(Vec::new()) };
        let Some(walker) = walker else { return Ok(Vec::new()) };
        let mut found = copies(state, to, walker);
        if let Walker::Index(v, by) = walker {
            found.extend(self.counts_to(state, to, (v, by)));
        }
        Ok(found)
    }

    /// The same for the variable of an lvalue.
    pub(super) fn walks_to(&mut self, state: &State, l: &'p Lvalue, e: &'p Expr) -> Evaluated<Vec<Text>> {
        if state.memory.facts.texts.is_empty() {
            return Ok(Vec::new());
        }
        match self.walker_at(state, l)? {
            Some(v) => self.walks_on(state, (v.object, &l.ty), e),
            None => Ok(Vec::new()),
        }
    }

    /// The relations to the result of a call, as those of an lvalue that gets it.
    pub(super) fn walks_back(&mut self, state: &State, (result, ty): (ObjectId, &Type), l: &'p Lvalue) -> Vec<Text> {
        let v = l.as_var().filter(|_| l.ty == *ty && !state.memory.facts.texts.is_empty());
        let (Some(from), Some(to)) = (self.walker_in(result, ty), v.and_then(|v| self.walker(v))) else {
            return Vec::new();
        };
        let walker = match ty {
            Type::Pointer(_) => Walker::Pointer(Address { base: Base::Pointer(from), index: None }, 0),
            _ => Walker::Index(from, 0),
        };
        let copies = copies(state, to, walker);
        copies.into_iter().map(|text| self.to_start(state, &text).unwrap_or(text)).collect()
    }

    /// The same relation to the start of an object, if the pointer in the address has one value:
    /// the pointer may end with a call.
    fn to_start(&self, state: &State, text: &Text) -> Option<Text> {
        let Address { base: Base::Pointer(pointer), index: index @ Some(_) } = text.address else { return None };
        let Value::Pointer(p) = state.memory.read(pointer.object, 0, pointer.size, self.big_endian) else {
            return None;
        };
        let target = p.targets.only().filter(|_| p.is_address() && p.functions.is_empty())?;
        let start = offset(target.offset.as_constant()?)?;
        let is_one = !self.objects.origin(target.object).is_several();
        let address = Address { base: Base::Start(target.object), index };
        text.moved(address, start.checked_neg()?).filter(|_| is_one)
    }

    /// Whether a text ends at an address plus so many bytes, or after that.
    pub(super) fn is_in_text(&mut self, state: &State, pointer: &'p Expr, plus: i64) -> Evaluated<bool> {
        if state.memory.facts.texts.is_empty() {
            return Ok(false);
        }
        let Some((address, at)) = self.address(state, pointer)? else { return Ok(false) };
        Ok(state.memory.end_of_text(address, at.saturating_add(plus)).is_some())
    }

    /// Whether a value is written according to what is known of texts.
    pub(super) fn is_written_in_text(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<bool> {
        if state.memory.facts.texts.is_empty() {
            return Ok(false);
        }
        let Some(Place { address, at, size }) = self.place(state, l)? else { return Ok(false) };
        let read = self.places(state, l, true)?;
        let Some(places) = self.starts(&read) else { return Ok(false) };
        if size == 1 {
            let end = state.memory.end_of_text(address, at).map(|text| text.says);
            if matches!(end, Some(Says::Ends { written: Some(from) }) if from <= at) {
                return Ok(true);
            }
        }
        let texts = &state.memory.facts.texts;
        let is_written = |text: &Text| match text.says {
            Says::Written { object, from } => {
                let is_before = text.address == address && at.saturating_add(size) <= text.plus;
                places.iter().all(|(o, at)| *o == object && *at >= from)
                    && (is_before || state.memory.end_of_written(text).is_some_and(|end| lies_before(&read, size, end)))
            }
            Says::Ends { .. } | Says::Unchanged | Says::Counted => false,
        };
        Ok(texts.iter().any(|text| is_written(text)))
    }

    /// Notes what a comparison of indexes says of written bytes: those up to an index are written
    /// if those up to a greater one are.
    pub(super) fn written_up_to_less(&mut self, state: &mut State, c: &'p Expr, holds: bool) -> Evaluated<()> {
        let is_any = state.memory.facts.texts.iter().any(|text| matches!(text.says, Says::Written { .. }));
        if !is_any {
            return Ok(());
        }
        for (less, greater, is_strict) in ordered(c, holds) {
            let (Some((less, by)), Some((greater, further))) = (self.index(state, less)?, self.index(state, greater)?)
            else {
                continue;
            };
            // Less, plus that, is no greater.
            let Some(apart) = by.checked_sub(further).and_then(|n| n.checked_add(is_strict.into())) else { continue };
            let texts = state.memory.facts.texts.iter().filter(|_| less != greater);
            let earlier = texts.filter_map(|text| {
                let (address, step) = text.address.with_index(greater, less)?;
                text.earlier(address, apart.checked_mul(step)?)
            });
            let earlier: Vec<Text> = earlier.collect();
            state.memory.facts.texts.extend(earlier);
        }
        Ok(())
    }
}

/// Whether all places where values of a size may lie are before an offset.
fn lies_before(places: &Places, size: i64, end: i64) -> bool {
    places.known.iter().all(|target| target.offset.hi() + i128::from(size) <= i128::from(end))
}

/// Integers of which a condition says that the first is less than the second (`true`), or not
/// greater, where it holds, or does not.
pub(super) fn ordered(c: &Expr, holds: bool) -> SmallVec<[(&Expr, &Expr, bool); 2]> {
    let ExprKind::Binary(op, a, b) = &c.kind else { return SmallVec::new() };
    let (a, b) = (&**a, &**b);
    match (op, holds) {
        _ if !matches!(a.ty, Type::Int(_)) => smallvec![],
        (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => smallvec![(a, b, true)],
        (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => smallvec![(a, b, false)],
        (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => smallvec![(b, a, true)],
        (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => smallvec![(b, a, false)],
        (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => smallvec![(a, b, false), (b, a, false)],
        _ => smallvec![],
    }
}

/// The relations to a value, as those of a variable that gets it.
fn copies(state: &State, to: Variable, walker: Walker) -> Vec<Text> {
    let texts = state.memory.facts.texts.iter();
    let moved = texts.filter_map(|text| match walker {
        Walker::Pointer(address, by) if text.address == address => {
            text.moved(Address { base: Base::Pointer(to), index: None }, by)
        }
        Walker::Index(v, by) => {
            let (address, step) = text.address.with_index(v, to)?;
            text.moved(address, by.checked_mul(step)?)
        }
        _ => None,
    });
    moved.collect()
}

/// The byte of an lvalue that is not zero where a condition holds, or does not.
pub(super) fn passed_byte(c: &Expr, holds: bool) -> Option<&Lvalue> {
    match &c.kind {
        ExprKind::Load(l) if holds => Some(l),
        ExprKind::Cast(a) if matches!((&c.ty, &a.ty), (Type::Int(_), Type::Int(_))) => passed_byte(a, holds),
        ExprKind::Unary(UnaryOp::Not, a) => passed_byte(a, !holds),
        // What zero would make of it is not what it is.
        ExprKind::Binary(op, a, b) if op.is_comparison() && matches!(a.ty, Type::Int(_)) => {
            match (a.as_int(), b.as_int()) {
                (None, Some(n)) if compares(*op, 0, n) != holds => passed_byte(a, true),
                (Some(n), None) if compares(*op, n, 0) != holds => passed_byte(b, true),
                _ => None,
            }
        }
        _ => None,
    }
}

fn compares(op: BinaryOp, a: i128, b: i128) -> bool {
    match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::NotEqual => a != b,
        _ => a == b,
    }
}

/// The sum of two distances, if that is not absurd.
fn sum(a: i64, b: i64) -> Option<i64> {
    a.checked_add(b).filter(|n| n.abs() <= MOST_DISTANCE)
}

fn only_object(places: &Places) -> Option<ObjectId> {
    match &places.known[..] {
        [target] if !places.wild => Some(target.object),
        _ => None,
    }
}
