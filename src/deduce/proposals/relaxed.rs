//! Proposals from claims: what a claim says, of fewer elements.

use super::finder::{Finder, Found};
use super::parts::{Claimed, MOST_ENDS, Names, reads_elements};
use crate::program::{BoundId, ForAll, Formula, Term, VarId, Visit, VisitMut};

impl Finder<'_> {
    pub(super) fn of_claim(&self, claim: &Claimed, found: &mut Found<'_>) {
        let Claimed { formula: claim, is_asserted } = claim;
        // The result is that of the variable which is returned later.
        let mut names = Names::default();
        names.formula(claim);
        let mut forms = vec![claim.clone()];
        for (result, sources) in self.returned.iter().filter(|(v, _)| names.found.contains(v)) {
            forms = sources
                .iter()
                .flat_map(|v| {
                    let (from, to) = (self.variable(*result), self.variable(*v));
                    forms.iter().map(|f| replaced(f, &from, &to)).collect::<Vec<_>>()
                })
                .collect();
        }
        for form in forms {
            let form = match &form {
                Formula::Not(inside) => &**inside,
                form => form,
            };
            let is_denied = matches!(claim, Formula::Not(_));
            let mut put = |f: Formula| found.add(if is_denied { Formula::Not(Box::new(f)) } else { f });
            put(form.clone());
            if *is_asserted && !form.is_quantified() {
                self.of_values(form, &mut put);
                self.after_the_start(form, &mut put);
            }
            let (mut lows, mut highs) = (Vec::new(), Vec::new());
            ranges(form, &mut lows, &mut highs);
            for high in &highs {
                for end in self.ends.iter().filter(|end| self.moves(end, end)) {
                    put(with_ranges(form, &mut |_, h| h.is_same(high).then(|| end.clone())));
                    put(replaced(form, high, end));
                }
            }
            for low in &lows {
                for end in self.ends.iter().filter(|end| self.moves(end, end)) {
                    put(with_ranges(form, &mut |l, _| l.is_same(low).then(|| end.clone())));
                }
            }
            if !self.is_annotated {
                self.of_pairs(form, &mut put);
            }
        }
    }

    /// What a formula without quantifiers says, with an end of a stretch in the place of a variable
    /// that the loop leaves alone.
    fn of_values(&self, form: &Formula, put: &mut impl FnMut(Formula)) {
        let mut names = Names::default();
        names.formula(form);
        let mut constant: Vec<VarId> = names.found.into_iter().filter(|v| self.is_kept(*v)).collect();
        constant.sort();
        for v in constant {
            for end in self.ends.iter().filter(|end| self.moves(end, end)) {
                put(replaced(form, &self.variable(v), end));
            }
        }
    }

    /// What a formula without quantifiers says of cells, when the loop has moved away from an end.
    fn after_the_start(&self, form: &Formula, put: &mut impl FnMut(Formula)) {
        if !reads_elements(form) {
            return;
        }
        for v in self.moved.iter().take(MOST_ENDS) {
            for end in self.ends.iter().filter(|end| !self.moves(end, end)) {
                for (low, high) in [(end.clone(), self.variable(*v)), (self.variable(*v), end.clone())] {
                    put(Formula::Implies(Box::new(Formula::at_most(low.plus(1), high)), Box::new(form.clone())));
                }
            }
        }
    }
}

/// The ends of the ranges of quantifiers that do not depend on other quantifiers.
fn ranges(f: &Formula, lows: &mut Vec<Term>, highs: &mut Vec<Term>) {
    let q = match f {
        Formula::Implies(_, then) => return ranges(then, lows, highs),
        Formula::ForAll(q) => q,
        _ => return,
    };
    for (t, list) in [(&q.low, &mut *lows), (&q.high, &mut *highs)] {
        if !list.iter().any(|other| other.is_same(t)) && !is_bound(t) {
            list.push(t.clone());
        }
    }
    ranges(&q.body, lows, highs);
}

fn is_bound(t: &Term) -> bool {
    match t {
        Term::Bound(_) => true,
        Term::Binary(_, a, b) => is_bound(a) || is_bound(b),
        _ => false,
    }
}

/// The formula with other ranges. `of` gets the low and the high end, and returns what takes the
/// place of the one that it is asked about.
fn with_ranges(f: &Formula, of: &mut dyn FnMut(&Term, &Term) -> Option<Term>) -> Formula {
    let q = match f {
        Formula::Implies(a, then) => return Formula::Implies(a.clone(), Box::new(with_ranges(then, of))),
        Formula::ForAll(q) => q,
        f => return f.clone(),
    };
    let nowhere = Term::Bound(BoundId(u32::MAX));
    let low = of(&q.low, &nowhere).unwrap_or_else(|| q.low.clone());
    let high = of(&nowhere, &q.high).unwrap_or_else(|| q.high.clone());
    let body = with_ranges(&q.body, of);
    Formula::ForAll(Box::new(ForAll { bound: q.bound, name: q.name.clone(), low, high, body }))
}

/// The formula with `to` in the place of `from`.
pub(super) fn replaced(f: &Formula, from: &Term, to: &Term) -> Formula {
    struct Replaced<'t>(&'t Term, &'t Term);
    impl VisitMut for Replaced<'_> {
        fn term(&mut self, t: &mut Term) {
            if t.is_same(self.0) {
                *t = self.1.clone();
            } else {
                self.walk_term(t);
            }
        }
    }
    let mut f = f.clone();
    Replaced(from, to).formula(&mut f);
    f
}
