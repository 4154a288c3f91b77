//! The values of C expressions on a path.

use super::state::{Num, Region, Route, State, Symbols, length, plus, quotient, remainder, within};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Location, Lvalue, Program, Step, Type, UnaryOp};
use crate::reduce::Refusal;
use crate::smt::{IntOp, Order, Term};

/// No number of a question is greater: exact values of greater ones are not computed.
const GREATEST: i128 = 1 << 120;

/// An object: its region, and the indexes on the way.
pub(super) struct Place {
    pub(super) region: Region,
    pub(super) indexes: Vec<Term>,
}

/// Evaluates the expressions of one statement. Whatever the evaluation needs to have defined
/// behaviour is known once it is over: a run is considered only up to its first undefined
/// operation.
pub(super) struct Evaluation<'e, 'p> {
    program: &'p Program,
    symbols: &'e mut Symbols,
    state: &'e State,
    /// What decides whether the current operand is evaluated at all.
    guards: Vec<Term>,
    /// What holds if the operations are defined.
    pub(super) known: Vec<Term>,
}

impl<'e, 'p> Evaluation<'e, 'p> {
    pub(super) fn new(program: &'p Program, symbols: &'e mut Symbols, state: &'e State) -> Self {
        Evaluation { program, symbols, state, guards: Vec::new(), known: Vec::new() }
    }

    fn know(&mut self, condition: Term) {
        let guarded = match &self.guards[..] {
            [] => condition,
            [guard] => guard.clone().implies(condition),
            guards => Term::and(guards.iter().cloned()).implies(condition),
        };
        self.known.push(guarded);
    }

    fn under<T>(&mut self, guard: Term, f: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.guards.push(guard);
        let result = f(self);
        self.guards.pop();
        result
    }

    fn unknown(&mut self, ty: &Type) -> Num {
        let model = self.program.data_model;
        match ty {
            Type::Int(kind) => self.symbols.unknown_of(*kind, model),
            // A value that only comparisons see, and those are unknown too.
            _ => Num { term: self.symbols.unknown(), low: -GREATEST, high: GREATEST },
        }
    }

    /// The truth value of an expression: whether it is not 0.
    pub(super) fn condition(&mut self, e: &Expr) -> Result<Term, Refusal> {
        match &e.kind {
            ExprKind::And(a, b) => {
                let first = self.condition(a)?;
                let first = self.symbols.define(first);
                let second = self.under(first.clone(), |e| e.condition(b))?;
                Ok(Term::and([first, second]))
            }
            ExprKind::Or(a, b) => {
                let first = self.condition(a)?;
                let first = self.symbols.define(first);
                let second = self.under(first.clone().negated(), |e| e.condition(b))?;
                Ok(Term::or([first, second]))
            }
            ExprKind::Unary(UnaryOp::Not, a) => Ok(self.condition(a)?.negated()),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                match a.ty {
                    Type::Int(_) => Ok(compared(*op, x.term, y.term)),
                    _ => {
                        let unknown = self.symbols.unknown();
                        Ok(unknown.equals(Term::int(0)))
                    }
                }
            }
            _ => {
                let value = self.value(e)?;
                Ok(value.term.equals(Term::int(0)).negated())
            }
        }
    }

    /// The value of an expression. For pointers and floating values, an arbitrary one.
    pub(super) fn value(&mut self, e: &Expr) -> Result<Num, Refusal> {
        match &e.kind {
            ExprKind::Int(n) => Ok(Num::constant(*n)),
            ExprKind::Float(_) | ExprKind::FunctionAddress(_) => Ok(self.unknown(&e.ty)),
            ExprKind::Load(l) => self.load(l),
            ExprKind::AddressOf(l) => {
                self.evaluate_indexes(l)?;
                Ok(self.unknown(&e.ty))
            }
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => {
                Ok(Num::of_condition(self.condition(e)?))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => Ok(Num::of_condition(self.condition(e)?)),
            ExprKind::Unary(op, a) => {
                let x = self.value(a)?;
                match (op, &e.ty) {
                    (UnaryOp::Negate, Type::Int(kind)) => {
                        let term = Term::int(0).int_op(IntOp::Sub, x.term);
                        Ok(self.arithmetic(Num { term, low: -x.high, high: -x.low }, *kind))
                    }
                    // `~x` is `-1 - x` in two's complement.
                    (UnaryOp::BitNot, Type::Int(kind)) => {
                        let term = Term::int(-1).int_op(IntOp::Sub, x.term);
                        Ok(self.wrapped(Num { term, low: -1 - x.high, high: -1 - x.low }, *kind))
                    }
                    _ => Ok(self.unknown(&e.ty)),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                match e.ty {
                    Type::Int(kind) if *op != BinaryOp::PointerDiff => Ok(self.operation(*op, x, y, kind)),
                    _ => Ok(self.unknown(&e.ty)),
                }
            }
            ExprKind::Cast(a) => {
                let x = self.value(a)?;
                match (&a.ty, &e.ty) {
                    (Type::Int(_), Type::Int(IntKind::Bool)) => {
                        Ok(Num::of_condition(x.term.equals(Term::int(0)).negated()))
                    }
                    (Type::Int(_), Type::Int(kind)) => Ok(self.wrapped(x, *kind)),
                    _ => Ok(self.unknown(&e.ty)),
                }
            }
            ExprKind::Conditional(c, a, b) => {
                let condition = self.condition(c)?;
                let condition = self.symbols.define(condition);
                let x = self.under(condition.clone(), |e| e.value(a))?;
                let y = self.under(condition.clone().negated(), |e| e.value(b))?;
                let term = condition.choose(x.term, y.term);
                Ok(Num { term, low: x.low.min(y.low), high: x.high.max(y.high) })
            }
        }
    }

    fn evaluate_indexes(&mut self, l: &Lvalue) -> Result<(), Refusal> {
        if let Base::Deref(pointer) = &l.base {
            self.value(pointer)?;
        }
        for step in &l.path {
            if let Step::Index(index) = step {
                self.value(index)?;
            }
        }
        Ok(())
    }

    fn load(&mut self, l: &Lvalue) -> Result<Num, Refusal> {
        let (Base::Var(_), Type::Int(kind)) = (&l.base, &l.ty) else {
            self.evaluate_indexes(l)?;
            return Ok(self.unknown(&l.ty));
        };
        let place = self.place(l)?;
        let (kind, model) = (*kind, self.program.data_model);
        let array = self.symbols.value(self.state, &place.region, kind, model);
        let (low, high) = (kind.min(model), kind.max(model));
        let is_cell = !place.indexes.is_empty();
        let mut term = place.indexes.into_iter().fold(array, Term::select);
        if is_cell {
            term = self.symbols.define(term);
            self.know(within(&term, low, high));
        }
        Ok(Num { term, low, high })
    }

    /// The object that an lvalue denotes.
    ///
    /// # Errors
    /// It is reached by a pointer, or overlaps with other objects.
    pub(super) fn place(&mut self, l: &Lvalue) -> Result<Place, Refusal> {
        let program = self.program;
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(l.location, "it writes through a pointer that may point to several objects"));
        };
        let unusual = || unusual(l.location);
        let mut route = Route::new(program, v);
        for step in &l.path {
            match step {
                Step::Index(index) => {
                    let value = self.value(index)?.term;
                    let value = self.symbols.define(value);
                    let around = route.element(value.clone()).ok_or_else(unusual)?;
                    self.know(Term::int(0).int_order(Order::LessEqual, value.clone()));
                    if let Some(length) = length(self.symbols, self.state, program, around) {
                        self.know(value.int_order(Order::Less, length));
                    }
                }
                Step::Field(id, n) => route.member(*id, *n).ok_or_else(unusual)?,
            }
        }
        if *route.ty != l.ty {
            return Err(unusual());
        }
        Ok(Place { region: route.region, indexes: route.indexes })
    }

    /// The result of an operation whose exact value that is, of a type: signed arithmetic is
    /// defined only if the value fits; unsigned arithmetic wraps around.
    fn arithmetic(&mut self, exact: Num, kind: IntKind) -> Num {
        let model = self.program.data_model;
        let (low, high) = (kind.min(model), kind.max(model));
        if !kind.is_signed() || (exact.low >= low && exact.high <= high) {
            return self.wrapped(exact, kind);
        }
        let term = self.symbols.define(exact.term);
        self.know(within(&term, low, high));
        // The bounds hold where the operation is defined.
        Num { term, low: exact.low.max(low).min(high), high: exact.high.min(high).max(low) }
    }

    /// The value of the type that is congruent to a number.
    fn wrapped(&mut self, x: Num, kind: IntKind) -> Num {
        let model = self.program.data_model;
        let (low, high) = (kind.min(model), kind.max(model));
        if x.low >= low && x.high <= high {
            return x;
        }
        let size = high - low + 1;
        let term = self.symbols.define(x.term);
        let shifted = |by: i128| plus(term.clone(), Term::int(by));
        let below = term.clone().int_order(Order::Less, Term::int(low));
        let above = Term::int(high).int_order(Order::Less, term.clone());
        let wrapped = if x.low >= low - size && x.high <= high + size {
            below.choose(shifted(size), above.choose(shifted(-size), term.clone()))
        } else {
            let inside = Term::or([below, above]).negated();
            let remainder = shifted(-low).int_op(IntOp::Mod, Term::int(size));
            inside.choose(term.clone(), plus(remainder, Term::int(low)))
        };
        Num { term: self.symbols.define(wrapped), low, high }
    }

    fn operation(&mut self, op: BinaryOp, x: Num, y: Num, kind: IntKind) -> Num {
        let unknown = |e: &mut Self| e.unknown(&Type::Int(kind));
        match op {
            BinaryOp::Add => {
                let exact = Num { term: plus(x.term, y.term), low: x.low + y.low, high: x.high + y.high };
                self.arithmetic(exact, kind)
            }
            BinaryOp::Sub => {
                let term = x.term.int_op(IntOp::Sub, y.term);
                self.arithmetic(Num { term, low: x.low - y.high, high: x.high - y.low }, kind)
            }
            BinaryOp::Mul => {
                let corners = [(x.low, y.low), (x.low, y.high), (x.high, y.low), (x.high, y.high)];
                let products: Option<Vec<i128>> = corners.iter().map(|(a, b)| a.checked_mul(*b)).collect();
                let bounds = products.and_then(|p| Some((*p.iter().min()?, *p.iter().max()?)));
                let Some((low, high)) = bounds.filter(|(l, h)| -GREATEST < *l && *h < GREATEST) else {
                    // Greater than any type: defined only if it fits, and of unsigned ones nothing
                    // is known.
                    if !kind.is_signed() {
                        return unknown(self);
                    }
                    let product = x.term.int_op(IntOp::Mul, y.term);
                    return self.arithmetic(Num { term: product, low: -GREATEST, high: GREATEST }, kind);
                };
                self.arithmetic(Num { term: x.term.int_op(IntOp::Mul, y.term), low, high }, kind)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let not_zero = y.term.clone().equals(Term::int(0)).negated();
                self.know(not_zero);
                let exact = |of: fn(&Term, &Term) -> Term| of(&x.term, &y.term);
                let most = x.low.abs().max(x.high.abs());
                match op {
                    BinaryOp::Div => {
                        let low = if x.low >= 0 && y.low >= 0 { 0 } else { -most };
                        self.arithmetic(Num { term: exact(quotient), low, high: most }, kind)
                    }
                    // Of the divisor and the dividend, in absolute value, it is less than the one
                    // and at most the other.
                    _ => {
                        let most = most.min(y.low.abs().max(y.high.abs()));
                        let (low, high) = (if x.low >= 0 { 0 } else { -most }, if x.high <= 0 { 0 } else { most });
                        Num { term: self.symbols.define(exact(remainder)), low, high }
                    }
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let width = i128::from(kind.width(self.program.data_model));
                let Some(amount) = y.as_constant().filter(|n| (0..width).contains(n)) else { return unknown(self) };
                let Some(factor) = 1_i128.checked_shl(u32::try_from(amount).unwrap_or(0)) else { return unknown(self) };
                if op == BinaryOp::ShiftRight {
                    // Of a negative number gcc copies the sign: the quotient is rounded down, as by
                    // `div` for a positive divisor.
                    let term = x.term.int_op(IntOp::Div, Term::int(factor));
                    return Num { term: self.symbols.define(term), low: x.low >> amount, high: x.high >> amount };
                }
                let bounds = x.low.checked_mul(factor).zip(x.high.checked_mul(factor));
                let Some((low, high)) = bounds.filter(|(l, h)| -GREATEST < *l && *h < GREATEST) else {
                    return unknown(self);
                };
                let term = x.term.clone().int_op(IntOp::Mul, Term::int(factor));
                if kind.is_signed() {
                    // C11 6.5.7p4
                    self.know(Term::int(0).int_order(Order::LessEqual, x.term));
                }
                self.arithmetic(Num { term, low, high }, kind)
            }
            // The low bits, in two's complement also those of a negative number.
            BinaryOp::BitAnd => match y.as_constant() {
                Some(mask) if mask >= 0 && (mask + 1) & mask == 0 => {
                    let high = if x.low >= 0 { mask.min(x.high) } else { mask };
                    let term = x.term.int_op(IntOp::Mod, Term::int(mask + 1));
                    Num { term: self.symbols.define(term), low: 0, high }
                }
                _ => unknown(self),
            },
            _ => unknown(self),
        }
    }
}

/// Why an object is not followed.
pub(super) fn unusual(at: Location) -> Refusal {
    Refusal::at(at, "a union, a bit-field or a cast of memory is used")
}

/// `x op y`
pub(super) fn compared(op: BinaryOp, x: Term, y: Term) -> Term {
    match op {
        BinaryOp::Less => x.int_order(Order::Less, y),
        BinaryOp::LessEqual => x.int_order(Order::LessEqual, y),
        BinaryOp::Greater => x.int_order(Order::Greater, y),
        BinaryOp::GreaterEqual => x.int_order(Order::GreaterEqual, y),
        BinaryOp::NotEqual => x.equals(y).negated(),
        _ => x.equals(y),
    }
}
