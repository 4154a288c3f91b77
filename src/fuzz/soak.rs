//! Runs all attacks for a chosen time.

use super::attack::{Attack, Effort, External, Found, Looked, all, trial};
use crate::process::Guard;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The options of a soak.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The total time.
    pub time: Duration,
    /// The number of attacks that run in parallel.
    pub jobs: usize,
    /// The number of the first program of each attack.
    pub seed: u64,
    /// Only attacks whose name contains this.
    pub only: String,
    /// The time for one program.
    pub patience: Duration,
    /// The folder for bugs, one file each.
    pub folder: PathBuf,
    /// Whether to end with the first bug and to write it without reducing it.
    pub first: bool,
}

/// The state of one attack.
struct Line {
    attack: Attack,
    next: u64,
    programs: u64,
    looked: Looked,
    bugs: u64,
    time: Duration,
}

/// Runs attacks in turns, until the time is over or a signal arrives. Bugs are reduced and written
/// to files. Returns the number of bugs.
///
/// # Errors
/// A file or a line cannot be written, or no attack is possible.
pub fn soak(plan: &Plan, out: &mut (dyn Write + Send)) -> std::io::Result<u64> {
    let external = External::find();
    let mut lines = Vec::new();
    for attack in all().into_iter().filter(|a| a.to_string().contains(&plan.only)) {
        match external.lacks(&attack) {
            Some(why) => writeln!(out, "left out: {attack}: {why}")?,
            None => {
                lines.push(Line {
                    attack,
                    next: plan.seed,
                    programs: 0,
                    looked: Looked::default(),
                    bugs: 0,
                    time: Duration::ZERO,
                });
            }
        }
    }
    if lines.is_empty() {
        return Err(std::io::Error::other("there is no such attack"));
    }
    let end = Instant::now() + plan.time;
    // Each attack has two turns.
    let share = plan.time.mul_f64(plan.jobs.max(1) as f64 / (2 * lines.len()) as f64);
    let turn = share.min(Duration::from_secs(20));
    // The attack that has had the least time comes next. While it works, it is not in the list.
    let (lines, out, failed) = (Mutex::new(lines), Mutex::new(out), Mutex::new(None));
    let (guard, enough) = (Guard::new(), AtomicBool::new(false));
    let stopped = || guard.interrupted() || enough.load(Ordering::SeqCst);
    let work = || {
        while Instant::now() < end && !stopped() {
            let Some(mut line) = least(&lines) else { return };
            let begun = Instant::now();
            let effort = Effort {
                first: line.next,
                programs: u64::MAX,
                until: (begun + turn).min(end),
                patience: plan.patience,
            };
            let done = trial(&line.attack, &effort, &external, &stopped);
            line.next += done.programs;
            line.programs += done.programs;
            line.looked += done.looked;
            line.time += begun.elapsed();
            if let Some(found) = done.found {
                line.bugs += 1;
                enough.fetch_or(plan.first, Ordering::SeqCst);
                let until = Instant::now() + Duration::from_secs(180);
                let small = found.smaller(&external, plan.patience, until, &stopped);
                if let Err(error) = write(plan, &small, &out) {
                    *locked(&failed) = Some(error);
                    return;
                }
            }
            locked(&lines).push(line);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            // Lowering and analysis recurse over the nesting of the source.
            let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            if let Err(error) = worker {
                *locked(&failed) = Some(error);
            }
        }
    });
    if let Some(error) = locked(&failed).take() {
        return Err(error);
    }
    let mut lines = std::mem::take(&mut *locked(&lines));
    lines.sort_by_key(|line| line.attack.to_string());
    table(&lines, &mut **locked(&out))?;
    Ok(lines.iter().map(|line| line.bugs).sum())
}

/// If a thread panics, only its own attack is lost.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn least(lines: &Mutex<Vec<Line>>) -> Option<Line> {
    let mut lines = locked(lines);
    let next = (0..lines.len()).min_by_key(|&n| lines[n].time)?;
    Some(lines.swap_remove(next))
}

fn write(plan: &Plan, found: &Found, out: &Mutex<&mut (dyn Write + Send)>) -> std::io::Result<()> {
    std::fs::create_dir_all(&plan.folder)?;
    let name: String = found.origin.attack.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let path = plan.folder.join(format!("{name}_{}.c", found.origin.seed));
    std::fs::write(&path, found.file())?;
    writeln!(locked(out), "{}, program {}: {}\n  {}", found.origin.attack, found.origin.seed, found.bug, path.display())
}

fn table(lines: &[Line], out: &mut dyn Write) -> std::io::Result<()> {
    let mut total = Looked::default();
    let (mut programs, mut bugs, mut time) = (0, 0, Duration::ZERO);
    writeln!(
        out,
        "{:55} {:>9} {:>11} {:>10} {:>8} {:>8} {:>5} {:>7}",
        "attack", "programs", "states", "runs", "proved", "refuted", "bugs", "seconds"
    )?;
    for line in lines {
        row(out, &line.attack.to_string(), line.programs, &line.looked, line.bugs, line.time)?;
        total += line.looked;
        programs += line.programs;
        bugs += line.bugs;
        time += line.time;
    }
    row(out, "all", programs, &total, bugs, time)
}

fn row(
    out: &mut dyn Write,
    name: &str,
    programs: u64,
    looked: &Looked,
    bugs: u64,
    time: Duration,
) -> std::io::Result<()> {
    let Looked { states, runs, proved, violated, .. } = looked;
    let seconds = time.as_secs();
    writeln!(out, "{name:55} {programs:>9} {states:>11} {runs:>10} {proved:>8} {violated:>8} {bugs:>5} {seconds:>7}")
}
