//! Places: what lvalues may denote, the sizes of the arrays there, and the values read from them.

use super::super::layout::{BlockId, Dimension, Home, Path, Segment};
use super::super::pointers::Target;
use super::super::state::State;
use super::{Evaluator, Place, Places};
use crate::program::{Base, Expr, Lvalue, Step, Type};
use smalti_core::{Cell, Constraint, Interval, Lattice, LinearExpr, Memory};

/// More candidates than this are treated as "somewhere".
const MAX_PLACES: usize = 8;

impl<M: Memory> Evaluator<'_, M> {
    /// The places that an lvalue may denote. Where `accessed`, runs in which the access is out of
    /// bounds end.
    pub(in crate::analysis) fn places(&mut self, l: &Lvalue, accessed: bool) -> Places {
        let mut places = match &l.base {
            Base::Var(v) => {
                vec![Place { block: BlockId::Variable(*v), path: Path::new(), flat: LinearExpr::constant(0) }]
            }
            Base::Deref(p) => match self.pointed_to(p, l, accessed) {
                Places::Known(places) if !places.is_empty() => places,
                elsewhere => return elsewhere,
            },
        };
        for (n, step) in l.path.iter().enumerate() {
            let last = n + 1 == l.path.len();
            match step {
                Step::Field(id, f) => places.iter_mut().for_each(|p| p.path.push(Segment::Field(*id, *f))),
                Step::Index(e) => {
                    let index = self.int(e);
                    let one = places.len() == 1;
                    let mut inside = true;
                    for p in &mut places {
                        let dimension = self.dimension(p.block, &p.path);
                        if one && (accessed || !last) {
                            inside &= self.require(Some(Constraint::non_negative(index.clone())));
                            let below = dimension.as_ref().and_then(|length| Constraint::lt(&index, length));
                            inside &= self.require(below);
                        }
                        p.flat = if p.path.contains(&Segment::Index(())) {
                            let row = dimension.map(|length| self.product(&p.flat, &length));
                            let sum = row.and_then(|r| r.add(&index));
                            sum.unwrap_or_else(|| self.any(Interval::TOP))
                        } else {
                            index.clone()
                        };
                        p.path.push(Segment::Index(()));
                    }
                    if !inside {
                        return Places::Anywhere;
                    }
                }
            }
        }
        if places.len() > 1 {
            // The analysis does not check which of the places it is, nor whether it is inside that
            // one.
            self.restricted |= !self.state.is_bottom();
            if self.goes_on() {
                return Places::Anywhere;
            }
        }
        Places::Known(places)
    }

    /// The places at the start of the path of an lvalue `(*p).path`.
    fn pointed_to(&mut self, p: &Expr, l: &Lvalue, accessed: bool) -> Places {
        // A path is followed from an object: `&p->x` of a null pointer is not an address.
        let used = accessed || !l.path.is_empty();
        let value = self.pointer(p);
        let pointee = p.ty.pointee().unwrap_or(&Type::Void);
        if used {
            if value.targets.set.is_empty() && !value.targets.anywhere {
                // The pointer is null or indeterminate in every run.
                self.undefined();
                return if self.goes_on() { Places::Anywhere } else { Places::Known(Vec::new()) };
            }
            if !value.valid {
                self.restricted |= !self.state.is_bottom();
                if self.goes_on() {
                    self.indexes(l);
                    return Places::Anywhere;
                }
            }
            self.mark_valid(p);
        }
        if value.targets.anywhere || value.targets.set.len() > MAX_PLACES {
            self.restricted |= !self.state.is_bottom();
            self.indexes(l);
            return Places::Anywhere;
        }
        // A pointer that has left an array that is a member may reach the other members.
        let strays = |t: &Target| t.is_in_struct() && !t.is_in_elements() && !self.is_inside(t, &value.offset);
        if value.targets.set.iter().any(|t| !self.fits(t, pointee) || (accessed && strays(t))) {
            self.restricted |= !self.state.is_bottom();
            self.indexes(l);
            return Places::Inside(value.targets.set.iter().map(|t| t.block).collect());
        }
        if let (1, Some(t)) = (value.targets.set.len(), value.targets.set.first())
            && used
            && !self.require_inside(t.block, &t.path, &value.offset)
        {
            self.indexes(l);
            return Places::Anywhere;
        }
        let flat = value.offset;
        let place = |t: Target| Place { block: t.block, path: t.path, flat: flat.clone() };
        Places::Known(value.targets.set.into_iter().map(place).collect())
    }

    /// Evaluates the indexes of an lvalue whose place is not known.
    fn indexes(&mut self, l: &Lvalue) {
        for step in &l.path {
            if let Step::Index(e) = step {
                self.run(e);
            }
        }
    }

    /// Requires that a pointer with that target and offset points inside, because it is used. (A
    /// pointer into the elements of an array does not move among their members; the caller handles
    /// a pointer into a single struct that does.) Returns whether that is known from here on.
    fn require_inside(&mut self, block: BlockId, path: &[Segment], offset: &LinearExpr) -> bool {
        if !path.contains(&Segment::Index(())) {
            return true;
        }
        let positive = self.require(Some(Constraint::non_negative(offset.clone())));
        let length = self.cells(block, path);
        positive & self.require(length.and_then(|length| Constraint::lt(offset, &length)))
    }

    /// The number of cells in all dimensions of a path together, if the domain knows it.
    pub(in crate::analysis) fn cells(&self, block: BlockId, path: &[Segment]) -> Option<LinearExpr> {
        let last = path.iter().rposition(|s| s.is_index())?;
        let layout = &self.model.layout;
        let array = layout.arrays_of(block).find(|a| layout.array(*a).prefix == path[..=last])?;
        let known = !layout.array(array).dimensions.contains(&Dimension::Unknown);
        known.then(|| LinearExpr::var(layout.array(array).length))
    }

    /// The length of the array at a path.
    pub(in crate::analysis) fn dimension(&self, block: BlockId, path: &[Segment]) -> Option<LinearExpr> {
        let layout = &self.model.layout;
        match layout.dimension_at(self.model.program, block, path) {
            Dimension::Constant(n) => Some(LinearExpr::constant(n.into())),
            Dimension::Variable(v) => {
                // A single dimension is the array's own length, which stays when the variable is
                // declared again.
                let mut whole = path.to_vec();
                whole.push(Segment::Index(()));
                let one = path.iter().all(|s| !s.is_index());
                let own = if one { self.cells(block, &whole) } else { None };
                own.or_else(|| layout.scalar(v).map(LinearExpr::var))
            }
            Dimension::Count => self.cells(block, &[Segment::Index(())]),
            Dimension::Unknown => None,
        }
    }

    /// The value of an lvalue of scalar type.
    pub(super) fn load(&mut self, l: &Lvalue) -> LinearExpr {
        let range = match &l.ty {
            Type::Int(kind) => self.range_of(*kind),
            _ => Interval::TOP,
        };
        match self.places(l, true) {
            Places::Known(places) if places.len() == 1 => self.read(&places[0], range),
            Places::Known(places) if !places.is_empty() => {
                // The access reads one of the places: whichever it is, the state after reading it
                // covers the run.
                let t = self.temporary();
                let before = self.state.clone();
                let mut all: Option<State<M>> = None;
                for place in &places {
                    self.state = before.clone();
                    self.require_inside(place.block, &place.path, &place.flat);
                    let value = self.read(place, range);
                    self.state.memory.assign(t, &value);
                    match &mut all {
                        Some(all) => all.join_with(&self.state),
                        None => all = Some(self.state.clone()),
                    }
                }
                self.state = all.unwrap_or(before);
                self.reads.clear();
                LinearExpr::var(t)
            }
            _ => self.any(range),
        }
    }

    /// The value at a place.
    pub(in crate::analysis) fn read(&mut self, place: &Place, range: Interval) -> LinearExpr {
        let layout = &self.model.layout;
        let Some(leaf) = layout.leaf_at(place.block, &place.path) else { return self.any(range) };
        let range = layout.leaf(leaf).range;
        match layout.leaf(leaf).home {
            Home::Scalar(v) => LinearExpr::var(v),
            Home::Cell(array, field) => {
                let t = self.temporary();
                let cell = Cell { array, index: place.flat.clone(), field };
                self.state.memory.read(t, &cell);
                self.reads.push((cell, t));
                let value = LinearExpr::var(t);
                if !self.bounds(&value).is_subset(range) {
                    self.constrain(&value, range);
                }
                value
            }
        }
    }
}
