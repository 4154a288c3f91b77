//! What must hold for a statement to have defined behaviour: the implicit obligations of C.

use super::{
    Base, BinaryOp, Blocks, Called, Callee, DataModel, Expr, ExprKind, IntKind, Length, Location, Loop, Lvalue,
    ObligationKind, Presumption, Program, SiteId, Step, Stmt, StmtKind, Type, UnaryOp,
};

/// One implicit obligation of a statement: if all `guards` hold, `condition` must hold.
///
/// The checks of a statement come in an order of evaluation: each may rely on those before it.
#[derive(Clone, Debug)]
pub struct Check<'p> {
    /// What kind of undefined behaviour a failure is.
    pub kind: ObligationKind,
    /// The conditions that decide whether the operation is evaluated at all (`&&`, `||`, `?:`),
    /// outermost first.
    pub guards: Vec<Guard<'p>>,
    /// What must hold.
    pub condition: CheckCondition<'p>,
    /// Where the operation stands.
    pub location: Location,
}

/// The expression is not 0 (`holds`) or is 0 (not `holds`).
#[derive(Clone, Copy, Debug)]
pub struct Guard<'p> {
    /// The condition.
    pub condition: &'p Expr,
    /// Which way it goes.
    pub holds: bool,
}

/// What must hold for one operation.
#[derive(Clone, Copy, Debug)]
pub enum CheckCondition<'p> {
    /// `0 <= index < length`
    Index {
        /// The index, of the pointer-difference type.
        index: &'p Expr,
        /// The array's length.
        length: Length,
    },
    /// The pointer points into an object, at an element of its type (not one past the end).
    Dereference {
        /// The pointer.
        pointer: &'p Expr,
    },
    /// The pointer plus the offset stays inside its object or one past the end. Only the
    /// interpreter checks this.
    PointerArithmetic {
        /// The whole `PointerAdd`.
        sum: &'p Expr,
    },
    /// `a op b` (`+ - *`, `/` and `%` of the least value by -1) or `-a` stays in the range of a
    /// signed type.
    NoOverflow {
        /// The whole operation.
        operation: &'p Expr,
    },
    /// The divisor is not 0.
    NonZero {
        /// The divisor.
        divisor: &'p Expr,
    },
    /// `0 <= amount < width`, and for a signed `<<` the left side is not negative and the result
    /// fits (as C11 6.5.7 says).
    Shift {
        /// The whole shift.
        operation: &'p Expr,
    },
    /// All units of a block lie in the object that the pointer points into. The pointer's type does
    /// not tell what that object is.
    Room {
        /// The pointer.
        pointer: &'p Expr,
        /// How many units, and of how many bytes.
        blocks: &'p Blocks,
    },
    /// What is copied and what it is copied to do not overlap (C11 7.24.2.1).
    Apart {
        /// Where it is copied to.
        to: &'p Expr,
        /// What is copied.
        from: &'p Expr,
        /// How many units, and of how many bytes.
        blocks: &'p Blocks,
    },
    /// The length of an array that begins to live is at least `least`.
    ArrayLength {
        /// The length: a variable (of a variable-length array), or an expression (of a heap block).
        length: LengthOperand<'p>,
        /// 1 for a variable-length array, 0 for a heap block.
        least: i128,
    },
    /// The object that the pointer points into has not ended (C11 6.2.4p2).
    Alive {
        /// The pointer.
        pointer: &'p Expr,
    },
    /// The pointer is null, or points to the start of a heap block that has not ended and does not
    /// end by itself (C11 7.22.3.3p2).
    Freeable {
        /// The pointer.
        pointer: &'p Expr,
    },
    /// What is called through a pointer is a function of the pointer's type (C11 6.5.2.2p9).
    Callable {
        /// The call.
        called: &'p Called,
    },
    /// Something has written to the object since it began (C11 6.2.4p6, 6.3.2.1p2).
    Written {
        /// The object, a scalar.
        lvalue: &'p Lvalue,
    },
}

/// The number of the first check of a statement that is one of [`uses_of`].
///
/// They have numbers of their own, so that the numbers of the others do not depend on which objects
/// may end, and so that a smaller program in which nothing ends has the same.
const FIRST_USE: u32 = 1 << 16;
/// The number of the first check of a statement that something has written what it reads, for the
/// same reason.
const FIRST_READ: u32 = 2 << 16;
/// The number of the first check of a statement that a function is called.
const FIRST_CALL: u32 = 3 << 16;

/// A length that is checked.
#[derive(Clone, Copy, Debug)]
pub enum LengthOperand<'p> {
    /// The length variable of a variable-length array.
    Variable(super::VarId),
    /// The count of an allocation.
    Count(&'p Expr),
}

/// The checks of one statement itself, not of the statements inside it, in an order of evaluation.
/// For a loop: the checks of its condition. Those about what pointers lead to
/// ([`ObligationKind::is_about_pointees`]) are not among them.
pub fn checks_of<'p>(program: &'p Program, stmt: &'p Stmt) -> Vec<Check<'p>> {
    of_group(program, stmt, Group::Operations).map(|(_, check)| check).collect()
}

/// The checks of one statement that are about the past of the objects that it uses: whether they
/// have ended. With their numbers.
pub fn uses_of<'p>(program: &'p Program, stmt: &'p Stmt) -> impl Iterator<Item = (u32, Check<'p>)> {
    of_group(program, stmt, Group::Uses)
}

fn of_group<'p>(program: &'p Program, stmt: &'p Stmt, group: Group) -> impl Iterator<Item = (u32, Check<'p>)> {
    let found = numbered_checks_of(program, stmt).into_iter();
    found.filter(move |(_, check)| Group::of(check.kind) == group)
}

/// All checks of a statement with their numbers, in an order of evaluation: each relies on those
/// before it.
pub fn numbered_checks_of<'p>(program: &'p Program, stmt: &'p Stmt) -> Vec<(u32, Check<'p>)> {
    let mut walk = Walk { program, guards: Vec::new(), found: Vec::new() };
    walk.stmt(stmt);
    let mut next = [0, FIRST_USE, FIRST_READ, FIRST_CALL];
    let numbered = walk.found.into_iter().map(|check| {
        let next = &mut next[Group::of(check.kind) as usize];
        *next += 1;
        (*next - 1, check)
    });
    numbered.collect()
}

/// The check of a statement that has that number.
pub fn check_of<'p>(program: &'p Program, stmt: &'p Stmt, number: u32) -> Option<Check<'p>> {
    numbered_checks_of(program, stmt).into_iter().find(|(n, _)| *n == number).map(|(_, check)| check)
}

/// Whether the check with that number, of the statement there, has such a condition in some copy of
/// the statement.
pub fn has_check(program: &Program, site: SiteId, number: u32, is: impl Fn(&CheckCondition<'_>) -> bool) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        found |= s.site == site && check_of(program, s, number).is_some_and(|check| is(&check.condition));
    });
    found
}

struct Walk<'p> {
    program: &'p Program,
    guards: Vec<Guard<'p>>,
    found: Vec<Check<'p>>,
}

/// The checks that are numbered together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Operations,
    Uses,
    Reads,
    Calls,
}

impl Group {
    fn of(kind: ObligationKind) -> Group {
        match kind {
            ObligationKind::Lifetime => Group::Uses,
            ObligationKind::Initialised => Group::Reads,
            ObligationKind::Calls => Group::Calls,
            _ => Group::Operations,
        }
    }
}

impl<'p> Walk<'p> {
    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assign(lvalue, expr) => {
                match self.program.unset.copied(stmt) {
                    Some(from) => self.path(from, true),
                    None => self.expr(expr),
                }
                self.lvalue(lvalue);
            }
            StmtKind::Input(lvalue, _) | StmtKind::Zero(lvalue) | StmtKind::Havoc(lvalue) => self.lvalue(lvalue),
            StmtKind::HavocReachable(reached) => reached.pointers.iter().for_each(|e| self.expr(e)),
            StmtKind::Blocks(blocks) => self.blocks(blocks, stmt.location),
            StmtKind::Allocate { target, count, .. } => {
                self.expr(count);
                self.length(LengthOperand::Count(count), 0, count.location);
                self.lvalue(target);
            }
            StmtKind::Declare(v) => self.declared(&self.program.variable(*v).ty, stmt.location),
            StmtKind::Call { target, callee, arguments } => {
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|e| self.expr(e));
                target.iter().for_each(|t| self.lvalue(t));
            }
            StmtKind::If(condition, ..) | StmtKind::Assume(condition) | StmtKind::Assert(condition, _) => {
                self.expr(condition);
            }
            StmtKind::Loop(l) => {
                let Loop { condition, .. } = &**l;
                self.expr(condition);
            }
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Presume(Presumption::Freed(pointer)) => {
                if !self.program.endings.are_none() {
                    self.push(ObligationKind::Lifetime, CheckCondition::Freeable { pointer }, stmt.location);
                }
            }
            StmtKind::Presume(Presumption::Called(called)) => {
                self.push(ObligationKind::Calls, CheckCondition::Callable { called }, stmt.location);
            }
            // Terms of specifications and what is presumed have no undefined behaviour.
            StmtKind::Claim(_)
            | StmtKind::Snapshot(_)
            | StmtKind::Presume(_)
            | StmtKind::Return(None)
            | StmtKind::Block(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Stop
            | StmtKind::Skip => {}
        }
    }

    fn push(&mut self, kind: ObligationKind, condition: CheckCondition<'p>, location: Location) {
        self.found.push(Check { kind, guards: self.guards.clone(), condition, location });
    }

    /// The object that the pointer points into is used.
    fn used(&mut self, pointer: &'p Expr, location: Location) {
        if !self.program.endings.are_none() && !is_checked_elsewhere(pointer) {
            self.push(ObligationKind::Lifetime, CheckCondition::Alive { pointer }, location);
        }
    }

    fn blocks(&mut self, blocks: &'p Blocks, location: Location) {
        blocks.operands().for_each(|e| self.expr(e));
        for pointer in blocks.untyped() {
            self.used(pointer, location);
            self.push(ObligationKind::Bounds, CheckCondition::Room { pointer, blocks }, location);
        }
        if let Some((to, from)) = blocks.overlapping() {
            self.push(ObligationKind::Bounds, CheckCondition::Apart { to, from, blocks }, location);
        }
    }

    fn length(&mut self, length: LengthOperand<'p>, least: i128, location: Location) {
        self.push(ObligationKind::Bounds, CheckCondition::ArrayLength { length, least }, location);
    }

    fn declared(&mut self, ty: &'p Type, location: Location) {
        if let Type::Array(element, length) = ty {
            if let Length::Variable(v) = length {
                self.length(LengthOperand::Variable(*v), 1, location);
            }
            self.declared(element, location);
        }
    }

    fn under(&mut self, condition: &'p Expr, holds: bool, expr: &'p Expr) {
        self.guards.push(Guard { condition, holds });
        self.expr(expr);
        self.guards.pop();
    }

    fn lvalue(&mut self, lvalue: &'p Lvalue) {
        self.path(lvalue, true);
    }

    /// `accessed` is false under `&`: `&*p` and `&a[n]` access nothing, although what lies before
    /// the last step must exist.
    fn path(&mut self, lvalue: &'p Lvalue, accessed: bool) {
        let mut ty = match &lvalue.base {
            Base::Var(v) => &self.program.variable(*v).ty,
            Base::Deref(pointer) => {
                self.expr(pointer);
                if accessed || !lvalue.path.is_empty() {
                    self.used(pointer, lvalue.location);
                    self.push(ObligationKind::Bounds, CheckCondition::Dereference { pointer }, lvalue.location);
                }
                pointer.ty.pointee().unwrap_or(&Type::Void)
            }
        };
        for (n, step) in lvalue.path.iter().enumerate() {
            let last = n + 1 == lvalue.path.len();
            match (step, ty) {
                (Step::Index(index), Type::Array(element, length)) => {
                    self.expr(index);
                    if accessed || !last {
                        let condition = CheckCondition::Index { index, length: *length };
                        self.push(ObligationKind::Bounds, condition, index.location);
                    }
                    ty = element;
                }
                (Step::Field(id, field), _) => {
                    ty = self.program.structure(*id).members.get(*field as usize).map_or(&Type::Void, |m| &m.ty);
                }
                (Step::Index(index), _) => self.expr(index),
            }
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(lvalue) => {
                self.path(lvalue, true);
                if expr.ty.is_scalar() && self.program.unset.may_be_read(lvalue) {
                    self.push(ObligationKind::Initialised, CheckCondition::Written { lvalue }, expr.location);
                }
            }
            ExprKind::AddressOf(lvalue) => self.path(lvalue, false),
            ExprKind::Cast(a) => self.expr(a),
            ExprKind::Unary(op, a) => {
                self.expr(a);
                if *op == UnaryOp::Negate && is_signed(&expr.ty) {
                    self.push(ObligationKind::Overflow, CheckCondition::NoOverflow { operation: expr }, expr.location);
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                self.operation(expr, *op, b);
            }
            ExprKind::And(a, b) => {
                self.expr(a);
                self.under(a, true, b);
            }
            ExprKind::Or(a, b) => {
                self.expr(a);
                self.under(a, false, b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.under(c, true, a);
                self.under(c, false, b);
            }
        }
    }

    fn operation(&mut self, expr: &'p Expr, op: BinaryOp, right: &'p Expr) {
        let integer = matches!(expr.ty, Type::Int(_));
        match op {
            BinaryOp::Div | BinaryOp::Rem if integer => {
                self.push(ObligationKind::Division, CheckCondition::NonZero { divisor: right }, expr.location);
                if is_signed(&expr.ty) {
                    self.push(ObligationKind::Overflow, CheckCondition::NoOverflow { operation: expr }, expr.location);
                }
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if is_signed(&expr.ty) => {
                self.push(ObligationKind::Overflow, CheckCondition::NoOverflow { operation: expr }, expr.location);
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                self.push(ObligationKind::Overflow, CheckCondition::Shift { operation: expr }, expr.location);
            }
            BinaryOp::PointerAdd => {
                self.push(ObligationKind::Bounds, CheckCondition::PointerArithmetic { sum: expr }, expr.location);
            }
            _ => {}
        }
    }
}

/// Whether a pointer points into a variable that is in scope, or into an object that was used to
/// compute the pointer: nothing is left to be proved of its lifetime.
fn is_checked_elsewhere(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::AddressOf(l) => match &l.base {
            Base::Var(_) => true,
            Base::Deref(inner) => !l.path.is_empty() || is_checked_elsewhere(inner),
        },
        ExprKind::Cast(inner) => matches!(inner.ty, Type::Pointer(_)) && is_checked_elsewhere(inner),
        ExprKind::Binary(BinaryOp::PointerAdd, base, _) => is_checked_elsewhere(base),
        _ => false,
    }
}

fn is_signed(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if IntKind::is_signed(*kind))
}

impl Check<'_> {
    /// Whether a report lists it. Only the interpreter checks pointer arithmetic: in reports, the
    /// access through the pointer covers it. If a divisor has the same location as its division,
    /// the source has no such division: the lowering divided a number of bytes by a size, which is
    /// not 0.
    pub fn is_reported(&self) -> bool {
        match &self.condition {
            CheckCondition::PointerArithmetic { .. } => false,
            CheckCondition::NonZero { divisor } => {
                divisor.location != self.location || divisor.as_int().is_none_or(|n| n == 0)
            }
            _ => true,
        }
    }

    /// Whether the constants in the source alone show that it holds whenever the operation is
    /// evaluated: a constant index inside an array of constant length, a division by a constant
    /// that is neither 0 nor -1, a shift of an unsigned value or to the right by a constant that is
    /// less than the width, a constant number of elements. A constant that is out of range is an
    /// obligation like any other.
    pub fn is_settled(&self, model: DataModel) -> bool {
        match &self.condition {
            CheckCondition::Index { index, length: Length::Constant(length) } => {
                index.as_int().is_some_and(|n| (0..i128::from(*length)).contains(&n))
            }
            CheckCondition::NonZero { divisor } => divisor.as_int().is_some_and(|n| n != 0),
            CheckCondition::Freeable { pointer } => pointer.before_moves().as_int() == Some(0),
            CheckCondition::NoOverflow { operation } => match &operation.kind {
                // A division by 0 computes nothing that could overflow; it is an obligation of its
                // own.
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => b.as_int().is_some_and(|n| n != -1),
                _ => false,
            },
            CheckCondition::Shift { operation } => match (&operation.kind, &operation.ty) {
                (ExprKind::Binary(op, _, amount), Type::Int(kind)) => {
                    let keeps = *op == BinaryOp::ShiftRight || !kind.is_signed();
                    let width = i128::from(kind.width(model));
                    keeps && amount.as_int().is_some_and(|n| (0..width).contains(&n))
                }
                _ => false,
            },
            CheckCondition::ArrayLength { length: LengthOperand::Count(count), least } => {
                count.as_int().is_some_and(|n| n >= *least)
            }
            _ => false,
        }
    }
}
