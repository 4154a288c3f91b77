//! Decides which polynomials are at least 0, from known ranges of their unknowns.

use super::poly::{Atom, Atoms, Poly};

/// The range of an unknown: `low <= atom`, and `atom < high` if an upper bound is given. Bounds
/// mention earlier unknowns only.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) atom: Atom,
    pub(super) low: Poly,
    pub(super) high: Option<Poly>,
}

/// Ranges, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    ranges: Vec<Range>,
}

/// With more ranges than this nothing is proved: each may be used in three ways.
const MOST_RANGES: usize = 7;

impl Facts {
    pub(super) fn push(&mut self, range: Range) {
        self.ranges.push(range);
    }

    pub(super) fn pop(&mut self) {
        self.ranges.pop();
    }

    /// `low <= atom` from now on, for an unknown that belongs to no loop.
    pub(super) fn at_least(&mut self, atom: Atom, low: i128) {
        if let Some(known) = self.ranges.iter_mut().find(|r| r.atom == atom && r.high.is_none()) {
            if known.low.as_constant().is_some_and(|l| l < low) {
                known.low = Poly::constant(low);
            }
        } else {
            self.ranges.insert(0, Range { atom, low: Poly::constant(low), high: None });
        }
    }

    /// Whether the polynomial is at least 0 for all values in range. Each unknown is written as a
    /// bound plus a rest that is at least 0, in each of the ways that its range offers. A sum of
    /// products of such rests is at least 0 if its coefficients are.
    pub(super) fn is_nonnegative(&self, atoms: &Atoms, p: &Poly) -> bool {
        if let Some(n) = p.as_constant() {
            return n >= 0;
        }
        if self.ranges.len() > MOST_RANGES {
            return false;
        }
        self.search(atoms, p.clone(), self.ranges.len(), &mut Vec::new())
    }

    fn search(&self, atoms: &Atoms, p: Poly, n: usize, positive: &mut Vec<Atom>) -> bool {
        let Some(r) = n.checked_sub(1).and_then(|n| self.ranges.get(n)) else {
            return p.has_no_negative() && p.atoms(atoms).iter().all(|a| positive.contains(a));
        };
        if !p.mentions(atoms, r.atom) {
            return self.search(atoms, p, n - 1, positive);
        }
        let depth = positive.len();
        let rest = atoms.reserved(depth);
        positive.push(rest);
        let mut holds = false;
        // atom = low + rest
        if let Some(q) = r.low.plus(&Poly::atom(rest)).and_then(|by| p.with(atoms, r.atom, &by)) {
            holds = self.search(atoms, q, n - 1, positive);
        }
        if let (Some(high), false) = (&r.high, holds) {
            // atom = high - 1 - rest
            let by = high.plus_constant(-1).and_then(|h| h.minus(&Poly::atom(rest)));
            if let Some(q) = by.and_then(|by| p.with(atoms, r.atom, &by)) {
                holds = self.search(atoms, q, n - 1, positive);
            }
            // high = s + others, s = atom + 1 + rest - others, and atom = low + another rest
            for s in high.atoms(atoms) {
                if holds || atoms.as_cell(s).is_some() {
                    continue;
                }
                let Some(others) = high.without_linear(atoms, s) else { continue };
                if r.low.mentions(atoms, s) {
                    continue;
                }
                let another = atoms.reserved(positive.len());
                positive.push(another);
                let q = Poly::atom(r.atom)
                    .plus_constant(1)
                    .and_then(|a| a.plus(&Poly::atom(rest)))
                    .and_then(|a| a.minus(&others))
                    .and_then(|by| p.with(atoms, s, &by))
                    .and_then(|q| q.with(atoms, r.atom, &r.low.plus(&Poly::atom(another))?));
                if let Some(q) = q {
                    holds = self.search(atoms, q, n - 1, positive);
                }
            }
        }
        positive.truncate(depth);
        holds
    }
}
