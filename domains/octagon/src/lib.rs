//! Octagons over the integers, `octagon`: conjunctions of `±x ± y <= c`.
//!
//! **Meaning.** γ of an octagon is the set of all valuations by integers that satisfy all of its
//! bounds; a variable that it does not mention is unconstrained. γ of bottom is empty.
//!
//! **Representation.** Independent parts (`parts`), each a few variables with a dense half matrix
//! (`part`): `x` has the two nodes `x` and `-x`, and entry `(i, j)` bounds node `j` less node `i`.
//! Between parts, only the facts that follow from the bounds of single variables are known. Every
//! part is always tightly closed, so queries only read entries. Parts are shared between copies,
//! and so is the list of them, so a copy costs two counters, and joining or comparing two copies
//! costs the parts in which they differ. Only the result of a widening carries, beside its closure,
//! the unclosed iterate, for the next widening.
//!
//! **Sources, and where we differ.** Miné, "The octagon abstract domain", HOSC 19, 2006: half
//! matrices, closure, transfer functions, widening. Bagnara, Hill, Zaffanella, "Weakly-relational
//! shapes for numeric abstractions: improved algorithms and proofs of correctness", FMSD 35, 2009:
//! tight closure over the integers in cubic time, and in quadratic time after one constraint.
//! Singh, Püschel, Vechev, "Making numerical program analysis fast", PLDI 2015: decomposition and
//! vector instructions; here the decomposition is kept exact at joins (see `parts`), and a bound
//! that follows from those of single variables connects nothing, nor does it stop at a threshold
//! when it is widened. *Expand* and *fold* are those of Gopan, DiMaio, Dor, Reps, Sagiv, TACAS
//! 2004.
//!
//! **Limits.** Bounds beyond 2^60 in magnitude are given up, or weakened to 2^60 where they are
//! negative (so bounds of single variables beyond 2^59). A join relates at most 100 variables only
//! because their bounds differ between its sides.

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

    /// A number below `n` that looks random, the same in each run.
    fn below(seed: &mut u64, n: u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % n
    }

    /// An octagon over some of the variables from `first` to `first + count`.
    fn octagon(seed: &mut u64, first: u64, count: u64) -> Octagon {
        let mut state = OctagonDomain.top();
        for _ in 0..2 * count {
            let mut literal = || (Var::scalar((first + below(seed, count)) as u32), [1, -1][below(seed, 2) as usize]);
            let (a, b) = (literal(), literal());
            let Some(e) = LinearExpr::new([a, b], i128::from(below(seed, 30)) - 8) else { continue };
            let mut next = state.clone();
            next.assume(&Constraint::non_negative(e));
            if !next.is_bottom() {
                state = next;
            }
        }
        state
    }

    #[test]
    fn a_meet_says_what_the_constraints_of_one_say_to_the_other_one_by_one() {
        let mut seed = 3;
        let mut empty = 0;
        for round in 0..2_000 {
            // They share some variables, none, or all.
            let (a, b) = (octagon(&mut seed, 0, 7), octagon(&mut seed, round % 9, 5));
            let mut met = a.clone();
            met.meet_with(&b);
            let mut one_by_one = a.clone();
            b.constraints().iter().for_each(|c| one_by_one.assume(c));
            assert_eq!(met.is_bottom(), one_by_one.is_bottom(), "{a:?} and {b:?}");
            assert!(met.leq(&one_by_one) && one_by_one.leq(&met), "{a:?} and {b:?}: {met:?}, not {one_by_one:?}");
            // What is closed says the same again.
            let mut again = met.clone();
            again.meet_with(&a);
            again.meet_with(&b);
            assert!(again.leq(&met) && met.leq(&again), "{met:?} and {again:?}");
            empty += usize::from(met.is_bottom());
        }
        assert!((100..1_900).contains(&empty), "{empty} of the meets are empty");
    }

    #[test]
    fn a_distance_is_what_the_bounds_of_the_difference_are() {
        let mut seed = 5;
        for _ in 0..200 {
            let state = octagon(&mut seed, 0, 6);
            for (x, y) in (0..7).flat_map(|x| (0..7).map(move |y| (Var::scalar(x), Var::scalar(y)))) {
                let bounds = |e: &LinearExpr| state.bounds(e).unwrap();
                assert_eq!(state.distance(x, None), bounds(&LinearExpr::var(x)));
                let difference = LinearExpr::var(x).sub(&LinearExpr::var(y)).unwrap();
                assert_eq!(state.distance(x, Some(y)), bounds(&difference), "{x:?} - {y:?} in {state:?}");
            }
        }
    }

    #[test]
    fn a_table_of_distances_has_each_of_them() {
        let mut seed = 11;
        for _ in 0..200 {
            let state = octagon(&mut seed, 0, 6);
            let (xs, ys) = ([2, 0, 6].map(Var::scalar), [1, 0, 5, 6, 3].map(Var::scalar));
            let one_by_one = xs.iter().flat_map(|x| {
                std::iter::once(state.distance(*x, None)).chain(ys.iter().map(|y| state.distance(*x, Some(*y))))
            });
            assert_eq!(state.distances(&xs, &ys), one_by_one.collect::<Vec<_>>(), "{state:?}");
        }
    }

    #[test]
    fn inclusion_over_some_variables_is_inclusion_in_the_projection() {
        let mut seed = 13;
        let mut holds = 0;
        for round in 0..2_000u64 {
            let mut a = octagon(&mut seed, 0, 6);
            let b = octagon(&mut seed, round % 3, 5);
            if round % 2 == 0 {
                a.meet_with(&b);
            }
            let asked = |v: Var| below(&mut (round ^ v.0), 3) > 0;
            let kept = b.vars().into_iter().filter(|v| asked(*v)).collect();
            let expected = a.leq(&b.project(&kept));
            assert_eq!(a.leq_over(&b, &asked), expected, "{a:?} and {b:?}");
            // Bounds are read elsewhere than inclusion reads them.
            let each_holds = b.project(&kept).constraints().iter().all(|c| a.entails(c));
            assert_eq!(expected, each_holds, "{a:?} and {b:?}");
            holds += u64::from(expected);
        }
        assert!((1_000..1_900).contains(&holds), "{holds}");
    }

    #[test]
    fn what_is_not_tied_follows_from_bounds() {
        let mut seed = 17;
        let mut loose = 0;
        for _ in 0..500 {
            let state = octagon(&mut seed, 0, 6);
            let v = Var::scalar(below(&mut seed, 6) as u32);
            let tied = state.tied(&[v]);
            for w in state.related(&[v]).into_iter().filter(|w| *w != v && !tied.contains(w)) {
                let bounds = |e: LinearExpr| state.bounds(&e).unwrap();
                let (x, y) = (LinearExpr::var(v), LinearExpr::var(w));
                let alone = |e: &LinearExpr| bounds(e.clone());
                assert!(alone(&x).sub(alone(&y)).is_subset(bounds(x.sub(&y).unwrap())), "{v:?} {w:?} {state:?}");
                assert!(alone(&x).add(alone(&y)).is_subset(bounds(x.add(&y).unwrap())), "{v:?} {w:?} {state:?}");
                loose += 1;
            }
        }
        assert!(loose > 50, "{loose}");
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
