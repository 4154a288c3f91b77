//! Specifications without quantifiers, as conditions of C.
//!
//! Terms are integers without bounds: one becomes an expression of 64 bits where no value of its parts needs more. Cells are read only at numbers inside
//! their arrays, so that every term has a value.

use crate::program::{
    BinaryOp, Expr, ExprKind, Formula, IntKind, Length, Location, Lvalue, Place, Program, Root, Step, Term, TermOp,
    TermStep, Type,
};
use crate::reduce::terms;

/// The condition that a formula is; `None` where there is none.
pub(super) fn condition(program: &Program, formula: &Formula, at: Location) -> Option<Expr> {
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

/// An expression of 64 bits with the value of a term, and how many bits that may need.
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
                // By 0 there is no value.
                TermOp::Div | TermOp::Rem => return None,
            };
            (Expr::binary(op, a, b, long), bits)
        }
    };
    (bits <= 64).then_some((e, bits))
}

fn lvalue(program: &Program, place: &Place) -> Option<Lvalue> {
    let Root::Variable(root) = &place.root else { return None };
    let mut l = root.clone();
    for step in &place.steps {
        let (step, ty) = match (step, &l.ty) {
            (TermStep::Field(id, n), Type::Struct(_)) => {
                (Step::Field(*id, *n), program.structure(*id).members.get(*n as usize)?.ty.clone())
            }
            (TermStep::Index(Term::Int(n)), Type::Array(element, Length::Constant(length)))
                if (0..i128::from(*length)).contains(n) =>
            {
                (Step::Index(Expr::int(*n, IntKind::LongLong, place.location)), (**element).clone())
            }
            _ => return None,
        };
        l.path.push(step);
        l.ty = ty;
    }
    // What the root itself reads may have no value.
    let plain = |s: &Step| !matches!(s, Step::Index(e) if !matches!(e.kind, ExprKind::Int(_)));
    l.path.iter().all(plain).then_some(l)
}
