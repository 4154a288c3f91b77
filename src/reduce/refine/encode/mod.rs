//! Encodes whether the program can follow a path: section 5 of the paper, over bit-vectors and
//! arrays (QF_AUFBV of SMT-LIB 2.6).
//!
//! The path is put into single assignment form: each assignment makes a new constant. Every formula
//! that a step contributes has a name. `s` is for assignments and conditions. `d` is for what must
//! hold for the step to be defined. `r` is for a cell that is read (its value is a constant of its
//! own), `w` for a cell that is written. So an unsatisfiable set of them says which cells matter.

mod defined;
mod terms;
mod words;

use super::path::{Passed, Path};
use super::{AccessPath, Subject, indices, place};
use crate::program::{DataModel, Expr, InputId, IntKind, Lvalue, Step, StmtKind, Type, VarId, each_stmt};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use words::{array_sort, number, sort};

/// A formula that a step contributes.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// The formula.
    pub term: String,
    /// The scalars of the program that it is about.
    pub scalars: BTreeSet<AccessPath>,
    /// The cell that is read, if the formula is about a read.
    pub read: Option<Read>,
    /// Whether it speaks of no array.
    pub is_scalar: bool,
}

impl Fact {
    /// Whether it is a condition for a step to be defined.
    pub fn is_definedness(&self) -> bool {
        self.name.starts_with('d')
    }
}

/// A cell that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The array.
    pub array: AccessPath,
    /// The number of the cell, a term of 64 bits.
    pub index: String,
}

/// The formula of a path, and what a run that follows it takes from outside.
#[derive(Clone, Default, Debug)]
pub struct Formula {
    /// Declarations of the constants.
    pub declarations: Vec<String>,
    /// What holds along the path.
    pub facts: Vec<Fact>,
    /// The inputs in their order, with their constants.
    pub inputs: Vec<(InputId, String)>,
    /// Local variables whose storage begins, in that order. For a scalar, its value then.
    pub initial: Vec<(VarId, Option<String>)>,
    /// Cells of arrays with one dimension that are read: the array, the cell's number, and the
    /// cell's value when the array's storage began last.
    pub cells: Vec<(VarId, String, String)>,
}

impl Formula {
    /// Builds the formula of a path of the program.
    ///
    /// # Errors
    /// The part of the path that has no formula.
    pub fn new(subject: &Subject, path: &Path<'_>) -> Result<Formula, String> {
        let mut encoder = Encoder {
            subject,
            model: subject.program.data_model,
            out: Formula::default(),
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            first: HashMap::new(),
            reads: HashMap::new(),
            about: BTreeSet::new(),
            counts: BTreeMap::new(),
        };
        encoder.start();
        let last = path.steps.len().wrapping_sub(1);
        for (n, step) in path.steps.iter().enumerate() {
            encoder.step(step, n == last)?;
        }
        Ok(encoder.out)
    }
}

struct Encoder<'s> {
    subject: &'s Subject,
    model: DataModel,
    out: Formula,
    /// The constants that hold the current values.
    scalars: HashMap<AccessPath, String>,
    arrays: HashMap<AccessPath, String>,
    /// The contents of arrays of one dimension when their storage began.
    first: HashMap<AccessPath, String>,
    /// The values read in the current step, by the address of the lvalue.
    reads: HashMap<*const Lvalue, String>,
    /// The scalars that the current term is about.
    about: BTreeSet<AccessPath>,
    counts: BTreeMap<char, usize>,
}

impl Encoder<'_> {
    fn fresh(&mut self, letter: char) -> String {
        let count = self.counts.entry(letter).or_default();
        *count += 1;
        format!("{letter}{count}")
    }

    fn constant(&mut self, sort: &str) -> String {
        let name = self.fresh('x');
        self.out.declarations.push(format!("(declare-const {name} {sort})"));
        name
    }

    /// Adds a fact about the scalars that the terms since the last fact have read.
    fn fact(&mut self, letter: char, term: String, is_scalar: bool, read: Option<Read>) {
        let name = self.fresh(letter);
        let scalars = std::mem::take(&mut self.about);
        self.out.facts.push(Fact { name, term, scalars, read, is_scalar });
    }

    fn width(&self, kind: IntKind) -> u32 {
        kind.width(self.model)
    }

    fn step(&mut self, step: &Passed<'_>, is_last: bool) -> Result<(), String> {
        self.reads.clear();
        let s = step.stmt;
        self.defined(s)?;
        match &s.kind {
            StmtKind::Declare(v) => self.begin(*v),
            StmtKind::Assign(l, e) => {
                if let Type::Int(_) = l.ty {
                    let value = self.term(e)?;
                    self.assign(l, value)?;
                }
            }
            StmtKind::Input(l, id) => {
                if let Type::Int(kind) = l.ty {
                    let value = self.constant(&sort(self.width(kind)));
                    self.out.inputs.push((*id, value.clone()));
                    self.assign(l, value)?;
                }
            }
            StmtKind::Havoc(l) | StmtKind::Zero(l) => self.whole(l, matches!(s.kind, StmtKind::Zero(_)))?,
            StmtKind::If(c, ..) => self.tested(c, step.taken.unwrap_or(true))?,
            StmtKind::Loop(l) => self.tested(&l.condition, step.taken.unwrap_or(true))?,
            StmtKind::Assume(e) => self.tested(e, true)?,
            // Only the last step fails.
            StmtKind::Assert(e, _) => self.tested(e, !is_last)?,
            _ => {}
        }
        Ok(())
    }

    /// Begins what exists from the beginning, since nothing declares it. It holds arbitrary values;
    /// the initialisers then set those of most globals.
    fn start(&mut self) {
        let mut declared = BTreeSet::new();
        each_stmt(&self.subject.body, &mut |s| {
            if let StmtKind::Declare(v) = s.kind {
                declared.insert(v);
            }
        });
        let all = self.subject.scalars.iter().chain(self.subject.arrays.keys()).map(|p| p.variable);
        let all: BTreeSet<VarId> = all.collect();
        for v in all {
            if !declared.contains(&v) {
                self.begin(v);
            }
        }
    }

    /// Begins the storage of a variable.
    fn begin(&mut self, v: VarId) {
        let inside = |p: &&AccessPath| p.variable == v;
        let scalars: Vec<AccessPath> = self.subject.scalars.iter().filter(inside).cloned().collect();
        for place in scalars {
            let value = self.unknown(&place);
            if place.path.is_empty() {
                self.out.initial.push((v, Some(value)));
            }
        }
        if !self.subject.program.variable(v).ty.is_scalar() {
            self.out.initial.push((v, None));
        }
        let arrays: Vec<AccessPath> = self.subject.arrays.keys().filter(inside).cloned().collect();
        arrays.iter().for_each(|a| _ = self.unknown_array(a));
    }

    fn tested(&mut self, condition: &Expr, holds: bool) -> Result<(), String> {
        let truth = self.truth(condition)?;
        let term = if holds { truth } else { format!("(not {truth})") };
        self.fact('s', term, true, None);
        Ok(())
    }

    /// A new arbitrary value for a scalar.
    fn unknown(&mut self, place: &AccessPath) -> String {
        let width = self.width(self.kind_of(place));
        let value = self.constant(&sort(width));
        self.scalars.insert(place.clone(), value.clone());
        value
    }

    fn unknown_array(&mut self, array: &AccessPath) -> String {
        let width = self.width(self.kind_of(array));
        let value = self.constant(&array_sort(width));
        self.arrays.insert(array.clone(), value.clone());
        if array.path == [Step::Index(())] {
            self.first.insert(array.clone(), value.clone());
        }
        value
    }

    /// The type of a scalar, or of the cells of an array.
    fn kind_of(&self, place: &AccessPath) -> IntKind {
        place.type_at(&self.subject.program).and_then(Type::as_int).unwrap_or(IntKind::Int)
    }

    fn scalar(&mut self, place: &AccessPath) -> String {
        self.about.insert(place.clone());
        match self.scalars.get(place) {
            Some(value) => value.clone(),
            None => self.unknown(place),
        }
    }

    fn array(&mut self, array: &AccessPath) -> String {
        match self.arrays.get(array) {
            Some(value) => value.clone(),
            None => self.unknown_array(array),
        }
    }

    fn assign(&mut self, l: &Lvalue, value: String) -> Result<(), String> {
        let place = place(l).ok_or("a pointer remains")?;
        let width = self.width(self.kind_of(&place));
        if indices(l).is_empty() {
            self.about.insert(place.clone());
            let new = self.constant(&sort(width));
            self.fact('s', format!("(= {new} {value})"), true, None);
            self.scalars.insert(place, new);
        } else {
            let index = self.index(l, &place)?;
            let old = self.array(&place);
            let new = self.constant(&array_sort(width));
            self.fact('w', format!("(= {new} (store {old} {index} {value}))"), false, None);
            self.arrays.insert(place, new);
        }
        Ok(())
    }

    /// Sets everything inside an object to 0, or to arbitrary values.
    fn whole(&mut self, l: &Lvalue, zero: bool) -> Result<(), String> {
        if !indices(l).is_empty() {
            if let Type::Int(kind) = l.ty {
                let value = if zero { number(0, self.width(kind)) } else { self.constant(&sort(self.width(kind))) };
                return self.assign(l, value);
            }
            return Err("an element that is an object becomes a whole".to_owned());
        }
        for place in self.subject.below(l).ok_or("a pointer remains")? {
            let width = self.width(self.kind_of(&place));
            if place.path.iter().any(Step::is_index) {
                let new = self.unknown_array(&place);
                if zero {
                    let sort = array_sort(width);
                    self.fact('w', format!("(= {new} ((as const {sort}) {}))", number(0, width)), false, None);
                }
            } else {
                let new = self.unknown(&place);
                if zero {
                    self.about.insert(place);
                    self.fact('s', format!("(= {new} {})", number(0, width)), true, None);
                }
            }
        }
        Ok(())
    }
}
