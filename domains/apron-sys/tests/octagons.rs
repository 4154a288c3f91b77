//! The bindings against the real library.
#![allow(unsafe_code)]

use apron_sys::*;
use std::ffi::CStr;
use std::ptr;

/// A rational with denominator 1, for as long as `limbs` live.
fn rational(number: i64, limbs: &mut [u64; 2]) -> Mpq {
    *limbs = [number.unsigned_abs(), 1];
    let size = if number == 0 { 0 } else { number.signum() as i32 };
    Mpq {
        num: Mpz { alloc: 0, size, limbs: &raw mut limbs[0] },
        den: Mpz { alloc: 0, size: 1, limbs: &raw mut limbs[1] },
    }
}

/// The conjunction of `a * x0 + b * x1 + c >= 0` for each triple.
fn constraints(apron: &Functions, triples: &[[i64; 3]]) -> Lincons0Array {
    // SAFETY: the array has as many constraints as it is asked for, each expression two terms.
    unsafe {
        let array = (apron.ap_lincons0_array_make)(triples.len());
        for (i, triple) in triples.iter().enumerate() {
            let e = (apron.ap_linexpr0_alloc)(LINEXPR_SPARSE, 2);
            let mut limbs = [0; 2];
            for (dim, &factor) in triple[..2].iter().enumerate() {
                let term = (*e).p.linterm.add(dim);
                (*term).dim = dim as Dim;
                (apron.ap_coeff_set_scalar_mpq)(&raw mut (*term).coeff, &rational(factor, &mut limbs));
            }
            (apron.ap_coeff_set_scalar_mpq)(&raw mut (*e).cst, &rational(triple[2], &mut limbs));
            *array.p.add(i) = Lincons0 { linexpr0: e, constyp: CONS_SUPEQ, scalar: ptr::null_mut() };
        }
        array
    }
}

/// The bounds of a dimension of an octagon over doubles.
fn bounds(library: &Library, manager: *mut Manager, value: *mut Abstract0, dim: Dim) -> (f64, f64) {
    let apron = &library.apron;
    // SAFETY: the interval is one of doubles, since the manager is one of octagons over doubles.
    unsafe {
        let interval = library.rounding.upward(|| (apron.ap_abstract0_bound_dimension)(manager, value, dim));
        let (inf, sup) = ((*interval).inf, (*interval).sup);
        assert_eq!(((*inf).discr, (*sup).discr), (SCALAR_DOUBLE, SCALAR_DOUBLE));
        let result = ((*inf).val.dbl, (*sup).val.dbl);
        (apron.ap_interval_free)(interval);
        result
    }
}

#[test]
fn octagons_are_met_with_constraints_and_joined() {
    let Some(library) = Library::for_test() else { return };
    let (apron, manager) = (&library.apron, library.octagon_manager().unwrap());
    // SAFETY: values and constraints are freed once, values before their manager.
    unsafe {
        let meet = |mut array: Lincons0Array| {
            let result = library.rounding.upward(|| {
                let top = (apron.ap_abstract0_top)(manager, 0, 2);
                (apron.ap_abstract0_meet_lincons_array)(manager, 1, top, &raw mut array)
            });
            (apron.ap_lincons0_array_clear)(&raw mut array);
            result
        };
        // x0 = 3, x1 >= x0; and x0 = 5, x1 = 1.
        let a = meet(constraints(apron, &[[1, 0, -3], [-1, 0, 3], [-1, 1, 0]]));
        let b = meet(constraints(apron, &[[1, 0, -5], [-1, 0, 5], [0, 1, -1], [0, -1, 1]]));
        let joined = library.rounding.upward(|| (apron.ap_abstract0_join)(manager, 0, a, b));
        assert_eq!(bounds(library, manager, joined, 0), (3.0, 5.0));
        assert_eq!(bounds(library, manager, joined, 1), (1.0, f64::INFINITY));
        for (small, large, expected) in [(a, joined, true), (b, joined, true), (joined, a, false)] {
            let leq = library.rounding.upward(|| (apron.ap_abstract0_is_leq)(manager, small, large));
            assert_eq!(leq != 0, expected);
        }
        for value in [a, b, joined] {
            (apron.ap_abstract0_free)(manager, value);
        }
        (apron.ap_manager_free)(manager);
    }
}

#[test]
fn managers_have_the_declared_layout() {
    let Some(library) = Library::for_test() else { return };
    let all = [
        (library.octagon_manager().unwrap(), "oct"),
        (library.octagon_mpq_manager(), "oct"),
        (library.box_manager(), "box"),
        (library.polyhedra_manager(), "polka"),
    ];
    for (manager, name) in all {
        // SAFETY: a new manager; its name is a C string. `count` is the last field, so a shift
        // anywhere shows.
        unsafe {
            assert!(CStr::from_ptr((*manager).library).to_str().unwrap().contains(name));
            assert_eq!((*manager).abort_if_exception, [0; EXC_SIZE]);
            assert_eq!((*manager).result.exn, EXC_NONE);
            assert!((*manager).result.exclog.is_null());
            assert_eq!((*manager).count, 1);
            let value = library.rounding.upward(|| (library.apron.ap_abstract0_top)(manager, 0, 1));
            assert_eq!((*manager).count, 2);
            (library.apron.ap_abstract0_free)(manager, value);
            assert_eq!((*manager).count, 1);
            (library.apron.ap_manager_free)(manager);
        }
    }
}

#[test]
fn an_exception_is_reported_in_the_result_and_does_not_end_the_process() {
    let Some(library) = Library::for_test() else { return };
    let (apron, manager) = (&library.apron, library.polyhedra_manager());
    // SAFETY: APRON checks the dimension and answers with an interval all the same.
    unsafe {
        let top = (apron.ap_abstract0_top)(manager, 0, 2);
        let interval = (apron.ap_abstract0_bound_dimension)(manager, top, 7);
        (apron.ap_interval_free)(interval);
        assert_eq!((*manager).result.exn, EXC_INVALID_ARGUMENT);
        assert!(!(*manager).result.exclog.is_null());
        (apron.ap_manager_clear_exclog)(manager);
        assert!((*manager).result.exclog.is_null());
        (apron.ap_abstract0_free)(manager, top);
        (apron.ap_manager_free)(manager);
    }
}

#[test]
fn constructors_of_managers_leave_the_rounding_mode_alone() {
    let Some(library) = Library::for_test() else { return };
    let managers = [
        library.octagon_manager().unwrap(),
        library.octagon_mpq_manager(),
        library.box_manager(),
        library.polyhedra_manager(),
    ];
    assert!(!library.rounding.is_upward());
    assert_eq!("0.3".parse::<f64>().unwrap().to_bits(), 0.3f64.to_bits());
    assert!(library.rounding.upward(|| library.rounding.is_upward()));
    assert!(!library.rounding.is_upward());
    for manager in managers {
        // SAFETY: made above, freed once, no value left.
        unsafe { (library.apron.ap_manager_free)(manager) };
    }
}

#[test]
fn a_panic_in_a_guarded_call_restores_the_rounding_mode() {
    let Some(library) = Library::for_test() else { return };
    let result = std::panic::catch_unwind(|| library.rounding.upward(|| panic!("on purpose")));
    assert!(result.is_err() && !library.rounding.is_upward());
}
