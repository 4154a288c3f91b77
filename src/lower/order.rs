//! Decides whether the order matters for operands that C may evaluate in any order.
//!
//! Operands are lowered from left to right. If neither changes what the other reads, the order does
//! not matter. Otherwise the order is an assumption, which is listed. The effects of functions are
//! known only when every body has been lowered, so pairs of operands are kept until then.
//!
//! **Sound** because a [`Footprint`] holds at least what an operand may read and write: variables
//! by name, and what pointers reach by kinds of places. Two kinds are disjoint only if C does not
//! allow a place to be of both.

use super::context::{Lowered, Lowerer};
use super::statements::has_effects;
use crate::program::{
    Base, Block, Callee, Expr, ExprKind, FunctionId, IntKind, Lvalue, Origin, Part, Program, Step, Stmt, StmtKind,
    Storage, StructId, Type, UnaryOp, Use, VarId, each_part, each_part_of_expr, each_part_of_lvalue, each_stmt,
};
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::BTreeSet;

/// What a pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// Characters, structs as a whole, members of unions: they overlap with all others.
    Any,
    /// An integer of that many bits.
    Int(u32),
    Pointer,
    Float,
}

/// A place that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum AbstractLocation {
    Variable(VarId),
    /// The place that a pointer leads to, and the member of a struct that it is, if one is named.
    Memory(Kind, Option<(StructId, u32)>),
}

/// What the evaluation of an operand may touch.
#[derive(Clone, Default, Debug)]
pub(super) struct Footprint {
    reads: BTreeSet<AbstractLocation>,
    writes: BTreeSet<AbstractLocation>,
    calls: BTreeSet<FunctionId>,
    /// Whether there are calls through pointers: of any function whose address is taken.
    unknown_calls: bool,
    /// Whether the run may end there.
    ends: bool,
    /// Whether there is an assertion, or an operation that may be undefined.
    asserts: bool,
}

impl Footprint {
    /// Whether it may change what is evaluated later.
    pub(super) fn changes(&self) -> bool {
        !self.writes.is_empty() || !self.calls.is_empty() || self.unknown_calls || self.ends
    }

    /// Whether a variable may be read or written there, in a program where `exposed` may be reached
    /// by pointers. There are no calls.
    pub(super) fn touches(&self, program: &Program, v: VarId, exposed: &impl Fn(VarId) -> bool) -> bool {
        let it = AbstractLocation::Variable(v);
        self.reads.iter().chain(&self.writes).any(|place| overlap(program, *place, it, exposed))
    }

    /// Removes the write of the statement to its target, which happens after everything is
    /// evaluated.
    pub(super) fn forget_target(&mut self, program: &Program, target: &Lvalue) {
        self.writes.remove(&place(program, target));
    }

    /// Adds a write to the target.
    pub(super) fn add_target(&mut self, program: &Program, target: &Lvalue) {
        self.writes.insert(place(program, target));
    }

    /// The same footprint without what `other` cannot affect: without reads, if `other` changes
    /// nothing.
    fn seen_by(&self, other: &Footprint) -> Footprint {
        let reads = if other.changes() { self.reads.clone() } else { BTreeSet::new() };
        Footprint {
            reads,
            writes: self.writes.clone(),
            calls: self.calls.clone(),
            unknown_calls: self.unknown_calls,
            ends: self.ends,
            asserts: self.asserts,
        }
    }

    fn is_empty(&self) -> bool {
        self.reads.is_empty() && !self.changes() && !self.asserts
    }

    fn calls(&self) -> bool {
        !self.calls.is_empty() || self.unknown_calls
    }

    fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
        self.unknown_calls |= other.unknown_calls;
        self.ends |= other.ends;
        self.asserts |= other.asserts;
    }

    fn part(&mut self, program: &Program, part: Part<'_>) {
        if let Part::Lvalue(l, how) = part {
            match how {
                Use::Read => _ = self.reads.insert(place(program, l)),
                Use::Write => _ = self.writes.insert(place(program, l)),
                Use::Address => {}
            }
        }
    }

    fn value(&mut self, program: &Program, value: &Expr) {
        each_part_of_expr(value, &mut |p| {
            self.part(program, p);
            self.asserts |= may_be_undefined(p);
        });
    }

    fn statements(&mut self, program: &Program, block: &[Stmt]) {
        let mut own = BTreeSet::new();
        each_stmt(block, &mut |s| {
            each_part(s, &mut |p| {
                self.part(program, p);
                self.asserts |= may_be_undefined(p);
            });
            match &s.kind {
                StmtKind::Declare(v) => _ = own.insert(AbstractLocation::Variable(*v)),
                StmtKind::Call { callee: Callee::Function(f), .. } => _ = self.calls.insert(*f),
                StmtKind::Call { .. } => self.unknown_calls = true,
                StmtKind::HavocReachable(_) => _ = self.writes.insert(AbstractLocation::Memory(Kind::Any, None)),
                StmtKind::Stop => self.ends = true,
                StmtKind::Assert(..) => self.asserts = true,
                _ => {}
            }
        });
        // No other operand can access variables that are declared there, or literals that are made
        // there once.
        let is_new = |v: VarId| matches!(program.variable(v).origin, Origin::Literal | Origin::Passing);
        let is_own = |p: &AbstractLocation| own.contains(p) || matches!(p, AbstractLocation::Variable(v) if is_new(*v));
        self.writes.retain(|w| !is_own(w));
        self.reads.retain(|r| !is_own(r));
    }

    /// Whether the order of the two operands may matter, in a program where `exposed` may be
    /// reached by pointers.
    fn conflicts(&self, other: &Footprint, program: &Program, exposed: &impl Fn(VarId) -> bool) -> bool {
        let is_memory = |p: &&AbstractLocation| matches!(p, AbstractLocation::Memory(..));
        let touches = |a: &Footprint, b: &Footprint| {
            let all = || b.reads.iter().chain(&b.writes);
            let overlaps = |w: &AbstractLocation, p: &AbstractLocation| overlap(program, *w, *p, exposed);
            // Two variables are identical or disjoint; only memory is compared with everything.
            a.writes.iter().any(|w| b.reads.contains(w) || b.writes.contains(w))
                || a.writes.iter().filter(is_memory).any(|w| all().any(|p| overlaps(w, p)))
                || all().filter(is_memory).any(|p| a.writes.iter().any(|w| overlaps(w, p)))
        };
        touches(self, other)
            || touches(other, self)
            || (self.ends && (other.asserts || !other.writes.is_empty()))
            || (other.ends && (self.asserts || !self.writes.is_empty()))
    }
}

/// Whether an operation has a check of its own, or might have.
fn may_be_undefined(part: Part<'_>) -> bool {
    match part {
        Part::Expr(e) => match &e.kind {
            ExprKind::Binary(op, ..) => !op.is_comparison(),
            ExprKind::Unary(op, _) => *op == UnaryOp::Negate,
            _ => false,
        },
        Part::Lvalue(l, _) => {
            matches!(l.base, Base::Deref(_)) || l.path.iter().any(|step| matches!(step, Step::Index(_)))
        }
    }
}

fn kind(program: &Program, ty: &Type) -> Kind {
    match ty {
        Type::Int(kind) if !matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar) => {
            Kind::Int(kind.width(program.data_model))
        }
        Type::Pointer(_) => Kind::Pointer,
        Type::Float(_) => Kind::Float,
        _ => Kind::Any,
    }
}

fn place(program: &Program, l: &Lvalue) -> AbstractLocation {
    if let Base::Var(v) = l.base {
        return AbstractLocation::Variable(v);
    }
    let (mut kind, mut member) = (kind(program, &l.ty), None);
    for step in &l.path {
        if let Step::Field(id, n) = step {
            member = Some((*id, *n));
            if program.structure(*id).is_union {
                kind = Kind::Any;
            }
        }
    }
    if kind == Kind::Any {
        member = None;
    }
    AbstractLocation::Memory(kind, member)
}

fn overlap(program: &Program, a: AbstractLocation, b: AbstractLocation, exposed: &impl Fn(VarId) -> bool) -> bool {
    let kinds = |a: Kind, b: Kind| a == b || a == Kind::Any || b == Kind::Any;
    match (a, b) {
        (AbstractLocation::Variable(v), AbstractLocation::Variable(w)) => v == w,
        (AbstractLocation::Variable(v), AbstractLocation::Memory(k, member))
        | (AbstractLocation::Memory(k, member), AbstractLocation::Variable(v)) => {
            let own = kind(program, &program.variable(v).ty);
            exposed(v) && kinds(own, k) && (own == Kind::Any || member.is_none())
        }
        (AbstractLocation::Memory(a, m), AbstractLocation::Memory(b, n)) => {
            kinds(a, b) && (m == n || m.is_none() || n.is_none())
        }
    }
}

impl Lowerer<'_> {
    /// The footprint of the statements that were emitted since `from`, and of the values.
    pub(super) fn footprint<'e>(&self, from: usize, values: impl IntoIterator<Item = &'e Expr>) -> Footprint {
        let mut found = Footprint::default();
        for value in values {
            found.value(&self.program, value);
        }
        if let Some(emitted) = self.out.get(from..).filter(|b| !b.is_empty()) {
            // No other operand can change what the value reads there.
            found.statements(&self.program, emitted);
        }
        found
    }

    /// The footprint of statements that are not emitted yet, and of a value after them.
    pub(super) fn footprint_of(&self, block: &Block, value: &Expr) -> Footprint {
        let mut found = Footprint::default();
        found.value(&self.program, value);
        found.statements(&self.program, block);
        found
    }

    /// The footprint of statements that are not emitted yet.
    pub(super) fn footprint_of_statements(&self, statements: &[Stmt]) -> Footprint {
        let mut found = Footprint::default();
        found.statements(&self.program, statements);
        found
    }

    /// The footprint of determining an object, without its access.
    pub(super) fn footprint_of_place(&self, from: usize, object: &Lvalue) -> Footprint {
        let mut found = self.footprint(from, []);
        each_part_of_lvalue(object, Use::Address, &mut |p| found.part(&self.program, p));
        found
    }

    /// The values of two operands. Calls on the right may change what the left one reads, in
    /// `x + f()` and in `p[f()]`: its value is taken first, as written.
    pub(super) fn operands(&mut self, left: &Node<Expression>, right: &Node<Expression>) -> Lowered<(Expr, Expr)> {
        let before = self.out.len();
        let left = self.rvalue(left)?;
        let mut earlier = self.footprint(before, [&left]);
        let (right, effects) = self.collecting(|l| l.rvalue(right))?;
        let later = self.footprint_of(&effects, &right);
        let left = self.settle_before(left, &later);
        self.out.extend(effects);
        self.unsequenced(&mut earlier, later);
        Ok((left, right))
    }

    /// Notes that C lets `earlier` and `later` be evaluated in either order, and adds the later to
    /// the earlier.
    pub(super) fn unsequenced(&mut self, earlier: &mut Footprint, later: Footprint) {
        if !earlier.is_empty() && !later.is_empty() && (earlier.changes() || later.changes()) {
            if earlier.calls() || later.calls() {
                self.unordered.push((earlier.seen_by(&later), later.seen_by(earlier)));
            } else if earlier.conflicts(&later, &self.program, &|v| self.may_be_reached(v)) {
                self.assume_order();
            }
        }
        earlier.add(&later);
    }

    /// Notes that C lets the arguments of a known function be evaluated in any order. They are not
    /// evaluated here.
    pub(super) fn unsequenced_arguments(&mut self, list: &[Node<Expression>]) -> Lowered<()> {
        if list.len() < 2 || !list.iter().any(has_effects) {
            return Ok(());
        }
        let mut earlier = Footprint::default();
        for e in list {
            let later = self.unevaluated(|l| {
                let (value, effects) = l.collecting(|l| l.rvalue(e))?;
                Ok(l.footprint_of(&effects, &value))
            })?;
            self.unsequenced(&mut earlier, later);
        }
        Ok(())
    }

    /// Whether a pointer may lead to a variable, as far as the current function shows.
    pub(super) fn may_be_reached(&self, v: VarId) -> bool {
        let variable = self.program.variable(v);
        let aggregate = !variable.ty.is_scalar();
        variable.storage == Storage::Global || aggregate || self.is_address_taken(variable)
    }

    /// A value that `later` does not change: the value itself, or a temporary that is emitted.
    pub(super) fn settle_before(&mut self, value: Expr, later: &Footprint) -> Expr {
        if !later.changes() || (self.is_settled(&value) && !self.is_written(&value, later)) {
            return value;
        }
        match value.kind {
            ExprKind::AddressOf(object) => {
                let object = self.settle_place(object);
                Expr { kind: ExprKind::AddressOf(object), ..value }
            }
            _ => self.settle(value),
        }
    }

    /// The object, determined so that `later` does not change which one it is.
    pub(super) fn settle_place_before(&mut self, object: Lvalue, later: &Footprint) -> Lvalue {
        if later.changes() { self.settle_place(object) } else { object }
    }

    fn is_written(&self, value: &Expr, later: &Footprint) -> bool {
        let mut own = Footprint::default();
        own.value(&self.program, value);
        own.reads.iter().any(|r| later.writes.contains(r))
    }

    /// The object, with the pointer and the indexes that lead to it evaluated now.
    pub(super) fn settle_place(&mut self, object: Lvalue) -> Lvalue {
        let base = match object.base {
            Base::Deref(pointer) => Base::Deref(Box::new(self.settle_pointer_parts(*pointer))),
            base => base,
        };
        let mut path = Vec::new();
        for step in object.path {
            path.push(match step {
                Step::Index(i) => Step::Index(self.settle_now(i)),
                step => step,
            });
        }
        Lvalue { base, path, ..object }
    }

    /// Settles the parts of a pointer. A sum stays a sum, so that an access outside of its array is
    /// still detected at the access.
    fn settle_pointer_parts(&mut self, pointer: Expr) -> Expr {
        match pointer.kind {
            ExprKind::Binary(op, base, index) => {
                let base = self.settle_pointer_parts(*base);
                let index = self.settle_now(*index);
                Expr { kind: ExprKind::Binary(op, Box::new(base), Box::new(index)), ..pointer }
            }
            ExprKind::Cast(inner) => {
                let inner = self.settle_pointer_parts(*inner);
                Expr { kind: ExprKind::Cast(Box::new(inner)), ..pointer }
            }
            ExprKind::AddressOf(object) => {
                let object = self.settle_place(object);
                Expr { kind: ExprKind::AddressOf(object), ..pointer }
            }
            kind => self.settle_now(Expr { kind, ..pointer }),
        }
    }

    /// A value that is read several times, or later: effects in between do not change it.
    pub(super) fn settle_now(&mut self, value: Expr) -> Expr {
        if self.is_settled(&value) { value } else { self.settle(value) }
    }

    /// Lists the assumption if any of the pairs kept needs it, now that every body is known.
    pub(super) fn decide_order(&mut self) {
        let pairs = std::mem::take(&mut self.unordered);
        if pairs.is_empty() {
            return;
        }
        let taken = self.program.address_taken_functions();
        let effects = effects_of_functions(&self.program, &taken);
        let exposed = self.program.exposed();
        let complete = |mut f: Footprint| {
            let (calls, unknown) = (std::mem::take(&mut f.calls), f.unknown_calls);
            for id in calls.iter().chain(taken.iter().filter(|_| unknown)) {
                f.add(&effects[id.0 as usize]);
            }
            f
        };
        let is_exposed = |v: VarId| exposed.contains(&v);
        let matters = |(a, b)| complete(a).conflicts(&complete(b), &self.program, &is_exposed);
        if pairs.into_iter().any(matters) {
            self.assume_order();
        }
    }
}

/// What a call of a function may read and write, including all that it calls.
pub(super) struct Effects(Footprint);

impl Effects {
    /// The effects of that function.
    pub(super) fn of(program: &Program, function: FunctionId) -> Effects {
        let all = effects_of_functions(program, &program.address_taken_functions());
        Effects(all.into_iter().nth(function.0 as usize).unwrap_or_default())
    }

    /// Whether it may write an object of the type through a pointer.
    pub(super) fn writes_behind(&self, program: &Program, ty: &Type) -> bool {
        let memory = AbstractLocation::Memory(kind(program, ty), None);
        let is_memory = |w: &&AbstractLocation| matches!(w, AbstractLocation::Memory(..));
        self.0.writes.iter().filter(is_memory).any(|w| overlap(program, *w, memory, &|_| true))
    }

    /// Whether it may write a global by its name.
    pub(super) fn writes(&self, global: VarId) -> bool {
        self.0.writes.contains(&AbstractLocation::Variable(global))
    }

    /// Whether it may read a global by its name.
    pub(super) fn reads(&self, global: VarId) -> bool {
        self.0.reads.contains(&AbstractLocation::Variable(global))
    }
}

/// Whether C allows objects of the two types to overlap.
pub(super) fn may_overlap(program: &Program, a: &Type, b: &Type) -> bool {
    let memory = |ty| AbstractLocation::Memory(kind(program, ty), None);
    overlap(program, memory(a), memory(b), &|_| true)
}

/// The footprint of a call of each function, including all that it calls. Its own variables are
/// left out: every call has new ones.
fn effects_of_functions(program: &Program, taken: &BTreeSet<FunctionId>) -> Vec<Footprint> {
    let mut found: Vec<Footprint> = program
        .functions
        .iter()
        .map(|function| {
            let mut own = Footprint::default();
            let Some(body) = &function.body else {
                own.writes.insert(AbstractLocation::Memory(Kind::Any, None));
                return own;
            };
            own.statements(program, body);
            each_stmt(body, &mut |s| own.ends |= matches!(s.kind, StmtKind::Assume(_)));
            let lasting =
                |p: &AbstractLocation| !matches!(p, AbstractLocation::Variable(v) if program.variable(*v).storage != Storage::Global);
            own.reads.retain(lasting);
            own.writes.retain(lasting);
            if own.unknown_calls {
                own.calls.extend(taken);
            }
            own
        })
        .collect();
    // Callees are added until nothing changes.
    let size = |f: &Footprint| (f.reads.len(), f.writes.len(), f.ends, f.asserts);
    loop {
        let mut changed = false;
        for n in 0..found.len() {
            let before = size(&found[n]);
            let mut own = std::mem::take(&mut found[n]);
            for callee in own.calls.clone() {
                let callee = &found[callee.0 as usize];
                own.reads.extend(&callee.reads);
                own.writes.extend(&callee.writes);
                own.ends |= callee.ends;
                own.asserts |= callee.asserts;
            }
            changed |= size(&own) != before;
            found[n] = own;
        }
        if !changed {
            return found;
        }
    }
}
