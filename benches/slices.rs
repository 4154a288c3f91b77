//! The benefit of slices for CBMC: a generated program of 21,000 lines with 100 assertions, and
//! most of the code is irrelevant to each assertion.
//!
//! `cargo bench --bench slices [-- --lines N --seconds S --value N --backward N --thin N --whole
//! N]` prints a table. Every assertion has three slices. CBMC is asked with growing unwindings, for
//! at most `S` seconds (60) in total for each slice. The other options set the number of assertions
//! whose value slices (all), backward slices (10), thin slices (all) or whole programs (2) are
//! tried. The chosen assertions have all shapes. A hopeless slice takes all its time. `--print`
//! prints the program.
//!
//! The program consists of a hundred parts that run one after the other. Each part has state that
//! it mixes in loops with products and remainders; it passes some of the state to the next part. It
//! has an assertion of one of five shapes. In most of them, the value comes from a short
//! computation, and the state decides whether the assertion is reached. In the others, a loop over
//! a small array fills what is read; or a function that many parts call computes it; or the
//! assertion stands under a condition on the value; or the assertion needs the condition on the
//! state itself, so that only the backward slice proves it.

use smalti::cbmc::{self, EmitOptions, ModelChecker, PropertyAnswer, Purpose, Query, Sizes, Tuning, Undefined, emit};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{Obligation, ObligationKind, Program, StmtKind, each_stmt, obligations};
use smalti::reduce::dependence::Dependence;
use smalti::reduce::slice::{Kind, Slice};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const ASSERTIONS: usize = 100;
const BOUNDS: [u32; 9] = [2, 6, 12, 21, 40, 100, 200, 400, 1025];

fn program(lines: usize) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n\
         int clamp(int x, int low, int high)\n{\n  if (x < low)\n    return low;\n  if (x > high)\n    return high;\n  return x;\n}\n",
    );
    let each = lines / ASSERTIONS;
    for p in 0..ASSERTIONS {
        part(&mut text, p, each);
    }
    text.push_str("int main(void)\n{\n  int seed = __VERIFIER_nondet_int();\n");
    for p in 0..ASSERTIONS {
        let _ = writeln!(text, "  seed = part{p}(seed);");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// One part of about this many lines: mixing functions, then the function with the assertion.
fn part(text: &mut String, p: usize, lines: usize) {
    let _ = writeln!(text, "unsigned int state{p}[64];\nint mode{p};");
    let mixers = (lines.saturating_sub(20) / 16).max(1);
    for m in 0..mixers {
        let (a, b) = (3 + (p * 7 + m * 5) % 89, 1 + (p + m * 3) % 61);
        let _ = write!(
            text,
            "unsigned int mix{p}_{m}(unsigned int x)\n{{\n  unsigned int sum = x;\n  int i;\n  for (i = 0; i < 64; i++) {{\n    \
             state{p}[i] = state{p}[i] * {a} + sum % {b};\n    if (state{p}[i] > 1000)\n      sum = sum * state{p}[i] + {m};\n    else\n      \
             sum = sum ^ (state{p}[i] << 3);\n  }}\n  if (sum % {b} == {})\n    mode{p} = mode{p} * 3 + {m};\n  return sum / 3;\n}}\n",
            m % 5
        );
    }
    let _ = write!(
        text,
        "int part{p}(int seed)\n{{\n  unsigned int x = seed;\n  int input = __VERIFIER_nondet_int();\n  int i, u = 0, k = 0;\n"
    );
    for m in 0..mixers {
        let _ = writeln!(text, "  x = mix{p}_{m}(x + {m});");
    }
    let c = 2 + p % 7;
    let body = match p % 10 {
        0..=4 => "  if (x % 5 == 2) {\n    if (input == 1) {\n      u = 1;\n      k = 1;\n    } else {\n      u = 2;\n      k = 1;\n    }\n    \
             k = u - k;\n    __VERIFIER_assert(k == 0 || u == 2);\n  }\n"
            .to_owned(),
        5 | 6 => format!(
            "  int cells[8];\n  for (i = 0; i < 8; i++)\n    cells[i] = i * {c};\n  if (mode{p} > 3) {{\n    for (i = 0; i < 8; i++)\n      u = u + cells[i];\n    \
             __VERIFIER_assert(u == 28 * {c});\n  }}\n"
        ),
        7 => format!("  u = clamp(input, -{c}, {c});\n  if (x > 7)\n    __VERIFIER_assert(u * u <= {c} * {c});\n"),
        8 => format!(
            "  u = clamp(input, 0, 100);\n  k = u + {c};\n  if (x % 3 == 1 && u > 10) {{\n    k = k * 2;\n    if (k > {c})\n      \
             __VERIFIER_assert(k >= 2 * u);\n  }}\n"
        ),
        _ => format!(
            "  k = clamp(input, 0, 9);\n  u = k;\n  if (input > 5)\n    u = u + {c};\n  if (k < 3 && x > 4)\n    __VERIFIER_assert(u < 3);\n"
        ),
    };
    text.push_str(&body);
    let _ = write!(text, "  i = (int)(x % 1000) + u;\n  return i;\n}}\n");
}

/// The answer of CBMC.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Proved,
    Fails,
    Nothing,
}

fn ask(model: &dyn ModelChecker, program: &Program, about: &Obligation, limit: Duration) -> (Says, Duration) {
    let start = Instant::now();
    let obligations = std::slice::from_ref(about);
    let options = EmitOptions {
        obligations,
        known: &BTreeSet::new(),
        purpose: Purpose::Decide,
        undefined: Undefined::Ends,
        sizes: Sizes::Any,
        log_heap: false,
    };
    let emitted = emit(program, &options);
    for unwind in BOUNDS {
        let query = Query {
            source: emitted.source.clone(),
            properties: emitted.properties.keys().cloned().collect(),
            data_model: program.data_model,
            big_endian: program.representation.big_endian,
            unwind,
            unwinding_assertions: true,
            stop_at_failure: false,
            tuning: Tuning::Plain,
        };
        let Ok(answer) = model.run(&query, start + limit) else { break };
        match answer.properties.get(&about.id) {
            Some(PropertyAnswer::Fails(_)) => return (Says::Fails, start.elapsed()),
            Some(PropertyAnswer::Holds) if answer.complete => return (Says::Proved, start.elapsed()),
            _ => {}
        }
    }
    (Says::Nothing, start.elapsed())
}

#[derive(Default)]
struct Row {
    asked: u32,
    sizes: Vec<usize>,
    proved: u32,
    fails: u32,
    times: Vec<Duration>,
    slowest: Duration,
}

impl Row {
    fn add(&mut self, (says, time): (Says, Duration)) {
        self.asked += 1;
        self.times.push(time);
        match says {
            Says::Proved => self.proved += 1,
            Says::Fails => self.fails += 1,
            Says::Nothing => {}
        }
        self.slowest = self.slowest.max(time);
    }

    fn print(&mut self, name: &str, of: usize) {
        self.sizes.sort_unstable();
        self.times.sort_unstable();
        let size = self.sizes.get(self.sizes.len() / 2).copied().unwrap_or(of);
        let most = self.sizes.last().copied().unwrap_or(of);
        let time = self.times.get(self.times.len() / 2).map_or(0.0, Duration::as_secs_f64);
        println!(
            "| {name} | {size} | {most} | {} | {} | {} | {} | {time:.1} s | {:.1} s |",
            self.asked,
            self.proved,
            self.fails,
            self.asked - self.proved - self.fails,
            self.slowest.as_secs_f64()
        );
    }
}

fn number(name: &str, otherwise: usize) -> usize {
    let mut arguments = std::env::args().skip_while(|a| a != name);
    arguments.nth(1).and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Some of the assertions, far from each other and of all shapes.
fn sample(count: usize) -> BTreeSet<usize> {
    if count >= ASSERTIONS {
        return (0..ASSERTIONS).collect();
    }
    (0..count).map(|n| (n * ASSERTIONS / count / 10 * 10 + n) % ASSERTIONS).collect()
}

fn statements(program: &Program) -> usize {
    let mut count = 0;
    let mut visit = |s: &smalti::program::Stmt| {
        let counts =
            !matches!(s.kind, StmtKind::Block(_) | StmtKind::Label(..) | StmtKind::Skip | StmtKind::Declare(_));
        count += usize::from(counts);
    };
    each_stmt(&program.initialisers, &mut visit);
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|b| each_stmt(b, &mut visit));
    count
}

fn main() -> ExitCode {
    let text = program(number("--lines", 21_300));
    if std::env::args().any(|a| a == "--print") {
        print!("{text}");
        return ExitCode::SUCCESS;
    }
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || run(&text));
    worker.expect("a thread").join().expect("the table")
}

fn run(text: &str) -> ExitCode {
    let limit = Duration::from_secs(number("--seconds", 60) as u64);
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("generated.c", text, &options).expect("it is C");
    let cbmc = match cbmc::find(None) {
        Ok(cbmc) => cbmc,
        Err(why) => {
            println!("left out: {why}");
            return ExitCode::SUCCESS;
        }
    };
    let all = obligations(&program, &[ObligationKind::Assertion]);
    let of = statements(&program);
    println!("{} lines, {of} statements, {} assertions, {} s each", text.lines().count(), all.len(), limit.as_secs());
    let start = Instant::now();
    let graph = Dependence::new(&program).expect("a graph");
    println!("dependence graph: {:.2} s", start.elapsed().as_secs_f64());
    let asked = [("--value", ASSERTIONS), ("--backward", 10), ("--thin", ASSERTIONS), ("--whole", 2)];
    let asked = asked.map(|(name, otherwise)| sample(number(name, otherwise)));
    let mut rows: [Row; 4] = Default::default();
    let mut slicing = Duration::ZERO;
    let mut combined = 0;
    for (n, o) in all.iter().enumerate() {
        for (which, kind) in [Kind::Value, Kind::Backward, Kind::Thin].into_iter().enumerate() {
            let row = &mut rows[which];
            let start = Instant::now();
            let slice = Slice::new(&graph, [o], kind, &BTreeSet::new()).expect("it is reached");
            slicing += start.elapsed();
            row.sizes.push(slice.statements);
            if asked[which].contains(&n) {
                let found = ask(&cbmc, &slice.program, o, limit);
                combined += u32::from(kind == Kind::Value && found.0 == Says::Proved);
                row.add(found);
            }
        }
        if asked[3].contains(&n) {
            rows[3].add(ask(&cbmc, &program, o, limit));
        }
    }
    println!("{} slices: {:.2} s", 3 * all.len(), slicing.as_secs_f64());
    println!("| | statements (median) | (most) | asked | proved | fails | open | time (median) | (slowest) |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (row, name) in rows.iter_mut().zip(["value slice", "backward slice", "thin slice", "whole program"]) {
        row.print(name, of);
    }
    println!("{combined} of {} decided on the value slice alone", all.len());
    ExitCode::SUCCESS
}
