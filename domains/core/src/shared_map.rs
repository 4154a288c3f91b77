//! A map whose copies share their common parts.

use crate::{ArrayId, Var};
use std::fmt;
use std::rc::Rc;

/// A sorted map, for elements that are copied at every program point and change in a few places.
///
/// A copy costs one counter; a change to a copy costs the chunk around the key and the list of
/// chunks. Combining two maps skips the chunks that they share, so that joining the states of two
/// branches costs what the branches changed.
#[derive(Clone)]
pub struct SharedMap<K, T> {
    /// Ascending by number of chunk; no chunk is empty.
    chunks: Rc<Vec<(u64, Rc<Chunk<K, T>>)>>,
}

/// A map from variables.
pub type VarMap<T> = SharedMap<Var, T>;

/// A key that maps can be sorted by: neighbours are in one chunk.
pub trait Key: Copy + Ord {
    /// The number of the chunk, and the place in it, below 32; they ascend with the key.
    fn place(self) -> (u64, u32);
}

impl Key for Var {
    fn place(self) -> (u64, u32) {
        (self.0 >> 5, (self.0 & 31) as u32)
    }
}

impl Key for ArrayId {
    /// Fewer to a chunk than of variables: a change to an array is a change to a few variables.
    fn place(self) -> (u64, u32) {
        (u64::from(self.0 >> 4), self.0 & 15)
    }
}

/// A chunk that is not the same in two maps: its number, and what either has, if anything.
type Apart<'m, K, T> = (u64, &'m Rc<Chunk<K, T>>, Option<&'m Rc<Chunk<K, T>>>);

/// The entries of keys whose numbers agree but for the last bits, ascending.
#[derive(Clone)]
struct Chunk<K, T> {
    /// The places that have an entry: how many there are below one is the number of its entry.
    taken: u32,
    entries: Vec<(K, T)>,
}

impl<K: Key, T> Chunk<K, T> {
    /// The number of the entry; `Err` with the number that it would have.
    fn find(&self, key: K) -> Result<usize, usize> {
        let bit = 1u32 << key.place().1;
        let below = (self.taken & (bit - 1)).count_ones() as usize;
        if self.taken & bit == 0 { Err(below) } else { Ok(below) }
    }

    fn get(&self, key: K) -> Option<&T> {
        self.find(key).ok().map(|n| &self.entries[n].1)
    }

    /// Takes entries in ascending order.
    fn collect(entries: impl Iterator<Item = (K, T)>) -> Self {
        let entries: Vec<(K, T)> = entries.collect();
        let taken = entries.iter().fold(0, |taken, (key, _)| taken | 1 << key.place().1);
        Chunk { taken, entries }
    }
}

impl<K: Key, T> SharedMap<K, T> {
    /// No entry.
    pub fn new() -> Self {
        SharedMap { chunks: Rc::new(Vec::new()) }
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The value of `v`.
    pub fn get(&self, v: K) -> Option<&T> {
        self.chunks[self.at(v).ok()?].1.get(v)
    }

    /// The number of the chunk of `v`; `Err` with the number that it would have.
    fn at(&self, v: K) -> Result<usize, usize> {
        let chunk = v.place().0;
        self.chunks.binary_search_by_key(&chunk, |c| c.0)
    }

    /// The chunks that are not the same in `other`, ascending, each with its number and what
    /// `other` has under it.
    fn apart<'m>(&'m self, other: &'m Self) -> impl Iterator<Item = Apart<'m, K, T>> {
        let mine: &[_] = if self.same(other) { &[] } else { &self.chunks };
        let mut left = other.chunks.iter().peekable();
        mine.iter().filter_map(move |(number, mine)| {
            while left.next_if(|theirs| theirs.0 < *number).is_some() {}
            let theirs = left.next_if(|theirs| theirs.0 == *number).map(|theirs| &theirs.1);
            (!theirs.is_some_and(|theirs| Rc::ptr_eq(mine, theirs))).then_some((*number, mine, theirs))
        })
    }

    /// Whether `v` has a value.
    pub fn contains(&self, v: K) -> bool {
        self.get(v).is_some()
    }

    /// The entries, ascending by variable.
    pub fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        self.chunks.iter().flat_map(|c| c.1.entries.iter().map(|e| (e.0, &e.1)))
    }

    /// The keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.iter().map(|e| e.0)
    }

    /// The values, ascending by key.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|e| e.1)
    }

    /// The keys that have a value here, and another one or none in `other`. `same(a, a)` must be
    /// true: it is not asked for entries that the two maps share.
    pub fn differing(&self, other: &Self, same: impl Fn(&T, &T) -> bool) -> Vec<K> {
        let mut found = Vec::new();
        self.all_against(other, |v, a, b| {
            if !b.is_some_and(|b| same(a, b)) {
                found.push(v);
            }
            true
        });
        found
    }

    /// Whether `holds` for each entry of `self` and what `other` has for the same variable.
    /// `holds(a, Some(a))` must be true: it is not asked for entries that the two maps share.
    pub fn all_against(&self, other: &Self, mut holds: impl FnMut(K, &T, Option<&T>) -> bool) -> bool {
        self.apart(other).all(|(_, mine, theirs)| {
            mine.entries.iter().all(|(v, a)| holds(*v, a, theirs.and_then(|theirs| theirs.get(*v))))
        })
    }

    /// Whether both are copies of one map that did not change since. (`false` says nothing.)
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chunks, &other.chunks)
    }
}

impl<K: Key, T: Clone> SharedMap<K, T> {
    /// Gives `v` a value; answers the old one.
    pub fn insert(&mut self, v: K, value: T) -> Option<T> {
        let at = self.at(v);
        let chunks = Rc::make_mut(&mut self.chunks);
        let at = match at {
            Ok(at) => at,
            Err(at) => {
                let (number, place) = v.place();
                chunks.insert(at, (number, Rc::new(Chunk { taken: 1 << place, entries: vec![(v, value)] })));
                return None;
            }
        };
        let chunk = Rc::make_mut(&mut chunks[at].1);
        match chunk.find(v) {
            Ok(n) => Some(std::mem::replace(&mut chunk.entries[n].1, value)),
            Err(n) => {
                chunk.taken |= 1 << v.place().1;
                chunk.entries.insert(n, (v, value));
                None
            }
        }
    }

    /// The value of `v`, to be changed.
    pub fn get_mut(&mut self, v: K) -> Option<&mut T> {
        let at = self.at(v).ok()?;
        let n = self.chunks[at].1.find(v).ok()?;
        let chunk = Rc::make_mut(&mut Rc::make_mut(&mut self.chunks)[at].1);
        Some(&mut chunk.entries[n].1)
    }

    /// Takes the value of `v` away.
    pub fn remove(&mut self, v: K) -> Option<T> {
        let at = self.at(v).ok()?;
        let n = self.chunks[at].1.find(v).ok()?;
        let chunks = Rc::make_mut(&mut self.chunks);
        let chunk = Rc::make_mut(&mut chunks[at].1);
        chunk.taken &= !(1 << v.place().1);
        let (_, value) = chunk.entries.remove(n);
        if chunk.entries.is_empty() {
            chunks.remove(at);
        }
        Some(value)
    }

    /// Keeps the variables that have a value on both sides and for which `combine` gives one.
    /// `combine(a, a)` must be `Some(a)`: it is not asked for entries that the two maps share.
    pub fn intersect_with(&mut self, other: &Self, mut combine: impl FnMut(K, &T, &T) -> Option<T>) {
        let met: Vec<(u64, Chunk<K, T>)> = self
            .apart(other)
            .map(|(number, mine, theirs)| {
                let both = |(v, a): &(K, T)| Some((*v, combine(*v, a, theirs?.get(*v)?)?));
                (number, Chunk::collect(mine.entries.iter().filter_map(both)))
            })
            .collect();
        if met.is_empty() {
            return;
        }
        let chunks = Rc::make_mut(&mut self.chunks);
        for (number, chunk) in met {
            if let Ok(at) = chunks.binary_search_by_key(&number, |c| c.0) {
                chunks[at].1 = Rc::new(chunk);
            }
        }
        chunks.retain(|(_, chunk)| !chunk.entries.is_empty());
    }
}

impl<K: Key, T> Default for SharedMap<K, T> {
    fn default() -> Self {
        SharedMap::new()
    }
}

impl<K: Key, T: Clone> FromIterator<(K, T)> for SharedMap<K, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let mut map = SharedMap::new();
        for (v, value) in entries {
            map.insert(v, value);
        }
        map
    }
}

impl<K: Key, T: PartialEq> PartialEq for SharedMap<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.same(other) || self.iter().eq(other.iter())
    }
}

impl<K: Key, T: Eq> Eq for SharedMap<K, T> {}

impl<K: Key + fmt::Debug, T: fmt::Debug> fmt::Debug for SharedMap<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Variables of both halves of the number space, some of them neighbours.
    fn var() -> impl Strategy<Value = Var> {
        (0u32..200, any::<bool>()).prop_map(|(n, own)| if own { Var::fresh(n) } else { Var::scalar(n) })
    }

    fn entries() -> impl Strategy<Value = Vec<(Var, i32)>> {
        prop::collection::vec((var(), 0..5), 0..40)
    }

    proptest! {
        #[test]
        fn it_does_what_a_sorted_map_does(first in entries(), removed in prop::collection::vec(var(), 0..20), then in entries()) {
            let mut map = VarMap::new();
            let mut model = BTreeMap::new();
            for (v, value) in first {
                prop_assert_eq!(map.insert(v, value), model.insert(v, value));
            }
            for v in removed {
                prop_assert_eq!(map.remove(v), model.remove(&v));
            }
            let before = map.clone();
            let kept: Vec<(Var, i32)> = before.iter().map(|(v, n)| (v, *n)).collect();
            for (v, value) in then {
                prop_assert_eq!(map.insert(v, value), model.insert(v, value));
                prop_assert_eq!(map.get(v), Some(&value));
                prop_assert_eq!(map.get_mut(v).copied(), Some(value));
            }
            prop_assert!(map.iter().map(|(v, n)| (v, *n)).eq(model.into_iter()));
            prop_assert!(before.iter().map(|(v, n)| (v, *n)).eq(kept), "a copy does not see changes");
        }

        #[test]
        fn combining_skips_only_what_is_shared(common in entries(), one in entries(), two in entries()) {
            let start: VarMap<i32> = common.into_iter().collect();
            let (mut a, mut b) = (start.clone(), start);
            one.into_iter().for_each(|(v, n)| _ = a.insert(v, n));
            two.into_iter().for_each(|(v, n)| _ = b.insert(v, n));
            let least = |a: &i32, b: &i32| (a.min(b) > &0 || a == b).then(|| *a.min(b));
            let mut met = a.clone();
            met.intersect_with(&b, |_, a, b| least(a, b));
            let expected: Vec<(Var, i32)> = a.iter().filter_map(|(v, n)| Some((v, least(n, b.get(v)?)?))).collect();
            prop_assert!(met.iter().map(|(v, n)| (v, *n)).eq(expected));
            let differing: Vec<Var> = a.iter().filter(|(v, n)| b.get(*v) != Some(n)).map(|e| e.0).collect();
            prop_assert_eq!(a.differing(&b, |a, b| a == b), differing);
            let equal = a.all_against(&b, |_, a, b| b == Some(a));
            prop_assert_eq!(equal, a.iter().all(|(v, n)| b.get(v) == Some(n)));
        }
    }
}
