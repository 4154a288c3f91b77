//! Fake programs that misbehave, for tests of code that starts programs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that prints a version when asked for it, and otherwise does what a script says. The
/// script finds its folder in `$here`.
pub(crate) struct Fake {
    folder: tempfile::TempDir,
    name: &'static str,
}

impl Fake {
    pub(crate) fn new(name: &'static str, version: &str, script: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit 0; fi\nhere={0}\n{script}\n",
            folder.path().display()
        );
        let fake = Fake { folder, name };
        fs::write(fake.path(), text).unwrap();
        fs::set_permissions(fake.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fake
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The number that the script wrote into the file `pid`.
    pub(crate) fn pid(&self) -> i32 {
        fs::read_to_string(self.folder.path().join("pid")).unwrap().trim().parse().unwrap()
    }
}

/// The result of `find`. A script that another thread is writing during a fork cannot be started
/// for a moment (ETXTBSY), so the call is repeated.
pub(crate) fn retried<T, E>(find: impl Fn() -> Result<T, E>) -> T {
    let mut tries = (0..50).map(|_| {
        find().ok().or_else(|| {
            std::thread::sleep(Duration::from_millis(20));
            None
        })
    });
    tries.find_map(|found| found).expect("the program says its version")
}

fn is_running(pid: i32) -> bool {
    // A zombie whose parent (this process) has reaped it is gone; an orphaned one goes when init
    // reaps it.
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

pub(crate) fn gone_soon(pid: i32) -> bool {
    (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !is_running(pid)
    })
}
