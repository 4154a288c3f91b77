//! The command line program: arguments, exit status, time limit, progress, and what happens when
//! something goes wrong.
//!
//! Results go to standard output, everything else to standard error.

mod arguments;
mod crash;
mod explain;
mod invariants;
mod named;
mod output;
mod partial;
mod progress;
mod property;
mod reduce;
mod report;
mod reproducer;
mod sarif;
mod setup;
mod shell;
mod states;
mod suite;
mod svcomp;
mod verbs;
mod watch;
mod witness;

use crate::clock;
use crate::process::{Guard, memory, signal};
use crate::report::{Diagnostic, Paint};
use arguments::{Arguments, Verb};
use clap::{CommandFactory, FromArgMatches};
use partial::Partial;
use smalti_stack::{Registry, StackError};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The exit statuses other than those of an outcome.
mod status {
    /// The command did what it was asked, or the verdict is true.
    pub(super) const TRUE: u8 = 0;
    /// The verdict is false.
    pub(super) const FALSE: u8 = 1;
    /// The command line or the input is wrong.
    pub(super) const USAGE: u8 = 2;
    /// The verdict is unknown.
    pub(super) const UNKNOWN: u8 = 3;
    /// A bug of ours.
    pub(super) const BUG: u8 = 101;

    /// The exit status after a signal with this number ended the work.
    pub(super) fn of_signal(number: u8) -> u8 {
        128 + number
    }
}

/// The stack sizes to try for the working thread, in bytes. Nesting in the input is recursion here.
/// Reserved memory that is never touched costs nothing, but systems that limit the address space
/// refuse the larger sizes.
const STACKS: [usize; 4] = [4 << 30, 1 << 30, 256 << 20, 64 << 20];

/// The part of the time limit that is kept for collecting and printing the results.
fn reserve(limit: Duration) -> Duration {
    (limit / 20).min(Duration::from_millis(500))
}

/// Why a command ended without a result.
enum Stop {
    /// The command line or the input is wrong.
    Wrong(Box<Diagnostic>),
    /// The result could not be written.
    Output(std::io::Error),
}

/// The points in time at which the work must end.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    /// The start of the run.
    start: Instant,
    /// Work that can be interrupted ends here.
    work: Instant,
    /// The end of the whole time limit.
    limit: Duration,
}

impl Deadline {
    /// The end of a share of the time that is left for work.
    fn part(&self, share: f64) -> Instant {
        let now = clock::now();
        now + self.work.saturating_duration_since(now).mul_f64(share)
    }
}

/// Runs the program with the arguments of the process and the domains of smalti.
pub fn main() -> ExitCode {
    main_with(Ok(Registry::default()))
}

/// Runs the program with the arguments of the process and with stacks of these domains. If there
/// are no domains, it reports why.
pub(crate) fn main_with(registry: Result<Registry, StackError>) -> ExitCode {
    let start = Instant::now();
    let registry = match registry {
        Ok(registry) => registry,
        Err(why) => return ExitCode::from(stopped(verbs::wrong(why.to_string()))),
    };
    let arguments = match parsed(registry) {
        Ok(arguments) => arguments,
        Err(error) => {
            // A closed pipe is not an error.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { status::USAGE } else { status::TRUE });
        }
    };
    let level = ["warn", "info", "debug"][usize::from(arguments.verbose).min(2)];
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level)).format_timestamp_millis().init();
    crash::install_hook();
    output::choose(arguments.color);
    if let Verb::Check(check) = &arguments.verb
        && check.watch
    {
        return ExitCode::from(watch::watch(check).unwrap_or_else(stopped));
    }
    let input = arguments.verb.input();
    let limit = input.map_or(Duration::MAX / 4, |input| input.time_limit);
    if let Some(mib) = input.and_then(|input| input.memory_limit) {
        memory::limit(mib);
    }
    let work = limit - reserve(limit);
    // A limit that the clock cannot represent counts as no limit.
    let far = start + Duration::from_secs(1 << 32);
    let deadline = Deadline { start, work: start.checked_add(work).unwrap_or(far), limit };
    let arguments = Arc::new(arguments);
    let partial = Arc::new(Partial::default());
    let work = {
        let (arguments, partial) = (arguments.clone(), partial.clone());
        move |claim: &dyn Fn() -> bool| verbs::run(&arguments, deadline, &partial, claim)
    };
    let late = |limit| verbs::late(&arguments.verb, deadline, &partial, limit);
    // The verb `test` handles signals itself, and so does the script that `setup` becomes.
    let guard = (!matches!(arguments.verb, Verb::Test(_) | Verb::Setup(_))).then(Guard::new);
    let status = supervise(deadline, Arc::new(work), &late, guard.as_ref());
    match guard {
        Some(guard) if guard.interrupted() => guard.answered(),
        guard => drop(guard),
    }
    ExitCode::from(status)
}

/// The arguments of the process.
fn parsed(registry: Registry) -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    let mut arguments = Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    arguments.registry = Arc::new(registry);
    if let Some(analysis) = arguments.verb.analysis_mut() {
        analysis.registry = arguments.registry.clone();
    }
    if let (Verb::Check(check), Some((_, given))) = (&mut arguments.verb, matches.subcommand()) {
        check.for_explain = shell::given_for("explain", given);
    }
    Ok(arguments)
}

/// The event that cuts the work off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// A signal with this number.
    Signal(u8),
}

/// The supervised work. It may write its result only if the function that it is given says so.
type Work = dyn Fn(&dyn Fn() -> bool) -> Result<u8, Stop> + Send + Sync;

/// Does the work on a thread with a large stack. Answers in its place if the thread dies, and calls
/// `late` if the work is cut off. Signals cut it off only if there is a guard.
fn supervise(deadline: Deadline, work: Arc<Work>, late: &dyn Fn(Cut) -> Result<u8, Stop>, guard: Option<&Guard>) -> u8 {
    let claimed = Arc::new(AtomicBool::new(false));
    for size in STACKS {
        // Each attempt has its own channel: when a thread dies silently, the only sender is dropped
        // and this thread notices.
        let (sender, receiver) = channel();
        let thread = {
            let (work, claimed) = (work.clone(), claimed.clone());
            let guarded = guard.is_some();
            move || {
                // Work that a signal ended early must not write its result.
                let may_write = || !(guarded && signal().is_some()) && claim(&claimed);
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&may_write)));
                // The receiver is gone only when the process is about to end.
                let _ = sender.send(result);
            }
        };
        if std::thread::Builder::new().name("smalti".into()).stack_size(size).spawn(thread).is_ok() {
            return wait(deadline, &claimed, &receiver, late, guard);
        }
        log::info!("the system refused a stack of {size} bytes");
    }
    complain(&Diagnostic::error("no thread could be started: the system refuses even a stack of 64 MiB"));
    status::USAGE
}

/// Decides who writes the result: the work, or the thread that waits for it and runs out of time.
/// The first caller wins.
fn claim(claimed: &AtomicBool) -> bool {
    !claimed.swap(true, Ordering::SeqCst)
}

type Outcome = std::thread::Result<Result<u8, Stop>>;

fn wait(
    deadline: Deadline,
    claimed: &AtomicBool,
    receiver: &mpsc::Receiver<Outcome>,
    late: &dyn Fn(Cut) -> Result<u8, Stop>,
    guard: Option<&Guard>,
) -> u8 {
    let answered = loop {
        let left = deadline.limit.saturating_sub(deadline.start.elapsed());
        let answered = receiver.recv_timeout(left.min(memory::EVERY));
        let cut = match (guard.and_then(Guard::signal), &answered) {
            // The work may have noticed the signal and have ended early.
            (Some(number), _) => Cut::Signal(number),
            (None, Err(RecvTimeoutError::Timeout)) if left <= memory::EVERY => Cut::Time,
            (None, Err(RecvTimeoutError::Timeout)) if memory::is_exceeded() => Cut::Memory,
            (None, Err(RecvTimeoutError::Timeout)) => continue,
            (None, _) => break answered,
        };
        if !claim(claimed) {
            break answered;
        }
        let status = late(cut).unwrap_or_else(stopped);
        return match cut {
            Cut::Signal(number) => status::of_signal(number),
            Cut::Time | Cut::Memory => status,
        };
    };
    let result = match answered {
        // The result is being written. That is not interrupted.
        Err(RecvTimeoutError::Timeout) => receiver.recv().ok(),
        Err(RecvTimeoutError::Disconnected) => None,
        Ok(result) => Some(result),
    };
    match result {
        Some(Ok(Ok(status))) => status,
        Some(Ok(Err(stop))) => stopped(stop),
        Some(Err(_)) | None => {
            complain(&crash::message());
            status::BUG
        }
    }
}

fn stopped(stop: Stop) -> u8 {
    match stop {
        Stop::Wrong(diagnostic) => {
            complain(&diagnostic);
            status::USAGE
        }
        Stop::Output(error) => {
            complain(&Diagnostic::error(format!("the result could not be written: {error}")));
            status::USAGE
        }
    }
}

fn complain(diagnostic: &Diagnostic) {
    output::to_stderr(&diagnostic.render(Paint { colour: output::colours(&std::io::stderr()) }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supervised(limit: Duration, work: impl Fn(&dyn Fn() -> bool) -> Result<u8, Stop> + Send + Sync + 'static) -> u8 {
        let start = Instant::now();
        supervise(Deadline { start, work: start + limit, limit }, Arc::new(work), &|_| Ok(status::UNKNOWN), None)
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn a_panic_is_status_101() {
        assert_eq!(supervised(LONG, |_| panic!("for a test")), status::BUG);
    }

    #[test]
    fn work_that_is_late_is_answered_for() {
        let start = Instant::now();
        let status = supervised(Duration::from_millis(20), |_| {
            std::thread::sleep(LONG);
            Ok(status::TRUE)
        });
        assert_eq!(status, status::UNKNOWN);
        assert!(start.elapsed() < LONG / 2);
    }

    #[test]
    fn a_result_that_is_being_written_is_waited_for() {
        let status = supervised(Duration::from_millis(20), |claim| {
            assert!(claim());
            std::thread::sleep(Duration::from_millis(200));
            Ok(status::FALSE)
        });
        assert_eq!(status, status::FALSE);
    }

    #[test]
    fn the_stack_holds_deep_recursion() {
        fn deep(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { deep(n - 1) + frame[0] - frame[63] + 1 }
        }
        assert_eq!(supervised(LONG, |_| Ok(u8::from(deep(50_000) == 50_000))), 1);
    }
}
