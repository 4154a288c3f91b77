//! A numeric domain as a memory domain without arrays. This is the meaning of a stack that names no
//! array layer, such as `box`.
//!
//! **Meaning.** γ of an element is the set of states whose scalars are a valuation of the numeric
//! element; arrays are arbitrary.
//!
//! **Representation.** The numeric element.
//!
//! **Sources, and where we differ.** None needed.
//!
//! **Limits.** A cell that is read may have any value. The domain also does not learn that an index
//! is in range, since lengths are not kept.

use smalti_core::{
    ArrayId, Cell, Constraint, Facts, FieldId, Interval, Lattice, LinearExpr, Memory, MemoryDomain, Numeric,
    NumericDomain, Subjects, Thresholds, Var,
};

/// Makes [`Scalars`] elements.
#[derive(Clone, Debug)]
pub struct ScalarsDomain<D> {
    numeric: D,
}

impl<D> ScalarsDomain<D> {
    /// Scalars in `numeric`.
    pub fn new(numeric: D) -> Self {
        ScalarsDomain { numeric }
    }
}

impl<D: NumericDomain> MemoryDomain for ScalarsDomain<D> {
    type Element = Scalars<D::Element>;

    fn name(&self) -> String {
        self.numeric.name()
    }

    fn top(&self) -> Self::Element {
        Scalars(self.numeric.top())
    }

    fn bottom(&self) -> Self::Element {
        Scalars(self.numeric.bottom())
    }
}

/// The element: the facts about scalars.
#[derive(Clone, Debug)]
pub struct Scalars<N>(N);

impl<N: Numeric> Lattice for Scalars<N> {
    fn is_bottom(&self) -> bool {
        self.0.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.0.leq(&other.0)
    }

    fn join_with(&mut self, other: &Self) {
        self.0.join_with(&other.0);
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        Scalars(N::widen(&prev.0, &next.0, thresholds))
    }
}

impl<N: Numeric> Memory for Scalars<N> {
    fn assign(&mut self, v: Var, e: &LinearExpr) {
        self.0.assign(v, e);
    }

    fn forget(&mut self, vars: &[Var]) {
        self.0.forget(vars);
    }

    fn assume(&mut self, c: &Constraint) {
        self.0.assume(c);
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        self.0.bounds(e)
    }

    fn entails(&self, c: &Constraint) -> bool {
        self.0.entails(c)
    }

    fn create_array(&mut self, _array: ArrayId, _fields: &[FieldId], _length: Var) {}

    fn drop_array(&mut self, _array: ArrayId) {}

    fn fill(&mut self, _array: ArrayId, _field: FieldId, _value: &LinearExpr) {}

    fn weaken(&mut self, _array: ArrayId, _field: FieldId, _range: Interval) {}

    fn read(&mut self, dst: Var, _cell: &Cell) {
        self.0.forget(&[dst]);
    }

    fn write(&mut self, _cell: &Cell, _value: &LinearExpr) {}

    fn assume_cell(&mut self, _cell: &Cell, _value: &LinearExpr) {}

    fn facts(&self) -> Facts {
        if self.is_bottom() {
            return Facts { unreachable: true, ..Facts::default() };
        }
        Facts { scalars: self.0.constraints(), ..Facts::default() }
    }

    fn subjects(&self) -> Subjects {
        Subjects { scalars: self.0.vars().into_iter().collect(), ..Subjects::default() }
    }

    fn restricted(&self, to: &Subjects) -> Self {
        Scalars(self.0.project(&to.with_companions(&self.0, &[])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_box::BoxDomain;
    use smalti_core::laws::{self, ExplicitDomain};

    #[test]
    fn the_laws_hold() {
        laws::memory(&ScalarsDomain::new(BoxDomain));
        laws::memory(&ScalarsDomain::new(ExplicitDomain));
    }

    #[test]
    fn a_cell_that_is_read_may_have_any_value() {
        let x = Var::scalar(0);
        let mut state = ScalarsDomain::new(BoxDomain).top();
        state.assign(x, &LinearExpr::constant(1));
        state.read(x, &Cell { array: ArrayId(0), index: LinearExpr::constant(0), field: FieldId(0) });
        assert_eq!(state.bounds(&LinearExpr::var(x)), Some(Interval::TOP));
    }
}
