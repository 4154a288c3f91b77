//! Types are erased in this crate and nowhere else: [`AnyDomain`] and [`AnyState`] are a memory
//! domain and its elements whose type is known at run time only.
//!
//! **Meaning.** That of the domain inside.
//!
//! **Representation.** A boxed element. Both sides of a binary operation come from the same stack,
//! which is checked: two different ones are a bug of the caller and panic.
//!
//! **Sources, and where we differ.** None needed.
//!
//! **Limits.** One allocation for each copy of a state.

use smalti_core::{
    ArrayId, Cell, CellsFact, Constraint, Facts, FieldId, Interval, Lattice, LinearExpr, Memory, MemoryDomain,
    Subjects, Thresholds, Var,
};
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// Any memory domain. Copies share it.
#[derive(Clone)]
pub struct AnyDomain {
    name: Rc<str>,
    domain: Rc<dyn ErasedDomain>,
}

impl AnyDomain {
    /// `domain`, its type forgotten.
    pub fn new<D: MemoryDomain + 'static>(domain: D) -> Self {
        AnyDomain { name: domain.name().into(), domain: Rc::new(domain) }
    }

    /// The same domain, called `name`.
    pub(crate) fn named(self, name: &str) -> Self {
        AnyDomain { name: name.into(), ..self }
    }
}

impl fmt::Debug for AnyDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyDomain").field(&self.name()).finish()
    }
}

impl MemoryDomain for AnyDomain {
    type Element = AnyState;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn top(&self) -> AnyState {
        self.domain.erased_top()
    }

    fn bottom(&self) -> AnyState {
        self.domain.erased_bottom()
    }
}

/// The methods that [`AnyDomain`] needs of the domain inside. They have names of their own, so that
/// they hide none of its methods.
trait ErasedDomain {
    fn erased_top(&self) -> AnyState;
    fn erased_bottom(&self) -> AnyState;
}

impl<D: MemoryDomain + 'static> ErasedDomain for D {
    fn erased_top(&self) -> AnyState {
        AnyState(Box::new(Inside(self.top())))
    }

    fn erased_bottom(&self) -> AnyState {
        AnyState(Box::new(Inside(self.bottom())))
    }
}

/// An element of any memory domain.
pub struct AnyState(Box<dyn Erased>);

/// An element, so that [`Erased`] is implemented for nothing that has methods of the same names.
struct Inside<M>(M);

impl<M: Memory + 'static> Inside<M> {
    fn same(other: &dyn Erased) -> &M {
        let inside: Option<&Inside<M>> = other.as_any().downcast_ref();
        &inside.expect("both states come from the same stack").0
    }
}

/// [`Memory`] without its own type in its signatures.
trait Erased {
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn Erased>;
    fn is_bottom(&self) -> bool;
    fn leq(&self, other: &dyn Erased) -> bool;
    fn leq_at_once(&self, other: &dyn Erased) -> bool;
    fn join_with(&mut self, other: &dyn Erased);
    /// `self` is the previous iterate.
    fn widen(&self, next: &dyn Erased, thresholds: &Thresholds) -> Box<dyn Erased>;
    fn assign(&mut self, v: Var, e: &LinearExpr);
    fn forget(&mut self, vars: &[Var]);
    fn assume(&mut self, c: &Constraint);
    fn bounds(&self, e: &LinearExpr) -> Option<Interval>;
    fn entails(&self, c: &Constraint) -> bool;
    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var);
    fn drop_array(&mut self, array: ArrayId);
    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr);
    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval);
    fn read(&mut self, dst: Var, cell: &Cell);
    fn write(&mut self, cell: &Cell, value: &LinearExpr);
    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr);
    fn assume_cells(&mut self, fact: &CellsFact);
    fn facts(&self) -> Facts;
    fn subjects(&self) -> Subjects;
    fn restricted(&self, to: &Subjects) -> Box<dyn Erased>;
}

impl<M: Memory + 'static> Erased for Inside<M> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn Erased> {
        Box::new(Inside(self.0.clone()))
    }

    fn is_bottom(&self) -> bool {
        self.0.is_bottom()
    }

    fn leq(&self, other: &dyn Erased) -> bool {
        self.0.leq(Self::same(other))
    }

    fn leq_at_once(&self, other: &dyn Erased) -> bool {
        self.0.leq_at_once(Self::same(other))
    }

    fn join_with(&mut self, other: &dyn Erased) {
        self.0.join_with(Self::same(other));
    }

    fn widen(&self, next: &dyn Erased, thresholds: &Thresholds) -> Box<dyn Erased> {
        Box::new(Inside(M::widen(&self.0, Self::same(next), thresholds)))
    }

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

    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var) {
        self.0.create_array(array, fields, length);
    }

    fn drop_array(&mut self, array: ArrayId) {
        self.0.drop_array(array);
    }

    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr) {
        self.0.fill(array, field, value);
    }

    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval) {
        self.0.weaken(array, field, range);
    }

    fn read(&mut self, dst: Var, cell: &Cell) {
        self.0.read(dst, cell);
    }

    fn write(&mut self, cell: &Cell, value: &LinearExpr) {
        self.0.write(cell, value);
    }

    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr) {
        self.0.assume_cell(cell, value);
    }

    fn assume_cells(&mut self, fact: &CellsFact) {
        self.0.assume_cells(fact);
    }

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn subjects(&self) -> Subjects {
        self.0.subjects()
    }

    fn restricted(&self, to: &Subjects) -> Box<dyn Erased> {
        Box::new(Inside(self.0.restricted(to)))
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState(self.0.copy())
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts().fmt(f)
    }
}

impl Lattice for AnyState {
    fn is_bottom(&self) -> bool {
        self.0.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.0.leq(&*other.0)
    }

    fn leq_at_once(&self, other: &Self) -> bool {
        self.0.leq_at_once(&*other.0)
    }

    fn join_with(&mut self, other: &Self) {
        self.0.join_with(&*other.0);
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        AnyState(prev.0.widen(&*next.0, thresholds))
    }
}

impl Memory for AnyState {
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

    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var) {
        self.0.create_array(array, fields, length);
    }

    fn drop_array(&mut self, array: ArrayId) {
        self.0.drop_array(array);
    }

    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr) {
        self.0.fill(array, field, value);
    }

    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval) {
        self.0.weaken(array, field, range);
    }

    fn read(&mut self, dst: Var, cell: &Cell) {
        self.0.read(dst, cell);
    }

    fn write(&mut self, cell: &Cell, value: &LinearExpr) {
        self.0.write(cell, value);
    }

    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr) {
        self.0.assume_cell(cell, value);
    }

    fn assume_cells(&mut self, fact: &CellsFact) {
        self.0.assume_cells(fact);
    }

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn subjects(&self) -> Subjects {
        self.0.subjects()
    }

    fn restricted(&self, to: &Subjects) -> Self {
        AnyState(self.0.restricted(to))
    }
}

#[cfg(test)]
mod tests {
    use crate::open;
    use smalti_core::{Lattice, MemoryDomain};

    #[test]
    #[should_panic(expected = "both states come from the same stack")]
    fn states_of_two_stacks_do_not_mix() {
        let (a, b) = (open("box").unwrap().top(), open("smash/box").unwrap().top());
        _ = a.leq(&b);
    }

    #[test]
    fn debug_shows_what_is_known() {
        let domain = open("smash/box").unwrap();
        assert_eq!(format!("{domain:?}"), "AnyDomain(\"smash/box\")");
        assert!(format!("{:?}", domain.bottom()).contains("unreachable: true"));
    }
}
