//! Groups of cells: the time does not depend on the number of cells.
//!
//! `cargo bench --bench partition [-- --stack NAME]` prints
//! * the times of those programs of `tests/programs/partition` that work for any size, for an
//!   unknown size, for 24 and for 10,000,000 cells, and the ratio of the slowest to the unknown
//!   size (it should stay below 1.2);
//! * the time of 300 stores at constant indexes (it should stay below 2 s).
//!
//! Times are processor times of an analysis in this process, from the program to the verdicts: the
//! least of many, in milliseconds.

mod clock;

use clock::processor_time;
use smalti::analysis::{AnalysisConfig, analyse};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{ObligationKind, obligations};
use smalti::verdict::Verdict;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); \
                       extern void abort(void); extern void *malloc(unsigned long);\n";
/// The compared sizes.
const SIZES: [&str; 3] = ["__VERIFIER_nondet_int()", "24", "10000000"];

/// The text of a test program with its conditions inserted.
fn with_conditions(text: &str) -> String {
    let mut program = PRELUDE.to_owned();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (code, comment) = line.split_once("//@").unwrap_or((line, ""));
        program.push_str(code);
        if let Some((_, condition)) = comment.trim().split_once(' ')
            && code.trim().is_empty()
        {
            let condition = condition.trim_start().split("  ").next().unwrap_or("");
            let _ = write!(program, "if (__VERIFIER_nondet_int()) {{ __VERIFIER_assert({condition}); abort(); }}");
        }
        program.push('\n');
    }
    program
}

/// An analysis to be measured.
struct Subject {
    program: smalti::program::Program,
    config: AnalysisConfig,
    least: f64,
}

impl Subject {
    fn new(text: &str, stack: &str) -> Subject {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("partition.c", text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let config = AnalysisConfig { stack: Some(stack.to_owned()), ..AnalysisConfig::default() };
        Subject { program, config, least: f64::INFINITY }
    }

    /// Runs the analysis once more; the numbers of proved and of all conditions.
    fn run(&mut self) -> (usize, usize) {
        let all = obligations(&self.program, &[ObligationKind::Assertion]);
        let start = processor_time();
        let analysis = analyse(&self.program, &all, &self.config).expect("the stack is there");
        self.least = self.least.min((processor_time() - start).as_secs_f64() * 1000.0);
        let proved = analysis.findings.values().filter(|f| f.verdict == Verdict::Proved);
        (proved.count(), all.len())
    }
}

/// Runs all subjects in turns, so that a machine that is busy for a while is busy for all of them.
fn measure(subjects: &mut [Subject], rounds: usize) -> Vec<(usize, usize)> {
    let mut proofs = Vec::new();
    let start = Instant::now();
    for round in 0..rounds {
        proofs = subjects.iter_mut().map(Subject::run).collect();
        if round > 2 && start.elapsed() > Duration::from_secs(4) {
            break;
        }
    }
    proofs
}

fn sizes(stack: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/partition");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder of programs").flatten().map(|entry| entry.path()).collect();
    files.sort();
    println!("{:<44} {:>9} {:>9} {:>9} {:>7}", "milliseconds for so many cells", "unknown", "24", "10000000", "ratio");
    let (mut sums, mut worst) = ([0.0f64; 3], 0.0f64);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        if !text.contains("-D SIZE=") || !text.contains(&format!("--stack {}\n", stack.trim_start_matches("relation/")))
        {
            continue;
        }
        let text = with_conditions(&text);
        let mut subjects = SIZES.map(|size| Subject::new(&text.replace("SIZE", size), stack));
        measure(&mut subjects, 40);
        let times = [0, 1, 2].map(|n| subjects[n].least);
        let ratio = times[1].max(times[2]) / times[0];
        worst = worst.max(ratio);
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!("{name:<44} {:>9.2} {:>9.2} {:>9.2} {ratio:>7.2}", times[0], times[1], times[2]);
    }
    let ratio = sums[1].max(sums[2]) / sums[0];
    println!("{:<44} {:>9.2} {:>9.2} {:>9.2} {ratio:>7.2} (worst {worst:.2})\n", "all", sums[0], sums[1], sums[2]);
}

fn stores(stack: &str) {
    let mut text = format!("{PRELUDE}int main(void) {{\n  int a[1000];\n");
    for n in 0..300 {
        let _ = writeln!(text, "  a[{}] = {};", n * 7 % 1000, n % 5);
    }
    text.push_str("  __VERIFIER_assert(a[93] == 4);\n  return 0;\n}\n");
    let mut subjects = [Subject::new(&text, stack)];
    let proofs = measure(&mut subjects, 10);
    println!("300 stores: {:.0} ms, {} of {} proved", subjects[0].least, proofs[0].0, proofs[0].1);
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let stack = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--stack"), Some(name)) => name,
        _ => "relation/partition/octagon".to_owned(),
    };
    println!("stack {stack}");
    let work = move || {
        sizes(&stack);
        stores(&stack);
    };
    // Analyses are recursive in the nesting of the source.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    worker.join().expect("no panic");
}
