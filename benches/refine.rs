//! The largest instances of the program families in `examples/families` (after Armando, Benerecetti
//! and Mantovani 2007, section 7 and table 4) that are answered in time: by `smalti refine`, by
//! CBMC alone, and by `smalti check` with all stages.
//!
//! `cargo bench --bench refine [-- --seconds N] [--only WORD] [--jobs N]` prints a table; `N` is
//! 60, `WORD` a part of a family's name. The sizes grow. The search ends at the first size that is
//! not answered in time, or whose time would exceed the limit if it grew by the same factor again.
//! CBMC alone is given the number of iterations. `--jobs N` searches for several families in
//! parallel. The benchmark ends with an error if an answer is wrong.

use smalti::cbmc;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Family {
    name: &'static str,
    /// The largest instances in the paper, for EUREKA and for CBMC: instance, seconds.
    paper: [&'static str; 2],
    sizes: &'static [u32],
    /// The largest number of iterations of a loop; at least 7 for Gray codes, which have that many
    /// digits.
    most_iterations: fn(u32) -> u32,
}

const LONG: &[u32] = &[10, 40, 100, 1000, 10_000, 100_000, 1_000_000];
const STEPS: &[u32] = &[5, 10, 25, 50, 100, 400];
const SORTED: &[u32] = &[4, 6, 8, 10, 12, 16, 20];

const FAMILIES: [Family; 5] = [
    Family { name: "string_copy", paper: ["1000* (154 s), 1/2N", "221 (33 s)"], sizes: LONG, most_iterations: |n| n },
    Family {
        name: "gray_code",
        paper: ["25 (230 s), 16/28", "48 (84 s)"],
        sizes: STEPS,
        most_iterations: |n| n.max(7),
    },
    Family { name: "partition", paper: ["40 (178 s), 1/N", "7 (157 s)"], sizes: LONG, most_iterations: |n| n },
    Family { name: "bubble_sort", paper: ["8 (92 s), N/N", "12 (1213 s)"], sizes: SORTED, most_iterations: |n| n },
    Family { name: "selection_sort", paper: ["6 (104 s), N/N", "6 (433 s)"], sizes: SORTED, most_iterations: |n| n },
];

#[derive(Clone, Copy)]
enum Tool {
    Refine,
    Cbmc,
    Check,
}

/// The answer of a tool for an instance.
#[derive(PartialEq)]
enum Said {
    Holds,
    Fails,
    Nothing,
}

struct Bench {
    cbmc: cbmc::Cbmc,
    limit: Duration,
}

impl Bench {
    /// The answer of a tool, its time, and its output.
    fn ask(&self, tool: Tool, family: &Family, size: u32, broken: bool) -> (Said, Duration, String) {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/families").join(family.name).with_extension("c");
        let mut command = match tool {
            Tool::Refine | Tool::Check => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
                command.arg(if matches!(tool, Tool::Check) { "check" } else { "refine" });
                command.args(["--time-limit", &self.limit.as_secs().to_string()]);
                command.arg("--cbmc").arg(self.cbmc.program());
                command
            }
            Tool::Cbmc => {
                let mut command = Command::new(self.cbmc.program());
                // Some versions of CBMC treat only functions with such a name as arbitrary.
                command.args(["-D__VERIFIER_nondet_int=nondet_int", "-D__VERIFIER_nondet_char=nondet_char"]);
                command.args(["--no-standard-checks", "--unwinding-assertions", "--verbosity", "4"]);
                command.args(["--unwind", &((family.most_iterations)(size) + 1).to_string()]);
                command
            }
        };
        command.arg(format!("-DN={size}"));
        if broken {
            command.arg("-DBROKEN");
        }
        command.arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = Instant::now();
        // One second more than the limit that the tool is given.
        let printed =
            command.spawn().ok().and_then(|child| finished(child, start + self.limit + Duration::from_secs(1)));
        let took = start.elapsed();
        let said = match (tool, printed.as_ref().and_then(|(code, _)| *code)) {
            _ if took > self.limit + Duration::from_secs(1) => Said::Nothing,
            (_, Some(0)) => Said::Holds,
            (Tool::Refine | Tool::Check, Some(1)) | (Tool::Cbmc, Some(10)) => Said::Fails,
            _ => Said::Nothing,
        };
        (said, took, printed.map(|(_, text)| text).unwrap_or_default())
    }

    /// The largest instance with its time and its kept cells, and whether every answer was right.
    fn largest(&self, tool: Tool, family: &Family, broken: bool) -> (String, bool) {
        let mut found = "none".to_owned();
        let mut before = None;
        for (n, &size) in family.sizes.iter().enumerate() {
            // Two steps of a Gray code are right in the broken program, too. All sizes here are
            // larger.
            let (said, took, text) = self.ask(tool, family, size, broken);
            eprintln!("  {} {size}: {:.1} s", family.name, took.as_secs_f64());
            match said {
                Said::Nothing => return (found, true),
                said if (said == Said::Fails) != broken => return (format!("{size} WRONG"), false),
                _ => {}
            }
            let more = if n + 1 == family.sizes.len() { "*" } else { "" };
            found = format!("{size}{more} ({:.1} s){}", took.as_secs_f64(), cells(&text).unwrap_or_default());
            let growth = before.map_or(1.0, |before: Duration| took.as_secs_f64() / before.as_secs_f64().max(0.001));
            if took.as_secs_f64() > 5.0 && took.mul_f64(growth.clamp(1.0, 1000.0)) > self.limit {
                break;
            }
            before = Some(took);
        }
        (found, true)
    }
}

/// The last round's `kept/all cells`.
fn cells(printed: &str) -> Option<String> {
    let last = printed.lines().rev().find(|l| l.starts_with("// round"))?;
    let kept = last.split_once(": ")?.1.split_once(" cells")?.0;
    Some(format!(", {kept}"))
}

/// Waits for a child: its exit status and its output. `None` if it had to be killed.
fn finished(mut child: Child, end: Instant) -> Option<(Option<i32>, String)> {
    let mut pipe = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut pipe, &mut text).map(|_| text).unwrap_or_default()
    });
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some((status.code(), reader.join().unwrap_or_default()));
        }
        if Instant::now() > end {
            _ = child.kill();
            _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
    let seconds = option("--seconds").and_then(|s| s.parse().ok()).unwrap_or(60);
    let cbmc = match cbmc::find(None) {
        Ok(cbmc) => cbmc,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let bench = Bench { cbmc, limit: Duration::from_secs(seconds) };
    println!("| family | `smalti refine` | CBMC alone | `smalti check` | EUREKA 2007 (30 min) | CBMC 2007 (30 min) |");
    println!("|---|---|---|---|---|---|");
    let chosen = FAMILIES.iter().filter(|f| option("--only").is_none_or(|word| f.name.contains(word.as_str())));
    let rows: Vec<(&Family, bool)> = chosen.flat_map(|f| [(f, false), (f, true)]).collect();
    let searches: Vec<(usize, Tool)> =
        (0..rows.len()).flat_map(|n| [Tool::Refine, Tool::Cbmc, Tool::Check].map(|tool| (n, tool))).collect();
    let jobs = option("--jobs").and_then(|n| n.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![String::new(); searches.len()]);
    let all_right = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&(row, tool)) = searches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (family, broken) = rows[row];
                    let (largest, right) = bench.largest(tool, family, broken);
                    all_right.fetch_and(right, Ordering::Relaxed);
                    if let Ok(mut found) = found.lock() {
                        found[row * 3 + tool as usize] = largest;
                        eprintln!("{found:?}");
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_default();
    for ((family, broken), found) in rows.iter().zip(found.chunks(3)) {
        let name = format!("{}{}", family.name.replace('_', " "), if *broken { ", broken" } else { "" });
        let paper = if *broken { ["", ""] } else { family.paper };
        println!("| {name} | {} | {} | {} |", found.join(" | "), paper[0], paper[1]);
    }
    let all_right = all_right.into_inner();
    if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
