//! What a condition on an element of a table says of the index.
//!
//! In `if (kinds[c] & DIGIT) n = c - '0';` the values of the elements that are digits lie apart,
//! but their indexes are an interval. So each value of the index is tried.

use super::engine::Values;
use super::number::Number;
use super::objects::Origin;
use super::state::State;
use super::stop::{Evaluated, Stop, if_reached};
use super::value::Value;
use crate::program::{Expr, ExprKind, Lvalue, Part, Type, Use, each_part_of_expr, each_part_of_lvalue};

/// The most values of an index that are tried.
const MOST: u128 = 400;

impl<'p> Values<'p> {
    /// What is known where a condition holds, or does not, that looks up an element of a constant
    /// array by a variable. The state says what is known there otherwise.
    ///
    /// **Sound**: the first and the last value move inwards as long as the condition does not come
    /// out so for the value.
    pub(super) fn looked_up(&mut self, state: State, c: &'p Expr, holds: bool) -> Evaluated<State> {
        let Some((l, index)) = lookup(c) else { return Ok(state) };
        let n = self.number(&state, index)?;
        if !(2..=MOST).contains(&n.count()) || !self.is_table(&state, l)? {
            return Ok(state);
        }
        let mut may_be = |n: i128| -> Evaluated<bool> {
            let with = self.refine(&state, index, &Value::Number(Number::constant(n)));
            let truth = if_reached(with.and_then(|with| self.truth(&with, c)))?;
            Ok(truth.is_some_and(|truth| truth != Some(!holds)))
        };
        let all: Vec<i128> = n.each().collect();
        let mut ends = [None, None];
        for (end, numbers) in [(0, all.clone()), (1, all.into_iter().rev().collect())] {
            for n in numbers {
                if may_be(n)? {
                    ends[end] = Some(n);
                    break;
                }
            }
        }
        let [Some(first), Some(last)] = ends else { return Err(Stop::Unreached) };
        let left = n.clamp(Some(first), Some(last)).ok_or(Stop::Unreached)?;
        self.refine(&state, index, &Value::Number(left))
    }

    /// Whether an lvalue lies in arrays that do not change.
    fn is_table(&mut self, state: &State, l: &'p Lvalue) -> Evaluated<bool> {
        let places = self.places(state, l, false)?;
        let is_constant = |v| self.program.is_literal(v) || self.program.variable(v).constant;
        let mut known = places.known.iter();
        Ok(!places.wild
            && known
                .all(|target| matches!(self.objects.origin(target.object), Origin::Variable(v, _) if is_constant(v))))
    }
}

/// An element that an expression reads, and the variable that is its index, or part of it.
fn lookup(c: &Expr) -> Option<(&Lvalue, &Expr)> {
    let mut found = None;
    each_part_of_expr(c, &mut |part| {
        let Part::Lvalue(l, Use::Read) = part else { return };
        if l.as_var().is_none() && found.is_none() {
            each_part_of_lvalue(l, Use::Read, &mut |part| {
                if let Part::Expr(e @ Expr { kind: ExprKind::Load(index), ty: Type::Int(_), .. }) = part
                    && index.as_var().is_some()
                {
                    found = found.or(Some((l, e)));
                }
            });
        }
    });
    found
}
