//! Converts numbers, expressions and constraints to APRON's form and back.
#![allow(unsafe_code)]

use apron_sys::{self as sys, Functions};
use smalti_core::{Constraint, LinearExpr, Relation, Var};
use std::ptr;

/// A linear expression over dimensions: terms ascending by dimension, one each.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(sys::Dim, i128)>,
    pub(crate) constant: i128,
}

impl Row {
    /// `e`, where dimension `k` stands for `vars[k]`; `None` if `e` mentions another variable.
    pub(crate) fn new(e: &LinearExpr, vars: &[Var]) -> Option<Row> {
        let dim = |v: Var| vars.binary_search(&v).ok().map(|k| k as sys::Dim);
        let terms = e.terms().iter().map(|&(v, c)| Some((dim(v)?, c))).collect::<Option<_>>()?;
        Some(Row { terms, constant: e.constant_part() })
    }

    /// Dimension `dim` with a factor, plus a constant.
    pub(crate) fn unary(dim: usize, factor: i128, constant: i128) -> Row {
        Row { terms: vec![(dim as sys::Dim, factor)], constant }
    }

    /// Whether doubles can hold all of its numbers.
    pub(crate) fn is_of_doubles(&self) -> bool {
        self.terms.iter().all(|t| is_double(t.1)) && is_double(self.constant)
    }

    /// Adds to `rows` what doubles can say of `self >= 0` (or `== 0`, if `equal`): all of it, or
    /// with a larger constant, or nothing.
    ///
    /// APRON 0.9.10 must not be left to convert other numbers: it takes the double above a
    /// coefficient for the coefficient itself, so that `(2^63 - 1) * x` for `x == -5` becomes
    /// exactly `-5 * 2^63`, which is too low.
    pub(crate) fn push_in_doubles(&self, equal: bool, rows: &mut Vec<(Row, bool)>) {
        if self.is_of_doubles() {
            rows.push((self.clone(), equal));
        } else if self.terms.iter().all(|t| is_double(t.1)) {
            rows.extend(
                next_double(self.constant).map(|constant| (Row { terms: self.terms.clone(), constant }, false)),
            );
            if equal {
                let negated = || {
                    let terms =
                        self.terms.iter().map(|&(dim, c)| Some((dim, c.checked_neg()?))).collect::<Option<_>>()?;
                    Some(Row { terms, constant: next_double(self.constant.checked_neg()?)? })
                };
                rows.extend(negated().map(|row| (row, false)));
            }
        }
    }

    /// The same expression for APRON, which the caller frees. It must be APRON's own memory:
    /// expressions are changed (their coefficients reallocated) while they are read.
    fn to_apron(&self, apron: &Functions) -> *mut sys::Linexpr0 {
        // SAFETY: the expression is sparse with as many terms as are set; terms are sorted by the
        // type's invariant, and none is left unused (APRON has had bugs there).
        unsafe {
            let e = (apron.ap_linexpr0_alloc)(sys::LINEXPR_SPARSE, self.terms.len());
            for (k, &(dim, factor)) in self.terms.iter().enumerate() {
                let term = (*e).p.linterm.add(k);
                (*term).dim = dim;
                with_mpq(factor, |mpq| (apron.ap_coeff_set_scalar_mpq)(&raw mut (*term).coeff, mpq));
            }
            with_mpq(self.constant, |mpq| (apron.ap_coeff_set_scalar_mpq)(&raw mut (*e).cst, mpq));
            e
        }
    }
}

/// Whether a double can be this integer: no more than 53 bits from the first 1 to the last.
pub(crate) fn is_double(n: i128) -> bool {
    let m = n.unsigned_abs();
    m == 0 || m.leading_zeros() + m.trailing_zeros() >= 128 - f64::MANTISSA_DIGITS
}

/// The least integer from `n` on that a double can be; `None` if it is too large for the type.
pub(crate) fn next_double(n: i128) -> Option<i128> {
    let bits = 128 - n.unsigned_abs().leading_zeros();
    let step = 1i128.checked_shl(bits.saturating_sub(f64::MANTISSA_DIGITS))?;
    // The remainder is that of the floor, so this goes up for negative numbers too.
    let over = n.rem_euclid(step);
    if over == 0 { Some(n) } else { n.checked_add(step - over) }
}

/// Lends `f` an integer as a rational of GMP that lies on the stack, for functions that copy their
/// argument.
fn with_mpq<T>(n: i128, f: impl FnOnce(*const sys::Mpq) -> T) -> T {
    let magnitude = n.unsigned_abs();
    let mut limbs = [magnitude as u64, (magnitude >> 64) as u64];
    let used = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last as i32 + 1);
    let mut one = 1u64;
    let num = sys::Mpz { alloc: 0, size: if n < 0 { -used } else { used }, limbs: limbs.as_mut_ptr() };
    f(&sys::Mpq { num, den: sys::Mpz { alloc: 0, size: 1, limbs: &raw mut one } })
}

/// An expression in APRON's memory, freed in the end.
pub(crate) struct OwnedExpr<'a>(&'a Functions, *mut sys::Linexpr0);

impl<'a> OwnedExpr<'a> {
    pub(crate) fn new(apron: &'a Functions, row: &Row) -> Self {
        OwnedExpr(apron, row.to_apron(apron))
    }

    pub(crate) fn raw(&self) -> *mut sys::Linexpr0 {
        self.1
    }
}

impl Drop for OwnedExpr<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `Row::to_apron` and freed nowhere else.
        unsafe { (self.0.ap_linexpr0_free)(self.1) };
    }
}

/// Integers as scalars in APRON's memory, freed in the end.
pub(crate) struct OwnedScalars<'a>(&'a Functions, Vec<*mut sys::Scalar>);

impl<'a> OwnedScalars<'a> {
    pub(crate) fn new(apron: &'a Functions, numbers: &[i128]) -> Self {
        let make = |&n: &i128| {
            // SAFETY: the scalar is new, and the number is copied.
            unsafe {
                let scalar = (apron.ap_scalar_alloc)();
                with_mpq(n, |mpq| (apron.ap_scalar_set_mpq)(scalar, mpq));
                scalar
            }
        };
        OwnedScalars(apron, numbers.iter().map(make).collect())
    }

    pub(crate) fn raw(&mut self) -> *mut *mut sys::Scalar {
        self.1.as_mut_ptr()
    }
}

impl Drop for OwnedScalars<'_> {
    fn drop(&mut self) {
        for scalar in &self.1 {
            // SAFETY: made in `new`, freed nowhere else.
            unsafe { (self.0.ap_scalar_free)(*scalar) };
        }
    }
}

/// Constraints in APRON's memory, freed in the end.
pub(crate) struct OwnedConstraints<'a>(&'a Functions, sys::Lincons0Array);

impl<'a> OwnedConstraints<'a> {
    /// The conjunction of `row >= 0` or, if the flag is set, `row == 0`.
    pub(crate) fn new(apron: &'a Functions, rows: &[(Row, bool)]) -> Self {
        // SAFETY: the array has the length asked for; its constraints take their expressions over.
        let array = unsafe { (apron.ap_lincons0_array_make)(rows.len()) };
        for (k, (row, equal)) in rows.iter().enumerate() {
            let constyp = if *equal { sys::CONS_EQ } else { sys::CONS_SUPEQ };
            let constraint = sys::Lincons0 { linexpr0: row.to_apron(apron), constyp, scalar: ptr::null_mut() };
            // SAFETY: `k` is below the length, and what is overwritten are null pointers.
            unsafe { array.p.add(k).write(constraint) };
        }
        OwnedConstraints(apron, array)
    }

    /// Takes over what APRON returned.
    ///
    /// # Safety
    ///
    /// The array was returned by APRON and is freed by no other code.
    pub(crate) unsafe fn take(apron: &'a Functions, array: sys::Lincons0Array) -> Self {
        OwnedConstraints(apron, array)
    }

    pub(crate) fn raw(&mut self) -> *mut sys::Lincons0Array {
        &raw mut self.1
    }

    /// The constraints in integers, where `vars[k]` is dimension `k`. What does not fit the number
    /// range, and what is not linear, is left out: the result says less than the original.
    pub(crate) fn read(&self, vars: &[Var]) -> Vec<Constraint> {
        if self.1.size == 0 {
            return Vec::new();
        }
        // SAFETY: APRON's array of that length, and no code changes it while `self` is borrowed.
        let all = unsafe { std::slice::from_raw_parts(self.1.p, self.1.size) };
        // SAFETY: the constraints are APRON's, their expressions over at most as many dimensions as
        // there are variables.
        all.iter().filter_map(|constraint| unsafe { read_constraint(constraint, vars) }).collect()
    }

    /// Like [`OwnedConstraints::read`], but `None` if any had to be left out: on the integers the
    /// result says just what the original says.
    pub(crate) fn read_whole(&self, vars: &[Var]) -> Option<Vec<Constraint>> {
        let all = self.read(vars);
        (all.len() == self.1.size).then_some(all)
    }
}

impl Drop for OwnedConstraints<'_> {
    fn drop(&mut self) {
        // SAFETY: owned by `self`, freed nowhere else.
        unsafe { (self.0.ap_lincons0_array_clear)(&raw mut self.1) };
    }
}

/// One constraint in integers; `None` if it cannot be told exactly or more loosely.
///
/// # Safety
///
/// The constraint is a valid one of APRON's.
unsafe fn read_constraint(constraint: &sys::Lincons0, vars: &[Var]) -> Option<Constraint> {
    let relation = match constraint.constyp {
        // A strict inequality is weakened here; the values that are made here have none.
        sys::CONS_SUPEQ | sys::CONS_SUP => Relation::NonNegative,
        sys::CONS_EQ => Relation::Zero,
        _ => return None,
    };
    let mut terms: Vec<(Var, Rational)> = Vec::new();
    // SAFETY: by the caller's promise; which field of a union is meant is what its discriminant
    // says.
    let constant = unsafe {
        let e = constraint.linexpr0.as_ref()?;
        for k in 0..e.size {
            let (dim, coeff) = if e.discr == sys::LINEXPR_DENSE {
                (k, &*e.p.coeff.add(k))
            } else {
                let term = &*e.p.linterm.add(k);
                if term.dim == sys::Dim::MAX {
                    continue;
                }
                (term.dim as usize, &term.coeff)
            };
            let factor = read_coeff(coeff).filter(|factor| factor.exact)?;
            if factor.num != 0 {
                terms.push((*vars.get(dim)?, factor));
            }
        }
        read_coeff(&e.cst)?
    };
    // Everything times the least common denominator of the coefficients; then only the constant may
    // be a fraction.
    let scale = terms.iter().try_fold(1i128, |scale, (_, factor)| lcm(scale, factor.den))?;
    if scale != 1 && !constant.exact {
        return None;
    }
    let terms = terms.into_iter().map(|(v, factor)| Some((v, factor.num.checked_mul(scale / factor.den)?)));
    let terms = terms.collect::<Option<Vec<_>>>()?;
    let constant = Rational { num: constant.num.checked_mul(scale)?, ..constant };
    if relation == Relation::Zero && constant.floor() != constant.ceil() {
        // No integers satisfy it; the element is empty without knowing it, and saying nothing of it
        // is looser.
        return None;
    }
    Some(Constraint { expr: LinearExpr::new(terms, constant.floor())?, relation })
}

/// A coefficient that is one number.
///
/// # Safety
///
/// The coefficient is a valid one of APRON's.
unsafe fn read_coeff(coeff: &sys::Coeff) -> Option<Rational> {
    // SAFETY: by the caller's promise; the discriminant says which field of the union is meant.
    unsafe {
        if coeff.discr == sys::COEFF_SCALAR {
            return Number::read(coeff.val.scalar)?.finite();
        }
        let interval = &*coeff.val.interval;
        let (inf, sup) = (Number::read(interval.inf)?.finite()?, Number::read(interval.sup)?.finite()?);
        (inf == sup && inf.exact).then_some(inf)
    }
}

/// A fraction; `den > 0`, not necessarily in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rational {
    num: i128,
    den: i128,
    /// Else only the integers next to it are right.
    exact: bool,
}

impl Rational {
    fn integer(num: i128) -> Self {
        Rational { num, den: 1, exact: true }
    }

    pub(crate) fn floor(self) -> i128 {
        self.num.div_euclid(self.den)
    }

    pub(crate) fn ceil(self) -> i128 {
        self.floor() + i128::from(self.num.rem_euclid(self.den) != 0)
    }
}

/// A scalar of APRON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Minus infinity, or so far down that it makes no difference.
    Low,
    /// A fraction.
    Finite(Rational),
    /// Plus infinity, or so far up that it makes no difference.
    High,
}

impl Number {
    pub(crate) fn finite(self) -> Option<Rational> {
        match self {
            Number::Finite(r) => Some(r),
            _ => None,
        }
    }

    /// The value of a scalar; `None` if it is not a number, does not fit, or is of a kind that is
    /// not used here.
    ///
    /// # Safety
    ///
    /// The scalar is a valid one of APRON's.
    pub(crate) unsafe fn read(scalar: *const sys::Scalar) -> Option<Number> {
        // SAFETY: by the caller's promise; the discriminant says which field of the union is meant.
        unsafe {
            match (*scalar).discr {
                sys::SCALAR_DOUBLE => Number::of_double((*scalar).val.dbl),
                sys::SCALAR_MPQ => Number::of_mpq(&*(*scalar).val.mpq),
                _ => None,
            }
        }
    }

    /// Right in every rounding mode: the conversions of `floor` are exact.
    fn of_double(x: f64) -> Option<Number> {
        const LARGE: f64 = 1e36;
        let below = x.floor();
        Some(match x {
            _ if x.is_nan() => return None,
            _ if x <= -LARGE => Number::Low,
            _ if x >= LARGE => Number::High,
            _ if x == below => Number::Finite(Rational::integer(x as i128)),
            // No more than the two integers next to it will be asked for, so a fraction between
            // them stands for it.
            _ => Number::Finite(Rational { num: 2 * below as i128 + 1, den: 2, exact: false }),
        })
    }

    /// # Safety
    ///
    /// The limbs are GMP's.
    unsafe fn of_mpq(q: &sys::Mpq) -> Option<Number> {
        let infinity = if q.num.size < 0 { Number::Low } else { Number::High };
        // Infinity is 1/0 or -1/0.
        if q.den.size == 0 {
            return Some(infinity);
        }
        // SAFETY: by the caller's promise.
        let (num, den) = unsafe { (read_mpz(&q.num), read_mpz(&q.den)?) };
        match num {
            Some(num) => Some(Number::Finite(Rational { num, den, exact: true })),
            None => (den == 1).then_some(infinity),
        }
    }
}

/// # Safety
///
/// The limbs are GMP's.
unsafe fn read_mpz(z: &sys::Mpz) -> Option<i128> {
    let limb = |k: usize| {
        // SAFETY: `k` is below the number of limbs in use, by the match below and the caller's
        // promise.
        u128::from(unsafe { *z.limbs.add(k) })
    };
    let magnitude = match z.size.unsigned_abs() {
        0 => 0,
        1 => limb(0),
        2 => limb(0) | limb(1) << 64,
        _ => return None,
    };
    let n = i128::try_from(magnitude).ok()?;
    Some(if z.size < 0 { -n } else { n })
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_told_from_other_integers() {
        for n in [0, 1, -1, 1 << 53, (1 << 54) + 4, -(1 << 53), 1 << 100, i128::MIN, (1 << 100) + (1 << 48)] {
            assert!(is_double(n), "{n}");
            assert_eq!(next_double(n), Some(n));
            assert_eq!(n as f64 as i128, n);
        }
        let p = 1i128 << 53;
        let above = [(p + 1, Some(p + 2)), (-p - 1, Some(-p)), (i64::MAX.into(), Some(1 << 63)), (i128::MAX, None)];
        for (n, next) in above {
            assert!(!is_double(n), "{n}");
            assert_eq!(next_double(n), next, "{n}");
        }
        assert_eq!(next_double(i128::MIN + 1), Some(i128::MIN + (1 << 74)));
    }

    #[test]
    fn a_constraint_in_doubles_is_looser() {
        let odd = (1 << 53) + 1;
        let said = |row: Row, equal: bool| {
            let mut rows = Vec::new();
            row.push_in_doubles(equal, &mut rows);
            rows.into_iter().map(|(row, equal)| (row.terms[0].1, row.constant, equal)).collect::<Vec<_>>()
        };
        assert_eq!(said(Row::unary(0, 1, 7), true), [(1, 7, true)]);
        assert_eq!(said(Row::unary(0, 1, odd), false), [(1, odd + 1, false)]);
        assert_eq!(said(Row::unary(0, 1, odd), true), [(1, odd + 1, false), (-1, -odd + 1, false)]);
        assert_eq!(said(Row::unary(0, odd, 7), false), []);
    }
}
