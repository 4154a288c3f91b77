//! A recurrence, and what the rules share.

use smalti_terms::{Context, Facts, Term, Var};
use std::cell::Cell;

/// A sequence `y(0) = start`, `y(n + 1) = step(y(n), n)`.
#[derive(Clone, Copy)]
pub(in crate::summary) struct Recurrence {
    /// Stands for the value before an iteration.
    pub(in crate::summary) value: Var,
    /// Stands for the number of the iteration, from 0.
    pub(in crate::summary) iteration: Var,
    /// The value before the first iteration. It mentions neither of the two.
    pub(in crate::summary) start: Term,
    /// The value after the iteration.
    pub(in crate::summary) step: Term,
}

impl Recurrence {
    /// The term with an index in place of the number of the iteration.
    pub(super) fn at(self, c: &Context, t: Term, index: Term) -> Term {
        c.substitute(t, self.iteration, index)
    }

    /// The value after the iteration, for a value before it.
    pub(super) fn next(self, c: &Context, value: Term) -> Term {
        c.substitute(self.step, self.value, value)
    }

    /// Whether a term is the same in all iterations and for all values.
    pub(super) fn is_fixed(self, c: &Context, t: Term) -> bool {
        !c.mentions(t, self.value) && !c.mentions(t, self.iteration)
    }

    /// The term `iteration + by`.
    pub(super) fn later(self, c: &Context, by: Term) -> Term {
        c.add(c.var(self.iteration), by)
    }
}

/// A rule: the value before iteration number `iteration`; `None` if the rule does not apply.
pub(super) type Rule = fn(&Solver<'_>, Recurrence) -> Option<Term>;

/// What a rule may use.
pub(super) struct Solver<'a> {
    pub(super) c: &'a Context,
    /// What holds in every iteration that counts.
    pub(super) given: Term,
    /// All rules, for the parts of a recurrence.
    pub(super) rules: &'a [(&'a str, Rule)],
    /// How deep a recurrence may still be taken apart.
    pub(super) depth: u32,
    /// How many parts may still be solved in all.
    pub(super) parts: &'a Cell<u32>,
}

impl<'a> Solver<'a> {
    /// The closed form by the first rule that applies.
    pub(super) fn solve(&self, r: Recurrence) -> Option<Term> {
        self.rules.iter().find_map(|(_, rule)| rule(self, r))
    }

    /// The closed form of a part of a recurrence, under the same facts.
    pub(super) fn part(&self, r: Recurrence) -> Option<Term> {
        self.part_given(r, self.given)
    }

    /// The closed form of a part whose iterations have other numbers, so that what is known of the
    /// number does not count.
    pub(super) fn shifted_part(&self, r: Recurrence) -> Option<Term> {
        self.part_given(r, self.c.ge(self.c.var(r.iteration), self.c.int(0)))
    }

    fn part_given(&self, r: Recurrence, given: Term) -> Option<Term> {
        let depth = self.depth.checked_sub(1)?;
        self.parts.set(self.parts.get().checked_sub(1)?);
        Solver { given, depth, ..*self }.solve(r)
    }

    /// What holds in every iteration that counts, as facts.
    pub(super) fn facts(&self) -> Facts<'a> {
        Facts::new(self.c).with(self.given)
    }
}
