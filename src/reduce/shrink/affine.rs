//! Indices as linear expressions over mathematical integers.

use crate::program::{BinaryOp, DataModel, Expr, ExprKind, IntKind, Type, UnaryOp, VarId};
use std::collections::BTreeMap;

/// A constant plus multiples of variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Affine {
    pub(super) constant: i128,
    /// No coefficient is 0.
    pub(super) terms: BTreeMap<VarId, i128>,
}

impl Affine {
    pub(super) fn constant(constant: i128) -> Affine {
        Affine { constant, terms: BTreeMap::new() }
    }

    pub(super) fn variable(v: VarId) -> Affine {
        Affine { constant: 0, terms: BTreeMap::from([(v, 1)]) }
    }

    pub(super) fn plus(&self, other: &Affine, times: i128) -> Option<Affine> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (v, c) in &other.terms {
            let term = sum.terms.entry(*v).or_insert(0);
            *term = term.checked_add(c.checked_mul(times)?)?;
        }
        sum.terms.retain(|_, c| *c != 0);
        Some(sum)
    }

    fn times(&self, factor: i128) -> Option<Affine> {
        Affine::default().plus(self, factor)
    }

    /// Substitutes another expression for a variable.
    pub(super) fn with(&self, v: VarId, by: &Affine) -> Option<Affine> {
        let Some(&factor) = self.terms.get(&v) else { return Some(self.clone()) };
        let mut rest = self.clone();
        rest.terms.remove(&v);
        rest.plus(by, factor)
    }

    /// Returns the coefficient of a variable, and the rest.
    pub(super) fn split(&self, v: VarId) -> (i128, Affine) {
        let mut rest = self.clone();
        let factor = rest.terms.remove(&v).unwrap_or(0);
        (factor, rest)
    }

    /// Reads the expression as linear, if it is so wherever it is defined: signed operations do not
    /// wrap around, conversions keep the value.
    pub(super) fn of(e: &Expr, model: DataModel) -> Option<Affine> {
        let kind = e.ty.as_int()?;
        match &e.kind {
            ExprKind::Int(n) => Some(Affine::constant(*n)),
            ExprKind::Load(l) => l.as_var().map(Affine::variable),
            ExprKind::Cast(a) => {
                let from = a.ty.as_int()?;
                let keeps = from != IntKind::Bool && kind.holds(from, model);
                let is_small = a.as_int().is_some_and(|n| kind.contains(n, model));
                (keeps || is_small).then(|| Affine::of(a, model)).flatten()
            }
            _ if !kind.is_signed() => None,
            ExprKind::Unary(UnaryOp::Negate, a) => Affine::of(a, model)?.times(-1),
            ExprKind::Binary(BinaryOp::Add, a, b) => Affine::of(a, model)?.plus(&Affine::of(b, model)?, 1),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Affine::of(a, model)?.plus(&Affine::of(b, model)?, -1),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (Affine::of(a, model)?, Affine::of(b, model)?);
                if a.terms.is_empty() {
                    b.times(a.constant)
                } else if b.terms.is_empty() {
                    a.times(b.constant)
                } else {
                    None
                }
            }
            _ => None,
        }
    }
}

/// The type that positions and iteration numbers have.
pub(super) const WIDE: Type = Type::Int(IntKind::LongLong);
