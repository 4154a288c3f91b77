//! The programs of figure 11 of Liu, Rival, VMCAI 2015, among them the process table of Minix 1.1:
//! time, proofs and groups, compared with the authors' results.
//!
//! `cargo bench --bench minix [-- --stack NAME]` analyses each function of `examples/minix` alone,
//! under its `requires`, and the other two programs of the figure. (Their loops are not peeled by
//! hand.) It prints
//! * the time on `relation/partition/octagon`, which should be at most 0.2 s for each, and on
//!   `relation/partition/apron-octagon`, if APRON is there;
//! * how many assertions and bounds there are, and how many of them are proved;
//! * the largest number of groups of one array at any point of the source, and that of the paper;
//! * the time of the authors' own analyser, on equivalent programs.
//!
//! Times are processor times in milliseconds, each the shortest of many analyses in this process,
//! from the program to the verdicts.

mod clock;

#[path = "../tests/figure_11/mod.rs"]
mod figure_11;

use clock::processor_time;
use figure_11::{FIGURE_11, Line, peak};
use smalti::analysis::{AnalysisConfig, analyse};
use smalti::program::{Obligation, Program};
use smalti::verdict::Verdict;
use std::time::{Duration, Instant};

const STACKS: [&str; 2] = ["relation/partition/octagon", "relation/partition/apron-octagon"];

/// User seconds of the authors' analyser (OCaml, exact rational octagons) for the lines of the
/// figure, on a machine that was used for the development.
const THEIRS: [f64; 6] = [0.43, 0.22, 10.4, 10.3, 0.11, 2.1];

/// A function on a stack.
struct Subject {
    program: Program,
    all: Vec<Obligation>,
    config: AnalysisConfig,
    least: f64,
    proved: usize,
}

impl Subject {
    fn new(line: &Line, stack: &str) -> Subject {
        let (program, all) = line.load();
        let config = AnalysisConfig { stack: Some(stack.to_owned()), ..AnalysisConfig::default() };
        Subject { program, all, config, least: f64::INFINITY, proved: 0 }
    }

    /// Runs the analysis once more; `false` if the stack is not available.
    fn run(&mut self) -> bool {
        let start = processor_time();
        let Ok(analysis) = analyse(&self.program, &self.all, &self.config) else { return false };
        self.least = self.least.min((processor_time() - start).as_secs_f64() * 1000.0);
        let decided = |v: Verdict| matches!(v, Verdict::Proved | Verdict::Unreachable);
        self.proved = analysis.findings.values().filter(|f| decided(f.verdict)).count();
        true
    }
}

fn table(stack: &str) {
    let mut subjects: Vec<Subject> = FIGURE_11.iter().map(|line| Subject::new(line, stack)).collect();
    let start = Instant::now();
    // The subjects take turns, so that a machine that is busy for a while is busy for all of them.
    for round in 0..40 {
        if !subjects.iter_mut().all(Subject::run) {
            println!("{stack}: not there\n");
            return;
        }
        if round > 2 && start.elapsed() > Duration::from_secs(10) {
            break;
        }
    }
    println!(
        "{stack:<34} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "theirs", "ours", "faster", "proved", "paper", "groups"
    );
    for ((subject, line), seconds) in subjects.iter().zip(FIGURE_11).zip(THEIRS) {
        let (theirs, ours) = (seconds * 1000.0, subject.least);
        let proved = format!("{}/{}", subject.proved, subject.all.len());
        println!(
            "{:<34} {theirs:>9.0} {ours:>9.1} {:>9.1} {proved:>9} {:>7} {:>7}",
            line.name,
            theirs / ours,
            line.groups,
            peak(&subject.program, &subject.config)
        );
    }
    println!();
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let stacks = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--stack"), Some(name)) => vec![name],
        _ => STACKS.map(str::to_owned).to_vec(),
    };
    let work = move || stacks.iter().for_each(|stack| table(stack));
    // Analyses are recursive in the nesting of the source.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    worker.join().expect("no panic");
}
