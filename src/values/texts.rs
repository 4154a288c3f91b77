//! Where texts end: relations between a zero byte and the pointers and indexes that walk up to it.
//!
//! In `while (line[n] != 0) n++;` no interval says why `n` stays inside of the array: it is never
//! greater than the place of a zero. Nor does one say after `line[n] = c; n++;` that the bytes up
//! to `n` are written. So both are kept as relations to addresses, which move along with them
//! (compare the string lengths of Dor, Rodeh & Sagiv, "CSSV: towards a realistic tool for
//! statically detecting all buffer overflows in C", PLDI 2003; they are not lengths here, since any
//! pointer into a text may walk).
//!
//! **Meaning.** A state means the memories of which all its relations are true, in which the
//! variables of a relation lie where it says, and in which its address leads into objects that it
//! names. If the pointer in an address is null, the relation says nothing.
//!
//! **Sound**: a write into the variables of a relation removes it, unless it moves the address by a
//! known number of bytes. A write into its object removes it, unless what it says is true of the
//! new bytes too ([`Effect`]).

use super::blocks::{Blocks, Bytes, Effect, MOST_BLOCKS};
use super::number::Number;
use super::objects::ObjectId;
use super::offsets::Offsets;
use std::rc::Rc;

/// A variable: a pointer or an integer, of a size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    pub object: ObjectId,
    pub size: u32,
    pub is_signed: bool,
}

/// Where an address begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// At the start of an object.
    Start(ObjectId),
    /// At the start of each object of a name that several have.
    Every(ObjectId),
    /// Where a pointer leads.
    Pointer(Variable),
}

/// An index that counts steps of so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Index {
    pub variable: Variable,
    pub step: i64,
}

/// The address so far after a base as an index says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub base: Base,
    pub index: Option<Index>,
}

/// What a relation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Says {
    /// In the object to which the address leads, some byte `z` at the address plus [`Text::plus`],
    /// or after that, is zero. All bytes from the address plus `written` to `z` are written.
    Ends { written: Option<i64> },
    /// The bytes of the object from an offset up to the address plus [`Text::plus`] are written,
    /// that one itself not. (They are none if the address plus that is not greater.)
    Written { object: ObjectId, from: i64 },
    /// The objects hold what they held when the program started.
    Unchanged,
    /// The index in the address, plus [`Text::plus`], is less than the number of arguments of
    /// `main`.
    Counted,
}

/// A relation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Text {
    pub address: Address,
    pub plus: i64,
    pub says: Says,
    /// Where the bytes lie of which it speaks, if not further on in these objects.
    bytes: Blocks,
}

/// Where objects are taken to begin if it is not known where offsets begin.
pub(super) const FIRST: i64 = i64::MIN / 4;
/// Objects go on up to here at most.
const LAST: i64 = i64::MAX / 2;
/// The most relations in a state.
const MOST: usize = 12;
/// How far a relation may be from its address.
const FURTHEST: i64 = 64;

impl Address {
    fn of_every(name: ObjectId) -> Address {
        Address { base: Base::Every(name), index: None }
    }

    /// An index into an array, as it is counted.
    pub(super) fn counting(array: ObjectId, index: Variable) -> Address {
        Address { base: Base::Every(array), index: Some(Index { variable: index, step: 1 }) }
    }

    fn variables(self) -> Blocks {
        let pointer = match self.base {
            Base::Start(_) | Base::Every(_) => None,
            Base::Pointer(pointer) => Some(pointer),
        };
        let bytes = |v: Variable| Bytes { object: v.object, at: Offsets::constant(0), size: v.size.into() };
        pointer.into_iter().chain(self.index.map(|index| index.variable)).map(bytes).collect()
    }

    /// Whether a write to these bytes does not move it.
    pub(super) fn is_apart(self, written: &[Bytes]) -> bool {
        !self.variables().iter().any(|bytes| written.iter().any(|written| bytes.overlaps(*written)))
    }

    /// Whether it is the start of each object of a name.
    fn is_of_all(self) -> bool {
        matches!(self, Address { base: Base::Every(_), index: None })
    }

    /// The same address with another variable as its index, if its index is a variable; and how
    /// many bytes a step of that makes.
    pub(super) fn with_index(self, from: Variable, to: Variable) -> Option<(Address, i64)> {
        let Index { step, .. } = self.index.filter(|index| index.variable == from)?;
        Some((Address { index: Some(Index { variable: to, step }), ..self }, step))
    }

    /// Whether it never moves.
    pub(super) fn is_fixed(self) -> bool {
        matches!(self, Address { base: Base::Start(_), index: None })
    }
}

impl Text {
    /// The relation of an address plus so many bytes that lies at these places.
    pub(super) fn new(address: Address, plus: i64, says: Says, places: &[(ObjectId, i64)]) -> Option<Text> {
        let is_near = |n: i64| n.abs() <= FURTHEST || address.is_fixed();
        let (says, back) = match says {
            Says::Ends { written } => {
                let written = written.map(|n| if address.is_fixed() { n } else { n.max(-FURTHEST) });
                let written = written.filter(|n| is_near(*n));
                (Says::Ends { written }, written.map_or(0, |n| plus.saturating_sub(n).max(0)))
            }
            Says::Written { .. } | Says::Unchanged | Says::Counted => (says, 0),
        };
        let block = |(object, at): &(ObjectId, i64)| {
            let from = match says {
                Says::Ends { .. } | Says::Unchanged | Says::Counted => at.saturating_sub(back),
                Says::Written { from, .. } => from,
            };
            Some(Bytes { object: *object, at: Number::range(from.into(), from.max(LAST).into())?.into(), size: 1 })
        };
        let bytes = places.iter().map(block).collect::<Option<Blocks>>()?;
        (is_near(plus) && !bytes.is_empty() && bytes.len() <= MOST_BLOCKS).then(|| Text { address, plus, says, bytes })
    }

    /// That the bytes up to an earlier address are written, if it says that of those up to its own;
    /// the other address, plus so many bytes, is not after it.
    pub(super) fn earlier(&self, address: Address, further: i64) -> Option<Text> {
        let plus = self.plus.checked_add(further).filter(|plus| *plus >= -FURTHEST)?.min(FURTHEST);
        matches!(self.says, Says::Written { .. }).then(|| Text { address, plus, ..self.clone() })
    }

    /// The same of another address, which is so many bytes further on.
    pub(super) fn moved(&self, address: Address, by: i64) -> Option<Text> {
        let says = match self.says {
            Says::Ends { written } => Says::Ends { written: written.map(|n| n.saturating_sub(by).max(-FURTHEST)) },
            says => says,
        };
        // Less is said of a place that is nearer.
        let plus = self.plus.checked_sub(by)?.min(FURTHEST);
        let text = Text { address, plus, says, bytes: self.bytes.clone() };
        (plus >= -FURTHEST).then_some(text)
    }

    /// That it is not the byte there that ends the text.
    pub(super) fn after(self) -> Option<Text> {
        let plus = self.plus.checked_add(1).filter(|n| *n <= FURTHEST || self.address.is_fixed())?;
        Some(Text { plus, ..self })
    }

    /// Whether it speaks of that object alone.
    pub(super) fn is_in(&self, object: ObjectId) -> bool {
        self.bytes.iter().all(|bytes| bytes.object == object)
    }

    fn survives(&self, written: Bytes, effect: Effect) -> bool {
        let stays_true = match self.says {
            Says::Ends { .. } => effect == Effect::Zeros,
            Says::Written { .. } => effect != Effect::Copies,
            Says::Unchanged => false,
            Says::Counted => true,
        };
        self.address.is_apart(&[written]) && (stays_true || !self.bytes.iter().any(|bytes| bytes.overlaps(written)))
    }

    /// Whether both are about the same.
    pub(super) fn is_alike(&self, other: &Text) -> bool {
        let is_same = match (self.says, other.says) {
            (Says::Ends { .. }, Says::Ends { .. }) => true,
            (a, b) => a == b,
        };
        self.address == other.address && is_same
    }

    /// Whether it says all that the other one does, which is alike.
    pub(super) fn implies(&self, other: &Text) -> bool {
        let is_more = match (self.says, other.says) {
            (Says::Ends { written: a }, Says::Ends { written: b }) => b.is_none_or(|b| a.is_some_and(|a| a <= b)),
            _ => true,
        };
        is_more && self.plus >= other.plus && self.lies_within(other)
    }

    fn lies_within(&self, other: &Text) -> bool {
        self.bytes.iter().all(|bytes| other.bytes.iter().any(|other| bytes.is_within(*other)))
    }

    /// Whether a relation is as it was, but for what is said of written bytes, which can change
    /// once.
    pub(super) fn ends_chain_of(&self, old: &Text) -> bool {
        let is_same = match (old.says, self.says) {
            (Says::Ends { written: a }, Says::Ends { written: b }) => a == b || b.is_none(),
            (a, b) => a == b,
        };
        is_same && old.plus == self.plus && old.bytes == self.bytes
    }

    /// The same with another distance from the address, which is not greater.
    pub(super) fn nearer(&self, plus: i64) -> Text {
        Text { plus, ..self.clone() }
    }

    /// What is true where one of both is; they are alike.
    pub(super) fn join(&self, other: &Text) -> Option<Text> {
        let says = match (self.says, other.says) {
            (Says::Ends { written: Some(a) }, Says::Ends { written: Some(b) }) => {
                Says::Ends { written: Some(a.max(b)) }
            }
            (Says::Ends { .. }, _) => Says::Ends { written: None },
            (says, _) => says,
        };
        let more = other.bytes.iter().filter(|bytes| !self.bytes.iter().any(|own| bytes.is_within(*own)));
        let bytes: Blocks = self.bytes.iter().chain(more).copied().collect();
        (bytes.len() <= MOST_BLOCKS).then(|| Text { plus: self.plus.min(other.plus), says, bytes, ..self.clone() })
    }
}

/// The relations in a state.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Texts(Vec<Rc<Text>>);

impl Texts {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rc<Text>> {
        self.0.iter()
    }

    /// Whether each object of that name contains a text, from its start on.
    pub(super) fn are_texts(&self, name: ObjectId) -> bool {
        self.of(Address::of_every(name)).any(|text| matches!(text.says, Says::Ends { .. }))
    }

    /// Whether each object of that name holds what it held when the program started.
    pub(super) fn are_unchanged(&self, name: ObjectId) -> bool {
        self.of(Address::of_every(name)).any(|text| text.says == Says::Unchanged)
    }

    /// Notes what is true of each object of a name.
    pub(super) fn begin(&mut self, name: ObjectId, says: Says) {
        self.extend(Text::new(Address::of_every(name), 0, says, &[(name, FIRST)]));
    }

    /// The relations to an address.
    pub(super) fn of(&self, address: Address) -> impl Iterator<Item = &Rc<Text>> {
        self.0.iter().filter(move |text| text.address == address)
    }

    /// These bytes change.
    pub(super) fn written(&mut self, written: Bytes, effect: Effect) {
        if !self.0.is_empty() {
            self.0.retain(|text| text.survives(written, effect));
        }
    }

    /// All bytes of some objects may change.
    pub(super) fn all_ended(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.0.retain(|text| !text.address.variables().iter().chain(&text.bytes).any(|bytes| is_ended(bytes.object)));
    }

    /// Whether no other relation can be added without the loss of one.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Adds a relation about something that no other one is about.
    pub(super) fn push(&mut self, text: Rc<Text>) {
        self.0.push(text);
    }

    /// Adds relations.
    pub(super) fn extend(&mut self, texts: impl IntoIterator<Item = Text>) {
        texts.into_iter().for_each(|text| self.add(text));
    }

    /// Adds a relation. If two are about the same, the newer one counts, unless it says less.
    pub(super) fn add(&mut self, text: Text) {
        let old = self.0.iter().position(|old| old.is_alike(&text));
        match old {
            Some(n) if self.0[n].implies(&text) => return,
            Some(n) => _ = self.0.remove(n),
            None if self.is_full() => {
                let oldest = self.0.iter().position(|old| !old.address.is_of_all());
                _ = self.0.remove(oldest.unwrap_or(0));
            }
            None => {}
        }
        self.0.push(Rc::new(text));
    }
}
