//! How time and memory grow with the size of the program: the domains of the default stack on
//! generated programs of 1,000 to 10,000 lines.
//!
//! `cargo bench --bench growth [-- --stack NAME]` prints a table, in which each row is a process of
//! its own, and the exponent of the growth between the first row and the last (1 is linear). A
//! program of 10,000 lines has 200 arrays, 500 loops and 400 functions, which share globals and
//! pass arrays to each other. About a tenth of the scalars are compared with, or computed from,
//! another one.

use nix::sys::resource::{UsageWho, getrusage};
use std::fmt::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Lines of each function.
const LINES: usize = 25;

fn program(lines: usize) -> String {
    let functions = lines / LINES;
    let (arrays, globals) = ((lines / 50).max(1), (lines / 100).max(1));
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n");
    for g in 0..globals {
        let _ = writeln!(text, "int g{g};");
    }
    for a in 0..arrays {
        let _ = writeln!(text, "int a{a}[{}];", 10 + a % 90);
    }
    for f in 0..functions {
        function(&mut text, f, globals);
    }
    text.push_str("int main(void)\n{\n");
    for f in 0..functions {
        let (one, two) = (f % arrays, (f * 7 + 3) % arrays);
        let _ = writeln!(text, "  f{f}(a{one}, {}, a{two}, {});", 10 + one % 90, 10 + two % 90);
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// A function with ten scalars, two of which are related. Every fourth one has a second loop.
fn function(text: &mut String, f: usize, globals: usize) {
    let (g, h) = (f % globals, (f * 3 + 1) % globals);
    let _ = write!(
        text,
        "void f{f}(int *p, int n, int *q, int m)\n{{\n  int i, x0, x1, x2, x3, x4, x5, x6, x7;\n  x0 = __VERIFIER_nondet_int();\n  \
         x1 = {f};\n  x2 = x1 + 1;\n  x3 = __VERIFIER_nondet_int();\n  x4 = 4;\n  x5 = x3 & 15;\n  x6 = 6;\n  x7 = 0;\n  \
         for (i = 0; i < n; i++) {{\n    p[i] = {};\n    x7 = x6;\n  }}\n  __VERIFIER_assert(i == n);\n",
        f % 100
    );
    if f.is_multiple_of(4) {
        let _ = write!(
            text,
            "  for (i = 0; i < m; i++) {{\n    if (q[i] > x4)\n      g{g} = x5;\n  }}\n  __VERIFIER_assert(x2 == x1 + 1);\n  \
             __VERIFIER_assert(x5 <= 15);\n"
        );
    } else {
        let _ = write!(
            text,
            "  if (x0 >= 0 && x0 < m) {{\n    q[x0] = x5;\n    g{g} = q[x0];\n  }} else {{\n    g{h} = x4;\n  }}\n  \
             __VERIFIER_assert(x7 <= 6);\n"
        );
    }
    text.push_str("}\n");
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let stack = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--stack"), Some(name)) => name,
        _ => smalti_stack::DEFAULT_STACK.to_owned(),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("stack {stack}");
    println!("{:>8} {:>8} {:>8} {:>10} {:>10}", "lines", "seconds", "MiB", "proved", "assertions");
    let mut rows: Vec<(f64, f64)> = Vec::new();
    for lines in [1_000usize, 2_000, 5_000, 10_000] {
        let text = program(lines);
        let file = folder.path().join(format!("generated{lines}.c"));
        std::fs::write(&file, &text).expect("the temporary folder can be written");
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_smalti"))
            .args([
                "check",
                "--no-preprocess",
                "--stages",
                "domains",
                "--time-limit",
                "600",
                "--format",
                "json",
                "--stack",
            ])
            .arg(&stack)
            .arg(&file)
            .stderr(Stdio::inherit())
            .output()
            .expect("the program that was just built runs");
        let seconds = start.elapsed().as_secs_f64();
        // The largest child so far: the sizes ascend.
        let memory = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()) / 1024;
        let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
            eprintln!("no report for {lines} lines: {}", output.status);
            return ExitCode::FAILURE;
        };
        let all = report["obligations"].as_array().map_or(0, Vec::len);
        let proved =
            report["obligations"].as_array().into_iter().flatten().filter(|o| o["verdict"] == "proved").count();
        println!("{:>8} {seconds:>8.2} {memory:>8} {proved:>10} {all:>10}", text.lines().count());
        rows.push((text.lines().count() as f64, seconds));
    }
    if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
        println!("exponent {:.2}", (last.1 / first.1).ln() / (last.0 / first.0).ln());
    }
    ExitCode::SUCCESS
}
