//! Runs one child process to its end, whatever it does: own process group, bounded time, memory and output.

use super::interrupt::Guard;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What a child may use.
pub(super) struct Limits {
    pub(super) deadline: Instant,
    /// Address space in MiB.
    pub(super) memory: u64,
    /// Bytes of standard output that are read.
    pub(super) output: u64,
}

/// How a child ended.
pub(super) enum End<T> {
    /// By itself: what the reader made of its output, its status, and the last part of what it wrote to standard error.
    Exited(T, ExitStatus, String),
    /// The deadline passed.
    Late,
    /// A signal asked us to end.
    Interrupted,
    /// It wrote more than may be read.
    TooMuch,
}

/// How much of standard error is kept, in bytes.
const STDERR_KEPT: usize = 4096;
/// How long a reader may go on after the process group is gone. Only a grandchild in another group can keep a pipe open.
const GRACE: Duration = Duration::from_secs(2);
/// How long we wait for a killed process to be gone.
const PATIENCE: Duration = Duration::from_millis(100);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Runs `program` in `folder`; `reader` gets its standard output on a thread of its own, and may stop early.
///
/// # Errors
/// The process could not be started.
pub(super) fn run<T: Send + 'static>(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    limits: &Limits,
    guard: &Guard,
    reader: impl FnOnce(&mut dyn Read) -> T + Send + 'static,
) -> io::Result<End<T>> {
    let mut group = Group::start(program, arguments, folder, limits)?;
    let (send, receive) = mpsc::channel();
    let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
    let limit = limits.output;
    spawn_reader(move || {
        let mut bounded = Bounded { inner: stdout, left: limit, exceeded: false };
        let made = reader(&mut bounded);
        // A reader that stopped early must not block the writer; it is told apart by its result.
        let _ = io::copy(&mut bounded, &mut io::sink());
        let _ = send.send((made, bounded.exceeded));
    })?;
    let (send_errors, errors) = mpsc::channel();
    spawn_reader(move || {
        let _ = send_errors.send(stderr.map(last_part).unwrap_or_default());
    })?;

    let mut nap = Duration::from_millis(1);
    let mut made = None;
    loop {
        if group.has_ended()? {
            break;
        }
        if guard.interrupted() {
            return Ok(End::Interrupted);
        }
        let now = Instant::now();
        if now >= limits.deadline {
            return Ok(End::Late);
        }
        match receive.recv_timeout(nap.min(limits.deadline - now)) {
            Ok((_, true)) => return Ok(End::TooMuch),
            Ok(done) => {
                made = Some(done);
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The reader is done (its result is in `made`): wait for the process alone.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(nap),
        }
        nap = (nap * 2).min(LONGEST_NAP);
    }
    let status = group.finish()?;
    match made.or_else(|| receive.recv_timeout(GRACE).ok()) {
        Some((_, true)) => Ok(End::TooMuch),
        Some((made, false)) => Ok(End::Exited(made, status, errors.recv_timeout(GRACE).unwrap_or_default())),
        None => Ok(End::Late),
    }
}

fn spawn_reader(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("cbmc-output".into()).spawn(work).map(|_| ())
}

/// A child that leads a process group. However this value goes, the group is killed and the child reaped.
struct Group {
    child: Child,
    pid: Pid,
    reaped: bool,
}

impl Group {
    fn start(program: &Path, arguments: &[OsString], folder: &Path, limits: &Limits) -> io::Result<Group> {
        let seconds = limits.deadline.saturating_duration_since(Instant::now()).as_secs() + 60;
        // Limits are set by a shell because setting them between fork and exec would need `unsafe`. The limit of processor
        // time ends a child whose parent was killed outright. A system that knows no such limit runs without it.
        let script =
            r#"ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2; exec "$@""#;
        let child = Command::new("/bin/sh")
            .arg("-c")
            .arg(script)
            .arg("smalti")
            .arg((limits.memory * 1024).to_string())
            .arg(seconds.to_string())
            .arg(program)
            .args(arguments)
            .current_dir(folder)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_raw(child.id() as i32);
        Ok(Group { child, pid, reaped: false })
    }

    /// Whether the leader has ended. It stays a zombie, so that its number, which names the group, is not given away.
    fn has_ended(&self) -> io::Result<bool> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(self.pid), flags) {
            Ok(WaitStatus::StillAlive) => Ok(false),
            Ok(_) => Ok(true),
            Err(nix::errno::Errno::EINTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    /// Kills whatever is left of the group and returns the leader's status.
    fn finish(&mut self) -> io::Result<ExitStatus> {
        self.reaped = true;
        // It fails only when no such group is left.
        let _ = killpg(self.pid, Signal::SIGKILL);
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        let _ = killpg(self.pid, Signal::SIGKILL);
        let patience = Instant::now() + PATIENCE;
        while Instant::now() < patience {
            if self.has_ended().unwrap_or(true) {
                let _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // The system is still taking gigabytes from it. It is dead, and collected when it has gone, or when we have.
        let _ = std::thread::Builder::new().name("cbmc-reaper".into()).spawn({
            let pid = self.pid;
            move || nix::sys::wait::waitpid(pid, None)
        });
    }
}

/// Reads at most `left` bytes, then pretends that the input has ended.
struct Bounded {
    inner: Option<ChildStdout>,
    left: u64,
    exceeded: bool,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(inner) = &mut self.inner else { return Ok(0) };
        if self.left == 0 {
            // Dropping the pipe makes a writer that goes on fail.
            let mut probe = [0];
            self.exceeded = inner.read(&mut probe)? > 0;
            self.inner = None;
            return Ok(0);
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let n = inner.read(&mut buffer[..most])?;
        self.left -= n as u64;
        Ok(n)
    }
}

/// Reads everything and keeps the end.
fn last_part(mut from: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(n) = from.read(&mut buffer) {
        if n == 0 {
            break;
        }
        kept.extend_from_slice(&buffer[..n]);
        if kept.len() > 2 * STDERR_KEPT {
            kept.drain(..kept.len() - STDERR_KEPT);
        }
    }
    let start = kept.len().saturating_sub(STDERR_KEPT);
    String::from_utf8_lossy(&kept[start..]).into_owned()
}
