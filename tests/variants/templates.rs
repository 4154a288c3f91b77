//! Computations over arrays, each written in many ways. What a program computes is its task; how it
//! is written is its shape. Both follow from a seed.
//!
//! Each program asserts what its task computes. Its spoilt twin differs in one constant, index,
//! bound or comparison, and fails for some input.

use smalti::fuzz::Random;

const CELLS: [&str; 4] = ["int", "int", "long long", "unsigned"];
const COUNTERS: [&str; 3] = ["int", "int", "long"];
const SUFFIXES: [&str; 4] = ["", "_1", "x", "_of_it"];

/// One way to write a program.
struct Shape {
    random: Random,
    /// The type of the cells.
    cell: &'static str,
    /// The type of counters.
    counter: &'static str,
    /// The number of cells, as C text: a number, or the name of an input.
    size: String,
    /// Whether the arrays are blocks of the heap.
    heap: bool,
    /// Whether loops over cells in any order begin with the last cell.
    down: bool,
    /// The way in which cells are named: `a[i]`, `*(a + i)` or `i[a]`.
    access: usize,
    /// Whether the parts of the computation are functions.
    functions: bool,
    /// Whether loops are in two parts, one after the other.
    split: bool,
    /// What is appended to names.
    suffix: &'static str,
    /// Whether the twin is made.
    spoilt: bool,
    /// The functions so far.
    definitions: String,
    /// The number of names that were made.
    fresh: usize,
}

/// A loop over cells in some order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The cells do not depend on each other.
    Any,
    /// From the first cell to the last.
    Up,
}

type Task = fn(&mut Shape) -> String;

/// The tasks, with their names.
const TASKS: [(&str, Task); 18] = [
    ("cells that depend on the index", linear_cells),
    ("a sum of equal cells", sum_of_equal_cells),
    ("the sum after a reversal", sum_after_reversal),
    ("counts that add up", counts_add_up),
    ("a maximum", maximum),
    ("a shifted copy", copy),
    ("two updates in place", updates),
    ("each cell from the one before", prefix),
    ("a search", search),
    ("a compaction", compaction),
    ("a matrix", matrix),
    ("members of structs", members),
    ("parities of the index", parities),
    ("a sum of multiples", sum_of_multiples),
    ("a reversal", reversal),
    ("a flag", flag),
    ("cells in turn by strides", strides),
    ("an exchange of both ends", exchange),
];

/// The program with this seed: what it is, its text, and the text of its spoilt twin. The tasks
/// take turns.
pub(super) fn program(seed: u64) -> (String, String, String) {
    let (name, write) = TASKS[(seed % TASKS.len() as u64) as usize];
    let [right, spoilt] = [false, true].map(|spoilt| Shape::new(seed, spoilt).text(write));
    (format!("{name} ({seed})"), right, spoilt)
}

impl Shape {
    fn new(seed: u64, spoilt: bool) -> Shape {
        let mut random = Random::new(seed);
        let size = match random.below(3) {
            0 => (3 + random.below(800)).to_string(),
            _ => "n".to_owned(),
        };
        let (cell, counter) = (*random.pick(&CELLS), *random.pick(&COUNTERS));
        let suffix = *random.pick(&SUFFIXES);
        Shape {
            cell,
            counter,
            size,
            heap: random.one_in(3),
            down: random.one_in(3),
            access: random.below(6),
            functions: random.one_in(3),
            split: random.one_in(4),
            suffix,
            spoilt,
            definitions: String::new(),
            fresh: 0,
            random,
        }
    }

    fn text(mut self, write: Task) -> String {
        let body = write(&mut self);
        let definitions = &self.definitions;
        let size = match self.size.as_str() {
            "n" => "    int n = __VERIFIER_nondet_int();\n    if (n < 2 || n > 1000) return 0;\n",
            _ => "",
        };
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\n\
             extern void *malloc(unsigned long);\n\n\
             static int value(void) {{\n    int v = __VERIFIER_nondet_int();\n    \
             return v < -1000 || v > 1000 ? 7 : v;\n}}\n{definitions}\n\
             int main(void) {{\n{size}{body}    return 0;\n}}\n"
        )
    }

    fn name(&mut self, word: &str) -> String {
        self.fresh += 1;
        format!("{word}{}{}", self.fresh, self.suffix)
    }

    /// A constant other than 0.
    fn constant(&mut self) -> i64 {
        1 + self.random.below(9) as i64
    }

    /// One text or the other: what is right, and what the twin has in its place.
    fn twin(&self, right: &str, spoilt: &str) -> String {
        if self.spoilt { spoilt } else { right }.to_owned()
    }

    /// The declaration of an array of as many cells as there are.
    fn array(&self, name: &str) -> String {
        let (cell, size) = (self.cell, &self.size);
        if self.heap {
            format!("    {cell} *{name} = malloc({size} * sizeof({cell}));\n    if (!{name}) return 0;\n")
        } else {
            format!("    {cell} {name}[{size}];\n")
        }
    }

    /// A cell of an array.
    fn at(&self, array: &str, index: &str) -> String {
        match self.access {
            0 => format!("*({array} + {index})"),
            1 => format!("({index})[{array}]"),
            _ => format!("{array}[{index}]"),
        }
    }

    /// A struct of an array, whose members are to be named.
    fn at_member(&self, array: &str, index: &str) -> String {
        if self.access == 0 { format!("(*({array} + {index}))") } else { format!("{array}[{index}]") }
    }

    /// `target = target + amount`, in one of six spellings.
    fn add(&mut self, target: &str, amount: &str) -> String {
        let cell = self.cell;
        match self.random.below(6) {
            0 => format!("{target} += {amount};"),
            1 => format!("{target} = {target} + {amount};"),
            2 => format!("{target} = {amount} + {target};"),
            3 => format!("{target} -= -({amount});"),
            4 => {
                let t = self.name("before");
                format!("{{ {cell} {t} = {target}; {target} = {t} + {amount}; }}")
            }
            _ => {
                let p = self.name("place");
                format!("{{ {cell} *{p} = &{target}; *{p} += {amount}; }}")
            }
        }
    }

    /// A loop from `low` to below `high`: `body` gets the index.
    fn stretch(
        &mut self,
        order: Order,
        (low, high): (&str, &str),
        step: i64,
        body: &mut dyn FnMut(&mut Shape, &str) -> String,
    ) -> String {
        let (i, counter) = (self.name("i"), self.counter);
        let down = order == Order::Any && self.down && step == 1;
        let next = if step == 1 { format!("{i}++") } else { format!("{i} += {step}") };
        let way = self.random.below(6);
        let body_text = if down && way > 3 {
            let index = format!("({high} - 1 - {i} + {low})");
            body(self, &index)
        } else {
            body(self, &i)
        };
        let begin = format!("{counter} {i}");
        match (down, way) {
            (true, 0 | 1) => format!("    for ({begin} = {high} - 1; {i} >= {low}; {i}--) {{ {body_text} }}\n"),
            (true, 2 | 3) => format!("    {{ {begin} = {high}; while ({i}-- > {low}) {{ {body_text} }} }}\n"),
            (_, 1) => format!("    {{ {begin} = {low}; while ({i} < {high}) {{ {body_text} {next}; }} }}\n"),
            (_, 2) => format!(
                "    {{ {begin} = {low}; if ({i} < {high}) do {{ {body_text} {next}; }} while ({i} < {high}); }}\n"
            ),
            (_, 3) => format!("    for ({begin} = {low}; {i} <= {high} - 1; {next}) {{ {body_text} }}\n"),
            (_, 4) => {
                format!("    for ({begin} = {low}; ; {next}) {{ if ({i} >= {high}) break; {body_text} }}\n")
            }
            (_, 5) if step == 1 => format!("    for ({begin} = {low}; {i} != {high}; {next}) {{ {body_text} }}\n"),
            _ => format!("    for ({begin} = {low}; {i} < {high}; {next}) {{ {body_text} }}\n"),
        }
    }

    /// A loop over cells `low` to below the size, perhaps in two parts.
    fn each(&mut self, order: Order, low: &str, body: &mut dyn FnMut(&mut Shape, &str) -> String) -> String {
        let size = self.size.clone();
        if self.split && (low == "0" || low == "1") {
            let (first, second) = match self.down && order == Order::Any {
                true => (("2", size.as_str()), (low, "2")),
                false => ((low, "2"), ("2", size.as_str())),
            };
            let first = self.stretch(order, first, 1, body);
            return first + &self.stretch(order, second, 1, body);
        }
        self.stretch(order, (low, &size), 1, body)
    }

    /// A part of the computation on some arrays, in place or in a function. `result` is the type
    /// and name of a variable that the part sets.
    fn part(&mut self, arrays: &[&str], result: Option<(&str, &str)>, body: &str) -> String {
        if !self.functions {
            return body.to_owned();
        }
        let (f, cell) = (self.name("part"), self.cell);
        let mut formal: Vec<String> = arrays.iter().map(|a| format!("{cell} *{a}")).collect();
        let mut actual: Vec<String> = arrays.iter().map(|a| (*a).to_owned()).collect();
        if self.size == "n" {
            formal.push("int n".into());
            actual.push("n".into());
        }
        let (formal, actual) = (formal.join(", "), actual.join(", "));
        let (of, variable, end, call) = match result {
            Some((of, v)) => {
                (of, format!("    {of} {v};\n"), format!("    return {v};\n"), format!("    {v} = {f}({actual});\n"))
            }
            None => ("void", String::new(), String::new(), format!("    {f}({actual});\n")),
        };
        self.definitions.push_str(&format!("\nstatic {of} {f}({formal}) {{\n{variable}{body}{end}}}\n"));
        call
    }

    /// Cells from the environment.
    fn inputs(&mut self, array: &str) -> String {
        let cell = self.cell;
        let body = self.each(Order::Any, "0", &mut |s, i| format!("{} = ({cell})value();", s.at(array, i)));
        self.part(&[array], None, &body)
    }

    /// Each cell of an array from the cell of another one at the same index.
    fn map(&mut self, from: &str, to: &str, value: &dyn Fn(&str) -> String) -> String {
        self.each(Order::Any, "0", &mut |s, i| format!("{} = {};", s.at(to, i), value(&s.at(from, i))))
    }

    /// The sum of the cells of an array, in a variable.
    fn sum(&mut self, array: &str, variable: &str) -> String {
        let cell = self.cell;
        let mut body = format!("    {variable} = 0;\n");
        body += &self.each(Order::Any, "0", &mut |s, i| {
            let cell = s.at(array, i);
            s.add(variable, &cell)
        });
        let part = self.part(&[array], Some((cell, variable)), &body);
        format!("    {cell} {variable};\n{part}")
    }

    /// Asserts a condition about each cell.
    fn assert_each(&mut self, condition: &dyn Fn(&Shape, &str) -> String) -> String {
        let size = self.size.clone();
        self.stretch(Order::Up, ("0", &size), 1, &mut |s, i| format!("__VERIFIER_assert({});", condition(s, i)))
    }

    /// Asserts that cells with an even index hold one number, and the others another one.
    fn assert_parities(&mut self, array: &str, even: i64, odd: i64) -> String {
        let rest = self.twin("0", "1");
        self.assert_each(&|s, i| format!("{} == ({i} % 2 == {rest} ? {even} : {odd})", s.at(array, i)))
    }
}

/// Asserts a condition.
fn assert(condition: &str) -> String {
    format!("    __VERIFIER_assert({condition});\n")
}

fn linear_cells(s: &mut Shape) -> String {
    let (a, c, d) = (s.name("cells"), s.constant(), s.constant());
    let fill = s.each(Order::Any, "0", &mut |s, i| format!("{} = {c} * {i} + {d};", s.at(&a, i)));
    let d = s.twin(&d.to_string(), &(d + 1).to_string());
    let fill = s.part(&[&a], None, &fill);
    s.array(&a) + &fill + &s.assert_each(&|s, i| format!("{} == {c} * {i} + {d}", s.at(&a, i)))
}

fn sum_of_equal_cells(s: &mut Shape) -> String {
    let (a, sum, c) = (s.name("cells"), s.name("sum"), s.constant());
    let fill = s.each(Order::Any, "0", &mut |s, i| format!("{} = {c};", s.at(&a, i)));
    let size = s.size.clone();
    let less = s.twin("", " - 1");
    let sums = s.sum(&a, &sum);
    s.array(&a) + &fill + &sums + &assert(&format!("{sum} == {c} * ({size}{less})"))
}

fn sum_after_reversal(s: &mut Shape) -> String {
    let (a, b) = (s.name("cells"), s.name("turned"));
    let (before, after, size) = (s.name("before"), s.name("after"), s.size.clone());
    let inputs = s.inputs(&a);
    let first = s.sum(&a, &before);
    let turn =
        s.each(Order::Any, "0", &mut |s, i| format!("{} = {};", s.at(&b, i), s.at(&a, &format!("({size} - 1 - {i})"))));
    let turn = s.part(&[&a, &b], None, &turn);
    let second = s.sum(&b, &after);
    let spoil = if s.spoilt { format!("    {} = {};\n", s.at(&b, "1"), s.at(&b, "0")) } else { String::new() };
    s.array(&a) + &s.array(&b) + &inputs + &first + &turn + &spoil + &second + &assert(&format!("{before} == {after}"))
}

fn counts_add_up(s: &mut Shape) -> String {
    let (a, more, less, size) = (s.name("cells"), s.name("more"), s.name("less"), s.size.clone());
    let (limit, cell) = (s.constant(), s.cell);
    let inputs = s.inputs(&a);
    let other = s.twin("<=", "<");
    let count = s.each(Order::Any, "0", &mut |s, i| {
        let cell = s.at(&a, i);
        let (first, second) = (s.add(&more, "1"), s.add(&less, "1"));
        format!("if ({cell} > {limit}) {{ {first} }} if ({cell} {other} {limit}) {{ {second} }}")
    });
    s.array(&a)
        + &inputs
        + &format!("    {cell} {more} = 0, {less} = 0;\n")
        + &count
        + &assert(&format!("{more} + {less} == {size}"))
}

fn maximum(s: &mut Shape) -> String {
    let (a, m, cell) = (s.name("cells"), s.name("most"), s.cell);
    let inputs = s.inputs(&a);
    let mut find = format!("    {m} = {};\n", s.at(&a, "0"));
    find += &s.each(Order::Any, "1", &mut |s, i| {
        let cell = s.at(&a, i);
        match s.random.below(3) {
            0 => format!("if ({m} < {cell}) {m} = {cell};"),
            1 => format!("{m} = {cell} > {m} ? {cell} : {m};"),
            _ => format!("if (!({m} >= {cell})) {m} = {cell};"),
        }
    });
    let find = s.part(&[&a], Some((cell, &m)), &find);
    let than = s.twin(">=", ">");
    s.array(&a)
        + &inputs
        + &format!("    {cell} {m};\n{find}")
        + &s.assert_each(&|s, i| format!("{m} {than} {}", s.at(&a, i)))
}

fn copy(s: &mut Shape) -> String {
    let (a, b, c) = (s.name("from"), s.name("to"), s.constant());
    let inputs = s.inputs(&a);
    let fill = s.map(&a, &b, &|cell| format!("{cell} + {c}"));
    let fill = s.part(&[&a, &b], None, &fill);
    let index = s.twin("", " / 2");
    s.array(&a)
        + &s.array(&b)
        + &inputs
        + &fill
        + &s.assert_each(&|s, i| {
            let cell = s.at(&a, &format!("({i}{index})"));
            format!("{} - {cell} == {c}", s.at(&b, i))
        })
}

fn updates(s: &mut Shape) -> String {
    let (a, b, c, d) = (s.name("cells"), s.name("old"), s.constant(), s.constant());
    let inputs = s.inputs(&a);
    let keep = s.map(&a, &b, &str::to_owned);
    let low = s.twin("0", "1");
    let first = s.each(Order::Any, "0", &mut |s, i| {
        let cell = s.at(&a, i);
        s.add(&cell, &c.to_string())
    });
    let second = s.each(Order::Any, &low, &mut |s, i| {
        let cell = s.at(&a, i);
        s.add(&cell, &d.to_string())
    });
    let both = s.part(&[&a], None, &(first + &second));
    s.array(&a)
        + &s.array(&b)
        + &inputs
        + &keep
        + &both
        + &s.assert_each(&|s, i| format!("{} == {} + {}", s.at(&a, i), s.at(&b, i), c + d))
}

fn prefix(s: &mut Shape) -> String {
    let (a, c, d) = (s.name("cells"), s.constant(), s.constant());
    let mut fill = format!("    {} = {d};\n", s.at(&a, "0"));
    fill +=
        &s.each(Order::Up, "1", &mut |s, i| format!("{} = {} + {c};", s.at(&a, i), s.at(&a, &format!("({i} - 1)"))));
    let fill = s.part(&[&a], None, &fill);
    let index = s.twin("", " + 1");
    s.array(&a) + &fill + &s.assert_each(&|s, i| format!("{} == {d} + {c} * ({i}{index})", s.at(&a, i)))
}

fn search(s: &mut Shape) -> String {
    let (a, i, x, size) = (s.name("cells"), s.name("place"), s.constant(), s.size.clone());
    let inputs = s.inputs(&a);
    let counter = s.counter;
    let cell = s.at(&a, &i);
    let find = match s.random.below(4) {
        0 => format!("    {i} = 0;\n    while ({i} < {size} && {cell} != {x}) {i}++;\n"),
        1 => format!("    for ({i} = 0; {i} < {size}; {i}++) {{ if ({cell} == {x}) break; }}\n"),
        2 => format!("    {i} = 0;\n    while ({i} < {size}) {{ if ({cell} == {x}) break; {i} += 1; }}\n"),
        _ => format!("    for ({i} = 0; {i} != {size}; {i}++) if ({cell} == {x}) goto found;\nfound: ;\n"),
    };
    let find = s.part(&[&a], Some((counter, &i)), &find);
    let found = s.twin("==", "<");
    s.array(&a)
        + &inputs
        + &format!("    {counter} {i};\n{find}")
        + &assert(&format!("{i} == {size} || {cell} {found} {x}"))
}

fn compaction(s: &mut Shape) -> String {
    let (a, b, m, limit) = (s.name("cells"), s.name("kept"), s.name("count"), s.constant());
    let inputs = s.inputs(&a);
    let counter = s.counter;
    let mut keep = format!("    {m} = 0;\n");
    keep += &s.each(Order::Any, "0", &mut |s, i| {
        let (cell, to) = (s.at(&a, i), s.at(&b, &m));
        match s.random.below(3) {
            0 => format!("if ({cell} >= {limit}) {{ {to} = {cell}; {m}++; }}"),
            1 => format!("if ({cell} < {limit}) {{ }} else {{ {to} = {cell}; {m} += 1; }}"),
            _ => format!("if ({limit} <= {cell}) {{ {} = {cell}; }}", s.at(&b, &format!("{m}++"))),
        }
    });
    let keep = s.part(&[&a, &b], Some((counter, &m)), &keep);
    let than = s.twin(">=", ">");
    let check =
        s.stretch(Order::Up, ("0", &m), 1, &mut |s, i| format!("__VERIFIER_assert({} {than} {limit});", s.at(&b, i)));
    s.array(&a) + &s.array(&b) + &inputs + &format!("    {counter} {m};\n{keep}") + &check
}

fn matrix(s: &mut Shape) -> String {
    let (m, c, d, cell) = (s.name("rows"), s.constant(), s.constant(), s.cell);
    let (rows, columns) = (2 + s.random.below(7), 2 + s.random.below(90));
    let (rows_text, columns_text) = (rows.to_string(), columns.to_string());
    let declare = if s.heap {
        let row = s.stretch(Order::Up, ("0", &rows_text), 1, &mut |_, i| {
            format!("{m}[{i}] = malloc({columns} * sizeof({cell})); if (!{m}[{i}]) return 0;")
        });
        format!("    {cell} **{m} = malloc({rows} * sizeof({cell} *));\n    if (!{m}) return 0;\n{row}")
    } else {
        format!("    {cell} {m}[{rows}][{columns}];\n")
    };
    let fill = s.stretch(Order::Any, ("0", &rows_text), 1, &mut |s, i| {
        s.stretch(Order::Any, ("0", &columns_text), 1, &mut |_, j| format!("{m}[{i}][{j}] = {c} * {i} + {d} * {j};"))
    });
    let e = s.twin(&d.to_string(), &(d + 1).to_string());
    let check = s.stretch(Order::Up, ("0", &rows_text), 1, &mut |s, i| {
        s.stretch(Order::Up, ("0", &columns_text), 1, &mut |_, j| {
            format!("__VERIFIER_assert({m}[{i}][{j}] == {c} * {i} + {e} * {j});")
        })
    });
    declare + &fill + &check
}

fn members(s: &mut Shape) -> String {
    let (a, c, cell, size) = (s.name("pairs"), s.constant(), s.cell, s.size.clone());
    s.definitions.push_str(&format!("\nstruct pair {{\n    {cell} x;\n    {cell} y;\n}};\n"));
    let declare = if s.heap {
        format!("    struct pair *{a} = malloc({size} * sizeof(struct pair));\n    if (!{a}) return 0;\n")
    } else {
        format!("    struct pair {a}[{size}];\n")
    };
    let first = s.each(Order::Any, "0", &mut |s, i| format!("{}.x = ({cell})value();", s.at_member(&a, i)));
    let second = s.each(Order::Any, "0", &mut |s, i| {
        let pair = s.at_member(&a, i);
        let add = s.add(&format!("{pair}.y"), &c.to_string());
        format!("{pair}.y = {pair}.x; {add}")
    });
    let sign = s.twin("-", "+");
    declare
        + &first
        + &second
        + &s.assert_each(&|s, i| {
            let pair = s.at_member(&a, i);
            format!("{pair}.y {sign} {pair}.x == {c}")
        })
}

fn parities(s: &mut Shape) -> String {
    let (a, c, d) = (s.name("cells"), s.constant(), s.constant() + 10);
    let fill = s.each(Order::Any, "0", &mut |s, i| match s.random.below(3) {
        0 => format!("{} = {i} % 2 == 0 ? {c} : {d};", s.at(&a, i)),
        1 => format!("if ({i} % 2) {{ {} = {d}; }} else {{ {} = {c}; }}", s.at(&a, i), s.at(&a, i)),
        _ => format!("{} = {c}; if ({i} % 2 == 1) {} = {d};", s.at(&a, i), s.at(&a, i)),
    });
    let fill = s.part(&[&a], None, &fill);
    s.array(&a) + &fill + &s.assert_parities(&a, c, d)
}

fn sum_of_multiples(s: &mut Shape) -> String {
    let (a, b, c) = (s.name("cells"), s.name("multiples"), s.constant() + 1);
    let (first, second) = (s.name("sum"), s.name("sum"));
    let inputs = s.inputs(&a);
    let fill = s.map(&a, &b, &|cell| format!("{c} * {cell}"));
    let sums = s.sum(&a, &first) + &s.sum(&b, &second);
    let times = s.twin(&c.to_string(), &(c - 1).to_string());
    s.array(&a) + &s.array(&b) + &inputs + &fill + &sums + &assert(&format!("{second} == {times} * {first}"))
}

fn reversal(s: &mut Shape) -> String {
    let (a, b, size) = (s.name("cells"), s.name("turned"), s.size.clone());
    let inputs = s.inputs(&a);
    let turn =
        s.each(Order::Any, "0", &mut |s, i| format!("{} = {};", s.at(&b, &format!("({size} - 1 - {i})")), s.at(&a, i)));
    let turn = s.part(&[&a, &b], None, &turn);
    let same = s.twin(&format!("{size} - 1 - "), "");
    s.array(&a)
        + &s.array(&b)
        + &inputs
        + &turn
        + &s.assert_each(&|s, i| format!("{} == {}", s.at(&b, i), s.at(&a, &format!("({same}{i})"))))
}

fn flag(s: &mut Shape) -> String {
    let (a, all, limit) = (s.name("cells"), s.name("all"), s.constant() + 1);
    let inputs = s.inputs(&a);
    let mut look = format!("    {all} = 1;\n");
    look += &s.each(Order::Any, "0", &mut |s, i| {
        let cell = s.at(&a, i);
        match s.random.below(3) {
            0 => format!("if ({cell} < {limit}) {all} = 0;"),
            1 => format!("{all} = {all} && {cell} >= {limit};"),
            _ => format!("if (!({cell} >= {limit})) {{ {all} = 0; }}"),
        }
    });
    let look = s.part(&[&a], Some(("int", &all)), &look);
    let than = s.twin(">=", ">");
    s.array(&a)
        + &inputs
        + &format!("    int {all};\n{look}")
        + &s.assert_each(&|s, i| format!("!{all} || {} {than} {limit}", s.at(&a, i)))
}

fn strides(s: &mut Shape) -> String {
    let (a, c, d, size) = (s.name("cells"), s.constant(), s.constant() + 10, s.size.clone());
    let even = s.stretch(Order::Up, ("0", &size), 2, &mut |s, i| format!("{} = {c};", s.at(&a, i)));
    let odd = s.stretch(Order::Up, ("1", &size), 2, &mut |s, i| format!("{} = {d};", s.at(&a, i)));
    let both = s.part(&[&a], None, &(even + &odd));
    s.array(&a) + &both + &s.assert_parities(&a, c, d)
}

fn exchange(s: &mut Shape) -> String {
    let (a, b, t) = (s.name("cells"), s.name("old"), s.name("kept"));
    let (cell, size) = (s.cell, s.size.clone());
    let inputs = s.inputs(&a);
    let keep = s.map(&a, &b, &str::to_owned);
    let half = s.twin(&format!("{size} / 2"), &format!("({size} / 2 - 1)"));
    let turn = s.stretch(Order::Any, ("0", &half), 1, &mut |s, i| {
        let (one, other) = (s.at(&a, i), s.at(&a, &format!("({size} - 1 - {i})")));
        format!("{cell} {t} = {one}; {one} = {other}; {other} = {t};")
    });
    let turn = s.part(&[&a], None, &turn);
    s.array(&a)
        + &s.array(&b)
        + &inputs
        + &keep
        + &turn
        + &s.assert_each(&|s, i| format!("{} == {}", s.at(&a, i), s.at(&b, &format!("({size} - 1 - {i})"))))
}
