//! Copies of the numbers that contracts read in structs, for engines that follow no pointers.
//!
//! In the start function they are made when the structs exist, and nothing changes these before the
//! entry is called. In the body that stands for a function without one, those of what is there at
//! the end are made at the end, and those of what was there before at the beginning. So what is
//! said of the numbers in the structs holds of the copies as well.

use super::members::{PointerPath, lvalue_of};
use crate::lower::context::Lowerer;
use crate::program::{
    Expr, Formula, Location, Lvalue, Origin, Program, Root, SnapshotId, StmtKind, Term, TermLvalue, Type, VarId,
    VisitMut,
};

/// Places, and the variables that hold what is there.
#[derive(Default)]
pub(super) struct Copies {
    now: Vec<(TermLvalue, Lvalue)>,
    /// What was there when the snapshot was taken with which the function begins.
    before: Vec<(TermLvalue, Lvalue)>,
    snapshot: Option<SnapshotId>,
}

impl Lowerer<'_> {
    /// Copies what formulas and sizes read behind pointers to single objects.
    pub(super) fn copies<'f>(
        &mut self,
        single: Vec<PointerPath>,
        formulas: impl Iterator<Item = &'f Formula>,
        sizes: impl Iterator<Item = &'f Term>,
        at: Location,
    ) -> Copies {
        let program = &self.program;
        let snapshot = self.start_snapshot();
        let mut reads = Reads { program, single, snapshot, of_size: true, found: Vec::new(), before: Vec::new() };
        sizes.for_each(|t| reads.term(&mut t.clone()));
        reads.of_size = false;
        formulas.for_each(|f| reads.formula(&mut f.clone()));
        let (found, before) = (reads.found, reads.before);
        let mut copies = Copies { snapshot, ..Copies::default() };
        for place in found {
            copies.now.extend(self.copied(place, at));
        }
        for place in before {
            let Ok((copy, statements)) = self.collecting(|l| Ok(l.copied(place, at))) else { continue };
            self.at_the_beginning(statements);
            copies.before.extend(copy);
        }
        copies
    }

    fn copied(&mut self, place: TermLvalue, at: Location) -> Option<(TermLvalue, Lvalue)> {
        let object = lvalue_of(&place)?;
        let path = PointerPath::of_expr(&Expr::load(object.clone()));
        let name = path.map_or("number".to_owned(), |path| self.name_of_path(&path));
        let name = name.replace("->", "_").replace('.', "_");
        let copy = self.hidden_variable(name, Origin::OfArgument, object.ty.clone(), at);
        self.emit(StmtKind::Assign(copy.clone(), Expr::load(object)), at);
        Some((place, copy))
    }
}

impl Copies {
    /// How many statements make those of what is there now.
    pub(super) fn statements(&self) -> usize {
        2 * self.now.len()
    }

    /// Replaces reads by those of the copies.
    pub(super) fn put_into(&self, t: &mut Term) {
        Replaced { copies: self, now: true, some: false }.term(t);
    }

    /// A formula about what was there before, in terms of the copies; `None` if it reads anything
    /// else behind pointers.
    pub(super) fn lasting(&self, f: &Formula) -> Option<Formula> {
        let mut of_copies = f.clone();
        let mut replaced = Replaced { copies: self, now: false, some: false };
        replaced.formula(&mut of_copies);
        let mut reads = false;
        of_copies.each_place(&mut |place| reads |= !matches!(&place.root, Root::Variable(_)));
        (replaced.some && !reads && !f.is_quantified() && !f.is_about_memory()).then_some(of_copies)
    }

    /// The parts of a formula that are about copies, without quantifiers.
    pub(super) fn parts(&self, f: &Formula) -> Vec<Formula> {
        let mut found = Vec::new();
        let mut open = vec![f];
        while let Some(part) = open.pop() {
            if let Formula::And(a, b) = part {
                open.extend([&**b, &**a]);
                continue;
            }
            let mut of_copies = part.clone();
            let mut replaced = Replaced { copies: self, now: true, some: false };
            replaced.formula(&mut of_copies);
            if replaced.some && !part.is_quantified() && !part.is_about_memory() {
                found.push(of_copies);
            }
        }
        found
    }
}

/// Finds what is read.
struct Reads<'p> {
    program: &'p Program,
    /// The pointers that lead to one object each.
    single: Vec<PointerPath>,
    /// Whether this is about sizes, which also lie in members of globals.
    of_size: bool,
    snapshot: Option<SnapshotId>,
    found: Vec<TermLvalue>,
    before: Vec<TermLvalue>,
}

impl VisitMut for Reads<'_> {
    fn term(&mut self, t: &mut Term) {
        let (place, is_now) = match &*t {
            Term::Read(place) => (place, true),
            Term::At(id, place) if Some(*id) == self.snapshot => (place, false),
            _ => return self.walk_term(t),
        };
        let known = if is_now { &self.found } else { &self.before };
        let is_new = !known.iter().any(|p| is_same(p, place));
        let is_behind = match &place.root {
            Root::Pointer { .. } => matches!(place.ty, Type::Int(_)),
            Root::Variable(_) => self.of_size && !place.steps.is_empty(),
            Root::Elements { .. } => false,
        };
        let is_pointer = |v: VarId| matches!(self.program.variable(v).ty, Type::Pointer(_));
        if let (true, true, Some(path)) = (is_new, is_behind, PointerPath::of_place(place))
            && path.pointers_before(is_pointer).all(|before| self.single.contains(&before))
        {
            let known = if is_now { &mut self.found } else { &mut self.before };
            known.push((**place).clone());
        }
        self.walk_term(t);
    }
}

struct Replaced<'c> {
    copies: &'c Copies,
    /// Whether what is there now is replaced, too.
    now: bool,
    /// Whether there was something to replace.
    some: bool,
}

impl VisitMut for Replaced<'_> {
    fn term(&mut self, t: &mut Term) {
        let copy = match &*t {
            Term::Read(place) if self.now => self.copies.now.iter().find(|(p, _)| is_same(p, place)),
            Term::At(id, place) if Some(*id) == self.copies.snapshot => {
                self.copies.before.iter().find(|(p, _)| is_same(p, place))
            }
            _ => None,
        };
        if let Some((_, copy)) = copy {
            *t = Term::of_variable(copy.clone());
            self.some = true;
            return;
        }
        self.walk_term(t);
    }
}

fn is_same(a: &TermLvalue, b: &TermLvalue) -> bool {
    a.ty == b.ty && Term::Read(Box::new(a.clone())).is_same(&Term::Read(Box::new(b.clone())))
}
