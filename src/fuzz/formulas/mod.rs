//! Random programs that put memory into one known state, and make claims about it.
//!
//! Nothing comes from outside, so there is one run, and each formula is true, is false, or has no
//! value: an index that is out of range, a division by 0, a pointer to nothing.

mod terms;

pub(in crate::fuzz) use terms::{Fragment, Names, Writer};

use super::Random;
use std::fmt::Write as _;

/// The types, the definitions and the globals that formulas are about, and their values.
pub(in crate::fuzz) const TYPES: &str = "struct s { int k; unsigned char y[2]; struct s *next; };\n";

/// Predicates and functions, recursive ones too.
pub(in crate::fuzz) const DEFINITIONS: &str = "\
/*@ predicate positive(integer i) = i > 0;
  @ predicate between(integer low, integer i, integer high) = low <= i < high;
  @ predicate sorted(int *r, integer n) = \\forall integer i, j; 0 <= i < j < n ==> r[i] <= r[j];
  @ predicate has(int *r, integer n, integer v) = \\exists integer i; 0 <= i < n && r[i] == v;
  @ predicate same{K, L}(int *r, integer i) = \\at(r[i], K) == \\at(r[i], L);
  @ logic integer twice(integer i) = 2 * i;
  @ logic integer cell(int *r, integer i) = r[i];
  @ logic integer half(integer n) = n <= 1 ? 0 : half(n - 2) + 1;
  @ logic integer total(int *r, integer n) = n <= 0 ? 0 : total(r, n - 1) + r[n - 1];
  @ logic integer count(int *r, integer n, integer v) = n <= 0 ? 0 : count(r, n - 1, v) + (r[n - 1] == v ? 1 : 0);
  @ logic integer most(int *r, integer n) = n <= 1 ? r[0] : (\\let m = most(r, n - 1); r[n - 1] > m ? r[n - 1] : m);
  @*/
";

/// The integer types of variables, with the least and the greatest value for `lp64`.
const KINDS: [(&str, i128, i128); 10] = [
    ("int", i32::MIN as i128, i32::MAX as i128),
    ("unsigned", 0, u32::MAX as i128),
    ("long", i64::MIN as i128, i64::MAX as i128),
    ("unsigned long", 0, u64::MAX as i128),
    ("short", i16::MIN as i128, i16::MAX as i128),
    ("unsigned short", 0, u16::MAX as i128),
    ("signed char", i8::MIN as i128, i8::MAX as i128),
    ("unsigned char", 0, u8::MAX as i128),
    ("long long", i64::MIN as i128, i64::MAX as i128),
    ("_Bool", 0, 1),
];

struct Program {
    random: Random,
    text: String,
}

/// A program with about this many claims.
pub(super) fn program(seed: u64, claims: usize) -> String {
    let mut p = Program { random: Random::new(seed), text: String::new() };
    let _ = write!(p.text, "/* seed {seed}, formulas about a known state */\n{TYPES}{DEFINITIONS}");
    let (g, bytes) = (p.value("int"), p.values("unsigned char", 3));
    let _ = writeln!(p.text, "int g = {g};\nunsigned char bytes[3] = {bytes};\nstruct s t[2];\nlong w[2][2];");
    let fragment = [Fragment::All, Fragment::Quantifiers, Fragment::Conditions][(seed % 3) as usize];
    let calls = p.random.one_in(3);
    if calls {
        p.callee(fragment);
    }
    p.text.push_str("int main(void) {\n");
    p.state();
    // Only globals exist where the function begins.
    let mut labels = if p.random.one_in(3) { vec!["Here", "Pre"] } else { vec!["Here"] };
    if p.random.one_in(2) {
        p.text.push_str("    L:\n");
        labels.extend(["L", "L"]);
        for _ in 0..1 + p.random.below(4) {
            p.change();
        }
    }
    if p.random.one_in(4) {
        p.text.push_str("    //@ ghost M:\n");
        labels.push("M");
        p.change();
    }
    for _ in 0..claims {
        let mut names = Names::of_state(labels.clone(), fragment);
        let formula = Writer::new(&mut p.random, &mut names).formula(3);
        let _ = writeln!(p.text, "    /*@ check {formula}; */");
    }
    if calls {
        p.text.push_str("    x = f(h, a);\n");
    }
    p.text.push_str("    return 0;\n}\n");
    p.text
}

impl Program {
    /// A constant of a type.
    fn value(&mut self, ty: &str) -> String {
        let (_, least, greatest) = *KINDS.iter().find(|k| k.0 == ty).unwrap_or(&KINDS[0]);
        let n = match self.random.below(12) {
            0 => least,
            1 => greatest,
            2 => self.random.interesting().clamp(least, greatest),
            _ => (self.random.below(9) as i128 - 3).clamp(least, greatest),
        };
        constant(n)
    }

    fn values(&mut self, ty: &str, count: usize) -> String {
        let all: Vec<String> = (0..count).map(|_| self.value(ty)).collect();
        format!("{{ {} }}", all.join(", "))
    }

    fn state(&mut self) {
        for (name, ty) in Names::SCALARS.iter().skip(1) {
            let ty = if *name == "c" { *self.random.pick(&["unsigned char", "signed char", "short"]) } else { *ty };
            let value = self.value(ty);
            let _ = writeln!(self.text, "    {ty} {name} = {value};");
        }
        let cells = if self.random.one_in(2) { "{ 1, 2, 2, 5 }".to_owned() } else { self.values("int", 4) };
        let _ = writeln!(self.text, "    int a[4] = {cells};");
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let value = self.value("long");
            let _ = writeln!(self.text, "    w[{i}][{j}] = {value};");
        }
        for i in 0..2 {
            let (k, y, z) = (self.value("int"), self.value("unsigned char"), self.value("unsigned char"));
            let next = *self.random.pick(&["&t[0]", "&t[1]", "&t[1]", "0"]);
            let _ =
                writeln!(self.text, "    t[{i}].k = {k}; t[{i}].y[0] = {y}; t[{i}].y[1] = {z}; t[{i}].next = {next};");
        }
        let (from, which) = (self.random.below(4), self.random.below(2));
        let _ =
            writeln!(self.text, "    int *q = a + {from}, *end = a + 4, *none = 0;\n    struct s *p = &t[{which}];");
    }

    /// A statement that changes the state.
    fn change(&mut self) {
        let value = self.value("int");
        let at = self.random.below(4);
        let line = match self.random.below(7) {
            0 => format!("x = {value};"),
            1 => format!("g = {value};"),
            2 => format!("t[{}].k = {value};", at / 2),
            3 => format!("q = a + {at};"),
            4 => "h = 3;".to_owned(),
            _ => format!("a[{at}] = {value};"),
        };
        let _ = writeln!(self.text, "    {line}");
    }

    /// A function with a postcondition.
    fn callee(&mut self, fragment: Fragment) {
        let mut names = Names {
            scalars: vec!["g", "n", "\\result", "\\old(g)", "\\old(n)", "\\old(r[1])"],
            arrays: vec![("r", 4), ("bytes", 3)],
            labels: vec!["Here", "Pre", "Old", "Post"],
            objects: false,
            fragment,
            bound: Vec::new(),
        };
        let formula = Writer::new(&mut self.random, &mut names).formula(3);
        let _ = writeln!(
            self.text,
            "/*@ ensures {formula}; */\nint f(int n, int *r) {{\n    int m = n < 4 && n > -4 ? n : 3;\n    r[1] = m;\n    g = 5;\n    n = 1;\n    return m - 2;\n}}"
        );
    }
}

/// A constant of C: there are no negative ones.
pub(in crate::fuzz) fn constant(n: i128) -> String {
    if n == i128::from(i64::MIN) || n == i128::from(i32::MIN) {
        format!("-{} - 1", -(n + 1))
    } else if n > i128::from(i64::MAX) {
        format!("{n}u")
    } else {
        n.to_string()
    }
}
