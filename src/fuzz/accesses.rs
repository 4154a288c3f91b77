//! Random programs that access arrays by index and through pointers, behind conditions of which
//! some do not suffice, with counters and bounds that arithmetic gives.
//!
//! Arrays have up to six cells and inputs are small, so that most operations are undefined in some
//! run if they may be.

use super::Random;
use super::reductions::Sample;
use std::fmt::Write as _;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n\
                       extern void __VERIFIER_assume(int); extern void *malloc(unsigned long);\n";

/// The program with this number.
pub(super) fn sample(seed: u64) -> Sample {
    let mut maker = Maker { random: Random::new(seed), counter: "int" };
    let text = maker.program();
    Sample { text, sized: true, most: 6, values: vec![-2, -1, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7] }
}

struct Maker {
    random: Random,
    /// The type of the counters.
    counter: &'static str,
}

impl Maker {
    fn program(&mut self) -> String {
        let mut text = PRELUDE.to_owned();
        self.counter = self.random.word(&["int", "int", "int", "unsigned", "long", "unsigned char", "short"]);
        let callee = self.random.one_in(3);
        let array =
            self.random.word(&["int a[6];", "int a[n];", "int *a = malloc(n * sizeof(int));", "static int a[6];"]);
        let start =
            self.random.word(&["int *p = a;", "int *p = a;", "int *p = a + n;", "int *p = &a[0];", "int *p = a + 1;"]);
        let inputs = "  int n = __VERIFIER_nondet_int();\n  __VERIFIER_assume(n >= 1 && n <= 6);\n";
        let fill = "  for (int f = 0; f < n; f++) a[f] = __VERIFIER_nondet_int();\n";
        if callee {
            let _ = write!(text, "static int work(int *a, int n, int x, int y) {{\n  {start}\n");
            text += &self.body();
            text += "}\nint main(void) {\n";
            let _ = write!(text, "{inputs}  {array}\n{fill}");
            text += "  return work(a, n, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());\n}\n";
        } else {
            let _ = write!(text, "int main(void) {{\n{inputs}  {array}\n  {start}\n{fill}");
            text += "  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n";
            text += &self.body();
            text += "}\n";
        }
        text
    }

    fn body(&mut self) -> String {
        let counter = self.counter;
        let mut text =
            format!("  {counter} i = 0, j = {};\n  int r = 0;\n", self.random.word(&["n", "n - 1", "0", "x", "1"]));
        for _ in 0..1 + self.random.below(3) {
            text += &if self.random.one_in(3) { self.statement("  ") } else { self.one_loop() };
        }
        text += "  return r;\n";
        text
    }

    fn one_loop(&mut self) -> String {
        let counter = self.counter;
        let (head, step) = match self.random.below(8) {
            0 => (format!("for (i = {}; i < n; i++) {{", self.random.word(&["0", "0", "1", "x", "-1"])), ""),
            1 => ("for (i = n - 1; i >= 0 && r < 9; i--) {".to_owned(), "    r++;\n"),
            2 => (format!("i = 0; j = n;\n  while (i < j) {{\n    {counter} m = i + (j - i) / 2;"), "    j = m;\n"),
            3 => {
                (format!("i = 0; j = n - 1;\n  while (i <= j) {{\n    {counter} m = (i + j) / 2;"), "    i = m + 1;\n")
            }
            4 => ("i = 0;\n  while (i != n) {".to_owned(), "    i++;\n"),
            5 => ("j = n;\n  while (j-- > 0) {".to_owned(), ""),
            6 => ("i = 0; j = n - 1;\n  while (i < j) {".to_owned(), "    i++; j--;\n"),
            _ => ("i = x;\n  while (i < y && r < 9) {".to_owned(), "    i++; r++;\n"),
        };
        let mut text = String::new();
        if self.random.one_in(4) {
            let invariant =
                self.random.word(&["0 <= i", "i <= n", "0 <= i <= n", "j <= n", "0 <= j <= n", "r >= 0", "p == a"]);
            let at = head.rfind('\n').map_or(0, |at| at + 1);
            let _ = write!(text, "  {}//@ loop invariant {invariant};\n  {}\n", &head[..at], head[at..].trim_start());
        } else {
            let _ = writeln!(text, "  {head}");
        }
        let has_middle = head.contains(" m = ");
        for _ in 0..1 + self.random.below(2) {
            let statement = self.statement("    ");
            text += &if has_middle && self.random.one_in(2) { statement.replace("[i]", "[m]") } else { statement };
        }
        if step.contains("m;") || step.contains("m + 1;") {
            let other = if step.contains("j =") { "i = m + 1;" } else { "j = m - 1;" };
            let condition = self.condition();
            let _ = writeln!(text, "    if ({condition}) {other} else {}", step.trim());
        } else {
            text += step;
        }
        text + "  }\n"
    }

    fn condition(&mut self) -> String {
        let one = [
            "i >= 0",
            "i < n",
            "i <= n",
            "i != n",
            "i > 0",
            "j >= 0",
            "j < n",
            "j > 0",
            "x >= 0",
            "x < n",
            "x <= 3",
            "y != x",
            "x + y < n",
            "y > 0",
            "y < n",
            "r == 0",
            "i + 1 < n",
            "(x & 3) < n",
            "p < a + n",
            "p != a",
            "a[0] > 0",
            "x != 0",
        ];
        let first = *self.random.pick(&one);
        match self.random.below(4) {
            0 => first.to_owned(),
            1 => format!("{first} || {}", self.random.pick(&one)),
            _ => format!("{first} && {}", self.random.pick(&one)),
        }
    }

    fn access(&mut self) -> String {
        let index = self.random.word(&[
            "i",
            "i",
            "i",
            "j",
            "x",
            "y",
            "i - 1",
            "i + 1",
            "j - 1",
            "n - 1 - i",
            "n - i",
            "x & 3",
            "x % n",
            "x + y",
            "x - y",
            "i / 2",
            "(unsigned char)x",
            "(unsigned)i",
            "x >> 1",
            "n - 1",
            "r",
        ]);
        match self.random.below(8) {
            0..=3 => format!("a[{index}]"),
            4 | 5 => format!("p[{index}]"),
            6 => format!("*(a + ({index}))"),
            _ => self.random.word(&["*p", "p[-1]", "*(p + 1)"]).to_owned(),
        }
    }

    fn statement(&mut self, margin: &str) -> String {
        let (first, second) = (self.access(), self.access());
        let condition = self.condition();
        let simple = match self.random.below(9) {
            0 => format!("{first} = {};", self.random.word(&["0", "r", "x", "1"])),
            1 => format!("r = {first} > {second};"),
            2 => format!("r += {condition} ? {first} != 0 : 0;"),
            3 => format!("if ({condition} && {first} > 0) r = 1;"),
            4 => format!("if ({condition}) p{};", self.random.word(&["++", "--", " += i", " = a + i", " = a"])),
            5 => {
                format!("if ({condition}) {}", self.random.word(&["return 1;", "r = 0;", "i = 0;", "j = i;", "x = i;"]))
            }
            6 => format!("r = {first} / {};", self.random.word(&["x", "y", "n", "(i + 1)", "(x - y)", "(n - x)"])),
            7 => {
                format!(
                    "x = {};",
                    self.random.word(&["x + y", "x - y", "x * y", "-x", "x * 1000000", "n - x", "i", "x << 1"])
                )
            }
            _ => format!("{first} = {second};"),
        };
        match self.random.below(3) {
            0 => format!("{margin}{simple}\n"),
            _ => format!("{margin}if ({condition}) {{ {simple} }}\n"),
        }
    }
}
