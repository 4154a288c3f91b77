//! What some cells hold if another cell holds a certain value.
//!
//! In `if (open) p = &x; else p = 0; if (open) *p = 1;` the values of `open` and of `p` belong
//! together. Where states are joined that differ in a cell that conditions look at, it is kept what
//! the other cells hold in each case (one level of the decision trees of Blanchet et al., "A static
//! analyzer for large safety-critical software", PLDI 2003, 6.2.4; the cases are not only those of
//! Booleans). Where a condition then tells the case, these cells hold that.
//!
//! **Meaning.** An implication is true of the memories in which the guard does not have the case,
//! or in which each of some cells holds one of its values. A state means the memories of which all
//! its implications are true. **Sound**: a write into the guard removes the implication; a write
//! into one of the cells removes that cell.

use super::blocks::Bytes;
use super::number::Number;
use super::objects::{ObjectId, Origin};
use super::offsets::Offsets;
use super::value::{Pointers, Value};
use crate::program::{
    Base, BinaryOp, Expr, ExprKind, Lvalue, Program, Step, Stmt, StmtKind, StructId, Type, UnaryOp, VarId, each_expr,
};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A cell: bytes of one object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub object: ObjectId,
    pub at: i64,
    pub size: u32,
}

/// What a guard holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Case {
    /// The bits of that number with a sign. Those of a null pointer are 0.
    Is(i128),
    /// Any others.
    Not(i128),
}

/// If the guard has the case, the cells hold these values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Implication {
    pub guard: Place,
    pub case: Case,
    pub values: Vec<(Place, Value)>,
}

/// The implications in a state, one for each guard and case.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Implications(Vec<Rc<Implication>>);

/// The most implications in a state.
const MOST: usize = 24;
/// The most cells of one.
const MOST_VALUES: usize = 24;

impl Place {
    fn overlaps(self, written: Bytes) -> bool {
        written.overlaps(Bytes { object: self.object, at: Offsets::constant(self.at.into()), size: self.size.into() })
    }
}

impl Case {
    /// The cases by which what a guard holds here, and elsewhere, can be told apart.
    pub(super) fn between(here: &Value, there: &Value, size: u32) -> Vec<Case> {
        let [one, other] = [here, there].map(|value| bits(value, size));
        match (one, other) {
            (Some(a), Some(b)) if a != b => vec![Case::Is(a), Case::Is(b)],
            (Some(n), None) if Case::Not(n).is_certain(there, size) => vec![Case::Is(n), Case::Not(n)],
            (None, Some(n)) if Case::Not(n).is_certain(here, size) => vec![Case::Is(n), Case::Not(n)],
            _ => Vec::new(),
        }
    }

    /// Whether all these values of so many bytes have it.
    pub(super) fn is_certain(self, value: &Value, size: u32) -> bool {
        match (self, value) {
            (Case::Is(n), _) => bits(value, size) == Some(n),
            (Case::Not(n), Value::Number(known)) => !numbers(n, size).any(|n| known.contains(n)),
            (Case::Not(0), Value::Pointer(p)) => p.is_address(),
            (Case::Not(_), _) => false,
        }
    }

    /// Whether none of these values has it.
    pub(super) fn is_excluded_by(self, value: &Value, size: u32) -> bool {
        self.opposite().is_certain(value, size)
    }

    fn opposite(self) -> Case {
        match self {
            Case::Is(n) => Case::Not(n),
            Case::Not(n) => Case::Is(n),
        }
    }

    /// These values, as far as they have it; `None` if none has it.
    pub(super) fn part_of(self, value: &Value, size: u32) -> Option<Value> {
        match (self, value) {
            (Case::Is(n), Value::Number(known)) => {
                let mut parts = numbers(n, size).filter_map(|n| known.meet(Number::constant(n)));
                parts.next().map(|part| if parts.next().is_some() { *known } else { part }).map(Value::Number)
            }
            (Case::Not(n), Value::Number(known)) => {
                let left = numbers(n, size).try_fold(*known, |known, n| known.without(n));
                left.map(Value::Number)
            }
            (Case::Is(0), Value::Pointer(p)) => (p.null || p.wild).then(|| Value::pointer(Pointers::null())),
            (Case::Not(0), Value::Pointer(p)) => {
                let left = Pointers { null: false, ..(**p).clone() };
                (!left.is_empty()).then(|| Value::pointer(left))
            }
            _ => Some(value.clone()),
        }
    }

    /// These values without those that have it; `None` if none is left.
    pub(super) fn left_by(self, value: &Value, size: u32) -> Option<Value> {
        self.opposite().part_of(value, size)
    }
}

/// The bits of a value of so many bytes, as a number with a sign, if they are known.
fn bits(value: &Value, size: u32) -> Option<i128> {
    match value {
        Value::Number(n) if size <= 8 => {
            let n = n.as_constant()?;
            Some(if n >> (8 * size - 1) > 0 { n - (1 << (8 * size)) } else { n })
        }
        Value::Pointer(p) => (**p == Pointers::null()).then_some(0),
        _ => None,
    }
}

/// The numbers that have these bits, with and without a sign.
fn numbers(n: i128, size: u32) -> impl Iterator<Item = i128> {
    let natural = (n < 0).then(|| n + (1 << (8 * size)));
    std::iter::once(n).chain(natural)
}

/// What a cell of so many bytes holds that holds one value and also another one; `None` if it cannot
/// be.
pub(super) fn meet(known: &Value, told: &Value, size: u32) -> Option<Value> {
    let is_signed = |n: &Number| n.lo() < 0;
    let is_natural = |n: &Number| size > 8 || n.hi() >> (8 * size - 1) > 0;
    match (known, told) {
        (Value::Any, told) => Some(told.clone()),
        // The same bits may be two numbers.
        (Value::Number(a), Value::Number(b)) if (is_signed(a) && is_natural(b)) || (is_natural(a) && is_signed(b)) => {
            Some(known.clone())
        }
        _ => known.meet(told),
    }
}

impl Implication {
    /// What it says of a cell.
    pub(super) fn value(&self, place: Place) -> Option<&Value> {
        self.values.iter().find(|(other, _)| *other == place).map(|(_, value)| value)
    }
}

impl Implications {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether more of them can be kept.
    pub(super) fn has_room(&self) -> bool {
        self.0.len() < MOST
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rc<Implication>> {
        self.0.iter()
    }

    /// The one for that guard and case.
    pub(super) fn get(&self, guard: Place, case: Case) -> Option<&Rc<Implication>> {
        self.0.iter().find(|i| i.guard == guard && i.case == case)
    }

    pub(super) fn has(&self, implication: &Rc<Implication>) -> bool {
        self.0.iter().any(|i| Rc::ptr_eq(i, implication))
    }

    /// Adds one for a guard and case for which there is none, unless there are many.
    pub(super) fn add(&mut self, mut implication: Rc<Implication>) {
        if implication.values.len() > MOST_VALUES {
            Rc::make_mut(&mut implication).values.truncate(MOST_VALUES);
        }
        if self.has_room() && !implication.values.is_empty() {
            self.0.push(implication);
        }
    }

    /// A block may change.
    pub(super) fn written(&mut self, written: Bytes) {
        self.forget(|place| place.overlaps(written));
    }

    /// All bytes of some objects may change.
    pub(super) fn all_ended(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.forget(|place| is_ended(place.object));
    }

    fn forget(&mut self, is_changed: impl Fn(Place) -> bool) {
        self.0.retain_mut(|implication| {
            if is_changed(implication.guard) {
                return false;
            }
            if implication.values.iter().any(|(place, _)| is_changed(*place)) {
                Rc::make_mut(implication).values.retain(|(place, _)| !is_changed(*place));
            }
            !implication.values.is_empty()
        });
    }

    /// Pointers to some objects may lead to one that has ended.
    pub(super) fn end_pointers(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        for implication in &mut self.0 {
            for n in 0..implication.values.len() {
                if let Some(value) = implication.values[n].1.after_end(&is_ended) {
                    Rc::make_mut(implication).values[n].1 = value;
                }
            }
        }
    }

    /// A cell now holds what another one holds: what follows from the value of that one follows
    /// from its value.
    pub(super) fn copied(&mut self, from: Place, to: Place) {
        if from.size != to.size || from == to {
            return;
        }
        let of_source: Vec<Rc<Implication>> = self.0.iter().filter(|i| i.guard == from).cloned().collect();
        for implication in of_source {
            let mut values = implication.values.clone();
            if let Case::Is(n) = implication.case {
                values.push((from, Value::Number(Number::constant(n))));
            }
            values.retain(|(place, _)| *place != to);
            self.add(Rc::new(Implication { guard: to, case: implication.case, values }));
        }
    }
}

/// The cells that can be guards: those of variables that conditions compare with constants.
#[derive(Default)]
pub(super) struct Guards {
    variables: HashMap<VarId, Box<[i64]>>,
}

impl Guards {
    /// Finds them in the conditions of a program.
    pub(super) fn of(program: &Program) -> Guards {
        let mut tested = Tested { whole: BTreeSet::new(), members: BTreeSet::new() };
        program.each_stmt(|s| tested.stmt(s));
        tested.add_copied(program);
        let mut guards = Guards::default();
        for (n, variable) in (0..).map(VarId).zip(&program.variables) {
            let mut offsets = Vec::new();
            match &variable.ty {
                Type::Struct(id) => tested.add_members(program, *id, 0, &mut offsets),
                _ if tested.whole.contains(&n) => offsets.push(0),
                _ => {}
            }
            if !offsets.is_empty() {
                guards.variables.insert(n, offsets.into());
            }
        }
        guards
    }

    /// Whether a cell at that offset of an object can be one.
    pub(super) fn has(&self, origin: Origin, at: i64) -> bool {
        match origin {
            Origin::Variable(v, _) => self.variables.get(&v).is_some_and(|offsets| offsets.contains(&at)),
            Origin::Result(_) => at == 0,
            Origin::Heap(..) | Origin::Outside(_) => false,
        }
    }
}

/// What conditions compare with constants.
struct Tested {
    whole: BTreeSet<VarId>,
    members: BTreeSet<(StructId, u32)>,
}

impl Tested {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::If(c, ..) | StmtKind::Assume(c) | StmtKind::Assert(c, _) => self.truth(c),
            StmtKind::Loop(l) => self.truth(&l.condition),
            _ => {}
        }
        each_expr(s, &mut |e| match &e.kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.truth(a);
                self.truth(b);
            }
            ExprKind::Unary(UnaryOp::Not, a) | ExprKind::Conditional(a, ..) => self.truth(a),
            // Whether something is left tells whether the divisor is 1.
            ExprKind::Binary(BinaryOp::Rem, _, divisor) => self.truth(divisor),
            ExprKind::Binary(op, a, b) => {
                let is_compared = |e: &Expr| match (op, e.before_moves().as_int()) {
                    (BinaryOp::Equal | BinaryOp::NotEqual, n) => n.is_some(),
                    (BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual, Some(n)) => {
                        n.abs() <= 1
                    }
                    _ => false,
                };
                if is_compared(b) {
                    self.truth(a);
                }
                if is_compared(a) {
                    self.truth(b);
                }
            }
            _ => {}
        });
    }

    /// What is copied to a variable that conditions look at is looked at there.
    fn add_copied(&mut self, program: &Program) {
        let mut copies = Vec::new();
        program.each_stmt(|s| {
            if let StmtKind::Assign(to, from) = &s.kind {
                copies.extend(to.as_var().zip(from.converted_var()));
            }
        });
        while copies.iter().any(|(to, from)| self.whole.contains(to) && self.whole.insert(*from)) {}
    }

    fn truth(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cast(a) => self.truth(a),
            ExprKind::Load(l) => self.lvalue(l),
            _ => {}
        }
    }

    fn lvalue(&mut self, l: &Lvalue) {
        match (&l.base, l.path.last()) {
            (Base::Var(v), None) => _ = self.whole.insert(*v),
            (_, Some(Step::Field(id, n))) => _ = self.members.insert((*id, *n)),
            _ => {}
        }
    }

    /// The offsets of the members that are compared, in a struct at an offset.
    fn add_members(&self, program: &Program, id: StructId, start: i64, offsets: &mut Vec<i64>) {
        for (n, member) in (0..).zip(&program.structure(id).members) {
            let Some(at) = program.offset_of(id, n).and_then(|at| i64::try_from(at).ok()) else { continue };
            match &member.ty {
                Type::Struct(inner) => self.add_members(program, *inner, start + at, offsets),
                _ if self.members.contains(&(id, n)) => offsets.push(start + at),
                _ => {}
            }
        }
    }
}
