//! Expressions as a constant plus multiples of atoms, over the mathematical integers.

use super::{BinaryOp, DataModel, Expr, ExprKind, IntKind, UnaryOp, VarId};
use std::collections::BTreeMap;

/// A constant plus multiples of atoms. Every operation gives up (`None`) where a number would leave
/// 128 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine<A: Ord = VarId> {
    /// What is added to the multiples.
    pub constant: i128,
    /// The coefficient of each atom. No coefficient is 0.
    pub terms: BTreeMap<A, i128>,
}

impl<A: Ord + Clone> Affine<A> {
    /// A number.
    pub fn constant(constant: i128) -> Affine<A> {
        Affine { constant, terms: BTreeMap::new() }
    }

    /// One atom.
    pub fn atom(atom: A) -> Affine<A> {
        Affine { constant: 0, terms: BTreeMap::from([(atom, 1)]) }
    }

    /// `self + times * other`
    pub fn plus(&self, other: &Affine<A>, times: i128) -> Option<Affine<A>> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (atom, c) in &other.terms {
            let coefficient = sum.terms.entry(atom.clone()).or_insert(0);
            *coefficient = coefficient.checked_add(c.checked_mul(times)?)?;
        }
        sum.terms.retain(|_, c| *c != 0);
        Some(sum)
    }

    /// `factor * self`
    pub fn times(&self, factor: i128) -> Option<Affine<A>> {
        Affine::constant(0).plus(self, factor)
    }

    /// Substitutes another sum for an atom.
    pub fn with(&self, atom: &A, by: &Affine<A>) -> Option<Affine<A>> {
        let (factor, rest) = self.split(atom);
        if factor == 0 { Some(rest) } else { rest.plus(by, factor) }
    }

    /// The coefficient of an atom, and the rest.
    pub fn split(&self, atom: &A) -> (i128, Affine<A>) {
        let mut rest = self.clone();
        let factor = rest.terms.remove(atom).unwrap_or(0);
        (factor, rest)
    }

    /// The number, if there are no atoms.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }
}

/// How [`read`] reads expressions: what counts as an atom, what is read further, and where a sum
/// may wrap around.
pub trait Reading<'e> {
    /// What the multiples are of.
    type Atom: Ord + Clone;

    /// The value, if the expression counts as a number.
    fn number(&mut self, e: &'e Expr) -> Option<i128> {
        e.as_int()
    }

    /// The atom that an expression is which cannot be read further. `None` ends the reading of all
    /// that it is part of.
    fn atom(&mut self, e: &'e Expr) -> Option<Self::Atom>;

    /// The operation (`+`, `-` or `*`) and the operands as which an expression is read. `None` if
    /// it is not read further.
    fn operands(&mut self, e: &'e Expr) -> Option<(BinaryOp, Operand<'e>, Operand<'e>)> {
        Some(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => (BinaryOp::Sub, Operand::Number(0), Operand::Read(a)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                (*op, Operand::Read(a), Operand::Read(b))
            }
            _ => return None,
        })
    }

    /// Whether an operation or a conversion is read though its value may differ from the sum: an
    /// operation of an unsigned type, or a conversion to a type that does not hold all values.
    /// Whoever allows it must find out elsewhere that the value does not differ, or must count
    /// modulo the type.
    fn may_wrap(&mut self, _e: &'e Expr) -> bool {
        false
    }

    /// Notes that such an operation or conversion to `kind` was read: its value is `sum`, if `kind`
    /// contains that.
    fn wrapped(&mut self, _kind: IntKind, _sum: &Affine<Self::Atom>) {}
}

/// An operand of an operation that is read.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'e> {
    /// It is read, too.
    Read(&'e Expr),
    /// It counts as this number.
    Number(i128),
}

/// Reads an expression as a constant plus multiples of atoms. Wherever the expression is defined,
/// the sum is its value, unless `reading` has allowed otherwise ([`Reading::may_wrap`]): signed
/// operations do not wrap around, and conversions are read only if they keep all values. A
/// conversion from `_Bool` is not read.
pub fn read<'e, R: Reading<'e>>(e: &'e Expr, model: DataModel, reading: &mut R) -> Option<Affine<R::Atom>> {
    match inside(e, model, reading) {
        Some(sum) => Some(sum),
        None => reading.atom(e).map(Affine::atom),
    }
}

fn inside<'e, R: Reading<'e>>(e: &'e Expr, model: DataModel, reading: &mut R) -> Option<Affine<R::Atom>> {
    let kind = e.ty.as_int()?;
    if let Some(n) = reading.number(e) {
        return Some(Affine::constant(n));
    }
    let (sum, exact) = if let ExprKind::Cast(a) = &e.kind {
        let from = a.ty.as_int().filter(|k| *k != IntKind::Bool)?;
        let keeps = kind.holds(from, model);
        if !keeps && !reading.may_wrap(e) {
            return None;
        }
        (read(a, model, reading)?, keeps)
    } else {
        let (op, a, b) = reading.operands(e)?;
        if !kind.is_signed() && !reading.may_wrap(e) {
            return None;
        }
        let mut operand = |o| match o {
            Operand::Read(e) => read(e, model, reading),
            Operand::Number(n) => Some(Affine::constant(n)),
        };
        let (a, b) = (operand(a)?, operand(b)?);
        let sum = match (op, a.as_constant(), b.as_constant()) {
            (BinaryOp::Add, ..) => a.plus(&b, 1)?,
            (BinaryOp::Sub, ..) => a.plus(&b, -1)?,
            (BinaryOp::Mul, Some(n), _) => b.times(n)?,
            (BinaryOp::Mul, _, Some(n)) => a.times(n)?,
            _ => return None,
        };
        (sum, kind.is_signed())
    };
    if !exact {
        reading.wrapped(kind, &sum);
    }
    Some(sum)
}

impl Affine {
    /// Reads an expression as a sum of multiples of whole variables. The sum is its value wherever
    /// it is defined.
    pub fn of(e: &Expr, model: DataModel) -> Option<Affine> {
        read(e, model, &mut Variables { model })
    }
}

/// Whole variables are the atoms, and nothing may wrap around.
struct Variables {
    model: DataModel,
}

impl<'e> Reading<'e> for Variables {
    type Atom = VarId;

    fn number(&mut self, e: &'e Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(n) => Some(*n),
            // Of a constant, only its own value has to be kept.
            ExprKind::Cast(a) if a.ty.as_int().is_some() => {
                a.as_int().filter(|n| e.ty.as_int().is_some_and(|k| k.contains(*n, self.model)))
            }
            _ => None,
        }
    }

    fn atom(&mut self, e: &'e Expr) -> Option<VarId> {
        match &e.kind {
            ExprKind::Load(l) if e.ty.as_int().is_some() => l.as_var(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::testing::{AT, Build, build, n, op};
    use crate::program::{Storage, Type};
    use BinaryOp::{Add, Mul, Sub};

    const MODEL: DataModel = DataModel::Lp64;

    fn of(kind: IntKind, operation: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::binary(operation, a, b, Type::Int(kind))
    }

    fn variables() -> (Build, [VarId; 2]) {
        let mut b = build();
        let [x, y] = ["x", "y"].map(|name| b.int(name));
        (b, [x, y])
    }

    fn sum(constant: i128, terms: &[(VarId, i128)]) -> Option<Affine> {
        Some(Affine { constant, terms: terms.iter().copied().collect() })
    }

    #[test]
    fn signed_sums_are_read() {
        let (b, [x, y]) = variables();
        // 3 * (x - y) + (2 - -x)
        let negated = Expr::new(ExprKind::Unary(UnaryOp::Negate, Box::new(b.x(x))), Type::INT, AT);
        let e = op(Add, op(Mul, n(3), op(Sub, b.x(x), b.x(y))), op(Sub, n(2), negated));
        assert_eq!(Affine::of(&e, MODEL), sum(2, &[(x, 4), (y, -3)]));
        assert_eq!(Affine::of(&op(Sub, b.x(x), b.x(x)), MODEL), sum(0, &[]));
        for other in [op(Mul, b.x(x), b.x(y)), op(BinaryOp::Div, b.x(x), n(2)), op(BinaryOp::Less, b.x(x), n(2))] {
            assert_eq!(Affine::of(&other, MODEL), None);
        }
    }

    #[test]
    fn a_type_that_wraps_ends_the_reading() {
        let (b, [x, _]) = variables();
        let unsigned = |v| b.x(v).cast(Type::Int(IntKind::UInt));
        let one = || Expr::int(1, IntKind::UInt, AT);
        assert_eq!(Affine::of(&of(IntKind::UInt, Add, unsigned(x), one()), MODEL), None);
        assert_eq!(Affine::of(&of(IntKind::UInt, Add, one(), one()), MODEL), None);
        assert_eq!(Affine::of(&one(), MODEL), sum(1, &[]));
    }

    #[test]
    fn only_conversions_that_keep_values_are_read() {
        let mut b = build();
        let kinds = [
            IntKind::Bool,
            IntKind::Char,
            IntKind::UChar,
            IntKind::Short,
            IntKind::UShort,
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::ULong,
        ];
        for from in kinds {
            let v = b.var("v", Type::Int(from), Storage::Local);
            for to in kinds.into_iter().filter(|to| *to != from) {
                let read = Affine::of(&b.x(v).cast(Type::Int(to)), MODEL);
                let keeps = from != IntKind::Bool && to.holds(from, MODEL);
                assert_eq!(read, if keeps { sum(0, &[(v, 1)]) } else { None }, "{from:?} to {to:?}");
            }
        }
        let pointer = b.var("p", Type::INT.pointer_to(), Storage::Local);
        assert_eq!(Affine::of(&b.x(pointer), MODEL), None);
        assert_eq!(Affine::of(&b.x(pointer).cast(Type::Int(IntKind::Long)), MODEL), None);
    }

    #[test]
    fn a_constant_is_converted_if_the_type_has_it() {
        let to = |value, kind| Affine::of(&n(value).cast(Type::Int(kind)), MODEL);
        assert_eq!(to(200, IntKind::UChar), sum(200, &[]));
        assert_eq!(to(300, IntKind::UChar), None);
        assert_eq!(to(-1, IntKind::UInt), None);
    }

    #[test]
    fn numbers_that_leave_128_bits_end_the_reading() {
        let (b, [x, _]) = variables();
        let most = || Expr::int(i128::MAX, IntKind::LongLong, AT);
        let e = of(IntKind::LongLong, Add, of(IntKind::LongLong, Add, b.x(x), most()), most());
        assert_eq!(Affine::of(&e, MODEL), None);
        assert_eq!(Affine::of(&of(IntKind::LongLong, Mul, most(), op(Mul, b.x(x), n(2))), MODEL), None);
        let large = Affine { constant: i128::MIN, terms: BTreeMap::from([(x, 1)]) };
        assert_eq!((large.times(-1), large.plus(&Affine::constant(-1), 1)), (None, None));
    }

    #[test]
    fn a_caller_chooses_atoms_and_notes_where_a_sum_wraps() {
        struct Loads(Vec<(IntKind, i128)>);
        impl<'e> Reading<'e> for Loads {
            type Atom = VarId;

            fn atom(&mut self, e: &'e Expr) -> Option<VarId> {
                if let ExprKind::Load(l) = &e.kind { l.as_var() } else { None }
            }

            fn may_wrap(&mut self, e: &'e Expr) -> bool {
                e.ty == Type::Int(IntKind::UInt)
            }

            fn wrapped(&mut self, kind: IntKind, sum: &Affine) {
                self.0.push((kind, sum.constant));
            }
        }
        let (b, [x, _]) = variables();
        let unsigned = b.x(x).cast(Type::Int(IntKind::UInt));
        let e = of(IntKind::UInt, Add, of(IntKind::UInt, Add, unsigned, n(3)), n(4)).cast(Type::Int(IntKind::Long));
        let mut loads = Loads(Vec::new());
        assert_eq!(read(&e, MODEL, &mut loads), sum(7, &[(x, 1)]));
        assert_eq!(loads.0, [(IntKind::UInt, 0), (IntKind::UInt, 3), (IntKind::UInt, 7)]);
        // A conversion to a narrower type is not allowed, and no atom.
        assert_eq!(read(&e.cast(Type::Int(IntKind::Short)), MODEL, &mut Loads(Vec::new())), None);
    }

    #[test]
    fn sums_are_split_and_filled_in() {
        let (_, [x, y]) = variables();
        let e = Affine { constant: 1, terms: BTreeMap::from([(x, 2), (y, 3)]) };
        assert_eq!(e.split(&x), (2, Affine { constant: 1, terms: BTreeMap::from([(y, 3)]) }));
        let by = Affine { constant: 5, terms: BTreeMap::from([(y, -1)]) };
        assert_eq!(e.with(&x, &by), sum(11, &[(y, 1)]));
        assert_eq!(by.with(&x, &e), Some(by.clone()));
    }
}
