//! Evaluates expressions in an abstract state.
//!
//! An integer expression becomes a linear expression over domain variables. What is not linear becomes a *temporary*: a fresh
//! variable about which the state is told what is known. Temporaries live until the end of the statement.
//!
//! Operations that may be undefined behaviour restrict the state to the runs in which they are
//! defined: what a report says holds for runs up to their first undefined operation
//! ([`crate::program`]). With [`Undefined::GoesOn`] they do not: a run goes on with any value, and
//! with any contents of what it may have written.

use super::Model;
use super::Undefined;
use super::integers;
use super::layout::{BlockId, Dimension, Home, Path, Segment};
use super::pointers::{Target, Targets, fits};
use super::state::State;
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, Step, Type, UnaryOp};
use smalti_core::{Cell, Constraint, Interval, Lattice, LinearExpr, Memory, Var};
use std::collections::BTreeSet;

/// Evaluates the expressions of one statement.
pub(super) struct Evaluator<'a, M> {
    pub model: &'a Model<'a>,
    pub state: State<M>,
    /// Whether some operation may be undefined, as far as the state knows: the runs in which it is
    /// were cut off.
    pub restricted: bool,
    temporaries: u32,
    /// Cells that were read into temporaries since the last comparison.
    pub(super) reads: Vec<(Cell, Var)>,
}

/// One place that an lvalue may denote.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub block: BlockId,
    pub path: Path,
    /// The row-major number of the cell in the dimensions of the path; 0 where there is none.
    pub flat: LinearExpr,
}

/// The places that an lvalue may denote.
pub(super) enum Places {
    /// Just one of these.
    Known(Vec<Place>),
    /// Something in these objects.
    Inside(BTreeSet<BlockId>),
    /// Something in any exposed object, or memory that is not tracked.
    Anywhere,
}

/// The value of a pointer expression.
pub(super) struct PointerValue {
    pub targets: Targets,
    pub offset: LinearExpr,
    /// Certainly not null and not indeterminate.
    pub valid: bool,
}

/// More candidates than this are treated as "somewhere".
const MAX_PLACES: usize = 8;

impl<'a, M: Memory> Evaluator<'a, M> {
    pub(super) fn new(model: &'a Model<'a>, state: State<M>) -> Self {
        Evaluator { model, state, restricted: false, temporaries: 0, reads: Vec::new() }
    }

    /// The state, without the temporaries, and whether an operation may have been undefined.
    pub(super) fn finish(mut self) -> (State<M>, bool) {
        if self.temporaries > 0 {
            let first = self.model.first_temporary;
            let all: Vec<Var> = (0..self.temporaries).map(|n| Var::scalar(first + n)).collect();
            self.state.memory.forget(&all);
        }
        (self.state, self.restricted)
    }

    /// Whether runs go on after an undefined operation.
    pub(super) fn goes_on(&self) -> bool {
        self.model.undefined == Undefined::GoesOn
    }

    // --- values ---

    pub(super) fn temporary(&mut self) -> Var {
        let v = Var::scalar(self.model.first_temporary + self.temporaries);
        self.temporaries += 1;
        v
    }

    /// Any value of `range`.
    pub(super) fn any(&mut self, range: Interval) -> LinearExpr {
        if let Some(c) = range.as_constant() {
            return LinearExpr::constant(c);
        }
        let t = LinearExpr::var(self.temporary());
        self.constrain(&t, range);
        t
    }

    /// The state learns that `e` lies in `range`: a fact, not a choice.
    pub(super) fn constrain(&mut self, e: &LinearExpr, range: Interval) {
        for (bound, constraint) in [
            (range.lo(), Constraint::ge as fn(&LinearExpr, &LinearExpr) -> Option<Constraint>),
            (range.hi(), Constraint::le),
        ] {
            if let Some(c) = bound.and_then(|b| constraint(e, &LinearExpr::constant(b))) {
                self.state.memory.assume(&c);
            }
        }
    }

    /// Only runs in which `c` holds have defined behaviour here. `None` is a condition that cannot
    /// be expressed. Whether `c` is known to hold from here on: it is not where runs go on without
    /// it.
    pub(super) fn require(&mut self, c: Option<Constraint>) -> bool {
        if self.state.is_bottom() || c.as_ref().is_some_and(|c| self.state.memory.entails(c)) {
            return true;
        }
        self.restricted = true;
        if self.goes_on() {
            return false;
        }
        if let Some(c) = c {
            self.state.memory.assume(&c);
        }
        true
    }

    /// What happens here is undefined in every run.
    fn undefined(&mut self) {
        if !self.state.is_bottom() {
            self.restricted = true;
            if !self.goes_on() {
                self.state = self.model.bottom_like(&self.state);
            }
        }
    }

    /// An interval that holds every value of `e`.
    pub(super) fn bounds(&self, e: &LinearExpr) -> Interval {
        let by_type = e.interval(|v| self.model.layout.range(v));
        match self.state.memory.bounds(e) {
            Some(known) => known.meet(by_type).unwrap_or(known),
            None => by_type,
        }
    }

    fn range_of(&self, kind: IntKind) -> Interval {
        integers::range(kind, self.model.program.data_model)
    }

    /// The value `e` of an operation whose result has type `kind`: unsigned results wrap, signed ones are undefined
    /// behaviour outside the range.
    fn result(&mut self, e: Option<LinearExpr>, kind: IntKind) -> LinearExpr {
        let range = self.range_of(kind);
        let Some(e) = e else { return self.any(range) };
        if self.bounds(&e).is_subset(range) {
            return e;
        }
        if kind.is_signed() {
            let above = self.require(range.lo().and_then(|b| Constraint::ge(&e, &LinearExpr::constant(b))));
            let below = self.require(range.hi().and_then(|b| Constraint::le(&e, &LinearExpr::constant(b))));
            return if above && below { e } else { self.any(range) };
        }
        self.wrapped(e, range)
    }

    /// The value of `range`, whose size is a power of two, that is congruent to `e`.
    pub(super) fn wrapped(&mut self, e: LinearExpr, range: Interval) -> LinearExpr {
        let bounds = self.bounds(&e);
        if bounds.is_subset(range) {
            return e;
        }
        match integers::wrap_shift(bounds, range).and_then(|shift| e.add_constant(shift)) {
            Some(shifted) => shifted,
            None => self.any(range),
        }
    }

    /// The value of an integer expression. For other types: some number, unconstrained.
    pub(super) fn int(&mut self, e: &Expr) -> LinearExpr {
        let Some(kind) = e.ty.as_int() else {
            return self.any(Interval::TOP);
        };
        match &e.kind {
            ExprKind::Int(c) => LinearExpr::constant(*c),
            ExprKind::Load(l) => self.load(l),
            ExprKind::Cast(a) => self.cast(a, kind),
            ExprKind::Unary(UnaryOp::Negate, a) => {
                let v = self.int(a);
                self.result(v.scale(-1), kind)
            }
            ExprKind::Unary(UnaryOp::BitNot, a) => {
                // ~a is -1 - a in two's complement; for an unsigned type max - a.
                let v = self.int(a);
                let top = if kind.is_signed() { -1 } else { kind.max(self.model.program.data_model) };
                self.result(v.scale(-1).and_then(|v| v.add_constant(top)), kind)
            }
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => self.truth(e),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth(e),
            ExprKind::Binary(BinaryOp::PointerDiff, a, b) => self.difference(a, b, kind),
            ExprKind::Binary(op, a, b) => self.arithmetic(*op, a, b, kind),
            ExprKind::Conditional(c, a, b) => self.choice(c, |x| x.int(a), |x| x.int(b)),
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => self.any(self.range_of(kind)),
        }
    }

    fn cast(&mut self, a: &Expr, to: IntKind) -> LinearExpr {
        let range = self.range_of(to);
        match &a.ty {
            Type::Int(_) if to == IntKind::Bool => self.truth(a),
            Type::Int(_) => {
                let v = self.int(a);
                self.wrapped(v, range)
            }
            Type::Pointer(_) if to == IntKind::Bool => self.truth(a),
            _ => self.any(range),
        }
    }

    /// 0 or 1: whether `e` is not 0.
    fn truth(&mut self, e: &Expr) -> LinearExpr {
        let constant = |c| move |_: &mut Self| LinearExpr::constant(c);
        self.choice(e, constant(1), constant(0))
    }

    /// `c ? a : b`: each side is evaluated where the condition goes its way, then the ways meet.
    fn choice(
        &mut self,
        c: &Expr,
        a: impl FnOnce(&mut Self) -> LinearExpr,
        b: impl FnOnce(&mut Self) -> LinearExpr,
    ) -> LinearExpr {
        let before = self.state.clone();
        // What one side reads is no read of the whole: its cell need not even exist where the other side is taken.
        let reads = std::mem::take(&mut self.reads);
        self.condition(c, true);
        let first = if self.state.is_bottom() { None } else { Some(a(self)) };
        let then = std::mem::replace(&mut self.state, before);
        self.reads.clear();
        self.condition(c, false);
        let second = if self.state.is_bottom() { None } else { Some(b(self)) };
        self.reads = reads;
        match (first, second) {
            (Some(x), None) => {
                self.state = then;
                x
            }
            (None, Some(y)) => y,
            (None, None) => LinearExpr::constant(0),
            (Some(x), Some(y)) => {
                let t = self.temporary();
                let mut then = then;
                then.memory.assign(t, &x);
                self.state.memory.assign(t, &y);
                self.state.join_with(&then);
                LinearExpr::var(t)
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, kind: IntKind) -> LinearExpr {
        let (x, y) = (self.int(a), self.int(b));
        match op {
            BinaryOp::Add => self.result(x.add(&y), kind),
            BinaryOp::Sub => self.result(x.sub(&y), kind),
            BinaryOp::Mul => {
                let product = self.product(&x, &y);
                self.result(Some(product), kind)
            }
            BinaryOp::Div => self.quotient(&x, &y, kind),
            BinaryOp::Rem => self.remainder(&x, &y, kind),
            _ => {
                let (p, q) = (self.bounds(&x), self.bounds(&y));
                if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
                    let width = i128::from(kind.width(self.model.program.data_model));
                    self.require(Some(Constraint::non_negative(y.clone())));
                    self.require(Constraint::lt(&y, &LinearExpr::constant(width)));
                    if op == BinaryOp::ShiftLeft {
                        let left = integers::shift_left(p, q);
                        if let (Some(c), Some(left)) = (q.as_constant().filter(|c| (0..64).contains(c)), left) {
                            if kind.is_signed() {
                                self.require(Some(Constraint::non_negative(x.clone())));
                                return self.result(x.scale(1 << c), kind);
                            }
                            let exact = x.scale(1 << c).filter(|_| left.is_subset(self.range_of(kind)));
                            if let Some(exact) = exact {
                                return exact;
                            }
                        }
                        if kind.is_signed() {
                            self.require(Some(Constraint::non_negative(x.clone())));
                            let fits = left.is_some_and(|left| left.is_subset(self.range_of(kind)));
                            self.restricted |= !fits && !self.state.is_bottom();
                        }
                    }
                }
                let range = integers::bitwise(op, p, q, self.range_of(kind));
                let t = self.any(range);
                if op == BinaryOp::BitAnd {
                    // With a non-negative operand the result is between 0 and it.
                    for side in [(&x, p), (&y, q)] {
                        if side.1.lo().is_some_and(|l| l >= 0)
                            && let Some(c) = Constraint::le(&t, side.0)
                        {
                            self.state.memory.assume(&c);
                        }
                    }
                }
                t
            }
        }
    }

    pub(super) fn product(&mut self, x: &LinearExpr, y: &LinearExpr) -> LinearExpr {
        let (p, q) = (self.bounds(x), self.bounds(y));
        // Where both are known, the variable stays and the number is the factor: `24 * i` is still true when `i` is no longer 1.
        let linear = match (p.as_constant(), q.as_constant()) {
            (Some(c), None) => y.scale(c),
            (Some(c), Some(_)) if x.as_constant().is_some() => y.scale(c),
            (_, Some(c)) => x.scale(c),
            (None, None) => None,
        };
        match linear {
            Some(e) => e,
            None => {
                let mut range = p.mul(q);
                if x == y {
                    range = range.meet(Interval::new(Some(0), None).unwrap_or(Interval::TOP)).unwrap_or(range);
                }
                let t = self.any(range);
                // x * y >= x where x >= 0 and y >= 1, and the other way round.
                for (a, b, i, j) in [(x, y, p, q), (y, x, q, p)] {
                    let _ = b;
                    if i.lo().is_some_and(|l| l >= 0)
                        && j.lo().is_some_and(|l| l >= 1)
                        && let Some(c) = Constraint::ge(&t, a)
                    {
                        self.state.memory.assume(&c);
                    }
                }
                t
            }
        }
    }

    /// C's division: towards zero. Dividing by 0, and the least value by -1, is undefined behaviour.
    fn quotient(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) -> LinearExpr {
        self.require(Constraint::ne(y, &LinearExpr::constant(0)));
        self.require_quotient(x, y, kind);
        let (p, q) = (self.bounds(x), self.bounds(y));
        if q.as_constant() == Some(1) {
            return x.clone();
        }
        let range = integers::quotient(p, q).meet(self.range_of(kind)).unwrap_or(self.range_of(kind));
        let t = self.any(range);
        let non_negative = p.lo().is_some_and(|l| l >= 0);
        if let Some(c) = q.as_constant().filter(|c| *c > 0)
            && non_negative
            && let Some(ct) = t.scale(c)
        {
            // c * t <= x <= c * t + c - 1
            let facts = [Constraint::le(&ct, x), ct.add_constant(c - 1).and_then(|e| Constraint::le(x, &e))];
            for fact in facts.into_iter().flatten() {
                self.state.memory.assume(&fact);
            }
        }
        if non_negative
            && q.lo().is_some_and(|l| l >= 1)
            && let Some(c) = Constraint::le(&t, x)
        {
            self.state.memory.assume(&c);
        }
        t
    }

    /// The least value of a signed type divided by -1 is none, and has no remainder.
    fn require_quotient(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) {
        let (p, q) = (self.bounds(x), self.bounds(y));
        let least = self.range_of(kind).lo().unwrap_or(0);
        if !kind.is_signed() || !q.contains(-1) || !p.contains(least) || self.state.is_bottom() {
            return;
        }
        if q.as_constant() == Some(-1) {
            self.require(Constraint::gt(x, &LinearExpr::constant(least)));
        } else if p.as_constant() == Some(least) {
            self.require(Constraint::ne(y, &LinearExpr::constant(-1)));
        } else {
            self.restricted = true;
        }
    }

    /// C's remainder: `|r| < |y|`, with the sign of `x`.
    fn remainder(&mut self, x: &LinearExpr, y: &LinearExpr, kind: IntKind) -> LinearExpr {
        self.require(Constraint::ne(y, &LinearExpr::constant(0)));
        self.require_quotient(x, y, kind);
        let (p, q) = (self.bounds(x), self.bounds(y));
        let non_negative = p.lo().is_some_and(|l| l >= 0);
        // Nothing to reduce: 0 <= x < y.
        if non_negative && Constraint::lt(x, y).is_some_and(|c| self.state.memory.entails(&c)) {
            return x.clone();
        }
        let range = integers::remainder(p, q).meet(self.range_of(kind)).unwrap_or(self.range_of(kind));
        let t = self.any(range);
        if non_negative && let Some(c) = Constraint::le(&t, x) {
            self.state.memory.assume(&c);
        }
        if q.lo().is_some_and(|l| l >= 1)
            && let Some(c) = Constraint::lt(&t, y)
        {
            self.state.memory.assume(&c);
        }
        t
    }

    fn difference(&mut self, a: &Expr, b: &Expr, kind: IntKind) -> LinearExpr {
        let (p, q) = (self.pointer(a), self.pointer(b));
        // What lies between parts of different elements is not counted in offsets.
        let counted = p.targets.set.iter().all(|t| !t.is_in_elements());
        match counted && self.one_target(&p, &q, a) {
            true => self.result(p.offset.sub(&q.offset), kind),
            false => self.any(self.range_of(kind)),
        }
    }

    /// Whether both pointers point into the same array, with offsets counted in the pointers' own steps.
    fn one_target(&self, p: &PointerValue, q: &PointerValue, e: &Expr) -> bool {
        let single = |v: &PointerValue| !v.targets.anywhere && v.targets.set.len() == 1;
        single(p)
            && single(q)
            && p.targets.set == q.targets.set
            && p.targets.set.iter().all(|t| {
                // The objects of one allocation in a loop share a name: equal offsets in them are not equal addresses.
                !self.model.layout.untracked.contains(&t.block)
                    && t.path.last() == Some(&Segment::Index)
                    && self.fits(t, e.ty.pointee().unwrap_or(&Type::Void))
            })
    }

    /// Whether the object at the target has the type that the pointer says, lengths of rows included: offsets in steps of the
    /// pointer are then offsets in the target's own. A cast may call the rows longer or shorter than they are.
    pub(super) fn fits(&self, target: &Target, ty: &Type) -> bool {
        if !fits(self.model.program, &self.model.layout, target, ty) {
            return false;
        }
        let (mut ty, mut path) = (ty, target.path.clone());
        while let Type::Array(element, length) = ty {
            let said = match length {
                Length::Constant(n) => Some(LinearExpr::constant((*n).into())),
                Length::Variable(v) => self.model.layout.scalar(*v).map(LinearExpr::var),
                Length::Unknown => None,
            };
            let equal = said.zip(self.dimension(target.block, &path)).and_then(|(a, b)| Constraint::eq(&a, &b));
            let known = *length == Length::Unknown || equal.is_some_and(|c| self.state.memory.entails(&c));
            if !known {
                return false;
            }
            path.push(Segment::Index);
            ty = element;
        }
        true
    }

    // --- conditions ---

    /// The program tests a condition. Where runs go on after undefined operations, one with such an
    /// operation in it may come out either way.
    pub(super) fn test(&mut self, e: &Expr, holds: bool) {
        if !self.goes_on() {
            return self.condition(e, holds);
        }
        let (before, restricted) = (self.state.clone(), std::mem::take(&mut self.restricted));
        self.condition(e, holds);
        if self.restricted {
            self.state = before;
        }
        self.restricted |= restricted;
    }

    /// Only the runs in which `e` is not 0 (`holds`) or is 0 remain.
    pub(super) fn condition(&mut self, e: &Expr, holds: bool) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.condition(a, !holds),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                // `a && b` fails like `!a || !b` holds.
                if matches!(e.kind, ExprKind::And(..)) == holds {
                    self.condition(a, holds);
                    self.condition(b, holds);
                } else {
                    let before = self.state.clone();
                    self.condition(a, holds);
                    let first = std::mem::replace(&mut self.state, before);
                    self.condition(a, !holds);
                    self.condition(b, holds);
                    self.state.join_with(&first);
                }
            }
            ExprKind::Conditional(c, a, b) => {
                let before = self.state.clone();
                self.condition(c, true);
                self.condition(a, holds);
                let first = std::mem::replace(&mut self.state, before);
                self.condition(c, false);
                self.condition(b, holds);
                self.state.join_with(&first);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b, holds),
            ExprKind::Cast(a) if self.keeps_zero(a, &e.ty) => self.condition(a, holds),
            _ if e.ty.as_int().is_some() => {
                let v = self.int(e);
                let zero = LinearExpr::constant(0);
                let c = if holds { Constraint::ne(&v, &zero) } else { Constraint::eq(&v, &zero) };
                self.learn(c);
            }
            _ if matches!(e.ty, Type::Pointer(_)) => self.null_test(e, !holds),
            _ => self.run(e),
        }
    }

    /// Whether a conversion keeps 0 apart from the rest: to a type at least as wide, or to `_Bool`.
    fn keeps_zero(&self, a: &Expr, to: &Type) -> bool {
        let model = self.model.program.data_model;
        match (&a.ty, to) {
            (_, Type::Int(IntKind::Bool)) => !matches!(a.ty, Type::Float(_)),
            (Type::Int(from), Type::Int(to)) => to.width(model) >= from.width(model),
            _ => false,
        }
    }

    /// The state learns a condition on which the program branches, and what it says of the cells read for it.
    pub(super) fn learn(&mut self, c: Option<Constraint>) {
        if let Some(c) = c {
            self.state.memory.assume(&c);
        }
        for (cell, t) in std::mem::take(&mut self.reads) {
            if self.state.is_bottom() {
                break;
            }
            self.state.memory.assume_cell(&cell, &LinearExpr::var(t));
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) {
        let boolean = |e: &Expr| {
            matches!(&e.kind, ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..))
                || matches!(&e.kind, ExprKind::Binary(op, ..) if op.is_comparison())
        };
        // `(x < y) != 0`
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            for (a, b) in [(a, b), (b, a)] {
                let inner = strip_widening(a);
                if b.as_int() == Some(0) && b.ty.as_int().is_some() && boolean(inner) {
                    self.condition(inner, holds == (op == BinaryOp::NotEqual));
                    return;
                }
            }
        }
        if matches!(a.ty, Type::Pointer(_)) || matches!(b.ty, Type::Pointer(_)) {
            self.pointer_comparison(op, a, b, holds);
            return;
        }
        if a.ty.as_int().is_none() || b.ty.as_int().is_none() {
            self.run(a);
            self.run(b);
            return;
        }
        self.reads.clear();
        let (x, y) = (self.int(a), self.int(b));
        self.learn(relation(op, &x, &y, holds));
    }

    fn pointer_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, holds: bool) {
        let null = |e: &Expr| matches!(strip_casts(e).kind, ExprKind::Int(0));
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if equality && (null(a) || null(b)) {
            let other = if null(b) { a } else { b };
            if null(other) {
                // null == null
                if (op == BinaryOp::Equal) != holds {
                    self.state = self.model.bottom_like(&self.state);
                }
                return;
            }
            self.null_test(other, (op == BinaryOp::Equal) == holds);
            return;
        }
        let (p, q) = (self.pointer(a), self.pointer(b));
        // Two pointers to objects; a null pointer may be compared for equality, which says nothing of offsets. Equal literals may be
        // different objects.
        let literal = |t: &Target| match t.block {
            BlockId::Variable(v) => self.model.program.is_literal(v),
            BlockId::Heap(_) => false,
        };
        if equality && p.targets.set.iter().any(literal) {
            return;
        }
        if p.valid && q.valid && self.one_target(&p, &q, a) {
            self.learn(relation(op, &p.offset, &q.offset, holds));
        }
    }

    /// The pointer is null (`is_null`) or not.
    fn null_test(&mut self, e: &Expr, is_null: bool) {
        let p = self.pointer(e);
        if is_null {
            if p.valid {
                self.state = self.model.bottom_like(&self.state);
            }
        } else {
            self.mark_valid(e);
        }
    }

    /// The state learns that the value of a pointer expression is usable.
    fn mark_valid(&mut self, e: &Expr) {
        let mut e = strip_casts(e);
        // A sum with a null pointer is undefined, so a usable sum has a usable pointer in it.
        while let ExprKind::Binary(BinaryOp::PointerAdd, p, _) = &e.kind {
            e = strip_casts(p);
        }
        if let ExprKind::Load(l) = &e.kind
            && let Base::Var(v) = l.base
        {
            let mut path = Path::new();
            for step in &l.path {
                match step {
                    Step::Field(_, n) => path.push(Segment::Field(*n)),
                    Step::Index(_) => return,
                }
            }
            let layout = &self.model.layout;
            if let Some(leaf) = layout.leaf_at(BlockId::Variable(v), &path)
                && matches!(layout.leaf(leaf).home, Home::Scalar(_))
            {
                self.state.set_valid(leaf, true);
            }
        }
    }

    /// Evaluates for the undefined behaviour alone.
    pub(super) fn run(&mut self, e: &Expr) {
        match &e.ty {
            Type::Int(_) => drop(self.int(e)),
            Type::Pointer(_) => drop(self.pointer(e)),
            _ => {}
        }
    }

    // --- pointers ---

    pub(super) fn pointer(&mut self, e: &Expr) -> PointerValue {
        let unknown = |x: &mut Self, targets| PointerValue { targets, offset: x.any(Interval::TOP), valid: false };
        match &e.kind {
            ExprKind::Int(_) => {
                PointerValue { targets: Targets::default(), offset: LinearExpr::constant(0), valid: false }
            }
            ExprKind::Load(l) => {
                let targets = self.model.pointers.targets_of(self.model.program, &self.model.layout, e);
                let valid = self.scalar_leaf(l).is_some_and(|leaf| self.state.valid.contains(&leaf));
                let offset = self.load(l);
                PointerValue { targets, offset, valid }
            }
            ExprKind::AddressOf(l) => {
                if let (Base::Deref(p), true) = (&l.base, l.path.is_empty()) {
                    return self.pointer(p);
                }
                let targets = self.model.pointers.targets_of(self.model.program, &self.model.layout, e);
                match self.places(l, false) {
                    Places::Known(places) if places.len() == 1 && !targets.anywhere => {
                        PointerValue { targets, offset: places[0].flat.clone(), valid: true }
                    }
                    _ => PointerValue { targets, offset: self.any(Interval::TOP), valid: true },
                }
            }
            ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) => self.pointer(a),
            ExprKind::FunctionAddress(_) => {
                PointerValue { targets: Targets::default(), offset: LinearExpr::constant(0), valid: true }
            }
            ExprKind::Binary(BinaryOp::PointerAdd, p, n) => {
                let from = self.pointer(p);
                let n = self.int(n);
                let step = e.ty.pointee().unwrap_or(&Type::Void);
                let counts = from.targets.set.iter().all(|t| self.fits(t, step));
                let sum = if counts { from.offset.add(&n) } else { None };
                let mut targets = self.model.pointers.targets_of(self.model.program, &self.model.layout, e);
                // Where it certainly stays in the array, it has no other targets than before.
                let stays =
                    |sum: &LinearExpr| from.targets.set.iter().all(|t| !t.is_in_elements() && self.is_inside(t, sum));
                let ends = sum.as_ref().is_some_and(|sum| from.targets.set.iter().all(|t| self.is_end(t, sum)));
                let defined = from.valid && (sum.as_ref().is_some_and(stays) || ends);
                if targets.anywhere && sum.as_ref().is_some_and(stays) {
                    targets = from.targets;
                }
                // A pointer may go as far as one past the end.
                self.restricted |= !defined && !self.state.is_bottom();
                let offset = sum.unwrap_or_else(|| self.any(Interval::TOP));
                PointerValue { targets, offset, valid: from.valid }
            }
            ExprKind::Conditional(c, a, b) => {
                let targets = self.model.pointers.targets_of(self.model.program, &self.model.layout, e);
                let (mut first, mut second) = (true, true);
                let offset = self.choice(
                    c,
                    |x| {
                        let p = x.pointer(a);
                        first = p.valid;
                        p.offset
                    },
                    |x| {
                        let p = x.pointer(b);
                        second = p.valid;
                        p.offset
                    },
                );
                PointerValue { targets, offset, valid: first && second }
            }
            _ => {
                let targets = self.model.pointers.targets_of(self.model.program, &self.model.layout, e);
                unknown(self, targets)
            }
        }
    }

    /// The leaf of an lvalue that lives in a scalar and is named without pointers.
    fn scalar_leaf(&self, l: &Lvalue) -> Option<super::layout::LeafId> {
        let Base::Var(v) = l.base else { return None };
        let fields = l.path.iter().map(|s| match s {
            Step::Field(_, n) => Some(Segment::Field(*n)),
            Step::Index(_) => None,
        });
        let path: Path = fields.collect::<Option<_>>()?;
        let leaf = self.model.layout.leaf_at(BlockId::Variable(v), &path)?;
        matches!(self.model.layout.leaf(leaf).home, Home::Scalar(_)).then_some(leaf)
    }

    // --- lvalues ---

    /// The places that an lvalue may denote. Where `accessed`, runs in which the access is out of bounds end.
    pub(super) fn places(&mut self, l: &Lvalue, accessed: bool) -> Places {
        let mut places = match &l.base {
            Base::Var(v) => {
                vec![Place { block: BlockId::Variable(*v), path: Path::new(), flat: LinearExpr::constant(0) }]
            }
            Base::Deref(p) => match self.pointed_to(p, l, accessed) {
                Places::Known(places) if !places.is_empty() => places,
                elsewhere => return elsewhere,
            },
        };
        for (n, step) in l.path.iter().enumerate() {
            let last = n + 1 == l.path.len();
            match step {
                Step::Field(_, f) => places.iter_mut().for_each(|p| p.path.push(Segment::Field(*f))),
                Step::Index(e) => {
                    let index = self.int(e);
                    let one = places.len() == 1;
                    let mut inside = true;
                    for p in &mut places {
                        let dimension = self.dimension(p.block, &p.path);
                        if one && (accessed || !last) {
                            inside &= self.require(Some(Constraint::non_negative(index.clone())));
                            let below = dimension.as_ref().and_then(|length| Constraint::lt(&index, length));
                            inside &= self.require(below);
                        }
                        p.flat = if p.path.contains(&Segment::Index) {
                            let row = dimension.map(|length| self.product(&p.flat, &length));
                            let sum = row.and_then(|r| r.add(&index));
                            sum.unwrap_or_else(|| self.any(Interval::TOP))
                        } else {
                            index.clone()
                        };
                        p.path.push(Segment::Index);
                    }
                    if !inside {
                        return Places::Anywhere;
                    }
                }
            }
        }
        if places.len() > 1 {
            // Which of the places it is, and whether it is inside of that one, is not looked at.
            self.restricted |= !self.state.is_bottom();
            if self.goes_on() {
                return Places::Anywhere;
            }
        }
        Places::Known(places)
    }

    /// The places at the start of the path of an lvalue `(*p).path`.
    fn pointed_to(&mut self, p: &Expr, l: &Lvalue, accessed: bool) -> Places {
        // A path is followed from an object: `&p->x` of a null pointer is no address.
        let used = accessed || !l.path.is_empty();
        let value = self.pointer(p);
        let pointee = p.ty.pointee().unwrap_or(&Type::Void);
        if used {
            if value.targets.set.is_empty() && !value.targets.anywhere {
                // Null or indeterminate in every run.
                self.undefined();
                return if self.goes_on() { Places::Anywhere } else { Places::Known(Vec::new()) };
            }
            if !value.valid {
                self.restricted |= !self.state.is_bottom();
                if self.goes_on() {
                    self.indexes(l);
                    return Places::Anywhere;
                }
            }
            self.mark_valid(p);
        }
        if value.targets.anywhere || value.targets.set.len() > MAX_PLACES {
            self.restricted |= !self.state.is_bottom();
            self.indexes(l);
            return Places::Anywhere;
        }
        // A pointer that has left an array that is a member may reach the other members.
        let strays = |t: &Target| t.is_in_struct() && !t.is_in_elements() && !self.is_inside(t, &value.offset);
        if value.targets.set.iter().any(|t| !self.fits(t, pointee) || (accessed && strays(t))) {
            self.restricted |= !self.state.is_bottom();
            self.indexes(l);
            return Places::Inside(value.targets.set.iter().map(|t| t.block).collect());
        }
        if let (1, Some(t)) = (value.targets.set.len(), value.targets.set.first())
            && used
            && !self.require_inside(t.block, &t.path, &value.offset)
        {
            self.indexes(l);
            return Places::Anywhere;
        }
        let flat = value.offset;
        let place = |t: Target| Place { block: t.block, path: t.path, flat: flat.clone() };
        Places::Known(value.targets.set.into_iter().map(place).collect())
    }

    /// Evaluates the indexes of an lvalue whose place is not known.
    fn indexes(&mut self, l: &Lvalue) {
        for step in &l.path {
            if let Step::Index(e) = step {
                self.run(e);
            }
        }
    }

    /// A pointer with that target and offset is used: it points inside. (A pointer into the
    /// elements of an array does not move among their members; one into a single struct that does
    /// has been seen to.) Whether that is known from here on.
    fn require_inside(&mut self, block: BlockId, path: &[Segment], offset: &LinearExpr) -> bool {
        if !path.contains(&Segment::Index) {
            return true;
        }
        let positive = self.require(Some(Constraint::non_negative(offset.clone())));
        let length = self.cells(block, path);
        positive & self.require(length.and_then(|length| Constraint::lt(offset, &length)))
    }

    /// Whether a pointer with that target and offset certainly points to an element of the array there, or has not left the one object.
    pub(super) fn is_inside(&self, t: &Target, offset: &LinearExpr) -> bool {
        let entails = |c: Option<Constraint>| c.is_some_and(|c| self.state.memory.entails(&c));
        if !t.path.contains(&Segment::Index) {
            return entails(Constraint::eq(offset, &LinearExpr::constant(0)));
        }
        let below = self.cells(t.block, &t.path).and_then(|length| Constraint::lt(offset, &length));
        entails(Some(Constraint::non_negative(offset.clone()))) && entails(below)
    }

    /// Whether a pointer with that target and offset is certainly not before the array there, nor
    /// beyond its end.
    fn is_end(&self, t: &Target, offset: &LinearExpr) -> bool {
        let entails = |c: Option<Constraint>| c.is_some_and(|c| self.state.memory.entails(&c));
        let up_to = match t.path.contains(&Segment::Index) {
            true => self.cells(t.block, &t.path).and_then(|length| Constraint::le(offset, &length)),
            false => Constraint::le(offset, &LinearExpr::constant(1)),
        };
        !t.is_in_struct() && entails(Some(Constraint::non_negative(offset.clone()))) && entails(up_to)
    }

    /// The number of cells in all dimensions of a path together, where the domain has it.
    pub(super) fn cells(&self, block: BlockId, path: &[Segment]) -> Option<LinearExpr> {
        let last = path.iter().rposition(|s| *s == Segment::Index)?;
        let layout = &self.model.layout;
        let array = layout.arrays_of(block).find(|a| layout.array(*a).prefix == path[..=last])?;
        let known = !layout.array(array).dimensions.contains(&Dimension::Unknown);
        known.then(|| LinearExpr::var(layout.array(array).length))
    }

    /// The length of the array at a path.
    pub(super) fn dimension(&self, block: BlockId, path: &[Segment]) -> Option<LinearExpr> {
        let layout = &self.model.layout;
        match layout.dimension_at(self.model.program, block, path) {
            Dimension::Constant(n) => Some(LinearExpr::constant(n.into())),
            Dimension::Variable(v) => {
                // A single dimension is the array's own length, which stays when the variable is declared anew.
                let mut whole = path.to_vec();
                whole.push(Segment::Index);
                let one = path.iter().all(|s| *s != Segment::Index);
                let own = if one { self.cells(block, &whole) } else { None };
                own.or_else(|| layout.scalar(v).map(LinearExpr::var))
            }
            Dimension::Count => self.cells(block, &[Segment::Index]),
            Dimension::Unknown => None,
        }
    }

    /// The value of an lvalue of scalar type.
    fn load(&mut self, l: &Lvalue) -> LinearExpr {
        let range = match &l.ty {
            Type::Int(kind) => self.range_of(*kind),
            _ => Interval::TOP,
        };
        match self.places(l, true) {
            Places::Known(places) if places.len() == 1 => self.read(&places[0], range),
            Places::Known(places) if !places.is_empty() => {
                // The access reads one of the places: whichever it is, the state after reading it covers the run.
                let t = self.temporary();
                let before = self.state.clone();
                let mut all: Option<State<M>> = None;
                for place in &places {
                    self.state = before.clone();
                    self.require_inside(place.block, &place.path, &place.flat);
                    let value = self.read(place, range);
                    self.state.memory.assign(t, &value);
                    match &mut all {
                        Some(all) => all.join_with(&self.state),
                        None => all = Some(self.state.clone()),
                    }
                }
                self.state = all.unwrap_or(before);
                self.reads.clear();
                LinearExpr::var(t)
            }
            _ => self.any(range),
        }
    }

    /// The value at a place.
    pub(super) fn read(&mut self, place: &Place, range: Interval) -> LinearExpr {
        let layout = &self.model.layout;
        let Some(leaf) = layout.leaf_at(place.block, &place.path) else { return self.any(range) };
        let range = layout.leaf(leaf).range;
        match layout.leaf(leaf).home {
            Home::Scalar(v) => LinearExpr::var(v),
            Home::Cell(array, field) => {
                let t = self.temporary();
                let cell = Cell { array, index: place.flat.clone(), field };
                self.state.memory.read(t, &cell);
                self.reads.push((cell, t));
                let value = LinearExpr::var(t);
                if !self.bounds(&value).is_subset(range) {
                    self.constrain(&value, range);
                }
                value
            }
        }
    }
}

/// `x op y`, or its negation; `None` if it cannot be expressed.
pub(super) fn relation(op: BinaryOp, x: &LinearExpr, y: &LinearExpr, holds: bool) -> Option<Constraint> {
    let c = match op {
        BinaryOp::Less => Constraint::lt(x, y),
        BinaryOp::LessEqual => Constraint::le(x, y),
        BinaryOp::Greater => Constraint::gt(x, y),
        BinaryOp::GreaterEqual => Constraint::ge(x, y),
        BinaryOp::Equal => Constraint::eq(x, y),
        BinaryOp::NotEqual => Constraint::ne(x, y),
        _ => None,
    }?;
    if holds { Some(c) } else { c.negate() }
}

/// Without conversions of truth values (0 and 1 fit every integer type).
fn strip_widening(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::Cast(a) = &e.kind
        && e.ty.as_int().is_some()
        && a.ty.as_int().is_some()
    {
        e = a;
    }
    e
}

/// Without conversions between pointers, and from a constant to a pointer.
fn strip_casts(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::Cast(a) = &e.kind
        && matches!(e.ty, Type::Pointer(_))
        && (matches!(a.ty, Type::Pointer(_)) || a.as_int() == Some(0))
    {
        e = a;
    }
    e
}
