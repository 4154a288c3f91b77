//! Joins of memories, their widening, and their order.

use super::super::implications::Guards;
use super::super::objects::{ObjectId, Objects};
use super::super::value::{Thresholds, Value};
use super::{Filling, Memory, Object, Shared};
use imbl::ordmap::DiffItem;

/// An object of which two memories know different things.
pub(super) type Differs<'m> = DiffItem<'m, 'm, ObjectId, Shared>;

impl Memory {
    /// All memories of both. An object that only one side has is kept if it is a heap block: no
    /// pointer to it exists on the other side. A variable may have been jumped over there.
    pub(in super::super) fn join(
        &mut self,
        other: &Memory,
        (names, guards): (&Objects, Option<&Guards>),
        big_endian: bool,
    ) {
        let before = self.objects.clone();
        let differing: Vec<Differs<'_>> = before.diff(&other.objects).collect();
        self.join_facts((other, &differing), (names, guards), big_endian, false);
        self.merge(&differing, names, big_endian, Value::join);
        self.bound_by_texts(big_endian);
    }

    /// [`Memory::join`], such that a chain of them ends.
    pub(in super::super) fn widen(
        &mut self,
        newer: &Memory,
        (names, guards): (&Objects, Option<&Guards>),
        big_endian: bool,
        at: &Thresholds,
    ) {
        let before = self.objects.clone();
        let differing: Vec<Differs<'_>> = before.diff(&newer.objects).collect();
        self.join_facts((newer, &differing), (names, guards), big_endian, true);
        self.merge(&differing, names, big_endian, |old, new| old.widen(new, at));
        self.bound_by_texts(big_endian);
    }

    fn join_facts(
        &mut self,
        (other, differing): (&Memory, &[Differs<'_>]),
        names: (&Objects, Option<&Guards>),
        big_endian: bool,
        widens: bool,
    ) {
        let texts = self.joined_texts(other, widens);
        let implications = self.joined_implications((other, differing), names, big_endian, widens);
        self.facts = self.facts.join(&other.facts, (texts, implications), widens);
    }

    fn merge(
        &mut self,
        differing: &[Differs<'_>],
        names: &Objects,
        big_endian: bool,
        values: impl Fn(&Value, &Value) -> Value,
    ) {
        for item in differing {
            match item {
                // It began on one side: that is in the log.
                DiffItem::Add(object, new) if names.origin(**object).is_kept() => {
                    self.objects.insert(**object, Shared::clone(new));
                }
                DiffItem::Remove(object, _) if names.origin(**object).is_kept() => {}
                DiffItem::Add(object, _) | DiffItem::Remove(object, _) => self.end(**object),
                DiffItem::Update { old: (object, old), new: (_, new) } => {
                    self.merge_object(**object, (old, new), big_endian, &values);
                }
            }
        }
    }

    fn merge_object(
        &mut self,
        object: ObjectId,
        (old, new): (&Shared, &Shared),
        big_endian: bool,
        values: impl Fn(&Value, &Value) -> Value,
    ) {
        let pieces = old.cells.differing(&new.cells);
        pieces.iter().for_each(|(at, size)| self.log.changed(object, *at..at + i64::from(*size)));
        let mut merged = Object { size: old.size.join(new.size), ..Object::clone(old) };
        if old.is_blank() || new.is_blank() {
            // What one side knows nothing of, both do not know.
            merged = Object::new(merged.size, Filling::anything(old.is_all_written() && new.is_all_written()));
        } else {
            merged.filling = old.filling.merged(&new.filling, &values);
            for (at, size) in pieces {
                let value = values(&old.read(at, size, big_endian), &new.read(at, size, big_endian));
                merged.set(at, size, value, big_endian);
            }
        }
        self.put(object, merged, [old, new]);
    }

    /// An object is that. If it is what one of some others is, it is shared with that one.
    pub(super) fn put(&mut self, object: ObjectId, merged: Object, others: [&Shared; 2]) {
        let known = others.into_iter().find(|known| ***known == merged).cloned();
        let shared = known.unwrap_or_else(|| Shared::new(merged));
        if !self.objects.get(&object).is_some_and(|o| o.is_same(&shared)) {
            self.objects.insert(object, shared);
        }
    }

    /// Whether all these memories are among the others. (An object that is a variable may have been
    /// jumped over where there is none: it may hold anything.)
    pub(in super::super) fn is_within(&self, other: &Memory, names: &Objects, big_endian: bool) -> bool {
        let is_block = |object: &ObjectId| names.origin(*object).is_kept();
        let objects = self.objects.diff(&other.objects).all(|item| match item {
            DiffItem::Add(object, _) => is_block(object),
            DiffItem::Remove(object, _) => !is_block(object),
            DiffItem::Update { old: (_, old), new: (_, new) } => old.is_within(new, big_endian),
        });
        objects
            && self.facts.implies(&other.facts)
            && self.implies_texts(other)
            && self.implies_implications(other, big_endian)
    }
}

impl Object {
    /// Whether it holds only what the other one holds.
    fn is_within(&self, other: &Object, big_endian: bool) -> bool {
        let is_piece_within =
            |(at, size)| self.read(at, size, big_endian).is_within_cell(&other.read(at, size, big_endian), size);
        self.size.is_within(other.size)
            && self.filling.is_within(&other.filling)
            && self.cells.differing(&other.cells).into_iter().all(is_piece_within)
    }
}
