//! Random programs whose memory is seen in many ways: bytes of numbers, unions, floating cells,
//! tables of pointers, structs that are copied, heap blocks, calls through pointers and by
//! themselves. They leave their results in `out`.
//!
//! Most operations are defined: a compiler's sanitizers tell which runs are not.

use super::Random;
use std::fmt::Write as _;

/// The number of results.
pub(super) const RESULTS: usize = 8;

const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);
struct in { short s; unsigned char c; int v[3]; };
union un { unsigned int w; unsigned char b[4]; float f; short h[2]; };
struct rec { struct in in; union un u; int *p; float f; struct rec *next; };
static struct rec recs[4]; static int ints[12]; static unsigned char bytes[32]; static float floats[6];
static int *table[4]; static union un us[3]; static double wide[3]; static long long longs[4];
long long out[8];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int first(int a, int b) { return a - b; }
static int second(int a, int b) { return a < b ? a : b; }
static int third(int a, int b) { return ints[a & 7] ^ bytes[b & 31]; }
static int (*calls[3])(int, int) = {first, second, third};
static void fill(int *p, int n, int x) { for (int i = 0; i < n; i++) *p++ = x + i; }
static struct in made(int a, unsigned char c) { struct in r = {(short)a, c, {a, 1, c}}; return r; }
";

/// The program with this number.
pub(super) fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), loops: 0 };
    let mut text = PRELUDE.to_owned();
    text += "int main(void) {\n  int x = 3, y = __VERIFIER_nondet_int(), *p = ints, *q = malloc(8 * sizeof(int));\n";
    text += "  unsigned u = 7; float f = 0.5f; struct rec own = {{1, 2, {3, 4, 5}}, {6}, ints, 1.0f, 0};\n";
    text += "  for (int i = 0; i < 8; i++) q[i] = i;\n  for (int i = 0; i < 4; i++) table[i] = &ints[i];\n";
    for _ in 0..4 + maker.random.below(10) {
        text += &maker.statement(1);
    }
    for n in 0..RESULTS {
        let value = maker.number(2);
        let _ = writeln!(text, "  out[{n}] = {value};");
    }
    text + "  return 0;\n}\n"
}

struct Maker {
    random: Random,
    /// How many loops there are around.
    loops: usize,
}

impl Maker {
    /// An index below `n`.
    fn index(&mut self, n: usize) -> String {
        match self.random.below(5) {
            0 | 1 => self.random.below(n).to_string(),
            2 if self.loops > 0 && n >= 3 => format!("l{}", self.random.below(self.loops)),
            3 if n.is_power_of_two() => format!("({} & {})", self.number(0), n - 1),
            _ => format!("((unsigned)({}) % {n})", self.number(0)),
        }
    }

    /// An object that holds an integer.
    fn place(&mut self) -> String {
        match self.random.below(20) {
            0 => "x".into(),
            1 => "u".into(),
            2 | 3 => format!("ints[{}]", self.index(12)),
            4 => format!("bytes[{}]", self.index(32)),
            5 => format!("recs[{}].in.v[{}]", self.index(4), self.index(3)),
            6 => format!("recs[{}].in.{}", self.index(4), self.random.word(&["s", "c"])),
            7 => format!("us[{}].b[{}]", self.index(3), self.index(4)),
            8 => format!("us[{}].w", self.index(3)),
            9 => format!("us[{}].h[{}]", self.index(3), self.index(2)),
            10 => format!("*table[{}]", self.index(4)),
            11 => "*p".into(),
            12 => format!("q[{}]", self.index(8)),
            13 => format!("((unsigned char *)ints)[{}]", self.index(48)),
            14 => format!("((short *)bytes)[{}]", self.index(16)),
            15 => format!("*(unsigned *)(bytes + {})", self.index(28)),
            16 => format!("((unsigned char *)floats)[{}]", self.index(24)),
            17 => format!("longs[{}]", self.index(4)),
            18 => format!("*(int *)((char *)ints + {})", self.index(45)),
            _ => format!("own.{}", self.random.word(&["in.v[1]", "in.s", "u.b[2]", "u.w", "in.c"])),
        }
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => "y".into(),
                1 => self.random.interesting().clamp(-2000, 2000).to_string(),
                2 if self.loops > 0 => format!("l{}", self.random.below(self.loops)),
                _ => self.random.word(&["x", "(int)u", "bytes[3]", "ints[2]", "*p"]).into(),
            };
        }
        let a = self.number(depth - 1);
        let b = self.number(depth - 1);
        match self.random.below(14) {
            0 | 1 => format!("(int)({} & 1023)", self.place()),
            2 => self.place(),
            3 => format!("({a} & 255) + ({b} & 255)"),
            4 => format!("({a} | 1) % (({b} & 15) + 2)"),
            5 => format!("({a} & 127) * ({b} & 63)"),
            6 => format!("(({a} & 4095) {} ({b} & 7))", self.random.word(&["<<", ">>", "-", "/ 3 +", "^"])),
            7 => format!("calls[{}]({a} & 31, {b} & 15)", self.index(3)),
            8 => format!("fib({a} & 7)"),
            9 => format!("({a} {} {b} ? {a} : {b})", self.random.word(&["<", "==", ">=", "!="])),
            10 => format!("(int)({})", self.real(1)),
            11 => format!("({} {} {})", self.real(1), self.random.word(&["<", ">=", "=="]), self.real(0)),
            12 => format!("(p {} &ints[{}])", self.random.word(&["==", "<", "!="]), self.index(12)),
            _ => format!(
                "({})({a})",
                self.random.word(&["signed char", "unsigned char", "short", "unsigned", "long long"])
            ),
        }
    }

    /// A floating value of small size.
    fn real(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => "f".into(),
                1 => format!("(float)({} & 15)", self.number(0)),
                2 => self.random.word(&["0.1f", "1.5", "3.0f", "-2.25f", "0.3"]).into(),
                _ => format!("wide[{}]", self.index(3)),
            };
        }
        let (a, b) = (self.real(0), self.real(0));
        match self.random.below(5) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * 0.5f + {b} * 0.25)"),
            3 => format!("({a} / 3.0f)"),
            _ => format!("(floats[{}] * 0.125f)", self.index(6)),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let pad = "  ".repeat(depth as usize);
        match self.random.below(if depth < 3 { 24 } else { 18 }) {
            0..=4 => format!("{pad}{} = {};\n", self.place(), self.number(1)),
            5 => format!("{pad}{} {} {};\n", self.place(), self.random.word(&["^=", "&=", "|="]), self.number(1)),
            6 => format!("{pad}floats[{}] = {};\n", self.index(6), self.real(1)),
            7 => format!("{pad}{} = {};\n", self.random.word(&["f", "wide[1]", "us[1].f", "own.f"]), self.real(1)),
            8 => format!("{pad}p = {};\n", self.address()),
            9 => format!("{pad}table[{}] = {};\n", self.index(4), self.address()),
            10 => format!("{pad}recs[{}] = {};\n", self.index(4), self.record()),
            11 => format!("{pad}recs[{}].in = made({}, {});\n", self.index(4), self.number(0), self.number(0)),
            12 => format!("{pad}own = recs[{}];\n", self.index(4)),
            13 => format!("{pad}us[{}] = us[{}];\n", self.index(3), self.index(3)),
            14 => {
                let n = self.random.below(9);
                format!(
                    "{pad}memcpy(bytes + {}, {} + {}, {n});\n",
                    self.index(16),
                    self.random.word(&["ints", "recs"]),
                    self.index(4)
                )
            }
            15 => format!(
                "{pad}memset({}, {}, {});\n",
                self.random.word(&["ints", "us", "&own.in", "recs + 1"]),
                self.random.word(&["0", "1", "255"]),
                self.random.below(12)
            ),
            16 => format!(
                "{pad}fill({}, {}, {});\n",
                self.random.word(&["ints", "ints + 4", "q", "recs[1].in.v"]),
                self.random.below(4),
                self.number(0)
            ),
            17 => {
                // The declaration of `j` is jumped over.
                let (on, value) = (self.number(1), self.number(1));
                let target = format!("ints[{}]", self.index(12));
                format!(
                    "{pad}{{ int *r = 0; switch (({on}) & 1) {{ int j; case 0: r = &j; case 2: if (!r) default: \
                     r = &{target}; *r = {value}; u ^= *r; }} }}\n"
                )
            }
            18 | 19 => {
                let condition = self.number(1);
                let (then, otherwise) = (self.statement(depth + 1), self.statement(depth + 1));
                format!("{pad}if ({condition}) {{\n{then}{pad}}} else {{\n{otherwise}{pad}}}\n")
            }
            20 => {
                let (a, b, c) = (self.statement(depth + 1), self.statement(depth + 1), self.statement(depth + 1));
                let on = self.number(1);
                format!(
                    "{pad}switch (({on}) & 3) {{\n{pad}case 0:\n{a}{pad}case 1:\n{b}{pad}  break;\n{pad}default:\n{c}{pad}}}\n"
                )
            }
            _ => {
                let l = self.loops;
                self.loops += 1;
                let body: String = (0..1 + self.random.below(3)).map(|_| self.statement(depth + 1)).collect();
                self.loops -= 1;
                let leave = match self.random.below(4) {
                    0 => format!("{pad}  if ({}) break;\n", self.number(1)),
                    1 => format!("{pad}  if ({}) continue;\n", self.number(1)),
                    _ => String::new(),
                };
                let rest = match self.random.below(4) {
                    0 => format!(" && ({})", self.number(1)),
                    _ => String::new(),
                };
                format!("{pad}for (int l{l} = 0; l{l} < 3{rest}; l{l}++) {{\n{leave}{body}{pad}}}\n")
            }
        }
    }

    fn address(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => format!("&ints[{}]", self.index(12)),
            2 => format!("&recs[{}].in.v[{}]", self.index(4), self.index(3)),
            3 => format!("table[{}]", self.index(4)),
            4 => format!("&q[{}]", self.index(8)),
            5 => "&x".into(),
            6 => "ints + (p - p)".into(),
            _ => format!("(int *)(bytes + {})", self.index(28)),
        }
    }

    fn record(&mut self) -> String {
        match self.random.below(3) {
            0 => "own".into(),
            1 => format!("*(&recs[{}])", self.index(4)),
            _ => format!("recs[{}]", self.index(4)),
        }
    }
}
