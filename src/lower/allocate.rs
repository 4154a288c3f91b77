//! `malloc` and its relatives. C counts bytes, the program counts elements: their type comes from
//! the pointer that the result is converted to, or from a `sizeof` in the argument.

use super::builtins::Use;
use super::context::{Lowered, Lowerer};
use super::declarators::Lengths;
use crate::program::{
    BinaryOp, Block, Contents, Expr, ExprKind, IntKind, Length, Location, Lvalue, Presumption, Reached, StmtKind, Type,
    WrittenBytes,
};
use lang_c::ast::{BinaryOperator, CallExpression, Expression};
use lang_c::span::{Node, Span};

/// How an allocator is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allocator {
    /// The argument of that number is a number of bytes.
    Bytes(usize),
    /// `calloc`
    Zeroed,
    /// `realloc`
    Again,
}

impl Lowerer<'_> {
    /// A call of an allocator.
    pub(super) fn allocator_call(
        &mut self,
        allocator: Allocator,
        name: &str,
        call: &Node<CallExpression>,
        usage: Use<'_>,
    ) -> Lowered<Expr> {
        let is_automatic = name.ends_with("alloca");
        let may_fail = self.options.malloc_may_fail && !is_automatic;
        let block = self.allocation(allocator, call, usage, may_fail)?;
        if is_automatic {
            let written = usage.target.filter(|_| block.ty == Type::Void).cloned().map(Expr::load);
            self.presume(Presumption::Automatic(written.unwrap_or_else(|| block.clone())), self.at(call.span));
        }
        Ok(block)
    }

    pub(super) fn allocation(
        &mut self,
        allocator: Allocator,
        call: &Node<CallExpression>,
        usage: Use<'_>,
        may_fail: bool,
    ) -> Lowered<Expr> {
        let at = self.at(call.span);
        let list = &call.node.arguments;
        let needed = match allocator {
            Allocator::Bytes(n) => n + 1,
            Allocator::Zeroed | Allocator::Again => 2,
        };
        if list.len() != needed {
            return self.wrong(call.span, format!("this allocation needs {needed} arguments"));
        }
        let (before, bytes) = match allocator {
            Allocator::Zeroed => (&list[..0], &list[1]),
            _ => (&list[..needed - 1], &list[needed - 1]),
        };
        // The old block of `realloc`.
        let mut old = None;
        for e in before {
            if allocator == Allocator::Again {
                let block = self.rvalue(e)?;
                self.dropped(block.clone());
                old = Some(block);
            } else {
                self.effects(e)?;
            }
        }
        let element = self.element(usage.wanted, bytes)?;
        if self.try_constant(bytes)?.is_some_and(|n| n > self.model().difference_type().max(self.model())) {
            self.never(at);
        }
        if let Type::Struct(id) = element {
            let sizes = if allocator == Allocator::Zeroed { &list[..] } else { std::slice::from_ref(bytes) };
            if !self.is_in_whole_elements(sizes, &element)? {
                self.roomy.insert(id);
            }
        }
        let count = if allocator == Allocator::Zeroed {
            self.product_count(&list[0], &list[1], &element, call.span)?
        } else {
            match self.whole_elements(bytes, &element)? {
                Some(count) => count,
                None => self.quotient(bytes, &element)?,
            }
        };
        let count = self.possible_count(count, &element);
        let pointer = element.clone().pointer_to();
        let direct = usage.target.filter(|t| t.ty == pointer);
        let target = match direct {
            Some(target) => target.clone(),
            None => self.temporary(pointer, at),
        };
        let made = self.block_is_made(allocator, old, (&target, element, count), at)?;
        if may_fail {
            // A block that is not moved stays.
            let (fails, id) = (self.temporary(Type::INT, at), self.new_input());
            self.emit(StmtKind::Input(fails.clone(), id), at);
            let null = Expr::new(ExprKind::Int(0), target.ty.clone(), at);
            let failed = vec![self.stmt(StmtKind::Assign(target.clone(), null), at)];
            self.emit(StmtKind::If(Expr::load(fails), failed, made), at);
        } else {
            self.out.extend(made);
        }
        Ok(if direct.is_some() { super::expressions::void(at) } else { Expr::load(target) })
    }

    /// The statements that make a block, in place of an old one if there is one.
    fn block_is_made(
        &mut self,
        allocator: Allocator,
        old: Option<Expr>,
        (target, element, count): (&Lvalue, Type, Expr),
        at: Location,
    ) -> Lowered<Block> {
        let target = target.clone();
        let zeroed = allocator == Allocator::Zeroed;
        let ((), made) = self.collecting(|l| {
            if let Some(old) = old {
                l.presume(Presumption::Freed(old), at);
            }
            let size = l.size_of(&element).map(|size| Expr::int(size.into(), l.model().difference_type(), at));
            let bytes = size.map(|size| Expr::binary(BinaryOp::Mul, count.clone(), size, count.ty.clone()));
            l.emit(StmtKind::Allocate { target: target.clone(), element, count, zeroed }, at);
            if allocator == Allocator::Again {
                // The block has the contents of the old one. These are not tracked.
                let to = Expr::load(target);
                let bytes = bytes.map(|count| WrittenBytes { to: to.clone(), contents: Contents::Unknown, count });
                l.emit(
                    StmtKind::HavocReachable(Reached { pointers: vec![to], bytes: bytes.map(Box::new), is_own: false }),
                    at,
                );
            }
            Ok(())
        })?;
        Ok(made)
    }

    /// Whether a size is written as that of whole elements: as a product with the size of their
    /// type, or as the size of one.
    fn is_in_whole_elements(&mut self, sizes: &[Node<Expression>], element: &Type) -> Lowered<bool> {
        for factor in sizes.iter().flat_map(factors).filter(|f| is_sizeof(f)) {
            if self.measured_type(factor)?.as_ref() == Some(element) {
                return Ok(true);
            }
        }
        match sizes {
            [only] => Ok(self.try_constant(only)?.is_some_and(|n| Some(n) == self.size_of(element).map(i128::from))),
            _ => Ok(false),
        }
    }

    /// The type of the elements.
    fn element(&mut self, wanted: Option<&Type>, bytes: &Node<Expression>) -> Lowered<Type> {
        if let Some(to) = wanted.and_then(Type::pointee)
            && self.is_complete(to)
        {
            return Ok(to.clone());
        }
        let measured = match factors(bytes).find(|f| is_sizeof(f)) {
            Some(f) => self.measured_type(f)?,
            None => None,
        };
        Ok(measured.filter(|t| self.is_complete(t)).unwrap_or(Type::Int(self.plain_char())))
    }

    /// The type whose size a `sizeof` takes.
    pub(super) fn measured_type(&mut self, e: &Node<Expression>) -> Lowered<Option<Type>> {
        if self.unit.is_alignment(e.span) {
            return Ok(None);
        }
        match &e.node {
            Expression::SizeOfTy(s) => {
                self.unevaluated(|l| l.named_type(&s.node.0, Lengths::Prototype)).map(|t| Some(t.ty))
            }
            Expression::SizeOfVal(s) => self.type_of(&s.node.0).map(|t| Some(t.ty)),
            _ => Ok(None),
        }
    }

    /// The number of whole elements in a number of bytes, if that is written as a multiple of the
    /// element's size (or is a constant multiple). The expression is evaluated only in that case.
    pub(super) fn whole_elements(&mut self, bytes: &Node<Expression>, element: &Type) -> Lowered<Option<Expr>> {
        let at = self.at(bytes.span);
        let kind = self.model().difference_type();
        let size = self.size_of(element).filter(|s| *s > 0);
        if let (Some(n), Some(size)) = (self.try_constant(bytes)?, size) {
            let n = kind.wrap(n, self.model());
            return Ok((n % i128::from(size) == 0).then(|| Expr::int(n / i128::from(size), kind, at)));
        }
        if size == Some(1) {
            let value = self.rvalue(bytes)?;
            return self.convert(value, &Type::Int(kind), bytes.span).map(Some);
        }
        if let Some(Type::Array(e, Length::Variable(v))) = self.measured_type(bytes)?
            && *e == *element
        {
            return Ok(Some(Expr::load(Lvalue::var(&self.program, v, at))));
        }
        let all = products(bytes);
        for (n, (_, factor)) in all.iter().enumerate() {
            let same = match (size, is_sizeof(factor)) {
                (Some(size), _) => self.try_constant(factor)? == Some(i128::from(size)),
                (None, true) => self.measured_type(factor)?.as_ref() == Some(element),
                (None, false) => false,
            };
            if same {
                let before = n.checked_sub(1).map(|m| all[m].0);
                let after: Vec<_> = all[n + 1..].iter().map(|p| p.1).collect();
                return self.multiple(before, all[n], &after, size.unwrap_or(1));
            }
        }
        Ok(None)
    }

    /// `before * unit * after ...` as a multiple of the unit (a size in bytes), as C multiplies:
    /// from left to right, each product in the type of its operands. `None`, with nothing
    /// evaluated, if a product may wrap around in a type that is narrower than `size_t`, or is
    /// computed in a wider type.
    fn multiple(
        &mut self,
        before: Option<&Node<Expression>>,
        (product, unit): (&Node<Expression>, &Node<Expression>),
        after: &[&Node<Expression>],
        size: u64,
    ) -> Lowered<Option<Expr>> {
        let (span, at, model) = (product.span, self.at(product.span), self.model());
        let (kind, size_type) = (model.difference_type(), model.size_type());
        let Type::Int(computed) = self.type_of(product)?.ty else { return Ok(None) };
        let others: Vec<&Node<Expression>> = before.into_iter().chain(after.iter().copied()).collect();
        if others.is_empty() {
            return Ok(Some(Expr::int(1, kind, at)));
        }
        // The type of the whole product.
        let mut whole = Type::Int(computed);
        for one in after {
            let factor = self.type_of(one)?.ty;
            let Some(common) = self.common_type(&whole, &factor) else { return Ok(None) };
            whole = common;
        }
        let Type::Int(whole) = whole else { return Ok(None) };
        if let ([other], true) = (&others[..], whole.is_signed() && whole.width(model) <= size_type.width(model)) {
            // If the product does not overflow, it has its mathematical value.
            let value = self.count_of(other)?;
            let value = self.settle(value);
            let ty = Type::Int(whole);
            let (a, b) = (self.convert(value.clone(), &ty, span)?, self.rvalue(unit)?);
            let b = self.convert(b, &ty, span)?;
            let bytes = self.arithmetic(BinaryOp::Mul, a, b, ty);
            self.dropped(bytes);
            return self.convert(value, &Type::Int(kind), span).map(Some);
        }
        if whole.is_signed() || whole.width(model) != size_type.width(model) {
            return Ok(None);
        }
        if let [other] = others[..] {
            let value = self.count_of(other)?;
            let value = self.exclude_wrapping(value, size);
            return self.convert(value, &Type::Int(kind), other.span).map(Some);
        }
        let ty = Type::Int(size_type);
        let mut count: Option<Expr> = None;
        for other in others {
            let value = self.count_of(other)?;
            let value = self.convert(value, &ty, other.span)?;
            count = Some(match count {
                None => value,
                Some(c) => self.arithmetic(BinaryOp::Mul, c, value, ty.clone()),
            });
        }
        let count = count.unwrap_or_else(|| Expr::int(1, size_type, at));
        let count = self.exclude_wrapping(count, size);
        self.convert(count, &Type::Int(kind), span).map(Some)
    }

    /// A factor of a number of bytes.
    fn count_of(&mut self, factor: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(factor)?;
        match value.ty {
            Type::Int(_) => Ok(value),
            _ => self.wrong(factor.span, "a size in bytes has to be an integer"),
        }
    }

    /// Excludes runs in which a number is larger than `most`.
    fn assume_at_most(&mut self, value: &Expr, most: Expr) {
        let at = value.location;
        let holds = self.arithmetic(BinaryOp::LessEqual, value.clone(), most, Type::INT);
        if holds.as_int() != Some(1) {
            self.emit(StmtKind::Assume(holds), at);
        }
    }

    /// Marks a place that no considered run reaches.
    fn never(&mut self, at: Location) {
        self.emit(StmtKind::Assume(Expr::int(0, IntKind::Int, at)), at);
    }

    /// The most elements of the type that an object has: no object has more bytes than the greatest
    /// pointer difference.
    pub(super) fn most_elements(&self, element: &Type) -> i128 {
        let most = self.model().difference_type().max(self.model());
        most / i128::from(self.size_of(element).unwrap_or(1).max(1))
    }

    /// Limits a count to possible ones. A larger allocation fails, which is assumed not to happen.
    fn possible_count(&mut self, count: Expr, element: &Type) -> Expr {
        let (model, most) = (self.model(), self.most_elements(element));
        let ExprKind::Cast(value) = count.kind else { return count };
        let Some(from) = value.ty.as_int().filter(|from| !from.is_signed() && IntKind::max(*from, model) > most) else {
            return Expr { kind: ExprKind::Cast(value), ..count };
        };
        let value = self.variable_or_constant(*value);
        self.assume_at_most(&value, Expr::int(most, from, count.location));
        Expr { kind: ExprKind::Cast(Box::new(value)), ..count }
    }

    /// A value that is a constant or a variable.
    fn variable_or_constant(&mut self, value: Expr) -> Expr {
        let value = self.settle_now(value);
        match &value.kind {
            ExprKind::Load(l) if l.as_var().is_some() => value,
            _ => self.settle(value),
        }
    }

    /// Assumes that the number of elements times their size does not wrap around: no block has a
    /// size in bytes that is out of the range of `size_t`. Returns the number of elements.
    fn exclude_wrapping(&mut self, value: Expr, size: u64) -> Expr {
        let (Some(from), model) = (value.ty.as_int(), self.model()) else { return value };
        let most = model.size_type().max(model) / i128::from(size.max(1));
        if value.as_int().is_some() || from.max(model) <= most {
            return value;
        }
        let value = self.variable_or_constant(value);
        self.assume_at_most(&value, Expr::int(most, from, value.location));
        self.assume_that("computed sizes in bytes do not wrap around");
        value
    }

    /// The number of bytes divided by the element's size.
    fn quotient(&mut self, bytes: &Node<Expression>, element: &Type) -> Lowered<Expr> {
        let ty = self.size_type();
        let value = self.rvalue(bytes)?;
        let value = self.convert(value, &ty, bytes.span)?;
        let size = self.size_expr(element, bytes.span)?;
        let size = if size.as_int() == Some(0) { Expr::int(1, self.model().size_type(), size.location) } else { size };
        let count = self.in_units(value, size, ty);
        self.convert(count, &self.difference_type(), bytes.span)
    }

    /// A number of bytes divided by a size; the source has no such division. (See
    /// [`crate::program::Check::is_reported`].)
    pub(super) fn in_units(&self, bytes: Expr, size: Expr, ty: Type) -> Expr {
        let location = bytes.location;
        self.arithmetic(BinaryOp::Div, bytes, Expr { location, ..size }, ty)
    }

    /// `calloc(number, size)` in elements.
    fn product_count(
        &mut self,
        number: &Node<Expression>,
        size: &Node<Expression>,
        element: &Type,
        span: Span,
    ) -> Lowered<Expr> {
        let difference = self.difference_type();
        for (factor, other) in [(size, number), (number, size)] {
            // One factor is a multiple of the element's size.
            let multiple = match self.try_constant(factor)? {
                Some(n) if n >= 0 => {
                    self.size_of(element).filter(|s| *s > 0 && n % i128::from(*s) == 0).map(|s| n / i128::from(s))
                }
                _ => None,
            };
            if let Some(multiple) = multiple {
                let value = self.rvalue(other)?;
                if multiple == 1 {
                    return self.convert(value, &difference, other.span);
                }
                let (kind, ty) = (self.model().size_type(), self.size_type());
                let most = kind.max(self.model()) / multiple.max(1);
                let multiple = Expr::int(kind.wrap(multiple, self.model()), kind, value.location);
                let value = self.convert(value, &ty, other.span)?;
                let value = self.settle_now(value);
                self.assume_at_most(&value, Expr::int(most, kind, value.location));
                let count = self.arithmetic(BinaryOp::Mul, value, multiple, ty);
                return self.convert(count, &difference, other.span);
            }
        }
        let ty = self.size_type();
        let number = self.rvalue(number)?;
        let number = self.convert(number, &ty, span)?;
        let size = self.rvalue(size)?;
        let size = self.convert(size, &ty, span)?;
        let (number, size) = (self.settle_now(number), self.settle_now(size));
        // If the second number is 0, so is the product.
        let kind = self.model().size_type();
        let all = Expr::int(kind.max(self.model()), kind, size.location);
        let zero = Expr::int(0, kind, size.location);
        let none = self.arithmetic(BinaryOp::Equal, size.clone(), zero, Type::INT);
        let most = self.arithmetic(BinaryOp::Div, all.clone(), size.clone(), ty.clone());
        let most = match none.as_int() {
            Some(0) => most,
            Some(_) => all,
            None => Expr::new(
                ExprKind::Conditional(Box::new(none), Box::new(all), Box::new(most)),
                ty.clone(),
                size.location,
            ),
        };
        self.assume_at_most(&number, most);
        let bytes = self.arithmetic(BinaryOp::Mul, number, size, ty.clone());
        let one = self.size_expr(element, span)?;
        let count = if one.as_int() == Some(0) { bytes } else { self.in_units(bytes, one, ty) };
        self.convert(count, &difference, span)
    }
}

fn is_sizeof(e: &Node<Expression>) -> bool {
    matches!(e.node, Expression::SizeOfTy(_) | Expression::SizeOfVal(_))
}

/// The factors of a product, from left to right, each with the product that ends with it.
fn products(e: &Node<Expression>) -> Vec<(&Node<Expression>, &Node<Expression>)> {
    let mut found = Vec::new();
    let mut rest = e;
    while let Expression::BinaryOperator(b) = &rest.node
        && b.node.operator.node == BinaryOperator::Multiply
    {
        found.push((rest, &*b.node.rhs));
        rest = &b.node.lhs;
    }
    found.push((rest, rest));
    found.reverse();
    found
}

fn factors(e: &Node<Expression>) -> impl Iterator<Item = &Node<Expression>> {
    products(e).into_iter().map(|(_, factor)| factor)
}
