//! [`AnyDomain`] and [`AnyState`]: a memory domain and its elements whose type is known at run time
//! only.
//!
//! **Meaning.** That of the domain inside.
//!
//! **Representation.** See [`crate::erase`].
//!
//! **Sources, and where we differ.** None needed.
//!
//! **Limits.** One allocation for each copy of a state.

use crate::erase::erase;
use smalti_core::{
    ArrayId, Cell, CellsFact, Constraint, Facts, FieldId, Interval, LinearExpr, Memory, MemoryDomain, Subjects, Var,
};
use std::fmt;

erase! {
    /// Any memory domain. Copies share it.
    domain AnyDomain: MemoryDomain;
    /// An element of any memory domain.
    element AnyState: Memory;
    mixed "both states come from the same stack";
    passes {
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
    }
    declared {
        fn restricted(&self, to: &Subjects) -> Box<dyn Erased>;
    }
    inside {
        fn restricted(&self, to: &Subjects) -> Box<dyn Erased> {
            Box::new(Inside(self.0.restricted(to)))
        }
    }
    outside {
        fn restricted(&self, to: &Subjects) -> Self {
            AnyState(self.0.restricted(to))
        }
    }
}

impl AnyDomain {
    /// The same domain, called `name`.
    pub(crate) fn named(self, name: &str) -> Self {
        AnyDomain { name: name.into(), ..self }
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts().fmt(f)
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
