//! What formulas say of pointers, as formulas about numbers, where it is known which array each
//! pointer leads into.
//!
//! Let `p` lead to element `i` of an array with `n` elements, and `q` to element `j` of an array.
//! Then `p + (0 .. k - 1)` is valid if `k <= 0`, or `0 <= i` and `i + k <= n`. If both arrays are
//! the same variable, the ranges are apart, one is in the other, or both begin at the same address
//! if the indexes say so. Elements of two variables are apart. Pointers to elements of two
//! variables are not equal; where it is not known that both are elements, this is left open,
//! because one may lead to the end of its array.

use crate::program::{BinaryOp, Formula, Length, Memory, Program, Range, Storage, Term, TermOp, Type, VarId};
use std::collections::HashMap;

/// How many elements the arrays have that were heap blocks, and variables that live to the end once
/// they have an address. (The array that stands for a block without elements has one.)
pub(crate) type Sizes = HashMap<VarId, Term>;

/// Where a pointer leads.
pub(crate) struct Spot {
    pub(crate) variable: VarId,
    /// The index of the element; 0 for a variable that is no array.
    pub(crate) index: Term,
}

/// The formula about numbers; `None` if there is none. `spot` finds where a pointer leads.
/// `is_kept` says that no memory is freed.
pub(crate) fn about_numbers(
    program: &Program,
    sizes: &Sizes,
    is_kept: bool,
    memory: &Memory,
    spot: impl Fn(&Range) -> Option<Spot>,
) -> Option<Formula> {
    let none = |r: &Range| Formula::at_most(r.count.clone(), Term::Int(0));
    let start = |r: &Range, s: &Spot| plus(s.index.clone(), r.first.clone());
    let end = |r: &Range, s: &Spot| plus(start(r, s), r.count.clone());
    match memory {
        Memory::Valid(r) => {
            let s = spot(r)?;
            let size = size(program, sizes, s.variable).filter(|_| is_kept)?;
            let inside = Formula::and(Formula::at_most(Term::Int(0), start(r, &s)), Formula::at_most(end(r, &s), size));
            Some(Formula::or(none(r), inside))
        }
        Memory::Separated(a, b) => {
            let (s, t) = (spot(a)?, spot(b)?);
            if s.variable != t.variable {
                return Some(Formula::Constant(true));
            }
            let same = a.pointer.ty.pointee() == b.pointer.ty.pointee();
            let apart =
                Formula::or(Formula::at_most(end(a, &s), start(b, &t)), Formula::at_most(end(b, &t), start(a, &s)));
            same.then(|| Formula::or(Formula::or(none(a), none(b)), apart))
        }
        Memory::Within(a, b) => {
            let (s, t) = (spot(a)?, spot(b)?);
            let same = s.variable == t.variable && a.pointer.ty.pointee() == b.pointer.ty.pointee();
            let inside =
                Formula::and(Formula::at_most(start(b, &t), start(a, &s)), Formula::at_most(end(a, &s), end(b, &t)));
            same.then(|| Formula::or(none(a), inside))
        }
        Memory::Equal(a, b) => {
            let (s, t) = (spot(a)?, spot(b)?);
            let is_cell = |r: &Range, s: &Spot| match (start(r, s), size(program, sizes, s.variable)) {
                (Term::Int(n), Some(Term::Int(size))) => (0..size).contains(&n),
                _ => false,
            };
            if s.variable != t.variable && is_cell(a, &s) && is_cell(b, &t) {
                return Some(Formula::Constant(false));
            }
            let same = s.variable == t.variable && a.pointer.ty.pointee() == b.pointer.ty.pointee();
            same.then(|| Formula::Compare(BinaryOp::Equal, start(a, &s), start(b, &t)))
        }
    }
}

/// How many elements a variable has, if it lives as long as the program and may be written.
fn size(program: &Program, sizes: &Sizes, v: VarId) -> Option<Term> {
    if let Some(size) = sizes.get(&v) {
        return Some(size.clone());
    }
    let variable = program.variable(v);
    if variable.storage != Storage::Global || variable.constant || program.is_literal(v) {
        return None;
    }
    match &variable.ty {
        Type::Array(_, Length::Constant(n)) => Some(Term::Int(i128::from(*n))),
        Type::Array(..) => None,
        _ => Some(Term::Int(1)),
    }
}

fn plus(a: Term, b: Term) -> Term {
    match (a, b) {
        (Term::Int(0), t) | (t, Term::Int(0)) => t,
        (a, b) => Term::binary(TermOp::Add, a, b),
    }
}
