//! Random programs that perhaps read what nothing has written: variables, elements, members and
//! heap blocks that begin without a value, and get one on some ways, in loops, by functions, by
//! copies of structs and of bytes.
//!
//! Nothing else is undefined in them. Every second one calls nothing of the library but `malloc`:
//! CBMC can follow all runs of most of these.

use super::Random;
use std::fmt::Write as _;

const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long); extern void *realloc(void *, unsigned long);
extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);
struct part { char c; short s; };
struct whole { int m, n; struct part in; unsigned low : 3, high : 5; int t[3]; float f; };
static unsigned sink; static int zero, *g = &zero; static struct whole all;
static void set(int *p, int v) { *p = v; }
static void maybe(int *p, int v) { if (v & 1) *p = v; }
static int first(const int *p, int n) { int r = 0; for (int i = 0; i < n; i++) r ^= p[i]; return r; }
static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
static void begin(struct whole *w, int v) { w->m = v; if (v & 2) w->n = v; w->t[v & 1] = 3; }
static struct whole made(int v) { struct whole w; w.m = v; w.in.c = 1; if (v & 1) w.t[2] = 4; return w; }
static int one(struct whole w) { return w.m ^ w.t[2]; }
static int deep(int n, int *to) {
  int x, r;
  if (n <= 0) { if (n & 1) *to = 5; return n; }
  r = deep(n - 1, &x);
  if (r & 2) x = 3;
  if (n & 4) *to = x; else *to = 1;
  return n;
}
";

/// The program with this number.
pub(super) fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), names: 0, is_plain: seed % 2 == 1 };
    let mut text = PRELUDE.to_owned();
    for n in 0..maker.random.below(3) {
        let _ = writeln!(text, "static int f{n}(int *p, int *q, struct whole *w, int y) {{");
        text += DECLARATIONS;
        text += &maker.statements(n);
        let _ = writeln!(text, "  return {};\n}}", maker.number());
    }
    let functions = text.matches("static int f").count() - text.matches("static int first").count();
    text += "int main(void) {\n  int y = __VERIFIER_nondet_int(), one_more, *p = &one_more, *q = &zero;\n";
    text += "  struct whole lacking, *w = &lacking;\n";
    text += DECLARATIONS;
    for _ in 0..2 {
        text += &maker.statements(functions);
    }
    text + "  return 0;\n}\n"
}

const DECLARATIONS: &str =
    "  int u, v, a[4]; struct whole s, t; int *h = malloc(3 * sizeof(int)); float k; char bytes[4];\n";

struct Maker {
    random: Random,
    /// How many names were given to labels and counters.
    names: usize,
    /// Whether functions of the library are left out.
    is_plain: bool,
}

impl Maker {
    fn name(&mut self) -> usize {
        self.names += 1;
        self.names - 1
    }

    fn statements(&mut self, functions: usize) -> String {
        (0..3 + self.random.below(7)).map(|_| self.statement(2, functions)).collect()
    }

    /// A number that every run has written.
    fn number(&mut self) -> &'static str {
        self.random.word(&["0", "1", "2", "3", "y", "(y & 3)", "(y & 1)", "7"])
    }

    /// A place of type `int`, perhaps without a value.
    fn place(&mut self) -> &'static str {
        self.random.word(&[
            "u",
            "v",
            "u",
            "a[0]",
            "a[1]",
            "a[3]",
            "a[y & 3]",
            "s.m",
            "s.n",
            "s.t[0]",
            "s.t[2]",
            "t.m",
            "t.n",
            "t.t[y & 1]",
            "h[0]",
            "h[1]",
            "h[y & 1]",
            "*p",
            "*q",
            "*g",
            "w->m",
            "w->n",
            "w->t[1]",
            "all.m",
            "all.t[2]",
        ])
    }

    /// The same, or of another type.
    fn read(&mut self) -> &'static str {
        match self.random.below(6) {
            0 => self.random.word(&[
                "s.in.c",
                "t.in.s",
                "w->in.c",
                "s.low",
                "t.high",
                "bytes[1]",
                "bytes[y & 3]",
                "all.in.s",
            ]),
            _ => self.place(),
        }
    }

    fn address(&mut self) -> &'static str {
        self.random.word(&["&u", "&v", "&a[1]", "a", "&s.n", "&t.m", "h", "&h[1]", "&zero", "q", "p", "&w->n", "s.t"])
    }

    fn whole(&mut self) -> &'static str {
        self.random.word(&["s", "t", "*w", "s", "t", "all"])
    }

    fn simple(&mut self, functions: usize) -> String {
        let (place, n) = (self.place(), self.number());
        match self.random.below(24) {
            0..=3 => format!("{place} = {n};"),
            4..=7 => format!("sink ^= {};", self.read()),
            8 => format!("{place} = {};", self.place()),
            9 => format!("p = {};", self.address()),
            10 => self.random.word(&["q = p;", "p = q;", "w = &all;", "w = &s;", "w = &t;"]).to_owned(),
            11 => format!("{}({}, {n});", self.random.word(&["set", "maybe"]), self.address()),
            12 => format!("{} = {};", self.whole(), self.whole()),
            13 => format!("{} = made({n});", self.whole()),
            14 => format!("begin({}, {n});", self.random.word(&["&s", "&t", "w"])),
            15 => format!("sink ^= one({});", self.whole()),
            16 => format!(
                "fill({}, {});",
                self.random.word(&["a", "h", "s.t"]),
                self.random.word(&["1", "2", "3", "(y & 3)"])
            ),
            17 => {
                format!(
                    "sink ^= first({}, {});",
                    self.random.word(&["a", "h", "t.t"]),
                    self.random.word(&["1", "2", "3", "(y & 3)"])
                )
            }
            18 | 19 | 22 if self.is_plain => match self.random.below(3) {
                0 => format!("if ({n}) {} = {};", self.whole(), self.whole()),
                1 => format!("*w = {n} ? s : {};", self.whole()),
                _ => "h = malloc(3 * sizeof(int));".to_owned(),
            },
            18 => format!(
                "memcpy(&{}, &{}, sizeof(struct whole));",
                self.random.word(&["s", "t"]),
                self.random.word(&["all", "lacks", "t"]).replace("lacks", "(*w)")
            ),
            19 => {
                let object = self.random.word(&["a", "s", "t", "bytes"]);
                format!("memset(&{object}, 0, sizeof {object});")
            }
            20 => format!("sink ^= deep({n} & 7, {});", self.address()),
            21 => match self.random.below(4) {
                0 => format!("{}.low = {n} & 7;", self.random.word(&["s", "t"])),
                1 => format!("{}.in.s = 1; {}.f = 1.0f;", self.random.word(&["s", "t"]), self.random.word(&["s", "t"])),
                2 => "k = s.f; s.f = t.f;".to_owned(),
                _ => format!("bytes[{}] = 2;", self.random.word(&["0", "1", "y & 3"])),
            },
            22 => match self.random.below(3) {
                0 => "h = calloc(3, sizeof(int));".to_owned(),
                1 => "h = realloc(h, 3 * sizeof(int));".to_owned(),
                _ => "h = malloc(3 * sizeof(int));".to_owned(),
            },
            _ if functions > 0 => {
                let f = self.random.below(functions);
                format!(
                    "sink ^= f{f}({}, {}, {}, {n});",
                    self.address(),
                    self.address(),
                    self.random.word(&["&s", "&t", "w"])
                )
            }
            _ => format!("{place} = 1;"),
        }
    }

    fn statement(&mut self, depth: usize, functions: usize) -> String {
        let inside = |maker: &mut Maker| maker.statement(depth - 1, functions) + &maker.statement(depth - 1, functions);
        let text = match self.random.below(if depth == 0 { 8 } else { 16 }) {
            0..=7 => self.simple(functions),
            8..=10 => {
                let otherwise =
                    if self.random.one_in(2) { format!(" else {{\n{}  }}", inside(self)) } else { String::new() };
                let (n, op) = (self.number(), self.random.word(&["<", "==", ">"]));
                format!("if ({n} {op} 1) {{\n{}  }}{otherwise}", inside(self))
            }
            11 => format!("if ({} == 3) {{\n{}  }}", self.read(), inside(self)),
            12 | 13 => {
                let n = self.name();
                let bound = self.random.word(&["1", "2", "4", "(y & 3)", "(y & 7)"]);
                let element = if self.random.one_in(2) { format!("    a[l{n} & 3] = l{n};\n") } else { String::new() };
                format!("for (int l{n} = 0; l{n} < {bound}; l{n}++) {{\n{element}{}  }}", inside(self))
            }
            14 => {
                let n = self.name();
                let condition = self.number();
                format!(
                    "{{ if ({condition} > 1) goto past{n};\n  int z{n}; z{n} = 3; p = &z{n};\n{}  past{n}: sink ^= z{n}; p = &u; q = &v; g = &zero; }}",
                    inside(self)
                )
            }
            _ => {
                let n = self.name();
                format!(
                    "{{ int b{n}[2]; p = b{n};\n{}  sink ^= b{n}[y & 1]; p = &u; q = &v; g = &zero; }}",
                    inside(self)
                )
            }
        };
        format!("  {text}\n")
    }
}
