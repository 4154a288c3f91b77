//! `scripts/soak` runs this: all attacks on random programs, for a chosen time.

use clap::Parser;
use smalti::fuzz::attack::{External, Found};
use smalti::fuzz::soak::{Plan, soak};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Attacks smalti with random programs; what it finds is made small and written as test files.
#[derive(Parser)]
struct Arguments {
    /// For how many minutes.
    #[arg(default_value_t = 10.0)]
    minutes: f64,
    /// How many attacks at once [default: as many as there are cores].
    #[arg(long)]
    jobs: Option<usize>,
    /// The number of the first program [default: from the clock].
    #[arg(long)]
    seed: Option<u64>,
    /// Only attacks whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds for one program.
    #[arg(long, default_value_t = 10.0)]
    patience: f64,
    /// Where bugs are written.
    #[arg(long, default_value = "tests/found")]
    folder: PathBuf,
    /// End with the first bug, and leave it as large as it is.
    #[arg(long)]
    first: bool,
    /// Only try these written bugs again.
    #[arg(long, value_name = "FILE")]
    again: Vec<PathBuf>,
}

/// Tries written bugs again. Returns how many still occur.
fn again(files: &[PathBuf], patience: Duration) -> Result<usize, String> {
    let external = External::find();
    let mut bugs = 0;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        if let Some(bug) = Found::read(&text)?.again(&external, patience)? {
            println!("{}: {bug}", file.display());
            bugs += 1;
        }
    }
    Ok(bugs)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX / 4);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let plan = Plan {
        time: seconds(arguments.minutes * 60.0).min(Duration::from_secs(1 << 30)),
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        // The seeds of two soaks must be far apart, so that they do not try the same programs.
        seed: arguments.seed.unwrap_or(clock << 20),
        only: arguments.only,
        patience: seconds(arguments.patience).min(Duration::from_secs(1 << 30)),
        folder: arguments.folder,
        first: arguments.first,
    };
    let bugs = if arguments.again.is_empty() {
        println!("programs from number {} on", plan.seed);
        soak(&plan, &mut std::io::stdout()).map_err(|e| e.to_string())
    } else {
        again(&arguments.again, plan.patience).map(|bugs| bugs as u64)
    };
    match bugs {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::from(2)
        }
    }
}
