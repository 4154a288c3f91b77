//! Random programs for loop pruning and loop shrinking. They are built so that a known fact holds,
//! and some are then spoilt.
//!
//! A program initialises arrays, transforms them, searches for minima, computes sums, remembers
//! values. The generator records *facts*, which hold for every cell of a range or for scalars, and
//! asserts one of them ([`steps`]). So most programs are safe. Every number and comparison passes
//! through [`Maker::number`] and [`Maker::relation`]. In a spoilt program one of them is off by
//! one, and most spoilt programs are unsafe. Nothing relies on that: runs decide whether a program
//! is safe ([`SampleOutcome`]).
//!
//! Programs also differ in style: arrays are arrays, fields of arrays of structs, columns of
//! matrices or pointers; loops are `for` and `while`, up and down, strict and not; counters and
//! sizes are `int`, `unsigned`, `long` and `unsigned long`; sizes are constants or inputs.

mod properties;
mod rounds;
mod runs;
mod steps;

pub(super) use runs::Inputs;
pub use runs::SampleOutcome;

use super::Random;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The reduction that the programs are for. Most of them lie within its fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Loop pruning: loops long enough to be pruned.
    Prune,
    /// Loop shrinking: loops so short that all runs can be examined.
    Shrink,
    /// Loop shrinking of loops whose iterations pass on values that depend on the number of the
    /// iteration.
    Accelerate,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Its text. It has one assertion.
    pub text: String,
    /// Whether the first input is the number of iterations.
    pub sized: bool,
    /// The largest number of iterations.
    pub most: i128,
    /// Values that are likely to make runs fail.
    pub values: Vec<i128>,
}

/// The program with this number. With `spoilt`, the same program with one place changed.
pub fn program(seed: u64, target: Target, spoilt: Option<u64>) -> Sample {
    let sound = Maker::new(seed, target, None).make();
    let Some(way) = spoilt else { return sound.sample() };
    let mut random = Random::new(!seed ^ (way << 48));
    // As often in the assertion as elsewhere.
    let from = if random.one_in(2) { sound.asserted } else { 0 };
    let place = from + random.below(sound.places - from);
    Maker::new(seed, target, Some((place, random.one_in(2)))).make().sample()
}

/// The cells from `first` to `n - less - 1`, every `step`th.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    first: i64,
    less: i64,
    step: i64,
}

/// The form of an array in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Plain,
    Field,
    Column,
    Pointer,
}

#[derive(Clone, Debug)]
struct Array {
    name: String,
    element: &'static str,
    style: Style,
}

/// A fact. In the text `{0}`, `{1}` are cells at the same index, `@` is the index, `<5>` a number,
/// `~<=~` a comparison.
#[derive(Clone, Debug)]
struct Fact {
    text: String,
    /// The arrays whose cells it names.
    arrays: Vec<usize>,
    /// The scalars it names.
    scalars: Vec<String>,
    /// The cells for which it holds; `None` for facts about scalars.
    range: Option<Range>,
}

struct Maker {
    random: Random,
    target: Target,
    /// The number of places that could be spoilt, the chosen one, and the direction.
    places: usize,
    /// The first of them in the assertion.
    asserted: usize,
    spoilt: Option<(usize, bool)>,
    text: String,
    n: String,
    sized: bool,
    most: i64,
    /// The type of counters and of the size.
    counter: &'static str,
    down: bool,
    step: i64,
    arrays: Vec<Array>,
    facts: Vec<Fact>,
    scalars: usize,
    values: BTreeSet<i64>,
}

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); \
                       extern long __VERIFIER_nondet_long(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
                       extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int); extern void abort(void);\n";

impl Maker {
    fn new(seed: u64, target: Target, spoilt: Option<(usize, bool)>) -> Maker {
        let mut random = Random::new(seed);
        let sized = random.one_in(2);
        let counter = *random.pick(&["int", "int", "int", "int", "int", "unsigned", "long", "unsigned long"]);
        let most = match (target, sized) {
            (Target::Prune, true) => 24,
            (Target::Prune, false) => 12 + random.below(14) as i64,
            (Target::Shrink | Target::Accelerate, _) => 3 + random.below(3) as i64,
        };
        // For loops that count down, the bound on the iterations needs constants.
        let down = random.one_in(7) && (target != Target::Prune || !sized) && !counter.starts_with('u');
        let step = if random.one_in(6) { 2 + random.below(2) as i64 } else { 1 };
        Maker {
            random,
            target,
            places: 0,
            asserted: 0,
            spoilt,
            text: String::new(),
            n: if sized { "n".to_owned() } else { most.to_string() },
            sized,
            most,
            counter,
            down,
            step,
            arrays: Vec::new(),
            facts: Vec::new(),
            scalars: 0,
            values: BTreeSet::from([-1, 0, 1, 2]),
        }
    }

    fn sample(self) -> Sample {
        let mut values: BTreeSet<i128> = self.values.iter().flat_map(|v| [v - 1, *v, v + 1]).map(i128::from).collect();
        values.extend([-128, 127, 255, -32768, 32767, -(1 << 31), (1 << 31) - 1, (1 << 32) - 1, i128::from(i64::MAX)]);
        Sample { text: self.text, sized: self.sized, most: i128::from(self.most), values: values.into_iter().collect() }
    }

    fn is_spoilt(&mut self) -> Option<bool> {
        self.places += 1;
        self.spoilt.filter(|(place, _)| *place == self.places - 1).map(|(_, up)| up)
    }

    /// A number, perhaps spoilt.
    fn number(&mut self, n: i64) -> String {
        let n = match self.is_spoilt() {
            Some(true) => n + 1,
            Some(false) => n - 1,
            None => n,
        };
        self.values.insert(n);
        n.to_string()
    }

    /// A comparison, perhaps spoilt.
    fn relation(&mut self, op: &str) -> String {
        let (weaker, other) = match op {
            "<" => ("<=", "!="),
            "<=" => ("<", "=="),
            ">" => (">=", "!="),
            ">=" => (">", "=="),
            "==" => ("<=", ">="),
            _ => ("<", ">"),
        };
        match self.is_spoilt() {
            Some(true) => weaker.to_owned(),
            Some(false) => other.to_owned(),
            None => op.to_owned(),
        }
    }

    fn make(mut self) -> Maker {
        self.text.push_str(PRELUDE);
        self.declare();
        let steps = 1 + self.random.below(3);
        for _ in 0..steps {
            self.step();
            if self.random.one_in(12) {
                self.between();
            }
        }
        self.asserted = self.places;
        self.property();
        self.text.push_str("  return 0;\n}\n");
        self
    }

    fn declare(&mut self) {
        let main = *self.random.pick(&["int", "int", "int", "int", "int", "unsigned", "long", "short"]);
        let names = ["a", "b", "c"];
        let count = 1 + self.random.below(3);
        let global = !self.sized && self.random.one_in(5);
        let matrix = self.random.one_in(8);
        let fields = self.random.one_in(6);
        for name in &names[..count] {
            let element = if self.random.one_in(10) {
                *self.random.pick(&["unsigned char", "signed char", "short"])
            } else {
                main
            };
            let style = match self.random.below(8) {
                _ if fields => Style::Field,
                _ if matrix && element == main => Style::Column,
                0 => Style::Pointer,
                _ => Style::Plain,
            };
            self.arrays.push(Array { name: (*name).to_owned(), element, style });
        }
        let mut declarations = String::new();
        // One more cell at each end than the loops need, so that a bound that is off by one is no
        // access outside.
        let length = if self.random.one_in(4) { self.n.clone() } else { format!("{} + 4", self.n) };
        let fields: String = self.arrays.iter().map(|a| format!("{} {}; ", a.element, a.name)).collect();
        if self.arrays.iter().any(|a| a.style == Style::Field) {
            let _ = writeln!(self.text, "struct item {{ {fields}}};");
            let _ = writeln!(declarations, "  struct item items[{length}];");
        }
        if self.arrays.iter().any(|a| a.style == Style::Column) {
            let _ = writeln!(declarations, "  {main} matrix[{length}][{count}];");
        }
        for a in &self.arrays {
            match a.style {
                Style::Plain => {
                    let _ = writeln!(declarations, "  {} {}[{length}];", a.element, a.name);
                }
                Style::Pointer => {
                    let _ = writeln!(declarations, "  {} {}_cells[{length}];", a.element, a.name);
                }
                Style::Field | Style::Column => {}
            }
        }
        let pointers: Vec<_> = self.arrays.iter().filter(|a| a.style == Style::Pointer).collect();
        let pointers: String =
            pointers.iter().map(|a| format!("  {} *{} = {}_cells;\n", a.element, a.name, a.name)).collect();
        if global {
            self.text += &declarations;
        }
        self.text.push_str("int main(void) {\n");
        if self.sized {
            let of = match self.counter {
                "int" => "int",
                "unsigned" => "uint",
                "long" => "long",
                _ => "ulong",
            };
            let least = self.random.below(3) as i64;
            let (least, most) = (self.number(least), self.most);
            let _ = write!(self.text, "  {} n = __VERIFIER_nondet_{of}();\n  ", self.counter);
            let conditions = match self.random.below(3) {
                0 if !self.counter.starts_with('u') => format!("if (n < {least} || n > {most}) return 0;"),
                _ => format!("__VERIFIER_assume({least} <= n && n <= {most});"),
            };
            self.text += &conditions;
            self.text.push('\n');
        }
        if !global {
            self.text += &declarations;
        }
        self.text += &pointers;
    }

    /// The cell of an array at `counter + offset`.
    fn cell_at(&self, a: usize, counter: &str, offset: i64) -> String {
        let index = match offset {
            0 => counter.to_owned(),
            n if n < 0 => format!("{counter} - {}", -n),
            n => format!("{counter} + {n}"),
        };
        let array = &self.arrays[a];
        match array.style {
            Style::Plain | Style::Pointer => format!("{}[{index}]", array.name),
            Style::Field => format!("items[{index}].{}", array.name),
            Style::Column => format!("matrix[{index}][{a}]"),
        }
    }

    /// The cell at the counter `i`.
    fn cell(&self, a: usize) -> String {
        self.cell_at(a, "i", 0)
    }

    fn array(&mut self) -> usize {
        self.random.below(self.arrays.len())
    }

    /// Another array of the same type, if there is one.
    fn partner(&mut self, a: usize) -> Option<usize> {
        let others: Vec<usize> =
            (0..self.arrays.len()).filter(|&b| b != a && self.arrays[b].element == self.arrays[a].element).collect();
        if others.is_empty() { None } else { Some(others[self.random.below(others.len())]) }
    }

    /// A small number that the array can hold and that has the same value in its type and in `int`.
    fn small(&mut self, a: usize) -> i64 {
        let least = if self.arrays[a].element.starts_with('u') { 0 } else { -3 };
        least + self.random.below(9) as i64
    }

    fn scalar(&mut self, ty: &str, value: &str) -> String {
        self.scalars += 1;
        let name = format!("x{}", self.scalars);
        let _ = writeln!(self.text, "  {ty} {name} = {value};");
        name
    }

    fn range(&mut self) -> Range {
        let first = if self.random.one_in(3) { self.random.below(3) as i64 } else { 0 };
        let less = if self.random.one_in(3) { self.random.below(3) as i64 } else { 0 };
        Range { first, less, step: self.step }
    }

    /// A range that is probably that of an earlier loop.
    fn same_range(&mut self) -> Range {
        let known: Vec<Range> = self.facts.iter().filter_map(|f| f.range).collect();
        if known.is_empty() || self.random.one_in(5) { self.range() } else { *self.random.pick(&known) }
    }

    /// A loop over a range with the counter `i`. The lines of the body are made after the bounds
    /// have been written.
    fn looped(&mut self, range: Range, body: &[String], also: Option<&str>) {
        let Range { first, less, step } = range;
        let (first, less) = (self.number(first), self.number(less));
        let (n, ty) = (self.n.clone(), self.counter);
        let high = if less == "0" { n } else { format!("{n} - {less}") };
        let also = also.map(|c| format!(" && {c}")).unwrap_or_default();
        // If the step is 1, the cells are the same downwards. A few loops run in the other
        // direction.
        let down = if ty.starts_with('u') { false } else { self.down != self.random.one_in(12) };
        let (start, condition, change) = if down && step == 1 {
            let relation = self.relation(">=");
            (format!("{high} - 1"), format!("i {relation} {first}{also}"), "i--".to_owned())
        } else {
            let change = if step == 1 { "i++".to_owned() } else { format!("i += {step}") };
            let signed = !ty.starts_with('u');
            match self.random.below(5) {
                0 if signed => {
                    let relation = self.relation("<=");
                    (first, format!("i {relation} {high} - 1{also}"), change)
                }
                _ => {
                    let relation = self.relation("<");
                    (first, format!("i {relation} {high}{also}"), change)
                }
            }
        };
        let body: String = body.iter().map(|line| format!("    {line}\n")).collect();
        let _ = match self.random.below(4) {
            0 if !body.contains("continue") => {
                self.scalars += 1;
                let name = format!("i{}", self.scalars);
                let rename = |text: &str| renamed(text, &name);
                let (condition, body, change) = (rename(&condition), rename(&body), rename(&change));
                write!(self.text, "  {ty} {name} = {start};\n  while ({condition}) {{\n{body}    {change};\n  }}\n")
            }
            _ => write!(self.text, "  for ({ty} i = {start}; {condition}; {change}) {{\n{body}  }}\n"),
        };
    }

    /// The text of a fact about cells at an index.
    fn instance(&mut self, fact: &Fact, counter: &str, offset: i64) -> String {
        let mut out = String::new();
        let mut rest = fact.text.as_str();
        while let Some(at) = rest.find(['{', '@', '<', '~']) {
            out.push_str(&rest[..at]);
            let (kind, tail) = rest[at..].split_at(1);
            let end = match kind {
                "{" => "}",
                "<" => ">",
                "~" => "~",
                _ => "",
            };
            let (inner, tail) = if end.is_empty() { ("", tail) } else { tail.split_once(end).unwrap_or((tail, "")) };
            match kind {
                "{" => {
                    let which: usize = inner.parse().unwrap_or(0);
                    out += &self.cell_at(fact.arrays[which], counter, offset);
                }
                "<" => out += &self.number(inner.parse().unwrap_or(0)),
                "~" => out += &self.relation(inner),
                _ => out += &format!("({counter} + {offset})").replace(" + 0)", ")"),
            }
            rest = tail;
        }
        out.push_str(rest);
        out
    }
}

/// The text with another name for the counter `i`.
fn renamed(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let finish = |word: &mut String, out: &mut String| {
        out.push_str(if word == "i" { name } else { word });
        word.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            finish(&mut word, &mut out);
            out.push(c);
        }
    }
    finish(&mut word, &mut out);
    out
}
