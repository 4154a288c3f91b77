//! A question about terms as a script for an SMT solver.
//!
//! **Meaning.** Integers of terms are integers of SMT-LIB, exactly: floors of quotients become
//! `div`, which rounds like them for positive divisors. A symbol becomes an uninterpreted function
//! of its arguments; one that is an array, a function of its arguments and the indexes. What no
//! theory has (folds, searches, wraps, powers, bitwise operations) becomes a constant:
//! equal terms are one constant, and the axioms of the query say what is known of it. So every
//! model of the terms is a model of the script, and if the script has none, the goal follows.
//!
//! **Products.** Solvers are good at linear arithmetic and bad at products. In the linear
//! abstraction ([`Products::Abstract`]) each product of unknowns is a constant of its own, and the
//! same holds of it.

use crate::smt::{self, Declarations, Function, IntOp, Logic, Order, Script};
use num_traits::{One, Signed, ToPrimitive, Zero};
use smalti_terms::{Context, FoldOp, Int, Monomial, Node, Poly, Query, Rat, Sort, Symbol, Term, Var};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The greatest number of different terms in a script.
const MOST_TERMS: usize = 20_000;
/// A term that occurs several times gets a name if it has at least so many nodes.
const NAMED_SIZE: u64 = 6;
/// The name of the assertion that is the negated goal.
const GOAL: &str = "goal";

/// How products of unknowns are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Products {
    /// Each is a constant of its own; an even power is not negative.
    Abstract,
    /// As products.
    Exact,
}

/// Why a question has no script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inexpressible {
    /// A number has more than 128 bits.
    Number,
    /// There are too many terms.
    Size,
    /// An array is used other than by reading its cells.
    Array,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Inexpressible::Number => "a number of the question has more than 128 bits",
            Inexpressible::Size => "the question is too large",
            Inexpressible::Array => "the question is about an array as a whole",
        })
    }
}

/// A query as a script.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) script: Script,
    /// Whether there are products, or quotients by unknowns.
    pub(super) has_products: bool,
}

impl Encoded {
    /// The same question without the negated goal: whether the facts and the axioms can hold.
    pub(super) fn without_goal(&self) -> Script {
        let mut script = self.script.clone();
        script.assertions.retain(|(name, _)| name.as_str() != GOAL);
        script
    }
}

/// The script that has a model if the facts, the axioms and the negated goal of the query have one.
///
/// # Errors
/// Something has no meaning in a script.
pub(super) fn encode(c: &Context, query: &Query, products: Products) -> Result<Encoded, Inexpressible> {
    // The first pass counts how often terms are used, the second one gives names to what is used
    // often.
    let mut counting = Encoder::new(c, products, HashSet::new());
    counting.query(query)?;
    let is_often = |(t, uses): &(&Term, &u32)| **uses > 1 && c.size(**t) >= NAMED_SIZE && word(&c.node(**t)).is_none();
    let often = counting.uses.iter().filter(is_often).map(|(t, _)| *t).collect();
    let mut encoder = Encoder::new(c, products, often);
    let assertions = encoder.query(query)?;
    let has_products = encoder.has_products;
    let logic = if has_products && products == Products::Exact { Logic::QfUfnia } else { Logic::QfUflia };
    let script = Script { logic, declarations: encoder.declarations, assertions, ..Script::default() };
    Ok(Encoded { script, has_products })
}

/// What an uninterpreted function stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Symbol(Symbol),
    Variable(Var),
    /// An array term with arguments that no function has.
    Array(Term),
}

struct Encoder<'a> {
    c: &'a Context,
    products: Products,
    declarations: Declarations,
    /// The number of names so far.
    names: usize,
    /// The functions, by what they stand for and which parameters are Booleans.
    functions: HashMap<(Head, Vec<bool>), Function>,
    monomials: HashMap<Monomial, smt::Term>,
    /// The terms so far.
    known: HashMap<Term, smt::Term>,
    /// How often each term was needed.
    uses: HashMap<Term, u32>,
    /// The terms that get a name.
    named: HashSet<Term>,
    /// What holds of products and polynomials whatever is asked.
    beside: Vec<smt::Term>,
    has_products: bool,
}

type Result<T, E = Inexpressible> = std::result::Result<T, E>;

impl<'a> Encoder<'a> {
    fn new(c: &'a Context, products: Products, named: HashSet<Term>) -> Self {
        Encoder {
            c,
            products,
            declarations: Declarations::default(),
            names: 0,
            functions: HashMap::new(),
            monomials: HashMap::new(),
            known: HashMap::new(),
            uses: HashMap::new(),
            named,
            beside: Vec::new(),
            has_products: false,
        }
    }

    fn query(&mut self, query: &Query) -> Result<Vec<(smt::Symbol, smt::Term)>> {
        let mut assertions = Vec::new();
        for (kind, terms) in [("fact", &query.facts), ("axiom", &query.axioms)] {
            for (n, t) in terms.iter().enumerate() {
                assertions.push((smt::Symbol::new(&format!("{kind}.{n}")), self.term(*t)?));
            }
        }
        assertions.push((smt::Symbol::new(GOAL), self.term(query.negated_goal)?));
        for (n, fact) in self.beside.iter().enumerate() {
            assertions.push((smt::Symbol::new(&format!("beside.{n}")), fact.clone()));
        }
        Ok(assertions)
    }

    /// A name that is new: a word and a number.
    fn name(&mut self, word: &str) -> smt::Symbol {
        self.names += 1;
        let mut text: String = word.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(40).collect();
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            text.insert(0, 'x');
        }
        smt::Symbol::new(&format!("{text}.{}", self.names))
    }

    fn term(&mut self, t: Term) -> Result<smt::Term> {
        *self.uses.entry(t).or_default() += 1;
        if let Some(known) = self.known.get(&t) {
            return Ok(known.clone());
        }
        if self.known.len() >= MOST_TERMS {
            return Err(Inexpressible::Size);
        }
        let mut term = self.node(t)?;
        if self.named.contains(&t) {
            let name = self.name("t");
            term = self.declarations.define(name, term);
        }
        self.known.insert(t, term.clone());
        Ok(term)
    }

    fn terms(&mut self, ts: &[Term]) -> Result<Vec<smt::Term>> {
        ts.iter().map(|t| self.term(*t)).collect()
    }

    fn node(&mut self, t: Term) -> Result<smt::Term> {
        let node = self.c.node(t);
        Ok(match &*node {
            Node::Poly(p) => {
                let (numerator, denominator) = self.polynomial(p)?;
                // The values of the polynomial are integers, so nothing is rounded. The solver does
                // not see that where a product is a constant.
                if !denominator.is_one() {
                    let remainder = numerator.clone().int_op(IntOp::Mod, int(&denominator)?);
                    self.beside.push(remainder.equals(smt::Term::int(0)));
                }
                divided(numerator, &denominator)?
            }
            Node::Var(v) => self.variable(*v)?,
            Node::Apply(s, ts) => self.application(t, *s, ts)?,
            Node::Div(a, b) => self.quotient(t, *a, *b)?,
            Node::Ite(p, a, b) => {
                let condition = self.term(*p)?;
                condition.choose(self.term(*a)?, self.term(*b)?)
            }
            Node::Max(ts) => self.extremum(ts, Order::GreaterEqual)?,
            Node::Min(ts) => self.extremum(ts, Order::LessEqual)?,
            Node::Read(array, index) => self.read(*array, index)?,
            Node::Truth(b) => smt::Term::bool(*b),
            Node::NonNegative(x) => self.numerator(*x)?.0.int_order(Order::GreaterEqual, smt::Term::int(0)),
            Node::Zero(x) => self.numerator(*x)?.0.equals(smt::Term::int(0)),
            Node::Divides(m, x) => {
                let (numerator, denominator) = self.numerator(*x)?;
                let remainder = numerator.int_op(IntOp::Mod, int(&(m * denominator))?);
                remainder.equals(smt::Term::int(0))
            }
            Node::Not(p) => self.term(*p)?.negated(),
            Node::And(ps) => smt::Term::and(self.terms(ps)?),
            Node::Or(ps) => smt::Term::or(self.terms(ps)?),
            other => match word(other) {
                Some(word) => self.constant(t, word),
                None => return Err(Inexpressible::Array),
            },
        })
    }

    /// A constant of its own for a term.
    fn constant(&mut self, t: Term, word: &str) -> smt::Term {
        let (name, sort) = (self.name(word), sort(self.c.sort(t)));
        self.declarations.constant(name, sort)
    }

    /// A term as a numerator and a positive denominator.
    fn numerator(&mut self, t: Term) -> Result<(smt::Term, Int)> {
        match &*self.c.node(t) {
            Node::Poly(p) if !p.denominator().is_one() => self.polynomial(p),
            _ => Ok((self.term(t)?, Int::one())),
        }
    }

    /// The numerator of a polynomial, and its positive denominator.
    fn polynomial(&mut self, p: &Poly) -> Result<(smt::Term, Int)> {
        let denominator = p.denominator();
        let mut sum: Option<smt::Term> = None;
        for (monomial, coefficient) in p.terms() {
            let coefficient = (coefficient * Rat::from_integer(denominator.clone())).to_integer();
            let part = match self.monomial(monomial)? {
                None => int(&coefficient)?,
                Some(product) if coefficient.is_one() => product,
                Some(product) => int(&coefficient)?.int_op(IntOp::Mul, product),
            };
            sum = Some(match sum {
                None => part,
                Some(sum) => sum.int_op(IntOp::Add, part),
            });
        }
        Ok((sum.unwrap_or_else(|| smt::Term::int(0)), denominator))
    }

    /// A product of atoms; none if it has no factor.
    fn monomial(&mut self, monomial: &Monomial) -> Result<Option<smt::Term>> {
        match monomial[..] {
            [] => return Ok(None),
            [(atom, 1)] => return self.term(atom).map(Some),
            _ => self.has_products = true,
        }
        if self.products == Products::Abstract {
            if let Some(known) = self.monomials.get(monomial) {
                return Ok(Some(known.clone()));
            }
            let name = self.name("product");
            let product = self.declarations.constant(name, smt::Sort::Int);
            if monomial.iter().all(|(_, exponent)| exponent % 2 == 0) {
                self.beside.push(product.clone().int_order(Order::GreaterEqual, smt::Term::int(0)));
            }
            self.monomials.insert(monomial.clone(), product.clone());
            return Ok(Some(product));
        }
        let mut product: Option<smt::Term> = None;
        for &(atom, exponent) in monomial {
            for _ in 0..exponent {
                let factor = self.term(atom)?;
                product = Some(match product {
                    None => factor,
                    Some(product) => product.int_op(IntOp::Mul, factor),
                });
            }
        }
        Ok(product)
    }

    /// The floor of a quotient; 0 for the divisor 0. `div` rounds so that the remainder is not
    /// negative: for positive divisors that is the floor, and a negative divisor is made positive.
    fn quotient(&mut self, t: Term, a: Term, b: Term) -> Result<smt::Term> {
        if let Some(divisor) = self.c.as_int(b) {
            let dividend = self.term(a)?;
            return match divisor.signum() {
                s if s.is_zero() => Ok(smt::Term::int(0)),
                s if s.is_positive() => divided(dividend, &divisor),
                _ => divided(negated(dividend), &-divisor),
            };
        }
        self.has_products = true;
        if self.products == Products::Abstract {
            return Ok(self.constant(t, "quotient"));
        }
        let (dividend, divisor) = (self.shared(a)?, self.shared(b)?);
        let (zero, is_zero) = (smt::Term::int(0), divisor.clone().equals(smt::Term::int(0)));
        let is_positive = divisor.clone().int_order(Order::Greater, zero.clone());
        let plain = dividend.clone().int_op(IntOp::Div, divisor.clone());
        let turned = negated(dividend).int_op(IntOp::Div, negated(divisor));
        Ok(is_zero.choose(zero, is_positive.choose(plain, turned)))
    }

    /// A term that is used twice.
    fn shared(&mut self, t: Term) -> Result<smt::Term> {
        self.term(t)?;
        self.term(t)
    }

    /// The greatest or least of some terms.
    fn extremum(&mut self, ts: &[Term], order: Order) -> Result<smt::Term> {
        let mut best: Option<smt::Term> = None;
        for (n, t) in ts.iter().enumerate() {
            let next = self.shared(*t)?;
            best = Some(match best {
                None => next,
                Some(best) => {
                    let chosen = best.clone().int_order(order, next.clone()).choose(best, next);
                    // It occurs twice in what follows.
                    if n + 1 < ts.len() {
                        let name = self.name("t");
                        self.declarations.define(name, chosen)
                    } else {
                        chosen
                    }
                }
            });
        }
        Ok(best.unwrap_or_else(|| smt::Term::int(0)))
    }

    fn variable(&mut self, v: Var) -> Result<smt::Term> {
        let (name, sort) = (self.c.variable_name(v), self.c.variable_sort(v));
        self.applied(Head::Variable(v), &name, Vec::new(), sort)
    }

    /// A symbol with its arguments.
    fn application(&mut self, t: Term, s: Symbol, ts: &[Term]) -> Result<smt::Term> {
        let name = self.c.symbol_name(s);
        if self.has_arrays(ts) {
            // Only unknowns for terms beyond the limits. As constants, equal arguments need not
            // give equal results.
            return match self.c.sort(t) {
                Sort::Array(_) => Err(Inexpressible::Array),
                _ => Ok(self.constant(t, &name)),
            };
        }
        let arguments = self.terms(ts)?;
        self.applied(Head::Symbol(s), &name, arguments, self.c.symbol_sort(s))
    }

    fn has_arrays(&self, ts: &[Term]) -> bool {
        ts.iter().any(|t| matches!(self.c.sort(*t), Sort::Array(_)))
    }

    fn applied(&mut self, head: Head, name: &str, arguments: Vec<smt::Term>, result: Sort) -> Result<smt::Term> {
        if let Sort::Array(_) = result {
            return Err(Inexpressible::Array);
        }
        let are_bool: Vec<bool> = arguments.iter().map(|a| *a.sort() == smt::Sort::Bool).collect();
        let parameters: Vec<smt::Sort> = arguments.iter().map(|a| a.sort().clone()).collect();
        let key = (head, are_bool);
        if let Some(function) = self.functions.get(&key) {
            return Ok(function.apply(arguments));
        }
        let name = self.name(name);
        let function = self.declarations.function(name, parameters, sort(result));
        self.functions.insert(key, function.clone());
        Ok(function.apply(arguments))
    }

    /// A cell of an array: of a symbol or a variable, a function of the arguments and the indexes;
    /// reads of a choice are a choice of reads, and lambdas are applied.
    fn read(&mut self, array: Term, index: &[Term]) -> Result<smt::Term> {
        match &*self.c.node(array) {
            Node::Apply(s, ts) => {
                let name = self.c.symbol_name(*s);
                let (head, first) =
                    if self.has_arrays(ts) { (Head::Array(array), &[][..]) } else { (Head::Symbol(*s), &ts[..]) };
                let arguments = self.terms(&[first, index].concat())?;
                self.applied(head, &name, arguments, Sort::Int)
            }
            Node::Var(v) => {
                let name = self.c.variable_name(*v);
                let arguments = self.terms(index)?;
                self.applied(Head::Variable(*v), &name, arguments, Sort::Int)
            }
            Node::Ite(p, a, b) => {
                let (a, b) = (self.c.read(*a, index), self.c.read(*b, index));
                let condition = self.term(*p)?;
                Ok(condition.choose(self.term(a)?, self.term(b)?))
            }
            Node::Lambda(rank, _) if *rank as usize == index.len() => {
                let cell = self.c.read(array, index);
                self.term(cell)
            }
            _ => Err(Inexpressible::Array),
        }
    }
}

/// What becomes a constant, in a word.
fn word(node: &Node) -> Option<&'static str> {
    Some(match node {
        Node::Fold { op: FoldOp::Sum, .. } => "sum",
        Node::Fold { op: FoldOp::Product, .. } => "product",
        Node::Fold { op: FoldOp::Max, .. } => "max",
        Node::Fold { op: FoldOp::Min, .. } => "min",
        Node::Fold { op: FoldOp::Any, .. } => "any",
        Node::Fold { .. } => "fold",
        Node::First(..) => "first",
        Node::Last(..) => "last",
        Node::Nth(..) => "nth",
        Node::Wrap(..) => "wrap",
        Node::Power(..) => "power",
        Node::Bits(..) => "bits",
        _ => return None,
    })
}

fn sort(sort: Sort) -> smt::Sort {
    match sort {
        Sort::Bool => smt::Sort::Bool,
        Sort::Int | Sort::Array(_) => smt::Sort::Int,
    }
}

fn int(value: &Int) -> Result<smt::Term> {
    value.to_i128().map(smt::Term::int).ok_or(Inexpressible::Number)
}

fn negated(t: smt::Term) -> smt::Term {
    smt::Term::int(0).int_op(IntOp::Sub, t)
}

/// The quotient by a positive number.
fn divided(t: smt::Term, by: &Int) -> Result<smt::Term> {
    if by.is_one() { Ok(t) } else { Ok(t.int_op(IntOp::Div, int(by)?)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_terms::QueryLimits;

    fn text(c: &Context, facts: &[Term], goal: Term, products: Products) -> Result<String> {
        let encoded = encode(c, &c.query(facts, goal, QueryLimits::default()), products)?;
        let text = encoded.script.to_string();
        Ok(text.replace("(set-option :produce-models true)\n", ""))
    }

    #[test]
    fn symbols_are_functions_and_searches_are_constants() {
        let c = Context::new();
        let (n, a) = (c.unknown("N"), c.array("a[]", 1));
        let input = c.symbol("input", Sort::Int);
        let found = c.first(c.int(0), n, |k| c.eq(c.read(a, &[k]), c.apply(input, &[k])));
        let goal = c.eq(c.read(a, &[found]), c.apply(input, &[found]));
        let said = text(&c, &[c.lt(found, n)], goal, Products::Exact).unwrap();
        let lines = ["(set-logic QF_UFLIA)", "(declare-const N.1 Int)", "(declare-const first.2 Int)"];
        assert!(lines.iter().all(|line| said.contains(line)), "{said}");
        for part in ["(declare-fun a.4 (Int) Int)", "(declare-fun input.5 (Int) Int)", "(a.4 first.2)"] {
            assert!(said.contains(part), "{part} in {said}");
        }
    }

    #[test]
    fn products_are_constants_or_products() {
        let c = Context::new();
        let (x, y) = (c.unknown("x"), c.unknown("y"));
        let half = c.div(c.mul(x, c.add(x, c.int(1))), c.int(2));
        let goal = c.ge(c.mul(x, y), c.max(half, c.div(y, x)));
        let linear = text(&c, &[], goal, Products::Abstract).unwrap();
        assert!(linear.starts_with("(set-logic QF_UFLIA)"), "{linear}");
        // The square is not negative.
        assert!(linear.contains("(assert (>= product.") && !linear.contains("(* x"), "{linear}");
        let exact = text(&c, &[], goal, Products::Exact).unwrap();
        assert!(exact.starts_with("(set-logic QF_UFNIA)"), "{exact}");
        assert!(exact.contains("(* x.1 x.1)") && exact.contains("(div y."), "{exact}");
    }

    #[test]
    fn polynomials_have_integer_values() {
        let c = Context::new();
        let (n, i, a) = (c.unknown("N"), c.unknown("i"), c.array("a", 1));
        let half = c.div(c.mul(n, c.add(n, c.int(1))), c.int(2));
        let said = text(&c, &[], c.eq(c.read(a, &[half]), i), Products::Abstract).unwrap();
        assert!(said.contains("(a.4 (div (+ N.2 product.3) 2))"), "{said}");
        assert!(said.contains("(assert (= (mod (+ N.2 product.3) 2) 0))"), "{said}");
    }

    #[test]
    fn reads_of_choices_are_choices_of_reads() {
        let c = Context::new();
        let (x, i) = (c.unknown("x"), c.unknown("i"));
        let (a, b) = (c.array("a", 1), c.array("b", 1));
        let filled = c.overwrite(b, |k| c.within(c.int(0), k[0], x), |k| k[0]);
        let chosen = c.ite(c.gt(x, c.int(0)), a, filled);
        let said = text(&c, &[], c.eq(c.read(chosen, &[i]), c.int(5)), Products::Exact).unwrap();
        assert!(said.contains("(a.") && said.contains("(b.") && said.contains("(ite "), "{said}");
        let whole = c.apply(c.symbol("f", Sort::Int), &[filled]);
        let said = text(&c, &[], c.gt(whole, x), Products::Exact).unwrap();
        assert!(said.contains("(declare-const f."), "{said}");
    }

    #[test]
    fn large_numbers_and_questions_are_refused() {
        let c = Context::new();
        let x = c.unknown("x");
        let large = c.int(Int::from(1) << 130u32);
        assert_eq!(text(&c, &[], c.ge(x, large), Products::Exact), Err(Inexpressible::Number));
        let fits = c.int((Int::from(1) << 127u32) - 2);
        assert!(text(&c, &[], c.ge(x, fits), Products::Exact).is_ok());
    }

    #[test]
    fn what_occurs_often_has_a_name() {
        let c = Context::new();
        let (f, mut x) = (c.symbol("f", Sort::Int), c.unknown("x"));
        for _ in 0..40 {
            x = c.apply(f, &[x, x]);
        }
        let said = text(&c, &[], c.ge(x, c.int(0)), Products::Exact).unwrap();
        assert!(said.len() < 3_000 && said.contains("(define-fun t."), "{}", said.len());
    }
}
