//! Puts the steps of `x++` and `x--` after the statement that uses their values, and lets
//! conditions look at objects instead of copies of them.
//!
//! `*p++ = e` is lowered to `t = p; p = p + 1; *t = e`: a write through a place where the pointer
//! no longer is. Here this becomes `*p = e; p = p + 1`, so that the domains see the same loop as by
//! index.
//!
//! **Sound**: `t` is the value of `x` up to the step, and the statements that change places with
//! the step neither write `x` nor read it, as far as their footprints tell. The order in which
//! operations are checked changes; C leaves it open.

use super::context::{Lowered, Lowerer};
use crate::program::{
    Base, Block, Expr, ExprKind, Location, Lvalue, Part, Step, Stmt, StmtKind, Use, VarId, VisitMut, each_part,
    each_part_of_expr,
};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// `t = x; x = x ± 1`, with the last statement that mentions `t`.
struct Postponable {
    old: VarId,
    object: Lvalue,
    last: usize,
}

impl Lowerer<'_> {
    /// The statements of a full expression, with their steps as late as possible. The expression
    /// has this value after them.
    pub(super) fn postponed(&self, mut block: Block, value: &Expr) -> Block {
        // The last step first: earlier ones can then pass what it has passed.
        for first in (0..block.len()).rev() {
            let Some(Postponable { old, object, last }) = self.postponable(&block[first..], value) else { continue };
            let last = first + last;
            for stmt in &mut block[first + 3..=last] {
                Renaming { old, object: &object }.stmt(stmt);
            }
            // Nothing needs the declaration of `t` and its assignment any more.
            block[first..=last].rotate_left(3);
            block.drain(last - 2..last);
        }
        block
    }

    /// Lowers the condition of a statement. Nothing must be emitted before the statement.
    pub(super) fn full_condition(&mut self, e: &Node<Expression>, at: Location) -> Lowered<Expr> {
        let value = self.full(at, |l| l.condition(e))?;
        Ok(self.read_again(value))
    }

    /// Where the last statement keeps the value of an object for an expression that comes right
    /// after it, as in `if (++p->count == 8)`: the expression with the object itself, so that the
    /// condition tells of the object. **Sound**: nothing happens between the two.
    pub(super) fn read_again(&mut self, mut value: Expr) -> Expr {
        if let [.., declaration, copy] = &self.out[..]
            && let (StmtKind::Declare(old), StmtKind::Assign(target, source)) = (&declaration.kind, &copy.kind)
            && let ExprKind::Load(object) = &source.kind
            && target.as_var() == Some(*old)
            && self.program.variable(*old).origin.is_temporary()
            && target.ty == object.ty
            && mentions(&value, *old)
        {
            Renaming { old: *old, object }.expr(&mut value);
            self.out.truncate(self.out.len() - 2);
        }
        value
    }

    /// Reads a step at the start of a block.
    fn postponable(&self, block: &[Stmt], value: &Expr) -> Option<Postponable> {
        let [declaration, copy, step, after @ ..] = block else { return None };
        let (StmtKind::Declare(old), StmtKind::Assign(target, source)) = (&declaration.kind, &copy.kind) else {
            return None;
        };
        let (old, ExprKind::Load(object), StmtKind::Assign(stepped, next)) = (*old, &source.kind, &step.kind) else {
            return None;
        };
        let is_object = |l: &Lvalue| l.base == object.base && same_members(l, object);
        let Base::Var(owner) = object.base else { return None };
        let is_temporary = self.program.variable(old).origin.is_temporary() && target.as_var() == Some(old);
        if !is_temporary || target.ty != object.ty || !is_object(stepped) || mentions(next, old) || mentions(value, old)
        {
            return None;
        }
        let mut steps_itself = true;
        each_part_of_expr(next, &mut |part| {
            if let Part::Lvalue(l, how) = part {
                steps_itself &= how == Use::Read && is_object(l);
            }
        });
        let last = after.iter().rposition(|s| stmt_mentions(s, old))?;
        let passed = &after[..=last];
        let is_plain = |s: &Stmt| {
            // Not calls: arguments are evaluated before a call, which may not return.
            use StmtKind::{Assign, Declare, Havoc, Input, Zero};
            matches!(s.kind, Declare(_) | Assign(..) | Input(..) | Havoc(_) | Zero(_))
        };
        let sees = self.footprint_of_statements(passed).touches(&self.program, owner, &|v| self.may_be_reached(v));
        (steps_itself && passed.iter().all(is_plain) && !sees).then(|| Postponable {
            old,
            object: object.clone(),
            last: last + 3,
        })
    }
}

/// Whether the paths consist of the same members, without an index.
fn same_members(a: &Lvalue, b: &Lvalue) -> bool {
    let pairs = || a.path.iter().zip(&b.path);
    a.path.len() == b.path.len()
        && pairs().all(|(a, b)| matches!((a, b), (Step::Field(s, m), Step::Field(t, n)) if s == t && m == n))
}

fn mentions(e: &Expr, v: VarId) -> bool {
    let mut found = false;
    each_part_of_expr(e, &mut |part| found |= is_part_of(part, v));
    found
}

fn stmt_mentions(s: &Stmt, v: VarId) -> bool {
    let mut found = false;
    each_part(s, &mut |part| found |= is_part_of(part, v));
    found
}

fn is_part_of(part: Part<'_>, v: VarId) -> bool {
    matches!(part, Part::Lvalue(l, _) if l.base == Base::Var(v))
}

/// Replaces a variable by an object of its type.
struct Renaming<'a> {
    old: VarId,
    object: &'a Lvalue,
}

impl VisitMut for Renaming<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _how: Use) {
        if l.as_var() == Some(self.old) {
            *l = Lvalue { location: l.location, ..self.object.clone() };
        } else {
            self.walk_lvalue(l);
        }
    }
}
