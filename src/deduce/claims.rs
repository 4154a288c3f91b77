//! The truth of formulas on a path, and the claims of blocks.

use super::state::{Part, Route, State, Symbols, length, plus, quotient, remainder};
use super::values::compared;
use crate::program::{
    Application, AssertionId, Block, BoundId, ClaimRole, Elements, Formula, Lemma, Program, Root, Stmt, StmtKind,
    TermLvalue, TermOp, TermStep, Type, VarId, Visit,
};
use crate::smt::{self, Function, IntOp, Order, Schema, Sort, Symbol, Unfolding};

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
    /// In a definition: an array, and the index of its first element, for each sequence.
    sequences: Vec<(smt::Term, smt::Term)>,
}

impl<'e, 'p> Reading<'e, 'p> {
    pub(super) fn new(program: &'p Program, symbols: &'e mut Symbols, state: &'e State) -> Self {
        Reading { program, symbols, state, bounds: Vec::new(), sequences: Vec::new() }
    }

    /// The parameters of a definition about so many sequences and these numbers: for each sequence
    /// an array and an index. Formulas and terms are read as parts of the definition from now on.
    fn parameters(&mut self, elements: usize, numbers: &[BoundId]) -> Vec<smt::Term> {
        let mut parameters = Vec::new();
        for _ in 0..elements {
            let array = Function::new(self.symbols.symbol(), [], Sort::array(Sort::Int, Sort::Int)).apply([]);
            let first = smt::Term::bound(&self.symbols.symbol());
            self.sequences.push((array.clone(), first.clone()));
            parameters.extend([array, first]);
        }
        for number in numbers {
            let symbol = self.symbols.symbol();
            parameters.push(smt::Term::bound(&symbol));
            self.bounds.push((*number, symbol));
        }
        parameters
    }

    /// A function with its definition, as an equation.
    pub(super) fn unfolding(mut self, id: usize) -> Option<Unfolding> {
        let defined = self.program.logic.get(id)?;
        let parameters = self.parameters(defined.elements, &defined.numbers);
        let body = self.term(&defined.body)?;
        Some(Unfolding { function: self.symbols.functions.get(id)?.clone(), parameters, body })
    }

    /// What a lemma says of its parameters.
    pub(super) fn lemma(mut self, lemma: &Lemma) -> Option<Schema> {
        let parameters = self.parameters(lemma.elements, &lemma.numbers);
        Some(Schema { formula: self.formula(&lemma.formula)?, parameters })
    }

    fn apply(&mut self, applied: &Application) -> Option<smt::Term> {
        let function = self.symbols.functions.get(applied.function.0 as usize)?.clone();
        let mut arguments = Vec::new();
        for e in &applied.elements {
            let (array, first) = self.elements(e)?;
            arguments.extend([array, first]);
        }
        for t in &applied.numbers {
            arguments.push(self.term(t)?);
        }
        Some(function.apply(arguments))
    }

    /// An array of one dimension, and the index of the first element.
    fn elements(&mut self, e: &Elements) -> Option<(smt::Term, smt::Term)> {
        if let Root::Elements { sequence, offset } = &e.first.root {
            let (array, first) = self.sequences.get(*sequence)?.clone();
            return Some(match offset {
                None => (array, first),
                Some(t) => (array, plus(first, self.term(t)?)),
            });
        }
        let memory = match e.at {
            None => self.state,
            Some(id) => self.state.snapshots.get(&id)?,
        };
        let (mut route, _) = self.route(&e.first)?;
        let Type::Int(kind) = route.ty else { return None };
        if *route.ty != e.first.ty || route.region.1.last() != Some(&Part::Elements) {
            return None;
        }
        let first = route.indexes.pop()?;
        let contents = self.symbols.value(memory, &route.region, *kind, self.program.data_model);
        Some((route.indexes.into_iter().fold(contents, smt::Term::select), first))
    }

    /// The formula as a term; `None` if it mentions what is not followed.
    pub(super) fn formula(&mut self, f: &Formula) -> Option<smt::Term> {
        Some(match f {
            Formula::Constant(value) => smt::Term::bool(*value),
            Formula::Compare(op, a, b) => compared(*op, self.term(a)?, self.term(b)?),
            // Of pointers that lead to one object it was rewritten.
            Formula::Memory(_) => return None,
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
            Term::Read(place) => self.read(place, self.state)?,
            Term::At(id, place) => {
                let taken = self.state.snapshots.get(id)?;
                self.read(place, taken)?
            }
            Term::Apply(applied) => self.apply(applied)?,
            Term::If(c, a, b) => self.formula(c)?.choose(self.term(a)?, self.term(b)?),
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

    /// The way to an object, and under which conditions the object exists.
    fn route(&mut self, place: &TermLvalue) -> Option<(Route<'p>, Vec<smt::Term>)> {
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
        Some((route, exists))
    }

    /// The number that an object holds in `memory`. Which object it is, follows from the state.
    fn read(&mut self, place: &TermLvalue, memory: &State) -> Option<smt::Term> {
        let program = self.program;
        if let Root::Elements { sequence, offset } = &place.root {
            let (array, first) = self.sequences.get(*sequence)?.clone();
            let index = match offset {
                None => first,
                Some(t) => plus(first, self.term(t)?),
            };
            return Some(array.select(index));
        }
        let (route, exists) = self.route(place)?;
        let Type::Int(kind) = route.ty else { return None };
        if *route.ty != place.ty {
            return None;
        }
        let contents = self.symbols.value(memory, &route.region, *kind, program.data_model);
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

/// Whether the truth of a formula may depend on the value of a variable. Through pointers, it may
/// depend on any.
pub(super) fn mentions(f: &Formula, v: VarId) -> bool {
    struct Search(VarId, bool);
    impl<'f> Visit<'f> for Search {
        fn place(&mut self, p: &'f TermLvalue) {
            self.1 |= matches!(p.root, Root::Pointer { .. });
            self.walk_place(p);
        }
        fn variable(&mut self, v: &'f VarId) {
            self.1 |= *v == self.0;
        }
    }
    let mut search = Search(v, false);
    search.formula(f);
    search.1
}

/// The assertions with which a block begins, and what follows.
pub(super) fn first_claims(block: &[Stmt]) -> (Vec<(AssertionId, &Formula)>, &[Stmt]) {
    let claims = block.iter().map_while(|s| match &s.kind {
        StmtKind::Claim(claim) => match claim.role {
            ClaimRole::Assert(assertion) => Some((assertion, &claim.formula)),
            _ => None,
        },
        _ => None,
    });
    let claims: Vec<(AssertionId, &Formula)> = claims.collect();
    let rest = block.get(claims.len()..).unwrap_or_default();
    (claims, rest)
}

/// The formulas that are claimed at the end of a block, after everything else.
pub(super) fn last_claims(block: &Block) -> Vec<&Formula> {
    let claims = block.iter().rev().map_while(|s| match &s.kind {
        StmtKind::Claim(claim) => Some(claim),
        _ => None,
    });
    claims.filter(|c| !matches!(c.role, ClaimRole::Check(_))).map(|c| &c.formula).collect()
}
