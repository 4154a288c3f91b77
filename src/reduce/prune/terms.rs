//! Queries about expressions.

use crate::program::affine::{Affine, Operand, Reading, read};
use crate::program::{
    Base, BinaryOp, Block, DataModel, Expr, ExprKind, IntKind, Lvalue, Part, Step, StmtKind, VarId, each_part_of_expr,
    each_stmt,
};

/// Calls `f` on the lvalues that the evaluation of an expression reads, outer before inner.
pub(super) fn each_load<'p>(e: &'p Expr, f: &mut impl FnMut(&'p Lvalue)) {
    each_part_of_expr(e, &mut |part| {
        if let Part::Lvalue(l, _) = part {
            f(l);
        }
    });
}

/// Calls `f` on the lvalues that are read to find the place of an lvalue.
pub(super) fn each_load_of_path<'p>(l: &'p Lvalue, f: &mut impl FnMut(&'p Lvalue)) {
    if let Base::Deref(p) = &l.base {
        each_load(p, f);
    }
    for step in &l.path {
        if let Step::Index(e) = step {
            each_load(e, f);
        }
    }
}

/// Whether an expression reads a variable.
pub(super) fn mentions(e: &Expr, v: VarId) -> bool {
    let mut found = false;
    each_load(e, &mut |l| found |= matches!(l.base, Base::Var(x) if x == v));
    found
}

/// The value of an expression that is a constant, perhaps converted.
pub(super) fn constant(e: &Expr, model: DataModel) -> Option<i128> {
    match &e.kind {
        ExprKind::Int(n) => Some(*n),
        ExprKind::Cast(a) => Some(e.ty.as_int()?.wrap(constant(a, model)?, model)),
        ExprKind::Unary(crate::program::UnaryOp::Negate, a) => {
            let value = constant(a, model)?.checked_neg()?;
            let kind = e.ty.as_int()?;
            kind.contains(value, model).then_some(value)
        }
        _ => None,
    }
}

/// An expression that is `base + offset` over the integers, whatever values its operands have.
pub(super) struct Displaced<'e> {
    /// The part that is not constant.
    pub(super) base: &'e Expr,
    /// The constant that is added.
    pub(super) offset: i128,
    /// The types in which the sum wraps around if it is out of range, with the constant added up to
    /// that point. These are unsigned types in which something was added, and types of 64 bits that
    /// the sum was converted to. (If a signed addition leaves its range, behaviour is undefined.)
    pub(super) wraps: Vec<(IntKind, i128)>,
}

/// Strips added constants from an expression, and the conversions on the way that keep values.
pub(super) fn displaced(e: &Expr, model: DataModel) -> Displaced<'_> {
    let mut stripping = Stripping { model, atoms: Vec::new(), wraps: Vec::new() };
    if let Some(sum) = read(e, model, &mut stripping)
        && let Some((n, 1)) = sum.terms.first_key_value()
    {
        return Displaced { base: stripping.atoms[*n], offset: sum.constant, wraps: stripping.wraps };
    }
    Displaced { base: e, offset: 0, wraps: Vec::new() }
}

/// Reads an expression down to the one operand that is not a constant: in each operation that is
/// read, the other operand is one.
struct Stripping<'e> {
    model: DataModel,
    /// What is not read further, by number.
    atoms: Vec<&'e Expr>,
    wraps: Vec<(IntKind, i128)>,
}

impl<'e> Reading<'e> for Stripping<'e> {
    type Atom = usize;

    /// Constants count as numbers only where they are added.
    fn number(&mut self, _: &'e Expr) -> Option<i128> {
        None
    }

    fn atom(&mut self, e: &'e Expr) -> Option<usize> {
        self.atoms.push(e);
        Some(self.atoms.len() - 1)
    }

    fn operands(&mut self, e: &'e Expr) -> Option<(BinaryOp, Operand<'e>, Operand<'e>)> {
        let kind = e.ty.as_int().filter(|k| *k != IntKind::Bool)?;
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &e.kind else { return None };
        let (inner, added) = match (constant(a, self.model), constant(b, self.model)) {
            (_, Some(n)) => (a, if *op == BinaryOp::Add { n } else { n.checked_neg()? }),
            (Some(n), None) if *op == BinaryOp::Add => (b, n),
            _ => return None,
        };
        // Some programs write `i + 4294967295u` for `i - 1`.
        let added = if kind.is_signed() { added } else { signed_residue(added, kind, self.model) };
        Some((BinaryOp::Add, Operand::Read(inner), Operand::Number(added)))
    }

    /// Unsigned additions, and conversions from the signed to the unsigned type of 64 bits and
    /// back.
    fn may_wrap(&mut self, e: &'e Expr) -> bool {
        let is_wide = e.ty.as_int().is_some_and(|k| k.width(self.model) == 64);
        is_wide || !matches!(e.kind, ExprKind::Cast(_))
    }

    fn wrapped(&mut self, kind: IntKind, sum: &Affine<usize>) {
        self.wraps.push((kind, sum.constant));
    }
}

/// The number of least magnitude that is congruent in an unsigned type.
fn signed_residue(n: i128, kind: IntKind, model: DataModel) -> i128 {
    let modulus = 1i128 << kind.width(model);
    let low = n.rem_euclid(modulus);
    if low > modulus / 2 { low - modulus } else { low }
}

/// The greatest common divisor; 0 only of two zeros.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Whether a block assumes anything.
pub(super) fn assumes(block: &Block) -> bool {
    let mut found = false;
    each_stmt(block, &mut |s| found |= matches!(s.kind, StmtKind::Assume(_)));
    found
}
