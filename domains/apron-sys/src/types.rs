//! APRON's data types, field by field. Their layout did not change from version 0.9.10 to 0.9.15;
//! the assertions at the end compare it with numbers printed by a C compiler for the headers of
//! 0.9.10 on a 64-bit machine.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// APRON's own `bool`: a `char`, 0 or not.
pub type Bool = c_char;

/// The number of a dimension.
pub type Dim = c_uint;

/// `ap_scalar_discr_t`: what a scalar holds.
pub type ScalarDiscr = c_uint;
/// A double.
pub const SCALAR_DOUBLE: ScalarDiscr = 0;
/// A GMP rational; infinities are 1/0 and -1/0.
pub const SCALAR_MPQ: ScalarDiscr = 1;

/// `ap_coeff_discr_t`: what a coefficient holds.
pub type CoeffDiscr = c_uint;
/// One scalar.
pub const COEFF_SCALAR: CoeffDiscr = 0;
/// An interval.
pub const COEFF_INTERVAL: CoeffDiscr = 1;

/// `ap_linexpr_discr_t`: how the terms of a linear expression are stored.
pub type LinexprDiscr = c_uint;
/// One coefficient per dimension.
pub const LINEXPR_DENSE: LinexprDiscr = 0;
/// Only the terms that there are, sorted by dimension.
pub const LINEXPR_SPARSE: LinexprDiscr = 1;

/// `ap_constyp_t`: how the expression of a constraint relates to 0.
pub type ConsTyp = c_uint;
/// `e == 0`
pub const CONS_EQ: ConsTyp = 0;
/// `e >= 0`
pub const CONS_SUPEQ: ConsTyp = 1;
/// `e > 0`
pub const CONS_SUP: ConsTyp = 2;
/// `e == 0` modulo the scalar of the constraint.
pub const CONS_EQMOD: ConsTyp = 3;
/// `e != 0`
pub const CONS_DISEQ: ConsTyp = 4;

/// `ap_exc_t`: what went wrong in the last call.
pub type Exc = c_uint;
/// Nothing.
pub const EXC_NONE: Exc = 0;
/// The time limit was reached.
pub const EXC_TIMEOUT: Exc = 1;
/// The size limit was reached.
pub const EXC_OUT_OF_SPACE: Exc = 2;
/// A number left its range.
pub const EXC_OVERFLOW: Exc = 3;
/// The arguments do not fit together.
pub const EXC_INVALID_ARGUMENT: Exc = 4;
/// The domain cannot do this.
pub const EXC_NOT_IMPLEMENTED: Exc = 5;
/// The number of kinds of exceptions.
pub const EXC_SIZE: usize = 6;

/// `AP_FUNID_SIZE`: the number of functions that a domain may implement, and that have options.
pub const FUNID_SIZE: usize = 51;

/// A big integer of GMP: `size.abs()` limbs, least significant first; the sign of `size` is the
/// number's.
#[repr(C)]
#[derive(Debug)]
pub struct Mpz {
    /// Limbs allocated; 0 for a number that GMP shall not resize.
    pub alloc: c_int,
    /// Limbs used, negative for a negative number.
    pub size: c_int,
    /// The limbs.
    pub limbs: *mut u64,
}

/// A rational of GMP.
#[repr(C)]
#[derive(Debug)]
pub struct Mpq {
    /// The numerator.
    pub num: Mpz,
    /// The denominator, positive.
    pub den: Mpz,
}

/// The value of a [`Scalar`]; the discriminant says which field.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ScalarValue {
    /// For [`SCALAR_DOUBLE`].
    pub dbl: f64,
    /// For [`SCALAR_MPQ`].
    pub mpq: *mut Mpq,
}

/// `ap_scalar_t`.
#[repr(C)]
pub struct Scalar {
    /// Which field of `val` is meant.
    pub discr: ScalarDiscr,
    /// The value.
    pub val: ScalarValue,
}

/// `ap_interval_t`.
#[repr(C)]
#[derive(Debug)]
pub struct Interval {
    /// The lower bound.
    pub inf: *mut Scalar,
    /// The upper bound; below the lower one when the interval is empty.
    pub sup: *mut Scalar,
}

/// The value of a [`Coeff`]; the discriminant says which field.
#[repr(C)]
#[derive(Clone, Copy)]
pub union CoeffValue {
    /// For [`COEFF_SCALAR`].
    pub scalar: *mut Scalar,
    /// For [`COEFF_INTERVAL`].
    pub interval: *mut Interval,
}

/// `ap_coeff_t`.
#[repr(C)]
pub struct Coeff {
    /// Which field of `val` is meant.
    pub discr: CoeffDiscr,
    /// The value.
    pub val: CoeffValue,
}

/// `ap_linterm_t`.
#[repr(C)]
pub struct Linterm {
    /// The dimension, or `u32::MAX` for an unused term.
    pub dim: Dim,
    /// Its coefficient.
    pub coeff: Coeff,
}

/// The terms of a [`Linexpr0`]; the discriminant says which field.
#[repr(C)]
#[derive(Clone, Copy)]
pub union LinexprTerms {
    /// For [`LINEXPR_DENSE`].
    pub coeff: *mut Coeff,
    /// For [`LINEXPR_SPARSE`].
    pub linterm: *mut Linterm,
}

/// `ap_linexpr0_t`.
#[repr(C)]
pub struct Linexpr0 {
    /// The constant.
    pub cst: Coeff,
    /// Which field of `p` is meant.
    pub discr: LinexprDiscr,
    /// The length of that array.
    pub size: usize,
    /// The terms.
    pub p: LinexprTerms,
}

/// `ap_lincons0_t`: an expression compared with 0.
#[repr(C)]
#[derive(Debug)]
pub struct Lincons0 {
    /// The expression; owned by the constraint.
    pub linexpr0: *mut Linexpr0,
    /// The comparison.
    pub constyp: ConsTyp,
    /// The modulus of [`CONS_EQMOD`], else null.
    pub scalar: *mut Scalar,
}

/// `ap_lincons0_array_t`.
#[repr(C)]
#[derive(Debug)]
pub struct Lincons0Array {
    /// The constraints.
    pub p: *mut Lincons0,
    /// How many.
    pub size: usize,
}

/// `ap_dimchange_t`: dimensions to add (before which) or to remove (which), ascending, integer ones
/// first.
#[repr(C)]
#[derive(Debug)]
pub struct Dimchange {
    /// The dimensions.
    pub dim: *mut Dim,
    /// How many of them are integer.
    pub intdim: usize,
    /// How many of them are real.
    pub realdim: usize,
}

/// `ap_dimperm_t`: dimension `i` becomes dimension `dim[i]`.
#[repr(C)]
#[derive(Debug)]
pub struct Dimperm {
    /// The new numbers.
    pub dim: *mut Dim,
    /// How many.
    pub size: usize,
}

/// `ap_abstract0_t`: a value of some domain.
#[repr(C)]
#[derive(Debug)]
pub struct Abstract0 {
    /// The domain's own representation.
    pub value: *mut c_void,
    /// The manager it was made with.
    pub man: *mut Manager,
}

/// `ap_funopt_t`: options of one function.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Funopt {
    /// 0 for the default algorithm.
    pub algorithm: c_int,
    /// A time limit that no domain reads.
    pub timeout: usize,
    /// A size limit in the domain's own unit, 0 for none; polyhedra raise [`EXC_OUT_OF_SPACE`]
    /// there.
    pub max_object_size: usize,
    /// Ask for information on exactness: to be avoided (bugs fixed only in later versions).
    pub flag_exact_wanted: Bool,
    /// Ask for information on best abstraction: to be avoided likewise.
    pub flag_best_wanted: Bool,
}

/// `ap_result_t`: what a call stores beside its result.
#[repr(C)]
#[derive(Debug)]
pub struct CallResult {
    /// All exceptions since the log was cleared; opaque, cleared by
    /// [`crate::Functions::ap_manager_clear_exclog`].
    pub exclog: *mut c_void,
    /// The exception of the last call that had one. Calls without one do not reset it.
    pub exn: Exc,
    /// Whether the result is known to be exact.
    pub flag_exact: Bool,
    /// Whether the result is known to be the best.
    pub flag_best: Bool,
}

/// `ap_manager_t`: one domain in one thread.
#[repr(C)]
#[derive(Debug)]
pub struct Manager {
    /// The domain's name.
    pub library: *const c_char,
    /// The domain's version, with the kind of its numbers.
    pub version: *const c_char,
    /// The domain's working space.
    pub internal: *mut c_void,
    /// The domain's functions.
    pub funptr: [*mut c_void; FUNID_SIZE],
    /// Options of each function.
    pub funopt: [Funopt; FUNID_SIZE],
    /// Whether an exception ends the process.
    pub abort_if_exception: [Bool; EXC_SIZE],
    /// The domain's preferred scalars.
    pub scalar_discr: ScalarDiscr,
    /// What the last call stored.
    pub result: CallResult,
    /// Frees `internal`.
    pub internal_free: *mut c_void,
    /// References to this manager: its creator's, and one for each of its values.
    pub count: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<Mpz>() == 16 && size_of::<Mpq>() == 32);
    assert!(size_of::<Scalar>() == 16 && offset_of!(Scalar, val) == 8);
    assert!(size_of::<Interval>() == 16);
    assert!(size_of::<Coeff>() == 16 && offset_of!(Coeff, val) == 8);
    assert!(size_of::<Linterm>() == 24 && offset_of!(Linterm, coeff) == 8);
    assert!(size_of::<Linexpr0>() == 40 && offset_of!(Linexpr0, discr) == 16);
    assert!(offset_of!(Linexpr0, size) == 24 && offset_of!(Linexpr0, p) == 32);
    assert!(size_of::<Lincons0>() == 24 && offset_of!(Lincons0, constyp) == 8 && offset_of!(Lincons0, scalar) == 16);
    assert!(size_of::<Lincons0Array>() == 16 && size_of::<Abstract0>() == 16);
    assert!(size_of::<Dimchange>() == 24 && size_of::<Dimperm>() == 16);
    assert!(size_of::<Funopt>() == 32 && offset_of!(Funopt, max_object_size) == 16);
    assert!(size_of::<CallResult>() == 16 && offset_of!(CallResult, exn) == 8);
    assert!(offset_of!(CallResult, flag_exact) == 12);
    assert!(size_of::<Manager>() == 2112 && offset_of!(Manager, funptr) == 24);
    assert!(offset_of!(Manager, funopt) == 432 && offset_of!(Manager, abort_if_exception) == 432 + 1632);
    assert!(offset_of!(Manager, scalar_discr) == 432 + 1640 && offset_of!(Manager, result) == 2080);
    assert!(offset_of!(Manager, internal_free) == 2096 && offset_of!(Manager, count) == 2104);
};
