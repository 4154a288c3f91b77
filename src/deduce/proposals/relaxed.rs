//! Proposals from claims: what a claim says, of fewer elements.

use super::finder::{Finder, Found};
use super::parts::Names;
use crate::program::{BoundId, ForAll, Formula, Term, Visit, VisitMut};

impl Finder<'_> {
    pub(super) fn of_claim(&self, claim: &Formula, found: &mut Found<'_>) {
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
}

/// The ends of the ranges of quantifiers that do not depend on other quantifiers.
fn ranges(f: &Formula, lows: &mut Vec<Term>, highs: &mut Vec<Term>) {
    let Formula::ForAll(q) = f else { return };
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
    let Formula::ForAll(q) = f else { return f.clone() };
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
