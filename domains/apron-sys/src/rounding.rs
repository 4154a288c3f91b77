//! Switches the rounding mode of the thread around calls of APRON.

use crate::error::LoadError;
use libloading::os::unix::Library as Shared;
use std::ffi::c_int;
use std::hint::black_box;

/// `FE_UPWARD` of `<fenv.h>`, where it is known.
const UPWARD: Option<c_int> = if cfg!(any(target_arch = "x86_64", target_arch = "x86")) {
    Some(0x800)
} else if cfg!(target_arch = "aarch64") {
    Some(0x40_0000)
} else if cfg!(any(target_arch = "riscv64", target_arch = "riscv32")) {
    Some(3)
} else {
    None
};

/// Access to the thread's rounding mode through libm.
///
/// APRON's domains over doubles are sound only while the thread rounds upwards; Rust's own
/// arithmetic is right only while it rounds to nearest (`"0.3".parse()` would give another number,
/// and new threads inherit the mode). So the mode is upward during a call and at no other time.
#[derive(Debug)]
pub struct Rounding {
    get: unsafe extern "C" fn() -> c_int,
    set: unsafe extern "C" fn(c_int) -> c_int,
    upward: c_int,
}

impl Rounding {
    /// Finds the functions in `libm`.
    ///
    /// # Safety
    ///
    /// The library is the C mathematical library, and is never closed.
    pub(crate) unsafe fn from(libm: &Shared) -> Result<Self, LoadError> {
        let upward = UPWARD.ok_or_else(|| LoadError::unsupported("its rounding modes are unknown to smalti"))?;
        // SAFETY: by the caller's promise these are the functions of <fenv.h>, which have this type
        // in every C library.
        let (get, set) = unsafe { (libm.get(b"fegetround\0"), libm.get(b"fesetround\0")) };
        match (get, set) {
            (Ok(get), Ok(set)) => Ok(Rounding { get: *get, set: *set, upward }),
            _ => Err(LoadError::unsupported("its mathematical library has no fegetround")),
        }
    }

    /// Runs `call` while this thread rounds upwards, and restores the mode it had, also when `call`
    /// panics. `call` should do no floating-point arithmetic of Rust's own.
    pub fn upward<T>(&self, call: impl FnOnce() -> T) -> T {
        struct Restore<'a>(&'a Rounding, c_int);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                // SAFETY: the mode is one that fegetround returned.
                unsafe { (self.0.set)(self.1) };
            }
        }
        // SAFETY: fegetround takes nothing and has no precondition.
        let restore = Restore(self, unsafe { (self.get)() });
        // SAFETY: FE_UPWARD is a mode of this architecture. Were it refused, doubles would be
        // rounded downwards sometimes, so the return value is checked.
        let refused = unsafe { (self.set)(self.upward) };
        assert_eq!(refused, 0, "this machine cannot round upwards");
        let result = call();
        drop(restore);
        result
    }

    /// Sees for itself that the machine rounds as it says: emulators have been met that accept the
    /// mode and ignore it.
    ///
    /// # Errors
    ///
    /// When a sum that should round upwards does not.
    pub(crate) fn check(&self) -> Result<(), LoadError> {
        // The one place where Rust's own arithmetic runs in the other mode; hidden from the
        // compiler, so that it does run.
        let sum = self.upward(|| black_box(black_box(1.0f64) + black_box(f64::EPSILON / 4.0)));
        if sum > 1.0 { Ok(()) } else { Err(LoadError::unsupported("it does not round upwards when asked to")) }
    }

    /// Whether this thread rounds upwards now.
    pub fn is_upward(&self) -> bool {
        // SAFETY: fegetround takes nothing and has no precondition.
        unsafe { (self.get)() == self.upward }
    }
}
