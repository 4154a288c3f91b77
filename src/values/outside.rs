//! Objects that are not the program's: the arguments of `main`, and what the C library gives out.
//!
//! **Sound**: [`Program::outside`](crate::program::Program::outside) says which pointers lead to
//! them, and that they overlap with no object of the program. One name stands for all of a kind;
//! so nothing that is written there replaces what there was. They hold any value all the time,
//! because the library may write there unseen; but pointers in the arguments of `main` lead to
//! texts, until something else writes there, and those texts and the ones of the environment end,
//! until a byte that is not zero is written there.

use super::engine::Values;
use super::memory::{Cell, Filling};
use super::number::Number;
use super::objects::{ObjectId, Origin};
use super::offsets::Offsets;
use super::state::State;
use super::texts::Says;
use super::value::{Pointers, Target, Value};
use crate::program::{Outside, VarId};
use std::collections::BTreeSet;

/// More bytes than any object has.
const MOST_BYTES: i128 = 1 << 61;

/// The name of the texts of `argv` and of the environment. The library leaves them as they are.
const TEXT: Outside = Outside::Environment;

impl Values<'_> {
    /// A pointer to such an object, or null.
    pub(super) fn handed_out(&mut self, state: &State, outside: Outside) -> Value {
        match outside {
            Outside::TextOf(array) => self.end_of_text_of(state, array),
            _ => self.pointer_outside(outside),
        }
    }

    /// A pointer to the start of such an object, or null.
    fn pointer_outside(&mut self, outside: Outside) -> Value {
        let to = Pointers::to(self.outside(outside), Offsets::constant(0));
        Value::pointer(Pointers { null: true, ..to })
    }

    /// A pointer to a character of a text to which some element of an array leads, or null. Where
    /// a text of the name [`TEXT`] begins is not known, so its end is one, too.
    fn end_of_text_of(&mut self, state: &State, array: VarId) -> Value {
        let (object, pointer) = (self.variable(array), self.model.pointer_width() / 8);
        let Value::Pointer(to) = state.memory.read(object, 0, pointer, self.big_endian) else { return Value::Any };
        let elements = to.targets.iter().map(|target| state.memory.any_element(target.object, pointer));
        let Some(Value::Pointer(texts)) = elements.reduce(|all, value| all.join(&value)) else { return Value::Any };
        let later = Number::range(0, MOST_BYTES).unwrap_or(Number::constant(0));
        let ends = texts.targets.iter().map(|target| match self.objects.origin(target.object) {
            Origin::Outside(_) => Some(target),
            _ => Some(Target { offset: target.offset.add(later)?, ..target }),
        });
        let Some(targets) = ends.collect() else { return Value::Any };
        let wild = texts.wild || to.wild;
        let texts = Pointers { null: true, wild, targets, functions: texts.functions.clone() };
        Value::pointer(texts)
    }

    /// Begins those to which the program has pointers.
    pub(super) fn begin_outside(&mut self, state: &mut State) {
        let mut all: BTreeSet<Outside> = self.program.outside.values().copied().collect();
        if all.contains(&Outside::Texts) {
            all.insert(TEXT);
        }
        for outside in all {
            let pointer = self.model.pointer_width() / 8;
            let (size, filling) = match outside {
                Outside::Texts => {
                    let cell = Cell { size: pointer, value: self.pointer_outside(TEXT) };
                    (u64::from(pointer), Filling::Every(cell))
                }
                Outside::Object(size) => (size, Filling::Written),
                Outside::Environment => (1, Filling::Written),
                Outside::TextOf(_) => continue,
            };
            let object = self.outside(outside);
            let size = Number::range(size.into(), MOST_BYTES).unwrap_or(Number::constant(MOST_BYTES));
            state.memory.begin(object, size, filling);
            match outside {
                TEXT => state.memory.facts.texts.begin(object, Says::Ends { written: Some(0) }),
                Outside::Texts => state.memory.facts.texts.begin(object, Says::Unchanged),
                _ => {}
            }
        }
    }

    fn outside(&mut self, outside: Outside) -> ObjectId {
        self.objects.id(Origin::Outside(outside))
    }

    /// The least size of an object that is there. The array of the arguments of `main` has as many
    /// elements as `main` was told, and one more.
    pub(super) fn least_size(&self, state: &State, object: ObjectId) -> Option<i128> {
        let size = self.sized(state, object)?.lo();
        let pointer = i128::from(self.model.pointer_width() / 8);
        Some(self.least_count(state, object).map_or(size, |count| size.max((count + 1) * pointer)))
    }
}
