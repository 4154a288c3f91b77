//! Finds out facts about lvalues, and uses them: see [`super::facts`].

use super::blocks::{Blocks, Bytes, MOST_BLOCKS};
use super::engine::Values;
use super::evaluate::Places;
use super::facts::{Fact, Name};
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::{Target, Value};
use crate::program::{Lvalue, Part, Use, each_part_of_lvalue};

impl<'p> Values<'p> {
    /// The value of an lvalue, which is one of these.
    pub(super) fn told(&self, state: &State, l: &Lvalue, value: Value) -> Evaluated<Value> {
        let facts = &state.memory.facts;
        if facts.is_empty() {
            return Ok(value);
        }
        let known = facts.at_depth(self.depth).find(|fact| self.named[fact.name.lvalue].is_same(l));
        match known {
            Some(fact) => value.meet(&fact.value).ok_or(Stop::Unreached),
            None => Ok(value),
        }
    }

    /// Notes that an lvalue has one of these values.
    pub(super) fn note(&mut self, state: &mut State, l: &'p Lvalue, value: Value) -> Evaluated<()> {
        if let Some(read) = self.blocks(state, l, true)? {
            self.add_fact(state, l, value, read);
        }
        Ok(())
    }

    /// What an lvalue reads to find its place, if a write to these places leaves that as it is.
    pub(super) fn read_before(
        &mut self,
        state: &State,
        l: &'p Lvalue,
        to: &Places,
        size: u32,
    ) -> Evaluated<Option<Before>> {
        let (Some(read), Some(written)) = (self.blocks(state, l, false)?, blocks_of(to, size)) else { return Ok(None) };
        let overlap = read.iter().any(|read| written.iter().any(|written| read.overlaps(*written)));
        Ok((!overlap).then(|| Before(read.into_iter().chain(written).collect())))
    }

    /// Notes what was just written there.
    pub(super) fn note_written(&mut self, state: &mut State, l: &'p Lvalue, value: Value, before: Before) {
        if before.0.len() <= MOST_BLOCKS {
            self.add_fact(state, l, value, before.0);
        }
    }

    fn add_fact(&mut self, state: &mut State, l: &'p Lvalue, value: Value, read: Blocks) {
        let lvalue = self.named.iter().position(|named| named.is_same(l)).unwrap_or_else(|| {
            self.named.push(l);
            self.named.len() - 1
        });
        state.memory.facts.add(Fact { name: Name { lvalue, depth: self.depth }, value, read });
    }

    /// What an lvalue reads, and itself; `None` if it may be anything, or much.
    fn blocks(&mut self, state: &State, l: &'p Lvalue, with_itself: bool) -> Evaluated<Option<Blocks>> {
        let mut parts = Vec::new();
        each_part_of_lvalue(l, Use::Write, &mut |part| {
            if let Part::Lvalue(read, how) = part
                && (how == Use::Read || (with_itself && how == Use::Write))
            {
                parts.push(read);
            }
        });
        let mut found = Blocks::new();
        for l in parts {
            let places = self.places(state, l, true)?;
            let Some(blocks) = self.extent(&places, &l.ty).and_then(|size| blocks_of(&places, size)) else {
                return Ok(None);
            };
            found.extend(blocks);
        }
        Ok((found.len() <= MOST_BLOCKS).then_some(found))
    }
}

/// What an lvalue reads, and itself, before it is written.
pub(super) struct Before(Blocks);

fn blocks_of(places: &Places, size: u32) -> Option<Blocks> {
    if places.wild {
        return None;
    }
    let block = |target: &Target| Bytes { object: target.object, at: target.offset, size: size.into() };
    Some(places.known.iter().map(block).collect())
}
