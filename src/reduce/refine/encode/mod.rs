//! Encodes whether the program can follow a path: section 5 of the paper, over bit-vectors and
//! arrays (QF_AUFBV of SMT-LIB 2.6).
//!
//! The path is put into single assignment form: each assignment makes a new constant. Every formula
//! that a step contributes has a name. `s` is for assignments and conditions. `d` is for what must
//! hold for the step to be defined. `r` is for a cell that is read (its value is a constant of its
//! own), `w` for a cell that is written. So an unsatisfiable set of them says which cells matter.

mod defined;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use super::path::{Passed, Path};
use super::reads::PerRead;
use super::{AccessPath, Subject, indices, place};
use crate::program::{DataModel, Expr, InputId, IntKind, Lvalue, Step, StmtKind, Type, VarId, each_stmt};
use crate::smt::{Declarations, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use words::{array_sort, number};

/// A formula that a step contributes.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name.
    pub name: Symbol,
    /// The formula.
    pub term: Term,
    /// The scalars of the program that it is about.
    pub scalars: BTreeSet<AccessPath>,
    /// What it says about the step.
    pub kind: FactKind,
}

/// What a formula says about its step.
#[derive(Clone, Debug)]
pub enum FactKind {
    /// An assignment to a scalar, or a condition.
    Scalar,
    /// A condition for the step to be defined.
    Definedness,
    /// A cell is read.
    Read(Read),
    /// A cell, or a whole array, is written.
    Write,
}

impl FactKind {
    /// The letter that the names of such facts begin with.
    fn letter(&self) -> char {
        match self {
            FactKind::Scalar => 's',
            FactKind::Definedness => 'd',
            FactKind::Read(_) => 'r',
            FactKind::Write => 'w',
        }
    }
}

impl Fact {
    /// The cell that is read, if the formula is about a read.
    pub fn read(&self) -> Option<&Read> {
        match &self.kind {
            FactKind::Read(read) => Some(read),
            _ => None,
        }
    }

    /// Whether it speaks of no array.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, FactKind::Scalar | FactKind::Definedness)
    }
}

/// A cell that is read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The array.
    pub array: AccessPath,
    /// The number of the cell, a term of 64 bits.
    pub index: Term,
}

/// The formula of a path, and what a run that follows it takes from outside.
#[derive(Clone, Default, Debug)]
pub struct Formula {
    /// Declarations of the constants.
    pub declarations: Declarations,
    /// What holds along the path.
    pub facts: Vec<Fact>,
    /// The inputs in their order, with their constants.
    pub inputs: Vec<(InputId, Term)>,
    /// Local variables whose storage begins, in that order. For a scalar, its value then.
    pub initial: Vec<(VarId, Option<Term>)>,
    /// Cells of arrays with one dimension that are read: the array, the cell's number, and the
    /// cell's value when the array's storage began last.
    pub cells: Vec<(VarId, Term, Term)>,
}

impl Formula {
    /// Builds the formula of a path of the program.
    ///
    /// # Errors
    /// The part of the path that has no formula.
    pub fn new<'s>(subject: &'s Subject, path: &Path<'s>) -> Result<Formula, String> {
        let mut encoder = Encoder {
            subject,
            model: subject.program.data_model,
            out: Formula::default(),
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            first: HashMap::new(),
            reads: PerRead::default(),
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
    scalars: HashMap<AccessPath, Term>,
    arrays: HashMap<AccessPath, Term>,
    /// The contents of arrays of one dimension when their storage began.
    first: HashMap<AccessPath, Term>,
    /// The values read in the current step.
    reads: PerRead<'s, Term>,
    /// The scalars that the current term is about.
    about: BTreeSet<AccessPath>,
    counts: BTreeMap<char, usize>,
}

impl<'s> Encoder<'s> {
    fn fresh(&mut self, letter: char) -> Symbol {
        let count = self.counts.entry(letter).or_default();
        *count += 1;
        Symbol::new(&format!("{letter}{count}"))
    }

    fn constant(&mut self, sort: Sort) -> Term {
        let name = self.fresh('x');
        self.out.declarations.constant(name, sort)
    }

    /// Adds a fact about the scalars that the terms since the last fact have read.
    fn fact(&mut self, kind: FactKind, term: Term) {
        let name = self.fresh(kind.letter());
        let scalars = std::mem::take(&mut self.about);
        self.out.facts.push(Fact { name, term, scalars, kind });
    }

    fn width(&self, kind: IntKind) -> u32 {
        kind.width(self.model)
    }

    fn step(&mut self, step: &Passed<'s>, is_last: bool) -> Result<(), String> {
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
                    let value = self.constant(Sort::Bits(self.width(kind)));
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

    fn tested(&mut self, condition: &'s Expr, holds: bool) -> Result<(), String> {
        let truth = self.truth(condition)?;
        let term = if holds { truth } else { truth.negated() };
        self.fact(FactKind::Scalar, term);
        Ok(())
    }

    /// A new arbitrary value for a scalar.
    fn unknown(&mut self, place: &AccessPath) -> Term {
        let width = self.width(self.kind_of(place));
        let value = self.constant(Sort::Bits(width));
        self.scalars.insert(place.clone(), value.clone());
        value
    }

    fn unknown_array(&mut self, array: &AccessPath) -> Term {
        let width = self.width(self.kind_of(array));
        let value = self.constant(array_sort(width));
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

    fn scalar(&mut self, place: &AccessPath) -> Term {
        self.about.insert(place.clone());
        match self.scalars.get(place) {
            Some(value) => value.clone(),
            None => self.unknown(place),
        }
    }

    fn array(&mut self, array: &AccessPath) -> Term {
        match self.arrays.get(array) {
            Some(value) => value.clone(),
            None => self.unknown_array(array),
        }
    }

    fn assign(&mut self, l: &'s Lvalue, value: Term) -> Result<(), String> {
        let place = place(l).ok_or("a pointer remains")?;
        let width = self.width(self.kind_of(&place));
        if indices(l).is_empty() {
            self.about.insert(place.clone());
            let new = self.constant(Sort::Bits(width));
            self.fact(FactKind::Scalar, new.clone().equals(value));
            self.scalars.insert(place, new);
        } else {
            let index = self.index(l, &place)?;
            let old = self.array(&place);
            let new = self.constant(array_sort(width));
            self.fact(FactKind::Write, new.clone().equals(old.store(index, value)));
            self.arrays.insert(place, new);
        }
        Ok(())
    }

    /// Sets everything inside an object to 0, or to arbitrary values.
    fn whole(&mut self, l: &'s Lvalue, zero: bool) -> Result<(), String> {
        if !indices(l).is_empty() {
            if let Type::Int(kind) = l.ty {
                let value =
                    if zero { number(0, self.width(kind)) } else { self.constant(Sort::Bits(self.width(kind))) };
                return self.assign(l, value);
            }
            return Err("an element that is an object becomes a whole".to_owned());
        }
        for place in self.subject.below(l).ok_or("a pointer remains")? {
            let width = self.width(self.kind_of(&place));
            if place.path.iter().any(Step::is_index) {
                let new = self.unknown_array(&place);
                if zero {
                    let zeros = Term::everywhere(array_sort(width), number(0, width));
                    self.fact(FactKind::Write, new.equals(zeros));
                }
            } else {
                let new = self.unknown(&place);
                if zero {
                    self.about.insert(place);
                    self.fact(FactKind::Scalar, new.equals(number(0, width)));
                }
            }
        }
        Ok(())
    }
}
