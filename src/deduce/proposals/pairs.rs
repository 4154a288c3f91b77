//! Proposals about two elements of an array: every element of one stretch beside every element of
//! another, or beside the later ones of the same.
//!
//! They come from claims about all pairs, and from claims that compare each element with the next
//! one. For the order of all pairs is what holds of parts of an array, and the order of neighbours
//! follows from it, but not without induction the other way round.

use super::finder::Finder;
use crate::program::{BinaryOp, BoundId, ForAll, Formula, Root, Term, TermLvalue, TermOp, TermStep, VarId};

/// The variable of the inner quantifier.
const INNER: BoundId = BoundId(u32::MAX - 1);

impl Finder<'_> {
    /// The proposals from a claim about all elements of a range.
    pub(super) fn of_pairs(&self, form: &Formula, put: &mut impl FnMut(Formula)) {
        let Formula::ForAll(outer) = form else { return };
        let both = match &outer.body {
            Formula::ForAll(inner) => Some(((**outer).clone(), (**inner).clone())),
            _ => of_neighbours(outer),
        };
        let Some((outer, inner)) = both else { return };
        let of = |from: &Term, to: &Term, low: &Term, high: &Term| {
            let inner = ForAll { low: low.clone(), high: high.clone(), ..inner.clone() };
            let body = Formula::ForAll(Box::new(inner));
            Formula::ForAll(Box::new(ForAll { low: from.clone(), high: to.clone(), body, ..outer.clone() }))
        };
        // An element beside itself says nothing.
        let later = match &inner.low {
            Term::Bound(id) if *id == outer.bound => inner.low.clone().plus(1),
            low => low.clone(),
        };
        let with = |t: &Term| {
            let mut all: Vec<Term> = self.ends.clone();
            if !all.iter().any(|other| other.is_same(t)) {
                all.push(t.clone());
            }
            all
        };
        let (starts, stops) = (with(&outer.low), with(&inner.high));
        for from in &starts {
            for to in stops.iter().filter(|to| !to.is_same(from) && self.moves(from, to)) {
                put(of(from, to, &later, to));
            }
        }
        for from in starts.iter().filter(|from| from.as_int() != Some(1)) {
            for middle in self.ends.iter().filter(|end| !end.is_same(from)) {
                for next in [middle.clone(), middle.clone().plus(1)] {
                    for stop in stops.iter().filter(|stop| !stop.is_same(&next) && !stop.is_same(middle)) {
                        if self.moves(middle, middle) || self.moves(from, stop) {
                            put(of(from, middle, &next, stop));
                        }
                    }
                }
            }
        }
    }
}

/// The order of all pairs, for a claim that says that of neighbours: both quantifiers, of which the
/// first contains the second.
fn of_neighbours(q: &ForAll) -> Option<(ForAll, ForAll)> {
    let mut body = &q.body;
    while let Formula::Implies(_, then) = body {
        body = then;
    }
    let Formula::Compare(op, Term::Read(a), Term::Read(b)) = body else { return None };
    let is_order = matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual);
    let ((first, m), (second, n)) = (index_of(a, q.bound)?, index_of(b, q.bound)?);
    if !is_order || first != second || (m - n).abs() != 1 {
        return None;
    }
    let at = |place: &TermLvalue, bound| {
        let place = TermLvalue { steps: vec![TermStep::Index(Term::Bound(bound))], ..place.clone() };
        Term::Read(Box::new(place))
    };
    let (x, y) = if m < n { (q.bound, INNER) } else { (INNER, q.bound) };
    let compared = Formula::Compare(*op, at(a, x), at(b, y));
    let (low, high) = (q.low.clone().plus(m.min(n)), q.high.clone().plus(m.max(n)));
    let name = format!("{}_", q.name);
    let inner = ForAll { bound: INNER, name, low: Term::Bound(q.bound).plus(1), high: high.clone(), body: compared };
    let outer = ForAll { low, high, body: Formula::ForAll(Box::new(inner.clone())), ..q.clone() };
    Some((outer, inner))
}

/// The array of an element whose index is a quantified variable plus a number, and that number.
fn index_of(place: &TermLvalue, bound: BoundId) -> Option<(VarId, i128)> {
    let Root::Variable(array) = &place.root else { return None };
    let [TermStep::Index(index)] = &place.steps[..] else { return None };
    let is_bound = |t: &Term| matches!(t, Term::Bound(id) if *id == bound);
    let offset = match index {
        t if is_bound(t) => 0,
        Term::Binary(TermOp::Add, a, b) if is_bound(a) => b.as_int()?,
        Term::Binary(TermOp::Sub, a, b) if is_bound(a) => -b.as_int()?,
        _ => return None,
    };
    Some((array.as_var()?, offset))
}
