//! The time of the loop reductions does not depend on the number of iterations: the same programs
//! with arrays of 100,000 and of 10,000,000 cells.
//!
//! `cargo bench --bench reductions [-- --rounds N]` prints, for loop pruning and loop shrinking
//! alone, the answers and the times for both sizes and their ratio. Each time is the least of `N`
//! (5) runs, which take turns, so that a machine that is busy for a while is busy for both sizes.
//! It includes CBMC's time. The benchmark ends with an error if a proof depends on the size, or if
//! the proved programs together take 1.5 times as long with the larger size.

use smalti::cbmc;
use smalti::lower::{LowerOptions, load_text};
use smalti::program::Program;
use smalti::stages::{CheckConfig, Silent, Tools, check_with};
use smalti::verdict::{Stage, Verdict};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const SIZES: [&str; 2] = ["100000", "10000000"];

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n";

/// Programs with a name. They differ in the code between and around the loops.
const PROGRAMS: [(&str, &str); 8] = [
    (
        "cells are set and copied",
        "int a[N], b[N];
         for (int i = 0; i < N; i++) a[i] = 42;
         for (int i = 0; i < N; i++) b[i] = a[i];
         for (int i = 0; i < N; i++) __VERIFIER_assert(b[i] == 42);",
    ),
    (
        "cells are brought into a range",
        "int a[N];
         for (int i = 0; i < N; i++) { if (a[i] < 0) a[i] = 0; if (a[i] > 100) a[i] = 100; }
         for (int i = 0; i < N; i++) __VERIFIER_assert(a[i] >= 0 && a[i] <= 100);",
    ),
    (
        "the least of all cells",
        "int a[N]; int least = a[0];
         for (int i = 1; i < N; i++) if (a[i] < least) least = a[i];
         for (int i = 0; i < N; i++) __VERIFIER_assert(least <= a[i]);",
    ),
    (
        "the least before and after a copy",
        "int a[N], b[N]; int first = 1000, second = 1000;
         for (int i = 0; i < N; i++) if (a[i] < first) first = a[i];
         for (int i = 0; i < N; i++) b[i] = a[i];
         for (int i = 0; i < N; i++) if (b[i] < second) second = b[i];
         __VERIFIER_assert(first == second);",
    ),
    (
        "one sum in two orders",
        "unsigned a[N]; unsigned first = 0, second = 0;
         for (int i = 0; i < N; i++) first = first + a[i];
         for (int i = 0; i < N; i++) second = a[i] + second;
         __VERIFIER_assert(first == second);",
    ),
    (
        "two arrays in order",
        "int a[N], b[N];
         for (int i = 0; i < N; i++) if (a[i] > b[i]) { int t = a[i]; a[i] = b[i]; b[i] = t; }
         for (int i = 0; i < N; i++) __VERIFIER_assert(a[i] <= b[i]);",
    ),
    (
        "is a number there?",
        "int a[N]; int x = __VERIFIER_nondet_int(), found = 0;
         for (int i = 0; i < N; i++) if (a[i] == x) found = 1;
         for (int i = 0; i < N; i++) __VERIFIER_assert(found || a[i] != x);",
    ),
    (
        "some cell may be large",
        "int a[N]; int x = 0;
         for (int i = 0; i < N; i++) if (a[i] > 100) x = 1;
         __VERIFIER_assert(x == 0);",
    ),
];

/// A program to be decided by one stage.
struct Subject {
    program: Program,
    stage: Stage,
    verdict: Verdict,
    detail: String,
    least: Duration,
}

impl Subject {
    fn new(body: &str, size: &str, stage: Stage) -> Subject {
        let body = body.replace('N', size);
        let text = format!("{PRELUDE}int main(void) {{\n{body}\nreturn 0;\n}}\n");
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("reductions.c", &text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        Subject { program, stage, verdict: Verdict::Unknown, detail: String::new(), least: Duration::MAX }
    }

    /// The verdict, and its evidence. (The reasons of an open obligation contain places.)
    fn answer(&self) -> String {
        match self.verdict {
            Verdict::Proved => format!("proved, {}", self.detail),
            Verdict::Unknown => "not proved".to_owned(),
            other => format!("{other:?}"),
        }
    }

    fn run(&mut self, cbmc: &cbmc::Cbmc) {
        let start = Instant::now();
        let limit = Duration::from_secs(30);
        let config = CheckConfig { stacks: Vec::new(), ..CheckConfig::new(&[self.stage], start + limit) };
        let report = check_with(&self.program, &config, &Silent, Tools::only(Ok(cbmc))).expect("a report");
        self.least = self.least.min(start.elapsed());
        if let Some(decided) = report.obligations.first() {
            self.verdict = decided.verdict;
            self.detail = decided.evidence.detail.clone();
        }
    }
}

fn compare(stage: Stage, rounds: usize, cbmc: &cbmc::Cbmc) -> bool {
    println!("| {stage} | {} cells | {} cells | ratio | answer |", SIZES[0], SIZES[1]);
    println!("|---|---|---|---|---|");
    let mut sums = [Duration::ZERO; 2];
    let mut fine = true;
    for (name, body) in PROGRAMS {
        let mut subjects = SIZES.map(|size| Subject::new(body, size, stage));
        for _ in 0..rounds {
            subjects.iter_mut().for_each(|s| s.run(cbmc));
        }
        let [small, large] = &subjects;
        let ratio = large.least.as_secs_f64() / small.least.as_secs_f64();
        // The time of a stage that gives up says nothing about the size.
        if small.verdict == Verdict::Proved {
            sums[0] += small.least;
            sums[1] += large.least;
        }
        let [answer, other] = [small, large].map(Subject::answer);
        // The interpreter executes a failing run iteration by iteration, so its cost grows with the
        // size.
        let proved = [small, large].map(|s| s.verdict == Verdict::Proved);
        fine &= answer == other || proved == [false; 2];
        let other = if answer == other { String::new() } else { format!(", then {other}") };
        println!(
            "| {name} | {:.0} ms | {:.0} ms | {ratio:.2} | {answer}{other} |",
            small.least.as_secs_f64() * 1000.0,
            large.least.as_secs_f64() * 1000.0
        );
    }
    let ratio = sums[1].as_secs_f64() / sums[0].as_secs_f64();
    println!(
        "| all that are proved | {:.0} ms | {:.0} ms | {ratio:.2} | |\n",
        sums[0].as_secs_f64() * 1000.0,
        sums[1].as_secs_f64() * 1000.0
    );
    fine && ratio < 1.5
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip_while(|a| a != "--rounds");
    let rounds = arguments.nth(1).and_then(|n| n.parse().ok()).unwrap_or(5);
    let cbmc = match cbmc::find(None) {
        Ok(cbmc) => cbmc,
        Err(why) => {
            println!("{why}");
            return ExitCode::FAILURE;
        }
    };
    // The analysis is recursive in the nesting of the program.
    let work = move || [Stage::Prune, Stage::Shrink].map(|stage| compare(stage, rounds, &cbmc));
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    if worker.join().expect("no panic") == [true; 2] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
