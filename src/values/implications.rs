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
use std::collections::BTreeSet;
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

/// The implications in a state, one for each guard and case. Many states share them.
#[derive(Clone, Default, Debug)]
pub(super) struct Implications {
    all: Option<Rc<Vec<Rc<Implication>>>>,
    /// A bit for each object that has one of the cells; other objects may have the same bit.
    objects: u64,
}

/// The most implications in a state.
const MOST: usize = 12;
/// The most cells of one.
const MOST_VALUES: usize = 12;

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

/// What a cell of so many bytes holds that holds one value and also another one; `None` if it
/// cannot be.
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

impl PartialEq for Implications {
    fn eq(&self, other: &Implications) -> bool {
        let are_alike = |(a, b): (&Rc<Implication>, &Rc<Implication>)| Rc::ptr_eq(a, b) || a == b;
        let has_same_size = self.objects == other.objects && self.all().len() == other.all().len();
        self.is_same(other) || (has_same_size && self.iter().zip(other.iter()).all(are_alike))
    }
}

impl Implications {
    fn all(&self) -> &[Rc<Implication>] {
        self.all.as_deref().map_or(&[], |all| all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// Whether both are one, so that they need not be compared.
    pub(super) fn is_same(&self, other: &Implications) -> bool {
        match (&self.all, &other.all) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rc<Implication>> {
        self.all().iter()
    }

    /// The one for that guard and case.
    pub(super) fn get(&self, guard: Place, case: Case) -> Option<&Rc<Implication>> {
        self.iter().find(|i| i.guard == guard && i.case == case)
    }

    pub(super) fn has(&self, implication: &Rc<Implication>) -> bool {
        self.iter().any(|i| Rc::ptr_eq(i, implication))
    }

    /// Whether a cell of the object may be among theirs.
    pub(super) fn may_be_about(&self, object: ObjectId) -> bool {
        self.objects & object.bit() != 0
    }

    /// Adds one for a guard and case for which there is none, unless there are many.
    pub(super) fn add(&mut self, mut implication: Rc<Implication>) {
        if implication.values.len() > MOST_VALUES {
            Rc::make_mut(&mut implication).values.truncate(MOST_VALUES);
        }
        if self.all().len() < MOST && !implication.values.is_empty() {
            let places = implication.values.iter().map(|(place, _)| place).chain([&implication.guard]);
            self.objects = places.fold(self.objects, |bits, place| bits | place.object.bit());
            Rc::make_mut(self.all.get_or_insert_default()).push(implication);
        }
    }

    /// A block may change.
    pub(super) fn written(&mut self, written: Bytes) {
        if self.may_be_about(written.object) {
            self.forget(|place| place.overlaps(written));
        }
    }

    /// All bytes of an object may change.
    pub(super) fn ended(&mut self, object: ObjectId) {
        if self.may_be_about(object) {
            self.forget(|place| place.object == object);
        }
    }

    /// All bytes of some objects may change.
    pub(super) fn all_ended(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        self.forget(|place| is_ended(place.object));
    }

    fn forget(&mut self, is_changed: impl Fn(Place) -> bool) {
        let is_about =
            |i: &Rc<Implication>| is_changed(i.guard) || i.values.iter().any(|(place, _)| is_changed(*place));
        if !self.iter().any(is_about) {
            return;
        }
        let old = std::mem::take(self);
        for implication in old.iter().filter(|i| !is_changed(i.guard)) {
            if !is_about(implication) {
                self.add(implication.clone());
                continue;
            }
            let values = implication.values.iter().filter(|(place, _)| !is_changed(*place)).cloned().collect();
            self.add(Rc::new(Implication { values, ..**implication }));
        }
    }

    /// Pointers to some objects may lead to one that has ended.
    pub(super) fn end_pointers(&mut self, is_ended: impl Fn(ObjectId) -> bool) {
        let after = |value: &Value| value.after_end(&is_ended);
        if !self.iter().any(|i| i.values.iter().any(|(_, value)| after(value).is_some())) {
            return;
        }
        for implication in self.all.iter_mut().flat_map(Rc::make_mut) {
            for n in 0..implication.values.len() {
                if let Some(value) = after(&implication.values[n].1) {
                    Rc::make_mut(implication).values[n].1 = value;
                }
            }
        }
    }

    /// A cell now holds what another one holds: what follows from the value of that one follows
    /// from its value.
    pub(super) fn copied(&mut self, from: Place, to: Place) {
        if from.size != to.size || from == to || !self.may_be_about(from.object) {
            return;
        }
        let of_source: Vec<Rc<Implication>> = self.iter().filter(|i| i.guard == from).cloned().collect();
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
    /// Offsets and sizes, for each variable.
    cells: Vec<Box<[(i64, u32)]>>,
    /// For results of functions.
    scalars: [(i64, u32); 4],
}

impl Guards {
    /// Finds them in the conditions of a program.
    pub(super) fn of(program: &Program) -> Guards {
        let mut tested = Tested { whole: BTreeSet::new(), members: BTreeSet::new() };
        program.each_stmt(|s| tested.stmt(s));
        tested.add_copied(program);
        let cells = (0..).map(VarId).zip(&program.variables).map(|(v, variable)| {
            let mut found = Vec::new();
            match &variable.ty {
                Type::Struct(id) => tested.add_members(program, *id, 0, &mut found),
                ty if tested.whole.contains(&v) => found.extend(width(program, ty).map(|size| (0, size))),
                _ => {}
            }
            found.into()
        });
        Guards { cells: cells.collect(), scalars: [1, 2, 4, 8].map(|size| (0, size)) }
    }

    /// Those of an object.
    pub(super) fn of_object(&self, origin: Origin) -> &[(i64, u32)] {
        match origin {
            Origin::Variable(v, _) => &self.cells[v.0 as usize],
            Origin::Result(_) => &self.scalars,
            Origin::Heap(..) | Origin::Outside(_) => &[],
        }
    }

    /// Whether a cell is one, in an object of that origin.
    pub(super) fn has(&self, origin: Origin, cell: Place) -> bool {
        self.of_object(origin).contains(&(cell.at, cell.size))
    }
}

/// The size of a scalar type in bytes.
fn width(program: &Program, ty: &Type) -> Option<u32> {
    program.size_of(ty).filter(|_| ty.is_scalar()).and_then(|size| u32::try_from(size).ok())
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

    /// The members that are compared, in a struct at an offset.
    fn add_members(&self, program: &Program, id: StructId, start: i64, found: &mut Vec<(i64, u32)>) {
        for (n, member) in (0..).zip(&program.structure(id).members) {
            let Some(at) = program.offset_of(id, n).and_then(|at| i64::try_from(at).ok()) else { continue };
            match &member.ty {
                Type::Struct(inner) => self.add_members(program, *inner, start + at, found),
                ty if self.members.contains(&(id, n)) => {
                    found.extend(width(program, ty).map(|size| (start + at, size)));
                }
                _ => {}
            }
        }
    }
}
