//! The objects of a program, by name.

use crate::program::{Outside, Program, StmtId, StructId, VarId};
use rustc_hash::FxBuildHasher;
use std::collections::HashMap;

/// Names an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObjectId(u32);

impl ObjectId {
    /// One of 64 bits, for sets of objects in which others may seem to be.
    pub(super) fn bit(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// Names a part of an object, by the members on the way there: `&k.tab[3]` and `&k.tab[n]` are
/// addresses of the same part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PartId(u16);

/// The most members on the way to a part that has a name of its own.
const MOST_MEMBERS: u8 = 6;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    /// A variable of the call at that depth; globals have depth 0. One name stands for all objects
    /// that the declaration makes, one after the other: the program does not use those that have
    /// ended. At the depth [`EVERY_CALL`]: those of all calls that are open.
    Variable(VarId, u32),
    /// What the call at that depth returns.
    Result(u32),
    /// A block that an allocation makes; the number counts them. `None`: all further ones.
    Heap(Site, Option<u32>),
    /// All objects of that kind that are not the program's.
    Outside(Outside),
}

/// The depth of variables whose names stand for those of all open calls of a function.
pub(super) const EVERY_CALL: u32 = u32::MAX;

/// The depth of variables of functions of which one call is open at a time, if no call is executed
/// on its own: the name says nothing of the calls around it.
pub(super) const ONLY_CALL: u32 = u32::MAX - 1;

/// A statement in a chain of calls; the entry function is called from [`Site::default`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Site(u32);

/// All objects that have been named.
#[derive(Default)]
pub(super) struct Objects {
    origins: Vec<Origin>,
    /// Those of variables: by variable and depth.
    variables: HashMap<(VarId, u32), ObjectId, FxBuildHasher>,
    others: HashMap<Origin, ObjectId>,
    sites: HashMap<(Site, StmtId), Site>,
    /// The parts, by the part around them and the member.
    parts: HashMap<(PartId, StructId, u32), PartId, FxBuildHasher>,
    /// The numbers of members on the ways to the parts, but for the whole.
    lengths: Vec<u8>,
}

impl Objects {
    /// The object's name.
    pub(super) fn id(&mut self, origin: Origin) -> ObjectId {
        let origins = &mut self.origins;
        let new = || {
            origins.push(origin);
            ObjectId(origins.len() as u32 - 1)
        };
        match origin {
            Origin::Variable(v, depth) => *self.variables.entry((v, depth)).or_insert_with(new),
            _ => *self.others.entry(origin).or_insert_with(new),
        }
    }

    /// The only object of a variable that is known by a name, if it has one name.
    pub(super) fn known(&self, v: VarId) -> Option<ObjectId> {
        let mut names = [0, 1, ONLY_CALL].into_iter().filter_map(|depth| self.variables.get(&(v, depth)));
        names.next().copied().filter(|_| names.next().is_none())
    }

    /// The part that a member of a part is; the part itself if it is far inside.
    pub(super) fn member(&mut self, part: PartId, structure: StructId, member: u32) -> PartId {
        if let Some(known) = self.parts.get(&(part, structure, member)) {
            return *known;
        }
        // The whole has no entry.
        let length = usize::from(part.0).checked_sub(1).map_or(0, |n| self.lengths[n]);
        let new = match u16::try_from(self.lengths.len() + 1) {
            Ok(n) if length < MOST_MEMBERS => {
                self.lengths.push(length + 1);
                PartId(n)
            }
            _ => part,
        };
        self.parts.insert((part, structure, member), new);
        new
    }

    /// A statement in a function that is called from there.
    pub(super) fn site(&mut self, call: Site, stmt: StmtId) -> Site {
        let next = Site(self.sites.len() as u32 + 1);
        *self.sites.entry((call, stmt)).or_insert(next)
    }

    /// Whether the source does not declare the object, so that it may share its memory with others
    /// (string literals).
    pub(super) fn is_hidden(&self, id: ObjectId, program: &Program) -> bool {
        matches!(self.origin(id), Origin::Variable(v, _) if program.variable(v).is_hidden())
    }

    /// What the object is.
    pub(super) fn origin(&self, id: ObjectId) -> Origin {
        self.origins[id.0 as usize]
    }
}

impl PartId {
    /// All of the object.
    pub(super) const WHOLE: PartId = PartId(0);
}

impl Origin {
    /// Whether the name stands for several objects at a time.
    pub(super) fn is_several(self) -> bool {
        matches!(self, Origin::Heap(_, None) | Origin::Variable(_, EVERY_CALL) | Origin::Outside(_))
    }

    /// Whether it is kept where states are joined of which only one has it: no pointer to it exists
    /// in the other one.
    pub(super) fn is_kept(self) -> bool {
        matches!(self, Origin::Heap(..) | Origin::Variable(_, EVERY_CALL))
    }
}
