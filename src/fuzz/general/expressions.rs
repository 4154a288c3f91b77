//! Random expressions.

use super::{Array, Generator, Kind, Scalar};

impl Generator {
    /// An expression of any integer type. It is in parentheses unless it needs none.
    pub(super) fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(depth);
        }
        let d = depth - 1;
        if self.random.one_in(self.config.risk) {
            let (a, b) = (self.risky(d), self.expr(d));
            let op = *self.random.pick(&["+", "-", "*", "/", "%", "<<", ">>"]);
            // Often by the width, if it is not 0.
            let by_width = op == ">>" && self.random.one_in(2);
            return if by_width { format!("((unsigned int){a} >> ({b} & 32))") } else { format!("({a} {op} {b})") };
        }
        match self.random.below(18) {
            0..=2 => {
                // Masks keep the operands small, so nothing overflows, whatever the types are.
                let (a, b) = (self.small(d), self.small(d));
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("({a} {op} {b})")
            }
            3 | 4 => {
                let ty = *self.random.pick(&["unsigned int", "unsigned long", "unsigned long long"]);
                let (a, b) = (self.expr(d), self.expr(d));
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("(({ty}){a} {op} ({ty}){b})")
            }
            5 => {
                let (a, b) = (self.expr(d), self.divisor(d));
                let op = *self.random.pick(&["/", "%"]);
                format!("({a} {op} {b})")
            }
            6 => {
                let (a, b) = (self.small(d), self.expr(d));
                format!("(({a} & 255) << ({b} & 7))")
            }
            7 => {
                let (a, b) = (self.expr(d), self.expr(d));
                format!("({a} >> ({b} & 7))")
            }
            8 => {
                let (a, b) = (self.expr(d), self.expr(d));
                let op = *self.random.pick(&["&", "|", "^"]);
                format!("({a} {op} {b})")
            }
            9 => {
                let a = self.small(d);
                let op = *self.random.pick(&["-", "~", "!", "+"]);
                format!("({op}{a})")
            }
            10..=12 => {
                let ty = self.kind().name();
                format!("(({ty}){})", self.expr(d))
            }
            13 => {
                let (c, a, b) = (self.condition(d), self.expr(d), self.expr(d));
                format!("({c} ? {a} : {b})")
            }
            14 | 15 => self.condition(d),
            16 => {
                let ty = self.kind().name();
                format!("sizeof({ty})")
            }
            _ => match self.functions.iter().position(|f| f.arrays == 0 && f.result) {
                // A call inside an expression.
                Some(n) if self.config.functions && self.calls_allowed(n) => {
                    let scalars = self.functions[n].scalars;
                    let arguments: Vec<String> = (0..scalars).map(|_| self.expr(d.min(1))).collect();
                    format!("{}({})", self.functions[n].name, arguments.join(", "))
                }
                _ => self.leaf(d),
            },
        }
    }

    /// An expression that is 0 or 1.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.random.below(6) {
            0 if depth > 0 => {
                let (a, b) = (self.condition(d), self.condition(d));
                let op = *self.random.pick(&["&&", "||"]);
                format!("({a} {op} {b})")
            }
            1 if depth > 0 => format!("(!{})", self.condition(d)),
            2 if !self.counters.is_empty() => self.comparison_with_operand(d),
            _ => {
                let (a, b) = (self.expr(d), self.expr(d));
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {b})")
            }
        }
    }

    /// Compares the result of an operation with one of its operands. This exercises the rules that
    /// relate the two.
    fn comparison_with_operand(&mut self, depth: u32) -> String {
        let a = self.random.pick(&self.counters).clone();
        let b = match self.random.one_in(3) {
            true => self.small(depth),
            false => self.random.pick(&self.counters).clone(),
        };
        let (op, b) = match *self.random.pick(&["*", "+", "-", "&", "|", "^", "/", "%"]) {
            op @ ("/" | "%") => (op, self.divisor(depth)),
            op => (op, b),
        };
        let result = format!("({a} {op} {b})");
        let relation = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let operand = if self.random.one_in(2) { a } else { b };
        format!("({result} {relation} {operand})")
    }

    /// A divisor: not 0, and not -1, by which the least value cannot be divided.
    fn divisor(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => (2 + self.random.below(6)).to_string(),
            1 => format!("(({} & 7) - 9)", self.small(depth)),
            _ => format!("(({} & 7) + 1)", self.small(depth)),
        }
    }

    /// An expression between -1024 and 1023.
    pub(super) fn small(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => self.random.below(20).to_string(),
            1 => format!("({} & 1023)", self.expr(depth)),
            2 if !self.counters.is_empty() => self.random.pick(&self.counters).clone(),
            _ => format!("(signed char){}", self.expr(depth)),
        }
    }

    /// Not a constant: sanitizers do not see what the compiler evaluates.
    fn risky(&mut self, depth: u32) -> String {
        match self.assignable() {
            Some(x) => format!("({} ^ {})", x.name, self.expr(depth)),
            None => self.random.below(5).to_string(),
        }
    }

    fn leaf(&mut self, depth: u32) -> String {
        match self.random.below(8) {
            0 | 1 => self.constant(),
            2 | 3 if !self.arrays.is_empty() => {
                let array = self.random.pick(&self.arrays).clone();
                self.cell(&array, depth.min(1))
            }
            4 if !self.counters.is_empty() => self.random.pick(&self.counters).clone(),
            _ if !self.scalars.is_empty() => self.random.pick(&self.scalars).name.clone(),
            _ => self.constant(),
        }
    }

    pub(super) fn constant(&mut self) -> String {
        match self.random.below(12) {
            0..=5 => self.random.below(12).to_string(),
            6 => format!("(-{})", self.random.below(200)),
            7 => self.random.pick(&["2147483647", "(-2147483647 - 1)", "0x80000000", "0xffffffffu"]).to_string(),
            8 => self.random.pick(&["9223372036854775807l", "18446744073709551615ul", "4294967296", "255"]).to_string(),
            9 => format!("{}u", self.random.below(300)),
            10 => format!("{}l", self.random.below(70000)),
            _ => self.random.pick(&["'a'", "'\\0'", "RED", "GREEN", "1ll", "0x7f", "017"]).to_string(),
        }
    }

    /// A cell of an array, almost always at an index inside it.
    pub(super) fn cell(&mut self, array: &Array, depth: u32) -> String {
        let mut text = array.name.clone();
        for length in &array.lengths {
            let index = self.index(length, depth);
            text.push_str(&format!("[{index}]"));
        }
        text.push_str(array.member);
        text
    }

    /// An index below `length`, which is a constant or a positive variable.
    pub(super) fn index(&mut self, length: &str, depth: u32) -> String {
        if self.random.one_in(self.config.risk) {
            return self.expr(depth);
        }
        let fitting: Vec<String> =
            self.bounds.iter().filter(|(_, bound)| bound == length).map(|(i, _)| i.clone()).collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            return self.random.pick(&fitting).clone();
        }
        if let Ok(n) = length.parse::<usize>()
            && self.random.one_in(2)
        {
            return self.random.below(n).to_string();
        }
        format!("(unsigned int){} % (unsigned int){length}", self.expr(depth))
    }

    pub(super) fn kind(&mut self) -> Kind {
        *self.random.pick(&Kind::ALL)
    }

    /// A variable that may be assigned.
    pub(super) fn assignable(&mut self) -> Option<Scalar> {
        (!self.scalars.is_empty()).then(|| self.random.pick(&self.scalars).clone())
    }
}
