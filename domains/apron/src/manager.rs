//! One APRON domain in one thread, and the only way to call it.
#![allow(unsafe_code)]

use crate::kind::Kind;
use apron_sys::{self as sys, Functions, Library, LoadError};
use std::cell::Cell;
use std::ptr::NonNull;

/// The size (rows times columns of the larger of its two descriptions) at which a polyhedron is
/// given up.
pub const POLYHEDRON_LIMIT: usize = 1_500;

/// Owns APRON's manager. It lives in an `Rc` that every value holds, so it outlives them all and
/// neither can leave the thread: APRON writes into its manager's working space, and into values
/// that are only asked, without any lock.
pub(crate) struct Manager {
    library: &'static Library,
    raw: NonNull<sys::Manager>,
    kind: Kind,
    exceptions: Cell<u64>,
}

/// APRON raised an exception in the call; its log has been cleared.
#[derive(Debug)]
pub(crate) struct Exception;

impl Manager {
    /// A manager of one kind of values; an error if the library or the machine cannot have it.
    pub(crate) fn new(library: &'static Library, kind: Kind) -> Result<Manager, LoadError> {
        let raw = match kind {
            Kind::Octagon => library.octagon_manager()?,
            Kind::OctagonMpq => library.octagon_mpq_manager(),
            Kind::Box => library.box_manager(),
            Kind::Polyhedra => library.polyhedra_manager(),
        };
        let raw = NonNull::new(raw).expect("a manager is never null");
        if kind == Kind::Polyhedra {
            // SAFETY: the manager was made above, and no other code knows it yet.
            for options in unsafe { &mut (*raw.as_ptr()).funopt } {
                options.max_object_size = POLYHEDRON_LIMIT;
            }
        }
        Ok(Manager { library, raw, kind, exceptions: Cell::new(0) })
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn library(&self) -> &'static Library {
        self.library
    }

    /// How many references to APRON's manager there are: this one, and one for each value.
    #[cfg(test)]
    pub(crate) fn references(&self) -> usize {
        // SAFETY: the manager lives as long as `self`, and no reference to it is ever held.
        unsafe { (*self.raw.as_ptr()).count }
    }

    /// How many calls raised an exception.
    pub(crate) fn exceptions(&self) -> u64 {
        self.exceptions.get()
    }

    /// Calls APRON, in the rounding mode that its numbers need, and checks the exception flag. What
    /// the call returned comes back in either case, since it may have to be freed.
    pub(crate) fn call<T>(&self, f: impl FnOnce(&Functions, *mut sys::Manager) -> T) -> (T, Result<(), Exception>) {
        let (apron, raw) = (&self.library.apron, self.raw.as_ptr());
        // SAFETY: the manager lives as long as `self`, and no reference to it is ever held.
        unsafe { (*raw).result.exn = sys::EXC_NONE };
        let result = if self.kind.is_double() { self.library.rounding.upward(|| f(apron, raw)) } else { f(apron, raw) };
        // SAFETY: as above; clearing the log frees only what is in the log.
        let raised = unsafe {
            let raised = (*raw).result.exn != sys::EXC_NONE;
            if raised {
                (apron.ap_manager_clear_exclog)(raw);
            }
            raised
        };
        if raised {
            self.exceptions.set(self.exceptions.get() + 1);
            return (result, Err(Exception));
        }
        (result, Ok(()))
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: this is the reference that the constructor gave; all values, which hold an `Rc`
        // of `self`, are gone.
        unsafe { (self.library.apron.ap_manager_free)(self.raw.as_ptr()) };
    }
}
