//! Indexes into the array of the arguments of `main`: in `for (i = 1; i < argc; i++)`, the array
//! has an element at `i`, and it leads to a text.
//!
//! **Meaning.** A relation [`Says::Counted`] is about an index alone: it is less than the number of
//! arguments, which no statement of the program changes
//! ([`Program::count_of_texts`](crate::program::Program::count_of_texts)).
//!
//! **Sound**: C11 5.1.2.2.1p2. The array has as many elements as `main` is told, and a null pointer
//! after them. None of them is null, while nothing has been written to the array.

use super::engine::Values;
use super::objects::{ObjectId, Origin};
use super::offsets::Offsets;
use super::state::State;
use super::stop::Evaluated;
use super::texts::{Address, Says, Text, Variable};
use super::value::{Pointers, Value};
use super::walks::ordered;
use crate::program::{self, BinaryOp, Expr, ExprKind, IntKind, Lvalue, Outside, Type};

impl<'p> Values<'p> {
    /// If the object is the array of the arguments of `main`: the variable that says how many there
    /// are.
    fn count_of(&self, state: &State, array: ObjectId) -> Option<ObjectId> {
        let count = self.count_of_texts.filter(|_| self.objects.origin(array) == Origin::Outside(Outside::Texts))?;
        self.objects.known(count).filter(|count| state.memory.has(*count))
    }

    /// The same: the least number of them that there may be.
    pub(super) fn least_count(&self, state: &State, array: ObjectId) -> Option<i128> {
        let count = self.count_of(state, array)?;
        let width = IntKind::Int.width(self.model) / 8;
        match state.memory.read(count, 0, width, self.big_endian).read_as(&Type::INT, self.model) {
            Value::Number(n) => Some(n.lo()),
            _ => None,
        }
    }

    /// What is read at an offset: an argument is no null pointer.
    pub(super) fn read_outside(&self, state: &State, (object, at): (ObjectId, Offsets), value: Value) -> Value {
        if !may_be_null(&value) {
            return value;
        }
        let pointer = i128::from(self.model.pointer_width() / 8);
        let is_argument = |count: i128| at.lo() >= 0 && at.hi() < count * pointer;
        match self.least_count(state, object).is_some_and(is_argument) {
            true => argument(state, object, value),
            false => value,
        }
    }

    /// What an lvalue holds: an argument is no null pointer.
    pub(super) fn read_argument(&mut self, state: &State, l: &'p Lvalue, value: Value) -> Evaluated<Value> {
        let (program::Base::Deref(pointer), true) = (&l.base, l.path.is_empty()) else { return Ok(value) };
        if !may_be_null(&value) {
            return Ok(value);
        }
        Ok(match self.counted(state, pointer)? {
            Some((array, after)) if after >= 0 => argument(state, array, value),
            _ => value,
        })
    }

    /// Whether a pointer leads to an element of the array: to an argument, or to the null pointer
    /// after them.
    pub(super) fn is_in_arguments(&mut self, state: &State, pointer: &'p Expr) -> Evaluated<bool> {
        Ok(self.counted(state, pointer)?.is_some_and(|(_, after)| after >= -1))
    }

    /// If a pointer leads to an element of the array, counted from its start by an index that is
    /// less than the number of arguments minus a number: the array and that number.
    fn counted(&mut self, state: &State, pointer: &'p Expr) -> Evaluated<Option<(ObjectId, i64)>> {
        let ExprKind::Binary(BinaryOp::PointerAdd, start, n) = &pointer.kind else { return Ok(None) };
        if self.count_of_texts.is_none() || !matches!(pointer.ty.pointee(), Some(Type::Pointer(_))) {
            return Ok(None);
        }
        let p = self.pointers(state, start)?;
        let Some(target) = p.targets.only().filter(|_| p.is_address() && p.functions.is_empty()) else {
            return Ok(None);
        };
        if target.offset.as_constant() != Some(0) || self.count_of(state, target.object).is_none() {
            return Ok(None);
        }
        if self.number(state, n)?.lo() < 0 {
            return Ok(None);
        }
        let Some((index, by)) = self.index(state, n)? else { return Ok(None) };
        Ok(room_below(state, target.object, index).map(|room| (target.object, room.saturating_sub(by))))
    }

    /// The array of the arguments and the variable that says how many there are, if the state
    /// speaks of them.
    fn array_of_arguments(&mut self, state: &State) -> Option<(ObjectId, ObjectId)> {
        self.count_of_texts.filter(|_| !state.memory.facts.texts.is_empty())?;
        let array = self.objects.id(Origin::Outside(Outside::Texts));
        Some((array, self.count_of(state, array)?))
    }

    /// Notes what a comparison of an index with the number of arguments says, or with another index
    /// that is less.
    pub(super) fn counts(&mut self, state: &mut State, c: &'p Expr, holds: bool) -> Evaluated<()> {
        let Some((array, count)) = self.array_of_arguments(state) else { return Ok(()) };
        for (least, most, is_strict) in ordered(c, holds) {
            let (Some((index, by)), Some((limit, further))) = (self.index(state, least)?, self.index(state, most)?)
            else {
                continue;
            };
            // The limit, plus that, is less than the number of arguments.
            let below = if limit.object == count { Some(-1) } else { room_below(state, array, limit) };
            let Some(below) = below else { continue };
            let plus = by.checked_sub(further).and_then(|n| n.checked_add(below));
            let plus = plus.and_then(|n| n.checked_add(is_strict.into()));
            state.memory.facts.texts.extend(plus.and_then(|plus| counted(array, count, index, plus)));
        }
        Ok(())
    }

    /// The relation of a variable that gets the number of arguments, plus a number.
    pub(super) fn counts_to(&mut self, state: &State, to: Variable, (from, by): (Variable, i64)) -> Option<Text> {
        let (array, count) = self.array_of_arguments(state)?;
        let plus = by.checked_neg()?.checked_sub(1).filter(|_| from.object == count)?;
        counted(array, count, to, plus)
    }
}

/// How much can be added to an index so that the sum is less than the number of arguments.
fn room_below(state: &State, array: ObjectId, index: Variable) -> Option<i64> {
    let mut known = state.memory.facts.texts.of(Address::counting(array, index));
    known.find(|text| text.says == Says::Counted).map(|text| text.plus)
}

/// The relation of an index plus a number to the number of arguments.
fn counted(array: ObjectId, count: ObjectId, index: Variable, plus: i64) -> Option<Text> {
    Text::new(Address::counting(array, index), plus, Says::Counted, &[(count, 0)])
}

fn may_be_null(value: &Value) -> bool {
    matches!(value, Value::Pointer(p) if p.null)
}

/// A pointer that is read from the array of the arguments, where one of them lies.
fn argument(state: &State, array: ObjectId, value: Value) -> Value {
    match &value {
        Value::Pointer(p) if !p.wild && state.memory.facts.texts.are_unchanged(array) => {
            Value::pointer(Pointers { null: false, ..(**p).clone() })
        }
        _ => value,
    }
}
