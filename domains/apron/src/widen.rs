//! Widening, domain by domain, on values over the same dimensions. Thresholds stop every one of
//! them.
//!
//! `prev` is never changed and never closed: a chain whose left sides are closed in between need
//! not end (Miné, HOSC 2006, section 4.4).

use crate::convert::{Row, next_double};
use crate::value::{Bounds, Value};
use smalti_core::Thresholds;
use std::rc::Rc;

/// Widening of boxes: a bound that moved goes to the next threshold or is given up.
pub(crate) fn boxes(
    prev: &Value,
    next: &Value,
    dims: usize,
    top: Rc<Value>,
    thresholds: &Thresholds,
) -> Option<Rc<Value>> {
    let mut rows = Vec::new();
    for k in 0..dims {
        let (old, new) = (prev.bounds(&Row::unary(k, 1, 0))?, next.bounds(&Row::unary(k, 1, 0))?);
        // Rounded outwards, although bounds are integers, so that no more is needed for the result
        // to include `next`.
        let low = |b: Bounds| b.lo.map(|b| b.floor);
        let high = |b: Bounds| b.hi.map(|b| b.ceil);
        let lo = match (low(old), low(new)) {
            (Some(a), Some(b)) if a <= b => Some(a),
            (Some(_), Some(b)) => thresholds.at_most(b),
            _ => None,
        };
        let hi = match (high(old), high(new)) {
            (Some(a), Some(b)) if a >= b => Some(a),
            (Some(_), Some(b)) => thresholds.at_least(b),
            _ => None,
        };
        rows.extend(lo.and_then(i128::checked_neg).map(|c| (Row::unary(k, 1, c), false)));
        rows.extend(hi.map(|c| (Row::unary(k, -1, c), false)));
    }
    top.meet_rows(&rows)
}

/// Widening of polyhedra, up to the nearest thresholds around the values of each variable.
pub(crate) fn polyhedra(prev: &Rc<Value>, next: &Rc<Value>, dims: usize, thresholds: &Thresholds) -> Option<Rc<Value>> {
    // APRON's widening needs `prev <= next`, which rounding and projection may have disturbed.
    let next = if prev.leq(next) { Rc::clone(next) } else { Rc::clone(prev).join(next)? };
    let mut rows = Vec::new();
    for k in 0..dims {
        let Bounds { lo, hi } = next.bounds(&Row::unary(k, 1, 0))?;
        let low = lo.and_then(|b| thresholds.at_most(b.floor)).and_then(i128::checked_neg);
        rows.extend(low.map(|c| (Row::unary(k, 1, c), false)));
        rows.extend(hi.and_then(|b| thresholds.at_least(b.ceil)).map(|c| (Row::unary(k, -1, c), false)));
    }
    // `next` satisfies the rows, so the result still includes it. (APRON's own widening with
    // thresholds meets a polyhedron that may have outgrown its limit, and crashes.)
    prev.widen(&next)?.meet_rows(&rows)
}

/// Widening of octagons. Entries of the matrix are upper bounds of sums and differences, so a lower
/// bound `t` is an entry `-t`; the entries of one variable alone bound twice the variable.
pub(crate) fn octagons(prev: &Value, next: &Value, thresholds: &Thresholds) -> Option<Rc<Value>> {
    let entries = |t: &i128| [Some(*t), t.checked_neg(), t.checked_mul(2), t.checked_mul(-2)];
    let entries = thresholds.values().iter().flat_map(entries).flatten();
    // Also over rationals, so that both kinds of octagons stop at the same numbers.
    let mut entries: Vec<i128> = entries.filter_map(next_double).collect();
    entries.sort_unstable();
    entries.dedup();
    if entries.is_empty() { prev.widen(next) } else { prev.widen_octagon(next, &entries) }
}
