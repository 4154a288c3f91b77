//! `check --watch`: checks again whenever a file changes.
//!
//! Each check is a process of its own, with the same arguments. An outdated check is ended,
//! together with its child processes (`crate::process`). A check that crashes or uses up its memory
//! does not affect the process that waits.

use super::check::Check;
use super::stop::{Stop, wrong};
use super::{output, status};
use crate::lower;
use crate::process::Guard;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

/// How long the files must stay unchanged before they are read: editors write a file in several
/// steps.
const QUIET: Duration = Duration::from_millis(150);
/// The longest time to wait for that.
const LONGEST: Duration = Duration::from_secs(2);
/// How often to look for signals and for the end of a check.
const EVERY: Duration = Duration::from_millis(50);

/// The escape sequence that clears a terminal and its scrollback.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// Repeats the check until a signal ends it.
pub(super) fn watch(arguments: &Check) -> Result<u8, Stop> {
    // The signal takes effect after the current check has ended.
    let guard = Guard::new();
    let (sender, events) = channel();
    let cannot = |e: notify::Error| wrong(format!("files cannot be watched: {e}"));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is not a change. An error may mean that an event was missed.
        if event.map_or(true, |e| !matches!(e.kind, EventKind::Access(_))) {
            let _ = sender.send(());
        }
    })
    .map_err(cannot)?;
    let mut folders = BTreeSet::new();
    let mut sources = Sources::default();
    let mut first = true;
    loop {
        sources.look(arguments);
        for folder in sources.folders() {
            if !folders.contains(&folder) && follow(&mut watcher, &folder) {
                folders.insert(folder);
            }
        }
        if folders.is_empty() {
            return Err(wrong("none of the files can be watched, because their folders do not exist".to_owned()));
        }
        // A change after this point leads to another check.
        let seen = sources.fingerprint();
        if std::io::stdout().is_terminal() && !std::mem::take(&mut first) {
            output::to_stdout(CLEAR)?;
        }
        let mut child = start()?;
        let mut told = false;
        let changed = loop {
            if guard.interrupted() {
                end(&mut child);
                drop(guard);
                return Ok(status::TRUE);
            }
            if settled(&events) && sources.fingerprint() != seen {
                break true;
            }
            if !told && !matches!(child.try_wait(), Ok(None)) {
                told = true;
                let n = sources.files.len();
                let files = if n == 1 { "1 file".to_owned() } else { format!("{n} files") };
                output::to_stderr(&format!("\nwatching {files}; Ctrl-C ends it\n"));
            }
        };
        if changed {
            end(&mut child);
        }
    }
}

fn follow(watcher: &mut RecommendedWatcher, folder: &Path) -> bool {
    match watcher.watch(folder, RecursiveMode::NonRecursive) {
        Ok(()) => true,
        Err(error) => {
            log::warn!("{} is not watched: {error}", folder.display());
            false
        }
    }
}

/// Waits for a change, and then until nothing has changed for a while. Returns whether there was a
/// change.
fn settled(events: &Receiver<()>) -> bool {
    if events.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        return false;
    }
    let start = Instant::now();
    while start.elapsed() < LONGEST && events.recv_timeout(QUIET).is_ok() {}
    true
}

/// Starts a check: the same program with the same arguments, but without `--watch`.
fn start() -> Result<Child, Stop> {
    let program = std::env::current_exe().map_err(Stop::Output)?;
    Command::new(program).args(once(std::env::args_os().skip(1))).spawn().map_err(Stop::Output)
}

/// The arguments without `--watch`. The parser has checked that it is an option at this place.
fn once(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut options = true;
    arguments
        .filter(|a| {
            options &= a != "--";
            !options || a != "--watch"
        })
        .collect()
}

/// Ends a check, if it has not ended by itself, and waits for it.
fn end(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        if let Ok(id) = i32::try_from(child.id()) {
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM);
        }
        let start = Instant::now();
        while matches!(child.try_wait(), Ok(None)) {
            if start.elapsed() > LONGEST {
                let _ = child.kill();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The files that a check reads.
#[derive(Default)]
struct Sources {
    files: BTreeSet<PathBuf>,
    /// The preprocessor rejected the files. Any file in the same folder may be the missing one.
    refused: bool,
}

/// The suffixes of files that may be included.
const INCLUDED: [&str; 5] = ["h", "c", "i", "inc", "def"];

impl Sources {
    /// Finds the included files. If the preprocessor fails, the files that were known before
    /// remain.
    fn look(&mut self, arguments: &Check) {
        let input = &arguments.input;
        match lower::dependencies(&input.files, &input.options(input.time_limit)) {
            Ok(found) => *self = Sources { files: found.into_iter().collect(), refused: false },
            Err(_) => self.refused = true,
        }
        self.files.extend(input.files.iter().cloned());
        if self.refused {
            let folders: Vec<PathBuf> = self.folders().into_iter().chain(input.include.clone()).collect();
            for folder in folders {
                let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
                let suffix = |p: &PathBuf| p.extension().is_some_and(|e| INCLUDED.iter().any(|i| e == *i));
                self.files.extend(entries.filter(suffix));
            }
        }
    }

    /// The folders of the files. Folders are watched and not files, because many editors replace a
    /// file by a new one.
    fn folders(&self) -> BTreeSet<PathBuf> {
        let of = |p: &PathBuf| match p.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        self.files.iter().map(of).collect()
    }

    /// A value that changes if a file changes, appears or disappears.
    fn fingerprint(&self) -> BTreeMap<PathBuf, Option<(SystemTime, u64)>> {
        let of = |p: &PathBuf| std::fs::metadata(p).ok().and_then(|m| Some((m.modified().ok()?, m.len())));
        let known = self.files.iter().map(|p| (p.clone(), of(p)));
        if !self.refused {
            return known.collect();
        }
        let entries = self.folders().into_iter().flat_map(|f| std::fs::read_dir(f).into_iter().flatten().flatten());
        let beside =
            entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| INCLUDED.iter().any(|i| e == *i)));
        let beside = beside.map(|p| {
            let seen = of(&p);
            (p, seen)
        });
        beside.chain(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_is_started_does_not_watch() {
        let of = |arguments: &[&str]| once(arguments.iter().map(OsString::from));
        assert_eq!(of(&["check", "--watch", "a.c"]), ["check", "a.c"]);
        assert_eq!(of(&["check", "--watch", "--", "--watch"]), ["check", "--", "--watch"]);
    }
}
