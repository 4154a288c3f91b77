//! Random programs whose objects end: heap blocks that are freed, moved or made by `alloca`,
//! variables of blocks and of calls. Pointers to them lie in variables, in blocks and in lists, and
//! some are used later.
//!
//! Nothing else is undefined in them.

use super::Random;
use std::fmt::Write as _;

const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void free(void *);
extern void *realloc(void *, unsigned long); extern void *calloc(unsigned long, unsigned long);
extern void *__builtin_alloca(unsigned long); extern void *memcpy(void *, const void *, unsigned long);
struct node { int v; struct node *next; int *p; };
static int zero; static int *g = &zero, *h = &zero; static struct node first, *list = &first;
static int *fresh(int v) { int *r = malloc(2 * sizeof *r); r[0] = v; r[1] = v; return r; }
static struct node *cons(int v, struct node *next) {
  struct node *n = malloc(sizeof *n);
  n->v = v; n->next = next; n->p = &zero;
  return n;
}
static void drop(int *r) { free(r); }
static int *grow(int *r) { int *s = realloc(r, 3 * sizeof *r); s[0] = 1; return s; }
static int *own(int v) { int x[2] = {v, v}; g = x; *g = 4; return v & 1 ? x : h; }
static void save(int **to, int v) { int x = v; *to = &x; **to = 3; if (v & 2) *to = &zero; }
static void local(int v) { int *r = __builtin_alloca(2 * sizeof(int)); r[0] = v; if (v & 1) h = r; }
static int deep(int n, int *from) {
  int x = n;
  if (n == 3) g = &x;
  if (n <= 0) return *from;
  return deep(n - 1, n & 1 ? &x : from);
}
";

/// The program with this number.
pub(super) fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), blocks: 0 };
    let mut text = PRELUDE.to_owned();
    for n in 0..maker.random.below(3) {
        let _ = writeln!(
            text,
            "static int f{n}(int *p, int *q, struct node *a, int y) {{\n  int x = y; struct node *b = a;"
        );
        text += &maker.statements(n);
        let _ = writeln!(text, "  return {};\n}}", maker.number());
    }
    let functions = text.matches("static int f").count();
    text += "int main(void) {\n  int x = 3, y = __VERIFIER_nondet_int(), *p = &x, *q = fresh(1);\n";
    text += "  struct node *a = cons(1, list), *b = &first;\n  first.p = &zero;\n";
    for _ in 0..2 {
        text += &maker.statements(functions);
    }
    text + "  return 0;\n}\n"
}

struct Maker {
    random: Random,
    /// How many blocks were made.
    blocks: usize,
}

impl Maker {
    fn statements(&mut self, functions: usize) -> String {
        (0..2 + self.random.below(6)).map(|_| self.statement(2, functions)).collect()
    }

    fn number(&mut self) -> &'static str {
        self.random.word(&["1", "2", "7", "x", "y", "(y & 3)", "(x & 1)"])
    }

    /// A place that holds a pointer to `int`.
    fn pointer(&mut self) -> &'static str {
        self.random.word(&["p", "q", "p", "q", "g", "h", "a->p", "list->p", "first.p"])
    }

    /// A place that holds a pointer to a node.
    fn link(&mut self) -> &'static str {
        self.random.word(&["a", "b", "a", "b", "list", "first.next", "a->next"])
    }

    /// Statements for which a pointer to `int` is used.
    fn use_of(&mut self, functions: usize) -> String {
        let (p, q, n) = (self.pointer(), self.pointer(), self.number());
        match self.random.below(16) {
            0..=2 => format!("if ({p}) *{p} = {n};"),
            3 | 4 => format!("if ({p}) x = *{p} & 15;"),
            5 | 6 => format!("{p} = {q};"),
            7 => format!("{p} = fresh({n});"),
            8 => format!("{p} = 0;"),
            9 => format!("free({p});"),
            10 => format!("drop({p}); {p} = {};", self.random.word(&["0", "&zero", "h"])),
            11 => format!("{p} = grow({p});"),
            12 => format!("{p} = own({n});"),
            13 => format!("save(&{p}, {n});"),
            14 if functions > 0 => {
                format!(
                    "x = f{}({p}, {q}, {}, {n}) & 7;",
                    self.random.below(functions),
                    self.random.word(&["a", "b", "list"])
                )
            }
            _ => format!("memcpy(&{p}, &{q}, sizeof {q});"),
        }
    }

    fn use_of_node(&mut self) -> String {
        let (a, b, n) = (self.link(), self.link(), self.number());
        match self.random.below(8) {
            0 | 1 => format!("if ({a}) {a}->v = {n};"),
            2 => format!("{a} = {b};"),
            3 | 4 => format!("{a} = cons({n}, {b});"),
            5 => format!("free({a}); {a} = {};", self.random.word(&["0", "&first", "list"])),
            6 => format!("if ({a}) {b} = {a}->next;"),
            _ => format!("if ({a} && {b}) *{a} = *{b};"),
        }
    }

    fn statement(&mut self, depth: usize, functions: usize) -> String {
        let inside = |maker: &mut Maker| maker.statement(depth - 1, functions) + &maker.statement(depth - 1, functions);
        let text = match self.random.below(if depth == 0 { 8 } else { 16 }) {
            0..=4 => self.use_of(functions),
            5 | 6 => self.use_of_node(),
            7 => match self.random.below(3) {
                0 => format!("local({});", self.number()),
                1 => format!("x = deep({} & 7, {}) & 3;", self.number(), self.random.word(&["&x", "&zero"])),
                _ => "x = y & 3;".to_owned(),
            },
            8..=10 => {
                format!("if ({} {} 2) {{\n{}  }}", self.number(), self.random.word(&["<", "==", ">"]), inside(self))
            }
            11 | 12 => {
                let (n, times) = (self.blocks, 1 + self.random.below(4));
                self.blocks += 1;
                let bound = if self.random.one_in(3) { "(y & 7)".to_owned() } else { times.to_string() };
                format!("for (int l{n} = 0; l{n} < {bound}; l{n}++) {{\n{}  }}", inside(self))
            }
            13 | 14 => {
                let n = self.blocks;
                self.blocks += 1;
                let p = self.pointer();
                format!("{{ int z{n}[2] = {{{}, 1}};\n  {p} = z{n};\n{}  }}", self.number(), inside(self))
            }
            _ => {
                let n = self.blocks;
                self.blocks += 1;
                format!(
                    "switch (y & 3) {{\n  case 0:\n{}    break;\n  default:\n{}  }}\n  again{n}: ;",
                    inside(self),
                    inside(self)
                )
            }
        };
        format!("  {text}\n")
    }
}
