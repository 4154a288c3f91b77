//! `smalti test`: analyses every program of some folders and compares the results with the stored
//! ones.
//!
//! The output does not depend on how many programs are analysed in parallel, nor on how long they
//! take. It is sorted by name and printed when all programs are done. If a program seems to lose an
//! answer because its time ran out, it is analysed again later: alone, with twice the time. Only
//! then is the loss reported.

mod analyse;
mod discover;
mod junit;
mod outcome;
mod settings;
mod text;

use super::stop::{Stop, wrong};
use super::{output, status};
use crate::process::Guard;
use crate::report::{Diagnostic, Paint};
use analyse::{Found, Tools, analyse};
use clap::Args;
use discover::Case;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use outcome::Outcome;
use smalti_stack::Registry;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Files named smalti.toml say how the programs in their folder and below it are analysed and compared.

Exit status:
  0    everything is as stored, or is stored now
  1    something has changed, is new, has no program any more, or gave no result
  2    the command line, a smalti.toml, a snapshot or a program is wrong: a refused program is never stored";

/// Arguments of `test`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Test {
    /// The folders whose C files are tested, with all folders inside; or single files.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Store the results, and remove snapshots whose program is gone; refused if the variable CI is
    /// set.
    #[arg(long)]
    accept: bool,
    /// Test only programs with this in their name.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// How many programs are analysed at a time [default: as many as there are processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Write a JUnit XML report as well.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Tests the programs. Returns the text for standard output and the exit status.
pub(super) fn test(arguments: &Test, registry: &Registry) -> Result<(String, u8), Stop> {
    let in_ci = std::env::var_os("CI").is_some_and(|v| !v.is_empty() && v != "false");
    if arguments.accept && in_ci {
        let mut diagnostic =
            Diagnostic::error("--accept is refused in CI, because a run that stores its own results cannot fail");
        diagnostic.notes.push("the variable CI is set; unset it to store the results".to_owned());
        return Err(Stop::Wrong(Box::new(diagnostic)));
    }
    let mut suite = discover::discover(&arguments.folders)?;
    if let Some(word) = &arguments.only {
        if !suite.cases.iter().any(|c| c.name.contains(word.as_str())) {
            let mut diagnostic = Diagnostic::error(format!("no program has `{word}` in its name"));
            let names: Vec<&str> = discover::names(&suite.cases).into_iter().collect();
            diagnostic.notes.push(format!("there are {}", names.join(", ")));
            return Err(Stop::Wrong(Box::new(diagnostic)));
        }
        suite.cases.retain(|c| c.name.contains(word.as_str()));
        suite.stale.retain(|s| s.to_string_lossy().contains(word.as_str()));
    }
    for stack in suite.cases.iter().flat_map(|c| c.keys.stack.iter().flatten()) {
        registry.open(stack).map_err(|e| wrong(e.to_string()))?;
    }
    suite.cases.iter_mut().for_each(|case| case.settle_checks(arguments.accept));
    let tools = tools(&suite.cases)?;
    let jobs = arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    // While it lives, a signal first ends the children.
    let guard = Guard::new();
    let found = all(&suite.cases, &tools, jobs, in_ci, &guard);
    if guard.interrupted() {
        drop(guard);
        return Err(wrong("interrupted".to_owned()));
    }
    let mut outcomes = Vec::new();
    for (case, (found, time)) in suite.cases.into_iter().zip(found) {
        outcomes.push(Outcome::of(case, found, time));
    }
    for path in suite.stale {
        outcomes.push(Outcome::stale(path));
    }
    outcomes.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(path) = &arguments.junit {
        let text = junit::junit(&outcomes).map_err(|e| Stop::Output(std::io::Error::other(e.to_string())))?;
        std::fs::write(path, text).map_err(|e| wrong(format!("`{}` cannot be written: {e}", path.display())))?;
    }
    if arguments.accept {
        for outcome in &mut outcomes {
            outcome.accept().map_err(|e| wrong(format!("`{}` cannot be written: {e}", outcome.snapshot.display())))?;
        }
    }
    let paint = Paint { colour: output::colours(&std::io::stdout()) };
    let text = text::text(&outcomes, paint);
    let status = match () {
        () if outcomes.iter().any(Outcome::is_wrong_input) => status::USAGE,
        () if outcomes.iter().any(Outcome::fails) => status::FALSE,
        () => status::TRUE,
    };
    Ok((text, status))
}

/// Finds the tools that the children use. All children get the same ones, whatever their working
/// folder.
fn tools(cases: &[Case]) -> Result<Tools, Stop> {
    use crate::verdict::Stage;
    let needs = |wanted: &dyn Fn(&Stage) -> bool| {
        cases.iter().any(|c| c.keys.stages.as_ref().is_none_or(|stages| stages.iter().any(wanted)))
    };
    let (mut cbmc, mut solver) = (None, None);
    if needs(&|s| s.entry().asks_checker) {
        match crate::cbmc::find(None) {
            Ok(found) => cbmc = Some(found.program().to_owned()),
            Err(why) => log::warn!("CBMC is missing, so answers that only CBMC can give are reported as lost: {why}"),
        }
    }
    if needs(&|s| s.entry().asks_solver) {
        match crate::smt::find(None) {
            Ok(found) => solver = Some(found.program().to_owned()),
            Err(why) => log::warn!("there is no SMT solver, so answers that need one are reported as lost: {why}"),
        }
    }
    let smalti = std::env::current_exe()
        .map_err(|e| wrong(format!("smalti cannot find its own program file, which analyses the programs: {e}")))?;
    let apron = match std::env::var_os("APRON_DIR").filter(|v| !v.is_empty()) {
        Some(given) => std::path::absolute(given).ok(),
        None => {
            let here = std::env::current_dir().unwrap_or_default();
            here.ancestors().map(|a| a.join(".tools/apron")).find(|a| a.is_dir())
        }
    };
    Ok(Tools { smalti, cbmc, solver, apron })
}

/// Analyses all programs, `jobs` at a time. Then analyses those again that may only have had too
/// little time.
fn all(cases: &[Case], tools: &Tools, jobs: usize, in_ci: bool, guard: &Guard) -> Vec<(Found, Duration)> {
    let bar = bar(cases.len(), in_ci);
    let next = AtomicUsize::new(0);
    let found: Vec<Mutex<Option<(Found, Duration)>>> = cases.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(cases.len()) {
            scope.spawn(|| {
                while !guard.interrupted()
                    && let n = next.fetch_add(1, Ordering::SeqCst)
                    && let (Some(case), Some(place)) = (cases.get(n), found.get(n))
                {
                    log::info!("{}", case.name);
                    bar.set_message(case.name.clone());
                    let start = Instant::now();
                    let one = analyse(case, tools, guard, 1);
                    *place.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some((one, start.elapsed()));
                    bar.inc(1);
                }
            });
        }
    });
    let taken = |place: Mutex<Option<_>>| place.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut found: Vec<(Found, Duration)> =
        found.into_iter().map(|p| taken(p).unwrap_or((Found::Interrupted, Duration::ZERO))).collect();
    for (case, one) in cases.iter().zip(&mut found) {
        if !guard.interrupted() && outcome::lost_by_time(case, &one.0) {
            log::info!("{}: again, in twice the time", case.name);
            bar.set_message(format!("{} (again)", case.name));
            let start = Instant::now();
            *one = (analyse(case, tools, guard, 2), start.elapsed());
        }
    }
    bar.finish_and_clear();
    found
}

/// The progress bar on standard error, if that is a terminal and this is not a CI run.
fn bar(programs: usize, in_ci: bool) -> ProgressBar {
    let shown = std::io::stderr().is_terminal() && !in_ci;
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(u64::try_from(programs).ok(), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    if shown {
        bar.enable_steady_tick(Duration::from_millis(150));
    }
    bar
}
