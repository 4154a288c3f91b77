//! Exact values of terms. A [`Model`] says what the symbols and the free variables are.
//!
//! The evaluator follows the meaning that [`Node`] states, node by node, and uses
//! no rule of the normal form: it is the oracle for all of them.

use crate::context::Context;
use crate::name::{Int, IntRange, Symbol, Term, Var};
use crate::node::{BitOp, FoldOp, Node};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::HashMap;

/// The values of what nobody interprets. What a method answers must depend on its arguments only.
/// `None` stands for an unknown value; a term that needs it has none either. That has to be the
/// answer for symbols that the context made itself ([`Context::is_opaque`]). A symbol or variable
/// with a range ([`Context::symbol_within`]) has to have a value in it, for all arguments and at
/// all indexes; a term that needs another one is [`EvalError::OutOfRange`].
pub trait Model {
    /// The value of an integer symbol at some arguments.
    fn int(&self, symbol: Symbol, arguments: &[Int]) -> Option<Int>;

    /// The value of a boolean symbol at some arguments.
    fn truth(&self, _symbol: Symbol, _arguments: &[Int]) -> Option<bool> {
        None
    }

    /// A cell of an array symbol with some arguments.
    fn cell(&self, _array: Symbol, _arguments: &[Int], _index: &[Int]) -> Option<Int> {
        None
    }

    /// The value of a free integer variable.
    fn variable(&self, _var: Var) -> Option<Int> {
        None
    }

    /// The value of a free boolean variable.
    fn truth_variable(&self, _var: Var) -> Option<bool> {
        None
    }

    /// A cell of a free array variable.
    fn variable_cell(&self, _var: Var, _index: &[Int]) -> Option<Int> {
        None
    }
}

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EvalError {
    /// The model does not know a symbol or a variable.
    Unknown,
    /// The limit on the number of steps was reached.
    Steps,
    /// A number has more bits than the limits of the context allow.
    Large,
    /// The model gives a symbol or a variable a value outside of its range.
    OutOfRange,
    /// The term is no term of the sort asked for, or a polynomial of it is no integer.
    Malformed,
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EvalError::Unknown => "the value of a symbol or a variable is not known",
            EvalError::Steps => "the evaluation reached its limit of steps",
            EvalError::Large => "a number is too large",
            EvalError::OutOfRange => "a symbol or a variable has a value outside of its range",
            EvalError::Malformed => "the term has no value of this sort",
        })
    }
}

impl std::error::Error for EvalError {}

/// A number beyond this many bits is [`EvalError::Large`].
const BITS: u64 = 1 << 16;

impl Context {
    /// The value of an integer term in at most `steps` steps.
    pub fn evaluate(&self, t: Term, model: &dyn Model, steps: u64) -> Result<Int, EvalError> {
        Evaluation::new(self, model, steps).int(t)
    }

    /// The value of a boolean term in at most `steps` steps.
    pub fn evaluate_truth(&self, t: Term, model: &dyn Model, steps: u64) -> Result<bool, EvalError> {
        Evaluation::new(self, model, steps).truth(t)
    }

    /// A cell of an array term, in at most `steps` steps.
    pub fn evaluate_cell(&self, array: Term, index: &[Int], model: &dyn Model, steps: u64) -> Result<Int, EvalError> {
        Evaluation::new(self, model, steps).cell(array, index)
    }
}

struct Evaluation<'a> {
    context: &'a Context,
    model: &'a dyn Model,
    steps: u64,
    /// The values of the bound variables, the innermost last.
    bound: Vec<Int>,
    /// The values of terms without bound variables.
    ints: HashMap<Term, Int>,
    truths: HashMap<Term, bool>,
}

impl<'a> Evaluation<'a> {
    fn new(context: &'a Context, model: &'a dyn Model, steps: u64) -> Self {
        Evaluation { context, model, steps, bound: Vec::new(), ints: HashMap::new(), truths: HashMap::new() }
    }

    fn step(&mut self) -> Result<(), EvalError> {
        self.steps = self.steps.checked_sub(1).ok_or(EvalError::Steps)?;
        Ok(())
    }

    fn int(&mut self, t: Term) -> Result<Int, EvalError> {
        self.step()?;
        let closed = self.context.loose(t) == 0;
        if closed && let Some(known) = self.ints.get(&t) {
            return Ok(known.clone());
        }
        let value = self.int_of(&self.context.node(t))?;
        if value.bits() > BITS {
            return Err(EvalError::Large);
        }
        if closed {
            self.ints.insert(t, value.clone());
        }
        Ok(value)
    }

    fn all(&mut self, ts: &[Term]) -> Result<Vec<Int>, EvalError> {
        ts.iter().map(|&t| self.int(t)).collect()
    }

    fn int_of(&mut self, node: &Node) -> Result<Int, EvalError> {
        match node {
            Node::Poly(p) => {
                let mut sum = BigRational::zero();
                for (m, c) in p.terms() {
                    let mut product = Int::one();
                    for &(t, e) in m {
                        let value = self.int(t)?;
                        if value.bits().saturating_mul(u64::from(e)) > BITS {
                            return Err(EvalError::Large);
                        }
                        product *= value.pow(e);
                    }
                    sum += c * BigRational::from_integer(product);
                }
                if sum.is_integer() { Ok(sum.to_integer()) } else { Err(EvalError::Malformed) }
            }
            Node::Var(v) => within(self.model.variable(*v), &self.context.variable_range(*v)),
            Node::Bound(i) => {
                let at = self.bound.len().checked_sub(*i as usize + 1).ok_or(EvalError::Malformed)?;
                Ok(self.bound[at].clone())
            }
            Node::Apply(s, ts) => {
                let arguments = self.arguments(ts)?;
                within(self.model.int(*s, &arguments), &self.context.symbol_range(*s))
            }
            Node::Power(c, t) => {
                let e = self.int(*t)?.max(Int::zero());
                if c.is_zero() || c.is_one() {
                    return Ok(if e.is_zero() { Int::one() } else { c.clone() });
                }
                let e = e.to_u32().filter(|&e| c.bits().saturating_mul(u64::from(e)) <= BITS);
                Ok(c.pow(e.ok_or(EvalError::Large)?))
            }
            Node::Div(a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                Ok(if b.is_zero() { b } else { a.div_floor(&b) })
            }
            Node::Ite(p, a, b) => {
                let chosen = if self.truth(*p)? { a } else { b };
                self.int(*chosen)
            }
            Node::Max(ts) => self.all(ts)?.into_iter().max().ok_or(EvalError::Malformed),
            Node::Min(ts) => self.all(ts)?.into_iter().min().ok_or(EvalError::Malformed),
            Node::Read(array, index) => {
                let index = self.all(index)?;
                self.cell(*array, &index)
            }
            Node::Fold { op, lo, hi, seed, body } => self.fold(*op, *lo, *hi, *seed, *body),
            Node::First(lo, hi, p) => {
                let (lo, hi) = (self.int(*lo)?, self.int(*hi)?);
                Ok(self.search(&lo, &hi, *p, false, &Int::zero())?.unwrap_or(hi))
            }
            Node::Last(lo, hi, p) => {
                let (lo, hi) = (self.int(*lo)?, self.int(*hi)?);
                Ok(self.search(&lo, &hi, *p, true, &Int::zero())?.unwrap_or(lo - 1))
            }
            Node::Nth(n, lo, hi, p) => {
                let (n, lo, hi) = (self.int(*n)?, self.int(*lo)?, self.int(*hi)?);
                if n.is_negative() {
                    return Ok(hi);
                }
                Ok(self.search(&lo, &hi, *p, false, &n)?.unwrap_or(hi))
            }
            Node::Wrap(w, t) => Ok(w.wrap(&self.int(*t)?)),
            Node::Bits(op, ts) => {
                let values = self.all(ts)?;
                values.into_iter().reduce(|a, b| combine_bits(*op, a, b)).ok_or(EvalError::Malformed)
            }
            _ => Err(EvalError::Malformed),
        }
    }

    fn arguments(&mut self, ts: &[Term]) -> Result<Vec<Int>, EvalError> {
        if ts.iter().any(|&t| self.context.rank(t).is_some()) {
            // Only unknowns for terms that were too large have arrays as arguments.
            return Err(EvalError::Unknown);
        }
        self.all(ts)
    }

    /// The value at each index, by `each` until it says that it is enough.
    fn over(
        &mut self,
        lo: &Int,
        hi: &Int,
        down: bool,
        each: &mut dyn FnMut(&mut Self, &Int) -> Result<bool, EvalError>,
    ) -> Result<(), EvalError> {
        let mut k = if down { hi - 1 } else { lo.clone() };
        while if down { k >= *lo } else { k < *hi } {
            self.step()?;
            self.bound.push(k.clone());
            let done = each(self, &k);
            self.bound.pop();
            if done? {
                break;
            }
            k += if down { -1 } else { 1 };
        }
        Ok(())
    }

    /// The first or last index at which `p` holds, when `skip` of them are passed over.
    fn search(&mut self, lo: &Int, hi: &Int, p: Term, down: bool, skip: &Int) -> Result<Option<Int>, EvalError> {
        let (mut found, mut left) = (None, skip.clone());
        self.over(lo, hi, down, &mut |me, k| {
            if !me.truth(p)? {
                return Ok(false);
            }
            if left.is_zero() {
                found = Some(k.clone());
                return Ok(true);
            }
            left -= 1;
            Ok(false)
        })?;
        Ok(found)
    }

    fn fold(&mut self, op: FoldOp, lo: Term, hi: Term, seed: Option<Term>, body: Term) -> Result<Int, EvalError> {
        let (lo, hi) = (self.int(lo)?, self.int(hi)?);
        let mut value = match (op, seed) {
            (FoldOp::Sum | FoldOp::BitOr | FoldOp::BitXor, None) => Int::zero(),
            (FoldOp::Product, None) => Int::one(),
            (FoldOp::BitAnd, None) => -Int::one(),
            (FoldOp::Max | FoldOp::Min, Some(s)) => self.int(s)?,
            _ => return Err(EvalError::Malformed),
        };
        self.over(&lo, &hi, false, &mut |me, _| {
            let next = me.int(body)?;
            let so_far = std::mem::take(&mut value);
            value = match op {
                FoldOp::Sum => so_far + next,
                FoldOp::Product => so_far * next,
                FoldOp::BitAnd => so_far & next,
                FoldOp::BitOr => so_far | next,
                FoldOp::BitXor => so_far ^ next,
                FoldOp::Max => so_far.max(next),
                FoldOp::Min => so_far.min(next),
                FoldOp::All | FoldOp::Any => return Err(EvalError::Malformed),
            };
            if value.bits() > BITS { Err(EvalError::Large) } else { Ok(false) }
        })?;
        Ok(value)
    }

    fn truth(&mut self, t: Term) -> Result<bool, EvalError> {
        self.step()?;
        let closed = self.context.loose(t) == 0;
        if closed && let Some(known) = self.truths.get(&t) {
            return Ok(*known);
        }
        let value = self.truth_of(&self.context.node(t))?;
        if closed {
            self.truths.insert(t, value);
        }
        Ok(value)
    }

    fn truth_of(&mut self, node: &Node) -> Result<bool, EvalError> {
        match node {
            Node::Truth(b) => Ok(*b),
            Node::NonNegative(t) => Ok(!self.int(*t)?.is_negative()),
            Node::Zero(t) => Ok(self.int(*t)?.is_zero()),
            Node::Divides(c, t) => Ok(self.int(*t)?.is_multiple_of(c)),
            Node::Not(p) => Ok(!self.truth(*p)?),
            Node::And(ps) => {
                for &p in ps {
                    if !self.truth(p)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::Or(ps) => {
                for &p in ps {
                    if self.truth(p)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Node::Var(v) => self.model.truth_variable(*v).ok_or(EvalError::Unknown),
            Node::Apply(s, ts) => {
                let arguments = self.arguments(ts)?;
                self.model.truth(*s, &arguments).ok_or(EvalError::Unknown)
            }
            Node::Fold { op: op @ (FoldOp::All | FoldOp::Any), lo, hi, seed: None, body } => {
                let (lo, hi) = (self.int(*lo)?, self.int(*hi)?);
                let all = *op == FoldOp::All;
                let mut value = all;
                self.over(&lo, &hi, false, &mut |me, _| {
                    value = me.truth(*body)?;
                    Ok(value != all)
                })?;
                Ok(value)
            }
            _ => Err(EvalError::Malformed),
        }
    }

    fn cell(&mut self, array: Term, index: &[Int]) -> Result<Int, EvalError> {
        self.step()?;
        match &*self.context.node(array) {
            Node::Var(v) => within(self.model.variable_cell(*v, index), &self.context.variable_range(*v)),
            Node::Apply(s, ts) => {
                let arguments = self.arguments(ts)?;
                within(self.model.cell(*s, &arguments, index), &self.context.symbol_range(*s))
            }
            Node::Lambda(rank, body) if *rank as usize == index.len() => {
                self.bound.extend(index.iter().cloned());
                let value = self.int(*body);
                self.bound.truncate(self.bound.len() - index.len());
                value
            }
            _ => Err(EvalError::Malformed),
        }
    }
}

/// What a model answers, if it is in the range.
fn within(value: Option<Int>, (lo, hi): &IntRange) -> Result<Int, EvalError> {
    let value = value.ok_or(EvalError::Unknown)?;
    let fits = lo.as_ref().is_none_or(|lo| *lo <= value) && hi.as_ref().is_none_or(|hi| value <= *hi);
    if fits { Ok(value) } else { Err(EvalError::OutOfRange) }
}

/// One bitwise operation on two numbers.
pub(crate) fn combine_bits(op: BitOp, a: Int, b: Int) -> Int {
    match op {
        BitOp::And => a & b,
        BitOp::Or => a | b,
        BitOp::Xor => a ^ b,
    }
}
