//! Random programs with everything that the front end accepts: declarations and functions.

mod expressions;
mod objects;
mod statements;

use super::Random;
use std::fmt::Write as _;

/// The features that programs may have.
#[derive(Clone, Debug)]
pub struct Config {
    /// The approximate number of statements.
    pub statements: u32,
    /// The nesting depth of expressions.
    pub depth: u32,
    /// One operation in this many may have undefined behaviour.
    pub risk: usize,
    /// Variable-length arrays and heap blocks.
    pub dynamic: bool,
    /// Pointers into arrays.
    pub pointers: bool,
    /// Structs and arrays of structs.
    pub structs: bool,
    /// Functions with scalar and array parameters.
    pub functions: bool,
    /// `goto`, `switch`.
    pub jumps: bool,
    /// Programs of another kind: over a table whose fields are indexes of the table.
    pub tables: bool,
    /// Programs of a third kind: with annotations about the cells of arrays.
    pub specifications: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            statements: 25,
            depth: 3,
            risk: 60,
            dynamic: true,
            pointers: true,
            structs: true,
            functions: true,
            jumps: true,
            tables: false,
            specifications: false,
        }
    }
}

/// The integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind(usize);

const KINDS: [(&str, &str); 12] = [
    ("_Bool", "bool"),
    ("char", "char"),
    ("signed char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned int", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
];

impl Kind {
    /// `int` occurs more often than the others.
    pub(super) const ALL: [Kind; 16] = [
        Kind(6),
        Kind(6),
        Kind(6),
        Kind(6),
        Kind(0),
        Kind(1),
        Kind(2),
        Kind(3),
        Kind(4),
        Kind(5),
        Kind(6),
        Kind(7),
        Kind(8),
        Kind(9),
        Kind(10),
        Kind(11),
    ];

    pub(super) fn name(self) -> &'static str {
        KINDS[self.0].0
    }

    /// The part of the name of its `__VERIFIER_nondet_` function.
    fn input(self) -> &'static str {
        KINDS[self.0].1
    }

    fn is_unsigned(self) -> bool {
        KINDS[self.0].0.starts_with("unsigned")
    }
}

/// A scalar that can be assigned: a variable or a member.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) name: String,
    kind: Kind,
}

/// An array (or a pointer to the first of this many elements).
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    kind: Kind,
    /// Each is a constant, or a positive variable that is not assigned.
    pub(super) lengths: Vec<String>,
    /// `.m` where the elements are structs.
    pub(super) member: &'static str,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) scalars: usize,
    /// The number of pairs of an array (of `int`) and its length, which follow the scalars.
    pub(super) arrays: usize,
    pub(super) result: bool,
}

/// The state of the generator of one program: what is in scope, and the text so far.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) config: Config,
    pub(super) scalars: Vec<Scalar>,
    pub(super) arrays: Vec<Array>,
    /// Variables that are read, never assigned (loop counters, lengths).
    pub(super) counters: Vec<String>,
    /// `(i, n)` where `0 <= i < n` is known.
    pub(super) bounds: Vec<(String, String)>,
    pub(super) functions: Vec<Callable>,
    text: String,
    indent: usize,
    /// All names in scope.
    names: Vec<String>,
    labels: u32,
    budget: i64,
    /// The number of iterations of the enclosing loops. If it is large, no more loops are nested.
    iterations: u64,
    loops: u32,
    /// The function being written: those with a smaller number can be called.
    returns: &'static str,
}

/// A C program made from a seed.
pub fn program(seed: u64, config: &Config) -> String {
    if config.specifications {
        return super::specs::program(seed, config.statements);
    }
    if config.tables {
        return super::tables::program(seed, config.statements);
    }
    let mut g = Generator {
        random: Random::new(seed),
        config: config.clone(),
        scalars: Vec::new(),
        arrays: Vec::new(),
        counters: Vec::new(),
        bounds: Vec::new(),
        functions: Vec::new(),
        text: String::new(),
        indent: 0,
        names: Vec::new(),
        labels: 0,
        budget: 0,
        iterations: 1,
        loops: 0,
        returns: "",
    };
    g.whole(seed);
    g.text
}

impl Generator {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A name that nothing in scope has. Names are reused after their scope.
    fn name(&mut self, stem: &str) -> String {
        let mut n = 1 + self.random.below(self.names.len() + 2);
        loop {
            let name = format!("{stem}{n}");
            if !self.names.contains(&name) {
                self.names.push(name.clone());
                return name;
            }
            n += 1;
        }
    }

    /// A label is known in the whole function.
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    /// Whether a function may be called here: not in loops that run often.
    pub(super) fn calls_allowed(&self, _function: usize) -> bool {
        self.iterations <= 8
    }

    fn whole(&mut self, seed: u64) {
        let _ = writeln!(self.text, "/* seed {seed} */");
        self.line("extern void abort(void);");
        self.line("extern void *malloc(unsigned long size);");
        self.line("extern void *memset(void *to, int byte, unsigned long size);");
        self.line("extern void *memcpy(void *to, const void *from, unsigned long size);");
        self.line("extern void __VERIFIER_assert(int condition);");
        self.line("extern void __VERIFIER_assume(int condition);");
        for (n, (ty, input)) in KINDS.iter().enumerate() {
            if n != 2 {
                self.line(&format!("extern {ty} __VERIFIER_nondet_{input}(void);"));
            }
        }
        self.line("enum colour { RED, GREEN = 5, BLUE };");
        self.line("struct pair { int a; unsigned char b; long c[3]; };");
        self.line("struct view { int *at; int count; };");
        self.line("struct point { int x, y; };");
        self.line("struct line { struct point from, to; int path[2]; int last; };");
        self.line("struct bits {");
        self.line("    unsigned int low : 3; int high : 5; unsigned int wide : 12; _Bool flag : 1;");
        self.line("    unsigned int : 2; int deep : 7; unsigned char last : 4; struct pair inner;");
        self.line("};");
        self.line("union either { int number; unsigned char byte; long many[2]; };");
        for _ in 0..self.random.below(4) {
            self.global();
        }
        if self.config.functions {
            self.helpers();
        }
        if self.config.functions {
            for _ in 0..self.random.below(3) {
                self.function();
            }
        }
        self.budget = i64::from(self.config.statements);
        self.returns = "return 0;";
        self.line("int main(void) {");
        self.indent += 1;
        for _ in 0..2 + self.random.below(3) {
            self.scalar();
        }
        while self.budget > 0 {
            self.statement();
        }
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn global(&mut self) {
        let kind = self.kind();
        if self.random.one_in(8) {
            return self.external(kind);
        }
        match self.random.below(4) {
            0 => {
                let name = self.name("g");
                let length = 1 + self.random.below(6);
                let start = if self.random.one_in(2) { " = {1, 2}" } else { "" };
                let start = if length < 2 { "" } else { start };
                self.line(&format!("{}{} {name}[{length}]{start};", self.storage(), kind.name()));
                self.arrays.push(Array { name, kind, lengths: vec![length.to_string()], member: "" });
            }
            1 if self.config.structs => {
                let name = self.name("gs");
                let start = if self.random.one_in(2) { " = {3, 4, {5}}" } else { "" };
                self.line(&format!("struct pair {name}{start};"));
                self.struct_members(&name);
            }
            _ => {
                let name = self.name("g");
                let value = self.random.below(100);
                self.line(&format!("{}{} {name} = {value};", self.storage(), kind.name()));
                self.scalars.push(Scalar { name, kind });
            }
        }
    }

    /// A variable that others define: it starts with any value.
    fn external(&mut self, kind: Kind) {
        let name = self.name("e");
        if self.random.one_in(3) {
            let length = 1 + self.random.below(4);
            self.line(&format!("extern {} {name}[{length}];", kind.name()));
            self.arrays.push(Array { name, kind, lengths: vec![length.to_string()], member: "" });
        } else {
            self.line(&format!("extern {} {name};", kind.name()));
            self.scalars.push(Scalar { name, kind });
        }
    }

    /// Functions that every program has. Their names say what they do.
    fn helpers(&mut self) {
        for line in [
            "static struct pair make_pair(int a, long c) { struct pair p = {a, 2, {c, c, 1}}; p.b += a & 1; return p; }",
            "static long sum_of_pair(struct pair p) { p.a &= 15; return p.a + p.b + (p.c[1] & 255); }",
            "static void fill_pair(struct pair *p, int a) { p->a = a; for (int i = 0; i < 3; i++) p->c[i] = a; }",
            "static void set(int *to, int value) { *to = value; }",
            "static int factorial(int n) { if (n <= 1) return 1; int rest = factorial(n - 1); return n * rest; }",
            "static int count(void) { static int calls; static int kept[2] = {5}; kept[1] += 1; return calls++ + kept[0] + kept[1]; }",
            "static int twice(int x) { return (x & 4095) * 2; }",
            "static int thrice(int x) { return (x & 4095) * 3; }",
            "static long total(int n, int m, int table[n][m]) {",
            "    long sum = 0;",
            "    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) sum += table[i][j] & 1023;",
            "    return sum;",
            "}",
        ] {
            self.line(line);
        }
    }

    fn storage(&self) -> &'static str {
        if self.names.len().is_multiple_of(3) { "static " } else { "" }
    }

    fn struct_members(&mut self, name: &str) {
        self.scalars.push(Scalar { name: format!("{name}.a"), kind: Kind(6) });
        self.scalars.push(Scalar { name: format!("{name}.b"), kind: Kind(3) });
        self.arrays.push(Array { name: format!("{name}.c"), kind: Kind(8), lengths: vec!["3".into()], member: "" });
    }

    fn function(&mut self) {
        let name = self.name("f");
        let (scalars, result) = (self.random.below(3), self.random.one_in(2));
        let arrays = if result && self.random.one_in(2) { 0 } else { self.random.below(2) };
        let scope = self.enter();
        let mut parameters = Vec::new();
        for _ in 0..scalars {
            let (kind, name) = (self.kind(), self.name("p"));
            parameters.push(format!("{} {name}", kind.name()));
            self.scalars.push(Scalar { name, kind });
        }
        for _ in 0..arrays {
            let (name, length) = (self.name("q"), self.name("n"));
            parameters.push(format!("int {length}"));
            parameters.push(
                self.random
                    .pick(&[format!("int *{name}"), format!("int {name}[]"), format!("int {name}[{length}]")])
                    .clone(),
            );
            self.arrays.push(Array { name, kind: Kind(6), lengths: vec![length.clone()], member: "" });
            self.counters.push(length);
        }
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        self.line(&format!("{} {name}({list}) {{", if result { "int" } else { "void" }));
        self.indent += 1;
        self.budget = i64::from(self.config.statements / 4) + 1;
        self.returns = if result { "return 7;" } else { "return;" };
        while self.budget > 0 {
            self.statement();
        }
        if result {
            let value = self.expr(self.config.depth);
            self.line(&format!("return (int)(short){value};"));
        }
        self.indent -= 1;
        self.line("}");
        self.leave(scope);
        self.functions.push(Callable { name, scalars, arrays, result });
    }

    fn enter(&self) -> [usize; 5] {
        [self.scalars.len(), self.arrays.len(), self.counters.len(), self.bounds.len(), self.names.len()]
    }

    fn leave(&mut self, [scalars, arrays, counters, bounds, names]: [usize; 5]) {
        self.scalars.truncate(scalars);
        self.arrays.truncate(arrays);
        self.counters.truncate(counters);
        self.bounds.truncate(bounds);
        self.names.truncate(names);
    }

    /// Some statements with a scope of their own; the braces are the caller's.
    fn body(&mut self) {
        let scope = self.enter();
        self.indent += 1;
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
        self.indent -= 1;
        self.leave(scope);
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, program};
    use std::process::Command;

    #[test]
    fn a_seed_always_gives_the_same_program() {
        let config = Config::default();
        assert_eq!(program(7, &config), program(7, &config));
        assert_ne!(program(7, &config), program(8, &config));
    }

    #[test]
    fn programs_are_c() {
        let folder = tempfile::tempdir().unwrap();
        let mut gcc = Command::new("gcc");
        gcc.args(["-fsyntax-only", "-w", "-fno-builtin"]);
        let count = std::env::var("SMALTI_FUZZ_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
        for seed in 0..count {
            let path = folder.path().join(format!("{seed}.c"));
            let config = Config { tables: seed % 4 == 3, ..Config::default() };
            std::fs::write(&path, program(seed, &config)).unwrap();
            gcc.arg(path);
        }
        let output = gcc.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
