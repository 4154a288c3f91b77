//! Operators on bits, as arithmetic. A number has infinitely many bits, as in two's complement
//! (ACSL 1.17, 2.2.4), so each operator has an exact value, whatever types its operands have.
//!
//! One operand must be a constant. With `low(x, n)` for the number that the lowest `n` bits of `x`
//! are, `x & c` is the sum of `low(x, j) - low(x, i)` over the runs of ones in `c`, from bit `i` up
//! to bit `j`; `x | c` is `x + c - (x & c)`; `x ^ c` is `x + c - 2 * (x & c)`; and `x >> n` is
//! `(x - low(x, n)) / 2^n`, which rounds down.

use super::resolve::{Logic, Value, bits_of, span};
use super::syntax::{BitOp, Node};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{MAX_BITS, Root, Term, TermLvalue, TermOp};

/// The most runs of ones in a constant.
const MAX_RUNS: usize = 8;

impl Lowerer<'_> {
    /// `a & b` and the like.
    pub(super) fn bitwise(&mut self, op: BitOp, a: &Node, b: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let ((x, p), (y, q)) = (self.term_of(a, logic)?, self.term_of(b, logic)?);
        let value = match (op, folded(&x), folded(&y)) {
            (BitOp::ShiftLeft | BitOp::ShiftRight, _, None) => {
                return self.unsupported(span(b), "a shift by a number that is no constant is not supported");
            }
            (BitOp::ShiftLeft | BitOp::ShiftRight, _, Some(n)) if !(0..i128::from(MAX_BITS)).contains(&n) => {
                return self.unsupported(span(b), format!("a shift by {n} bits is not supported"));
            }
            (BitOp::ShiftLeft, known, Some(n)) => {
                let power = self.power(n as u32, node)?;
                match known.and_then(|x| x.checked_mul(power)) {
                    Some(n) if bits_of(n) <= MAX_BITS => constant(n),
                    _ => self.sized(Term::binary(TermOp::Mul, x, Term::Int(power)), p + n as u32, node)?,
                }
            }
            (BitOp::ShiftRight, Some(x), Some(n)) => constant(x >> n),
            (BitOp::ShiftRight, None, Some(n)) => {
                let (low, n) = (self.lowest(&x, p, n as u32, node)?, n as u32);
                let power = Term::Int(self.power(n, node)?);
                match low {
                    // Nothing is lost.
                    Term::Int(0) => Value::Term(x, p),
                    low => {
                        self.sized(Term::binary(TermOp::Div, Term::binary(TermOp::Sub, x, low), power), p + 1, node)?
                    }
                }
            }
            (_, Some(x), Some(y)) => constant(match op {
                BitOp::And => x & y,
                BitOp::Or => x | y,
                _ => x ^ y,
            }),
            (_, Some(c), None) => self.with_constant(op, y, q, c, node)?,
            (_, None, Some(c)) => self.with_constant(op, x, p, c, node)?,
            (_, None, None) if is_same(&x, &y) || is_complement(&x, &y) || is_complement(&y, &x) => {
                match (op, is_same(&x, &y)) {
                    (BitOp::And | BitOp::Or, true) => Value::Term(x, p),
                    (BitOp::Xor, true) | (BitOp::And, false) => constant(0),
                    _ => constant(-1),
                }
            }
            (_, None, None) => {
                return self.unsupported(span(node), "an operator on the bits of two numbers that are no constants");
            }
        };
        // Operands are in it several times.
        self.grown(&value, node, logic)?;
        Ok(value)
    }

    /// `x op c`, for `&`, `|` and `^`.
    fn with_constant(&self, op: BitOp, x: Term, p: u32, c: i128, node: &Node) -> Lowered<Value> {
        let (and, bits) = self.and_constant(&x, p, c, node)?;
        let more = p.max(bits_of(c)) + 2;
        let sum = || Term::binary(TermOp::Add, x.clone(), Term::Int(c));
        match op {
            BitOp::And => self.sized(and, bits, node),
            BitOp::Or => self.sized(Term::binary(TermOp::Sub, sum(), and), more, node),
            _ => self.sized(
                Term::binary(TermOp::Sub, sum(), Term::binary(TermOp::Mul, Term::Int(2), and)),
                more + 1,
                node,
            ),
        }
    }

    /// `x & c`, and the bits that it needs.
    fn and_constant(&self, x: &Term, p: u32, c: i128, node: &Node) -> Lowered<(Term, u32)> {
        if c < 0 {
            // What is left without the bits that `c` does not have.
            let (and, bits) = self.and_constant(x, p, !c, node)?;
            return Ok((Term::binary(TermOp::Sub, x.clone(), and), p.max(bits) + 1));
        }
        let (mut sum, mut runs, mut at) = (None, 0, 0);
        while c >> at != 0 {
            at += (c >> at).trailing_zeros();
            let end = at + (!(c >> at)).trailing_zeros();
            let high = self.lowest(x, p, end, node)?;
            let run = match at {
                0 => high,
                at => Term::binary(TermOp::Sub, high, self.lowest(x, p, at, node)?),
            };
            sum = Some(match sum {
                None => run,
                Some(sum) => Term::binary(TermOp::Add, sum, run),
            });
            (runs, at) = (runs + 1, end);
        }
        if runs > MAX_RUNS {
            return self.unsupported(span(node), format!("the constant {c} has more than {MAX_RUNS} groups of bits"));
        }
        Ok((sum.unwrap_or(Term::Int(0)), bits_of(c).max(p) + 2))
    }

    /// The number that the lowest bits of a number are.
    fn lowest(&self, x: &Term, bits: u32, count: u32, node: &Node) -> Lowered<Term> {
        match self.lowest_bits(x.clone(), bits, count, node)? {
            Value::Term(term, _) => Ok(term),
            _ => self.wrong(span(node), "a number is needed here"),
        }
    }

    /// A number modulo a power of two, at least 0.
    pub(super) fn lowest_bits(&self, x: Term, bits: u32, count: u32, node: &Node) -> Lowered<Value> {
        let power = self.power(count, node)?;
        Ok(match folded(&x) {
            _ if count == 0 => constant(0),
            Some(n) => constant(n.rem_euclid(power)),
            None => {
                let power = || Term::Int(power);
                let rest = Term::binary(TermOp::Rem, x.clone(), power());
                if self.is_natural(&x) {
                    return self.sized(rest, bits.min(count + 1), node);
                }
                // `%` rounds towards 0, so the rest of a negative number is not positive.
                self.sized(
                    Term::binary(TermOp::Rem, Term::binary(TermOp::Add, rest, power()), power()),
                    count + 2,
                    node,
                )?
            }
        })
    }

    /// `~x`, which is `-x - 1`.
    pub(super) fn complement(&self, x: Term, bits: u32, node: &Node) -> Lowered<Value> {
        match folded(&x) {
            Some(n) => Ok(constant(!n)),
            None => self.sized(Term::binary(TermOp::Sub, Term::Negate(Box::new(x)), Term::Int(1)), bits + 1, node),
        }
    }

    fn power(&self, count: u32, node: &Node) -> Lowered<i128> {
        if count >= MAX_BITS {
            let message = format!("this may be a number of more than {MAX_BITS} bits, which is not supported");
            return self.unsupported(span(node), message);
        }
        Ok(1 << count)
    }

    /// Whether the type of a number says that it is not negative.
    fn is_natural(&self, t: &Term) -> bool {
        match t {
            Term::Int(n) => *n >= 0,
            Term::Read(place) | Term::At(_, place) => place.ty.as_int().is_some_and(|k| k.min(self.model()) >= 0),
            Term::Binary(TermOp::Add | TermOp::Mul | TermOp::Div, a, b) => self.is_natural(a) && self.is_natural(b),
            // It has the sign of the first operand.
            Term::Binary(TermOp::Rem, a, _) => self.is_natural(a),
            Term::If(_, a, b) => self.is_natural(a) && self.is_natural(b),
            _ => false,
        }
    }
}

/// The value of a constant; `~` and `-` make some.
fn folded(t: &Term) -> Option<i128> {
    match t {
        Term::Int(n) => Some(*n),
        Term::Negate(a) => folded(a)?.checked_neg(),
        Term::Binary(op, a, b) => {
            let (a, b) = (folded(a)?, folded(b)?);
            let n = match op {
                TermOp::Add => a.checked_add(b)?,
                TermOp::Sub => a.checked_sub(b)?,
                TermOp::Mul => a.checked_mul(b)?,
                TermOp::Div => a.checked_div(b)?,
                TermOp::Rem => a.checked_rem(b)?,
            };
            (bits_of(n) <= MAX_BITS).then_some(n)
        }
        _ => None,
    }
}

/// Whether two terms are the same sum, wherever they stand.
fn is_same(a: &Term, b: &Term) -> bool {
    let variable = |place: &TermLvalue| match &place.root {
        Root::Variable(l) if place.steps.is_empty() => l.as_var(),
        _ => None,
    };
    match (a, b) {
        (Term::Read(p), Term::Read(q)) => variable(p).is_some() && variable(p) == variable(q),
        (Term::Negate(a), Term::Negate(b)) => is_same(a, b),
        (Term::Binary(op, a, b), Term::Binary(other, c, d)) => op == other && is_same(a, c) && is_same(b, d),
        _ => a == b,
    }
}

/// Whether `a` is `~b`.
fn is_complement(a: &Term, b: &Term) -> bool {
    match a {
        Term::Binary(TermOp::Sub, negated, one) => {
            **one == Term::Int(1) && matches!(&**negated, Term::Negate(inner) if is_same(inner, b))
        }
        _ => false,
    }
}

fn constant(n: i128) -> Value {
    Value::Term(Term::Int(n), bits_of(n))
}
