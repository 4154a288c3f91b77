//! Signs with parities: a numeric domain for smalti, in a crate of its own.
//!
//! **Meaning.** Every integer is in one of five classes: negative and odd, negative and even, zero,
//! positive and odd, positive and even. An element gives each variable a set of classes; γ is the
//! set of all valuations in which every variable is in a class of its set. γ of bottom is empty.

use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};
use std::collections::BTreeMap;

/// A class of integers: the sign (-1, 0 or 1), and whether they are odd.
type Class = (i128, bool);

const CLASSES: [Class; 5] = [(-1, true), (-1, false), (0, false), (1, true), (1, false)];

/// A set of classes: bit `n` is set if it has `CLASSES[n]`.
type Set = u8;

const NONE: Set = 0;
const ALL: Set = 0b11111;

/// The classes for which `is_in` holds.
fn set(is_in: impl Fn(Class) -> bool) -> Set {
    (0..5).filter(|n| is_in(CLASSES[*n])).fold(NONE, |set, n| set | 1 << n)
}

/// The class of one integer.
fn of(c: i128) -> Set {
    set(|class| class == (c.signum(), c % 2 != 0))
}

/// The classes of the integers that relate to 0 so.
fn with(relation: Relation) -> Set {
    set(|(sign, _)| match relation {
        Relation::NonNegative => sign >= 0,
        Relation::Zero => sign == 0,
        Relation::NonZero => sign != 0,
    })
}

fn is_subset(a: Set, b: Set) -> bool {
    a | b == b
}

/// The classes of what an operation makes of a class in `a` and one in `b`; `gives` says whether
/// the third may come of the first two.
fn combine(a: Set, b: Set, gives: impl Fn(Class, Class, Class) -> bool) -> Set {
    let all = |set: Set| (0..5).filter(move |n| set & 1 << n != 0).map(|n| CLASSES[n]);
    set(|c| all(a).any(|a| all(b).any(|b| gives(a, b, c))))
}

/// The classes of sums. Sound: a sum is odd if just one part is. It has the sign of its parts where
/// these do not contradict each other, and any sign where they do.
fn plus(a: Set, b: Set) -> Set {
    combine(a, b, |(s, p), (t, q), (sign, odd)| odd == (p != q) && (s * t < 0 || sign == (s + t).signum()))
}

/// The classes of products. Sound: signs multiply; a product is odd if both factors are.
fn times(a: Set, b: Set) -> Set {
    combine(a, b, |(s, p), (t, q), class| class == (s * t, p && q))
}

/// An interval around the classes. Sound: the least positive integers that are odd and even are 1
/// and 2, the greatest negative ones -1 and -2.
fn interval(set: Set) -> Interval {
    let ends = [(None, Some(-1)), (None, Some(-2)), (Some(0), Some(0)), (Some(1), None), (Some(2), None)];
    let some = (0..5).filter(|n| set & 1 << n != 0).filter_map(|n| Interval::new(ends[n].0, ends[n].1));
    some.reduce(Interval::join).unwrap_or(Interval::TOP)
}

/// Makes elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignsDomain;

impl NumericDomain for SignsDomain {
    type Element = Signs;

    fn name(&self) -> String {
        "signs".into()
    }

    fn top(&self) -> Signs {
        Signs(Some(BTreeMap::new()))
    }

    fn bottom(&self) -> Signs {
        Signs(None)
    }
}

/// An element: `None` is bottom. A variable that may be in every class is not in the map, and no
/// set in it is empty.
#[derive(Clone, Debug)]
pub struct Signs(Option<BTreeMap<Var, Set>>);

impl Signs {
    /// The classes of a variable; none if this is bottom.
    fn get(&self, v: Var) -> Set {
        self.0.as_ref().map_or(NONE, |map| map.get(&v).copied().unwrap_or(ALL))
    }

    /// Puts a variable into these classes. Where there are none, no valuation is left: bottom.
    fn set(&mut self, v: Var, classes: Set) {
        match (&mut self.0, classes) {
            (None, _) => {}
            (_, NONE) => self.0 = None,
            (Some(map), ALL) => _ = map.remove(&v),
            (Some(map), _) => _ = map.insert(v, classes),
        }
    }

    /// The classes of the values of `e`. Sound: sums and products are.
    fn value(&self, e: &LinearExpr) -> Set {
        let terms = e.terms().iter().map(|(v, a)| times(self.get(*v), of(*a)));
        terms.fold(of(e.constant_part()), plus)
    }

    /// The variables that are constrained, with their classes.
    fn all(&self) -> impl Iterator<Item = (Var, Set)> + '_ {
        self.0.iter().flatten().map(|(v, classes)| (*v, *classes))
    }
}

impl Lattice for Signs {
    fn is_bottom(&self) -> bool {
        self.0.is_none()
    }

    /// Sound: each variable that the other side constrains is in one of its classes there.
    fn leq(&self, other: &Self) -> bool {
        let inside = |(v, classes)| is_subset(self.get(v), classes);
        self.is_bottom() || !other.is_bottom() && other.all().all(inside)
    }

    /// Sound: a valuation of one side has each variable in a class of that side, so of the union.
    fn join_with(&mut self, other: &Self) {
        if self.is_bottom() {
            self.clone_from(other);
        } else if !other.is_bottom() {
            self.clone().all().for_each(|(v, classes)| self.set(v, classes | other.get(v)));
        }
    }

    /// The join is enough: a set can grow five times, and no variable is constrained anew.
    fn widen(prev: &Self, next: &Self, _: &Thresholds) -> Self {
        let mut joined = prev.clone();
        joined.join_with(next);
        joined
    }
}

impl Numeric for Signs {
    /// Sound: a variable that is not in the map may be in every class.
    fn forget(&mut self, vars: &[Var]) {
        vars.iter().for_each(|v| self.set(*v, ALL));
    }

    /// Sound: the new value of `v` is the old one of `e`, and nothing else changes.
    fn assign(&mut self, v: Var, e: &LinearExpr) {
        self.set(v, self.value(e));
    }

    /// Sound: a class of a variable goes only where the value of `e` does not relate to 0 as it
    /// should, whatever values in their classes the other variables have.
    fn assume(&mut self, c: &Constraint) {
        let (c, before) = (c.normalise(), self.clone());
        let can_hold = |element: &Signs| element.value(&c.expr) & with(c.relation) != NONE;
        if !can_hold(&before) {
            self.0 = None;
        }
        for v in c.expr.vars() {
            let kept = set(|class| {
                let mut one = before.clone();
                one.set(v, set(|other| other == class));
                can_hold(&one)
            });
            self.set(v, before.get(v) & kept);
        }
    }

    /// Sound: a valuation of both sides has each variable in a class of both.
    fn meet_with(&mut self, other: &Self) {
        if other.is_bottom() {
            self.0 = None;
        }
        other.all().for_each(|(v, classes)| self.set(v, self.get(v) & classes));
    }

    /// Sound: the copy is in a class in which `v` may be, and no two variables are related.
    fn expand(&mut self, v: Var, copy: Var) {
        self.set(copy, self.get(v));
    }

    /// Sound: `into` is in a class of one of the two.
    fn fold(&mut self, into: Var, from: Var) {
        self.set(into, self.get(into) | self.get(from));
        self.forget(&[from]);
    }

    /// Sound: all classes are read before the first is written, so names can be exchanged.
    fn rename(&mut self, pairs: &[(Var, Var)]) {
        let moved: Vec<(Var, Set)> = pairs.iter().map(|(from, to)| (*to, self.get(*from))).collect();
        pairs.iter().for_each(|(from, _)| self.forget(&[*from]));
        moved.into_iter().for_each(|(to, classes)| self.set(to, classes));
    }

    /// Sound: every value is in both intervals. The second one is exact for constants.
    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        let by_parts = e.interval(|v| interval(self.get(v)));
        if self.is_bottom() { None } else { interval(self.value(e)).meet(by_parts) }
    }

    /// Sound: all values of `e` are in classes, or in an interval, that relate to 0 so.
    fn entails(&self, c: &Constraint) -> bool {
        let c = c.normalise();
        is_subset(self.value(&c.expr), with(c.relation))
            || self.bounds(&c.expr).is_none_or(|values| c.relation.decided(values) == Some(true))
    }

    /// Sound: the ends of an interval around each variable, or that it is not 0. That a variable is
    /// odd is no linear constraint.
    fn constraints(&self) -> Vec<Constraint> {
        let constraint = |(v, classes): (Var, Set)| {
            let (v, number) = (LinearExpr::var(v), LinearExpr::constant);
            match (interval(classes).lo(), interval(classes).hi()) {
                (Some(lo), Some(_)) => Constraint::eq(&v, &number(lo)),
                (Some(lo), None) => Constraint::ge(&v, &number(lo)),
                (None, Some(hi)) => Constraint::le(&v, &number(hi)),
                (None, None) if is_subset(classes, with(Relation::NonZero)) => Constraint::ne(&v, &number(0)),
                (None, None) => None,
            }
        };
        if self.is_bottom() { vec![Constraint::never()] } else { self.all().filter_map(constraint).collect() }
    }

    fn vars(&self) -> Vec<Var> {
        self.all().map(|(v, _)| v).collect()
    }
}
