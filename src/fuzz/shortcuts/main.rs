//! `scripts/mutants --shortcuts` runs this program. It switches on unsound shortcuts, one at a
//! time, and random programs must expose each.

use clap::Parser;
use smalti::fuzz::shortcuts::hunt_all;
use std::process::ExitCode;
use std::time::Duration;

/// Switches unsound shortcuts on, one at a time, and looks whether random programs find them out.
#[derive(Parser)]
struct Arguments {
    /// Only shortcuts whose line contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// How many at once [default: as many as there are cores].
    #[arg(long)]
    jobs: Option<usize>,
    /// For how many minutes at most.
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// Print the programs too.
    #[arg(long)]
    programs: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let time = Duration::try_from_secs_f64(arguments.minutes * 60.0).unwrap_or(Duration::from_secs(1200));
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let time = time.min(Duration::from_secs(1 << 30));
    match hunt_all(&arguments.only, jobs, time, arguments.programs, &mut std::io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("shortcuts: {error}");
            ExitCode::from(2)
        }
    }
}
