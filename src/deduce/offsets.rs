//! Replaces pointers that move along one array by indexes into it.
//!
//! Suppose that every value which the program assigns to a pointer variable is the address of an
//! element of the same array, and that nothing else writes the variable. Then a new variable holds
//! the index of the element: it is assigned together with the pointer, and accesses through the
//! pointer become accesses to the array. (A read of the pointer before it is assigned reads an
//! arbitrary address, and every use of that is undefined behaviour.) A pointer that leaves the
//! array is undefined behaviour as well, so the index needs no more than 64 bits. Comparisons and
//! differences of two such pointers are those of their indexes.
//!
//! Pointers to one object by a constant path were replaced before
//! ([`crate::reduce::normal::Inlined`]).

use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Fold, Formula, IntKind, Length, Lvalue, Origin, Part, Program, Range, Root,
    Step, Stmt, StmtKind, Storage, Term, TermLvalue, TermOp, TermStep, Type, Use, VarId, Variable, VisitMut, each_part,
    each_stmt,
};
use crate::reduce::normal::{Sizes, Spot, about_numbers, frees};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

/// The type of the indexes: it holds all of them.
const INDEX: IntKind = IntKind::LongLong;

/// What is known of the array that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// This array variable.
    Array(VarId),
    /// It is not always the same, or not known.
    Several,
}

/// The program, and the statements that run, with indexes in the place of pointers.
pub(super) fn resolved(program: &Program, body: &Block, sizes: &Sizes) -> (Program, Block) {
    let arrays = arrays(program, body);
    let mut program = program.clone();
    let mut indexes = HashMap::new();
    for (v, array) in arrays {
        let pointer = program.variable(v).clone();
        let index = program.add_variable(Variable {
            name: format!("{}_index", pointer.name),
            origin: Origin::Pass,
            ty: Type::Int(INDEX),
            storage: Storage::Local,
            constant: false,
            ..pointer
        });
        indexes.insert(v, (array, index));
    }
    if indexes.is_empty() {
        return (program, body.clone());
    }
    let source = program.clone();
    let mut offsets = Offsets { program: &source, indexes, sizes, is_kept: !frees(body) };
    let body = offsets.rebuilt(body);
    program.initialisers = offsets.rebuilt(&source.initialisers);
    (program, body)
}

/// The pointer variables that always point into one array, with that array.
fn arrays(program: &Program, body: &Block) -> Vec<(VarId, VarId)> {
    let mut unknown: HashSet<VarId> = HashSet::new();
    let mut look = |s: &Stmt| {
        match &s.kind {
            StmtKind::Assign(l, _) if l.as_var().is_some() => {}
            _ => each_part(s, &mut |part| {
                if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Write) = part {
                    unknown.insert(*v);
                }
            }),
        }
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), ty: Type::Pointer(_), .. }, Use::Address) = part {
                unknown.insert(*v);
            }
        });
    };
    // The null pointers with which globals begin lead nowhere, and their indexes are unknown.
    each_stmt(&program.initialisers, &mut |s| {
        if !matches!(s.kind, StmtKind::Zero(_)) {
            look(s);
        }
    });
    each_stmt(body, &mut look);
    let mut assigned: Vec<(VarId, Expr)> = Vec::new();
    let mut note = |s: &Stmt| {
        if let StmtKind::Assign(l, e) = &s.kind
            && let Some(v) = l.as_var()
        {
            assigned.push((v, e.clone()));
        }
    };
    each_stmt(&program.initialisers, &mut note);
    each_stmt(body, &mut note);
    let mut values: HashMap<VarId, Vec<&Expr>> = HashMap::new();
    for (v, e) in &assigned {
        let variable = program.variable(*v);
        if matches!(variable.ty, Type::Pointer(_)) && variable.storage != Storage::Parameter && !unknown.contains(v) {
            values.entry(*v).or_default().push(e);
        }
    }
    // Each step can only go from nothing to an array, and from there to several.
    let mut bases: HashMap<VarId, Target> = HashMap::new();
    loop {
        let mut changed = false;
        for (v, of) in &values {
            for value in of {
                let new = match (base(program, value, &values, &bases), bases.get(v)) {
                    (None, _) => continue,
                    (Some(new), None) => new,
                    (Some(new), Some(old)) if new == *old => continue,
                    (Some(_), Some(Target::Several)) => continue,
                    (Some(_), Some(Target::Array(_))) => Target::Several,
                };
                bases.insert(*v, new);
                changed = true;
            }
        }
        if !changed {
            // Pointers that only get each other's values lead nowhere that is known.
            let lost: Vec<VarId> = values.keys().filter(|v| !bases.contains_key(v)).copied().collect();
            if lost.is_empty() {
                break;
            }
            bases.extend(lost.into_iter().map(|v| (v, Target::Several)));
        }
    }
    let mut found: Vec<(VarId, VarId)> = bases
        .into_iter()
        .filter_map(|(v, base)| match base {
            Target::Array(array) => Some((v, array)),
            Target::Several => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// The array that an address lies in; `None` if it is that of a pointer without a value so far.
fn base(
    program: &Program,
    e: &Expr,
    values: &HashMap<VarId, Vec<&Expr>>,
    bases: &HashMap<VarId, Target>,
) -> Option<Target> {
    let several = Some(Target::Several);
    match &e.kind {
        ExprKind::AddressOf(l) => match element(program, l, e.ty.pointee()) {
            Some((array, _)) => Some(Target::Array(array)),
            None => several,
        },
        ExprKind::Cast(a) if a.ty.pointee() == e.ty.pointee() => base(program, a, values, bases),
        ExprKind::Binary(BinaryOp::PointerAdd, p, _) => base(program, p, values, bases),
        ExprKind::Conditional(_, a, b) => match (base(program, a, values, bases), base(program, b, values, bases)) {
            (Some(a), Some(b)) if a != b => several,
            (a, b) => a.or(b),
        },
        ExprKind::Load(l) => match l.as_var() {
            Some(v) if values.contains_key(&v) => bases.get(&v).copied(),
            _ => several,
        },
        _ => several,
    }
}

/// The array and the index, if an lvalue is an element of an array that is a variable.
fn element<'l>(program: &Program, l: &'l Lvalue, pointee: Option<&Type>) -> Option<(VarId, &'l Expr)> {
    let (Base::Var(v), [Step::Index(index)]) = (&l.base, &l.path[..]) else { return None };
    match &program.variable(*v).ty {
        Type::Array(element, length) if Some(&**element) == pointee && *length != Length::Unknown => Some((*v, index)),
        _ => None,
    }
}

struct Offsets<'p> {
    program: &'p Program,
    /// By pointer: the array, and the variable that holds the index.
    indexes: HashMap<VarId, (VarId, VarId)>,
    sizes: &'p Sizes,
    /// Whether no memory is freed.
    is_kept: bool,
}

impl Offsets<'_> {
    /// The array and the index of an address.
    fn position(&self, e: &Expr) -> Option<(VarId, Expr)> {
        let wide = |e: &Expr| e.clone().cast(Type::Int(INDEX));
        match &e.kind {
            ExprKind::AddressOf(l) => {
                let (array, index) = element(self.program, l, e.ty.pointee())?;
                Some((array, wide(index)))
            }
            ExprKind::Cast(a) if a.ty.pointee() == e.ty.pointee() => self.position(a),
            ExprKind::Binary(BinaryOp::PointerAdd, p, offset) => {
                let (array, index) = self.position(p)?;
                let sum = match index.as_int() {
                    Some(0) => wide(offset),
                    _ => Expr::binary(BinaryOp::Add, index, wide(offset), Type::Int(INDEX)),
                };
                Some((array, sum))
            }
            ExprKind::Conditional(c, a, b) => {
                let ((first, a), (second, b)) = (self.position(a)?, self.position(b)?);
                let kind = ExprKind::Conditional(c.clone(), Box::new(a), Box::new(b));
                (first == second).then(|| (first, Expr::new(kind, Type::Int(INDEX), e.location)))
            }
            ExprKind::Load(l) => {
                let (array, index) = self.indexes.get(&l.as_var()?)?;
                Some((*array, Expr::load(Lvalue::var(self.program, *index, e.location))))
            }
            _ => None,
        }
    }

    /// The place in the array that a pointer leads to.
    fn named(&self, place: &TermLvalue) -> Option<TermLvalue> {
        let Root::Pointer { pointer, offset } = &place.root else { return None };
        let (array, index) = self.position(pointer)?;
        let mut index = term(&index)?;
        if let Some(offset) = offset {
            index = Term::Binary(TermOp::Add, Box::new(index), Box::new(offset.clone()));
        }
        let mut steps = vec![TermStep::Index(index)];
        steps.extend(place.steps.iter().cloned());
        let root = Root::Variable(Lvalue::var(self.program, array, place.location));
        Some(TermLvalue { root, steps, ..place.clone() })
    }
}

/// A sum of constants and variables as a term. No part of it overflows where it is defined.
fn term(e: &Expr) -> Option<Term> {
    match &e.kind {
        ExprKind::Int(n) => Some(Term::Int(*n)),
        ExprKind::Load(l) if l.as_var().is_some() && l.ty == Type::Int(INDEX) => {
            let (root, ty) = (Root::Variable(l.clone()), l.ty.clone());
            Some(Term::Read(Box::new(TermLvalue { root, steps: Vec::new(), ty, location: l.location })))
        }
        _ => None,
    }
}

impl Fold for Offsets<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let pointer = match &s.kind {
            StmtKind::Declare(v) => Some((*v, None)),
            StmtKind::Assign(l, e) => l.as_var().map(|v| (v, Some(e))),
            _ => None,
        };
        if let Some((v, value)) = pointer
            && let Some((_, index)) = self.indexes.get(&v).copied()
        {
            match value {
                None => out.push(s.with(StmtKind::Declare(index))),
                Some(e) => {
                    if let Some((_, position)) = self.position(e) {
                        let mut position = position;
                        self.expr(&mut position);
                        let to = Lvalue::var(self.program, index, s.location);
                        out.push(s.with(StmtKind::Assign(to, position)));
                    }
                    // Nothing reads the pointer but to compare it with null.
                    let to = Lvalue::var(self.program, v, s.location);
                    out.push(s.with(StmtKind::Havoc(to)));
                    return Ok(());
                }
            }
        }
        self.fold_inside(s, out)
    }

    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        Some(self)
    }
}

impl VisitMut for Offsets<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        if let Base::Deref(pointer) = &l.base
            && let Some((array, index)) = self.position(pointer)
        {
            l.base = Base::Var(array);
            l.path.insert(0, Step::Index(index));
        }
        self.walk_lvalue(l);
    }

    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && (op.is_comparison() || *op == BinaryOp::PointerDiff)
            && let (Some((first, a)), Some((second, b))) = (self.position(a), self.position(b))
            && first == second
        {
            let new = match op {
                BinaryOp::PointerDiff => Expr::binary(BinaryOp::Sub, a, b, Type::Int(INDEX)).cast(e.ty.clone()),
                op => Expr::binary(*op, a, b, e.ty.clone()),
            };
            *e = new;
        }
        self.walk_expr(e);
    }

    fn formula(&mut self, f: &mut Formula) {
        let spot = |r: &Range| {
            let (variable, index) = self.position(&r.pointer)?;
            Some(Spot { variable, index: term(&index)? })
        };
        if let Formula::Memory(memory) = &*f
            && let Some(found) = about_numbers(self.program, self.sizes, self.is_kept, memory, spot)
        {
            *f = found;
        }
        self.walk_formula(f);
    }

    /// Changes the places inside it first.
    fn place(&mut self, p: &mut TermLvalue) {
        p.each_term_mut(&mut |t| self.term(t));
        if let Some(named) = self.named(p) {
            *p = named;
        } else if let Root::Pointer { pointer, .. } = &mut p.root {
            // The pointer may lie in an object that has a name.
            self.walk_expr(pointer);
        }
    }
}
