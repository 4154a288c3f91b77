//! The limit on the memory of this process and its children together.
//!
//! The system limits the address space of each child. The memory that all processes use together is
//! measured ten times a second. If it exceeds the limit, the child is ended, which costs a stage
//! its answer. If this process alone exceeds the limit, the code that supervises the work ends it.
//! Resident memory is measured, so that reserved stacks do not count.

use std::sync::OnceLock;
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// In bytes.
static LIMIT: OnceLock<u64> = OnceLock::new();

/// The time between two measurements.
pub(crate) const EVERY: Duration = Duration::from_millis(100);

/// Sets the limit, in MiB, once for this process.
pub(crate) fn limit(mib: u64) {
    // There is one command line, so no second limit is set.
    let _ = LIMIT.set(mib.saturating_mul(1 << 20));
}

/// Whether this process alone uses more memory than it and its children together may use.
pub(crate) fn is_exceeded() -> bool {
    LIMIT.get().is_some_and(|limit| {
        let mut system = System::new();
        own(&mut system) > *limit
    })
}

/// The memory that a child may use in MiB: at most the limit for all processes.
pub(super) fn of_a_child(mib: u64) -> u64 {
    LIMIT.get().map_or(mib, |limit| mib.min(limit >> 20))
}

/// Measures the memory of a child at intervals.
pub(super) struct Watch {
    child: Pid,
    system: System,
    next: Instant,
}

impl Watch {
    /// Watches the process with this number and its children, if there is a limit.
    pub(super) fn new(child: u32) -> Option<Watch> {
        LIMIT.get().map(|_| Watch { child: Pid::from_u32(child), system: System::new(), next: Instant::now() })
    }

    /// Whether the child, its children and smalti together exceed the limit.
    pub(super) fn is_too_much(&mut self) -> bool {
        let (Some(limit), now) = (LIMIT.get(), Instant::now()) else { return false };
        if now < self.next {
            return false;
        }
        self.next = now + EVERY;
        refresh(&mut self.system, ProcessesToUpdate::All);
        let processes = self.system.processes();
        let belongs = |mut pid: Pid| {
            // A longer chain of parents does not lead to our child.
            for _ in 0..64 {
                if pid == self.child {
                    return true;
                }
                match processes.get(&pid).and_then(sysinfo::Process::parent) {
                    Some(parent) => pid = parent,
                    None => return false,
                }
            }
            false
        };
        // Linux lists threads like processes, with the memory of their process.
        let theirs = processes.values().filter(|p| p.thread_kind().is_none() && belongs(p.pid()));
        let theirs: u64 = theirs.map(sysinfo::Process::memory).sum();
        theirs.saturating_add(own(&mut self.system)) > *limit
    }
}

fn own(system: &mut System) -> u64 {
    let pid = Pid::from_u32(std::process::id());
    refresh(system, ProcessesToUpdate::Some(&[pid]));
    system.process(pid).map_or(0, sysinfo::Process::memory)
}

fn refresh(system: &mut System, which: ProcessesToUpdate<'_>) {
    system.refresh_processes_specifics(which, true, ProcessRefreshKind::nothing().with_memory().without_tasks());
}
