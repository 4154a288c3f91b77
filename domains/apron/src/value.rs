//! Values of APRON: ownership, and the operations on dimensions that elements are made of.
#![allow(unsafe_code)]

use crate::convert::{Number, OwnedConstraints, OwnedExpr, Row};
use crate::kind::Kind;
use crate::manager::Manager;
use apron_sys::{self as sys, Bool, Dim, Functions};
use smalti_core::{Constraint, Var};
use std::cell::Cell;
use std::mem;
use std::ptr::{self, NonNull};
use std::rc::Rc;

/// A value over dimensions `0..n`, all of them real to APRON. It is shared through an `Rc`; an
/// operation that changes it consumes it if it has no other owner, and makes a new one otherwise.
pub(crate) struct Value {
    manager: Rc<Manager>,
    raw: NonNull<sys::Abstract0>,
    /// APRON raised an exception while it worked on the value: what it caches inside may be half
    /// made (polyhedra then crash when they are used again), so the value is never given to APRON
    /// again but to be freed. Nothing is known of it.
    spoilt: Cell<bool>,
}

/// The real interval of an expression, each bound with the integers next to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) lo: Option<Bound>,
    pub(crate) hi: Option<Bound>,
}

/// A finite bound, between two integers or equal to both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) floor: i128,
    pub(crate) ceil: i128,
}

impl Value {
    /// All valuations of `n` dimensions.
    pub(crate) fn top(manager: &Rc<Manager>, n: usize) -> Option<Rc<Value>> {
        // SAFETY: the function has no precondition; the value is taken over below.
        Value::take(manager, |apron, raw| unsafe { (apron.ap_abstract0_top)(raw, 0, n) })
    }

    /// Whether the value is certainly empty over the reals.
    pub(crate) fn is_bottom(&self) -> bool {
        // SAFETY: the value is alive, and of this manager.
        self.asks(|apron, raw, value| unsafe { (apron.ap_abstract0_is_bottom)(raw, value) })
    }

    /// Whether every valuation of `self` is certainly one of `other`, which has as many dimensions.
    pub(crate) fn leq(&self, other: &Value) -> bool {
        if other.spoilt.get() {
            return false;
        }
        let with = other.raw.as_ptr();
        // SAFETY: both values are alive, in this thread, and of the same kind.
        let answer = self.asks(|apron, raw, value| unsafe { (apron.ap_abstract0_is_leq)(raw, value, with) });
        other.spoilt.set(self.spoilt.get());
        answer
    }

    /// Whether a dimension is certainly unconstrained.
    pub(crate) fn is_unconstrained(&self, dim: usize) -> bool {
        // SAFETY: the value is alive, and of this manager; the dimension is checked by APRON.
        self.asks(|apron, raw, value| unsafe {
            (apron.ap_abstract0_is_dimension_unconstrained)(raw, value, dim as Dim)
        })
    }

    /// The interval of an expression, in numbers of the domain; `None` if the value is empty.
    pub(crate) fn bounds(&self, row: &Row) -> Option<Bounds> {
        debug_assert!(self.holds_numbers_of(row));
        if self.spoilt.get() {
            return Some(Bounds { lo: None, hi: None });
        }
        let apron = &self.manager.library().apron;
        let e = OwnedExpr::new(apron, row);
        let value = self.raw.as_ptr();
        // SAFETY: the value is alive and of this manager; the expression lives to the end of this
        // function.
        let call = |apron: &Functions, raw| unsafe { (apron.ap_abstract0_bound_linexpr)(raw, value, e.raw()) };
        let (interval, raised) = self.manager.call(call);
        self.spoilt.set(raised.is_err());
        let unknown = Bounds { lo: None, hi: None };
        if interval.is_null() {
            return Some(unknown);
        }
        // SAFETY: APRON returned an interval, which is ours now, is read while it lives, and is
        // freed here and not again.
        let (lo, hi) = unsafe {
            let read = (Number::read((*interval).inf), Number::read((*interval).sup));
            (apron.ap_interval_free)(interval);
            read
        };
        if raised.is_err() {
            return Some(unknown);
        }
        // The empty interval is one whose ends are the wrong way round.
        if (lo, hi) == (Some(Number::High), Some(Number::Low)) {
            return None;
        }
        let bound = |n: Option<Number>| n.and_then(Number::finite).map(|r| Bound { floor: r.floor(), ceil: r.ceil() });
        let (lo, hi) = (bound(lo), bound(hi));
        match (lo, hi) {
            // Stricter than `lo > hi` over the reals: there may be no integer between them.
            (Some(l), Some(h)) if l.ceil > h.floor => None,
            _ => Some(Bounds { lo, hi }),
        }
    }

    /// The value as constraints over `vars`, dimension by dimension; what does not fit is left out.
    pub(crate) fn constraints(&self, vars: &[Var]) -> Vec<Constraint> {
        self.read_constraints(|array| array.read(vars)).unwrap_or_default()
    }

    /// Like [`Value::constraints`], but `None` if something had to be left out.
    pub(crate) fn whole_constraints(&self, vars: &[Var]) -> Option<Vec<Constraint>> {
        self.read_constraints(|array| array.read_whole(vars)).flatten()
    }

    fn read_constraints<R>(&self, read: impl FnOnce(&OwnedConstraints<'_>) -> R) -> Option<R> {
        if self.spoilt.get() {
            return None;
        }
        let value = self.raw.as_ptr();
        // SAFETY: the value is alive, and of this manager.
        let call = |apron: &Functions, raw| unsafe { (apron.ap_abstract0_to_lincons_array)(raw, value) };
        let (array, raised) = self.manager.call(call);
        self.spoilt.set(raised.is_err());
        // SAFETY: the array is what APRON just returned, and is owned here alone.
        let array = unsafe { OwnedConstraints::take(&self.manager.library().apron, array) };
        raised.is_ok().then(|| read(&array))
    }

    /// The valuations that satisfy each `row >= 0` (or `== 0`, where the flag is set), as far as
    /// the domain's numbers can say it.
    pub(crate) fn meet_rows(self: Rc<Self>, rows: &[(Row, bool)]) -> Option<Rc<Value>> {
        let manager = Rc::clone(&self.manager);
        let mut loose = Vec::new();
        if manager.kind().is_double() {
            rows.iter().for_each(|(row, equal)| row.push_in_doubles(*equal, &mut loose));
        }
        let rows = if manager.kind().is_double() { &loose } else { rows };
        if rows.is_empty() {
            return Some(self);
        }
        if !self.is_complete() {
            return None;
        }
        let mut constraints = OwnedConstraints::new(&manager.library().apron, rows);
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the value is alive, and consumed if `destructive`; the constraints live to
            // the end of this function.
            unsafe { (apron.ap_abstract0_meet_lincons_array)(raw, destructive, value, constraints.raw()) }
        })
    }

    /// The intersection with a value of as many dimensions.
    pub(crate) fn meet(self: Rc<Self>, other: &Value) -> Option<Rc<Value>> {
        self.combined(other, |apron, raw, destructive, value, other| {
            // SAFETY: both values are alive; `value` is consumed if `destructive`, and then it has
            // no other owner.
            unsafe { (apron.ap_abstract0_meet)(raw, destructive, value, other) }
        })
    }

    /// The least upper bound with a value of as many dimensions.
    pub(crate) fn join(self: Rc<Self>, other: &Value) -> Option<Rc<Value>> {
        self.combined(other, |apron, raw, destructive, value, other| {
            // SAFETY: as in `meet`.
            unsafe { (apron.ap_abstract0_join)(raw, destructive, value, other) }
        })
    }

    /// Whether the domain's numbers can hold those of an expression.
    pub(crate) fn holds_numbers_of(&self, row: &Row) -> bool {
        !self.manager.kind().is_double() || row.is_of_doubles()
    }

    /// Dimension `dim` gets the value of an expression, in numbers of the domain.
    pub(crate) fn assign(self: Rc<Self>, dim: usize, row: &Row) -> Option<Rc<Value>> {
        debug_assert!(self.holds_numbers_of(row));
        let manager = Rc::clone(&self.manager);
        let e = OwnedExpr::new(&manager.library().apron, row);
        let (mut dims, mut exprs) = ([dim as Dim], [e.raw()]);
        self.changed(|apron, raw, destructive, value| {
            let (dims, exprs) = (dims.as_mut_ptr(), exprs.as_mut_ptr());
            // SAFETY: the arrays have one entry each; the value is alive, and consumed if
            // `destructive`; a null destination means none.
            unsafe {
                (apron.ap_abstract0_assign_linexpr_array)(raw, destructive, value, dims, exprs, 1, ptr::null_mut())
            }
        })
    }

    /// Inserts unconstrained dimensions, each before the old dimension of that number (ascending;
    /// repetitions allowed).
    pub(crate) fn add(self: Rc<Self>, before: &mut [Dim]) -> Option<Rc<Value>> {
        let mut change = sys::Dimchange { dim: before.as_mut_ptr(), intdim: 0, realdim: before.len() };
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the change is an array of that length; the value is alive, and consumed if
            // `destructive`.
            unsafe { (apron.ap_abstract0_add_dimensions)(raw, destructive, value, &raw mut change, 0) }
        })
    }

    /// Projects dimensions away (ascending, no repetitions).
    pub(crate) fn remove(self: Rc<Self>, dims: &mut [Dim]) -> Option<Rc<Value>> {
        let mut change = sys::Dimchange { dim: dims.as_mut_ptr(), intdim: 0, realdim: dims.len() };
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the change is an array of that length; the value is alive, and consumed if
            // `destructive`.
            unsafe { (apron.ap_abstract0_remove_dimensions)(raw, destructive, value, &raw mut change) }
        })
    }

    /// Dimension `k` becomes dimension `target[k]`.
    pub(crate) fn permute(self: Rc<Self>, target: &mut [Dim]) -> Option<Rc<Value>> {
        let mut permutation = sys::Dimperm { dim: target.as_mut_ptr(), size: target.len() };
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the permutation is an array of that length, one entry per dimension; the
            // value is alive, and consumed if `destructive`.
            unsafe { (apron.ap_abstract0_permute_dimensions)(raw, destructive, value, &raw mut permutation) }
        })
    }

    /// Adds one copy of `dim`, as the last dimension.
    pub(crate) fn expand(self: Rc<Self>, dim: usize) -> Option<Rc<Value>> {
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the value is alive, and consumed if `destructive`; the dimension is checked
            // by APRON.
            unsafe { (apron.ap_abstract0_expand)(raw, destructive, value, dim as Dim, 1) }
        })
    }

    /// Folds the second dimension into the first and removes it; they are ascending.
    pub(crate) fn fold(self: Rc<Self>, mut dims: [Dim; 2]) -> Option<Rc<Value>> {
        self.changed(|apron, raw, destructive, value| {
            // SAFETY: the value is alive, and consumed if `destructive`; the array has two entries.
            unsafe { (apron.ap_abstract0_fold)(raw, destructive, value, dims.as_mut_ptr(), 2) }
        })
    }

    /// The domain's widening. `self` is left as it is: in particular it is not closed, which would
    /// cost termination.
    pub(crate) fn widen(&self, next: &Value) -> Option<Rc<Value>> {
        // SAFETY: both values are alive and have as many dimensions; the function consumes neither.
        self.followed(next, |apron, raw, prev, next| unsafe { (apron.ap_abstract0_widening)(raw, prev, next) })
    }

    /// The octagon's widening, its matrix entries stopping at `thresholds` (ascending).
    pub(crate) fn widen_octagon(&self, next: &Value, thresholds: &[i128]) -> Option<Rc<Value>> {
        let library = self.manager.library();
        let octagon = if self.manager.kind().is_double() { &library.oct_d } else { &library.oct_mpq };
        let mut scalars = crate::convert::OwnedScalars::new(&library.apron, thresholds);
        self.followed(next, |_, raw, prev, next| {
            let array = scalars.raw();
            // SAFETY: both values are octagons of this manager's library; the array has that many
            // scalars and lives on.
            unsafe { (octagon.ap_abstract0_oct_widening_thresholds)(raw, prev, next, array, thresholds.len()) }
        })
    }

    /// [`Value::changed`] by a function of another value too.
    fn combined(
        self: Rc<Self>,
        other: &Value,
        f: impl FnOnce(&Functions, *mut sys::Manager, Bool, *mut sys::Abstract0, *mut sys::Abstract0) -> *mut sys::Abstract0,
    ) -> Option<Rc<Value>> {
        if other.spoilt.get() || !self.is_complete() || !other.is_complete() {
            return None;
        }
        let with = other.raw.as_ptr();
        let result = self.changed(|apron, raw, destructive, value| f(apron, raw, destructive, value, with));
        other.spoilt.set(result.is_none());
        result
    }

    /// Whether both descriptions of a polyhedron are there, or could be made. APRON makes them when
    /// it combines polyhedra, and goes on with a null pointer where one is larger than the limit.
    fn is_complete(&self) -> bool {
        self.manager.kind() != Kind::Polyhedra
            || self.asks(|apron, raw, value| {
                // SAFETY: the value is alive, and of this manager.
                unsafe { (apron.ap_abstract0_canonicalize)(raw, value) };
                1
            })
    }

    /// A new value from this one and the `next` one, neither of which is consumed.
    fn followed(
        &self,
        next: &Value,
        f: impl FnOnce(&Functions, *mut sys::Manager, *mut sys::Abstract0, *mut sys::Abstract0) -> *mut sys::Abstract0,
    ) -> Option<Rc<Value>> {
        if self.spoilt.get() || next.spoilt.get() {
            return None;
        }
        let (prev, with) = (self.raw.as_ptr(), next.raw.as_ptr());
        let result = Value::take(&self.manager, |apron, raw| f(apron, raw, prev, with));
        self.spoilt.set(result.is_none());
        next.spoilt.set(result.is_none());
        result
    }

    /// A yes that can be relied on; no is also the answer when APRON raises an exception.
    fn asks(&self, f: impl FnOnce(&Functions, *mut sys::Manager, *mut sys::Abstract0) -> Bool) -> bool {
        if self.spoilt.get() {
            return false;
        }
        let value = self.raw.as_ptr();
        let (answer, raised) = self.manager.call(|apron, raw| f(apron, raw, value));
        self.spoilt.set(raised.is_err());
        raised.is_ok() && answer == 1
    }

    /// Makes a changed value, of `self` itself if it has no other owner. `None` after an exception:
    /// the old value may be gone.
    fn changed(
        self: Rc<Self>,
        f: impl FnOnce(&Functions, *mut sys::Manager, Bool, *mut sys::Abstract0) -> *mut sys::Abstract0,
    ) -> Option<Rc<Value>> {
        if self.spoilt.get() {
            return None;
        }
        let manager = Rc::clone(&self.manager);
        let value = self.raw.as_ptr();
        let mut shared = None;
        let destructive = match Rc::try_unwrap(self) {
            Ok(mut sole) => {
                // From here on `f` owns the raw value: APRON consumes it whatever happens. The
                // reference to the manager must still go, or it would never be freed. SAFETY:
                // `sole` is not used again, since `forget` follows; the field is read once.
                let reference = unsafe { ptr::read(&raw mut sole.manager) };
                mem::forget(sole);
                drop(reference);
                1
            }
            // The other holders keep the value alive during the call, since this thread does
            // nothing else.
            Err(kept) => {
                shared = Some(kept);
                0
            }
        };
        let result = Value::take(&manager, |apron, raw| f(apron, raw, destructive, value));
        if let Some(kept) = shared {
            kept.spoilt.set(result.is_none());
        }
        result
    }

    /// Takes over a value that APRON returns; `None` after an exception.
    fn take(
        manager: &Rc<Manager>,
        f: impl FnOnce(&Functions, *mut sys::Manager) -> *mut sys::Abstract0,
    ) -> Option<Rc<Value>> {
        let (raw, raised) = manager.call(f);
        let raw = NonNull::new(raw)?;
        // SAFETY: APRON returned this value. Without an inside there is nothing that could be freed
        // or used.
        if unsafe { (*raw.as_ptr()).value.is_null() } {
            return None;
        }
        // Owned from here on, so that it is freed even if it is not wanted.
        let value = Value { manager: Rc::clone(manager), raw, spoilt: Cell::new(false) };
        raised.ok().map(|()| Rc::new(value))
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        let value = self.raw.as_ptr();
        // SAFETY: this is the only owner of a live value.
        let ((), _) = self.manager.call(|apron, raw| unsafe { (apron.ap_abstract0_free)(raw, value) });
    }
}
