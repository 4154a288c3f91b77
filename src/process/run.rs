//! Runs one child process to its end, whatever the process does. It has its own process group and
//! bounded time, memory and output.

use super::interrupt::Guard;
use super::janitor::{Registration, Scratch};
use super::memory::{self, Watch};
use super::retry::uninterrupted;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What a child may use.
pub(crate) struct Limits {
    pub(crate) deadline: Instant,
    /// Address space in MiB.
    pub(crate) memory: u64,
    /// Bytes of standard output that are read.
    pub(crate) output: u64,
}

/// How a child ended.
pub(crate) enum End<T> {
    /// By itself: the value that the reader made of its output, its status, and the last part of
    /// its standard error.
    Exited(T, ExitStatus, String),
    /// The deadline passed.
    Late,
    /// A signal asked us to end.
    Interrupted,
    /// It wrote more than may be read.
    TooMuch,
    /// The child and this process together used more memory than allowed.
    TooLarge,
    /// The conversation ended, but the child did not and was killed. The value is the result of the
    /// conversation.
    Lingered(T),
}

/// Sends text to a child through its standard input. Dropping it closes the input.
pub(crate) struct Input(mpsc::Sender<String>);

impl Input {
    /// Sends a text, without waiting for the child to read it. A child that writes endlessly before
    /// it reads must not block smalti.
    pub(crate) fn say(&self, text: String) {
        // A child that no longer reads has ended or is ending. Its answer is then missing, which is
        // noticed.
        let _ = self.0.send(text);
    }
}

/// How much of standard error is kept, in bytes.
const STDERR_KEPT: usize = 1 << 16;
/// How long a reader may go on after the process group is gone. Only a grandchild in another group
/// can keep a pipe open.
const GRACE: Duration = Duration::from_secs(2);
/// How long a child may go on after the end of its conversation.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long to wait until a killed process is gone.
const PATIENCE: Duration = Duration::from_millis(100);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Runs `program` in `folder`; `reader` gets its standard output on a thread of its own, and may
/// stop early.
///
/// # Errors
/// The process could not be started.
pub(crate) fn run<T: Send + 'static>(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    limits: &Limits,
    guard: &Guard,
    reader: impl FnOnce(&mut dyn Read) -> T + Send + 'static,
) -> io::Result<End<T>> {
    let group = Group::start(program, arguments, folder, limits, Talk::No)?;
    follow(group, limits, guard, None, reader)
}

/// Runs `program` in `folder`; `talk` gets its standard output and input on a thread of its own.
/// Once `talk` returns, the child has a second to end.
///
/// # Errors
/// The process could not be started.
pub(crate) fn converse<T: Send + 'static>(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    limits: &Limits,
    guard: &Guard,
    talk: impl FnOnce(&mut dyn Read, Input) -> T + Send + 'static,
) -> io::Result<End<T>> {
    let mut group = Group::start(program, arguments, folder, limits, Talk::Yes)?;
    let (send, receive) = mpsc::channel::<String>();
    let stdin: Option<ChildStdin> = group.child.stdin.take();
    spawn(move || {
        let Some(mut stdin) = stdin else { return };
        for text in receive {
            if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    })?;
    let (over, is_over) = mpsc::channel();
    follow(group, limits, guard, Some(is_over), move |output| {
        let made = talk(output, Input(send));
        let _ = over.send(());
        made
    })
}

/// Waits for the end of `group`. After something arrives at `is_over`, the group has a second to
/// end.
fn follow<T: Send + 'static>(
    mut group: Group,
    limits: &Limits,
    guard: &Guard,
    is_over: Option<mpsc::Receiver<()>>,
    reader: impl FnOnce(&mut dyn Read) -> T + Send + 'static,
) -> io::Result<End<T>> {
    let (send, receive) = mpsc::channel();
    let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
    let limit = limits.output;
    spawn(move || {
        let mut bounded = Bounded { inner: stdout, left: limit, exceeded: false };
        let made = reader(&mut bounded);
        // A reader that stopped early must not block the writer. The result shows that the reader
        // stopped.
        let _ = io::copy(&mut bounded, &mut io::sink());
        let _ = send.send((made, bounded.exceeded));
    })?;
    let (send_errors, errors) = mpsc::channel();
    spawn(move || {
        let _ = send_errors.send(stderr.map(last_part).unwrap_or_default());
    })?;

    let mut nap = Duration::from_millis(1);
    let mut made = None;
    let mut farewell = None;
    let mut lingered = false;
    let mut watch = Watch::new(group.child.id());
    loop {
        if group.has_ended()? {
            break;
        }
        if watch.as_mut().is_some_and(Watch::is_too_much) {
            return Ok(End::TooLarge);
        }
        if guard.interrupted() {
            return Ok(End::Interrupted);
        }
        let now = Instant::now();
        if now >= limits.deadline {
            return Ok(End::Late);
        }
        if farewell.is_none() && is_over.as_ref().is_some_and(|is_over| is_over.try_recv().is_ok()) {
            farewell = Some(now + FAREWELL);
        }
        if farewell.is_some_and(|farewell| now >= farewell) {
            lingered = true;
            break;
        }
        match receive.recv_timeout(nap.min(limits.deadline - now)) {
            Ok((_, true)) => return Ok(End::TooMuch),
            Ok(done) => {
                made = Some(done);
                // The output has ended, so the process will end soon.
                nap = Duration::from_millis(1);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The reader is done (its result is in `made`): wait only for the process.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(nap),
        }
        nap = (nap * 2).min(LONGEST_NAP);
    }
    let status = group.finish()?;
    match made.or_else(|| receive.recv_timeout(GRACE).ok()) {
        Some((_, true)) => Ok(End::TooMuch),
        Some((made, false)) if lingered => Ok(End::Lingered(made)),
        Some((made, false)) => Ok(End::Exited(made, status, errors.recv_timeout(GRACE).unwrap_or_default())),
        None => Ok(End::Late),
    }
}

/// Whether a process with this status and this error output ran out of memory.
pub(crate) fn out_of_memory(status: ExitStatus, complaint: &str) -> bool {
    let said = ["bad_alloc", "out of memory", "Out of memory"].iter().any(|words| complaint.contains(words));
    said || matches!(status.signal(), Some(9))
}

/// How a process ended, in words.
pub(crate) fn how(status: ExitStatus, complaint: &str) -> String {
    // The last line usually says what happened.
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").trim();
    let end = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        _ => "ended".to_owned(),
    };
    if last.is_empty() { end } else { format!("{end}, saying `{last}`") }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("child-output".into()).spawn(work).map(|_| ())
}

/// Whether the child reads its standard input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Talk {
    Yes,
    /// Its standard input is empty.
    No,
}

/// The script of the shell that becomes the child: `$1` and `$2` are its limits of memory and time,
/// and the rest is the program.
///
/// The shell first waits for a line. smalti sends the line once the janitor knows of the child. If
/// smalti is killed before that, the line never arrives and the program is not started. (Without
/// the line, a program that was started between the fork and the message to the janitor outlived
/// smalti.) `read` takes only this line from the pipe.
///
/// A shell sets the limits, because setting them between fork and exec would need `unsafe`. The
/// limit of processor time ends a child that the janitor does not know. If the system has no such
/// limit, the child runs without it.
fn script(talk: Talk) -> String {
    let from = if talk == Talk::Yes { "" } else { " </dev/null" };
    format!(
        r#"read -r go || exit 126
ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; ulimit -c 0 2>/dev/null; shift 2; exec "$@"{from}"#
    )
}

/// A child that leads a process group. When this value is dropped, the group is killed and the
/// child reaped.
struct Group {
    child: Child,
    pid: Pid,
    reaped: bool,
    // The folder for the child's temporary files. In another folder, the files of a killed child
    // would remain.
    _temporary: Option<Scratch>,
    _registration: Registration,
}

impl Group {
    fn start(program: &Path, arguments: &[OsString], folder: &Path, limits: &Limits, talk: Talk) -> io::Result<Group> {
        let seconds = limits.deadline.saturating_duration_since(Instant::now()).as_secs() + 60;
        // If no folder can be made, the child finds out itself whether it needs one.
        let temporary = Scratch::new().ok();
        let mut child = Command::new("/bin/sh")
            .arg("-c")
            .arg(script(talk))
            .arg("smalti")
            .arg(memory::of_a_child(limits.memory).saturating_mul(1024).to_string())
            .arg(seconds.to_string())
            .arg(program)
            .args(arguments)
            .current_dir(folder)
            .env("LC_ALL", "C")
            .envs(temporary.as_ref().map(|folder| ("TMPDIR", folder.path())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_raw(child.id() as i32);
        let known = Registration::group(pid);
        if let Some(stdin) = &mut child.stdin {
            // A child that is gone already is noticed by its status.
            let _ = stdin.write_all(b"\n");
        }
        if talk == Talk::No {
            child.stdin = None;
        }
        Ok(Group { child, pid, reaped: false, _temporary: temporary, _registration: known })
    }

    /// Whether the leader has ended. It stays a zombie, so that the system does not reuse its
    /// number, which names the group.
    fn has_ended(&self) -> io::Result<bool> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let status = uninterrupted(|| Ok(waitid(Id::Pid(self.pid), flags)?))?;
        Ok(status != WaitStatus::StillAlive)
    }

    /// Kills the remaining processes of the group and returns the leader's status.
    fn finish(&mut self) -> io::Result<ExitStatus> {
        self.reaped = true;
        // The call fails only if no such group is left.
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
        // The system is still freeing gigabytes of its memory. The child is dead. It is reaped when
        // it is gone, or when this process ends.
        let _ = std::thread::Builder::new().name("child-reaper".into()).spawn({
            let pid = self.pid;
            move || uninterrupted(|| Ok(nix::sys::wait::waitpid(pid, None)?))
        });
    }
}

/// Reads at most `left` bytes, then pretends that the input has ended.
struct Bounded<R> {
    inner: Option<R>,
    left: u64,
    exceeded: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(inner) = &mut self.inner else { return Ok(0) };
        if self.left == 0 {
            // Closing the pipe makes the writer fail.
            let mut probe = [0];
            self.exceeded = uninterrupted(|| inner.read(&mut probe))? > 0;
            self.inner = None;
            return Ok(0);
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let n = uninterrupted(|| inner.read(&mut buffer[..most]))?;
        self.left -= n as u64;
        Ok(n)
    }
}

/// Reads everything and keeps the end.
fn last_part(mut from: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(n) = uninterrupted(|| from.read(&mut buffer)) {
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

#[cfg(test)]
mod tests {
    use super::super::retry::tests::Disturbed;
    use super::*;

    /// Runs a child as [`Group::start`] does and sends it these bytes. The child would create this
    /// file.
    fn gated(file: &Path, sent: &[u8]) -> ExitStatus {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &script(Talk::No), "smalti", "unlimited", "10", "touch"])
            .arg(file)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // The child waits for the line.
        assert!(!file.exists());
        child.stdin.take().unwrap().write_all(sent).unwrap();
        child.wait().unwrap()
    }

    #[test]
    fn a_child_of_whom_nobody_knows_starts_no_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("started");
        assert!(!gated(&file, b"").success() && !file.exists());
        assert!(gated(&file, b"\n").success() && file.exists());
    }

    #[test]
    fn a_signal_does_not_end_what_is_read_of_a_child() {
        assert_eq!(last_part(Disturbed::new(b"a complaint")), "a complaint");
        for (left, exceeded, whole) in [(100, false, "an answer"), (2, true, "an")] {
            let mut bounded = Bounded { inner: Some(Disturbed::new(b"an answer")), left, exceeded: false };
            let (mut text, mut buffer) = (Vec::new(), [0; 16]);
            // A reader that takes every error for the end of the input does this.
            while let Ok(n @ 1..) = bounded.read(&mut buffer) {
                text.extend_from_slice(&buffer[..n]);
            }
            assert_eq!((&*text, bounded.exceeded), (whole.as_bytes(), exceeded));
        }
    }
}
