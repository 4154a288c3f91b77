//! What variables and arrays hold at one point: a term for each region.

use crate::program::{Length, Program, Step, StructId, Type, VarId};
use smalti_terms::{Context, Term};
use std::collections::BTreeMap;

/// Something that has cells of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A variable.
    Variable(VarId),
    /// All blocks that one statement allocates, by its number among
    /// [`Summary::sites`](super::Summary::sites). The first indexes of a cell are the iteration
    /// numbers of the loops around the statement; then comes the index in the block.
    Blocks(u32),
}

/// All cells of an object that are reached by the same path but for the values of indexes: a
/// variable itself, a member, all cells of an array, one member of all its elements.
///
/// Two regions of an object share no cells, as unions are left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Region {
    /// The object.
    pub object: Object,
    /// The way to a cell.
    pub path: Vec<RegionStep>,
}

/// A step of the way to a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegionStep {
    /// A member of a struct.
    Field(StructId, u32),
    /// An element of an array, whichever.
    Element,
}

impl RegionStep {
    /// The step, whatever its index.
    pub fn of<I>(step: &Step<I>) -> RegionStep {
        match step {
            Step::Field(id, n) => RegionStep::Field(*id, *n),
            Step::Index(_) => RegionStep::Element,
        }
    }
}

impl Region {
    /// A variable without parts.
    pub fn of(variable: VarId) -> Region {
        Region { object: Object::Variable(variable), path: Vec::new() }
    }

    /// For each index of a cell of a variable, the number of values that it can have, if that is a
    /// constant.
    pub(super) fn lengths(&self, program: &Program) -> Vec<Option<u64>> {
        let mut lengths = Vec::new();
        self.walk(program, &mut |ty| {
            if let Type::Array(_, length) = ty {
                lengths.push(match length {
                    Length::Constant(n) => Some(*n),
                    _ => None,
                });
            }
        });
        lengths
    }

    /// The type of the cells, if they are those of a variable.
    pub(super) fn type_in<'p>(&self, program: &'p Program) -> Option<&'p Type> {
        self.walk(program, &mut |_| ())
    }

    /// The type of the cells of a variable. `look` sees the types on the way there.
    fn walk<'p>(&self, program: &'p Program, look: &mut dyn FnMut(&Type)) -> Option<&'p Type> {
        let mut ty = &program.variable(self.variable()?).ty;
        for step in &self.path {
            look(ty);
            ty = match (step, ty) {
                (RegionStep::Element, Type::Array(element, _)) => element,
                (RegionStep::Field(id, n), Type::Struct(_)) => &program.structure(*id).members.get(*n as usize)?.ty,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// The variable whose cells these are, if they are those of one.
    pub fn variable(&self) -> Option<VarId> {
        match self.object {
            Object::Variable(variable) => Some(variable),
            Object::Blocks(_) => None,
        }
    }

    /// The number of indexes that name a cell.
    pub fn rank(&self) -> u32 {
        let elements = self.path.iter().filter(|step| **step == RegionStep::Element).count();
        u32::try_from(elements).unwrap_or(u32::MAX)
    }
}

/// The regions below one region that have a type without parts, with that type. `None` if there is
/// a union inside, whose members share cells.
pub(super) fn collect<'p>(
    program: &'p Program,
    region: Region,
    ty: &'p Type,
    found: &mut Vec<(Region, &'p Type)>,
) -> Option<()> {
    let with = |step: RegionStep| {
        let mut path = region.path.clone();
        path.push(step);
        Region { object: region.object, path }
    };
    match ty {
        Type::Array(element, _) => collect(program, with(RegionStep::Element), element, found),
        Type::Struct(id) => {
            let structure = program.structure(*id);
            if structure.is_union {
                return None;
            }
            let members = (0u32..).zip(&structure.members);
            members.map(|(n, member)| collect(program, with(RegionStep::Field(*id, n)), &member.ty, found)).collect()
        }
        _ => {
            found.push((region, ty));
            Some(())
        }
    }
}

/// A cell: its region, and its indexes from the outside in.
pub(super) struct CellOf {
    pub(super) region: Region,
    pub(super) indexes: Vec<Term>,
}

/// The values at one point, and whether runs are there.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Whether the branches lead here, as a condition over the same unknowns as the values.
    pub(super) reached: Term,
    /// What holds in the runs that are here: assumptions, and assertions that were passed. Runs in
    /// which it fails have ended.
    pub(super) given: Term,
    /// The branch that was taken last, if it still is the end of the path.
    pub(super) branch: Option<Branch>,
    /// By region: its value, or the array of its values. A region without entry has its value at
    /// the start of the program.
    pub(super) values: BTreeMap<Region, Term>,
}

/// A branch that was taken: the path before it, and what had to hold for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Branch {
    pub(super) reached: Term,
    pub(super) given: Term,
    pub(super) condition: Term,
}

impl State {
    /// The state in which the program starts.
    pub(super) fn start(c: &Context) -> State {
        State { reached: c.truth(true), given: c.truth(true), branch: None, values: BTreeMap::new() }
    }

    /// Both states: at most one of their conditions holds. `initial` gives the value of a region at
    /// the start of the program.
    pub(super) fn joined(self, other: State, c: &Context, initial: &mut dyn FnMut(&Region) -> Term) -> State {
        let State { reached, given, mut values, .. } = self;
        for (region, theirs) in &other.values {
            let ours = values.entry(region.clone()).or_insert_with(|| initial(region));
            *ours = choice(c, reached, *ours, *theirs, region.rank());
        }
        let missing: Vec<Region> = values.keys().filter(|r| !other.values.contains_key(*r)).cloned().collect();
        for region in missing {
            let theirs = initial(&region);
            if let Some(ours) = values.get_mut(&region) {
                *ours = choice(c, reached, *ours, theirs, region.rank());
            }
        }
        let given = match given == other.given {
            true => given,
            false => c.and(&[c.implies(reached, given), c.implies(other.reached, other.given)]),
        };
        State { reached: c.or(&[reached, other.reached]), given, branch: None, values }
    }
}

/// The first value where the condition holds, else the second; cell by cell for arrays.
pub(super) fn choice(c: &Context, condition: Term, a: Term, b: Term, rank: u32) -> Term {
    match rank {
        _ if a == b => a,
        0 => c.ite(condition, a, b),
        _ => c.lambda_of(rank, |indexes| c.ite(condition, c.read(a, indexes), c.read(b, indexes))),
    }
}
