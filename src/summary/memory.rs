//! Pointers as terms: what they point to, how they are made, moved and compared.
//!
//! **Meaning.** A pointer is an integer term: the address of a place plus a number of elements. The
//! address of a place is a symbol for the object and the way to the place, applied to the indexes
//! on that way. Each execution of an allocation makes an object of its own: the iteration numbers
//! of the loops around it are indexes too, so a statement is one object that has an array for each
//! iteration. The null pointer is 0.
//!
//! **Why this is sound.** Let the symbols of addresses stand for numbers that lie so far apart that
//! no two pointers of a run have the same number unless they are equal. Then whatever is true of
//! all integers is true of pointers, and a term that is an address plus an offset without addresses
//! is a pointer to that place. Numbers are used for nothing else: comparisons and differences are
//! made of offsets and indexes here, and conversions between pointers and numbers are unknown.
//!
//! **Limits.** An offset counts elements of the type that the place was made with. Through another
//! type nothing is known but the object. In rows of matrices and members of structs pointers move
//! only where the result is known to stay inside.

use super::state::{CellOf, Object, RegionStep};
use crate::program::{
    Base, Block, Location, Lvalue, Part, Program, StmtId, StmtKind, Type, Use, VarId, each_part_of_lvalue,
};
use smalti_terms::{Context, Int, Node, Poly, Symbol, Term};
use std::collections::{HashMap, HashSet};

/// A pointer may point to so many places, one for each case.
const MOST_PLACES: usize = 8;

/// The blocks of memory that one statement allocates.
#[derive(Clone, Debug)]
pub struct AllocationSite {
    /// Where the statement stands.
    pub location: Location,
    /// The name of the variable that receives the address, or through which it is stored.
    pub name: String,
    /// The number of loops around the statement. The cells have so many indexes more: the iteration
    /// numbers, from the outside in.
    pub loops: usize,
    /// Whether the blocks are filled with zeros.
    pub(super) zeroed: bool,
}

/// How far pointers to a place may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// Nowhere: there is one such place.
    Alone,
    /// Along an array that is an object of its own. What is outside does not exist.
    Array,
    /// Along an array of so many elements that has something beside it.
    Row(u64),
}

/// What the symbol of an address means.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) object: Object,
    /// The way there. The last index is the offset of the pointer, unless the place is alone.
    pub(super) path: Vec<RegionStep>,
    /// So many arguments are no indexes: they tell different lifetimes of a variable apart.
    pub(super) lifetimes: usize,
    pub(super) reach: Reach,
    /// The type of what lies there.
    pub(super) ty: Type,
}

/// An address that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) symbol: Symbol,
    pub(super) arguments: Vec<Term>,
    pub(super) offset: Term,
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Null,
    /// The pointer was never set. To use it as an address is undefined behaviour.
    Unset,
    Unknown,
    Known(Address),
}

/// What an lvalue denotes.
pub(super) enum Denoted {
    Cell(CellOf),
    /// Some part of an object.
    Part(Object),
    Unknown,
}

/// What is known of addresses.
pub(super) struct Memory<'p> {
    pub(super) sites: Vec<AllocationSite>,
    /// By site, the type of the elements.
    pub(super) elements: Vec<&'p Type>,
    /// The site that a statement is.
    pub(super) site_of: HashMap<StmtId, u32>,
    /// The number of loops around the declarations of variables.
    pub(super) loops_around: HashMap<VarId, usize>,
    pub(super) places: HashMap<Symbol, Place>,
    pub(super) symbols: HashMap<(Object, Vec<RegionStep>), Symbol>,
    /// The unknowns that stand for contents of new objects.
    unset: HashSet<Symbol>,
}

impl<'p> Memory<'p> {
    /// What blocks of a program allocate and declare.
    pub(super) fn of(program: &Program, blocks: [&'p Block; 2]) -> Memory<'p> {
        let mut memory = Memory {
            sites: Vec::new(),
            elements: Vec::new(),
            site_of: HashMap::new(),
            loops_around: HashMap::new(),
            places: HashMap::new(),
            symbols: HashMap::new(),
            unset: HashSet::new(),
        };
        blocks.into_iter().for_each(|block| memory.look(program, block, 0));
        memory
    }

    fn look(&mut self, program: &Program, block: &'p Block, loops: usize) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Declare(v) => _ = self.loops_around.insert(*v, loops),
                StmtKind::Allocate { target, element, zeroed, .. } => {
                    let number = u32::try_from(self.sites.len()).unwrap_or(u32::MAX);
                    self.site_of.insert(stmt.id(), number);
                    let name =
                        receiver(target).map_or("block".to_owned(), |v| program.variable(v).shown().into_owned());
                    self.elements.push(element);
                    self.sites.push(AllocationSite { location: stmt.location, name, loops, zeroed: *zeroed });
                }
                _ => {}
            }
            let inside = loops + usize::from(matches!(stmt.kind, StmtKind::Loop(_)));
            stmt.blocks().for_each(|b| self.look(program, b, inside));
        }
    }

    /// All objects that are not variables.
    pub(super) fn blocks(&self) -> Vec<Object> {
        (0..).zip(&self.sites).map(|(n, _)| Object::Blocks(n)).collect()
    }

    /// Notes that an unknown stands for the contents of a new object.
    pub(super) fn has_unset(&mut self, c: &Context, unknown: Term) {
        if let Node::Apply(symbol, _) = *c.node(unknown) {
            self.unset.insert(symbol);
        }
    }

    /// Whether an atom may be what a pointer is an offset from.
    fn is_origin(&self, c: &Context, atom: Term) -> bool {
        match &*c.node(atom) {
            Node::Apply(symbol, _) => self.places.contains_key(symbol) || self.unset.contains(symbol),
            Node::Read(array, _) => {
                matches!(&*c.node(*array), Node::Apply(symbol, _) if self.unset.contains(symbol))
            }
            Node::Ite(_, a, b) => self.origin(c, *a).is_some() || self.origin(c, *b).is_some(),
            _ => false,
        }
    }

    /// Whether an atom is the address of a place, at least in one case. A number is never made of
    /// addresses.
    fn is_place(&self, c: &Context, atom: Term) -> bool {
        match &*c.node(atom) {
            Node::Apply(symbol, _) => self.places.contains_key(symbol),
            Node::Ite(_, a, b) => {
                [*a, *b].into_iter().any(|t| c.poly(t).atoms().into_iter().any(|atom| self.is_place(c, atom)))
            }
            _ => false,
        }
    }

    /// The part of a pointer that is no offset.
    fn origin(&self, c: &Context, t: Term) -> Option<Term> {
        let mut found = None;
        let mut atoms = c.poly(t).atoms();
        // An unknown number beside the address of a place is an offset.
        if atoms.iter().any(|atom| self.is_place(c, *atom)) {
            atoms.retain(|atom| self.is_place(c, *atom));
        }
        for atom in atoms.into_iter().filter(|atom| self.is_origin(c, *atom)) {
            let rest = c.poly(t).sub(&Poly::atom(atom));
            if found.is_some() || rest.degree_in(atom) > 0 {
                return None;
            }
            found = Some(atom);
        }
        found
    }

    /// Splits a pointer whose places are all known into a part that does not move and an offset.
    pub(super) fn split(&self, c: &Context, pointer: Term) -> Option<(Term, Term)> {
        let origin = self.origin(c, pointer)?;
        let is_known = self.targets(c, pointer).iter().all(|(_, target)| matches!(target, Target::Known(_)));
        is_known.then(|| (origin, c.sub(pointer, origin)))
    }

    /// The offset from `origin` of a pointer whose places are all known, if it is one from there.
    pub(super) fn offset_from(&self, c: &Context, pointer: Term, origin: Term) -> Option<Term> {
        self.split(c, pointer).filter(|split| split.0 == origin).map(|split| split.1)
    }

    /// What a pointer points to, by cases of which one holds.
    pub(super) fn targets(&self, c: &Context, pointer: Term) -> Vec<(Term, Target)> {
        let mut found = Vec::new();
        self.add_targets(c, pointer, c.truth(true), &mut found);
        if found.len() > MOST_PLACES {
            return vec![(c.truth(true), Target::Unknown)];
        }
        found
    }

    fn add_targets(&self, c: &Context, pointer: Term, given: Term, found: &mut Vec<(Term, Target)>) {
        if c.as_truth(given) == Some(false) || found.len() > MOST_PLACES {
            return;
        }
        if c.as_int(pointer) == Some(Int::from(0)) {
            return found.push((given, Target::Null));
        }
        let Some(origin) = self.origin(c, pointer) else { return found.push((given, Target::Unknown)) };
        let offset = c.sub(pointer, origin);
        if c.has_symbol(offset, |symbol| self.places.contains_key(&symbol)) {
            return found.push((given, Target::Unknown));
        }
        match &*c.node(origin) {
            Node::Ite(p, a, b) => {
                self.add_targets(c, c.add(*a, offset), c.and(&[given, *p]), found);
                self.add_targets(c, c.add(*b, offset), c.and(&[given, c.not(*p)]), found);
            }
            Node::Apply(symbol, arguments) if self.places.contains_key(symbol) => {
                let address = Address { symbol: *symbol, arguments: arguments.clone(), offset };
                found.push((given, Target::Known(address)));
            }
            _ => found.push((given, Target::Unset)),
        }
    }
}

/// The variable that receives an address, or through which it is stored.
fn receiver(target: &Lvalue) -> Option<VarId> {
    let mut found = None;
    each_part_of_lvalue(target, Use::Write, &mut |part| {
        if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, _) = part {
            found.get_or_insert(*v);
        }
    });
    target.as_base().or(found)
}
