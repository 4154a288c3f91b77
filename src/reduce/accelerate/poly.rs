//! Polynomials with rational coefficients over unknowns.

use num_traits::{CheckedAdd, CheckedMul, Zero};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// An unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Atom(u32);

/// What an unknown stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Meaning {
    /// A number about which nothing is known here.
    Symbol(u32),
    /// The value in the cell of that index of an array, at some time.
    Cell(u32, Poly),
}

/// The table of unknowns.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms(Rc<RefCell<Table>>);

#[derive(Debug, Default)]
struct Table {
    meanings: Vec<Meaning>,
    numbers: HashMap<Meaning, Atom>,
    next: u32,
}

impl Atoms {
    fn intern(&self, meaning: Meaning) -> Atom {
        let mut table = self.0.borrow_mut();
        if let Some(atom) = table.numbers.get(&meaning) {
            return *atom;
        }
        let atom = Atom(u32::try_from(table.meanings.len()).unwrap_or(u32::MAX));
        table.meanings.push(meaning.clone());
        table.numbers.insert(meaning, atom);
        atom
    }

    /// Returns a number that has not been used.
    pub(super) fn number(&self) -> u32 {
        let mut table = self.0.borrow_mut();
        table.next += 1;
        table.next
    }

    /// Creates a new symbol.
    pub(super) fn symbol(&self) -> Atom {
        let n = self.number();
        self.intern(Meaning::Symbol(n))
    }

    /// Returns the symbol of that number, which is none of the new ones.
    pub(super) fn reserved(&self, n: usize) -> Atom {
        self.intern(Meaning::Symbol(u32::MAX - u32::try_from(n).unwrap_or(0)))
    }

    /// Returns the unknown for a cell, by the number of the array's contents and the index.
    pub(super) fn cell(&self, contents: u32, index: &Poly) -> Atom {
        self.intern(Meaning::Cell(contents, index.clone()))
    }

    /// Returns the contents and the index, if it is a cell.
    pub(super) fn as_cell(&self, atom: Atom) -> Option<(u32, Poly)> {
        match &self.0.borrow().meanings[atom.0 as usize] {
            Meaning::Cell(contents, index) => Some((*contents, index.clone())),
            Meaning::Symbol(_) => None,
        }
    }
}

/// A coefficient, in lowest terms.
type Ratio = num_rational::Ratio<i128>;

/// Powers of unknowns; no exponent is 0.
type Monomial = BTreeMap<Atom, u32>;

/// A polynomial. Every operation gives up (`None`) where a coefficient, or the size, would become
/// too large.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Poly {
    /// No coefficient is 0.
    terms: BTreeMap<Monomial, Ratio>,
}

impl std::hash::Hash for Poly {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        for (m, c) in &self.terms {
            m.hash(state);
            c.hash(state);
        }
    }
}

/// Larger polynomials are given up.
const MOST_TERMS: usize = 200;
const MOST_DEGREE: u32 = 12;

impl Poly {
    pub(super) fn constant(n: i128) -> Poly {
        let mut p = Poly::default();
        if n != 0 {
            p.terms.insert(Monomial::new(), Ratio::from_integer(n));
        }
        p
    }

    pub(super) fn atom(a: Atom) -> Poly {
        Poly { terms: BTreeMap::from([(Monomial::from([(a, 1)]), Ratio::from_integer(1))]) }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number, if it is one.
    pub(super) fn as_constant(&self) -> Option<i128> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0),
            (Some((m, c)), None) if m.is_empty() && c.is_integer() => Some(*c.numer()),
            _ => None,
        }
    }

    /// Whether every coefficient is at least 0.
    pub(super) fn has_no_negative(&self) -> bool {
        self.terms.values().all(|c| *c.numer() >= 0)
    }

    pub(super) fn plus(&self, other: &Poly) -> Option<Poly> {
        let mut sum = self.clone();
        for (m, c) in &other.terms {
            let term = sum.terms.entry(m.clone()).or_insert(Ratio::ZERO);
            *term = term.checked_add(c)?;
        }
        sum.terms.retain(|_, c| !c.is_zero());
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    fn scaled(&self, by: Ratio) -> Option<Poly> {
        let mut terms = BTreeMap::new();
        if !by.is_zero() {
            for (m, c) in &self.terms {
                terms.insert(m.clone(), c.checked_mul(&by)?);
            }
        }
        Some(Poly { terms })
    }

    pub(super) fn minus(&self, other: &Poly) -> Option<Poly> {
        self.plus(&other.scaled(Ratio::from_integer(-1))?)
    }

    pub(super) fn plus_constant(&self, n: i128) -> Option<Poly> {
        self.plus(&Poly::constant(n))
    }

    pub(super) fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut power = m.clone();
                for (a, e) in n {
                    *power.entry(*a).or_insert(0) += e;
                }
                if power.values().sum::<u32>() > MOST_DEGREE {
                    return None;
                }
                let term = product.terms.entry(power).or_insert(Ratio::ZERO);
                *term = term.checked_add(&c.checked_mul(d)?)?;
            }
            product.terms.retain(|_, c| !c.is_zero());
            if product.terms.len() > MOST_TERMS {
                return None;
            }
        }
        Some(product)
    }

    /// Lists the unknowns, including those in the indices of cells.
    pub(super) fn atoms(&self, atoms: &Atoms) -> Vec<Atom> {
        let mut found = Vec::new();
        for a in self.terms.keys().flat_map(|m| m.keys()) {
            if !found.contains(a) {
                found.push(*a);
                if let Some((_, index)) = atoms.as_cell(*a) {
                    found.extend(index.atoms(atoms));
                }
            }
        }
        found
    }

    pub(super) fn mentions(&self, atoms: &Atoms, a: Atom) -> bool {
        self.atoms(atoms).contains(&a)
    }

    /// Substitutes a polynomial for an unknown, in the indices of cells too.
    pub(super) fn with(&self, atoms: &Atoms, a: Atom, by: &Poly) -> Option<Poly> {
        self.map(&mut |atom| {
            if atom == a {
                return Some(by.clone());
            }
            match atoms.as_cell(atom) {
                Some((contents, index)) if index.mentions(atoms, a) => {
                    Some(Poly::atom(atoms.cell(contents, &index.with(atoms, a, by)?)))
                }
                _ => Some(Poly::atom(atom)),
            }
        })
    }

    /// Substitutes polynomials for all unknowns.
    pub(super) fn map(&self, f: &mut impl FnMut(Atom) -> Option<Poly>) -> Option<Poly> {
        let mut sum = Poly::default();
        for (m, c) in &self.terms {
            let mut product = Poly::constant(1);
            for (a, e) in m {
                let by = f(*a)?;
                for _ in 0..*e {
                    product = product.times(&by)?;
                }
            }
            sum = sum.plus(&product.scaled(*c)?)?;
        }
        Some(sum)
    }

    /// If the polynomial is `a + rest` and the rest does not mention `a`, returns the rest.
    pub(super) fn without_linear(&self, atoms: &Atoms, a: Atom) -> Option<Poly> {
        let rest = self.minus(&Poly::atom(a))?;
        (!rest.mentions(atoms, a)).then_some(rest)
    }

    /// The sum of this polynomial in `a` over `low <= a < high`, for `low <= high` (Faulhaber's
    /// formulas).
    pub(super) fn sum(&self, atoms: &Atoms, a: Atom, low: &Poly, high: &Poly) -> Option<Poly> {
        // By powers of `a`.
        let mut powers: BTreeMap<u32, Poly> = BTreeMap::new();
        for (m, c) in &self.terms {
            let mut rest = m.clone();
            let e = rest.remove(&a).unwrap_or(0);
            let part = Poly { terms: BTreeMap::from([(rest, *c)]) };
            if part.mentions(atoms, a) {
                // The index of the cell changes with `a`.
                return None;
            }
            let sum = powers.remove(&e).unwrap_or_default().plus(&part)?;
            powers.insert(e, sum);
        }
        let degree = powers.keys().max().copied().unwrap_or(0);
        let (at_low, at_high) = (power_sums(low, degree)?, power_sums(high, degree)?);
        let mut total = Poly::default();
        for (e, part) in powers {
            let difference = at_high[e as usize].minus(&at_low[e as usize])?;
            total = total.plus(&part.times(&difference)?)?;
        }
        Some(total)
    }
}

/// For each `m` up to `degree`: the sum of `t^m` over `0 <= t < n`, as a polynomial in `n`. For
/// negative `n` it is the same polynomial: its difference from one `n` to the next is `n^m`.
fn power_sums(n: &Poly, degree: u32) -> Option<Vec<Poly>> {
    let mut sums: Vec<Poly> = Vec::new();
    let mut power = n.clone();
    for m in 0..=degree {
        // n^(m+1) = sum over j <= m of binomial(m + 1, j) * S_j(n)
        let mut rest = power.clone();
        let mut binomial: i128 = 1;
        for (j, s) in sums.iter().enumerate() {
            rest = rest.minus(&s.scaled(Ratio::from_integer(binomial))?)?;
            binomial = binomial * (i128::from(m) + 1 - j as i128) / (j as i128 + 1);
        }
        sums.push(rest.scaled(Ratio::new(1, i128::from(m) + 1))?);
        power = power.times(n)?;
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_powers_are_what_adding_up_gives() {
        let atoms = Atoms::default();
        let t = atoms.symbol();
        for m in 0..6u32 {
            let mut p = Poly::constant(1);
            for _ in 0..m {
                p = p.times(&Poly::atom(t)).unwrap();
            }
            for (low, high) in [(0, 0), (0, 5), (-3, 4), (2, 9)] {
                let sum = p.sum(&atoms, t, &Poly::constant(low), &Poly::constant(high)).unwrap();
                let expected: i128 = (low..high).map(|x: i128| x.pow(m)).sum();
                assert_eq!(sum.as_constant(), Some(expected), "{m} {low} {high}");
            }
        }
    }

    #[test]
    fn a_sum_over_cells_that_run_along_has_no_closed_form() {
        let atoms = Atoms::default();
        let t = atoms.symbol();
        let cell = Poly::atom(atoms.cell(1, &Poly::atom(t)));
        assert_eq!(cell.sum(&atoms, t, &Poly::constant(0), &Poly::constant(3)), None);
        let fixed = Poly::atom(atoms.cell(1, &Poly::constant(7)));
        let thrice = fixed.plus(&fixed).unwrap().plus(&fixed).unwrap();
        assert_eq!(fixed.sum(&atoms, t, &Poly::constant(0), &Poly::constant(3)), Some(thrice));
    }
}
