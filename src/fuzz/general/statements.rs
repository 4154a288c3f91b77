//! Random statements.

use super::{Array, Generator, Kind, Scalar};

impl Generator {
    pub(super) fn statement(&mut self) {
        self.budget -= 1;
        let depth = self.config.depth;
        let nested = self.budget > 0 && self.indent < 6;
        match self.random.below(36) {
            28 => self.side_effect(),
            29 if self.config.pointers => self.address(),
            30 if self.config.structs => self.union(),
            31 if self.config.structs && self.config.functions => self.struct_call(),
            32 => self.text_array(),
            33 if nested && self.config.jumps => self.jump_in(),
            34 => self.block(),
            35 if self.config.pointers => self.kept_pointer(),
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

    pub(super) fn value(&mut self, kind: Kind) -> String {
        if self.random.one_in(4) {
            format!("__VERIFIER_nondet_{}()", kind.input())
        } else {
            self.expr(self.config.depth)
        }
    }

    pub(super) fn scalar(&mut self) {
        let (kind, name) = (self.kind(), self.name("x"));
        let value = self.value(kind);
        self.line(&format!("{} {name} = {value};", kind.name()));
        self.scalars.push(Scalar { name, kind });
    }

    pub(super) fn assign(&mut self) {
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

    pub(super) fn array(&mut self) {
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
    pub(super) fn fill(&mut self, name: &str, lengths: &[String]) {
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

    pub(super) fn repeat(&mut self) {
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

    pub(super) fn switch(&mut self) {
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

    /// A forward jump out of the enclosing statement, or a loop of a label and a `goto`.
    pub(super) fn jump(&mut self) {
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

    pub(super) fn call(&mut self) {
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
}
