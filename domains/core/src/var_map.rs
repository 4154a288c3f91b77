//! A map from variables whose copies share what they have in common.

use crate::Var;
use std::fmt;
use std::rc::Rc;

/// A sorted map from variables to values, for elements that are copied at every program point and change in a few places.
///
/// A copy costs one counter; a change to a copy costs the chunk around the variable and the list of chunks. Combining two maps skips
/// the chunks that they share, so that joining the states of two branches costs what the branches changed.
#[derive(Clone)]
pub struct VarMap<T> {
    /// Ascending by key; no chunk is empty.
    chunks: Rc<Vec<(u64, Rc<Chunk<T>>)>>,
}

/// The entries of variables whose numbers agree but for the last bits, ascending.
type Chunk<T> = Vec<(Var, T)>;

/// How many neighbouring variables are in one chunk, as a power of two.
const CHUNK_BITS: u32 = 5;

fn key(v: Var) -> u64 {
    v.0 >> CHUNK_BITS
}

impl<T> VarMap<T> {
    /// No entry.
    pub fn new() -> Self {
        VarMap { chunks: Rc::new(Vec::new()) }
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The value of `v`.
    pub fn get(&self, v: Var) -> Option<&T> {
        let chunk = &self.chunks[self.chunks.binary_search_by_key(&key(v), |c| c.0).ok()?].1;
        Some(&chunk[chunk.binary_search_by_key(&v, |e| e.0).ok()?].1)
    }

    /// Whether `v` has a value.
    pub fn contains(&self, v: Var) -> bool {
        self.get(v).is_some()
    }

    /// The entries, ascending by variable.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &T)> {
        self.chunks.iter().flat_map(|c| c.1.iter().map(|e| (e.0, &e.1)))
    }

    /// Whether both are copies of one map that did not change since. (`false` says nothing.)
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chunks, &other.chunks)
    }
}

impl<T: Clone> VarMap<T> {
    /// Gives `v` a value; answers the old one.
    pub fn insert(&mut self, v: Var, value: T) -> Option<T> {
        let chunks = Rc::make_mut(&mut self.chunks);
        match chunks.binary_search_by_key(&key(v), |c| c.0) {
            Err(at) => {
                chunks.insert(at, (key(v), Rc::new(vec![(v, value)])));
                None
            }
            Ok(at) => {
                let chunk = Rc::make_mut(&mut chunks[at].1);
                match chunk.binary_search_by_key(&v, |e| e.0) {
                    Ok(n) => Some(std::mem::replace(&mut chunk[n].1, value)),
                    Err(n) => {
                        chunk.insert(n, (v, value));
                        None
                    }
                }
            }
        }
    }

    /// The value of `v`, to be changed.
    pub fn get_mut(&mut self, v: Var) -> Option<&mut T> {
        let at = self.chunks.binary_search_by_key(&key(v), |c| c.0).ok()?;
        let n = self.chunks[at].1.binary_search_by_key(&v, |e| e.0).ok()?;
        let chunk = Rc::make_mut(&mut Rc::make_mut(&mut self.chunks)[at].1);
        Some(&mut chunk[n].1)
    }

    /// Takes the value of `v` away.
    pub fn remove(&mut self, v: Var) -> Option<T> {
        let at = self.chunks.binary_search_by_key(&key(v), |c| c.0).ok()?;
        let n = self.chunks[at].1.binary_search_by_key(&v, |e| e.0).ok()?;
        let chunks = Rc::make_mut(&mut self.chunks);
        let (_, value) = Rc::make_mut(&mut chunks[at].1).remove(n);
        if chunks[at].1.is_empty() {
            chunks.remove(at);
        }
        Some(value)
    }

    /// Keeps the variables that have a value on both sides and for which `combine` gives one. `combine(a, a)` must be
    /// `Some(a)`: it is not asked for entries that the two maps share.
    pub fn intersect_with(&mut self, other: &Self, mut combine: impl FnMut(Var, &T, &T) -> Option<T>) {
        if self.same(other) {
            return;
        }
        let mut kept = Vec::with_capacity(self.chunks.len());
        for (k, mine) in self.chunks.iter() {
            let Ok(at) = other.chunks.binary_search_by_key(k, |c| c.0) else { continue };
            let theirs = &other.chunks[at].1;
            if Rc::ptr_eq(mine, theirs) {
                kept.push((*k, mine.clone()));
                continue;
            }
            let both = mine.iter().filter_map(|(v, a)| {
                let n = theirs.binary_search_by_key(v, |e| e.0).ok()?;
                Some((*v, combine(*v, a, &theirs[n].1)?))
            });
            let chunk: Chunk<T> = both.collect();
            if !chunk.is_empty() {
                kept.push((*k, Rc::new(chunk)));
            }
        }
        self.chunks = Rc::new(kept);
    }

    /// Whether `holds` for each entry of `self` and what `other` has for the same variable. `holds(a, Some(a))` must be true: it is
    /// not asked for entries that the two maps share.
    pub fn all_against(&self, other: &Self, mut holds: impl FnMut(Var, &T, Option<&T>) -> bool) -> bool {
        self.same(other)
            || self.chunks.iter().all(|(k, mine)| {
                let theirs = other.chunks.binary_search_by_key(k, |c| c.0).ok().map(|at| &other.chunks[at].1);
                theirs.is_some_and(|theirs| Rc::ptr_eq(mine, theirs))
                    || mine.iter().all(|(v, a)| {
                        let b = theirs.and_then(|t| Some(&t[t.binary_search_by_key(v, |e| e.0).ok()?].1));
                        holds(*v, a, b)
                    })
            })
    }
}

impl<T> Default for VarMap<T> {
    fn default() -> Self {
        VarMap::new()
    }
}

impl<T: Clone> FromIterator<(Var, T)> for VarMap<T> {
    fn from_iter<I: IntoIterator<Item = (Var, T)>>(entries: I) -> Self {
        let mut map = VarMap::new();
        for (v, value) in entries {
            map.insert(v, value);
        }
        map
    }
}

impl<T: PartialEq> PartialEq for VarMap<T> {
    fn eq(&self, other: &Self) -> bool {
        self.same(other) || self.chunks == other.chunks
    }
}

impl<T: Eq> Eq for VarMap<T> {}

impl<T: fmt::Debug> fmt::Debug for VarMap<T> {
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
            let equal = a.all_against(&b, |_, a, b| b == Some(a));
            prop_assert_eq!(equal, a.iter().all(|(v, n)| b.get(v) == Some(n)));
        }
    }
}
