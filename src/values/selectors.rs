//! Which variables select the places that conditions look at.

use crate::program::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, Length, Lvalue, Part, Program, Step, Stmt, StmtId, StmtKind, Type,
    Use, VarId, each_part, each_part_of_expr, each_stmt,
};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The statements before which cases may be made, with the variables by whose values.
pub(super) type Found = HashMap<StmtId, Rc<Selectors>, FxBuildHasher>;

/// A variable whose value selects a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Selector {
    /// A pointer to objects of that size.
    Pointer(VarId, u64),
    /// An index into arrays of structs of that length.
    Index(VarId, u64),
}

/// The selectors of a statement.
pub(super) struct Selectors {
    /// Those that its condition or later ones look through.
    pub tested: Vec<Selector>,
    /// Those from which an index leads on.
    pub spread: Vec<Selector>,
}

impl Selector {
    pub(super) fn variable(self) -> VarId {
        let (Selector::Pointer(v, _) | Selector::Index(v, _)) = self;
        v
    }
}

/// Finds the selectors in the functions of a program.
pub(super) fn find(program: &Program) -> Found {
    let mut found = Found::default();
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|body| add(program, body, &mut found));
    found
}

/// Adds the statements of a block before which cases may be made.
fn add(program: &Program, block: &Block, found: &mut Found) {
    // The selectors of conditions further on.
    let mut tested = BTreeSet::new();
    for stmt in block.iter().rev() {
        stmt.blocks().for_each(|inner| add(program, inner, found));
        let (mut assigned, mut here) = (BTreeSet::new(), BTreeSet::new());
        each_stmt(std::slice::from_ref(stmt), &mut |s| {
            assigned.extend(target(s));
            add_tested(program, s, &mut here);
        });
        let keeps = |s: &Selector| !assigned.contains(&s.variable());
        tested.retain(keeps);
        // The condition of a loop is looked at again after the assignments.
        tested.extend(here.into_iter().filter(|s| !matches!(stmt.kind, StmtKind::Loop(_)) || keeps(s)));
        let (mut own, mut spread) = (BTreeSet::new(), BTreeSet::new());
        each_part(stmt, &mut |part| {
            add_selectors(program, part, &mut own);
            if matches!(part, Part::Lvalue(l, _) if is_spread(l)) {
                add_selectors(program, part, &mut spread);
            }
        });
        let tested: Vec<Selector> = own.intersection(&tested).copied().collect();
        let spread: Vec<Selector> = spread.into_iter().filter(keeps).collect();
        if !tested.is_empty() || !spread.is_empty() {
            found.insert(stmt.id(), Rc::new(Selectors { tested, spread }));
        }
    }
}

/// The variable that a statement assigns.
fn target(s: &Stmt) -> Option<VarId> {
    match &s.kind {
        StmtKind::Assign(l, _) | StmtKind::Input(l, _) | StmtKind::Havoc(l) | StmtKind::Zero(l) => l.as_var(),
        StmtKind::Call { target, .. } => target.as_ref()?.as_var(),
        StmtKind::Allocate { target, .. } => target.as_var(),
        StmtKind::Declare(v) => Some(*v),
        _ => None,
    }
}

/// Adds the selectors of the conditions in one statement.
fn add_tested(program: &Program, s: &Stmt, found: &mut BTreeSet<Selector>) {
    let mut look = |e: &Expr| each_part_of_expr(e, &mut |part| add_selectors(program, part, found));
    match &s.kind {
        StmtKind::If(c, ..) | StmtKind::Assume(c) | StmtKind::Assert(c, _) => look(c),
        StmtKind::Loop(l) => look(&l.condition),
        // Which function is called depends on it.
        StmtKind::Call { callee: Callee::Pointer(e), .. } => look(e),
        _ => {}
    }
}

/// Adds the selectors of an access.
fn add_selectors(program: &Program, part: Part<'_>, found: &mut BTreeSet<Selector>) {
    let Part::Lvalue(l, how) = part else { return };
    if how == Use::Address {
        return;
    }
    if let Base::Deref(p) = &l.base
        && let Some(v) = loaded(start_of(p))
        && let Some(size) = p.ty.pointee().and_then(|ty| program.size_of(ty))
    {
        found.insert(Selector::Pointer(v, size));
    }
    for (n, step) in l.path.iter().enumerate() {
        if let Step::Index(index) = step
            && matches!(l.path.get(n + 1), Some(Step::Field(..)))
            && let Some(v) = loaded(index.without_integer_casts())
            && let Some(length) = length_at(program, l, n)
        {
            found.insert(Selector::Index(v, length));
        }
    }
}

/// The length of the array that a step of a path goes into.
fn length_at(program: &Program, l: &Lvalue, step: usize) -> Option<u64> {
    match program.type_along(&l.base, &l.path[..step]) {
        Type::Array(_, Length::Constant(length)) => Some(*length),
        _ => None,
    }
}

fn loaded(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Load(l) => l.as_var(),
        _ => None,
    }
}

/// The pointer from which `p + i` counts, before casts.
fn start_of(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(a) | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, _) = &e.kind
        && matches!((&e.ty, &a.ty), (Type::Pointer(_), Type::Pointer(_)))
    {
        e = a;
    }
    e
}

/// Whether the places of an lvalue are not evenly spaced if nothing in it is known.
fn is_spread(l: &Lvalue) -> bool {
    let unknown = |step: &Step| matches!(step, Step::Index(i) if i.as_int().is_none());
    let indexes = l.path.iter().filter(|step| unknown(step)).count();
    match &l.base {
        Base::Var(_) => indexes > 1,
        Base::Deref(p) => indexes > 0 || matches!(&p.kind, ExprKind::Binary(_, _, by) if by.as_int().is_none()),
    }
}
