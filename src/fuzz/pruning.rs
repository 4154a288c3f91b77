//! Random programs inside the fragment of loop pruning, or just outside of it: loops over arrays
//! that copy, compare, clear, sum, and search for minima, and one assertion in or after a loop.

use super::Random;
use std::fmt::Write as _;

/// The size of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A constant.
    Constant(u32),
    /// An input, from 0 to 1000.
    Input,
}

/// The text of the program with this number. The number determines everything but the size.
pub fn program(seed: u64, size: Size) -> String {
    let mut random = Random::new(seed);
    let n = match size {
        Size::Constant(n) => n.to_string(),
        Size::Input => "n".to_owned(),
    };
    let steps = size != Size::Input && random.one_in(4);
    Maker { random, n, steps, text: String::new(), clean: Vec::new() }.program(size)
}

const ARRAYS: [&str; 3] = ["a", "b", "c"];
const SCALARS: [&str; 4] = ["x", "y", "u", "v"];

struct Maker {
    random: Random,
    n: String,
    /// Whether loops have steps other than 1.
    steps: bool,
    text: String,
    /// Facts that are likely to hold and may be asserted, with `A` for the index.
    clean: Vec<String>,
}

impl Maker {
    fn program(mut self, size: Size) -> String {
        self.text += "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void __VERIFIER_assert(int);\n";
        let length = format!("{} + 8", self.n);
        let global = size != Size::Input && self.random.one_in(5);
        if global {
            let _ = writeln!(self.text, "int c[{length}];");
        }
        self.text += "int main(void) {\n";
        if size == Size::Input {
            self.text += "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= n && n <= 1000);\n";
        }
        let third = if global { String::new() } else { format!(", c[{length}]") };
        let cells = *self.random.pick(&["int", "int", "short"]);
        let _ = writeln!(self.text, "{cells} a[{length}], b[{length}]{third};");
        self.text += "int x, y, u, v, m = __VERIFIER_nondet_int(), s = 0, t = 0;\n";
        for s in SCALARS {
            let value = match self.random.below(4) {
                0 => "__VERIFIER_nondet_int()".to_owned(),
                1 => format!("{}[{}]", self.array(), self.random.below(3)),
                _ => self.small(),
            };
            let _ = writeln!(self.text, "{s} = {value};");
        }
        for _ in 0..1 + self.random.below(3) {
            self.looped(None);
            if self.random.one_in(4) {
                self.straight();
            }
        }
        if self.random.one_in(6) {
            self.drift();
        }
        if self.random.one_in(2) {
            let fact = self.fact(true);
            self.looped(Some(fact));
        } else {
            let fact = self.fact(false);
            let _ = writeln!(self.text, "__VERIFIER_assert({fact});");
        }
        self.text += "return 0;\n}\n";
        self.text
    }

    fn array(&mut self) -> &'static str {
        ARRAYS[self.random.below(ARRAYS.len())]
    }

    fn scalar(&mut self) -> &'static str {
        SCALARS[self.random.below(SCALARS.len())]
    }

    fn small(&mut self) -> String {
        (self.random.below(5) as i64 - 1).to_string()
    }

    /// Usually the same distance.
    fn cell(&mut self) -> String {
        let array = self.array();
        match self.random.below(10) {
            0 => format!("{array}[i - 1]"),
            1 => format!("{array}[i + 1]"),
            2 => format!("{array}[i + 2]"),
            _ => format!("{array}[i]"),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(12) {
            0 => self.small(),
            1 => format!("({} & 3)", self.cell()),
            2 => format!("{} + {}", self.cell(), self.small()),
            3 => format!("{} - {}", self.cell(), self.cell()),
            4 => self.scalar().to_owned(),
            5 => "__VERIFIER_nondet_int()".to_owned(),
            _ => self.cell(),
        }
    }

    fn relation(&mut self) -> &'static str {
        ["<", "<=", ">", ">=", "==", "!="][self.random.below(6)]
    }

    fn condition(&mut self) -> String {
        let relation = self.relation();
        match self.random.below(9) {
            0 => format!("i % 2 == {}", self.random.below(2)),
            1 => format!("i {relation} {}", self.random.below(5)),
            2 => format!("{} {relation} {}", self.cell(), self.cell()),
            3 => format!("{} {relation} {}", self.cell(), self.scalar()),
            _ => format!("{} {relation} {}", self.cell(), self.small()),
        }
    }

    fn assignment(&mut self) -> String {
        let value = self.value();
        if self.random.one_in(2) {
            format!("{} = {value};", self.cell())
        } else {
            format!("{} = {value};", self.scalar())
        }
    }

    fn statement(&mut self) -> String {
        match self.random.below(14) {
            0..=2 => self.assignment(),
            3..=5 => {
                let (condition, then) = (self.condition(), self.assignment());
                let otherwise =
                    if self.random.one_in(3) { format!(" else {}", self.assignment()) } else { String::new() };
                format!("if ({condition}) {then}{otherwise}")
            }
            6..=8 => {
                let cell = self.cell();
                let (relation, fact) = if self.random.one_in(2) { (">", "m <= ") } else { ("<", "m >= ") };
                let value = if self.random.one_in(8) { self.cell() } else { cell.clone() };
                self.clean.push(format!("{fact}{}", cell));
                let body = format!("if (m {relation} {cell}) m = {value};");
                if self.random.one_in(6) { format!("if ({}) {{ {body} }}", self.condition()) } else { body }
            }
            9 => {
                self.clean.push("m <= v".to_owned());
                let cell = self.cell();
                format!("if (m > {cell}) {{ v = m; m = {cell}; }} if (v > {cell}) if (m < {cell}) v = {cell};")
            }
            10 => {
                self.clean.push("s == t".to_owned());
                format!("s = s + {};", self.cell())
            }
            11 => {
                self.clean.push("s == t".to_owned());
                format!("t = t + {};", self.cell())
            }
            12 => {
                let (left, right) = (self.array(), self.array());
                self.clean.push(format!("{left}[i] == {right}[i]"));
                format!("{left}[i] = {right}[i];")
            }
            _ => {
                let (array, value) = (self.array(), self.small());
                self.clean.push(format!("{array}[i] == {value}"));
                format!("{array}[i] = {value};")
            }
        }
    }

    fn looped(&mut self, fact: Option<String>) {
        let first = 1 + self.random.below(3);
        let step = if self.steps { 1 + self.random.below(3) } else { 1 };
        let end = if self.n == "n" { self.random.below(2) } else { self.random.below(3) };
        let _ = write!(self.text, "for (int i = {first}; i < {} - {end}; i += {step}) {{ ", self.n);
        let statements = if fact.is_some() { self.random.below(2) } else { 1 + self.random.below(2) };
        for _ in 0..statements {
            let statement = self.statement();
            self.text += &statement;
            self.text.push(' ');
        }
        if let Some(fact) = fact {
            let _ = write!(self.text, "__VERIFIER_assert({fact}); ");
        }
        self.text += "}\n";
    }

    /// Cells that are assumed to differ from their neighbours by this much. The last cell may then
    /// differ from the first by as much for each step.
    fn drift(&mut self) {
        let (array, x, y) = (self.array(), self.scalar(), self.scalar());
        let (relation, by) = *self.random.pick(&[("<=", 1), ("<=", 2), (">=", -1), ("==", 1), ("==", -1)]);
        let (first, end) = (1 + self.random.below(2), self.random.below(2));
        let _ = writeln!(self.text, "{y} = {array}[{}];", first - 1);
        let _ = writeln!(
            self.text,
            "for (int i = {first}; i < {} - {end}; i++) {{ __VERIFIER_assume({array}[i] {relation} {array}[i - 1] + {by}); \
             {x} = {array}[i]; }}",
            self.n
        );
        let far = 1 + self.random.below(40);
        let claim = if by > 0 { format!("{x} < {far}") } else { format!("{x} > -{far}") };
        // This fact is more likely than others.
        self.clean = vec![format!("{y} != 0 || {claim}"); 1 + self.clean.len()];
    }

    fn straight(&mut self) {
        let k = self.random.below(4);
        let text = match self.random.below(4) {
            0 => format!("{}[{k}] = {};", self.array(), self.small()),
            1 => format!("{} = {}[{k}];", self.scalar(), self.array()),
            2 => format!("if ({} > {}) {} = {};", self.scalar(), self.scalar(), self.scalar(), self.small()),
            _ => format!("s = {}[{k}];", self.array()),
        };
        self.text += &text;
        self.text.push('\n');
    }

    /// A fact that may hold. In a loop, it is about cells at `i`.
    fn fact(&mut self, looped: bool) -> String {
        let inside = |text: &str| looped || !text.contains("[i");
        let likely: Vec<String> = self.clean.iter().filter(|f| inside(f)).cloned().collect();
        let one = |maker: &mut Maker| match maker.random.below(4) {
            0 | 1 if !likely.is_empty() => likely[maker.random.below(likely.len())].clone(),
            2 if looped => format!("{} {} {}", maker.cell(), maker.relation(), maker.small()),
            _ => format!("{} {} {}", maker.scalar(), maker.relation(), maker.small()),
        };
        let first = one(self);
        if self.random.one_in(3) { format!("{first} || {}", one(self)) } else { first }
    }
}
