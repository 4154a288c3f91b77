//! Machine integers: `wrap`, and bitwise operations.
//!
//! Rules, and why they hold:
//! * Taking the low bits is a homomorphism of rings, so inside a `wrap` all coefficients are
//!   reduced modulo `2^bits`, and inner `wrap`s to at least as many bits are dropped.
//! * Bit `i` of `a & b`, `a | b`, `a ^ b` depends on bit `i` of `a` and `b` only, so inner `wrap`s
//!   are dropped below them too.
//! * `wrap` is the identity on values of its type (`range`).
//! * `x & (2^n - 1)` is `x mod 2^n`, in two's complement without a width.

use crate::context::Context;
use crate::name::{Int, Term};
use crate::node::{BitOp, Node, WrapType};
use crate::poly::{Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

impl Context {
    /// The value of the type that is congruent to `t` modulo `2^bits`.
    pub fn wrap(&self, to: WrapType, t: Term) -> Term {
        if let Some(c) = self.as_int(t) {
            return self.int(to.wrap(&c));
        }
        if self.fits(to, t) {
            return t;
        }
        let inner = self.low_bits(to, t, 8);
        if let Some(c) = self.as_int(inner) {
            return self.int(to.wrap(&c));
        }
        if self.fits(to, inner) {
            return inner;
        }
        self.intern(Node::Wrap(to, inner))
    }

    /// Whether the term is shown to be a value of the type.
    fn fits(&self, to: WrapType, t: Term) -> bool {
        let (lo, hi) = self.range_of(t);
        lo.is_some_and(|lo| lo >= to.least()) && hi.is_some_and(|hi| hi <= to.greatest())
    }

    /// A term that is congruent to `t` modulo the modulus of the type.
    fn low_bits(&self, to: WrapType, t: Term, depth: u32) -> Term {
        if depth == 0 || !self.spend(1) {
            return t;
        }
        match &*self.node(t) {
            Node::Wrap(w, inner) if w.bits >= to.bits => self.low_bits(to, *inner, depth - 1),
            Node::Bits(op, ts) => {
                let parts: Vec<Term> = ts.iter().map(|&x| self.low_bits(to, x, depth - 1)).collect();
                self.bits(*op, &parts)
            }
            Node::Ite(p, a, b) => self.ite(*p, self.low_bits(to, *a, depth - 1), self.low_bits(to, *b, depth - 1)),
            Node::Poly(p) if p.denominator().is_one() => {
                let half = to.modulus() >> 1u32;
                let mut sum = Poly::default();
                for (m, c) in p.terms() {
                    let c = (c.to_integer() + &half).mod_floor(&to.modulus()) - &half;
                    let start = Poly::constant(Rat::from_integer(c));
                    let product = m.iter().fold(start, |product, &(atom, e)| {
                        let by = self.poly(self.low_bits(to, atom, depth - 1));
                        (0..e).fold(product, |product, _| self.times(&product, &by))
                    });
                    sum = sum.add(&product);
                }
                self.from_poly(sum)
            }
            _ => t,
        }
    }

    /// The bitwise operation on one or more terms.
    pub fn bits(&self, op: BitOp, ts: &[Term]) -> Term {
        let neutral = Int::from(if op == BitOp::And { -1 } else { 0 });
        let mut constant = neutral.clone();
        let mut parts: Vec<Term> = Vec::new();
        let mut todo: Vec<Term> = ts.to_vec();
        while let Some(t) = todo.pop() {
            match &*self.node(t) {
                Node::Bits(o, inner) if *o == op => todo.extend(inner),
                _ => match self.as_int(t) {
                    Some(c) => constant = crate::eval::combine_bits(op, constant, c),
                    None => parts.push(t),
                },
            }
        }
        parts.sort_unstable();
        if op == BitOp::Xor {
            // Two of the same are 0.
            let mut odd: Vec<Term> = Vec::new();
            for t in parts {
                if odd.last() == Some(&t) { odd.pop().map_or((), |_| ()) } else { odd.push(t) }
            }
            parts = odd;
        } else {
            parts.dedup();
        }
        let absorbing = match op {
            BitOp::And => constant.is_zero(),
            BitOp::Or => constant == Int::from(-1),
            BitOp::Xor => false,
        };
        if absorbing || parts.is_empty() {
            return self.int(constant);
        }
        if op == BitOp::And && !constant.is_negative() && (&constant & (&constant + Int::one())).is_zero() {
            let rest = self.bits(op, &parts);
            return self.rem(rest, self.int(constant + Int::one()));
        }
        if constant != neutral {
            parts.push(self.int(constant));
            parts.sort_unstable();
        }
        match parts[..] {
            [t] => t,
            _ => self.intern(Node::Bits(op, parts)),
        }
    }

    /// The polynomial as `factor * (x mod modulus) + shift`.
    pub(crate) fn as_remainder(&self, p: &Poly) -> Option<Remainder> {
        p.terms().iter().find_map(|(m, f)| {
            let [(atom, 1)] = m[..] else { return None };
            let Node::Div(x, c) = *self.node(atom) else { return None };
            let modulus = self.as_int(c).filter(Signed::is_positive)?;
            let factor = -f / Rat::from_integer(modulus.clone());
            let rest = p.add_scaled(&Poly::atom(atom), &-f.clone()).add_scaled(&self.poly(x), &-factor.clone());
            let shift = rest.as_constant().filter(Rat::is_integer)?;
            let fits = factor.is_integer();
            fits.then(|| Remainder { factor: factor.to_integer(), x, modulus, shift: shift.to_integer() })
        })
    }
}

/// `factor * (x mod modulus) + shift`.
pub(crate) struct Remainder {
    pub(crate) factor: Int,
    pub(crate) x: Term,
    pub(crate) modulus: Int,
    pub(crate) shift: Int,
}
