//! The store of factors, each made once, and of the results computed from them.

use crate::factor::{Factor, independent};
use crate::memo::Memo;
use smalti_core::{Constraint, LinearExpr, Numeric, Thresholds, Var};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many factors, results and inclusions are kept.
const KEPT: usize = 20_000;

/// The factors of one domain, and results of operations on them. Equal factors are one, so that a
/// comparison of addresses mostly suffices, and what was done to some factors before is not done
/// again.
pub(crate) struct Store<N> {
    /// All valuations.
    top: N,
    next: Cell<u64>,
    made: Memo<Vec<Constraint>, Rc<Factor<N>>>,
    results: Memo<(Operation, Vec<u64>), Factors<N>>,
    inclusions: Memo<(Vec<u64>, u64), bool>,
}

/// Factors over disjoint variables, or bottom.
type Factors<N> = Option<Vec<Rc<Factor<N>>>>;

/// An operation on the product of some factors.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Forget(Vec<Var>),
    Assign(Var, LinearExpr),
    Assume(Constraint),
    /// The join of the product of the first factors (this many) with the product of the others.
    Join(usize),
    /// The meet of all factors; they may be over the same variables.
    Meet,
    Expand(Var, Var),
    Fold(Var, Var),
    Rename(Vec<(Var, Var)>),
}

impl<N: Numeric> Store<N> {
    pub(crate) fn new(top: N) -> Self {
        Store { top, next: Cell::new(0), made: Memo::new(KEPT), results: Memo::new(KEPT), inclusions: Memo::new(KEPT) }
    }

    /// The result of an operation on some factors, in factors.
    pub(crate) fn apply(&self, operation: Operation, operands: &[Rc<Factor<N>>]) -> Factors<N> {
        let key = (operation, ids(operands));
        if let Some(known) = self.results.get(&key) {
            return known;
        }
        let result = self.factors_of(match &key.0 {
            Operation::Join(ours) => {
                let (ours, theirs) = operands.split_at(*ours);
                let mut joined = self.product(ours);
                joined.join_with(&self.product(theirs));
                joined
            }
            Operation::Meet => self.product(operands),
            Operation::Forget(vars) => self.changed(operands, |e| e.forget(vars)),
            Operation::Assign(v, to) => self.changed(operands, |e| e.assign(*v, to)),
            Operation::Assume(c) => self.changed(operands, |e| e.assume(c)),
            Operation::Expand(v, copy) => self.changed(operands, |e| e.expand(*v, *copy)),
            Operation::Fold(into, from) => self.changed(operands, |e| e.fold(*into, *from)),
            Operation::Rename(pairs) => self.changed(operands, |e| e.rename(pairs)),
        });
        self.results.put(key, result.clone());
        result
    }

    /// The join of the product of some factors with that of others.
    pub(crate) fn join<'a>(
        &self,
        ours: impl IntoIterator<Item = &'a Rc<Factor<N>>>,
        theirs: impl IntoIterator<Item = &'a Rc<Factor<N>>>,
    ) -> Factors<N>
    where
        N: 'a,
    {
        let mut operands: Vec<_> = ours.into_iter().cloned().collect();
        let split = operands.len();
        operands.extend(theirs.into_iter().cloned());
        self.apply(Operation::Join(split), &operands)
    }

    /// The widening of the product of some factors by that of others. Results are not kept, since
    /// they depend on the thresholds.
    pub(crate) fn widen(&self, prev: &[Rc<Factor<N>>], next: &[Rc<Factor<N>>], thresholds: &Thresholds) -> Factors<N> {
        self.factors_of(N::widen(&self.product(prev), &self.product(next), thresholds))
    }

    /// Whether the product of `ours` is below `theirs`.
    pub(crate) fn leq(&self, ours: &[Rc<Factor<N>>], theirs: &Factor<N>) -> bool {
        if matches!(ours, [one] if one.id == theirs.id) {
            return true;
        }
        let key = (ids(ours), theirs.id);
        if let Some(known) = self.inclusions.get(&key) {
            return known;
        }
        let answer = self.product(ours).leq(&theirs.element);
        self.inclusions.put(key, answer);
        answer
    }

    fn product(&self, factors: &[Rc<Factor<N>>]) -> N {
        let Some((first, rest)) = factors.split_first() else { return self.top.clone() };
        let mut all = first.element.clone();
        rest.iter().for_each(|f| all.meet_with(&f.element));
        all
    }

    fn changed(&self, operands: &[Rc<Factor<N>>], change: impl FnOnce(&mut N)) -> N {
        let mut element = self.product(operands);
        change(&mut element);
        element
    }

    /// The finest factors of an element.
    fn factors_of(&self, element: N) -> Factors<N> {
        let constraints = satisfiable(&element)?;
        let parts = independent(&element, &constraints);
        if let [vars] = &parts[..] {
            return Some(vec![self.intern(vars.iter().copied().collect(), element, constraints)]);
        }
        let factor = |vars: BTreeSet<Var>| {
            let element = element.project(&vars);
            let constraints = satisfiable(&element)?;
            Some(self.intern(vars.into_iter().collect(), element, constraints))
        };
        parts.into_iter().map(factor).collect()
    }

    /// The factor of an element: the one that there is already, if it means the same. Constraints
    /// alone do not show that, since an element may leave some out.
    fn intern(&self, vars: Vec<Var>, element: N, constraints: Vec<Constraint>) -> Rc<Factor<N>> {
        if let Some(known) = self.made.get(&constraints)
            && known.vars == vars
            && known.element.leq(&element)
            && element.leq(&known.element)
        {
            return known;
        }
        self.next.set(self.next.get() + 1);
        let factor = Rc::new(Factor::new(self.next.get(), vars, element, constraints.clone()));
        self.made.put(constraints, Rc::clone(&factor));
        factor
    }
}

/// The constraints of an element; `None` if it is bottom, or they show that it is empty, which not
/// every element knows.
fn satisfiable<N: Numeric>(element: &N) -> Option<Vec<Constraint>> {
    let constraints = if element.is_bottom() { return None } else { element.constraints() };
    constraints.iter().all(|c| c.expr.as_constant().is_none()).then_some(constraints)
}

fn ids<N>(factors: &[Rc<Factor<N>>]) -> Vec<u64> {
    factors.iter().map(|f| f.id).collect()
}
