//! Which variables select the places that conditions look at.

use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, Length, Lvalue, Part, Program, Step, Stmt, StmtId, StmtKind, Type, Use,
    VarId, each_part, each_part_of_expr, each_stmt,
};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
#[derive(Default)]
pub(super) struct Selectors {
    /// Those that its condition or later ones look through, or by which they are decided.
    pub tested: Vec<Selector>,
    /// The index where it ends a text that is passed in a later call.
    pub texts: Vec<Selector>,
    /// For a call: how many of the statements after it come up to the last condition that looks at
    /// its result.
    pub deciding: usize,
}

impl Selectors {
    fn is_empty(&self) -> bool {
        self.tested.is_empty() && self.texts.is_empty() && self.deciding == 0
    }
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

/// What comes later in a block.
#[derive(Default)]
struct Later {
    /// The selectors of conditions.
    tested: BTreeSet<Selector>,
    /// Selectors by which cases are made even if nothing is written through them.
    needed: BTreeSet<Selector>,
    /// Pointers that are compared in loops.
    compared: BTreeSet<VarId>,
    /// Pointers and indexes through which parts of objects are written, perhaps in a call.
    written: BTreeSet<VarId>,
    /// Pointers to objects of which all bytes are written.
    begun: BTreeSet<VarId>,
    /// Arrays whose address is passed in calls.
    passed: BTreeSet<VarId>,
    /// The last statement that is an `if` with a condition on the variable.
    decides: BTreeMap<VarId, usize>,
}

impl Later {
    /// The pointer by which cases should be made before it is copied: how far two pointers are
    /// apart is known if both come from one, and what makes an object new, and then changes it, is
    /// best done to each object on its own.
    fn origin(&self, stmt: &Stmt) -> Option<VarId> {
        let StmtKind::Assign(l, e) = &stmt.kind else { return None };
        let (to, from) = (l.as_var()?, origin(e)?);
        let is_tested = copied_variable(stmt).is_some() && self.selectors().any(|s| s.variable() == to);
        let is_begun = self.begun.contains(&to) && self.written.contains(&from);
        (is_tested || is_begun || self.compared.contains(&to)).then_some(from)
    }

    /// Those by which cases are of use.
    fn selectors(&self) -> impl Iterator<Item = Selector> {
        let tested = self.tested.iter().filter(|s| self.written.contains(&s.variable()));
        self.needed.iter().chain(tested).copied()
    }

    fn kill(&mut self, assigned: &BTreeSet<VarId>) {
        self.tested.retain(|s| !assigned.contains(&s.variable()));
        self.needed.retain(|s| !assigned.contains(&s.variable()));
        self.compared.retain(|v| !assigned.contains(v));
        self.written.retain(|v| !assigned.contains(v));
        self.begun.retain(|v| !assigned.contains(v));
        self.decides.retain(|v, _| !assigned.contains(v));
    }
}

/// Adds the statements of a block before which cases may be made.
fn add(program: &Program, block: &Block, found: &mut Found) {
    let mut later = Later::default();
    for (n, stmt) in block.iter().enumerate().rev() {
        stmt.blocks().for_each(|inner| add(program, inner, found));
        let (mut assigned, mut here, mut own) = (BTreeSet::new(), Later::default(), BTreeSet::new());
        each_stmt(std::slice::from_ref(stmt), &mut |s| {
            assigned.extend(target(s));
            here.written.extend(written_through(s));
            here.begun.extend(begun_object(s));
            here.passed.extend(passed_arrays(s));
            add_tested(program, s, &mut here);
        });
        add_compared(program, stmt, &mut here);
        let deciding = decided_by_result(stmt, &later).map_or(0, |last| last - n);
        let origin = later.origin(stmt).or(here.begun.intersection(&later.written).next().copied());
        let origin = origin.and_then(|v| pointer(program, v));
        let copy = copied_variable(stmt);
        let decides = copy.and_then(|(to, from)| Some((from, *later.decides.get(&to)?)));
        here.begun.extend(copy.filter(|(to, _)| later.begun.contains(to)).map(|(_, from)| from));
        later.kill(&assigned);
        later.decides.extend(decides);
        if let StmtKind::If(c, ..) = &stmt.kind {
            each_part_of_expr(c, &mut |part| {
                if let Part::Lvalue(l, Use::Read) = part
                    && let Some(v) = l.as_var()
                {
                    later.decides.entry(v).or_insert(n);
                }
            });
        }
        // The condition of a loop is looked at again after the assignments.
        let is_loop = matches!(stmt.kind, StmtKind::Loop(_));
        let keeps = |s: &Selector| !assigned.contains(&s.variable());
        later.tested.extend(here.tested.into_iter().filter(|s| !is_loop || keeps(s)));
        later.needed.extend(here.needed.into_iter().filter(|s| !is_loop || keeps(s)));
        later.compared.extend(here.compared);
        later.written.extend(here.written);
        later.begun.extend(here.begun);
        // How long a text is that a call gets is known in each case.
        let text = end_of_text(program, stmt).filter(|(text, _)| later.passed.contains(text));
        let texts: Vec<Selector> = text.into_iter().map(|(_, index)| index).collect();
        later.passed.extend(here.passed);
        later.needed.extend(origin);
        own.extend(origin);
        each_part(stmt, &mut |part| add_selectors(program, part, &mut own));
        let tested = later.selectors().filter(|s| own.contains(s)).collect();
        let selectors = Selectors { tested, texts, deciding };
        if !selectors.is_empty() {
            found.insert(stmt.id(), Rc::new(selectors));
        }
    }
}

/// The last statement that decides by the result of a call.
fn decided_by_result(stmt: &Stmt, later: &Later) -> Option<usize> {
    let StmtKind::Call { target, .. } = &stmt.kind else { return None };
    later.decides.get(&target.as_ref()?.as_var()?).copied()
}

/// `to = from`, of variables.
fn copied_variable(stmt: &Stmt) -> Option<(VarId, VarId)> {
    let StmtKind::Assign(to, e) = &stmt.kind else { return None };
    Some((to.as_var()?, e.converted_var()?))
}

/// A pointer as a selector.
fn pointer(program: &Program, v: VarId) -> Option<Selector> {
    Some(Selector::Pointer(v, program.size_of(program.variable(v).ty.pointee()?)?))
}

/// The pointers and indexes through which a statement writes part of an object, perhaps in a call.
fn written_through(s: &Stmt) -> Vec<VarId> {
    match &s.kind {
        StmtKind::Assign(l, _) if !l.path.is_empty() => {
            let indexes = l.path.iter().filter_map(|step| match step {
                Step::Index(i) => loaded(i.without_integer_casts()),
                Step::Field(..) => None,
            });
            let pointer = match &l.base {
                Base::Deref(p) => loaded(start_of(p)),
                Base::Var(_) => None,
            };
            indexes.chain(pointer).collect()
        }
        StmtKind::Call { arguments, .. } => arguments.iter().filter_map(origin).collect(),
        _ => Vec::new(),
    }
}

/// The pointer to an object of which a statement writes all bytes.
fn begun_object(s: &Stmt) -> Option<VarId> {
    match &s.kind {
        StmtKind::Assign(l, _) | StmtKind::Zero(l) => match &l.base {
            Base::Deref(p) if l.path.is_empty() && !l.ty.is_scalar() => loaded(start_of(p)),
            _ => None,
        },
        StmtKind::HavocReachable(reached) => loaded(start_of(&reached.bytes.as_ref()?.to)),
        _ => None,
    }
}

/// The variable arrays whose address is an argument.
fn passed_arrays(s: &Stmt) -> Vec<VarId> {
    let StmtKind::Call { arguments, .. } = &s.kind else { return Vec::new() };
    let array = |e: &Expr| match &start_of(e).kind {
        ExprKind::AddressOf(l) => match l.base {
            Base::Var(v) => Some(v),
            Base::Deref(_) => None,
        },
        _ => None,
    };
    arguments.iter().filter_map(array).collect()
}

/// In `text[n] = 0`, the array of characters and the index.
fn end_of_text(program: &Program, s: &Stmt) -> Option<(VarId, Selector)> {
    let StmtKind::Assign(Lvalue { base: Base::Var(text), path, ty, .. }, e) = &s.kind else { return None };
    let [Step::Index(index)] = path.as_slice() else { return None };
    let is_end = program.size_of(ty) == Some(1) && e.without_integer_casts().as_int() == Some(0);
    let Type::Array(_, Length::Constant(length)) = program.variable(*text).ty else { return None };
    is_end.then_some((*text, Selector::Index(loaded(index.without_integer_casts())?, length)))
}

/// The pointer from which an address is computed, without reading memory.
fn origin(e: &Expr) -> Option<VarId> {
    let start = start_of(e);
    match &start.kind {
        ExprKind::AddressOf(l) => match &l.base {
            Base::Deref(p) => loaded(start_of(p)),
            Base::Var(_) => None,
        },
        _ => loaded(start),
    }
}

/// Adds the pointers that conditions in loops compare, and the selectors of addresses there.
fn add_compared(program: &Program, stmt: &Stmt, found: &mut Later) {
    let mut look = |e: &Expr| {
        each_part_of_expr(e, &mut |part| {
            let Part::Expr(Expr { kind: ExprKind::Binary(op, a, b), .. }) = part else { return };
            if !op.is_comparison() || !matches!(a.ty, Type::Pointer(_)) {
                return;
            }
            for side in [a, b] {
                let start = start_of(side);
                match (loaded(start), origin(side)) {
                    (Some(v), _) => _ = found.compared.insert(v),
                    (None, Some(v)) => found.needed.extend(pointer(program, v)),
                    (None, None) => {}
                }
            }
        });
    };
    each_stmt(std::slice::from_ref(stmt), &mut |s| {
        let StmtKind::Loop(l) = &s.kind else { return };
        look(&l.condition);
        each_stmt(&l.body, &mut |s| {
            if let StmtKind::If(c, ..) = &s.kind {
                look(c);
            }
        });
    });
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
fn add_tested(program: &Program, s: &Stmt, found: &mut Later) {
    let condition = match &s.kind {
        StmtKind::If(c, ..) | StmtKind::Assume(c) | StmtKind::Assert(c, _) => c,
        StmtKind::Loop(l) => &l.condition,
        _ => return,
    };
    each_part_of_expr(condition, &mut |part| add_selectors(program, part, &mut found.tested));
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
pub(super) fn start_of(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(a) | ExprKind::Binary(BinaryOp::PointerAdd, a, _) = &e.kind
        && matches!((&e.ty, &a.ty), (Type::Pointer(_), Type::Pointer(_)))
    {
        e = a;
    }
    e
}
