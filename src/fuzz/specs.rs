//! Random programs with specifications: assumptions and claims about the cells of a table and of an
//! array, between loops and writes that preserve or violate them. The interpreter evaluates the
//! formulas, so it knows which runs an assumption excludes and which fail.

use super::Random;
use std::fmt::Write as _;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\nstruct slot { int used; int key; };\n";

const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

struct Specs {
    random: Random,
    text: String,
    /// The number of cells of table and array: a constant or a variable.
    size: String,
}

/// A program of about this many statements and specifications.
pub(super) fn program(seed: u64, statements: u32) -> String {
    let mut g = Specs { random: Random::new(seed), text: String::new(), size: "n".to_owned() };
    g.begin(seed);
    for _ in 0..3 + statements / 5 {
        g.statement();
    }
    g.text.push_str("    return 0;\n}\n");
    g.text
}

/// A program with loops whose invariants may hold or not.
pub(super) fn with_invariants(seed: u64) -> String {
    let mut g = Specs { random: Random::new(seed), text: String::new(), size: "n".to_owned() };
    g.begin(seed);
    g.line("int p = 0, q = 0;");
    for _ in 0..1 + g.random.below(2) {
        if g.random.one_in(3) {
            g.statement();
        }
        g.invariant_loop("p", 2);
        for _ in 0..1 + g.random.below(3) {
            let claim = g.formula_up_to("p");
            g.line(&format!("/*@ check {claim}; */"));
        }
    }
    g.text.push_str("done: return 0;\n}\n");
    g.text
}

impl Specs {
    fn begin(&mut self, seed: u64) {
        let g = self;
        let _ = write!(g.text, "/* seed {seed}, with specifications */\n{PRELUDE}int main(void) {{\n");
        let most = 1 + g.random.below(5);
        if g.random.one_in(2) {
            g.size = most.to_string();
        } else {
            g.line("int n = __VERIFIER_nondet_int();");
            g.line(&format!("if (n < 1 || n > {most}) return 0;"));
        }
        let n = g.size.clone();
        g.line("int i, j = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();");
        g.line(&format!("if (j < 0 || j >= {n} || m < 0 || m > {n}) return 0;"));
        g.line(&format!("struct slot t[{n}];"));
        g.line(&format!("int a[{n}];"));
        let value = g.value();
        g.line(&format!(
        "for (i = 0; i < {n}; i++) {{ t[i].used = __VERIFIER_nondet_int(); t[i].key = __VERIFIER_nondet_int(); a[i] = {value}; }}"
    ));
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn comparison(&mut self) -> &'static str {
        self.random.pick::<&'static str>(&COMPARISONS)
    }

    fn constant(&mut self) -> String {
        (self.random.below(8) as i32 - 2).to_string()
    }

    /// An expression whose value can be stored.
    fn value(&mut self) -> String {
        match self.random.below(5) {
            0 => "j".to_owned(),
            1 => "x".to_owned(),
            2 => "__VERIFIER_nondet_int()".to_owned(),
            _ => self.constant(),
        }
    }

    /// A number that a formula compares with.
    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => self.size.clone(),
            1 => "j".to_owned(),
            2 => "x".to_owned(),
            3 => "m".to_owned(),
            _ => self.constant(),
        }
    }

    /// A term about the cell `k`.
    fn cell(&mut self, k: &str) -> String {
        match self.random.below(7) {
            0..=2 => format!("t[{k}].used"),
            3 | 4 => format!("t[{k}].key"),
            5 => format!("a[{k}]"),
            _ => k.to_owned(),
        }
    }

    fn about(&mut self, k: &str) -> String {
        let (left, op) = (self.cell(k), self.comparison());
        let right = if self.random.one_in(4) { self.cell(k) } else { self.number() };
        let size = self.size.clone();
        match self.random.below(11) {
            9 => format!("(t[{k}].used {op} 0 ? {left} : {right}) <= {right}"),
            10 => format!("(\\let y = {left}; y {op} {right} || y == {right})"),
            0 => format!("0 <= t[{k}].key < {size}"),
            1 => format!("({left} {op} {right} || t[{k}].used == 1)"),
            2 => format!("!({left} {op} {right})"),
            3 => format!("{left} {op} {right} + 1"),
            _ => format!("{left} {op} {right}"),
        }
    }

    fn formula(&mut self) -> String {
        if self.random.one_in(5) {
            return self.about("j");
        }
        let size = self.size.clone();
        let low = self.random.pick(&["0", "0", "0", "1", "j", "m"]).to_string();
        let high = self.random.pick(&[size.as_str(), size.as_str(), size.as_str(), "m", "j", "j + 1"]).to_string();
        let guards = match self.random.below(5) {
            0 | 1 => String::new(),
            2 | 3 => format!(" && {}", self.about("k")),
            _ => format!(" && {} && {}", self.about("k"), self.about("k")),
        };
        let body = match self.random.below(4) {
            0 => format!("{} && {}", self.about("k"), self.about("k")),
            _ => self.about("k"),
        };
        format!("\\forall integer k; {low} <= k < {high}{guards} ==> {body}")
    }

    fn statement(&mut self) {
        let size = self.size.clone();
        match self.random.below(9) {
            // A rule that the program first establishes, or merely assumes.
            0 => {
                let (bound, value) = (self.constant(), self.constant());
                self.line(&format!(
                    "for (i = 0; i < {size}; i++) if (t[i].used > {bound} && (t[i].key < 0 || t[i].key >= {size})) t[i].key = 0;"
                ));
                let role = *self.random.pick(&["assume", "assert", "check"]);
                self.line(&format!(
                    "/*@ {role} \\forall integer k; 0 <= k < {size} && t[k].used > {bound} ==> 0 <= t[k].key < {size}; */"
                ));
                self.line(&format!("if (t[j].used > {value}) {{ x = t[j].key; /*@ check 0 <= x < {size}; */ }}"));
            }
            1 | 2 => {
                let formula = self.formula();
                self.line(&format!("/*@ assume {formula}; */"));
            }
            3 | 4 => {
                let (role, formula) = (*self.random.pick(&["assert", "check", "check"]), self.formula());
                self.line(&format!("/*@ {role} {formula}; */"));
            }
            5 => {
                let (field, value) = (*self.random.pick(&["t[j].used", "t[j].key", "a[j]"]), self.value());
                self.line(&format!("{field} = {value};"));
            }
            6 => {
                let (op, bound, value) = (self.comparison(), self.constant(), self.value());
                self.line(&format!("for (i = 0; i < m; i++) if (t[i].used {op} {bound}) t[i].key = {value};"));
            }
            7 => {
                let (field, op, bound) = (self.cell("j"), self.comparison(), self.constant());
                let claim = self.about("j");
                self.line(&format!("if ({field} {op} {bound}) {{ /*@ check {claim}; */ x = t[j].key; }}"));
            }
            _ => {
                let formula = self.formula();
                self.line(&format!("j = x >= 0 && x < {size} ? x : 0;"));
                self.line(&format!("/*@ check {formula}; */"));
            }
        }
    }

    /// A formula about the cells that a loop has passed.
    fn formula_up_to(&mut self, i: &str) -> String {
        if self.random.one_in(4) {
            return self.formula();
        }
        let body = match self.random.below(3) {
            0 => self.about("k"),
            1 => format!("a[k] {} {}", self.comparison(), self.constant()),
            _ => format!("a[k] {} t[k].key", self.comparison()),
        };
        let high = self.random.pick(&["", "", " + 1", " - 1"]).to_string();
        format!("\\forall integer k; 0 <= k < {i}{high} ==> {body}")
    }

    /// A formula about what the loop has changed.
    fn since_entry(&mut self, i: &str) -> String {
        let size = self.size.clone();
        let (op, constant) = (self.comparison(), self.constant());
        let cell = self.random.pick(&["a[k]", "a[k]", "t[k].key", "t[k].used"]).to_string();
        match self.random.below(5) {
            0 => format!("x {op} \\at(x, LoopEntry)"),
            1 => format!("\\at(a[j], LoopEntry) {op} a[\\at(j, LoopEntry)]"),
            2 => format!(
                "\\forall integer k; 0 <= k < {i} ==> {cell} == \\at({cell}, LoopEntry) || {cell} {op} {constant}"
            ),
            _ => format!("\\forall integer k; {i} <= k < {size} ==> {cell} == \\at({cell}, LoopEntry)"),
        }
    }

    /// A loop over a counter, perhaps with another inside.
    fn invariant_loop(&mut self, i: &str, depth: u32) {
        let size = self.size.clone();
        let bound = self.random.pick(&[size.as_str(), size.as_str(), "m"]).to_string();
        self.line(&format!("{i} = 0;"));
        let range =
            *self.random.pick(&["0 <= {i} <= {n}", "0 <= {i} <= {n}", "0 <= {i}", "{i} <= {n}", "0 <= {i} < {n}"]);
        let range = range.replace("{i}", i).replace("{n}", &bound);
        let mut annotation = format!("/*@ loop invariant {range};");
        for _ in 0..1 + self.random.below(3) {
            let formula = if self.random.one_in(4) { self.since_entry(i) } else { self.formula_up_to(i) };
            let _ = write!(annotation, " loop invariant {formula};");
        }
        self.line(&format!("{annotation} */"));
        let kind = self.random.below(4);
        match kind {
            0 => self.line("do {"),
            1 => self.line(&format!("while ({i} < {bound}) {{")),
            _ => self.line(&format!("for (; {i} < {bound}; {i}++) {{")),
        }
        for _ in 0..1 + self.random.below(3) {
            self.in_loop(i, depth, kind >= 2);
        }
        match kind {
            0 => self.line(&format!("{i}++; }} while ({i} < {bound});")),
            1 => self.line(&format!("{i}++; }}")),
            _ => self.line("}"),
        }
    }

    fn in_loop(&mut self, i: &str, depth: u32, continues: bool) {
        let (op, bound, value) = (self.comparison(), self.constant(), self.value());
        let at = self.random.pick(&[i, i, "j"]).to_string();
        let target = self.random.pick(&["a[*]", "a[*]", "t[*].key", "t[*].used"]).replace('*', &at);
        let inside = format!("if ({at} >= 0 && {at} < {})", self.size);
        match self.random.below(8) {
            0 => self.line(&format!("{inside} if (a[{at}] {op} {bound}) {target} = {value};")),
            1 => {
                let leave = *self.random.pick(&["break;", "goto done;", "return 0;"]);
                self.line(&format!("if (x {op} {i}) {leave}"));
            }
            2 if continues => self.line(&format!("if (j {op} {i}) continue;")),
            3 => {
                let formula = self.formula_up_to(i);
                let role = *self.random.pick(&["assert", "check", "assume"]);
                self.line(&format!("/*@ {role} {formula}; */"));
            }
            4 if depth > 1 => self.invariant_loop("q", depth - 1),
            5 => self.line(&format!("x = {value};")),
            _ => self.line(&format!("{inside} {target} = {value};")),
        }
    }
}
