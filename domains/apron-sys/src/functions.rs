//! The functions of APRON that smalti calls, as tables of pointers filled when the library is
//! loaded.

use crate::types::*;
use libloading::os::unix::Library as Shared;

/// Declares a table of C functions: one documented field each, and how to fill them all from a
/// library.
macro_rules! table {
    ($(#[$about:meta])* $visible:vis struct $table:ident { $($(#[$doc:meta])* fn $name:ident($($argument:ty),* $(,)?) $(-> $result:ty)?;)* }) => {
        $(#[$about])*
        #[derive(Debug)]
        $visible struct $table {
            $($(#[$doc])* pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $table {
            /// Finds every function in `library`.
            ///
            /// # Safety
            ///
            /// The library is APRON, of a version whose prototypes are those declared here, and is
            /// never closed.
            pub(crate) unsafe fn from(library: &Shared) -> Result<Self, libloading::Error> {
                Ok($table {
                    $(
                        // SAFETY: by the caller's promise the symbol has this type and outlives the
                        // process.
                        $name: unsafe { *library.get(concat!(stringify!($name), "\0").as_bytes())? },
                    )*
                })
            }
        }
    };
}

table! {
    /// Functions of `libapron`, common to all domains. Unless said otherwise a function that
    /// returns a value returns a new one that the caller frees, and consumes its first value if
    /// `destructive` (the first [`Bool`]) is not 0.
    pub struct Functions {
        /// Drops the caller's reference to a manager; its values keep it alive by references of
        /// their own.
        fn ap_manager_free(*mut Manager);
        /// Empties the log of exceptions (but leaves `result.exn` as it is).
        fn ap_manager_clear_exclog(*mut Manager);
        /// Sets whether an exception ends the process.
        fn ap_manager_set_abort_if_exception(*mut Manager, Exc, Bool);

        /// The value without valuations, of the given numbers of integer and real dimensions.
        fn ap_abstract0_bottom(*mut Manager, usize, usize) -> *mut Abstract0;
        /// All valuations of the given numbers of integer and real dimensions.
        fn ap_abstract0_top(*mut Manager, usize, usize) -> *mut Abstract0;
        /// A deep copy.
        fn ap_abstract0_copy(*mut Manager, *mut Abstract0) -> *mut Abstract0;
        /// The end of a value.
        fn ap_abstract0_free(*mut Manager, *mut Abstract0);

        /// Whether a value is certainly empty.
        fn ap_abstract0_is_bottom(*mut Manager, *mut Abstract0) -> Bool;
        /// Brings a value into its normal form, with all that the domain computes about values on
        /// demand.
        fn ap_abstract0_canonicalize(*mut Manager, *mut Abstract0);
        /// Whether the first value is certainly a subset of the second.
        fn ap_abstract0_is_leq(*mut Manager, *mut Abstract0, *mut Abstract0) -> Bool;
        /// Whether the values are certainly equal sets.
        fn ap_abstract0_is_eq(*mut Manager, *mut Abstract0, *mut Abstract0) -> Bool;
        /// Whether a dimension is certainly unconstrained.
        fn ap_abstract0_is_dimension_unconstrained(*mut Manager, *mut Abstract0, Dim) -> Bool;
        /// Whether every valuation certainly satisfies a constraint.
        fn ap_abstract0_sat_lincons(*mut Manager, *mut Abstract0, *mut Lincons0) -> Bool;
        /// The interval of a linear expression, to be freed.
        fn ap_abstract0_bound_linexpr(*mut Manager, *mut Abstract0, *mut Linexpr0) -> *mut Interval;
        /// The interval of a dimension, to be freed.
        fn ap_abstract0_bound_dimension(*mut Manager, *mut Abstract0, Dim) -> *mut Interval;
        /// The value as a conjunction, to be cleared.
        fn ap_abstract0_to_lincons_array(*mut Manager, *mut Abstract0) -> Lincons0Array;
        /// The intervals of all dimensions, to be freed by [`Self::ap_interval_array_free`].
        fn ap_abstract0_to_box(*mut Manager, *mut Abstract0) -> *mut *mut Interval;

        /// The intersection.
        fn ap_abstract0_meet(*mut Manager, Bool, *mut Abstract0, *mut Abstract0) -> *mut Abstract0;
        /// The least upper bound.
        fn ap_abstract0_join(*mut Manager, Bool, *mut Abstract0, *mut Abstract0) -> *mut Abstract0;
        /// The intersection with a conjunction.
        fn ap_abstract0_meet_lincons_array(*mut Manager, Bool, *mut Abstract0, *mut Lincons0Array) -> *mut Abstract0;
        /// Parallel assignment of expressions to dimensions; the last argument may be null.
        fn ap_abstract0_assign_linexpr_array(
            *mut Manager, Bool, *mut Abstract0, *mut Dim, *mut *mut Linexpr0, usize, *mut Abstract0,
        ) -> *mut Abstract0;
        /// Any value (or 0, if the last argument is not 0) for each of the given dimensions, with
        /// their number.
        fn ap_abstract0_forget_array(*mut Manager, Bool, *mut Abstract0, *mut Dim, usize, Bool) -> *mut Abstract0;

        /// Adds dimensions, unconstrained (or 0, if the last argument is not 0).
        fn ap_abstract0_add_dimensions(*mut Manager, Bool, *mut Abstract0, *mut Dimchange, Bool) -> *mut Abstract0;
        /// Removes dimensions (projection).
        fn ap_abstract0_remove_dimensions(*mut Manager, Bool, *mut Abstract0, *mut Dimchange) -> *mut Abstract0;
        /// Renumbers dimensions.
        fn ap_abstract0_permute_dimensions(*mut Manager, Bool, *mut Abstract0, *mut Dimperm) -> *mut Abstract0;
        /// Makes the given number of copies of a dimension, after all others of its kind.
        fn ap_abstract0_expand(*mut Manager, Bool, *mut Abstract0, Dim, usize) -> *mut Abstract0;
        /// Folds the given dimensions (with their number, ascending) into the first of them and
        /// removes the others.
        fn ap_abstract0_fold(*mut Manager, Bool, *mut Abstract0, *mut Dim, usize) -> *mut Abstract0;

        /// The widening of an iterate (left as it is: never closed) by a value that includes it.
        fn ap_abstract0_widening(*mut Manager, *mut Abstract0, *mut Abstract0) -> *mut Abstract0;

        /// An expression with the constant 0 and the given number of coefficients 0 (dense) or
        /// unused terms (sparse).
        fn ap_linexpr0_alloc(LinexprDiscr, usize) -> *mut Linexpr0;
        /// The end of an expression.
        fn ap_linexpr0_free(*mut Linexpr0);
        /// An array of the given number of constraints with null expressions.
        fn ap_lincons0_array_make(usize) -> Lincons0Array;
        /// Frees the constraints, their expressions and the array, but not the structure itself.
        fn ap_lincons0_array_clear(*mut Lincons0Array);
        /// Makes a coefficient the scalar of (a copy of) a rational.
        fn ap_coeff_set_scalar_mpq(*mut Coeff, *const Mpq);
        /// A scalar, 0.
        fn ap_scalar_alloc() -> *mut Scalar;
        /// Makes a scalar (a copy of) a rational.
        fn ap_scalar_set_mpq(*mut Scalar, *const Mpq);
        /// The end of a scalar.
        fn ap_scalar_free(*mut Scalar);
        /// The end of an interval.
        fn ap_interval_free(*mut Interval);
        /// Frees an array of the given number of intervals.
        fn ap_interval_array_free(*mut *mut Interval, usize);
    }
}

table! {
    /// Functions of an octagon library, `liboctD` or `liboctMPQ`.
    pub struct OctagonFunctions {
        /// A manager of octagons. Sets the thread's rounding mode and leaves it so.
        fn oct_manager_alloc() -> *mut Manager;
        /// Widening that stops at the given thresholds (with their number, ascending). They bound
        /// the entries of the matrix: sums and differences of two dimensions as they are, one
        /// dimension alone twice.
        fn ap_abstract0_oct_widening_thresholds(
            *mut Manager, *mut Abstract0, *mut Abstract0, *mut *mut Scalar, usize,
        ) -> *mut Abstract0;
    }
}

table! {
    /// Functions of the box library `libboxMPQ`. (The one over doubles is not used: in 0.9.10 it
    /// rounds the product of an interval and a negative number the wrong way, so that its boxes can
    /// lose values beyond `2^53`.)
    pub(crate) struct BoxFunctions {
        /// A manager of boxes. Sets the thread's rounding mode and leaves it so.
        fn box_manager_alloc() -> *mut Manager;
    }
}

table! {
    /// Functions of the polyhedra library `libpolkaMPQ`.
    pub(crate) struct PolyhedraFunctions {
        /// A manager of convex polyhedra, with strict constraints if the argument is not 0.
        fn pk_manager_alloc(Bool) -> *mut Manager;
    }
}
