//! Random programs: declarations and statements.

use super::Random;
use std::fmt::Write as _;

/// What programs may be made of.
#[derive(Clone, Debug)]
pub struct Config {
    /// About how many statements.
    pub statements: u32,
    /// How deep expressions are nested.
    pub depth: u32,
    /// One operation in so many may have undefined behaviour.
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
    /// Programs of another kind: over a table whose fields are indexes of it.
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
    /// `int` more often than the others.
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

/// An array (or a pointer to the first of so many elements).
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    kind: Kind,
    /// Each a constant, or a variable that is positive and not assigned.
    pub(super) lengths: Vec<String>,
    /// `.m` where the elements are structs.
    pub(super) member: &'static str,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) scalars: usize,
    /// How many pairs of an array (of `int`) and its length come after the scalars.
    pub(super) arrays: usize,
    pub(super) result: bool,
}

/// The state of the making of one program: what is in scope, and the text so far.
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
    /// Iterations of the loops around: no more loops where there are many.
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

    /// A name that nothing in scope has; names come again once their scope is over.
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
        self.line("extern void __VERIFIER_assert(int condition);");
        self.line("extern void __VERIFIER_assume(int condition);");
        for (n, (ty, input)) in KINDS.iter().enumerate() {
            if n != 2 {
                self.line(&format!("extern {ty} __VERIFIER_nondet_{input}(void);"));
            }
        }
        self.line("enum colour { RED, GREEN = 5, BLUE };");
        self.line("struct pair { int a; unsigned char b; long c[3]; };");
        self.line("struct bits { unsigned int low : 3; int high : 5; struct pair inner; };");
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

    /// Functions that every program has: what they do is in their names.
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

    fn statement(&mut self) {
        self.budget -= 1;
        let depth = self.config.depth;
        let nested = self.budget > 0 && self.indent < 6;
        match self.random.below(34) {
            28 => self.side_effect(),
            29 if self.config.pointers => self.address(),
            30 if self.config.structs => self.union(),
            31 if self.config.structs && self.config.functions => self.struct_call(),
            32 => self.text_array(),
            33 if nested && self.config.jumps => self.jump_in(),
            0 | 1 => self.scalar(),
            2 => self.array(),
            3..=6 => self.assign(),
            7..=10 if !self.arrays.is_empty() => {
                let array = self.random.pick(&self.arrays).clone();
                let (cell, value) = (self.cell(&array, 1), self.expr(depth));
                let op = if array.kind.is_unsigned() && self.random.one_in(4) { "^=" } else { "=" };
                self.line(&format!("{cell} {op} {value};"));
            }
            11..=13 if nested => {
                let condition = self.condition(depth);
                self.line(&format!("if ({condition}) {{"));
                self.body();
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.body();
                }
                self.line("}");
            }
            14..=17 if nested => self.repeat(),
            18 if nested && self.config.jumps => self.switch(),
            19 if nested && self.config.jumps => self.jump(),
            20 if self.loops > 0 => {
                let condition = self.condition(depth);
                let way = if self.random.one_in(2) { "break" } else { "continue" };
                self.line(&format!("if ({condition}) {way};"));
            }
            21 if self.random.one_in(3) => {
                let condition = self.condition(depth);
                let way = if self.random.one_in(2) { "abort();" } else { self.returns };
                self.line(&format!("if ({condition}) {way}"));
            }
            22 if self.config.functions && !self.functions.is_empty() => self.call(),
            23 if self.config.pointers => self.pointer(),
            24 if self.config.structs => self.structure(),
            25 if self.random.one_in(3) => {
                let condition = self.condition(depth);
                self.line(&format!("__VERIFIER_assume({condition});"));
            }
            26 | 27 => {
                let condition = self.condition(depth);
                self.line(&format!("__VERIFIER_assert({condition});"));
            }
            _ => self.assign(),
        }
    }

    fn value(&mut self, kind: Kind) -> String {
        if self.random.one_in(4) {
            format!("__VERIFIER_nondet_{}()", kind.input())
        } else {
            self.expr(self.config.depth)
        }
    }

    fn scalar(&mut self) {
        let (kind, name) = (self.kind(), self.name("x"));
        let value = self.value(kind);
        self.line(&format!("{} {name} = {value};", kind.name()));
        self.scalars.push(Scalar { name, kind });
    }

    fn assign(&mut self) {
        let Some(to) = self.assignable() else { return self.scalar() };
        let name = to.name;
        match self.random.below(8) {
            0 if to.kind.is_unsigned() => {
                let op = *self.random.pick(&["++", "--"]);
                self.line(&format!("{name}{op};"));
            }
            1 if to.kind.is_unsigned() => {
                let (op, value) = (*self.random.pick(&["+=", "-=", "|=", "&=", "^="]), self.small(1));
                self.line(&format!("{name} {op} {value};"));
            }
            2 => {
                let Some(from) = self.assignable() else { return };
                if from.kind.is_unsigned() && from.name != name {
                    let op = *self.random.pick(&["++", "--"]);
                    self.line(&format!("{name} = {}{op};", from.name));
                } else {
                    self.line(&format!("{name} = {};", from.name));
                }
            }
            _ => {
                let value = self.value(to.kind);
                self.line(&format!("{name} = {value};"));
            }
        }
    }

    fn array(&mut self) {
        let (kind, name) = (self.kind(), self.name("a"));
        let ty = kind.name();
        let choice = self.random.below(if self.config.dynamic { 7 } else { 4 });
        let mut lengths = vec![(1 + self.random.below(7)).to_string()];
        match choice {
            0 => self.line(&format!("{ty} {name}[{}] = {{0}};", lengths[0])),
            1 => {
                lengths.push((1 + self.random.below(4)).to_string());
                self.line(&format!("{ty} {name}[{}][{}] = {{{{1}}}};", lengths[0], lengths[1]));
            }
            2 | 3 => {
                self.line(&format!("{ty} {name}[{}];", lengths[0]));
                self.fill(&name, &lengths);
            }
            _ => {
                let n = self.name("n");
                let value = self.value(Kind(6));
                if self.random.one_in(self.config.risk / 4 + 1) {
                    self.line(&format!("int {n} = {value} % 8;"));
                } else {
                    self.line(&format!("int {n} = ((int)(unsigned char){value} & 7) + 1;"));
                }
                self.counters.push(n.clone());
                lengths = vec![n.clone()];
                if choice == 6 {
                    let size = if self.random.one_in(2) { format!("sizeof({ty})") } else { format!("sizeof(*{name})") };
                    let cast = if self.random.one_in(2) { format!("({ty} *)") } else { String::new() };
                    self.line(&format!("{ty} *{name} = {cast}malloc({n} * {size});"));
                } else if choice == 5 {
                    lengths.push((1 + self.random.below(3)).to_string());
                    if self.random.one_in(2) {
                        lengths.reverse();
                    }
                    self.line(&format!("{ty} {name}[{}][{}];", lengths[0], lengths[1]));
                } else {
                    self.line(&format!("{ty} {name}[{n}];"));
                }
                self.fill(&name, &lengths);
            }
        }
        self.arrays.push(Array { name, kind, lengths, member: "" });
    }

    /// Loops that initialise an array.
    fn fill(&mut self, name: &str, lengths: &[String]) {
        let mut cell = name.to_owned();
        let counters: Vec<String> = lengths.iter().map(|_| self.name("i")).collect();
        for (i, n) in counters.iter().zip(lengths) {
            self.line(&format!("for (int {i} = 0; {i} < {n}; {i}++)"));
            self.indent += 1;
            cell.push_str(&format!("[{i}]"));
        }
        let value = match self.random.below(3) {
            0 => self.constant(),
            1 => counters[0].clone(),
            _ => self.expr(1),
        };
        self.line(&format!("{cell} = {value};"));
        self.indent -= lengths.len();
    }

    fn repeat(&mut self) {
        if self.iterations > 60 {
            return self.assign();
        }
        let i = self.name("i");
        let (count, bound) = match self.arrays.is_empty() {
            false if self.random.one_in(2) => (8, self.random.pick(&self.arrays).lengths[0].clone()),
            _ => {
                let n = 1 + self.random.below(7);
                (n as u64, n.to_string())
            }
        };
        let scope = self.enter();
        let (iterations, loops) = (self.iterations, self.loops);
        self.iterations *= count;
        self.loops += 1;
        self.counters.push(i.clone());
        match self.random.below(6) {
            0 => {
                let kind = *self.random.pick(&["unsigned int", "long", "int", "short"]);
                self.line(&format!("{kind} {i} = ({kind}){bound};"));
                self.line(&format!("while ({i}-- > 0) {{"));
                self.bounds.push((i, bound));
                self.body();
                self.line("}");
            }
            1 => {
                let condition = self.condition(self.config.depth);
                self.line(&format!("int {i} = 0;"));
                self.line("do {");
                self.line(&format!("    {i}++;"));
                self.body();
                self.line(&format!("}} while ({i} < {bound} && {condition});"));
            }
            2 => {
                let condition = self.condition(self.config.depth);
                self.line(&format!("int {i} = 0;"));
                self.line(&format!("while ({condition}) {{"));
                self.line(&format!("    if ({i}++ >= {bound}) break;"));
                self.body();
                self.line("}");
            }
            3 => {
                self.line(&format!("for (int {i} = {bound} - 1; {i} >= 0; {i}--) {{"));
                self.bounds.push((i, bound));
                self.body();
                self.line("}");
            }
            _ => {
                let step = if self.random.one_in(4) { " += 2" } else { "++" };
                let kind = *self.random.pick(&["int", "int", "long", "unsigned char"]);
                self.line(&format!("for ({kind} {i} = 0; {i} < {bound}; {i}{step}) {{"));
                self.bounds.push((i, bound));
                self.body();
                self.line("}");
            }
        }
        (self.iterations, self.loops) = (iterations, loops);
        self.leave(scope);
    }

    fn switch(&mut self) {
        let value = self.expr(self.config.depth);
        let loops = std::mem::take(&mut self.loops);
        self.line(&format!("switch ({value} & 3) {{"));
        for case in ["case 0:", "case 2:", "default:"] {
            self.line(case);
            self.line("{");
            self.body();
            self.line("}");
            if !self.random.one_in(3) {
                self.line("break;");
            }
        }
        self.line("}");
        self.loops = loops;
    }

    /// A jump forwards, out of what is around the statement; or a loop of a label and a `goto`.
    fn jump(&mut self) {
        let label = self.label();
        let condition = self.condition(self.config.depth);
        if self.random.one_in(2) {
            let i = self.name("i");
            self.line(&format!("int {i} = 0;"));
            self.line(&format!("{label}:"));
            self.line("{");
            let (iterations, loops) = (self.iterations, std::mem::take(&mut self.loops));
            self.iterations *= 4;
            self.body();
            (self.iterations, self.loops) = (iterations, loops);
            self.line("}");
            self.line(&format!("if ({i}++ < 3 && {condition}) goto {label};"));
        } else {
            self.line("{");
            let scope = self.enter();
            self.indent += 1;
            self.statement();
            self.line("{");
            self.line(&format!("    if ({condition}) goto {label};"));
            self.body();
            self.line("}");
            self.indent -= 1;
            self.leave(scope);
            self.line("}");
            self.line(&format!("{label}: ;"));
        }
    }

    fn call(&mut self) {
        if !self.calls_allowed(0) {
            return self.assign();
        }
        let f = self.random.pick(&self.functions).clone();
        let mut arguments: Vec<String> = (0..f.scalars).map(|_| self.expr(2)).collect();
        for _ in 0..f.arrays {
            let fitting: Vec<Array> = self
                .arrays
                .iter()
                .filter(|a| a.kind == Kind(6) && a.lengths.len() == 1 && a.member.is_empty())
                .cloned()
                .collect();
            if fitting.is_empty() {
                return self.array();
            }
            let array = self.random.pick(&fitting).clone();
            arguments.push(array.lengths[0].clone());
            arguments.push(array.name);
        }
        let call = format!("{}({})", f.name, arguments.join(", "));
        match self.assignable() {
            Some(to) if f.result => self.line(&format!("{} = {call};", to.name)),
            _ => self.line(&format!("{call};")),
        }
    }

    fn pointer(&mut self) {
        let fitting: Vec<Array> =
            self.arrays.iter().filter(|a| a.lengths.len() == 1 && a.member.is_empty()).cloned().collect();
        if fitting.is_empty() {
            return self.array();
        }
        let array = self.random.pick(&fitting).clone();
        let (ty, name, length) = (array.kind.name(), array.name, array.lengths[0].clone());
        let p = self.name("p");
        let value = self.expr(2);
        match self.random.below(4) {
            0 => {
                self.line(&format!("for ({ty} *{p} = {name}; {p} < {name} + {length}; {p}++)"));
                self.line(&format!("    *{p} = {value};"));
            }
            1 => {
                let k = self.index(&length, 1);
                self.line(&format!("{ty} *{p} = &{name}[{k}];"));
                self.line(&format!("*{p} = {value};"));
                self.arrays.push(Array { name: p, kind: array.kind, lengths: vec!["1".into()], member: "" });
            }
            2 => {
                self.line(&format!("{ty} *{p} = {name} + {length};"));
                let x = self.name("x");
                self.line(&format!("long {x} = 0;"));
                self.line(&format!("while ({p} != {name}) {{"));
                self.line(&format!("    {p}--;"));
                self.line(&format!("    {x} = ({x} ^ *{p}) + ({p} - {name});"));
                self.line("}");
                self.scalars.push(Scalar { name: x, kind: Kind(8) });
            }
            _ => {
                self.line(&format!("{ty} *{p} = {name};"));
                self.arrays.push(Array { name: p, kind: array.kind, lengths: vec![length], member: "" });
            }
        }
    }

    /// Expressions with side effects in the middle of others.
    fn side_effect(&mut self) {
        let i = self.name("i");
        match self.random.below(7) {
            0 | 1 => {
                let plain: Vec<Array> = self.arrays.iter().filter(|a| a.lengths.len() == 1).cloned().collect();
                if plain.is_empty() {
                    return self.assign();
                }
                let array = self.random.pick(&plain).clone();
                let (length, name, member) = (array.lengths[0].clone(), array.name, array.member);
                let value = self.expr(2);
                self.line(&format!("int {i} = 0;"));
                if self.random.one_in(2) {
                    self.line(&format!("while ({i} < {length}) {name}[{i}++]{member} = {value};"));
                } else {
                    self.line(&format!("do {name}[{i}]{member} = {value}; while (++{i} < {length});"));
                }
            }
            2 => {
                let (Some(a), Some(b)) = (self.assignable(), self.assignable()) else { return };
                let value = self.expr(2);
                self.line(&format!("{} = {} = {value};", a.name, b.name));
            }
            3 => {
                let (condition, value) = (self.condition(2), self.expr(2));
                self.line(&format!("unsigned int {i} = 0;"));
                self.line(&format!("if ({i}++ == 0 && {condition} && ++{i} > 0) {i} += {value};"));
                self.scalars.push(Scalar { name: i, kind: Kind(7) });
            }
            4 => {
                let (condition, value) = (self.condition(2), self.expr(2));
                self.line(&format!("unsigned long {i} = 7;"));
                self.line(&format!("{i} = {condition} ? {i}++ + 3 : ({i} -= 2, {i} * {value});"));
                self.scalars.push(Scalar { name: i, kind: Kind(9) });
            }
            5 if self.config.functions => {
                let (condition, value) = (self.condition(2), self.expr(1));
                self.line(&format!("int (*{i})(int) = {condition} ? twice : thrice;"));
                let x = self.name("x");
                self.line(&format!("int {x} = {i}({value}) + count();"));
                self.scalars.push(Scalar { name: x, kind: Kind(6) });
            }
            _ if self.config.functions => {
                let value = self.expr(1);
                self.line(&format!("int {i} = factorial({value} & 7) + count();"));
                self.scalars.push(Scalar { name: i, kind: Kind(6) });
            }
            _ => self.assign(),
        }
    }

    /// Addresses of scalars, pointers to pointers, functions that write through pointers.
    fn address(&mut self) {
        let (x, p) = (self.name("x"), self.name("p"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("int {x} = {a};"));
        match self.random.below(4) {
            0 if self.config.functions => self.line(&format!("set(&{x}, {b});")),
            1 => {
                let q = self.name("p");
                self.line(&format!("int *{p} = &{x};"));
                self.line(&format!("int **{q} = &{p};"));
                self.line(&format!("**{q} = {b};"));
                self.line(&format!("__VERIFIER_assert(*{p} == {x} && *{q} == {p});"));
            }
            2 => {
                let ints: Vec<String> = self
                    .arrays
                    .iter()
                    .filter(|a| a.kind == Kind(6) && a.lengths.len() == 1 && a.member.is_empty())
                    .map(|a| a.name.clone())
                    .collect();
                let condition = self.condition(2);
                let other = if ints.is_empty() { format!("&{x}") } else { self.random.pick(&ints).clone() };
                self.line(&format!("int *{p} = {condition} ? &{x} : {other};"));
                self.line(&format!("*{p} = {b};"));
                self.line(&format!("if ({p} && {p} != &{x}) {x} = *{p} ^ 1;"));
            }
            _ => {
                self.line(&format!("const int *{p} = 0;"));
                self.line(&format!("if (!{p}) {p} = &{x};"));
                self.line(&format!("{x} = *{p} & {b};"));
            }
        }
        self.scalars.push(Scalar { name: x, kind: Kind(6) });
    }

    /// A union of which the member is read that was written last.
    fn union(&mut self) {
        let (u, x) = (self.name("u"), self.name("x"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("union either {u};"));
        self.line(&format!("{u}.number = {a};"));
        self.line(&format!("long {x} = {u}.number;"));
        self.line(&format!("{u}.many[1] = {b};"));
        self.line(&format!("{x} ^= {u}.many[1];"));
        self.scalars.push(Scalar { name: x, kind: Kind(8) });
    }

    fn struct_call(&mut self) {
        if !self.calls_allowed(0) {
            return self.assign();
        }
        let (s, x) = (self.name("s"), self.name("x"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("struct pair {s} = make_pair({a}, {b});"));
        if self.random.one_in(2) {
            self.line(&format!("fill_pair(&{s}, {b});"));
        }
        self.line(&format!("long {x} = sum_of_pair({s});"));
        if self.random.one_in(3) {
            let (t, i) = (self.name("t"), self.name("i"));
            self.line(&format!("struct pair {t}[2] = {{{{1}}, {{2, 3}}}};"));
            self.line(&format!("{t}[1] = {s};"));
            self.line(&format!("for (int {i} = 0; {i} < 2; {i}++) {x} = (short){x} + sum_of_pair({t}[{i}]);"));
        }
        self.struct_members(&s);
        self.scalars.push(Scalar { name: x, kind: Kind(8) });
        if self.random.one_in(3) {
            let (n, m) = (self.name("n"), self.name("n"));
            let (t, i, y) = (self.name("t"), self.name("i"), self.name("x"));
            self.line(&format!("int {n} = ({a} & 3) + 1, {m} = 2;"));
            self.line(&format!("int {t}[{n}][{m}];"));
            self.line(&format!("for (int {i} = 0; {i} < {n} * {m}; {i}++) {t}[{i} / {m}][{i} % {m}] = {i};"));
            self.line(&format!("long {y} = total({n}, {m}, {t});"));
            self.counters.extend([n.clone(), m.clone()]);
            self.arrays.push(Array { name: t, kind: Kind(6), lengths: vec![n, m], member: "" });
            self.scalars.push(Scalar { name: y, kind: Kind(8) });
        }
    }

    fn text_array(&mut self) {
        let (a, x) = (self.name("a"), self.name("x"));
        self.line(&format!("char {a}[] = \"ab\\377c\";"));
        self.line(&format!("unsigned long {x} = sizeof {a} / sizeof {a}[0];"));
        self.arrays.push(Array { name: a, kind: Kind(1), lengths: vec!["5".into()], member: "" });
        self.scalars.push(Scalar { name: x, kind: Kind(9) });
    }

    /// A jump into the middle of a loop.
    fn jump_in(&mut self) {
        let label = self.label();
        let i = self.name("i");
        let (condition, stay) = (self.condition(2), self.condition(2));
        self.line(&format!("int {i} = 0;"));
        self.line(&format!("if ({condition}) goto {label};"));
        self.line(&format!("while ({i} < 4 && {stay}) {{"));
        let scope = self.enter();
        self.counters.push(i.clone());
        let (iterations, loops) = (self.iterations, self.loops);
        self.iterations *= 5;
        self.loops = 0;
        self.line("{");
        self.body();
        self.line("}");
        self.line(&format!("{label}: {i}++;"));
        self.line("{");
        self.body();
        self.line("}");
        (self.iterations, self.loops) = (iterations, loops);
        self.leave(scope);
        self.line("}");
    }

    fn structure(&mut self) {
        let name = self.name("s");
        match self.random.below(5) {
            0 => {
                let (a, b) = (self.value(Kind(6)), self.expr(2));
                self.line(&format!("struct pair {name} = {{{a}, {b}}};"));
                self.struct_members(&name);
            }
            1 => {
                let length = 1 + self.random.below(5);
                self.line(&format!("struct pair {name}[{length}] = {{{{1, 2}}}};"));
                let lengths = vec![length.to_string()];
                self.arrays.push(Array { name: name.clone(), kind: Kind(6), lengths: lengths.clone(), member: ".a" });
                self.arrays.push(Array { name, kind: Kind(8), lengths, member: ".c[1]" });
            }
            2 => {
                let value = self.expr(2);
                self.line(&format!("struct bits {name} = {{0}};"));
                self.line(&format!("{name}.low = {value};"));
                self.line(&format!("{name}.high = {value};"));
                self.scalars.push(Scalar { name: format!("{name}.low"), kind: Kind(7) });
                self.scalars.push(Scalar { name: format!("{name}.high"), kind: Kind(6) });
                self.struct_members(&format!("{name}.inner"));
            }
            3 => {
                let from: Vec<String> =
                    self.scalars.iter().filter_map(|s| s.name.strip_suffix(".a").map(str::to_owned)).collect();
                if from.is_empty() {
                    return self.assign();
                }
                let from = self.random.pick(&from).clone();
                self.line(&format!("struct pair {name} = {from};"));
                self.struct_members(&name);
            }
            _ => {
                let from: Vec<String> =
                    self.scalars.iter().filter_map(|s| s.name.strip_suffix(".a").map(str::to_owned)).collect();
                if from.is_empty() {
                    return self.assign();
                }
                let from = self.random.pick(&from).clone();
                let value = self.expr(2);
                self.line(&format!("struct pair *{name} = &{from};"));
                self.line(&format!("{name}->a = {value};"));
                let n = self.index("3", 1);
                self.line(&format!("{name}->c[{n}] = {name}->a;"));
            }
        }
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
