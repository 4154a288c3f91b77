//! Loading APRON.

use crate::error::LoadError;
use crate::functions::{BoxFunctions, Functions, OctagonFunctions, PolyhedraFunctions};
use crate::rounding::Rounding;
use crate::search;
use crate::types::{Bool, Manager};
use crate::{EXC_SIZE, Exc};
use libloading::os::unix::{Library as Shared, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::env;
use std::ffi::c_int;
use std::mem;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The loaded library: tables of its functions. It stays loaded until the process ends.
#[derive(Debug)]
pub struct Library {
    /// Functions common to all domains.
    pub apron: Functions,
    /// Octagons over doubles.
    pub oct_d: OctagonFunctions,
    /// Octagons over rationals.
    pub oct_mpq: OctagonFunctions,
    box_mpq: BoxFunctions,
    polka_mpq: PolyhedraFunctions,
    /// The thread's rounding mode.
    pub rounding: Rounding,
    place: Option<PathBuf>,
}

impl Library {
    /// The library, loaded at the first call. The same answer, good or bad, for the rest of the
    /// process. `SMALTI_WITHOUT_APRON=1` hides it, for tests of a machine that does not have it.
    ///
    /// # Errors
    ///
    /// When APRON is not on the machine, or not whole; the error says in one sentence what was
    /// looked for and what to do.
    pub fn load() -> Result<&'static Library, LoadError> {
        static LIBRARY: OnceLock<Result<Library, LoadError>> = OnceLock::new();
        LIBRARY.get_or_init(Library::open).as_ref().map_err(Clone::clone)
    }

    /// For tests, which may skip what needs APRON but not in silence: the library, or `None` and a
    /// line on standard output.
    ///
    /// # Panics
    ///
    /// When APRON is absent although `CI` is set, unless `SMALTI_WITHOUT_APRON=1` says that this is
    /// meant.
    pub fn for_test() -> Option<&'static Library> {
        match Library::load() {
            Ok(library) => Some(library),
            Err(error) => {
                assert!(env::var_os("CI").is_none() || hidden(), "{error}");
                println!("skipped: {error}");
                None
            }
        }
    }

    /// The folder that the library was found in; `None` if the system's loader found it.
    pub fn place(&self) -> Option<&PathBuf> {
        self.place.as_ref()
    }

    /// A manager of octagons over doubles, for this thread.
    ///
    /// # Errors
    ///
    /// On a machine that pretends to round upwards and does not, where such octagons would be
    /// wrong.
    pub fn octagon_manager(&self) -> Result<*mut Manager, LoadError> {
        self.rounding.check()?;
        // SAFETY: the function takes nothing and has no precondition.
        Ok(self.manager(|| unsafe { (self.oct_d.oct_manager_alloc)() }))
    }

    /// A manager of octagons over rationals, for this thread.
    pub fn octagon_mpq_manager(&self) -> *mut Manager {
        // SAFETY: the function takes nothing and has no precondition.
        self.manager(|| unsafe { (self.oct_mpq.oct_manager_alloc)() })
    }

    /// A manager of boxes over rationals, for this thread.
    pub fn box_manager(&self) -> *mut Manager {
        // SAFETY: the function takes nothing and has no precondition.
        self.manager(|| unsafe { (self.box_mpq.box_manager_alloc)() })
    }

    /// A manager of topologically closed convex polyhedra over rationals, for this thread.
    pub fn polyhedra_manager(&self) -> *mut Manager {
        const NO_STRICT_CONSTRAINTS: Bool = 0;
        // SAFETY: the function takes a flag and has no precondition.
        self.manager(|| unsafe { (self.polka_mpq.pk_manager_alloc)(NO_STRICT_CONSTRAINTS) })
    }

    /// Makes a manager without leaving its marks on the thread or the process: constructors change
    /// the rounding mode, and some leave exceptions set to end the process.
    fn manager(&self, make: impl FnOnce() -> *mut Manager) -> *mut Manager {
        let manager = self.rounding.upward(make);
        assert!(!manager.is_null(), "no memory for a manager of APRON");
        for exception in 0..EXC_SIZE as Exc {
            // SAFETY: the manager was made just now, and the exception is one of those there are.
            unsafe { (self.apron.ap_manager_set_abort_if_exception)(manager, exception, 0) };
        }
        manager
    }

    fn open() -> Result<Library, LoadError> {
        // The number formats below are those of 64-bit machines.
        if cfg!(not(target_pointer_width = "64")) {
            return Err(LoadError::unsupported("it is not a 64-bit machine"));
        }
        if hidden() {
            return Err(LoadError::hidden());
        }
        let prefixes = search::prefixes();
        let prefix = prefixes.iter().find(|prefix| search::find(prefix, "apron", "0").is_some());
        let open = |library: &str, version: &str, scope: c_int| -> Result<Shared, libloading::Error> {
            if let Some(file) = prefix.and_then(|prefix| search::find(prefix, library, version)) {
                return open_file(file, scope);
            }
            let mut names = search::file_names(library, version).into_iter();
            let first = open_file(names.next().unwrap_or_default(), scope);
            first.or_else(|error| names.find_map(|name| open_file(name, scope).ok()).ok_or(error))
        };
        let global = |library, version| open(library, version, RTLD_GLOBAL);
        // Named in full: without a version there is only a linker script of that name.
        let libm = if cfg!(target_os = "macos") { open_file("libSystem.dylib", RTLD_GLOBAL) } else { global("m", "6") };
        let libm = libm.map_err(|_| LoadError::unsupported("it has no libm.so.6"))?;
        // Where APRON's libraries do name what they depend on, these may fail; where they do not,
        // `libapron` will.
        let gmp = global("gmp", "10");
        let mpfr = global("mpfr", "6");
        let apron = global("apron", "0").map_err(|error| match prefix {
            None => LoadError::not_found(),
            Some(_) => LoadError::broken(&gmp.as_ref().err().or(mpfr.as_ref().err()).unwrap_or(&error).to_string()),
        })?;
        if let Ok(gmp) = &gmp {
            // SAFETY: the symbol is a `const int` of GMP; it is read once, while the library is
            // open.
            let bits = unsafe { gmp.get::<*const c_int>(b"__gmp_bits_per_limb\0").map(|bits| **bits) };
            if bits.is_ok_and(|bits| bits != 64) {
                return Err(LoadError::unsupported("its GMP does not have limbs of 64 bits"));
            }
        }
        let local = |library| open(library, "0", RTLD_LOCAL);
        let broken = |error: libloading::Error| LoadError::broken(&error.to_string());
        let (oct_d, oct_mpq) = (local("octD").map_err(broken)?, local("octMPQ").map_err(broken)?);
        let (box_mpq, polka_mpq) = (local("boxMPQ").map_err(broken)?, local("polkaMPQ").map_err(broken)?);
        // SAFETY: these are the libraries of the names asked for, and `keep` below leaves them open
        // for ever. That their prototypes are those declared holds for all versions of APRON from
        // 0.9.10 to 0.9.15.
        let library = unsafe {
            Library {
                apron: Functions::from(&apron).map_err(broken)?,
                oct_d: OctagonFunctions::from(&oct_d).map_err(broken)?,
                oct_mpq: OctagonFunctions::from(&oct_mpq).map_err(broken)?,
                box_mpq: BoxFunctions::from(&box_mpq).map_err(broken)?,
                polka_mpq: PolyhedraFunctions::from(&polka_mpq).map_err(broken)?,
                rounding: Rounding::from(&libm)?,
                place: prefix.and_then(|prefix| search::find(prefix, "apron", "0")?.parent().map(PathBuf::from)),
            }
        };
        let keep = [Some(libm), gmp.ok(), mpfr.ok()].into_iter().flatten();
        keep.chain([apron, oct_d, oct_mpq, box_mpq, polka_mpq]).for_each(mem::forget);
        Ok(library)
    }
}

/// Whether the environment asks us to behave as on a machine without APRON.
fn hidden() -> bool {
    env::var_os("SMALTI_WITHOUT_APRON").is_some_and(|v| v == "1")
}

/// Opens a shared library by path or by a name for the system's loader. All of its symbols are
/// resolved at once: what is missing then fails here, and not in the middle of an analysis.
fn open_file(file: impl libloading::AsFilename, scope: c_int) -> Result<Shared, libloading::Error> {
    // SAFETY: the initialisers of APRON's libraries, and of those they stand on, do nothing that
    // Rust code could observe.
    unsafe { Shared::open(Some(file), RTLD_NOW | scope) }
}
