//! Compares random operations with APRON's octagons and with sets of points.
//!
//! Both sides start from the same constraints. After one operation our octagon must contain every
//! point that the operation makes from the initial points, and each of its octagonal bounds must be
//! at least as good as APRON's. (Ours may be better: APRON's octagons are over the reals.) A
//! widening is compared only with its arguments.
//!
//! `SMALTI_OCTAGON_RUNS=1000000 cargo test -p smalti-octagon --release --test against_apron` tries
//! that many operations.

use smalti_apron::{ApronDomain, ApronElement, Kind};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};
use smalti_octagon::{Octagon, OctagonDomain};

/// Numbers that look random, the same in each run (a linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn between(&mut self, lo: i128, hi: i128) -> i128 {
        lo + i128::from(self.below((hi - lo + 1) as u64))
    }
}

fn runs() -> u64 {
    std::env::var("SMALTI_OCTAGON_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000)
}

fn var(n: usize) -> Var {
    Var::scalar(n as u32)
}

fn expr(terms: impl IntoIterator<Item = (usize, i128)>, c: i128) -> LinearExpr {
    LinearExpr::new(terms.into_iter().map(|(n, k)| (var(n), k)), c).unwrap()
}

/// All octagonal expressions without constant.
fn octagonal(n: usize) -> Vec<LinearExpr> {
    let mut all = Vec::new();
    for i in 0..n {
        all.push(expr([(i, 1)], 0));
        for j in 0..i {
            all.extend([expr([(i, 1), (j, 1)], 0), expr([(i, 1), (j, -1)], 0)]);
        }
    }
    all
}

/// A constraint on at most `most` variables, octagonal if that is asked for.
fn constraint(r: &mut Random, n: usize, octagonal: bool) -> Constraint {
    let most = if octagonal { 2 } else { 4 };
    let terms: Vec<(usize, i128)> = (0..=r.below(most - 1))
        .map(|_| (r.below(n as u64) as usize, if octagonal { [1, -1][r.below(2) as usize] } else { r.between(-3, 3) }))
        .collect();
    let relation = match r.below(if octagonal { 5 } else { 8 }) {
        0 => Relation::Zero,
        5 => Relation::NonZero,
        _ => Relation::NonNegative,
    };
    let e = expr(terms, r.between(-4, 6));
    // Twice a variable is not octagonal any more.
    if octagonal && e.terms().iter().any(|t| t.1.abs() > 1) {
        return Constraint::non_negative(expr([], 1));
    }
    Constraint { expr: e, relation }
}

fn linear(r: &mut Random, n: usize) -> LinearExpr {
    let count = r.below(4);
    let terms: Vec<(usize, i128)> = (0..count)
        .map(|_| {
            (r.below(n as u64) as usize, if r.below(3) > 0 { [1, -1][r.below(2) as usize] } else { r.between(-3, 3) })
        })
        .collect();
    expr(terms, r.between(-4, 4))
}

fn build<D: NumericDomain>(domain: &D, start: &[Constraint]) -> D::Element {
    let mut element = domain.top();
    start.iter().for_each(|c| element.assume(c));
    element
}

#[derive(Clone, Debug)]
enum Operation {
    Assume(Constraint),
    Assign(usize, LinearExpr),
    Forget(usize),
    Join(Vec<Constraint>),
    Meet(Vec<Constraint>),
    Expand(usize, usize),
    Fold(usize, usize),
    Rename(usize, usize),
}

use Operation::{Assign, Assume, Expand, Fold, Forget, Join, Meet, Rename};

fn operation(r: &mut Random, n: usize) -> Operation {
    let v = r.below(n as u64) as usize;
    let w = (v + 1 + r.below(n as u64 - 1) as usize) % n;
    match r.below(9) {
        0 => Assume(constraint(r, n, false)),
        1 => Assume(constraint(r, n, true)),
        2 | 3 => Assign(v, linear(r, n)),
        4 => Forget(v),
        5 => Join((0..n as u64).map(|_| constraint(r, n, true)).collect()),
        6 => Meet((0..n as u64 / 2).map(|_| constraint(r, n, true)).collect()),
        7 => Expand(v, n),
        _ if r.below(2) == 0 => Rename(v, n),
        _ => Fold(v, w),
    }
}

fn apply<D: NumericDomain>(domain: &D, element: &mut D::Element, operation: &Operation) {
    match operation {
        Assume(c) => element.assume(c),
        Assign(v, e) => element.assign(var(*v), e),
        Forget(v) => element.forget(&[var(*v)]),
        Join(start) => element.join_with(&build(domain, start)),
        Meet(start) => element.meet_with(&build(domain, start)),
        Expand(v, w) => element.expand(var(*v), var(*w)),
        Fold(v, w) => element.fold(var(*v), var(*w)),
        Rename(v, w) => element.rename(&[(var(*v), var(*w))]),
    }
}

/// `ours` is at least as good as `theirs`; the first bound that is not.
fn worse(ours: &Octagon, theirs: &ApronElement, n: usize) -> Option<String> {
    let show = |b: Option<Interval>| b.map_or("bottom".to_owned(), |i| i.to_string());
    octagonal(n).into_iter().find_map(|e| {
        let (a, b) = (ours.bounds(&e), theirs.bounds(&e));
        let good = match (a, b) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a.is_subset(b),
        };
        (!good).then(|| format!("{e:?}: {} against {}", show(a), show(b)))
    })
}

#[test]
fn one_operation_is_at_least_as_precise_as_apron() {
    let apron = match ApronDomain::new(Kind::Octagon) {
        Ok(domain) => domain,
        Err(error) => {
            assert!(apron_sys::Library::for_test().is_none());
            println!("skipped: {error}");
            return;
        }
    };
    for run in 0..runs() {
        let mut r = Random(run);
        let n = 2 + r.below(6) as usize;
        let start: Vec<Constraint> = (0..r.below(3 * n as u64)).map(|_| constraint(&mut r, n, true)).collect();
        let operation = operation(&mut r, n);
        let (mut ours, mut theirs) = (build(&OctagonDomain, &start), build(&apron, &start));
        assert_eq!(worse(&ours, &theirs, n), None, "run {run}: the start {start:?}");
        apply(&OctagonDomain, &mut ours, &operation);
        apply(&apron, &mut theirs, &operation);
        assert_eq!(worse(&ours, &theirs, n + 1), None, "run {run}: {start:?} then {operation:?}");
        // The order agrees with what is known.
        let again = build(&OctagonDomain, &ours.constraints());
        assert!(ours.is_bottom() == again.is_bottom() && ours.leq(&again) && again.leq(&ours), "run {run}: {ours:?}");
    }
}

/// All points of a box of side 7 around 0 in `n` dimensions that satisfy the constraints.
fn points(n: usize, constraints: &[Constraint]) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|p| {
                (-3..=3).map(move |x| {
                    let mut q = p.clone();
                    q.push(x);
                    q
                })
            })
            .collect();
    }
    all.retain(|p| constraints.iter().all(|c| c.holds(|v| p[v.0 as usize]) == Some(true)));
    all
}

fn in_box(n: usize) -> Vec<Constraint> {
    (0..n).flat_map(|k| [expr([(k, 1)], 3), expr([(k, -1)], 3)]).map(Constraint::non_negative).collect()
}

#[test]
fn sequences_keep_every_point() {
    for run in 0..runs() / 8 {
        let mut r = Random(run.wrapping_add(1 << 40));
        let n = 3;
        let mut start = in_box(n);
        start.extend((0..r.below(5)).map(|_| constraint(&mut r, n, true)));
        let mut ours = build(&OctagonDomain, &start);
        let mut set = points(n, &start);
        let mut done = vec![format!("{start:?}")];
        for _ in 0..6 {
            let operation = operation(&mut r, n);
            done.push(format!("{operation:?}"));
            match &operation {
                Assume(c) => set.retain(|p| c.holds(|v| p[v.0 as usize]) == Some(true)),
                Assign(v, e) => {
                    set.iter_mut().for_each(|p| p[*v] = e.evaluate(|w| p[w.0 as usize]).unwrap());
                }
                Forget(v) => {
                    let any = [-9, 0, 5];
                    let forgotten = set.iter().flat_map(|p| {
                        any.map(|x| p.iter().enumerate().map(|(k, y)| if k == *v { x } else { *y }).collect())
                    });
                    set = forgotten.collect();
                }
                Join(more) => {
                    let mut more = more.clone();
                    more.extend(in_box(n));
                    set.extend(points(n, &more));
                    ours.join_with(&build(&OctagonDomain, &more));
                }
                Meet(more) => set.retain(|p| more.iter().all(|c| c.holds(|v| p[v.0 as usize]) == Some(true))),
                Fold(v, w) => {
                    let mut moved = set.clone();
                    moved.iter_mut().for_each(|p| p.swap(*v, *w));
                    set.extend(moved);
                }
                // The new variable has the values that the old one has together with the same
                // others.
                Expand(v, _) => {
                    let mut twin = ours.clone();
                    twin.expand(var(*v), var(n));
                    for p in set.iter().take(40) {
                        for q in set.iter().take(40) {
                            if (0..n).all(|k| k == *v || p[k] == q[k]) {
                                let holds = twin.constraints().iter().all(|c| {
                                    c.holds(|w| if w == var(n) { q[*v] } else { p[w.0 as usize] }) == Some(true)
                                });
                                assert!(holds, "run {run}: {done:?}: {p:?} with {q:?} is not in {twin:?}");
                            }
                        }
                    }
                    continue;
                }
                Rename(..) => continue,
            }
            if !matches!(operation, Join(_)) {
                apply(&OctagonDomain, &mut ours, &operation);
            }
            set.sort_unstable();
            set.dedup();
            set.truncate(2_000);
            if let Fold(_, w) = operation {
                // Nothing is known of it any more: here one value stands for all.
                set.iter_mut().for_each(|p| p[w] = 7);
            }
            let constraints = ours.constraints();
            for p in &set {
                let outside = constraints.iter().find(|c| c.holds(|v| p[v.0 as usize]) != Some(true));
                assert_eq!(outside, None, "run {run}: {done:?}: {p:?} is lost");
            }
        }
    }
}

#[test]
fn from_integer_points_the_octagon_is_exact() {
    for run in 0..runs() / 8 {
        let mut r = Random(run.wrapping_add(1 << 41));
        let n = 3;
        let mut start = in_box(n);
        start.extend((0..r.below(6)).map(|_| constraint(&mut r, n, true)));
        let (ours, set) = (build(&OctagonDomain, &start), points(n, &start));
        assert_eq!(ours.is_bottom(), set.is_empty(), "run {run}: {start:?}");
        for e in octagonal(n).into_iter().filter(|_| !set.is_empty()) {
            let values = set.iter().map(|p| e.evaluate(|v| p[v.0 as usize]).unwrap());
            let exact = Interval::new(values.clone().min(), values.max());
            assert_eq!(ours.bounds(&e), exact, "run {run}: {start:?}: {e:?}");
        }
    }
}

#[test]
fn widening_encloses_both_sides_and_ends() {
    let thresholds = Thresholds::new([0, 1, 5]);
    for run in 0..runs() / 8 {
        let mut r = Random(run.wrapping_add(1 << 42));
        let n = 2 + r.below(5) as usize;
        let mut state = build(&OctagonDomain, &(0..2 * n).map(|_| constraint(&mut r, n, true)).collect::<Vec<_>>());
        let mut changes = 0;
        for _ in 0..400 {
            let mut next = state.clone();
            next.join_with(&build(
                &OctagonDomain,
                &(0..3 * n).map(|_| constraint(&mut r, n, true)).collect::<Vec<_>>(),
            ));
            if next.leq(&state) {
                continue;
            }
            changes += 1;
            let widened = Octagon::widen(&state, &next, &thresholds);
            assert!(state.leq(&widened) && next.leq(&widened), "run {run}: {state:?} {next:?} {widened:?}");
            state = widened;
        }
        // Each of the bounds moves at most once to each threshold, and once away.
        let bounds = 2 * n * (2 * n + 2);
        assert!(changes <= 4 * bounds + 1, "run {run}: {changes} changes");
    }
}

#[test]
fn the_first_widening_keeps_a_relation_that_bounds_implied() {
    // count == 0 and i >= 0 say that count <= i; then both grow, and that is all that stays true of
    // them together.
    let known = |constraints: &[Constraint]| build(&OctagonDomain, constraints);
    let at_least_zero = |terms: &[(usize, i128)], c| Constraint::non_negative(expr(terms.iter().copied(), c));
    let (count, i) = (0, 1);
    let prev = known(&[
        at_least_zero(&[(count, 1)], 0),
        at_least_zero(&[(count, -1)], 0),
        at_least_zero(&[(i, 1)], 0),
        at_least_zero(&[(i, -1)], 1),
    ]);
    let mut next = known(&[
        at_least_zero(&[(count, 1)], 0),
        at_least_zero(&[(i, 1), (count, -1)], 0),
        at_least_zero(&[(i, -1)], 2),
    ]);
    next.join_with(&prev);
    let widened = Octagon::widen(&prev, &next, &Thresholds::default());
    assert!(widened.entails(&at_least_zero(&[(i, 1), (count, -1)], 0)), "{widened:?}");
    // The upper bound is not given either.
    assert_eq!(widened.bounds(&expr([(i, 1)], 0)), Interval::new(Some(0), None));
}

#[test]
fn a_value_computed_from_the_old_one_stays_related_to_its_neighbours() {
    // x <= u, 0 <= y <= 3; x := x + y leaves x <= u + 3.
    let mut state = build(
        &OctagonDomain,
        &[expr([(1, 1), (0, -1)], 0), expr([(2, 1)], 0), expr([(2, -1)], 3)].map(Constraint::non_negative),
    );
    state.assign(var(0), &expr([(0, 1), (2, 1)], 0));
    assert_eq!(state.bounds(&expr([(0, 1), (1, -1)], 0)), Interval::new(None, Some(3)));
    assert_eq!(state.vars(), [0, 1, 2].map(var));
}

#[test]
fn an_equality_is_looked_at_again_after_it_has_said_something() {
    // x >= 0 and x == 2y - 3: y >= 2, and so x >= 1.
    let mut state = build(&OctagonDomain, &[Constraint::non_negative(expr([(0, 1)], 0))]);
    state.assume(&Constraint { expr: expr([(0, 1), (1, -2)], 3), relation: Relation::Zero });
    assert_eq!(state.bounds(&expr([(0, 1)], 0)), Interval::new(Some(1), None));
}
