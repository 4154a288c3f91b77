//! Compares the value analysis with compiled programs.

use super::Looked;
use crate::fuzz::Random;
use crate::fuzz::views::RESULTS;
use crate::program::Program;
use crate::values::{Recorded, Way};
use std::path::Path;
use std::process::Command;

/// The number of runs of a program.
const RUNS: usize = 6;

/// Gives the program its inputs, and prints its results.
const HARNESS: &str = "\
#include <stdio.h>
#include <stdlib.h>
#define main program_main
#include \"program.c\"
#undef main
static char **left;
int __VERIFIER_nondet_int(void) { if (!*left) exit(77); return atoi(*left++); }
int main(int count, char **inputs) {
    (void)count;
    left = inputs + 1;
    program_main();
    for (unsigned n = 0; n < sizeof out / sizeof *out; n++) printf(\"%lld\\n\", out[n]);
    return 0;
}
";

/// Compares the results of compiled runs with what the analysis knows of them.
///
/// # Errors
/// The description of a soundness bug: a result that is not among those known. Or gcc is missing.
pub(super) fn check(text: &str, program: &Program, way: Way, seed: u64) -> Result<Looked, String> {
    let mut looked = Looked::default();
    let Some(mut recorded) = Recorded::new(program, &[], way) else { return Ok(looked) };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let binary = compile(text, folder.path())?;
    let mut random = Random::new(seed ^ 0x5EED);
    for _ in 0..RUNS {
        let inputs: Vec<String> =
            (0..40).map(|_| random.interesting().clamp(i32::MIN.into(), i32::MAX.into()).to_string()).collect();
        let run = Command::new(&binary).args(&inputs).env("ASAN_OPTIONS", "detect_leaks=0").output();
        let run = run.map_err(|e| e.to_string())?;
        if !run.status.success() {
            // A sanitizer has found something undefined.
            continue;
        }
        looked.runs += 1;
        let results = String::from_utf8_lossy(&run.stdout);
        for (n, line) in results.lines().enumerate() {
            let value: i128 = line.parse().map_err(|_| format!("gcc's program prints `{line}`"))?;
            looked.states += 1;
            match recorded.may_end_with("out", n, value) {
                None => return Err("the analysis says that no run ends".to_owned()),
                Some(false) => {
                    return Err(format!("inputs {}…: out[{n}] is {value}", inputs[..4].join(" ")));
                }
                Some(true) => looked.proved += u64::from(recorded.is_known("out", n)),
            }
        }
        if results.lines().count() != RESULTS {
            return Err("gcc's program prints too little".to_owned());
        }
    }
    Ok(looked)
}

/// What is said of a program that the compiler refuses.
pub(super) const NOT_COMPILED: &str = "gcc does not compile it";

fn compile(text: &str, folder: &Path) -> Result<std::path::PathBuf, String> {
    let (source, binary) = (folder.join("harness.c"), folder.join("program"));
    std::fs::write(folder.join("program.c"), text).map_err(|e| e.to_string())?;
    std::fs::write(&source, HARNESS).map_err(|e| e.to_string())?;
    let flags = [
        "-w",
        "-O0",
        "-fno-strict-aliasing",
        "-ffp-contract=off",
        "-fsanitize=undefined,address,float-cast-overflow",
        "-fno-sanitize=alignment",
        "-fno-sanitize-recover=all",
    ];
    let done = Command::new("gcc").args(flags).arg("-o").arg(&binary).arg(&source).output();
    let done = done.map_err(|e| format!("gcc cannot be started: {e}"))?;
    match done.status.success() {
        true => Ok(binary),
        false => Err(format!("{NOT_COMPILED}: {}", String::from_utf8_lossy(&done.stderr))),
    }
}
