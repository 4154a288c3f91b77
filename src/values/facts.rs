//! What was found out about the value of an lvalue, where it is not known which cell it names.
//!
//! In `if (*link != 0) link = &(*link)->next;` the condition says nothing of the cells to which
//! `link` may lead: the others may hold null. But the same lvalue still has the same value until
//! something that it depends on is written ("available expressions" with values: compare the
//! symbolic constants of Miné, "Symbolic methods to enhance the precision of numerical abstract
//! domains", VMCAI 2006).
//!
//! **Meaning.** A fact is true of the memories in which all that the lvalue reads, and itself, lies
//! in some blocks of bytes, and in which it has one of some values. A state means the memories of
//! which all its facts are true. **Sound**: a write into one of the blocks removes the fact; other
//! writes change neither the place nor the value.

use super::blocks::{Blocks, Bytes, Effect, MOST_BLOCKS};
use super::implications::Implications;
use super::objects::ObjectId;
use super::offsets::Offsets;
use super::texts::Texts;
use super::value::Value;
use std::rc::Rc;

/// Names an lvalue: [`Values::named`] in a call at some depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name {
    pub lvalue: usize,
    pub depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fact {
    pub name: Name,
    pub value: Value,
    /// What the lvalue reads, and itself.
    pub read: Blocks,
}

/// The facts in a state.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Facts {
    lvalues: Vec<Rc<Fact>>,
    /// What is known of texts.
    pub texts: Texts,
    /// What follows from the values of cells.
    pub implications: Implications,
}

/// The most facts in a state.
const MOST: usize = 12;

impl Fact {
    /// True where one of both is.
    fn join(&self, other: &Fact) -> Option<Fact> {
        let mut read = self.read.clone();
        let more = other.read.iter().filter(|bytes| !read.iter().any(|b| bytes.is_within(*b)));
        let more: Blocks = more.copied().collect();
        read.extend(more);
        (read.len() <= MOST_BLOCKS).then(|| Fact { name: self.name, value: self.value.join(&other.value), read })
    }

    /// Whether it says all that the other one does.
    fn implies(&self, other: &Fact) -> bool {
        self.value.is_within(&other.value)
            && self.read.iter().all(|bytes| other.read.iter().any(|other| bytes.is_within(*other)))
    }
}

impl Facts {
    pub(super) fn is_empty(&self) -> bool {
        self.lvalues.is_empty()
    }

    /// A block of that size at one of these places may change.
    pub(super) fn written(&mut self, object: ObjectId, at: impl Into<Offsets>, size: i64, effect: Effect) {
        let written = Bytes { object, at: at.into(), size };
        self.texts.written(written, effect);
        self.implications.written(written);
        if !self.lvalues.is_empty() {
            self.lvalues.retain(|fact| !fact.read.iter().any(|bytes| bytes.overlaps(written)));
        }
    }

    /// All bytes of an object may change.
    pub(super) fn ended(&mut self, object: ObjectId) {
        self.implications.ended(object);
        self.forget(|other| other == object);
    }

    /// All bytes of some objects may change.
    pub(super) fn all_ended(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.implications.all_ended(&is_ended);
        self.forget(is_ended);
    }

    /// Forgets what is known of texts and lvalues in some objects.
    fn forget(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.texts.all_ended(&is_ended);
        self.lvalues.retain(|fact| !fact.read.iter().any(|bytes| is_ended(bytes.object)));
    }

    /// Pointers to some objects may lead to one that has ended.
    pub(super) fn end_pointers(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.implications.end_pointers(&is_ended);
        for fact in &mut self.lvalues {
            if let Some(value) = fact.value.after_end(&is_ended) {
                *fact = Rc::new(Fact { value, ..Fact::clone(fact) });
            }
        }
    }

    /// The facts about lvalues in calls at that depth.
    pub(super) fn at_depth(&self, depth: u32) -> impl Iterator<Item = &Fact> {
        self.lvalues.iter().map(|fact| &**fact).filter(move |fact| fact.name.depth == depth)
    }

    fn get(&self, name: Name) -> Option<&Rc<Fact>> {
        self.lvalues.iter().find(|fact| fact.name == name)
    }

    pub(super) fn add(&mut self, fact: Fact) {
        self.lvalues.retain(|old| old.name != fact.name);
        if self.lvalues.len() == MOST {
            self.lvalues.remove(0);
        }
        self.lvalues.push(Rc::new(fact));
    }

    /// What is true where one of both is, given what is of texts and of implications. If a chain of
    /// them has to end, facts that change go.
    pub(super) fn join(&self, other: &Facts, (texts, implications): (Texts, Implications), widens: bool) -> Facts {
        let both = |fact: &Rc<Fact>| {
            let other = other.get(fact.name)?;
            if Rc::ptr_eq(fact, other) {
                return Some(fact.clone());
            }
            fact.join(other).filter(|both| !widens || *both == **fact).map(Rc::new)
        };
        Facts { lvalues: self.lvalues.iter().filter_map(both).collect(), texts, implications }
    }

    /// Whether it says all of lvalues that the other one does.
    pub(super) fn implies(&self, other: &Facts) -> bool {
        let is_implied = |fact: &Rc<Fact>| self.get(fact.name).is_some_and(|f| Rc::ptr_eq(f, fact) || f.implies(fact));
        other.lvalues.iter().all(is_implied)
    }
}
