//! Simplifies conjunctions for people and for other domains: fewer constraints, the same integer
//! valuations.

use crate::{Constraint, LinearExpr, Relation, Var};
use std::collections::BTreeMap;

/// Normal forms, without repetitions, sorted: equalities first, then by variables.
pub fn tidy(constraints: Vec<Constraint>) -> Vec<Constraint> {
    let mut strongest: BTreeMap<Vec<(Var, i128)>, i128> = BTreeMap::new();
    let mut result = Vec::new();
    for c in constraints.iter().map(Constraint::normalise) {
        match (c.relation, c.expr.as_constant()) {
            (_, Some(_)) if c.holds(|_| 0) == Some(true) => {}
            (_, Some(_)) => return vec![Constraint::never()],
            (Relation::NonNegative, None) => {
                let constant = c.expr.constant_part();
                strongest.entry(c.expr.terms().to_vec()).and_modify(|s| *s = constant.min(*s)).or_insert(constant);
            }
            (_, None) => result.push(c),
        }
    }
    for (terms, &constant) in &strongest {
        let opposite: Option<Vec<(Var, i128)>> = terms.iter().map(|&(v, c)| Some((v, c.checked_neg()?))).collect();
        let expr = LinearExpr::new(terms.iter().copied(), constant).expect("terms as they were");
        match opposite.and_then(|opposite| strongest.get(&opposite)) {
            // `e >= 0` and `-e >= 0`: said once, by the one whose first coefficient is positive.
            Some(&other) if constant.checked_neg() == Some(other) => {
                if terms[0].1 > 0 {
                    result.push(Constraint { expr, relation: Relation::Zero });
                }
            }
            _ => result.push(Constraint::non_negative(expr)),
        }
    }
    for c in result.iter_mut().filter(|c| c.relation == Relation::Zero && c.expr.terms()[0].1 < 0) {
        if let Some(expr) = c.expr.scale(-1) {
            c.expr = expr;
        }
    }
    result.sort_by(|a, b| key(a).cmp(&key(b)));
    result.dedup();
    result
}

type Key<'a> = (bool, usize, Vec<Var>, &'a [(Var, i128)], i128);

fn key(c: &Constraint) -> Key<'_> {
    let terms = c.expr.terms();
    (c.relation != Relation::Zero, terms.len(), c.expr.vars().collect(), terms, c.expr.constant_part())
}

/// [`tidy`], for the constraints of a closed octagon, most of which follow from others: equalities
/// are solved for one of their variables, which then occurs nowhere else, and a constraint on two
/// variables that is the sum of two others is left out. Bounds of one variable all stay, since who
/// reads them may not be able to add.
pub fn tidy_octagon(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    // Most of a closed octagon is the sum of two bounds; that goes first, before anything costs
    // time.
    let mut bounds: BTreeMap<Literal, i128> = BTreeMap::new();
    for c in &constraints {
        if let Some((a, None)) = shape(c) {
            let bound = bounds.entry(a).or_insert(c.expr.constant_part());
            *bound = c.expr.constant_part().min(*bound);
        }
    }
    constraints.retain(|c| match shape(c) {
        Some((a, Some(b))) => !is_sum(c, bounds.get(&a).copied(), bounds.get(&b).copied()),
        _ => true,
    });
    let (equalities, mut rest): (Vec<_>, Vec<_>) =
        tidy(constraints).into_iter().partition(|c| c.relation == Relation::Zero);
    let mut solved: Vec<(Var, LinearExpr)> = Vec::new();
    for equality in equalities {
        let Some(e) = substitute(&equality.expr, &solved) else { continue };
        // The greatest variable goes: domains' own dimensions sort after the program's variables.
        let Some(&(v, factor)) = e.terms().iter().rev().find(|t| is_unit(t)) else {
            rest.push(Constraint { expr: e, relation: Relation::Zero });
            continue;
        };
        let Some(value) = e.substitute(v, &LinearExpr::constant(0)).and_then(|e| e.scale(-factor)) else { continue };
        for (_, other) in &mut solved {
            if let Some(e) = other.substitute(v, &value) {
                *other = e;
            }
        }
        solved.push((v, value));
    }
    let reduce = |c: &Constraint| Constraint { expr: substitute(&c.expr, &solved).unwrap_or(c.expr.clone()), ..*c };
    let mut all = without_sums(tidy(rest.iter().map(reduce).collect()));
    for (v, value) in &solved {
        all.extend(Constraint::eq(&LinearExpr::var(*v), value));
    }
    tidy(all)
}

fn substitute(e: &LinearExpr, solved: &[(Var, LinearExpr)]) -> Option<LinearExpr> {
    solved.iter().try_fold(e.clone(), |e, (v, value)| e.substitute(*v, value))
}

/// A variable with the sign 1 or -1.
type Literal = (Var, i128);

fn is_unit(term: &(Var, i128)) -> bool {
    matches!(term.1, 1 | -1)
}

/// The literals of an inequality on one or two of them.
fn shape(c: &Constraint) -> Option<(Literal, Option<Literal>)> {
    match (c.relation, c.expr.terms()) {
        (Relation::NonNegative, &[a]) if is_unit(&a) => Some((a, None)),
        (Relation::NonNegative, &[a, b]) if is_unit(&a) && is_unit(&b) => Some((a, Some(b))),
        _ => None,
    }
}

/// Whether `c` follows from two inequalities whose terms add up to its own, given their constants.
fn is_sum(c: &Constraint, x: Option<i128>, y: Option<i128>) -> bool {
    let sum = x.zip(y).and_then(|(x, y)| x.checked_add(y));
    sum.is_some_and(|sum| sum <= c.expr.constant_part())
}

/// Leaves out constraints `a + b + c >= 0` (`a`, `b` literals) that are the sum of two of the
/// others. One after the other, so that what is left always implies what was there.
fn without_sums(mut constraints: Vec<Constraint>) -> Vec<Constraint> {
    let mut unary: BTreeMap<Literal, i128> = BTreeMap::new();
    let mut binary: BTreeMap<Literal, BTreeMap<Literal, i128>> = BTreeMap::new();
    for c in &constraints {
        let constant = c.expr.constant_part();
        match shape(c) {
            Some((a, None)) => _ = unary.insert(a, constant),
            Some((a, Some(b))) => {
                binary.entry(a).or_default().insert(b, constant);
                binary.entry(b).or_default().insert(a, constant);
            }
            None => {}
        }
    }
    // From the back, so that of two that imply each other the earlier one stays.
    let mut kept = Vec::new();
    while let Some(c) = constraints.pop() {
        if let Some((a, Some(b))) = shape(&c) {
            let bounded = is_sum(&c, unary.get(&a).copied(), unary.get(&b).copied());
            let through = |(&(v, sign), x): (&Literal, &i128)| {
                let second = binary.get(&(v, -sign)).and_then(|others| others.get(&b));
                (v, sign) != b && is_sum(&c, Some(*x), second.copied())
            };
            if bounded || binary.get(&a).is_some_and(|others| others.iter().any(through)) {
                for (x, y) in [(a, b), (b, a)] {
                    binary.entry(x).or_default().remove(&y);
                }
                continue;
            }
        }
        kept.push(c);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(terms: &[(u32, i128)], constant: i128, relation: Relation) -> Constraint {
        let terms = terms.iter().map(|&(n, c)| (Var::scalar(n), c));
        Constraint { expr: LinearExpr::new(terms, constant).unwrap(), relation }
    }

    fn at_least(terms: &[(u32, i128)], constant: i128) -> Constraint {
        constraint(terms, constant, Relation::NonNegative)
    }

    #[test]
    fn two_opposite_inequalities_are_one_equality() {
        let all = vec![at_least(&[(0, 1), (1, -1)], -3), at_least(&[(0, -1), (1, 1)], 3)];
        assert_eq!(tidy(all), [constraint(&[(0, 1), (1, -1)], -3, Relation::Zero)]);
    }

    #[test]
    fn of_two_parallel_inequalities_the_stronger_stays() {
        let all = vec![at_least(&[(0, 2)], -3), at_least(&[(0, 1)], 5), at_least(&[], 1)];
        assert_eq!(tidy(all), [at_least(&[(0, 1)], -2)]);
    }

    #[test]
    fn a_contradiction_stands_alone() {
        assert_eq!(tidy(vec![at_least(&[(0, 1)], 0), at_least(&[], -1)]), [Constraint::never()]);
    }

    #[test]
    fn an_octagon_is_told_by_what_does_not_follow() {
        // i == j, 0 <= i, i <= n, n <= 100; closed, this has many more.
        let (i, j, n) = (0, 1, 2);
        let all = vec![
            constraint(&[(i, 1), (j, -1)], 0, Relation::Zero),
            at_least(&[(i, 1)], 0),
            at_least(&[(j, 1)], 0),
            at_least(&[(n, 1)], 0),
            at_least(&[(i, -1)], 100),
            at_least(&[(j, -1)], 100),
            at_least(&[(n, -1)], 100),
            at_least(&[(i, -1), (n, 1)], 0),
            at_least(&[(j, -1), (n, 1)], 0),
            at_least(&[(i, 1), (j, 1)], 0),
            at_least(&[(i, 1), (n, 1)], 0),
            at_least(&[(i, -1), (n, -1)], 200),
        ];
        let expected = [
            constraint(&[(i, 1), (j, -1)], 0, Relation::Zero),
            at_least(&[(i, -1)], 100),
            at_least(&[(i, 1)], 0),
            at_least(&[(n, -1)], 100),
            at_least(&[(n, 1)], 0),
            at_least(&[(i, -1), (n, 1)], 0),
        ];
        assert_eq!(tidy_octagon(all), expected);
    }
}
