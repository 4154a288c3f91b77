//! Handles Ctrl-C and SIGTERM while a child process or its folder exists, or a result is being
//! computed: first clean up or answer, then end.
//!
//! At all other times a signal has its default action.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

struct Listening {
    /// No guard is alive.
    idle: Arc<AtomicBool>,
    /// The number of the signal that came, or 0.
    signal: Arc<AtomicUsize>,
    /// How many guards are alive.
    guards: Mutex<usize>,
}

static LISTENING: OnceLock<Listening> = OnceLock::new();

fn listening() -> &'static Listening {
    LISTENING.get_or_init(|| {
        let idle = Arc::new(AtomicBool::new(true));
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // If the system does not allow a handler, the default action remains: the children then
            // outlive smalti until their own time limit.
            let _ = signal_hook::flag::register_conditional_default(number, idle.clone());
            let _ = signal_hook::flag::register_usize(number, signal.clone(), number as usize);
        }
        Listening { idle, signal, guards: Mutex::new(0) }
    })
}

/// The number of the signal that came while a guard was alive.
pub(crate) fn signal() -> Option<u8> {
    u8::try_from(listening().signal.load(Ordering::SeqCst)).ok().filter(|number| *number != 0)
}

/// While it lives, SIGINT, SIGTERM and SIGHUP are kept until it is dropped.
pub(crate) struct Guard(());

impl Guard {
    pub(crate) fn new() -> Guard {
        let listening = listening();
        let mut guards = listening.guards.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *guards += 1;
        listening.idle.store(false, Ordering::SeqCst);
        Guard(())
    }

    /// Whether a signal came: stop the work, clean up, and drop the guard.
    pub(crate) fn interrupted(&self) -> bool {
        self.signal().is_some()
    }

    /// The number of the signal that came.
    pub(crate) fn signal(&self) -> Option<u8> {
        signal()
    }

    /// Notes that the signal has been answered: the process ends by itself, not by the signal.
    pub(crate) fn answered(self) {
        std::mem::forget(self);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let listening = listening();
        let mut guards = listening.guards.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *guards -= 1;
        if *guards == 0 {
            listening.idle.store(true, Ordering::SeqCst);
            if let Ok(number) = i32::try_from(listening.signal.load(Ordering::SeqCst))
                && number != 0
            {
                // Returns only if the signal's default action is not available; then the run goes
                // on without the child.
                let _ = signal_hook::low_level::emulate_default_handler(number);
            }
        }
    }
}
