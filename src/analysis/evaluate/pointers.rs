//! Values of pointers: which objects they may point to, and their offsets there.

use super::super::layout::{BlockId, Home, LeafId, Path, Segment};
use super::super::pointers::{Target, Targets, fits};
use super::{Evaluator, Places, PointerValue};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Length, Lvalue, Type};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Memory};

impl<M: Memory> Evaluator<'_, M> {
    pub(in crate::analysis) fn pointer(&mut self, e: &Expr) -> PointerValue {
        let unknown = |x: &mut Self, targets| PointerValue { targets, offset: x.any(Interval::TOP), valid: false };
        match &e.kind {
            ExprKind::Int(_) => {
                PointerValue { targets: Targets::default(), offset: LinearExpr::constant(0), valid: false }
            }
            ExprKind::Load(l) => {
                let targets = self.targets(e);
                let valid = self.scalar_leaf(l).is_some_and(|leaf| self.state.valid.contains(&leaf));
                let offset = self.load(l);
                PointerValue { targets, offset, valid }
            }
            ExprKind::AddressOf(l) => {
                if let (Base::Deref(p), true) = (&l.base, l.path.is_empty()) {
                    return self.pointer(p);
                }
                let targets = self.targets(e);
                match self.places(l, false) {
                    Places::Known(places) if places.len() == 1 && !targets.anywhere => {
                        PointerValue { targets, offset: places[0].flat.clone(), valid: true }
                    }
                    _ => PointerValue { targets, offset: self.any(Interval::TOP), valid: true },
                }
            }
            ExprKind::Cast(a) if matches!(a.ty, Type::Pointer(_)) => self.pointer(a),
            ExprKind::FunctionAddress(_) => {
                PointerValue { targets: Targets::default(), offset: LinearExpr::constant(0), valid: true }
            }
            ExprKind::Binary(BinaryOp::PointerAdd, p, n) => {
                let from = self.pointer(p);
                let step = e.ty.pointee().unwrap_or(&Type::Void);
                let counts = from.targets.set.iter().all(|t| self.fits(t, step));
                let sum = self.inside_operation(|x| {
                    let sum = from.offset.add(&x.int(n)).filter(|_| counts)?;
                    // As in a sum of integers: it may lie between the pointer and another one.
                    Some(x.with_quotient(sum))
                });
                let mut targets = self.targets(e);
                // If it certainly stays in the array, it has the same targets as before.
                let stays =
                    |sum: &LinearExpr| from.targets.set.iter().all(|t| !t.is_in_elements() && self.is_inside(t, sum));
                let ends = sum.as_ref().is_some_and(|sum| from.targets.set.iter().all(|t| self.is_end(t, sum)));
                let defined = from.valid && (sum.as_ref().is_some_and(stays) || ends);
                if targets.anywhere && sum.as_ref().is_some_and(stays) {
                    targets = from.targets;
                }
                // A pointer may go as far as one past the end.
                self.restricted |= !defined && !self.state.is_bottom();
                let offset = sum.unwrap_or_else(|| self.any(Interval::TOP));
                PointerValue { targets, offset, valid: from.valid }
            }
            ExprKind::Conditional(c, a, b) => {
                let targets = self.targets(e);
                let (mut first, mut second) = (true, true);
                let offset = self.choice(
                    c,
                    |x| {
                        let p = x.pointer(a);
                        first = p.valid;
                        p.offset
                    },
                    |x| {
                        let p = x.pointer(b);
                        second = p.valid;
                        p.offset
                    },
                );
                PointerValue { targets, offset, valid: first && second }
            }
            _ => {
                let targets = self.targets(e);
                unknown(self, targets)
            }
        }
    }

    /// What the value of a pointer expression may point to.
    fn targets(&self, e: &Expr) -> Targets {
        let model = self.model;
        model.pointers.at(model.program, &model.layout, &self.state.points_to).targets_of(e)
    }

    /// The leaf of an lvalue that lives in a scalar and is named without pointers.
    fn scalar_leaf(&self, l: &Lvalue) -> Option<LeafId> {
        let Base::Var(v) = l.base else { return None };
        let path: Path = l.steps(|_| None)?;
        let leaf = self.model.layout.leaf_at(BlockId::Variable(v), &path)?;
        matches!(self.model.layout.leaf(leaf).home, Home::Scalar(_)).then_some(leaf)
    }

    /// Records in the state that the value of a pointer expression is usable.
    pub(super) fn mark_valid(&mut self, e: &Expr) {
        let mut e = strip_casts(e);
        // A sum with a null pointer is undefined, so a usable sum contains a usable pointer.
        while let ExprKind::Binary(BinaryOp::PointerAdd, p, _) = &e.kind {
            e = strip_casts(p);
        }
        if let ExprKind::Load(l) = &e.kind
            && let Base::Var(v) = l.base
        {
            let Some(path) = l.steps(|_| None) else { return };
            let layout = &self.model.layout;
            if let Some(leaf) = layout.leaf_at(BlockId::Variable(v), &path)
                && matches!(layout.leaf(leaf).home, Home::Scalar(_))
            {
                self.state.set_valid(leaf, true);
            }
        }
    }

    pub(super) fn difference(&mut self, a: &Expr, b: &Expr, kind: IntKind) -> LinearExpr {
        let (p, q) = (self.pointer(a), self.pointer(b));
        // Offsets do not count what lies between parts of different elements.
        let counted = p.targets.set.iter().all(|t| !t.is_in_elements());
        match counted && self.one_target(&p, &q, a) {
            true => self.result(p.offset.sub(&q.offset), kind),
            false => self.any(self.range_of(kind)),
        }
    }

    /// Whether both pointers point into the same array, with offsets counted in the pointers' own
    /// steps.
    pub(super) fn one_target(&self, p: &PointerValue, q: &PointerValue, e: &Expr) -> bool {
        let single = |v: &PointerValue| !v.targets.anywhere && v.targets.set.len() == 1;
        single(p)
            && single(q)
            && p.targets.set == q.targets.set
            && p.targets.set.iter().all(|t| {
                // The objects of one allocation in a loop share a name: equal offsets in them are
                // not equal addresses.
                !self.model.layout.untracked.contains(&t.block)
                    && t.path.last() == Some(&Segment::Index(()))
                    && self.fits(t, e.ty.pointee().unwrap_or(&Type::Void))
            })
    }

    /// Whether the object at the target has the pointer's target type, lengths of rows included.
    /// Offsets in steps of the pointer are then offsets in the target's own steps. After a cast,
    /// the type may give rows that are longer or shorter than the real ones.
    pub(in crate::analysis) fn fits(&self, target: &Target, ty: &Type) -> bool {
        if !fits(self.model.program, &self.model.layout, target, ty) {
            return false;
        }
        let (mut ty, mut path) = (ty, target.path.clone());
        while let Type::Array(element, length) = ty {
            let said = match length {
                Length::Constant(n) => Some(LinearExpr::constant((*n).into())),
                Length::Variable(v) => self.model.layout.scalar(*v).map(LinearExpr::var),
                Length::Unknown => None,
            };
            let equal = said.zip(self.dimension(target.block, &path)).and_then(|(a, b)| Constraint::eq(&a, &b));
            let known = *length == Length::Unknown || equal.is_some_and(|c| self.state.memory.entails(&c));
            if !known {
                return false;
            }
            path.push(Segment::Index(()));
            ty = element;
        }
        true
    }

    /// Whether a pointer with that target and offset certainly points to an element of the array
    /// there, or has not left the one object.
    pub(in crate::analysis) fn is_inside(&self, t: &Target, offset: &LinearExpr) -> bool {
        let entails = |c: Option<Constraint>| c.is_some_and(|c| self.state.memory.entails(&c));
        if !t.path.contains(&Segment::Index(())) {
            return entails(Constraint::eq(offset, &LinearExpr::constant(0)));
        }
        let below = self.cells(t.block, &t.path).and_then(|length| Constraint::lt(offset, &length));
        entails(Some(Constraint::non_negative(offset.clone()))) && entails(below)
    }

    /// Whether a pointer with that target and offset is certainly not before the array there, nor
    /// after its end.
    fn is_end(&self, t: &Target, offset: &LinearExpr) -> bool {
        let entails = |c: Option<Constraint>| c.is_some_and(|c| self.state.memory.entails(&c));
        let up_to = match t.path.contains(&Segment::Index(())) {
            true => self.cells(t.block, &t.path).and_then(|length| Constraint::le(offset, &length)),
            false => Constraint::le(offset, &LinearExpr::constant(1)),
        };
        !t.is_in_struct() && entails(Some(Constraint::non_negative(offset.clone()))) && entails(up_to)
    }
}

/// Removes conversions between pointers, and from a constant to a pointer.
pub(super) fn strip_casts(e: &Expr) -> &Expr {
    let mut e = e;
    while let ExprKind::Cast(a) = &e.kind
        && matches!(e.ty, Type::Pointer(_))
        && (matches!(a.ty, Type::Pointer(_)) || a.as_int() == Some(0))
    {
        e = a;
    }
    e
}
