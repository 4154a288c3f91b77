//! Polynomials over terms, with rational coefficients: the normal form of arithmetic.
//!
//! Two polynomials are equal as polynomials exactly if their representations are equal. The
//! variables are terms that are no polynomials themselves (*atoms*). Every polynomial that a
//! context holds has an integer value whenever its atoms have the values of their terms, though
//! its coefficients need not be integers (`n*(n-1)/2`).

use crate::name::{Int, Term};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Exact rational numbers.
pub type Rat = BigRational;

/// A product of powers: atoms ascending, each exponent at least 1. Empty for the number 1.
pub type Monomial = Vec<(Term, u32)>;

/// `a + b`. Nearly all coefficients are integers, for which nothing has to be reduced.
pub(crate) fn sum(a: &Rat, b: &Rat) -> Rat {
    match a.denom().is_one() && b.denom().is_one() {
        true => Rat::from_integer(a.numer() + b.numer()),
        false => a + b,
    }
}

/// `a * b`, likewise.
pub(crate) fn product(a: &Rat, b: &Rat) -> Rat {
    match a.denom().is_one() && b.denom().is_one() {
        true if a.numer().is_one() => b.clone(),
        true => Rat::from_integer(a.numer() * b.numer()),
        false => a * b,
    }
}

/// A polynomial: monomials ascending, no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Poly {
    terms: Vec<(Monomial, Rat)>,
}

/// Coefficients are reduced, so equal ones have equal numerators and denominators. (The hash of the
/// library divides, so that it need not presume that.)
impl Hash for Poly {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.terms.len().hash(state);
        for (m, c) in &self.terms {
            m.hash(state);
            c.numer().hash(state);
            c.denom().hash(state);
        }
    }
}

impl Poly {
    /// The number `c`.
    pub fn constant(c: Rat) -> Self {
        Poly { terms: if c.is_zero() { Vec::new() } else { vec![(Vec::new(), c)] } }
    }

    /// The integer `c`.
    pub fn int(c: impl Into<Int>) -> Self {
        Poly::constant(Rat::from_integer(c.into()))
    }

    /// The atom itself.
    pub fn atom(t: Term) -> Self {
        Poly { terms: vec![(vec![(t, 1)], Rat::one())] }
    }

    /// `coefficient * monomial`; the factors of the monomial in any order, without repetition.
    pub fn monomial(mut factors: Monomial, coefficient: Rat) -> Self {
        factors.retain(|f| f.1 > 0);
        factors.sort_unstable();
        Poly { terms: if coefficient.is_zero() { Vec::new() } else { vec![(factors, coefficient)] } }
    }

    fn from_map(map: BTreeMap<Monomial, Rat>) -> Self {
        Poly { terms: map.into_iter().filter(|t| !t.1.is_zero()).collect() }
    }

    /// The monomials, ascending, with their coefficients.
    pub fn terms(&self) -> &[(Monomial, Rat)] {
        &self.terms
    }

    /// The coefficient of the monomial 1.
    pub fn constant_part(&self) -> Rat {
        self.terms.first().filter(|t| t.0.is_empty()).map_or_else(Rat::zero, |t| t.1.clone())
    }

    /// The value, if it has no atoms.
    pub fn as_constant(&self) -> Option<Rat> {
        match &self.terms[..] {
            [] => Some(Rat::zero()),
            [(m, c)] if m.is_empty() => Some(c.clone()),
            _ => None,
        }
    }

    /// The atom, if the polynomial is one.
    pub fn as_atom(&self) -> Option<Term> {
        match &self.terms[..] {
            [(m, c)] if c.is_one() => match m[..] {
                [(t, 1)] => Some(t),
                _ => None,
            },
            _ => None,
        }
    }

    /// The greatest sum of exponents of a monomial.
    pub fn degree(&self) -> u32 {
        self.terms.iter().map(|(m, _)| m.iter().map(|f| f.1).sum()).max().unwrap_or(0)
    }

    /// The greatest exponent of `t`.
    pub fn degree_in(&self, t: Term) -> u32 {
        self.terms.iter().flat_map(|(m, _)| m).filter(|f| f.0 == t).map(|f| f.1).max().unwrap_or(0)
    }

    /// The atoms, ascending.
    pub fn atoms(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.terms.iter().flat_map(|(m, _)| m.iter().map(|f| f.0)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The coefficient of `monomial`.
    pub fn coefficient(&self, monomial: &Monomial) -> Rat {
        self.terms.binary_search_by(|t| t.0.cmp(monomial)).map_or_else(|_| Rat::zero(), |i| self.terms[i].1.clone())
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, other: &Poly, factor: &Rat) -> Poly {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => terms.extend(a.next().cloned()),
                (x, Some(y)) if x.is_none_or(|x| y.0 < x.0) => {
                    terms.push((y.0.clone(), product(&y.1, factor)));
                    b.next();
                }
                (Some(x), Some(y)) => {
                    terms.push((x.0.clone(), sum(&x.1, &product(&y.1, factor))));
                    a.next();
                    b.next();
                }
                _ => unreachable!("one side is not at its end"),
            }
        }
        terms.retain(|t| !t.1.is_zero());
        Poly { terms }
    }

    /// `self + other`.
    pub fn add(&self, other: &Poly) -> Poly {
        self.add_scaled(other, &Rat::one())
    }

    /// `self - other`.
    pub fn sub(&self, other: &Poly) -> Poly {
        self.add_scaled(other, &-Rat::one())
    }

    /// `factor * self`.
    pub fn scale(&self, factor: &Rat) -> Poly {
        if factor.is_zero() {
            return Poly::default();
        }
        Poly { terms: self.terms.iter().map(|(m, c)| (m.clone(), product(c, factor))).collect() }
    }

    /// `self * other`.
    pub fn mul(&self, other: &Poly) -> Poly {
        if let Some(c) = self.as_constant() {
            return other.scale(&c);
        }
        let mut map: BTreeMap<Monomial, Rat> = BTreeMap::new();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let all = map.entry(times(m, n)).or_insert_with(Rat::zero);
                *all = sum(all, &product(c, d));
            }
        }
        Poly::from_map(map)
    }

    /// The least positive number that makes all coefficients integers.
    pub fn denominator(&self) -> Int {
        let fractions = self.terms.iter().map(|t| t.1.denom()).filter(|d| !d.is_one());
        fractions.fold(Int::one(), |all, d| all.lcm(d))
    }

    /// The greatest common divisor of the coefficients other than the constant one; 0 if there are
    /// none. The coefficients must be integers.
    pub fn content(&self) -> Int {
        self.terms.iter().filter(|t| !t.0.is_empty()).fold(Int::zero(), |g, t| g.gcd(t.1.numer()))
    }

    /// Each coefficient replaced by `f` of it.
    pub fn map_coefficients(&self, f: impl Fn(&Rat) -> Rat) -> Poly {
        let terms = self.terms.iter().map(|(m, c)| (m.clone(), f(c)));
        Poly { terms: terms.filter(|t| !t.1.is_zero()).collect() }
    }

    /// The polynomial without its constant part.
    pub fn without_constant(&self) -> Poly {
        Poly { terms: self.terms.iter().filter(|t| !t.0.is_empty()).cloned().collect() }
    }

    /// Each atom replaced by what `f` says, which must be injective and give atoms.
    pub fn rename(&self, mut f: impl FnMut(Term) -> Term) -> Poly {
        let mut terms: Vec<(Monomial, Rat)> = Vec::with_capacity(self.terms.len());
        for (m, c) in &self.terms {
            let mut m: Monomial = m.iter().map(|&(t, e)| (f(t), e)).collect();
            m.sort_unstable();
            terms.push((m, c.clone()));
        }
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Poly { terms }
    }

    /// `(c, rest)` with `self = sum of c_i * t^i`: the coefficients by powers of `t`.
    pub fn by_powers_of(&self, t: Term) -> Vec<Poly> {
        let mut powers = vec![Poly::default(); self.degree_in(t) as usize + 1];
        for (m, c) in &self.terms {
            let e = m.iter().find(|f| f.0 == t).map_or(0, |f| f.1);
            let rest: Monomial = m.iter().copied().filter(|f| f.0 != t).collect();
            powers[e as usize].terms.push((rest, c.clone()));
        }
        for p in &mut powers {
            p.terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        }
        powers
    }

    /// Whether the value is an integer whenever the atoms have integer values.
    ///
    /// A polynomial of degree `d_i` in its i-th variable is, in the basis of products of binomials
    /// `C(x_i, j)`, an integer combination of its values at the points with `0 <= x_i <= d_i`
    /// (Pólya, "Über ganzwertige Polynome", Rend. Circ. Mat. Palermo 40, 1915; by finite
    /// differences in each variable). So it suffices to look at these points. `false` also if they
    /// are too many.
    pub fn is_integer_valued(&self) -> bool {
        let atoms = self.atoms();
        let degrees: Vec<u32> = atoms.iter().map(|&a| self.degree_in(a)).collect();
        let mut points: u64 = 1;
        for d in &degrees {
            points = points.saturating_mul(u64::from(*d) + 1);
        }
        if self.denominator().is_one() {
            return true;
        }
        if points > 512 {
            return false;
        }
        (0..points).all(|mut n| {
            let mut at = BTreeMap::new();
            for (a, d) in atoms.iter().zip(&degrees) {
                at.insert(*a, n % (u64::from(*d) + 1));
                n /= u64::from(*d) + 1;
            }
            let value = self.terms.iter().fold(Rat::zero(), |sum, (m, c)| {
                let product = m.iter().fold(Int::one(), |p, (t, e)| p * Int::from(at[t]).pow(*e));
                sum + c * Rat::from_integer(product)
            });
            value.is_integer()
        })
    }

    /// The number of bits of the longest numerator or denominator.
    pub fn bits(&self) -> u64 {
        self.terms.iter().map(|t| t.1.numer().bits().max(t.1.denom().bits())).max().unwrap_or(0)
    }

    /// Whether no coefficient is positive.
    pub fn is_non_positive(&self) -> bool {
        self.terms.iter().all(|t| t.1.is_negative())
    }
}

/// The product of two monomials.
fn times(a: &Monomial, b: &Monomial) -> Monomial {
    let mut all: Monomial = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if j == b.len() || (i < a.len() && a[i].0 < b[j].0) {
            all.push(a[i]);
            i += 1;
        } else if i == a.len() || b[j].0 < a[i].0 {
            all.push(b[j]);
            j += 1;
        } else {
            all.push((a[i].0, a[i].1.saturating_add(b[j].1)));
            i += 1;
            j += 1;
        }
    }
    all
}
