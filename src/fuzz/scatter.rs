//! Random programs that write cells at arbitrary places, alone or in pairs, and sum up all cells in
//! the end. What is asserted of the sum holds in some of them.
//!
//! Sizes are 1 to 3, so that runs write each cell several times.

use super::Random;
use super::reductions::Sample;
use std::fmt::Write as _;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n\
                       extern void __VERIFIER_assume(int);\n";

/// The program with this number.
pub(super) fn sample(seed: u64) -> Sample {
    let mut maker = Maker { random: Random::new(seed), matrix: false, second: false };
    maker.matrix = maker.random.one_in(2);
    maker.second = !maker.matrix && maker.random.one_in(2);
    let text = maker.program();
    Sample { text, sized: true, most: 3, values: vec![-1, 0, 0, 1, 1, 2, 2, 3] }
}

struct Maker {
    random: Random,
    /// Whether the array is a matrix.
    matrix: bool,
    /// Whether there is a second array.
    second: bool,
}

impl Maker {
    fn program(&mut self) -> String {
        let mut text = PRELUDE.to_owned();
        let sum = *self.random.pick(&["int", "long", "long long"]);
        let cells = *self.random.pick(&["int", "int", "short", "long"]);
        let dimensions = if self.matrix { "[3][3]" } else { "[3]" };
        let second = if self.second { format!("  {cells} u[3];\n") } else { String::new() };
        let _ = write!(
            text,
            "int main(void) {{\n  int n = __VERIFIER_nondet_int();\n  __VERIFIER_assume(n >= 1 && n <= 3);\n  \
             {cells} t{dimensions};\n{second}"
        );
        let first = self.cell("t", "i", "k");
        let start = *self.random.pick(&["0", "0", "0", "1", "-1", "i", "2"]);
        let start = if self.second { format!("{first} = {start}; u[i] = 0;") } else { format!("{first} = {start};") };
        text += &self.over_all(&start);
        text += "  int r = 1;\n";
        let guard = *self.random.pick(&["__VERIFIER_assume", "__VERIFIER_assume", "if"]);
        text += "  while (1) {\n    int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int();\n";
        let inside = "p >= 0 && p < n && q >= 0 && q < n";
        match guard {
            "if" => text += &format!("    if (!({inside})) break;\n"),
            _ => text += &format!("    __VERIFIER_assume({inside});\n"),
        }
        for _ in 0..self.random.below(3) {
            let condition = self.condition();
            let _ = writeln!(text, "    __VERIFIER_assume({condition});");
        }
        let condition = self.condition();
        for _ in 0..1 + self.random.below(3) {
            text += &self.write(&condition);
        }
        if self.random.one_in(2) {
            text += "    r++;\n";
        }
        text += "    if (__VERIFIER_nondet_int() == 0) break;\n  }\n";
        let cell = self.cell("t", "i", "k");
        let added = match (self.second, self.random.below(3)) {
            (true, 0) => format!("s = s + {cell} + u[i];"),
            (true, 1) => format!("s += {cell} - u[i];"),
            _ => format!("s += {cell};"),
        };
        let _ = writeln!(text, "  {sum} s = 0;");
        text += &self.over_all(&added);
        for _ in 0..3 {
            let claim = self.claim();
            let _ = writeln!(text, "  __VERIFIER_assert({claim});");
        }
        text + "  return 0;\n}\n"
    }

    /// A cell, at one index or two.
    fn cell(&self, array: &str, row: &str, column: &str) -> String {
        if self.matrix { format!("{array}[{row}][{column}]") } else { format!("{array}[{row}]") }
    }

    /// A statement for all cells.
    fn over_all(&self, statement: &str) -> String {
        let inner = if self.matrix { "for (int k = 0; k < n; k++) " } else { "" };
        format!("  for (int i = 0; i < n; i++) {inner}{{ {statement} }}\n")
    }

    fn index(&mut self) -> &'static str {
        const PLACES: [&str; 8] = ["p", "p", "q", "q", "n - 1 - p", "n - 1 - q", "0", "n - 1"];
        PLACES[self.random.below(PLACES.len())]
    }

    fn some_cell(&mut self) -> String {
        let (row, column) = (self.index(), self.index());
        let array = if self.second && self.random.one_in(2) { "u" } else { "t" };
        self.cell(array, row, column)
    }

    fn condition(&mut self) -> String {
        match self.random.below(9) {
            0 => "p == q".to_owned(),
            1 => "p > q".to_owned(),
            2 => "p + q == n - 1".to_owned(),
            3 => "p == 0 || p == n - 1".to_owned(),
            4 => "q != 0".to_owned(),
            5 | 6 => format!("{} == 0", self.some_cell()),
            7 => "p != q".to_owned(),
            _ => "1".to_owned(),
        }
    }

    fn write(&mut self, condition: &str) -> String {
        let cell = self.some_cell();
        let value = match self.random.below(10) {
            0 => "r".to_owned(),
            1 => "-r".to_owned(),
            2 => format!("{cell} + 1"),
            3 => "p".to_owned(),
            4 => "-q".to_owned(),
            5 => format!("-{}", self.some_cell()),
            k => ["1", "-1", "0", "2"][k - 6].to_owned(),
        };
        match self.random.below(4) {
            0 => format!("    if ({condition}) {cell} = {value};\n"),
            1 => format!("    {cell} = ({condition}) ? {value} : {cell};\n"),
            _ => format!("    {cell} = {value};\n"),
        }
    }

    fn claim(&mut self) -> String {
        let bound = *self.random.pick(&["0", "0", "0", "1", "n", "n", "-n", "2 * n", "n * n", "n - 1", "r", "r - 1"]);
        match self.random.below(5) {
            0 => format!("s == {bound}"),
            1 | 2 => format!("s <= {bound}"),
            3 => format!("s >= {bound}"),
            _ => "2 * s <= n * (n - 1)".to_owned(),
        }
    }
}
