//! How residual loops access memory. Arrays stay as they were, and what a run writes to them is
//! kept beside them, one entry for each assignment.

use super::super::terms;
use super::form::WIDE;
use crate::program::{AccessPath, Base, BinaryOp, Block, Expr, ExprKind, Lvalue, Step, Type, Use, VarId, VisitMut};
use std::collections::{BTreeMap, HashMap};

/// A place in a run that draws inputs of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Slot {
    Iteration(usize),
    Clause(usize),
    PastClause,
    After,
    Closing,
}

/// An assignment to a cell that a run may have made.
pub(super) struct Entry {
    pub(super) made: VarId,
    pub(super) indices: Vec<Expr>,
    pub(super) value: VarId,
}

/// The cells of an array, any of which an access may be to.
pub(super) fn accessed(array: VarId, l: &Lvalue) -> AccessPath {
    AccessPath { variable: array, path: l.any_steps().collect() }
}

/// What one residual loop has done so far.
pub(super) struct Run {
    pub(super) log: HashMap<AccessPath, Vec<Entry>>,
    pub(super) slot: Slot,
    pub(super) ordinal: usize,
    pub(super) resets: Block,
}

impl Run {
    pub(super) fn enter(&mut self, slot: Slot) {
        self.slot = slot;
        self.ordinal = 0;
    }

    pub(super) fn expr(&self, e: &Expr, arrays: &BTreeMap<VarId, VarId>) -> Expr {
        e.rewritten(&mut Reads { run: self, arrays })
    }

    pub(super) fn lvalue(&self, l: &Lvalue, arrays: &BTreeMap<VarId, VarId>) -> Lvalue {
        l.rewritten(Use::Read, &mut Reads { run: self, arrays })
    }
}

/// Makes reads search the writes of the run before they read the array.
struct Reads<'a> {
    run: &'a Run,
    arrays: &'a BTreeMap<VarId, VarId>,
}

impl VisitMut for Reads<'_> {
    fn lvalue(&mut self, l: &mut Lvalue, _: Use) {
        self.walk_lvalue(l);
        if let Base::Var(v) = &mut l.base
            && !l.path.is_empty()
        {
            *v = self.arrays.get(v).copied().unwrap_or(*v);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        self.walk_expr(e);
        if let Some(written) = self.written(e) {
            *e = written;
        }
    }
}

impl Reads<'_> {
    /// The value of a read of an array, given what the run has written.
    fn written(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Load(l) = &e.kind else { return None };
        let Base::Var(now) = l.base else { return None };
        let (&v, _) = self.arrays.iter().find(|(_, initial)| **initial == now)?;
        let entries = self.run.log.get(&accessed(v, l))?;
        let indices: Vec<&Expr> = l
            .path
            .iter()
            .filter_map(|s| match s {
                Step::Index(e) => Some(e),
                Step::Field(..) => None,
            })
            .collect();
        let at = e.location;
        let variable =
            |v: VarId, ty: Type| Expr::load(Lvalue { base: Base::Var(v), path: Vec::new(), ty, location: at });
        let mut value = e.clone();
        for entry in entries {
            let mut hit = variable(entry.made, Type::INT);
            for (index, written) in indices.iter().zip(&entry.indices) {
                let same = terms::compare(BinaryOp::Equal, (*index).clone().cast(WIDE), written.clone());
                hit = terms::and(hit, same);
            }
            value = terms::conditional(hit, variable(entry.value, e.ty.clone()), value);
        }
        Some(value)
    }
}
