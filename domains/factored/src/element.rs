//! The elements.

use crate::factor::{Factor, connect};
use crate::store::{Operation, Store};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, Relation, Thresholds, Var, simplify};
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// An element of the domain of `N`, in factors.
#[derive(Clone)]
pub struct Factored<N> {
    store: Rc<Store<N>>,
    /// In the order of their first variables; `None` is bottom.
    factors: Option<Vec<Rc<Factor<N>>>>,
}

/// Factors of two elements over the same variables.
struct Class<N> {
    ours: Vec<Rc<Factor<N>>>,
    theirs: Vec<Rc<Factor<N>>>,
}

impl<N: Numeric> Factored<N> {
    pub(crate) fn top(store: Rc<Store<N>>) -> Self {
        Factored { store, factors: Some(Vec::new()) }
    }

    pub(crate) fn bottom(store: Rc<Store<N>>) -> Self {
        Factored { store, factors: None }
    }

    /// The variables of each factor.
    pub fn factors(&self) -> impl Iterator<Item = &[Var]> {
        self.known().iter().map(|f| f.vars.as_slice())
    }

    fn known(&self) -> &[Rc<Factor<N>>] {
        self.factors.as_deref().unwrap_or_default()
    }

    /// Panics if the stores differ: factors are distinguished by numbers that only their store
    /// gives.
    fn assert_same_domain(&self, other: &Self) {
        assert!(Rc::ptr_eq(&self.store, &other.store), "elements of different domains");
    }

    fn mentions(&self, v: Var) -> bool {
        self.known().iter().any(|f| f.has(v))
    }

    fn shares(&self, factor: &Rc<Factor<N>>) -> bool {
        self.known().iter().any(|own| Rc::ptr_eq(own, factor))
    }

    /// The expression with the values of variables that have but one in place of these.
    fn with_constants(&self, e: &LinearExpr) -> LinearExpr {
        let value = |v: Var| self.known().iter().find(|f| f.has(v)).and_then(|f| f.constant());
        let put = |e: LinearExpr, v: Var| value(v).and_then(|c| e.substitute(v, &LinearExpr::constant(c))).unwrap_or(e);
        e.vars().fold(e.clone(), put)
    }

    /// Does something to the product of the factors that mention one of `vars`.
    fn apply(&mut self, operation: Operation, vars: &[Var]) {
        let Some(factors) = &mut self.factors else { return };
        let operands: Vec<_> = factors.extract_if(.., |f| f.has_any(vars)).collect();
        let result = self.store.apply(operation, &operands);
        self.add(result);
    }

    /// Adds factors over variables that no factor mentions.
    fn add(&mut self, more: Option<Vec<Rc<Factor<N>>>>) {
        let (Some(factors), Some(more)) = (&mut self.factors, more) else {
            self.factors = None;
            return;
        };
        for factor in more {
            let at = factors.partition_point(|f| f.vars[0] < factor.vars[0]);
            factors.insert(at, factor);
        }
    }

    /// The factors of both over the variables that both mention, grouped into the smallest classes
    /// such that each factor lies in one of them, and, before them, the element of what both share.
    /// What else they mention is projected away: a variable that one side does not constrain is not
    /// constrained by an upper bound. `Err` holds the upper bound itself, where a side turns out to
    /// be empty.
    fn classes(ours: &Self, theirs: &Self) -> Result<(Self, Vec<Class<N>>), Self> {
        let (shared, mut ours_alone) = ours.split(theirs);
        let (_, mut theirs_alone) = theirs.split(ours);
        loop {
            let (a, b) = (ours_alone.vars(), theirs_alone.vars());
            ours_alone.forget(&without(&a, &b));
            theirs_alone.forget(&without(&b, &a));
            if ours_alone.is_bottom() {
                return Err(theirs.clone());
            }
            if theirs_alone.is_bottom() {
                return Err(ours.clone());
            }
            // Projection can free more variables than it was asked to.
            if ours_alone.vars() == theirs_alone.vars() {
                break;
            }
        }
        let sets = ours_alone.factors().chain(theirs_alone.factors()).map(<[Var]>::to_vec);
        let of = |element: &Self, class: &[Var]| {
            element.known().iter().filter(|f| class.contains(&f.vars[0])).cloned().collect()
        };
        let class = |vars: Vec<Var>| Class { ours: of(&ours_alone, &vars), theirs: of(&theirs_alone, &vars) };
        Ok((shared, connect(sets).into_iter().map(class).collect()))
    }

    /// The element of the factors that the other one has too, and that of the rest.
    fn split(&self, other: &Self) -> (Self, Self) {
        let theirs: BTreeSet<u64> = other.known().iter().map(|f| f.id).collect();
        let (shared, own) = self.known().iter().cloned().partition(|f| theirs.contains(&f.id));
        let of = |factors| Factored { store: Rc::clone(&self.store), factors: Some(factors) };
        (of(shared), of(own))
    }

    /// Whether the product of `ours` is below that of `theirs`, factor by factor, looking at no
    /// more than their variables.
    fn below(&self, ours: &[Rc<Factor<N>>], theirs: &[Rc<Factor<N>>]) -> bool {
        theirs.iter().all(|theirs| {
            let mut near = Factored::top(Rc::clone(&self.store));
            near.add(Some(ours.iter().filter(|f| f.has_any(&theirs.vars)).cloned().collect()));
            let foreign = near.factors().flatten().copied().filter(|v| !theirs.has(*v));
            let foreign: Vec<Var> = foreign.collect();
            near.forget(&foreign);
            near.is_bottom() || self.store.leq(near.known(), theirs)
        })
    }
}

/// Those of the first that are not among the second; both ascend.
fn without(vars: &[Var], others: &[Var]) -> Vec<Var> {
    vars.iter().copied().filter(|v| others.binary_search(v).is_err()).collect()
}

impl<N: Numeric> Lattice for Factored<N> {
    fn is_bottom(&self) -> bool {
        self.factors.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        self.leq_over(other, &|_| true)
    }

    fn join_with(&mut self, other: &Self) {
        self.assert_same_domain(other);
        if self.leq(other) {
            self.factors.clone_from(&other.factors);
            return;
        }
        if other.leq(self) {
            return;
        }
        let mut differing = Vec::new();
        let (mut result, classes) = match Factored::classes(self, other) {
            Ok(known) => known,
            Err(bound) => {
                *self = bound;
                return;
            }
        };
        for class in classes {
            if self.below(&class.ours, &class.theirs) && self.below(&class.theirs, &class.ours) {
                // The side in more factors, which is the same said in a simpler way.
                let finer = if class.ours.len() < class.theirs.len() { class.theirs } else { class.ours };
                result.add(Some(finer));
            } else {
                differing.push(class);
            }
        }
        let joined = self.store.join(differing.iter().flat_map(|c| &c.ours), differing.iter().flat_map(|c| &c.theirs));
        if differing.len() > 1 && joined.as_ref().is_some_and(Vec::is_empty) {
            // The product was too large. Without what connects the classes the result is larger,
            // and still holds both sides.
            for class in &differing {
                result.add(self.store.join(&class.ours, &class.theirs));
            }
        } else {
            result.add(joined);
        }
        *self = result;
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        prev.assert_same_domain(next);
        if prev.is_bottom() {
            return next.clone();
        }
        if next.is_bottom() {
            return prev.clone();
        }
        let (mut result, classes) = match Factored::classes(prev, next) {
            Ok(known) => known,
            Err(bound) => return bound,
        };
        for Class { ours, theirs } in classes {
            if prev.below(&theirs, &ours) {
                result.add(Some(ours));
            } else {
                result.add(prev.store.widen(&ours, &theirs, thresholds));
            }
        }
        result
    }
}

impl<N: Numeric> Numeric for Factored<N> {
    fn forget(&mut self, vars: &[Var]) {
        let Some(factors) = &mut self.factors else { return };
        let touched: Vec<_> = factors.extract_if(.., |f| f.has_any(vars)).collect();
        for factor in touched {
            let gone: Vec<Var> = factor.vars.iter().copied().filter(|v| vars.contains(v)).collect();
            if gone.len() < factor.vars.len() {
                let rest = self.store.apply(Operation::Forget(gone), &[factor]);
                self.add(rest);
            }
        }
    }

    fn related(&self, vars: &[Var]) -> Vec<Var> {
        let near = self.known().iter().filter(|f| f.has_any(vars));
        let mut all: Vec<Var> = near.flat_map(|f| f.vars.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    fn leq_over(&self, other: &Self, asked: &dyn Fn(Var) -> bool) -> bool {
        self.assert_same_domain(other);
        if self.is_bottom() {
            return true;
        }
        if other.is_bottom() {
            return false;
        }
        other.known().iter().all(|theirs| {
            let foreign: Vec<Var> = theirs.vars.iter().copied().filter(|v| !asked(*v)).collect();
            if foreign.len() == theirs.vars.len() || self.shares(theirs) {
                return true;
            }
            if foreign.is_empty() {
                return self.below(self.known(), std::slice::from_ref(theirs));
            }
            let asked = self.store.apply(Operation::Forget(foreign), std::slice::from_ref(theirs));
            asked.is_some_and(|asked| self.below(self.known(), &asked))
        })
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        let e = self.with_constants(e);
        if !e.mentions(v) {
            self.forget(&[v]);
        }
        self.apply(Operation::Assign(v, e.clone()), &e.vars().collect::<Vec<_>>());
    }

    fn assume(&mut self, c: &Constraint) {
        let c = Constraint { expr: self.with_constants(&c.expr), relation: c.relation }.normalise();
        let Some(range) = self.bounds(&c.expr) else {
            self.factors = None;
            return;
        };
        let decided = c.relation.decided(range);
        if decided == Some(false) {
            self.factors = None;
            return;
        }
        // What follows already must not put factors together. Nor must a disequality in the midst
        // of a convex set.
        let inside = c.relation == Relation::NonZero && range.lo() != Some(0) && range.hi() != Some(0);
        let vars: Vec<Var> = c.expr.vars().collect();
        // Within one factor it may still cut off points that are not integers.
        if decided.is_none() && !inside || self.known().iter().filter(|f| f.has_any(&vars)).count() == 1 {
            self.apply(Operation::Assume(c), &vars);
        }
    }

    fn meet_with(&mut self, other: &Self) {
        self.assert_same_domain(other);
        if other.is_bottom() {
            self.factors = None;
        }
        for theirs in other.known() {
            if self.shares(theirs) {
                continue;
            }
            let Some(factors) = &mut self.factors else { return };
            let mut operands: Vec<_> = factors.extract_if(.., |f| f.has_any(&theirs.vars)).collect();
            operands.push(Rc::clone(theirs));
            let met = if operands.len() == 1 { Some(operands) } else { self.store.apply(Operation::Meet, &operands) };
            self.add(met);
        }
    }

    fn expand(&mut self, v: Var, copy: Var) {
        let Some(factor) = self.known().iter().find(|f| f.has(v)).cloned() else { return };
        if factor.vars == [v] {
            // Nothing connects the two.
            let copied = self.store.apply(Operation::Rename(vec![(v, copy)]), &[factor]);
            self.add(copied);
        } else {
            self.apply(Operation::Expand(v, copy), &[v]);
        }
    }

    fn fold(&mut self, into: Var, from: Var) {
        if self.mentions(into) && self.mentions(from) {
            self.apply(Operation::Fold(into, from), &[into, from]);
        } else {
            // One of the two stands for any value, hence so does the result.
            self.forget(&[into, from]);
        }
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        let Some(factors) = &mut self.factors else { return };
        // All are taken out first, since the new name of one may be the old name of another.
        let renamed: Vec<_> = factors.extract_if(.., |f| pairs.iter().any(|p| f.has(p.0))).collect();
        for factor in renamed {
            let own: Vec<(Var, Var)> = pairs.iter().copied().filter(|p| factor.has(p.0)).collect();
            let renamed = self.store.apply(Operation::Rename(own), &[factor]);
            self.add(renamed);
        }
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        if self.is_bottom() {
            return None;
        }
        let mut sum = Interval::constant(e.constant_part());
        let mut known = 0;
        for factor in self.known() {
            let terms: Vec<_> = e.terms().iter().copied().filter(|t| factor.has(t.0)).collect();
            if !terms.is_empty() {
                known += terms.len();
                let terms = LinearExpr::new(terms, 0).expect("terms as they were");
                sum = sum.add(factor.bounds(terms)?);
            }
        }
        // A variable in no factor has every value.
        Some(if known < e.terms().len() { Interval::TOP } else { sum })
    }

    fn constraints(&self) -> Vec<Constraint> {
        match &self.factors {
            None => vec![Constraint::never()],
            Some(factors) => simplify::tidy(factors.iter().flat_map(|f| f.constraints.iter().cloned()).collect()),
        }
    }

    fn vars(&self) -> Vec<Var> {
        let mut all: Vec<Var> = self.factors().flatten().copied().collect();
        all.sort_unstable();
        all
    }
}

impl<N: Numeric> fmt::Debug for Factored<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.factors {
            None => f.write_str("bottom"),
            Some(factors) => f.debug_list().entries(factors.iter().map(|f| &f.element)).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::FactoredDomain;
    use smalti_box::BoxDomain;
    use smalti_core::{Constraint, LinearExpr, Numeric, NumericDomain, Var};

    #[test]
    fn equal_factors_are_one() {
        let domain = FactoredDomain::new(BoxDomain);
        let [x, y] = [0, 1].map(Var::scalar);
        let at_least = |v, c| Constraint::ge(&LinearExpr::var(v), &LinearExpr::constant(c)).unwrap();
        let (mut a, mut b) = (domain.top(), domain.top());
        a.assume(&at_least(x, 3));
        a.assume(&at_least(y, 5));
        b.assume(&at_least(y, 5));
        b.assume(&at_least(x, 1));
        b.assign(x, &LinearExpr::new([(x, 1)], 2).unwrap());
        assert_eq!(a.known().len(), 2);
        assert!(a.known().iter().all(|f| b.shares(f)), "{a:?} and {b:?} were made in different ways");
    }
}
