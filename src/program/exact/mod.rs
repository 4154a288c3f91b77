//! The values of C expressions as terms and formulas.
//!
//! A [`Term`] is an integer without bounds. Where C computes modulo a power of two, or converts to
//! a type that does not hold the value, the term says so by cases.
//!
//! **Meaning.** Where the evaluation of the expression is defined, the term has its value, or it
//! has none. A division by 0 has no value; so [`no_value`] stands for what no term says.

use super::{Base, BinaryOp, DataModel, Expr, ExprKind, Formula, IntKind, Lvalue, Program, Root, Step, Term};
use super::{TermLvalue, TermOp, TermStep, UnaryOp};

/// The most results of one expression that its term may mention several times, because they may
/// leave their types.
const MOST_REPEATED: usize = 4;

/// The value of an expression of an integer type; `None` if there is no term for it.
pub fn term_of(program: &Program, e: &Expr) -> Option<Term> {
    Exact { program, repeated: 0 }.term(e)
}

/// Whether an expression, of an integer type, is not 0; `None` if there is no formula for it.
pub fn formula_of(program: &Program, e: &Expr) -> Option<Formula> {
    Exact { program, repeated: 0 }.formula(e)
}

/// The place that an lvalue denotes; `None` if there are no terms for its indexes.
pub fn place_of(program: &Program, l: &Lvalue) -> Option<TermLvalue> {
    Exact { program, repeated: 0 }.place(l)
}

/// The pointer in an object that an address starts from, and how many elements further the address
/// lies; `None` if it does not start from one, or if there is no term for the number.
pub fn address_of(program: &Program, pointer: &Expr) -> Option<(Expr, Option<Term>)> {
    Exact { program, repeated: 0 }.moved(pointer)
}

/// The result of an operation of signed arithmetic, before anything asks whether its type holds it:
/// of `+`, `-`, `*`, the negation.
pub fn unbounded(program: &Program, operation: &Expr) -> Option<Term> {
    Exact { program, repeated: 0 }.result(operation).map(|(exact, _)| exact)
}

/// The condition under which a term is a value of a type.
pub fn is_value_of(term: &Term, kind: IntKind, model: DataModel) -> Formula {
    within(term, kind.min(model), kind.max(model))
}

/// The numbers from the first to the second; `None` if 128 bits do not hold them.
type Range = Option<(i128, i128)>;

struct Exact<'p> {
    program: &'p Program,
    /// How many results were mentioned several times.
    repeated: usize,
}

impl Exact<'_> {
    fn term(&mut self, e: &Expr) -> Option<Term> {
        let kind = e.ty.as_int()?;
        match &e.kind {
            ExprKind::Int(n) => Some(Term::Int(*n)),
            ExprKind::Load(l) => Some(Term::Read(Box::new(self.place(l)?))),
            ExprKind::Cast(a) => {
                let from = a.ty.as_int()?;
                let value = self.term(a)?;
                self.converted(value, Some(self.range(from)), kind)
            }
            ExprKind::Conditional(c, a, b) => Some(choose(self.formula(c)?, self.term(a)?, self.term(b)?)),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _) => self.truth(e),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth(e),
            ExprKind::Unary(..) | ExprKind::Binary(..) => {
                let (exact, range) = self.result(e)?;
                match kind.is_signed() {
                    // It is undefined where the type does not hold it.
                    true => Some(exact),
                    false => self.converted(exact, range, kind),
                }
            }
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => None,
        }
    }

    /// 1 if the condition holds, and 0 otherwise.
    fn truth(&mut self, e: &Expr) -> Option<Term> {
        self.formula(e).map(|truth| choose(truth, Term::Int(1), Term::Int(0)))
    }

    /// The least and the greatest value of a type.
    fn range(&self, kind: IntKind) -> (i128, i128) {
        (kind.min(self.program.data_model), kind.max(self.program.data_model))
    }

    /// The exact result of arithmetic, and where it may lie.
    fn result(&mut self, e: &Expr) -> Option<(Term, Range)> {
        let kind = e.ty.as_int()?;
        let (low, high) = self.range(kind);
        let least = -low;
        match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Some((Term::Negate(Box::new(self.term(a)?)), Some((-high, least)))),
            // `-a - 1`; of an unsigned number, the greatest minus `a`.
            ExprKind::Unary(UnaryOp::BitNot, a) => {
                let from = if kind.is_signed() { Term::Int(-1) } else { Term::Int(high) };
                Some((Term::binary(TermOp::Sub, from, self.term(a)?), Some((low, high))))
            }
            ExprKind::Binary(op, a, b) => {
                let x = self.term(a)?;
                let number = |e: &mut Self| e.term(b).as_ref().and_then(Term::as_int);
                let power = |e: &mut Self| number(e).filter(|n| (0..64).contains(n)).map(|n| 1i128 << n);
                match op {
                    BinaryOp::Add => Some((Term::binary(TermOp::Add, x, self.term(b)?), Some((2 * low, 2 * high)))),
                    BinaryOp::Sub => {
                        Some((Term::binary(TermOp::Sub, x, self.term(b)?), Some((low - high, high - low))))
                    }
                    BinaryOp::Mul => {
                        let ends = [low.checked_mul(high), low.checked_mul(low), high.checked_mul(high)];
                        let range = || Some((ends[0]?, ends[1]?.max(ends[2]?)));
                        let y = self.term(b)?;
                        match range() {
                            Some(range) => Some((Term::binary(TermOp::Mul, x, y), Some(range))),
                            None => Some((small_product(x, y), Some((low, high)))),
                        }
                    }
                    BinaryOp::Div => Some((Term::binary(TermOp::Div, x, self.term(b)?), Some((low, high.max(least))))),
                    BinaryOp::Rem => Some((Term::binary(TermOp::Rem, x, self.term(b)?), Some((low, high)))),
                    BinaryOp::ShiftLeft => {
                        let power = power(self)?;
                        let range = low.checked_mul(power).zip(high.checked_mul(power));
                        range.map(|range| (Term::binary(TermOp::Mul, x, Term::Int(power)), Some(range)))
                    }
                    BinaryOp::ShiftRight => {
                        let power = power(self)?;
                        self.mentions_again()?;
                        Some((quotient(x, power, low < 0), Some((low, high))))
                    }
                    BinaryOp::BitAnd => {
                        let mask = number(self)?;
                        let power = mask.checked_add(1).filter(|n| mask >= 0 && n.count_ones() == 1)?;
                        Some((rest(x, power, low < 0), Some((low, high))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a type that is congruent to a number modulo a power of two, as gcc converts; of
    /// `_Bool`, whether the number is not 0.
    fn converted(&mut self, exact: Term, range: Range, to: IntKind) -> Option<Term> {
        let (low, high) = range?;
        let (least, greatest) = self.range(to);
        if to == IntKind::Bool {
            let is_zero = Formula::Compare(BinaryOp::Equal, exact, Term::Int(0));
            return Some(choose(is_zero, Term::Int(0), Term::Int(1)));
        }
        if least <= low && high <= greatest {
            return Some(exact);
        }
        self.mentions_again()?;
        let modulus = greatest - least + 1;
        let moved = |by: i128| Term::binary(TermOp::Add, exact.clone(), Term::Int(by));
        let at_most = |limit: i128| Formula::at_most(exact.clone(), Term::Int(limit));
        let (above, below) = (high > greatest, low < least);
        if high - modulus <= greatest && low + modulus >= least {
            let upper = if above { choose(at_most(greatest), exact.clone(), moved(-modulus)) } else { exact.clone() };
            return Some(if below { choose(at_most(least - 1), moved(modulus), upper) } else { upper });
        }
        let is_negative = low < 0;
        let rest = rest(exact.clone(), modulus, is_negative);
        let other = match to.is_signed() {
            true => {
                let is_low = Formula::at_most(rest.clone(), Term::Int(greatest));
                choose(is_low, rest.clone(), Term::binary(TermOp::Sub, rest, Term::Int(modulus)))
            }
            false => rest,
        };
        Some(choose(within(&exact, least, greatest), exact.clone(), other))
    }

    /// Notes that a result is mentioned several times; `None` if that gets too much.
    fn mentions_again(&mut self) -> Option<()> {
        self.repeated += 1;
        (self.repeated <= MOST_REPEATED).then_some(())
    }

    fn formula(&mut self, e: &Expr) -> Option<Formula> {
        Some(match &e.kind {
            ExprKind::And(a, b) => Formula::and(self.formula(a)?, self.formula(b)?),
            ExprKind::Or(a, b) => Formula::or(self.formula(a)?, self.formula(b)?),
            ExprKind::Unary(UnaryOp::Not, a) => Formula::Not(Box::new(self.formula(a)?)),
            ExprKind::Binary(op, a, b) if op.is_comparison() => Formula::Compare(*op, self.term(a)?, self.term(b)?),
            _ => Formula::Compare(BinaryOp::NotEqual, self.term(e)?, Term::Int(0)),
        })
    }

    fn place(&mut self, l: &Lvalue) -> Option<TermLvalue> {
        let (ty, location) = (l.ty.clone(), l.location);
        let root = match &l.base {
            Base::Var(v) => Root::Variable(Lvalue::var(self.program, *v, location)),
            Base::Deref(pointer) => {
                let (pointer, offset) = self.moved(pointer)?;
                Root::Pointer { pointer, offset }
            }
        };
        let steps = l.path.iter().map(|step| {
            Some(match step {
                Step::Field(id, n) => TermStep::Field(*id, *n),
                Step::Index(index) => TermStep::Index(self.term(index)?),
            })
        });
        Some(TermLvalue { root, steps: steps.collect::<Option<_>>()?, ty, location })
    }

    /// [`address_of`]
    fn moved(&mut self, pointer: &Expr) -> Option<(Expr, Option<Term>)> {
        match &pointer.kind {
            ExprKind::Load(_) => Some((pointer.clone(), None)),
            ExprKind::Cast(a) if a.ty.pointee() == pointer.ty.pointee() => self.moved(a),
            ExprKind::Binary(BinaryOp::PointerAdd, p, by) => {
                let (start, offset) = self.moved(p)?;
                let by = self.term(by)?;
                Some((
                    start,
                    Some(match offset {
                        Some(offset) => Term::binary(TermOp::Add, offset, by),
                        None => by,
                    }),
                ))
            }
            _ => None,
        }
    }
}

/// A term without a value.
pub fn no_value() -> Term {
    Term::binary(TermOp::Div, Term::Int(1), Term::Int(0))
}

/// The product of two numbers from 0 to 2^64 - 1, if both are below 2^32; otherwise, no value.
fn small_product(a: Term, b: Term) -> Term {
    let is_small = |t: &Term| Formula::at_most(t.clone(), Term::Int(u32::MAX.into()));
    let both = Formula::and(is_small(&a), is_small(&b));
    choose(both, Term::binary(TermOp::Mul, a, b), no_value())
}

/// The rest modulo a power of two, at least 0. (`%` rounds towards 0, so it gives no positive rest
/// of a negative number.)
fn rest(a: Term, power: i128, may_be_negative: bool) -> Term {
    let rest = Term::binary(TermOp::Rem, a, Term::Int(power));
    match may_be_negative {
        true => Term::binary(TermOp::Rem, Term::binary(TermOp::Add, rest, Term::Int(power)), Term::Int(power)),
        false => rest,
    }
}

/// The quotient, rounded down.
fn quotient(a: Term, power: i128, may_be_negative: bool) -> Term {
    let rounded = match may_be_negative {
        true => Term::binary(TermOp::Sub, a.clone(), rest(a, power, true)),
        false => a,
    };
    Term::binary(TermOp::Div, rounded, Term::Int(power))
}

fn choose(condition: Formula, a: Term, b: Term) -> Term {
    Term::If(Box::new(condition), Box::new(a), Box::new(b))
}

fn within(t: &Term, low: i128, high: i128) -> Formula {
    Formula::and(Formula::at_most(Term::Int(low), t.clone()), Formula::at_most(t.clone(), Term::Int(high)))
}

#[cfg(test)]
mod tests;
