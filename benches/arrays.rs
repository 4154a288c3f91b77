//! The cost of arrays: the time of an analysis and its main operations, as one property of a
//! program grows.
//!
//! `cargo bench --bench arrays [-- --stack NAME]` analyses generated programs in which one number
//! grows at a time: arrays, cells with a group of their own, scalars, calls, nested loops. For each
//! program and stack it prints
//! * the processor time of an analysis in this process, from the program to the verdicts: the
//!   median of several runs that take turns, in milliseconds, and its ratio to that of the first
//!   stack;
//! * the numbers of evaluated statements, joins of states with arrays, comparisons that had to
//!   match groups, matched arrays, created groups, closed matrices;
//! * the dimensions of the largest matrix, and the allocated MiB.
//!
//! `cargo bench --bench arrays -- --firmware` does the same for the programs of
//! `examples/firmware`, as whole runs of `check`. (Such a run contains more than the domains: runs
//! of the program that try to refute what the domains leave open.) There are eleven runs that take
//! turns. It prints the median of the user times, and the ratio, which should be at most 15.

mod clock;

use clock::processor_time;
use nix::sys::resource::{UsageWho, getrusage};
use smalti::analysis::{AnalysisConfig, analyse};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{Obligation, ObligationKind, Program, obligations};
use smalti_core::work;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The system's allocator, which counts the allocated bytes.
struct Counting;

static BYTES: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "an allocator can only be made like this; it hands everything on")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STACKS: [&str; 3] = ["smash/octagon", "partition/octagon", "relation/partition/octagon"];
/// The number of times that each analysis is repeated, in turns.
const ROUNDS: usize = 3;
const FIRMWARE: [&str; 3] = ["heater", "pump", "gateway"];
const FIRMWARE_ROUNDS: usize = 11;

/// The size of a program.
#[derive(Clone, Copy)]
struct Shape {
    arrays: usize,
    /// The number of cells of each array that are written by constant indexes.
    cells: usize,
    scalars: usize,
    calls: usize,
    /// The number of loops around the loops over arrays.
    nest: usize,
}

const BASE: Shape = Shape { arrays: 5, cells: 2, scalars: 10, calls: 2, nest: 1 };

/// A module that repeatedly fills arrays, copies cells from one to the next, and counts.
fn program(shape: Shape) -> String {
    let Shape { arrays, cells, scalars, calls, nest } = shape;
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n");
    for a in 0..arrays {
        let _ = writeln!(text, "int a{a}[{}];", 20 + a % 13);
    }
    (0..scalars).for_each(|s| _ = writeln!(text, "int x{s};"));
    text.push_str(
        "void fill(int *p, int n, int v)\n{\n  int i;\n  for (i = 0; i < n; i++)\n    p[i] = v;\n}\n\
         int find(int *p, int n, int v)\n{\n  int i;\n  for (i = 0; i < n; i++) {\n    if (p[i] == v)\n      \
         return i;\n  }\n  return -1;\n}\n",
    );
    text.push_str("int main(void)\n{\n  int k, at;\n");
    for a in 0..arrays {
        let _ = writeln!(text, "  fill(a{a}, {}, {});", 20 + a % 13, a % 7);
    }
    for n in 0..nest {
        let _ = writeln!(text, "  int t{n};\n  for (t{n} = 0; t{n} < {}; t{n}++) {{", 10 + n);
    }
    for a in 0..arrays {
        (0..cells).for_each(|c| _ = writeln!(text, "    a{a}[{c}] = {};", c + 1));
        let _ = writeln!(text, "    k = __VERIFIER_nondet_int();\n    if (k >= 0 && k < 20)\n      a{a}[k] = k;");
    }
    for c in 0..calls {
        let (one, two) = (c % arrays, (c + 1) % arrays);
        let _ = writeln!(text, "    at = find(a{one}, 20, {c});\n    if (at >= 0)\n      a{two}[at] = at;");
    }
    for s in 0..scalars {
        let (low, other) = (s % 5, (s + 1) % scalars);
        let _ = writeln!(text, "    if (x{s} < {}) x{s}++; else x{s} = {low};\n    x{other} = x{s};", 10 + s);
    }
    (0..nest).for_each(|_| text.push_str("  }\n"));
    for a in 0..arrays {
        let _ = writeln!(text, "  k = a{a}[3];\n  __VERIFIER_assert(k >= 0);");
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// The program on each stack.
fn row(name: &str, text: &str, stacks: &[String]) {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program: Program = load_text("generated.c", text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let all: Vec<Obligation> = obligations(&program, &[ObligationKind::Assertion, ObligationKind::Bounds]);
    let mut times = vec![Vec::new(); stacks.len()];
    let mut lines = vec![String::new(); stacks.len()];
    for _ in 0..ROUNDS {
        for (n, stack) in stacks.iter().enumerate() {
            let config = AnalysisConfig { stack: Some(stack.clone()), ..AnalysisConfig::default() };
            let (before, bytes) = (work::events(), BYTES.load(Ordering::Relaxed));
            work::take_peak();
            let start = processor_time();
            let Ok(analysis) = analyse(&program, &all, &config) else { continue };
            times[n].push((processor_time() - start).as_secs_f64() * 1000.0);
            let [closures, joins, inclusions, matchings, groups] =
                std::array::from_fn(|k| work::events()[k].wrapping_sub(before[k]));
            let transfers = analysis.statistics.get("transfers").copied().unwrap_or(0);
            let mib = (BYTES.load(Ordering::Relaxed) - bytes) >> 20;
            let peak = work::take_peak();
            lines[n] = format!(
                "{transfers:>10} {joins:>8} {inclusions:>8} {matchings:>9} {groups:>8} {closures:>10} {peak:>6} {mib:>8}"
            );
        }
    }
    let first = times.first_mut().map_or(0.0, |t| median(t));
    for ((stack, times), line) in stacks.iter().zip(&mut times).zip(&lines) {
        let time = median(times);
        println!("{name:<12} {stack:<28} {time:>9.1} {:>6.1} {line}", time / first);
    }
}

fn generated(stacks: &[String]) {
    println!(
        "{:<12} {:<28} {:>9} {:>6} {:>10} {:>8} {:>8} {:>9} {:>8} {:>10} {:>6} {:>8}",
        "program",
        "stack",
        "ms",
        "ratio",
        "transfers",
        "joins",
        "searches",
        "matchings",
        "groups",
        "closures",
        "peak",
        "MiB"
    );
    let grown = |change: fn(&mut Shape, usize), sizes: &[usize], name: &str| {
        for size in sizes {
            let mut shape = BASE;
            change(&mut shape, *size);
            row(&format!("{name} {size}"), &program(shape), stacks);
        }
    };
    grown(|shape, n| shape.arrays = n, &[1, 5, 20, 100], "arrays");
    grown(|shape, n| shape.cells = n, &[0, 4, 8, 12], "cells");
    grown(|shape, n| shape.scalars = n, &[5, 20, 40], "scalars");
    grown(|shape, n| shape.calls = n, &[1, 5, 20], "calls");
    grown(|shape, n| shape.nest = n, &[1, 2, 3], "nest");
}

/// The user time in seconds of one run of the program that was built with this benchmark.
fn user_seconds(stack: &str, file: &str) -> f64 {
    let children = || {
        getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| {
            let time = usage.user_time();
            Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs())
        })
    };
    let before = children();
    let status = Command::new(env!("CARGO_BIN_EXE_smalti"))
        .args(["check", "--stages", "domains", "--time-limit", "600", "--stack", stack, file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok(), "the program that was just built runs");
    (children() - before).as_secs_f64()
}

fn firmware() {
    for name in FIRMWARE {
        let file = format!("{}/examples/firmware/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let (mut cheap, mut dear) = (Vec::new(), Vec::new());
        for _ in 0..FIRMWARE_ROUNDS {
            cheap.push(user_seconds(STACKS[0], &file));
            dear.push(user_seconds(STACKS[2], &file));
        }
        let (cheap, dear) = (median(&mut cheap), median(&mut dear));
        println!("{name:<10} {} {cheap:>7.2} s   {} {dear:>7.2} s   ratio {:>5.1}", STACKS[0], STACKS[2], dear / cheap);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if arguments.iter().any(|a| a == "--firmware") {
        return firmware();
    }
    let stacks: Vec<String> = match &arguments[..] {
        [option, name] if option == "--stack" => vec![name.clone()],
        _ => STACKS.map(str::to_owned).to_vec(),
    };
    // Analyses are recursive in the nesting of the source.
    let work = move || generated(&stacks);
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
    worker.join().expect("no panic");
}
