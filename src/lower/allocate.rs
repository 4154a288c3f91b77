//! `malloc` and its relatives. C counts bytes, the program counts elements: their type comes from the pointer that the
//! result is converted to, or from a `sizeof` in the argument.

use super::builtins::Use;
use super::context::{Lowered, Lowerer};
use super::declarators::Lengths;
use crate::program::{BinaryOp, Expr, IntKind, Length, Lvalue, StmtKind, Type};
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
    pub(super) fn allocation(
        &mut self,
        allocator: Allocator,
        call: &Node<CallExpression>,
        usage: Use<'_>,
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
        before.iter().try_for_each(|e| self.effects(e))?;
        let element = self.element(usage.wanted, bytes)?;
        let count = if allocator == Allocator::Zeroed {
            self.product_count(&list[0], &list[1], &element, call.span)?
        } else {
            match self.whole_elements(bytes, &element)? {
                Some(count) => count,
                None => self.quotient(bytes, &element)?,
            }
        };
        self.program.assume_that("memory allocation never fails, and its size does not wrap around");
        let pointer = element.clone().pointer_to();
        let direct = usage.target.filter(|t| t.ty == pointer);
        let target = match direct {
            Some(target) => target.clone(),
            None => self.temporary(pointer, at),
        };
        let zeroed = allocator == Allocator::Zeroed;
        self.emit(StmtKind::Allocate { target: target.clone(), element, count, zeroed }, at);
        if allocator == Allocator::Again {
            // The block holds what the old one held: nobody keeps track of that.
            self.emit(StmtKind::HavocReachable(vec![Expr::load(target.clone())]), at);
        }
        Ok(if direct.is_some() { super::expressions::void(at) } else { Expr::load(target) })
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
        Ok(measured.filter(|t| self.is_complete(t)).unwrap_or(Type::Int(IntKind::Char)))
    }

    /// The type whose size a `sizeof` takes.
    pub(super) fn measured_type(&mut self, e: &Node<Expression>) -> Lowered<Option<Type>> {
        match &e.node {
            Expression::SizeOfTy(s) => {
                self.unevaluated(|l| l.named_type(&s.node.0, Lengths::Prototype)).map(|t| Some(t.ty))
            }
            Expression::SizeOfVal(s) => self.type_of(&s.node.0).map(|t| Some(t.ty)),
            _ => Ok(None),
        }
    }

    /// How many whole elements a number of bytes is, where it is written as a multiple of the element's size (or is a
    /// constant one). The expression is evaluated then, and not otherwise.
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

    /// `before * unit * after ...` as a multiple of the unit (a size of so many bytes), as C multiplies: from left to right, each product in the type
    /// of its operands. `None`, with nothing evaluated, where a product may wrap around in a type that is narrower than `size_t`, or is
    /// computed in one that is wider.
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
            // Where the product does not overflow it is what it says.
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
            let from = value.ty.clone();
            let value = self.convert(value, &Type::Int(kind), other.span)?;
            self.exclude_wrapping(&from, &value, size, other.span);
            return Ok(Some(value));
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
        let count = self.convert(count, &Type::Int(kind), span)?;
        self.exclude_wrapping(&ty, &count, size, span);
        Ok(Some(count))
    }

    /// A factor of a number of bytes.
    fn count_of(&mut self, factor: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(factor)?;
        match value.ty {
            Type::Int(_) => Ok(value),
            _ => self.wrong(factor.span, "a number of bytes has to be an integer"),
        }
    }

    /// No block has a size in bytes that is out of the range of `size_t`; but the product would wrap around.
    fn exclude_wrapping(&mut self, from: &Type, count: &Expr, size: u64, span: Span) {
        let (Some(from), model) = (from.as_int(), self.model()) else { return };
        let most = model.size_type().max(model) / i128::from(size.max(1));
        if count.as_int().is_some() || from.max(model) <= most {
            return;
        }
        let at = self.at(span);
        let kind = model.difference_type();
        let most = Expr::int(most.min(kind.max(model)), kind, at);
        let fits = self.arithmetic(BinaryOp::LessEqual, count.clone(), most, Type::INT);
        self.emit(StmtKind::Assume(fits), at);
        if size > 1 && from.max(model) > kind.max(model) {
            // A count that is negative as a difference is half of the range or more: twice that much wraps around.
            let zero = Expr::int(0, kind, at);
            let counts = self.arithmetic(BinaryOp::LessEqual, zero, count.clone(), Type::INT);
            self.emit(StmtKind::Assume(counts), at);
        }
        self.program.assume_that("numbers of bytes do not wrap around");
    }

    /// The number of bytes divided by the element's size.
    fn quotient(&mut self, bytes: &Node<Expression>, element: &Type) -> Lowered<Expr> {
        let ty = self.size_type();
        let value = self.rvalue(bytes)?;
        let value = self.convert(value, &ty, bytes.span)?;
        let size = self.size_expr(element, bytes.span)?;
        let size = if size.as_int() == Some(0) { Expr::int(1, self.model().size_type(), size.location) } else { size };
        let count = self.arithmetic(BinaryOp::Div, value, size, ty);
        self.convert(count, &self.difference_type(), bytes.span)
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
                let multiple = Expr::int(kind.wrap(multiple, self.model()), kind, value.location);
                let value = self.convert(value, &ty, other.span)?;
                let count = self.arithmetic(BinaryOp::Mul, value, multiple, ty);
                return self.convert(count, &difference, other.span);
            }
        }
        let ty = self.size_type();
        let number = self.rvalue(number)?;
        let number = self.convert(number, &ty, span)?;
        let size = self.rvalue(size)?;
        let size = self.convert(size, &ty, span)?;
        let bytes = self.arithmetic(BinaryOp::Mul, number, size, ty.clone());
        let one = self.size_expr(element, span)?;
        let count = if one.as_int() == Some(0) { bytes } else { self.arithmetic(BinaryOp::Div, bytes, one, ty) };
        self.convert(count, &difference, span)
    }
}

fn is_sizeof(e: &Node<Expression>) -> bool {
    matches!(e.node, Expression::SizeOfTy(_) | Expression::SizeOfVal(_))
}

/// The factors of a product, from left to right, each with the product up to it.
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
