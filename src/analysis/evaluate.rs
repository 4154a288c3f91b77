//! Evaluates expressions in an abstract state.
//!
//! An integer expression becomes a linear expression over domain variables. What is not linear
//! becomes a *temporary*: a fresh variable, for which the state records what is known of it.
//! Temporaries live until the end of the statement.
//!
//! Operations that may be undefined behaviour restrict the state to the runs in which they are
//! defined: what a report says holds for runs up to their first undefined operation
//! ([`crate::program`]). With [`Undefined::GoesOn`] they do not: a run goes on with any value, and
//! with any contents of what it may have written.

mod arithmetic;
mod conditions;
mod places;
mod pointers;
mod quotients;

pub(super) use conditions::relation;

use quotients::Quotient;

use super::Model;
use super::Undefined;
use super::integers;
use super::layout::{BlockId, Path};
use super::pointers::Targets;
use super::state::State;
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, Type, UnaryOp};
use smalti_core::{Cell, Constraint, Interval, Lattice, LinearExpr, Memory, Var};
use std::collections::BTreeSet;

/// Evaluates the expressions of one statement.
pub(super) struct Evaluator<'a, M> {
    pub model: &'a Model<'a>,
    pub state: State<M>,
    /// Whether some operation may be undefined, as far as the state knows. The runs in which it is
    /// undefined were removed.
    pub restricted: bool,
    temporaries: u32,
    /// Cells that were read into temporaries since the last comparison.
    pub(super) reads: Vec<(Cell, Var)>,
    /// Quotients in the expression that is evaluated.
    quotients: Vec<Quotient>,
    /// How many arithmetic operations the one that is evaluated is inside of.
    depth: u32,
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
    /// Whether it is certainly not null and not indeterminate.
    pub valid: bool,
}

impl<'a, M: Memory> Evaluator<'a, M> {
    pub(super) fn new(model: &'a Model<'a>, state: State<M>) -> Self {
        Evaluator {
            model,
            state,
            restricted: false,
            temporaries: 0,
            reads: Vec::new(),
            quotients: Vec::new(),
            depth: 0,
        }
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

    /// Records that only runs in which `c` holds have defined behaviour here. `None` is a condition
    /// that cannot be expressed. Returns whether `c` is known to hold from here on; it is not if
    /// runs go on after undefined operations.
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

    /// Records that the behaviour here is undefined in every run.
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
            ExprKind::Binary(op, a, b) => self.inside_operation(|x| x.arithmetic(*op, a, b, kind)),
            ExprKind::Conditional(c, a, b) => self.choice(c, |x| x.int(a), |x| x.int(b)),
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => self.any(self.range_of(kind)),
        }
    }

    /// Evaluates an arithmetic operation. Quotients in its operands are known to `evaluate`.
    fn inside_operation<R>(&mut self, evaluate: impl FnOnce(&mut Self) -> R) -> R {
        self.depth += 1;
        let value = evaluate(self);
        self.depth -= 1;
        if self.depth == 0 {
            // The variables may get other values before the next expression.
            self.quotients.clear();
        }
        value
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

    /// `c ? a : b`: each side is evaluated in the states in which it is chosen, then the two
    /// results are joined.
    fn choice(
        &mut self,
        c: &Expr,
        a: impl FnOnce(&mut Self) -> LinearExpr,
        b: impl FnOnce(&mut Self) -> LinearExpr,
    ) -> LinearExpr {
        let before = self.state.clone();
        // A read in one side is not a read of the whole expression: its cell need not even exist in
        // runs that take the other side.
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

    /// Evaluates only to record possible undefined behaviour.
    pub(super) fn run(&mut self, e: &Expr) {
        match &e.ty {
            Type::Int(_) => drop(self.int(e)),
            Type::Pointer(_) => drop(self.pointer(e)),
            _ => {}
        }
    }
}
