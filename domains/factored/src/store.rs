//! Factors, each made once, and what was computed of them.

use crate::factor::{Factor, independent};
use smalti_core::{Constraint, LinearExpr, Numeric, Thresholds, Var};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// How many results are kept; when there are more, all are forgotten, so that memory stays bounded.
const KEPT: usize = 20_000;

/// The factors of one domain, and results of operations on them. Equal factors are one, so that a
/// comparison of addresses mostly suffices, and what was done to some factors before is not done
/// again.
pub(crate) struct Store<N> {
    /// All valuations.
    top: N,
    next: Cell<u64>,
    made: RefCell<HashMap<Vec<Constraint>, Rc<Factor<N>>>>,
    results: RefCell<HashMap<(Operation, Vec<u64>), Factors<N>>>,
    inclusions: RefCell<HashMap<(Vec<u64>, u64), bool>>,
}

/// Factors over disjoint variables, or bottom.
type Factors<N> = Option<Vec<Rc<Factor<N>>>>;

/// What is done to the product of some factors.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Forget(Vec<Var>),
    Assign(Var, LinearExpr),
    Assume(Constraint),
    /// Of the product of so many first ones with the product of the others.
    Join(usize),
    /// Of all; they may be over the same variables.
    Meet,
    Expand(Var, Var),
    Fold(Var, Var),
    Rename(Vec<(Var, Var)>),
}

impl<N: Numeric> Store<N> {
    pub(crate) fn new(top: N) -> Self {
        Store {
            top,
            next: Cell::new(0),
            made: RefCell::default(),
            results: RefCell::default(),
            inclusions: RefCell::default(),
        }
    }

    /// The result of an operation on some factors, in factors.
    pub(crate) fn apply(&self, operation: Operation, operands: &[Rc<Factor<N>>]) -> Factors<N> {
        let key = (operation, ids(operands));
        if let Some(known) = self.results.borrow().get(&key) {
            return known.clone();
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
        let mut results = self.results.borrow_mut();
        if results.len() >= KEPT {
            results.clear();
        }
        results.insert(key, result.clone());
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
        if let Some(known) = self.inclusions.borrow().get(&key) {
            return *known;
        }
        let answer = self.product(ours).leq(&theirs.element);
        let mut inclusions = self.inclusions.borrow_mut();
        if inclusions.len() >= KEPT {
            inclusions.clear();
        }
        inclusions.insert(key, answer);
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
        let constraints = self.satisfiable(&element)?;
        let parts = independent(&element, &constraints);
        if let [vars] = &parts[..] {
            return Some(vec![self.intern(vars.iter().copied().collect(), element, constraints)]);
        }
        let factor = |vars: BTreeSet<Var>| {
            let element = element.project(&vars);
            let constraints = self.satisfiable(&element)?;
            Some(self.intern(vars.into_iter().collect(), element, constraints))
        };
        parts.into_iter().map(factor).collect()
    }

    /// The constraints of an element; `None` if it is bottom, or they show that it is empty, which
    /// not every element knows.
    fn satisfiable(&self, element: &N) -> Option<Vec<Constraint>> {
        let constraints = if element.is_bottom() { return None } else { element.constraints() };
        constraints.iter().all(|c| c.expr.as_constant().is_none()).then_some(constraints)
    }

    /// The factor of an element: the one that there is already, if it means the same. Constraints
    /// alone do not show that, since an element may leave some out.
    fn intern(&self, vars: Vec<Var>, element: N, constraints: Vec<Constraint>) -> Rc<Factor<N>> {
        let mut made = self.made.borrow_mut();
        if let Some(known) = made.get(&constraints)
            && known.vars == vars
            && known.element.leq(&element)
            && element.leq(&known.element)
        {
            return Rc::clone(known);
        }
        if made.len() >= KEPT {
            made.clear();
        }
        self.next.set(self.next.get() + 1);
        let factor = Rc::new(Factor::new(self.next.get(), vars, element, constraints.clone()));
        made.insert(constraints, Rc::clone(&factor));
        factor
    }
}

fn ids<N>(factors: &[Rc<Factor<N>>]) -> Vec<u64> {
    factors.iter().map(|f| f.id).collect()
}
