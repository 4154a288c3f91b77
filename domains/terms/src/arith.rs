//! Arithmetic: sums and products are polynomials; quotients, remainders, powers.
//!
//! Rules, and why they hold:
//! * `(m*q + r) div m = q + r div m` for integers `q`, and `(g*r + s) div (g*m) = (r + s div g) div
//!   m`, `(x div a + s) div b = (x + a*s) div (a*b)` for positive `a`, `b`, `g`: floors of floors
//!   (Graham, Knuth, Patashnik, "Concrete mathematics", 3.10 and 3.11).
//! * `x div m = -((m - 1 - x) div m)`, so of two forms the one with the lesser coefficients stays.
//! * `p div c` is the polynomial `p/c` where that is an integer for all values of its atoms
//!   ([`Poly::is_integer_valued`](crate::poly::Poly::is_integer_valued)).
//! * `x mod y` is `x - y*(x div y)`, so there is no node for it. The quotient is rounded towards
//!   minus infinity; it is 0 for the divisor 0, as a matter of definition.
//! * C's quotient is rounded towards zero: it is `x div y` where `x >= 0`, `y > 0`, and follows
//!   from `|x| div |y|` by the signs elsewhere (C17 6.5.5). C's remainder is `x - y*quotient`.

use crate::context::{Context, OpaqueKey};
use crate::name::{Int, Term};
use crate::node::{Node, Sort};
use crate::poly::{Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

impl Context {
    /// `a + b`.
    pub fn add(&self, a: Term, b: Term) -> Term {
        self.from_poly(self.poly(a).add(&self.poly(b)))
    }

    /// `a - b`.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.from_poly(self.poly(a).sub(&self.poly(b)))
    }

    /// `-a`.
    pub fn neg(&self, a: Term) -> Term {
        self.scale(-1, a)
    }

    /// `a * b`.
    pub fn mul(&self, a: Term, b: Term) -> Term {
        self.from_poly(self.times(&self.poly(a), &self.poly(b)))
    }

    /// `factor * a`.
    pub fn scale(&self, factor: impl Into<Int>, a: Term) -> Term {
        self.from_poly(self.poly(a).scale(&Rat::from_integer(factor.into())))
    }

    /// `a^exponent`.
    pub fn power_of(&self, a: Term, exponent: u32) -> Term {
        let base = self.poly(a);
        let product = (0..exponent).fold(Poly::int(1), |product, _| self.times(&product, &base));
        self.from_poly(product)
    }

    /// `|a|`.
    pub fn abs(&self, a: Term) -> Term {
        self.max(a, self.neg(a))
    }

    /// The product, or an unknown of its own if that is too large.
    pub(crate) fn times(&self, a: &Poly, b: &Poly) -> Poly {
        let (n, l) = (a.terms().len() * b.terms().len(), self.limits());
        let constant = a.as_constant().is_some() || b.as_constant().is_some();
        let fits = a.degree() + b.degree() <= l.degree && n <= 16 * l.monomials && a.bits() + b.bits() <= l.bits;
        if constant || (fits && self.spend(n as u64)) {
            let product = a.mul(b);
            if product.terms().len() <= l.monomials {
                return product;
            }
        }
        // The unknown is an integer, so the factors have to be.
        let (da, db) = (a.denominator(), b.denominator());
        let (x, y) = (a.scale(&Rat::from_integer(da.clone())), b.scale(&Rat::from_integer(db.clone())));
        let parts = [a.atoms(), b.atoms()].concat();
        let (x, y) = if format!("{x:?}") <= format!("{y:?}") { (x, y) } else { (y, x) };
        let product = self.opaque(OpaqueKey::Product(x, y), &parts, Sort::Int);
        Poly::atom(product).scale(&Rat::new(Int::one(), da * db))
    }

    /// `base^max(exponent, 0)`.
    pub fn power(&self, base: impl Into<Int>, exponent: Term) -> Term {
        let base = base.into();
        if base.is_one() {
            return self.int(1);
        }
        if let Some(e) = self.as_int(exponent) {
            if !e.is_positive() {
                return self.int(1);
            }
            let bits = e.to_u64().and_then(|e| e.checked_mul(base.bits().max(1)));
            if bits.is_some_and(|b| b <= self.limits().bits) {
                return self.int(base.pow(e.to_u32().expect("at most the limit of bits")));
            }
        }
        if base.is_zero() {
            return self.ite(self.ge(exponent, self.int(1)), self.int(0), self.int(1));
        }
        // The exponent is cut at 0 anyway.
        if let Node::Max(parts) = &*self.node(exponent) {
            let zero = self.int(0);
            if let [a, b] = parts[..]
                && (a == zero || b == zero)
            {
                return self.power(base, if a == zero { b } else { a });
            }
        }
        self.intern(Node::Power(base, exponent))
    }

    /// `a div b`, rounded towards minus infinity; 0 if `b` is 0.
    pub fn div(&self, a: Term, b: Term) -> Term {
        match self.as_int(b) {
            Some(c) if c.is_zero() => self.int(0),
            Some(c) if c.is_negative() => self.div_constant(&self.poly(a).scale(&-Rat::one()), &-c),
            Some(c) => self.div_constant(&self.poly(a), &c),
            None if self.as_int(a).is_some_and(|a| a.is_zero()) => a,
            None => self.intern(Node::Div(a, b)),
        }
    }

    /// `p div c` for positive `c`.
    fn div_constant(&self, p: &Poly, c: &Int) -> Term {
        let quotient = p.scale(&Rat::new(Int::one(), c.clone()));
        if quotient.is_integer_valued() {
            return self.from_poly(quotient);
        }
        let denominator = p.denominator();
        let modulus = c * &denominator;
        let whole = p.scale(&Rat::from_integer(denominator));
        let outside = whole.map_coefficients(|k| Rat::from_integer(k.numer().div_floor(&modulus)));
        let inside = whole.map_coefficients(|k| Rat::from_integer(k.numer().mod_floor(&modulus)));
        let common = inside.content().gcd(&modulus);
        let rest = inside.map_coefficients(|k| Rat::from_integer(k.numer().div_floor(&common)));
        let modulus = modulus / common;
        let rounded = self.rounded(rest, modulus);
        self.from_poly(outside.add(&self.poly(rounded)))
    }

    /// `rest div modulus`, where the coefficients are below the modulus and have no factor in
    /// common with it.
    fn rounded(&self, rest: Poly, modulus: Int) -> Term {
        if let Some(c) = rest.as_constant() {
            return self.int(c.to_integer().div_floor(&modulus));
        }
        if modulus.is_one() {
            return self.from_poly(rest);
        }
        // A quotient alone, and a constant: one quotient.
        let shift = rest.constant_part();
        if let Some(atom) = rest.without_constant().as_atom()
            && let Node::Div(x, a) = &*self.node(atom)
            && let Some(a) = self.as_int(*a).filter(Signed::is_positive)
        {
            let x = self.poly(*x).add(&Poly::constant(shift * Rat::from_integer(a.clone())));
            return self.div_constant(&x, &(a * modulus));
        }
        // Of `x div m` and the quotient of the opposite, `-((m - 1 - x) div m)`, one.
        let opposite = Poly::int(&modulus - 1).sub(&rest);
        let opposite_inside = opposite.map_coefficients(|k| Rat::from_integer(k.numer().mod_floor(&modulus)));
        if weight(&opposite_inside) < weight(&rest) {
            let quotient = self.div_constant(&opposite, &modulus);
            return self.neg(quotient);
        }
        self.intern(Node::Div(self.from_poly(rest), self.int(modulus)))
    }

    /// `a mod b = a - b*(a div b)`: it has the sign of `b`, and is `a` if `b` is 0.
    pub fn rem(&self, a: Term, b: Term) -> Term {
        self.sub(a, self.mul(b, self.div(a, b)))
    }

    /// C's `a / b`, rounded towards zero; 0 if `b` is 0.
    pub fn truncated_div(&self, a: Term, b: Term) -> Term {
        let (minus_a, minus_b) = (self.neg(a), self.neg(b));
        let below = |x, y| self.div(x, y);
        let divisor_positive = self.ite(self.ge(a, self.int(0)), below(a, b), self.neg(below(minus_a, b)));
        let divisor_negative = self.ite(self.ge(a, self.int(0)), self.neg(below(a, minus_b)), below(minus_a, minus_b));
        self.ite(self.ge(b, self.int(0)), divisor_positive, divisor_negative)
    }

    /// C's `a % b`: it has the sign of `a`, and is `a` if `b` is 0.
    pub fn truncated_rem(&self, a: Term, b: Term) -> Term {
        self.sub(a, self.mul(b, self.truncated_div(a, b)))
    }

    /// The least integer that is at least `a / c`, for a positive constant `c`.
    pub fn ceil_div(&self, a: Term, c: &Int) -> Term {
        self.div(self.add(a, self.int(c - 1)), self.int(c.clone()))
    }
}

/// What decides between a quotient and the one of the opposite: the sum of the coefficients, then
/// the constant. It does not depend on the order of the atoms.
fn weight(p: &Poly) -> (Rat, Rat) {
    let constant = p.constant_part();
    let sum = p.terms().iter().fold(Rat::zero(), |sum, t| sum + &t.1);
    (sum - &constant, constant)
}
