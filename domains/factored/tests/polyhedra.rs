//! Polyhedra in factors against polyhedra in one piece.

use apron_sys::Library;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use smalti_apron::{ApronDomain, ApronElement, Kind};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};
use smalti_factored::{Factored, FactoredDomain};

/// The domain, or `None` where APRON is not on the machine (which fails in CI).
fn domain() -> Option<FactoredDomain<ApronDomain>> {
    Library::for_test()?;
    Some(FactoredDomain::new(ApronDomain::new(Kind::Polyhedra).unwrap()))
}

fn v(k: u32) -> Var {
    Var::scalar(k)
}

fn expr(terms: &[(u32, i128)], constant: i128) -> LinearExpr {
    LinearExpr::new(terms.iter().map(|(k, c)| (v(*k), *c)), constant).unwrap()
}

fn ge(terms: &[(u32, i128)], constant: i128) -> Constraint {
    Constraint::non_negative(expr(terms, constant))
}

fn such_that<D: NumericDomain>(domain: &D, constraints: &[Constraint]) -> D::Element {
    let mut element = domain.top();
    constraints.iter().for_each(|c| element.assume(c));
    element
}

fn sizes(element: &Factored<ApronElement>) -> Vec<usize> {
    element.factors().map(<[Var]>::len).collect()
}

#[test]
fn variables_that_nothing_connects_are_apart() {
    let Some(domain) = domain() else { return };
    // In one piece this has 2^40 corners.
    let bounds: Vec<Constraint> = (0..40).flat_map(|k| [ge(&[(k, 1)], 0), ge(&[(k, -1)], 9)]).collect();
    let mut element = such_that(&domain, &bounds);
    assert_eq!(sizes(&element), [1; 40]);
    let sum = LinearExpr::new((0..40).map(|k| (v(k), 1)), 1).unwrap();
    assert_eq!(element.bounds(&sum), Some(Interval::finite(1, 361)));
    element.assume(&ge(&[(3, 1), (5, -1), (7, 2)], 0));
    assert_eq!(element.factors().filter(|f| f.len() > 1).collect::<Vec<_>>(), [[v(3), v(5), v(7)]]);
    element.forget(&[v(7)]);
    assert_eq!(sizes(&element), [1; 39], "without the third nothing connects the two");
    assert_eq!(domain.below().exceptions(), 0);
}

#[test]
fn a_variable_with_one_value_is_apart() {
    let Some(domain) = domain() else { return };
    let mut element = such_that(&domain, &[ge(&[(0, 1), (1, -1), (2, -1)], 0), ge(&[(1, 1), (2, -1)], 3)]);
    assert_eq!(sizes(&element), [3]);
    element.assume(&Constraint::eq(&expr(&[(2, 1)], 0), &LinearExpr::constant(4)).unwrap());
    assert_eq!(sizes(&element), [2, 1]);
    assert!(element.entails(&ge(&[(0, 1), (1, -1)], -4)));
}

#[test]
fn a_join_connects_what_differs_and_nothing_else() {
    let Some(domain) = domain() else { return };
    let at = |x: i128, y: i128| {
        let mut element = such_that(&domain, &[ge(&[(2, 1), (3, -1)], 0), ge(&[(4, 1)], 0)]);
        element.assign(v(0), &LinearExpr::constant(x));
        element.assign(v(1), &LinearExpr::constant(y));
        element
    };
    let mut joined = at(0, 10);
    joined.join_with(&at(5, 20));
    assert_eq!(joined.factors().collect::<Vec<_>>(), [&[v(0), v(1)][..], &[v(2), v(3)], &[v(4)]]);
    // y = 2x + 10
    assert!(joined.entails(&Constraint::eq(&expr(&[(1, 1)], 0), &expr(&[(0, 2)], 10)).unwrap()));
}

#[test]
fn a_variable_that_widening_frees_is_gone() {
    let Some(domain) = domain() else { return };
    // In this order, so that the bounds of x are no factor before the widening makes them one.
    let apart_by = |most: i128| {
        let distance = [ge(&[(1, 1), (0, -1)], most), ge(&[(1, -1), (0, 1)], most)];
        such_that(&domain, &[distance, [ge(&[(0, 1)], 0), ge(&[(0, -1)], 10)]].concat())
    };
    let (prev, mut next) = (apart_by(0), apart_by(5));
    next.join_with(&prev);
    let mut widened = Factored::widen(&prev, &next, &Thresholds::default());
    assert_eq!(widened.factors().collect::<Vec<_>>(), [[v(0)]]);
    widened.forget(&[v(1)]);
    widened.rename(&[(v(0), v(1))]);
    assert_eq!(widened.bounds(&expr(&[(1, 1)], 0)), Some(Interval::finite(0, 10)));
}

#[test]
fn a_side_without_integers_adds_nothing_to_a_join() {
    let Some(domain) = domain() else { return };
    let eq = |terms: &[(u32, i128)], c| Constraint { expr: expr(terms, c), relation: Relation::Zero };
    // An even number that is odd, which shows when the others are projected away.
    let empty = such_that(&domain, &[eq(&[(0, 1), (1, -2)], 0), eq(&[(0, 1), (2, -2)], -1), ge(&[(3, 1)], 0)]);
    let known = such_that(&domain, &[ge(&[(1, 1)], 0), ge(&[(2, 1)], 0), ge(&[(3, 1)], -5)]);
    let mut joined = known.clone();
    joined.join_with(&empty);
    assert!(joined.entails(&ge(&[(3, 1)], 0)), "{joined:?}");
    assert!(known.leq(&joined));
}

#[test]
#[should_panic(expected = "different domains")]
fn elements_of_two_domains_are_not_compared() {
    let (Some(one), Some(other)) = (domain(), domain()) else { panic!("different domains: there are none") };
    let at_least = |domain, c| such_that(domain, &[ge(&[(0, 1)], c)]);
    _ = at_least(&one, 0).leq(&at_least(&other, -5));
}

/// One step on both; what it was, for messages.
fn step(random: &mut StdRng, ours: &mut Factored<ApronElement>, whole: &mut ApronElement) -> String {
    let any = |random: &mut StdRng| v(random.random_range(0..6));
    let sum = |random: &mut StdRng| {
        let terms: Vec<_> =
            (0..random.random_range(0..3)).map(|_| (any(random), random.random_range(-2..=2))).collect();
        LinearExpr::new(terms, random.random_range(-4..=4)).unwrap()
    };
    match random.random_range(0..6) {
        0 => {
            let gone = [any(random)];
            ours.forget(&gone);
            whole.forget(&gone);
            format!("forget {gone:?}")
        }
        1 | 2 => {
            let (x, e) = (any(random), sum(random));
            ours.assign(x, &e);
            whole.assign(x, &e);
            format!("{x:?} := {e:?}")
        }
        3 | 4 => {
            let relation = *[Relation::NonNegative, Relation::NonNegative, Relation::Zero].choose(random).unwrap();
            let c = Constraint { expr: sum(random), relation };
            ours.assume(&c);
            whole.assume(&c);
            format!("assume {c:?}")
        }
        _ => {
            let (into, from) = (any(random), any(random));
            if into != from {
                ours.fold(into, from);
                whole.fold(into, from);
            }
            format!("fold {from:?} into {into:?}")
        }
    }
}

#[test]
fn nothing_is_lost_against_one_piece() {
    let Some(domain) = domain() else { return };
    let mut compared = 0;
    for seed in 0..400 {
        let random = &mut StdRng::seed_from_u64(seed);
        let mut before: Option<(Factored<ApronElement>, ApronElement)> = None;
        let (mut ours, mut whole) = (domain.top(), domain.below().top());
        let mut done = Vec::new();
        for _ in 0..14 {
            done.push(step(random, &mut ours, &mut whole));
            if random.random_ratio(1, 4) {
                if let Some((a, b)) = before.take() {
                    ours.join_with(&a);
                    whole.join_with(&b);
                    done.push("join".to_string());
                }
                before = Some((ours.clone(), whole.clone()));
            }
            // Rounding to integers may find one of them empty before the other.
            if ours.is_bottom() || whole.is_bottom() {
                break;
            }
            compared += 1;
            let again = such_that(domain.below(), &ours.constraints());
            assert!(again.leq(&whole), "seed {seed}: {done:#?}\nin factors {ours:?}\nin one piece {whole:?}");
        }
    }
    assert!(compared > 2_000, "{compared} comparisons");
}
