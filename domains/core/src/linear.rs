//! Linear expressions and constraints over integer variables.

use crate::{Interval, Sum, Var};

/// `sum of coefficient * variable + constant`, over the integers.
///
/// Invariant: terms are sorted by variable, one per variable, no coefficient is 0. Operations that
/// could leave the number range return `None`: the caller falls back to "unknown".
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LinearExpr {
    terms: Vec<(Var, i128)>,
    constant: i128,
}

impl LinearExpr {
    /// The constant `c`.
    pub fn constant(c: i128) -> Self {
        LinearExpr { terms: Vec::new(), constant: c }
    }

    /// The variable `v`.
    pub fn var(v: Var) -> Self {
        LinearExpr { terms: vec![(v, 1)], constant: 0 }
    }

    /// The sum of `terms` (any order, any repetition) and `constant`; `None` on overflow.
    pub fn new(terms: impl IntoIterator<Item = (Var, i128)>, constant: i128) -> Option<Self> {
        let mut all: Vec<(Var, i128)> = terms.into_iter().collect();
        all.sort_unstable_by_key(|t| t.0);
        let mut sum: Vec<(Var, i128)> = Vec::with_capacity(all.len());
        for (v, c) in all {
            match sum.last_mut() {
                Some((w, d)) if *w == v => *d = d.checked_add(c)?,
                _ => sum.push((v, c)),
            }
        }
        sum.retain(|t| t.1 != 0);
        Some(LinearExpr { terms: sum, constant })
    }

    /// The terms, sorted by variable; no coefficient is 0.
    pub fn terms(&self) -> &[(Var, i128)] {
        &self.terms
    }

    /// The constant part.
    pub fn constant_part(&self) -> i128 {
        self.constant
    }

    /// The value, if no variable occurs.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The variable, if the expression is just that variable.
    pub fn as_var(&self) -> Option<Var> {
        match self.terms[..] {
            [(v, 1)] if self.constant == 0 => Some(v),
            _ => None,
        }
    }

    /// The coefficient of `v`, 0 if it does not occur.
    pub fn coefficient(&self, v: Var) -> i128 {
        self.terms.binary_search_by_key(&v, |t| t.0).map_or(0, |i| self.terms[i].1)
    }

    /// Whether `v` occurs.
    pub fn mentions(&self, v: Var) -> bool {
        self.coefficient(v) != 0
    }

    /// The variables that occur, ascending.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|t| t.0)
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Option<Self> {
        let both = self.terms.iter().chain(&other.terms).copied();
        LinearExpr::new(both, self.constant.checked_add(other.constant)?)
    }

    /// `self - other`.
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.add(&other.scale(-1)?)
    }

    /// `factor * self`.
    pub fn scale(&self, factor: i128) -> Option<Self> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for &(v, c) in &self.terms {
            terms.push((v, c.checked_mul(factor)?));
        }
        terms.retain(|t| t.1 != 0);
        Some(LinearExpr { terms, constant: self.constant.checked_mul(factor)? })
    }

    /// `self + c`.
    pub fn add_constant(&self, c: i128) -> Option<Self> {
        Some(LinearExpr { terms: self.terms.clone(), constant: self.constant.checked_add(c)? })
    }

    /// `self` with every occurrence of `v` replaced by `by`.
    pub fn substitute(&self, v: Var, by: &Self) -> Option<Self> {
        let c = self.coefficient(v);
        if c == 0 {
            return Some(self.clone());
        }
        let rest =
            LinearExpr { terms: self.terms.iter().copied().filter(|t| t.0 != v).collect(), constant: self.constant };
        rest.add(&by.scale(c)?)
    }

    /// `self` with variables renamed by `f`; `None` if renamed variables meet and their sum
    /// overflows.
    pub fn rename(&self, mut f: impl FnMut(Var) -> Var) -> Option<Self> {
        LinearExpr::new(self.terms.iter().map(|&(v, c)| (f(v), c)), self.constant)
    }

    /// The value when each variable has the value that `value` gives; `None` on overflow.
    pub fn evaluate(&self, mut value: impl FnMut(Var) -> i128) -> Option<i128> {
        let mut sum = self.constant;
        for &(v, c) in &self.terms {
            sum = sum.checked_add(c.checked_mul(value(v))?)?;
        }
        Some(sum)
    }

    /// The interval of values when each variable lies in the interval that `range` gives.
    pub fn interval(&self, mut range: impl FnMut(Var) -> Interval) -> Interval {
        let mut sum = Interval::constant(self.constant);
        for &(v, c) in &self.terms {
            sum = sum.add(range(v).scale(c));
        }
        sum
    }

    /// The sum as people write it: positive terms first.
    pub fn as_sum(&self) -> Sum<Var> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|term| term.1 < 0);
        Sum { terms, constant: self.constant }
    }
}

/// How a linear expression relates to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `e >= 0`
    NonNegative,
    /// `e == 0`
    Zero,
    /// `e != 0`
    NonZero,
}

impl Relation {
    /// Whether the numbers of an interval relate to 0 so: all of them, or none. `None` if neither
    /// is known.
    pub fn decided(self, values: Interval) -> Option<bool> {
        match self {
            Relation::NonNegative if values.lo().is_some_and(|lo| lo >= 0) => Some(true),
            Relation::NonNegative if values.hi().is_some_and(|hi| hi < 0) => Some(false),
            Relation::NonNegative => None,
            Relation::Zero if values.as_constant() == Some(0) => Some(true),
            Relation::Zero if !values.contains(0) => Some(false),
            Relation::Zero => None,
            Relation::NonZero => Relation::Zero.decided(values).map(|zero| !zero),
        }
    }
}

/// A linear expression compared with 0. There is no strict inequality: over the integers `a > b` is
/// `a - b - 1 >= 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The left side; the right side is 0.
    pub expr: LinearExpr,
    /// How the left side relates to 0.
    pub relation: Relation,
}

impl Constraint {
    /// `e >= 0`.
    pub fn non_negative(expr: LinearExpr) -> Self {
        Constraint { expr, relation: Relation::NonNegative }
    }

    /// `-1 >= 0`, which no valuation satisfies.
    pub fn never() -> Self {
        Constraint::non_negative(LinearExpr::constant(-1))
    }

    /// `a >= b`; `None` on overflow.
    pub fn ge(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Some(Constraint::non_negative(a.sub(b)?))
    }

    /// `a <= b`; `None` on overflow.
    pub fn le(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Constraint::ge(b, a)
    }

    /// `a > b`, as `a - b - 1 >= 0`; `None` on overflow.
    pub fn gt(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Some(Constraint::non_negative(a.sub(b)?.add_constant(-1)?))
    }

    /// `a < b`; `None` on overflow.
    pub fn lt(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Constraint::gt(b, a)
    }

    /// `a == b`; `None` on overflow.
    pub fn eq(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Some(Constraint { expr: a.sub(b)?, relation: Relation::Zero })
    }

    /// `a != b`; `None` on overflow.
    pub fn ne(a: &LinearExpr, b: &LinearExpr) -> Option<Self> {
        Some(Constraint { expr: a.sub(b)?, relation: Relation::NonZero })
    }

    /// The integer complement; `None` on overflow. Exact: a state satisfies just one of the two.
    pub fn negate(&self) -> Option<Self> {
        Some(match self.relation {
            // not (e >= 0)  is  -e - 1 >= 0
            Relation::NonNegative => Constraint::non_negative(self.expr.scale(-1)?.add_constant(-1)?),
            Relation::Zero => Constraint { expr: self.expr.clone(), relation: Relation::NonZero },
            Relation::NonZero => Constraint { expr: self.expr.clone(), relation: Relation::Zero },
        })
    }

    /// The same set of integer points in a normal form: coefficients divided by their gcd, the
    /// constant of an inequality rounded down (the integer cut), an equality without integer
    /// solution turned into `-1 >= 0`, a disequality that always holds into `0 >= 0`; in equalities
    /// and disequalities the first coefficient is positive.
    #[must_use]
    pub fn normalise(&self) -> Self {
        let g = self.expr.terms.iter().fold(0u128, |g, t| gcd(g, t.1.unsigned_abs()));
        let g = i128::try_from(g).unwrap_or(1).max(1);
        let divided =
            |constant: i128| LinearExpr { terms: self.expr.terms.iter().map(|&(v, c)| (v, c / g)).collect(), constant };
        let (whole, rest) = (self.expr.constant.div_euclid(g), self.expr.constant.rem_euclid(g));
        match self.relation {
            Relation::NonNegative => Constraint::non_negative(divided(whole)),
            Relation::Zero if rest != 0 => Constraint::never(),
            Relation::NonZero if rest != 0 => Constraint::non_negative(LinearExpr::constant(0)),
            relation => {
                let expr = divided(whole);
                let flipped = expr.terms.first().filter(|t| t.1 < 0).and_then(|_| expr.scale(-1));
                Constraint { expr: flipped.unwrap_or(expr), relation }
            }
        }
    }

    /// The coefficient of `v` and the expression `e` without `v` that the constraint compares it
    /// with, if the coefficient is 1 or -1 and no number overflows: an inequality is `v >= e` for 1
    /// and `v <= e` for -1, the others are `v == e` and `v != e`.
    pub fn solved_for(&self, v: Var) -> Option<(i128, LinearExpr)> {
        let k = self.expr.coefficient(v);
        if !matches!(k, 1 | -1) {
            return None;
        }
        // k * v + rest
        let rest = self.expr.substitute(v, &LinearExpr::constant(0))?;
        Some((k, rest.scale(-k)?))
    }

    /// Whether the valuation satisfies the constraint; `None` if the value cannot be computed.
    pub fn holds(&self, value: impl FnMut(Var) -> i128) -> Option<bool> {
        let e = self.expr.evaluate(value)?;
        Some(match self.relation {
            Relation::NonNegative => e >= 0,
            Relation::Zero => e == 0,
            Relation::NonZero => e != 0,
        })
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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

    #[test]
    fn an_interval_decides_a_relation_or_leaves_it_open() {
        let all = [Relation::NonNegative, Relation::Zero, Relation::NonZero];
        let decided = |lo, hi| all.map(|r| r.decided(Interval::new(lo, hi).unwrap()));
        assert_eq!(decided(Some(0), Some(0)), [Some(true), Some(true), Some(false)]);
        assert_eq!(decided(Some(0), Some(3)), [Some(true), None, None]);
        assert_eq!(decided(Some(1), None), [Some(true), Some(false), Some(true)]);
        assert_eq!(decided(None, Some(-1)), [Some(false), Some(false), Some(true)]);
        assert_eq!(decided(Some(-1), Some(1)), [None, None, None]);
    }

    #[test]
    fn terms_are_sorted_summed_and_without_zeros() {
        let e = expr(&[(Y, 2), (X, 1), (Y, -2), (Z, 3), (X, 4)], 7);
        assert_eq!(e.terms(), [(X, 5), (Z, 3)]);
        assert_eq!(e.constant_part(), 7);
        assert_eq!((e.coefficient(X), e.coefficient(Y)), (5, 0));
        assert!(e.mentions(Z) && !e.mentions(Y));
        assert_eq!(e.vars().collect::<Vec<_>>(), [X, Z]);
    }

    #[test]
    fn constants_and_single_variables_are_recognised() {
        assert_eq!(LinearExpr::constant(4).as_constant(), Some(4));
        assert_eq!(LinearExpr::var(X).as_constant(), None);
        assert_eq!(LinearExpr::var(X).as_var(), Some(X));
        assert_eq!(expr(&[(X, 1)], 1).as_var(), None);
        assert_eq!(expr(&[(X, 2)], 0).as_var(), None);
    }

    #[test]
    fn arithmetic_agrees_with_evaluation() {
        let (a, b) = (expr(&[(X, 2), (Y, -1)], 3), expr(&[(Y, 1), (Z, 5)], -4));
        let value = |v: Var| [7, 11, 13][usize::try_from(v.0).unwrap()];
        let at = |e: LinearExpr| e.evaluate(value).unwrap();
        assert_eq!(at(a.clone()), 6);
        assert_eq!(at(b.clone()), 72);
        assert_eq!(at(a.add(&b).unwrap()), 78);
        assert_eq!(at(a.sub(&b).unwrap()), -66);
        assert_eq!(at(a.scale(-3).unwrap()), -18);
        assert_eq!(at(a.add_constant(5).unwrap()), 11);
        assert_eq!(a.scale(0).unwrap(), LinearExpr::constant(0));
        assert_eq!(a.sub(&a).unwrap(), LinearExpr::constant(0));
    }

    #[test]
    fn substitution_replaces_every_occurrence_at_once() {
        let e = expr(&[(X, 2), (Y, 1)], 1);
        // x := x + y + 1 speaks of the old x: no capture.
        assert_eq!(e.substitute(X, &expr(&[(X, 1), (Y, 1)], 1)).unwrap(), expr(&[(X, 2), (Y, 3)], 3));
        assert_eq!(e.substitute(Z, &LinearExpr::constant(9)).unwrap(), e);
    }

    #[test]
    fn renaming_merges_variables_that_meet() {
        let e = expr(&[(X, 2), (Y, -2), (Z, 1)], 0);
        assert_eq!(e.rename(|v| if v == Y { X } else { v }).unwrap(), LinearExpr::var(Z));
        assert_eq!(e.rename(|v| if v == X { Z } else { v }).unwrap(), expr(&[(Y, -2), (Z, 3)], 0));
    }

    #[test]
    fn overflow_is_none_everywhere() {
        let (max, one) = (expr(&[(X, i128::MAX)], i128::MAX), expr(&[(X, 1)], 1));
        assert_eq!(LinearExpr::new([(X, i128::MAX), (X, 1)], 0), None);
        assert_eq!(max.add(&one), None);
        assert_eq!(max.scale(2), None);
        assert_eq!(expr(&[], i128::MIN).scale(-1), None);
        assert_eq!(LinearExpr::constant(0).sub(&LinearExpr::constant(i128::MIN)), None);
        assert_eq!(max.add_constant(1), None);
        assert_eq!(max.evaluate(|_| 2), None);
        assert_eq!(Constraint::non_negative(LinearExpr::constant(i128::MIN)).negate(), None);
        assert_eq!(Constraint::non_negative(max.clone()).holds(|_| 2), None);
        // An expression that cannot be negated still has a normal form.
        let stuck = Constraint { expr: expr(&[(X, i128::MIN)], i128::MIN), relation: Relation::Zero };
        assert_eq!(stuck.normalise(), stuck);
    }

    #[test]
    fn intervals_of_expressions_use_the_right_ends() {
        let range = |v: Var| match v {
            X => Interval::finite(0, 10),
            Y => Interval::new(Some(-1), None).unwrap(),
            _ => Interval::TOP,
        };
        assert_eq!(expr(&[(X, -2)], 1).interval(range), Interval::finite(-19, 1));
        assert_eq!(expr(&[(X, 1), (Y, 1)], 0).interval(range), Interval::new(Some(-1), None).unwrap());
        assert_eq!(expr(&[(X, 1), (Y, -1)], 0).interval(range), Interval::new(None, Some(11)).unwrap());
        assert_eq!(expr(&[(Z, 1)], 0).interval(range), Interval::TOP);
    }

    #[test]
    fn comparisons_and_their_complements_agree_with_the_integers() {
        let (x, y) = (LinearExpr::var(X), expr(&[(Y, 2)], 1));
        let table: [(Constraint, fn(i128, i128) -> bool); 6] = [
            (Constraint::ge(&x, &y).unwrap(), |a, b| a >= b),
            (Constraint::le(&x, &y).unwrap(), |a, b| a <= b),
            (Constraint::gt(&x, &y).unwrap(), |a, b| a > b),
            (Constraint::lt(&x, &y).unwrap(), |a, b| a < b),
            (Constraint::eq(&x, &y).unwrap(), |a, b| a == b),
            (Constraint::ne(&x, &y).unwrap(), |a, b| a != b),
        ];
        for (c, meaning) in table {
            for a in -9..=9 {
                for b in -4..=4 {
                    let value = |v: Var| if v == X { a } else { b };
                    let expected = meaning(a, 2 * b + 1);
                    assert_eq!(c.holds(value), Some(expected));
                    assert_eq!(c.negate().unwrap().holds(value), Some(!expected));
                    assert_eq!(c.normalise().holds(value), Some(expected));
                }
            }
        }
    }

    #[test]
    fn a_constraint_is_solved_for_a_variable_without_a_factor() {
        let c = Constraint::non_negative(expr(&[(X, -1), (Y, 2)], 3));
        assert_eq!(c.solved_for(X), Some((-1, expr(&[(Y, 2)], 3))));
        assert_eq!(Constraint::non_negative(expr(&[(X, 1), (Y, 2)], 3)).solved_for(X), Some((1, expr(&[(Y, -2)], -3))));
        assert_eq!((c.solved_for(Y), c.solved_for(Z)), (None, None));
        assert_eq!(Constraint::non_negative(expr(&[(X, 1)], i128::MIN)).solved_for(X), None);
    }

    #[test]
    fn texts_begin_with_what_is_positive() {
        let name = |v: Var| ["x", "y", "z"][usize::try_from(v.0).unwrap()].to_owned();
        let of = |e: LinearExpr| e.as_sum().map(|v| name(*v)).to_string();
        assert_eq!(of(expr(&[(X, -1), (Y, 1)], -1)), "y - x - 1");
        assert_eq!(of(expr(&[(X, -2), (Y, 3)], 4)), "3*y - 2*x + 4");
        assert_eq!(of(expr(&[(X, -1)], 0)), "-x");
        assert_eq!((of(LinearExpr::constant(0)), of(LinearExpr::constant(-7))), ("0".into(), "-7".into()));
    }

    #[test]
    fn normal_forms_have_the_same_integer_points() {
        for (a, b, k) in [(2, 4, 3), (-2, 4, -3), (6, -3, 9), (-6, 0, 3), (0, 5, -7), (0, 0, 4), (-4, -6, 0)] {
            for relation in [Relation::NonNegative, Relation::Zero, Relation::NonZero] {
                let c = Constraint { expr: expr(&[(X, a), (Y, b)], k), relation };
                let n = c.normalise();
                assert_eq!(n.normalise(), n, "{c:?}");
                for x in -5..=5 {
                    for y in -5..=5 {
                        let value = |v: Var| if v == X { x } else { y };
                        assert_eq!(c.holds(value), n.holds(value), "{c:?} became {n:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn normal_forms_cut_divide_and_orient() {
        // 2x - 3 >= 0 over the integers is x - 2 >= 0.
        let cut = Constraint::non_negative(expr(&[(X, 2)], -3)).normalise();
        assert_eq!(cut, Constraint::non_negative(expr(&[(X, 1)], -2)));
        let odd = Constraint { expr: expr(&[(X, 2)], 1), relation: Relation::Zero };
        assert_eq!(odd.normalise(), Constraint::non_negative(LinearExpr::constant(-1)));
        let odd = Constraint { relation: Relation::NonZero, ..odd };
        assert_eq!(odd.normalise(), Constraint::non_negative(LinearExpr::constant(0)));
        let oriented = Constraint { expr: expr(&[(X, -3), (Y, 3)], 6), relation: Relation::Zero }.normalise();
        assert_eq!(oriented.expr, expr(&[(X, 1), (Y, -1)], -2));
    }
}
