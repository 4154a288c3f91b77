//! Replaces arrays of three and four dimensions by arrays of one.
//!
//! **Meaning.** A cell's indices are written as one number. Each index has bits of its own, as the
//! tuples of a nest's counters have (see [`super::grid`]). Indices in the array's bounds have no
//! more bits than that, so different cells have different numbers. An access with an index outside
//! becomes one at -1, which is outside too. A model checker that knows arrays as functions of one
//! index can then be asked about all of them.
//!
//! **Limits.** Runs in which a length has more bits are left out (see [`super::Form::bounded`]: the
//! residuals show that there are none). Arrays of which rows are named as a whole stay as they are.
//! So do those whose lengths are constants that have more bits, and all arrays if the difference of
//! pointers has 32 bits.

use super::super::effects::Effects;
#[cfg(any(test, feature = "mutants"))]
use super::super::mutants::{Mutant, mutated};
use super::super::terms;
use super::form::Form;
use super::lengths;
use crate::program::{
    Base, BinaryOp, Block, DataModel, Expr, IntKind, Lvalue, Part, Program, Step, Stmt, StmtKind, Storage, Type, Use,
    VarId, Variable, VisitMut, each_part, each_part_of_expr, each_stmt,
};
use std::collections::{BTreeMap, BTreeSet};

/// An array and the array that replaces it.
struct Flat {
    to: VarId,
    ty: Type,
    /// The lengths, the outermost first.
    lengths: Vec<Expr>,
    bits: u32,
}

/// The form with other variables in the place of arrays with three or four dimensions.
pub(super) fn flattened(form: &Form) -> Form {
    let mut form = form.clone();
    if form.program.data_model != DataModel::Lp64 {
        return form;
    }
    // Lengths are read before the loop.
    let later = [&form.body, &form.after, &form.clause, &form.closing];
    let later: BTreeSet<VarId> = later.into_iter().flat_map(|b| Effects::of(b).writes).collect();
    let mut arrays = BTreeMap::new();
    let mut first = Block::new();
    for v in named(&form) {
        let variable = form.program.variable(v).clone();
        let at = variable.location;
        let Some((lengths, element)) = dimensions(&form.program, &variable) else { continue };
        let bits = if lengths.len() == 3 { 20 } else { 15 };
        let largest = 1i128 << bits;
        let changes = |l: &Expr| !Effects::of_expr(l).reads.is_disjoint(&later);
        if lengths.iter().any(|l| changes(l) || l.as_int().is_some_and(|n| n > largest)) {
            continue;
        }
        form.bounded.extend(lengths.iter().filter(|l| l.as_int().is_none()).map(|l| (l.clone(), largest)));
        let least = Expr::int(1 << (bits as usize * lengths.len()), IntKind::Long, at);
        let (ty, to) = lengths::longer(&mut form.program, &variable, element, "cells", least, &mut first);
        arrays.insert(v, Flat { to, ty, lengths, bits });
    }
    if arrays.is_empty() {
        return form;
    }
    let replaced = arrays.keys().copied().collect();
    lengths::replace(&mut form, first, &replaced, &mut Flats { arrays });
    form
}

const LONG: Type = Type::Int(IntKind::Long);

/// The arrays of three and four dimensions that are named only cell by cell, or as a whole when
/// their storage begins.
fn named(form: &Form) -> BTreeSet<VarId> {
    let (mut all, mut others) = (BTreeSet::new(), BTreeSet::new());
    let depth = |v: VarId| {
        let mut ty = &form.program.variable(v).ty;
        let mut depth = 0;
        while let Type::Array(element, _) = ty {
            depth += 1;
            ty = element;
        }
        depth
    };
    let mut look = |part: Part<'_>| {
        let Part::Lvalue(l, how) = part else { return };
        let Base::Var(v) = l.base else { return };
        let depth = depth(v);
        if !(3..=4).contains(&depth) {
            return;
        }
        all.insert(v);
        let indices = l.path.iter().take(depth).filter(|s| matches!(s, Step::Index(_))).count();
        let whole = l.path.is_empty() && how == Use::Write;
        if how == Use::Address || !whole && indices < depth {
            others.insert(v);
        }
    };
    for block in [&form.before, &form.body, &form.after, &form.clause, &form.closing, &form.program.initialisers] {
        each_stmt(block, &mut |s| each_part(s, &mut look));
    }
    for e in form.known.iter().chain([&form.low, &form.high]).chain(form.bounded.iter().map(|(e, _)| e)) {
        each_part_of_expr(e, &mut look);
    }
    all.difference(&others).copied().collect()
}

/// The lengths of an array, and the type of its cells.
fn dimensions(program: &Program, variable: &Variable) -> Option<(Vec<Expr>, Type)> {
    if variable.storage == Storage::Parameter {
        return None;
    }
    let mut lengths = Vec::new();
    let mut ty = &variable.ty;
    while let Type::Array(element, length) = ty {
        lengths.push(length.as_expr(program, variable.location)?);
        ty = element;
    }
    let signed = |l: &Expr| l.as_int().is_some() || l.ty.as_int().is_some_and(IntKind::is_signed);
    lengths.iter().all(signed).then(|| (lengths, ty.clone()))
}

/// Replaces arrays by others.
struct Flats {
    arrays: BTreeMap<VarId, Flat>,
}

impl Flat {
    /// The number of a cell.
    fn number(&self, indices: &[Expr]) -> Expr {
        let at = indices[0].location;
        let constant = |n: i128| Expr::int(n, IntKind::Long, at);
        let mut inside: Option<Expr> = None;
        let mut number: Option<Expr> = None;
        for (n, (e, length)) in indices.iter().zip(&self.lengths).enumerate() {
            let e = || e.clone().cast(LONG);
            let low = terms::compare(BinaryOp::LessEqual, constant(0), e());
            let length = match length.as_int() {
                Some(n) => constant(n),
                None => length.clone().cast(LONG),
            };
            let both = terms::and(low, terms::compare(BinaryOp::Less, e(), length));
            inside = Some(match inside {
                Some(inside) => terms::and(inside, both),
                None => both,
            });
            let shift = i128::from(self.bits) * (self.lengths.len() - 1 - n) as i128;
            let shifted = match shift {
                0 => e(),
                _ => Expr::binary(BinaryOp::ShiftLeft, e(), constant(shift), LONG),
            };
            #[cfg(any(test, feature = "mutants"))]
            if mutated(Mutant::RowsRunTogether) {
                number = None;
            }
            number = Some(match number {
                Some(number) => Expr::binary(BinaryOp::BitOr, number, shifted, LONG),
                None => shifted,
            });
        }
        match (inside, number) {
            (Some(inside), Some(number)) => terms::conditional(inside, number, constant(-1)),
            _ => constant(-1),
        }
    }
}

impl VisitMut for Flats {
    fn parts(&mut self, s: &mut Stmt) {
        if let StmtKind::Declare(v) = &mut s.kind {
            *v = self.arrays.get(v).map_or(*v, |flat| flat.to);
        } else {
            self.walk_parts(s);
        }
    }

    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        let Base::Var(v) = l.base else { return };
        let Some(flat) = self.arrays.get(&v) else { return };
        l.base = Base::Var(flat.to);
        if l.path.is_empty() {
            l.ty = flat.ty.clone();
            return;
        }
        let depth = flat.lengths.len();
        let indices: Vec<Expr> = l
            .path
            .iter()
            .take(depth)
            .filter_map(|s| match s {
                Step::Index(e) => Some(e.clone()),
                Step::Field(..) => None,
            })
            .collect();
        let mut path = vec![Step::Index(flat.number(&indices))];
        path.extend(l.path[depth.min(l.path.len())..].iter().cloned());
        l.path = path;
    }
}
