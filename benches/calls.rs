//! How time, memory and the share of proofs grow with the size of a program whose functions call
//! each other: a call graph of depth 20 in which every function calls three of the next layer.
//!
//! `cargo bench --bench calls [-- --lines N] [-- --stack NAME]` checks generated programs of 1,000
//! to 100,000 lines, each in a process of its own, and prints the exponent of the growth between
//! the first row and the last (1 is linear). `-- --print LINES` prints a program instead.
//!
//! A function has about 100 lines. It gets indexes, arrays with their lengths, and records. What
//! it gets is bounded only by its callers, so about a third of the obligations need the callers:
//! indexes and lengths are handed down as they are, halved, or from a loop; arrays are those of
//! the caller, global ones or local ones, and have one of four lengths. A program of 20,000 lines
//! has 200 functions and 10^9 copies of them if calls are replaced by bodies. Every obligation
//! holds. Calls depend on inputs, so programs can be run.

use nix::sys::resource::{UsageWho, getrusage};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Lines of each function, about.
const LINES: usize = 100;
/// The greatest depth of calls.
const DEPTH: usize = 20;
/// How many functions each function calls.
const CALLS: usize = 3;
/// The lengths of arrays.
const SIZES: [usize; 4] = [16, 64, 80, 256];

/// Chooses, always the same.
struct Choice(u64);

impl Choice {
    fn below(&mut self, n: usize) -> usize {
        // Splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 1) as usize % n
    }
}

/// What all functions share.
struct Plan {
    functions: usize,
    width: usize,
    arrays: usize,
    records: usize,
    globals: usize,
}

/// What a function is given: for each kind, its parameters.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    /// `int k, int *p, int n`: `0 <= k < n`.
    Array,
    /// `int *p, int n, int *q, int m`.
    Arrays,
    /// `struct record *r, int k`: `0 <= k < 32`.
    Record,
    /// `int k, int *p, int n, struct record *r`: `0 <= k < n`.
    All,
}

impl Takes {
    fn of(f: usize) -> Takes {
        [Takes::Array, Takes::Arrays, Takes::Record, Takes::All][(f + f / 7) % 4]
    }

    fn parameters(self) -> &'static str {
        match self {
            Takes::Array => "int k, int *p, int n",
            Takes::Arrays => "int *p, int n, int *q, int m",
            Takes::Record => "struct record *r, int k",
            Takes::All => "int k, int *p, int n, struct record *r",
        }
    }

    fn has_array(self) -> bool {
        self != Takes::Record
    }

    fn has_record(self) -> bool {
        matches!(self, Takes::Record | Takes::All)
    }
}

fn program(lines: usize) -> String {
    let functions = (lines / LINES).max(2);
    let layers = DEPTH.min(functions / 2);
    let width = functions / layers;
    let functions = layers * width;
    let plan = Plan {
        functions,
        width,
        arrays: (functions / 2).max(SIZES.len()),
        records: (functions / 5).max(2),
        globals: (functions / 2).max(2),
    };
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n\
         struct record { int len; int kind; int cells[32]; int best; };\n\
         const int weights[8] = {3, 5, 7, 11, 13, 17, 19, 23};\n",
    );
    for g in 0..plan.globals {
        let _ = writeln!(text, "int g{g};");
    }
    for a in 0..plan.arrays {
        let _ = writeln!(text, "int a{a}[{}];", SIZES[a % SIZES.len()]);
    }
    for r in 0..plan.records {
        let _ = writeln!(text, "struct record r{r};");
    }
    for f in (0..functions).rev() {
        Body::new(&plan, f).write(&mut text);
    }
    text.push_str("int main(void)\n{\n  int i, x;\n");
    for (a, size) in SIZES.iter().enumerate() {
        let _ = writeln!(text, "  for (i = 0; i < {size}; i++) {{\n    x = __VERIFIER_nondet_int();");
        let _ = writeln!(text, "    if (x < 0 || x > 999)\n      x = 0;\n    a{a}[i] = x;\n  }}");
    }
    text.push_str("  x = __VERIFIER_nondet_int();\n  if (x < 0 || x > 999)\n    x = 0;\n");
    let mut main = Body::main(&plan);
    for f in 0..width {
        main.call_of(f, "  ");
    }
    text.push_str(&main.text);
    text.push_str("  return 0;\n}\n");
    text
}

/// A function while it is written. Its variables: `x` and `y` are in 0..999, `s` in 0..100000, `t`
/// has 16 cells in 0..999, and so have all arrays and records. `i` and `j` are counters.
struct Body<'a> {
    plan: &'a Plan,
    f: usize,
    takes: Option<Takes>,
    choice: Choice,
    text: String,
    lines: usize,
}

impl<'a> Body<'a> {
    fn new(plan: &'a Plan, f: usize) -> Self {
        let choice = Choice(f as u64 * 1_000_003);
        Body { plan, f, takes: Some(Takes::of(f)), choice, text: String::new(), lines: 0 }
    }

    fn main(plan: &'a Plan) -> Self {
        Body { plan, f: 0, takes: None, choice: Choice(7), text: String::new(), lines: 0 }
    }

    fn write(mut self, text: &mut String) {
        let takes = Takes::of(self.f);
        let f = self.f;
        self.add(&format!("int f{f}({})\n{{", takes.parameters()));
        self.add("  int i, j, s, x, y, t[16];");
        self.add("  x = __VERIFIER_nondet_int();\n  if (x < 0 || x > 999)\n    x = 0;\n  y = 0;\n  s = 0;");
        self.add(&format!("  for (i = 0; i < 16; i++)\n    t[i] = i * {} + {};", 1 + f % 40, f % 50));
        let mut calls = 0;
        let is_last = f / self.plan.width + 1 == self.plan.functions / self.plan.width;
        let mut n = 0;
        while self.lines < LINES - 8 {
            // One part in three is about what the callers gave.
            match n % 3 {
                0 => self.given(takes),
                _ => self.own(),
            }
            if n % 3 == 1 && calls < CALLS && !is_last {
                self.call(calls);
                calls += 1;
            }
            n += 1;
        }
        while calls < CALLS && !is_last {
            self.call(calls);
            calls += 1;
        }
        self.add("  return (x + y + s) % 1000;\n}");
        text.push_str(&self.text);
    }

    fn add(&mut self, lines: &str) {
        self.lines += lines.lines().count();
        self.text.push_str(lines);
        self.text.push('\n');
    }

    fn global(&mut self) -> usize {
        // Those of functions nearby.
        (self.f / 2 + self.choice.below(3)) % self.plan.globals
    }

    /// A part that needs no caller.
    fn own(&mut self) {
        let c = 2 + self.choice.below(30);
        let g = self.global();
        let text = match self.choice.below(12) {
            0 => format!("  y = x * {c} / {};", c + 1),
            1 => "  for (i = 0; i < 16; i++)\n    if (t[i] > y)\n      y = t[i];".to_owned(),
            2 => format!(
                "  y = weights[x & 7];\n  s = {c}000 / y;\n  __VERIFIER_assert(s <= {c}000);"
            ),
            3 => format!("  g{g} = (g{g} + x) & 1023;\n  y = g{g} / 2;"),
            4 => format!(
                "  switch (x % 4) {{\n  case 0:\n    y = {c};\n    break;\n  case 1:\n    y = x / 2;\n    break;\n  default:\n    y = 999 - x;\n  }}"
            ),
            5 => "  for (i = 1; i < 16; i++) {\n    j = i;\n    while (j > 0 && t[j - 1] > t[j]) {\n      y = t[j];\n      t[j] = t[j - 1];\n      t[j - 1] = y;\n      j--;\n    }\n  }"
                .to_owned(),
            6 => "  s = 0;\n  for (i = 0; i < 16; i++)\n    s += t[i];".to_owned(),
            7 => format!(
                "  j = __VERIFIER_nondet_int();\n  if (j >= 0 && j < 16) {{\n    t[j] = x;\n    y = t[15 - j];\n    __VERIFIER_assert(t[j] <= 999);\n  }}\n  s = {c};"
            ),
            8 => "  j = 0;\n  while (j < 10 && x >> j > 0)\n    j++;\n  y = j * 10;\n  __VERIFIER_assert(y <= 100);".to_owned(),
            9 => format!("  if (g{g} < {c}00)\n    g{g}++;\n  else\n    g{g} = 0;\n  __VERIFIER_assert(x + {c} >= {c});"),
            10 => "  for (i = 0; i < 8; i++) {\n    y = t[i];\n    t[i] = t[15 - i];\n    t[15 - i] = y;\n  }".to_owned(),
            _ => format!(
                "  x = __VERIFIER_nondet_int();\n  if (x < 0 || x > 999)\n    x = {c};\n  s = x * {c} + y;\n  y = s / {};\n  __VERIFIER_assert(y >= 0);",
                c + 31
            ),
        };
        self.add(&text);
    }

    /// A part about what the callers gave.
    fn given(&mut self, takes: Takes) {
        let c = 2 + self.choice.below(30);
        if takes.has_record() && (takes == Takes::Record || self.choice.below(2) == 0) {
            return self.given_record(takes, c);
        }
        let has_index = takes != Takes::Arrays;
        let text = match self.choice.below(if has_index { 9 } else { 7 }) {
            0 => format!("  for (i = 0; i < n; i++)\n    p[i] = x;\n  s = {c};"),
            1 => "  y = p[n - 1];\n  p[0] = x;\n  __VERIFIER_assert(n >= 1);".to_owned(),
            2 => "  for (i = 0; i < n; i++) {\n    if (p[i] > y)\n      y = p[i];\n  }".to_owned(),
            3 => "  j = x % n;\n  y = p[j];\n  p[j] = x;".to_owned(),
            4 => "  s = 0;\n  for (i = 0; i < n; i++) {\n    if (s < 50000)\n      s = s + p[i];\n  }\n  s = s / n;"
                .to_owned(),
            5 if takes == Takes::Arrays => {
                "  for (i = 0; i < n && i < m; i++)\n    q[i] = p[i];\n  y = q[x % m];".to_owned()
            }
            5 => "  for (i = k; i < n; i++)\n    p[i] = (p[i] + x) / 2;".to_owned(),
            6 if takes == Takes::Arrays => {
                "  for (j = 0; j < m; j++) {\n    if (q[j] == x) {\n      p[0] = q[j];\n      break;\n    }\n  }"
                    .to_owned()
            }
            6 => "  if (k > 0) {\n    y = p[k - 1];\n    p[k - 1] = p[k];\n    p[k] = y;\n  }".to_owned(),
            7 => "  y = p[k];\n  p[k] = x;\n  __VERIFIER_assert(k >= 0);".to_owned(),
            _ => "  if (k + 1 < n) {\n    y = p[k + 1];\n    p[k + 1] = p[k] / 2;\n  }".to_owned(),
        };
        self.add(&text);
    }

    fn given_record(&mut self, takes: Takes, c: usize) {
        let k = if takes == Takes::Record { "k" } else { "k % 32" };
        let text = match self.choice.below(6) {
            0 => "  if (r->len < 32) {\n    r->cells[r->len] = x;\n    r->len++;\n  }".to_owned(),
            1 => "  if (r->len > 0) {\n    r->len--;\n    y = r->cells[r->len];\n  }\n  __VERIFIER_assert(r->len <= 32);".to_owned(),
            2 => "  for (i = 0; i < r->len; i++) {\n    if (r->cells[i] > r->best)\n      r->best = r->cells[i];\n  }\n  y = r->best;".to_owned(),
            3 => format!("  r->kind = (r->kind + {c}) % 100;\n  y = r->kind;"),
            4 => format!("  y = r->cells[{k}];\n  r->cells[{k}] = x;"),
            _ => format!("  j = ({k}) + 1;\n  y = 999 / j;\n  if (j < 32)\n    r->cells[j] = y % {c};"),
        };
        self.add(&text);
    }

    /// A call of a function of the next layer.
    fn call(&mut self, n: usize) {
        let (layer, column, width) = (self.f / self.plan.width, self.f % self.plan.width, self.plan.width);
        let callee = (layer + 1) * width + (column + n * (1 + layer % 3)) % width;
        let has_length = self.takes.is_some_and(Takes::has_array);
        // From a loop, every fourth time.
        if has_length && Takes::of(callee) == Takes::Array && self.choice.below(2) == 0 {
            self.add(&format!(
                "  for (i = 0; i < n; i++) {{\n    if (__VERIFIER_nondet_int())\n      x = f{callee}(i, p, n);\n  }}"
            ));
            return;
        }
        self.call_of(callee, "  ");
    }

    fn call_of(&mut self, callee: usize, indent: &str) {
        let arguments = match Takes::of(callee) {
            Takes::Array => {
                let [k, p, n] = self.array();
                format!("{k}, {p}, {n}")
            }
            Takes::Arrays => {
                let ([_, p, n], [_, q, m]) = (self.array(), self.array());
                format!("{p}, {n}, {q}, {m}")
            }
            Takes::Record => {
                let r = self.record();
                let k = match self.takes {
                    Some(Takes::Record) if self.choice.below(2) == 0 => "k",
                    _ => "x % 32",
                };
                format!("{r}, {k}")
            }
            Takes::All => {
                let ([k, p, n], r) = (self.array(), self.record());
                format!("{k}, {p}, {n}, {r}")
            }
        };
        self.add(&format!("{indent}if (__VERIFIER_nondet_int())\n{indent}  x = f{callee}({arguments});"));
    }

    /// An index, an array and its length.
    fn array(&mut self) -> [String; 3] {
        let texts = |words: [&str; 3]| words.map(str::to_owned);
        let takes = self.takes;
        match self.choice.below(8) {
            0..4 if takes.is_some_and(Takes::has_array) => match takes {
                Some(Takes::Arrays) if self.choice.below(2) == 0 => texts(["m - 1", "q", "m"]),
                Some(Takes::Arrays) => texts(["0", "p", "n"]),
                _ => texts(["k", "p", "n"]),
            },
            4 if takes.is_some_and(Takes::has_array) => match takes {
                Some(Takes::Arrays) => texts(["x % (n / 2 + 1)", "p", "n / 2 + 1"]),
                _ => texts(["k / 2", "p", "n / 2 + 1"]),
            },
            5 if takes.is_some() => texts(["x % 16", "t", "16"]),
            _ => {
                let a = (self.f / 2 + self.choice.below(4)) % self.plan.arrays;
                let size = SIZES[a % SIZES.len()];
                [format!("x % {size}"), format!("a{a}"), size.to_string()]
            }
        }
    }

    fn record(&mut self) -> String {
        match self.takes {
            Some(takes) if takes.has_record() && self.choice.below(3) > 0 => "r".to_owned(),
            _ => format!("&r{}", (self.f / 5 + self.choice.below(2)) % self.plan.records),
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|n| arguments.get(n + 1));
    if let Some(lines) = value("--print").and_then(|n| n.parse().ok()) {
        print!("{}", program(lines));
        return ExitCode::SUCCESS;
    }
    let rows: Vec<usize> = match value("--lines").and_then(|n| n.parse().ok()) {
        Some(lines) => vec![lines],
        None => vec![1_000, 3_000, 10_000, 20_000, 30_000, 100_000],
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("{:>8} {:>8} {:>8} {:>10} {:>12} {:>8}", "lines", "seconds", "MiB", "proved", "obligations", "share");
    let mut measured: Vec<(f64, f64)> = Vec::new();
    for lines in rows {
        let text = program(lines);
        let file = folder.path().join(format!("generated{lines}.c"));
        std::fs::write(&file, &text).expect("the temporary folder can be written");
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
        command.args(["check", "--no-preprocess", "--stages", "domains", "--time-limit", "300", "--format", "json"]);
        if let Some(stack) = value("--stack") {
            command.args(["--stack", stack]);
        }
        let output =
            command.arg(&file).stderr(Stdio::inherit()).output().expect("the program that was just built runs");
        let seconds = start.elapsed().as_secs_f64();
        // The largest child so far: the sizes ascend.
        let memory = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()) / 1024;
        let Ok(report) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
            eprintln!("no report for {lines} lines: {}", output.status);
            return ExitCode::FAILURE;
        };
        let obligations = report["obligations"].as_array().map_or(&[][..], Vec::as_slice);
        let (all, lines) = (obligations.len(), text.lines().count());
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        for o in obligations.iter().filter(|o| o["verdict"] != "proved" && o["verdict"] != "unreachable") {
            let kind = format!("{} {}", o["kind"], o["verdict"]).replace('"', "");
            open.entry(kind).and_modify(|n| *n += 1).or_insert(1);
        }
        let proved = all - open.values().sum::<usize>();
        let share = 100.0 * proved as f64 / all.max(1) as f64;
        println!("{lines:>8} {seconds:>8.2} {memory:>8} {proved:>10} {all:>12} {share:>6.1} %  {open:?}");
        measured.push((lines as f64, seconds));
    }
    if let (Some(first), Some(last)) = (measured.first(), measured.last())
        && measured.len() > 1
    {
        println!("exponent {:.2}", (last.1 / first.1).ln() / (last.0 / first.0).ln());
    }
    ExitCode::SUCCESS
}
