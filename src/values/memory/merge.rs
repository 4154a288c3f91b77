//! Joins of memories, their widening, and their order.

use super::super::objects::{ObjectId, Objects};
use super::super::value::{Thresholds, Value};
use super::{Filling, Memory, Object};
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashMap;

impl Memory {
    /// All memories of both. An object that only one side has is kept if it is a heap block: no
    /// pointer to it exists on the other side. A variable may have been jumped over there.
    pub(in super::super) fn join(&mut self, other: &Memory, names: &Objects, big_endian: bool) {
        self.facts = self.facts.join(&other.facts, false);
        self.merge(other, names, big_endian, Value::join);
    }

    /// [`Memory::join`], such that a chain of them ends.
    pub(in super::super) fn widen(&mut self, newer: &Memory, names: &Objects, big_endian: bool, at: &Thresholds) {
        self.facts = self.facts.join(&newer.facts, true);
        self.merge(newer, names, big_endian, |old, new| old.widen(new, at));
    }

    fn merge(&mut self, other: &Memory, names: &Objects, big_endian: bool, values: impl Fn(&Value, &Value) -> Value) {
        let before = self.clone();
        let mut ended = Vec::new();
        for item in before.objects.diff(&other.objects) {
            match item {
                DiffItem::Add(object, new) if names.origin(*object).is_kept() => {
                    self.objects.insert(*object, new.clone());
                }
                DiffItem::Remove(object, _) if names.origin(*object).is_kept() => {}
                DiffItem::Add(object, _) | DiffItem::Remove(object, _) => ended.push(*object),
                DiffItem::Update { old: (object, old), new: (_, new) } => {
                    let size = old.size.join(new.size);
                    self.objects.insert(*object, Object { size, filling: old.filling.merged(&new.filling, &values) });
                }
            }
        }
        let mut blank: FxHashMap<ObjectId, bool> = FxHashMap::default();
        for (object, at, size) in before.differing(other) {
            // What one side knows nothing of, both do not know.
            if *blank.entry(object).or_insert_with(|| before.is_blank(object) || other.is_blank(object)) {
                self.log.changed(object, at..at + i64::from(size));
                self.cells.remove(&(object, at));
                continue;
            }
            let value = match (before.objects.contains_key(&object), other.objects.contains_key(&object)) {
                (true, true) => {
                    let old = before.read(object, at, size, big_endian);
                    values(&old, &other.read(object, at, size, big_endian))
                }
                (true, false) => before.read(object, at, size, big_endian),
                (false, _) => other.read(object, at, size, big_endian),
            };
            self.narrow(object, at, size, value, big_endian);
        }
        for (object, _) in blank.into_iter().filter(|(_, is_blank)| *is_blank) {
            if let Some(merged) = self.objects.get(&object).cloned() {
                let has = |memory: &Memory| memory.objects.contains_key(&object);
                let is_written = |memory: &Memory| !has(memory) || memory.is_all_written(object);
                let filling = Filling::anything(is_written(&before) && is_written(other));
                self.objects.insert(object, Object { filling, ..merged });
            }
        }
        ended.into_iter().for_each(|object| self.end(object));
    }

    /// The pieces of objects where cells differ: every byte of a cell that only one side has is in
    /// one of them.
    fn differing(&self, other: &Memory) -> Vec<(ObjectId, i64, u32)> {
        let mut found = Vec::new();
        for item in self.cells.diff(&other.cells) {
            match item {
                DiffItem::Add((object, at), cell) | DiffItem::Remove((object, at), cell) => {
                    found.push((*object, *at, cell.size));
                }
                DiffItem::Update { old: ((object, at), old), new: (_, new) } => {
                    found.push((*object, *at, old.size));
                    if new.size != old.size {
                        found.push((*object, *at, new.size));
                    }
                }
            }
        }
        found
    }

    /// Whether all these memories are among the others. (An object that is a variable may have been
    /// jumped over where there is none: it may hold anything.)
    pub(in super::super) fn is_within(&self, other: &Memory, names: &Objects, big_endian: bool) -> bool {
        let is_block = |object: &ObjectId| names.origin(*object).is_kept();
        let objects = self.objects.diff(&other.objects).all(|item| match item {
            DiffItem::Add(object, _) => is_block(object),
            DiffItem::Remove(object, _) => !is_block(object),
            DiffItem::Update { old: (_, old), new: (_, new) } => {
                old.size.is_within(new.size) && old.filling.is_within(&new.filling)
            }
        });
        objects
            && self.facts.implies(&other.facts)
            && self.differing(other).into_iter().all(|(object, at, size)| {
                !self.objects.contains_key(&object)
                    || self.read(object, at, size, big_endian).is_within(&other.read(object, at, size, big_endian))
            })
    }
}
