//! Specifications without quantifiers as conditions of C.
//!
//! Terms are integers without bounds. A term becomes an expression of 64 bits if no value of its
//! parts needs more. Cells are read only at numbers inside their arrays, so that every term has a
//! value.

use super::{
    BinaryOp, Entered, Expr, ExprKind, Formula, IntKind, Length, Location, Lvalue, Program, Root, Step, Term,
    TermLvalue, TermOp, Type,
};

fn int(value: i128, at: Location) -> Expr {
    Expr::int(value, IntKind::Int, at)
}

fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, Type::INT)
}

fn and(a: Expr, b: Expr) -> Expr {
    let at = a.location;
    Expr::new(ExprKind::And(Box::new(a), Box::new(b)), Type::INT, at)
}

fn or(a: Expr, b: Expr) -> Expr {
    let at = a.location;
    Expr::new(ExprKind::Or(Box::new(a), Box::new(b)), Type::INT, at)
}

/// The formula as a condition of C; `None` if it has none.
pub fn condition_of(program: &Program, formula: &Formula, at: Location) -> Option<Expr> {
    let of = |f: &Formula| condition_of(program, f, at);
    Some(match formula {
        Formula::Constant(truth) => int(i128::from(*truth), at),
        Formula::Compare(op, a, b) => {
            let ((a, _), (b, _)) = (expression_of(program, a, at)?, expression_of(program, b, at)?);
            compare(*op, a, b)
        }
        Formula::Not(a) => of(a)?.negated(),
        Formula::And(a, b) => and(of(a)?, of(b)?),
        Formula::Or(a, b) => or(of(a)?, of(b)?),
        Formula::Implies(a, b) => or(of(a)?.negated(), of(b)?),
        Formula::Iff(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let both = and(a.clone(), b.clone());
            or(both, and(a.negated(), b.negated()))
        }
        Formula::ForAll(_) | Formula::Memory(_) => return None,
    })
}

/// An expression of 64 bits with the value of a term, and how many bits that value may need.
/// `None` if there is none.
pub fn expression_of(program: &Program, t: &Term, at: Location) -> Option<(Expr, u32)> {
    let long = Type::Int(IntKind::LongLong);
    let (e, bits) = match t {
        Term::Int(n) => (Expr::int(*n, IntKind::LongLong, at), 128 - n.unsigned_abs().leading_zeros() + 1),
        // There are no quantifiers in expressions, and no copy of memory is kept.
        Term::Bound(_) | Term::At(..) | Term::Apply(_) | Term::If(..) => return None,
        Term::Read(place) => {
            let read = lvalue(program, place)?;
            let kind = read.ty.as_int()?;
            let bits = kind.width(program.data_model) + u32::from(!kind.is_signed());
            (Expr::load(read).cast(long), bits)
        }
        Term::Negate(a) => {
            let (a, bits) = expression_of(program, a, at)?;
            (Expr::binary(BinaryOp::Sub, Expr::int(0, IntKind::LongLong, at), a, long), bits + 1)
        }
        Term::Binary(op, a, b) => {
            let ((a, left), (b, right)) = (expression_of(program, a, at)?, expression_of(program, b, at)?);
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
