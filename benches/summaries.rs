//! The time that exact values of loops take (the stage `summary`): against the bounds of the loops,
//! the number of loops in sequence, and the depth of a nest.
//!
//! `cargo bench --bench summaries [-- --runs N]` prints a table. Each row is the median of `N` (11)
//! runs of the stage alone, as a process of its own, and what it proved. The values do not take
//! longer where bounds are larger. But some run must reach the assertions, so a bound that no input
//! makes smaller costs the time of such a run, or the proof. The assertions of a program need the
//! values of all its loops.

use std::fmt::Write;
use std::process::{Command, ExitCode};
use std::time::Instant;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n\
                    extern void *malloc(unsigned long);\n";

/// Fills an array, sums it, and counts what is even: all loops run to `bound`.
fn bounded(bound: &str) -> String {
    format!(
        "{HEAD}int main(void)\n{{\n  int n = {bound};\n  if (n < 1 || n > 10000000)\n    return 0;\n  \
         int *a = malloc(n * sizeof(int));\n  long long sum = 0;\n  int even = 0;\n  \
         for (int i = 0; i < n; i++)\n    a[i] = 3 * i + 1;\n  \
         for (int i = 0; i < n; i++)\n    sum += a[i];\n  \
         for (int i = 0; i < n; i++)\n    if (a[i] % 2 == 0)\n      even++;\n  \
         __VERIFIER_assert(2 * sum == 3LL * n * n - n);\n  __VERIFIER_assert(even == n / 2);\n  return 0;\n}}\n"
    )
}

/// Each loop adds to what the one before has left in each cell.
fn in_sequence(loops: usize) -> String {
    let mut text = format!(
        "{HEAD}int main(void)\n{{\n  int n = __VERIFIER_nondet_int();\n  if (n < 1 || n > 100000)\n    return 0;\n  \
         int *a = malloc(n * sizeof(int));\n  for (int i = 0; i < n; i++)\n    a[i] = i;\n"
    );
    for l in 1..loops {
        let _ = write!(text, "  for (int i = 0; i < n; i++)\n    a[i] = a[i] + {};\n", l % 7 + 1);
    }
    let added: usize = (1..loops).map(|l| l % 7 + 1).sum();
    let _ =
        write!(text, "  for (int i = 0; i < n; i++)\n    __VERIFIER_assert(a[i] == i + {added});\n  return 0;\n}}\n");
    text
}

/// A nest that counts its innermost iterations.
fn nested(depth: u32) -> String {
    let mut text = format!(
        "{HEAD}int main(void)\n{{\n  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 1000)\n    return 0;\n  \
         long long count = 0;\n"
    );
    for level in 0..depth {
        let _ = writeln!(text, "  for (int i{level} = 0; i{level} < n; i{level}++)");
    }
    let product = vec!["n"; depth as usize].join(" * ");
    let _ = write!(text, "    count++;\n  __VERIFIER_assert(count == 1LL * {product});\n  return 0;\n}}\n");
    text
}

/// The median time of the runs in milliseconds, and how many obligations were proved of all.
fn measured(file: &std::path::Path, runs: usize) -> Result<(f64, String), String> {
    let mut times = Vec::new();
    let mut proved = String::new();
    for _ in 0..runs {
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_smalti"))
            .args(["check", "--no-preprocess", "--stages", "summary", "--checks", "assertion", "--format", "json"])
            .arg(file)
            .output()
            .map_err(|e| format!("smalti does not start: {e}"))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).map_err(|e| format!("smalti printed no document: {e}"))?;
        let all = document["obligations"].as_array().ok_or("the document lists no obligations")?;
        let count = all.iter().filter(|one| one["verdict"] == "proved").count();
        proved = format!("{count} of {}", all.len());
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], proved))
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let runs = match (arguments.next().as_deref(), arguments.next().and_then(|n| n.parse().ok())) {
        (Some("--runs"), Some(n)) if n > 0 => n,
        _ => 11,
    };
    let mut rows: Vec<(String, String)> = Vec::new();
    for bound in ["10", "10000", "10000000", "__VERIFIER_nondet_int()"] {
        rows.push((format!("loops up to {bound}"), bounded(bound)));
    }
    for loops in [1, 2, 4, 8, 16, 32, 64] {
        rows.push((format!("{loops} loops in sequence"), in_sequence(loops)));
    }
    for depth in 1..=4 {
        rows.push((format!("{depth} loops nested"), nested(depth)));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("{:<40} {:>12} {:>10}", "program", "milliseconds", "proved");
    for (n, (name, text)) in rows.iter().enumerate() {
        let file = folder.path().join(format!("generated{n}.c"));
        std::fs::write(&file, text).expect("the temporary folder can be written");
        match measured(&file, runs) {
            Ok((time, proved)) => println!("{name:<40} {time:>12.1} {proved:>10}"),
            Err(why) => {
                eprintln!("{name}: {why}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
