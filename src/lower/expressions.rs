//! Lowers expressions to their values. Side effects become earlier statements, in an order that C
//! allows.

use super::context::{Exit, Lowered, Lowerer, Symbol};
use super::declarators::Lengths;
use crate::program::{Base, BinaryOp, Block, Expr, ExprKind, IntKind, Location, Lvalue, Step, StmtKind, Type, UnaryOp};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CastExpression, ConditionalExpression, Expression, GenericAssociation,
    GenericSelection, OffsetMember, OffsetOfExpression, SpecifierQualifier, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};

impl Lowerer<'_> {
    /// The value of an expression; arrays and functions have become pointers.
    pub(super) fn rvalue(&mut self, expr: &Node<Expression>) -> Lowered<Expr> {
        self.rvalue_for(expr, None)
    }

    /// The value of an expression that will be converted to `wanted`: that type determines what
    /// `malloc` allocates.
    pub(super) fn rvalue_for(&mut self, expr: &Node<Expression>, wanted: Option<&Type>) -> Lowered<Expr> {
        let span = expr.span;
        let at = self.at(span);
        match &expr.node {
            Expression::Identifier(i) => match self.lookup(&i.node.name) {
                Some(Symbol::Enumerator(value, kind)) => Ok(Expr::int(*value, *kind, at)),
                Some(Symbol::Function(id)) => {
                    let id = *id;
                    if self.known_role(&i.node.name).is_some() {
                        let message = format!("the address of `{}` is not modelled", i.node.name);
                        return self.unsupported(span, message);
                    }
                    self.refuse_address(&i.node.name, span)?;
                    self.refuse_weak(id, span)?;
                    Ok(Expr::new(ExprKind::FunctionAddress(id), Type::Function.pointer_to(), at))
                }
                Some(Symbol::Typedef(_)) => self.wrong(span, format!("`{}` is a type, not a value", i.node.name)),
                _ => self.load_of(expr),
            },
            Expression::Constant(c) => self.constant_expr(c),
            Expression::StringLiteral(_) | Expression::CompoundLiteral(_) | Expression::Member(_) => self.load_of(expr),
            Expression::Call(call) => self.call_value(call, wanted),
            Expression::SizeOfTy(s) if self.unit.is_alignment(span) => {
                let ty = self.named_type(&s.node.0, Lengths::Prototype)?.ty;
                self.alignment_of_type(&ty, span)
            }
            Expression::SizeOfVal(s) if self.unit.is_alignment(span) => self.alignment_of_value(&s.node.0, span),
            Expression::SizeOfTy(s) => {
                let ty = self.named_type(&s.node.0, Lengths::Variable)?.ty;
                self.size_expr(&ty, span)
            }
            Expression::SizeOfVal(s) => {
                // A parenthesised type name that a variable hides is not a type; the parser handles
                // that.
                let operand = &s.node.0;
                let ty = self.type_of(operand)?.ty;
                if ty.has_variable_size() && self.has_effects(operand)? {
                    return self
                        .unsupported(span, "`sizeof` of a variable-length array with side effects is not supported");
                }
                self.size_expr(&ty, span)
            }
            Expression::AlignOf(a) => {
                let ty = self.named_type(&a.node.0, Lengths::Prototype)?.ty;
                self.alignment_of_type(&ty, span)
            }
            Expression::UnaryOperator(u) => self.unary_value(u, expr, wanted),
            Expression::Cast(cast) => self.cast_value(cast, span),
            Expression::BinaryOperator(b) => self.binary_value(b, expr),
            Expression::Conditional(c) => self.conditional_value(c, span, wanted),
            Expression::Comma(list) => {
                let Some((last, before)) = list.split_last() else { return Ok(void(at)) };
                before.iter().try_for_each(|e| self.effects(e))?;
                self.rvalue_for(last, wanted)
            }
            Expression::OffsetOf(o) => self.offset_value(o),
            Expression::VaArg(v) => {
                self.effects(&v.node.va_list)?;
                let ty = self.named_type(&v.node.type_name, Lengths::Constant)?.ty;
                let temporary = self.temporary(ty, at);
                self.emit(StmtKind::Havoc(temporary.clone()), at);
                self.load(temporary, span)
            }
            Expression::Statement(s) => self.statement_value(s, at),
            Expression::GenericSelection(g) => self.generic_value(g),
        }
    }

    fn cast_value(&mut self, cast: &Node<CastExpression>, span: Span) -> Lowered<Expr> {
        let at = self.at(span);
        let ty = self.named_type(&cast.node.type_name, Lengths::Variable)?.ty;
        if ty == Type::Void {
            self.effects(&cast.node.expression)?;
            return Ok(void(at));
        }
        let value = self.rvalue_for(&cast.node.expression, Some(&ty))?;
        if matches!(ty, Type::Struct(_)) && value.ty != ty {
            return self.unsupported(span, "a cast to a struct or union is not supported");
        }
        let mut value = self.convert(value, &ty, span)?;
        value.location = at;
        Ok(value)
    }

    fn load_of(&mut self, expr: &Node<Expression>) -> Lowered<Expr> {
        let lvalue = self.lvalue(expr)?;
        self.load(lvalue, expr.span)
    }

    /// The value of a condition: an integer, or a comparison with 0.
    pub(super) fn condition(&mut self, expr: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(expr)?;
        self.truth(value, expr.span)
    }

    fn unary_value(
        &mut self,
        u: &Node<UnaryOperatorExpression>,
        expr: &Node<Expression>,
        wanted: Option<&Type>,
    ) -> Lowered<Expr> {
        let (span, operand) = (expr.span, &*u.node.operand);
        let at = self.at(u.node.operator.span);
        match u.node.operator.node {
            UnaryOperator::PreIncrement => self.increment(operand, BinaryOp::Add, true, span),
            UnaryOperator::PreDecrement => self.increment(operand, BinaryOp::Sub, true, span),
            UnaryOperator::PostIncrement => self.increment(operand, BinaryOp::Add, false, span),
            UnaryOperator::PostDecrement => self.increment(operand, BinaryOp::Sub, false, span),
            UnaryOperator::Address => {
                if let Expression::Identifier(i) = &operand.node
                    && matches!(self.lookup(&i.node.name), Some(Symbol::Function(_)))
                {
                    return self.rvalue(operand);
                }
                if !self.is_lvalue(&operand.node) {
                    return self.wrong(span, "this has no address");
                }
                if let Expression::UnaryOperator(inner) = &operand.node
                    && inner.node.operator.node == UnaryOperator::Indirection
                {
                    return self.rvalue_for(&inner.node.operand, wanted);
                }
                let object = self.lvalue(operand)?;
                self.address(object, span)
            }
            UnaryOperator::Indirection => {
                if let Some(errno) = self.errno(operand, self.at(span)) {
                    return Ok(Expr::load(errno));
                }
                let pointer = self.rvalue(operand)?;
                // `*f` of a function is the function again.
                if pointer.ty.pointee() == Some(&Type::Function) {
                    return Ok(pointer);
                }
                let pointer = self.object_pointer(pointer, span)?;
                let object = self.dereference(pointer, self.at(span));
                self.load(object, span)
            }
            UnaryOperator::Plus => {
                let value = self.rvalue(operand)?;
                self.promote(value, span)
            }
            UnaryOperator::Minus => {
                let value = self.rvalue(operand)?;
                let value = self.promote(value, span)?;
                let ty = value.ty.clone();
                if !matches!(ty, Type::Int(_) | Type::Float(_)) {
                    return self.wrong(span, "`-` needs a number");
                }
                Ok(self.unary(UnaryOp::Negate, value, ty, at))
            }
            UnaryOperator::Complement => {
                let value = self.rvalue(operand)?;
                let value = self.promote(value, span)?;
                let ty = value.ty.clone();
                if !matches!(ty, Type::Int(_)) {
                    return self.wrong(span, "`~` needs an integer");
                }
                Ok(self.unary(UnaryOp::BitNot, value, ty, at))
            }
            UnaryOperator::Negate => {
                let value = self.condition(operand)?;
                Ok(self.unary(UnaryOp::Not, value, Type::INT, at))
            }
        }
    }

    fn binary_value(&mut self, b: &Node<BinaryOperatorExpression>, expr: &Node<Expression>) -> Lowered<Expr> {
        let op = match &b.node.operator.node {
            BinaryOperator::Index => return self.load_of(expr),
            BinaryOperator::LogicalAnd => return self.logical(b, true),
            BinaryOperator::LogicalOr => return self.logical(b, false),
            BinaryOperator::Assign => return self.assignment(&b.node.lhs, &b.node.rhs, true),
            other => match (plain_operator(other), compound_operator(other)) {
                (Some(op), _) => op,
                (None, Some(op)) => return self.compound_assignment(b, op, true),
                (None, None) => return self.wrong(expr.span, "this operator is not understood"),
            },
        };
        let (left, right) = self.operands(&b.node.lhs, &b.node.rhs)?;
        let at = self.at(b.node.operator.span);
        self.operation(op, left, right, at, expr.span)
    }

    /// `left op right` after the conversions that C makes.
    pub(super) fn operation(&self, op: BinaryOp, left: Expr, right: Expr, at: Location, span: Span) -> Lowered<Expr> {
        let mut value = self.typed_operation(op, left, right, span)?;
        if !matches!(value.kind, ExprKind::Load(_) | ExprKind::AddressOf(_)) {
            value.location = at;
        }
        Ok(value)
    }

    fn typed_operation(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Lowered<Expr> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, PointerDiff, Rem, ShiftLeft, ShiftRight, Sub};
        let pointers = (matches!(left.ty, Type::Pointer(_)), matches!(right.ty, Type::Pointer(_)));
        let integers = matches!((&left.ty, &right.ty), (Type::Int(_), Type::Int(_)));
        match (op, pointers) {
            (Add, (true, false)) if matches!(right.ty, Type::Int(_)) => return self.offset(left, right, op, span),
            (Add, (false, true)) if matches!(left.ty, Type::Int(_)) => return self.offset(right, left, op, span),
            (Sub, (true, false)) if matches!(right.ty, Type::Int(_)) => return self.offset(left, right, op, span),
            (Sub, (true, true)) => {
                let right = self.convert(right, &left.ty.clone(), span)?;
                let sized = left.ty.pointee().is_some_and(|t| self.is_complete(t) || *t == Type::Void);
                if !sized {
                    return self.wrong(span, "the difference of pointers to an incomplete type");
                }
                return Ok(Expr::binary(PointerDiff, left, right, self.difference_type()));
            }
            (op, (true, _) | (_, true)) if op.is_comparison() => {
                let (left, right) = self.comparable(left, right, span)?;
                return Ok(Expr::binary(op, left, right, Type::INT));
            }
            (ShiftLeft | ShiftRight, _) if integers => {
                let (left, right) = (self.promote(left, span)?, self.promote(right, span)?);
                let ty = left.ty.clone();
                return Ok(self.arithmetic(op, left, right, ty));
            }
            (Rem | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight, _) if !integers => {
                return self.wrong(span, format!("`{}` needs two integers", op.c_name()));
            }
            _ => {}
        }
        let Some(common) = self.common_type(&left.ty, &right.ty) else {
            let (a, b) = (self.type_name(&left.ty), self.type_name(&right.ty));
            return self.wrong(span, format!("`{}` cannot be applied to `{a}` and `{b}`", op.c_name()));
        };
        let left = self.convert(left, &common, span)?;
        let right = self.convert(right, &common, span)?;
        let result = if op.is_comparison() { Type::INT } else { common };
        Ok(self.arithmetic(op, left, right, result))
    }

    /// Two pointers, or a pointer and an integer, brought to one pointer type.
    fn comparable(&self, left: Expr, right: Expr, span: Span) -> Lowered<(Expr, Expr)> {
        let to = match (&left.ty, &right.ty) {
            (Type::Pointer(a), Type::Pointer(_)) if **a == Type::Void => right.ty.clone(),
            (Type::Pointer(_), _) => left.ty.clone(),
            _ => right.ty.clone(),
        };
        if matches!(left.ty, Type::Float(_)) || matches!(right.ty, Type::Float(_)) {
            return self.wrong(span, "a pointer is not compared with a floating number");
        }
        Ok((self.convert(left, &to, span)?, self.convert(right, &to, span)?))
    }

    fn logical(&mut self, b: &Node<BinaryOperatorExpression>, and: bool) -> Lowered<Expr> {
        let at = self.at(b.node.operator.span);
        let left = self.condition(&b.node.lhs)?;
        let (right, effects) = self.collecting(|l| l.condition(&b.node.rhs))?;
        if effects.is_empty() {
            if let (Some(x), Some(y)) = (left.as_int(), right.as_int()) {
                let value = if and { x != 0 && y != 0 } else { x != 0 || y != 0 };
                return Ok(Expr::int(i128::from(value), IntKind::Int, at));
            }
            let (left, right) = (Box::new(left), Box::new(right));
            let kind = if and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
            return Ok(Expr::new(kind, Type::INT, at));
        }
        let result = self.temporary(Type::INT, at);
        let zero = Expr::int(0, IntKind::Int, at);
        let mut inside = effects;
        let right = self.normalised(right, at);
        inside.push(self.stmt(StmtKind::Assign(result.clone(), right), at));
        let other = vec![
            self.stmt(StmtKind::Assign(result.clone(), if and { zero } else { Expr::int(1, IntKind::Int, at) }), at),
        ];
        let branches = if and { (inside, other) } else { (other, inside) };
        self.emit(StmtKind::If(left, branches.0, branches.1), at);
        Ok(Expr::load(result))
    }

    /// A condition as 0 or 1.
    fn normalised(&self, condition: Expr, at: Location) -> Expr {
        let truth = match &condition.kind {
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            _ => false,
        };
        if truth {
            return condition;
        }
        let Some(kind) = condition.ty.as_int() else { return condition };
        self.arithmetic(BinaryOp::NotEqual, condition, Expr::int(0, kind, at), Type::INT)
    }

    fn conditional_value(
        &mut self,
        c: &Node<ConditionalExpression>,
        span: Span,
        wanted: Option<&Type>,
    ) -> Lowered<Expr> {
        let at = self.at(span);
        let node = &c.node;
        let (condition, then, then_effects) = if self.unit.is_left_out(node.then_expression.span) {
            // GNU C: the value of the condition, which is evaluated once.
            let value = self.rvalue_for(&node.condition, wanted)?;
            let value = self.settle_now(value);
            (self.truth(value.clone(), node.condition.span)?, value, Block::new())
        } else {
            let condition = self.condition(&node.condition)?;
            let (then, effects) = self.collecting(|l| l.rvalue_for(&node.then_expression, wanted))?;
            (condition, then, effects)
        };
        let (other, other_effects) = self.collecting(|l| l.rvalue_for(&node.else_expression, wanted))?;
        if then.ty == Type::Void || other.ty == Type::Void {
            // A branch with a value is still evaluated.
            let branch = |l: &mut Self, effects: Block, value: Expr| {
                l.collecting(|l| {
                    l.out = effects;
                    l.dropped(value);
                    Ok(())
                })
            };
            let ((), then) = branch(self, then_effects, then)?;
            let ((), other) = branch(self, other_effects, other)?;
            self.emit(StmtKind::If(condition, then, other), at);
            return Ok(void(at));
        }
        let ty = self.branch_type(&then, &other, span)?;
        let then = self.convert(then, &ty, span)?;
        let other = self.convert(other, &ty, span)?;
        if then_effects.is_empty() && other_effects.is_empty() && ty.is_scalar() {
            return Ok(match condition.as_int() {
                Some(0) => other,
                Some(_) => then,
                None => {
                    let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(other));
                    Expr::new(kind, ty, at)
                }
            });
        }
        let result = self.temporary(ty, at);
        let branch = |l: &mut Self, mut effects: Block, value: Expr| {
            effects.push(l.stmt(StmtKind::Assign(result.clone(), value), at));
            effects
        };
        let then = branch(self, then_effects, then);
        let other = branch(self, other_effects, other);
        self.emit(StmtKind::If(condition, then, other), at);
        self.load(result, span)
    }

    /// The expression whose value `c ? a : b` has if `c` holds.
    pub(super) fn first_branch<'c>(&self, c: &'c ConditionalExpression) -> &'c Node<Expression> {
        if self.unit.is_left_out(c.then_expression.span) { &c.condition } else { &c.then_expression }
    }

    fn branch_type(&self, a: &Expr, b: &Expr, span: Span) -> Lowered<Type> {
        if let Some(common) = self.common_type(&a.ty, &b.ty) {
            return Ok(common);
        }
        match (&a.ty, &b.ty) {
            (x, y) if x == y => Ok(x.clone()),
            (Type::Pointer(_), _) if b.as_int() == Some(0) => Ok(a.ty.clone()),
            (_, Type::Pointer(_)) if a.as_int() == Some(0) => Ok(b.ty.clone()),
            (Type::Pointer(x), Type::Pointer(y)) => {
                let void = **x == Type::Void || **y == Type::Void;
                Ok(if void { Type::Void.pointer_to() } else { a.ty.clone() })
            }
            (Type::Pointer(_), Type::Int(_)) => Ok(a.ty.clone()),
            (Type::Int(_), Type::Pointer(_)) => Ok(b.ty.clone()),
            _ => self.wrong(span, "the two branches of `?:` have types that do not fit together"),
        }
    }

    fn offset_value(&mut self, o: &Node<OffsetOfExpression>) -> Lowered<Expr> {
        let at = self.at(o.span);
        let mut ty = self.named_type(&o.node.type_name, Lengths::Constant)?.ty;
        let designator = &o.node.designator;
        let first = Node::new(OffsetMember::Member(designator.node.base.clone()), designator.node.base.span);
        let mut offset = 0i128;
        for step in std::iter::once(&first).chain(&designator.node.members) {
            match (&step.node, &ty) {
                (OffsetMember::Member(name) | OffsetMember::IndirectMember(name), Type::Struct(id)) => {
                    let Some(path) = self.find_member(*id, &name.node.name) else {
                        return self.wrong(step.span, format!("there is no member `{}`", name.node.name));
                    };
                    for (id, n) in path {
                        let Some(bytes) = self.offset_of(id, n) else {
                            return self.unsupported(step.span, "the layout of this type is not modelled");
                        };
                        offset += i128::from(bytes);
                        ty = self.program.structure(id).members[n as usize].ty.clone();
                    }
                }
                (OffsetMember::Index(index), Type::Array(element, _)) => {
                    let index = self.integer_constant(index)?;
                    let Some(size) = self.size_of(element) else {
                        return self.unsupported(step.span, "the layout of this type is not modelled");
                    };
                    offset = offset.saturating_add(index.saturating_mul(i128::from(size)));
                    ty = (**element).clone();
                }
                _ => return self.wrong(step.span, "this is not a member"),
            }
        }
        let kind = self.model().size_type();
        Ok(Expr::int(kind.wrap(offset, self.model()), kind, at))
    }

    /// Whether the evaluation of an operand does something.
    fn has_effects(&mut self, operand: &Node<Expression>) -> Lowered<bool> {
        self.unevaluated(|l| {
            let ((), effects) = l.collecting(|l| match l.is_lvalue(&operand.node) {
                true => l.lvalue(operand).map(|_| ()),
                false => l.rvalue(operand).map(|_| ()),
            })?;
            Ok(!effects.is_empty())
        })
    }

    fn generic_value(&mut self, g: &Node<GenericSelection>) -> Lowered<Expr> {
        let ty = self.unevaluated(|l| l.rvalue(&g.node.expression))?.ty;
        let (mut default, mut fitting) = (None, Vec::new());
        for association in &g.node.associations {
            match &association.node {
                GenericAssociation::Type(t) => {
                    let name = &t.node.type_name;
                    // A value has no qualifiers.
                    let plain = name.node.declarator.is_some()
                        || !name.node.specifiers.iter().any(|s| matches!(s.node, SpecifierQualifier::TypeQualifier(_)));
                    if plain && self.named_type(name, Lengths::Constant)?.ty == ty {
                        fitting.push(&t.node.expression);
                    }
                }
                GenericAssociation::Default(e) => default = Some(e),
            }
        }
        // Types are known without the qualifiers of pointer targets, and without signatures. If the
        // choice may depend on these, it cannot be determined.
        let doubtful = fitting.len() > 1 || (matches!(ty, Type::Pointer(_)) && default.is_some());
        match (fitting.first(), default) {
            (Some(_), _) if doubtful => {
                self.unsupported(g.span, "the choice of this `_Generic` depends on qualifiers or signatures behind a pointer, which is not supported")
            }
            (Some(e), _) => self.rvalue(e),
            (None, Some(e)) => self.rvalue(e),
            (None, None) => self.wrong(g.span, "no association of `_Generic` fits"),
        }
    }

    fn statement_value(&mut self, s: &Node<lang_c::ast::Statement>, at: Location) -> Lowered<Expr> {
        use lang_c::ast::{BlockItem, Statement};
        let Statement::Compound(items) = &s.node else {
            self.statement(s)?;
            return Ok(void(at));
        };
        let (value, block) = self.scoped_block(|l| {
            let Some((last, before)) = items.split_last() else { return Ok(void(at)) };
            before.iter().try_for_each(|i| l.block_item(i))?;
            let BlockItem::Statement(statement) = &last.node else {
                l.block_item(last)?;
                return Ok(void(at));
            };
            let Statement::Expression(Some(e)) = &statement.node else {
                l.statement(statement)?;
                return Ok(void(at));
            };
            l.full(at, |l| l.rvalue(e))
        })?;
        if block.is_empty() {
            return Ok(value);
        }
        if !self.ends_lives(&block) {
            self.out.extend(block);
            return Ok(self.settle(value));
        }
        Ok(self.closed(block, value, at))
    }

    /// Lowers a condition of a loop. Returns the statements that must run before it. It must
    /// contain neither `break` nor `continue`.
    pub(super) fn guarded<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, Block)> {
        if let Some(f) = &mut self.function {
            f.exits.push(Exit::Condition);
        }
        let result = self.collecting(inside);
        if let Some(f) = &mut self.function {
            f.exits.pop();
        }
        result
    }

    /// Whether effects that come later cannot change the value.
    pub(super) fn is_settled(&self, value: &Expr) -> bool {
        let fixed = |lvalue: &Lvalue| {
            matches!(lvalue.base, Base::Var(_))
                && lvalue.path.iter().all(|s| match s {
                    Step::Index(i) => self.is_settled(i),
                    Step::Field(..) => true,
                })
        };
        match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => true,
            ExprKind::Load(lvalue) => self.is_private(lvalue),
            ExprKind::AddressOf(lvalue) => fixed(lvalue),
            ExprKind::Cast(a) | ExprKind::Unary(_, a) => self.is_settled(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.is_settled(a) && self.is_settled(b)
            }
            ExprKind::Conditional(c, a, b) => [c, a, b].iter().all(|e| self.is_settled(e)),
        }
    }

    /// The stored value: read again from `lvalue` if that is possible, otherwise `value`.
    pub(super) fn reread(&mut self, lvalue: Lvalue, value: Expr, span: Span) -> Lowered<Expr> {
        if matches!(value.kind, ExprKind::Int(_)) || self.is_private(&lvalue) {
            return if value.as_int().is_some() {
                self.promote_bits(&lvalue, value, span)
            } else {
                self.load(lvalue, span)
            };
        }
        self.promote_bits(&lvalue, value, span)
    }
}

/// The value of an expression without one.
pub(super) fn void(at: Location) -> Expr {
    Expr::new(ExprKind::Int(0), Type::Void, at)
}

fn plain_operator(op: &BinaryOperator) -> Option<BinaryOp> {
    Some(match op {
        BinaryOperator::Multiply => BinaryOp::Mul,
        BinaryOperator::Divide => BinaryOp::Div,
        BinaryOperator::Modulo => BinaryOp::Rem,
        BinaryOperator::Plus => BinaryOp::Add,
        BinaryOperator::Minus => BinaryOp::Sub,
        BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::LessOrEqual => BinaryOp::LessEqual,
        BinaryOperator::GreaterOrEqual => BinaryOp::GreaterEqual,
        BinaryOperator::Equals => BinaryOp::Equal,
        BinaryOperator::NotEquals => BinaryOp::NotEqual,
        BinaryOperator::BitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::BitwiseXor => BinaryOp::BitXor,
        BinaryOperator::BitwiseOr => BinaryOp::BitOr,
        _ => return None,
    })
}

/// The operator of a compound assignment.
pub(super) fn compound_operator(op: &BinaryOperator) -> Option<BinaryOp> {
    Some(match op {
        BinaryOperator::AssignMultiply => BinaryOp::Mul,
        BinaryOperator::AssignDivide => BinaryOp::Div,
        BinaryOperator::AssignModulo => BinaryOp::Rem,
        BinaryOperator::AssignPlus => BinaryOp::Add,
        BinaryOperator::AssignMinus => BinaryOp::Sub,
        BinaryOperator::AssignShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::AssignShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::AssignBitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::AssignBitwiseXor => BinaryOp::BitXor,
        BinaryOperator::AssignBitwiseOr => BinaryOp::BitOr,
        _ => return None,
    })
}
