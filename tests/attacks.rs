//! Tries every attack for a moment ([`TIME`]): random programs, with smalti's answers compared with
//! their runs. Also repeats every bug that `scripts/soak` has found (`tests/found`): none may occur
//! again.
//!
//! `cargo test --test attacks -- loops` tries the attacks with that word in their names.
//! `scripts/soak` tries them for longer.

use libtest_mimic::{Arguments, Failed, Trial};
use smalti::fuzz::attack::{self, Attack, Effort, External, Found};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an attack makes new programs. It goes on until one of them tells something.
/// `scripts/soak` takes minutes.
const TIME: Duration = Duration::from_millis(300);

/// Whether the tool may be missing: not in continuous integration, unless APRON is hidden on
/// purpose. (A gcc for two kinds of machines is rare, and nothing fetches it.)
fn may_be_missing(why: &str) -> bool {
    std::env::var_os("CI").is_none()
        || why.contains("32 bits")
        || std::env::var_os("SMALTI_WITHOUT_APRON").is_some() && why.contains("apron")
        || std::env::var_os("SMALTI_WITHOUT_SOLVER").is_some() && why.contains("solver")
}

/// Lowering and analysis are recursive in the nesting of the source.
fn with_stack(work: impl FnOnce() -> Result<(), Failed> + Send) -> Result<(), Failed> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        worker.map_err(|e| e.to_string())?.join().unwrap_or_else(|_| Err("a panic".into()))
    })
}

fn attack_for_a_moment(attack: &Attack, external: &External) -> Result<(), Failed> {
    if let Some(why) = external.lacks(attack) {
        return if may_be_missing(&why) { Ok(()) } else { Err(why.into()) };
    }
    let until = Instant::now() + TIME;
    let effort = Effort { first: 1, programs: 200, until, patience: Duration::from_secs(3) };
    let trial = attack::trial(attack, &effort, external, &|| false);
    if let Some(found) = trial.found {
        return Err(format!("program {}: {}\n{}", found.origin.seed, found.bug, found.text).into());
    }
    println!("{attack}: {} programs, {:?}", trial.programs, trial.looked);
    // If the analysis says nothing, the trial has tested nothing.
    if trial.says_something { Ok(()) } else { Err(format!("nothing was decided: {:?}", trial.looked).into()) }
}

fn still_gone(file: &Path, external: &External) -> Result<(), Failed> {
    let found = Found::read(&std::fs::read_to_string(file)?)?;
    match found.again(external, Duration::from_secs(20))? {
        Some(bug) => Err(bug.into()),
        None => Ok(()),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let external = Arc::new(External::find());
    let mut trials: Vec<Trial> = attack::all()
        .into_iter()
        .map(|attack| {
            let external = Arc::clone(&external);
            Trial::test(attack.to_string(), move || with_stack(|| attack_for_a_moment(&attack, &external)))
        })
        .collect();
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    let mut files: Vec<_> =
        std::fs::read_dir(found).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "c")) {
        let external = Arc::clone(&external);
        let name = format!("found:{}", file.file_stem().unwrap_or_default().display());
        trials.push(Trial::test(name, move || with_stack(|| still_gone(&file, &external))));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
