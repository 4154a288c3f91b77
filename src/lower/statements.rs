//! Statements.

use super::context::{Exit, LabelUse, Lowered, Lowerer};
use super::specification::ASSERTION_FAILED;
use crate::program::{Block, Expr, IntKind, LabelId, Location, Loop, LoopKind, StmtKind, Type};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CompoundLiteral, DoWhileStatement, Expression,
    ForInitializer, ForStatement, IfStatement, Label, Statement, UnaryOperator, UnaryOperatorExpression,
    VaArgExpression, WhileStatement,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let span = s.span;
        match &s.node {
            Statement::Compound(_) => {
                let at = self.at(span);
                let block = self.block(s)?;
                self.emit(StmtKind::Block(block), at);
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => {
                let before = self.out.len();
                let at = self.at(span);
                self.full_effects(at, |l| l.effects(e))?;
                if self.out.len() == before {
                    self.emit(StmtKind::Skip, at);
                }
                Ok(())
            }
            // C11 6.8.4p3, 6.8.5p5: blocks, including the objects made in their heads.
            Statement::If(i) => self.enclosed(self.at(span), |l| l.if_statement(i)),
            Statement::While(w) => self.enclosed(self.at(span), |l| l.while_statement(w)),
            Statement::DoWhile(d) => self.enclosed(self.at(span), |l| l.do_statement(d)),
            Statement::For(f) => self.for_statement(f),
            Statement::Switch(s) => self.enclosed(self.at(span), |l| l.switch_statement(s)),
            Statement::Labeled(l) => {
                match &l.node.label.node {
                    Label::Identifier(name) => {
                        let id = self.label(&name.node.name, name.span, true)?;
                        let at = self.at(span);
                        self.emit(StmtKind::Label(id, name.node.name.clone()), at);
                        self.passed_label(&name.node.name, id);
                    }
                    Label::Case(_) | Label::CaseRange(_) | Label::Default => self.case_label(&l.node.label)?,
                }
                self.annotated(&l.node.statement)?;
                self.statement(&l.node.statement)
            }
            Statement::Goto(name) => {
                let id = self.label(&name.node.name, name.span, false)?;
                let at = self.at(span);
                self.emit(StmtKind::Goto(id), at);
                Ok(())
            }
            Statement::Break | Statement::Continue => self.leave(s.node == Statement::Break, span),
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::Asm(assembly) => self.assembly(&assembly.node, span),
        }
    }

    /// A statement as a block with a scope of its own.
    pub(super) fn block(&mut self, s: &Node<Statement>) -> Lowered<Block> {
        Ok(self.scoped_block(|l| l.inside_of_block(s))?.1)
    }

    /// Lowers the contents of a block, or a statement that acts as a block.
    pub(super) fn inside_of_block(&mut self, s: &Node<Statement>) -> Lowered<()> {
        match &s.node {
            Statement::Compound(items) => self.block_items(items, s.span),
            _ => {
                self.annotated(s)?;
                self.statement(s)
            }
        }
    }

    fn label(&mut self, name: &str, span: Span, define: bool) -> Lowered<LabelId> {
        let fresh = self.new_label();
        let Some(function) = &mut self.function else {
            return self.wrong(span, "a label outside of a function");
        };
        let fresh = LabelUse { id: fresh, defined: false, first_use: span };
        let label = function.labels.entry(name.to_owned()).or_insert(fresh);
        let id = label.id;
        let twice = define && label.defined;
        label.defined |= define;
        if twice {
            return self.wrong(span, format!("the label `{name}` is defined twice"));
        }
        Ok(id)
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let result = self.function.as_ref().map_or(Type::Void, |f| f.result.clone());
        let value = match value {
            None => None,
            Some(e) if result == Type::Void => {
                self.full_effects(at, |l| l.effects(e))?;
                None
            }
            Some(e) => Some(self.full(at, |l| {
                let value = l.rvalue_for(e, Some(&result))?;
                l.convert(value, &result, e.span)
            })?),
        };
        self.return_value(value, at);
        Ok(())
    }

    fn leave(&mut self, is_break: bool, span: Span) -> Lowered<()> {
        let at = self.at(span);
        let word = if is_break { "break" } else { "continue" };
        let exits = self.function.as_mut().map_or(&mut [][..], |f| &mut f.exits);
        let exit = exits.iter_mut().rev().find(|e| is_break || !matches!(e, Exit::Switch(_)));
        match exit {
            Some(Exit::Loop { used }) => {
                *used = true;
                self.emit(if is_break { StmtKind::Break } else { StmtKind::Continue }, at);
                Ok(())
            }
            Some(Exit::Switch(end)) => {
                let end = *end;
                self.emit(StmtKind::Goto(end), at);
                Ok(())
            }
            Some(Exit::Condition) => {
                self.unsupported(span, format!("`{word}` in the condition of a loop is not supported"))
            }
            None => self.wrong(span, format!("`{word}` outside of a loop")),
        }
    }

    fn if_statement(&mut self, i: &Node<IfStatement>) -> Lowered<()> {
        let at = self.at(i.span);
        let node = &i.node;
        if let Some(otherwise) = &node.else_statement {
            // The expansion of `assert`: `if (c) ; else __assert_fail(…);`
            let text = sole_expression(otherwise).and_then(|e| self.failure_text(e));
            if let (Statement::Expression(None), Some(text)) = (&node.then_statement.node, text) {
                let condition = self.full_condition(&node.condition, at)?;
                let text = text.unwrap_or_else(|| self.unit.text(node.condition.span));
                let id = self.new_assertion(at, text);
                self.fails_by(id, ASSERTION_FAILED, None);
                self.emit(StmtKind::Assert(condition, id), at);
                return Ok(());
            }
        }
        if branches_with_effects(&node.condition) {
            let (otherwise, end) = (self.new_label(), self.new_label());
            self.full_effects(at, |l| l.jump(&node.condition, otherwise, false))?;
            let then = self.block(&node.then_statement)?;
            self.emit(StmtKind::Block(then), at);
            if let Some(other) = &node.else_statement {
                self.emit(StmtKind::Goto(end), at);
                self.hidden_label(otherwise, at);
                let other = self.block(other)?;
                self.emit(StmtKind::Block(other), at);
                self.hidden_label(end, at);
            } else {
                self.hidden_label(otherwise, at);
            }
            return Ok(());
        }
        let before = self.out.len();
        let condition = self.full_condition(&node.condition, at)?;
        let jumped = self.take_jump(before);
        let mut then = self.block(&node.then_statement)?;
        let mut other = match &node.else_statement {
            Some(s) => self.block(s)?,
            None => Vec::new(),
        };
        if let Some(jumped) = jumped {
            for branch in [&mut then, &mut other] {
                branch.insert(0, self.comes_back(jumped.clone()));
            }
        }
        self.emit(StmtKind::If(condition, then, other), at);
        Ok(())
    }

    /// Goes to `target` if the condition is true (or false, as `when` says), and falls through
    /// otherwise.
    fn jump(&mut self, condition: &Node<Expression>, target: LabelId, when: bool) -> Lowered<()> {
        let at = self.at(condition.span);
        if branches_with_effects(condition) {
            match &condition.node {
                Expression::UnaryOperator(u) => return self.jump(&u.node.operand, target, !when),
                Expression::BinaryOperator(b) => {
                    let and = b.node.operator.node == BinaryOperator::LogicalAnd;
                    if and == when {
                        let skip = self.new_label();
                        self.jump(&b.node.lhs, skip, !when)?;
                        self.jump(&b.node.rhs, target, when)?;
                        self.hidden_label(skip, at);
                        return Ok(());
                    }
                    self.jump(&b.node.lhs, target, when)?;
                    return self.jump(&b.node.rhs, target, when);
                }
                _ => {}
            }
        }
        let value = self.condition(condition)?;
        let value = self.read_again(value);
        let goto = vec![self.stmt(StmtKind::Goto(target), at)];
        let (then, other) = if when { (goto, Vec::new()) } else { (Vec::new(), goto) };
        self.emit(StmtKind::If(value, then, other), at);
        Ok(())
    }

    /// The condition of a loop that tests first, and the statements at the start of the body if it
    /// has side effects.
    fn test(&mut self, condition: &Node<Expression>, at: Location) -> Lowered<(Expr, Block)> {
        let one = Expr::int(1, IntKind::Int, at);
        if let Expression::BinaryOperator(b) = &condition.node {
            // In `pure && effects` the first part stays the condition of the loop.
            let and = b.node.operator.node == BinaryOperator::LogicalAnd;
            if and && !has_effects(&b.node.lhs) && has_effects(&b.node.rhs) {
                let (value, before) = self.guarded(|l| l.condition(&b.node.lhs))?;
                if before.is_empty() {
                    let (rest, mut block) = self.test(&b.node.rhs, at)?;
                    if rest.as_int() != Some(1) {
                        let leave = vec![self.stmt(StmtKind::Break, at)];
                        let test = self.stmt(StmtKind::If(rest, Vec::new(), leave), at);
                        block.push(test);
                    }
                    return Ok((value, block));
                }
            }
        }
        if branches_with_effects(condition) {
            let ((), block) = self.guarded(|l| {
                l.full_effects(at, |l| {
                    let inside = l.new_label();
                    l.jump(condition, inside, true)?;
                    l.emit(StmtKind::Break, at);
                    l.hidden_label(inside, at);
                    Ok(())
                })
            })?;
            return Ok((one, block));
        }
        let (value, mut block) = self.guarded(|l| l.full_condition(condition, at))?;
        if block.is_empty() {
            return Ok((value, block));
        }
        let leave = vec![self.stmt(StmtKind::Break, at)];
        let test = self.stmt(StmtKind::If(value, Vec::new(), leave), at);
        block.push(test);
        Ok((one, block))
    }

    /// The body of a loop, and whether it leaves or continues the loop.
    fn loop_body(&mut self, s: &Node<Statement>) -> Lowered<(Block, bool)> {
        if let Some(f) = &mut self.function {
            f.exits.push(Exit::Loop { used: false });
        }
        let block = self.block(s);
        let exit = self.function.as_mut().and_then(|f| f.exits.pop());
        Ok((block?, exit != Some(Exit::Loop { used: false })))
    }

    fn while_statement(&mut self, w: &Node<WhileStatement>) -> Lowered<()> {
        let at = self.at(w.span);
        let invariants = self.loop_invariants(true);
        let id = self.new_loop();
        let (condition, mut body) = self.test(&w.node.expression, at)?;
        body.extend(self.loop_body(&w.node.statement)?.0);
        let mut l = Loop { id, kind: LoopKind::While, condition, body, step: Vec::new() };
        self.keep_invariants(&mut l, invariants);
        self.emit(StmtKind::Loop(Box::new(l)), at);
        Ok(())
    }

    fn do_statement(&mut self, d: &Node<DoWhileStatement>) -> Lowered<()> {
        let at = self.at(d.span);
        let invariants = self.loop_invariants(false);
        let (body, leaves) = self.loop_body(&d.node.statement)?;
        // `continue` goes to the condition, so the statements that it needs are in the step.
        let (condition, step) = self.guarded(|l| l.full_condition(&d.node.expression, at))?;
        if !leaves && step.is_empty() && condition.as_int() == Some(0) && invariants.is_empty() {
            let (mut block, current) = self.leave_loop();
            block.extend(current);
            block.extend(body);
            self.emit(StmtKind::Block(block), at);
            return Ok(());
        }
        let id = self.new_loop();
        let mut l = Loop { id, kind: LoopKind::DoWhile, condition, body, step };
        self.keep_invariants(&mut l, invariants);
        self.emit(StmtKind::Loop(Box::new(l)), at);
        Ok(())
    }

    fn for_statement(&mut self, f: &Node<ForStatement>) -> Lowered<()> {
        let at = self.at(f.span);
        let node = &f.node;
        let declares = matches!(node.initializer.node, ForInitializer::Declaration(_));
        let ((), block) = self.scoped_block(|l| {
            match &node.initializer.node {
                ForInitializer::Empty => {}
                ForInitializer::Expression(e) => l.full_effects(at, |l| l.effects(e))?,
                ForInitializer::Declaration(d) => l.declaration(d)?,
                ForInitializer::StaticAssert(a) => l.static_assert(a)?,
            }
            let invariants = l.loop_invariants(true);
            let id = l.new_loop();
            let (condition, mut body) = match &node.condition {
                Some(c) => l.test(c, at)?,
                None => (Expr::int(1, IntKind::Int, at), Vec::new()),
            };
            body.extend(l.loop_body(&node.statement)?.0);
            let step = match &node.step {
                Some(e) => l.guarded(|l| l.full_effects(at, |l| l.effects(e)))?.1,
                None => Vec::new(),
            };
            let mut l2 = Loop { id, kind: LoopKind::For, condition, body, step };
            l.keep_invariants(&mut l2, invariants);
            l.emit(StmtKind::Loop(Box::new(l2)), at);
            Ok(())
        })?;
        if declares || self.ends_lives(&block) {
            self.emit(StmtKind::Block(block), at);
        } else {
            self.out.extend(block);
        }
        Ok(())
    }
}

/// The expression that a statement consists of.
fn sole_expression(s: &Node<Statement>) -> Option<&Node<Expression>> {
    match &s.node {
        Statement::Expression(Some(e)) => Some(e),
        Statement::Compound(items) => match items.as_slice() {
            [item] => match &item.node {
                lang_c::ast::BlockItem::Statement(s) => sole_expression(s),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether a condition combines parts with side effects by `&&` or `||`. It then becomes jumps, so
/// that the result of every part is known after its test.
fn branches_with_effects(condition: &Node<Expression>) -> bool {
    let branches = match &condition.node {
        Expression::BinaryOperator(b) => {
            matches!(b.node.operator.node, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        }
        Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
            return branches_with_effects(&u.node.operand);
        }
        _ => false,
    };
    branches && has_effects(condition)
}

/// Whether an expression may have side effects.
pub(super) fn has_effects(e: &Node<Expression>) -> bool {
    let mut effects = Effects(false);
    effects.visit_expression(&e.node, &e.span);
    effects.0
}

/// Finds what may have side effects.
struct Effects(bool);

impl<'ast> Visit<'ast> for Effects {
    fn visit_call_expression(&mut self, _: &'ast CallExpression, _: &'ast Span) {
        self.0 = true;
    }
    fn visit_compound_literal(&mut self, _: &'ast CompoundLiteral, _: &'ast Span) {
        self.0 = true;
    }
    fn visit_va_arg_expression(&mut self, _: &'ast VaArgExpression, _: &'ast Span) {
        self.0 = true;
    }
    fn visit_statement(&mut self, _: &'ast Statement, _: &'ast Span) {
        self.0 = true;
    }
    fn visit_unary_operator_expression(&mut self, e: &'ast UnaryOperatorExpression, span: &'ast Span) {
        self.0 |= matches!(
            e.operator.node,
            UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
        );
        if !self.0 {
            lang_c::visit::visit_unary_operator_expression(self, e, span);
        }
    }
    fn visit_binary_operator_expression(&mut self, e: &'ast BinaryOperatorExpression, span: &'ast Span) {
        self.0 |= e.operator.node == BinaryOperator::Assign
            || super::expressions::compound_operator(&e.operator.node).is_some();
        if !self.0 {
            lang_c::visit::visit_binary_operator_expression(self, e, span);
        }
    }
}
