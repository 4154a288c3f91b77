//! Cleans up where smalti cannot do it itself: if it is killed outright, or ends while a child
//! still runs.
//!
//! The janitor is a shell in a process group of its own. It reads from a pipe whose other end only
//! smalti holds. It is told the name of each process group and each temporary folder when they
//! begin and when they end. When the pipe closes, for whatever reason, it kills the remaining
//! groups, removes the remaining folders and ends. It is started with the first child.

use nix::unistd::Pid;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A line begins with `+` for a beginning and with `-` for an end; `g` is a group and `f` a folder.
/// Groups are killed first, because they write into the folders.
const SCRIPT: &str = r#"trap '' INT TERM HUP
set -f
end='
'
IFS=$end
left=
while IFS= read -r line; do
    case $line in
    +*) left=$left${line#+}$end ;;
    -*)
        kept=
        for one in $left; do
            [ "$one" = "${line#-}" ] || kept=$kept$one$end
        done
        left=$kept
        ;;
    esac
done
for one in $left; do
    case $one in g*) kill -s KILL -- "-${one#g}" 2>/dev/null ;; esac
done
for one in $left; do
    case $one in f*) rm -rf -- "${one#f}" ;; esac
done"#;

static JANITOR: Mutex<Option<Child>> = Mutex::new(None);

/// Sends a line to the janitor. On a system that cannot start one, children outlive us until their
/// own time limit.
fn tell(line: &str) {
    let mut janitor = JANITOR.lock().unwrap_or_else(PoisonError::into_inner);
    if janitor.is_none() {
        *janitor = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "smalti-janitor"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .ok();
    }
    if let Some(pipe) = janitor.as_mut().and_then(|child| child.stdin.as_mut()) {
        // A single write, so that a line arrives completely or not at all.
        let _ = pipe.write_all(format!("{line}\n").as_bytes());
    }
}

/// A process group that must not outlive us.
pub(super) struct Registration {
    entry: String,
}

impl Registration {
    pub(super) fn group(leader: Pid) -> Registration {
        Registration::entry(format!("g{leader}"))
    }

    fn entry(entry: String) -> Registration {
        tell(&format!("+{entry}"));
        Registration { entry }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        tell(&format!("-{}", self.entry));
    }
}

/// A temporary folder. It is removed when the value is dropped or smalti ends.
pub(crate) struct Scratch {
    // Dropped before the janitor is told to forget it.
    folder: tempfile::TempDir,
    _registration: Option<Registration>,
}

impl Scratch {
    /// Makes a new folder.
    ///
    /// # Errors
    /// The folder cannot be made: the disk is full, or its parent is not writable.
    pub(crate) fn new() -> std::io::Result<Scratch> {
        let parent = std::path::absolute(tempfile::env::temp_dir())?;
        let random = RandomState::new().build_hasher().finish();
        let name = format!("smalti-{random:016x}");
        let path = parent.join(&name);
        // The janitor is told first: otherwise a run that is killed in between would leave a folder
        // that it does not know. The name is random, so no other process uses the folder. The
        // janitor reads lines: it cannot be told of a folder whose name has a line break, which
        // only we remove.
        let known =
            path.to_str().filter(|path| !path.contains('\n')).map(|path| Registration::entry(format!("f{path}")));
        let folder = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir_in(parent)?;
        Ok(Scratch { folder, _registration: known })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::testing::gone_soon;

    /// Tests what the janitor does after these lines, when its pipe closes.
    fn told(lines: &str) {
        let mut child = Command::new("/bin/sh").args(["-c", SCRIPT]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    fn sleeper() -> Child {
        Command::new("/bin/sh").args(["-c", "sleep 300 & sleep 300"]).process_group(0).spawn().unwrap()
    }

    #[test]
    fn what_has_not_ended_is_killed_and_removed_and_nothing_else() {
        let (mut left, mut ended) = (sleeper(), sleeper());
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let strange = folders[0].path().join("a name * with 'quotes'");
        std::fs::create_dir(&strange).unwrap();
        std::fs::write(strange.join("file"), "x").unwrap();
        let [g, h] = [left.id(), ended.id()];
        let kept = folders[1].path().display();
        told(&format!("+g{g}\n+g{h}\n+f{}\n+f{kept}\n-g{h}\n-f{kept}\n-g1\n", strange.display()));
        left.wait().unwrap();
        assert!(gone_soon(g.try_into().unwrap()));
        assert!(!strange.exists() && folders[0].path().exists() && folders[1].path().exists());
        assert!(ended.try_wait().unwrap().is_none());
        nix::sys::signal::killpg(Pid::from_raw(h.try_into().unwrap()), nix::sys::signal::Signal::SIGKILL).unwrap();
        ended.wait().unwrap();
    }

    #[test]
    fn each_folder_is_a_new_one_and_goes_with_its_value() {
        let folders: Vec<Scratch> = (0..100).map(|_| Scratch::new().unwrap()).collect();
        let paths: std::collections::BTreeSet<PathBuf> = folders.iter().map(|f| f.path().to_path_buf()).collect();
        assert!(paths.len() == 100 && paths.iter().all(|path| path.is_absolute() && path.is_dir()));
        drop(folders);
        assert!(!paths.iter().any(|path| path.exists()));
    }

    #[test]
    fn nothing_left_is_nothing_done() {
        told("");
        told("+g1\n-g1\n");
    }
}
