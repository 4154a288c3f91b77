//! The command line program: arguments, exit status, time limit, progress, and what happens when
//! something goes wrong.
//!
//! Results go to standard output, everything else to standard error.

mod arguments;
mod cfg;
mod check;
mod computed;
mod crash;
mod domains;
mod explain;
mod input;
mod invariants;
mod limits;
mod named;
mod options;
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
mod status;
mod stop;
mod suite;
mod summary;
mod supervise;
mod svcomp;
mod verbs;
mod watch;
mod witness;

use crate::process::{Guard, memory};
use arguments::{Arguments, Verb};
use clap::{CommandFactory, FromArgMatches};
use limits::Deadline;
use partial::Partial;
use smalti_stack::{Registry, StackError};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stop::wrong;
use supervise::{stopped, supervise};

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
        Err(why) => return ExitCode::from(stopped(wrong(why.to_string()))),
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
    let deadline = Deadline::new(start, limit);
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
        check.for_explain = shell::given_for(&Arguments::command(), "explain", given);
    }
    Ok(arguments)
}
