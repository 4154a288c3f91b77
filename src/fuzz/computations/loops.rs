//! Loops of all kinds: up, down, by steps, from both ends, with computed exits.

use super::Maker;

impl Maker {
    /// A loop over the arrays.
    pub(super) fn looped(&mut self) -> String {
        self.depth += 1;
        self.has_label = self.random.one_in(4);
        let text = match self.random.below(13) {
            0 => self.both_ends(),
            1 => self.computed_exit(),
            2 => self.search(),
            3 => self.forever(),
            4 => self.narrow(),
            _ => self.counted(),
        };
        self.depth -= 1;
        match std::mem::take(&mut self.has_label) && text.contains("goto out;") {
            true => {
                let label = self.name("out");
                format!("{}{label}: ;\n", text.replace("goto out;", &format!("goto {label};")))
            }
            false => text,
        }
    }

    /// A loop whose counter may wrap around, or overshoot.
    fn narrow(&mut self) -> String {
        let i = self.name("u");
        let (first, last) = (250 + self.random.below(6), self.random.below(5));
        let more = self.statement("1", true);
        match self.random.below(4) {
            0 => format!("unsigned char {i} = {first};\nwhile ({i} != {last}) {{\n{more}\n{i}++;\n}}\n"),
            1 => format!("unsigned char {i} = {last};\nwhile ({i} < {first}) {{\n{more}\n{i} -= 1;\n}}\n"),
            2 => format!("unsigned {i} = {last};\nwhile ({i} < {first}u) {{\n{more}\n{i}--;\n}}\n"),
            _ => format!("unsigned char {i} = {};\ndo {{\n{more}\n{i} += 3;\n}} while ({i} > 9);\n", first - 9),
        }
    }

    /// The bound of a loop.
    fn bound(&mut self) -> String {
        let n = self.n.clone();
        match self.random.below(10) {
            0 => format!("{n} - 1"),
            1 => format!("{n} + 1"),
            2 => self.random.below(6).to_string(),
            3 => format!("(int){n} / 2"),
            4 => format!("(int){n} - 2"),
            _ => n,
        }
    }

    /// The lines of a body that uses this index.
    fn lines(&mut self, index: &str, jumps: bool) -> String {
        let mut lines = String::new();
        for _ in 0..1 + self.random.below(3) {
            let statement = match self.random.below(14) {
                0 if self.depth < 3 => self.inner(index),
                1 if jumps => self.jump(index),
                _ => self.statement(index, true),
            };
            lines += &statement;
            lines.push('\n');
        }
        lines
    }

    fn jump(&mut self, index: &str) -> String {
        let condition = self.condition(index);
        let (x, e) = (self.pick_scalar(), self.expression(index));
        match self.random.below(6) {
            0 => format!("if ({condition}) continue;"),
            1 => format!("if ({condition}) {{ {x} = {e}; break; }}"),
            2 if self.random.one_in(4) => format!("if ({condition}) return 0;"),
            3 if self.has_label => format!("if ({condition}) goto out;"),
            _ => format!("if ({condition}) break;"),
        }
    }

    /// A loop that counts.
    fn counted(&mut self) -> String {
        let i = self.name("i");
        let ty = *self.random.pick(&["int", "int", "int", "int", "unsigned", "long", "unsigned char", "short"]);
        let step = if self.random.one_in(5) { 2 + self.random.below(2) } else { 1 };
        let first = if self.random.one_in(3) { self.random.below(3) } else { 0 };
        let bound = self.bound();
        if self.random.one_in(5) {
            return self.counted_down(&i, first, &bound, step);
        }
        let change = match (step, self.random.below(3)) {
            (1, 0) => format!("++{i}"),
            (1, 1) => format!("{i} = {i} + 1"),
            (1, _) => format!("{i}++"),
            _ => format!("{i} += {step}"),
        };
        let condition = match self.random.below(6) {
            0 => format!("{i} <= (int)({bound}) - 1"),
            1 if step == 1 && first == 0 && bound == self.n => format!("{i} != {bound}"),
            2 => format!("!({i} >= {bound})"),
            _ => format!("{i} < {bound}"),
        };
        // The comparison of a negative bound with an unsigned counter goes on for long.
        let signed = !ty.starts_with("unsigned") || bound == self.n;
        let ty = if signed { ty } else { "int" };
        match self.random.below(5) {
            0 => {
                let lines = self.lines(&i, false);
                format!("{ty} {i} = {first};\nwhile ({condition}) {{\n{lines}{change};\n}}\n")
            }
            1 => {
                let lines = self.lines(&i, false);
                format!("{ty} {i} = {first};\ndo {{\n{lines}{change};\n}} while ({condition} && {i} < 8);\n")
            }
            _ => {
                let lines = self.lines(&i, true);
                format!("for ({ty} {i} = {first}; {condition}; {change}) {{\n{lines}}}\n")
            }
        }
    }

    fn counted_down(&mut self, i: &str, first: usize, bound: &str, step: usize) -> String {
        let change = if step == 1 { format!("{i}--") } else { format!("{i} -= {step}") };
        if self.random.one_in(3) && bound == self.n {
            // The counter is one more than the index, and is never negative.
            let lines = self.lines(&format!("{i} - 1"), true);
            return format!("for (unsigned {i} = {bound}; {i} > 0; {i}--) {{\n{lines}}}\n");
        }
        let lines = self.lines(i, true);
        format!("for (int {i} = (int)({bound}) - 1; {i} >= {first}; {change}) {{\n{lines}}}\n")
    }

    /// Two counters that approach each other.
    fn both_ends(&mut self) -> String {
        let (l, r) = (self.name("l"), self.name("r"));
        let array = self.pick_array();
        let (left, right) = (array.at(&l), array.at(&r));
        let e = self.expression(&l);
        let body = match self.random.below(4) {
            0 => format!("{left} = {e};\n{right} = {e};"),
            1 => format!("if ({left} > {right}) {{ int k = {left}; {left} = {right}; {right} = k; }}"),
            _ => format!("int k = {left};\n{left} = {right};\n{right} = k;"),
        };
        let more = if self.random.one_in(3) { self.statement(&l, true) } else { String::new() };
        let relation = *self.random.pick(&["<", "<="]);
        format!(
            "int {l} = 0, {r} = (int){} - 1;\nwhile ({l} {relation} {r}) {{\n{body}\n{more}\n{l}++; {r}--;\n}}\n",
            self.n
        )
    }

    /// A loop that ends when a value is reached.
    fn computed_exit(&mut self) -> String {
        let (x, y) = (self.pick_scalar(), self.name("w"));
        let (k, n) = (1 + self.random.below(3), self.n.clone());
        let more = self.statement("0", true);
        match self.random.below(5) {
            0 => format!("int {y} = 0;\nwhile ({y} * {y} < {n}) {{\n{more}\n{y}++;\n}}\n"),
            1 => format!("int {y} = {n} * {k};\nwhile ({y} > 0) {{\n{more}\n{y} -= {k};\n}}\n"),
            2 => format!("unsigned {y} = {n} * 5u;\nwhile ({y} > 0) {{\n{more}\n{y} /= 2;\n}}\n"),
            3 => format!("int {y} = 1;\nwhile ({y} < {n} * {k}) {{\n{more}\n{y} *= 2;\n}}\n"),
            _ => format!("int {y} = 0;\nwhile ({x} < 9 && {y} < 7) {{\n{more}\n{x} += {k};\n{y}++;\n}}\n"),
        }
    }

    /// A search.
    fn search(&mut self) -> String {
        let i = self.name("q");
        let condition = self.condition(&i);
        let (n, x) = (self.n.clone(), self.pick_scalar());
        let more = if self.random.one_in(3) { self.statement(&i, true) } else { String::new() };
        match self.random.below(4) {
            0 => format!("int {i} = 0;\nwhile ({i} < {n} && !({condition})) {{\n{more}\n{i}++;\n}}\n{x} = {i};\n"),
            1 => format!(
                "for (int {i} = 0; {i} < {n}; {i}++) {{\n{more}\nif ({condition}) {{ {x} = {i}; break; }}\n}}\n"
            ),
            2 => format!(
                "for (int {i} = (int){n} - 1; {i} >= 0; {i}--) {{\n{more}\nif ({condition}) {{ {x} = {i}; break; \
                 }}\n}}\n"
            ),
            _ => {
                format!("int {i} = 0;\nfor (; {i} < {n}; {i}++) {{\n{more}\nif ({condition}) break;\n}}\n{x} = {i};\n")
            }
        }
    }

    /// A loop that is left from inside.
    fn forever(&mut self) -> String {
        let i = self.name("v");
        let (bound, more) = (self.bound(), self.lines(&i, false));
        let early = if self.random.one_in(3) {
            let condition = self.condition(&i);
            format!("if ({condition}) break;\n")
        } else {
            String::new()
        };
        format!("int {i} = 0;\nwhile (1) {{\nif ({i} >= {bound}) break;\n{more}{early}{i}++;\n}}\n")
    }

    /// A loop in a loop.
    fn inner(&mut self, outer: &str) -> String {
        self.depth += 1;
        let k = self.name("k");
        let n = self.n.clone();
        let (first, bound) = match self.random.below(6) {
            0 => ("0".to_owned(), format!("{outer} + 1")),
            1 => (outer.to_owned(), n),
            2 => ("0".to_owned(), "3".to_owned()),
            3 => ("0".to_owned(), outer.to_owned()),
            _ => ("0".to_owned(), n),
        };
        let index = if self.random.one_in(4) { outer.to_owned() } else { k.clone() };
        let mut lines = self.statement(&index, true);
        if self.random.one_in(3) {
            let also = if self.random.one_in(2) { self.jump(&k) } else { self.statement(&k, true) };
            lines += &format!("\n{also}");
        }
        self.depth -= 1;
        format!("for (int {k} = {first}; {k} < (int)({bound}); {k}++) {{\n{lines}\n}}")
    }
}
