//! One factor, and how variables fall into factors.

use crate::memo::Memo;
use smalti_core::{Constraint, Interval, LinearExpr, Numeric, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// How many answers each factor keeps.
const KEPT: usize = 200;

/// The facts about some variables together, and about no other. A factor never changes.
pub(crate) struct Factor<N> {
    /// No other factor of the store has or had it.
    pub(crate) id: u64,
    /// Not empty, ascending. `element` mentions no other.
    pub(crate) vars: Vec<Var>,
    /// Not bottom.
    pub(crate) element: N,
    /// The constraints of `element`, as it gives them.
    pub(crate) constraints: Vec<Constraint>,
    /// Answers of [`Factor::bounds`], by the terms.
    answers: Memo<LinearExpr, Option<Interval>>,
}

impl<N: Numeric> Factor<N> {
    pub(crate) fn new(id: u64, vars: Vec<Var>, element: N, constraints: Vec<Constraint>) -> Self {
        Factor { id, vars, element, constraints, answers: Memo::new(KEPT) }
    }

    pub(crate) fn has(&self, v: Var) -> bool {
        self.vars.binary_search(&v).is_ok()
    }

    pub(crate) fn has_any(&self, vars: &[Var]) -> bool {
        vars.iter().any(|v| self.has(*v))
    }

    /// The value of the factor's only variable, if it has but one.
    pub(crate) fn constant(&self) -> Option<i128> {
        let [Constraint { expr, relation: Relation::Zero }] = &self.constraints[..] else { return None };
        let ([_], [(_, 1)]) = (&self.vars[..], expr.terms()) else { return None };
        expr.constant_part().checked_neg()
    }

    /// The bounds of an expression without a constant.
    pub(crate) fn bounds(&self, terms: LinearExpr) -> Option<Interval> {
        if let Some(known) = self.answers.get(&terms) {
            return known;
        }
        let answer = self.element.bounds(&terms);
        self.answers.put(terms, answer);
        answer
    }
}

/// Sets of variables that no constraint of `element` connects: what it says is what it says of each
/// of them. All that it constrains are in one of them.
pub(crate) fn independent<N: Numeric>(element: &N, constraints: &[Constraint]) -> Vec<BTreeSet<Var>> {
    // A variable with one value says nothing of others, wherever it occurs beside them.
    let of_one = |c: &&Constraint| c.relation == Relation::Zero && c.expr.terms().len() == 1;
    let constants: BTreeSet<Var> = constraints.iter().filter(of_one).flat_map(|c| c.expr.vars()).collect();
    let connected = constraints.iter().map(|c| c.expr.vars().filter(|v| !constants.contains(v)).collect());
    let alone = element.vars().into_iter().map(|v| vec![v]);
    connect(alone.chain(connected)).into_iter().map(BTreeSet::from_iter).collect()
}

/// The classes of the finest partition in which no given set is divided; empty sets are fine.
pub(crate) fn connect(sets: impl IntoIterator<Item = Vec<Var>>) -> Vec<Vec<Var>> {
    let mut class_of: BTreeMap<Var, usize> = BTreeMap::new();
    let mut classes: Vec<Vec<Var>> = Vec::new();
    for set in sets {
        let mut known: Vec<usize> = set.iter().filter_map(|v| class_of.get(v).copied()).collect();
        known.sort_unstable();
        known.dedup();
        let into = known.first().copied().unwrap_or_else(|| {
            classes.push(Vec::new());
            classes.len() - 1
        });
        for other in known.into_iter().skip(1) {
            for v in std::mem::take(&mut classes[other]) {
                class_of.insert(v, into);
                classes[into].push(v);
            }
        }
        for v in set {
            if class_of.insert(v, into).is_none() {
                classes[into].push(v);
            }
        }
    }
    classes.retain(|class| !class.is_empty());
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_that_meet_are_one_class() {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(Var::scalar);
        let classes = connect([vec![a, b], vec![c], vec![], vec![d, e], vec![b, d], vec![c]]);
        let sorted = |mut class: Vec<Var>| {
            class.sort_unstable();
            class
        };
        assert_eq!(classes.into_iter().map(sorted).collect::<Vec<_>>(), [vec![a, b, d, e], vec![c]]);
    }
}
