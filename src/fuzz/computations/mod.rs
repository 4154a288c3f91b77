//! Random programs whose loops mostly have closed forms: sums, counts, extremes, flags, searches,
//! compactions, recurrences along arrays, nests, in the spellings that people use, over small
//! arrays of all styles and types. They end in an assertion that holds in many runs ([`facts`]).
//!
//! Sizes are 0 to 6, so that a run costs little and the limits of ranges are met all the time.

mod facts;
mod loops;
mod statements;

use super::Random;
use super::reductions::Sample;
use std::fmt::Write as _;

/// The greatest size.
const MOST: i64 = 6;

/// The length of arrays whose length is a constant. Indexes are below twice the size and a little.
const LENGTH: i64 = 2 * MOST + 6;

/// The program with this number, with an assertion.
pub(super) fn sample(seed: u64) -> Sample {
    let mut maker = Maker::new(seed);
    maker.declare();
    maker.body();
    let values: Vec<i128> = (-4..=6).chain([9, 100, 255, 256, -128, 70000]).collect();
    let (head, sized) = (maker.text.clone(), maker.sized);
    let with = |end: &str| Sample {
        text: format!("{head}{end}  return 0;\n}}\n"),
        sized,
        most: i128::from(MOST),
        values: values.clone(),
    };
    let names = facts::Names {
        size: maker.n.clone(),
        scalars: maker.scalars.clone(),
        arrays: maker.arrays.iter().map(|a| (a.name.clone(), a.at("@"))).collect(),
    };
    let chosen = facts::assertions(&with(""), &names, &mut maker.random);
    with(&chosen)
}

/// How an array stands in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Plain,
    Field,
    Column,
    Pointer,
    Heap,
}

#[derive(Clone, Debug)]
struct Array {
    name: String,
    ty: &'static str,
    style: Style,
    /// The column, if it is one of a matrix.
    column: usize,
}

impl Array {
    /// Whether the array, or a pointer to its first cell, has the name.
    fn has_name(&self) -> bool {
        !matches!(self.style, Style::Field | Style::Column)
    }

    /// The cell at an index.
    fn at(&self, index: &str) -> String {
        match self.style {
            Style::Plain | Style::Pointer | Style::Heap => format!("{}[{index}]", self.name),
            Style::Field => format!("items[{index}].{}", self.name),
            Style::Column => format!("matrix[{index}][{}]", self.column),
        }
    }
}

/// Makes a program.
struct Maker {
    random: Random,
    text: String,
    n: String,
    sized: bool,
    arrays: Vec<Array>,
    scalars: Vec<String>,
    /// The array that the pointer `walk` walks along, if there is one.
    walk: Option<String>,
    /// The number of names that were made up.
    fresh: usize,
    /// How many loops stand around.
    depth: usize,
    /// Whether there are functions to call.
    calls: bool,
    /// Whether there is a label after the loop.
    has_label: bool,
}

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); \
                       extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assert(int); \
                       extern void __VERIFIER_assume(int); extern void abort(void); extern void *malloc(unsigned \
                       long);\n";

const FUNCTIONS: &str = "int twice(int x) { if (x > 100) return 200; return 2 * x; }\n\
                         int least(int x, int y) { return x < y ? x : y; }\n\
                         int below(int *p, int n, int x) { int c = 0; for (int i = 0; i < n; i++) if (p[i] < x) \
                         c++; return c; }\n\
                         int find(int x, int n) { for (int i = 0; i < n; i++) if (i * i >= x) return i; return -1; }\n\
                         int row(int x, int n) { for (int i = 0; i < n; i++) for (int k = 0; k <= i; k++) if (i + k \
                         > x) return i - k; return n; }\n";

const TYPES: [&str; 12] = [
    "int",
    "int",
    "int",
    "int",
    "int",
    "int",
    "long",
    "unsigned",
    "short",
    "unsigned char",
    "signed char",
    "unsigned long",
];

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = Random::new(seed);
        let sized = !random.one_in(4);
        let n = if sized { "n".to_owned() } else { random.below(MOST as usize + 1).to_string() };
        let calls = random.one_in(4);
        Maker {
            random,
            text: PRELUDE.to_owned(),
            n,
            sized,
            arrays: Vec::new(),
            scalars: Vec::new(),
            walk: None,
            fresh: 0,
            depth: 0,
            calls,
            has_label: false,
        }
    }

    fn line(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "  {line}");
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    /// A small constant.
    fn small(&mut self) -> i64 {
        match self.random.below(12) {
            0 => -1 - self.random.below(3) as i64,
            1 => *self.random.pick(&[100, 255, 256, 127]),
            _ => self.random.below(6) as i64,
        }
    }

    fn pick_array(&mut self) -> Array {
        let k = self.random.below(self.arrays.len());
        self.arrays[k].clone()
    }

    fn pick_scalar(&mut self) -> String {
        let k = self.random.below(self.scalars.len());
        self.scalars[k].clone()
    }

    fn declare(&mut self) {
        if self.calls {
            self.text += FUNCTIONS;
        }
        self.choose_arrays();
        let global = self.random.one_in(5);
        let length =
            if !global && self.sized && self.random.one_in(2) { "2 * n + 6".to_owned() } else { LENGTH.to_string() };
        let (objects, pointers) = self.objects(&length);
        if global {
            self.text += &objects;
        }
        self.text += "int main(void) {\n";
        if self.sized {
            self.take_size();
        }
        if !global {
            self.text += &objects;
        }
        self.text += &pointers;
        self.declare_scalars();
        for array in self.arrays.clone() {
            self.fill(&array);
        }
        let array = self.pick_array();
        if array.has_name() && self.random.one_in(3) {
            self.line(&format!("{} *walk = {};", array.ty, array.name));
            self.walk = Some(array.name);
        }
    }

    fn choose_arrays(&mut self) {
        let count = 1 + self.random.below(3);
        let (fields, matrix) = (self.random.one_in(5), self.random.one_in(7));
        for (column, name) in ["a", "b", "c"].into_iter().take(count).enumerate() {
            let ty = *self.random.pick(&TYPES);
            let style = match self.random.below(9) {
                _ if fields && !self.random.one_in(4) => Style::Field,
                _ if matrix && !self.random.one_in(4) => Style::Column,
                0 => Style::Pointer,
                1 | 2 => Style::Heap,
                _ => Style::Plain,
            };
            let ty = if style == Style::Column { "int" } else { ty };
            self.arrays.push(Array { name: name.to_owned(), ty, style, column });
        }
    }

    /// The declarations of the objects that hold the arrays, and those of pointers to them. The
    /// type of structs is declared at once.
    fn objects(&mut self, length: &str) -> (String, String) {
        let (mut objects, mut pointers) = (String::new(), String::new());
        if self.arrays.iter().any(|a| a.style == Style::Field) {
            let fields: String = self.arrays.iter().map(|a| format!("{} {}; ", a.ty, a.name)).collect();
            let _ = writeln!(self.text, "struct item {{ {fields}}};");
            let _ = writeln!(objects, "  struct item items[{length}];");
        }
        if self.arrays.iter().any(|a| a.style == Style::Column) {
            let _ = writeln!(objects, "  int matrix[{length}][4];");
        }
        for Array { name, ty, style, .. } in &self.arrays {
            let _ = match style {
                Style::Plain => writeln!(objects, "  {ty} {name}[{length}];"),
                Style::Pointer => {
                    let _ = writeln!(pointers, "  {ty} *{name} = {name}_cells;");
                    writeln!(objects, "  {ty} {name}_cells[{length}];")
                }
                Style::Heap => writeln!(pointers, "  {ty} *{name} = malloc(({length}) * sizeof({ty}));"),
                Style::Field | Style::Column => Ok(()),
            };
        }
        (objects, pointers)
    }

    /// Takes the size from outside.
    fn take_size(&mut self) {
        let least = *self.random.pick(&[0, 0, 0, 1, 2]);
        let (ty, input) = *self.random.pick(&[
            ("int", "int"),
            ("int", "int"),
            ("int", "int"),
            ("unsigned", "uint"),
            ("long", "int"),
            ("unsigned char", "uchar"),
        ]);
        let condition = match self.random.below(2) {
            0 => format!("if (n < {least} || n > {MOST}) return 0;"),
            _ => format!("__VERIFIER_assume({least} <= n && n <= {MOST});"),
        };
        self.line(&format!("{ty} n = __VERIFIER_nondet_{input}();\n{condition}"));
    }

    fn declare_scalars(&mut self) {
        for name in ["x", "y", "s", "t", "m", "f"] {
            let ty = match name {
                "f" if self.random.one_in(2) => "_Bool",
                _ => *self.random.pick(&TYPES),
            };
            let value = match self.random.below(5) {
                0 => "__VERIFIER_nondet_int()".to_owned(),
                1 => self.small().to_string(),
                // Near the limits of narrow types.
                2 if ty.contains("char") => self.random.pick(&["126", "127", "254", "255", "253", "3"]).to_string(),
                _ => self.random.below(2).to_string(),
            };
            self.scalars.push(name.to_owned());
            self.line(&format!("{ty} {name} = {value};"));
        }
        self.line("int j = 0;");
    }

    /// Gives cells of an array values: all cells, some or none.
    fn fill(&mut self, array: &Array) {
        let cell = array.at("i");
        let all = if self.random.one_in(2) && self.sized { "2 * n + 6".to_owned() } else { "18".to_owned() };
        match self.random.below(6) {
            0 => {}
            1 => self.line(&format!("for (int i = 0; i < {all}; i++) {cell} = 0;")),
            2 => {
                let n = self.n.clone();
                self.line(&format!("for (int i = 0; i < {n}; i++) {cell} = __VERIFIER_nondet_int();"));
            }
            _ => self.line(&format!("for (int i = 0; i < {all}; i++) {cell} = __VERIFIER_nondet_int();")),
        }
    }

    fn body(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            let loop_text = self.looped();
            match self.random.below(10) {
                0 => {
                    let condition = self.condition("1");
                    self.line(&format!("if ({condition}) {{\n{loop_text}}}"));
                }
                _ => self.line(&loop_text),
            }
            if self.random.one_in(3) {
                let between = match self.random.below(4) {
                    0 => "j = 0;".to_owned(),
                    1 => {
                        let s = self.pick_scalar();
                        format!("{s} = {};", self.random.below(2))
                    }
                    _ => self.statement("1", false),
                };
                self.line(&between);
            }
        }
        self.read_blocks();
    }

    /// Reads cells of heap blocks into variables: those are looked at in the end.
    fn read_blocks(&mut self) {
        for Array { name, ty, .. } in self.arrays.clone().iter().filter(|a| a.style == Style::Heap) {
            let cells: Vec<String> = (0..MOST).map(|k| format!("{name}_{k} = {name}[{k}]")).collect();
            self.line(&format!("{ty} {};", cells.join(", ")));
        }
    }
}
