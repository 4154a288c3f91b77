//! Evaluates expressions for their side effects: assignments, increments, expressions as
//! statements.

use super::context::{Lowered, Lowerer};
use super::expressions::compound_operator;
use super::specification::ASSERTION_FAILED;
use super::statements::has_effects;
use crate::program::{
    Base, BinaryOp, Block, Expr, ExprKind, IntKind, Location, Lvalue, Part, StmtKind, Storage, Type, checks_of,
    each_part_of_expr,
};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Expression, UnaryOperator};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// Evaluates an expression and drops its value.
    pub(super) fn effects(&mut self, expr: &Node<Expression>) -> Lowered<()> {
        match &expr.node {
            Expression::BinaryOperator(b) => match &b.node.operator.node {
                BinaryOperator::Assign => self.assignment(&b.node.lhs, &b.node.rhs, false).map(|_| ()),
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                    let and = b.node.operator.node == BinaryOperator::LogicalAnd;
                    let condition = self.condition(&b.node.lhs)?;
                    let ((), effects) = self.collecting(|l| l.effects(&b.node.rhs))?;
                    let at = self.at(b.node.operator.span);
                    let (then, other) = if and { (effects, Vec::new()) } else { (Vec::new(), effects) };
                    self.choose(condition, then, other, at);
                    Ok(())
                }
                other => match compound_operator(other) {
                    Some(op) => self.compound_assignment(b, op, false).map(|_| ()),
                    None => self.value_dropped(expr),
                },
            },
            Expression::UnaryOperator(u) => {
                let op = match u.node.operator.node {
                    UnaryOperator::PreIncrement | UnaryOperator::PostIncrement => BinaryOp::Add,
                    UnaryOperator::PreDecrement | UnaryOperator::PostDecrement => BinaryOp::Sub,
                    _ => return self.value_dropped(expr),
                };
                self.step(&u.node.operand, op, expr.span).map(|_| ())
            }
            Expression::Comma(list) => list.iter().try_for_each(|e| self.effects(e)),
            Expression::Cast(cast) => self.effects(&cast.node.expression),
            Expression::Conditional(c) => self.conditional_effects(c),
            Expression::Call(call) => self.call_effects(call),
            // Its value is not used, so the literal needs no array.
            Expression::StringLiteral(_) => Ok(()),
            _ => self.value_dropped(expr),
        }
    }

    /// Evaluates `c ? a : b` without its value. The expansion of `assert` in some headers is
    /// recognised.
    pub(super) fn conditional_effects(&mut self, c: &Node<ConditionalExpression>) -> Lowered<()> {
        let node = &c.node;
        let at = self.at(c.span);
        let condition = self.condition(&node.condition)?;
        if let Some(text) = self.failure_text(&node.else_expression) {
            let text = text.unwrap_or_else(|| self.unit.text(node.condition.span));
            let id = self.new_assertion(at, text);
            self.fails_by(id, ASSERTION_FAILED, None);
            self.emit(StmtKind::Assert(condition, id), at);
            // If the assertion holds, the other branch is taken. Its effects come after the test.
            return self.effects(&node.then_expression);
        }
        let ((), then) = self.collecting(|l| l.effects(&node.then_expression))?;
        let ((), other) = self.collecting(|l| l.effects(&node.else_expression))?;
        self.choose(condition, then, other, at);
        Ok(())
    }

    /// Evaluates an expression of any other form, and drops its value.
    fn value_dropped(&mut self, expr: &Node<Expression>) -> Lowered<()> {
        let value = self.rvalue(expr)?;
        self.dropped(value);
        Ok(())
    }

    /// Evaluates a value that is not used, if its evaluation can be undefined.
    pub(super) fn dropped(&mut self, value: Expr) {
        let at = value.location;
        if matches!(value.ty, Type::Void | Type::Function) {
            return;
        }
        let test = self.stmt(StmtKind::If(value.clone(), Block::new(), Block::new()), at);
        if !checks_of(&self.program, &test).is_empty() {
            self.snapshot(value);
            self.last_is_copy();
        }
    }

    /// Evaluates a value that the library gets. That is a read of what is in it, even if nothing
    /// else comes of it.
    pub(super) fn handed(&mut self, value: Expr) {
        let mut is_read = false;
        each_part_of_expr(&value, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Load(l), .. }) = part {
                is_read |= match &l.base {
                    Base::Var(v) => {
                        let variable = self.program.variable(*v);
                        variable.storage == Storage::Local && !variable.origin.is_temporary()
                    }
                    Base::Deref(_) => true,
                };
            }
        });
        match is_read && value.ty.is_scalar() {
            true => _ = self.snapshot(value),
            false => self.dropped(value),
        }
    }

    /// Evaluates an argument that the library gets.
    pub(super) fn argument_handed(&mut self, e: &Node<Expression>) -> Lowered<()> {
        match self.type_of(e)?.ty.is_scalar() {
            true => {
                let value = self.rvalue(e)?;
                self.handed(value);
                Ok(())
            }
            false => self.effects(e),
        }
    }

    /// `if (condition) then else other`, reduced to the branches that have an effect.
    fn choose(&mut self, condition: Expr, then: Block, other: Block, at: Location) {
        if then.is_empty() && other.is_empty() {
            self.dropped(condition);
        } else {
            self.emit(StmtKind::If(condition, then, other), at);
        }
    }

    /// `left = right`; its value only if it is `wanted`.
    pub(super) fn assignment(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        wanted: bool,
    ) -> Lowered<Expr> {
        let before = self.out.len();
        let target = self.assignable(left)?;
        let mut earlier = self.footprint_of_place(before, &target);
        // Known calls write to the target themselves. The target is determined before the call if
        // the arguments may change it.
        let call = direct_call(right).filter(|call| self.is_known(call) && self.bit_width(&target).is_none());
        let moved = call.is_some_and(|call| call.node.arguments.iter().any(has_effects));
        let target = if moved { self.settle_place(target) } else { target };
        if target.as_var().is_some() || call.is_some() {
            let before = self.out.len();
            let value = self.store_from(target.clone(), right, wanted)?;
            let mut later = self.footprint(before, []);
            later.forget_target(&self.program, &target);
            self.unsequenced(&mut earlier, later);
            return Ok(value);
        }
        let ty = target.ty.clone();
        let (value, effects) = self.collecting(|l| l.rvalue_for(right, Some(&ty)))?;
        let later = self.footprint_of(&effects, &value);
        let target = self.settle_place_before(target, &later);
        self.out.extend(effects);
        self.unsequenced(&mut earlier, later);
        self.store(target, value, wanted, right.span)
    }

    fn assignable(&mut self, left: &Node<Expression>) -> Lowered<Lvalue> {
        if !self.is_lvalue(&left.node) {
            return self.wrong(left.span, "this cannot be assigned to");
        }
        let target = self.lvalue(left)?;
        if matches!(target.ty, Type::Array(..) | Type::Void | Type::Function) || !self.is_complete(&target.ty) {
            let ty = self.type_name(&target.ty);
            return self.wrong(left.span, format!("an object of the type `{ty}` cannot be assigned to"));
        }
        Ok(target)
    }

    /// Stores the value of an expression in an object. Calls write their result there directly if
    /// no conversion is needed.
    pub(super) fn store_from(&mut self, target: Lvalue, value: &Node<Expression>, wanted: bool) -> Lowered<Expr> {
        let span = value.span;
        if let Some(call) = direct_call(value)
            && self.bit_width(&target).is_none()
            && self.call_into(&target, call)?
        {
            return self.stored(target, wanted, span);
        }
        let ty = target.ty.clone();
        let value = self.rvalue_for(value, Some(&ty))?;
        self.store(target, value, wanted, span)
    }

    /// The value of an assignment that has been emitted.
    fn stored(&mut self, target: Lvalue, wanted: bool, span: Span) -> Lowered<Expr> {
        if !wanted {
            return Ok(super::expressions::void(target.location));
        }
        let private = self.is_private(&target);
        let value = self.load(target, span)?;
        Ok(if private { value } else { self.settle(value) })
    }

    /// Stores a value in an object, converted to its type.
    pub(super) fn store(&mut self, target: Lvalue, value: Expr, wanted: bool, span: Span) -> Lowered<Expr> {
        let at = target.location;
        let mut value = self.convert(value, &target.ty.clone(), span)?;
        if let Some(width) = self.bit_width(&target) {
            value = self.cut_to_bits(value, width);
        }
        if wanted && !self.is_private(&target) && value.as_int().is_none() && value.ty.is_scalar() {
            value = self.settle(value);
        }
        self.emit(StmtKind::Assign(target.clone(), value.clone()), at);
        if !wanted {
            return Ok(super::expressions::void(at));
        }
        if value.ty.is_scalar() { self.reread(target, value, span) } else { Ok(Expr::load(target)) }
    }

    pub(super) fn compound_assignment(
        &mut self,
        b: &Node<BinaryOperatorExpression>,
        op: BinaryOp,
        wanted: bool,
    ) -> Lowered<Expr> {
        let before = self.out.len();
        let target = self.assignable(&b.node.lhs)?;
        let (right, effects) = self.collecting(|l| l.rvalue(&b.node.rhs))?;
        let later = self.footprint_of(&effects, &right);
        let target = self.settle_place_before(target, &later);
        let old = self.load(target.clone(), b.node.lhs.span)?;
        let mut earlier = self.footprint(before, [&old]);
        let old = self.settle_before(old, &later);
        self.out.extend(effects);
        self.unsequenced(&mut earlier, later);
        let at = self.at(b.node.operator.span);
        let value = self.operation(op, old, right, at, b.span)?;
        self.store(target, value, wanted, b.span)
    }

    /// `++x` or `--x` without its value: returns the object.
    fn step(&mut self, operand: &Node<Expression>, op: BinaryOp, span: Span) -> Lowered<Lvalue> {
        let target = self.assignable(operand)?;
        self.step_object(target.clone(), op, span)?;
        Ok(target)
    }

    fn step_object(&mut self, target: Lvalue, op: BinaryOp, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let old = self.load(target.clone(), span)?;
        let value = if target.ty == Type::Int(IntKind::Bool) && op == BinaryOp::Sub {
            // `--b` flips: (_Bool)(b - 1) is 1 - b.
            self.operation(BinaryOp::NotEqual, old, Expr::int(1, IntKind::Int, at), at, span)?
        } else {
            self.operation(op, old, Expr::int(1, IntKind::Int, at), at, span)?
        };
        self.store(target, value, false, span).map(|_| ())
    }

    /// `++x`, `--x` (`before`), `x++`, `x--` with their values.
    pub(super) fn increment(
        &mut self,
        operand: &Node<Expression>,
        op: BinaryOp,
        before: bool,
        span: Span,
    ) -> Lowered<Expr> {
        if before {
            let target = self.step(operand, op, span)?;
            return self.stored(target, true, span);
        }
        let target = self.assignable(operand)?;
        let old = self.load(target.clone(), span)?;
        let old = self.snapshot(old);
        self.step_object(target, op, span)?;
        Ok(old)
    }

    /// The value in a new temporary, whatever it is.
    fn snapshot(&mut self, value: Expr) -> Expr {
        let at = value.location;
        let temporary = self.temporary(value.ty.clone(), at);
        self.emit(StmtKind::Assign(temporary.clone(), value), at);
        Expr::load(temporary)
    }
}

/// The call, if the expression is one.
fn direct_call(expr: &Node<Expression>) -> Option<&Node<lang_c::ast::CallExpression>> {
    match &expr.node {
        Expression::Call(call) => Some(call),
        _ => None,
    }
}
