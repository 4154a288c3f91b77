//! Turns specifications without quantifiers into conditions of C, and makes the program for one
//! assertion.
//!
//! Terms are integers without bounds. A term becomes an expression of 64 bits if no value of its
//! parts needs more. Cells are read only at numbers inside their arrays, so that every term has a
//! value.

use super::terms;
use crate::program::{
    AssertionId, BinaryOp, Block, Entered, Expr, ExprKind, Fold, Formula, IntKind, Length, Location, Loop, Lvalue,
    Program, Root, Step, Stmt, StmtKind, Term, TermLvalue, TermOp, Type,
};
use std::convert::Infallible;

/// Leaves out the other assertions. A run that fails at one of them does not reach this one; a run
/// that goes on all the same is one more run. Specifications become conditions. An assumed claim
/// that has no condition is left out, which adds runs as well. So is an assumed claim in a loop,
/// unless `assume_in_loops` is set. The only claim that may remain is the assertion itself.
pub(super) fn only(program: &Program, block: &[Stmt], assertion: AssertionId, assume_in_loops: bool) -> Block {
    Only { program, assertion, assume_in_loops, assume: true }.rebuilt(block)
}

struct Only<'p> {
    program: &'p Program,
    assertion: AssertionId,
    assume_in_loops: bool,
    /// Whether assumed claims stay here.
    assume: bool,
}

impl Fold for Only<'_> {
    type Refusal = Infallible;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Infallible> {
        let kind = match &s.kind {
            StmtKind::Assert(_, id) if *id != self.assertion => StmtKind::Skip,
            StmtKind::Claim(claim) => {
                let condition = || condition(self.program, &claim.formula, s.location);
                match claim.role.assertion() {
                    None if self.assume => condition().map_or(StmtKind::Skip, StmtKind::Assume),
                    Some(id) if id == self.assertion => match condition() {
                        Some(condition) => StmtKind::Assert(condition, id),
                        None => s.kind.clone(),
                    },
                    None | Some(_) => StmtKind::Skip,
                }
            }
            _ => return self.fold_inside(s, out),
        };
        out.push(s.with(kind));
        Ok(())
    }

    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Infallible> {
        let outside = self.assume;
        self.assume &= self.assume_in_loops;
        let inside = self.fold_iteration(l)?;
        self.assume = outside;
        Ok(inside)
    }
}

/// Turns a formula into a condition; `None` if it has none.
pub(crate) fn condition(program: &Program, formula: &Formula, at: Location) -> Option<Expr> {
    let of = |f: &Formula| condition(program, f, at);
    Some(match formula {
        Formula::Constant(truth) => terms::int(i128::from(*truth), at),
        Formula::Compare(op, a, b) => {
            let ((a, _), (b, _)) = (term(program, a, at)?, term(program, b, at)?);
            terms::compare(*op, a, b)
        }
        Formula::Not(a) => of(a)?.negated(),
        Formula::And(a, b) => terms::and(of(a)?, of(b)?),
        Formula::Or(a, b) => terms::or(of(a)?, of(b)?),
        Formula::Implies(a, b) => terms::or(of(a)?.negated(), of(b)?),
        Formula::Iff(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let both = terms::and(a.clone(), b.clone());
            terms::or(both, terms::and(a.negated(), b.negated()))
        }
        Formula::ForAll(_) => return None,
    })
}

/// Returns an expression of 64 bits with the value of a term, and how many bits that value may
/// need.
fn term(program: &Program, t: &Term, at: Location) -> Option<(Expr, u32)> {
    let long = Type::Int(IntKind::LongLong);
    let (e, bits) = match t {
        Term::Int(n) => (Expr::int(*n, IntKind::LongLong, at), 128 - n.unsigned_abs().leading_zeros() + 1),
        Term::Bound(_) => return None,
        Term::Read(place) => {
            let read = lvalue(program, place)?;
            let kind = read.ty.as_int()?;
            let bits = kind.width(program.data_model) + u32::from(!kind.is_signed());
            (Expr::load(read).cast(long), bits)
        }
        Term::Negate(a) => {
            let (a, bits) = term(program, a, at)?;
            (Expr::binary(BinaryOp::Sub, Expr::int(0, IntKind::LongLong, at), a, long), bits + 1)
        }
        Term::Binary(op, a, b) => {
            let ((a, left), (b, right)) = (term(program, a, at)?, term(program, b, at)?);
            let (op, bits) = match op {
                TermOp::Add => (BinaryOp::Add, left.max(right) + 1),
                TermOp::Sub => (BinaryOp::Sub, left.max(right) + 1),
                TermOp::Mul => (BinaryOp::Mul, left + right),
                // Division by 0 has no value.
                TermOp::Div | TermOp::Rem => return None,
            };
            (Expr::binary(op, a, b, long), bits)
        }
    };
    (bits <= 64).then_some((e, bits))
}

fn lvalue(program: &Program, place: &TermLvalue) -> Option<Lvalue> {
    let Root::Variable(root) = &place.root else { return None };
    let number = |t: &Term| if let Term::Int(n) = t { Some(*n) } else { None };
    let path: Vec<Step<i128>> = place.steps.iter().map(|s| s.keeping(number)).collect::<Option<_>>()?;
    let is_inside = |entered| match entered {
        Some(Entered::Element(n, Length::Constant(length), _)) => (0..i128::from(length)).contains(n),
        entered => matches!(entered, Some(Entered::Member(..))),
    };
    if !program.entered(&root.ty, &path).all(is_inside) {
        return None;
    }
    let l = root.clone().part(program, &path, |n| Expr::int(*n, IntKind::LongLong, place.location))?;
    // What the root itself reads may have no value.
    let plain = |s: &Step| !matches!(s, Step::Index(e) if !matches!(e.kind, ExprKind::Int(_)));
    l.path.iter().all(plain).then_some(l)
}
