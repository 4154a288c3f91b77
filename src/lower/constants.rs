//! Constant expressions, which C needs at compile time.

use super::context::{Lowered, Lowerer};
use crate::program::{Expr, ExprKind, FloatKind, Type};
use lang_c::ast::{Expression, StaticAssert};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// The value of an integer constant expression.
    pub(super) fn integer_constant(&mut self, expr: &Node<Expression>) -> Lowered<i128> {
        match self.try_constant(expr)? {
            Some(value) => Ok(value),
            None => self.wrong(expr.span, "this has to be an integer constant"),
        }
    }

    /// The value, if the expression is an integer constant expression.
    pub(super) fn try_constant(&mut self, expr: &Node<Expression>) -> Lowered<Option<i128>> {
        if let Expression::Constant(c) = &expr.node {
            return Ok(self.constant_expr(c)?.as_int());
        }
        let value = self.unevaluated(|l| {
            let (value, effects) = l.collecting(|l| l.rvalue(expr))?;
            Ok(effects.is_empty().then_some(value))
        })?;
        Ok(value.and_then(|v| self.fold(&v)))
    }

    /// The value of an expression that consists of constants.
    pub(super) fn fold(&self, expr: &Expr) -> Option<i128> {
        let kind = expr.ty.as_int()?;
        match &expr.kind {
            ExprKind::Int(n) => Some(*n),
            ExprKind::Unary(op, a) => {
                let a = Expr::int(self.fold(a)?, a.ty.as_int()?, a.location);
                self.unary(*op, a, expr.ty.clone(), expr.location).as_int()
            }
            ExprKind::Binary(op, a, b) => {
                op.of_constants(self.fold(a)?, self.fold(b)?, a.ty.as_int()?, kind, self.model())
            }
            ExprKind::Cast(a) => match a.ty {
                Type::Float(_) => self.fold_float(a).map(|n| kind.wrap(n, self.model())),
                _ => Some(kind.wrap(self.fold(a)?, self.model())),
            },
            ExprKind::And(a, b) => match self.fold(a)? {
                0 => Some(0),
                _ => self.fold(b).map(|b| i128::from(b != 0)),
            },
            ExprKind::Or(a, b) => match self.fold(a)? {
                0 => self.fold(b).map(|b| i128::from(b != 0)),
                _ => Some(1),
            },
            ExprKind::Conditional(c, a, b) => self.fold(if self.fold(c)? != 0 { a } else { b }),
            ExprKind::Float(_) | ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => None,
        }
    }

    /// A floating constant cut to an integer (`(int)1.5` is an integer constant expression).
    fn fold_float(&self, expr: &Expr) -> Option<i128> {
        let ExprKind::Float(text) = &expr.kind else { return None };
        let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
        let value: f64 = match expr.ty {
            Type::Float(FloatKind::Float) => digits.parse::<f32>().ok()?.into(),
            Type::Float(FloatKind::Double) => digits.parse().ok()?,
            // Rounding such a short number does not move it across an integer with fewer bits.
            _ if digits.len() <= 15 => digits.parse().ok()?,
            _ => return None,
        };
        (value.abs() < 1e15).then_some(value as i128)
    }

    pub(super) fn static_assert(&mut self, assertion: &Node<StaticAssert>) -> Lowered<()> {
        let expr = &assertion.node.expression;
        if self.integer_constant(expr)? == 0 {
            return self.wrong(expr.span, format!("the static assertion fails: {}", self.unit.text(expr.span)));
        }
        Ok(())
    }
}
