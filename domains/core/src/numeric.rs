//! The interface of numeric domains.

use crate::{Constraint, Interval, Lattice, LinearExpr, Var};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// One element of a numeric domain: a set of valuations of *all* variables by integers.
///
/// A variable that the element does not mention is unconstrained: there is no environment for
/// callers to keep, and the two sides of a binary operation need not mention the same variables.
/// Implementations add a dimension when a variable is first constrained and drop it when it is
/// forgotten.
///
/// A *summary* variable stands for many cells; the element then describes every choice of one cell
/// per summary variable (Gopan, DiMaio, Dor, Reps, Sagiv: "Numeric domains with summarized
/// dimensions", TACAS 2004). To the numeric domain it is a variable like any other: the caller uses
/// [`Numeric::expand`] and [`Numeric::fold`] in place of assignment.
///
/// Every operation may answer more loosely than asked (a larger set, `None` for a bound, `false`
/// for an entailment), never more strictly. No operation panics on large numbers. A bottom element
/// stays bottom under every operation except `join_with`.
pub trait Numeric: Lattice + Debug {
    /// Every value becomes possible for `v` (existential quantification, then all values).
    /// Variables not mentioned are fine.
    fn forget(&mut self, vars: &[Var]);

    /// Projects to `keep`: every value becomes possible for all other variables.
    #[must_use]
    fn project(&self, keep: &BTreeSet<Var>) -> Self {
        let mut result = self.clone();
        let gone: Vec<Var> = self.vars().into_iter().filter(|v| !keep.contains(v)).collect();
        if !gone.is_empty() {
            result.forget(&gone);
        }
        result
    }

    /// Variables among which are all that share a constraint with one of `vars`.
    fn related(&self, _vars: &[Var]) -> Vec<Var> {
        self.vars()
    }

    /// Variables among which are all that share with one of `vars` a constraint that does not
    /// follow from bounds of single variables.
    fn tied(&self, vars: &[Var]) -> Vec<Var> {
        self.related(vars)
    }

    /// Whether `self` is below what `other` says of the variables that are asked for.
    fn leq_over(&self, other: &Self, asked: &dyn Fn(Var) -> bool) -> bool {
        self.leq(&other.project(&other.vars().into_iter().filter(|v| asked(*v)).collect()))
    }

    /// `v := e`, where `e` may mention `v`.
    fn assign(&mut self, v: Var, e: &LinearExpr);

    /// Only the valuations that satisfy `c` remain.
    fn assume(&mut self, c: &Constraint);

    /// `γ(self) ∩ γ(other) ⊆ γ(self') `.
    fn meet_with(&mut self, other: &Self);

    /// Makes `copy` (unmentioned before) a second, independent copy of `v`: `copy` gets every
    /// constraint that `v` has with other variables, none with `v` itself (Gopan et al., *expand*).
    fn expand(&mut self, v: Var, copy: Var);

    /// Lets `into` stand for what `into` or `from` stood for, then forgets `from` (Gopan et al.,
    /// *fold*): the join of `forget from` and of `forget into; rename from to into`.
    fn fold(&mut self, into: Var, from: Var);

    /// Renames variables simultaneously. The targets are distinct and unmentioned, unless they are
    /// themselves renamed.
    fn rename(&mut self, pairs: &[(Var, Var)]);

    /// An interval that holds every value of `e`; `None` if the element is known to be bottom.
    fn bounds(&self, e: &LinearExpr) -> Option<Interval>;

    /// [`Numeric::bounds`] of `x`, or of `x - y`; all numbers if the element is known to be bottom.
    ///
    /// The commonest questions, which a domain may answer without an expression.
    fn distance(&self, x: Var, y: Option<Var>) -> Interval {
        let x = LinearExpr::var(x);
        let e = y.map_or_else(|| Some(x.clone()), |y| x.sub(&LinearExpr::var(y)));
        e.and_then(|e| self.bounds(&e)).unwrap_or(Interval::TOP)
    }

    /// [`Numeric::distance`] of each of `xs`: alone, then from each of `ys`.
    fn distances(&self, xs: &[Var], ys: &[Var]) -> Vec<Interval> {
        let of = |x: &Var| {
            let x = *x;
            std::iter::once(self.distance(x, None)).chain(ys.iter().map(move |y| self.distance(x, Some(*y))))
        };
        xs.iter().flat_map(of).collect()
    }

    /// `true` implies that every valuation satisfies `c`.
    fn entails(&self, c: &Constraint) -> bool {
        let c = c.normalise();
        self.bounds(&c.expr).is_none_or(|values| c.relation.decided(values) == Some(true))
    }

    /// The element as a conjunction, for printing and for transfer between domains: `γ(self)` is a
    /// subset of the valuations that satisfy all of them. Sorted, without redundant ones where that
    /// is cheap.
    fn constraints(&self) -> Vec<Constraint>;

    /// The variables that the element constrains, ascending.
    fn vars(&self) -> Vec<Var>;
}

/// Makes the elements of a numeric domain, and owns what they share (managers, configuration).
pub trait NumericDomain {
    /// The elements.
    type Element: Numeric;

    /// The name in a stack, such as `box` or `apron-octagon`.
    fn name(&self) -> String;

    /// All valuations.
    fn top(&self) -> Self::Element;

    /// No valuation.
    fn bottom(&self) -> Self::Element;
}
