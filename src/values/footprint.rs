//! What the execution of a call reads and changes: its footprint (the term of separation logic:
//! O'Hearn, Reynolds & Yang, "Local reasoning about programs that alter data structures", CSL
//! 2001). The rest of a state has no influence on the call, and the call none on it.

use super::objects::ObjectId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// All bytes of an object, and what is known of it as a whole.
pub(super) const WHOLE: Range<i64> = i64::MIN..i64::MAX;
const NONE: Range<i64> = Range { start: i64::MAX, end: i64::MIN };

/// What is done with an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Touched {
    /// The bytes that are read or changed.
    pub bytes: Range<i64>,
    /// The bytes of which something else is known after it.
    pub changed: Range<i64>,
}

/// What a change does of which it is not known where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Change {
    /// Values go somewhere. What was written before is written.
    Stores,
    /// Bytes go somewhere, or functions of the program run: perhaps they copy what lacks a value.
    Copies,
}

/// Where such a change may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reach {
    /// Where addresses lead.
    Addresses,
    /// Also where names of the program lead.
    Names,
}

/// A change of which it is not known where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Forgotten {
    pub change: Change,
    pub reach: Reach,
}

impl Forgotten {
    /// One after the other.
    fn and(self, other: Forgotten) -> Forgotten {
        Forgotten { change: self.change.max(other.change), reach: self.reach.max(other.reach) }
    }
}

/// Objects that may have ended of which it is not known which.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Unseen {
    /// Heap blocks.
    Blocks,
    /// Heap blocks, and local variables.
    Locals,
}

/// What an execution reads and changes.
#[derive(Clone, Default, Debug)]
pub(super) struct Footprint {
    pub objects: FxHashMap<ObjectId, Touched>,
    /// The objects that may end while there are pointers to them.
    pub ended: BTreeSet<ObjectId>,
    /// Others that may.
    pub ended_unseen: Option<Unseen>,
    /// What it does to all that unknown code can reach.
    pub forgets: Option<Forgotten>,
}

/// Writes down a footprint, if somebody needs it. All copies of a memory share one.
#[derive(Clone, Default)]
pub(super) struct Log(Rc<RefCell<Option<Footprint>>>);

impl Default for Touched {
    fn default() -> Touched {
        Touched { bytes: NONE, changed: NONE }
    }
}

impl Touched {
    /// All of an object is read.
    pub(super) fn whole() -> Touched {
        Touched { bytes: WHOLE, changed: NONE }
    }

    /// Whether something else is known of it afterwards.
    pub(super) fn is_changed(&self) -> bool {
        self.changed.start < self.changed.end
    }
}

impl Footprint {
    fn touch(&mut self, object: ObjectId, bytes: Range<i64>, is_changed: bool) {
        let touched = self.objects.entry(object).or_default();
        touched.bytes = hull(&touched.bytes, &bytes);
        if is_changed {
            touched.changed = hull(&touched.changed, &bytes);
        }
    }

    /// Adds that all of an object is read.
    pub(super) fn add_whole(&mut self, object: ObjectId) {
        self.touch(object, WHOLE, false);
    }

    /// What it changes, as if that were all that is touched.
    pub(super) fn changes(&self) -> Footprint {
        let changed = self.objects.iter().filter(|(_, touched)| touched.is_changed());
        let objects = changed.map(|(object, Touched { changed, .. })| {
            (*object, Touched { bytes: changed.clone(), changed: changed.clone() })
        });
        Footprint {
            objects: objects.collect(),
            ended: self.ended.clone(),
            ended_unseen: self.ended_unseen,
            forgets: self.forgets,
        }
    }

    /// Adds another one. Returns the objects of which more is touched now; `None` if that may hold
    /// of all.
    pub(super) fn add(&mut self, other: &Footprint) -> Option<Vec<ObjectId>> {
        let forgets = together(self.forgets, other.forgets);
        let ends_no_more = self.ended_unseen >= other.ended_unseen && other.ended.is_subset(&self.ended);
        let is_same = self.forgets == forgets && ends_no_more;
        let mut grown = is_same.then(Vec::new);
        self.forgets = forgets;
        self.ended_unseen = self.ended_unseen.max(other.ended_unseen);
        self.ended.extend(&other.ended);
        for (object, more) in &other.objects {
            let is_new = !self.objects.contains_key(object);
            let touched = self.objects.entry(*object).or_default();
            let both =
                Touched { bytes: hull(&touched.bytes, &more.bytes), changed: hull(&touched.changed, &more.changed) };
            if is_new || both != *touched {
                grown.iter_mut().for_each(|grown| grown.push(*object));
            }
            *touched = both;
        }
        grown
    }
}

impl Log {
    /// Bytes of an object are read. (Without any: whether it is there, and its size.)
    pub(super) fn read(&self, object: ObjectId, bytes: Range<i64>) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.touch(object, bytes, false);
        }
    }

    /// What is known of an object as a whole is read.
    pub(super) fn looked_at(&self, object: ObjectId) {
        self.read(object, NONE);
    }

    /// Something else is known of some bytes of an object.
    pub(super) fn changed(&self, object: ObjectId, bytes: Range<i64>) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.touch(object, bytes, true);
        }
    }

    /// The same of a whole object.
    pub(super) fn changed_whole(&self, object: ObjectId) {
        self.changed(object, WHOLE);
    }

    /// An object ends to which there may be pointers.
    pub(super) fn ended(&self, object: ObjectId) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.ended.insert(object);
        }
    }

    /// Objects end of which it is not known which.
    pub(super) fn ended_unseen(&self, unseen: Unseen) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.ended_unseen = footprint.ended_unseen.max(Some(unseen));
        }
    }

    /// Something changes of which it is not known where.
    pub(super) fn forgot(&self, forgotten: Forgotten) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.forgets = together(footprint.forgets, Some(forgotten));
        }
    }

    /// What a call does is done.
    pub(super) fn add(&self, other: &Footprint) {
        if let Some(footprint) = &mut *self.0.borrow_mut() {
            footprint.add(other);
        }
    }

    /// Begins a new footprint. Returns the one around it.
    pub(super) fn begin(&self) -> Option<Footprint> {
        self.0.borrow_mut().replace(Footprint::default())
    }

    /// Ends a footprint, and goes on with the one around it.
    pub(super) fn end(&self, around: Option<Footprint>) -> Footprint {
        std::mem::replace(&mut *self.0.borrow_mut(), around).unwrap_or_default()
    }

    /// Does something that has no part in a footprint.
    pub(super) fn without<T>(&self, what: impl FnOnce() -> T) -> T {
        let footprint = self.0.borrow_mut().take();
        let result = what();
        *self.0.borrow_mut() = footprint;
        result
    }
}

fn together(a: Option<Forgotten>, b: Option<Forgotten>) -> Option<Forgotten> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.and(b)),
        (a, b) => a.or(b),
    }
}

fn hull(a: &Range<i64>, b: &Range<i64>) -> Range<i64> {
    a.start.min(b.start)..a.end.max(b.end)
}
