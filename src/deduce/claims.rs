//! The truth of formulas on a path.

use super::state::{Route, State, Symbols, length, plus, quotient, remainder};
use super::values::compared;
use crate::program::{BoundId, Formula, Program, Root, TermLvalue, TermOp, TermStep, Type};
use crate::smt::{self, IntOp, Order, Sort, Symbol};

/// Evaluates one formula.
///
/// A term that reads what does not exist, or divides by 0, has no value: it is an arbitrary number,
/// another one for each place in the formula and for all values of the quantified variables around
/// it. So a proof of the formula covers every value, and to assume it says no more than that it is
/// true for some.
pub(super) struct Reading<'e, 'p> {
    program: &'p Program,
    symbols: &'e mut Symbols,
    state: &'e State,
    bounds: Vec<(BoundId, Symbol)>,
}

impl<'e, 'p> Reading<'e, 'p> {
    pub(super) fn new(program: &'p Program, symbols: &'e mut Symbols, state: &'e State) -> Self {
        Reading { program, symbols, state, bounds: Vec::new() }
    }

    /// The formula as a term; `None` if it mentions what is not followed.
    pub(super) fn formula(&mut self, f: &Formula) -> Option<smt::Term> {
        Some(match f {
            Formula::Constant(value) => smt::Term::bool(*value),
            Formula::Compare(op, a, b) => compared(*op, self.term(a)?, self.term(b)?),
            Formula::Not(a) => self.formula(a)?.negated(),
            Formula::And(a, b) => smt::Term::and([self.formula(a)?, self.formula(b)?]),
            Formula::Or(a, b) => smt::Term::or([self.formula(a)?, self.formula(b)?]),
            Formula::Implies(a, b) => self.formula(a)?.implies(self.formula(b)?),
            Formula::Iff(a, b) => self.formula(a)?.equals(self.formula(b)?),
            Formula::ForAll(all) => {
                let (low, high) = (self.term(&all.low)?, self.term(&all.high)?);
                let symbol = self.symbols.symbol();
                self.bounds.push((all.bound, symbol.clone()));
                let body = self.formula(&all.body);
                self.bounds.pop();
                let bound = smt::Term::bound(&symbol);
                let range = smt::Term::and([
                    low.int_order(Order::LessEqual, bound.clone()),
                    bound.int_order(Order::Less, high),
                ]);
                range.implies(body?).for_all(symbol)
            }
        })
    }

    /// A number of which nothing is known.
    fn arbitrary(&mut self) -> smt::Term {
        let symbol = self.symbols.symbol();
        let sorts = vec![Sort::Int; self.bounds.len()];
        let function = self.symbols.declarations.function(symbol, sorts, Sort::Int);
        function.apply(self.bounds.iter().map(|(_, bound)| smt::Term::bound(bound)))
    }

    fn term(&mut self, t: &crate::program::Term) -> Option<smt::Term> {
        use crate::program::Term;
        Some(match t {
            Term::Int(n) => smt::Term::int(*n),
            Term::Bound(id) => {
                let (_, symbol) = self.bounds.iter().rev().find(|(b, _)| b == id)?;
                smt::Term::bound(symbol)
            }
            Term::Read(place) => self.read(place)?,
            Term::Negate(a) => smt::Term::int(0).int_op(IntOp::Sub, self.term(a)?),
            Term::Binary(op, a, b) => {
                let (x, y) = (self.term(a)?, self.term(b)?);
                match op {
                    TermOp::Add => plus(x, y),
                    TermOp::Sub => x.int_op(IntOp::Sub, y),
                    TermOp::Mul => x.int_op(IntOp::Mul, y),
                    TermOp::Div | TermOp::Rem => {
                        let value = if *op == TermOp::Div { quotient(&x, &y) } else { remainder(&x, &y) };
                        y.equals(smt::Term::int(0)).choose(self.arbitrary(), value)
                    }
                }
            }
        })
    }

    fn read(&mut self, place: &TermLvalue) -> Option<smt::Term> {
        let program = self.program;
        let Root::Variable(root) = &place.root else { return None };
        let (mut route, mut exists) = (Route::new(program, root.as_var()?), Vec::new());
        for step in &place.steps {
            match step {
                TermStep::Index(index) => {
                    let index = self.term(index)?;
                    let around = route.element(index.clone())?;
                    let length = length(self.symbols, self.state, program, around)?;
                    exists.push(smt::Term::int(0).int_order(Order::LessEqual, index.clone()));
                    exists.push(index.int_order(Order::Less, length));
                }
                TermStep::Field(id, n) => route.member(*id, *n)?,
            }
        }
        let Type::Int(kind) = route.ty else { return None };
        if *route.ty != place.ty {
            return None;
        }
        let contents = self.symbols.value(self.state, &route.region, *kind, program.data_model);
        let value = route.indexes.into_iter().fold(contents, smt::Term::select);
        match exists.is_empty() {
            true => Some(value),
            false => {
                let arbitrary = self.arbitrary();
                Some(smt::Term::and(exists).choose(value, arbitrary))
            }
        }
    }
}
