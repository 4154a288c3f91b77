//! Random annotations of the whole grammar, at every place of a small program.
//!
//! The grammar is the one that the reader is made of, so no production is forgotten. Names come
//! from what the program declares, and most formulas have types that fit; some comments are
//! damaged. Whatever they say, they are read, or the refusal has a place.

mod grammar;

use super::Random;
use super::attack::damaged;
use super::formulas::{DEFINITIONS, Fragment, Names, TYPES, Writer};
use crate::deduce::Conditions;
use crate::interpreter::{self, CellOrigin, Environment, Limits};
use crate::lower::{LowerOptions, load_text};
use crate::program::print::{Plain, to_c};
use crate::program::{InputId, Location, Program, Type};
use crate::reduce::normal::Inlined;
use grammar::{Grammar, Production};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// No program may take longer to be read.
const PATIENCE: Duration = Duration::from_secs(5);

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(Grammar::of_annotations);

/// A program with annotations.
pub(super) fn program(random: Random) -> String {
    Annotations { random, text: String::new(), within: Vec::new(), used: BTreeSet::new() }.program()
}

/// Reads a program with annotations, and makes of it what needs no other program.
///
/// # Errors
/// A refusal has no place, or reading takes too long.
pub(super) fn read(text: &str) -> Result<Option<Program>, String> {
    let begun = Instant::now();
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let loaded = load_text(NAME, text, &options);
    if begun.elapsed() > PATIENCE {
        return Err(format!("reading took {:?}", begun.elapsed()));
    }
    let program = match loaded {
        Ok(program) => program,
        Err(error) => {
            return match error.place() {
                Some(place) if place.line > 0 && place.column > 0 => Ok(None),
                _ => Err(format!("an error without a place: {error}")),
            };
        }
    };
    let lines = text.lines().count() as u32;
    for a in &program.assertions {
        let at = a.location;
        if at.line == 0 || at.line > lines || at.column == 0 {
            return Err(format!("`{}` ({:?}) has no place", a.condition, a.unsupported));
        }
    }
    match program.notes.iter().find(|note| !names_a_place(note)) {
        Some(note) => Err(format!("a note without a place: {note}")),
        None => Ok(Some(program)),
    }
}

/// Prints a program, runs it, and makes the questions about it.
pub(super) fn used(program: &Program) {
    let _ = to_c(program, &mut Plain);
    let limits = Limits { steps: 20_000, cells: 1 << 16, depth: 50, alone: program.alone, ..Limits::NONE };
    interpreter::run(program, &mut Ones, &mut (), &limits);
    let _ = Conditions::of(&Inlined::new(program), &mut crate::stages::failing_checks);
}

const NAME: &str = "annotations.c";

/// Whether a text has a file, a line and a column in it.
fn names_a_place(note: &str) -> bool {
    note.split(NAME).skip(1).any(|rest| {
        let mut numbers = rest.split(':').skip(1).map(|n| n.starts_with(|c: char| c.is_ascii_digit()));
        numbers.next() == Some(true) && numbers.next() == Some(true)
    })
}

/// All values are 1.
struct Ones;

impl Environment for Ones {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        1
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        1
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        1
    }
}

/// Where a comment stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    File,
    Contract,
    Statement,
    Loop,
}

struct Annotations {
    random: Random,
    text: String,
    /// The rules around the current one, the innermost last.
    within: Vec<&'static str>,
    /// The rules that were used.
    used: BTreeSet<&'static str>,
}

impl Annotations {
    fn program(mut self) -> String {
        self.whole();
        self.text
    }

    fn whole(&mut self) {
        let _ = write!(
            self.text,
            "{TYPES}{DEFINITIONS}typedef int T;\nenum {{ SIZE = 3 }};\nint g;\nunsigned char bytes[3];\nstruct s t[2];\nlong w[2][2];\n"
        );
        self.comment(Slot::File);
        self.comment(Slot::Contract);
        self.text.push_str("int other(int *r, int n);\n");
        self.comment(Slot::Contract);
        self.text.push_str("int f(int *r, int n) {\n  int a[4] = { 1, 2, 3, 4 }, x = 1, *q = a + 1, *end = a + 4, *none = 0;\n  unsigned u = 3; long l = 1; unsigned long e = 2; unsigned char c = 1; short h = 0; _Bool b = 1; long long o = 0;\n  struct s *p = t;\n");
        self.comment(Slot::Statement);
        self.text.push_str("  L:\n  x = other(r, n);\n");
        self.comment(Slot::Statement);
        self.comment(Slot::Loop);
        self.text.push_str("  for (int i = 0; i < 3; i++) {\n    a[i] = x;\n");
        self.comment(Slot::Statement);
        self.text.push_str("  }\n");
        self.comment(Slot::Loop);
        self.text.push_str("  do { x--;");
        self.comment(Slot::Statement);
        self.text.push_str("} while (x > 0);\n  if (x == g)\n");
        self.comment(Slot::Statement);
        self.text.push_str("    g = 2;\n");
        self.comment(Slot::Statement);
        self.text.push_str("  return x;\n}\n");
        self.comment(Slot::Contract);
        self.text.push_str("int main(void) { int v[4]; return f(v, 2); }\n");
        self.comment(Slot::File);
    }

    /// A comment, sometimes damaged, or none.
    fn comment(&mut self, slot: Slot) {
        if self.random.one_in(2) {
            return;
        }
        let outer = std::mem::take(&mut self.text);
        // Most sequences of clauses are refused for their order.
        let more = if self.random.one_in(4) { self.random.below(3) } else { 0 };
        for _ in 0..=more {
            self.clause(slot);
        }
        let mut inside = std::mem::replace(&mut self.text, outer);
        if self.random.one_in(5) {
            inside = damaged(&inside, &mut self.random);
        }
        // The comment ends where it should.
        let inside = inside.replace("*/", "* /").replace("/*", "/ *");
        let _ = writeln!(self.text, "/*@ {inside} */");
    }

    fn clause(&mut self, slot: Slot) {
        if self.random.one_in(16) {
            let other = *self.random.pick(&OTHERS);
            self.text.push_str(other);
            return;
        }
        let fitting: &[&'static str] = match slot {
            Slot::File => &["predicate", "logic", "lemma"],
            Slot::Contract => &["requires", "ensures", "assumes", "assigns", "behaviors", "exits"],
            Slot::Statement => &["assertion", "check", "assumption"],
            Slot::Loop => &["loop_clause"],
        };
        let rule = if self.random.one_in(8) { "clause" } else { *self.random.pick(fitting) };
        if slot == Slot::Contract && self.random.one_in(3) {
            let name = *self.random.pick(&["one", "two"]);
            let _ = write!(self.text, "behavior {name}: ");
        }
        self.rule(rule, 14);
        if rule != "clause" {
            self.text.push(';');
        }
        self.text.push('\n');
    }

    fn rule(&mut self, name: &str, depth: u32) {
        let Some((name, rule)) = GRAMMAR.0.get_key_value(name) else {
            return self.character(name);
        };
        self.used.insert(name);
        let is_whole = !self.within.contains(&"formula");
        if name == "formula" && !self.random.one_in(if is_whole { 4 } else { 2 }) {
            let fitting = self.fitting();
            self.text.push_str(&fitting);
            return;
        }
        if name == "identifier" {
            let word = self.word();
            self.text.push_str(word);
            return;
        }
        self.within.push(name);
        self.production(&rule.is, rule.is_token, depth.saturating_sub(1));
        self.within.pop();
    }

    /// One of a class of characters.
    fn character(&mut self, class: &str) {
        let all = match class {
            "ASCII_DIGIT" => "0123456789",
            "ASCII_OCT_DIGIT" => "01234567",
            "ASCII_HEX_DIGIT" => "09afAF",
            "ASCII_ALPHA" => "abxyzXYZ",
            // No quotation mark, and nothing that ends a comment.
            _ => "0abnrtvx7Z_\\?",
        };
        let at = self.random.below(all.len());
        self.text.push_str(&all[at..=at]);
    }

    fn production(&mut self, p: &'static Production, is_token: bool, depth: u32) {
        match p {
            Production::Text(text) => self.text.push_str(text),
            Production::Rule(name) => self.rule(name, depth),
            Production::All(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    if n > 0 {
                        self.space(is_token);
                    }
                    self.production(part, is_token, depth);
                }
            }
            Production::OneOf(parts) => {
                let mut possible: Vec<&'static Production> =
                    parts.iter().filter(|p| GRAMMAR.depth(p) <= depth).collect();
                if possible.is_empty() {
                    possible.extend(parts.iter().min_by_key(|p| GRAMMAR.depth(p)));
                }
                let part = *self.random.pick(&possible);
                self.production(part, is_token, depth);
            }
            Production::Maybe(part) => {
                if GRAMMAR.depth(part) <= depth && self.random.one_in(3) {
                    self.production(part, is_token, depth);
                }
            }
            Production::Many(part, least) => {
                let more = if GRAMMAR.depth(part) <= depth { self.random.below(12).saturating_sub(8) } else { 0 };
                for n in 0..least + more {
                    if n > 0 {
                        self.space(is_token);
                    }
                    self.production(part, is_token, depth);
                }
            }
        }
    }

    fn space(&mut self, is_token: bool) {
        if !is_token {
            let others = [" ", "  ", "\n", "\n  @ ", "\t", " // a comment\n"];
            let space = if self.random.one_in(8) { *self.random.pick(&others) } else { " " };
            self.text.push_str(space);
        }
    }

    /// A formula or a term whose types fit.
    fn fitting(&mut self) -> String {
        let mut names = Names::of_state(vec!["Here", "Here", "Here", "Pre", "L"], Fragment::All);
        if self.within.contains(&"ensures") {
            names.labels = vec!["Here", "Pre", "Post", "Old"];
            names.scalars.extend(["\\result", "\\old(g)", "n", "\\old(r[0])"]);
        }
        if self.within.iter().any(|rule| matches!(*rule, "requires" | "ensures" | "assumes" | "assigns" | "exits")) {
            names.scalars.retain(|name| matches!(*name, "g" | "n") || name.starts_with('\\'));
            names.arrays = vec![("r", 2), ("bytes", 3)];
            names.objects = false;
        }
        let is_term = self.within.iter().any(|rule| matches!(*rule, "index" | "function" | "logic" | "assigns"));
        let depth = self.random.below(3) as u32;
        let mut writer = Writer::new(&mut self.random, &mut names);
        if is_term { writer.term(depth) } else { writer.formula(depth) }
    }

    /// A name that means something where it stands.
    fn word(&mut self) -> &'static str {
        let words: &[&'static str] = match self.within.iter().rev().find(|rule| **rule != "name") {
            Some(&("type_word" | "bound_type" | "cast" | "type_name")) => {
                &["integer", "integer", "int", "unsigned", "char", "long", "T", "struct", "s", "boolean", "size_t"]
            }
            Some(&"labels") => &["Here", "Pre", "Post", "Old", "LoopEntry", "LoopCurrent", "L", "K", "M"],
            Some(&"label") => &["L", "why", "x"],
            Some(&("member" | "arrow")) => &["k", "k", "y", "next", "z"],
            Some(&"function") => &[
                "positive", "between", "sorted", "has", "same", "twice", "cell", "half", "total", "count", "most", "f",
                "P", "F",
            ],
            Some(&"backslash_name") => &[
                "at",
                "at",
                "valid",
                "valid_read",
                "separated",
                "initialized",
                "sum",
                "max",
                "numof",
                "length",
                "block_length",
                "null",
                "fresh",
                "lambda",
            ],
            Some(&("predicate" | "logic" | "lemma")) => &["P", "F", "Q", "total"],
            Some(&"behaviors") => &["one", "two", "three"],
            Some(&("bound" | "binders")) => &["i", "j", "k", "g"],
            Some(&"local") => &["v", "x"],
            Some(&"parameter") => &["i", "n", "r"],
            _ => &[
                "x",
                "u",
                "c",
                "a",
                "a",
                "t",
                "p",
                "q",
                "g",
                "n",
                "r",
                "i",
                "j",
                "k",
                "v",
                "bytes",
                "w",
                "SIZE",
                "undeclared",
                "T",
                "none",
                "Here",
                "L",
                "f",
                "most",
            ],
        };
        self.random.pick::<&'static str>(words)
    }
}

/// What is no clause of the grammar.
const OTHERS: [&str; 16] = [
    "terminates \\true;\n",
    "decreases n;\n",
    "loop variant 3 - i;\n",
    "ghost int z = 1;",
    "ghost M:",
    "for one: assert x > 0;\n",
    "axiomatic A { logic integer h(integer i); axiom h0: h(0) == 0; }\n",
    "inductive even(integer i) { case zero: even(0); }\n",
    "admit requires n > 0;\n",
    "check ensures \\result > 0;\n",
    "allocates \\nothing;\n",
    "returns x > 0;\n",
    "type t = A | B;\n",
    "assert \\forall integer",
    "slevel 3;\n",
    ";",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_of_the_whole_grammar_are_read_or_refused_at_a_place() {
        let (mut used_rules, mut read_whole, mut formulas, mut refused) = (BTreeSet::new(), 0, 0, 0);
        for seed in 0..1500 {
            let mut annotations = Annotations {
                random: Random::new(seed),
                text: String::new(),
                within: Vec::new(),
                used: BTreeSet::new(),
            };
            annotations.whole();
            used_rules.extend(annotations.used);
            match read(&annotations.text) {
                Ok(None) => {}
                Ok(Some(program)) => {
                    read_whole += 1;
                    formulas += program.assertions.len();
                    refused += program.assertions.iter().filter(|a| a.unsupported.is_some()).count();
                    if seed % 10 == 0 {
                        used(&program);
                    }
                }
                Err(bug) => panic!("seed {seed}: {bug}\n{}", annotations.text),
            }
        }
        println!("{read_whole} programs are read, with {formulas} claims, {refused} of them refused");
        // What stands between tokens, and what only conditions on other rules mention.
        let others = ["WHITESPACE", "COMMENT", "reserved"];
        let missing: Vec<&String> =
            GRAMMAR.0.keys().filter(|r| !used_rules.contains(r.as_str()) && !others.contains(&r.as_str())).collect();
        assert!(missing.is_empty(), "rules without a text: {missing:?}");
        assert!(read_whole > 1200, "{read_whole} programs are read");
        // Sets, addresses and operators on bits fit in few places.
        assert!(refused * 6 < formulas * 5, "{refused} of {formulas} claims are refused");
    }

    #[test]
    fn a_place_is_a_file_a_line_and_a_column() {
        assert!(names_a_place("`x` is not checked (annotations.c:3:7, and 2 more)"));
        assert!(!names_a_place("`x` is not checked (annotations.c:3)") && !names_a_place("3:7"));
    }
}
