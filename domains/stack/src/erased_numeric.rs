//! [`AnyNumeric`] and [`AnyElement`]: a numeric domain and its elements whose type is known at run
//! time only. A domain for arrays from outside is built on it. So it can be put on every numeric
//! domain, including those from outside.
//!
//! **Meaning.** That of the domain inside.
//!
//! **Representation.** See [`crate::erase`].
//!
//! **Sources, and where we differ.** None needed.
//!
//! **Limits.** One allocation for each copy of an element, one indirect call for each operation.

use crate::erase::erase;
use smalti_core::{Constraint, Interval, LinearExpr, Numeric, NumericDomain, Var};
use std::collections::BTreeSet;
use std::fmt;

erase! {
    /// Any numeric domain. Copies share it.
    domain AnyNumeric: NumericDomain;
    /// An element of any numeric domain.
    element AnyElement: Numeric;
    mixed "both elements come from the same domain";
    passes {
        fn forget(&mut self, vars: &[Var]);
        fn related(&self, vars: &[Var]) -> Vec<Var>;
        fn tied(&self, vars: &[Var]) -> Vec<Var>;
        fn assign(&mut self, v: Var, e: &LinearExpr);
        fn assume(&mut self, c: &Constraint);
        fn expand(&mut self, v: Var, copy: Var);
        fn fold(&mut self, into: Var, from: Var);
        fn rename(&mut self, pairs: &[(Var, Var)]);
        fn bounds(&self, e: &LinearExpr) -> Option<Interval>;
        fn distance(&self, x: Var, y: Option<Var>) -> Interval;
        fn distances(&self, xs: &[Var], ys: &[Var]) -> Vec<Interval>;
        fn entails(&self, c: &Constraint) -> bool;
        fn constraints(&self) -> Vec<Constraint>;
        fn vars(&self) -> Vec<Var>;
    }
    declared {
        fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
        fn project(&self, keep: &BTreeSet<Var>) -> Box<dyn Erased>;
        fn leq_over(&self, other: &dyn Erased, asked: &dyn Fn(Var) -> bool) -> bool;
        fn meet_with(&mut self, other: &dyn Erased);
    }
    inside {
        fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }

        fn project(&self, keep: &BTreeSet<Var>) -> Box<dyn Erased> {
            Box::new(Inside(self.0.project(keep)))
        }

        fn leq_over(&self, other: &dyn Erased, asked: &dyn Fn(Var) -> bool) -> bool {
            self.0.leq_over(Self::same(other), asked)
        }

        fn meet_with(&mut self, other: &dyn Erased) {
            self.0.meet_with(Self::same(other));
        }
    }
    outside {
        fn project(&self, keep: &BTreeSet<Var>) -> Self {
            AnyElement(self.0.project(keep))
        }

        fn leq_over(&self, other: &Self, asked: &dyn Fn(Var) -> bool) -> bool {
            self.0.leq_over(&*other.0, asked)
        }

        fn meet_with(&mut self, other: &Self) {
            self.0.meet_with(&*other.0);
        }
    }
}

impl fmt::Debug for AnyElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_box::BoxDomain;
    use smalti_core::Lattice;
    use smalti_octagon::OctagonDomain;

    #[test]
    fn the_laws_hold() {
        smalti_core::laws::numeric(&AnyNumeric::new(OctagonDomain));
    }

    #[test]
    #[should_panic(expected = "both elements come from the same domain")]
    fn elements_of_two_domains_do_not_mix() {
        let (a, b) = (AnyNumeric::new(BoxDomain).top(), AnyNumeric::new(OctagonDomain).top());
        _ = a.leq(&b);
    }

    #[test]
    fn debug_shows_what_is_inside() {
        let domain = AnyNumeric::new(BoxDomain);
        assert_eq!(format!("{domain:?}"), "AnyNumeric(\"box\")");
        assert_eq!(format!("{:?}", domain.bottom()), "Bottom");
    }
}
