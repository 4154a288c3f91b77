//! Sums.
//!
//! A sum is linear in its body, so it is taken apart into monomials under conditions, and factors
//! that do not depend on the index are taken out. `[p]` is 1 where `p` holds, else 0; then
//! `ite(p, a, b) = [p]*a + [not p]*b`. Rules, and why they hold for all ranges:
//! * `[k >= t]`: the range is narrowed; `[k = t]`: the sum is the body at `t` if that is in the
//!   range, so a sum over an array with one cell exchanged is the old sum, less the old value, plus
//!   the new one.
//! * `[c divides a*k + t]`: these `k` are `c'*j + r`, where `r` solves the congruence; it has a
//!   solution exactly if `gcd(a, c)` divides `t`.
//! * `[not p] = 1 - [p]` and `[p or q] = 1 - [not p][not q]` leave one form of each condition.
//! * `sum of k^e for lo <= k < hi` is `S(max(lo, hi)) - S(lo)` with Faulhaber's polynomial `S`
//!   (Graham, Knuth, Patashnik, "Concrete mathematics", 6.5, equation 6.78). With `hi` in the place
//!   of `max(lo, hi)` it would be wrong where `hi < lo`: there the sum is 0.
//! * `sum of c^(k+t)` is `(c^(hi+t) - c^(lo+t)) / (c - 1)` for `lo + t >= 0` and `hi >= lo`;
//!   `hi` is cut as above, and the rule is used where `lo + t` is a number.

use crate::context::Context;
use crate::fold::OpenFold;
use crate::name::{Int, Term, Var};
use crate::node::{FoldOp, Node};
use crate::poly::{Monomial, Poly, Rat};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// The number of pieces that a body is taken apart into.
const PIECES: usize = 48;

/// `coefficient * monomial` where all guards hold, else 0.
#[derive(Clone)]
struct Piece {
    coefficient: Rat,
    guards: Vec<Term>,
    factors: Monomial,
}

/// The range of a sum and the index.
#[derive(Clone, Copy)]
struct Range {
    var: Var,
    lo: Term,
    hi: Term,
}

/// What a guard does to a piece.
enum Effect {
    /// It holds for a part of the range.
    Narrow(Term, Term),
    /// It holds at one index at most: there, and if this holds.
    Single(Term, Term),
    /// It holds at the indexes `step*k + offset`, if this holds.
    Stride(Int, Term, Term),
    /// It does not depend on the index.
    Outside,
    /// The piece is one without the guard less one with this in its place.
    Complement(Term),
    /// It stays in the body.
    Inside,
}

impl Context {
    pub(crate) fn sum_rules(&self, f: OpenFold) -> Term {
        let range = Range { var: f.var, lo: f.lo, hi: f.hi };
        let mut left = PIECES;
        let mut total = Poly::default();
        for piece in self.pieces(f.body, f.var) {
            total = total.add(&self.piece_sum(range, piece, &mut left));
        }
        self.from_poly(total)
    }

    /// The body as a sum of pieces.
    fn pieces(&self, body: Term, var: Var) -> Vec<Piece> {
        let mut todo: Vec<(Vec<Term>, Poly)> = vec![(Vec::new(), self.poly(body))];
        let mut done: Vec<Piece> = Vec::new();
        while let Some((guards, p)) = todo.pop() {
            let few = todo.len() + done.len() + p.terms().len() < PIECES && self.spend(p.terms().len() as u64);
            for (m, c) in p.terms() {
                let choice = m.iter().find_map(|&(atom, e)| match *self.node(atom) {
                    Node::Ite(q, a, b) if few && self.mentions(atom, var) => Some((atom, e, q, a, b)),
                    _ => None,
                });
                let Some((atom, e, q, a, b)) = choice else {
                    done.push(Piece { coefficient: c.clone(), guards: guards.clone(), factors: m.clone() });
                    continue;
                };
                let others: Monomial = m.iter().copied().filter(|f| f.0 != atom).collect();
                for (side, given) in [(a, q), (b, self.not(q))] {
                    let start = Poly::monomial(others.clone(), c.clone());
                    let by = self.poly(side);
                    let product = (0..e).fold(start, |product, _| self.times(&product, &by));
                    if !product.terms().is_empty() {
                        let mut guards = guards.clone();
                        guards.push(given);
                        todo.push((guards, product));
                    }
                }
            }
        }
        done
    }

    /// The sum of a piece over a range.
    fn piece_sum(&self, range: Range, piece: Piece, left: &mut usize) -> Poly {
        let guard = self.and(&piece.guards);
        if self.as_truth(guard) == Some(false) {
            return Poly::default();
        }
        let mut guards = match &*self.node(guard) {
            Node::And(ps) => ps.clone(),
            Node::Truth(_) => Vec::new(),
            _ => vec![guard],
        };
        for i in 0..guards.len() {
            let g = guards[i];
            let effect = self.effect(range, g, *left);
            if matches!(effect, Effect::Inside) {
                continue;
            }
            guards.remove(i);
            let rest = Piece { guards, ..piece };
            return self.guarded_sum(range, rest, effect, g, left);
        }
        let Piece { coefficient, factors, .. } = piece;
        let (inside, outside): (Monomial, Monomial) = factors.into_iter().partition(|f| self.mentions(f.0, range.var));
        let outside = Poly::monomial(outside, coefficient);
        let inner = self.bare_sum(range, &guards, inside);
        self.times(&outside, &inner)
    }

    /// The sum of a piece with one more guard.
    fn guarded_sum(&self, range: Range, rest: Piece, effect: Effect, guard: Term, left: &mut usize) -> Poly {
        let (coefficient, var) = (rest.coefficient.clone(), range.var);
        match effect {
            Effect::Narrow(lo, hi) => {
                let (lo, hi) = self.tight_range(lo, hi);
                self.piece_sum(Range { lo, hi, var }, rest, left)
            }
            Effect::Single(at, solvable) => {
                let value = self.substitute(self.piece_term(&rest), var, at);
                let there = self.and(&[solvable, self.within(range.lo, at, range.hi)]);
                let cell = self.ite(there, value, self.int(0));
                self.poly(cell).scale(&coefficient)
            }
            Effect::Stride(step, offset, solvable) => {
                let bound = |t: Term| self.ceil_div(self.sub(t, offset), &step);
                // The number of the step is another variable than the index, with another range.
                let sum = self.sum(bound(range.lo), bound(range.hi), |k| {
                    let index = self.add(self.scale(step.clone(), k), offset);
                    self.substitute(self.piece_term(&rest), var, index)
                });
                let sum = self.ite(solvable, sum, self.int(0));
                self.poly(sum).scale(&coefficient)
            }
            Effect::Outside => {
                let one = Piece { coefficient: Rat::one(), ..rest };
                let sum = self.from_poly(self.piece_sum(range, one, left));
                let sum = self.ite(guard, sum, self.int(0));
                self.poly(sum).scale(&coefficient)
            }
            Effect::Complement(positive) => {
                *left -= 1;
                let mut with = rest.clone();
                with.guards.push(positive);
                let all = self.piece_sum(range, rest, left);
                all.sub(&self.piece_sum(range, with, left))
            }
            Effect::Inside => unreachable!("such a guard stays"),
        }
    }

    /// The piece without its coefficient as a term.
    fn piece_term(&self, piece: &Piece) -> Term {
        let product = self.from_poly(Poly::monomial(piece.factors.clone(), Rat::one()));
        self.ite(self.and(&piece.guards), product, self.int(0))
    }

    fn effect(&self, range: Range, guard: Term, left: usize) -> Effect {
        if !self.mentions(guard, range.var) {
            return Effect::Outside;
        }
        let complement = |positive: Term| if left > 0 { Effect::Complement(positive) } else { Effect::Inside };
        match &*self.node(guard) {
            Node::NonNegative(p) => {
                if let Some((a, t)) = self.affine(*p, range.var) {
                    let (lo, hi) = self.narrowed(range.lo, range.hi, &a, &t);
                    return Effect::Narrow(lo, hi);
                }
                if self.is_positive_literal(guard) { Effect::Inside } else { complement(self.not(guard)) }
            }
            Node::Zero(p) => match self.affine(*p, range.var) {
                Some((a, t)) => {
                    let t = self.from_poly(t);
                    Effect::Single(self.div(self.neg(t), self.int(a.clone())), self.divides(a, t))
                }
                None => Effect::Inside,
            },
            Node::Divides(c, p) => match self.affine(*p, range.var) {
                Some((a, t)) => self.stride(c, &a, t),
                None => Effect::Inside,
            },
            Node::Not(_) | Node::Or(_) => complement(self.not(guard)),
            _ => Effect::Inside,
        }
    }

    /// The `k` with `c | a*k + t`: with `g = gcd(a, c)` there are none unless `g | t`; then they
    /// are the `k` congruent to `-(t/g) * (a/g)^-1` modulo `c/g`.
    fn stride(&self, c: &Int, a: &Int, t: Poly) -> Effect {
        let g = a.gcd(c);
        let step = c / &g;
        let inverse = (a / &g).extended_gcd(&step).x.mod_floor(&step);
        let t = self.from_poly(t);
        let solution = self.poly(self.div(t, self.int(g.clone()))).scale(&Rat::from_integer(-inverse));
        let offset = if solution.denominator().is_one() {
            solution.map_coefficients(|k| Rat::from_integer(k.numer().mod_floor(&step)))
        } else {
            solution
        };
        Effect::Stride(step, self.from_poly(offset), self.divides(g, t))
    }

    /// The sum of a monomial that depends on the index in each factor, where some guards hold that
    /// stay in the body.
    fn bare_sum(&self, range: Range, guards: &[Term], factors: Monomial) -> Poly {
        let Range { var, lo, hi } = range;
        if let Some(length) = self.as_int(self.sub(hi, lo)) {
            if !length.is_positive() {
                return Poly::default();
            }
            if length.is_one() {
                let piece = Piece { coefficient: Rat::one(), guards: guards.to_vec(), factors };
                return self.poly(self.substitute(self.piece_term(&piece), var, lo));
            }
        }
        if guards.is_empty() {
            let power = match factors[..] {
                [] => Some(0),
                [(k, e)] if k == self.var(var) => Some(e),
                _ => None,
            };
            if let Some(sum) = power.filter(|&e| e < self.limits().degree).and_then(|e| self.faulhaber(lo, hi, e)) {
                return sum;
            }
            if let Some(sum) = self.geometric(range, &factors) {
                return sum;
            }
        }
        let piece = Piece { coefficient: Rat::one(), guards: guards.to_vec(), factors };
        let f = OpenFold { op: FoldOp::Sum, var, lo, hi, seed: None, body: self.piece_term(&piece) };
        let Some((test, ..)) = self.index_test(f) else { return self.poly(self.finished(f)) };
        // A test of the index inside of a factor or a guard.
        let side = |given: Term| {
            let body = self.ite(given, self.cofactor(f.body, given), self.int(0));
            self.poly(self.fold_over(f.op, var, lo, hi, None, body))
        };
        side(test).add(&side(self.not(test)))
    }

    /// The sum of `k^e` for `lo <= k < hi`.
    fn faulhaber(&self, lo: Term, hi: Term, e: u32) -> Option<Poly> {
        let coefficients = antidifference(e);
        let at = |x: Poly| {
            coefficients
                .iter()
                .rev()
                .fold(Poly::default(), |sum, c| self.times(&sum, &x).add(&Poly::constant(c.clone())))
        };
        // An empty range has no elements, however far its end is before its start.
        let end = self.max(lo, hi);
        let (above, below) = (self.poly(end), self.poly(lo));
        let fits = |p: &Poly| p.degree().saturating_mul(e + 1) <= self.limits().degree;
        (fits(&above) && fits(&below) && self.spend(100)).then(|| at(above).sub(&at(below)))
    }

    /// For a sum of quotients `x div d`: the sum of the remainders `x mod d`, and `d`.
    pub(crate) fn sum_of_remainders(&self, lo: Term, hi: Term, body: Term) -> Option<(Term, Int)> {
        let Node::Div(x, d) = *self.node(body) else { return None };
        let d = self.as_int(d).filter(Signed::is_positive)?;
        let dividends = self.fold(FoldOp::Sum, lo, hi, None, |k| self.open(x, k));
        let quotients = self.fold(FoldOp::Sum, lo, hi, None, |k| self.open(body, k));
        Some((self.sub(dividends, self.scale(d.clone(), quotients)), d))
    }

    /// For a condition that is the negation of `q(k) >= 0`: the sum of `q`.
    pub(crate) fn sum_of_bound(&self, lo: Term, hi: Term, body: Term) -> Option<Term> {
        self.scoped(|v, k| match *self.node(self.not(self.open(body, k))) {
            Node::NonNegative(q) => Some(self.fold_over(FoldOp::Sum, v, lo, hi, None, q)),
            _ => None,
        })
    }

    /// The sum of `c^(k+t)`, where `lo + t` is a number that is not negative.
    fn geometric(&self, range: Range, factors: &Monomial) -> Option<Poly> {
        let [(atom, 1)] = factors[..] else { return None };
        let Node::Power(c, exponent) = &*self.node(atom) else { return None };
        let (a, offset) = self.affine(*exponent, range.var)?;
        let offset = self.from_poly(offset);
        let first = self.as_int(self.add(range.lo, offset))?;
        if !a.is_one() || first.is_negative() || c.is_one() {
            return None;
        }
        let end = self.add(self.max(range.lo, range.hi), offset);
        let powers = self.sub(self.power(c.clone(), end), self.power(c.clone(), self.int(first)));
        Some(self.poly(powers).scale(&Rat::new(Int::one(), c - Int::one())))
    }
}

/// The coefficients, by powers of `x`, of the polynomial `S` with `S(x + 1) - S(x) = x^e` and
/// `S(0) = 0`: `S(x) = 1/(e+1) * sum of C(e+1, j) * B_j * x^(e+1-j)`, with Bernoulli's numbers `B`.
fn antidifference(e: u32) -> Vec<Rat> {
    let n = e as usize + 1;
    let mut binomials: Vec<Vec<Int>> = vec![vec![Int::one()]];
    for i in 1..=n {
        let above = &binomials[i - 1];
        let at = |j: usize| above.get(j).cloned().unwrap_or_else(Int::zero);
        let row = (0..=i).map(|j| if j == 0 { Int::one() } else { at(j - 1) + at(j) }).collect();
        binomials.push(row);
    }
    // The sum of C(m+1, j)*B_j for j <= m is 0 for m > 0.
    let mut bernoulli: Vec<Rat> = vec![Rat::one()];
    for m in 1..n {
        let sum = bernoulli
            .iter()
            .enumerate()
            .fold(Rat::zero(), |sum, (j, b)| sum + b * Rat::from_integer(binomials[m + 1][j].clone()));
        bernoulli.push(-sum / Rat::from_integer(Int::from(m + 1)));
    }
    let mut coefficients = vec![Rat::zero(); n + 1];
    for (j, b) in bernoulli.iter().enumerate() {
        coefficients[n - j] = b * Rat::from_integer(binomials[n][j].clone()) / Rat::from_integer(Int::from(n));
    }
    coefficients
}
