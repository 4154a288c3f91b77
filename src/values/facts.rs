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

use super::engine::Values;
use super::evaluate::Places;
use super::objects::ObjectId;
use super::offsets::Offsets;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::{Target, Value};
use crate::program::{Base, Expr, ExprKind, Lvalue, Part, Step, Use, each_part_of_lvalue};
use smallvec::SmallVec;
use std::rc::Rc;

/// The bytes of a block that is at one of some places in an object.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bytes {
    object: ObjectId,
    at: Offsets,
    size: i64,
}

/// Blocks of bytes.
type Blocks = SmallVec<[Bytes; 4]>;

/// Names an lvalue: [`Values::named`] in a call at some depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Name {
    lvalue: usize,
    depth: u32,
}

#[derive(Clone, PartialEq, Debug)]
struct Fact {
    name: Name,
    value: Value,
    /// What the lvalue reads, and itself.
    read: Blocks,
}

/// The facts in a state.
#[derive(Clone, Default, Debug)]
pub(super) struct Facts(Vec<Rc<Fact>>);

/// The most facts in a state.
const MOST: usize = 12;
/// The most blocks in a fact.
const MOST_BLOCKS: usize = 12;

impl Bytes {
    fn overlaps(self, other: Bytes) -> bool {
        self.object == other.object && self.at.may_overlap(self.size, other.at, other.size)
    }

    fn is_within(self, other: Bytes) -> bool {
        self.object == other.object && self.size <= other.size && self.at.is_within(other.at)
    }
}

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
        self.0.is_empty()
    }

    /// A block of that size at one of these places may change.
    pub(super) fn written(&mut self, object: ObjectId, at: impl Into<Offsets>, size: i64) {
        if !self.0.is_empty() {
            let written = Bytes { object, at: at.into(), size };
            self.0.retain(|fact| !fact.read.iter().any(|bytes| bytes.overlaps(written)));
        }
    }

    /// All bytes of an object may change.
    pub(super) fn ended(&mut self, object: ObjectId) {
        self.0.retain(|fact| !fact.read.iter().any(|bytes| bytes.object == object));
    }

    fn get(&self, name: Name) -> Option<&Rc<Fact>> {
        self.0.iter().find(|fact| fact.name == name)
    }

    fn add(&mut self, fact: Fact) {
        self.0.retain(|old| old.name != fact.name);
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(Rc::new(fact));
    }

    /// What is true where one of both is. If a chain of them has to end, facts that change go.
    pub(super) fn join(&self, other: &Facts, widens: bool) -> Facts {
        let both = |fact: &Rc<Fact>| {
            let other = other.get(fact.name)?;
            if Rc::ptr_eq(fact, other) {
                return Some(fact.clone());
            }
            fact.join(other).filter(|both| !widens || *both == **fact).map(Rc::new)
        };
        Facts(self.0.iter().filter_map(both).collect())
    }

    /// Whether it says all that the other one does.
    pub(super) fn implies(&self, other: &Facts) -> bool {
        let is_implied = |fact: &Rc<Fact>| self.get(fact.name).is_some_and(|f| Rc::ptr_eq(f, fact) || f.implies(fact));
        other.0.iter().all(is_implied)
    }
}

impl<'p> Values<'p> {
    /// The value of an lvalue, which is one of these.
    pub(super) fn told(&self, state: &State, l: &Lvalue, value: Value) -> Evaluated<Value> {
        let facts = &state.memory.facts;
        if facts.is_empty() {
            return Ok(value);
        }
        let known = facts.0.iter().find(|fact| fact.name.depth == self.depth && same(self.named[fact.name.lvalue], l));
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
        let lvalue = self.named.iter().position(|named| same(named, l)).unwrap_or_else(|| {
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
            let Some(blocks) = self.width(&l.ty).and_then(|size| blocks_of(&places, size)) else { return Ok(None) };
            found.extend(blocks);
        }
        Ok((found.len() <= MOST_BLOCKS).then_some(found))
    }
}

/// What an lvalue reads, and itself, before it is written.
pub(super) struct Before(Blocks);

fn blocks_of(places: &Places, size: u32) -> Option<Blocks> {
    if places.wild || places.bits.is_some() {
        return None;
    }
    let block = |target: &Target| Bytes { object: target.object, at: target.offset, size: size.into() };
    Some(places.known.iter().map(block).collect())
}

/// Whether two lvalues are the same, wherever they stand in the source.
fn same(a: &Lvalue, b: &Lvalue) -> bool {
    let bases = match (&a.base, &b.base) {
        (Base::Var(x), Base::Var(y)) => x == y,
        (Base::Deref(p), Base::Deref(q)) => p.ty == q.ty && same_values(p, q),
        _ => false,
    };
    let steps = |(x, y): (&Step, &Step)| match (x, y) {
        (Step::Index(i), Step::Index(j)) => same_values(i, j),
        (Step::Field(s, m), Step::Field(t, n)) => s == t && m == n,
        _ => false,
    };
    bases && a.path.len() == b.path.len() && a.path.iter().zip(&b.path).all(steps) && a.ty == b.ty
}

/// Whether two expressions have the same value, because they are the same.
fn same_values(a: &Expr, b: &Expr) -> bool {
    a.ty == b.ty
        && match (&a.kind, &b.kind) {
            (ExprKind::Int(m), ExprKind::Int(n)) => m == n,
            (ExprKind::Load(l), ExprKind::Load(m)) | (ExprKind::AddressOf(l), ExprKind::AddressOf(m)) => same(l, m),
            (ExprKind::Unary(o, x), ExprKind::Unary(p, y)) => o == p && same_values(x, y),
            (ExprKind::Binary(o, x, u), ExprKind::Binary(p, y, v)) => o == p && same_values(x, y) && same_values(u, v),
            (ExprKind::Cast(x), ExprKind::Cast(y)) => same_values(x, y),
            _ => false,
        }
}
