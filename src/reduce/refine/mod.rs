//! Abstraction refinement over variables and array indexes (Armando, Benerecetti, Mantovani 2007:
//! EUREKA).
//!
//! **Meaning.** A program is abstracted over a set `V` of scalars and a set `R(a)` of indexes for
//! each array `a` ([`Kept`]). Every kept cell becomes a scalar, and any other read has any value
//! (section 4). Every run of the program is one of the abstraction. So if no run of the abstraction
//! fails, no run of the program does (theorem 1). A failing run of the abstraction gives a path,
//! and a formula says whether the program can follow it (section 5). If not, the formulas that
//! contradict each other name the variables and the cells that the abstraction lacks (section 6).
//!
//! **Where we differ.** The program's arithmetic is that of the machine: formulas are over
//! bit-vectors. A run counts up to its first undefined behaviour, so what must hold for a statement
//! to be defined is part of the formulas. An index is assumed to be inside its array after each
//! access of the abstraction (the paper makes going out of range an error of its own, section 3).
//! The paper reads the cells that matter off a proof. We use the solver's unsatisfiable core: every
//! cell that a formula of the core reads, if all that is known of scalars along the path fixes its
//! index to one number (condition (2) of figure 3 with one disjunct, checked by the solver).
//!
//! **Limits.** Calls are inlined first, and pointers resolved to what they point to. Any that
//! remain are refused, and so are unions and bit-fields.

mod abstraction;
mod encode;
mod learn;
mod path;
mod reads;

pub use abstraction::{Abstraction, Event};
pub use encode::Formula;
pub use learn::{Lesson, learn, lessen};
pub use path::Path;

use super::normal::Inlined;
use super::{Refusal, claims, terms};
use crate::program::{
    AccessPath, AssertionId, Block, Entered, Expr, ExprKind, IntKind, Length, Location, Lvalue, Part, Program, Step,
    Stmt, StmtKind, Type, Use, each_part, each_part_of_expr, each_stmt, print,
};
use std::collections::{BTreeMap, BTreeSet};

/// What an abstraction keeps.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kept {
    /// `V`
    pub scalars: BTreeSet<AccessPath>,
    /// `R`: for each array the numbers of its kept cells, row by row.
    pub cells: BTreeMap<AccessPath, BTreeSet<u64>>,
}

impl Kept {
    /// How many cells are kept.
    pub fn cell_count(&self) -> usize {
        self.cells.values().map(BTreeSet::len).sum()
    }
}

/// A program that can be abstracted, for one assertion.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The variables and types; the entry's body is `body`.
    pub program: Program,
    /// The statements that run, initialisers first. The other assertions are left out.
    pub body: Block,
    /// The assertion.
    pub assertion: AssertionId,
    /// The integer scalars that the program mentions.
    pub scalars: BTreeSet<AccessPath>,
    /// The arrays of integers that it mentions, with the length of each dimension.
    pub arrays: BTreeMap<AccessPath, Vec<Length>>,
}

impl Subject {
    /// Prepares a program.
    ///
    /// # Errors
    /// A construct that has no abstraction.
    pub fn new(inlined: &Inlined, assertion: AssertionId) -> Result<Subject, Refusal> {
        let (program, body) = inlined.parts()?;
        let mut whole = program.initialisers.clone();
        whole.extend(body.iter().cloned());
        let body = claims::only(program, &whole, assertion, true);
        let mut subject = Subject {
            program: program.clone(),
            body: Vec::new(),
            assertion,
            scalars: BTreeSet::new(),
            arrays: BTreeMap::new(),
        };
        subject.program.initialisers.clear();
        let mut refusal = None;
        each_stmt(&body, &mut |s| {
            if refusal.is_none() {
                refusal = subject.look(s).err();
            }
        });
        match refusal {
            Some(why) => Err(why),
            None if !terms::asserts(&body, assertion) => {
                Err(Refusal::of_all("no remaining statement reaches the assertion"))
            }
            None => Ok(Subject { body, ..subject }),
        }
    }

    /// Notes what a statement mentions.
    fn look(&mut self, s: &Stmt) -> Result<(), Refusal> {
        let at = s.location;
        match &s.kind {
            StmtKind::Call { .. } => return Err(Refusal::at(at, "a call remains that is not followed")),
            StmtKind::HavocReachable(_) => {
                return Err(Refusal::at(at, "the contents of memory after this are not known"));
            }
            StmtKind::Allocate { .. } => {
                return Err(Refusal::at(at, "the program uses allocated memory that has no name"));
            }
            StmtKind::Claim(_) => return Err(Refusal::at(at, "the assertion cannot be expressed as a C condition")),
            StmtKind::Assign(l, _) if !l.ty.is_scalar() => return Err(Refusal::at(at, "a whole struct is assigned")),
            _ => {}
        }
        let mut wrong = None;
        each_part(s, &mut |part| match part {
            Part::Lvalue(l, how) => {
                let place = match (place(l), how) {
                    (_, Use::Address) | (None, _) => {
                        wrong.get_or_insert("a pointer remains that is not always the address of one object");
                        return;
                    }
                    (Some(place), _) => place,
                };
                if !matches!(l.ty, Type::Int(_)) {
                    return;
                }
                match self.lengths(&place) {
                    None => {
                        wrong.get_or_insert("unions and bit-fields are not abstracted");
                    }
                    Some(lengths) if lengths.is_empty() => {
                        self.scalars.insert(place);
                    }
                    Some(lengths) if lengths.iter().skip(1).any(|l| !matches!(l, Length::Constant(_))) => {
                        wrong.get_or_insert("rows of variable length have no fixed indexes");
                    }
                    Some(lengths) => {
                        for length in &lengths {
                            if let Length::Variable(v) = length {
                                self.scalars.insert(AccessPath::whole(*v));
                            }
                        }
                        self.arrays.insert(place, lengths);
                    }
                }
            }
            Part::Expr(e) => {
                if matches!(e.kind, ExprKind::FunctionAddress(_)) {
                    wrong.get_or_insert("an address of a function is used");
                }
            }
        });
        match wrong {
            Some(why) => Err(Refusal::at(at, why)),
            None => Ok(()),
        }
    }

    /// The lengths of the dimensions on the path to a place. `None` through unions and bit-fields.
    fn lengths(&self, place: &AccessPath) -> Option<Vec<Length>> {
        let mut lengths = Vec::new();
        for entered in place.entered(&self.program) {
            match entered? {
                Entered::Element((), length, _) => lengths.push(length),
                Entered::Member(structure, member) if structure.is_union || member.bits.is_some() => return None,
                Entered::Member(..) => {}
            }
        }
        Some(lengths)
    }

    /// The set that the first abstraction keeps. It has the scalars of the assertion, those that
    /// loops test, and the scalars that these are computed from. It has the cells that the
    /// assertion names by numbers. (The paper's first set is empty. But a loop that runs any number
    /// of times makes an abstraction hard to check, and its counter would be learnt in the first
    /// rounds anyway.)
    pub fn first(&self) -> Kept {
        let mut kept = Kept::default();
        each_stmt(&self.body, &mut |s| match &s.kind {
            StmtKind::Assert(..) => each_part(s, &mut |part| {
                let Part::Lvalue(l, _) = part else { return };
                match place(l) {
                    Some(place) if self.scalars.contains(&place) => _ = kept.scalars.insert(place),
                    _ => self.named(l, &mut kept.cells),
                }
            }),
            StmtKind::Loop(l) => kept.scalars.extend(self.scalars_of(&l.condition)),
            _ => {}
        });
        loop {
            let mut more = kept.scalars.clone();
            each_stmt(&self.body, &mut |s| {
                if let StmtKind::Assign(l, e) = &s.kind
                    && place(l).is_some_and(|p| kept.scalars.contains(&p))
                {
                    more.extend(self.scalars_of(e));
                }
            });
            if more == kept.scalars {
                return kept;
            }
            kept.scalars = more;
        }
    }

    /// All cells that the program names by numbers.
    pub fn named_cells(&self) -> BTreeMap<AccessPath, BTreeSet<u64>> {
        let mut cells = BTreeMap::new();
        each_stmt(&self.body, &mut |s| {
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, _) = part {
                    self.named(l, &mut cells);
                }
            });
        });
        cells
    }

    /// Adds the cell that an lvalue denotes, if it names one by numbers.
    fn named(&self, l: &Lvalue, cells: &mut BTreeMap<AccessPath, BTreeSet<u64>>) {
        if let Some(place) = place(l)
            && let Some(cell) = self.arrays.get(&place).and_then(|lengths| cell(&self.program, lengths, &indices(l)))
        {
            cells.entry(place).or_default().insert(cell);
        }
    }

    /// The scalars that an expression reads.
    fn scalars_of(&self, e: &Expr) -> BTreeSet<AccessPath> {
        let mut read = BTreeSet::new();
        each_part_of_expr(e, &mut |part| {
            if let Part::Lvalue(l, Use::Read) = part {
                read.extend(place(l).filter(|p| self.scalars.contains(p)));
            }
        });
        read
    }

    /// How many cells an array has, if that is known.
    pub fn size(&self, array: &AccessPath) -> Option<u64> {
        let length = |l: &Length| match l {
            Length::Constant(n) => Some(*n),
            _ => None,
        };
        self.arrays.get(array)?.iter().try_fold(1u64, |all, l| all.checked_mul(length(l)?))
    }

    /// The name of a place in the source.
    pub fn name(&self, place: &AccessPath) -> String {
        print::path(&self.program, place, |()| String::new())
    }

    /// The integer scalars and arrays below an object.
    fn below(&self, l: &Lvalue) -> Option<Vec<AccessPath>> {
        let prefix = place(l)?;
        let all = self.scalars.iter().chain(self.arrays.keys());
        let inside = |p: &&AccessPath| p.variable == prefix.variable && p.path.starts_with(&prefix.path);
        Some(all.filter(inside).cloned().collect())
    }
}

/// The place of an lvalue, if it is not reached through a pointer.
fn place(l: &Lvalue) -> Option<AccessPath> {
    AccessPath::to_any(l)
}

/// The indices on the path of an lvalue.
fn indices(l: &Lvalue) -> Vec<&Expr> {
    l.path
        .iter()
        .filter_map(|s| match s {
            Step::Index(e) => Some(e),
            Step::Field(..) => None,
        })
        .collect()
}

/// The number of an index, if it is written as one.
fn constant(program: &Program, index: &Expr) -> Option<i128> {
    match &index.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast(a) => {
            let kind = index.ty.as_int().filter(|k| *k != IntKind::Bool)?;
            Some(kind.wrap(constant(program, a)?, program.data_model))
        }
        _ => None,
    }
}

/// The number of a cell, row by row, if its indices are numbers inside the array.
fn cell(program: &Program, lengths: &[Length], indices: &[&Expr]) -> Option<u64> {
    let mut number = 0u64;
    for (index, length) in indices.iter().zip(lengths) {
        let digit = u64::try_from(constant(program, index)?).ok()?;
        number = match length {
            Length::Constant(n) if digit >= *n => return None,
            Length::Constant(n) => number.checked_mul(*n)?.checked_add(digit)?,
            _ => digit,
        };
    }
    Some(number)
}

/// The index of each dimension of a cell, given its number row by row.
fn digits(lengths: &[Length], cell: u64) -> Vec<u64> {
    let mut rest = cell;
    let mut digits = vec![0; lengths.len()];
    for n in (1..lengths.len()).rev() {
        let Length::Constant(length) = lengths[n] else { return digits };
        digits[n] = rest % length.max(1);
        rest /= length.max(1);
    }
    if let Some(first) = digits.first_mut() {
        *first = rest;
    }
    digits
}

/// The location of a statement without a place of its own.
fn nowhere(program: &Program) -> Location {
    program.function(program.entry).location
}
