//! Array smashing: one dimension for each field of all cells of an array.
//!
//! **Meaning.** Let `n` be the numeric element and `d(a, f)` the dimension [`Var::summary`] of
//! field `f` of a tracked array `a`. A concrete state is in γ if there are values for the
//! dimensions of its *empty* arrays such that, however one cell is chosen for each dimension of a
//! non-empty tracked array, the valuation of scalars, chosen cells and those values is in `γ(n)`.
//! An array that is not tracked is arbitrary, live or not.
//!
//! The order of "there are" and "however" matters. The dimension of an array of length 0 stands for
//! no cell, and yet a valuation has a value for it: a *witness*, which must be the same for all
//! choices. It exists when the array is created (the dimension is unconstrained), [`Smash::fill`]
//! makes it the filled value, and every other operation that constrains the dimension happens in
//! states where the array has a cell. So no constraint on a dimension ever speaks of scalars alone.
//!
//! Cells are chosen for each field separately, not one cell for all fields of an array. That gives
//! up relations between the fields of one cell, and makes it sound to expand one field at a time:
//! if `f == g` meant "of the same cell", the copy made by a read of `f` would have to have a `g` of
//! its own, and without it the read would make all cells equal.
//!
//! **Representation.** The numeric element mentions scalars and the dimensions of tracked arrays,
//! nothing else; a tracked array's fields ascend strictly. Copies (`COPY`) live within one
//! operation.
//!
//! **Sources, and where we differ.** Gopan, DiMaio, Dor, Reps, Sagiv: "Numeric domains with
//! summarized dimensions", TACAS 2004: a read is *expand*; a write is *expand*, assign to the copy,
//! *fold*, where the first step is left out since the second overwrites what it made. Blanchet et
//! al.: "Design and implementation of a special-purpose static program analyzer for safety-critical
//! real-time embedded software", LNCS 2566, 2002, has the name *smashing*. In both a summary stands
//! for at least one cell; we allow none, see above. An array whose length is known to be 1 is a
//! scalar: asked at each access, not remembered, so that nothing has to be reconciled at joins.
//!
//! **Limits.** Cells are not distinguished: after a loop that writes every cell, the value before
//! is still possible, and two reads of one cell may differ. A length that is assigned after all, or
//! an access to a field that the array was not created with, ends the tracking of the array.

use smalti_core::{
    ArrayFacts, ArrayId, Cell, Constraint, Facts, FieldId, GroupFacts, Interval, Lattice, LinearExpr, Memory,
    MemoryDomain, Numeric, NumericDomain, Subjects, Thresholds, Var,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Makes [`Smash`] elements.
#[derive(Clone, Debug)]
pub struct SmashDomain<D> {
    numeric: D,
}

impl<D> SmashDomain<D> {
    /// Arrays smashed into dimensions of `numeric`.
    pub fn new(numeric: D) -> Self {
        SmashDomain { numeric }
    }
}

impl<D: NumericDomain> MemoryDomain for SmashDomain<D> {
    type Element = Smash<D::Element>;

    fn name(&self) -> String {
        format!("smash/{}", self.numeric.name())
    }

    fn top(&self) -> Self::Element {
        Smash { numeric: self.numeric.top(), arrays: Rc::default() }
    }

    fn bottom(&self) -> Self::Element {
        Smash { numeric: self.numeric.bottom(), arrays: Rc::default() }
    }
}

/// Scalars and summary dimensions in one numeric element.
#[derive(Clone, Debug)]
pub struct Smash<N> {
    numeric: N,
    arrays: Rc<BTreeMap<ArrayId, Layout>>,
}

/// The length and the fields that an array was created with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    fields: Vec<FieldId>,
    length: Var,
}

impl Layout {
    fn dimensions(&self, array: ArrayId) -> impl Iterator<Item = Var> + '_ {
        self.fields.iter().map(move |f| Var::summary(array, *f))
    }
}

/// The cell that an operation is about, copied out of its summary for a moment.
fn copy() -> Var {
    Var::fresh(u32::MAX)
}

/// A cell of a tracked array, in range.
struct TrackedCell {
    dimension: Var,
    /// Whether the array has no other cell.
    only: bool,
}

impl<N: Numeric> Smash<N> {
    /// The dimension of a field, if it is tracked.
    fn dimension(&self, array: ArrayId, field: FieldId) -> Option<Var> {
        let layout = self.arrays.get(&array)?;
        layout.fields.contains(&field).then(|| Var::summary(array, field))
    }

    /// Keeps the states in which the cell's index is in range, and says where the cell is; `None`
    /// if it is not tracked.
    fn locate(&mut self, cell: &Cell) -> Option<TrackedCell> {
        let dimension = self.dimension(cell.array, cell.field)?;
        let length = LinearExpr::var(self.arrays.get(&cell.array)?.length);
        let in_range = [Some(Constraint::non_negative(cell.index.clone())), Constraint::lt(&cell.index, &length)];
        in_range.iter().flatten().for_each(|c| self.numeric.assume(c));
        let single = Constraint::eq(&length, &LinearExpr::constant(1));
        Some(TrackedCell { dimension, only: single.is_some_and(|c| self.numeric.entails(&c)) })
    }

    /// Drops the arrays that `keep` does not name.
    fn retain(&mut self, keep: impl Fn(ArrayId, &Layout) -> bool) {
        if self.arrays.iter().all(|(a, layout)| keep(*a, layout)) {
            return;
        }
        let (kept, dropped): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.arrays.iter().map(|(a, layout)| (*a, layout.clone())).partition(|(a, layout)| keep(*a, layout));
        let dimensions: Vec<Var> = dropped.iter().flat_map(|(a, layout)| layout.dimensions(*a)).collect();
        self.numeric.forget(&dimensions);
        self.arrays = Rc::new(kept);
    }

    /// `self` without the arrays that `other` does not track in the same way.
    fn with_arrays_of(&self, other: &Self) -> Self {
        let mut result = self.clone();
        result.retain(|a, layout| other.arrays.get(&a) == Some(layout));
        result
    }

    /// Arrays whose length is about to change, against the rules, are given up.
    fn lengths_change(&mut self, vars: &[Var]) {
        self.retain(|_, layout| !vars.contains(&layout.length));
    }

    /// The dimensions of every tracked array but `array`.
    fn dimensions_except(&self, array: Option<ArrayId>) -> Vec<Var> {
        let others = self.arrays.iter().filter(|(a, _)| Some(**a) != array);
        others.flat_map(|(a, layout)| layout.dimensions(*a)).collect()
    }

    /// Debug builds only: asking a numeric domain for its variables is not free.
    fn assert_invariants(&self) {
        if cfg!(debug_assertions) {
            let dimensions = self.dimensions_except(None);
            let known = |v: &Var| v.is_scalar() || dimensions.contains(v);
            let vars = self.numeric.vars();
            assert!(vars.iter().all(known), "{vars:?} has more than scalars and {dimensions:?}");
            assert!(self.arrays.values().all(|layout| layout.fields.is_sorted_by(|a, b| a < b)), "fields ascend");
        }
    }
}

impl<N: Numeric> Lattice for Smash<N> {
    fn is_bottom(&self) -> bool {
        self.numeric.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        // What is tracked on the left alone, the right does not mention.
        let tracked = || {
            Rc::ptr_eq(&self.arrays, &other.arrays)
                || other.arrays.iter().all(|(a, layout)| self.arrays.get(a) == Some(layout))
        };
        self.is_bottom() || tracked() && self.numeric.leq(&other.numeric)
    }

    fn join_with(&mut self, other: &Self) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            self.clone_from(other);
            return;
        }
        if Rc::ptr_eq(&self.arrays, &other.arrays) || self.arrays == other.arrays {
            self.numeric.join_with(&other.numeric);
        } else {
            *self = self.with_arrays_of(other);
            self.numeric.join_with(&other.with_arrays_of(self).numeric);
        }
        self.assert_invariants();
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        if prev.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return prev.clone();
        }
        // The set of tracked arrays can only shrink, hence only finitely often: otherwise `prev`
        // goes on as it is.
        let kept = prev.with_arrays_of(next);
        let numeric = N::widen(&kept.numeric, &next.with_arrays_of(&kept).numeric, thresholds);
        let widened = Smash { numeric, arrays: kept.arrays };
        widened.assert_invariants();
        widened
    }
}

impl<N: Numeric> Memory for Smash<N> {
    fn assign(&mut self, v: Var, e: &LinearExpr) {
        self.lengths_change(&[v]);
        self.numeric.assign(v, e);
        self.assert_invariants();
    }

    fn forget(&mut self, vars: &[Var]) {
        self.lengths_change(vars);
        self.numeric.forget(vars);
        self.assert_invariants();
    }

    fn assume(&mut self, c: &Constraint) {
        self.numeric.assume(c);
        self.assert_invariants();
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        self.numeric.bounds(e)
    }

    fn entails(&self, c: &Constraint) -> bool {
        self.numeric.entails(c)
    }

    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var) {
        self.drop_array(array);
        let mut fields = fields.to_vec();
        fields.sort_unstable();
        fields.dedup();
        Rc::make_mut(&mut self.arrays).insert(array, Layout { fields, length });
        self.assert_invariants();
    }

    fn drop_array(&mut self, array: ArrayId) {
        if self.arrays.contains_key(&array)
            && let Some(layout) = Rc::make_mut(&mut self.arrays).remove(&array)
        {
            self.numeric.forget(&layout.dimensions(array).collect::<Vec<Var>>());
        }
        self.assert_invariants();
    }

    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr) {
        if let Some(dimension) = self.dimension(array, field) {
            self.numeric.assign(dimension, value);
        }
        self.assert_invariants();
    }

    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval) {
        if let Some(dimension) = self.dimension(array, field) {
            // The old value stays possible: also as the witness of an array without cells.
            let new = LinearExpr::var(copy());
            let low = range.lo().and_then(|lo| Constraint::ge(&new, &LinearExpr::constant(lo)));
            let high = range.hi().and_then(|hi| Constraint::le(&new, &LinearExpr::constant(hi)));
            [low, high].iter().flatten().for_each(|c| self.numeric.assume(c));
            self.numeric.fold(dimension, copy());
        }
        self.assert_invariants();
    }

    fn read(&mut self, dst: Var, cell: &Cell) {
        let place = self.locate(cell);
        self.lengths_change(&[dst]);
        match place {
            None => self.numeric.forget(&[dst]),
            Some(TrackedCell { dimension, only: true }) => self.numeric.assign(dst, &LinearExpr::var(dimension)),
            Some(TrackedCell { dimension, only: false }) => {
                // A copy of any one cell, by the name of `dst`.
                self.numeric.forget(&[dst]);
                self.numeric.expand(dimension, dst);
            }
        }
        self.assert_invariants();
    }

    fn write(&mut self, cell: &Cell, value: &LinearExpr) {
        match self.locate(cell) {
            None => {}
            Some(TrackedCell { dimension, only: true }) => self.numeric.assign(dimension, value),
            Some(TrackedCell { dimension, only: false }) => {
                // `copy` is the one cell that changes, any other cell is as before.
                self.numeric.assign(copy(), value);
                self.numeric.fold(dimension, copy());
            }
        }
        self.assert_invariants();
    }

    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr) {
        if let Some(TrackedCell { dimension, only }) = self.locate(cell) {
            let tested = if only { dimension } else { copy() };
            if !only {
                self.numeric.expand(dimension, tested);
            }
            if let Some(c) = Constraint::eq(&LinearExpr::var(tested), value) {
                self.numeric.assume(&c);
            }
            if !only {
                self.numeric.forget(&[tested]);
            }
        }
        self.assert_invariants();
    }

    fn facts(&self) -> Facts {
        if self.is_bottom() {
            return Facts { unreachable: true, ..Facts::default() };
        }
        // Projected rather than filtered: what follows for scalars through a cell is a fact about
        // scalars.
        let project = |array: Option<ArrayId>| {
            let mut numeric = self.numeric.clone();
            numeric.forget(&self.dimensions_except(array));
            numeric.constraints()
        };
        let arrays = self.arrays.iter().map(|(a, layout)| {
            let fields: Vec<(FieldId, Var)> = layout.fields.iter().map(|f| (*f, Var::summary(*a, *f))).collect();
            let mut constraints = project(Some(*a));
            constraints.retain(|c| !c.expr.vars().all(Var::is_scalar));
            let group = GroupFacts { index: None, size: None, fields, constraints, memberships: Vec::new() };
            ArrayFacts { array: *a, groups: vec![group] }
        });
        Facts { scalars: project(None), arrays: arrays.collect(), ..Facts::default() }
    }

    fn subjects(&self) -> Subjects {
        let scalars = self.numeric.vars().into_iter().filter(|v| v.is_scalar()).collect();
        Subjects { arrays: self.arrays.keys().copied().collect(), scalars }
    }

    fn restricted(&self, to: &Subjects) -> Self {
        let kept = || self.arrays.iter().filter(|(a, _)| to.arrays.contains(a));
        let dimensions: Vec<Var> = kept().flat_map(|(a, layout)| layout.dimensions(*a)).collect();
        let mut keep = to.with_companions(&self.numeric, &dimensions);
        keep.extend(dimensions);
        keep.extend(kept().map(|(_, layout)| layout.length));
        let arrays = kept().map(|(a, layout)| (*a, layout.clone())).collect();
        Smash { numeric: self.numeric.project(&keep), arrays: Rc::new(arrays) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_box::BoxDomain;
    use smalti_core::laws::{self, ExplicitDomain};

    const A: ArrayId = ArrayId(0);
    const B: ArrayId = ArrayId(1);
    const F: FieldId = FieldId(0);
    const G: FieldId = FieldId(1);

    fn scalar(n: u32) -> LinearExpr {
        LinearExpr::var(Var::scalar(n))
    }

    fn number(c: i128) -> LinearExpr {
        LinearExpr::constant(c)
    }

    fn cell(array: ArrayId, index: &LinearExpr) -> Cell {
        Cell { array, index: index.clone(), field: F }
    }

    /// An array of `length` cells; its length is scalar `10 + array`.
    fn with_array<D: NumericDomain>(domain: &SmashDomain<D>, array: ArrayId, length: i128) -> Smash<D::Element> {
        let mut state = domain.top();
        let v = Var::scalar(10 + array.0);
        state.assign(v, &number(length));
        state.create_array(array, &[F, G], v);
        state
    }

    fn value<N: Numeric>(state: &Smash<N>, cell: &Cell) -> String {
        let mut state = state.clone();
        state.read(Var::scalar(99), cell);
        state.bounds(&scalar(99)).map_or("bottom".into(), |i| i.to_string())
    }

    #[test]
    fn the_laws_hold_over_boxes() {
        laws::memory(&SmashDomain::new(BoxDomain));
    }

    #[test]
    fn the_laws_hold_over_a_relational_domain() {
        laws::memory(&SmashDomain::new(ExplicitDomain));
    }

    #[test]
    fn fill_is_strong_and_write_is_weak() {
        let mut state = with_array(&SmashDomain::new(BoxDomain), A, 3);
        let first = cell(A, &number(0));
        assert_eq!(value(&state, &first), "(-oo, +oo)");
        state.fill(A, F, &number(5));
        state.fill(A, F, &number(2));
        assert_eq!(value(&state, &first), "[2, 2]");
        state.write(&first, &number(7));
        assert_eq!(value(&state, &first), "[2, 7]");
        state.weaken(A, F, Interval::finite(-1, 0));
        assert_eq!(value(&state, &first), "[-1, 7]");
    }

    #[test]
    fn the_only_cell_of_an_array_is_a_scalar() {
        let mut state = with_array(&SmashDomain::new(ExplicitDomain), A, 1);
        let first = cell(A, &number(0));
        state.write(&first, &number(7));
        state.write(&first, &number(8));
        assert_eq!(value(&state, &first), "[8, 8]");
        state.assume_cell(&first, &number(7));
        assert!(state.is_bottom());
    }

    #[test]
    fn an_access_keeps_the_states_in_range() {
        let mut state = with_array(&SmashDomain::new(BoxDomain), A, 3);
        state.read(Var::scalar(0), &cell(A, &scalar(1)));
        assert_eq!(state.bounds(&scalar(1)), Some(Interval::finite(0, 2)));
        state.write(&cell(A, &number(3)), &number(0));
        assert!(state.is_bottom());
    }

    #[test]
    fn an_array_without_cells_says_nothing_about_scalars() {
        let domain = SmashDomain::new(ExplicitDomain);
        for length in [0, 1, 2] {
            let mut state = with_array(&domain, A, length);
            state.fill(A, F, &number(1));
            state.fill(A, F, &number(2));
            state.weaken(A, F, Interval::constant(3));
            assert!(!state.is_bottom());
            assert_eq!(state.bounds(&scalar(10)), Some(Interval::constant(length)));
        }
        // A test of a cell is only reached where there is a cell: the empty array's contradiction
        // loses just its own state.
        let mut either = with_array(&domain, A, 0);
        either.join_with(&with_array(&domain, A, 2));
        either.fill(A, F, &number(1));
        let mut tested = either.clone();
        tested.assume_cell(&cell(A, &number(0)), &number(1));
        assert_eq!(tested.bounds(&scalar(10)), Some(Interval::constant(2)));
        either.assume_cell(&cell(A, &number(0)), &number(2));
        assert!(either.is_bottom());
    }

    /// Gopan et al. 2004, section 2: without *expand* a read of one cell would relate all cells to
    /// the result.
    #[test]
    fn two_reads_of_a_summary_are_unrelated() {
        let mut state = with_array(&SmashDomain::new(ExplicitDomain), A, 2);
        state.fill(A, F, &number(0));
        state.write(&cell(A, &number(1)), &number(1));
        state.read(Var::scalar(0), &cell(A, &number(0)));
        state.read(Var::scalar(1), &cell(A, &number(1)));
        let difference = scalar(0).sub(&scalar(1)).unwrap();
        assert_eq!(state.bounds(&difference), Some(Interval::finite(-1, 1)));
        state.assume(&Constraint::eq(&scalar(0), &number(0)).unwrap());
        assert_eq!(value(&state, &cell(A, &number(0))), "[0, 1]");
    }

    #[test]
    fn cells_stay_related_to_scalars() {
        let mut state = with_array(&SmashDomain::new(ExplicitDomain), A, 2);
        let (mut other, x) = (state.clone(), Var::scalar(0));
        state.assign(x, &number(3));
        other.assign(x, &number(4));
        state.join_with(&other);
        state.fill(A, F, &scalar(0));
        state.write(&cell(A, &number(1)), &scalar(0).add_constant(1).unwrap());
        state.assume(&Constraint::eq(&scalar(0), &number(4)).unwrap());
        assert_eq!(value(&state, &cell(A, &number(0))), "[4, 5]");
    }

    #[test]
    fn join_drops_arrays_that_are_not_live_on_both_sides() {
        let domain = SmashDomain::new(BoxDomain);
        let (mut both, mut one) = (with_array(&domain, A, 2), with_array(&domain, A, 2));
        both.assign(Var::scalar(11), &number(2));
        one.assign(Var::scalar(11), &number(2));
        both.create_array(B, &[F], Var::scalar(11));
        for state in [&mut both, &mut one] {
            state.fill(A, F, &number(1));
            state.fill(B, F, &number(1));
        }
        assert!(both.leq(&one) && !one.leq(&both));
        let mut join = both.clone();
        join.join_with(&one);
        assert_eq!(value(&join, &cell(A, &number(0))), "[1, 1]");
        assert_eq!(value(&join, &cell(B, &number(0))), "(-oo, +oo)");
        assert!(both.leq(&join) && one.leq(&join));
        let widened = Smash::widen(&both, &join, &Thresholds::default());
        assert!(join.leq(&widened) && widened.leq(&join));
    }

    #[test]
    fn an_array_of_another_layout_is_another_array() {
        let domain = SmashDomain::new(BoxDomain);
        let one = with_array(&domain, A, 2);
        let mut two = with_array(&domain, A, 2);
        two.create_array(A, &[F], Var::scalar(10));
        assert!(!one.leq(&two) && !two.leq(&one));
        two.join_with(&one);
        assert!(two.facts().arrays.is_empty());
    }

    #[test]
    fn a_length_that_changes_ends_the_array() {
        let mut state = with_array(&SmashDomain::new(BoxDomain), A, 1);
        state.fill(A, F, &number(1));
        state.assign(Var::scalar(10), &number(2));
        assert_eq!(value(&state, &cell(A, &number(1))), "(-oo, +oo)");
    }

    #[test]
    fn facts_list_scalars_and_cells_apart() {
        let mut state = with_array(&SmashDomain::new(BoxDomain), A, 2);
        state.fill(A, F, &number(1));
        let facts = state.facts();
        assert_eq!(facts.scalars, [Constraint::eq(&scalar(10), &number(2)).unwrap()]);
        let group = &facts.arrays[0].groups[0];
        assert_eq!(group.fields, [(F, Var::summary(A, F)), (G, Var::summary(A, G))]);
        let cell = LinearExpr::var(Var::summary(A, F));
        assert_eq!(group.constraints, [Constraint::eq(&cell, &number(1)).unwrap()]);
        state.assume(&Constraint::non_negative(number(-1)));
        assert!(state.facts().unreachable);
    }
}
