//! Octagons over the integers, `octagon`: conjunctions of `±x ± y <= c`.
//!
//! **Meaning.** γ of an octagon is the set of all valuations by integers that satisfy all of its bounds; a variable that it does not
//! mention is unconstrained. γ of bottom is empty.
//!
//! **Representation.** Independent parts (`parts`), each a few variables with a dense half matrix (`part`): `x` has the two nodes
//! `x` and `-x`, and entry `(i, j)` bounds node `j` less node `i`. Between parts nothing is known but what follows from the
//! bounds of the single variables. Every part is tightly closed, always: queries read entries off. Parts are shared between copies,
//! and so is the list of them, so a copy costs two counters, and joining or comparing two copies costs the parts in which they
//! differ. Only the result of a widening carries, beside its closure, the unclosed iterate, for the next widening.
//!
//! **Sources, and where we differ.** Miné, "The octagon abstract domain", HOSC 19, 2006: half matrices, closure, transfer
//! functions, widening. Bagnara, Hill, Zaffanella, "Weakly-relational shapes for numeric abstractions: improved algorithms and
//! proofs of correctness", FMSD 35, 2009: tight closure over the integers in cubic time, and in quadratic time after one
//! constraint. Singh, Püschel, Vechev, "Making numerical program analysis fast", PLDI 2015: decomposition and vector instructions; here the decomposition
//! is kept exact at joins (see `parts`), and a bound that follows from those of single variables connects nothing, nor does it stop at a
//! threshold when it is widened. *Expand* and
//! *fold* are those of Gopan, DiMaio, Dor, Reps, Sagiv, TACAS 2004.
//!
//! **Limits.** Bounds beyond 2^60 in magnitude are given up, or weakened to 2^60 where they are negative (so bounds of single variables
//! beyond 2^59). A join relates at most 100 variables only because their bounds differ between its sides.

mod dispatch;
mod element;
mod kernel;
mod linear;
mod part;
mod parts;

pub use element::Octagon;

use smalti_core::NumericDomain;

/// Makes octagons.
#[derive(Clone, Copy, Debug, Default)]
pub struct OctagonDomain;

impl NumericDomain for OctagonDomain {
    type Element = Octagon;

    fn name(&self) -> String {
        "octagon".into()
    }

    fn top(&self) -> Octagon {
        Octagon::top()
    }

    fn bottom(&self) -> Octagon {
        Octagon::bottom()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_core::{Constraint, Lattice, LinearExpr, Numeric, Thresholds, Var, laws};

    #[test]
    fn the_laws_hold() {
        laws::numeric(&OctagonDomain);
    }

    #[test]
    fn what_single_bounds_imply_does_not_climb_over_thresholds() {
        let (x, y) = (LinearExpr::var(Var::scalar(0)), LinearExpr::var(Var::scalar(1)));
        let number = LinearExpr::constant;
        let mut state = OctagonDomain.top();
        let sum = x.add(&y).unwrap();
        for c in [Constraint::eq(&sum, &number(24)), Constraint::ge(&x, &number(1)), Constraint::le(&x, &number(2))] {
            state.assume(&c.unwrap());
        }
        let thresholds = Thresholds::new([-1, 0, 1, 2, i32::MAX.into()]);
        let mut widenings = 0;
        loop {
            let mut next = state.clone();
            next.assume(&Constraint::lt(&x, &number(24)).unwrap());
            next.assign(Var::scalar(0), &x.add_constant(1).unwrap());
            next.assign(Var::scalar(1), &y.add_constant(-1).unwrap());
            if next.leq(&state) {
                break;
            }
            next.join_with(&state);
            state = Octagon::widen(&state, &next, &thresholds);
            widenings += 1;
        }
        // The bound of `y` goes to 2, 1, 0. (With those of the difference it would be five.)
        assert!(widenings <= 3, "{widenings} widenings");
        assert!(state.entails(&Constraint::eq(&sum, &number(24)).unwrap()));
        assert_eq!(state.bounds(&x).and_then(|b| b.hi()), Some(24));
    }
}
