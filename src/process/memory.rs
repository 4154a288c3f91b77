//! The limit on the memory of this process and its children together.
//!
//! A child's address space is limited by the system. What they use together is looked at ten times
//! a second: a child that makes it too much is ended, which costs a stage its answer; if we use too
//! much alone, whoever supervises the work ends it. What is looked at is resident memory, so that
//! reserved stacks do not count.

use std::sync::OnceLock;
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// In bytes.
static LIMIT: OnceLock<u64> = OnceLock::new();

/// How often is looked.
pub(crate) const EVERY: Duration = Duration::from_millis(100);

/// Sets the limit, in MiB, once for this process.
pub(crate) fn limit(mib: u64) {
    // A second limit is not asked for: there is one command line.
    let _ = LIMIT.set(mib.saturating_mul(1 << 20));
}

/// Whether this process alone uses more than it may together with its children.
pub(crate) fn is_exceeded() -> bool {
    LIMIT.get().is_some_and(|limit| {
        let mut system = System::new();
        own(&mut system) > *limit
    })
}

/// Of what a child may use in MiB: what is allowed to all.
pub(super) fn of_a_child(mib: u64) -> u64 {
    LIMIT.get().map_or(mib, |limit| mib.min(limit >> 20))
}

/// Looks at a child now and then.
pub(super) struct Watch {
    child: Pid,
    system: System,
    next: Instant,
}

impl Watch {
    /// Watches the process with that number and its children, if there is a limit.
    pub(super) fn new(child: u32) -> Option<Watch> {
        LIMIT.get().map(|_| Watch { child: Pid::from_u32(child), system: System::new(), next: Instant::now() })
    }

    /// Whether it, its children and we use too much.
    pub(super) fn is_too_much(&mut self) -> bool {
        let (Some(limit), now) = (LIMIT.get(), Instant::now()) else { return false };
        if now < self.next {
            return false;
        }
        self.next = now + EVERY;
        refresh(&mut self.system, ProcessesToUpdate::All);
        let processes = self.system.processes();
        let belongs = |mut pid: Pid| {
            // Longer chains of parents are not ours.
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
        // On Linux threads are listed like processes, and have the memory of theirs.
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
