//! The domain of intervals, `box`: small, and obviously right. This numeric domain is always
//! available, and other domains are compared with it.
//!
//! **Meaning.** γ of a box is the set of all valuations in which every variable lies in its
//! interval; a variable without an interval is unconstrained. γ of bottom is empty.
//!
//! **Representation.** Bottom is a variant. A box is a map from variables to intervals, none of
//! them all integers; no interval is empty (by its type). So every set of valuations that a box can
//! describe has one representation, and equality is equality of sets. The map is shared: cloning
//! costs a counter, and joining two boxes costs what they do not have in common.
//!
//! **Sources, and where we differ.** Cousot and Cousot: "Static determination of dynamic properties
//! of programs", ISOP 1976: the lattice of intervals, and its widening, here with thresholds
//! (Blanchet et al.: "A static analyzer for large safety-critical software", PLDI 2003, section
//! 7.1.2). Linear constraints refine every variable that they mention (bounds consistency, as in
//! constraint programming) instead of only those of the form `x <= c`. *Expand* and *fold* are
//! those of Gopan, DiMaio, Dor, Reps, Sagiv: "Numeric domains with summarized dimensions", TACAS
//! 2004, which on a non-relational domain are a copy and a join.
//!
//! **Limits.** No relation between variables is kept: after `x := y`, `x == y` is unknown unless
//! `y` is a constant. A bound beyond 128 bits is given up. An equality refines at most four times;
//! where propagation converges slowly, the result is sound but not the least box.

use smalti_core::{
    Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var, VarMap,
};
use std::collections::BTreeMap;

/// How often an equality is propagated before we leave it at that.
const ROUNDS: usize = 4;

/// Makes boxes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxDomain;

impl NumericDomain for BoxDomain {
    type Element = BoxElement;

    fn name(&self) -> String {
        "box".into()
    }

    fn top(&self) -> BoxElement {
        BoxElement::Box(Sides::default())
    }

    fn bottom(&self) -> BoxElement {
        BoxElement::Bottom
    }
}

/// A box, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoxElement {
    /// No valuation.
    Bottom,
    /// The variables that are constrained.
    Box(Sides),
}

/// The sides of a box: no interval is all integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides(VarMap<Interval>);

impl Sides {
    fn get(&self, v: Var) -> Interval {
        self.0.get(v).copied().unwrap_or(Interval::TOP)
    }

    fn set(&mut self, v: Var, interval: Interval) {
        match self.0.get(v) {
            Some(old) if *old == interval => {}
            _ if interval == Interval::TOP => _ = self.0.remove(v),
            _ => _ = self.0.insert(v, interval),
        }
    }

    /// Combines the intervals of the variables that both constrain; the others become
    /// unconstrained. `combine` is idempotent.
    fn common(&self, other: &Sides, combine: impl Fn(Interval, Interval) -> Interval) -> Sides {
        let mut sides = self.0.clone();
        sides.intersect_with(&other.0, |_, a, b| Some(combine(*a, *b)).filter(|both| *both != Interval::TOP));
        Sides(sides)
    }

    /// Refines every variable of `e >= 0`; `None` if no valuation is left.
    ///
    /// In `a * v + rest >= 0` the greatest value of `rest` bounds `v` from below or above, by the
    /// sign of `a`. The bound of one variable that this moves is not the one that the others look
    /// at, so once through is enough.
    fn propagate(&mut self, e: &LinearExpr) -> Option<()> {
        if e.interval(|v| self.get(v)).hi().is_some_and(|greatest| greatest < 0) {
            return None;
        }
        for &(v, a) in e.terms() {
            let others = e.interval(|w| if w == v { Interval::constant(0) } else { self.get(w) });
            let Some(least) = others.hi().and_then(i128::checked_neg) else { continue };
            // a * v >= least
            let bound = if a > 0 {
                Interval::new(divide_up(least, a), None)
            } else {
                Interval::new(None, divide_down(least, a))
            };
            self.set(v, self.get(v).meet(bound?)?);
        }
        Some(())
    }

    /// Removes the one value that `e != 0` excludes, if it is an end of an interval; `None` if no
    /// valuation is left.
    fn exclude(&mut self, e: &LinearExpr) -> Option<()> {
        if e.interval(|v| self.get(v)).as_constant() == Some(0) {
            return None;
        }
        for &(v, a) in e.terms() {
            let others = e.interval(|w| if w == v { Interval::constant(0) } else { self.get(w) });
            // v must not be -others / a
            let Some(target) = others.as_constant().and_then(i128::checked_neg) else { continue };
            let Some(0) = target.checked_rem(a) else { continue };
            let (excluded, old) = (target / a, self.get(v));
            let lo = if old.lo() == Some(excluded) { excluded.checked_add(1) } else { old.lo() };
            let hi = if old.hi() == Some(excluded) { excluded.checked_sub(1) } else { old.hi() };
            self.set(v, Interval::new(lo, hi)?);
        }
        Some(())
    }
}

/// `n / d` rounded towards plus infinity; `None` if that is out of range.
fn divide_up(n: i128, d: i128) -> Option<i128> {
    let quotient = n.checked_div(d)?;
    let exact = n % d == 0;
    if !exact && (n > 0) == (d > 0) { quotient.checked_add(1) } else { Some(quotient) }
}

/// `n / d` rounded towards minus infinity; `None` if that is out of range.
fn divide_down(n: i128, d: i128) -> Option<i128> {
    let quotient = n.checked_div(d)?;
    let exact = n % d == 0;
    if !exact && (n > 0) != (d > 0) { quotient.checked_sub(1) } else { Some(quotient) }
}

impl BoxElement {
    /// Lets `f` change the sides; bottom stays, and comes of it where `f` has nothing left.
    fn change(&mut self, f: impl FnOnce(&mut Sides) -> Option<()>) {
        if let BoxElement::Box(sides) = self
            && f(sides).is_none()
        {
            *self = BoxElement::Bottom;
        }
        self.assert_invariants();
    }

    fn assert_invariants(&self) {
        if let BoxElement::Box(sides) = self {
            debug_assert!(sides.0.iter().all(|s| *s.1 != Interval::TOP), "every side is a constraint: {sides:?}");
        }
    }
}

impl Lattice for BoxElement {
    fn is_bottom(&self) -> bool {
        matches!(self, BoxElement::Bottom)
    }

    fn leq(&self, other: &Self) -> bool {
        match (self, other) {
            (BoxElement::Bottom, _) => true,
            (_, BoxElement::Bottom) => false,
            (BoxElement::Box(a), BoxElement::Box(b)) => {
                b.0.all_against(&a.0, |_, side, inner| inner.is_some_and(|i| i.is_subset(*side)))
            }
        }
    }

    fn join_with(&mut self, other: &Self) {
        match (&*self, other) {
            (_, BoxElement::Bottom) => {}
            (BoxElement::Bottom, _) => self.clone_from(other),
            (BoxElement::Box(a), BoxElement::Box(b)) => {
                *self = BoxElement::Box(a.common(b, Interval::join));
            }
        }
        self.assert_invariants();
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        let (BoxElement::Box(a), BoxElement::Box(b)) = (prev, next) else {
            return if prev.is_bottom() { next.clone() } else { prev.clone() };
        };
        let widened = a.common(b, |old, new| {
            let lo = old.lo().zip(new.lo()).and_then(|(o, n)| if n < o { thresholds.at_most(n) } else { Some(o) });
            let hi = old.hi().zip(new.hi()).and_then(|(o, n)| if n > o { thresholds.at_least(n) } else { Some(o) });
            // Never empty: both ends enclose the old interval.
            Interval::new(lo, hi).unwrap_or(Interval::TOP)
        });
        let widened = BoxElement::Box(widened);
        widened.assert_invariants();
        widened
    }
}

impl Numeric for BoxElement {
    fn forget(&mut self, vars: &[Var]) {
        self.change(|sides| {
            vars.iter().for_each(|v| sides.set(*v, Interval::TOP));
            Some(())
        });
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        self.change(|sides| {
            let value = e.interval(|w| sides.get(w));
            sides.set(v, value);
            Some(())
        });
    }

    fn assume(&mut self, c: &Constraint) {
        let c = c.normalise();
        self.change(|sides| match c.relation {
            Relation::NonNegative => sides.propagate(&c.expr),
            Relation::NonZero => sides.exclude(&c.expr),
            Relation::Zero => {
                let negated = c.expr.scale(-1);
                for _ in 0..ROUNDS {
                    let before = sides.clone();
                    sides.propagate(&c.expr)?;
                    negated.as_ref().map_or(Some(()), |e| sides.propagate(e))?;
                    if *sides == before {
                        break;
                    }
                }
                Some(())
            }
        });
    }

    fn meet_with(&mut self, other: &Self) {
        match other {
            BoxElement::Bottom => *self = BoxElement::Bottom,
            BoxElement::Box(other) => self.change(|sides| {
                for (v, side) in other.0.iter() {
                    sides.set(v, sides.get(v).meet(*side)?);
                }
                Some(())
            }),
        }
    }

    fn expand(&mut self, v: Var, copy: Var) {
        self.change(|sides| {
            sides.set(copy, sides.get(v));
            Some(())
        });
    }

    fn fold(&mut self, into: Var, from: Var) {
        self.change(|sides| {
            sides.set(into, sides.get(into).join(sides.get(from)));
            sides.set(from, Interval::TOP);
            Some(())
        });
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        let names: BTreeMap<Var, Var> = pairs.iter().copied().collect();
        self.change(|sides| {
            let moved: Vec<(Var, Interval)> = names.iter().map(|(from, to)| (*to, sides.get(*from))).collect();
            names.keys().for_each(|from| sides.set(*from, Interval::TOP));
            moved.into_iter().for_each(|(to, side)| sides.set(to, side));
            Some(())
        });
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        match self {
            BoxElement::Bottom => None,
            BoxElement::Box(sides) => Some(e.interval(|v| sides.get(v))),
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        let BoxElement::Box(sides) = self else {
            return vec![Constraint::never()];
        };
        let mut all = Vec::new();
        for (v, side) in sides.0.iter() {
            let v = LinearExpr::var(v);
            if let Some(c) = side.as_constant() {
                all.extend(Constraint::eq(&v, &LinearExpr::constant(c)));
            } else {
                all.extend(side.lo().and_then(|lo| Constraint::ge(&v, &LinearExpr::constant(lo))));
                all.extend(side.hi().and_then(|hi| Constraint::le(&v, &LinearExpr::constant(hi))));
            }
        }
        all
    }

    fn vars(&self) -> Vec<Var> {
        match self {
            BoxElement::Bottom => Vec::new(),
            BoxElement::Box(sides) => sides.0.iter().map(|s| s.0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Var = Var(0);
    const Y: Var = Var(1);
    const Z: Var = Var(2);

    fn expr(terms: &[(Var, i128)], constant: i128) -> LinearExpr {
        LinearExpr::new(terms.iter().copied(), constant).unwrap()
    }

    fn at_least_zero(terms: &[(Var, i128)], constant: i128) -> Constraint {
        Constraint::non_negative(expr(terms, constant))
    }

    fn zero(terms: &[(Var, i128)], constant: i128) -> Constraint {
        Constraint { expr: expr(terms, constant), relation: Relation::Zero }
    }

    fn non_zero(terms: &[(Var, i128)], constant: i128) -> Constraint {
        Constraint { expr: expr(terms, constant), relation: Relation::NonZero }
    }

    fn boxed(sides: &[(Var, Interval)]) -> BoxElement {
        let mut element = BoxDomain.top();
        for (v, side) in sides {
            element.change(|s| {
                s.set(*v, *side);
                Some(())
            });
        }
        element
    }

    fn side(element: &BoxElement, v: Var) -> String {
        element.bounds(&LinearExpr::var(v)).map_or("bottom".into(), |i| i.to_string())
    }

    #[test]
    fn the_laws_hold() {
        smalti_core::laws::numeric(&BoxDomain);
    }

    #[test]
    fn division_rounds_towards_the_named_side() {
        for n in -7..=7 {
            for d in [-3, -2, -1, 1, 2, 3] {
                let up = (-30..=30).find(|q| if d > 0 { q * d >= n } else { q * d <= n }).filter(|_| d > 0);
                if let Some(up) = up {
                    assert_eq!(divide_up(n, d), Some(up), "{n} / {d} up");
                }
                assert_eq!(divide_down(n, d), divide_up(n, -d).map(|q| -q), "{n} / {d} down");
            }
        }
        assert_eq!(divide_up(i128::MIN, -1), None);
        assert_eq!(divide_down(i128::MIN, -1), None);
    }

    #[test]
    fn an_inequality_bounds_every_variable_it_mentions() {
        let mut element = boxed(&[(X, Interval::finite(0, 10)), (Y, Interval::finite(0, 10))]);
        // 2x + 3y <= 11
        element.assume(&at_least_zero(&[(X, -2), (Y, -3)], 11));
        assert_eq!((side(&element, X).as_str(), side(&element, Y).as_str()), ("[0, 5]", "[0, 3]"));
        // x >= y + 4
        element.assume(&at_least_zero(&[(X, 1), (Y, -1)], -4));
        assert_eq!((side(&element, X).as_str(), side(&element, Y).as_str()), ("[4, 5]", "[0, 1]"));
        // x + y <= 3
        element.assume(&at_least_zero(&[(X, -1), (Y, -1)], 3));
        assert!(element.is_bottom());
    }

    #[test]
    fn one_unbounded_variable_is_bounded_by_the_others() {
        let mut element = boxed(&[(X, Interval::finite(0, 10))]);
        element.assume(&at_least_zero(&[(X, 1), (Y, -1)], 0));
        assert_eq!(side(&element, Y), "(-oo, 10]");
        element.assume(&at_least_zero(&[(X, 1), (Y, -1), (Z, -1)], 0));
        assert_eq!(side(&element, Z), "(-oo, +oo)");
    }

    #[test]
    fn an_equality_propagates_both_ways() {
        let mut element = boxed(&[(X, Interval::finite(0, 10)), (Y, Interval::finite(3, 20))]);
        // x == 2y - 1
        element.assume(&zero(&[(X, 1), (Y, -2)], 1));
        assert_eq!((side(&element, X).as_str(), side(&element, Y).as_str()), ("[5, 9]", "[3, 5]"));
        // 2x == 2y + 1 has no integer solution
        element.assume(&zero(&[(X, 2), (Y, -2)], -1));
        assert!(element.is_bottom());
    }

    #[test]
    fn a_disequality_trims_ends_and_only_ends() {
        let mut element = boxed(&[(X, Interval::finite(0, 2))]);
        element.assume(&non_zero(&[(X, 1)], -1));
        assert_eq!(side(&element, X), "[0, 2]");
        element.assume(&non_zero(&[(X, 1)], 0));
        element.assume(&non_zero(&[(X, 2)], -4));
        assert_eq!(side(&element, X), "[1, 1]");
        let mut relational = element.clone();
        relational.assign(Y, &LinearExpr::constant(1));
        relational.assume(&non_zero(&[(X, 1), (Y, -1)], 0));
        assert!(relational.is_bottom());
        element.assume(&non_zero(&[(X, 1)], -1));
        assert!(element.is_bottom());
    }

    #[test]
    fn assignment_reads_the_old_value() {
        let mut element = boxed(&[(X, Interval::finite(1, 3))]);
        element.assign(X, &expr(&[(X, -2)], 1));
        assert_eq!(side(&element, X), "[-5, -1]");
        element.assign(X, &LinearExpr::var(Y));
        assert_eq!(element, BoxDomain.top());
    }

    #[test]
    fn join_forgets_what_one_side_does_not_constrain() {
        let mut a = boxed(&[(X, Interval::finite(0, 1)), (Y, Interval::constant(7))]);
        a.join_with(&boxed(&[(X, Interval::finite(4, 5)), (Z, Interval::constant(7))]));
        assert_eq!(a, boxed(&[(X, Interval::finite(0, 5))]));
    }

    #[test]
    fn widening_stops_at_thresholds_then_gives_up() {
        let thresholds = Thresholds::new([-10, 0, 10]);
        let at = |hi| boxed(&[(X, Interval::finite(0, hi))]);
        let once = BoxElement::widen(&at(1), &at(2), &thresholds);
        assert_eq!(once, at(10));
        let twice = BoxElement::widen(&once, &at(11), &thresholds);
        assert_eq!(side(&twice, X), "[0, +oo)");
        let down = BoxElement::widen(&at(1), &boxed(&[(X, Interval::finite(-3, 1))]), &thresholds);
        assert_eq!(side(&down, X), "[-10, 1]");
        assert_eq!(BoxElement::widen(&at(1), &at(1), &thresholds), at(1));
    }

    #[test]
    fn renaming_is_simultaneous() {
        let mut element = boxed(&[(X, Interval::constant(1)), (Y, Interval::constant(2))]);
        element.rename(&[(X, Y), (Y, X)]);
        assert_eq!((side(&element, X).as_str(), side(&element, Y).as_str()), ("[2, 2]", "[1, 1]"));
        element.rename(&[(X, Y), (Y, Z)]);
        assert_eq!(element, boxed(&[(Y, Interval::constant(2)), (Z, Interval::constant(1))]));
    }

    #[test]
    fn a_weak_update_is_expand_assign_fold() {
        let mut element = boxed(&[(X, Interval::constant(0))]);
        element.expand(X, Y);
        element.assign(Y, &LinearExpr::constant(5));
        element.fold(X, Y);
        assert_eq!(element, boxed(&[(X, Interval::finite(0, 5))]));
    }

    #[test]
    fn constraints_say_what_the_box_says() {
        let element = boxed(&[
            (X, Interval::constant(3)),
            (Y, Interval::finite(0, 9)),
            (Z, Interval::new(None, Some(-1)).unwrap()),
        ]);
        let expected = [
            zero(&[(X, 1)], -3),
            at_least_zero(&[(Y, 1)], 0),
            at_least_zero(&[(Y, -1)], 9),
            at_least_zero(&[(Z, -1)], -1),
        ];
        assert_eq!(element.constraints(), expected);
        assert!(expected.iter().all(|c| element.entails(c)));
        assert_eq!(element.vars(), [X, Y, Z]);
    }
}
