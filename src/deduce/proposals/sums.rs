//! One form for each sum, so that the same proposal is made once: `n - 1 - i + 1` is `n - i`.

use super::finder::Finder;
use crate::program::affine::Affine;
use crate::program::{BinaryOp, Formula, Root, Term, TermOp};

impl Finder<'_> {
    /// A sum of constants and multiples of variables in its one form: the variables that are added,
    /// those that are subtracted, and the constant. Other terms are returned as they are.
    pub(super) fn in_one_form(&self, t: Term) -> Term {
        let Some(sum) = sum(&t) else { return t };
        let (added, subtracted): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|(_, times)| **times > 0);
        if sum.terms.values().any(|times| times.abs() != 1) || added.is_empty() && !subtracted.is_empty() {
            return t;
        }
        let plus = |a: Option<Term>, b: Term| match a {
            Some(a) => Some(Term::binary(TermOp::Add, a, b)),
            None => Some(b),
        };
        let positive = added.into_iter().map(|(v, _)| self.variable(*v)).fold(None, plus);
        let Some(positive) = positive else { return Term::Int(sum.constant) };
        let minus = |a, (v, _): (&_, &i128)| Term::binary(TermOp::Sub, a, self.variable(*v));
        subtracted.into_iter().fold(positive, minus).plus(sum.constant)
    }

    /// A comparison of sums with `<=`, `==` or `!=`, and each side in its one form. `None` if it
    /// says nothing about the variables.
    pub(super) fn compared(&self, op: BinaryOp, a: Term, b: Term) -> Option<Formula> {
        let (op, a, b) = match op {
            BinaryOp::Greater | BinaryOp::GreaterEqual => (op.exchanged()?, b, a),
            op => (op, a, b),
        };
        let (Some(left), Some(right)) = (sum(&a), sum(&b)) else { return Some(Formula::Compare(op, a, b)) };
        if left.plus(&right, -1).is_none_or(|difference| difference.as_constant().is_some()) {
            return None;
        }
        Some(match op {
            BinaryOp::Less => Formula::at_most(self.in_one_form(a), self.in_one_form(b.plus(-1))),
            op => Formula::Compare(op, self.in_one_form(a), self.in_one_form(b)),
        })
    }
}

/// A term as a constant and multiples of variables, if it is such a sum.
pub(super) fn sum(t: &Term) -> Option<Affine> {
    match t {
        Term::Int(n) => Some(Affine::constant(*n)),
        Term::Read(place) => match &place.root {
            Root::Variable(l) if place.steps.is_empty() => l.as_var().map(Affine::atom),
            _ => None,
        },
        Term::Negate(a) => sum(a)?.times(-1),
        Term::Binary(TermOp::Add, a, b) => sum(a)?.plus(&sum(b)?, 1),
        Term::Binary(TermOp::Sub, a, b) => sum(a)?.plus(&sum(b)?, -1),
        _ => None,
    }
}
