//! Linear expressions and constraints over integer variables.

use crate::{Interval, Var};

/// `sum of coefficient * variable + constant`, over the integers.
///
/// Invariant: terms are sorted by variable, one per variable, no coefficient is 0. Operations that could leave the
/// number range return `None`: the caller falls back to "unknown".
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
        let rest = LinearExpr {
            terms: self.terms.iter().copied().filter(|t| t.0 != v).collect(),
            constant: self.constant,
        };
        rest.add(&by.scale(c)?)
    }

    /// `self` with variables renamed by `f`; `None` if renamed variables meet and their sum overflows.
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

/// A linear expression compared with 0. There is no strict inequality: over the integers `a > b` is `a - b - 1 >= 0`.
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

    /// The same set of integer points in a normal form: coefficients divided by their gcd, the constant of an
    /// inequality rounded down (the integer cut), an equality without integer solution turned into `-1 >= 0`, a
    /// disequality that always holds into `0 >= 0`.
    #[must_use]
    pub fn normalise(&self) -> Self {
        let g = self.expr.terms.iter().fold(0u128, |g, t| gcd(g, t.1.unsigned_abs()));
        let Some(g) = i128::try_from(g).ok().filter(|g| *g > 1) else {
            return self.clone();
        };
        let divided = |constant: i128| LinearExpr {
            terms: self.expr.terms.iter().map(|&(v, c)| (v, c / g)).collect(),
            constant,
        };
        let (whole, rest) = (self.expr.constant.div_euclid(g), self.expr.constant.rem_euclid(g));
        match self.relation {
            Relation::NonNegative => Constraint::non_negative(divided(whole)),
            Relation::Zero if rest != 0 => Constraint::non_negative(LinearExpr::constant(-1)),
            Relation::NonZero if rest != 0 => Constraint::non_negative(LinearExpr::constant(0)),
            relation => Constraint { expr: divided(whole), relation },
        }
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

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
