//! Cases by the value of a pointer or an index.
//!
//! In `p = &table[n]; if (p->used < 8) p->used++;` nothing can be said of `p->used` after the test
//! while `p` may be one of many places. So what follows is executed for each place on its own, up to
//! the end of the block ("trace partitioning" by the value of a variable: Mauborgne & Rival, ESOP
//! 2005). That is done only where a condition behind it looks through the same variable.
//!
//! A place like `p->name[i]` is one of many that are not evenly spaced if both `p` and `i` are not
//! known. There, the statement alone is executed for each value of `p`.
//!
//! **Sound**: the cases together are the state.

use super::engine::Values;
use super::evaluate::Places;
use super::execute::Exits;
use super::number::Number;
use super::state::State;
use super::stop::Evaluated;
use super::value::{Pointers, Target, Value};
use crate::program::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, Length, Lvalue, Part, Program, Step, Stmt, StmtKind, Type, Use,
    VarId, each_part, each_part_of_expr, each_stmt,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A variable whose value selects a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Selector {
    /// A pointer to objects of that size.
    Pointer(VarId, u64),
    /// An index into arrays of structs of that length.
    Index(VarId, u64),
}

/// The selectors of a statement.
#[derive(Clone, Default)]
pub(super) struct Selectors {
    /// Those that conditions behind it look through.
    tested: Vec<Selector>,
    /// Those with an index behind them.
    spread: Vec<Selector>,
}

impl Selector {
    fn variable(self) -> VarId {
        let (Selector::Pointer(v, _) | Selector::Index(v, _)) = self;
        v
    }
}

impl<'p> Values<'p> {
    /// Finds the statements of a block before which cases may be made.
    pub(super) fn find_selectors(&mut self, block: &'p Block) {
        // The selectors of conditions further on.
        let mut tested = BTreeSet::new();
        for stmt in block.iter().rev() {
            stmt.blocks().for_each(|inner| self.find_selectors(inner));
            let mut assigned = BTreeSet::new();
            each_stmt(std::slice::from_ref(stmt), &mut |s| assigned.extend(target(s)));
            if matches!(stmt.kind, StmtKind::Loop(_)) {
                each_stmt(std::slice::from_ref(stmt), &mut |s| add_tested(self.program, s, &mut tested));
            }
            tested.retain(|s: &Selector| !assigned.contains(&s.variable()));
            if !matches!(stmt.kind, StmtKind::Loop(_)) {
                each_stmt(std::slice::from_ref(stmt), &mut |s| add_tested(self.program, s, &mut tested));
            }
            let (mut own, mut spread) = (BTreeSet::new(), BTreeSet::new());
            each_part(stmt, &mut |part| {
                add_selectors(self.program, part, &mut own);
                if matches!(part, Part::Lvalue(l, _) if is_spread(l)) {
                    add_selectors(self.program, part, &mut spread);
                }
            });
            let tested: Vec<Selector> = own.intersection(&tested).copied().collect();
            let spread: Vec<Selector> = spread.into_iter().filter(|s| !assigned.contains(&s.variable())).collect();
            if !tested.is_empty() || !spread.is_empty() {
                self.selectors.insert(stmt.id(), Rc::new(Selectors { tested, spread }));
            }
        }
    }

    /// Executes statements one after the other, in cases where that is of use.
    pub(super) fn sequence(
        &mut self,
        stmts: &'p [Stmt],
        mut state: Option<State>,
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        for (n, stmt) in stmts.iter().enumerate() {
            let selectors = self.selectors.get(&stmt.id()).cloned();
            let (Some(before), Some(selectors)) = (&state, selectors) else {
                state = self.statement(stmt, state, exits)?;
                continue;
            };
            let [of_block, of_statement] = self.cases;
            if let Some(cases) = self.cases(&selectors.tested, before, self.limits.cases / of_block) {
                self.cases[0] *= cases.len() as u128;
                let end = self.each_case(cases, &stmts[n..], exits);
                self.cases[0] = of_block;
                return end;
            }
            let Some(cases) = self.cases(&selectors.spread, before, self.limits.spread / of_statement) else {
                state = self.statement(stmt, state, exits)?;
                continue;
            };
            self.cases[1] *= cases.len() as u128;
            let end = self.each_case(cases, std::slice::from_ref(stmt), exits);
            self.cases[1] = of_statement;
            state = end?;
        }
        Ok(state)
    }

    /// Executes statements in each of some states.
    fn each_case(&mut self, cases: Vec<State>, stmts: &'p [Stmt], exits: &mut Exits) -> Evaluated<Option<State>> {
        let mut end = None;
        for case in cases {
            let after = self.sequence(stmts, Some(case), exits)?;
            end = self.joined(end, after);
        }
        Ok(end)
    }

    /// The states for the values of the first variable that has a few.
    fn cases(&mut self, selectors: &[Selector], state: &State, most: u128) -> Option<Vec<State>> {
        selectors.iter().find_map(|selector| self.cases_of(*selector, state, most))
    }

    fn cases_of(&mut self, selector: Selector, state: &State, most: u128) -> Option<Vec<State>> {
        let (object, ty) = (self.variable(selector.variable()), &self.program.variable(selector.variable()).ty);
        self.sized(state, object)?;
        let size = self.width(ty)?;
        let values = match (selector, self.read(state, &Places::at(object), ty).ok()?) {
            (Selector::Pointer(_, size), Value::Pointer(p)) => self.places_apart(state, &p, size, most)?,
            (Selector::Index(_, length), Value::Number(n)) => {
                let is_inside = n.lo() >= 0 && n.hi() < length.into();
                let few = is_inside && (2..=most).contains(&n.count());
                few.then(|| each(n).map(Value::Number).collect())?
            }
            _ => return None,
        };
        let with = |value| {
            let mut state = state.clone();
            state.memory.write(object, 0, size, value, self.big_endian);
            state
        };
        Some(values.into_iter().map(with).collect())
    }

    /// A pointer for each of a few places; `None` also if some place may be outside.
    fn places_apart(&self, state: &State, p: &Pointers, size: u64, most: u128) -> Option<Vec<Value>> {
        let is_inside = |target: Target| {
            let whole = self.sized(state, target.object);
            !self.objects.origin(target.object).is_several()
                && target.offset.lo() >= 0
                && whole.is_some_and(|whole| target.offset.hi() + i128::from(size) <= whole.lo())
        };
        let count = p.targets.iter().fold(0u128, |sum, target| sum.saturating_add(target.offset.count()));
        if !p.is_address()
            || !p.functions.is_empty()
            || !(2..=most).contains(&count)
            || !p.targets.iter().all(is_inside)
        {
            return None;
        }
        let one = |target| Pointers { targets: std::iter::once(target).collect(), ..Pointers::default() };
        let places =
            p.targets.iter().flat_map(|target| each(target.offset).map(move |offset| Target { offset, ..target }));
        Some(places.map(|target| Value::pointer(one(target))).collect())
    }
}

/// Each of a few numbers.
fn each(n: Number) -> impl Iterator<Item = Number> {
    (0..n.count()).map(move |k| Number::constant(n.lo() + (k * n.step()) as i128))
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
